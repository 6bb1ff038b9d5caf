"""Machines for whole tasks."""
