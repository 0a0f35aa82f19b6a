"""The answers to the games of the suite: those of this program, or of another that is started for them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from time import monotonic
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


def answers_of(command: str, document: bytes, timeout: float) -> Answers:
    """Start another program, give it the document on standard input, and return what it says on standard output.

    command: it and its arguments, divided as a shell does. timeout: how many seconds it may take.
    Raises InputError for a program that cannot be started, does not end, fails, writes far too much, or answers
    something else.
    """
    try:
        arguments = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise InputError(f"this is no command: {error}", where=command, hint="close every quotation mark") from None
    if not arguments:
        raise InputError("no program is named", hint="write the program and its arguments")
    try:
        status, said, complaint = _run(arguments, document, timeout)
    except TimeoutError as error:
        raise InputError(str(error), where=command, hint="allow it more with timeout") from None
    except OverflowError as error:
        raise InputError(str(error), where=command) from None
    except OSError as error:
        raise InputError(f"it cannot be started: {error.strerror}", where=command) from None
    if status:
        how = f"it failed with the exit status {status}" if status > 0 else f"it was ended by the signal {-status}"
        last = complaint.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InputError(": ".join([how, *last]), where=command)
    return _answers(said, command)


LARGEST = 200_000_000
"""So many bytes a program may write: far more than all games with their awards take."""

_LOOK = 0.05
"""So often, in seconds, it is looked how much a program has written."""


def _run(arguments: Sequence[str], document: bytes, timeout: float) -> tuple[int, bytes, bytes]:
    """Return the exit status of a program, what it wrote, and the end of its complaints.

    What it writes goes into files, so that none of it is in memory before it is known to be small. Raises TimeoutError
    and, for too much, OverflowError; the program and what it started itself have ended then.
    """
    with TemporaryFile() as asked, TemporaryFile() as said, TemporaryFile() as complaints:
        asked.write(document)
        asked.seek(0)
        end = monotonic() + timeout
        process = subprocess.Popen(arguments, stdin=asked, stdout=said, stderr=complaints, process_group=0)  # noqa: S603
        try:
            ended = False
            while not ended:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(_LOOK, timeout))
                    ended = True
                if max(os.fstat(file.fileno()).st_size for file in (said, complaints)) > LARGEST:
                    raise OverflowError(f"it writes more than {LARGEST // 1_000_000} MB")
                if not ended and monotonic() > end:
                    raise TimeoutError(f"it did not end within {timeout:g} seconds")
        except BaseException:
            _stop(process)
            raise
        said.seek(0)
        complaints.seek(0)
        return process.returncode, said.read(), complaints.read()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started."""
    if os.name == "nt":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _answers(data: bytes, command: str) -> Answers:
    """Return the games of an answer by their ids; raise InputError for one that is not as it should be."""
    hint = 'it should print {"games": [{"game": {"game_id": ...}, "contestants": [...]}]}'
    try:
        answer = loaded(data, once=True)
    except FormatError as error:
        raise InputError(
            [Problem(each.what, ": ".join(filter(None, (command, each.where))), hint) for each in error.problems]
        ) from None
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
        seats = Counter(map(seat, game["contestants"]))
        twice = [each for each, times in seats.items() if times > 1]
        if twice:
            raise InputError(f"it answers for {label(twice[0])} twice", where=f"{command}: '{name}'")
        found[name] = game
    return found


Seat = tuple[str, str, str]


def seat(contestant: Mapping[str, Any]) -> Seat:
    """Return a contestant's section, direction and number, by which contestants are told apart."""
    return (
        str(contestant.get("section") or ""),
        str(contestant.get("direction") or ""),
        str(contestant.get("number")),
    )


def label(seat: Seat) -> str:
    """Return ``A-NS-6``."""
    return "-".join(part.replace("-", "") for part in seat if part)


def _id(game: object) -> str | None:
    keys = game.get("game") if isinstance(game, dict) else None
    name = keys.get("game_id") if isinstance(keys, dict) else None
    return name if isinstance(name, str) else None


def _listed(contestants: object) -> bool:
    return isinstance(contestants, list) and all(isinstance(each, dict) for each in contestants)
