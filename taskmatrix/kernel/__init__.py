"""Collision checks, inverse kinematics, paths and timing, compiled to machine code; knows arrays and no robots."""

from .ahead_of_time import compile_ahead as compile_ahead

__all__ = ["compile_ahead"]
