"""Section awards of club games as one would write them first: game by game, group by group, with pandas.

It is what ``scripts/bench`` measures the package against, and the tests hold the package to: it shares nothing with
it but the rulebook's figures and the reading of what is declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from math import ceil, floor, inf
from typing import Any, cast

import pandas as pd

from resultproc.model.game import parse_strata, parse_tables
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook

EDITION = rulebook("acbl-club").at(date(2010, 1, 1))


def awards(games: pd.DataFrame, contestants: pd.DataFrame) -> pd.Series[int]:
    """Return what each contestant wins, in hundredths, by the contestants' index.

    games, contestants: single-session club games of one section, with strata, tables and scores.
    """
    declared = {game["game_id"]: game for game in games.to_dict("records")}

    def of_game(rows: pd.DataFrame) -> pd.Series[int]:
        return _of_game(EDITION, declared[rows.name], rows)

    paid = contestants.groupby("game_id", sort=False, group_keys=False).apply(of_game)
    return cast("pd.Series[int]", paid).reindex(contestants.index)


def _of_game(edition: Edition, game: Mapping[Any, Any], rows: pd.DataFrame) -> pd.Series[int]:
    strata = parse_strata(game["strata"])
    level = rows["stratum"].map({stratum.letter: i for i, stratum in enumerate(strata)})
    tables = parse_tables(game["tables"])[""]
    best = pd.Series(0, rows.index)
    for i, stratum in enumerate(strata):
        in_stratum = rows[rows["eligible"] & (level >= i)]
        if i and len(in_stratum) < edition.whole("stratum.least-in-game"):
            continue
        limit = min(stratum.limit, game["limit"])
        for direction, group in in_stratum.groupby("direction", dropna=False):
            size = len(group)
            if i == 0:
                listed = rows["direction"].isna() if pd.isna(direction) else rows["direction"] == direction
                size = int(listed.sum()) if pd.isna(direction) else ceil(tables)
            paid = _group(edition, game["rating"], limit, size, group["score"])
            best.loc[group.index] = best.loc[group.index].where(best.loc[group.index] >= paid, paid)
    return best


def _group(edition: Edition, rating: str, limit: float, size: int, scores: pd.Series[float]) -> pd.Series[int]:
    """Return what the contestants of one comparison group win."""
    rate, cap = _rate(edition, rating, limit)
    first = Fraction(_half_up(min(rate * size, cap) * 100), 100)
    depth = min(_half_up(edition.number("section.depth") * size), size)
    percentages = [Fraction(100), *edition.numbers("section.percentages")]
    position = scores.rank(method="min", ascending=False).astype(int)
    tied = scores.groupby(scores).transform("size")

    def award(place: int) -> int:
        share = first * percentages[place - 1] / 100 if place <= len(percentages) else first / place
        return _half_up(share * 100)

    def shared(place: int, count: int) -> int:
        if place > depth:
            return 0
        return _half_up(Fraction(sum(award(each) for each in range(place, place + count)), count))

    return pd.Series([shared(*each) for each in zip(position, tied, strict=True)], scores.index)


def _rate(edition: Edition, rating: str, limit: float) -> tuple[Fraction, Fraction]:
    """Return the rate for each contestant, and the most that a first award can be."""
    if rating == "club-newcomer":
        return _step(edition, "newcomer.rate", limit), edition.number("section.cap.club-newcomer")
    if limit == inf:
        return edition.number(f"section.rate.{rating}"), edition.number(f"section.cap.{rating}")
    return _step(edition, "limited.rate", limit), _step(edition, "limited.section-caps", limit)


def _step(edition: Edition, path: str, limit: float) -> Fraction:
    return next(value for upper, (value,) in edition.limited(path) if limit <= upper)


def _half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))
