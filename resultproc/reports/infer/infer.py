"""What explains the ranks and awards that sheets print: for each game declarations, the best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from resultproc.formats.read import drafted, reader_of
from resultproc.model.arrays import row_dicts
from resultproc.model.draft import sheets_of
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import GAMES, Sheet, game_problem
from resultproc.model.game import league
from resultproc.model.group import declared_words
from resultproc.model.keys import KEYS
from resultproc.model.provenance import Provenance
from resultproc.model.source import Source
from resultproc.reports.differences import as_printed
from resultproc.reports.infer.explanation import (
    GuessExplanation,
    Inference,
    Inferred,
    RulebookReading,
    awarded_guesses,
    what_decides,
)
from resultproc.reports.infer.limits import Bound, Found, bounds, to_the_ends
from resultproc.reports.infer.printed import games_that_print, games_without_overall, printed_awards, printed_by
from resultproc.reports.infer.search import searched
from resultproc.reports.infer.space import Beside, Guess, GuessedKind
from resultproc.reports.infer.tried import Copies
from resultproc.rulebooks.load import rulebook, unread_rulebooks

MOST_AWARDED = 30
"""The most guesses of a game that are awarded as a whole: by turns of each kind, those with the fewest tables that
nothing else tells of first.
"""


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
    free: factors to bound, see :func:`~resultproc.reports.infer.limits.bounds`.
    format, keys: as for :func:`resultproc.read`; what is declared is taken for granted.

    Raises InputError for a file that cannot be read, for one that prints no awards, and where there are no such
    factors.
    """
    said = {key: value for key, value in (keys or {}).items() if value is not None}
    (read,) = sheets_of([drafted(source, format=format, **said)])
    if anew:
        read = without_declarations(read, said)
    sheet, remarks = as_printed(read, {source.name: reader_of(source, format).name})
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

    found: the explanations.
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
    """Return the guesses to be awarded as a whole: of those that differ in a game's number of tables alone, one.

    It names the others that explain as much.
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
    several = []
    for first, *alike in _by_turns(list(distinct.values()))[:MOST_AWARDED]:
        others = dict.fromkeys(each.guess.beside for each in alike if each.wrong == first.wrong)
        tables = tuple(beside for beside in others if beside != first.guess.beside)
        several.append(replace(first, guess=replace(first.guess, other_tables=tables)))
    least = several[0].wrong if several else 0
    return [guess for each in several for guess in (_each_word(each.guess) if each.wrong == least else [each.guess])]


def _by_turns(several: Sequence[list[Found]]) -> list[list[Found]]:
    """Return guesses by turns among the kinds of game, so that many of one kind leave room for the others."""
    of_kind: Counter[GuessedKind] = Counter()
    turns = []
    for alike in several:
        kind = alike[0].guess.kind
        turns.append(of_kind[kind])
        of_kind[kind] += 1
    return [alike for _, alike in sorted(zip(turns, several, strict=True), key=lambda each: each[0])]


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


def _readings(sheet: Sheet, name: str, first: GuessExplanation) -> tuple[RulebookReading, ...]:
    """Return the readings of the rulebook that explain more than the one that it takes."""
    guess = first.guess
    book = guess.kind.book
    edition = rulebook(book).at(Copies.of(sheet, name).day)
    others = [
        (path, word) for path, entry in sorted(edition.entries.items()) for word in entry.choices if word != entry.value
    ]
    with TemporaryDirectory() as folder:
        guesses = []
        for number, (path, word) in enumerate(others):
            file = Path(folder) / f"{number}.toml"
            file.write_text(f'extends = "{book}"\n[{path}]\nvalue = "{word}"\n', "utf-8")
            guesses.append(replace(guess, kind=replace(guess.kind, rulebook=str(file), book=str(file))))
        explanations = {each.guess.kind.book: each for each in awarded_guesses(sheet, {name: guesses})[name]}
        found = [
            RulebookReading(path, word, explanations[one.kind.book].agree, len(explanations[one.kind.book].against))
            for (path, word), one in zip(others, guesses, strict=True)
            if one.kind.book in explanations
        ]
    return tuple(sorted((each for each in found if each.against < len(first.against)), key=lambda each: each.against))
