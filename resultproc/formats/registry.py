"""The formats that can be read and written: what a reader and a writer are, and which one a file asks for.

Formats register through the entry-point groups ``resultproc.readers`` and ``resultproc.writers``, the built-in ones
like anybody else's. Reading detects by content; writing goes by the file's ending or the name of the format.

A reader also says how people declare what its files do not say of their games: where they write it, in which words.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from resultproc.formats.loaded import Readable, load_source, text_of_bytes
from resultproc.model.codes import EMPTY, UNKNOWN
from resultproc.model.columns import CONTESTANT_COLUMNS
from resultproc.model.errors import FormatError, Problem
from resultproc.model.plugins import errors_of_plugin, named, names
from resultproc.model.source import Source

if TYPE_CHECKING:
    import pandas as pd

    from resultproc.model.draft import Reading
    from resultproc.model.frames import Result
    from resultproc.model.provenance import Provenance


class Declaring(NamedTuple):
    """How the keys of a game are declared for files of a format; {file}, {toml} and so on stand for what is there.

    of_file: where they are written.
    line: how a key and its value are.
    of_game: where those of one of several games are.
    """

    of_file: str
    line: str
    of_game: str

    def where(self, file: str, game: str = "") -> str:
        """Return where the keys are written, in words. game: the game's name, in a file of several."""
        template = self.of_game if game else self.of_file
        return template.format(file=file, toml=PurePath(file).with_suffix(".toml"), game=game)

    def lines(self, values: Iterable[tuple[str, str]]) -> list[str]:
        """Return what is written: a line for each key and its value."""
        return [self.line.format(key=key, value=value) for key, value in values]


BESIDE = Declaring(
    "write into {toml}, a text file in the same folder ('resultproc new {file}' makes it)",
    '{key} = "{value}"',
    "below the line [games.\"{game}\"] of {toml} write ('resultproc new {file}' makes that file for you to fill in)",
)
"""In a TOML file of the same name beside it."""

KEY_LINES = Declaring(
    "write above the header of the list",
    "# {key}: {value}",
    "above the header, below a line '# [games.{game}]', write",
)
"""In lines of the file that begin with #."""

GAME_SHEET = Declaring(
    "write into a sheet of the workbook that is named Game, in its columns A and B",
    "{key:<14}{value}",
    "in a sheet named Games, with game_id and the keys in its first row, write into the row of {game}",
)
"""In a sheet of a workbook."""

SNIFFED = 65536
"""How much of a file its content is detected from."""


@dataclass(frozen=True, eq=False)
class Reader:
    """A format that can be read.

    name: what it is called in ``--from``.
    title: what people call the format.
    sniff: says of the first :data:`SNIFFED` bytes of a file whether it is of this format.
    reads: reads a file. It raises :class:`~resultproc.model.errors.InputError`, and nothing else, for one that is
        wrong; the caller names the file in that.
    rank: the reader with the highest one that knows a file reads it.
    boards: whether the format may have results of boards.
    declaring: how people are told to declare what a file does not say.
    """

    name: str
    title: str
    sniff: Callable[[bytes], bool]
    reads: Callable[[Source], Reading]
    rank: int = 0
    boards: bool = True
    declaring: Declaring = BESIDE

    def read(self, given: Readable) -> Reading:
        """Return what a file says."""
        source = load_source(given)
        with errors_of_plugin("readers", self.name):
            return self.reads(source)

    def knows(self, head: bytes) -> bool:
        """Return whether a file that begins so is of this format."""
        with errors_of_plugin("readers", self.name):
            return self.sniff(head)


def read_by(module: str) -> Callable[[Source], Reading]:
    """Return what reads by the function ``read`` of a module, which is imported when there is a file for it."""
    return lambda source: import_module(module).read(source)


class Part(NamedTuple):
    """Some of the games of a result, which one file is to have."""

    games: slice  # their rows
    names: Sequence[str]  # their game_ids in that file
    remarks: Sequence[Problem]  # of that file
    provenance: Provenance  # of that file


@dataclass(frozen=True, eq=False)
class Writer:
    """A format that can be written.

    name: what options call it.
    title: what people call it.
    endings: those of its files, such as ``.csv``; new files get the first.
    write: gives the whole file.
    boards: whether the file has the results of boards, so that these are needed.
    screen: gives what is shown on a screen, without what only a program reads; None where that is the file itself.
    page: whether it is a web page, which lists the remarks unless it is to leave them out.
    each: gives the files of the parts of a result, faster than if each were written for itself.
    unseal: finds the sealed results in a file, and none in a file of another format; for formats that can hold a seal.
    in_dialect: takes by name the ways that sites want of the format, and gives what writes it so.
    recap: writes the grid of contestants by boards as well.
    parted: gives a file in several by their names, the first by its own, for a folder where a heavy one may be.
    columns: those of contestants that it has a place for, without the numbers of players; empty for all there are.

    An unexpected error in what another package gives for ``write`` and ``screen`` is told as that package's.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    write: Callable[[Result], bytes]
    boards: bool = False
    screen: Callable[[Result], bytes] | None = None
    page: bool = False
    each: Callable[[Result, Sequence[Part]], Iterator[bytes]] | None = None
    unseal: Callable[[bytes], list[Sealed]] | None = None
    in_dialect: Callable[[Mapping[str, Any]], Callable[[Result], bytes]] | None = None
    recap: Callable[[Result], bytes] | None = None
    parted: Callable[[bytes, str], Mapping[str, bytes]] | None = None
    columns: Collection[str] = ()

    def __post_init__(self) -> None:
        """Let the errors of writing name the writer."""
        of_plugin = errors_of_plugin("writers", self.name)
        object.__setattr__(self, "write", of_plugin(self.write))
        object.__setattr__(self, "screen", self.screen and of_plugin(self.screen))

    def left_out(self, contestants: pd.DataFrame) -> list[Problem]:
        """Return the remark on columns of contestants that say something and that the format has no place for."""
        # That all are eligible says nothing.
        there = contestants.drop(columns="eligible") if contestants["eligible"].all() else contestants
        there = there.dropna(axis="columns", how="all")
        lost = [
            each.heading
            for each in CONTESTANT_COLUMNS
            if each.family not in {*self.columns, "game_id", "where"} and any(map(each.matches, map(str, there)))
        ]
        what = f"{self.title} leaves out what it has no place for: {', '.join(lost)}"
        return [Problem(what, code="output.left-out")] if lost else []


def detect(given: Readable) -> Reader:
    """Return the reader of the format that a file's content shows."""
    head = load_source(given).data[:SNIFFED]
    if not head.strip():
        raise FormatError("the file is empty", code=EMPTY)
    readers: list[Reader] = sorted((named("readers", name) for name in names("readers")), key=lambda r: -r.rank)
    for reader in readers:
        if reader.knows(head):
            return reader
    raise FormatError("unrecognised file format", hint="known: " + ", ".join(r.title for r in readers), code=UNKNOWN)


def writer_for(path: Path, formats: Iterable[str] = ()) -> Writer:
    """Return the writer that the file's ending asks for, the longest where several do.

    formats: the names of those that there is a choice of, every one where none is named. Raises FormatError, which
    lists their endings, for any other.
    """
    writers: list[Writer] = [named("writers", name) for name in formats or names("writers")]
    by_ending = {ending: writer for writer in writers for ending in writer.endings}
    endings = sorted(by_ending)
    for ending in sorted(endings, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return by_ending[ending]
    raise FormatError(f"no writer for this file extension: '{path.name}'", hint="write " + ", ".join(endings))


def decode(data: bytes) -> str:
    """Return text of unknown encoding: UTF-16 with a mark, UTF-8, else of a code page; line ends become LF.

    Raises FormatError for bytes that no text has.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()
    if b"\0" in data:
        hint = "export the results as text, CSV or Excel"
        raise FormatError("this is binary data, not text", hint=hint, code=UNKNOWN)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = text_of_bytes(data)
    # Most files have none, and to look for one sign takes no time.
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class Shown(NamedTuple):
    """Something that a sealed file shows, to be compared with what one shows that is written of the same data."""

    what: str  # its cell, or its path in JSON
    text: str  # as it is shown
    who: str = ""  # the contestant that it is of, '' for none


class Sealed(NamedTuple):
    """A sealed result in a file."""

    seal: Mapping[str, Any]  # without its data
    data: Mapping[str, Any]  # what the awards follow from, as JSON has games
    # What was written, to the last byte: of a workbook its parts, of a fragment what of the page is its own.
    content: bytes
    shows: str  # the SHA-256 of the content without the seal; a signature covers it
    shown: Callable[[], Sequence[Shown]]  # gives what a plain look at it shows
    inside: bool = False  # whether the file has something around what was sealed


def sum_around(content: bytes, seal: bytes) -> str:
    """Return the SHA-256 of what a file has besides its seal; '' where that does not stand in it once."""
    return hashlib.sha256(content.replace(seal, b"\0")).hexdigest() if content.count(seal) == 1 else ""
