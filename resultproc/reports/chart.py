"""The masterpoint chart: what games pay by their number of tables, without any game.

For each number of tables a game is made up that has them, and ranked and looked up as any other: the chart can say
nothing else than the awards do. It is written as text, CSV, an Excel workbook, a page to print, and JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from markupsafe import Markup

from resultproc.model.arrays import row_dicts
from resultproc.model.basis import Basis, Kind
from resultproc.model.codes import HOLDINGS_MISSING
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts, knockouts
from resultproc.model.frames import CONTESTANTS, GAMES
from resultproc.model.game import (
    BY_MATCHES,
    EAST_WEST,
    NORTH_SOUTH,
    OPEN,
    PER_TABLE,
    EventType,
    Movement,
    league,
    number_text,
    parse_strata,
)
from resultproc.model.group import Ladder, Members
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.model.provenance import Provenance
from resultproc.model.whose_points import in_points
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report, markup
from resultproc.pages.plot import of_places
from resultproc.pages.tables import Writers, aligned, as_csv
from resultproc.pages.words import WIDTH, numbered_note, strata, wrapped
from resultproc.pages.workbook import (
    A_SHEET,
    FONT,
    LINE,
    TEXT_POINTS,
    count_in_digits,
    lay_out,
    points_for,
    put,
    saved,
    set_widths,
)
from resultproc.reports.json_types import ChartBlock, ChartReport, ChartRowEntry, entry
from resultproc.rulebooks.choice import choose, editions, remarks_on, rulebooks_used
from resultproc.rulebooks.load import rulebooks, unread_rulebooks
from resultproc.stages.award import ladders_of
from resultproc.stages.pipeline import complete, rank

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


MAX_TABLES, MAX_ROWS = 1000, 200

_TWO_WAY = (EventType.PAIRS.value, EventType.TEAM_OF_TWO.value)
"""What is played as a Mitchell where nothing is said."""


@dataclass(frozen=True)
class ChartRow:
    """What a number of tables pays."""

    tables: float  # that number
    contestants: int  # how many are in the comparison group
    ladder: Ladder  # the awards of this group by place

    @property
    def awards(self) -> tuple[int, ...]:
        """The awards in hundredths, 1st place first, as far as places pay."""
        return self.ladder.awards[: self.ladder.depth]


@dataclass(frozen=True)
class Block:
    """The rows of one basis of comparison: section, overall, ..."""

    basis: str
    sections: int  # into how many the tables are divided
    rows: tuple[ChartRow, ...]
    level: int = 0  # where the chart has strata, which one it is, 0 the top
    stratum: str = ""  # its text, ``B=1000``; the rows count the tables of contestants that are eligible for it
    league: str = ""  # whose points these are, '' for the usual one

    @property
    def places(self) -> int:
        """How many places the row with the most of them pays."""
        return max(len(row.awards) for row in self.rows)

    @property
    def rules(self) -> list[str]:
        """The citations of the rows, each once."""
        return list(dict.fromkeys(row.ladder.rule for row in self.rows))


@dataclass(frozen=True)
class Chart:
    """A chart."""

    keys: dict[str, str]  # the game keys that it is for, by name
    rulebook: str  # the rulebook's id
    title: str  # what people call the rulebook
    blocks: tuple[Block, ...]  # a block for each basis of comparison
    notes: tuple[str, ...] = ()  # what is to be noted
    provenance: Provenance = field(default_factory=Provenance)  # the rulebook's values that it comes from


def chart(game: pd.DataFrame, first: float, last: float | None = None) -> Chart:
    """Return the chart of a kind of game.

    game: one row of the games frame that declares the kind of game (rating, movement, limit, ...). With strata, each
        has blocks of its own: what its contestants are paid, by the tables of them that are eligible for it.
    first, last: the numbers of tables that it begins and ends with; ``last`` is None for ``first`` alone.

    Where neither its day nor its boards are declared it is a game of today, with the boards that its rulebook's awards
    are for, and the chart notes that. Half tables between are left out where they pay what the next whole one does.
    Where games of one section have no overall awards, those of two sections are charted. Raises InputError for tables
    that cannot be, DeclarationError for a rating without a rulebook or a missing date, RulebookError for a rulebook
    that cannot be used.
    """
    try:
        return _chart(game, first, last)
    except InputError as error:
        # What is wrong is wrong for every number of tables: once is enough.
        problems = dict.fromkeys(replace(p, where="" if p.game else p.where, game="") for p in error.problems)
        if any(problem.code == HOLDINGS_MISSING for problem in problems):
            what = "there is no chart of these awards: overall they go by the holdings of those who play"
            books = sorted((book.since, book.id) for book in rulebooks() if game["rating"].iloc[0] in book.covers)
            before = [f"name the rulebook of before, {name}, or " for _, name in books[-2:-1]]
            hint = f"{''.join(before)}award a file with mp1, mp2, ..."
            raise type(error)(what, hint=hint, code=HOLDINGS_MISSING) from None
        raise type(error)(problems) from None


def _chart(game: pd.DataFrame, first: float, last: float | None) -> Chart:
    if knockouts(game).any():
        charted = ", ".join(kind for kind in EventType if kind is not EventType.KNOCKOUT)
        what = "there is no chart for a knockout: its awards depend on the matches won, not on tables alone"
        hint = f"choose {charted}, or a zip knockout; 'explain' shows what a place in a knockout pays"
        raise InputError(what, hint=hint)
    event_type = game["event_type"].fillna(EventType.PAIRS.value).iloc[0]
    movement = game["movement"].iloc[0]
    two_way = event_type in _TWO_WAY if pd.isna(movement) else movement == Movement.MITCHELL.value
    seats = PER_TABLE[event_type]
    unread = unread_rulebooks() if game["rulebook"].isna().all() else []
    if game["rating"].notna().all():
        # Under a rulebook that is named no boards are asked for: without them awards are those for the usual number.
        game = game.assign(rulebook=choose(game.assign(boards=1))["rulebook"])
    tables = _range(first, last, seats)
    games, blocks = _blocks(game, tables, two_way, seats, 1)
    if not any(_over_all(block) for block in blocks):
        divided = [count for count in tables if count >= 2]
        more = _blocks(game, divided, two_way, seats, 2)[1] if divided else []
        blocks += [block for block in more if _over_all(block)]
    if not blocks:
        raise InputError(f"a {game['rating'].iloc[0]} game has no awards that depend on the number of tables")
    blocks.sort(key=lambda block: (_over_all(block), block.level))
    chosen = editions(games)
    (edition,) = chosen.found
    made_up = {"tables", "rulebook", *(["strata"] if game["strata"].isna().all() else [])}  # the rows tell the tables
    declared = games.iloc[0][[name for name in KEYS if name not in made_up]].dropna()
    keys = {str(name): KEYS[str(name)].shown(value) for name, value in declared.items()}
    if event_type not in _TWO_WAY:
        del keys["movement"]
    made = {item.path for block in blocks for row in block.rows if row.awards for item in row.ladder.values.items}
    on_values = [remark for remark, paths in edition.remarks.items() if not paths.isdisjoint(made)]
    notes = dict.fromkeys([*(remark.what for remark in [*remarks_on(games, chosen), *unread]), *on_values])
    provenance = Provenance(rulebooks=rulebooks_used(games["rulebook"], chosen))
    return Chart(keys, edition.book, edition.title, tuple(blocks), tuple(notes), provenance)


def _range(first: float, last: float | None, seats: int) -> list[float]:
    """Return the numbers of tables of a chart: every half that seats whole contestants."""
    last = first if last is None else last
    if last < first or last > MAX_TABLES:
        raise InputError(
            f"invalid range of tables: {number_text(first)} to {number_text(last)}",
            hint=f"write the smaller number first, and at most {MAX_TABLES}",
        )
    halves = range(int(first * 2), int(last * 2) + 1)
    tables = [count / 2 for count in halves if (count * seats) % 2 == 0]
    if not tables or len(tables) > 2 * MAX_ROWS:
        rows = f"{number_text(first)} to {number_text(last)} tables are more than {MAX_ROWS} rows"
        what, hint = ("a team does not fit at half a table", "whole tables") if not tables else (rows, "fewer")
        raise InputError(what, hint=f"write {hint}, such as 4:20")
    return tables


def _blocks(
    game: pd.DataFrame, tables: Sequence[float], two_way: bool, seats: int, sections: int
) -> tuple[pd.DataFrame, list[Block]]:
    """Return made-up games, one for each number of tables, and the blocks of their bases, of as many sections."""
    games, contestants = _made_up(game, tables, two_way, seats, sections)
    games, contestants = complete(games, contestants)
    standings = rank(games, contestants)
    groups = standings.sort_values("ranked", ascending=False, kind="stable").drop_duplicates(["game", "basis", "level"])
    groups = groups.sort_values(["basis", "level", "game"])
    _, (edition,) = editions(games)
    reach = np.zeros(len(groups), dtype=np.int64)
    number, ladders = ladders_of(edition, groups, reach, Members(standings, Facts(games, contestants)))
    rows: dict[tuple[str, int], list[ChartRow]] = {}
    for group, which in zip(row_dicts(groups), number, strict=True):
        row = ChartRow(tables[group["game"]], int(group["ranked"]), ladders[which])
        rows.setdefault((group["basis"], int(group["level"])), []).append(row)
    strata = [] if game["strata"].isna().all() else game["strata"].iloc[0].split(", ")
    kept: list[Block] = []
    for (basis, level), each in rows.items():
        block = Block(basis, sections, _whole(each), level, strata[level] if strata else "", edition.league)
        # One that pays what one before it pays on another basis, as each session does, is left out.
        paid = (_over_all(block), level, block.rows)
        if all(paid != (_over_all(other), other.level, other.rows) for other in kept):
            kept.append(block)
    sessions = {block.basis for block in kept if Basis.parse(block.basis).kind is Kind.SESSION}
    return games, [replace(block, basis=Kind.SESSION.value) if sessions == {block.basis} else block for block in kept]


def _whole(rows: Sequence[ChartRow]) -> tuple[ChartRow, ...]:
    """Return the rows without the half tables that pay what the next whole one does."""
    following = [*rows[1:], None]
    return tuple(
        row
        for row, after in zip(rows, following, strict=True)
        if row.tables == int(row.tables) or after is None or row.awards != after.awards
    )


def _over_all(block: Block) -> bool:
    return Basis.parse(block.basis).over_all


def _made_up(
    game: pd.DataFrame, tables: Sequence[float], two_way: bool, seats: int, sections: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a game for each number of tables, with contestants that all have different scores."""
    larger = [count if sections == 1 else float(ceil(count / 2)) for count in tables]
    divided = [
        {"A": most, "B": count - most} if most < count else {"A": most}
        for count, most in zip(tables, larger, strict=True)
    ]
    games = game.loc[game.index.repeat(len(tables))].reset_index(drop=True)
    movement = Movement.MITCHELL if two_way else Movement.HOWELL
    names = [f"{number_text(count)} tables" for count in tables]
    texts = [", ".join(f"{name}={number_text(part)}" for name, part in parts.items()) for parts in divided]
    games = GAMES.conform(games.assign(game_id=names, tables=texts, movement=movement.value))

    def sides(part: float) -> dict[str | None, int]:
        return {NORTH_SOUTH: ceil(part), EAST_WEST: int(part)} if two_way else {None: int(part * seats)}

    listed = [
        (name, section, side, str(number))
        for name, parts in zip(names, divided, strict=True)
        for section, part in parts.items()
        for side, count in sides(part).items()
        for number in range(1, count + 1)
    ]
    contestants = pd.DataFrame(listed, columns=["game_id", "section", "direction", "number"])
    # Points falling from 100 in steps that ranking tells apart, the same in each session and on the whole.
    falling = 100 - contestants.groupby("game_id").cumcount() / 100
    # All are eligible for every stratum.
    lowest = None if games["strata"].isna().all() else parse_strata(games["strata"].iloc[0])[-1].letter
    contestants = contestants.assign(stratum=pd.Series(lowest, contestants.index, dtype="str"))
    sessions = games["sessions"].fillna(1).iloc[0]
    by_sessions = sessions > 1 and games["event_type"].iloc[0] not in BY_MATCHES
    scores = {f"session{number}": falling for number in range(1, sessions + 1)} if by_sessions else {"score": falling}
    return games, CONTESTANTS.conform(contestants.assign(percentage=falling, eligible=True, **scores))


_ON_A_PAGE = 40
"""The most rows of a chart that is printed on one page."""

WRITERS: Writers[[Chart]] = Writers()


def chart_title(chart: Chart) -> str:
    """Return what the chart is for, in the language: ``Masterpoint chart: club-open, pairs, mitchell, limit 200``."""
    return in_words(f"Masterpoint chart: {', '.join(as_it_is(in_words(text)) for _, text in _said(chart))}")


def _said(chart: Chart) -> list[tuple[str, str]]:
    """Return what the chart is for: each key with its text; what is usual is left out."""
    usual = (("limit", "open"), ("sessions", "1"))
    bare = ("rating", "event_type", "movement", "date", "special")  # their value alone says what it is
    said = [(name, value) for name, value in chart.keys.items() if (name, value) not in usual]
    return [(name, value if name in bare else f"{name.replace('_', ' ')} {value}") for name, value in said]


def block_heading(block: Block) -> str:
    """Return the heading of a block: ``Section awards``."""
    divided = " (the tables in two sections)" if block.sections > 1 else ""
    each = " (in each session)" if block.basis == "session" else ""
    letter, _, limit = block.stratum.partition("=")
    under = "open" if limit == number_text(OPEN) else f"under {limit}"
    stratum = f", stratum {letter} ({under})" if letter else ""
    return f"{block.basis} awards".capitalize() + stratum + divided + each


def _header(block: Block) -> list[str]:
    places = [ordinal(place) for place in range(1, block.places + 1)]
    return ["Tables", "Contestants", *places, "How", "Rule"]


def _cells(block: Block, row: ChartRow, rules: Sequence[str]) -> list[str]:
    """Return a row as text, under the header; the rule by its number among some."""
    awards = [in_points(award, block.league) for award in row.awards]
    empty = [""] * (block.places - len(awards))
    rule = str(rules.index(row.ladder.rule) + 1)
    return [number_text(row.tables), str(row.contestants), *awards, *empty, row.ladder.factors, rule]


@WRITERS.text
def text(chart: Chart) -> Iterator[str]:
    """Yield the chart as text of 80 columns: right-aligned columns, and at the end the rules, numbered, each once.

    Where the columns are wider, the places go on in a second table, and how the awards come about has one of its own.
    """
    for said in (chart_title(chart), *map(in_words, [f"{chart.title} ({chart.rulebook})", *chart.notes])):
        yield from wrapped(said)
    rules = list(dict.fromkeys(rule for block in chart.blocks for rule in block.rules))
    for block in chart.blocks:
        yield from ("", *wrapped(in_words(block_heading(block))), "", *_table(block, rules))
    yield from ("", in_words("Rules"), "")
    for number, rule in enumerate(rules, 1):
        yield from numbered_note(number, rule)


def _table(block: Block, rules: Sequence[str]) -> list[str]:
    """Return the lines of a block's table, or of the tables that it is where it is too wide for one."""
    table = [[*map(in_words, row)] for row in (_header(block), *(_cells(block, row, rules) for row in block.rows))]
    whole = aligned(table, {len(table[0]) - 2})
    if max(map(len, whole)) <= WIDTH:
        return whole
    width = max(len(cell) for row in table for cell in row[2:-2]) + 2
    first = sum(len(name) + 2 for name in table[0][:2])
    at_once = (WIDTH - first) // width
    lines: list[str] = []
    for start in range(2, len(table[0]) - 2, at_once):
        end = min(start + at_once, len(table[0]) - 2)
        there = [row for row in table if any(row[start:end])]
        lines += [*aligned([[*row[:2], *row[start:end]] for row in there], ()), ""]
    for tables, *_, how, rule in table:
        before = f"{tables.rjust(len(table[0][0]))}  {rule.rjust(len(table[0][-1]))}  "
        lines += wrapped(before + how, len(before))
    return lines


@WRITERS("csv")
def to_csv(chart: Chart) -> bytes:
    """Return the chart as CSV: one table, a row for each basis and number of tables."""
    places = max(block.places for block in chart.blocks)
    stratified = any(block.stratum for block in chart.blocks)
    first = ["awards", *(["stratum"] if stratified else []), "tables", "contestants"]
    rows = []
    for block in chart.blocks:
        stratum = [block.stratum.partition("=")[0]] if stratified else []
        for row in block.rows:
            awards = [decimal_text(award) for award in row.awards] + [""] * (places - len(row.awards))
            cells = [block.basis, *stratum, number_text(row.tables), row.contestants, *awards]
            rows.append([*cells, row.ladder.factors, row.ladder.rule])
    return as_csv([*first, *map(ordinal, range(1, places + 1)), "how", "rule"], rows).encode()


@WRITERS("xlsx")
def xlsx(chart: Chart) -> bytes:
    """Return the chart as a workbook to be printed: a sheet for each block, and one of how and by which rules."""
    from openpyxl import Workbook

    workbook = Workbook()
    count_in_digits(workbook)
    workbook.remove(workbook.worksheets[0])
    for block in chart.blocks:
        title = in_words(f"{block.basis.capitalize()} {block.stratum[:1]}".strip())
        _write_block(workbook.create_sheet(title), chart, block)
    _write_rules(workbook.create_sheet(in_words("Rules")), chart)
    workbook.properties.description = chart.provenance.line()
    return saved(workbook)


def _write_block(sheet: Worksheet, chart: Chart, block: Block) -> None:
    """Write the awards of a block, in letters as large as a sheet of paper allows where they fit on one."""
    from openpyxl.styles import Alignment, Border, Font, Side

    header = _header(block)[:-2]
    of_book = in_words(f"{as_it_is(in_words(block_heading(block)))}: {chart.title} ({as_it_is(chart.rulebook)})")
    lines = [chart_title(chart), of_book, "; ".join(map(in_words, chart.notes))]
    widths = [{"Contestants": 13.0}.get(name, 8.0) for name in header]
    points = points_for(sum(widths), len(block.rows) + _ABOVE) if len(block.rows) <= _ON_A_PAGE else TEXT_POINTS
    for number, line in enumerate(lines, 1):
        put(sheet.cell(number, 1), line).font = Font(FONT, TEXT_POINTS + 3 * (number == 1), bold=number == 1)
    if chart.notes:
        # Wrapped, as a line that goes on beyond the columns is cut off in print.
        sheet.merge_cells(start_row=_NOTES, end_row=_NOTES, start_column=1, end_column=len(header))
        sheet.cell(_NOTES, 1).alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[_NOTES].height = LINE * math.ceil(len(lines[-1]) / sum(widths))
    for column, name in enumerate(header, 1):
        cell = put(sheet.cell(_ABOVE, column), in_words(name))
        cell.font, cell.border = Font(FONT, points, bold=True), Border(bottom=Side("thin"))
        cell.alignment = Alignment(horizontal="right")
    for number, row in enumerate(block.rows, _ABOVE + 1):
        for column, value in enumerate([row.tables, row.contestants, *(award / 100 for award in row.awards)], 1):
            cell = put(sheet.cell(number, column), value)
            cell.font = Font(FONT, points)
            cell.number_format = "0.00" if column > 2 else "General"
        sheet.row_dimensions[number].height = LINE * points / TEXT_POINTS
    sheet.row_dimensions[_ABOVE].height = LINE * points / TEXT_POINTS
    set_widths(sheet, [width * points / TEXT_POINTS for width in widths])
    on_one = len(block.rows) <= _ON_A_PAGE
    lay_out(sheet, _ABOVE, larger=max(points / TEXT_POINTS, A_SHEET) if on_one else 1)


_NOTES, _ABOVE = 3, 4
"""The row of what is to be noted on a block's sheet, and that of its header."""


def _write_rules(sheet: Worksheet, chart: Chart) -> None:
    """Write how the awards of each number of tables come about, and the rules that say so, numbered in each block."""
    from openpyxl.styles import Alignment, Font

    top = Alignment(vertical="top")
    wraps = Alignment(wrap_text=True, vertical="top", horizontal="left", indent=1)
    put(sheet.cell(1, 1), chart_title(chart)).font = Font(FONT, TEXT_POINTS + 3, bold=True)
    row = 2
    for block in chart.blocks:
        row += 1
        put(sheet.cell(row, 1), in_words(block_heading(block))).font = Font(FONT, TEXT_POINTS, bold=True)
        for number, rule in enumerate(block.rules, 1):
            row += 1
            sheet.cell(row, 1, number).alignment = top
            put(sheet.cell(row, 2), rule).alignment = wraps
            sheet.merge_cells(start_row=row, end_row=row, start_column=2, end_column=3)
            sheet.row_dimensions[row].height = LINE * math.ceil(len(rule) / (_HOW + _RULE))
        row += 1
        for column, name in enumerate(("Tables", "How", "Rule"), 1):
            head = put(sheet.cell(row, column), in_words(name))
            head.font = Font(FONT, TEXT_POINTS, bold=True)
            head.alignment = wraps if name == "How" else Alignment(horizontal="right")
        for each in block.rows:
            row += 1
            *_, how, rule = _cells(block, each, block.rules)
            sheet.cell(row, 1, each.tables).alignment = top
            put(sheet.cell(row, 2), in_words(how)).alignment = wraps
            sheet.cell(row, 3, int(rule)).alignment = top
            sheet.row_dimensions[row].height = LINE * math.ceil(len(how) / _HOW)
        row += 1
    set_widths(sheet, [8, _HOW, _RULE])
    lay_out(sheet, 1)


_HOW, _RULE = 84.0, 8.0
"""How wide the columns of the rules' sheet are, in characters."""


@WRITERS.shown
def shown(chart: Chart) -> Report:
    """Return the chart as one page that needs nothing else, to look at and to print."""
    tables = []
    for number, block in enumerate(chart.blocks):
        columns = [
            PageColumn("Tables", "k", "tables"),
            PageColumn("Contestants", "", "Contestants"),
            *(PageColumn(name, "", name) for name in _header(block)[2:-2]),
            PageColumn("How", "l"),
            PageColumn("Rule", "", "Rule"),
        ]
        rows = [PageRow(_cells(block, row, block.rules)) for row in block.rows]
        table = PageTable(f"block{number}", block_heading(block), columns, rows, sorts=False, below=block.rules)
        tables.append(replace(table, alone=True, scrolls=True))
    facts = [*_in_words(chart), *chart.notes]
    first = chart.blocks[0]
    most = first.rows[-1]
    title = f"{block_heading(first)}: what each place pays at {most.tables:g} tables"
    plot = of_places(title, most.awards, first.league)
    drawn = Markup('<div class="screen">{}</div>').format(markup("pages/plot.html", plot=plot))
    picture = drawn if most.awards else ""  # printed, the tables say it all
    at = chart.provenance
    return Report("Masterpoint chart", tables, facts=facts, picture=picture, provenance=at, landscape=True)


def _in_words(chart: Chart) -> list[str]:
    """Return what the chart is for as players say it: ``Open club game``, ``24 boards``, ``A open, B under 1000``."""
    limit = chart.keys.get("limit", "open")
    limited = {"strata": chart.keys.get("strata"), "limit": None if limit == "open" else float(limit)}
    words = {
        "rating": league().names.get(chart.keys.get("rating"), ""),
        "movement": chart.keys.get("movement", "").capitalize(),
        "boards": f"{chart.keys.get('boards')} boards",
    }
    said = [words.get(name, text) for name, text in _said(chart) if name not in limited]
    return [text for text in (*said, strata(limited)) if text]


@WRITERS.json
def to_json(chart: Chart) -> ChartReport:
    """Return the chart as JSON: awards are decimal strings, the first place first."""
    blocks = []
    for block in chart.blocks:
        ladders = [{"factors": row.ladder.factors, "rule": row.ladder.rule} for row in block.rows]
        each = zip(block.rows, ladders, strict=True)
        rows = [entry(ChartRowEntry, row, masterpoints=row.awards, **ladder) for row, ladder in each]
        blocks.append(entry(ChartBlock, block, stratum=block.stratum[:1], rows=rows))
    return entry(ChartReport, chart, game={**chart.keys, "rulebook": chart.rulebook}, awards=blocks)
