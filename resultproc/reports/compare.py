"""What each of several rulebooks pays for the same games: their ladders side by side, place by place.

:func:`compare` computes it; below it is written as text, a page, a workbook, CSV and JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from resultproc.model.arrays import row_dicts
from resultproc.model.at_the_table import compared
from resultproc.model.basis import BASES
from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.errors import InputError
from resultproc.model.frames import AwardedResult, FrameRow, Sheet
from resultproc.model.game import league, split_list
from resultproc.model.language import in_words
from resultproc.model.numbers import MINUS, decimal_text
from resultproc.model.places import place_text
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, leagues_of
from resultproc.pages import words
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.result import game_entry
from resultproc.pages.tables import Writers, csv_file
from resultproc.reports.json_types import ComparedGameEntry, CompareReport, entry
from resultproc.rulebooks.load import rulebook
from resultproc.stages.pipeline import award_sheet


@dataclass(frozen=True)
class ComparedPlace:
    """What a place pays under each rulebook."""

    place: str  # as sheets print it: ``2``, or for a tie ``2/3``
    # Of each contestant there, in hundredths, by rulebook; None where nobody is ranked there.
    masterpoints: Mapping[str, int | None]


@dataclass(frozen=True)
class ComparedTable:
    """The places of one stratum on one basis of comparison that any rulebook pays."""

    basis: str  # as :mod:`resultproc.model.basis` writes it
    field: str  # who is compared, where that is not everyone: ``section A N-S``, ``N-S``, ``bracket 1``
    stratum: str  # its letter
    contestants: int  # how many they are
    places: tuple[ComparedPlace, ...]  # the best first
    total: Mapping[str, int | None]  # what they are paid together, by rulebook; None where they are not ranked

    @property
    def differs(self) -> bool:
        """Whether the rulebooks pay different awards."""
        return any(len(set(place.masterpoints.values())) > 1 for place in self.places)


@dataclass(frozen=True)
class ComparedGame:
    """One game under several rulebooks."""

    game: FrameRow  # its row of the games frame, as the first rulebook has it
    rulebooks: tuple[str, ...]  # their ids, in the order that was asked for
    tables: tuple[ComparedTable, ...]  # overall ones first
    paid: Mapping[str, int]  # what its contestants get in all by rulebook, each the highest of its awards
    provenance: Provenance  # of the whole sheet
    notes: tuple[str, ...] = ()  # what the rulebooks remark on its awards, each begun with the rulebook
    # Whose points each rulebook pays, none where all are the usual league's. Those of two have no difference.
    leagues: tuple[str, ...] = ()

    @property
    def heads(self) -> tuple[str, ...]:
        """The headings of the columns of awards."""
        alike = len(self.rulebooks) == 2 and len(set(self.leagues)) < 2
        return (*self.rulebooks, *_DIFFERENCE[:alike])


def compare(sheet: Sheet, rulebooks: Sequence[str]) -> list[ComparedGame]:
    """Return each game of a sheet as several rulebooks, named by id or path, award it.

    Contestants that tie share what their places pay. A rulebook of another league than a game's takes it for one of the
    first rating that it is for, which is noted. Raises InputError for a game that one of the rulebooks cannot award,
    the rulebook named.
    """
    rulebooks = list(dict.fromkeys(rulebooks))
    results = [_awarded(sheet, name) for name in rulebooks]
    rows = pd.concat([_rows(result).assign(rulebook=name) for name, result in zip(rulebooks, results, strict=True)])
    games = range(len(sheet.games))
    paid = [each.awards.groupby("game")["masterpoints"].sum().reindex(games, fill_value=0) for each in results]
    provenance = Provenance.of_all((result.provenance for result in results), 0)
    found = []
    for number, game in enumerate(row_dicts(results[0].games)):
        notes = dict.fromkeys(
            f"{name}: {each.what}"
            for name, result in zip(rulebooks, results, strict=True)
            for each in result.remarks
            if each.game == game["game_id"] and each.code in {OF_BOOK, OF_VALUES}
        )
        said = zip(rulebooks, [result.games["rating"].iloc[number] for result in results], strict=True)
        own = sheet.games["rating"].iloc[number]
        notes |= dict.fromkeys(f"{name}: as if it were {rating}" for name, rating in said if rating != own == own)
        tables = _compared_tables(rows[rows["game"] == number], rulebooks)
        each_paid = {name: int(each[number]) for name, each in zip(rulebooks, paid, strict=True)}
        of = tuple(rulebook(name).league for name in rulebooks)
        found.append(ComparedGame(game, tuple(rulebooks), tables, each_paid, provenance, tuple(notes), of))
    return found


def _awarded(sheet: Sheet, name: str) -> AwardedResult:
    games = sheet.games.assign(rulebook=pd.Series(name, sheet.games.index, dtype="str"))
    book = rulebook(name)
    other = (leagues_of(games) != book.league) & games["rating"].notna()
    if other.any() and book.covers:
        # How a game is scored is said alike in all leagues, what it is paid as is not.
        scored = games["special"].map(lambda text: [w for w in split_list(text) if w in league().not_paid], "ignore")
        games = games.assign(
            rating=games["rating"].mask(other, book.covers[0]),
            league=games["league"].mask(other, book.league),
            special=games["special"].mask(other, scored.map(", ".join, "ignore").replace("", None).astype("str")),
        )
    try:
        return award_sheet(replace(sheet, games=games))
    except InputError as error:
        raise type(error)(replace(problem, what=f"{name}: {problem.what}") for problem in error.problems) from None


def _rows(result: AwardedResult) -> pd.DataFrame:
    """Return a row for each standing: the table and the place that it is in, and what it pays."""
    key = ["contestant", "basis", "stratum"]
    standings = result.standings.astype({"basis": "str", "stratum": "str"})
    won = result.candidates.astype({"basis": "str", "stratum": "str"})[[*key, "masterpoints"]]
    rows = standings.merge(won, "left", key)
    return rows.assign(
        field=compared(result),
        order=rows["basis"].map(_ORDER),
        first=rows["position"],
        last=rows["position"] + rows["tied"] - 1,
        award=rows["masterpoints"].fillna(0).astype("int64"),
    )


_ORDER = {str(basis): number for number, basis in enumerate(sorted(BASES, key=lambda basis: not basis.over_all))}
"""The order of tables: overall awards before others."""


def _compared_tables(rows: pd.DataFrame, rulebooks: Sequence[str]) -> tuple[ComparedTable, ...]:
    """Return the tables of one game, in which something is paid under any of some rulebooks."""
    key = ["order", "basis", "level", "stratum", "field"]
    rows = rows.assign(seat=rows.groupby(key)["contestant"].transform("min")).sort_values(["order", "level", "seat"])
    tables = []
    for (_, basis, _, stratum, field), table in rows.groupby(key, sort=False):
        ranked = {name: table[table["rulebook"] == name] for name in rulebooks}
        spans = sorted(set(zip(table["first"], table["last"], strict=True)))
        paid = []
        for first, last in spans:
            awards: dict[str, int | None] = {}
            for name, each in ranked.items():
                there = each.loc[(each["first"] == first) & (each["last"] == last), "award"]
                awards[name] = int(there.iloc[0]) if len(there) else None
            paid += [ComparedPlace(place_text(first, last - first + 1), awards)] if any(awards.values()) else []
        if paid:
            totals = {name: int(each["award"].sum()) if len(each) else None for name, each in ranked.items()}
            named = (str(basis), str(field), str(stratum))
            tables.append(ComparedTable(*named, int(table["ranked"].max()), tuple(paid), totals))
    return tuple(tables)


WRITERS: Writers[[Sequence[ComparedGame]]] = Writers()


def table_heading(table: ComparedTable) -> str:
    """Return what a table is about, without its stratum: ``Overall``, ``Session 1, section A N-S``."""
    named = table.field if table.basis == "section" else ", ".join(filter(None, [table.basis, table.field]))
    return named[0].upper() + named[1:]


@WRITERS.text
def text(found: Sequence[ComparedGame]) -> Sequence[str]:
    """Return the tables that differ, with a column for each rulebook, and the names of those that do not."""
    return ["\n\n".join("\n".join(_lines(each)) for each in found)]


def _lines(comparison: ComparedGame) -> Iterator[str]:
    game = comparison.game
    yield in_words(words.game_line(game))
    heads = comparison.heads
    widths = [max(len(in_words(name)), 8) for name in heads]
    for table in filter(lambda table: table.differs, comparison.tables):
        yield ""
        yield in_words(f"{table_heading(table)}, stratum {table.stratum}: {table.contestants} contestants")
        yield ""
        yield _line("Place", heads, widths)
        for place in table.places:
            yield _line(place.place, _amounts(comparison, place.masterpoints), widths)
        yield _line("Total", _amounts(comparison, table.total), widths)
    paid = _line("Paid", _amounts(comparison, comparison.paid), widths)
    yield from ("", f"{paid}  ({in_words('each contestant its highest award')})")
    same = _same(comparison)
    if same:
        yield from ("", in_words("The same under each:"), *(f"  {in_words(text)}" for text in same))
    for note in comparison.notes:
        yield from ("", *words.wrapped(in_words(note)))


def _line(name: str, cells: Any, widths: Sequence[int]) -> str:
    shown = [in_words(cell).rjust(width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([in_words(name).rjust(7), *shown]).rstrip()


_DIFFERENCE = ["Difference"]
"""What the second of two rulebooks pays more than the first."""


def _amounts(comparison: ComparedGame, each: Mapping[str, int | None]) -> list[str]:
    """Return awards as sheets print them, nothing for none and a dash where nobody is ranked; of two of a league also
    their difference.
    """
    of = comparison.leagues or ("",) * len(each)
    shown = [
        "-" if hundredths is None else in_points(hundredths, name) if hundredths else ""
        for hundredths, name in zip(each.values(), of, strict=True)
    ]
    if len(comparison.heads) == len(each):
        return shown
    first, second = each.values()
    more = 0 if first is None or second is None else second - first
    amount = f"{'+' if more > 0 else MINUS}{in_points(abs(more), of[0])}"
    return [*shown, amount if more else ""]


@WRITERS.sheets
def shown(found: Sequence[ComparedGame]) -> Report:
    """Return the tables that differ below each other, what is paid in all, and the names of what does not differ."""
    only = found[0].game if len(found) == 1 else {}
    tables = [table for number, each in enumerate(found) for table in _tables(number, each, len(found) > 1)]
    differing = [table for table in tables if table.columns[0].heading == "Place"]
    same = [f"The same under each: {text}" for each in found for text in _same(each)]
    under = f"Under {' and '.join(found[0].rulebooks if found else ())}"
    return Report(
        ", ".join(dict.fromkeys(words.heading(each.game) for each in found)) or "Comparison",
        tables,
        {"Places": differing, "In all": [table for table in tables if table not in differing]},
        over=words.club_of(only) if only else "",
        facts=[*filter(None, [cell_text(words.when(only)) if only else ""]), under],
        said=[*same, *dict.fromkeys(note for each in found for note in each.notes)],
        provenance=found[0].provenance if found else None,
    )


def _tables(number: int, comparison: ComparedGame, several: bool) -> Iterator[PageTable]:
    """Yield the tables of one game that differ, and what it pays in all."""
    before = f"{words.heading(comparison.game)}: " if several else ""
    columns = [PageColumn("Place", "k"), *(PageColumn(name, "", name) for name in comparison.heads)]
    differing = [table for table in comparison.tables if table.differs]
    for count, table in enumerate(differing):
        rows = [PageRow([place.place, *_amounts(comparison, place.masterpoints)]) for place in table.places]
        rows.append(PageRow(["Total", *_amounts(comparison, table.total)], "total"))
        title = f"{before}{table_heading(table)}, stratum {table.stratum}"
        note = f"{table.contestants} contestants"
        yield PageTable(f"t{number}-{count}", title, columns, rows, note, sorts=False)
    paid = [PageRow(["Paid", *_amounts(comparison, comparison.paid)], "total")]
    columns = [PageColumn("All", "k"), *columns[1:]]
    yield PageTable(f"t{number}", f"{before}In all", columns, paid, "each its highest award", sorts=False)


def _same(comparison: ComparedGame) -> list[str]:
    """Return what is the same under each rulebook, a text for each comparison."""
    same: dict[str, list[str]] = {}
    for table in comparison.tables:
        if not table.differs:
            same.setdefault(table_heading(table), []).append(table.stratum)
    return [
        f"{name}, {'stratum' if len(strata) == 1 else 'strata'} {', '.join(strata)}" for name, strata in same.items()
    ]


@WRITERS("csv")
def to_csv(found: Sequence[ComparedGame]) -> bytes:
    """Return every table as CSV: a row for each place, and one for the total, with a column for each rulebook.

    An award is empty where nobody is ranked. The last row of a game, with the basis ``all``, is what it pays in all.
    """
    books = found[0].rulebooks if found else ()
    rows: list[list[object]] = []
    for each in found:
        game = cell_text(each.game["game_id"])
        for table in each.tables:
            key = [game, table.basis, table.field, table.stratum, table.contestants]
            rows += [[*key, place.place, *map(_decimal, place.masterpoints.values())] for place in table.places]
            rows.append([*key, "total", *map(_decimal, table.total.values())])
        rows.append([game, "all", "", "", "", "total", *map(_decimal, each.paid.values())])
    return csv_file(["game_id", "basis", "field", "stratum", "contestants", "place", *books], rows)


def _decimal(hundredths: int | None) -> str | None:
    return None if hundredths is None else decimal_text(hundredths)


@WRITERS.json
def to_json(found: Sequence[ComparedGame]) -> CompareReport:
    """Return every table as JSON: awards are decimal strings by rulebook, null where nobody is ranked."""
    games = [entry(ComparedGameEntry, each, game={**game_entry(each.game), "rulebook": None}) for each in found]
    return {"provenance": found[0].provenance.entry(), "games": games}
