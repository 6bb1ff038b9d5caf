"""Errors, failures, messages, events, time and parameters: what everything else is made with."""
