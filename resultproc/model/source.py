"""A results file as it was read, the files read with it, and what it declares of its games."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple


class DeclaredFile(NamedTuple):
    """A file that declares something, or says more of a game: its name and content."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Source:
    """A results file as it was read.

    name: of the file, without its folder.
    data: the bytes of the file.
    beside: the TOML file of the same name.
    settings: those of its folder.
    players: the list of the club's players.
    deals: the files of deals, each with the game_id that it is for; '' for all that no other is for.
    play: the rows of its boards and deals once they are read, by the format that was asked for, '' for none.
    """

    name: str
    data: bytes
    beside: DeclaredFile | None = None
    settings: DeclaredFile | None = None
    players: DeclaredFile | None = None
    deals: tuple[tuple[str, DeclaredFile], ...] = ()
    play: dict[str, tuple[Any, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def stem(self) -> str:
        """The name without its extension."""
        return PurePath(self.name).stem

    @property
    def suffix(self) -> str:
        """The extension, with its dot."""
        return PurePath(self.name).suffix

    @property
    def read_with(self) -> list[DeclaredFile]:
        """The list of players and the files of deals."""
        return [*([self.players] if self.players else []), *dict.fromkeys(file for _, file in self.deals)]

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the content, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


class Declaration(NamedTuple):
    """What a file declares of its game besides its rows: the value of a game key as written, and where it is."""

    value: object
    where: str
