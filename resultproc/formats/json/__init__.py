"""JSON: the machine interface."""
