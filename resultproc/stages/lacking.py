"""What the games of a file lack, asked for at once, in the way in which such a file declares it.

Each stage tells what it lacks. A person who has declared that should not learn only then what the next one lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd

from resultproc.formats.registry import Declaring, Reader
from resultproc.model.codes import MISSING
from resultproc.model.dates import date_in_name
from resultproc.model.errors import DeclarationError, InputError, Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import Sheet
from resultproc.model.game import BY_MATCHES
from resultproc.model.keys import KEYS
from resultproc.model.plugins import named
from resultproc.model.provenance import Origin
from resultproc.rulebooks.choice import boards_may_count, choose
from resultproc.stages.asking import MissingKey, missing_keys
from resultproc.stages.complete import with_told_tables

_TO_FILL_IN = "..."
"""What stands for a value that nothing proposes; no key takes it."""


def asking_at_once(error: InputError, sheet: Sheet, *, rated: bool = True) -> InputError:
    """Return an error that tells what a game of the sheet lacks with all else that it lacks.

    Problems that no declaration solves stay as they are.

    rated: as for :func:`resultproc.stages.complete.completed`.
    """
    if not any(problem.key for problem in error.problems):
        return error
    return DeclarationError(_at_once(error.problems, sheet, rated=rated))


def lacking(facts: Facts, *, rated: bool = True) -> list[MissingKey]:
    """Return all that games lack, as far as it is known before their rulebooks are.

    A game without a rating is taken for the one that is proposed. rated: whether a rating is needed.
    """
    with suppress(InputError):  # which the error that led here tells, too
        facts = with_told_tables(facts)
    asked = [each for each in missing_keys(facts) if rated or each.key != "rating"]
    return [*asked, *_by_the_rules(facts)] if rated else asked


def _by_the_rules(facts: Facts) -> Iterator[MissingKey]:
    """Yield the dates and boards that games lack, where the rules for them depend on these."""
    games = facts.games.assign(rating=facts.games["rating"].fillna(KEYS["rating"].example))
    by_day: dict[tuple[str, ...], bool] = {}
    for row in np.flatnonzero(games["date"].isna()).tolist():
        alike = tuple(map(str, games[["rating", "event_type", "boards", "sessions", "rulebook"]].iloc[row]))
        if alike not in by_day:
            by_day[alike] = _needs_date(games.iloc[[row]])
        if by_day[alike]:
            day = date_in_name(str(games["source"].iloc[row]))
            yield MissingKey(row, "date", "date is not declared", KEYS["date"].example, proposed=day)
    for row in np.flatnonzero(games["boards"].isna()).tolist():
        if games["event_type"].iloc[row] in BY_MATCHES:
            yield MissingKey(row, "boards", "boards is not declared", "7")
        elif boards_may_count(games, row):
            yield MissingKey(row, "boards", "boards is not declared", "24", proposed="24")


def _needs_date(games: pd.DataFrame) -> bool:
    try:
        choose(games)
    except InputError as error:
        return any(problem.key == "date" for problem in error.problems)
    return False


def _at_once(problems: Sequence[Problem], sheet: Sheet, *, rated: bool) -> list[Problem]:
    """Return problems with those of one game that lacks keys as one, which asks for all of them."""
    games = sheet.games
    names = {problem.game for problem in problems if problem.key}
    wanted, listed = (frame[frame["game_id"].isin(names)].reset_index(drop=True) for frame in sheet)
    shared = set(games["source"][games["source"].duplicated()].dropna())
    events = dict(zip(wanted["game_id"], wanted["event"], strict=True))
    asked: dict[str, dict[str, MissingKey]] = {}
    for each in lacking(Facts(wanted, listed), rated=rated):
        asked.setdefault(str(wanted["game_id"].iloc[each.row]), {})[each.key] = each
    told: dict[str, Problem] = {}
    for problem in problems:
        if not problem.key:
            told[f"{len(told)} "] = problem
            continue
        keys = asked.setdefault(problem.game, {})
        example = KEYS[problem.key].example
        known = keys.setdefault(problem.key, MissingKey(0, problem.key, problem.what, example))
        if len(keys) == 1:
            keys[problem.key] = known._replace(what=problem.what)  # which says why
        told.setdefault(problem.game, problem)
    return [
        _asking(
            problem,
            list(asked[problem.game].values()),
            _declaring(sheet.sources, problem),
            _named(problem.game, events[problem.game]) if problem.file in shared else "",
        )
        if problem.key
        else problem
        for problem in told.values()
    ]


def _named(game: str, event: object) -> str:
    return f"game {game} ({event})" if isinstance(event, str) else f"game {game}"


def _declaring(sources: Iterable[Origin], problem: Problem) -> Declaring | None:
    """Return how a file declares; None for games that are of no file."""
    formats = {origin.name: origin.format for origin in sources}
    if not formats.get(problem.file):
        return None
    reader: Reader = named("readers", formats[problem.file])
    return reader.declaring


def _asking(first: Problem, asked: Sequence[MissingKey], declaring: Declaring | None, name: str) -> Problem:
    """Return the problem of a game that lacks some keys.

    first: what was told of the first of them. name: what the game is called, in a file of several.
    """
    what = _in_words([each.what for each in asked])
    where = name or (first.where if len(asked) == 1 else "")
    if declaring is None:
        hint = "declare " + ", ".join(f"{each.key}='{each.proposed or each.example}'" for each in asked)
        return replace(first, what=what, where=where, hint=hint, code=MISSING)
    values = [(each.key, each.proposed or _open(each)) for each in asked]
    if name:
        place = declaring.where(first.file, first.game)
        hint = f"{place}: {'; '.join(declaring.lines(values))}"
        return replace(first, what=what, where=where, hint=hint, code=MISSING)
    place = declaring.where(first.file)
    lines = declaring.lines(values)
    meanings = [f"{each.key} is {key_meaning(each)}" for each in asked]
    shown = (f"{place}, with your own values where these are not right:", *(f"    {line}" for line in lines), *meanings)
    return replace(
        first, what=what, where=where, hint=f"{place}: {'; '.join(lines)}", code=MISSING, lines="\n".join(shown)
    )


def _in_words(whats: Sequence[str]) -> str:
    """Return what is wrong, the keys that are merely not declared in one: ``rating and tables are not declared``."""
    plain = [found[1] for what in whats if (found := re.fullmatch("([a-z_]+) is not declared", what))]
    others = [what for what in whats if not re.fullmatch("([a-z_]+) is not declared", what)]
    if len(plain) > 1:
        return "; ".join([f"{', '.join(plain[:-1])} and {plain[-1]} are not declared", *others])
    return "; ".join([*(f"{key} is not declared" for key in plain), *others])


def _open(asked: MissingKey) -> str:
    """Return what stands for a value that is not known, that of each stratum where there are several."""
    return re.sub("=[^,]*", f"={_TO_FILL_IN}", asked.example) if asked.key == "strata" else _TO_FILL_IN


def key_meaning(asked: MissingKey) -> str:
    """Return what a key means, and an example of a value where its words are not all listed."""
    key = KEYS[asked.key]
    return key.meaning if key.words else f"{key.meaning}, such as {asked.example}"
