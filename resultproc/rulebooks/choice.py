"""Which rulebook, and which edition of it, holds for each game: by its rating and date, unless it names one.

Which rulebooks paid some games is told so that the same tables can be found again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, distinct_keys, distinct_rows, factorize_text, row_dicts
from resultproc.model.basis import Terms
from resultproc.model.codes import MISSING, OF_BOOK
from resultproc.model.errors import DeclarationError, InputError, Problem, ResultprocError
from resultproc.model.facts import knockouts
from resultproc.model.frames import game_problem, game_problems, raise_for_games
from resultproc.model.game import EventType, league, league_of_rating, leagues, number_text, split_list
from resultproc.model.keys import KEYS, how_to_declare
from resultproc.model.provenance import RulebookUsed
from resultproc.model.text import text_there
from resultproc.model.whose_points import usual_league
from resultproc.rulebooks.common.conditions import go_by_boards, limit_of
from resultproc.rulebooks.core import Edition, Rulebook
from resultproc.rulebooks.load import is_file, rulebook, rulebooks, tables_hash, unread_rulebooks
from resultproc.rulebooks.regulation import result_or_error


def choose(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games with the rulebook in force for each that names none.

    If several are in force, the one that began last holds; if two began on one day, the one that extends the other. A
    game without a date goes by the one in force at all times, or by one that says up to how many boards it does.
    ``rulebook_named`` says which games name theirs, and ``league`` whose points they pay, where that is not the usual
    league. A rulebook that is named stands for the one that is for the game's kind of event, where another extends it
    for that kind alone: the General Formula's document has the rules of knockouts too. A championship whose entry is
    limited gets its limit, where none is declared.

    Raises DeclarationError for a game whose league, rating and rulebook are not of one league, for one that no rulebook
    covers, for one without a date where the date decides, for one that names a rulebook of other kinds of event, where
    nothing tells which of two rulebooks holds, and for a championship that declares another limit than it has.
    """
    games = _with_leagues(games)
    games = _with_rulebooks(games)
    return _with_limits(games)


def _with_leagues(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games with whose points they pay, where that is not the usual league.

    Raises DeclarationError for a game whose league, rating, rulebook and special words are not of one league.
    """
    said = (games[name] for name in ("league", "rating", "rulebook", "special"))
    codes, texts = zip(*map(factorize_text, said), strict=True)
    number, first = distinct_keys(*codes)
    problems: dict[int, Problem] = {}
    all_words, others = league().special, dict[int, str]()
    for at, row in enumerate(first.tolist()):
        told = ("" if of[row] < 0 else str(each[of[row]]) for of, each in zip(codes, texts, strict=True))
        declared, rating, name, special = told
        book = rulebook(name) if name else None
        of_rating = league_of_rating(rating)
        own = declared or of_rating or (book.league if book else "")
        title = leagues()[own].title if own else ""
        if own and own != usual_league():
            others[at] = own
        # How a game is scored is said alike in all leagues.
        known = leagues()[own].special | league().not_paid if own else all_words
        if of_rating and of_rating != own:
            what = f"this is a game of the {title}, and {rating} is a rating of the {leagues()[of_rating].title}"
            hint = f"correct rating: {', '.join(map(str, leagues()[own].names))}; or correct league"
        elif book and own != book.league:
            other = leagues()[book.league].title
            what = f"rulebook {book.id} awards points of the {other}, and this is a game of the {title}"
            right = [each.id for each in rulebooks() if each.league == own and (not rating or rating in each.covers)]
            hint = f"choose one of its own: {', '.join(right)}; or correct league and rating"
        elif foreign := [word for word in split_list(special) if word in all_words - known]:
            what = f"special: '{foreign[0]}' has no meaning in a game of the {title}"
            hint = "leave it out, or correct league and rating"
        else:
            continue
        problems |= {row: game_problem(games, row, what, hint) for row in np.flatnonzero(number == at).tolist()}
    if problems:
        raise DeclarationError(problem for _, problem in sorted(problems.items()))
    if not others:
        return games
    named = games["league"].to_numpy(dtype=object, copy=True)
    for at, own in others.items():
        named[number == at] = own
    return games.assign(league=pd.Series(named, games.index, dtype="str"))


def _with_rulebooks(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games with the rulebook of each, and whether they name it; what was chosen before is not named.

    Raises DeclarationError for those that no rulebook is for.
    """
    known, day = rulebooks(), games["date"].to_numpy()
    said = games[["rating", "event_type", "sessions", "boards", "rulebook", "date"]].assign(by_rounds=knockouts(games))
    # Between days on which any begins or ends, the same ones are in force.
    turns = {max(each, _FIRST) for book in known for each in (book.since, min(book.until, _LAST) + timedelta(1))}
    period = np.searchsorted(np.array(sorted(turns), dtype="datetime64[s]"), day, side="right")
    alike = said.assign(date=np.where(np.isnat(day), -1, period), boards=said["boards"].where(np.isnat(day)))
    number, first = distinct_rows(alike)

    def chosen(rows: Ints) -> list[str | InputError]:
        return [result_or_error(partial(_chosen, game, known)) for game in row_dicts(said.iloc[rows])]

    found = chosen(first)
    lost = np.flatnonzero(np.array([isinstance(each, InputError) for each in found])[number])
    if len(lost):
        wrong = {at: each for at, each in zip(lost.tolist(), chosen(lost), strict=True) if isinstance(each, InputError)}
        raise_for_games(games, lost, lost, wrong)
    named = games["rulebook_named"].fillna(games["rulebook"].notna())
    books = np.array([text_there(each) or None for each in found], dtype=object)[number]
    return games.assign(rulebook=pd.Series(books, games.index, dtype="str"), rulebook_named=named)


def _chosen(game: Mapping[str, Any], known: Sequence[Rulebook]) -> str:
    """Return the rulebook that a game names, or what that stands for, else the one in force; '' where it has no rating.

    Raises DeclarationError where none is for it, or nothing tells which of two.
    """
    rating, event_type, named = game["rating"], game["event_type"], text_there(game["rulebook"])
    covering = [book for book in known if rating in book.covers]
    # A zip knockout is awarded as a Swiss.
    zipped = event_type == EventType.KNOCKOUT and not game["by_rounds"]
    kind = event_type if not zipped and any(event_type in book.event_types for book in covering) else ""
    books = [book for book in covering if book.is_for(kind)]
    if named:
        extending = [book.id for book in known if kind and book.extends == named and book.is_for(kind)]
        if rulebook(named).is_for(kind) or extending:
            return named if rulebook(named).is_for(kind) else extending[0]
        what = f"rulebook {named} has no awards for a {event_type} event"
        raise DeclarationError(what, hint=_name_one("choose another with rulebook", books))
    found: Rulebook | None = None
    # Those that extend others of the same day come after these.
    for book in sorted(books, key=lambda book: (book.since, len(_extended(book)))):
        if not _holds(book, game, alone=len(books) == 1):
            continue
        if found and found.since == book.since and found.id not in _extended(book):
            since = "at all times" if book.since == date.min else f"from {book.since} on"
            what = (
                f"rulebooks {found.id} and {book.id} are both for {rating} games {since}, and neither extends the other"
            )
            hint = "name one with --rulebook, or give one of them another day: since = 2026-01-01"
            raise DeclarationError(what, hint=hint)
        found = book
    if not found and text_there(rating):
        raise _uncovered(game, books)
    return found.id if found else ""


def _holds(book: Rulebook, game: Mapping[str, Any], *, alone: bool) -> bool:
    """Return whether a rulebook is in force for a game. alone: whether it is the only one for its rating and kind."""
    if game["event_type"] in book.not_for or (book.most_sessions and (game["sessions"] or 0) > book.most_sessions):
        return False
    if not pd.isna(game["date"]):
        return bool(max(book.since, _FIRST) <= game["date"].date() <= min(book.until, _LAST))
    if book.undated_boards:
        return bool(game["boards"] and game["boards"] <= book.undated_boards)
    return alone or (book.since, book.until) == (date.min, date.max)


def _with_limits(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games with the limits of championships whose entry is limited."""
    rows = np.flatnonzero(games["championship"].notna())
    if not len(rows):
        return games
    number, found = editions(games.iloc[rows])
    name, names = pd.factorize(games["championship"].iloc[rows])
    own = np.empty(len(rows))
    for edition, which in set(zip(number.tolist(), name.tolist(), strict=True)):
        own[(number == edition) & (name == which)] = limit_of(found[edition], names[which])
    limits = games["limit"].fillna(np.inf).to_numpy(dtype=np.float64, copy=True)
    declared = limits[rows]
    wrong = np.where(np.isnan(own), np.isinf(declared), np.isfinite(declared) & np.isfinite(own) & (declared != own))
    problems = []
    for at in np.flatnonzero(wrong).tolist():
        of, code = names[name[at]], MISSING
        what = f"limit is not declared, and that of {of} changed over the years: its awards depend on it"
        hint = "declare limit, the highest holding that could enter, such as 2500"
        if not np.isnan(own[at]):
            what = f"limit is {number_text(declared[at])}, but {of} has {number_text(own[at])}"
            hint, code = "correct limit, strata or championship", ""
        problems.append(game_problem(games, int(rows[at]), what, hint, code=code))
    if problems:
        raise DeclarationError(problems)
    limits[rows] = np.fmin(declared, own)
    return games.assign(limit=limits)


def _extended(book: Rulebook) -> set[str]:
    return {book.extends, *_extended(rulebook(book.extends))} if book.extends else set()


_FIRST, _LAST = date(1700, 1, 1), date(2250, 1, 1)


def _uncovered(game: Mapping[str, Any], books: Sequence[Rulebook]) -> DeclarationError:
    if books and pd.isna(game["date"]):
        what = f"date is not declared, and the rules for {game['rating']} depend on it"
        return DeclarationError(what, hint=how_to_declare("date"), code=MISSING, key="date")
    when = "" if pd.isna(game["date"]) else f" on {str(game['date'])[:10]}"
    kind = "knockout" if game["by_rounds"] else "game"
    what = "; ".join(
        [f"no rulebook covers a {game['rating']} {kind}{when}", *(each.what for each in unread_rulebooks())]
    )
    return DeclarationError(what, hint=_name_one("choose one with rulebook", books), code="rulebook.none")


def _name_one(how: str, books: Sequence[Rulebook]) -> str:
    known = [
        f"{book.id} (from {book.since}{'' if book.until >= _LAST else f' to {book.until}'})"
        for book in sorted(books, key=lambda book: book.since)
    ]
    return f"{how}: {', '.join(known)}" if known else how


class Editions(NamedTuple):
    """The editions that hold for some games. number: that of each game's edition, among those that are found."""

    number: Ints
    found: list[Edition]


def editions(games: pd.DataFrame) -> Editions:
    """Return the edition of each game's rulebook.

    games: with a rulebook each, see :func:`choose`; ValueError where one has none.
    Raises DeclarationError for a game without a date whose rulebook changed over time, unless that takes the latest.
    """
    if games["rulebook"].isna().any():
        raise ValueError("some games have no rulebook yet: resultproc.complete chooses it")
    book, books = pd.factorize(games["rulebook"])
    numbers = np.zeros(len(games), dtype=np.int64)
    found: list[Edition] = []
    for number, name in enumerate(books):
        rows, own = np.flatnonzero(book == number), rulebook(name)
        days, starts = games["date"].iloc[rows], own.starts
        first_days = np.array([max(day, _FIRST) for day in starts], dtype="datetime64[s]")
        which = np.searchsorted(first_days, days.to_numpy(), side="right") - 1
        undated = days.isna().to_numpy() & (len(starts) > 1)
        of_undated = own.undated if undated.any() else None
        if undated.any() and not of_undated:
            what = f"date is not declared, and rulebook {name} changed over time"
            lacking, hint = rows[undated].tolist(), how_to_declare("date")
            raise DeclarationError(game_problem(games, row, what, hint, code=MISSING, key="date") for row in lacking)
        of_book, distinct = pd.factorize(np.where(undated, len(starts), which))
        numbers[rows] = len(found) + of_book
        found += [of_undated if of_undated and n == len(starts) else own.at(starts[n]) for n in distinct]
    return Editions(numbers, found)


def likely_ratings(games: pd.DataFrame) -> pd.Series[str]:
    """Return the rating of each game: where it is missing the first of its rulebook's, else of its league's.

    A rulebook that cannot be read tells nothing, and a game that names neither has the one of the examples.
    """
    lacking = games["rating"].isna()
    if not lacking.any():
        return games["rating"]
    of = games.loc[lacking, ["league", "rulebook"]].itertuples(index=False, name=None)
    return games["rating"].fillna(pd.Series(starmap(_likely_rating, of), games.index[lacking], dtype="str"))


def _likely_rating(own: object, book: object) -> str:
    with suppress(ResultprocError):
        if covered := rulebook(text_there(book)).covers if text_there(book) else ():
            return str(covered[0])
    return str(next(iter(leagues()[text_there(own)].names))) if text_there(own) else KEYS["rating"].example


def boards_may_count(games: pd.DataFrame, row: int) -> bool:
    """Return whether the awards of a game may go by its boards, as far as its rating, date and rulebook are known."""
    return any(map(go_by_boards, _likely_editions(games.iloc[row], "")))


def without_wins(games: pd.DataFrame, row: int) -> str:
    """Return what is wrong with a game in which no team is said to have won a match; empty where nothing may be."""
    game = games.iloc[row]
    said = (edition.rules.without_wins for edition in _likely_editions(game, str(game["event_type"])))
    return next(filter(None, said), "")


def _likely_editions(game: pd.Series[Any], kind: str) -> Iterator[Edition]:
    """Yield those that may hold for a game, as far as its rating, date and rulebook are known.

    kind: the event type that their rulebooks are for alone, '' for those that are for all others.
    """
    for book in [rulebook(game["rulebook"])] if isinstance(game["rulebook"], str) else rulebooks():
        rated = pd.isna(game["rating"]) or game["rating"] in book.covers
        if not rated or not book.is_for(kind) or game["event_type"] in book.not_for:
            continue
        dated = not pd.isna(game["date"])
        days = [game["date"].date()] if dated else book.starts
        yield from (book.at(day) for day in days if not dated or book.since <= day <= book.until)


def ranking_terms(chosen: Editions) -> pd.DataFrame:
    """Return what each game's rulebook asks of ranking, a row for each, see :class:`~resultproc.model.basis.Terms`."""
    terms = pd.DataFrame([edition.rules.terms(edition) for edition in chosen.found], columns=Terms._fields)
    return terms.iloc[chosen.number].reset_index(drop=True)


def remarks_on(games: pd.DataFrame, chosen: Editions) -> list[Problem]:
    """Return what is doubtful about games by their rulebooks: what a rulebook says of itself, and what it passes over.

    A rulebook that cannot be read may be for any game that names none.

    chosen: those of the games.
    """
    remarks: list[tuple[int, Problem]] = []
    for which, edition in enumerate(chosen.found):
        rows = np.flatnonzero(chosen.number == which)
        early = games["date"].iloc[rows].to_numpy() < np.datetime64(max(edition.witnessed, _FIRST))
        for text, of in ((edition.remark, rows), (edition.before, rows[early])):
            said = Problem(text, code=OF_BOOK)
            remarks += [(row, said) for row in of.tolist() if text]
        of_rules = edition.rules.doubts(edition, games, rows)
        remarks += [(row, Problem(what, hint=hint, code=OF_BOOK)) for row, what, hint in of_rules]
    unnamed = np.flatnonzero(~games["rulebook_named"].to_numpy(dtype=bool)).tolist()
    remarks += [(row, said) for said in unread_rulebooks() for row in unnamed]
    return game_problems(games, remarks) if remarks else []


def rulebooks_used(named: pd.Series[str], chosen: Editions) -> tuple[RulebookUsed, ...]:
    """Return the rulebooks of some games, by id. named: the rulebook of each. chosen: their editions."""
    days: dict[str, set[date]] = {}
    for which, row in zip(*np.unique(chosen.number, return_index=True), strict=True):
        days.setdefault(str(named.iloc[row]), set()).add(chosen.found[which].since)
    used = []
    for name, each in sorted(days.items()):
        told = tuple("first" if day == date.min else day.isoformat() for day in sorted(each))
        book = rulebook(name)
        # Of a user's own, the readings that its file takes otherwise; those of built-in ones are named with a folder.
        last = [versions[-1] for _, versions in sorted(book.entries.items())] if is_file(name) else []
        switched = {each.path: str(each.value) for each in last if each.choices and "/" not in each.file}
        used.append(RulebookUsed(book.id, book.title, told, tables_hash(name), switched))
    return tuple(used)
