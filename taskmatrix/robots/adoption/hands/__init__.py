"""Hands that are found in a bare URDF."""
