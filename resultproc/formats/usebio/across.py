"""Sections whose boards are matchpointed together: the points that are printed of their results tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from resultproc.formats.common.records import Records

_COLUMNS = ("session", "section", "board", "printed_ns", "printed_ew", "ns_adjusted", "ew_adjusted")
_POINTS = (1, 2)
"""What a result that is beaten may be worth."""


def scored_together(parts: Iterable[Records | pd.DataFrame]) -> Mapping[str, str]:
    """Return, per section of an event, the first one of those whose results its own are compared with; none if apart.

    Both sides of a result have together what there is for beating every other result of the board: as many as there
    are in all sections, or in its own.
    """
    results = [result for part in parts if len(part) for result in _results(part)]
    sections = sorted({section for _, section, *_ in results})
    if len(sections) < 2:
        return {}
    sums: dict[str, Counter[float]] = {section: Counter() for section in sections}
    for _, section, _, *points in results:
        if not any(map(pd.isna, points[:2])) and all(map(pd.isna, points[2:])):
            sums[section][round(points[0] + points[1], 1)] += 1
    if not all(sums.values()):
        return {}
    usual = {section: counted.most_common(1)[0][0] for section, counted in sums.items()}
    of_all = max(Counter((session, board) for session, _, board, *_ in results).values())
    of_own = Counter((session, section, board) for session, section, board, *_ in results)
    most = {section: max(n for (_, each, _), n in of_own.items() if each == section) for section in sections}
    across = any(all(usual[section] == worth * (of_all - 1) for section in sections) for worth in _POINTS)
    apart = any(all(usual[section] == worth * (most[section] - 1) for section in sections) for worth in _POINTS)
    return dict.fromkeys(sections, sections[0]) if across and not apart else {}


def _results(part: Records | pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    return zip(*(part[name] for name in _COLUMNS), strict=True)
