"""What a game would have paid with other limits, another rating or rulebook, one winner, more pairs or fewer.

Each of its contestants is known by its seat. What one needed is found by cases, too: the results by which it would have
passed others are tried. Below it is written as text, as a page with sliders, as a workbook, and as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import ceil, floor, isnan, nan
from textwrap import indent
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, family_columns, row_dicts, words_in
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, InputError, Problem, quoted
from resultproc.model.facts import Facts, knockouts
from resultproc.model.frames import CONTESTANTS, AwardedResult, Sheet
from resultproc.model.game import (
    EAST_WEST,
    HANDICAP,
    NORTH_SOUTH,
    OPEN,
    PER_TABLE,
    Movement,
    Stratum,
    number_text,
    parse_strata,
    parse_tables,
    per_section_text,
    strata_text,
)
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import decimals, number_cell
from resultproc.model.provenance import Provenance
from resultproc.model.sections import HALF_POINT
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, league_named
from resultproc.pages import words
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report, markup
from resultproc.pages.tables import Writers, table_as_text
from resultproc.people.seated import find, labels, one_game, players_texts
from resultproc.reports.json_types import (
    AwardedContestant,
    AwardedGame,
    AwardedStratum,
    JudgedCase,
    Judgement,
    NeededStep,
    ProposedLimits,
    RefusedCase,
    entry,
)
from resultproc.reports.limits import FEWEST, Pattern, Proposal, choices, fixed, pattern, proposals
from resultproc.reports.outcomes import (
    ContestantOutcome,
    award_versions,
    outcomes_of_versions,
    place_words,
    redeclared,
)
from resultproc.stages.pipeline import award_sheet, keep_games


@dataclass(frozen=True)
class Case:
    """A game as it is or would be."""

    label: str  # what tells it from others
    game: pd.DataFrame  # its row
    contestants: pd.DataFrame  # by their seats

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
        facts = Facts(self.game.reset_index(drop=True), self.contestants)
        return facts.holdings.by(facts.stratify_told, np.zeros(len(self.contestants), dtype=np.int64))

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
    return value / 2 if value > 0 else 2 * value - 1


LITTLE = 0.01
"""How much more than another's score is more."""

_ROUNDED = 0.005
"""How far a percentage of two decimals may be from the exact one."""


@dataclass(frozen=True)
class Try:
    """A result that a contestant might have had."""

    percentage: float  # NaN where the sheet has none
    score: float  # that of the session, NaN where there are percentages alone
    total: float  # of all sessions, NaN where the sheet has no sessions
    case: Case  # the game with that result
    outcome: ContestantOutcome = field(default_factory=ContestantOutcome)  # what the contestant gets then


@dataclass(frozen=True)
class _Mine:
    """What a contestant had in what is asked about."""

    session: int  # the number of the session, 0 for the game as a whole
    score: float  # NaN where not known
    percentage: float  # NaN where not known
    top: float  # the score that is 100 percent
    total: float  # of all sessions that have scores of their own

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
    session = last_session(case, seat)
    mine = _Mine(session, nan, nan, nan, float(_totals(case.contestants)[seat]))
    score, percentage = (float(_column(case.contestants, name)[seat]) for name in mine.columns)
    mine = replace(mine, score=score, percentage=percentage, top=_top(case, seat, *mine.columns))
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
    if words_in(case.game["special"], HANDICAP).any():
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


@dataclass(frozen=True)
class Paid:
    """What a stratum comes to."""

    letter: str  # the stratum's
    limit: float  # its upper limit in masterpoints, infinite for none
    contestants: int  # how many are eligible for it
    ranked: bool  # whether it is large enough to be ranked
    paid: int  # how many get their award in it
    masterpoints: int  # what they get together, in hundredths
    first: int  # its highest award, in hundredths


@dataclass(frozen=True)
class Judged:
    """A game as it is, or would be, awarded."""

    label: str  # what is changed
    strata: tuple[Paid, ...] = ()  # top first
    outcomes: Mapping[str, ContestantOutcome] = field(default_factory=dict)  # by contestant
    problem: str = ""  # why it cannot be awarded, '' where it can


@dataclass(frozen=True)
class WhatIf:
    """One game as it is and as it would be."""

    game: Mapping[str, object]  # its row
    names: Mapping[str, str]  # the players of each contestant
    base: Judged  # as it is
    cases: tuple[Judged, ...] = ()  # as it would be
    pattern: Pattern | None = None  # the limits that were tried, None for none
    who: str = ""  # the contestant that was asked about, '' for none
    session: int = 0  # in which session, 0 for the game as a whole
    needed: tuple[Try, ...] = ()  # what it would have needed: the results from which on it gets more
    remarks: tuple[Problem, ...] = ()  # what is doubtful about the game
    provenance: Provenance = field(default_factory=Provenance)  # where it comes from


@dataclass(frozen=True)
class Asked:
    """What is to be changed, and whose needs are asked for."""

    keys: Mapping[str, object] = field(default_factory=dict)  # declarations
    pattern: Pattern | None = None  # strata, None to leave them
    without: tuple[str, ...] = ()  # contestants who do not play
    more: int = 0  # how many there are besides
    one_winner: bool = False  # whether N-S and E-W are to be compared together
    need: str = ""  # the contestant whose needs are asked for, '' for none
    game: str | None = None  # which one, of a file with several; else None

    @property
    def changes(self) -> bool:
        """Whether anything is to be changed."""
        return bool(self.keys or self.pattern or self.without or self.more or self.one_winner)

    @property
    def label(self) -> str:
        """What is changed, in words, without the strata."""
        words = [f"{name.replace('_', ' ')} {value}" for name, value in self.keys.items()]
        words += [f"{seat} gone" for seat in self.without]
        words += [f"{self.more} more"] if self.more else []
        return "; ".join(words + (["one winner"] if self.one_winner else []))


def whatif(sheet: Sheet, asked: Asked) -> WhatIf:
    """Return what one game of a sheet would have paid.

    Raises InputError for a sheet of several games where none is named, for a game that cannot be awarded as it is,
    and for a change that says nothing: strata where no holdings are known, a contestant that is not there.
    """
    sheet = keep_games(sheet, [one_game(sheet, asked.game)])
    declared = sheet.games
    try:
        result = award_sheet(sheet)
    except DeclarationError:
        # What it does not declare, and could not be awarded without, is as it is to be.
        unknown = {name: value for name, value in asked.keys.items() if declared[name].isna().all()}
        if not unknown:
            raise
        declared = redeclared(declared, unknown)
        result = award_sheet(replace(sheet, games=declared))
    seats = labels(result.contestants)
    base = Case("as it is", declared, sheet.contestants.set_axis(seats.to_numpy(), axis="index"))
    names = dict(zip(base.contestants.index, players_texts(base.contestants), strict=True))
    found = WhatIf(
        row_dicts(result.games)[0],
        names,
        _judged([base])[0],
        pattern=asked.pattern,
        remarks=result.remarks,
        provenance=result.provenance,
    )
    if asked.changes:
        cases = _cases(base, asked, [str(seats.iloc[find(result, name)]) for name in asked.without])
        more = {str(seat): str(name) for case in cases[:1] for seat, name in case.contestants["player1"].items()}
        found = replace(found, cases=tuple(_judged(cases)), names={**more, **names})
    if asked.need:
        seat = str(seats.iloc[find(result, asked.need)])
        had = found.base.outcomes[seat].masterpoints
        tried = tries(base, seat)
        steps: list[Try] = []
        for each, judged in zip(tried, _judged([each.case for each in tried]) if tried else [], strict=True):
            outcome = judged.outcomes.get(seat, ContestantOutcome())
            if outcome.masterpoints > (steps[-1].outcome.masterpoints if steps else had):
                steps.append(replace(each, outcome=outcome))
        found = replace(found, who=seat, session=last_session(base, seat), needed=tuple(steps))
    return found


def _cases(base: Case, asked: Asked, without: Sequence[str]) -> list[Case]:
    """Return the game with all that is to be changed, once for each choice of limits; without: seats."""
    if set(without) == set(base.contestants.index):
        raise InputError("nobody is left to play", hint="leave out fewer contestants")
    case = base.without(without).with_more(asked.more).seated(base).declared(asked.keys)
    case = replace(case.with_one_winner() if asked.one_winner else case, label=asked.label)
    wanted = asked.pattern
    if wanted is None and "stratify_by" in asked.keys and case.game["strata"].notna().all():
        wanted = fixed(parse_strata(str(case.game["strata"].iloc[0])))
    if wanted is None:
        return [case]
    holdings = case.holdings()
    known = holdings[~np.isnan(holdings)]
    if not len(known):
        if case.game["stratify_by"].isna().all() and family_columns(case.contestants, "mp"):
            what = "stratify_by is not declared, and other limits need to know which holding stratifies a contestant"
            raise InputError(what, hint="write stratify_by='average', or 'highest'", code=MISSING)
        hint = "add them as mp1, mp2, and write stratify_by='average', or 'highest'"
        raise InputError("the holdings of the players are not known, and other limits need them", hint=hint)
    own = [limit for text in base.game["strata"].dropna() for _, limit in parse_strata(str(text))]
    every: list[list[Stratum]] = [
        [Stratum(letter, limit or 0.0) for letter, limit in zip(wanted.letters, wanted.limits, strict=True)]
    ]
    if wanted.sweeps:
        below = [limit for limit in own if limit < OPEN]
        most = 5000
        every = list(islice(choices(wanted, known, below), most + 1))
        if len(every) > most:
            what = f"these are more than {most:,} choices of limits"
            raise InputError(what, hint="fix one of them: A=open, B=1500, C=*")
    if not every:
        raise InputError("no round limits split these players", hint="name the limits: A=open, B=1500, C=500")
    label = f"{asked.label}; " if asked.label else ""
    return [replace(case.stratified(strata), label=label + strata_text(strata)) for strata in every]


def _judged(cases: Sequence[Case]) -> list[Judged]:
    """Return what each of some games pays; all are awarded together."""
    versions = [(case.game, case.contestants) for case in cases]
    result, wrong = award_versions(versions)
    found, strata = outcomes_of_versions(result, versions), _paid(result)
    why = ["; ".join(each.what for each in wrong.get(str(n), [])) for n in range(len(cases))]
    return [Judged(case.label, strata.get(str(n), ()), found.get(n, {}), why[n]) for n, case in enumerate(cases)]


def _paid(result: AwardedResult) -> dict[str, tuple[Paid, ...]]:
    """Return what the strata of each game come to, by game_id."""
    won = result.awards[result.awards["candidate"] >= 0]
    level = result.candidates["level"].to_numpy()[won["candidate"]]
    paid = won["masterpoints"].groupby([won["game"].to_numpy(), level]).agg(["size", "sum"])
    first = result.candidates.groupby(["game", "level"])["masterpoints"].max()
    ranked = set(zip(result.standings["game"], result.standings["level"], strict=True))
    entered = result.contestants[result.contestants["eligible"]].groupby(["game_id", "stratum"], observed=True).size()
    found: dict[str, tuple[Paid, ...]] = {}
    for row, (name, text) in enumerate(zip(result.games["game_id"], result.games["strata"], strict=True)):
        strata = parse_strata(str(text))
        own = [int(entered.get((name, stratum.letter), 0)) for stratum in strata]
        of_strata = []
        for each, stratum in enumerate(strata):
            sums = [int(of.get((row, each), 0)) for of in (paid["size"], paid["sum"], first)]
            of_strata.append(Paid(stratum.letter, stratum.limit, sum(own[each:]), (row, each) in ranked, *sums))
        found[str(name)] = tuple(of_strata)
    return found


@dataclass(frozen=True)
class Entries:
    """Limits for tonight's entries."""

    count: int  # how many entries there are
    proposals: tuple[Proposal, ...]  # the best limits, the best first
    provenance: Provenance = field(default_factory=Provenance)  # where the entries come from


def entries(sheet: Sheet, wanted: Pattern | None = None) -> Entries:
    """Return limits for the strata of a list of pairs with holdings, which has no scores yet.

    Raises InputError where a holding is not known or above the limit of the game, and where it is not known by which
    holding a pair is stratified.
    """
    case = Case("", sheet.games, sheet.contestants)
    if sheet.games["stratify_by"].isna().any():
        raise InputError("stratify_by is not declared", hint="write stratify_by='average', or 'highest'", code=MISSING)
    holdings = case.holdings()
    unknown = np.isnan(holdings)
    if unknown.any():
        hint = "write one for each player, 0 for none, in the columns mp1, mp2"
        raise InputError(
            Problem("a holding is missing", str(sheet.contestants["where"].iloc[row]), hint)
            for row in np.flatnonzero(unknown)
        )
    top = wanted.limits[0] if wanted and wanted.limits[0] is not None else np.inf
    if (holdings > top).any():
        raise InputError(
            Problem(f"its holding is above the limit of the game, {number_text(top)}", str(where), "leave it out")
            for where in sheet.contestants["where"][holdings > top]
        )
    # Where none are named: three strata, or two where there are too few entries.
    tried = [wanted] if wanted else [pattern(text) for text in ("A=open, B=*, C=*", "A=open, B=*")]
    found = next((each for each in (proposals(holdings, one) for one in tried) if each), [])
    return Entries(len(holdings), tuple(found), Provenance(sheet.sources))


NOTE = {
    "choices": "For each choice: how many of those in a stratum are paid there, and their masterpoints together",
    "scores": "The scores stay as they are.",
    "sessions": "The sessions before stay as they are.",
    "needed": "The results of all others stay as they are; what one pair gets more, others would get less.",
}

ENTRIES_WRITERS: Writers[[Entries]] = Writers()

WRITERS: Writers[[WhatIf]] = Writers()


@WRITERS.text
def text(found: WhatIf) -> Iterator[str]:
    """Yield what would change: the strata, and who gains or loses; for many choices of limits, a line each."""
    yield from (told if "\n" in told else in_words(told) for told in _told(found))


def _told(found: WhatIf) -> Iterator[str]:
    """Yield the same, with tables in the language that holds here, and what is said besides in English."""
    yield from (words.title_of_game(found.game), "", "As it is", _strata(found, found.base))
    if len(found.cases) == 1:
        (case,) = found.cases
        yield from ("", f"With {case.label}" if case.label else "What if")
        if case.problem:
            yield f"  cannot be awarded: {case.problem}"
        else:
            rows = [
                [seat, found.names.get(seat, ""), *_amounts(found, old, new)] for seat, old, new in changed(found, case)
            ]
            gains = _indented(("", _GAINERS, "as it is", "then", ""), rows)
            yield from (_strata(found, case), "", gains if rows else "  Nobody gets more or less.")
            yield f"  {NOTE['scores']}"
    elif found.cases:
        yield from ("", NOTE["choices"], "", _indented(*_choices(found)))
        yield from (f"  {said}" for said in _problems(found))
    if found.who:
        yield from ("", _of_needed(found))
        yield _indented(*_steps(found)) if found.needed else "  Nothing: no result pays more."
        yield from (f"  {said}" for said in _notes(found) if found.needed)


def _indented(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in the language that holds here; a cell of names is as it is."""
    said = [
        [cell if name == _GAINERS else in_words(str(cell)) for name, cell in zip(columns, row, strict=True)]
        for row in rows
    ]
    return indent(table_as_text([*map(in_words, columns)], said), "  ").rstrip("\n")


_GAINERS = "who gains or loses"


def _strata(found: WhatIf, judged: Judged) -> str:
    columns = ("stratum", "limit", "contestants", "paid", "masterpoints", "first award")
    return _indented(columns, [_row(found, each) for each in judged.strata])


def _row(found: WhatIf, each: Paid) -> list[object]:
    if not each.ranked:
        return [each.letter, number_text(each.limit), str(each.contestants), "too small", "", ""]
    amounts = (_points(found, each.masterpoints), _points(found, each.first))
    return [each.letter, number_text(each.limit), str(each.contestants), str(each.paid), *amounts]


def changed(found: WhatIf, case: Judged) -> list[tuple[str, ContestantOutcome, ContestantOutcome]]:
    """Return the contestants who get more or less than as it is, who lose most first: their label, before and after."""
    nothing = ContestantOutcome()
    seats = dict.fromkeys([*found.base.outcomes, *case.outcomes])
    pairs = [(seat, found.base.outcomes.get(seat, nothing), case.outcomes.get(seat, nothing)) for seat in seats]
    differing = [each for each in pairs if each[1].masterpoints != each[2].masterpoints]
    return sorted(differing, key=lambda each: each[2].masterpoints - each[1].masterpoints)


def _points(found: WhatIf, hundredths: int) -> str:
    """Return an award as the league of the game prints it."""
    return in_points(hundredths, league_named(found.game["league"], found.game["rating"]))


def _amounts(found: WhatIf, old: ContestantOutcome, new: ContestantOutcome) -> list[str]:
    """Return what a contestant has, what it gets then, and how much more or less that is."""
    gain = new.masterpoints - old.masterpoints
    change = f"{'+' if gain > 0 else '-'}{_points(found, abs(gain))}"
    return [_points(found, old.masterpoints), _points(found, new.masterpoints), change]


def _problems(found: WhatIf) -> list[str]:
    return [f"With {case.label}: {case.problem}" for case in found.cases if case.problem]


def _choices(found: WhatIf) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of a list of choices: the limits, what each stratum pays, how many gain and lose."""
    letters = [stratum.letter for stratum in next((case.strata for case in found.cases if case.strata), ())]
    rows = []
    for case in found.cases:
        if case.problem:
            rows.append([case.label, "cannot be awarded", *[""] * (len(letters) + 1)])
            continue
        differing = changed(found, case)
        gain = sum(new.masterpoints > old.masterpoints for _, old, new in differing)
        limits = "/".join(number_text(each.limit) for each in case.strata)
        sums = [
            f"{each.paid} of {each.contestants}: {_points(found, each.masterpoints)}"
            if each.ranked
            else f"{each.contestants}: too small"
            for each in case.strata
        ]
        rows.append([limits, *sums, str(gain), str(len(differing) - gain)])
    return ["Limits", *letters, "Gain", "Lose"], rows


def _of_needed(found: WhatIf) -> str:
    """Return ``What Ann Lee - Bob Ray (A-NS-5) needed in session 2 for more than 0.28``."""
    now = _points(found, found.base.outcomes[found.who].masterpoints)
    session = f" in session {found.session}" if found.session else ""
    base = ", the game as it is" if found.cases else ""
    return f"What {as_it_is(found.names[found.who])} ({found.who}) needed{session} for more than {now}{base}"


def _notes(found: WhatIf) -> list[str]:
    """Return what holds beside what was needed."""
    return [*([NOTE["sessions"]] if found.session > 1 else []), NOTE["needed"]]


def _steps(found: WhatIf) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of what was needed: ``60.19%``, the score, for several sessions the total."""
    texts = {
        "at least": [f"{decimals(step.percentage)}%" if not isnan(step.percentage) else "" for step in found.needed],
        "score": [number_cell(step.score) if not isnan(step.score) else "" for step in found.needed],
        "total": [number_cell(step.total) if not isnan(step.total) else "" for step in found.needed],
        "gets": [_points(found, step.outcome.masterpoints) for step in found.needed],
        "places": [_places(step.outcome) for step in found.needed],
    }
    there = {name: each for name, each in texts.items() if any(each)}
    return list(there), [list(row) for row in zip(*there.values(), strict=True)]


def _places(outcome: ContestantOutcome) -> str:
    """Return ``section A 2nd, B 1st``."""
    said: dict[str, list[str]] = {}
    for basis, stratum, place in outcome.ranks:
        said.setdefault(basis, []).append(f"{stratum} {place_words(place)}")
    return "; ".join(f"{basis} {', '.join(each)}" for basis, each in said.items())


@WRITERS.json
def to_json(found: WhatIf) -> Judgement:
    """Return the same as JSON, with what every contestant gets in each case; masterpoints are decimal strings."""
    steps = [*map(_step, found.needed)]
    needed = {"contestant": found.who, "session": found.session or None, "steps": steps} if found.who else None
    cases = [*map(_case, found.cases)]
    return entry(
        Judgement, found, game_id=found.game["game_id"], as_it_is=_paid_by(found.base), cases=cases, needed=needed
    )


def _case(judged: Judged) -> JudgedCase | RefusedCase:
    if judged.problem:
        return {"change": judged.label, "problem": judged.problem}
    return {"change": judged.label, **_paid_by(judged)}


def _paid_by(judged: Judged) -> AwardedGame:
    return {
        "strata": [entry(AwardedStratum, each, stratum=each.letter) for each in judged.strata],
        "contestants": [entry(AwardedContestant, each, contestant=who) for who, each in judged.outcomes.items()],
    }


def _step(step: Try) -> NeededStep:
    outcome, least = step.outcome, step.score if isnan(step.percentage) else step.percentage
    return entry(NeededStep, step, at_least=least, masterpoints=outcome.masterpoints, ranks=outcome.ranks)


@WRITERS.sheets
def shown(found: WhatIf) -> Report:
    """Return the tables; on the page limits that were tried are chosen with sliders."""
    sweep = found.pattern is not None and found.pattern.sweeps
    tables = {"As it is": _strata_table(found, "now", "As it is", found.base)}
    if sweep:
        (first, *others), rows = _choices(found)
        columns = [PageColumn(first, "k"), *(PageColumn(name, "", name) for name in others)]
        tables["Limits"] = PageTable("choices", "All limits that were tried", columns, [*map(PageRow, rows)])
    elif found.cases and not found.cases[0].problem:
        (case,) = found.cases
        tables["Then"] = _strata_table(found, "then", f"With {case.label}" if case.label else "Then", case)
        heads = (("As it is", "", "as it is"), ("Then", "a", "then"), ("Change", "", "change"))
        columns = [PageColumn("Who", "n"), *(PageColumn(*head) for head in heads)]
        differing = [
            PageRow([f"{found.names.get(seat, '')} ({seat})", *_amounts(found, old, new)])
            for seat, old, new in changed(found, case)
        ]
        title = "Who gains or loses" if differing else "Nobody gains or loses"
        tables["Gains"] = PageTable("changed", title, columns, differing, sorts=False)
    if found.needed:
        names, rows = _steps(found)
        kinds = {names[0]: "k", "gets": "a", "places": "l"}
        columns = [
            PageColumn(name.capitalize(), kinds.get(name, ""), "" if name in (names[0], "places") else name)
            for name in names
        ]
        tables["Needed"] = PageTable("needed", _of_needed(found), columns, [*map(PageRow, rows)], sorts=False)
    said = [f"{NOTE['choices']}."] if sweep else [NOTE["scores"]] if found.cases else []
    return Report(
        f"{words.heading(found.game)}: what if",
        list(tables.values()),
        {name: [table] for name, table in tables.items()},
        facts=[day for day in [cell_text(words.when(found.game))] if day],
        problems=_problems(found),
        picture=markup("reports/sliders.html", data=_data(found)) if sweep else "",
        said=[*said, *(_notes(found) if found.needed else [])],
        remarks=quoted(found.remarks),
        provenance=found.provenance,
        script=("reports/sliders.js",) if sweep else (),
    )


def _strata_table(found: WhatIf, name: str, title: str, judged: Judged) -> PageTable:
    columns = [
        PageColumn("Stratum", "k"),
        PageColumn("Limit", "", "limit"),
        PageColumn("In it", "", "in it"),
        PageColumn("Paid", "", "paid"),
        PageColumn("Masterpoints", "a", "in all"),
        PageColumn("First award", "", "first award"),
    ]
    return PageTable(name, title, columns, [PageRow(_row(found, each)) for each in judged.strata], sorts=False)


def _data(found: WhatIf) -> dict[str, Any]:
    """Return what the sliders choose from: the limits, and by them what each stratum and each contestant gets."""
    assert found.pattern is not None
    seats = list(found.base.outcomes)
    cases = {
        "/".join(number_text(each.limit) for each in case.strata): {
            "strata": [_row(found, each) for each in case.strata],
            "awards": [case.outcomes.get(seat, ContestantOutcome()).masterpoints for seat in seats],
        }
        for case in found.cases
        if not case.problem
    }
    own = {each.letter: number_text(each.limit) for each in found.base.strata}
    free = [at for at, limit in enumerate(found.pattern.limits) if limit is None]
    limits = sorted({case.strata[at].limit for case in found.cases if case.strata for at in free})
    return {
        "letters": list(found.pattern.letters),
        "fixed": [None if limit is None else number_text(limit) for limit in found.pattern.limits],
        "limits": [number_text(limit) for limit in limits],
        "own": [own.get(letter) for letter in found.pattern.letters],
        "names": [f"{found.names[seat]} ({seat})" for seat in seats],
        "now": [found.base.outcomes[seat].masterpoints for seat in seats],
        "cases": cases,
    }


@ENTRIES_WRITERS.text
def entries_text(found: Entries) -> Iterator[str]:
    """Yield the limits that are proposed for tonight's entries."""
    yield _of_entries(found)
    if found.proposals:
        yield from ("", *table_as_text(*_proposed(found)).splitlines())


@ENTRIES_WRITERS.sheets
def entries_shown(found: Entries) -> Report:
    """Return the table of limits, and how many have each stratum as their own, each number with what it counts."""
    names, rows = _proposed(found)
    columns, note = [PageColumn(name, "", name) for name in names], "and how many are in each stratum"
    table = PageTable("limits", "Limits", columns, [*map(PageRow, rows)], note)
    return Report(_of_entries(found), [table] if rows else [], {"Limits": [table]}, provenance=found.provenance)


@ENTRIES_WRITERS.json
def entries_json(found: Entries) -> ProposedLimits:
    """Return the same as JSON."""
    proposals = []
    for each in found.proposals:
        own = dict(zip((stratum.letter for stratum in each.strata), each.entries, strict=True))
        proposals.append({"strata": strata_text(list(each.strata)), "entries": own})
    return entry(ProposedLimits, found, entries=found.count, proposals=proposals)


def _of_entries(found: Entries) -> str:
    entries = f"{found.count} entr{'y' if found.count == 1 else 'ies'}"
    if not found.proposals:
        return f"{entries}: no round limits make strata of {FEWEST} or more each"
    return f"Limits for {entries}"


def _proposed(found: Entries) -> tuple[list[str], list[list[str]]]:
    letters = [each.letter for each in found.proposals[0].strata] if found.proposals else []
    columns = [*letters, *(f"{letter} alone" for letter in letters[:-1]), *(f"in {letter}" for letter in letters[-1:])]
    return columns, [
        [*(number_text(s.limit) for s in each.strata), *map(str, each.entries)] for each in found.proposals
    ]
