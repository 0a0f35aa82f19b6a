"""Percentages in the sheet ``Data``: a formula of the score, so that whoever corrects that corrects both.

The value stands beside the formula, for programs that compute none. Other programs may leave it as it was, or leave it
out, when they change a score: so the reader computes our own formula itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

import numpy as np
import pandas as pd

from resultproc.formats.common.rows import Cell
from resultproc.model.maximum import maximum_of
from resultproc.model.values import number

_FORMULA = re.compile(r"=ROUND\(100\*([A-Z]{1,3})[0-9]+/([0-9]{1,9}(?:\.[0-9]{1,9})?),([0-9])\)")


def formula(score: str, maximum: str, decimals: int) -> str:
    """Return the formula of a percentage: of the score in a cell, ``=ROUND(100*G4/216,2)``."""
    return f"=ROUND(100*{score}/{maximum},{decimals})"


def computed(text: str, cells: Sequence[Cell]) -> str | None:
    """Return what our own formula gives in a row of cells; None for any other formula, and for a score that is none."""
    from openpyxl.utils import column_index_from_string

    found = _FORMULA.fullmatch(text)
    at = column_index_from_string(found[1]) - 1 if found else -1
    if found is None or at >= len(cells):
        return None
    try:
        return f"{_percentage(repr(number(cells[at].text)), found[2], int(found[3])):f}"
    except (InvalidOperation, ValueError):
        return None


def _percentage(score: str, maximum: str, decimals: int) -> Decimal:
    return (100 * Decimal(score) / Decimal(maximum)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def maximums(rows: pd.DataFrame) -> list[tuple[str, int] | None]:
    """Return the maximum of each contestant's score and the decimals of its percentage, where the former gives this.

    None where it has not both, or most of its section share no maximum.
    """
    if "score" not in rows or "percentage" not in rows:
        return [None] * len(rows)
    score, percentage = (rows[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in ("score", "percentage"))
    group = rows.groupby([name for name in ("game_id", "section") if name in rows]).ngroup()
    section = np.asarray(group, dtype=np.int64)
    usual = maximum_of(section, score, percentage).usual
    return [_maximum(*each) for each in zip(score.tolist(), percentage.tolist(), usual.tolist(), strict=True)]


def _maximum(score: float, percentage: float, usual: float) -> tuple[str, int] | None:
    if not (score >= 0 and percentage >= 0 and usual > 0):
        return None
    said = Decimal(repr(percentage))
    decimals = max(2, -int(said.as_tuple().exponent))
    own = [100 * score / percentage] if percentage else []  # of who sat out, or played fewer boards
    for maximum, digits in ((maximum, digits) for maximum in (usual, *own) for digits in range(4)):
        text = f"{maximum:.{digits}f}"
        if decimals < 10 and Decimal(text) and _percentage(repr(score), text, decimals) == said:
            return text, decimals
    return None
