"""What explains the games of a sheet: declarations, how well they do, and what decides between two of them.

What a guess explains is found by awarding it as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, row_dicts
from resultproc.model.basis import basis_mask
from resultproc.model.errors import Problem
from resultproc.model.frames import AwardedResult, Sheet
from resultproc.model.game import Rating
from resultproc.model.provenance import Provenance
from resultproc.people.seated import label
from resultproc.reports.differences import agreement, checked_ranks, differences
from resultproc.reports.infer.limits import Bound
from resultproc.reports.infer.printed import games_without_overall
from resultproc.reports.infer.space import Guess
from resultproc.reports.infer.tried import without_overall
from resultproc.reports.outcomes import award_versions, redeclared
from resultproc.stages.award import awards_from


class PrintedEntry(NamedTuple):
    """Something that a sheet prints of a contestant, and that a guess contradicts.

    contestant: where it sat, such as ``A-NS-4``.
    what: ``award``, or which rank.
    printed: as the sheet has it, '' where it prints nothing.
    computed: what the guess makes of it, '' for nothing.
    """

    contestant: str
    what: str
    printed: str
    computed: str

    @property
    def about(self) -> tuple[str, str, str]:
        """What it is about, whatever is computed for it: in the case of a rank, the rank in one stratum."""
        stratum = re.match("([A-Z]+)=", self.printed or self.computed)
        return self.contestant, self.what, stratum[1] if stratum else ""


@dataclass(frozen=True)
class GuessExplanation:
    """Declarations, and what of a game they explain.

    guess: the declarations.
    rulebook: the one that pays.
    agree: how many printed ranks and awards agree.
    against: what differs.
    awards: in hundredths, of each contestant.
    factors: those of an award of each stratum, 0 the top, where it has any.
    strange: the tables of games beside it that nothing else of the report tells of.
    absent: how many overall places pay under it though the report has none at all.
    sections_alone: whether what they pay is left out of the awards, too.
    """

    guess: Guess
    rulebook: str
    agree: int
    against: tuple[PrintedEntry, ...]
    awards: Ints
    factors: Mapping[int, str]
    strange: float = 0
    absent: int = 0
    sections_alone: bool = False

    @property
    def order(self) -> tuple[int, int, int, float]:
        """How good it is: what contradicts it, the overall places that a report without any would have to leave out,
        the games beside it that nothing tells of, and the tables of these.
        """
        return len(self.against), self.absent, len(self.guess.invented), self.strange

    @property
    def awards_against(self) -> int:
        """How many awards contradict it."""
        return sum(entry.what == "award" for entry in self.against)


class RulebookReading(NamedTuple):
    """Another word that a value of a rulebook may be, and what it explains.

    path: of the value in the rulebook.
    value: the other word.
    agree, against: how many printed ranks and awards agree with it, and how many contradict it.
    """

    path: str
    value: str
    agree: int
    against: int


@dataclass(frozen=True)
class Inferred:
    """What explains one game.

    game: its row.
    entries: how many ranks and awards are printed; where awards are, none is one of 0.
    explanations: the best first.
    equal: how many of the first ones are equally good.
    awards: what is printed of each contestant, in hundredths.
    decides: what the first explains and the second does not, the awards that are furthest apart first: any one of them
        decides.
    against_first: what the second alone explains, in that order.
    bounds: those of factors that are left free, under the first.
    readings: those of its rulebook that explain more than the first does, each by itself, the best first.
    """

    game: Mapping[str, object]
    entries: int
    explanations: tuple[GuessExplanation, ...]
    equal: int
    awards: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    decides: tuple[PrintedEntry, ...] = ()
    against_first: tuple[PrintedEntry, ...] = ()
    bounds: tuple[Bound, ...] = ()
    readings: tuple[RulebookReading, ...] = ()

    @property
    def paid(self) -> int:
        """How many awards are printed."""
        return int((self.awards > 0).sum())

    @property
    def ranks(self) -> int:
        """How many ranks are printed."""
        return self.entries - len(self.awards)

    def paid_alike(self, each: GuessExplanation) -> int:
        """Return how many of the printed awards an explanation has."""
        return int(((self.awards > 0) & (self.awards == each.awards)).sum())

    def ranks_alike(self, each: GuessExplanation) -> int:
        """Return how many of the printed ranks an explanation has."""
        return each.agree - int((self.awards == each.awards).sum())

    @property
    def unexplained(self) -> bool:
        """Whether no declarations explain the awards: the best of them contradict most of these."""
        return 2 * self.explanations[0].awards_against > self.paid


@dataclass(frozen=True)
class Inference:
    """What explains the games of files.

    games: each with what explains it.
    remarks: on games that print nothing to explain, and what is doubtful.
    provenance: where it all comes from.
    """

    games: tuple[Inferred, ...]
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def unexplained(self) -> list[Problem]:
        """What is wrong with the games whose awards no declarations explain."""
        hint = "see whether date, tables and event type are right"
        return [
            Problem("no declarations explain the awards", f"game {name}", hint, str(game.game["source"]), name)
            for game in self.games
            for name in [str(game.game["game_id"])]
            if game.unexplained
        ]

    @classmethod
    def of_all(cls, parts: Sequence[Inference]) -> Inference:
        """Return what explains the games of several files together."""
        remarks = tuple(remark for part in parts for remark in part.remarks)
        provenance = Provenance.of_all((part.provenance for part in parts), len(remarks))
        return cls(tuple(game for part in parts for game in part.games), remarks, provenance)


def what_decides(first: GuessExplanation, second: GuessExplanation) -> tuple[PrintedEntry, ...]:
    """Return what the first explains and the second does not: awards before ranks, the furthest apart first."""

    def apart(entry: PrintedEntry) -> float:
        return abs(float(entry.printed or 0) - float(entry.computed or 0)) if entry.what == "award" else -1

    left = {entry.about for entry in first.against}
    decides = {entry for entry in second.against if entry.about not in left}
    return tuple(sorted(decides, key=lambda entry: (not entry.printed, -apart(entry), entry)))


def awarded_guesses(sheet: Sheet, guesses: Mapping[str, Sequence[Guess]]) -> dict[str, list[GuessExplanation]]:
    """Return what each guess explains; all are awarded together."""
    every = [(name, guess) for name, several in guesses.items() for guess in several]
    own = {name: [frame[frame["game_id"] == name] for frame in (sheet.games, sheet.contestants)] for name in guesses}
    result, wrong = award_versions([(redeclared(own[name][0], guess.declared), own[name][1]) for name, guess in every])
    kept = {str(number): guess for number, (_, guess) in enumerate(every) if str(number) not in wrong}
    without = games_without_overall(Sheet(result.games, result.contestants))
    # How many overall places pay in those that print no overall ranks.
    paid = result.candidates["contestant"][basis_mask(result.candidates["basis"], lambda basis: basis.over_all)]
    counts = result.contestants["game_id"].iloc[paid].value_counts()
    absent = {str(name): int(count) for name, count in counts.items() if name in without}
    explanations = {key: replace(each, absent=absent.get(key, 0)) for key, each in _explanations(result, kept).items()}
    if without:
        candidates = without_overall(result.candidates)
        awards = awards_from(candidates, result.games, result.contestants)
        sections_alone = replace(result, candidates=candidates, awards=awards)
        part = {key: kept[key] for key in kept if absent.get(key)}
        for key, each in _explanations(sections_alone, part).items():
            if each.agree > explanations[key].agree:
                explanations[key] = replace(each, absent=absent[key], sections_alone=True)
    found: dict[str, list[GuessExplanation]] = {name: [] for name in guesses}
    for number, (name, _) in enumerate(every):
        found[name] += [explanations[str(number)]] if str(number) in explanations else []
    return _shared(found)


def _explanations(result: AwardedResult, guesses: Mapping[str, Guess]) -> dict[str, GuessExplanation]:
    """Return what guesses explain, by the game_id of the game awarded under each."""
    ranks = checked_ranks(result)
    counts = agreement(result, ranks)
    agreed = dict(zip(counts["game_id"], (counts["agree"] + counts["ranks_agree"]).tolist(), strict=True))
    against, factors = _against(result, ranks), _factors(result)
    awards = dict(iter(result.awards["masterpoints"].groupby(result.contestants["game_id"].to_numpy())))
    books = dict(zip(result.games["game_id"], result.games["rulebook"], strict=True))
    return {
        key: GuessExplanation(
            guess, books[key], agreed[key], tuple(against.get(key, ())), awards[key].to_numpy(), factors.get(key, {})
        )
        for key, guess in guesses.items()
    }


def _factors(result: AwardedResult) -> dict[str, dict[int, str]]:
    """Return the factors of an award of each stratum, by game; nothing of awards that are no product of factors."""
    rows = result.candidates.drop_duplicates(["game", "level", "factors"])
    found: dict[str, dict[int, str]] = {}
    for row, level, text in zip(rows["game"], rows["level"], rows["factors"], strict=True):
        if re.search(r"\bR [0-9]", text):
            found.setdefault(str(result.games["game_id"].iloc[row]), {}).setdefault(int(level), str(text))
    return found


def _against(result: AwardedResult, ranks: Mapping[str, pd.DataFrame]) -> dict[str, list[PrintedEntry]]:
    """Return what differs, by game."""
    found: dict[str, list[PrintedEntry]] = {}
    rows = differences(result, ranks)
    for row in row_dicts(rows[rows["what"] != "overall ranks"]):
        entry = PrintedEntry(label(row), row["what"], row["printed"] or "", row["computed"] or "")
        found.setdefault(row["game_id"], []).append(entry)
    return found


def _shared(found: Mapping[str, Sequence[GuessExplanation]]) -> dict[str, list[GuessExplanation]]:
    """Return the explanations of each game of a report, the best first.

    A game at the same time that another game of the report needs as well is not strange to this one.
    """
    needed = {}
    for name, several in found.items():
        least = min((each.order[:3] for each in several), default=(0, 0, 0))
        best = [each for each in several if each.order[:3] == least]
        needed[name] = {(one.limit, one.tables) for each in best for one in each.guess.invented}
    ordered = {}
    for name, several in found.items():
        others = set().union(*(needed[other] for other in needed if other != name))
        strange = [
            sum(one.tables for one in each.guess.invented if (one.limit, one.tables) not in others) for each in several
        ]
        judged = [replace(each, strange=more) for each, more in zip(several, strange, strict=True)]
        ordered[name] = _alike_as_one(sorted(judged, key=_plausible))
    return ordered


def _plausible(each: GuessExplanation) -> tuple[object, ...]:
    """Return what orders explanations: how good they are, then how much they declare; a seldom rating is last."""
    guess = each.guess
    return each.order, guess.kind.words, len(guess.beside), guess.kind.rating == Rating.CLUB_INVITATIONAL


def _alike_as_one(several: Sequence[GuessExplanation]) -> list[GuessExplanation]:
    """Return explanations that pay the same, and differ in special words or in games beside them alone, as one.

    It is the one that declares the least.
    """
    merged: dict[object, GuessExplanation] = {}
    for each in several:
        guess = each.guess
        new = tuple(one for one in guess.beside if one.invented)
        key = (replace(guess.kind, special="", alike=()), guess.limits, new, each.against, each.awards.tobytes())
        first = merged.setdefault(key, each)
        if guess.kind != first.guess.kind:
            kind = replace(first.guess.kind, alike=(*first.guess.kind.alike, guess.kind.special))
            merged[key] = replace(first, guess=replace(first.guess, kind=kind))
    return list(merged.values())
