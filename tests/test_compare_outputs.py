"""Comparing the outputs of two checkouts: what is told, what is passed over, and that both are really run."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import FIXTURES, PROJECT, as_module
from workbooks import workbook

SCRIPT = PROJECT / "scripts" / "compare-outputs"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return as_module(SCRIPT)


def differences(script: ModuleType, kind: str, old: bytes, new: bytes, **ignored: Any) -> list[tuple[Any, ...]]:
    outcomes = [script.Outcome(0, output, "") for output in (old, new)]
    return [tuple(each) for each in script.Comparison(**ignored).differences(kind, *outcomes)]


def test_json_is_compared_by_its_fields(script: ModuleType) -> None:
    old, new = b'{"games": [{"a": 1, "b": 2}, {"a": 1}]}', b'{"games":[{"b":2,"a":3},{"a":1,"c":null}]}'
    changed, added = ("games[].a", ("1",), ("3",)), ("games[].c", (), ("null",))
    assert differences(script, "award --to json", old, new) == [changed, added]
    assert differences(script, "award --to json", old, new, added=True) == [changed]
    assert differences(script, "award --to json", old, new, fields=frozenset({"a", "c"})) == []
    # A field that is gone, and a row more or less, are never passed over.
    assert differences(script, "award --to json", new, old, added=True)[1:] == [("games[].c", ("null",), ())]
    assert differences(script, "award --to json", b"[1]", b"[1, 2]", added=True) == [("[]", (), ("2",))]


def test_whole_numbers_and_others_are_not_the_same(script: ModuleType) -> None:
    expected = [("[]", ("1",), ("1.0",)), ("[]", ("true",), ("1",))]
    assert differences(script, "award --to json", b"[1, true]", b"[1.0, 1]") == expected


def test_a_workbook_is_compared_by_its_cells(script: ModuleType) -> None:
    one, other = workbook(Sheet=[["a", 1]]), workbook(Sheet=[["a", "1"]])
    assert differences(script, "award --to xlsx", one, workbook(Sheet=[["a", 1]])) == []
    found = differences(script, "award --to xlsx", one, other)
    assert found == [("", ("Sheet | 'a' | 1",), ("Sheet | 'a' | '1'",))]


def test_how_a_command_ends_is_no_message(script: ModuleType) -> None:
    old, new = script.Outcome(1, b"", "it is no sheet\n"), script.Outcome("KeyError: 'a'", b"", "")
    quiet = script.Comparison(messages=True)
    assert [each.where for each in script.Comparison().differences("check", old, new)] == ["exit status", "messages"]
    assert [each.where for each in quiet.differences("check", old, new)] == ["exit status"]
    assert [each.where for each in quiet.differences("check", old, None)] == ["run in one only"]


def test_what_differs_alike_is_told_once(script: ModuleType) -> None:
    found = {"check": {script.Difference("", ("a",), ("b",)): ["one.csv", "one.csv", "two.csv"]}}
    expected = ["== check: 2 outputs of 1 difference", "@@ one.csv (3 times, in 2 outputs)", "-a", "+b"]
    assert list(script.report(found, most=9)) == expected


PROGRAM = """
import sys
from importlib.metadata import entry_points

def main():
    arguments = sys.argv[1:]
    if arguments[0] == "rules":
        print(*sorted(point.value for point in entry_points(group="resultproc.rulebooks")))
    if arguments[0] == "award" and arguments[1].endswith("good.csv") and "json" in arguments:
        if "--one-event" not in arguments and "club-open" in arguments:
            print('{"games": [{"game": {"game_id": "g", "rulebook": "r"}, "contestants": []}]}')
            return
    print("it costs AWARD", file=sys.stderr)
    sys.exit(1)
"""
PYPROJECT = """
[project]
name = "resultproc"
version = "0"
[project.scripts]
resultproc = "resultproc.start:main"
[project.entry-points."resultproc.writers"]
json = "resultproc.start:WRITER"
[project.entry-points."resultproc.rulebooks"]
r = "resultproc.VALUE:R"
"""


def checkout(folder: Path, value: str = "one", award: str = "1.00") -> Path:
    """Make a project of a few lines, which registers as the real one does."""
    (folder / "resultproc").mkdir(parents=True)
    (folder / "resultproc" / "__init__.py").touch()
    (folder / "resultproc" / "start.py").write_text(PROGRAM.replace("AWARD", award))
    (folder / "pyproject.toml").write_text(PYPROJECT.replace("VALUE", value))
    (folder / "fixtures").mkdir()
    for name in ("good.csv", "bad.csv", "good.toml"):
        (folder / "fixtures" / name).write_text(name)
    return folder


def compared(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_each_checkout_runs_its_own_package(tmp_path: Path) -> None:
    old = checkout(tmp_path / "old")
    same = compared(old, checkout(tmp_path / "same"))
    assert same.returncode == 0, same.stderr
    assert same.stdout.endswith(" commands in 1 place: no difference\n")
    # What is registered, and what a command writes, is each checkout's own.
    only = ("--only", "check --to json")
    other = compared(old, checkout(tmp_path / "other", value="two", award="2.00"), "--only", "rules list", *only)
    assert other.returncode == 3
    assert other.stdout.splitlines()[:4] == [
        "== check --to json: 2 outputs of 1 difference",
        f"@@ messages: check {old}/fixtures/bad.csv --to json (2 times, in 2 outputs)",
        "-it costs 1.00",
        "+it costs 2.00",
    ]
    assert "@@ rules list\n-resultproc.one:R\n+resultproc.two:R\n" in other.stdout
    quiet = compared(old, tmp_path / "other", *only, "--ignore-messages")
    assert (quiet.returncode, quiet.stdout) == (0, "2 commands in 1 place: no difference\n")


@pytest.mark.slow
def test_checkouts_that_crash_whatever_they_are_asked_are_not_the_same(tmp_path: Path) -> None:
    old, new = (checkout(tmp_path / name) for name in ("old", "new"))
    for each in (old, new):
        (each / "resultproc" / "start.py").write_text(PROGRAM.replace("def main():", "def main(arguments):"))
    found = compared(old, new)
    assert (found.returncode, found.stdout) == (1, "")
    assert f"{old} crashes whatever it is asked: TypeError: " in found.stderr


@pytest.mark.slow
def test_what_is_no_checkout_is_refused(tmp_path: Path) -> None:
    found = compared(tmp_path, PROJECT)
    assert found.returncode == 2
    assert f"'{tmp_path}' is no checkout: it has no pyproject.toml" in found.stderr
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    found = compared(tmp_path, checkout(tmp_path / "new"), FIXTURES / "event", "--only", "rules")
    assert (found.returncode, found.stdout) == (1, "")
