"""Pages and workbooks of events of teams: a knockout's bracket."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
from browser import FITS, MEASURE, needs_browser, opened, tab
from conftest import FIXTURES
from lxml import html

from resultproc.formats.html.writer import write as page_of
from resultproc.formats.xlsx.writer import write as workbook_of
from resultproc.stages.pipeline import process

__all__ = ["tab"]

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
                    " ".join(
                        side.text_content().split()[0] + "*" * (side.get("class") == "won")
                        for side in match.iter("span")
                    )
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
    # The losers of round 2 played for a further place.
    assert found[2][-2:] == [("Final", ["1* 3"]), ("Play-off", ["2 5*"])]


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
    sides = [" ".join(each.text_content().split()) for each in tree.xpath("//div[@class='bracket']//span")]
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
