"""What several reports ask: which games these are, what each contestant has there, what other versions would pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import pandas as pd

from resultproc.model.errors import Problem
from resultproc.model.frames import CONTESTANTS, GAMES, AwardedResult, FrameRow, Result, Sheet, concat
from resultproc.model.numbers import ordinal
from resultproc.model.places import place_text
from resultproc.reports.json_types import RankEntry
from resultproc.stages.doubts import Doubts
from resultproc.stages.pipeline import award_each


@dataclass(frozen=True)
class ContestantOutcome:
    """What a contestant has: its places, and its award in hundredths."""

    ranks: tuple[RankEntry, ...] = ()
    masterpoints: int = 0


def outcomes(result: AwardedResult) -> list[ContestantOutcome]:
    """Return the places and the award of each contestant, in the order of the contestants frame."""
    places: dict[int, list[RankEntry]] = {}
    columns = [result.standings[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")]
    for row, basis, stratum, position, tied in zip(*columns, strict=True):
        places.setdefault(row, []).append(RankEntry(str(basis), str(stratum), place_text(position, tied)))
    awards = result.awards["masterpoints"].tolist()
    return [ContestantOutcome(tuple(sorted(places.get(row, ()))), award) for row, award in enumerate(awards)]


def played_between(games: pd.DataFrame, since: date | None, until: date | None) -> pd.Series[bool]:
    """Return which games were played from one day to another, both included; None for no bound."""
    played = pd.Series(True, games.index)
    if since:
        played &= games["date"] >= pd.Timestamp(since)
    if until:
        played &= games["date"] <= pd.Timestamp(until)
    return played


def at_the_same_time(games: pd.DataFrame, game: FrameRow) -> pd.Series[bool]:
    """Return which other games of a file were played in the session of one of them."""
    same: pd.Series[bool] = games["game_id"] != game["game_id"]
    for name in ("source", "date", "session"):
        same &= games[name].isna() if pd.isna(game[name]) else games[name] == game[name]
    return same


def redeclared(games: pd.DataFrame, keys: Mapping[str, object]) -> pd.DataFrame:
    """Return games with other declarations, the same for all of them."""
    return games.assign(**{key: pd.Series(value, games.index, games[key].dtype) for key, value in keys.items()})


def award_versions(
    versions: Sequence[tuple[pd.DataFrame, pd.DataFrame]],
) -> tuple[AwardedResult, dict[str, list[Problem]]]:
    """Return versions of games, each its row and its contestants, awarded together; and what is wrong with others.

    The game_id of each is its number.
    """
    games = (game.assign(game_id=str(n)) for n, (game, _) in enumerate(versions))
    contestants = (each.assign(game_id=str(n)) for n, (_, each) in enumerate(versions))
    return award_each(Sheet(concat(games, GAMES), concat(contestants, CONTESTANTS)), Doubts())


def outcomes_of_versions(
    result: AwardedResult, versions: Sequence[tuple[pd.DataFrame, pd.DataFrame]]
) -> dict[int, dict[str, ContestantOutcome]]:
    """Return what each contestant has by the number of the version, of those that were awarded, and by its seat.

    result: as :func:`award_versions` gives it.
    versions: the same, their contestants with their seats for an index.
    """
    every = pd.Series(outcomes(result), dtype="object").groupby(result.contestants["game_id"].to_numpy())
    return {int(str(name)): dict(zip(versions[int(str(name))][1].index, found, strict=True)) for name, found in every}


def place_words(place: str | None) -> str:
    """Return ``2nd``, for a tie ``2nd to 3rd``, or ``no place``."""
    return " to ".join(ordinal(int(each)) for each in place.split("/")) if place else "no place"


def place_in_game(row: FrameRow) -> str:
    """Return ``2nd to 3rd of 9, section``, '' for no place; row: ``place``, ``tied``, ``group_size`` and ``basis``."""
    if pd.isna(row["place"]):
        return ""
    place = place_words(place_text(int(row["place"]), int(row["tied"])))
    return f"{place} of {int(row['group_size'])}, {row['basis']}"


def best_places(result: Result) -> pd.DataFrame:
    """Return the place of each ranked contestant among all, by its row: overall where its game is ranked so.

    The columns are those of the standings.
    """
    standings = result.standings[result.standings["level"] == 0]
    standings = standings[standings["basis"].isin(["section", "overall"])]
    wide = standings.assign(overall=standings["basis"] == "overall")
    widest = wide.sort_values("overall", ascending=False, kind="stable").drop_duplicates("contestant")
    return widest.set_index("contestant").drop(columns="overall")
