"""The page of a folder: a director's evening in it, what it keeps, and whom it refuses."""

import csv
import io
import json
import logging
import ntpath
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PureWindowsPath
from typing import Any

import openpyxl
import pytest
from conftest import ALL, FIXTURES, PROJECT, run

pytest.importorskip("flask")
pytest.importorskip("waitress")

from lxml import html

from resultproc.formats.mend import cells_at, mended
from resultproc.formats.xlsx import MAX_UNPACKED
from resultproc.model.files import write_bytes
from resultproc.publish.receipts import Receipts
from resultproc.web.app import make_app
from resultproc.web.desk import Desk, file_name
from resultproc.web.safety import KEY_NAME, MOST_BYTES, Guard

PORT = 8123
WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"


class Window:
    """A window of a browser on a desk: it follows forms as a browser does."""

    def __init__(self, folder: Path) -> None:
        self.desk, self.guard = Desk.at(folder), Guard(PORT)
        app = make_app(self.desk, self.guard, folder / "receipts.sqlite")
        self.client, self.base = app.test_client(), f"http://127.0.0.1:{PORT}"
        assert self.get(f"/?{KEY_NAME}={self.guard.secret}").status_code == 200

    def get(self, path: str, **headers: str) -> Any:
        """Return the answer to an address."""
        return self.client.get(path, base_url=self.base, headers=headers)

    def page(self, path: str) -> html.HtmlElement:
        """Return a page, which has to be there."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return html.document_fromstring(answer.data)

    def text(self, path: str) -> str:
        """Return what a page says."""
        return words(self.page(path))

    def drop(self, *files: tuple[str, bytes], text: str = "") -> Any:
        """Drop files, or paste a text."""
        data = {"token": self.guard.token, "text": text, "files": [(io.BytesIO(each), name) for name, each in files]}
        return self.client.post("/games", base_url=self.base, data=data, content_type="multipart/form-data")

    def dropped(self, *files: tuple[str, bytes], text: str = "") -> str:
        """Drop a file, and return the address of its game."""
        answer = self.drop(*files, text=text)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["Location"])

    def saved(self, name: str, data: bytes, called: str, beside: bytes | None = None) -> str:
        """Keep a game among those that are saved, with its page, as it is called there; return its address."""
        game = self.desk.put(name, data, beside)
        self.desk.save(game, game.version, called)
        assert self.desk.not_made() == []
        return f"/games/{game.id}"

    def send(self, path: str, action: str, at: int = 0, **values: str) -> Any:
        """Fill in a form of a page, the first with this action unless another is named, and send it."""
        found = [form for form in self.page(path).forms if form.action and form.action.endswith(action)][at]
        data = {name: value or "" for name, value in found.fields.items()} | values
        return self.client.post(found.action, base_url=self.base, data=data)


def broken_off(monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Let the process end where a desk would write a file for this time; those before it are written."""
    done: list[Path] = []

    def ended(path: Path, content: bytes) -> None:
        if len(done) == writes - 1:
            raise SystemExit
        write_bytes(path, content)
        done.append(path)

    monkeypatch.setattr("resultproc.web.desk.write_bytes", ended)


def words(tree: html.HtmlElement) -> str:
    for each in tree.xpath("//style|//script"):
        each.drop_tree()
    return " ".join(tree.text_content().split())


def workbook() -> bytes:
    """Return Wednesday's game as a director's workbook, with two typical mistakes: a letter in a score, no rating."""
    lines = WEDNESDAY.read_text("utf-8").splitlines()
    book = openpyxl.Workbook()
    sheet, game = book.worksheets[0], book.create_sheet("Game")
    for row in csv.reader(line for line in lines if not line.startswith("#")):
        sheet.append([float(cell) if cell.replace(".", "", 1).isdigit() else cell for cell in row[:8]])
    for line in lines:
        if line.startswith("#") and "rating" not in line:
            game.append([part.strip() for part in line.lstrip("# ").split(":", 1)])
    sheet["G7"] = "133,OO"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def evening(window: Window) -> str:
    """Drop the workbook, mend its two mistakes, and return the address of the game."""
    game = window.dropped(("wednesday.xlsx", workbook()))
    assert "invalid number: '133,OO'" in window.text(game)
    (wrong,) = window.page(game).xpath("//input[@aria-invalid]")
    assert (wrong.get("value"), wrong.get("name")) == ("133,OO", "cell Sheet!G7")
    assert window.send(game, "/cells", **{"cell Sheet!G7": "133,00"}).status_code == 303
    assert "the class of game" in words(window.page(game).get_element_by_id("missing").getnext())
    assert window.send(game, "/keys", **{"0.rating": "club-open"}).status_code == 303
    return game


@pytest.mark.slow
@pytest.mark.usefixtures("apart")
def test_a_director_s_evening(window: Window, tmp_path: Path) -> None:
    game = evening(window)
    said = window.text(game)
    assert "Mortimer Sams – Anne Anderson" in said
    # 2nd of 9 tables: 70% of 0.90.
    assert "2nd of 9 pairs in the section, stratum A" in said
    assert "0.63" in said
    assert window.send(game, "/save").status_code == 303
    saved = window.desk.saved / "2012-04-18 wednesday.xlsx"
    assert sorted(path.name for path in window.desk.saved.iterdir()) == ["2012-04-18 wednesday.toml", saved.name]
    # What is downloaded is what the command line writes of what was saved.
    for format, ending in (("html", ".html"), ("xlsx", ".xlsx"), ("usebio", ".xml"), ("json", ".json")):
        answer = window.get(f"{game}/as/{format}")
        assert answer.headers["Content-Disposition"].endswith(f'"{saved.stem}{ending}"')
        again = tmp_path / f"again{ending}"
        assert run("award", window.desk.game(game.split("/")[-1]).path, "-o", again).status == 0  # type: ignore[union-attr]
        assert answer.data == again.read_bytes(), format
    assert "April 2012 1 game" in window.text("/")
    assert "Mortimer Sams" in window.text("/month/2012-04")
    assert "Wed 1:00 Open Pairs" in window.text("/results/index.html")
    assert "Mortimer Sams" in window.text(f"/results/{saved.stem}.html")
    # Come back another day.
    again_open = Window(window.desk.root)
    assert "0.63" in again_open.text(game)
    assert "saved as 2012-04-18 wednesday.xlsx" in again_open.text("/")


@pytest.mark.slow
def test_what_a_change_comes_to_is_seen_at_once(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    # The file itself says its strata: they are changed in it. C goes to nobody; of 7 in B the third gets 50% of 0.56.
    assert window.send(game, "/keys", **{"0.strata": "A=open, B=1000, C=100"}).status_code == 303
    assert "strata" in window.text(game)
    assert b"# strata: A=open, B=1000, C=100" in window.desk.game(game.split("/")[-1]).path.read_bytes()  # type: ignore[union-attr]
    # The third overtakes the second with 134.00 of 216: 0.63 in the place of 0.45.
    cells = {"cell 17:7": "134.00", "cell 17:8": "62.04"}
    assert window.send(f"{game}?at=line 17", "/cells", **cells).status_code == 303
    said = window.text(game)
    assert "Your last change" in said
    assert "0.63 masterpoints, before 0.45: 0.18 more" in said
    assert "0.45 masterpoints, before 0.63: 0.18 fewer" in said
    assert window.send(game, "/back").status_code == 303
    assert "61.57133.000.63" in window.text(game).replace(" ", "")
    row = window.page(f"{game}?at=line 11").xpath("//h2[@id='row']/following-sibling::div//input/@name")
    assert "cell 11:4" in row
    answer = window.send(f"{game}?at=line 11", "/cells", **{"cell 11:4": "Harry Holland, Jr"})
    assert answer.status_code == 303
    assert "Harry Holland, Jr" in window.text(game)
    assert "Who gains or loses" in window.text(game)


@pytest.mark.slow
def test_values_that_are_none_are_told_and_change_nothing(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    before = window.desk.game(game.split("/")[-1]).version  # type: ignore[union-attr]
    answer = window.send(game, "/keys", **{"0.club": "", "0.tables": "many"})
    assert "Tables: " in words(html.document_fromstring(answer.data))
    assert window.desk.game(game.split("/")[-1]).version == before  # type: ignore[union-attr]


@pytest.mark.slow
def test_what_was_declared_and_taken_back_is_saved_no_more(window: Window) -> None:
    desk = window.desk
    game = desk.put("wed.csv", WEDNESDAY.read_bytes())
    desk.change(game, game.version, keys={"": {"club": "Example Bridge Club"}})
    desk.save(game, game.version, "wed")
    assert (window.desk.saved / "wed.toml").is_file()
    desk.take_back(game, game.version)
    assert "saved as wed.csv, and changed since" in window.text("/")
    desk.save(game, game.version, "wed")
    assert "changed since" not in window.text("/")
    assert not (window.desk.saved / "wed.toml").exists()


def test_a_cell_with_a_line_break_is_mended_by_its_line(window: Window) -> None:
    text = WEDNESDAY.read_text("utf-8").replace("Mortimer Sams,Anne Anderson,B,133.00", '"Mortimer\nSams",Anne,B,13e')
    game = window.dropped(("wed.csv", text.encode()))
    source = window.desk.game(game.split("/")[-1]).source()  # type: ignore[union-attr]
    (line,) = cells_at(source, "line 16, column 7")
    assert line.text == 'A,N-S,6,"Mortimer'
    assert mended(source, {"16": line.text}).decode() == text
    cells = {cell.at: cell.text for cell in cells_at(source, "line 12")}
    assert mended(source, cells).decode() == text


def test_what_is_doubtful_is_marked_where_it_stands(window: Window) -> None:
    text = WEDNESDAY.read_text("utf-8").replace("Beth Bartel,Charles Reals", "Sally Dix,Charles Reals")
    game = window.dropped(("wed.csv", text.encode()))
    page = window.page(game)
    (row,) = page.find_class("doubtful")
    # The 12th line has Sally Dix of pair 2, and the 13th the one who is in the game a second time.
    assert "line 13: Sally Dix is in this game" in words(row)
    # The name is marked, and nothing else: as it was read, and where it is mended.
    assert [cell.text_content() for cell in row.find_class("at")] == ["Sally Dix – Michael Verbonic"]
    (link,) = page.xpath("//li/a[text()='Look at it']")
    form = window.page(link.get("href").removesuffix("#row"))
    assert form.xpath("//input[@aria-invalid]/@value") == ["Sally Dix"]
    assert "Sally Dix is in this game" in words(form.get_element_by_id("doubt"))


HELD = """\
# date: 2012-04-18
# rating: club-open
# tables: 3
# strata: A=open, B=200
# stratify_by: average
number,player1,player2,mp1,mp2,stratum,percentage
1,Ann,Bob,900,900,A,60
2,Cat,Dan,300,400,B,55
3,Eve,Fay,150,50,B,50
4,Gus,Hal,900,900,A,50
5,Ida,Jon,150,50,B,45
6,Kim,Lee,150,50,B,40
"""


@pytest.mark.slow
def test_a_stratum_and_holdings_that_contradict_each_other_are_marked(window: Window) -> None:
    """Cat and Dan hold 350 on average, and are in B, which ends at 200."""
    page = window.page(window.dropped(("tuesday.csv", HELD.encode())))
    (row,) = page.find_class("doubtful")
    assert [cell.text_content() for cell in row.find_class("at")] == ["B", "300.0 / 400.0"]
    (link,) = page.xpath("//li/a[text()='Look at it']")
    form = window.page(link.get("href").removesuffix("#row"))
    assert form.xpath("//input[@aria-invalid]/@value") == ["300", "400", "B"]


@pytest.mark.slow
def test_two_columns_that_contradict_each_other_are_both_marked(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"B,140.50,65.05", b"B,120.00,65.05")))
    assert window.page(game).xpath("//input[@aria-invalid]/@value") == ["120.00", "65.05"]
    assert window.send(game, "/cells", **{"cell 11:7": "140.50"}).status_code == 303
    assert "0.90" in window.text(game)


@pytest.mark.slow
def test_a_key_that_would_mend_a_problem_is_asked_beside_it(window: Window) -> None:
    """What has no meaning is left out in the file itself; a number of tables that cannot be is corrected."""

    def asked(game: str) -> list[str]:
        return [str(name) for name in window.page(game).xpath("//div[@class='mend']//*[@name]/@name") if "." in name]

    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"# tables: 9", b"# tables: 12")))
    assert asked(game) == ["0.tables", "0.sit_outs"]
    assert "Mend it in your own program" not in window.text(game)
    assert window.send(game, "/keys", **{"0.tables": "9"}).status_code == 303
    assert "Save it" in window.text(game)
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"# tables: 9", b"# tables: 9\n# flight: A")))
    assert asked(game) == ["0.flight", "0.rating"]
    assert window.send(game, "/keys", **{"0.flight": ""}).status_code == 303
    assert "Save it" in window.text(game)
    stored = window.desk.game(game.split("/")[-1])
    assert stored is not None
    assert stored.path.read_bytes() == WEDNESDAY.read_bytes().replace(b"# tables: 9\n", b"# tables: 9\n\n")


ALIGNED = """\
Tuesday Pairs, 12 May 2026
3 tables, 24 boards, Howell

   1  60.00   Ann Ash - Bob Birch
   2  55.00   Cy Cole - Di Dee
   3  52.00   Ed Eye - Flo Fay
   4  48.OO   Gus Gum - Hal Hazel
   5  45.00   Ida Ivy - Jo Jay
   6  40.00   Kim Kale - Lou Lark
"""


def test_a_line_of_text_in_columns_stays_aligned(window: Window) -> None:
    game = window.dropped(("pairs.txt", ALIGNED.encode()))
    mended_line = "   4  48.00   Gus Gum - Hal Hazel"
    assert window.send(f"{game}?at=line 7", "/cells", **{"7": mended_line, "cell 7": mended_line}).status_code == 303
    stored = window.desk.game(game.split("/")[-1])
    assert stored is not None
    assert stored.path.read_text("utf-8") == ALIGNED.replace("48.OO", "48.00")


SWISS = """\
# event: Sectional Swiss
# date: 2023-05-06
# rating: sectional
# event_type: swiss
# boards: 7
# sessions: 2
# tables: 8
# movement: howell
section,number,player1,player2,player3,player4,mp1,mp2,mp3,mp4,score,wins
"""
SWISS += "".join(f"A,{n},a{n},b{n},c{n},d{n},2000,2000,2000,2000,{140 - 10 * n},{8 - n}\n" for n in range(1, 9))


@pytest.mark.slow
def test_what_awarding_alone_asks_for_is_a_field(window: Window) -> None:
    game = window.dropped(("swiss.csv", SWISS.encode()))
    asked = words(window.page(game).get_element_by_id("missing").getnext())
    assert "Session boards boards per session where boards are per match" in asked
    assert window.send(game, "/keys", **{"0.session_boards": "28"}).status_code == 303
    assert "1st of 8" in window.text(game)


def test_a_fault_of_the_file_beside_it_is_no_cell_of_the_sheet(window: Window) -> None:
    data = {"token": window.guard.token, "text": ""}
    files = [(io.BytesIO(WEDNESDAY.read_bytes()), "wed.csv"), (io.BytesIO(b"boards = 24\nrating = club\n"), "wed.toml")]
    answer = window.client.post("/games", base_url=window.base, data={**data, "files": files})
    page = window.page(answer.headers["Location"])
    assert "line 2" in words(page)
    assert not page.xpath("//form[contains(@action, '/cells')]")


@pytest.mark.slow
def test_a_change_that_is_broken_off_loses_no_declarations(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = window.desk
    game = desk.put("wed.csv", WEDNESDAY.read_bytes())
    for club in ("North", "South"):
        desk.change(game, game.version, keys={"": {"club": club}})
    written: list[Path] = []

    def broken_off(path: Path, data: bytes) -> None:
        written.append(path)
        if len(written) == 2:
            raise SystemExit
        write_bytes(path, data)

    monkeypatch.setattr("resultproc.web.desk.write_bytes", broken_off)
    with pytest.raises(SystemExit):
        desk.change(game, game.version, keys={"": {"club": "East"}})
    monkeypatch.undo()
    assert len(written) == 2
    assert game.keys()[""]["club"] == "South"
    desk.take_back(game, game.version)
    assert game.keys()[""]["club"] == "North"


@pytest.mark.slow
def test_no_game_is_called_as_the_settings_are(window: Window) -> None:
    answer = window.drop(("Resultproc.csv", WEDNESDAY.read_bytes()))
    assert "the club&#39;s settings" in answer.text or "the club's settings" in answer.text
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    assert window.send(game, "/save", name="resultproc").status_code == 409
    assert list(window.desk.saved.iterdir()) == []


def test_a_folder_that_is_gone_is_told(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    shutil.rmtree(window.desk.root / "in-work")
    for answer in (window.get("/"), window.drop(("wed.csv", WEDNESDAY.read_bytes()))):
        assert answer.status_code == 409
        assert f"{window.desk.root / 'in-work'}" in answer.text
        assert "No such file or directory" in answer.text
    assert window.get(game).status_code == 404
    assert "bug" not in caplog.text


@pytest.mark.slow
def test_two_windows_lose_nothing(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    form = next(form for form in window.page(game).forms if form.action.endswith("/keys"))
    old = {name: value or "" for name, value in form.fields.items()}
    assert window.send(game, "/keys", **{"0.boards": "24"}).status_code == 303
    for action in ("keys", "cells", "save", "back", "drop"):
        data = {**old, "0.club": "Example Club", "cell 11:4": "Nobody"}
        answer = window.client.post(f"{game}/{action}", base_url=window.base, data=data)
        assert "changed in another window" in words(html.document_fromstring(answer.data)), action
    text = window.desk.game(game.split("/")[-1]).path.read_text("utf-8")  # type: ignore[union-attr]
    assert "# boards: 24" in text
    assert "Nobody" not in text
    assert not list(window.desk.saved.iterdir())


@pytest.mark.slow
def test_a_game_that_is_saved_twice_is_one_and_another_of_its_name_is_another(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    window.send(game, "/save", name="wednesday")
    window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    window.send(game, "/save")
    assert sorted(path.name for path in window.desk.saved.iterdir()) == ["wednesday.csv", "wednesday.toml"]
    other = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"Aft", b"Eve")))
    window.send(other, "/save", name="Wednesday", over="/")
    assert (window.desk.saved / "Wednesday (2).csv").is_file()
    window.send(game, "/drop")
    assert window.get(game).status_code == 404
    assert (window.desk.saved / "wednesday.csv").is_file()


TOML = b"""
rating = "club-open"
date = 2012-04-18
tables = 9
strata = "A=open, B=1000, C=200"
"""


def test_a_table_is_pasted_and_a_toml_file_goes_with_its_game(window: Window) -> None:
    lines = [line for line in WEDNESDAY.read_text("utf-8").splitlines() if not line.startswith("#")]
    game = window.dropped(text="\r\n".join(lines).replace(",", "\t"))
    assert "the class of game" in words(window.page(game).get_element_by_id("missing").getnext())
    game = window.dropped(("wed.csv", "\n".join(lines).encode()), ("wed.toml", TOML))
    assert "Mortimer Sams – Anne Anderson" in window.text(game)
    answer = window.drop(("other.toml", b'rating = "stac"'))
    assert "goes with a results file of the same name" in words(html.document_fromstring(answer.data))


def test_a_file_that_is_dropped_again_with_other_declarations_has_those(window: Window) -> None:
    for rating in ("club-open", "club-championship", "club-championship"):
        game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()), ("wed.toml", f'rating = "{rating}"\n'.encode()))
        kept = window.desk.game(game.split("/")[-1])
        assert kept is not None
        assert kept.keys() == {"": {"rating": rating}}
    assert len(list(window.desk.games())) == 2


@pytest.mark.slow
def test_what_a_file_prints_tells_what_it_does_not_say(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"# rating: club-open\n", b"")))
    assert "Find it by the masterpoints" in window.text(game)
    assert window.send(game, "/infer").status_code == 303
    found = window.desk.game(game.split("/")[-1]).keys()  # type: ignore[union-attr]
    assert found[""]["rating"] == "club-open"
    assert "Mortimer Sams – Anne Anderson" in window.text(game)


@pytest.mark.slow
def test_what_was_said_last_time_is_proposed(window: Window) -> None:
    text = WEDNESDAY.read_bytes().replace(b"# rating: club-open\n", b"")
    game = window.dropped(("wed.csv", text))
    window.send(game, "/keys", **{"0.rating": "club-invitational"})
    window.send(game, "/save")
    game = window.dropped(("wed.csv", text.replace(b"Aft", b"Eve")))
    proposed, *_ = window.page(game).xpath("//form[contains(@action, '/keys')][1]//option[@selected]")
    assert (proposed.get("value"), proposed.text) == ("club-invitational", "Invitational club game")


@pytest.mark.slow
def test_what_cannot_be_read_is_said(window: Window) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"\0" * (MAX_UNPACKED + 1))
    for name, data in (("bomb.xlsx", bomb.getvalue()), ("empty.csv", b""), ("photo.jpg", b"\xff\xd8\xff\xe0" * 99)):
        said = window.text(window.dropped((name, data)))
        assert "This file cannot be read. Why" in said
        assert "a bug in resultproc" not in said


@pytest.mark.slow
def test_games_are_published_once_each_with_a_confirmation(window: Window, tmp_path: Path) -> None:
    www = tmp_path / "www"
    www.mkdir()
    (window.desk.root / "resultproc.toml").write_text(f"[site.folder]\nfolder = {json.dumps(str(www))}\n", "utf-8")
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    assert "save the game first" in window.text(f"{game}/publish")
    window.send(game, "/save", name="wed")
    assert "goes to" in window.text(f"{game}/publish")
    assert not list(www.iterdir())
    answer = window.send(f"{game}/publish", "/publish")
    assert "is there" in words(html.document_fromstring(answer.data))
    (there,) = www.iterdir()
    assert b"Mortimer Sams" in there.read_bytes()
    assert "sent before" in window.text(f"{game}/publish")
    with Receipts(tmp_path / "club" / "receipts.sqlite") as receipts:
        assert [each.state for each in receipts.of()] == ["sent"]


NAMES = {
    "../../etc/passwd.csv": "passwd.csv",
    "C:\\games\\wed.csv": "wed.csv",
    "a\0b\n.csv": "ab.csv",
    "x" * 300 + ".csv": "x" * 196 + ".csv",
    "x." + "y" * 300: "x." + "y" * 9,
    "Zoë's <b>game</b>.csv": "b.csv",
    "wed\u202ecsv.exe": "wedcsv.exe",
}


@pytest.mark.parametrize("given", NAMES)
def test_names_stay_within_the_folder(given: str) -> None:
    assert file_name(given) == NAMES[given]


@pytest.mark.parametrize("given", NAMES)
def test_names_stay_within_the_folder_on_windows(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resultproc.web.desk.PurePath", PureWindowsPath)
    kept = file_name(given)
    assert kept == NAMES[given]
    assert ntpath.basename(kept) == kept
    assert not ntpath.splitdrive(kept)[0]


@pytest.mark.parametrize(
    "name",
    ["resultproc.toml", "RESULTPROC.TOML", "con.csv", "CONIN$.csv", "lpt².csv", "~$wed.xlsx", "wed.ldb", "...", "/"],
)
def test_names_that_are_refused(name: str, window: Window) -> None:
    before = sorted(window.desk.root.rglob("*"))
    answer = window.drop((name, b'rating = "stac"\n'))
    assert answer.status_code in {303, 409}
    assert [path for path in sorted(window.desk.root.rglob("*")) if path not in before] == []


def test_whoever_else_asks_is_refused_and_changes_nothing(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    before = {path: path.read_bytes() for path in window.desk.root.rglob("*") if path.is_file()}
    caplog.set_level(logging.WARNING, "resultproc.web")
    form = {"token": window.guard.token, "version": window.desk.game(game.split("/")[-1]).version}  # type: ignore[union-attr]
    drop = f"{game}/drop"

    def posted(base: str = window.base, data: Any = form, **headers: str) -> int:
        caplog.clear()
        status = window.client.post(drop, base_url=base, data=data, headers=headers).status_code
        assert "refused" in caplog.text
        return int(status)

    assert posted(Origin="https://evil.example") == 403
    assert posted(Origin="null") == 403
    assert posted(Host="evil.example") == 403
    assert posted(Host=f"127.0.0.1:{PORT + 1}") == 403
    assert posted(**{"Sec-Fetch-Site": "cross-site"}) == 403
    assert posted(data={**form, "token": ""}) == 403
    assert posted(data={**form, "token": "é"}) == 403
    assert posted(data={}) == 403
    stranger = make_app(window.desk, window.guard, window.desk.root / "x").test_client()
    for path in ("/", game, f"/?{KEY_NAME}=wrong", f"/?{KEY_NAME}=", "/results/index.html"):
        assert stranger.get(path, base_url=window.base).status_code == 403
    assert stranger.post(drop, base_url=window.base, data=form).status_code == 403
    assert window.get("/", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert {path: path.read_bytes() for path in window.desk.root.rglob("*") if path.is_file()} == before


def test_what_is_too_large_is_refused(window: Window, caplog: pytest.LogCaptureFixture) -> None:
    config = window.client.application.config
    assert config["MAX_CONTENT_LENGTH"] == MOST_BYTES
    config["MAX_CONTENT_LENGTH"] = 10_000
    answer = window.drop(("large.csv", b"x" * 10_000))
    assert answer.status_code == 413
    assert "32 MB are the most" in words(html.document_fromstring(answer.data))
    assert "413" in caplog.text
    assert not list(window.desk.games())


def test_no_address_leaves_the_folder(window: Window) -> None:
    (window.desk.root / "secret.txt").write_text("secret", "utf-8")
    for path in ("/results/../secret.txt", "/results/%2e%2e/secret.txt", "/games/../../x", "/games/" + "0" * 16):
        assert window.get(path).status_code in {404, 308}, path
    assert window.get("/month/2012-13x").status_code == 404


@pytest.mark.slow
def test_every_page_is_closed_to_others(window: Window) -> None:
    game = evening(window)
    for path in ("/", game, f"{game}/sheet", "/nowhere"):
        answer = window.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert window.guard.secret not in answer.text
        assert "http://" not in answer.text.replace("http://www.w3.org", "")


def test_a_name_is_never_markup(window: Window) -> None:
    bad = WEDNESDAY.read_text("utf-8").replace("Mortimer Sams", "<script>alert(1)</script>").replace("133.00", "<b>")
    game = window.dropped(("<img src=x>.csv", bad.encode()))
    page = window.get(game).text
    assert "<script>alert" not in page
    assert "<b>" not in page
    window.send(game, "/cells", **{"cell 16:7": "133.00"})
    assert "<script>alert" not in window.get(game).text


@pytest.mark.slow
def test_it_is_started_and_stopped_from_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "resultproc", "open", str(tmp_path / "club"), "--no-browser"]
    log = tmp_path / "log"
    with log.open("wb") as told, subprocess.Popen(command, stderr=told) as process:
        while b"Ctrl-C" not in log.read_bytes() and process.poll() is None:
            time.sleep(0.05)
        address = log.read_text("utf-8").split("\n")[0].split()[-1]
        assert status_of(address.split("?")[0]) == 403
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert "Your games" in browser.open(address, timeout=20).read().decode()
        # Hundreds at once without the cookie are refused, and the page is still there.
        with ThreadPoolExecutor(50) as many:
            statuses = list(many.map(lambda _: status_of(address.split("?")[0]), range(1000 if ALL else 200)))
        assert set(statuses) <= {403, 0}
        assert "Your games" in browser.open(address.split("?")[0], timeout=20).read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    rest = log.read_text("utf-8")
    assert rest.count("refused: no cookie of this page") >= statuses.count(403) + 1
    assert "Traceback" not in rest


def status_of(address: str) -> int:
    try:
        return int(urllib.request.urlopen(address, timeout=20).status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:  # too many at once for a connection
        return 0


@pytest.mark.skipif(os.name == "nt", reason="for a shell")
@pytest.mark.parametrize("name", ["open.sh", "open.command"])
def test_a_double_click_starts_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "resultproc").write_text('#!/bin/sh\nfor each; do echo "$each"; done\n', "utf-8")
    (tmp_path / "resultproc").chmod(0o755)
    here = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run([PROJECT / "scripts" / name], env=here, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["open", str(tmp_path / "Bridge" / "desk")]
    assert (PROJECT / "scripts" / "open.bat").read_text("utf-8").count('open "%FOLDER%"') == 2


@pytest.mark.slow
def test_what_was_dropped_says_what_it_needs(window: Window) -> None:
    whole = WEDNESDAY.read_bytes()
    files = {
        "whole.csv": whole,
        "asks.csv": whole.replace(b"# rating: club-open\n", b"").replace(b"2012-04-18", b"2012-04-25"),
        "wrong.csv": whole.replace(b"133.00", b"133.OO").replace(b"64.00", b"64.OO"),
        "twice.csv": whole.replace(b"Beth Bartel", b"Sally Dix").replace(b"2012-04-18", b"2012-05-02"),
        "photo.jpg": b"\xff\xd8\xff\xe0" * 99,
    }
    answer = window.drop(("~$whole.csv", b"open in Excel"), ("whole.csv", whole))
    assert (answer.status_code, "has no name that can be kept" in answer.text) == (409, True)  # and keeps no other out
    assert window.drop(*files.items()).headers["Location"] == "/#work"
    told = {}
    for each in window.page("/").xpath("//li[a[starts-with(@href, '/games/')]]"):
        told[each.xpath("string(small)").split(" · ")[0]] = (each.xpath("string(a)"), each.xpath("string(strong)"))
    event = "Wed 1:00 Open Pairs, Wednesday"
    assert told == {
        "whole.csv": (f"{event} 18 April 2012 · Wednesday Aft", "ready"),
        "asks.csv": (f"{event} 25 April 2012 · Wednesday Aft", "needs you: 1 thing"),
        "wrong.csv": ("wrong.csv", "needs you: 2 things"),
        "twice.csv": (f"{event} 2 May 2012 · Wednesday Aft", "ready, 1 likely mistake"),
        "photo.jpg": ("photo.jpg", "cannot be read"),
    }


@pytest.mark.slow
def test_why_something_is_asked_is_in_sight(window: Window) -> None:
    """A day that may be two is asked for, and the remark that says so is not folded away."""
    lines = [
        "Club Pairs 03/11/2026",
        "Pair,Names,Score,%",
        *(f"{n},A{n} B / C{n} D,{60 - n * 4},{56 - n * 2}" for n in range(1, 6)),
    ]
    game = window.dropped(("tue.csv", "\n".join(lines).encode()))
    page = window.page(game)
    (remarks,) = page.xpath("//details[@open]")
    assert "may be 2026-11-03 or 2026-03-11" in words(remarks)
    assert page.xpath("//h2[@id='missing']/following::input[@type='date'][1]/@name") == ["0.date"]


def test_pdf_is_offered_where_it_can_be_read(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    for found, offered in ((None, False), (object(), True)):
        monkeypatch.setattr("resultproc.web.app.find_spec", lambda _, found=found: found)
        assert (", PDF," in window.text("/")) == offered


@pytest.mark.slow
def test_likely_mistakes_stand_first_and_before_the_button(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes().replace(b"Beth Bartel", b"Sally Dix")))
    page = window.get(game).text
    heading = page.index("Remarks: 1 likely mistake")
    sheet = page.index("Harold Holland")
    assert heading < page.index("Sally Dix", heading) < page.index("Save as") < sheet
    assert window.page(game).xpath("//h2[@id='remarks']/following-sibling::ul[1]//a/@href") != []


@pytest.mark.slow
def test_what_is_saved_says_so_and_where(window: Window) -> None:
    game = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    window.send(game, "/save", name="wed")
    (said,) = window.page(game).xpath("//div[@role='status']")
    assert words(said).startswith(f"Saved as wed.csv, in {window.desk.saved}.")
    for link in said.xpath(".//a/@href"):
        assert window.get(link).status_code == 200
    window.send(game, "/keys", **{"0.club": "Example Bridge Club"})
    assert "Saved as" not in window.text(game)
