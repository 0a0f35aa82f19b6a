"""The parts of JSON that results and reports share: games, contestants, what they won and why, remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from resultproc.model.arrays import records, row_dicts
from resultproc.model.errors import Problem, quoted
from resultproc.model.frames import COLOURS, GAMES, FrameRow, Result
from resultproc.model.keys import KEYS
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import PROVENANCE_KEY, Provenance, Values
from resultproc.pages.result import ALWAYS, PARTS, Spot, add_scorecards, board_entries

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
