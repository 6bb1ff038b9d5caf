"""Judges of machines that do a whole task."""
