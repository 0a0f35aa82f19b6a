"""Files to frames. One module per format, each with a READER: what it is called, whether it knows a file, how it reads.

Formats are told apart by their content. What a file cannot say of its game is declared beside it, see
:mod:`resultproc.formats.common.declared`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from resultproc.formats.registry import Declaration, Reader, Reading, detect
from resultproc.model.errors import InputError, shown
from resultproc.model.plugins import named

if TYPE_CHECKING:
    import pandas as pd

    from resultproc.model.frames import Sheet


def read(path: str | Path, *, format: str | None = None, **keys: object) -> Sheet:
    """Read one results file.

    path: the file; its sidecar ``GAME.toml`` is read with it.
    format: the name of its format; without it the content tells.
    keys: game keys that override what the file and its sidecar declare, such as ``tables=9``.
    Returns the sheet: the games frame with all that is declared, and the contestants frame.
    Raises InputError, the file and the line or cell named, for whatever is wrong.
    """
    return read_with_boards(path, format=format, **keys)[0]


def read_boards(path: str | Path, *, format: str | None = None) -> pd.DataFrame:
    """Read the board results of one file, without rows where its format has none.

    Returns the boards frame; raises InputError like :func:`read`.
    """
    return read_play(path, format=format)[0]


def read_play(path: str | Path, *, format: str | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the board results and the hands of one file; a file whose format has none is not read again.

    Returns the boards and the deals frame; raises InputError like :func:`read`.
    """
    from resultproc.model.frames import BOARDS, DEALS

    path = Path(path)
    with errors_of(path):
        reader = _reader(path, format)
        if not reader.boards:
            return BOARDS.empty(), DEALS.empty()
        reading = reader.read(path)
        return _boards(reading), DEALS.empty() if reading.deals is None else reading.deals


def read_with_boards(path: str | Path, *, format: str | None = None, **keys: object) -> tuple[Sheet, pd.DataFrame]:
    """Read one results file with its board results.

    Takes and raises what :func:`read` does; returns the sheet and the boards frame.
    """
    from resultproc.formats.common.declared import lay_over, lay_over_each, sidecar
    from resultproc.model.frames import Sheet

    path = Path(path)
    with errors_of(path):
        reading = _reader(path, format).read(path)
        beside, each = sidecar(path)
        beside = {key: declaration for key, declaration in beside.items() if key not in reading.settled}
        toml = path.with_suffix(".toml").name
        games = lay_over_each(lay_over(reading.sheet.games, beside, toml), each, toml)
        games = lay_over_each(lay_over(games, reading.declared, path.name), reading.each, path.name)
        games = lay_over(games, _options(keys), "options")
        boards = _boards(reading)
        if len(boards):
            from resultproc.formats.common.played import with_boards_played

            games = with_boards_played(games, reading.sheet.contestants, boards)
        remarks = tuple(replace(each, file=each.file or shown(path.name)) for each in reading.sheet.remarks)
        return Sheet(games, reading.sheet.contestants, remarks), boards


def _boards(reading: Reading) -> pd.DataFrame:
    from resultproc.model.frames import BOARDS

    return BOARDS.empty() if reading.boards is None else reading.boards


def _reader(path: Path, format: str | None) -> Reader:
    """Return what reads a file; raise InputError where it cannot be read, or names no game."""
    if path.is_dir():
        raise InputError("this is a folder", hint=f"name the files in it, such as {shown(path / '*.csv')}")
    if not path.is_file():
        raise InputError("there is no such file" if not path.exists() else "this is not a file")
    if path.name != shown(path.name):
        raise InputError("the name of this file is not UTF-8, and it names the game", hint="rename the file")
    reader: Reader = named("readers", format) if format else detect(path)
    return reader


@contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """Name the file in every error."""
    try:
        yield
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=shown(path.name)) from None
    except InputError as error:
        raise error.in_file(shown(path.name)) from None


def _options(keys: Mapping[str, object]) -> dict[str, Declaration]:
    return {
        name: Declaration(value, f"--{name.replace('_', '-')}") for name, value in keys.items() if value is not None
    }
