"""What a standing is compared over, what an award is for, and what a rulebook asks of ranking."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, factorize_text

MAX_SESSIONS = 12


class Kind(StrEnum):
    """Kinds of comparison, and of awards that add up several others."""

    SECTION = "section"
    SESSION = "session"
    OVERALL = "overall"
    MATCHES = "matches"
    SUM_OF_SESSIONS = "sessions"
    SECTION_AND_HANDICAP = "section + handicap overall"


class Basis(NamedTuple):
    """A basis of comparison: its section and direction, or the whole field; by raw score or with handicap.

    An event of several sessions is compared by section and direction in each ``session``, and overall by the total. A
    knockout is compared in each bracket, overall by how far a team came, and by the matches that it won.
    As text it is ``section``, ``session 2``, ``handicap overall``, ...

    kind: what it compares, or which awards it adds up.
    session: the number of the session, 0 where it is not of one among several.
    handicap: whether handicaps are added to the scores.
    """

    kind: Kind
    session: int = 0
    handicap: bool = False

    def __str__(self) -> str:
        number = f" {self.session}" if self.session else ""
        return f"{'handicap ' if self.handicap else ''}{self.kind}{number}"

    @property
    def over_all(self) -> bool:
        """Whether all sections are compared together."""
        return self.kind is Kind.OVERALL

    @property
    def in_section(self) -> bool:
        """Whether a section and direction is compared, in a game of one session or in one of several."""
        return self.kind in {Kind.SECTION, Kind.SESSION}

    @property
    def code(self) -> str:
        """How sheets print it beside an award: S (section, or the sum of sessions), O, M (matches won), HO, S+HO."""
        return ("H" if self.handicap else "") + _CODES[self.kind]

    @staticmethod
    @cache
    def parse(text: str) -> Basis:
        """Return the basis of its text; ValueError for any other text."""
        handicap, rest = text.startswith("handicap "), text.removeprefix("handicap ")
        kind, _, number = rest.partition(" ")
        if kind == Kind.SESSION and (number.isdigit() or not number):
            return Basis(Kind.SESSION, int(number or 0), handicap)
        return Basis(Kind(rest), 0, handicap)


_CODES = {
    Kind.SECTION: "S",
    Kind.SESSION: "S",
    Kind.SUM_OF_SESSIONS: "S",
    Kind.OVERALL: "O",
    Kind.MATCHES: "M",
    Kind.SECTION_AND_HANDICAP: "S+HO",
}

SECTION, OVERALL, MATCHES = Basis(Kind.SECTION), Basis(Kind.OVERALL), Basis(Kind.MATCHES)

BASES = (
    SECTION,
    OVERALL,
    Basis(Kind.SECTION, handicap=True),
    Basis(Kind.OVERALL, handicap=True),
    *(Basis(Kind.SESSION, number) for number in range(1, MAX_SESSIONS + 1)),
    MATCHES,
)
"""What standings are compared over; an award may also be for one of the kinds that add up others."""


def basis_mask(basis: pd.Series[str], test: Callable[[Basis], bool]) -> Bools:
    """Return the rows whose basis passes a test, as a mask; each distinct basis is tested once.

    basis: the column of that name of standings or candidates, texts or categories.
    """
    number, distinct = factorize_text(basis)
    passes = np.array([test(Basis.parse(str(text))) for text in distinct], dtype=np.bool_)
    return passes[number] if len(distinct) else np.zeros(len(basis), dtype=np.bool_)


NEVER = 2**62
"""A minimum that no field reaches."""


class Terms(NamedTuple):
    """What is compared, and which strata are large enough to be ranked.

    A lower stratum is ranked where it has the minimum of contestants in its game or in its group, and in any case the
    least number that is compared at all.

    overall: whether there is an overall comparison: ``none``, ``several sections`` or ``always``.
    overall_field: what it compares: ``direction`` (N-S over all sections, E-W over all) or ``combined``.
    section_minimum_in_game: the contestants in the game that let a stratum be ranked in its sections.
    section_minimum_in_group: the contestants in the group that do.
    overall_minimum_in_game: the contestants in the game that let a stratum be ranked overall.
    overall_minimum_in_group: the contestants in the group that do.
    least_compared: the least number of contestants that are compared.
    overall_with_section: whether a stratum is ranked overall, too, where a section ranks it.
    matches: whether Swiss teams are compared by the matches that they won.
    half_tables: where a half table counts as a whole one overall: in ``each section``, or in the ``event``, when
        those of all sections are added up.
    wins_of_match: for knockouts, how many wins make a whole match in a round in which three or four teams met.
    forfeits: for knockouts, whose place a team gets that forfeits: its ``own``, or that of the team ``beaten before``.
    clear_playoffs: for knockouts, the words under ``special`` of events in which a play-off between two teams that
        share a place makes it two.
    """

    overall: str
    overall_field: str
    section_minimum_in_game: int = NEVER
    section_minimum_in_group: int = NEVER
    overall_minimum_in_game: int = NEVER
    overall_minimum_in_group: int = NEVER
    least_compared: int = 1
    overall_with_section: bool = False
    matches: bool = False
    half_tables: str = "each section"
    wins_of_match: int = 1
    forfeits: str = "own"
    clear_playoffs: tuple[str, ...] = ()
