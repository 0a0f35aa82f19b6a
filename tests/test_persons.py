"""Who is who over many years: what is decided, what is listed for somebody to decide, and who has said so."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest
from conftest import asked, run

pytest.importorskip("deltalake")

import other_people
from made_people import figures, records

from resultproc.people.decades import decide, spellings
from resultproc.people.seated import people

Seat = tuple[str, str, str, int, str]
"""Name, number, club, year, partner."""


def decided(*seats: Seat | tuple[Seat, int]) -> tuple[list[str], list[str]]:
    """Return the person of each seat, and why it is not sure; a seat with a number sits in so many games."""
    several = [each if isinstance(each[0], tuple) else (each, 1) for each in seats]
    rows = [(f"{at} {n}", *seat) for at, (seat, count) in enumerate(several) for n in range(count)]
    frame = pd.DataFrame(rows, columns=["game", "name", "number", "club", "year", "partner"])
    frame = frame.astype(dict.fromkeys(("game", "name", "number", "club", "partner"), "str"))
    spelt, row = spellings(frame.mask(frame == ""))
    found = decide(spelt)
    why = found.unsure.set_index("row")["why"].reindex(spelt.index).fillna("")
    first = [int(row[sum(count for _, count in several[:at])]) for at in range(len(several))]
    return [str(found.person.iloc[at]) for at in first], [str(why.iloc[at]) for at in first]


def persons_of(*seats: tuple[str, ...]) -> list[str]:
    """Return the person of each seat; a seat begins with its game."""
    frame = pd.DataFrame(seats, columns=["game", "name", "number", "club", "year", "partner"])
    frame = frame.astype(dict.fromkeys(("game", "name", "number", "club", "partner"), "str"))
    spelt, row = spellings(frame.mask(frame == ""))
    return decide(spelt).person.iloc[row].astype("str").tolist()


ANN = ("Ann Lee", "1234567", "East", 1990, "Bob Ray")


@pytest.mark.parametrize(
    "other",
    [
        ("Ann Stone", "J234567", "West", 2015, "Cal Fox"),  # a Life Master, married, and moved
        ("LEE, Ann", "", "East", 1996, "Dan Elm"),  # without the number at the same club
    ],
)
def test_one_person(other):
    assert decided(ANN, other) == (["1234567", "1234567"], ["", ""])


def test_what_a_partners_name_alone_joins_is_listed():
    elsewhere = ("Ann Lee", "", "West", 1991, "Bob Ray")
    assert decided(ANN, elsewhere) == (["1234567"] * 2, ["", "only a partner's name shows that it is this one"])


def test_a_partners_name_is_no_stronger_than_the_club():
    other = ("Ann Lee", "7654321", "West", 1991, "Cal Fox")
    people, why = decided(ANN, other, ("Ann Lee", "", "East", 1992, "Cal Fox"))
    assert people == ["1234567", "7654321", "1234567"]
    assert why[2] == "the partner's name is seen with another of this name"


def test_who_sat_in_one_game_with_a_namesake_is_somebody_else():
    game = [("1", *ANN[:3], 1990, "Bob Ray"), ("1", "Ann Lee", "", "East", 1990, "Ned Ott")]
    assert persons_of(*game) == ["1234567", "ann lee"]
    both = [("1", "Ann Lee", "", "East", 1990, "Bob Ray"), ("1", "Ann Lee", "", "East", 1990, "Ned Ott")]
    again = ("2", "Ann Lee", "", "East", 1990, "Ned Ott")
    assert persons_of(*both, again) == ["ann lee with bob ray", "ann lee with ned ott", "ann lee with ned ott"]
    twice = [("1", *ANN[:3], 1990, "Bob Ray"), ("1", *ANN[:3], 1990, "Ned Ott")]
    assert persons_of(*twice) == ["1234567", "1234567"]


@pytest.mark.slow
def test_a_rare_spelling_with_the_same_partner_is_a_slip():
    for name in ("Ann Leee", "Ann Le", "Anne Lee", "Lee Ann", "A Lee", "Ann M. Lee"):
        assert decided((ANN, 10), (name, "", "East", 1991, "Bob Ray")) == (["1234567", "1234567"], ["", ""])
        people, why = decided((ANN, 10), (name, "", "East", 1991, "Dan Elm"))
        assert people[1] != "1234567"
        assert why == ["", "a name almost the same is seen at the club"]
    # One in ten is rare, and one in nine is none.
    people, why = decided((ANN, 9), ("Anne Lee", "", "East", 1991, "Bob Ray"))
    assert people == ["1234567", "anne lee"]
    assert why[1]


@pytest.mark.slow
def test_a_slip_in_a_number_is_a_slip():
    slip = ("Ann Lee", "1234576", "East", 1991, "Dan Elm")
    assert decided((ANN, 10), slip)[0] == ["1234567", "1234567"]
    assert decided((ANN, 9), slip)[0] == ["1234567", "1234576"]
    assert decided((ANN, 10), ("Ann Lee", "7654321", "East", 1991, "Dan Elm"))[0] == ["1234567", "7654321"]
    # Elsewhere, with another partner, it may be a namesake.
    assert decided((ANN, 10), ("Ann Lee", "1234576", "West", 1991, "Dan Elm"))[0] == ["1234567", "1234576"]


def test_two_of_one_name_are_kept_apart():
    other = ("Ann Lee", "7654321", "West", 1991, "Cal Fox")
    here, there = ("Ann Lee", "", "East", 1992, "Dan Elm"), ("Ann Lee", "", "West", 1992, "Dan Elm")
    assert decided(ANN, other, here, there) == (["1234567", "7654321", "1234567", "7654321"], [""] * 4)
    expected = (["1234567", "7654321", "ann lee"], ["", "", "several have this name"])
    assert decided(ANN, other, ("Ann Lee", "", "North", 1992, "Dan Elm")) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "why"),
    [
        (("Ann Lee", "", "West", 1992, "Cal Fox"), "no number or partner shows that it is this one"),
        (("Ann Lee", "", "East", 2001, "Cal Fox"), "no number or partner shows that it is this one"),
        (
            ("Ann Lee", "7654321", "East", 1991, "Cal Fox"),
            "a namesake has another number, with the same partner or at the same club",
        ),
        (("Zoe Elm", "1234567", "East", 1991, "Cal Fox"), "the number is another's in most games"),
    ],
)
def test_what_somebody_should_decide(other, why):
    assert decided((ANN, 2), other)[1] == ["", why]


def test_nobody_with_a_number_may_be_another_elsewhere():
    ann = ("Ann Lee", "", "East", 1990, "Bob Ray")
    elsewhere = ("Ann Lee", "", "West", 1991, "Cal Fox")
    assert decided((ann, 2), elsewhere) == (["ann lee"] * 2, ["", "nobody has played with this one at both clubs"])
    assert decided((ann, 2), ("Ann Lee", "", "West", 1991, "Bob Ray"), elsewhere)[1] == ["", "", ""]


def test_a_new_surname_without_a_number_is_listed():
    old, new = ("Ann Lee", "", "East", 1990, "Bob Ray"), ("Ann Stone", "", "East", 1991, "Bob Ray")
    told = "one of the same first name, before or after, has the same partner"
    assert decided((old, 3), (new, 2)) == (["ann lee", "ann stone"], ["", told])
    later = ("Ann Stone", "", "East", 1995, "Bob Ray")
    assert decided((old, 3), (later, 2))[1] == ["", ""]


@pytest.mark.slow
@pytest.mark.parametrize(("made", "unsure"), [(records, 0.15), (other_people.records, 0.08)], ids=["own", "other"])
def test_made_people_are_told_apart(made, unsure):
    """The figures of 10,000 people are in docs/archive.md; the second generator is by somebody else."""
    found, seats, _ = figures(made(400))
    assert seats["person"].nunique() == 400
    assert found.precision >= 0.999
    assert found.recall >= 0.98
    assert found.precision_of_all >= 0.99
    assert found.recall_of_all >= 0.85
    assert found.unsure <= unsure


GAME = """# date: {date}
# event: {event}
# club: {club}
# rating: club-open
# boards: 24
# tables: 3
number,direction,player1,id1,player2,id2,score
1,N-S,Ann {surname},{member},Bob Ray,,60
2,N-S,Cat Oak,,Dan Elm,,50
3,N-S,Eve Fir,,Fay Ash,,40
1,E-W,Gus Yew,,Hal Box,,60
2,E-W,Ida Bay,,Joe Fig,,50
3,E-W,Kay Nut,,Leo Pea,,40
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Return an archive of three games: Ann Lee has a number in the first, none and another surname in the third."""
    folder = tmp_path_factory.mktemp("persons")
    games = [
        ("1998-05-01", "East", "Lee", "1234567"),
        ("1999-05-01", "East", "Lee", "J234567"),
        ("2003-05-01", "West", "Sky", ""),
    ]
    for n, (day, club, surname, member) in enumerate(games):
        text = GAME.format(date=day, event=f"Game {n}", club=club, surname=surname, member=member)
        (folder / f"game{n}.csv").write_text(text, "utf-8")
    assert run("archive", "add", *folder.glob("*.csv"), "--to", folder / "history").status == 0
    return folder / "history"


@pytest.fixture
def said(history):
    """Return the file of aliases, which is gone afterwards."""
    yield history / "aliases.csv"
    (history / "aliases.csv").unlink(missing_ok=True)


WON = "SELECT person, sum(masterpoints) AS won FROM players WHERE player LIKE 'Ann %' GROUP BY ALL ORDER BY ALL"


@pytest.mark.slow
def test_a_query_asks_for_persons(history, awarded, said):
    # 3 tables of a club game pay 0.30 to the first of each direction.
    assert asked(awarded, WON) == [{"person": "1234567", "won": "0.60"}, {"person": "ann sky", "won": "0.30"}]
    said.write_text("player,member,club,is\nAnn Sky,,,J234567\n,,West,East Side\n,,East,East Side\n")
    assert asked(awarded, WON) == [{"person": "1234567", "won": "0.90"}]
    sql = "SELECT person, player, member, spellings, games, first_year, last_year, clubs, unsure FROM persons"
    (ann,) = asked(history, f"{sql} WHERE person = '1234567'")
    expected = ["1234567", "Ann Lee", "1234567", "Ann Lee; Ann Sky", 3, 1998, 2003, "East Side", 0]
    assert [*ann.values()] == expected
    assert asked(history, "SELECT DISTINCT club_now FROM games") == [{"club_now": "East Side"}]
    assert asked(history, "SELECT DISTINCT person1, person2 FROM contestants WHERE player2 = 'Bob Ray'") == [
        {"person1": "1234567", "person2": "bob ray"}
    ]


def unsure(history: Path) -> list[tuple[str, str, str]]:
    rows = json.loads(run("archive", "persons", history, "--unsure", "--to", "json").printed)["rows"]
    return [(row["player"], row["club"], row["is"]) for row in rows]


@pytest.mark.slow
def test_what_is_unsure_is_listed_until_it_is_said(history, said):
    # Cat Oak and Dan Elm, as all pairs but Ann's, play together at both clubs. Bob Ray has another partner in the West.
    assert unsure(history) == [("Bob Ray", "West", "bob ray")]
    listed = run("archive", "persons", history, "--unsure", "--to", "csv").printed
    said.write_text(listed.replace("bob ray", "Bob Ray 2"))
    assert unsure(history) == []
    sql = "SELECT person, games FROM persons WHERE player LIKE 'Bob Ray%' ORDER BY ALL"
    assert asked(history, sql) == [{"person": "bob ray", "games": 2}, {"person": "bob ray 2", "games": 1}]
    persons = json.loads(run("archive", "persons", history, "--to", "json").printed)["rows"]
    assert [row["games"] for row in persons if row["player"] in {"Bob Ray", "Bob Ray 2"}] == [2, 1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("player,member,is\nAnn Lee,,1\n", "line 1: there is no column 'club'"),
        ("player,member,club,is\n,,,1234567\n", "line 2: this line does not say who is who"),
        ("player,member,club,is\nAnn Lee,,East,\n", "line 2: this line does not say who is who"),
        ("player,member,club,is\nAnn Lee,none,,1\n", "line 2: this line does not say who is who"),
        ("player,member,club,is\nAnn Lee,,,1\nLEE, Ann,,,\n", "line 3: this line does not say who is who"),
        ("player,member,club,is\nAnn Lee,,,1\nann lee,,,2\n", "line 3: this is said to be two people"),
        ("player,member,club,is\n,,East,North\n,,EAST,South\n", "line 3: the club 'EAST' is called two names"),
    ],
)
def test_aliases_that_cannot_be_read_are_refused(history, said, text, told):
    said.write_text(text)
    done = run("archive", "persons", history)
    assert done.status == 1
    assert f"aliases.csv: {told}" in done.err


def test_what_says_most_of_somebody_counts(history, said):
    said.write_text("Player,Member no,Club,Is\nBob Ray,,,1\nBob Ray,,West,2\n,J234567,,3\n")
    rows = json.loads(run("archive", "persons", history, "--to", "json").printed)["rows"]
    people = {row["person"]: (row["player"], row["games"]) for row in rows}
    assert (people["1"], people["2"], people["3"]) == (("Bob Ray", 2), ("Bob Ray", 1), ("Ann Lee", 2))


def test_what_changed_twice_is_what_it_is_at_last(history, said):
    said.write_text("player;member;club;is\n;J234567;;2222222\n;2222222;;3333333\n;;East;North\n;;North;Old North\n")
    rows = json.loads(run("archive", "persons", history, "--to", "json").printed)["rows"]
    assert [row["games"] for row in rows if row["person"] == "3333333"] == [2]
    clubs = asked(history, "SELECT club, club_now FROM games WHERE year(date) < 2000 GROUP BY ALL")
    assert clubs == [{"club": "East", "club_now": "Old North"}]


@pytest.mark.slow
def test_persons_of_another_run_and_of_an_earlier_time(history, awarded):
    sql = "SELECT count(*) AS n FROM players JOIN other.players o USING (game_id, person)"
    sql += " JOIN other.persons USING (person)"
    done = run("archive", "query", awarded, sql, "--with", f"other={awarded}", "--to", "json")
    # Three games of six pairs.
    assert json.loads(done.printed)["rows"] == [{"n": 36}]
    assert run("archive", "persons", history, "--as-of", "1999-01-01").status == 1


@pytest.mark.slow
def test_players_of_an_archive_are_whom_the_aliases_say(history, said):
    def games() -> dict[str, int]:
        rows = json.loads(run("players", history, "--to", "json").printed)["players"]
        return {
            f"{row['name']} {row['id'] or ''}".strip(): row["games"]
            for row in rows
            if row["name"][:3] in {"Ann", "Bob"}
        }

    assert games() == {"Ann Lee 1234567": 2, "Ann Sky": 1, "Bob Ray": 3}
    said.write_text("player,member,club,is\nAnn Sky,,,J234567\nBob Ray,,West,Bob Ray 2\n,,East,North\n")
    assert games() == {"Ann Lee 1234567": 3, "Bob Ray": 2, "Bob Ray 2": 1}
    done = run("players", history, "--club", "East", "--to", "json")
    assert {game["club"] for game in json.loads(done.printed)["games"]} == {"North"}


@pytest.mark.slow
def test_the_summary_of_a_run_goes_by_aliases_as_well(history, said, tmp_path):
    def won(name: str) -> dict[str, str]:
        text = (tmp_path / "run" / f"summary-{name}s.csv").read_text("utf-8")
        rows = csv.DictReader(text.splitlines())
        return {row[name]: row["games"] for row in rows if name == "club" or row[name][:3] in {"Ann", "Bob"}}

    assert run("reprocess", history, "-o", tmp_path / "run").status == 0
    assert won("player") == {"Ann Lee": "2", "Ann Sky": "1", "Bob Ray": "3"}
    assert won("club") == {"East": "2", "West": "1"}
    said.write_text("player,member,club,is\nAnn Sky,,,J234567\nBob Ray,,West,Bob Ray 2\n,,West,East\n")
    assert run("reprocess", history, "-o", tmp_path / "run").status == 0
    assert won("player") == {"Ann Lee": "3", "Bob Ray": "2", "Bob Ray 2": "1"}
    assert won("club") == {"East": "3"}


TEN = [{"player1": "Ann Lee", "id1": "1234567", "player2": "Bob Ray"}] * 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "players", "told"),
    [
        # The partner says which of two of the name it is; who has neither number nor partner is one more.
        (
            [
                TEN[0],
                {"player1": "Ann Lee", "id1": "7654321", "player2": "Cal Fox"},
                {"player1": "Ann Lee", "player2": "Bob Ray"},
                {"player1": "Ann Lee", "player2": "Dan Elm"},
            ],
            [0, 2, 0, 4],
            [
                "Ann Lee has the numbers 1234567 and 7654321: counted as 2 players, and as one more where the number "
                "is missing, in g3",
                "Ann Lee has no number in g2: counted as 1234567",
            ],
        ),
        # A rare spelling with the same partner at the same club, and a slip in a number.
        (
            [*TEN, {"player1": "Anne Lee", "player2": "Bob Ray"}],
            [0] * 11,
            ["Anne Lee has no number in g10: counted as 1234567"],
        ),
        (
            [*TEN, {"player1": "Ann Lee", "id1": "1234576", "player2": "Cal Fox"}],
            [0] * 11,
            ["Ann Lee has the numbers 1234567 and 1234576: counted as one player"],
        ),
        (
            [*({**each, "id1": None} for each in TEN), {"player1": "Anne Lee", "player2": "Bob Ray"}],
            [0] * 11,
            ["Ann Lee and Anne Lee have almost the same name: counted as one player"],
        ),
    ],
)
def test_reports_over_games_go_by_the_same_rules_and_tell_what_is_doubtful(seats, players, told):
    frame = pd.DataFrame(seats).astype("str")
    frame = frame.assign(game_id=[f"g{n}" for n in range(len(frame))], id2=None)
    games = pd.DataFrame({"game_id": frame["game_id"], "club": "East", "date": pd.Timestamp("1990-01-01")})
    found, who = people(games, frame)
    assert found.loc[found["seat"] == 1, "player"].tolist() == players
    assert [doubt.what for doubt in who.doubts] == told


@pytest.mark.slow
@pytest.mark.parametrize("command", ["players", "series"])
def test_a_list_of_aliases_is_for_files_as_well(history, tmp_path, command):
    files = sorted(history.parent.glob("*.csv"))
    (tmp_path / "who.csv").write_text("player,member,club,is\nAnn Sky,,West,J234567\n", "utf-8")

    def ann(*options: object) -> list[int]:
        rows = json.loads(run(command, *files, *options, "--to", "json").printed)["players"]
        return [row["games"] for row in rows if row["name"][:3] == "Ann"]

    assert sorted(ann()) == [1, 2]
    assert ann("--aliases", tmp_path / "who.csv") == [3]
    assert run("players", history, "--aliases", tmp_path / "who.csv").status == 2


def test_who_may_be_called_otherwise_is_listed():
    bill, william = (
        (("Bill Wither", "", "East", 1990, "Bea Roe"), 3),
        (("William Wither", "", "East", 1990, "Bea Roe"), 3),
    )
    people, why = decided(bill, william)
    assert people == ["bill wither", "william wither"]
    assert why == ["", "one of the same surname has the same partners at the club"]
    # One partner of several in common, or another club, says nothing.
    others = [(("Bill Wither", "", "East", 1990, name), 2) for name in ("Cy Fox", "Di Elm")]
    more = [(("William Wither", "", "East", 1990, name), 2) for name in ("Ed Oak", "Flo Yew")]
    assert decided(bill, *others, william, *more)[1] == [""] * 6
    assert decided(bill, (("William Wither", "", "West", 1990, "Bea Roe"), 3))[1] == ["", ""]
