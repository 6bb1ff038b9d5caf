"""Behaviors that look, search and explore."""
