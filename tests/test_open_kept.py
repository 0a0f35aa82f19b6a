"""What the page of a folder keeps through a crash, another program's changes and two servers, and what it says."""

import io
import json
import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")

import openpyxl
from lxml import html
from test_open import WEDNESDAY, Window, broken_off, words, workbook

from resultproc.batch.naming import LOCK
from resultproc.formats.mend import cells_at
from resultproc.model.errors import OutputError
from resultproc.model.locks import folder_held
from resultproc.web.desk import Desk, GameInWork, keys_as_toml, keys_of
from resultproc.web.serve import serve

GAME = WEDNESDAY.read_bytes()


def in_work(window: Window, address: str) -> GameInWork:
    game = window.desk.game(address.split("/")[-1])
    assert game is not None
    return game


def said(answer: Any) -> str:
    return words(html.document_fromstring(answer.data))


def saved(window: Window, name: str = "wed") -> str:
    return window.saved("wed.csv", GAME, name)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_a_game_that_is_no_page_is_said_when_it_is_saved(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    saved(window)
    other = window.dropped(("wed.csv", GAME))
    answer = window.send(other, "/save", name="again", over="/")
    assert answer.status_code == 409
    assert "saved as again.csv, but not among the results: it is the same game as" in said(answer)
    assert "not among the results" in caplog.text
    # A folder in the place of its page.
    game = window.dropped(("other.csv", GAME.replace(b"Aft", b"Eve")))
    (window.desk.results / "index.html").unlink()
    (window.desk.results / "index.html").mkdir()
    answer = window.send(game, "/save", name="evening", over="/")
    assert answer.status_code == 409
    assert "saved as evening.csv, but not among the results" in said(answer)


@pytest.mark.slow
def test_what_was_not_confirmed_is_not_sent(window: Window, tmp_path: Path) -> None:
    www = tmp_path / "www"
    www.mkdir()
    looks = '[site]\naddress = "12 Elm Street"\nlinks = { "Our club" = "https://example.org" }\n'
    folder = f"[site.folder]\nfolder = {json.dumps(str(www))}\n"
    (window.desk.root / "resultproc.toml").write_text(looks + folder, "utf-8")
    game = saved(window)
    (form,) = (form for form in window.page(f"{game}/publish").forms if form.action.endswith("/publish"))
    confirmed = {name: value or "" for name, value in form.fields.items()}
    window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    window.send(game, "/save")
    answer = window.client.post(form.action, base_url=window.base, data=confirmed)
    assert "has changed since you saw what goes where, and nothing was sent" in said(answer)
    assert list(www.iterdir()) == []
    answer = window.send(f"{game}/publish", "/publish")
    assert "is there" in said(answer)
    assert len(list(www.iterdir())) == 1
    window.send(game, "/keys", **{"0.club": "Another Club"})
    assert "what goes is what was saved" in window.text(f"{game}/publish")


@pytest.mark.slow
def test_what_another_program_has_changed_is_not_overwritten(window: Window) -> None:
    game = saved(window)
    window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    window.send(game, "/save")
    ours = files(window.desk.saved)
    window.send(game, "/keys", **{"0.club": "Another Club"})
    for name in ("wed.csv", "wed.toml"):
        before = {**ours, name: ours[name] + b"# by hand\n"}
        for path in window.desk.saved.iterdir():
            path.write_bytes(before[path.name])
        answer = window.send(game, "/save")
        assert answer.status_code == 409
        assert "another program has changed this file since it was saved" in said(answer)
        assert files(window.desk.saved) == before
    assert "saved as wed.csv, which another program has changed or removed since" in window.text("/")
    for path in window.desk.saved.iterdir():  # as the hint says
        path.rename(window.desk.root / path.name)
    assert "saved as wed.csv, which another program has changed or removed since" in window.text("/")
    assert "wed.csv" in window.text(f"{game}/publish")
    assert window.send(game, "/save").status_code == 303
    assert "which another program" not in window.text("/")
    assert b"Another Club" in (window.desk.saved / "wed.toml").read_bytes()


@pytest.mark.parametrize("saves", [1, 2])
@pytest.mark.parametrize("writes", range(1, 10))
def test_a_save_that_is_broken_off_is_whole_and_once(
    window: Window, monkeypatch: pytest.MonkeyPatch, saves: int, writes: int
) -> None:
    """The process ends after so many files, in the first save of a game or in that of its second version."""
    game = window.desk.put("wed.csv", GAME, b'club = "First"\n')
    if saves == 2:
        window.desk.save(game, game.version, "wed")
        window.desk.change(game, game.version, data=GAME.replace(b"Aft", b"Eve"), keys={"": {"club": "Second"}})
    broken_off(monkeypatch, writes)
    try:
        window.desk.save(game, game.version, "wed")
    except SystemExit:
        pass
    else:
        assert writes > 6  # two files and the name, first apart and then in their places
    monkeypatch.undo()
    monkeypatch.setattr(Desk, "not_made", lambda *_: [])  # what pages there are is for the test below
    again = Window(window.desk.root).desk
    there = files(again.saved)
    versions = [{}, {"wed.csv": GAME, "wed.toml": b'club = "First"\n'}]
    if saves == 2:
        versions = [versions[1], {"wed.csv": GAME.replace(b"Aft", b"Eve"), "wed.toml": b'club = "Second"\n'}]
    assert there == versions[writes > 3]
    (kept,) = again.games()
    assert kept.saved_as == ("wed.csv" if there else "")
    assert kept.changed_since == (saves == 2 and there == versions[0])
    again.save(kept, kept.version, "wed")
    assert files(again.saved) == versions[1]


@pytest.mark.slow
@pytest.mark.parametrize("saves", [1, 2])
def test_what_was_saved_without_its_page_has_it_at_the_next_start(
    window: Window, monkeypatch: pytest.MonkeyPatch, saves: int
) -> None:
    """The program is killed between the two, at the first save of a game or at that of a change."""

    def killed(*_: object, **__: object) -> None:
        raise SystemExit

    game = window.dropped(("wed.csv", GAME))
    if saves == 2:
        window.send(game, "/save", name="wed")
        window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    monkeypatch.setattr("resultproc.web.desk.run", killed)
    with pytest.raises(SystemExit):
        window.send(game, "/save", name="wed")
    monkeypatch.undo()
    again = Window(window.desk.root)
    assert "April 2012 1 game" in again.text("/")
    page = again.text("/results/wed.html")
    assert "Mortimer Sams" in page
    assert ("Example Bridge Club" in page) == (saves == 2)
    # Nothing is made again where all is there.
    monkeypatch.setattr("resultproc.web.desk.run", killed)
    Window(window.desk.root)


@pytest.mark.slow
def test_what_has_no_page_is_made_when_that_is_asked_for(window: Window) -> None:
    saved(window)
    (window.desk.saved / "by hand.csv").write_bytes(GAME.replace(b"Aft", b"Eve"))
    assert "Saved, but not among the results by hand.csv" in window.text("/")
    assert window.send("/", "/made").status_code == 303
    assert "not among the results" not in window.text("/")
    assert "April 2012 2 games" in window.text("/")


@pytest.mark.slow
def test_another_program_at_work_on_the_results_is_waited_for_and_told(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(window)
    game = window.dropped(("wed.csv", GAME.replace(b"Aft", b"Eve")))
    command = [sys.executable, "-c", HELD, window.desk.results / LOCK]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        monkeypatch.setattr("resultproc.web.desk.PATIENCE", 0.2)
        at_work = "another program is at work on the results of this folder (look again in a minute)"
        page = window.text("/")
        assert at_work in page
        assert "wed.csv" in page
        # Whether it was saved before is not known: nothing is saved until it is.
        answer = window.send(game, "/save", name="eve")
        assert (answer.status_code, at_work in said(answer)) == (409, True)
        assert sorted(files(window.desk.saved)) == ["wed.csv"]
        answer = window.send(game, "/save", name="eve", over="/")
        assert f"It is saved as eve.csv, but not among the results: {at_work}" in said(answer)
        monkeypatch.setattr("resultproc.web.desk.PATIENCE", 20)
        threading.Timer(0.5, other.stdin.close).start()
        assert window.send(game, "/save").status_code == 303
        other.stdin = None
    assert "April 2012 2 games" in window.text("/")


HELD = """\
import sys
import threading
from pathlib import Path
from resultproc.batch.naming import LOCK
from resultproc.model.locks import folder_held
with folder_held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_a_second_server_of_a_folder_is_refused(tmp_path: Path) -> None:
    lock = Desk.at(tmp_path / "club").root / "open.lock"
    command = [sys.executable, "-c", HELD, lock]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(OutputError, match="this folder is open in another window"):
            serve(lock.parent, 0, tmp_path / "receipts.sqlite", pytest.fail)
        other.communicate(b"")
    with folder_held(lock):
        pass


TOML = """\
date = 2012-04-18
tables = 9
half_tables = true
strata = ["A=open", "B=1000"]

[players]
left_out = ["Ann \\"Lee\\"", "1"]

[games.'one: a']
boards = 24
limit = { A = 1.5, "B c" = "x" }
"""


def test_declarations_that_are_no_texts_are_kept_as_they_are() -> None:
    import tomllib

    keys = keys_of("wed.toml", TOML.encode())
    keys["one: a"]["club"] = "Example\x7f"
    again = tomllib.loads(keys_as_toml(keys).decode())
    expected = tomllib.loads(TOML)
    expected["games"]["one: a"]["club"] = "Example\x7f"
    assert again == expected
    assert keys_of("wed.toml", b"games = 3\n") == {"": {"games": 3}}


def test_lists_of_what_was_saved_last_are_not_proposed(window: Window) -> None:
    (window.desk.saved / "wed.toml").write_text(TOML, "utf-8")
    assert window.desk.last() == {"date": "2012-04-18", "tables": "9", "half_tables": "True"}


@pytest.mark.slow
def test_a_month_is_that_of_its_games_and_says_what_is_left_out(window: Window) -> None:
    saved(window, "2015-01-31 wed")
    (window.desk.saved / "bad.csv").write_bytes(b"no results\n")
    (window.desk.saved / "2015-01-02 new.csv").write_bytes(GAME.replace(b"2012-04-18", b"2012-05-19"))
    page = window.text("/")
    assert "April 2012 1 game" in page
    assert "2015-01" not in page.replace("2015-01-31 wed.csv", "").replace("2015-01-02 new.csv", "")
    assert "bad.csv: it was put there by hand" in page
    game = window.dropped(("wed.csv", GAME.replace(b"Aft", b"Eve")))
    window.send(game, "/save", name="eve", over="/")
    page = window.text("/")
    assert "April 2012 2 games" in page
    assert "May 2012 1 game," in page
    assert "bad.csv: unrecognised file format" in page
    series = window.text("/month/2012-05")
    assert "Mortimer Sams" in series
    assert "Left out: bad.csv: unrecognised file format" in series
    assert window.get("/month/2015-01").status_code == 404


def test_what_could_not_be_done_is_not_said_to_have_changed_nothing(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = window.dropped(("wed.csv", GAME))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "wed.csv")

    monkeypatch.setattr("resultproc.web.desk.write_bytes", full)
    answer = window.send(game, "/keys", **{"0.club": "North"})
    assert "No space left on device" in said(answer)
    assert "nothing was changed" not in said(answer)


@pytest.mark.slow
def test_the_last_change_is_told_by_what_was_before_it_and_not_by_what_the_file_prints(window: Window) -> None:
    """The file prints 0.90; the first change makes 0.72 of it (9 x 0.08), and the second leaves it so."""
    game = window.dropped(("wed.csv", GAME))

    def told() -> str:
        return window.text(game).split("Your last change")[1].split("Save as")[0]

    assert window.send(game, "/keys", **{"0.limit": "500"}).status_code == 303
    assert "0.72 masterpoints, before 0.90" in told()
    assert window.send(game, "/keys", **{"0.club": "Example Bridge Club"}).status_code == 303
    assert "Example Bridge Club" in told()
    assert "masterpoints, before" not in told()
    # Of what goes back to 0.90, 0.72 was before.
    assert window.send(game, "/keys", **{"0.limit": ""}).status_code == 303
    assert "0.90 masterpoints, before 0.72: 0.18 more" in told()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "This machine says: No space left on device. Mend that, and look"),
        (OSError("timed out"), "This machine says: timed out. Mend that"),
        (PermissionError(13, "Permission denied", "wed.csv"), "wed.csv: Permission denied. Mend that"),
        (MemoryError(), "There is not enough memory for it."),
    ],
)
def test_what_the_machine_could_not_do_is_no_bug(
    window: Window, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, told: str
) -> None:
    game = window.dropped(("wed.csv", GAME))

    def refused(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("resultproc.web.app.look", refused)
    answer = window.get(game)
    assert answer.status_code == 409
    assert told in said(answer)
    assert "bug" not in said(answer) + caplog.text
    assert told in caplog.text


@pytest.mark.slow
def test_another_game_in_the_place_of_one_is_not_awarded_now(window: Window) -> None:
    game = window.dropped(("wed.csv", GAME))
    lines = GAME.decode().splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    other = [rows[0], *(f"B,{row.split(',', 1)[1]}" for row in rows[1:])]
    other = [
        ",".join([*(f"{cell} x" if at in {3, 4} and number else cell for at, cell in enumerate(row.split(",")))])
        for number, row in enumerate(other)
    ]
    kept = in_work(window, game)
    window.desk.change(kept, kept.version, data="\n".join([*head, *other, ""]).encode())
    page = window.text(game)
    assert "It is awarded now" not in page
    assert "What it comes to is not told: " in page


@pytest.mark.parametrize("name", ["saved-as.txt", "before", ".saved-as", ".before", ".saving", "before-whole"])
def test_no_name_of_a_file_is_in_the_way(window: Window, name: str) -> None:
    game = window.dropped((name, GAME))
    assert name.strip(".") in window.text("/")
    desk, kept = window.desk, in_work(window, game)
    desk.change(kept, kept.version, keys={"": {"club": "North"}})
    desk.save(kept, kept.version, "wed")
    desk.take_back(kept, kept.version)
    assert in_work(window, game).changed_since


@pytest.mark.slow
def test_each_refusal_is_a_line_in_the_log(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "resultproc.web")
    window.drop(("resultproc.toml", b'rating = "stac"\n'))
    assert "refused: resultproc.toml: these are a club's settings" in caplog.text
    window.drop(("con.csv", GAME))
    assert "refused: con.csv: this file has no name that can be kept" in caplog.text
    game = window.dropped(("empty.csv", b""))
    window.get(game)
    assert "not read: empty.csv: " in caplog.text
    game = window.dropped(("wed.csv", GAME))
    page = window.page(game)
    window.send(game, "/keys", **{"0.club": "North"})
    (form,) = (form for form in page.forms if form.action.endswith("/drop"))
    caplog.clear()
    assert window.client.post(form.action, base_url=window.base, data=dict(form.fields)).status_code == 409
    assert "refused: wed.csv: " in caplog.text
    assert "changed in another window" in caplog.text


@pytest.mark.slow
def test_what_failed_and_what_a_link_leads_to_is_not_given_out(window: Window) -> None:
    saved(window)
    (window.desk.saved / "bad.html").write_bytes(b"<script>alert(1)</script>")
    game = window.dropped(("wed.csv", GAME.replace(b"Aft", b"Eve")))
    window.send(game, "/save", name="eve", over="/")
    assert (window.desk.results / "failed" / "bad.html").is_file()
    (window.desk.root / "secret.html").write_text("secret", "utf-8")
    (window.desk.results / "link.html").symlink_to(window.desk.root / "secret.html")
    (window.desk.results / "out").symlink_to(window.desk.root)
    for path in ("failed/bad.html", "link.html", "out/secret.html", "ledger.sqlite"):
        assert window.get(f"/results/{path}").status_code == 404, path
    for path in ("wed.html", "index.html", "months/2012-04.html"):
        answer = window.get(f"/results/{path}")
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_a_workbook_is_loaded_once_for_all_that_is_wrong_in_it(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook()))
    for row in (3, 4, 5):
        book["Sheet"][f"G{row}"] = "1OO"
    out = io.BytesIO()
    book.save(out)
    source = window.desk.put("wed.xlsx", out.getvalue()).source()
    loaded: list[object] = []
    load = openpyxl.load_workbook
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *args, **named: loaded.append(args) or load(*args, **named))
    for row in (3, 4, 5):
        cells = cells_at(source, f"sheet 'Sheet', cell G{row}")
        assert [cell.text for cell in cells if cell.wrong] == ["1OO"]
    assert len(loaded) == 1


@pytest.mark.slow
def test_a_limit_and_a_rating_are_changed_where_the_game_is_shown(window: Window) -> None:
    game = window.dropped(("wed.csv", GAME))
    # A game limited to 500 pays 0.08 a table where an open one pays 0.10: 9 x 0.08, and the second 70% of that.
    # So does an invitational game. See the handbook's chapter 4, masterpoint restricted and invitational games.
    for declared, told in (
        ({"0.limit": "500"}, "limit: 500, was none"),
        ({"0.rating": "club-invitational"}, "rating: club-invitational, was club-open"),
    ):
        assert window.send(game, "/keys", **declared).status_code == 303
        change = window.text(game).split("Your last change")[1].split("Save as")[0]
        assert told in change
        assert (
            "Harold Holland - Betty Holland (A-NS-1) 0.72 masterpoints, before 0.90: 0.18 fewer because of 1" in change
        )
        assert (
            "Mortimer Sams - Anne Anderson (A-NS-6) 0.50 masterpoints, before 0.63: 0.13 fewer because of 1" in change
        )
        assert window.send(game, "/back").status_code == 303
        assert "0.90" in window.text(game)


def test_a_file_of_a_watched_folder_is_mended_and_put_back(window: Window, tmp_path: Path) -> None:
    """Its list leads here from another place than this page: that alone changes nothing, and asks no other machine."""
    (inbox := tmp_path / "in").mkdir()
    file = inbox / "wed & thu.csv"
    file.write_bytes(GAME.replace(b"133.00", b"133.OO"))
    # It goes by the settings of its folder, as whatever looks at that does, and not by those of the desk.
    (inbox / "resultproc.toml").write_text('stratify_by = "highest"\n', "utf-8")
    (window.desk.root / "resultproc.toml").write_text('stratify_by = "average"\n', "utf-8")
    address = f"/from?{urlencode({'file': file})}"
    leads = window.get(address, **{"Sec-Fetch-Site": "cross-site"})
    (to,) = html.document_fromstring(leads.data).xpath("//a/@href")
    assert window.get("/", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert "wed & thu.csv" in window.text(to)
    assert list(window.desk.games()) == []
    game = window.send(to, "/from").headers["Location"]
    assert window.send(to, "/from").headers["Location"] == game
    window.send(game, "/cells", **{"cell 16:7": "133.00"})
    (chosen,) = window.page(game).xpath("//select[@name='0.stratify_by']/option[@selected]/@value")
    assert chosen == "highest"
    window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    file.write_bytes(GAME.replace(b"Aft", b"Eve"))
    answer = window.send(game, "/put-back")
    assert (answer.status_code, "this file was changed since it was taken" in said(answer)) == (409, True)
    file.write_bytes(GAME.replace(b"133.00", b"133.OO"))
    answer = window.send(game, "/put-back")
    assert "wed & thu.csv is back in its folder" in window.text(answer.headers["Location"])
    assert file.read_bytes() == GAME
    assert file.with_suffix(".toml").read_text("utf-8") == 'club = "Example Bridge Club"\n'
    assert list(window.desk.games()) == []
    # Another tab still has its page.
    answer = window.get(game)
    assert (answer.status_code, "it was put back into its folder" in said(answer)) == (404, True)
    assert html.document_fromstring(answer.data).xpath("//nav/a/@href") == ["/"]
    for path in ("//server/in/wed.csv", r"\\server\in\wed.csv", "wed.csv", str(inbox), str(inbox / "none.csv"), ""):
        data = {"token": window.guard.token, "file": path}
        answer = window.client.post("/from", base_url=window.base, data=data)
        assert (answer.status_code, "there is no such file here" in said(answer)) == (409, True)
