"""From an adapter's files to a robot."""
