"""The page: what it says, that nothing of a file becomes markup, and that a browser shows and sorts it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

from resultproc.formats import named
from resultproc.frames import Result
from resultproc.pipeline import process
from resultproc.readers import read

FIXTURES = Path(__file__).parent.parent / "fixtures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

HOSTILE = (
    "<script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "A' & <b>B</b>",
)


def page(result):
    return named("writers", "html").write(result).decode()


@pytest.fixture(scope="module")
def howell():
    return process(FIXTURES / "howell-2026-04-15.json", format="acbl-live")


def hostile():
    games, contestants = read(FIXTURES / "howell-2026-04-15.json", format="acbl-live")
    names = contestants["player1"].to_list()
    names[: len(HOSTILE)] = HOSTILE
    return Result(games.assign(event=HOSTILE[0], club=HOSTILE[1]), contestants.assign(player1=names))


def test_every_contestant_stands_in_a_table_with_its_award(howell):
    tree = html.document_fromstring(page(howell))
    (table,) = tree.iter("table")
    assert table.find("caption").text == "Section A"
    assert all(cell.get("scope") == "col" for cell in table.find("thead").iter("th"))
    rows = {row[0].text: [cell.text_content().strip() for cell in row] for row in table.find("tbody")}
    assert len(rows) == 11
    # Published: pair 2 is 4th in A, 1st in B, and won 0.42 for B.
    assert rows["2"][:7] == ["2", "Player 57 – Player 58", "B", "50.78", "36.56", "4", "1"]
    assert rows["2"][7].startswith("0.42 (B)")
    assert rows["10"][7] == ""


def test_an_award_opens_to_its_explanation(howell):
    tree = html.document_fromstring(page(howell))
    details = next(each for each in tree.iter("details") if each.find("summary").text == "0.42 (B)")
    said = [item.text for item in details.iter("li")]
    # 1st of the 7 in stratum B at 0.07: 6 x 0.07 = 0.42 for six; 4th of 11 in A would be 35% of 1.10.
    assert said[0].startswith("0.42: section B, 1 of ")
    assert said[1].startswith("0.39: section A, 4 of 11")
    assert details.get("title") == said[0]


def test_the_picture_marks_who_is_paid(howell):
    tree = html.document_fromstring(page(howell))
    dots = [each.get("class") for each in tree.iter("circle")]
    assert len(dots) == 11
    assert dots.count("dot paid") == 5


def test_the_page_needs_nothing_from_elsewhere(howell):
    text = page(howell)
    assert not re.search(r"""(src|href)\s*=|url\(|@import""", text)


def test_nothing_of_a_file_becomes_markup():
    text = page(hostile())
    tree = html.document_fromstring(text)
    assert len(list(tree.iter("script"))) == 1
    assert not list(tree.iter("img", "b"))
    shown = tree.xpath("//tbody//td[1]/text()")
    assert any(HOSTILE[2] in cell for cell in shown)


def test_several_games_and_sections_stand_in_one_page():
    sheet = read(FIXTURES / "gamefiles" / "game07.ACA", format="acblscore")
    tree = html.document_fromstring(page(Result(*sheet)))
    assert len(list(tree.iter("article"))) == len(sheet.games)
    tables = sheet.contestants.groupby(["game_id", "section", "direction"], dropna=False).ngroups
    assert len(list(tree.iter("table"))) == tables


def in_browser(text, tmp_path, script=""):
    """Return the page as a browser holds it after a script has run in it."""
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    command = [CHROMIUM, *options, f"--user-data-dir={tmp_path}/profile", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return html.document_fromstring(done.stdout.decode())


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_a_browser_sorts_by_a_column(howell, tmp_path):
    tree = in_browser(page(howell), tmp_path, "document.querySelectorAll('thead button')[0].click()")
    numbers = [row[0].text for row in tree.find(".//tbody")]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7", "9", "10", "11", "12"]
    twice = "const b = document.querySelectorAll('thead button')[7]; b.click(); b.click()"
    tree = in_browser(page(howell), tmp_path, twice)
    awards = [row[7].text_content().strip()[:4] for row in tree.find(".//tbody")]
    assert awards == ["0.94", "0.94", "0.55", "0.42", "0.29", "", "", "", "", "", ""]
    assert tree.xpath("//th[@aria-sort]")[0].get("aria-sort") == "descending"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_a_browser_runs_no_script_of_a_name(tmp_path):
    tree = in_browser(page(hostile()), tmp_path)
    assert tree.find(".//title").text != "taken"
    assert len(tree.xpath("//tbody//script | //tbody//img")) == 0
