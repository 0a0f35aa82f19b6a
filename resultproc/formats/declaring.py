"""How people declare what a results file does not say of its games: where they write it, and in which words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import NamedTuple


class Declaring(NamedTuple):
    """How the keys of a game are declared for files of a format; {file}, {toml} and so on stand for what is there.

    place: where they are written.
    line: how a key and its value are.
    of_game: where those of one of several games are.
    """

    place: str
    line: str
    of_game: str

    def where(self, file: str, game: str = "") -> str:
        """Return where the keys are written, in words. game: the game's name, in a file of several."""
        template = self.of_game if game else self.place
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
