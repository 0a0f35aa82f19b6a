"""The lines of a report, bare or in the ``<pre>`` of a saved web page, each with the number of its line in the file."""

from __future__ import annotations

import re

from resultproc.formats.common.rows import Cell

_PRE = re.compile(r"</?pre\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>(\n?)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_BROKEN = "\v"


def report_lines(text: str) -> list[Cell]:
    """Return the lines of a report; of a web page those in its ``<pre>`` elements, without tags and entities."""
    if _PRE.search(text) is None:
        return [Cell(line, f"line {number}") for number, line in enumerate(text.split("\n"), 1)]
    import html

    parts = _PRE.split(text)
    # Parts are by turns outside and inside; what is outside keeps its line ends, so that lines can be counted.
    shown = "".join(_inside(part) if i % 2 else "\n" * part.count("\n") for i, part in enumerate(parts))
    return [
        Cell(html.unescape(part).replace("\xa0", " "), f"line {number}")
        for number, line in enumerate(shown.split("\n"), 1)
        for part in line.split(_BROKEN)
    ]


def _inside(text: str) -> str:
    return _TAG.sub("", _BREAK.sub(lambda found: found[1] or _BROKEN, text))
