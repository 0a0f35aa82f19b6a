"""The games of the suite, as its files have them: what is given, what is expected, and which paragraphs that tests.

``fixtures/conformance/README.md`` describes the files for those who write other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resultproc.formats.json.reader import problem
from resultproc.formats.source import errors_of, load_source
from resultproc.model.errors import MOST_QUOTED, InputError, shown
from resultproc.model.json import loaded
from resultproc.model.keys import KEYS
from resultproc.model.provenance import Origin
from resultproc.pages.result import ALWAYS

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


SuiteEntry = Mapping[str, Any]


@dataclass(frozen=True)
class SuiteGame:
    """A game of the suite.

    id: what answers call it.
    cite: the public document that says what is expected, where a person worked it.
    how: the arithmetic.
    origin: who worked it.
    paragraphs: those of the rulebooks that the expected awards follow from.
    given: its keys and contestants.
    expected: an entry for each contestant that it is about: the seat, and what is expected there.
    """

    id: str
    cite: str
    how: str
    origin: str
    paragraphs: tuple[str, ...]
    given: SuiteEntry
    expected: Sequence[SuiteEntry]


@dataclass(frozen=True)
class Suite:
    """Some games of the suite.

    games: those with the fewest contestants first.
    paragraphs: by their names, the document and the place in it.
    sources: the files that they are from.
    """

    games: tuple[SuiteGame, ...]
    paragraphs: Mapping[str, str]
    sources: tuple[Origin, ...]


def read_suite(path: Path) -> Suite:
    """Return the games of a file, or of all files of a folder.

    Raises InputError, the file and the place in it named, for what is no suite, and for a game that is there twice.
    """
    paths = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not paths:
        raise InputError("there are no games in this folder", hint="name fixtures/conformance", file=shown(path))
    games: dict[str, SuiteGame] = {}
    paragraphs: dict[str, str] = {}
    sources = []
    for each in paths:
        source = load_source(each)
        with errors_of(source.name):
            content = loaded(source.data)
            problems = [problem(error) for error in islice(_validator().iter_errors(content), MOST_QUOTED)]
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


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    text = Path(__file__).with_name("suite.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


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
