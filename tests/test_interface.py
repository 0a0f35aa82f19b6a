"""What scripts depend on: exit statuses, codes, what Python imports, what is left out in public, safe terminals."""

import ast
import errno
import io
import json
import os
import re
import subprocess
import sys
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import FIXTURES, PROJECT, saved

import resultproc
from resultproc.cli import main, messages
from resultproc.model import codes
from resultproc.model.errors import FormatError, InputError, OutputError, Problem, ResultprocError, resultproc_error
from resultproc.model.values import escape_formula, unescape_formula
from resultproc.stages.doubts import OF_RESULTS, OF_SHEETS

GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"

PRIVATE = """\
# date: 2012-04-18
# rating: club-open
# tables: 3
# boards: 24
# movement: howell
# strata: A=open, B=500
# stratify-by: average
section,number,player1,id1,mp1,player2,id2,mp2,score
A,1,Ann Alder,7700001,4321,Bob Birch,7700002,4322,60
A,2,Cy Cedar,7700003,4323,Di Dogwood,7700004,4324,55
A,3,Ed Elm,7700005,41.5,Flo Fir,7700006,42.5,50
A,4,Gus Gum,7700007,43.5,Hal Holly,7700008,44.5,45
A,5,Ivy Ilex,7700009,45.5,Joe Juniper,7700010,46.5,40
A,6,Kay Kapok,7700011,47.5,Liz Larch,7700012,48.5,35
"""
SECRETS = re.compile(rb"77000|432[1-4]|4[1-8]\.5")


def status(*arguments: str | Path) -> int:
    try:
        main([*map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


# The package.


def test_all_that_can_be_raised_is_of_one_family():
    known = _classes(ResultprocError)
    told = {name for name, kind in known.items() if kind.__module__ == "resultproc.model.errors"}
    assert told == {name for name in resultproc.__all__ if name.endswith("Error")}
    for name in ("OutputError", "ImpossibleError", "BlockedError", "PluginError"):
        assert not issubclass(known[name], InputError)
    assert [type(resultproc_error(each)) for each in (MemoryError(), KeyError("x"))] == [ResultprocError] * 2
    with pytest.raises(OutputError) as caught:
        resultproc.write(resultproc.read(GAME), "/no/such/folder/game.csv")
    assert [each.code for each in caught.value.problems] == ["machine.failed"]


def test_a_problem_has_one_entry_and_a_remark_names_its_file_with_the_place():
    problem = Problem(
        "doubtful", "line 10", "look", "rem.csv", code="sheet.doubtful", rows=(("line 10", "a"), ("line 11", "b"))
    )
    rest: dict[str, object] = {"what": "doubtful", "hint": "look", "code": "sheet.doubtful"}
    rest["rows"] = [{"where": "line 10", "what": "a"}, {"where": "line 11", "what": "b"}]
    assert problem.entry == {"file": "rem.csv", "where": "line 10", **rest} == InputError([problem]).as_dicts()[0]
    assert problem.entry_of_remark == {"where": "rem.csv: line 10", **rest}


@pytest.mark.parametrize("work", [resultproc.process, resultproc.process_event, resultproc.check, resultproc.lint])
def test_no_file_is_asked_for(work):
    with pytest.raises(InputError, match=r"there is no file to read \(name at least one results file\)"):
        work()


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, io.BytesIO, lambda data: io.StringIO(data.decode())])
def test_content_is_read_in_whatever_it_comes(kind):
    data = kind(GAME.read_bytes())
    assert len(resultproc.read(data).contestants) == 18
    if not hasattr(data, "read"):
        assert resultproc.read(resultproc.Source("game.csv", data)).games["source"].tolist() == ["game.csv"]


def test_what_cannot_be_read_or_explained_is_said():
    with pytest.raises(TypeError, match="list cannot be read: give a path"):
        resultproc.read([GAME])
    with GAME.open("rb") as file, pytest.raises(OutputError, match="it cannot be written: write"):
        resultproc.write(resultproc.read(GAME), file, format="csv")
    result = resultproc.process(GAME)
    for row in (999, -1, 18):
        with pytest.raises(InputError, match=rf"there is no contestant in row {row} \(give a row from 0 to 17\)"):
            resultproc.explain(result, row)
    for name in ("999", "A 999", None, 1.5, True):
        with pytest.raises(InputError, match=rf"there is no contestant in row {name!r} \(give a row from 0 to 17\)"):
            resultproc.explain(result, name)  # type: ignore[arg-type]  # what is no row
    with pytest.raises(InputError, match="these games were not awarded"):
        resultproc.explain(resultproc.read(GAME).unranked(), 0)


def test_no_games_have_no_places_and_no_awards():
    sheet = resultproc.complete(*resultproc.read(GAME))
    empty = resultproc.award_sheet(resultproc.Sheet(*(frame.iloc[:0] for frame in resultproc.read(GAME))))
    assert isinstance(empty, resultproc.AwardedResult)
    assert empty.awards.empty
    none = [frame.iloc[:0] for frame in sheet]
    standings = resultproc.rank(*none)
    assert [len(frame) for frame in (standings, *resultproc.award(*none, standings))] == [0, 0, 0]


# Exit statuses and codes.


@pytest.mark.parametrize(
    ("error", "exits", "code"),
    [
        (InputError("wrong"), 1, "input.wrong"),
        (FormatError("no game"), 1, "format.wrong"),
        (InputError("busy", code="again.locked"), 5, "again.locked"),
        (OutputError("it cannot be written"), 6, "machine.failed"),
        (OSError(errno.ENOSPC, "No space left on device"), 6, "machine.full"),
        (PermissionError(errno.EACCES, "Permission denied"), 6, "machine.permission"),
        (MemoryError(), 6, "machine.memory"),
        (ZeroDivisionError("by zero"), 70, "bug.found"),
        (KeyboardInterrupt(), 130, "stopped.interrupted"),
        (InputError([Problem("a"), Problem("b", code="bug.found"), Problem("c", code="again.network")]), 70, None),
        (InputError([Problem("a"), Problem("c", code="again.network")]), 5, None),
    ],
)
def test_the_exit_status_tells_causes_apart(error, exits, code, monkeypatch, capsys):
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("resultproc.stages.pipeline.process", fails)
    assert status("award", GAME, "--errors", "json") == exits
    found = told(capsys)
    assert code is None or [each["code"] for each in found] == [code]
    assert all(each["code"] in codes.every_code() for each in found)


def test_a_wrong_command_line_has_a_code(capsys):
    assert status("award", GAME, "--nosuch", "--errors", "json") == 2
    assert [each["code"] for each in told(capsys)] == ["command.wrong"]


def test_a_locked_folder_is_to_be_tried_again(tmp_path, capsys):
    from resultproc.model.locks import locked

    lock = locked(tmp_path / "ledger.lock")
    assert status("batch", GAME, "-o", tmp_path, "--errors", "json") == 5
    lock.close()
    assert [each["code"] for each in told(capsys)] == ["again.locked"]


_FAILING = """
from resultproc.batch import chunks
from resultproc.cli import main

def fails(*_):
    raise ZeroDivisionError

chunks.hash_of = fails
main()
"""


def test_of_many_files_the_worst_cause_counts(tmp_path):
    (tmp_path / "bad.csv").write_text("number,player1,score\n1,Ann,many\n")
    assert status("batch", tmp_path / "bad.csv", GAME, "-o", tmp_path / "out") == 1
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert {each["code"] for failure in report["failures"] for each in failure["problems"]} == {"input.unreadable"}

    # In a process of its own, whose readers begin as it is.
    command = [sys.executable, "-c", _FAILING, "batch", tmp_path / "bad.csv", GAME, "-o", tmp_path / "other"]
    assert subprocess.run(command, capture_output=True).returncode == 70


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_worse_than_differences(tmp_path):
    assert status("check", tmp_path / "absent.csv", GAME) == 1
    assert codes.worst([1, codes.DIFFERENCES, codes.TRY_AGAIN]) == 5


_NAMED = (
    *("MISSING", "CONTRADICTED", "PASSED_OVER", "DECLARES_NOTHING", "EMPTY", "UNREADABLE", "UNKNOWN", "ENCODING"),
    *(
        "NOBODY",
        "OUT_OF_ORDER",
        "EVENT_TOLD",
        "TITLE_NOT_TAKEN",
        "AWAITED",
        "NOT_FINAL",
        "OF_BOOK",
        "HOLDINGS_MISSING",
        "TOO_MUCH",
    ),
)
"""Codes that the package uses by a name."""


@cache
def _package() -> dict[str, list[tuple[str, ast.AST]]]:
    """Return what the package's modules have, each with its place: calls, by the name that is called.

    Texts that may be a code are below ``a text``, and what is given as one below ``code=``;
    what stands in a module by itself is below ``module``.
    """
    found: dict[str, list[tuple[str, ast.AST]]] = {}
    for path in sorted((PROJECT / "resultproc").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        found.setdefault("module", []).extend((str(path), node) for node in tree.body)
        for node in ast.walk(tree):
            name = ""
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
            elif isinstance(node, ast.keyword) and node.arg == "code":
                name = "code="
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
                name = "a text"
            if name:
                found.setdefault(name, []).append((f"{path.name}:{getattr(node, 'lineno', 0)}", node))
    return found


_CODE = re.compile(r"[a-z]+\.[a-z]+(-[a-z]+)*")


def _codes_in_the_package() -> set[str]:
    texts = {node.value for place, node in _package()["a text"] if not place.startswith("codes.py:")}
    given = {node.value.value for _, node in _package()["code="] if isinstance(node.value, ast.Constant)}
    return {*OF_SHEETS, *OF_RESULTS, *(texts & codes.every_code().keys()), *given}


_ROLES = {
    *("READER", "sniff", "read", "WRITER", "write", "unseal", "RULEBOOK", "RULEBOOK_2003", "RULEBOOK_2015"),
    *("command", "run", "WRITERS", "shown", "text", "to_csv", "to_json"),
}
"""The names that formats, rulebooks, commands and reports each have for their own."""


def _names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}


@pytest.mark.slow
def test_a_public_name_stands_for_one_thing():
    modules: dict[str, set[str]] = {}
    for path, node in _package()["module"]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign):
            for name in _names(node):
                modules.setdefault(name, set()).add(path)
    several = {name for name, found in modules.items() if len(found) > 1 and not name.startswith("_")}
    assert several == _ROLES


@pytest.mark.slow
def test_every_code_is_declared_and_used():
    of_codes = {str(getattr(codes, name)) for name in _NAMED}
    assert _codes_in_the_package() - {""} <= codes.every_code().keys()
    assert codes.every_code().keys() - _codes_in_the_package() == of_codes
    assert {name.partition(".")[0] for name in codes.every_code()} >= codes.STATUSES.keys()


def _classes(kind: type[ResultprocError]) -> dict[str, type[ResultprocError]]:
    found = {kind.__name__: kind}
    for each in kind.__subclasses__():
        found |= _classes(each)
    return found


def _calls(of: set[str]) -> list[tuple[str, ast.Call]]:
    return [call for name in of for call in _package().get(name, ())]


@pytest.mark.slow
def test_every_error_has_a_declared_code():
    kinds = _classes(ResultprocError)
    assert {kind.code for kind in kinds.values()} <= codes.every_code().keys()
    calls = _calls({*kinds, "Problem"})
    assert len(calls) > 400
    wrong = []
    for place, call in calls:
        for given in (each.value for each in call.keywords if each.arg == "code"):
            if isinstance(given, ast.Constant) and given.value:
                wrong += [place] if given.value not in codes.every_code() else []
            if (
                isinstance(given, ast.Name)
                and given.id.isupper()
                and given.id not in {"ONE_GAME_CODE", "COUNTED", "OF_VALUES"}
            ):
                wrong += [place] if given.id not in _NAMED else []
    assert wrong == []


@pytest.mark.slow
def test_what_a_game_lacks_is_not_told_as_wrong():
    asks = re.compile(r"not declared|has no upper limits|without a number for section")
    lacking = [
        place
        for place, call in _calls({"DeclarationError"})
        if any(isinstance(part, ast.Constant) and asks.search(str(part.value)) for part in ast.walk(call))
        and "MISSING" not in ast.unparse(call)
    ]
    assert lacking == []


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (b"", (), "input.empty"),
        (b"section,number,player1,score\n", (), "input.empty"),
        (b"Dear all,\nsee you on Tuesday.\n", (), "format.unknown"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), (), "format.unknown"),
        (b"<?xml version='1.0' encoding='x-klingon'?><USEBIO></USEBIO>", (), "format.encoding"),
        (PRIVATE.encode().replace(b",35\n", b",many\n"), (), "input.unreadable"),
        (PRIVATE.encode(), ("--tables", "2"), "declaration.contradicted"),
        (PRIVATE.encode(), ("--movement", "mitchell"), "declaration.contradicted"),
        (PRIVATE.encode().replace(b"# boards: 24\n", b""), ("--date", "2024-05-01"), "declaration.missing"),
    ],
)
def test_a_pipeline_tells_the_kinds_of_bad_files_apart(content, options, code, tmp_path, capsys):
    (tmp_path / "game.csv").write_bytes(content)
    assert status("award", tmp_path / "game.csv", *options, "--errors", "json") == 1
    assert {each["code"] for each in told(capsys) if each["severity"] == "error"} == {code}


def test_how_one_command_tells_errors_is_not_how_the_next_thing_does(capsys):
    assert status("award", "nothing.csv", "--errors", "json") == 1
    capsys.readouterr()
    messages.say([Problem("it is wrong")])
    assert capsys.readouterr().err == "it is wrong\n"


@pytest.mark.parametrize("command", [["award", GAME], ["chart", "--rating", "club-open", "--tables", "4"]])
def test_a_folder_to_write_to_that_is_not_there_is_wrong_usage(command, tmp_path, capsys):
    assert status(*command, "-o", tmp_path / "none" / "sheet.html") == 2
    assert f"there is no folder '{tmp_path / 'none'}'; make it first" in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["nan", "inf", "0"])
def test_a_time_that_nobody_can_wait_for_another_program_is_wrong_usage(seconds, capsys):
    suite = FIXTURES / "conformance" / "acbl-club-swiss-2015.json"
    assert status("conform", suite, "--timeout", seconds) == 2
    assert "is not more than 0" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--from", "csv"], ["--boards", "24"], [str(GAME)]])
@pytest.mark.parametrize("command", ["players", "series"])
def test_an_archive_is_listed_alone_and_as_it_is(command, given, tmp_path, capsys):
    for folder in ("games", "contestants"):
        (tmp_path / "history" / folder).mkdir(parents=True)
    assert status(command, tmp_path / "history", *given) == 2
    assert ("give files, or one archive" in capsys.readouterr().err) == (given == [str(GAME)])


def test_others_remarks_have_a_code_too(monkeypatch, capsys):
    monkeypatch.setattr(messages, "STYLE", messages.Style(for_programs=True))
    messages.say([Problem("is it so?")], messages.REMARK)
    messages.say([Problem("it is not")])
    assert [each["code"] for each in told(capsys)] == ["sheet.doubtful", "input.wrong"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("arguments", [["award", str(GAME)], ["--help"]])
def test_who_stops_reading_makes_no_fault_of_the_input(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "resultproc", *arguments]
    try:
        done = subprocess.run(
            command, stdout=writing, stderr=subprocess.PIPE, cwd=PROJECT, timeout=300, check=False, text=True
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("name", ["made-howell.ACM", "made-wednesday.csv", "made-fund.txt", "made-charity.json"])
def test_every_remark_has_a_code(name, capsys):
    status("lint", FIXTURES / name, "--errors", "json", "--to", "json")
    found = json.loads(capsys.readouterr().out)
    assert {each["code"] for each in (*found["remarks"], *found["problems"])} <= codes.every_code().keys()


def test_a_remark_of_a_sheet_has_its_code(tmp_path, capsys):
    text = PRIVATE.replace("A,6,Kay Kapok,7700011", "A,6,Kay Kapok,7700001")
    (tmp_path / "game.csv").write_text(text + "Average,,,,,,,,47.5\n")
    status("lint", tmp_path / "game.csv", "--to", "json")
    found = {each["code"] for each in json.loads(capsys.readouterr().out)["remarks"]}
    assert {"players.listed-twice", "sheet.passed-over"} <= found


# Python.


def test_the_version_is_the_package_s():
    assert resultproc.__version__ == version("resultproc") == "0.2.0"


@pytest.mark.slow
def test_the_package_gives_what_the_command_line_has():
    assert resultproc.Problem is Problem
    assert resultproc.lint(GAME).problems == []
    assert len(resultproc.check(FIXTURES / "wed-open-pairs-2012-04-18.txt").differences) == 0
    assert resultproc.explain(resultproc.process(GAME), 5).paying
    assert {"Problem", "check", "explain", "lint"} <= set(resultproc.__all__)


def test_an_error_of_the_library_names_arguments(tmp_path, capsys):
    (tmp_path / "game.csv").write_text("section,number,player1,score\nA,1,Ann,5\nA,2,Bob,4\n")
    with pytest.raises(InputError) as caught:
        resultproc.process(tmp_path / "game.csv")
    assert "rating" in str(caught.value)
    assert "--" not in str(caught.value)
    with pytest.raises(InputError, match="rulebook that knows it with rulebook") as caught:
        resultproc.process(GAME, special="recorded-points")
    assert "--" not in str(caught.value)
    with pytest.raises(InputError, match="options: boards: invalid") as caught:
        resultproc.read(GAME, boards="many")
    assert "--" not in str(caught.value)
    status("award", GAME, "--special", "recorded-points")
    assert "rulebook that knows it with --rulebook" in capsys.readouterr().err


@pytest.mark.slow
def test_no_error_of_the_library_names_an_option():
    """What names a whole command of resultproc may name its options."""
    named = []
    for place, call in _calls({*_classes(ResultprocError), "Problem", "game_problem"}):
        texts = [str(part.value) for part in ast.walk(call) if isinstance(part, ast.Constant)]
        named += [place for text in texts if re.search(r"(^|[\s'(])--[a-z]", text) and "resultproc " not in text]
    assert named == []


@pytest.mark.parametrize(
    ("hint", "option"),
    [
        ("leave out one_winner=True", "leave out --one-winner"),
        ("holdings=True puts that into the page", "--seal-holdings puts that into the page"),
        ("write stratify_by='average', or 'highest'", "write --stratify-by 'average', or 'highest'"),
        ("together with process_event; or write", "together with --one-event; or write"),
        ("write A=open, B=1000", "write A=open, B=1000"),
    ],
)
def test_the_command_line_names_options(hint, option, capsys):
    messages.say([Problem("wrong", hint=hint)])
    assert capsys.readouterr().err == f"wrong ({option})\n"


def test_a_condition_is_named_as_the_caller_gave_it(tmp_path, capsys):
    from resultproc.archive.where import parse_condition

    with pytest.raises(InputError, match=r"^where: unknown column 'nosuch'"):
        parse_condition("nosuch = 1")
    messages.say([Problem("unknown column 'nosuch'", "where")])
    assert capsys.readouterr().err == "--where: unknown column 'nosuch'\n"


def test_writing_does_not_touch_the_umask(tmp_path, monkeypatch):
    result = resultproc.read(GAME)
    result = resultproc.Result(result.games, result.contestants)

    def touched(mask: int) -> int:
        raise AssertionError(mask)

    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", touched)
        resultproc.write(result, tmp_path / "new.csv")
        (tmp_path / "old.csv").write_text("")
        (tmp_path / "old.csv").chmod(0o604)
        resultproc.write(result, tmp_path / "old.csv")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert (tmp_path / "new.csv").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old.csv").stat().st_mode & 0o777 == 0o604
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "old.csv"]


def test_open_files_and_paths_in_bytes_are_written_to(tmp_path):
    result = resultproc.read(GAME)
    resultproc.write(result, os.fsencode(tmp_path / "a.csv"))
    expected = (tmp_path / "a.csv").read_bytes()
    with (tmp_path / "b.csv").open("wb") as file:
        resultproc.write(result, file)
        assert not file.closed
    with (tmp_path / "c.csv").open("w", encoding="utf-8", newline="") as text:
        resultproc.write(result, text)
    content, words = io.BytesIO(), io.StringIO()
    resultproc.write(result, content, format="csv")
    resultproc.write(result, words, format="csv")
    assert {(tmp_path / "b.csv").read_bytes(), (tmp_path / "c.csv").read_bytes(), content.getvalue()} == {expected}
    assert words.getvalue().encode() == expected
    with pytest.raises(OutputError, match="open for text"):
        resultproc.write(result, io.StringIO(), format="xlsx")
    with pytest.raises(FormatError):
        resultproc.write(result, io.BytesIO())


# What is private.


@pytest.mark.slow
def test_member_numbers_and_holdings_are_left_out_in_public(tmp_path, capsysbinary):
    game = saved(tmp_path / "game.csv", PRIVATE.replace("A,6,Kay Kapok,7700011", "A,6,Kay Kapok,7700001"))
    formats = {"csv": "csv", "json": "json", "html": "html", "text": "txt", "usebio": "xml"}
    formats["bridgewebs"] = "bridgewebs.csv"
    folders = {name: tmp_path / name for name in ("shown", "public", "batch")}
    several = ("--to", ",".join(formats))
    assert status("award", game, *several, "-o", folders["shown"]) == 0
    assert status("award", game, *several, "-o", folders["public"], "--public") == 0
    assert status("batch", game, *several, "-o", folders["batch"], "--public") == 0
    for format_, ending in formats.items():
        shown, public, batch = ((folder / f"game.{ending}").read_bytes() for folder in folders.values())
        assert b"Ann Alder" in public
        assert SECRETS.search(shown) or format_ == "html", format_
        for written in (public, batch):
            assert not SECRETS.search(written), (format_, SECRETS.search(written))
    capsysbinary.readouterr()
    for command in ("award", game, "--to", "csv"), *(("convert", game, "-", "--to", each) for each in formats):
        status(*command)
        assert SECRETS.search(capsysbinary.readouterr().out) or "html" in command, command
        status(*command, "--public")
        out = capsysbinary.readouterr().out
        assert b"Ann Alder" in out, command
        assert not SECRETS.search(out), (command, SECRETS.search(out))


@pytest.mark.slow
def test_a_public_workbook_has_no_member_numbers(tmp_path):
    from openpyxl import load_workbook

    (tmp_path / "game.csv").write_text(PRIVATE)

    def texts(path: Path) -> bytes:
        cells = (str(cell.value) for sheet in load_workbook(path) for row in sheet.iter_rows() for cell in row)
        return "\n".join(cells).encode()

    for options, expected in (((), True), (("--public",), False)):
        status("award", tmp_path / "game.csv", "-o", tmp_path / "game.xlsx", *options)
        assert bool(SECRETS.search(texts(tmp_path / "game.xlsx"))) is expected


def test_in_public_the_awards_are_the_same(tmp_path, capsys):
    (tmp_path / "game.csv").write_text(PRIVATE)

    def paid(*options: str) -> list[object]:
        status("award", tmp_path / "game.csv", "--to", "json", *options)
        (game,) = json.loads(capsys.readouterr().out)["games"]
        return [(each["masterpoints"], each["stratum"], each["positions"]) for each in game["contestants"]]

    assert paid() == paid("--public")
    assert status("award", tmp_path / "game.csv", "--public", "--seal-holdings", "-o", tmp_path / "a.html") == 2


# Terminals.

EVIL = "Ann\u202e\u009b31m\u2066 Lee"


def _evil(folder: Path) -> Path:
    return saved(folder / "game.csv", PRIVATE.replace("Ann Alder", EVIL))


@pytest.mark.parametrize(
    "arguments", [("award",), ("award", "--to", "text"), ("explain",), ("players",), ("award", "--to", "json")]
)
def test_names_are_shown_safely(arguments, tmp_path, capsys):
    status(arguments[0], _evil(tmp_path), *arguments[1:])
    done = capsys.readouterr()
    assert "\\u202e" in done.out
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x80-\x9f\x1b]", done.out + done.err)


def test_of_json_the_escape_says_the_same(tmp_path, capsys):
    status("award", _evil(tmp_path), "--to", "json")
    (game,) = json.loads(capsys.readouterr().out)["games"]
    assert game["contestants"][0]["players"][0]["name"] == EVIL


def test_csv_is_as_it_is_for_a_program_and_safe_on_a_terminal(tmp_path, capsys, monkeypatch):
    status("award", _evil(tmp_path), "--to", "csv")
    assert EVIL in capsys.readouterr().out
    monkeypatch.setattr(messages, "sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    messages.echo_bytes(EVIL.encode() + b"\r\n", "csv")
    assert capsys.readouterr().out == "Ann\\u202e\\u009b31m\\u2066 Lee\r\n"


def test_names_of_files_are_shown_safely(tmp_path, capsys):
    status("award", tmp_path / "a\u202e\u009b.csv")
    status("award", GAME, "-o", tmp_path / "a\u202e\u009b.nosuch")
    status("award", GAME, "-o", tmp_path / "no\u202e\u009b" / "a.csv")
    done = capsys.readouterr()
    assert done.err.count("u202e") >= 3
    assert not re.search("[\u202e\x9b]", done.out + done.err)


@pytest.mark.parametrize("sign", [*"=+-@＝＋－＠﹦﹢﹣﹫−", "  ＝"])
def test_signs_that_look_like_a_formula_s_are_escaped(sign):
    for text in (f"{sign}1+1", f"'{sign}1", f"''{sign}1"):
        assert escape_formula(text) == f"'{text}"
        assert unescape_formula(escape_formula(text)) == text
    assert escape_formula("Ann－Lee") == "Ann－Lee"


def test_names_with_such_signs_read_back(tmp_path, capsys):
    name = "＝HYPERLINK(1)"
    (tmp_path / "game.csv").write_text(PRIVATE.replace("Ann Alder", name), "utf-8")
    status("convert", tmp_path / "game.csv", tmp_path / "again.csv")
    assert f"'{name}" in (tmp_path / "again.csv").read_text("utf-8")
    assert resultproc.read(tmp_path / "again.csv").contestants["player1"].iloc[0] == name


def test_a_run_in_a_thread_writes_too(tmp_path):
    sheet = resultproc.read(GAME)
    result = resultproc.Result(sheet.games, sheet.contestants)
    threads = [threading.Thread(target=resultproc.write, args=(result, tmp_path / f"{n}.csv")) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1
