"""How functions are compiled."""
