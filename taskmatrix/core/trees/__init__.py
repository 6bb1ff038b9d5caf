"""Activation trees."""
