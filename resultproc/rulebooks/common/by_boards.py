"""Awards that go by the boards that each contestant was to play: in proportion to a session of the usual length."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group
from resultproc.model.keys import how_to_declare
from resultproc.rulebooks.common.exact import half_up, text
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition

_STANDARD, _MOST, _ROUNDING, _FEWER, _CAPS = (
    f"boards.{name}" for name in ("standard", "most", "rounding", "fewer", "caps")
)


def go_by_boards(edition: Edition) -> bool:
    """Return whether an edition has awards that go by boards."""
    return _STANDARD in edition.entries


def counted_boards(edition: Edition, groups: pd.DataFrame) -> pd.Series[int]:
    """Return the boards of each group's session where they matter, 0 where they do not or are not declared."""
    boards = groups["boards"].fillna(0).astype(np.int64)
    return boards if go_by_boards(edition) else boards * 0


def by_boards(edition: Edition, group: Group, first: First, cap: Fraction) -> First:
    """Return the first award by the boards that were played; unchanged where the edition knows no such thing.

    cap: what the award is at most where the boards are not to raise it above.
    Raises DeclarationError where boards are not declared, unless the game names its rulebook: then it gets what a
    session of the usual length pays.
    """
    if not go_by_boards(edition):
        return first
    if not group.boards:
        if group.rulebook_named:
            return first
        what = "boards is not declared, and club games of that day pay by the boards that each pair was to play"
        raise DeclarationError(what, hint=how_to_declare("boards", "24"), code=MISSING)
    standard, most = edition.whole(_STANDARD), edition.number(_MOST)
    exact = Fraction(group.boards, standard)
    rounded = Fraction(half_up(exact * 10), 10)
    to_one_decimal, reduced = edition.text(_ROUNDING) == "to one decimal", edition.text(_FEWER) == "in proportion"
    played = rounded if to_one_decimal else exact
    factor = min(played, most)
    cited = [_STANDARD, *([_FEWER] if exact < 1 else [])]
    if exact < 1 and not reduced:
        return first.also_by(*cited)
    if min(exact, most) != min(rounded, most):
        cited.append(_ROUNDING)
    if factor == 1:
        return first.also_by(*cited)
    shown = f"{group.boards}/{standard}" + (f" = {text(played)}" if to_one_decimal else "")
    if played > most:
        shown += f", at most {text(most)}"
        cited.append(_MOST)
    award, factors = first.award * factor, f"{first.factors}, x {shown}"
    if award > (limit := max(cap, first.award)):
        cited.append(_CAPS)
        if edition.text(_CAPS) == "stay":
            award, factors = limit, f"{factors}, the cap stays"
    return First(award, factors, (*first.cited, *cited))


def without_boards(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that names its rulebook and does not say its boards, which the awards go by."""
    if not go_by_boards(edition):
        return
    unknown = (games["boards"].isna() & games["rulebook_named"].astype("bool")).to_numpy()[rows]
    standard = edition.whole(_STANDARD)
    for row in rows[unknown]:
        yield int(row), f"boards is not declared: the awards are those for {standard} boards", how_to_declare("boards")
