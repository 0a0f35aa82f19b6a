"""A folder that works by itself: what is dropped into it is awarded, and what is to be mended is on a page."""

import os
import subprocess
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from batches import GAME
from browser import FITS, MEASURE, needs_browser, opened
from conftest import ALL, PROJECT
from conftest import run as command
from lxml import html

from resultproc.batch.chunks import Settings
from resultproc.batch.run import run
from resultproc.batch.todo import report_page, to_do_page
from resultproc.formats.found import Glance
from resultproc.model.errors import BlockedError

SETTINGS = Settings(None, ("html", "xlsx"), {}, watched=True)

WRONG = {
    "a score": (",40\n", ",4o\n", "line 10, column 7", "invalid number: '4o'", "is it 40?"),
    "no rating": ("# rating: club-open\n", "", "", "rating is not declared", "# rating: club-open"),
    "a stratum": ("Bob,A,", "Bob,D,", "line 7", "unknown stratum D", "correct the letter"),
    "a date": ("-04-", "-14-", "line 2", "date: invalid date", "2012-04-18"),
}
"""What is wrong in four files of a month: what to replace by what, where that is, what is said of it, and the hint."""


def games() -> list[str]:
    """Return a month of games, one for each weekday; a week of them where not all is tried."""
    first = date(2012, 4, 1)
    return [
        GAME.format(name=day, score=45 + day / 4).replace("2012-04-18", str(first + timedelta(day)))
        for day in range(22 if ALL else 8)
    ]


def to_do(out: Path) -> list[list[str]]:
    """Return the rows of the page of what is to be mended; none where it is not there."""
    page = out / "to-do.html"
    if not page.exists():
        return []
    rows = html.document_fromstring(page.read_bytes()).xpath("//tbody/tr")
    return [[" ".join(cell.text_content().split()) for cell in row.xpath("th|td")] for row in rows]


def drop(inbox: Path, out: Path, name: str, text: str) -> None:
    """Put a file into the folder, and look at it once, as watching does."""
    (inbox / name).write_text(text, "utf-8")
    run([inbox], out, SETTINGS)


@pytest.mark.slow
def test_a_month_dropped_into_a_watched_folder_is_awarded_as_the_command_line_does(tmp_path: Path) -> None:
    """Four of them are wrong: each is on the page right after it came, and off it right after it is mended."""
    inbox, out, one = tmp_path / "in", tmp_path / "out", tmp_path / "one"
    inbox.mkdir(), one.mkdir()
    wrong = dict(zip((1, 3, 6, 7), WRONG.values(), strict=True))
    waiting: list[str] = []
    for day, text in enumerate(games()):
        name = f"game-{day}.csv"
        if day not in wrong:
            drop(inbox, out, name, text)
            assert [row[0] for row in to_do(out)] == waiting
            continue
        old, new, where, what, hint = wrong[day]
        assert old in text
        drop(inbox, out, name, text.replace(old, new, 1))
        waiting = sorted([*waiting, name])
        assert [row[0] for row in to_do(out)] == waiting
        (row,) = [row for row in to_do(out) if row[0] == name]
        assert where in row[1], row
        assert what in row[2], row
        assert hint in row[3], row
        assert not (out / f"game-{day}.html").exists()
    for day in wrong:
        drop(inbox, out, f"game-{day}.csv", games()[day])
        waiting.remove(f"game-{day}.csv")
        assert [row[0] for row in to_do(out)] == waiting
    assert not (out / "to-do.html").exists()
    assert command("batch", inbox, "-o", one, "--to", "html,xlsx").status == 0
    first = sorted(inbox.iterdir())[0]
    alone = command("award", first, "-o", tmp_path / "alone.html")
    assert (tmp_path / "alone.html").read_bytes() == (out / f"{first.stem}.html").read_bytes(), alone.err
    names = {path.name for path in one.glob("game-*.*") if path.suffix in {".html", ".xlsx"}}
    assert len(names) == 2 * len(games())
    assert {name for name in names if (one / name).read_bytes() != (out / name).read_bytes()} == set()


def test_the_page_stays_away_where_nobody_watches_and_goes_when_a_file_goes(tmp_path: Path) -> None:
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    text = games()[0].replace("Bob,A,", "Bob,D,")
    drop(inbox, out, "first.csv", text)
    drop(inbox, out, "second.csv", games()[1])
    assert [row[0] for row in to_do(out)] == ["first.csv"]
    page = (out / "to-do.html").stat().st_mtime_ns
    run([inbox], out, SETTINGS)
    assert (out / "to-do.html").stat().st_mtime_ns == page  # what is as it was is left so
    (inbox / "first.csv").unlink()
    run([inbox], out, SETTINGS)
    assert to_do(out) == []
    drop(inbox, out, "first.csv", text)
    assert to_do(out)
    run([inbox], out, Settings(None, ("html", "xlsx"), {}))
    assert to_do(out) == []


def test_what_is_doubtful_stays_on_the_page_until_it_is_mended(tmp_path: Path) -> None:
    """A player who sits twice is likely a mistake; that nobody says the tables is none, and leaves no page."""
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    whole = games()[0]
    twice = whole.replace("Cat,", "Ida Elm,").replace("Eve,", "Ida Elm,")
    drop(inbox, out, "tuesday.csv", whole.replace("# tables: 3\n", ""))
    assert not (out / "to-do.html").exists()
    for _ in range(2):  # in a night where nothing changed as well
        drop(inbox, out, "tuesday.csv", twice)
        ((file, where, what, _),) = to_do(out)
        assert (file, where) == ("tuesday.csv", "line 9")
        assert "Ida Elm is in this game twice" in what
    page = html.document_fromstring((out / "to-do.html").read_bytes())
    (link,) = page.xpath("//tbody//a/@href")
    assert link == f"http://127.0.0.1:8417/from?{urlencode({'file': inbox / 'tuesday.csv'})}"
    drop(inbox, out, "tuesday.csv", whole)
    assert to_do(out) == []
    # Its corrected file beside it is another version of the same game.
    drop(inbox, out, "tuesday corrected.csv", whole.replace(",45.0\n", ",44\n"))
    assert len(to_do(out)) == 1


def test_a_page_of_somebody_elses_is_left_and_a_game_of_its_name_has_another(tmp_path: Path) -> None:
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir(), out.mkdir()
    (out / "to-do.html").write_text("milk, bread", "utf-8")
    (inbox / "to-do.csv").write_text(games()[0], "utf-8")
    assert command("batch", inbox, "-o", out, "--to", "html").status == 0  # where there is nothing to do
    with pytest.raises(BlockedError, match=r"to-do.html is no page of this program's, and is not written over"):
        drop(inbox, out, "wrong.csv", games()[1].replace("Bob,A,", "Bob,D,"))
    assert (out / "to-do.html").read_text("utf-8") == "milk, bread"
    assert (out / "to-do.csv.html").exists()


def test_a_game_that_is_not_over_is_nothing_to_mend() -> None:
    """It is held back from a site until its last results come in, and the devices' folder is watched for them."""
    held = {"where": "", "what": "this event is not over", "hint": "wait", "code": "site.not-final"}
    refused = held | {"what": "the site refuses it", "code": "site.refuses"}
    assert to_do_page([{"file": "tonight.bws", "problems": [held]}]) == b""
    assert b"the site refuses it" in to_do_page([{"file": "tonight.bws", "problems": [refused]}])


def test_files_that_are_no_games_are_one_line_and_not_many(tmp_path: Path) -> None:
    """A scoring program may have hundreds of others beside its games."""
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    for number in range(12):
        (inbox / f"program-{number:02}.dll").write_bytes(b"MZ\0\1" * 9 + bytes([number]))
    drop(inbox, out, "game.csv", games()[0])
    assert to_do(out) == []
    said = html.document_fromstring((out / "to-do.html").read_bytes()).text_content()
    assert "12 files are in no format that can be read: program-00.dll, program-01.dll" in said
    assert "program-09.dll and 2 more. Take out what is no game, and save a game as text" in said
    assert "program-10.dll" not in said
    drop(inbox, out, "wrong.csv", games()[1].replace("Bob,A,", "Bob,D,"))
    assert [row[0] for row in to_do(out)] == ["wrong.csv"]


def test_a_folder_that_is_away_for_a_while_does_not_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a disk of the network: the next look goes on, and what came meanwhile is awarded."""
    inbox, out, away = tmp_path / "in", tmp_path / "out", tmp_path / "away"
    numbers, hidden = tmp_path / "numbers", tmp_path / "hidden"
    inbox.mkdir(), numbers.mkdir()

    def put(name: str, text: str) -> None:
        (inbox / name).write_text(text, "utf-8")
        os.utime(inbox / name, (0, 0))  # long ago

    def come_back() -> None:
        away.rename(inbox)
        numbers.rename(hidden)
        put("second.csv", games()[1])

    steps = iter([lambda: inbox.rename(away), lambda: None, come_back, lambda: None, lambda: hidden.rename(numbers)])

    def sleep(_: float) -> None:
        if (step := next(steps, None)) is None:
            raise KeyboardInterrupt
        step()

    put("first.csv", games()[0])
    monkeypatch.setattr(time, "sleep", sleep)
    metrics = ("--metrics", numbers / "batch.prom")
    done = command("batch", inbox, "-o", out, "--watch", "1", "--to", "html", *metrics)
    assert done.status == 130
    assert done.err.count("there is no such file or folder") == 1
    assert (out / "second.html").exists()
    assert done.err.count("batch.prom: it cannot be written") == 1
    assert "resultproc_batch_games 2.0" in (numbers / "batch.prom").read_text("ascii")
    hidden.touch()
    done = command("batch", inbox, "-o", out, "--watch", "1", "--metrics", hidden / "batch.prom")
    assert done.status == 6
    away.mkdir()
    done = command("batch", away / "nowhere", "-o", out, "--watch", "1")
    assert done.status == 1  # at the first look it is a slip


@pytest.mark.skipif(os.name == "nt", reason="for a shell")
@pytest.mark.parametrize("name", ["watch.sh", "watch.command"])
@pytest.mark.parametrize("sites", ["", "folder"])
def test_a_double_click_starts_it(name: str, sites: str, tmp_path: Path) -> None:
    """What the scripts start is told by a program of that name; it is one that the command line takes."""
    (tmp_path / "resultproc").write_text('#!/bin/sh\nfor each; do echo "$each"; done\n', "utf-8")
    (tmp_path / "resultproc").chmod(0o755)
    here = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path), "SITES": sites}
    done = subprocess.run([PROJECT / "scripts" / name], env=here, capture_output=True, text=True, check=True)
    games, results = tmp_path / "Bridge" / "games", tmp_path / "Bridge" / "results"
    assert games.is_dir()
    assert results.is_dir()
    asked = ["batch", str(games), "-o", str(results), "--to", "html,xlsx", "--index", "--watch", "20"]
    asked += ["--publish", sites, "--settings", f"{games}/resultproc.toml"] if sites else []
    assert done.stdout.splitlines()[2:] == asked
    bat = (PROJECT / "scripts" / "watch.bat").read_text("utf-8")
    for option in asked[5:9]:
        assert bat.count(option) == 2  # as a command, and in the project
    assert '--publish "%SITES%" --settings "%GAMES%\\resultproc.toml"' in bat


@pytest.mark.slow
def test_a_batch_that_writes_pages_has_a_page_of_its_report(tmp_path: Path) -> None:
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    (inbox / "right.csv").write_text(games()[0], "utf-8")
    (inbox / "wrong.csv").write_text(games()[1].replace("Bob,A,", "Bob,D,"), "utf-8")
    pages = Settings(None, ("html",), {})
    run([inbox], out, pages)
    page = out / "batch-report.html"
    tree = html.document_fromstring(page.read_bytes())
    assert [each.text for each in tree.findall(".//ul/li")] == ["2 files", "1 game", "1 failed"]
    row, done = ([cell.text_content() for cell in row] for row in tree.findall(".//tbody/tr"))
    assert row[0].endswith("wrong.csv")
    assert "D" in row[2]
    assert any("right" in text for text in done)
    stamped = page.stat().st_mtime_ns
    run([inbox], out, pages)
    assert page.stat().st_mtime_ns == stamped  # what was done before is told as what is done now
    run([inbox], out, Settings(None, ("json",), {}))
    assert not page.exists()
    page.write_text("milk, bread", "utf-8")
    with pytest.raises(BlockedError, match=r"batch-report.html is no page of this program's"):
        run([inbox], out, pages)
    assert page.read_text("utf-8") == "milk, bread"


@needs_browser
def test_the_page_of_a_report_fits_however_long_a_word_is(tab: Any, tmp_path: Path) -> None:
    """A cell of a file may be one word of 300 letters, and a message quotes it."""
    name = "a folder/right.csv"
    told = {"where": "line 6", "what": f"invalid number: '{'x' * 300}'; write it as 133", "hint": ""}
    doubt = {"where": name, "what": "no pair of this game has two players", "hint": "write both players"}
    entry = {"file": name, "problems": [told], "remarks": [doubt]}
    page = report_page(
        {"inputs": [], "failures": [entry], "published": [], "remarks": [entry], "same_content": [], "left": []}
    )
    for width in (390, 768, 1280):
        assert opened(tab, page, tmp_path, width).evaluate(MEASURE) == FITS
    failed, doubtful = html.document_fromstring(page).xpath("//tbody/tr")
    assert [each.text for each in failed][1:] == ["line 6", told["what"].partition(";")[0], "write it as 133"]
    assert [each.text or "" for each in doubtful][1:] == ["", doubt["what"], doubt["hint"]]
    assert [each.get("data-l") for each in doubtful][3] == "What would settle it: "


def test_a_look_at_ten_thousand_files_opens_none_and_sees_what_changes(tmp_path: Path) -> None:
    """The bound is twice what is promised: others may be at work on the machine."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(10_000):
        (folder / f"Wednesday Pairs {number}.csv").touch()
    glance = Glance([folder])
    took = []
    for _ in range(9):
        start = time.process_time()
        assert glance.is_same()
        took.append(time.process_time() - start)
    assert min(took) < 0.04
    (folder / "Wednesday Pairs 77.csv").write_text("1", "utf-8")  # in its place: the folder looks as it did
    assert not all(glance.is_same() for _ in range(3))
    for change in ((folder / "new.csv").touch, (folder / "new.csv").unlink):
        glance = Glance([folder])
        change()
        assert not glance.is_same()


def test_nothing_is_done_again_while_no_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    runs: list[int] = []

    def put(name: str, number: int) -> None:
        (inbox / name).write_text(games()[number], "utf-8")
        os.utime(inbox / name, (0, 0))  # long ago

    def sleep(_: float) -> None:
        runs.append((out / "report.json").stat().st_mtime_ns)  # which every run writes
        if len(runs) == 5:
            put("second.csv", 1)
        if len(runs) == 9:
            raise KeyboardInterrupt

    put("first.csv", 0)
    monkeypatch.setattr(time, "sleep", sleep)
    assert command("batch", inbox, "-o", out, "--watch", "1", "--to", "html").status == 130
    assert (out / "second.html").exists()
    # One run for each of the two files, and none for the looks between.
    assert (len(set(runs[:5])), len(set(runs))) == (1, 2)
