"""The standings of knockouts: final places in each bracket, and matches won."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Floats,
    Ints,
    dense_codes,
    distinct_keys,
    distinct_rows,
    expand_counts,
    family_columns,
    listed_by,
    ordered_keys,
    run_starts,
    sorted_rows,
)
from resultproc.model.basis import BASES, MATCHES, OVERALL
from resultproc.model.codes import CONTRADICTED
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.facts import Facts, Holdings
from resultproc.model.frames import game_problem
from resultproc.model.group import Course, Finish, Knockouts
from resultproc.stages.matches import Matches, MatchRules, Placings, faults, finish, matches_of, places


def knockout_standings(facts: Facts, terms: pd.DataFrame) -> tuple[pd.DataFrame, Knockouts]:
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
    holdings = _holdings(facts.holdings, at, bracket, len(brackets))
    brackets = brackets.assign(limit=facts.flight_limits[of_sections], split=facts.split[of_sections])
    run, found = _knockouts(games, brackets, matches, holdings, placed, finishes)
    team = placed["team"]
    of = bracket[team]
    order = sorted_rows(of, placed["basis"], placed["finish"])
    order = order[teams["eligible"].to_numpy(dtype=bool)[team[order]]]
    keys = of[order], placed["basis"][order], placed["finish"][order]
    size = np.bincount(bracket)[keys[0]]
    frame = {
        "contestant": at[team[order]],
        "level": np.zeros(len(order), dtype=np.int8),
        "new_group": run_starts(*keys),
        "ranked": size,
        "position": placed["position"][order],
        "tied": placed["tied"][order],
        "size": size,
        "tables": size.astype(np.float64),
        "winners": np.ones(len(order), dtype=np.int8),
        "basis": keys[1],
        "run": run[order].astype(np.int32),
    }
    return pd.DataFrame(frame, copy=False), found


def _matches(games: pd.DataFrame, teams: pd.DataFrame, bracket: Ints, game: Ints) -> Matches:
    """Return the teams' matches; raise InputError with everything that contradicts itself in them."""
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
    """Return what the rulebooks of some teams' games settle."""
    words, every = terms["clear_playoffs"].factorize()
    clear = np.zeros(len(terms), dtype=bool)
    for number, kinds in enumerate(every):
        for kind in kinds:
            clear |= (words == number) & facts.special(kind)
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
    holdings: tuple[Floats, Floats],
    placed: dict[str, Ints],
    finishes: list[Finish],
) -> tuple[Ints, Knockouts]:
    """Return the run of each that is placed, and the brackets of all events that differ."""
    order = _order(brackets)
    game = brackets["game"].to_numpy()
    index = np.empty(len(order), dtype=np.int64)
    _, new = dense_codes(game)
    count = np.bincount(game)[new]
    index[order] = expand_counts(count)[1]
    place = _place(games, brackets, index)
    limit = brackets["limit"].to_numpy()
    _check_flights(games, brackets, place, limit)
    top, average = holdings
    course, courses = _courses(matches, placed, finishes)
    facts = pd.DataFrame({"place": place, "top": top, "average": average, "limit": limit, "course": course})
    same, _ = distinct_rows(facts)
    of, _ = expand_counts(count)
    event, first = distinct_keys(*listed_by(of, same[order], len(count)).T)
    kept = order[first[event[of]] == of]
    of_event = count[first]
    row = np.empty(len(order), dtype=np.int64)
    row[order] = (np.cumsum(of_event) - of_event)[event[of]] + index[order]
    played, ended = row[matches.bracket[placed["team"]]], placed["finish"]
    run, first = ordered_keys(played, ended)
    of_bracket = place[kept], course[kept], top[kept], average[kept], limit[kept]
    return run, Knockouts(expand_counts(of_event)[0], *of_bracket, courses, finishes, played[first], ended[first])


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
    rank = {name: place for place, name in enumerate(sorted(names, key=_natural))}
    return sorted_rows(brackets["game"].to_numpy(), np.array([rank[name] for name in names])[number])


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall("[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


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
        raise _contradicted(games, game[wrong], "split", "these are not the lowest sections", hint, CONTRADICTED)
    return np.asarray(np.minimum(index, first), dtype=np.int64)


def _check_flights(games: pd.DataFrame, brackets: pd.DataFrame, place: Ints, limit: Floats) -> None:
    """Refuse flights without a limit, and limits that do not fall from flight to flight."""
    game = brackets["game"].to_numpy()
    flighted = games["flight_limits"].notna().to_numpy()[game]
    order = np.lexsort((place, game))
    below = np.zeros(len(order), dtype=bool)
    same = (game[order][1:] == game[order][:-1]) & (place[order][1:] > place[order][:-1])
    below[order[1:]] = same & (limit[order][1:] >= limit[order][:-1])
    wrong = flighted & (np.isnan(limit) | below)
    if wrong.any():
        hint = "write the limit of every flight's section, the top one first, such as A=open, B=1500"
        raise _contradicted(games, game[wrong], "flight_limits", "each lower flight needs a lower limit", hint)


def _contradicted(games: pd.DataFrame, rows: Ints, key: str, why: str, hint: str, code: str = "") -> DeclarationError:
    """Return the error of games for which a key cannot be what it is."""
    said = [(row, f"{key} is '{games[key].iloc[row]}', but {why}") for row in np.unique(rows).tolist()]
    return DeclarationError(game_problem(games, row, what, hint, code=code) for row, what in said)


def _holdings(holdings: Holdings, at: Ints, bracket: Ints, count: int) -> tuple[Floats, Floats]:
    """Return, per bracket, the average holding per player of its top team and of all its players.

    NaN where the holding of any player is not known. at: the teams' rows. bracket: the number of each team's bracket.
    """
    total, number, complete = holdings.total[at], holdings.number[at], holdings.complete[at]
    number = np.maximum(number, 1)
    top = np.full(count, -1.0)
    np.maximum.at(top, bracket, total / number)
    average = np.bincount(bracket, total, count) / np.bincount(bracket, number, count)
    lacking = np.bincount(bracket, ~complete, count) > 0
    return tuple(np.where(lacking, np.nan, np.round(each, 4)) for each in (top, average))  # type: ignore[return-value]
