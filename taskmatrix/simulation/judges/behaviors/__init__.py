"""One judge for each kind of behavior."""
