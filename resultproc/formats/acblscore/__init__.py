"""ACBLscore's binary game files."""
