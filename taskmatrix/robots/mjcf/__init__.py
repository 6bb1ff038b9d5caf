"""Models and scenes in MJCF, MuJoCo's format."""
