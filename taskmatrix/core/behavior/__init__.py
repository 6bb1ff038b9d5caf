"""Task behaviors, conditions, requirements, and the executive that runs them."""
