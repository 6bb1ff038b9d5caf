"""Compiled kernels behind the skills; everything in them is derived from Pinocchio's model and tested against it."""

__all__: list[str] = []
