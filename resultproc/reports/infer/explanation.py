"""What explains the games of a sheet: declarations, how well they do, and what decides between two of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from resultproc.model.arrays import Ints
from resultproc.model.errors import Problem
from resultproc.model.provenance import Provenance
from resultproc.reports.infer.free import Bound
from resultproc.reports.infer.space import Guess


class PrintedEntry(NamedTuple):
    """Something that a sheet prints of a contestant. computed: what a guess makes of it."""

    contestant: str
    what: str
    printed: str
    computed: str

    @property
    def about(self) -> tuple[str, str, str]:
        """What it is about, whatever is computed of it: of a rank, that of one stratum."""
        stratum = re.match("([A-Z]+)=", self.printed or self.computed)
        return self.contestant, self.what, stratum[1] if stratum else ""


@dataclass(frozen=True)
class Explanation:
    """Declarations, and what of a game they explain.

    rulebook: the one that pays. agree: how many printed ranks and awards agree. against: what differs. awards: in
    hundredths, of each contestant. factors: of an award of each stratum, 0 the top, where it has any. strange: the
    tables of games beside it that nothing else of the report tells of. absent: how many overall places pay under it
    though the report has none at all; sections_alone: whether what they pay is left out of the awards, too.
    """

    guess: Guess
    rulebook: str
    agree: int
    against: tuple[PrintedEntry, ...]
    awards: Ints
    factors: Mapping[int, str]
    strange: float = 0
    absent: int = 0
    sections_alone: bool = False

    @property
    def order(self) -> tuple[int, int, int, float]:
        """How good it is: what contradicts it, the overall places that a report without any would have to leave out,
        the games beside it that nothing tells of, and the tables of these.
        """
        return len(self.against), self.absent, len(self.guess.invented), self.strange

    @property
    def awards_against(self) -> int:
        """How many awards contradict it."""
        return sum(entry.what == "award" for entry in self.against)


class RulebookReading(NamedTuple):
    """Another word that a value of a rulebook may be, and what it explains. agree, against: how many entries."""

    path: str
    value: str
    agree: int
    against: int


@dataclass(frozen=True)
class Inferred:
    """What explains one game.

    game: its row.
    entries: how many ranks and awards are printed; where awards are, none is one of 0.
    explanations: the best first.
    equal: how many of the first ones are equally good.
    awards: what is printed of each contestant, in hundredths.
    decides: what the first explains and the second does not, the awards that are furthest apart first: any one of them
        decides.
    against_first: what the second alone explains, in that order.
    bounds: those of factors that are left free, under the first.
    readings: those of its rulebook that explain more than the first does, each by itself, the best first.
    """

    game: Mapping[str, object]
    entries: int
    explanations: tuple[Explanation, ...]
    equal: int
    awards: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    decides: tuple[PrintedEntry, ...] = ()
    against_first: tuple[PrintedEntry, ...] = ()
    bounds: tuple[Bound, ...] = ()
    readings: tuple[RulebookReading, ...] = ()

    @property
    def paid(self) -> int:
        """How many awards are printed."""
        return int((self.awards > 0).sum())

    @property
    def ranks(self) -> int:
        """How many ranks are printed."""
        return self.entries - len(self.awards)

    def paid_alike(self, each: Explanation) -> int:
        """Return how many of the printed awards an explanation has."""
        return int(((self.awards > 0) & (self.awards == each.awards)).sum())

    def ranks_alike(self, each: Explanation) -> int:
        """Return how many of the printed ranks an explanation has."""
        return each.agree - int((self.awards == each.awards).sum())

    @property
    def unexplained(self) -> bool:
        """Whether no declarations explain the awards: the best of them contradict most of these."""
        return 2 * self.explanations[0].awards_against > self.paid


@dataclass(frozen=True)
class Inference:
    """What explains the games of files. remarks: on those that print nothing to explain, and what is doubtful."""

    games: tuple[Inferred, ...]
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def unexplained(self) -> list[Problem]:
        """What is wrong with the games whose awards no declarations explain."""
        hint = "see whether date, tables and event type are right"
        return [
            Problem("no declarations explain the awards", f"game {name}", hint, str(game.game["source"]), name)
            for game in self.games
            for name in [str(game.game["game_id"])]
            if game.unexplained
        ]

    @classmethod
    def of_all(cls, parts: Sequence[Inference]) -> Inference:
        """Return what explains the games of several files together."""
        remarks = tuple(remark for part in parts for remark in part.remarks)
        provenance = Provenance.of_all((part.provenance for part in parts), len(remarks))
        return cls(tuple(game for part in parts for game in part.games), remarks, provenance)


def what_decides(first: Explanation, second: Explanation) -> tuple[PrintedEntry, ...]:
    """Return what the first explains and the second does not: awards before ranks, the furthest apart first."""

    def apart(entry: PrintedEntry) -> float:
        return abs(float(entry.printed or 0) - float(entry.computed or 0)) if entry.what == "award" else -1

    left = {entry.about for entry in first.against}
    decides = {entry for entry in second.against if entry.about not in left}
    return tuple(sorted(decides, key=lambda entry: (not entry.printed, -apart(entry), entry)))
