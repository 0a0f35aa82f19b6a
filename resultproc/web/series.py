"""What players won in a month, and the series that a club makes of games that it chooses and names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from resultproc.model.errors import InputError, Problem
from resultproc.model.files import write_bytes
from resultproc.model.frames import Sheet
from resultproc.model.json import json_text
from resultproc.model.language import as_it_is
from resultproc.pages.design import Report
from resultproc.reports import players, series
from resultproc.stages.pipeline import award_sheet, read_each

_KEPT = "series.json"

METHODS = {
    series.Method.MASTERPOINTS: "masterpoints won",
    series.Method.PERCENTAGE: "mean percentage",
    series.Method.POINTS: "points for the first places",
}
"""What decides a series, each with what people call it."""


class KeptSeries(NamedTuple):
    """A series. games: the names of its files, see :func:`file_of_game`."""

    games: tuple[str, ...]
    method: series.Method


def kept_series(root: Path) -> dict[str, KeptSeries]:
    """Return the series of a folder by their names; InputError where their file cannot be read."""
    try:
        content = json.loads((root / _KEPT).read_bytes())
        return {
            name: KeptSeries(tuple(map(str, each["games"])), series.Method(each["method"]))
            for name, each in content.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        what, hint = "the series in this file cannot be read", "mend it, or move it to another folder"
        raise InputError(what, hint=hint, file=_KEPT) from None


def keep_series(root: Path, name: str, made: KeptSeries) -> None:
    """Keep a series under a name, in the place of one that is called so; one without games goes.

    Raises InputError for one without a name.
    """
    if not name:
        raise InputError("a series has a name", hint="write one, such as Fall Series")
    every = {**kept_series(root), name: made}
    content = {each: of._asdict() for each, of in sorted(every.items()) if of.games}
    write_bytes(root / _KEPT, json_text(content).encode())


def report_of_month(paths: Sequence[Path], settings: Path | None, first: date, last: date) -> Report:
    """Return what players won in the games of a month, which belong together by nothing else.

    Raises InputError for a game that is there twice, and for games of several leagues.
    """
    sheet, problems = _read(paths, settings)
    report = players.shown(players.players(sheet, players.Wanted(since=first, until=last)))
    return replace(report, problems=[*report.problems, *problems])


def file_of_game(game: str, paths: Sequence[Path]) -> Path | None:
    """Return the file of a game of a series, or of its correction, whose ending may be another; None without one.

    game: what its file was called, which earlier versions kept without the ending.
    """
    same = [path for path in paths if path.name == game] or [path for path in paths if path.stem == game]
    return next(iter(same or [path for path in paths if path.stem == Path(game).stem]), None)


def report_of_series(name: str, made: KeptSeries, paths: Sequence[Path], settings: Path | None) -> Report:
    """Return the standings of a series, with its bonus.

    Raises InputError where none of its games is saved, and as :func:`resultproc.reports.series.series` does.
    """
    files = {game: file_of_game(game, paths) for game in made.games}
    there = list(dict.fromkeys(filter(None, files.values())))
    if not there:
        raise InputError("none of its games is saved any more", hint="choose others", file=name)
    sheet, problems = _read(there, settings)
    report = series.shown(series.series(award_sheet(sheet), made.method))
    lost = [game for game, path in files.items() if path is None]
    gone = [Problem("this game of the series is not saved any more", file=game) for game in lost]
    return replace(report, title=as_it_is(name), problems=[*report.problems, *problems, *gone])


def _read(paths: Sequence[Path], settings: Path | None) -> tuple[Sheet, list[Any]]:
    sheet, problems = read_each(paths, None, settings=str(settings) if settings else None)
    return sheet, list(problems)
