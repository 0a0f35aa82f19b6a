"""Many files: each as if awarded alone, bad ones set aside, interruptions and broken processes survived."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from resultproc.batch import run as batch
from resultproc.batch.chunks import Settings, process_chunk
from resultproc.batch.run import run
from resultproc.cli import main
from resultproc.errors import OutputError
from resultproc.formats import named
from resultproc.pipeline import process
from resultproc.writers import write_bytes

SETTINGS = Settings("csv", ("json",), {})

GAME = """# event: Game {name}
# date: 2012-04-18
# rating: club-open
# tables: 3
# strata: A=open, B=200
section,direction,number,player1,player2,stratum,score
A,N-S,1,Ann {name},Bob,A,{score}
A,N-S,2,Cat,Dan,B,30
A,N-S,3,Eve,Fay,B,20
A,E-W,1,Gus,Hal,A,40
A,E-W,2,Ida,Jon,B,30
A,E-W,3,Kim,Lee,B,20
"""


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(6):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, score=25 + n), "utf-8")
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and "ledger" not in path.name}


def test_each_result_is_as_if_awarded_alone(inbox, tmp_path):
    two = (inbox / "game2.csv").read_text("utf-8").splitlines(keepends=True)
    rows = [
        ("game_id," if i == 0 else f"g{j},") + line for j in (1, 2) for i, line in enumerate(two[5:]) if i or j == 1
    ]
    (inbox / "several.csv").write_text("".join(two[:5] + rows), "utf-8")
    run([inbox], tmp_path / "out", SETTINGS)
    for path in sorted(inbox.glob("*.csv")):
        alone = named("writers", "json").write(process(path, format="csv"))
        assert (tmp_path / "out" / f"{path.stem}.json").read_bytes() == alone


def test_bad_files_are_set_aside_and_the_others_go_on(inbox, tmp_path):
    (inbox / "bad.csv").write_text("number,player1\n1,Ann\n", "utf-8")
    (inbox / "game6.csv").write_text(GAME.format(name=6, score=1).replace("# rating: club-open\n", ""), "utf-8")
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.files, tally.done, tally.failed, tally.games) == (8, 8, 2, 6)
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert [Path(f["file"]).name for f in report["failures"]] == ["bad.csv", "game6.csv"]
    assert report["failures"][0]["problems"][0]["where"] == "line 1"
    assert "rating is not declared" in report["failures"][1]["problems"][0]["what"]
    assert sorted(p.name for p in (tmp_path / "out" / "failed").iterdir()) == ["bad.csv", "game6.csv"]
    assert len(list((tmp_path / "out").glob("game*.json"))) == 6
    (inbox / "bad.csv").write_text(GAME.format(name="mended", score=1), "utf-8")
    assert not run([inbox / "bad.csv"], tmp_path / "out", SETTINGS).failures
    assert sorted(p.name for p in (tmp_path / "out" / "failed").iterdir()) == ["game6.csv"]


def test_a_second_run_does_nothing_twice_and_still_reports(inbox, tmp_path):
    (inbox / "bad.csv").write_text("x\n", "utf-8")
    run([inbox], tmp_path / "out", SETTINGS)
    before = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("game*")}
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.files, tally.before, len(tally.failures)) == (0, 7, 1)
    assert before == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("game*")}


def test_a_mended_file_is_done_again_under_its_name(inbox, tmp_path):
    run([inbox], tmp_path / "out", SETTINGS)
    (inbox / "game0.csv").write_text(GAME.format(name=0, score=99), "utf-8")
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert tally.files == 1
    result = json.loads((tmp_path / "out" / "game0.json").read_text("utf-8"))
    assert result["games"][0]["contestants"][0]["score"] == 99


def test_a_sidecar_is_part_of_the_content(inbox, tmp_path):
    run([inbox], tmp_path / "out", SETTINGS)
    (inbox / "game0.toml").write_text('club = "Elsewhere"\n', "utf-8")
    assert run([inbox], tmp_path / "out", SETTINGS).files == 1


def test_files_of_one_name_and_files_of_one_content(inbox, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "game0.csv").write_text(GAME.format(name="x", score=77), "utf-8")
    (other / "again.csv").write_bytes((inbox / "game1.csv").read_bytes())
    tally = run([inbox, other], tmp_path / "out", SETTINGS)
    assert tally.done == 7
    assert len(list((tmp_path / "out").glob("game0*.json"))) == 2
    assert [Path(pair["same_as"]).name for pair in tally.same] == ["game1.csv"]


def test_two_processes_do_as_one(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "_CHUNK", 2)
    run([inbox], tmp_path / "one", SETTINGS)
    run([inbox], tmp_path / "two", SETTINGS, jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def deadly(files, settings):
    """Award files like process_chunk, but end the process at one of them."""
    if any(path.stem == "game3" for path, _ in files):
        os._exit(9)
    return process_chunk(files, settings)


def test_a_file_that_ends_its_process_is_set_aside(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "_CHUNK", 2)
    monkeypatch.setattr(batch, "process_chunk", deadly)
    tally = run([inbox], tmp_path / "out", SETTINGS, jobs=2)
    assert (tally.done, tally.failed, tally.games) == (6, 1, 5)
    assert Path(tally.failures[0]["file"]).name == "game3.csv"


def test_a_full_disk_stops_the_run_and_the_next_goes_on(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "_CHUNK", 2)
    written = []

    def filling(path, data):
        if len(written) == 3:
            raise OutputError("it cannot be written: No space left on device", file=str(path))
        written.append(path)
        write_bytes(path, data)

    with monkeypatch.context() as patch:
        patch.setattr("resultproc.batch.chunks.write_bytes", filling)
        with pytest.raises(OutputError, match="No space left"):
            run([inbox], tmp_path / "out", SETTINGS)
    tally = run([inbox], tmp_path / "out", SETTINGS)
    # The first chunk of two was done and recorded; the second was not, although one of its files was written.
    assert (tally.before, tally.done) == (2, 4)
    run([inbox], tmp_path / "undisturbed", SETTINGS)
    ours, theirs = contents(tmp_path / "out"), contents(tmp_path / "undisturbed")
    assert ours.pop("report.json") != theirs.pop("report.json")
    assert ours == theirs


def test_a_killed_run_is_completed_by_the_next(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(400):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, score=25 + n % 10), "utf-8")
    command = [sys.executable, "-m", "resultproc", "batch", str(folder), "-o", str(tmp_path / "out"), "--from", "csv"]
    process = subprocess.Popen(command)
    out = tmp_path / "out"
    deadline = time.monotonic() + 60
    while len(list(out.glob("game*.json"))) < 30 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.wait()
    assert 30 <= len(list(out.glob("game*.json"))) < 400
    (out / ".game1.json.abc").write_text("half", "utf-8")
    for path in out.glob("game*.json"):
        json.loads(path.read_text("utf-8"))
    tally = run([folder], out, SETTINGS)
    assert tally.before + tally.done == 400
    assert tally.done > 0
    run([folder], tmp_path / "undisturbed", SETTINGS)
    ours, theirs = contents(out), contents(tmp_path / "undisturbed")
    del ours["report.json"], theirs["report.json"]
    assert ours == theirs


def test_two_runs_do_not_share_a_folder(inbox, tmp_path):
    def again(*_: object) -> None:
        with pytest.raises(OutputError, match="another run"):
            run([inbox], tmp_path / "out", SETTINGS)

    assert run([inbox], tmp_path / "out", SETTINGS, progress=again).done == 6


@pytest.mark.parametrize(("arguments", "status"), [(["--to", "json"], 0), (["--to", "jsn"], 2), (["--to", ""], 2)])
def test_the_command(inbox, tmp_path, capsys, arguments, status):
    with pytest.raises(SystemExit) as stop:
        main(["batch", str(inbox), "-o", str(tmp_path / "out"), "--from", "csv", *arguments])
    assert (stop.value.code or 0) == status
    if not status:
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == ("", "6 files with 6 games, 0 failed; 0 were done before\n")


def test_the_exit_status_tells_of_failures(inbox, tmp_path):
    (inbox / "bad.csv").write_text("x\n", "utf-8")
    for _ in range(2):
        with pytest.raises(SystemExit) as stop:
            main(["batch", str(inbox), "-o", str(tmp_path / "out"), "--from", "csv"])
        assert stop.value.code == 1


def test_watching_picks_up_what_arrives_later(inbox, tmp_path):
    command = [sys.executable, "-m", "resultproc", "batch", str(inbox), "-o", str(tmp_path / "out"), "--from", "csv"]
    process = subprocess.Popen([*command, "--watch", "1"], stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "out" / "report.json").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        (inbox / "late.csv").write_text(GAME.format(name="late", score=50), "utf-8")
        while not (tmp_path / "out" / "late.json").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (tmp_path / "out" / "late.json").exists()
    finally:
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in printed
