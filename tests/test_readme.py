"""The README: every command in it works as it stands there, and prints what it shows."""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import FIXTURES, PROJECT
from openpyxl import load_workbook
from samples import SAMPLES, declared_reports, real

import resultproc
from resultproc.cli import main
from resultproc.model.plugins import names
from resultproc.reports.check.check import check

README = (PROJECT / "README.md").read_text().replace("\n", " ")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", (PROJECT / "README.md").read_text(), re.M | re.S)


def of(kind: str) -> list[str]:
    return [text for name, text in BLOCKS if name == kind]


COMMANDS = [line.removeprefix("$ ") for text in of("console") for line in text.splitlines()]
SHOWN = [(before, text) for (kind, before), (after, text) in pairwise(BLOCKS) if (kind, after) == ("console", "text")]
"""Commands of which what the last one prints is shown."""

Run = Callable[[str], str]

ELSEWHERE = ("pip install", "scripts/test", "RESULTPROC_SAMPLES=")
"""Commands that set up an environment: .ci/run runs them on a bare machine, or they are tested by being used there."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder that has the fixtures of the project, and the rulebook of the README."""
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    (text,) = (text for text in of("toml") if "extends" in text)
    (tmp_path / "my-club.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    # conform starts the command itself.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Return the function that runs a command of the README, and returns what it prints."""

    def call(command: str) -> str:
        words = shlex.split(re.sub(r"^(scripts/run|resultproc) ", "", command))
        paths = [sorted(map(str, Path().glob(word))) if "*" in word and " " not in word else [word] for word in words]
        status: Any = 0
        try:
            main([each for several in paths for each in several])
        except SystemExit as stop:
            status = stop.code
        printed = capsys.readouterr()
        found = {3: (" check ", " verify "), 4: (" amend ",)}
        assert not status or any(word in command for word in found.get(status, ())), f"{command}: {printed.err}"
        return printed.out

    return call


def test_every_command_works(project: Path, run: Run) -> None:
    shown = {command.removeprefix("$ ") for commands, _ in SHOWN for command in commands.splitlines()}
    ours = [command for command in COMMANDS if not command.startswith(ELSEWHERE) and command not in shown]
    assert len(ours) >= 12
    for command in ours:
        assert run(command) or re.search(" -o | --to history", command)
    for written in ("tonight.xlsx", "chart.html", "results/report.json", "rules-of-2017/summary.html"):
        assert (project / written).stat().st_size


def test_what_it_shows_is_printed(run: Run) -> None:
    assert len(SHOWN) == len(of("text")) == 12
    for commands, text in SHOWN:
        if "Amy Oak" in text:
            change_sealed_files()
        printed = [run(command.removeprefix("$ ")) for command in commands.splitlines()][-1]
        lines = text.splitlines()
        assert printed.splitlines()[: len(lines)] == lines


def change_sealed_files() -> None:
    """Change an award in the page, a rank in the JSON and a name in the workbook that the README seals."""
    page, data, file = Path("wednesday.html"), Path("charity.json"), Path("saturday.xlsx")
    page.write_text(page.read_text("utf-8").replace('"mp">0.28<', '"mp">0.38<'), "utf-8")
    entries = json.loads(data.read_text("utf-8"))
    (winner,) = (each for each in entries["games"][0]["contestants"] if each["players"][0]["name"] == "Zeno Guava")
    winner["positions"]["overall"]["A"]["position"] = 2
    data.write_text(json.dumps(entries), "utf-8")
    book = load_workbook(file)
    (cell,) = (cell for row in book["A"].iter_rows() for cell in row if cell.value == "Amy Ash – Bill Ash")
    cell.value = "Amy Oak – Bill Ash"
    book.save(file)


def test_how_far_it_agrees(run: Run) -> None:
    (command,) = (command for command in COMMANDS if "check fixtures/made-" in command)
    rows = re.findall(r"^\| (\S+\.\w+) \|(.*)\|(.*)\|(.*)\|$", (PROJECT / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == 13
    printed = run(command)
    for name, ranks, boards, totals in rows:
        more = f", {boards.strip()} board results, {totals.strip()} totals" if boards.strip() else ""
        assert f"{name}: {ranks.strip()} ranks and awards{more} agree" in printed.splitlines()


@real
def test_how_far_real_sheets_agree(tmp_path: Path) -> None:
    files = [*SAMPLES.glob("gamefiles/game*.AC?"), *SAMPLES.glob("acbl-live-club-*.json"), *declared_reports(tmp_path)]
    found = check(*sorted(files)).files
    numbers = {name: int(found[name].sum()) for name in found if name != "source"}
    said = (
        f"all {numbers['ranks_and_awards']} ranks and awards, {numbers['board_results']:,} board results and "
        f"{numbers['totals']} totals"
    )
    assert said in README
    assert numbers["ranks_and_awards_agree"] == numbers["ranks_and_awards"]
    assert numbers["board_results_agree"] == numbers["board_results"]
    assert numbers["totals_agree"] == numbers["totals"]


def test_its_sheet_can_be_typed(project: Path, run: Run) -> None:
    (text,) = of("csv")
    (project / "game.csv").write_text(text.replace("A=open, B=1000, C=200", "B=1000"))
    assert "Harold Holland" in run("award game.csv --sit-outs 17")  # the other rows follow in a whole sheet


def test_its_own_rulebook_pays_a_tenth_more(run: Run) -> None:
    command = next(command for command in COMMANDS if "my-club.toml" in command)
    assert "0.99 (A)  Harold Holland" in run(command)  # 9 tables x .10 x 1.10


def test_its_event_is_awarded(run: Run) -> None:
    command = next(command for command in COMMANDS if "--one-event" in command)
    awards = re.findall(r"([0-9.]+)\((..)\) .*?(\w+ \w+) - ", run(command))
    # 4 tables: B 14/60 x R 10 x S 1.5 = 3.50, then 75% of it, 2.625, and of that, 1.96875. A session's first award is
    # half of B x R, 1.17, and the second of four pairs gets 70% of it: 0.82.
    assert awards == [
        ("2.63", "OA", "Amy Ash"),
        ("1.97", "OA", "Cora Beech"),
        ("0.82", "SA", "Ella Cedar"),
        ("3.50", "OA", "Iris Elm"),
        ("0.82", "SA", "Kate Fir"),
        ("0.82", "SA", "Mona Gum"),
    ]


def test_what_it_names_is_there() -> None:
    named = set(re.findall(r"`(resultproc(?:\.[a-z_]+)+)`", (PROJECT / "README.md").read_text()))
    named.discard("resultproc.toml")  # a file
    assert "resultproc.reports.series.series.series" in named
    for name in named:
        module, _, function = name.rpartition(".")
        assert callable(getattr(import_module(module), function)), name


def test_its_python_runs(project: Path) -> None:
    (text,) = of("python")
    exec(compile(text, "README.md", "exec"), {"resultproc": resultproc})
    assert (project / "tonight.html").stat().st_size > 1000


def test_the_steps_in_between_are_those_of_the_whole_way() -> None:
    path = FIXTURES / "wed-open-pairs-2012-04-18.csv"
    games, contestants = resultproc.complete(*resultproc.read(path))
    standings = resultproc.rank(games, contestants)
    candidates, awards = resultproc.award(games, contestants, standings)
    whole = resultproc.process(path)
    assert whole.awards is not None
    for step, frame in zip(
        (games, contestants, standings, candidates, awards),
        (whole.games, whole.contestants, whole.standings, whole.candidates, whole.awards),
        strict=True,
    ):
        pd.testing.assert_frame_equal(step, frame)
    assert awards["masterpoints"].sum() == 508  # 0.90, 0.63, 0.45 and 0.32 in both directions, 0.28 in B, 0.20 in C


def test_the_steps_take_what_is_complete() -> None:
    games, contestants = resultproc.read(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    with pytest.raises(ValueError, match=r"no rulebook yet: resultproc\.complete chooses it"):
        resultproc.rank(games, contestants)


def test_the_formats_are_those_there_are() -> None:
    """The table of formats names every one that is registered: a new one is not forgotten."""
    rows = re.findall(r"^\|.*\| `([a-z-]+)` \|(.*)\|(.*)\|$", (PROJECT / "README.md").read_text(), re.MULTILINE)
    assert sorted(name for name, read, _ in rows if read.strip()) == sorted(names("readers"))
    assert sorted(name for name, _, written in rows if written.strip()) == sorted(names("writers"))
