"""Standard input and output, several outputs at once, and errors for programs."""

import io
import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from datetime import datetime
from pathlib import Path
from zlib import crc32

import pytest
from conftest import FIXTURES, Run, run, saved

from resultproc.cli import main

GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"
KEYS = ("--rating", "club-open", "--tables", "9", "--date", "2012-04-18", "--strata", "A=open, B=1000, C=200")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("award", "-", "--to", "json"),
        ("award", "-", "--to", "json", "-o", "-"),
        ("convert", "-", "-", "--to", "json"),
        ("check", "-", "--to", "json"),
        ("explain", "-", "A-NS-6", "--to", "json"),
        ("lint", "-", "--to", "json"),
    ],
)
def test_standard_input_and_output(command: tuple[str, ...]) -> None:
    done = run(*command, *KEYS, given=GAME.read_bytes())
    assert done.status == 0, done.err
    assert isinstance(json.loads(done.out), dict)
    if command[0] == "award":
        game = json.loads(done.out)["games"][0]
        assert game["game"]["game_id"] == "stdin"
        assert {c["number"]: c["masterpoints"] for c in game["contestants"] if c["direction"] == "N-S"}["6"] == "0.63"


def test_what_new_writes_goes_to_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = GAME.with_suffix(".txt")
    shown = run("new", game, "-o", "-").printed
    assert "rating" in shown
    given = run("new", "-", given=game.read_bytes()).printed
    assert [line for line in given.splitlines() if not line.startswith("#")] == [
        line for line in shown.splitlines() if not line.startswith("#")
    ]
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_with_standard_input_names_it() -> None:
    done = run("award", "-", given=b"")
    assert (done.status, done.err) == (1, "stdin: the file is empty\n")


def test_several_outputs_by_their_extensions(tmp_path: Path) -> None:
    done = run("award", GAME, "-o", tmp_path / "a.html", "-o", tmp_path / "b.json", "-o", "-")
    assert done.status == 0, done.err
    assert b"<html" in (tmp_path / "a.html").read_bytes()
    assert json.loads((tmp_path / "b.json").read_bytes())["games"]
    assert "Harold Holland" in done.out


@pytest.mark.slow
def test_several_formats_beside_the_input_or_in_a_folder(tmp_path: Path) -> None:
    game = saved(tmp_path / "wed.csv", GAME.read_bytes())
    assert run("award", game, "--to", "html,json", *KEYS).status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wed.csv", "wed.html", "wed.json"]
    assert run("award", game, "--to", "text,json", "-o", tmp_path / "sheets", *KEYS).status == 0
    assert sorted(path.name for path in (tmp_path / "sheets").iterdir()) == ["wed.json", "wed.txt"]
    assert run("award", game, "--to", "text", "-o", f"{tmp_path}/sheets/", *KEYS).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "csv,html"), "is one of the inputs"),
        (("--to", "html,nosuch"), "unknown format 'nosuch'"),
        (("--to", "html", "-o", "a.html", "-o", "b.html"), "leave --to out"),
        (("-o", "."), "say with --to which formats to write"),
        (("-o", "a.html", "-o", "a.html"), "two outputs have the same name"),
        (("--to", "html,json", "-o", "wed.csv"), "several formats go to a folder"),
        (("--to", "html,json", "-o", "new.html"), "'new.html' is a file"),
        (("--to", "html,json", "-o", "-"), "'-' is standard output"),
    ],
)
def test_outputs_that_do_not_go_together_are_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wed.csv").write_bytes(GAME.read_bytes())
    done = run("award", "wed.csv", *arguments, *KEYS)
    assert done.status == 2
    assert said in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["wed.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("conform", "input.json", "-o", "input.json"),
        ("series", GAME, "--aliases", "input.json", "-o", "input.json"),
        ("players", GAME, "--aliases", "input.json", "-o", "input.json"),
        ("players", "input.json", "-o", "input.json"),
        ("check", GAME, "input.json", "-o", "input.json"),
    ],
)
def test_no_report_is_written_over_what_it_is_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input.json").write_text("{}")
    done = run(*arguments)
    assert (done.status, "'input.json' is one of the inputs" in done.err) == (2, True)
    assert (tmp_path / "input.json").read_text() == "{}"


def test_text_that_is_not_utf_8_is_wrong_usage() -> None:
    done = run("award", GAME, b"--event=\xff".decode(errors="surrogateescape"))
    assert (done.status, "this is not UTF-8" in done.err) == (2, True)


def objects(done: Run) -> list[dict[str, str]]:
    return [json.loads(line) for line in done.err.splitlines()]


def test_errors_for_programs(tmp_path: Path) -> None:
    bad = saved(tmp_path / "bad.csv", "number,player1,score\n1,Ann,many\n")
    found = objects(run("award", bad, "--errors", "json", *KEYS))
    assert [list(each) for each in found] == [["file", "where", "what", "hint", "code", "severity"]] * len(found)
    assert {each["severity"] for each in found} == {"error"}
    assert (found[0]["file"], found[0]["where"]) == ("bad.csv", "line 2, column 3")


@pytest.mark.parametrize(
    "arguments", [("nosuch",), ("award",), ("award", GAME, "--nosuch"), ("rules", "show", "nosuch")]
)
def test_wrong_usage_is_told_to_programs_too(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--errors=json")
    assert done.status in {1, 2}
    assert [each["severity"] for each in objects(done)] == ["error"]


def test_remarks_and_what_was_done_are_told_to_programs(tmp_path: Path) -> None:
    game = saved(tmp_path / "wed.csv", GAME.read_bytes().replace(b"# date: 2012-04-18\n", b""))
    done = run(
        "batch", game, "-o", tmp_path / "out", "--errors", "json", *KEYS[:-4], "--date", "2099-04-18", "--boards", "18"
    )
    assert [each["severity"] for each in objects(done)] == ["remark", "info"]
    remark = objects(done)[0]
    assert (remark["file"], "wed.csv" in remark["where"]) == (str(game), False)


@pytest.mark.slow
def test_that_it_is_stopped_is_one_object(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "resultproc", "batch", GAME, "-o", tmp_path, "--watch", "60", "--errors", "json"]
    with subprocess.Popen([*map(str, command), *KEYS], stderr=subprocess.PIPE) as started:
        assert started.stderr is not None
        assert json.loads(started.stderr.readline())["severity"] == "info"
        started.send_signal(signal.SIGINT)
        (line,) = started.stderr.read().decode().splitlines()
    assert (json.loads(line)["what"], started.returncode) == ("stopped", 130)


@pytest.mark.parametrize("command", [("batch", "-o"), ("archive", "add", "--to")])
def test_what_is_wrong_with_one_of_many_files_is_told_to_programs(tmp_path: Path, command: tuple[str, ...]) -> None:
    bad = tmp_path / "in" / "bad.csv"
    bad.parent.mkdir()
    bad.write_text("number,player1,score\n1,Ann,many\n", "utf-8")
    done = run(*command, tmp_path / "out", bad.parent, "--errors", "json", *KEYS)
    wrong, said = objects(done)
    assert done.status == 1
    assert (wrong["severity"], wrong["file"], wrong["where"]) == ("error", str(bad), "line 2, column 3")
    assert said["severity"] == "info"
    # In words, batch tells the first problem of each file, and `archive add` every one.
    told = run(*command, tmp_path / "out", bad.parent, *KEYS).err
    assert "invalid number" in told or command[0] == "archive"


@pytest.mark.slow
def test_remarks_on_an_archive_name_the_file(tmp_path: Path) -> None:
    game = saved(tmp_path / "wed.csv", GAME.read_bytes().replace(b"date: 2012-04-18", b"date: 1929-04-18"))
    run("archive", "add", game, "--to", tmp_path / "history", *KEYS[:4], *KEYS[6:])
    done = run("reprocess", tmp_path / "history", "-o", tmp_path / "out", "--errors", "json")
    assert {each["file"] for each in objects(done) if each["severity"] == "remark"} == {"wed.csv"}


def test_the_log_of_a_batch_says_when(tmp_path: Path) -> None:
    done = run("batch", GAME, "-o", tmp_path / "out", "--log", "json", *KEYS)
    entry, record = objects(done)
    assert datetime.fromisoformat(entry["time"]).tzinfo
    assert entry["what"].startswith("1 file with 1 game, 0 failed")
    assert re.fullmatch(r"the run began \S+, took [0-9.]+ s, and its exit status is 0", record["what"])
    with closing(sqlite3.connect(tmp_path / "out" / "ledger.sqlite")) as ledger:
        last = json.dumps({"began": "2026-11-01T02:00:00+00:00"})
        ledger.execute("UPDATE last_run SET record = ?, sum = ?", (last, crc32(last.encode())))
        ledger.commit()
    lines = run("batch", GAME, "-o", tmp_path / "out", "--log", "text", *KEYS).err.splitlines()
    assert all(datetime.fromisoformat(line.split()[0]).tzinfo for line in lines)
    assert lines[-1].endswith("the run before, which began 2026-11-01T02:00:00+00:00, was broken off")


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def told_on_a_terminal(*arguments: object) -> str:
    """Return what a command tells on a standard error that is a terminal."""
    stream = Terminal(io.BytesIO(), "utf-8", write_through=True)
    with redirect_stderr(stream), redirect_stdout(io.TextIOWrapper(io.BytesIO())), suppress(SystemExit):
        main([*map(str, arguments)])
    return stream.buffer.getvalue().decode()


@pytest.mark.slow
def test_a_terminal_has_colours_and_the_same_lines_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    undeclared = saved(tmp_path / "game.csv", "number,player1,player2,score\n1,Ann,Bob,3\n2,Cy,Di,1\n")
    doubtful = FIXTURES / "results-example.txt"
    for arguments, colour in ((["award", undeclared], 31), (["award", "no.csv"], 31), (["check", doubtful], 33)):
        plain = run(*arguments).err
        shown = told_on_a_terminal(*arguments)
        assert f"\x1b[{colour}m" in shown, shown
        assert re.sub(r"\x1b\[[0-9]+m", "", shown) == plain
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert told_on_a_terminal("award", "no.csv") == run("award", "no.csv").err
