"""The pages of players in a folder that is a site: what they have, and who has none."""

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from conftest import FIXTURES, Run, run
from lxml import html

from resultproc.model.files import OutputFolder
from resultproc.site.games import Columns, GameRow, SiteGames, games_said
from resultproc.site.index import GamesPage, Index, write_site

HEAD = "# event: {}\n# date: {}\n# rating: club-open\n# boards: 24\n"
HEADER = "section,number,player1,player2,id1,id2,mp1,percentage\n"


def saved(folder: Path, day: str, *pairs: str, event: str = "Open Pairs") -> None:
    """Write a game of four pairs, each such as ``Ann Lee 1000003, Bob Ray``: these, and others below them."""
    folder.mkdir(parents=True, exist_ok=True)
    others = ("Xi Xu, Yo Yu", "Ula Ut, Vi Vo", "Sy So, Ty To", "Qi Qu, Ro Ru")
    rows = []
    for number, (pair, score) in enumerate(zip((*pairs, *others), (60, 55, 50, 35), strict=False), 1):
        said = [re.sub("[0-9]{5,}", "", each).strip() for each in pair.split(",")]
        numbers = ["".join(re.findall("[0-9]{5,}", each)) for each in pair.split(",")]
        rows.append(f"A,{number},{','.join(said)},{','.join(numbers)},123.45,{score}\n")
    (folder / f"{day}.csv").write_text(HEAD.format(event, day) + HEADER + "".join(rows), "utf-8")


def batch(folder: Path, *more: object) -> Run:
    return run("batch", folder / "in", "-o", folder / "out", "--to", "html", "--index", "--players", *more)


def pages(folder: Path) -> dict[str, list[list[str]]]:
    """Return the games of each player's page, cell by cell, by the name of the page."""
    found = {}
    for path in sorted((folder / "out" / "players").glob("*.html")):
        tree = html.fromstring(path.read_bytes())
        found[path.stem] = [[cell.text_content() for cell in row] for row in tree.find(".//tbody")]
    return found


def listed(folder: Path) -> list[tuple[str, str]]:
    """Return the players that the index lists, and the pages that it leads to."""
    tree = html.fromstring((folder / "out" / "index.html").read_bytes())
    return [(a.text, a.get("href")) for a in tree.iterfind(".//ul[@class='players']/li/a")]


def won(page: html.HtmlElement) -> list[list[str]]:
    """Return who was first, as a list says: in what, who, and the percentage."""
    rows = (row for each in page.find_class("won") for row in each)
    return [[part.text_content() for part in row] for row in rows]


def settings(folder: Path, *left_out: str) -> None:
    (folder / "in" / "resultproc.toml").write_text(f"[players]\nleft_out = {list(left_out)}\n", "utf-8")


@pytest.mark.slow
def test_a_player_has_a_page_with_every_game(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Bo Ek, Anne Anderson", "Mortimer Sams, Louise Hagy")
    wednesday = (FIXTURES / "wed-open-pairs-2012-04-18.csv").read_text("utf-8")
    (tmp_path / "in" / "wed.csv").write_text(wednesday, "utf-8")
    assert batch(tmp_path).status == 0
    found = pages(tmp_path)
    # As the sheet of that game was printed: 0.63 for the second N-S; 0.20 for the second of stratum C.
    game, second = "Wed 18 Apr 2012, Wed 1:00 Open Pairs", ["2nd of 9 N-S · 2nd in B", "61.57%", "0.63"]
    assert found["mortimer-sams"][1] == [game, "Anne Anderson", *second]
    assert found["anne-anderson"][1] == [game, "Mortimer Sams", *second]
    assert found["ruth-evans"] == [[game, "Louise Hagy", "7th of 9 E-W · 2nd in C", "49.54%", "0.20"]]
    page = html.fromstring((tmp_path / "out" / "players" / "ruth-evans.html").read_bytes())
    # Of her two places that one is in bold which paid.
    assert [each.text for each in page.iterfind(".//tbody//b")] == ["2nd in C"]
    assert found["mortimer-sams"][0][:4] == ["Tue 3 Nov 2026, Open Pairs", "Louise Hagy", "2nd of 4", "55.00%"]
    assert [row[1] for row in found["anne-anderson"]] == ["Bo Ek", "Mortimer Sams"]
    assert ("Mortimer Sams", "players/mortimer-sams.html") in listed(tmp_path)
    # 36 in the one game, of whom 3 are among the 8 of the other.
    assert len(found) == len(listed(tmp_path)) == 36 + 8 - 3


@pytest.mark.slow
def test_players_of_a_team_are_with_their_team_mates(tmp_path: Path) -> None:
    fixture = FIXTURES / "knockout-example.csv"
    assert run("batch", fixture, "-o", tmp_path / "out", "--to", "html,json", "--index", "--players").status == 0
    rows = [row for each in pages(tmp_path).values() for row in each]
    assert max(row[1].count(", ") for row in rows) >= 2
    assert {row[-1] for row in rows if re.fullmatch(r"[0-9]+\.[0-9]{2}", row[-1])}


def test_nothing_private_is_on_the_pages(tmp_path: Path) -> None:
    # One is without a name, one has a number for a name.
    saved(tmp_path / "in", "2026-11-03", "Ann Lee 1000003, Bob Ray 1000004", " 1000005, 1-000-006", "J x, Di Day")
    rows = (tmp_path / "in" / "2026-11-03.csv").read_text("utf-8").replace("J x", "J123456")
    (tmp_path / "in" / "2026-11-03.csv").write_text(rows, "utf-8")
    assert batch(tmp_path).status == 0
    found = pages(tmp_path)
    assert set(found) == {"ann-lee", "bob-ray", "di-day", "xi-xu", "yo-yu"}
    assert found["di-day"][0][:2] == [
        "Tue 3 Nov 2026, Open Pairs",
        "3rd of 4",
    ]  # no column of partners, as there is none to be named
    for page in (*(tmp_path / "out" / "players").iterdir(), tmp_path / "out" / "index.html"):
        assert not re.search(r"100000|1-000|J123456|123\.45", page.read_text("utf-8"))
        assert '<meta name="robots" content="noindex, nofollow">' in page.read_text("utf-8")


@pytest.mark.slow
def test_who_is_who_is_told_by_the_number_and_else_by_the_name(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee 1000003, Bob Ray", "Ann Lee 1000077, Cy Dale")
    saved(tmp_path / "in", "2026-11-10", "ANN LEE 1000003, Cy Dale", "Ann Lee 1000077, Zoë Ash")
    assert batch(tmp_path).status == 0
    found = pages(tmp_path)
    assert [row[1] for row in found["ann-lee-2"]] == ["Zoë Ash", "Cy Dale"]
    assert [row[1] for row in found["cy-dale"]] == ["ANN LEE", "Ann Lee"]
    assert {"zoe-ash"} <= found.keys()
    before = {name: (tmp_path / "out" / "players" / f"{name}.html").read_bytes() for name in found}
    # A later game of another namesake changes the names of no pages.
    saved(tmp_path / "in", "2026-11-17", "Ann Lee 1000001, Ed Ey")
    assert batch(tmp_path).status == 0
    now = {name: (tmp_path / "out" / "players" / f"{name}.html").read_bytes() for name in pages(tmp_path)}
    expected = {*("ann-lee-3", "ed-ey"), *("xi-xu", "yo-yu", "ula-ut", "vi-vo", "sy-so", "ty-to")}
    assert {name for name in now if now[name] != before.get(name)} == expected


@pytest.mark.slow
def test_who_does_not_want_a_page_is_on_none(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee 1000003, Bob Ray", "Ann Leeson, Cy Dale")
    saved(tmp_path / "in", "2026-11-10", "Annabel Lee 1000003, Cy Dale")
    saved(tmp_path / "in", "2026-11-17", "Ann Lee, Bob Ray")
    assert batch(tmp_path).status == 0
    assert "ann-lee" in pages(tmp_path) or "annabel-lee" in pages(tmp_path)
    for said in ("Ann Lee", "LEE, ANN", "Ann Lea", "1000003", "01000003"):
        settings(tmp_path, said, "Nobody Here")
        assert batch(tmp_path).status == 0
        found = pages(tmp_path)
        assert {"ann-leeson", "bob-ray", "cy-dale"} <= found.keys(), said
        texts = [page.read_text("utf-8") for page in (tmp_path / "out" / "players").iterdir()]
        texts.append((tmp_path / "out" / "index.html").read_text("utf-8"))
        assert not any(re.search(r"Ann Lee\b|Annabel", text) for text in texts), said
        days = [row[:2] for row in found["bob-ray"]]
        told = [[f"Tue {day} Nov 2026, Open Pairs", "1st of 4"] for day in (17, 3)]
        assert days == told, said  # no partner is named
        assert "Ann Lee" in (tmp_path / "out" / "2026-11-03.html").read_text("utf-8")
    # With nobody in the list all are there again.
    settings(tmp_path)
    assert batch(tmp_path).status == 0
    assert [row[1] for row in pages(tmp_path)["bob-ray"]] == ["Ann Lee", "Ann Lee"]


@pytest.mark.slow
def test_the_list_of_one_folder_holds_for_all(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    settings(tmp_path, "Ann Lee")
    saved(tmp_path / "in" / "mon", "2026-11-09", "Ann Lee, Cy Dale")
    assert batch(tmp_path).status == 0
    assert {"bob-ray", "cy-dale"} <= pages(tmp_path).keys()
    assert "ann-lee" not in pages(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('players = "Ann"\n', "resultproc.toml: line 1: 'players' is not a table"),
        ('[players]\nleftout = ["Ann"]\n', "resultproc.toml: line 2: unknown key 'leftout' of players"),
        ('[players]\nleft_out = "Ann"\n', "resultproc.toml: line 2: left_out is no list of names and numbers"),
        ("[players]\nleft_out = [1000003]\n", "resultproc.toml: line 2: left_out is no list of names and numbers"),
        ('[players]\nleft_out = [" "]\n', "resultproc.toml: line 2: left_out is no list of names and numbers"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_and_no_page_is_made(tmp_path: Path, text: str, said: str) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    (tmp_path / "in" / "resultproc.toml").write_text(text, "utf-8")
    done = batch(tmp_path)
    assert (done.status, pages(tmp_path)) == (1, {})
    assert said in done.err
    assert 'write [players], and below it left_out = ["Ann Lee", "1234567"]' in done.err


def test_a_list_of_players_is_no_key_of_games(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    settings(tmp_path, "Ann Lee")
    assert "Ann Lee" in run("award", tmp_path / "in" / "2026-11-03.csv").printed


@pytest.mark.slow
def test_pages_of_players_go_with_their_games_and_when_nobody_asks_for_them(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    saved(tmp_path / "in", "2026-11-10", "Cy Dale, Bob Ray")
    assert batch(tmp_path).status == 0
    assert {"ann-lee", "bob-ray", "cy-dale"} <= pages(tmp_path).keys()
    (tmp_path / "in" / "2026-11-03.csv").unlink()
    assert batch(tmp_path).status == 0
    assert "ann-lee" not in pages(tmp_path)
    assert [row[1] for row in pages(tmp_path)["bob-ray"]] == ["Cy Dale"]
    assert run("batch", tmp_path / "in", "-o", tmp_path / "out", "--to", "html", "--index").status == 0
    assert (pages(tmp_path), listed(tmp_path)) == ({}, [])
    assert not (tmp_path / "out" / "players").exists()


def test_names_of_pages_fit_any_system_and_no_result_has_them(tmp_path: Path) -> None:
    saved(
        tmp_path / "in" / "players", "2026-11-03", "Aux, <b>Bold</b> & Co", "李雷, " + "Long " * 100, "\u037a, Zed Zo"
    )
    (tmp_path / "in" / "players" / "2026-11-03.csv").rename(tmp_path / "in" / "players" / "xi-xu.csv")
    assert batch(tmp_path).status == 0
    names = {Path(page).name for _, page in listed(tmp_path)}
    assert {"_aux.html", "xi-xu-2.html", "b-bold-b-co.html", "%E6%9D%8E%E9%9B%B7.html"} <= names
    assert all(len(name) <= 200 for name in names)
    assert "Open Pairs</h1>" in (tmp_path / "out" / "players" / "xi-xu.html").read_text("utf-8")
    assert "<b>Bold" not in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_a_game_leads_to_the_own_line_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "two.ACM").write_bytes((FIXTURES / "made-two-games.ACM").read_bytes())
    assert batch(tmp_path, "--rating", "club-championship").status == 0
    folder = tmp_path / "out" / "players"
    page = html.fromstring((tmp_path / "out" / "two.html").read_bytes())
    links = [
        (path, a)
        for path in folder.glob("*.html")
        for a in html.fromstring(path.read_bytes()).find(".//tbody").iterfind(".//th/a")
    ]
    assert links
    for path, link in links:
        name = html.fromstring(path.read_bytes()).find(".//h1").text
        to, _, anchor = link.get("href").partition("#")
        assert to == "../two.html"
        assert name in page.get_element_by_id(anchor).text_content()


def test_a_season_has_its_mean_partners_and_best_results(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-10-27", "Bo Ek, Di Day", "Ann Lee, Bob Ray")
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    saved(tmp_path / "in", "2026-11-10", "Ann Lee, Cy Dale")
    saved(tmp_path / "in", "2026-11-17", "Bo Ek, Di Day", "Zo Zu, Yu Yi", "Ann Lee, Bob Ray")
    assert batch(tmp_path).status == 0
    page = html.fromstring((tmp_path / "out" / "players" / "ann-lee.html").read_bytes())
    # 55, 60, 60 and 50.
    assert [each.text for each in page.find(".//ul[@class='facts']")][:2] == ["4 games", "mean 56.25%"]
    tables = {table.get("aria-labelledby"): table for table in page.iter("table")}
    rows = {
        name: [[cell.text_content() for cell in row] for row in table.find("tbody")] for name, table in tables.items()
    }
    # With Bob 55, 60 and 50.
    assert [row[:3] for row in rows["partners"]] == [["Bob Ray", "3", "55.00%"], ["Cy Dale", "1", "60.00%"]]
    assert [row[:3] for row in rows["months"]] == [["November 2026", "3", "56.67%"], ["October 2026", "1", "55.00%"]]
    assert [row[0] for row in rows["best"]] == ["60.00%", "60.00%", "55.00%"]
    assert [link.get("href") for link in tables["partners"].iterfind(".//th/a")] == ["bob-ray.html", "cy-dale.html"]
    assert len(page.findall(".//svg//circle")) == 4
    # Each game has 60, 55, 50 and 35.
    assert page.find(".//figcaption").text.endswith(
        "50.00% to 60.00%; the dashed line is the mean of the field, 50.00%."
    )
    # The list of games names the winners, the latest on top.
    index = html.fromstring((tmp_path / "out" / "index.html").read_bytes())
    assert index.find(".//section/h2").text == "Latest game"
    assert won(index) == [
        ["Bo Ek – Di Day", "60.00%"],  # of the latest game, on top and in its list
        ["Bo Ek – Di Day", "60.00%"],
        ["Ann Lee – Cy Dale", "60.00%"],
        ["Ann Lee – Bob Ray", "60.00%"],
        ["Bo Ek – Di Day", "60.00%"],
    ]


@pytest.mark.slow
def test_the_index_names_the_first_of_each_direction_and_stratum(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    wednesday = (FIXTURES / "wed-open-pairs-2012-04-18.csv").read_text("utf-8")
    (tmp_path / "in" / "wed.csv").write_text(wednesday, "utf-8")
    assert batch(tmp_path).status == 0
    index = html.fromstring((tmp_path / "out" / "index.html").read_bytes())
    # As that sheet was printed: who is first in A, in B, and in C, of each direction.
    first = [
        ["N-S A B", "Harold Holland – Betty Holland", "65.05%"],
        ["E-W A B", "Stratford – Charlie Stratford", "58.56%"],
        ["N-S C", "Ruta Allen – Betty Camp", "48.38%"],
        ["E-W C", "Perrin Powell – Paul Corden", "55.32%"],
    ]
    assert won(index) == [*first, *first]  # on top, and in its list
    assert "Open club game · 9 tables" in index.find(".//ul[@class='games']/li/small").text
    month = html.fromstring((tmp_path / "out" / "months" / "2012-04.html").read_bytes())
    assert won(month) == first


def test_a_player_meets_opponents_and_leads_to_the_own_scorecards(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wed.json").write_bytes((FIXTURES / "made-wednesday.json").read_bytes())
    settings(tmp_path, "Ben Teak")
    assert batch(tmp_path).status == 0
    game = html.fromstring((tmp_path / "out" / "wed.html").read_bytes())
    page = html.fromstring((tmp_path / "out" / "players" / "ada-spruce.html").read_bytes())
    to, _, anchor = page.find(".//tbody//a").get("href").partition("#")
    assert to == "../wed.html"
    card = game.get_element_by_id(anchor)
    assert "sheet" in card.get("class")
    assert card.findtext(".//h2").startswith("Ada Spruce")
    # The opponents of each board of her scorecard, and what she got there.
    boards: dict[str, list[float]] = {}
    for row in card.iterfind(".//tbody/tr"):
        percent = row.find("td[@class='a bare pct']").text_content()
        for name in row.find("th").text_content().partition(" ")[2].split(" – "):
            boards.setdefault(name, []).append(float(percent))
    (table,) = (each for each in page.iter("table") if each.get("aria-labelledby") == "opponents")
    rows = {row.find("th").text_content(): [cell.text for cell in row.iterfind("td")] for row in table.find("tbody")}
    assert len(rows) == 12
    for name, (games, met, mean) in rows.items():
        each = boards[name]
        assert (games, met) == ("1", str(len(each)))
        assert abs(float(mean.rstrip("%")) - sum(each) / len(each)) < 0.011
    assert "Ben Teak" not in rows


def test_teams_met_are_those_of_their_matches(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("knockout-example.csv", "teams/saturday-swiss.csv"):
        (tmp_path / "in" / Path(name).name).write_bytes((FIXTURES / name).read_bytes())
    assert batch(tmp_path).status == 0

    def met(name: str) -> list[list[str]]:
        page = html.fromstring((tmp_path / "out" / "players" / f"{name}.html").read_bytes())
        (table,) = (each for each in page.iter("table") if each.get("aria-labelledby") == "opponents")
        return sorted([cell.text_content() for cell in row] for row in table.find("tbody"))

    # Four teams of four, each against each, with 7 boards a match; a mean against somebody is not known.
    others = "Ema Cherry, Finn Walnut, Gwen Maple, Hugh Linden, Iris Poplar, Jan Hazel, Kay Willow, Leo Aspen, "
    others += "Mia Cedar, Ned Olive, Ora Plum, Pat Quince"
    assert met("alma-hemlock") == [[name, "1", "7"] for name in others.split(", ")]
    # Team 15 of bracket 1 lost its first match, of 24 boards, to team 2 of five players.
    assert met("una-urn") == [
        [name, "1", "24"] for name in ("Cleo Elm", "Ivo Hart", "Kim Zorn", "Wes Hart", "Zoe Birch")
    ]


def test_winners_who_want_no_page_are_not_named(tmp_path: Path) -> None:
    saved(tmp_path / "in", "2026-11-03", "Ann Lee, Bob Ray")
    settings(tmp_path, "Ann Lee")
    assert batch(tmp_path).status == 0
    index = html.fromstring((tmp_path / "out" / "index.html").read_bytes())
    assert won(index)[0] == ["Bob Ray", "60.00%"]
    assert run("batch", tmp_path / "in", "-o", tmp_path / "bare", "--to", "html", "--index").status == 0
    # Without pages of players the list names nobody.
    assert "Bob" not in (tmp_path / "bare" / "index.html").read_text("utf-8")


_PAGE = b"<!DOCTYPE html><html><head></head><body></body></html>"


def grown(folder: Path, *counts: int) -> list[set[str]]:
    """Make a site of so many games on every third day, once for each count; return what each time wrote.

    Four of ten players sit in each: everybody plays 48 or 49 times a year.
    """
    out = OutputFolder.made(folder)
    kept: dict[str, str] = {}
    looks: dict[str, int] = {}
    linked: dict[str, int] = {}
    wrote = []
    for count in counts:
        given: list[GameRow] = []
        more: dict[str, dict[str, Any]] = {}
        ways: dict[str, int] = {}
        for n in range(count):
            name = f"g{n:03}.html"
            kept.setdefault(name, out.put(name, _PAGE) if name not in kept else "")
            day = f"{date(2020, 1, 1) + timedelta(3 * n)}"
            sat = [chr(97 + (n + seat) % 10) for seat in range(4)]
            rows = [
                {
                    "game": 0,
                    "names": [f"{sat[pair]}nn Lee", f"{sat[pair + 1]}ob Ray"],
                    "numbers": ["", ""],
                    "masterpoints": ["0.10", "0.10"],
                    "place": "1st of 2",
                    "paid": [],
                    "percentage": "50.00%",
                    "first": (True, "", []) if pair == 0 else None,
                }
                for pair in (0, 2)
            ]
            played = [{"event": "Pairs", "game": name, "date": day, "players": "a\nb\nc\nd"}]
            (said,) = games_said(played, rows)
            more[name] = said._asdict()
            seats = [ways.setdefault(each, len(ways)) for each in said.seats]
            given.append(
                GameRow(name, name, kept[name], "", *said[:6], crc32(name.encode()), linked.get(name, 0), seats)
            )
        games = SiteGames(
            Columns.of_rows(given), [*ways], lambda keys, what, more=more: [more[path][what] for path, _ in keys]
        )
        changed, page_of = (
            (lambda page, sha: kept.update({page.name: sha})),
            lambda path: GamesPage(path, path, kept[path]),
        )
        linked |= write_site(games, out, Index(players=True), changed, {}, "", page_of)
        found = {each.relative_to(folder).as_posix(): each.stat().st_mtime_ns for each in folder.rglob("*.html")}
        wrote.append({name for name, look in found.items() if looks.get(name) != look})
        looks = found
    return wrote


def test_a_site_of_years_grows_by_its_newest_pages(tmp_path: Path) -> None:
    *_, more, again = grown(tmp_path / "grown", 1, 2, 250, 487, 488, 489, 489)
    # The game of 4 January 2024, its four players, and its lists. The newest pages of two of them have fifty games now
    # without those of 2021, and so a page for that year.
    players = {*("ann-lee", "bob-ray", "inn-lee", "job-ray"), *("inn-lee.2021", "job-ray.2021")}
    lists = {"index.html", "months/2024-01.html", "weekdays/thursday.html"}
    assert more == {"g488.html", *lists, *(f"players/{name}.html" for name in players)}
    assert again == set()
    (at_once,) = grown(tmp_path / "at-once", 489)
    said = "Search looks through the newest games; earlier ones are in the lists of their months."
    assert [said in (tmp_path / "at-once" / each).read_text("utf-8") for each in sorted(lists)] == [True, False, False]
    assert {name for name in at_once if name.startswith("players/inn")} == {
        f"players/inn-lee{year}.html" for year in ("", ".2020", ".2021")
    }
    for name in at_once | {f"g{n:03}.html" for n in range(489)}:
        assert (tmp_path / "grown" / name).read_bytes() == (tmp_path / "at-once" / name).read_bytes(), name
    assert len(list((tmp_path / "grown").rglob("*.html"))) == len(at_once)
    # Whole months are listed until there are 300 games: ten a month, and nine in February. The others are links.
    index = html.fromstring((tmp_path / "at-once" / "index.html").read_bytes())
    assert 300 <= len(index.findall(".//ul[@class='games']/li")) < 311
    older = [link.get("href") for link in index.iterfind(".//ul[@class='older']/li/a")]
    assert (older[0], older[-1]) == ("months/2021-06.html", "months/2020-01.html")
    page = html.fromstring((tmp_path / "at-once" / "players" / "inn-lee.html").read_bytes())
    assert page.xpath("//ul[@class='facts']/li/text()")[0] == "98 games"  # 489 of four, by twenty names
