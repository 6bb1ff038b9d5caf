"""Words and laws of the library: messages, behaviors, machines, conditions, arbiter, executive, events."""
