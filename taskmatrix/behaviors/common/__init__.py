"""What behaviors of several kinds are made with."""
