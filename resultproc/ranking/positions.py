"""Comparison groups, positions and ties, for many games at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.errors import InputError
from resultproc.frames import BASES, CONTESTANTS, GAMES, STANDINGS, categorical
from resultproc.ranking.sections import Floats, Ints, Sections, Strata, sections_of, strata_of, tables
from resultproc.rulebooks import ranking_terms

_RESOLUTION = 10_000
"""Scores are compared to four decimals: finer differences are a spreadsheet's, not the game's."""

_SAME_TOP = 0.005
"""Sections whose maximum scores differ by less were played for the same one: printed percentages are rounded."""


def rank(games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the standings: each contestant's position in its own stratum and every higher one.

    games, contestants: a complete sheet (see :func:`resultproc.ranking.complete`).
    A Mitchell section is two comparison groups, N-S and E-W, each as large as the number of tables, a half table
    counted as a whole one; a Howell section is one group of all its contestants; a lower stratum's group is as large
    as the contestants in it are many (ACBL Handbook, ch. 4, club section awards). Positions are competition ranks,
    high score first. What is compared over all sections, and which strata are too small to be ranked, the game's
    rulebook says. In a handicap game the handicap standings stand beside the raw ones.
    """
    GAMES.validate(games)
    CONTESTANTS.validate(contestants)
    sections = sections_of(games, contestants)
    strata = strata_of(games)
    level = strata.level(sections.game, contestants["stratum"])
    terms = ranking_terms(games)
    eligible = contestants["eligible"].to_numpy()
    handicapped = games["special"].str.contains("handicap", na=False).to_numpy()[sections.game]
    parts = []
    for offset, basis in enumerate(BASES):
        over_all, handicap = "overall" in basis, "handicap" in basis
        rows = eligible & handicapped if handicap else eligible
        field, known = _field(games, sections, terms, over_all)
        rows = rows & known
        if not rows.any():
            continue
        score = _comparable(contestants, sections, field, rows, over_all, handicap)
        part = _positions(np.flatnonzero(rows), field, score, level, sections.game)
        part = part[_large_enough(part, games, terms, sections, level, eligible, over_all)]
        whole = _fields(games, sections, field, rows, over_all).loc[field[part["contestant"]]]
        part["size"] = np.where(part["level"] == 0, whole["size"], part["ranked"])
        part["tables"] = whole["tables"].to_numpy()
        part["winners"] = _winners(sections, terms, over_all)[part["contestant"]]
        part["basis"] = offset
        parts.append(part)
    if not parts:
        return STANDINGS.empty()
    return _standings(pd.concat(parts, ignore_index=True), strata, sections.game)


def _standings(frame: pd.DataFrame, strata: Strata, game: Ints) -> pd.DataFrame:
    frame["game"] = game[frame["contestant"]]
    letters = strata.letters[frame["game"], frame["level"]]
    frame["stratum"] = pd.Categorical(letters)
    frame["limit"] = strata.limits[frame["game"], frame["level"]]
    frame["basis"] = categorical(frame["basis"].to_numpy(), BASES)
    frame["group"] = pd.factorize(frame["basis"].cat.codes.to_numpy() + len(BASES) * frame["group"].to_numpy())[0]
    return STANDINGS.conform(frame)


def _field(
    games: pd.DataFrame, sections: Sections, terms: pd.DataFrame, over_all: bool
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the number of the field that each contestant is compared in, and whether there is such a comparison."""
    if not over_all:
        return sections.section * 3 + sections.direction + 1, np.ones(len(sections.game), dtype=bool)
    combined = (terms["overall_field"] == "combined").to_numpy()[sections.game]
    field = sections.game * 3 + np.where(combined, 0, sections.direction + 1)
    count = int(field.max(initial=0)) + 1
    pairs = pd.Series(field * (len(sections.frame) + 1) + sections.section).drop_duplicates()
    in_field = np.bincount(pairs // (len(sections.frame) + 1), minlength=count)
    overall = terms["overall"].to_numpy()[sections.game]
    return field, (overall == "always") | ((overall == "several sections") & (in_field[field] > 1))


def _comparable(
    contestants: pd.DataFrame,
    sections: Sections,
    field: Ints,
    rows: npt.NDArray[np.bool_],
    over_all: bool,
    handicap: bool,
) -> Ints:
    """Return what is compared, as integers: scores where a field has them for one maximum, else percentages.

    Raises InputError for a field over several sections, with neither, and for a handicap game without percentages.
    """
    score = contestants["score"].to_numpy(dtype=np.float64)
    percentage = contestants["percentage"].to_numpy(dtype=np.float64)
    if handicap:
        percentage = percentage + np.nan_to_num(contestants["handicap"].to_numpy(dtype=np.float64))
        by_score = np.zeros(len(score), dtype=bool)
    else:
        by_score = _all(~np.isnan(score), field, rows)
        if over_all:
            by_score &= _same_top(score, percentage, sections, field, rows)
    by_percentage = _all(~np.isnan(percentage), field, rows)
    lost = rows & ~by_score & ~by_percentage
    if lost.any():
        row = contestants[lost].iloc[0]
        raise InputError(
            f"contestant {row['section']} {row['number']} cannot be compared with other sections by its score alone"
            if over_all
            else f"contestant {row['section']} {row['number']} has no percentage to add a handicap to",
            str(row["where"]),
            "write the percentage of every contestant",
        )
    compared = np.where(by_score, score, percentage)
    return np.asarray(np.rint(np.nan_to_num(compared) * _RESOLUTION), dtype=np.int64)


def _all(true: npt.NDArray[np.bool_], field: Ints, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return whether it is true of all the field's contestants, per contestant."""
    wrong = np.bincount(field[rows & ~true], minlength=int(field.max(initial=0)) + 1)
    return np.asarray(wrong[field] == 0)


def _same_top(
    score: Floats, percentage: Floats, sections: Sections, field: Ints, rows: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return whether a field's scores were all made for the same maximum, per contestant.

    The maximum is score / percentage. Where no percentage is known the sections' sizes must agree; scores below zero
    are IMPs, which have no maximum.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        top = np.where(rows & (percentage > 5), score / percentage, np.nan)
    known = pd.DataFrame({"top": top, "size": np.bincount(sections.section[rows])[sections.section]})
    imps = np.bincount(field[rows & (score < 0)], minlength=int(field.max(initial=0)) + 1)[field] > 0
    grouped = known.groupby(field)
    highest, lowest = grouped["top"].transform("max").to_numpy(), grouped["top"].transform("min").to_numpy()
    same_size = (grouped["size"].transform("max") == grouped["size"].transform("min")).to_numpy()
    same_top = np.where(np.isnan(highest), same_size, highest - lowest <= _SAME_TOP * highest)
    return np.asarray(imps | same_top.astype(bool))


def _positions(rows: Ints, field: Ints, score: Ints, level: Ints, game: Ints) -> pd.DataFrame:
    """Return a row per contestant and level up to its own: group, ranked, position and tied."""
    order = rows[np.lexsort((-score[rows], field[rows]))]
    levels = int(level.max(initial=0)) + 1
    return pd.concat([_ranked(order[level[order] >= k], field, score, k, levels) for k in range(levels)])


def _ranked(order: Ints, field: Ints, score: Ints, level: int, levels: int) -> pd.DataFrame:
    """Rank contestants that stand in order of field and falling score."""
    if not len(order):
        return pd.DataFrame()
    at = np.arange(len(order))
    new_field = np.r_[True, field[order][1:] != field[order][:-1]]
    new_score = new_field | np.r_[True, score[order][1:] != score[order][:-1]]
    field_start, run_start = (np.maximum.accumulate(np.where(new, at, 0)) for new in (new_field, new_score))
    return pd.DataFrame(
        {
            "contestant": order,
            "level": np.int8(level),
            "group": field[order] * levels + level,
            "ranked": _run_lengths(new_field),
            "position": run_start - field_start + 1,
            "tied": _run_lengths(new_score),
        }
    )


def _run_lengths(new: npt.NDArray[np.bool_]) -> Ints:
    """Return, per element, the length of the run that it is in; ``new`` marks where runs begin."""
    starts = np.flatnonzero(new)
    lengths = np.diff(np.r_[starts, len(new)])
    return np.repeat(lengths, lengths)


def _large_enough(
    part: pd.DataFrame,
    games: pd.DataFrame,
    terms: pd.DataFrame,
    sections: Sections,
    level: Ints,
    eligible: npt.NDArray[np.bool_],
    over_all: bool,
) -> npt.NDArray[np.bool_]:
    """Return which standings are of a stratum that is large enough to be ranked; the top one always is."""
    levels = int(level.max(initial=0)) + 1
    counts = np.bincount(sections.game[eligible] * levels + level[eligible], minlength=len(games) * levels)
    in_game = counts.reshape(len(games), levels)[:, ::-1].cumsum(axis=1)[:, ::-1]
    game = sections.game[part["contestant"]]
    basis = "overall" if over_all else "section"
    enough_in_game = in_game[game, part["level"]] >= terms[f"{basis}_minimum_in_game"].to_numpy()[game]
    enough_in_group = part["ranked"].to_numpy() >= terms[f"{basis}_minimum_in_group"].to_numpy()[game]
    return np.asarray((part["level"].to_numpy() == 0) | enough_in_game | enough_in_group)


def _fields(
    games: pd.DataFrame, sections: Sections, field: Ints, rows: npt.NDArray[np.bool_], over_all: bool
) -> pd.DataFrame:
    """Return, per field, its size by the tables and the tables of its sections.

    A direction of a Mitchell section is as large as the section has tables, halves counted as whole; a one-winner
    section is as large as it lists contestants. For overall comparisons half tables count as whole ones.
    """
    of_section = tables(games, sections.frame)
    whole = np.ceil(of_section)
    cells = pd.DataFrame({"field": field, "section": sections.section, "direction": sections.direction})
    cells = cells[rows].drop_duplicates()
    section = cells["section"].to_numpy()
    listed = sections.frame["pairs"].to_numpy()
    cells["size"] = np.where(cells["direction"] >= 0, whole[section], listed[section])
    cells["tables"] = (whole if over_all else of_section)[section]
    once = cells.drop_duplicates(["field", "section"])
    size = cells.groupby("field")["size"].sum()
    return pd.DataFrame({"size": size.astype(np.int64), "tables": once.groupby("field")["tables"].sum()})


def _winners(sections: Sections, terms: pd.DataFrame, over_all: bool) -> npt.NDArray[np.int8]:
    """Return 2 where a contestant is compared with its own direction only, else 1."""
    combined = over_all & (terms["overall_field"] == "combined").to_numpy()[sections.game]
    return np.where((sections.direction >= 0) & ~combined, 2, 1).astype(np.int8)
