"""Many files: each as if awarded alone, bad ones set aside, interruptions and broken processes survived."""

import errno
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from batches import GAME, SETTINGS, contents, ending_awarding
from conftest import FIXTURES, run_process, saved
from conftest import run as command
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from resultproc.batch import chunks
from resultproc.batch import run as batch
from resultproc.batch.chunks import Settings
from resultproc.batch.run import run
from resultproc.cli.messages import Bar
from resultproc.formats.found import Contents
from resultproc.model.errors import OutputError, RulebookError
from resultproc.model.files import whole
from resultproc.model.locks import code_of_database, reason_of_database
from resultproc.model.plugins import named
from resultproc.model.work import interrupts_ignored, pool
from resultproc.rulebooks.load import fingerprint_of_file, rulebook
from resultproc.stages.pipeline import process


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(6):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, score=25 + n), "utf-8")
    return folder


@pytest.mark.slow
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


PAGES = ("html", "json")


@pytest.fixture(scope="module")
def with_boards(tmp_path_factory):
    """Return a folder of files, most of them with boards, and what is written of each alone."""
    folder, alone = (tmp_path_factory.mktemp(name) for name in ("in", "alone"))
    for name in ("made-two-games.ACM", "made-howell.ACM", "made-qualifier.ACA", "made-wednesday.json"):
        shutil.copy(FIXTURES / name, folder)
    shutil.copy(FIXTURES / "pbn-example.pbn", folder)
    (folder / "game.csv").write_text(GAME.format(name="without boards", score=25), "utf-8")
    for path in list(folder.iterdir()):
        keys = ("--rating", "club-open") if path.suffix == ".pbn" else ()
        assert command("award", path, *keys, "--to", ",".join(PAGES), "-o", alone).status == 0
    (folder / "pbn-example.toml").write_text('rating = "club-open"\n', "utf-8")
    return folder, contents(alone)


@pytest.mark.slow
def test_each_page_with_its_boards_is_as_if_awarded_alone(with_boards, tmp_path):
    folder, alone = with_boards
    assert not run([folder], tmp_path / "out", Settings(None, PAGES, {})).failures
    assert len(alone) == len(PAGES) * 6
    assert {name: (tmp_path / "out" / name).read_bytes() for name in alone} == alone


@pytest.mark.slow
def test_each_page_is_so_too_where_the_boards_of_all_cannot_be_looked_at_together(with_boards, tmp_path, monkeypatch):
    folder, alone = with_boards
    whole = chunks.with_play

    def at_fault(result, *play):
        if len(result.games) > 2:
            raise ValueError("the boards of one file")
        return whole(result, *play)

    monkeypatch.setattr(chunks, "with_play", at_fault)
    of_two_games, of_one = folder / "made-two-games.ACM", folder / "made-wednesday.json"
    assert not run([of_two_games, of_one], tmp_path / "out", Settings(None, ("html",), {})).failures
    for path in (of_two_games, of_one):
        assert (tmp_path / "out" / f"{path.stem}.html").read_bytes() == alone[f"{path.stem}.html"]


@pytest.mark.slow
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
    assert (tally.files, tally.before, tally.failed, len(tally.failures)) == (0, 6, 1, 1)
    assert before == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("game*")}


def test_the_report_names_the_file_of_a_remark_by_its_path(inbox, tmp_path):
    """Two clubs of one inbox may name their files the same."""
    (inbox / "mon").mkdir()
    game = GAME.replace("# strata: A=open, B=200\n", "").replace(",stratum", ",id1").replace(",B,", ",,")
    (inbox / "mon/game0.csv").write_text(game.format(name=9, score=1).replace(",A,", ",1234567,"), "utf-8")
    tally = run([inbox], tmp_path / "out", SETTINGS)
    told = [each["where"] for file in tally.doubtful for each in file["remarks"]]
    assert told
    assert all(where.startswith(f"{inbox / 'mon' / 'game0.csv'}: line ") for where in told)


def test_an_equal_game_of_a_file_of_the_same_name_is_told_once(tmp_path):
    for folder, day in (("a", "18"), ("b", "25")):
        (tmp_path / "in" / folder).mkdir(parents=True)
        text = GAME.format(name=9, score=25).replace("2012-04-18", f"2012-04-{day}")
        (tmp_path / "in" / folder / "results.csv").write_text(text, "utf-8")
    tally = run([tmp_path / "in"], tmp_path / "out", SETTINGS)
    ((later, remark),) = [(file["file"], each) for file in tally.doubtful for each in file["remarks"]]
    assert (later, remark["where"]) == (str(tmp_path / "in" / "b" / "results.csv"),) * 2
    assert remark["what"] == (
        "this game has the same players and scores as the game results of a/results.csv, there with the date 2012-04-18"
    )


@pytest.mark.slow
def test_an_equal_game_of_a_file_of_the_same_name_with_several_games_is_told_once(tmp_path):
    """Of one name, with two games each, of which one is the same but for its day."""
    for folder, days in (("a", ("11", "18")), ("b", ("25", "26"))):
        games = []
        for day, score in zip(days, (25, 24 if folder == "a" else 23), strict=True):
            game = tmp_path / f"{day}.csv"
            game.write_text(GAME.format(name=9, score=score).replace("2012-04-18", f"2012-04-{day}"), "utf-8")
            games.append(json.loads(command("award", game, "--to", "json").printed))
        (tmp_path / "in" / folder).mkdir(parents=True)
        both = {**games[0], "games": [game for each in games for game in each["games"]]}
        (tmp_path / "in" / folder / "results.json").write_text(json.dumps(both), "utf-8")
    tally = run([tmp_path / "in"], tmp_path / "out", replace(SETTINGS, format=None))
    ((later, remark),) = [(file["file"], each) for file in tally.doubtful for each in file["remarks"]]
    assert later == str(tmp_path / "in" / "b" / "results.json")
    assert remark["code"] == "sessions.files-alike"
    assert remark["what"] == (
        "this game has the same players and scores as the game 11 of a/results.json, there with the date 2012-04-11"
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_file_is_not_refused_for_the_name_of_an_equal_one(inbox, tmp_path):
    with open(os.fsencode(inbox) + b"/a\xff.csv", "wb") as file:  # noqa: PTH123 - a path of bytes
        file.write((inbox / "game0.csv").read_bytes())
    (inbox / "bad1.csv").write_text("x\n", "utf-8")
    (inbox / "bad2.csv").write_text("x\n", "utf-8")
    for before in (0, 6):
        tally = run([inbox], tmp_path / "out", SETTINGS)
        assert (tally.before, tally.failed) == (before, 2)
        assert [Path(each["file"]).name for each in tally.failures] == ["bad1.csv", "bad2.csv"]
        assert [each["problems"][0]["file"] for each in tally.failures] == [each["file"] for each in tally.failures]
        assert [Path(each["file"]).name for each in tally.same] == ["a\ufffd.csv", "bad2.csv"]
        assert len(tally.inputs) == 9  # six games, two bad files, and the second name


@pytest.mark.slow
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
    assert sorted(path.parent.name for path in (tmp_path / "out").rglob("game0.json")) == ["in", "other"]
    assert [Path(pair["same_as"]).name for pair in tally.same] == ["game1.csv"]


@pytest.mark.slow
def test_two_processes_do_as_one(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "FILES_AT_A_TIME", 2)
    run([inbox], tmp_path / "one", SETTINGS)
    run([inbox], tmp_path / "two", SETTINGS, jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.slow
def test_a_file_that_ends_its_process_is_set_aside(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "FILES_AT_A_TIME", 2)
    monkeypatch.setattr(batch, "process_chunk", ending_awarding)
    tally = run([inbox], tmp_path / "out", SETTINGS, jobs=2)
    assert (tally.done, tally.failed, tally.games) == (6, 1, 5)
    assert Path(tally.failures[0]["file"]).name == "game3.csv"


@pytest.mark.slow
def test_a_full_disk_stops_the_run_and_the_next_goes_on(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "FILES_AT_A_TIME", 2)
    written = []

    def filling(path):
        if len(written) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        return whole(path)

    with monkeypatch.context() as patch:
        patch.setattr("resultproc.model.files.whole", filling)
        with pytest.raises(OutputError, match="No space left"):
            run([inbox], tmp_path / "out", SETTINGS)
    tally = run([inbox], tmp_path / "out", SETTINGS)
    # The first chunk of two was done and recorded; the second was not, although one of its files was written.
    assert (tally.before, tally.done) == (2, 4)
    run([inbox], tmp_path / "undisturbed", SETTINGS)
    ours, theirs = contents(tmp_path / "out"), contents(tmp_path / "undisturbed")
    assert ours.pop("report.json") != theirs.pop("report.json")
    assert ours == theirs


UNTIL_FIVE = """
import itertools, sys, time
from resultproc.batch import run
from resultproc.cli import main

def recorded(*given, record=run.record_outcomes, number=itertools.count(1)):
    record(*given)
    time.sleep(60 * (next(number) == 5))

run.FILES_AT_A_TIME = 1
run.record_outcomes = recorded
main(sys.argv[1:])
"""
"""The command line, which waits to be stopped once five files are done."""


@contextmanager
def until_five(tmp_path):
    """Start a run over thirty files in two processes; give it, and the folder it writes, once five files are done."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for n in range(30):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, score=25 + n % 10), "utf-8")
    command = [sys.executable, "-c", UNTIL_FIVE, "batch", str(folder), "-o", str(out), "--from", "csv", "--jobs", "2"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as process:
        wait_until(lambda: len(list(out.glob("game*.json"))) >= 5)
        yield process, out
        wait_until(lambda: is_gone(process.pid))
    assert 5 <= len(list(out.glob("game*.json"))) < 30


@pytest.mark.slow
def test_a_killed_run_leaves_no_process_and_is_completed_by_the_next(tmp_path):
    with until_five(tmp_path) as (process, out):
        process.kill()
        process.wait()
    for path in out.glob("game*.json"):
        json.loads(path.read_text("utf-8"))
    tally = run([tmp_path / "in"], out, SETTINGS)
    assert tally.before + tally.done == 30
    assert tally.done > 0
    run([tmp_path / "in"], tmp_path / "undisturbed", SETTINGS)
    ours, theirs = contents(out), contents(tmp_path / "undisturbed")
    del ours["report.json"], theirs["report.json"]
    assert ours == theirs


def wait_until(true, seconds=60):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def is_gone(group):
    """Return whether no process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.slow
def test_ctrl_c_stops_several_processes_at_once_and_quietly(tmp_path):
    with until_five(tmp_path) as (process, _):
        os.killpg(process.pid, signal.SIGINT)
        _, printed = process.communicate(timeout=30)
        assert (process.returncode, printed.decode().split()) == (130, ["stopped"])


def test_ctrl_c_stops_one_process_quietly(inbox, tmp_path, monkeypatch):
    def interrupted(*_):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(batch, "in_order", interrupted)
    done = command("batch", inbox, "-o", tmp_path / "out", "--from", "csv")
    assert (done.status, done.out, done.err.split()) == (130, "", ["stopped"])


@pytest.mark.slow
def test_the_processes_of_a_run_leave_ctrl_c_to_it_and_have_its_environment(monkeypatch):
    heard = signal.getsignal(signal.SIGINT)
    for value in ("before", "now"):  # the second one is a copy of a process that is there before that
        monkeypatch.setenv("OF_THIS_RUN", value)
        with pool(1) as processes:
            with interrupts_ignored():
                theirs = processes.submit(signal.getsignal, signal.SIGINT)
            assert theirs.result() == signal.SIG_IGN
            assert processes.submit(os.getenv, "OF_THIS_RUN").result() == value
    assert signal.getsignal(signal.SIGINT) == heard != signal.SIG_IGN


def test_two_runs_do_not_share_a_folder(inbox, tmp_path):
    def again(_: object) -> None:
        with pytest.raises(OutputError, match="another run"):
            run([inbox], tmp_path / "out", SETTINGS)

    assert run([inbox], tmp_path / "out", SETTINGS, progress=again).done == 6


@pytest.mark.parametrize(("arguments", "status"), [(["--to", "json"], 0), (["--to", "jsn"], 2), (["--to", ""], 2)])
def test_the_command(inbox, tmp_path, arguments, status):
    done = command("batch", inbox, "-o", tmp_path / "out", "--from", "csv", *arguments)
    assert done.status == status
    if not status:
        assert (done.out, done.err) == ("", "6 files with 6 games, 0 failed; 0 done before\n")


def test_watching_picks_up_what_arrives_later_once_it_is_whole(inbox, tmp_path, monkeypatch):
    out, late = tmp_path / "out", inbox / "late.csv"
    for path in inbox.iterdir():
        os.utime(path, (0, 0))
    *lines, last = GAME.format(name="late", score=50).splitlines(keepends=True)
    # From the first contestant on, what stands there could be awarded.
    written = iter(["".join(lines[:7]), *lines[7:], last])
    done = []

    def meanwhile(seconds):
        assert seconds == 60
        done.append(len(list(out.glob("*.json"))) - 1)
        if part := next(written, ""):
            with late.open("a", encoding="utf-8") as file:
                file.write(part)
        elif done[-1] == 6:
            os.utime(late, (0, 0))
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr("resultproc.cli.batch.time.sleep", meanwhile)
    watched = command("batch", inbox, "-o", out, "--from", "csv", "--watch", "60")
    assert watched.status == 130
    assert done == [6] * 7 + [7]
    assert len(json.loads((out / "late.json").read_text("utf-8"))["games"][0]["contestants"]) == 6
    # Had it been taken too early, a file would have failed or been done twice.
    told = watched.err.splitlines()
    assert sum(int(line.split()[0]) for line in told if " failed; " in line) == 7
    assert "Traceback" not in watched.err


def test_a_file_called_report_does_not_take_the_reports_place(inbox, tmp_path):
    (inbox / "game0.csv").rename(inbox / "report.csv")
    run([inbox], tmp_path / "out", SETTINGS)
    assert json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))["games"] == 6
    path = tmp_path / "out" / "report.csv.json"
    assert json.loads(path.read_text("utf-8"))["games"][0]["game"]["event"] == "Game 0"


def test_a_name_as_long_as_names_may_be(inbox, tmp_path):
    (inbox / "game0.csv").rename(inbox / ("é" * 125 + ".csv"))
    assert run([inbox], tmp_path / "out", SETTINGS).games == 6


@pytest.mark.slow
def test_a_name_that_is_no_utf_8_is_told(inbox, tmp_path):
    bad = os.fsencode(inbox) + b"/g\xe9.csv"
    Path(os.fsdecode(bad)).write_bytes((inbox / "game0.csv").read_bytes() + b"\n")
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.failed, tally.games) == (1, 6)
    assert "not UTF-8" in (tmp_path / "out" / "report.json").read_text("utf-8")
    Path(os.fsdecode(bad)).rename(inbox / "renamed.csv")
    assert run([inbox], tmp_path / "out", SETTINGS).games == 1


def test_nothing_else_in_the_folder_is_touched(inbox, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    others = [out / ".gitlab-ci.yml", out / ".x.json.abc", out / "notes.txt"]
    for path in others:
        path.write_text("mine", "utf-8")
    remains = saved(out / ".abc.resultproc-partial", "half")
    run([inbox], out, SETTINGS)
    assert [path.read_text("utf-8") for path in others] == ["mine"] * 3
    assert not remains.exists()


def test_results_are_not_written_over_their_inputs(inbox):
    done = command("batch", inbox / "game1.csv", "-o", inbox, "--to", "csv", "--from", "csv")
    assert done.status == 1
    assert "write to another folder" in done.err
    assert (inbox / "game1.csv").read_text("utf-8") == GAME.format(name=1, score=26)
    there = set(inbox.iterdir())
    done = command("batch", inbox, "-o", inbox, "--from", "csv")
    assert (done.status, "write to another folder" in done.err) == (1, True)
    assert set(inbox.iterdir()) == there
    assert command("batch", inbox, "-o", inbox.parent / "out", "--from", "csv").status == 0


def test_a_file_moved_after_a_killed_run_is_done(inbox, tmp_path, monkeypatch):
    def killed(jobs, folder, settings):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(batch, "process_chunk", killed)
        with pytest.raises(KeyboardInterrupt):
            run([inbox], tmp_path / "out", SETTINGS)
    (inbox / "game0.csv").rename(inbox / "moved.csv")
    assert run([inbox], tmp_path / "out", SETTINGS).done == 6


def test_what_is_wrong_with_a_file_is_told_wherever_it_stands(inbox, tmp_path):
    (inbox / "bad.csv").write_text("x\n", "utf-8")
    run([inbox], tmp_path / "out", SETTINGS)
    (inbox / "bad.csv").rename(inbox / "moved.csv")
    (inbox / "copy.csv").write_bytes((inbox / "moved.csv").read_bytes())
    for _ in range(2):
        tally = run([inbox], tmp_path / "out", SETTINGS)
    assert sorted(Path(str(f["file"])).name for f in tally.failures) == ["copy.csv", "moved.csv"]


def test_a_file_that_now_fails_keeps_no_result_of_what_it_was(inbox, tmp_path):
    run([inbox], tmp_path / "out", SETTINGS)
    (inbox / "game0.csv").write_text("x\n", "utf-8")
    assert run([inbox], tmp_path / "out", SETTINGS).failed == 1
    assert not (tmp_path / "out" / "game0.json").exists()


@pytest.mark.slow
def test_a_changed_rulebook_gives_new_results(inbox, tmp_path):
    rules = tmp_path / "bonus.toml"
    first = ""
    for factor, done in (("1.10", 6), ("1.10", 0), ("1.20", 6)):
        rules.write_text(f'id = "b"\nextends = "acbl-club"\n[bonus.factor]\nvalue = {factor}\n', "utf-8")
        rulebook.cache_clear()
        tally = run([inbox], tmp_path / "out", Settings("csv", ("json",), {"rulebook": str(rules)}))
        assert tally.done == done
        result = (tmp_path / "out" / "game0.json").read_text("utf-8")
        assert (result != first) == bool(done)
        first = result


@pytest.mark.slow
def test_a_changed_rulebook_that_a_game_names_gives_its_new_results_alone(inbox, tmp_path):
    rules = inbox / "bonus.toml"
    game = inbox / "game0.csv"
    game.write_text(f"# rulebook: {rules.name}\n{game.read_text('utf-8')}", "utf-8")
    paid = []
    for factor, done in (("", 6), ("1.10", 1), ("1.10", 0), ("1.20", 1)):
        if factor:
            rules.write_text(f'id = "b"\nextends = "acbl-club"\n[bonus.factor]\nvalue = {factor}\n', "utf-8")
        for each in (rulebook, fingerprint_of_file):
            each.cache_clear()
        tally = run([inbox], tmp_path / "out", SETTINGS)
        assert (tally.done, tally.failed) == (done, not factor)
        if factor:
            (entry,) = json.loads((tmp_path / "out" / "game0.json").read_text("utf-8"))["games"]
            paid.append(max(each["masterpoints"] for each in entry["contestants"]))
    # 3 tables x 0.10 = 0.30 for first, x 1.10 = 0.33, x 1.20 = 0.36
    assert paid == ["0.33", "0.33", "0.36"]


def test_a_rulebook_that_there_is_not_stops_the_run_at_once(inbox, tmp_path):
    with pytest.raises(RulebookError, match="unknown rulebook"):
        run([inbox], tmp_path / "out", Settings("csv", ("json",), {"rulebook": "nosuch"}))
    assert not list((tmp_path / "out").glob("*.json"))


@pytest.mark.parametrize("stage", ["drafted", "award_sheet", "write"])
def test_a_mistake_of_the_program_costs_one_file(inbox, tmp_path, monkeypatch, stage):
    def mistaken(given, *_, **__):
        name = given.name if stage == "drafted" else list(given.games["event"])
        if name == "game3.csv" or "Game 3" in name:
            raise ZeroDivisionError("division by zero")
        return true(given, *_, **__)

    if stage == "write":
        writer = named("writers", "json")
        true = writer.write
        monkeypatch.setattr("resultproc.batch.chunks.named", lambda *_: replace(writer, write=mistaken, each=mistaken))
    else:
        true = getattr(chunks, stage)
        monkeypatch.setattr(chunks, stage, mistaken)
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.games, tally.failed) == (5, 1)
    (failure,) = tally.failures
    assert Path(failure["file"]).name == "game3.csv"
    assert "bug in resultproc: ZeroDivisionError: division by zero" in failure["problems"][0]["what"]


@pytest.mark.parametrize("vanishes", ["hash", "process_chunk"])
def test_a_file_that_vanishes_keeps_no_other_from_being_done(inbox, tmp_path, monkeypatch, vanishes):
    owner = batch if vanishes == "process_chunk" else Contents
    true = getattr(owner, vanishes)

    def vanishing(*given, **settings):
        if vanishes == "process_chunk" or given[1].endswith("game3.csv"):
            (inbox / "game3.csv").unlink()
        return true(*given, **settings)

    monkeypatch.setattr(owner, vanishes, vanishing)
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.games, tally.failed) == (5, 1)


@pytest.mark.slow
def test_a_file_that_is_replaced_before_it_is_read_is_read_again(inbox, tmp_path, monkeypatch):
    true = batch.process_chunk

    def replacing(jobs, **given):
        path = inbox / "game3.csv"
        path.write_text(path.read_text("utf-8").replace("28", "99"), "utf-8")
        return true(jobs, **given)

    monkeypatch.setattr(batch, "process_chunk", replacing)
    tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.games, tally.failed) == (6, 0)
    result = json.loads((tmp_path / "out" / "game3.json").read_text("utf-8"))
    assert result["games"][0]["contestants"][0]["score"] == 99
    assert result["provenance"]["sha256"] == hashlib.sha256((inbox / "game3.csv").read_bytes()).hexdigest()
    assert run([inbox], tmp_path / "out", SETTINGS).before == 6


@pytest.mark.slow
def test_a_file_that_is_replaced_whenever_it_is_read_is_told_and_read_in_the_next_run(inbox, tmp_path, monkeypatch):
    true = batch.process_chunk

    def replacing(jobs, **given):
        with (inbox / "game3.csv").open("a", encoding="utf-8") as file:
            file.write("\n")
        return true(jobs, **given)

    with monkeypatch.context() as patch:
        patch.setattr(batch, "process_chunk", replacing)
        tally = run([inbox], tmp_path / "out", SETTINGS)
    assert (tally.games, tally.failed, tally.done) == (5, 1, 6)
    (failure,) = tally.failures
    assert failure["problems"][0]["what"] == "this file was replaced again and again while it was read"
    again = run([inbox], tmp_path / "out", SETTINGS)
    assert (again.games, again.failed, again.before) == (1, 0, 5)


@pytest.mark.slow
def test_a_file_that_is_replaced_once_it_is_read_is_done_in_the_next_run(inbox, tmp_path, monkeypatch):
    true = batch.process_chunk

    def replacing(jobs, **given):
        outcomes = true(jobs, **given)
        (inbox / "game3.csv").write_text(GAME.format(name=3, score=99), "utf-8")
        return outcomes

    with monkeypatch.context() as patch:
        patch.setattr(batch, "process_chunk", replacing)
        assert run([inbox], tmp_path / "out", SETTINGS).games == 6
    assert run([inbox], tmp_path / "out", SETTINGS).games == 1
    result = json.loads((tmp_path / "out" / "game3.json").read_text("utf-8"))
    assert result["games"][0]["contestants"][0]["score"] == 99


def test_a_file_too_large_to_be_one_of_results_is_told_and_not_copied(inbox, tmp_path):
    with (inbox / "film.csv").open("wb") as film:
        film.truncate(300 * 1024**2)  # which takes no room on the disk
    tally = run([inbox], tmp_path / "out", SETTINGS)
    ((problem,),) = [each["problems"] for each in tally.failures]
    assert (problem["file"], problem["what"]) == (str(inbox / "film.csv"), "the file is larger than 256 MB")
    assert (tally.games, (tmp_path / "out" / "failed").exists()) == (6, False)


def test_a_run_is_a_record_with_the_run_before(inbox, tmp_path, monkeypatch):
    out, metrics = tmp_path / "out", tmp_path / "batch.prom"
    saved(inbox / "copy.csv", (inbox / "game1.csv").read_bytes())
    saved(inbox / "bad.csv", "number,player1,score\n1,Ann,x\n2,Bob,y\n")
    os.utime(inbox / "game5.csv", (2_000_000_000, 2_000_000_000))

    def night(status):
        assert command("batch", inbox, "-o", out, "--from", "csv", "--metrics", metrics).status == status
        report = json.loads((out / "report.json").read_text("utf-8"))
        assert sum(report["run"]["inputs"].values()) == len(report["inputs"]) == 8
        return report["run"]

    first = night(1)
    states = {"done": 6, "done_before": 0, "same_content": 1, "waiting": 0, "failed": 1}
    assert (first["inputs"], first["status"], first["before"]) == (states, 1, None)
    assert first["began"] <= first["ended"]
    told = metrics.read_text("ascii").splitlines()
    assert {
        'resultproc_batch_inputs{state="done"} 6.0',
        'resultproc_batch_inputs{state="failed"} 1.0',
        'resultproc_batch_failures{code="input.unreadable"} 1.0',
        "resultproc_batch_games 7.0",
        "resultproc_batch_run_exit_status 1.0",
        "resultproc_batch_newest_input_timestamp_seconds 2e+09",
        "# TYPE resultproc_batch_run_seconds gauge",
    } <= set(told)
    assert told[-1] == "# EOF"
    assert len(list(text_string_to_metric_families("\n".join([*told, ""])))) == 8  # which is strict

    def full(*_):
        raise OutputError("there is no room", code="machine.full")

    with monkeypatch.context() as patch:
        patch.setattr(batch, "planned", full)
        others = {
            "new": b"",
            "cut": b"resultproc_batch_run_exit_status 0",
            "other": b"# TYPE other_games gauge\nother_games 3\n# EOF\n",
            "binary": b"\xff\0",
            "histogram": b'# TYPE a histogram\na{le="1"} 1\n# EOF\n',  # at which the library raises a KeyError
        }
        files = [saved(tmp_path / f"{name}.prom", content) for name, content in others.items()]
        for each in (metrics, *files):
            assert command("batch", inbox, "-o", out, "--from", "csv", "--metrics", each).status == 6
    assert metrics.read_text("ascii").splitlines() == [
        each.replace("run_exit_status 1.0", "run_exit_status 6.0") for each in told
    ]
    for each in files:
        assert each.read_text("ascii").splitlines()[2:] == ["resultproc_batch_run_exit_status 6.0", "# EOF"]
    nowhere = command("batch", tmp_path / "gone", "-o", out, "--metrics", metrics / "batch.prom")
    assert (nowhere.status, "gone: there is no such file" in nowhere.err) == (1, True)
    among = [command("batch", inbox, "-o", out, "--metrics", inbox / name) for name in ("b.prom", "game1.csv")]
    assert [each.status for each in among] == [2, 2]
    broken_off = night(1)
    assert broken_off["before"].keys() == {"began"}
    assert broken_off["before"]["began"] > first["ended"]
    assert broken_off["inputs"] == {**states, "done": 0, "done_before": 6}
    assert night(1)["before"]["began"] == broken_off["began"]


def test_the_same_content_is_told_by_the_path_of_the_other_file(inbox, tmp_path, monkeypatch):
    monkeypatch.chdir(inbox)
    saved(inbox / "game1 copy.csv", (inbox / "game1.csv").read_bytes())
    tally = run([Path("../in")], tmp_path / "out", SETTINGS)
    assert tally.same == [{"file": "../in/game1.csv", "same_as": "../in/game1 copy.csv"}]


@pytest.mark.slow
def test_a_night_in_a_language_without_letters(inbox, tmp_path):
    (inbox / "game1.csv").rename(inbox / "Mülheim, jeudi après-midi.csv")
    here = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run_process("batch", inbox, "-o", tmp_path / "out", "--from", "csv", env=here)
    assert (done.returncode, done.stderr.decode()) == (0, "6 files with 6 games, 0 failed; 0 done before\n")
    assert (tmp_path / "out" / "Mülheim, jeudi après-midi.json").exists()


def test_a_full_disk_under_the_ledger_is_told(inbox, tmp_path, monkeypatch):
    connect = sqlite3.connect

    def with_little_room(path, **options):
        database = connect(path, **options)
        database.execute("PRAGMA max_page_count = 6")  # its tables take more
        return database

    monkeypatch.setattr(sqlite3, "connect", with_little_room)
    with pytest.raises(OutputError, match="disk is full") as error:
        run([inbox], tmp_path / "out", SETTINGS)
    assert [each.code for each in error.value.problems] == ["machine.full"]


def test_no_room_for_what_is_kept_beside_the_ledger_is_a_full_disk(monkeypatch):
    error = sqlite3.OperationalError("disk I/O error")  # as SQLite says on a disk of 2 MB with 12 to 28 KB left
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert (code_of_database(error), reason_of_database(error)) == ("machine.full", os.strerror(errno.ENOSPC))
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    assert (code_of_database(error), reason_of_database(error)) == ("machine.failed", "disk I/O error")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_limit_of_the_size_of_files_is_told_as_such(inbox, tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(OutputError, match="the ledger cannot be used: File too large") as error:
            run([inbox], tmp_path / "out", SETTINGS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [each.code for each in error.value.problems] == ["machine.full"]


def test_the_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = iter([0.0, 0.0, 10.0])
    monkeypatch.setattr("resultproc.cli.messages.time.monotonic", lambda: next(clock))
    with Bar("files") as bar:
        bar(0, 200)
        bar(50, 200, "46 games, 4 failed")
    shown = capsys.readouterr().err
    # 50 files in 10 seconds
    assert "50/200" in shown
    assert "46 games, 4 failed, 5.0 files/s" in shown


def test_no_bar_elsewhere(capsys):
    with Bar("files") as bar:
        bar(1, 2, "told")
    assert capsys.readouterr().err == ""
