"""The JSON that :mod:`resultproc.formats.json.writer` writes, back to the frames that it was written from.

What was computed (positions, awards, candidates) is passed over: a sheet read again is ranked and awarded again.

On bad input: FormatError for what is no JSON, the line named; InputError with everything that does not follow the
schema, named by its path, such as ``$.games[0].contestants[3].score``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from resultproc.model.at_the_table import SEATS
from resultproc.model.codes import EMPTY, UNREADABLE
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import MOST_QUOTED, FormatError, InputError, Problem, closest
from resultproc.model.grid import Records
from resultproc.model.json import loaded
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.play import pack
from resultproc.model.source import Source
from resultproc.pages.result import OF_DEAL, OF_RESULT, SEAT_COLUMNS, SPOTS, Spot, schema

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    content = loaded(source.data)
    problems = [problem(error) for error in islice(_validator().iter_errors(content), MOST_QUOTED)]
    if problems:
        raise InputError(problems)
    listed = [
        {"game_id": game["game"]["game_id"], "where": f"$.games[{row}].contestants[{n}]", **_contestant(each)}
        for row, game in enumerate(content["games"])
        for n, each in enumerate(game["contestants"])
    ]
    if not listed:
        raise FormatError("no contestants found", code=EMPTY)
    boards, deals = _boards(content["games"])
    sheet = sheet_of(source, Records(listed), _games(content["games"]))
    return Reading(sheet, boards=boards, deals=deals)


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def problem(error: ValidationError) -> Problem:
    """Return what is wrong with a value; a key that is not known suggests the closest one."""
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties" and known and isinstance(error.instance, dict):
        name = next(name for name in error.instance if name not in known)
        return Problem(f"unknown key '{name}'", error.json_path, closest(name, known))
    if error.validator == "maxItems" and isinstance(error.instance, list):
        what = f"there are {len(error.instance)} values here, and {error.validator_value} are the most"
        return Problem(what, error.json_path)
    what = error.message if len(error.message) <= 200 else f"{error.message[:100]} ... {error.message[-90:]}"
    return Problem(what, error.json_path)


def _games(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    records = []
    problems = []
    seen: set[str] = set()
    for row, entry in enumerate(entries):
        game = entry["game"]
        if game["game_id"] in seen:
            problems.append(
                Problem(f"the game '{game['game_id']}' appears twice", f"$.games[{row}]", "keep one of them")
            )
        seen.add(game["game_id"])
        record = {"game_id": game["game_id"]}
        for name in KEYS:
            if game.get(name) is not None:  # files from before a key was added lack it
                try:
                    record[name] = KEYS[name].held(declared_value(name, game[name]))
                except ValueError as error:
                    problems.append(Problem(f"{name}: {error}", f"$.games[{row}].game.{name}", code=UNREADABLE))
        records.append(record | {f"stored_{name}": value for name, value in game.get("stored", {}).items()})
    if problems:
        raise InputError(problems)
    return records


def _contestant(entry: Mapping[str, Any]) -> dict[str, Any]:
    record = {}
    for spot in SPOTS:
        part = entry.get(spot.part) if spot.part else entry
        if spot.numbered:
            for number, listed in enumerate(part or (), 1):
                record[spot.column.of(number)] = _held(spot, listed.get(spot.name) if spot.name else listed)
        elif part and spot.name in part:
            record[spot.column.name] = _held(spot, part[spot.name])
    return record


def _held(spot: Spot, value: Any) -> Any:
    return None if value is None else spot.column.kind.of_json(value)


def _boards(games: Iterable[Mapping[str, Any]]) -> tuple[Records, Records]:
    names = [column.name for column in OF_RESULT]
    boards, problems = [], []
    deals: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row, entry in enumerate(games):
        game = entry["game"]["game_id"]
        for number, board in enumerate(entry.get("boards", ())):
            shared = {"game_id": game, "session": board["session"], "board": board["board"]}
            boards += [shared | {name: result.get(name) for name in names} for result in board["results"]]
            if "hands" in board:
                cards = pack({SEAT_COLUMNS[seat]: board["hands"][seat].split(".") for seat in SEATS})
                where = f"$.games[{row}].boards[{number}].hands"
                if cards is None:
                    problems.append(Problem("these hands are not a pack of cards", where, "13 cards to each seat"))
                else:
                    others = {name: board.get(name) for name in OF_DEAL}
                    deals.setdefault(tuple(shared.values()), shared | cards | others)
    if problems:
        raise InputError(problems)
    return Records(boards), Records(deals.values())
