"""Perception: what sensors deliver, turned into what is known of the world."""
