"""What each of several rulebooks pays for the same games: their ladders side by side, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from resultproc.model.basis import BASES
from resultproc.model.errors import InputError
from resultproc.model.frames import Result, Sheet
from resultproc.model.provenance import Provenance
from resultproc.model.seats import compared
from resultproc.stages.pipeline import award_sheet


@dataclass(frozen=True)
class ComparedPlace:
    """What a place pays each contestant at it under each rulebook, in hundredths; None where nobody is ranked there.

    first, last: the same but for a tie.
    """

    first: int
    last: int
    awards: tuple[int | None, ...]

    @property
    def name(self) -> str:
        """The place as sheets print it: ``2``, or of a tie ``2/3``."""
        return str(self.first) if self.first == self.last else f"{self.first}/{self.last}"


@dataclass(frozen=True)
class ComparedTable:
    """The places of one stratum on one basis of comparison that any rulebook pays.

    field: who is compared, where that is not everyone: ``section A N-S``, ``N-S``, ``bracket 1``.
    contestants: how many they are.
    totals: what they are paid together under each rulebook; None where they are not ranked.
    """

    basis: str
    field: str
    stratum: str
    contestants: int
    places: tuple[ComparedPlace, ...]
    totals: tuple[int | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the rulebooks pay different awards."""
        return any(len(set(place.awards)) > 1 for place in self.places)


@dataclass(frozen=True)
class ComparedGame:
    """One game under several rulebooks.

    game: its row of the games frame, as the first rulebook has it.
    tables: overall ones first.
    paid: what its contestants get under each rulebook in all, each the highest of its awards.
    provenance: of the whole sheet.
    """

    game: pd.Series[Any]
    rulebooks: tuple[str, ...]
    tables: tuple[ComparedTable, ...]
    paid: tuple[int, ...]
    provenance: Provenance


def compare(sheet: Sheet, rulebooks: Sequence[str]) -> list[ComparedGame]:
    """Return each game of a sheet as several rulebooks, named by id or path, award it.

    Contestants that tie share what their places pay. Raises InputError for a game that one of the rulebooks cannot
    award, the rulebook named.
    """
    results = [_awarded(sheet, name) for name in rulebooks]
    rows = pd.concat([_rows(result).assign(rulebook=number) for number, result in enumerate(results)])
    paid = [_paid(result) for result in results]
    provenance = Provenance.of_all((result.provenance for result in results), 0)
    return [
        ComparedGame(
            results[0].games.iloc[number],
            tuple(rulebooks),
            _tables(rows[rows["game"] == number], len(rulebooks)),
            tuple(int(each[number]) for each in paid),
            provenance,
        )
        for number in range(len(sheet.games))
    ]


def _awarded(sheet: Sheet, name: str) -> Result:
    games = sheet.games.assign(rulebook=pd.Series(name, sheet.games.index, dtype="str"))
    try:
        return award_sheet(replace(sheet, games=games))
    except InputError as error:
        raise type(error)(replace(problem, what=f"{name}: {problem.what}") for problem in error.problems) from None


def _paid(result: Result) -> pd.Series[int]:
    assert result.awards is not None
    paid = result.awards.groupby("game")["masterpoints"].sum()
    return paid.reindex(range(len(result.games)), fill_value=0)


def _rows(result: Result) -> pd.DataFrame:
    """Return a row for each standing: the table and the place that it is in, and what it pays."""
    key = ["contestant", "basis", "stratum"]
    standings = result.standings.astype({"basis": "str", "stratum": "str"})
    won = result.candidates.astype({"basis": "str", "stratum": "str"})[[*key, "masterpoints"]]
    rows = standings.merge(won, "left", key)
    return rows.assign(
        field=compared(result),
        order=rows["basis"].map(_ORDER),
        first=rows["position"],
        last=rows["position"] + rows["tied"] - 1,
        award=rows["masterpoints"].fillna(0).astype("int64"),
    )


_ORDER = {str(basis): number for number, basis in enumerate(sorted(BASES, key=lambda basis: not basis.over_all))}
"""The order of tables: overall awards before others."""


def _tables(rows: pd.DataFrame, count: int) -> tuple[ComparedTable, ...]:
    """Return the tables of one game, in which something is paid under any of some rulebooks."""
    key = ["order", "basis", "level", "stratum", "field"]
    rows = rows.assign(seat=rows.groupby(key)["contestant"].transform("min")).sort_values(["order", "level", "seat"])
    tables = []
    for (_, basis, _, stratum, field), table in rows.groupby(key, sort=False):
        ranked = [table[table["rulebook"] == number] for number in range(count)]
        spans = sorted(set(zip(table["first"], table["last"], strict=True)))
        places = (
            ComparedPlace(first, last, tuple(_award(each, first, last) for each in ranked)) for first, last in spans
        )
        paid = tuple(place for place in places if any(place.awards))
        if paid:
            totals = tuple(int(each["award"].sum()) if len(each) else None for each in ranked)
            tables.append(ComparedTable(str(basis), str(field), str(stratum), int(table["ranked"].max()), paid, totals))
    return tuple(tables)


def _award(ranked: pd.DataFrame, first: int, last: int) -> int | None:
    there = ranked.loc[(ranked["first"] == first) & (ranked["last"] == last), "award"]
    return int(there.iloc[0]) if len(there) else None
