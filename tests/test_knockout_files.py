"""Knockouts from file to file: what a director writes, what comes out, and that it reads back."""

import json
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, run, saved
from jsonschema import Draft202012Validator

from resultproc.formats.read import read
from resultproc.formats.write import write
from resultproc.model.errors import InputError
from resultproc.stages.pipeline import process

EXAMPLE = FIXTURES / "knockout-example.csv"


def awards(text: str) -> dict[str, str]:
    (game,) = json.loads(text)["games"]
    told = {}
    for team in game["contestants"]:
        if team["paid_by"]:
            split = " + ".join(f"{amount} {colour}" for colour, amount in team["colours"].items())
            told[f"{team['section']}-{team['number']}"] = f"{team['paid_by']['basis']} {split}"
    return told


@pytest.mark.slow
def test_the_example_end_to_end():
    """Three brackets of 16, 9 and 8 teams at a regional, 24 boards a match: K 46, D 1.25, L 1."""
    text = run("award", EXAMPLE, "--to", "json").printed
    schema = json.loads(files("resultproc.formats.json").joinpath("result.schema.json").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(json.loads(text))) == []
    assert awards(text) == {
        # 16 + 16/2 + 1/3 = 24.3333 tables, 34.3333/60 x 46 = 26.3222; 75%, and 50% for 3rd and 4th, all gold.
        "1-2": "overall 26.32 gold",
        "1-1": "overall 19.74 gold",
        **dict.fromkeys(("1-12", "1-14"), "overall 13.16 gold"),
        **dict.fromkeys(("1-4", "1-6", "1-7", "1-8"), "matches 1.25 red"),
        # The bracket above counted 17 teams at 1/2 and 1/3: 9 + (17 - 9)/3 = 11.6667 tables, 21.6667/60 x 46 = 16.6111.
        # The top team averages (431 + 554 + 676 + 799) / 4 = 615: two thirds are gold.
        "2-7": "overall 5.54 red + 11.07 gold",
        "2-1": "overall 4.15 red + 8.31 gold",
        # Third alone, the first two of three teams went on: 55%, 9.1361.
        "2-3": "overall 3.05 red + 6.09 gold",
        # A half match each in the first round, where three met.
        **dict.fromkeys(("2-4", "2-5", "2-9"), "matches 0.63 red"),
        # 8 tables, 13.80; the top team averages 237: a third is gold.
        "3-1": "overall 9.20 red + 4.60 gold",
        "3-3": "overall 6.90 red + 3.45 gold",
        # It won the play-off for 3rd: 22.5% of 13.80 = 3.105.
        "3-5": "overall 2.07 red + 1.04 gold",
        "3-2": "matches 1.25 red",
    }


@pytest.mark.slow
def test_the_example_explained():
    text = " ".join(run("explain", EXAMPLE, "1-12").printed.split())
    assert "13.16 masterpoints (13.16 gold) from overall, stratum A, 3rd to 4th, 2 tied, of 16" in text
    assert "first 26.32 (B 0.5722 (16 + 16/2 + 1/3 = 24.33 tables) x K 46); 4 places pay" in text
    assert "2 matches won x 1.25 (D 1.25)" in text
    lost = " ".join(run("explain", EXAMPLE, "1-8").printed.split())
    assert "nothing to a team that won fewer than 2 matches and did not go on 2 rounds" in lost


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
def test_awarded_sheets_read_back(tmp_path: Path, ending: str):
    result = process(EXAMPLE)
    path = tmp_path / f"knockout-example.{ending}"
    write(result, path)
    again = process(path)
    columns = [name for name in result.contestants if name.startswith("round")]
    for name in (*columns, "playoff", "section", "number", "mp4"):
        pd.testing.assert_series_equal(again.contestants[name], result.contestants[name])
    pd.testing.assert_series_equal(again.awards["masterpoints"], result.awards["masterpoints"])


@pytest.mark.slow
def test_a_sheet_names_what_pays(tmp_path: Path):
    path = tmp_path / "awarded.csv"
    write(process(EXAMPLE), path)
    teams = read(path).contestants.set_index(["section", "number"])
    assert teams.loc[("1", "12"), ["printed_overall", "printed_paid_by"]].tolist() == ["A=3/4", "OA"]
    assert teams.loc[("1", "8"), "printed_paid_by"] == "MA"
    # 33 teams, and the places of four, three and three.
    assert run("check", path).printed == "awarded.csv: 43 of 43 ranks and awards agree\n"


HEADER = "# date: 2005-05-20\n# rating: regional\n# event_type: knockout\n# sessions: 2\n# boards: 24\n# limit: 5000\n"


def game_file(folder: Path, rows: str) -> Path:
    return saved(folder / "teams.csv", HEADER + rows)


def test_the_cells_of_rounds_have_one_spelling(tmp_path: Path):
    rows = 'Bracket,Seed,Player 1,Round 1,Rd 2,Play-off\n1,1,Ann,w5 L7,Bye,\n1,2,Bob,"W 05, l 7",f 1,w3\n'
    contestants = read(game_file(tmp_path, rows)).contestants
    assert contestants["section"].tolist() == ["1", "1"]
    assert contestants["round1"].tolist() == ["W 5 L 7", "W 5 L 7"]
    assert contestants["round2"].tolist() == ["bye", "F 1"]
    assert contestants["playoff"].tolist()[1] == "W 3"


@pytest.mark.parametrize("cell", ["W", "5", "X 5", "W 5 L", "won against 5", "W 5 bye"])
def test_cells_that_are_no_matches_are_refused(tmp_path: Path, cell: str):
    with pytest.raises(InputError, match=f"line 8, column 3: invalid match: '{cell}'; write W 5 for a win"):
        read(game_file(tmp_path, f"number,player1,round1\n1,Ann,{cell}\n"))


def test_matches_that_contradict_each_other_name_their_lines(tmp_path: Path):
    rows = "number,player1,mp1,round1\n1,Ann,400,W 2\n2,Bob,300,W 1\n"
    with pytest.raises(InputError) as caught:
        process(game_file(tmp_path, rows))
    told = [str(problem) for problem in caught.value.problems]
    contradiction = "this team has W 2 in round 1, but team 2 does not have L or F 1 (correct one of them)"
    assert told[0] == f"teams.csv: line 8: team A 1: {contradiction}"
    assert len(told) == 3  # the other side of it, and that the bracket has two winners


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--split", "A", "does not name two or more sections"),
        ("--flight-limits", "1500", "write one for each limit"),
        ("--flight-limits", "A=many", "invalid masterpoint limit"),
    ],
)
def test_keys_of_knockouts_are_checked(option: str, value: str, message: str):
    result = run("award", EXAMPLE, "--to", "json", option, value)
    assert result.status == 2
    assert message in result.err


def test_the_rulebook_is_shown():
    text = run("rules", "show", "acbl-knockout-2003").printed
    assert "extends acbl-general-formula-2003" in text
    assert "regional-at-nabc, national, knockout events" in text
    assert 'tables.third-reading = "up to the 50th team"' in text
    assert (
        "factor.k.regional = 46.00\n  MPBOOK.041, Masterpoint Award Rules & Regulations, rev. 11/2003, p. 3\n" in text
    )


def test_a_knockout_whose_teams_are_all_not_eligible_pays_nothing(tmp_path):
    sheet = tmp_path / "game.csv"
    sheet.write_text(
        "# event_type: knockout\n# rating: regional\n# date: 2005-05-05\n# sessions: 2\n# boards: 24\n# tables: 2\n"
        "section,number,player1,player2,player3,player4,mp1,mp2,mp3,mp4,eligible,round1\n"
        "1,1,A,B,C,D,100,100,100,100,no,W 2\n1,2,E,F,G,H,100,100,100,100,no,L 1\n",
        "utf-8",
    )
    assert awards(run("award", sheet, "--to", "json").printed) == {}
