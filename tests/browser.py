"""The browser that pages are tested in, where the machine has one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html

_CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

_installed = pytest.mark.skipif(_CHROMIUM is None, reason="there is no Chromium here (Debian: apt install chromium)")


def needs_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that opens a page; a run that has to leave it out says so."""
    return pytest.mark.slow(_installed(test))


def in_browser(text: str, folder: Path, script: str = "") -> html.HtmlElement:
    """Return the page as a browser holds it after a script has run in it."""
    path = folder / "page.html"
    path.write_text(text.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    command = [str(_CHROMIUM), *options, f"--user-data-dir={folder}/profile", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return html.document_fromstring(done.stdout.decode())
