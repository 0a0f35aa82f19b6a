"""One count for a person: every command and view that adds up what somebody won says the same."""

import csv
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from conftest import ALL, asked, run
from made_office import add, compared, make, sums

from resultproc.model.errors import InputError
from resultproc.people.aliases import read_aliases, with_lines

HEAD = """# event: Pairs
# club: {club}
# date: {date}
# rating: club-open
# event_type: pairs
# movement: howell
# tables: 3
# boards: 24
# strata: A=open
section,number,player1,id1,player2,id2,percentage
"""
FIELD = [("Ida Fill", "5000001"), ("Ian Fill", "5000002"), ("Joy Fill", "5000003"), ("Jim Fill", "5000004")]
FIELD += [("Kay Fill", "5000005"), ("Ken Fill", "5000006"), ("Liz Fill", "5000007"), ("Lou Fill", "5000008")]


def write_game(folder: Path, club: str, date: str, *pairs: tuple[str, str, str, str, float]) -> None:
    """Write a game of six pairs: those of a player, number, partner, number and percentage, and others below them."""
    rows = [",".join(map(str, each)) for each in pairs]
    for n in range(6 - len(pairs)):
        (one, first), (two, second) = FIELD[2 * n : 2 * n + 2]
        rows.append(f"{one},{first},{two},{second},{(300 - sum(each[4] for each in pairs)) / (6 - len(pairs)):g}")
    text = HEAD.format(club=club, date=date) + "".join(f"A,{n},{row}\n" for n, row in enumerate(rows, 1))
    (folder / f"{date}-{club.strip(' .')}.csv").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sums")
    games = folder / "games"
    games.mkdir()
    ann, bob, ned, cay = ("Ann Lee", "1111111"), ("Bob Ray", "5000010"), ("Ned Ott", "5000020"), ("Cay Moe", "5000030")
    # Once she is written without her number, in capitals, at the club in capitals; once she is entered twice.
    write_game(games, "East Club", "2010-01-05", (*ann, *bob, 60), (*cay, *ned, 55))
    write_game(games, "EAST  CLUB.", "2010-01-12", ("ANN LEE", "", *bob, 61), (*cay, *ned, 56))
    write_game(games, "East Club", "2010-01-19", (*ann, *bob, 62), (*ann, *cay, 63))
    # Two of her name sit in one game: first one with the number, then none of them.
    write_game(games, "East Club", "2010-01-26", (*ann, *bob, 62), ("Ann Lee", "", *ned, 64))
    write_game(games, "West Club", "2010-02-02", ("Jan Toe", "", *bob, 62), ("Jan Toe", "", *ned, 64))
    archive = folder / "history"
    assert run("archive", "add", *sorted(games.iterdir()), "--to", archive).status == 0
    return archive


def counts(rows: list[dict[str, object]], *names: str) -> list[tuple[str, ...]]:
    return sorted(tuple(str(row[name] or "") for name in names) for row in rows)


SQL = """SELECT person, any_value(player) AS name, any_value(member) AS id, count(*) AS games,
    sum(masterpoints) AS masterpoints, bool_or(unsure) AS unsure FROM players GROUP BY person"""


@pytest.mark.slow
def test_every_view_counts_the_same_for_every_person(history: Path, tmp_path: Path) -> None:
    rows = asked(history, SQL)
    expected = counts(rows, "name", "id", "games", "masterpoints")
    # 3 tables pay 0.60 and 0.42. Ann is first in three games, in one of them by the better result, and then second.
    assert ("Ann Lee", "1111111", "4", "2.22") in expected
    assert ("Ann Lee", "", "1", "0.60") in expected
    assert [row for row in expected if row[0] == "Jan Toe"] == [
        ("Jan Toe", "", "1", "0.42"),
        ("Jan Toe", "", "1", "0.60"),
    ]
    names = ("name", "id", "games", "masterpoints")
    listed = json.loads(run("players", history, "--to", "json").printed)["players"]
    assert counts(listed, *names) == expected
    assert run("reprocess", history, "-o", tmp_path / "run").status == 0
    with (tmp_path / "run" / "summary-players.csv").open(encoding="utf-8") as file:
        assert counts([*csv.DictReader(file)], "player", "member", "games", "masterpoints") == expected
    assert run("archive", "export", tmp_path / "run", tmp_path / "games.sqlite").status == 0
    sums = "SELECT player, member, count(*), sum(masterpoints) FROM players GROUP BY person"
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        found = [(name, number or "", str(games), f"{won:.2f}") for name, number, games, won in database.execute(sums)]
    assert sorted(found) == expected
    persons = asked(history, "SELECT player, member, games, person FROM persons")
    assert counts(persons, "player", "member", "games") == sorted(row[:3] for row in expected)
    for row in rows if ALL else [row for row in rows if "Fill" not in row["name"]]:
        of_one = json.loads(run("archive", "player", history, row["person"], "--to", "json").printed)
        assert (len(of_one["games"]), of_one["masterpoints"]) == (row["games"], row["masterpoints"])


@pytest.mark.slow
def test_who_is_not_sure_can_be_left_out(history: Path) -> None:
    assert {row["person"] for row in asked(history, SQL) if row["unsure"]} == {
        "ann lee", "jan toe with bob ray", "jan toe with ned ott",
    }  # fmt: skip
    assert asked(history, "SELECT count(*) AS n FROM players WHERE NOT unsure AND player = 'Ann Lee'") == [{"n": 4}]
    unsure = [("Ann Lee", "", "1"), ("Jan Toe", "", "1"), ("Jan Toe", "", "1")]
    listed = json.loads(run("players", history, "--to", "json").printed)["players"]
    assert counts([row for row in listed if row["unsure"]], "name", "id", "unsure") == unsure
    rows = csv.DictReader(run("players", history, "--to", "csv").printed.splitlines())
    assert counts([row for row in rows if row["unsure"] != "0"], "player", "id", "unsure") == unsure
    said = asked(history, "SELECT what FROM remarks WHERE code = 'players.listed-twice' ORDER BY what")
    assert len(said) == 3


@pytest.mark.slow
def test_a_game_under_two_events_counts_twice_in_every_view_and_is_told(tmp_path: Path) -> None:
    pairs = [("Ann Lee", "1111111", "Bob Ray", "5000010", 60), ("Cay Moe", "5000030", "Ned Ott", "5000020", 55)]
    write_game(tmp_path, "East Club", "2010-01-05", *pairs)
    (first,) = tmp_path.iterdir()
    other = tmp_path / "other.csv"
    other.write_text(first.read_text("utf-8").replace("event: Pairs", "event: Tuesday"), "utf-8")
    archive = tmp_path / "history"
    assert run("archive", "add", first, other, "--to", archive).status == 0
    sql = "SELECT count(*) AS games, sum(masterpoints) AS won FROM players WHERE player = 'Ann Lee'"
    assert asked(archive, sql) == [{"games": 2, "won": "1.20"}]
    listed = run("players", archive, "--to", "json")
    (ann,) = (row for row in json.loads(listed.printed)["players"] if row["name"] == "Ann Lee")
    assert (listed.status, ann["games"], ann["masterpoints"]) == (0, 2, "1.20")
    told = f"this game has the same players and scores as the game {first.stem} of {first.name}, there with the event"
    assert f"{told} Pairs" in listed.err
    assert asked(archive, "SELECT what FROM remarks") == [{"what": f"{told} Pairs"}]
    assert asked(archive, "SELECT source FROM remarks") == [{"source": "other.csv"}]
    assert run("archive", "remove", archive, first.name).status == 0
    assert asked(archive, "SELECT what FROM remarks") == []


@pytest.mark.slow
def test_spellings_of_a_club_are_one_in_every_view(history: Path, tmp_path: Path) -> None:
    assert asked(history, "SELECT club_now, count(*) AS n FROM games GROUP BY ALL ORDER BY ALL") == [
        {"club_now": "East Club", "n": 4}, {"club_now": "West Club", "n": 1},
    ]  # fmt: skip
    (ann,) = asked(history, "SELECT clubs FROM persons WHERE person = '1111111'")
    assert ann == {"clubs": "East Club"}
    assert run("reprocess", history, "-o", tmp_path / "run").status == 0
    clubs = (tmp_path / "run" / "summary-clubs.csv").read_text("utf-8").splitlines()
    assert [line.split(",")[:2] for line in clubs[1:]] == [["East Club", "4"], ["West Club", "1"]]
    health = json.loads(run("archive", "health", history, "--to", "json").printed)
    assert {row["club"] for row in health["clubs"]} >= {"East Club", "West Club"}


@pytest.mark.slow
def test_persons_are_joined_and_split_by_lines_that_a_command_writes(history: Path, tmp_path: Path) -> None:
    archive = tmp_path / "history"
    shutil.copytree(history, archive)

    def persons() -> dict[str, int]:
        return {row["person"]: row["games"] for row in asked(archive, "SELECT person, games FROM persons")}

    before = persons()
    done = run("archive", "split", archive, "5000010", "--club", "West Club", "--as", "Bob Other")
    assert done.printed == "Bob Ray is Bob Other at West Club now: 1 line more in aliases.csv\n"
    assert (archive / "aliases.csv").read_text("utf-8") == "player,member,club,is\n,5000010,West Club,Bob Other\n"
    assert persons() == before | {"5000010": before["5000010"] - 1, "bob other": 1}
    (archive / "aliases.csv").unlink()
    assert run("archive", "join", archive, "5000030", "5000020").printed == (
        "Cay Moe is 5000020 now: 1 line more in aliases.csv\n"
    )
    assert "5000030" not in persons()
    nobody = run("archive", "split", archive, "5000020", "--club", "North")
    assert "5000020 has not played at 'North'" in nobody.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ann,,,Bob\nBob,,,Ann\n", "these lines say that ann and bob are each other"),
        ("Ann,,,Bob\nBob,,,Cay\nCay,,,Ann\n", "these lines say that ann and bob and cay are each other"),
        (",,East,West\n,,West,East\n", "these lines say that east and west are each other"),
    ],
)
def test_lines_that_lead_in_a_circle_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_aliases(f"player,member,club,is\n{text}", "aliases.csv")


def test_chains_of_lines_lead_through_names_and_numbers() -> None:
    said = read_aliases("player,member,club,is\nAnn Oak,,,1\n,1,,Ann Hill\nAnn Hill,,,9\n", "aliases.csv")
    assert said.people["person"].tolist() == ["9", "9", "9"]


def test_aliases_may_end_their_lines_with_a_return_alone_and_are_no_bug_where_they_are_no_csv() -> None:
    text = "player;member;club;is\rAnn Oak;;;Ann Hill\rBob, B.;;;1\r"
    assert read_aliases(text, "aliases.csv").people["person"].tolist() == ["ann hill", "1"]
    new = with_lines(text, [{"player": "Ann Oak", "member": "", "club": "", "is": "2"}], "aliases.csv")
    assert new == "player;member;club;is\nBob, B.;;;1\nAnn Oak;;;2\n"
    with pytest.raises(InputError, match="line 2: the line cannot be read: field larger"):
        read_aliases("player,member,club,is\n" + "a" * 200_000 + ",,,B\n", "aliases.csv")


def test_a_club_is_one_however_its_name_is_spelt(tmp_path: Path) -> None:
    game = "# date: 2024-05-0{}\n# club: {}\n# rating: club-open\n# boards: 24\n# tables: 3\n"
    game += "number,player1,player2,percentage\n"
    rows = "".join(f"{n},Ann {n},Bob {n},{70 - 10 * n + n // 6 * 10}\n" for n in range(1, 7))
    for day, club in enumerate(("St. Anne B.C.", "Moose"), 1):
        (tmp_path / f"{club}.csv").write_text(game.format(day, club) + rows.replace(",60", f",6{day}"), "utf-8")
    archive = tmp_path / "archive"
    run("archive", "add", tmp_path, "--to", archive)
    listed = run("players", archive, "--club", "ST ANNE BC", "--to", "json").printed
    assert [game["club"] for game in json.loads(listed)["games"]] == ["St. Anne B.C."]
    statement = tmp_path / "statement.csv"
    statement.write_text("date,points,player\n2024-05-01,0.60,Ann 1\n", "utf-8")
    assert " of 1 lines" in run("archive", "audit", archive, statement, "--club", "st anne bc").err
    (archive / "aliases.csv").write_text("player,member,club,is\n,,Moose,st anne bc\n", "utf-8")
    clubs = "SELECT club_now, count(*) AS games FROM games GROUP BY ALL"
    assert asked(archive, clubs) == [{"club_now": "st anne bc", "games": 2}]


def listed_in(command: str, *arguments: object) -> list[tuple[str, ...]]:
    done = run(command, *arguments, "--to", "json")
    assert "counted as" not in done.err
    rows = json.loads(done.printed)["players"]
    return [row for row in counts(rows, "name", "id", "games") if row[0].startswith("Ann")]


@pytest.mark.slow
def test_what_is_said_of_who_is_who_holds_in_every_view(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    bob, gus, others = ("Bob Elm", "7000002"), ("Gus Hop", "7000013"), ("Cat Ash", "7", "Dan Fir", "8", 55)
    write_game(games, "Elm Club", "2015-01-01", ("Ann Oak", "7000001", *bob, 62), others)
    write_game(games, "Fir Club", "2015-01-08", ("Ann Oak", "", *gus, 61), others)
    write_game(games, "Ash Club", "2015-01-15", ("Ann Oak", "7000001", *gus, 60), others)
    archive = tmp_path / "history"
    assert run("archive", "add", games, "--to", archive).status == 0
    # At the Fir Club she is somebody else of the name, and with this number at the Ash Club a third one.
    lines = "player,member,club,is\nAnn Oak,,Fir Club,Ann Oak\n,7000001,Ash Club,Ann Oak 2\n"
    (archive / "aliases.csv").write_text(lines, "utf-8")
    expected = [("Ann Oak", "", "1"), ("Ann Oak", "7000001", "1"), ("Ann Oak 2", "7000001", "1")]
    persons = asked(archive, "SELECT player, member, games FROM persons WHERE player LIKE 'Ann%'")
    assert counts(persons, "player", "member", "games") == expected
    assert listed_in("players", archive) == expected
    assert listed_in("players", games, "--aliases", archive / "aliases.csv") == expected
    assert listed_in("series", games, "--aliases", archive / "aliases.csv") == expected


def test_a_game_in_which_somebody_sits_under_two_names_is_one_of_hers(tmp_path: Path) -> None:
    games, archive = tmp_path / "games", tmp_path / "history"
    games.mkdir()
    once, again = ("Ann Oak", "7000001", "Bob Elm", "5", 62), ("Ann Hill", "7000009", "Dan Fir", "8", 55)
    write_game(games, "Elm Club", "2015-01-01", once, again)
    write_game(games, "Elm Club", "2015-01-08", once, ("Cat Ash", "7", "Dan Fir", "8", 55))
    assert run("archive", "add", games, "--to", archive).status == 0
    (archive / "aliases.csv").write_text("player,member,club,is\n,7000009,,7000001\n", "utf-8")
    asked_of = "SELECT player, games FROM persons WHERE player IN ('Ann Oak', 'Dan Fir') ORDER BY player"
    assert asked(archive, asked_of) == [{"player": "Ann Oak", "games": 2}, {"player": "Dan Fir", "games": 2}]


def test_a_game_in_which_two_have_a_number_that_the_user_says_is_of_one_is_a_game_of_both(tmp_path: Path) -> None:
    games, archive = tmp_path / "games", tmp_path / "history"
    games.mkdir()
    write_game(games, "Elm Club", "2015-01-01", ("Ann Oak", "7", "Bob Elm", "5", 62), ("Ann Hill", "7", *FIELD[7], 55))
    assert run("archive", "add", games, "--to", archive).status == 0
    (archive / "aliases.csv").write_text("player,member,club,is\nAnn Hill,7,,9\n", "utf-8")
    expected = [{"person": "7", "games": 1}, {"person": "9", "games": 1}]
    for view in ("SELECT person, games FROM persons", "SELECT person, count(*) AS games FROM players GROUP BY person"):
        assert asked(archive, f"FROM ({view}) WHERE person IN ('7', '9') ORDER BY person") == expected


@pytest.mark.slow
def test_a_number_that_several_have_in_one_game_is_nobodys_more_in_one_view_than_in_another(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    eve, bob = ("Eve Day", "4000011"), ("Bob Ray", "4000004")
    write_game(games, "Fir Club", "2015-01-01", (*eve, *bob, 62), ("Cat Ash", "7", "Dan Fir", "8", 55))
    write_game(
        games, "Oak Club", "2015-01-08", ("Eve Day", "", "Gus Hop", "9", 61), ("Cat Ash", "7", "Dan Fir", "8", 55)
    )
    # Two have this number: one is the first by the rows, the other by the first players of all rows.
    shared = "1111111"
    twice = ("Max Nye", "5", "Bill Wit", shared, 60), ("Eve Day", shared, "Zed Zoo", "6", 55)
    write_game(games, "Elm Club", "2015-01-15", *twice)
    archive = tmp_path / "history"
    assert run("archive", "add", games, "--to", archive).status == 0

    def of_eve(rows: list[dict[str, object]]) -> list[tuple[str, ...]]:
        return [row for row in counts(rows, "name", "id", "games") if row[0] == "Eve Day" or row[1] == shared]

    rows = asked(archive, SQL)
    listed = json.loads(run("players", archive, "--to", "json").printed)["players"]
    assert of_eve(rows) == of_eve(listed)


@pytest.mark.slow
def test_of_two_spellings_as_frequent_every_view_shows_the_same(tmp_path: Path) -> None:
    bob, others = ("Bob Elm", "7000002"), ("Cat Ash", "7", "Dan Fir", "8", 55)
    games = tmp_path / "games"
    games.mkdir()
    write_game(games, "Elm Club", "2015-01-01", ('"Oak, Ann"', "7000001", *bob, 62), others)
    write_game(games, "Elm Club", "2015-01-08", ("Ann Oak", "7000001", *bob, 61), others)
    archive = tmp_path / "history"
    assert run("archive", "add", games, "--to", archive).status == 0
    assert asked(archive, "SELECT DISTINCT player FROM players WHERE person = '7000001'") == [{"player": "Ann Oak"}]
    assert listed_in("players", archive) == listed_in("players", games) == [("Ann Oak", "7000001", "2")]


@pytest.mark.slow
def test_who_was_split_can_be_joined_and_split_again(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for day, club in enumerate(("Elm Club", "Fir Club", "Ash Club"), 1):
        write_game(
            games,
            club,
            f"2015-01-0{day}",
            ("Ann Oak", "", "Bob Elm", "7000002", 60 + day),
            ("Cat Ash", "7", "Dan Fir", "8", 5),
        )
    archive = tmp_path / "history"
    assert run("archive", "add", games, "--to", archive).status == 0

    def said() -> list[str]:
        return (archive / "aliases.csv").read_text("utf-8").splitlines()[1:]

    assert run("archive", "split", archive, "Ann Oak", "--club", "Fir Club").status == 0
    assert run("archive", "split", archive, "ann oak", "--club", "Ash Club").status == 0
    assert said() == ["Ann Oak,,Fir Club,Ann Oak 2", "Ann Oak,,Ash Club,Ann Oak 3"]
    assert run("archive", "join", archive, "ann oak 2", "7000002").status == 0
    assert said() == ["Ann Oak,,Ash Club,Ann Oak 3", "Ann Oak,,Fir Club,7000002"]
    assert run("archive", "split", archive, "7000002", "--club", "Fir Club", "--as", "Ann Oak 2").status == 0
    assert "Ann Oak,,Fir Club,Ann Oak 2" in said()


@pytest.mark.slow
def test_lines_that_stand_for_nobody_are_told(history: Path, tmp_path: Path) -> None:
    archive = tmp_path / "history"
    shutil.copytree(history, archive)
    (archive / "aliases.csv").write_text(
        "player,member,club,is\nNo Body,,,1\nANN LEE,,East Club,Ann\n,,Nowhere,East\n", "utf-8"
    )
    told = run("archive", "persons", archive).err.splitlines()
    assert [line.partition(" in this archive: ")[2] for line in told] == [
        "no body (correct the line, or take it out)", "the club nowhere (correct the line, or take it out)",
    ]  # fmt: skip


@pytest.mark.slow
def test_the_sums_of_a_made_office_are_the_truth(tmp_path: Path) -> None:
    """``python tests/made_office.py 20000`` says the same of 20,000 games."""
    made = make(tmp_path / "in", 240)
    told = add(made, tmp_path / "archive")
    assert made.twins
    assert [file for file in made.twins if file not in told] == []
    wrong, unsure = compared(made, tmp_path / "archive", tmp_path / "results")
    assert wrong == []
    assert unsure <= len(made.names) * 0.2
    views = sums(tmp_path / "archive", tmp_path / "results")
    assert [view for view, found in views.items() if found != views["query"]] == []
