"""Planning and shortening of paths."""
