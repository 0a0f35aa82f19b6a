"""What another package registers: it works as the built-in ones do, and its own errors are told as its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import FIXTURES
from documents import PAGES, blocks, save

READER = """
from resultproc.formats.registry import Reader

def sniff(head):
    return SNIFF

def read(source):
    raise KeyError("no such column")

READER = Reader(name="odd", title="Odd", sniff=sniff, reads=read, rank=99)
"""
GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"


def install(folder: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Lay beside the modules of a package what pip says of it when it is installed."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = ("\n".join([f"[{group}]", *(f"{k} = {v}" for k, v in each.items())]) for group, each in points.items())
    (about / "entry_points.txt").write_text("\n".join(groups) + "\n")


def call(package: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command where the package in a folder is installed."""
    path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
    words = [sys.executable, "-m", "resultproc", *map(str, arguments)]
    return subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)


@pytest.mark.slow
def test_the_walk_through_of_the_documents_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    several = blocks(PAGES["resultproc/docs/contributing.md"].partition("## A reader, a writer")[2])
    for _, text in several:
        save(text)
    project = tomllib.loads(Path("my-league/pyproject.toml").read_text("utf-8"))["project"]
    install(tmp_path / "my-league", project["name"], project["version"], project["entry-points"])
    shown = [(before, text) for (_, before), (kind, text) in pairwise(several) if kind == "text"]
    assert len(shown) == 3
    for lines, text in shown:
        done = call(tmp_path / "my-league", *shlex.split(lines.splitlines()[-1].removeprefix("$ resultproc ")))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "of", "before", "after", "arguments", "error"),
    [
        (
            "tables",
            "rulebook",
            "rate, shares = edition",
            "rate, shares = group.nothing, edition",
            ["--rules", "my-league", "--tables", "9"],
            "AttributeError: 'Group' object has no attribute 'nothing'",
        ),
        (
            "bulletin",
            "writer",
            "    lines = ",
            "    int('x')\n    lines = ",
            ["--to", "bulletin"],
            "ValueError: invalid literal",
        ),
    ],
    ids=["rulebook", "writer"],
)
def test_an_error_of_a_rulebook_or_writer_is_told_as_its_packages(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    of: str,
    before: str,
    after: str,
    arguments: list[str],
    error: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for _, text in blocks(PAGES["resultproc/docs/contributing.md"].partition("## A reader, a writer")[2]):
        save(text)
    project = tomllib.loads(Path("my-league/pyproject.toml").read_text("utf-8"))["project"]
    install(tmp_path / "my-league", project["name"], project["version"], project["entry-points"])
    code = tmp_path / "my-league" / "my_league" / f"{module}.py"
    assert before in code.read_text("utf-8")
    code.write_text(code.read_text("utf-8").replace(before, after), "utf-8")
    done = call(tmp_path / "my-league", "award", GAME, *arguments, "--errors", "json")
    assert (done.returncode, done.stdout) == (70, "")
    (told,) = map(json.loads, done.stderr.splitlines())
    assert told["code"] == "bug.plugin"
    assert told["what"].startswith(
        f"the {of} '{'my-league' if of == 'rulebook' else module}' of the package my-league "
    )
    assert f"has failed: {error}" in told["what"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder that has an installed package which registers a reader."""
    monkeypatch.chdir(tmp_path)
    install(tmp_path, "odd-league", "1.2", {"resultproc.readers": {"odd": "odd_league:READER"}})
    return tmp_path


def with_reader(package: Path, reader: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    (package / "odd_league.py").write_text(reader)
    return call(package, *arguments)


@pytest.mark.slow
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
    done = with_reader(package, reader, "award", GAME, *format_, "--errors", "json")
    assert (done.returncode, done.stdout) == (70, "")
    (told,) = map(json.loads, done.stderr.splitlines())
    assert told["what"] == f"the reader 'odd' of the package odd-league 1.2 has failed: {error}"
    assert told["hint"] == "report this to those who make that package"
    assert told["code"] == "bug.plugin"


@pytest.mark.slow
def test_an_error_of_a_reader_has_a_traceback_for_its_makers(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RESULTPROC_DEBUG", "1")
    done = with_reader(package, READER.replace("SNIFF", "False"), "award", GAME, "--from", "odd")
    assert 'raise KeyError("no such column")' in done.stderr


@pytest.mark.slow
def test_an_error_of_a_reader_stops_no_other_file(package: Path) -> None:
    (package / "in").mkdir()
    (package / "in" / "good.csv").write_bytes(GAME.read_bytes())
    (package / "in" / "odd.csv").write_text("odd")
    done = with_reader(package, READER.replace("SNIFF", 'head == b"odd"'), "batch", "in", "-o", "out")
    assert done.returncode == 70
    inputs = json.loads((package / "out" / "report.json").read_text("utf-8"))["inputs"]
    assert {entry["file"].rpartition("/")[2]: entry["state"] for entry in inputs} == {
        "good.csv": "done",
        "odd.csv": "failed",
    }
    (problem,) = next(entry["problems"] for entry in inputs if entry["state"] == "failed")
    assert problem["what"].startswith("the reader 'odd' of the package odd-league 1.2 has failed: KeyError")
