"""One notion, one reading: the same game written in two ways comes out the same, in whatever format it is."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import saved
from games import mp
from samples import SAMPLES, real
from workbooks import workbook

from resultproc import process
from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.plugins import named
from resultproc.model.source import Source
from resultproc.people.names import by_surname, names_in, split_players
from resultproc.people.nobody import is_in_particular, nobody_in

OPEN = {"rating": "club-open", "date": "2021-02-24", "boards": 18}


def in_each_form(table: list[list[str]]) -> dict[str, bytes]:
    """Return a table as people may send it, by the endings of files."""
    cells = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in table)
    texts = {
        "csv": "\n".join(map(",".join, table)),
        "html": f"<html><body><table>{cells}</table></body></html>",
        "txt": "\n".join("  ".join(text.ljust(20) for text in row) for row in table),
    }
    return {"xlsx": workbook(Sheet=table)} | {ending: text.encode() for ending, text in texts.items()}


def pairs_of(names: list[str], heading: str = "Percentage", scores: str = "") -> list[list[str]]:
    """Return a list of pairs, each with 4% less than the one before, and 50% on average."""
    shares = scores.split() or [f"{48 + 2 * len(names) - 4 * n}.00" for n in range(len(names))]
    rows = [[str(n), *row] for n, row in enumerate(zip(names, shares, strict=True), 1)]
    return [["Pair", "Names", heading], *rows]


FOUR = ["Ann Ash/Bob Elm", "Cyril Fir/Di Oak", "Eve Yew/Floris Ray", "Gus Gum/Hal Ivy"]


@pytest.mark.parametrize("form", ["xlsx", "csv", "html", "txt"])
@pytest.mark.parametrize(
    ("names", "players"),
    [
        (["J/S", *FOUR[1:]], ["J", "S"]),
        (["J.S. & M.", *FOUR[1:3], "B - K"], ["J.S.", "M."]),
        (["J/S", "A/B", "C/D", "E/F"], ["J", "S"]),
        (["Mrs R Idle/Dr Bob Elm", *FOUR[1:]], ["Mrs R Idle", "Dr Bob Elm"]),
        (["Mr & Mrs J Idle", *FOUR[1:]], ["Mr J Idle", "Mrs J Idle"]),
    ],
)
def test_initials_and_titles_are_names_in_each_form_of_a_list(form: str, names: list[str], players: list[str]) -> None:
    found = read(Source(f"list.{form}", in_each_form(pairs_of(names))[form])).contestants
    assert found[["player1", "player2"]].iloc[0].tolist() == players
    assert len(found) == len(names)


def test_initials_are_names_in_lines_without_headings_and_letters_of_strata_are_none() -> None:
    lines = [
        "1 J & S 62.50",
        "2 Cyril Fir & Di Oak 54.17",
        "3 Eve Yew & Floris Ray 45.83",
        "4 K/L 37.50",
        "A/B 1500 750",
    ]
    found = read(Source("list.txt", "\n".join(["Monday Pairs", "", *lines]).encode())).contestants
    assert found["player1"].tolist() == ["J", "Cyril Fir", "Eve Yew", "K"]


@pytest.mark.parametrize("form", ["xlsx", "csv", "html", "txt"])
@pytest.mark.parametrize("heading", ["Percentage", "Final %"])
def test_a_name_too_few_is_remarked_on_in_each_form_of_a_list(form: str, heading: str) -> None:
    table = pairs_of([*FOUR, "Ida Jay"], heading)
    told = [remark.what for remark in read(Source(f"list.{form}", in_each_form(table)[form])).remarks]
    assert "this row has 1 name, and others have 2" in told


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_several_blanks_behind_a_name_are_told(form: str) -> None:
    """Behind most pairs stands what is no player's, whatever parts these; behind a first name alone it is a slip."""

    def listed(*names: str) -> tuple[list[str], list[str]]:
        sheet = read(Source(f"list.{form}", in_each_form(pairs_of([*names]))[form]))
        players = sheet.contestants[["player1", "player2"]].iloc[0].tolist()
        return players, [remark.what for remark in sheet.remarks if "Elm" in remark.what]

    joined = "'Bob Elm Elks' is taken for one name: in the file it has several blanks within it"
    note = "'Elks' beside the name of 'Bob Elm', and of 2 others, is taken for a note"
    assert listed("Ann Ash/Bob Elm  Elks", *FOUR[1:]) == (["Ann Ash", "Bob Elm Elks"], [joined])
    assert listed("Ann Ash/Bob  Elm", *FOUR[1:]) == (["Ann Ash", "Bob Elm"], [])
    assert listed("Ann Ash/Bob J  Elm", *FOUR[1:]) == (["Ann Ash", "Bob J Elm"], [])
    for sign in ("/", " & "):
        pairs = [f"{pair}  Elks".replace("/", sign) for pair in FOUR[:3]]
        assert listed(*pairs, FOUR[3]) == (["Ann Ash", "Bob Elm"], [note])


@pytest.mark.parametrize("form", ["xlsx", "csv", "html", "txt"])
@pytest.mark.parametrize("heading", ["Result", "Percentage", "Score", "Final %"])
def test_one_bad_cell_of_a_short_list_is_named_whatever_heads_it(form: str, heading: str) -> None:
    table = pairs_of(FOUR[:3], heading, "60.00 45R 45.00")
    with pytest.raises(InputError, match="invalid number: '45R'"):
        read(Source(f"list.{form}", in_each_form(table)[form]))


TWELVE = [
    "number,player1,player2,percentage",
    *(f"{number},Ann {number} Lee,Bob {number} Ray,{70 - 3 * number}" for number in range(1, 12)),
    "12,Quixote,Sancho,28",
]


@real
@pytest.mark.parametrize(
    ("name", "tables", "masterpoints"),
    [
        ("office/p1-question.csv", "A=5.5", [80, 56, 0, 0, 0, 0, 80, 56, 0, 0, 0]),
        ("office/p5-realbridge-list.html", "A=2.5", [0, 50, 35, 0, 0]),
        ("office/p6-realbridge-usebio.xml", "A=2.5", [0, 50, 35, 0, 0]),
    ],
)
def test_who_is_nobody_fills_half_a_table_in_every_format(name: str, tables: str, masterpoints: list[int]) -> None:
    result = process(SAMPLES / name, **(OPEN if name.endswith("html") else {}))
    assert (result.games["tables"].tolist(), result.awards["masterpoints"].tolist()) == ([tables], masterpoints)
    assert "'???' is nobody: this row is passed over" in [remark.what for remark in result.remarks]


@pytest.mark.parametrize(
    ("format", "kind"),
    [
        *((format, "pairs") for format in ("json", "usebio", "pbn", "bridgewebs", "jannersten", "text")),
        ("json", "team-of-two"),
    ],
)
def test_a_pair_that_is_called_nobody_leaves_half_a_table_in_every_format_written(format: str, kind: str) -> None:
    result = process(Source("monday.csv", "\n".join(TWELVE).encode()), **OPEN, event_type=kind, tables="A=6")
    assert result.games["tables"].tolist() == ["A=6"]
    data = named("writers", format).write(result).replace(b"Quixote", b"???").replace(b"Sancho", b"???")
    again = read(Source("monday", data))
    assert (again.games["tables"].tolist(), len(again.contestants)) == (["A=5.5"], 11)
    assert "'???' is nobody: this row is passed over" in [remark.what for remark in again.remarks]


@pytest.mark.parametrize("texts", [["(Bye)"], ["Phantom", "Pair"], ["the phantom pair"], ["Fantôme & Fantôme"], ["??"]])
def test_words_of_nobody_may_be_written_in_many_ways(texts: list[str]) -> None:
    assert nobody_in(texts)


@pytest.mark.parametrize("texts", [["Amy Bye", "Bob Bye"], ["Vacanti"], ["Phantom Jones"], ["Bye - Smith"], [], ["-"]])
def test_who_has_a_name_is_somebody(texts: list[str]) -> None:
    assert not nobody_in(texts)


def test_a_guest_is_somebody_whom_a_name_does_not_tell_from_others() -> None:
    assert not nobody_in(["Guest"])
    assert [*map(is_in_particular, ("Guest", "TBA", "Bye", "Ann Ash"))] == [False, False, False, True]


BETWEEN = [" - ", "/", " / ", " & ", "&", " + ", ";", " | ", " and ", " et ", "–", " — ", "  ", "\n", "\t"]


@pytest.mark.parametrize("between", BETWEEN)
def test_two_names_in_a_cell_are_read_alike_alone_and_in_a_column(between: str) -> None:
    pairs = [["Ann Ash", "Bob Birch"], ["Cy Cedar", "Di Dale"]]
    texts = [between.join(pair) for pair in pairs]
    assert split_players(texts) == [*map(names_in, texts)] == pairs


@real
def test_names_in_a_pbn_file_are_parted_as_elsewhere() -> None:
    players = process(SAMPLES / "twins" / "endash.pbn", rating="club-open", boards=24).contestants
    assert players[["player1", "player2"]].iloc[0].tolist() == ["Lukasz Nowak", "Bob Birch"]


def test_players_are_sorted_by_surname_whatever_signs_it_has() -> None:
    names = ["Zoe Adams", "Jan van Berg", "Éva Csuk", "Ann D'Arcy", "Dakin, Bob", "Ida Łoś", "Tom Müller-Lüdenscheidt"]
    assert sorted(names, key=by_surname) == [*names[:3], "Dakin, Bob", "Ann D'Arcy", *names[5:]]


BROTHERS = sorted(path.name.replace("_own.", "_{}.") for path in (SAMPLES / "twins").glob("*_own.csv"))


def outcome(name: str) -> object:
    """Return the contestants and awards of a game, or what is said of one that is refused."""
    try:
        result = process(SAMPLES / "twins" / name)
    except InputError as error:
        return [problem.what for problem in error.problems]
    told = result.contestants.drop(columns=["game_id", "where"]).astype("str").to_dict("records")
    return told, result.awards["masterpoints"].tolist(), [each.what for each in result.remarks]


@real
@pytest.mark.parametrize("name", [name for name in BROTHERS if (SAMPLES / "twins" / name.format("other")).exists()])
def test_a_list_is_read_alike_with_one_heading_in_other_words(name: str) -> None:
    assert outcome(name.format("own")) == outcome(name.format("other"))


@real
def test_the_games_of_a_list_are_told_apart_whatever_its_scores_look_like() -> None:
    """As one event the fractions would be paid, by the tables of both sections: no game of theirs has these."""
    games = [process(SAMPLES / "twins" / f"games2{kind}_t.csv", tables=3) for kind in ("", "_fraction")]
    assert [each.games["game_id"].tolist() for each in games] == [["mon", "tue"]] * 2
    assert games[0].awards["masterpoints"].tolist() == games[1].awards["masterpoints"].tolist()
    with pytest.raises(InputError, match="game mon: tables declares section B, and nobody is listed there"):
        process(SAMPLES / "twins" / "games2_fraction_t.csv")


@pytest.mark.parametrize("heading", ["Percentage", "Final %", "Prozent"])
def test_a_score_that_cannot_be_read_is_told_whatever_words_head_it(heading: str) -> None:
    rows = ["1,Ann Ash - Bob Birch,62.5", "2,Cy Cedar - Di Dale,45R", "3,Ed Elm - Flo Fir,42.5"]
    with pytest.raises(InputError, match="line 3, column 3: invalid number: '45R'"):
        process("\n".join([f"Pair,Names,{heading}", *rows]).encode(), **OPEN)


@real
@pytest.mark.parametrize("name", ["a", "c", "d"])
def test_a_list_of_members_has_no_scores(name: str) -> None:
    """Their numbers are the only ones that no heading tells, and are no scores all the same."""
    with pytest.raises(InputError):
        process(SAMPLES / "twins" / "mem" / name / "list.csv", **OPEN)


DECLARED = """
import sys
import resultproc.model.columns as columns
home = columns.Column("home_club", "str", "The club that somebody comes from", heading="Home club", json="home_club")
columns.CONTESTANT_COLUMNS += (home,)
from resultproc import process
from resultproc.formats.read import read
from resultproc.model.plugins import named
result = process(sys.argv[1], rating="club-open", date="2012-04-18", boards=24, tables=1)
written = [named("writers", name).write(result) for name in ("csv", "text", "json", "xlsx", "usebio", "bridgewebs")]
for given in (*sys.argv[1:], *written):
    print(read(given).contestants["home_club"].tolist())
"""


def test_a_column_that_is_declared_is_known_on_every_path(tmp_path: Path) -> None:
    """And in what is written: PBN and Jannersten's files have no room for it, as their writers' docstrings say."""
    rows = [["1", "Ann Ash", "Bob Birch", "Riverside", "62.5"], ["2", "Cy Cole", "Di Dunn", "Lakeside", "37.5"]]
    heads = [["Pair", "Player 1", "Player 2", "Home club", score] for score in ("Percentage", "Final %")]
    paths = [
        str(saved(tmp_path / f"{n}.{ending}", data))
        for n, head in enumerate(heads)
        for ending, data in in_each_form([head, *rows]).items()
    ]
    done = subprocess.run([sys.executable, "-c", DECLARED, *paths], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(["Riverside", "Lakeside"])] * (len(paths) + 6)


# What is written so, and how each of two that differ in a heading or a sign is read: what it pays, or what it is asked.
TWINS = {
    "dir_own.csv dir_other.csv": ["0.20", "", "0.20", ""],  # N-Z and O-W, as Dutch clubs write them
    "pct3_own.csv pct3_other.csv": ["0.40", "0.28", "", ""],  # 54,167 is no percentage but 54.167
    "marks_own.csv marks_other.csv": ["0.40", "0.28", "", ""],
    "place_own.csv place_other.csv": ["0.40", "0.28", "", ""],
    "tie_own.csv tie_other.csv": ["0.34", "0.34", "", ""],
    "eligible_own.csv eligible_other.csv eligible_other.xlsx fraction_own.csv mixed_two.csv": [
        "",
        "0.30",
        "",
        "0.30",
        "",
        "",
    ],
    "swiss_score.csv swiss_vps.csv": ["", "0.14", "0.07", ""],
    "own.csv other.csv": ["0.30", "", "", "0.30", "", ""],  # of the strata that the holdings tell
    "nobody3_own.csv nobody3_other.csv ghost3_own.csv ghost3_other.csv et3_own.csv et3_other.csv": [
        "0.40",
        "0.28",
        "",
        "",
    ],
    "vacant_own.csv vacant_other.csv missing_own.csv missing_other.csv": ["0.40", "0.28", "", ""],
    "member_own.csv member_other.csv": ["0.40", "0.28", "", ""],
    "earlier.csv earlier_fraction.csv": "there is an earlier_award, but no session before",
    # Members by Name and Membership No, Vorname and Nachname, Nom and Licence.
    "mem/a/g.csv mem/b/g.csv mem/c/g.csv mem/d/g.csv mem/e/g.csv": ["0.40", "0.28", "", ""],
    "thousands_own.csv thousands_other.csv thousands.txt thousands_place.txt": "'1,042' may mean 1.042 or 1042",
}


@real
@pytest.mark.parametrize("names", TWINS)
def test_twins_are_read_alike(names: str) -> None:
    for name in names.split():
        undeclared = name.endswith(".txt") or "leagues" in name
        said = {"rating": "club-open", "date": "2012-04-18", "boards": "24"} if undeclared else {}
        path, expected = SAMPLES / "twins" / name, TWINS[names]
        if isinstance(expected, str):
            with pytest.raises(InputError, match=expected):
                process(path, **said)
            continue
        result = process(path, **said)
        assert [mp(each) if each else "" for each in result.awards["masterpoints"]] == expected, name
        assert not [remark for remark in result.remarks if "not read" in remark.what], name
