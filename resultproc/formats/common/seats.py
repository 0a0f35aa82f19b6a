"""Who sits where, as people write it: ``3 NS``, ``A12``, a section written once for all below, two names in a cell."""

from __future__ import annotations

import re

import pandas as pd

from resultproc.model.errors import InputError, Problem, alike
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.values import direction_of, tidy

SEATS = ("section", "direction")
"""The columns that headings, and names of sheets, may tell of all rows."""

_BETWEEN_NAMES = re.compile(r"\s*[/&+]\s*|\s+(?:[-\u2013\u2014]|and)\s+")

_NUMBER = r"[0-9]{1,3}"
_SIDES = {
    **dict.fromkeys(("NS", "N-S", "N/S", "N"), NORTH_SOUTH),
    **dict.fromkeys(("EW", "E-W", "E/W", "E"), EAST_WEST),
}
_SIDE = "|".join(_SIDES)
_SEAT = re.compile(rf"^(?:([A-Z]{{1,2}})[\s-]?)?({_NUMBER})(?:[\s-]?({_SIDE}))?$", re.IGNORECASE)
_SIDE_FIRST = re.compile(rf"^({_SIDE})[\s-]?({_NUMBER})$", re.IGNORECASE)


def seats_of(title: str) -> dict[str, str]:
    """Return the section, and the direction if any, that the name of a sheet tells; A where it tells none."""
    return {"section": "A"} | _told(title)


def _told(title: str) -> dict[str, str]:
    if len(title) > 1 and (direction := direction_of(title)):
        return {"direction": direction}
    found = re.fullmatch(r"(?:section\s+)?([A-Z]{1,2})(?:\s+(\S.*))?", tidy(title), re.IGNORECASE)
    direction = direction_of(found[2]) if found and found[2] else None
    if found is None or (found[2] and not direction):
        return {}
    return {"section": found[1].upper()} | ({"direction": direction} if direction else {})


def tells_seats(title: str) -> bool:
    """Say whether the name of a sheet tells a section or direction."""
    return bool(_told(title))


def seats_in(heading: str) -> dict[str, str]:
    """Return the section and the direction that a row above contestants tells, such as ``Section B, East-West pairs``.

    Nothing where it says anything else. A single letter tells nothing.
    """
    text = re.sub(r"[,:;()]+", " ", re.sub(r"\s*[-\u2013\u2014/&]\s*", "-", heading))
    text = tidy(re.sub(r"\b(direction|line|field|pairs?|results?|ranking|winners|scores?)\b", " ", text, flags=re.I))
    if len(text) < 2:
        return {}
    found = re.fullmatch(r"(?:section ([A-Z]{1,2})|([A-Z])(?= \S))? ?(.*)", text, re.IGNORECASE)
    if found is None:
        return {}
    section, side = found[1] or found[2], found[3]
    direction = direction_of(side) if len(side) > 1 else None
    if side and not direction:
        return {}
    return ({"section": section.upper()} if section else {}) | ({"direction": direction} if direction else {})


def names_of(text: str) -> list[str]:
    """Return the names that a cell holds: ``Smith - Jones``, ``Smith / Jones``, ``Smith & Jones``."""
    return [part.strip() for part in _BETWEEN_NAMES.split(text) if part.strip()]


def split_names(frame: pd.DataFrame, together: bool) -> pd.DataFrame:
    """Return the contestants with the names of one column in a column each.

    together: whether the header says that one cell has all names; else they are split where each row has several.
    """
    if "player2" in frame or "player1" not in frame:
        return frame
    several = frame["player1"].str.contains(_BETWEEN_NAMES)
    if not (several.any() if together else several.all() and len(frame) > 1 and _are_two(frame["player1"]).all()):
        return frame
    names = frame["player1"].map(names_of)
    width = int(names.str.len().max())
    if width > _MOST_PLAYERS:
        where = str(frame["where"][names.str.len() == width].iloc[0])
        raise InputError(f"this row names {width} players", where, "write a row for each contestant")
    return frame.assign(**{f"player{n}": names.str.get(n - 1) for n in range(1, width + 1)})


def _are_two(names: pd.Series[str]) -> pd.Series[bool]:
    """Return which cells hold two names, and not one that happens to have a sign in it."""
    return names.map(lambda text: len(parts := names_of(text)) == 2 and all(map(_LIKE_A_NAME.search, parts)))


_LIKE_A_NAME = re.compile(r"[^\W\d_]{2}")

_MOST_PLAYERS = 99


def split_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants with the section and direction that all their numbers have in columns of their own.

    Raises InputError where a direction is another than the one that the row has.
    """
    if frame["number"].str.isdecimal().any() or frame.columns.str.startswith("round").any():
        return frame  # matches name other teams by their numbers
    parts = frame["number"].str.extract(_SIDE_FIRST).set_axis(["direction", "number"], axis=1).assign(section=None)
    sides = set(parts["direction"].dropna().str.upper().map(_SIDES))
    if parts["number"].isna().any() or len(sides) < 2:
        parts = frame["number"].str.extract(_SEAT).set_axis(["section", "number", "direction"], axis=1)
    if parts["number"].isna().any():
        return frame
    if parts["direction"].notna().all():
        frame = _with_directions(frame, parts["direction"].str.upper().map(_SIDES).astype("str"), parts["number"])
    elif parts["direction"].notna().any():
        return frame
    if parts["section"].notna().all() and "section" not in frame:
        frame = frame.assign(section=parts["section"].str.upper(), number=_plain(parts["number"]))
    return frame


def _plain(numbers: pd.Series[str]) -> pd.Series[str]:
    return numbers.astype("int64").astype("str")


def _with_directions(frame: pd.DataFrame, directions: pd.Series[str], numbers: pd.Series[str]) -> pd.DataFrame:
    if "direction" in frame:
        other = frame[(frame["direction"] != directions) & frame["direction"].notna()]
        if len(other):
            what = "the number of this row names another direction than the row has"
            raise InputError(Problem(what, where, "correct one of them") for where in other["where"])
    return frame.assign(direction=directions, number=_plain(numbers))


def filled_seats(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants with the section, and the direction, that is written once for all rows below it.

    A direction holds on to the next one of its section where each is written once; elsewhere an empty one stays empty.
    Raises InputError for a row without a section, where others have one.
    """
    games = frame["game_id"].fillna("") if "game_id" in frame else pd.Series("", frame.index)
    if "section" in frame:
        frame = frame.assign(section=frame["section"].groupby(games).ffill())
        lacking = frame["where"][frame["section"].isna()]
        if len(lacking):
            what = "this row has no section, but others do"
            raise InputError(alike([Problem(what, where, "name the section") for where in lacking], {what}))
    if "direction" not in frame or not frame["direction"].isna().any() or frame["direction"].isna().all():
        return frame
    sections = frame["section"] if "section" in frame else pd.Series("", frame.index)
    group = [games, sections]
    written = frame["direction"].notna()
    names = [name for name in ("game_id", "section", "direction") if name in frame]
    once = ~(frame.duplicated(names, keep=False) & written).groupby(group).transform("any")
    filled = frame["direction"].groupby(group).ffill()
    return frame.assign(direction=frame["direction"].mask(once, filled))
