"""The recap sheets that ACBLscore prints: a head of labelled cells, a row for each contestant, and the boards below.

A sheet begins with ``EVENT>``, and says in its head the session, section and direction, date, rating with the
percentages of the strata, movement, average and top, the strata's limits and the club. Below that is a table with the
number, the member number and name of each player, the stratum (``Flt``), a rank for each stratum (``Rnk-A``; ``Rank``
where there are none) under ``Section`` or ``Overall``, score, percentage and award, and the sum of the scores. A
contestant without a stratum where there are some, or with ``NE`` for a rank, is not eligible. Sheets that agree in
event, session, date, rating and limits are one game; what is printed twice, word for word, is read once.

What the sheet says of the game counts where nothing else is declared. The boards are passed over: a pair's column does
not say whom it met.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from resultproc.formats.declared import held
from resultproc.formats.text.listing import COLUMNS_LOST, TO_KEEP, award_of, rank_of, value_of
from resultproc.model.codes import PASSED_OVER, UNKNOWN, UNREADABLE
from resultproc.model.dates import date_in, day_written
from resultproc.model.directions import direction_of
from resultproc.model.draft import Draft, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem
from resultproc.model.game import (
    OPEN,
    EventType,
    Movement,
    Stratum,
    league,
    number_text,
    per_section_text,
    strata_text,
)
from resultproc.model.grid import Cell, Records
from resultproc.model.source import Declaration, Source
from resultproc.model.text import tidy
from resultproc.tables.unsaid import tables_filled

BEGIN = "EVENT>"
_CELL = re.compile(r"(?:^|\|)\s*([A-Z][A-Z ./]*)>([^|]*)")
_RULER = re.compile(r"-{20,}(?: -+)+ *")
_RANKED = re.compile("Rnk-([A-Z])")
_MEMBER = 8
"""How many columns a member number stands before its player's name."""

_TABLE = ("Flt", "Rank", "Score", "Pct", "Awards")
_PASSED_OVER = ("Sect Table Dir",)
"""The labels of a table besides the ranks of strata; and those that ranks and awards do not need."""


class _Column(NamedTuple):
    """A column of a table."""

    label: str  # what it is called
    above: str  # what is above the label, for columns that belong together
    start: int  # where its texts begin
    end: int  # where they end


@dataclass
class _Sheet:
    """A sheet."""

    where: str  # the line that it begins in
    said: dict[str, str]  # what its head says, by label
    head: list[Cell]  # what is above the labels of the columns, these, and the ruler below them
    rows: list[Cell]  # the lines of contestants
    total: Cell  # the line with the sum of their scores

    @property
    def game(self) -> tuple[str, ...]:
        """What sheets of one game agree in."""
        return tuple(self.said.get(label, "") for label in ("EVENT", "SESSION", "DATE", "RATING", "MP LIMITS"))

    @property
    def seats(self) -> tuple[str, str | None]:
        """The section, and the direction of its contestants, None where there is one winner; InputError for another."""
        said = self.said.get("SECTION", "")
        section, _, direction = said.partition(" ")
        if not section or (direction and not direction_of(direction.strip())):
            hint = "write one section, and N-S, E-W or nothing after it, such as 'SECTION> A N-S'"
            raise InputError(f"invalid section: 'SECTION>{said}'", self.where, hint, code=UNREADABLE)
        return section, direction_of(direction.strip())

    @cached_property
    def columns(self) -> tuple[list[int], list[_Column]]:
        """Return where the names of the players begin and where the last ends, and the columns right of them."""
        above, labels, ruler = (line.text for line in self.head)
        spans = [found.span() for found in re.finditer("-+", ruler)]
        wide = spans[-1][1] + 1
        names = [found.start() for found in re.finditer("Name", labels[: spans[0][1]])]
        columns = []
        for start, end in spans[1:]:
            middle = (start + end) // 2
            group = above.ljust(wide)
            left, right = group.rfind("|", 0, middle) + 1, group.find("|", middle)
            said = group[left : right if right >= 0 else None].strip()
            columns.append(_Column(labels[start:end].strip(" |"), said, start, end))
        return [*names, spans[0][1]], columns


_Read = tuple[_Sheet, list[dict[str, object]]]
"""A sheet and what it says of its contestants."""


def has_recap(lines: Iterable[str]) -> bool:
    """Say whether a file has a recap sheet: its first line, with the labels of its head in those that follow."""
    found = [line for line in lines if line.strip()]
    return any(
        line.lstrip(" ").startswith(BEGIN) and any("RATING>" in each for each in found[at : at + 8])
        for at, line in enumerate(found)
    )


def recap_draft(source: Source, lines: Sequence[Cell]) -> Draft:
    """Return what the recap sheets of a file say; InputError that names the line of what cannot be read."""
    games: dict[tuple[str, ...], list[_Sheet]] = {}
    for sheet in _sheets(lines):
        games.setdefault(sheet.game, []).append(sheet)
    facts: list[dict[str, object]] = []
    records: list[dict[str, object]] = []
    remarks: list[Problem] = []
    for number, sheets in enumerate(games.values(), 1):
        game_id = source.game_id(number, len(games))
        once: dict[frozenset[tuple[tuple[str, object], ...]], _Read] = {}
        for sheet in sheets:
            contestants = list(_contestants(sheet))
            said = frozenset(tuple(item for item in each.items() if item[0] != "where") for each in contestants)
            once.setdefault(said, (sheet, contestants))
        found = list(once.values())
        remarks += [remark for sheet, contestants in found for remark in _doubts(sheet, contestants)]
        records += [{"game_id": game_id, **each} for _, contestants in found for each in contestants]
        facts.append({"game_id": game_id, **_facts(found)})
    return sheet_of(source, Records(records), facts, remarks)


def _sheets(lines: Sequence[Cell]) -> Iterator[_Sheet]:
    """Yield the sheets of a file, each further table below one head as a sheet of its own.

    What is indented as a whole, as in a message, is read as if it were not.
    """
    starts = [at for at, line in enumerate(lines) if line.text.lstrip(" ").startswith(BEGIN)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        part = [line for line in lines[start:end] if line.text.strip()]
        indent = min(len(line.text) - len(line.text.lstrip(" ")) for line in part)
        part = [line._replace(text=line.text[indent:]) for line in part]
        # A ruler is below the labels of a table.
        found = (i for i, line in enumerate(part) if i > 1 and _RULER.fullmatch(line.text))
        rulers = [i for i in found if part[i - 1].text.startswith("No ")]
        head = part[: rulers[0]] if rulers else part
        said = {label.strip(): text.strip() for line in head for label, text in _CELL.findall(line.text)}
        if not rulers:
            game = said.get("GAME", "")
            what = f"a sheet of GAME>{game} cannot be read" if game else "this sheet has no table of contestants"
            raise FormatError(what, lines[start].where, "give the program's game file", code=UNKNOWN)
        for ruler, last in pairwise([*rulers, len(part)]):
            below = range(ruler + 1, last)
            total = next((at for at in below if part[at].text.strip().startswith("Totals")), None)
            if total is None:
                hint = (
                    "is the file cut off, or the table parted by a page? The sum of the scores, 'Totals', is not there"
                )
                raise InputError("this table does not end", part[ruler].where, hint, code=UNREADABLE)
            head, rows = part[ruler - 2 : ruler + 1], part[ruler + 1 : total]
            yield _Sheet(lines[start].where, said, head, rows, part[total])


def _contestants(sheet: _Sheet) -> Iterator[dict[str, object]]:
    names, columns = sheet.columns
    section, direction = sheet.seats
    if names[0] < _MEMBER:
        raise InputError(COLUMNS_LOST, sheet.head[1].where, TO_KEEP, code=UNREADABLE)
    ends = [*(start - _MEMBER for start in names[1:-1]), names[-1]]
    for row in sheet.rows:
        first, _, rest = row.text.partition(" ")
        if first.isdecimal() and row.text[names[0] - 1 : names[0]].strip():
            # An editor has taken the blanks from the line's beginning.
            row = row._replace(text=f"{first.rjust(names[0] - _MEMBER - 1)} {rest}")
        text = row.text.ljust(columns[-1].end)
        number = text[: max(names[0] - _MEMBER, 0)].strip()
        if not re.fullmatch("[0-9]+", number):
            raise InputError("this row does not begin with a number", row.where, "is it cut off?", code=UNREADABLE)
        _refuse_between(row, names, columns)
        record: dict[str, object] = {"where": row.where, "section": section, "direction": direction, "number": number}
        for player, (start, end) in enumerate(zip(names, ends, strict=False), 1):
            said = {f"player{player}": tidy(text[start:end]), f"id{player}": text[start - _MEMBER : start].strip()}
            record |= {name: text for name, text in said.items() if text}
        yield record | _said(text, columns, row.where)


def _refuse_between(row: Cell, names: Sequence[int], columns: Sequence[_Column]) -> None:
    """Refuse what stands between two columns, or right of the last: cells would be cut in silence."""
    between = [*(start - 1 for start in names[:-1]), *(start - _MEMBER - 1 for start in names[1:-1])]
    between += [column.start - 1 for column in columns]
    beside = range(columns[-1].end, len(row.text))
    stray = next((at for at in (*between, *beside) if row.text[at : at + 1].strip()), None)
    if stray is not None:
        what = f"the text at place {stray + 1} of this row is not in any column"
        raise InputError(what, row.where, "put each text below its label", code=UNREADABLE)


def _doubts(sheet: _Sheet, contestants: Sequence[Mapping[str, object]]) -> Iterator[Problem]:
    """Yield remarks on columns that are not read, and on scores that do not add up to their sum."""
    for column in sheet.columns[1]:
        if column.label not in (*_TABLE, *_PASSED_OVER) and not _RANKED.fullmatch(column.label):
            what = f"the column '{column.label}' is not read"
            yield Problem(what, sheet.head[1].where, "look whether ranks or awards need it", code=PASSED_OVER)
    found = re.fullmatch(r"Totals +([0-9]+\.[0-9]+)", sheet.total.text.strip().replace(",", "."))
    total = sum(float(str(each.get("score") or 0)) for each in contestants)
    if found and abs(total - float(found[1])) > _ROUNDED * len(contestants):
        what = f"the scores add up to {total:.2f}, and Totals says {found[1]}"
        yield Problem(what, sheet.total.where, "correct the score that is wrong, or add who is missing")


_ROUNDED = 0.01
"""How much more or less a score may be than it is printed."""


def _said(text: str, columns: Sequence[_Column], where: str) -> dict[str, object]:
    """Return what the columns right of the names say of a contestant."""
    found: dict[str, object] = {"eligible": True}
    ranks: dict[str, list[str]] = {}
    for label, above, start, end in columns:
        cell = text[start:end].strip()
        ranked = _RANKED.fullmatch(label)
        if label == "Flt":
            found |= {"stratum": cell} if cell else {"eligible": False}
        elif (ranked or label == "Rank") and cell.strip("."):
            rank, ineligible = rank_of(cell, where)
            found["eligible"] = found["eligible"] and not ineligible
            basis = "overall" if above.startswith("Overall") else "section"
            ranks.setdefault(f"printed_{basis}", []).extend([f"{ranked[1] if ranked else 'A'}={rank}"] if rank else [])
        elif label in {"Score", "Pct"} and cell:
            found |= value_of("score" if label == "Score" else "percentage", cell, where)
        elif label == "Awards" and cell:
            found |= award_of(cell, where)
    return found | {name: ", ".join(texts) for name, texts in ranks.items() if texts}


_CLUB_MASTERPOINT = re.compile(r"Club Masterpoint *\(((?:[0-9]+%, ?)*(?:[0-9]+% )?)Open\)")


def _facts(found: Sequence[_Read]) -> dict[str, object]:
    first = found[0][0]
    said, (names, columns) = first.said, first.columns
    sides: dict[str, list[str | None]] = {}
    for sheet, contestants in found:
        section, direction = sheet.seats
        sides.setdefault(section, []).extend([direction] * len(contestants))
    kind = EventType.INDIVIDUAL if len(names) == 2 else EventType.PAIRS
    limited = said.get("MP LIMITS", "")
    if not re.fullmatch("(None|[0-9]+)(/(None|[0-9]+))*", limited):
        what = f"invalid limits: 'MP LIMITS>{limited}'"
        raise InputError(what, first.where, "write them as None/100", code=UNREADABLE)
    day = day_written(date_in(said.get("DATE", "")))
    if day is None:  # as in a sheet that was never filled in
        what = f"invalid date: 'DATE>{said.get('DATE', '')}'"
        raise InputError(what, first.where, "write it as April 18, 2012", code=UNREADABLE)
    limits = [OPEN if text == "None" else float(text) for text in limited.split("/")]
    letters = [each.label[-1] for each in columns if _RANKED.fullmatch(each.label)]
    letters = list(dict.fromkeys(letters)) or ["A"]
    falling = len(limits) == len(letters) and all(upper > lower for upper, lower in pairwise(limits))
    game = _CLUB_MASTERPOINT.fullmatch(said.get("RATING", ""))
    rating = "" if game is None else league().groups["open" if limits[:1] == [OPEN] else "limited-club"][0]
    keys = {
        "event": tidy(said["EVENT"]),
        "session": tidy(said.get("SESSION", "")),
        "club": tidy(said.get("CLUB", "")),
        "date": day.date().isoformat(),
        "rating": rating,
        "event_type": kind.value if kind is EventType.INDIVIDUAL else "",
        "movement": per_section_text({n: Movement.MITCHELL if any(s) else Movement.HOWELL for n, s in sides.items()}),
        "tables": per_section_text({name: tables_filled(each, kind) for name, each in sides.items()}),
        "boards": _boards(said),
        "strata": strata_text([*map(Stratum, letters, limits)]) if falling else "",
        "limit": number_text(limits[0]) if limits and limits[0] != OPEN else "",
    }
    percents = dict(zip(letters, map(int, re.findall("[0-9]+", game[1])), strict=False)) if game else {}
    stored = {"stored_percent_of_open": per_section_text(percents)} if percents else {}
    return {**stored, **held({key: Declaration(value, first.where) for key, value in keys.items() if value}, "")}


def _boards(said: Mapping[str, str]) -> str:
    """Return how many boards each pair played: it wins half of the top of each on average."""
    try:
        boards = 2 * float(said["AVE"].replace(",", ".")) / float(said["TOP"])
        whole = round(boards)
    except (KeyError, ValueError, ZeroDivisionError, OverflowError):
        return ""
    return str(whole) if whole and abs(boards - whole) < 0.01 else ""
