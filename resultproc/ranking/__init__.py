"""Who came where: what is declared completed and checked, comparison groups, positions and ties."""

from resultproc.ranking.complete import complete
from resultproc.ranking.positions import rank

__all__ = ["complete", "rank"]
