"""The page: what it says, that nothing of a file becomes markup, and that a browser shows and sorts it."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest
from browser import in_browser, needs_browser
from generated import results
from hypothesis import given, settings
from lxml import html

from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.model.plugins import named
from resultproc.stages.pipeline import process

FIXTURES = Path(__file__).parent.parent / "fixtures"

HOSTILE = (
    "<script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "A' & <b>B</b>",
)


def page(result):
    return named("writers", "html").write(result).decode()


@pytest.fixture(scope="module")
def howell():
    return process(FIXTURES / "made-wednesday.json", format="acbl-live")


def hostile():
    games, contestants = read(FIXTURES / "made-wednesday.json", format="acbl-live")
    names = contestants["player1"].to_list()
    names[: len(HOSTILE)] = HOSTILE
    return Result(games.assign(event=HOSTILE[0], club=HOSTILE[1]), contestants.assign(player1=names))


def texts(table):
    """Return the texts of a table's cells, by the first one of each row."""
    rows = [[" ".join(cell.text_content().split()) for cell in row] for row in table.find("tbody")]
    return {row[0]: row for row in rows}


def test_every_contestant_stands_in_a_table_with_its_award(howell):
    tree = html.document_fromstring(page(howell))
    (table,) = tree.iter("table")
    assert table.find("caption").text == "Section A"
    assert all(cell.get("scope") == "col" for cell in table.find("thead").iter("th"))
    rows = texts(table)
    assert len(rows) == 11
    # Pair 6 is 4th in A, 1st in B, and won 0.42 for B.
    assert rows["6"][:7] == ["6", "Ella Willow – Finn Yew", "B", "55.47", "39.94", "4", "1"]
    assert rows["6"][7].startswith("0.42 (B)")
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
    assert not list(tree.iter("img", "b"))  # nor are there awards of single players in bold
    assert any(HOSTILE[2] in row[1] for row in texts(tree.find(".//table")).values())


def test_several_games_and_sections_stand_in_one_page():
    sheet = read(FIXTURES / "made-two-games.ACM", format="acblscore")
    tree = html.document_fromstring(page(Result(*sheet)))
    assert len(list(tree.iter("article"))) == len(sheet.games)
    tables = sheet.contestants.groupby(["game_id", "section", "direction"], dropna=False).ngroups
    assert len(list(tree.iter("table"))) == tables


def test_a_knockout_shows_its_rounds_in_brackets():
    tree = html.document_fromstring(page(process(FIXTURES / "knockout-example.csv")))
    tables = list(tree.iter("table"))
    assert [table.find("caption").text for table in tables] == ["Bracket 1", "Bracket 2", "Bracket 3"]
    names = [button.get("aria-label") or button.text for button in tables[0].iter("button")]
    assert names == ["Team", "Names", "Round 1", "Round 2", "Round 3", "Round 4", "Playoff", "Overall A", "MPs"]
    rows = texts(tables[2])
    assert rows["5"][2:8] == ["W 4", "L 1", "", "", "W 2", "3/4"]
    # On a phone they stand below the names.
    narrow = [each.text for each in tables[2].iter("div") if each.get("class") == "narrow matches"]
    assert narrow[4] == "W 4, L 1, playoff W 2"
    # There is one stratum, and neither scores nor a picture of them.
    assert not list(tree.iter("svg"))


def test_teams_show_their_matches_won_and_what_single_players_get(tmp_path):
    path = tmp_path / "swiss.csv"
    keys = {"rating": "regional", "date": "2005-05-05", "event_type": "swiss", "tables": 8, "boards": 7, "sessions": 2}
    rows = ["number,score,wins," + ",".join(f"player{n},played{n}" for n in range(1, 6))]
    rows += ["1,160,6.5,Ann,100,Bob,100,Cat,100,Dan,75,Eve,25"]
    rows += [f"{n},{160 - n},{8 - n},P{n},100,Q{n},100,R{n},100,S{n},100,," for n in range(2, 9)]
    path.write_text("\n".join([*(f"# {name}: {value}" for name, value in keys.items()), *rows]), "utf-8")
    (table,) = html.document_fromstring(page(process(path))).iter("table")
    assert [button.get("aria-label") for button in table.iter("button")][2:4] == ["Score", "Won"]
    found = texts(table)
    # 6.30 for the first place, 75% of it 4.725; a quarter is less than the 6.5 matches at 0.36.
    assert found["1"][1:4] == ["Ann 6.30 – Bob 6.30 – Cat 6.30 – Dan 4.73 – Eve 2.34", "160.00", "6.5"]
    assert found["2"][1] == "P2 – Q2 – R2 – S2"  # all get what the team gets


@settings(max_examples=30, deadline=None)
@given(results())
def test_whatever_is_known_of_contestants_can_be_shown(result):
    tree = html.document_fromstring(page(result))
    for game, article in zip(result.games["game_id"], tree.iter("article"), strict=True):
        rows = result.contestants[result.contestants["game_id"] == game]
        text = " ".join(article.text_content().split())
        for name in rows.columns.intersection(["number", "player1", "round1", "playoff"]):
            assert all(" ".join(value.split()) in text for value in rows[name].dropna())


@needs_browser
def test_a_browser_sorts_by_a_column(howell, tmp_path):
    tree = in_browser(page(howell), tmp_path, "document.querySelectorAll('thead button')[0].click()")
    numbers = [row[0].text for row in tree.find(".//tbody")]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7", "9", "10", "11", "12"]
    twice = "const b = document.querySelectorAll('thead button')[7]; b.click(); b.click()"
    tree = in_browser(page(howell), tmp_path, twice)
    awards = [row[7].text_content().strip()[:4] for row in tree.find(".//tbody")]
    assert awards == ["0.94", "0.94", "0.55", "0.42", "0.29", "", "", "", "", "", ""]
    assert tree.xpath("//th[@aria-sort]")[0].get("aria-sort") == "descending"


@needs_browser
def test_a_browser_runs_no_script_of_a_name(tmp_path):
    tree = in_browser(page(hostile()), tmp_path)
    assert tree.find(".//title").text != "taken"
    assert len(tree.xpath("//tbody//script | //tbody//img")) == 0


@needs_browser
@pytest.mark.parametrize("name", ["knockout-example.csv", "regional-open-pairs-2022-06-18.csv"])
def test_a_page_is_no_wider_than_a_phone(name, tmp_path):
    beyond = "[...document.querySelectorAll('section')].map(each => each.scrollWidth - each.clientWidth)"
    script = f"<script>parent.document.title = [innerWidth, Math.max(...{beyond})]</script></body>"
    text = page(process(FIXTURES / name)).replace("</body>", script)
    # A window is never as narrow as a phone, a frame in it may be.
    frame = f'<title></title><body><iframe width="390" srcdoc="{escape(text)}"></iframe></body>'
    tree = in_browser(frame, tmp_path)
    assert tree.find(".//title").text == "390,0"
