"""What follows from the games and contestants of a sheet: each fact is found once, when a stage first asks for it.

A sheet carries its facts through all stages: completing, doubts, ranking and awarding ask the same ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    distinct_keys,
    factorize_text,
    family_columns,
    family_number,
    known_players,
    map_text,
    named_players,
    run_starts,
    words_in,
)
from resultproc.model.errors import ROWS_QUOTED, InputError, Problem, ProblemRows
from resultproc.model.game import (
    ACROSS_SECTIONS,
    HANDICAP,
    PER_TABLE,
    TEAMS,
    ZIP_KNOCKOUT,
    EventType,
    Movement,
    RankLimit,
    StratifyBy,
    by_rank,
    number_text,
    parse_flight_limits,
    parse_movement,
    parse_ranks,
    parse_sections,
    parse_strata,
    parse_tables,
    rank_at,
    top_limit,
)
from resultproc.model.sections import Proportion, Sections, Strata, sections_of, strata_of

INDIVIDUALS = 3
"""The seats of the last table that individuals may leave empty; others may leave half a table, which is one pair."""


class Holdings(NamedTuple):
    """What the players of each contestant hold."""

    number: Ints  # how many holdings are known
    total: Floats  # the sum of those that are known
    highest: Floats  # the highest of them, minus infinity where none is known
    complete: Bools  # whether those of all players are known, of whom some may be known by their member numbers alone

    def by(self, stratify_by: pd.Series[str], game: Ints) -> Floats:
        """Return the holding that stratifies each contestant, NaN where a player's is not known.

        stratify_by: by which holding each game stratifies.
        game: the row of each contestant's game.
        """
        holding = np.full(len(game), np.nan)
        for kind in StratifyBy:
            rows = self.complete & (stratify_by == kind.value).to_numpy(dtype=bool)[game]
            if rows.any():
                of = self.highest if kind is StratifyBy.HIGHEST else self.average
                holding = np.where(rows, of, holding)
        return holding

    @property
    def average(self) -> Floats:
        """The average of the holdings that are known."""
        return self.total / np.maximum(self.number, 1)


def holdings_of(contestants: pd.DataFrame) -> Holdings:
    """Return what the players of each contestant hold."""
    columns = family_columns(contestants, "mp")
    number = np.zeros(len(contestants), dtype=np.int64)
    total, highest = np.zeros(len(contestants)), np.full(len(contestants), -np.inf)
    # Column by column, which is several times faster than to make a table of them.
    for name in columns:
        known = contestants[name].to_numpy(dtype=np.float64)
        counted = ~np.isnan(known)
        number += counted
        held = np.where(counted, known, 0)
        total += held
        np.maximum(highest, held, out=highest)
    complete = number >= np.maximum(known_players(contestants), 1)
    return Holdings(number, total, highest, complete if columns else np.zeros(len(contestants), dtype=bool))


class Scored(NamedTuple):
    """What contestants scored, a value for each: NaN where there is nothing."""

    score: Floats  # as their column of this name has it
    percentage: Floats  # in the same way
    handicap: Floats  # what is added to the percentage
    carryover: Floats  # what they brought into the total from before
    adjustment: Floats  # what was added to the score besides what was earned at the table; below zero, a penalty


@dataclass(frozen=True, eq=False)
class Facts:
    """What follows from some games and contestants, as read or completed."""

    games: pd.DataFrame
    contestants: pd.DataFrame

    @cached_property
    def sections(self) -> Sections:
        """Where the contestants sit."""
        return sections_of(self.games, self.contestants)

    @cached_property
    def knockouts(self) -> Bools:
        """Which games are knockouts, ranked by their rounds."""
        return knockouts(self.games)

    @cached_property
    def special(self) -> Mapping[str, Bools]:
        """Which games declare each special word: none declares one that is not there."""
        number, distinct = factorize_text(self.games["special"])
        said = [text.split(", ") for text in distinct.tolist()]
        found = {word: np.array([*(word in each for each in said), False])[number] for word in chain(*said)}
        return defaultdict(partial(np.zeros, len(number), dtype=np.bool_), found)

    @property
    def named(self) -> Ints:
        """How many players each contestant names."""
        return named_players(self.contestants)

    @property
    def played(self) -> Floats:
        """The part of the event that each player of each contestant played, in percent, NaN where none is written."""
        columns = {family_number(name): name for name in family_columns(self.contestants, "played")}
        parts = np.full((len(self.contestants), max(columns, default=0)), np.nan)
        for number, name in columns.items():
            parts[:, number - 1] = self.contestants[name].to_numpy()
        return parts

    @cached_property
    def event_type(self) -> npt.NDArray[np.object_]:
        """The event type of each game: pairs where it is not declared and nobody has four players, nor most three.

        A pair of three takes turns.
        """
        declared = self.games["event_type"].astype("object").to_numpy(copy=True)
        missing = self.games["event_type"].isna().to_numpy()
        teams = np.zeros(len(declared), dtype=bool)
        if missing.any() and "player3" in self.contestants:
            all_, three, four = (np.bincount(self.sections.game, self.named >= n, len(declared)) for n in (0, 3, 4))
            teams = (four > 0) | (2 * three > all_)
        declared[missing & ~teams] = EventType.PAIRS.value
        declared[missing & teams] = ""
        return declared

    @property
    def on_a_side(self) -> Ints:
        """How many contestants sit in one direction of a table, per section: one pair, or two single players."""
        return np.where(self.event_type == EventType.INDIVIDUAL.value, 2, 1)[self.sections.frame["game"]]

    @cached_property
    def declared_winners(self) -> Floats:
        """2 for each section that is declared a Mitchell, 1 for each Howell, NaN where no movement is declared."""
        winners = {Movement.MITCHELL: 2.0, Movement.HOWELL: 1.0}
        return declared_by_section(
            self.games["movement"],
            lambda text: {name: winners[movement] for name, movement in parse_movement(text).items()},
            self.sections.frame,
        )

    @cached_property
    def winners(self) -> Floats:
        """2 for each section that compares its directions separately, else 1; by the directions if none is declared."""
        frame = self.sections.frame
        directed = np.where(frame["north_south"] + frame["east_west"] > 0, 2.0, 1.0)
        return np.where(np.isnan(self.declared_winners), directed, self.declared_winners)

    @property
    def movement_told(self) -> pd.Series[str]:
        """Each game's movement, where it is not declared that of the directions that its sections give."""
        declared = self.games["movement"]
        if declared.notna().all():
            return declared
        inferred = np.where(self.winners == 2, Movement.MITCHELL.value, Movement.HOWELL.value)
        return declared.fillna(self._by_section(inferred.tolist()))

    @property
    def flight_limits(self) -> Floats:
        """The limit of each section that is a flight, NaN for others."""
        return declared_by_section(self.games["flight_limits"], parse_flight_limits, self.sections.frame)

    @property
    def split(self) -> Bools:
        """Which sections are declared to be groups of the lowest flight."""
        frame, said = self.sections.frame, self.games["split"]
        return np.equal(declared_by_section(said, lambda text: dict.fromkeys(parse_sections(text), 1.0), frame), 1)

    @cached_property
    def tables_told(self) -> pd.Series[str]:
        """The tables of each game, where they are not declared those that its contestants tell; missing if in doubt.

        Each bracket of a knockout has as many as teams entered it; see :attr:`counted_tables` for the others.
        """
        declared = self.games["tables"]
        if declared.notna().all():
            return declared
        told = declared.fillna(self.counted_tables)
        if not self.knockouts.any():
            return told
        return told.mask(self.knockouts & told.isna(), self._by_section(self.sections.frame["pairs"].tolist()))

    def _by_section(self, values: Sequence[object]) -> pd.Series[str]:
        """Return what is known of each section as it is declared for games: ``A=9, B=7``."""
        frame, games = self.sections.frame, self.games
        texts = [f"{letter}={each}" for letter, each in zip(frame["section"].tolist(), values, strict=True)]
        ends = np.cumsum(np.bincount(frame["game"], minlength=len(games))).tolist()
        of_games = [", ".join(texts[start:end]) or None for start, end in pairwise([0, *ends])]
        return pd.Series(of_games, games.index, dtype="str")

    @cached_property
    def declared_tables(self) -> Floats:
        """The tables of each section, NaN where nothing tells them; a bare number stands for each of a game's."""
        return declared_by_section(self.tables_told, parse_tables, self.sections.frame)

    @property
    def filled_tables(self) -> Floats:
        """The tables that the contestants of each section fill, half ones too; NaN where they are far from filling any.

        Directions differ by one where a pair sits out, and by more where a list is not whole.
        """
        frame = self.sections.frame
        pairs, north_south, east_west = (frame[name].to_numpy() for name in ("pairs", "north_south", "east_west"))
        kind, kinds = pd.factorize(self.event_type)
        at_a_table = np.array([PER_TABLE.get(each, 1) for each in kinds], dtype=np.int64)[kind[frame["game"]]]
        one_winner = north_south + east_west == 0
        whole = one_winner | ((north_south + east_west == pairs) & (np.abs(north_south - east_west) <= 1))
        tables = pairs / np.where(one_winner, at_a_table, 2 * self.on_a_side)
        return np.where(whole & (tables % 0.5 == 0), tables, np.nan)

    @cached_property
    def counted_tables(self) -> pd.Series[str]:
        """The tables that the contestants of each game fill, as they are declared: ``A=9, B=7``.

        Missing for games that declare them or are knockouts, and where it is in doubt how many there were: where both
        directions of a section have as many pairs, or one winner an even number, there is no doubt. Players of
        individuals fill tables by fours, and an even number of teams as many tables.
        """
        games, contestants, sections, frame = self.games, self.contestants, self.sections, self.sections.frame
        lacking = games["tables"].isna().to_numpy()
        single = (games["event_type"] == EventType.INDIVIDUAL.value).to_numpy()
        teams = games["event_type"].isin([EventType.SWISS.value, EventType.BAM.value]).to_numpy()
        pairs = (games["event_type"].isna() | (games["event_type"] == EventType.PAIRS.value)).to_numpy()
        wanted = lacking & (pairs | single | teams)
        for column in ("player3", "section2"):
            if column in contestants:
                several = sections.game[contestants[column].notna().to_numpy()]
                wanted[several] &= teams[several] & (column != "section2")
        if not wanted.any():
            return pd.Series(None, games.index, dtype="str")
        even = (frame["pairs"] % 2 == 0) & (frame["north_south"] == frame["east_west"])
        filled = self.filled_tables
        sure = even.to_numpy() & (filled % 1 == 0)
        wanted &= np.bincount(frame["game"], ~sure, len(games)) == 0
        return self._by_section(np.nan_to_num(filled).astype(np.int64).tolist()).where(wanted)

    @cached_property
    def tables(self) -> Floats:
        """The tables of each section, NaN where nothing tells them: a bare number is one section's."""
        frame = self.sections.frame
        several = np.bincount(frame["game"], minlength=len(self.games)) > 1
        if not several.any():
            return self.declared_tables
        bare = several & ~self.tables_told.str.contains("=", na=False).to_numpy(dtype=bool)
        return np.where(bare[frame["game"]], np.nan, self.declared_tables)

    @property
    def ranked_with(self) -> Ints:
        """The number of the first of the sections that each section is ranked together with, which may be itself."""
        frame, stored = self.sections.frame, self.games["stored_ranked_with"]
        across = self.special[ACROSS_SECTIONS]
        own = np.arange(len(frame))
        if not across.any() and stored.isna().all():
            return own
        game = frame["game"].to_numpy()
        leader = frame["section"].mask(across[game], "")
        for text in stored[~across].dropna().unique():
            together = dict(part.split("=") for part in text.split(", "))
            leader = leader.mask((stored == text).to_numpy()[game], frame["section"].replace(together))
        return pd.Series(own).groupby([game, leader.to_numpy()]).transform("min").to_numpy()

    @cached_property
    def empty_seats(self) -> tuple[Floats, Floats]:
        """Per section the seats that no listed contestant takes, and how many may be left so.

        Pairs that are declared to sit out take the seats of the first sections.
        """
        game = self.sections.frame["game"].to_numpy()
        kind, kinds = pd.factorize(self.event_type)
        at_a_table = np.array([PER_TABLE.get(each, np.nan) for each in kinds], dtype=np.float64)[kind[game]]
        at_a_table = np.where(self.winners == 2, 2 * self.on_a_side, at_a_table)
        allowed = np.where((self.event_type == EventType.INDIVIDUAL.value)[game], INDIVIDUALS, at_a_table / 2)
        missing = np.nan_to_num(np.maximum(self.tables * at_a_table - self.sections.frame["pairs"].to_numpy(), 0))
        sits_out = self.games["sit_outs"].to_numpy(dtype=np.float64, na_value=0)[game]
        if sits_out.any():
            before = pd.Series(missing).groupby(game).cumsum().to_numpy() - missing
            missing = missing - np.clip(sits_out - before, 0, missing)
        return missing, allowed

    @property
    def all_fractions(self) -> Bools:
        """Who has a percentage in a game where all are at most 1, and one is above 0."""
        percentage = self.scored.percentage
        if not ((percentage > 0) & (percentage <= 1)).any():
            return np.zeros(len(percentage), dtype=bool)
        highest = np.full(len(self.games), -np.inf)
        known = ~np.isnan(percentage)
        np.maximum.at(highest, self.sections.game[known], percentage[known])
        return np.asarray(known & ((highest > 0) & (highest <= 1))[self.sections.game])

    @cached_property
    def field(self) -> Ints:
        """The number of the section, or of its direction, that each contestant is compared in: three to a section."""
        side = np.where((self.winners == 2)[self.sections.section], self.sections.direction + 1, 0)
        return self.sections.section * 3 + side

    @property
    def fields(self) -> int:
        """One more than the highest number of a field."""
        return int(self.field.max(initial=-1)) + 1

    @cached_property
    def scored(self) -> Scored:
        """What each contestant scored."""
        nothing = pd.Series(np.nan, self.contestants.index)
        columns: list[Any] = [self.contestants.get(name, nothing) for name in Scored._fields]
        return Scored(*(column.to_numpy(dtype=np.float64, na_value=np.nan) for column in columns))

    @cached_property
    def proportion(self) -> Proportion:
        """The scores and percentages that should go together.

        Handicaps, adjustments and carry-overs may be in one and not in the other, IMPs have no maximum.
        """
        score, percentage = self.scored.score, self.scored.percentage
        other = ~np.isnan(self.scored.handicap) | ~np.isnan(self.scored.carryover) | (score < 0)
        kept_out = np.bincount(self.sections.game[other], minlength=len(self.games)) > 0
        kept_out |= self.special[HANDICAP]
        rows = ~np.isnan(score) & (percentage > 0) & np.isnan(self.scored.adjustment) & ~kept_out[self.sections.game]
        return Proportion.of(self.field, score, percentage, rows)

    @cached_property
    def strata(self) -> Strata:
        """The strata of each game."""
        return strata_of(self.strata_told)

    @cached_property
    def strata_told(self) -> pd.Series[str]:
        """The strata of each game; one that declares none has the stratum A alone, up to the event's limit."""
        declared = self.games["strata"]
        if declared.notna().all():
            return declared
        limit, distinct = pd.factorize(self.limit_told)
        texts = pd.Series([f"A={number_text(value)}" for value in distinct], dtype="str")
        return declared.fillna(texts.iloc[limit].set_axis(declared.index))

    @cached_property
    def limit_told(self) -> pd.Series[float]:
        """The limit of each event, that of its top stratum where it is not declared; infinite for an open event."""
        limit = self.games["limit"]
        if limit.notna().all():
            return limit
        number, distinct = pd.factorize(self.games["strata"])
        tops = np.array([*(top_limit(text) for text in distinct), np.inf])
        return limit.fillna(pd.Series(tops[number], limit.index))

    @property
    def level(self) -> Ints:
        """The level of each contestant's stratum in its game, 0 the top; -1 for none or an unknown one."""
        return self.strata.level(self.sections.game, self.contestants["stratum"])

    @property
    def level_in_ranks(self) -> Ints:
        """The level of each contestant's stratum, -1 also for who is out of the ranks."""
        return np.where(self.contestants["eligible"].to_numpy(), self.level, -1)

    @cached_property
    def holdings(self) -> Holdings:
        """What the players of each contestant hold; where strata are by rank, the lowest that each may play in."""
        at = self.by_rank[self.sections.game]
        if not at.any():
            return holdings_of(self.contestants)
        ranked = {name.replace("rank", "mp"): stratum for name, stratum in self.strata_of_ranks.items()}
        others = self.contestants.loc[~at, family_columns(self.contestants, "mp")]
        held = others.reindex(self.contestants.index).combine_first(pd.DataFrame(ranked, self.contestants.index))
        return holdings_of(self.contestants.assign(**held))

    @cached_property
    def by_rank(self) -> Bools:
        """Which games have strata that go by rank."""
        return map_text(self.strata_told, by_rank, none=False)

    @cached_property
    def strata_of_ranks(self) -> dict[str, Floats]:
        """By each column of ranks, the place from below of the lowest stratum that each is in, NaN for an unknown rank.

        That of ranks above all limits is one more than the strata that have one.
        """
        return {column: self._stratum_of_rank(column) for column in family_columns(self.contestants, "rank")}

    def _stratum_of_rank(self, column: str) -> Floats:
        game, declared = factorize_text(self.games["ranks"].fillna("") + "\n" + self.strata_told)
        rank, ranks = factorize_text(self.contestants[column])
        table = np.full((len(declared) + 1, len(ranks) + 1), np.nan)
        for row, text in enumerate(declared):
            listed, strata = str(text).split("\n")
            order = parse_ranks(listed or None)
            limits = [each.limit for each in parse_strata(strata)]
            above = [rank_at(order, limit.rank) for limit in limits if isinstance(limit, RankLimit)]
            for column_of, place in enumerate(rank_at(order, str(rank)) for rank in ranks):
                table[row, column_of] = 1 + sum(place > limit for limit in above) if place >= 0 else np.nan
        return np.asarray(table[game[self.sections.game], rank], dtype=np.float64)

    @property
    def stratify_told(self) -> pd.Series[str]:
        """By which holding each game stratifies; of ranks it is the highest."""
        return self.games["stratify_by"].mask(self.by_rank, StratifyBy.HIGHEST.value)

    @property
    def holding(self) -> Floats:
        """The holding by which each contestant's game stratifies, NaN where it is not known.

        Where it is not declared by which, it is the average, which puts nobody too high.
        """
        return self.holdings.by(self.stratify_told.fillna(StratifyBy.AVERAGE.value), self.sections.game)

    @property
    def printed_places(self) -> Floats:
        """The place of each contestant in its section that its sheet prints for the top stratum, NaN for none."""
        top = self.strata.letters[:, 0]
        place = np.full(len(self.sections.game), np.nan)
        for letter in np.unique(top):
            found = self.contestants["printed_section"].str.extract(rf"(?:^|, ){letter or 'A'}=([0-9]+)")[0]
            place = np.where((top == letter)[self.sections.game], found.astype("float64").to_numpy(), place)
        return place

    @property
    def sessions(self) -> list[str]:
        """The columns with the scores of sessions, in order."""
        return family_columns(self.contestants, "session")

    @property
    def sessions_before(self) -> Ints:
        """How many sessions each contestant's earlier award stands for: those before its first score; else 0."""
        columns = self.sessions
        given = self.contestants["earlier_award"].notna().to_numpy()
        if not columns or not given.any():
            return np.zeros(len(self.contestants), dtype=np.int64)
        has = self.contestants[columns].notna().to_numpy()
        numbers = np.array([int(column.removeprefix("session")) for column in columns])
        return np.where(given & has.any(axis=1), numbers[has.argmax(axis=1)] - 1, 0)

    @property
    def scored_with(self) -> Ints:
        """The number of the first of the sections that each section was scored with, which may be itself."""
        game = self.sections.frame["game"].to_numpy()
        section = np.arange(len(game))
        told = self.games["stored_scored_with"]
        several = map_text(told, lambda text: any(len({*each.split("=")}) > 1 for each in text.split(", ")), none=False)
        stored = self.games["stored_ranked_with"].notna().to_numpy() | several.astype(bool)
        across = self.special[ACROSS_SECTIONS] | stored
        if not across.any():
            return section
        return np.where(across[game], pd.Series(section).groupby(game).transform("min"), section)

    @property
    def scored_together(self) -> Ints:
        """The number of the first of the sections that each contestant's was scored with, which may be itself."""
        return self.scored_with[self.sections.section]

    @cached_property
    def results(self) -> npt.NDArray[np.uint64]:
        """A number for each contestant that is the same where players, seat and scores are, whatever the section."""
        names = [*family_columns(self.contestants), "direction", "number"]
        scores = ["score", "percentage", *self.sessions, *family_columns(self.contestants, "round")]
        texts = self.contestants[names].astype("str").fillna("")
        hashed = pd.util.hash_pandas_object(texts.join(self.contestants[scores]), index=False)
        return np.asarray(hashed, dtype=np.uint64)

    @property
    def are_named(self) -> bool:
        """Return whether players are told apart; an archive that is awarded again has no names."""
        names = self.contestants.get("player1")
        if names is None or (isinstance(names.dtype, pd.CategoricalDtype) and len(names.cat.categories) < 2):
            return False
        return names.nunique() > 1

    @cached_property
    def _alone(self) -> Bools:
        return (~self.games["source"].duplicated(keep=False)).to_numpy()

    @cached_property
    def _texts(self) -> dict[str, npt.NDArray[np.object_]]:
        """The texts that say where each contestant is listed, and each game: many may have to be named."""
        said = [self.contestants[name] for name in ("where", "section", "direction", "number")]
        said += [self.games[name] for name in ("source", "game_id")]
        return {str(each.name): each.astype("str").fillna("").to_numpy(dtype=object) for each in said}

    def line(self, row: int) -> str:
        """Return the line or cell where a contestant is listed, '' where that is not known."""
        return str(self._texts["where"][row])

    def where(self, row: int) -> str:
        """Return where a contestant is listed: its line or cell, else what it is called."""
        return self.line(row) or self.called(row)

    def called(self, row: int, by: tuple[str, ...] = ("section", "direction", "number")) -> str:
        """Return what a contestant is called, by all that names it: A N-S 6; or by some of it."""
        return " ".join(filter(None, (self._texts[name][row] for name in by)))

    def of_game(self, row: int, what: str, hint: str, where: str = "", rows: ProblemRows = ()) -> Problem:
        """Return a remark on a game, named where its file has several.

        row: the game's.
        where: a line of the file that shows it, '' for none.
        rows: those of several contestants.
        """
        name = str(self._texts["game_id"][row])
        if not where and not self._alone[row]:
            where = f"game {name}"
        return Problem(what, where, hint, str(self._texts["source"][row]), name, rows=rows)

    def of_contestant(self, row: int, what: str, hint: str) -> Problem:
        """Return a remark on a contestant."""
        return self.of_game(int(self.sections.game[row]), what, hint, self.where(row))

    def of_contestants(
        self,
        rows: Ints,
        notes: Sequence[str],
        one: Callable[[int], str],
        several: Callable[[int, str], str],
        hint: str,
        hint_of_one: Callable[[int], str] | None = None,
        kind: str = "",
    ) -> Iterator[Problem]:
        """Yield a remark for each game that has some of the rows of contestants; ten rows are one remark, not ten.

        notes: what is doubtful about each row, in a word or two.
        one: says it of a single row, by its place among the rows.
        several: says it of a game's, by the place of the first, and how many there are, such as ``10 pairs``.
        hint: what would settle it.
        hint_of_one: the same for a single row, where more may be known; None for the same hint.
        kind: what is counted, where it is not the contestants.
        """
        if not len(rows):  # to name them, all contestants are looked at
            return
        game = self.sections.game[rows]
        order = np.lexsort((rows, game))
        game, rows = game[order], rows[order]
        # An archive may have many: each distinct seat is named once.
        seats = (factorize_text(self.contestants[name])[0][rows] for name in ("section", "direction", "number"))
        number, first = distinct_keys(*seats)
        names = np.array([self.called(row) for row in rows[first].tolist()], dtype=object)[number]
        where = self._texts["where"][rows]
        wheres = np.where(where == "", names, where).tolist()
        texts = (names + " (" + np.array(notes, dtype=object)[order] + ")").tolist()
        of_type = self.event_type[game]
        for start, end in pairwise([*np.flatnonzero(run_starts(game)).tolist(), len(rows)]):
            at, count = int(order[start]), end - start
            if count == 1:
                yield self.of_contestant(int(rows[start]), one(at), hint_of_one(at) if hint_of_one else hint)
                continue
            what = several(at, f"{count} {kind or _KINDS.get(str(of_type[start]), 'contestants')}")
            more = f" and {count - ROWS_QUOTED} more" if count > ROWS_QUOTED else ""
            listed = [*zip(wheres[start:end], texts[start:end], strict=True)]
            named = ", ".join(texts[start : min(end, start + ROWS_QUOTED)])
            yield self.of_game(int(game[start]), f"{what}: {named}{more}", hint, wheres[start], listed)


_KINDS = {EventType.INDIVIDUAL.value: "players", EventType.PAIRS.value: "pairs", **dict.fromkeys(TEAMS, "teams")}
"""What contestants are called."""


def knockouts(games: pd.DataFrame) -> Bools:
    """Return which games are knockouts, ranked by their rounds: a zip knockout has scores, and does not count."""
    knockout = (games["event_type"] == EventType.KNOCKOUT.value).to_numpy()
    return np.asarray(knockout & ~words_in(games["special"], ZIP_KNOCKOUT) if knockout.any() else knockout)


def declared_by_section(
    texts: pd.Series[str], parse: Callable[[str], Mapping[str, float]], sections: pd.DataFrame
) -> Floats:
    """Return what each section's game declares for it, NaN where nothing.

    texts: per game, such as ``A=9, B=7.5``; a bare value stands for every section.
    parse: splits one text, with the key '' for a bare value.
    sections: the frame of :class:`Sections`. Raises InputError for a text that nobody could declare.
    """
    number, distinct = factorize_text(texts)
    if not len(distinct):
        return np.full(len(sections), np.nan)
    letter, distinct_letters = factorize_text(sections["section"])
    letters = distinct_letters.tolist()
    table = np.full((len(distinct) + 1, max(len(letters), 1)), np.nan)
    for row, text in enumerate(distinct.tolist()):
        try:
            values = parse(text)
        except ValueError as error:  # it was not declared, which is looked at there: it follows from what is listed
            raise InputError(str(error)) from None
        table[row] = [values.get(name, values.get("", np.nan)) for name in letters]
    return np.asarray(table[number[sections["game"].to_numpy()], letter], dtype=np.float64)
