"""Legs: feet, steps and kicks."""
