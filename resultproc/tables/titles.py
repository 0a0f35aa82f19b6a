"""What people write around the contestants of a sheet: what is declared of the game, titles, notes and sums.

A line or row above the header declares a game key as ``# key: value``, as ``# key`` and the value in the next cell, or
without the #, which is then read all the same. Any other line that begins with # is a remark. Titles give the event's
name, the club's, a date, ``6 tables``, ``24 boards``, and the section or direction of the rows below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from resultproc.model.codes import DECLARES_NOTHING, PASSED_OVER
from resultproc.model.dates import date_in, date_in_name, dated, day_written, is_weekday, with_english_months
from resultproc.model.errors import DeclarationError, InputError, Problem, nearest
from resultproc.model.grid import Cell, Row
from resultproc.model.keys import KEYS, declared_value, unknown_key
from resultproc.model.source import Declaration
from resultproc.model.text import SYMBOLS, either
from resultproc.model.understood import SECTION_AND_DIRECTION, Told, told_seats
from resultproc.people.nobody import nobody_in
from resultproc.tables.headings import columns_named
from resultproc.tables.heads import (
    CROWDS,
    DIRECTOR,
    HEADINGS,
    crowd_in,
    events_named,
    greets,
    keys_labelled,
    labelled,
    names_club,
    said_aside,
    tells_of_one,
    ways_to_count,
    with_english_counts,
    with_figures,
)
from resultproc.tables.seats import seats_told
from resultproc.tables.sums import is_sum
from resultproc.tables.unsaid import RoundBoards, SessionBoards, TitledMovement, TitledTables, of_nobody

KEY_LINE = re.compile(r"#\s*([A-Za-z][A-Za-z_ -]*?)\s*:(.*)")
"""A declaration: ``# key: value``. Any other line that begins with # is a remark."""

GAME_LINE = re.compile(r"#\s*\[games\.(.+)\]\s*")
"""The beginning of what is declared of a single game."""

_NEAR = 0.8
"""How like a key the first cell of a row must be to be taken for a misspelling of it."""


def header_at(rows: Sequence[Row]) -> int | None:
    """Return the index of the header: the one of the first rows that names the most columns, two at least."""
    named = [columns_named(row) for row in rows[:HEADINGS]]
    return named.index(max(named)) if max(named, default=0) >= 2 else None


def key_name(text: str) -> str:
    """Return the name of a key as the keys are called: in lower case, with underscores."""
    return re.sub(r"[\s-]+", "_", text.strip().lower())


def key_lines(
    lines: Iterable[tuple[str, str]],
) -> tuple[dict[str, Declaration], dict[str, dict[str, Declaration]]]:
    """Return what lines such as those above a header declare, of all games and of single ones.

    lines: each with its place. Other lines than declarations are passed over.
    Raises InputError for a key or a game that appears twice.
    """
    declared: dict[str, Declaration] = {}
    each: dict[str, dict[str, Declaration]] = {}
    problems = []
    target = declared
    for text, where in lines:
        game, key = GAME_LINE.fullmatch(text), KEY_LINE.fullmatch(text)
        if game:
            if game[1] in each:
                problems.append(Problem(f"the game '{game[1]}' appears twice", where, "declare its keys in one place"))
            target = each.setdefault(game[1], {})
        elif key:
            name = key_name(key[1])
            if name in target:
                what = f"the key '{name}' appears twice, first in {target[name].where}"
                problems.append(Problem(what, where, "keep one of them"))
            target[name] = Declaration(unquoted(key[2].strip()), where)
    if problems:
        raise InputError(problems)
    return declared, each


def unquoted(text: str) -> str:
    """Return a text without quotation marks around it, as :func:`resultproc.pages.annotated.in_quotes` writes them."""
    found = re.fullmatch('"((?:[^"]|"")*)"', text)
    return found[1].replace('""', '"') if found else text


@dataclass
class Above:
    """What the rows above a header say."""

    declared: dict[str, Declaration] = field(default_factory=dict)  # the game keys of all games
    each: dict[str, dict[str, Declaration]] = field(default_factory=dict)  # those of single ones
    facts: dict[str, object] = field(default_factory=dict)  # what titles say of the game, in the games frame's columns
    seats: dict[str, str] = field(default_factory=dict)  # the section and direction of the rows below
    remarks: list[Problem] = field(default_factory=list)  # on what was passed over
    told: list[Told] = field(default_factory=list)  # which titles say what
    _dated_name: str = ""
    _dates: bool = False
    _row: str = ""
    _behind: tuple[str, Cell] | None = None

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Above:
        """Return what some rows say; raise InputError for a key or game that appears twice, or a misspelt key."""
        above = cls()
        lines: list[tuple[str, str]] = []
        for row in rows:
            cells = _undivided([cell for cell in row.cells if cell.text])
            if not cells:
                continue
            if cells[0].text.startswith("#") and labelled(cells[0].text.strip("# ").partition(":")[0]) not in CROWDS:
                lines.append((_line(cells), cells[0].where))
            else:
                lines += above._titles(cells)
        above.remarks += undeclared((where, text) for text, where in lines)
        above.declared, above.each = key_lines(lines)
        if above._behind:
            name, cell = above._behind
            above._tell("event", name, name, cell)
        if re.search(_BY_MATCH, str(above.facts.get("event", ""))) and isinstance(
            above.facts.get("boards"), SessionBoards
        ):
            del above.facts["boards"]
        return above

    def _titles(self, cells: Sequence[Cell]) -> list[tuple[str, str]]:
        """Take a row without #; return the lines that it declares."""
        self._row = " ".join(cell.text for cell in cells)
        if seats := seats_told(self._row):
            self._tell_seats(seats, cells[0].where, self._row)
            return []
        lines: list[tuple[str, str]] = []
        left = [part for cell in cells for part in _labelled(cell._replace(text=unquoted(cell.text)))]
        of_facts = sum(":" in cell.text for cell in left) > 1
        while left:
            cell = left.pop(0)
            key, colon, value = cell.text.partition(":")
            name, said = key_name(key), labelled(key)
            if said and name not in KEYS and (colon or (left and _value_of(said, left[0].text)[2])):
                name = said
            if name == DIRECTOR and not value.strip() and (colon or left):
                del left[:1]  # who directed is not kept, and no event's name
                continue
            if name in {*KEYS, *CROWDS, DIRECTOR} and (value.strip() or (left and (colon or name not in CROWDS))):
                beside = Cell(value.strip(), cell.where) if value.strip() else left.pop(0)
                lines += self._declare(name, beside, left, of_facts)
                continue
            if (colon or left) and not name[:1].isdigit() and nearest(name, KEYS, _NEAR):
                raise DeclarationError([unknown_key(name, cell.where)])
            if of_facts and left and colon and not value.strip() and ":" not in left[0].text:
                cell = cell._replace(text=f"{cell.text} {left.pop(0).text}")
            if not (of_facts and _is_labelled(cell.text)):
                self._title(cell)
            elif seats := seats_told(cell.text):
                self._tell_seats(seats, cell.where, cell.text)
            else:
                self._tell_nothing(cell)
        return lines

    def _declare(self, name: str, beside: Cell, left: list[Cell], of_facts: bool) -> list[tuple[str, str]]:
        """Take the value of a label; return the line that it declares, if any.

        left: what comes next, before which goes what stands behind the value.
        """
        if beside.fault:
            raise DeclarationError(beside.fault, beside.where)
        if name == DIRECTOR:
            text, day = beside.text, dated(beside.text)[1]
            signs = re.finditer(r"(\s{2,}|[|;\u00b7\u2022\t])|(?:,|\s[-\u2013\u2014/(]?)\s*(?=(\w+))", text)
            ends = (sign.end() for sign in signs if sign[1] or sign[2].isdecimal() or is_weekday(sign[2]))
            end = min(next(ends, len(text)), text.find(day) if day else len(text))
            left[:0] = [beside._replace(text=text[end:])] if end < len(text) else []
            return []
        if name in CROWDS or (name in {"event", "session"} and dated(beside.text)[0]):
            self._tell_crowd(f"{beside.text} {name}", beside) if name in CROWDS else self._title(beside)
            return []
        value, behind, _ = _value_of(name, beside.text)
        value = self._with_weekday(value, beside) if name == "date" else value
        prose = behind.endswith(".") or _is_labelled(behind)
        if prose and not re.match(_SCORED_BY, behind):  # the list shows how it was scored
            self._tell_nothing(beside._replace(text=behind))
        elif behind and not prose:
            left.insert(0, beside._replace(text=behind))
        if name == "date" and day_written(value, "day") and not day_written(value):
            self._without_days(value, beside)  # which day is meant is asked for with all else
        elif name == "tables" and re.fullmatch(r"[0-9]+(\.5)?", value):
            self._tell(name, TitledTables(value), value, beside)
        elif name == "movement" and (named := re.search("(?i)mitchell|howell", value)):
            self._tell(name, TitledMovement(named[0].lower()), named[0].lower(), beside)
            left[:0] = [beside._replace(text=value.replace(named[0], "", 1))]
        elif name == "date" and day_written(value) is None and day_written(value, "day"):
            self._title(beside._replace(text=value))  # it is asked about
        else:
            return [(f"# {name}: {value}", beside.where)]
        return []

    def _tell_nothing(self, cell: Cell) -> None:
        what = f"'{cell.text[:_QUOTED]}' declares nothing: it is taken as a remark"
        said = what in (each.what for each in self.remarks)  # pages say it twice
        self.remarks += [] if said else [Problem(what, cell.where, code=DECLARES_NOTHING)]

    def _title(self, cell: Cell) -> None:
        before = len(self.told)
        bare = re.sub(f"[{SYMBOLS}]+", " ", cell.text).strip("\"'<>*_ ")
        text, named = self._without_days(with_english_counts(with_figures(bare)), cell)
        text = self._without_rounds(text, cell)
        facts = re.sub(_BETWEEN_FACTS, " | ", text) if re.search(_TOLD, text) else text
        facts = re.sub(r"(?i)(?<=tables|boards)\s+(?=[0-9]|(?:mitchell|howell)\b)", " | ", facts)
        facts = re.sub(_BEHIND_COUNTS, r" | \1 | ", re.sub(_FACTS_IN_BRACKETS, r" | \1 | ", facts))
        between = re.split(_PARTS, facts)
        parts = [
            (sign, _without_half_a_bracket(part.strip(' -\u2013\u2014,;:|·•/"').removeprefix(". ")))
            for sign, part in zip(["", *between[1::2]], between[::2], strict=True)
        ]
        if found := re.search(_PHANTOM, cell.text):
            self._tell("sit_outs", int(found[1]), found[1], cell)
        for _, part in parts:
            self._tell_seats(seats_told(part), cell.where, text)
        event = self._event_in(parts, cell, text, behind=len(self.told) > before and not parts[0][1])
        for count in set(re.findall(r"[0-9]+ (?:de )?[^\W\d_]+", bare)) if re.search("[0-9]", event) else ():
            event = event.replace(with_english_counts(count), count)  # it is called as it is written
        if event and not _is_prose(text, event):
            # ``Coupe du 14 juillet 2026`` is called so where no other title names the event.
            weekly = any(is_weekday(word.strip(",.")) for word in bare.split())
            event = bare if named and not weekly and " " not in event else event
            if self._dated_name and self._dated_name == self.facts.get("event"):
                del self.facts["event"]
                self.told = [each for each in self.told if each.key != "event"]
            self._tell("event", event, event, cell)
            self._dated_name = event if named else ""

    def _event_in(self, parts: Sequence[tuple[str, str]], cell: Cell, text: str, *, behind: bool) -> str:
        """Take what the parts of a title tell, each behind its sign; return what they call the event.

        behind: whether they stand behind a date. What does, or behind counts, as ``WBF scale``, is the event's name
        where there is no other.
        """
        event, club, before = "", False, len(self.told)
        for sign, part in parts:
            known, behind = len(self.told), behind or "\t" in sign
            name = self._name_in(part, cell, text)
            if name and club and sign.strip() == "," and re.fullmatch(r"[A-Z][^\W\d_]+", name):
                self.facts["club"] = f"{self.facts['club']}, {name}"
            elif name and behind:
                of_event = name[0].isupper() and not (_is_prose(text, name) or text.rstrip().endswith("."))
                self._behind = self._behind or ((name, cell) if of_event else None)
            elif name and _is_labelled(name) and (event or known > before):
                self._tell_nothing(cell._replace(text=name))
            elif name and not (event and all(is_weekday(word) or _is_aside(word) for word in name.split())):
                joint = {"": " ", ",": ", "}.get(sign.strip(), " - ")
                event += f"{joint}{name}" if event else name
            club = any(each.key == "club" for each in self.told[known:])
            behind |= any(each.key in {*_COUNTED_KEYS, *CROWDS} for each in self.told[known:])
        return event

    def _name_in(self, part: str, cell: Cell, text: str) -> str:
        """Take what a part of a title tells; return what it calls the event, if anything."""
        left = self._without_counts(part, cell)
        crowd, _, movement = left.rpartition(" ")  # ``8 pairs Mitchell``
        left = movement if re.fullmatch(_MOVEMENT, movement) and self._tell_crowd(crowd, cell) else left
        if self._tell_crowd(left, cell):
            return ""
        head, colon, side = left.rpartition(":")
        if told := seats_told(side):
            self._tell_seats(told, cell.where, text)
            left = head if colon else ""
        name = without_heading(self._without_movement(left, cell))
        if _tells_nothing(name):
            self._tell_nothing(cell._replace(text=name))
        elif names_club(name):
            self._tell("club", name, name, cell)
        elif re.search(r"[^\W\d_]", name) and not _is_aside(name):
            return name
        return ""

    def _without_days(self, text: str, cell: Cell) -> tuple[str, bool]:
        """Take the day of a title; return what else it says, and whether that is a word before a day: ``Coupe du``."""
        found, doubts, named = False, [], False
        for n in range(_MOST_DATES):
            if not (date := dated(text))[0]:
                break
            before = said_aside("before-days")
            form = rf"(?i)[^\W\d_]+ (?:{before}) {re.escape(date[1])}"
            named = n == 0 and re.fullmatch(form, text) is not None
            try:
                day = declared_value("date", self._with_weekday(date[1], cell))
                self._tell("date", KEYS["date"].held(day), day, cell)
                found = True
            except ValueError as error:
                doubts.append(Problem(str(error), cell.where, UNREAD_DATE, code=DECLARES_NOTHING))
            text = re.sub(rf"(?i)(?:\b(?:{before}) )?{re.escape(self._without_day(text, date[1]))}", " | ", text)
        else:
            text = ""  # a calendar
        self.remarks += [] if found else doubts
        return text, named

    def _with_weekday(self, day: str, cell: Cell) -> str:
        """Return a date with the one day of the week that its row names elsewhere: ``Mon Aft, 11/03/2025``.

        Where that is of an event, ``Tuesday Night Pairs``, and settles which of two days it is, a remark says so.
        """
        words = {word for word in re.findall(r"[^\W\d_]{3,}", self._row) if word[0].isupper() and is_weekday(word)}
        if len(words) != 1 or not day[:1].isdigit():
            return day
        (weekday,) = words
        settled = None if day_written(day) else day_written(with_english_months(f"{weekday} {day}"))
        if settled and events_named(self._row):
            what = f"'{day}' may be one of two days, and '{weekday}' stands beside it"
            hint = f"{settled:%Y-%m-%d} is taken: declare the date if it is another"
            self.remarks.append(Problem(what, cell.where, hint, code=PASSED_OVER, key="date"))
        return f"{weekday} {day}"

    @staticmethod
    def _without_day(text: str, date: str) -> str:
        """Return a date without its weekday where that is the event's: ``Torneo del giovedì 27 agosto 2026``."""
        events = "|".join(word for word, key in keys_labelled().items() if key == "event")
        weekly = re.search(rf"(?i)\b(?:{events}) (?:del|du) {re.escape(date)}", text)
        weekday, _, day = date.partition(" ")
        return day if weekly and is_weekday(weekday.rstrip(",.")) else date

    def _tell_crowd(self, text: str, cell: Cell) -> bool:
        """Take how many pairs, players or teams there were; say whether a text tells that and nothing else."""
        found = crowd_in(text)
        if found:
            self.told.append(Told(found[1], found[0], cell.where, cell.text))
        return found is not None or re.fullmatch("(?i)[0-9]+ phantom pairs?", text) is not None

    def _tell(self, key: str, value: object, text: str, cell: Cell) -> None:
        """Take what a title tells of the game, unless one above it did."""
        if key not in self.facts:
            self.facts[key] = value
            self.told.append(Told(key, text, cell.where, cell.text))
        elif key == "date" and value != self.facts[key] and not self._dates:
            self._dates = True
            what = f"the date is told in several ways: {str(self.facts[key])[:10]}, {text}"
            self.remarks.append(Problem(what, cell.where, "declare the date", code=PASSED_OVER, key="date"))
        elif key == "event":  # it may name the kind of the event
            self.told.append(Told(f"{key} {len(self.told)}", text, cell.where, cell.text))

    def _tell_seats(self, seats: Mapping[str, str], where: str, text: str) -> None:
        self.seats |= seats
        self.told += told_seats(seats, where, text)

    def _without_movement(self, part: str, cell: Cell) -> str:
        """Take ``Mitchell`` or ``7 table Howell`` where a part of a title says nothing else; return what is left."""
        found = re.fullmatch(_MOVEMENT, part)
        if not found:
            return part
        self._tell("movement", TitledMovement(found[2].lower()), found[2].lower(), cell)
        if found[1] and "section" not in self.seats:
            self._tell("tables", TitledTables(found[1]), found[1], cell)
        return ""

    def _without_rounds(self, part: str, cell: Cell) -> str:
        """Take ``6 matches of 7 boards``; return what else a part of a title says."""
        found = next(filter(None, (way.search(part) for way in ways_to_count("rounds"))), None)
        if not found:
            return part
        if not isinstance(self.facts.get("boards"), RoundBoards):  # it says more than how many there were in all
            self.facts.pop("boards", None)
            boards = RoundBoards(int(found["boards"]), int(found["rounds"]))
            self._tell("boards", boards, found["boards"], cell)
        return f"{part[: found.start()]} \t {part[found.end() :]}"

    def _without_counts(self, part: str, cell: Cell) -> str:
        """Take ``24 boards`` from the end of a title, and ``5 tables`` that stand alone; return what is left."""
        rest, (in_all,) = part, ways_to_count("all")
        while (found := in_all.search(rest)) and self._is_counted(found, part, cell):
            rest = rest[: found.start()].rstrip(" -(")
        return rest

    def _is_counted(self, found: re.Match[str], part: str, cell: Cell) -> bool:
        """Take a number of boards or tables, unless those are of a round or a section; say whether it is one."""
        what = "tables" if found["what"].lower() == "table" else "boards"
        before = found.re.sub("", part[: found.start()]).strip(" -(")
        if re.search(_OF_ROUNDS, part) or (what == "tables" and seats_told(before)):
            return False
        try:
            value: Any = KEYS[what].held(declared_value(what, found["number"]))
        except ValueError:
            return False
        if what == "boards":
            self._tell(what, SessionBoards(value), found["number"], cell)
        elif "section" not in self.seats:
            self._tell(what, TitledTables(value), found["number"], cell)
        return True


UNREAD_DATE = "the date of this title is not read"
"""The hint of a remark on a date that may be two days, or none."""

# These are not compiled before there is a title: that takes a millisecond of every start.
_PARTS = r"([,;|\u00b7\u2022\t]|\s[-\u2013\u2014]{1,2}\s|\s{2,}|(?:(?<=[^\W\d_]{5})|(?<=\)))\.\s+(?=\w))"
"""What stands between the facts of a line."""

_BETWEEN_FACTS = r"\s/\s|(?i:(?<=tables)|(?<=table))\s[x\u00d7]\s"
_TOLD = r"(?i)[0-9] (?:tables?|boards?|bds)\b"
"""What else stands between facts, and in the names of events where there are no such counts."""

_BEHIND_COUNTS = r"(?i)(?<=boards|tables)\s*[(\[]([^()\[\]]*)[)\]]"
_FACTS_IN_BRACKETS = (
    r"(?i)(?<!round )[(\[]([^()\[\]]*(?:[0-9] (?:tables?|boards?|bds)\b|mitchell|howell|\|)[^()\[\]]*)[)\]]"
)

_LONGEST_NAME = 8
_SENTENCE = 5
"""What has more words before a colon is no name of an event."""


_MOST_DATES = 20
"""A line with more is a calendar, and no title: to look for thousands of dates could take minutes."""


def _headings() -> re.Pattern[str]:
    results, winners = said_aside("results"), said_aside("winners")
    any_results = rf"(?:(?:{said_aside('results-of')}) )*(?:{results})"
    headings = rf"(?:{said_aside('headings')})\b[\s:.-]*(?:(?:{said_aside('joined')}) )?"
    return re.compile(
        rf"^{headings}|^{any_results}(?: (?:for|of)\b\s*|$)| (?:{results})(?: (?:for|of))?$|^(?:{winners})$", re.I
    )


def without_heading(name: str) -> str:
    """Return what a title calls the event without what it says before or behind that: ``Results for``, ``Uitslag``."""
    return _headings().sub("", name)


def _without_half_a_bracket(part: str) -> str:
    """Return a part of a title without brackets around it, and without one whose other half is in another part."""
    halves = sum(map(part.count, "([")) != sum(map(part.count, ")]"))
    return part.strip("()[] ") if halves or re.fullmatch(r"[(\[][^()\[\]]*[)\]]", part) else part


def _tells_nothing(name: str) -> bool:
    """Say whether a part of a title is of one pair or board, of nobody, or counts what nobody needs."""
    summed = re.search("[^0-9 ] [0-9]+$", name) is not None and is_sum(name.split()[0]) and not is_sum(name)
    counted = re.fullmatch("(?i)[a-z]+(?:-[a-z]+)? (?:tables|boards)", name) is not None
    return summed or counted or tells_of_one(name) or nobody_in([re.split("[:,]| [0-9]", name)[0]]) != ""


def _is_prose(text: str, event: str) -> bool:
    """Say whether a title greets, exclaims, or is a sentence, and so names no event."""
    small = [word[0].islower() for word in event.split()]
    ended = text.rstrip()[-1:] == ":" and len(small) > _SENTENCE + 1
    ended |= text.rstrip()[-1:] == "." and (small[0] or (len(small) > _SENTENCE and 2 * sum(small) > len(small)))
    return (
        ended
        or text.rstrip().endswith(("!", "?"))
        or greets(event)
        or (len(small) > _LONGEST_NAME and 2 * sum(small) > len(small))
    )


def _is_aside(name: str) -> bool:
    """Say whether a part of a title is a day of the week, a time of day, a sum, or what stands before a date."""
    word = name.casefold()
    known = is_weekday(name) or is_sum(name) or word == "club" or labelled(word.split()[0]) == DIRECTOR
    scored = word[:4] == "scor" and re.fullmatch(_SCORED_BY, word) is not None
    said = name.islower() and name.count(" ") > _TOLD_OF_PLAY
    return known or scored or said or _asides().fullmatch(name) is not None


_TOLD_OF_PLAY = 2
"""More blanks than this are in no name in small letters: ``each plays once with each``."""


def _asides() -> re.Pattern[str]:
    hours = said_aside("hours")
    time = rf"(?:(?:{said_aside('at')}) )?[0-9]{{1,2}}(?:[:.h][0-9]{{2}}|(?= ?(?:{hours})))? ?(?:{hours})?"
    return re.compile(rf"{time}|{said_aside('times')}|{said_aside('before-days')}", re.I)


def _undivided(cells: list[Cell]) -> list[Cell]:
    """Return the cells of a title as one where its own commas divide them, as in CSV that is written by hand.

    That shows in a date, in brackets, and in a weekday before one.
    """
    if len(cells) < 2 or cells[0].text.startswith("#"):
        return cells
    texts = [with_english_months(cell.text) for cell in cells]
    bracket = any(text.count("(") != text.count(")") for text in texts)
    weekday = any(is_weekday(text.split(" ")[-1]) for text in texts[:-1])
    dated = not any(map(date_in, texts)) and date_in(", ".join(texts))
    whole = ", ".join(cell.text for cell in cells)
    return [cells[0]._replace(text=whole)] if (bracket or weekday or dated) and date_in(", ".join(texts)) else cells


def _labelled(cell: Cell) -> list[Cell]:
    """Return the facts of a cell that have labels as cells of their own, ``tables: 4``, and what is before them.

    A label that is not known ends the fact before it, too.
    """
    text, found = _with_colons(cell.text), list[tuple[int, int, str]]()
    for colon in re.finditer(_COLON, text):
        words = re.split(rf"{_PARTS}|[(\[]", text[found[-1][1] if found else 0 : colon.start()])[-1].split()
        ends = [" ".join(words[n:]) for n in range(max(len(words) - _LONGEST_LABEL, 0), len(words))]
        label = next(filter(labelled, ends), " ".join(words))
        may_be = len(words) <= _LONGEST_LABEL and not re.search("[0-9]", label)
        if (labelled(label) or may_be) and (colon.end() < len(text) or labelled(text)):
            found.append((colon.start() - len(label), colon.end(), labelled(label) or label))
    if len(found) < 2 and not any(key in keys_labelled().values() for *_, key in found):
        return [cell._replace(text=text)]
    behind = [begin for begin, *_ in found[1:]] + [len(text)]
    parts = [text[: found[0][0]].strip(_AROUND_FACTS + "([")]
    for (_, begin, key), end in zip(found, behind, strict=True):
        parts.append(f"{key}: {_without_half_a_bracket(text[begin:end].strip(_AROUND_FACTS))}")
    return [cell._replace(text=part) for part in parts if part]


def _count_and_label() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = either(word for word, key in keys_labelled().items() if key in _COUNTED_KEYS)
    behind = rf"\s\s|\s*(?:[,;|)/]|$|[-\u2013]\s|\b(?:{words}|mitchell|howell)\b|[^\W\d_]+:)"
    label = rf"(?i)(?<![^\s,;|(])({words}) +(?=[0-9]+(?:[.,][05]|½)?(?:{behind}))"
    return re.compile(rf"(?i)\b[0-9]{{1,2}}½?\s+(?:{words})\b"), re.compile(label)


def _with_colons(text: str) -> str:
    """Return a text with a colon behind each label that has its count behind it, ``Tables 4``, unless it is before."""
    count, label = (pattern.search(text) for pattern in _count_and_label())
    counted = label is None or (count is not None and count.start() < label.start())
    return text if counted else _count_and_label()[1].sub(r"\1: ", text)


_COLON = r"(?<=[^\W\d_.°º)])\s*:(?!//)\s*"
_LONGEST_LABEL = 3
"""A label has no more words."""

_AROUND_FACTS = " ,;|-\u2013\u2014\u00b7\u2022"


_SCORED_BY = r"(?i)(?:scor(?:ed|ing)\b.{0,12}\b)?(?:imps?|matchpoints?|butler)\b.{0,30}"
"""How it was scored, which the list shows."""


def _is_labelled(text: str) -> bool:
    return re.match(r"[^\W\d_][^:\d]*:\s*\S", text) is not None


def _value_of(name: str, text: str) -> tuple[str, str, bool]:
    """Return the value of a label, what else stands behind it, and whether it may be one: ``Mitchell, 4 tables``."""
    if name in CROWDS:
        return text, "", text.isdecimal()
    if name == "date":
        own = dated(text)[1]
        behind = re.match(rf"\s?(?:{_PARTS}|[/(\[])(.*[^\W\d_]{{3}}.*)", text.partition(own)[2]) if own else None
        before = text[: -len(behind[0])] if behind else text
        day = dated(before)[1]
        alone = day and not dated(before.replace(day, "", 1))[0]  # a weekday or a time may stand beside it
        return day if alone else before, behind[2] if behind else "", own != ""
    if name not in _COUNTED_KEYS:
        value, _, behind_it = text.partition("   ")
        return value, behind_it.strip(), True
    text = re.sub(r"(?<=[0-9]),(?=5(?:\s|$))", ".", with_english_counts(text))
    cuts = re.finditer(rf"{_PARTS}|\.(?:\s|$)|(?<=[0-9])\s(?=\S)", text)
    for value, rest in [(text, ""), *((text[: sign.start()], text[sign.end() :]) for sign in cuts)]:
        try:
            declared_value(name, value.strip())
        except ValueError:
            continue
        return value.strip(), rest.strip(), True
    return text, "", False


_COUNTED_KEYS = {"tables", "boards", "movement"}
"""The keys whose value is one word."""

_PHANTOM = r"(?i)(?<![0-9.])([1-9]) phantom pairs?\b"
"""How many pairs fewer there were than the tables seat, as Magic Contest says it."""

_MOVEMENT = r"(?i)(?:([0-9]{1,2}(?:\.5)?)[- ]tables? )?(mitchell|howell)(?: movement| [0-9]{1,2})?"
"""A part of a title that names the movement, and perhaps the tables."""

_OF_ROUNDS = r"(?i)\b(?:rounds?|match(?:es)?(?! point)|sessions?|sets?|per|each|x)\b"
"""Words of titles whose boards may be those of a part."""

_BY_MATCH = r"(?i)\b(?:swiss|knockouts?|ko)\b"
"""Events whose boards are declared of a match: a title may count those of the session."""


def _line(cells: Sequence[Cell]) -> str:
    """Return a row that begins with # as a line; the value of a key may be in the next cell."""
    first = cells[0].text
    bare = re.fullmatch(r"#\s*([A-Za-z][A-Za-z_ -]*?)\s*:?", first)
    if bare and len(cells) == 2 and key_name(bare[1]) in KEYS:
        return f"# {bare[1]}: {cells[1].text}"
    return first


def named_day(name: str) -> dict[str, object]:
    """Return the date that the name of a file tells, in the games frame's column: ``2026-05-12 Pairs``."""
    day = date_in_name(name)
    try:
        return {"date": KEYS["date"].held(declared_value("date", day))} if day else {}
    except ValueError:
        return {}


def joined_above(each: Sequence[Above]) -> Above:
    """Return what is above several tables of one game; what their titles say differently is left out.

    Raises DeclarationError for a key that has two values.
    """
    said = Above()
    problems = []
    for above in each:
        for name, declaration in above.declared.items():
            before = said.declared.setdefault(name, declaration)
            if before.value != declaration.value:
                what = f"the key '{name}' has another value than in {before.where}"
                problems.append(Problem(what, declaration.where, "correct one of them"))
        said.each |= above.each
        said.remarks += above.remarks
        said.told += above.told
    if problems:
        raise DeclarationError(problems)
    for name in dict.fromkeys(name for above in each for name in above.facts):
        values = [above.facts[name] for above in each if name in above.facts]
        if name == "event" or len(set(values)) == 1:
            said.facts[name] = values[0]
    return said


PAGE = re.compile(r"(?:page|seite|p[aá]gina|pagina|strona|sida|side)\s*[0-9]+(?:\s*(?:/|[a-z]{1,3})\s*[0-9]+)?", re.I)
"""What stands between the pages of a printed list."""


def may_be_none(record: Mapping[str, object]) -> bool:
    """Say whether a row that reads as a contestant needs a closer look all the same."""
    names, number = names_of(record), str(record.get("number", ""))
    if nobody_in(names) or (names and (is_sum(names[0]) or not names[0][:1].isalnum())):
        return True
    return not number.isdecimal() and (is_sum(number) or _has_moved(names, number))


def _has_moved(names: Sequence[str], number: str) -> bool:
    """Say whether the cells of a row stand in other columns: words where the number belongs, and none for a name."""
    words = re.search(r"[^\W\d_]{3}", number) is not None
    return words and bool(names) and not re.search(r"[^\W\d_]", "".join(names))


def names_of(record: Mapping[str, object]) -> list[str]:
    """Return what stands in the columns of players of a row."""
    return [str(text) for name, text in record.items() if name.startswith("player")]


def seats_named(row: Row, record: Mapping[str, object]) -> dict[str, str]:
    """Return the section and direction that a row tells of those below it, where it says nothing else; else nothing."""
    seats = seats_told(" ".join(row.texts))
    alone = {name: str(record[name]) for name in SECTION_AND_DIRECTION if name in record}
    return seats or (alone if len(alone) == len(row.texts) else {})


def passed_over(row: Row, record: Mapping[str, object]) -> tuple[Problem | None, str]:
    """Return the remark on a row of a seat where nobody sat, or of sums, and what these are called; else None."""
    texts, names = row.texts, names_of(record)
    if nobody := nobody_in(names or texts[:1]):
        return of_nobody(nobody, row.where), ""
    if _has_moved(names, str(record.get("number", ""))):
        what = f"'{' '.join(texts)[:80]}' is not a contestant"
        return Problem(what, row.where, "put its cells below the headings that they belong to", code=PASSED_OVER), ""
    if len(texts) == 1 and PAGE.fullmatch(texts[0]):
        said = texts[0]
    elif all(map(is_sum, names)):
        said = next(filter(is_sum, texts), "")
    else:  # Max and Moritz are two players
        said = next(
            (text for text in (texts[0], str(record.get("number", ""))) if text not in names and is_sum(text)), ""
        )
    if said:
        return Problem(f"'{said}' is not a contestant: this row is passed over", row.where, code=PASSED_OVER), said
    return None, ""


def is_note(row: Row, record: Mapping[str, object]) -> bool:
    """Say whether a row, were it the last, is a note below a table.

    It has words after a gap, a number only if alone, or words alone where no name belongs.
    """
    texts = row.texts
    text = "".join(texts)
    if len(texts) == 1 and (
        _NOTE.match(text) or text.count(" ") > _SENTENCE or (not names_of(record) and re.search(r"[^\W\d_]{3}", text))
    ):
        return True
    words = re.search(r"[^\W\d_]", text) is not None
    return row.after_gap and words and (len(texts) == 1 or re.search(r"\d", text) is None)


_NOTE = re.compile(r"[*(]|\W*[^\W\d][\w ]*:\s*\S")
"""How a note begins that stands right below a table: ``Director: Ann Lee``."""


def undeclared(lines: Iterable[tuple[str, str]]) -> list[Problem]:
    """Return the remarks that look like declarations but are not, such as ``# special = handicap``.

    lines: where each is, and its text.
    """
    problems = []
    for where, text in lines:
        meant = _meant(text)
        if meant:
            what = f"'{text[:_QUOTED]}' declares nothing: it is taken as a remark"
            hint = f"if it is meant, write: # {meant[:_QUOTED]}"
            problems.append(Problem(what, where, hint, code=DECLARES_NOTHING))
    return problems


_QUOTED = 80
"""The most characters of a line that are quoted."""


def _meant(text: str) -> str:
    """Return the declaration that a remark looks like, ``special: handicap``; '' where it looks like none.

    A name and a sign between it and the value tell it; a blank alone where the value is one that the key may have.
    """
    found = re.fullmatch(r"#+\s*([A-Za-z][A-Za-z_ -]*?)\s*(=|:=|->|[;,|\t]|\s-\s|\s)\s*(\S.*)", text.strip())
    if not found or re.match(r"#+\s*[A-Za-z_ -]+:[^=]", text.strip()):
        return ""
    name = re.sub(r"[ -]+", "_", found[1].strip().lower())
    by_sign = bool(found[2].strip())
    known = name if name in KEYS else nearest(name, KEYS, _NEAR) if by_sign else ""
    if not known or (not by_sign and KEYS[known].normalise is str):
        return ""
    try:
        declared_value(known, found[3].strip())
    except ValueError:
        return f"{known}: {found[3].strip()}" if by_sign else ""
    return f"{known}: {found[3].strip()}"
