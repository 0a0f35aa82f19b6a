"""Board results to scores: matchpoints and IMPs for each result, totals and percentages for each contestant."""

from resultproc.scoring.points import board_a_match, cross_imps, datum_imps, matchpoints, totals

__all__ = ["board_a_match", "cross_imps", "datum_imps", "matchpoints", "totals"]
