"""Why a contestant won what it won: every standing it has, its group's ladder, and what that pays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.basis import Basis, Kind
from resultproc.model.frames import Result
from resultproc.model.game import parse_strata
from resultproc.model.provenance import Values
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.ladders import Ladder
from resultproc.rulebooks.members import Members
from resultproc.stages.award import ladders_of


@dataclass(frozen=True)
class Candidate:
    """A standing and what it pays in hundredths, 0 for nothing; or an award that consists of several others.

    size: the contestants of the comparison group.
    values, factors: as in the candidates frame.
    ladder: the group's, as far as it pays or the contestant's tie needs it; None for an award that consists of several
        others.
    """

    basis: str
    stratum: str
    size: int
    position: int
    tied: int
    masterpoints: int
    values: Values
    factors: str
    ladder: Ladder | None

    @property
    def rule(self) -> str:
        """The citation of the values."""
        return self.values.rule

    @property
    def shared(self) -> tuple[int, ...]:
        """What the places pay that a tie takes up, in hundredths; nothing where there is no tie or no award."""
        if self.ladder is None or self.tied == 1 or not self.masterpoints:
            return ()
        return self.ladder.awards[self.position - 1 : self.position - 1 + self.tied]


@dataclass(frozen=True)
class Explanation:
    """The award of one contestant explained.

    game, contestant: their rows in the result's frames.
    paying: what it could have had, the award that it gets first.
    unpaid: its standings that pay nothing.
    why: why the first is the award, or why there is none.
    """

    game: int
    contestant: int
    paying: tuple[Candidate, ...]
    unpaid: tuple[Candidate, ...]
    why: str


def explain(result: Result, contestant: int) -> Explanation:
    """Return the explanation of the award of one contestant, a row of an awarded result's contestants frame."""
    game = int(np.flatnonzero(result.games["game_id"] == result.contestants["game_id"].iloc[contestant])[0])
    standings = result.standings[result.standings["contestant"] == contestant]
    candidates = result.candidates[result.candidates["contestant"] == contestant]
    ladders = _ladders(result, game, standings)
    paid = {(row["basis"], row["stratum"]) for row in candidates.to_dict("records")}
    paying = tuple(
        _candidate(row, ladders.get((row["basis"], row["stratum"]))) for row in candidates.to_dict("records")
    )
    unpaid = tuple(
        _candidate(row, ladders[row["basis"], row["stratum"]])
        for row in standings.sort_values(["basis", "level"]).to_dict("records")
        if (row["basis"], row["stratum"]) not in paid
    )
    unpaid += tuple(_unranked(result, game, contestant, standings))
    eligible = bool(result.contestants["eligible"].iloc[contestant])
    return Explanation(game, contestant, paying, unpaid, _why(paying, unpaid, eligible))


_RANKED_BY = {
    True: ("stratum.least-in-game", "stratum.overall"),
    False: ("stratum.least-in-game", "stratum.least-in-group", "stratum.least-compared"),
}
"""The values by which lower strata are ranked, overall or not."""


_FIELD = "overall.field"
"""The value by which sections are compared overall."""


def _unranked(result: Result, game: int, contestant: int, standings: pd.DataFrame) -> Iterator[Candidate]:
    """Yield where the contestant is not ranked, with the values that say so: in too small strata, or overall."""
    _, (edition,) = editions(result.games.iloc[[game]])
    letters = [stratum.letter for stratum in parse_strata(result.games["strata"].iloc[game])]
    own = result.contestants["stratum"].iloc[contestant]
    there = set(zip(standings["basis"], standings["stratum"], strict=True))
    sections = str(result.games["tables"].iloc[game]).count("=")
    if sections > 1 and not any(Basis.parse(str(text)).over_all for text, _ in there) and _FIELD in edition.entries:
        why = "not compared: no other section is compared with this one"
        yield Candidate("overall", letters[0], 0, 0, 1, 0, values=edition.values(_FIELD), factors=why, ladder=None)
    for text in dict.fromkeys(standings.loc[standings["knockout"].isna(), "basis"]):
        basis = Basis.parse(str(text))
        paths = [path for path in _RANKED_BY[basis.over_all] if path in edition.entries]
        if basis.kind is Kind.MATCHES or not paths:
            continue
        for letter in letters[1 : letters.index(own) + 1 if own in letters else 0]:
            if (text, letter) not in there:
                values, why = edition.values(*paths), "not ranked: too few of the stratum are there"
                yield Candidate(str(basis), letter, 0, 0, 1, 0, values=values, factors=why, ladder=None)


def _ladders(result: Result, game: int, standings: pd.DataFrame) -> dict[tuple[str, str], Ladder]:
    """Return the ladder of each basis and stratum that the contestant is ranked in."""
    if not len(standings):
        return {}
    _, (edition,) = editions(result.games.iloc[[game]])
    last = (standings["position"] + standings["tied"] - 1).to_numpy(dtype=np.int64)
    members = Members(result.standings, result.contestants)
    number, ladders = ladders_of(edition, result.games, standings, last, members)
    keys = zip(standings["basis"], standings["stratum"], strict=True)
    return {key: ladders[which] for key, which in zip(keys, number, strict=True)}


def _candidate(row: Mapping[Any, Any], ladder: Ladder | None) -> Candidate:
    """Return a candidate of a row of the candidates frame, or of the standings frame: one that pays nothing."""
    numbers = {name: int(row.get(name, 0)) for name in ("size", "position", "tied", "masterpoints")}
    values = row["values"] if "values" in row else ladder.values if ladder else Values()
    factors = str(row["factors"]) if "factors" in row else ladder.factors if ladder else ""
    return Candidate(str(row["basis"]), str(row["stratum"]), **numbers, values=values, factors=factors, ladder=ladder)


def _why(paying: Sequence[Candidate], unpaid: Sequence[Candidate], eligible: bool) -> str:
    if not eligible:
        return "it is not eligible: listed, but not ranked and without awards"
    if not paying:
        return "none of its places pays" if unpaid else "it is not ranked"
    if len(paying) == 1:
        return "its only award"
    equal = [f"{each.basis} {each.stratum}" for each in paying[1:] if each.masterpoints == paying[0].masterpoints]
    if equal:
        which = "of equal awards, the one of the higher stratum counts, then the one of the section"
        return f"as much as {' and '.join(equal)}; {which}"
    return f"the highest of {len(paying)} awards"
