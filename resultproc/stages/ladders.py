"""The ladders of comparison groups: each distinct one is computed once, whatever the number of groups it serves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import game_problem
from resultproc.rulebooks.core import Edition, Ladder
from resultproc.rulebooks.members import Members

Ints = npt.NDArray[np.int64]

_GAME_KEYS = (
    "rating",
    "event_type",
    "sessions",
    "boards",
    "strata",
    "restrictions",
    "special",
    "flight",
    "bracket",
    "lower_tables",
    "concurrent_tables",
    "other_site_tables",
    "session_tables",
    "cuts",
    "championship",
)


def ladders_of(
    edition: Edition, games: pd.DataFrame, groups: pd.DataFrame, reach: Ints, members: Members
) -> tuple[Ints, list[Ladder]]:
    """Return the number of each group's ladder, and the ladders by number.

    edition: the rulebook of all the groups. groups: standings, one of each comparison group; ``game`` is a row of
    ``games``. reach: per group the last place that its ladder must know, past its depth where ties need it.
    members: who is ranked in the groups.
    Raises DeclarationError, the games named, where the rulebook has no award for what they declare.
    """
    _refuse_championships(edition, games, groups)
    claims = edition.rules.claims(edition, _with_game(groups, games), members)
    number = claims.groupby(list(claims.columns), sort=False, dropna=False).ngroup()
    claim = np.asarray(number, dtype=np.int64)
    distinct = claims.iloc[np.unique(claim, return_index=True)[1]]
    furthest = np.zeros(len(distinct), dtype=np.int64)
    np.maximum.at(furthest, claim, reach)
    ladders, problems = [], []
    for row, parameters in enumerate(distinct.itertuples(index=False, name="Claim")):
        try:
            ladders.append(edition.rules.ladder(edition, parameters, int(furthest[row])))
        except InputError as error:
            of = groups["game"].to_numpy()[claim == row]
            problems += [
                game_problem(games, int(game), p.what, p.hint) for p in error.problems for game in np.unique(of)
            ]
    if problems:
        raise DeclarationError(dict.fromkeys(problems))
    return claim, ladders


def _refuse_championships(edition: Edition, games: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Refuse games that are declared to be championships where the rulebook has none: it would pass over that."""
    declared = np.flatnonzero(games["championship"].notna())
    if not len(declared) or any(path.startswith("championship.") for path in edition.entries):
        return
    problems = [
        game_problem(games, int(game), f"rulebook {edition.book} has no championships", "mend rating or championship")
        for game in np.intersect1d(declared, groups["game"])
    ]
    if problems:
        raise DeclarationError(problems)


def _with_game(standings: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return comparison groups with the keys of their games beside them."""
    keys = games[[*_GAME_KEYS, "limit"]].rename(columns={"limit": "event_limit"})
    of_game = keys.iloc[standings["game"].to_numpy()].reset_index(drop=True)
    return pd.concat([standings.reset_index(drop=True), of_game], axis=1)
