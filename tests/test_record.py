"""A player's record in an archive: which games are counted, and what is added up."""

import json

import pandas as pd
import pytest
from conftest import run
from test_persons import GAME

from resultproc.model.frames import COLOURS
from resultproc.model.provenance import Provenance
from resultproc.model.whose_points import usual_league
from resultproc.reports.record import WRITERS, PlayerRecord, record, titles

pytest.importorskip("deltalake")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Return an archive of four games: Ann Lee is first with Bob Ray in three, and second with Eve Fir in one."""
    folder = tmp_path_factory.mktemp("record")
    for n, day in enumerate(["1998-05-01", "1998-06-01", "2003-05-01"]):
        text = GAME.format(date=day, event=f"Game {n}", club="East", surname="Lee", member="J234567" if n else "")
        (folder / f"game{n}.csv").write_text(text, "utf-8")
    other = GAME.format(date="2003-06-01", event="Game 3", club="East", surname="Oak", member="")
    for old, new in (("2,N-S,Cat Oak,,Dan Elm,", "2,N-S,Ann Lee,1234567,Eve Fir,"), ("3,N-S,Eve Fir", "3,N-S,Zoe Yew")):
        other = other.replace(old, new)
    (folder / "game3.csv").write_text(other, "utf-8")
    assert run("archive", "add", *folder.glob("*.csv"), "--to", folder / "history").status == 0
    return folder / "history"


@pytest.mark.slow
@pytest.mark.parametrize("who", ["Ann Lee", "LEE, Ann", "J234567", "123 4567"])
def test_a_record_adds_up_what_the_games_paid(history, awarded, who, monkeypatch):
    monkeypatch.setattr("resultproc.archive.query.People", lambda *of: pytest.fail("asked for twice"))
    of = history if who == "Ann Lee" else awarded
    found = json.loads(run("archive", "player", of, who, "--to", "json").printed)
    said = [found[name] for name in ("person", "player", "member", "clubs")]
    assert said == ["1234567", "Ann Lee", "J234567", "East"]
    # 3 tables of a club game pay 0.30 to the first of each direction and nothing to the second.
    assert [game["masterpoints"] for game in found["games"]] == ["0.30"] * 3 + ["0.00"]
    assert [(row["year"], row["games"]) for row in found["years"]] == [(1998, 2), (2003, 2)]
    assert (found["years"][0]["masterpoints"], found["years"][0]["colours"]) == ("0.60", {"black": "0.60"})
    expected = [("bob ray", "Bob Ray", 3), ("eve fir", "Eve Fir", 1)]
    assert [(row["person"], row["player"], row["games"]) for row in found["partners"]] == expected
    assert found["partners"][0]["masterpoints"] == "0.90"
    assert found["places"] == [{"place": 1, "games": 3}]
    events = {game["game_id"]: game["event"] for game in found["games"]}
    assert [events[game] for game in found["best"]] == ["Game 0", "Game 1", "Game 2", "Game 3"]


def of_colours(**points: int) -> PlayerRecord:
    """Return the record of a player who won so many masterpoints of some colours."""
    won = {colour: 100 * points.get(colour, 0) for colour in COLOURS}
    games = pd.DataFrame([{"league": usual_league(), "masterpoints": sum(won.values()), **won}])
    return PlayerRecord({}, games, pd.DataFrame(), (), Provenance())


@pytest.mark.parametrize(
    ("won", "before", "later"),
    [
        ({}, ("", "Junior Master", {"masterpoints": 5}), ("", "Junior Master", {"masterpoints": 5})),
        (
            {"red": 30},
            ("Club Master", "Sectional Master", {"masterpoints": 20, "silver": 5}),
            ("Junior Master", "Club Master", {"black": 5}),
        ),
        # 25 gold or platinum, and 25 more of these or red; since 2010 Life Master takes twice as many, and 500 in all.
        (
            {"black": 200, "silver": 50, "red": 25, "gold": 20, "platinum": 5},
            ("Life Master", "Bronze Life Master", {"masterpoints": 200}),
            ("Advanced NABC Master", "Life Master", {"masterpoints": 200, "silver": 25, "red-or-gold": 50, "gold": 25}),
        ),
        (
            {"black": 200, "silver": 75, "red": 24, "platinum": 25},
            ("NABC Master", "Life Master", {"red-or-gold": 1}),
            ("NABC Master", "Advanced NABC Master", {"red-or-gold": 1}),
        ),
        (
            {"black": 300, "silver": 100, "gold": 100},
            ("Bronze Life Master", "Silver Life Master", {"masterpoints": 500}),
            ("Life Master", "Bronze Life Master", {"masterpoints": 250}),
        ),
        # 730 are silver or better, which are 700 and more; of them 50 are gold, and 350 would have to be.
        (
            {"black": 2770, "silver": 630, "red": 50, "gold": 50},
            ("Gold Life Master", "Sapphire Life Master", {"gold": 300}),
            ("Bronze Life Master", "", {}),
        ),
        (
            {"black": 7000, "silver": 1000, "red": 1000, "gold": 950, "platinum": 50},
            ("Emerald Life Master", "Platinum Life Master", {"platinum": 50}),
            ("Bronze Life Master", "", {}),
        ),
        (
            {"black": 8000, "silver": 1000, "gold": 900, "platinum": 100},
            ("Platinum Life Master", "", {}),
            ("Bronze Life Master", "", {}),
        ),
    ],
)
def test_titles_take_masterpoints_of_every_colour(won, before, later):
    """The requirements are those of the league's pages: see resultproc/reports/titles.toml."""
    found = [
        (each["title"] or "", each["next"] or "", {name: float(n) for name, n in each["missing"].items()})
        for each in titles(of_colours(**won))
    ]
    assert found == [before, later]


def test_a_record_says_where_the_titles_that_are_known_end():
    """A member since 2010 who is a Bronze Life Master has a next title, but what it takes is not known."""
    person = {"person": "1", "player": "Ann Lee", "member": "", "spellings": "Ann Lee", "clubs": "", "unsure": 0}
    won = {colour: 100 * points for colour, points in {"black": 500, "silver": 150, "gold": 100}.items()}
    game = dict.fromkeys(("club", "event", "rating", "basis", "partner_key", "partner"))
    game |= {"game_id": "a", "date": pd.Timestamp("2020-01-02"), "percentage": 60.0, "contestant": 0}
    game |= {"league": usual_league(), "masterpoints": sum(won.values()), **dict.fromkeys(COLOURS, 0), **won}
    game |= {"place": 2, "tied": 2, "group_size": 9, "basis": "section"}
    shown = WRITERS["text"](record(person, pd.DataFrame([game]), (), Provenance())).decode()
    assert "2nd to 3rd of 9, section" in shown  # as an audit has it
    titles_of = [line.split(maxsplit=2)[2] for line in shown.splitlines() if line.startswith("Joined ")]
    assert [" ".join(line.split()) for line in titles_of] == [
        "2010 Bronze Life Master Silver Life Master 250.00 masterpoints",
        "or later Bronze Life Master what the titles above Bronze Life Master take is not known here",
    ]


@pytest.mark.slow
def test_a_record_is_shown(awarded):
    shown = run("archive", "player", awarded, "Cat Oak").printed
    assert shown.splitlines()[:2] == ["Cat Oak", "3 games of this archive, 1 May 1998 to 1 May 2003"]
    page = run("archive", "player", awarded, "Cat Oak", "--to", "html").printed
    assert "It has the games of this archive, and no others." in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "told"),
    [
        ("Ann Leee", "no game has a player 'Ann Leee' (did you mean 'Ann Lee'?)"),
        ("Xerxes", "no game has a player 'Xerxes' ('resultproc archive persons' lists who there is)"),
        ("7654321", "no game has a player '7654321'"),
    ],
)
def test_who_is_not_there_is_told(awarded, who, told):
    done = run("archive", "player", awarded, who)
    assert done.status == 1
    assert told in done.err


@pytest.mark.slow
def test_of_two_of_one_name_one_has_to_be_named(history, awarded):
    (history / "aliases.csv").write_text("player,member,club,is\nBob Ray,,,Bob Ray\nDan Elm,,,Bob Ray 2\n")
    try:
        assert "no game of" not in run("archive", "player", awarded, "Bob Ray 2").printed
        (history / "aliases.csv").write_text("player,member,club,is\nAnn Lee,J234567,,7654321\nAnn Lee,,,1234567\n")
        done = run("archive", "player", awarded, "Ann Lee")
        assert done.status == 1
        assert (
            "2 players are called 'Ann Lee' (name one by the number or key: 1234567 (East); 7654321 (East))" in done.err
        )
        assert json.loads(run("archive", "player", awarded, "7654321", "--to", "json").printed)["person"] == "7654321"
    finally:
        (history / "aliases.csv").unlink()
