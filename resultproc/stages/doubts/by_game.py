"""One remark for a game and a kind of doubt, with the rows that have it: ten rows are one remark, not ten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from resultproc.model.arrays import Ints, run_starts
from resultproc.model.errors import ROWS_QUOTED, Problem
from resultproc.model.facts import Facts
from resultproc.model.game import TEAMS, EventType

_KINDS = {EventType.INDIVIDUAL.value: "players", EventType.PAIRS.value: "pairs", **dict.fromkeys(TEAMS, "teams")}
"""What contestants are called."""


def remarks_by_game(
    facts: Facts,
    rows: Ints,
    notes: Sequence[str],
    one: Callable[[int], str],
    several: Callable[[int, str], str],
    hint: str,
    hint_of_one: Callable[[int], str] | None = None,
    kind: str = "",
) -> Iterator[Problem]:
    """Yield a remark for each game that has some of the rows of contestants; each lists its rows.

    facts: of the sheet.
    rows: positions in the contestants frame.
    notes: what is doubtful about each row, in a word or two.
    one: says it of a single row, by its place among the rows.
    several: says it of a game's, by the place of the first, and how many there are, such as ``10 pairs``.
    hint: what would settle it.
    hint_of_one: the same for a single row, where more may be known; None for the same hint.
    kind: what is counted, where it is not the contestants.
    """
    if not len(rows):  # to name them, all contestants are looked at
        return
    game = facts.sections.game[rows]
    order = np.lexsort((rows, game))
    game, rows = game[order], rows[order]
    names = facts.every_called(rows)
    places = facts.places(rows, names).tolist()
    texts = (names + " (" + np.array(notes, dtype=object)[order] + ")").tolist()
    of_type = facts.event_type[game]
    for start, end in pairwise([*np.flatnonzero(run_starts(game)).tolist(), len(rows)]):
        first, count = int(order[start]), end - start
        if count == 1:
            yield facts.of_contestant(int(rows[start]), one(first), hint_of_one(first) if hint_of_one else hint)
            continue
        counted = kind or _KINDS.get(str(of_type[start]), "contestants")
        what = several(first, f"{count} {counted}")
        more = f" and {count - ROWS_QUOTED} more" if count > ROWS_QUOTED else ""
        listed = [*zip(places[start:end], texts[start:end], strict=True)]
        named = ", ".join(texts[start : min(end, start + ROWS_QUOTED)])
        yield facts.of_game(int(game[start]), f"{what}: {named}{more}", hint, places[start], listed)
