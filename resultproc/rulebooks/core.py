"""What a rulebook is: a regulation's values, each dated and cited, and the functions that apply them.

A rulebook's TOML states ``id``, ``title``, its ``rules`` (``acbl_club.rules:ClubRules``: a class, and the module of its
package that has it; a user's own file has those of the rulebook that it extends), the ``league`` whose points they are
(the default one where it names none), the ratings it ``covers``, the
``event_types`` that it alone is for (none for all that no other is for) or that it is ``not_for``, the most sessions
that an event under it has (``most_sessions``), the dates it is in force (``since``, ``until``), a ``remark`` that every
result under it carries, the day of the oldest award at hand that its values give (``witnessed``) with a remark on all
games ``before`` it, its ``sources``, and then its values, one table each::

    [section.rate.club-open]
    value = 0.10
    cite = "handbook, Section One: open games"

A value that changed has several tables (``[[section.rate.club-open]]``) with ``since`` and ``until``. ``cite`` begins
with the name of a source. ``confidence`` is printed (the default), secondary or inferred; ``note`` says why a reading
was chosen, ``choices`` which other words the value may be, ``remark`` what every result says that the value went into.
A rulebook that ``extends`` another states only what differs; on days that its own values are not in force, the
other's hold. A ``confidence`` beside ``extends`` is that of all values taken over: rules that are carried on past their
date are inferred. Where only some are, ``[carried-on]`` lists them: paths of values, or of tables of them, each with
the remark on what they went into, which may be empty. What does not hold at all of the other's values is listed under
``without``: such paths alone (``without = ["limited", "section.cap"]``).

A game without a date goes by a rulebook that is in force at all times, or where it is of ``undated_boards`` at most, by
the one that says so. Where values changed over time its date is asked for, unless its rulebook says
``undated = "latest"``.

What a rulebook says of itself, above its first table, is enough to choose it for a game; its values are read, and its
rules imported, when they are needed. Most commands need those of one rulebook out of many."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial, wraps
from math import inf
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar, cast

import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import Terms
from resultproc.model.errors import RulebookError
from resultproc.model.frames import FrameRow
from resultproc.model.game import leagues
from resultproc.model.group import Groups, Ladders, Members, Sharing
from resultproc.model.provenance import RulebookValue, Values
from resultproc.model.values import toml_text

_T = TypeVar("_T")
_P = ParamSpec("_P")

NumberRow = tuple[Fraction, ...]
"""A line of a table of numbers."""

_OPEN = "open"
"""What a table writes for no upper limit."""


def as_text(value: object) -> str:
    """Return a word or a text."""
    if not isinstance(value, str):
        raise ValueError("write text in quotes")
    return value


def as_yes(value: object) -> bool:
    """Return whether something holds."""
    if not isinstance(value, bool):
        raise ValueError("write true or false")
    return value


def as_number(value: object) -> Fraction:
    """Return an exact number."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("write a number")
    return Fraction(value)


def as_whole(value: object) -> int:
    """Return a whole number."""
    exact = as_number(value)
    if exact.denominator != 1:
        raise ValueError("write a whole number")
    return exact.numerator


def as_words(value: object) -> tuple[str, ...]:
    """Return a list of words."""
    return tuple(map(as_text, _listed(value)))


def as_numbers(value: object) -> NumberRow:
    """Return a list of numbers."""
    return tuple(map(as_number, _listed(value)))


def as_rows(value: object) -> tuple[NumberRow, ...]:
    """Return a table of numbers."""
    return tuple(map(as_numbers, _listed(value)))


def as_limited(value: object) -> tuple[tuple[float, NumberRow], ...]:
    """Return a table whose lines begin with an upper limit, infinite where it says ``open``, each with its numbers."""
    found = []
    for row in map(_listed, _listed(value)):
        if not row:
            raise ValueError("begin each line with an upper limit")
        found.append((inf if row[0] == _OPEN else float(as_number(row[0])), as_numbers(row[1:])))
    return tuple(found)


def as_table(value: object) -> Mapping[str, object]:
    """Return a table of values that have names of their own."""
    if not isinstance(value, dict):
        raise ValueError("write a table, such as { first = 100 }")
    return value


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("write a list in brackets")
    return value


def _named(kind: Callable[[object], _T], value: object) -> dict[str, _T]:
    pairs = [_listed(row) for row in _listed(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("write pairs of a name and its value")
    return {as_text(name): kind(each) for name, each in pairs}


def _reading(kind: Callable[[object], _T]) -> Callable[[Edition, str], _T]:
    """Return a method that returns the value at a path as some kind; RulebookError where it is of another kind."""
    return lambda edition, path: edition.read(path, kind)


CONFIDENCE = ("printed", "secondary", "inferred")


class Entry(NamedTuple):
    """One version of a value of a regulation. The module's text says what a rulebook's file states of it.

    path: what rules know it by, such as ``section.rate.club-open``.
    value: as the file has it.
    cite: the name of a source and the place in it.
    since, until: the first and the last day that it is in force.
    confidence: one of :data:`CONFIDENCE`: how sure it is.
    note: why a reading of the rule was chosen.
    unit: that of the value, empty where it needs none.
    choices: the words that the value may be, none where it may be anything.
    remark: what a result says that it went into.
    latest: whether games without a date go by the latest of its versions.
    file: the rulebook's file that states it.
    """

    path: str
    value: object
    cite: str = ""
    since: date = date.min
    until: date = date.max
    confidence: str = "printed"
    note: str = ""
    unit: str = ""
    choices: Sequence[str] = ()
    remark: str = ""
    latest: bool = False
    file: str = ""


def cached_per_edition(function: Callable[Concatenate[Edition, _P], _T]) -> Callable[Concatenate[Edition, _P], _T]:
    """Let a function of an edition and of few different values, such as kinds of groups, compute each result once."""

    @wraps(function)
    def once(edition: Edition, /, *args: _P.args, **named: _P.kwargs) -> _T:
        key = (function, *args)
        if named or key not in edition._kept:
            edition._kept[key] = function(edition, *args, **named)
        return cast("_T", edition._kept[key])

    return once


@dataclass(frozen=True)
class Edition:
    """A rulebook's values on one day.

    book, title: the rulebook's id, and what people call it.
    entries: the values, by their paths.
    rules: what turns them into awards.
    sources: the documents that entries cite, by name.
    remark: what every result says that the rulebook paid.
    since: the day from which the values are these, the earliest for no such day.
    witnessed, before, league: those of the rulebook.

    Its methods ``text``, ``yes`` and so on return the value at a path as ``as_text``, ``as_yes`` and so on make it,
    ``named_words``, ``named_lists`` and ``named_numbers`` that of each name in a table.
    """

    book: str
    title: str
    entries: Mapping[str, Entry]
    rules: Rules
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    remark: str = ""
    since: date = date.min
    witnessed: date = date.min
    before: str = ""
    league: str = field(default_factory=lambda: next(iter(leagues())))
    _kept: dict[tuple[Hashable, ...], object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def entry(self, path: str) -> Entry:
        """Return the entry at a path such as ``section.rate.club-open``; RulebookError where there is none."""
        if path not in self.entries:
            raise RulebookError(f"rulebook {self.book} has no value for {path}")
        return self.entries[path]

    def read(self, path: str, kind: Callable[[object], _T]) -> _T:
        """Return the value at a path as some kind, read once; RulebookError where it is of another kind."""
        if (path, kind) not in self._kept:
            entry = self.entry(path)
            try:
                self._kept[path, kind] = kind(entry.value)
            except ValueError as error:
                raise RulebookError(f"invalid value {toml_text(entry.value)} of {path}", hint=str(error)) from None
        # The function that made it is its key.
        return cast("_T", self._kept[path, kind])

    text = _reading(as_text)
    yes = _reading(as_yes)
    number = _reading(as_number)
    whole = _reading(as_whole)
    words = _reading(as_words)
    numbers = _reading(as_numbers)
    rows = _reading(as_rows)
    limited = _reading(as_limited)
    named_words = _reading(partial(_named, as_text))
    named_lists = _reading(partial(_named, as_words))
    named_numbers = _reading(partial(_named, as_number))

    def below(self, prefix: str) -> list[str]:
        """Return the names of the values whose paths begin so, in the order of the rulebook: ``club-open``."""
        return [path.removeprefix(prefix) for path in self.entries if path.startswith(prefix)]

    def shown(self, path: str) -> str:
        """Return the value at a path as its rulebook writes it."""
        return toml_text(self.entry(path).value)

    def inferred(self, *paths: str) -> tuple[str, ...]:
        """Return those of some paths whose values are inferred: what is named even where it changes nothing."""
        return tuple(path for path in paths if self.entry(path).confidence == "inferred")

    @property
    def sharing(self) -> Sharing:
        """How ties share, by the values ``ties.rounding``, ``.unit``, ``.least``, ``.below-depth`` and ``.most``."""
        said = {path: self.entries[f"ties.{path}"].value for path in self.below("ties.")}
        return Sharing(
            said.get("rounding") == "up",
            int(100 * self.number("ties.unit")) if "unit" in said else 1,
            said.get("least") == "the last award",
            said.get("below-depth") == "not counted",
            self.whole("ties.most") if "most" in said else 0,
        )

    @property
    def remarks(self) -> Mapping[str, frozenset[str]]:
        """What is remarked on values, each remark with their paths."""
        said = dict.fromkeys(entry.remark for entry in self.entries.values() if entry.remark)
        return {each: frozenset(path for path, of in self.entries.items() if of.remark == each) for each in said}

    @cached_per_edition
    def values(self, *paths: str) -> Values:
        """Return the values at some paths with their citations: what made an award."""
        items = []
        for path in paths:
            entry = self.entry(path)
            source, _, passage = entry.cite.partition(", ")
            for name, other in self.sources.items():
                passage = passage.replace(f"; {name}, ", f"; {other['title']}, ")
            document = self.sources.get(source, {}).get("title", source)
            items.append(RulebookValue(path, toml_text(entry.value), document, passage, entry.confidence, entry.file))
        return Values.of(items)

    def cite(self, *paths: str) -> str:
        """Return the citation of the values at some paths: the document and the place in it.

        A value that is not printed there says so: ``(inferred)``.
        """
        return self.values(*paths).rule


class Rules:
    """What a regulation does with its values. All frames hold many games.

    ``fields`` and ``ladders`` are what a regulation has to state; all else is here as the simplest one would have it.

    fields: what a ladder depends on: fields of :class:`~resultproc.model.group.Group`, and those that a shape takes.
    """

    fields: tuple[str, ...] = ()
    by_rank = False
    """Whether strata may be by rank: awards depend on no limit of masterpoints."""
    without_wins = ""
    """What is wrong where no team is said to have won a match; empty where awards do not depend on that."""

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs: the top stratum of each section alone is ranked."""
        return Terms(overall="none", overall_field="combined")

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return comparison groups as this regulation counts them, with a column for each of its fields: as they come.

        groups: one row per group, with the columns ``game, basis, level, limit, size, ranked, tables, winners,
        knockout`` of the standings, ``event_limit``, and the game's keys. A section stands for others of its game
        whose standings are the same.
        members: who is ranked in groups over all sections.
        """
        return groups

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group, at least ``reach`` places long.

        groups: with the fields that ladders depend on.
        reach: how many places each group needs, as a tie may pool more places than those that pay.
        """
        raise NotImplementedError

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some rows of the games frame: the row, what it is, and what would settle it.

        games: the games of all rulebooks, not only of this one.
        rows: the positions in ``games`` of the games to look at.
        """
        return ()

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with those added that consist of several others: none.

        candidates: a row for each standing that pays; ``game`` is a position in ``games``, ``masterpoints`` hundredths.
        games: the games with their keys, as they are declared.
        """
        return candidates

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour: all of its league's first one, if it has any.

        winners: the highest candidate of each contestant who wins anything, with the columns of the candidates.
        games: as for :meth:`combine`.
        """
        first = leagues()[edition.league].points_colours[:1]
        return pd.DataFrame(dict.fromkeys(first, winners["masterpoints"]), winners.index)

    def coloured_by(self, edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
        """Return the paths of the values that an award of a game is of some colours by: none."""
        return ()


class Body(NamedTuple):
    """What a rulebook has below its head."""

    rules: Rules  # what turns its values into awards
    sources: Mapping[str, Mapping[str, str]]  # the documents that entries cite, by name
    entries: Mapping[str, tuple[Entry, ...]]  # the versions of each value, by its path


@dataclass(frozen=True)
class Rulebook:
    """A regulation: what it covers, when it is in force, and what it has when that is asked for.

    id, title: what games name it by, and what people call it.
    read: returns the rest, see :class:`Body`; it is called once.
    league: whose points it awards, see :func:`~resultproc.model.game.leagues`.
    covers: the ratings of its games.
    event_types: those that it alone is for, none for all that no other is for.
    not_for: the event types that it is not for.
    most_sessions: how many sessions an event under it may have, 0 for any number.
    undated_boards: games without a date go by it if they have this many boards or fewer, 0 for none.
    since, until: the first and the last day that it is in force.
    extends: the rulebook that it builds on, as its file names that; empty for none.
    remark: what every result says that it paid.
    witnessed: the day of the oldest award at hand that its values give; the first of all days where that is not said.
    before: what results of games before that day say.
    without: the paths of that rulebook's values that do not hold here.
    """

    id: str
    title: str
    read: Callable[[], Body]
    league: str = field(default_factory=lambda: next(iter(leagues())))
    covers: tuple[str, ...] = ()
    event_types: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    most_sessions: int = 0
    undated_boards: int = 0
    since: date = date.min
    until: date = date.max
    extends: str = ""
    remark: str = ""
    without: tuple[str, ...] = ()
    witnessed: date = date.min
    before: str = ""
    _editions: dict[date, Edition] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _body(self) -> Body:
        return self.read()

    @property
    def rules(self) -> Rules:
        """The functions that apply its values."""
        return self._body.rules

    @property
    def sources(self) -> Mapping[str, Mapping[str, str]]:
        """The documents that its values are from, by the name that citations begin with."""
        return self._body.sources

    @property
    def entries(self) -> Mapping[str, tuple[Entry, ...]]:
        """Its values by path, each with its versions."""
        return self._body.entries

    @cached_property
    def starts(self) -> list[date]:
        """The first day of each edition: a new one begins wherever any value changes."""
        stated = [entry for versions in self.entries.values() for entry in versions]
        ended = {entry.until + timedelta(1) for entry in stated if entry.until < date.max}
        return sorted({date.min, *ended, *(entry.since for entry in stated)})

    def citation(self, entry: Entry) -> str:
        """Return where a value is from: the document's title and the passage in it."""
        source, comma, passage = entry.cite.partition(", ")
        return f"{self.sources.get(source, {}).get('title', source)}{comma}{passage}"

    def is_for(self, event_type: str) -> bool:
        """Return whether it has the rules of an event type, or with '' of all that no rulebook is for alone."""
        return event_type in self.event_types if event_type else not self.event_types

    def at(self, day: date) -> Edition:
        """Return the rulebook's values on one day: if several versions are in force, the one stated last."""
        start = max(start for start in self.starts if start <= day)
        if start not in self._editions:
            stated = ((path, each) for path, versions in self.entries.items() for each in versions)
            entries = {path: entry for path, entry in stated if entry.since <= start <= entry.until}
            since = max(self.since, start)
            said = self.remark, since, self.witnessed, self.before, self.league
            edition = Edition(self.id, self.title, entries, self.rules, self.sources, *said)
            self._editions[start] = edition
        return self._editions[start]

    @property
    def undated(self) -> Edition | None:
        """The values of games without a date: those of its last edition; None where the date has to be known."""
        stated = [entry for versions in self.entries.values() for entry in versions]
        if not all(entry.latest or (entry.since, entry.until) == (date.min, date.max) for entry in stated):
            return None
        return self.at([day for day in self.starts if day <= self.until][-1])
