"""Players over a series of games."""
