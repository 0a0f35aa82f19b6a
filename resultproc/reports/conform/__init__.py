"""A suite of games with the ranks and awards that are expected of them: read, awarded by a program, and compared."""
