"""Rows of cells, from CSV or a spreadsheet, to contestants: the header's synonyms and the checks of every cell."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from resultproc.errors import FormatError, InputError, Problem, closest
from resultproc.frames import CONTESTANTS, EAST_WEST, NORTH_SOUTH
from resultproc.game import number_text

SYNONYMS = {
    "section": ("sec",),
    "direction": ("dir", "ns/ew", "line"),
    "number": ("pair", "pair number", "pair no", "no", "nr", "#", "team", "team number", "pairno"),
    "stratum": ("strat", "strata", "flight"),
    "score": ("matchpoints", "mps", "total", "total score", "session score"),
    "percentage": ("percent", "pct", "%", "perc", "score %"),
    "handicap": ("hcp", "hcap"),
    "game_id": ("game", "gameid"),
    "printed_section": ("section rank", "section ranks"),
    "printed_overall": ("overall rank", "overall ranks"),
    "printed_award": ("masterpoints", "award", "awards", "masterpoints won"),
    "printed_paid_by": ("paid by", "paid_by"),
    "printed_colours": ("colours", "colors"),
}
"""What else a header may call a column; letter case, blanks and underscores do not matter."""

_FAMILIES = {
    "player": re.compile(r"(?:player|name|player name)([0-9]{1,2})"),
    "id": re.compile(r"(?:id|member|member number|member no|acbl|acbl number|acbl no|number|no)([0-9]{1,2})"),
    "mp": re.compile(r"(?:mp|mps|masterpoints|holding)([0-9]{1,2})"),
}

_DIRECTIONS = {
    **dict.fromkeys(("N-S", "NS", "N/S", "N", "NORTH-SOUTH", "NORTH/SOUTH", "NORTH SOUTH"), NORTH_SOUTH),
    **dict.fromkeys(("E-W", "EW", "E/W", "E", "EAST-WEST", "EAST/WEST", "EAST WEST"), EAST_WEST),
}

_REQUIRED = ("number", "player1")


@dataclass(frozen=True)
class Cell:
    """A cell's text and where it stands."""

    text: str
    where: str


def tidy(text: str) -> str:
    """Return a name or word in one spelling: Unicode NFC, every run of blanks one blank, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def read_table(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> pd.DataFrame:
    """Return the contestants of a table, in the contestants frame's columns (``game_id`` only where the table has it).

    Rows without any text are passed over. Raises InputError with every wrong header and cell.
    """
    columns = _columns(header)
    problems: list[Problem] = []
    records = []
    for row in rows:
        if not any(cell.text for cell in row):
            continue
        record: dict[str, object] = {"where": row[0].where.partition(",")[0], "eligible": True}
        for name, cell in zip(columns, row, strict=False):
            if name is not None and cell.text:
                try:
                    record[name] = _value(name, cell.text)
                except ValueError as error:
                    problems.append(Problem(str(error), cell.where))
        extra = [cell for cell in row[len(columns) :] if cell.text]
        if extra:
            problems.append(Problem(f"'{extra[0].text}' stands beyond the last column of the header", extra[0].where))
        if not any(p.where.startswith(str(record["where"])) for p in problems):
            problems += _lacking(record)
        records.append(record)
    if problems:
        raise InputError(problems)
    if not records:
        raise FormatError("there is a header but no contestant below it")
    frame = pd.DataFrame.from_records(records)
    if "section" not in frame:
        frame["section"] = "A"
    frame["section"] = frame["section"].ffill() if frame["section"].notna().iloc[0] else frame["section"].fillna("A")
    return frame


def _lacking(record: dict[str, object]) -> list[Problem]:
    where = str(record["where"])
    lacking = [name for name in _REQUIRED if name not in record]
    if "score" not in record and "percentage" not in record and record["eligible"]:
        lacking.append("score")
    return [Problem(f"this row has no {name}", where, "every contestant needs one") for name in lacking]


def _columns(header: Sequence[Cell]) -> list[str | None]:
    """Return the contestants' column of each header cell, None for an unnamed one."""
    columns: list[str | None] = []
    problems = []
    for cell in header:
        name = _column(cell.text) if cell.text else None
        if cell.text and name is None:
            known = [c.name.replace("{n}", "1") for c in CONTESTANTS.columns]
            problems.append(Problem(f"unknown column '{cell.text}'", cell.where, closest(cell.text, known)))
        elif name is not None and name in columns:
            problems.append(Problem(f"the column '{cell.text}' stands twice", cell.where, "keep one of them"))
        columns.append(name)
    where = header[0].where.partition(",")[0] if header else ""
    for name in _REQUIRED:
        if name not in columns and not problems:
            problems.append(
                Problem(f"the column '{name}' is missing", where, f"the header needs {', '.join(_REQUIRED)}")
            )
    if "score" not in columns and "percentage" not in columns and not problems:
        problems.append(Problem("the column 'score' is missing", where, "the header needs score or percentage"))
    if problems:
        raise InputError(problems)
    return columns


def _column(text: str) -> str | None:
    plain = tidy(text).lower()
    for name, others in SYNONYMS.items():
        if plain == name or _squash(plain) in {_squash(name), *map(_squash, others)}:
            return name
    for family, pattern in _FAMILIES.items():
        found = pattern.fullmatch(plain.replace("_", " ")) or pattern.fullmatch(_squash(plain))
        if found and int(found[1]) > 0:
            return f"{family}{int(found[1])}"
    return "eligible" if plain == "eligible" else None


def _squash(text: str) -> str:
    return re.sub(r"[\s_.-]+", "", text)


def _value(name: str, text: str) -> object:
    if name == "percentage":
        return _in_range(name, text.removesuffix("%"), 0, 100)
    if name == "printed_award":
        return round(_in_range(name, text, 0, 100_000) * 100)
    if name == "handicap":
        return _in_range(name, text, 0, 100)
    if name == "score":
        return number(text)
    if name.startswith("mp"):
        return _in_range("holding", text, 0, 10_000_000)
    if name == "direction":
        if text.upper() not in _DIRECTIONS:
            raise ValueError(f"'{text}' is no direction; write N-S or E-W, or nothing in a one-winner section")
        return _DIRECTIONS[text.upper()]
    if name == "stratum":
        if not re.fullmatch("[A-Za-z]", text):
            raise ValueError(f"'{text}' is no stratum; write its letter, such as B")
        return text.upper()
    if name == "eligible":
        if text.lower() not in {"yes", "no", "true", "false", "1", "0"}:
            raise ValueError(f"'{text}' is neither yes nor no")
        return text.lower() in {"yes", "true", "1"}
    if name == "number":
        return number_text(float(text)) if re.fullmatch(r"[0-9]{1,5}(\.0+)?", text) else tidy(text)
    return tidy(text).upper() if name == "section" else tidy(text)


def number(text: str) -> float:
    """Return a number as a sheet writes it: 133, 133.50, 1,234.5, 133,50 or -4; raise ValueError for anything else."""
    plain = text.strip().replace("\u2212", "-")
    if re.fullmatch(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"[-+]?[0-9]+,[0-9]*", plain):
        plain = plain.replace(",", ".")
    if not re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]{1,2})?", plain, re.IGNORECASE):
        raise ValueError(f"'{text}' is no number; write it as 133 or 133.50")
    value = float(plain)
    if not math.isfinite(value) or abs(value) > 1e9:
        raise ValueError(f"{text} is beyond any score")
    return value


def _in_range(name: str, text: str, low: float, high: float) -> float:
    value = number(text)
    if not low <= value <= high:
        raise ValueError(f"a {name} of {text} cannot be; it lies between {low} and {high}")
    return value
