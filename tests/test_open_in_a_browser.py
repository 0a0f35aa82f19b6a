"""A director's evening in a real browser: by mouse and by keyboard alone, and what the page is for everybody."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from batches import GAME
from browser import FITS, MEASURE, faults, looking, needs_browser
from conftest import ALL, run, saved

pytest.importorskip("waitress")

from test_open import WEDNESDAY, workbook
from test_open_served import serving

from resultproc.web.desk import Desk
from resultproc.web.safety import Guard
from resultproc.web.serve import server_of


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Desk, Guard]]:
    """Return a desk that is served, and what lets a browser in."""
    desk, guard = Desk.at(tmp_path / "club"), Guard(0)
    server = server_of(desk, guard, tmp_path / "receipts.sqlite")
    with serving(server), guard.leading(desk.root / "open.html"):
        yield desk, guard


def enter(tab: Any, desk: Desk, guard: Guard) -> None:
    """Open the page as the program does the first time: by the file that leads to it, which is then gone."""
    page = desk.root / "open.html"
    tab.goto(page.as_uri())
    tab.wait_for_url(f"http://127.0.0.1:{guard.port}/")
    tab.get_by_role("heading", name="Your games").wait_for()
    assert not page.exists()


def dropped(tab: Any, guard: Guard, folder: Path, name: str, data: bytes) -> None:
    path = saved(folder / name, data)
    tab.goto(f"http://127.0.0.1:{guard.port}/")
    tab.get_by_label("Choose the file").set_input_files(path)
    tab.get_by_role("button", name="Read it").click()


@needs_browser
def test_a_director_s_evening(desk: tuple[Desk, Guard], tab: Any, tmp_path: Path) -> None:
    folder, guard = desk
    www = tmp_path / "www"
    www.mkdir()
    (folder.root / "resultproc.toml").write_text(f"[site.folder]\nfolder = {json.dumps(str(www))}\n", "utf-8")
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    enter(tab, folder, guard)
    dropped(tab, guard, tmp_path, "wednesday.xlsx", workbook())
    tab.locator("[aria-invalid]").fill("133,00")
    tab.get_by_role("button", name="Mend it").click()
    tab.get_by_label("Rating").first.select_option("club-open")
    tab.get_by_role("button", name="Award it").click()
    tab.locator("summary", has_text="0.63").first.click()
    assert tab.locator("tr.why:visible").first.text_content().count("2nd of 9 pairs in the section, stratum A") == 1
    # Pair 5 is no C: what it wins as such is gone. 50% of 0.56 in B stays.
    tab.get_by_text("What was read: 18 contestants").click()
    tab.locator("table tr", has_text="Ruta Allen").get_by_role("link").click()
    tab.get_by_label("stratum").fill("B")
    tab.get_by_role("button", name="Mend it").click()
    assert "Ruta Allen" in tab.locator("[role=status]").first.text_content()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Workbook").click()
    assert download.value.suggested_filename == "wednesday.xlsx"
    (game,) = folder.games()
    assert run("award", game.path, "-o", tmp_path / "again.xlsx").status == 0
    assert Path(download.value.path()).read_bytes() == (tmp_path / "again.xlsx").read_bytes()
    tab.get_by_role("button", name="Save it").click()
    tab.get_by_role("link", name="Publish").click()
    assert not list(www.iterdir())
    tab.get_by_role("button", name="Send it to").click()
    assert "SHA-256" in tab.get_by_role("status").text_content()
    assert len(list(www.iterdir())) == 1
    tab.get_by_role("link", name="Back to the game").click()
    tab.get_by_role("link", name="All games").click()
    assert tab.locator("li", has_text="saved as 2012-04-18 wednesday.xlsx").count() == 1
    tab.goto("about:blank")
    tab.goto(f"http://127.0.0.1:{guard.port}/")
    tab.get_by_role("link", name="All saved games").click()
    tab.get_by_role("link", name="Wed 1:00 Open Pairs").first.click()
    assert tab.locator("tr", has_text="Mortimer Sams").first.is_visible()
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {f"127.0.0.1:{guard.port}"}
    assert len(list(folder.saved.iterdir())) == 2


@needs_browser
def test_the_same_by_keyboard_alone(desk: tuple[Desk, Guard], tab: Any) -> None:
    folder, guard = desk
    lines = [line for line in WEDNESDAY.read_text("utf-8").splitlines() if "rating" not in line]
    enter(tab, folder, guard)
    for _ in range(3):  # past the link to the club's settings and the field for files
        tab.keyboard.press("Tab")
    tab.keyboard.insert_text("\n".join(lines))
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="What the file does not say").wait_for()

    def until(script: str) -> None:
        for _ in range(60):
            tab.keyboard.press("Tab")
            if tab.evaluate(script):
                return
        pytest.fail(script)

    until("document.activeElement.name === '0.rating'")
    tab.keyboard.type("Open club")
    until("document.activeElement.textContent === 'Award it'")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Save it").wait_for()
    until("document.activeElement.tagName === 'SUMMARY' && document.activeElement.textContent.includes('0.90')")
    tab.keyboard.press("Enter")
    assert tab.locator("tr.why:visible").count() == 1
    tab.reload()
    until("document.activeElement.textContent === 'Save it'")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Save it again").wait_for()
    assert len(list(folder.saved.iterdir())) == 2


@pytest.fixture
def looked_at(tab: Any, lab: Any) -> Callable[[str], None]:
    """Return what holds the page that is open to what everybody needs: small and wide, light and dark."""

    def hold(heading: str) -> None:
        tab.get_by_role("heading", name=heading).first.wait_for()
        every = ((390, "light"), (390, "dark"), (1280, "light"), (1280, "dark"))
        lab.set_content(re.sub("(?s)<script.*?</script>", "", tab.content()))  # what scripts have made is there
        for width, scheme in every if ALL else (every[0], every[-1]):
            found = faults(looking(lab, width, scheme), only_of_colours=scheme == "dark")
            assert found == [], (heading, width, scheme)
            assert lab.evaluate(MEASURE)["wide"] == FITS["wide"], (heading, width)

    return hold


def mend_all(tab: Any, looked_at: Callable[[str], None]) -> None:
    """Mend a game until it is awarded, and what was mended again; at last in a way that is refused."""
    tab.locator("[aria-invalid]").fill("40")
    tab.get_by_role("button", name="Mend it").click()
    looked_at("What the file does not say")
    tab.get_by_label("Rating").first.select_option("club-open")
    tab.get_by_role("button", name="Award it").click()
    looked_at("Remarks")
    tab.get_by_role("link", name="Look at it").first.click()
    looked_at("Change line")
    tab.get_by_role("textbox", name="score").fill("35")
    tab.get_by_role("button", name="Mend it").click()
    tab.get_by_text("Your last change").wait_for()
    tab.get_by_text("Change the game").click()
    tab.get_by_label("Tables").first.fill("many")
    tab.get_by_role("button", name="Change it").click()
    tab.get_by_role("alert").wait_for()  # beside what the last change came to
    looked_at("Remarks")


@needs_browser
def test_all_can_use_every_page(
    looked_at: Callable[[str], None], desk: tuple[Desk, Guard], tab: Any, tmp_path: Path
) -> None:
    """A small game's way through all pages; a player of it is in two pairs, which is doubtful."""
    folder, guard = desk
    (www := tmp_path / "www").mkdir()
    (folder.root / "resultproc.toml").write_text(f"[site.folder]\nfolder = {json.dumps(str(www))}\n", "utf-8")
    enter(tab, folder, guard)
    looked_at("Your games")
    tab.get_by_role("link", name="Your club").click()
    looked_at("Your club")
    tab.get_by_role("link", name="All games").click()
    text = re.sub("([A-Z][a-z]{2}),", r"\1 Fir,", GAME.format(name="Ash", score="4O"))
    text = text.replace("# rating: club-open\n", "").replace("Lee", "Ann Ash")
    dropped(tab, guard, tmp_path, "tuesday.csv", text.encode())
    looked_at("To mend")
    mend_all(tab, looked_at)
    game = tab.url.removesuffix("/keys")
    tab.goto(f"{game}/sheet")
    looked_at("Game Ash")
    tab.goto(f"{game}/publish")
    tab.get_by_role("alert").wait_for()
    looked_at("Publish")
    tab.goto(game)
    tab.get_by_role("button", name="Save it").click()
    (folder.saved / "other.csv").write_text("nothing of a game", "utf-8")
    tab.get_by_role("link", name="Publish").click()
    looked_at("Publish")
    tab.get_by_role("button", name="Send it to").click()
    tab.get_by_role("status").wait_for()
    looked_at("Publish")
    tab.get_by_role("link", name="Back to the game").click()
    tab.get_by_role("link", name="All games").click()
    looked_at("Saved, but not among the results")
    tab.get_by_role("link", name="who won most").click()
    tab.get_by_role("status").wait_for()  # what is left out
    looked_at("Masterpoints, April 2012")
    tab.get_by_role("link", name="All games").click()
    tab.get_by_role("link", name="Make a series").click()
    looked_at("A series")
    tab.get_by_label("Name").fill("Spring Series")
    tab.get_by_role("checkbox").check()
    tab.get_by_role("button", name="Make it").click()
    looked_at("Spring Series")
    tab.get_by_role("link", name="All games").click()
    dropped(tab, guard, tmp_path, "again.csv", text.replace("4O", "30").encode())
    tab.get_by_text("You saved this game on").wait_for()
    looked_at("Remarks")
    tab.get_by_role("link", name="All games").click()
    tab.get_by_role("link", name="All saved games").click()
    # Lists and pages of results are looked at where they are made: see test_batch_site.py.
    tab.get_by_role("link", name="April 2012").click()
    tab.get_by_role("link", name="Game Ash").first.click()
    tab.get_by_role("heading", name="Game Ash").first.wait_for()
    tab.goto(f"http://127.0.0.1:{guard.port}/nowhere")
    looked_at("That did not work")
