"""Judges of behaviors in which a hand goes along a given way."""
