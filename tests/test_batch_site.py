"""A folder that is a site: the lists of its pages and the links between them, as files and in a browser."""

import base64
import hashlib
import json
import re
import shutil
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zlib import crc32

import pytest
from batches import contents
from browser import FITS, MEASURE, faults, needs_browser
from conftest import ALL, FIXTURES, Run, run
from lxml import html

from resultproc.batch.chunks import Settings
from resultproc.batch.ledger import Ledger
from resultproc.batch.run import run as run_batch
from resultproc.model.files import OutputFolder
from resultproc.site.index import Index, files_for_the_public

HEADER = "section,direction,number,player1,player2,id1,mp1,score\n"
ROWS = HEADER + "".join(
    f"A,{d},{n},{name} {d} of {{0}},B{d}{n} of {{0}},77{n}{len(name)}{{1}},123.45,{20 + n}\n"
    for d in ("N-S", "E-W")
    for n, name in enumerate(("Ann", "Zoë", "Cy") if d == "N-S" else ("Anna", "Zara", "Clem"), 1)
)


def saved(folder: Path, name: str, day: str, event: str, rows: str = ROWS, **keys: str) -> None:
    folder.mkdir(exist_ok=True)
    said = {"event": event, "date": day, "rating": "club-open", "boards": "24", "tables": "3", **keys}
    rows = rows.format(re.sub(r"\W+", " ", event), 100 + crc32(event.encode()) % 900)
    text = "".join(f"# {key}: {value}\n" for key, value in said.items()) + rows
    (folder / name).write_text(text, "utf-8")


def batch(folder: Path, *more: object) -> Run:
    return run("batch", folder / "in", "-o", folder / "out", "--to", "html", "--index", *more)


def listed(page: Path) -> list[tuple[str, str]]:
    """Return the games of a list, by their words and where they lead to, which has to be there."""
    found = []
    for row in html.fromstring(page.read_bytes()).iter("li"):
        if row.get("data-s") is not None:
            link = row.find("a").get("href")
            name, _, part = link.replace("%20", " ").partition("#")
            assert (page.parent / name).is_file()
            assert not part or html.fromstring((page.parent / name).read_bytes()).get_element_by_id(part) is not None
            found.append((" ".join(row.itertext()), link))
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    saved(tmp_path / "in", "a.csv", "2026-09-30", "Wednesday Pairs", session="Wednesday Eve", club="Ægir")
    saved(tmp_path / "in", "b c.csv", "2026-11-02", "Monday <b>Pairs</b>")
    saved(tmp_path / "in", "d.csv", "2026-11-16", "Monday Pairs")
    assert batch(tmp_path).status == 0
    return tmp_path / "out"


@pytest.mark.slow
def test_all_games_are_listed_by_day_and_by_month(site: Path) -> None:
    games = [
        ("Mon 16 Monday Pairs Open club game · 3 tables · 12 players", "d.html"),
        ("Mon 2 Monday <b>Pairs</b> Open club game · 3 tables · 12 players", "b%20c.html"),
        # The club is that of all games, and stands above them.
        ("Wed 30 Wednesday Pairs Open club game · 3 tables · Wednesday Eve · 12 players", "a.html"),
    ]
    assert listed(site / "index.html") == games
    assert sorted(path.name for path in (site / "months").iterdir()) == ["2026-09.html", "2026-11.html"]
    assert listed(site / "months" / "2026-11.html") == [(words, f"../{link}") for words, link in games[:2]]
    assert listed(site / "months" / "2026-09.html") == [(words, f"../{link}") for words, link in games[2:]]


@pytest.mark.slow
def test_games_are_listed_by_day_of_the_week(site: Path) -> None:
    assert sorted(path.name for path in (site / "weekdays").iterdir()) == ["monday.html", "wednesday.html"]
    monday = listed(site / "weekdays" / "monday.html")
    assert [link for _, link in monday] == ["../d.html", "../b%20c.html"]
    # A day of the week comes again: its month says which one it was.
    (heading,) = html.fromstring((site / "weekdays" / "monday.html").read_bytes()).iterfind(".//h2")
    assert " ".join(heading.text_content().split()) == "November 2026 2 games"
    assert heading.find("a").get("href") == "../months/2026-11.html"
    assert '<a href="weekdays/monday.html">Mondays</a>' in (site / "index.html").read_text("utf-8")


LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="30"/></svg>'

LOOK = """[site]
colour = "#0a4b8b"
address = "12 Elm Street, <Llanfair>"
logo = "logo.svg"
links = { "Our club" = "https://example.org/?a=1&b=2" }
"""


@pytest.mark.slow
def test_the_lists_have_the_clubs_colour_address_and_links(tmp_path: Path, site: Path) -> None:
    (tmp_path / "in" / "resultproc.toml").write_text(f'club = "Llanfair"\n{LOOK}', "utf-8")
    (tmp_path / "in" / "logo.svg").write_bytes(LOGO)
    assert batch(tmp_path, "--players").status == 0
    # One game was at another club.
    assert html.fromstring((site / "index.html").read_bytes()).findtext(".//h1") == "Llanfair"
    for name in ("index.html", "months/2026-11.html", next((site / "players").iterdir()).relative_to(site)):
        text = (site / name).read_text("utf-8")
        assert "--accent: #0a4b8b" in text
        (logo,) = html.fromstring(text.encode()).iterfind(".//img")
        assert base64.b64decode(logo.get("src").removeprefix("data:image/svg+xml;base64,")) == LOGO
        foot = html.fromstring(text.encode()).find(".//footer")
        assert "12 Elm Street, <Llanfair>" in foot.text_content()
        assert [each.get("href") for each in foot.iter("a")] == ["https://example.org/?a=1&b=2"]
    # A game has the colour, too, as long as its page belongs to the site.
    assert "--accent: #0a4b8b" in (site / "d.html").read_text("utf-8")
    (tmp_path / "in" / "logo.svg").write_bytes(LOGO + b" ")
    assert batch(tmp_path, "--players").status == 0
    assert base64.b64encode(LOGO + b" ") in (site / "index.html").read_bytes()
    (tmp_path / "in" / "logo.svg").unlink()
    done = batch(tmp_path, "--players")
    assert done.status == 1
    assert "there is no logo 'logo.svg' beside the settings" in done.err
    assert run("batch", tmp_path / "in", "-o", site, "--to", "html").status == 0
    assert "--accent: #0a4b8b" not in (site / "d.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('colour = "#ffee00"', "line 2: the colour '#ffee00' is too pale to be read on white; choose a darker one"),
        ('logo = "club.bmp"', "line 2: the logo 'club.bmp' is no picture that pages show; take an SVG, PNG, JPEG"),
        ('logo = "../club.png"', "line 2: the logo: '../club.png' leads out of the folder of the file that names it"),
        ('colour = "red;}"', "line 2: 'red;}' is no colour; write it as"),
        ('links = { "x" = "javascript:alert(1)" }', "line 2: links are no addresses by their words; write"),
    ],
)
def test_a_look_that_cannot_be_is_told(tmp_path: Path, line: str, said: str) -> None:
    saved(tmp_path / "in", "a.csv", "2026-09-30", "Wednesday Pairs")
    (tmp_path / "in" / "resultproc.toml").write_text(f"[site]\n{line}\n", "utf-8")
    done = batch(tmp_path)
    assert done.status == 1
    assert said in done.err.replace(" (", "; ")


def boards(folder: Path) -> None:
    """Make the site of a game with boards, with pages of its players; one of them wants none."""
    (folder / "in").mkdir()
    shutil.copy(FIXTURES / "made-wednesday.json", folder / "in" / "wed.json")
    (folder / "in" / "resultproc.toml").write_text('[players]\nleft_out = ["Ben Teak"]\n')
    assert batch(folder, "--players").status == 0


def test_a_scorecard_leads_to_the_pages_of_its_players(tmp_path: Path) -> None:
    boards(tmp_path)
    tree = html.fromstring((tmp_path / "out" / "wed.html").read_bytes())
    (card,) = (each for each in tree.find_class("sheet") if each.findtext(".//h2").startswith("Ada Spruce"))
    links = [each.get("href") for each in card.iter("a") if each.get("href").startswith("players/")]
    assert links == ["players/ada-spruce.html"]  # her partner is on no page
    assert batch(tmp_path).status == 0
    assert b"players/" not in (tmp_path / "out" / "wed.html").read_bytes()


def told_on(tab: Any, index: str, told: bool) -> bool:
    """Whether the index names the reader (or nobody) once the own page was told: a browser may lose what is written
    just before another page is asked for, so it is told again where it did not hear."""
    own = tab.url
    for _ in range(10):
        tab.goto(own)
        tab.get_by_label("This is me").set_checked(told)
        tab.wait_for_timeout(200)
        tab.goto(index)
        if tab.locator(".you").is_visible() == told:
            return True
    return False


@needs_browser
def test_taps_from_the_index(tab: Any, tmp_path: Path) -> None:
    """My result in two taps, my boards in three, my season in two, another pair beside mine in four."""
    boards(tmp_path)
    taps = 0

    def tap(place: Any) -> None:
        nonlocal taps
        taps += 1
        place.click()

    index = (tmp_path / "out" / "index.html").as_uri()
    tab.set_viewport_size({"width": 390, "height": 900})
    tab.goto(index)
    tap(tab.locator("section a").first)  # the latest game
    mine = tab.get_by_role("link", name="Ella Willow").first
    assert mine.is_visible()
    assert taps <= 2
    tap(mine)
    assert tab.locator(".sheet:target tbody tr").count() > 10
    assert taps <= 3
    taps += 1  # which opens the list of the others
    tab.locator(".sheet:target").get_by_label("Compare with").select_option(index=2)
    assert tab.locator(".sheet:target td.other").count() > 10
    assert taps < 4
    tab.locator(".sheet:target").get_by_role("link", name="Ella Willow", exact=True).click()
    assert tab.title().startswith("Ella Willow")
    tab.goto(index)
    tab.get_by_label("Search").fill("ella w")
    taps = 0
    tap(tab.locator(".tapped a").first)
    assert tab.locator("h1").inner_text() == "Ella Willow"
    assert taps <= 2
    # The phone remembers who is who, and nobody else is told.
    assert told_on(tab, index, told=True)
    assert tab.locator(".you a").inner_text() == "Ella Willow"
    assert faults(tab) == []
    tab.locator(".you a").click()
    assert tab.get_by_label("This is me").is_checked()
    assert faults(tab) == []
    assert told_on(tab, index, told=False)


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
        assert not re.search(r"Zoë|Ann|\b77\d{5}\b|123.45", text)
        assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
        assert "default-src 'none'" in text
        assert '<meta name="robots" content="noindex, nofollow">' in text


@pytest.mark.slow
def test_search_engines_may_be_asked(tmp_path: Path, site: Path) -> None:
    assert batch(tmp_path, "--findable").status == 0
    assert "noindex" not in (site / "index.html").read_text("utf-8")


@pytest.mark.slow
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


@pytest.mark.slow
def test_games_of_one_file_and_such_as_failed(tmp_path: Path, site: Path) -> None:
    shutil.copy(FIXTURES / "made-two-games.ACM", tmp_path / "in")
    (tmp_path / "in" / "bad.csv").write_text("x\n")
    assert batch(tmp_path, "--rating", "club-championship").status == 1
    pages = [link for _, link in listed(site / "index.html")]
    # Each game has its own place in the list.
    assert {page for page in pages if page.startswith("made-two")} == {f"made-two-games.html#g{n}" for n in (1, 2)}
    assert not any("bad" in page for page in pages)


@pytest.mark.slow
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


def links(page: Path) -> dict[str, tuple[str, str]]:
    """Return the links above a game, by the relation or else the words of each: where it leads to, and its words."""
    found = {}
    for link in html.fromstring(page.read_bytes()).iterfind(".//nav[@class='site']/a"):
        found[link.get("rel") or link.text] = (unquote(link.get("href")), link.text)
    return found


@pytest.mark.slow
def test_games_lead_to_their_lists_and_to_the_games_before_and_after(tmp_path: Path, site: Path) -> None:
    saved(tmp_path / "in" / "mon", "e f.csv", "2026-11-09", "Monday Pairs")
    text = (tmp_path / "in" / "d.csv").read_text("utf-8")
    (tmp_path / "in" / "g.csv").write_text(re.sub("# date: .*\n", "", text).replace("20", "21"), "utf-8")
    assert batch(tmp_path, "--rules", "acbl-club-2023").status == 0
    assert links(site / "d.html") == {
        "Results": ("index.html", "Results"),
        "November 2026": ("months/2026-11.html", "November 2026"),
        "prev": ("mon/e f.html", "← Mon 9 Nov"),
    }
    assert links(site / "mon" / "e f.html") == {
        "Results": ("../index.html", "Results"),
        "November 2026": ("../months/2026-11.html", "November 2026"),
        "prev": ("../b c.html", "← Mon 2 Nov"),
        "next": ("../d.html", "Mon 16 Nov →"),
    }
    assert links(site / "a.html")["prev"] == ("g.html", "← Monday Pairs")  # without a date it is the last
    assert links(site / "g.html") == {
        "Results": ("index.html", "Results"),
        "Without a date": ("months/undated.html", "Without a date"),
        "next": ("a.html", "Wed 30 Sep →"),
    }


@pytest.mark.slow
def test_no_link_of_a_site_leads_to_nothing(tmp_path: Path, site: Path) -> None:
    shutil.copy(FIXTURES / "made-two-games.ACM", tmp_path / "in")
    assert batch(tmp_path, "--players", "--rating", "club-championship").status == 0
    pages = {page: html.fromstring(page.read_bytes()) for page in site.rglob("*.html")}
    names = {page: set(tree.xpath("//@id")) for page, tree in pages.items()}
    for page, tree in pages.items():
        for link in tree.iterfind(".//a[@href]"):
            name, _, part = unquote(link.get("href")).partition("#")
            target = (page.parent / name).resolve() if name else page
            assert target in pages
            assert not part or part in names[target]
        assert page == site / "index.html" or tree.xpath("//a[contains(@href, 'index.html')]")
    assert len(pages) > 40


def changed(out: Path, before: dict[str, bytes]) -> set[str]:
    """Return the files that are not as they were; no report and no ledger."""
    now = contents(out)
    return {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)} - {"report.json"}


def times(out: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in out.rglob("*.html")}


@pytest.mark.slow
def test_a_night_more_changes_the_pages_beside_it_and_its_lists(tmp_path: Path, site: Path) -> None:
    for day in range(1, 9):
        saved(tmp_path / "in", f"oct{day}.csv", f"2026-10-0{day}", f"October {day}")
    assert batch(tmp_path).status == 0
    before, stamped = contents(site), times(site)
    assert batch(tmp_path).status == 0
    assert (changed(site, before), times(site)) == (set(), stamped)
    saved(tmp_path / "in", "new.csv", "2026-10-04", "Zonal Pairs")
    assert batch(tmp_path).status == 0
    lists = {"index.html", "months/2026-10.html", "weekdays/sunday.html"}
    # The lists have the games of a day by their titles, and so has the way from game to game.
    assert changed(site, before) == {*lists, "new.html", "oct4.html", "oct3.html"}
    assert {name for name, time in times(site).items() if time != stamped.get(name)} == {
        Path(name).name for name in changed(site, before)
    }
    (tmp_path / "in" / "new.csv").unlink()
    assert batch(tmp_path).status == 0
    assert changed(site, before) == set()
    saved(tmp_path / "in", "oct5.csv", "2026-10-05", "October 5 corrected")
    assert batch(tmp_path).status == 0
    lists = {"index.html", "months/2026-10.html", "weekdays/monday.html"}
    assert changed(site, before) == {*lists, "oct4.html", "oct5.html", "oct6.html"}  # which name it


OPENED: list[str] | None = None
"""The files that this process opens, while somebody wants to know."""


@pytest.fixture(scope="module")
def opening() -> None:
    """Let this process note which files it opens; it cannot be told to leave that again."""

    def note(event: str, details: tuple[Any, ...]) -> None:
        if OPENED is not None and event == "open" and isinstance(details[0], str | Path):
            OPENED.append(str(details[0]))

    sys.addaudithook(note)


@pytest.mark.slow
def test_a_game_more_looks_into_no_file_that_it_does_not_change(
    tmp_path: Path, opening: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [date(2026, 1, 5) + timedelta(10 * n) for n in range(12)]
    for day in days:
        saved(tmp_path / "in", f"{day}.csv", str(day), f"Pairs of {day:%B} {day.day}")
    for _ in range(2):  # the second looks at what the first has written, in processes of its own
        assert batch(tmp_path, "--players").status == 0
    before = contents(tmp_path / "out")
    saved(tmp_path / "in", "more.csv", "2026-05-01", "Labour Day")
    monkeypatch.setattr(sys.modules[__name__], "OPENED", [])
    assert batch(tmp_path, "--players").status == 0
    opened = {Path(name).relative_to(tmp_path).as_posix() for name in OPENED or () if name.startswith(str(tmp_path))}
    after = contents(tmp_path / "out")
    changed = {f"out/{name}" for name in after if after[name] != before.get(name)}
    looked_into = {name for name in opened if name.endswith((".html", ".csv")) and "partial" not in name}
    assert looked_into <= changed | {"in/more.csv", "out/to-do.html", "out/batch-report.html"}
    pages = {name for name in changed if name.endswith(".html")}
    lists = {"out/index.html", "out/months/2026-04.html", "out/months/2026-05.html", "out/months/2026-03.html"}
    # The pages of the day before and after, those of the game and its twelve players, and lists.
    assert len(pages) <= 3 + 12 + len(lists)


def test_the_report_has_the_pages_as_they_are(site: Path) -> None:
    outputs = [each for item in json.loads((site / "report.json").read_bytes())["inputs"] for each in item["outputs"]]
    assert len(outputs) == 3
    for each in outputs:
        assert each["sha256"] == hashlib.sha256((site / each["file"]).read_bytes()).hexdigest()


@pytest.mark.slow
def test_a_site_is_the_same_whatever_runs_have_made_it(tmp_path: Path, site: Path) -> None:
    saved(tmp_path / "in", "e.csv", "2026-10-05", "October Pairs")
    assert batch(tmp_path, "--players").status == 0
    fresh = tmp_path / "fresh"
    assert run("batch", tmp_path / "in", "-o", fresh, "--to", "html", "--index", "--players").status == 0
    assert changed(site, contents(fresh)) == set()


@pytest.mark.slow
def test_without_index_the_folder_is_no_site_any_more(tmp_path: Path, site: Path) -> None:
    (site / "months" / "mine.html").write_text("our club")
    assert batch(tmp_path, "--players").status == 0
    plain = tmp_path / "plain"
    for out in (plain, site):
        assert run("batch", tmp_path / "in", "-o", out, "--to", "html").status == 0
    assert changed(site, contents(plain)) == {"months/mine.html"}
    assert b"index.html" not in b"".join(contents(plain).values())


@pytest.mark.slow
def test_a_page_that_somebody_has_changed_stays(tmp_path: Path, site: Path) -> None:
    page = site / "d.html"
    page.write_bytes(page.read_bytes().replace(b"Monday", b"Magic"))
    before = contents(site)
    saved(tmp_path / "one", "e.csv", "2026-11-15", "Sunday Pairs")
    # The other folder is not looked at, and what is in the page of its game may be meant.
    assert run("batch", tmp_path / "one", "-o", site, "--to", "html", "--index").status == 0
    assert changed(site, before) == {"e.html", "b c.html", "index.html", "months/2026-11.html", "weekdays/sunday.html"}


@pytest.mark.slow
def test_a_page_with_links_is_read_as_without(tmp_path: Path) -> None:
    saved(tmp_path / "in", "before.csv", "2026-11-02", "Last Week")
    saved(tmp_path / "in", "later.csv", "2026-11-16", "Next Week")
    said = "event: Howell", "date: 2026-11-09", "rating: club-open", "boards: 24"
    rows = "1,Umbra Ash,Bob Ray,60", "2,Cy Dale,Dora Eel,55", "3,Eve Fay,Gus Hal,50", "4,Ida Jay,Jon Kerr,35"
    (tmp_path / "in" / "howell.csv").write_text(
        "\n".join([*(f"# {line}" for line in said), "number,player1,player2,percentage", *rows, ""]), "utf-8"
    )
    read = []
    for name, more in (("plain", []), ("site", ["--index", "--players"])):
        out = tmp_path / name
        assert run("batch", tmp_path / "in", "-o", out, "--to", "html", *more).status == 0
        provenance, *lines = run("convert", out / "howell.html", "-", "--to", "csv").printed.splitlines()
        assert "sha256" in provenance
        read.append(lines)
    assert {"prev", "next"} <= links(tmp_path / "site" / "howell.html").keys()
    assert read[0] == read[1]
    assert "# date: 2026-11-09" in read[0]


@pytest.mark.slow
def test_pages_of_a_site_show_no_remarks_and_say_what_search_engines_should_do(tmp_path: Path) -> None:
    saved(tmp_path / "in", "a.csv", "2026-11-02", "Friday 299er")
    assert run("batch", tmp_path / "in", "-o", tmp_path / "out", "--to", "html", "--remarks").status == 0
    page = tmp_path / "out" / "a.html"
    plain = page.read_text("utf-8")
    assert "<h2>Remarks</h2>" in plain
    assert "robots" not in plain
    assert batch(tmp_path).status == 0
    assert "<h2>Remarks</h2>" not in page.read_text("utf-8")
    assert page.read_text("utf-8").count('<meta name="robots" content="noindex, nofollow">\n</head>') == 1
    assert batch(tmp_path, "--findable").status == 0
    assert "robots" not in page.read_text("utf-8")
    assert 'class="site"' in page.read_text("utf-8")


def for_the_public(output: Path) -> list[str]:
    with Ledger(output) as ledger:
        return files_for_the_public(ledger.written(), OutputFolder(output))


@pytest.mark.slow
def test_what_is_for_the_public_is_told(tmp_path: Path, site: Path) -> None:
    (tmp_path / "in" / "bad.csv").write_text("x\n")
    saved(tmp_path / "in" / "mon", "e.csv", "2026-11-09", "Monday Pairs")
    assert run("batch", tmp_path / "in", "-o", site, "--to", "html,json", "--index", "--players").status == 1
    (site / "months" / "mine.html").write_text("our club")
    (site / "notes.html").write_text("our club")
    names = for_the_public(site)
    players = sorted(f"players/{path.name}" for path in (site / "players").iterdir())
    assert names == [
        *("a.html", "b c.html", "d.html", "mon/e.html"),
        *players,
        *(
            "months/2026-09.html",
            "months/2026-11.html",
            "weekdays/monday.html",
            "weekdays/wednesday.html",
            "index.html",
        ),
    ]
    assert len(players) == 36
    for name in names:
        assert not re.search(r"\b77\d{5}\b|123.45", (site / name).read_text("utf-8"))
    # Neither what somebody has changed, nor what another run would first write again.
    (site / "d.html").write_text("our club")
    assert set(names) - set(for_the_public(site)) == {"d.html"}


def test_a_folder_that_is_no_site_has_nothing_for_the_public(tmp_path: Path) -> None:
    saved(tmp_path / "in", "a.csv", "2026-11-02", "Monday Pairs")
    assert run("batch", tmp_path / "in", "-o", tmp_path / "out", "--to", "html").status == 0
    assert for_the_public(tmp_path / "out") == []


class Killed(BaseException):
    """The end of the process."""


FEW = HEADER + "A,,1,Ann of {0},Bob,771{1},,22\nA,,2,Cy of {0},Di,772{1},,20\n"
"""Few players, for few steps: a page of each is written alike."""


@pytest.mark.slow
@pytest.mark.parametrize("before", [False, True])
def test_a_run_that_ends_anywhere_is_made_good_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    settings = Settings("csv", ("html",), {})
    few = {"movement": "howell", "tables": "1"}
    fresh, out, inbox = tmp_path / "fresh", tmp_path / "out", tmp_path / "in"
    for n in range(1, 4):
        saved(inbox, f"{n}.csv", f"2026-11-0{n}", f"Game {n}", FEW, **few)
    if before:
        run_batch([inbox], tmp_path / "before", settings, index=Index(players=True))
        saved(inbox, "2.csv", "2026-10-02", "Game 2 corrected", FEW, **few)
        (inbox / "3.csv").unlink()
        saved(inbox, "4.csv", "2026-11-04", "Game 4", FEW, **few)
    run_batch([inbox], fresh, settings, index=Index(players=True))
    whole = {name: {data} for name, data in contents(fresh).items()}
    put, remove, left = OutputFolder.put, OutputFolder.remove, [0]

    def killed(done: Any) -> Any:
        def does(*arguments: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return done(*arguments)

        return does

    monkeypatch.setattr(OutputFolder, "put", killed(put))
    monkeypatch.setattr(OutputFolder, "remove", killed(remove))
    # Every seventh step, unless all is tried, and others where there is something before.
    for steps in range(3 * before, 1000, 1 if ALL else 7):
        shutil.rmtree(out, ignore_errors=True)
        if before:
            shutil.copytree(tmp_path / "before", out)
        left[0] = steps
        try:
            run_batch([inbox], out, settings, index=Index(players=True))
        except Killed:
            left[0] = 1000
            run_batch([inbox], out, settings, index=Index(players=True))
            assert changed(out, contents(fresh)) == set(), steps
        else:
            break
    assert steps > len(whole)


def test_after_a_run_that_was_killed_while_it_linked_pages_few_are_awarded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four games three have their links, and two of these were recorded: two at a time are."""
    inbox, put, pages = tmp_path / "in", OutputFolder.put, list[str]()
    for n in range(1, 5):
        saved(inbox, f"{n}.csv", f"2026-11-0{n}", f"Game {n}", FEW, movement="howell", tables="1")

    def and_look(folder: OutputFolder, name: str, *more: Any) -> str:
        done = put(folder, name, *more)
        if name in {f"{n}.html" for n in range(1, 5)}:
            pages.append(name)
            if len(pages) == 7:  # four when they were awarded, and the third that is linked
                shutil.copytree(tmp_path / "out", tmp_path / "killed")
        return done

    monkeypatch.setattr(OutputFolder, "put", and_look)
    monkeypatch.setattr("resultproc.batch.run.FILES_AT_A_TIME", 2)
    settings = Settings("csv", ("html",), {})
    run_batch([inbox], tmp_path / "out", settings, index=Index())
    assert len(pages) == 8
    again = run_batch([inbox], tmp_path / "killed", settings, index=Index()).report()
    assert (again["files"], again["done_before"]) == (1, 3)
    assert changed(tmp_path / "killed", contents(tmp_path / "out")) == set()


def test_of_two_clubs_in_one_site_its_look_is_that_of_the_first_whichever_was_done_last(tmp_path: Path) -> None:
    inbox, settings = tmp_path / "in", Settings("csv", ("html",), {})
    inbox.mkdir()
    for club, colour in (("east", "#0a4b8b"), ("west", "#7a1f1f")):
        saved(inbox / club, "1.csv", "2026-11-02", f"Game {club}", FEW, movement="howell", tables="1")
        (inbox / club / "resultproc.toml").write_text(f'[site]\ncolour = "{colour}"\n', "utf-8")
    for event in ("Game east", "Game east corrected"):
        saved(inbox / "east", "1.csv", "2026-11-02", event, FEW, movement="howell", tables="1")
        run_batch([inbox], tmp_path / "out", settings, index=Index())
        assert "--accent: #0a4b8b" in (tmp_path / "out" / "index.html").read_text("utf-8")


MANY = 300 if ALL else 20
"""How many games there are in a site of many."""


def many_games(folder: Path, count: int) -> None:
    """Make a site of a club's games, every other day one: 300 are those of two years."""
    names = ("Monday Pairs", "Wednesday Open Pairs", "Städtisches Paarturnier Donnerstagnachmittag", "Friday 299er")
    for n in range(count):
        day = date(2026, 11, 23) - timedelta(days=n * 2)
        keys = {"session": f"{day:%A} Eve", "club": "Bridge Club of Llanfairpwllgwyngyll and District"}
        saved(folder / "in", f"{n:03}.csv", day.isoformat(), names[n % 4], **keys)
    assert batch(folder, "--players").status == 0


@needs_browser
def test_many_games_in_a_browser(tab: Any, tmp_path: Path) -> None:
    many_games(tmp_path, MANY)
    for page in ("index.html", "months/2026-10.html", "012.html", "players/zoe-n-s-of-friday-299er.html"):
        for width, scheme in ((390, "dark"), (1280, "light")):
            tab.emulate_media(media="screen", color_scheme=scheme)
            tab.set_viewport_size({"width": width, "height": 900})
            asked: list[str] = []
            tab.on("request", lambda request, asked=asked: asked.append(request.url))
            tab.goto((tmp_path / "out" / page).as_uri())
            assert tab.evaluate(MEASURE) == FITS
            assert faults(tab) == []
            assert len(asked) == 1
    tab.goto((tmp_path / "out" / "index.html").as_uri())
    rows = tab.locator(".games > li")
    assert (rows.count(), tab.locator(".games > li:visible").count()) == (MANY, MANY)
    # Every fourth game is the tournament with an accent; its name is found without.
    tab.get_by_label("Search").fill("stadtisches october")
    expected = sum((date(2026, 11, 23) - timedelta(days=2 * n)).month == 10 for n in range(2, MANY, 4))
    assert tab.locator(".games > li:visible").count() == expected
    assert tab.locator("[role=status]").text_content() == f"Games: {expected} · Players: 0"
    assert tab.locator(".tapped a").count() == min(expected, 4)
    assert tab.locator("h2:visible").count() == (2 if ALL else 1)  # October 2026; of 300 games that of 2025, too
    tab.get_by_label("Search").fill("nobody")
    assert tab.locator("[role=status]").text_content() == "Games: 0 · Players: 0"
    tab.get_by_label("Search").fill("zoe n-s")
    assert tab.locator(".players li:visible").all_text_contents()[0] == f"Zoë N-S of Friday 299er {MANY // 4} games"
    assert tab.locator("[role=status]").text_content() == "Games: 0 · Players: 4"
    tab.get_by_label("Search").fill("")
    assert tab.locator(".games > li:visible").count() == MANY
    tab.locator(".games a").first.click()
    assert tab.title().startswith("Monday Pairs")
    # By the keyboard alone: the links are the first things that a page of a game has.
    for _ in range(3):
        tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.rel") == "prev"
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/001.html")
    tab.get_by_role("link", name="Results").click()
    tab.wait_for_url("**/index.html")
    tab.get_by_role("link", name="Players").click()
    tab.locator(".players a").first.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/players/*.html")
    assert tab.locator("table").first.locator("tbody tr").count() == MANY // 4
