"""Comparison groups, positions and ties, for many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.basis import BASES, OVERALL, SECTION
from resultproc.model.frames import CONTESTANTS, GAMES, STANDINGS, CompleteSheet, categorical
from resultproc.model.sections import (
    Floats,
    Ints,
    Strata,
    among,
    begins,
    numbered,
    ordered,
    sections_of,
    strata_of,
    tables,
)
from resultproc.stages.comparisons import Bools, Comparison, comparisons
from resultproc.stages.knockouts import knockout_standings

Columns = dict[str, np.ndarray]
"""Columns of standings by name, as arrays: several are put together before they become a frame."""


def ranked(sheet: CompleteSheet, terms: pd.DataFrame) -> pd.DataFrame:
    """Return the standings: each contestant's position in its own stratum and every higher one.

    terms: per game what its rulebook asks of ranking, the fields of :class:`~resultproc.model.terms.Terms`.
    A Mitchell section is two comparison groups, N-S and E-W, each as large as the number of tables, a half table
    counted as a whole one; a Howell section is one group of all its contestants; a lower stratum's group is as large
    as the contestants in it are many (ACBL Handbook, ch. 4, club section awards). Positions are competition ranks,
    high score first. What is compared over all sections, and which strata are too small to be ranked, the game's
    rulebook says. In a handicap game the handicap standings are beside the raw ones, in an event of several
    sessions those of each session. A knockout is ranked by its rounds, see :mod:`resultproc.stages.knockouts`.
    Raises InputError, the line named, where scores do not compare or matches contradict each other.
    """
    games, contestants = sheet
    GAMES.validate(games)
    CONTESTANTS.validate(contestants)
    strata = strata_of(games)
    sections = sheet.sections or sections_of(games, contestants)
    game = sections.game
    level = strata.level(game, contestants["stratum"])
    eligible = contestants["eligible"].to_numpy()
    of_eligible, level_of_eligible = among(eligible, game, level)
    in_game = _in_game(of_eligible, level_of_eligible, len(games), strata)
    parts: list[Columns] = []
    in_sections: Columns = {}
    in_section = np.zeros((len(contestants), strata.letters.shape[1]), dtype=bool)
    in_play = cache(lambda: tables(games, sections.frame))
    for comparison in comparisons(games, contestants, sections, terms):
        if comparison.basis == OVERALL and in_sections:
            in_section[in_sections["contestant"], in_sections["level"]] = True
        moved = comparison.sections is not sections
        of_section = tables(games, comparison.sections.frame) if moved else in_play()
        parts.append(_positions(comparison, of_section, level, in_game, in_section, terms))
        if comparison.basis == SECTION:
            in_sections = parts[-1]
    by_scores = sum(len(part["contestant"]) for part in parts)
    by_rounds, found = knockout_standings(games, contestants, sections, terms)
    if len(by_rounds):
        parts = [part | {"run": np.zeros(len(part["contestant"]), dtype=np.int32)} for part in parts]
        parts.append({str(name): by_rounds[name].to_numpy() for name in by_rounds})
    if not parts:
        return STANDINGS.empty()
    columns: dict[str, Any] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if len(by_rounds):
        columns["knockout"] = categorical(np.repeat([-1, 0], [by_scores, len(by_rounds)]), [found])
    return _standings(columns, strata, game)


def _standings(columns: dict[str, Any], strata: Strata, game: Ints) -> pd.DataFrame:
    """Return the standings of some columns, with what follows from these."""
    of = game[columns["contestant"]]
    # Each letter is one character, whose number sorts as it does, and sooner.
    number, letters = numbered(strata.letters.ravel().view(np.uint32).astype(np.int64))
    stratum = of * strata.letters.shape[1] + columns["level"]
    follows = {
        "game": of,
        "stratum": categorical(number, letters.astype(np.uint32).view("U1").tolist()).take(stratum),
        "limit": strata.limits.ravel()[stratum],
        "group": np.cumsum(columns.pop("new_group")) - 1,
        "basis": categorical(columns["basis"], map(str, BASES)),
    }
    return STANDINGS.conform(pd.DataFrame(columns | follows, copy=False))


def _positions(
    comparison: Comparison, in_play: Floats, level: Ints, in_game: Ints, in_section: Bools, terms: pd.DataFrame
) -> Columns:
    """Return a row per contestant and level up to its own, but for strata that are too small to be ranked.

    in_play: the tables of each section. in_section: per contestant and level, whether it is ranked in its section.
    The columns are those of the standings that do not follow from game and level; ``new_group`` marks the first row of
    each comparison group, whose rows stand together.
    """
    rows = np.flatnonzero(comparison.rows)
    order = rows[ordered(comparison.field[rows], -comparison.score[rows])]
    lower = [order[level[order] >= number] for number in range(1, int(level.max(initial=0)) + 1)]
    part = _ranked([order, *lower], comparison)
    enough = _large_enough(part, comparison, in_game, in_section, terms)
    part = dict(zip(part, among(enough, *part.values()), strict=True))
    size, of_field = _fields(comparison, in_play, terms)
    contestant = part["contestant"]
    field = comparison.field[contestant]
    return part | {
        "size": np.where(part["level"] == 0, size[field], part["ranked"]),
        "tables": of_field[field],
        "winners": comparison.winners[contestant],
        "basis": np.full(len(field), comparison.number, dtype=np.int8),
    }


def _ranked(levels: Sequence[Ints], comparison: Comparison) -> Columns:
    """Rank the contestants of each level, which are in order of field and falling score."""
    contestant = np.concatenate(levels)
    level = np.repeat(np.arange(len(levels), dtype=np.int8), [len(each) for each in levels])
    field, score = comparison.field[contestant], comparison.score[contestant]
    new_group = begins(field, level)
    new_score = new_group | begins(score)
    groups, ties = np.flatnonzero(new_group), np.flatnonzero(new_score)
    ranked, tied = (np.diff(starts, append=len(contestant)) for starts in (groups, ties))
    first = groups[np.cumsum(new_group[ties]) - 1]
    return {
        "contestant": contestant,
        "level": level,
        "new_group": new_group,
        "ranked": np.repeat(ranked, ranked),
        "position": np.repeat(ties - first + 1, tied),
        "tied": np.repeat(tied, tied),
    }


def _in_game(game: Ints, level: Ints, games: int, strata: Strata) -> Ints:
    """Return how many contestants of each game are eligible for each level: games x levels."""
    levels = strata.letters.shape[1]
    counts = np.bincount(game * levels + level, minlength=games * levels).reshape(games, levels)
    return np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1], dtype=np.int64)


def _large_enough(
    part: Columns, comparison: Comparison, in_game: Ints, in_section: Bools, terms: pd.DataFrame
) -> Bools:
    """Return which standings are of a stratum that is large enough to be ranked, as the top one always is.

    in_section: per contestant and level, whether its section ranks it in this stratum.
    """
    # All of a comparison group are of one game, and as many.
    first = np.flatnonzero(part["new_group"])
    contestant, level, ranked = (part[name][first] for name in ("contestant", "level", "ranked"))
    game = comparison.sections.game[contestant]
    basis = "overall" if comparison.over_all else "section"
    enough_in_game = in_game[game, level] >= terms[f"{basis}_minimum_in_game"].to_numpy()[game]
    enough = enough_in_game | (ranked >= terms[f"{basis}_minimum_in_group"].to_numpy()[game])
    with_section = terms["overall_with_section"].to_numpy(dtype=bool)[game]
    if comparison.over_all and with_section.any():
        in_own = in_section[part["contestant"], part["level"]]
        enough |= with_section & np.logical_or.reduceat(in_own, first)
    enough &= ranked >= terms["least_compared"].to_numpy()[game]
    return np.repeat(enough | (level == 0), ranked)


def _fields(comparison: Comparison, of_section: Floats, terms: pd.DataFrame) -> tuple[Ints, Floats]:
    """Return, by the number of the field, its size by the tables and the tables of its sections.

    of_section: the tables of each section.
    A direction of a Mitchell section is as large as the section has tables, halves counted as whole; a one-winner
    section is as large as it lists contestants, the ineligible ones included. For overall comparisons half tables count
    as whole ones, those of each section or of their sum.
    """
    sections = comparison.sections
    whole = np.ceil(of_section)
    # Whoever sits in one direction of a section is in one field.
    field = np.zeros(3 * len(sections.frame), dtype=np.int64)
    field[sections.line] = comparison.field
    lines = sections.lines
    if not comparison.seated.all():
        lines = np.flatnonzero(np.bincount(sections.line[comparison.seated]))
    section, direction = np.divmod(lines, 3)
    size = np.where(direction > 0, whole[section], sections.frame["pairs"].to_numpy()[section])
    width = len(sections.frame) + 1
    once = pd.unique(field[lines] * width + section)
    each = (terms["half_tables"] == "each section").to_numpy()[sections.frame["game"]] & comparison.over_all
    in_play = np.where(each, whole, of_section)[once % width]
    fields = int(comparison.field.max(initial=-1)) + 1
    summed = np.bincount(once // width, in_play, fields).astype(np.float64)
    return (
        np.bincount(field[lines], size, fields).astype(np.int64),
        np.ceil(summed) if comparison.over_all else summed,
    )
