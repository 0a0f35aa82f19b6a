"""A club's settings: what holds for all its games, for those of a weekday, and for those of an event by its name.

They are in ``resultproc.toml`` beside the games, or in another file that is named: game keys at the top, others below
``[weekday.monday]`` and ``[event."Friday Pairs"]``. Whatever is said closer to a game wins: they fill in what its file,
its sidecar and the options leave open, the event's before the weekday's, and these before the general ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.formats.common.declared import declarations, lay_over, parsed
from resultproc.formats.registry import Declaration
from resultproc.formats.source import Declared
from resultproc.model.errors import DeclarationError, closest

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TABLES = ("weekday", "event")


def lay_under(games: pd.DataFrame, settings: Declared | None) -> pd.DataFrame:
    """Return the games with what the settings say of each, where nothing else said it.

    Raises DeclarationError, the file and line named, for what cannot be read, unknown keys and unknown weekdays.
    """
    if settings is None:
        return games
    content, text = parsed(settings)
    tables = {name: _table(content.pop(name, {}), name, settings.name) for name in _TABLES}
    unknown = [day for day in tables["weekday"] if day.casefold() not in _WEEKDAYS]
    if unknown:
        what = f"unknown weekday '{unknown[0]}'"
        raise DeclarationError(what, hint=closest(unknown[0], _WEEKDAYS), file=settings.name)
    event = games["event"].astype("str").fillna("").str.casefold()
    weekday = games["date"].dt.day_of_week
    for name, keys in tables["event"].items():
        said = declarations(keys, text, f"event.{name}")
        games = _under(games, (event == name.casefold()).to_numpy(), said, settings.name)
    for day, keys in tables["weekday"].items():
        said = declarations(keys, text, f"weekday.{day}")
        games = _under(games, (weekday == _WEEKDAYS.index(day.casefold())).to_numpy(), said, settings.name)
    return _under(games, np.ones(len(games), dtype=bool), declarations(content, text), settings.name)


def _table(content: object, name: str, file: str) -> dict[str, dict[str, Any]]:
    if not isinstance(content, dict) or not all(isinstance(keys, dict) for keys in content.values()):
        hint = "[weekday.monday]" if name == "weekday" else '[event."Friday Pairs"]'
        raise DeclarationError(f"'{name}' has keys of no {name}", hint=f"write {hint} above them", file=file)
    return content


def _under(
    games: pd.DataFrame, rows: npt.NDArray[np.bool_], said: Mapping[str, Declaration], file: str
) -> pd.DataFrame:
    """Return the games with what is said of some of them, in the columns where they have nothing."""
    over = lay_over(games, said, file)
    return games.assign(**{name: games[name].mask(rows & games[name].isna(), over[name]) for name in said})
