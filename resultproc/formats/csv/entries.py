"""Lists of pairs that have not played yet, as CSV: the table of a game without numbers and scores."""

from __future__ import annotations

from dataclasses import replace

from resultproc.formats.common.headings import column_of
from resultproc.formats.csv.reader import cells_of, delimiter_of, header_of, sep_of
from resultproc.formats.registry import decode
from resultproc.formats.source import Source
from resultproc.model.errors import FormatError

_SCORES = {"score", "percentage"}


def with_scores(source: Source) -> Source:
    """Return a list of pairs as the file of a game: numbered, and with a score of 0 each, where it has no such columns.

    The lines stay where they are. Raises FormatError for what is no text.
    """
    if source.data.startswith(b"PK"):
        raise FormatError("this is a workbook, and a list of pairs is CSV", hint="save its sheet as CSV")
    lines = decode(source.data).split("\n")
    sep = sep_of(lines)
    top = header_of(lines, sep)
    if top is None:
        return source
    delimiter = sep or delimiter_of(lines[top])
    header = cells_of(lines[top], delimiter, top + 1).cells
    columns = {column_of(cell.text) for cell in header}
    numbered, scored = "number" in columns, bool(columns & _SCORES)
    for at in range(top, len(lines)):
        if not lines[at].strip(",;\t "):
            continue
        lacking = len(header) - len(cells_of(lines[at], delimiter, at + 1).cells)
        more = [] if numbered else ["number" if at == top else str(at - top)]
        more += [] if scored else ["score" if at == top else "0"]
        lines[at] += delimiter * max(lacking, 0) + "".join(f"{delimiter}{each}" for each in more)
    return replace(source, data="\n".join(lines).encode())
