"""What goes into the cells of a sheet, whatever kind of file it is: which columns, and their values as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import annotated
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.model.keys import KEYS
from resultproc.model.values import cell_text


def shown(result: Result) -> pd.DataFrame:
    """Return the annotated contestants, with the columns that a sheet of them needs.

    These are the columns that hold anything; ``eligible`` where not all are, and ``game_id`` where
    :func:`names_games` says so.
    """
    frame = annotated(result).drop(columns="where")
    needless = [name for name in frame.columns if frame[name].isna().all()]
    if frame["eligible"].all():
        needless.append("eligible")
    if not names_games(result.games):
        needless.append("game_id")
    return frame.drop(columns=needless)


def names_games(games: pd.DataFrame) -> bool:
    """Say whether a sheet must name its games: not a single one that has its name from the file it was read from."""
    if len(games) != 1:
        return True
    source = games["source"].iloc[0]
    return not isinstance(source, str) or PurePath(source).stem != games["game_id"].iloc[0]


def as_text(name: str, value: Any) -> str:
    """Return a value of a contestants column as text, empty for none."""
    return "" if pd.isna(value) else CONTESTANTS.declared(name).kind.show(value)


def game_keys(game: Mapping[Any, Any]) -> dict[str, str]:
    """Return what is declared of a game, a row of the games frame, as a director would write it."""
    texts = {name: cell_text(key.shown(game[name])) for name, key in KEYS.items() if not pd.isna(game[name])}
    return {name: text for name, text in texts.items() if text}


def key_lines(game: Mapping[Any, Any], named: bool = True) -> Iterator[str]:
    """Yield the lines that declare a game in files of text: ``# key: value``, below the one that names it if asked.

    Values that would lose their own quotes in reading are put in quotes.
    """
    if named:
        yield f"# [games.{cell_text(game['game_id'])}]"
    for name, text in game_keys(game).items():
        value = quoted(text) if text.startswith('"') else text
        yield f"# {name}: {value}"


def quoted(text: str) -> str:
    """Return a text in double quotes, so that it is read as it is."""
    return '"' + text.replace('"', '""') + '"'
