"""JSON: the machine interface. Its schema is ``resultproc/writers/result.schema.json``.

Awards are decimal strings; ``positions`` lists every stratum that a contestant is ranked in, paid or not;
``candidates`` every award that it could have had, the highest first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from resultproc.formats import Writer
from resultproc.frames import COLOURS, Result, players
from resultproc.game import KEYS, number_text


def write(result: Result) -> bytes:
    """Return the games as UTF-8 JSON."""
    return (json.dumps(content(result), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def content(result: Result) -> dict[str, Any]:
    """Return the games as the JSON's objects and lists."""
    contestants = _contestants(result)
    rows: dict[str, list[dict[str, Any]]] = {}
    for game_id, contestant in zip(result.contestants["game_id"], contestants, strict=True):
        rows.setdefault(game_id, []).append(contestant)
    return {
        "games": [
            {"game": _game(game), "contestants": rows.get(str(game["game_id"]), [])}
            for game in result.games.to_dict("records")
        ]
    }


def _game(game: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what is declared of a game: null for what is not."""
    values: dict[str, Any] = {"game_id": game["game_id"], "source": _value(game["source"])}
    for key in KEYS:
        values[key] = _value(game[key])
    if values["limit"] is not None:
        values["limit"] = number_text(game["limit"])
    return values


def _value(value: Any) -> Any:
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return value if isinstance(value, str | float) else int(value)


def _contestants(result: Result) -> list[dict[str, Any]]:
    frame = result.contestants
    columns = players(frame), players(frame, "id"), players(frame, "mp")
    listed: list[dict[str, Any]] = [
        {
            "section": row["section"],
            "direction": _value(row["direction"]),
            "number": row["number"],
            "players": _players(row, *columns),
            "score": _number(row["score"]),
            "percentage": _number(row["percentage"]),
            "stratum": _value(row["stratum"]),
            "eligible": bool(row["eligible"]),
        }
        for row in frame.to_dict("records")
    ]
    if result.awards is not None:
        _add_positions(listed, result.standings)
        _add_awards(listed, result)
    return listed


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def _players(
    row: Mapping[Any, Any], names: Iterable[str], ids: Iterable[str], holdings: Iterable[str]
) -> list[dict[str, Any]]:
    ids, holdings = set(ids), set(holdings)
    found = []
    for column in names:
        number = column.removeprefix("player")
        if pd.isna(row[column]):
            continue
        player: dict[str, Any] = {"name": row[column]}
        if f"id{number}" in ids and not pd.isna(row[f"id{number}"]):
            player["id"] = row[f"id{number}"]
        if f"mp{number}" in holdings and not pd.isna(row[f"mp{number}"]):
            player["holding"] = _number(row[f"mp{number}"])
        found.append(player)
    return found


def _add_positions(listed: list[dict[str, Any]], standings: pd.DataFrame) -> None:
    for contestant in listed:
        contestant["positions"] = {"section": {}, "overall": {}}
    ordered = standings.sort_values(["contestant", "level"])
    columns = [ordered[name] for name in ("contestant", "basis", "stratum", "position", "tied")]
    for contestant, basis, stratum, position, tied in zip(*columns, strict=True):
        places = listed[contestant]["positions"].setdefault(basis, {})
        places[stratum] = {"position": int(position), "tied": int(tied)}


def _add_awards(listed: list[dict[str, Any]], result: Result) -> None:
    assert result.awards is not None
    for contestant in listed:
        contestant.update(masterpoints="0.00", colours={}, paid_by=None, candidates=[])
    for award in result.awards.to_dict("records"):
        contestant = listed[award["contestant"]]
        contestant["masterpoints"] = _masterpoints(award["masterpoints"])
        contestant["colours"] = {c: _masterpoints(award[c]) for c in COLOURS if award[c]}
    for candidate in result.candidates.to_dict("records"):
        entry = {
            "basis": candidate["basis"],
            "stratum": candidate["stratum"],
            "position": int(candidate["position"]),
            "tied": int(candidate["tied"]),
            "masterpoints": _masterpoints(candidate["masterpoints"]),
            "rule": candidate["rule"],
            "factors": candidate["factors"],
        }
        contestant = listed[candidate["contestant"]]
        contestant["candidates"].append(entry)
        if contestant["paid_by"] is None:
            contestant["paid_by"] = {key: entry[key] for key in ("basis", "stratum", "position", "tied", "rule")}


def _masterpoints(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


WRITER = Writer("json", "JSON", (".json",), write)
