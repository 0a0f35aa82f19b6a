"""The hands of PBN, and what can be made with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from resultproc.formats.common.play import deal, hand, makeable
from resultproc.formats.common.rows import Cell
from resultproc.model.seats import SEATS

_NAMES = ("north", "east", "south", "west")


def deals_of(
    deals: Mapping[str, str], tricks: Mapping[str, str | None], par: Mapping[str, int | None]
) -> Iterator[dict[str, object]]:
    """Yield the hands of the boards whose deal is whole, in the deals frame's columns.

    deals, tricks, par: the ``Deal`` of each board, what can be made on it, and its par score.
    """
    for board, text in deals.items():
        first, _, dealt = text.partition(":")
        hands = [hand(*each.split(".")) for each in dealt.split()]
        if first.upper() in SEATS and len(hands) == 4 and re.fullmatch("[1-9][0-9]{0,3}", board):
            at = SEATS.index(first.upper())
            whole = deal({_NAMES[(at + place) % 4]: each for place, each in enumerate(hands)})
            if whole:
                yield {"board": int(board), **whole, "makeable": tricks.get(board), "par": par.get(board)}


_MADE = re.compile("([NESW]) (NT?|[SHDC]) ([0-9]{1,2})")


def makeable_in(lines: Sequence[Cell]) -> str | None:
    """Return what the lines of an ``OptimumResultTable`` say each seat can make; None for one that is not whole."""
    found = [_MADE.fullmatch(" ".join(line.text.split())) for line in lines]
    return makeable({(one[1], "NT" if one[2] == "N" else one[2]): int(one[3]) for one in found if one})
