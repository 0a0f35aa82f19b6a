"""What a game would have paid with other limits, another rating or rulebook, one winner, more pairs or fewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, InputError, Problem
from resultproc.model.frames import AwardedResult, Result, Sheet
from resultproc.model.game import OPEN, Stratum, number_text, parse_strata, strata_text
from resultproc.model.provenance import Provenance
from resultproc.people.seated import find, labels, one_game, players_texts
from resultproc.reports.limits import Pattern, Proposal, choices, fixed, pattern, proposals
from resultproc.reports.outcomes import ContestantOutcome, award_versions, outcomes_of_versions, redeclared
from resultproc.reports.whatif.cases import Case, last_session, tries
from resultproc.stages.pipeline import award_sheet, keep_games

_MOST_CHOICES = 5000
"""This many choices of limits are tried at most."""


@dataclass(frozen=True)
class Paid:
    """What a stratum comes to.

    letter: the stratum's.
    limit: its upper limit in masterpoints, infinite for none.
    contestants: how many are eligible for it.
    ranked: whether it is large enough to be ranked.
    paid: how many get their award in it.
    masterpoints: what they get together, in hundredths.
    first: its highest award, in hundredths.
    """

    letter: str
    limit: float
    contestants: int
    ranked: bool
    paid: int
    masterpoints: int
    first: int


@dataclass(frozen=True)
class Judged:
    """A game as it is, or would be, awarded.

    label: what is changed.
    strata: top first.
    outcomes: by contestant.
    problem: why it cannot be awarded, '' where it can.
    """

    label: str
    strata: tuple[Paid, ...] = ()
    outcomes: Mapping[str, ContestantOutcome] = field(default_factory=dict)
    problem: str = ""

    @property
    def small(self) -> tuple[str, ...]:
        """The strata that are too small to be ranked."""
        return tuple(each.letter for each in self.strata if not each.ranked)


@dataclass(frozen=True)
class Step:
    """A result from which on a contestant gets more.

    percentage, score, total: see :class:`~resultproc.reports.whatif.cases.Try`.
    outcome: what it gets then.
    """

    percentage: float
    score: float
    total: float
    outcome: ContestantOutcome


@dataclass(frozen=True)
class WhatIf:
    """One game as it is and as it would be.

    game: its row.
    names: the players of each contestant.
    base: as it is.
    cases: as it would be.
    pattern: the limits that were tried, None for none.
    who: the contestant that was asked about, '' for none.
    session: in which session, 0 for the game as a whole.
    needed: what it would have needed.
    remarks: what is doubtful about the game.
    provenance: where it comes from.
    """

    game: Mapping[str, object]
    names: Mapping[str, str]
    base: Judged
    cases: tuple[Judged, ...] = ()
    pattern: Pattern | None = None
    who: str = ""
    session: int = 0
    needed: tuple[Step, ...] = ()
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)


@dataclass(frozen=True)
class Asked:
    """What is to be changed, and whose needs are asked for.

    keys: declarations.
    pattern: strata, None to leave them.
    without: contestants who do not play.
    more: how many there are besides.
    one_winner: whether N-S and E-W are to be compared together.
    need: the contestant whose needs are asked for, '' for none.
    game: which one, of a file with several; else None.
    """

    keys: Mapping[str, object] = field(default_factory=dict)
    pattern: Pattern | None = None
    without: tuple[str, ...] = ()
    more: int = 0
    one_winner: bool = False
    need: str = ""
    game: str | None = None

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
    result, declared = _awarded(sheet, asked.keys)
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
        needed = tuple(_needed(base, seat, found.base.outcomes[seat]))
        found = replace(found, who=seat, session=last_session(base, seat), needed=needed)
    return found


def _awarded(sheet: Sheet, keys: Mapping[str, object]) -> tuple[Result, pd.DataFrame]:
    """Return the game as it is awarded, and its row.

    What it does not declare, and could not be awarded without, is as it is to be.
    """
    try:
        return award_sheet(sheet), sheet.games
    except DeclarationError:
        games = sheet.games
        unknown = {name: value for name, value in keys.items() if games[name].isna().all()}
        if not unknown:
            raise
        games = redeclared(games, unknown)
        return award_sheet(replace(sheet, games=games)), games


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
            raise InputError(what, hint="say stratify_by: average or highest", code=MISSING)
        hint = "add them as mp1, mp2, and say stratify_by (average or highest)"
        raise InputError("the holdings of the players are not known, and other limits need them", hint=hint)
    own = [limit for text in base.game["strata"].dropna() for _, limit in parse_strata(str(text))]
    every: list[list[Stratum]] = [
        [Stratum(letter, float(limit or 0)) for letter, limit in zip(wanted.letters, wanted.limits, strict=True)]
    ]
    if wanted.sweeps:
        below = [limit for limit in own if limit < OPEN]
        every = list(islice(choices(wanted, known, below), _MOST_CHOICES + 1))
    if len(every) > _MOST_CHOICES:
        raise InputError(
            f"these are more than {_MOST_CHOICES:,} choices of limits", hint="fix one of them: A=open, B=1500, C=*"
        )
    if not every:
        raise InputError("no round limits split these players", hint="name the limits: A=open, B=1500, C=500")
    label = f"{asked.label}; " if asked.label else ""
    return [replace(case.stratified(strata), label=label + strata_text(strata)) for strata in every]


def _judged(cases: Sequence[Case]) -> list[Judged]:
    """Return what each of some games pays; all are awarded together."""
    versions = [(case.game, case.contestants) for case in cases]
    result, wrong = award_versions(versions)
    found, strata = outcomes_of_versions(result, versions), _paid(result)
    return [
        Judged(
            case.label,
            strata.get(str(n), ()),
            found.get(n, {}),
            "; ".join(each.what for each in wrong.get(str(n), [])),
        )
        for n, case in enumerate(cases)
    ]


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
        found[str(name)] = tuple(
            Paid(
                stratum.letter,
                stratum.limit,
                sum(own[each:]),
                (row, each) in ranked,
                int(paid["size"].get((row, each), 0)),
                int(paid["sum"].get((row, each), 0)),
                int(first.get((row, each), 0)),
            )
            for each, stratum in enumerate(strata)
        )
    return found


def _needed(base: Case, seat: str, now: ContestantOutcome) -> list[Step]:
    """Return from which results on a contestant would have had more, all others as they are."""
    tried = tries(base, seat)
    steps: list[Step] = []
    for each, judged in zip(tried, _judged([each.case for each in tried]) if tried else [], strict=True):
        outcome = judged.outcomes.get(seat, ContestantOutcome())
        if outcome.masterpoints > (steps[-1].outcome if steps else now).masterpoints:
            steps.append(Step(each.percentage, each.score, each.total, outcome))
    return steps


@dataclass(frozen=True)
class Entries:
    """Limits for tonight's entries.

    count: how many entries there are.
    proposals: the best limits, the best first.
    provenance: where the entries come from.
    """

    count: int
    proposals: tuple[Proposal, ...]
    provenance: Provenance = field(default_factory=Provenance)


_THREE = ("A=open, B=*, C=*", "A=open, B=*")
"""The strata that limits are proposed for where none are named: three, or two where there are too few entries."""


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
    tried = [wanted] if wanted else [pattern(text) for text in _THREE]
    found = next((each for each in (proposals(holdings, one) for one in tried) if each), [])
    return Entries(len(holdings), tuple(found), Provenance(sheet.sources))
