"""What is read: a results file, the TOML file beside it and a club's settings, each read once; and the text in it.

What was read is what is hashed and what is remarked on, whatever becomes of the file meanwhile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path, PurePath
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import IO

from resultproc.model.codes import code_of
from resultproc.model.errors import DeclarationError, FormatError, InputError, ResultprocError, shown
from resultproc.model.language import languages
from resultproc.model.source import DeclaredFile, Home, Source, content_with
from resultproc.model.text import is_garbled

_MAX_BYTES = 256 * 1024 * 1024
"""No results file is larger; what is, is refused."""

SETTINGS = "resultproc.toml"
"""The file of a club's settings, in the folder of its games."""

PLAYERS_TABLE, PLAYERS_FILE = "players", "file"
SITE_TABLE, LOGO = "site", "logo"
"""The table of a club's settings that is about players, and what names the list of them there."""

LANGUAGE = "language"
"""What names the club's language in its settings."""

DEALS_KEY = "deals"
"""What names a file of deals in the TOML file beside a results file, for all of its games or below one of them."""

Readable = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str] | Source
"""What can be read: the path of a file, its content, a file that is open, or what was read before."""


def refuse_none(files: Sequence[object]) -> None:
    """Raise InputError where no file is named."""
    if not files:
        raise InputError("there is no file to read", hint="name at least one results file", code="input.absent")


def load_source(
    given: Readable, settings: str | None = None, players: str | None = None, deals: str | None = None
) -> Source:
    """Return what is to be read.

    given: see :data:`Readable`.
    settings: the file of a club's settings, if it is not in the file's folder.
    players: the list of its players, if it is not the one that the settings name.
    deals: a file of deals, for those that the sidecar names.

    Raises InputError, the file named, for what cannot be read.
    """
    if isinstance(given, str | PathLike):
        path = Path(given)
        with errors_of(path.name):
            given = _file(path, settings=not settings, players=not (settings or players), deals=not deals)
    source = given if isinstance(given, Source) else _content_of(given)
    if not isinstance(source.data, bytes):
        source = replace(source, data=_as_bytes(source.data))
    if settings:
        path = Path(settings)
        listed = None if players else _players_of(path, anywhere=True)
        source = replace(source, settings=declared_file(path, anywhere=True), players=listed)
    if players:
        source = replace(source, players=declared_file(Path(players)))
    return replace(source, deals=(("", declared_file(Path(deals))),)) if deals else source


def _content_of(given: bytes | bytearray | memoryview | IO[bytes] | IO[str]) -> Source:
    name = getattr(given, "name", "")
    named = isinstance(name, str) and not name.startswith("<")
    name = (PurePath(name).name if named else "") or "data"
    with errors_of(name):
        source = Source(name, _as_bytes(given.read() if hasattr(given, "read") else given))
        refuse_large(len(source.data))
    return source


def _as_bytes(content: object) -> bytes:
    if isinstance(content, bytes | bytearray | memoryview):
        return bytes(content)
    if isinstance(content, str):
        return content.encode()
    kind = type(content).__name__
    raise TypeError(f"{kind} cannot be read: give a path, the content as bytes, or a file that is open")


def _file(path: Path, *, settings: bool, players: bool, deals: bool) -> Source:
    """Return a results file as it is; settings, players, deals: whether those that lie beside it or are named count."""
    if not path.exists():
        raise InputError("there is no such file", code="input.absent")
    status = path.stat()
    if S_ISDIR(status.st_mode):
        raise InputError("this is a folder", hint=f"name the files in it, such as {shown(path / '*.csv')}")
    if not S_ISREG(status.st_mode) and not S_ISFIFO(status.st_mode):
        raise InputError("this is not a file")
    if path.name != shown(path.name):
        raise InputError("the name of this file is not UTF-8, and it names the game", hint="rename the file")
    beside, club = read_with(path)
    return Source(
        path.name,
        _content(path),
        declared_file(beside) if beside else None,
        declared_file(club) if club and settings else None,
        _players_of(club) if club and players else None,
        tuple(_deals_of(beside)) if beside and deals else (),
        Home(path.parent),
    )


def _players_of(settings: Path, *, anywhere: bool = False) -> DeclaredFile | None:
    key = f"{PLAYERS_FILE} below [{PLAYERS_TABLE}]"
    found = [_named(settings, name, key, "the list of players", anywhere) for name in _players_named(settings)]
    return declared_file(found[0]) if found else None


def _named(by: Path, name: str, key: str, what: str, anywhere: bool = False) -> Path:
    """Return a file that another one names; raise InputError where it may not be read from there, or is not there."""
    try:
        path = Home(by.parent, anywhere).file(name)
    except ValueError as error:
        raise DeclarationError(f"{key}: {error}", file=by.name) from None
    if not path.is_file():
        lacking = f"there is no file {shown(path.name)}, which it names as {what}"
        raise InputError(lacking, hint=f"correct {key}", file=by.name, code="input.absent")
    return path


def files_named(settings: Path | None, beside: Path | None, *, anywhere: bool = False) -> list[Path]:
    """Return the files that are read with a game as its club's settings or its sidecar name them.

    anywhere: the user named the settings.
    Whoever reads the game is told of a file that is not there or may not be read, and of what is wrong with the TOML.
    """
    named = [(settings, name, anywhere) for name in _players_named(settings)] if settings else []
    named += [(beside, name, False) for _, name in _deals_named(beside)] if beside else []
    files: list[Path] = []
    for by, name, free in named:
        with suppress(InputError):
            files.append(_named(by, name, "", "", free))
    return files


def _players_named(settings: Path) -> list[str]:
    table = content_with(settings, PLAYERS_TABLE).get(PLAYERS_TABLE)
    named = table.get(PLAYERS_FILE) if isinstance(table, dict) else None
    return [named] if isinstance(named, str) and named.strip() else []


def language_of(settings: Path | None) -> str:
    """Return the language that a club's settings name; empty where they name none, or none that there is.

    What is wrong with it is told when a game is read with the settings.
    """
    said = content_with(settings, LANGUAGE).get(LANGUAGE) if settings else None
    return said if said in languages() else ""


def logos(settings: Path) -> list[Path]:
    """Return the picture that a club's settings name as the logo of its site, which is no results file."""
    table = content_with(settings, SITE_TABLE).get(SITE_TABLE)
    named = table.get(LOGO) if isinstance(table, dict) else None
    return [settings.parent / named] if isinstance(named, str) and is_file_name(named) else []


def _deals_of(beside: Path) -> Iterator[tuple[str, DeclaredFile]]:
    for game, name in _deals_named(beside):
        yield game, declared_file(_named(beside, name, DEALS_KEY, "the file of deals"))


def _deals_named(beside: Path) -> list[tuple[str, str]]:
    """Return the names of files of deals in a sidecar, each with the game_id that it is for; '' for all others."""
    content = content_with(beside, DEALS_KEY)
    games = content.get("games")
    tables = {"": content, **(games if isinstance(games, dict) else {})}
    named = {game: table.get(DEALS_KEY) for game, table in tables.items() if isinstance(table, dict)}
    return [(game, name) for game, name in named.items() if isinstance(name, str) and is_file_name(name)]


def is_file_name(name: str) -> bool:
    """Return whether a text can name a file."""
    return bool(name.strip()) and "\0" not in name


def read_with(path: Path) -> tuple[Path | None, Path | None]:
    """Return the files that are read with a results file, where there are any: its sidecar, its club's settings."""
    beside = path.with_suffix(".toml")
    found = path.parent / SETTINGS
    is_sidecar = beside != path and beside.is_file() and beside.name != SETTINGS
    return beside if is_sidecar else None, found if found.is_file() else None


def declared_file(path: Path, *, anywhere: bool = False) -> DeclaredFile:
    """Return a TOML file that declares something; raise InputError, the file named, where it cannot be read.

    anywhere: the user named it, see :class:`Home`.
    """
    with errors_of(path.name):
        return DeclaredFile(path.name, _content(path), Home(path.parent, anywhere))


_TRIES, _PAUSE = 5, 0.2
"""How often a file is read that another program writes to, and the seconds between."""


def _content(path: Path) -> bytes:
    """Return the content of a file as it was at one time; of one that goes on for ever no more than shows it.

    What the devices of the tables are writing to is never locked: it is read again until nothing was written meanwhile.
    """
    for again in range(_TRIES):
        if again:
            time.sleep(_PAUSE)
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            refuse_large(before.st_size)
            data = file.read(before.st_size + 1)
            if len(data) > before.st_size:  # it is a pipe, or written to
                data += file.read(_MAX_BYTES + 1 - len(data))
            after = os.fstat(file.fileno())
        refuse_large(len(data))
        unchanged = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
        if unchanged or not S_ISREG(before.st_mode):
            return data
    what = "another program writes to this file while it is read"
    raise InputError(what, hint="try again when that has ended", code="again.changing")


def refuse_large(size: int) -> None:
    """Raise FormatError for a file that is larger than any results file."""
    if size > _MAX_BYTES:
        raise FormatError(f"the file is larger than {_MAX_BYTES // 1024**2} MB", hint="results files are far smaller")


@contextmanager
def errors_of(name: str) -> Iterator[None]:
    """Name the file in every error."""
    try:
        yield
    except OSError as error:
        what = f"it cannot be read: {error.strerror or error}"
        raise InputError(what, file=shown(name), code=code_of(error)) from None
    except ResultprocError as error:
        raise error.in_file(shown(name)) from error.__cause__


_OLD = ("cp850", "mac_roman")
"""What DOS, and so the league's scoring program, and Macs wrote before Unicode."""

_FREQUENT = frozenset("àáâãäåæçèéêëíïñóôõöøúüßÁÄÅÇÉÍÑÓÖØÚÜ\u2019")
"""What names have most often beyond ASCII, with the apostrophe."""

_CENTRAL = ("cp1250", "iso8859-2")
"""What Poland and Romania wrote before Unicode, on Windows and elsewhere."""

_FREQUENT_THERE = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻăâîşţĂÂÎŞŢ")


def text_of_bytes(data: bytes) -> str:
    """Return text that is no UTF-8: Windows-1252, or an older code page where that alone makes words of it."""
    # The five bytes that Windows-1252 leaves undefined stand for themselves, as they do on the web.
    text = "".join(chr(b) if b in _UNDEFINED_1252 else bytes([b]).decode("cp1252") for b in data)
    if not is_garbled(text):
        return text
    western, central = (_most_letters(data, *each) for each in ((_OLD, _FREQUENT), (_CENTRAL, _FREQUENT_THERE)))
    found = max(western, central, key=lambda read: read[0])[1]
    return found[0] if len(found) == 1 else text


def _most_letters(data: bytes, pages: Sequence[str], frequent: Container[str]) -> tuple[int, list[str]]:
    """Return how many frequent letters a text has in that code page where it has most, and how it reads in such."""
    read = {data.decode(page, "replace") for page in pages}
    letters = {old: sum(map(frequent.__contains__, old)) for old in read if not is_garbled(old)}
    most = max(letters.values(), default=0)
    return most, [old for old, count in letters.items() if count == most > 0]


_UNDEFINED_1252 = frozenset({0x81, 0x8D, 0x8F, 0x90, 0x9D})
