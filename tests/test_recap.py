"""The recap: pairs by boards, as the file has their matchpoints, on pages and in workbooks."""

import io
import json
import re
from pathlib import Path
from typing import Any

import openpyxl
import pdfplumber
import pytest
from browser import FITS, MEASURE, faults, looking, needs_browser, opened
from conftest import ALL, FIXTURES, run
from lxml import html

from resultproc.formats.html.writer import FRAGMENT
from resultproc.formats.html.writer import WRITER as PAGE
from resultproc.formats.read import read
from resultproc.formats.xlsx.writer import WRITER as WORKBOOK
from resultproc.model.frames import Result
from resultproc.model.source import Source
from resultproc.stages.pipeline import process, with_boards

TUESDAY = [
    ["Pair", "Names", "1", "2", "3", "Total", "%"],
    # The matchpoints that the file gives each pair on each of its three boards, of 4 each.
    ["1", "2.0", "3.0", "0.5", "5.50", "45.83"],
    ["2", "4.0", "3.0", "3.5", "10.50", "87.50"],
    ["3", "0.0", "0.0", "2.4", "2.40", "20.00"],
]
OF_EAST_WEST = [
    ["4", "2.0", "4.0", "0.5", "6.50", "54.17"],
    ["5", "4.0", "1.0", "3.5", "8.50", "70.83"],
    ["6", "0.0", "1.0", "1.6", "2.60", "21.67"],
]


def tuesday() -> Result:
    path = FIXTURES / "usebio-example.xml"
    return with_boards(Result(*read(path)), [path])


def sections() -> Result:
    path = FIXTURES / "made-sections.ACM"
    return with_boards(process(path), [path])


def recapped(result: Result) -> bytes:
    assert PAGE.recap
    return PAGE.recap(result)


def grids(page: bytes) -> dict[str, list[list[str]]]:
    """Return the rows of each table of the recap, by what is above it."""
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    return {
        " ".join((section.find("h2").text or "").split()): [
            [" ".join(cell.text_content().split()) for cell in row] for row in section.iter("tr")
        ]
        for section in tree.xpath("//div[@class='recap']/section")
    }


@pytest.mark.slow
def test_a_page_has_what_each_pair_got_on_each_board() -> None:
    found = grids(recapped(tuesday()))
    assert list(found) == ["Recap · North-South", "Recap · East-West"]
    north_south, east_west = found.values()
    assert north_south[0] == TUESDAY[0]
    assert [row[:1] + row[2:] for row in north_south[1:]] == TUESDAY[1:]
    assert [row[:1] + row[2:] for row in east_west[1:]] == OF_EAST_WEST
    assert grids(PAGE.write(tuesday())) == {}
    assert FRAGMENT.recap
    assert grids(FRAGMENT.recap(tuesday())) == found


@pytest.mark.slow
def test_boards_above_and_below_the_mean_are_coloured() -> None:
    # Of the matchpoints on a board, those far above the mean of the section and direction are strong, and so below.
    page = PAGE.recap(with_boards(process(FIXTURES / "made-wednesday.json"), [FIXTURES / "made-wednesday.json"]))
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    cells = [(float(each.text), each.get("class")) for each in tree.xpath("//div[@class='recap']//td/i")]
    top = 4.0  # of five tables with two boards each, as board 1 has 4 at most
    assert {kind for got, kind in cells if got == top} <= {"up", "up far"}
    assert {kind for got, kind in cells if got == 0} <= {"down", "down far"}
    assert {kind for _, kind in cells} == {"up", "up far", "down", "down far"}


def test_a_workbook_has_a_sheet_for_each_direction_and_reads_back_the_same() -> None:
    assert WORKBOOK.recap
    data = WORKBOOK.recap(tuesday())
    book = openpyxl.load_workbook(io.BytesIO(data))
    rows = list(book["Recap North-South"].iter_rows(values_only=True))
    at = next(n for n, row in enumerate(rows) if row[0] == "Pair")
    expected = [(1, 2, 3, 0.5, 5.5, 45.83), (2, 4, 3, 3.5, 10.5, 87.5), (3, 0, 0, 2.4, 2.4, 20)]
    assert [row[:1] + row[2:] for row in rows[at + 1 : at + 4]] == expected
    # Each board has the decimals that any has, as on the page.
    assert {
        cell.number_format for row in book["Recap North-South"].iter_rows(at + 2, at + 4, 3, 5) for cell in row
    } == {"0.0"}
    again, before = (read(Source("game.xlsx", each)) for each in (data, WORKBOOK.write(tuesday())))
    assert again.contestants.drop(columns="source", errors="ignore").equals(before.contestants)
    assert again.remarks == before.remarks


@pytest.mark.slow
def test_the_sheets_of_a_workbook_have_their_whole_names() -> None:
    names = openpyxl.load_workbook(io.BytesIO(WORKBOOK.recap(sections()))).sheetnames
    sides = ("North-South", "East-West")
    assert {f"Recap Section {section} {side}" for section in "ABC" for side in sides} < set(names)
    assert max(map(len, names)) <= 31  # which is all that Excel takes


@pytest.mark.slow
def test_a_score_that_is_more_than_its_boards_stands_beside_them() -> None:
    """Section C of these plays boards with fewer results, whose pairs are scored on the others' top."""
    result = sections()
    found = grids(recapped(result))
    assert next(iter(found)) == "Recap · Section A North-South"
    assert len(found) == 6
    rows = result.contestants
    for title, grid in found.items():
        section, direction = title.split()[3], {"North-South": "N-S", "East-West": "E-W"}[title.split()[4]]
        head, *pairs = grid
        for row in pairs:
            total = head.index("Total")
            assert sum(float(each or 0) for each in row[2:total]) == pytest.approx(float(row[total]), abs=0.13)
            chosen = rows[(rows["section"] == section) & (rows["direction"] == direction) & (rows["number"] == row[0])]
            assert float(row[-1]) == chosen["percentage"].item()
            assert float(row[total + ("Score" in head)]) == chosen["score"].item()
    assert [("Score" in grid[0]) for grid in found.values()] == [True, False, False, False, True, True]


@pytest.mark.slow
def test_of_an_event_each_session_is_its_own() -> None:
    """The second session of this event is read alone: its grid has the scores of that session, and not of both."""
    path = FIXTURES / "event" / "made-final-2.ACA"
    result = with_boards(process(path), [path])
    found = grids(recapped(result))
    assert [title.split(" · ")[1] for title in found] == ["Session 2, North-South", "Session 2, East-West"]
    rows = result.contestants
    for title, (head, *pairs) in found.items():
        listed = rows[rows["direction"] == {"North-South": "N-S", "East-West": "E-W"}[title.split(", ")[1]]]
        known = {each["number"]: (each["session2"], each["percentage2"]) for each in listed.to_dict("records")}
        score = head.index("Score") if "Score" in head else head.index("Total")
        assert {row[0]: (float(row[score]), float(row[-1])) for row in pairs} == known


def test_places_after_each_round_are_lines() -> None:
    path = FIXTURES / "made-wednesday.json"
    page = recapped(with_boards(process(path), [path]))
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    (section,) = json.loads(path.read_bytes())["sessions"][0]["sections"]
    # Each result has the matchpoints of both pairs, of a top of 4.
    got: dict[str, dict[int, list[float]]] = {}
    for board in section["boards"]:
        for row in board["board_results"]:
            for side in ("ns", "ew"):
                points = float(row[f"{side}_match_points"])
                got.setdefault(row[f"{side}_pair"], {}).setdefault(row["round_number"], []).append(points)
    rounds = sorted({number for each in got.values() for number in each})
    lines = {
        each.findtext("title").split()[0]: [int(place.split()[1]) for place in re.findall(r"\d+ \d+", each.get("d"))]
        for each in tree.xpath("//*[@class='courses']//*[name()='path'][*]")
    }
    assert lines.keys() == got.keys()
    for at, last in enumerate(rounds):
        so_far = {pair: [x for number in of if number <= last for x in of[number]] for pair, of in got.items()}
        mean = {pair: sum(each) / len(each) if each else -1 for pair, each in so_far.items()}
        # Of two that are level the places are next to each other.
        assert sorted(line[at] for line in lines.values()) == list(range(1, len(got) + 1))
        order = sorted(lines, key=lambda pair, at=at: lines[pair][at])
        assert [mean[pair] for pair in order] == pytest.approx(sorted(mean.values(), reverse=True))
    ended = [each.text.split()[0] for each in tree.xpath("//*[@class='courses']//li")]
    assert ended == sorted(lines, key=lambda pair: lines[pair][-1])


def test_partnerships_are_told_by_who_declared() -> None:
    page = recapped(tuesday())
    tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    tables = tree.xpath("//table[contains(@aria-labelledby, '-t')]")
    rows = {row[0].text: [cell.text for cell in row[2:]] for table in tables for row in table.find("tbody")}
    # The percentages of the three boards, by the declarers that the file names; of one board it names none.
    assert rows == {
        "1": ["3", "45.83%", "2", "62.50%", "1", "12.50%"],
        "2": ["3", "87.50%", "2", "87.50%", "1", "87.50%"],
        "3": ["3", "20.00%", "2", "0.00%", None, None],
        "4": ["3", "54.17%", "1", "12.50%", "2", "75.00%"],
        "5": ["3", "70.83%", "1", "87.50%", "2", "62.50%"],
        "6": ["3", "21.67%", None, None, "2", "12.50%"],
    }


def test_teams_and_games_without_boards_have_no_recap(tmp_path: Path) -> None:
    assert grids(recapped(process(FIXTURES / "knockout-example.csv"))) == {}
    done = run("award", FIXTURES / "wed-open-pairs-2012-04-18.csv", "--recap", "-o", tmp_path / "w.html")
    assert (done.status, (tmp_path / "w.html").exists()) == (1, False)
    assert "no results of boards" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"), [((), "--recap is for html"), (("--seal", "-o", "x.html"), "a recap is not sealed")]
)
def test_a_recap_that_nothing_could_show_is_refused(arguments: tuple[str, ...], told: str) -> None:
    done = run("award", FIXTURES / "made-sections.ACM", "--recap", *arguments)
    assert done.status == 2
    assert told in done.err


def test_convert_writes_it_too(tmp_path: Path) -> None:
    done = run("convert", FIXTURES / "usebio-example.xml", tmp_path / "game.html", "--recap")
    assert done.status == 0, done.err
    assert len(grids((tmp_path / "game.html").read_bytes())) == 2


@needs_browser
def test_it_fits_screens_and_is_printed_on_its_side(tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, recapped(sections()), tmp_path)
    for width in (360, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate(MEASURE) == FITS, width
    # On a phone the numbers of the pairs stay in sight.
    shown.set_viewport_size({"width": 390, "height": 900})
    place = shown.locator(".recap .scrolls").first
    place.evaluate("each => { each.scrollLeft = 300 }")
    assert place.locator("tbody .k").first.evaluate("each => each.getBoundingClientRect().left") >= 0
    shown.emulate_media(media="print")
    for paper in ("A4", "Letter") if ALL else ("Letter",):
        with pdfplumber.open(io.BytesIO(shown.pdf(format=paper))) as printed:
            sides = [each for each in printed.pages if each.width > each.height]
            # Six grids of five pairs, on as few sheets as hold them; letters of 6 points at least, none cut off.
            assert 1 <= len(sides) <= 3
            letters = [char for each in sides for char in each.chars]
            assert min(char["size"] for char in letters if char["text"].strip()) >= 5.9
            assert all(char["x1"] < each.width - 20 for each in sides for char in each.chars)
            assert all(any(char["text"].strip() for char in each.chars) for each in printed.pages)


@needs_browser
def test_all_can_read_it(tab: Any, tmp_path: Path) -> None:
    page = recapped(tuesday())
    shown = opened(tab, page, tmp_path, 390, "dark")
    assert faults(shown) == []
    assert faults(looking(shown, 1280, "light")) == []
