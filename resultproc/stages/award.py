"""Awards for many games at once: each distinct ladder is computed once, exactly, and gathered by position."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, factorize_objects, rows_of, run_starts, select_rows, take_rows
from resultproc.model.basis import basis_mask
from resultproc.model.frames import (
    AWARDS,
    CANDIDATES,
    COLOURS,
    CONTESTANTS,
    GAMES,
    STANDINGS,
    candidate_order,
    categorical,
    joined_candidates,
    words_in,
)
from resultproc.model.game import UNFINISHED
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.members import Members
from resultproc.rulebooks.regulation import Ladders, starts
from resultproc.stages.earlier import with_earlier_awards
from resultproc.stages.ladders import ladders_of


def award(games: pd.DataFrame, contestants: pd.DataFrame, standings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the candidates, one per standing that pays, and the awards, one per contestant.

    games, contestants: a complete sheet. standings: from :func:`resultproc.stages.rank.rank`.
    Each comparison group has a ladder of awards, which its rulebook sets. Contestants tied for a place share what
    the places that they take up pay, rounded half up. A contestant gets the highest of its candidates (ACBL Handbook,
    ch. 4, pair awards); of equal ones that of the higher stratum, then the section's.
    """
    GAMES.validate(games)
    CONTESTANTS.validate(contestants)
    STANDINGS.validate(standings)
    edition, found = editions(games)
    of = edition[standings["game"]] if len(found) > 1 else edition
    parts = [
        _candidates(each, games, contestants, standings[of == number] if len(found) > 1 else standings)
        for number, each in enumerate(found)
    ]
    candidates = _joined(parts)
    return candidates, _awards(candidates, found, edition, games, len(contestants), contestants)


def awards_of(candidates: pd.DataFrame, games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the awards that follow from some of the candidates of a complete sheet alone."""
    edition, found = editions(games)
    return _awards(candidates, found, edition, games, len(contestants), contestants)


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    parts = [part for part in parts if len(part)]
    if not parts:
        return CANDIDATES.empty()
    # Candidates of one edition are in order from the beginning.
    return joined_candidates(parts) if len(parts) > 1 else parts[0]


_KEPT = ["game", "contestant", "basis", "stratum", "level", "size", "position", "tied"]
"""What a candidate has of its standing."""

_OF_KNOCKOUTS = ["knockout", "run"]
"""What it has besides where there are knockouts."""


_OF_COLOURS = ("game", "basis", "level", "masterpoints", "section_top", "better_colour", "knockout", "run")
"""What the colours of an award depend on, besides its game."""


def _candidates(
    edition: Edition, games: pd.DataFrame, contestants: pd.DataFrame, standings: pd.DataFrame
) -> pd.DataFrame:
    """Return the candidates of the games of one edition of a rulebook; unfinished events pay nothing overall yet."""
    if not len(standings):
        return CANDIDATES.empty()
    candidates = _paid(edition, games, contestants, standings)
    candidates = with_earlier_awards(candidates, games, contestants, standings)
    return CANDIDATES.conform(edition.rules.combine(edition, candidates, games))


def _paid(edition: Edition, games: pd.DataFrame, contestants: pd.DataFrame, standings: pd.DataFrame) -> pd.DataFrame:
    """Return a candidate for each standing that pays, in order."""
    first, last = _groups(standings)
    of_group, ladders = ladders_of(edition, games, take_rows(standings, first), last, Members(standings, contestants))
    position, count = standings["position"].to_numpy(), np.diff(first, append=len(standings))
    # Most standings pay nothing, and from here on only the others count.
    rows = np.flatnonzero(position <= np.repeat(ladders.depth[of_group].astype(position.dtype), count))
    unfinished = words_in(games["special"], UNFINISHED)
    if unfinished.any():
        over_all = basis_mask(standings["basis"].iloc[rows], lambda basis: basis.over_all)
        rows = rows[~(over_all & unfinished[standings["game"].iloc[rows]])]
    ladder = np.repeat(of_group, count)[rows]
    share = shares(ladders, ladder, position[rows], standings["tied"].to_numpy()[rows])
    rows, ladder, share = select_rows(share > 0, rows, ladder, share)
    order = candidate_order(standings["contestant"].to_numpy()[rows], share, standings["level"].to_numpy()[rows])
    rows, ladder, share = rows[order], ladder[order], share[order]
    knockouts = [] if standings["knockout"].isna().all() else _OF_KNOCKOUTS
    kept = take_rows(standings[_KEPT + knockouts], rows)
    made, values = factorize_objects(ladders.values)
    rule, rules = factorize_objects(each.rule for each in values)
    factor, factors = factorize_objects(ladders.factors)
    of_section = basis_mask(kept["basis"], lambda basis: basis.in_section and not basis.handicap)
    return kept.assign(
        masterpoints=share,
        section_top=np.where(of_section & (kept["position"] == 1), share, 0),
        values=categorical(made, values).take(ladder),
        rule=categorical(rule[made], rules).take(ladder),
        factors=categorical(factor, factors).take(ladder),
    )


def _groups(standings: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return each group's first standing, and the last place that its ties take up.

    Sections of a game of which the standings say the same, one after the other, are one group: they have one ladder.
    """
    # The standings of a group stand together.
    first = np.flatnonzero(run_starts(standings["group"].to_numpy()))
    last = np.maximum.reduceat(standings["position"].to_numpy() + standings["tied"].to_numpy() - 1, first)
    basis = standings["basis"].iloc[first]
    said = (standings[name].to_numpy()[first] for name in ("game", "level", "size", "ranked", "tables", "winners"))
    new = np.flatnonzero(
        run_starts(basis.cat.codes.to_numpy(), *said) | ~basis_mask(basis, lambda each: each.in_section)
    )
    return first[new], np.maximum.reduceat(last, new)


def shares(ladders: Ladders, ladder: Ints, position: Ints, tied: Ints) -> Ints:
    """Return what places that pay are worth in hundredths: the mean of those that a tie takes up, rounded half up."""
    start = ladders.start[ladder] + position - 1
    share: Ints = ladders.awards[start]
    several = np.flatnonzero(tied > 1)
    start, tied, running = start[several], tied[several], starts(ladders.awards)
    share[several] = (2 * (running[start + tied] - running[start]) + tied) // (2 * tied)
    return share


def _awards(
    candidates: pd.DataFrame,
    found: list[Edition],
    edition: Ints,
    games: pd.DataFrame,
    count: int,
    contestants: pd.DataFrame,
) -> pd.DataFrame:
    """Return each contestant's award: the first of its candidates, the highest first."""
    contestant = candidates["contestant"].to_numpy()
    first = np.flatnonzero(run_starts(contestant))
    winner = np.full(count, -1, dtype=np.int64)
    winner[contestant[first]] = first
    masterpoints = np.append(candidates["masterpoints"].to_numpy(), 0)[winner]
    game = rows_of(contestants["game_id"], games["game_id"])
    awards = {"game": game, "contestant": np.arange(count), "masterpoints": masterpoints, "candidate": winner}
    awards |= {colour: np.zeros(count, dtype=np.int64) for colour in COLOURS}
    for number, each in enumerate(found):
        rows = np.flatnonzero((winner >= 0) & (edition[game] == number) if len(found) > 1 else winner >= 0)
        split = each.rules.colours(each, take_rows(candidates[list(_OF_COLOURS)], winner[rows]), games)
        for colour in split.columns:
            awards[colour][rows] = split[colour].to_numpy()
    return AWARDS.conform(pd.DataFrame(awards, copy=False))
