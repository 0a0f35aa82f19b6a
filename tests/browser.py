"""The browser that pages are tested in, where the machine has one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_installed = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here (Debian: apt install chromium)")


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
