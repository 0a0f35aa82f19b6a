"""What explains the ranks and awards that sheets print: for each game declarations, the best first.

What a guess explains is found by awarding it as a whole. Below it is written as text, JSON, and the sidecar that
declares it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from resultproc.formats.read import drafted
from resultproc.model.arrays import Ints, row_dicts
from resultproc.model.basis import basis_mask
from resultproc.model.draft import sheets_of
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import GAMES, AwardedResult, Sheet, game_problem
from resultproc.model.game import league, number_text
from resultproc.model.group import declared_words
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is, in_words
from resultproc.model.provenance import Provenance
from resultproc.model.source import Source
from resultproc.model.text import counted
from resultproc.model.values import toml_text
from resultproc.pages import words
from resultproc.pages.tables import Writers
from resultproc.people.seated import label
from resultproc.reports.differences import agreement, as_printed, checked_ranks, differences
from resultproc.reports.infer.alternatives import Bound, Found, bounds, to_the_ends
from resultproc.reports.infer.search import (
    games_that_print,
    games_without_overall,
    printed_awards,
    printed_by,
    searched,
)
from resultproc.reports.infer.space import Beside, Copies, Guess, GuessedKind, beside_text, without_overall
from resultproc.reports.json_types import Contradicted, ExplanationEntry, InferredGame, InferReport, ReadingEntry, entry
from resultproc.reports.limits import ROUND
from resultproc.reports.outcomes import award_versions, redeclared
from resultproc.rulebooks.common.exact import factor_text
from resultproc.rulebooks.load import rulebook, unread_rulebooks, with_values
from resultproc.stages.award import awards_from


@dataclass(frozen=True)
class GuessExplanation:
    """Declarations, and what of a game they explain."""

    guess: Guess  # the declarations
    rulebook: str  # the one that pays
    agree: int  # how many printed ranks and awards agree
    against: tuple[Contradicted, ...]  # what differs
    awards: Ints  # in hundredths, of each contestant
    factors: Mapping[int, str]  # those of an award of each stratum, 0 the top, where it has any
    strange: float = 0  # the tables of games beside it that nothing else of the report tells of
    absent: int = 0  # how many overall places pay under it though the report has none at all
    sections_alone: bool = False  # whether what they pay is left out of the awards, too

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


@dataclass(frozen=True)
class Inferred:
    """What explains one game."""

    game: Mapping[str, object]  # its row
    entries: int  # how many ranks and awards are printed; where awards are, none is one of 0
    explanations: tuple[GuessExplanation, ...]  # the best first
    equal: int  # how many of the first ones are equally good
    # What is printed of each contestant, in hundredths.
    awards: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    # What the first alone explains, of the first two: the awards that are furthest apart first.
    decides: tuple[Contradicted, ...] = ()
    against_first: tuple[Contradicted, ...] = ()  # what the second alone explains, in that order
    bounds: tuple[Bound, ...] = ()  # those of factors that are left free, under the first
    # Those of its rulebook that explain more than the first does, each by itself, the best first.
    readings: tuple[ReadingEntry, ...] = ()

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
    """What explains the games of files."""

    games: tuple[Inferred, ...]  # each with what explains it
    remarks: tuple[Problem, ...] = ()  # on games that print nothing to explain, and what is doubtful
    provenance: Provenance = field(default_factory=Provenance)  # where it all comes from

    @property
    def unexplained(self) -> list[Problem]:
        """What is wrong with the games whose awards no declarations explain."""
        hint = "see whether date, tables, event type and league are right"
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


def what_decides(first: GuessExplanation, second: GuessExplanation) -> tuple[Contradicted, ...]:
    """Return what the first explains and the second does not: awards before ranks, the furthest apart first."""

    def apart(entry: Contradicted) -> float:
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


def _against(result: AwardedResult, ranks: Mapping[str, pd.DataFrame]) -> dict[str, list[Contradicted]]:
    """Return what differs, by game."""
    found: dict[str, list[Contradicted]] = {}
    rows = differences(result, ranks)
    for row in row_dicts(rows[rows["what"] != "overall ranks"]):
        entry = Contradicted(label(row), row["what"], row["printed"] or "", row["computed"] or "")
        found.setdefault(row["game_id"], []).append(entry)
    return found


def _shared(found: Mapping[str, Sequence[GuessExplanation]]) -> dict[str, list[GuessExplanation]]:
    """Return the explanations of each game of a report, the best first.

    A game at the same time that another game of the report needs as well is not strange to this one.
    """

    def plausible(each: GuessExplanation) -> tuple[object, ...]:
        """How good it is, then how much it declares; a seldom rating is last."""
        kind = each.guess.kind
        return each.order, kind.words, len(each.guess.beside), kind.rating in league().groups["seldom"]

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
        ordered[name] = _alike_as_one(sorted(judged, key=plausible))
    return ordered


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


def infer(
    source: Source,
    *,
    anew: bool = False,
    free: Sequence[str] = (),
    format: str | None = None,
    keys: Mapping[str, object] | None = None,
) -> Inference:
    """Return what explains the games of a file.

    anew: whether what can be inferred counts as not declared, unless it is among the keys; see
        :func:`without_declarations`.
    free: factors to bound, see :func:`~resultproc.reports.infer.alternatives.bounds`.
    format, keys: as for :func:`resultproc.read`; what is declared is taken for granted.

    Raises InputError for a file that cannot be read, for one that prints no awards, and where there are no such
    factors.
    """
    said = {key: value for key, value in (keys or {}).items() if value is not None}
    draft = drafted(source, format=format, **said)
    (read,) = sheets_of([draft])
    sheet, remarks = as_printed(without_declarations(read, said) if anew else read, [draft])
    return explained(replace(sheet, remarks=(*read.remarks, *remarks)), free)


INFERRED = ("rating", "special", "strata", "limit", "concurrent_tables", "rulebook")
"""The game keys that are inferred."""


def without_declarations(sheet: Sheet, kept: Collection[str] = ()) -> Sheet:
    """Return a sheet without what would be inferred, except for some keys and for what nothing else tells.

    Strata are kept where contestants have no letters, special words where they say how a game is scored.
    """
    games = sheet.games
    lettered = games["game_id"].isin(sheet.contestants.loc[sheet.contestants["stratum"].notna(), "game_id"])
    scored = games["special"].map(lambda text: ", ".join(sorted(declared_words(text) & league().not_paid)) or None)
    left = {"strata": games["strata"].mask(lettered), "special": scored}
    values = {key: left.get(key, games[key].mask(games[key].notna())) for key in INFERRED if key not in kept}
    return replace(sheet, games=GAMES.conform(games.assign(**values).astype({key: games[key].dtype for key in values})))


def overruled(source: Source, found: Inference, *, format: str | None = None) -> list[Problem]:
    """Return what a file says otherwise than its sidecar, now that this declares the first explanations.

    What a file says of itself in lines of its own goes before the sidecar.

    format: the one to read, None to tell it by the content.
    Raises InputError as :func:`infer` does.
    """
    (read,) = sheets_of([drafted(source, format=format)])
    rows = {str(name): row for row, name in enumerate(read.games["game_id"])}
    problems = []
    for game in found.games:
        row = rows[str(game.game["game_id"])]
        first = game.explanations[0]
        wanted = {"special": "", "concurrent_tables": "", "rulebook": first.rulebook, **first.guess.declared}
        for key in (key for key in INFERRED if key in wanted and pd.notna(read.games[key].iloc[row])):
            said, want = (KEYS[key].shown(value) for value in (read.games[key].iloc[row], wanted[key]))
            if said != want:
                what = f"{key} = {said} stands in the file itself, which goes before the sidecar's {want or 'none'}"
                problems.append(game_problem(read.games, row, what, "correct it there", code="declaration.overruled"))
    return problems


def explained(sheet: Sheet, free: Sequence[str] = ()) -> Inference:
    """Return what explains the games of a sheet, with the bounds of some factors.

    Raises InputError where no game prints awards, and where one has no such factors.
    """
    names, remarks = games_that_print(sheet)
    if not names:
        raise InputError(remarks)
    without = games_without_overall(sheet)
    each = {name: searched(printed_by(sheet, name), may_lack_overall=name in without) for name in names}
    found = _in_one_report(each, sheet)
    paid = awarded_guesses(sheet, {name: _few(each) for name, each in found.items()})
    explanations = _with_best_limits(paid, sheet)
    remarks = [*sheet.remarks, *remarks, *unread_rulebooks(whole=True)]
    games = tuple(_inferred(sheet, name, explanations[name], free) for name in names)
    return Inference(games, tuple(remarks), Provenance(sheet.sources, (), len(remarks)))


def _in_one_report(found: Mapping[str, Sequence[Found]], sheet: Sheet) -> dict[str, list[Found]]:
    """Return what was found of the games of a report, those left out that take another game for what it is not.

    A game of the report that counts for another has the limit that its own awards tell.
    """
    tops: dict[str, tuple[float, ...]] = {}
    for name, several in found.items():
        least = min((each.wrong for each in several), default=0)
        tops[name] = tuple(limit for each in several if each.wrong == least for limit in each.guess.limits[0])
    agreeing: dict[str, list[Found]] = {}
    for name, several in found.items():
        limited = _limited(Copies.of(sheet, name), [each.guess for each in several], tops)
        kept = [replace(each, guess=guess) for each, guess in zip(several, limited, strict=True) if guess]
        agreeing[name] = kept or list(several)
    return agreeing


def _with_best_limits(
    explanations: dict[str, list[GuessExplanation]], sheet: Sheet
) -> dict[str, list[GuessExplanation]]:
    """Return explanations where the games of the report have the limits that the best of these tell.

    These go by all that is printed, and by fewer declarations than what explains the awards alone.
    """
    tops = {
        name: tuple(limit for each in _best(several) for limit in each.guess.limits[0])
        for name, several in explanations.items()
    }
    again: dict[str, list[Guess]] = {}
    for name, several in explanations.items():
        guesses = [each.guess for each in several]
        limited = _limited(Copies.of(sheet, name), guesses, tops)
        if limited and limited[0] and limited[0] != guesses[0]:
            again[name] = [word for guess in limited if guess for word in _each_word(guess)]
    return explanations | (awarded_guesses(sheet, again) if again else {})


def _best(several: Sequence[GuessExplanation]) -> list[GuessExplanation]:
    return [each for each in several if each.order == several[0].order]


def _limited(copies: Copies, guesses: Sequence[Guess], tops: Mapping[str, tuple[float, ...]]) -> list[Guess | None]:
    """Return guesses with the limits of other games as known; None for one that takes a game for what it is not."""
    newcomers = {book: copies.newcomers(book) for book in {guess.kind.book for guess in guesses}}

    def known(several: Sequence[Beside], book: str) -> tuple[Beside, ...]:
        return tuple(replace(one, limit=_limit_of(one, tops, newcomers[book])) for one in several)

    limited: list[Guess | None] = []
    for guess in guesses:
        beside, *others = (known(each, guess.kind.book) for each in (guess.beside, *guess.other_tables))
        fits = all(one.limit for one in beside)
        limited.append(replace(guess, beside=beside, other_tables=tuple(others)) if fits else None)
    return limited


def _limit_of(beside: Beside, tops: Mapping[str, tuple[float, ...]], newcomers: float) -> float:
    """Return the limit of a game beside another, 0 where what is known of it says that it cannot be so."""
    known = tops.get(beside.game_id, ())
    if not known or beside.limit in known:
        return beside.limit
    low = beside.limit <= newcomers
    fitting = [limit for limit in known if not np.isinf(limit) and (limit <= newcomers) == low]
    return min(fitting, key=lambda limit: abs(limit - beside.limit), default=0)


def _few(found: Sequence[Found]) -> list[Guess]:
    """Return the guesses to be awarded as a whole, 30 at most: of those that differ in a game's number of tables
    alone, the one with the fewest that nothing else tells of. It names the others that explain as much.
    """
    distinct: dict[object, list[Found]] = {}

    def order(one: Found) -> tuple[float, ...]:
        invented = one.guess.invented
        new = sum(each.tables for each in invented)
        known = sum(each.tables for each in one.guess.beside) - new
        return one.wrong, len(invented), new, len(one.guess.beside), -known

    for each in sorted(found, key=order):
        guess = each.guess
        beside = tuple((one.limit, one.game_id or one.tables) for one in guess.beside)
        distinct.setdefault((guess.kind, guess.limits, beside), []).append(each)
    # By turns among the kinds of game, so that many of one kind leave room for the others.
    of_kind: Counter[GuessedKind] = Counter()
    turns = []
    for alike in distinct.values():
        of_kind[alike[0].guess.kind] += 1
        turns.append((of_kind[alike[0].guess.kind], alike))
    several = []
    for _, (first, *alike) in sorted(turns, key=lambda each: each[0])[:30]:
        others = dict.fromkeys(each.guess.beside for each in alike if each.wrong == first.wrong)
        tables = tuple(beside for beside in others if beside != first.guess.beside)
        several.append(replace(first, guess=replace(first.guess, other_tables=tables)))
    least = several[0].wrong if several else 0
    return [guess for each in several for guess in (_each_word(each.guess) if each.wrong == least else [each.guess])]


def _each_word(guess: Guess) -> list[Guess]:
    """Return a guess with each of the special words that may pay the same: those that do are told together later."""
    specials = (guess.kind.special, *guess.kind.alike)
    return [replace(guess, kind=replace(guess.kind, special=special, alike=())) for special in specials]


def _inferred(sheet: Sheet, name: str, several: Sequence[GuessExplanation], free: Sequence[str]) -> Inferred:
    """Return what explains a game, the best first; raise InputError for one that nothing has awards for."""
    if not several:
        what = "no rulebook has awards for such a game"
        row = sheet.games["game_id"].tolist().index(name)
        raise InputError([game_problem(sheet.games, row, what, "correct what is declared of it")])
    (game,) = row_dicts(sheet.games[sheet.games["game_id"] == name])
    equal = len(_best(several))
    contestants = sheet.contestants[sheet.contestants["game_id"] == name]
    ranks = sum(contestants[column].dropna().str.count("=").sum() for column in ("printed_section", "printed_overall"))
    copies = Copies.of(sheet, name)
    told = min(equal, TOLD)
    several = [
        replace(each, guess=to_the_ends(replace(copies, sections_alone=each.sections_alone), each.guess))
        if n < told
        else each
        for n, each in enumerate(several)
    ]
    first, second = several[0], several[min(1, len(several) - 1)]
    decides, other = what_decides(first, second), what_decides(second, first)
    printed = printed_awards(contestants)
    bounded: tuple[Bound, ...] = ()
    if free:
        copies = replace(copies, sections_alone=first.sections_alone)
        bounded = bounds(copies, first.guess, first.factors, printed, free)
    found = Inferred(game, len(contestants) + int(ranks), tuple(several), equal, printed, decides, other, bounded)
    readings = _readings(sheet, name, first) if first.against and not found.unexplained else ()
    return replace(found, readings=readings)


TOLD = 6
"""The number of the best explanations whose limits are told to their ends."""


def _readings(sheet: Sheet, name: str, first: GuessExplanation) -> tuple[ReadingEntry, ...]:
    """Return the readings of the rulebook that explain more than the one that it takes."""
    guess = first.guess
    book = guess.kind.book
    edition = rulebook(book).at(Copies.of(sheet, name).day)
    others = [
        (path, word) for path, entry in sorted(edition.entries.items()) for word in entry.choices if word != entry.value
    ]
    with TemporaryDirectory() as folder:
        files = [with_values(book, {path: word}, Path(folder)) for path, word in others]
        guesses = [replace(guess, kind=replace(guess.kind, rulebook=file, book=file)) for file in files]
        explanations = {each.guess.kind.book: each for each in awarded_guesses(sheet, {name: guesses})[name]}
        found: list[ReadingEntry] = [
            {"path": path, "value": word, "explained": each.agree, "contradicted": len(each.against)}
            for (path, word), one in zip(others, guesses, strict=True)
            if (each := explanations.get(one.kind.book)) and len(each.against) < len(first.against)
        ]
    return tuple(sorted(found, key=lambda each: each["contradicted"]))


_SHOWN = 6
"""The most explanations of a game that are listed."""

AGAINST = 3
"""The most that is listed of what contradicts an explanation."""

WRITERS: Writers[[Inference]] = Writers()


@WRITERS.text
def text(found: Inference) -> Sequence[str]:
    """Return the explanations of each game, the best first."""
    return ["\n\n".join("\n".join(_lines(each)) for each in found.games)]


def _lines(game: Inferred) -> Iterator[str]:
    """Yield the lines, in the language that holds here; what is declared stands as it is written."""
    yield f"{game.game['game_id']}: {in_words(words.title_of_game(game.game))}"
    yield in_words(f"  {_counted(game.paid, game.ranks)} are printed. {_verdict(game)}")
    shown = game.explanations[: 1 if game.unexplained else max(min(game.equal, _SHOWN), 2)]
    for number, each in enumerate(shown, 1):
        explained = f"{_counted(game.paid_alike(each), game.ranks_alike(each))} explained"
        against = f", {len(each.against)} contradicted" if each.against else ""
        yield from ("", f"  {number}. {in_words(f'{explained}{against}, under {each.rulebook}:')}")
        yield from (f"     {line}" for line in (*_declarations(each), *map(in_words, _said(each))))
    if len(shown) < game.equal and not game.unexplained:
        yield from ("", in_words(f"  and {game.equal - len(shown)} more explain as much"))
    if len(shown) > 1:
        yield from ("", in_words(f"  {_deciding(game)}"))
    if game.readings:
        first = game.explanations[0].rulebook
        yield from ("", in_words(f"  A rulebook of your own that extends {first} explains more with"))
    for reading in game.readings:
        said = f"{reading['explained']} explained, {reading['contradicted']} contradicted"
        yield f'  [{reading["path"]}] value = "{reading["value"]}": {in_words(said)}'
    if game.bounds:
        yield from ("", *(in_words(f"  {_bound(each)}") for each in game.bounds))


def _bound(bound: Bound) -> str:
    """Return ``R between 9.98 and 10.01, where it is 10: 14 awards depend on it``."""
    name = f"{bound.factor} of {bound.stratum}" if bound.stratum else bound.factor
    low, high = _ends(bound)
    if low and high:
        where = f"{name} between {low} and {high}"
    elif low or high:
        where = f"{name} {low or high} or {'more' if low else 'less'}"
    else:
        where = f"{name} is not bounded by what is printed"
    depend = f"{counted(bound.awards, 'award')} depend{'s' if bound.awards == 1 else ''}"
    return f"{where}; it is {factor_text(bound.value)}, and {depend} on it"


def _ends(bound: Bound) -> tuple[str | None, ...]:
    return tuple(None if each is None else factor_text(each) for each in (bound.low, bound.high))


def _verdict(game: Inferred) -> str:
    first = game.explanations[0]
    if game.unexplained:
        return f"No declarations explain the awards: {first.awards_against} of {game.paid} are contradicted at best."
    if game.equal > 1:
        return f"{game.equal} explanations are equally good."
    if first.against:
        return "One explanation is the best."
    if game.explanations[1:] and not game.explanations[1].against:
        if game.explanations[1].absent > first.absent:
            return "Several explanations have them all; the first needs the fewest overall places that are not printed."
        return "Several explanations have them all; the first needs the fewest games that are not in the report."
    return "One explanation has them all."


def _counted(awards: int, ranks: int) -> str:
    """Return ``1 award and 12 ranks``."""
    return f"{counted(awards, 'award')} and {counted(ranks, 'rank')}"


def _declarations(each: GuessExplanation) -> Iterator[str]:
    for key, value in each.guess.declared.items():
        yield f'{key} = "{KEYS[key].shown(value)}"'


def _said(each: GuessExplanation) -> Iterator[str]:
    """Yield what pays the same, what is not known from the report, and what contradicts it."""
    ranges = [_range(*limits) for limits in same_limits(each) if limits[1] is None or limits[1] != limits[2]]
    if ranges:
        yield f"the same with {', '.join(ranges)}"
    if each.guess.kind.same_boards:
        yield f"the same with boards {each.guess.kind.same_boards}"
    if each.guess.kind.alike:
        alike = [word or "nothing" for word in each.guess.kind.alike]
        yield f"the same with special {' or '.join(alike)}"
    for tables in each.guess.other_tables:
        yield f"the same with concurrent_tables {beside_text(tables)}"
    for game in each.guess.invented:
        yield f"only the awards tell of a game of {number_text(game.tables)} tables at the same time"
    if each.absent:
        left_out = "and their awards are left out" if each.sections_alone else "but their awards are paid"
        yield f"no overall places are printed, {left_out}: {each.absent} would pay"
    yield from (f"against it: {_entry_text(one)}" for one in each.against[:AGAINST])
    if len(each.against) > AGAINST:
        yield f"and {len(each.against) - AGAINST} more"


def _entry_text(entry: Contradicted) -> str:
    return f"{entry.contestant}: {entry.what} printed {entry.printed or 'none'}, computed {entry.computed or 'none'}"


def _deciding(game: Inferred) -> str:
    if not game.decides:
        return "Nothing that is printed decides between the first two."
    first, more = game.decides[0], len(game.decides) - 1
    beside = f", and {more} more would as well" if more else ""
    printed, computed = first.printed or "none", first.computed or "none"
    one = f"{first.contestant} decides between the first two{beside}"
    text = f"{one}: {first.what} printed {printed}, under the second {computed}."
    for other in game.against_first[:1]:
        text += f" For the second speaks {_entry_text(other)} under the first."
    return text


def _range(letter: str, low: str | None, high: str | None) -> str:
    """Return limits that pay the same: ``B 250 or more``."""
    if low is None:
        limits = "up to " + high if high else "any limit"
    else:
        limits = f"{low} to {high}" if high else f"{low} or more"
    return f"{letter or 'limit'} {limits}"


def same_limits(each: GuessExplanation) -> list[tuple[str, str | None, str | None]]:
    """Return, for each stratum whose limit is inferred, the lowest and the highest limit that pay the same.

    None for a range without an end: the lowest or the highest of the limits that are tried is in it.
    """
    if each.guess.fixed:
        return []
    letters = each.guess.letters or ("",)
    highest = sorted(ROUND)[-len(letters)]  # above it there may have to be room for those of higher strata
    return [
        (
            letter,
            None if limits[0] <= min(ROUND) and len(limits) > 1 else number_text(limits[0]),
            None if limits[-1] >= highest and len(limits) > 1 else number_text(limits[-1]),
        )
        for letter, limits in zip(letters, each.guess.limits, strict=True)
    ]


@WRITERS.json
def to_json(found: Inference) -> InferReport:
    """Return the same as JSON, with every explanation that was awarded as a whole, up to :data:`_SHOWN`."""
    return entry(InferReport, found, games=[_game_entry(each) for each in found.games])


def _game_entry(game: Inferred) -> InferredGame:
    bounds = []
    for bound in game.bounds:
        low, high = _ends(bound)
        bounds.append({**vars(bound), "value": factor_text(bound.value), "from": low, "to": high})
    return entry(
        InferredGame,
        game,
        game_id=str(game.game["game_id"]),
        printed=game.entries,
        awards=game.paid,
        awards_explained=not game.unexplained,
        explanations=[_explanation_entry(game, each) for each in game.explanations[:_SHOWN]],
        bounds=bounds,
    )


def _explanation_entry(game: Inferred, each: GuessExplanation) -> ExplanationEntry:
    return entry(
        ExplanationEntry,
        each,
        declared={key: KEYS[key].shown(value) for key, value in each.guess.declared.items()},
        explained=each.agree,
        awards=game.paid_alike(each),
        ranks=game.ranks_alike(each),
        overall_not_printed=each.absent,
        contradicted=each.against,
        same_limits=[{"stratum": letter, "from": low, "to": high} for letter, low, high in same_limits(each)],
        same_special=each.guess.kind.alike,
        same_concurrent_tables=[beside_text(tables) for tables in each.guess.other_tables],
        not_in_the_report=each.guess.invented,
    )


def inferred_sidecar(file: str, found: Inference, said: Mapping[str, str]) -> bytes:
    """Return the sidecar that declares the first explanation of each game that has one.

    Comments say what it does not decide.

    file: the name of the report that it is for.
    said: what was declared beside the file, by game key, which the sidecar declares as well.
    """
    several = len(found.games) > 1 or bool(found.remarks)
    explained = [each for each in found.games if not each.unexplained]
    parts = ["\n".join(_declared(each, said, several=several)) + "\n" for each in explained]
    what = f"What {as_it_is(file)} does not say of its games, as its printed ranks and awards tell it."
    head = f"# {in_words(what)}\n"
    return "\n".join([head, *parts]).encode()


def _declared(game: Inferred, said: Mapping[str, str], *, several: bool) -> Iterator[str]:
    first = game.explanations[0]
    follow = in_words(f"{first.agree} of {game.entries} ranks and awards follow from this.")
    yield f"# {in_words(words.title_of_game(game.game))}: {follow}"
    yield from (f"# {line[0].upper()}{line[1:]}." for line in map(in_words, _said(first)))
    for other in game.explanations[1 : min(game.equal, _SHOWN)]:
        yield f"# {in_words('As good')}: {', '.join(_declarations(other))}"
    if several:
        yield f"[games.{toml_text(game.game['game_id'])}]"
    yield from _declarations(first)
    yield from (f"{key} = {toml_text(value)}" for key, value in said.items() if key not in first.guess.declared)
