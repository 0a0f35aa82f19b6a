"""Teams of five or six: what each player gets where overall awards go by the part of the event that a player played.

So many of a team play at a time, four as a rule: the parts of its players, in percent, add up to as many hundreds.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.basis import OVERALL, basis_mask
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS, PLAYER_AWARDS, family_columns, game_problem, named_players, words_in
from resultproc.model.game import EventType
from resultproc.rulebooks.choice import editions

_ROUNDING = 1.0
"""How far the sum of a team's parts may be from what it must be: they are rounded."""

_CONSOLATION = "consolation"
"""The special word of Swiss teams in whose overall awards only those share who played enough of the matches."""

_TEAMS = (EventType.SWISS.value, EventType.BAM.value)


def check_participation(games: pd.DataFrame, contestants: pd.DataFrame) -> None:
    """Refuse teams of more than four whose players' parts are needed and not written, or do not add up.

    Raises InputError with the line of each.
    """
    if not games["event_type"].isin(_TEAMS).any():
        return
    game = pd.Index(games["game_id"]).get_indexer(contestants["game_id"])
    share = _parts(contestants)
    written = ~np.isnan(share)
    at_a_time, size = _value(games, "participation.at-a-time")[game], named_players(contestants)
    needed = _shared_events(games)[game] & contestants["eligible"].to_numpy() & (size > at_a_time)
    lacking = needed & (written.sum(axis=1) < size)
    total = np.where(written, share, 0).sum(axis=1)
    wrong = needed & ~lacking & (np.abs(total - 100 * at_a_time) > _ROUNDING)
    problems = []
    for row in np.flatnonzero(lacking | wrong):
        contestant = contestants.iloc[row]
        name = f"team {contestant['section']} {contestant['number']}"
        what = f"{name} has {size[row]} players, but what part of the event each of them played is missing"
        if wrong[row]:
            what = f"the parts that the players of {name} played add up to {total[row]:g}%, not {100 * at_a_time[row]}%"
        hint = (
            "write played1, played2, ... in percent; "
            f"they add up to {100 * at_a_time[row]}, as {at_a_time[row]} play at a time"
        )
        problems.append(game_problem(games, int(game[row]), what, hint, str(contestant["where"])))
    if problems:
        raise InputError(problems)


def player_awards(games: pd.DataFrame, contestants: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the awards of the players of teams whose players' parts are written and count, one row per player.

    Of an overall award a player gets the part that it played of the event, of any other award all; the greatest of
    them is paid, rounded half up. Who played nothing gets nothing, and who played too little of a consolation no
    overall award.
    """
    if not family_columns(contestants, "played"):
        return PLAYER_AWARDS.empty()
    game = pd.Index(games["game_id"]).get_indexer(contestants["game_id"])
    share = _parts(contestants)
    counts = _shared_events(games)[game][:, None] & ~np.isnan(share)
    contestant, seat = np.nonzero(counts)
    if not len(contestant):
        return PLAYER_AWARDS.empty()
    rows = pd.DataFrame({"contestant": contestant, "player": seat + 1, "share": share[contestant, seat]})
    could = rows.merge(candidates.reset_index(names="candidate"), on="contestant")
    overall = basis_mask(could["basis"], lambda basis: basis == OVERALL)
    # Parts have two decimals at most, so all is exact in whole numbers.
    hundredths = could["masterpoints"].to_numpy() * np.rint(could["share"] * 100).to_numpy(dtype=np.int64)
    could["masterpoints"] = np.where(overall, (hundredths + 5000) // 10_000, could["masterpoints"])
    too_little = overall & (could["share"] < _least_part(games)[could["game"]])
    could = could[(could["share"] > 0) & ~too_little & (could["masterpoints"] > 0)]
    could = could.sort_values(["masterpoints", "candidate"], ascending=[False, True], kind="stable")
    best = could.drop_duplicates(["contestant", "player"])
    frame = rows.drop(columns="share").merge(best.drop(columns="share"), "left", ["contestant", "player"])
    frame = frame.assign(
        game=game[frame["contestant"]],
        masterpoints=frame["masterpoints"].fillna(0).astype("int64"),
        candidate=frame["candidate"].fillna(-1).astype("int64"),
    )
    coloured = frame.assign(**_colours(games, candidates, frame))
    return PLAYER_AWARDS.conform(coloured[[column.name for column in PLAYER_AWARDS.columns]])


def _colours(games: pd.DataFrame, candidates: pd.DataFrame, frame: pd.DataFrame) -> dict[str, pd.Series[int]]:
    split = pd.DataFrame(0, index=frame.index, columns=list(COLOURS))
    edition, found = editions(games)
    for number, each in enumerate(found):
        at = np.flatnonzero((frame["candidate"] >= 0).to_numpy() & (edition[frame["game"]] == number))
        winners = candidates.iloc[frame["candidate"].iloc[at]]
        winners = winners.assign(masterpoints=frame["masterpoints"].to_numpy()[at])
        coloured = each.rules.colours(each, winners, games).reindex(columns=list(COLOURS), fill_value=0)
        split.loc[at] = coloured.to_numpy()
    return {colour: split[colour] for colour in COLOURS}


def _shared_events(games: pd.DataFrame) -> np.ndarray:
    """Return which games are team events so short that their overall awards go by what each player played."""
    most = _value(games, "participation.sessions")
    return np.asarray(games["event_type"].isin(_TEAMS).to_numpy() & (games["sessions"].to_numpy() <= most), dtype=bool)


def _least_part(games: pd.DataFrame) -> np.ndarray:
    """Return, per game, the part in percent of which a player played so much at least for an overall award, or 0."""
    of_swiss = (games["event_type"] == EventType.SWISS.value).to_numpy(dtype=bool)
    return np.where(of_swiss & words_in(games["special"], _CONSOLATION), _value(games, "participation.consolation"), 0)


def _value(games: pd.DataFrame, path: str) -> np.ndarray:
    """Return, per game, a whole number of its rulebook, 0 where that has none."""
    edition, found = editions(games)
    return np.asarray(
        np.array([each.whole(path) if path in each.entries else 0 for each in found], dtype=np.int64)[edition],
        dtype=np.int64,
    )


def _parts(contestants: pd.DataFrame) -> np.ndarray:
    """Return the parts that players played, in percent: contestants x seats, NaN where none is written."""
    columns = family_columns(contestants, "played")
    parts = np.full((len(contestants), int(columns[-1].removeprefix("played")) if columns else 0), np.nan)
    for column in columns:
        parts[:, int(column.removeprefix("played")) - 1] = contestants[column].to_numpy()
    return parts
