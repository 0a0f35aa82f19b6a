"""A results file as it was read, the files read with it, and what it declares of its games."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any, NamedTuple

from resultproc.model.errors import DeclarationError, shown

_MAX_LENGTH, _MAX_LINE = 256 * 1024, 1000
"""The most characters of a TOML file, and of a line of it: a key takes memory by the square of its parts."""


class Home(NamedTuple):
    """Where a file that names other files lies."""

    # Its folder, from which they are meant; None where it lies in none, as what is read from standard input.
    folder: Path | None
    # Whether they may lie outside of it, as the user named the file. One that came with a game may lead nowhere else:
    # whoever sends it would have files read that are not theirs.
    anywhere: bool = False

    def file(self, name: str) -> Path:
        """Return the file of a name in a file that lies here; raise ValueError, which says why, for one to refuse."""
        if re.match("[A-Za-z][A-Za-z0-9+.-]+:", name) or "\0" in name:
            raise ValueError(f"'{shown(name)}' is not the name of a file")
        if self.folder is None:
            raise ValueError(f"'{shown(name)}' is a file, and what names it lies in no folder; name it with an option")
        path = self.folder / name.replace("\\", "/")
        # On any system, as what one takes for a name is a path on another.
        leads_away = PureWindowsPath(name).drive or not _real(path).is_relative_to(_real(self.folder))
        if leads_away and not self.anywhere:
            what = f"'{shown(name)}' leads out of the folder of the file that names it"
            raise ValueError(f"{what}; put it there, or name it with an option")
        return path

    def rulebook(self, name: str) -> Path:
        """Return the file of a rulebook as :meth:`file` does; those that it extends are refused like it."""
        path = self.file(name)
        base, seen = path, set[Path]()
        while base not in seen and isinstance(more := content_with(base, "extends").get("extends"), str):
            seen.add(base)
            base = Home(base.parent, self.anywhere).file(more) if more.endswith(".toml") else base
        return path


NOWHERE = Home(None)


def _real(path: Path) -> Path:
    # A link that leads to itself has no end: os.path goes as far as there is something.
    return Path(os.path.realpath(path))


class DeclaredFile(NamedTuple):
    """A file that declares something, or says more of a game: its name, content, and from where it names others."""

    name: str
    data: bytes
    home: Home = NOWHERE


@dataclass(frozen=True)
class Source:
    """A results file as it was read.

    name: of the file, without its folder.
    data: the bytes of the file.
    beside: the TOML file of the same name.
    settings: those of its folder.
    players: the list of the club's players.
    deals: the files of deals, each with the game_id that it is for; '' for all that no other is for.
    home: from where it names other files.
    play: the rows of its boards and deals once they are read, by the format that was asked for, '' for none.
    """

    name: str
    data: bytes
    beside: DeclaredFile | None = None
    settings: DeclaredFile | None = None
    players: DeclaredFile | None = None
    deals: tuple[tuple[str, DeclaredFile], ...] = ()
    home: Home = NOWHERE
    play: dict[str, tuple[Any, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return PurePath(self.name).stem

    def game_id(self, number: int, among: int) -> str:
        """Return the id of a game that has none of its own: the stem, and its number where there are several."""
        return self.stem if among == 1 else f"{self.stem}-{number}"

    @property
    def suffix(self) -> str:
        """The extension, with its dot."""
        return PurePath(self.name).suffix

    @property
    def read_with(self) -> list[DeclaredFile]:
        """The list of players and the files of deals."""
        return [*([self.players] if self.players else []), *dict.fromkeys(file for _, file in self.deals)]

    @property
    def sha256(self) -> str:
        """The SHA-256 of the content, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


def content_with(path: Path, word: str) -> dict[str, Any]:
    """Return the content of a TOML file in which a word stands; nothing where it does not, or where it is no TOML."""
    try:
        data = path.read_bytes()
        return toml_content(data.decode("utf-8-sig")) if word.encode() in data else {}
    except (OSError, UnicodeDecodeError, DeclarationError):
        return {}


def toml_content(text: str) -> dict[str, Any]:
    """Return what a TOML text says that somebody has written, numbers exact.

    Raises DeclarationError, the line named, for one that cannot be read or is longer than any that is written.
    """
    if len(text) > _MAX_LENGTH:
        raise DeclarationError(f"this TOML has {len(text)} characters", hint="declarations are far shorter")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _MAX_LINE:
            what = f"this line has {len(line)} characters"
            raise DeclarationError(what, f"line {number}", f"{_MAX_LINE} are the most")
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as wrong:  # the latter two for absurd numbers and nesting
        error, _, where = str(wrong).removesuffix(")").partition(" (at ")
        raise DeclarationError(f"this TOML cannot be read: {error}", where) from None


class Declaration(NamedTuple):
    """What a file declares of its game besides its rows: the value of a game key as written, and where it is."""

    value: object
    where: str
