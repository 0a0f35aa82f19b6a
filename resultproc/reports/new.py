"""Files to be filled in: the sidecar of a results file, with what that does not say of its games; a club's workbook."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd

from resultproc.formats.read import drafted
from resultproc.model.arrays import row_dicts
from resultproc.model.draft import sheets_of
from resultproc.model.errors import OutputError
from resultproc.model.files import write_bytes
from resultproc.model.frames import Sheet
from resultproc.model.game import number_text, parse_tables
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is, in_words
from resultproc.model.source import Source
from resultproc.reports.outcomes import at_the_same_time
from resultproc.stages.missing import MissingKey, key_meaning, missing

_HEAD = (
    "What {file} does not say about its games. The values are proposals: correct what is not so,\nand fill in what is"
    " empty between the quotes; delete the # before what applies."
)


def new_club(output: Path) -> None:
    """Write a club's workbook, to be filled in; raise OutputError where there is such a file already."""
    from resultproc.formats.xlsx.club import club_workbook

    write_bytes(sidecar_path(output, output), club_workbook())


def sidecar_text(source: Source, format: str | None = None) -> str:
    """Return the text of the sidecar of a results file, to be filled in; InputError for a file that cannot be read.

    Formats that can declare games themselves have it, too: so a results file is never written to, and the same is done
    for all. What a club's settings say is not asked for, and the sidecar that there is already is not looked at.

    format: the one to read, None to tell it by the content.
    """
    source = replace(source, beside=None, deals=())
    (sheet,) = sheets_of([drafted(source, format=format)])
    asked = missing(sheet.facts, every=True)
    parts = [_game(sheet, row, [each for each in asked if each.row == row]) for row in range(len(sheet.games))]
    head = in_words(_HEAD.format(file=as_it_is(source.name))).replace("\n", "\n# ")
    return "\n".join([f"# {head}\n", *parts])


def sidecar_path(path: Path, output: Path | None = None, *, hint: str = "write to another file with -o") -> Path:
    """Return where the sidecar of a results file is to be written; OutputError where there is such a file already.

    output: where the user wants it, None for beside the file.
    hint: what the error tells the user to do.
    """
    output = output or path.with_suffix(".toml")
    if output.exists():
        raise OutputError(
            "this file exists already, and is not overwritten", hint=hint, file=str(output), code="output.exists"
        )
    return output


def _game(sheet: Sheet, row: int, asked: list[MissingKey]) -> str:
    games = sheet.games
    (game,) = row_dicts(games.iloc[[row]])
    # It is told as a person knows it: Open Pairs, Monday Eve, 2011-06-27: section D, 8 contestants, 8 tables.
    date = f"{game['date']:%Y-%m-%d}" if pd.notna(game["date"]) else ""
    name = ", ".join(text for text in (game["event"], game["session"], date) if isinstance(text, str) and text)
    rows = sheet.contestants[sheet.contestants["game_id"] == game["game_id"]]
    sections = sorted(rows["section"].unique())
    what = f"section{'s' * (len(sections) > 1)} {', '.join(sections)}, {len(rows)} contestants"
    tables = _tables(game["tables"])
    called = as_it_is(name or str(game["game_id"]))
    lines = [f"# {in_words(f'{called}: {what}' + (f', {tables} tables' if tables else ''))}"]
    if len(games) > 1:
        lines.append(f'[games."{game["game_id"]}"]')
    for each in asked:
        blank = re.sub("=[^,]*", "=", each.example) if each.key in {"strata", "tables"} else ""
        guess = "a guess, no file tells it: " if each.key == "boards" and each.proposed else ""
        lines.append(f'{each.key} = "{each.proposed or blank}"  # {in_words(f"{guess}{key_meaning(each)}")}')
    if pd.isna(game["date"]) and "date" not in {each.key for each in asked}:
        lines.append(f'# date = ""  # {in_words("such as " + KEYS["date"].example)}')
    if pd.isna(game["limit"]):
        limited = "where entry is limited: the most masterpoints that a player may hold"
        lines.append(f"# limit = 300  # {in_words(limited)}")
    others = games[at_the_same_time(games, game)]
    if len(others) and pd.isna(game["concurrent_tables"]):
        credited = ", ".join(f"={_tables(text)}" for text in others["tables"])
        what = ", ".join(f"of {name}" for name in others["game_id"])
        counts = in_words(f"where games at the same time count: limit=tables {as_it_is(what)}")
        lines.append(f'# concurrent_tables = "{credited}"  # {counts}')
    return "\n".join(lines) + "\n"


def _tables(declared: object) -> str:
    return number_text(sum(parse_tables(declared).values())) if isinstance(declared, str) else ""
