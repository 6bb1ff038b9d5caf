"""The designer: machines drawn from their source and edited in it, without running it."""
