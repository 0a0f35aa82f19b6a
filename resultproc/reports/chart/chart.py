"""The masterpoint chart: what games pay by their number of tables, without any game.

For each number of tables a game is made up that has them, and ranked and looked up as any other: the chart can say
nothing else than the awards do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
import pandas as pd

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
    PER_TABLE,
    EventType,
    Movement,
    number_text,
    parse_strata,
)
from resultproc.model.group import Ladder, Members
from resultproc.model.keys import KEYS
from resultproc.model.provenance import Provenance
from resultproc.rulebooks.choice import choose, editions, remarks_on, rulebooks_used
from resultproc.rulebooks.load import unread_rulebooks
from resultproc.stages.award import ladders_of
from resultproc.stages.pipeline import complete, rank

MAX_TABLES, MAX_ROWS = 1000, 200

_TWO_WAY = (EventType.PAIRS.value, EventType.TEAM_OF_TWO.value)
"""What is played as a Mitchell where nothing is said."""


@dataclass(frozen=True)
class ChartRow:
    """What a number of tables pays.

    tables: that number.
    contestants: how many are in the comparison group.
    ladder: the awards of this group by place.
    """

    tables: float
    contestants: int
    ladder: Ladder

    @property
    def awards(self) -> tuple[int, ...]:
        """The awards in hundredths, 1st place first, as far as places pay."""
        return self.ladder.awards[: self.ladder.depth]


@dataclass(frozen=True)
class Block:
    """The rows of one basis of comparison: section, overall, ...

    sections: into how many the tables are divided.
    level, stratum: where the chart has strata, which one it is, 0 the top, and its text, ``B=1000``; its rows count
        the tables of contestants that are eligible for it.
    """

    basis: str
    sections: int
    rows: tuple[ChartRow, ...]
    level: int = 0
    stratum: str = ""

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
    """A chart.

    keys: the game keys that it is for, by name.
    rulebook: the rulebook's id.
    title: what people call the rulebook.
    blocks: a block for each basis of comparison.
    notes: what is to be noted.
    provenance: the rulebook's values that it comes from.
    """

    keys: dict[str, str]
    rulebook: str
    title: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)


def chart(game: pd.DataFrame, first: float, last: float | None = None) -> Chart:
    """Return the chart of a kind of game.

    game: one row of the games frame that declares the kind of game (rating, movement, limit, ...). With strata, each
        has blocks of its own: what its contestants are paid, by the tables of them that are eligible for it.
    first: the number of tables that it begins with.
    last: the number of tables that it ends with, None for ``first`` alone.

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
            hint = "name the rulebook of before, acbl-general-formula-2019, or award a file with mp1, mp2, ..."
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
    provenance = Provenance(rulebooks=rulebooks_used(games, chosen))
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
    number, ladders = ladders_of(edition, games, groups, reach, Members(standings, Facts(games, contestants)))
    rows: dict[tuple[str, int], list[ChartRow]] = {}
    for group, which in zip(row_dicts(groups), number, strict=True):
        row = ChartRow(tables[group["game"]], int(group["ranked"]), ladders[which])
        rows.setdefault((group["basis"], int(group["level"])), []).append(row)
    strata = [] if game["strata"].isna().all() else game["strata"].iloc[0].split(", ")
    kept: list[Block] = []
    for (basis, level), each in rows.items():
        block = Block(basis, sections, _whole(each), level, strata[level] if strata else "")
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
    larger = [float(ceil(count / sections)) for count in tables]
    divided = [
        {"A": most} if sections == 1 else {"A": most, "B": count - most}
        for count, most in zip(tables, larger, strict=True)
    ]
    games = game.loc[game.index.repeat(len(tables))].reset_index(drop=True)
    movement = Movement.MITCHELL if two_way else Movement.HOWELL
    names = [f"{number_text(count)} tables" for count in tables]
    texts = [", ".join(f"{name}={number_text(part)}" for name, part in parts.items()) for parts in divided]
    games = GAMES.conform(games.assign(game_id=names, tables=texts, movement=movement.value))
    contestants = pd.concat(
        [
            _section(part, two_way, seats).assign(game_id=name, section=section)
            for name, parts in zip(names, divided, strict=True)
            for section, part in parts.items()
        ],
        ignore_index=True,
    )
    # Points falling from 100 in steps that ranking tells apart, the same in each session and on the whole.
    falling = 100 - contestants.groupby("game_id").cumcount() / 100
    # All are eligible for every stratum.
    lowest = None if games["strata"].isna().all() else parse_strata(games["strata"].iloc[0])[-1].letter
    contestants = contestants.assign(stratum=pd.Series(lowest, contestants.index, dtype="str"))
    sessions = games["sessions"].fillna(1).iloc[0]
    by_sessions = sessions > 1 and games["event_type"].iloc[0] not in BY_MATCHES
    scores = {f"session{number}": falling for number in range(1, sessions + 1)} if by_sessions else {"score": falling}
    return games, CONTESTANTS.conform(contestants.assign(percentage=falling, eligible=True, **scores))


def _section(tables: float, two_way: bool, seats: int) -> pd.DataFrame:
    """Return a section's contestants: numbers and directions."""
    sides = {NORTH_SOUTH: ceil(tables), EAST_WEST: int(tables)} if two_way else {None: int(tables * seats)}
    numbered = [(str(number), side) for side, count in sides.items() for number in range(1, count + 1)]
    return pd.DataFrame(numbered, columns=["number", "direction"])
