"""What is asked of lists of results: all at once, where such a file declares it, and what a list tells is not asked."""

from pathlib import Path

import pytest
from conftest import run, saved
from workbooks import workbook

from resultproc import process, read
from resultproc.model.errors import DeclarationError

FIVE = [
    ("Ann Ash", "Bob Birch", 60.0),
    ("Cy Cedar", "Di Dale", 55.0),
    ("Ed Elm", "Flo Fir", 50.0),
    ("Gus Gum", "Hal Hazel", 45.0),
    ("Ivy Iris", "Jo Jade", 40.0),
]
"""Five pairs of a Howell: two tables and a half."""

LINES = [["Pair", "Names", "%"], *([str(n), f"{a} - {b}", f"{p:.2f}"] for n, (a, b, p) in enumerate(FIVE, 1))]


def text(path: Path) -> Path:
    return saved(path, "\n".join(f"{n:<6}{names:<24}{share:>8}" for n, names, share in LINES))


def page(path: Path) -> Path:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in LINES)
    return saved(path, f"<html><body><table>{rows}</table></body></html>")


def commas(path: Path) -> Path:
    return saved(path, "\n".join(map(",".join, LINES)))


def excel(path: Path) -> Path:
    return saved(path, workbook(Sheet=LINES))


MADE = {"list.txt": text, "list.html": page, "list.csv": commas, "list.xlsx": excel}
TOML = ("write into list.toml, ", ['rating = "club-open"', 'tables = "2.5"', 'date = "..."', 'boards = "24"'])
PLACES = {
    "list.txt": TOML,
    "list.html": TOML,
    "list.csv": (
        "write above the header of the list, ",
        ["# rating: club-open", "# tables: 2.5", "# date: ...", "# boards: 24"],
    ),
    "list.xlsx": (
        "write into a sheet of the workbook that is named Game, ",
        ["rating        club-open", "tables        2.5", "date          ...", "boards        24"],
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_missing_is_asked_at_once_where_it_belongs(tmp_path: Path, name: str) -> None:
    first, place, *lines = run("award", MADE[name](tmp_path / name)).err.splitlines()
    assert first == f"{name}: rating, tables, date and boards are not declared"
    assert place.strip().startswith(PLACES[name][0])
    assert [line.strip() for line in lines[:4]] == PLACES[name][1]
    assert [line.strip().partition(" is ")[0] for line in lines[4:]] == ["rating", "tables", "date", "boards"]


@pytest.mark.parametrize("name", MADE)
def test_new_proposes_values_and_the_second_attempt_is_awarded(tmp_path: Path, name: str) -> None:
    path = MADE[name](tmp_path / name)
    before = path.read_bytes()
    assert run("new", path).status == 0
    declared = tmp_path / "list.toml"
    lines = declared.read_text("utf-8").splitlines()
    keys = [line.partition("  #")[0] for line in lines if line and not line.startswith("#")]
    assert keys == ['rating = "club-open"', 'tables = "2.5"', 'date = ""', 'boards = "24"']
    assert 'boards = "24"  # a guess, no file tells it: ' in declared.read_text("utf-8")
    with pytest.raises(DeclarationError, match=r"list.toml: line \d+: date: it has no value"):
        process(path)
    declared.write_text(declared.read_text("utf-8").replace('date = ""', 'date = "2012-04-18"'), "utf-8")
    # Five pairs: 0.10 for each of those compared, 70% and 50% of that below; two of five are paid.
    assert process(path).awards["masterpoints"].tolist() == [50, 35, 0, 0, 0]
    assert path.read_bytes() == before
    # It is never overwritten.
    assert run("new", path).status == 1


def test_what_a_csv_and_a_workbook_are_told_to_write_is_what_they_declare(tmp_path: Path) -> None:
    path = commas(tmp_path / "list.csv")
    told = [line.strip() for line in run("award", path).err.splitlines() if line.startswith("      # ")]
    head = "\n".join(told).replace("...", "2012-04-18")
    path.write_text(f"{head}\n{path.read_text('utf-8')}", "utf-8")
    assert process(path).awards["masterpoints"].tolist()[0] == 50
    path = excel(tmp_path / "list.xlsx")
    rows = [line.split() for line in run("award", path).err.splitlines() if line.startswith("      ")]
    saved(path, workbook(Sheet=LINES, Game=[[key, value.replace("...", "2012-04-18")] for key, value in rows]))
    assert process(path).awards["masterpoints"].tolist()[0] == 50


def test_a_date_in_the_name_of_a_file_is_read(tmp_path: Path) -> None:
    path = commas(tmp_path / "monday 2012-04-16.csv")
    assert str(read(path).games["date"].iloc[0])[:10] == "2012-04-16"


def test_a_list_cut_off_has_no_tables_proposed(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    rows = [f"{n},NS,P{n},50" for n in range(1, 6)] + ["1,EW,Q1,50", "2,EW,Q2,50"]
    path.write_text("\n".join(["number,direction,player1,percentage", *rows]), "utf-8")
    assert "# tables: ..." in run("award", path).err


def test_players_of_individuals_fill_a_table_by_fours_whatever_their_directions(tmp_path: Path) -> None:
    rows = [f"{n},{side},{side[0]}{n},50" for side in ("NS", "EW") for n in range(1, 8)]
    above = ["# event_type: individual", "number,direction,player1,percentage"]
    path = saved(tmp_path / "individual.csv", "\n".join([*above, *rows]) + "\n")
    assert "# tables: 3.5\n" in run("award", path).err  # 14 players


def test_a_pair_of_three_makes_no_teams_of_a_list(tmp_path: Path) -> None:
    """Six pairs fill three tables, in one of which three take turns; as teams they would have filled six."""
    path = text(tmp_path / "2024-05-06.txt")
    path.write_text(path.read_text("utf-8").replace("Ann Ash - Bob Birch     ", "Ann Ash - Bob Birch - Z Zee"), "utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{6:<6}{'Kay Kapok - Lou Larch':<24}{'50.00':>8}\n")
    with pytest.raises(DeclarationError, match='tables = "3"'):
        process(path, rating="club-open", boards="24")
    result = process(path, rating="club-open", boards="24", tables="3")
    assert sum("this row has 3 names, and others have 2" in each.what for each in result.remarks) == 1


def test_what_is_asked_is_one_object_for_programs(tmp_path: Path) -> None:
    done = run("award", commas(tmp_path / "list.csv"), "--errors", "json")
    (line,) = done.err.splitlines()
    assert '"hint": "write above the header of the list:\\n# rating: club-open\\n# tables: 2.5\\n' in line
    assert '"code": "declaration.missing"' in line


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [["6", "Sit-out", ""], ["6", "Phantom - Phantom", ""], ["6", "Bye", ""], ["6", "Phantom", "0"], ["", "Bye", ""]],
)
@pytest.mark.parametrize("head", ["Pair,Names,%", "#,Pair,Session %"])
def test_a_row_of_nobody_says_that_there_was_half_a_table(tmp_path: Path, head: str, row: list[str]) -> None:
    text = "\n".join(map(",".join, [*LINES, row])) + "\n"
    path = saved(tmp_path / "list.csv", text.replace("Pair,Names,%", head))
    result = process(path, rating="club-open", date="2012-04-18")
    assert result.games["tables"].tolist() == ["A=2.5"]
    assert result.awards["masterpoints"].tolist() == [50, 35, 0, 0, 0]
    assert [each.code for each in result.remarks if each.code.startswith("tables")] == ["tables.counted"]
    # What is declared goes before it, and is not remarked on.
    declared = process(path, rating="club-open", date="2012-04-18", tables=3)
    assert declared.games["tables"].tolist() == ["3"]
    assert not [each for each in declared.remarks if each.code == "tables.counted"]


def test_a_row_of_nobody_fills_up_the_direction_it_lacks_in(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    both = [f"{n},{side},{side[0]}{n} Ash - {side[0]}{n} Elm,50" for side in ("NS", "EW") for n in (1, 2, 3)]
    head = "Pair,Direction,Names,%\n"
    path.write_text(head + "\n".join([*both[:5], "3,EW,Phantom,"]), "utf-8")
    keys = {"rating": "club-open", "date": "2012-04-18"}
    assert process(path, **keys).games["tables"].tolist() == ["A=2.5"]
    # Two pairs short are no half table, and neither is one without a row of nobody.
    for rows in ([*both[:4], "2,EW,Phantom,", "3,EW,Phantom,"], both[:5]):
        path.write_text(head + "\n".join(rows), "utf-8")
        with pytest.raises(DeclarationError, match="tables is not declared"):
            process(path, **keys)


# What the titles and names of a list tell.


def file_of(tmp_path: Path, rows: list[list[str]], name: str = "list.txt") -> Path:
    return saved(tmp_path / name, "\n".join("\t".join(row) for row in rows) + "\n")


def game_of(path: Path) -> dict[str, object]:
    return read(path).games.iloc[0].dropna().to_dict()


TEAMS = [
    [str(n), ", ".join(f"{name} {letter}sh" for name in ("Al", "Bo", "Cy", "Di")), str(vps), wins]
    for n, (letter, vps, wins) in enumerate(zip("ABCD", (50, 45, 35, 30), "3311", strict=True), 1)
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("Saturday Swiss Teams, 4 matches of 6 boards", "Score"),
        ("Saturday Teams, 4 matches of 6 boards", "VP"),
        ("Tournoi suisse par quatre, 4 matchs de 6 donnes", "PV"),
        ("Equipos, sistema suizo, 4 partidos de 6 manos", "PV"),
        ("Szwajcar teamów, 4 rundy po 6 rozdań", "VP"),
    ],
)
def test_swiss_teams_are_told_by_the_title_or_by_vps_of_matches(tmp_path: Path, title: str, head: str) -> None:
    path = file_of(tmp_path, [[title], ["Team", "Names", head, "Wins"], *TEAMS])
    (tmp_path / "resultproc.toml").write_text("boards = 24\n", "utf-8")  # those of the club's sessions of pairs
    game = game_of(path)
    assert (game["event_type"], game["boards"]) == ("swiss", 6)
    (remark,) = (each for each in read(path).remarks if each.code == "event.told")
    assert "taken for swiss" in remark.what
    # Four teams are four tables.
    assert process(path, rating="club-open", date="2012-04-18").games["tables"].tolist() == ["A=4"]
    # What is declared goes before it.
    assert read(path, event_type="bam").games["event_type"].tolist() == ["bam"]


def test_teams_that_nothing_calls_swiss_are_asked_for(tmp_path: Path) -> None:
    path = file_of(tmp_path, [["Saturday Teams"], ["Team", "Names", "VP", "Wins"], *TEAMS])
    assert "event_type" not in game_of(path)
    assert "# event_type: ..." in run("award", path).err


@pytest.mark.parametrize(("day", "keys"), [("", "date and boards are"), (" 12 May 2026", "boards is")])
def test_swiss_teams_without_wins_are_asked_for_all_that_is_missing_at_once(
    tmp_path: Path, day: str, keys: str
) -> None:
    rows = [[name, vps] for name, (*_, vps, _) in zip(("Ash", "Elm", "Fir", "Oak"), TEAMS, strict=True)]
    path = file_of(tmp_path, [[f"Swiss Teams{day}"], ["Team", "VPs"], *rows])
    with pytest.raises(DeclarationError) as error:
        process(path, rating="club-open")
    assert [each.what.split(" not")[0] for each in error.value.problems] == [
        keys,
        "the matches that each team won are missing, and a club's Swiss teams are paid only for these",
    ]


def test_rounds_of_pairs_are_a_session(tmp_path: Path) -> None:
    path = file_of(tmp_path, [["Monday Pairs, 9 rounds of 3 boards"], *LINES])
    assert game_of(path)["boards"] == 27
    assert game_of(path)["event"] == "Monday Pairs"


PLAYERS = [["No", "Name", "%"], *([str(n), f"P{'abcdefgh'[n - 1]} Ash", str(64 - 4 * n)] for n in range(1, 8))]
PLAYERS += [["8", "Ph Ash", "36"]]


@pytest.mark.parametrize(
    "title", ["Friday Individual", "Tournoi individuel", "Turniej indywidualny", "Individual de mayo"]
)
def test_an_individual_is_told_by_its_title_and_single_names(tmp_path: Path, title: str) -> None:
    path = file_of(tmp_path, [[title], *PLAYERS])
    assert game_of(path)["event_type"] == "individual"
    # Eight players are two tables.
    assert process(path, rating="club-open", date="2012-04-18").games["tables"].tolist() == ["A=2"]
    assert "event_type" not in game_of(file_of(tmp_path, [["Friday Game"], *PLAYERS]))
    assert "event_type" not in game_of(file_of(tmp_path, [[title], *LINES]))  # two names


@pytest.mark.parametrize(
    "title",
    [
        "Mercredi, 3 tables, 27 donnes, Howell",
        "Martes, 3 mesas, 27 manos, Howell",
        "Środa, 3 stoły, 27 rozdań, Howell",
        "Joi, 3 mese, 27 done, Howell",
        "Wednesday, 3 tables, 27 boards, Howell movement",
        "Wednesday, 27 boards, 3 table Howell",
    ],
)
def test_a_title_tells_tables_boards_and_the_movement(tmp_path: Path, title: str) -> None:
    game = game_of(file_of(tmp_path, [[title], *LINES]))
    expected = {"tables": "3", "boards": "27", "movement": "howell"}
    assert {key: str(game.get(key)) for key in ("tables", "boards", "movement")} == expected
    assert "event" not in game, "a day of the week is no event"


def test_a_movement_that_the_contestants_contradict_is_remarked_on(tmp_path: Path) -> None:
    path = file_of(tmp_path, [["Monday, Mitchell"], *LINES])
    assert "movement" not in game_of(path)
    (remark,) = (each for each in read(path).remarks if each.code == "title.not-taken")
    assert "a title says mitchell, and the contestants have no directions" in remark.what
    assert not [each for each in read(path, movement="howell").remarks if each.code == "title.not-taken"]
