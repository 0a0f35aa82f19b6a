"""What another package registers: its own errors are told as its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES

READER = """
from resultproc.formats.registry import Reader

def sniff(head):
    return SNIFF

def read(source):
    raise KeyError("no such column")

READER = Reader(name="odd", title="Odd", sniff=sniff, reads=read, rank=99)
"""
GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder with a package that registers a reader, as it lies there when it is installed."""
    about = tmp_path / "odd_league-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-league\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text("[resultproc.readers]\nodd = odd_league:READER\n")
    return tmp_path


def run(package: Path, reader: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    (package / "odd_league.py").write_text(reader)
    path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "resultproc", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=package,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("reader", "format_", "error"),
    [
        (READER.replace("SNIFF", "False"), ["--from", "odd"], "KeyError: 'no such column'"),
        (READER.replace("SNIFF", "head.nothing"), [], "AttributeError: 'bytes' object has no attribute 'nothing'"),
        ("import no_such_library", [], "ModuleNotFoundError: No module named 'no_such_library'"),
    ],
    ids=["read", "sniff", "import"],
)
def test_an_error_of_a_reader_is_told_as_its_packages(
    package: Path, reader: str, format_: list[str], error: str
) -> None:
    done = run(package, reader, "award", GAME, *format_, "--errors", "json")
    assert (done.returncode, done.stdout) == (70, "")
    (told,) = map(json.loads, done.stderr.splitlines())
    assert told["what"] == f"the reader 'odd' of the package odd-league 1.2 has failed: {error}"
    assert told["hint"] == "report this to those who make that package"
    assert told["code"] == "bug.plugin"


def test_an_error_of_a_reader_has_a_traceback_for_its_makers(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESULTPROC_DEBUG", "1")
    done = run(package, READER.replace("SNIFF", "False"), "award", GAME, "--from", "odd")
    assert 'raise KeyError("no such column")' in done.stderr


def test_an_error_of_a_reader_stops_no_other_file(package: Path) -> None:
    (package / "in").mkdir()
    (package / "in" / "good.csv").write_bytes(GAME.read_bytes())
    (package / "in" / "odd.csv").write_text("odd")
    done = run(package, READER.replace("SNIFF", 'head == b"odd"'), "batch", "in", "-o", "out")
    assert done.returncode == 70
    inputs = json.loads((package / "out" / "report.json").read_text("utf-8"))["inputs"]
    assert {entry["file"].rpartition("/")[2]: entry["state"] for entry in inputs} == {
        "good.csv": "done",
        "odd.csv": "failed",
    }
    (problem,) = next(entry["problems"] for entry in inputs if entry["state"] == "failed")
    assert problem["what"].startswith("the reader 'odd' of the package odd-league 1.2 has failed: KeyError")
