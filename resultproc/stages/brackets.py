"""Final places in knockouts: matches to places, for many brackets at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from resultproc.model.arrays import Bools, Ints
from resultproc.stages.matches import FORFEITED, LOST, PLAYOFF, WON, Matches

Texts = npt.NDArray[np.str_]


@dataclass(frozen=True)
class Settled:
    """What the regulations of its event settle for each team.

    wins: how many make a whole match in a round in which it met several others. before: whether, if it forfeits, it
    gets the place of the team that it beat before. clear: whether a play-off makes two places of one that two share.
    """

    wins: Ints
    before: Bools
    clear: Bools


@dataclass(frozen=True)
class Placings:
    """Where the teams of many brackets finished.

    position, tied: the place of each team, shared by the teams that went out in the same round. won: the matches that
    it won, a play-off included, in parts: a whole match has ``wins`` of them. rounds, main, playoff: the rounds
    survived, the matches won without a play-off, in parts, and W or L for a play-off: of a team that got the place of
    another, those of that team. wins: the parts of a whole match.
    """

    position: Ints
    tied: Ints
    won: Ints
    rounds: Ints
    main: Ints
    playoff: Texts
    wins: Ints


def finish(matches: Matches, settled: Settled) -> Placings:
    """Return where the teams finished: those that go out in the same round share its places."""
    rounds = np.where(matches.champions, matches.last, matches.last - 1)
    position, tied = places(matches.bracket, rounds)
    playoff = _playoffs(matches)
    pair = settled.clear & (playoff != "") & (tied == 2)
    position = position + (pair & (playoff == "L"))
    tied = np.where(pair, 1, tied)
    main = _parts_won(matches, settled.wins)
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
    """Return each team's position in its bracket and the number tied: the more rounds, or what else, the better."""
    width = int(rounds.max(initial=0)) + 1
    brackets = int(bracket.max(initial=-1)) + 1
    cell = bracket * width + rounds
    counts = np.bincount(cell, minlength=brackets * width)
    table = counts.reshape(brackets, width)
    better = table[:, ::-1].cumsum(axis=1)[:, ::-1] - table
    return better.ravel()[cell] + 1, counts[cell]


def _parts_won(matches: Matches, wins: Ints) -> Ints:
    """Return the matches that each team won, in parts: a win over several others is one, a whole match ``wins``."""
    won = matches.main & (matches.result == WON)
    parts = wins * np.bincount(matches.team[won & ~matches.several], minlength=len(wins))
    _, first, count = np.unique(matches.cell[won & matches.several], return_index=True, return_counts=True)
    team = matches.team[won & matches.several][first]
    np.add.at(parts, team, np.minimum(count, wins[team]))
    return np.asarray(parts, dtype=np.int64)


def _playoffs(matches: Matches) -> Texts:
    """Return W or L for each team that played a match for a further place; nothing for a forfeited one."""
    rows = matches.round == PLAYOFF
    playoff = np.full(len(matches.bracket), "", dtype="U1")
    playoff[matches.team[rows]] = _PLAYED[matches.result[rows]]
    return playoff


_PLAYED = np.array([{WON: "W", LOST: "L", FORFEITED: ""}[result] for result in range(3)], dtype="U1")


def _forfeits(matches: Matches, before: Bools) -> tuple[Ints, Bools]:
    """Return the team whose place each team gets, itself for most, and which forfeited before they beat anybody.

    before: which teams get the place of another where they forfeit.
    """
    of: Ints = np.arange(len(matches.bracket), dtype=np.int64)
    forfeited = np.zeros(len(of), dtype=bool)
    forfeited[matches.team[matches.main & (matches.result == FORFEITED)]] = True
    forfeited &= before
    wins = forfeited[matches.team] & matches.main & (matches.result == WON) & (matches.other >= 0)
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
