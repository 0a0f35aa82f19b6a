"""Why a contestant won what it won: the award, what it was computed from, and every other place that it has."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from resultproc.formats.common.annotated import masterpoints_text
from resultproc.model.basis import Basis, Kind
from resultproc.model.frames import Result
from resultproc.model.provenance import Value, Values
from resultproc.model.values import ordinal


class Place(NamedTuple):
    """A place and what it pays: the award in words, which place, and how it was computed; nothing of one unpaid."""

    award: str
    place: str
    how: str


@dataclass(frozen=True)
class Why:
    """The places of a contestant, the one that made the award first, and the paragraphs that say so."""

    places: list[Place]
    rules: str


def explanations(result: Result) -> dict[int, Why]:
    """Return by contestant why it won what it won; who won nothing has no explanation."""
    candidates = result.candidates
    if not len(candidates):
        return {}
    several = set(result.standings.loc[result.standings["level"] > 0, "game"])
    amounts = masterpoints_text(candidates["masterpoints"])
    places: dict[int, list[Place]] = {}
    values: dict[int, list[Value]] = {}
    rows = result.standings[_COLUMNS][result.standings["contestant"].isin(candidates["contestant"])]
    unpaid = {
        (row["contestant"], row["basis"], row["stratum"]): row
        for row in rows.sort_values(["basis", "level"]).to_dict("records")
    }
    for row, amount in zip(candidates[_PAID].to_dict("records"), amounts, strict=True):
        at = row["contestant"]
        standing = unpaid.pop((at, row["basis"], row["stratum"]), {**row, "ranked": row["size"]})
        places.setdefault(at, []).append(Place(amount, _words(standing, row["game"] in several), row["factors"]))
        values.setdefault(at, []).extend(row["values"].items)
    for (at, *_), row in unpaid.items():
        places[at].append(Place("nothing", _words(row, row["game"] in several), ""))
    return {at: Why(each, Values.of(values[at]).rule) for at, each in places.items()}


_COLUMNS = ["game", "contestant", "basis", "stratum", "level", "ranked", "position", "tied"]
_PAID = ["game", "contestant", "basis", "stratum", "size", "position", "tied", "values", "factors"]

_WHERE = {
    Kind.OVERALL: "overall",
    Kind.SECTION: "in the section",
    Kind.SESSION: "in session",
    Kind.SUM_OF_SESSIONS: "the awards of the sessions together",
    Kind.SECTION_AND_HANDICAP: "section and handicap awards together",
    Kind.MATCHES: "matches won",
}


def _words(row: Mapping[Hashable, Any], several: bool) -> str:
    """Return ``2nd of 9 in the section, stratum A``, the stratum where the game has several."""
    basis = Basis.parse(row["basis"])
    where = " ".join(filter(None, [_WHERE[basis.kind], str(basis.session or ""), "with handicap" * basis.handicap]))
    stratum = f", stratum {row['stratum']}" if several else ""
    # Of an earlier session the award alone is known.
    if basis.kind not in {Kind.OVERALL, Kind.SECTION, Kind.SESSION} or not row["position"]:
        return where[0].upper() + where[1:] + stratum
    tie = f"–{ordinal(row['position'] + row['tied'] - 1)}" if row["tied"] > 1 else ""
    return f"{ordinal(row['position'])}{tie} of {row['ranked']} {where}{stratum}"
