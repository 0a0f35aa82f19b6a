"""The output folder of a batch: one file for each result, none that is stale, nothing reached through a link."""

import hashlib
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from contextlib import closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from zlib import crc32

import one_game
import pytest
from batches import GAME, SETTINGS, contents
from conftest import PROJECT, saved
from conftest import run as command
from jsonschema import Draft202012Validator

from resultproc.batch.chunks import Settings
from resultproc.batch.ledger import Ledger
from resultproc.batch.naming import DAMAGED
from resultproc.batch.run import run
from resultproc.batch.sent import held_back
from resultproc.formats.read import read
from resultproc.model.errors import OutputError
from resultproc.site.index import Index

SCHEMA = Draft202012Validator(json.loads(files("resultproc.batch").joinpath("report.schema.json").read_text("utf-8")))


def add(path: Path, name: str, score: int = 25) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return saved(path, GAME.format(name=name, score=score))


def results(out: Path) -> list[str]:
    return [name for name in contents(out) if name != "report.json"]


def report(out: Path) -> dict[str, object]:
    content = json.loads((out / "report.json").read_text("utf-8"))
    SCHEMA.validate(content)
    return content


def event(out: Path, name: str) -> str:
    return json.loads((out / name).read_text("utf-8"))["games"][0]["game"]["event"]


@pytest.fixture
def inbox(tmp_path):
    for name in ("mon/game", "tue/game", "tue/late"):
        add(tmp_path / "in" / f"{name}.csv", name)
    return tmp_path / "in"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_results_keep_the_folders_below_the_one_given(inbox, out):
    run([inbox], out, SETTINGS)
    assert results(out) == ["mon/game.json", "tue/game.json", "tue/late.json"]
    assert event(out, "mon/game.json") == "Game mon/game"


@pytest.mark.slow
def test_files_go_by_name_and_where_two_coincide_by_what_tells_them_apart(inbox, out):
    run([*inbox.glob("*/*.csv"), add(inbox / "a" / "x.csv", "1"), add(inbox / "b" / "x.txt", "2")], out, SETTINGS)
    assert results(out) == ["late.json", "mon/game.json", "tue/game.json", "x.csv.json", "x.txt.json"]
    run([add(inbox.parent / "wed" / "game.csv", "wed")], out, SETTINGS)
    assert event(out, "game.json") == "Game wed"
    run([add(inbox.parent / "thu" / "late.csv", "thu")], out, SETTINGS)
    assert (event(out, "late.json"), event(out, "thu/late.json")) == ("Game tue/late", "Game thu")
    # What earlier nights have called so is neither another one's folder nor written over by one.
    add(inbox.parent / "more" / "late.json" / "y.csv", "y")
    run([inbox.parent / "more"], out, SETTINGS)
    assert event(out, "more/late.json/y.json") == "Game y"
    add(inbox.parent / "even" / "more" / "late.csv", "even")
    run([inbox.parent / "even"], out, SETTINGS)
    assert event(out, "more/late.csv.json") == "Game even"


@pytest.mark.slow
def test_no_result_is_written_over_that_of_another_format(tmp_path, out):
    games = [add(tmp_path / "in" / name, name) for name in ("a.csv", "a.bridgewebs.csv", "b.csv")]
    run(games, out, Settings("csv", ("bridgewebs", "csv"), {}))
    names = results(out)
    assert len(names) == 6
    assert {"b.csv", "b.bridgewebs.csv", "a.csv.csv", "a.bridgewebs.csv.csv"} < set(names)
    games[0].write_text("x\n", "utf-8")
    assert run(games, out, Settings("csv", ("bridgewebs", "csv"), {})).failed == 1
    assert [name for name in names if name not in results(out)] == ["a.csv.bridgewebs.csv", "a.csv.csv"]


@pytest.mark.slow
def test_no_two_names_are_the_same_where_a_disk_takes_them_for_one(tmp_path, out):
    names = ["Game.csv", "game.csv", "GAME.txt", "Mon/x.csv", "mon/X.csv", "é.csv", "e\u0301.csv", "straße.csv"]
    names += ["STRASSE.csv", "report.csv", "Report.csv", "ledger.sqlite.csv", "failed/game.csv"]
    names += ["y.json/z.csv", "y.csv", "report.json/x.csv", "n./p.csv", "n/p.csv"]
    for name in names:
        add(tmp_path / "in" / name, name)
    add(tmp_path / "in" / "failed" / "bad.csv", "").write_text("x\n", "utf-8")
    add(tmp_path / "in" / "bad.csv", "").write_text("y\n", "utf-8")
    tally = run([tmp_path / "in"], out, SETTINGS)
    assert (tally.games, tally.failed) == (len(names), 2)
    found = [unicodedata.normalize("NFD", name).casefold().replace("n./", "n/") for name in contents(out)]
    assert len(set(found)) == len(found) == len(names) + 3
    folders = {folder for name in found for folder in Path(name).parents}
    assert not folders & set(map(Path, found))
    events = sorted(
        event(out, each["file"]) for item in report(out)["inputs"] for each in item["outputs"] if item["games"]
    )
    assert events == sorted(f"Game {name}" for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-9]), Path.touch])
def test_a_result_that_is_not_as_it_was_written_is_written_again(inbox, out, spoil):
    add(inbox / "bad.csv", "").write_text("x\n", "utf-8")
    run([inbox], out, SETTINGS)
    whole = contents(out)
    spoil(out / "tue" / "game.json")
    spoil(out / "failed" / "bad.csv")
    tally = run([inbox], out, SETTINGS)
    assert tally.done == (0 if spoil is Path.touch else 2)
    del whole["report.json"]
    assert {name: data for name, data in contents(out).items() if name != "report.json"} == whole


@pytest.mark.slow
def test_results_of_files_that_are_gone_are_removed(inbox, out):
    run([inbox], out, SETTINGS)
    (inbox / "mon" / "game.csv").unlink()
    (inbox / "tue" / "late.csv").rename(inbox / "later.csv")
    done = command("batch", inbox, "-o", out, "--from", "csv")
    assert results(out) == ["later.json", "tue/game.json"]
    assert not (out / "mon").exists()
    assert report(out)["removed"] == ["mon/game.json", "tue/late.json"]
    assert "2 outdated results removed" in done.err
    run([inbox], out, SETTINGS)
    assert report(out)["removed"] == []


def test_a_changed_result_of_a_file_that_is_gone_is_left_and_listed(inbox, out):
    run([inbox], out, SETTINGS)
    (inbox / "mon" / "game.csv").unlink()
    (out / "mon" / "game.json").write_text("mine", "utf-8")
    for _ in range(2):
        run([inbox], out, SETTINGS)
        assert (out / "mon" / "game.json").read_text("utf-8") == "mine"
        assert report(out)["left"] == [{"file": "mon/game.json", "why": "it was changed since it was written"}]
    (out / "mon" / "game.json").unlink()
    assert run([inbox], out, SETTINGS).left == []


@pytest.mark.slow
def test_a_file_that_takes_on_another_ones_content_leaves_no_result(inbox, out):
    run([inbox], out, SETTINGS)
    (inbox / "tue" / "late.csv").write_bytes((inbox / "mon" / "game.csv").read_bytes())
    tally = run([inbox], out, SETTINGS)
    assert results(out) == ["mon/game.json", "tue/game.json"]
    assert tally.same == [{"file": str(inbox / "tue/late.csv"), "same_as": str(inbox / "mon/game.csv")}]
    (inbox / "mon" / "game.csv").unlink()
    run([inbox], out, SETTINGS)
    assert results(out) == ["tue/game.json", "tue/late.json"]


@pytest.mark.slow
def test_other_formats_take_the_place_of_those_before(inbox, out):
    run([inbox], out, Settings("csv", ("json", "text"), {}))
    run([inbox], out, Settings("csv", ("text", "csv"), {}))
    assert results(out) == [f"{name}.{e}" for name in ("mon/game", "tue/game", "tue/late") for e in ("csv", "txt")]


@pytest.mark.slow
def test_a_folder_that_is_empty_or_was_not_given_loses_no_results(inbox, out, tmp_path):
    run([inbox], out, SETTINGS)
    inbox.rename(tmp_path / "elsewhere")
    inbox.mkdir()
    other = add(tmp_path / "other" / "new.csv", "new")
    tally = run([inbox, other], out, SETTINGS)
    assert results(out) == ["mon/game.json", "new.json", "tue/game.json", "tue/late.json"]
    assert [each["file"] for each in tally.left] == ["mon/game.json", "tue/game.json", "tue/late.json"]
    # As a folder of the same files under another name they keep their results.
    tally = run([tmp_path / "elsewhere"], out, SETTINGS)
    assert (tally.before, tally.done, tally.left) == (3, 0, [])


def test_the_report_lists_every_input(inbox, out, tmp_path):
    add(inbox / "copy.csv", "tue/game")
    add(inbox / "bad.csv", "").write_text(GAME.format(name="bad", score="x") + "A,E-W,9,Ann,Bob,A,y\n" * 30, "utf-8")
    doubtful = add(inbox / "doubtful.csv", "doubtful")
    doubtful.write_text(doubtful.read_text("utf-8").replace("Bob", ""), "utf-8")
    run([inbox], out, SETTINGS)
    listed = {Path(item["file"]).relative_to(inbox).as_posix(): item for item in report(out)["inputs"]}
    assert {name: item["state"] for name, item in listed.items()} == {
        "bad.csv": "failed",
        "copy.csv": "done",
        "doubtful.csv": "done",
        "mon/game.csv": "done",
        "tue/game.csv": "same_content",
        "tue/late.csv": "done",
    }
    for name, item in listed.items():
        assert item["sha256"] == hashlib.sha256((inbox / name).read_bytes()).hexdigest()
        for output in item["outputs"]:
            assert output["sha256"] == hashlib.sha256((out / output["file"]).read_bytes()).hexdigest()
    assert [output["file"] for output in listed["bad.csv"]["outputs"]] == ["failed/bad.csv"]
    assert listed["tue/game.csv"]["same_as"] == str(inbox / "copy.csv")
    assert listed["mon/game.csv"]["rulebooks"]["acbl-club"]["edition"]
    assert listed["doubtful.csv"]["number_of_remarks"] == len(listed["doubtful.csv"]["remarks"]) > 0
    # One score of the six is not a number, and none of the thirty below.
    assert (listed["bad.csv"]["number_of_problems"], len(listed["bad.csv"]["problems"])) == (31, 21)
    run([inbox], out, SETTINGS)
    states = [item["state"] for item in report(out)["inputs"]]
    assert states == ["failed", *["done_before"] * 3, "same_content", "done_before"]


@pytest.mark.slow
def test_links_in_the_folder_are_not_followed(inbox, out, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine", "utf-8")
    out.mkdir()
    (out / "mon").symlink_to(outside)
    (out / "tue").mkdir()
    for name in ("tue/game.json", "report.json"):
        (out / name).symlink_to(outside / "mine")
    tally = run([inbox], out, SETTINGS)
    assert (tally.games, tally.failed) == (2, 1)
    assert tally.failures[0]["problems"][0]["what"] == f"its results cannot be written: {out}/mon is a link"
    assert contents(outside) == {"mine": b"mine"}
    assert event(out, "tue/game.json") == "Game tue/game"
    # What is removed is not reached through a link either.
    (out / "mon").unlink()
    assert run([inbox], out, SETTINGS).games == 1
    (out / "mon").rename(outside / "mon")
    (out / "mon").symlink_to(outside / "mon")
    (inbox / "mon" / "game.csv").unlink()
    assert [each["file"] for each in run([inbox], out, SETTINGS).left] == ["mon/game.json"]
    assert (outside / "mon" / "game.json").exists()


@pytest.mark.parametrize("name", ["ledger.sqlite", "ledger.sqlite-wal", "ledger.lock", "failed"])
def test_a_link_in_the_place_of_what_the_run_writes_is_refused(inbox, out, tmp_path, name):
    (inbox / "bad.csv").write_text("x\n", "utf-8")
    out.mkdir()
    (tmp_path / "outside").mkdir()
    (out / name).symlink_to(tmp_path / "outside" / "x" if "." in name else tmp_path / "outside")
    with pytest.raises(OutputError, match="is a link"):
        run([inbox], out, SETTINGS)
    assert not list((tmp_path / "outside").iterdir())


@pytest.fixture(scope="module")
def one_awarded(tmp_path_factory):
    """Return a folder with a game, and what a run has made of it."""
    folder = tmp_path_factory.mktemp("one")
    add(folder / "in" / "tue" / "game.csv", "tue/game")
    run([folder / "in"], folder / "out", SETTINGS)
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE files SET name = '../mine.json', key = '../mine.json'", "not in its folder"),
        ("UPDATE files SET name = '/etc/passwd', key = '/etc/passwd'", "not in its folder"),
        ("UPDATE files SET name = 'a/../../mine', key = 'a/../../mine'", "not in its folder"),
        ("UPDATE files SET name = 'report.json', key = 'report.json'", "not in its folder"),
        ("UPDATE files SET name = x'00'", "not a ledger"),
        ("UPDATE inputs SET place = '../mine'", "not in its folder"),
        ("UPDATE files SET sha256 = x'00'", "not a ledger"),
        ("UPDATE files SET path = 'nobody'", "not a ledger"),
        ("UPDATE inputs SET outcome = '[]'", "not a ledger"),
        ('UPDATE inputs SET outcome = \'{"games": "many"}\'', "not a ledger"),
        ('UPDATE inputs SET outcome = \'{"files": {"../mine": ""}}\'', "not a ledger"),
        ("UPDATE inputs SET name = x'00'", "not a ledger"),
        ("DROP TABLE files", "cannot be used"),
    ],
)
def test_a_ledger_that_no_run_has_written_is_refused(one_awarded, tmp_path, change, message):
    shutil.copytree(one_awarded, tmp_path, dirs_exist_ok=True)
    inbox, out = tmp_path / "in", tmp_path / "out"
    before = contents(tmp_path)
    with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM files WHERE sha256 IS NULL")
        ledger.execute(change)
        ledger.create_function("sum_of", -1, lambda *row: crc32("\0".join(map(str, row)).encode()))
        if "DROP" not in change and "x'00'" not in change:  # forged, with the sums that a run would write
            ledger.execute("UPDATE files SET sum = sum_of(path, key, name, sha256)")
            columns = "path, block, hash, name, inside, place, written, outcome"
            ledger.execute(f"UPDATE inputs SET sum = sum_of({columns})")
    (inbox / "tue" / "game.csv").unlink()
    add(inbox / "new.csv", "new")
    with pytest.raises(OutputError, match=message):
        run([inbox], out, SETTINGS)
    before.pop("in/tue/game.csv")
    assert before.items() <= contents(tmp_path).items()
    if "DROP" in change:
        (out / "ledger.sqlite").unlink()
        assert run([inbox], out, SETTINGS).games == 1


def test_a_ledger_of_the_version_before_keeps_the_names_of_results(tmp_path, monkeypatch):
    """All is done again, as the program is another one; what is no longer meant is known by its name, and goes.

    An older program that was run once more leaves tables that it does not know.
    """
    inbox, out = tmp_path / "in", tmp_path / "out"
    add(inbox / "game.csv", "game")
    add(inbox / "gone.csv", "gone")
    run([inbox], out, SETTINGS)
    before = (out / "game.json").read_bytes()
    with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger, ledger:
        ledger.executescript("DROP TABLE outcomes; DROP TABLE ways; PRAGMA user_version = 4")
    (inbox / "gone.csv").unlink()
    assert run([inbox], out, SETTINGS).removed == ["gone.json"]
    assert (out / "game.json").read_bytes() == before
    run([inbox], out, SETTINGS)
    # A night that finds nothing new reads none of it.
    monkeypatch.setattr(Ledger, "outcome", None)
    assert run([inbox], out, SETTINGS).before == 1


@pytest.mark.parametrize("spoilt", [b"junk", None])
def test_a_night_goes_on_where_the_ledger_is_damaged_and_removes_what_it_would_have(tmp_path, spoilt):
    inbox, out = tmp_path / "in", tmp_path / "out"
    for name in ("game", "gone"):
        add(inbox / f"{name}.csv", name)
    assert command("batch", inbox, "-o", out, "--from", "csv").status == 0
    ledger = out / "ledger.sqlite"
    if spoilt:
        ledger.write_bytes(spoilt)
    else:  # what it knew of one input, its results apart
        with closing(sqlite3.connect(ledger)) as damaged, damaged:
            damaged.execute("UPDATE inputs SET outcome = outcome || ' ' WHERE path LIKE '%game.csv'")
    (inbox / "gone.csv").unlink()
    told = command("batch", inbox, "-o", out, "--from", "csv")
    assert told.status == 0
    assert "it is kept as ledger-damaged.sqlite, and everything is done again" in told.err
    assert "1 file with 1 game, 0 failed" in told.err
    if spoilt:
        assert (out / DAMAGED).read_bytes() == spoilt
    else:  # which was not read before the run had written something else
        with closing(sqlite3.connect(out / DAMAGED)) as damaged:
            assert damaged.execute("SELECT count(*) FROM inputs WHERE outcome LIKE '% '").fetchone() == (1,)
    assert (out / "gone.json").exists() == bool(spoilt)  # of that nothing is known any more
    assert "0 files with 0 games, 0 failed; 1 done before" in command("batch", inbox, "-o", out, "--from", "csv").err


PAGES = Settings(None, ("html",), {"rating": "club-open"})


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """Return a folder with two games that may be one, and a bad file, and the site of them and of a game elsewhere."""
    folder = tmp_path_factory.mktemp("listed")
    for name, score in (("one", 25), ("two", 26)):
        add(folder / "in" / name / "game.csv", "one", score)
        saved(folder / "in" / name / "resultproc.toml", '[site]\ncolour = "#0a4b8b"\n[players]\nleft_out = ["Cat"]\n')
    saved(folder / "in" / "bad.csv", "number,player1\n1,Ann\n")
    add(folder / "elsewhere" / "three.csv", "three")
    every = [folder / "in", folder / "elsewhere"]
    for inputs in (every, every[:1], every[:1]):  # the last finds nothing new
        run(inputs, folder / "out", PAGES, index=Index(players=True))
    with Ledger(folder / "out") as ledger:  # as of a run that was ended before it made the site
        ledger.save([*ledger.entries][:1])
    with closing(sqlite3.connect(folder / "out" / "ledger.sqlite")) as ledger:
        tables = [name for (name,) in ledger.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: ledger.execute(f"PRAGMA table_info({name})").fetchall() for name in tables}
    return folder, {table: [each[1] for each in of_table] for table, of_table in columns.items()}


FOUND_ANEW = ["quiet", "seen"]
TOLD = [
    "last_run",
    "inputs",
    "files",
    "outcomes",
    "looks",
    "games",
    "ways",
    "people",
    "unsure",
    "away",
    "listed",
    "unlisted",
]


@pytest.mark.slow
@pytest.mark.parametrize("table", [*FOUND_ANEW, *TOLD])
def test_whatever_a_disk_spoils_in_a_ledger_is_told_or_found_anew(listed, out, table):
    """With a sign more in a text, and another number for each: both could have been written."""
    folder, columns = listed
    assert {*columns} == {*FOUND_ANEW, *TOLD}
    for column in columns[table]:
        shutil.copytree(folder / "out", out)
        shutil.rmtree(out / "players")  # what is kept of games is read for these
        with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger, ledger:
            if table != "quiet":  # and the rest, where it is not known that nothing has changed
                ledger.execute("DELETE FROM quiet")
            spoilt = f"CASE typeof({column}) WHEN 'text' THEN {column} || ' ' ELSE -1 - ifnull({column}, 0) END"
            assert ledger.execute(f"UPDATE {table} SET {column} = {spoilt}").rowcount > 0
        told = pytest.raises(OutputError, match="this is not a ledger that a run has written")
        with told if table in TOLD else nullcontext():
            run([folder / "in"], out, PAGES, index=Index(players=True))
        assert (out / DAMAGED).exists() == (table in TOLD)
        if column == columns[table][0]:  # the runs that follow do everything again, and then nothing
            for inputs in ([folder / "in", folder / "elsewhere"], [folder / "in"]) * (table in TOLD):
                run(inputs, out, PAGES, index=Index(players=True))
            assert contents(out) == contents(folder / "out")
        shutil.rmtree(out)


@pytest.mark.parametrize("lost", ["way = 0", "way >= 0"])
def test_ways_of_writing_people_that_a_ledger_has_lost_are_told(listed, out, lost):
    shutil.copytree(listed[0] / "out", out)
    with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("DELETE FROM quiet")
        assert ledger.execute(f"DELETE FROM ways WHERE {lost}").rowcount > 0
    with pytest.raises(OutputError, match="this is not a ledger that a run has written"):
        run([listed[0] / "in"], out, PAGES, index=Index(players=True))


def test_a_folder_is_followed_whole_or_not_at_all(tmp_path, out, monkeypatch):
    """Where a run ends once it has found a folder elsewhere, its game is on the list also when the folder goes back."""
    add(tmp_path / "in" / "game.csv", "game")
    run([tmp_path / "in"], out, PAGES, index=Index())
    listed = (out / "index.html").read_bytes()
    (tmp_path / "in").rename(tmp_path / "elsewhere")
    monkeypatch.setattr(Ledger, "save", None)
    with pytest.raises(TypeError):
        run([tmp_path / "elsewhere"], out, PAGES, index=Index())
    monkeypatch.undo()
    (tmp_path / "elsewhere").rename(tmp_path / "in")
    assert run([tmp_path / "in"], out, PAGES, index=Index()).before == 1
    assert (out / "index.html").read_bytes() == listed


def test_where_times_are_of_whole_seconds_each_page_is_read_again(inbox, out, monkeypatch):
    monkeypatch.setattr("resultproc.model.files.looks_of", lambda _: "")
    run([inbox], out, PAGES, index=Index())
    before = contents(out / "mon")
    (out / "mon" / "game.html").write_text("spoilt", "utf-8")
    run([inbox], out, PAGES, index=Index())
    assert contents(out / "mon") == before


def test_a_file_in_the_place_of_a_folder_costs_those_in_it(inbox, out):
    out.mkdir()
    (out / "mon").write_text("mine", "utf-8")
    tally = run([inbox], out, SETTINGS)
    assert (tally.games, tally.failed) == (2, 1)
    assert (out / "mon").read_text("utf-8") == "mine"


def test_a_folder_that_cannot_be_read_is_told(inbox, out, monkeypatch):
    run([inbox], out, SETTINGS)
    monkeypatch.setattr("resultproc.formats.found.os.access", lambda path, _: path.name != "mon")
    tally = run([inbox], out, SETTINGS)
    assert [failure["file"] for failure in tally.failures] == [str(inbox / "mon")]
    assert tally.failures[0]["problems"][0]["what"] == "this folder cannot be read"


@pytest.mark.slow
def test_the_report_says_what_is_there_of_a_file_that_is_not_read_now(inbox, out, monkeypatch):
    run([inbox], out, SETTINGS)
    (inbox / "tue" / "late.csv").chmod(0o600)  # whoever may no longer read it finds that its rights were changed
    opened = Path.open

    def denied(path, *mode):
        if path.name == "late.csv":
            raise PermissionError(13, "Permission denied")
        return opened(path, *mode)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", denied)
        assert run([inbox], out, SETTINGS).failed == 1
    (late,) = [item for item in report(out)["inputs"] if item["file"].endswith("late.csv")]
    assert (late["state"], late["problems"][0]["what"]) == ("failed", "it cannot be read: Permission denied")
    assert [output["file"] for output in late["outputs"]] == ["tue/late.json"]
    run([inbox], out, SETTINGS, settle=3600)
    assert {item["state"] for item in report(out)["inputs"]} == {"waiting"}
    assert len(results(out)) == 3


@pytest.mark.slow
def test_runs_that_are_broken_off_are_completed_by_the_next():
    script = PROJECT / "scripts" / "break-batch"
    command = [sys.executable, script, "--times", "1", "--files", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("1 of 1 stopped by a full disk\n0 things are wrong\n")


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (ValueError("of ours"), "this is a bug in resultproc: ValueError: of ours"),
        (MemoryError(), "there is not enough memory for it"),
        (OSError(24, "Too many open files"), "it cannot be read: Too many open files"),
    ],
)
def test_what_is_not_the_fault_of_a_file_is_tried_again(inbox, out, monkeypatch, error, what):
    def failing(*_, **__):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("resultproc.batch.chunks.drafted", failing)
        tally = run([inbox], out, SETTINGS)
    assert [failure["problems"][0]["what"] for failure in tally.failures] == [what] * 3
    assert run([inbox], out, SETTINGS).games == 3


@pytest.mark.slow
def test_a_copy_of_a_file_that_failed_is_whole_or_not_there(inbox, out):
    (inbox / "bad.csv").write_text("x\n" * 300_000, "utf-8")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))

    # In a process of its own, so that those which it reads in are limited, too.
    words = [sys.executable, "-m", "resultproc", "batch", inbox, "-o", out, "--from", "csv"]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limited)
    assert done.stderr == f"{out}/failed/bad.csv: it cannot be written: File too large\n"
    assert not [name for name in contents(out) if "failed" in name or "partial" in name]
    run([inbox], out, SETTINGS)
    assert (out / "failed" / "bad.csv").read_bytes() == (inbox / "bad.csv").read_bytes()


def test_a_ledger_of_an_older_version_is_begun_anew(inbox, out):
    out.mkdir()
    with closing(sqlite3.connect(out / "ledger.sqlite")) as ledger, ledger:
        ledger.execute("CREATE TABLE inputs (hash TEXT PRIMARY KEY, path TEXT, name TEXT, games INTEGER)")
        ledger.execute("INSERT INTO inputs VALUES ('0', 'game.csv', 'game', 1)")
    assert run([inbox], out, SETTINGS).games == 3
    assert run([inbox], out, SETTINGS).before == 3


WATCHED = Settings(None, ("json", "html"), {"rating": "club-open"}, shown=False, watched=True)
"""What `batch --watch --index` runs with."""


@pytest.fixture
def devices(tmp_path):
    (tmp_path / "devices").mkdir()
    return tmp_path / "devices" / "tonight.bws"


def look(devices: Path, out: Path, data: bytes, *, ago: float = 0) -> dict[str, object]:
    """Let the devices write, so many seconds ago, look once at their folder, and return the report's entry."""
    devices.write_bytes(data)
    now = devices.stat().st_mtime
    os.utime(devices, (now - ago, now - ago))
    run([devices.parent], out, WATCHED, settle=60)
    (entry,) = report(out)["inputs"]
    return entry


@pytest.mark.slow
def test_while_the_devices_are_watched_a_game_is_shown_as_it_stands(devices, out):
    """Two of five rounds and 3 results of the third: ranks by what is there, nothing awarded, nothing for a site."""
    entry = look(devices, out, one_game.bws(31))
    assert (entry["state"], entry["final"], entry["rulebooks"]) == ("done", False, {})
    assert [each["what"] for each in entry["remarks"] if each["code"] == "boards.awaited"] == [
        "the game is not over: 31 of its 70 results are there, and 2 of 5 rounds are over"
    ]
    page = (out / "tonight.html").read_text("utf-8")
    assert "not final" in page
    assert "Masterpoints" not in page
    (game,) = json.loads((out / "tonight.json").read_text("utf-8"))["games"]
    assert game["game"]["special"] == "unfinished"
    assert {each["masterpoints"] for each in game["contestants"]} == {"0.00"}
    assert not any(each["candidates"] for each in game["contestants"])
    assert read(out / "tonight.json").games["special"].tolist() == ["unfinished"]
    for side in ("N-S", "E-W"):
        sat = [each for each in game["contestants"] if each["direction"] == side]
        best = max(sat, key=lambda each: each["percentage"])
        assert best["positions"]["section"]["A"]["position"] == 1
    with Ledger(out) as ledger:
        assert held_back(ledger, ()) == set(ledger.entries)


@pytest.mark.slow
def test_what_the_devices_have_half_written_is_tried_again(devices, out):
    before = look(devices, out, one_game.bws(14))
    page = (out / "tonight.html").read_bytes()
    entry = look(devices, out, one_game.bws(20)[:9000])
    assert (entry["state"], entry["problems"]) == ("waiting", [])
    assert (out / "tonight.html").read_bytes() == page
    assert not (out / "failed").exists()
    again = look(devices, out, one_game.bws(20))
    assert (again["state"], before["state"]) == ("done", "done")
    assert (out / "tonight.html").read_bytes() != page


@pytest.mark.slow
def test_the_end_of_a_game_is_known_by_its_movement(devices, out):
    """All 70 results are there: it is awarded once nothing was changed for the time given, and not before."""
    look(devices, out, one_game.bws(60), ago=3600)
    assert "not final" in (out / "tonight.html").read_text("utf-8")
    entry = look(devices, out, one_game.bws())
    assert (entry["state"], entry["final"]) == ("waiting", False)
    assert "not final" in (out / "tonight.html").read_text("utf-8")
    entry = look(devices, out, one_game.bws(), ago=61)
    assert (entry["state"], entry["final"]) == ("done", True)
    page = (out / "tonight.html").read_text("utf-8")
    assert "not final" not in page
    assert "Masterpoints" in page
    with Ledger(out) as ledger:
        assert held_back(ledger, ()) == set()


@pytest.mark.slow
def test_a_game_that_ended_early_is_awarded_without_watching(devices, out):
    look(devices, out, one_game.bws(56), ago=3600)
    run([devices.parent], out, replace(WATCHED, watched=False))
    (entry,) = report(out)["inputs"]
    assert (entry["state"], entry["final"]) == ("done", False)  # no site gets it from a batch
    assert [each["code"] for each in entry["remarks"]] == ["boards.awaited", "scores.by-boards"]
    assert "Masterpoints" in (out / "tonight.html").read_text("utf-8")
    run([devices.parent], out, WATCHED)
    assert report(out)["inputs"][0]["state"] == "done_before"


def test_the_lock_of_an_open_database_or_workbook_is_no_results_file(tmp_path: Path) -> None:
    game = add(tmp_path / "in" / "club.csv", "club")
    for name in ("club.ldb", "Club.LACCDB", "~$club.xlsx"):
        (game.parent / name).write_bytes(bytes(64))
    done = command("batch", game.parent, "-o", tmp_path / "out")
    assert (done.status, results(tmp_path / "out")) == (0, ["club.json"])
    # Whoever names one means it.
    done = command("batch", game.with_name("club.ldb"), "-o", tmp_path / "other")
    assert done.status == 1
    assert "club.ldb: " in done.err
