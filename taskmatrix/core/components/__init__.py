"""Components: iterative pieces of behavior, with their parts, modulations and modes."""
