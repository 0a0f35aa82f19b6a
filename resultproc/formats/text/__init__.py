"""The printed listings of ACBLscore, and sheets in their columns."""
