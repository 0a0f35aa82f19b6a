"""Credit for the tables of other games that a club runs at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, isinf

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import basis_mask
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.group import Group, tables_up_to
from resultproc.rulebooks.core import Edition

_STRATA, _HALF_TABLE = "concurrent.strata", "concurrent.half-table"
_NEWCOMERS, _GAMES = "concurrent.newcomers", "concurrent.games"


def credited(edition: Edition, path: str = _STRATA) -> tuple[str, ...]:
    """Return the paths of the values that credit comes from. path: as for :func:`concurrent_credit`."""
    return (path, _HALF_TABLE, *((_NEWCOMERS,) if edition.text(path) == "newcomers" else ()))


def check_concurrent(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for tables of concurrent games that are declared and credited to nobody.

    A rulebook that is named and credits nothing is taken at its word; see :func:`uncredited`.
    """
    declared, reading = group.concurrent_tables, edition.text(_STRATA)
    if not declared or reading in {"within the limit", "newcomers"}:
        return
    limited = [each for each in declared if not isinf(each.limit)]
    most = edition.whole(_GAMES) if _GAMES in edition.entries else len(limited)
    if reading == "none" and group.rulebook_named:
        return
    if reading == "none":
        what = f"rulebook {edition.book} gives no game credit for others"
        hint = "leave it out, or choose another rulebook with rulebook"
    elif not isinf(group.event_limit):
        what, hint = "only an open game gets credit for other games", "declare it of the open game"
    elif not limited:
        what, hint = "none of these games is limited", "give the limited ones, such as 300=6, 50=4"
    elif len(limited) > most:
        what, hint = f"there are {len(limited)} limited games", f"a club runs {most} at most beside an open one"
    else:
        return
    raise DeclarationError(f"concurrent_tables is declared, but {what}", hint=hint)


def uncredited(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that declares concurrent ones and names a rulebook that credits none."""
    if edition.text(_STRATA) != "none":
        return
    declared = (games["concurrent_tables"].fillna("none") != "none") & games["rulebook_named"].astype("bool")
    for row in rows[declared.to_numpy()[rows]]:
        what = f"concurrent_tables is declared, but rulebook {edition.book} gives no game credit for others"
        yield int(row), what, "leave it out, or choose another rulebook with rulebook"


def concurrent_credit(edition: Edition, groups: pd.DataFrame, path: str = _STRATA) -> Ints:
    """Return what concurrent games add to the size of each group, in contestants.

    path: of the value that says which strata are credited with which games. A table is one contestant in a direction
    of a Mitchell, and two where all are compared. Raises RulebookError for a reading that is not known.
    """
    reading = edition.text(path)
    if reading == "none":
        return np.zeros(len(groups), dtype=np.int64)
    # Each distinct declaration is taken apart once.
    limit = _limits(edition, groups, reading, path)
    declared = groups["concurrent_tables"].astype("str").fillna("none").where(limit >= 0, "none")
    keys = pd.DataFrame({"declared": declared, "limit": limit, "winners": groups["winners"]})
    number = keys.groupby(list(keys.columns), sort=False).ngroup()
    distinct = keys.drop_duplicates()
    half_table = edition.whole(_HALF_TABLE)
    credits = [
        _credit_of(declared, limit, 1 if winners == 2 else 2, half_table)
        for declared, limit, winners in distinct.itertuples(index=False, name=None)
    ]
    return np.array(credits, dtype=np.int64)[number]


def _limits(edition: Edition, groups: pd.DataFrame, reading: str, path: str) -> pd.Series[float]:
    """Return up to which limit each group is credited with limited games; below 0 with none.

    ``within the limit`` it is the group's own. ``top``, ``all``: only the top or all strata of open games are credited,
    where all of a game is compared, overall or in its only section. ``newcomers``: the top stratum of an open game is
    credited with all games, others with those up to a limit that their own reaches.
    """
    limit = groups["limit"]
    open_top = np.isinf(groups["event_limit"]) & np.isinf(limit) & (groups["level"] == 0)
    if reading == "within the limit":
        return limit
    if reading == "newcomers":
        most = float(edition.number(_NEWCOMERS))
        return pd.Series(most, groups.index).where(limit >= most, -1.0).mask(open_top, np.inf)
    if reading not in {"top", "all"}:
        hint = "write none, within the limit, newcomers, top or all"
        raise RulebookError(f"unknown value '{reading}' of {path}", hint=hint)
    overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
    whole = overall | ~groups["game"].isin(groups.loc[overall, "game"])
    credited = whole & np.isinf(groups["event_limit"])
    return limit.where(credited & (groups["level"] == 0) if reading == "top" else credited, -1.0)


def _credit_of(declared: str, limit: float, per_table: int, half_table: int) -> int:
    """Return the contestants that limited games up to a limit would add to a group."""
    limited = [tables for upper, tables in tables_up_to(declared) if upper <= limit and not isinf(upper)]
    return sum(floor(tables) * per_table + (half_table if tables.denominator > 1 else 0) for tables in limited)
