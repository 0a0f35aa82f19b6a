"""Lists of contestants to one table of them, whatever they were found among.

A row of a list may be one contestant, the pairs of both directions at one table, or the second player of the one above.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from resultproc.model.codes import PASSED_OVER
from resultproc.model.column_names import meanings_of, side_of
from resultproc.model.errors import InputError, Problem, raise_if_any
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.understood import SECTION_AND_DIRECTION, joined_understood
from resultproc.tables.cells import EXTRA, cell_value, record_of, without
from resultproc.tables.headings import Headings
from resultproc.tables.heads import NAMES, events_named
from resultproc.tables.list_columns import ListColumn, are_percentages, contestant_columns, rises, taken_by_numbers
from resultproc.tables.lists import Listing
from resultproc.tables.rows import Table, end, finished
from resultproc.tables.walk import Walk

_SIDES = {"north": NORTH_SOUTH, "south": NORTH_SOUTH, "east": EAST_WEST, "west": EAST_WEST}


def contestants_of_lists(lists: Sequence[Listing], above: Mapping[str, str]) -> Table:
    """Return the contestants of some lists; one that repeats others, as the overall one does, is left out.

    above: the section and direction that titles tell, for those of whom the lists tell none.
    Raises InputError that names the line or cell.
    """
    remarks: list[Problem] = []
    some = [
        each
        for each in lists
        if len(lists) > 1 and any(_OF_SOME.search(text) for row in each.above[-2:] for text in row.texts)
    ]
    remarks += [_not_read(listing, "is of some contestants alone") for listing in some]
    whole = [listing for listing in lists if listing not in some] or lists
    parts = [(listing, list(_walks(listing))) for listing in whole]
    kept = list(range(len(parts)))
    # One without a section or direction goes first, as in a list of all leaders; else the later one.
    for n in sorted(kept, key=lambda n: (bool(parts[n][0].seats), -n)):
        own = [each for walk in parts[n][1] for each in _contestants(walk)]
        others = {
            who: said for other in kept if other != n for walk in parts[other][1] for who, said in _contestants(walk)
        }
        if len(kept) > 1 and own and all(who in others for who, _ in own):
            _check_repeated([(said, others[who]) for who, said in own])
            kept.remove(n)
            remarks.append(_not_read(parts[n][0], "repeats contestants of another one"))
    hint = "fill in what the row lacks"
    for row in (row for n in kept for row in parts[n][0].cut):
        what = f"'{' '.join(row.texts)[:80]}' is not a contestant"
        remarks.append(Problem(what, row.where, hint, code=PASSED_OVER))
    by_numbers: dict[str, Problem] = {}
    for listing in (parts[n][0] for n in kept):
        _refuse_unknown_sides(listing)
        by_numbers |= taken_by_numbers(listing.columns, listing.head) if listing.head else {}
    remarks += by_numbers.values()
    walks = [walk for n in kept for walk in parts[n][1]]
    remarks += _of_one_name(walks, lists)
    numbered = any("number" in walk.records for walk in walks)
    if lacking := [
        where for walk in walks if numbered and "number" not in walk.records for where in walk.records["where"]
    ]:
        raise InputError(Problem(without("number"), where, "write one for every contestant") for where in lacking)
    remarks += [] if numbered else _number(walks)
    seats = {name: text for name, text in above.items() if not any(name in walk.records for walk in walks)}
    ordered = not any(_goes_by_tables(parts[n][0]) for n in kept)
    table = finished(walks, {"section": "A"} | seats, numbered=numbered, headed=False, ordered=ordered)
    understood = joined_understood([], *(parts[n][0].understood for n in kept))
    return table._replace(remarks=(*table.remarks, *remarks), understood=understood)


def _not_read(listing: Listing, why: str) -> Problem:
    return Problem(f"this list {why}: it is not read", listing.rows[0].where, code=PASSED_OVER)


def _of_one_name(walks: Sequence[Walk], lists: Sequence[Listing]) -> list[Problem]:
    """Return the remark on a list with one name a row, where nothing says that it lists teams or individuals."""
    texts = [text for each in lists for row in [*each.above, *([each.head] if each.head else [])] for text in row.texts]
    if any("player2" in walk.records for walk in walks) or events_named(" ".join(texts)) - {"pairs"}:
        return []
    what = "each row has one name, and nothing says that this is an individual or a game of teams"
    hint = "for pairs write both names, with & between them; a ranking of a season or a list of members is not a game"
    return [Problem(what, _first(walks), hint)]


def _first(walks: Sequence[Walk]) -> str:
    """Return where the first contestant is."""
    return next(str(walk.records["where"][0]) for walk in walks if len(walk.records))


_OF_SOME = re.compile(r"honou?r list|overall leaders|your friends", re.IGNORECASE)
"""What is above lists of the leaders of a tournament on the web, and of those that a player knows."""


_Said = tuple[float | None, float | None, str]
"""The percentage and score of a contestant, and where it is."""


def _contestants(walk: Walk) -> Iterator[tuple[tuple[str, ...], _Said]]:
    """Yield the players of each contestant of a list, and what it says of them."""
    records = walk.records
    players = zip(*(records[name] for name in records if name.startswith("player")), strict=True)
    said = zip(records.get("percentage"), records.get("score"), map(str, records.get("where")), strict=True)
    for names, each in zip(players, said, strict=True):
        yield tuple(filter(None, names)), each


def _check_repeated(rows: Sequence[tuple[_Said, _Said]]) -> None:
    """Raise InputError for lists of the same contestants whose scores differ, as those of sessions do."""
    for (*again, where), before in rows:
        both = next(((a, b) for a, b in zip(again, before, strict=False) if a is not None and b is not None), None)
        if both and both[0] != both[1]:
            what = f"two lists have the same contestants and other scores: {both[1]:g} and {both[0]:g}"
            hint = "of several sessions or games make a file each, or give the final list alone"
            raise InputError(what, where, hint)


def _walks(listing: Listing) -> Iterator[Walk]:
    """Yield the contestants of a list, those of both directions where a row is a table."""
    sides = _sides(listing.columns)
    if len(sides) == 1:
        _check_apart(listing)
        listing.tell_by_its_heads()
    for side, columns in sides:
        taken = [listing.columns[i] for i in columns]
        seats = listing.seats | ({"direction": side} if side else {})
        seats = {name: str(cell_value(name, text)) for name, text in seats.items()}
        heads = [column.head for column in taken]
        together = sum(column.name in NAMES for column in taken) == 1
        known = [name or EXTRA for name in contestant_columns(taken)]
        walk = Walk(Headings(known, [], [], together), seats, heads=heads)
        for row in listing.rows:
            cells = [row.cells[i] if i < len(row.cells) else Cell("", row.where) for i in columns]
            walk.take(row._replace(cells=cells))
        end(walk)
        listing.told += walk.told
        if columns_of_numbers := sum("member" in {column.name, *meanings_of(column.head)} for column in taken):
            _leave_unsaid_numbers(walk.records, columns_of_numbers)
        yield walk


def _leave_unsaid_numbers(records: Records, columns: int) -> None:
    """Leave out the member numbers of contestants who have more or fewer players than numbers: whose is not said.

    columns: how many have the numbers; as many as there are players are a player's each, in their order.
    """
    ids, players = ([name for name in records if name.startswith(family)] for family in ("id", "player"))
    for n in range(len(records)):
        numbered, named = (sum(bool(records[name][n]) for name in names) for names in (ids, players))
        if numbered != named and not numbered <= named <= columns:
            for name in ids:
                records[name][n] = None


def _check_apart(listing: Listing) -> None:
    """Raise InputError for two lists side by side whose directions nothing tells."""
    rows = [row for row in listing.rows if len(row.texts) > 2]
    kinds = ""
    for i, column in enumerate(listing.columns):
        texts = [row.cells[i].text for row in rows if i < len(row.cells) and row.cells[i].text]
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


def _goes_by_tables(listing: Listing) -> bool:
    """Say whether a list is in the order of its tables, and so in none of its scores."""
    return any(column.name == "table" and rises(listing.texts_of(i)) for i, column in enumerate(listing.columns))


def _refuse_unknown_sides(listing: Listing) -> None:
    """Refuse numbers with words beside them that are not known and part the field evenly, as directions do."""
    for i in (i for i, each in enumerate(listing.columns) if not each.name and "number" in meanings_of(each.head)):
        sides = {
            row.where: side
            for row, text in zip(listing.rows, listing.texts_of(i), strict=True)
            if (side := re.sub("[0-9 ]", "", text)) not in {"", text}
        }
        counts = Counter(sides.values()).values()
        for where, side in sides.items() if len(counts) > 1 and max(counts) - 1 <= min(counts) > 1 else ():
            raise_if_any(record_of(["direction"], Row([Cell(side, where)], where))[1])


def _number(walks: Sequence[Walk]) -> list[Problem]:
    """Give contestants without numbers their place in the list; return the remark on that."""
    told = [name for name in SECTION_AND_DIRECTION if all(None not in walk.records.get(name) for walk in walks)]
    count: Counter[tuple[str, ...]] = Counter()
    for walk in walks:
        numbers = []
        for group in zip(walk.records["where"], *(walk.records[name] for name in told), strict=True):
            count[group[1:]] += 1
            numbers.append(str(count[group[1:]]))
        walk.records["number"] = numbers
    what = "the list has no numbers: its contestants are numbered as they are listed"
    return [Problem(what, _first(walks), code=PASSED_OVER)]
