"""Doubts about players: one who sits twice in a game, a pair of one, two names in the place of one, or none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, factorize_text
from resultproc.model.errors import Problem
from resultproc.model.frames import family_columns
from resultproc.model.game import EventType
from resultproc.model.identity import one_plain_name, one_plain_number
from resultproc.model.values import is_garbled_name
from resultproc.stages.doubts.facts import TWO_NAMES, Facts, first_rows

NOBODY = frozenset(
    {"bye", "phantom", "sit out", "sitout", "ghost", "guest", "visitor", "substitute", "sub", "unknown", "tba", "n n"}
)
"""Names of nobody in particular, which a game may well have twice."""

_PAIRS = (EventType.PAIRS.value, EventType.TEAM_OF_TWO.value)


def listed_twice(facts: Facts) -> Iterator[Problem]:
    """Yield players who sit more than once in a game, by member number, else by name.

    A name that has two numbers is two people. Names of one word are passed over, since families share them.
    """
    if not facts.are_named and not family_columns(facts.contestants, "id"):
        return
    columns = family_columns(facts.contestants)
    nobody = pd.Series(None, facts.contestants.index, dtype="str")
    names = _codes([facts.contestants[column] for column in columns], _telling)
    ids = [facts.contestants.get(column.replace("player", "id"), nobody) for column in columns]
    numbers = _codes(ids, one_plain_number)
    # The games of an archive name nobody: every player there is called the same.
    names = names if names.max(initial=-1) > 0 else np.full(len(names), -1)
    if not any(_repeated(np.tile(facts.game, len(columns)), codes) for codes in (names, numbers)):
        return
    seats = _seats(facts, names, numbers)
    by_number = seats[seats["number"] >= 0]
    by_number = by_number[by_number.duplicated(["game", "number"], keep=False)]
    yield from _told(facts, by_number, "number")
    of_name = seats[(seats["name"] >= 0) & ~seats.index.isin(by_number.index)]
    of_name = of_name[of_name.duplicated(["game", "name"], keep=False)]
    numbered = of_name[of_name["number"] >= 0]
    several = numbered.groupby(["game", "name"])["number"].nunique()
    apart = pd.MultiIndex.from_frame(of_name[["game", "name"]]).isin(several.index[several > 1])
    yield from _told(facts, of_name[~apart], "name")


def _repeated(game: Ints, codes: Ints) -> bool:
    """Return whether a game has one of some numbers twice; -1 is none."""
    known = codes >= 0
    both = game[known] * (codes.max(initial=0) + 1) + codes[known]
    return len(np.unique(both)) < len(both)


def _seats(facts: Facts, names: Ints, numbers: Ints) -> pd.DataFrame:
    """Return a row per player who is named: contestant, game, seat, and the numbers of its name and member number."""
    count = len(facts.contestants)
    several = len(names) // count
    frame = pd.DataFrame(
        {
            "contestant": np.tile(np.arange(count), several),
            "game": np.tile(facts.game, several),
            "seat": np.repeat(np.arange(several), count),
            "name": names,
            "number": numbers,
        }
    )
    frame = frame[(frame["name"] >= 0) | (frame["number"] >= 0)]
    return frame.sort_values(["contestant", "seat"], kind="stable", ignore_index=True)


def _codes(columns: Sequence[pd.Series[str]], plain: Callable[[str], str]) -> Ints:
    """Return the number of each text in its plain spelling, -1 for none; each distinct one is made plain once."""
    if not columns:
        return np.empty(0, dtype=np.int64)
    codes, distinct = pd.factorize(pd.concat([column.astype("str") for column in columns]))
    numbers: dict[str, int] = {"": -1}
    of_each = [numbers.setdefault(plain(text), len(numbers) - 1) for text in distinct.tolist()]
    return np.array([*of_each, -1], dtype=np.int64)[codes]


def _telling(name: str) -> str:
    """Return a name in its plain spelling, empty for one that does not tell anybody from others."""
    plain = one_plain_name(name)
    return plain if _TELLING.search(plain) and plain not in NOBODY else ""


_TELLING = re.compile(r"[ \d]")


def _told(facts: Facts, seats: pd.DataFrame, by: str) -> Iterator[Problem]:
    """Yield a remark for each player of some seats, who all sit more than once."""
    for _, rows in seats.groupby(["game", by], sort=False):
        first, again = int(rows["contestant"].iloc[0]), int(rows["contestant"].iloc[1])
        column = family_columns(facts.contestants)[rows["seat"].iloc[0]]
        name = facts.contestants[column].iat[first]
        who = str(name) if isinstance(name, str) else "a player"
        if by == "number":
            who = f"the member number {facts.contestants[column.replace('player', 'id')].iat[first]}"
        times = "twice" if len(rows) == 2 else f"{len(rows)} times"
        yield facts.of_contestant(
            again,
            f"{who} is in this game {times}, first in {facts.place(first)}",
            "correct the name or member number; if two people share a name, write their member numbers",
        )


def too_few(facts: Facts) -> Iterator[Problem]:
    """Yield pairs of one player or none; once for a game in which all are."""
    named = _named(facts)
    alone = named < 2
    if not alone.any():
        return
    alone &= np.isin(facts.event_type, _PAIRS)[facts.game] & ~facts.look_like_two
    count = len(facts.games)
    whole = np.bincount(facts.game[alone], minlength=count) == np.bincount(facts.game, minlength=count)
    for row in np.flatnonzero(whole & (np.bincount(facts.game, minlength=count) > 0)).tolist():
        what = "no pair of this game has two players"
        yield facts.of_game(row, what, "write both players of each pair, or declare event_type = individual")
    for row in np.flatnonzero(alone & ~whole[facts.game]).tolist():
        players_ = "one player" if named[row] else "no players"
        what = f"the pair {facts.called(row)} has {players_}"
        yield facts.of_contestant(row, what, "write both players, or leave the row out if the pair did not play")


def _named(facts: Facts) -> np.ndarray:
    """Return how many players each contestant names."""
    families = family_columns(facts.contestants), family_columns(facts.contestants, "id")
    numbers = sorted({int(re.sub(r"\D", "", column)) for family in families for column in family})
    named = np.zeros(len(facts.contestants), dtype=np.int64)
    for number in numbers:
        here = [facts.contestants[c] for c in (f"player{number}", f"id{number}") if c in facts.contestants]
        named += np.logical_or.reduce([column.notna().to_numpy() for column in here])
    return named


def joined(facts: Facts) -> Iterator[Problem]:
    """Yield games with players whose names look like two: Smith - Jones."""
    found = facts.look_like_two
    count = np.bincount(facts.game[found], minlength=len(facts.games))
    for row in first_rows(facts.game, found):
        names = [facts.contestants[column].iat[row] for column in family_columns(facts.contestants)]
        name = next(name for name in names if isinstance(name, str) and re.fullmatch(TWO_NAMES, name.strip()))
        others = int(count[facts.game[row]]) - 1
        also = f", as in {others} other row{'' if others == 1 else 's'}" if others else ""
        what = f"'{name}' looks like two players in one column{also}"
        yield facts.of_contestant(row, what, "write each in a column of its own: player1, player2")


def nameless(facts: Facts) -> Iterator[Problem]:
    """Yield contestants with a player whose member number is there, and whose name is not."""
    if not facts.are_named:
        return
    for column in family_columns(facts.contestants):
        number = facts.contestants.get(column.replace("player", "id"))
        if number is None:
            continue
        at = (number.notna() & facts.contestants[column].isna()).to_numpy()
        for row in np.flatnonzero(at).tolist():
            what = f"{facts.called(row)} has a player without a name, whose member number is {number.iat[row]}"
            yield facts.of_contestant(row, what, f"write the name: {column}")


def garbled(facts: Facts) -> Iterator[Problem]:
    """Yield games with names that were read in another code page than they were written in; of each the first."""
    found = np.full(len(facts.game), "", dtype=object)
    for column in family_columns(facts.contestants):
        codes, distinct = factorize_text(facts.contestants[column])
        looks = np.array([name if is_garbled_name(name) else "" for name in map(str, distinct)] + [""], dtype=object)
        found = np.where(found == "", looks[codes], found) if looks.any() else found
    for row in first_rows(facts.game, found != ""):
        what = f"the name '{found[row]}' looks garbled: the file may be in another code page than it is read in"
        yield facts.of_contestant(row, what, "save it as UTF-8, or correct the name")
