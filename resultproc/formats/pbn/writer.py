"""Portable Bridge Notation, version 2.1, in its export format: a game for each board, with the tables of results.

The forms are the standard's (tistis.nl/pbn, version 2.1 of 2017): 2.2 and 2.3 for characters and lines, 3.2 to 3.4 for
tokens and the fifteen tags of every game, 5.2 for tables, ``ScoreTable`` and ``TotalScoreTable`` for their columns. The
total table is in the first game of an event. Pairs that all have a direction are called ``4NS`` and ``4EW``.
``Section``, ``Direction``, ``Lead``, ``TotalVP`` and, of individuals, ``PlayerId_North`` and the like are columns of
one's own, which the standard allows and programs write. What was adjusted has a caret before it. The file is in
ISO 8859-1, as the standard has it; where that lacks a letter it is in UTF-8. Its third line says which.

What the standard has no place for is left out: member numbers, holdings, strata, masterpoints, most keys of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import game_keys, upload_places
from resultproc.formats.common.play import points_are, tricks_of, with_points
from resultproc.formats.pbn.tables import IDS, PLAYED, UNKNOWN, contestant_names, pbn_string, score_table, total_table
from resultproc.formats.registry import Writer, decode
from resultproc.model.errors import OutputError
from resultproc.model.frames import Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType
from resultproc.model.seats import SEATS, dealer, vulnerable

_LONGEST = 253
"""How long a line may be: 255 characters with the two that end it."""

_COMPETITIONS = {"PairId": "Pairs", "PlayerId": "Individuals", "TeamId": "Teams"}
_VULNERABLE = {"none": "None", NORTH_SOUTH: "NS", EAST_WEST: "EW", "both": "All"}
_HANDS = ("north", "east", "south", "west")

FrameRow = Mapping[Any, Any]


def write(result: Result) -> bytes:
    """Return the games as PBN, with the results of their boards and the hands.

    Raises OutputError for what PBN cannot tell: knockouts and teams of two, boards of several sessions, two games of
    one name and date, and names that it cannot spell.
    """
    if (result.boards["session"] > 1).any():
        raise _impossible("there are boards of several sessions", "PBN takes the boards of one session")
    listed, played = result.contestants.assign(place=upload_places(result)), with_points(result)
    lines: list[str] = []
    events: set[tuple[str, str]] = set()
    for game in result.games.to_dict("records"):
        of_game = (frame[frame["game_id"] == game["game_id"]] for frame in (listed, played, result.deals))
        event = _Event(game, *of_game)
        name = event.tags["Event"], event.tags["Date"]
        if name in events:
            what = f"several games are called '{name[0]}' and were played on {name[1]}"
            raise _impossible(what, "PBN tells games apart by name and date: write each to its own file")
        events.add(name)
        lines += event.lines()
    long = next((line for line in lines if len(line) > _LONGEST), None)
    if long is not None:
        what = f"a line would have {len(long)} characters: {long[:60]}..."
        raise _impossible(what, f"lines of PBN have at most {_LONGEST}: shorten the names")
    return _encoded(lines[1:])


def _impossible(what: str, hint: str) -> OutputError:
    return OutputError(what, hint=hint, code="output.impossible")


def _encoded(lines: Sequence[str]) -> bytes:
    """Return the file in the standard's ISO 8859-1 if it is read from that as it was written, else in UTF-8."""
    content = "\n".join([*lines, ""])
    for charset in ("ISO-8859-1", "UTF-8"):
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
            raise _impossible(f"the event is a {self.kind}", "PBN has no tables for that: write xlsx, csv or json")
        self.listed, self.boards = listed, boards
        self.hands: dict[int, FrameRow] = {row["board"]: row for row in deals.to_dict("records")}
        self.points = points_are(boards)
        self.scoring = self._scoring()
        self.tags = {
            "Event": keys.get("event", UNKNOWN),
            "Site": keys.get("club", UNKNOWN),
            "Date": keys.get("date", "????-??-??").replace("-", "."),
        }

    def _scoring(self) -> str:
        """Return how it was scored, ``?`` where nothing tells."""
        if self.kind == EventType.BAM:
            return "BAM"
        if self.boards[["ns_points", "ew_points"]].notna().any(axis=None):
            return self.points
        if self.kind == EventType.SWISS or (self.listed["score"] < 0).any():
            return "IMP"
        return "MP" if self.listed["percentage"].notna().any() else UNKNOWN

    def lines(self) -> Iterator[str]:
        """Yield the lines of its games, each after an empty one: its boards, or one without a board."""
        names = contestant_names(self.listed)
        total = total_table(self.kind, self.scoring, self.listed, names)
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
                yield from score_table(rows, several, self.points, names)
            yield from total
            total = []

    def _tags(self, board: int | None, rows: pd.DataFrame) -> dict[str, str]:
        """Return the tags of a board, the standard's fifteen in their order first."""
        one = rows.iloc[0] if len(rows) == 1 else None
        played = {tag: _only(one, PLAYED[tag]) for tag in ("Declarer", "Contract", "Result")}
        return {
            **self.tags,
            "Board": UNKNOWN if board is None else str(board),
            **dict.fromkeys(("West", "North", "East", "South"), "" if one is None else UNKNOWN),
            "Dealer": UNKNOWN if board is None else dealer(board),
            "Vulnerable": UNKNOWN if board is None else _VULNERABLE[vulnerable(board)],
            "Deal": UNKNOWN if board is None or board not in self.hands else _deal(board, self.hands[board]),
            "Scoring": self.scoring,
            **played,
            "Competition": _COMPETITIONS[IDS[self.kind]],
        }


def _only(result: pd.Series[Any] | None, name: str) -> str:
    """Return what the only result of a board says, nothing where there are several, or where nobody bid."""
    if result is None or (result["contract"] == "Pass" and name != "contract"):
        return ""
    return UNKNOWN if pd.isna(result[name]) else str(result[name])


def _made(hands: FrameRow | None) -> Iterator[str]:
    """Yield the lines of a board's par, and of what each seat can make, where they are known."""
    if hands is None:
        return
    if not pd.isna(hands["par"]):
        yield f'[OptimumScore "{"NS" if hands["par"] >= 0 else "EW"} {abs(int(hands["par"]))}"]'
    if isinstance(hands["makeable"], str):
        yield '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]'
        for (seat, denomination), tricks in tricks_of(hands["makeable"]).items():
            yield f"{seat} {denomination:>2} {tricks:>2}"


def _deal(board: int, hands: FrameRow) -> str:
    """Return the hands of a board, the dealer's first."""
    first = SEATS.index(dealer(board))
    return f"{SEATS[first]}:" + " ".join(hands[_HANDS[(first + place) % 4]] for place in range(4))


WRITER = Writer("pbn", "PBN", (".pbn",), write, boards=True)
