"""The browser that pages are tested in, where the machine has one."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ALL, saved

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What it is called: the first has no windows at all, and takes half as long for a page."""

CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

_installed = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium here (Debian: apt install chromium-headless-shell)"
)


MEASURE = """() => {
  const beyond = [], shreds = [], narrow = [];
  const width = document.documentElement.clientWidth, range = document.createRange();
  const start = element => element.textContent.slice(0, 40);
  const lines = element => {
    range.selectNodeContents(element);
    const boxes = range.getClientRects();
    if (boxes.length < 2) return boxes.length;
    const bottoms = [...boxes].map(box => box.bottom).sort((a, b) => a - b);
    return bottoms.filter((bottom, at) => !at || bottom - bottoms[at - 1] > 9).length;
  };
  const inSight = element => {
    const box = element.getBoundingClientRect();
    if (box.right > width + 1 || box.left < -1) beyond.push(element.tagName + " " + start(element));
    // A table that is moved to be read may be wider than its place.
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible"
        && !element.matches("div.scrolls")) beyond.push("cut " + element.tagName + " " + start(element));
  };
  const named = cell => {
    const em = parseFloat(getComputedStyle(cell).fontSize);
    if (cell.getBoundingClientRect().width < 11.9 * em) narrow.push(start(cell));
    for (const player of cell.querySelectorAll("span"))
      if (player.textContent.length < 24 && lines(player) > 1) shreds.push(player.textContent);
  };
  const all = selector => new Set(document.querySelectorAll(selector));
  const apart = all("a text, [aria-hidden], div.scrolls table"), names = all("tbody th.n");
  const cells = all("tbody td:not(.l, .a, .why td)");
  // What has no box has none in it either: boards that are not shown are passed over.
  const visit = (element, free) => {
    if (!element.getClientRects().length) return;
    free &&= !apart.has(element);
    if (free) inSight(element);
    if (names.has(element)) named(element);
    if (cells.has(element) && lines(element) > 1) shreds.push(start(element));
    for (const child of element.children) visit(child, free);
  };
  for (const page of document.querySelectorAll(".rp")) for (const child of page.children) visit(child, true);
  return {beyond, shreds, narrow, wide: document.documentElement.scrollWidth - width};
}"""

FITS: dict[str, Any] = {"beyond": [], "shreds": [], "narrow": [], "wide": 0}


ONE_OF_EACH = """() => {
  document.querySelectorAll("details").forEach(each => each.open = true);
  const seen = new Set();
  for (const row of document.querySelectorAll("tbody > tr, .sheet, .games li")) {
    const parts = [row.parentNode.parentNode, row, ...row.querySelectorAll("*")];
    const kind = [...new Set(parts.map(each => `${each.tagName} ${each.getAttribute("class")}`))].join();
    if (seen.has(kind)) row.remove();
    seen.add(kind);
  }
}"""
"""Opens what can be opened, and leaves one of the rows and boards of each list that differ in their words alone."""


LONGEST = """() => [...document.querySelectorAll(".sheet")].filter(each => each.getClientRects().length)
    .sort((one, other) => other.textContent.length - one.textContent.length)
    .slice(5).forEach(each => each.remove())"""
"""Leaves, of the boards that are shown, the five that have the most text: what is in the others is alike."""


COLOURS = """() => {
  const layers = new Map();
  const behind = element => {
    if (!element) return String(matchMedia("(prefers-color-scheme: dark)").matches);
    if (!layers.has(element)) {
      const {backgroundColor, backgroundImage, opacity} = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join();
      layers.set(element, behind(element.parentElement) + (own === "rgba(0, 0, 0, 0),none,1" ? "" : own));
    }
    return layers.get(element);
  };
  const written = element => element.matches("input, select, textarea")
    || [...element.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (!written(element) || !element.getClientRects().length) continue;
    const {color, fontSize, fontWeight} = getComputedStyle(element), size = parseFloat(fontSize);
    found.add([color, size >= 24 || (size > 18.6 && fontWeight >= 700), behind(element)].join());
  }
  return [...found];
}"""
"""Returns in which colours there are letters, and on which, and whether they are large."""

_readable: set[str] = set()
"""The colours in which axe has found that all can read letters."""


def needs_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that opens a page; a run that has to leave it out says so."""
    return pytest.mark.slow(_installed(test))


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    """Return a tab of a browser, which the tests of a module share.

    All modules could not: while it is there, nothing else in the process may run an event loop, as publishing does.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@pytest.fixture(scope="module")
def lab(tab: Any) -> Iterator[Any]:
    """Return a tab for the text of one page after another, in which axe stays: to begin anew takes twice as long.

    It is of a browser that paints nothing until it is asked, which takes a third less; it hears no click.
    """
    args = ["--no-sandbox", "--disable-threaded-compositing"]
    browser = tab.context.browser.browser_type.launch(executable_path=CHROMIUM, args=args)
    yield browser.new_page(bypass_csp=True)
    browser.close()


def looking(tab: Any, width: int, scheme: str) -> Any:
    """Return the tab with so much room, and light or dark."""
    tab.emulate_media(media="screen", color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 900})
    return tab


def opened(tab: Any, page: bytes, folder: Path, width: int = 1280, scheme: str = "light", anchor: str = "") -> Any:
    """Return the tab with a page open in it."""
    # Under the same name it would be the page that is open already.
    path = saved(folder / f"page{len([*folder.glob('page*.html')])}.html", page)
    looking(tab, width, scheme).goto(path.as_uri() + anchor)
    return tab


def faults(tab: Any, *, only_of_colours: bool = False) -> list[Any]:
    """Return what keeps some from reading the page that is open, as axe finds it, with one row of each kind.

    How well letters are seen takes most of the time, and is looked at where there are colours that no page had before.
    """
    from axe_playwright_python.sync_playwright import Axe

    tab.evaluate(ONE_OF_EACH)
    new = {*tab.evaluate(COLOURS)} - (set() if ALL else _readable)
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(Axe().axe_script)
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": bool(new)}}}
    if only_of_colours:
        options["runOnly"] = ["link-in-text-block", *["color-contrast"] * bool(new)]
    found = list(tab.evaluate("options => axe.run(options).then(found => found.violations)", options))
    _readable.update(() if found else new)
    return found
