"""A page for each game."""
