"""Whether lists agree with themselves: a contradiction is refused, a single oddity, as real lists have, remarked on.

More of that follows for every format from the contestants as they were read: scores and percentages of one maximum,
IMPs that add up to 0, players who sit twice, tables that seat more or fewer, see :mod:`resultproc.stages.doubts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean, median
from typing import NamedTuple

from resultproc.model.codes import OUT_OF_ORDER
from resultproc.model.column_names import PLACE_COLUMN
from resultproc.model.directions import direction_of
from resultproc.model.errors import InputError, Problem
from resultproc.model.grid import Cell, Records
from resultproc.model.numbers import number_of
from resultproc.model.places import place_of
from resultproc.model.text import counted
from resultproc.model.understood import SECTION_AND_DIRECTION
from resultproc.tables.cells import MAXIMUM
from resultproc.tables.sums import is_top
from resultproc.tables.unsaid import MISPLACED, SEVERAL_LISTS, Placed, misplaced

_Group = tuple[str, ...]

CHECKED = 3.0
"""Percentages of a whole field average 50, except for sit-outs, penalties and adjusted scores: in no list at hand
by more than two."""

SUMS_OFF = 0.02
"""The average that programs print is half of the top. With adjusted scores and penalties the mean of the
contestants differs from it by a hundredth; where a row or column was misread, by several."""


class Sum(NamedTuple):
    """A row of sums or averages below a list."""

    text: str  # what the list calls it
    row: Mapping[str, Cell]  # its cells, by column
    of: frozenset[str]  # where the contestants of that list are


@dataclass
class Field:
    """The contestants of a list, as they are checked."""

    records: Records  # their values
    groups: Sequence[_Group]  # the game, section and direction of each, as far as they are said
    cell: Callable[[int, str], str]  # where the cell of a contestant in a column is
    sums: Sequence[Sum] = ()  # what the rows of sums say
    passed_over: int = 0  # how many rows of nobody there are, who may have a place
    numbered: bool = True  # whether the list itself gives numbers
    # Whether its headings alone say what each column is: then an oddity shows no wrong column, and what is said of the
    # contestants of every format will do.
    headed: bool = True
    exact: bool = False  # whether a program wrote it, as :class:`Walk` has it
    ordered: bool = True  # whether it may be in the order of its scores
    places: Sequence[int | None] = field(init=False)
    ranking: Sequence[float | None] = field(init=False)  # what each contestant is ranked by

    def __post_init__(self) -> None:
        """Take the places as numbers, and the percentage of who has one for the score."""
        self.places = [text and place_of(text) for text in self.records.get(PLACE_COLUMN)]
        both = zip(self.records.get("score"), self.records.get("percentage"), strict=True)
        self.ranking = [score if percentage is None else percentage for score, percentage in both]

    @property
    def players(self) -> list[list[str]]:
        """The names of each."""
        columns = [self.records[name] for name in self.records if re.fullmatch("player[0-9]+", name)]
        return [[name for name in names if name is not None] for names in zip(*columns, strict=True)]

    @property
    def by_group(self) -> list[list[int]]:
        """The contestants of each group, by their numbers."""
        listed: dict[_Group, list[int]] = {}
        for n, group in enumerate(self.groups):
            listed.setdefault(group, []).append(n)
        return list(listed.values())

    @property
    def handicapped(self) -> bool:
        """Whether there are handicaps."""
        return self.has("handicap")

    def has(self, name: str) -> bool:
        """Say whether anybody has something in a column."""
        return any(value is not None for value in self.records.get(name))

    def scored(self, listed: Sequence[int]) -> list[tuple[float, int]]:
        """Return the scores of those contestants who have one, with who has it."""
        return [(score, n) for n in listed if (score := self.ranking[n]) is not None]

    def where(self, n: int) -> str:
        """Return where a contestant is."""
        return str(self.records["where"][n])


def misplaced_in(listed: Field) -> list[Problem]:
    """Return the remarks on places that do not go by the scores; raise InputError where they contradict these."""
    placed: dict[_Group, list[Placed]] = {}
    if PLACE_COLUMN not in listed.records:
        return []
    columns = (listed.groups, listed.places, listed.ranking, listed.records.get("handicap"))
    for n, (group, place, ranking, handicap) in enumerate(zip(*columns, strict=True)):
        if place is not None and ranking is not None:
            where = listed.cell(n, PLACE_COLUMN)
            placed.setdefault(group, []).append(Placed(place, ranking, handicap or 0, where))
    return misplaced(placed)


def remarks_on_lists(listed: Field) -> list[Problem]:
    """Return the remarks on what is odd among contestants; raise InputError where they contradict themselves."""
    _refuse_glued(listed)
    _refuse_repeated(listed)
    _refuse_several(listed)
    _refuse_unscored(listed)
    _refuse_half_directed(listed)
    if not listed.handicapped:
        _check_percentages(listed)
    remarks = misplaced_in(listed)
    if not listed.handicapped:
        remarks += [] if listed.headed else [*_out_of_order(listed), *_at_odds(listed)]
        remarks += _beyond(listed)
        _check_sums(listed)
    lacking = [*_lacking(listed), *_with_numbers(listed)]
    return [*remarks, *lacking, *_unawarded(listed), *_without_place(listed), *_unlike(listed)]


def _doubtful(listed: Field, column: str, sign: re.Pattern[str]) -> list[tuple[int, str]]:
    """Return the names of a column with who has them, if any has a sign: hardly any list has, and all are looked at."""
    names = listed.records.get(column)
    if not sign.search("\n".join(filter(None, names))):
        return []
    return [(n, name) for n, name in enumerate(names) if name is not None]


def numbers_for_names(listed: Field) -> list[Problem]:
    """Return the remarks on contestants with a number for a name, or behind it: few players call themselves so."""
    hint = "correct the row, if its cells are not below the headings that they belong to"
    return [
        Problem(f"'{name}' stands for a name", listed.where(n), hint)
        for column in listed.records
        if column.startswith("player")
        for n, name in _doubtful(listed, column, _DIGIT_OR_SIGN)
        if re.fullmatch(r"[^\W\d_]\S* .*\s[0-9]{1,3}|[^\w]*[0-9][\W0-9_]*", name)
    ]


_DIGIT_OR_SIGN = re.compile(r"[\d,;]")
_SENTENCE = r",.*,.*,|\s(?:with|by|on|scor(?:ing|ed))$"
"""What is between the names of several players, and behind names where somebody tells who won."""

_NO_NAME = re.compile(rf"[0-9:]|{_SENTENCE}", re.MULTILINE)

_GLUED = re.compile(r"[,;]|.*[0-9][.,][0-9]|[0-9]{1,3}[^\W\d_]{2}.*\(|[0-9]{1,3}[A-Z][a-z]+[A-Z][a-z]")


def _refuse_glued(listed: Field) -> None:
    """Refuse a list where names and numbers run into each other."""
    if listed.headed:
        return
    for column in ("player1", "player2"):
        glued = [n for n, name in _doubtful(listed, column, _DIGIT_OR_SIGN) if _GLUED.match(name)]
        if len(glued) * 2 > len(listed.records):
            what = f"the columns of this list run into each other: '{listed.records[column][glued[0]]}'"
            hint = "save the list where it was made, as text, CSV or Excel"
            raise InputError(what, listed.cell(glued[0], column), hint)


def _refuse_repeated(listed: Field) -> None:
    """Refuse a list that has the same players with the same score twice: a single name may be that of several."""
    names = [name for name in listed.records if re.fullmatch("player[0-9]+|score|percentage", name)]
    columns = (listed.groups, *(listed.records[name] for name in names))
    if len(set(zip(*columns, strict=True))) == len(listed.groups):
        return
    first: dict[tuple[object, ...], int] = {}
    problems = []
    for n, (each, players) in enumerate(zip(zip(*columns, strict=True), listed.players, strict=True)):
        before = first.setdefault(each, n)
        if before != n and len(set(players)) > 1:
            first_in = listed.where(before)
            what = f"{' - '.join(players)} are listed twice with the same score, first in {first_in}"
            problems.append(Problem(what, listed.where(n), "delete one of the rows"))
    if problems:
        raise InputError(problems)


def _refuse_unscored(listed: Field) -> None:
    """Refuse a list before it was scored, unless its headings say that these are the scores: nobody may play yet."""
    if listed.headed or len(listed.records) < 3 or any(listed.ranking):
        return
    column = "percentage" if listed.has("percentage") else "score"
    at = next((n for n, value in enumerate(listed.records.get(column)) if value is not None), 0)
    what = "all scores of this list are 0"
    raise InputError(what, listed.cell(at, column), "give the list of the game as scored")


def _refuse_several(listed: Field) -> None:
    """Refuse several lists that nothing tells apart: without numbers and places, each in the order of its scores."""
    if listed.numbered or not listed.ordered or any(place is not None for place in listed.places):
        return
    for group in listed.by_group:
        scored = listed.scored(group)
        anew = [n for n, ((a, _), (b, _)) in enumerate(pairwise(scored), 1) if b > a]
        runs = [[score for score, _ in scored[a:b]] for a, b in pairwise([0, *anew, len(scored)])]
        if anew and min(map(len, runs)) > 2 and _are_fields(runs):
            raise InputError("from here on the scores begin again", listed.where(scored[anew[0]][1]), SEVERAL_LISTS)


def _are_fields(runs: Sequence[Sequence[float]]) -> bool:
    """Say whether parts of a list may each be a field: their means differ far less than their scores."""
    means = [fmean(run) for run in runs]
    every = [score for run in runs for score in run]
    return 4 * (max(means) - min(means)) <= max(every) - min(every)


def _refuse_half_directed(listed: Field) -> None:
    """Refuse a list where only some of a section have a direction: which one the others have is not known."""
    if listed.headed or "direction" not in listed.records:
        return
    directed = [*zip(listed.records.get("section"), listed.records["direction"], strict=True)]
    some = {section for section, direction in directed if direction}
    without = [n for n, (section, direction) in enumerate(directed) if not direction and section in some]
    if without:
        what = "this contestant has no direction, but others do"
        hint = "write N-S and E-W above each list, or beside each contestant"
        raise InputError(what, listed.where(without[0]), hint)


def _with_numbers(listed: Field) -> Iterator[Problem]:
    """Yield remarks on names that have what looks like a score in them, or like a part of a sentence."""
    for column in [name for name in listed.records if re.fullmatch("player[0-9]+", name)]:
        for n, name in _doubtful(listed, column, _NO_NAME):
            if _NUMBER_IN_NAME.search(name):
                what = f"the name '{name}' has a number in it"
                yield Problem(what, listed.cell(n, column), "are two columns joined? Part them by a tab or two blanks")
            elif _OF_A_SENTENCE.search(name):
                what = f"the name '{name}' has more than a name in it"
                hint = "write a row for each contestant: place, names and score"
                yield Problem(what, listed.cell(n, column), hint)


_NUMBER_IN_NAME = re.compile(r"[0-9][.,][0-9]|^[0-9]+[\s:.]")
"""What is in no name: a number with decimals, and one before it."""


_OF_A_SENTENCE = re.compile(rf"\w:\s|{_SENTENCE}")
"""The same, and what is before names there."""


def _unawarded(listed: Field) -> Iterator[Problem]:
    """Yield remarks on the first of a field who has no award where others have one: a column may have slipped down."""
    awards = listed.records.get("printed_award")
    for group in listed.by_group if listed.has("printed_award") else ():
        scored = [each for each in listed.scored(group) if listed.records["eligible"][each[1]]]
        first = max(scored, key=lambda each: each[0])[1] if scored else -1
        if first >= 0 and awards[first] is None and any(awards[n] is not None for n in group):
            what = "the first has no award, and others have: is the column below where it belongs?"
            yield Problem(what, listed.where(first), "correct the awards")


def _check_percentages(listed: Field) -> None:
    """Refuse percentages whose mean cannot be that of a whole field, unless the heading alone says what they are."""
    if listed.headed:
        return
    shares = [(share, n) for n, share in enumerate(listed.records.get("percentage")) if share is not None]
    many = len(shares) > 3 and len(shares) > (1 - MISPLACED) * len(listed.records)
    if many and abs((mean := fmean(share for share, _ in shares)) - 50) > CHECKED:
        what = f"the percentages of this list average {mean:.2f}, and those of a whole field 50"
        hint = "is it a part of the list, or is the column another? Give the list of all contestants"
        raise InputError(what, listed.cell(shares[0][1], "percentage"), hint)


def _out_of_order(listed: Field) -> Iterator[Problem]:
    """Yield remarks on contestants who break the order of a list without places that otherwise goes by the scores."""
    for group in listed.by_group if listed.ordered else ():
        scored = listed.scored(group)
        numbers = [str(listed.records["number"][n]) for n in group]
        by_numbers = listed.numbered and all(map(str.isdecimal, numbers)) and numbers == sorted(numbers, key=int)
        if len(scored) < _FEW or by_numbers or any(listed.places[n] is not None for n in group):
            continue
        wrong = [(a, b, n) for (a, _), (b, n) in pairwise(scored) if b > a]
        if len(wrong) <= MISPLACED * len(scored):
            for above, score, n in wrong:
                what = f"{score:g} is below {above:g}, and otherwise the list is in the order of its scores"
                yield Problem(what, listed.where(n), "correct the score, if it is a slip", code=OUT_OF_ORDER)


_FEW = 5
"""With fewer contestants no order is seen."""

OFF = 0.01
"""Scores and percentages of one maximum differ by half of this where both are rounded to the digits of lists."""


def _at_odds(listed: Field) -> Iterator[Problem]:
    """Yield remarks on scores that are another part of the maximum than their percentage says.

    Boards that were not played may explain single ones; where many are off, the contestants had other boards.
    """
    columns = [listed.records.get(name) for name in ("score", "percentage", MAXIMUM)]
    for group in listed.by_group:
        both = [(n, *(column[n] for column in columns)) for n in group if all(column[n] for column in columns[:2])]
        if len(both) < _FEW:
            continue
        usual = median(score / share for _, score, share, _ in both)
        shares = [(n, score, share, score / (most / 100 if most else usual)) for n, score, share, most in both]
        wrong = [each for each in shares if abs(each[3] / each[2] - 1) > OFF]
        if len(wrong) <= MISPLACED * len(both):
            for n, score, said, share in wrong:
                what = f"the score {score:g} would be {share:.2f}% as those of the others are"
                hint = "correct one of the two, unless fewer boards explain it"
                where = listed.cell(n, "score")
                yield Problem(f"{what}, and it says {said:g}", where, hint, code="scores.at-odds")


def _beyond(listed: Field) -> Iterator[Problem]:
    """Yield remarks on scores that are more than twice the mean of a field, which wins half of all that can be won.

    This holds for matchpoints and victory points, but not for IMPs, as these may be below 0.
    """
    values = listed.records.get("score")
    for group in listed.by_group:
        scores = [value for n in group if (value := values[n]) is not None]
        if len(scores) < _FEW or min(scores) < 0:
            continue
        most = 2 * fmean(scores)
        for n in group if max(scores) > most else ():
            if (score := values[n] or 0) > most:
                what = f"the score {score:g} is more than twice the mean, {most / 2:.2f}, and so above the maximum"
                hint = "correct the score, or add the rows that are missing"
                yield Problem(what, listed.cell(n, "score"), hint, code="scores.very-high")


def _lacking(listed: Field) -> Iterator[Problem]:
    """Yield remarks on contestants without a score or percentage that hardly any other lacks."""
    count = len(listed.records)
    for name in ("score", "percentage"):
        values = listed.records.get(name)
        without = [n for n, value in enumerate(values) if value is None] if None in values else []
        if 0 < len(without) <= MISPLACED * count:
            for n in without:
                if listed.records["eligible"][n]:
                    yield Problem(f"this row has no {name}, but others do", listed.where(n), f"add the {name}")


def _unlike(listed: Field) -> Iterator[Problem]:
    """Yield remarks on contestants with more or fewer names than nearly all others, and without a place they have."""
    counts = [] if listed.exact else [*map(len, listed.players)]
    usual, many = Counter(counts).most_common(1)[0] if counts else (0, 0)
    odd = [(n, count) for n, count in enumerate(counts) if count != usual]
    for n, count in odd if 4 * many > 3 * len(counts) else []:
        what = f"this row has {counted(count, 'name')}, and others have {usual}"
        yield Problem(what, listed.where(n), "is a cell empty, or elsewhere?")
    without = [n for n, place in enumerate(listed.records.get(PLACE_COLUMN)) if place is None]
    for n in without if 4 * len(without) < len(listed.records) else []:
        yield Problem("this row has no place, but others do", listed.where(n), "add the place")


def _without_place(listed: Field) -> Iterator[Problem]:
    """Yield a remark on places that nobody has, where hardly any are missing: rows may be.

    If there are several sections or directions, the places may be those of each or of all together.
    """
    if not any(listed.places):
        return
    firsts = sum(any(listed.places[n] == 1 for n in group) for group in listed.by_group)
    together = firsts < len(listed.by_group)  # only one of all is first
    for group in [range(len(listed.places))] if together else listed.by_group:
        places = Counter(place for n in group if (place := listed.places[n]) is not None)
        if not places or 1 not in places:
            continue
        free = set(range(1, max(places) + 1))
        for place, count in places.items():
            free -= set(range(place, place + count))
        unplaced = len(group) - places.total() + listed.passed_over
        if unplaced < len(free) <= MISPLACED * len(group):
            shown = ", ".join(map(str, sorted(free)))
            what = f"nobody has place {shown}: is a row missing?"
            hint = "add the row that is missing, or correct the places"
            yield Problem(what, listed.where(group[0]), hint)


def _check_sums(listed: Field) -> None:
    """Refuse rows of sums that are neither the sum nor the mean of the contestants above them, nor of all."""
    problems = []
    for each in listed.sums:
        above = [n for n in range(len(listed.records)) if listed.where(n) in each.of]
        seats = [(listed.records.get(name), each.row[name].text) for name in SECTION_AND_DIRECTION if name in each.row]
        group = [n for n in above if all(column[n] in {text, direction_of(text)} for column, text in seats)]
        for name in {"score", "percentage"} & {*each.row}:
            said = number_of(each.row[name].text)
            if said is None or is_top(each.text):
                continue
            values = listed.records.get(name)
            fields = [
                [values[n] for n in of if values[n] is not None] for of in (group, above, range(len(listed.records)))
            ]
            if fields[0] and not any(_is_sum(said, numbers) for numbers in fields):
                total, mean = sum(fields[0]), fmean(fields[0])
                what = f"{said:g} is neither the sum of the rows above, {total:g}, nor their mean, {mean:.2f}"
                problems.append(Problem(what, each.row[name].where, "is a row missing, or a score wrong?"))
    if problems:
        raise InputError(problems)


def _is_sum(said: float, numbers: Sequence[float]) -> bool:
    """Say whether a number is about the sum or mean of others."""
    size = sum(map(abs, numbers))
    sums = ((sum(numbers), size), (fmean(numbers), size / len(numbers)))
    return any(abs(said - value) <= SUMS_OFF * room for value, room in sums)
