"""The facets of the common skill set: small protocols that compose."""
