"""Text: a listing for each section and direction, in the columns of ACBLscore's, and below them what is declared.

What a listing has no column for follows it: the list of members (numbers, holdings; what part of an event each of a
team played, and what each is awarded) and the declarations, below a line that names the game. Ranks are printed only
where they pay, colours of awards where a game pays others than black. It all reads back through
:mod:`resultproc.formats.text.reader`; InputError is raised for the game that would not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from resultproc.formats.registry import Writer
from resultproc.formats.text.lines import FIELDS, NOTHING_THERE, SEAT, kind
from resultproc.formats.text.listing import TO_STRATUM
from resultproc.model.arrays import row_dicts
from resultproc.model.columns import Column
from resultproc.model.directions import DIRECTIONS_IN_FULL
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS, CONTESTANTS, FrameRow, Result
from resultproc.model.game import EventType, leagues, number_text, parse_strata, parse_tables
from resultproc.model.language import in_words
from resultproc.model.places import ranks_in
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.text import cell_text, text_there
from resultproc.model.whose_points import colours_in, in_points, league_named
from resultproc.pages.annotated import LISTED, annotated, cell_as_text, declaring_lines, game_keys, in_quotes
from resultproc.pages.tables import aligned
from resultproc.pages.words import WIDTH
from resultproc.tables.cells import cell_value
from resultproc.tables.titles import unquoted

_CALLED = {EventType.PAIRS.value: "Pair", EventType.INDIVIDUAL.value: "Player"}
"""What the first column is called; for teams, Team."""

_RANKS = {"printed_section": "Section Rank", "printed_overall": "Overall Rank"}

_NARROW_RANKS = {"printed_section": "Sectn Rank", "printed_overall": "O/All Rank"}
"""The same where there is little room, as ACBLscore writes them."""

_PITCH = 6
"""How far apart the ranks of two strata are, unless they are wide."""

_NARROW_PITCH = 4
"""The same on a screen that is too narrow for it."""

_GAP = 2
"""Blanks between two columns at least."""


class ListingLayout(NamedTuple):
    """The columns that the listings of one game share."""

    left: dict[str, str]  # the contestants' columns left of the ranks, the number first, and their labels
    ranks: dict[str, str]  # the columns of ranks that are shown, and their labels
    letters: tuple[str, ...]  # of the strata
    pitch: int  # how far apart their ranks are
    widths: dict[str, int]  # of the columns left of the ranks, and of what follows these

    def header(self) -> list[str]:
        """Return the two lines above the rows."""
        labels, letters = self._left(self.left), ""
        for name, start in self._groups().items():
            labels = labels.ljust(start) + in_words(self.ranks[name])
            for i, letter in enumerate(self.letters):
                letters = letters.ljust(start + i * self.pitch) + letter
        return [
            labels.ljust(self._end()) + self._right({name: in_words(name) for name in self._last()}).rstrip(),
            letters,
        ]

    def row(self, row: FrameRow) -> str:
        """Return the line of one contestant; raise InputError for what no listing can show."""
        line = self._left({name: _number(row, name) for name in self.left})
        for name, start in self._groups().items():
            if name == "printed_section" and _stratum(row):
                line = line.ljust(start - TO_STRATUM) + _stratum(row)
            ranks = ranks_of(row, name)
            for i, letter in enumerate(self.letters):
                text = ranks.get(letter, "") + ("NE" if i == 0 and not row["eligible"] else "")
                line = line.ljust(start + i * self.pitch - min((len(text) - 1) // 2, 2)) + text if text else line
        return (line.ljust(self._end()) + self._right(last_of(row))).rstrip()

    def starts(self) -> list[int]:
        """Return where the columns begin: those left of the ranks, all ranks, and each of what follows these."""
        starts, start = [0], 0
        for name in self.left:
            start += self.widths[name] + _GAP
            starts.append(start)
        start = self._end()
        for name in self._last():
            starts.append(start)
            start += self.widths[name]
        return starts

    def _left(self, texts: Mapping[str, str]) -> str:
        return (" " * _GAP).join(in_words(texts[name]).rjust(self.widths[name]) for name in self.left)

    def _right(self, texts: Mapping[str, str]) -> str:
        return "".join(texts[name].ljust(self.widths[name]) for name in self._last())

    def _last(self) -> list[str]:
        return [name for name in ("MPs", "Colours", "Names") if name in self.widths]

    def _groups(self) -> dict[str, int]:
        """Return where the ranks begin: those in the section, and overall."""
        wide = max(len(self.letters) * self.pitch, max(len(in_words(label)) for label in self.ranks.values()) + _GAP)
        first = len(self._left(dict.fromkeys(self.widths, ""))) + TO_STRATUM + _GAP
        return {name: first + i * wide for i, name in enumerate(self.ranks)}

    def _end(self) -> int:
        """Return where the ranks end."""
        *_, last = self._groups().values()
        *_, label = self.ranks.values()
        return last + max(len(self.letters) * self.pitch, len(in_words(label)) + _GAP)


def listing_of(game: FrameRow, rows: Sequence[FrameRow], *, narrow: bool = False) -> ListingLayout:
    """Return the columns of a game's listings, of annotated contestants: those that hold anything.

    narrow: whether the ranks are as close to each other as can be.
    Raises InputError as :meth:`ListingLayout.row` does.
    """
    called = _NARROW_RANKS if narrow else _RANKS
    labels = (each for column in LISTED for each in _labels(column, rows))
    known = {name: label for name, label in labels if any(_number(row, name) for row in rows)}
    left = {"number": contestant_label(game), **known}
    ranks = [name for name in _RANKS if any(pd.notna(row[name]) for row in rows)]
    texts = [[*ranks_of(row, name).values()] for row in rows for name in _RANKS]
    letters = {letter for row in rows for name in _RANKS for letter in ranks_of(row, name)}
    letters |= {letter for row in rows if (letter := _stratum(row))}
    if isinstance(game["strata"], str):
        letters |= {stratum.letter for stratum in parse_strata(game["strata"])}
    widest = max((len(text) for each in texts for text in each), default=1) + 2 * (
        not all(row["eligible"] for row in rows)
    )
    last = [last_of(row) for row in rows]
    widths = {
        name: max(len(in_words(label)), *(len(_number(row, name)) for row in rows)) for name, label in left.items()
    }
    widths |= {
        name: max(len(in_words(name)), *(len(texts[name]) for texts in last)) + _GAP
        for name in ("MPs", "Colours", "Names")
        if name != "Colours" or any(texts[name] for texts in last)
    }
    return ListingLayout(
        left,
        {name: label for name, label in called.items() if name in {"printed_section", *ranks}},
        tuple(sorted(letters)) or ("A",),
        max(_NARROW_PITCH, widest + 1) if narrow else max(_PITCH, widest + _GAP),
        widths,
    )


def _labels(column: Column, rows: Iterable[FrameRow]) -> Iterator[tuple[str, str]]:
    """Yield the contestants' columns of a declared column that the listings may have, and the labels above them."""
    if not column.numbered:
        yield column.name, column.short
        return
    families = ("session", "section", "direction") if column.family == "session" else (column.family,)
    for number in range(1, 1 + max((last_seat(row, *families) for row in rows), default=0)):
        yield column.of(number), f"{column.short} {number}"


def contestant_label(game: FrameRow) -> str:
    """Return what the contestants of a game are called: Pair, Player or Team."""
    return _CALLED.get(game["event_type"], "Team") if isinstance(game["event_type"], str) else "Pair"


def token(text: str) -> str:
    """Return a text as it can be between blanks: in double quotes unless it is a plain word or number."""
    return text if re.fullmatch(r"[A-Za-z0-9]+", text) else in_quotes(text)


def ranks_of(row: FrameRow, name: str) -> dict[str, str]:
    """Return the ranks of a contestant by stratum; raise InputError where they are not printed by strata."""
    text = text_there(row[name])
    ranks = ranks_in(text)
    if text and not ranks:
        raise _unfit(row, f"the printed rank '{text}'", "write it with its stratum: A=1, B=2/3")
    return ranks


def _stratum(row: FrameRow) -> str:
    """Return the letter of a contestant's stratum, '' for none; raise InputError for what is no letter."""
    text: str = text_there(row["stratum"])
    if not re.fullmatch("[A-Z]?", text):
        raise _unfit(row, f"the stratum '{text}'", "write its letter, such as B")
    return text


def last_seat(row: FrameRow, *whats: str) -> int:
    """Return the last number of the columns of some families in which a contestant's row holds something."""
    of_these = {name: value for name, value in row.items() if name.startswith(whats)}  # few of many columns
    numbered = re.compile(f"(?:{'|'.join(whats)})([0-9]+)")
    seats = (numbered.fullmatch(name) for name, value in of_these.items() if pd.notna(value))
    return max((int(seat[1]) for seat in seats if seat), default=0)


def name_of(row: FrameRow, seat: int) -> str:
    """Return the name of a seat's player, '' for none."""
    name = row.get(f"player{seat}")
    return cell_text(name) if isinstance(name, str) else ""


def last_of(row: FrameRow) -> dict[str, str]:
    """Return what is behind the ranks: award, colours, names."""
    return {"MPs": in_words(_award(row)), "Colours": _colours(row), "Names": _names(row)}


def _number(row: FrameRow, name: str) -> str:
    """Return the text of a column left of the ranks; for a session with where it was played."""
    value = row.get(name)
    if name == "number":
        text = cell_text(value)
        return text if re.fullmatch(r"-?[A-Za-z]{0,3}[0-9]+[A-Za-z]{0,3}", text) else in_quotes(text)
    if value is None or pd.isna(value):
        text = ""
    else:
        text = CONTESTANTS.declared(name).kind.listed(value)
        text = checked_text(row, name, text if re.fullmatch("[A-Za-z0-9,.-]+", text) else in_quotes(text))
    seat = ""
    if name.startswith("session"):
        section, direction = (row.get(name.replace("session", what)) for what in ("section", "direction"))
        seat = token(cell_text(section)) if isinstance(section, str) else ""
        seat += f"/{direction}" if isinstance(direction, str) else ""
    return f"{text}({seat})" if seat else text


def checked_text(row: FrameRow, name: str, text: str) -> str:
    """Return the text of a contestant's column; raise InputError where what the column holds would not read back."""
    value = row[name]
    try:
        again = cell_value(name, unquoted(text))
    except ValueError as error:
        raise _unfit(row, f"{name} '{value}'", str(error)) from None
    listed = CONTESTANTS.declared(name).kind.listed
    if again != value and not (isinstance(again, float) and listed(again) == listed(value)):  # as of percentages
        raise _unfit(row, f"{name} '{value}'", f"it would be read back as '{again}'")
    return text


def _award(row: FrameRow) -> str:
    award, by = row["printed_award"], row["printed_paid_by"]
    text: str = checked_text(row, "printed_award", in_points(int(award), row["league"])) if pd.notna(award) else ""
    if not isinstance(by, str):
        return text
    if not text or not re.fullmatch("[A-Za-z+]{1,12}", by):
        raise _unfit(row, f"the award '{text}' paid by '{by}'", "such as 0.90 paid by A, or by SB")
    return text + (" " if len(by) == 1 else "") + f"({by})"


def _colours(row: FrameRow) -> str:
    """Return the colours of an award that is not simply black: ``0.22 black, 0.22 red``, or those alone."""
    text: str = text_there(row["printed_colours"])
    if all(word in COLOURS for word in text.split(", ")):
        return text
    parts = colours_in(text)
    if text and not parts:
        raise _unfit(row, f"the colours '{text}'", "such as black=0.22, red=0.22")
    return ", ".join(f"{in_points(part, row['league'])} {colour}" for colour, part in parts.items())


def _names(row: FrameRow) -> str:
    """Return the players' names; a name that would be read as several is in double quotes."""
    texts = [name_of(row, seat) for seat in range(1, last_seat(row, "player") + 1)]
    odd = [not text or text.startswith('"') or " - " in f" {text} " for text in texts]
    return " - ".join(in_quotes(text) if is_odd else text for text, is_odd in zip(texts, odd, strict=True))


def _unfit(row: FrameRow, what: str, right: str) -> InputError:
    seat: Iterable[object] = (row["section"], row["direction"], row["number"])
    who = " ".join(str(each) for each in seat if isinstance(each, str))
    return InputError(f"a listing has no room for {what}", f"contestant {who} of {row['game_id']}", right)


def write(result: Result) -> bytes:
    """Return the games as UTF-8 text. Raises InputError for a game that cannot be written so, and says why."""
    return _listings(result, declared=True)


def screen(result: Result) -> bytes:
    """Return the same without the lines that declare the games, and no wider than a screen; raise like :func:`write`.

    A row that is wider goes on in the lines below it, under labels of their own; the reader reads these, too.
    """
    return _listings(result, declared=False)


def _listings(result: Result, declared: bool) -> bytes:
    contestants = dict(iter(annotated(result).groupby("game_id", sort=False)))
    games = [_game(game, contestants.get(game["game_id"]), declared) for game in row_dicts(result.games)]
    if declared:
        games[-1] += f"\n# {PROVENANCE_KEY}: {result.provenance.line()}\n"
    text = "\n\n".join(games)
    # A text that begins with the sign that marks UTF-8 would lose it in reading.
    return text.encode("utf-8-sig" if text.startswith("\ufeff") else "utf-8")


def _game(game: FrameRow, contestants: pd.DataFrame | None, declared: bool) -> str:
    if contestants is None:
        raise InputError(f"the game {game['game_id']} has no contestant", hint="a sheet lists at least one")
    league = league_named(game["league"], game["rating"])
    usual = "".join(leagues()[league].points_colours[:1])  # which goes without saying
    if contestants["printed_colours"].dropna().str.fullmatch(rf"{usual}=[0-9.]+").all():
        contestants = contestants.assign(printed_colours=pd.Series(None, contestants.index, dtype="str"))
    rows: Sequence[FrameRow] = row_dicts(contestants.assign(league=league))
    listing = listing_of(game, rows)
    fold = None if declared else _fold(game, rows, listing)
    listing = fold.listing if fold else listing
    sides: dict[tuple[str, str], list[FrameRow]] = {}
    for row in rows:
        direction = text_there(row["direction"])
        sides.setdefault((row["section"], direction), []).append(row)
    lines: list[str] = []
    for (section, direction), those in sides.items():
        lines += [*_heading(game, section, direction), *(fold or listing).header()]
        for row in those:
            lines += fold.rows(listing.row(row)) if fold else [listing.row(row)]
        lines.append("")
    lines += [*_members(rows), *(declaring_lines(game) if declared else [])]
    return "\n".join(lines).rstrip("\n") + "\n"


class Fold(NamedTuple):
    """How the lines of a listing are cut that are wider than a screen."""

    listing: ListingLayout  # the listing itself
    cuts: tuple[int, ...]  # where the lines that a row becomes begin in it
    indent: int  # where those below the first begin on the screen

    def header(self) -> list[str]:
        """Return the labels of each line, and below those of the ranks the letters."""
        labels, letters = self.listing.header()
        both = zip(self._cut(labels), self._cut(letters), strict=True)
        return [line for each in both for line in each if line]

    def rows(self, line: str) -> list[str]:
        """Return a row as the lines that it becomes, a dash for one that is empty; names go on below themselves."""
        names = self.listing.starts()[-1]
        *above, last = self._cut(line[:names])
        at = self._shown(names)
        first, *more = _broken(line[names:], WIDTH - at)
        lines = [*above, (last.ljust(at) + first).rstrip()]
        lines = [each or " " * self.indent + NOTHING_THERE for each in lines]
        return [*lines, *(" " * at + text for text in more)]

    def _cut(self, line: str) -> list[str]:
        """Return the parts of a line as they are shown, '' for what is empty."""
        ends = [*self.cuts[1:], None]
        parts = [line[start:end].rstrip() for start, end in zip(self.cuts, ends, strict=True)]
        return [" " * (self.indent if at else 0) + part if part else "" for at, part in enumerate(parts)]

    def _shown(self, column: int) -> int:
        """Return where a column of the last part is on the screen."""
        return column - self.cuts[-1] + (self.indent if len(self.cuts) > 1 else 0)


def _fold(game: FrameRow, rows: Sequence[FrameRow], listing: ListingLayout) -> Fold | None:
    """Return how the lines of a listing are cut, None where they are narrow enough; ranks move together first."""
    if max(map(len, (*listing.header(), *map(listing.row, rows)))) <= WIDTH:
        return None
    listing = listing_of(game, rows, narrow=True)
    starts = listing.starts()
    longest = max((len(piece) for row in rows for piece in _pieces(_names(row))), default=0)
    ends = [*(start - _GAP for start in starts[1:]), starts[-1] + longest]
    indent = listing.widths["number"] + _GAP
    cuts = [0]
    award = len(listing.left) + 1
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if end - cuts[-1] + (indent if len(cuts) > 1 else 0) > WIDTH and start > cuts[-1]:
            # The award is on one line with its colours and the names where these have room there.
            together = at > award and cuts[-1] < starts[award] and ends[-1] - starts[award] + indent <= WIDTH
            cuts.append(starts[award] if together else start)
    fold = Fold(listing, tuple(cuts), indent)
    # A name that would be taken for something else at the beginning of a line, such as '#1', stays where it is.
    odd = any(kind(line) not in {"row", "text"} for row in rows for line in fold.rows(listing.row(row)))
    return None if odd else fold


def _pieces(names: str) -> list[str]:
    """Return the names of a row one by one, each with the dash that follows it."""
    return re.split("(?<= -) ", names)


def _broken(names: str, room: int) -> list[str]:
    """Return the names of a row as lines that are as wide as there is room, cut after a dash."""
    lines = [""]
    for piece in _pieces(names):
        if lines[-1] and len(lines[-1]) + 1 + len(piece) > room:
            lines.append("")
        lines[-1] = f"{lines[-1]} {piece}" if lines[-1] else piece
    return lines


def _heading(game: FrameRow, section: str, direction: str) -> list[str]:
    """Return the lines above a listing: the club; event, session and date; tables, section and direction."""
    keys = game_keys(game)
    session = f"{keys['session']} {in_words('Session')}" if "session" in keys else ""
    date = in_words(f"{game['date']:%B} {game['date'].day}, {game['date'].year}") if "date" in keys else ""
    title = " ".join(text for text in (keys.get("event", ""), session, date) if text) or cell_text(game["game_id"])
    of_section = parse_tables(keys.get("tables", ""))
    tables = of_section.get(section, of_section.get(""))
    count = "" if tables is None else in_words(f"{number_text(tables)} table{'s' * (tables != 1)}") + "  "
    side = in_words(DIRECTIONS_IN_FULL.get(direction, ""))
    seat = f"{in_words('Section')}  {token(cell_text(section))}  {side}".rstrip()
    return [*([_quoted_if_not_text(keys["club"])] if "club" in keys else []), _quoted_if_not_text(title), count + seat]


def _quoted_if_not_text(text: str) -> str:
    """Return a text so that the line is taken for nothing else."""
    return text if kind(text) == "text" else in_quotes(text)


def _members(rows: Sequence[FrameRow]) -> list[str]:
    """Return the list of what is known of single players besides their names, nothing where there is nothing."""
    fields = [
        label
        for label, family in FIELDS.items()
        if family in {"id", "mp"} or any(last_seat(row, family) for row in rows)
    ]
    seats = [line for row in rows for line in _seats(row, fields)]
    if not seats:
        return []
    labels = (*SEAT, *fields, "Name")
    return [*aligned([labels, *seats], range(len(labels))), ""]


def _seats(row: FrameRow, fields: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the line of each player of a contestant, as far as any of them has something in the fields."""
    direction = row["direction"] if isinstance(row["direction"], str) else "-"
    seat_of = (token(cell_text(row["section"])), direction, token(cell_text(row["number"])))
    for seat in range(1, last_seat(row, *FIELDS.values()) + 1):
        texts = {name: cell_as_text(name, row.get(name)) for name in (f"{FIELDS[label]}{seat}" for label in fields)}
        for name, text in texts.items():
            if text:
                texts[name] = token(text) if isinstance(row[name], str) else checked_text(row, name, text)
        yield (*seat_of, *(text or "-" for text in texts.values()), name_of(row, seat) or "-")


WRITER = Writer("text", "text", (".txt",), write, screen=screen)
