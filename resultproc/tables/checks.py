"""Whether lists agree with themselves: a contradiction is refused, a single oddity, as real lists have, remarked on.

More of that follows for every format from the contestants as they were read: scores and percentages of one maximum,
IMPs that add up to 0, players who sit twice, tables that seat more or fewer, see :mod:`resultproc.stages.doubts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import NamedTuple

from resultproc.model.errors import InputError, Problem
from resultproc.model.grid import Cell
from resultproc.model.numbers import number_of
from resultproc.model.text import counted
from resultproc.tables.cells import MAXIMUM
from resultproc.tables.field import MISPLACED, SEVERAL_LISTS, Placed, misplaced
from resultproc.tables.sums import is_top

Contestant = dict[str, Cell]
"""The cells of a contestant by column."""

_Group = tuple[str, ...]

CHECKED = 3.0
"""Percentages of a whole field average 50, except for sit-outs, penalties and adjusted scores: in no list at hand
by more than two."""

SUMS_OFF = 0.02
"""The average that programs print is half of the top. With adjusted scores and penalties the mean of the
contestants differs from it by a hundredth; where a row or column was misread, by several."""


class Sum(NamedTuple):
    """A row of sums or averages below a list.

    text: what the list calls it.
    row: its cells, by column.
    of: the contestants of that list.
    """

    text: str
    row: Contestant
    of: Sequence[Contestant]


def remarks_on_lists(rows: Sequence[Contestant], sums: Sequence[Sum], passed_over: int) -> list[Problem]:
    """Return the remarks on what is odd among contestants; raise InputError where they contradict themselves.

    sums: what the rows of sums say.
    passed_over: how many rows of nobody there are, who may have a place.
    """
    _refuse_glued(rows)
    _refuse_repeated(rows)
    _refuse_several(rows)
    _refuse_unscored(rows)
    _refuse_half_directed(rows)
    handicapped = any("handicap" in row for row in rows)
    if not handicapped:
        _check_percentages(rows)
    remarks = misplaced(_placed(rows))
    if not handicapped:
        remarks += [*_out_of_order(rows), *_at_odds(rows), *_beyond(rows)]
        _check_sums(rows, sums)
    lacking = [*_lacking(rows), *_with_numbers(rows), *_sectionless(rows)]
    return [*remarks, *lacking, *_unawarded(rows), *_without_place(rows, passed_over), *_unlike(rows)]


_GLUED = re.compile(r"[,;]|.*[0-9][.,][0-9]|[0-9]{1,3}[^\W\d_]{2}.*\(|[0-9]{1,3}[A-Z][a-z]+[A-Z][a-z]")


def _refuse_glued(rows: Sequence[Contestant]) -> None:
    """Refuse a list where names and numbers run into each other."""
    glued = [row["player1"] for row in rows if "player1" in row and _GLUED.match(row["player1"].text)]
    if len(glued) * 2 > len(rows):
        what = f"the columns of this list run into each other: '{glued[0].text}'"
        raise InputError(what, glued[0].where, "save the list where it was made, as text, CSV or Excel")


def _refuse_repeated(rows: Sequence[Contestant]) -> None:
    """Refuse a list that has the same players with the same score twice: a single name may be that of several."""
    first: dict[tuple[str, ...], str] = {}
    problems = []
    for row in rows:
        players = [cell.text for name, cell in row.items() if name.startswith("player")]
        scores = [row[name].text for name in ("score", "percentage") if name in row]
        where = _where(row)
        before = first.setdefault((*_group(row), *players, *scores), where)
        if before != where and len(set(players)) > 1:
            what = f"{' - '.join(players)} are listed twice with the same score, first in {before}"
            problems.append(Problem(what, where, "delete one of the rows"))
    if problems:
        raise InputError(problems)


def _refuse_unscored(rows: Sequence[Contestant]) -> None:
    """Refuse a list before it was scored."""
    if len(rows) > 2 and not any(_ranking(row) for row in rows):
        cells = [row[name] for row in rows for name in ("percentage", "score") if name in row]
        raise InputError("all scores of this list are 0", cells[0].where, "give the list of the game as scored")


def _refuse_several(rows: Sequence[Contestant]) -> None:
    """Refuse several lists that nothing tells apart: without numbers and places, each in the order of its scores."""
    if any("number" in row or "place" in row for row in rows):
        return
    for listed in _by_group(rows).values():
        scored = [(score, row) for row in listed if (score := _ranking(row)) is not None]
        anew = [n for n, ((a, _), (b, _)) in enumerate(pairwise(scored), 1) if b > a]
        runs = [[score for score, _ in scored[a:b]] for a, b in pairwise([0, *anew, len(scored)])]
        if anew and min(map(len, runs)) > 2 and _are_fields(runs):
            raise InputError("from here on the scores begin again", _where(scored[anew[0]][1]), SEVERAL_LISTS)


def _are_fields(runs: Sequence[Sequence[float]]) -> bool:
    """Say whether parts of a list may each be a field: their means differ far less than their scores."""
    means = [fmean(run) for run in runs]
    every = [score for run in runs for score in run]
    return 4 * (max(means) - min(means)) <= max(every) - min(every)


def _ranking(row: Contestant) -> float | None:
    """Return what a contestant is ranked by."""
    percentage = number_in(row, "percentage")
    return number_in(row, "score") if percentage is None else percentage


def _refuse_half_directed(rows: Sequence[Contestant]) -> None:
    """Refuse a list where only some have a direction: which one the others have is not known."""
    without = [row for row in rows if "direction" not in row]
    if 0 < len(without) < len(rows):
        what = "this contestant has no direction, but others do"
        raise InputError(what, _where(without[0]), "write N-S and E-W above each list, or beside each contestant")


def _sectionless(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on contestants without a section, where others have one."""
    without = [row for row in rows if "section" not in row]
    if 0 < len(without) < len(rows):
        what = "this contestant has no section, but others do: it is taken to be in section A"
        yield from (Problem(what, _where(row), "write the section") for row in without)


def _with_numbers(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on names that have what looks like a score in them, or like a part of a sentence."""
    for row in rows:
        for name in row:
            if name.startswith("player") and _NUMBER_IN_NAME.search(row[name].text):
                what = f"the name '{row[name].text}' has a number in it"
                yield Problem(what, row[name].where, "are two columns joined? Part them by a tab or two blanks")
            elif name.startswith("player") and _OF_A_SENTENCE.search(row[name].text):
                what = f"the name '{row[name].text}' has more than a name in it"
                yield Problem(what, row[name].where, "write a row for each contestant: place, names and score")


_NUMBER_IN_NAME = re.compile(r"[0-9][.,][0-9]|^[0-9]+[\s:.]")
"""What is in no name: a number with decimals, and one before it."""


_OF_A_SENTENCE = re.compile(r"\w:\s|\s(?:with|by|on|scoring|scored)$")
"""What is before and after names where somebody tells who won."""


def _unawarded(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on the first of a field who has no award where others have one: a column may have slipped down."""
    for listed in _by_group(rows).values():
        scored = [(score, row) for row in listed if (score := _ranking(row)) is not None]
        first = max(scored, key=lambda each: each[0])[1] if scored else {}
        if first and "printed_award" not in first and any("printed_award" in row for row in listed):
            what = "the first has no award, and others have: is the column below where it belongs?"
            yield Problem(what, _where(first), "correct the awards")


def _check_percentages(rows: Sequence[Contestant]) -> None:
    """Refuse impossible percentages, and those whose mean cannot be that of a whole field."""
    shares = [(number, row) for row in rows if (number := number_in(row, "percentage")) is not None]
    wrong = [row["percentage"] for number, row in shares if not 0 <= number <= 100]
    if wrong:
        hint = "correct it, or call the column by what it holds"
        raise InputError(Problem(f"'{cell.text}' is not a percentage", cell.where, hint) for cell in wrong)
    mean = fmean(number for number, _ in shares) if shares else 50
    if len(shares) > 3 and len(shares) > (1 - MISPLACED) * len(rows) and abs(mean - 50) > CHECKED:
        what = f"the percentages of this list average {mean:.2f}, and those of a whole field 50"
        hint = "is it a part of the list, or is the column another? Give the list of all contestants"
        raise InputError(what, shares[0][1]["percentage"].where, hint)


def _out_of_order(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on contestants who break the order of a list without places that otherwise goes by the scores."""
    for listed in _by_group(rows).values():
        scored = [(score, row) for row in listed if (score := _ranking(row)) is not None]
        if any("place" in row for row in listed) or len(scored) < _FEW:
            continue
        wrong = [(a, b, row) for (a, _), (b, row) in pairwise(scored) if b > a]
        if len(wrong) <= MISPLACED * len(scored):
            for above, score, row in wrong:
                what = f"{score:g} is below {above:g}, and otherwise the list is in the order of its scores"
                yield Problem(what, _where(row), "correct the score, if it is a slip")


_FEW = 5
"""With fewer contestants no order is seen."""

OFF = 0.01
"""Scores and percentages of one maximum differ by half of this where both are rounded to the digits of lists."""


def _at_odds(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on scores that are another part of the maximum than their percentage says.

    Boards that were not played may explain single ones; where many are off, the contestants had other boards.
    """
    for listed in _by_group(rows).values():
        both = [(n, p, row) for row in listed if (n := number_in(row, "score")) and (p := number_in(row, "percentage"))]
        maximum = median(n / p for n, p, _ in both) if len(both) >= _FEW else 0
        shares = [(n, n / _one_percent(row, maximum), p, row) for n, p, row in both if maximum > 0]
        wrong = [each for each in shares if abs(each[1] / each[2] - 1) > OFF]
        if len(wrong) <= MISPLACED * len(both):
            for score, share, percentage, row in wrong:
                what = f"the score {score:g} would be {share:.2f}% as those of the others are"
                hint = "correct one of the two, unless fewer boards explain it"
                yield Problem(f"{what}, and it says {percentage:g}", row["score"].where, hint, code="scores.at-odds")


def _one_percent(row: Contestant, usual: float) -> float:
    """Return how much of a score is 1%: a hundredth of what its row says could be scored, or as usual."""
    most = number_in(row, MAXIMUM)
    return most / 100 if most else usual


def _beyond(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on scores that are more than twice the mean of a field, which wins half of all that can be won.

    This holds for matchpoints and victory points, but not for IMPs, as these may be below 0.
    """
    for listed in _by_group(rows).values():
        scores = [(score, row["score"]) for row in listed if (score := number_in(row, "score")) is not None]
        if len(scores) < _FEW or min(score for score, _ in scores) < 0:
            continue
        most = 2 * fmean(score for score, _ in scores)
        for score, cell in scores:
            if score > most:
                what = f"the score {score:g} is more than twice the mean, {most / 2:.2f}, and so above the maximum"
                yield Problem(what, cell.where, "correct the score, or add the rows that are missing")


def _lacking(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on contestants without a score or percentage that hardly any other lacks."""
    for name in ("score", "percentage"):
        without = [row for row in rows if name not in row]
        if 0 < len(without) <= MISPLACED * len(rows):
            for row in without:
                yield Problem(f"this row has no {name}, but others do", _where(row), f"add the {name}")


def _placed(rows: Sequence[Contestant]) -> dict[_Group, list[Placed]]:
    """Return the places of each section and direction, with the scores and where the places are."""
    placed: dict[_Group, list[Placed]] = {}
    for row in rows:
        place, score = number_in(row, "place"), _ranking(row)
        if place is not None and score is not None:
            handicap = number_in(row, "handicap") or 0
            placed.setdefault(_group(row), []).append(Placed(int(place), score, handicap, row["place"].where))
    return placed


def _unlike(rows: Sequence[Contestant]) -> Iterator[Problem]:
    """Yield remarks on contestants with more or fewer names than nearly all others, and without a place they have."""
    counts = [sum(name.startswith("player") for name in row) for row in rows]
    usual, many = Counter(counts).most_common(1)[0] if counts else (0, 0)
    odd = [(row, count) for row, count in zip(rows, counts, strict=True) if count != usual]
    for row, count in odd if 4 * many > 3 * len(rows) else []:
        names = counted(count, "name")
        yield Problem(f"this row has {names}, and others have {usual}", _where(row), "is a cell empty, or elsewhere?")
    without = [row for row in rows if "place" not in row]
    for row in without if 4 * len(without) < len(rows) else []:
        yield Problem("this row has no place, but others do", _where(row), "add the place")


def _without_place(rows: Sequence[Contestant], passed_over: int) -> Iterator[Problem]:
    """Yield a remark on places that nobody has, where hardly any are missing: rows may be.

    If there are several sections or directions, the places may be those of each or of all together.
    """
    for listed in _fields(rows):
        places = Counter(int(place) for row in listed if (place := number_in(row, "place")) is not None)
        if not places or 1 not in places:
            continue
        free = set(range(1, max(places) + 1))
        for place, count in places.items():
            free -= set(range(place, place + count))
        unplaced = len(listed) - places.total() + passed_over
        if unplaced < len(free) <= MISPLACED * len(listed):
            shown = ", ".join(map(str, sorted(free)))
            what = f"nobody has place {shown}: is a row missing?"
            yield Problem(what, _where(listed[0]), "add the row that is missing, or correct the places")


def _fields(rows: Sequence[Contestant]) -> list[list[Contestant]]:
    """Return the contestants who were ranked together: all, if only one of them is first, else each group."""
    groups = _by_group(rows)
    firsts = sum(any(number_in(row, "place") == 1 for row in listed) for listed in groups.values())
    return [list(rows)] if firsts < len(groups) else list(groups.values())


def _check_sums(rows: Sequence[Contestant], sums: Sequence[Sum]) -> None:
    """Refuse rows of sums that are neither the sum nor the mean of the contestants above them, nor of all."""
    problems = []
    for each in sums:
        for name in ("score", "percentage"):
            said = number_in(each.row, name)
            if said is None or is_top(each.text):
                continue
            field = [row for row in each.of if _group(row) == _group(each.row)]
            fields = [[n for row in of if (n := number_in(row, name)) is not None] for of in (field, each.of, rows)]
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


def number_in(row: Contestant, name: str) -> float | None:
    """Return the number in a column of a contestant, None where there is none."""
    return number_of(row[name].text) if name in row else None


def _by_group(rows: Sequence[Contestant]) -> dict[_Group, list[Contestant]]:
    groups: dict[_Group, list[Contestant]] = {}
    for row in rows:
        groups.setdefault(_group(row), []).append(row)
    return groups


def _group(row: Contestant) -> _Group:
    return tuple(row[name].text for name in ("section", "direction") if name in row)


def _where(row: Contestant) -> str:
    return next(iter(row.values())).where
