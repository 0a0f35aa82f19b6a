"""Each player of a game followed from one version to the other, through whatever pair or team."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.frames import Result
from resultproc.model.identity import Identities, almost_the_same
from resultproc.model.values import cell_text
from resultproc.reports.amend.changes import Version, names_of, people_of
from resultproc.reports.people import awards, people

_OLD, _NEW = 0, 1


@dataclass(frozen=True)
class Seat:
    """Where a player sat: the contestant and its players; both empty where the player was not there."""

    contestant: str = ""
    players: str = ""


@dataclass(frozen=True)
class Move:
    """A player whose masterpoints change, in hundredths, and where the player sat and sits. number: of the member."""

    player: str
    number: str
    old: int
    new: int
    was: Seat
    now: Seat


def followed(old: tuple[Version, Result], new: tuple[Version, Result], printed: Mapping[str, int]) -> tuple[Move, ...]:
    """Return the players whose masterpoints change, but for those who change with a contestant that stays what it was.

    printed: the awards that the old file prints, by seat; empty where it prints none. Those who lose most come first.
    A player who sits twice has the better award.
    """
    seats, who = _seats(old, new, printed)
    best = seats.sort_values("award", ascending=False, kind="stable").drop_duplicates(["player", "game"])
    best = best.sort_index()
    versions = (old[0], new[0])
    found = []
    for player, rows in best.groupby("player", sort=False):
        there = {int(row["game"]): row for row in rows.to_dict("records")}
        one, other = (int(there[game]["award"]) if game in there else 0 for game in (_OLD, _NEW))
        if one != other and not _told(there, versions):
            was, now = (_seat(there.get(game), versions[game]) for game in (_OLD, _NEW))
            name, number = (cell_text(each[player] or "") for each in (who.names, who.numbers.fillna("")))
            found.append(Move(name, number, one, other, was, now))
    return tuple(sorted(found, key=lambda move: move.new - move.old))


def _seats(
    old: tuple[Version, Result], new: tuple[Version, Result], printed: Mapping[str, int]
) -> tuple[pd.DataFrame, Identities]:
    """Return a row per player of each contestant of both versions: ``at`` its seat, and ``award``, what that gives.

    own: whether the award is not that of the contestant, as for players of teams who played less.
    """
    versions = [version.contestants.assign(game_id=name) for (version, _), name in ((old, "old"), (new, "new"))]
    both = pd.concat(versions, ignore_index=True)
    seats, who = people(pd.DataFrame({"game_id": ["old", "new"]}), both)
    labels = np.concatenate([each.index for each in versions])
    seats["at"] = labels[seats["contestant"]]
    seats["contestant"] -= np.where(seats["game"] == _NEW, len(versions[_OLD]), 0)
    for game, (_, result) in enumerate((old, new)):
        mine = seats[seats["game"] == game]
        assert result.awards is not None
        award = awards(result, mine)["masterpoints"]
        seats.loc[mine.index, "award"] = award
        seats.loc[mine.index, "own"] = award != result.awards["masterpoints"].reindex(mine["contestant"]).to_numpy()
    if printed:
        said = (seats["game"] == _OLD) & seats["own"].eq(other=False)
        seats["award"] = seats["award"].mask(said, seats["at"].map(printed).fillna(0))
    return seats.assign(player=_respelled(seats, who)), who


def _respelled(seats: pd.DataFrame, who: Identities) -> pd.Series[int]:
    """Return the player of each row; one whose name is now spelled a little otherwise, in the same seat, is the same.

    Two with a number each are two, whatever their names.
    """
    once = seats[~seats["player"].isin(seats.groupby("player")["game"].nunique().loc[lambda n: n > 1].index)]
    pairs = once[once["game"] == _OLD].merge(once[once["game"] == _NEW], on="at", suffixes=("", "_new"))
    same = {
        now: was
        for was, now in zip(pairs["player"], pairs["player_new"], strict=True)
        if (pd.isna(who.numbers[was]) or pd.isna(who.numbers[now])) and almost_the_same(who.names[was], who.names[now])
    }
    return seats["player"].replace(same)


def _told(there: Mapping[int, Mapping[Any, Any]], versions: tuple[Version, Version]) -> bool:
    """Return whether what a player gains or loses is what is told of a contestant: of the same seat and players."""
    seats = {str(row["at"]) for row in there.values()}
    if len(there) < 2 or len(seats) > 1 or any(row["own"] for row in there.values()):
        return False
    one, other = (people_of(version.contestants, *seats) for version in versions)
    return one == other


def _seat(row: Mapping[Any, Any] | None, version: Version) -> Seat:
    if row is None:
        return Seat()
    seat = str(row["at"])
    return Seat(seat, cell_text(" - ".join(names_of(version.contestants, seat))))
