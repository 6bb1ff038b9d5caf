"""What behaviors and robots know of each other: skills, plans, plants, and the arbiter between."""
