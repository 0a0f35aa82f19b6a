"""Club masterpoint games: ACBL Handbook, chapter 4."""
