"""Components of other processes."""
