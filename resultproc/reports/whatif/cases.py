"""Games as they would be: the sheet of one game with something changed, each of its contestants known by its seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, family_columns, named_players
from resultproc.model.errors import InputError
from resultproc.model.facts import holdings_of
from resultproc.model.frames import CONTESTANTS
from resultproc.model.game import (
    EAST_WEST,
    NORTH_SOUTH,
    PER_TABLE,
    Movement,
    Stratum,
    parse_strata,
    parse_tables,
    per_section_text,
    strata_text,
)


@dataclass(frozen=True)
class Case:
    """A game as it is or would be. label: what tells it from others. game: its row; contestants: by their seats."""

    label: str
    game: pd.DataFrame
    contestants: pd.DataFrame

    def declared(self, keys: Mapping[str, object]) -> Case:
        """Return it with other declarations."""
        values = {
            name: pd.Series([value], self.game.index).astype(self.game[name].dtype) for name, value in keys.items()
        }
        return replace(self, game=self.game.assign(**values))

    def stratified(self, strata: Sequence[Stratum]) -> Case:
        """Return it with other strata, everybody in the one that the holdings give.

        Whose holdings are not known is in the lowest one that has room for all of the stratum that the sheet prints.
        """
        case = self.declared({"strata": strata_text(list(strata))})
        limits = {each.letter: each.limit for each in self.strata}
        printed = self.contestants["stratum"].where(np.isnan(self.holdings())).map(limits)
        fits = [[each.letter for each in strata if each.limit >= limit] for limit in printed]
        letters = pd.Series([each[-1] if each else None for each in fits], self.contestants.index, dtype="str")
        return replace(case, contestants=self.contestants.assign(stratum=letters))

    @property
    def strata(self) -> list[Stratum]:
        """The strata that are declared."""
        text = self.game["strata"].iloc[0]
        return [] if pd.isna(text) else parse_strata(str(text))

    def holdings(self) -> Floats:
        """Return the holding that stratifies each contestant, NaN where it is not known."""
        game = np.zeros(len(self.contestants), dtype=np.int64)
        return holdings_of(self.contestants, named_players(self.contestants)).by(self.game["stratify_by"], game)

    def without(self, seats: Sequence[str]) -> Case:
        """Return it without some contestants."""
        return replace(self, contestants=self.contestants.drop(index=list(seats)))

    def with_more(self, number: int) -> Case:
        """Return it with so many contestants more, in the sections and directions that have the fewest.

        They come last, and are in the top stratum.
        """
        case = self
        for each in range(1, number + 1):
            sides = case.contestants[["section", "direction"]].fillna("")
            counts = sides.value_counts(sort=False).sort_index(ascending=[True, False])
            section, direction = counts.index[int(np.argmin(counts.to_numpy()))]
            mine = (sides["section"] == section) & (sides["direction"] == direction)
            last = case.contestants[mine].sort_values(["percentage", "score"]).iloc[[0]]
            sessions = family_columns(last, "session")
            scores = ("percentage", "carryover", *family_columns(last, "percentage"), *sessions)
            worse = {name: last[name].map(_below) for name in scores}
            worse |= {"score": last["score"].map(_below) if not sessions else None}  # then it is their sum
            worse["earlier_award"] = 0 * last["earlier_award"]
            known = last[["game_id", "section", "direction", "eligible", "where"]].assign(**worse)
            new = known.assign(
                number=f"+{each}", player1=f"pair {each} more", stratum=next((top.letter for top in case.strata), None)
            )
            every = pd.concat([case.contestants, CONTESTANTS.conform(new)])
            case = replace(case, contestants=every.set_axis([*case.contestants.index, f"+{each}"]))
        return case

    def seated(self, before: Case) -> Case:
        """Return it with the tables for those who came and went since: half a table for a pair."""
        text = self.game["tables"].iloc[0]
        if pd.isna(text):
            return self
        kind = self.game["event_type"].iloc[0]
        at_a_table = PER_TABLE["pairs" if pd.isna(kind) else str(kind)]
        now, was = (case.contestants["section"].value_counts() for case in (self, before))
        more = now.sub(was, fill_value=0)
        tables = {
            section: max(known + more.get(section or more.index[0], 0) / at_a_table, 0.5)
            for section, known in parse_tables(str(text)).items()
            if not section or section in now
        }
        return self.declared({"tables": per_section_text(tables)})

    def with_one_winner(self) -> Case:
        """Return it with all of its contestants compared together; E-W get numbers that N-S do not have."""
        directions = set(self.contestants["direction"].dropna())
        if directions != {NORTH_SOUTH, EAST_WEST}:
            raise InputError("this game has one winner already", hint="leave out one_winner=True")
        number = self.contestants["number"].mask(
            self.contestants["direction"] == EAST_WEST, "EW" + self.contestants["number"]
        )
        contestants = self.contestants.assign(
            number=number.astype("str"), direction=pd.Series(pd.NA, number.index, "str")
        )
        return replace(self.declared({"movement": Movement.HOWELL.value}), contestants=contestants)


def _below(value: float) -> float:
    """Return a score below one."""
    return value / 2 if value > 0 else 2 * value - 1
