"""What messages say is to be done: each such hint is followed, and the message is gone."""

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from shutil import copyfile

import click
import openpyxl
import pytest
from conftest import ALL, PROJECT, File, run, saved
from samples import SAMPLES, real

from resultproc.cli import cli
from resultproc.model.errors import InputError, Problem
from resultproc.model.keys import KEYS
from resultproc.stages.pipeline import process

NAME = "g.csv"
HEADER = "section,number,direction,player1,player2,score\n"
PAIRS = "".join(f"A,{n},,Ann{n} Ash,Bob{n} Elm,{60 - 4 * n}.00\n" for n in range(1, 7))
FACTS = "# date: 2026-11-18\n# rating: club-open\n# tables: 3\n"

DECLARE = re.compile(r"\bdeclare ([a-z_]+) ?= ?('[^']*'|\"[^\"]*\"|[0-9.]+|true)")
FILLED_IN = {
    "rating": "club-open",
    "tables": "3",
    "date": "2026-11-18",
    "boards": "24",
    "strata": "A=open, B=750, C=50",
}


def told(path: Path, **keys: str) -> list[Problem]:
    """Return what is wrong with a file, or doubtful about it. keys: what options declare."""
    try:
        return list(process(path, **keys).remarks)
    except InputError as error:
        return list(error.problems)


def follow(path: Path, hint: str) -> dict[str, str] | None:
    """Do what a hint says to write for a file, filled in where it leaves that open; return what options declare.

    None where it does not say what to write.
    """
    if found := DECLARE.search(hint):
        return {found[1]: str(tomllib.loads(f"value = {found[2]}")["value"]).lower()}
    place, *lines = hint.split("\n")
    if not lines:
        place, _, line = hint.rpartition(": ") if "# " not in hint else hint.partition(": ")
        lines = [line]
    if place.startswith(("write above the header of the list", "above the header, below a line")):
        lines = [*re.findall(r"'(# \[games.*\])'", place), *lines]
        data = path.read_bytes()
        above = "".join(f"{filled_in(line)}\n" for line in lines)
        utf16 = data.startswith(b"\xff\xfe")
        path.write_bytes(above.encode("utf-16") + data[2:] if utf16 else above.encode() + data)
    elif place.startswith(f"write into {path.stem}.toml"):
        declare(path, map(filled_in, lines))
    elif game := re.match(rf"below the line (\[games\.\".*\"\]) of {path.stem}.toml write", place):
        declare(path, map(filled_in, lines), game[1])
    elif "sheet of the workbook that is named Game," in place:
        book = openpyxl.load_workbook(path)
        sheet = book["Game"] if "Game" in book.sheetnames else book.create_sheet("Game")
        for line in lines:
            sheet.append(filled_in(line).split(maxsplit=1))
        book.save(path)
    else:
        return None
    return {}


def filled_in(line: str) -> str:
    """Return a line with a value where it is left open."""
    if line.startswith("# ["):
        return line
    found = re.match(r"[# ]*([a-z_]+)", line)
    assert found, line
    limits = iter(["open", "750", "300", "50"])
    line = re.sub(r"(?<==)\.\.\.", lambda _: next(limits), line)
    return line.replace("...", FILLED_IN.get(found[1], "1"))


def declare(path: Path, lines: Iterable[str], game: str = "") -> None:
    """Write lines into the TOML beside a file, above all tables or below the line of a game."""
    beside = path.with_suffix(".toml")
    there = beside.read_text(encoding="utf-8") if beside.exists() else ""
    text = "".join(f"{line}\n" for line in lines)
    beside.write_text(f"{there}{game}\n{text}" if game else f"{text}{there}", encoding="utf-8")
    tomllib.loads(beside.read_text(encoding="utf-8"))


def gone(path: Path, problem: Problem, keys: dict[str, str]) -> bool:
    """Return whether a file no longer brings a problem."""
    return all((each.what, each.where) != (problem.what, problem.where) for each in told(path, **keys))


TEAMS = "".join(f"A,{n},A{n} Ash,B{n} Elm,C{n} Oak,D{n} Fir,{20 - n}.00\n" for n in range(1, 5))
CASES = {
    "g.csv": {
        "rating, tables and date": HEADER + PAIRS,
        "strata": FACTS
        + HEADER.replace("section", "section,stratum")
        + PAIRS.replace("A,", "A,B,").replace("A,B,1", "A,A,1"),
        "how holdings stratify": f"{FACTS}# strata: A=open, B=750\n{HEADER.replace('score', 'score,mp1,mp2')}"
        + PAIRS.replace(".00\n", ".00,10,20\n"),
        "what teams play": f"{FACTS}section,number,player1,player2,player3,player4,score\n{TEAMS}",
        "a special word": f"# special: charity\n{FACTS}{HEADER}{PAIRS}",
        "no direction": f"# movement: mitchell\n{FACTS}{HEADER}{PAIRS}",
        "one number twice": f"# movement: howell\n{FACTS}{HEADER}"
        + "".join(f"A,{n},{side},A{side}{n} Ash,B{side}{n} Elm,{60 - 4 * n}.00\n" for n in (1, 2, 3) for side in "NE")
        .replace(",N,", ",N-S,")
        .replace(",E,", ",E-W,"),
        "one player": f"{FACTS}section,number,player1,score\n"
        + "".join(f"A,{n},Ann{n} Ash,{60 - 4 * n}.00\n" for n in range(1, 7)),
        "games": f"game_id,{HEADER}{PAIRS.replace('A,', 'x,A,')}{PAIRS.replace('A,', 'y,A,')}",
        "sit-outs": f"{FACTS}{HEADER}{PAIRS.replace('A,6', 'A,7')}",
    },
    "g.txt": {
        "a list": "Wednesday Pairs\n\nPair  Names                 Score\n"
        + "".join(f"{n}     Ann{n} Ash - Bob{n} Elm   {60 - 4 * n}.00\n" for n in range(1, 7))
    },
}


@pytest.mark.parametrize(
    ("name", "content"), [pytest.param(name, text, id=what) for name, of in CASES.items() for what, text in of.items()]
)
def test_what_is_to_be_written_can_be(file: File, name: str, content: str) -> None:
    path = file(content, name)
    problems = told(path)
    followed = [(problem, keys) for problem in problems if (keys := follow(path, problem.hint)) is not None]
    assert followed, problems
    for problem, keys in followed:
        assert gone(path, problem, keys), told(path, **keys)


@real
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["director", "habits", "workbooks", "edges", "recaps"])
def test_what_is_to_be_written_of_real_files_can_be(folder: str, tmp_path: Path) -> None:
    followed = 0
    for source in sorted((SAMPLES / folder).rglob("*"))[:: 1 if ALL else 2]:
        if source.is_file() and source.suffix != ".toml":
            path = Path(copyfile(source, tmp_path / source.name))
            for problem in told(path):
                keys = follow(path, problem.hint)
                if keys is not None:
                    followed += 1
                    assert gone(path, problem, keys), (source.name, problem)
    assert followed


@pytest.fixture(scope="module")
def texts() -> set[tuple[str, str]]:
    """Return the texts of the program that are no documentation, each with its file; values in them are {}."""
    found = set()
    for path in (PROJECT / "resultproc").rglob("*.py"):
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        other = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}  # documentation, and parts of others
        other |= {id(part) for each in nodes if isinstance(each, ast.JoinedStr) for part in each.values}
        for each in nodes:
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in other:
                found.add((path.name, each.value))
            elif isinstance(each, ast.JoinedStr) and id(each) not in other:
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in each.values)
                found.add((path.name, text))
    return found


def test_a_key_is_named_with_its_value_as_it_is_written(texts: set[tuple[str, str]]) -> None:
    names = "|".join(KEYS)
    for file, text in texts:
        if "declare" not in text:
            continue
        for sign, value in re.findall(rf"\bdeclare (?:the )?(?:{names})( ?= ?|: | )(\S*)", text):
            words = {word for each in KEYS.values() for word in each.words}
            said = value.strip(",;)") in words | {"{}"}
            assert "=" in sign or not said, (file, text)
        for value in re.findall(rf"\b(?:{names}) ?= ?([^\s,;)]+)", text):
            assert re.fullmatch(r"'.*|\".*|[0-9.]+|true|\{\}", value), (file, text)


def test_commands_and_options_that_are_named_are_there(texts: set[tuple[str, str]]) -> None:
    options: set[str] = set()
    commands = {"resultproc"}

    def walk(command: click.Command, name: str) -> None:
        commands.add(name)
        options.update(option for each in command.params for option in each.opts)
        if isinstance(command, click.Group):
            context = click.Context(command)
            for below in command.list_commands(context):
                if each := command.get_command(context, below):
                    walk(each, f"{name} {below}")

    walk(cli, "resultproc")
    groups = {name for name in commands if any(other.startswith(f"{name} ") for other in commands)}
    for file, text in texts:
        for found in re.findall(r"(?:'|: |run )(resultproc [a-z]+(?: [a-z]+)?)", text):
            command = found if found.rpartition(" ")[0] in groups else " ".join(found.split()[:2])
            assert command in commands, (file, text)
        if "hint" in text or " with --" in text or "with: resultproc" in text:
            assert set(re.findall(r"--[a-z][a-z-]+", text)) <= options | {"--help"}, (file, text)


def test_commands_of_hints_do_what_the_hint_is_for(tmp_path: Path) -> None:
    path = saved(tmp_path / "g.csv", f"{FACTS}{HEADER}{PAIRS}")
    archive, output = tmp_path / "archive", tmp_path / "run"
    assert "make one with: resultproc archive add IN --to ARCHIVE" in run("archive", "list", archive).err
    assert run("archive", "add", path, "--to", archive).status == 0
    query = ("archive", "query", archive, "SELECT * FROM awards")
    assert "1 games could not be awarded ('resultproc reprocess' says why)" in run(*query).err
    assert "boards is not declared" in run("reprocess", archive, "-o", output).err
    beside = saved(tmp_path / "list.txt", CASES["g.txt"]["a list"])
    assert "'resultproc new list.txt' makes it" in run("award", beside).err
    assert run("new", beside).status == 0
    assert run("archive", "list", archive).status == 0
