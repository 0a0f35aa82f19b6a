"""Comparison groups, positions and ties, for many games at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    categorical,
    dense_codes,
    expand_counts,
    run_starts,
    select_rows,
    sorted_rows,
)
from resultproc.model.basis import BASES, SECTION
from resultproc.model.facts import Facts
from resultproc.model.frames import STANDINGS
from resultproc.model.sections import Strata
from resultproc.stages.comparisons import Comparison, comparisons
from resultproc.stages.knockouts import knockout_standings

Columns = dict[str, Any]
"""Columns of standings by name, as arrays: several are put together before they become a frame."""


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Some comparison groups as they are ranked, one after the other.

    The columns are those of the standings that do not follow from game and level.

    count: who are ranked in each group.
    of_group: columns with what is the same for all of a group, a value for each group.
    of_each: columns with what is not, a value for each standing.
    """

    count: Ints
    of_group: Columns
    of_each: Columns


def ranked(facts: Facts, terms: pd.DataFrame) -> pd.DataFrame:
    """Return the standings of a complete sheet: each contestant's position in its own stratum and every higher one.

    terms: per game what its rulebook asks of ranking, the fields of :class:`~resultproc.model.basis.Terms`.
    A Mitchell section is two comparison groups, N-S and E-W, each as large as the number of tables, a half table
    counted as a whole one; a Howell section is one group of all its contestants; a lower stratum's group is as large
    as the contestants in it are many (ACBL Handbook, ch. 4, club section awards). Positions are competition ranks,
    high score first. What is compared over all sections, and which strata are too small to be ranked, the game's
    rulebook says. In a handicap game the handicap standings are beside the raw ones, in an event of several
    sessions those of each session. A knockout is ranked by its rounds, see :mod:`resultproc.stages.knockouts`.
    Raises InputError, the line named, where scores do not compare or matches contradict each other.
    """
    games, contestants = facts.games, facts.contestants
    strata, game, level = facts.strata, facts.sections.game, facts.level
    eligible = contestants["eligible"].to_numpy()
    of_eligible, level_of_eligible = select_rows(eligible, game, level)
    # Who is eligible for a level of its game is so for all above.
    levels = strata.letters.shape[1]
    counts = np.bincount(of_eligible * levels + level_of_eligible, minlength=len(games) * levels).reshape(-1, levels)
    in_game = np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1], dtype=np.int64)
    parts: list[_Ranked] = []
    in_section = np.zeros((len(contestants), levels), dtype=bool)
    for comparison in comparisons(facts, terms):
        part = _positions(comparison, level, in_game, in_section, terms)
        if comparison.basis == SECTION:
            in_section[part.of_each["contestant"], np.repeat(part.of_group["level"], part.count)] = True
        parts.append(part)
    by_rounds, found = knockout_standings(facts, terms) if facts.knockouts[game].any() else (pd.DataFrame(), None)
    if len(by_rounds):
        for part in parts:
            part.of_group["run"] = np.zeros(len(part.count), dtype=np.int32)
        parts.append(_by_rounds(by_rounds, facts.sections.game))
    if not parts:
        return STANDINGS.empty()
    standings = _standings(parts, strata)
    count = len(standings["contestant"])
    if len(by_rounds):
        by_scores = count - len(by_rounds)
        standings["knockout"] = categorical(np.repeat([-1, 0], [by_scores, len(by_rounds)]), [found])
    return STANDINGS.of(standings, count)


def _standings(parts: Sequence[_Ranked], strata: Strata) -> Columns:
    """Return the standings of some groups, with what follows from their games and levels."""
    count = np.concatenate([part.count for part in parts])
    of_group, of_each = (
        {name: _joined([each[name] for each in columns]) for name in columns[0]}
        for columns in ([part.of_group for part in parts], [part.of_each for part in parts])
    )
    # Each letter is one character, whose number sorts as it does, and sooner.
    number, letters = dense_codes(strata.letters.ravel().view(np.uint32).astype(np.int64))
    stratum = of_group["game"] * strata.letters.shape[1] + of_group["level"]
    texts = {
        "stratum": categorical(number, letters.astype(np.uint32).view("U1").tolist()).take(stratum),
        "basis": categorical(of_group.pop("basis"), map(str, BASES)),
    }
    follows = {"limit": strata.limits.ravel()[stratum], "group": np.arange(len(count), dtype=np.int32)}
    columns = {name: np.repeat(each, count) for name, each in (of_group | follows).items()}
    categories = {
        name: pd.Categorical.from_codes(np.repeat(each.codes, count), dtype=each.dtype) for name, each in texts.items()
    }
    return of_each | columns | categories


def _joined(each: Sequence[np.ndarray]) -> np.ndarray:
    """Return the values of several parts as one array: rows and counts in 32 bits, as there are many of them."""
    whole = each[0].dtype == np.int64
    return np.concatenate(each, dtype=np.int32, casting="same_kind") if whole else np.concatenate(each)


def _positions(comparison: Comparison, level: Ints, in_game: Ints, in_section: Bools, terms: pd.DataFrame) -> _Ranked:
    """Rank all on each level up to its own, except in strata that are too small to be ranked.

    in_game: per game and level, how many are eligible. in_section: per contestant and level, whether it is ranked in
    its section.
    """
    field, score = select_rows(comparison.rows, comparison.field, -comparison.score)
    order = sorted_rows(field, score)
    if len(order) < len(level):
        order = np.flatnonzero(comparison.rows)[order]
    own = level[order].astype(np.int8)
    levels = [order, *(order[own >= number] for number in range(1, int(level.max(initial=0)) + 1))]
    contestant = np.concatenate(levels)
    on_level = np.repeat(np.arange(len(levels), dtype=np.int8), [len(each) for each in levels])
    field, score = comparison.field[contestant], comparison.score[contestant]
    first = np.flatnonzero(run_starts(field, on_level))
    count = np.diff(first, append=len(contestant))
    groups = comparison.facts.sections.game[contestant[first]], on_level[first], count

    def in_own() -> Bools:
        return np.asarray(np.logical_or.reduceat(in_section[contestant, on_level], first))

    enough = _large_enough(comparison, groups, in_game, in_own, terms)
    contestant, score = select_rows(np.repeat(enough, count), contestant, score)
    game, on_level, count, field = select_rows(enough, *groups, field[first])
    first = np.cumsum(count) - count
    size, of_field = _fields(comparison, terms)
    of_group = {
        "game": game,
        "level": on_level,
        "ranked": count,
        "size": np.where(on_level == 0, size[field], count),
        "tables": of_field[field],
        "winners": comparison.winners[contestant[first]],
        "basis": np.full(len(count), BASES.index(comparison.basis), dtype=np.int8),
    }
    return _Ranked(count, of_group, {"contestant": contestant, **_places(score, first, count)})


def _by_rounds(standings: pd.DataFrame, game: Ints) -> _Ranked:
    """Return the standings of knockouts as groups: all of one came equally far."""
    columns = {str(name): standings[name].to_numpy() for name in standings}
    first = np.flatnonzero(columns.pop("new_group"))
    of_each = {name: columns.pop(name) for name in ("contestant", "position", "tied")}
    of_group = {name: each[first] for name, each in columns.items()}
    of_group["game"] = game[of_each["contestant"][first]]
    return _Ranked(np.diff(first, append=len(standings)), of_group, of_each)


def _places(score: Ints, first: Ints, count: Ints) -> Columns:
    """Return the position of each, and how many share it, by the scores of groups, which fall.

    first: where each group begins. count: how many are in it.
    """
    position = np.arange(1, len(score) + 1, dtype=np.int32) - np.repeat(first.astype(np.int32), count)
    tied = np.ones(len(score), dtype=np.int32)
    new_score = run_starts(score)
    new_score[first] = True
    # Few are tied: those who have the score of the one before them share its place.
    later = np.flatnonzero(~new_score)
    run = np.flatnonzero(run_starts(later - np.arange(len(later))))
    start, share = later[run] - 1, np.diff(run, append=len(later)) + 1
    of, place = expand_counts(share)
    rows = start[of] + place
    position[rows], tied[rows] = position[start][of], share[of]
    return {"position": position, "tied": tied}


def _large_enough(
    comparison: Comparison,
    groups: tuple[Ints, npt.NDArray[np.int8], Ints],
    in_game: Ints,
    in_section: Callable[[], Bools],
    terms: pd.DataFrame,
) -> Bools:
    """Return which groups are of a stratum that is large enough to be ranked, as the top one always is.

    groups: the game and level of each, and how many are in it. in_section: returns, per group, whether the section of
    any of its members ranks it in this stratum.
    """
    game, level, ranked = groups
    basis = "overall" if comparison.basis.over_all else "section"
    enough = in_game[game, level] >= terms[f"{basis}_minimum_in_game"].to_numpy()[game]
    enough |= ranked >= terms[f"{basis}_minimum_in_group"].to_numpy()[game]
    with_section = terms["overall_with_section"].to_numpy(dtype=bool)
    if comparison.basis.over_all and with_section.any():
        enough |= with_section[game] & in_section()
    enough &= ranked >= terms["least_compared"].to_numpy()[game]
    return np.asarray(enough | (level == 0))


def _fields(comparison: Comparison, terms: pd.DataFrame) -> tuple[Ints, Floats]:
    """Return, by the number of the field, its size by the tables and the tables of its sections.

    A direction of a Mitchell section is as large as the section has tables (twice as large with single players), halves
    counted as whole; a one-winner section is as large as it lists contestants, the ineligible ones included. For
    overall comparisons half tables count as whole ones, those of each section or of their sum.
    """
    sections = comparison.facts.sections
    of_section = comparison.facts.declared_tables
    whole = np.ceil(of_section)
    # Whoever sits in one direction of a section is in one field.
    field = np.zeros(3 * len(sections.frame), dtype=np.int64)
    field[sections.line] = comparison.field
    lines = sections.lines
    if not comparison.seated.all():
        lines = np.flatnonzero(np.bincount(sections.line[comparison.seated]))
    section, direction = np.divmod(lines, 3)
    a_side = whole * comparison.facts.on_a_side
    size = np.where(direction > 0, a_side[section], sections.frame["pairs"].to_numpy()[section])
    width = len(sections.frame) + 1
    once = pd.unique(field[lines] * width + section)
    each = (terms["half_tables"] == "each section").to_numpy()[sections.frame["game"]] & comparison.basis.over_all
    in_play = np.where(each, whole, of_section)[once % width]
    fields = int(comparison.field.max(initial=-1)) + 1
    summed = np.bincount(once // width, in_play, fields).astype(np.float64)
    return (
        np.bincount(field[lines], size, fields).astype(np.int64),
        np.ceil(summed) if comparison.basis.over_all else summed,
    )
