"""Worlds, their objects, and what happens to them by themselves."""
