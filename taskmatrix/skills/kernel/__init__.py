"""Collision checks and inverse kinematics compiled to machine code."""
