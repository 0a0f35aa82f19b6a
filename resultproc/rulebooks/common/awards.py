"""Awards from the first one on: what lower places get, ties past the last that pays, sums of several sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Ints,
    distinct_rows,
    expand_counts,
    factorize_objects,
    factorize_text,
    run_starts,
    sorted_rows,
    take_rows,
)
from resultproc.model.basis import Basis, Kind
from resultproc.model.errors import RulebookError
from resultproc.model.frames import categorical, joined_candidates
from resultproc.model.provenance import Values
from resultproc.model.values import decimal_text
from resultproc.rulebooks.common.exact import Shares
from resultproc.rulebooks.core import Edition, cached_per_edition
from resultproc.rulebooks.ladders import Ladders


def by_place(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    """Return what the first places get as shares of the first award.

    share: returns that of one place, of what is given of the edition and ``of``.
    """
    # In powers of two, so that few scales are computed and kept.
    return _kept_scale(edition, 1 << (places - 1).bit_length(), share, *of)[:places]


@cached_per_edition
def _kept_scale(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    return Shares.of(share(edition, *of, place) for place in range(1, places + 1))


def overall_share(edition: Edition, sessions: int, place: int) -> Fraction:
    """Return what a place gets overall, as a share of the first award, in an event of a number of sessions."""
    step = edition.number("overall.step")
    steps = step ** (place - 1)
    # Above the place where it begins, the curve of a single session would not fall.
    curve = long_share(step, edition.whole("overall.long-steps-until"), sessions, place)
    reading = edition.text("overall.reading")
    if reading == "greater":
        return max(steps, curve)
    if reading != "by sessions":
        raise RulebookError(f"unknown value '{reading}' of overall.reading", hint="write by sessions or greater")
    if sessions >= edition.number("overall.long"):
        return curve
    return steps if place <= edition.number("overall.steps-until") else Fraction(1, place)


def long_share(step: Fraction, steps_until: int, sessions: int, place: int) -> Fraction:
    """Return a place's share of the first award on the scale of long events: steps, then the curve of its sessions."""
    return step ** (place - 1) if place <= steps_until else Fraction(sessions, place + 2 * sessions - 3)


def overall_scale(edition: Edition, sessions: int) -> tuple[str, ...]:
    """Return the paths of the values that the scale of an event with this number of sessions comes from."""
    if edition.text("overall.reading") == "greater":
        return ("overall.step", "overall.reading")
    return ("overall.step", "overall.long" if sessions >= edition.number("overall.long") else "overall.steps-until")


def percent_share(percentages: Sequence[Fraction], place: int) -> Fraction:
    """Return a place's share of the first award: the percentages are for 2nd, 3rd, ...; below them 1 / place."""
    if place == 1:
        return Fraction(1)
    return percentages[place - 2] / 100 if place - 2 < len(percentages) else Fraction(1, place)


Count = TypeVar("Count", int, Ints)


def with_ties_beyond(edition: Edition, ladders: Ladders) -> Ladders:
    """Return ladders whose awards below their depth are as :func:`beyond_depth` has them."""
    reading = edition.text("ties.beyond-depth")
    if reading == "extend":
        return ladders
    of, place = expand_counts(np.diff(ladders.start))
    kept = place < _kept(reading, ladders.depth)[of]
    return replace(ladders, awards=np.where(kept, ladders.awards, 0))


def beyond_depth(awards: Sequence[int], depth: int, reading: str) -> tuple[int, ...]:
    """Return a ladder whose awards below its depth are those that a tie for the last place pools.

    reading: ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    Raises RulebookError for any other reading.
    """
    kept = len(awards) if reading == "extend" else _kept(reading, depth)
    return (*awards[:kept], *[0] * (len(awards) - kept))


def _kept(reading: str, depth: Count) -> Count:
    if reading not in {"one", "none"}:
        raise RulebookError(f"unknown value '{reading}' of ties.beyond-depth", hint="write extend, one or none")
    return depth + 1 if reading == "one" else depth


def with_more(candidates: pd.DataFrame, more: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return candidates with more of them, which the values of a rulebook made."""
    all_one = np.zeros(len(more), dtype=np.int64)
    made = more.assign(values=categorical(all_one, [values]), rule=categorical(all_one, [values.rule]))
    return joined_candidates([candidates, made[candidates.columns]])


def decided_by(candidates: pd.DataFrame, rows: Bools, values: Values) -> pd.DataFrame:
    """Return candidates with more values for some rows: values that decided them besides those of their ladders."""
    made = candidates["values"].cat
    number, told = factorize_objects(
        [*made.categories, *(Values.of((*each.items, *values.items)) for each in made.categories)]
    )
    of = number[made.codes + rows * len(made.categories)]
    rule, rules = factorize_objects(each.rule for each in told)
    return candidates.assign(values=categorical(of, told), rule=categorical(rule[of], rules))


_OF_SUMS = ["basis", "masterpoints", "section_top", "values", "rule", "factors"]
"""What sums have of their own; else they are as the largest award in them."""


def with_sums_of_sessions(candidates: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return the candidates with the sum of each contestant's session awards.

    The highest award of each session counts, over its strata; the sum goes by the stratum and the position of the
    largest of them. A contestant with an award in one session alone gets no sum: it would say nothing new.
    values: those of the regulation that lets session awards add up.
    """
    sums = _sums(candidates)
    return with_more(candidates, sums, values) if len(sums) else candidates


def _sums(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of session awards, but for what made them."""
    number, bases = factorize_text(candidates["basis"])
    parsed = {each: Basis.parse(str(bases[each])) for each in np.flatnonzero(np.bincount(number)).tolist()}
    sessions = sorted((basis.session, each) for each, basis in parsed.items() if basis.kind is Kind.SESSION)
    if len(sessions) < 2:
        return candidates.iloc[:0]
    contestant, points, level = (candidates[name].to_numpy() for name in ("contestant", "masterpoints", "level"))
    # A contestant's candidates are in order: the first one of a session is its best.
    of_session = (np.flatnonzero(number == each) for _, each in sessions)
    best = np.concatenate([rows[run_starts(contestant[rows])] for rows in of_session])
    best = best[sorted_rows(contestant[best])]
    count = np.diff(np.flatnonzero(run_starts(contestant[best])), append=len(best))
    best = best[np.repeat(count > 1, count)]
    if not len(best):
        return candidates.iloc[:0]
    start = np.flatnonzero(run_starts(contestant[best]))
    largest = sorted_rows(contestant[best], -points[best], level[best], best)[start]
    return take_rows(candidates.drop(columns=_OF_SUMS), best[largest]).assign(
        basis=categorical(np.zeros(len(start), dtype=np.int64), [str(Basis(Kind.SUM_OF_SESSIONS))]),
        masterpoints=np.add.reduceat(points[best], start),
        section_top=np.add.reduceat(candidates["section_top"].to_numpy()[best], start),
        factors=_parts(take_rows(candidates[["basis", "stratum", "masterpoints"]], best), start),
    )


def _parts(awards: pd.DataFrame, start: Ints) -> pd.Categorical:
    """Return what each sum consists of: the awards from each start on to the next."""
    number, first = distinct_rows(awards)
    said = [
        f"{basis} {stratum} {decimal_text(points)}"
        for basis, stratum, points in awards.iloc[first].itertuples(index=False, name=None)
    ]
    count = np.diff(start, append=len(number))
    parts = np.full((len(start), int(count.max())), -1)
    parts[expand_counts(count)] = number
    of, which = distinct_rows(pd.DataFrame(parts))
    one, *others = parts[which].T.tolist()
    texts = [said[part] for part in one]
    for other in others:
        texts = [f"{text} + {said[part]}" if part >= 0 else text for text, part in zip(texts, other, strict=True)]
    return categorical(of, texts)
