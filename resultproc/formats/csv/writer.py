"""CSV: every contestant with all that is known of it, and what is declared of the game in ``# key: value`` lines above.

It reads back through :mod:`resultproc.formats.csv.reader`. Of several games, each has its keys below a ``# [games.ID]``
line, and ``game_id`` is the first column. Text that a spreadsheet would take for a formula has an apostrophe before it,
which is taken off again in reading. UTF-8; with a byte order mark where there is more than ASCII in it, because
spreadsheets otherwise take the file for Windows-1252.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import cell_as_text, declaring_lines, names_games, shown_contestants
from resultproc.formats.registry import Writer, escape_formula
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.model.provenance import KEY


def write(result: Result) -> bytes:
    """Return the games as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    named = names_games(result.games)
    writer.writerow([f"# {KEY}: {result.provenance.line()}"])
    for game in result.games.to_dict("records"):
        writer.writerows([line] for line in declaring_lines(game, named))
    frame = shown_contestants(result)
    writer.writerow(_header(name, computed=result.awards is not None) for name in frame.columns)
    columns = [_texts(name, frame[name]) for name in frame.columns]
    writer.writerows(zip(*columns, strict=True))
    text = file.getvalue()
    return text.encode("utf-8" if text.isascii() else "utf-8-sig")


def _header(name: str, *, computed: bool) -> str:
    """Return what a column is called: what was printed has another name where it was computed."""
    column = CONTESTANTS.declared(name)
    return f"{column.computed}{name.removeprefix(column.family)}" if computed and column.computed else name


def _texts(name: str, values: pd.Series[Any]) -> list[str]:
    """Return a column's cells: texts that no spreadsheet takes for formulas, numbers below zero as they are."""
    texts = [cell_as_text(name, value) for value in values]
    return texts if values.dtype == "float64" else [escape_formula(text) for text in texts]


WRITER = Writer("csv", "CSV", (".csv",), write)
