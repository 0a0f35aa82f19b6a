"""What can be declared of a game that is not: its rating and special words, a rulebook, limits, games beside it.

A game is awarded under many declarations at once: what each stratum of it would pay each contestant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from itertools import combinations, groupby, pairwise, product
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints
from resultproc.model.basis import basis_mask
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.game import OPEN, UNFINISHED, Stratum, league, leagues, number_text, strata_text
from resultproc.model.group import declared_words
from resultproc.reports.limits import ROUND, roundness
from resultproc.rulebooks.choice import choose, editions, ranking_terms
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook, rulebooks
from resultproc.stages.award import awarded
from resultproc.stages.complete import completed
from resultproc.stages.missing import refuse_missing
from resultproc.stages.rank import ranked

Declared = Mapping[str, object]
"""Declarations of a game as the games frame holds them, by key."""


class TriedCase(NamedTuple):
    """Declarations to be tried, and the id of the rulebook that pays under them."""

    book: str
    declared: Declared


_FEW, _MOST = 300, 1000
"""How many copies of a game are awarded together, whatever their rulebooks, and how many of one rulebook."""

_NEWCOMERS = "concurrent.newcomers"


@dataclass(frozen=True)
class Tried:
    """What a game would pay under some declarations."""

    awards: Ints  # in hundredths by declaration, contestant and stratum, 0 the top: the most that it earns there
    accepted: Bools  # per declaration, whether there are awards for it at all


@dataclass(frozen=True)
class Copies:
    """One game, to be awarded under many declarations."""

    game: pd.DataFrame  # its row
    contestants: pd.DataFrame  # its contestants
    # Whether its overall awards are left out, as in a report that was printed without them.
    sections_alone: bool = False
    _known: dict[object, tuple[Ints, bool]] = field(init=False, default_factory=dict)
    """What was tried before: a search comes back to the same cases whenever it allows for more that is contradicted."""

    @classmethod
    def of(cls, sheet: Sheet, game_id: str) -> Copies:
        """Return the copies of one game of a sheet, without what it prints, which no award depends on."""
        contestants = sheet.contestants[sheet.contestants["game_id"] == game_id]
        printed = [name for name in contestants.columns if str(name).startswith("printed_")]
        return cls(
            sheet.games[sheet.games["game_id"] == game_id].reset_index(drop=True),
            CONTESTANTS.conform(contestants.drop(columns=printed).reset_index(drop=True)),
        )

    def in_one(self, letter: str) -> Copies:
        """Return the copies with everybody in one stratum."""
        stratum = pd.Series(letter, self.contestants.index, dtype="str")
        return replace(self, contestants=self.contestants.assign(stratum=stratum))

    @property
    def day(self) -> date:
        """The day of the game; the last one of all for a game without a date."""
        of = self.game["date"].iloc[0]
        return date.max if pd.isna(of) else of.date()

    def newcomers(self, book: str) -> float:
        """Return the upper limit of games that a rulebook credits to lower strata as well; 0 where it has none."""
        edition = rulebook(book).at(self.day)
        return float(edition.number(_NEWCOMERS)) if _NEWCOMERS in edition.entries else 0

    def frames(self, declared: Sequence[Declared]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return a copy of the game for each choice of declarations, called by its number."""
        names = pd.Series([str(number) for number in range(len(declared))], dtype="str")
        games = self.game.iloc[np.zeros(len(declared), dtype=np.int64)].reset_index(drop=True).assign(game_id=names)
        for key in dict.fromkeys(key for each in declared for key in each):
            own = self.game[key].iloc[0]
            games[key] = pd.Series([each.get(key, own) for each in declared], dtype=games[key].dtype)
        count = len(self.contestants)
        rows = np.tile(np.arange(count), len(declared))
        contestants = self.contestants.iloc[rows].reset_index(drop=True)
        contestants["game_id"] = names.iloc[np.repeat(np.arange(len(declared)), count)].to_numpy()
        return GAMES.conform(games), contestants

    def tried(self, cases: Sequence[TriedCase], levels: int) -> Tried:
        """Return what the game would pay in each of some cases, in each of its strata; see :class:`Tried`."""
        keys = [(levels, case.book, *sorted(case.declared.items())) for case in cases]
        new = {key: case for key, case in zip(keys, cases, strict=True) if key not in self._known}
        parts = [self._part(part, levels) for part in _parts(list(new.values()))]
        paid = ((awards, bool(ok)) for part in parts for awards, ok in zip(part.awards, part.accepted, strict=True))
        self._known.update(zip(new, paid, strict=True))
        awards = np.zeros((len(cases), len(self.contestants), levels), dtype=np.int64)
        for row, key in enumerate(keys):
            awards[row] = self._known[key][0]
        return Tried(awards, np.array([self._known[key][1] for key in keys], dtype=bool))

    def _part(self, cases: Sequence[TriedCase], levels: int) -> Tried:
        declared = [case.declared for case in cases]
        games, contestants = self.frames(declared)
        games["rulebook_named"] = pd.Series(["rulebook" in each for each in declared], dtype="boolean")
        games["rulebook"] = pd.Series([case.book for case in cases], dtype="str")
        count = len(self.contestants)
        awards = np.zeros((len(declared), count, levels), dtype=np.int64)
        accepted = np.ones(len(declared), dtype=bool)
        while accepted.any():
            rows = np.flatnonzero(accepted)
            kept = games if accepted.all() else games.iloc[rows].reset_index(drop=True)
            seated = contestants if accepted.all() else contestants[np.repeat(accepted, count)].reset_index(drop=True)
            try:
                facts = Facts(kept, seated)
                refuse_missing(facts)
                facts = Facts(*completed(facts))
                chosen = editions(facts.games)
                candidates, _ = awarded(facts, ranked(facts, ranking_terms(chosen)), chosen)
                if self.sections_alone:
                    candidates = without_overall(candidates)
            except InputError as error:
                wrong = {problem.game for problem in error.problems}
                named = kept["game_id"].isin(wrong).to_numpy()
                accepted[rows[named] if named.any() else rows] = False
                continue
            contestant, level = candidates["contestant"].to_numpy(), candidates["level"].to_numpy(dtype=np.int64)
            copy = rows[contestant // count]
            within = level < levels
            at = (copy[within], contestant[within] % count, level[within])
            np.maximum.at(awards, at, candidates["masterpoints"].to_numpy()[within])
            break
        return Tried(awards, accepted)

    def own_levels(self, declared: Declared) -> Ints:
        """Return the stratum of each contestant under some declarations, 0 the top, -1 for none.

        Raises InputError for what ranking needs to know besides.
        """
        games, contestants = self.frames([declared])
        if (games["sessions"] > 1).fillna(value=False).iloc[0] and games["special"].isna().iloc[0]:
            games["special"] = pd.Series([UNFINISHED], dtype="str")
        facts = Facts(games, contestants)
        refuse_missing(facts, rated=False)
        return Facts(*completed(facts)).level


def _parts(cases: Sequence[TriedCase]) -> Iterator[Sequence[TriedCase]]:
    """Yield cases that are awarded together: all, or where they are many those of one rulebook that stand together.

    What one rulebook refuses, all are awarded without once more: that is worth while where they are few.
    """
    apart = groupby(cases, lambda case: case.book) if len(cases) > _FEW else [("", cases)] if cases else []
    for _, together in apart:
        several = list(together)
        yield from (several[start : start + _MOST] for start in range(0, len(several), _MOST))


def without_overall(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates without overall awards."""
    return candidates[~basis_mask(candidates["basis"], lambda basis: basis.over_all)].reset_index(drop=True)


@cache
def tried_limits(book: str, day: date) -> list[float]:
    """Return the limits to try under a rulebook, the lowest first: round ones, those of its tables, and none."""
    edition = rulebook(book).at(day)
    by_limit = (path for path in edition.entries if path.startswith(("limited.", "newcomer.")))
    stated = [limit for path in by_limit for limit, _ in edition.limited(path)]
    return sorted({*map(float, ROUND), *stated, OPEN})


def highest_of_short_sessions(book: str, day: date) -> float:
    """Return the highest limit of events whose sessions count as whole ones with fewer boards: above it awards fall.

    Open where a rulebook knows no such events.
    """
    entries = rulebook(book).at(day)
    return float(entries.number(_SHORT)) if _SHORT in entries.entries else OPEN


_SHORT, _R = "session-boards.limited-to", "factor.r."


@dataclass(frozen=True)
class GuessedKind:
    """What a game may be."""

    rating: str  # its rating
    special: str  # its special words
    rulebook: str  # the one that it names, '' for none
    book: str  # the rulebook that pays
    alike: tuple[str, ...] = ()  # other special words, which may pay the same
    boards: int | None = None  # how many were played, where awards depend on it and nothing says it
    same_boards: str = ""  # what other numbers pay the same, in words

    @property
    def declared(self) -> dict[str, object]:
        """The declarations that say so."""
        named = {"special": self.special, "rulebook": self.rulebook, "boards": self.boards}
        return {"rating": self.rating, **{key: value for key, value in named.items() if value}}

    @property
    def words(self) -> int:
        """How many things it declares."""
        return 1 + len(declared_words(self.special)) + bool(self.rulebook)


def kinds(game: pd.DataFrame, *, other_books: bool = False) -> list[GuessedKind]:
    """Return what one game may be, as far as it does not say; those of one rulebook stand together.

    other_books: under rulebooks that are not in force for it, instead of the one that is.

    The special words that its rulebook has a value for are tried.
    """
    said = {key: game[key].iloc[0] for key in ("rating", "special", "rulebook") if game[key].notna().iloc[0]}
    found = []
    own = leagues()[game["league"].iloc[0]] if game["league"].notna().iloc[0] else next(iter(leagues().values()))
    for rating in (said["rating"],) if "rating" in said else own.names:
        for named in _books(game, str(rating), said, other_books=other_books):
            edition = _edition(game, str(rating), named)
            if edition is None:
                continue
            specials = _specials(edition, str(rating), game)
            if "special" in said:
                specials = _with_words(str(said["special"]), specials)
            found += [
                GuessedKind(str(rating), word, named, edition.book, alike, *boards)
                for word, alike in specials.items()
                for boards in _boards(edition, game)
            ]
    return sorted(found, key=lambda kind: kind.book)


def _boards(edition: Edition, game: pd.DataFrame) -> Iterator[tuple[int | None, str]]:
    """Yield how many boards may have been played, where awards go by boards, and what else pays the same."""
    if game["boards"].notna().iloc[0] or "boards.standard" not in edition.entries:
        yield None, ""
        return
    usual = edition.number("boards.standard")
    least, most = int(usual), int(usual * edition.number("boards.most"))
    for boards in range(least, most + 1):
        yield boards, {least: f"{least} or fewer", most: f"{most} or more"}.get(boards, "")


def _books(game: pd.DataFrame, rating: str, said: Mapping[str, object], *, other_books: bool) -> list[str]:
    if "rulebook" in said:
        return [] if other_books else [""]
    if not other_books and game["date"].notna().iloc[0]:
        return [""]
    usual = _edition(game, rating, "")
    ids = [book.id for book in rulebooks(whole=True) if rating in book.covers]
    if not other_books:
        return [""] if usual else ids
    return [each for each in ids if usual is None or each != usual.book]


def _edition(game: pd.DataFrame, rating: str, named: str) -> Edition | None:
    """Return the edition of a rulebook that a game would be paid by; None where none pays such a game.

    The championship that it is decides no edition, but may ask for a limit: that is to be found.
    """
    keys = {"rating": rating, "championship": None, **({"rulebook": named} if named else {})}
    declared = game.assign(**{key: pd.Series([value], dtype="str") for key, value in keys.items()})
    try:
        _, found = editions(choose(declared))
    except InputError:
        return None
    return found[0]


def _specials(edition: Edition, rating: str, game: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Return what may be declared as special: nothing, or a word that the edition has a value for.

    One of the words that stand for one class of game is returned, with the others: one that is said to be for the
    rating, or else the shortest.
    """
    named = frozenset(part for path in edition.entries for part in path.split("."))
    # Those that have an R of their own and are no ratings.
    own = [path.removeprefix(_R) for path in edition.entries if path.startswith(_R)]
    classes = {f"{name}-": name for name in own if name not in league().names}
    said = _ratings_of_words()
    of_class: dict[str, list[str]] = {}
    for word in sorted(league().special - league().not_paid, key=lambda word: (word not in said, len(word), word)):
        of = next((name for prefix, name in classes.items() if word.startswith(prefix)), "")
        if (word in named or of) and rating in said.get(word, {rating}):
            of_class.setdefault(word if word in named else of, []).append(word)
    found = {words[0]: tuple(words[1:]) for words in of_class.values()}
    if (game["sessions"] > 1).fillna(value=False).iloc[0]:
        found |= {UNFINISHED: (), **{f"{word}, {UNFINISHED}": () for word in found}}
    return {"": (), **found}


def _with_words(said: str, specials: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return what may be declared as special beside what is said; nothing, unless that is about scoring alone."""
    if not declared_words(said) <= league().not_paid:
        return {said: ()}
    return {
        ", ".join(filter(None, (word, said))): alike
        for word, alike in specials.items()
        if not declared_words(word) & declared_words(said)
    }


def _ratings_of_words() -> dict[str, set[str]]:
    """Return the ratings that rulebooks know special words of, by word."""
    found: dict[str, set[str]] = {}
    for book in rulebooks(whole=True):
        for entry in book.entries.get("special.rating", ()):
            for word, rating in entry.value:  # type: ignore[attr-defined]  # a table of names
                found.setdefault(word, set()).add(rating)
    return found


@dataclass(frozen=True)
class Beside:
    """A game at the same time."""

    limit: float  # its upper one
    tables: float  # its tables
    game_id: str = ""  # of the same report, '' for others

    @property
    def invented(self) -> bool:
        """Whether nothing but the awards tells of it."""
        return not self.game_id


def beside_text(games: Sequence[Beside]) -> str:
    """Return games at the same time as they are declared, the highest limit first."""
    listed = sorted(games, key=lambda each: (-each.limit, each.game_id))
    return ", ".join(f"{number_text(each.limit)}={number_text(each.tables)}" for each in listed)


_USUAL = 1000
"""Higher limits of strata are seldom: of those that pay the same a lower one is rather declared."""

Limits = tuple[float, ...]
"""Limits of a stratum that pay the same, the lowest first."""


@dataclass(frozen=True)
class Guess:
    """Declarations that may explain a game."""

    kind: GuessedKind  # what the game may be
    letters: tuple[str, ...]  # those of the strata
    limits: tuple[Limits, ...]  # for each stratum, those that pay the same
    beside: tuple[Beside, ...] = ()  # the games at the same time
    hints: tuple[float, ...] = field(default=(), compare=False)  # limits that the event's name may mean
    fixed: bool = False  # whether the strata are declared, or there is nothing to declare of them
    # The same games beside it with other numbers of tables that explain as much.
    other_tables: tuple[tuple[Beside, ...], ...] = field(default=(), compare=False)

    @property
    def invented(self) -> tuple[Beside, ...]:
        """The games at the same time that nothing but the awards tells of."""
        return tuple(each for each in self.beside if each.invented)

    @property
    def chosen(self) -> Limits:
        """One limit of each stratum: none, what the event's name says, or the roundest of those that pay the same."""
        order = [sorted(each, key=self._plausible, reverse=True) for each in self.limits]
        return next(each for each in product(*order) if all(a > b for a, b in pairwise(each)))

    def _plausible(self, limit: float) -> tuple[bool, bool, bool, tuple[int, int, int]]:
        return limit == OPEN, limit in self.hints, limit <= _USUAL, roundness(limit)

    @property
    def declared(self) -> dict[str, object]:
        """The declarations, as the games frame holds them."""
        keys = self.kind.declared
        if not self.fixed:
            keys |= stratified(self.letters, self.chosen)
        return keys | ({"concurrent_tables": beside_text(self.beside)} if self.beside else {})


def stratified(letters: Sequence[str], limits: Sequence[float]) -> Declared:
    """Return the declaration of strata; for one stratum without a letter, that of the limit of the event."""
    if not letters:
        return {} if limits[0] == OPEN else {"limit": limits[0]}
    return {"strata": strata_text([Stratum(letter, limit) for letter, limit in zip(letters, limits, strict=True)])}


def limits_in_turn(
    limits: Sequence[float], top: float, lower: int, sites: Sequence[float]
) -> Iterator[tuple[list[float], dict[int, int]]]:
    """Yield limits of the lower strata, and by stratum which of the given limits it tries.

    They follow each other, so that few choices let every stratum have every limit.

    limits: the lowest first.
    top: the limit of the top stratum.
    lower: how many strata there are below the top one.
    sites: the limits of the strata that have tables at another site: strata above one may have to keep these.
    """
    end = 2 * limits[-1] if top == OPEN else top
    above = [limits[-1] + (end - limits[-1]) * n / lower for n in range(1, lower)]
    below = [limits[0] * (1 - n / lower / 4) for n in range(1, lower)]
    ladder = [*reversed(below), *limits, *above]
    for start in range(lower - 1, len(ladder)):
        places = {n: start - n - (lower - 1) for n in range(lower)}
        yield [ladder[start - n] for n in range(lower)], {n: at for n, at in places.items() if 0 <= at < len(limits)}
    for at, limit in enumerate(limits):
        kept = sorted((each for each in sites if limit < each < top), reverse=True)[: lower - 1]
        if kept:
            under = [limit * (1 - n / lower / 4) for n in range(1, lower - len(kept))]
            yield [*kept, limit, *under], {len(kept): at}


def some_of(games: Sequence[Beside]) -> Iterator[tuple[Beside, ...]]:
    """Yield every choice of some games, one at least, each game once: it may have several numbers of tables."""
    for count in range(1, len({each.game_id for each in games}) + 1):
        for several in combinations(games, count):
            if len({each.game_id for each in several}) == count:
                yield several
