"""A game that is saved is opened again, and replaced by its corrected file, everywhere and once."""

import contextlib
import csv
import io
import json
import re
from pathlib import Path

import openpyxl
import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")

from test_open import WEDNESDAY, Window, broken_off

from resultproc.web.desk import Desk, version_of

GAME = WEDNESDAY.read_bytes().replace(b"# rating: club-open\n", b"")
CORRECTED = GAME.replace(b"133.00,61.57", b"@").replace(b"130.00,60.19", b"133.00,61.57").replace(b"@", b"130.00,60.19")
"""Pairs 6 and 7 have each other's score: 7 is 2nd (70% of 0.90), and 6 3rd (50%), in B still 2nd (70% of 0.56)."""


def saved(window: Window, data: bytes = GAME, called: str = "2012-04-18 wed") -> str:
    return window.saved(f"{called[11:]}.csv", data, called, b'rating = "club-open"\n')


def over(window: Window, name: str) -> str:
    """Return how a page says which file is replaced, as it is now."""
    return f"{version_of(window.desk.saved / name)}/{name}"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def as_workbook(data: bytes) -> bytes:
    book = openpyxl.Workbook()
    for line in data.decode().splitlines():
        book.worksheets[0].append(next(csv.reader([line])) if not line.startswith("#") else [line])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.slow
def test_saved_games_are_listed_by_month_and_opened_again(window: Window) -> None:
    game = saved(window)
    page = window.page("/")
    (link,) = page.xpath("//a[starts-with(@href, '/results/2')]")
    assert link.text == "Wed 18 Apr 2012: Wed 1:00 Open Pairs"
    assert window.get(link.get("href")).status_code == 200
    assert [each.text.strip() for each in page.xpath("//h3")] == ["April 2012"]
    assert "Nothing is waiting." in window.text("/")  # what is saved is not on the desk twice
    name = "2012-04-18 wed.csv"
    assert window.send("/", "/saved", name=name).headers["Location"] == game
    assert window.send(game, "/drop").status_code == 303
    again = window.send("/", "/saved", name=name).headers["Location"]
    assert again != game
    assert "Save it again" in window.text(again)
    assert window.send("/", "/saved", name=name).headers["Location"] == again
    assert window.send("/", "/saved", name="none.csv").status_code == 404
    assert window.get(f"/saved/{name}").status_code == 404  # an address alone changes nothing


@pytest.mark.slow
def test_a_correction_a_week_later_replaces_the_game_everywhere(window: Window) -> None:
    saved(window)
    game = window.dropped(("wed corrected.csv", CORRECTED))
    page = window.text(game)
    assert "You saved this game on " in page
    assert "as 2012-04-18 wed.csv: replace it? 2 pairs change." in page
    assert "Norteman Jr - Louise Carter (A-NS-7) 0.63 masterpoints, before 0.45: 0.18 more" in page
    assert "Mortimer Sams - Anne Anderson (A-NS-6) 0.45 masterpoints, before 0.63: 0.18 fewer" in page
    assert window.send(game, "/save").status_code == 409  # without an answer to the question
    assert window.send(game, "/save", over=over(window, "2012-04-18 wed.csv")).status_code == 303
    assert names(window.desk.saved) == ["2012-04-18 wed.csv", "2012-04-18 wed.toml"]
    assert (window.desk.saved / "2012-04-18 wed.csv").read_bytes() == CORRECTED
    assert [name for name in names(window.desk.results) if name.endswith(".html")] == [
        "2012-04-18 wed.html",
        "index.html",
    ]
    assert "Norteman Jr" in window.text("/results/2012-04-18 wed.html").split("0.63")[0].rsplit("0.90", 1)[-1]
    assert "Results 1 game" in window.text("/results/index.html")
    assert "April 2012 1 game" in window.text("/")
    month = window.page("/month/2012-04")
    rows = {row.xpath("string(th)"): row.xpath("string(td[last()])") for row in month.xpath("//tbody/tr")}
    assert [rows[name].split(",")[0] for name in ("Norteman Jr", "Mortimer Sams")] == ["0.63", "0.45"]
    # The first version is gone from the desk; it comes back by taking back the change.
    assert len(list(window.desk.games())) == 1
    assert window.send(game, "/back").status_code == 303
    assert window.send(game, "/save").status_code == 303
    assert (window.desk.saved / "2012-04-18 wed.csv").read_bytes() == GAME


@pytest.mark.slow
def test_a_correction_of_another_kind_of_file_takes_the_place_of_the_first(window: Window) -> None:
    saved(window)
    game = window.dropped(("wed.xlsx", as_workbook(CORRECTED)))
    assert "2 pairs change" in window.text(game)
    assert window.send(game, "/save", over=over(window, "2012-04-18 wed.csv")).status_code == 303
    assert names(window.desk.saved) == ["2012-04-18 wed.toml", "2012-04-18 wed.xlsx"]
    assert "April 2012 1 game" in window.text("/")
    assert "Results 1 game" in window.text("/results/index.html")
    # It is taken back as one of the same kind is.
    assert window.send(game, "/back").status_code == 303
    assert window.send(game, "/save").status_code == 303
    assert names(window.desk.saved) == ["2012-04-18 wed.csv", "2012-04-18 wed.toml"]
    assert (window.desk.saved / "2012-04-18 wed.csv").read_bytes() == GAME
    assert "April 2012 1 game" in window.text("/")


@pytest.mark.slow
def test_what_another_tab_has_replaced_is_not_replaced_by_what_was_seen_before(window: Window) -> None:
    saved(window)
    game = window.dropped(("wed corrected.csv", CORRECTED))
    seen = over(window, "2012-04-18 wed.csv")
    other = window.dropped(("wed late.csv", CORRECTED.replace(b"Ruta Allen", b"Ruth Allen")))
    assert window.send(other, "/save", over=seen).status_code == 303
    answer = window.send(game, "/save", over=seen)
    assert answer.status_code == 409
    assert "this game was changed in another window since" in answer.text
    assert b"Ruth Allen" in (window.desk.saved / "2012-04-18 wed.csv").read_bytes()
    assert window.send(game, "/save", over=over(window, "2012-04-18 wed.csv")).status_code == 303
    # A click that comes twice is one: what is taken back is still what was there before.
    assert window.send(game, "/save", over=seen).status_code == 303
    assert window.send(game, "/back").status_code == 303
    assert b"Ruth Allen" in next(iter(window.desk.games())).path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_was_published_is_corrected_at_the_site(window: Window, tmp_path: Path, ending: str) -> None:
    www = tmp_path / "www"
    www.mkdir()
    (window.desk.root / "resultproc.toml").write_text(f"[site.folder]\nfolder = {json.dumps(str(www))}\n", "utf-8")
    game = saved(window)
    window.send(f"{game}/publish", "/publish")
    data = CORRECTED if ending == "csv" else as_workbook(CORRECTED)
    game = window.dropped((f"new.{ending}", data))
    assert window.send(game, "/save", over=over(window, "2012-04-18 wed.csv")).status_code == 303
    assert "It corrects what was sent" in window.text(f"{game}/publish")
    window.send(f"{game}/publish", "/publish")
    assert len(names(www)) == 1


@pytest.mark.slow
def test_an_ending_in_other_letters_is_the_same_file_where_case_does_not_count(window: Window) -> None:
    """As on Windows and Macs: nothing is written under a second name, or removed under the first."""
    window.saved("WED.CSV", GAME, "wed", b'rating = "club-open"\n')
    assert names(window.desk.saved) == ["wed.CSV", "wed.toml"]
    game = window.dropped(("wed.csv", CORRECTED))
    assert window.send(game, "/save", over=over(window, "wed.CSV")).status_code == 303
    assert names(window.desk.saved) == ["wed.CSV", "wed.toml"]
    assert (window.desk.saved / "wed.CSV").read_bytes() == CORRECTED
    other = window.desk.put("Wed.csv", GAME)
    assert window.desk.save(other, other.version, "WED") == "WED (2).csv"


@pytest.mark.slow
def test_the_same_file_twice_is_one_game(window: Window) -> None:
    first = window.dropped(("wed.csv", GAME))
    assert window.dropped(("wed.csv", GAME)) == first
    assert len(list(window.desk.games())) == 1
    window.send(first, "/keys", **{"0.rating": "club-open"})
    window.send(first, "/save")
    again = window.dropped(("wed (1).csv", GAME))
    assert "replace it? Nothing that counts differs." in window.text(again)


@pytest.mark.slow
def test_another_session_of_the_day_is_another_game(window: Window) -> None:
    """It has other players; and one with the same, which is asked about, is saved besides where that is said."""
    saved(window)
    head, rows = GAME.split(b"\nA,", 1)
    other = head + b"\nA," + re.sub(rb"[A-Z][a-z]+", lambda name: name[0][::-1].title(), rows)
    game = window.dropped(("wed eve.csv", other.replace(b"Wednesday Aft", b"Wednesday Eve")))
    assert "You saved this game" not in window.text(game)
    game = window.dropped(("wed late.csv", GAME.replace(b"Wednesday Aft", b"Wednesday Eve")))
    assert "You saved this game" in window.text(game)
    assert window.send(game, "/save", at=1).status_code == 303
    assert len(list(window.desk.saved.glob("*.csv"))) == 2


@pytest.mark.slow
def test_a_game_is_taken_out_of_those_that_are_saved_and_stays_on_the_desk(window: Window) -> None:
    saved(window)
    game = saved(window, GAME.replace(b"2012-04-18", b"2012-05-16"), "2012-05-16 may")
    assert window.send(game, "/take-out").status_code == 303
    assert names(window.desk.saved) == ["2012-04-18 wed.csv", "2012-04-18 wed.toml"]
    assert "May 2012 1 game" not in window.text("/")
    assert "May 2012" not in window.text("/results/index.html")
    assert "may.csv · you saved this game before" in window.text("/")  # April's has the same players and scores
    assert window.send(game, "/save", over="/").status_code == 303
    assert "May 2012 1 game" in window.text("/")
    for each in list(window.desk.games()):
        window.send(f"/games/{each.id}", "/take-out")
    assert names(window.desk.saved) == []
    assert [name for name in names(window.desk.results) if name[:2] == "20"] == []  # nor the last one's pages


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("writes", range(1, 10))
def test_a_replacement_that_is_broken_off_leaves_one_whole_game(
    window: Window, monkeypatch: pytest.MonkeyPatch, writes: int, ending: str
) -> None:
    desk = window.desk
    first = desk.put("wed.csv", GAME, b'rating = "club-open"\n')
    desk.save(first, first.version, "wed")
    data = CORRECTED if ending == "csv" else as_workbook(CORRECTED)
    game = desk.put(f"new.{ending}", data, b'rating = "stac"\n')
    broken_off(monkeypatch, writes)
    with contextlib.suppress(SystemExit):
        desk.replace(game, game.version, "wed.csv", version_of(desk.saved / "wed.csv"))
    monkeypatch.undo()
    monkeypatch.setattr(Desk, "not_made", lambda *_: [])
    again = Window(desk.root).desk
    there = {path.name: path.read_bytes() for path in again.saved.iterdir()}
    old = {"wed.csv": GAME, "wed.toml": b'rating = "club-open"\n'}
    assert there in (old, {f"wed.{ending}": data, "wed.toml": b'rating = "stac"\n'})
