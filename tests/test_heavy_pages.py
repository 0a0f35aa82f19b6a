"""Pages of large games: their boards are there when they are asked for, with and without scripts."""

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from browser import faults, needs_browser
from conftest import run, saved
from lxml import html

from resultproc.formats.html.parted import parted
from resultproc.formats.html.writer import write
from resultproc.stages.pipeline import process, with_boards

BOARDS = 26


def large(folder: Path, sections: int, tables: int) -> Path:
    """Return the file of a game of so many sections: everybody of a section and direction plays all 26 boards."""
    told = []
    for section in range(sections):
        listed = [
            {
                "pair_number": str(number),
                "direction": side,
                "percentage": f"{30 + 40 * (number + section) / (tables + sections):.2f}",
                "players": [{"name": f"{one} {side[0]}{'ABC'[section]}{number}"} for one in ("Ada", "Bob")],
            }
            for side in ("N-S", "E-W")
            for number in range(1, tables + 1)
        ]
        played = []
        for board in range(1, BOARDS + 1):
            rows = []
            for number in range(1, tables + 1):
                against = (number + board) % tables + 1
                score = 50 * ((number * board) % 9 - 4)
                row = {"ns_pair": str(number), "ew_pair": str(against), "table_number": number}
                rows.append({**row, "ns_score": str(score), "ew_score": str(-score), "round_number": 1})
            played.append({"board_number": board, "board_results": rows})
        told.append({"name": "ABC"[section], "boards_per_round": 2, "pair_summaries": listed, "boards": played})
    game = {"id": 1, "name": "Large Pairs", "organization": "ACBL", "type": "PAIRS", "rating": 1, "winner_type": 2}
    game |= {"number_of_sessions": 1, "start_date": "04/15/2026", "end_date": "04/15/2026"}
    game |= {"board_scoring_method": "MATCH_POINTS", "strats": [{"number": 1, "label": "A", "limit": 0}]}
    return saved(folder / "large.json", json.dumps({**game, "sessions": [{"number": 1, "sections": told}]}))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of three sections of 39 tables as ``award`` writes it."""
    path = large(tmp_path_factory.mktemp("large"), 3, 39)
    return saved(path.with_suffix(".html"), write(with_boards(process(path), [path])))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with that game and its site: a test may write another game, and has a site of its own for it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "in").mkdir()
    large(folder / "in", 3, 39)
    assert run("batch", folder / "in", "-o", folder / "out", "--to", "html", "--index", "--players").status == 0
    return folder


@pytest.mark.slow
def test_of_a_heavy_page_little_is_needed_for_the_first_sight(page: Path) -> None:
    data = page.read_bytes()
    assert len(data) > 2_000_000
    assert data.index(b"<noscript>") < 800_000
    seen = re.sub(rb"<noscript>.*?</noscript>", b"", data, flags=re.DOTALL)
    assert len(seen) < 800_000
    assert len(re.findall(rb"<[a-z]", seen)) < 15_000  # once 112,644 elements


@pytest.mark.slow
def test_a_site_has_boards_of_a_heavy_page_in_pages_of_their_own(site: Path, tmp_path: Path) -> None:
    copytree(site / "out", tmp_path / "out")
    pages = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.html")}
    assert max(map(len, pages.values())) <= 800_000
    parts = [path for path in pages if path.parent.name == "large.boards"]
    assert len(parts) > 3
    # All 234 scorecards and 78 boards are there, once each, and every link leads to something.
    ids = {path: re.findall(rb' id="([^"]*)"', data) for path, data in pages.items()}
    sheets = [id for path in parts for id in re.findall(rb'<div class="sheet" id="([^"]*)"', pages[path])]
    assert len(sheets) == len(set(sheets)) == 3 * (2 * 39 + BOARDS)
    for path, data in pages.items():
        for link in set(re.findall(r'href="([^"$]*)"', data.decode())):
            name, _, anchor = link.partition("#")
            to = (path.parent / name).resolve() if name else path
            assert to in pages, (path, link)
            assert not anchor or anchor.encode() in ids[to], (path, link)
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    (entry,) = report["inputs"]
    written = {each["file"] for each in entry["outputs"]}
    assert written == {"large.html", *(f"large.boards/{path.name}" for path in parts)}
    again = run("batch", site / "in", "-o", tmp_path / "out", "--to", "html", "--index", "--players")
    assert "1 done before" in again.err + again.out
    # What takes the place of a large game is one page: nothing of the other is left.
    large(site / "in", 1, 4)
    assert run("batch", site / "in", "-o", tmp_path / "out", "--to", "html", "--index").status == 0
    assert not [*(tmp_path / "out" / "large.boards").glob("*")]


def test_a_light_page_is_one() -> None:
    assert parted(b"<main id='x'></main>", "a/b.html") == {"a/b.html": b"<main id='x'></main>"}


@needs_browser
def test_boards_of_a_heavy_page_unfold(page: Path, tab: Any) -> None:
    tab.set_viewport_size({"width": 390, "height": 900})
    tab.goto(page.as_uri())
    assert tab.evaluate("document.querySelectorAll('*').length") < 15_000
    tab.locator("tbody th.n a").first.click()
    card = tab.locator(".sheet:target")
    card.locator("tbody tr").first.wait_for()  # it is unfolded once its address is there
    assert card.locator("tbody tr").count() == BOARDS
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    # From a scorecard to its opponents, to a board, and back.
    mine = tab.url
    card.locator("tbody th.n a").first.click()
    assert tab.url != mine
    card.locator("tbody tr").first.wait_for()
    assert tab.locator(".sheet:target tbody tr").count() == BOARDS
    tab.go_back()
    card.locator("tbody .first a").first.click()
    tab.locator(".sheet:target h2").first.wait_for()
    assert (card.locator("h2").first.text_content() or "").startswith("Board 1")
    tab.go_back()
    card.get_by_label("Compare with").select_option(index=3)
    assert card.locator("td.other").count() == BOARDS
    assert not faults(tab)
    # All of them, in the order of the lists.
    tab.goto(page.as_uri() + "#g1-cards")
    shown = tab.locator(".cards .sheet").evaluate_all("all => all.map(each => Number(each.id.slice(1)))")
    assert shown == sorted(shown)
    assert len(shown) == 3 * 2 * 39


@needs_browser
def test_scorecards_in_other_pages_are_compared(site: Path, tab: Any) -> None:
    cards: dict[str, list[str]] = {}
    at: dict[str, Path] = {}
    for path in sorted((site / "out" / "large.boards").iterdir()):
        for sheet in html.fromstring(path.read_bytes()).xpath("//*[contains(@class, 'cards')]//*[@class='sheet']"):
            cards[sheet.get("id")] = [cell.text for cell in sheet.iterfind(".//tbody//td[@class='a bare pct']")]
            at[sheet.get("id")] = path
    mine, other = "c0", f"c{3 * 2 * 39 - 1}"
    assert at[mine] != at[other]
    tab.set_viewport_size({"width": 390, "height": 900})
    tab.goto(f"{at[mine].as_uri()}#{mine}")
    choose = tab.locator(".sheet:target").get_by_label("Compare with")
    assert choose.locator("option").count() == 3 * 2 * 39  # all but oneself, and nobody
    choose.select_option(value=other)
    assert tab.locator(".sheet:target td.other").all_text_contents() == cards[other]
    assert not faults(tab)


@needs_browser
def test_without_scripts_all_boards_are_there(tmp_path: Path, tab: Any) -> None:
    path = large(tmp_path, 1, 20)  # just large enough to be folded
    page = saved(path.with_suffix(".html"), write(with_boards(process(path), [path])))
    assert b"<noscript>" in page.read_bytes()
    context = tab.context.browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    link = html.fromstring(page.read_bytes()).xpath("//tbody//th[@scope='row']/a")[0].get("href")
    shown.goto(page.as_uri() + link)
    assert shown.locator(f"{link} tbody tr").count() == BOARDS
    assert shown.locator(f"{link}").is_visible()
    context.close()


@pytest.mark.slow
def test_the_field_of_234_pairs_is_a_histogram_with_quarters(page: Path) -> None:
    tree = html.document_fromstring(page.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    figure = tree.find(".//figure")
    assert not figure.findall(".//circle")
    bars = [each for each in figure.iter("rect") if "hist" in each.get("class")]
    assert 10 < len(bars) < 60
    assert max(float(each.get("height")) for each in bars) > 60
    quarters = [(each.text, each.get("x")) for each in figure.iter("text") if each.text in ("¼", "½", "¾")]
    assert [text for text, _ in quarters] == ["¼", "½", "¾"]
    along = [float(at.rstrip("%")) for _, at in quarters]
    assert along == sorted(along)
