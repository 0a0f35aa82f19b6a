"""Results to results sites: sent once, never reported as sent where nobody knows, and nothing said of passwords."""

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import FIXTURES, Run, run, saved
from posted import PASSWORD, PostedSite, posted_site, site_file

from resultproc.formats.read import read

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"


class Club:
    """A club with a game, settings, and a site."""

    def __init__(self, folder: Path, site: PostedSite) -> None:
        """Make its folder."""
        self.folder, self.site = folder, site
        self.game = folder / "game.csv"
        shutil.copyfile(WEDNESDAY, self.game)
        shutil.copyfile(WEDNESDAY.with_suffix(".toml"), self.game.with_suffix(".toml"))
        self.own = site_file(folder / "testsite.toml", site.address)
        self.settings = folder / "sites-of-the-club.toml"
        self.settings.write_text('[site.testsite]\nclub_id = "myclub"\n[site.folder]\nfolder = "www"\n')
        (folder / "www").mkdir()

    def publish(self, *options: object, to: str = "", games: tuple[Path, ...] = ()) -> Run:
        """Publish its game."""
        given = ("--settings", self.settings, "--receipts", self.folder / "receipts.sqlite")
        return run("publish", *(games or [self.game]), "--for", to or self.own, *given, *options)

    def receipts(self) -> list[dict[str, Any]]:
        """Return all receipts."""
        printed = run("sites", "receipts", "--receipts", self.folder / "receipts.sqlite", "--to", "json").printed
        found: list[dict[str, Any]] = json.loads(printed)["receipts"]
        return found

    def states(self) -> list[str]:
        """Return what became of each file."""
        return [each["state"] for each in self.receipts()]

    def correct(self) -> None:
        """Correct a name."""
        text = self.game.read_text()
        name = next(line for line in text.splitlines() if line[:1].isdigit() or line[:2] in ("A,", "B,"))
        first = next(word for word in name.replace(",", " ").split() if len(word) > 3 and word.isalpha())
        self.game.write_text(text.replace(first, first + "son", 1))


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """Return a club, while its site is there."""
    with posted_site(tmp_path) as (site, environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield Club(tmp_path, site)


@pytest.mark.slow
def test_a_game_is_posted_to_the_event_of_its_day(club: Club) -> None:
    """The form has what the site's page names, and the receipt the site's own words."""
    done = club.publish("--yes")
    assert done.status == 0, done.err
    (form,) = club.site.uploads()
    names = ("club", "password", "type", "filename", "event_id")
    assert [form[name].decode() for name in names] == ["myclub", PASSWORD, "upload", "20120418_1.csv", "1"]
    assert b"Wed" in form["data"]
    calendar = club.site.forms[0]
    expected = [b"upload", b"events", b"20120418", b"json"]
    assert [calendar[name] for name in ("type", "transfer", "date", "format")] == expected
    (receipt,) = club.receipts()
    assert (receipt["state"], receipt["words"]) == ("sent", "Upload Successful")
    assert len(receipt["sha256"]) == 64
    assert receipt["ended"] >= receipt["begun"] > "2026"


@pytest.mark.slow
def test_what_was_sent_is_not_sent_again_and_a_correction_is(club: Club) -> None:
    """What was sent is known by its content; a correction takes the place of the first file."""
    assert club.publish("--yes").status == 0
    again = club.publish("--yes")
    assert again.status == 0
    assert "was there before" in again.out
    assert len(club.site.uploads()) == 1
    club.correct()
    assert club.publish("--yes").status == 0
    assert [form["filename"] for form in club.site.uploads()] == [b"20120418_1.csv"] * 2
    assert club.states() == ["sent", "sent"]


@pytest.mark.slow
def test_a_site_that_replaces_nothing_gets_no_correction(club: Club) -> None:
    """It is told with the command that lists who loses by it."""
    club.own.write_text(club.own.read_text().replace("replaces = true", "replaces = false"))
    assert club.publish("--yes").status == 0
    club.correct()
    refused = club.publish("--yes")
    assert refused.status == 1
    assert "resultproc amend" in refused.err
    assert len(club.site.uploads()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "state", "status"),
    [
        ("login", "begun", 5),
        ("empty", "begun", 5),
        ("500", "begun", 5),
        ("stored, then 500", "begun", 5),
        ("stored, then cut", "begun", 5),
        ("cut", "begun", 5),
        ("hang", "begun", 5),
        ("drip", "begun", 5),
        ("endless", "begun", 5),
        ("redirect", "begun", 5),
        ("login with a script", "begun", 5),
        ("without a message", "begun", 5),
        ("500 that says so", "begun", 5),
        ("password in a page", "begun", 5),
        ("slow head", "begun", 5),
        ("packed", "begun", 5),
        ("garbled", "begun", 5),
        ("unsuccessful", "refused", 1),
        ("not so", "refused", 1),
        ("two messages", "refused", 1),
        ("half a message", "refused", 1),
        ("password", "refused", 1),
        ("403 that says so", "refused", 1),
        ("french", "refused", 1),
        ("wrong password", "refused", 1),
        ("403", "refused", 1),
    ],
)
def test_what_goes_wrong_is_never_reported_as_sent(club: Club, fault: str, state: str, status: int) -> None:
    """Where nobody knows, somebody is asked; nothing is sent a second time by itself."""
    club.site.faults = [fault]
    if fault in {"hang", "drip", "slow head"}:  # until nobody waits any more
        club.own.write_text(club.own.read_text().replace("seconds = 2", "seconds = 1"))
    begun = time.monotonic()
    done = club.publish("--yes")
    assert time.monotonic() - begun < 10
    receipts = club.receipts()
    assert (done.status, [each["state"] for each in receipts]) == (status, [state])
    assert " is there" not in done.out
    assert PASSWORD not in done.out + done.err + json.dumps(receipts)
    assert "s3cret" not in done.out + done.err + json.dumps(receipts)
    assert len(club.site.uploads()) == 1
    if fault in {"500", "cut"}:  # what is begun by another fault is no other for the next run
        assert club.publish("--yes").status == 5
        assert len(club.site.uploads()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "state"), [("french", "begun"), ("two messages", "begun"), ("wrong password", "refused")]
)
def test_other_words_leave_open_whether_it_arrived_where_nothing_is_replaced(
    club: Club, fault: str, state: str
) -> None:
    """What a site is known to say where it refuses stands in its file; of all else somebody is asked."""
    text = club.own.read_text().replace("replaces = true", "replaces = false")
    club.own.write_text(text.replace("[send]\n", '[send]\nrefused = ["invalid club or password"]\n'))
    club.site.faults = [fault]
    club.publish("--yes")
    assert club.states() == [state]
    club.publish("--yes")
    assert len(club.site.uploads()) == (1 if state == "begun" else 2)


def test_who_looked_says_whether_it_is_there(club: Club) -> None:
    """The game goes again, or is then known to be there."""
    club.site.faults = ["stored, then 500"] * 2
    for seen, status, uploads in ((), 5, 1), (("--unsure", "again"), 5, 2), (("--unsure", "sent"), 0, 2):
        assert club.publish("--yes", *seen).status == status
        assert len(club.site.uploads()) == uploads
    assert club.states()[-1] == "sent"
    assert "was there before" in club.publish("--yes").out


def without_pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let a site be asked again at once; return a list that comes to have how long would have been waited."""
    pauses: list[float] = []
    monkeypatch.setattr("resultproc.publish.sending.time", SimpleNamespace(sleep=pauses.append))
    return pauses


def test_the_calendar_is_asked_again_with_pauses(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking changes nothing; where there is no answer at all, nothing is sent."""
    pauses = without_pauses(monkeypatch)
    club.site.faults_of_calendar = ["500"]
    assert club.publish("--yes").status == 0
    club.site.faults_of_calendar = ["500", "login"]
    club.correct()
    down = club.publish("--yes")
    assert down.status == 5
    assert len(club.site.uploads()) == 1
    # Each run asks for its calendar twice, and the first one sends what it has; half a second before the second try.
    assert pauses == [0, 0.5, 0, 0, 0.5]


@pytest.mark.slow
def test_a_site_that_is_not_there_is_told(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was sent: the next run sends it."""
    without_pauses(monkeypatch)
    club.own.write_text(club.own.read_text().replace(club.site.address, "https://127.0.0.1:9/api.cgi"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RESULTPROC_PASSWORD_127_0_0_1__3A9", PASSWORD)
        done = club.publish("--yes")
    assert done.status == 5
    assert "again.network" in club.publish("--yes", "--errors", "json").err or done.err


@pytest.mark.parametrize("events", [{}, {"1": "Monday", "2": "Wed 1:00 Open Pairs"}, {"1": "A", "2": "B"}])
def test_the_event_is_found_by_its_name(club: Club, events: dict[str, str]) -> None:
    """A day without events has none; of several the one that is called so, else it is asked."""
    club.site.events = events
    done = club.publish("--yes")
    if "A" in events.values():
        assert done.status == 1
        assert "'A', 'B'" in done.err
        assert not club.site.uploads()
    else:
        (form,) = club.site.uploads()
        assert form.get("event_id") == (b"2" if events else None)


@pytest.mark.slow
def test_two_games_of_one_name_do_not_replace_each_other(club: Club) -> None:
    """Another game of the same day and event is refused, in one run and in the next."""
    other = saved(club.folder / "other.csv", club.game.read_text().replace("Wednesday Aft", "Wednesday Eve"))
    shutil.copyfile(club.game.with_suffix(".toml"), other.with_suffix(".toml"))
    both = club.publish("--yes", games=(club.game, other))
    assert both.status == 1, both
    assert "which this would replace" in both.err
    assert len(club.site.uploads()) == 1
    assert "which this would replace" in club.publish("--yes", games=(other,)).err


@pytest.mark.slow
def test_deals_go_beside_the_results(club: Club) -> None:
    """A file of deals is sent under the name of the results."""
    deals = club.folder / "tonight.dlm"
    content = b"[Document]\r\nFrom board=1\r\nTo board=1\r\nBoard 01=jlifaelnecgmoldfjmcflinlap023\r\n"
    deals.write_bytes(content)
    assert club.publish("--yes", "--deals", deals).status == 0
    (form,) = club.site.uploads()
    assert (form["dealname"], form["dealdata"]) == (b"20120418_1.dlm", content)
    assert club.publish("--yes", "--deals", club.game).status == 1
    deals.write_bytes(content.replace(b"023", b"024"))
    assert "tonight.dlm: line 4: this is not a deal, or it is damaged" in club.publish("--yes", "--deals", deals).err


def test_a_dry_run_shows_everything_but_the_password_and_asks_nobody(club: Club) -> None:
    """Not even the site. A file of deals in bytes that are no UTF-8 is shown as well as it can be."""
    deals = club.folder / "tonight.pbn"
    hands = b"AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    deals.write_bytes(b'[Board "1"]\n[Site "Orl\xe9ans"]\n[Deal "N:%b"]\n' % hands)
    shown = club.publish("--dry-run", "--deals", deals).printed
    assert 'dealdata =\n      [Board "1"]\n      [Site "Orl\N{REPLACEMENT CHARACTER}ans"]\n' in shown
    assert "password = (not shown)" in shown
    assert "type = upload" in shown
    assert "transfer = events" in shown
    assert PASSWORD not in shown
    assert not club.site.forms
    assert not (club.folder / "receipts.sqlite").exists()
    assert not list(Path().glob(":memory:*"))


def test_without_a_terminal_it_takes_yes(club: Club) -> None:
    """Nothing is sent where nobody agreed."""
    done = club.publish()
    assert done.status == 2
    assert "--yes" in done.err
    assert not club.site.forms


def test_nothing_beside_a_game_says_where_it_goes(club: Club) -> None:
    """The folder of games cannot send results elsewhere: only a file that the user names can."""
    (club.folder / "resultproc.toml").write_text('[site.folder]\nfolder = "elsewhere"\npublish = true\n')
    (club.folder / "elsewhere").mkdir()
    club.settings.write_text("")
    refused = club.publish("--yes", to="folder")
    assert refused.status == 1
    assert "nothing says the folder" in refused.err
    assert "write folder = " in refused.err
    assert not list((club.folder / "elsewhere").iterdir())


@pytest.mark.slow
def test_the_password_is_in_no_receipt_and_no_file(club: Club) -> None:
    """Neither in those of a failure."""
    club.site.faults = ["wrong password"]
    club.publish("--yes", "--errors", "json")
    club.publish("--yes")
    for path in club.folder.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes()


def test_the_password_is_bound_to_the_host(club: Club) -> None:
    """Another site of the user's gets none of it."""
    other = site_file(club.folder / "othersite.toml", "https://localhost:9/api.cgi")
    club.settings.write_text('[site.othersite]\nclub_id = "myclub"\n')
    done = club.publish("--yes", to=str(other))
    assert done.status == 1
    assert "no password of myclub for localhost:9" in done.err


@pytest.mark.parametrize(("host", "variable"), [("a-b.example", "A__2DB_EXAMPLE"), ("a.b.example", "A_B_EXAMPLE")])
def test_hosts_that_look_alike_have_passwords_of_their_own(club: Club, host: str, variable: str) -> None:
    """What is kept for the one is not sent to the other."""
    other = site_file(club.folder / "othersite.toml", f"https://{host}/api.cgi")
    club.settings.write_text('[site.othersite]\nclub_id = "myclub"\n')
    done = club.publish("--yes", to=str(other))
    assert done.status == 1
    assert f"in the variable RESULTPROC_PASSWORD_{variable})\n" in done.err


@pytest.mark.slow
def test_a_certificate_that_nobody_vouches_for_is_refused(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is not sent."""
    monkeypatch.delenv("SSL_CERT_FILE")
    without_pauses(monkeypatch)
    done = club.publish("--yes")
    assert done.status == 5
    assert "certificate" in done.err.lower()
    assert not club.site.forms


def test_only_https_is_posted_to(club: Club) -> None:
    """A site of one's own cannot send a password in the clear."""
    club.own.write_text(club.own.read_text().replace("https://127.0.0.1:", "http://127.0.0.1:"))
    assert "https://" in club.publish("--yes").err


@pytest.mark.slow
def test_a_folder_gets_whole_files_that_are_read_back(club: Club) -> None:
    """It is known by itself whether a file is there."""
    assert club.publish("--yes", to="folder").status == 0
    page = club.folder / "www" / "game.html"
    assert b"</html>" in page.read_bytes()
    assert [each.name for each in page.parent.iterdir()] == ["game.html"]
    with sqlite3.connect(club.folder / "receipts.sqlite") as receipts:
        receipts.execute("UPDATE receipts SET state = 'begun'")
    receipts.close()
    page.unlink()
    assert club.publish("--yes", to="folder").status == 0
    assert page.is_file()
    assert club.states() == ["failed", "sent"]


def test_a_folder_that_is_not_there_is_told(club: Club) -> None:
    """Nothing is made where the user meant something else."""
    (club.folder / "www").rmdir()
    done = club.publish("--yes", to="folder")
    assert done.status == 5
    assert "no such folder" in done.err


def test_a_far_folder_is_one_too(club: Club) -> None:
    """Wherever fsspec reaches."""
    club.settings.write_text('[site.folder]\nfolder = "memory://results"\n')
    assert club.publish("--yes", to="folder").status == 0
    import fsspec

    assert fsspec.filesystem("memory").cat("/results/game.html").startswith(b"<!DOCTYPE html>")


def test_a_mail_is_written_for_the_clubs_own_program(club: Club) -> None:
    """It opens there as one that is to be sent, with the file attached."""
    import email.policy

    club.settings.write_text('[site.mempad]\nmail = "results@example.org"\n')
    done = club.publish("--yes", to="mempad")
    assert done.status == 0
    mail = email.message_from_bytes((club.folder / "game-mempad.eml").read_bytes(), policy=email.policy.default)
    assert (mail["To"], mail["X-Unsent"]) == ("results@example.org", "1")
    (attached,) = mail.iter_attachments()
    assert attached.get_filename() == "game.xml"
    assert attached.get_content().startswith(b"<?xml")
    assert "now you" in done.out


def test_a_site_without_an_interface_gets_the_file_and_the_steps(club: Club) -> None:
    """The lines say where to upload it."""
    done = club.publish("--yes", "--scoring", "matchpoints", to="my-abf")
    assert done.status == 0
    assert (club.folder / "game-my-abf.xml").is_file()
    assert "Log in" in done.out


@pytest.mark.slow
def test_sites_that_take_a_game_in_forms_of_their_own_get_files_of_their_own(club: Club) -> None:
    """My ABF reads a flat file, Pianola a nested one. Of one name that the user gives both, the second is refused."""
    options = ("--yes", "--scoring", "matchpoints")
    assert club.publish(*options, to="pianola,my-abf").status == 0
    flat, nested = ((club.folder / f"game-{site}.xml").read_text() for site in ("my-abf", "pianola"))
    assert ("<SECTION " in flat, "<SECTION " in nested) == (False, True)
    alike = club.publish(*options, "--name", "results", to="pianola,my-abf")
    assert alike.status == 1
    assert "its file for My ABF would replace that for Pianola" in alike.err
    assert (club.folder / "results.xml").read_text() == nested


@pytest.mark.parametrize(("site", "goes"), [("my-ebu", True), ("folder", False)])
@pytest.mark.parametrize("printed", [True, False])
def test_what_another_program_has_computed_goes_as_it_is(club: Club, site: str, goes: bool, printed: bool) -> None:
    """A file without a rating that prints points, or goes to a site of another league: those are not paid here."""
    names = [("Ann Ash", "Bob Birch"), ("Cy Cedar", "Di Dogwood"), ("Ed Elm", "Flo Fir"), ("Gus Gum", "Hal Holly")]
    rows = [
        f"{n},{one},{100000 + n},{two},{200000 + n},{60 - 5 * n},{0.4 - n / 10:.2f}"
        for n, (one, two) in enumerate(names, 1)
    ]
    heading = "number,player1,id1,player2,id2,percentage,printed_award"
    lines = ["# date: 2026-11-17", "# event: Tuesday", "# club_id: 12", "# charge_code: 10", heading, *rows]
    game = club.folder / "tuesday.csv"
    game.write_text("\n".join(lines if printed else [line.rpartition(",")[0] or line for line in lines]))
    done = club.publish("--yes", "--scoring", "matchpoints", to=site, games=(game,))
    if not (goes or printed):
        assert done.status == 1
        assert "rating" in done.err
        return
    assert done.status == 0, done.err
    said = "with the points that it prints" if printed else "without points"
    assert f"no rating is declared: it goes as it is, {said}" in done.err
    (written,) = club.folder.glob("tuesday-*.xml") if site == "my-ebu" else club.folder.glob("www/*.html")
    again = read(written) if site == "my-ebu" else None
    if again is not None:
        awards = again.contestants["printed_award"]
        assert awards.dropna().tolist() == ([30, 20, 10] if printed else [])
        assert again.contestants["percentage"].tolist() == [55, 50, 45, 40]
    else:
        assert "0.30" in written.read_text()


def test_what_a_site_would_refuse_is_not_sent(club: Club) -> None:
    """The others are: a game without a date is refused before anything goes out."""
    lost = saved(club.folder / "lost.csv", club.game.read_text())
    text = club.game.with_suffix(".toml").read_text()
    lost.with_suffix(".toml").write_text(text)
    (club.folder / "broken.csv").write_text("nothing\n")
    done = club.publish("--yes", games=(club.folder / "broken.csv", club.game))
    assert done.status == 1
    assert "broken.csv" in done.err
    assert len(club.site.uploads()) == 1


def test_two_runs_at_once_do_not_send_twice(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one waits for another day."""
    connect = sqlite3.connect
    # It gives the first one a second to end.
    monkeypatch.setattr(sqlite3, "connect", lambda path, **given: connect(path, **{**given, "timeout": 0.01}))
    club.publish("--yes")
    with sqlite3.connect(club.folder / "receipts.sqlite") as other:
        other.execute("BEGIN EXCLUSIVE")
        done = club.publish("--yes")
        other.rollback()
    other.close()
    assert done.status == 5
    assert "another run" in done.err


def test_what_is_no_receipts_file_is_told(club: Club) -> None:
    """It is not written over."""
    (club.folder / "receipts.sqlite").write_text("my shopping list, which is long enough to look like something" * 20)
    done = club.publish("--yes")
    assert done.status == 1
    assert "not a file of receipts" in done.err


@pytest.mark.parametrize(
    "line", ["folder = 3", 'mail = "a@b, c@d"', "publish = 'yes'", 'page = "http://x"', 'club_id = ""', "site = 3"]
)
def test_an_account_that_is_none_is_told_with_its_file(club: Club, line: str) -> None:
    """What is wrong stops before anything is sent."""
    club.settings.write_text(line if line.startswith("site") else f"[site.testsite]\n{line}\n")
    done = club.publish("--yes")
    assert done.status == 1
    assert club.settings.name in done.err
    assert not club.site.forms


@pytest.mark.slow
def test_one_game_in_two_files_is_not_sent_twice(club: Club) -> None:
    """Not even where both are the same: which one is meant, the user says."""
    copy = club.folder / "copy.csv"
    shutil.copyfile(club.game, copy)
    shutil.copyfile(club.game.with_suffix(".toml"), copy.with_suffix(".toml"))
    done = club.publish("--yes", games=(club.game, copy), to=f"{club.own},folder")
    assert done.status == 1
    assert "2 files have this game: game.csv, copy.csv" in done.err
    assert not club.site.uploads()
    assert not list((club.folder / "www").iterdir())
    assert club.publish("--yes", games=(copy,)).status == 0


@pytest.mark.slow
def test_a_correction_in_another_file_takes_the_place_of_the_first(club: Club) -> None:
    """A folder then has the game once, under the name that it had."""
    assert club.publish("--yes", to="folder").status == 0
    before = (club.folder / "www" / "game.html").read_bytes()
    club.correct()
    other = club.game.rename(club.folder / "game-2.csv")
    club.game.with_suffix(".toml").rename(club.folder / "game-2.toml")
    assert club.publish("--yes", to="folder", games=(other,)).status == 0
    assert [each.name for each in (club.folder / "www").iterdir()] == ["game.html"]
    assert (club.folder / "www" / "game.html").read_bytes() != before


@pytest.mark.slow
def test_lists_that_do_not_say_of_what_they_are_do_not_replace_each_other(club: Club) -> None:
    """Neither event nor session is known: a file of another name is another game, and one of the same a correction."""
    names = ["Ann Ash", "Bob Birch", "Cy Cedar", "Di Dogwood", "Ed Elm", "Flo Fir", "Gus Gum", "Hal Holly"]
    lists = [club.folder / name for name in ("one.txt", "two.txt")]
    declared = ("--yes", "--rating", "club-open", "--date", "2012-04-18", "--boards", "24")
    for path, first in zip(lists, (62.5, 60.0), strict=True):
        scores = [first, 52.5, 47.5, 100 - first]
        pairs = [f"{n + 1}  {names[2 * n]} - {names[2 * n + 1]}  {score:.2f}" for n, score in enumerate(scores)]
        path.write_text("\n".join(["Place  Names  %", *pairs]) + "\n")
        assert club.publish(*declared, to="folder", games=(path,)).status == 0
    pages = {path.name: path.read_text() for path in (club.folder / "www").iterdir()}
    assert sorted(pages) == ["one.html", "two.html"]
    assert "62.50" in pages["one.html"]
    lists[1].write_text(lists[1].read_text().replace("Ann Ash", "Ann Ashe"))
    assert club.publish(*declared, to="folder", games=(lists[1],)).status == 0
    assert "Ann Ashe" in (club.folder / "www" / "two.html").read_text()
    assert len(list((club.folder / "www").iterdir())) == 2


@pytest.mark.slow
def test_no_file_of_somebodys_own_is_written_over(club: Club) -> None:
    """Not the results file itself, and no page of the club's site; what was published before is."""
    given = run("award", club.game, "--scoring", "matchpoints", "-o", club.folder / "night.xml")
    assert given.status == 0, given.err
    content = (club.folder / "night.xml").read_bytes()
    named = ("--yes", "--scoring", "matchpoints", "--name", "night")
    done = club.publish(*named, to="my-abf", games=(club.folder / "night.xml",))
    assert done.status == 1
    assert "not overwritten" in done.err
    assert (club.folder / "night.xml").read_bytes() == content
    (club.folder / "www" / "game.html").write_text("our first page")
    assert "not overwritten" in club.publish("--yes", to="folder").err
    assert (club.folder / "www" / "game.html").read_text() == "our first page"
    assert club.publish("--yes", "--scoring", "matchpoints", to="my-abf").status == 0
    club.correct()
    assert club.publish("--yes", "--scoring", "matchpoints", to="my-abf").status == 0


def test_a_wrong_password_is_told_and_not_tried_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site's words are told, and the exit status does not say to try again."""
    variable = "RESULTPROC_PASSWORD_" + club.site.host.replace(".", "_").replace(":", "__3A")
    monkeypatch.setenv(variable, "another-word")
    done = club.publish("--yes")
    assert done.status == 1
    assert "invalid club or password" in done.err
    assert "another-word" not in done.out + done.err
    assert len(club.site.forms) == 1


def test_the_keyring_has_the_password_by_host_and_club(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for both, and for nothing else."""
    monkeypatch.delenv("RESULTPROC_PASSWORD_" + club.site.host.replace(".", "_").replace(":", "__3A"))
    asked = []

    def kept(service: str, name: str) -> str:
        asked.append((service, name))
        return PASSWORD

    monkeypatch.setattr("keyring.get_password", kept)
    assert club.publish("--yes").status == 0
    assert set(asked) == {(f"resultproc {club.site.host}", "myclub")}


def test_a_redirect_is_not_followed(club: Club, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The other host never sees a form; of this one nothing is asked again."""
    with posted_site(tmp_path_factory.mktemp("elsewhere")) as (other, _):
        club.site.elsewhere = other.address
        club.site.faults = ["redirect"]
        assert club.publish("--yes").status == 5
        assert not other.forms
    assert len(club.site.uploads()) == 1


@pytest.mark.slow
def test_a_certificate_of_another_host_is_refused(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority is right, and the name is not."""
    without_pauses(monkeypatch)
    club.own.write_text(club.own.read_text().replace("127.0.0.1:", "localhost:"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RESULTPROC_PASSWORD_" + club.site.host.replace("127.0.0.1:", "LOCALHOST__3A"), PASSWORD)
        done = club.publish("--yes")
    assert done.status == 5
    assert "certificate" in done.err.lower()
    assert not club.site.forms


def test_a_misspelt_site_in_the_settings_is_told(club: Club) -> None:
    """What is said below it would be passed over otherwise."""
    club.settings.write_text('[site.testsite]\nclub_id = "myclub"\n[site.my-ebo]\nclub_id = "12"\n')
    done = club.publish("--yes")
    assert done.status == 1
    assert "did you mean [site.my-ebu]?" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("command", [("award", "--to", "usebio"), ("lint",), ("convert", "-", "--to", "usebio")])
def test_a_site_misspelt_in_the_settings_is_told_before_it_is_published(club: Club, command: tuple[str, ...]) -> None:
    """What is said for the site would be passed over. Capitals do not matter; another site's name is none misspelt."""
    given = (command[0], club.game, *command[1:], "--for", "my-ebu", "--settings", club.settings)
    for name, told in (("my-ebo", True), ("My-EBU", False), ("my-abf", False)):
        club.settings.write_text(f'[site.{name}]\nclub_id = "12"\n')
        done = run(*given)
        said = f"{club.settings.name}: [site.{name}] is not a known site"
        assert (said in done.err + done.out) == told, done
