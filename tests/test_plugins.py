"""What another package registers: it works as the built-in ones do, and its own errors are told as its own."""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import FIXTURES, Run
from documents import PAGES, blocks, save

from resultproc.model.errors import Problem
from resultproc.rulebooks import load

READER = """
from resultproc.formats.registry import Reader

def sniff(head):
    return head == b"odd" or (head == b"strange" and head.nothing)

def read(source):
    raise KeyError("no such column")

READER = Reader(name="odd", title="Odd", sniff=sniff, reads=read, rank=99)
"""
GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"
PROGRAMS = ("--errors", "json")


def install(folder: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Lay beside the modules of a package what pip says of it when it is installed."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = ("\n".join([f"[{group}]", *(f"{k} = {v}" for k, v in each.items())]) for group, each in points.items())
    (about / "entry_points.txt").write_text("\n".join(groups) + "\n")


def install_league() -> Path:
    """Install the package of the documents, and return its folder."""
    for _, text in OF_PLUGINS:
        save(text)
    folder = Path("my-league")
    assert (folder / "my_league" / "__init__.py").exists()  # pip would not find the files beside the modules
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    install(folder, project["name"], project["version"], project["entry-points"])
    return folder


OF_PLUGINS = blocks(PAGES["resultproc/docs/contributing.md"].partition("## A reader, a writer")[2])

CALLS = """
import io, json, os, sys, traceback
from contextlib import redirect_stderr, redirect_stdout
from resultproc.cli import main

for words, debug in json.load(sys.stdin):
    os.environ["RESULTPROC_DEBUG"] = debug
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    status = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(words)
        except SystemExit as stop:
            status = stop.code or 0
        except Exception:
            traceback.print_exc()
    print(json.dumps([status, *(stream.buffer.getvalue().decode() for stream in (out, err))]))
"""
"""What runs commands one after the other: a process finds once, when it starts, what is installed."""


def call(package: Path, *commands: Sequence[object], debugged: Sequence[object] = ()) -> list[Run]:
    """Run commands where the package in a folder is installed. debugged: one more, which shows where it has failed."""
    given = [(words, "") for words in commands] + ([(debugged, "1")] if debugged else [])
    path = os.pathsep.join([str(package.absolute()), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", CALLS],
        env={**os.environ, "PYTHONPATH": path},
        input=json.dumps([([*map(str, words)], debug) for words, debug in given]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [Run(*json.loads(line)) for line in done.stdout.splitlines()]


def told(run: Run) -> dict[str, str]:
    """Return what is told, for programs, of an error of another package."""
    assert (run.status, run.out) == (70, "")
    (said,) = map(json.loads, run.err.splitlines())
    assert said["code"] == "bug.plugin"
    assert said["hint"] == "report this to those who make that package"
    return dict(said)


@pytest.mark.slow
def test_the_walk_through_of_the_documents_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = install_league()
    shown = [(before, text) for (_, before), (kind, text) in pairwise(OF_PLUGINS) if kind == "text"]
    assert len(shown) == 3
    commands = [shlex.split(lines.splitlines()[-1].removeprefix("$ resultproc ")) for lines, _ in shown]
    for done, (_, text) in zip(call(package, *commands), shown, strict=True):
        assert done.printed.startswith(text)


SIXTH = {
    "__init__.py": "",
    "words.py": """
from resultproc.model.game import League

RATINGS = '[ratings]\\nevening = {name = "Evening", colour = "#1c8258"}'
LEAGUE = League.of("zzb", 'title = "ZZB"\\ncolours = ["blue"]\\nwhole-points = true\\n' + RATINGS)
""",
    "book.py": """
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.load import load_from_package

class Rules(FieldRules):
    def of_field(self, edition, group, reach):
        first = edition.whole("rate") * group.ranked
        return field_ladder(edition, [first - n for n in range(group.ranked // 3)], ["rate"])

RULEBOOK = load_from_package("club.toml", "sixth")
""",
    "club.toml": """
id = "zzb-club"
title = "ZZB evenings"
rules = "book:Rules"
league = "zzb"
covers = ["evening"]
[sources.book]
title = "Book of the ZZB"
[rate]
value = 3
cite = "book, page 1"
[strata.share]
value = [[1, 1, 2]]
cite = "book, page 2"
[ties.unit]
value = 1
cite = "book, page 2"
[ties.rounding]
value = "up"
choices = ["half up", "up"]
cite = "book, page 2"
""",
}
"""A league of another package: three points a pair to the first, one fewer for each place, half in a lower stratum."""


def test_a_league_with_its_rulebook_is_one_package_alone(tmp_path: Path) -> None:
    (tmp_path / "sixth").mkdir()
    for name, text in SIXTH.items():
        (tmp_path / "sixth" / name).write_text(text)
    points = {
        "resultproc.leagues": {"zzb": "sixth.words:LEAGUE"},
        "resultproc.rulebooks": {"zzb-club": "sixth.book:RULEBOOK"},
    }
    install(tmp_path, "sixth", "1.0", points)
    game = tmp_path / "game.csv"
    said = "# rating: evening\n# tables: 3\n# movement: howell\n# ranks: Page, King\n# strata: A=open, B=Page\n"
    ranks = ["King", "King", "Page", "King", "Page", "Page"]
    rows = [f"{n},Ann {n},Bob {n},{rank},Page,{70 - n}" for n, rank in enumerate(ranks, 1)]
    game.write_text(said + "\n".join(["Pair,Player1,Player2,rank1,rank2,Score", *rows]) + "\n")
    award, other, players = call(
        tmp_path,
        ("award", game, "--to", "json"),
        ("award", game, "--rules", "ebu-club"),
        ("players", game, GAME, "--to", "csv"),
    )
    # Of six 18 and 17; of three in B, the third, fifth and sixth, half of 9.
    paid = [each["masterpoints"] for each in json.loads(award.out)["games"][0]["contestants"]]
    assert paid == ["18.00", "17.00", "5.00", "0.00", "0.00", "0.00"]
    assert "rulebook ebu-club awards points of the EBU, and this is a game of the ZZB" in other.err
    assert {line.rpartition(",")[2] for line in players.out.splitlines()[1:]} == {"acbl", "zzb"}


BROKEN = {
    "tables.py": ("rate, shares = edition", "rate, shares = group.nothing, edition"),
    "bulletin.py": ("    lines = ", "    raise OSError('no ink')\n    lines = "),
}


@pytest.mark.slow
def test_an_error_of_another_package_is_told_as_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of its rulebook, of its writer, and of a package that cannot be imported."""
    monkeypatch.chdir(tmp_path)
    package = install_league()
    for name, (before, after) in BROKEN.items():
        code = package / "my_league" / name
        assert before in code.read_text("utf-8")
        code.write_text(code.read_text("utf-8").replace(before, after), "utf-8")
    install(package, "odd-league", "1.2", {"resultproc.readers": {"odd": "odd_league:READER"}})
    (package / "odd_league.py").write_text("import no_such_library")
    award = ("award", GAME, *PROGRAMS)
    rulebook, writer, imported = call(
        package,
        (*award, "--from", "csv", "--rules", "my-league", "--tables", "9"),
        (*award, "--from", "csv", "--to", "bulletin"),
        award,
    )
    for done, what, error in (
        (rulebook, "rulebook 'my-league'", "AttributeError: 'Group' object has no attribute 'nothing'"),
        (writer, "writer 'bulletin'", "OSError: no ink"),
    ):
        assert told(done)["what"].startswith(f"the {what} of the package my-league ")
        assert f"has failed: {error}" in told(done)["what"]
    error = "ModuleNotFoundError: No module named 'no_such_library'"
    assert told(imported)["what"] == f"the reader 'odd' of the package odd-league 1.2 has failed: {error}"


WRONG_RULEBOOK = """
from resultproc.rulebooks.load import parse_rulebook

RULEBOOK = parse_rulebook('id = "wrong-rules"\\ncovers = [', "wrong.toml", None)
"""
HALF_RULEBOOK = """
from resultproc.rulebooks.load import load_from_package

RULEBOOK = load_from_package("half.toml", "half_rules")
"""
LEFT_OUT = {
    "no-rules": "the rulebook 'no-rules' of the package odd-league 1.2 has failed: "
    "ModuleNotFoundError: No module named 'no_such_library' (report this to those who make that package)",
    "not-rules": "the rulebook 'not-rules' of the package odd-league 1.2 has failed: "
    "TypeError: odd_league:READER is not a Rulebook (report this to those who make that package)",
    "wrong-rules": "wrong.toml: end of document: this TOML cannot be read: Invalid value",
}
HALF_LEFT_OUT = (
    "remark: rulebook half-rules is left out: half.toml: rules: there are no rules '': "
    "No module named 'half_rules.' (write the module of half_rules and the class: "
    'rules = "acbl_club.rules:ClubRules")'
)
MEND = " (mend or remove its package: a game may be one of its own)"


@pytest.mark.slow
def test_a_package_that_fails_stops_what_needs_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that is asked whether a file is its own, that reads one, and one of many; rulebooks not to be read."""
    monkeypatch.chdir(tmp_path)
    books = {name: f"{name.replace('-', '_')}:RULEBOOK" for name in ("no-rules", "wrong-rules", "half-rules")}
    books["not-rules"] = "odd_league:READER"
    points = {"resultproc.readers": {"odd": "odd_league:READER"}, "resultproc.rulebooks": books}
    install(tmp_path, "odd-league", "1.2", points)
    (tmp_path / "odd_league.py").write_text(READER)
    (tmp_path / "no_rules.py").write_text("import no_such_library")
    (tmp_path / "wrong_rules.py").write_text(WRONG_RULEBOOK)
    (half := tmp_path / "half_rules").mkdir()
    (half / "__init__.py").write_text(HALF_RULEBOOK)
    (half / "half.toml").write_text('id = "half-rules"\ntitle = "Half"\n')
    (tmp_path / "strange.csv").write_text("strange")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.csv").write_bytes(GAME.read_bytes())
    (tmp_path / "in" / "odd.csv").write_text("odd")
    award = ("award", GAME, *PROGRAMS)
    reading, sniffing, batch, good, other, uncovered, *named, listed, inferred, searched, charted, debugged = call(
        tmp_path,
        (*award, "--from", "odd"),
        ("award", "strange.csv", *PROGRAMS),
        ("batch", "in", "-o", "out"),
        award,
        (*award, "--rules", "acbl-club"),
        (*award, "--rating", "club-online"),
        *((*award, "--rules", book) for book in LEFT_OUT),
        ("rules", "list"),
        ("infer", GAME),
        ("rules", "find", "half", "table"),
        ("chart", "--rating", "club-open", "--tables", "9", "--date", "2012-04-18"),
        debugged=("award", GAME, "--from", "odd"),
    )
    failed = "the reader 'odd' of the package odd-league 1.2 has failed: "
    assert told(reading)["what"] == f"{failed}KeyError: 'no such column'"
    assert told(sniffing)["what"] == f"{failed}AttributeError: 'bytes' object has no attribute 'nothing'"
    assert batch.status == 70
    inputs = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))["inputs"]
    expected = {"good.csv": "done", "odd.csv": "failed"}
    assert {entry["file"].rpartition("/")[2]: entry["state"] for entry in inputs} == expected
    (problem,) = next(entry["problems"] for entry in inputs if entry["state"] == "failed")
    assert problem["what"].startswith(f"{failed}KeyError")
    check_rulebooks(good, uncovered, named, listed)
    assert (charted.status, charted.out.count("is left out")) == (0, len(LEFT_OUT))
    assert (other.status, other.err) == (0, "")  # it names its rulebook
    # These need the values of all, which are read later.
    for done in (inferred, searched):
        assert (done.status, done.out > "") == (0, True)
        assert done.err.splitlines() == sorted([*listed.err.splitlines(), f"{HALF_LEFT_OUT}{MEND}"])
    # Its makers are shown where it has failed.
    assert 'raise KeyError("no such column")' in debugged.err


def test_a_batch_awards_its_games_again_once_a_rulebook_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load.fingerprint(None)
    monkeypatch.setattr(load, "unread_rulebooks", lambda: [Problem("rulebook x is left out")])
    assert load.fingerprint(None) != before


@pytest.mark.slow
def test_a_batch_awards_its_games_again_under_a_package_that_has_changed(tmp_path: Path) -> None:
    """9 tables x 0.10 = 0.90 for first, twice that, and three times: by the table of a package, then by its code."""
    install(tmp_path, "my-own", "1.0", {"resultproc.rulebooks": {"my-own": "my_own:RULEBOOK"}})
    (own := tmp_path / "my_own").mkdir()
    (own / "__init__.py").write_text(
        'from resultproc.rulebooks.load import load_from_package\nRULEBOOK = load_from_package("own.toml", "my_own")\n'
    )
    (own / "rules.py").write_text("from resultproc.rulebooks.acbl_club.rules import ClubRules as Mine\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "game.csv").write_text(f"# rulebook: my-own\n{GAME.read_text('utf-8')}", "utf-8")
    paid = []
    for bonus, more in (("2.0", ""), ("3.0", ""), ("3.0", ""), ("3.0", "# mended")):
        (own / "own.toml").write_text(
            'id = "my-own"\ntitle = "Own"\nextends = "acbl-club"\nrules = "rules:Mine"\ncovers = ["club-open"]\n'
            f"[bonus.factor]\nvalue = {bonus}\ncite = 'minutes'\n"
        )
        with (own / "rules.py").open("a") as code:
            code.write(more)
        (done,) = call(tmp_path, ("batch", tmp_path / "in", "-o", tmp_path / "out", "--to", "json"))
        assert done.status == 0, done.err
        report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
        (entry,) = json.loads((tmp_path / "out" / "game.json").read_text("utf-8"))["games"]
        paid.append((report["files"], max(each["masterpoints"] for each in entry["contestants"])))
    assert paid == [(1, "1.80"), (1, "2.70"), (0, "2.70"), (1, "2.70")]


def check_rulebooks(good: Run, uncovered: Run, named: Sequence[Run], listed: Run) -> None:
    """Check what is told where three rulebooks cannot be read: of a game of others, and of games that may need them."""
    whats = [f"rulebook {name} is left out: {why}" for name, why in LEFT_OUT.items()]
    remarks = [each for each in map(json.loads, good.err.splitlines()) if each["code"] == "rulebook.left-out"]
    assert (good.status, [each["what"] for each in remarks]) == (0, whats)
    assert {(each["severity"], each["file"]) for each in remarks} == {("remark", GAME.name)}
    (error,) = map(json.loads, uncovered.err.splitlines())
    assert (uncovered.status, error["code"]) == (1, "rulebook.none")
    assert error["what"] == "; ".join(["no rulebook covers a club-online game on 2012-04-18", *whats])
    assert [run.status for run in named] == [70, 70, 1]
    for run, (name, why) in zip(named, LEFT_OUT.items(), strict=True):
        assert [each["what"] in why for each in map(json.loads, run.err.splitlines())] == [True], name
    assert (listed.status, "acbl-club" in listed.out) == (0, True)
    assert listed.err.splitlines() == [f"remark: {what}{MEND}" for what in whats]
