"""Whose points an award is of, and their colours: ``black=0.22, red=0.22``, as the printed columns have them.

Points of several leagues are never added up, and each league prints its own unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from resultproc.model.arrays import map_text
from resultproc.model.game import league, league_of_rating, leagues
from resultproc.model.numbers import decimal_text
from resultproc.model.text import text_there


def usual_league() -> str:
    """Return the name of the league whose points nothing needs to name."""
    return next(iter(leagues()))


def league_named(name: object, rating: object) -> str:
    """Return the league that a game names, else that of its rating, else the usual one."""
    return text_there(name) or league_of_rating(text_there(rating)) or usual_league()


def leagues_of(games: pd.DataFrame) -> pd.Series[str]:
    """Return the league whose points each game pays or prints: the one it names, that of its rating, or the usual one.

    Games that were awarded name theirs where it is another than the usual one.
    """
    of_rating = map_text(games["rating"], lambda rating: league_named(None, rating), usual_league())
    named = games["league"].astype("object")
    return named.where(named.notna(), of_rating).astype("str")


def names_leagues(of: pd.Series[str]) -> bool:
    """Return whether rows of points say of which league each is: they do unless all are of the usual one."""
    return bool((of != usual_league()).any())


def league_title(name: str) -> str:
    """Return what people call a league."""
    return leagues()[name].title


def colours_to_show(rows: pd.DataFrame) -> list[str]:
    """Return the colours that rows of points have columns for: where a league's are all of its first one, none of its.

    rows: ``league``, and hundredths by colour.
    """
    shown: set[str] = set()
    for name, of in rows.groupby("league"):
        won = {colour for colour in leagues()[str(name)].points_colours if of[colour].any()}
        shown |= won if won != {*leagues()[str(name)].points_colours[:1]} else set()
    return [colour for colour in league().points_colours if colour in shown]


def in_order_of_leagues(of: pd.Series[str]) -> pd.Series[Any]:
    """Return leagues as categories that sort in their order, the usual one first."""
    return of.astype(pd.CategoricalDtype(list(leagues()), ordered=True))


def in_points(hundredths: int, of: str = "") -> str:
    """Return hundredths of a league's point as it prints them: 63 is ``0.63``, of a league of whole points 2400 ``24``.

    of: the league, '' for the usual one.
    """
    return whole_or_not(decimal_text(int(hundredths)), of)


def whole_or_not(amount: str, of: str) -> str:
    """Return a decimal amount of points as a league prints it: ``24.00`` is ``24`` where its points are whole."""
    return amount.removesuffix(".00") if of and leagues()[of].whole else amount


def each_league(hundredths: Mapping[str, int], thousands: str = ",") -> str:
    """Return the sums of leagues beside each other: ``1,234.00``, or with names ``1,234.00 ACBL, 24 EBU``.

    hundredths: by league; names are left out where there is no other than the usual one.
    thousands: what stands between them.
    """
    parts = []
    for name in sorted(hundredths, key=list(leagues()).index):
        amount = f"{hundredths[name] / 100:{thousands}.{0 if leagues()[name].whole else 2}f}"
        parts.append(amount if set(hundredths) == {usual_league()} else f"{amount} {league_title(name)}")
    return ", ".join(parts)


def colours_text(hundredths: Mapping[str, int]) -> str:
    """Return an award by colour as the printed column has it: ``black=0.22, red=0.22``, in the usual order."""
    return ", ".join(_part(colour, hundredths[colour]) for colour in league().points_colours if colour in hundredths)


def _part(colour: str, hundredths: int) -> str:
    """Return the points of a colour; those that only leagues of whole points have are whole numbers."""
    text = _decimals(colour, hundredths)
    whole = all(each.whole for each in leagues().values() if colour in each.points_colours)
    return text.removesuffix(".00") if whole else text


def colours_in(text: str) -> dict[str, int]:
    """Return the hundredths of each colour that a printed column has; none where the text says anything else."""
    found = {colour: 100 * int(whole) + int(part or 0) for colour, whole, part in _OF_COLOUR.findall(text)}
    said = {", ".join(of(colour, part) for colour, part in found.items()) for of in (_part, _decimals)}
    return found if text in said else {}


def _decimals(colour: str, hundredths: int) -> str:
    return f"{colour}={decimal_text(hundredths)}"


_OF_COLOUR = re.compile(r"([a-z]+)=([0-9]+)(?:\.([0-9]{2}))?")
