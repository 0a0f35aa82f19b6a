"""A sheet that carries ranks and awards, held against the rules."""
