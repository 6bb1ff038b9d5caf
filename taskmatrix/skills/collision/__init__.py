"""Collision checks of robot, held objects and world."""
