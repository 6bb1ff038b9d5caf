"""Message-driven machines, and what is checked of them when their class is made."""
