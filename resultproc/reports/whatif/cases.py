"""Games as they would be: the sheet of one game with something changed, each of its contestants known by its seat.

What a contestant needed is found by cases, too: the results by which it would have passed others are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, isnan, nan

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, family_columns, words_in
from resultproc.model.errors import InputError
from resultproc.model.facts import holdings_of, knockouts
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
from resultproc.model.sections import HALF_POINT
from resultproc.reports.outcomes import redeclared


@dataclass(frozen=True)
class Case:
    """A game as it is or would be.

    label: what tells it from others.
    game: its row.
    contestants: by their seats.
    """

    label: str
    game: pd.DataFrame
    contestants: pd.DataFrame

    def declared(self, keys: Mapping[str, object]) -> Case:
        """Return it with other declarations."""
        return replace(self, game=redeclared(self.game, keys))

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
        return holdings_of(self.contestants).by(self.game["stratify_by"], game)

    def without(self, seats: Sequence[str]) -> Case:
        """Return it without some contestants."""
        return replace(self, contestants=self.contestants.drop(index=list(seats)))

    def with_more(self, number: int) -> Case:
        """Return it with some contestants more, in the sections and directions that have the fewest.

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


LITTLE = 0.01
"""How much more than another's score is more."""

_ROUNDED = 0.005
"""How far a percentage of two decimals may be from the exact one."""


@dataclass(frozen=True)
class Try:
    """A result that a contestant might have had.

    percentage: NaN where the sheet has none.
    score: that of the session, NaN where there are percentages alone.
    total: of all sessions, NaN where the sheet has no sessions.
    case: the game with that result.
    """

    percentage: float
    score: float
    total: float
    case: Case


@dataclass(frozen=True)
class _Mine:
    """What a contestant had in what is asked about.

    session: the number of the session, 0 for the game as a whole.
    score, percentage: NaN where not known.
    top: the score that is 100 percent.
    total: of all sessions that have scores of their own.
    """

    session: int
    score: float
    percentage: float
    top: float
    total: float

    @property
    def columns(self) -> tuple[str, str]:
        """The columns of score and percentage."""
        return (f"session{self.session}", f"percentage{self.session}") if self.session else ("score", "percentage")

    def score_at(self, percentage: float) -> float:
        """Return the score of a percentage, to four decimals."""
        return nan if isnan(self.top) else round(percentage * self.top / 100, 4)

    def percentage_at(self, score: float) -> float:
        """Return the first percentage of two decimals that is not below a score."""
        return ceil(round(100 * 100 * score / self.top, 6)) / 100


def last_session(case: Case, seat: str) -> int:
    """Return the last session that a contestant has a score of; 0 for the whole game, where sessions have none."""
    played = case.contestants.loc[seat, family_columns(case.contestants, "session")].dropna().index
    return int(str(played[-1]).removeprefix("session")) if len(played) else 0


def tries(case: Case, seat: str) -> list[Try]:
    """Return a game with other results of one contestant, lowest first: level with each of the others, and just above.

    If there are several sessions with scores of their own, the result is that of the last one that the contestant
    played; what it had before stays. Raises InputError for who is not ranked by a score.
    """
    if knockouts(case.game).any():
        raise InputError("the teams of a knockout are placed by their matches", hint="ask about a game with scores")
    if not case.contestants["eligible"][seat]:
        raise InputError(f"{seat} is not eligible for awards, whatever its score")
    mine = _mine(case, seat)
    found: set[tuple[float, float]] = set()
    if not isnan(mine.percentage):
        # Matchpoints come in halves: no result is between those.
        scores = _column(case.contestants, mine.columns[0]).dropna()
        in_halves = not isnan(mine.top) and bool((scores % HALF_POINT == 0).all())
        for percentage, score in _level(case, seat, mine):
            above = floor(round(100 * percentage, 6) + 1) / 100, nan if isnan(score) else round(score + LITTLE, 4)
            if in_halves and score % HALF_POINT == 0:
                above = mine.percentage_at(score + HALF_POINT), score + HALF_POINT
            found |= {(percentage, score), above}
        found = {each for each in found if mine.percentage < each[0] <= 100}
    elif not isnan(mine.score):
        others = _column(_others(case, seat), mine.columns[0]).dropna()
        level = [*others.tolist(), *_of_totals(case, seat, mine)]
        found = {(nan, round(score + more, 4)) for score in level for more in (0, LITTLE)}
        found = {each for each in found if each[1] > mine.score}
    else:
        raise InputError(f"{seat} has no score in this game", hint="ask about a contestant that has one")
    return [_made(case, seat, mine, *each) for each in sorted(found, key=lambda each: each[isnan(mine.percentage)])]


def _mine(case: Case, seat: str) -> _Mine:
    session = last_session(case, seat)
    mine = _Mine(session, nan, nan, nan, float(_totals(case.contestants)[seat]))
    score, percentage = (float(_column(case.contestants, name)[seat]) for name in mine.columns)
    return replace(mine, score=score, percentage=percentage, top=_top(case, seat, *mine.columns))


def _top(case: Case, seat: str, of_score: str, of_percentage: str) -> float:
    """Return the score of 100 percent of a contestant: that of its section, if one explains all, else its own.

    NaN where it is not known.
    """
    frame = case.contestants[case.contestants["section"] == case.contestants["section"][seat]]
    score, percentage = _column(frame, of_score), _column(frame, of_percentage)
    for rows in (frame.index, [seat]):
        some = percentage[rows] > _ROUNDED
        least = (100 * score[rows] / (percentage[rows] + _ROUNDED))[some].max()
        most = (100 * score[rows] / (percentage[rows] - _ROUNDED))[some].min()
        if least <= most:
            middle = (least + most) / 2
            return float(round(middle) if least <= round(middle) <= most else middle)
    return nan


def _level(case: Case, seat: str, mine: _Mine) -> Iterator[tuple[float, float]]:
    """Yield what makes a contestant level with each of the others: the percentage, and the score."""
    others = _others(case, seat)
    percentages, scores = (_column(others, name) for name in reversed(mine.columns))
    for percentage, score in zip(percentages.round(4), scores, strict=True):
        if not isnan(percentage):
            own = mine.score_at(percentage)
            yield percentage, score if abs(score - own) <= mine.score_at(_ROUNDED) else own
    if words_in(case.game["special"], "handicap").any():
        handicap = _column(case.contestants, "handicap").fillna(0.0)
        for value in (percentages + handicap[others.index] - handicap[seat]).dropna():
            yield round(value, 4), mine.score_at(value)
    if not isnan(mine.top):
        yield from ((mine.percentage_at(score), score) for score in _of_totals(case, seat, mine))


def _of_totals(case: Case, seat: str, mine: _Mine) -> list[float]:
    """Return the scores of the session by which the total of a contestant is that of each other."""
    if not mine.session:
        return []
    return [round(mine.score + each - mine.total, 4) for each in _totals(_others(case, seat)).dropna()]


def _others(case: Case, seat: str) -> pd.DataFrame:
    return case.contestants[case.contestants["eligible"]].drop(index=seat)


def _totals(frame: pd.DataFrame) -> pd.Series[float]:
    """Return the totals of all sessions, which the sheet need not print; NaN for who has no session of its own."""
    sessions = frame[family_columns(frame, "session")].astype("float64").sum(axis=1, min_count=1)
    return sessions + _column(frame, "carryover").fillna(0.0)


def _column(frame: pd.DataFrame, name: str) -> pd.Series[float]:
    """Return a column of numbers, NaN throughout where the frame has no such one."""
    return frame[name].astype("float64") if name in frame else pd.Series(np.nan, frame.index, dtype="float64")


def _made(case: Case, seat: str, mine: _Mine, percentage: float, score: float) -> Try:
    """Return a game in which a contestant has a result, and the total that goes with it."""
    values = dict(zip(mine.columns, (score, percentage), strict=True))
    total = round(mine.total + score - mine.score, 4) if mine.session else nan
    if mine.session:
        top = _top(case, seat, "score", "percentage")
        values |= {"score": total, "percentage": round(100 * total / top, 2)}
    frame = case.contestants.copy()
    for name, value in values.items():
        if name in frame and not pd.isna(frame[name][seat]):
            frame.loc[seat, name] = value
    return Try(percentage, score, total, Case("", case.game, frame))
