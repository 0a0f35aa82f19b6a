"""What is shown of how a file was read: each column and title, what it was taken for, and why."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES, run, saved
from workbooks import workbook

PAIRS = [("Ann Ash", "Bob Birch", 60.0), ("Cy Cedar", "Di Dale", 54.0), ("Ed Elm", "Flo Fir", 46.0)]
PAIRS.append(("Gus Gum", "Hal Hazel", 40.0))
"""Four pairs with their percentages, which average 50."""


def understood(*files: str | Path) -> list[dict[str, Any]]:
    done = run("lint", "--understood", *map(str, files), "--to", "json")
    found: list[dict[str, Any]] = json.loads(done.out)["understood"]
    return found


def of_list(folder: Path, text: str, name: str = "list.txt") -> dict[str, Any]:
    (folder / name).write_text(text, "utf-8")
    (found,) = understood(folder / name)
    return found


def meanings(read: dict[str, Any]) -> dict[str, tuple[str | None, str]]:
    (only,) = read["lists"]
    return {column["heading"]: (column["meaning"], column["why"]) for column in only["columns"]}


HEADED = "Monday Pairs 11 May 2026\n\n Pl  Names                   Score      %  Zyx\n" + "".join(
    f"{n:>3}  {f'{a} & {b}':<22} {p * 1.44:6.2f}  {p:.2f}    {n % 2}\n" for n, (a, b, p) in enumerate(PAIRS, 1)
)


def test_each_column_of_a_list_has_what_it_was_taken_for_and_why(tmp_path: Path) -> None:
    found = of_list(tmp_path, HEADED)
    assert found["format"] == "a list of results"
    assert found["lists"][0]["where"] == "line 3"
    assert meanings(found) == {
        "Pl": ("place", "by its heading"),
        "Names": ("names of all players", "by its heading"),
        "Score": ("score", "its numbers are in one ratio with the percentages"),
        "%": ("percentage", "by its heading, and it holds numbers that average 50.00"),
        "Zyx": (None, "its heading is the name of no column"),
    }


def test_a_list_without_headings_says_what_is_in_its_columns(tmp_path: Path) -> None:
    lines = "".join(f"{n}\t{a}\t{b}\t{p:.2f}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    (only,) = of_list(tmp_path, lines)["lists"]
    assert [(each["heading"], each["meaning"], each["why"]) for each in only["columns"]] == [
        ("", "place", "it holds numbers before the names that rise from 1"),
        ("", "name of a player", "it holds names"),
        ("", "name of a player", "it holds names"),
        ("", "percentage", "it holds numbers that average 50.00"),
    ]


def test_titles_say_where_they_tell_what_and_the_ends_of_each_field_are_shown(tmp_path: Path) -> None:
    text = HEADED.replace("\n\n", ", 24 boards\n\nNorth-South\n", 1)
    found = of_list(tmp_path, f"{text}\nEast-West\n{text.partition('South')[2].lstrip()}".replace("Ann", "Al", 1))
    expected = {"date": ("2026-05-11", "line 1"), "event": ("Monday Pairs", "line 1"), "boards": ("24", "line 1")}
    assert {each["key"]: (each["value"], each["where"]) for each in found["told"][:3]} == expected
    expected = [("N-S", "line 3", "North-South"), ("E-W", "line 10", "East-West")]
    assert [(each["value"], each["where"], each["text"]) for each in found["told"][3:]] == expected
    first, second = found["contestants"]
    assert (first["direction"], second["direction"], first["count"], second["count"]) == ("N-S", "E-W", 4, 4)
    expected = {"where": "line 5", "number": "1", "players": ["Al Ash", "Bob Birch"], "score": 86.4, "percentage": 60.0}
    assert first["first"] == expected
    assert second["last"]["players"] == ["Gus Gum", "Hal Hazel"]


def test_columns_of_csv_and_workbooks_are_taken_by_their_headings_and_sheets_tell_directions(tmp_path: Path) -> None:
    sheets = {
        side: [
            ["Pair", "Player 1", "Player 2", "MP 1", "Pct", "Extra"],
            *([n, f"{a} {side}", f"{b} {side}", 10 * n, p, "x"] for n, (a, b, p) in enumerate(PAIRS, 1)),
        ]
        for side in ("N-S", "E-W")
    }
    (found,) = understood(saved(tmp_path / "book.xlsx", workbook(**sheets)))
    assert found["format"] == "Excel"
    assert [each["where"] for each in found["lists"]] == ["sheet 'N-S', row 1", "sheet 'E-W', row 1"]
    assert [(each["heading"], each["meaning"], each["why"]) for each in found["lists"][1]["columns"]] == [
        ("Pair", "number", "by its heading"),
        ("Player 1", "player 1", "by its heading"),
        ("Player 2", "player 2", "by its heading"),
        ("MP 1", "holding of player 1", "by its heading"),
        ("Pct", "percentage", "by its heading"),
        ("Extra", None, "its heading is the name of no column"),
    ]
    assert found["told"] == [
        {"key": "direction", "value": side, "where": f"sheet '{side}'", "text": side} for side in ("N-S", "E-W")
    ]


def test_what_a_csv_file_declares_goes_before_what_its_title_tells(tmp_path: Path) -> None:
    text = "Monday Pairs 11 May 2026\n# date: 2026-05-12\nnumber,player1,player2,pct\n"
    text += "".join(f"{n},{a},{b},{p}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    told = of_list(tmp_path, text, "list.csv")["told"]
    expected = [("date", "2026-05-12", "line 2"), ("event", "Monday Pairs", "line 1")]
    assert [(each["key"], each["value"], each["where"]) for each in told] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("usebio-example.xml", "USEBIO XML"),
        ("made-howell.ACM", "ACBLscore game file"),
        ("made-charity.json", "results site JSON"),
    ],
)
def test_of_a_programs_own_format_the_name_is_shown_and_no_columns(name: str, format: str) -> None:
    (found,) = understood(FIXTURES / name)
    assert (found["format"], found["lists"]) == (format, [])
    assert found["contestants"]
    assert (
        f"{name}: {format}; the columns are those of the format\n"
        in run("lint", "--understood", str(FIXTURES / name)).out
    )


def test_people_see_the_same_and_nothing_of_it_unless_they_ask(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(HEADED, "utf-8")
    shown = run("lint", "--understood", str(tmp_path / "list.txt")).out
    assert "  Zyx     not read              its heading is the name of no column\n" in shown
    assert "  first  line 4        1       Ann Ash - Bob Birch  86.40  60.00\n" in shown
    plain = run("lint", str(tmp_path / "list.txt")).out
    assert "taken for" not in plain
    assert shown.endswith(plain)


def test_a_row_of_sums_keeps_no_columns_and_names_from_being_told_apart(tmp_path: Path) -> None:
    lines = ["Rank  No  Members                  %"]
    lines += [f"   {n}   {5 - n}  {f'{a}, {b}':<20} {p:.2f}" for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = of_list(tmp_path, "\n".join([*lines, "      Average              50.00"]))
    assert list(meanings(found)) == ["Rank", "No", "Members", "%"]
    assert found["contestants"][0]["first"]["players"] == ["Ann Ash", "Bob Birch"]
