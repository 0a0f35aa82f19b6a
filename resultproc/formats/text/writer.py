"""Text: a listing for each section and direction, in the columns of ACBLscore's, and below them what is declared.

What a listing has no column for follows it: the list of members (numbers, holdings; what part of an event each of a
team played, and what each is awarded) and the declarations, below a line that names the game. Ranks are printed only
where they pay, colours of awards where a game pays others than black. It all reads back through
:mod:`resultproc.formats.text.reader`; InputError is raised for the game that would not.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from resultproc.formats.common.annotated import annotated
from resultproc.formats.common.cells import as_text, game_keys, key_lines, quoted
from resultproc.formats.registry import Writer
from resultproc.formats.text.lines import kind
from resultproc.formats.text.listing import Row, checked, last_seat, listing_of, name_of, token
from resultproc.formats.text.member_list import FIELDS, SEAT
from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, number_text, parse_tables
from resultproc.model.provenance import KEY
from resultproc.model.values import cell_text

_DIRECTIONS = {NORTH_SOUTH: "North-South", EAST_WEST: "East-West"}


def write(result: Result) -> bytes:
    """Return the games as UTF-8 text. Raises InputError for a game that cannot be written so, and says why."""
    return _text(result, declared=True)


def screen(result: Result) -> bytes:
    """Return the same without the lines that declare the games; raise like :func:`write`."""
    return _text(result, declared=False)


def _text(result: Result, declared: bool) -> bytes:
    contestants = dict(iter(annotated(result).groupby("game_id", sort=False)))
    games = [_game(game, contestants.get(game["game_id"]), declared) for game in result.games.to_dict("records")]
    if declared:
        games[-1] += f"\n# {KEY}: {result.provenance.line()}\n"
    text = "\n\n".join(games)
    # A text that begins with the sign that marks UTF-8 would lose it in reading.
    return text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8")


def _game(game: Row, contestants: pd.DataFrame | None, declared: bool) -> str:
    if contestants is None:
        raise InputError(f"the game {game['game_id']} has no contestant", hint="a sheet lists at least one")
    contestants = _without_black(contestants)
    listing = listing_of(game, contestants)
    lines: list[str] = []
    for (section, direction), rows in contestants.groupby(["section", "direction"], sort=False, dropna=False):
        lines += [*_heading(game, str(section), direction), *listing.header()]
        lines += [*map(listing.row, rows.to_dict("records")), ""]
    lines += [*_members(contestants), *(key_lines(game) if declared else [])]
    return "\n".join(lines).rstrip("\n") + "\n"


def _without_black(contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants without colours where all awards are black."""
    colours = contestants["printed_colours"].dropna()
    if colours.str.fullmatch(r"black=[0-9.]+").all():
        return contestants.assign(printed_colours=pd.Series(None, contestants.index, dtype="str"))
    return contestants


def _heading(game: Row, section: str, direction: object) -> list[str]:
    """Return the lines above a listing: the club; event, session and date; tables, section and direction."""
    keys = game_keys(game)
    session = f"{keys['session']} Session" if "session" in keys else ""
    date = f"{game['date']:%B} {game['date'].day}, {game['date'].year}" if "date" in keys else ""
    title = " ".join(text for text in (keys.get("event", ""), session, date) if text) or cell_text(game["game_id"])
    of_section = parse_tables(keys.get("tables", ""))
    tables = of_section.get(section, of_section.get(""))
    count = "" if tables is None else number_text(tables) + (" table  " if tables == 1 else " tables  ")
    seat = f"Section  {token(cell_text(section))}  {_DIRECTIONS.get(str(direction), '')}".rstrip()
    return [*([_plain(keys["club"])] if "club" in keys else []), _plain(title), count + seat]


def _plain(text: str) -> str:
    """Return a text so that the line is taken for nothing else."""
    return text if kind(text) == "text" else quoted(text)


def _members(contestants: pd.DataFrame) -> list[str]:
    """Return the list of what is known of single players besides their names, nothing where there is nothing."""
    filled = contestants.columns[contestants.notna().any()]
    fields = [
        label
        for label, family in FIELDS.items()
        if family in {"id", "mp"} or family_columns(contestants[filled], family)
    ]
    rows = [line for row in contestants.to_dict("records") for line in _seats(row, fields)]
    if not rows:
        return []
    table = [(*SEAT, *fields, "Name"), *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]) - 1)]
    lines = ["  ".join([*map(str.ljust, row, widths), row[-1]]) for row in table]
    return [*lines, ""]


def _seats(row: Row, fields: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the line of each player of a contestant, as far as any of them has something in the fields."""
    for seat in range(1, last_seat(row, *FIELDS.values()) + 1):
        yield (
            token(cell_text(row["section"])),
            row["direction"] if isinstance(row["direction"], str) else "-",
            token(cell_text(row["number"])),
            *(_field(row, f"{FIELDS[label]}{seat}") for label in fields),
            name_of(row, seat) or "-",
        )


def _field(row: Row, name: str) -> str:
    """Return what the list has of a player in a column of the contestants, ``-`` for nothing."""
    text = as_text(name, row.get(name))
    if not text:
        return "-"
    return token(text) if isinstance(row[name], str) else checked(row, name, text)


WRITER = Writer("text", "text", (".txt",), write, screen=screen)
