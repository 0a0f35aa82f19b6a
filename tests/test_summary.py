"""The summary of a run over an archive: its page, its pictures, and its tables as CSV."""

import csv
import hashlib
import io
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("deltalake")

from lxml import html
from test_archive import GAME

from resultproc.archive.add import add
from resultproc.archive.query import queried, query
from resultproc.archive.reprocess import Task, reprocess
from resultproc.archive.store import Store
from resultproc.archive.tallies import write_summary
from resultproc.model.game import league, leagues
from resultproc.model.work import Cluster
from resultproc.pages.design import OTHER
from resultproc.reports.summary import COMPARED, SUMMED_BY, Run, files, printed_summary


def summed_up(**columns):
    """Return a summary of 2000 with two strata of one rating, and one game of another that failed."""
    rows = [(2000, "stac", "", 2, 0, 0), (2000, "stac", "A", 0, 10, 300), (2000, "stac", "B", 0, 6, 120)]
    frame = pd.DataFrame(
        [*rows, (2001, "sectional", "", 0, 0, 0)], columns=[*SUMMED_BY, "games", "contestants", "masterpoints"]
    )
    rest = dict.fromkeys(["paid", "printed", "printed_agree", "printed_masterpoints", *COMPARED], 0)
    frame = frame.assign(**rest, failed=[0, 0, 0, 1])
    return frame.assign(**columns)


def test_the_sums_of_ratings_stand_above_their_strata():
    rows = json.loads(printed_summary(summed_up(), "json"))["summary"]
    # A 3.00 and B 1.20 make 4.20; a stratum has no games of its own.
    assert [(row["rating"], row["stratum"], row["games"], row["masterpoints"], row["failed"]) for row in rows] == [
        ("stac", "", 2, "4.20", 0),
        ("stac", "A", None, "3.00", None),
        ("stac", "B", None, "1.20", None),
        ("sectional", "", 0, "0.00", 1),
    ]
    assert "changed" not in rows[0]
    assert "<NA>" not in printed_summary(summed_up(), "text")


def page(summary, run=None):
    return files(summary, run or Run())["summary.html"]


def rects(text):
    return html.fromstring(text).findall(".//rect")


def test_the_page_draws_what_is_paid():
    (bar,) = rects(page(summed_up()))
    assert bar.findtext("title") == "2000 Sectional tournament at clubs: 4.20"
    assert bar.get("fill") == league().colours["stac"]
    assert "rules of the day" not in page(summed_up())
    # Of two rulebooks the one that paid 0.50 of 2.00 has a bar of a quarter.
    books = pd.DataFrame({"rulebook": ["new", "old"], "league": "acbl", "masterpoints": [200, 50]})
    assert re.findall(r"--w:([\d.]+)%", page(summed_up(), Run(rulebooks=books))) == ["100", "25"]
    assert not rects(page(summed_up().iloc[:0]))


def test_what_other_rules_change_is_drawn_as_a_difference():
    # 3.00 and 1.20 are paid, 2.50 and 1.60 under the rules of the day: 0.50 more and 0.40 less.
    changed = {"in_force": [0, 10, 6, 0], "in_force_masterpoints": [0, 250, 160, 0], "difference": [0, 50, -40, 0]}
    text = page(summed_up(**changed), Run(rules="my-rules"))
    assert "What my-rules pays more than the rules of the day" in text
    (more,) = (bar for bar in rects(text) if bar.get("class") == "more")
    assert more.findtext("title") == "2000: +0.10"
    less_in_all = page(summed_up(**changed | {"difference": [0, 5, -40, 0]}))
    (less,) = (bar for bar in rects(less_in_all) if bar.get("class") == "less")
    assert less.findtext("title") == "2000: -0.35"
    # The bar hangs below the line at zero.
    line = float(html.fromstring(text).xpath("//line[@class='zero']/@y1")[-1])
    assert float(more.get("y")) + float(more.get("height")) == pytest.approx(line, abs=0.1)
    rows = json.loads(printed_summary(summed_up(**changed), "json"))["summary"]
    assert [row["difference"] for row in rows] == ["0.10", "0.50", "-0.40", "0.00"]
    # A year in which no game is under both rules has no bar, nor have games without a date.
    for year, both in ((2003, 0), (0, 5)):
        beside = {"year": [2000, 2000, 2000, year], "in_force": [0, 10, 6, both], "difference": [0, 50, -40, 6 * both]}
        bars = rects(page(summed_up(**changed | beside), Run(rules="my-rules")))
        titles = [bar.findtext("title") for bar in bars if bar.get("class") in {"more", "less"}]
        assert titles == ["2000: +0.10"]


def test_no_name_in_the_csv_is_a_formula():
    summary = summed_up(in_force=1, difference=[0, 50, -40, 0])
    clubs = pd.DataFrame({"club": ["=1+1"], "games": [1], "contestants": [2], "masterpoints": [30]})
    problems = pd.DataFrame({"date": ["2001-01-02"], "what": ["@SUM(A1)"], "where": [None]}, dtype="str")
    written = files(summary, Run(clubs=clubs, players=clubs, problems=problems))
    assert written["summary-clubs.csv"].splitlines()[1] == "'=1+1,1,2,0.30"
    assert written["summary-problems.csv"].splitlines()[1] == "2001-01-02,'@SUM(A1),"
    strata = list(csv.DictReader(io.StringIO(written["summary-strata.csv"])))
    assert [row["difference"] for row in strata] == ["0.10", "0.50", "-0.40", "0.00"]  # a number is none
    unknown = printed_summary(summed_up().assign(rating="=1+1"), "csv")
    assert {row["rating"] for row in csv.DictReader(io.StringIO(unknown))} == {"'=1+1"}


@pytest.mark.slow
def test_a_difference_is_of_the_games_that_both_rulebooks_are_for(tmp_path):
    for n, day in enumerate(["2012-05-01", "1990-06-01"]):
        (tmp_path / f"game{n}.csv").write_text(GAME.format(name=n, date=day), "utf-8")
    archive = str(tmp_path / "archive")
    add(sorted(tmp_path.glob("*.csv")), Store(archive))
    rules = tmp_path / "bonus.toml"
    rules.write_text('id = "bonus"\nextends = "acbl-club"\n[bonus.factor]\nvalue = 1.10\n', "utf-8")
    total = reprocess(Task(archive, str(tmp_path / "out"), rules=str(rules)), Cluster().run).sum(numeric_only=True)
    # 0.30 x 1.10 = 0.33 in each direction of each game.
    assert total["changed"] >= 2
    assert total["difference"] == 3 * total["changed"]
    assert total["in_force_masterpoints"] + total["difference"] == 33 * total["changed"]


def test_every_year_has_its_place():
    summary = summed_up().assign(year=[2000, 2000, 2000, 2003])
    text = page(pd.concat([summary, summary.assign(year=1996)]))
    labels = [each.text for each in html.fromstring(text).findall(".//text") if each.get("class") is None]
    assert labels == [str(year) for year in range(1996, 2004)]
    places = {bar.findtext("title")[:4]: float(bar.get("x").rstrip("%")) for bar in rects(text)}
    # Eight years in the 93 percent beside the axis: from 1996 to 2000 are four of them.
    assert places["2000"] - places["1996"] == pytest.approx(4 * 93 / 8, abs=0.02)


def test_games_without_a_date_are_counted_and_not_drawn():
    text = page(summed_up().assign(year=[2000, 2000, 0, 2001]))
    assert "Not drawn: 1.20 of games without a date." in text
    assert [bar.findtext("title")[-4:] for bar in rects(text)] == ["3.00"]
    assert ">No date<" in text
    assert not rects(page(summed_up().assign(year=0)))


def luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_class_of_game_has_a_colour_of_its_own_that_can_be_seen():
    for each in leagues().values():
        assert set(each.colours) == set(each.names)
        assert len({*each.colours.values(), OTHER}) == len(each.names) + 1
    for colour in (*league().colours.values(), OTHER):
        for paper in ("#ffffff", "#12161c"):
            dark, light = sorted((luminance(colour), luminance(paper)))
            assert (light + 0.05) / (dark + 0.05) >= 3, colour  # as WCAG 2.2 asks of graphics, 1.4.11


def test_a_colour_means_the_same_whatever_else_is_drawn():
    every = pd.concat([summed_up().assign(rating=rating) for rating in (*leagues()["acbl"].names, "unheard-of")])
    fills = {bar.findtext("title"): bar.get("fill") for bar in rects(page(every))}
    assert fills["2000 Sectional tournament at clubs: 4.20"] == rects(page(summed_up()))[0].get("fill")
    assert Counter(fills.values())[OTHER] == 1


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return a run over four games, two of which cannot be awarded, with the text of its files."""
    folder = tmp_path_factory.mktemp("summary")
    for n, day in enumerate(["1998-05-01", "1998-06-01", "2004-01-31", "2004-02-01"]):
        text = GAME.format(name=f"<i>{n}</i>", date=day).replace("tables: 3", f"tables: 3\n# club: Club <b>{n % 2}</b>")
        (folder / f"game{n}.csv").write_text(text.replace("# rating: club-open\n", "") if n > 1 else text, "utf-8")
    add([folder], Store(str(folder / "history")), format="csv")
    task = Task(str(folder / "history"), str(folder / "out"), where="date > 1990")
    write_summary(task, reprocess(task, Cluster().run))
    written = [path for path in (folder / "out").iterdir() if path.suffix in {".csv", ".html"}]
    return task, {path.name: path.read_text("utf-8") for path in written}


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_page_says_what_it_is_of(done):
    task, text = done
    facts = [each.text for each in html.fromstring(text["summary.html"]).findall(".//ul[@class='facts']/li")]
    assert facts == [f"Archive: {task.archive}", "Rules: those of each game's day", "Games: date > 1990"]
    held = hashlib.sha256("\n".join(Store(task.archive).parts("games")).encode()).hexdigest()
    (said,) = html.fromstring(text["summary.html"]).xpath("//meta[@name='provenance']/@content")
    assert f"source games of {task.archive} sha256:{held}" in said


def test_clubs_and_players(done):
    _, text = done
    assert rows(text["summary-clubs.csv"]) == [
        {"club": f"Club <b>{n}</b>", "games": "1", "contestants": "6", "masterpoints": "0.60"} for n in range(2)
    ]
    assert rows(text["summary-rulebooks.csv"]) == [
        {"rulebook": "acbl-club", "games": "2", "contestants": "12", "masterpoints": "1.20"}
    ]
    assert 'acbl-club<td class="bar often"><td data-l="Games">2<' in text["summary.html"]  # a bar has no text
    # Two of each game's six print an award, 0.30 as it is paid and 0.31; the other four print none and are paid none.
    printed = {name: each for name, each in rows(text["summary-years.csv"])[0].items() if "printed" in name}
    assert printed == {"printed": "12", "printed_agree": "10", "printed_masterpoints": "1.22"}
    # Bob and Hal are first in both games, with 0.30 each, and each Ann in one.
    players = {row["player"]: (row["games"], row["masterpoints"]) for row in rows(text["summary-players.csv"])}
    assert (players["Bob"], players["Hal"], players["Ann <i>0</i>"]) == (("2", "0.60"), ("2", "0.60"), ("1", "0.30"))
    assert list(players)[:3] == ["Bob", "Gus", "Hal"]
    assert len(players) == 13


def test_every_problem_is_listed_and_linked(done):
    _, text = done
    assert [(row["date"], row["source"], row["what"]) for row in rows(text["summary-problems.csv"])] == [
        ("2004-01-31", "game2.csv", "rating is not declared"),
        ("2004-02-01", "game3.csv", "rating is not declared"),
    ]
    tree = html.fromstring(text["summary.html"])
    links = {link.text: link.get("href") for link in tree.iter("a") if link.get("href").startswith("#problems")}
    assert links == {"2 could not be awarded": "#problems", "2": "#problems-2004"}
    assert all(tree.get_element_by_id(href[1:]) is not None for href in links.values())


def test_every_table_can_be_taken_away(done):
    _, text = done
    links = re.findall(r'href="([^"#]+)" download', text["summary.html"])
    assert sorted(links) == sorted(name for name in text if name.endswith(".csv"))
    assert len(links) == 6


def test_what_files_say_does_not_become_markup(done):
    _, text = done
    assert "<b>0" not in text["summary.html"]
    assert "<i>0" not in text["summary.html"]
    strange = summed_up().assign(rating="<u>x")
    assert "<u>" not in page(strange, Run("<u>a", "<u>r", "<u>w"))


def test_long_tables_are_whole_in_their_csv():
    clubs = pd.DataFrame({"club": [f"Club {n}" for n in range(250)], "games": 1, "contestants": 4, "masterpoints": 5})
    text = page(summed_up(), Run(clubs=clubs))
    assert "the first 100 of 250; all as" in text
    assert text.count('<th scope="row" class="n">Club ') == 100
    assert len(rows(files(summed_up(), Run(clubs=clubs))["summary-clubs.csv"])) == 250


def test_what_is_summed_up_is_not_summed_up_again(done):
    task, _ = done
    reprocess(task, lambda work, parts: pytest.fail("again") if parts else None)


def test_players_are_counted_as_they_are_asked_about(done):
    task, text = done
    asked = """SELECT player, coalesce(member, '') AS member, count(DISTINCT game_id) AS games, sum(masterpoints) AS won
        FROM players GROUP BY ALL ORDER BY ALL"""
    answer = query(queried(task.output, None), asked, lambda: pytest.fail("awarded already"))
    found = rows(text["summary-players.csv"])
    counted = sorted((row["player"], row["member"], int(row["games"]), Decimal(row["masterpoints"])) for row in found)
    assert counted == answer.rows


@pytest.mark.slow
def test_what_is_damaged_is_summed_up_again(done):
    task, text = done
    for path in Path(task.output).glob("awards/*/*.parquet"):
        path.write_bytes(path.read_bytes()[:-20])
    write_summary(task, reprocess(task, Cluster().run))
    assert (Path(task.output) / "summary.html").read_text("utf-8") == text["summary.html"]
