"""Comparison groups, positions and ties, for many games at once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from resultproc.model.basis import BASES, OVERALL
from resultproc.model.frames import CONTESTANTS, GAMES, STANDINGS, CompleteSheet, categorical
from resultproc.model.sections import Floats, Ints, Strata, among, numbered, ordered, sections_of, strata_of, tables
from resultproc.stages.comparisons import Bools, Comparison, comparisons
from resultproc.stages.knockouts import knockout_standings


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
    parts: list[pd.DataFrame] = []
    in_section = np.zeros((len(contestants), strata.letters.shape[1]), dtype=bool)
    for comparison in comparisons(games, contestants, sections, terms):
        if comparison.basis == OVERALL and parts:
            (in_sections,) = parts
            in_section[in_sections["contestant"].to_numpy(), in_sections["level"].to_numpy()] = True
        parts.append(_positions(games, comparison, level, in_game, in_section, terms))
    by_scores = sum(map(len, parts))
    by_rounds, found = knockout_standings(games, contestants, sections, terms)
    if len(by_rounds):
        parts = [*(part.assign(run=0) for part in parts), by_rounds]
    if not parts:
        return STANDINGS.empty()
    frame = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    if len(by_rounds):
        of = np.repeat([-1, 0], [by_scores, len(by_rounds)])
        frame = frame.assign(knockout=categorical(of, [found]))
    return _standings(frame, strata, game)


def _standings(frame: pd.DataFrame, strata: Strata, game: Ints) -> pd.DataFrame:
    """Return the frame with what follows from game and level."""
    of, level = game[frame["contestant"].to_numpy()], frame["level"].to_numpy()
    number, letters = numbered(strata.letters.ravel().view(np.uint32).astype(np.int64))
    stratum = of * strata.letters.shape[1] + level
    return STANDINGS.conform(
        frame.assign(
            game=of,
            stratum=categorical(number[stratum], letters.astype(np.uint32).view("U1").tolist()),
            limit=strata.limits.ravel()[stratum],
            group=np.cumsum(frame.pop("new_group").to_numpy()) - 1,
            basis=categorical(frame["basis"].to_numpy(), map(str, BASES)),
        )
    )


def _positions(
    games: pd.DataFrame, comparison: Comparison, level: Ints, in_game: Ints, in_section: Bools, terms: pd.DataFrame
) -> pd.DataFrame:
    """Return a row per contestant and level up to its own, but for strata that are too small to be ranked.

    in_section: per contestant and level, whether it is ranked in its section. The columns are those of the standings
    that do not follow from game and level; ``new_group`` marks the first row of each comparison group, whose rows stand
    together.
    """
    field, score, rows = among(comparison.rows, comparison.field, comparison.score, np.arange(len(level)))
    order = rows[ordered(field, -score)]
    parts = [_ranked(order, comparison, 0)]
    for lower in range(1, int(level.max(initial=0)) + 1):
        order = order[level[order] >= lower]
        part = _ranked(order, comparison, lower)
        enough = _large_enough(part, comparison, in_game[:, lower], in_section[:, lower], terms)
        parts.append({name: values[enough] for name, values in part.items()})
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    contestant = columns["contestant"]
    field = comparison.field[contestant]
    size, in_play = _fields(games, comparison, terms)
    columns |= {
        "size": np.where(columns["level"] == 0, size[field], columns["ranked"]),
        "tables": in_play[field],
        "winners": comparison.winners[contestant],
        "basis": np.full(len(field), comparison.number),
    }
    return pd.DataFrame(columns, copy=False)


def _ranked(order: Ints, comparison: Comparison, level: int) -> dict[str, np.ndarray]:
    """Rank contestants of one level that are in order of field and falling score."""
    field, score = comparison.field[order], comparison.score[order]
    new_field = np.ones(len(order), dtype=bool)
    new_field[1:] = field[1:] != field[:-1]
    new_score = new_field.copy()
    new_score[1:] |= score[1:] != score[:-1]
    (field_start, ranked), (tie_start, tied) = _runs(new_field), _runs(new_score)
    return {
        "contestant": order,
        "level": np.full(len(order), level, dtype=np.int8),
        "new_group": new_field,
        "ranked": ranked,
        "position": tie_start - field_start + 1,
        "tied": tied,
    }


def _runs(new: Bools) -> tuple[Ints, Ints]:
    """Return, per element, where the run that it is in begins, and its length; ``new`` marks where runs begin."""
    starts = np.flatnonzero(new)
    lengths = np.diff(np.append(starts, len(new)))
    return np.repeat(starts, lengths), np.repeat(lengths, lengths)


def _in_game(game: Ints, level: Ints, games: int, strata: Strata) -> Ints:
    """Return how many contestants of each game are eligible for each level: games x levels."""
    levels = strata.letters.shape[1]
    counts = np.bincount(game * levels + level, minlength=games * levels).reshape(games, levels)
    return np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1], dtype=np.int64)


def _large_enough(
    part: Mapping[str, np.ndarray], comparison: Comparison, in_game: Ints, in_section: Bools, terms: pd.DataFrame
) -> Bools:
    """Return which standings are of a stratum that is large enough to be ranked.

    in_game: how many of each game are eligible for it. in_section: per contestant, whether its section ranks it in it.
    """
    game = comparison.sections.game[part["contestant"]]
    basis = "overall" if comparison.over_all else "section"
    enough_in_game = (in_game >= terms[f"{basis}_minimum_in_game"].to_numpy())[game]
    enough_in_group = part["ranked"] >= terms[f"{basis}_minimum_in_group"].to_numpy()[game]
    enough = enough_in_game | enough_in_group
    if comparison.over_all:
        field = comparison.field[part["contestant"]]
        any_section = np.zeros(int(field.max(initial=-1)) + 1, dtype=bool)
        any_section[field[in_section[part["contestant"]]]] = True
        enough |= any_section[field] & terms["overall_with_section"].to_numpy(dtype=bool)[game]
    return np.asarray(enough & (part["ranked"] >= terms["least_compared"].to_numpy()[game]))


def _fields(games: pd.DataFrame, comparison: Comparison, terms: pd.DataFrame) -> tuple[Ints, Floats]:
    """Return, by the number of the field, its size by the tables and the tables of its sections.

    A direction of a Mitchell section is as large as the section has tables, halves counted as whole; a one-winner
    section is as large as it lists contestants, the ineligible ones included. For overall comparisons half tables count
    as whole ones, those of each section or of their sum.
    """
    sections = comparison.sections
    of_section = tables(games, sections.frame)
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
