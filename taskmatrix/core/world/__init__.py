"""Objects, what is known of them, and the map of space."""
