"""Travellers and scorecards: what every result of a board gave, and what every contestant got board by board."""

import json
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, saved
from samples import SAMPLES, real

from resultproc.formats.read import read, read_play
from resultproc.formats.write import write
from resultproc.model.at_the_table import dealer, vulnerable
from resultproc.model.frames import BOARDS, CONTESTANTS, DEALS, GAMES, SCORECARDS, TRAVELLERS, Result
from resultproc.model.play import contract, lead, pack, tricks
from resultproc.scoring.points import scorecards, travellers
from resultproc.stages.pipeline import with_boards


def of_file(path: Path) -> Result:
    return with_boards(Result(*read(path)), [path])


def small(
    results: list[dict[str, object]], event_type: str = "pairs", **printed: object
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """A game of two tables in section A, and perhaps more in B, with the results that are given."""
    games = GAMES.conform(pd.DataFrame([{"game_id": "g", "event_type": event_type}]))
    listed = [
        {"game_id": "g", "section": section, "direction": direction, "number": number, "eligible": True, **printed}
        for section in "AB"
        for direction, numbers in (("N-S", "12"), ("E-W", "12"))
        for number in numbers
    ]
    rows = [{"game_id": "g", "section": "A", "session": 1, **row} for row in results]
    return games, CONTESTANTS.conform(pd.DataFrame(listed)), BOARDS.conform(pd.DataFrame(rows))


def test_a_traveller_has_the_best_result_of_n_s_first_and_a_scorecard_adds_up() -> None:
    # Board 1: 620 and 170; board 2: 100 to E-W twice. The top is 1, so N-S 1 has 1 and 1/2.
    games, listed, boards = small(
        [
            {"board": 2, "ns": "1", "ew": "2", "score": -100.0},
            {"board": 1, "ns": "2", "ew": "2", "score": 170.0},
            {"board": 1, "ns": "1", "ew": "1", "score": 620.0},
            {"board": 2, "ns": "2", "ew": "1", "score": -100.0},
        ],
        percentage=50.0,
    )
    found = TRAVELLERS.validate(travellers(games, listed, boards))
    assert found["result"].tolist() == [2, 1, 0, 3]
    assert found["traveller"].tolist() == [0, 0, 1, 1]
    assert found["ns_points"].tolist() == [1, 0, 0.5, 0.5]
    assert found["ew_percentage"].tolist() == [0, 100, 50, 50]
    cards = SCORECARDS.validate(scorecards(boards, found))
    mine = cards[cards["contestant"] == 0]
    assert mine["side"].tolist() == ["N-S", "N-S"]
    assert mine["opponents"].tolist() == [2, 3]  # E-W 1, then E-W 2
    assert mine["score"].tolist() == [620, -100]
    assert mine["total"].tolist() == [1, 1.5]
    assert mine["total_percentage"].tolist() == [100, 75]
    theirs = cards[cards["contestant"] == 2]
    assert theirs["score"].tolist() == [-620, 100]
    assert theirs["total"].tolist() == [0, 0.5]


def test_printed_points_count_as_they_are_and_their_top_is_that_of_the_sheet() -> None:
    # Two for a result beaten: a top of 2, whatever the scores would give.
    rows = [
        {"board": 1, "ns": "1", "ew": "1", "score": 620.0, "printed_ns": 2.0, "printed_ew": 0.0},
        {"board": 1, "ns": "2", "ew": "2", "ns_adjusted": 60.0, "ew_adjusted": 60.0, "printed_ns": 1.2},
    ]
    found = travellers(*small(rows))
    assert found["ns_percentage"].tolist() == [100, 60]
    assert found["ew_points"].isna().tolist() == [False, True]
    cards = scorecards(small(rows)[2], found)
    assert cards["adjusted"].dropna().tolist() == [60, 60]
    assert cards["score"].dropna().tolist() == [620, -620]


def test_imps_have_no_percentage() -> None:
    rows = [
        {"board": 1, "ns": "1", "ew": "1", "score": 620.0, "printed_ns": 10.0, "printed_ew": -10.0},
        {"board": 1, "ns": "2", "ew": "2", "score": 170.0, "printed_ns": -10.0, "printed_ew": 10.0},
    ]
    found = travellers(*small(rows))
    assert found["ns_points"].tolist() == [10, -10]
    assert found["ns_percentage"].isna().all()


@pytest.mark.parametrize(("event_type", "printed"), [("swiss", {"percentage": 50.0}), ("pairs", {"score": 3.0})])
def test_what_is_not_known_to_be_matchpointed_has_no_points(event_type: str, printed: dict[str, object]) -> None:
    rows = [{"board": 1, "ns": n, "ew": n, "score": score} for n, score in (("1", 620.0), ("2", 170.0))]
    games, listed, boards = small(rows, event_type, **printed)
    found = travellers(games, listed, boards)
    assert found["ns_points"].isna().all()
    assert found["result"].tolist() == [0, 1]
    assert scorecards(boards, found)["total"].eq(0).all()


def test_sections_that_are_scored_together_share_a_traveller_and_others_do_not() -> None:
    rows = [
        {"board": 1, "section": s, "ns": n, "ew": n, "score": score, "scored_with": "A"}
        for s, n, score in (("A", "1", 50.0), ("A", "2", 100.0), ("B", "1", 150.0), ("B", "2", 200.0))
    ]
    games, listed, boards = small(rows, percentage=50.0)
    found = travellers(games, listed, boards)
    assert found["traveller"].nunique() == 1
    assert found["ns"].tolist() == [5, 4, 1, 0]  # B 2, B 1, A 2, A 1
    assert found["ns_points"].tolist() == [3, 2, 1, 0]
    apart = travellers(games, listed, boards.assign(scored_with=pd.Series([None] * 4, dtype="str")))
    assert apart["traveller"].tolist() == [0, 0, 1, 1]
    assert apart["ns_points"].tolist() == [1, 0, 1, 0]


def test_a_board_that_was_not_played_counts_for_nothing_and_one_met_twice_once() -> None:
    games, listed, boards = small(
        [
            {"board": 1, "ns": "1", "ew": "1", "score": 50.0},
            {"board": 1, "ns": "2", "ew": "2", "score": 100.0},
            {"board": 2, "ns": "1", "ew": "2"},
            {"board": 3, "ns": "1", "ew": "1", "score": 50.0, "printed_ns": None},
            {"board": 3, "ns": "1", "ew": "2", "score": 90.0},
        ],
        percentage=50.0,
    )
    cards = scorecards(boards, travellers(games, listed, boards))
    mine = cards[cards["contestant"] == 0]
    assert boards["board"].iloc[mine["result"]].tolist() == [1, 2, 3]
    assert mine["result"].tolist() == [0, 2, 3]
    assert mine["points"].isna().tolist() == [False, True, False]
    assert mine["total"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("first", [0, 1])
def test_a_board_met_twice_is_the_result_that_was_not_adjusted_for_the_opponents(first: int) -> None:
    results = [
        {"board": 1, "ns": "1", "ew": "1", "score": 50.0},
        {"board": 1, "ns": "2", "ew": "1", "score": 50.0, "ns_adjusted": 60.0},
    ]
    games, listed, boards = small([results[first], results[1 - first]])
    cards = scorecards(boards, travellers(games, listed, boards))
    (met,) = cards.loc[cards["side"] == "E-W", "result"]
    assert boards["ns"].iloc[met] == "1"


def test_the_scorecards_of_a_game_end_in_its_scores() -> None:
    result = of_file(FIXTURES / "pbn-example.pbn")
    (row,) = result.contestants.index[result.contestants["number"] == "3"]
    first = result.scorecards[result.scorecards["contestant"] == row]
    # 50 to E-W on board 1 is the top of 1; 110 equals the other result of board 2; board 3 is average plus.
    assert first["side"].tolist() == ["E-W", "N-S", "N-S"]
    assert first["score"].fillna(0).tolist() == [50, 110, 0]
    assert first["total"].tolist() == [1, 1.5, 2.1]
    played = result.boards.iloc[first["result"]]
    assert played["contract"].fillna("").tolist() == ["4S", "2S", ""]
    assert played["tricks"].fillna(-1).tolist() == [9, 8, -1]
    last = result.scorecards.groupby("contestant")["total"].last()
    assert last.tolist() == pytest.approx(result.contestants["score"].tolist())


@pytest.mark.parametrize(
    "name", ["pbn-example.pbn", "usebio-example.xml", "made-charity.json", "made-wednesday.json", "made-regular.ACA"]
)
def test_the_scorecards_of_a_file_end_in_its_percentages(name: str) -> None:
    result = of_file(FIXTURES / name)
    last = result.scorecards.groupby("contestant")["total_percentage"].last()
    # Some programs take percentages from scores that they rounded before.
    assert last.tolist() == pytest.approx(result.contestants["percentage"].tolist(), abs=0.0101)


@pytest.mark.slow
@real
@pytest.mark.parametrize(
    "name",
    [
        *("acbl-live-club-charity-2026.json", "acbl-live-club-howell-2026.json"),
        *(f"gamefiles/{name}" for name in ("game01.ACM", "game02.ACA", "game03.ACA", "game04.ACM", "game05.ACM")),
        *(f"gamefiles/{name}" for name in ("game06.ACA", "game07.ACA", "game08.ACA", "game12.ACA")),
    ],
)
def test_the_scorecards_of_real_games_end_in_their_percentages(name: str) -> None:
    result = of_file(SAMPLES / name)
    listed = result.contestants.assign(last=result.scorecards.groupby("contestant")["total_percentage"].last())
    compared = listed[listed["percentage"].notna() & listed["last"].notna() & listed["adjustment"].fillna(0).eq(0)]
    assert len(compared) >= len(listed) - 2
    # One percentage is that of a score which was rounded before: 33.13 of 60, not 33.125.
    assert compared["last"].tolist() == pytest.approx(compared["percentage"].tolist(), abs=0.0121)
    whole = listed[listed["score"].notna() & (listed["last"] > 0)]
    total = result.scorecards.groupby("contestant")["total"].last()
    assert (total[whole.index] <= whole["score"] - whole["adjustment"].fillna(0) + 0.0101).all()


@pytest.mark.slow
@real
@pytest.mark.parametrize(("name", "boards", "leads"), [("usebio02.xml", 27, 511), ("usebio03.xml", 21, 126)])
def test_real_files_have_hands_and_leads(name: str, boards: int, leads: int) -> None:
    result = of_file(SAMPLES / "usebio" / name)
    assert len(result.deals) == boards
    assert result.boards["lead"].notna().sum() == leads  # one board of usebio02 was passed out


def test_hands_are_read_where_the_file_has_them() -> None:
    boards, deals = read_play(FIXTURES / "pbn-example.pbn")
    assert len(boards) == 6
    assert DEALS.validate(deals).drop(columns=["game_id", "makeable", "par"]).to_numpy().tolist() == [
        [1, 1, "KJ.KJ87642.87.62", "AT953.Q.KQ92.KT4", "Q64.5.AJT654.873", "872.AT93.3.AQJ95"]
    ]
    assert read_play(FIXTURES / "wed-open-pairs-2012-04-18.csv")[0].empty


HANDS = """<HANDSET><BOARD><BOARD_NUMBER>2</BOARD_NUMBER>{}</BOARD></HANDSET></USEBIO>"""
HAND = (
    "<HAND><DIRECTION>{}</DIRECTION>"
    "<SPADES>{}</SPADES><HEARTS>{}</HEARTS><DIAMONDS>{}</DIAMONDS><CLUBS>{}</CLUBS></HAND>"
)
SUITS = ("AKQJT98765432", "", "", "")


@pytest.mark.parametrize("last", ["", "32"])
def test_usebio_has_hands_beside_its_event(tmp_path: Path, last: str) -> None:
    # Each seat has a suit; a hand with two cards is none, so that board has no hands.
    dealt = [HAND.format(seat, *SUITS[4 - n :], *SUITS[: 4 - n]) for n, seat in enumerate(("North", "East", "South"))]
    dealt.append(HAND.format("W", "", "", "", "") if last else HAND.format("W", *SUITS[1:], SUITS[0]))
    text = (FIXTURES / "usebio-example.xml").read_bytes().decode("latin-1")
    path = saved(tmp_path / "game.xml", text.replace("</USEBIO>", HANDS.format("".join(dealt))).encode("latin-1"))
    deals = read_play(path)[1]
    if last:
        assert deals.empty
    else:
        assert deals[["board", "north", "west"]].to_numpy().tolist() == [[2, SUITS[0] + "...", "..." + SUITS[0]]]


def test_json_has_travellers_and_scorecards_and_reads_back(tmp_path: Path) -> None:
    source = FIXTURES / "pbn-example.pbn"
    path = tmp_path / "game.json"
    write(of_file(source), path)
    (game,) = json.loads(path.read_text("utf-8"))["games"]
    first, _, third = game["boards"]
    assert (first["board"], first["dealer"], first["vulnerable"]) == (1, "N", "none")
    assert first["hands"]["E"] == "AT953.Q.KQ92.KT4"
    assert [result["ns"] for result in first["results"]] == ["1", "2"]
    assert first["results"][0]["contract"] == "4S"
    assert first["results"][0]["ns_percentage"] == 100
    assert "hands" not in third
    assert third["results"][0]["ns_adjusted"] == 60
    card = game["contestants"][0]["scorecard"]
    expected = [(1, "2", 1), (2, "1", 1.5), (3, "4", 2.1)]
    assert [(each["board"], each["opponents"], each["total"]) for each in card] == expected
    order = ["board", "ns"]
    for found, expected in zip(read_play(path), read_play(source), strict=True):
        names = order if "ns" in found else ["board"]
        sides = [each.assign(game_id="").sort_values(names).reset_index(drop=True) for each in (found, expected)]
        pd.testing.assert_frame_equal(*sides)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("3 NT", "3NT"), ("5 H x", "5HX"), ("4SXX", "4SXX"), ("1n", "1NT"), ("PASS", "Pass"), ("8S", None), ("", None)],
)
def test_contracts_are_in_one_spelling(said: str, meant: str | None) -> None:
    assert contract(said) == meant


def test_cards_and_tricks_are_in_one_spelling() -> None:
    assert [lead(text) for text in ("KD", "H10", "sa", "1S", "")] == ["DK", "HT", "SA", None, None]
    assert [tricks(text) for text in ("0", "13", "14", "=")] == [0, 13, 14, None]
    suit = "2345678910JQKA"
    hands = {
        seat: [suit if n == void else "-" for n in range(4)]
        for void, seat in enumerate(("north", "east", "south", "west"))
    }
    dealt = pack(hands)
    assert dealt is not None
    assert dealt["north"] == "AKQJT98765432..."
    assert pack(hands | {"west": hands["north"]}) is None
    assert pack(hands | {"north": ["T10", "A", "K", "Q"]}) is None


def test_dealer_and_vulnerability_follow_from_the_number_of_the_board() -> None:
    # Law 2, board 1 to 16; board 17 begins again.
    assert "".join(map(dealer, range(1, 18))) == "NESW" * 4 + "N"
    short = {"none": "-", "N-S": "n", "E-W": "e", "both": "b"}
    assert "".join(short[vulnerable(board)] for board in range(1, 18)) == "-nebneb-eb-nb-ne-"
