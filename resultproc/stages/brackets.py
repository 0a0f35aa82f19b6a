"""Final places in knockouts: matches to places, for many brackets at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from resultproc.stages.matches import PLAYOFF, Bools, Ints, Matches, champions

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
    rounds = np.where(champions(matches), matches.last, matches.last - 1)
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
    counts = np.bincount(bracket * width + rounds, minlength=brackets * width).reshape(brackets, width)
    better = counts[:, ::-1].cumsum(axis=1)[:, ::-1] - counts
    return (better[bracket, rounds] + 1).astype(np.int64), counts[bracket, rounds].astype(np.int64)


def _parts_won(matches: Matches, wins: Ints) -> Ints:
    """Return the matches that each team won, in parts: a win over several others is one, a whole match ``wins``."""
    several = matches.won + matches.lost + matches.forfeited > 1
    parts = np.minimum(np.where(several, 1, wins[:, None]) * matches.won, wins[:, None])
    return np.asarray(parts.sum(axis=1), dtype=np.int64)


def _playoffs(matches: Matches) -> Texts:
    """Return W or L for each team that played a match for a further place; nothing for a forfeited one."""
    frame = matches.frame[matches.frame["round"] == PLAYOFF]
    playoff = np.full(len(matches.bracket), "", dtype="U1")
    playoff[frame["team"]] = frame["result"].replace("F", "").to_numpy(dtype="U1")
    return playoff


def _forfeits(matches: Matches, before: Bools) -> tuple[Ints, Bools]:
    """Return the team whose place each team gets, itself for most, and which forfeited before they beat anybody.

    before: which teams get the place of another where they forfeit.
    """
    of: Ints = np.arange(len(matches.bracket), dtype=np.int64)
    beaten_none: Bools = np.zeros(len(of), dtype=np.bool_)
    forfeited: Bools = np.asarray((matches.forfeited > 0).any(axis=1) & before)
    main = matches.frame[matches.frame["round"] != PLAYOFF]
    wins = main[(main["result"] == "W") & forfeited[main["team"]] & (main["other"] >= 0)]
    wins = wins[wins["round"].to_numpy() < matches.last[wins["team"]]]
    beaten = wins.sort_values("round", kind="stable").drop_duplicates("team", keep="last")
    beaten_none[forfeited] = True
    beaten_none[beaten["team"]] = False
    # By rounds, so that a team beaten by forfeit has its own place already.
    for number in np.unique(matches.last[beaten["team"]]):
        now = beaten[matches.last[beaten["team"]] == number]
        of[now["team"]] = of[now["other"]]
    return of, np.asarray(beaten_none[of])
