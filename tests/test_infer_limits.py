"""The limits that a game had lie within the ranges that are told of them, in the games of the conformance suite."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import ALL, FIXTURES

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import CONTESTANTS, Sheet
from resultproc.model.game import OPEN, parse_limit, parse_strata
from resultproc.pages.annotated import annotated
from resultproc.reports import conform
from resultproc.reports.infer.infer import GuessExplanation, explained, same_limits
from resultproc.stages.pipeline import award_sheet, keep_games

FILES = sorted((FIXTURES / "conformance").glob("*.json"))
QUICK = ("acbl-club",)
"""The file of which one game is tried, where not all are, besides those that are always."""

ALWAYS = (
    "limits-the-events-limit-is-that-of-its-top-stratum-3",  # up to 700
    "general-formula-events-strata-of-a-split-regional",  # a stratum that must keep its limit
    "strength-of-field-short-sessions-of-events-up-to-300-masterpoints",  # above 300 it would pay less
    "championships-grand-national-teams-with-15-teams-2",  # its limit is asked for
    "championships-grand-national-teams-with-16-teams-2",  # and no award goes by the limit
)
"""Games that are tried in any case."""


def known(given: dict[str, Any]) -> dict[str, float]:
    """Return the limits that are declared of a game and would be inferred: of strata with letters, or of the event."""
    game = given["game"]
    if game["rating"] == "club-open" and "limit" in game:
        return {}  # an open game has no limit: none is tried
    if any("stratum" in each for each in given["contestants"]) and "strata" in game:
        return {each.letter: each.limit for each in parse_strata(game["strata"])}
    return {"": parse_limit(str(game["limit"]))} if "limit" in game and "strata" not in game else {}


def limited() -> Iterator[tuple[Path, str, dict[str, float]]]:
    """Yield the games whose limits are declared: the file, the game, and the limits."""
    for path in FILES:
        games = {game["id"]: known(game["given"]) for game in json.loads(path.read_text("utf-8"))["games"]}
        every = [(path, name, limits) for name, limits in games.items() if limits]
        yield from every if ALL else [*every[: path.stem in QUICK], *(each for each in every if each[1] in ALWAYS)]


LIMITED = [*limited()]


@cache
def sheet_of(path: Path) -> Sheet:
    tried = {name for of, name, _ in LIMITED if of == path}
    entries = json.loads(path.read_text("utf-8"))["games"]  # tests of conform check it
    return read(conform.asked(conform.SuiteGame(**{"cite": "", **each}) for each in entries if each["id"] in tried))


@pytest.mark.slow
@pytest.mark.parametrize(("path", "name", "limits"), LIMITED, ids=lambda value: value if isinstance(value, str) else "")
def test_the_true_limits_lie_within_the_ranges_told(path: Path, name: str, limits: dict[str, float]) -> None:
    sheet = keep_games(sheet_of(path), [name])
    try:
        contestants = CONTESTANTS.conform(annotated(award_sheet(sheet)))
    except InputError:
        pytest.skip("the suite expects that it is refused")
    if not contestants["printed_award"].fillna(0).any():
        pytest.skip("nobody is paid")
    nothing = {
        key: pd.Series([None]).astype(sheet.games[key].dtype)
        for key in ("limit", "strata")
        if key == "limit" or "" not in limits
    }
    (game,) = explained(replace(sheet, games=sheet.games.assign(**nothing), contestants=contestants)).games
    assert any(within(each, limits) for each in game.explanations[: game.equal])


def within(each: GuessExplanation, limits: dict[str, float]) -> bool:
    """Return whether limits are within the ranges of an explanation; that of an event is its top stratum's."""
    told = same_limits(each)
    true = {told[0][0]: limits[""]} if "" in limits and told else limits
    return all(
        parse_limit(low or "0.1") <= true.get(letter, OPEN) <= parse_limit(high or "open") for letter, low, high in told
    )
