"""Behaviors that move the base."""
