"""What is declared of a game, from every place where it can be: the sidecar ``GAME.toml``, the file itself, options.

In rising order of precedence: what the format itself says, the sidecar, ``# key: value`` lines, the ``Game`` sheet,
options. A sidecar may declare a single game of its file under ``[games.ID]``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from resultproc.errors import DeclarationError, Problem, closest
from resultproc.formats import Declaration, read_bytes
from resultproc.game import KEYS, OPEN, declared_value, unknown_key


def sidecar(path: Path) -> tuple[dict[str, Declaration], dict[str, dict[str, Declaration]]]:
    """Return what the sidecar TOML beside a results file declares: of all its games, and of single ones by game_id.

    Nothing where there is no such file. Raises DeclarationError, the line named, for TOML that cannot be read.
    """
    beside = path.with_suffix(".toml")
    if beside == path or not beside.is_file():
        return {}, {}
    try:
        text = read_bytes(beside).decode("utf-8-sig")
        content = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeclarationError(f"this TOML cannot be read: {error}", file=beside.name) from None
    games = content.pop("games", {})
    if not isinstance(games, dict) or not all(isinstance(game, dict) for game in games.values()):
        raise DeclarationError(
            "'games' is no table of games", _line(text, "games"), "write [games.ID] above its keys", beside.name
        )
    return _declarations(content, text), {name: _declarations(game, text) for name, game in games.items()}


def _declarations(content: Mapping[str, Any], text: str) -> dict[str, Declaration]:
    return {key: Declaration(value, _line(text, key)) for key, value in content.items()}


def _line(text: str, key: str) -> str:
    """Return the line of a TOML text that sets a key, or opens its table."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.replace(" ", "").startswith((f"{key}=", f'"{key}"=', f"[{key}]", f"[{key}.")):
            return f"line {number}"
    return f"key {key}"


def lay_over(games: pd.DataFrame, declared: Mapping[str, Declaration], file: str) -> pd.DataFrame:
    """Return the games with what is declared laid over them.

    Raises DeclarationError with every unknown key (the closest known one suggested) and unreadable value.
    """
    problems: list[Problem] = []
    values: dict[str, object] = {}
    for name, declaration in declared.items():
        if name not in KEYS:
            problems.append(unknown_key(name, declaration.where, file))
            continue
        try:
            values[name] = column_value(name, declared_value(name, declaration.value))
        except ValueError as error:
            problems.append(Problem(f"{name}: {error}", declaration.where, file=file))
    if problems:
        raise DeclarationError(problems)
    return games.assign(**{name: pd.Series(value, games.index, games[name].dtype) for name, value in values.items()})


def column_value(name: str, text: str) -> object:
    """Return a game key's value, in its canonical spelling, as the games frame holds it."""
    if name == "limit":
        return OPEN if text == "open" else float(text)
    if name == "date":
        return pd.Timestamp(text)
    return int(text) if name in {"sessions", "boards"} else text


def lay_over_each(games: pd.DataFrame, declared: Mapping[str, Mapping[str, Declaration]], file: str) -> pd.DataFrame:
    """Return the games with what a sidecar declares of single ones laid over those."""
    for name, declarations in declared.items():
        rows = games["game_id"] == name
        if not rows.any():
            raise DeclarationError(
                f"there is no game '{name}' in the file", f"[games.{name}]", closest(name, games["game_id"]), file
            )
        games = pd.concat([games[~rows], lay_over(games[rows], declarations, file)]).sort_index()
    return games
