"""USEBIO 1.2, or 1.3: the XML that British clubs upload, and many a results site takes.

The participants are in their sections with number, direction, score, percentage, place and award in hundredths, as
scoring programs write them. What the standard has no place for (strata, holdings, the rating, ...) is in processing
instructions, which other readers of XML pass over: :mod:`resultproc.formats.usebio.elements` says what they are, and
:mod:`resultproc.formats.usebio.reader` gives back the games that were written. Pairs of both directions that share a
number are called ``4NS`` and ``4EW``. UTF-8.

Sites want USEBIO in ways of their own, see :class:`Dialect`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd
from lxml import etree

from resultproc.formats.registry import Writer
from resultproc.formats.usebio.elements import (
    OF_CONTESTANT,
    OF_PLAY,
    OF_PLAYER,
    SUIT_TAGS,
    TARGET,
    Element,
    child_text,
    contestant,
)
from resultproc.formats.usebio.reader import EVENT_TYPES, OF_CONTACT, OF_EVENT, OTHER_POINTS, SCORED
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.errors import ImpossibleError
from resultproc.model.frames import CONTESTANTS, FrameRow, Result
from resultproc.model.game import (
    EAST_WEST,
    NORTH_SOUTH,
    OPEN,
    EventType,
    Scoring,
    StratifyBy,
    Stratum,
    leagues,
    number_text,
    parse_strata,
)
from resultproc.model.numbers import number_cell
from resultproc.model.play import HANDS, refuse_sessions
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.text import cell_text
from resultproc.model.whose_points import colours_in, colours_text, league_named
from resultproc.pages.annotated import annotated, game_keys, names_games, own_places, upload_places
from resultproc.pages.result import STORED

_DTD = '<!DOCTYPE USEBIO SYSTEM "http://www.usebio.org/files/usebio_v{}.dtd">'

_EVENT_TYPES = {
    EventType.INDIVIDUAL.value: "INDIVIDUAL",
    EventType.SWISS.value: "SWISS_TEAMS",
    **dict.fromkeys((EventType.BAM.value, EventType.KNOCKOUT.value, EventType.TEAM_OF_TWO.value), "TEAMS"),
}
_TAGS = {"INDIVIDUAL": "PLAYER", "SWISS_TEAMS": "TEAM", "TEAMS": "TEAM"}
"""What contestants are called, by type of event; pairs in all others."""

_TOLD = (
    *("event", "club", "club_id", "charge_code", "contact", "points_scale", "date", "event_type", "scoring"),
    *("movement", "tables", "sessions", "boards"),
)
"""What a reader takes from the standard's elements, which cannot tell every value: it is added in full."""

_PAIRS = {scoring.value: kind for kind, scoring in reversed(SCORED.items())}
"""The type of a pairs event by how its boards are scored."""


@dataclass(frozen=True)
class Dialect:
    """How USEBIO is written, where programs and sites differ."""

    flat: bool = False  # participants and boards are directly in their event, awards directly in their contestant
    whole_places: bool = False  # a place that is shared has no ``=`` after it
    numbers: bool = False  # a player without a member number has an empty element for it
    own: bool = True  # what the standard has no place for is in processing instructions
    # The strata are elements, and in each contestant the number of its own one and the place there, as in 1.3.
    strata: bool = False
    charge: str = "P2P_CHARGE_RATE"  # the element of the charge code, whose name changed in 1.3
    # The types of pairs events by how boards are scored, where they are others than the standard's.
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The version of the standard that has what is written."""
        return "1.3" if self.strata or self.charge == "EBU_CHARGE_CODE" else "1.2"


STANDARD = Dialect()
"""How this package writes USEBIO unless somebody asks for more."""


def write(result: Result, dialect: Dialect = STANDARD) -> bytes:
    """Return the games as USEBIO, with the results of their boards and the hands.

    Raises OutputError for an adjusted score that the standard cannot spell, and for boards of several sessions in a
    dialect without sessions.
    """
    root = etree.Element("USEBIO", Version=dialect.version)
    games = row_dicts(result.games)
    club = etree.SubElement(root, "CLUB")
    for tag, name in (("CLUB_NAME", "club"), ("CLUB_ID_NUMBER", "club_id")):
        _add(club, **{tag: next((game[name] for game in games if isinstance(game[name], str)), "")})
    listed = _listed(result, dialect)
    of_game = dict(list(listed.groupby("game_id", sort=False)))
    results = dict(list(result.boards.groupby("game_id", sort=False)))
    deals = dict(list(result.deals.groupby("game_id", sort=False)))
    types = {**_PAIRS, **dialect.types}
    for game in games:
        scored = types.get(game["scoring"], "PAIRS") if isinstance(game["scoring"], str) else "PAIRS"
        event = etree.SubElement(root, "EVENT", EVENT_TYPE=_EVENT_TYPES.get(game["event_type"], scored))
        contestants = of_game.get(game["game_id"], listed.iloc[:0])
        if leagues()[league_named(game["league"], game["rating"])].whole:
            contestants = _whole(contestants)
        _describe(event, game, contestants, named=names_games(result.games), charge=dialect.charge)
        if dialect.strata:
            _stratify(event, game)
        session = event if dialect.flat else etree.SubElement(event, "SESSION", SESSION_ID="1")
        kind = child_text(event, "MASTER_POINT_TYPE")
        _list(session, contestants, _TAGS.get(str(event.get("EVENT_TYPE")), "PAIR"), kind, dialect)
        if game["game_id"] in results:
            _play(event, session, results[game["game_id"]], contestants, _points_of(game, results[game["game_id"]]))
        if game["game_id"] in deals:
            _deal(root, event, deals[game["game_id"]])
    if dialect.own:
        _add_own(root, {PROVENANCE_KEY: result.provenance.entry()})
    else:
        etree.strip_tags(root, etree.PI)
    etree.indent(root)
    doctype = _DTD.format(dialect.version.replace(".", "_"))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", doctype=doctype) + b"\n"


def _add(parent: Element, **texts: str) -> None:
    for tag, text in texts.items():
        etree.SubElement(parent, tag).text = cell_text(text)


def _add_own(parent: Element, content: Mapping[str, object]) -> None:
    """Add what only this package knows, as the first thing in an element."""
    text = json.dumps(content, allow_nan=False).replace(">", "\\u003e")  # ?> would end the instruction
    parent.insert(0, etree.ProcessingInstruction(TARGET, text))


def _listed(result: Result, dialect: Dialect) -> pd.DataFrame:
    """Return the annotated contestants with their ``place`` and their ``name`` in the event.

    In a dialect without sections the name of a contestant of several sections begins with its section.
    """
    frame = annotated(result)
    shared = frame.duplicated(["game_id", "section", "number"], keep=False) & frame["direction"].notna()
    name = frame["number"] + frame["direction"].str.replace("-", "").where(shared, "")
    if dialect.flat:
        several = frame.groupby("game_id")["section"].transform("nunique") > 1
        name = frame["section"].where(several, "") + name
    place = upload_places(result)
    frame = frame.assign(place=place.str.rstrip("=") if dialect.whole_places else place, name=name)
    return _in_strata(frame, result, dialect) if dialect.strata else frame


def _in_strata(frame: pd.DataFrame, result: Result, dialect: Dialect) -> pd.DataFrame:
    """Add the number of the lowest stratum that each contestant is ranked in, 1 the top, and its place there."""
    own = own_places(result)
    letters = {game["game_id"]: _strata_of(game) for game in row_dicts(result.games)}
    orders = frame["game_id"].map({game: [each.letter for each in strata] for game, strata in letters.items()})
    numbers = [
        str(order.index(letter) + 1) if letter in order and isinstance(place, str) else None
        for order, letter, place in zip(orders, own["letter"], own["place"], strict=True)
    ]
    number = pd.Series(numbers, frame.index, dtype="str")
    place = own["place"].str.rstrip("=") if dialect.whole_places else own["place"]
    return frame.assign(strat_number=number, strat_place=place.where(number.notna()))


def _strata_of(game: FrameRow) -> list[Stratum]:
    strata = parse_strata(game["strata"]) if isinstance(game["strata"], str) else []
    return strata if len(strata) > 1 else []


def _stratify(event: Element, game: FrameRow) -> None:
    """Add the strata of an event, top first, as a program of 2026 writes 1.3: the top has no limit if it is open.

    Its word for strata by the highest holding is ``HIGHEST``; the one for the average is in no public file
    (github.com/itsthepom/pairs-stratification, dc959b3f, USEBIO.py).
    """
    strata = _strata_of(game)
    if not strata:
        return
    described = etree.SubElement(event, "STRATIFICATION")
    if game["stratify_by"] == StratifyBy.HIGHEST:
        _add(described, STRATIFICATION_TYPE="HIGHEST")
    listed = etree.SubElement(described, "STRATS")
    for number, stratum in enumerate(strata, 1):
        one = etree.SubElement(listed, "STRAT")
        _add(one, STRAT_NUMBER=str(number), STRAT_LABEL=stratum.letter)
        if stratum.limit != OPEN:
            _add(one, UPPER_LIMIT=number_text(stratum.limit))


def _whole(contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants with awards in whole points, as a league prints them whose points are whole."""
    each = contestants["printed_colours"].map(lambda text: {c: n // 100 for c, n in colours_in(text).items()}, "ignore")
    colours = each.map(colours_text, "ignore").astype("str")
    return contestants.assign(printed_award=contestants["printed_award"] // 100, printed_colours=colours)


def _describe(event: Element, game: FrameRow, contestants: pd.DataFrame, *, named: bool, charge: str) -> None:
    keys = game_keys(game)
    stored = {name: game[name] for name in STORED if not pd.isna(game[name])}
    _add_own(event, {**dict.fromkeys(_TOLD), **keys, **stored})
    texts = {
        "PROGRAM_NAME": "resultproc",
        "BOARD_SCORING_METHOD": "BAM" if game["event_type"] == EventType.BAM else "",
        "EVENT_IDENTIFIER": game["game_id"] if named else "",
        "EVENT_DESCRIPTION": keys.get("event", ""),
        "DATE": "/".join(reversed(keys.get("date", "").split("-"))),
        "MASTER_POINT_SCALE": keys.get("points_scale", ""),
        "MASTER_POINT_TYPE": _points_type(contestants, stored),
        "SESSION_COUNT": keys.get("sessions", "1"),
        "SECTION_COUNT": str(contestants["section"].nunique()),
        "BOARDS_PLAYED": keys.get("boards", ""),
        "WINNER_TYPE": "2" if contestants["direction"].notna().any() else "1",
        "MPS_AWARDED_FLAG": "Y" if contestants["printed_award"].notna().any() else "N",
        charge: keys.get("charge_code", ""),
    }
    more: dict[str, str] = {}  # what the file that it was read from says, and is only kept
    with suppress(ValueError, TypeError):
        kept = json.loads(str(stored.get("stored_elements", "{}")))
        more = {tag: str(kept[tag]) for tag in (*OF_EVENT, *OF_CONTACT) if tag in kept}
    contact = {"FULL_NAME": keys.get("contact", ""), **{tag: more.pop(tag) for tag in OF_CONTACT if tag in more}}
    _add(event, **{tag: text for tag, text in texts.items() if text}, **more)
    if any(contact.values()):
        _add(etree.SubElement(event, "CONTACT"), **contact)


def _points_type(contestants: pd.DataFrame, stored: Mapping[str, object]) -> str:
    """Return the one type that all awards of an event are of, else nothing."""
    if "stored_other_awards" in stored:
        said = str(stored["stored_other_awards"])
        return "" if said == OTHER_POINTS else said.upper()
    paid = contestants["printed_colours"].dropna() if "printed_colours" in contestants else ()
    found = {part.partition("=")[0].strip() for text in set(paid) for part in str(text).split(",")}
    return found.pop().upper() if len(found) == 1 else ""


def _list(session: Element, contestants: pd.DataFrame, tag: str, kind: str, dialect: Dialect) -> None:
    """Add the participants, section by section. kind: the one type that all awards are of."""
    columns = [name for name in contestants.columns if CONTESTANTS.column(name) and name not in {"game_id", "where"}]
    seats = max(1, len(family_columns(contestants)), len(family_columns(contestants, "id")))
    for section, rows in groupby(row_dicts(contestants), key=lambda row: row["section"]):
        parent = session if dialect.flat else etree.SubElement(session, "SECTION", SECTION_ID=cell_text(section))
        participants = session.find("PARTICIPANTS") if dialect.flat else None
        if participants is None:
            participants = etree.SubElement(parent, "PARTICIPANTS")
        for row in rows:
            meant = {name: _meant(row[name]) for name in columns}
            element = etree.SubElement(participants, tag)
            _fill(element, row, meant, seats, kind, dialect)
            plain = {"section": parent.get("SECTION_ID", "A"), "eligible": True} | contestant(element)
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


def _fill(element: Element, row: FrameRow, meant: Mapping[str, Any], seats: int, kind: str, dialect: Dialect) -> None:
    if element.tag == "TEAM":
        element.set("TEAM_ID", cell_text(row["name"]))
    else:
        _add(element, **{f"{element.tag}_NUMBER": row["name"]})
    if meant["direction"]:
        _add(element, DIRECTION=meant["direction"].replace("-", ""))
    known = {tag: meant[name] for tag, name in OF_CONTESTANT.items() if meant[name] is not None}
    _add(element, **{tag: number_cell(value) for tag, value in known.items()})
    _add(element, **{tag: row[name] for tag, name in _PLACES.items() if isinstance(row.get(name), str)})
    if meant["printed_award"]:
        points = element if dialect.flat else etree.SubElement(element, "MASTER_POINTS")
        _add(points, MASTER_POINTS_AWARDED=str(meant["printed_award"]))
        colours = colours_in(meant["printed_colours"] or "")
        own = "".join(colours).upper() if len(colours) == 1 else ""
        if own or (kind and not colours):
            _add(points, MASTER_POINT_TYPE=own or kind)
    for seat in [1] if element.tag == "PLAYER" else range(1, seats + 1):
        player = element if element.tag == "PLAYER" else etree.SubElement(element, "PLAYER")
        texts = {tag: meant.get(f"{family}{seat}") or "" for tag, family in OF_PLAYER.items()}
        needed = ("PLAYER_NAME", "NATIONAL_ID_NUMBER")[: 1 + dialect.numbers]
        _add(player, **{tag: text for tag, text in texts.items() if text or tag in needed})


_PLACES = {"PLACE": "place", "STRAT_PLACE": "strat_place", "STRAT_NUMBER": "strat_number"}
"""Where a contestant came: overall, and in a dialect with strata in its own."""

_POINTS = {Scoring.BUTLER.value: "BUTLER_POINTS", Scoring.CROSS_IMPS.value: "CROSS_IMP_POINTS"}
"""What the points of a result are called, by how boards are scored."""


def _points_of(game: FrameRow, boards: pd.DataFrame) -> str:
    """Return what the points of a game's results are called: by how boards are scored, or else by their sign."""
    if isinstance(game["scoring"], str):
        return _POINTS.get(game["scoring"], "MATCH_POINTS")
    imps = bool((boards[["printed_ns", "printed_ew"]] < 0).any(axis=None))
    return "CROSS_IMP_POINTS" if imps else "MATCH_POINTS"


def _play(event: Element, session: Element, boards: pd.DataFrame, contestants: pd.DataFrame, points: str) -> None:
    """Add the results of boards by session, section and board; in a flat event by board."""
    names = {
        (row["section"], side, row["number"]): row["name"]
        for row in row_dicts(contestants)
        for side in ([row["direction"]] if isinstance(row["direction"], str) else [NORTH_SOUTH, EAST_WEST])
    }
    flat = session is event
    if flat:
        refuse_sessions(boards, "USEBIO without sessions")
    parents: dict[tuple[Any, ...], Element] = {(1,): session, (1, ""): session}
    for row in row_dicts(boards.sort_values("session", kind="stable")):
        number, section, board = row["session"], "" if flat else row["section"], row["board"]
        if (number,) not in parents:
            parents[number,] = etree.SubElement(event, "SESSION", SESSION_ID=str(number))
        if (number, section) not in parents:
            parent = etree.SubElement(parents[number,], "SECTION", SECTION_ID=cell_text(section))
            parents[number, section] = parent
        if (number, section, board) not in parents:
            parents[number, section, board] = etree.SubElement(parents[number, section], "BOARD")
            _add(parents[number, section, board], BOARD_NUMBER=str(board))
        line = etree.SubElement(parents[number, section, board], "TRAVELLER_LINE")
        played = {tag: str(row[name]) for name, tag in OF_PLAY.items() if not pd.isna(row[name])}
        if "LEAD" in played:  # the standard has the suit last
            played["LEAD"] = played["LEAD"][1:] + played["LEAD"][0]
        _add(line, **_seated(row, names), **played, SCORE=_score(row))
        for side in ("ns", "ew"):
            if not pd.isna(row[f"printed_{side}"]):
                _add(line, **{f"{side.upper()}_{points}": number_cell(row[f"printed_{side}"])})


def _deal(root: Element, event: Element, deals: pd.DataFrame) -> None:
    """Add the hands of an event: beside it where it has one session, as programs write them, else in each session."""
    several = deals["session"].nunique() > 1 or (deals["session"] > 1).any()
    for number, rows in deals.groupby("session"):
        parent = event.find(f"SESSION[@SESSION_ID='{number}']") if several else root
        if parent is None:
            parent = etree.SubElement(event, "SESSION", SESSION_ID=str(number))
        handset = etree.SubElement(parent, "HANDSET")
        for row in row_dicts(rows):
            board = etree.SubElement(handset, "BOARD")
            _add(board, BOARD_NUMBER=str(row["board"]))
            for seat in HANDS:
                suits = dict(zip(SUIT_TAGS, row[seat].split("."), strict=True))
                _add(etree.SubElement(board, "HAND"), DIRECTION=seat.capitalize(), **dict(reversed(suits.items())))


def _seated(row: FrameRow, names: Mapping[tuple[Any, ...], str]) -> dict[str, str]:
    if isinstance(row["ns_partner"], str):
        seats = {"N": "ns", "S": "ns_partner", "E": "ew", "W": "ew_partner"}
        return {f"{seat}_PLAYER_NUMBER": row[name] for seat, name in seats.items()}
    return {
        "NS_PAIR_NUMBER": names.get((row["section"], NORTH_SOUTH, row["ns"]), row["ns"]),
        "EW_PAIR_NUMBER": names.get((row["section"], EAST_WEST, row["ew"]), row["ew"]),
    }


def _score(row: FrameRow) -> str:
    if not pd.isna(row["score"]):
        return number_cell(row["score"])
    adjusted = [row["ns_adjusted"], row["ew_adjusted"]]
    if all(map(pd.isna, adjusted)):
        return "NP"
    if not all(percent == int(percent) and 0 <= percent < 100 for percent in adjusted if not pd.isna(percent)):
        what = f"no room for an adjusted score of {adjusted[0]} and {adjusted[1]} percent"
        hint = "USEBIO takes whole percents below 100"
        raise ImpossibleError(what, f"board {row['board']}", hint)
    return "A" + "".join(f"{0 if pd.isna(percent) else int(percent):02}" for percent in adjusted)


def in_dialect(asked: Mapping[str, Any]) -> Callable[[Result], bytes]:
    """Return what writes in a dialect, which has the names of :class:`Dialect`; raise ValueError for any other name."""
    unknown = set(asked) - set(Dialect.__dataclass_fields__)
    if unknown:
        raise ValueError(f"USEBIO has no dialect '{min(unknown)}'")
    for name, value in asked.items():
        if name == "charge":
            right = value in ("P2P_CHARGE_RATE", "EBU_CHARGE_CODE")
        elif name == "types":
            right = isinstance(value, Mapping) and set(value) <= set(_PAIRS) and set(value.values()) <= set(EVENT_TYPES)
        else:
            right = isinstance(value, bool)
        if not right:
            raise ValueError(f"USEBIO has no {name} = {value!r}")
    return partial(write, dialect=Dialect(**asked))


WRITER = Writer("usebio", "USEBIO XML", (".xml",), write, boards=True, in_dialect=in_dialect)
