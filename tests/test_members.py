"""The list of a club's players: what it says where a game's file does not, and whom it has twice."""

import json
from pathlib import Path

import pytest
from conftest import run, saved
from samples import SAMPLES, real
from workbooks import workbook

import resultproc
from resultproc.model.errors import InputError

GAME = """# rating: club-open
# event: Tuesday
# date: 2012-05-01
# movement: howell
# boards: 24
# strata: A=open, B=500
# stratify_by: average
number,player1,id1,player2,id2,percentage
1,Ann Ash,,Bob Birch,,60
2,"COLE, Cy",,Di Dee,,55
3,,3333333,,4444444,45
4,Gus Gum,,Hal Hazel,,40
"""
LIST = """Member number,Rank,First name,Last name,Masterpoints
1111111,Life Master,Ann,Ash,"1,200.50"
2222222,,Bob,Birch,100
3333333,,Ed,Eye,50
4444444,,Flo,Fay,10
5555555,,Cy,Cole,20
6666666,,Dí,Dee,30
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.csv").write_text(GAME, "utf-8")
    (tmp_path / "members.csv").write_text(LIST, "utf-8")
    return tmp_path


def players(path: Path, **keys: object) -> list[tuple[object, ...]]:
    sheet = resultproc.read(path, **keys)
    rows = sheet.contestants[[f"{kind}{seat}" for seat in (1, 2) for kind in ("player", "id", "mp")]]
    return [tuple(None if each != each else each for each in row) for row in rows.itertuples(index=False, name=None)]


EVERYBODY = [
    ("Ann Ash", "1111111", 1200.5, "Bob Birch", "2222222", 100.0),
    ("COLE, Cy", "5555555", 20.0, "Di Dee", "6666666", 30.0),
    ("Ed Eye", "3333333", 50.0, "Flo Fay", "4444444", 10.0),
    ("Gus Gum", None, None, "Hal Hazel", None, None),
]


def test_it_says_what_the_game_does_not(folder: Path) -> None:
    rest = LIST.partition("\n")[2]
    for head in (
        LIST.partition("\n")[0],
        "Mitgliedsnummer,Rang,Vorname,Nachname,Masterpunkte",
        "Numéro de membre,Rang,Prénom,Nom,Points de maître",
        "Lidnummer,Rang,Voornaam,Achternaam,Meesterpunten",
    ):
        (folder / "members.csv").write_text(f"{head}\n{rest}", "utf-8")
        assert players(folder / "game.csv", players=folder / "members.csv") == EVERYBODY, head


def test_a_dash_there_stands_for_nothing(folder: Path) -> None:
    (folder / "members.csv").write_text("Number,Rank,Name,Masterpoints\n-,-,Gus Gum,-\n\u2014,-,Hal Hazel,7\n", "utf-8")
    sheet = resultproc.read(folder / "game.csv", players=folder / "members.csv")
    assert sheet.contestants[["id1", "id2"]].iloc[3].isna().all()
    assert sheet.contestants["mp2"].iloc[3] == 7
    assert "rank1" not in sheet.contestants


def test_none_there_stands_for_nothing_but_in_a_name(folder: Path) -> None:
    (folder / "game.csv").write_text(GAME.replace("Gus Gum", "Jen Null"), "utf-8")
    (folder / "members.csv").write_text("Number,First name,Last name\nnull,Hal,Hazel\n7777777,Jen,Null\n", "utf-8")
    sheet = resultproc.read(folder / "game.csv", players=folder / "members.csv")
    assert sheet.contestants[["id1", "id2"]].iloc[3].fillna("").to_list() == ["7777777", ""]


def test_columns_without_a_heading_are_passed_over(folder: Path) -> None:
    lines = (line.split(",", 1) for line in LIST.splitlines())
    (folder / "members.csv").write_text("".join(f",{number},x,{rest}\n" for number, rest in lines).replace("x", "", 1))
    assert players(folder / "game.csv", players=folder / "members.csv") == EVERYBODY


def test_a_workbook_is_a_list_as_well(folder: Path) -> None:
    rows = [line.split(",") for line in LIST.replace('"1,200.50"', "1200.5").splitlines()]
    path = saved(folder / "members.xlsx", workbook(Sheet=[["Players of the club"], *rows]))
    assert players(folder / "game.csv", players=path) == EVERYBODY


def test_the_settings_name_it_and_strata_follow(folder: Path) -> None:
    (folder / "resultproc.toml").write_text('[players]\nfile = "members.csv"\n', "utf-8")
    assert players(folder / "game.csv") == EVERYBODY
    text = (folder / "game.csv").read_text("utf-8").replace("Gus Gum,,Hal Hazel,,40", "Flo Fay,,Di Dee,,40", 1)
    (folder / "game.csv").write_text(text.replace(",4444444", ",2222222"), "utf-8")
    done = run("award", folder / "game.csv", "--to", "json")
    strata = [each["stratum"] for each in json.loads(done.printed)["games"][0]["contestants"]]
    # (1200.5 + 100) / 2 is above 500, and the others are below.
    assert strata == ["A", "B", "B", "B"]


def test_a_name_that_two_have_is_asked_for(folder: Path) -> None:
    (folder / "members.csv").write_text(LIST + "7777777,,Ann,Ash,5\n", "utf-8")
    with pytest.raises(InputError) as raised:
        resultproc.read(folder / "game.csv", players=folder / "members.csv")
    (problem,) = raised.value.problems
    assert (problem.where, problem.code) == ("line 9", "players.several")
    assert problem.what == "Ann Ash is several people in members.csv: 1111111 (line 2) and 7777777 (line 8)"
    # With the number it is clear who sat there.
    text = GAME.replace("Ann Ash,,", "Ann Ash,7777777,")
    (folder / "game.csv").write_text(text, "utf-8")
    assert players(folder / "game.csv", players=folder / "members.csv")[0][:3] == ("Ann Ash", "7777777", 5.0)


def test_a_player_who_is_listed_twice_alike_is_one(folder: Path) -> None:
    (folder / "members.csv").write_text(LIST + LIST.splitlines()[1] + "\n", "utf-8")
    assert players(folder / "game.csv", players=folder / "members.csv") == EVERYBODY


def test_a_number_of_somebody_else_is_remarked_on(folder: Path) -> None:
    (folder / "game.csv").write_text(GAME.replace("Gus Gum,,", "Gus Gum,2222222,"), "utf-8")
    sheet = resultproc.read(folder / "game.csv", players=folder / "members.csv")
    (remark,) = [each for each in sheet.remarks if each.code == "players.other"]
    assert remark.what == (
        "member numbers that are somebody else's in members.csv: 2222222 is Bob Birch there, and Gus Gum here"
    )
    assert sheet.contestants["mp1"].isna().tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "this is not a list of players"),
        ("", "this is not a list of players"),
        ("Name,Holding\nAnn Ash,many\n", "invalid holding: 'many'"),
        ("Name,Number,Number\nAnn Ash,1111111,5\n", "line 1: two columns mean the same: 'Number' and 'Number'"),
        ("Name,Holding\nAnn Ash,1,200.50\n", "line 2, column 3: '200.50' is in a column without a heading"),
        (
            "Number,Name\n7,Ann Ash\n7,Zoe Zed\n",
            "the member number 7 is several people in members.csv: Ann Ash (line 2)",
        ),
    ],
)
def test_what_is_no_list_is_refused(folder: Path, text: str, said: str) -> None:
    (folder / "members.csv").write_text(text, "utf-8")
    done = run("award", folder / "game.csv", "--players", folder / "members.csv")
    assert done.status == 1
    assert said in done.err
    assert "members.csv" in done.err


EVERY_COMMAND = [
    *[("amend", "GAME", "GAME"), ("award", "GAME"), ("check", "GAME"), ("convert", "GAME", "-")],
    *[("compare", "GAME", "--rules", "acbl-club", "--rules", "acbl-general-formula-2019"), ("explain", "GAME", "1")],
    *[("infer", "GAME"), ("lint", "GAME"), ("new", "GAME", "-o", "-"), ("players", "GAME"), ("series", "GAME")],
    *[("publish", "GAME", "--for", "folder", "--dry-run"), ("whatif", "GAME", "--tables", "5")],
    ("whatif", "--entries", "GAME"),
]


@pytest.mark.parametrize("words", EVERY_COMMAND, ids=lambda words: words[0])
def test_every_command_that_reads_a_game_takes_a_list(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "none.csv").write_text("a,b\n1,2\n", "utf-8")
    done = run(*(folder / "game.csv" if word == "GAME" else word for word in words), "--players", folder / "none.csv")
    assert done.status == 1
    assert "none.csv: this is not a list of players" in " ".join(done.err.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [each for each in EVERY_COMMAND if each[0] in {"amend", "award", "players", "series"}]
)
def test_strata_follow_from_the_list_in_every_report(folder: Path, words: tuple[str, ...]) -> None:
    text = GAME.replace("4,Gus Gum,,Hal Hazel,,40\n", "").replace("# boards", "# tables: 1.5\n# boards")
    (folder / "game.csv").write_text(text, "utf-8")
    named = [folder / "game.csv" if word == "GAME" else word for word in words]
    assert "no holding for " in run(*named).err
    assert run(*named, "--players", folder / "members.csv").status == 0


@real
def test_the_strata_of_a_club_follow_from_its_list() -> None:
    """Pair 1 holds 100.5 on average, up to 200: C; two pairs of B are before it. 0.38: README there."""
    done = run("award", SAMPLES / "office" / "members" / "plain.csv")
    assert (done.status, done.err) == (0, "")
    assert "   1  54.76  C         3           0.38 (B)  Pia Juniper - Bea Kapok" in done.out.splitlines()


@real
def test_the_holding_of_a_player_known_by_number_alone_is_asked_for() -> None:
    done = run("award", SAMPLES / "office" / "unknown-member.csv")
    assert done.status == 1
    assert "line 8: contestant A 1 has no stratum, and no holding for mp1" in done.err


def test_a_list_that_is_not_there_is_told_with_the_settings(folder: Path) -> None:
    (folder / "resultproc.toml").write_text('[players]\nfile = "membres.csv"\n', "utf-8")
    done = run("award", folder / "game.csv")
    assert done.status == 1
    assert "resultproc.toml: there is no file membres.csv, which it names as the list of players" in done.err


def test_a_changed_list_makes_a_batch_award_anew(folder: Path) -> None:
    inbox = folder / "in"
    inbox.mkdir()
    (inbox / "game.csv").write_text(GAME.replace("# strata: A=open, B=500\n# stratify_by: average\n", ""), "utf-8")
    (inbox / "members.txt").write_text(LIST, "utf-8")
    (inbox / "resultproc.toml").write_text('[players]\nfile = "members.txt"\n', "utf-8")
    for expected in (1, 0):
        assert run("batch", inbox / "game.csv", "-o", folder / "out", "--to", "json").status == 0
        report = json.loads((folder / "out" / "report.json").read_text("utf-8"))
        assert (report["games"], report["done_before"]) == (expected, 1 - expected)
    (inbox / "members.txt").write_text(LIST.replace("Flo,Fay", "Flora,Fay"), "utf-8")
    run("batch", inbox / "game.csv", "-o", folder / "out", "--to", "json")
    assert "Flora Fay" in (folder / "out" / "game.json").read_text("utf-8")
    # The list is no game of the folder that it lies in.
    assert run("batch", inbox, "-o", folder / "all", "--to", "json").status == 0
