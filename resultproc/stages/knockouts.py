"""The standings of knockouts: final places in each bracket, and matches won."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import BASES, MATCHES, OVERALL
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import game_problem, knockouts, players, words_in
from resultproc.model.game import COMPACT_KNOCKOUT, parse_flight_limits, parse_sections
from resultproc.model.sections import Sections, declared
from resultproc.stages.brackets import Finish, finish, places
from resultproc.stages.matches import Bools, Ints, faults, matches_of

Texts = npt.NDArray[np.str_]


def knockout_standings(
    games: pd.DataFrame, contestants: pd.DataFrame, sections: Sections
) -> tuple[pd.DataFrame, list[str]]:
    """Return the standings of all knockouts, and the texts that their column ``run`` numbers.

    Every bracket, a section, is compared overall by how far its teams came, and by the matches that they won; the
    teams of one group came equally far, or won as many. ``run`` is what :mod:`resultproc.model.knockout` says of a
    team. Raises InputError, the line named, for matches that contradict each other, DeclarationError for flights or
    groups that are not declared as they are.
    """
    at = np.flatnonzero(knockouts(games)[sections.game])
    if not len(at):
        return pd.DataFrame(), []
    teams = contestants.iloc[at].reset_index(drop=True)
    bracket, of_sections = pd.factorize(sections.section[at], sort=True)
    bracket = np.asarray(bracket, dtype=np.int64)
    brackets = sections.frame.iloc[of_sections].reset_index(drop=True)
    done = _finish(games, teams, bracket, sections.game[at])
    event = _events(games, brackets, bracket, teams, done.twelve)
    frame = _standings(bracket, done)
    team = frame.pop("team").to_numpy()
    frame = frame.assign(contestant=at[team], size=np.bincount(bracket)[bracket[team]])
    frame = frame.assign(ranked=frame["size"], tables=frame["size"].astype(np.float64), level=0, winners=1)
    said = ["rounds", "halves", "playoff"]
    keys = ["basis", "bracket", "position", "tied", *said]
    number = frame.assign(bracket=bracket[team]).groupby(keys).ngroup().to_numpy()
    order = np.argsort(number, kind="stable")
    order = order[teams["eligible"].to_numpy(dtype=bool)[team[order]]]
    _, first = np.unique(number, return_index=True)
    distinct = frame.iloc[first]
    text = event[bracket[team[first]]]
    last = distinct["position"] + distinct["tied"] - 1
    places_shared = distinct["position"].astype("str") + "-" + last.astype("str")
    for column in (distinct["playoff"], distinct["halves"] / 2, distinct["rounds"], places_shared):
        text = column.astype("str").to_numpy() + "|" + text
    text = _index(brackets)[bracket[team[first]]].astype("str") + "|" + text
    shared, texts = pd.factorize(text)
    frame = frame.assign(run=shared[number], new_group=number).drop(columns=said).iloc[order]
    return frame.assign(new_group=~frame["new_group"].duplicated()), list(texts)


def _finish(games: pd.DataFrame, teams: pd.DataFrame, bracket: Ints, game: Ints) -> Finish:
    """Return where the teams finished; raise InputError with everything that contradicts itself in their matches."""
    if not players(teams, "round"):
        hint = "write columns round1, round2, ...: W 5 for a match won against team 5, L 5 for a lost one, or bye"
        raise InputError(game_problem(games, int(row), "the knockout has no rounds", hint) for row in np.unique(game))
    matches = matches_of(teams, bracket)
    told = [(teams.iloc[team], int(game[team]), what, hint) for team, what, hint in faults(teams, matches)]
    if told:
        raise InputError(
            game_problem(games, row, f"team {team['section']} {team['number']}: {what}", hint, str(team["where"]))
            for team, row, what, hint in told
        )
    return finish(matches, words_in(games["special"], COMPACT_KNOCKOUT)[game])


def _standings(bracket: Ints, done: Finish) -> pd.DataFrame:
    """Return the places of all teams overall and, of those that won any match, by matches won."""
    team = np.arange(len(bracket))
    overall = {"position": done.position, "tied": done.tied, "rounds": done.rounds, "halves": done.main_halves}
    position, tied = places(bracket, done.halves)
    matches = {"position": position, "tied": tied, "rounds": 0, "halves": done.halves}
    parts = [
        pd.DataFrame({"team": team, "basis": BASES.index(OVERALL), **overall, "playoff": done.playoff}),
        pd.DataFrame({"team": team, "basis": BASES.index(MATCHES), **matches, "playoff": ""})[done.halves > 0],
    ]
    return pd.concat(parts, ignore_index=True)


def _events(games: pd.DataFrame, brackets: pd.DataFrame, bracket: Ints, teams: pd.DataFrame, twelve: Bools) -> Texts:
    """Return, per bracket, the text of all the brackets of its event, in the order of :func:`_order`."""
    place = _place(games, brackets)
    limit = declared(games["flight_limits"], parse_flight_limits, brackets)
    _check_flights(games, brackets, place, limit)
    top, average = _holdings(teams, bracket, len(brackets))
    facts = (place, np.bincount(bracket), top, average, twelve.astype(np.int64), limit)
    text, *others = (pd.Series(fact).astype("str").mask(np.isnan(fact), "") for fact in facts)
    for other in others:
        text = text + ":" + other
    order = _order(brackets)
    joined = text.iloc[order].groupby(brackets["game"].to_numpy()[order]).agg(",".join)
    return joined.reindex(brackets["game"]).to_numpy(dtype=object)


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


def _check_flights(games: pd.DataFrame, brackets: pd.DataFrame, place: Ints, limit: npt.NDArray[np.float64]) -> None:
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
                f"flight_limits is '{games['flight_limits'].iloc[row]}', not a lower limit for each lower flight",
                "write the limit of every flight's section, the top one first, such as A=open, B=1500",
            )
            for row in np.unique(game[wrong])
        )


def _holdings(
    teams: pd.DataFrame, bracket: Ints, count: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
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
