"""A batch's games at results sites: final ones, allowed, each once; a site that is down keeps nobody else waiting."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import one_game
import pytest
from batches import GAME, contents
from conftest import ALL, PROJECT, Run, run, saved
from jsonschema import Draft202012Validator
from posted import PASSWORD, PostedSite, posted_site, site_file

import resultproc.publish.sending
from resultproc.publish.receipts import Receipts

SCHEMA = Draft202012Validator(json.loads(files("resultproc.batch").joinpath("report.schema.json").read_text("utf-8")))


class Night:
    """A folder of games, and the sites of its club: one that is posted to, and a folder."""

    def __init__(self, folder: Path, site: PostedSite) -> None:
        """Make two games of two days."""
        self.folder, self.site = folder, site
        self.inbox, self.www = folder / "in", folder / "www"
        self.inbox.mkdir()
        self.www.mkdir()
        self.own = site_file(folder / "testsite.toml", site.address)
        self.settings = folder / "club.toml"
        self.allow("true")
        self.write(1)
        self.write(2)

    def allow(self, word: str) -> None:
        """Write the settings; word: whether a batch may publish."""
        posted = f'[site.testsite]\nclub_id = "ourclub"\npublish = {word}\n'
        self.settings.write_text(f'{posted}[site.folder]\nfolder = "{self.www}"\npublish = {word}\n')

    def write(self, day: int, score: int = 25, **said: str) -> Path:
        """Write the game of a day; said: more of what its head declares."""
        text = GAME.format(name=f"of day {day}", score=score).replace("2012-04-18", f"2012-04-{day:02}")
        path = self.inbox / f"game{day}.csv"
        return saved(path, "".join(f"# {key}: {value}\n" for key, value in said.items()) + text)

    def run(self, *options: object, to: str = "") -> Run:
        """Run the batch."""
        receipts = self.folder / "receipts.sqlite"
        given = ("--settings", self.settings, "--publish", to or self.own, "--receipts", receipts)
        return run("batch", self.inbox, "-o", self.folder / "out", *given, *options)

    def report(self) -> list[dict[str, Any]]:
        """Return what the report says of the sites, and hold it against its schema."""
        report = json.loads((self.folder / "out" / "report.json").read_text("utf-8"))
        SCHEMA.validate(report)
        found: list[dict[str, Any]] = report["published"]
        return found

    def states(self) -> dict[str, str]:
        """Return what became of each file."""
        return {Path(each["file"]).stem: each["state"] for each in self.report()}

    def sent(self) -> list[str]:
        """Return the names of the files that were posted, in the order in which they came."""
        return [form["filename"].decode() for form in self.site.uploads()]


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Night]:
    """Return a night, while its site is there."""
    with posted_site(tmp_path) as (site, environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield Night(tmp_path, site)


def test_every_game_is_sent_once_and_the_report_has_the_receipts(night: Night) -> None:
    """The second night asks the site nothing."""
    done = night.run()
    assert done.status == 0, done.err
    assert "2 published, 0 not" in done.err
    assert night.sent() == ["20120401_1.csv", "20120402_1.csv"]
    first = night.report()
    assert [each["receipt"]["words"] for each in first] == ["Upload Successful"] * 2
    forms = len(night.site.forms)
    assert night.run().status == 0
    assert len(night.site.forms) == forms
    assert [{**each, "remarks": []} for each in first] == night.report()


@pytest.mark.slow
def test_a_damaged_ledger_sends_nothing_twice(night: Night) -> None:
    """It is kept under another name, and told; all is awarded again, and the receipts know what was sent."""
    ledger = night.folder / "out" / "ledger.sqlite"
    assert night.run("--to", "html", to=f"{night.own},folder").status == 0
    whole = ledger.read_bytes()
    spoilt = (
        b"",
        b"this is no ledger",
        whole[: len(whole) // 2],
        bytes(len(whole)),
        whole.replace(b"sha256 TEXT", b"sha255 TEXT"),
        whole.replace(b"people", b"p\xacople"),
    )
    for day, damaged in enumerate(spoilt, 3):
        ledger.write_bytes(damaged)
        there = {path: path.stat().st_mtime_ns for path in night.www.iterdir()}
        night.write(day)
        done = night.run("--to", "html", to=f"{night.own},folder")
        assert (done.status, "it is kept as ledger-damaged.sqlite" in done.err) == (0, True), (day, done.err)
        assert night.sent() == [f"201204{n:02}_1.csv" for n in range(1, day + 1)]
        assert {path: path.stat().st_mtime_ns for path in there} == there
        assert set(night.states().values()) == {"sent"}
        assert len(list(night.www.iterdir())) == len(there) + 1


def test_a_corrected_game_goes_again_and_a_new_one_goes(night: Night) -> None:
    """The others do not; what is as it was before its correction is a correction, too."""
    night.run()
    night.write(1, 35)
    night.write(3)
    assert night.run().status == 0
    assert night.sent()[2:] == ["20120401_1.csv", "20120403_1.csv"]
    night.write(1)
    assert night.run().status == 0
    assert night.sent()[4:] == ["20120401_1.csv"]


@pytest.mark.slow
def test_a_site_that_is_down_delays_its_files_and_no_others(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for one file alone, and gets all of them the next night."""
    monkeypatch.setattr("resultproc.publish.sending.time", SimpleNamespace(sleep=lambda _: None))
    night.site.faults_of_calendar = ["500"] * 20
    done = night.run(to=f"{night.own},folder")
    assert done.status == 5, done.err
    assert {each["state"] for each in night.report() if each["site"] == "testsite"} == {"delayed"}
    assert sorted(each.name for each in night.www.iterdir()) == ["game1.html", "game2.html"]
    assert len(night.site.forms) == 2  # the tries of one question
    night.site.faults_of_calendar = []
    assert night.run(to=f"{night.own},folder").status == 0
    assert set(night.states().values()) == {"sent"}
    assert len(night.sent()) == 2


def test_receipts_that_cannot_be_written_are_named(night: Night) -> None:
    saved(night.folder / "a file", "")
    receipts = night.folder / "a file" / "mine" / "receipts.sqlite"
    done = night.run("--receipts", receipts, to="folder")
    assert done.status == 6
    assert (
        f"game1.csv: {receipts}: it cannot be written: Not a directory (name another file with --receipts)" in done.err
    )


def test_one_that_may_have_arrived_is_asked_about_and_the_others_follow(night: Night) -> None:
    """A site that fails gets nothing more in that night."""
    night.site.faults = ["stored, then 500"]
    done = night.run()
    assert done.status == 5
    assert night.states() == {"game1": "begun", "game2": "delayed"}
    (problem,) = night.report()[1]["problems"]
    assert (problem["hint"], problem["code"]) == ("the next run sends it", "again.network")
    assert night.run().status == 5
    assert night.states() == {"game1": "begun", "game2": "sent"}
    assert night.sent() == ["20120401_1.csv", "20120402_1.csv"]


@pytest.mark.slow
def test_what_is_refused_keeps_no_other_game(night: Night) -> None:
    """The site's words are in the report, and the password is nowhere."""
    night.site.faults = ["wrong password"]
    assert night.run().status == 1
    assert night.states() == {"game1": "refused", "game2": "sent"}
    assert "invalid club or password" in night.report()[0]["receipt"]["words"]
    for path in night.folder.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


@pytest.mark.slow
def test_a_watched_folder_uploads_and_its_page_says_what_a_site_refuses(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page goes away when the club has the right password."""
    pause = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: _stop() if seconds == 7 else pause(seconds))
    for path in night.inbox.iterdir():
        os.utime(path, (0, 0))
    night.site.faults = ["wrong password"]
    assert night.run("--watch", "7").status == 130
    assert night.states() == {"game1": "refused", "game2": "sent"}
    page = (night.folder / "out" / "to-do.html").read_text("utf-8")
    assert "game1.csv" in page
    assert "invalid club or password" in page
    assert "game2.csv" not in page
    night.site.faults = []
    assert night.run("--watch", "7").status == 130
    assert set(night.states().values()) == {"sent"}
    assert not (night.folder / "out" / "to-do.html").exists()


def _stop() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("word", ["false", ""])
def test_a_batch_publishes_only_where_that_is_allowed(night: Night, word: str) -> None:
    """In the file that the user names, and not beside the games."""
    night.allow(word or "false")
    (night.inbox / "resultproc.toml").write_text("[site.testsite]\npublish = true\n")
    done = night.run()
    assert done.status == 1
    assert "publish = true below [site.testsite]" in done.err
    assert not night.site.forms
    assert not (night.folder / "out").exists()


@pytest.mark.parametrize("site", ["my-abf", "mempad", "acbl-live"])
def test_a_site_that_takes_files_from_people_gets_none_from_a_batch(night: Night, site: str) -> None:
    """It is told before anything is awarded."""
    night.settings.write_text(f"[site.{site}]\npublish = true\n")
    done = night.run(to=site)
    assert done.status == 1
    assert "takes files from people" in done.err


@pytest.mark.slow
def test_an_event_that_is_not_over_waits(night: Night) -> None:
    """It goes when it is."""
    rows = "".join(f"{number},Ann {number},Bob {number},{60 - number}\n" for number in range(1, 7))
    table = f"number,player1,player2,score\n{rows}"
    game = night.inbox / "game1.csv"
    head = "# date: 2008-05-03\n# rating: regional\n# tables: 3\n# boards: 26\n"
    game.write_text(f"{head}# sessions: 2\n# special: unfinished\n{table}")
    assert night.run(to="folder").status == 1
    assert night.states() == {"game1": "held", "game2": "sent"}
    assert "is not over" in night.report()[0]["problems"][0]["what"]
    game.write_text(head + table)
    assert night.run(to="folder").status == 0, night.report()
    assert night.states() == {"game1": "sent", "game2": "sent"}


@pytest.mark.slow
def test_of_two_files_with_one_game_none_goes(night: Night) -> None:
    """Nobody knows which is right; when one is taken away, the other goes."""
    saved(night.inbox / "game1-corrected.csv", night.write(1).read_text().replace(",25", ",35"))
    assert night.run().status == 1
    assert night.states() == {"game1": "held", "game1-corrected": "held", "game2": "sent"}
    (night.inbox / "game1.csv").unlink()
    assert night.run().status == 0
    assert night.states() == {"game1-corrected": "sent", "game2": "sent"}


@pytest.mark.slow
def test_what_was_changed_since_it_was_awarded_waits(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sent is what was awarded and listed, and not what somebody writes meanwhile."""
    import resultproc.batch.sent

    ready = resultproc.batch.sent.published

    def changing(*given: Any) -> Any:
        night.write(1, 35)
        return ready(*given)

    monkeypatch.setattr("resultproc.batch.run.published", changing)
    assert night.run().status == 5
    assert night.states() == {"game1": "held", "game2": "sent"}
    monkeypatch.undo()


@pytest.mark.slow
def test_a_file_that_cannot_be_awarded_is_not_sent(night: Night) -> None:
    """Nor is one with remarks, where those count as errors."""
    (night.inbox / "game1.csv").write_text("x\n")
    assert night.run().status == 1
    assert night.states() == {"game2": "sent"}


@pytest.mark.slow
def test_other_runs_with_the_receipts_delay_what_is_to_be_sent(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are awarded all the same."""
    connect = sqlite3.connect
    # The other one is given a second to end.
    monkeypatch.setattr(sqlite3, "connect", lambda path, **given: connect(path, **{**given, "timeout": 0.01}))
    with Receipts(night.folder / "receipts.sqlite"):
        assert night.run().status == 5
    assert night.states() == {"game1": "delayed", "game2": "delayed"}
    assert (night.folder / "out" / "game1.json").is_file()
    assert night.run().status == 0


WHOLE = ("--to", "html,json", "--index", "--players")
"""What makes the folder a site, with more in it than is for the public."""


def there(night: Night) -> dict[str, bytes]:
    """Return what the club's site has."""
    return contents(night.www)


@pytest.mark.slow
def test_a_folder_gets_the_whole_site_and_nothing_else(night: Night) -> None:
    """The list of all is the last; neither the report, the ledger, other formats nor what failed is there."""
    (night.inbox / "bad.csv").write_text("x\n")
    done = night.run(*WHOLE, to="folder")
    assert done.status == 1, done.err
    names = [each["file"] for each in night.report()]
    assert sorted(names) == sorted(there(night))
    assert {"game1.html", "game2.html", "months/2012-04.html", "index.html"} < set(names)
    assert len([name for name in names if name.startswith("players/")]) == 13  # Ann twice
    for name, content in there(night).items():
        assert (night.folder / "out" / name).read_bytes() == content
    with Receipts(night.folder / "receipts.sqlite") as receipts:
        assert receipts.of()[-1].name == "index.html"
        assert [each.state for each in receipts.of()] == ["sent"] * len(names)


@pytest.mark.slow
def test_another_night_sends_only_what_it_changed(night: Night) -> None:
    """The page before the new one has a new link; the first one stays as it is."""
    night.run(*WHOLE, to="folder")
    before = there(night)
    night.write(3)
    assert night.run(*WHOLE, to="folder").status == 0
    after = there(night)
    with Receipts(night.folder / "receipts.sqlite") as receipts:
        sent = [each.name for each in receipts.of()][len(before) :]
    assert sorted(sent) == sorted(name for name in after if before.get(name) != after[name])
    assert {"game3.html", "game2.html", "index.html"} <= set(sent)
    assert "game1.html" not in sent
    assert night.run(*WHOLE, to="folder").status == 0
    with Receipts(night.folder / "receipts.sqlite") as receipts:
        assert len(receipts.of()) == len(before) + len(sent)


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 3, 15])
def test_a_killed_night_is_finished_by_the_next(night: Night, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Its list does not go before what it leads to."""
    put = resultproc.publish.sending.put_file
    left = iter([True] * at)

    def killed(place: str, data: bytes) -> None:
        if not next(left, False):
            raise KeyboardInterrupt
        put(place, data)

    monkeypatch.setattr("resultproc.publish.sending.put_file", killed)
    night.run(*WHOLE, to="folder")
    assert len(there(night)) == at
    assert "index.html" not in there(night)
    monkeypatch.undo()
    assert night.run(*WHOLE, to="folder").status == 0
    assert {each["state"] for each in night.report()} == {"sent"}
    assert sorted(there(night)) == sorted(each["file"] for each in night.report())


def test_what_is_gone_is_removed_where_it_is_as_it_was_put(night: Night) -> None:
    """What somebody has changed there stays, and so does what is the club's own."""
    night.write(3)
    night.run(*WHOLE, to="folder")
    (night.www / "about.html").write_text("our club")
    (night.inbox / "game1.csv").unlink()
    assert night.run(*WHOLE, to="folder").status == 0
    removed = {each["file"]: each for each in night.report()}["game1.html"]
    assert (removed["state"], removed["receipt"]["words"]) == ("removed", "it is gone from the folder of results")
    (night.www / "game2.html").write_text("our own words")
    (night.inbox / "game2.csv").unlink()
    done = night.run(*WHOLE, to="folder")
    assert done.status == 1
    assert "was changed since it was put there (remove it there if it is not wanted)" in done.err
    assert night.states()["game2"] == "held"
    now = there(night)
    assert (now["about.html"], now["game2.html"], "game1.html" in now) == (b"our club", b"our own words", False)
    assert b"game1.html" not in now["index.html"]
    assert b"game2.html" not in now["index.html"]


@pytest.mark.slow
def test_a_night_that_fails_leaves_the_site_as_it_is(night: Night) -> None:
    """What was there is there until its files are mended, and the lists go on naming it."""
    night.run(*WHOLE, to="folder")
    before = {path.name: path.read_bytes() for path in night.www.rglob("*.html")}
    whole = (night.inbox / "game1.csv").read_text()
    (night.inbox / "game1.csv").write_text("number,player1,score\n1,Ann,many\n")
    done = night.run(*WHOLE, to="folder")
    assert done.status == 1
    assert "left as it is" in done.err
    assert {path.name: path.read_bytes() for path in night.www.rglob("*.html")} == before
    (night.inbox / "game1.csv").write_text(whole)
    assert night.run(*WHOLE, to="folder").status == 0
    assert {path.name: path.read_bytes() for path in night.www.rglob("*.html")} == before


def test_a_first_night_that_fails_sends_no_empty_list(night: Night) -> None:
    """An index without a game is no site."""
    for path in night.inbox.glob("*.csv"):
        path.write_text("number,player1,score\n1,Ann,many\n")
    assert night.run(*WHOLE, to="folder").status == 1
    assert not list(night.www.rglob("*.html"))


@pytest.mark.slow
def test_a_page_of_the_clubs_own_is_not_written_over(night: Night) -> None:
    """No list goes then, as it would lead there."""
    (night.www / "game1.html").write_text("our club")
    assert night.run(*WHOLE, to="folder").status != 0
    assert night.states()["game1"] == "held"
    assert there(night) == {"game1.html": b"our club"}


@pytest.mark.slow
def test_another_folder_of_results_does_not_replace_the_site(night: Night) -> None:
    """Each would send its own list every night."""
    night.run(*WHOLE, to="folder")
    before = there(night)
    night.write(1, 35)
    done = night.run(*WHOLE, "-o", night.folder / "other", to="folder")
    assert done.status == 1
    assert "of another folder of results" in done.err
    assert there(night) == before


def test_an_event_that_is_not_over_is_on_no_list_that_is_sent(night: Night) -> None:
    """It is when it is over; without the lists, the folder gets pages alone, and that is said."""
    text = (night.inbox / "game1.csv").read_text()
    rows = "".join(f"{number},Ann {number},Bob {number},{60 - number}\n" for number in range(1, 7))
    head = "# date: 2008-05-03\n# rating: regional\n# tables: 3\n# boards: 26\n# sessions: 2\n# special: unfinished\n"
    (night.inbox / "game1.csv").write_text(f"{head}number,player1,player2,score\n{rows}")
    assert night.run(*WHOLE, to="folder").status == 1
    assert night.states()["game1"] == "held"
    assert "game1.html" not in there(night)
    assert b"game1" not in b"".join(there(night).values())
    (night.inbox / "game1.csv").write_text(text)
    assert night.run(*WHOLE, to="folder").status == 0
    assert b"game1.html" in there(night)["index.html"]


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), WHOLE])
def test_a_game_of_the_devices_that_lacks_results_waits(night: Night, more: tuple[str, ...]) -> None:
    """It is awarded as it stands, where nobody watches; a site gets it when all results of its movement are there."""
    devices = night.inbox / "tonight.bws"
    for whole in (False, True):
        devices.write_bytes(one_game.bws() if whole else one_game.bws(60))
        night.run("--rating", "club-open", *more, to="folder")
        states = {Path(each["file"]).name: each["state"] for each in night.report()}
        assert ("tonight.html" in there(night)) == whole
        assert whole or states["tonight.bws"] == "held"
        assert "game1.html" in there(night)


@pytest.mark.slow
def test_a_folder_that_has_a_whole_site_gets_no_pages_beside_it(night: Night) -> None:
    """A run that forgets the lists changes nothing there, and says so; the next one goes on."""
    assert night.run(*WHOLE, to="folder").status == 0
    site = there(night)
    night.write(3)
    done = night.run(to="folder")
    assert done.status == 1
    assert "the folder has a whole site" in done.err
    assert there(night) == site
    assert night.run(*WHOLE, to="folder").status == 0
    assert b"game3.html" in there(night)["index.html"]


@pytest.mark.slow
def test_without_the_lists_it_is_said_that_pages_go_alone(night: Night) -> None:
    """A club that wants a site learns how to get one."""
    assert "no list of them: --index" in night.run(to="folder").err
    assert sorted(there(night)) == ["game1.html", "game2.html"]


@pytest.mark.slow
def test_runs_that_are_killed_send_nothing_twice() -> None:
    """A few of the kills of scripts/break-publish, and a hundred where all is tried."""
    times, many = ("100", "20") if ALL else ("1", "4")
    command = [sys.executable, PROJECT / "scripts" / "break-publish", "--times", times, "--files", many]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith(f"{times} times {many} files: ")
    assert done.stdout.endswith("\n0 things are wrong\n")
