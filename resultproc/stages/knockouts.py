"""The standings of knockouts: final places in each bracket, and matches won."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.basis import BASES, MATCHES, OVERALL
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import game_problem, knockouts, players, words_in
from resultproc.model.game import parse_flight_limits, parse_sections
from resultproc.model.knockout import Bracket, Finish, Run
from resultproc.model.sections import Floats, Ints, Sections, declared
from resultproc.stages.brackets import Placings, Settled, finish, places
from resultproc.stages.matches import Matches, faults, matches_of


def knockout_standings(
    games: pd.DataFrame, contestants: pd.DataFrame, sections: Sections, terms: pd.DataFrame
) -> tuple[pd.DataFrame, list[Run]]:
    """Return the standings of all knockouts, and the runs that their column ``run`` numbers.

    Every bracket, a section, is compared overall by how far its teams came, and by the matches that they won; the
    teams of one group came equally far, or won as many. terms: per game what its rulebook asks of ranking.
    Raises InputError, the line named, for matches that contradict each other, DeclarationError for flights or
    groups that are not declared as they are.
    """
    at = np.flatnonzero(knockouts(games)[sections.game])
    if not len(at):
        return pd.DataFrame(), []
    teams = contestants.iloc[at].reset_index(drop=True)
    bracket, of_sections = pd.factorize(sections.section[at], sort=True)
    bracket = np.asarray(bracket, dtype=np.int64)
    brackets = sections.frame.iloc[of_sections].reset_index(drop=True)
    matches = _matches(games, teams, bracket, sections.game[at])
    frame, finishes = _standings(matches, finish(matches, _settled(games, terms, sections.game[at])))
    of_team = bracket[frame["team"]]
    event, events = _events(games, brackets, matches, teams, frame, finishes)
    keys = pd.DataFrame({"event": event[of_team], "bracket": _index(brackets)[of_team], "finish": frame["finish"]})
    run, distinct = _numbered(keys)
    runs = [Run(index, finishes[of], events[in_event]) for in_event, index, of in distinct.itertuples(index=False)]
    group, _ = _numbered(pd.DataFrame({"bracket": of_team, "basis": frame["basis"], "finish": frame["finish"]}))
    team = frame["team"].to_numpy()
    size = np.bincount(bracket)[of_team]
    frame = frame.drop(columns=["team", "finish"]).assign(
        contestant=at[team], size=size, ranked=size, tables=size.astype(np.float64), level=0, winners=1, run=run
    )
    order = np.argsort(group, kind="stable")
    order = order[teams["eligible"].to_numpy(dtype=bool)[team[order]]]
    return frame.iloc[order].assign(new_group=~pd.Series(group[order]).duplicated().to_numpy()), runs


def _matches(games: pd.DataFrame, teams: pd.DataFrame, bracket: Ints, game: Ints) -> Matches:
    """Return the teams' matches; raise InputError with everything that contradicts itself in them."""
    if not players(teams, "round"):
        hint = "write columns round1, round2, ...: W 5 for a win against team 5, L 5 for a loss, or bye"
        raise InputError(game_problem(games, int(row), "the knockout has no rounds", hint) for row in np.unique(game))
    matches = matches_of(teams, bracket)
    found = [(teams.iloc[team], int(game[team]), what, hint) for team, what, hint in faults(teams, matches)]
    if found:
        raise InputError(
            game_problem(games, row, f"team {team['section']} {team['number']}: {what}", hint, str(team["where"]))
            for team, row, what, hint in found
        )
    return matches


def _settled(games: pd.DataFrame, terms: pd.DataFrame, game: Ints) -> Settled:
    """Return what the rulebooks of some teams' games settle."""
    words, distinct = pd.factorize(terms["clear_playoffs"])
    clear = np.zeros(len(games), dtype=bool)
    for number, kinds in enumerate(distinct):
        if kinds:
            clear |= (words == number) & words_in(games["special"], *kinds)
    before = (terms["forfeits"] == "beaten before").to_numpy(dtype=bool)
    return Settled(terms["wins_of_match"].to_numpy(dtype=np.int64)[game], before[game], clear[game])


def _standings(matches: Matches, done: Placings) -> tuple[pd.DataFrame, list[Finish]]:
    """Return the places of all teams overall and, of those that won any match, by matches won; and their finishes.

    Each row has its ``team``, ``basis`` and place, and the number of its ``finish``.
    """
    position, tied = places(matches.bracket, done.won)
    team = np.arange(len(matches.bracket))
    overall = pd.DataFrame({"position": done.position, "tied": done.tied, "rounds": done.rounds, "parts": done.main})
    overall = overall.assign(team=team, basis=BASES.index(OVERALL), playoff=done.playoff)
    by_matches = pd.DataFrame({"position": position, "tied": tied, "rounds": 0, "parts": done.won})
    by_matches = by_matches.assign(team=team, basis=BASES.index(MATCHES), playoff="")[done.won > 0]
    frame = pd.concat([overall, by_matches], ignore_index=True)
    said = frame[["position", "tied", "rounds", "parts", "playoff"]].assign(wins=done.wins[frame["team"]])
    number, distinct = _numbered(said)
    finishes = [
        Finish(first, first + tied - 1, rounds, Fraction(parts, wins), playoff)
        for first, tied, rounds, parts, playoff, wins in distinct.itertuples(index=False)
    ]
    return frame[["team", "basis", "position", "tied"]].assign(finish=number), finishes


def _events(
    games: pd.DataFrame,
    brackets: pd.DataFrame,
    matches: Matches,
    teams: pd.DataFrame,
    standings: pd.DataFrame,
    finishes: list[Finish],
) -> tuple[Ints, list[tuple[Bracket, ...]]]:
    """Return, per bracket, the number of its event, and of each event its brackets in the order of :func:`_order`."""
    place = _place(games, brackets)
    limit = declared(games["flight_limits"], parse_flight_limits, brackets)
    _check_flights(games, brackets, place, limit)
    top, average = _holdings(teams, matches.bracket, len(brackets))
    overall = standings[standings["basis"] == BASES.index(OVERALL)].sort_values(["position", "finish"])
    of_bracket = pd.DataFrame({"bracket": matches.bracket[overall["team"]], "finish": overall["finish"].to_numpy()})
    of_bracket = of_bracket.drop_duplicates()
    finish_table = _table(of_bracket["bracket"].to_numpy(), of_bracket["finish"].to_numpy(), len(brackets))
    facts = pd.DataFrame({"place": place, "top": top, "average": average, "limit": limit})
    round_table = matches.in_round
    number, first = _numbered_rows(facts, round_table, finish_table)
    distinct = [
        Bracket(
            int(place[row]),
            tuple(round_table[row][round_table[row] > 0].tolist()),
            _known(top[row]),
            _known(average[row]),
            _known(limit[row]),
            tuple(finishes[of] for of in finish_table[row] if of >= 0),
        )
        for row in first
    ]
    order = _order(brackets)
    game, of_games = pd.factorize(brackets["game"].to_numpy()[order])
    table = _table(game, number[order], len(of_games))
    event, first_game = _numbered_rows(table)
    events = [tuple(distinct[of] for of in table[row] if of >= 0) for row in first_game]
    of_bracket_event = np.empty(len(brackets), dtype=np.int64)
    of_bracket_event[order] = event[game]
    return of_bracket_event, events


def _numbered(frame: pd.DataFrame) -> tuple[Ints, pd.DataFrame]:
    """Return the number of each row among the distinct ones in order, and those."""
    number = frame.groupby(list(frame.columns), dropna=False).ngroup().to_numpy()
    return np.asarray(number, dtype=np.int64), frame.iloc[np.unique(number, return_index=True)[1]]


def _numbered_rows(*tables: pd.DataFrame | Ints) -> tuple[Ints, Ints]:
    """Return the number of each row of some tables side by side among the distinct ones, and the first row of each."""
    number, distinct = _numbered(pd.concat(map(pd.DataFrame, tables), axis=1, ignore_index=True))
    return number, distinct.index.to_numpy(dtype=np.int64)


def _table(of: Ints, number: Ints, count: int) -> Ints:
    """Return a table with a row for each of ``count``: the numbers that belong to it in order, then -1."""
    order = np.argsort(of, kind="stable")
    counts = np.bincount(of, minlength=count)
    column = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full((count, int(counts.max(initial=0))), -1, dtype=np.int64)
    table[of[order], column] = number[order]
    return table


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _order(brackets: pd.DataFrame) -> Ints:
    """Return the brackets by game, the top one first: 1, 2, ..., 10, or A, B, ..."""
    names = brackets["section"].unique()
    natural = {name: rank for rank, name in enumerate(sorted(names, key=_natural))}
    rank = brackets["section"].map(natural).to_numpy()
    return np.lexsort((rank, brackets["game"].to_numpy())).astype(np.int64)


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall("[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def _index(brackets: pd.DataFrame) -> Ints:
    """Return the number of each bracket among those of its event, from 0."""
    order = _order(brackets)
    index = np.zeros(len(brackets), dtype=np.int64)
    index[order] = brackets["game"].iloc[order].groupby(brackets["game"]).cumcount().to_numpy()
    return index


def _place(games: pd.DataFrame, brackets: pd.DataFrame) -> Ints:
    """Return the place of each bracket in its event, 0 for the top one; groups of a split flight share theirs.

    Raises DeclarationError where ``split`` does not name the lowest sections.
    """
    group = declared(games["split"], lambda text: dict.fromkeys(parse_sections(text), 1.0), brackets) == 1
    index = _index(brackets)
    game = brackets["game"].to_numpy()
    first = pd.Series(np.where(group, index, np.iinfo(np.int64).max)).groupby(game).transform("min").to_numpy()
    named = games["split"].str.count(",").fillna(-1).to_numpy(dtype=np.int64)[game] + 1
    listed = pd.Series(group).groupby(game).transform("sum").to_numpy()
    wrong = (named != listed) | ((index >= first) & ~group)
    if wrong.any():
        raise DeclarationError(
            game_problem(
                games,
                int(row),
                f"split is '{games['split'].iloc[row]}', but these are not the lowest sections",
                "name the sections that are groups of the lowest flight, below all others",
            )
            for row in np.unique(game[wrong])
        )
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
        raise DeclarationError(
            game_problem(
                games,
                int(row),
                f"flight_limits is '{games['flight_limits'].iloc[row]}', but each lower flight needs a lower limit",
                "write the limit of every flight's section, the top one first, such as A=open, B=1500",
            )
            for row in np.unique(game[wrong])
        )


def _holdings(teams: pd.DataFrame, bracket: Ints, count: int) -> tuple[Floats, Floats]:
    """Return, per bracket, the average holding per player of its top team and of all its players.

    NaN where the holding of any player is not known.
    """
    known = teams[players(teams, "mp")].to_numpy(dtype=np.float64)
    has = ~np.isnan(known)
    named = teams[players(teams)].notna().to_numpy().sum(axis=1)
    complete = has.sum(axis=1) >= np.maximum(named, 1)
    total, number = np.nansum(known, axis=1), np.maximum(has.sum(axis=1), 1)
    top = np.full(count, -1.0)
    np.maximum.at(top, bracket, total / number)
    average = np.bincount(bracket, total, count) / np.bincount(bracket, number, count)
    lacking = np.bincount(bracket, ~complete, count) > 0
    return tuple(np.where(lacking, np.nan, np.round(each, 4)) for each in (top, average))  # type: ignore[return-value]
