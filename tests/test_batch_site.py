"""A folder that is a site: the lists of its pages, as files and in a browser."""

from __future__ import annotations

import re
import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from browser import needs_browser, tab
from conftest import Run, run
from lxml import html

__all__ = ["tab"]

ROWS = "section,direction,number,player1,player2,id1,mp1,score\n" + "".join(
    f"A,{d},{n},{name} {d} of {{}},B{d}{n} of {{}},77{n}4321,123.45,{20 + n}\n"
    for d in ("N-S", "E-W")
    for n, name in enumerate(("Ann", "Zoë", "Cy"), 1)
)


def saved(folder: Path, name: str, day: str, event: str, **keys: str) -> None:
    folder.mkdir(exist_ok=True)
    said = {"event": event, "date": day, "rating": "club-open", "boards": "24", "tables": "3", **keys}
    text = "".join(f"# {key}: {value}\n" for key, value in said.items()) + ROWS.format(*[name] * 12)
    (folder / name).write_text(text, "utf-8")


def batch(folder: Path, *more: object) -> Run:
    return run("batch", folder / "in", "-o", folder / "out", "--to", "html", "--index", *more)


def listed(page: Path) -> list[tuple[str, str]]:
    """Return the games of a list, by their words and where they lead to, which has to be there."""
    found = []
    for row in html.fromstring(page.read_bytes()).iter("li"):
        if row.get("data-s") is not None:
            link = row.find("a").get("href")
            assert (page.parent / html.fromstring(f"<a href='{link}'>").get("href").replace("%20", " ")).is_file()
            found.append((" ".join(row.itertext()), link))
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    saved(tmp_path / "in", "a.csv", "2026-09-30", "Wednesday Pairs", session="Wednesday Eve", club="Ægir")
    saved(tmp_path / "in", "b c.csv", "2026-11-02", "Monday <b>Pairs</b>")
    saved(tmp_path / "in", "d.csv", "2026-11-16", "Monday Pairs")
    assert batch(tmp_path).status == 0
    return tmp_path / "out"


def test_all_games_are_listed_by_day_and_by_month(site: Path) -> None:
    games = [
        ("Mon 16 Monday Pairs", "d.html"),
        ("Mon 2 Monday <b>Pairs</b>", "b%20c.html"),
        ("Wed 30 Wednesday Pairs Wednesday Eve · Ægir", "a.html"),
    ]
    assert listed(site / "index.html") == games
    assert sorted(path.name for path in (site / "months").iterdir()) == ["2026-09.html", "2026-11.html"]
    assert listed(site / "months" / "2026-11.html") == [(words, f"../{link}") for words, link in games[:2]]
    assert listed(site / "months" / "2026-09.html") == [(words, f"../{link}") for words, link in games[2:]]


def test_the_lists_lead_to_each_other(site: Path) -> None:
    def links(name: str) -> dict[str, str]:
        page = html.fromstring((site / name).read_bytes())
        return {str(a.get("rel")): a.get("href") for a in page.iter("a") if a.get("rel")}

    assert links("months/2026-09.html") == {"next": "../months/2026-11.html"}
    assert links("months/2026-11.html") == {"prev": "../months/2026-09.html"}
    assert '<a href="months/2026-11.html">November 2026</a>' in (site / "index.html").read_text("utf-8")
    assert 'href="../index.html"' in (site / "months" / "2026-11.html").read_text("utf-8")


def test_no_list_names_players_or_asks_anybody_for_anything(site: Path) -> None:
    for page in (site / "index.html", *(site / "months").iterdir()):
        text = page.read_text("utf-8")
        assert not re.search("Zoë|Ann|7714321|123.45", text)
        assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
        assert "default-src 'none'" in text
        assert '<meta name="robots" content="noindex, nofollow">' in text


def test_search_engines_may_be_asked(tmp_path: Path, site: Path) -> None:
    assert batch(tmp_path, "--findable").status == 0
    assert "noindex" not in (site / "index.html").read_text("utf-8")


def test_a_further_run_brings_the_lists_up_to_date_and_writes_nothing_else(tmp_path: Path, site: Path) -> None:
    september = (site / "months" / "2026-09.html").stat().st_mtime_ns
    (tmp_path / "in" / "b c.csv").unlink()
    (tmp_path / "in" / "d.csv").unlink()
    saved(tmp_path / "in", "e.csv", "2026-10-05", "October Pairs")
    assert batch(tmp_path).status == 0
    assert [link for _, link in listed(site / "index.html")] == ["e.html", "a.html"]
    assert sorted(path.name for path in (site / "months").iterdir()) == ["2026-09.html", "2026-10.html"]
    assert 'rel="next" href="../months/2026-10.html"' in (site / "months" / "2026-09.html").read_text("utf-8")
    now = (site / "months" / "2026-09.html").stat().st_mtime_ns
    assert now > september
    assert batch(tmp_path).status == 0
    assert (site / "months" / "2026-09.html").stat().st_mtime_ns == now


def test_games_of_one_file_and_such_as_failed(tmp_path: Path, site: Path) -> None:
    fixture = Path(__file__).parent.parent / "fixtures" / "made-two-games.ACM"
    shutil.copy(fixture, tmp_path / "in")
    (tmp_path / "in" / "bad.csv").write_text("x\n")
    assert batch(tmp_path, "--rating", "club-championship").status == 1
    pages = [link for _, link in listed(site / "index.html")]
    assert pages.count("made-two-games.html") == 2
    assert not any("bad" in page for page in pages)


def test_nothing_of_somebody_elses_is_written_over(tmp_path: Path) -> None:
    saved(tmp_path / "in", "index.csv", "2026-11-02", "Monday Pairs")
    done = batch(tmp_path)
    assert done.status == 1
    assert "there is no room for the list index.html: it has the results of" in done.err
    assert b"Monday Pairs" in (tmp_path / "out" / "index.html").read_bytes()
    (tmp_path / "in" / "index.csv").rename(tmp_path / "in" / "monday.csv")
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").write_text("our club")
    done = batch(tmp_path)
    assert done.status == 1
    assert "another page is called so" in done.err
    assert (tmp_path / "out" / "index.html").read_text() == "our club"


@pytest.mark.parametrize(
    ("more", "said"),
    [(["--to", "json", "--index"], "--index lists pages"), (["--to", "html", "--findable"], "goes with --index")],
)
def test_what_cannot_be_meant_is_wrong_usage(tmp_path: Path, more: list[str], said: str) -> None:
    saved(tmp_path / "in", "a.csv", "2026-11-02", "Monday Pairs")
    done = run("batch", tmp_path / "in", "-o", tmp_path / "out", *more)
    assert (done.status, said in done.err) == (2, True)


@needs_browser
def test_three_hundred_games_in_a_browser(tab: Any, tmp_path: Path) -> None:
    names = ("Monday Pairs", "Wednesday Open Pairs", "Städtisches Paarturnier Donnerstagnachmittag", "Friday 299er")
    for n in range(300):
        day = date(2026, 11, 23) - timedelta(days=n * 2)
        keys = {"session": f"{day:%A} Eve", "club": "Bridge Club of Llanfairpwllgwyngyll and District"}
        saved(tmp_path / "in", f"{n:03}.csv", day.isoformat(), names[n % 4], **keys)
    assert batch(tmp_path).status == 0
    for page in ("index.html", "months/2026-10.html"):
        for width in (390, 1280):
            for scheme in ("light", "dark"):
                tab.emulate_media(media="screen", color_scheme=scheme)
                tab.set_viewport_size({"width": width, "height": 900})
                asked: list[str] = []
                tab.on("request", lambda request, asked=asked: asked.append(request.url))
                tab.goto((tmp_path / "out" / page).as_uri())
                assert tab.evaluate("document.documentElement.scrollWidth") == width
                assert len(asked) == 1
    tab.goto((tmp_path / "out" / "index.html").as_uri())
    rows = tab.locator(".games li")
    assert (rows.count(), tab.locator(".games li:visible").count()) == (300, 300)
    # Every fourth game is the tournament with an accent; its name is found without.
    tab.get_by_label("Search").fill("stadtisches october")
    expected = sum((date(2026, 11, 23) - timedelta(days=2 * n)).month == 10 for n in range(2, 300, 4))
    assert tab.locator(".games li:visible").count() == expected
    assert tab.locator("[role=status]").text_content() == f"{expected} games found"
    assert tab.locator("h2:visible").count() == 2  # October 2026, and that of 2025
    tab.get_by_label("Search").fill("nobody")
    assert tab.locator("[role=status]").text_content() == "no games found"
    tab.get_by_label("Search").fill("")
    assert tab.locator(".games li:visible").count() == 300
    tab.locator(".games a").first.click()
    assert tab.title().startswith("Monday Pairs")
