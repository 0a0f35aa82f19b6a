"""What games lack that neither their files nor what follows from these tell: found once, and asked for at once.

What completing needs is known beforehand; what a rulebook needs besides, such as boards, it asks for itself. Both are
asked for in the words in which the games' files declare it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from resultproc.formats.registry import Declaring, Reader
from resultproc.model.arrays import Bools, Ints, family_columns
from resultproc.model.codes import MISSING
from resultproc.model.dates import date_in_name
from resultproc.model.errors import DeclarationError, InputError, Problem, shown
from resultproc.model.facts import Facts
from resultproc.model.frames import Sheet, game_problems
from resultproc.model.game import BY_MATCHES, league_of_rating, leagues, per_section_text
from resultproc.model.keys import KEYS
from resultproc.model.plugins import named
from resultproc.model.provenance import Origin
from resultproc.model.text import listed
from resultproc.model.whose_points import usual_league
from resultproc.rulebooks.choice import boards_may_count, choose, editions, likely_ratings, without_wins
from resultproc.rulebooks.common.awards import wins_asked
from resultproc.tables.titles import UNREAD_DATE
from resultproc.tables.told import KIND_ASKED

_TO_FILL_IN = "..."
"""What stands for a value that nothing proposes; no key takes it."""


class MissingKey(NamedTuple):
    """A key that a game lacks."""

    row: int  # the game's
    key: str  # its name
    what: str  # what is wrong without it
    example: str  # how a value is written
    where: str = ""  # the line that needs it
    proposed: str = ""  # the value that is most likely, empty where nothing tells it
    alone: str = ""  # what is said instead of ``what`` where nothing else is missing; empty for the same


def missing(facts: Facts, *, rated: bool = True, every: bool = False) -> list[MissingKey]:
    """Return what games lack: what completing needs, and the dates and boards that their rules depend on.

    A game without a rating is taken for the one that is proposed.

    rated: whether they are to be awarded, and not only ranked.
    every: whether what the rules ask for is wanted of all games, and not only of those that lack something else.
    """
    games = facts.games.assign(rating=likely_ratings(facts.games)) if rated else facts.games
    asked, of_sections = [*_of_games(facts, games["rating"]), *_of_strata(facts)], [*_of_sections(facts)]
    rows = range(len(games)) if every else sorted({each.row for each in asked + of_sections})
    by_rules = _by_rules(games, rows) if rated else ()
    return [*asked, *by_rules, *of_sections]


def refuse_missing(
    facts: Facts, sources: Iterable[Origin] = (), remarks: Sequence[Problem] = (), *, rated: bool = True
) -> None:
    """Raise DeclarationError for games that lack something, a problem for each.

    sources: the files that they are from. remarks: on these, of which one may say what is doubtful of the date.
    rated: as for :func:`missing`.
    """
    asked = _with_doubts(facts.games, missing(facts, rated=rated), remarks)
    if asked:
        lacking = _asked(facts.games, asked, _declaring(sources))
        wins = _without_wins(facts, sorted({each.row for each in asked})) if rated else []
        raise DeclarationError([*lacking, *wins])


def as_declared(error: InputError, sheet: Sheet) -> InputError:
    """Return an error with the keys that rulebooks ask for named as the files of a sheet declare them.

    sheet: one that lacks no key besides, see :func:`refuse_missing`.
    Problems that no declaration solves stay as they are.
    """
    games = sheet.games
    row = {str(name): number for number, name in enumerate(games["game_id"])}
    lacking = [each for each in error.problems if each.code == MISSING and each.game in row]
    rows = sorted({row[each.game] for each in lacking})
    of_rules = {
        (row[each.game], each.key): MissingKey(row[each.game], each.key, each.what, KEYS[each.key].example, each.where)
        for each in reversed(lacking)
        if each.key
    }
    likely = {(each.row, each.key): each for each in _by_rules(games, rows)}
    if not (likely or of_rules):
        return error
    told = {at: likely[at]._replace(alone=each.what) if at in likely else each for at, each in of_rules.items()}
    asked = _with_doubts(games, (likely | told).values(), sheet.remarks)
    others = [each for each in error.problems if not (each.key and each.game in row)]
    problems = [*_asked(games, asked, _declaring(sheet.sources)), *others, *_without_wins(sheet.facts, rows)]
    return DeclarationError(dict.fromkeys(problems))


def _without_wins(facts: Facts, rows: Sequence[int]) -> list[Problem]:
    """Return what is wrong with those of some games in which no team is said to have won a match that pays."""
    games, won = facts.games, facts.sections.game[facts.contestants["wins"].notna().to_numpy()]
    rated = games["rating"].notna().to_numpy()
    found = {row: without_wins(games, row) for row in rows if rated[row] and row not in won}
    each = ((row, problem) for row, what in found.items() if what for problem in wins_asked(what).problems)
    return game_problems(games, each)


def _with_doubts(games: pd.DataFrame, asked: Iterable[MissingKey], remarks: Iterable[Problem]) -> list[MissingKey]:
    """Return what is asked for, with what teams played, and of a date what is doubtful of the one that a title has."""
    doubts = {remark.file: remark for remark in remarks if remark.hint == UNREAD_DATE}
    unknown = {remark.file: remark for remark in remarks if remark.hint == KIND_ASKED}
    open_ = np.flatnonzero(games["event_type"].isna()).tolist() if unknown else []
    names = [*map(shown, map(str, games["source"]))] if doubts or unknown else [""] * len(games)
    found = [MissingKey(row, "event_type", unknown[names[row]].what, "swiss") for row in open_ if names[row] in unknown]
    for each in asked:
        doubt = doubts.get(names[each.row]) if each.key == "date" else None
        if doubt:
            days = [date.fromisoformat(day) for day in re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", doubt.what)]
            either = " or ".join(f"{day:%B} {day.day}" for day in days)
            what = f"the date {doubt.what.partition(';')[0]}: is it {either}?" if len(days) > 1 else doubt.what
            each = each._replace(what=what, alone=what, where=doubt.where)
        found.append(each)
    return found


def _of_games(facts: Facts, ratings: pd.Series[str]) -> Iterator[MissingKey]:
    """Yield the ratings, tables and sessions that games lack, and what teams of four play.

    ratings: that of each game, or the likely one; missing where none is needed.
    """
    games, contestants, sections = facts.games, facts.contestants, facts.sections
    for row in np.flatnonzero(games["rating"].isna() & ratings.notna()).tolist():
        example = str(ratings.iloc[row])
        yield MissingKey(row, "rating", "rating is not declared", example, proposed=example)
    untold = np.flatnonzero(facts.tables_told.isna()).tolist()
    frame = sections.frame.assign(tables=facts.filled_tables) if untold else sections.frame
    of_game = dict([*frame.groupby("game")]) if untold else {}
    for row in untold:
        mine = of_game.get(row, frame.iloc[:0])
        letters = mine["section"] if len(mine) > 1 else [""] * len(mine)
        filled = dict(zip(letters, mine["tables"].tolist(), strict=True)) if mine["tables"].notna().all() else {}
        likely = per_section_text(filled)
        yield MissingKey(row, "tables", "tables is not declared", _tables_example(mine), proposed=likely)
    of_four = contestants["player4"].notna().to_numpy() if "player4" in contestants else facts.named < 0
    for row, first in _first_of(sections.game, of_four, games["event_type"].isna().to_numpy()):
        what = "event_type is not declared, and there are teams of four"
        yield MissingKey(row, "event_type", what, "bam", facts.line(first))
    for row in np.flatnonzero(facts.knockouts & games["sessions"].isna().to_numpy()).tolist():
        what = "sessions is not declared"
        yield MissingKey(row, "sessions", what, "4", alone=f"{what}, and the awards of a knockout depend on it")


def _of_strata(facts: Facts) -> Iterator[MissingKey]:
    """Yield the limits that strata lack, and how holdings stratify."""
    games, contestants, game = facts.games, facts.contestants, facts.sections.game
    lettered = contestants["stratum"].notna().to_numpy()
    lacking = _first_of(game, lettered, games["strata"].isna().to_numpy())
    theirs = lettered & np.isin(game, [row for row, _ in lacking])
    of_game = contestants["stratum"][theirs].groupby(game[theirs]).unique()
    for row, first in lacking:
        letters = sorted(of_game[row])
        what = f"the strata {', '.join(letters)} of the sheet have no limits"
        limits = ["open", "1000", "200", "100", "50", "20"]
        example = ", ".join(f"{letter}={limit}" for letter, limit in zip(letters, limits, strict=False))
        yield MissingKey(row, "strata", what, example, facts.line(first))
    several = (games["strata"].str.contains(",", na=False) & games["stratify_by"].isna()).to_numpy()
    several = several & ~facts.by_rank
    by_holdings = (facts.holdings.number > 0) & contestants["eligible"].to_numpy() & ~lettered
    for row, first in _first_of(game, by_holdings, several):
        what = "stratify_by is not declared, and contestants without a stratum get theirs by it"
        example = KEYS["stratify_by"].example
        yield MissingKey(row, "stratify_by", what, example, facts.line(first), example)


def _of_sections(facts: Facts) -> Iterator[MissingKey]:
    """Yield what some sections of games lack, those of later sessions too: their tables, or their movement."""
    games, contestants, frame = facts.games, facts.contestants, facts.sections.frame
    lacking = _without_tables(facts)
    for column in family_columns(contestants, "section"):
        later = contestants[contestants[column].notna()]
        if not lacking and len(later):
            told = games.assign(tables=facts.tables_told)
            lacking = _without_tables(Facts(told, later.assign(section=later[column])))
    yield from lacking
    unknown = np.isnan(facts.declared_winners) & games["movement"].notna().to_numpy()[frame["game"]]
    for row, letters in _letters(frame[unknown]):
        what = f"the movement is not declared for section {letters}"
        yield MissingKey(row, "movement", what, KEYS["movement"].example)


def _without_tables(facts: Facts) -> list[MissingKey]:
    """Return the keys of games that say the tables of some of their sections, and not of others."""
    frame, told = facts.sections.frame, facts.tables_told
    said = told.notna().to_numpy()[frame["game"]]
    found = _letters(frame[np.isnan(facts.tables) & said])
    of_game = dict([*frame.groupby("game")]) if found else {}
    lacking = []
    for row, letters in found:
        what = f"tables is '{told.iloc[row]}', without a number for section {letters}"
        lacking.append(MissingKey(row, "tables", what, _tables_example(of_game[row])))
    return lacking


def _letters(sections: pd.DataFrame) -> list[tuple[int, str]]:
    """Return the games that have some sections, and the letters of these."""
    return [(int(str(row)), ", ".join(of_game)) for row, of_game in sections.groupby("game")["section"]]


def _by_rules(games: pd.DataFrame, rows: Iterable[int]) -> Iterator[MissingKey]:
    """Yield the dates and boards that some games lack, where the rules for them depend on these or may do so.

    games: all, each with its rating or the likely one.
    """
    games = games.iloc[[*rows]]
    why: dict[tuple[str, ...], str] = {}
    may_count: dict[tuple[str, ...], bool] = {}
    kinds = [tuple(map(str, kind)) for kind in zip(*(games[name] for name in _CHOSEN_BY), strict=True)]
    days, boards = (games[name].isna().tolist() for name in ("date", "boards"))
    for at, row in enumerate(rows):
        kind, game = kinds[at], games.iloc[at : at + 1]
        if days[at]:
            if kind not in why:
                why[kind] = ""
                try:
                    editions(choose(game))
                except InputError as error:
                    why[kind] = next((each.what for each in error.problems if each.key == "date"), "")
            if why[kind]:
                day, example = date_in_name(str(game["source"].iloc[0])), KEYS["date"].example
                yield MissingKey(row, "date", "date is not declared", example, proposed=day, alone=why[kind])
        if boards[at]:
            of_day = (*kind, str(games["date"].iloc[at]))
            if games["event_type"].iloc[at] in BY_MATCHES:
                yield MissingKey(row, "boards", "boards is not declared", "7")
                continue
            if of_day not in may_count:
                may_count[of_day] = boards_may_count(games, at)
            if may_count[of_day]:
                yield MissingKey(row, "boards", "boards is not declared", "24", proposed="24")


_CHOSEN_BY = ["rating", "event_type", "special", "boards", "sessions", "rulebook", "championship"]
"""What decides, besides the date, which edition of which rulebook is for a game."""


def _tables_example(sections: pd.DataFrame) -> str:
    """Return how the tables of a game are written. sections: those of the game."""
    letters = sections["section"]
    return "9" if len(letters) == 1 else ", ".join(f"{letter}=9" for letter in letters)


def _first_of(game: Ints, at: Bools, of_games: Bools) -> list[tuple[int, int]]:
    """Return those of some games that have such contestants, each with the first of these."""
    rows = np.flatnonzero(at) if of_games.any() else np.empty(0, dtype=np.int64)
    rows = rows[of_games[game[rows]]]
    of_game, first = np.unique(game[rows], return_index=True)
    return list(zip(of_game.tolist(), rows[first].tolist(), strict=True))


def _declaring(sources: Iterable[Origin]) -> dict[str, Declaring]:
    """Return how each file declares, by its name; games that are of no file are not among them."""
    readers: dict[str, Reader] = {origin.name: named("readers", origin.format) for origin in sources if origin.format}
    return {name: reader.declaring for name, reader in readers.items()}


def _asked(games: pd.DataFrame, asked: Iterable[MissingKey], declaring: Mapping[str, Declaring]) -> list[Problem]:
    """Return a problem for each game that lacks keys, which asks for all of them. declaring: how files do, by name."""
    of_game: dict[int, dict[str, MissingKey]] = {}
    for each in asked:
        of_game.setdefault(each.row, {}).setdefault(each.key, each)
    shared = set(games["source"][games["source"].duplicated()].dropna())
    found, named = [], []
    for of_one in (list(keys.values()) for keys in of_game.values()):
        game = games.iloc[of_one[0].row]
        called = f" ({game['event']})" if isinstance(game["event"], str) else ""
        name = f"game {game['game_id']}{called}" if game["source"] in shared else ""
        found.append((of_one[0].row, _asking(game, of_one, declaring.get(game["source"]), name)))
        named.append(name or (of_one[0].where if len(of_one) == 1 else ""))
    problems = game_problems(games, found)
    return [replace(each, where=where) if where else each for each, where in zip(problems, named, strict=True)]


def _asking(game: pd.Series[Any], asked: Sequence[MissingKey], declaring: Declaring | None, name: str) -> Problem:
    """Return what is wrong with a game that lacks some keys, and what to write. name: what it is called in its file."""
    what = (asked[0].alone or asked[0].what) if len(asked) == 1 else _in_words([each.what for each in asked])
    problem = Problem(what, code=MISSING, key=asked[0].key)
    if declaring is None:
        hint = "declare " + ", ".join(f"{each.key}='{each.proposed or each.example}'" for each in asked)
        return replace(problem, hint=hint)
    # What is not known is left open, and that of each stratum where there are several.
    strata = [re.sub("=[^,]*", f"={_TO_FILL_IN}", each.example) if each.key == "strata" else "" for each in asked]
    values = (each.proposed or of_each or _TO_FILL_IN for each, of_each in zip(asked, strata, strict=True))
    lines = declaring.lines(list(zip((each.key for each in asked), values, strict=True)))
    where = declaring.where(str(game["source"]), str(game["game_id"]) if name else "")
    hint = f"{where}: {lines[0]}" if len(lines) == 1 else "\n".join([f"{where}:", *lines])
    if name:
        return replace(problem, hint=hint)
    meanings = [f"{each.key} is {key_meaning(each)}" for each in asked]
    written = (
        f"{where}, with your own values where these are not right:",
        *(f"    {line}" for line in lines),
        *meanings,
    )
    return replace(problem, hint=hint, lines="\n".join(written))


def _in_words(whats: Sequence[str]) -> str:
    """Return what is wrong, the keys that are merely not declared in one: ``rating and tables are not declared``."""
    plain = [found[1] for what in whats if (found := re.fullmatch("([a-z_]+) is not declared", what))]
    others = [what for what in whats if not re.fullmatch("([a-z_]+) is not declared", what)]
    together = [f"{listed(plain)} {'are' if len(plain) > 1 else 'is'} not declared"] if plain else []
    return "; ".join([*together, *others])


def key_meaning(asked: MissingKey) -> str:
    """Return what a key means, and an example of a value where its words are not all listed."""
    key = KEYS[asked.key]
    if asked.key == "rating":  # of the game's own league
        usual, own = (
            ", ".join(map(str, leagues()[of].names)) for of in (usual_league(), league_of_rating(asked.example))
        )
        return key.meaning.replace(usual, own)
    return key.meaning if key.words else f"{key.meaning}, such as {asked.example}"
