"""What players won in a month, and a series of games that are chosen and named."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flask")
pytest.importorskip("waitress")

from lxml import html
from test_open import WEDNESDAY, Window, words

GAME = WEDNESDAY.read_bytes()


@pytest.fixture
def window(tmp_path: Path) -> Window:
    """Return a desk with four Wednesdays of April and May, with the same players."""
    window = Window(tmp_path / "club")
    for day in ("2012-04-11", "2012-04-18", "2012-04-25", "2012-05-02"):
        data = GAME.replace(b"2012-04-18", day.encode())
        if day == "2012-04-25":  # only here, so that the games do not look the same
            data = data.replace(b"140.50,65.05", b"140.00,64.81")
        (window.desk.saved / f"{day}.csv").write_bytes(data)
    assert window.desk.not_made() == []
    return window


def amounts(tree: html.HtmlElement) -> dict[str, str]:
    """Return what a report says of each player."""
    return {row.xpath("string(th)"): words(row) for row in tree.xpath("//tbody/tr")}


@pytest.mark.slow
def test_a_month_sums_the_masterpoints_of_its_games_and_pays_no_bonus(window: Window) -> None:
    """Harold Holland wins 0.90 in each of three games in April."""
    answer = window.get("/month/2012-04")
    text = words(html.document_fromstring(answer.data))
    assert "Masterpoints, April 2012" in text
    assert "2.70" in amounts(html.document_fromstring(answer.data))["Harold Holland"]
    assert "Bonus" not in text
    assert window.get("/month/2012-06").status_code == 404
    assert window.get("/month/2012-13").status_code == 404
    assert window.get("/month/x").status_code == 404


def made(window: Window, **values: Any) -> Any:
    data = {"token": window.guard.token, "method": "masterpoints", "name": "Spring Series", **values}
    return window.client.post("/series", base_url=window.base, data=data)


@pytest.mark.slow
def test_a_series_is_games_that_are_chosen_and_a_name(window: Window) -> None:
    page = window.page("/series")
    games = page.xpath("//input[@type='checkbox']/@value")
    assert games == ["2012-05-02.csv", "2012-04-11.csv", "2012-04-18.csv", "2012-04-25.csv"]
    assert [each.text for each in page.xpath("//legend")] == ["May 2012", "April 2012"]
    answer = made(window, game=["2012-04-18", "2012-05-02"])
    assert (answer.status_code, answer.headers["Location"]) == (303, "/series/Spring%20Series")
    text = window.text("/series/Spring Series")
    assert text.startswith("Spring Series")
    assert "2 games" in text
    assert "Bonus" in text
    assert "1.80" in amounts(window.page("/series/Spring Series"))["Harold Holland"]
    # It is on the desk, and its games are chosen again.
    (link,) = window.page("/").xpath("//a[text()='Spring Series']/@href")
    assert link == "/series/Spring%20Series"
    again = window.page("/series?name=Spring Series")
    assert again.xpath("//input[@checked]/@value") == ["2012-05-02.csv", "2012-04-18.csv"]
    # Two files may differ in their endings alone, where somebody has put one there by hand.
    (window.desk.saved / "2012-04-18.txt").write_bytes(GAME)
    made(window, game=["2012-04-18.csv", "2012-05-02.csv"])
    assert "1.80" in amounts(window.page("/series/Spring Series"))["Harold Holland"]
    (window.desk.saved / "2012-04-18.txt").unlink()
    assert made(window).headers["Location"] == "/"
    assert "Spring Series" not in window.text("/")
    assert window.get("/series/Spring Series").status_code == 404


@pytest.mark.slow
def test_what_keeps_a_month_or_a_series_from_being_made_is_told_above_the_games(window: Window) -> None:
    game = window.dropped(("again.csv", GAME.replace(b"Wed 1:00", b"Wed 2:00")))
    window.send(game, "/save", name="again", over="/")
    answer = window.get("/month/2012-04")
    assert answer.status_code == 409
    text = words(html.document_fromstring(answer.data))
    assert "this is the same game as" in text
    assert "April 2012 4 games" in text  # with a link to each, where it is taken out
    assert window.get("/nowhere").text.count('<a href="/">All games</a>') == 1
    answer = made(window, name=" ", game=["2012-04-18"])
    assert answer.status_code == 409
    assert "a series has a name" in words(html.document_fromstring(answer.data))
    made(window, game=["2012-04-18", "gone"])
    assert "this game of the series is not saved any more" in window.text("/series/Spring Series")
    assert made(window, method="luck", game=["again"]).status_code == 400
    # What the club can say for every game leads there, and to the game.
    (window.desk.saved / "asks.csv").write_bytes(GAME.replace(b"# rating: club-open\n", b""))
    made(window, game=["asks"])
    page = html.document_fromstring(window.get("/series/Spring Series").data)
    (told,) = page.xpath("//*[@role='alert']/p[starts-with(., 'asks.csv: ')]")
    assert ("“Rating” is not declared" in words(told), "=" in words(told)) == (True, False)
    assert told.xpath("a/@href") == ["/settings#games", "/saved?name=asks.csv"]
    assert window.send("/saved?name=asks.csv", "/saved", name="asks.csv").status_code == 303
    (window.desk.root / "series.json").write_text("[", "utf-8")
    assert window.get("/").status_code == 200
    answer = made(window, game=["2012-04-18"])  # which would lose all that is there
    assert answer.status_code == 409
    assert "the series in this file cannot be read" in words(html.document_fromstring(answer.data))
    assert (window.desk.root / "series.json").read_text("utf-8") == "["


def test_a_series_may_have_a_stroke_in_its_name(tmp_path: Path) -> None:
    window = Window(tmp_path / "club")
    answer = made(window, name="Winter 2026/27", game=["gone"])
    answer = window.get(answer.headers["Location"])
    assert answer.status_code == 409  # and not 404, which leaves no way to change it
    assert "none of its games is saved any more" in words(html.document_fromstring(answer.data))
