"""The documents, and what is in their blocks: commands, what these print, and files."""

import re
from pathlib import Path

from conftest import FIXTURES, PROJECT

PACKAGE = PROJECT / "resultproc"
DOCS = PACKAGE / "docs"
PATHS = [PROJECT / "README.md", *sorted(DOCS.glob("*.md")), FIXTURES / "conformance/README.md"]
PAGES = {path.relative_to(PROJECT).as_posix(): path.read_text("utf-8") for path in PATHS}

Blocks = list[tuple[str, str]]


def blocks(text: str) -> Blocks:
    """Return the kind and the text of each block of a document."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def of(kind: str, page: str) -> list[str]:
    return [text for name, text in blocks(page) if name == kind]


def commands(page: str) -> list[str]:
    return [line.removeprefix("$ ") for text in of("console", page) for line in text.splitlines()]


def save(text: str) -> None:
    """Write a block whose first line is a comment with the name of a file."""
    if found := re.match(r"# ([\w/-]+\.\w+)\n", text):
        path = Path(found[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
