"""Motions in time, within the limits of joints."""
