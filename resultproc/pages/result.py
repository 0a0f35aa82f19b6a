"""The JSON of results, of which reports have parts, too: what is where in it, and the JSON Schema that says so.

Where columns are follows from their declarations (:mod:`resultproc.model.columns`, :mod:`resultproc.model.keys`). What
ranking and awarding add is in ``result.schema.json`` alone; ``scripts/make-docs`` writes the whole into it, for other
programs. The boards are travellers in each game and scorecards in its contestants; a board is there once for each field
that it is compared in. What was computed of them (points, percentages, totals, scorecards) is passed over when the JSON
is read again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import records, row_dicts
from resultproc.model.at_the_table import SEATS, dealer, vulnerable
from resultproc.model.columns import Column
from resultproc.model.errors import Problem, quoted
from resultproc.model.frames import BOARDS, COLOURS, CONTESTANTS, GAMES, SCORECARDS, TRAVELLERS, FrameRow, Result
from resultproc.model.game import NORTH_SOUTH
from resultproc.model.keys import KEYS, Key
from resultproc.model.numbers import decimal_text
from resultproc.model.play import HANDS, PLAYED
from resultproc.model.provenance import PROVENANCE_KEY, SCHEMA_VERSION, Provenance, Values

Schema = dict[str, Any]

OF_RESULT = tuple(column for column in BOARDS.columns if column.name not in ("game_id", "session", "board"))
"""The columns of the boards frame in each result of a board, without those that all of a board share."""

COMPUTED = tuple(TRAVELLERS.declared(f"{side}_{what}") for what in ("points", "percentage") for side in ("ns", "ew"))
"""What is added to a result."""

OF_CARD = tuple(
    SCORECARDS.declared(name) for name in ("score", "adjusted", "points", "percentage", "total", "total_percentage")
)
"""The columns of a scorecard in each of its boards."""

_PLAYED = tuple(BOARDS.declared(name) for name in PLAYED)

SEAT_COLUMNS = dict(zip(SEATS, HANDS, strict=True))


OF_DEAL: Mapping[str, Callable[[Any], object]] = {"makeable": str, "par": int}
"""What else is known of a deal."""


def board_entries(result: Result) -> dict[str, list[dict[str, Any]]]:
    """Return the travellers of each game, by its game_id."""
    listed = result.travellers
    if listed.empty:
        return {}
    results = result.boards.iloc[listed["result"]].reset_index(drop=True)
    names = [column.name for column in OF_RESULT]
    values = _records(results[names].join(listed[[column.name for column in COMPUTED]]))
    hands = {(row["game_id"], row["session"], row["board"]): row for row in row_dicts(result.deals)}
    found: dict[str, list[dict[str, Any]]] = {}
    starts = np.flatnonzero(listed["traveller"].ne(listed["traveller"].shift()))
    for start, end in zip(starts, [*starts[1:], len(listed)], strict=True):
        first = results.iloc[start]
        board = int(first["board"])
        entry: dict[str, Any] = {"session": int(first["session"]), "board": board}
        entry |= {"dealer": dealer(board), "vulnerable": vulnerable(board)}
        dealt = hands.get((first["game_id"], first["session"], first["board"]))
        if dealt is not None:
            entry["hands"] = {seat: dealt[column] for seat, column in SEAT_COLUMNS.items()}
            entry |= {name: as_json(dealt[name]) for name, as_json in OF_DEAL.items() if not pd.isna(dealt[name])}
        found.setdefault(str(first["game_id"]), []).append(entry | {"results": values[start:end]})
    return found


def add_scorecards(listed: list[dict[str, Any]], result: Result) -> None:
    """Add to the entries of contestants what they did on each board."""
    cards = result.scorecards
    if cards.empty:
        return
    results = result.boards.iloc[cards["result"]].reset_index(drop=True)
    opponents = np.where(cards["side"] == NORTH_SOUTH, results["ew"], results["ns"])
    head = pd.DataFrame(
        {"session": results["session"], "board": results["board"], "direction": cards["side"], "opponents": opponents}
    )
    for name in ("opponents_partner", "partner"):
        rows = cards[name]
        head[name] = result.contestants["number"].iloc[rows.clip(lower=0)].where((rows >= 0).to_numpy()).to_numpy()
    values = _records(
        head.join(results[[column.name for column in _PLAYED]]).join(cards[[column.name for column in OF_CARD]])
    )
    for contestant, entry in zip(cards["contestant"], values, strict=True):
        listed[contestant].setdefault("scorecard", []).append(entry)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as objects of what there is, percentages with two decimals."""
    numbers = map(str, frame.select_dtypes("float64"))
    rounded = frame.round({name: 2 if "percentage" in name else 4 for name in numbers})
    return records(rounded)


ALWAYS = ("section", "direction", "number", "players", "score", "percentage", "stratum", "eligible")
"""What is in every contestant, first and in this order, null where there is nothing; all else where there is."""


class Spot(NamedTuple):
    """Where a column is."""

    column: Column  # its declaration
    part: str  # the list or object of the contestant that holds it, empty where the contestant does itself
    name: str  # in that; empty in a list of bare values
    numbered: bool  # whether the part is a list, with an entry per number


def _spot(column: Column) -> Spot:
    first, listed, last = column.json.partition("[]")
    if listed:
        return Spot(column, first, last.removeprefix("."), numbered=True)
    part, _, name = column.json.rpartition(".")
    return Spot(column, part, name, numbered=False)


SPOTS = tuple(_spot(column) for column in CONTESTANTS.columns if column.json != "-")
"""Every column that the JSON has."""


def _order(part: str) -> tuple[int, int]:
    if part in ALWAYS:
        return -1, ALWAYS.index(part)
    return (1, 0) if part == "printed" else (0, min(s.column.order for s in SPOTS if (s.part or s.name) == part))


PARTS = {
    part: [spot for spot in SPOTS if (spot.part or spot.name) == part]
    for part in sorted(dict.fromkeys(spot.part or spot.name for spot in SPOTS), key=_order)
}
"""The columns of every part of a contestant, in the order in which the JSON has them."""

FILE = Path(__file__).parents[1] / "formats/json/result.schema.json"


_ENTRIES = {"players": "player", "sessions": "session"}
"""The definitions of what some lists of a contestant hold."""


def schema() -> Schema:
    """Return the whole schema."""
    found: Schema = json.loads(FILE.read_text("utf-8"))
    found["$id"] = f"urn:resultproc:result:{SCHEMA_VERSION}"
    definitions = found["$defs"]
    _declare(
        definitions, "game", _game(), ["game_id", "source", *(name for name, key in KEYS.items() if not key.added)]
    )
    _declare(definitions, "contestant", {part: _part_schema(part, spots) for part, spots in PARTS.items()}, [*ALWAYS])
    for part, spots in PARTS.items():
        if spots[0].part and spots[0].name:
            required = [spots[0].name] if spots[0].numbered else []
            _declare(
                definitions, _definition(part), {spot.name: _value_schema(spot, required) for spot in spots}, required
            )
    _declare(definitions, "result", _columns((*OF_RESULT, *COMPUTED)), ["section", "ns", "ew"])
    _declare(definitions, "card", _columns((*_PLAYED, *OF_CARD)), ["session", "board", "direction"])
    for each in definitions.values():
        if colours := each.get("properties", {}).get("colours"):
            colours["propertyNames"] = {"enum": [*COLOURS]}
    return found


def _columns(columns: Iterable[Column]) -> Schema:
    return {column.name: {**column.kind.schema, "description": column.described} for column in columns}


def _definition(part: str) -> str:
    return _ENTRIES.get(part, part.removesuffix("s"))


def _declare(definitions: Schema, name: str, properties: Schema, required: Iterable[str]) -> None:
    """Put what is declared before what an object's definition has besides."""
    definition = definitions.setdefault(name, {"type": "object", "additionalProperties": False})
    besides = {key: value for key, value in definition.get("properties", {}).items() if key not in properties}
    definition["properties"] = properties | besides
    definition["required"] = list(required)


def _part_schema(part: str, spots: list[Spot]) -> Schema:
    """Return the schema of a part of a contestant."""
    first = spots[0]
    if not first.numbered:
        return {"$ref": f"#/$defs/{_definition(part)}"} if first.part else _value_schema(first, ALWAYS)
    described = {} if first.name else {"description": first.column.meaning}
    items = {"$ref": f"#/$defs/{_definition(part)}"} if first.name else or_null(first.column.kind.schema)
    least = {} if part in ALWAYS else {"minItems": 1}
    return {"type": "array", **least, "maxItems": 99, "items": items, **described}


def _value_schema(spot: Spot, required: Iterable[str]) -> Schema:
    """Return the schema of a column's value, which is null for none where it must be there."""
    kind = spot.column.kind
    value = or_null(kind.schema) if spot.name in required and not spot.column.required else kind.schema
    return {**value, "description": spot.column.described}


def _game() -> Schema:
    identity, source = GAMES.declared("game_id"), GAMES.declared("source")
    stored = [column for column in GAMES.columns if column.name.startswith("stored_")]
    return {
        "game_id": {"type": "string", "minLength": 1, "description": identity.meaning},
        "source": {"type": ["string", "null"], "description": source.meaning},
        **{name: _key(key) for name, key in KEYS.items()},
        "stored": {
            "type": "object",
            "description": "what a scoring program left in its file of how it computed the awards",
            "properties": {
                column.name.removeprefix("stored_"): {**column.kind.schema, "description": column.meaning}
                for column in stored
            },
            "additionalProperties": False,
            "minProperties": 1,
        },
    }


def or_null(value: Mapping[str, Any]) -> Schema:
    """Return the schema of a value that may be null."""
    if "enum" in value:
        return {**value, "enum": [*value["enum"], None]}
    if "type" in value:
        return {**value, "type": [value["type"], "null"]}
    return {"anyOf": [value, {"type": "null"}]}


def _key(key: Key) -> Schema:
    """Return the schema of a game key's value."""
    if key.words:
        return {"enum": [*key.words, None], "description": key.meaning}
    if key.dtype == "Int64":
        return {"type": ["integer", "null"], "minimum": 1, "maximum": 9999, "description": key.meaning}
    dated = {"format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    text = dated if key.dtype.startswith("datetime") else {"minLength": 1}
    return {"type": ["string", "null"], **text, "description": key.meaning}


STORED = tuple(column.name for column in GAMES.columns if column.name.startswith("stored_"))
"""What a scoring program stored of a game: in the JSON the game's ``stored``, without the prefix."""


def content(result: Result) -> dict[str, Any]:
    """Return the games as the JSON's objects and lists."""
    return content_of(result.provenance, result.remarks, games_of(result))


def content_of(provenance: Provenance, remarks: Iterable[Problem], games: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the whole of a file. games: as :func:`games_of` gives them, or some of them."""
    return {
        PROVENANCE_KEY: provenance.entry(),
        "remarks": [remark.entry_of_remark for remark in quoted(remarks)],
        "games": games,
    }


def games_of(result: Result) -> list[dict[str, Any]]:
    """Return an entry for each game."""
    listed = contestant_entries(result.contestants)
    if result.awards is not None:
        _add_positions(listed, result.standings)
        _add_awards(listed, result, result.awards)
    add_scorecards(listed, result)
    boards = board_entries(result)
    rows: dict[str, list[dict[str, Any]]] = {}
    for game_id, contestant in zip(result.contestants["game_id"].tolist(), listed, strict=True):
        rows.setdefault(game_id, []).append(contestant)
    games = []
    for game in records(result.games):
        name = game["game_id"]
        entry = {"game": game_entry(game), "contestants": rows.get(name, [])}
        games.append(entry | ({"boards": boards[name]} if name in boards else {}))
    return games


def game_entry(game: FrameRow) -> dict[str, Any]:
    """Return what is declared of a game, a row of the games frame: null for what is not."""
    said = {name: value for name, value in game.items() if not pd.isna(value)}
    values: dict[str, Any] = {"game_id": game["game_id"], "source": said.get("source")}
    for name, key in KEYS.items():
        values[name] = key.as_json(said[name]) if name in said else None
    stored = {name: said[name] for name in STORED if name in said}
    of_program = {name.removeprefix("stored_"): GAMES.declared(name).kind.as_json(v) for name, v in stored.items()}
    return values | ({"stored": of_program} if of_program else {})


def contestant_entries(contestants: pd.DataFrame) -> list[dict[str, Any]]:
    """Return what the sheet says of each contestant."""
    rows = records(contestants)
    there = {name for row in rows for name in row}
    numbers = {part: _numbers(there, spots) for part, spots in PARTS.items()}
    parts = {
        part: spots
        for part, spots in PARTS.items()
        if part in ALWAYS or numbers[part] or any(spot.column.name in there for spot in spots)
    }
    # 0 and false are values, an empty list or object is none.
    return [
        {
            part: value
            for part, spots in parts.items()
            if (value := _part(row, spots, numbers[part])) not in (None, [], {}) or part in ALWAYS
        }
        for row in rows
    ]


def _numbers(there: Iterable[str], spots: Iterable[Spot]) -> range:
    """Return the numbers 1, 2, ... of some families of columns, as far as any of them goes."""
    families = [spot.column for spot in spots if spot.numbered]
    columns = [name for name in there if any(family.matches(name) for family in families)]
    return range(1, 1 + max((int(re.sub(r"\D", "", column)) for column in columns), default=0))


def _part(row: Mapping[str, Any], spots: Sequence[Spot], numbers: range) -> Any:
    """Return a part of a contestant: a list of what there is per number, an object, or a single value.

    The list ends with the last number that has anything.
    """
    if not spots[0].numbered:
        values = {spot.name: _json(row, spot.column.name, spot) for spot in spots}
        return _present(values) if spots[0].part else values[spots[0].name]
    entries = [_entry(row, spots, number) for number in numbers]
    while entries and (entries[-1] is None or (isinstance(entries[-1], dict) and not _present(entries[-1]))):
        entries.pop()
    return entries


def _entry(row: Mapping[str, Any], spots: Sequence[Spot], number: int) -> Any:
    """Return what a list has for a number: a bare value, or an object with its first column always in it."""
    values = {spot.name: _json(row, spot.column.of(number), spot) for spot in spots}
    first = spots[0].name
    return {first: values[first], **_present(values)} if first else values[first]


def _json(row: Mapping[str, Any], name: str, spot: Spot) -> Any:
    return spot.column.kind.as_json(row[name]) if name in row else None


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _add_positions(listed: list[dict[str, Any]], standings: pd.DataFrame) -> None:
    for contestant in listed:
        contestant["positions"] = {"section": {}, "overall": {}}
    ordered = standings.sort_values(["contestant", "level"])
    columns = [ordered[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")]
    for contestant, basis, stratum, position, tied in zip(*columns, strict=True):
        places = listed[contestant]["positions"].setdefault(basis, {})
        places[stratum] = {"position": position, "tied": tied}


def _add_awards(listed: list[dict[str, Any]], result: Result, awards: pd.DataFrame) -> None:
    for contestant in listed:
        contestant.update(masterpoints="0.00", colours={}, paid_by=None, candidates=[])
    for award in records(awards):
        contestant = listed[award["contestant"]]
        contestant.update(masterpoints=decimal_text(award["masterpoints"]), colours=colour_entries(award))
    for row in row_dicts(result.candidates[["contestant", *_OF_CANDIDATE]]):
        entry = {name: row[name] for name in _OF_CANDIDATE}
        entry["position"] = row["position"] or None
        entry["masterpoints"] = decimal_text(row["masterpoints"])
        entry["values"] = value_entries(row["values"])
        contestant = listed[row["contestant"]]
        contestant["candidates"].append(entry)
        if contestant["paid_by"] is None:
            contestant["paid_by"] = {key: entry[key] for key in ("basis", "stratum", "position", "tied", "rule")}
    add_player_awards(dict(enumerate(listed)), result)


_OF_CANDIDATE = ["basis", "stratum", "position", "tied", "masterpoints", "rule", "factors", "values"]


def add_player_awards(listed: Mapping[int, dict[str, Any]], result: Result) -> None:
    """Add the awards of single players to the entries of contestants by row, where players get different ones."""
    for award in records(result.player_awards):
        if award["contestant"] in listed:
            player = listed[award["contestant"]]["players"][award["player"] - 1]
            player.update(masterpoints=decimal_text(award["masterpoints"]), colours=colour_entries(award))


def value_entries(values: Values) -> list[dict[str, str]]:
    """Return the entries of the values that made an award: where each is, what it says, and its citation."""
    return [{"path": each.path, "value": each.value, "file": each.file, "cite": each.cite} for each in values.items]


def colour_entries(award: FrameRow) -> dict[str, str]:
    """Return an award, a row of the awards frame, by colour: those that there are."""
    return {colour: decimal_text(award[colour]) for colour in COLOURS if award[colour]}
