"""The picture of the field: a dot for each contestant over a scale, and a line where the awards of each stratum end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from resultproc.formats.html.standings import Line, List
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import MINUS
from resultproc.pages.design import scale

_LEAST = 4
"""Fewer contestants are seen at a glance in their list."""

_MARKS = 7
"""About how many marks the scale has."""

_MARGIN, _NARROW = 3.0, 320
"""What is left free on both sides, in percent of the width; the least width that dots do not overlap in, in pixels."""

_RADIUS = {40: 5, 100: 4}
"""In pixels, of the dots of that number of contestants; the dots of more are smaller."""

_HIGH = 130
"""How far down the bars of a histogram stand, in pixels."""

_TOGETHER = 4.0
"""Lines that are nearer to each other, in percent of the width, have one label."""

_LONGEST = 32
"""This many letters of names are shown: on a phone there is room for no more."""


class Dot(NamedTuple):
    """The dot of a contestant."""

    x: str  # where it is from the left, in percent of the width, such as ``12.5%``
    y: int  # how far down it is, in pixels
    at: int  # the contestant's row
    paid: bool  # whether it won anything
    text: str  # what is said of it: who it is, and its score

    @property
    def along(self) -> int:
        """Where it is from the left in a picture of the width 600."""
        return round(6 * float(self.x.rstrip("%")))


class FieldBar(NamedTuple):
    """A bar of a histogram."""

    x: str  # where it is from the left, in percent of the width
    width: str  # how wide it is, in percent of the width
    y: float  # how far down it is, in pixels
    height: float  # how high it is, in pixels
    paid: bool  # whether those in it won anything


class Mark(NamedTuple):
    """A mark of the scale, or a line where the awards of strata end: where it is, and its text."""

    x: str
    text: str


@dataclass(frozen=True)
class Picture:
    """The field of a list."""

    unit: str  # of the scores, ``%`` for percentages
    radius: int  # of the dots, in pixels
    dots: Sequence[Dot]  # one for each contestant
    marks: Sequence[Mark]  # those of the scale
    cuts: Sequence[Mark]  # the lines where the awards of strata end
    base: int  # how far down the lowest dots are, in pixels
    height: int  # of the whole picture, in pixels
    middle: str  # the scores that half of the field is between
    bars: Sequence[FieldBar] = ()  # those of so many contestants that dots would say less, else none
    quarters: Sequence[Mark] = ()  # lines where a quarter, half and three quarters of them end

    @property
    def foot(self) -> int:
        """How far down its scale begins, in pixels."""
        return _HIGH if self.bars else self.base

    @property
    def many(self) -> bool:
        """Whether the dots are too many to be gone through one by one: then none is a link."""
        return len(self.dots) > max(_RADIUS)


def picture(shown: List) -> Picture | None:
    """Return the picture of a list; None where it would say nothing: few contestants, no scores, or not their order."""
    lines = [line for line in shown.lines if line.value is not None and line.places]
    if any(line.value is not None and not line.places and not line.note for line in shown.lines):
        # A sheet that prints the paid places alone: their dots would not be the field.
        return None
    values = [line.value for line in lines if line.value is not None]
    if not shown.unit or len(lines) < _LEAST or values[0] == values[-1] or values != sorted(values, reverse=True):
        return None
    axis = scale(values[-1], values[0], _MARKS)
    low, high = axis[0], axis[-1]

    def x(value: float) -> float:
        return _MARGIN + (value - low) / (high - low) * (100 - 2 * _MARGIN)

    radius = next((size for count, size in _RADIUS.items() if len(lines) <= count), 3)
    apart, step = 100 * 2 * radius / _NARROW, 2 * radius + 2
    level: list[float] = []
    points = []
    for value in values:
        at = x(value)
        row = next((number for number, last in enumerate(level) if last - at >= apart), len(level))
        level[row : row + 1] = [at]
        points.append((at, row))
    base = 44 + step * (len(level) - 1)
    unit = shown.unit if shown.unit == "%" else ""
    who = [line.who if len(line.who) <= _LONGEST else f"{line.who[: _LONGEST - 1]}…" for line in lines]
    dots = [
        Dot(
            _x(at),
            base - step * row,
            line.at,
            bool(line.parts),
            f"{as_it_is(text) or line.seat} {in_words(_number(line.value, '.2f') + unit)}",
        )
        for line, text, (at, row) in zip(lines, who, points, strict=True)
    ]
    quarters = [values[3 * len(values) // 4], values[len(values) // 4]]
    middle = " and ".join(f"{_number(value, '.2f')}{unit}" for value in quarters)
    marks = [Mark(_x(x(value)), f"{_number(value, 'g')}{unit}") for value in axis]
    field = Picture(shown.unit, radius, dots, marks, _cuts(lines, x), base, base + 30, middle)
    if not field.many:
        return field
    among = [values[-1 - len(values) * n // 4] for n in (1, 2, 3)]
    lines_at = [Mark(_x(x(value)), text) for value, text in zip(among, "¼½¾", strict=True)]
    bars = _bars(axis, [(value, bool(line.parts)) for value, line in zip(values, lines, strict=True)], x)
    return replace(field, bars=bars, quarters=lines_at, height=_HIGH + 30)


def _bars(axis: Sequence[float], got: Sequence[tuple[float, bool]], x: Callable[[float], float]) -> list[FieldBar]:
    """Return the histogram of scores, a fourth of the way between two marks each, those who are paid above the others.

    got: the score of each contestant, and whether it is paid.
    """
    step = (axis[1] - axis[0]) / 4
    last = 4 * (len(axis) - 1) - 1  # which has what is at its end, too
    count = Counter((min(int((value - axis[0]) // step), last), paid) for value, paid in got)
    most = max(count[n, False] + count[n, True] for n, _ in count)
    high = (_HIGH - 40) / most
    width = f"{x(axis[0] + step) - x(axis[0]) - 0.3:.2f}%"
    return [
        FieldBar(
            _x(x(axis[0] + n * step)),
            width,
            round(_HIGH + 10 - high * (many + (count[n, False] if paid else 0)), 1),
            round(high * many, 1),
            paid,
        )
        for (n, paid), many in sorted(count.items())
    ]


def _number(value: float | None, form: str) -> str:
    return format(value, form).replace("-", MINUS)


def _x(percent: float) -> str:
    return f"{percent:.1f}%"


def _cuts(lines: Sequence[Line], x: Callable[[float], float]) -> list[Mark]:
    """Return where the awards of each stratum end, none where all or none are paid; those together have one label.

    Where there is one stratum it has none: nobody but the rules call it A.
    """
    ends: list[tuple[float, str]] = []
    letters = sorted({letter for line in lines for letter in line.places})
    for letter in letters:
        values = [(line.value, line.places[letter].pays) for line in lines if letter in line.places]
        paid = [value for value, pays in values if pays and value is not None]
        unpaid = [value for value, pays in values if not pays and value is not None]
        if paid and unpaid:
            ends.append((x((paid[-1] + unpaid[0]) / 2), letter if len(letters) > 1 else ""))
    groups: list[list[tuple[float, str]]] = []
    for at, letter in sorted(ends):
        if groups and at - groups[-1][0][0] < _TOGETHER:
            groups[-1].append((at, letter))
        else:
            groups.append([(at, letter)])
    return [
        Mark(_x(at), "" if n else " ".join(sorted(letter for _, letter in group)))
        for group in groups
        for n, (at, _) in enumerate(group)
    ]
