"""JSON: the machine interface. Its schema is ``resultproc/formats/json/result.schema.json``.

Awards are decimal strings; ``positions`` lists every stratum that a contestant is ranked in, paid or not;
``candidates`` every award that it could have had, the highest first. What the sheet carried besides (printed ranks and
awards, session scores, handicaps, what a scoring program stored) stands beside it where there is any, so that the
JSON reads back whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from resultproc.formats.registry import Writer
from resultproc.model.frames import COLOURS, GAMES, Result, players
from resultproc.model.game import number_text
from resultproc.model.keys import KEYS
from resultproc.stages.participation import player_awards

STORED = tuple(column.name for column in GAMES.columns if column.name.startswith("stored_"))
"""What a scoring program stored of a game: in the JSON the game's ``stored``, without the prefix."""

PRINTED = ("printed_section", "printed_overall", "printed_award", "printed_paid_by", "printed_colours")
"""What a sheet printed of a contestant: in the JSON its ``printed``, without the prefix."""


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
        "games": [
            {"game": game_entry(game), "contestants": rows.get(str(game["game_id"]), [])}
            for game in result.games.to_dict("records")
        ]
    }


def game_entry(game: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what is declared of a game, a row of the games frame: null for what is not."""
    values: dict[str, Any] = {"game_id": game["game_id"], "source": _value(game["source"])}
    for key in KEYS:
        values[key] = _value(game[key])
    if values["limit"] is not None:
        values["limit"] = number_text(game["limit"])
    stored = _present({name.removeprefix("stored_"): _value(game[name]) for name in STORED})
    return values | _some(stored=stored)


def _value(value: Any) -> Any:
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return value if isinstance(value, str | float) else int(value)


def contestant_entries(contestants: pd.DataFrame) -> list[dict[str, Any]]:
    """Return what the sheet says of each contestant."""
    seats = _numbers(contestants, "player", "id", "mp", "played")
    sessions = _numbers(contestants, "session", "section", "direction")
    rounds = players(contestants, "round")
    return [
        {
            "section": row["section"],
            "direction": _value(row["direction"]),
            "number": row["number"],
            "players": _filled(_player(row, number) for number in seats),
            "score": _value(row["score"]),
            "percentage": _value(row["percentage"]),
            "stratum": _value(row["stratum"]),
            "eligible": bool(row["eligible"]),
            **_present({name: row[name] for name in ("handicap", "carryover", "adjustment", "wins")}),
            **_some(rounds=_rounds(row, rounds)),
            **_present({"playoff": row["playoff"]}),
            **_some(sessions=_filled(_session(row, number) for number in sessions)),
            **_some(printed=_printed(row)),
        }
        for row in contestants.to_dict("records")
    ]


def _numbers(contestants: pd.DataFrame, *families: str) -> range:
    """Return the numbers 1, 2, ... of some families of columns, as far as any of them goes."""
    columns = [column for family in families for column in players(contestants, family)]
    return range(1, 1 + max((int(re.sub(r"\D", "", column)) for column in columns), default=0))


def _some(**parts: Any) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part}


def _filled(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries without the empty ones at the end."""
    listed = list(entries)
    while listed and all(value is None for value in listed[-1].values()):
        listed.pop()
    return listed


def _player(row: Mapping[Any, Any], number: int) -> dict[str, Any]:
    others = {"id": row.get(f"id{number}"), "holding": row.get(f"mp{number}"), "played": row.get(f"played{number}")}
    share = row.get(f"printed_share{number}")
    printed = {} if pd.isna(share) else {"printed_award": decimal_text(int(share))}
    return {"name": _value(row.get(f"player{number}")), **_present(others), **printed}


def _session(row: Mapping[Any, Any], number: int) -> dict[str, Any]:
    seat = {name: row.get(f"{name}{number}") for name in ("section", "direction")}
    return {"score": _value(row.get(f"session{number}")), **_present(seat)}


def _rounds(row: Mapping[Any, Any], columns: Iterable[str]) -> list[str | None]:
    """Return the matches of a knockout's rounds, without the empty ones at the end."""
    listed = [_value(row[column]) for column in columns]
    while listed and listed[-1] is None:
        listed.pop()
    return listed


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if not pd.isna(value)}


def _printed(row: Mapping[Any, Any]) -> dict[str, Any]:
    printed = _present({name.removeprefix("printed_"): row[name] for name in PRINTED})
    if "award" in printed:
        printed["award"] = decimal_text(int(printed["award"]))
    return printed


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
            "position": int(candidate["position"]),
            "tied": int(candidate["tied"]),
            "masterpoints": decimal_text(candidate["masterpoints"]),
            "rule": candidate["rule"],
            "factors": candidate["factors"],
        }
        contestant = listed[candidate["contestant"]]
        contestant["candidates"].append(entry)
        if contestant["paid_by"] is None:
            contestant["paid_by"] = {key: entry[key] for key in ("basis", "stratum", "position", "tied", "rule")}
    add_player_awards(dict(enumerate(listed)), result)


def add_player_awards(listed: Mapping[int, dict[str, Any]], result: Result) -> None:
    """Add the awards of single players to the entries of contestants by row, where players get different ones."""
    for award in player_awards(result).to_dict("records"):
        if award["contestant"] in listed:
            player = listed[award["contestant"]]["players"][award["player"] - 1]
            player.update(masterpoints=decimal_text(award["masterpoints"]), colours=colours(award))


def colours(award: Mapping[Any, Any]) -> dict[str, str]:
    """Return an award, a row of the awards frame, by colour: those that there are."""
    return {colour: decimal_text(award[colour]) for colour in COLOURS if award[colour]}


def decimal_text(hundredths: int) -> str:
    """Return hundredths of a masterpoint as a decimal string: 63 is ``0.63``."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


WRITER = Writer("json", "JSON", (".json",), write)
