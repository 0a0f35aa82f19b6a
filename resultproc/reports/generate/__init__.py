"""Random games of every rulebook, as files to try programs with."""
