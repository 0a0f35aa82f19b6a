"""What is declared of a game, from every place where it can be: the sidecar ``GAME.toml``, the file itself, options.

In rising order of precedence: what the format itself says, the sidecar, ``# key: value`` lines, the ``Game`` sheet,
options. A sidecar may declare a single game of its file under ``[games.ID]``, as the file itself may.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

import pandas as pd

from resultproc.formats.common.sheets import Facts
from resultproc.formats.registry import Declaration
from resultproc.formats.source import Declared, Source
from resultproc.model.codes import DECLARES_NOTHING, ENCODING
from resultproc.model.errors import DeclarationError, InputError, Problem, closest
from resultproc.model.keys import KEYS, declared_value, unknown_key
from resultproc.model.provenance import KEY


def sidecar(source: Source) -> tuple[dict[str, Declaration], dict[str, dict[str, Declaration]]]:
    """Return what the sidecar TOML beside a results file declares: of all its games, and of single ones by game_id.

    Nothing where there is no such file. Raises DeclarationError, the line named, for TOML that cannot be read.
    """
    beside = source.beside
    if beside is None:
        return {}, {}
    content, text = parsed(beside)
    games = content.pop("games", {})
    if not isinstance(games, dict) or not all(isinstance(game, dict) for game in games.values()):
        where = _line(text.split("\n"), "games")
        raise DeclarationError("'games' is not a table of games", where, "write [games.ID] above its keys", beside.name)
    each = {name: declarations(game, text, f"games.{name}") for name, game in games.items()}
    return declarations(content, text), each


def parsed(declared: Declared) -> tuple[dict[str, Any], str]:
    """Return the content of a TOML file that declares something, and its text; raise DeclarationError for any other."""
    try:
        text = declared.data.decode("utf-8-sig")
        _check_size(text, declared.name)
        return tomllib.loads(text, parse_float=Decimal), text
    except InputError as error:
        raise error.in_file(declared.name) from None
    except UnicodeDecodeError:
        raise DeclarationError("this TOML is not in UTF-8", file=declared.name, code=ENCODING) from None
    except (ValueError, ArithmeticError, RecursionError) as error:  # the latter for absurd numbers and nesting
        raise DeclarationError(f"this TOML cannot be read: {error}", file=declared.name) from None


def declarations(content: Mapping[str, Any], text: str, table: str = "") -> dict[str, Declaration]:
    """Return what a TOML text declares, at its top or in a table such as ``games.06-27-1``."""
    lines = text.split("\n")
    start = 0
    if table:
        kind, _, name = table.partition(".")
        opening = tuple(f"[{kind}.{quote}{name}{quote}]".replace(" ", "") for quote in ("", '"', "'"))
        start = next((i for i, line in enumerate(lines) if line.replace(" ", "").startswith(opening)), len(lines))
    return {key: Declaration(value, _line(lines, key, start)) for key, value in content.items()}


def _line(lines: Sequence[str], key: str, start: int = 0) -> str:
    """Return the line of a TOML text that sets a key, or opens its table, at or after a line."""
    for number, line in enumerate(lines[start:], start + 1):
        if line.replace(" ", "").startswith((f"{key}=", f'"{key}"=', f"[{key}]", f"[{key}.")):
            return f"line {number}"
    return f"key {key}"


MAX_LENGTH, MAX_LINE = 1024 * 1024, 1000
"""The most characters of a sidecar, and of a line of it: a key of many parts takes memory by the square of them."""


def _check_size(text: str, file: str) -> None:
    if len(text) > MAX_LENGTH:
        raise DeclarationError(f"this TOML has {len(text)} characters", hint="declarations are far shorter", file=file)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            what = f"this line has {len(line)} characters"
            raise DeclarationError(what, f"line {number}", f"{MAX_LINE} are the most", file)


def undeclared(lines: Iterable[tuple[str, str]]) -> list[Problem]:
    """Return the remarks that look like declarations and are none, such as ``# special = handicap``.

    lines: where each is, and its text.
    """
    problems = []
    for where, text in lines:
        meant = _meant(text)
        if meant:
            what = f"'{text[:_QUOTED]}' declares nothing: it is taken as a remark"
            hint = f"if it is meant, write: # {meant[:_QUOTED]}"
            problems.append(Problem(what, where, hint, code=DECLARES_NOTHING))
    return problems


_QUOTED = 80
"""So much of a line is quoted."""


def _meant(text: str) -> str:
    """Return the declaration that a remark looks like, ``special: handicap``; '' where it looks like none.

    A name and a sign between it and the value tell it; a blank alone where the value is one that the key may have.
    """
    found = re.fullmatch(r"#+\s*([A-Za-z][A-Za-z_ -]*?)\s*(=|:=|->|[;,|\t]|\s-\s|\s)\s*(\S.*)", text.strip())
    if not found or re.match(r"#+\s*[A-Za-z_ -]+:[^=]", text.strip()):
        return ""
    name = re.sub(r"[ -]+", "_", found[1].strip().lower())
    by_sign = bool(found[2].strip())
    known = name if name in KEYS else next(iter(get_close_matches(name, KEYS, 1, _NEAR)), "") if by_sign else ""
    if not known or (not by_sign and KEYS[known].value is str):
        return ""
    try:
        declared_value(known, found[3].strip())
    except ValueError:
        return f"{known}: {found[3].strip()}" if by_sign else ""
    return f"{known}: {found[3].strip()}"


_NEAR = 0.8
"""How near a name has to be to that of a key."""


def held(declared: Mapping[str, Declaration], file: str) -> Facts:
    """Return what is declared as the games frame holds it.

    Raises DeclarationError with every unknown key (the closest known one suggested) and unreadable value.
    """
    problems: list[Problem] = []
    values: Facts = {}
    for name, declaration in declared.items():
        if name == KEY:
            continue
        if name not in KEYS:
            problems.append(unknown_key(name, declaration.where, file))
            continue
        try:
            values[name] = KEYS[name].held(declared_value(name, declaration.value))
        except ValueError as error:
            problems.append(Problem(f"{name}: {error}", declaration.where, file=file))
    if problems:
        raise DeclarationError(problems)
    return values


def override(games: pd.DataFrame, declared: Mapping[str, Declaration], file: str) -> pd.DataFrame:
    """Return a games frame with what is declared laid over it; raise DeclarationError like :func:`held`."""
    values = held(declared, file)
    dtypes: dict[str, Any] = {name: games[name].dtype for name in values}
    return games.assign(**{name: pd.array([values[name]] * len(games), dtype=each) for name, each in dtypes.items()})


def override_each(
    facts: Sequence[Facts],
    declared: Mapping[str, Declaration],
    each: Mapping[str, Mapping[str, Declaration]],
    file: str,
) -> list[Facts]:
    """Return the facts of some games with what is declared laid over them: of all, and then of single ones by game_id.

    Raises DeclarationError like :func:`held`, and for a game that is not there.
    """
    values = held(declared, file)
    of_each: dict[str, Facts] = {}
    problems: list[Problem] = []
    games = [fact["game_id"] for fact in facts]
    for name, declarations in each.items():
        if name not in games:
            where = next((declaration.where for declaration in declarations.values()), "")
            what = f"unknown game '{name}' in the file"
            problems.append(Problem(what, where, closest(name, games), file))
        try:
            of_each[name] = held(declarations, file)
        except DeclarationError as error:
            problems += error.problems
    if problems:
        raise DeclarationError(problems)
    return [fact | values | of_each.get(fact["game_id"], {}) for fact in facts]
