"""What is compared with what: the bases of comparison, their fields, and scores that can be compared within them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints
from resultproc.model.basis import MATCHES, OVERALL, SECTION, Basis, Kind
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import game_problem
from resultproc.model.game import BY_MATCHES
from resultproc.model.sections import Sections, half_of_last_decimal

_RESOLUTION = 10_000
"""Scores are compared to four decimals: finer differences are a spreadsheet's, not the game's."""

_STAGE = 10_000 * 10**9
"""More than any score: no score makes up for a session that was not qualified for."""

_SAME_TOP = 0.005
"""Sections whose maximum scores differ by less were played for the same one: printed scores are rounded."""


class Comparison(NamedTuple):
    """One basis of comparison over many games.

    basis: what is compared.
    facts: those of the sheet, with where each contestant sat.
    rows: which contestants are compared.
    seated: which contestants made up the fields, those included that are not compared because they are ineligible.
    field: the number of the field that each contestant is compared in, sensible only for the seated.
    score: what is compared, as integers.
    winners: 2 where a contestant is compared with its own direction only, else 1.
    """

    basis: Basis
    facts: Facts
    rows: Bools
    seated: Bools
    field: Ints
    score: Ints
    winners: npt.NDArray[np.int8]


def comparisons(facts: Facts, terms: pd.DataFrame) -> Iterator[Comparison]:
    """Yield every basis on which some contestants are compared. terms: per game what its rulebook asks of ranking.

    A game of one session is compared by section (and direction, in a Mitchell), one of several by that in each
    session; overall where its rulebook says so; a handicap game also with the handicaps added to the percentages.
    Raises InputError, the line named, where scores do not compare.
    """
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    eligible = contestants["eligible"].to_numpy() & ~facts.knockouts[sections.game]
    several = (games["sessions"] > 1).to_numpy(dtype=bool)[sections.game]
    handicap = facts.handicapped[sections.game]
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
            yield Comparison(basis, facts, rows, seated, compared, score, directions)
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


def _by_matches(facts: Facts, terms: pd.DataFrame, eligible: Bools) -> Iterator[Comparison]:
    """Yield the comparison of Swiss teams by the matches that they won, where those are given and pay."""
    games, contestants, game = facts.games, facts.contestants, facts.sections.game
    wins = contestants["wins"].to_numpy(dtype=np.float64)
    if np.isnan(wins).all():
        return
    matches = games["event_type"].isin(BY_MATCHES) & ~facts.knockouts  # zip knockouts, too
    pays = (terms["matches"].to_numpy(dtype=bool) & matches.to_numpy())[game]
    rows = eligible & pays & (wins > 0)
    if rows.any():
        everybody = np.ones(len(contestants), dtype=bool)
        one_winner = everybody.astype(np.int8)
        yield Comparison(MATCHES, facts, rows, everybody, game, _integers(wins), one_winner)


def _session(facts: Facts, field: Ints, number: str, rows: Bools, played: Bools) -> Comparison:
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
    return Comparison(Basis(Kind.SESSION, int(number)), facts, rows, played, field, _integers(score), winners)


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
