"""Motions on which a hand keeps constraints."""
