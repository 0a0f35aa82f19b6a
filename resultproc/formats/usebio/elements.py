"""The elements of USEBIO: taken from XML of unknown origin one by one, what each says, and what this package adds.

Nothing in the XML is expanded or fetched, and little is held. Entities are refused where they are declared, as well as
where they are used: a few lines of them can expand to gigabytes, or for files that are nobody's business. No document
type definition is loaded.

What the standard has no place for is in a processing instruction ``<?resultproc {...}?>`` of the element that it
belongs to: a JSON object of columns of the contestants frame in a contestant, of the games frame in an event. A column
in it counts before what the elements say, ``null`` says that there is no value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, BinaryIO
from xml.parsers import expat

from lxml import etree

from resultproc.formats.html.page import refuse_attributes
from resultproc.model.codes import ENCODING, UNREADABLE
from resultproc.model.columns import Column
from resultproc.model.directions import direction_of
from resultproc.model.draft import Draft
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import COLOURS, MAX_MASTERPOINTS, Frame
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, leagues
from resultproc.model.grid import Records
from resultproc.model.json import parsed_json
from resultproc.model.numbers import LARGEST, number_at
from resultproc.model.play import HANDS, PLAYED, how_played, whole_hands
from resultproc.model.text import is_nothing, tidy
from resultproc.model.toml import toml_beside
from resultproc.model.values import AWARD_KIND, DIRECTION, SwissMatch
from resultproc.model.whose_points import colours_in, colours_text, league_named
from resultproc.tables.cells import says_nothing

Element = etree._Element

_READ_AT_ONCE = 65536
_MOST_INSIDE = 100_000
"""A record has no more elements: one that has is refused, so that no file fills the memory."""

USEBIO_NAMES = toml_beside(__file__, "elements.toml")
"""What the standard calls things."""

_POINTS = USEBIO_NAMES["points"].split()


def walk(file: BinaryIO, containers: Sequence[str], unread: dict[str, str]) -> Iterator[tuple[str, Element]]:
    """Yield the elements of a document in their order, holding one record at a time, and before each what it is.

    ``start``: a container, whose attributes are there and its content not yet. ``record``: a whole element of a
    container that is not one itself; it is gone afterwards. ``instruction``: a processing instruction in a container.
    ``end``: a container again; what was in it is gone.

    file: the document, open at any place.
    containers: their tags; they are in the root, whose tag is the first, or in each other.
    unread: takes the line of each thing that is not read: an element with a text, or an attribute, of a name that none
        of :data:`READ` has: ``HANDICAP``, ``PLAYER RATEABLE``. The line is the first that has one.
    Raises FormatError, with the line, for XML that is not well-formed or has another root; InputError for entities.
    """
    _refuse_entities(file)
    file.seek(0)
    refuse_attributes(file.read().decode("latin-1"))
    file.seek(0)
    events = etree.iterparse(
        file,
        events=("start", "end", "pi"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
    )
    try:
        yield from _steps(events, containers, unread)
    except etree.XMLSyntaxError as error:
        first = next(((each.message, each.line) for each in events.error_log), (error.msg, error.lineno))
        what = f"this XML cannot be read: {first[0]}"
        raise FormatError(what, f"line {first[1]}", "is the file cut off?") from None


def _steps(events: Any, containers: Sequence[str], unread: dict[str, str]) -> Iterator[tuple[str, Element]]:
    within: list[Element] = []
    inside = 0
    for event, element in events:
        top = within[-1] if within else None
        if event == "end":
            _note_unread(element, unread)
        if event == "start":
            if top is None and element.tag != containers[0]:
                raise FormatError(f"its root is <{element.tag}>", line(element), f"write <{containers[0]}>")
            if element.getparent() is top and element.tag in containers:
                within.append(element)
                yield "start", element
            inside += 1
            if inside > _MOST_INSIDE:
                raise InputError(f"there are more than {_MOST_INSIDE} elements in one place", line(element))
        elif top is not None and element is top:
            within.pop()
            yield "end", element
            inside = _forget(element)
        elif top is not None and element.getparent() is top:
            yield "instruction" if event == "pi" else "record", element
            inside = _forget(element)


READ = {*USEBIO_NAMES["read"].split(), *(f"{side}_{points}" for side in ("NS", "EW") for points in _POINTS)}
"""The elements that are read, and those that follow from them."""

_READ_ATTRIBUTES = USEBIO_NAMES["attributes"].split()


def _note_unread(element: Element, unread: dict[str, str]) -> None:
    """Note an element that is not read where it has a text, and its attributes that are not."""
    tag = str(element.tag)
    if tag not in READ and tag not in unread and (element.text or "").strip():
        unread[tag] = line(element)
    for name, value in element.items():
        if name not in _READ_ATTRIBUTES and value:
            unread.setdefault(f"{tag} {name!s}", line(element))


def _forget(element: Element) -> int:
    """Empty an element and take what is before it out of the tree; return how many elements are held of it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
    return 0


def _refuse_entities(file: BinaryIO) -> None:
    """Read the prologue; raise InputError that names the line of an entity's declaration."""
    parser = expat.ParserCreate()
    begun: list[str] = []

    def refuse(*declaration: Any) -> None:
        what = f"entities are not allowed: '{declaration[0]}'"
        raise InputError(what, f"line {parser.CurrentLineNumber}", "write the text itself where it is used")

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, _: begun.append(name)
    try:
        while not begun and (chunk := file.read(_READ_AT_ONCE)):
            parser.Parse(chunk, False)
    except expat.ExpatError as error:
        if not begun:
            what = f"this XML cannot be read: {expat.ErrorString(error.code)}"
            misplaced = error.code == expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI]
            hint = "delete what stands before '<?xml', blanks and blank lines too" if misplaced else ""
            raise FormatError(what, f"line {error.lineno}", hint) from None
    except (LookupError, ValueError) as error:
        what = f"its encoding cannot be read: {error}"
        raise FormatError(what, "line 1", "save it as UTF-8", code=ENCODING) from None


def line(element: Element) -> str:
    """Return where an element begins, as problems name it."""
    return f"line {element.sourceline}"


def text_of(element: Element | None) -> str:
    """Return the text of an element without blanks around it, empty for none.

    Raises InputError for an entity in it, which stands for a text that is not in the file.
    """
    if element is None:
        return ""
    for entity in element.iter(etree.Entity):
        what = f"unknown entity: '{entity.text}'"
        raise InputError(what, line(element), "write the character itself")
    return "".join(map(str, element.itertext())).strip()


def child_text(element: Element, *tags: str) -> str:
    """Return the text of the first child of those tags that has any."""
    return next(filter(None, (text_of(element.find(tag)) for tag in tags)), "")


TARGET = "resultproc"
"""The target of the processing instruction."""

_NUMBERS = ("PAIR_NUMBER", "PLAYER_NUMBER", "TEAM_NUMBER")
"""What holds a contestant's number; of a team it is mostly the attribute ``TEAM_ID``."""

OF_CONTESTANT = {"TOTAL_SCORE": "score", "PERCENTAGE": "percentage"}
OF_PLAYER = {"PLAYER_NAME": "player", "NATIONAL_ID_NUMBER": "id", "CLUB_ID_NUMBER": "home_club"}
"""The contestants' columns that elements of a contestant hold, and those of each of its players."""

OF_PLAY = {"contract": "CONTRACT", "declarer": "PLAYED_BY", "lead": "LEAD", "tricks": "TRICKS"}
"""What says how a result came about, in the order of the standard."""

_ADJUSTED = re.compile(r"A([0-9]{2})([0-9]{2})")
_NOT_PLAYED = {"", "NP"}


def contestant(element: Element) -> dict[str, Any]:
    """Return what a PAIR, TEAM or PLAYER says of itself, in columns of the contestants frame, except for its section.

    A number that ends in its direction, such as ``4NS``, loses it. Raises InputError that names the line.
    """
    where = line(element)
    direction = direction_of(child_text(element, "DIRECTION"))
    name = identifier(element)
    if not name:
        raise InputError(f"this <{element.tag}> has no number", where, "write <PAIR_NUMBER>1</PAIR_NUMBER> in it")
    suffix = direction.replace("-", "") if direction else ""
    record: dict[str, Any] = {
        "number": (name.removesuffix(suffix).strip() if suffix else "") or name,
        "direction": direction,
        **{name: _number(element, tag) for tag, name in OF_CONTESTANT.items()},
        **_award(element),
    }
    players = [element] if element.tag == "PLAYER" else list(element.iter("PLAYER"))
    for n, player in enumerate(players, 1):
        texts = {f"{family}{n}": tidy(child_text(player, tag)) for tag, family in OF_PLAYER.items()}
        record |= {name: text for name, text in texts.items() if not says_nothing(name, text)}
    return {name: value for name, value in record.items() if value not in {None, ""}}


def identifier(element: Element) -> str:
    """Return what a PAIR, TEAM or PLAYER is called in the results of boards."""
    return tidy(child_text(element, *_NUMBERS) or element.get("TEAM_ID", ""))


def _number(element: Element, tag: str) -> float | None:
    found = element.find(tag)
    return None if found is None else number_at(text_of(found), line(found), tag)


def _award(element: Element) -> dict[str, object]:
    """Return the award: hundredths of a masterpoint, by type where the types are known colours.

    Those are whole numbers, which some programs write as ``24.0``; two digits behind a point are of masterpoints.
    """
    total: int = 0
    colours: dict[str, int] = {}
    for part in [element, *element.findall("MASTER_POINTS")]:
        text = child_text(part, "MASTER_POINTS_AWARDED")
        if is_nothing(text):
            continue
        if not re.fullmatch(r"[0-9]{1,7}(?:\.0)?|[0-9]{1,5}\.[0-9]{2}", text):
            what = f"MASTER_POINTS_AWARDED: invalid award: '{text}'"
            raise InputError(what, line(part), "write it in hundredths, 63 for 0.63 masterpoints", code=UNREADABLE)
        won = int(text.replace(".", "") if text[-3:-2] == "." else text.removesuffix(".0"))
        total += won
        colour = child_text(part, "MASTER_POINT_TYPE").lower()
        colours[colour] = colours.get(colour, 0) + won
    if not total:
        return {}
    if not set(colours) <= set(COLOURS):
        return {"printed_award": total}
    return {"printed_award": total, "printed_colours": colours_text({c: n for c, n in colours.items() if n})}


def in_points_of_leagues(sheet: Draft) -> Draft:
    """Return a sheet whose whole numbers are the points of leagues that have whole ones, and else hundredths.

    sheet: all is declared of its games.
    """
    of = {fact["game_id"]: league_named(fact.get("league"), fact.get("rating")) for fact in sheet.facts}
    whole = [leagues()[of[name]].whole for name in sheet.rows["game_id"]]
    if not any(whole):
        return sheet
    rows = Records.of(sheet.rows, len(sheet.rows))
    award, colours = rows.get("printed_award"), rows.get("printed_colours")
    for row in compress(range(len(rows)), whole):
        if award[row] is not None:
            each = {colour: 100 * part for colour, part in colours_in(colours[row] or "").items()}
            award[row], colours[row] = 100 * award[row], colours_text(each) or None
    return replace(sheet, rows=rows)


def award_types(element: Element) -> set[str]:
    """Return the types of a contestant's masterpoints."""
    paid = [element, *element.findall("MASTER_POINTS")]
    types = (child_text(part, "MASTER_POINT_TYPE") for part in paid if child_text(part, "MASTER_POINTS_AWARDED"))
    return {text.lower() for text in types if text}


def hands(board: Element, wrong: list[tuple[str, str]]) -> tuple[int, dict[str, str]] | None:
    """Return the number of a BOARD and its hands in the deals frame's columns, None where it has not all of them.

    wrong: takes where hands are that are no pack of cards, and what is wrong with them.
    """
    number = child_text(board, "BOARD_NUMBER")
    suits = {
        child_text(each, "DIRECTION").lower(): [child_text(each, suit) for suit in SUIT_TAGS]
        for each in board.findall("HAND")
    }
    if not any(map(any, suits.values())):
        return None
    dealt = {seat: suits.get(seat) or suits.get(seat[0]) or [] for seat in HANDS}
    cards = whole_hands(number, dealt, line(board), wrong)
    return (int(number), cards) if cards else None


SUIT_TAGS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")

RESULT = (
    *("board", "ns", "ew", "ns_partner", "ew_partner"),
    *("score", "ns_adjusted", "ew_adjusted", "printed_ns", "printed_ew"),
    *PLAYED,
)
"""The columns of the boards frame that each of :func:`results` has."""


def results(board: Element, match: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the results of a BOARD, see :data:`RESULT`, the pairs as the file calls them.

    match: what the MATCH around it says, where its lines name no pairs. Boards that were not played are left out, and
    those of individuals that do not name all four. Raises InputError that names the line.
    """
    lines = board.findall("TRAVELLER_LINE")
    if not lines:
        return
    played = _number(board, "BOARD_NUMBER")
    if played is None or not 0 < played < 10_000 or played != int(played):
        raise InputError("this board has no number", line(board), "write <BOARD_NUMBER>1</BOARD_NUMBER> in it")
    for each in lines:
        pairs, text = _pairs(each, match), child_text(each, "SCORE").upper()
        if pairs is None or text in _NOT_PLAYED:
            continue
        adjusted = _ADJUSTED.fullmatch(text)
        yield (
            int(played),
            *pairs,
            None if adjusted else _number(each, "SCORE"),
            float(adjusted[1]) if adjusted else None,
            float(adjusted[2]) if adjusted else None,
            _points(each, "NS"),
            _points(each, "EW"),
            *how_played(*(child_text(each, OF_PLAY[name]) for name in PLAYED)).values(),
        )


def _pairs(each: Element, match: Mapping[str, str]) -> tuple[str, str, str | None, str | None] | None:
    """Return who sat N-S and E-W; for individuals, who sat N and E, S and W; None where not all of them are named."""
    north_south, east_west = (
        tidy(child_text(each, tag)) or match.get(tag, "") for tag in ("NS_PAIR_NUMBER", "EW_PAIR_NUMBER")
    )
    if north_south and east_west:
        return north_south, east_west, None, None
    team, opponents = match.get("TEAM", ""), match.get("OPPOSING_TEAM", "")
    if team and opponents:
        sat = (team, opponents) if child_text(each, "DIRECTION") != "EW" else (opponents, team)
        return *sat, None, None
    north, east, south, west = (tidy(child_text(each, f"{seat}_PLAYER_NUMBER")) for seat in "NESW")
    if north:
        return (north, east, south, west) if east and south and west else None
    raise InputError("this result does not name both pairs", line(each), "write <NS_PAIR_NUMBER> and <EW_PAIR_NUMBER>")


def _points(each: Element, side: str) -> float | None:
    return next((_number(each, tag) for tag in (f"{side}_{p}" for p in _POINTS) if child_text(each, tag)), None)


def in_rounds(matches: Iterable[Mapping[str, str]]) -> dict[str, dict[int, list[SwissMatch]]]:
    """Return the matches of each team by round, as the elements of each MATCH say: the other team and victory points.

    What names no round, or no points, is left out.
    """
    found: dict[str, dict[int, list[SwissMatch]]] = {}
    for each in matches:
        teams = each.get("TEAM", ""), each.get("OPPOSING_TEAM", "")
        scores = each.get("TEAM_SCORE", ""), each.get("OPPOSING_TEAM_SCORE", "")
        known = all(map(_POINTS_OF_MATCH, scores)) and all(
            re.fullmatch(r"[^\s,;]*[0-9][^\s,;]*", team) for team in teams
        )
        if not known or not re.fullmatch("[1-9][0-9]?", each.get("ROUND_NUMBER", "")):
            continue
        for team, other, score in (*zip(teams, teams[::-1], scores, strict=True),):
            of_round = found.setdefault(team, {}).setdefault(int(each["ROUND_NUMBER"]), [])
            of_round.append(SwissMatch(other, None, float(score)))
    return found


_POINTS_OF_MATCH = re.compile(r"[0-9]{1,3}(\.[0-9]{1,2})?").fullmatch


def added_columns(node: Element) -> dict[str, Any]:
    """Return what a processing instruction adds, by column; nothing of one that is somebody else's.

    Raises InputError that names the line.
    """
    if not isinstance(node, etree._ProcessingInstruction) or node.target != TARGET:
        return {}
    try:
        content = parsed_json(node.text or "")
        if not isinstance(content, dict):
            raise ValueError("not an object")
    except ValueError as error:
        what = f"this <?{TARGET} ...?> cannot be read: {error}"
        raise InputError(what, line(node), "leave it as it was, or delete it") from None
    return content


def checked_value(frame: Frame, name: str, value: Any, where: str) -> Any:
    """Return a value that was added to a column of a frame; raise InputError where it does not fit.

    name: the column's.
    value: as JSON has it, None for nothing.
    where: where the value is, for messages.
    """
    column = frame.column(name)
    if column is None or name in {"game_id", "source", "where"}:
        raise InputError(f"unknown column '{name}'", where)
    if not _fits(column, value):
        raise InputError(f"invalid {name}: {json.dumps(value)}", where, code=UNREADABLE)
    return float(value) if column.dtype == "float64" and value is not None else value


def _fits(column: Column, value: Any) -> bool:
    if value is None:
        return not column.required
    if column.dtype == "bool":
        return isinstance(value, bool)
    if column.dtype == "str":
        if column.kind is DIRECTION:
            return value in (NORTH_SOUTH, EAST_WEST)
        # JSON may spell half of a character, which is no text.
        return isinstance(value, str) and not re.search("[\ud800-\udfff]", value) and tidy(value) == value != ""
    if column.dtype == "Int64":
        low, high = (0, MAX_MASTERPOINTS) if column.kind is AWARD_KIND else (-LARGEST, LARGEST)
        return type(value) is int and low <= value <= high
    return type(value) in {int, float} and abs(value) <= LARGEST
