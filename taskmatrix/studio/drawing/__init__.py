"""Drawings and pictures."""
