"""The results site's JSON: two made-up club games and, where they are, two real ones; read, recomputed, damaged."""

import html
import json
from contextlib import suppress

import pytest
from conftest import FIXTURES, examples, run, saved
from hypothesis import given
from hypothesis import strategies as st
from samples import SAMPLES, real

from resultproc.formats.read import read, read_play
from resultproc.model.errors import InputError
from resultproc.reports.differences import agreement, differences
from resultproc.stages.pipeline import process

HOWELL = FIXTURES / "made-wednesday.json"
CHARITY = FIXTURES / "made-charity.json"
REAL_HOWELL = SAMPLES / "acbl-live-club-howell-2026.json"
REAL_CHARITY = SAMPLES / "acbl-live-club-charity-2026.json"


def test_the_howell_is_read_whole():
    games, contestants = read(HOWELL)
    game = games.iloc[0]
    assert (game["rating"], game["movement"], game["tables"]) == ("club-open", "howell", "A=5.5")
    assert (game["strata"], game["stratify_by"]) == ("A=open, B=200, C=50", "average")
    assert len(contestants) == 11
    first = contestants.set_index("number").loc["4"]
    assert (first["score"], first["percentage"], first["mp1"], first["mp2"]) == (48.38, 67.19, 350.0, 1796.0)
    assert (first["printed_section"], first["printed_award"], first["printed_colours"]) == ("A=1/2", 94, "black=0.94")


def test_four_individuals_are_at_a_table():
    event = json.loads(HOWELL.read_text()) | {"type": "INDIVIDUAL"}
    games = read(json.dumps(event).encode()).games  # eleven: two tables of four, and three at a third
    assert games[["event_type", "tables"]].to_numpy().tolist() == [["individual", "A=3"]]


def test_the_charity_game_is_read_whole():
    games, contestants = read(CHARITY)
    assert games.iloc[0]["tables"] == "A=12.5"
    assert games.iloc[0]["stored_rating_code"] == 24
    assert (contestants["direction"] == "N-S").sum() == 13
    assert (contestants["direction"] == "E-W").sum() == 12
    winner = contestants[(contestants["direction"] == "N-S") & (contestants["number"] == "8")].iloc[0]
    assert (winner["printed_award"], winner["printed_paid_by"]) == (431, "O")
    assert (winner["printed_section"], winner["printed_overall"]) == ("A=1", "A=1")
    unknown = contestants[["mp1", "mp2"]].isna().sum()
    assert unknown.tolist() == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("path", [HOWELL, pytest.param(REAL_HOWELL, marks=real)], ids=["made", "real"])
def test_check_finds_no_difference_in_a_howell(path):
    result = process(path)
    assert differences(result).empty
    assert agreement(result)[["contestants", "agree"]].to_numpy().tolist() == [[11, 11]]


@pytest.mark.slow
@pytest.mark.parametrize("path", [CHARITY, pytest.param(REAL_CHARITY, marks=real)], ids=["made", "real"])
def test_check_finds_no_difference_in_a_charity_game(path):
    result = process(path)
    game = result.games.iloc[0]
    assert (game["rating"], game["special"]) == ("club-fund", "acbl-wide-charity")
    assert differences(result).empty
    assert agreement(result)[["contestants", "agree"]].to_numpy().tolist() == [[25, 25]]


@real
def test_real_games_are_read_whole():
    games, contestants = read(REAL_HOWELL)
    assert games["tables"].tolist() == ["A=5.5"]
    first = contestants.set_index("number").loc["5"]
    assert (first["score"], first["percentage"], first["mp1"], first["mp2"]) == (43.31, 60.15, 138.0, 2853.0)
    assert (first["printed_section"], first["printed_award"], first["printed_colours"]) == ("A=1/2", 94, "black=0.94")
    contestants = read(REAL_CHARITY).contestants
    winner = contestants[(contestants["direction"] == "E-W") & (contestants["number"] == "11")].iloc[0]
    assert (winner["printed_award"], winner["printed_paid_by"]) == (431, "O")
    assert winner["printed_overall"] == "A=1, B=1"


def test_boards_are_read():
    boards = read_play(CHARITY)[0]
    # 26 boards, each played at 12 tables: 13 rounds of 2 boards, one table sitting out.
    assert len(boards) == 26 * 12
    row = boards[(boards["board"] == 1) & (boards["ns"] == "11")].iloc[0]
    assert (row["ew"], row["score"], row["printed_ns"], row["printed_ew"]) == ("8", 90.0, 5.0, 6.0)


@pytest.mark.parametrize(
    ("ns", "ew", "score", "ew_score", "ns_adjusted", "ew_adjusted"),
    [
        ("110", "-110", 110, None, None, None),
        ("110", None, 110, None, None, None),
        (0, 0, 0, None, None, None),
        ("Pass", "PASS", 0, None, None, None),
        ("-110", "90", -110, 90, None, None),  # split by a ruling
        ("A+", "A-", None, None, 60, 40),
        ("A+", "110", -110, None, 60, None),
        ("110", "ave", 110, None, None, 50),
    ],
)
def test_scores_of_a_board(tmp_path, ns, ew, score, ew_score, ns_adjusted, ew_adjusted):
    game = json.loads(HOWELL.read_text("utf-8"))
    result = game["sessions"][0]["sections"][0]["boards"][0]["board_results"][0]
    result |= {"ns_score": ns, "ew_score": ew}
    path = saved(tmp_path / "game.json", json.dumps(game))
    row = read_play(path)[0].iloc[0]
    columns = ["score", "ew_score", "ns_adjusted", "ew_adjusted"]
    assert [None if value != value else value for value in row[columns]] == [score, ew_score, ns_adjusted, ew_adjusted]


@pytest.mark.parametrize("shape", ['<div data="{}"></div>', "<script>var data = {};</script>"])
def test_a_saved_page_holds_the_same_game(tmp_path, shape):
    text = HOWELL.read_text("utf-8")
    page = tmp_path / "page.html"
    inside = html.escape(text) if "div" in shape else text
    page.write_text(f"<!DOCTYPE html><html><body><p>Results</p>{shape.replace('{}', inside)}</body></html>", "utf-8")
    ours, theirs = read(page), read(HOWELL)
    assert ours.contestants.equals(theirs.contestants)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda e: e.pop("sessions"), "no game"),
        (lambda e: e["sessions"].append(e["sessions"][0]), "2 sessions"),
        (lambda e: e.update(type="TEAMS"), "type TEAMS"),
        (lambda e: e["sessions"][0]["sections"][0]["pair_summaries"][0].update(score="abc"), "contestant A 4: score"),
        (lambda e: e["sessions"][0]["sections"][0].update(pair_summaries=[]), "no contestant"),
        (lambda e: e["sessions"][0].update(sections="x"), "'sections' is not a list of objects"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, damage, message):
    event = json.loads(HOWELL.read_text("utf-8"))
    damage(event)
    path = saved(tmp_path / "game.json", json.dumps(event))
    with pytest.raises(InputError, match=message):
        read(path, format="acbl-live")


def test_a_score_that_is_none_is_told_with_its_board(tmp_path):
    event = json.loads(HOWELL.read_text("utf-8"))
    board = event["sessions"][0]["sections"][0]["boards"][1]
    board["board_results"][0]["ns_score"] = "many"
    path = saved(tmp_path / "game.json", json.dumps(event))
    with pytest.raises(InputError, match=f"section A, board {board['board_number']}: .*(?i:'many')"):
        read_play(path)


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({}) | st.just(1e400)


@examples(40)
@given(data=st.data())
def test_values_of_any_other_kind_only_ever_raise_input_errors(tmp_path, data):
    event = json.loads(HOWELL.read_text("utf-8"))
    node = event
    while True:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if isinstance(node[key], dict | list) and node[key] and data.draw(st.integers(0, 5)):
            node = node[key]
            continue
        node[key] = data.draw(VALUES)
        break
    path = saved(tmp_path / "mutated.json", json.dumps(event))
    with suppress(InputError):
        read(path, format="acbl-live")


def test_limits_that_cannot_be_are_asked_for(tmp_path):
    event = json.loads(HOWELL.read_text("utf-8"))
    event["strats"][2]["limit"] = -1
    path = saved(tmp_path / "mutated.json", json.dumps(event))
    assert read(path, format="acbl-live").games["strata"].isna().all()
    done = run("award", path)
    assert done.status == 1
    assert "the strata A, B, C of the sheet have no limits" in done.err
