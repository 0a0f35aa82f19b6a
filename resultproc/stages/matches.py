"""The matches of knockouts: the cells of the rounds taken apart, and checked against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.frames import players
from resultproc.model.sections import coded, laid_out

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

PLAYOFF = 0
"""The round of matches that are played for a further place."""

Fault = tuple[int, str, str]
"""What is wrong in a team's row: the row, what is wrong, what would be right."""


@dataclass(frozen=True)
class Matches:
    """The matches of the teams of many brackets, from each team's side.

    bracket: the number of each team's bracket, 0 or more. there: per team and round, whether it was in it.
    won, lost, forfeited: per team and round, how many matches. frame: one row per team and match with ``team``,
    ``round`` (from 1; :data:`PLAYOFF` for a play-off), ``result`` (W, L or F) and ``other``, both teams as rows.
    """

    bracket: Ints
    there: Bools
    won: Ints
    lost: Ints
    forfeited: Ints
    frame: pd.DataFrame

    @property
    def last(self) -> Ints:
        """The last round that each team was in."""
        return np.asarray(self.there.sum(axis=1), dtype=np.int64)

    @property
    def rounds(self) -> Ints:
        """How many rounds each team's bracket had."""
        most = np.zeros(int(self.bracket.max(initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(most, self.bracket, self.last)
        return most[self.bracket]

    @property
    def in_round(self) -> Ints:
        """How many teams of each bracket were in each round, the first one on."""
        counts = np.zeros((int(self.bracket.max(initial=-1)) + 1, self.there.shape[1]), dtype=np.int64)
        np.add.at(counts, self.bracket, self.there)
        return counts


def matches_of(contestants: pd.DataFrame, bracket: Ints) -> Matches:
    """Return the matches that knockout teams list in their columns round1, round2, ... and playoff.

    bracket: the number of each team's bracket. An opponent that its bracket does not have is -1.
    """
    columns = players(contestants, "round")
    cells = [contestants[name] for name in columns]
    there = np.column_stack([cell.notna().to_numpy() for cell in cells])
    listed = [_listed(cell, number) for number, cell in enumerate([contestants["playoff"], *cells])]
    frame = pd.concat(listed, ignore_index=True)
    teams = contestants["number"].to_numpy()
    number, numbers = pd.factorize(np.concatenate([teams, frame["number"].to_numpy()]))
    known, asked = np.split(np.concatenate([bracket, bracket[frame["team"]]]) * len(numbers) + number, [len(teams)])
    order = np.argsort(known, kind="stable")
    place = np.minimum(np.searchsorted(known[order], asked), len(teams) - 1)
    frame = frame.assign(other=np.where(known[order[place]] == asked, order[place], -1))
    counts = {name: _counts(frame, there.shape, name) for name in "WLF"}
    return Matches(bracket, there, counts["W"], counts["L"], counts["F"], frame)


def _listed(cells: pd.Series[str], number: int) -> pd.DataFrame:
    """Return the matches that a column lists, team after team; each distinct text is taken apart once."""
    code, texts = coded(cells)
    matches = [re.findall(r"([WLF]) (\S+)", text) for text in texts]
    team = np.flatnonzero(code >= 0)
    count = np.array([len(each) for each in matches], dtype=np.int64)
    of, place = laid_out(count[code[team]])
    at = (np.cumsum(count) - count)[code[team[of]]] + place
    result, other = np.array([each for found in matches for each in found], dtype=object).reshape(-1, 2).T
    return pd.DataFrame({"team": team[of], "round": number, "result": result[at], "number": other[at]})


def _counts(frame: pd.DataFrame, shape: tuple[int, ...], result: str) -> Ints:
    counted = frame[(frame["result"] == result) & (frame["round"] != PLAYOFF)]
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, (counted["team"], counted["round"] - 1), 1)
    return counts


def faults(contestants: pd.DataFrame, matches: Matches) -> Iterator[Fault]:
    """Yield what contradicts itself in the matches of knockout teams."""
    number = contestants["number"].to_numpy()
    yield from _gaps(matches)
    yield from _opponents(matches, number)
    yield from _survivors(matches)
    yield from _champions(contestants, matches)
    yield from _playoffs(matches)


def _gaps(matches: Matches) -> Iterator[Fault]:
    unbroken = np.cumprod(matches.there, axis=1).sum(axis=1)
    for team in np.flatnonzero(unbroken < np.maximum(matches.last, 1)):
        what = f"this team has no result for round {unbroken[team] + 1}"
        yield int(team), what, "write W, L or F and the opponent's number, or bye, for every round that it was in"


def _opponents(matches: Matches, number: npt.NDArray[np.object_]) -> Iterator[Fault]:
    frame = matches.frame
    for row in frame[frame["other"] < 0].to_dict("records"):
        yield row["team"], f"unknown team {row['number']} in its bracket", "correct the opponent's number"
    frame = frame[frame["other"] >= 0]
    for row in frame[frame["other"] == frame["team"]].to_dict("records"):
        yield row["team"], f"this team meets itself in {_round(row['round'])}", "correct the opponent's number"
    twice = frame.duplicated(["team", "round", "other"])
    for row in frame[twice].to_dict("records"):
        what = f"this team meets team {row['number']} twice in {_round(row['round'])}"
        yield row["team"], what, "correct the opponent's number"
    sides = frame.assign(won=frame["result"] == "W")
    back = sides.rename(columns={"team": "other", "other": "team"})[["team", "other", "round", "won"]]
    both = sides.merge(back, "left", ["team", "other", "round"], suffixes=("", "_back"))
    for row in both[both["won_back"].isna() | (both["won_back"] == both["won"])].to_dict("records"):
        said = f"{row['result']} {row['number']} in {_round(row['round'])}"
        answer = "L or F" if row["won"] else "W"
        what = f"this team has {said}, but team {row['number']} does not have {answer} {number[row['team']]}"
        yield row["team"], what, "correct one of them"


def _round(number: int) -> str:
    return "the play-off" if number == PLAYOFF else f"round {number}"


def _survivors(matches: Matches) -> Iterator[Fault]:
    """Yield teams that go on after they lost, or do not although they won."""
    played = matches.won + matches.lost + matches.forfeited
    rounds = np.arange(matches.there.shape[1])[None, :]
    goes_on = matches.there & (rounds < matches.last[:, None] - 1)
    beaten = goes_on & (((played > 0) & (matches.won == 0)) | (matches.forfeited > 0))
    for team, column in np.argwhere(beaten):
        what = f"this team did not win in round {column + 1}, but has a result for round {column + 2}"
        yield int(team), what, "correct one of them"
    last = np.maximum(matches.last - 1, 0)
    at_last = np.arange(len(last)), last
    unbeaten = (matches.lost[at_last] + matches.forfeited[at_last] == 0) & (matches.last > 0)
    for team in np.flatnonzero(unbeaten & (matches.last < matches.rounds)):
        what = f"this team did not lose in round {last[team] + 1}, but has no result for round {last[team] + 2}"
        yield int(team), what, "write its next match, or F and the opponent's number where it forfeited"


def champions(matches: Matches) -> Bools:
    """Return which teams were in the last round of their bracket and did not lose in it."""
    at_last = np.arange(len(matches.last)), np.maximum(matches.last - 1, 0)
    unbeaten = matches.lost[at_last] + matches.forfeited[at_last] == 0
    return np.asarray(unbeaten & (matches.last == matches.rounds) & (matches.last > 0))


def _champions(contestants: pd.DataFrame, matches: Matches) -> Iterator[Fault]:
    winners = np.bincount(matches.bracket[champions(matches)], minlength=int(matches.bracket.max(initial=-1)) + 1)
    _, first = np.unique(matches.bracket, return_index=True)
    for team in first[winners[matches.bracket[first]] != 1]:
        bracket = matches.bracket[team]
        what = f"bracket {contestants['section'].iloc[team]} has {winners[bracket]} winners of its last round"
        yield int(team), what, "write every round, up to the final, which one team wins"


def _playoffs(matches: Matches) -> Iterator[Fault]:
    """Yield play-offs of teams that did not leave in the same round."""
    frame = matches.frame[(matches.frame["round"] == PLAYOFF) & (matches.frame["other"] >= 0)]
    team, other = frame["team"].to_numpy(), frame["other"].to_numpy()
    best = champions(matches)
    apart = (matches.last[team] != matches.last[other]) | best[team] | best[other]
    for row in frame[apart].to_dict("records"):
        what = f"this team and team {row['number']} cannot meet in a play-off: they did not lose in the same round"
        yield row["team"], what, "correct the play-off"
