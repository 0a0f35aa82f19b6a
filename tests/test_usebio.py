"""USEBIO: what the standard says, as scoring programs write it, and what this package adds to it."""

from collections import Counter
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, examples, run, saved
from example_games import WEDNESDAY
from generated import HOSTILE, results, same
from hypothesis import given
from lxml import etree
from samples import SAMPLES, real

from resultproc import process
from resultproc.formats.read import read, read_play
from resultproc.formats.registry import detect
from resultproc.formats.usebio.elements import walk
from resultproc.formats.usebio.writer import write
from resultproc.formats.write import write as write_file
from resultproc.model.errors import InputError, OutputError
from resultproc.model.frames import BOARDS, Result, Sheet
from resultproc.model.source import Source
from resultproc.publish.known import site
from resultproc.publish.results_site import for_site
from resultproc.reports.check import Check, check
from resultproc.scoring.points import matchpoints, totals
from resultproc.stages.pipeline import award_sheet, with_boards

FIXTURE = FIXTURES / "usebio-example.xml"

HEAD = '<?xml version="1.0"?>\n<USEBIO Version="1.2"><CLUB><CLUB_NAME>C</CLUB_NAME></CLUB>\n'
PAIRS = "".join(
    f"<PAIR><PAIR_NUMBER>{n}</PAIR_NUMBER><PERCENTAGE>{p}</PERCENTAGE><PLACE>{place}</PLACE>"
    f"<PLAYER><PLAYER_NAME>P{n}</PLAYER_NAME></PLAYER><PLAYER><PLAYER_NAME>Q{n}</PLAYER_NAME></PLAYER></PAIR>\n"
    for n, p, place in ((1, 60, "1"), (2, 50, "2="), (3, 50, "2="), (4, 40, "4"))
)


def document(inside: str, kind: str = "PAIRS") -> str:
    return f'{HEAD}<EVENT EVENT_TYPE="{kind}">\n{inside}</EVENT></USEBIO>'


def game_file(folder: Path, text: str | bytes, name: str = "game.xml") -> Path:
    return saved(folder / name, text)


def again(folder: Path, result: Result) -> Result:
    return Result(*read(game_file(folder, write(result)), format="usebio"))


def problem(folder: Path, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(game_file(folder, text), format="usebio")
    return str(caught.value)


def test_the_example_is_read_whole() -> None:
    assert detect(FIXTURE).name == "usebio"
    games, contestants = read(FIXTURE)
    game = games.iloc[0]
    assert (game["event"], game["club"]) == ("Tuesday Pairs", "Llanfair & District Bridge Club")
    expected = ("2015-10-22", "pairs", "A=mitchell")
    assert (game["date"].isoformat()[:10], game["event_type"], game["movement"]) == expected
    assert (game["tables"], game["sessions"], game["boards"]) == ("A=3", 1, 3)
    columns = ["direction", "number", "percentage", "player1", "player2", "printed_section"]
    assert contestants[columns].to_numpy().tolist() == [
        ["N-S", "1", 45.83, "Gwen Pugh", "Zoë Ångström", "A=2"],
        ["N-S", "2", 87.50, "Brid O'Neill", "Ann Baker-Hall", "A=1"],
        ["N-S", "3", 20.00, "Carys Rees", "Ken Stand-In", "A=3"],
        ["E-W", "4", 54.17, "Dai Thomas", "Ffion Thomas", "A=2"],
        ["E-W", "5", 70.83, "Huw Lloyd", "Mair Lloyd", "A=1"],
        ["E-W", "6", 21.67, "Nia Parry", "Owen Parry", "A=3"],
    ]
    two = contestants.iloc[1]
    expected = ("000103", "000104", 12, "black=0.12")
    assert (two["id1"], two["id2"], two["printed_award"], two["printed_colours"]) == expected
    assert two["where"] == "line 40"


def test_its_boards_give_its_matchpoints_and_percentages() -> None:
    boards = read_play(FIXTURE)[0]
    assert len(boards) == 9
    adjusted = boards[boards["score"].isna()][["board", "ns", "ew", "ns_adjusted", "ew_adjusted"]]
    assert adjusted.to_numpy().tolist() == [[3, "3", "6", 60.0, 40.0]]
    # British sheets give two matchpoints for each result beaten: 3.5 on board 3 is (2 + 1) x 3 / 2 - 1.
    points = matchpoints(boards)
    assert (points["ns"] * 2).tolist() == pytest.approx(boards["printed_ns"].tolist())
    assert (points["ew"] * 2).tolist() == pytest.approx(boards["printed_ew"].tolist())
    contestants = read(FIXTURE).contestants
    computed = totals(boards, points, contestants)["percentage"].round(2)
    assert computed.tolist() == contestants["percentage"].tolist()


def test_what_was_read_is_written_with_its_boards(tmp_path: Path) -> None:
    sheet, boards = read(FIXTURE), read_play(FIXTURE)[0]
    path = game_file(tmp_path, write(Result(*sheet, boards=boards)), FIXTURE.name)
    same(Result(*read(path)), Result(*sheet))
    pd.testing.assert_frame_equal(read_play(path)[0], boards)


def test_an_awarded_sheet_reads_back_and_awards_the_same(tmp_path: Path) -> None:
    result = process(game_file(tmp_path, WEDNESDAY, "wednesday.csv"))
    path = game_file(tmp_path, write(result), "wednesday.xml")
    read_again = award_sheet(read(path))
    pd.testing.assert_frame_equal(read_again.awards, result.awards)
    tree = etree.fromstring(path.read_bytes())
    # 140.50 leads the nine N-S and wins 0.90; 133 is 2nd, 130 3rd.
    first = tree.find(".//PAIR")
    assert [first.findtext(tag) for tag in ("PAIR_NUMBER", "DIRECTION", "TOTAL_SCORE", "PLACE")] == [
        "1NS", "NS", "140.5", "1",
    ]  # fmt: skip
    assert first.findtext("MASTER_POINTS/MASTER_POINTS_AWARDED") == "90"
    assert first.findtext("MASTER_POINTS/MASTER_POINT_TYPE") == "BLACK"
    assert {pair.findtext("PAIR_NUMBER"): pair.findtext("PLACE") for pair in tree.iter("PAIR")}["6NS"] == "2"
    assert tree.findtext("EVENT/WINNER_TYPE") == "2"
    assert tree.findtext("EVENT/DATE") == "18/04/2012"


@examples(40)
@given(result=results())
def test_any_sheet_reads_back(tmp_path: Path, result: Result) -> None:
    same(again(tmp_path, result), result)


@pytest.mark.parametrize(
    "name", ["event/made-final-1.ACM", "made-sections.ACM", "made-fund.txt", "knockout-example.csv"]
)
def test_games_of_other_formats_read_back(tmp_path: Path, name: str) -> None:
    sheet = read(FIXTURE.parent / name)
    games = sheet.games.assign(source="any.csv")
    same(again(tmp_path, Result(games, sheet.contestants)), Result(games, sheet.contestants))


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_and_nothing_else(tmp_path: Path, name: str) -> None:
    sheet = read(FIXTURE)
    contestants = sheet.contestants.assign(player1=name)
    data = write(Result(sheet.games.assign(event=name), contestants))
    tree = etree.fromstring(data)
    assert {element.text for element in tree.iterfind(".//PLAYER[1]/PLAYER_NAME")} == {name}
    assert len(list(tree.iter("PLAYER"))) == 2 * len(contestants)
    read_back = read(game_file(tmp_path, data), format="usebio")
    assert set(read_back.contestants["player1"]) == {name}
    assert read_back.games["event"].tolist() == [name]


def test_an_instruction_cannot_be_ended_early(tmp_path: Path) -> None:
    sheet = read(FIXTURE)
    games = sheet.games.assign(session='x"?><PAIR/>')
    assert again(tmp_path, Result(games, sheet.contestants)).games["session"].tolist() == ['x"?><PAIR/>']


def test_one_winner_whatever_the_directions(tmp_path: Path) -> None:
    pairs = PAIRS.replace("<PAIR_NUMBER>2</PAIR_NUMBER>", "<PAIR_NUMBER>1EW</PAIR_NUMBER><DIRECTION>EW</DIRECTION>")
    text = document(f"<WINNER_TYPE>1</WINNER_TYPE><PARTICIPANTS>{pairs}</PARTICIPANTS>")
    games, contestants = read(game_file(tmp_path, text))
    assert contestants["direction"].isna().all()
    assert contestants["number"].tolist() == ["1", "1EW", "3", "4"]
    assert contestants["printed_section"].tolist() == ["A=1", "A=2/3", "A=2/3", "A=4"]
    assert games["movement"].tolist() == ["A=howell"]


def test_numbers_that_end_in_their_direction_lose_it(tmp_path: Path) -> None:
    pairs = "".join(
        f"<PAIR><PAIR_NUMBER>{n}{d}</PAIR_NUMBER><DIRECTION>{d}</DIRECTION><TOTAL_SCORE>-{n}.5</TOTAL_SCORE></PAIR>"
        for d in ("NS", "EW")
        for n in (1, 2)
    )
    lines = "<TRAVELLER_LINE><NS_PAIR_NUMBER>2NS</NS_PAIR_NUMBER><EW_PAIR_NUMBER>1EW</EW_PAIR_NUMBER><SCORE>-50</SCORE>"
    text = document(
        f"<PARTICIPANTS>{pairs}</PARTICIPANTS><BOARD><BOARD_NUMBER>7</BOARD_NUMBER>{lines}</TRAVELLER_LINE></BOARD>",
        "BUTLER_PAIRS",
    )
    path = game_file(tmp_path, text)
    assert read(path).contestants[["direction", "number", "score"]].to_numpy().tolist() == [
        ["N-S", "1", -1.5], ["N-S", "2", -2.5], ["E-W", "1", -1.5], ["E-W", "2", -2.5],
    ]  # fmt: skip
    assert read_play(path)[0][["board", "ns", "ew", "score"]].to_numpy().tolist() == [[7, "2", "1", -50.0]]


def test_teams_play_their_matches_by_their_pairs(tmp_path: Path) -> None:
    teams = "".join(
        f'<TEAM TEAM_ID="{n}" TEAM_NAME="T"><TOTAL_SCORE>{vp}</TOTAL_SCORE>'
        + "".join(
            f"<PAIR><PAIR_NUMBER>{n}-{seats}</PAIR_NUMBER>"
            + "".join(f"<PLAYER><PLAYER_NAME>P{n}{s}</PLAYER_NAME></PLAYER>" for s in seats.split("-"))
            + "</PAIR>"
            for seats in ("1-2", "3-4")
        )
        + "</TEAM>"
        for n, vp in ((1, 12), (2, 8))
    )
    rooms = (
        "<TRAVELLER_LINE><DIRECTION>NS</DIRECTION><NS_PAIR_NUMBER>1-1-2</NS_PAIR_NUMBER>"
        "<EW_PAIR_NUMBER>2-3-4</EW_PAIR_NUMBER><SCORE>420</SCORE></TRAVELLER_LINE>"
        "<TRAVELLER_LINE><DIRECTION>EW</DIRECTION><SCORE>-50</SCORE></TRAVELLER_LINE>"
    )
    text = document(
        "<BOARD_SCORING_METHOD>IMPS</BOARD_SCORING_METHOD><SESSION><PARTICIPANTS>" + teams + "</PARTICIPANTS>"
        "<MATCH><TEAM>1</TEAM><OPPOSING_TEAM>2</OPPOSING_TEAM>"
        f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{rooms}</BOARD></MATCH></SESSION>",
        "TEAMS",
    )
    path = game_file(tmp_path, text)
    games, contestants = read(path)
    assert games["event_type"].tolist() == ["swiss"]
    assert contestants[["number", "player1", "player4", "score"]].to_numpy().tolist() == [
        ["1", "P11", "P14", 12.0], ["2", "P21", "P24", 8.0],
    ]  # fmt: skip
    assert read_play(path)[0][["ns", "ew", "score"]].to_numpy().tolist() == [["1", "2", 420.0], ["2", "1", -50.0]]
    by_points = text.replace(">IMPS<", ">PAB<")
    assert read(game_file(tmp_path, by_points)).games["event_type"].tolist() == ["bam"]


@pytest.mark.parametrize("text", ["22-10-2015", "22-Oct-2015", "2015-10-22", "22/10/2015"])
def test_dates_with_dashes(tmp_path: Path, text: str) -> None:
    text = document(f"<DATE>{text}</DATE><PARTICIPANTS>{PAIRS}</PARTICIPANTS>")
    assert read(game_file(tmp_path, text)).games["date"].tolist() == [pd.Timestamp(2015, 10, 22)]


MEANS = PAIRS.replace(">60<", ">1.25<").replace(">50<", ">0<").replace(">40<", ">-1.25<")


@pytest.mark.parametrize(
    ("kind", "method"), [("CROSS_IMP", ""), ("BUTLER_PAIRS", ""), ("PAIRS", "<SCORING_METHOD>IMPS</SCORING_METHOD>")]
)
def test_means_of_imps_are_scores(tmp_path: Path, kind: str, method: str) -> None:
    text = document(f"{method}<PARTICIPANTS>{MEANS}</PARTICIPANTS>", kind)
    contestants = read(game_file(tmp_path, text)).contestants
    assert contestants["score"].tolist() == [1.25, 0, 0, -1.25]
    assert contestants["percentage"].isna().all()
    totals = text.replace("<PLACE>", "<TOTAL_SCORE>7</TOTAL_SCORE><PLACE>")
    contestants = read(game_file(tmp_path, totals)).contestants
    assert contestants["score"].tolist() == [7] * 4
    assert contestants["percentage"].isna().all()


def test_percentages_of_matchpoints_are_not_below_zero(tmp_path: Path) -> None:
    said = problem(tmp_path, document(f"<PARTICIPANTS>\n{MEANS}</PARTICIPANTS>", "MP_PAIRS"))
    assert "line 8: percentage out of range: -1.25" in said
    percentages = read(game_file(tmp_path, document(f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>", "CROSS_IMP"))).contestants
    assert percentages["percentage"].tolist() == [60, 50, 50, 40]


PAID = PAIRS.replace("<PLACE>", "<MASTER_POINTS_AWARDED>12</MASTER_POINTS_AWARDED><PLACE>", 1)
GREEN = "<MASTER_POINT_TYPE>GREEN</MASTER_POINT_TYPE>"


def test_other_awards_are_no_factor_of_ours(tmp_path: Path) -> None:
    # Wednesday's awards, twice over: of black points a rating may be wrong, of green ones nothing follows.
    result = process(game_file(tmp_path, WEDNESDAY, "wednesday.csv"))
    twice = result.contestants.assign(printed_award=2 * result.awards["masterpoints"].astype("Int64"))
    said = "2.00 times"
    assert said in " ".join(map(str, award_sheet(Sheet(result.games, twice)).remarks))
    others = result.games.assign(stored_other_awards="green")
    assert said not in " ".join(map(str, award_sheet(Sheet(others, twice)).remarks))


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
def test_a_player_without_a_name_is_remarked_on_and_read_back(tmp_path: Path, ending: str) -> None:
    numbered = PAIRS.replace("<PLAYER_NAME>P3</PLAYER_NAME>", "<NATIONAL_ID_NUMBER>103</NATIONAL_ID_NUMBER>")
    path = game_file(tmp_path, document(f"<PARTICIPANTS>{numbered}</PARTICIPANTS>"))
    said = "A 3 has a player without a name, whose member number is 103"
    assert said in " ".join(map(str, check(path).remarks))
    copy = tmp_path / f"copy.{ending}"
    write_file(Result(*read(path)), copy)
    again = read(copy).contestants
    assert again.loc[2, ["number", "id1", "player2"]].tolist() == ["3", "103", "Q3"]
    assert again["player1"].isna().tolist() == [False, False, True, False]


@pytest.mark.slow
@pytest.mark.parametrize(
    "inside",
    [
        f"<PARTICIPANTS>{PAID.replace('<PLAYER>', GREEN + '<PLAYER>', 1)}</PARTICIPANTS>",
        f"{GREEN}<PARTICIPANTS>{PAID}</PARTICIPANTS>",
    ],
    ids=["pair", "event"],
)
def test_of_other_awards_the_places_are_checked_without_a_rating(tmp_path: Path, inside: str) -> None:
    path = game_file(tmp_path, document(inside))
    games, contestants = read(path)
    assert games["stored_other_awards"].tolist() == ["green"]
    assert contestants["printed_award"].fillna(0).tolist() == [12, 0, 0, 0]
    found = check(path)
    assert (found.differences.empty, found.problems) == (True, [])
    assert found.files[["ranks_and_awards", "ranks_and_awards_agree"]].to_numpy().tolist() == [[4, 4]]
    said = "green points are another body's: places are compared, and awards are not"
    assert [each.what for each in found.remarks] == [said]
    # The awards stay when the game is written, and so does what they are.
    assert again(tmp_path, Result(games, contestants)).games["stored_other_awards"].tolist() == ["green"]
    game_file(tmp_path, document(inside.replace("<PLACE>4", "<PLACE>3")))
    [row] = check(path).differences.to_dict("records")
    assert (row["number"], row["what"], row["printed"], row["computed"]) == ("4", "section rank", "A=3", "A=4")


@pytest.mark.slow
@real
@pytest.mark.parametrize(("name", "pairs"), [("usebio01", 8), ("usebio03", 13)])
def test_the_places_of_real_uploads_follow_from_their_scores(name: str, pairs: int) -> None:
    found = check(SAMPLES / "usebio" / f"{name}.xml")
    assert not found.problems
    assert found.files[["ranks_and_awards", "ranks_and_awards_agree"]].to_numpy().tolist() == [[pairs, pairs]]


def test_individuals(tmp_path: Path) -> None:
    players = "".join(
        f"<PLAYER><PLAYER_NUMBER>{n}</PLAYER_NUMBER><PERCENTAGE>50</PERCENTAGE><PLAYER_NAME>P{n}</PLAYER_NAME></PLAYER>"
        for n in range(1, 9)
    )
    board = (
        "<BOARD><BOARD_NUMBER>1</BOARD_NUMBER><TRAVELLER_LINE><N_PLAYER_NUMBER>1</N_PLAYER_NUMBER>"
        "<SCORE>80</SCORE></TRAVELLER_LINE></BOARD>"
    )
    path = game_file(tmp_path, document(f"<PARTICIPANTS>{players}</PARTICIPANTS>{board}", "INDIVIDUAL"))
    games, contestants = read(path)
    assert (games["event_type"].tolist(), games["tables"].tolist()) == (["individual"], ["A=2"])
    assert contestants["player1"].tolist() == [f"P{n}" for n in range(1, 9)]
    assert read_play(path)[0].empty


def test_what_was_added_counts_like_declarations(tmp_path: Path) -> None:
    added = '<?resultproc {"rating": "club-open", "tables": "2", "movement": null}?>'
    text = document(f"{added}<PARTICIPANTS>{PAIRS}</PARTICIPANTS>")
    path = game_file(tmp_path, text)
    (tmp_path / "game.toml").write_text('rating = "stac"\nboards = 24\n')
    game = read(path).games.iloc[0]
    assert (game["rating"], game["tables"], game["boards"], pd.isna(game["movement"])) == ("club-open", "2", 24, True)


NO_ENTITY = "entities are not allowed: 'a'"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '<?xml version="1.0"?>\n<!DOCTYPE USEBIO [\n<!ENTITY a "aaaa">]>\n<USEBIO>&a;</USEBIO>',
            f"line 3: {NO_ENTITY}",
        ),
        ('<!DOCTYPE USEBIO [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<USEBIO>&a;</USEBIO>', f"line 1: {NO_ENTITY}"),
        ('<!DOCTYPE USEBIO [\n\n<!ENTITY % a SYSTEM "http://x/">\n%a;]>\n<USEBIO/>', f"line 3: {NO_ENTITY}"),
        (document(f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>").replace("P3<", "&eacute;<"), "Entity 'eacute' not defined"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused_by_line(tmp_path: Path, text: str, said: str, encoding: str) -> None:
    assert said in problem(tmp_path, text.encode(encoding))


def test_an_entity_that_only_the_type_definition_could_explain_is_refused(tmp_path: Path) -> None:
    text = document(f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>").replace("P3<", "Ren&eacute;e<")
    text = text.replace("<USEBIO", '<!DOCTYPE USEBIO SYSTEM "http://x/usebio_v1_2.dtd">\n<USEBIO', 1)
    assert "line 7: unknown entity: '&eacute;'" in problem(tmp_path, text)


def test_a_billion_laughs_ends_at_the_first(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    text = f'<?xml version="1.0"?>\n<!DOCTYPE USEBIO [\n<!ENTITY l0 "ha">\n{laughs}]>\n<USEBIO>&l9;</USEBIO>'
    assert "line 3: entities are not allowed: 'l0'" in problem(tmp_path, text)


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("<PARTICIPANTS/>", "line 3: this event lists no participants"),
        ("<PARTICIPANTS>\n<PAIR><PERCENTAGE>5</PERCENTAGE></PAIR></PARTICIPANTS>", "line 5: this <PAIR> has no number"),
        (
            "<PARTICIPANTS>\n<PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PERCENTAGE>1OO</PERCENTAGE></PAIR></PARTICIPANTS>",
            "line 5: PERCENTAGE: invalid number: '1OO'",
        ),
        (f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>".replace(">60<", ">101<"), "line 4: percentage out of range: 101.0"),
        (f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>".replace("<PERCENTAGE>60</PERCENTAGE>", ""), "line 4: this <PAIR> "),
        (f"<PARTICIPANTS>{PAIRS}{PAIRS}</PARTICIPANTS>", "line 8: contestant A 1 appears twice, first in line 4"),
        (f"<DATE>31/02/2015</DATE><PARTICIPANTS>{PAIRS}</PARTICIPANTS>", "line 4: DATE: invalid date: '31/02/2015'"),
        (f"<SESSION_COUNT>x</SESSION_COUNT><PARTICIPANTS>{PAIRS}</PARTICIPANTS>", "line 4: SESSION_COUNT: invalid"),
        (
            f"<SESSION><PARTICIPANTS>{PAIRS}</PARTICIPANTS></SESSION><SESSION><PARTICIPANTS/></SESSION>",
            "line 8: the participants of a second session",
        ),
        (f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS><BOARD>\n<TRAVELLER_LINE/></BOARD>", "line 8: this board has no number"),
        (
            f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>\n<TRAVELLER_LINE/></BOARD>",
            "line 9: this result does not name both pairs",
        ),
        (
            f"<PARTICIPANTS>{PAIRS}</PARTICIPANTS>".replace(
                "<PLACE>1", "<MASTER_POINTS_AWARDED>1.5</MASTER_POINTS_AWARDED><PLACE>1"
            ),
            "line 4: MASTER_POINTS_AWARDED: invalid award: '1.5'",
        ),
        (f"<?resultproc no?>\n<PARTICIPANTS>{PAIRS}</PARTICIPANTS>", "line 4: this <?resultproc ...?> cannot be read"),
        (f'<?resultproc {{"ratin": "stac"}}?>\n<PARTICIPANTS>{PAIRS}</PARTICIPANTS>', "line 4: unknown column"),
        (f'<?resultproc {{"rating": "stack"}}?>\n<PARTICIPANTS>{PAIRS}</PARTICIPANTS>', "line 4: rating: unknown"),
        (
            f'<PARTICIPANTS>{PAIRS}</PARTICIPANTS>'.replace("<PAIR>", '<PAIR><?resultproc {"mp1": "x"}?>', 1),
            'line 4: invalid mp1: "x"',
        ),
        (
            f'<PARTICIPANTS>{PAIRS}</PARTICIPANTS>'.replace("<PAIR>", '<PAIR><?resultproc {"player1": "\\ud800"}?>', 1),
            "line 4: invalid player1: ",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_line(tmp_path: Path, inside: str, said: str) -> None:
    assert f"game.xml: {said}" in problem(tmp_path, document(inside))


@pytest.mark.parametrize(("written", "award"), [("24", 24), ("24.0", 24), ("0.12", 12), ("1.50", 150)])
def test_awards_are_hundredths_or_masterpoints_with_two_decimals(tmp_path: Path, written: str, award: int) -> None:
    paid = f"<MASTER_POINTS_AWARDED>{written}</MASTER_POINTS_AWARDED><PLACE>1"
    found = read(
        saved(tmp_path / "game.xml", document(f"<PARTICIPANTS>{PAIRS.replace('<PLACE>1', paid)}</PARTICIPANTS>"))
    )
    assert found.contestants["printed_award"].iloc[0] == award


def test_a_dash_stands_for_nothing(tmp_path: Path) -> None:
    dashes = "<NATIONAL_ID_NUMBER>-</NATIONAL_ID_NUMBER></PLAYER>"
    paid = "<MASTER_POINTS_AWARDED>-</MASTER_POINTS_AWARDED><PLACE>1"
    inside = PAIRS.replace("</PLAYER>", dashes).replace("<PLACE>1", paid)
    found = read(saved(tmp_path / "game.xml", document(f"<PARTICIPANTS>{inside}</PARTICIPANTS>"))).contestants
    assert found["printed_award"].isna().all()
    assert "id1" not in found


def test_what_is_no_usebio_at_all(tmp_path: Path) -> None:
    assert "line 1: its root is <html>" in problem(tmp_path, "<html/>")
    assert "line 4: this is an event of type RUBBER" in problem(
        tmp_path, HEAD + "\n<EVENT EVENT_TYPE='RUBBER'/></USEBIO>"
    )
    assert "no event found" in problem(tmp_path, HEAD + "</USEBIO>")
    assert "this XML cannot be read" in problem(tmp_path, document("<PARTICIPANTS>"))
    blank = problem(tmp_path, '\n<?xml version="1.0" encoding="utf-8"?><USEBIO/>')
    assert "(delete what stands before '<?xml', blanks and blank lines too)" in blank
    assert "its encoding cannot be read" in problem(tmp_path, '<?xml version="1.0" encoding="utf-99"?><USEBIO/>')
    assert "more than 100000 elements in one place" in problem(tmp_path, HEAD + "<NOTES>" + "<x/>" * 100_001)


def test_a_long_document_is_held_in_part_only() -> None:
    file = BytesIO(b"<USEBIO>" + b"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER></BOARD>" * 20_000 + b"</USEBIO>")
    parents = (element.getparent() for step, element in walk(file, ["USEBIO"], {}) if step == "record")
    held = [len(parent) for parent in parents if parent is not None]
    assert len(held) == 20_000
    assert max(held) < 2_000  # what one block of the file that is read ahead holds


def test_an_adjusted_score_that_cannot_be_spelt(tmp_path: Path) -> None:
    sheet, boards = read(FIXTURE), read_play(FIXTURE)[0]
    with pytest.raises(OutputError, match="whole percents below 100"):
        write(Result(*sheet, boards=BOARDS.conform(boards.assign(ns_adjusted=boards["ns_adjusted"] * 2))))


@pytest.mark.slow
def test_convert_and_batch_write_it(tmp_path: Path) -> None:
    source = game_file(tmp_path, WEDNESDAY, "wednesday.csv")
    assert run("convert", source, tmp_path / "wednesday.xml").status == 0
    same(Result(*read(tmp_path / "wednesday.xml")), Result(*read(source)))
    assert run("batch", source, "-o", tmp_path / "out", "--to", "usebio").status == 0
    (written,) = (tmp_path / "out").glob("*.xml")
    awards = read(written).contestants["printed_award"]
    assert awards.max() == 90  # 0.90 for first of nine


@pytest.mark.slow
def test_boards_go_with_their_game_from_file_to_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FIXTURE.with_name("made-wednesday.json")
    expected = read_play(source)[0]
    run("convert", source, tmp_path / "game.xml")
    run("award", source, "-o", tmp_path / "awarded.xml")
    run("batch", source, "-o", tmp_path / "out", "--to", "usebio")
    (batch,) = (tmp_path / "out").glob("**/*.xml")
    order = ["board", "ns", "ew"]
    for path in (tmp_path / "game.xml", tmp_path / "awarded.xml", batch):
        found = read_play(path)[0]
        assert len(found) == len(expected) == 90
        scores = [frame.sort_values(order).reset_index(drop=True)[[*order, "score"]] for frame in (found, expected)]
        pd.testing.assert_frame_equal(*scores)


# As scoring programs write it: what they print is compared by the method that they used.


def shares(path: Path, **keys: str) -> list[tuple[int, int]]:
    (row,) = checked(path.read_bytes(), **keys).files.to_dict("records")
    return [(row[name], row[f"{name}_agree"]) for name in ("ranks_and_awards", "board_results", "totals")]


@cache
def checked(data: bytes, **keys: str) -> Check:
    """Return what comes of checking a file, which is done once for all that is asked of it."""
    return check(Source("game.xml", data), rating="club-open", **keys)


def told(path: Path, **keys: str) -> list[str]:
    return [each.what for each in checked(path.read_bytes(), **keys).remarks]


def traveller(number: int, *results: tuple[str, str, str, float, float]) -> str:
    lines = "".join(
        f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
        f"<SCORE>{score}</SCORE><NS_MATCH_POINTS>{a}</NS_MATCH_POINTS><EW_MATCH_POINTS>{b}</EW_MATCH_POINTS>"
        "</TRAVELLER_LINE>"
        for ns, ew, score, a, b in results
    )
    return f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{lines}</BOARD>"


def pairs(**percentages: float) -> str:
    listed = "".join(
        f"<PAIR><PAIR_NUMBER>{name[1:]}</PAIR_NUMBER><PERCENTAGE>{percentage}</PERCENTAGE>"
        f"<PLAYER><PLAYER_NAME>{name} One</PLAYER_NAME></PLAYER><PLAYER><PLAYER_NAME>{name} Two</PLAYER_NAME></PLAYER>"
        "</PAIR>\n"
        for name, percentage in percentages.items()
    )
    return f"<PARTICIPANTS>{listed}</PARTICIPANTS>"


def sections(**inside: str) -> str:
    parts = "".join(f'<SECTION SECTION_ID="{name}">{text}</SECTION>' for name, text in inside.items())
    return document(f"<WINNER_TYPE>1</WINNER_TYPE><SESSION>{parts}</SESSION>", "MP_PAIRS")


# One board at two tables in each of two sections: 420 and 170, 450 and -50. Two points for each of the three others
# that a result beats: 4, 2, 6 and 0. So section A has 50 and B has, too; but its best has 100, not 67.
ACROSS = sections(
    A=pairs(p1=66.67, p2=33.33, p3=33.33, p4=66.67) + traveller(1, ("1", "3", "420", 4, 2), ("2", "4", "170", 2, 4)),
    B=pairs(p5=100, p6=0, p7=0, p8=100) + traveller(1, ("5", "7", "450", 6, 0), ("6", "8", "-50", 0, 6)),
)
# The same compared within each section alone.
APART = sections(
    A=pairs(p1=100, p2=0, p3=0, p4=100) + traveller(1, ("1", "3", "420", 2, 0), ("2", "4", "170", 0, 2)),
    B=pairs(p5=100, p6=0, p7=0, p8=100) + traveller(1, ("5", "7", "450", 2, 0), ("6", "8", "-50", 0, 2)),
)
# 420 and 400 beat 170 and -50: A's pairs have 5, 4 and 1, 2 of 6, two of them in each direction.
UNEVEN = sections(
    A=pairs(p1=100, p2=66.67, p3=0, p4=33.33) + traveller(1, ("1", "3", "420", 6, 0), ("2", "4", "400", 4, 2)),
    B=pairs(p5=33.33, p6=0, p7=66.67, p8=100) + traveller(1, ("5", "7", "170", 2, 4), ("6", "8", "-50", 0, 6)),
)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "with_a"), [(ACROSS, True), (UNEVEN, True), (APART, False)])
def test_printed_points_tell_which_sections_are_scored_together(tmp_path: Path, text: str, with_a: bool) -> None:
    path = game_file(tmp_path, text)
    boards = read_play(path)[0]
    assert boards["scored_with"].eq("A").tolist() == [False, False, with_a, with_a]
    assert shares(path)[1:] == [(8, 8), (8, 8)]
    assert told(path) == []
    found = with_boards(Result(*read(path)), [path])
    assert found.travellers["traveller"].nunique() == (1 if with_a else 2)
    assert found.scorecards.groupby("contestant")["total_percentage"].last().round(2).tolist() == (
        found.contestants["percentage"].tolist()
    )


@pytest.mark.slow
def test_directions_of_sections_that_are_scored_together_have_other_means(tmp_path: Path) -> None:
    text = UNEVEN.replace("<WINNER_TYPE>1", "<WINNER_TYPE>2")
    for number in range(1, 9):
        side = "NS" if number in {1, 2, 5, 6} else "EW"
        text = text.replace(f">{number}</PAIR_NUMBER>", f">{number}</PAIR_NUMBER><DIRECTION>{side}</DIRECTION>")
    assert told(game_file(tmp_path, text)) == []
    assert "the mean percentage of section" in str(told(game_file(tmp_path, text.replace("MATCH_POINTS", "X"))))


# Three results of each of two boards, of which the second has one that was adjusted: two others are left to beat, so
# its top is 2 where that of the first is 4.
SHORT = (
    traveller(1, ("1", "4", "420", 4, 0), ("2", "5", "170", 2, 2), ("3", "6", "-50", 0, 4))
    + traveller(2, ("1", "5", "100", 2, 0), ("2", "6", "50", 0, 2), ("3", "4", "A5050", 1, 1))
)  # fmt: skip


@pytest.mark.slow
def test_boards_that_are_worth_less_are_compared_so(tmp_path: Path) -> None:
    # 6, 2 and 1 of 6; 0 + 1, 2 + 0 and 4 + 2.
    listed = pairs(p1=100, p2=33.33, p3=16.67, p4=16.67, p5=33.33, p6=100)
    path = game_file(tmp_path, document(listed + SHORT, "MP_PAIRS"))
    assert shares(path)[1:] == [(12, 12), (6, 6)]
    (said,) = told(path)
    assert "without the factor of Law 78A" in said
    found = with_boards(Result(*read(path)), [path])
    second = found.travellers[found.boards["board"].iloc[found.travellers["result"]].to_numpy() == 2]
    assert second["top"].tolist() == [2, 2, 2]
    assert sorted(second["ns_percentage"]) == [0, 50, 100]


@pytest.mark.slow
def test_points_without_the_factor_that_the_totals_have(tmp_path: Path) -> None:
    # With the factor the second board has (2 + 1) x 3 / 2 - 1 = 3.5, 0.5 and 2 of 4: 7.5, 2.5 and 2 of 8.
    listed = pairs(p1=93.75, p2=31.25, p3=25, p4=25, p5=31.25, p6=93.75)
    # What was adjusted is half of the full top.
    path = game_file(tmp_path, document(listed + SHORT, "MP_PAIRS"))
    assert shares(path)[1:] == [(12, 12), (6, 6)]
    (said,) = told(path)
    assert "without the factor of Law 78A that the totals have" in said
    found = with_boards(Result(*read(path)), [path])
    assert found.scorecards.groupby("contestant")["total_percentage"].last().tolist() == (
        found.contestants["percentage"].tolist()
    )


@pytest.mark.slow
@real
@pytest.mark.parametrize(
    ("name", "expected", "remarks"),
    [
        ("lists/m01-across-sections", [(8, 8), (16, 16), (8, 8)], ["no contract scores -620 with this"]),
        ("lists/m02-adjusted-lower-top", [(8, 8), (16, 16), (8, 8)], ["without the factor", "no contract"]),
        ("lists/m03-ebu-black", [(6, 6), (0, 0), (0, 0)], ["black points are another body's"]),
        ("lists/m04-session-count-2", [(6, 6), (0, 0), (0, 0)], ["SESSION_COUNT is 2"]),
        ("lists/m10-individual-boards", [(8, 8), (4, 4), (0, 0)], ["none of the totals follows"]),
        ("lists/m11-imps-scaled-sit-out", [(5, 5), (8, 8), (5, 5)], ["scaled to as many", "no contract"]),
        (
            "usebio/usebio02",
            [(38, 38), (1024, 1024), (76, 76)],
            ["that the totals have", "points are of the ABF", "these leads are cards of declarer's side"],
        ),
    ],
)
def test_what_programs_print_agrees(name: str, expected: list[tuple[int, int]], remarks: list[str]) -> None:
    path = SAMPLES / f"{name}.xml"
    keys = {"boards": "24"} if "m04" in name else {}
    assert shares(path, **keys) == expected
    said = told(path, **keys)
    assert len(said) == len(remarks)
    assert all(part in what for part, what in zip(remarks, said, strict=True))


@pytest.mark.slow
@real
def test_scorecards_of_points_without_the_factor_end_in_the_totals_with_it() -> None:
    path = SAMPLES / "usebio/usebio02.xml"
    found = with_boards(Result(*read(path)), [path])
    last = found.scorecards.groupby("contestant")["total_percentage"].last()
    assert last.round(2).tolist() == found.contestants["percentage"].tolist()


TEAMS = (
    "<SESSION><PARTICIPANTS>{teams}</PARTICIPANTS><MATCH><TEAM>1</TEAM><OPPOSING_TEAM>2</OPPOSING_TEAM>{board}</MATCH>"
    "</SESSION>"
).format(
    teams="".join(
        f'<TEAM TEAM_ID="{team}"><TOTAL_SCORE>{score}</TOTAL_SCORE>'
        + "".join(
            f"<PAIR><PAIR_NUMBER>{pair}</PAIR_NUMBER><PLAYER><PLAYER_NAME>{pair} One</PLAYER_NAME></PLAYER>"
            f"<PLAYER><PLAYER_NAME>{pair} Two</PLAYER_NAME></PLAYER></PAIR>"
            for pair in pairs_of
        )
        + "</TEAM>"
        for team, score, pairs_of in ((1, 12, "ab"), (2, 8, "cd"))
    ),
    board=traveller(7, ("a", "d", "-420", -5, 5), ("c", "b", "-450", -5, 5)).replace("MATCH_POINTS", "CROSS_IMPS"),
)


def test_a_team_has_the_results_of_both_its_pairs(tmp_path: Path) -> None:
    path = game_file(tmp_path, document(TEAMS, "TEAMS"))
    cards = with_boards(Result(*read(path)), [path]).scorecards
    mine = cards[cards["contestant"] == 0].sort_values("side")
    assert mine[["side", "score", "points"]].to_numpy().tolist() == [["E-W", 450, 5], ["N-S", -420, -5]]
    assert mine["total"].isna().all()  # what two pairs got is no total of the team


@pytest.mark.slow
def test_individuals_have_their_boards_with_each_partner(tmp_path: Path) -> None:
    players = "".join(
        f"<PLAYER><PLAYER_NUMBER>{n}</PLAYER_NUMBER><PERCENTAGE>{p}</PERCENTAGE><PLAYER_NAME>P{n}</PLAYER_NAME></PLAYER>"
        for n, p in ((1, 50), (2, 100), (3, 0), (4, 50), (5, 50), (6, 0), (7, 100), (8, 50))
    )
    seats = "".join(f"<{seat}_PLAYER_NUMBER>{{}}</{seat}_PLAYER_NUMBER>" for seat in "NSEW")

    def line(sat: str, score: int, north_south: int, east_west: int) -> str:
        points = f"<NS_MATCH_POINTS>{north_south}</NS_MATCH_POINTS><EW_MATCH_POINTS>{east_west}</EW_MATCH_POINTS>"
        return f"<TRAVELLER_LINE>{seats.format(*sat)}<SCORE>{score}</SCORE>{points}</TRAVELLER_LINE>"

    boards = [[line("1234", 420, 2, 0), line("5678", 170, 0, 2)], [line("1324", -50, 0, 2), line("5768", 50, 2, 0)]]
    listed = "".join(
        f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{''.join(lines)}</BOARD>"
        for number, lines in enumerate(boards, 1)
    )
    path = game_file(tmp_path, document(f"<PARTICIPANTS>{players}</PARTICIPANTS>{listed}", "INDIVIDUAL"))
    assert shares(path)[1:] == [(8, 8), (8, 8)]
    found = with_boards(Result(*read(path)), [path])
    mine = found.scorecards[found.scorecards["contestant"] == 1]  # player 2: S of 1, then E against 1 and 3
    columns = ["side", "partner", "opponents", "opponents_partner", "points", "total"]
    assert mine[columns].to_numpy().tolist() == [["N-S", 0, 2, 3, 2, 2], ["E-W", 3, 0, 2, 2, 4]]
    again_read = again(tmp_path, found)
    pd.testing.assert_frame_equal(read_play(tmp_path / "game.xml")[0], found.boards)
    assert again_read.games["event_type"].tolist() == ["individual"]


@pytest.mark.slow
def test_totals_that_hold_more_than_the_boards_are_told_once(tmp_path: Path) -> None:
    listed = pairs(p1=61, p2=52, p3=48, p4=39)
    path = game_file(
        tmp_path, document(listed + traveller(1, ("1", "3", "420", 2, 0), ("2", "4", "170", 0, 2)), "MP_PAIRS")
    )
    assert shares(path)[1:] == [(4, 4), (0, 0)]
    (said,) = told(path)
    assert "none of the totals follows from the boards" in said


@pytest.mark.slow
def test_several_sessions_with_one_score_count_as_one(tmp_path: Path) -> None:
    inside = [
        f"<SESSION>{pairs(p1=75, p2=25, p3=25, p4=75)}{traveller(1, ('1', '3', '420', 2, 0), ('2', '4', '170', 0, 2))}",
        f"</SESSION><SESSION>{traveller(1, ('1', '4', '50', 1, 1), ('2', '3', '50', 1, 1))}</SESSION>",
    ]
    count = "<SESSION_COUNT>2</SESSION_COUNT><WINNER_TYPE>1</WINNER_TYPE>"
    path = game_file(tmp_path, document(count + "".join(inside), "MP_PAIRS"))
    (remark,) = read(path).remarks
    assert "it counts as one" in remark.what
    assert read(path).games[["boards"]].to_numpy().tolist() == [[2]]
    assert shares(path)[1:] == [(8, 8), (4, 4)]
    assert process(path, rating="club-open").awards is not None


@pytest.mark.slow
def test_places_are_compared_where_black_points_are_not_ours(tmp_path: Path) -> None:
    black = GREEN.replace("GREEN", "BLACK")
    path = game_file(tmp_path, document(f"{black}<PARTICIPANTS>{PAID}</PARTICIPANTS>"))
    assert read(path).games["stored_other_awards"].tolist() == ["black"]
    assert check(path).problems == []
    assert [each.what for each in process(path, rating="stac", date="2012-04-18").remarks] == []
    bare = game_file(tmp_path, document(f"<PARTICIPANTS>{PAID}</PARTICIPANTS>"))
    assert read(bare).games["stored_other_awards"].tolist() == ["master"]


@pytest.mark.slow
def test_black_points_are_ours_where_the_file_says_so(tmp_path: Path) -> None:
    black = f"{GREEN.replace('GREEN', 'BLACK')}<PARTICIPANTS>{PAID}</PARTICIPANTS>"
    path = game_file(tmp_path, document(black))
    # What is declared elsewhere makes them nobody else's.
    (remark,) = check(path, rating="club-open").remarks
    assert '<?resultproc {"rating": "club-open"}?>' in remark.hint
    game_file(tmp_path, document(f'<?resultproc {{"rating": "club-open", "date": "2012-04-18"}}?>{black}'))
    found = check(path)
    assert found.problems == []
    assert not any("another body" in each.what for each in found.remarks)
    assert found.differences[["what", "printed"]].to_numpy().tolist()[0] == ["award", "0.12"]
    green = game_file(tmp_path, document(f"{GREEN}<PARTICIPANTS>{PAID}</PARTICIPANTS>"))
    either = ("abf if they are those of the ABF", "ebu-green if they are those of the EBU green points")
    hint = "declare " + " or ".join(
        f"league='{name}' if {rest}" for name, _, rest in (each.partition(" if ") for each in either)
    )
    assert [each.hint for each in check(green).remarks] == [hint]


NOT_KEPT = {
    "PROGRAM_NAME": "the program is this one now",
    "PROGRAM_VERSION": "the program is this one now",
    "BOARD_AVERAGE": "it follows from the scores of the board",
    "EVENT_TYPE of PARTICIPANTS": "it is that of the event",
    "EVENT_TYPE of BOARD": "it is that of the event",
}
"""Elements and attributes of real files that are others in what is written of them, or none."""


def contents(path: Path) -> dict[str, Counter[str]]:
    """Return the texts of each kind of element and attribute that has any, numbers and names in one spelling."""
    found: dict[str, Counter[str]] = {}
    for element in etree.parse(path).iter("*"):
        said = {str(element.tag): element.text or ""}
        said |= {f"{name} of {element.tag}": str(value) for name, value in element.items()}
        for name, value in said.items():
            text = " ".join(value.split())
            if text and name not in NOT_KEPT:
                with suppress(ValueError):
                    text = f"{float(text):g}"
                found.setdefault(name, Counter())[text.upper()] += 1
    return found


@pytest.mark.slow
@real
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("usebio/*.xml")), ids=lambda path: path.stem)
def test_what_real_files_say_is_kept_element_by_element(path: Path, tmp_path: Path) -> None:
    written = tmp_path / "again.xml"
    assert run("convert", path, written).status == 0
    before, after = contents(path), contents(written)
    told = {
        name
        for remark in read(path).remarks
        if remark.what.startswith("not read: ")
        for name in remark.what[10:].split(", ")
    }
    lost = {name: texts - after.get(name, Counter()) for name, texts in before.items() if name not in told}
    # A pair that wins no points has none, nor a type of them; a shared place is marked; a contract has one spelling.
    unpaid = lost["MASTER_POINTS_AWARDED"].pop("0", 0)
    lost["MASTER_POINT_TYPE"] -= Counter(dict.fromkeys(lost["MASTER_POINT_TYPE"], unpaid))
    lost["PLACE"] -= Counter({text: after["PLACE"][f"{text}="] for text in lost["PLACE"]})
    # A board that was passed out has neither declarer nor tricks. A number that one pair alone has needs no direction.
    passed_out = etree.parse(path).xpath("//TRAVELLER_LINE[CONTRACT = 'PASS']/PLAYED_BY/text()")
    lost["PLAYED_BY"] -= Counter(passed_out)
    lost["TRICKS"].pop("0", None)
    for tag in ("PAIR_NUMBER", "NS_PAIR_NUMBER", "EW_PAIR_NUMBER"):
        plain = Counter({number: after[tag][number.rstrip("NSEW")] for number in lost[tag]})
        lost[tag] -= plain
    spelt = Counter(text.replace(" ", "").replace("*", "X") for text in before["CONTRACT"].elements())
    lost["CONTRACT"] = spelt - after["CONTRACT"]
    assert {name: texts for name, texts in lost.items() if texts} == {}


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    """Each element or attribute that has a value is read, follows from what is, or is told of."""
    text = FIXTURE.read_bytes().decode("latin-1")
    told = "not read: PLAYER RATEABLE, NOTES, HANDSET HANDSET_ID"
    hands = "what cannot be read of the hands is not shown: board 1: East's hand is not there, or not in four suits"
    assert [remark.what for remark in read(FIXTURE).remarks] == [told, hands]
    more = text.replace("<NOTES>", "<HANDICAP>3</HANDICAP><ADJUSTMENT></ADJUSTMENT><NOTES>", 1)
    remark, _ = read(game_file(tmp_path, more.encode("latin-1"))).remarks
    assert remark.what == told.replace("RATEABLE,", "RATEABLE, HANDICAP,")
    assert remark.where == f"line {text[: text.index('RATEABLE')].count(chr(10)) + 1}"
    assert remark.code == "sheet.passed-over"
    strata = text.replace("<PLACE>", "<STRAT_NUMBER>2</STRAT_NUMBER><PLACE>", 1)
    path = game_file(tmp_path, strata.encode("latin-1"))
    other, remark, _ = read(path).remarks
    assert (other.what, remark.what) == (told, "not read: STRAT_NUMBER")
    assert "declare strata" in remark.hint
    assert remark not in read(path, strata="A=open").remarks
    many = "".join(f"<MORE{n}>1</MORE{n}>" for n in range(100))
    (remark,) = read(game_file(tmp_path, document(f"{many}<PARTICIPANTS>{PAIRS}</PARTICIPANTS>"))).remarks
    assert remark.what.endswith("MORE11 and 88 others")


@pytest.mark.parametrize(
    ("kind", "method", "scoring"),
    [
        ("PAIRS", "MATCH_POINTS", "matchpoints"),
        ("PAIRS", "CROSS_IMPS", "cross-imps"),
        ("PAIRS", "BUTLER_IMPS", "butler"),
        ("INDIVIDUAL", "AGGREGATE", "aggregate"),
        ("BUTLER_PAIRS", "CROSS_IMPS", "butler"),
        ("PAIRS", "HYBRID", None),
        ("SWISS_TEAMS", "CROSS_IMPS", None),
    ],
)
def test_the_scoring_method_says_what_the_type_does_not(
    kind: str, method: str, scoring: str | None, tmp_path: Path
) -> None:
    said = f"<BOARD_SCORING_METHOD>{method}</BOARD_SCORING_METHOD>"
    games, _ = read(game_file(tmp_path, document(f"{said}<PARTICIPANTS>{PAIRS}</PARTICIPANTS>", kind)))
    assert [None if pd.isna(each) else each for each in games["scoring"]] == [scoring]


def test_the_scale_and_the_charge_code_have_new_names_in_1_3(tmp_path: Path) -> None:
    said = "<EBU_CHARGE_CODE>22</EBU_CHARGE_CODE><EVENT_RATING>Club</EVENT_RATING><EVENT_ID>E7</EVENT_ID>"
    games, _ = read(game_file(tmp_path, document(f"{said}<PARTICIPANTS>{PAIRS}</PARTICIPANTS>")))
    assert games.loc[0, ["charge_code", "points_scale", "game_id"]].tolist() == ["22", "Club", "E7"]


def test_what_only_unions_ask_for_is_kept(tmp_path: Path) -> None:
    inside = """<EVENT_DESCRIPTION>Pairs</EVENT_DESCRIPTION><VENUE>Hall</VENUE><P2P_CHARGE_RATE>30</P2P_CHARGE_RATE>
<MASTER_POINT_SCALE>Club</MASTER_POINT_SCALE>
<CONTACT><FULL_NAME>Gwen Pugh</FULL_NAME><SCORER>Huw</SCORER><EMAIL>gwen@club.example</EMAIL></CONTACT>
"""
    text = document(f"{inside}<PARTICIPANTS>{PAIRS}</PARTICIPANTS>", "MP_PAIRS").replace(
        "</CLUB_NAME>", "</CLUB_NAME><CLUB_ID_NUMBER>4680</CLUB_ID_NUMBER>"
    )
    text = text.replace("</PLAYER_NAME>", "</PLAYER_NAME><CLUB_ID_NUMBER>299</CLUB_ID_NUMBER>", 1)
    path = game_file(tmp_path, text)
    games, contestants = read(path)
    game = games.iloc[0]
    keys = ["club_id", "charge_code", "points_scale", "contact", "scoring"]
    assert game[keys].tolist() == ["4680", "30", "Club", "Gwen Pugh", "matchpoints"]
    assert contestants["home_club1"].tolist()[0] == "299"
    written = etree.parse(BytesIO(write(Result(games, contestants))))
    said = {
        "EVENT/VENUE": "Hall", "EVENT/P2P_CHARGE_RATE": "30", "EVENT/MASTER_POINT_SCALE": "Club",
        "EVENT/CONTACT/FULL_NAME": "Gwen Pugh", "EVENT/CONTACT/SCORER": "Huw",
        "EVENT/CONTACT/EMAIL": "gwen@club.example", "CLUB/CLUB_ID_NUMBER": "4680",
    }  # fmt: skip
    assert {name: written.findtext(name) for name in said} == said
    assert written.find("EVENT").get("EVENT_TYPE") == "MP_PAIRS"
    public = tmp_path / "public.xml"
    assert run("convert", path, public, "--public").status == 0
    text = public.read_text()
    assert "4680" in text
    assert "gwen@club.example" not in text
    assert "299" not in text
    # A site that asks for numbers is told whom to ask, one that all can see is not.
    for name, told in (("my-abf", True), ("folder", False)):
        sent = for_site(Result(games, contestants), site(name))
        assert ("gwen@club.example" in write(sent).decode()) == told


def test_the_hands_are_written_and_read_back(tmp_path: Path) -> None:
    suits = {"NORTH": ("AKQJ", "T98", "765", "432"), "EAST": ("T987", "AKQ", "432", "765")}
    suits |= {"SOUTH": ("6543", "765", "AKQ", "T98"), "WEST": ("2", "J432", "JT98", "AKQJ")}
    names = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
    hands = "".join(
        f"<HAND><DIRECTION>{seat.title()}</DIRECTION>"
        + "".join(f"<{name}>{cards}</{name}>" for name, cards in zip(names, held, strict=True))
        + "</HAND>"
        for seat, held in suits.items()
    )
    text = FIXTURE.read_bytes().decode("latin-1")
    text = text[: text.index("<HAND>")] + hands + text[text.index("</HAND>") + len("</HAND>") :]
    path, written = game_file(tmp_path, text.encode("latin-1")), tmp_path / "again.xml"
    assert run("convert", path, written).status == 0
    assert len(etree.parse(written).findall("HANDSET/BOARD/HAND")) == 4
    dealt = read_play(written)[1]
    assert dealt.iloc[0][["north", "west"]].tolist() == ["AKQJ.T98.765.432", "2.J432.JT98.AKQJ"]
    wrong = game_file(tmp_path, text.replace("<SPADES>AKQJ<", "<SPADES>AKQJT<").encode("latin-1"))
    (told,) = (each for each in read(wrong).remarks if each.code == "deals.not-shown")
    assert told.rows[0][1].endswith(": North has 14 cards")
    start = text.index("<BOARD_NUMBER>", text.index("<HANDSET"))
    end = text.index("</BOARD_NUMBER>", start) + len("</BOARD_NUMBER>")
    unnumbered = game_file(tmp_path, (text[:start] + text[end:]).encode("latin-1"))
    (told,) = (each for each in read(unnumbered).remarks if each.code == "deals.not-shown")
    assert told.rows[0][1] == "these hands have no number of a board"
