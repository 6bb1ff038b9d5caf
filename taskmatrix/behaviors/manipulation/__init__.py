"""Behaviors of hands."""
