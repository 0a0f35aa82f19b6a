"""The table devices' database: a section scored by hand, what is left out, and what is refused in time."""

import csv
import io
import random
import shutil
import struct
import subprocess
import time
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import made_bws as made
import pytest
from conftest import ALL, FIXTURES, run, saved
from samples import SAMPLES, real

from resultproc.formats.bws.jet import Database
from resultproc.formats.read import drafted, read, read_play
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import Result
from resultproc.model.source import Source
from resultproc.reports.lint import lint
from resultproc.stages.pipeline import with_boards

DAY = datetime(2016, 5, 12)
NAME = "devices-example.bws"

# Three tables, three rounds, a board each: round, table, board, N-S, E-W, declarer, contract, result, remark.
PLAYED = [
    (1, 1, 1, 1, 1, "N", "4 S", "=", None),
    (2, 3, 1, 3, 2, "N", "4 S", "+1", None),
    (3, 2, 1, 2, 3, "N", "4 S", "-1", None),
    (1, 2, 2, 2, 2, "S", "3 NT", "=", None),
    (2, 1, 2, 1, 3, "S", "3 NT", "=", None),
    (3, 3, 2, 3, 1, "S", "3 NT", "-1", None),
    (1, 3, 3, 3, 3, None, "PASS", None, None),
    (2, 2, 3, 2, 1, "W", "2 H x", "-2", None),
    (3, 1, 3, 1, 2, None, None, None, "40%-60%"),
]


def results(played: list[tuple[Any, ...]] = PLAYED, **more: object) -> list[dict[str, object]]:
    names = ("Round", "Table", "Board", "PairNS", "PairEW", "NS/EW", "Contract", "Result", "Remarks")
    rows = [dict(zip(names, each, strict=True)) for each in played]
    return [{"ID": n, "Section": 1, "DateLog": DAY, **row, **more} for n, row in enumerate(rows, 1)]


SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")


def players() -> list[dict[str, object]]:
    """Return who sat down: all with numbers, N-S at table 1 without names, which the list of players has."""
    rows = []
    for table in (1, 2, 3):
        for seat in "NSEW":
            name = None if table == 1 and seat in "NS" else f"{seat.lower()}{table} Ash".title()
            rows.append(
                {"Section": 1, "Table": table, "Direction": seat, "Number": f"{table}0{ord(seat)}", "Name": name}
            )
    return [{**row, "Round": 0} for row in rows]


def game(
    rows: list[dict[str, object]] | None = None, *, columns: dict[str, int] = made.RECEIVED, jet: int = 3, **section
) -> bytes:
    listed = {"ID": 1, "Letter": "A  ", "Tables": 3, "MissingPair": 0, "ScoringType": 1, "Winners": 2, **section}
    known = [{"ID": 1078, "Name": "Nora One", "strID": "1078"}, {"ID": 1083, "Name": "Sam One", "strID": "1083"}]
    return made.database(
        {
            "Section": (made.SECTION, [listed]),
            "ReceivedData": (columns, results() if rows is None else rows),
            "PlayerNumbers": (made.NUMBERS, players()),
            "PlayerNames": (made.NAMES, known),
        },
        jet=jet,
    )


def source(data: bytes, name: str = "tonight.bws") -> Source:
    return Source(name, data)


def test_the_example_is_the_game_of_these_tests():
    assert (FIXTURES / NAME).read_bytes() == game()


def test_a_section_scored_by_hand():
    """Laws 77 and 78A; on board 3 two results are factored to three: (m + 1/2) x 3/2 - 1/2.

    Board 1: 420, 450, -50: 1, 2, 0. Board 2, N-S vulnerable: 600, 600, -100: 1.5, 1.5, 0. Board 3, E-W vulnerable: 0
    and 500 of two: 0.25 and 1.75, and 40% and 60% of a top of 2: 0.8 and 1.2.
    """
    sheet = read(source(game()))
    found = {(row.direction, row.number): (row.score, row.percentage) for row in sheet.contestants.itertuples()}
    assert found == {
        ("N-S", "1"): (3.3, 55.0),
        ("N-S", "2"): (3.25, 54.17),
        ("N-S", "3"): (2.25, 37.5),
        ("E-W", "1"): (3.25, 54.17),
        ("E-W", "2"): (1.7, 28.33),
        ("E-W", "3"): (4.25, 70.83),
    }
    assert sheet.games["date"].iat[0].date() == date(2016, 5, 12)
    assert sheet.games["boards"].iat[0] == 3
    assert [remark.code for remark in sheet.remarks] == ["scores.by-boards"]


def test_the_means_of_a_game_that_is_scored_here_are_those_of_its_adjusted_scores():
    """N-S have 48.89% on average and E-W 51.11%, as 40%-60% is one of nine results: nothing is to be corrected."""
    contestants = read(source(game())).contestants
    assert contestants.groupby("direction")["percentage"].mean().round(2).to_dict() == {"N-S": 48.89, "E-W": 51.11}
    assert [remark.code for remark in lint(FIXTURES / NAME).remarks] == ["scores.by-boards"]


def test_a_database_of_access_2000_is_read_like_one_of_access_97():
    for old, new in zip(read(source(game())), read(source(game(jet=4))), strict=True):
        assert old.equals(new)
    assert all(old.equals(new) for old, new in zip(*(read_play(source(game(jet=jet))) for jet in (3, 4)), strict=True))
    later = game(jet=4).replace(b"Standard Jet DB\0\1", b"Standard ACE DB\0\2")
    assert Database(later).rows("ReceivedData", ["ID"]) == [(n,) for n in range(1, 10)]


NAMES = ["Małgorzata Żółć-Æ", "Łuk", "Āda Ősz", "José", "Ψ", "", None]
"""Of signs with a byte and with two, of both in turn, of one whose second byte is zero, of nothing, and none."""


def of_names() -> bytes:
    """Return a database of Access 2000 with a column of names, between others."""
    columns = {"Number": made.TEXT, "Name": made.TEXT, "Round": made.SHORT, "Erased": made.BOOL, "At": made.TIME}
    rows = [{"Number": "7", "Name": name, "Round": n, "Erased": n % 2, "At": DAY} for n, name in enumerate(NAMES)]
    return made.database({"PlayerNumbers": (columns, rows)}, per_page=3, jet=4)


def test_texts_of_access_2000_are_of_any_alphabet():
    found = Database(of_names()).rows("PlayerNumbers", ["Name", "Round", "Erased", "At", "Number", "Away"])
    assert found == [(name, n, bool(n % 2), DAY, "7", None) for n, name in enumerate(NAMES)]


def test_the_results_are_read_as_they_were_played():
    boards, _ = read_play(source(game()))
    assert boards["score"].fillna(9999).tolist() == [420, 450, -50, 600, 600, -100, 0, 500, 9999]
    assert boards["contract"].fillna("").tolist() == ["4S"] * 3 + ["3NT"] * 3 + ["Pass", "2HX", ""]
    assert boards["tricks"].fillna(-1).tolist() == [10, 11, 9, 9, 9, 8, -1, 6, -1]
    assert boards[["table", "round"]].to_numpy().tolist()[:2] == [[1, 1], [3, 2]]
    assert boards["ns_adjusted"].dropna().tolist() == [40]
    assert boards["ew_adjusted"].dropna().tolist() == [60]


def test_names_come_from_the_seats_and_from_the_list_of_players():
    contestants = read(source(game())).contestants.set_index(["direction", "number"])
    assert contestants.loc[("N-S", "1"), ["player1", "player2", "id1"]].tolist() == ["Nora One", "Sam One", "1078"]
    assert contestants.loc[("E-W", "2"), ["player1", "player2"]].tolist() == ["E2 Ash", "W2 Ash"]


def test_the_last_row_of_a_result_counts_and_none_if_it_was_erased():
    """As a public file of a club has it: a result, the row that it was erased, and the right result."""
    rows = results()
    erased = {"Remarks": "Result erased", "Erased": True}
    rows += [{**rows[0], "ID": 90, **erased}, {**rows[0], "ID": 91, "Result": "-1"}, {**rows[1], "ID": 92, **erased}]
    boards, _ = read_play(source(game(rows)))
    assert boards.loc[boards["board"] == 1, "score"].tolist() == [-50, -50]
    assert [each.code for each in read(source(game(rows))).remarks] == ["scores.by-boards"]
    # Nobody erased the first one here.
    rows = [*results(), {**rows[0], "ID": 90, "Result": "-1"}]
    (told,) = [str(each) for each in read(source(game(rows))).remarks if each.code == "boards.left-out"]
    assert told == (
        "tonight.bws: board 1, table 1, round 1: a later result has taken the place of '4 S N =' and counts"
        " (erase the one that is wrong, if it is the later one)"
    )


def test_a_result_with_other_pairs_takes_the_place_of_the_one_of_its_table_and_round():
    """Without a table and a round nothing but its pairs tells which result it is."""
    rows = results()
    boards, _ = read_play(source(game([*rows, {**rows[0], "ID": 90, "PairEW": 2, "Result": "-1"}])))
    first = boards[boards["board"] == 1]
    assert first[["ns", "ew", "score"]].to_numpy().tolist() == [["3", "2", 450], ["2", "3", -50], ["1", "2", -50]]
    boards, _ = read_play(source(game(results(Table=0, Round=0))))
    assert boards["board"].tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_unplayed_results_are_left_out_and_others_remarked_on():
    rows = results([*PLAYED[:-1], (3, 1, 3, 1, 2, None, None, None, "Not played")])
    rows.append({**rows[0], "ID": 91, "Board": 4, "Contract": None, "Result": None, "Remarks": "ask Ann"})
    sheet = read(source(game(rows)))
    boards, _ = read_play(source(game(rows)))
    assert len(boards) == 8
    (told,) = [str(each) for each in sheet.remarks if "ask Ann" in each.what]
    assert told == (
        "tonight.bws: section A, board 4, table 1, round 1: this is not a result: 'ask Ann'"
        " (it is left out; enter it as 4 S x, or as 40%-60%)"
    )


def test_one_winner_where_the_file_says_so_or_more_pairs_sat_north_south_than_there_are_tables():
    howell = [(1, 1, 1, 1, 2, *PLAYED[0][5:]), (1, 2, 1, 3, 4, *PLAYED[1][5:]), (2, 1, 2, 2, 3, *PLAYED[3][5:])]
    howell.append((2, 2, 2, 4, 1, *PLAYED[4][5:]))
    for winners in (0, 1):
        contestants = read(source(game(results(howell), Winners=winners, Tables=2))).contestants
        assert contestants["direction"].isna().all()
        assert contestants["number"].tolist() == ["1", "2", "3", "4"]
    assert read(source(game(Winners=0))).contestants["direction"].notna().all()
    # A rover: three pairs sit N-S by turns at two tables, and none of them E-W.
    rover = [(r, t, r, ns, ew + 10, *each[5:]) for (r, t, _, ns, ew, *_), each in zip(PLAYED[:3], PLAYED, strict=False)]
    contestants = read(source(game(results(rover), Winners=0, Tables=2))).contestants
    assert contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3


def test_the_phantom_is_no_contestant():
    rows = results([*PLAYED, (4, 3, 1, 4, 3, None, None, None, "Not played")])
    contestants = read(source(game(rows, MissingPair=4))).contestants
    assert "4" not in contestants["number"].tolist()
    # N-S 3 play, and E-W 3 is the phantom.
    rows = results([each for each in PLAYED if each[4] != 3] + [(1, 3, 3, 3, 3, None, None, None, "Not played")])
    contestants = read(source(game(rows, MissingPair=3))).contestants
    assert contestants.loc[contestants["number"] == "3", "direction"].tolist() == ["N-S"]


def test_hands_that_two_sections_have_of_one_board_are_left_out_and_so_is_nothing_else():
    suits = ["AKQJT98765432", *[""] * 3]
    columns = [f"{seat}{suit}" for seat in ("North", "East", "South", "West") for suit in SUITS]
    deals = [[suits[(n - seat - turn) % 4] for seat in range(4) for n in range(4)] for turn in range(2)]
    of_14 = ["K", *suits[1:], *deals[0][4:]]
    hands = [(1, 1, deals[0]), (2, 1, deals[1]), (1, 2, deals[0]), (2, 2, deals[0]), (1, 3, of_14), (2, 3, [""] * 16)]
    rows = [{"Section": s, "Board": b, **dict(zip(columns, each, strict=True))} for s, b, each in hands]
    listed = {"ID": 1, "Letter": "A", "Tables": 3, "MissingPair": 0, "Winners": 2}
    data = made.database(
        {
            "Section": (made.SECTION, [listed]),
            "ReceivedData": (made.RECEIVED, results()),
            "HandRecord": ({"Section": made.SHORT, "Board": made.SHORT} | dict.fromkeys(columns, made.TEXT), rows),
        }
    )
    assert read_play(source(data))[1]["board"].tolist() == [2]
    remarks = read(source(data)).remarks
    assert any("board 1: there are several deals" in each.what for each in remarks)
    (told,) = (each for each in remarks if each.code == "deals.not-shown")
    assert told.rows == (("HandRecord", "board 3: North has 1 cards"),)


def test_a_lead_of_declarers_side_is_told_with_its_section():
    rows = [
        {**row, "ID": n, "Section": n, "LeadCard": "S10" if n == 1 else "SA"} for n in (1, 2) for row in results()[:1]
    ]
    listed = [{"ID": n, "Letter": "AB"[n - 1], "Tables": 3, "MissingPair": 0, "Winners": 2} for n in (1, 2)]
    data = made.database({"Section": (made.SECTION, listed), "ReceivedData": (made.RECEIVED, rows)})
    remarks = lint(source(data), deals=FIXTURES / "deals" / "tonight.pbn").remarks
    (told,) = [each.what for each in remarks if each.code == "boards.lead"]
    assert (
        told
        == "these leads are cards of declarer's side: SA on board 1, table 1, round 1, section B, N-S 1 against E-W 1"
    )


@pytest.mark.slow
def test_it_is_awarded_with_scorecards_and_travellers(tmp_path):
    page = tmp_path / "page.html"
    done = run("award", FIXTURES / NAME, "--rating", "club-open", "-o", page)
    assert done.status == 0, done.err
    text = page.read_text()
    assert "Nora One" in text
    assert "E2 Ash" in text


# Two tables, two rounds, a board each: round, table, board, N, S, E, W, then as above.
INDIVIDUALS = [
    (1, 1, 1, 1, 2, 3, 4, "N", "4 S", "="),
    (1, 2, 1, 5, 6, 7, 8, "N", "4 S", "-1"),
    (2, 1, 2, 1, 3, 5, 7, "S", "3 NT", "="),
    (2, 2, 2, 2, 4, 6, 8, "S", "3 NT", "="),
]


def individuals(of_results: dict[str, int], of_movement: dict[str, int], played=INDIVIDUALS) -> bytes:
    """Return an event of individuals; of_...: the columns South and West of results and movement, if any."""
    names = ("Round", "Table", "Board", "PairNS", "South", "PairEW", "West", "NS/EW", "Contract", "Result")
    rows = [{"ID": n, "Section": 1, **dict(zip(names, each, strict=True))} for n, each in enumerate(played, 1)]
    rounds = [{**row, "NSPair": row["PairNS"], "EWPair": row["PairEW"]} for row in rows]
    listed = {"ID": 1, "Letter": "A", "Tables": 2, "MissingPair": 0, "ScoringType": 1, "Winners": 0}
    return made.database(
        {
            "Section": (made.SECTION, [listed]),
            "RoundData": (made.ROUNDS | of_movement, rounds),
            "ReceivedData": (made.RECEIVED | of_results, rows),
            "PlayerNumbers": (made.NUMBERS, [row for row in players() if row["Table"] < 3 and row["Name"]]),
        }
    )


SOUTH_WEST = {"South": made.SHORT, "West": made.SHORT}


@pytest.mark.parametrize(("of_results", "of_movement"), [(SOUTH_WEST, {}), ({}, SOUTH_WEST), (SOUTH_WEST, SOUTH_WEST)])
def test_individuals_have_each_a_score(of_results, of_movement):
    """On board 1 420 beats -50: 1 to each of 1, 2, 7 and 8. On board 2 both have 600: half to each of all eight."""
    sheet = read(source(individuals(of_results, of_movement)))
    assert sheet.games[["event_type", "tables"]].to_numpy().tolist() == [["individual", "A=2"]]
    expected = {**dict.fromkeys("1278", 1.5), **dict.fromkeys("3456", 0.5)}
    assert dict(zip(sheet.contestants["number"], sheet.contestants["score"], strict=True)) == expected
    assert set(sheet.contestants["percentage"]) == {75, 25}
    # N and S of table 1 have no name; who sat W at table 2 in the first round is player 8.
    assert sheet.contestants["player1"].fillna("").tolist()[2:] == [
        *("E1 Ash", "W1 Ash", "N2 Ash", "S2 Ash", "E2 Ash", "W2 Ash")
    ]
    boards, _ = read_play(source(individuals(of_results, of_movement)))
    assert boards.loc[2, ["ns", "ns_partner", "ew", "ew_partner"]].tolist() == ["1", "3", "5", "7"]


# Four teams, two rounds of two boards, columns as in PLAYED; tables from 101 on are the other room.
MATCHES = [
    (1, 1, 1, 1, 2, "N", "4 S", "=", None),
    (1, 101, 1, 2, 1, "N", "4 S", "-1", None),
    (1, 1, 2, 1, 2, "S", "3 NT", "=", None),
    (1, 101, 2, 2, 1, "S", "3 NT", "+1", None),
    (1, 2, 1, 3, 4, "N", "4 S", "=", None),
    (1, 102, 1, 4, 3, "N", "4 S", "=", None),
    (1, 2, 2, 3, 4, None, "PASS", None, None),
    (1, 102, 2, 4, 3, "W", "2 H", "-1", None),
    (2, 1, 1, 1, 3, "N", "4 S", "=", None),
    (2, 101, 1, 3, 1, "N", "4 S", "=", None),
    (2, 1, 2, 1, 3, None, None, None, "60%-40%"),
    (2, 101, 2, 3, 1, "S", "3 NT", "+1", None),
    (2, 2, 1, 2, 4, "N", "4 S", "=", None),
    (2, 102, 1, 4, 2, "N", "4 S", "=", None),
    (2, 2, 2, 2, 4, None, "PASS", None, None),
]
ROOMS = [
    {"Section": 1, "Table": table, "Direction": seat, "Name": f"{seat}{table} Ash", "Round": 0}
    for table in (1, 101, 2, 102)
    for seat in "NSEW"
]
SUBSTITUTE = {"Section": 1, "Table": 1, "Direction": "N", "Name": "Sub Ash", "Round": 2}


def teams(*more: dict[str, object], played=MATCHES, **section: int) -> bytes:
    listed = {"ID": 1, "Letter": "A", "Tables": 4, "MissingPair": 0, "ScoringType": 4, "Winners": 0, **section}
    return made.database(
        {
            "Section": (made.SECTION, [listed]),
            "ReceivedData": (made.RECEIVED, results(played)),
            "PlayerNumbers": (made.NUMBERS, [*ROOMS, *more]),
        }
    )


def test_teams_are_scored_in_imps_match_by_match():
    """Team 1 against 2: 420 + 50 is 10 IMPs, 600 - 630 is -1. 3 against 4: 0, and 0 - 50 is -2: W is not vulnerable.

    In round 2 1 has 0 and average plus, 3 IMPs, against 3; 2 against 4 have 0, and one result that counts for nothing.
    """
    sheet = read(source(teams(SUBSTITUTE)))
    assert sheet.games[["event_type", "tables", "boards"]].to_numpy().tolist() == [["swiss", "A=4", 2]]
    columns = ["number", "score", "wins", "swiss1", "swiss2"]
    assert sheet.contestants[columns].to_numpy().tolist() == [
        ["1", 12, 2, "2 +9", "3 +3"],
        ["2", -9, 0.5, "1 -9", "4 +0"],
        ["3", -5, 0, "4 -2", "1 -3"],
        ["4", 2, 1.5, "3 +2", "2 +0"],
    ]
    names = [f"player{n}" for n in range(1, 6)]
    assert sheet.contestants.loc[0, names].tolist() == ["N1 Ash", "S1 Ash", "E101 Ash", "W101 Ash", "Sub Ash"]
    assert sheet.contestants.loc[1, names[:4]].tolist() == ["N101 Ash", "S101 Ash", "E1 Ash", "W1 Ash"]
    told = {each.code: each.what for each in sheet.remarks}
    assert (
        told["boards.left-out"] == "a result counts for nothing where the other table has none: board 2 (2 against 4)"
    )
    assert told["event.told"].endswith("at another table: they are teams")


def test_a_ruling_with_no_result_of_the_other_table_counts_in_the_match_of_both_teams():
    """Board 2 of 1 against 3 is adjusted, and was not played at the other table: 3 IMPs to 1, and 3 less to 3."""
    contestants = read(source(teams(played=[each for each in MATCHES if each[:3] != (2, 101, 2)]))).contestants
    columns = ["score", "wins", "swiss2"]
    assert contestants.loc[[0, 2], columns].to_numpy().tolist() == [[12, 2, "3 +3"], [-5, 0, "1 -3"]]


def test_results_of_teams_that_name_no_round_are_of_no_match():
    sheet = read(source(teams(played=[(0, *each[1:]) for each in MATCHES if each[0] == 1])))
    assert sheet.contestants["score"].tolist() == [9, -9, -2, 2]
    assert not [name for name in sheet.contestants if name.startswith("swiss")]


def test_the_card_of_a_team_has_its_boards_round_by_round():
    sheet = read(source(teams()))
    result = with_boards(Result(sheet.games, sheet.contestants), [source(teams())])
    card = result.scorecards[result.scorecards["contestant"] == 0]
    sat = result.boards.iloc[card["result"]]
    assert sat["round"].tolist() == [1, 1, 1, 1, 2, 2, 2, 2]
    assert sat["board"].tolist() == [1, 1, 2, 2] * 2
    assert card["points"].tolist() == [10, 10, -1, -1, 0, 0, 3, 3]


def test_teams_may_be_declared_to_play_board_a_match():
    """1 wins and loses a board against 2, ties one and has 60% against 3, who lost and tied one against 4.

    2 and 4 tie one more, and have 1.5 and 2 of three boards, which is 2 and 2.67 of four.
    """
    sheet = read(source(teams()), event_type="bam")
    assert sheet.contestants["score"].tolist() == [2.1, 2, 1.4, 2.67]
    assert any(each.what.endswith("other table has none: board 2 (2 against 4)") for each in sheet.remarks)


def test_pairs_that_are_declared_to_be_teams_are_refused_where_no_two_met_at_two_tables():
    with pytest.raises(FormatError, match="nobody says which pairs are a team"):
        read(source(game()), event_type="swiss")
    with pytest.raises(FormatError, match=r"N-S and E-W have numbers of their own.* in a section with one winner"):
        read(source(teams(Winners=2, ScoringType=1)), event_type="swiss")


def test_rooms_in_two_sections_are_refused():
    listed = [{"ID": n, "Letter": "AB"[n - 1], "Tables": 2, "MissingPair": 0, "Winners": 0} for n in (1, 2)]
    rows = [{**row, "Section": 2 if row["Table"] > 100 else 1} for row in results(MATCHES)]
    data = made.database({"Section": (made.SECTION, listed), "ReceivedData": (made.RECEIVED, rows)})
    with pytest.raises(FormatError, match="these are teams in two rooms"):
        read(source(data))


def test_deleted_rows_are_left_out():
    data = bytearray(game())
    database = Database(bytes(data))
    own = database.tables["ReceivedData"]
    page = (own + 2) * made.PAGE
    (offset,) = struct.unpack_from("<H", data, page + 10)
    struct.pack_into("<H", data, page + 10, offset | 0x8000)
    struct.pack_into("<I", data, own * made.PAGE + 12, len(PLAYED) - 1)
    assert [row[0] for row in Database(bytes(data)).rows("ReceivedData", ["ID"])] == list(range(2, 10))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (game()[:5000], "damaged, or not whole"),
        (game()[:-2048], "damaged, or not whole"),
        (game()[: 2 * 2048] + bytes(len(game()) - 2 * 2048), "damaged, or not whole"),
        (game().replace(b"Standard Jet DB", b"Standard ACE DB"), "version that is not known"),
        (made.head(version=9) + game()[2048:], "version that is not known"),
        (made.head(version=1, key=77) + game(jet=4)[4096:], "encrypted"),
        (game(jet=4)[:-4096], "damaged, or not whole"),
        (game(jet=4)[:30], "damaged, or not whole"),
        (made.head(key=77) + game()[2048:], "encrypted"),
        (made.database({"Section": (made.SECTION, [])}), "none of the table devices'"),
        (made.database({"ReceivedData": (made.RECEIVED, results())}), "this database has no table Section"),
        (game([]), "no results have been received yet"),
        (game(ScoringType=2), "its ScoringType is 2: only pairs scored by matchpoints"),
        (game(results(Section=9)), "a section that there is not: 9"),
        (
            made.database(
                {
                    "Section": (made.SECTION, [{"ID": 1}]),
                    "RoundData": (
                        {"Section": made.LONG, "LowBoard": made.SHORT, "HighBoard": made.SHORT},
                        [{"Section": 1, "LowBoard": 1, "HighBoard": 100}] * 501,
                    ),
                    "ReceivedData": (made.RECEIVED, results()),
                },
                per_page=60,
            ),
            "more than 50000 results, played or to come",
        ),
        (
            made.database(
                {
                    "Section": (made.SECTION, [{"ID": 1, "Letter": "A"}, {"ID": 2, "Letter": "a"}]),
                    "ReceivedData": (made.RECEIVED, results()),
                }
            ),
            "several sections are called A",
        ),
        (game(results([(1, 1, 0, 1, 1, "N", "4 S", "=", None)])), "names no board, or not both pairs"),
        (game(results([(1, 1, 1, 1, 1, "N", "4 S", "maybe", None)])), "cannot be scored"),
        (
            game(results(South=5), columns={**made.RECEIVED, "South": made.SHORT, "West": made.SHORT}),
            "the result 1 of ReceivedData does not name all four players, nor does the movement",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_two_seconds(data, message):
    begun = time.process_time()
    with pytest.raises(FormatError, match=message):
        read(source(data), format="bws")
    assert time.process_time() - begun < 2


def test_a_definition_that_goes_in_a_circle_is_refused():
    data = bytearray(game())
    own = Database(bytes(data)).tables["ReceivedData"]
    struct.pack_into("<I", data, own * made.PAGE + 4, own)
    with pytest.raises(FormatError, match="goes round in a circle"):
        read(source(bytes(data)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60 if ALL else 20))
def test_any_byte_that_is_spoilt_ends_in_a_message_or_in_a_sheet(seed):
    rnd, data = random.Random(seed), bytearray(game(jet=3 + seed % 2))
    for _ in range(20):
        data[rnd.randrange(2048 << seed % 2, len(data))] = rnd.randrange(256)
    begun = time.process_time()
    with suppress(InputError):
        read(source(bytes(data)), format="bws")
    assert time.process_time() - begun < 2


SAMPLE = SAMPLES / "bws/12tables1section.bws"


mdbtools = pytest.mark.skipif(shutil.which("mdb-export") is None, reason="mdbtools reads the same tables, if installed")


@real
@mdbtools
@pytest.mark.parametrize("table", ["Section", "Tables", "RoundData", "ReceivedData", "PlayerNumbers", "PlayerNames"])
def test_a_real_database_is_read_as_mdbtools_reads_it(table):
    _held_against_mdbtools(SAMPLE, table)


@mdbtools
def test_the_databases_of_these_tests_are_read_as_mdbtools_reads_them(tmp_path):
    path = saved(tmp_path / "names.bws", of_names())
    _held_against_mdbtools(path, "PlayerNumbers")
    _held_against_mdbtools(FIXTURES / NAME, "ReceivedData")


def _held_against_mdbtools(path: Path, table: str) -> None:
    command = ["mdb-export", "-T", "%Y-%m-%d %H:%M:%S", str(path), table]
    done = subprocess.run(command, check=True, capture_output=True)
    header, *rows = csv.reader(io.StringIO(done.stdout.decode()))
    found = Database(path.read_bytes()).rows(table, header)
    assert [[_text(value) for value in row] for row in found] == rows


def _text(value: object) -> str:
    return "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)


@real
def test_the_real_game_is_scored():
    """12 tables, 12 rounds, 24 boards, 288 rows: 281 results, and two adjusted scores, of 24 pairs with one winner."""
    boards, _ = read_play(SAMPLE)
    sheet = read(SAMPLE)
    assert len(sheet.contestants) == 24
    assert sheet.contestants["direction"].isna().all()
    assert sheet.games["boards"].iat[0] == 24
    assert boards["score"].notna().sum() + boards["ns_adjusted"].notna().sum() == len(boards)
    assert abs(sheet.contestants["percentage"].mean() - 50) < 0.5


@real
def test_a_file_is_not_written_to(tmp_path: Path):
    path = tmp_path / SAMPLE.name
    shutil.copy(SAMPLE, path)
    path.chmod(0o444)
    before = path.read_bytes(), path.stat().st_mtime_ns
    run("award", path, "--rating", "club-open")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [each.name for each in tmp_path.iterdir()] == [SAMPLE.name]


@pytest.mark.parametrize(("tables", "told"), [((1, 2, 3), True), ((1, 2), True), ((1,), False), ((7,), False)])
def test_a_movement_that_most_results_are_not_in_tells_nothing_of_what_is_to_come(tables, told):
    """Each of the nine results is at a table and round of its own; the movement has a fourth round at some tables."""
    columns = {**made.ROUNDS, "LowBoard": made.SHORT, "HighBoard": made.SHORT}
    boards = {(each[0], each[1]): each[2] for each in PLAYED}
    rounds = [
        {
            "Section": 1,
            "Table": table,
            "Round": number,
            "NSPair": table,
            "EWPair": number,
            "LowBoard": at,
            "HighBoard": at,
        }
        for table in tables
        for number in (1, 2, 3, 4)
        for at in [boards.get((number, table), 4)]
    ]
    listed = {"ID": 1, "Letter": "A", "Tables": 3, "MissingPair": 0, "ScoringType": 1, "Winners": 2}
    data = made.database(
        {
            "Section": (made.SECTION, [listed]),
            "RoundData": (columns, rounds),
            "ReceivedData": (made.RECEIVED, results()),
            "PlayerNumbers": (made.NUMBERS, players()),
        }
    )
    remarks = [each.what for each in drafted(source(data)).remarks if each.code == "boards.awaited"]
    assert [each.split(":")[0] for each in remarks] == ["the game is not over"] * told
