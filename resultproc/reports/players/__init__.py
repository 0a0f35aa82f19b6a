"""The players of some games: what each won, by colour, and where."""
