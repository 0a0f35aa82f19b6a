"""The page of examples: every command in it runs as it stands there, in order, and prints just what it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import FIXTURES, PROJECT

from resultproc.cli import main

PAGE = (PROJECT / "resultproc" / "docs" / "EXAMPLES.md").read_text("utf-8")
PARTS: list[tuple[str, str]] = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
STATUS = {"amend": 4, "conform": 3, "verify": 3}
"""What a command may end with besides 0: what it is there to find."""


@pytest.mark.parametrize(("command", "part"), PARTS, ids=[name for name, _ in PARTS])
def test_what_it_shows_is_printed(
    command: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    monkeypatch.chdir(tmp_path)
    blocks: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", part, re.M | re.S)
    assert any(kind == "text" for kind, _ in blocks)
    for (kind, lines), (after, shown) in pairwise([*blocks, ("", "")]):
        if kind != "console":
            continue
        for line in lines.splitlines():
            assert line.startswith("$ ")
            if not line.startswith("$ resultproc "):
                subprocess.run(line[2:], shell=True, check=True)  # the page's own, such as sed
                continue
            status: object = 0
            try:
                main(shlex.split(line)[2:])
            except SystemExit as stop:
                status = stop.code
            printed = capsys.readouterr()
            assert status in (0, STATUS.get(command)), printed.err
        if after == "text":
            assert printed.out == shown
