"""The game as the league's results site publishes it: its JSON, or the page saved from the browser that holds it.

Pairs and individual events of one session are read: sessions > sections > ``pair_summaries`` with score, percentage,
stratum, players (number, holding), ranks (``strat_place``) and awards by colour (``awards_score``), and boards. In a
page the JSON is in an attribute, HTML-escaped, or in a script. A page is parsed without network access.

The site gives no half tables: they follow from the pairs in play. A holding that it does not know stays empty. The
printed basis of an award is S (its ``Session``) or O (its ``Event``), without a stratum.

On bad input: FormatError for JSON that is cut off or of another shape; InputError that names the contestant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress, pairwise, repeat
from math import ceil
from operator import itemgetter, length_hint
from typing import Any, TypeVar

from resultproc.formats.acbl_live import MARK
from resultproc.formats.acblscore.layout import RATINGS
from resultproc.formats.html.page import refuse_attributes
from resultproc.formats.registry import decode
from resultproc.model.codes import EMPTY, UNREADABLE
from resultproc.model.dates import day_written
from resultproc.model.directions import direction_of
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import COLOURS
from resultproc.model.game import OPEN, EventType, Movement, StratifyBy, Stratum, league, number_text, strata_text
from resultproc.model.grid import Records
from resultproc.model.json import objects_in, parsed_json, without_halves
from resultproc.model.numbers import LARGEST, number
from resultproc.model.play import both_scores, columns_of_play
from resultproc.model.source import Source
from resultproc.model.text import tidy
from resultproc.model.whose_points import colours_text
from resultproc.tables.unsaid import field_facts

_Value = TypeVar("_Value")

_EVENT_TYPES = {"PAIRS": EventType.PAIRS, "INDIVIDUAL": EventType.INDIVIDUAL}
_BASES = {"Section": "printed_section", "Event": "printed_overall"}
_PAID_BY = {"Session": "S", "Event": "O"}
_ADJUSTED = {"A+": 60.0, "AVE+": 60.0, "AVG+": 60.0, "A": 50.0, "AVE": 50.0, "AVG": 50.0, "A-": 40.0, "AVE-": 40.0}
_NOT_PLAYED = {"", "NP", "N/P", "NOT PLAYED"}
_LAID_OUT = "this JSON is not laid out as the results site does it"


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    event = _event(decode(source.data))
    try:
        return _reading(source, event)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FormatError(f"{_LAID_OUT}: {error}") from None


def _reading(source: Source, event: dict[str, Any]) -> Reading:
    kind = _EVENT_TYPES.get(str(event.get("type", "PAIRS")).upper())
    if kind is None:
        raise FormatError(f"this is an event of type {event['type']}", hint="known: " + ", ".join(_EVENT_TYPES))
    sessions = objects_in(event, "sessions")
    if len(sessions) != 1:
        raise FormatError(f"the event has {len(sessions)} sessions", hint="events of one session can be read")
    sections = objects_in(sessions[0], "sections")
    letters = {str(s["number"]): str(s["label"]) for s in event.get("strats") or [] if "number" in s and "label" in s}
    contestants = [
        _contestant(pair, str(section.get("name") or "A"), letters)
        for section in sections
        for pair in objects_in(section, "pair_summaries")
    ]
    if not contestants:
        raise FormatError("the event lists no contestants", code=EMPTY)
    rows = Records(contestants)
    game_id = str(event.get("id") or source.stem)
    rows.fill("game_id", game_id)
    boards = _boards(sections, game_id)
    facts = field_facts(rows, kind) | _facts(event, sections)
    return Reading(sheet_of(source, rows, [{"game_id": game_id, **facts}]), boards=boards)


def _event(text: str) -> dict[str, Any]:
    for part in [text] if text.lstrip().startswith("{") else _parts_of_page(text):
        try:
            content = parsed_json(part, start=part.find("{"))
        except ValueError as error:
            raise FormatError(f"its JSON cannot be read: {error}", hint="save the page again") from None
        if isinstance(content, dict) and "sessions" in content:
            return dict(without_halves(content, part))
    raise FormatError("no game found in this page", hint="save the page of one event with its results")


def _parts_of_page(text: str) -> Iterator[str]:
    from lxml import etree, html

    refuse_attributes(text)
    try:
        page = html.document_fromstring(text, parser=html.HTMLParser(no_network=True, recover=True, huge_tree=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise FormatError("this page cannot be read") from None
    for element in page.iter(etree.Element):
        yield from (str(value) for value in element.attrib.values() if MARK in value)
        if element.tag == "script" and element.text and MARK in element.text:
            yield element.text


@lru_cache(maxsize=4096, typed=True)
def _number(value: object, name: str) -> float | None:
    try:
        return _number_of("" if value is None else str(value))
    except ValueError as error:
        raise InputError(f"{name}: {error}", code=UNREADABLE) from None


@lru_cache(maxsize=4096)
def _number_of(text: str) -> float | None:
    return number(text) if text.strip() else None


def _whole(value: Any) -> int | None:
    if value is None:
        return None
    found = float(value)
    if found != int(found) or abs(found) > LARGEST:
        raise ValueError(f"'{value}' is no whole number")
    return int(found)


def _contestant(pair: dict[str, Any], section: str, letters: dict[str, str]) -> dict[str, object]:
    direction = direction_of(str(pair.get("direction") or ""))
    where = " ".join(filter(None, ("contestant", section, direction, str(pair.get("pair_number")))))
    try:
        return {"section": section.upper(), "direction": direction, "where": where, **_said(pair, letters)}
    except InputError as error:
        raise _located(error, where) from None
    except TypeError as error:
        raise FormatError(f"{_LAID_OUT}: {error}", where) from None


def _said(pair: dict[str, Any], letters: dict[str, str]) -> dict[str, object]:
    record: dict[str, object] = {
        "number": tidy(str(pair.get("pair_number") or "")) or None,
        "stratum": letters.get(str(pair.get("strat"))),
        "eligible": str(pair.get("is_eligible", 1)) not in {"0", "False"},
        "score": _number(pair.get("score"), "score"),
        "percentage": _number(pair.get("percentage"), "percentage"),
        "adjustment": _number(pair.get("adjustment"), "adjustment") or None,
        "handicap": _number(pair.get("handicap"), "handicap"),
    }
    if record["number"] is None:
        raise InputError("this contestant has no number")
    players = objects_in(pair, "players")
    for n, player in enumerate(players, 1):
        record[f"player{n}"] = tidy(str(player.get("name") or "")) or None
        record[f"id{n}"] = str(player["id_number"]) if player.get("id_number") else None
        record[f"mp{n}"] = _number(player.get("mp_total"), "mp_total")
    ranks = objects_in(pair, "strat_place")
    for basis, column in _BASES.items():
        printed = {letters.get(str(r.get("strat_number"))): r.get("rank") for r in ranks if r.get("type") == basis}
        record[column] = ", ".join([f"{letter}={rank}" for letter, rank in sorted(printed.items()) if letter]) or None
    record.update(_award(players))
    return record


def _award(players: list[dict[str, Any]]) -> dict[str, object]:
    """Return what the site says the contestant won: the award of its first player with one."""
    for player in players:
        awards = objects_in(player, "awards_score")
        colours: dict[str, int] = {}
        for award in awards:
            for part in objects_in(award, "pigment"):
                colour = str(part.get("color")).lower()
                amount = round((_number(part.get("amount"), "award") or 0) * 100)
                if colour not in COLOURS:
                    what, hint = f"unknown colour '{part.get('color')}'", "known: " + ", ".join(COLOURS)
                    raise InputError(what, hint=hint, code=UNREADABLE)
                colours[colour] = colours.get(colour, 0) + amount
        if colours:
            return {
                "printed_award": sum(colours.values()),
                "printed_paid_by": _PAID_BY.get(str(awards[0].get("type"))),
                "printed_colours": colours_text(colours),
            }
    return {"printed_award": None, "printed_paid_by": None, "printed_colours": None}


def _facts(event: dict[str, Any], sections: list[dict[str, Any]]) -> dict[str, object]:
    strata = [
        Stratum(str(each["label"]), float(each.get("limit") or OPEN))
        for each in sorted(event.get("strats") or [], key=lambda each: int(each.get("number") or 0))
    ]
    limit = strata[0].limit if strata else OPEN
    rating, special = _rating(event, limit)
    rounds = [(s.get("boards_per_round") or 0) * (s.get("number_of_rounds") or 0) for s in sections]
    movement = {1: Movement.HOWELL, 2: Movement.MITCHELL}.get(int(event.get("winner_type") or 0))
    by = str(event.get("stratification_type") or "").lower()
    regular = rating in league().groups["regular-club"]
    wrong = [stratum.letter for stratum in strata if not re.fullmatch("[A-Za-z]", stratum.letter)]
    if wrong:
        hint = "the label of a stratum is a letter, such as A"
        raise FormatError(f"invalid stratum letter: '{wrong[0]}'", hint=hint, code=UNREADABLE)
    limits = [stratum.limit for stratum in strata]
    return {
        "event": event.get("name"),
        "club": event.get("club_name"),
        "date": day_written(str(event.get("start_date")), "month"),
        "session": event.get("club_session"),
        "rating": rating,
        "special": special or None,
        "movement": movement.value if movement else None,
        "boards": _whole(max(rounds)) or None,
        "strata": strata_text(strata) if strata and all(a > b for a, b in pairwise([*limits, 0])) else None,
        "stratify_by": by if by in set(StratifyBy) else None,
        "limit": limit,
        "concurrent_tables": _concurrent(event, sections) if regular and limit == OPEN else None,
        "stored_rating_code": _whole(event.get("rating")),
    }


def _concurrent(event: dict[str, Any], sections: list[dict[str, Any]]) -> str | None:
    """Return the tables of the limited games beside a regular open one: a number, or a list of them.

    Half a table counts as a whole one. Raises FormatError for anything else: no file with any is known.
    """
    for part in (event, *objects_in(event, "sessions"), *sections):
        value = part.get(_BESIDE)
        if value is None:
            continue
        try:
            tables = sum(ceil(float(each)) for each in (value if isinstance(value, list) else [value]))
        except (TypeError, ValueError):
            what = f"its '{_BESIDE}' is {value!r}, which resultproc does not know"
            raise FormatError(what, hint="take it out of the file, and declare concurrent_tables") from None
        if tables > 0:
            return number_text(float(tables))
    return None


_BESIDE = "concurrent_limited_tables"


def _rating(event: dict[str, Any], limit: float) -> tuple[str | None, str]:
    code = int(event.get("rating") or 0)
    if code == 1:
        return "club-open" if limit == OPEN else "club-restricted", ""
    rating, special = RATINGS.get(code, (None, ""))
    return rating, special


def _boards(sections: Sequence[dict[str, Any]], game_id: str) -> Records:
    """Return the results of the sections' boards, made column by column; those not played are left out."""
    of_boards: list[tuple[str, object]] = []
    every: list[dict[str, Any]] = []
    for section in sections:
        name = str(section.get("name") or "A").upper()
        for board in objects_in(section, "boards"):
            listed = objects_in(board, "board_results")
            every += listed
            of_boards += [(name, board.get("board_number"))] * len(listed)
    scores = _each(of_boards, _scores, _texts(every, "ns_score"), _texts(every, "ew_score"))
    played = [each is not None for each in scores]
    at, results = list(compress(of_boards, played)), list(compress(every, played))
    boards = list(dict.fromkeys(at))
    numbers = _each(boards, _number, [board for _, board in boards], repeat("board number"))
    number_of = {board: int(each or 0) for board, each in zip(boards, numbers, strict=True)}
    columns: dict[str, list[Any]] = {
        "game_id": [game_id] * len(at),
        "section": [name for name, _ in at],
        "session": [1] * len(at),
        "board": [number_of[board] for board in at],
        "ns": list(map(str, _column(results, "ns_pair"))),
        "ew": list(map(str, _column(results, "ew_pair"))),
    }
    kept = zip(*filter(None, scores), strict=True)
    columns |= zip(_SCORES, map(list, kept), strict=False)  # none where nothing was played
    for side in ("ns", "ew"):
        columns[f"printed_{side}"] = _numbers(at, _column(results, f"{side}_match_points"), "matchpoints")
    for name in ("table", "round"):
        columns[name] = [
            int(text) if len(text) < 4 and text.isdecimal() else None for text in _texts(results, f"{name}_number")
        ]
    bids = _texts(results, "contract")
    said = any(bids)
    columns |= columns_of_play(bids, *(_texts(results, name) if said else bids for name in _PLAYED))
    return Records.of(columns, len(at))


_SCORES = ("score", "ew_score", "ns_adjusted", "ew_adjusted")
_PLAYED = ("declarer", "tricks_taken", "opening_lead")


def _column(results: Sequence[dict[str, Any]], name: str) -> list[Any]:
    try:
        return list(map(itemgetter(name), results))  # twice as fast as asking each
    except KeyError:
        return [each.get(name) for each in results]


def _texts(results: Sequence[dict[str, Any]], name: str) -> list[str]:
    return ["" if value is None else str(value) for value in _column(results, name)]


def _numbers(of_boards: Sequence[tuple[str, object]], values: list[Any], name: str) -> list[float | None]:
    if list(map(type, values)).count(str) == len(values):
        try:
            return list(map(_number_of, values))  # twice as fast
        except ValueError:
            pass
    return _each(of_boards, _number, values, repeat(name))


def _each(
    of_boards: Sequence[tuple[str, object]],
    function: Callable[..., _Value],
    values: Iterable[Any],
    *others: Iterable[Any],
) -> list[_Value]:
    """Return what a function makes of the values of each result; its errors name the result's section and board."""
    left = iter(values)
    try:
        return list(map(function, left, *others))
    except InputError as error:
        name, board = of_boards[-1 - length_hint(left)]
        raise _located(error, f"section {name}, board {board}") from None


def _located(error: InputError, where: str) -> InputError:
    return type(error)(replace(problem, where=problem.where or where) for problem in error.problems)


@lru_cache(maxsize=4096)
def _scores(ns: str, ew: str) -> tuple[float | None, ...] | None:
    """Return what the scores of both sides are in the columns :data:`_SCORES`, None where the board was not played."""
    ns, ew = ns.strip().upper(), ew.strip().upper()
    if ns in _NOT_PLAYED and ew in _NOT_PLAYED:
        return None
    plus, minus = (0.0 if each == "PASS" else float(each) if _POINTS.fullmatch(each) else None for each in (ns, ew))
    if plus is not None and not ew:
        minus = -plus
    adjusted = (None if points is not None else _adjusted(text) for points, text in ((plus, ns), (minus, ew)))
    return (*both_scores(plus, minus), *adjusted)


_POINTS = re.compile("[-+]?[0-9]+")


def _adjusted(text: str) -> float:
    if text in _ADJUSTED:
        return _ADJUSTED[text]
    percent = _number(text.removesuffix("%"), "adjusted score")
    if percent is None or not 0 <= percent <= 100:
        hint = "write A+, A, A- or, for instance, 45%"
        raise InputError(f"invalid adjusted score: '{text}'", hint=hint, code=UNREADABLE)
    return percent
