"""Lists of contestants to the rows of one table, whose columns have the names that :mod:`resultproc.model.columns` has.

A row of a list may be one contestant, the pairs of both directions at one table, or the second player of the one above.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from resultproc.model.codes import NOBODY, PASSED_OVER, UNREADABLE
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.grid import Cell, Row
from resultproc.model.numbers import number_of, share_of
from resultproc.model.understood import SECTION_AND_DIRECTION, Understood, joined_understood, told_seats
from resultproc.model.words import meanings_of, side_of
from resultproc.people.names import Player, players_of, split_players
from resultproc.people.nobody import nobody_in
from resultproc.tables.cells import without
from resultproc.tables.checks import Sum
from resultproc.tables.columns import WRITTEN, ListColumn, are_percentages, rises
from resultproc.tables.field import of_nobody
from resultproc.tables.heads import NAMES, RANKING_COLUMNS, events_named, names_teams
from resultproc.tables.lists import Listing
from resultproc.tables.rows import Around, row_doubts
from resultproc.tables.seats import (
    notes_beside,
    places_beside,
    seats_beside,
    seats_told,
    strata_beside,
)
from resultproc.tables.sums import is_sum

_SIDES = {"north": NORTH_SOUTH, "south": NORTH_SOUTH, "east": EAST_WEST, "west": EAST_WEST}


@dataclass
class Contestants:
    """The contestants of some lists, and what is said of them.

    rows: each contestant's cells by column.
    remarks: what is doubtful, and what was passed over.
    sums: the rows of sums below each list, by what these are called.
    around: what there is besides of sums and rows of nobody.
    understood: what the columns of the lists, and the headings around them, were taken for.
    """

    rows: list[dict[str, Cell]] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    sums: list[tuple[Listing, str, dict[str, Cell]]] = field(default_factory=list)
    around: Around | None = None
    understood: Understood = field(default_factory=Understood)

    def pass_over(self, what: str, where: str, hint: str = "", code: str = PASSED_OVER) -> None:
        """Remark on a row that is no contestant, or not as it stands."""
        self.remarks.append(Problem(what, where, hint, code=code))

    def table(self) -> tuple[Row, list[Row]]:
        """Return a header and the rows below it."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        rows = []
        for row in self.rows:
            where = next(iter(row.values())).where
            rows.append(Row([row.get(name, Cell("", where)) for name in names], where))
        return Row([Cell(name, "header") for name in names], "header"), rows


def contestants_of_lists(lists: Sequence[Listing]) -> Contestants:
    """Return the contestants of some lists; one that repeats others, as the overall one does, is left out."""
    found = Contestants()
    for listing in lists:
        if len(lists) > 1 and _is_of_some(listing):
            found.pass_over("this list is of some contestants alone: it is not read", listing.rows[0].where)
    whole = [listing for listing in lists if len(lists) == 1 or not _is_of_some(listing)]
    parts = [(listing, list(_rows(listing, found))) for listing in whole or lists]
    kept = list(range(len(parts)))
    # One without a section or direction goes first, as in a list of all leaders; else the later one.
    for n in sorted(kept, key=lambda n: (bool(parts[n][0].seats), -n)):
        others = {_who(row): row for other in kept if other != n for row in parts[other][1]}
        if len(kept) > 1 and parts[n][1] and all(_who(row) in others for row in parts[n][1]):
            _check_repeated([(row, others[_who(row)]) for row in parts[n][1]])
            kept.remove(n)
            found.pass_over("this list repeats contestants of another one: it is not read", parts[n][0].rows[0].where)
    found.rows = [row for n in kept for row in parts[n][1]]
    for row in (row for n in kept for row in parts[n][0].cut):
        found.pass_over(f"'{' '.join(row.texts)[:80]}' is not a contestant", row.where, "fill in what the row lacks")
    found.remarks += _taken_by_numbers([parts[n][0] for n in kept])
    found.understood = joined_understood([], *(parts[n][0].understood for n in kept))
    listed = {id(listing): rows for listing, rows in parts}
    sums = [
        Sum(text, row, frozenset(next(iter(each.values())).where for each in listed[id(listing)]))
        for listing, text, row in found.sums
    ]
    nobody = sum(remark.code == NOBODY for remark in found.remarks)
    found.around = Around(sums, nobody, numbered=any("number" in row for row in found.rows))
    found.remarks += _of_one_name(found.rows, lists)
    _number(found)
    return found


def _taken_by_numbers(lists: Sequence[Listing]) -> Iterator[Problem]:
    """Yield a remark on each heading that says nothing, above the numbers that a list ranks by."""
    heads = {
        column.head: (column, listing.head.where)
        for listing in lists
        if listing.head
        for column in listing.columns
        if column.head and column.name in RANKING_COLUMNS and not meanings_of(column.head)
    }
    for head, (column, where) in heads.items():
        what = f"the column '{head}' is taken for the {WRITTEN[column.name]}: {column.why}"
        yield Problem(what, where, "call it Percentage or Score if it is one", code="columns.by-numbers")


def _of_one_name(rows: Sequence[dict[str, Cell]], lists: Sequence[Listing]) -> list[Problem]:
    """Return the remark on a list with one name a row, where nothing says that it lists teams or individuals."""
    texts = [text for each in lists for row in [*each.above, *([each.head] if each.head else [])] for text in row.texts]
    if any("player2" in row for row in rows) or events_named(" ".join(texts)) - {"pairs"}:
        return []
    what = "each row has one name, and nothing says that this is an individual or a game of teams"
    hint = "for pairs write both names, with & between them; a ranking of a season or a list of members is not a game"
    return [Problem(what, next(iter(rows[0].values())).where, hint)] if rows else []


_OF_SOME = re.compile(r"honou?r list|overall leaders|your friends", re.IGNORECASE)
"""What is above lists of the leaders of a tournament on the web, and of those that a player knows."""


def _is_of_some(listing: Listing) -> bool:
    return any(_OF_SOME.search(text) for row in listing.above[-2:] for text in row.texts)


def _check_repeated(rows: Sequence[tuple[dict[str, Cell], dict[str, Cell]]]) -> None:
    """Raise InputError for lists of the same contestants whose scores differ, as those of sessions do."""
    for again, before in rows:
        name = next((name for name in ("percentage", "score") if name in again and name in before), None)
        if name and number_of(again[name].text) != number_of(before[name].text):
            what = f"two lists have the same contestants and other scores: {before[name].text} and {again[name].text}"
            hint = "of several sessions or games make a file each, or give the final list alone"
            raise InputError(what, again[name].where, hint)


def _who(row: dict[str, Cell]) -> tuple[str, ...]:
    return tuple(cell.text for name, cell in row.items() if name.startswith("player"))


def _rows(listing: Listing, found: Contestants) -> Iterator[dict[str, Cell]]:
    """Yield the contestants of one list, those of both directions where a row is a table."""
    sides = _sides(listing.columns)
    if len(sides) == 1:
        _check_apart(listing)
        listing.tell_by_its_heads()
    for side, columns in sides:
        seats = dict(listing.seats) | ({"direction": side} if side else {})
        yield from _of_columns(listing, columns, seats, found)


def _check_apart(listing: Listing) -> None:
    """Raise InputError for two lists side by side whose directions nothing tells."""
    rows = [row for row in listing.rows if len(row.texts) > 2]
    kinds = ""
    for i, column in enumerate(listing.columns):
        texts = [text for row in rows if (text := listing.texts(row)[i])]
        kinds += "n" if column.name in NAMES else "%" if texts and are_percentages(texts) else " "
    if re.search("n *%.*n *%", kinds):
        what = "two lists stand side by side here, and nothing tells which is North-South"
        raise InputError(what, rows[0].where, "write N-S and E-W above the names, or one list below the other")


def _sides(columns: Sequence[ListColumn]) -> list[tuple[str, list[int]]]:
    """Return the columns of each direction, where a row has both, else all of them."""
    of: dict[str, list[int]] = {NORTH_SOUTH: [], EAST_WEST: []}
    both: list[int] = []
    for i, column in enumerate(columns):
        side = _SIDES.get(column.name) or side_of(column.head)
        (of[side] if side and column.name != "direction" else both).append(i)
    names = {side: any(columns[i].name in NAMES for i in listed) for side, listed in of.items()}
    if not all(names.values()):
        return [("", list(range(len(columns))))]
    return [(side, sorted([*both, *listed])) for side, listed in of.items()]


def _of_columns(
    listing: Listing, columns: Sequence[int], seats: dict[str, str], found: Contestants
) -> Iterator[dict[str, Cell]]:
    taken = [listing.columns[i] for i in columns]
    rows: list[tuple[Row, dict[str, str]]] = []
    unread: list[tuple[int, Problem]] = []
    for row in listing.rows:
        cells = [_cell(row, i) for i in columns]
        players = [cell.text for column, cell in zip(taken, cells, strict=True) if column.name in NAMES]
        # Max and Moritz are two players.
        somebody = any(text and not is_sum(text) for text in players)
        if summed := next(filter(is_sum, set(row.texts[:1]) - {*players} if somebody else row.texts), ""):
            found.sums.append((listing, summed, _record(taken, cells, [], seats, row.where)))
            found.pass_over(f"'{summed}' is not a contestant: this row is passed over", row.where)
        elif nobody := nobody_in(players):
            found.remarks.append(of_nobody(nobody, row.where))
        elif listing.is_contestant(row, columns):
            rows.append((row, dict(seats)))
        elif told := seats_told(" ".join(row.texts)):
            seats = seats | told
            listing.told += told_seats(told, row.where, " ".join(row.texts))
        elif named := _called(row, listing, columns):
            rows.append((named, dict(seats)))
            what = f"'{' '.join(row.texts)[:80]}' has no names: it is called '{_text_of(named, listing, NAMES)}'"
            found.pass_over(what, row.where, "add the names")
        else:
            found.pass_over(f"'{' '.join(row.texts)[:80]}' is not a contestant", row.where)
            if problem := _unread(taken, cells):
                unread.append((len(rows), problem))
    # Who stands among contestants is one, or else everybody below would be paid for a better place.
    if problems := [problem for before, problem in unread if before < len(rows)]:
        raise InputError(problems)
    doubts = [row_doubts(row) for row, _ in rows]
    if problems := [problem for struck, _ in doubts for problem in struck]:
        raise InputError(problems)
    found.remarks += [remark for _, remarks in doubts for remark in remarks]
    yield from _with_players(taken, [([_cell(row, i) for i in columns], told, row.where) for row, told in rows], found)


def _unread(columns: Sequence[ListColumn], cells: Sequence[Cell]) -> Problem | None:
    """Return what is wrong with the score of a row that has names, and a number or place; None for any other row."""
    texts = {column.name: cell for column, cell in zip(columns, cells, strict=True) if cell.text}
    named = any(re.search(r"[^\W\d_]{2}", texts[name].text) for name in texts if name in NAMES)
    if not named or not any(re.search("[0-9]", texts[name].text) for name in ("number", "place") if name in texts):
        return None
    score = next((texts[name] for name in RANKING_COLUMNS if name in texts), None)
    if score is None:
        return Problem(without("score"), cells[0].where, "write one for every contestant", code=UNREADABLE)
    return Problem(f"invalid number: '{score.text}'", score.where, "write a number, such as 62.50", code=UNREADABLE)


def _with_players(
    columns: Sequence[ListColumn], rows: Sequence[tuple[list[Cell], dict[str, str], str]], found: Contestants
) -> Iterator[dict[str, Cell]]:
    """Yield the contestants of some rows with their players, and with what stands beside these where it belongs.

    rows: the cells of each, the seats that are told of it, and where it is.
    """
    places = [i for i, column in enumerate(columns) if column.name in NAMES]
    has = {column.name for column in columns}
    texts = [cells[places[0]].text for cells, *_ in rows]
    seats, beside = seats_beside(texts) if "number" not in has else [], "number"
    if not seats and (seats := places_beside(texts)):
        beside = "place" if "place" not in has and rises([seat for seat, _ in seats]) else "number"
        seats = [(seat.strip(" .):#="), rest) for seat, rest in seats] if beside not in has else []
    for (cells, told, _), (seat, rest) in zip(rows, seats, strict=bool(seats)):
        told |= {beside: seat} if seat else {}
        cells[places[0]] = cells[places[0]]._replace(text=rest)
    apart = [_names(columns[i].head, [cells[i].text for cells, *_ in rows]) for i in places]
    people = players_of([[*chain(*each)] for each in zip(*apart, strict=True)], together=len(places) == 1)
    strata = strata_beside(people) if "stratum" not in has else []
    found.remarks += notes_beside(people, [where for *_, where in rows])
    for players, stratum, (cells, told, where) in zip(people, strata or [""] * len(rows), rows, strict=True):
        yield _record(columns, cells, players, told | ({"stratum": stratum} if stratum else {}), where)


def _names(head: str, texts: Sequence[str]) -> list[list[str]]:
    """Return the players in each cell of a column; of a team whose players are not listed its name."""
    names = split_players(texts)
    if not names_teams(head):
        return names
    several = 2 * sum(len(each) > 1 for each in names) > len(names)
    found = []
    for text, each in zip(texts, names, strict=True):
        below = split_players([text.partition("\t")[2]])[0] if "\t" in text else []
        found.append(below if len(below) > 2 else each if several else [text])
    return found


def _called(row: Row, listing: Listing, columns: Sequence[int]) -> Row | None:
    """Return a row that has a number and a score, and no names, with its number for a name; None for any other row.

    It is a contestant all the same, whose place the others below do not have; one with a score of 0 did not play.
    """
    number = _text_of(row, listing, ("number",))
    score = share_of(_text_of(row, listing, RANKING_COLUMNS))
    first = next((i for i in columns if listing.columns[i].name in NAMES), None)
    if not number or not score or first is None or re.search(r"\w", _text_of(row, listing, NAMES)):
        return None
    cells = [_cell(row, i) for i in range(listing.width)]
    cells[first] = Cell(f"no. {number}", row.where)
    return row._replace(cells=cells)


def _text_of(row: Row, listing: Listing, names: Container[str]) -> str:
    """Return the first text in the columns of some meanings."""
    texts = zip(listing.columns, listing.texts(row), strict=True)
    return next((text for column, text in texts if column.name in names and text), "")


def _cell(row: Row, i: int) -> Cell:
    return row.cells[i] if i < len(row.cells) else Cell("", row.where)


def _record(
    columns: Sequence[ListColumn],
    cells: Sequence[Cell],
    players: Sequence[Player],
    seats: dict[str, str],
    where: str,
) -> dict[str, Cell]:
    """Return the cells of a contestant by column."""
    record = {name: Cell(text, where) for name, text in seats.items()}
    members = []
    for column, cell in zip(columns, cells, strict=True):
        if column.name == "member" and cell.text:
            members += [cell._replace(text=text) for text in cell.text.split("\t")]
        if not cell.text or (column.name not in WRITTEN and not CONTESTANTS.column(column.name.partition(" ")[0])):
            continue
        record[WRITTEN.get(column.name, column.name)] = cell
    for n, player in enumerate(players, 1):
        record[f"player{n}"] = Cell(player.name, where)
        if player.member:
            record[f"id{n}"] = Cell(player.member, where)
    if len(members) == len(players):
        record |= {f"id{n}": cell for n, cell in enumerate(members, 1)}
    return record


def _number(found: Contestants) -> None:
    """Give contestants without numbers their place in the list, with a remark."""
    if not found.rows or any("number" in row for row in found.rows):
        return
    told = [name for name in SECTION_AND_DIRECTION if all(name in row for row in found.rows)]
    count: dict[tuple[str, ...], int] = {}
    for row in found.rows:
        group = tuple(row[name].text for name in told)
        count[group] = count.get(group, 0) + 1
        row["number"] = Cell(str(count[group]), next(iter(row.values())).where)
    what = "the list has no numbers: its contestants are numbered as they are listed"
    found.pass_over(what, next(iter(found.rows[0].values())).where)
