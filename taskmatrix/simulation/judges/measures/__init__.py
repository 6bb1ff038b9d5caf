"""What judges measure of a run."""
