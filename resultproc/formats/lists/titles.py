"""What stands around a list: the event's name, club, date, movement, tables and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from resultproc.formats.common.around import Above
from resultproc.formats.common.rows import Cell, Row
from resultproc.formats.lists.words import names_for, with_english_months
from resultproc.model.dates import date_in
from resultproc.model.errors import InputError

_MOST_TITLES = 12


def above_of(titles: Sequence[Row], page_title: str) -> Above:
    """Return what titles say; one that declares what can't be declared is passed over."""
    kept = []
    for row in [*titles[-_MOST_TITLES:], *([_row(page_title)] if page_title else [])]:
        if len(row.texts) == 1 and names_for(row.texts[0]):
            continue  # as programs head a page by its first column
        try:
            declares = bool(Above.of([row]).declared)
            if not declares:
                row = Row([Cell(with_english_months(" ".join(row.texts)), row.where)], row.where)
                Above.of([row])
        except InputError:
            continue
        kept.append(row)
    dated = [row for row in kept if date_in(row.cells[0].text)]
    try:
        return Above.of(dated + [row for row in kept if row not in dated])
    except InputError:
        return Above()


def _row(text: str) -> Row:
    return Row([Cell(text, "the page's title")], "the page's title")


def of_meta(meta: Mapping[str, str]) -> dict[str, Any]:
    """Return what Magic Contest's ``META`` lines say of a game, as texts by game key.

    Their names are those that the program writes: https://www.brenning.se.
    """
    if "magic contest" not in meta.get("generator", "").casefold():
        return {}
    said = {
        "date": meta.get("contestdate", ""),
        "event": meta.get("contestname", ""),
        "tables": meta.get("tablecount", ""),
        "boards": meta.get("boardcount", ""),
    }
    return {key: text for key, text in said.items() if text and (key != "event" or text != said["date"])}
