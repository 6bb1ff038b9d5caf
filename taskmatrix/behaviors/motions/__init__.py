"""Postures and motions from the robot's data."""
