"""The standings of knockouts, from the cells of their rounds: final places in each bracket, and matches won."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    dense_codes,
    distinct_keys,
    expand_counts,
    factorize_text,
    family_columns,
    first_rows,
    listed_by,
    ordered_keys,
    run_starts,
    sorted_rows,
)
from resultproc.model.basis import BASES, MATCHES, OVERALL
from resultproc.model.codes import CONTRADICTED
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import game_problem
from resultproc.model.group import Course, Finish, Knockouts, RankedGroups
from resultproc.model.text import natural_order

PLAYOFF = 0
"""The round of matches that are played for a further place."""

_RESULTS = "WLF"
_WON, _LOST, _FORFEITED = range(3)

Fault = tuple[int, str, str]
"""What is wrong in a team's row: the row, what is wrong, what would be right."""


@dataclass(frozen=True, eq=False)
class Matches:
    """The matches of the teams of many brackets, from each team's side.

    The matches are in the order of the rounds, and of the teams in each.
    """

    bracket: Ints  # the number of each team's bracket, from 0 up
    there: Bools  # per team and round, whether the team was in it
    team: Ints  # the row of each match's team
    round: Ints  # the round of each match, from 1; :data:`PLAYOFF` for a play-off
    result: Ints  # what ``team`` did in each match: :data:`_WON`, :data:`_LOST` or :data:`_FORFEITED`
    other: Ints  # the row of the other team of each match
    called: Ints  # which of ``numbers`` the other team is called by
    numbers: Sequence[str]  # what teams are called in the sheet
    cell: Ints  # the team and round of each match in one number, in the order of the teams and their rounds
    several: Bools  # which are matches of a team that met several others in the round
    main: Bools  # which matches are no play-offs
    last: Ints  # the last round that each team was in
    rounds: Ints  # how many rounds each team's bracket had
    unbeaten: Bools  # which teams did not lose in the last round that they were in

    @property
    def in_round(self) -> Ints:
        """How many teams of each bracket were in each round, the first one on."""
        brackets = int(self.bracket.max(initial=-1)) + 1
        columns = [np.bincount(self.bracket[there], minlength=brackets) for there in self.there.T]
        return np.asarray(np.column_stack(columns), dtype=np.int64)

    @property
    def champions(self) -> Bools:
        """Which teams were in the last round of their bracket and did not lose in it."""
        return np.asarray(self.unbeaten & (self.last == self.rounds))


def matches_of(contestants: pd.DataFrame, bracket: Ints) -> Matches:
    """Return the matches that knockout teams list in their columns round1, round2, ... and playoff.

    bracket: the number of each team's bracket. An opponent that its bracket does not have is -1. Each distinct text is
    read once.
    """
    there: list[Bools] = []
    teams: list[Ints] = []
    codes: list[Ints] = []
    texts: list[str] = []
    for name in ("playoff", *family_columns(contestants, "round")):
        code, distinct = factorize_text(contestants[name])
        there.append(code >= 0)
        teams.append(np.flatnonzero(there[-1]))
        codes.append(code[teams[-1]] + len(texts))
        texts += distinct.tolist()
    listed = [re.findall(rf"([{_RESULTS}]) (\S+)", text) for text in texts]
    count = np.array([len(each) for each in listed], dtype=np.int64)
    results = np.array([_RESULTS.index(result) for each in listed for result, _ in each], dtype=np.int64)
    numbers = [number for each in listed for _, number in each]
    number = np.repeat(np.arange(len(teams)), [len(each) for each in teams])
    team, text = np.concatenate(teams), np.concatenate(codes)
    of, place = expand_counts(count[text])
    called = (np.cumsum(count) - count)[text[of]] + place
    other = _others(contestants["number"], bracket, team[of], numbers, called)
    team, number, result, in_rounds = team[of], number[of], results[called], np.stack(there[1:]).T
    main, last = number != PLAYOFF, np.count_nonzero(in_rounds, axis=1)
    most = np.zeros(int(bracket.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(most, bracket, last)
    cell = team * (in_rounds.shape[1] + 1) + number
    unbeaten = last > 0
    unbeaten[team[(result != _WON) & main & (number == last[team])]] = False
    of_match = number, result, other, called, numbers, cell, np.bincount(cell)[cell] > 1, main
    return Matches(bracket, in_rounds, team, *of_match, last, most[bracket], unbeaten)


def _others(number: pd.Series[str], bracket: Ints, team: Ints, numbers: Sequence[str], called: Ints) -> Ints:
    """Return the row of each team's opponent, the first one of its number in the bracket; -1 for none."""
    own, known = factorize_text(number)
    wanted = np.asarray(known.get_indexer(pd.Index(list(numbers))), dtype=np.int64)[called]
    keys = [bracket * len(known) + own, bracket[team] * len(known) + np.maximum(wanted, 0)]
    key, distinct = dense_codes(np.concatenate(keys))
    row = np.full(len(distinct), -1, dtype=np.int64)
    rows = np.arange(len(own))[::-1]
    row[key[rows]] = rows
    return np.where(wanted < 0, -1, row[key[len(own) :]])


def faults(contestants: pd.DataFrame, matches: Matches) -> Iterator[Fault]:
    """Yield what contradicts itself in the matches of knockout teams."""
    there = matches.there
    rows = np.flatnonzero(~there[:, 0] | (there[:, 1:] & ~there[:, :-1]).any(axis=1))
    for row, unbroken in zip(rows.tolist(), there[rows].argmin(axis=1).tolist(), strict=True):
        what = f"this team has no result for round {unbroken + 1}"
        yield row, what, "write W, L or F and the opponent's number, or bye, for every round that it was in"
    yield from _opponents(contestants, matches)
    yield from _survivors(matches)
    brackets = int(matches.bracket.max(initial=-1)) + 1
    winners = np.bincount(matches.bracket[matches.champions], minlength=brackets)
    for team in first_rows(matches.bracket, brackets)[winners != 1].tolist():
        bracket = matches.bracket[team]
        what = f"bracket {contestants['section'].iloc[team]} has {winners[bracket]} winners of its last round"
        yield team, what, "write every round, up to the final, which one team wins"
    # Teams that play off left in the same round.
    rows = np.flatnonzero((matches.round == PLAYOFF) & (matches.other >= 0))
    one, other = matches.team[rows], matches.other[rows]
    apart = (matches.last[one] != matches.last[other]) | matches.champions[one] | matches.champions[other]
    for row in rows[apart].tolist():
        what = (
            f"this team and team {_called(matches, row)} cannot meet in a play-off: they did not lose in the same round"
        )
        yield int(matches.team[row]), what, "correct the play-off"


def _opponents(contestants: pd.DataFrame, matches: Matches) -> Iterator[Fault]:
    for row in np.flatnonzero(matches.other < 0).tolist():
        what = f"unknown team {_called(matches, row)} in its bracket"
        yield int(matches.team[row]), what, "correct the opponent's number"
    rows = _unanswered(matches, np.flatnonzero(matches.other >= 0))
    team, other, won = matches.team[rows], matches.other[rows], (matches.result[rows] == _WON).astype(np.int64)
    for row in rows[team == other].tolist():
        what = f"this team meets itself in {_round(matches, row)}"
        yield int(matches.team[row]), what, "correct the opponent's number"
    meeting, first = distinct_keys(matches.round[rows], np.minimum(team, other), np.maximum(team, other))
    side = 2 * meeting + (team > other)
    for row in np.delete(rows, first_rows(side, 2 * len(first))).tolist():
        what = f"this team meets team {_called(matches, row)} twice in {_round(matches, row)}"
        yield int(matches.team[row]), what, "correct the opponent's number"
    # How often the other team has each match, lost and won: once or more with the same result, or not at all.
    lost, wins = np.bincount(2 * side + won, minlength=4 * len(first)).reshape(-1, 2)[2 * meeting + (team < other)].T
    for row in np.repeat(rows, np.where(lost + wins == 0, 1, np.where(won, wins, lost))).tolist():
        one, two = _called(matches, row), contestants["number"].iloc[matches.team[row]]
        result = int(matches.result[row])
        answer = "L or F" if result == _WON else "W"
        said = f"{_RESULTS[result]} {one} in {_round(matches, row)}"
        what = f"this team has {said}, but team {one} does not have {answer} {two}"
        yield int(matches.team[row]), what, "correct one of them"


def _unanswered(matches: Matches, rows: Ints) -> Ints:
    """Return some matches without those, most by far, that are the only ones of both teams in the round and agree."""
    width = matches.there.shape[1] + 1
    cell = matches.other[rows] * width + matches.round[rows]
    back = first_rows(matches.cell, len(matches.bracket) * width)[cell]
    agree = (matches.cell[back] == cell) & (matches.other[back] == matches.team[rows])
    agree &= (matches.result[back] == _WON) != (matches.result[rows] == _WON)
    return np.asarray(rows[~agree | matches.several[rows] | matches.several[back]], dtype=np.int64)


def _called(matches: Matches, row: int) -> str:
    return matches.numbers[int(matches.called[row])]


def _round(matches: Matches, row: int) -> str:
    number = int(matches.round[row])
    return "the play-off" if number == PLAYOFF else f"round {number}"


def _survivors(matches: Matches) -> Iterator[Fault]:
    """Yield teams that go on after they lost, or do not although they won."""
    rows = np.flatnonzero((matches.result != _WON) & matches.main & (matches.round < matches.last[matches.team]))
    # Who met several others may have won against one, but not have forfeited.
    won, forfeited = (matches.cell[matches.several & (matches.result == each)] for each in (_WON, _FORFEITED))
    cell = matches.cell[rows]
    rows = rows[~np.isin(cell, won) | np.isin(cell, forfeited)]
    for row in rows[np.unique(matches.cell[rows], return_index=True)[1]].tolist():
        number = matches.round[row]
        what = f"this team did not win in round {number}, but has a result for round {number + 1}"
        yield int(matches.team[row]), what, "correct one of them"
    for team in np.flatnonzero(matches.unbeaten & (matches.last < matches.rounds)):
        last = matches.last[team]
        what = f"this team did not lose in round {last}, but has no result for round {last + 1}"
        yield int(team), what, "write its next match, or F and the opponent's number where it forfeited"


Texts = npt.NDArray[np.str_]


class MatchRules(NamedTuple):
    """What the regulations of its event settle for each team."""

    wins: Ints  # how many wins make a whole match in a round in which it met several others
    before: Bools  # whether, if it forfeits, it gets the place of the team that it beat before
    clear: Bools  # whether a play-off makes two places of one that two share


class Placings(NamedTuple):
    """Where the teams of many brackets finished.

    A team that got the place of another has the rounds, main and playoff of that team.
    """

    position: Ints  # the place of each team, shared by the teams that went out in the same round
    tied: Ints  # how many teams share it
    won: Ints  # the matches that it won, a play-off included, in parts: a whole match has ``wins`` of them
    rounds: Ints  # the rounds that it survived
    main: Ints  # the matches that it won without a play-off, in parts
    playoff: Texts  # W or L for a play-off, else ''
    wins: Ints  # the parts of a whole match


def finish(matches: Matches, settled: MatchRules) -> Placings:
    """Return where the teams finished: those that go out in the same round share its places."""
    rounds = np.where(matches.champions, matches.last, matches.last - 1)
    position, tied = places(matches.bracket, rounds)
    # W or L for each team that played a match for a further place; nothing for a forfeited one.
    of_playoff = matches.round == PLAYOFF
    playoff = np.full(len(position), "", dtype="U1")
    playoff[matches.team[of_playoff]] = _PLAYED[matches.result[of_playoff]]
    pair = settled.clear & (playoff != "") & (tied == 2)
    position = position + (pair & (playoff == "L"))
    tied = np.where(pair, 1, tied)
    # In parts of a match: a win over several others is one, a whole match has ``wins`` of them.
    won = matches.main & (matches.result == _WON)
    main = settled.wins * np.bincount(matches.team[won & ~matches.several], minlength=len(position))
    _, first, count = np.unique(matches.cell[won & matches.several], return_index=True, return_counts=True)
    team = matches.team[won & matches.several][first]
    np.add.at(main, team, np.minimum(count, settled.wins[team]))
    of, beaten_none = _forfeits(matches, settled.before)
    return Placings(
        position[of],
        tied[of],
        main + settled.wins * (playoff == "W"),
        np.where(beaten_none, 0, rounds[of]),
        np.where(beaten_none, 0, main[of]),
        np.where(beaten_none, "", playoff[of]),
        settled.wins,
    )


def places(bracket: Ints, rounds: Ints) -> tuple[Ints, Ints]:
    """Return each team's position in its bracket and the number tied: the more rounds, or matches, the better."""
    width = int(rounds.max(initial=0)) + 1
    brackets = int(bracket.max(initial=-1)) + 1
    cell = bracket * width + rounds
    counts = np.bincount(cell, minlength=brackets * width)
    table = counts.reshape(brackets, width)
    better = table[:, ::-1].cumsum(axis=1)[:, ::-1] - table
    return better.ravel()[cell] + 1, counts[cell]


_PLAYED = np.array([{_WON: "W", _LOST: "L", _FORFEITED: ""}[result] for result in range(3)], dtype="U1")


def _forfeits(matches: Matches, before: Bools) -> tuple[Ints, Bools]:
    """Return the team whose place each team gets, itself for most, and which forfeited before they beat anybody.

    before: which teams get the place of another where they forfeit.
    """
    of: Ints = np.arange(len(matches.bracket), dtype=np.int64)
    forfeited = np.zeros(len(of), dtype=bool)
    forfeited[matches.team[matches.main & (matches.result == _FORFEITED)]] = True
    forfeited &= before
    wins = forfeited[matches.team] & matches.main & (matches.result == _WON) & (matches.other >= 0)
    wins &= matches.round < matches.last[matches.team]
    # They are in the order of the rounds: the last one stays.
    beaten = np.full(len(of), -1, dtype=np.int64)
    beaten[matches.team[wins]] = matches.other[wins]
    has_beaten = np.flatnonzero(beaten >= 0)
    # By rounds, so that a team beaten by forfeit has its own place already.
    for number in np.unique(matches.last[has_beaten]):
        now = has_beaten[matches.last[has_beaten] == number]
        of[now] = of[beaten[now]]
    return of, np.asarray((forfeited & (beaten < 0))[of])


def knockout_standings(facts: Facts, terms: pd.DataFrame) -> tuple[RankedGroups, Knockouts]:
    """Return the standings of all knockouts, and the brackets that their column ``run`` refers to.

    Every bracket, a section, is compared overall by how far its teams came, and by the matches that they won; the
    teams of one group came equally far, or won as many. terms: per game what its rulebook asks of ranking.
    Raises InputError, the line named, for matches that contradict each other, DeclarationError for flights or
    groups that are not declared as they are.
    """
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    at = np.flatnonzero(facts.knockouts[sections.game])
    teams = contestants if len(at) == len(contestants) else contestants.iloc[at].reset_index(drop=True)
    bracket, of_sections = dense_codes(sections.section[at])
    brackets = sections.frame.iloc[of_sections].reset_index(drop=True)
    matches = _matches(games, teams, bracket, sections.game[at])
    placed, finishes = _placed(finish(matches, _settled(facts, terms, sections.game[at])), bracket)
    # The average holding per player of a bracket's top team, and of all its players, where all are known.
    total, number = facts.holdings.total[at], np.maximum(facts.holdings.number[at], 1)
    top = np.full(len(brackets), -1.0)
    np.maximum.at(top, bracket, total / number)
    lacking = np.bincount(bracket, ~facts.holdings.complete[at]) > 0
    brackets = brackets.assign(
        limit=facts.flight_limits[of_sections],
        split=facts.split[of_sections],
        top=np.where(lacking, np.nan, np.round(top, 4)),
        average=np.where(lacking, np.nan, np.round(np.bincount(bracket, total) / np.bincount(bracket, number), 4)),
    )
    run, found = _knockouts(games, brackets, matches, placed, finishes)
    team = placed["team"]
    of = bracket[team]
    order = sorted_rows(of, placed["basis"], placed["finish"])
    order = order[teams["eligible"].to_numpy(dtype=bool)[team[order]]]
    keys = of[order], placed["basis"][order], placed["finish"][order]
    first = np.flatnonzero(run_starts(*keys))
    size = np.bincount(bracket)[keys[0][first]]
    of_group = {
        "game": brackets["game"].to_numpy()[keys[0][first]],
        "level": np.zeros(len(first), dtype=np.int8),
        "ranked": size,
        "size": size,
        "tables": size.astype(np.float64),
        "winners": np.ones(len(first), dtype=np.int8),
        "basis": keys[1][first],
        "run": run[order[first]].astype(np.int32),
    }
    of_each = {
        "contestant": at[team[order]],
        "position": placed["position"][order],
        "tied": placed["tied"][order],
    }
    return RankedGroups(np.diff(first, append=len(order)), of_group, of_each), found


def _matches(games: pd.DataFrame, teams: pd.DataFrame, bracket: Ints, game: Ints) -> Matches:
    if not family_columns(teams, "round"):
        hint = "write columns round1, round2, ...: W 5 for a win against team 5, L 5 for a loss, or bye"
        raise InputError(game_problem(games, int(row), "the knockout has no rounds", hint) for row in np.unique(game))
    matches = matches_of(teams, bracket)
    problems = []
    for row, what, hint in faults(teams, matches):
        team = teams.iloc[row]
        what = f"team {team['section']} {team['number']}: {what}"
        problems.append(game_problem(games, int(game[row]), what, hint, str(team["where"])))
    if problems:
        raise InputError(problems)
    return matches


def _settled(facts: Facts, terms: pd.DataFrame, game: Ints) -> MatchRules:
    words, every = terms["clear_playoffs"].factorize()
    clear = np.zeros(len(terms), dtype=bool)
    for number, kinds in enumerate(every):
        for kind in kinds:
            clear |= (words == number) & facts.special[kind]
    before = (terms["forfeits"] == "beaten before").to_numpy(dtype=bool)
    return MatchRules(terms["wins_of_match"].to_numpy(dtype=np.int64)[game], before[game], clear[game])


def _placed(done: Placings, bracket: Ints) -> tuple[dict[str, Ints], list[Finish]]:
    """Return the places of all teams overall and, for those that won any match, by matches won; and their finishes.

    Each has its ``team``, ``basis``, ``position``, how many are ``tied`` for it, and the number of its ``finish``.
    """
    won = np.flatnonzero(done.won)
    position, tied = places(bracket, done.won)
    none = np.zeros(len(won), dtype=np.int64)
    playoff = np.searchsorted(_PLAYOFFS, done.playoff)
    said = [
        np.concatenate([overall, by_matches])
        for overall, by_matches in (
            *((done.position, position[won]), (done.tied, tied[won]), (done.rounds, none)),
            *((done.main, done.won[won]), (playoff, none), (done.wins, done.wins[won])),
        )
    ]
    number, first = ordered_keys(*said)
    finishes = [
        Finish(position, position + tied - 1, rounds, Fraction(parts, wins), str(_PLAYOFFS[playoff]))
        for position, tied, rounds, parts, playoff, wins in zip(*(each[first].tolist() for each in said), strict=True)
    ]
    basis = np.repeat([BASES.index(OVERALL), BASES.index(MATCHES)], [len(bracket), len(won)])
    team = np.concatenate([np.arange(len(bracket)), won])
    return {"team": team, "basis": basis, "position": said[0], "tied": said[1], "finish": number}, finishes


_PLAYOFFS = np.array(["", "L", "W"])


def _knockouts(
    games: pd.DataFrame,
    brackets: pd.DataFrame,
    matches: Matches,
    placed: dict[str, Ints],
    finishes: list[Finish],
) -> tuple[Ints, Knockouts]:
    """Return the run of each that is placed, and the brackets of all events."""
    order = _order(brackets)
    game = brackets["game"].to_numpy()
    index = np.empty(len(order), dtype=np.int64)
    _, new = dense_codes(game)
    count = np.bincount(game)[new]
    index[order] = expand_counts(count)[1]
    place = _place(games, brackets, index)
    limit, top, average = (brackets[name].to_numpy() for name in ("limit", "top", "average"))
    _check_flights(games, brackets, place, limit)
    course, courses = _courses(matches, placed, finishes)
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.arange(len(order))
    played, ended = row[matches.bracket[placed["team"]]], placed["finish"]
    run, first = ordered_keys(played, ended)
    of_bracket = place[order], course[order], top[order], average[order], limit[order]
    return run, Knockouts(expand_counts(count)[0], *of_bracket, courses, finishes, played[first], ended[first])


def _courses(matches: Matches, placed: dict[str, Ints], finishes: list[Finish]) -> tuple[Ints, list[Course]]:
    """Return how each bracket went: the number of its course, and the courses."""
    # All teams are placed overall, before those that are by matches won.
    finish_of_team = placed["finish"][: len(matches.bracket)]
    _, keys = dense_codes(matches.bracket * len(finishes) + finish_of_team)
    rounds = matches.in_round
    finished = listed_by(*np.divmod(keys, len(finishes)), len(rounds))
    number, first = distinct_keys(*rounds.T, *finished.T)
    return number, [
        Course(tuple(each[each > 0].tolist()), tuple(finishes[of] for of in ends[ends >= 0].tolist()))
        for each, ends in zip(rounds[first], finished[first], strict=True)
    ]


def _order(brackets: pd.DataFrame) -> Ints:
    """Return the brackets by game, the top one first: 1, 2, ..., 10, or A, B, ..."""
    number, names = pd.factorize(brackets["section"])
    rank = {name: place for place, name in enumerate(sorted(names, key=natural_order))}
    return sorted_rows(brackets["game"].to_numpy(), np.array([rank[name] for name in names])[number])


def _place(games: pd.DataFrame, brackets: pd.DataFrame, index: Ints) -> Ints:
    """Return the place of each bracket in its event, 0 for the top one; groups of a split flight share theirs.

    index: the number of each among those of its event. Raises DeclarationError where ``split`` does not name the lowest
    sections.
    """
    group = brackets["split"].to_numpy()
    game = brackets["game"].to_numpy()
    first_of_game = np.full(len(games), np.iinfo(np.int64).max)
    np.minimum.at(first_of_game, game[group], index[group])
    first, listed = first_of_game[game], np.bincount(game, group)[game]
    named = games["split"].str.count(",").fillna(-1).to_numpy(dtype=np.int64)[game] + 1
    wrong = (named != listed) | ((index >= first) & ~group)
    if wrong.any():
        hint = "name the sections that are groups of the lowest flight, below all others"
        raise _key_error(games, game[wrong], "split", "these are not the lowest sections", hint, CONTRADICTED)
    return np.asarray(np.minimum(index, first), dtype=np.int64)


def _check_flights(games: pd.DataFrame, brackets: pd.DataFrame, place: Ints, limit: Floats) -> None:
    game = brackets["game"].to_numpy()
    flighted = games["flight_limits"].notna().to_numpy()[game]
    order = np.lexsort((place, game))
    below = np.zeros(len(order), dtype=bool)
    same = (game[order][1:] == game[order][:-1]) & (place[order][1:] > place[order][:-1])
    below[order[1:]] = same & (limit[order][1:] >= limit[order][:-1])
    wrong = flighted & (np.isnan(limit) | below)
    if wrong.any():
        hint = "write the limit of every flight's section, the top one first, such as A=open, B=1500"
        raise _key_error(games, game[wrong], "flight_limits", "each lower flight needs a lower limit", hint)


def _key_error(games: pd.DataFrame, rows: Ints, key: str, why: str, hint: str, code: str = "") -> DeclarationError:
    said = [(row, f"{key} is '{games[key].iloc[row]}', but {why}") for row in np.unique(rows).tolist()]
    return DeclarationError(game_problem(games, row, what, hint, code=code) for row, what in said)
