"""Board results to scores: matchpoints and IMPs for each result, totals and percentages for each contestant."""

from resultproc.scoring.imps import cross_imps, datum_imps
from resultproc.scoring.matchpoints import matchpoints
from resultproc.scoring.totals import totals

__all__ = ["cross_imps", "datum_imps", "matchpoints", "totals"]
