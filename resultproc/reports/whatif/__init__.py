"""A game as it would be: other limits, another rating or rulebook, more pairs or fewer."""
