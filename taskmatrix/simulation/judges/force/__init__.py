"""Judges of behaviors that drive a limb by forces."""
