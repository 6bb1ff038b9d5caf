"""Collision checks compiled to machine code: certified edges and batches of states, exact with coal."""
