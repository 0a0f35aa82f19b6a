"""The answers to the games of the suite: those of this program, or of another that is started for them."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from typing import Any

from resultproc.formats.json.reader import loaded
from resultproc.formats.json.writer import content
from resultproc.formats.read import read
from resultproc.formats.source import Source
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.stages.pipeline import award_each

Answers = dict[str, Mapping[str, Any]]
"""By game_id a game as resultproc's JSON has it, with its contestants and their awards."""

ASKED = "conform"
"""What the document with the games is called where it is read as a file."""


def own_answers(document: bytes) -> tuple[Answers, list[Problem]]:
    """Return what this program awards, and what is wrong with games that it does not award."""
    result, wrong = award_each(read(Source(ASKED, document), format="json"))
    answers = {game["game"]["game_id"]: game for game in content(result)["games"]}
    return answers, [each for problems in wrong.values() for each in problems]


def answers_of(command: str, document: bytes, timeout: float | None) -> Answers:
    """Start another program, give it the document on standard input, and return what it says on standard output.

    command: it and its arguments, divided as a shell does. timeout: how many seconds it may take.
    Raises InputError for a program that cannot be started, does not end, fails or answers something else.
    """
    try:
        arguments = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise InputError(f"this is no command: {error}", where=command, hint="close every quotation mark") from None
    if not arguments:
        raise InputError("no program is named", hint="write --against 'PROGRAM ARGUMENTS'")
    try:
        done = subprocess.run(arguments, input=document, capture_output=True, timeout=timeout, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        what = f"it did not end within {error.timeout:g} seconds"
        raise InputError(what, where=command, hint="allow it more with --timeout") from None
    except OSError as error:
        raise InputError(f"it cannot be started: {error.strerror}", where=command) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        what = ": ".join([f"it failed with the exit status {done.returncode}", *said])
        raise InputError(what, where=command)
    return _answers(done.stdout, command)


def _answers(data: bytes, command: str) -> Answers:
    """Return the games of an answer by their ids; raise InputError for one that is not as it should be."""
    hint = 'it should print {"games": [{"game": {"game_id": ...}, "contestants": [...]}]}'
    try:
        answer = loaded(data)
    except FormatError as error:
        raise InputError([Problem(each.what, f"{command}: {each.where}", hint) for each in error.problems]) from None
    games = answer.get("games") if isinstance(answer, dict) else None
    if not isinstance(games, list):
        raise InputError("there are no games in its answer", where=command, hint=hint)
    found: Answers = {}
    for number, game in enumerate(games):
        name = _id(game)
        if name is None or not _listed(game.get("contestants")):
            raise InputError("this is no game with its contestants", where=f"{command}: $.games[{number}]", hint=hint)
        if name in found:
            raise InputError(f"it answers '{name}' twice", where=command)
        found[name] = game
    return found


def _id(game: object) -> str | None:
    keys = game.get("game") if isinstance(game, dict) else None
    name = keys.get("game_id") if isinstance(keys, dict) else None
    return name if isinstance(name, str) else None


def _listed(contestants: object) -> bool:
    return isinstance(contestants, list) and all(isinstance(each, dict) for each in contestants)
