"""PBN with results of boards and no totals: which pairs there are, in which directions, and how they are scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from resultproc.formats.common.rows import Cell, Records
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, Scoring

_SIDES = {"PairId_NS": NORTH_SOUTH, "PairId_EW": EAST_WEST}
_UNKNOWN = {"", "?", "-"}
_SIDED = re.compile("(.+?) ?(?:NS|EW)")


def pairs_of(results: Iterable[tuple[Cell, Mapping[str, Cell]]]) -> tuple[Records, dict[tuple[str, str], str]]:
    """Return the pairs that results of boards name, as contestants, and their numbers by section and as they are there.

    results: the board and cells of each. A number that sat in either direction is one pair, in a section of one winner,
    unless that pair would have met itself, or a board twice: then it is a pair in each direction.
    """
    sat: dict[tuple[str, str, str], Cell] = {}
    met: Counter[tuple[str, str, str]] = Counter()
    for board, cells in results:
        if any(name not in cells or cells[name].text in _UNKNOWN for name in _SIDES):
            continue
        section = cells["Section"].text.upper() if "Section" in cells else "A"
        for name, side in _SIDES.items():
            sat.setdefault((section, side, cells[name].text), cells[name])
            met[section, cells[name].text, board.text] += 1
    twice = {section for (section, _, _), times in met.items() if times > 1}
    turned = {section for section, side, text in sat if side == NORTH_SOUTH and (section, EAST_WEST, text) in sat}
    sided = all(_SIDED.fullmatch(text) for _, _, text in sat)
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    names = {}
    for (section, side, text), cell in sat.items():
        direction = "" if section in turned - twice else side
        names[section, text] = number = _SIDED.sub(r"\1", text) if sided else text
        row = {"section": section, "number": number, "eligible": True, "where": cell.where}
        rows.setdefault((section, direction, number), row | ({"direction": direction} if direction else {}))
    order = sorted(rows, key=lambda pair: (pair[0], pair[1] != NORTH_SOUTH, len(pair[2]), pair[2]))
    return Records(rows[pair] for pair in order), names


_SCORINGS = {
    Scoring.MATCHPOINTS: {"MP", "MATCHPOINTS", "MP1", "MP2"},
    Scoring.BUTLER: {"IMP", "BUTLER-2", "MEAN"},
    Scoring.CROSS_IMPS: {"IMP", "CROSS2"},
}
"""The basic systems and modifiers of the tag ``Scoring`` (3.4.12) of each way, all of which mean what is done here."""


def scoring_of(tag: str) -> str | None:
    """Return how boards are scored as the tag ``Scoring`` says: one of the ways, else its text, None where it is none.

    IMPs alone do not say what a score is compared with; sums of IMPs, and a mean of all scores, are other ways.
    """
    if tag in _UNKNOWN:
        return None
    fields = {part.strip().upper() for part in tag.split(";")} - {""}
    known = (way.value for way, words in _SCORINGS.items() if fields <= words and fields != {"IMP"})
    return next(known, tag)
