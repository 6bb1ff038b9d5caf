"""The facets of the fake skill set."""
