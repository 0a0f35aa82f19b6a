"""The schema of what commands print as JSON besides results: every output follows it, and nothing else does."""

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest
from conftest import FIXTURES, run
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource
from test_participation import sheet as swiss
from test_sessions import ALONE

from resultproc.cli import cli
from resultproc.model.provenance import SCHEMA_VERSION
from resultproc.pages.result import schema

REPORTS = json.loads(files("resultproc.reports").joinpath("reports.schema.json").read_text("utf-8"))
NAMED = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in (REPORTS, schema()))
OUTPUTS = [each["$ref"].removeprefix("#/$defs/") for each in REPORTS["anyOf"]]

QUALIFIER = str(FIXTURES / "made-qualifier.ACA")
MITCHELL = str(FIXTURES / "wed-open-pairs-2012-04-18.csv")
MITCHELL_TEXT = str(FIXTURES / "wed-open-pairs-2012-04-18.txt")
HOWELL = str(FIXTURES / "made-wednesday.csv")
EVENINGS = sorted(str(path) for path in (FIXTURES / "series").glob("*.csv"))
CONFORMANCE = str(FIXTURES / "conformance" / "acbl-knockout-2015.json")
BOTH = ["--rules", "acbl-club", "--rules", "acbl-2017"]
PUBLISH = ["--settings", "sites.toml", "--receipts", "receipts.sqlite", "--errors", "json", "-o", ".", "--yes"]
CHART = ["chart", "--rating", "club-open", "--tables"]

SMALL = """# date: 2010-06-01
# rating: club-open
# tables: 5
# strata: A=open, B=1000
section,direction,number,player1,player2,stratum,score
""" + "".join(
    f"A,{side},{n},{side} {n} one,{side} {n} two,{'B' if side == 'N-S' and n < 4 else 'A'},{90 - n}\n"
    for side in ("N-S", "E-W")
    for n in range(1, 6)
)
"""Three pairs in the lower stratum: enough for the rules of 2017, too few for those of 2010."""

FREE = """# date: 2012-05-04
# tables: 2
# movement: howell
# strata: A=open
number,player1,player2,score,overall_ranks,masterpoints
1,Ann,Bob,70,A=1,2.00
2,Cy,Di,65,,
3,Ed,Flo,60,,
4,Gus,Hal,55,,
"""
"""A first award of two tables: 10 x (2 + 10) / 60."""

LISTED = "Monday Pairs\n\nPlace,Members,%,Zyx\n" + "".join(
    f"{n},{names},{percentage},{n}\n"
    for n, (names, percentage) in enumerate([("Ann Ash - Bob Birch", 56), ("Cy Cedar - Di Dale", 44)], 1)
)
"""A list in other words, with a column that nobody knows."""

CASES = {
    "check": [
        ["check", MITCHELL],
        ["check", "wrong.csv", "bad.csv", "old.csv", "second.csv"],
        ["check", str(FIXTURES / "made-howell.ACM"), "boards.json", "sections.json"],
    ],
    "lint": [
        ["lint", MITCHELL],
        ["lint", "old.csv", "bad.csv"],
        ["lint", "--understood", MITCHELL, "listed.csv", str(FIXTURES / "made-howell.ACM")],
    ],
    "explain": [
        ["explain", MITCHELL, "A-NS-6"],
        ["explain", HOWELL, "A-4"],
        ["explain", HOWELL, "A-10"],
        ["explain", "second.csv", "A-NS-1"],
        ["explain", str(FIXTURES / "knockout-example.csv"), "1-1"],
        ["explain", "swiss.csv", "1"],
        ["explain", MITCHELL],
    ],
    "compare": [
        ["compare", HOWELL, "--rules", "acbl-club", "--rules", "acbl-club-2023"],
        ["compare", QUALIFIER, "--rules", "acbl-general-formula-2003", "--rules", "acbl-2017-special"],
        ["compare", "small.csv", *BOTH],
    ],
    "verify": [["verify", "sealed.json", "unsound.json"]],
    "conform": [["conform", "conformance.json"]],
    "series": [
        ["series", *EVENINGS, "--min-sessions", "4", "--min-partners", "2"],
        ["series", "old.csv"],
        ["series", "small.csv", "--method", "points"],
    ],
    "players": [
        ["players", *EVENINGS, "--since", "2026-01-07", "--until", "2026-12-31"],
        ["players", HOWELL, MITCHELL, "--club", "Invented Bridge Club"],
        ["players", "history"],
    ],
    "chart": [
        [*CHART, "4:6", "--date", "2012-04-18"],
        [*CHART, "4.5", "--date", "2012-04-18", "--strata", "A=open, B=1000", "--boards", "24"],
        [*CHART, "9"],
    ],
    "amend": [
        ["amend", HOWELL, str(FIXTURES / "corrected-wednesday.csv")],
        ["amend", HOWELL, HOWELL],
        ["amend", HOWELL, "replaced.csv"],
        ["amend", "old.csv", MITCHELL],
    ],
    "whatif": [
        ["whatif", HOWELL, "--strata", "A=open, B=1000, C=100", "--need", "A-9"],
        ["whatif", MITCHELL, "--rating", "sectional", "--need", "A-NS-1"],
        ["whatif", "old.csv", "--one-winner"],
        ["whatif", HOWELL, "--special", "charity"],
        ["whatif", str(FIXTURES / "regional-open-pairs-2022-06-18.csv"), "--need", "A-NS-3"],
        ["whatif", "--entries", str(FIXTURES / "entries" / "tonight.csv")],
        ["whatif", "--entries", "few.csv"],
    ],
    "infer": [
        ["infer", "--anew", MITCHELL_TEXT, "--rating", "club-open"],
        ["infer", "free.csv", "--rating", "sectional", "--special", "side-game", "--free", "R,M"],
    ],
    "archive-list": [
        ["archive", "list", "history"],
        ["archive", "list", "history", "--history"],
        ["archive", "list", "history", "--sources", "--history"],
        ["archive", "list", "history", "--as-of", "1999-01-01"],
    ],
    "archive-query": [
        ["archive", "query", "awarded", "SELECT * FROM awards"],
        ["archive", "query", "awarded", "SELECT sum(masterpoints) AS m, [1.5, 'nan'::DOUBLE] AS l FROM awards"],
    ],
    "archive-columns": [["archive", "columns"]],
    "archive-persons": [["archive", "persons", "history"]],
    "archive-audit": [["archive", "audit", "awarded", "statement.csv", "--player", "Ada Spruce"]],
    "archive-health": [
        ["archive", "health", "awarded"],
        ["archive", "health", "awarded", "--since", "2012-04-01", "--until", "2012-04-30"],
    ],
    "archive-player": [["archive", "player", "awarded", "Ada Spruce"]],
    "archive-corrections": [
        ["archive", "corrections", "history", "amended"],
        ["archive", "corrections", "history", "made-two-games-ACM-1"],
    ],
    "archive-gains": [["archive", "gains", "history"]],
    "archive-whatif": [
        ["archive", "whatif", "history", "--set", "section.cap.club-open=0.80", "--where", "date == 2012"]
    ],
    "reprocess": [
        ["reprocess", "history", "-o", "awarded"],
        ["reprocess", "history", "-o", "later", "--rules", "acbl-club-2023", "--where", "date = 2012"],
    ],
    "rules-list": [["rules", "list"]],
    "rules-show": [["rules", "show", name] for name in ("acbl-club", "acbl-2017", "acbl-general-formula-2019")],
    "rules-find": [["rules", "find", "gold"]],
    "sites-list": [["sites", "list"]],
    "sites-show": [["sites", "show", name] for name in ("my-abf", "my-ebu", "bridgewebs", "folder")],
    "sites-receipts": [["sites", "receipts", "--receipts", "receipts.sqlite"]],
}
"""Of each output some commands that print it, so that its parts that are not always there are there once."""

LINES = {
    "message": [
        ["award", "bad.csv", "--errors", "json"],
        ["award", "old.csv", "--errors", "json"],
        ["nosuch", "--errors", "json"],
        ["batch", "old.csv", "bad.csv", "-o", "out", "--log", "json"],
    ],
    "archive-add": [["archive", "add", "bad.csv", "--to", "other"]],
    "publish": [["publish", MITCHELL, "--for", "folder", *PUBLISH], ["publish", MITCHELL, "--for", "mempad", *PUBLISH]],
}
"""Of what is printed in lines, an object each, some commands that print it."""

OPEN = {
    "archive-query": r"\.rows\[\].*",
    "rules-show": r"\.values\[\]\.value.*",
    "rules-find": r"\.found\[\]\.value.*",
    "sites-show": r"\.asks\.[a-z_]+\.value.*|\.dialects\..*",
}
"""Where anything may be: what a query asks for, and what rulebooks and results sites have for values."""

OPTIONAL = re.compile(
    r"(\.files\[\])?\.provenance(\[\])?\.(source|sha256|rulebooks\..+)"
    r"|(\.games\[\])?\.(game|contestant)\..+"  # as in results, whose tests say what must be there
    r"|.*\.(paid|total|masterpoints|missing|scores|colours|entries|sources)\.[^.]+"  # of those that there are
    r"|\.awards\[\]\.stratum|\.games\[\]\.time|\.games\[\]\.contestants\[\]\.players_before"
    r"|\.games\[\]\.players\[\]\.(before|after)\.(players|contestant)"  # of those who are there
    r"|\.needed(\.session|\.steps\[\]\.(score|total))?"
    r"|(.*\.remarks\[\])?\.code"  # which older files do not have, nor messages about what was done
    r"|\.understood"  # where it is asked for
    r"|\.dialects\..+|\.asks\..+"  # of those that there are
    r"|\.summary\[\]\.failed|\.time|.*\.declared\.[^.]+"
)
"""What need not be there."""


def write_files(folder: Path) -> None:
    """Write the files of the cases that are no fixtures."""
    mitchell, howell = (Path(path).read_text("utf-8") for path in (MITCHELL, HOWELL))
    boards, sections = (
        json.loads(run("award", game, "--to", "json").printed) for game in (FIXTURES / "made-howell.ACM", QUALIFIER)
    )
    boards["games"][0]["boards"][0]["results"][0]["printed_ns"] = 0
    for contestant in sections["games"][0]["contestants"]:  # their overall awards are left out
        of_section = [each["masterpoints"] for each in contestant["candidates"] if each["basis"] == "section"]
        ranks = contestant.pop("printed", {}).get("section")
        if ranks:
            contestant["printed"] = {"section": ranks, "award": max(of_section, default="0.00", key=float)}
    texts = {
        "bad.csv": "number,player1,score\n1,Ann,many\n",
        "old.csv": mitchell.replace("2012-04-18", "1929-04-18"),
        "listed.csv": LISTED,
        "wrong.csv": mitchell.replace("0.63,A", "0.64,A").replace("0.90,A", "0.90,B").replace("A=1, B=1", "A=2, B=1"),
        "boards.json": json.dumps(boards),
        "sections.json": json.dumps(sections),
        "sites.toml": '[site.folder]\nfolder = "."\n[site.mempad]\nmail = "results@example.org"\n',
        "small.csv": SMALL,
        "free.csv": FREE,
        "statement.csv": "date,points\n2026-04-15,9\n2026-04-15,9\n2026-04-15,8\n",
        "second.csv": ALONE,
        "undated.csv": ALONE.replace("# date: 2005-05-06\n", ""),
        "unrated.csv": Path(EVENINGS[0]).read_text("utf-8").replace("# rating: club-open\n", ""),
        "replaced.csv": howell.replace("Ada Spruce,0002006", "Zoe Zulu,0002099"),
        "few.csv": "".join((FIXTURES / "entries" / "tonight.csv").read_text("utf-8").splitlines(keepends=True)[:5]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    swiss(folder)
    (folder / "conformance.json").write_text(other_games(), "utf-8")
    run("award", HOWELL, "--seal", "-o", "sealed.json")
    run("publish", MITCHELL, "--for", "folder,mempad", *PUBLISH)
    sealed = (folder / "sealed.json").read_text("utf-8")
    (folder / "unsound.json").write_text(sealed.replace('"0.94"', '"0.95"', 1), "utf-8")


def other_games() -> str:
    """Return a suite whose first game is refused, and in whose second another award is expected."""
    content = json.loads(Path(CONFORMANCE).read_text("utf-8"))
    del content["games"][0]["given"]["game"]["rating"]
    content["games"][1]["expected"][0]["colours"] = {"black": "1.00"}
    return json.dumps(content)


def make_archive(folder: Path) -> None:
    """Make the archive of the cases: a game of it was corrected, and one removed."""
    (folder / "amended.csv").write_bytes(Path(HOWELL).read_bytes())
    games = [MITCHELL, str(FIXTURES / "made-two-games.ACM"), "old.csv", "undated.csv", "unrated.csv"]
    run("archive", "add", "amended.csv", *games, "--to", "history")
    (folder / "amended.csv").write_bytes((FIXTURES / "corrected-wednesday.csv").read_bytes())
    run("archive", "add", "amended.csv", "--to", "history")
    run("archive", "remove", "history", "made-two-games-ACM-2")
    written("reprocess", "history", "-o", "awarded")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the cases, which they name without it."""
    made = tmp_path_factory.mktemp("reports")
    with contextlib.chdir(made):
        write_files(made)
        if find_spec("distributed"):
            make_archive(made)
    return made


def printed(command: list[str]) -> Any:
    if {"archive", "reprocess", "history"} & set(command):
        pytest.importorskip("distributed")
    return json.loads(written(*command))


@cache
def written(*command: str) -> str:
    _, out, err = run(*command, "--to", "json")
    assert out, err
    return out


def lines(command: list[str]) -> list[Any]:
    if command[0] == "archive":
        pytest.importorskip("distributed")
    _, out, err = run(*command)
    return [json.loads(line) for line in (err if command[-1] == "json" else out).splitlines()]


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{REPORTS['$id']}#/$defs/{name}"}, registry=NAMED)


def wrong(name: str, content: Any) -> list[str]:
    """Return what is wrong with an output, where, down to the branches of what may be one thing or another."""

    def leaves(error: ValidationError) -> Iterator[str]:
        for each in error.context or ():
            yield from leaves(each)
        if not error.context:
            yield f"{error.json_path}: {error.message}"

    return [text for error in validator(name).iter_errors(content) for text in leaves(error)]


def values(content: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield every value within an output: its path without the numbers of lists, what holds it, its key there."""
    keys = content if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    for key in list(keys):
        inner = f"{path}[]" if isinstance(content, list) else f"{path}.{key}"
        yield inner, content, key
        yield from values(content[key], inner)


def spoilt(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield an output with each of its values made one of another kind, or an object that has a key more."""
    for path, holder, key in list(values(content)):
        value = holder[key]
        others: dict[type, Any] = {str: 0.5, type(None): []}
        holder[key] = {**value, "surplus": [{}]} if isinstance(value, dict) else others.get(type(value), "!")
        yield path, content
        holder[key] = value


def shortened(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield an output without each of its keys."""
    for path, holder, key in list(values(content)):
        if isinstance(holder, dict):
            value = holder.pop(key)
            yield path, content
            holder[key] = value


def slim(content: Any) -> Any:
    """Return an output without the items of lists that have nothing which those before them lack."""
    if isinstance(content, dict):
        return {key: slim(value) for key, value in content.items()}
    if not isinstance(content, list):
        return content
    kept: list[Any] = []
    seen: set[tuple[str, type]] = set()
    for each in map(slim, content):
        there = {(path, type(holder[key])) for path, holder, key in values([each])}
        if not there <= seen:
            kept.append(each)
            seen |= there
    return kept


def taken(name: str, changed: Iterable[tuple[str, Any]], seen: set[str]) -> set[str]:
    """Return where a change is taken for an output all the same. seen: what was tried before, and is not again."""
    found = set()
    for path, content in changed:
        if path not in seen and validator(name).is_valid(content):
            found.add(path)
        seen.add(path)
    return {path for path in found if not re.fullmatch(OPEN.get(name, ""), path)}


def follow(name: str, contents: list[Any]) -> None:
    """Assert that outputs follow their definition, and that they do not any more with other values, or fewer keys."""
    assert [wrong(name, content) for content in contents] == [[]] * len(contents)
    once: set[str] = set()
    small = [slim(content) for content in contents]
    assert [wrong(name, content) for content in small] == [[]] * len(contents)
    assert [taken(name, spoilt(content), once) for content in small] == [set()] * len(contents)
    once = set()
    for content in small:
        assert [path for path in taken(name, shortened(content), once) if not OPTIONAL.fullmatch(path)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_outputs_follow_their_definition(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    follow(name, [printed(command) for command in CASES[name]])


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_lines_follow_their_definition(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = [lines(command) for command in LINES[name]]
    assert all(found)
    follow(name, [line for each in found for line in each])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("explain", "masterpoints", "0.6"),
        ("explain", "candidates/0/position", 0),
        ("explain", "provenance/sha256", "c17f55"),
        ("compare", "games/0/paid/acbl-club", "5"),
        ("series", "players/0/bonus", ".31"),
        ("series", "method", "imps"),
        ("players", "games/0/date", "6 Jan 2026"),
        ("players", "players/0/games", -1),
        ("chart", "game/rating", "club"),
        ("chart", "awards/0/rows/0/masterpoints/0", "0,40"),
        ("amend", "games/0/contestants/0/after/ranks/0/place", "1-2"),
        ("amend", "games/0/changes/0/kind", "other"),
        ("whatif", "as_it_is/strata/0/limit", "none"),
        ("whatif", "as_it_is/strata/0/stratum", "AB"),
        ("rules-list", "rulebooks/0/since", "2017"),
        ("sites-list", "sites/0/sent", "pigeon"),
    ],
)
def test_what_is_not_written_so_is_refused(name: str, path: str, value: object) -> None:
    content = printed(CASES[name][0])
    *way, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    holder = content
    for key in way:
        holder = holder[key]
    assert wrong(name, content) == []
    assert holder[last] != value
    holder[last] = value
    assert wrong(name, content) != []


@pytest.mark.slow
def test_the_schema_has_the_version_of_the_json_and_knows_what_it_refers_to() -> None:
    Draft202012Validator.check_schema(REPORTS)
    assert REPORTS["$id"] == f"urn:resultproc:reports:{SCHEMA_VERSION}"
    resolver = NAMED.resolver(REPORTS["$id"])
    referred = {holder[key] for path, holder, key in values(REPORTS) if path.endswith(".$ref")}
    assert all(resolver.lookup(each).contents for each in referred)
    assert {f"#/$defs/{name}" for name in REPORTS["$defs"]} <= referred


def test_every_command_that_prints_json_has_its_definition() -> None:
    formats = dict(every_to(cli))
    choosing = {name for name, kind in formats.items() if isinstance(kind, click.Choice)}
    assert {name for name in choosing if "json" in formats[name].choices} == {*CASES, "convert"}
    # Any formats; an archive; a database; sites.
    assert set(formats) - choosing == {"award", "batch", "archive-add", "archive-export", "publish"}
    assert set(OUTPUTS) == {*CASES, *LINES}


def every_to(group: click.Group, path: str = "") -> Iterator[tuple[str, click.ParamType]]:
    """Yield every command that has an option --to, and what it takes."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from every_to(command, f"{path}{name}-")
        elif command is not None:
            yield from ((path + name, each.type) for each in command.params if each.name == "to" or "--to" in each.opts)
