"""The frames: what is declared of their columns, and that every stage refuses a frame that is not of its kind."""

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from games import mitchell, paid, ranked, sheet
from pandas.api.types import pandas_dtype

from resultproc.model.arrays import row_dicts
from resultproc.model.frames import (
    AWARDS,
    BOARDS,
    CANDIDATES,
    CONTESTANTS,
    GAMES,
    PLAYER_AWARDS,
    STANDINGS,
    Frame,
    Result,
    Sheet,
)
from resultproc.stages.award import award
from resultproc.stages.pipeline import award_sheet, complete, rank

FRAMES = (GAMES, CONTESTANTS, BOARDS, STANDINGS, CANDIDATES, AWARDS, PLAYER_AWARDS)

CONTESTANT = {"game_id": ["g"], "section": ["A"], "number": ["1"], "eligible": [True]}


@pytest.fixture(scope="module")
def game() -> Result:
    return ranked(sheet(mitchell(3), tables=3))


def test_the_frames_of_an_award_are_in_their_dtypes_and_order() -> None:
    result = award_sheet(sheet(mitchell(3), tables=3))
    made = (result.games, result.contestants, result.standings, result.candidates, result.awards)
    for kind, frame in zip((GAMES, CONTESTANTS, STANDINGS, CANDIDATES, AWARDS), made, strict=True):
        assert frame is not None
        assert list(frame.dtypes.items()) == list(kind.conform(frame).dtypes.items())


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.name)
def test_every_column_has_a_dtype_and_a_meaning(frame: Frame) -> None:
    assert len({column.name for column in frame.columns}) == len(frame.columns)
    for column in frame.columns:
        assert pandas_dtype(column.dtype)
        assert column.meaning
    assert frame.validate(frame.empty()).empty


def test_a_frame_is_brought_into_its_dtypes_and_order() -> None:
    given = pd.DataFrame(CONTESTANT | {"player10": ["J"], "player2": ["B"], "score": [7]})
    frame = CONTESTANTS.validate(CONTESTANTS.conform(given))
    names = list(frame.columns)
    assert names[:6] == ["game_id", "section", "direction", "number", "player2", "player10"]
    assert (frame["score"].dtype, frame["score"].iloc[0]) == ("float64", 7)
    assert frame[["direction", "percentage", "printed_award"]].isna().all(axis=None)
    assert "player1" not in names


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda frame: frame.assign(colour="red"), "the contestants frame has no column colour"),
        (lambda frame: frame.assign(player0="P"), "the contestants frame has no column player0"),
        (lambda frame: frame.drop(columns="number"), "the contestants frame lacks its column number"),
    ],
)
def test_what_is_not_declared_or_is_missing(change: Callable[[pd.DataFrame], pd.DataFrame], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        CONTESTANTS.conform(change(pd.DataFrame(CONTESTANT)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda frame: frame.assign(score=1), "contestants.score is int64, not float64"),
        (lambda frame: frame.assign(mp2="many"), "contestants.mp2 is str, not float64"),
        (lambda frame: frame.assign(section=pd.Series([None], dtype="str")), "contestants.section has empty values"),
        (lambda frame: frame.drop(columns="direction"), "the contestants frame lacks its column direction"),
    ],
)
def test_what_is_no_frame_of_a_kind(change: Callable[[pd.DataFrame], pd.DataFrame], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        CONTESTANTS.validate(change(CONTESTANTS.conform(pd.DataFrame(CONTESTANT))))


STAGES = {
    "complete": (lambda *frames: complete(*frames[:2]), 2),
    "rank": (lambda *frames: rank(*frames[:2]), 2),
    "award": (award, 3),
}


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_validates_what_it_takes(game: Result, stage: str) -> None:
    run, count = STAGES[stage]
    frames = (game.games, game.contestants, game.standings)
    run(*frames)
    for number, (name, column) in enumerate((("games", "limit"), ("contestants", "score"), ("standings", "position"))):
        if number < count:
            wrong = [frame.astype({column: "str"}) if i == number else frame for i, frame in enumerate(frames)]
            with pytest.raises(ValueError, match=rf"^{name}\.{column} is str, not"):
                run(*wrong)


def test_columns_that_are_empty_alike_are_written_apart() -> None:
    frame = CONTESTANTS.conform(
        pd.DataFrame({"game_id": ["1", "1"], "section": ["A", "A"], "number": ["1", "2"], "eligible": [True, True]})
    )
    frame.loc[0, "score"] = 12.5
    assert frame["percentage"].isna().all()
    other = frame["score"].to_numpy()
    assert other[0] == 12.5
    assert CONTESTANTS.conform(frame).equals(frame)
    empty = CONTESTANTS.empty()
    empty["section"] = "B"
    empty["number"] = "7"
    assert CONTESTANTS.empty().empty


@pytest.mark.parametrize(("name", "other"), [("strata", "A=open, B=9000"), ("tables", "A=9, Z=8")])
def test_a_text_among_the_categories_that_no_game_has_changes_nothing(name: str, other: str) -> None:
    regional = {"rating": "regional", "date": "2012-04-18", "sessions": 1, "special": "side-game"}
    games, contestants = sheet(mitchell(9, stratum="B"), strata="A=open, B=750", tables="A=9", **regional)
    categories = pd.CategoricalDtype(pd.Index([*games[name], other], dtype="str"))
    by_texts, by_categories = (
        award_sheet(Sheet(each, contestants)) for each in (games, games.astype({name: categories}))
    )
    assert paid(by_categories) == paid(by_texts)


def test_rows_are_those_that_pandas_gives() -> None:
    """Values of the same type and in the same order, whatever the columns hold; row numbers may be there twice."""
    columns = {
        "whole": pd.array([1, None], dtype="Int64"),
        "is": pd.array([None, True], dtype="boolean"),
        "text": pd.array(["x", None], dtype="str"),
        "mixed": pd.Series([np.int64(3), pd.NA], dtype="object"),
        "real": pd.Series([None, np.float64(2)], dtype="object"),
        "date": pd.to_datetime(["2020-01-01", None]),
        "number": [1.5, np.nan],
        "short": np.array([1, 2], dtype=np.int32),
        "letter": pd.Categorical(["A", None]),
        "list": pd.Series([(1, 2), ["x"]], dtype="object"),
    }
    frame = pd.DataFrame(columns).set_axis([5, 5])
    for part in (frame, frame.iloc[:1], frame.iloc[:0]):
        rows, expected = row_dicts(part), part.to_dict("records")
        pd.testing.assert_frame_equal(pd.DataFrame(rows), pd.DataFrame(expected))
        assert [[type(value) for value in row.values()] for row in rows] == [
            [type(value) for value in row.values()] for row in expected
        ]
    assert row_dicts(frame[[]]) == [{}, {}]  # pandas gives no rows
