"""How the clubs of an archive keep up: files, those refused, games not awarded, doubtful or late."""

import json

import pandas as pd
import pytest
from conftest import run
from lxml import html

from resultproc.reports.audit import WRITERS, health

pytest.importorskip("deltalake")

COUNTS = ["files", "games", "refused", "failed", "doubtful", "late"]


def of_games(*days, late=7):
    """Return how two clubs keep up: East has two games of a file and one that came nine days later, West one."""
    rows = [
        ("a", "2026-05-01", "East", "one.csv", "2026-05-08"),
        ("b", "2026-05-01", "East", "one.csv", "2026-05-09"),
        ("c", "2026-05-20", "East", "two.csv", "2026-05-29"),
        ("d", "2026-04-30", "West", "one.csv", "2026-05-01"),
        ("e", None, None, "none.csv", "2026-05-02"),
    ]
    games = pd.DataFrame(rows, columns=["game_id", "date", "club", "source", "came"])
    games = games.assign(event="Pairs", source_hash=games["source"] + games["club"].fillna(""))
    games[["date", "came"]] = games[["date", "came"]].apply(pd.to_datetime)
    said = pd.DataFrame(
        [("a", "no rating", "", "declare it"), ("a", "no boards", "", "declare them")],
        columns=["game_id", "what", "where", "hint"],
    )
    doubts = said.iloc[:1].assign(game_id="d", what="odd", where="row 2")
    refused = pd.DataFrame(
        [("North", "in/x.csv", "2026-05-03T10:00:00Z", "empty", "", "")] * 2,
        columns=["club", "file", "since", "what", "where", "hint"],
    )
    wanted = [pd.Timestamp(day).date() if day else None for day in days] or [None, None]
    return health(games, {"failed": said, "doubtful": doubts, "refused": refused}, tuple(wanted), late)


def by_club(found):
    return {row["club"]: [row[name] for name in COUNTS] for row in found.clubs.to_dict("records")}


def test_each_club_has_its_counts():
    assert by_club(of_games()) == {
        "": [1, 1, 0, 0, 0, 0],
        "East": [2, 3, 0, 1, 0, 2],
        "North": [0, 0, 1, 0, 0, 0],
        "West": [1, 1, 0, 0, 1, 0],
    }
    assert of_games().total() == dict(zip(COUNTS, [4, 5, 1, 1, 1, 2], strict=True))
    assert by_club(of_games(late=8))["East"][-1] == 1
    last = of_games().clubs.set_index("club")[["last_game", "last_came"]]
    assert last.loc["East"].tolist() == ["2026-05-20", "2026-05-29"]


def test_the_page_draws_the_games_of_each_year():
    # Of the four with a date c came nine days later, a was not awarded, and d is doubtful.
    assert of_games(late=8).years.to_dict("index") == {2026: {"games": 4, "well": 1}}
    page = html.fromstring(WRITERS["html"](of_games(late=8)).decode())
    assert [each.findtext("title") for each in page.iter("rect")] == [
        "2026: 1 game in order",
        "2026: 3 games not in order",
    ]


def test_of_some_days_a_club_without_games_is_listed():
    found = of_games("2026-05-02", "2026-05-31")
    assert by_club(found) == {"": [0] * 6, "East": [1, 1, 0, 0, 0, 1], "North": [0, 0, 1, 0, 0, 0], "West": [0] * 6}
    assert found.clubs.set_index("club").loc["West", "last_game"] == "2026-04-30"


def test_text_and_page_name_what_is_wrong():
    text, page = (WRITERS[to](of_games()).decode() for to in ("text", "html"))
    for told in ("North  in/x.csv  2026-05-03  empty", "row 2: odd", "No club", "Late: more than 7 days after"):
        assert told in text
    assert page.count("<h2") == 5
    assert text.count("no rating") == page.count("no rating") == 1


GAME = """# date: 2026-05-01
# club: East
# rating: club-open
# boards: 24
# tables: 2
# movement: howell
number,player1,player2,score
1,Ann Lee,Bob Ray,{score}
2,Cat Oak,Dan Elm,20
3,Eve Fir,Fay Ash,16
4,Gus Yew,Hal Box,10
"""


@pytest.mark.slow
def test_a_refused_file_is_listed_until_it_is_added_or_gone(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1778000000")  # 2026-05-05
    inbox, history = tmp_path / "in", tmp_path / "history"
    (inbox / "west").mkdir(parents=True)
    (inbox / "good.csv").write_text(GAME.format(score=26), "utf-8")
    (inbox / "bad.csv").write_text(GAME.format(score="many"), "utf-8")
    (inbox / "west" / "empty.csv").write_text("", "utf-8")
    (inbox / "west" / "resultproc.toml").write_text('club = "West"\n', "utf-8")
    assert run("archive", "add", inbox, "--to", history).status == 1

    def refused():
        done = run("archive", "health", history, "--to", "json", "--expect", 2)
        found = json.loads(done.out)
        listed = [(each["club"], each["file"].rpartition("/")[2], each["since"][:10]) for each in found["refused"]]
        return listed, {row["club"]: row["files"] for row in found["clubs"]}, done.status

    # The folder's other file is of East; the settings of the other folder name West.
    both = [("East", "bad.csv", "2026-05-05"), ("West", "empty.csv", "2026-05-05")]
    assert refused() == (both, {"East": 1, "West": 0}, 1)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1778100000")
    assert run("archive", "add", inbox / "good.csv", inbox / "bad.csv", "--to", history).status == 1
    assert refused()[0] == both
    (inbox / "bad.csv").write_text(GAME.format(score=25).replace("-05-01", "-05-02"), "utf-8")
    (inbox / "west" / "empty.csv").unlink()
    assert run("archive", "add", inbox, "--to", history).status == 0
    assert refused() == ([], {"East": 2}, 0)
