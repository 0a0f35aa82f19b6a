"""Rows of cells, from CSV or a spreadsheet, to contestants.

What a header may call a column and what its cells may hold is in :mod:`resultproc.model.columns`. A table that a
program writes is read by :func:`read_table`, which takes nothing else than contestants; one that people write by
:func:`read_sheet`, which passes over other rows and columns, with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from resultproc.model.codes import EMPTY, PASSED_OVER
from resultproc.model.column_names import PLACE_COLUMN
from resultproc.model.errors import FormatError, InputError, Problem, collapse_repeats
from resultproc.model.grid import Cell, Records, Row
from resultproc.model.places import rank_texts
from resultproc.model.text import listed
from resultproc.model.understood import SECTION_AND_DIRECTION, Understood
from resultproc.tables.agreement import Field, misplaced_in, numbers_for_names, remarks_on_lists
from resultproc.tables.cells import MAXIMUM, NEEDED, lacking_in, record_of, without
from resultproc.tables.headings import SCORES, Headings, headings_of, unknown_column
from resultproc.tables.seats import fill_seats, joined_players, part_players, split_numbers
from resultproc.tables.unsaid import are_fractions
from resultproc.tables.walk import TOLD_ONCE, Walk


class Table(NamedTuple):
    """The contestants of a table."""

    contestants: Records  # in the contestants frame's columns
    remarks: tuple[Problem, ...] = ()  # on what was passed over
    understood: Understood = Understood()  # what its columns, and headings between its rows, were taken for
    facts: Mapping[str, object] = MappingProxyType({})  # what columns tell of the game, in the games frame's columns


def read_table(header: Row, rows: Iterable[Row], defaults: Mapping[str, str]) -> Records:
    """Return the contestants of a table, in the contestants frame's columns (``game_id`` only where the table has it).

    header: the row that names the columns.
    rows: those below; a row without any text is passed over, and so is a remark: a single text that begins with #.
    defaults: what holds in every row, of columns that the header does not have.
    Raises InputError with every wrong header and cell.
    """
    headings = headings_of(header)
    if headings.unknown or headings.problems:
        raise InputError([*map(unknown_column, headings.unknown), *headings.problems])
    problems: list[Problem] = []
    records = Records()
    for row in rows:
        if not row.texts or row.is_remark:
            continue
        record, wrong = record_of(headings.columns, row)
        problems += wrong or lacking_in(record)
        records.add(record)
    _refuse(header, headings.columns, records, problems)
    if MAXIMUM in records:
        records.pop(MAXIMUM)
    fill_seats(records)
    _add_defaults(records, defaults)
    return records


def read_cells(rows: Sequence[tuple[Mapping[str, Cell], str]], table: Cell, defaults: Mapping[str, str]) -> Records:
    """Return the contestants of a table as :func:`read_table` does, none of whose rows is passed over.

    rows: the cells of each by column, and where it is.
    table: how messages say that a row is in it, such as ``below #Scores``, and where it is.
    """
    names = list(dict.fromkeys(name for cells, _ in rows for name in cells))
    listed = [Row([cells.get(name, Cell("", where)) for name in names], where) for cells, where in rows]
    empty = next((row for row in listed if not row.texts or row.is_remark), None)
    if empty is not None:
        raise InputError(f"there is an empty row {table.text}", empty.where, "delete it, or name its pair")
    return read_table(Row([Cell(name, table.where) for name in names], table.where), listed, defaults)


def read_sheet(
    header: Row,
    rows: Iterable[Row],
    seats: Mapping[str, str],
    defaults: Mapping[str, str],
    headings: Headings | None = None,
    *,
    exact: bool = False,
) -> Table:
    """Return the contestants of a table as people write it.

    header: the row that names the columns.
    rows: those below.
    seats: the section and direction that headings above the header tell.
    defaults: as for :func:`read_table`.
    headings: what the header means, where that was seen from the rows, too: :func:`table_columns`.
    exact: whether a program wrote the table, so that names have no notes beside them, as where a column is ``player1``.

    Columns of other names, rows of seats where nobody sat, rows of sums, and notes below the table are passed over with
    a remark. Headings between the rows tell the section or direction of the rows below, and may be followed by a
    header.
    Raises InputError with every wrong header and cell.
    """
    walk = Walk(headings or headings_of(header, places=True), dict(seats), header, exact=exact)
    for row in rows:
        walk.take(row)
    end(walk)
    table = finished([walk], defaults, numbered=True, headed=not walk.headings.why)
    facts, read = walk.day()
    remarks = tuple(remark for remark in table.remarks if remark.where != read)
    understood = Understood(lists=tuple(walk.lists), told=tuple(walk.told))
    return table._replace(remarks=remarks, understood=understood, facts=facts)


def end(walk: Walk) -> None:
    """Take the players of a list apart, whose rows were all taken; raise InputError with what is wrong in these."""
    columns, records = walk.headings.columns, walk.records
    if walk.header:
        _refuse(walk.header, columns, records, walk.all_problems())
    elif problems := walk.all_problems():
        raise InputError(problems)
    heads = {name: head for name, head in zip(columns, walk.heads, strict=True) if name}
    walk.noted = part_players(records, heads, walk.headings.together, walk.exact)


def finished(
    walks: Sequence[Walk], defaults: Mapping[str, str], *, numbered: bool, headed: bool, ordered: bool = True
) -> Table:
    """Return the contestants of some lists together, with what was passed over, and what is odd among them.

    defaults: what holds in every row, of columns that no list has.
    numbered: whether the lists themselves give numbers.
    headed, ordered: whether headings alone say what each column is, and whether the lists may go by their scores.
    Raises InputError where they contradict themselves.
    """
    records = Records.joined([walk.records for walk in walks]) if len(walks) > 1 else walks[0].records
    split_numbers(records)
    lacking = _sectionless(records)
    fill_seats(records)
    records = joined_players(records)
    either = next((walk.headings.either for walk in walks if walk.headings.either is not None), None)
    if either is not None:
        _refuse_doubtful(records, either)
    _add_defaults(records, defaults)
    _write_in_percent(records)
    if "printed_section" in records and PLACE_COLUMN in records:
        records.pop(PLACE_COLUMN)
    odd = [*(_without_tops(records) if MAXIMUM in records else []), *lacking]
    field = Field(
        records,
        _groups(records),
        _cells_at(walks, records),
        [each for walk in walks for each in walk.sums],
        sum(walk.nobody for walk in walks),
        numbered,
        headed,
        all(walk.exact for walk in walks),
        ordered,
    )
    # Of a file of many games only the places are looked at.
    odd += misplaced_in(field) if "game_id" in records else remarks_on_lists(field)
    names = numbers_for_names(field)
    if MAXIMUM in records:
        records.pop(MAXIMUM)
    odd += _take_places(records, field.places) if PLACE_COLUMN in records else []
    passed = [remark for walk in walks for remark in collapse_repeats(walk.remarks, TOLD_ONCE)]
    beside = [remark for walk in walks for remark in (*walk.noted, *(note for note, _ in walk.notes))]
    return Table(records, (*passed, *beside, *odd, *names))


def _cells_at(walks: Sequence[Walk], records: Records) -> Callable[[int, str], str]:
    """Return what tells where the cell of a contestant in a column is, or else the contestant, by its number."""
    cells = [each for walk in walks for each in walk.taken]
    columns = [each for walk in walks for each in walk.columns]
    if len(cells) != len(records):  # those of many games, or a row was a player each
        return lambda n, _: str(records["where"][n])

    def cell_at(n: int, name: str) -> str:
        of = "player1" if name.startswith("player") and name not in columns[n] else name
        at = columns[n].index(of) if of in columns[n] else len(cells[n])
        return cells[n][at] if at < len(cells[n]) else str(records["where"][n])

    return cell_at


def _refuse(header: Row, columns: Sequence[str | None], records: Records, problems: Sequence[Problem]) -> None:
    """Raise InputError with what is wrong in the rows of a table, and where there is none."""
    if not any(name in columns for name in SCORES) and len(records) and any(records["eligible"]):
        raise InputError("the column 'score' is missing", header.where, "write score or percentage in the header")
    if problems:
        raise InputError(collapse_repeats(problems, {without(name) for name in NEEDED}))
    if not len(records):
        raise FormatError("there are no contestants below this header", header.where, code=EMPTY)


def _add_defaults(records: Records, defaults: Mapping[str, str]) -> None:
    for name, value in defaults.items():
        if name not in records:
            records.fill(name, value)


def _sectionless(records: Records) -> list[Problem]:
    """Return the remarks on contestants without a section, unless it is written once for all below it."""
    sections = records.get("section")
    without = [n for n, section in enumerate(sections) if section is None]
    if not 0 < 2 * len(without) < len(sections) or 0 in without:
        return []
    found = "this contestant has no section, but others do: it is taken to be in section {}"
    taken = [next(section for section in sections[n::-1] if section is not None) for n in without]
    return [
        Problem(found.format(section), str(records["where"][n]), "write the section")
        for n, section in zip(without, taken, strict=True)
    ]


def _without_tops(records: Records) -> list[Problem]:
    """Leave out scores of several maxima that contradict the percentages; return the remark on that."""
    columns = (records.get(MAXIMUM), records.get("score"), records.get("percentage"), map(str, records["where"]))
    scored = list(zip(*columns, strict=True))
    tops = {top: where for top, *_, where in scored if top is not None}
    both = sorted((share, score) for _, score, share, _ in scored if score is not None and share is not None)
    opposite = any(score > better for (share, score), (more, better) in pairwise(both) if more > share)
    if len(tops) == 1 or len(both) < len(scored) or not opposite:
        return []
    of = listed([f"{top:g}" for top in tops])
    records.pop("score")
    what = f"the scores are of {of}: the percentages are compared, and not the scores"
    return [Problem(what, [*tops.values()][-1], "if all played as many boards, correct the maximum", code=PASSED_OVER)]


def _write_in_percent(records: Records) -> None:
    """Write percentages as such that are fractions in the file: 0.5625 is 56.25."""
    for name in [name for name in records if name.startswith("percentage")]:
        values = records[name]
        if are_fractions([value for value in values if value is not None]):
            records[name] = [value if value is None else round(100 * value, 10) for value in values]


def _take_places(records: Records, found: Sequence[int | None]) -> list[Problem]:
    """Take the ranks of a column of places, where each section and direction has a first; return what is not read."""
    places = [place or "" for place in records.pop(PLACE_COLUMN)]
    groups = _groups(records)
    first = {group for group, place in zip(groups, found, strict=True) if place == 1}
    listed = list(zip(places, found, records["where"], strict=True))
    if not first.issuperset(groups):
        # A list of all in the order of their scores may have one first only: it is no list of ranks in the sections.
        alone = found.count(1) == 1 and len(set(groups)) > 1
        where = next((str(where) for place, _, where in listed if place), "")
        what = "the places are not read: not every section and direction has a first"
        return [] if alone or not where else [Problem(what, where, "write 1 for the first of each")]
    records["printed_section"] = rank_texts(groups, found)
    return [
        Problem(f"the place '{place}' is not read", str(where), "write it as 2, or 2= where several share it")
        for place, number, where in listed
        if number is None and re.search(r"\w", place) and not _NO_PLACE.fullmatch(place)
    ]


_NO_PLACE = re.compile(r"n/?a|none|dnq|unranked|x", re.IGNORECASE)
"""What stands for no place."""


def _groups(records: Records) -> list[tuple[str, ...]]:
    """Return the game, section and direction of each contestant, as far as they are said."""
    said = [[text or "" for text in records[name]] for name in ("game_id", *SECTION_AND_DIRECTION) if name in records]
    return list(zip(*said, strict=True)) or [()] * len(records)


def _refuse_doubtful(records: Records, cell: Cell) -> None:
    """Refuse a column that may hold matchpoints or masterpoints beside percentages, unless these are of its scores."""
    shares: dict[tuple[str, ...], list[float]] = {}
    for group, score, percentage in zip(_groups(records), records.get("score"), records.get("percentage"), strict=True):
        if score is not None and percentage is not None and percentage > 0:
            shares.setdefault(group, []).append(score / percentage)
    if not any(score is not None for score in records.get("score")):
        return
    if None in records.get("score") or any(max(share) > min(share) * _SAME_SHARE for share in shares.values()):
        what = f"'{cell.text}' may be matchpoints or masterpoints"
        raise InputError(what, cell.where, "call the column Matchpoints, or Masterpoints")


_SAME_SHARE = 1.02
"""Scores and percentages of them differ by less, rounded as they are."""
