"""Planning of motions."""
