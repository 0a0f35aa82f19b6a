"""Frames to files. One module per format, the mirror of the readers."""
