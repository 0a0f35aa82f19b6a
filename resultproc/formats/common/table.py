"""Rows of cells, from CSV or a spreadsheet, to contestants: the header's synonyms and the checks of every cell."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from resultproc.model.errors import FormatError, InputError, Problem, closest
from resultproc.model.frames import CONTESTANTS, EAST_WEST, NORTH_SOUTH
from resultproc.model.game import number_text

SYNONYMS = {
    "section": ("sec", "bracket"),
    "direction": ("dir", "ns/ew", "line"),
    "number": ("pair", "pair number", "pair no", "no", "nr", "#", "team", "team number", "team no", "seed"),
    "stratum": ("strat", "strata", "flight"),
    "eligible": (),
    "score": ("matchpoints", "mps", "total", "total score", "session score"),
    "percentage": ("percent", "pct", "%", "perc", "score %"),
    "carryover": ("carry over", "c/o"),
    "adjustment": ("adj",),
    "handicap": ("hcp", "hcap"),
    "playoff": ("play-off", "play off"),
    "wins": ("won", "matches won"),
    "game_id": ("game",),
    "printed_section": ("section rank", "section ranks"),
    "printed_overall": ("overall rank", "overall ranks"),
    "printed_award": ("masterpoints", "award", "awards", "masterpoints won"),
    "printed_paid_by": ("paid by",),
    "printed_colours": ("colours", "colors"),
}
"""What else a header may call a column; letter case, blanks and underscores do not matter."""

_FAMILIES = {
    "player": "player|name|player name",
    "id": "id|member|member number|member no|acbl|acbl number|acbl no|number|no",
    "mp": "mp|mps|masterpoints|holding",
    "played": "played|participation",
    "printed_share": "printed_share|award",
    "session": "session|session score",
    "round": "round|rd",
    "section": "section|sec",
    "direction": "direction|dir",
}
"""The same of the columns that there are several of: a number follows, as in ``player 1``."""

_RANKS = {"printed_section": "rank|section rank", "printed_overall": "overall|overall rank"}
"""The same of columns that hold the ranks in one stratum: its letter follows, as in ``rank B``."""

_DIRECTIONS = {
    **dict.fromkeys(("N-S", "NS", "N/S", "N", "NORTH-SOUTH", "NORTH/SOUTH", "NORTH SOUTH"), NORTH_SOUTH),
    **dict.fromkeys(("E-W", "EW", "E/W", "E", "EAST-WEST", "EAST/WEST", "EAST WEST"), EAST_WEST),
}

_REQUIRED = ("number", "player1")

_SCORES = ("score", "percentage", "session1", "round1")
"""A contestant has one of these."""


@dataclass(frozen=True)
class Cell:
    """A cell's text, where it stands, and what is wrong with it whatever it should hold."""

    text: str
    where: str
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """The cells of a row and where it stands."""

    cells: Sequence[Cell]
    where: str

    @property
    def texts(self) -> list[str]:
        """The texts that are not empty."""
        return [cell.text for cell in self.cells if cell.text]

    @property
    def is_remark(self) -> bool:
        """Whether a single text stands in it, in the first cell, that begins with #."""
        return len(self.texts) == 1 and self.cells[0].text.startswith("#") and not self.cells[0].fault


def tidy(text: str) -> str:
    """Return a name or word in one spelling: Unicode NFC, every run of blanks one blank, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def columns_named(row: Row) -> int:
    """Return how many texts of a row are names of columns."""
    return sum(_column(text) is not None for text in row.texts)


def direction_of(text: str) -> str | None:
    """Return the direction that a word stands for: NS, North-South, E/W, ...; None for any other word."""
    return _DIRECTIONS.get(text.upper())


def read_table(header: Row, rows: Iterable[Row], defaults: Mapping[str, str]) -> pd.DataFrame:
    """Return the contestants of a table, in the contestants frame's columns (``game_id`` only where the table has it).

    defaults: what holds in every row, of columns that the header does not have.
    Rows without any text are passed over, and remarks: rows where a single text, in the first cell, begins with #.
    Raises InputError with every wrong header and cell.
    """
    columns = _columns(header)
    problems: list[Problem] = []
    records = []
    for row in rows:
        if not row.texts or row.is_remark:
            continue
        record, wrong = _record(columns, row)
        problems += wrong or _lacking(record)
        records.append(record)
    if not any(name in columns for name in _SCORES) and any(record["eligible"] for record in records):
        raise InputError("the column 'score' is missing", header.where, "the header needs score or percentage")
    if problems:
        raise InputError(problems)
    if not records:
        raise FormatError("there is a header but no contestant below it", header.where)
    frame = pd.DataFrame.from_records(records)
    if "section" in frame:
        games = frame["game_id"].fillna("") if "game_id" in frame else pd.Series("", frame.index)
        frame["section"] = frame["section"].groupby(games).ffill()
        lacking = frame["where"][frame["section"].isna()]
        if len(lacking):
            what = "this row has no section, as others have"
            raise InputError(Problem(what, where, "name the section") for where in lacking)
    return frame.assign(**{name: value for name, value in defaults.items() if name not in frame})


def _record(columns: Sequence[str | None], row: Row) -> tuple[dict[str, object], list[Problem]]:
    """Return the values of a row by column, and what is wrong in its cells."""
    record: dict[str, object] = {"where": row.where, "eligible": True}
    problems = []
    for i, cell in enumerate(row.cells):
        if not cell.text:
            continue
        name = columns[i] if i < len(columns) else None
        if cell.fault:
            problems.append(Problem(cell.fault, cell.where))
            continue
        if name is None:
            problems.append(Problem(f"'{cell.text}' stands in a column that has no header", cell.where, "name it"))
            continue
        try:
            column, _, stratum = name.partition(" ")
            if stratum:
                rank = f"{stratum}={_rank(cell.text)}"
                record[column] = f"{record[column]}, {rank}" if column in record else rank
            else:
                record[name] = cell_value(name, cell.text)
        except ValueError as error:
            problems.append(Problem(str(error), cell.where))
    return record, problems


def _lacking(record: Mapping[str, object]) -> list[Problem]:
    lacking = [name for name in _REQUIRED if name not in record]
    if record["eligible"] and not any(name in record for name in _SCORES):
        lacking.append("score")
    where = str(record["where"])
    return [Problem(f"this row has no {name}", where, "every contestant needs one") for name in lacking]


def _columns(header: Row) -> list[str | None]:
    """Return the contestants' column of each header cell, None for an unnamed one.

    A column of ranks in one stratum is the contestants' column, a blank and the stratum's letter.
    """
    columns: list[str | None] = []
    problems = []
    for cell in header.cells:
        name = _column(cell.text) if cell.text else None
        if cell.text and name is None:
            problems.append(Problem(f"unknown column '{cell.text}'", cell.where, _meant(cell.text)))
        elif name is not None and any(_clash(name, other) for other in columns):
            problems.append(Problem(f"the column '{cell.text}' stands twice", cell.where, "keep one of them"))
        columns.append(name)
    for name in _REQUIRED:
        if name not in columns and not problems:
            hint = f"the header needs {', '.join(_REQUIRED)}"
            problems.append(Problem(f"the column '{name}' is missing", header.where, hint))
    if problems:
        raise InputError(problems)
    return columns


def _meant(text: str) -> str:
    """Return the hint for a header that is no column: a family's lacks its number, such as Name or Players."""
    family = _FAMILY_NAMES.get(_squash(text).removesuffix("s"))
    if family:
        return f"did you mean '{family}1', '{family}2', ...?"
    return closest(text, [c.name.replace("{n}", "1") for c in CONTESTANTS.columns if c.name != "where"])


def _clash(name: str, other: str | None) -> bool:
    """Say whether two columns tell the same: ranks in one stratum, and in all of them, too."""
    return other is not None and (name == other or name.partition(" ")[0] == other or other.partition(" ")[0] == name)


def _column(text: str) -> str | None:
    """Return the contestants' column that a header means, None for any other text."""
    squashed = _squash(text)
    if squashed in _NAMES:
        return _NAMES[squashed]
    numbered = re.fullmatch(r"(.+?)([1-9][0-9]?)", squashed)
    if numbered and numbered[1] in _FAMILY_NAMES:
        return _FAMILY_NAMES[numbered[1]] + numbered[2]
    lettered = re.fullmatch(r"(.+)[\s_.-]([A-Za-z])", tidy(text))
    if lettered and _squash(lettered[1]) in _RANK_NAMES:
        return f"{_RANK_NAMES[_squash(lettered[1])]} {lettered[2].upper()}"
    return None


def _squash(text: str) -> str:
    return re.sub(r"[\s_.-]+", "", tidy(text).lower())


_NAMES = {_squash(word): name for name, words in SYNONYMS.items() for word in (name, *words)}
_FAMILY_NAMES = {_squash(word): name for name, words in _FAMILIES.items() for word in words.split("|")}
_RANK_NAMES = {_squash(word): name for name, words in _RANKS.items() for word in (name, *words.split("|"))}


def cell_value(name: str, text: str) -> object:
    """Return what a cell of a contestants' column holds; raise ValueError, which says what would be right."""
    family = name.rstrip("0123456789")
    if name in {"score", "carryover", "adjustment"} or family == "session":
        return number(text)
    if name == "percentage":
        return _in_range(name, text.removesuffix("%"), 0, 100)
    if family == "played":
        return _in_range("part of the event, in percent,", text.removesuffix("%"), 0, 100)
    if name == "printed_award" or family == "printed_share":
        return round(_in_range("masterpoint award", text, 0, 100_000) * 100)
    if name == "wins":
        return _wins(text)
    if name == "handicap":
        return _in_range(name, text, 0, 100)
    if family == "mp":
        return _in_range("holding", _without_thousands(text), 0, 10_000_000)
    if family == "direction":
        direction = direction_of(text)
        if direction is None:
            raise ValueError(f"'{text}' is no direction; write N-S or E-W, or nothing in a one-winner section")
        return direction
    if name == "stratum":
        if not re.fullmatch("[A-Za-z]", text):
            raise ValueError(f"'{text}' is no stratum; write its letter, such as B")
        return text.upper()
    if name == "eligible":
        if text.lower() not in {"yes", "no", "true", "false", "1", "0"}:
            raise ValueError(f"'{text}' is neither yes nor no")
        return text.lower() in {"yes", "true", "1"}
    if family == "round" or name == "playoff":
        return _matches(text)
    if name == "number":
        return _number(text)
    return tidy(text).upper() if family == "section" else tidy(text)


def _wins(text: str) -> float:
    value = _in_range("number of matches won", text, 0, 100)
    if value * 2 != int(value * 2):
        raise ValueError(f"{text} matches cannot be won; a tied one counts half, as in 4.5")
    return value


def _number(text: str) -> str:
    return number_text(float(text)) if re.fullmatch(r"[0-9]{1,5}(\.0+)?", text) else tidy(text)


def _matches(text: str) -> str:
    """Return the matches of a round in one spelling: ``W 5``; of three teams that met, ``W 5 L 7``; ``bye``."""
    if text.lower() == "bye":
        return "bye"
    if not re.fullmatch(rf"{_MATCH}(?:[\s,;]+{_MATCH})*[\s,;]*", text, re.IGNORECASE):
        raise ValueError(
            f"'{text}' is no match; write W 5 for one won against team 5, L 5 for a lost one, F 5 for one forfeited, "
            "W 5 L 7 where three teams met, or bye"
        )
    return " ".join(f"{result.upper()} {_number(other)}" for result, other in re.findall(_MATCH, text, re.IGNORECASE))


_MATCH = r"([WLF])(?:\s+|(?=[0-9]))([^\s,;]+)"


def _rank(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,6}(/[0-9]{1,6})?", text):
        raise ValueError(f"'{text}' is no rank; write it as 1, or of a tie as 2/3")
    return text


def number(text: str) -> float:
    """Return a number as a sheet writes it: 133, 133.50, 1,234.5, 133,50 or -4; raise ValueError for anything else.

    A single comma before three digits is refused: it may stand for thousands or for decimals.
    """
    plain = text.strip().replace("\u2212", "-")
    if re.fullmatch(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}", plain):
        raise ValueError(
            f"'{text}' may be {plain.replace(',', '.')} or {plain.replace(',', '')}; write it without the comma"
        )
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


def _without_thousands(text: str) -> str:
    """Return a holding without its comma of thousands: holdings have two decimals, so it can be nothing else."""
    return text.replace(",", "") if re.fullmatch(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?", text) else text


def _in_range(name: str, text: str, low: float, high: float) -> float:
    value = number(text)
    if not low <= value <= high:
        raise ValueError(f"a {name} of {text} cannot be; it lies between {low} and {high}")
    return value
