"""JSON: the machine interface. Its schema is ``resultproc/formats/json/result.schema.json``.

Awards are decimal strings; ``positions`` lists every stratum that a contestant is ranked in, paid or not;
``candidates`` every award that it could have had, the highest first. What the sheet carried besides (printed ranks and
awards, session scores, handicaps, what a scoring program stored) is beside it where there is any, so that the
JSON reads back whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from resultproc.formats.json.spots import ALWAYS, PARTS, Spot
from resultproc.formats.registry import Writer
from resultproc.model.cited import Values
from resultproc.model.errors import Problem, quoted
from resultproc.model.frames import COLOURS, GAMES, Result, players
from resultproc.model.keys import KEYS
from resultproc.model.values import decimal_text

STORED = tuple(column.name for column in GAMES.columns if column.name.startswith("stored_"))
"""What a scoring program stored of a game: in the JSON the game's ``stored``, without the prefix."""


def write(result: Result) -> bytes:
    """Return the games as UTF-8 JSON."""
    return (json.dumps(content(result), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def content(result: Result) -> dict[str, Any]:
    """Return the games as the JSON's objects and lists."""
    listed = contestant_entries(result.contestants)
    if result.awards is not None:
        _add_positions(listed, result.standings)
        _add_awards(listed, result)
    rows: dict[str, list[dict[str, Any]]] = {}
    for game_id, contestant in zip(result.contestants["game_id"], listed, strict=True):
        rows.setdefault(game_id, []).append(contestant)
    return {
        "remarks": [remark_entry(remark) for remark in quoted(result.remarks)],
        "games": [
            {"game": game_entry(game), "contestants": rows.get(str(game["game_id"]), [])}
            for game in result.games.to_dict("records")
        ],
    }


def remark_entry(remark: Problem) -> dict[str, str]:
    """Return a remark: where something is doubtful, what, and what would settle it."""
    where = ": ".join(filter(None, (remark.file, remark.where)))
    return {"where": where, "what": remark.what, "hint": remark.hint}


def game_entry(game: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what is declared of a game, a row of the games frame: null for what is not."""
    values: dict[str, Any] = {"game_id": game["game_id"], "source": None if pd.isna(game["source"]) else game["source"]}
    for name, key in KEYS.items():
        values[name] = None if pd.isna(game[name]) else key.as_json(game[name])
    stored = {name: game[name] for name in STORED if not pd.isna(game[name])}
    of_program = {name.removeprefix("stored_"): GAMES.declared(name).kind.as_json(v) for name, v in stored.items()}
    return values | ({"stored": of_program} if of_program else {})


def contestant_entries(contestants: pd.DataFrame) -> list[dict[str, Any]]:
    """Return what the sheet says of each contestant."""
    numbers = {part: _numbers(contestants, spots) for part, spots in PARTS.items()}
    return [
        {
            part: value
            for part, spots in PARTS.items()
            if _is_value(value := _part(row, spots, numbers[part])) or part in ALWAYS
        }
        for row in contestants.to_dict("records")
    ]


def _numbers(contestants: pd.DataFrame, spots: Iterable[Spot]) -> range:
    """Return the numbers 1, 2, ... of some families of columns, as far as any of them goes."""
    columns = [column for spot in spots if spot.numbered for column in players(contestants, spot.column.family)]
    return range(1, 1 + max((int(re.sub(r"\D", "", column)) for column in columns), default=0))


def _part(row: Mapping[Any, Any], spots: Sequence[Spot], numbers: range) -> Any:
    """Return a part of a contestant: a list of what there is per number, an object, or a single value."""
    if spots[0].numbered:
        return _filled(_entry(row, spots, number) for number in numbers)
    if not spots[0].part:
        return _json(row, spots[0].column.name, spots[0])
    return _present({spot.name: _json(row, spot.column.name, spot) for spot in spots})


def _entry(row: Mapping[Any, Any], spots: Sequence[Spot], number: int) -> Any:
    """Return what a list has for a number: a bare value, or an object with its first column always in it."""
    values = {spot.name: _json(row, spot.column.of(number), spot) for spot in spots}
    first = spots[0].name
    return {first: values[first], **_present(values)} if first else values[first]


def _json(row: Mapping[Any, Any], name: str, spot: Spot) -> Any:
    value = row.get(name)
    return None if pd.isna(value) else spot.column.kind.as_json(value)


def _is_value(value: Any) -> bool:
    """Say whether there is a value: 0 and false are some, an empty list or object is none."""
    return value is not None and value not in ([], {})


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _filled(entries: Iterable[Any]) -> list[Any]:
    """Return the entries without the empty ones at the end."""
    listed = list(entries)
    while listed and (listed[-1] is None or (isinstance(listed[-1], dict) and not _present(listed[-1]))):
        listed.pop()
    return listed


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
        contestant.update(masterpoints=decimal_text(award["masterpoints"]), colours=colours(award))
    for candidate in result.candidates.to_dict("records"):
        entry = {
            "basis": candidate["basis"],
            "stratum": candidate["stratum"],
            "position": int(candidate["position"]) or None,
            "tied": int(candidate["tied"]),
            "masterpoints": decimal_text(candidate["masterpoints"]),
            "rule": candidate["rule"],
            "factors": candidate["factors"],
            "values": value_entries(candidate["values"]),
        }
        contestant = listed[candidate["contestant"]]
        contestant["candidates"].append(entry)
        if contestant["paid_by"] is None:
            contestant["paid_by"] = {key: entry[key] for key in ("basis", "stratum", "position", "tied", "rule")}
    add_player_awards(dict(enumerate(listed)), result)


def add_player_awards(listed: Mapping[int, dict[str, Any]], result: Result) -> None:
    """Add the awards of single players to the entries of contestants by row, where players get different ones."""
    for award in result.player_awards.to_dict("records"):
        if award["contestant"] in listed:
            player = listed[award["contestant"]]["players"][award["player"] - 1]
            player.update(masterpoints=decimal_text(award["masterpoints"]), colours=colours(award))


def value_entries(values: Values) -> list[dict[str, str]]:
    """Return the entries of the values that made an award: where each is, what it says, and its citation."""
    return [{"path": each.path, "value": each.value, "file": each.file, "cite": each.cite} for each in values.items]


def colours(award: Mapping[Any, Any]) -> dict[str, str]:
    """Return an award, a row of the awards frame, by colour: those that there are."""
    return {colour: decimal_text(award[colour]) for colour in COLOURS if award[colour]}


WRITER = Writer("json", "JSON", (".json",), write)
