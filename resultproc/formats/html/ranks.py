"""Ranks: those of each contestant, and who is compared with whom."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from resultproc.model.basis import OVERALL, SECTION, Basis
from resultproc.model.frames import Result
from resultproc.model.seats import compared
from resultproc.model.values import place_text


class Rank(NamedTuple):
    """A rank: its place with the last one that a tie takes up, its position, whether it pays and made the award."""

    text: str
    position: int
    pays: bool
    won: bool


@dataclass(frozen=True)
class ComparedField:
    """Contestants that are compared with each other: the bases on which they are, raw scores first.

    order: of its list in the page. name: who they are, see :func:`compared`.
    """

    order: int
    name: str
    session: int
    members: tuple[int, ...]
    bases: tuple[str, ...]


Ranks = Mapping[int, Mapping[tuple[str, str], Rank]]
"""By contestant, basis and stratum."""


def page_ranks(result: Result) -> tuple[Ranks, dict[int, list[ComparedField]]]:
    """Return the ranks of each contestant, and by game who is compared with whom."""
    return _computed(result) if result.awards is not None else (_printed(result), {})


def _computed(result: Result) -> tuple[Ranks, dict[int, list[ComparedField]]]:
    """Return the ranks of each contestant, and by game who is compared with whom."""
    standings = result.standings
    columns = [standings[name].tolist() for name in ("game", "contestant", "basis", "stratum", "position", "tied")]
    paying = _keys(result.candidates)
    won = set()
    if result.awards is not None and len(result.candidates):
        best = result.awards["candidate"]
        won = set(_keys(result.candidates.iloc[best[best >= 0]]))
    pays = set(paying)
    ranks: dict[int, dict[tuple[str, str], Rank]] = {}
    members: dict[tuple[int, int, str], dict[int, None]] = {}
    bases: dict[tuple[int, int, str], dict[str, None]] = {}
    order = {basis: _order(Basis.parse(basis)) for basis in standings["basis"].astype("str").unique()}
    for game, at, basis, letter, position, tied, name in zip(*columns, compared(result), strict=True):
        key = (at, basis, letter)
        ranks.setdefault(at, {})[basis, letter] = Rank(place_text(position, tied), position, key in pays, key in won)
        if order[basis] >= 0:
            members.setdefault((game, order[basis], name), {})[at] = None
            bases.setdefault((game, order[basis], name), {})[basis] = None
    found: dict[int, list[ComparedField]] = {}
    # A section has its place among the lists of every session by its contestants of the first.
    first: dict[tuple[int, str], int] = {}
    for (game, _, name), each in sorted(members.items(), key=lambda item: item[0]):
        first.setdefault((game, name), min(each))
    for (game, rank, name), each in sorted(
        members.items(), key=lambda item: (*item[0][:2], first[item[0][0], item[0][2]])
    ):
        raw_first = sorted(bases[game, rank, name], key=lambda basis: Basis.parse(basis).handicap)
        found.setdefault(game, []).append(ComparedField(rank, name, max(rank - 1, 0), tuple(each), tuple(raw_first)))
    return ranks, found


def _keys(candidates: pd.DataFrame) -> list[tuple[int, str, str]]:
    columns = [candidates[name].tolist() for name in ("contestant", "basis", "stratum")]
    return list(zip(*columns, strict=True))


def _order(basis: Basis) -> int:
    """Return where the lists of a basis are: overall, section, session 1, ...; -1 for one that has none."""
    if basis.over_all:
        return 0
    return 1 + basis.session if basis.in_section else -1


def _printed(result: Result) -> Ranks:
    """Return the ranks that a sheet prints; who is compared with whom is not known."""
    ranks: dict[int, dict[tuple[str, str], Rank]] = {}
    texts = {
        str(SECTION): result.contestants["printed_section"],
        str(OVERALL): result.contestants["printed_overall"],
    }
    for basis, column in texts.items():
        for at, text in enumerate(column):
            for letter, place in _places(text).items():
                first = re.match("[0-9]+", place)
                position = int(first[0]) if first else 0
                ranks.setdefault(at, {})[basis, letter] = Rank(place, position, True, False)
    return ranks


def _places(text: object) -> dict[str, str]:
    """Return the rank in each stratum of a text such as ``A=1/2, B=1``; of any other text, the text under ''."""
    if not isinstance(text, str):
        return {}
    parts = [re.fullmatch("([A-Z])=(.+)", part) for part in text.split(", ")]
    return {part[1]: part[2] for part in parts if part} if all(parts) else {"": text}
