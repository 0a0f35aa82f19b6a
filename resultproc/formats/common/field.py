"""What a list of contestants says of its game, and of their ranks, in formats that leave it unsaid."""

from __future__ import annotations

import math

import pandas as pd

from resultproc.model.game import EventType, Movement, per_section_text

_AT_A_TABLE = {EventType.PAIRS: 2, EventType.INDIVIDUAL: 4}


def field_facts(contestants: pd.DataFrame, kind: EventType) -> dict[str, object]:
    """Return the type of event, and the tables and movement of each section, in the games frame's columns.

    A section has half a table for a pair that sits out, and as many tables as teams. Pairs that have a direction play
    a Mitchell, others a Howell; of other contestants nothing is said.
    """
    tables, movement = {}, {}
    for name, rows in contestants.groupby("section"):
        tables[str(name)] = math.ceil(len(rows) * 2 / _AT_A_TABLE.get(kind, 1)) / 2
        directed = "direction" in rows and rows["direction"].notna().any()
        movement[str(name)] = (Movement.MITCHELL if directed else Movement.HOWELL).value
    facts: dict[str, object] = {"event_type": kind.value, "tables": per_section_text(tables)}
    return facts | ({"movement": per_section_text(movement)} if kind is EventType.PAIRS else {})


def rank_texts(contestants: pd.DataFrame, places: pd.Series[str]) -> pd.Series[str]:
    """Return ranks as the printed columns have them, ``A=2/3`` for a tie, from places such as ``2`` or ``2=``.

    places: one per contestant; what is no place is passed over. Contestants of one direction are ranked together.
    """
    numbers = places.str.extract("^=?([0-9]{1,6}) ?=?$", expand=False).astype("float64").astype("Int64")
    frame = contestants.reset_index(drop=True)
    directions = frame["direction"].fillna("") if "direction" in frame else pd.Series("", frame.index)
    tied = numbers.groupby([directions, numbers]).transform("size")
    last = ("/" + (numbers + tied - 1).astype("str")).where(tied > 1, "")
    return ("A=" + numbers.astype("str") + last).where(numbers.notna())
