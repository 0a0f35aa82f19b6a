"""What is declared of a game: in which places, which of them goes before which, and what is refused there."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, saved
from workbooks import workbook

from resultproc.formats.read import read
from resultproc.model.errors import InputError

GAME = FIXTURES / "wed-open-pairs-2012-04-18.txt"

TABLE = "number,player1,percentage\n1,P,60\n2,Q,40\n"

Game = Callable[..., Path]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """Return the function that writes a sidecar and the CSV that it stands beside, and returns the latter's path."""

    def save(toml: str | bytes, csv: str = TABLE) -> Path:
        path = saved(tmp_path / "any.csv", csv)
        path.with_suffix(".toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
        return path

    return save


def declared(path: Path, **keys: object) -> dict[str, object]:
    """Return what is declared of a single game."""
    games = read(path, **keys).games.drop(columns=["game_id", "source"]).dropna(axis="columns")  # type: ignore[arg-type]
    return games.iloc[0].to_dict()


def refusal(path: Path, **keys: object) -> list[str]:
    """Return what is told of a file that is refused, a line for each problem."""
    with pytest.raises(InputError) as caught:
        read(path, **keys)  # type: ignore[arg-type]
    return str(caught.value).splitlines()


# Which goes before which.


def test_options_go_before_the_lines_of_a_csv_and_those_before_the_sidecar(game: Game) -> None:
    path = game("tables = 3\nboards = 20\nclub = 'T'", "# Tables: 4\n# Boards: 21\n" + TABLE)
    assert declared(path, tables="5") == {"tables": "5", "boards": 21, "club": "T"}
    assert declared(path) == {"tables": "4", "boards": 21, "club": "T"}
    assert declared(path, tables=None) == declared(path)


def test_options_go_before_the_sheet_game_and_that_before_the_sidecar(game: Game) -> None:
    sidecar = game("tables = 3\nboards = 20\nclub = 'T'").with_suffix(".toml")
    rows = [[int(cell) if cell.isdigit() else cell for cell in line.split(",")] for line in TABLE.splitlines()]
    path = saved(sidecar.with_suffix(".xlsx"), workbook(Sheet=rows, Game=[["tables", 4], ["boards", 21]]))
    assert declared(path, tables=5) == {"tables": "5", "boards": 21, "club": "T"}
    assert declared(path) == {"tables": "4", "boards": 21, "club": "T"}


def test_the_sidecar_goes_before_what_the_format_itself_says(tmp_path: Path) -> None:
    # The printed heading names the event and its session.
    path = saved(tmp_path / "any.txt", GAME.read_bytes())
    before = declared(path)
    path.with_suffix(".toml").write_text('event = "Another"', "utf-8")
    assert before["event"] == "Wed 1:00 Open Pairs"
    assert declared(path) == {**before, "event": "Another"}


@pytest.mark.parametrize(
    ("toml", "lines", "options", "tables"),
    [
        ("[games.any]\ntables = 4", "", {}, "4"),
        ("tables = 3\n[games.any]\ntables = 4", "", {}, "4"),
        ("tables = 3\n[games.'any']\ntables = 4", "# tables: 5\n", {}, "5"),
        ('tables = 3\n[games."any"]\ntables = 4', "# tables: 5\n# [games.any]\n# tables: 6\n", {}, "6"),
        ("", "# tables: 5\n# [games.any]\n# tables: 6\n", {"tables": 7}, "7"),
    ],
)
def test_what_is_declared_of_a_single_game_goes_before_what_is_of_all(
    game: Game, toml: str, lines: str, options: dict[str, object], tables: str
) -> None:
    assert declared(game(toml, lines + TABLE), **options)["tables"] == tables


def test_what_is_declared_of_a_single_game_holds_for_that_alone(game: Game) -> None:
    csv = "game_id,number,player1,score\nx y,1,P,5\nz,1,Q,5\n"
    games = read(game('tables = 3\n[games."x y"]\ntables = 4\n', csv)).games
    assert games.set_index("game_id")["tables"].to_dict() == {"x y": "4", "z": "3"}


# What values there are.


@pytest.mark.parametrize(
    ("toml", "key", "value"),
    [
        ("date = 2012-04-18", "date", pd.Timestamp(2012, 4, 18)),
        ("date = 2012-04-18T13:00:00", "date", pd.Timestamp(2012, 4, 18)),
        ('date = "2012-04-18"', "date", pd.Timestamp(2012, 4, 18)),
        ("tables = 7.5", "tables", "7.5"),
        ("tables = 9.0", "tables", "9"),
        ("tables = {A = 9, B = 7.5}", "tables", "A=9, B=7.5"),
        ('tables = "b=7.5; a=9"', "tables", "B=7.5, A=9"),
        ('movement = "A=Mitchell, B=HOWELL"', "movement", "A=mitchell, B=howell"),
        ('[strata]\nA = "open"\nB = 1000\nC = 200', "strata", "A=open, B=1000, C=200"),
        ('strata = ["A=open", "B=1000"]', "strata", "A=open, B=1000"),
        ('strata = "A=none, B=1500"', "strata", "A=open, B=1500"),
        ('limit = "open"', "limit", float("inf")),
        ("limit = 1500.5", "limit", 1500.5),
        ('restrictions = ["senior", "mixed"]', "restrictions", "mixed, senior"),
        ('special = "Charity; Handicap"', "special", "charity, handicap"),
        ('rating = " Club-Open "', "rating", "club-open"),
        ("sessions = 2", "sessions", 2),
        ('club = "Zo\u00eb\'s = # [x]"', "club", "Zo\u00eb's = # [x]"),
    ],
)
def test_values_are_held_in_one_spelling(game: Game, toml: str, key: str, value: object) -> None:
    assert declared(game(toml)) == {key: value}


def test_a_byte_order_mark_is_none_of_the_first_key(game: Game) -> None:
    assert declared(game(b"\xef\xbb\xbftables = 9")) == {"tables": "9"}


def test_a_folder_beside_a_game_is_no_sidecar(game: Game) -> None:
    path = game("")
    path.with_suffix(".toml").unlink()
    path.with_suffix(".toml").mkdir()
    assert declared(path) == {}


# What is refused: the file, the line, what is wrong and what would be right.

TABLES = "line 1: tables: invalid number of tables:"
REFUSED = {
    "unknown key": ('club = "C"\ntabels = 9', "line 2: unknown key 'tabels' (did you mean 'tables'?)"),
    "unknown odd key": ('"odd key" = 9', "key odd key: unknown key 'odd key' (known: boards, bracket, "),
    "unknown table": ("[table]\nA = 9", "line 1: unknown key 'table' (did you mean 'tables'?)"),
    "unknown class": ('rating = "club-opn"', "line 1: rating: unknown value 'club-opn'; did you mean 'club-open'?"),
    "no number": ('tables = "many"', f"{TABLES} 'many'; write a number such as 9 or 7.5"),
    "a third of a table": ("tables = 7.3", f"{TABLES} 7.3; write whole or half tables, such as"),
    "no tables": ("tables = 0", f"{TABLES} 0; write whole or half tables"),
    "fewer": ("tables = -9", f"{TABLES} -9; write whole or half tables"),
    "absurd": ("tables = 1e9999999999", f"{TABLES} 1E+9999999999; write whole or half tables"),
    "not a number": ("tables = nan", f"{TABLES} NaN; write whole or half tables"),
    "yes": ("boards = true", "line 1: boards: invalid count: 'True'; write a whole number, 1 or more"),
    "none": ("boards = 0", "line 1: boards: invalid count: '0'; write a whole number, 1 or more"),
    "half": ("sessions = 1.5", "line 1: sessions: invalid count: '1.5'; write a whole number, 1 or more"),
    "infinite": ("limit = inf", "line 1: limit: masterpoint limit out of range: Infinity; write a number above 0, or"),
    "no date": ('date = "18 Smarch 2012"', "line 1: date: invalid date: '18 Smarch 2012'; write it as 2012-04-18"),
    "no such date": ('date = "2012-02-30"', "line 1: date: invalid date: '2012-02-30'; write it as 2012-04-18"),
    "a time": ("date = 13:00:00", "line 1: date: invalid date: '13:00:00'; write it as 2012-04-18"),
    "no value": ('club = " "', "line 1: club: it has no value; write for example Example Bridge Club"),
    "rising strata": ('strata = "A=200, B=open"', "line 1: strata: the limits in 'A=200, B=open' are not in fa"),
    "stratum without limit": ('strata = "A=open, B="', "line 1: strata: invalid masterpoint limit: ''; write 'open'"),
    "limit without stratum": ('strata = "1000"', "line 1: strata: missing letter in '1000'; write one for each limi"),
    "stratum twice": ('strata = "A=open, A=200"', "line 1: strata: repeated letter in 'A=open, A=200'; write each"),
    "comma of thousands": ('strata = "A=open, B=1,000"', "line 1: strata: comma within a number in 'A=open, B=1,000'"),
    "nested": ("tables = {A = {B = 9}}", TABLES + " '{'B': 9}'; write a number such as"),
    "cut off": ("tables = ", "end of document: this TOML cannot be read: Invalid value"),
    "key twice": ("tables = 9\ntables = 9\n", "line 2, column 11: this TOML cannot be read: Cannot overwrite a value"),
    "too deep": (f"tables = {'[' * 9999}{']' * 9999}", "line 1: this line has 20007 characters (1000 are the most)"),
    "too long": (f"tables = {'9' * 9999}", "line 1: this line has 10008 characters (1000 are the most)"),
    "deep": (f"tables = {'[' * 490}{']' * 490}", "this TOML cannot be read: "),
    "no TOML": ("# tables: 9\ntables: 9", "line 2, column 7: this TOML cannot be read: Expected"),
    "Windows-1252": ('club = "Zo\u00eb"'.encode("cp1252"), "this TOML is not in UTF-8"),
    "junk": (bytes(range(256)), "this TOML is not in UTF-8"),
    "games of no game": ("games = 3", "line 1: 'games' is not a table of games (write [games.ID] above its keys)"),
    "a key": ("\n[games]\ntables = 3", "line 2: 'games' is not a table of games (write [games.ID] above its ke"),
    "no such game": ("[games.other]\ntables = 9", "line 2: unknown game 'other' in the file (known: any)"),
    "the game's value": ('rating = "stac"\n[ games . any ]\nrating = "x"', "line 3: rating: unknown value 'x'"),
    "the game's key": ('tables = 9\n[games."any"] # it\ntabels = 9', "line 3: unknown key 'tabels' (did you mean 'tab"),
    "after odd line ends": ('club = "a\u2028b"\r\ntables = "x"', "line 2: tables: invalid number of tables: 'x'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(game: Game, name: str) -> None:
    toml, told = REFUSED[name]
    assert [line for line in refusal(game(toml)) if not line.startswith(f"any.toml: {told}")] == []


def test_every_mistake_is_told_at_once(game: Game) -> None:
    told = refusal(game('tabels = 9\n\nrating = "x"\n[games.other]\nboards = 0\n'))
    assert [line.split(": ")[:2] for line in told] == [["any.toml", "line 1"], ["any.toml", "line 3"]]
    told = refusal(game("[games.any]\nboards = 0\n[games.other]\ntabels = 0\n"))
    assert [line.split(": ")[:2] for line in told] == [["any.toml", "line 2"], *[["any.toml", "line 4"]] * 2]


def test_options_are_named_as_they_are_typed(game: Game) -> None:
    assert refusal(game(""), event_type="pair", tabels=9) == [
        "options: event_type: unknown value 'pair'; did you mean 'pairs'?",
        "options: unknown key 'tabels' (did you mean 'tables'?)",
    ]


def test_the_sheet_beside_a_sidecar_is_refused_by_its_own_name(game: Game) -> None:
    assert refusal(game("tables = 9", TABLE + "3,R,x\n"))[0].startswith("any.csv: line 4, column 3: ")
