"""Collision checks: many configurations at once, certain or in doubt."""
