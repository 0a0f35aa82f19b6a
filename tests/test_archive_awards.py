"""What an archive is awarded is what its files are: every file of the fixtures, and every kind of event."""

from tempfile import TemporaryDirectory
from uuid import uuid4

import pandas as pd
import pytest
from conftest import ALL, FIXTURES, examples, needs_library
from games import HANDICAP, falling, mitchell, sheet
from hypothesis import given
from hypothesis import strategies as st
from knockouts import bracket, event
from test_general_formula_matches import KEYS
from test_invariants import games_of

pytest.importorskip("deltalake")

import fsspec

from resultproc.archive.add import add, game_ids
from resultproc.archive.game_file import rows_of_games
from resultproc.archive.reprocess import Task, reprocess
from resultproc.archive.store import Store
from resultproc.archive.table import Changes, Snapshot, commit
from resultproc.formats.read import read
from resultproc.model.arrays import rows_of
from resultproc.model.frames import COLOURS, Sheet
from resultproc.model.work import Cluster
from resultproc.stages.pipeline import award_each

needs_library("distributed")

FILES = sorted(
    path
    for pattern in ("*.csv", "*.json", "*.txt", "*.xlsx", "*.pbn", "*.xml", "series/*", "made-*.AC?")
    for path in FIXTURES.glob(pattern)
    if path.name != "general-formula-2003-b-values.txt"
)

TRIED = FILES if ALL else FILES[::3]

SEAT = ["game_id", "section", "direction", "number"]


ARCHIVES = TemporaryDirectory()
"""Where archives are while the tests run."""


def reprocessed(sheet: Sheet) -> Store:
    """Return the output, in memory, of an archive that holds a sheet."""
    memory = fsspec.filesystem("memory")
    if memory.exists("/output"):
        memory.rm("/output", recursive=True)
    archive, output = Store(f"{ARCHIVES.name}/{uuid4()}"), Store("memory://output")
    row = rows_of(sheet.contestants["game_id"], sheet.games["game_id"])
    rows = rows_of_games(*sheet, row, [""] * len(sheet.games))
    commit(archive, Snapshot(), Changes(Snapshot().now(), [rows], {}))
    reprocess(Task(archive.url, output.url), Cluster().run)
    return output


def frame(store: Store, kind: str) -> pd.DataFrame:
    parts = [store.opened(kind, part).read().to_pandas() for part in store.parts(kind)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def texts(frame: pd.DataFrame, columns: list[str]) -> list[list[object]]:
    return sorted(frame[columns].astype("object").fillna("").astype("str").to_numpy().tolist())


def expected(sheet: Sheet) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, list[list[object]]]:
    """Return the awards, candidates and player awards of a sheet as the output has them, and its problems."""
    result, wrong = award_each(sheet)
    candidates = result.candidates.assign(
        **{n: result.candidates[n].astype("str") for n in ("basis", "stratum", "rule")}
    )
    seats = result.contestants[SEAT]

    def paid(awards):
        winner = candidates[["basis", "stratum", "rule"]].reindex(awards["candidate"]).reset_index(drop=True)
        return seats.iloc[awards["contestant"]].reset_index(drop=True).join([awards.reset_index(drop=True), winner])

    problems = sorted([p.game, p.what, p.where, p.hint] for found in wrong.values() for p in found)
    named = seats.iloc[candidates["contestant"]].reset_index(drop=True).join(candidates)
    return paid(result.awards), named, paid(result.player_awards), problems


PAID = [*SEAT, "masterpoints", *COLOURS, "basis", "stratum", "rule"]


def tables(store: Store) -> dict[str, pd.DataFrame]:
    return {kind: frame(store, kind) for kind in ("awards", "candidates", "player_awards", "problems", "summary")}


def same(found: dict[str, pd.DataFrame], sheet: Sheet) -> None:
    """Check that what was found has what the sheet is awarded by itself."""
    awards, candidates, of_players, problems = expected(sheet)
    assert texts(found["awards"], PAID) == texts(awards, PAID)
    named = [*SEAT, "basis", "stratum", "rule", "factors", "size", "position", "tied", "masterpoints"]
    assert texts(found["candidates"], named) == texts(candidates, named)
    players = found["player_awards"]
    assert (texts(players, [*PAID, "player"]) if len(players) else []) == texts(of_players, [*PAID, "player"])
    # A run over an archive reads no names.
    unnamed = [[text.replace("for A-NS-3 two", "for mp2") for text in row] for row in problems]
    assert texts(found["problems"], ["game_id", "what", "where", "hint"]) == unnamed


@pytest.fixture(scope="module")
def of_all_files(tmp_path_factory):
    """Return the awards and problems of an archive of the files together."""
    folder = tmp_path_factory.mktemp("fixtures")
    added = add(TRIED, Store(str(folder / "archive")))
    assert added.problems == []
    reprocess(Task(str(folder / "archive"), str(folder / "out")), Cluster().run)
    output = Store(str(folder / "out"))
    return frame(output, "awards"), frame(output, "problems")


@pytest.mark.slow
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.name)
def test_every_file(of_all_files, path):
    alone = read(path)
    ids = game_ids(alone)
    awards, _, _, problems = expected(alone)
    awards["game_id"] = awards["game_id"].map(ids)
    found, wrong = (frame[frame["game_id"].isin(ids.values())] for frame in of_all_files)
    assert texts(found, PAID) == texts(awards, PAID)
    assert wrong["what"].tolist() == [what for _, what, _, _ in problems]
    assert len(found) + len(wrong) > 0


TEAM_OF_SIX = {f"player{n}": [f"Ann {n}"] + [None if n > 4 else "Bob"] * 7 for n in range(1, 7)}
SHARES = {f"played{n}": [part] + [None] * 7 for n, part in enumerate((100.0, 100.0, 75.0, 50.0, 50.0, 25.0), 1)}
HELD = "A-NS-1 . 60% mp=100/300\nA-NS-2 . 55% mp=20/30\nA-NS-3 . 50% mp=900\nA-NS-4 . 45% mp=10/10"


def teams(**columns) -> Sheet:
    """Return a Swiss of eight teams with more columns."""
    games, contestants = sheet(falling("A", 8), **KEYS)
    columns = {
        name: pd.Series(values, dtype=contestants.get(name, pd.Series(values)).dtype)
        for name, values in columns.items()
    }
    return Sheet(games, contestants.assign(**columns))


def sessions() -> Sheet:
    """Return an event of two sessions, for the second of which some pairs changed section and direction."""
    rows = [f"{line} s={60 - n}/{40 + n}" for n, line in enumerate(mitchell(5) + mitchell(5, "B"))]
    keys = {"rating": "sectional", "date": "2012-04-18", "tables": "A=5, B=5", "sessions": 2}
    games, contestants = sheet(rows, **keys)
    contestants["score"] = contestants["session1"] + contestants["session2"]
    moved = contestants.index % 5 == 0
    other = {"section2": {"A": "B", "B": "A"}, "direction2": {"N-S": "E-W", "E-W": "N-S"}}
    seats = {name: contestants[name[:-1]].map(swap).where(moved) for name, swap in other.items()}
    return Sheet(games, contestants.assign(percentage=float("nan"), **seats))


KINDS = {
    "matches won": lambda: teams(wins=[6, 4, 5, 4.5, 4, 2, 0.5, 0]),
    "a team of six": lambda: teams(**TEAM_OF_SIX, **SHARES),
    "a team of six, their parts not written": lambda: teams(**TEAM_OF_SIX),
    "a knockout": lambda: event(bracket("A", 8), bracket("B", 6, top=300)),
    "a knockout, holdings unknown": lambda: event(bracket("A", 8, top=None)),
    "sections of two sessions": sessions,
    "handicap": lambda: sheet(HANDICAP, special="handicap", tables="A=6, B=4"),
    "strata by holdings": lambda: sheet(
        HELD.replace("=900", "=900/1"), strata="A=open, B=200", stratify_by="average", tables=4
    ),
    "strata by holdings, one unknown": lambda: sheet(HELD, strata="A=open, B=200", stratify_by="average", tables=4),
    "some strata declared, some by holdings": lambda: sheet(
        HELD.replace("2 .", "2 A").replace("3 .", "3 A"), strata="A=open, B=200", stratify_by="average", tables=4
    ),
    "strength of field": lambda: sheet(
        [f"{row} mp={100 * n}/50" for n, row in enumerate(mitchell(9), 1)],
        rating="regional", date="2022-06-18", tables=9, sessions=1, boards=26, rulebook="acbl-strength-of-field-2021",
    ),
    "strength of field, a holding unknown": lambda: sheet(
        [f"{row} mp={100 * n}" for n, row in enumerate(mitchell(9), 1)],
        rating="regional", date="2022-06-18", tables=9, sessions=1, boards=26, rulebook="acbl-strength-of-field-2021",
    ),
    "a pair out of the ranks and strata": lambda: sheet(
        "A-1 A 60%\nA-2 . 58% out\nA-3 B 56%\nA-4 A 54%\nA-5 A 50%\nA-6 B 48%", tables=3, strata="A=open, B=200"
    ),
}  # fmt: skip


def as_one(sheets: list[Sheet]) -> Sheet:
    return Sheet(*(pd.concat(frames, ignore_index=True) for frames in zip(*sheets, strict=True)))


@pytest.fixture(scope="module")
def of_all_kinds():
    """Return the kinds of event, each a game by that name, and what an archive of them all is awarded for each."""
    made = {kind: Sheet(*(part.assign(game_id=kind) for part in make())) for kind, make in KINDS.items()}
    found = tables(reprocessed(as_one([*made.values()])))
    problems = found["problems"]
    beside_others = "game " + problems["game_id"]  # a game that is alone need not be named
    problems["where"] = problems["where"].where(problems["where"] != beside_others, "")
    of_each = {
        kind: {name: table[table["game_id"] == kind] for name, table in found.items() if "game_id" in table}
        for kind in made
    }
    return made, of_each


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event(of_all_kinds, kind):
    made, found = of_all_kinds
    same(found[kind], made[kind])


def test_a_pair_out_of_the_strata_counts_for_its_rating():
    summary = frame(reprocessed(KINDS["a pair out of the ranks and strata"]()), "summary").set_index("stratum")
    assert summary["contestants"].to_dict() == {"": 1, "A": 3, "B": 2}


@pytest.mark.slow
def test_the_kinds_pay_what_they_stand_for(of_all_kinds):
    """Without this, the comparisons above might compare nothing."""
    _, found = of_all_kinds
    assert (found["matches won"]["awards"]["basis"] == "matches").any()
    # 8 teams, B 18/60: 14 x 1.5 x .3 = 6.30; 100% 6.30, 75% 4.725, 50% 3.15, 25% 1.575.
    shares = found["a team of six"]["player_awards"]
    assert shares["masterpoints"].tolist() == [630, 630, 473, 315, 315, 158]
    for kind, of_kind in found.items():
        failed = len(of_kind["problems"]) > 0
        assert failed == any(word in kind for word in ("not written", "unknown")), kind
        assert failed or of_kind["awards"]["masterpoints"].any(), kind


CLASSES = [("club-open", (float("inf"), 1000, 200)), ("club-restricted", (300, 100, 50))]


@examples(15)
@given(st.lists(games_of(CLASSES, specials=(None, "handicap")), min_size=1, max_size=3))
def test_any_games(games):
    made = [game.sheet(f"game{number}") for number, game in enumerate(games)]
    together = as_one(made)
    same(tables(reprocessed(together)), together)
