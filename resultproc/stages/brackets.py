"""Final places in knockouts: matches to places, for many brackets at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from resultproc.stages.matches import PLAYOFF, Bools, Ints, Matches, champions

_MATCH, _PART = 2, 1
"""What a match won counts, in halves: one of a round in which three or four teams met is a part of a match."""

TWELVE = 12


@dataclass(frozen=True)
class Finish:
    """Where the teams of many brackets finished.

    position, tied: the place of each team, shared by the teams that went out in the same round. halves: matches that
    it won, in halves, a play-off included. rounds, main_halves, playoff: the rounds survived, the matches won without
    a play-off, in halves, and W or L for a play-off: of a team that forfeited, those of the team that it beat in its
    match before, whose place it shares. twelve: per bracket, whether it came down to twelve teams.
    """

    position: Ints
    tied: Ints
    halves: Ints
    rounds: Ints
    main_halves: Ints
    playoff: npt.NDArray[np.str_]
    twelve: Bools


def finish(matches: Matches, compact: Bools) -> Finish:
    """Return where the teams finished.

    Teams that go out in the same round share the places of that round. A team that forfeits gets the place of the
    team that it beat before (MPBOOK.041, rev. 11/2003, p. 13). compact: per team, whether its event is a compact
    knockout: there a play-off makes clear third and fourth places (p. 13), elsewhere it lets teams that share a block
    of places qualify for it.
    """
    rounds = np.where(champions(matches), matches.last, matches.last - 1)
    position, tied = places(matches.bracket, rounds)
    playoff = _playoffs(matches)
    pair = compact & (playoff != "") & (tied == 2)
    position = position + (pair & (playoff == "L"))
    tied = np.where(pair, 1, tied)
    main_halves = _halves(matches)
    halves = main_halves + _MATCH * (playoff == "W")
    of, beaten_none = _forfeits(matches)
    return Finish(
        position[of],
        tied[of],
        halves,
        np.where(beaten_none, 0, rounds[of]),
        np.where(beaten_none, 0, main_halves[of]),
        np.where(beaten_none, "", playoff[of]),
        _twelve(matches),
    )


def places(bracket: Ints, rounds: Ints) -> tuple[Ints, Ints]:
    """Return each team's position in its bracket and the number tied: the more rounds, or what else, the better."""
    width = int(rounds.max(initial=0)) + 1
    brackets = int(bracket.max(initial=-1)) + 1
    counts = np.bincount(bracket * width + rounds, minlength=brackets * width).reshape(brackets, width)
    better = counts[:, ::-1].cumsum(axis=1)[:, ::-1] - counts
    return (better[bracket, rounds] + 1).astype(np.int64), counts[bracket, rounds].astype(np.int64)


def _halves(matches: Matches) -> Ints:
    """Return the matches won, in halves: two wins among three or four teams make a whole match (p. 8)."""
    several = matches.won + matches.lost + matches.forfeited > 1
    halves = np.minimum(np.where(several, _PART, _MATCH) * matches.won, _MATCH)
    return np.asarray(halves.sum(axis=1), dtype=np.int64)


def _playoffs(matches: Matches) -> npt.NDArray[np.str_]:
    """Return W or L for each team that played a match for a further place; nothing for a forfeited one."""
    frame = matches.frame[matches.frame["round"] == PLAYOFF]
    playoff = np.full(len(matches.bracket), "", dtype="U1")
    playoff[frame["team"]] = frame["result"].replace("F", "").to_numpy(dtype="U1")
    return playoff


def _forfeits(matches: Matches) -> tuple[Ints, Bools]:
    """Return the team whose place each team gets, itself for most, and which forfeited before they beat anybody."""
    of: Ints = np.arange(len(matches.bracket), dtype=np.int64)
    beaten_none: Bools = np.zeros(len(of), dtype=np.bool_)
    forfeited: Bools = np.asarray((matches.forfeited > 0).any(axis=1))
    main = matches.frame[matches.frame["round"] != PLAYOFF]
    wins = main[(main["result"] == "W") & forfeited[main["team"]] & (main["other"] >= 0)]
    wins = wins[wins["round"].to_numpy() < matches.last[wins["team"]]]
    before = wins.sort_values("round", kind="stable").drop_duplicates("team", keep="last")
    beaten_none[forfeited] = True
    beaten_none[before["team"]] = False
    # By rounds, so that a team beaten by forfeit has its own place already.
    for number in np.unique(matches.last[before["team"]]):
        now = before[matches.last[before["team"]] == number]
        of[now["team"]] = of[now["other"]]
    return of, np.asarray(beaten_none[of])


def _twelve(matches: Matches) -> Bools:
    """Return which brackets had twelve teams in a round after the first."""
    brackets = int(matches.bracket.max(initial=-1)) + 1
    twelve = np.zeros(brackets, dtype=bool)
    for there in matches.there.T[1:]:
        twelve |= np.bincount(matches.bracket[there], minlength=brackets) == TWELVE
    return twelve
