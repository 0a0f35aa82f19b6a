"""Pages and workbooks of events of teams: a knockout's bracket, and Swiss teams round by round."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from browser import FITS, MEASURE, needs_browser, opened
from conftest import FIXTURES, saved
from lxml import html

from resultproc.formats.html.writer import write as page_of
from resultproc.formats.json.writer import write as json_of
from resultproc.formats.read import read
from resultproc.formats.xlsx.writer import write as workbook_of
from resultproc.model.errors import InputError
from resultproc.model.source import Source
from resultproc.stages.doubts import doubts
from resultproc.stages.pipeline import process

KNOCKOUT = FIXTURES / "knockout-example.csv"

TOP_BRACKET = [
    # As the rows of the file say who met whom; each match stands beside those that its teams came from.
    ("Round 1", ["1* 16", "8* 9", "4* 13", "5 12*", "2* 15", "7* 10", "6* 11", "3 14*"]),
    ("Round 2", ["1* 8", "4 12*", "2* 7", "6 14*"]),
    ("Round 3", ["1* 12", "2* 14"]),
    ("Final", ["1 2*"]),
]

SECOND = [
    # Three teams met in rounds 1 and 3; of those of round 1 two went on.
    ("Round 1", ["1* 8", "3* 6", "4* 5* 9", "2 7*"]),
    ("Round 2", ["1*", "3* 5", "4 7*"]),
    ("Round 3", ["1* 3 7*"]),
    ("Final", ["1 7*"]),
]


def drawn(page: bytes) -> list[list[tuple[str, list[str]]]]:
    """Return the rounds of each bracket of a page: the numbers of those who met, * for who went on."""
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    return [
        [
            (
                each.findtext("h3"),
                [
                    " ".join(side.text_content().split()[0] + "*" * (side.tag == "b") for side in match)
                    for match in each.iter("li")
                ],
            )
            for each in bracket
        ]
        for bracket in tree.xpath("//div[@class='bracket']")
    ]


def test_a_page_has_the_bracket_of_each_knockout() -> None:
    found = drawn(page_of(process(KNOCKOUT)))
    assert found[:2] == [TOP_BRACKET, SECOND]
    # The losers of round 2 played for a further place; its winner stands above its loser.
    assert found[2][-2:] == [("Final", ["1* 3"]), ("Play-off", ["5* 2"])]


@pytest.mark.slow
def test_what_the_matches_mean_stands_with_the_list() -> None:
    assert page_of(process(KNOCKOUT)).decode().count("W 5: won against team 5.") == 1
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(process(KNOCKOUT))))
    assert "W 5: won against team 5." in str(book["1"]["A3"].value)


def test_a_forfeit_and_a_bye_are_said(tmp_path: Path) -> None:
    path = tmp_path / "forfeit.csv"
    path.write_text(KNOCKOUT.read_text("utf-8").replace("L 15", "F 15").replace("W 8,bye", "W 8, Bye "), "utf-8")
    text = path.read_text("utf-8").replace(
        "1,15,Yan Quist,1235,Una Urn,1575,Sam Tarn,1915,Zoe Quist,2255,,,L 2",
        "1,15,Yan Quist,1235,Una Urn,1575,Sam Tarn,1915,Zoe Quist,2255,,,F 2",
    )
    path.write_text(text, "utf-8")
    tree = html.document_fromstring(page_of(process(path)).decode())
    sides = [" ".join(each.text_content().split()) for each in tree.xpath("//div[@class='bracket']//li/*")]
    assert "15 Yan Quist forfeited" in sides
    assert "1 Eve Frost bye ✓" in sides
    assert "5 Ada Dahl 1 of 2 won ✓" in sides


def test_a_workbook_has_a_sheet_for_each_bracket() -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(process(KNOCKOUT))))
    sheet = book["Bracket 1"]
    head = next(row[0].row for row in sheet.iter_rows() if row[0].value == "Round 1")
    columns = {sheet.cell(head, n).value: n for n in range(1, sheet.max_column + 1, 2)}
    assert list(columns) == ["Round 1", "Round 2", "Round 3", "Final"]
    # The final is half-way down, beside the space between the two matches before it.
    rows = {
        title: [n for n in range(head + 1, sheet.max_row + 1) if sheet.cell(n, column).value]
        for title, column in columns.items()
    }
    assert len(rows["Round 1"]) == 16
    assert rows["Round 3"][1] < rows["Final"][0] < rows["Final"][1] < rows["Round 3"][2]
    won = [sheet.cell(n, columns["Final"]) for n in rows["Final"] if sheet.cell(n, columns["Final"]).font.bold]
    assert [cell.value for cell in won] == ["2 Cleo Elm"]
    assert sheet.page_setup.fitToHeight == 1


@needs_browser
def test_a_bracket_fits_and_is_below_itself_on_a_phone(tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, page_of(process(KNOCKOUT)), tmp_path)
    for width, beside in ((390, False), (768, True), (1280, True)):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate(MEASURE) == FITS
        boxes = [each.bounding_box() for each in shown.locator(".bracket >> nth=0").locator("h3").all()]
        assert (boxes[0]["y"] == boxes[1]["y"]) is beside
    shown.emulate_media(media="print")
    sizes = """[...document.querySelectorAll(".bracket *")].map(each => parseFloat(getComputedStyle(each).fontSize))"""
    assert {round(pixels * 3 / 4, 1) for pixels in shown.evaluate(sizes)} == {8.0}  # in points


SWISS = FIXTURES / "teams" / "saturday-swiss.csv"

OF_TEAMS = {
    # Round, whom the team met, IMPs, victory points, their sum, and the place by that sum, worked by hand.
    "1": ["1 4 +18 16 16 1", "2 2 +5 12 28 1", "3 3 \u221214 5 33 1/2"],
    "2": ["1 3 +10 14 14 2", "2 1 \u22125 8 22 2", "3 4 +2 11 33 1/2"],
    "3": ["1 2 \u221210 6 6 3", "2 4 \u22129 6 12 4", "3 1 +14 15 27 3/4"],
    "4": ["1 1 \u221218 4 4 4", "2 3 +9 14 18 3", "3 2 \u22122 9 27 3/4"],
}


def rounds(page: bytes) -> dict[str, list[str]]:
    """Return the rows of the sheet of each team: of those whom it met, the number."""
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    found = {}
    for sheet in tree.xpath("//div[contains(@class, 'rounds')]/div"):
        number = sheet.xpath(".//h2/small")[0].text.split()[1].strip(",")
        cells = [[each.text_content() for each in row] for row in sheet.xpath(".//tbody/tr")]
        found[number] = [" ".join([row[0], row[1].split()[0], *row[2:]]) for row in cells]
    return found


def test_a_swiss_team_has_its_rounds_and_its_place_after_each() -> None:
    page = page_of(process(SWISS))
    assert rounds(page) == OF_TEAMS
    # Matches pay there, and no rank does.
    assert "Ranks in bold" not in page.decode()
    # A penalty of one point is not of any match: the team's sheet says that its score is another.
    assert page.decode().count("its score is another") == 1
    tree = html.document_fromstring(page)
    assert tree.xpath("//table[1]//th[@scope='row']/a/@href")[:2] == ["#s0", "#s1"]


def test_a_workbook_has_the_rounds_as_a_sheet() -> None:
    data = workbook_of(process(SWISS))
    rows = list(openpyxl.load_workbook(io.BytesIO(data))["Rounds"].iter_rows(values_only=True))
    at = next(n for n, row in enumerate(rows) if row[0] == "Team")
    assert rows[at + 1] == (1, "Alma Hemlock", 4, 18, 16, 1, 2, 5, 12, 1, 3, -14, 5, "1/2", 33)
    again = read(Source("again.xlsx", data)).contestants
    assert again["swiss3"].tolist() == ["3 -14 5", "4 +2 11", "1 +14 15", "2 -2 9"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("4  +18 16.0", "4 +18 16"),
        ("BYE 12", "bye 12"),
        ("4 \u22123", "4 -3"),
        ("4 16", "4 16"),
        ("4 +1 8;2 -1 4", "4 +1 8, 2 -1 4"),
    ],
)
def test_a_match_has_one_spelling(written: str, kept: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "swiss.csv", SWISS.read_text("utf-8").replace("4 +18 16", written))
    assert read(path).contestants["swiss1"][0] == kept


@pytest.mark.parametrize("written", ["4", "14.5", "W 4", "4 +18 16 3", "+18 16 4"])
def test_a_number_alone_is_no_match(written: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "swiss.csv", SWISS.read_text("utf-8").replace("4 +18 16", written))
    with pytest.raises(InputError, match=r"line 9, column 8: invalid match: .*write 5 \+12 14.25"):
        read(path)


@pytest.mark.parametrize("written", ["W 4", "4", "4 +18 16 3", "4 +1 8; 2 -1 4", "4 18.125"])
def test_json_refuses_what_is_no_match(written: str) -> None:
    content = json.loads(json_of(process(SWISS)))
    assert content["games"][0]["contestants"][0]["matches"][0] == "4 +18 16"
    content["games"][0]["contestants"][0]["matches"][0] = written
    with pytest.raises(InputError, match="matches"):
        read(Source("game.json", json.dumps(content).encode()))


def test_places_need_the_points_of_all() -> None:
    result = process(SWISS)
    first = result.contestants["swiss1"].mask(result.contestants["number"] == "4", "1 -18")
    shown = rounds(page_of(replace(result, contestants=result.contestants.assign(swiss1=first))))
    # Team 4 has no points of the first round, and so nobody has a place after it, nor after any other.
    assert [row.strip() for row in shown["1"]] == ["1 4 +18 16 16", "2 2 +5 12 28", "3 3 \u221214 5 33"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        # Each says the same of team 1's match in round 1, or does not: the other side has 1 -18 4.
        (
            "4 +18 16",
            "4 +17 16",
            ["A 1 (round 1: +17 IMPs, and -18 of team 4)", "A 4 (round 1: -18 IMPs, and +17 of team 1)"],
        ),
        ("4 +18 16", "9 +18 16", ["A 1 (round 1: there is no team 9)", "A 4 (round 1: team 1 did not meet team 4)"]),
        ("4 +18 16", "4 16", []),
        ("4 +18 16", "bye 16", ["a match is not the other team's: round 1: team 1 did not meet team 4"]),
    ],
)
def test_a_match_that_the_other_team_has_not_is_told(old: str, new: str, told: list[str], tmp_path: Path) -> None:
    path = saved(tmp_path / "swiss.csv", SWISS.read_text("utf-8").replace(old, new))
    found = [str(each) for each in doubts(read(path)).every if each.code == "matches.unanswered"]
    assert len(found) == bool(told)
    assert all(text in found[0] for text in told)
    assert not [each for each in doubts(read(SWISS)).every if each.code == "matches.unanswered"]


def test_an_opponent_that_is_not_listed_is_named_by_its_number() -> None:
    result = process(SWISS)
    first = result.contestants["swiss1"].replace("1 -18 4", "1 -18 4, 9 +2 3")
    page = page_of(replace(result, contestants=result.contestants.assign(swiss1=first)))
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    expected = ["1", "1, 9", "\u221216"]
    assert [cell.text_content() for cell in tree.xpath("//div[@id='s3']//tbody/tr[1]/*")][:3] == expected


USEBIO = """<?xml version="1.0"?><USEBIO Version="1.2"><EVENT EVENT_TYPE="SWISS_TEAMS"><DATE>16/05/2026</DATE>
<MATCH_SCORING_METHOD>VPS</MATCH_SCORING_METHOD><SESSION><PARTICIPANTS>
<TEAM TEAM_ID="1"><TOTAL_SCORE>16</TOTAL_SCORE><PLAYER><PLAYER_NAME>Alma Hemlock</PLAYER_NAME></PLAYER></TEAM>
<TEAM TEAM_ID="4"><TOTAL_SCORE>4.5</TOTAL_SCORE><PLAYER><PLAYER_NAME>Mia Cedar</PLAYER_NAME></PLAYER></TEAM>
</PARTICIPANTS><MATCH><ROUND_NUMBER>1</ROUND_NUMBER><TEAM>1</TEAM><OPPOSING_TEAM>4</OPPOSING_TEAM>
<TEAM_SCORE>16</TEAM_SCORE><OPPOSING_TEAM_SCORE>4.5</OPPOSING_TEAM_SCORE></MATCH></SESSION></EVENT></USEBIO>"""


def test_usebio_has_the_points_of_matches() -> None:
    sheet = read(Source("game.xml", USEBIO.encode()))
    assert sheet.contestants["swiss1"].tolist() == ["4 16", "1 4.5"]
    in_imps = read(Source("game.xml", USEBIO.replace("VPS", "IMPS").encode()))
    assert "swiss1" not in in_imps.contestants


@needs_browser
def test_rounds_fit_and_are_printed_together(tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, page_of(process(SWISS)), tmp_path, anchor="#g1-rounds")
    assert shown.locator(".sheet:visible").count() == 4
    for width in (360, 390, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate(MEASURE) == FITS
    shown.emulate_media(media="print")
    data = shown.pdf(format="A4")
    assert data.count(b"/Type /Page\n") == 1
