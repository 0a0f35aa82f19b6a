"""USEBIO 1.2: the XML that British clubs upload, and many a results site takes.

The participants are in their sections with number, direction, score, percentage, place and award in hundredths, as
scoring programs write them. What the standard has no place for (strata, holdings, the rating, ...) is in processing
instructions, which other readers of XML pass over: :mod:`resultproc.formats.usebio.elements` says what they are, and
:mod:`resultproc.formats.usebio.reader` gives back the games that were written. Pairs of both directions that share a
number are called ``4NS`` and ``4EW``. UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

import pandas as pd
from lxml import etree

from resultproc.formats.common.annotated import annotated, game_keys, names_games, upload_places
from resultproc.formats.json.writer import STORED
from resultproc.formats.registry import Writer
from resultproc.formats.usebio.elements import TARGET, Element, contestant
from resultproc.model.arrays import family_columns
from resultproc.model.errors import OutputError
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.provenance import KEY
from resultproc.model.values import cell_text, number_cell

_DTD = '<!DOCTYPE USEBIO SYSTEM "http://www.usebio.org/files/usebio_v1_2.dtd">'

_EVENT_TYPES = {
    EventType.INDIVIDUAL.value: "INDIVIDUAL",
    EventType.SWISS.value: "SWISS_TEAMS",
    **dict.fromkeys((EventType.BAM.value, EventType.KNOCKOUT.value, EventType.TEAM_OF_TWO.value), "TEAMS"),
}
_CONTESTANTS = {"PAIRS": "PAIR", "INDIVIDUAL": "PLAYER"}

_TOLD = ("event", "club", "date", "event_type", "movement", "tables", "sessions", "boards")
"""What a reader takes from the standard's elements, which cannot tell every value: it is added in full."""


def write(result: Result) -> bytes:
    """Return the games as USEBIO, with the results of their boards.

    Raises OutputError for an adjusted score that the standard cannot spell.
    """
    root = etree.Element("USEBIO", Version="1.2")
    _add_own(root, {KEY: result.provenance.entry()})
    games = result.games.to_dict("records")
    club = next((game["club"] for game in games if isinstance(game["club"], str)), "")
    _add(etree.SubElement(root, "CLUB"), CLUB_NAME=club, CLUB_ID_NUMBER="")
    listed = _listed(result)
    of_game = dict(list(listed.groupby("game_id", sort=False)))
    results = dict(list(result.boards.groupby("game_id", sort=False)))
    for game in games:
        event = etree.SubElement(root, "EVENT", EVENT_TYPE=_EVENT_TYPES.get(game["event_type"], "PAIRS"))
        contestants = of_game.get(game["game_id"], listed.iloc[:0])
        _describe(event, game, contestants, named=names_games(result.games))
        session = etree.SubElement(event, "SESSION", SESSION_ID="1")
        _list(session, contestants, _CONTESTANTS.get(str(event.get("EVENT_TYPE")), "TEAM"))
        if game["game_id"] in results:
            _play(event, session, results[game["game_id"]], contestants)
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", doctype=_DTD) + b"\n"


def _add(parent: Element, **texts: str) -> None:
    """Add elements that hold a text."""
    for tag, text in texts.items():
        etree.SubElement(parent, tag).text = cell_text(text)


def _add_own(parent: Element, content: Mapping[str, object]) -> None:
    """Add what only this package knows, as the first thing in an element."""
    text = json.dumps(content, allow_nan=False).replace(">", "\\u003e")  # ?> would end the instruction
    parent.insert(0, etree.ProcessingInstruction(TARGET, text))


def _listed(result: Result) -> pd.DataFrame:
    """Return the annotated contestants with their ``place`` and their ``name`` in the event."""
    frame = annotated(result)
    shared = frame.duplicated(["game_id", "section", "number"], keep=False) & frame["direction"].notna()
    name = frame["number"] + frame["direction"].str.replace("-", "").where(shared, "")
    return frame.assign(place=upload_places(result), name=name)


def _describe(event: Element, game: Mapping[Any, Any], contestants: pd.DataFrame, *, named: bool) -> None:
    """Add what is known of an event besides its participants."""
    keys = game_keys(game)
    stored = {name: game[name] for name in STORED if not pd.isna(game[name])}
    _add_own(event, {**dict.fromkeys(_TOLD), **keys, **stored})
    texts = {
        "PROGRAM_NAME": "resultproc",
        "BOARD_SCORING_METHOD": "BAM" if game["event_type"] == EventType.BAM else "",
        "EVENT_IDENTIFIER": game["game_id"] if named else "",
        "EVENT_DESCRIPTION": keys.get("event", ""),
        "DATE": "/".join(reversed(keys.get("date", "").split("-"))),
        "SESSION_COUNT": keys.get("sessions", "1"),
        "SECTION_COUNT": str(contestants["section"].nunique()),
        "BOARDS_PLAYED": keys.get("boards", ""),
        "WINNER_TYPE": "2" if contestants["direction"].notna().any() else "1",
        "MPS_AWARDED_FLAG": "Y" if contestants["printed_award"].notna().any() else "N",
    }
    _add(event, **{tag: text for tag, text in texts.items() if text})


def _list(session: Element, contestants: pd.DataFrame, tag: str) -> None:
    """Add the participants, section by section."""
    columns = [name for name in contestants.columns if CONTESTANTS.column(name) and name not in {"game_id", "where"}]
    seats = max(1, len(family_columns(contestants)), len(family_columns(contestants, "id")))
    for section, rows in groupby(contestants.to_dict("records"), key=lambda row: row["section"]):
        parent = etree.SubElement(session, "SECTION", SECTION_ID=cell_text(section))
        participants = etree.SubElement(parent, "PARTICIPANTS")
        for row in rows:
            meant = {name: _meant(row[name]) for name in columns}
            element = etree.SubElement(participants, tag)
            _fill(element, row, meant, seats)
            plain = {"section": parent.get("SECTION_ID"), "eligible": True} | contestant(element)
            own = {name: value for name, value in meant.items() if value != plain.get(name)}
            if own or element.find("PLACE") is not None:
                _add_own(element, own or {"printed_section": meant["printed_section"]})


def _meant(value: Any) -> Any:
    """Return a value of the contestants frame as a reader should give it back."""
    if pd.isna(value):
        return None
    if isinstance(value, str):
        return cell_text(value) or None
    return value if isinstance(value, bool | float) else int(value)


def _fill(element: Element, row: Mapping[Any, Any], meant: Mapping[str, Any], seats: int) -> None:
    """Add to a participant what the standard says of it."""
    if element.tag == "TEAM":
        element.set("TEAM_ID", cell_text(row["name"]))
    else:
        _add(element, **{f"{element.tag}_NUMBER": row["name"]})
    if meant["direction"]:
        _add(element, DIRECTION=meant["direction"].replace("-", ""))
    for tag, name in (("TOTAL_SCORE", "score"), ("PERCENTAGE", "percentage")):
        if meant[name] is not None:
            _add(element, **{tag: number_cell(meant[name])})
    if isinstance(row["place"], str):
        _add(element, PLACE=row["place"])
    if meant["printed_award"]:
        points = etree.SubElement(element, "MASTER_POINTS")
        _add(points, MASTER_POINTS_AWARDED=str(meant["printed_award"]))
        colour, _, rest = (meant["printed_colours"] or "").partition("=")
        if rest and "=" not in rest:
            _add(points, MASTER_POINT_TYPE=colour.upper())
    if element.tag == "PLAYER":
        _name(element, meant, 1)
    else:
        for seat in range(1, seats + 1):
            _name(etree.SubElement(element, "PLAYER"), meant, seat)


def _name(player: Element, meant: Mapping[str, Any], seat: int) -> None:
    """Add to a player its name, and its number where that is known."""
    _add(player, PLAYER_NAME=meant.get(f"player{seat}") or "")
    if meant.get(f"id{seat}"):
        _add(player, NATIONAL_ID_NUMBER=meant[f"id{seat}"])


_PLAYED = {"CONTRACT": "contract", "PLAYED_BY": "declarer", "LEAD": "lead", "TRICKS": "tricks"}
"""What says how a result came about, in the order of the standard."""


def _play(event: Element, session: Element, boards: pd.DataFrame, contestants: pd.DataFrame) -> None:
    """Add the results of boards, session by session, section by section and board by board."""
    names = {(row["section"], row["direction"], row["number"]): row["name"] for row in contestants.to_dict("records")}
    imps = bool((boards[["printed_ns", "printed_ew"]] < 0).any(axis=None))
    points = "CROSS_IMP_POINTS" if imps else "MATCH_POINTS"
    parents: dict[tuple[Any, ...], Element] = {(1,): session}
    for row in boards.sort_values("session", kind="stable").to_dict("records"):
        number, section, board = row["session"], row["section"], row["board"]
        if (number,) not in parents:
            parents[number,] = etree.SubElement(event, "SESSION", SESSION_ID=str(number))
        if (number, section) not in parents:
            parent = etree.SubElement(parents[number,], "SECTION", SECTION_ID=cell_text(section))
            parents[number, section] = parent
        if (number, section, board) not in parents:
            parents[number, section, board] = etree.SubElement(parents[number, section], "BOARD")
            _add(parents[number, section, board], BOARD_NUMBER=str(board))
        line = etree.SubElement(parents[number, section, board], "TRAVELLER_LINE")
        _add(
            line,
            **_seated(row, names),
            **{tag: str(row[name]) for tag, name in _PLAYED.items() if not pd.isna(row[name])},
            SCORE=_score(row),
        )
        for side in ("ns", "ew"):
            if not pd.isna(row[f"printed_{side}"]):
                _add(line, **{f"{side.upper()}_{points}": number_cell(row[f"printed_{side}"])})


def _seated(row: Mapping[Any, Any], names: Mapping[tuple[Any, ...], str]) -> dict[str, str]:
    """Return who sat where at a result: pairs, or individuals."""
    if isinstance(row["ns_partner"], str):
        seats = {"N": "ns", "S": "ns_partner", "E": "ew", "W": "ew_partner"}
        return {f"{seat}_PLAYER_NUMBER": row[name] for seat, name in seats.items()}
    return {
        "NS_PAIR_NUMBER": names.get((row["section"], NORTH_SOUTH, row["ns"]), row["ns"]),
        "EW_PAIR_NUMBER": names.get((row["section"], EAST_WEST, row["ew"]), row["ew"]),
    }


def _score(row: Mapping[Any, Any]) -> str:
    if not pd.isna(row["score"]):
        return number_cell(row["score"])
    adjusted = [row["ns_adjusted"], row["ew_adjusted"]]
    if all(map(pd.isna, adjusted)):
        return "NP"
    if not all(percent == int(percent) and 0 <= percent < 100 for percent in adjusted if not pd.isna(percent)):
        what = f"no room for an adjusted score of {adjusted[0]} and {adjusted[1]} percent"
        hint = "USEBIO takes whole percents below 100"
        raise OutputError(what, f"board {row['board']}", hint, code="output.impossible")
    return "A" + "".join(f"{0 if pd.isna(percent) else int(percent):02}" for percent in adjusted)


WRITER = Writer("usebio", "USEBIO XML", (".xml",), write, boards=True)
