"""A file is read within limits of memory and time: one that takes more is set aside, and the others go on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from batches import GAME
from conftest import Run, run, saved
from samples import SAMPLES, real
from test_plugins import install

from resultproc.archive.add import add
from resultproc.archive.store import Store
from resultproc.batch.chunks import Settings
from resultproc.batch.run import run as run_batch
from resultproc.formats.loaded import load_source
from resultproc.model.file_limits import FileLimits
from resultproc.model.work import within

FEW = FileLimits(200, 1)

READER = """
import os, sys
from resultproc.formats.registry import Reader

DOES = {
    b"abort": os.abort,
    b"exit": lambda: sys.exit("that is all"),
    b"leave": lambda: os._exit(0),
    b"memory": lambda: [bytearray(10**7) for _ in range(10**5)],
    b"time": lambda: sum(1 for _ in iter(int, 1)),
}

def read(source):
    DOES[source.data.split()[1]]()

READER = Reader("harm", "Harm", lambda head: head.startswith(b"HARM"), read, rank=99)
"""
HARM = ("abort", "exit", "leave", "memory")


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """Return a folder of games, and the package beside it that has a reader which does harm."""
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(3):
        saved(folder / f"game{n}.csv", GAME.format(name=n, score=25))
    for what in HARM:
        saved(folder / f"{what}.harm", f"HARM {what}")
    (tmp_path / "package").mkdir()
    saved(tmp_path / "package" / "harm.py", READER)
    install(tmp_path / "package", "harm", "1.0", {"resultproc.readers": {"harm": "harm:READER"}})
    return folder


def called(tmp_path: Path, *arguments: object) -> Run:
    """Run a command, as a process, where the package that does harm is installed."""
    path = os.pathsep.join([str(tmp_path / "package"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "resultproc", *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    return Run(done.returncode, done.stdout, done.stderr)


LIMITED = ("--limit-memory", 200, "--limit-seconds", 1)
TOO_MUCH = "reading it takes more than 1 s or 200 MB, or ends the program that reads it"


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "harm"), [(1, HARM), (2, (*HARM, "time"))])
def test_what_ends_or_fills_its_process_is_one_file_that_failed(
    inbox: Path, tmp_path: Path, jobs: int, harm: tuple[str, ...]
) -> None:
    out = tmp_path / "out"
    for what in harm:
        saved(inbox / f"{what}.harm", f"HARM {what}")
    done = called(tmp_path, "batch", inbox, "-o", out, *LIMITED, "--jobs", jobs)
    assert (done.status, "Fatal" in done.err, "Traceback" in done.err) == (1, False, False)
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert (report["files"], report["games"], report["failed"]) == (3 + len(harm), 3, len(harm))
    codes = {Path(each["file"]).stem: {one["code"] for one in each["problems"]} for each in report["failures"]}
    assert codes == {what: {"file.too-much"} for what in harm}
    told = {Path(each["file"]).stem: each["problems"][0]["what"] for each in report["failures"]}
    assert {told[what] for what in harm if what != "exit"} == {TOO_MUCH}
    assert told["exit"] == "the reader 'harm' of the package harm 1.0 has failed: SystemExit: that is all"
    clean = tmp_path / "clean"
    run_batch([inbox / f"game{n}.csv" for n in range(3)], clean, Settings("csv", ("json",), {}))
    for n in range(3):
        assert (out / f"game{n}.json").read_bytes() == (clean / f"game{n}.json").read_bytes()


@pytest.mark.slow
def test_the_next_run_says_so_at_once_and_one_with_wider_limits_tries_again(inbox: Path, tmp_path: Path) -> None:
    def files_done(*limits: object) -> int:
        done = called(tmp_path, "batch", inbox / "abort.harm", "-o", tmp_path / "out", *limits)
        report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
        assert (done.status, [each["problems"][0]["code"] for each in report["failures"]]) == (1, ["file.too-much"])
        return int(report["files"])

    assert files_done(*LIMITED) == 1
    assert files_done(*LIMITED) == 0
    assert files_done("--limit-memory", 100, "--limit-seconds", 1) == 0
    assert files_done("--limit-memory", 200, "--limit-seconds", 2) == 1


@pytest.mark.slow
def test_an_archive_takes_the_others(inbox: Path, tmp_path: Path) -> None:
    done = called(tmp_path, "archive", "add", inbox, "--to", tmp_path / "archive", *LIMITED)
    problems = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 1
    assert {Path(each["file"]).stem: each["code"] for each in problems} == dict.fromkeys(HARM, "file.too-much")
    assert "7 files: 3 games added" in done.err


@real
def test_a_hostile_file_takes_no_more_than_it_may(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "archive"))
    files = [SAMPLES / "hostile2" / name for name in ("rep4.ods", "chars.pdf", "q.pdf")]
    added = add(files, store, limits=FileLimits(400, 5))
    assert [each["code"] for each in added.problems] == ["format.wrong"] * 3


@pytest.mark.slow
def test_award_takes_no_longer_than_it_is_told(inbox: Path, tmp_path: Path) -> None:
    done = called(tmp_path, "award", saved(inbox / "time.harm", "HARM time"), "--limit-seconds", 1)
    what = "reading it takes more than 1 s or 1000 MB, or ends the program that reads it"
    hint = "if it is a results file, allow it more with --limit-seconds and --limit-memory"
    assert (done.status, " ".join(done.err.split())) == (1, f"time.harm: {what} ({hint})")


def test_work_within_limits_gives_what_it_gives_elsewhere() -> None:
    assert within(FEW, "a", sorted, "cab", reverse=True) == ["c", "b", "a"]
    with pytest.raises(ZeroDivisionError):
        within(FEW, "a", divmod, 1, 0)


def leaving(*_: object, **__: object) -> None:
    """End the process, as a file may that takes too much."""
    os._exit(0)


@pytest.mark.usefixtures("apart")
def test_the_page_shows_a_file_that_takes_too_much_and_does_not_read_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flask")
    from resultproc.web import look

    monkeypatch.setattr(look, "_looked", leaving)
    source = load_source(saved(tmp_path / "game.csv", GAME.format(name="too much", score=25)))
    seen = look.look(source)
    ((file, code),) = [(each.file, each.code) for each in seen.problems]
    assert (file, code, seen.result) == ("game.csv", "file.too-much", None)
    monkeypatch.setattr(look, "within", None)
    assert look.look(source) is seen


def test_what_takes_too_much_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = saved(tmp_path / "club.toml", f'[site.folder]\nfolder = "{tmp_path}"\n')
    game = saved(tmp_path / "game.csv", GAME.format(name=1, score=25))
    options = ("--for", "folder", "--yes", "--settings", settings, "--receipts", tmp_path / "receipts.sqlite")
    with monkeypatch.context() as patch:
        patch.setattr("resultproc.publish.parcel.parcel", leaving)
        done = run("publish", game, *options, "--limit-seconds", 7)
    assert done.status == 1
    assert "game.csv: reading it takes more than 7 s or 1000 MB, or ends the program that reads it" in done.err
    assert run("publish", game, *options).status == 0
