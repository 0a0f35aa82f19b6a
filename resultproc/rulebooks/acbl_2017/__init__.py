"""Club games, regular and special, of 2017."""
