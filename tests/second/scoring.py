"""Boards scored a second time: one result after the other, in exact fractions, and nothing of the package.

A result is a mapping with ``field``, ``board``, ``ns``, ``ew``, ``score``, ``ew_score``, ``ns_adjusted`` and
``ew_adjusted``, None for what there is not. Cited are the Laws of Duplicate Bridge 2017.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

Result = Mapping[str, Any]
Points = list[dict[str, Fraction | None]]

# Law 78B: the least difference for 1, 2, 3, ... IMPs.
SCALE = [
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
]


def imps(difference: Fraction | int) -> int:
    worth = sum(abs(difference) >= least for least in SCALE)
    return worth if difference > 0 else -worth


def scores(result: Result, side: str) -> int | None:
    """Return what a side scored; None where it was not played out, or adjusted for that side."""
    if result["score"] is None or result[f"{side}_adjusted"] is not None:
        return None
    if side == "ns":
        return int(result["score"])
    return int(-result["score"] if result["ew_score"] is None else result["ew_score"])


def compared(results: Sequence[Result], result: Result, side: str) -> list[int]:
    """Return the scores of the same side of the same board and field, the result's own among them."""
    same = [each for each in results if (each["field"], each["board"]) == (result["field"], result["board"])]
    found = [scores(each, side) for each in same]
    return [each for each in found if each is not None]


def counts(result: Result) -> bool:
    return any(result[name] is not None for name in ("score", "ns_adjusted", "ew_adjusted"))


def top(results: Sequence[Result], field: object) -> int:
    """Return the most that a side can beat in a field: one less than the results of the board that has most."""
    boards: dict[int, int] = {}
    for each in results:
        if each["field"] == field and counts(each):
            boards[each["board"]] = boards.get(each["board"], 0) + 1
    return max(boards.values(), default=1) - 1


def matchpoints(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    """Return half a point for each score tied and one for each beaten, factored to the field's top (Laws 78A, 87B)."""
    most, adjusted = top(results, result["field"]), result[f"{side}_adjusted"]
    if adjusted is not None:
        return Fraction(adjusted) * most / 100
    score = scores(result, side)
    if score is None:
        return None
    others = compared(results, result, side)
    if len(others) == 1:
        return Fraction(60) * most / 100
    beaten = sum(Fraction(1) if score > each else Fraction(score == each, 2) for each in others) - Fraction(1, 2)
    return (beaten + Fraction(1, 2)) * (most + 1) / len(others) - Fraction(1, 2)


AVERAGES = {40: Fraction(-3), 50: Fraction(0), 60: Fraction(3)}


def cross(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    if result[f"{side}_adjusted"] is not None:
        return AVERAGES[result[f"{side}_adjusted"]]  # Law 12C2(b)
    score, others = scores(result, side), compared(results, result, side)
    if score is None or len(others) < 2:
        return None
    return Fraction(sum(imps(score - each) for each in others), len(others) - 1)


def factored(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    """Return the IMPs against the others of the board in all, times N / n / (N - 1)."""
    mean, n, most = (
        cross(results, result, side),
        len(compared(results, result, side)),
        top(results, result["field"]) + 1,
    )
    if mean is None or result[f"{side}_adjusted"] is not None:
        return mean
    return mean * (n - 1) * most / n / (most - 1)


def butler(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    if result[f"{side}_adjusted"] is not None:
        return AVERAGES[result[f"{side}_adjusted"]]
    score, others = scores(result, side), sorted(compared(results, result, side))
    if score is None:
        return None
    if len(others) >= 4:
        others = others[1:-1]
    mean = Fraction(sum(others), len(others))
    tens = int(abs(mean) / 10 + Fraction(1, 2)) * 10
    return Fraction(imps(score - (tens if mean >= 0 else -tens)))


def of_teams(
    results: Sequence[Result],
    result: Result,
    side: str,
    won: Callable[[int], int | Fraction],
    ruled: Callable[[int], Fraction],
) -> Fraction | None:
    """Return what a team wins of a board: it adds the table where it sat N-S to that where it sat E-W."""
    other = "ew" if side == "ns" else "ns"
    seats = (result["field"], result["board"], result["ew"], result["ns"])
    there = next((each for each in results if (each["field"], each["board"], each["ns"], each["ew"]) == seats), None)
    own = [result[f"{side}_adjusted"], there and there[f"{other}_adjusted"]]
    rulings = [ruled(each) for each in own if each is not None]
    if rulings:
        return sum(rulings, Fraction(0)) / len(rulings)
    if there is None:
        return None
    both = [scores(result, side), scores(there, other)]
    if None in both:
        return None
    return Fraction(won(sum(each for each in both if each is not None)))


def board_a_match(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    def won(net: int) -> Fraction:
        return Fraction((net > 0) - (net < 0) + 1, 2)

    return of_teams(results, result, side, won, lambda percent: Fraction(percent, 100))


def team_imps(results: Sequence[Result], result: Result, side: str) -> Fraction | None:
    return of_teams(results, result, side, imps, AVERAGES.__getitem__)


WAYS = {
    **{"matchpoints": matchpoints, "cross-imps": cross, "cross-imps-factored": factored, "butler": butler},
    **{"board-a-match": board_a_match, "team-imps": team_imps},
}


def points(way: str, results: Sequence[Result]) -> Points:
    """Return what both sides of each result get; average plus and minus are a pair's own percentage (Law 12C2(c))."""
    found = [{side: WAYS[way](results, each, side) for side in ("ns", "ew")} for each in results]
    if way != "matchpoints":
        return found
    changed = [dict(each) for each in found]
    for n, result in enumerate(results):
        for side in ("ns", "ew"):
            adjusted = result[f"{side}_adjusted"]
            earned = possible = Fraction(0)
            for other, got in zip(results, found, strict=True):
                mine = (other["field"], other[side]) == (result["field"], result[side])
                if mine and other[f"{side}_adjusted"] is None and got[side] is not None:
                    earned, possible = earned + (got[side] or 0), possible + top(results, other["field"])
            if adjusted in (60, 40) and possible:
                own = 100 * earned / possible
                percent = max(own, Fraction(60)) if adjusted == 60 else min(own, Fraction(40))
                changed[n][side] = percent * top(results, result["field"]) / 100
    return changed


def hundredths(value: Fraction) -> Fraction:
    rounded = int(abs(value) * 100 + Fraction(1, 2))
    return Fraction(rounded if value > 0 else -rounded, 100)


def total(way: str, results: Sequence[Result], side: str, who: tuple[object, str], most: int) -> Fraction | None:
    """Return the total of one side's pair, of points in hundredths; shares are raised to the most boards of anybody."""
    got = [
        hundredths(each[side] or Fraction(0))
        for each, result in zip(points(way, results), results, strict=True)
        if (result["field"], result[side]) == who and each[side] is not None
    ]
    if not got:
        return None
    summed = sum(got, Fraction(0))
    return summed if way in ("cross-imps", "butler") else summed * most / len(got)
