"""A club's settings: found beside the games or named, and whatever is said closer to the game wins."""

from pathlib import Path

import pandas as pd
import pytest
from conftest import run, saved

from resultproc.formats.read import read
from resultproc.model.errors import DeclarationError

CLUB = """
club = "Riverside"
rating = "club-open"
tables = 4
boards = 24

[weekday.wednesday]
rating = "club-invitational"
boards = 27

[event."Friday Pairs"]
boards = 18
tables = 5
"""


def game(folder: Path, *lines: str) -> Path:
    path = folder / "game.csv"
    rows = [f"{n},P{n},Q{n},{60 - 5 * n}" for n in range(1, 4)]
    return saved(path, "\n".join([*(f"# {line}" for line in lines), "number,player1,player2,percentage", *rows, ""]))


def declared(path: Path, **keys: object) -> list[object]:
    row = read(path, **keys).games.iloc[0]
    return [row["club"], row["rating"], row["tables"], row["boards"]]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((), ["Riverside", "club-open", "4", 24]),
        (("date: 2026-05-13",), ["Riverside", "club-invitational", "4", 27]),  # a Wednesday
        (("date: 2026-05-14",), ["Riverside", "club-open", "4", 24]),
        (("event: friday pairs", "date: 2026-05-13"), ["Riverside", "club-invitational", "5", 18]),
        (("rating: club-newcomer", "boards: 20", "date: 2026-05-13"), ["Riverside", "club-newcomer", "4", 20]),
    ],
)
def test_what_is_closer_to_the_game_wins(tmp_path: Path, lines: tuple[str, ...], found: list[object]) -> None:
    (tmp_path / "resultproc.toml").write_text(CLUB, "utf-8")
    assert declared(game(tmp_path, *lines)) == found


def test_boards_of_a_session_are_none_of_a_match(tmp_path: Path) -> None:
    """A Swiss of matches of seven boards was paid for matches of 24, as the club's sessions have."""
    settings = saved(tmp_path / "resultproc.toml", CLUB)
    swiss = game(tmp_path, "event_type: swiss")
    assert pd.isna(read(swiss).games["boards"].iloc[0])
    assert read(game(tmp_path, "event_type: swiss", "event: Friday Pairs")).games["boards"].iloc[0] == 18
    saved(settings, f'event_type = "pairs"\n{CLUB}')
    assert pd.isna(read(game(tmp_path, "event_type: swiss")).games["boards"].iloc[0])
    saved(settings, 'event_type = "swiss"\nboards = 7\n')
    assert read(swiss).games["boards"].iloc[0] == 7


def test_the_sidecar_and_options_win(tmp_path: Path) -> None:
    (tmp_path / "resultproc.toml").write_text(CLUB, "utf-8")
    path = game(tmp_path)
    path.with_suffix(".toml").write_text("boards = 21\n", "utf-8")
    assert declared(path, tables=6) == ["Riverside", "club-open", "6", 21]


def test_a_file_of_settings_that_is_named_takes_the_place_of_the_one_beside(tmp_path: Path) -> None:
    (tmp_path / "resultproc.toml").write_text('club = "Other"\nboards = 12\n', "utf-8")
    (tmp_path / "club.toml").write_text(CLUB, "utf-8")
    assert declared(game(tmp_path), settings=tmp_path / "club.toml") == ["Riverside", "club-open", "4", 24]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ratng = 'club-open'\n", "resultproc.toml: line 1: unknown key 'ratng' (did you mean 'rating'?)"),
        ("[site.folder]\nfoldr = 'x'\n", "resultproc.toml: line 2: unknown key 'foldr' (did you mean 'folder'?)"),
        ("[weekday.wensday]\nboards = 2\n", "resultproc.toml: unknown weekday 'wensday' (did you mean 'wednesday'?)"),
        (
            "[weekday]\nboards = 2\n",
            "resultproc.toml: 'weekday' has keys of no weekday (write [weekday.monday] above them)",
        ),
        ("[weekday.monday]\n\ntables = 'many'\n", "resultproc.toml: line 3: tables: invalid number of tables"),
        ("boards = \n", "resultproc.toml: line 1, column 10: this TOML cannot be read: Invalid value"),
    ],
)
def test_what_is_wrong_in_settings_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "resultproc.toml").write_text(text, "utf-8")
    with pytest.raises(DeclarationError) as error:
        read(game(tmp_path))
    assert str(error.value).startswith(said)


@pytest.mark.slow
def test_a_batch_does_again_what_changed_settings_change(tmp_path: Path) -> None:
    path = game(tmp_path, "date: 2012-05-13", "strata: A=open")
    settings = saved(tmp_path / "club.toml", 'rating = "club-open"\ntables = 1.5\n')
    said = []
    for tables in ("1.5", "1.5", "2"):
        settings.write_text(f'rating = "club-open"\ntables = {tables}\n', "utf-8")
        done = run("batch", path, "-o", tmp_path / "out", "--settings", settings)
        assert done.status == 0
        said.append(done.err.splitlines()[-1])
    assert ["1 file with 1 game" in line for line in said] == [True, False, True]
