"""What is compared with what, comparison groups, positions and ties, for many games at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
from resultproc.model.basis import BASES, MATCHES, OVERALL, SECTION, Basis, Kind
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import STANDINGS, game_problem
from resultproc.model.game import BY_MATCHES, HANDICAP
from resultproc.model.group import Knockouts, RankedGroups
from resultproc.model.sections import Sections, half_of_last_decimal
from resultproc.stages.knockouts import knockout_standings

_RESOLUTION = 10_000
"""Scores are compared to four decimals: finer differences are a spreadsheet's, not the game's."""

_STAGE = 10_000 * 10**9
"""More than any score: no score makes up for a session that was not qualified for."""

_SAME_TOP = 0.005
"""Sections whose maximum scores differ by less were played for the same one: printed scores are rounded."""


class _Comparison(NamedTuple):
    """One basis of comparison over many games."""

    basis: Basis  # what is compared
    facts: Facts  # those of the sheet, with where each contestant sat
    rows: Bools  # which contestants are compared
    # Which contestants made up the fields, those included that are not compared because they are ineligible.
    seated: Bools
    field: Ints  # the number of the field that each contestant is compared in, sensible only for the seated
    score: Ints  # what is compared, as integers
    winners: npt.NDArray[np.int8]  # 2 where a contestant is compared with its own direction only, else 1


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
    parts, found = _ranked(facts, terms)
    if not parts:
        return STANDINGS.empty()
    strata, count = facts.strata, np.concatenate([part.count for part in parts])
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
    columns: dict[str, Any] = {name: np.repeat(each, count) for name, each in (of_group | follows).items()}
    columns |= {
        name: pd.Categorical.from_codes(np.repeat(each.codes, count), dtype=each.dtype) for name, each in texts.items()
    }
    if found:
        by_rounds = np.arange(len(parts)) == len(parts) - 1
        standings = [len(part.of_each["contestant"]) for part in parts]
        columns["knockout"] = categorical(np.repeat(by_rounds - 1, standings), [found])
    return STANDINGS.of(of_each | columns, len(of_each["contestant"]))


def _ranked(facts: Facts, terms: pd.DataFrame) -> tuple[list[RankedGroups], Knockouts | None]:
    """Return all groups that are compared, those of knockouts last, and the brackets of these; None for none."""
    strata, game, level = facts.strata, facts.sections.game, facts.level
    eligible = facts.contestants["eligible"].to_numpy()
    of_eligible, level_of_eligible = select_rows(eligible, game, level)
    # Who is eligible for a level of its game is so for all above.
    levels, games = strata.letters.shape[1], len(facts.games)
    counts = np.bincount(of_eligible * levels + level_of_eligible, minlength=games * levels).reshape(-1, levels)
    in_game = np.asarray(counts[:, ::-1].cumsum(axis=1)[:, ::-1], dtype=np.int64)
    parts: list[RankedGroups] = []
    in_section = np.zeros((len(game), levels), dtype=bool)
    for comparison in _comparisons(facts, terms):
        part = _positions(comparison, level, in_game, in_section, terms)
        if comparison.basis == SECTION:
            in_section[part.of_each["contestant"], np.repeat(part.of_group["level"], part.count)] = True
        parts.append(part)
    if not facts.knockouts[game].any():
        return parts, None
    by_rounds, found = knockout_standings(facts, terms)
    if not len(by_rounds.count):
        return parts, None
    for part in parts:
        part.of_group["run"] = np.zeros(len(part.count), dtype=np.int32)
    return [*parts, by_rounds], found


def _joined(each: Sequence[np.ndarray]) -> np.ndarray:
    """Return the values of several parts as one array: rows and counts in 32 bits, as there are many of them."""
    whole = each[0].dtype == np.int64
    return np.concatenate(each, dtype=np.int32, casting="same_kind") if whole else np.concatenate(each)


def _positions(
    comparison: _Comparison, level: Ints, in_game: Ints, in_section: Bools, terms: pd.DataFrame
) -> RankedGroups:
    """Rank all on each level up to its own, except in strata that are too small to be ranked, as the top one never is.

    in_game: per game and level, how many are eligible. in_section: per contestant and level, whether it is ranked in
    its section.
    """
    size, tables = _fields(comparison, terms)
    over_all = comparison.basis.over_all
    least = f"{'overall' if over_all else 'section'}_minimum_in_"
    enough_in_game = in_game >= terms[f"{least}game"].to_numpy()[:, None]
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
    game, group_level, field = comparison.facts.sections.game[contestant[first]], on_level[first], field[first]
    enough = enough_in_game[game, group_level] | (count >= terms[f"{least}group"].to_numpy()[game])
    with_section = terms["overall_with_section"].to_numpy(dtype=bool)
    if over_all and with_section.any():
        # The section of any of its members may rank it in this stratum.
        enough |= with_section[game] & np.logical_or.reduceat(in_section[contestant, on_level], first)
    enough &= count >= terms["least_compared"].to_numpy()[game]
    enough |= group_level == 0
    contestant, score = select_rows(np.repeat(enough, count), contestant, score)
    game, group_level, count, field = select_rows(enough, game, group_level, count, field)
    first = np.cumsum(count) - count
    groups = {
        "game": game,
        "level": group_level,
        "ranked": count,
        "size": np.where(group_level == 0, size[field], count),
        "tables": tables[field],
        "winners": comparison.winners[contestant[first]],
        "basis": np.full(len(count), BASES.index(comparison.basis), dtype=np.int8),
    }
    return RankedGroups(count, groups, {"contestant": contestant, **_places(score, first, count)})


def _places(score: Ints, first: Ints, count: Ints) -> dict[str, npt.NDArray[np.int32]]:
    """Return the position of each, and how many share it, by the scores of groups, which fall."""
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


def _fields(comparison: _Comparison, terms: pd.DataFrame) -> tuple[Ints, Floats]:
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


def _comparisons(facts: Facts, terms: pd.DataFrame) -> Iterator[_Comparison]:
    """Yield every basis on which some contestants are compared. terms: per game what its rulebook asks of ranking.

    A game of one session is compared by section (and direction, in a Mitchell), one of several by that in each
    session; overall where its rulebook says so; a handicap game also with the handicaps added to the percentages.
    Raises InputError, the line named, where scores do not compare.
    """
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    eligible = contestants["eligible"].to_numpy() & ~facts.knockouts[sections.game]
    several = (games["sessions"] > 1).to_numpy(dtype=bool)[sections.game]
    handicap = facts.special[HANDICAP][sections.game]
    section = _section_fields(facts)
    one_way = np.where(sections.direction >= 0, 2, 1).astype(np.int8)
    field, has_overall, overall_winners = _overall(facts, terms)
    for basis, rows in (
        (SECTION, eligible & ~several),
        (OVERALL, eligible & has_overall),
        (Basis(Kind.SECTION, handicap=True), eligible & ~several & handicap),
        (Basis(Kind.OVERALL, handicap=True), eligible & has_overall & handicap),
    ):
        if rows.any():
            compared = field if basis.over_all else section
            score = _score(facts, compared, rows, basis)
            if basis == SECTION:
                score = _by_place(facts, rows, score)
            if basis.over_all:
                score = score + _stages(facts)
            seated = np.ones(len(rows), dtype=bool)
            directions = overall_winners if basis.over_all else one_way
            yield _Comparison(basis, facts, rows, seated, compared, score, directions)
    yield from _by_matches(facts, terms, eligible)
    for column in facts.sessions:
        played = contestants[column].notna().to_numpy()
        rows = eligible & several & played
        if rows.any():
            yield _session(facts, section, column.removeprefix("session"), rows, played)


def _by_place(facts: Facts, rows: Bools, score: Ints) -> Ints:
    """Return what is compared: the printed places in games that declare it, where a lower one is better.

    Raises InputError, the line named, for a contestant without a place, and for one whose place is above that of a
    better score of its section and direction.
    """
    games, sections = facts.games, facts.sections
    declared = (games["by_place"] == "true").to_numpy(dtype=bool, na_value=False)[sections.game] & rows
    if not declared.any():
        return score
    place = facts.printed_places
    order = np.lexsort((-score, place, sections.line))
    order = order[(declared & ~np.isnan(place))[order]]
    after = np.flatnonzero((sections.line[order][1:] == sections.line[order][:-1]) & (np.diff(score[order]) > 0)) + 1
    wrong = {
        int(row): "it declares by_place, and tells no place in the section of"
        for row in np.flatnonzero(declared & np.isnan(place))
    }
    wrong |= {int(row): "it declares by_place, and a lower score has a better place than" for row in order[after]}
    if wrong:
        hint, problems = "write the places that each section has of its own, or leave by_place out", []
        for row, why in sorted(wrong.items()):
            what = f"{why} contestant {facts.called(row, ('section', 'number'))}"
            problems.append(game_problem(games, int(sections.game[row]), what, hint, facts.line(row)))
        raise InputError(problems)
    return np.where(declared, -np.nan_to_num(place), score).astype(np.int64)


def _by_matches(facts: Facts, terms: pd.DataFrame, eligible: Bools) -> Iterator[_Comparison]:
    """Yield the comparison of Swiss teams by the matches that they won, where those are given and pay."""
    games, contestants, game = facts.games, facts.contestants, facts.sections.game
    wins = contestants["wins"].to_numpy(dtype=np.float64)
    rows = eligible & (wins > 0)
    if rows.any():
        matches = games["event_type"].isin(BY_MATCHES) & ~facts.knockouts  # zip knockouts, too
        rows &= (terms["matches"].to_numpy(dtype=bool) & matches.to_numpy())[game]
    if rows.any():
        everybody = np.ones(len(contestants), dtype=bool)
        one_winner = everybody.astype(np.int8)
        yield _Comparison(MATCHES, facts, rows, everybody, game, _integers(wins), one_winner)


def _session(facts: Facts, field: Ints, number: str, rows: Bools, played: Bools) -> _Comparison:
    """Return the comparison of one session of events of several: by its own scores, sections and directions.

    facts, field: those of the first session, which hold for any other in which nobody sat elsewhere.
    """
    contestants = facts.contestants
    seats = {
        name: contestants[f"{name}{number}"].fillna(contestants[name])
        for name in ("section", "direction")
        if f"{name}{number}" in contestants
    }
    if seats:
        facts = Facts(facts.games, contestants.assign(**seats))
        field = _section_fields(facts)
    score = contestants[f"session{number}"].to_numpy(dtype=np.float64)
    winners = np.where(facts.sections.direction >= 0, 2, 1).astype(np.int8)
    return _Comparison(Basis(Kind.SESSION, int(number)), facts, rows, played, field, _integers(score), winners)


def _section_fields(facts: Facts) -> Ints:
    """Return the field of each contestant in its section and direction, or in those that are ranked together with it.

    A field that holds several sections has the number of the first one.
    """
    sections = facts.sections
    lines = np.arange(3 * len(sections.frame))
    return (facts.ranked_with[lines // 3] * 3 + lines % 3)[sections.line]


def _stages(facts: Facts) -> Ints:
    """Return what puts those who played on after a cut before those who did not, whatever their scores."""
    cut = facts.games["cuts"].notna().to_numpy()[facts.sections.game]
    if not cut.any() or not facts.sessions:
        return np.zeros(len(cut), dtype=np.int64)
    played = facts.contestants[facts.sessions].notna().to_numpy().sum(axis=1)
    return np.where(cut, played, 0) * _STAGE


def _overall(facts: Facts, terms: pd.DataFrame) -> tuple[Ints, Bools, npt.NDArray[np.int8]]:
    """Return the overall field of each contestant, whether its game has such a comparison, and its winners.

    Where no game has one, the fields and winners are not sensible.

    ``overall_field`` is direction (N-S over all sections, E-W over all, one-winner sections together) or combined.
    Sections that are ranked together are one section.
    """
    games, sections = facts.games, facts.sections
    by_direction = (terms["overall_field"] == "direction").to_numpy()
    section, direction = np.divmod(np.arange(3 * len(sections.frame)), 3)
    game = sections.frame["game"].to_numpy()[section]
    apart = by_direction[game] & (direction > 0)
    field = game * 3 + np.where(apart, direction, 0)
    width = len(sections.frame) + 1
    seated = sections.lines
    cells = pd.unique(field[seated] * width + facts.ranked_with[section[seated]])
    sections_in_field = np.bincount(cells // width, minlength=3 * len(games))
    overall = terms["overall"]
    always, several = ((overall == word).to_numpy(dtype=bool)[game] for word in ("always", "several sections"))
    exists = always | (several & (sections_in_field[field] > 1))
    if not exists.any():
        return sections.game, np.zeros(len(sections.game), dtype=np.bool_), np.ones(len(sections.game), dtype=np.int8)
    return field[sections.line], exists[sections.line], np.where(apart, 2, 1).astype(np.int8)[sections.line]


def _score(facts: Facts, field: Ints, rows: Bools, basis: Basis) -> Ints:
    """Return what is compared: scores where a whole field has them for one maximum, else percentages.

    Raises InputError for a field over several sections with neither, and for a handicap game without percentages.
    """
    contestants, sections = facts.contestants, facts.sections
    score = contestants["score"].to_numpy(dtype=np.float64)
    percentage = contestants["percentage"].to_numpy(dtype=np.float64)
    has_percentages = _all(~np.isnan(percentage), field, rows)
    if basis.handicap:
        percentage = percentage + np.nan_to_num(contestants["handicap"].to_numpy(dtype=np.float64))
        by_score = np.zeros(len(score), dtype=bool)
    else:
        by_score = _all(~np.isnan(score), field, rows)
        one_maximum = _one_maximum(score, percentage, sections, field, rows)
        # Within a section only those differ who sat out more boards than others, which percentages alone tell.
        by_score &= one_maximum if basis.over_all else one_maximum | ~has_percentages
    lost = rows & ~by_score & ~has_percentages
    if lost.any():
        why = "to add a handicap to" if basis.handicap else "to compare it with other sections"
        first = contestants[lost].assign(game=sections.game[lost]).drop_duplicates("game")
        problems = []
        for _, row in first.iterrows():
            what = f"contestant {row['section']} {row['number']} has no percentage {why}"
            hint = "write the percentage of every contestant"
            problems.append(game_problem(facts.games, row["game"], what, hint, str(row["where"])))
        raise InputError(problems)
    return _integers(score if by_score.all() else np.where(by_score, score, percentage))


def _integers(score: Floats) -> Ints:
    score = score if np.isfinite(score).all() else np.nan_to_num(score)
    return np.asarray(np.rint(score * _RESOLUTION), dtype=np.int64)


def _all(true: Bools, field: Ints, rows: Bools) -> Bools:
    """Return whether it is true of all the field's contestants, per contestant."""
    lacking = rows & ~true
    if not lacking.any():
        return np.ones(len(field), dtype=bool)
    wrong = np.bincount(field[lacking], minlength=int(field.max(initial=0)) + 1)
    return np.asarray(wrong[field] == 0)


def _one_maximum(score: Floats, percentage: Floats, sections: Sections, field: Ints, rows: Bools) -> Bools:
    """Return whether a field's scores were all made for the same maximum, per contestant.

    The maximum is score / percentage, as far as rounded percentages tell it. Where no percentage is known the sections
    must be equally large; scores below zero are IMPs, which have no maximum.
    """
    fields = int(field.max(initial=0)) + 1
    of_section = np.where(rows, sections.section, -1)
    rounding = half_of_last_decimal(of_section, percentage, len(sections.frame))[sections.section]
    of, section = field[rows], sections.section[rows]
    scores, percentages, rounding = score[rows], percentage[rows], rounding[rows]
    imps = np.bincount(of[scores < 0], minlength=fields) > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        least = scores / (percentages + rounding)
        most = np.where(percentages > rounding, scores / (percentages - rounding), np.inf)
    known = ~np.isnan(least)
    of_known, least, most = of[known], least[known], most[known]
    highest, lowest = np.full(fields, -np.inf), np.full(fields, np.inf)
    np.maximum.at(highest, of_known, least)
    np.minimum.at(lowest, of_known, most)
    with np.errstate(invalid="ignore"):
        same = highest - lowest <= _SAME_TOP * highest
    unknown = np.isneginf(highest)
    if unknown[of].any():
        size = np.bincount(section)[section]
        largest, smallest = np.zeros(fields, dtype=np.int64), np.full(fields, len(rows))
        np.maximum.at(largest, of, size)
        np.minimum.at(smallest, of, size)
        same = np.where(unknown, largest == smallest, same)
    return np.asarray((imps | same)[field])
