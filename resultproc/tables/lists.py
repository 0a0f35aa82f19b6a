"""Rows to lists of contestants: where tables begin and end, and what their columns are taken for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from statistics import median_low

from resultproc.model.column_names import meanings_of, side_of
from resultproc.model.dates import date_in, with_english_months
from resultproc.model.directions import direction_headed
from resultproc.model.errors import Problem
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.grid import Cell, Row
from resultproc.model.numbers import may_score, number_of, share_of
from resultproc.model.places import DITTO, place_of
from resultproc.model.text import folded
from resultproc.model.understood import ListRead, Taken, Told, Understood, told_seats
from resultproc.people.names import LIKE_A_NAME, are_initials, split_players
from resultproc.people.nobody import nobody_in
from resultproc.tables.heads import (
    BOARD_COLUMN,
    NAMES,
    RANKING_COLUMNS,
    SEATS_NAMED,
    UNREAD,
    called,
    events_named,
    is_head,
)
from resultproc.tables.list_columns import LOOKED_AT, ListColumn, list_columns
from resultproc.tables.seats import seats_headed, seats_of_numbers, seats_told
from resultproc.tables.sums import is_sum


@dataclass
class Listing:
    """A table as it stands in the file."""

    head: Row | None  # its header, None where it has none
    rows: list[Row] = field(default_factory=list)  # what is below, headings between the rows included
    above: list[Row] = field(default_factory=list)  # the titles since the table before
    seats: dict[str, str] = field(default_factory=dict)  # the section and direction that are told above it
    columns: list[ListColumn] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)  # which headings tell these, and those between its rows
    # Rows right above and below that are as long as a contestant's, and lack what one has.
    cut: list[Row] = field(default_factory=list)
    size: int = 0  # how many columns there are, where another list beside it has as many

    def tell(self, where: str, text: str) -> None:
        """Take the section and direction that a heading above tells."""
        seats = seats_headed(text)
        self.seats |= seats
        self.told += told_seats(seats, where, text)

    def tell_by_its_heads(self) -> None:
        """Take the direction that headings of columns name, such as ``N-S players``, where nothing above tells one."""
        heads = [column.head for column in self.columns if column.name != "direction"]
        sides = {side for head in heads if (side := side_of(head) or direction_headed(head))}
        seated = {column.name for column in self.columns} & {*SEATS_NAMED}
        sides |= {direction for direction, seats in _SEATS.items() if seated == seats}
        if self.head and len(sides) == 1 and "direction" not in self.seats:
            seats = {"direction": sides.pop()}
            self.seats |= seats
            self.told += told_seats(seats, self.head.where, " ".join(self.head.texts))

    def texts(self, row: Row) -> list[str]:
        """Return the texts of a row, as many as there are columns."""
        found = [cell.text for cell in row.cells[: self.width]]
        return found + [""] * (self.width - len(found))

    def texts_of(self, column: int) -> list[str]:
        """Return the texts of a column, one for each row."""
        return [row.cells[column].text if column < len(row.cells) else "" for row in self.rows]

    @property
    def width(self) -> int:
        """How many columns there are."""
        if self.head:
            return len(self.head.cells)
        return len(self.columns) or self.size or max((len(row.cells) for row in self.rows[:LOOKED_AT]), default=0)

    def has(self, *names: str) -> bool:
        """Say whether a column is taken for one of some names."""
        return any(column.name in names for column in self.columns)

    def is_contestant(self, row: Row) -> bool:
        """Say whether a row has a name, and a score, in the columns of these."""
        return self.is_scored(row) and self.name_in(row) != ""

    def is_scored(self, row: Row) -> bool:
        """Say whether a row has a score."""
        texts = zip(self.columns, self.texts(row), strict=True)
        return any(column.name in RANKING_COLUMNS and may_score(text) for column, text in texts)

    def join_rows(self) -> None:
        """Make one row of those of each contestant: one of them has the score, and the others its other names.

        The one with the score is the first of them, the last one, or the second of three.
        """
        if self.head is None and self.above and not self.rows[0].after_gap:
            lines = [self.above[-1], *self.rows]
            self.rows[:0] = [self.above.pop()] if self._sizes(lines, "(?:NF)+") else []
        rows: list[Row] = []
        for _, part in groupby(self.rows, lambda row: self._kind(row) == "-"):
            left = [*part]
            for size in self._sizes(left, "(?:N+F)+|(?:NSN)+") or self._sizes(left, "-*|N*(?:[FS]N*)+|N+"):
                rows += self._joined(left[:size])
                del left[:size]
        self.rows = rows

    def _sizes(self, rows: Sequence[Row], form: str) -> list[int]:
        """Return how many of some rows each contestant takes where their kinds have a form; nothing where not.

        Names stand above the row with the score only where that has those of one player.
        """
        kinds = "".join(map(self._kind, rows))
        of_one = [self.name_in(row) for row, kind in zip(rows, kinds, strict=True) if kind == "F"]
        several = [len(each) > 1 for each in split_players(of_one)]
        most = 2 * sum(several) > len(several)
        above = kinds[:1] == "N" and not most and "(?:N" in form
        if not re.fullmatch(form, kinds) or ("(?:N" in form and not above):
            return []
        found = re.findall("NSN|N+F" if above else "[FS]N*|N|-", kinds)
        if len(several) >= 2 * sum(each.startswith("FN") for each in found):
            # What stands below few of them is a note, or nobody, unless a name of theirs is lacking.
            are = iter(several)
            found = [part for each in found for part in (each if each[0] == "F" and next(are) >= most else [each])]
        return [len(each) for each in found]

    def _kind(self, row: Row) -> str:
        """Return F for a row with a name and a score, S for one with a score, N for names alone, - for any other."""
        named = self.name_in(row)
        if is_sum(row.texts[0]) or is_sum(named) or nobody_in([named]):
            return "-"
        if self.is_scored(row):
            return "F" if named else "S"
        texts = zip(self.texts(row), self.columns, strict=True)
        others = any(text and column.name not in {*_OF_ONE, *_OF_SEAT} for text, column in texts)
        return "-" if others or not named or seats_told(named) else "N"

    def name_in(self, row: Row) -> str:
        """Return the first text of a row in a column of names, empty for none."""
        texts = zip(self.texts(row), self.columns, strict=True)
        return next((text for text, column in texts if column.name in NAMES and re.search(r"[^\W\d_]", text)), "")

    def _joined(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows of one contestant as one, with a tab between its names; a name after a gap stays alone."""
        apart = next((n for n, row in enumerate(rows) if n and row.after_gap), len(rows))
        if apart < 2:
            return [*rows]
        whole = next((row for row in rows if self.is_scored(row)), rows[0])
        cells = []
        for i, column in enumerate(self.columns):
            found = [row.cells[i] for row in rows[:apart] if i < len(row.cells) and row.cells[i].text]
            if column.name in _OF_SEAT and len({cell.text for cell in found}) > 1:
                return [*rows]
            several = "\t".join(cell.text for cell in found)
            cell = next(iter(found), Cell("", whole.where))
            cells.append(cell._replace(text=several) if column.name in _OF_ONE else cell)
        return [whole._replace(cells=cells, after_gap=rows[0].after_gap), *rows[apart:]]

    def is_whole(self) -> bool:
        """Say whether the last row is one of this list: a sum, nobody, or a contestant, if only without a score.

        Or one whose texts stand in other columns than those of the rows above.
        """
        row = self.rows[-1]
        named = [text for text, column in zip(self.texts(row), self.columns, strict=True) if column.name in NAMES]
        if self.is_contestant(row) or nobody_in(named) or is_sum(row.texts[0]):
            return True
        if self.head and not row.after_gap and len(row.texts) >= len(self.head.texts) - 1 and _begins(row):
            return True
        texts = {column.name: text for column, text in zip(self.columns, self.texts(row), strict=True) if text}
        placed = any(place_of(texts.get(name, "")) is not None for name in ("place", "number"))
        scored = not row.after_gap and any(share_of(texts.get(name, "")) is not None for name in RANKING_COLUMNS)
        return placed and (scored or any(re.search(r"[^\W\d_]{3}", texts.get(name, "")) for name in NAMES))

    def headings_at_its_end(self) -> list[Row]:
        """Take the headings below the last row, which are those of the next table, and return them.

        As many names stay right below the last contestant as are below most of the others, and not above the first.
        """
        whole = [n for n, row in enumerate(self.rows) if len(row.texts) > 1]
        end = whole[-1] + 1 if whole else 0
        names = median_low([b - a - 1 for a, b in pairwise(whole)]) - whole[0] if len(whole) > 1 else 0
        for row in self.rows[end : end + max(names, 0)]:
            if row.after_gap or seats_told(row.texts[0]):
                break
            end += 1
        taken = self.rows[end:]
        del self.rows[end:]
        return taken

    @property
    def understood(self) -> Understood:
        """What its columns, and the headings above and in it, were taken for."""
        columns = tuple(
            Taken(each.head, called(each.name), each.why) for each in self.columns if each.head or each.name != UNREAD
        )
        first = self.head or self.rows[0]
        beside = (cell.where for cell in first.cells if cell.text)  # another list is left of it
        where = first.where if first.cells and first.cells[0].text else next(beside, first.where)
        return Understood(lists=(ListRead(where, columns),), told=tuple(self.told))

    @property
    def is_list(self) -> bool:
        """Whether these are contestants with scores, and most of its rows are such."""
        players = [column.name for column in self.columns if column.name in NAMES]
        if not players or (players[0] in SEATS_NAMED and len(players) == 1) or not self.has(*RANKING_COLUMNS):
            return False  # of one seat alone are hands
        rows = [row for row in self.rows if len(row.texts) > 1]
        whole = [row for row in rows if len(row.texts) > 2]
        most = 3 * sum(map(self.is_contestant, whole)) >= 2 * len(whole)
        return most and len(rows) > 1 and 2 * sum(map(self.is_contestant, rows)) >= len(rows)


_OF_ONE = {*NAMES, "member"}
"""The columns that have a text for each player."""

_OF_SEAT = {"number", "place", "table", "section", "direction"}
"""The columns that may stand beside the name of one player of several, and are of all."""

_SEATS = {NORTH_SOUTH: {*SEATS_NAMED[:2]}, EAST_WEST: {*SEATS_NAMED[2:]}}


def listings(rows: Sequence[Row]) -> tuple[list[Listing], list[Row]]:
    """Return the lists of contestants among some rows, and the titles that are above the first of them.

    What is in tables of other things, such as single boards, is passed over.
    """
    parts = [(each, n) for n, whole in enumerate(_tables(rows)) for each in _side_by_side(whole)]
    found = [each for each, _ in parts]
    alike: dict[tuple[str, ...], list[Listing]] = {}
    for each, of in parts:
        heads = tuple(folded(cell.text) for cell in each.head.cells) if each.head else (str(of),)
        alike.setdefault(heads, []).append(each)
    for several in alike.values():
        _understand(several)
    listed = [(each, of) for each, of in parts if each.is_list and not of_boards(each)]
    lists = [each for each, _ in listed]
    sections: dict[int, dict[str, str]] = {}  # of lists side by side the first has the titles above it
    for each, of in listed:
        for row in each.above[-2:]:
            each.tell(row.where, " ".join(row.texts))
        told = {name: text for name, text in each.seats.items() if name == "section"}
        each.seats = sections.setdefault(of, told) | each.seats
    above: list[Row] = []
    for each in found:
        above += each.above
        if lists and each is lists[0]:
            break
    return lists, above


MOST_SIGNS = 400
"""No cell of a list has more: what is longer is prose, and is cut."""


def _shortened(row: Row) -> Row:
    if all(len(cell.text) <= MOST_SIGNS for cell in row.cells):
        return row
    return row._replace(cells=[cell._replace(text=cell.text[:MOST_SIGNS]) for cell in row.cells])


def _understand(tables: Sequence[Listing]) -> None:
    """Take each column of tables with one header for what it is; what does not go on as the rows began ends a table."""
    heads = [cell.text for cell in tables[0].head.cells] if tables[0].head else None
    data = [table.texts(row) for table in tables for row in table.rows[:LOOKED_AT] if len(row.texts) > 1]
    if not data:
        return
    # Names may stand in rows of their own, alone.
    lacking = [i for i, texts in enumerate(zip(*data, strict=True)) if not any(texts)]
    alone = [table.texts(row) for table in tables for row in table.rows[:LOOKED_AT] if len(row.texts) == 1]
    data += [texts for texts in alone if any(texts[i] for i in lacking)]
    columns = list_columns(heads, data)
    for table in tables:
        table.columns = columns
        table.join_rows()
        while table.rows and not table.is_whole():
            row = table.rows.pop()
            if not row.after_gap and (table.is_scored(row) if len(row.texts) > 1 else _holds_numbers(row)):
                table.cut.append(row)
    fitting = [table.texts(row) for table in tables for row in table.rows[:LOOKED_AT] if table.is_contestant(row)]
    if fitting and len(fitting) < len(data):
        columns = list_columns(heads, fitting)
        for table in tables:
            table.columns = columns


def unscored(rows: Sequence[Row]) -> list[Problem]:
    """Return what is the matter with lists of contestants whose scores are in no column that is known for that."""
    problems = []
    for listing in _parts(rows):
        _understand([listing])
        open_ = [
            (column, texts)
            for i, column in enumerate(listing.columns)
            if not column.name and (texts := [*filter(None, listing.texts_of(i))])
        ]
        numbers = [(column, texts) for column, texts in open_ if all(share_of(text) is not None for text in texts)]
        told = numbers or listing.has("award")
        if listing.has("place") and listing.has(*NAMES) and not listing.has(*RANKING_COLUMNS) and told:
            which = "; ".join(f"'{column.head or texts[0]}': {column.why}" for column, texts in numbers[:_TOLD])
            which = which or "it has places and awards, and none follow from these"
            what = f"no column of this list is known for its scores ({which})"
            hint = "head the one that ranks Score, Matchpoints, IMPs or %, and one of awards Masterpoints"
            problems.append(Problem(what, (listing.head or listing.rows[0]).where, hint))
    return problems


_TOLD = 10
"""As many columns of numbers are told."""

_CONTRACT = re.compile(
    r"[1-7]\s*(?:NT|SA|BA|[NSHDCPKT]|[\u2660-\u2667])\s*(?:x{1,2}|\*{1,2}|dbl|rdbl)?"
    r"\s*(?:by\s*)?[NSEWO]?\s*(?:=|[-+\u2212]\s*[0-9]{1,2})?|pass(?:ed)?(?:\s*out)?",
    re.IGNORECASE,
)
"""A contract as people write it, with what was made of it or not."""

_OF_HANDS = re.compile("[=+\u2212-]|[\u2660-\u2667]|x")


def of_boards(listing: Listing) -> bool:
    """Say whether a table has a row for each time that a board was played."""
    heads = [meanings_of(cell.text) for cell in listing.head.cells] if listing.head else []
    if sum(BOARD_COLUMN in names and not names & {*NAMES, *RANKING_COLUMNS} for names in heads) > 1:
        return True
    rows = [listing.texts(row) for row in listing.rows[:LOOKED_AT] if len(row.texts) > 1]
    columns = [[text for text in column if text] for column in zip(*rows, strict=True)]
    return any(_are_contracts(texts) for texts in columns if texts)


def _are_contracts(texts: Sequence[str]) -> bool:
    """Say whether most texts of a column are contracts: a seat such as ``3N`` is none."""
    found = [text for text in texts if _CONTRACT.fullmatch(text)]
    return 2 * len(found) > len(texts) and 2 * sum(_OF_HANDS.search(text) is not None for text in found) > len(found)


def are_boards(rows: Sequence[Row]) -> bool:
    """Say whether there are tables of single boards among some rows."""
    return any(map(of_boards, _parts(rows)))


def are_places(rows: Sequence[Row]) -> bool:
    """Say whether there is a list of contestants among some rows that has places, and no scores."""
    for table in _tables(rows):
        if table.head is not None:
            _understand([table])
            named = any(column.name in NAMES and re.search(r"\w", column.head) for column in table.columns)
            if named and table.has("place") and not table.has(*RANKING_COLUMNS) and len(table.rows) > 1:
                return True
    return False


def _begins(row: Row) -> bool:
    """Say whether a row may begin a table without a header: names, and numbers beside them."""
    texts = row.texts
    days = [int(found[1]) for text in texts if (found := re.match(r"([0-9]{1,2})(?:\s|$)", text))]
    if len(days) > 3 and days == list(range(days[0], days[0] + len(days))):
        return False  # a week of a calendar
    named = (text for text in texts if LIKE_A_NAME.search(text) or are_initials(text))
    words = [text for text in named if number_of(text) is None]
    scores = [text for text in texts if share_of(text) is not None]
    if _is_named(texts):
        return True
    first = texts[1:2] if direction_headed(texts[0]) else texts[:1]
    leads = place_of("".join(first)) is not None or seats_of_numbers(first) or direction_headed(texts[0])
    return len(texts) > 2 and 0 < len(words) <= 5 and len(scores) > 0 and bool(leads)


def _is_named(texts: Sequence[str], couple: bool = False) -> bool:
    """Say whether some texts are the names of two players, and nothing but numbers beside them.

    Names that are no whole ones need numbers that look like scores. Two lists may be side by side.
    couple: whether two need not, as other pairs are below them.
    """
    half, odd = divmod(len(texts), 2)
    if half > 1 and not odd and _is_named(texts[:half], couple) and _is_named(texts[half:], couple):
        return True
    scores = [text for text in texts if share_of(text) is not None]
    names = texts[: len(texts) - len(scores)] if texts[-1:] == scores[-1:] or len(texts) > 2 else texts[1:]
    players = [*chain(*split_players(names))] if 0 < len(scores) < 4 and 0 < len(names) < 3 else []
    whole = all(" " in player for player in players)
    if len(players) != 2 or not (whole or len(names) == 1):
        return False
    return whole or couple or any(re.fullmatch(r"[0-9]{1,3}(?:[.,][0-9]{1,2} ?%?| ?%)", text) for text in scores)


def _are_individuals(rows: Sequence[Row], above: Sequence[Row]) -> bool:
    """Say whether some rows have a name each, and then numbers alone, below a title of an individual."""
    texts = [row.texts for row in rows]
    listed = len(rows) == _FEW and all(LIKE_A_NAME.search(each[0]) and number_of(each[0]) is None for each in texts)
    scored = listed and all(len(each) > 1 and all(share_of(text) is not None for text in each[1:]) for each in texts)
    return scored and any("individual" in events_named(" ".join(row.texts)) for row in above[-_NEAR:])


_FEW, _NEAR = 3, 12
"""So many rows of one form are a list, and so many lines above it may be its titles."""


def _may_head(above: Row, row: Row) -> bool:
    """Say whether a row of words that are not known heads the list that begins right below it, a word for a column."""
    texts = above.texts
    words = all(len(text) <= _LONGEST_HEAD and not any(map(str.isdigit, text.rstrip("123456"))) for text in texts)
    letters = [text for text in texts if re.search(r"[^\W\d_]", text)]
    fits = len(above.cells) >= len(row.cells) or len(texts) >= len(row.texts)
    numbers = any(number_of(text) is not None for text in texts)
    return fits and words and len(letters) >= 3 and not numbers


def _holds_numbers(row: Row) -> bool:
    """Say whether a line that was not divided at the columns has several numbers with wide gaps between them."""
    words = [word for text in row.texts for word in re.split(r"\s{2,}|\t", text)]
    return sum(number_of(word) is not None for word in words) > 1


def _lacks_little(above: Row, row: Row) -> bool:
    """Say whether a row is like the first of a list below, except a cell: it has numbers, and no fewer other texts."""
    numbers = [text for text in above.texts if share_of(text) is not None or place_of(text) is not None]
    whole = len(above.texts) > 1 and len(above.texts) >= len(row.texts) - 1 and len(numbers) > 0
    return whole and not date_in(with_english_months(" ".join(above.texts)))  # a title that stands above the columns


_LONGEST_HEAD = 25
"""Headings of columns are short."""


def _parts(rows: Sequence[Row]) -> list[Listing]:
    """Return the tables of some rows, those that stand side by side each by itself."""
    return [part for whole in _tables(rows) for part in _side_by_side(whole)]


def _tables(rows: Sequence[Row]) -> Iterator[Listing]:
    """Yield the tables of some rows; the last has what is below all of them above it, and no rows."""
    table = Listing(None)
    above: list[Row] = []
    rows = [_shortened(row) for row in rows if row.texts]
    for n, row in enumerate(rows):
        if is_head(row):
            if table.head and not _same(row, table.head) and not table.rows:
                # A header of two rows, or one above what heads its parts: the lower one counts, filled up by the upper.
                table.above.append(table.head)
                table.head = _filled(row, table.head)
            elif not table.head or not _same(row, table.head):
                above = [*table.headings_at_its_end(), *above]
                yield table
                whole = _with_upper_half(row, above[-1]) if above and not row.after_gap else row
                table, above = Listing(whole, above=above[:-1] if whole is not row else above), []
        elif (table.head or table.rows) and _belongs(row, table):
            table.rows.append(row)
        elif _begins(row) or _are_individuals(rows[n : n + _FEW], above):
            yield table
            first = [row]
            while above and not first[0].after_gap and _is_named(above[-1].texts, couple=True):
                first.insert(0, above.pop())
            right_above = above.pop() if above and not table.rows and not first[0].after_gap else None
            head = right_above if right_above and _may_head(right_above, row) else None
            cut = [right_above] if right_above and not head and _lacks_little(right_above, row) else []
            above += [right_above] if right_above and not head and not cut else []
            table, above = Listing(head, first, above, cut=cut), []
        else:
            yield table
            table = Listing(None)
            above.append(row)
    yield table
    yield Listing(None, above=above)


def _belongs(row: Row, table: Listing) -> bool:
    """Say whether a row goes on with a table, by itself or as a heading between its rows."""
    texts = row.texts
    if len(texts) > 1:
        placed = place_of(texts[0]) is not None or texts[0] in DITTO
        if row.after_gap and not placed and not is_sum(texts[0]) and _are_placed(table.rows):
            return False
        width = len(table.head.cells) if table.head else len(table.rows[0].cells)
        return len(row.cells) <= width + 2 or len(texts) <= width
    if bool(seats_told(" ".join(texts))) or not row.after_gap or place_of(texts[0]) is not None:
        return True
    at = next(i for i, cell in enumerate(row.cells) if cell.text)  # as the names alone of the rows above
    return at > 0 and any(
        len(each.texts) == 1 and any(c.text for c in each.cells[at:]) for each in table.rows[:LOOKED_AT]
    )


def _are_placed(rows: Sequence[Row]) -> bool:
    """Say whether most rows begin with a place."""
    first = [each.texts[:2] for each in rows[:LOOKED_AT]]
    return 2 * sum(len(texts) > 1 and place_of(texts[0]) is not None for texts in first) > len(first)


def _same(row: Row, head: Row) -> bool:
    return [folded(text) for text in row.texts] == [folded(text) for text in head.texts]


def _filled(row: Row, upper: Row) -> Row:
    """Return a header with the texts of the one above where it has none, except those that tell of the parts below."""
    above = [cell._replace(text="") if seats_told(cell.text) else cell for cell in upper.cells]
    cells = [cell if cell.text or i >= len(above) else above[i] for i, cell in enumerate(row.cells)]
    return row._replace(cells=cells)


def _with_upper_half(row: Row, upper: Row) -> Row:
    """Return a header whose words begin in the row above it, ``Pair`` above ``No``; itself where they do not."""
    if any(map(seats_told, upper.texts)):
        return row
    begun = {i: cell.text for i, cell in enumerate(upper.cells) if cell.text}
    whole = [cell._replace(text=f"{begun.get(i, '')} {cell.text}".strip()) for i, cell in enumerate(row.cells)]
    ended = all(i < len(row.cells) and row.cells[i].text and meanings_of(whole[i].text) for i in begun)
    return row._replace(cells=whole) if ended else row


def _by_direction(table: Listing) -> list[Listing]:
    """Return the parts of a table whose header names both directions, each above names; else the table itself.

    What is left of the first, such as a place, is of both.
    """
    cells = table.head.cells if table.head else []
    sides = [(i, direction) for i, cell in enumerate(cells) if (direction := direction_headed(cell.text))]
    if table.head is None or sorted(direction for _, direction in sides) != [EAST_WEST, NORTH_SOUTH]:
        return [table]
    (first, _), (second, _) = sides
    size = second - first
    if size < 2 or not second + size - 1 <= len(cells) <= second + size + 1:
        return [table]
    found: list[Listing] = []
    for start, direction in sides:
        columns = [*range(first), *range(start, min(start + size, len(cells)))]
        head = [cells[i]._replace(text="names") if i == start else cells[i] for i in columns]
        rows = [row._replace(cells=[row.cells[i] for i in columns if i < len(row.cells)]) for row in table.rows]
        above = [] if found else table.above
        listed = [row for row in rows if len(row.texts) > 1]
        found.append(Listing(table.head._replace(cells=head), listed, above, {"direction": direction}))
    return found


def _side_by_side(table: Listing) -> list[Listing]:
    """Return the parts of a table that has two lists side by side, else the table itself."""
    if table.head is None:
        return _halves(table)
    heads = [folded(cell.text) for cell in table.head.cells]
    first = next((i for i, head in enumerate(heads) if head), None)
    again = [i for i, head in enumerate(heads) if first is not None and i > first and head == heads[first]]
    if first is None or not again:
        return _by_direction(table)
    size = again[0] - first
    first = 0 if len(heads) == size * (len(again) + 1) else first  # the first column of each part may have no heading
    starts = [first + n * size for n in range(len(again) + 1)]
    wanted = [head for head in heads[first : first + size] if head]
    parts = [[head for head in heads[start : start + size] if head] for start in starts]
    if len(wanted) < 2 or any(part != wanted for part in parts):
        return [table]
    told = _headings_above(table, starts, size)
    found = [
        Listing(
            table.head._replace(cells=table.head.cells[start : start + size]),
            [part for row in table.rows if (part := _part(row, start, start + size)).texts],
            table.above if n == 0 else [],
        )
        for n, start in enumerate(starts)
    ]
    for each, (where, text) in zip(found, told, strict=False):
        each.tell(where, text)
    return found


def _part(row: Row, start: int, end: int) -> Row:
    """Return what of a row is in some columns; the heading of a section is of all that are side by side."""
    whole = len(row.texts) == 1 and "section" in seats_told(row.texts[0])
    return row if whole else row._replace(cells=row.cells[start:end])


def _halves(table: Listing) -> list[Listing]:
    """Return the parts of a table without a header that is below two headings, of two directions or sections.

    Numbers stand in the same columns of both parts.
    """
    sides = [[i for i, cell in enumerate(row.cells) if cell.text and seats_told(cell.text)] for row in table.above]
    half = next((two[1] - two[0] for two in sides if len(two) == 2), table.width // 2)  # a note may stand on the right
    told = _headings_above(table, (0, half), half) if table.width - 2 * half in {-1, 0, 1} and half > 1 else []
    if len({text for _, text in told}) < 2:
        return [table]
    parts = [
        [part for row in table.rows if (part := _part(row, start, end)).texts]
        for start, end in ((0, half), (half, table.width))
    ]
    numeric = [
        [
            tuple(
                n for n, cell in enumerate(row.cells[:half]) if share_of(cell.text) is not None or place_of(cell.text)
            )
            for row in rows
        ]
        for rows in parts
    ]
    shapes = [*map(Counter, numeric)]
    if not all(shapes) or len({shape.most_common(1)[0][0] for shape in shapes}) > 1:
        return [table]
    size = max(half, table.width - half)
    found = [Listing(None, rows, table.above if n == 0 else [], size=size) for n, rows in enumerate(parts)]
    for each, (where, text) in zip(found, told, strict=True):
        each.tell(where, text)
    return found


def _headings_above(table: Listing, starts: Sequence[int], size: int) -> list[tuple[str, str]]:
    """Return the headings of the parts below the row above two headers that tells a section or direction of each."""
    for row in table.above[::-1]:
        texts = [" ".join(cell.text for cell in row.cells[start : start + size] if cell.text) for start in starts]
        if all(map(seats_told, texts)):
            table.above.remove(row)
            return [(row.where, text) for text in texts]
    return []
