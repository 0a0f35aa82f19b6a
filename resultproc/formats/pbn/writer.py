"""Portable Bridge Notation, version 2.1, in its export format: a game for each board, with the tables of results.

The forms are the standard's (tistis.nl/pbn, version 2.1 of 2017): 2.2 and 2.3 for characters and lines, 3.2 to 3.4 for
tokens and the fifteen tags of every game, 5.2 for tables, ``ScoreTable`` and ``TotalScoreTable`` for their columns. The
total table is in the first game of an event. Pairs that all have a direction are called ``4NS`` and ``4EW``.
``Section``, ``Direction``, ``Lead``, ``TotalVP`` and, for individuals, ``PlayerId_North`` and so on are columns of
one's own, which the standard allows and programs write. What was adjusted has a caret before it. The file is in
ISO 8859-1, as the standard has it; where that lacks a letter it is in UTF-8. Its third line says which.

What the standard has no place for is left out: member numbers, holdings, strata, masterpoints, most keys of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

import pandas as pd

from resultproc.formats.pbn.reader import PLAYED_AS
from resultproc.formats.registry import Writer, decode
from resultproc.model.arrays import family_columns, family_number, row_dicts
from resultproc.model.at_the_table import SEATS, dealer, vulnerable
from resultproc.model.errors import ImpossibleError
from resultproc.model.frames import FrameRow, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.numbers import number_cell
from resultproc.model.play import HANDS, percentage_of, points_are, refuse_sessions, tricks_of, with_points
from resultproc.model.text import cell_text
from resultproc.pages.annotated import game_keys, text_of_result, upload_places
from resultproc.people.names import are_several

_UNKNOWN, _NONE, _ARTIFICIAL = "?", "-", "^"
"""What stands for an element that is not known or says nothing, and before a score that was not made at the table."""

IDS = {
    EventType.PAIRS.value: "PairId",
    EventType.INDIVIDUAL.value: "PlayerId",
    EventType.SWISS.value: "TeamId",
    EventType.BAM.value: "TeamId",
}
"""The column of the contestants' numbers, of each kind of event that PBN has tables for."""

_BARE = re.compile(r'[^\x00-\x20\x7f-\U0010ffff\[\]{};"%]+')
_LEFT = {"Contract", "Names"}

_Names = Mapping[tuple[str, str, str], str]
"""What contestants are called in the tables, by section, direction ('' for none) and number."""

_Table = dict[str, list[str]]


def pbn_string(text: str) -> str:
    """Return a text as a string of PBN."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _contestant_names(listed: pd.DataFrame) -> _Names:
    """Return what the contestants of an event are called: ``4NS`` where all have a direction, else by their number.

    Raises OutputError for a number or section that PBN would take for another thing.
    """
    directed = listed["direction"].notna().all()
    found = {}
    for section, direction, number in _seats(listed):
        wrong = next((text for text in (section, number) if is_taken(text)), None)
        if wrong is not None:
            what = f"no room for a contestant or section that is called '{wrong}'"
            raise ImpossibleError(what, hint="PBN has another meaning for that: give it a number")
        found[section, direction, number] = number + direction.replace("-", "") if directed else number
    return found


def _seats(listed: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    return zip(listed["section"], listed["direction"].fillna(""), listed["number"], strict=True)


def is_taken(text: str) -> bool:
    """Return whether PBN reads an element as no name."""
    return text in {_UNKNOWN, _NONE} or text.startswith(_ARTIFICIAL)


def _total_table(kind: str, scoring: str, listed: pd.DataFrame, names: _Names) -> list[str]:
    total = "VP" if kind == EventType.SWISS else {"MP": "MP", "IMP": "IMP", "BAM": "MP"}.get(scoring, "Score")
    seats = max(map(family_number, family_columns(listed)), default=0)
    table = {
        **_said({"Rank": [place.removesuffix("=") if isinstance(place, str) else _NONE for place in listed["place"]]}),
        IDS[kind]: [_element(names[seat]) for seat in _seats(listed)],
        **_sections(listed),
        **_directions(listed),
        f"Total{total}": _numbers(listed["score"]),
        **_said({"MeanPercentage": _numbers(listed["percentage"])}),
        **_said({"Names": [_together(row, seats) for row in row_dicts(listed)]}),
    }
    return _lines("TotalScoreTable", table)


def _said(table: _Table) -> _Table:
    """Return the columns in which there is anything."""
    return {name: elements for name, elements in table.items() if set(elements) - {_NONE}}


def _sections(frame: pd.DataFrame) -> _Table:
    return {"Section": list(map(_element, frame["section"]))} if (frame["section"] != "A").any() else {}


def _directions(listed: pd.DataFrame) -> _Table:
    """Return the directions of contestants where their names do not tell them, or seem to."""
    known = listed["direction"].notna()
    needed = not known.all() and (known.any() or listed["number"].str.endswith(("NS", "EW")).any())
    return {"Direction": listed["direction"].fillna(_NONE).tolist()} if needed else {}


def _numbers(values: pd.Series[float]) -> list[str]:
    return [_NONE if pd.isna(value) else number_cell(value) for value in values]


def _together(row: FrameRow, seats: int) -> str:
    names = (row.get(f"player{seat}") for seat in range(1, seats + 1))
    players = [cell_text(name) if isinstance(name, str) else "" for name in names]
    wrong = next((player for player in players if ";" in player), None)
    if wrong is not None:
        hint = "PBN parts names by ';': write the name without"
        raise ImpossibleError(f"no room for the name '{wrong}'", hint=hint)
    text = ";".join(players).rstrip(";")
    if not text:
        return _NONE
    # What else may part names, or stand for none, does not where there is a semicolon.
    return pbn_string(text if ";" in text or not (are_several(text) or is_taken(text)) else text + ";")


def _score_table(boards: pd.DataFrame, of_section: bool, points: str, names: _Names) -> list[str]:
    rows = row_dicts(boards)
    if boards["ns_partner"].notna().any():
        seats = {"North": "ns", "South": "ns_partner", "East": "ew", "West": "ew_partner"}
        sat = {f"PlayerId_{seat}": [_name(row, name, names) for row in rows] for seat, name in seats.items()}
    else:
        sat = {f"PairId_{side.upper()}": [_name(row, side, names) for row in rows] for side in ("ns", "ew")}
    scores = list(map(_scores, rows))
    table = {
        **sat,
        **(_sections(boards) if of_section else {}),
        **_said({title: [text_of_result(row[name]) or _NONE for row in rows] for title, name in PLAYED_AS.items()}),
        **{f"Score_{side}": [score[n] for score in scores] for n, side in enumerate(("NS", "EW"))},
        **_said({f"{points}_{side.upper()}": [_points(row, side) for row in rows] for side in ("ns", "ew")}),
        **_said({f"Percentage_{side.upper()}": [_percentage(row, side) for row in rows] for side in ("ns", "ew")}),
    }
    return _lines("ScoreTable", table)


def _name(row: FrameRow, column: str, names: _Names) -> str:
    """Return what the contestant is called that sat somewhere, by its number where it is not listed."""
    if pd.isna(row[column]):
        return _UNKNOWN
    direction = NORTH_SOUTH if column.startswith("ns") else EAST_WEST
    seats = ((row["section"], each, row[column]) for each in (direction, ""))
    return _element(next((names[seat] for seat in seats if seat in names), row[column]))


def _scores(row: FrameRow) -> tuple[str, str]:
    """Return the scores of both sides: that of the one that got it, or both where a ruling gave each its own."""
    if pd.isna(row["score"]):
        return _NONE, _NONE
    if not pd.isna(row["ew_score"]):
        return _ARTIFICIAL + number_cell(row["score"]), _ARTIFICIAL + number_cell(row["ew_score"])
    return (_NONE, number_cell(-row["score"])) if row["score"] < 0 else (number_cell(row["score"]), _NONE)


def _points(row: FrameRow, side: str) -> str:
    ruled = not all(pd.isna(row[name]) for name in ("ns_adjusted", "ew_adjusted", "ew_score"))
    value = row[f"{side}_points"]
    return _NONE if pd.isna(value) else _ARTIFICIAL * ruled + number_cell(value)


def _percentage(row: FrameRow, side: str) -> str:
    value = percentage_of(row, side)
    adjusted = not pd.isna(row[f"{side}_adjusted"])
    return _NONE if pd.isna(value) else _ARTIFICIAL * adjusted + number_cell(value)


def _element(text: str) -> str:
    return text if _BARE.fullmatch(text) else pbn_string(text)


def _lines(tag: str, table: _Table) -> list[str]:
    """Return a table as lines, its columns as wide as they have to be."""
    widths = {name: max(map(len, elements)) for name, elements in table.items()}
    *others, last = table
    header = [rf"{name}\{widths[name]}{'L' if name in _LEFT else 'R'}" for name in others]
    header.append(last if last in _LEFT else rf"{last}\{widths[last]}R")
    padded = [
        [element.ljust(widths[name]) if name in _LEFT else element.rjust(widths[name]) for element in elements]
        for name, elements in table.items()
    ]
    return [f'[{tag} "{";".join(header)}"]', *(" ".join(row).rstrip() for row in zip(*padded, strict=True))]


_LONGEST = 253
"""How long a line may be: 255 characters with the two that end it."""

_COMPETITIONS = {"PairId": "Pairs", "PlayerId": "Individuals", "TeamId": "Teams"}
_VULNERABLE = {"none": "None", NORTH_SOUTH: "NS", EAST_WEST: "EW", "both": "All"}


def write(result: Result) -> bytes:
    """Return the games as PBN, with the results of their boards and the hands.

    Raises OutputError for what PBN cannot tell: knockouts and teams of two, boards of several sessions, two games of
    one name and date, and names that it cannot spell.
    """
    refuse_sessions(result.boards, "PBN")
    listed, played = result.contestants.assign(place=upload_places(result)), with_points(result)
    lines: list[str] = []
    events: set[tuple[str, str]] = set()
    for game in row_dicts(result.games):
        of_game = (frame[frame["game_id"] == game["game_id"]] for frame in (listed, played, result.deals))
        event = _Event(game, *of_game)
        name = event.tags["Event"], event.tags["Date"]
        if name in events:
            what = f"several games are called '{name[0]}' and were played on {name[1]}"
            raise ImpossibleError(what, hint="PBN tells games apart by name and date: write each to its own file")
        events.add(name)
        lines += event.lines()
    long = next((line for line in lines if len(line) > _LONGEST), None)
    if long is not None:
        what = f"a line would have {len(long)} characters: {long[:60]}..."
        raise ImpossibleError(what, hint=f"lines of PBN have at most {_LONGEST}: shorten the names")
    content = "\n".join([*lines[1:], ""])
    for charset in ("ISO-8859-1", "UTF-8"):  # the standard's, if it is read from that as it was written
        text = f"% PBN 2.1\n% EXPORT\n%Content-type: text/x-pbn; charset={charset}\n%Creator: resultproc\n{content}"
        with suppress(UnicodeEncodeError):
            data = text.encode(charset)
            if decode(data) == text:
                break
    return data.replace(b"\n", b"\r\n")


class _Event:
    """A game of ours, which is an event of PBN: its contestants with their places, and its boards as they were dealt
    and played. Raises OutputError for a kind of event that PBN has no tables for.
    """

    def __init__(self, game: FrameRow, listed: pd.DataFrame, boards: pd.DataFrame, deals: pd.DataFrame) -> None:
        keys = game_keys(game)
        self.kind = keys.get("event_type", EventType.PAIRS.value)
        if self.kind not in IDS:
            hint = "PBN has no tables for that: write xlsx, csv or json"
            raise ImpossibleError(f"the event is a {self.kind}", hint=hint)
        self.listed, self.boards = listed, boards
        self.hands: dict[int, FrameRow] = {row["board"]: row for row in row_dicts(deals)}
        self.points = points_are(boards)
        self.scoring = self._scoring()
        self.tags = {
            "Event": keys.get("event", _UNKNOWN),
            "Site": keys.get("club", _UNKNOWN),
            "Date": keys.get("date", "????-??-??").replace("-", "."),
        }

    def _scoring(self) -> str:
        if self.kind == EventType.BAM:
            return "BAM"
        if self.boards[["ns_points", "ew_points"]].notna().any(axis=None):
            return self.points
        if self.kind == EventType.SWISS or (self.listed["score"] < 0).any():
            return "IMP"
        return "MP" if self.listed["percentage"].notna().any() else _UNKNOWN

    def lines(self) -> Iterator[str]:
        """Yield the lines of its games, each after an empty one: its boards, or one without a board."""
        names = _contestant_names(self.listed)
        total = _total_table(self.kind, self.scoring, self.listed, names)
        several = bool((self.boards["section"] != "A").any())
        numbers = sorted({*self.boards["board"].tolist(), *self.hands})
        for board in numbers or [None]:
            rows = self.boards[self.boards["board"] == board]
            yield ""
            for name, value in self._tags(board, rows).items():
                # A sign of its own would stand for the value of the game before.
                marked = value == "#" or value.startswith("##")
                yield f"[{name} {pbn_string(' ' * marked + value)}]"
            yield from _made(self.hands.get(board) if board else None)
            if len(rows):
                yield from _score_table(rows, several, self.points, names)
            yield from total
            total = []

    def _tags(self, board: int | None, rows: pd.DataFrame) -> dict[str, str]:
        one = rows.iloc[0] if len(rows) == 1 else None
        played = dict.fromkeys(("Declarer", "Contract", "Result"), "")  # of several results nothing is said
        if one is not None:
            told = played if one["contract"] != "Pass" else ("Contract",)
            played |= {tag: text_of_result(one[PLAYED_AS[tag]]) or _UNKNOWN for tag in told}
        return {
            **self.tags,
            "Board": _UNKNOWN if board is None else str(board),
            **dict.fromkeys(("West", "North", "East", "South"), "" if one is None else _UNKNOWN),
            "Dealer": _UNKNOWN if board is None else dealer(board),
            "Vulnerable": _UNKNOWN if board is None else _VULNERABLE[vulnerable(board)],
            "Deal": _UNKNOWN if board is None or board not in self.hands else self._deal(board),
            "Scoring": self.scoring,
            **played,
            "Competition": _COMPETITIONS[IDS[self.kind]],
        }

    def _deal(self, board: int) -> str:
        """Return the hands of a board, the dealer's first."""
        first = SEATS.index(dealer(board))
        return f"{SEATS[first]}:" + " ".join(self.hands[board][HANDS[(first + n) % 4]] for n in range(4))


def _made(hands: FrameRow | None) -> Iterator[str]:
    if hands is None:
        return
    if not pd.isna(hands["par"]):
        yield f'[OptimumScore "{"NS" if hands["par"] >= 0 else "EW"} {abs(int(hands["par"]))}"]'
    if isinstance(hands["makeable"], str):
        yield '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'
        for (seat, denomination), tricks in tricks_of(hands["makeable"]).items():
            yield f"{seat} {denomination:>2} {tricks:>2}"


_COLUMNS = {"section", "direction", "number", "player", "score", "percentage", "printed_section", "printed_overall"}

WRITER = Writer("pbn", "PBN", (".pbn",), write, boards=True, columns=_COLUMNS)
