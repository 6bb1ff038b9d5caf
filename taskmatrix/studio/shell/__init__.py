"""A running session on the command line."""
