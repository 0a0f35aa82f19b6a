"""Doubts about scores and percentages: slips of units and columns, and orders that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, first_of_each, run_starts, select_rows
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.game import BY_MATCHES, HANDICAP, UNFINISHED, EventType
from resultproc.model.numbers import decimals
from resultproc.model.sections import maximum_of
from resultproc.rulebooks.common.exact import factor_text

FAR = 5.0
"""The percentages of one direction of a section have a mean near 50, as far as its pairs are as good as those that they
were scored with: it is 50 if they were scored with nobody else."""

FAR_IN_ALL = 1.0
"""Those of all who met have the mean 50, and so have those of each direction, where each is compared by itself.
Adjusted scores, penalties and sit-outs move it by a few tenths, a pair that is missing from a small section by more
than a point."""

HIGH = 85.0
"""Games of 80% are remembered for years; hardly any of 85% has ever been played."""

SAME_MAXIMUM = 0.005
"""Maximum scores that differ by less are the same: both columns are rounded."""

FEW_BOARDS = 12
"""In fewer boards than this, half a session, single results count for so much that any percentage may be reached."""

CUT_SHORT = 4
"""The most different maximum scores that sitting out gives contestants: none to three times."""


def fractions(facts: Facts) -> Iterator[Problem]:
    """Yield games whose percentages are all at most 1."""
    for row in first_of_each(facts.sections.game, facts.all_fractions):
        shown = factor_text(facts.scored.percentage[row])
        what = f"the percentages are all at most 1, such as {shown}: they look like fractions"
        yield facts.of_contestant(row, what, "write 56.25 for 56.25%, not 0.5625")


def fraction_among_percents(facts: Facts) -> Iterator[Problem]:
    """Yield single percentages at most 1 beside others that are not."""
    percentage = facts.scored.percentage
    rows = np.flatnonzero((percentage > 0) & (percentage <= 1) & ~facts.all_fractions)
    shown = [factor_text(each) for each in percentage[rows].tolist()]
    yield from facts.of_contestants(
        rows,
        shown,
        lambda at: f"the percentage {shown[at]} is among others above 1: it looks like a fraction",
        lambda _, count: f"{count} have percentages of at most 1 among others: they look like fractions",
        "write 56.25 for 0.5625, if that is what is meant",
        lambda at: f"write {factor_text(percentage[rows[at]] * 100)}, if that is what is meant",
    )


def far_from_average(facts: Facts) -> Iterator[Problem]:
    """Yield sections whose percentages have a mean far from 50, in all or in one direction, and directions of a game.

    Those who played on after a cut, and those who brought a score along, may well have another mean; games that are
    scored here have the one that their adjusted scores give.
    """
    percentage = facts.scored.percentage
    if np.isnan(percentage).all():
        return
    selected = facts.games["cuts"].notna().to_numpy() | facts.special[UNFINISHED]
    selected |= facts.games["stored_scored_here"].notna().to_numpy()  # their boards are doubted
    carried = np.bincount(facts.sections.game[~np.isnan(facts.scored.carryover)], minlength=len(facts.games)) > 0
    matches = np.isin(facts.event_type, BY_MATCHES)
    rows = ~np.isnan(percentage) & ~(selected | carried | matches)[facts.sections.game] & ~facts.all_fractions
    whole = facts.games["sit_outs"].isna().to_numpy()[facts.sections.game]
    # There are far fewer fields than contestants.
    section, apart = np.divmod(np.arange(facts.fields), 3)
    together, game = facts.scored_with[section], facts.sections.frame["game"].to_numpy()[section]
    field, percentages = select_rows(rows, facts.field, percentage)
    counts, sums = np.bincount(field, minlength=facts.fields), np.bincount(field, percentages, facts.fields)
    found = np.zeros(len(rows), dtype=bool)
    for numbers, at, most, names in (
        (together, whole, FAR_IN_ALL, ("section",)),
        (together * 3 + apart, rows, FAR, ("section", "direction")),
        (game * 3 + apart, whole & (facts.field % 3 > 0), FAR_IN_ALL, ("direction",)),
    ):
        count = np.bincount(numbers, counts)
        mean = np.bincount(numbers, sums) / np.maximum(count, 1)
        amiss = (count > 0) & (np.abs(mean - 50) > most)
        if not amiss.any():
            continue
        number = numbers[facts.field]
        lacking, known = (np.bincount(number[these], minlength=len(count)) for these in (~rows & at, found))
        amiss &= (lacking == 0) & (known == 0)
        far = rows & at & amiss[number]
        found |= far
        for row in first_of_each(number, far):
            of = ("section " if "section" in names else "all ") + facts.called(row, names)
            what = f"the mean percentage of {of} is {mean[number[row]]:.2f}, and that of a whole field is 50"
            yield facts.of_contestant(row, what, "correct the percentages, or add the rows that are missing")


def not_balanced(facts: Facts) -> Iterator[Problem]:
    """Yield sections of pairs whose IMPs do not add up to about 0: what one side wins the other one loses.

    Scores are IMPs where some are below zero and nobody has a percentage. With half a table those of who sat out may be
    scaled to a full session: by one round of as many as there are tables, and by half in the smallest games.
    """
    score = facts.scored.score
    if not (score < 0).any():
        return
    other = ~np.isnan(facts.scored.percentage) | np.isnan(score)
    other |= ~np.isnan(facts.scored.adjustment) | ~np.isnan(facts.scored.carryover) | ~np.isnan(facts.scored.handicap)
    together = facts.scored_together
    length = int(together.max(initial=-1)) + 1
    whole = np.bincount(together[other], minlength=length) == 0
    imps = np.bincount(together[score < 0], minlength=length) > 0
    pairs = np.isin(facts.event_type, (EventType.PAIRS.value, EventType.TEAM_OF_TWO.value))
    several = (facts.games["sessions"].fillna(1) > 1).to_numpy(dtype=bool)
    rows = (whole & imps)[together] & (pairs & ~several)[facts.sections.game]
    of, said = select_rows(rows, together, np.nan_to_num(score))
    count = np.maximum(np.bincount(of, minlength=length), 1)
    total = np.bincount(of, said, length)
    size, won = (np.bincount(of, each, length) / count for each in (np.abs(said), np.clip(said, 0, None)))
    sits_out = (np.nan_to_num(facts.tables) % 1 > 0) | (facts.empty_seats[0] > 0)
    half = np.bincount(facts.scored_with, sits_out, length) > 0
    rounds = np.maximum(count / 2 - 1, 2)
    scaled = np.maximum(size, np.where(half, 2 * np.maximum(won, size - won) * count / rounds, 0))
    for row in first_of_each(together, rows & (np.abs(total) > scaled / 2)[together]):
        section, sum_ = facts.contestants["section"].iat[row], factor_text(total[together[row]])
        what = f"the IMPs of section {section} add up to {sum_}"
        what += ", and those of a whole field to 0"
        yield facts.of_contestant(row, what, "correct them, or add the rows that are missing")


def very_high(facts: Facts) -> Iterator[Problem]:
    """Yield percentages that hardly anybody ever had; those of matches and of few boards are passed over."""
    percentage = facts.scored.percentage
    high = np.flatnonzero(percentage > HIGH)
    others = np.isin(facts.event_type, (*BY_MATCHES, EventType.BAM.value, ""))
    others |= (facts.games["boards"] < FEW_BOARDS).fillna(value=False).to_numpy(dtype=bool)
    rows = high[~others[facts.sections.game[high]]]
    shown = [factor_text(each) for each in percentage[rows].tolist()]
    yield from facts.of_contestants(
        rows,
        shown,
        lambda at: f"a percentage of {shown[at]} is hardly ever reached",
        lambda _, count: f"{count} have a percentage that is hardly ever reached",
        "correct what is a slip",
        lambda _: "correct it, if it is a slip",
    )


def decimal_among_thousands(facts: Facts) -> Iterator[Problem]:
    """Yield scores such as 1.012 beside 987: a thousand written with a point."""
    score = facts.scored.score
    thousands = (score >= 1) & (score < 10)
    if not thousands.any():
        return
    thousands &= np.abs(score * 1000 - np.rint(score * 1000)) < 1e-6
    # A score that was rounded to two decimals proves nothing, and 1000 must be near enough to the others.
    thousands &= np.abs(score * 100 - np.rint(score * 100)) > 1e-6
    known = ~np.isnan(score)
    highest = np.full(facts.fields, -np.inf)
    np.maximum.at(highest, facts.field[known], score[known])
    highest = highest[facts.field]
    rows = np.flatnonzero(thousands & (highest >= 100) & (score * 1000 <= 2 * highest))
    notes = [f"{factor_text(score[row])} beside {factor_text(highest[row])}" for row in rows.tolist()]
    yield from facts.of_contestants(
        rows,
        notes,
        lambda at: f"the score {notes[at].replace(' ', ' is ', 1)}: its point looks like a thousands separator",
        lambda _, count: f"{count} have a score whose point looks like a thousands separator",
        "write 1012 for 1.012, if that is what is meant",
        lambda at: f"write {score[rows[at]] * 1000:.0f}, if that is what is meant",
    )


def handicaps_without_handicap(facts: Facts) -> Iterator[Problem]:
    """Yield games whose contestants have handicaps that nobody is ranked by."""
    handicap = facts.scored.handicap
    some = ~np.isnan(handicap) & (handicap != 0)
    for row in first_of_each(facts.sections.game, some & ~facts.special[HANDICAP][facts.sections.game]):
        what = f"{facts.called(row)} has the handicap {factor_text(handicap[row])}, and in this game none counts"
        yield facts.of_contestant(row, what, "declare special='handicap', or leave the column out")


def opposite_orders(facts: Facts) -> Iterator[Problem]:
    """Yield fields in which a better score has the lower percentage, and nothing explains it."""
    yield from dict(_first_opposite_orders(facts)).values()


def scores_unlike_percentages(facts: Facts) -> Iterator[Problem]:
    """Yield contestants whose score and percentage do not go together as those of the others in a full section do."""
    for each in _off_the_maximum(facts):
        if not (each.of_boards or each.sits_out):
            yield facts.of_contestant(each.row, each.what, _CORRECT)


def scores_unlike_percentages_but_for_boards(facts: Facts) -> Iterator[Problem]:
    """Yield those of full sections that boards which were not played would explain, though nothing shows that.

    Any slip may look like a number of boards: 45 beside 57% is 15 of 19.
    """
    found = [each for each in _off_the_maximum(facts) if each.of_boards and not each.sits_out]
    yield from _at_odds(facts, found, f"{_CORRECT}, unless boards that were not played explain it")


def scores_unlike_percentages_with_sit_outs(facts: Facts) -> Iterator[Problem]:
    """Yield the latter of sections that are not full: what a sit-out does to a score differs from club to club."""
    found = [each for each in _off_the_maximum(facts) if each.sits_out and not each.of_boards]
    yield from _at_odds(facts, found, f"{_CORRECT}, unless sitting out explains it")


def _at_odds(facts: Facts, found: Sequence[_OffTheMaximum], hint: str) -> Iterator[Problem]:
    yield from facts.of_contestants(
        np.array([each.row for each in found], dtype=np.int64),
        [each.note for each in found],
        lambda at: found[at].what,
        lambda _, count: f"the scores and percentages of {count} are not of the same maximum as those of the others",
        hint,
    )


_CORRECT = "correct one of the two columns, or leave it out"


def _first_opposite_orders(facts: Facts) -> Iterator[tuple[int, Problem]]:
    """Yield fields in which a better score has the lower percentage, and nothing explains it.

    Scores of one maximum rank as their percentages do. Handicaps, adjustments and carry-overs may be in one and not in
    the other, IMPs have no maximum. Who sits out has a lower maximum, which takes a section that is not full; boards
    that were not played lower the maximum of some, and raise that of nobody.
    """
    found = facts.proportion
    score, percentage, rows, possible = found.score, found.percentage, found.rows, found.possible
    against = _against(facts.field, score, percentage, possible, found.tolerance)
    if not (against >= 0).any():
        return
    explained = _explained(facts, score, percentage, rows, against)
    for row in first_of_each(facts.field, (against >= 0) & ~explained):
        better = int(against[row])
        what = (
            f"the score {decimals(score[row])} of {facts.called(row)} is below {decimals(score[better])} of "
            f"{facts.called(better)}, and its percentage {factor_text(percentage[row])} is above "
            f"{factor_text(percentage[better])}"
        )
        yield row, facts.of_contestant(row, what, _CORRECT)


def _against(field: Ints, score: Floats, percentage: Floats, rows: Bools, tolerance: float) -> Ints:
    """Return per contestant the one of its field with a better score and the lowest percentage, where that is lower.

    -1 where there is none. Percentages that rounding may have brought together are the same.
    """
    found = np.full(len(field), -1, dtype=np.int64)
    order = np.flatnonzero(rows)
    order = order[np.lexsort((percentage[order], -score[order], field[order]))]
    if not len(order):
        return found
    of, points, percent = field[order], score[order], percentage[order]
    new_field = run_starts(of)
    new_score = new_field | run_starts(points)
    lowest = pd.Series(percent).groupby(of).cummin().to_numpy()
    # The row of the lowest percentage so far: the last one at which the lowest changed.
    changed = new_field | np.append(True, lowest[1:] < lowest[:-1])
    at = np.maximum.accumulate(np.where(changed, np.arange(len(order)), 0))
    start = np.maximum.accumulate(np.where(new_score, np.arange(len(order)), 0))
    first = np.maximum.accumulate(np.where(new_field, np.arange(len(order)), 0))
    has_better = start > first
    before = at[np.maximum(start - 1, 0)]
    lower = has_better & (percent[before] < percent - tolerance)
    found[order[lower]] = order[before[lower]]
    return found


def _explained(facts: Facts, score: Floats, percentage: Floats, rows: Bools, against: Ints) -> Bools:
    """Return whose order sit-outs, or boards that were not played, explain."""
    with np.errstate(divide="ignore", invalid="ignore"):
        maximum = np.where(rows, score / percentage, np.nan)
    field = facts.field
    maximums = pd.Series(maximum)
    usual = maximums.groupby(field).transform("median").to_numpy()
    with np.errstate(invalid="ignore"):
        same = np.abs(maximum - usual) <= SAME_MAXIMUM * usual
    counts = np.bincount(field[rows], minlength=facts.fields)
    most = (np.bincount(field[rows & same], minlength=facts.fields) * 2 >= counts)[field]
    better = np.maximum(against, 0)
    unplayed = most & (maximum[better] <= usual * (1 + SAME_MAXIMUM))
    order = np.lexsort((maximum, field))
    steps = np.append(
        True, (field[order][1:] != field[order][:-1]) | (np.diff(maximum[order]) > SAME_MAXIMUM * maximum[order][1:])
    )
    different = np.bincount(field[order][steps & rows[order]], minlength=facts.fields)[field]
    few = (different <= CUT_SHORT) & (different < counts[field])
    return np.asarray(unplayed | (few & _has_sit_outs(facts)))


def _has_sit_outs(facts: Facts) -> Bools:
    """Return who is in a section that is not full, so that somebody sat out in each round."""
    names = ("game", "pairs", "north_south", "east_west")
    game, pairs, north_south, east_west = (facts.sections.frame[name].to_numpy() for name in names)
    odd = np.where(facts.winners == 2, north_south != east_west, pairs % 2 == 1)
    half = facts.tables % 1 != 0
    declared = facts.games["sit_outs"].notna().to_numpy()[game]
    return np.asarray((odd | (half & ~np.isnan(facts.tables)) | declared)[facts.sections.section])


MOST_BOARDS = 40
"""No session has more, where nobody says how many were played."""


class _OffTheMaximum(NamedTuple):
    """A contestant whose score and percentage are not of the same maximum as those of the others."""

    row: int  # its row in the contestants frame
    what: str  # what is said of both
    note: str  # the same in few words
    of_boards: bool  # whether its maximum is that of some number of boards, which sitting out may explain
    sits_out: bool  # whether it is in a section in which somebody sat out in each round


def _off_the_maximum(facts: Facts) -> Iterator[_OffTheMaximum]:
    """Yield contestants whose percentage is of another maximum than that of most of the section, and what is said.

    Where somebody sat out in each round a maximum may be that of more boards than the usual one, or of fewer; elsewhere
    of fewer alone, which boards that were not played may explain. Full sections are passed over of which more is told:
    that orders contradict each other.
    """
    found, sit_outs = facts.proportion, _has_sit_outs(facts)
    if not found.possible.any():
        return
    told = set(facts.sections.section[list(dict(_first_opposite_orders(facts)))].tolist())
    doubtful = np.zeros(len(facts.sections.frame), dtype=bool)
    doubtful[facts.sections.section[found.possible]] = True
    # Victory points of a bye, or penalties of a match, are in one column and not in the other.
    by_matches = facts.games["event_type"].isin(BY_MATCHES).to_numpy()[facts.sections.game]
    rows = np.flatnonzero(found.rows & doubtful[facts.sections.section] & ~by_matches)
    score, percentage = found.score[rows], found.percentage[rows]
    maximum = maximum_of(facts.sections.section[rows], score, percentage)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 100 * score / (percentage * maximum.usual)
        off = ~np.isnan(maximum.usual) & ~maximum.fits(score, percentage)
    played = _other_boards(facts, rows, share, maximum.rounding / percentage, sit_outs[rows])
    eligible = facts.contestants["eligible"].to_numpy()[rows]
    for number in np.flatnonzero(off & eligible).tolist():
        row, usual = int(rows[number]), maximum.usual[number]
        if not sit_outs[row] and int(facts.sections.section[row]) in told:
            continue
        whole = abs(usual - round(usual)) < usual / 10_000  # as far as rounded numbers tell
        most = f"{usual:.0f}" if whole else f"{usual:.2f}"
        right = f"{100 * score[number] / usual:.2f}% of {most}, the maximum of the others"
        what = f"the score {decimals(score[number])} of {facts.called(row)} is {right}, and its percentage is "
        shown = decimals(percentage[number])
        note = f"{decimals(score[number])} and {shown}%, not {100 * score[number] / usual:.2f}%"
        yield _OffTheMaximum(row, what + shown, note, bool(played[number]), bool(sit_outs[row]))


def _other_boards(facts: Facts, rows: np.ndarray, share: Floats, rounding: Floats, sit_outs: Bools) -> Bools:
    """Return whose share of the usual maximum is that of a number of boards, at least half of them.

    share: the maximum of each as a share of the usual one. rounding: how far it may be off, as a share of itself.
    """
    games = facts.games
    sessions = games["sessions"].to_numpy(dtype=np.float64, na_value=1)
    most = (games["boards"].to_numpy(dtype=np.float64, na_value=MOST_BOARDS) * sessions)[facts.sections.game[rows]]
    fewer = np.where(sit_outs & (share > 1), 1 / share, share)
    found = np.zeros(len(rows), dtype=bool)
    for boards in range(2, int(most.max(initial=0)) + 1):
        played = np.rint(fewer * boards)
        with np.errstate(invalid="ignore"):
            near = np.abs(played / boards - fewer) <= rounding * fewer
        found |= near & (boards <= most) & (played < boards) & (2 * played >= boards)
    return found
