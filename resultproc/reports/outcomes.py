"""What each contestant has in a result: its places and its award."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from resultproc.model.frames import AwardedResult, Result
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.model.places import place_text

if TYPE_CHECKING:
    from resultproc.reports.outputs import OutcomeEntry, RankEntry

_Places = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class ContestantOutcome:
    """What a contestant has: its places (what was compared, the stratum, the place) and its award in hundredths."""

    places: _Places = ()
    masterpoints: int = 0


def outcomes(result: AwardedResult) -> list[ContestantOutcome]:
    """Return the places and the award of each contestant, in the order of the contestants frame."""
    places: dict[int, list[tuple[str, str, str]]] = {}
    columns = [result.standings[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")]
    for row, basis, stratum, position, tied in zip(*columns, strict=True):
        places.setdefault(row, []).append((str(basis), str(stratum), place_text(position, tied)))
    awards = result.awards["masterpoints"].tolist()
    return [ContestantOutcome(tuple(sorted(places.get(row, ()))), award) for row, award in enumerate(awards)]


def place_words(place: str | None) -> str:
    """Return ``2nd``, for a tie ``2nd to 3rd``, or ``no place``."""
    return " to ".join(ordinal(int(each)) for each in place.split("/")) if place else "no place"


def outcome_entry(outcome: ContestantOutcome) -> OutcomeEntry:
    """Return what a contestant has as JSON: its award, and its places."""
    ranks: list[RankEntry] = [
        {"basis": basis, "stratum": stratum, "place": place} for basis, stratum, place in outcome.places
    ]
    return {"masterpoints": decimal_text(outcome.masterpoints), "ranks": ranks}


def best_places(result: Result) -> pd.DataFrame:
    """Return the place of each ranked contestant among all, by its row: overall where its game is ranked so.

    The columns are those of the standings.
    """
    standings = result.standings[result.standings["level"] == 0]
    standings = standings[standings["basis"].isin(["section", "overall"])]
    wide = standings.assign(overall=standings["basis"] == "overall")
    widest = wide.sort_values("overall", ascending=False, kind="stable").drop_duplicates("contestant")
    return widest.set_index("contestant").drop(columns="overall")
