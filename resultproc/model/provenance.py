"""Where a result comes from, so that anybody can make it again.

A whole result comes from files, rulebooks and a program, each award from the values of regulations that made it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from resultproc.model.errors import InputError

VERSION = "0.2.0"
"""The version of the program; what is installed takes it from here, so that no start has to look for that."""

SCHEMA_VERSION = "1.2"
"""The version of the JSON: its first number changes where something is taken away or means something else."""

PROVENANCE_KEY = "provenance"
"""What it is called beside the keys of games, in formats that have it there; reading passes it over."""


@dataclass(frozen=True)
class Origin:
    """A file that was read.

    name: of the file.
    sha256: of its content, in hexadecimal digits.
    format: the name of the reader that read it, where that is known.
    read_with: the list of players and the files of deals that were read with it.
    """

    name: str
    sha256: str
    format: str = field(default="", compare=False)
    read_with: tuple[Origin, ...] = ()

    @classmethod
    def of_entry(cls, entry: Mapping[str, Any]) -> Origin:
        """Return what an entry of the JSON says."""
        return cls(entry["name"], entry["sha256"], read_with=tuple(map(cls.of_entry, entry.get("with", ()))))

    def entry(self) -> dict[str, Any]:
        """Return it as the JSON has it."""
        found: dict[str, Any] = {"name": self.name, "sha256": self.sha256}
        return found | ({"with": [each.entry() for each in self.read_with]} if self.read_with else {})

    def line(self) -> str:
        """Return it in a line."""
        return " with ".join(f"{each.name} sha256:{each.sha256}" for each in (self, *self.read_with))


@dataclass(frozen=True)
class RulebookUsed:
    """A rulebook that paid something.

    id: its name.
    title: what it calls itself.
    editions: the first day of each edition that paid, ``first`` for one without.
    sha256: the digest of its tables.
    readings: the readings that it takes otherwise than the rulebook that it extends.
    """

    id: str
    title: str
    editions: tuple[str, ...]
    sha256: str
    readings: Mapping[str, str] = field(default_factory=dict)


def program() -> str:
    """Return the name of the program with its version."""
    return f"resultproc {VERSION}"


@dataclass(frozen=True)
class Provenance:
    """What went into a result.

    sources: the files that it was read from.
    rulebooks: the rulebooks that paid.
    remarks: how many remarks it has.
    time: when it was made, in ISO 8601, where that is asked for.
    program: what made it.
    schema: the version of its JSON.
    """

    sources: tuple[Origin, ...] = ()
    rulebooks: tuple[RulebookUsed, ...] = ()
    remarks: int = 0
    time: str = ""
    program: str = field(default_factory=program)
    schema: str = SCHEMA_VERSION

    @classmethod
    def of_all(cls, parts: Iterable[Provenance], remarks: int) -> Provenance:
        """Return what went into several results together. remarks: how many remarks there are on them."""
        sources: dict[Origin, None] = {}
        books: dict[str, RulebookUsed] = {}
        for part in parts:
            sources |= dict.fromkeys(part.sources)
            for each in part.rulebooks:
                before = books.get(each.id, each).editions
                editions = sorted({*before, *each.editions}, key=lambda day: day if day[:1].isdigit() else "")
                books[each.id] = replace(each, editions=tuple(editions))
        return cls(tuple(sources), tuple(books[name] for name in sorted(books)), remarks)

    @classmethod
    def of_entry(cls, entry: Mapping[str, Any], titles: Mapping[str, str]) -> Provenance:
        """Return what an entry of the JSON says; titles: those of its rulebooks, by their id."""
        books = (
            RulebookUsed(
                name, titles.get(name, ""), tuple(of["edition"].split(", ")), of["sha256"], of.get("readings", {})
            )
            for name, of in entry["rulebooks"].items()
        )
        sources = tuple(map(Origin.of_entry, entry["sources"]))
        made_by = entry["program"], entry["schema"]
        return cls(sources, tuple(books), entry["remarks"], entry.get("time", ""), *made_by)

    def timed(self) -> Provenance:
        """Return it with the time, see :func:`resultproc.model.provenance.now`."""
        return replace(self, time=now().isoformat(timespec="seconds"))

    def entry(self) -> dict[str, Any]:
        """Return it as the JSON has it; a single source is there twice, so that nobody has to look into a list."""
        sources = [each.entry() for each in self.sources]
        alone = {"source": sources[0]["name"], "sha256": sources[0]["sha256"]} if len(sources) == 1 else {}
        return {
            "program": self.program,
            "schema": self.schema,
            "sources": sources,
            **alone,
            "rulebooks": {
                each.id: {
                    "edition": ", ".join(each.editions),
                    "sha256": each.sha256,
                    **({"readings": dict(each.readings)} if each.readings else {}),
                }
                for each in self.rulebooks
            },
            "remarks": self.remarks,
            **({"time": self.time} if self.time else {}),
        }

    def line(self) -> str:
        """Return it in a line, for formats that have no better place."""
        sources = (f"source {each.line()}" for each in self.sources)
        parts = [self.program, f"schema {self.schema}", *sources]
        for each in self.rulebooks:
            readings = "".join(f" {path}={value}" for path, value in each.readings.items())
            parts.append(f"rulebook {each.id} edition {' '.join(each.editions)} sha256:{each.sha256}{readings}")
        return "; ".join([*parts, f"remarks {self.remarks}", *([f"time {self.time}"] if self.time else [])])


def now() -> datetime:
    """Return the time of now, or the one that the environment's ``SOURCE_DATE_EPOCH`` names, in seconds since 1970.

    With that, what has a time in it is the same to the byte, too. Raises InputError for one that is no time.
    """
    named = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return datetime.now(UTC) if named is None else datetime.fromtimestamp(int(named), UTC)
    except (ValueError, OverflowError, OSError):
        hint = "write the seconds since 1970, such as 1789000000"
        raise InputError(f"SOURCE_DATE_EPOCH is not a time: '{named}'", hint=hint) from None


class RulebookValue(NamedTuple):
    """A value of a rulebook.

    path: where it is in the rulebook, such as ``section.percentages``.
    value: what it says, as text.
    document: the document that it is cited from.
    passage: the passage in that document.
    confidence: printed, secondary or inferred.
    file: which of the rulebooks' files has it.
    """

    path: str
    value: str
    document: str
    passage: str
    confidence: str
    file: str

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def cite(self) -> str:
        """The document and the passage in it; what is not printed there says so: ``(inferred)``."""
        return ", ".join(filter(None, (self.document, self._said_passage)))

    @property
    def _said_passage(self) -> str:
        return self.passage if self.confidence == "printed" else f"{self.passage} ({self.confidence})".strip()


@dataclass(frozen=True)
class Values:
    """The values that made an award, in the order in which they went in.

    A class of its own, so that a pandas category can hold it whole.
    """

    items: tuple[RulebookValue, ...] = ()

    def __hash__(self) -> int:
        # By their paths alone: those of thousands of ladders are told apart, and few that differ have the same ones.
        return hash(tuple(item.path for item in self.items))

    @classmethod
    def of(cls, items: Iterable[RulebookValue]) -> Values:
        """Return the values, each once."""
        return cls(tuple(dict.fromkeys(items)))

    @property
    def rule(self) -> str:
        """The citation of all values: each document once, with its passages."""
        passages: dict[str, list[str]] = {}
        for item in self.items:
            of_document, passage = passages.setdefault(item.document, []), item._said_passage
            if passage and passage not in of_document:
                of_document.append(passage)
        return "; ".join(
            f"{document}, {' and '.join(parts)}" if parts else document for document, parts in passages.items()
        )
