"""Curves through points, and how fast they can be passed."""
