"""What charts say, found without the program's chart: games are made up for all rows together, and awarded."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import games as typed
import pandas as pd

from resultproc.model.basis import Basis
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.game import BY_MATCHES, EAST_WEST, NORTH_SOUTH, PER_TABLE
from resultproc.rulebooks.choice import choose
from resultproc.stages.award import award
from resultproc.stages.pipeline import complete, rank

TWO_WAY = ("pairs", "team-of-two")


class Charted(NamedTuple):
    """What a row of a chart comes to: the rulebook, and the awards of each basis, the first place first."""

    rulebook: str
    awards: dict[str, list[str]]


def charted(kinds: Sequence[pd.DataFrame], tables: Sequence[float]) -> list[Charted]:
    """Return what kinds of games pay, each at its number of tables.

    kinds: one row of the games frame each. Awards overall are those of two sections where one section has none. Raises
    InputError if any is refused.
    """
    every = pd.concat(kinds, ignore_index=True)
    rated = every["rating"].notna()
    # Where no boards are declared, a chart is for the usual number of them.
    every.loc[rated, "rulebook"] = choose(every[rated].assign(boards=1).reset_index(drop=True))["rulebook"].to_numpy()
    several = [number for number, count in enumerate(tables) if count >= 2]
    numbers = [*range(len(every)), *several]
    sections = [1] * len(every) + [2] * len(several)
    books, paid = _awarded(every.iloc[numbers], [tables[number] for number in numbers], sections)
    found = [Charted(book, awards) for book, awards in zip(books[: len(every)], paid[: len(every)], strict=True)]
    for number, divided in zip(several, paid[len(every) :], strict=True):
        if not any(map(_over_all, found[number].awards)):
            found[number].awards.update({basis: each for basis, each in divided.items() if _over_all(basis)})
    return found


def _over_all(basis: str) -> bool:
    return Basis.parse(basis).over_all


def _awarded(
    kinds: pd.DataFrame, tables: Sequence[float], sections: Sequence[int]
) -> tuple[list[str], list[dict[str, list[str]]]]:
    """Return the rulebook of each game made up, and the awards of its bases: of the largest comparison group each."""
    divided = [
        [count] if parts == 1 else [ceil(count / 2), count - ceil(count / 2)]
        for count, parts in zip(tables, sections, strict=True)
    ]
    event, movement = kinds["event_type"].fillna("pairs"), kinds["movement"]
    two_way = (movement == "mitchell") | (movement.isna() & event.isin(TWO_WAY))
    kinds = kinds.assign(
        game_id=[str(number) for number in range(len(kinds))],
        tables=[", ".join(f"{name}={part:g}" for name, part in zip("AB", parts, strict=False)) for parts in divided],
        event_type=event,
        movement=two_way.map({True: "mitchell", False: "howell"}),
        sessions=kinds["sessions"].fillna(1),
    )
    contestants = map(_contestants, kinds.to_dict("records"), divided)
    games = GAMES.conform(kinds.reset_index(drop=True))
    sheet = complete(games, CONTESTANTS.conform(pd.concat(contestants, ignore_index=True)))
    candidates, _ = award(*sheet, rank(*sheet))
    paid = candidates.groupby(["game", "basis", "position"], observed=True)["masterpoints"].max()
    awards: list[dict[str, list[str]]] = [{} for _ in divided]
    for (game, basis, _), each in paid.items():
        awards[game].setdefault(basis, []).append(typed.mp(each))
    for each in awards:  # all sessions pay the same
        if "session 1" in each:
            each["session"] = each["session 1"]
    return list(sheet.games["rulebook"]), awards


def _contestants(kind: Mapping[str, Any], parts: Sequence[float]) -> pd.DataFrame:
    """Return the contestants of a game, no two with the same score, the first of each side the best."""
    event, sessions = kind["event_type"], int(kind["sessions"])
    seats = [
        (section, direction, str(number))
        for section, part in zip("AB", parts, strict=False)
        for direction, count in (
            [(NORTH_SOUTH, ceil(part)), (EAST_WEST, int(part))]
            if kind["movement"] == "mitchell"
            else [(None, int(part * PER_TABLE[event]))]
        )
        for number in range(1, count + 1)
    ]
    frame = pd.DataFrame(seats, columns=["section", "direction", "number"])
    falling = 100 - pd.Series(range(len(frame))) / 100
    by_sessions = sessions > 1 and event not in BY_MATCHES
    scores = [f"session{number}" for number in range(1, sessions + 1)] if by_sessions else ["score"]
    return frame.assign(game_id=kind["game_id"], eligible=True, percentage=falling, **dict.fromkeys(scores, falling))
