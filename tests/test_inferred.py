"""Inferred values are named by the awards that they decide: each is changed, and what then pays otherwise must name it.

The games are those of the conformance suite that alone have something of a rulebook.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from conftest import ALL, FIXTURES, run, saved

from resultproc.formats.read import read as read_file
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS, Result, Sheet
from resultproc.model.source import Source
from resultproc.reports.conform import SuiteGame, asked
from resultproc.reports.explain import explain
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.core import Edition, Entry, Rulebook
from resultproc.stages.award import award
from resultproc.stages.doubts import Doubts, doubts
from resultproc.stages.pipeline import award_each, award_sheet, complete, keep_games, rank

SUITE = FIXTURES / "conformance"

GAMES = {
    "acbl-club": (
        "*three-of-a-lower-stratum-in-a-direction*-2",
        "*a-lone-contestant*-3",
        "*games-of-pupils*-2-of-two*",
    ),
    "acbl-club-2023": ("club-2026-080", "club-2026-101", "*three-of-a-lower*-6", "*2023-a-game-of-ten-tables-4"),
    "acbl-2017": ("*three-of-a-lower-stratum-in-a-direction*", "*two-of-a-lower-stratum*", "club-2026-121"),
    "acbl-2017-special": (
        "*five-pairs-of-a-lower-stratum*",
        "*2018-a-unit-championship-of-two-sessions-and-20*",
        "*up-to-300-pay-red*",
    ),
    "acbl-club-swiss-2015": ("*",),
    "acbl-club-fund-2011": (
        "*board-a-match*",
        "*strata-are-credited-with*",
        "*places-paid-overall-6",
        "*count-for-each-other-1",
    ),
    "acbl-online-club": ("online-club-*strata*", "*boards*-1", "*beats-an-overall-one*"),
    "acbl-general-formula-2003": (
        "*an-event-of-seven-sessions-2",
        "*26-tables-scored-across*-1",
        "*stratiflighted*-1",
        "*special-games-of-clubs*-1",
        "*credit-for-concurrent-events-3",
    ),
    "acbl-general-formula-2015": ("*",),
    "acbl-general-formula-2019": ("*charity*", "*royal*"),
    "acbl-strength-of-field-2021": ("*entrants*", "*three-strata*", "*nothing-overall*"),
    "acbl-knockout-2003": (
        "*compact-knockout-of-*",
        "*lower-bracket-of-other*-1",
        "*prestige-of*",
        "*flight-split-into-groups-17*",
    ),
    "acbl-knockout-2015": ("*",),
    "pzbs": ("*least-first*",),
    "ebu-club": ("*three-for-the-last-but-one*", "*two-for-first*"),
    "ebu-green": ("*seven-boards*", "*other-lengths*"),
    "sbu-red": ("*won-and-drawn*", "*four-boards*"),
    "vbl-2020": ("*pay-alike", "*two-sections*"),
    "sbu-club": ("*two-for-first*", "*two-for-the-last*"),
    "abf-session": ("*butler*", "*tie-for-the-last*", "*individual*"),
}
"""Patterns of the games of each rulebook; of each the first two, and with RESULTPROC_ALL=1 all games of all."""

LATER = {
    "acbl-knockout-2015": (
        "acbl-knockout-2003",
        "*compact-knockout-of-f*",
        "*a-final-forfeited*",
        "*three-teams-pays-half*",
        "*wbf-teams*-4",
        "*play-off-for-third*",
        "*up-to-749-pays-no-gold*",
        "*womens-knockout-with-32*",
    ),
    "acbl-general-formula-2015": ("acbl-general-formula-2003", "*wbf-pairs-follow*-1"),
}
"""Of rulebooks that carry the values of another on as inferred: that one, and games of it that are played in 2016."""

NO_NUMBERS = {
    *("special.known", "special.rating", "special.ratings", "special.same"),
    *(f"special.exclusive.{name}" for name in ("kind", "r", "restriction", "knockout")),
}
"""Values that say which games there are, not what they are paid."""


def others(path: str, entry: Entry) -> list[object]:
    """Return what a value might be instead: another reading, or a number a little off; a cap is only raised.

    Where not all is tried, a number is a little more alone.
    """
    if entry.choices:
        found: list[object] = [each for each in entry.choices if each != entry.value]
        return found if ALL else found[:1]
    found = list(_near(entry.value))
    return found if ALL and ".cap" not in path and "-caps" not in path else found[:1]


def _near(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, max(value - 1, 1))
    elif isinstance(value, Decimal):
        yield from (value * Decimal("1.1"), value * Decimal("0.9"))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            found = list(_near(each))
            yield from ([*value[:place], other, *value[place + 1 :]] for other in (found if ALL else found[:1]))
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from ({**value, name: other} for other in _near(each))


@cache
def sheet_of(name: str) -> Sheet:
    earlier, *later = LATER.get(name, [""])
    found = {game.id: game for game in _chosen(name, GAMES[name])}
    found |= {f"2016-{game.id}": _in_2016(game) for game in (_chosen(earlier, later) if later else [])}
    sheet = read_file(Source("games", asked(list(found.values()))), format="json")
    _, refused = award_each(sheet)  # as the suite expects
    return keep_games(sheet, [game.id for game in found.values() if game.id not in refused])


def _chosen(name: str, patterns: Sequence[str]) -> list[SuiteGame]:
    entries = json.loads((SUITE / f"{name}.json").read_text("utf-8"))["games"]  # tests of conform check it
    games = sorted(
        (SuiteGame(**{"cite": "", **entry}) for entry in entries),
        key=lambda game: (len(game.given["contestants"]), game.id),
    )
    some = [game for like in patterns for game in [each for each in games if fnmatch(each.id, like)][:2]]
    return games if ALL else some


def _in_2016(game: SuiteGame) -> SuiteGame:
    keys = game.given["game"]
    given = {**game.given, "game": {**keys, "date": f"2016{keys['date'][4:]}"}}
    return replace(game, id=f"2016-{game.id}", given=given)


def amounts(awards: pd.DataFrame | None) -> np.ndarray:
    assert awards is not None
    return awards[["masterpoints", *COLOURS]].to_numpy()


def named(result: Result, row: int) -> set[str]:
    found = explain(result, row)
    return {value.path for each in (*found.paying, *found.unpaid) for value in each.values.items}


class Asked(dict[str, Entry]):
    """The values of an edition, and the paths of those that were asked for: no others can have decided."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        super().__init__(entries)
        self.paths: set[str] = set()

    def __getitem__(self, path: str) -> Entry:
        self.paths.add(path)
        return super().__getitem__(path)


@contextmanager
def in_its_place(edition: Edition, other: Edition) -> Iterator[None]:
    """Let the rulebook of an edition give another one wherever it is asked for this one."""
    at = Rulebook.at

    def given(book: Rulebook, day: date) -> Edition:
        found = at(book, day)
        return other if found is edition else found

    with patch.object(Rulebook, "at", given):
        yield


def nameless(edition: Edition, sheet: Sheet) -> Iterator[str]:
    """Yield the inferred values that change awards which do not name them: all readings, and every third number."""
    entries, before_awards = Asked(edition.entries), Asked(edition.entries)
    doubtful = doubts(sheet)
    with in_its_place(edition, replace(edition, entries=entries)):
        result = award_sheet(sheet, doubtful)
    with in_its_place(edition, replace(edition, entries=before_awards)):
        rank(*complete(*sheet))
    names = cache(partial(named, result))
    ids = result.contestants["game_id"].to_numpy()
    inferred = {path: edition.entries[path] for path in sorted(entries.paths - NO_NUMBERS)}
    inferred = {path: entry for path, entry in inferred.items() if entry.confidence == "inferred"}
    numbers = [path for path, entry in inferred.items() if not entry.choices]
    left_out = set() if ALL else {*numbers} - {*numbers[::3]}
    for path, entry in inferred.items():
        if path in left_out:
            continue
        for other in others(path, entry):
            values = {**edition.entries, path: entry._replace(value=other)}
            with in_its_place(edition, replace(edition, entries=values)):
                changed, refused = awarded_again(sheet, doubtful, result, path in before_awards.paths)
            rows = np.flatnonzero(~np.isin(ids, list(refused)))
            different = rows[(amounts(result.awards)[rows] != amounts(changed)).any(axis=1)]
            for row in different[:: max(1, -(-len(different) // 2))].tolist():
                if path not in names(row):
                    yield f"{path} = {other}: {ids[row]}, row {row}"


def awarded_again(
    sheet: Sheet, doubtful: Doubts, result: Result, anew: bool
) -> tuple[pd.DataFrame | None, Collection[str]]:
    """Return the awards of a sheet with a value changed, and the games that have none with it.

    result: of the sheet as it is. anew: whether places may be others with the value, too.
    """
    if not anew:
        try:
            return award(result.games, result.contestants, result.standings)[1], ()
        except InputError:
            pass
    changed, refused = award_each(sheet, doubtful)
    return changed.awards, refused


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_an_award_names_every_inferred_value_that_decided_it(name: str) -> None:
    sheet = sheet_of(name)
    games = complete(*sheet).games
    number, found = editions(games)
    for which, edition in enumerate(found):
        own = keep_games(sheet, games["game_id"].to_numpy()[number == which].tolist())
        assert list(nameless(edition, own)) == []


@pytest.mark.slow
def test_the_games_are_of_all_rulebooks() -> None:
    sheets = [sheet_of(name) for name in GAMES]
    assert sum(len(sheet.games) for sheet in sheets) >= 20
    # Of what is for Swiss teams at clubs until 2014 nothing is inferred.
    assert {path.stem for path in SUITE.glob("*.json")} - set(GAMES) == {"acbl-club-swiss-2003"}


PAIRS = [f"A,{side},{number},P,A,{50 + (8 - number) * 2}" for side in ("N-S", "E-W") for number in range(1, 17)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "boards", "paths"),
    [
        (16, 24, {"boards.caps", "boards.rounding", "large.reading"}),
        (10, 24, {"boards.rounding"}),
        (10, 12, {"boards.fewer"}),
        (10, 27, set()),
        (10, 18, set()),
    ],
)
def test_readings_are_named_where_another_would_pay_otherwise(
    tmp_path: Path, tables: int, boards: int, paths: set[str]
) -> None:
    rows = [row for row in PAIRS if int(row.split(",")[2]) <= tables]
    head = f"# rating: club-open\n# date: 2023-05-05\n# boards: {boards}\n# tables: {tables}\n# strata: A=open\n"
    (tmp_path / "game.csv").write_text(
        f"{head}section,direction,number,player1,stratum,percentage\n" + "\n".join(rows) + "\n"
    )
    game = str(tmp_path / "game.csv")
    said = run("explain", game, "A-NS-1").out
    every = {"boards.caps", "boards.rounding", "boards.fewer", "large.reading"}
    assert {path for path in every if f"value   {path} = " in said} == paths
    as_json = run("award", game, "--to", "json").out
    assert {path for path in every if f'"{path}"' in as_json} == paths
    page = run("explain", game, "A-NS-1", "--to", "html").out
    assert {path for path in every if path in page} == paths


CARRIED_ON = [
    ("date: 2016-03-03\n# rating: national\n# championship: 49er-pairs\n# sessions: 2", "championship.49er-pairs"),
    ("date: 2026-07-01\n# rating: unit-championship\n# special: nap-unit\n# sessions: 2", "colour.nap-unit.gold"),
]
"""Since 2015 no document at hand says who may enter the 49er Pairs, since 2018 none what units' finals pay in gold."""


@pytest.mark.slow
@pytest.mark.parametrize(("declared", "path"), CARRIED_ON)
def test_what_is_carried_on_says_so(tmp_path: Path, declared: str, path: str) -> None:
    sessions = ["session1", "session2"] if declared.endswith("2") else ["score"]
    scores = {number: ",".join([str(180 - 4 * number)] * len(sessions)) for number in range(1, 11)}
    rows = [f"A,{side},{number},P,{scores[number]}" for side in ("N-S", "E-W") for number in scores]
    game = tmp_path / "game.csv"
    header = f"section,direction,number,player1,{','.join(sessions)}"
    game.write_text("\n".join([f"# {declared}", "# tables: 10", header, *rows, ""]))
    done = run("explain", game, "A-NS-1")
    assert_named(done.out, path)
    assert "is not at hand" in done.err
    assert "is not at hand" in run("award", game).err


def test_the_colour_of_online_games_is_inferred(tmp_path: Path) -> None:
    # The summary of 2020 says that special games award other colours, not that normal ones are black.
    rows = [f"A,{side},{number},P,Q,{60 - 4 * number}" for side in ("N-S", "E-W") for number in range(1, 6)]
    header = "section,direction,number,player1,player2,score"
    declared = ["# date: 2021-03-03", "# rating: club-online", "# special: normal", "# boards: 18", "# tables: 5"]
    game = saved(tmp_path / "game.csv", "\n".join([*declared, header, *rows, ""]))
    assert_named(run("explain", game, "A-NS-1").out, "colour.normal")


def assert_named(explained: str, path: str) -> None:
    """Assert that an explanation names a value, and says that it is inferred; a long line goes on in the next one."""
    _, *said = " ".join(explained.split()).split(f"value {path} = ")
    assert said
    assert all(re.match(r"(?:(?! value ).)*, inferred\)(?: |$)", each) for each in said)
