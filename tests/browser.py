"""The browser that pages are tested in, where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What it is called: the first has no windows at all, and takes half as long for a page."""

CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

_installed = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium here (Debian: apt install chromium-headless-shell)"
)


MEASURE = """() => {
  const beyond = [], shreds = [], narrow = [];
  const width = document.documentElement.clientWidth;
  const shown = element => element.getClientRects().length > 0;
  for (const element of document.querySelectorAll(".rp *")) {
    if (!shown(element) || element.closest("a text, [aria-hidden], div.scrolls table")) continue;
    const box = element.getBoundingClientRect();
    if (box.right > width + 1 || box.left < -1) beyond.push(element.tagName + " " + element.textContent.slice(0, 40));
    // A table that is moved to be read may be wider than its place.
    if (element.matches("div.scrolls")) continue;
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible")
      beyond.push("cut " + element.tagName + " " + element.textContent.slice(0, 40));
  }
  const lines = element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const bottoms = [...range.getClientRects()].map(box => box.bottom).sort((a, b) => a - b);
    return bottoms.filter((bottom, at) => !at || bottom - bottoms[at - 1] > 9).length;
  };
  for (const name of document.querySelectorAll("tbody th.n")) {
    if (!shown(name)) continue;
    const em = parseFloat(getComputedStyle(name).fontSize);
    if (name.getBoundingClientRect().width < 11.9 * em) narrow.push(name.textContent.slice(0, 40));
    for (const player of name.querySelectorAll("span"))
      if (player.textContent.length < 24 && lines(player) > 1) shreds.push(player.textContent);
  }
  for (const cell of document.querySelectorAll("tbody td:not(.l):not(.why td)"))
    if (shown(cell) && !cell.matches(".a") && lines(cell) > 1) shreds.push(cell.textContent.slice(0, 40));
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


OF_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that look at colours: what others find, they find whatever the colours are."""


def needs_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that opens a page; a run that has to leave it out says so."""
    return pytest.mark.slow(_installed(test))


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    """Return a tab of a browser, which the tests of a module share."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def opened(tab: Any, page: bytes, folder: Path, width: int = 1280, scheme: str = "light", anchor: str = "") -> Any:
    """Return the tab with a page open in it."""
    path = folder / "page.html"
    path.write_bytes(page)
    tab.emulate_media(media="screen", color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto("about:blank")
    tab.goto(path.as_uri() + anchor)
    return tab


def faults(tab: Any, **options: Any) -> list[Any]:
    """Return what keeps some from reading the page that is open, as axe finds it, with one row of each kind."""
    from axe_playwright_python.sync_playwright import Axe

    tab.evaluate(ONE_OF_EACH)
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(Axe().axe_script)
    return list(tab.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})["violations"])
