"""Teams of five or six: overall awards by the part of the event that each player played."""

import json
import re
from pathlib import Path

import pytest
from conftest import FIXTURES, run, saved

from resultproc.model.errors import InputError
from resultproc.model.plugins import named
from resultproc.reports.differences import differences
from resultproc.stages.pipeline import process

KEYS = {"rating": "regional", "date": "2005-05-05", "event_type": "swiss", "tables": "8", "sessions": "2"}
PARTS = "100,100,75,50,50,25"
HEADER = (
    "number,score," + ",".join(f"player{n}" for n in range(1, 7)) + "," + ",".join(f"played{n}" for n in range(1, 7))
)


def sheet(folder: Path, parts: str = PARTS, *, header: str = HEADER, **keys: str) -> Path:
    """Write a Swiss of eight teams, the first of six players, who played these parts of it."""
    path = folder / "swiss.csv"
    lines = [f"# {name}: {value}" for name, value in {**KEYS, **keys}.items()]
    rows = [f"1,160,Ann,Bob,Cat,Dan,Eve,Fay,{parts}"]
    rows += [f"{n},{160 - n},P{n},Q{n},R{n},S{n},,,,,,,," for n in range(2, 9)]
    return saved(path, "\n".join([*lines, header, *rows]) + "\n")


def by_player(result) -> list[str]:
    return [f"{award / 100:.2f}" for award in result.player_awards["masterpoints"]]


@pytest.mark.slow
def test_in_three_sessions_all_get_the_whole_award(tmp_path):
    result = process(sheet(tmp_path, sessions="3"))
    assert result.awards["masterpoints"].iloc[0] == 840  # S 2: 28 x .3
    assert by_player(result) == []
    assert not differences(result).size
    process(sheet(tmp_path, ",,,,,", sessions="3"))


def test_who_played_nothing_gets_nothing(tmp_path):
    header = HEADER.replace("number,score,", "number,score,wins,")
    path = sheet(tmp_path, "100,100,100,100,0,0", sessions="1", boards="7")
    text = path.read_text("utf-8").replace(HEADER, header).replace("1,160,", "1,160,6,")
    path.write_text("\n".join(re.sub(r"^([2-8],1\d\d),", r"\1,3,", line) for line in text.splitlines()), "utf-8")
    # 14 x 18/60 for each; six matches of 7 boards: 6 x 1.25 x 7/24 = 2.1875, each 0.36.
    assert by_player(process(path)) == ["4.20"] * 4 + ["0.00", "0.00"]


@pytest.mark.slow
def test_overall_awards_of_a_consolation_take_half_its_matches(tmp_path):
    parts = "100,100,80,50,49,21"
    # M at most .65: 14 x 1.5 x .65 x 18/60 = 4.095, of which each gets the part that it played.
    expected = [*("4.10", "4.10", "3.28", "2.05"), *("0.00", "0.00")]
    assert by_player(process(sheet(tmp_path, parts, special="consolation"))) == expected
    # 14 x 1.5 x 18/60 = 6.30, for whatever part.
    assert by_player(process(sheet(tmp_path, parts)))[3:] == ["3.15", "3.09", "1.32"]


def test_every_team_of_more_than_four_says_what_its_players_played(tmp_path):
    with pytest.raises(InputError, match=r"line 7: team A 1 has 6 players, but what part of the event .* is missing"):
        process(sheet(tmp_path, ",,,,,"))
    with pytest.raises(InputError, match=r"team A 1 has 6 players"):
        process(sheet(tmp_path, "100,100,100,50,50,"))
    with pytest.raises(InputError, match=r"the parts that the players of team A 1 played add up to 380%, not 400%"):
        process(sheet(tmp_path, "100,100,75,50,50,5"))
    with pytest.raises(InputError, match=r"part of the event out of range: 101"):
        process(sheet(tmp_path, "101,100,75,50,50,25"))
    club = {"rulebook": "acbl-club", "rating": "club-open", "event_type": "bam", "sessions": "1"}
    process(sheet(tmp_path, ",,,,,", **club))  # where nothing is shared


@pytest.mark.slow
def test_games_beside_it_change_nothing(tmp_path):
    own = saved(tmp_path / "own.toml", 'extends = "abf-session"\n[teams.reading]\nvalue = "session"\n')
    keys = {"rating": "grade-e", "tables": 4, "event_type": "bam", "date": "2026-03-09", "rulebook": own}
    fives = [f"{n},{70 - n}," + ",".join(f"{of}{n}" for of in ("Gus", "Hal", "Ida", "Jim", "Kay")) for n in range(1, 5)]
    lines = [f"# {name}: {value}" for name, value in keys.items()]
    header = "number,score," + ",".join(f"player{n}" for n in range(1, 6))
    by_size = saved(tmp_path / "fives.csv", "\n".join([*lines, header, *fives]) + "\n")
    club = FIXTURES / "wed-open-pairs-2012-04-18.csv"
    # .04 x 4 x 1.5 and .17, of which each of five gets 4/5.
    fifths = [*["0.19"] * 5, *["0.14"] * 5, *["0.00"] * 10]
    assert by_player(process(sheet(tmp_path), club, by_size)) == [*by_player(process(sheet(tmp_path))), *fifths]


@pytest.mark.slow
@pytest.mark.parametrize("format", ["csv", "xlsx", "json"])
def test_it_is_on_the_sheet_and_reads_back(tmp_path, format):
    result = process(sheet(tmp_path))
    path = saved(tmp_path / f"out.{format}", named("writers", format).write(result))
    again = process(path)
    assert by_player(again) == by_player(result)
    if format != "json":
        printed = [again.contestants[f"printed_share{n}"].iloc[0] for n in range(1, 7)]
        assert printed == result.player_awards["masterpoints"].tolist()


@pytest.mark.slow
def test_json_and_explain_say_it(tmp_path):
    path = sheet(tmp_path)
    content = json.loads(named("writers", "json").write(process(path)))
    player = content["games"][0]["contestants"][0]["players"][2]
    assert player == {"name": "Cat", "played": 75.0, "masterpoints": "4.73", "colours": {"gold": "4.73"}}
    said = run("explain", path, "A-1").out
    assert "  Cat, who played 75%: 4.73 (4.73 gold)" in said
    (found,) = [
        each for each in json.loads(run("explain", path, "A-1", "--to", "json").out)[
            "contestant"
        ]["players"] if each["name"] == "Fay"
    ]  # fmt: skip
    assert found["masterpoints"] == "1.58"
