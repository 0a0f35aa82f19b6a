"""The documents: every command in them works as it stands there, and prints what it shows."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import FIXTURES, PROJECT, run
from documents import DOCS, PACKAGE, PAGES, Blocks, blocks, commands, of, save
from openpyxl import load_workbook
from samples import SAMPLES, declared_reports, real

import resultproc
from resultproc.model.plugins import names
from resultproc.reports.check import check

README = PAGES["README.md"]
CHECKING, EXAMPLES, REFERENCE, UPLOADS = (
    PAGES[f"resultproc/docs/{name}.md"] for name in ("checking", "EXAMPLES", "reference", "uploads")
)

Shell = Callable[[str], str]

ELSEWHERE = re.compile(
    r"pip install|python -m|scripts/(?!run )|RESULTPROC_SAMPLES=|.*my-program|.* check fixtures/made-|.* archive export"
)
"""Commands that set up an environment or work on the project, which .ci/run and use test; what other tests run."""

FOUND = {"amend": 4, "check": 3, "conform": 3, "lint": 3, "verify": 3}
"""What a command may end with besides 0: what it is there to find."""


@pytest.fixture
def shell(project: Path) -> Shell:
    """Return the function that runs a command of a document, and returns what it prints."""

    def call(command: str) -> str:
        if not command.startswith(("scripts/run ", "resultproc ")):
            return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout
        words = shlex.split(command)[1:]
        # What a batch of all files does is shown nowhere, and two of them do as well.
        most = 2 if words[0] == "batch" else None
        paths = [sorted(map(str, Path().glob(w)))[:most] if "*" in w and " " not in w else [w] for w in words]
        done = run(*(each for several in paths for each in several))
        assert done.status in (0, FOUND.get(words[0])), f"{command}: {done.err}"
        return done.out

    return call


def chapters() -> Iterator[Any]:
    """Yield what is run from beginning to end: the chapters of a document, or all of one that has an archive."""
    for name, text in PAGES.items():
        parts = [text] if "archive add" in text else re.split(r"^(?=## )", text, flags=re.MULTILINE)
        for part in parts:
            if commands(part) and "/pyproject.toml" not in part:  # that is installed first, see test_plugins.py
                title = "" if part == text else part.splitlines()[0].replace("## ", "#")
                yield pytest.param(blocks(part), text == EXAMPLES, id=f"{name}{title}")


@pytest.mark.slow
@pytest.mark.parametrize(("several", "whole"), [*chapters()])
def test_every_command_works_and_prints_what_is_shown(
    several: Blocks, whole: bool, project: Path, shell: Shell
) -> None:
    """A text below commands is the beginning of what the last one prints; in the examples it is all of that."""
    for (kind, text), (after, shown) in pairwise([*several, ("", "")]):
        save(text)
        if kind != "console":
            continue
        if "Amy Oak" in shown:
            change_sealed_files()
        printed = ""
        for line in text.splitlines():
            assert line.startswith("$ ")
            if ELSEWHERE.match(line[2:]):
                continue
            printed = shell(line[2:])
            assert printed or after == "text" or re.search(r" -o | --to history| > | convert ", line)
        if after == "text":
            assert (printed if whole else printed[: len(shown)]) == shown
    for written in re.findall(r" -o (\S+)", "\n".join(text for kind, text in several if kind == "console")):
        assert (project / written).stat().st_size


def test_the_examples_show_something() -> None:
    titles = re.findall(r"^## (\w+)$", EXAMPLES, re.MULTILINE)
    assert titles == ["whatif", "amend", "conform", "generate", "verify"]
    assert all("```text" in chapter for chapter in EXAMPLES.split("\n## ")[1:])


def anchors(page: str) -> set[str]:
    """Return what a link can lead to in a document: its headings, as GitHub makes anchors of them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", [*PAGES])
def test_every_link_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[name]):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (PROJECT / name).parent / path if path else PROJECT / name
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text("utf-8")), target


def test_the_index_has_every_document() -> None:
    linked = set(re.findall(r"\]\((\w+\.md)\)", PAGES["resultproc/docs/index.md"]))
    assert linked == {path.name for path in DOCS.glob("*.md")} - {"index.md"}


def test_what_the_map_names_is_there() -> None:
    """Of files of the package, and of what ``stages/rank.py: ranked`` and the tables say that they have."""
    page = PAGES["resultproc/docs/ARCHITECTURE.md"].replace("NAME", "pbn")
    places = [PACKAGE, PACKAGE / "formats", PROJECT]
    files = dict.fromkeys(re.findall(r"`((?:\w+/)+\w*(?:\.\w+)?)`", page), "")
    files |= dict(re.findall(r"`((?:\w+/)+\w+\.py): (\w+)`", page))
    assert len(files) > 30
    for name, function in files.items():
        found = [place / name for place in places if (place / name).exists()]
        assert found, name
        assert not function or f"def {function}(" in found[0].read_text("utf-8"), (name, function)
    table = page.partition("| from `formats/` |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        modules, listed, _ = (re.findall(r"`([\w/.]+)`", cell) for cell in row.strip("|").split("|"))
        text = "".join((PACKAGE / "formats" / module).read_text("utf-8") for module in modules)
        assert all(re.search(rf"^(def|class) {each}\b", text, re.MULTILINE) for each in listed), row
        assert all(uses(module.removesuffix(".py").replace("/", ".")) for module in modules), row


def uses(module: str) -> bool:
    """Return whether any report imports a module of the formats."""
    package, _, name = f"resultproc.formats.{module}".rpartition(".")
    imports = re.compile(rf"from {package}\.{name} import|from {package} import .*\b{name}\b")
    return any(imports.search(path.read_text("utf-8")) for path in (PACKAGE / "reports").rglob("*.py"))


def test_the_readme_is_read_in_one_sitting() -> None:
    assert len(README.encode()) <= 14_000
    titles = re.findall(r"^## (.*)$", README, re.MULTILINE)
    assert re.findall(r"^- \[(.*?)\]\(#", README, re.MULTILINE) == titles
    assert not re.search(r"(?:[.:!?]\s+|\n\n(?:- )?)Of ", README)


def change_sealed_files() -> None:
    """Change an award in the page, a rank in the JSON and a name in the workbook that the document seals."""
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


@pytest.mark.slow
def test_how_far_it_agrees(shell: Shell) -> None:
    (command,) = (command for command in commands(CHECKING) if "check fixtures/made-" in command)
    rows = re.findall(r"^\| (\S+\.\w+) \|(.*)\|(.*)\|(.*)\|$", CHECKING, re.MULTILINE)
    assert len(rows) == 13
    printed = " ".join(shell(command).split())
    for name, ranks, boards, totals in rows:
        more = f", {boards.strip()} board results, {totals.strip()} totals" if boards.strip() else ""
        assert f"{name}: {ranks.strip()} ranks and awards{more} agree" in printed


@pytest.mark.slow
@real
def test_how_far_real_sheets_agree(tmp_path: Path) -> None:
    files = [*SAMPLES.glob("gamefiles/game*.AC?"), *SAMPLES.glob("acbl-live-club-*.json"), *declared_reports(tmp_path)]
    found = check(*sorted(files)).files
    numbers = {name: int(found[name].sum()) for name in found if name != "source"}
    said = (
        f"all {numbers['ranks_and_awards']} ranks and awards, {numbers['board_results']:,} board results and "
        f"{numbers['totals']} totals"
    )
    assert said in CHECKING.replace("\n", " ")
    assert numbers["ranks_and_awards_agree"] == numbers["ranks_and_awards"]
    assert numbers["board_results_agree"] == numbers["board_results"]
    assert numbers["totals_agree"] == numbers["totals"]


@pytest.mark.slow
def test_its_sheet_can_be_typed(project: Path, shell: Shell) -> None:
    (text,) = of("csv", README)
    (project / "game.csv").write_text(text.replace("A=open, B=1000, C=200", "B=1000"))
    # The other rows follow in a whole sheet.
    assert "Harold Holland" in shell("resultproc award game.csv --sit-outs 17")


@pytest.mark.slow
def test_its_own_rulebook_pays_a_tenth_more(shell: Shell) -> None:
    (text,) = (text for text in of("toml", REFERENCE) if "extends" in text)
    save(text)
    command = next(command for command in commands(REFERENCE) if "my-club.toml" in command)
    assert "0.99 (A)  Harold Holland" in shell(command)  # 9 tables x .10 x 1.10


@pytest.mark.slow
def test_its_event_is_awarded(shell: Shell) -> None:
    command = next(command for command in commands(README) if "--one-event" in command)
    awards = re.findall(r"([0-9.]+)\((..)\) .*?(\w+ \w+) - ", shell(command))
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
    named = set(re.findall(r"`(resultproc(?:\.[a-z_]+)+)`", README + REFERENCE))
    named.discard("resultproc.toml")  # a file
    assert "resultproc.reports.series.series" in named
    for name in named:
        module, _, function = name.rpartition(".")
        assert callable(getattr(import_module(module), function)), name


@pytest.mark.slow
def test_its_python_runs(project: Path) -> None:
    for page in (README, REFERENCE):
        exec(compile("".join(of("python", page)), "a document", "exec"), {})
        assert (project / "tonight.html").stat().st_size > 1000
        (project / "tonight.html").unlink()


def test_the_steps_in_between_are_those_of_the_whole_way() -> None:
    path = FIXTURES / "wed-open-pairs-2012-04-18.csv"
    games, contestants = resultproc.complete(*resultproc.read(path))
    standings = resultproc.rank(games, contestants)
    candidates, awards = resultproc.award(games, contestants, standings)
    whole = resultproc.process(path)
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
    rows = re.findall(r"^\|.*\| `([a-z-]+)` \|(.*)\|(.*)\|$", UPLOADS, re.MULTILINE)
    assert sorted(name for name, read, _ in rows if read.strip()) == sorted(names("readers"))
    assert sorted(name for name, _, written in rows if written.strip()) == sorted(names("writers"))
