"""What this program or another answers to the games of the suite, compared with what is expected; as text and JSON.

The games have what is given, what is expected, and which paragraphs that tests; ``fixtures/conformance/README.md``
describes their files for those who write other programs.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import islice
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import Any

from resultproc.formats.json.reader import problem
from resultproc.formats.loaded import errors_of, load_source
from resultproc.formats.read import read
from resultproc.model.errors import MOST_QUOTED, FormatError, InputError, Problem, shown
from resultproc.model.json import loaded
from resultproc.model.keys import KEYS
from resultproc.model.places import place_text
from resultproc.model.provenance import Origin, Provenance, program
from resultproc.model.source import Source
from resultproc.pages.result import ALWAYS, content
from resultproc.pages.tables import Writers, table_as_text
from resultproc.people.seated import label
from resultproc.reports.json_types import ConformDifference, ConformReport, OriginEntry, ParagraphEntry, entry
from resultproc.stages.pipeline import award_each

SuiteEntry = Mapping[str, Any]


@dataclass(frozen=True)
class SuiteGame:
    """A game of the suite."""

    id: str  # what answers call it
    cite: str  # the public document that says what is expected, where a person worked it
    how: str  # the arithmetic
    origin: str  # who worked it
    paragraphs: tuple[str, ...]  # those of the rulebooks that the expected awards follow from
    given: SuiteEntry  # its keys and contestants
    # An entry for each contestant that it is about: the seat, and what is expected there.
    expected: Sequence[SuiteEntry]


@dataclass(frozen=True)
class Suite:
    """Some games of the suite."""

    games: tuple[SuiteGame, ...]  # those with the fewest contestants first
    paragraphs: Mapping[str, str]  # by their names, the document and the place in it
    sources: tuple[Origin, ...]  # the files that they are from


def read_suite(path: Path) -> Suite:
    """Return the games of a file, or of all files of a folder.

    Raises InputError, the file and the place in it named, for what is no suite, and for a game that is there twice.
    """
    from jsonschema import Draft202012Validator

    paths = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not paths:
        raise InputError("there are no games in this folder", hint="name fixtures/conformance", file=shown(path))
    validator = Draft202012Validator(json.loads(Path(__file__).with_name("suite.schema.json").read_text("utf-8")))
    games: dict[str, SuiteGame] = {}
    paragraphs: dict[str, str] = {}
    sources = []
    for each in paths:
        source = load_source(each)
        with errors_of(source.name):
            content = loaded(source.data)
            problems = [problem(error) for error in islice(validator.iter_errors(content), MOST_QUOTED)]
            if problems:
                raise InputError(problems)
            paragraphs |= content["paragraphs"]
            for entry in content["games"]:
                game = SuiteGame(**{"cite": "", **entry, "paragraphs": tuple(entry["paragraphs"])})
                if game.id in games:
                    raise InputError(f"the game '{game.id}' is there twice", hint="give each its own id")
                games[game.id] = game
        sources.append(Origin(source.name, source.sha256))
    in_order = sorted(games.values(), key=lambda game: (len(game.given["contestants"]), game.id))
    return Suite(tuple(in_order), dict(sorted(paragraphs.items())), tuple(sources))


def asked(games: Iterable[SuiteGame]) -> bytes:
    """Return the document that a program is given: the games as resultproc's JSON has them, before they are awarded."""
    entries = [
        {
            "game": dict.fromkeys(["source", *KEYS]) | game.given["game"] | {"game_id": game.id},
            "contestants": [dict.fromkeys(ALWAYS) | {"players": []} | each for each in game.given["contestants"]],
        }
        for game in games
    ]
    return json.dumps({"games": entries}, ensure_ascii=False).encode()


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
        raise InputError(f"this is not a command: {error}", where=command, hint="close every quotation mark") from None
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


LARGEST_ANSWER = 200_000_000
"""This many bytes a program may write: far more than all games with their awards take."""


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
                    process.wait(min(0.05, timeout))  # seconds, after which to look how much it has written
                    ended = True
                if max(os.fstat(file.fileno()).st_size for file in (said, complaints)) > LARGEST_ANSWER:
                    raise OverflowError(f"it writes more than {LARGEST_ANSWER // 1_000_000} MB")
                if not ended and monotonic() > end:
                    raise TimeoutError(f"it did not end within {timeout:g} seconds")
        except BaseException:
            if os.name == "nt":
                process.kill()
            else:  # all that it started ends, too
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        said.seek(0)
        complaints.seek(0)
        return process.returncode, said.read(), complaints.read()


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
        name, contestants = _of(_of(game, "game"), "game_id"), _of(game, "contestants")
        listed = isinstance(contestants, list) and all(isinstance(each, dict) for each in contestants)
        if not isinstance(name, str) or not listed:
            where = f"{command}: $.games[{number}]"
            raise InputError("this is not a game with its contestants", where=where, hint=hint)
        if name in found:
            raise InputError(f"it answers '{name}' twice", where=command)
        seats = Counter(map(seat, contestants))
        twice = [each for each, times in seats.items() if times > 1]
        if twice:
            raise InputError(f"it answers for {_called(twice[0])} twice", where=f"{command}: '{name}'")
        found[name] = game
    return found


_SeatKey = tuple[str, str, str]


def seat(contestant: Mapping[str, Any]) -> _SeatKey:
    """Return a contestant's section, direction and number, by which contestants are told apart."""
    section, direction = (str(contestant.get(part) or "") for part in ("section", "direction"))
    return section, direction, str(contestant.get("number"))


def _called(seat: _SeatKey) -> str:
    return label(dict(zip(("section", "direction", "number"), seat, strict=True)))


NOTHING = "nothing"
"""What stands for none."""


@dataclass(frozen=True)
class Verdict:
    """How a program answers a game."""

    game: SuiteGame  # of the suite
    differences: tuple[ConformDifference, ...] = ()  # what it answers otherwise than expected
    compared: int = 0  # how many of the things expected it says
    left_out: int = 0  # how many it does not say

    @property
    def agrees(self) -> bool:
        """Whether it says something that is expected, and all of that as expected."""
        return self.compared > 0 and not self.differences


@dataclass(frozen=True)
class Conformance:
    """How a program answers the suite."""

    program: str  # what it is called
    games: int  # how many there are
    agreed: int  # how many of these agree
    origins: Sequence[OriginEntry]  # how many of those that were worked in one way
    paragraphs: Sequence[ParagraphEntry]  # how many of those that test a paragraph
    compared: int  # how many things are as expected or not
    left_out: int  # how many things that are expected are not in the answers to games that are answered
    differences: Sequence[ConformDifference]  # all that differs, in the smallest games first
    not_answered: Sequence[str]  # the games that the program says nothing of
    problems: tuple[Problem, ...] = ()  # what is wrong with games that it refuses
    provenance: Provenance = field(default_factory=Provenance)  # the files of the suite


def conform(path: Path, command: str | None = None, timeout: float = inf) -> Conformance:
    """Let a program award the games of a suite, and return how it agrees.

    path: a file of games, or a folder of such files.
    command: another program, this one where there is none.
    timeout: how many seconds it may take, for ever if not said.

    Raises InputError for what is no suite, and like :func:`resultproc.reports.conform.answers_of`.
    """
    suite = read_suite(path)
    document = asked(suite.games)
    if command is not None:
        return judged(suite, answers_of(command, document, timeout), command)
    answers, problems = own_answers(document)
    return judged(suite, answers, program(), problems)


def judged(suite: Suite, answers: Answers, program: str, problems: Sequence[Problem] = ()) -> Conformance:
    """Return how the answers of a program agree with a suite."""
    verdicts = [_verdict(game, answers.get(game.id)) for game in suite.games]
    return Conformance(
        program,
        len(verdicts),
        sum(verdict.agrees for verdict in verdicts),
        [entry(OriginEntry, each, origin=name) for name, each in _shares(verdicts, lambda game: [game.origin])],
        [
            entry(ParagraphEntry, each, paragraph=name, cite=suite.paragraphs.get(name, ""))
            for name, each in _shares(verdicts, lambda game: game.paragraphs)
        ],
        sum(verdict.compared for verdict in verdicts),
        sum(verdict.left_out for verdict in verdicts),
        [each for verdict in verdicts for each in verdict.differences],
        [verdict.game.id for verdict in verdicts if not verdict.compared],
        tuple(problems),
        Provenance(suite.sources),
    )


def _shares(
    verdicts: Sequence[Verdict], of: Callable[[SuiteGame], Sequence[str]]
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield what games have, by its name, and how many of those that have it agree."""
    agreed: dict[str, list[bool]] = {}
    for verdict in verdicts:
        for name in of(verdict.game):
            agreed.setdefault(name, []).append(verdict.agrees)
    for name, each in sorted(agreed.items()):
        yield name, {"games": len(each), "agreed": sum(each)}


def _verdict(game: SuiteGame, answer: SuiteEntry | None) -> Verdict:
    if answer is None:
        return Verdict(game)
    there = {seat(each): each for each in answer["contestants"]}
    differences = []
    compared, left_out = 0, set()
    for wanted in game.expected:
        at = seat(wanted)
        found = there.get(at)
        if found is None:
            differences.append(ConformDifference(game.id, _called(at), "contestant", "an answer", NOTHING))
            continue
        said = _said(found)
        for what, expected in _said(wanted).items():
            of = what.partition(" ")[0]
            if of not in found and of != "masterpoints":  # the award itself has to be there
                left_out.add((at, of))
                continue
            compared += 1
            if expected != (is_found := said.get(what, NOTHING)):
                differences.append(ConformDifference(game.id, _called(at), what, expected, is_found))
    return Verdict(game, tuple(differences), compared, len(left_out))


def _said(entry: SuiteEntry) -> dict[str, str]:
    """Return what is said of a contestant, in one spelling, by what it is, such as ``positions section A``.

    A player of whom nothing is said gets what the team does.
    """
    spelt: Mapping[str, Callable[[object], str]] = {"masterpoints": _amount, "paid_by": _basis, "colours": _by_colour}
    said = {what: spell(entry[what]) for what, spell in spelt.items() if what in entry}
    for basis, strata in _items(entry.get("positions")):
        said |= {f"positions {basis} {stratum}".strip(): _place(place) for stratum, place in _items(strata)}
    candidates, players = (each if isinstance(each, list) else [] for each in map(entry.get, ("candidates", "players")))
    said |= {f"candidates {_basis(each)}": _amount(_of(each, "masterpoints")) for each in candidates}
    if "players" in entry:
        own = (each if isinstance(each, str) else _of(each, "masterpoints") for each in players)
        said["players"] = " ".join(_amount(each or entry.get("masterpoints")) for each in own)
    return said


def _items(value: object) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _amount(value: object) -> str:
    """Return an award as it is expected: 0.9 and ".90" are 0.90."""
    if value is None:
        return NOTHING
    try:
        number = Decimal(str(value))
        return f"{number:.2f}" if number == round(number, 2) else str(value)
    except (InvalidOperation, ValueError):
        return repr(value)


def _of(entry: object, name: str) -> Any:
    return entry.get(name) if isinstance(entry, dict) else None


def _basis(value: object) -> str:
    return f"{_of(value, 'basis')} {_of(value, 'stratum') or ''}".strip() if value else NOTHING


def _by_colour(value: object) -> str:
    amounts = {name: _amount(each) for name, each in value.items()} if isinstance(value, dict) else {}
    there = [f"{amounts[name]} {name}" for name in sorted(amounts) if amounts[name] not in {"0.00", NOTHING}]
    return " + ".join(there) or NOTHING


def _place(value: object) -> str:
    """Return ``2``, or ``2/3`` for a tie of two."""
    first, tied = _of(value, "position"), _of(value, "tied")
    return place_text(first, max(tied, 1)) if isinstance(first, int) and isinstance(tied, int) else NOTHING


WRITERS: Writers[[Conformance]] = Writers()


@WRITERS.text
def text(found: Conformance) -> Iterator[str]:
    """Yield for each paragraph how many games agree, then what differs, and how many games agree of all."""
    rows = [
        [each["paragraph"], each["games"], each["agreed"], _percent(each["games"], each["agreed"])]
        for each in found.paragraphs
    ]
    yield from table_as_text(("Paragraph", "Games", "Agreed", "Share"), rows).splitlines()
    if found.differences:
        yield from ("", "What differs, in the smallest games first")
        yield from (f"  {each}" for each in found.differences[:25])
        if len(found.differences) > 25:
            yield f"  and {len(found.differences) - 25} more"
    if found.not_answered:
        more = len(found.not_answered) - 5
        named = ", ".join(found.not_answered[:5]) + (f" and {more} more" if more > 0 else "")
        yield from ("", f"Not answered: {named}")
    each = ", ".join(f"{each['agreed']} of {each['games']} {each['origin']}" for each in found.origins)
    share = _percent(found.games, found.agreed)
    yield from ("", f"{found.program}: {found.agreed} of {found.games} games agree, {share}: {each}")
    if found.left_out:
        yield f"{found.left_out} of {found.left_out + found.compared} things expected are not in its answers"


def _percent(games: int, agreed: int) -> str:
    """Return a share in percent, rounded down: 100.0% is all."""
    return f"{agreed * 1000 // games / 10:.1f}%"


@WRITERS.json
def to_json(found: Conformance) -> ConformReport:
    """Return the same as JSON, with all that differs."""
    return entry(ConformReport, found)
