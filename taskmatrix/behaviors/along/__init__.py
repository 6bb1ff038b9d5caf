"""Hands that go along a given way: a line, or the arc on which a door leads them."""
