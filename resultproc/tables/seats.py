"""Who sits where, as people write it: ``3 NS``, ``A12``, a section written once for all below, two names in a cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

from resultproc.model.codes import PASSED_OVER
from resultproc.model.column_names import PLACE_COLUMN, meanings_of
from resultproc.model.directions import direction_headed, direction_of
from resultproc.model.errors import InputError, Problem, collapse_repeats
from resultproc.model.game import EAST_WEST
from resultproc.model.grid import Records
from resultproc.model.places import NUMBER_SIGN, ORDINAL_ENDING, place_of
from resultproc.model.text import counted, tidy
from resultproc.model.understood import SECTION_AND_DIRECTION
from resultproc.people.names import (
    LIKE_A_NAME,
    Player,
    are_bare,
    are_several,
    is_one_name,
    names_in,
    players_of,
    split_players,
)
from resultproc.tables.cells import cell_value
from resultproc.tables.heads import names_teams, without_facts
from resultproc.tables.list_columns import rises

_NUMBER = r"[0-9]{1,3}"
_SEAT = re.compile(rf"(?:([A-Z]{{1,2}})[\s-]?)?({_NUMBER})(?:[\s-]*([^\W\d].*))?", re.IGNORECASE)
_SIDE_FIRST = re.compile(rf"([^\W\d][^\d]*?)[\s-]*({_NUMBER})", re.IGNORECASE)


def seats_of_sheet(title: str) -> dict[str, str]:
    """Return the section, and the direction if any, that the name of a sheet tells; A where it tells none."""
    return {"section": "A"} | seats_told_by(title)


def seats_told_by(title: str) -> dict[str, str]:
    """Return the section and direction that the name of a sheet tells, nothing where it tells neither."""
    if len(title) > 1 and (direction := direction_of(title)):
        return {"direction": direction}
    found = re.fullmatch(r"(?:section\s+)?([A-Z]{1,2})(?:\s+(\S.*))?", tidy(title), re.IGNORECASE)
    direction = direction_of(found[2]) if found and found[2] else None
    if found is None or (found[2] and not direction):
        return seats_told(tidy(title))
    if len(found[1]) > 1 and (told := seats_told(tidy(title))):
        return told
    return {"section": found[1].upper()} | ({"direction": direction} if direction else {})


_NO_SEAT = "direction|line|field|pairs?|results?|ranking|winners|scores?|howell|mitchell|movement"
"""What a heading may say besides the seats."""


def _seats_in(heading: str) -> dict[str, str]:
    """Return the section and the direction that a row above contestants tells, such as ``Section B, East-West pairs``.

    Nothing where it says anything else. A single letter tells nothing.
    """
    text = re.sub(r"[,:;()]+", " ", re.sub(r"(?<!\s)\s*[-\u2013\u2014/&]\s*", "-", heading))
    text = tidy(re.sub(rf"\b({_NO_SEAT})\b", " ", text, flags=re.I))
    if len(text) < 2:
        return {}
    found = re.fullmatch(r"(?:section ([A-Z]{1,2})|([A-Z])(?= \S))? ?(.*)", text, re.IGNORECASE)
    if found is None:
        return {}
    section, side = found[1] or found[2], found[3]
    direction = direction_of(side) if len(side) > 1 else None
    if side and not direction:
        return {}
    return ({"section": section.upper()} if section else {}) | ({"direction": direction} if direction else {})


def seats_told(text: str) -> dict[str, str]:
    """Return the section and direction that a heading tells, in any of the languages; a note is in brackets behind."""
    noted = re.fullmatch(r"(.*\S)\s+\(([^()]{3,})\)", text)
    if noted and not seats_told(noted[2]):
        return seats_told(noted[1])
    bare = re.sub("[:()]", " ", text).strip()
    if direction := direction_headed(bare):
        return {"direction": direction}
    found = re.fullmatch(
        r"([^\W\d_]{3,})\.?[\s-]+([A-Z]|[0-9]{1,3})(?:[\s,;-]+(.+))?|([A-Z])[\s-]+([^\W\d_]{4,})", bare
    )
    if found and "section" in meanings_of(found[1] or found[5]):
        direction = direction_headed(found[3] or "")
        if bool(direction) == bool(found[3]):
            return {"section": found[2] or found[4]} | ({"direction": direction} if direction else {})
    return _seats_in(text)


def seats_headed(text: str) -> dict[str, str]:
    """Return the section and direction that a heading tells beside counts of its own: ``Section A - 2 tables``."""
    counted = re.search("[0-9]", text) is not None
    return seats_told(text) or (seats_told(re.sub(r"[\s,;(|\u2013-]+$", "", without_facts(text)[0])) if counted else {})


def part_players(records: Records, heads: Mapping[str, str], together: bool, exact: bool) -> list[Problem]:
    """Give each player a column, and what stands beside names: seats, places, member numbers, strata.

    heads: what heads each column of players.
    together: whether one column is said to have the names of all; else these are parted where each row has several.
    exact: whether the names are as a program wrote them: nothing stands beside them.
    Returns remarks on notes beside names.
    """
    columns = sorted(filter(_PLAYER.fullmatch, records), key=lambda name: int(name.removeprefix("player")))
    if not columns:
        return []
    if not exact:
        _take_directions(records, columns[0])
        _take_seats(records, columns[0])
    texts = [[name or "" for name in records[column]] for column in columns]
    alone = len(columns) == 1
    gaps = [] if exact else [gap for each in texts for gap in _gaps_behind(each)]
    if alone and any("  " in text for text in texts[0]):
        texts = [_without_gaps(texts[0], exact)]
        records[columns[0]] = [text or None for text in texts[0]]
    several = not (alone or exact) and any(2 * sum(map(are_several, each)) > len(each) for each in texts)
    if not (alone or several) and all(map(are_bare, texts)):
        return _joined_over_gaps(records, columns, gaps)
    if alone or several:
        parted = [
            _names(each, heads.get(column, ""), together or several)
            for column, each in zip(columns, texts, strict=True)
        ]
        listed = parted[0] if alone else [list(chain.from_iterable(each)) for each in zip(*parted, strict=True)]
    else:
        listed = [list(each) for each in zip(*texts, strict=True)]
    doubts = _of_first(records, listed) if alone and names_teams(heads.get(columns[0], "")) else []
    people = _players(records, listed, together=alone, exact=exact)
    beside = any(player.member or player.notes for each in people for player in each)
    if beside:
        _take_beside_last(records, people)
    width = max(map(len, people))
    if width > len(columns):
        columns = [f"player{n}" for n in range(1, width + 1)]
    for n, column in enumerate(columns):
        players = [each[n] if n < len(each) else _NOBODY for each in people]
        records[column] = [player.name or None for player in players]
        ids = f"id{column.removeprefix('player')}"
        if beside and ids not in records and any(player.member for player in players):
            records[ids] = [player.member or None for player in players]
    doubts += _joined_over_gaps(records, columns, gaps)
    return doubts + (notes_beside(people, [str(where) for where in records["where"]]) if beside else [])


def _gaps_behind(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return the cells of names with several blanks behind a whole name, and that with what follows: ``Bob Elm  Elks``.

    Where most cells have them, they are how the list is laid out.
    """
    parts = [(n, *text.rpartition("  ")) for n, text in enumerate(texts) if "  " in text]
    found = []
    for n, before, _, behind in parts if 2 * len(parts) <= len(texts) else ():
        name = (names_in(before) or [""])[-1]
        if " " in name and len(names_in(behind)) == 1 and not is_one_name(name, behind):
            found.append((n, tidy(f"{name} {behind}")))
    return found


def _joined_over_gaps(records: Records, columns: Sequence[str], gaps: Sequence[tuple[int, str]]) -> list[Problem]:
    """Return the remarks on names that have several blanks within them in the file."""
    what, hint = (
        "'{}' is taken for one name: in the file it has several blanks within it",
        "put what is no name in brackets",
    )
    return [
        Problem(what.format(name), str(records["where"][n]), hint, code=PASSED_OVER)
        for n, name in gaps
        if any(records[column][n] == name for column in columns)
    ]


def _of_first(records: Records, listed: Sequence[Sequence[str]]) -> list[Problem]:
    """Return the remark on teams each of whose cells has more names than a team needs: the first may be its own."""
    if not listed or any(len(each) <= _OF_A_TEAM for each in listed):
        return []
    what = f"'{listed[0][0]}', and the first of the names in each other row, is taken for a player"
    return [Problem(what, str(records["where"][0]), "if it is the name of the team, write it into a column of its own")]


def _without_gaps(texts: Sequence[str], exact: bool) -> list[str]:
    """Return the names in cells without several blanks in a row; between whole names a sign parts them instead.

    They part names where no other sign does, in a list whose cells have several names, and what is behind most pairs.
    """
    plain = [tidy(text) for text in texts]
    if exact:
        return plain
    parts = [re.split(" {2,}", text) for text in texts]
    behind = [len(each) == 2 and are_several(each[0]) and len(names_in(each[1])) == 1 for each in parts]
    if 2 * sum(behind) > len(texts):
        pairs = [" & ".join(names) if len(names := names_in(each[0])) == 2 else each[0] for each in parts]
        return [
            f"{pair} \u00b7 {each[1]}" if has else text
            for pair, each, has, text in zip(pairs, parts, behind, plain, strict=True)
        ]
    parting = [
        sum(" " in part for part in each) > 1
        and all((" " in part and part[-1] != ",") or part.isdecimal() for part in each)
        and len(names_in(text)) == 1
        for each, text in zip(parts, plain, strict=True)
    ]
    several = sum(parts_it or are_several(text) for parts_it, text in zip(parting, plain, strict=True))
    of_one = sum(parts_it and is_one_name(*each[:2]) for parts_it, each in zip(parting, parts, strict=True))
    if 2 * several <= len(texts) or 2 * of_one > sum(parting):
        return plain
    return [" / ".join(each) if parts_it else text for each, parts_it, text in zip(parts, parting, plain, strict=True)]


def _players(records: Records, listed: list[list[str]], *, together: bool, exact: bool) -> list[list[Player]]:
    """Return the players of contestants, with what stands beside their names; refuse a row of more than any has."""
    width = max(map(len, listed))
    if width > _MOST_PLAYERS:
        where = next(w for w, each in zip(records["where"], listed, strict=True) if len(each) == width)
        raise InputError(f"this row names {width} players", str(where), "write a row for each contestant")
    return players_of(listed, together=together and width > 1, noted=not exact)


_PLAYER = re.compile("player[1-9][0-9]?")
_NOBODY = Player("")


def _take_directions(records: Records, column: str) -> None:
    """Take directions that stand before all names of a column into a column of their own: ``N-S Ash & Birch``."""
    parts = [(name or "").partition(" ") for name in records[column]]
    if not any(records.get("direction")) and all(name and direction_headed(word) for word, _, name in parts):
        records["direction"] = [direction_headed(word) for word, *_ in parts]
        records[column] = [name for *_, name in parts]


def _take_seats(records: Records, column: str) -> None:
    """Take seats or places that stand before the names of a column into a column of their own, where there is none."""
    texts = [name or "" for name in records[column]]
    seats, beside = seats_beside(texts), "number"
    if seats and "number" in records:
        numbers = [str(number or "") for number in records["number"]]
        if all(re.findall("[0-9]+", seat) == [number] for (seat, _), number in zip(seats, numbers, strict=True)):
            records[column] = [name for _, name in seats]
            return
        if PLACE_COLUMN not in records and 1 in map(place_of, numbers):  # places, and the numbers with the names
            records[PLACE_COLUMN] = list(records.pop("number"))
    elif not seats:
        seats = _before_names(_PLACE_BESIDE, texts)
        numbers = [re.sub(rf"(?i)^{NUMBER_SIGN}\s?(?=[0-9])", "", seat).strip(" .():#") for seat, _ in seats]
        seats = [(number, name) for number, (_, name) in zip(numbers, seats, strict=True)]
        if "number" in records and numbers == [*map(str, records["number"])]:
            records[column] = [name for _, name in seats]
            return
        first = "number" in records and 1 in map(place_of, numbers)  # else they may be members' numbers or handicaps
        placed = PLACE_COLUMN not in records and (first or rises(numbers))
        beside = PLACE_COLUMN if placed else "number"
    if seats and beside not in records:
        found = [seat.strip(" .):#") for seat, _ in seats]
        records[beside] = [
            (seat and (seat if beside == PLACE_COLUMN else cell_value(beside, seat))) or None for seat in found
        ]
        records[column] = [name for _, name in seats]


def _names(texts: Sequence[str], head: str, together: bool) -> list[list[str]]:
    """Return the players in each cell of a column; of a team whose players are not listed its name."""
    if together and (players := _players_of_teams(texts)):
        return players
    names = (_teams_in(texts) if together else []) or split_players(texts)
    two = (len(each) == 2 and all(map(LIKE_A_NAME.search, each)) for each in names)
    if not together and not (len(texts) > 1 and all(two)):
        return [[text] for text in texts]
    led = [len(each) for each in names if _is_team_first(each)]
    if 2 * len(led) > len(names):
        return [each[1:] if len(each) >= min(led) else each for each in names]
    if not names_teams(head):
        return names
    if led and all(len(each) > _OF_A_TEAM for each in names):  # one that is no player's tells of all
        behind = split_players([text.partition(" / ")[2] for text in texts])
        return behind if all(len(each) >= _OF_A_TEAM for each in behind) else [each[1:] for each in names]
    several = 2 * sum(len(each) > 1 for each in names) > len(names)
    return [each if several else [text] for text, each in zip(texts, names, strict=True)]


def _players_of_teams(texts: Sequence[str]) -> list[list[str]]:
    """Return the players behind the names of teams, which another sign parts from them: ``Elks: Ann Ash, Bob Birch``.

    Nothing where most cells are no such teams.
    """
    if not any(re.fullmatch(_TEAM_FIRST, text) for text in texts[:_SHOWN]):
        return []
    behind = [re.sub(_TEAM_FIRST, r"\1", text) for text in texts]
    players = _teams_in(behind) or split_players(behind)
    found = sum(
        rest != text and len(each) >= _OF_A_TEAM for rest, text, each in zip(behind, texts, players, strict=True)
    )
    return players if 2 * found > len(texts) else []


_TEAM_FIRST = (
    r"^[^:/,;]{1,60}?(?:\s?:\s(?!.*:\s)|\s/\s(?!.*/)|\s[-\u2013\u2014]\s(?!.*\s[-\u2013\u2014]\s))"
    r"\s*(\S.*(?:[,;/&\u2013\u2014]|\s-\s).*\S)$"
)
"""A sign that stands once in a text, before others."""


def _is_team_first(names: Sequence[str]) -> bool:
    """Say whether the first of some texts is a team's name: no person's, or of one word where all others have two.

    Digits of a member number or a note, which may stand beside any name, do not tell; and where a sign parts the team's
    name from a player's in it, as in ``Team 7: Ann Ash``, it is not taken for the team's alone.
    """
    if len(names) < _OF_A_TEAM or re.search("[:/,;&]|[0-9]{4}.*[^0-9)]$", names[0]):
        return False
    first, *players = (player.name for player in players_of([names])[0])
    alone = " " not in first and all(" " in name for name in players)
    return alone or names_teams(first) or re.search("[0-9]", first) is not None


_OF_A_TEAM = 4
"""The least players of a team."""


def _take_beside_last(records: Records, people: list[list[Player]]) -> None:
    """Take the strata or numbers that stand beside the last names of contestants into a column of their own."""
    for name, pattern in _BESIDE_LAST.items():
        if name not in records and (told := told_beside(people, pattern)):
            records[name] = [text or None for text in told]


_BESIDE_LAST = {"stratum": "([A-F])", "number": rf"(?i)(?:{NUMBER_SIGN}|#)\s?([0-9]{{1,3}})"}


def told_beside(people: list[list[Player]], pattern: str) -> list[str]:
    """Return what stands beside the last names of contestants, taken off these; nothing where few have it.

    pattern: of such a note, with what it tells as its group.
    """
    found = [next(filter(None, (re.fullmatch(pattern, note) for note in names[-1].notes)), None) for names in people]
    if sum(map(bool, found)) < max(_MOST_HAVE * len(people), 2):
        return []
    for names, each in zip(people, found, strict=True):
        names[-1] = names[-1]._replace(notes=tuple(note for note in names[-1].notes if not each or note != each[0]))
    return [each[1] if each else "" for each in found]


_MOST_HAVE = 0.8
"""As large a part of a list shows what stands beside its names."""


def notes_beside(people: Sequence[Sequence[Player]], where: Sequence[str]) -> list[Problem]:
    """Return the remarks on what stands beside names and is none of their parts, each note once."""
    noted = [
        (note, player.name, at)
        for names, at in zip(people, where, strict=True)
        for player in names
        for note in player.notes
    ]
    remarks = []
    for note in dict.fromkeys(note for note, *_ in noted):
        (_, name, at), *more = [each for each in noted if each[0] == note]
        whose = f"'{name}'" + (f", and of {counted(len(more), 'other')}," if more else "")
        what = f"'{note}' beside the name of {whose} is taken for a note"
        remarks.append(Problem(what, at, "write it into a column of its own if it tells something", code=PASSED_OVER))
    return remarks


def seats_beside(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the seat before the names in each cell, ``A3 Ash - Birch``, and the rest; none where few have one."""
    return _before_names(_SEAT_BESIDE, texts)


def _before_names(what: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    # Few names have digits, and none need be looked at then.
    if not any(re.search("[0-9]", text) and re.fullmatch(what, text, re.DOTALL) for text in texts[:_SHOWN]):
        return []
    found = [re.fullmatch(what, text, re.DOTALL) for text in texts]
    if len(texts) < 2 or sum(map(bool, found)) < _MOST_HAVE * len(texts):
        return []
    return [(each[1], each[2]) if each else ("", text) for each, text in zip(found, texts, strict=True)]


_SEAT_BESIDE = (
    rf"((?:[^\W\d_]{{1,2}}|[^\W\d_]-[^\W\d_])[ -]?{_NUMBER}|{_NUMBER} ?[NSEWO]{{2}})[.:)]?\s+((?:\D|\d{{4}}).*)"
)

_SHOWN = 5
"""What stands before most names of a list stands before one of so many."""

_PLACE_BESIDE = (
    rf"((?:[=#T]|(?i:{NUMBER_SIGN})\s?|\((?=[0-9]+\)))?{_NUMBER}(?:{ORDINAL_ENDING}|[/-]{_NUMBER})?=?(?:[.):]\s*|\s+))"
    r"([^\W\d_].*)"
)


def joined_players(records: Records) -> Records:
    """Return contestants whose players have a row each as one row: these stand together, with one seat and score."""
    scores = [name for name in ("score", "percentage") if name in records]
    if "player2" in records or not scores:
        return records
    alike = zip(*(records.get(name) for name in ("game_id", *SECTION_AND_DIRECTION, "number", *scores)), strict=True)
    runs = [[n for n, _ in run] for _, run in groupby(enumerate(alike), lambda each: each[1])]
    players = [[records.get("player1")[n] for n in run] for run in runs]
    if not all(1 < len(set(names)) == len(names) <= _MOST_OF_A_TEAM for names in players):
        return records
    joined = []
    for run in runs:
        row = {name: records[name][run[0]] for name in records}
        for player, n in enumerate(run[1:], 2):
            row |= {f"{name[:-1]}{player}": records[name][n] for name in _OF_PLAYER if name in records}
        joined.append(row)
    return Records(joined)


_MOST_OF_A_TEAM = 8

_OF_PLAYER = ("player1", "id1", "mp1")
"""What each player has."""


def _teams_in(texts: Sequence[str]) -> list[list[str]]:
    """Return the names of teams that commas separate in every row, four at least: a single name may have a comma.

    The first may be that of the team, in one word.
    """
    if not all("," in text for text in texts):
        return []
    names = [[part.strip() for part in text.split(",")] for text in texts]
    return names if all(len(each) > 3 and all(" " in name for name in each[1:]) for each in names) else []


_MOST_PLAYERS = 99


def seats_of_numbers(texts: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the section, number and direction of each number, such as ``3 NS``, ``EO 3`` or ``A12``.

    A section or direction is empty where no number has one; none of them where not all numbers have the same of these.
    """
    first = [(found[1], found[2]) for found in map(_SIDE_FIRST.fullmatch, texts) if found]
    if len(first) == len(texts):
        letters = {side.upper() for side, _ in first}
        west = EAST_WEST if letters == {"N", "O"} else ""  # Ost, Oost, Ouest
        sides = [direction_of(side) or west for side, _ in first]
        # A letter alone may be that of a section.
        if all(sides) and (len(set(sides)) > 1 or all(len(side) > 1 for side, _ in first)):
            return [("", number, side) for (_, number), side in zip(first, sides, strict=True)]
    found = [each.groups("") for each in map(_SEAT.fullmatch, texts) if each]
    seats = [(section.upper(), number, direction_of(side) or "") for section, number, side in found]
    known = all(bool(side) == bool(seat[2]) for (*_, side), seat in zip(found, seats, strict=True))
    alike = len(found) == len(texts) and len({bool(side) for *_, side in seats}) == 1
    return seats if known and alike else []


def split_numbers(records: Records) -> None:
    """Take the section and direction that all numbers have out of these, into columns of their own.

    Raises InputError for a row that has no number, and where a direction is another than the one that the row has.
    """
    texts = records["number"]
    if None in texts:  # a seat that stands where the names are lost is taken for one
        raise InputError(
            "this row has no number", str(records["where"][texts.index(None)]), "write one for every contestant"
        )
    if any(text.isdecimal() for text in texts):
        return
    signed = [re.fullmatch(_SIGNED, text) for text in texts]
    if all(signed):
        records["number"] = _without_zeros(found[1] or found[2] for found in signed if found)
        return
    if any(name.startswith(("round", "swiss")) for name in records):
        return  # matches name other teams by their numbers
    seats = seats_of_numbers(texts)
    if not seats:
        return
    sections, numbers, directions = zip(*seats, strict=True)
    if all(directions):
        _set_directions(records, directions)
        records["number"] = _without_zeros(numbers)
    beside = zip(records.get("section"), sections, strict=True)
    if all(sections) and all(said in {None, section} for said, section in beside):
        records["section"] = list(sections)
        records["number"] = _without_zeros(numbers)


_SIGNED = rf"(?i:(?:#|\((?=[0-9]+\))|{NUMBER_SIGN}) ?([0-9]{{1,4}})[.:)]?|([0-9]{{1,4}})[.:)])"
"""A number with a sign before or behind it: ``No. 3``, ``#3``, ``(3)``, ``3.``."""


def _without_zeros(numbers: Iterable[str]) -> list[str]:
    return [str(int(number)) for number in numbers]


def _set_directions(records: Records, directions: Sequence[str]) -> None:
    there = zip(records.get("direction"), directions, records["where"], strict=True)
    other = [where for said, direction, where in there if said is not None and said != direction]
    if other:
        what = "the number of this row names another direction than the row has"
        raise InputError(Problem(what, where, "correct one of them") for where in other)
    records["direction"] = directions


def fill_seats(records: Records) -> None:
    """Fill in the section, and the direction, that is written once for all rows below it.

    A direction holds on to the next one of its section where each is written once; elsewhere an empty one stays empty.
    Raises InputError for a row without a section, where others have one.
    """
    games = records.get("game_id")
    if "section" in records and None in records["section"]:
        records["section"] = _carried(records["section"], games)
        lacking = [w for w, section in zip(records["where"], records["section"], strict=True) if section is None]
        if lacking:
            what = "this row has no section, but others do"
            raise InputError(collapse_repeats([Problem(what, where, "name the section") for where in lacking], {what}))
    if "direction" not in records or None not in records["direction"] or not any(records["direction"]):
        return
    groups = list(zip(games, records.get("section"), strict=True))
    written = Counter(each for each in zip(groups, records["direction"], strict=True) if each[1] is not None)
    several = {group for (group, _), count in written.items() if count > 1}
    filled = _carried(records["direction"], groups)
    there = zip(groups, records["direction"], filled, strict=True)
    records["direction"] = [said if group in several else carried for group, said, carried in there]


def _carried(texts: Iterable[str | None], groups: Iterable[object]) -> list[str | None]:
    """Return texts with the empty ones as the last one before them in their group."""
    last: dict[object, str] = {}
    found = []
    for text, group in zip(texts, groups, strict=True):
        if text is not None:
            last[group] = text
        found.append(last.get(group))
    return found
