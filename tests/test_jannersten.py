"""Jannersten's results.txt, held against what its page says of it, read here by a few lines of their own."""

from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, examples, run, saved
from example_games import WEDNESDAY
from generated import named, results
from hypothesis import given

from resultproc import process
from resultproc.formats.jannersten.writer import write
from resultproc.formats.read import read
from resultproc.model.errors import OutputError
from resultproc.model.frames import Result
from resultproc.stages.pipeline import with_boards

FIELDS = {"GAME": 13, "Contestants": 8, "RESULTS": 22}
"""How many fields the page names in each part; none may be left out."""


def parts(data: bytes) -> dict[str, list[list[str]]]:
    """Return the fields of each line, by the part that it is in, checked for what the page says of all."""
    found: dict[str, list[list[str]]] = {}
    *lines, end = data.decode("cp1252").split("\r\n")
    assert end == ""
    for line in lines:
        if line.startswith("["):
            found[line.strip("[]")] = rows = []
            continue
        rows.append([field.strip() for field in line.split(";")])
        assert len(rows[-1]) == FIELDS[[*found][-1]]
    assert [*found] == [*FIELDS]
    assert all(name[0] == name[-1] == '"' for _, _, _, name, *_ in found["Contestants"])
    assert all(seat in "NSEW" for _, _, seat, *_ in found["Contestants"])
    return found


def converted(name: str) -> Result:
    games, contestants = read(FIXTURES / name)
    return with_boards(Result(games, contestants), [FIXTURES / name])


def refused(result: Result) -> str:
    with pytest.raises(OutputError) as caught:
        write(result)
    return str(caught.value)


def test_pairs_of_two_directions() -> None:
    found = parts(write(converted("usebio-example.xml")))
    assert found["GAME"] == [["A", "", "3", *[""] * 7, "Tuesday Pairs", "", ""]]
    assert found["Contestants"][:4] == [
        ["A", "1", "N", '"Gwen Pugh"', "", "45.83", "", ""],
        ["A", "1", "S", '"Zoë Ångström"', "", "45.83", "", ""],
        ["A", "2", "N", '"Brid O\'Neill"', "", "87.5", "", "0.12"],
        ["A", "2", "S", '"Ann Baker-Hall"', "", "87.5", "", "0.12"],
    ]
    assert [row[2] for row in found["Contestants"]] == ["N", "S"] * 3 + ["E", "W"] * 3
    # Of three results on board 1, +420 beats one and loses to one: 2 of 4.
    assert found["RESULTS"][0] == (
        ["#01", "A", "", "1", "4", "", "", "420", "4S", "N", "10", "", "2", "2", "", "", "50", "50", "", "4", "", ""]
    )
    adjusted = next(row for row in found["RESULTS"] if row[-1])
    assert (adjusted[0], adjusted[7], adjusted[16:18]) == ("#03", "", ["60", "40"])
    assert adjusted[-1] == "adjusted: NS 60%, EW 40%"


def test_one_winner_is_listed_north_and_south() -> None:
    found = parts(write(converted("pbn-example.pbn")))
    expected = [["A", "3", "N"], ["A", "3", "S"], ["A", "1", "N"], ["A", "1", "S"]]
    assert [row[:3] for row in found["Contestants"]][:4] == expected


def test_awards_and_scores(tmp_path: Path) -> None:
    path = saved(tmp_path / "wednesday.csv", WEDNESDAY)
    found = parts(write(process(path)))
    # 140.50 leads the nine N-S: 0.90.
    assert found["Contestants"][0] == ["A", "1", "N", '"Ada Ames"', "140.5", "", "", "0.90"]
    assert found["RESULTS"] == []


def test_individuals_have_four_seats_and_imps_their_columns() -> None:
    fixture = converted("pbn-example.pbn")
    boards = fixture.boards.assign(ns_partner="2", ew_partner="3", printed_ns=-1.5, printed_ew=1.5)
    games = fixture.games.assign(event_type="individual")
    found = parts(write(Result(games, fixture.contestants, boards=boards)))
    first = found["RESULTS"][0]
    assert first[3:7] == ["1", "4", "2", "3"]
    assert first[12:16] == ["", "", "-1.5", "1.5"]


def test_columns_without_a_place_are_named_when_it_is_written(tmp_path: Path) -> None:
    game = saved(tmp_path / "wednesday.csv", WEDNESDAY)
    club = saved(tmp_path / "club.csv", "number,player1,player2,home_club1,score\n1,Ann,Bob,Elm,60\n2,Cat,Dan,,40\n")
    plain = saved(tmp_path / "plain.csv", "number,player1,player2,score\n1,Ann,Bob,60\n2,Cat,Dan,40\n")
    begins = "leaves out what it has no place for:"
    told = run("convert", club, tmp_path / "results.txt", "--to", "jannersten").err
    assert f"Jannersten's results.txt {begins} Home club\n" in told
    told = run("award", game, "-o", tmp_path / "game.pbn", "-o", tmp_path / "game.json").err
    assert f"PBN {begins} Stratum, Masterpoints, Paid by, Colours\n" in told
    assert begins not in run("convert", plain, tmp_path / "plain.pbn").err


@pytest.mark.slow
def test_it_is_written_where_it_is_named(tmp_path: Path) -> None:
    fixture = FIXTURES / "usebio-example.xml"
    assert run("convert", fixture, tmp_path / "results.txt", "--to", "jannersten").status == 0
    assert (tmp_path / "results.txt").read_bytes().startswith(b"[GAME]\r\n")
    assert run("convert", fixture, tmp_path / "tuesday.jannersten.txt").status == 0
    assert (tmp_path / "tuesday.jannersten.txt").read_bytes() == (tmp_path / "results.txt").read_bytes()
    # A name that people give their listings goes on to be one.
    assert run("convert", fixture, tmp_path / "my-results.txt").status == 0
    assert b"[GAME]" not in (tmp_path / "my-results.txt").read_bytes()


def test_what_it_has_no_room_for_is_refused() -> None:
    assert 'no room for the name Ann "Bo" Cox' in refused(named('Ann "Bo" Cox'))
    assert "parts fields by ';'" in refused(named("Ann; Bo"))
    one = named("Ann")
    assert "the event is a swiss" in refused(Result(one.games.assign(event_type="swiss"), one.contestants))
    two = (pd.concat([each, each.assign(game_id="b")], ignore_index=True) for each in (one.games, one.contestants))
    assert "there are 2 games" in refused(Result(*two))
    fixture = converted("pbn-example.pbn")
    later = Result(fixture.games, fixture.contestants, boards=fixture.boards.assign(session=2))
    assert "several sessions" in refused(later)


def test_letters_that_windows_1252_lacks_are_in_utf_8() -> None:
    assert "Łukasz Żak" in write(named("Łukasz Żak")).decode()


@examples(60)
@given(result=results())
def test_any_game_has_all_its_fields_or_is_refused(result: Result) -> None:
    games = result.games.iloc[:1].assign(event_type="pairs")
    contestants = result.contestants[result.contestants["game_id"] == games["game_id"].iloc[0]].reset_index(drop=True)
    people = [*contestants.filter(regex="player[12]$").stack().dropna()]
    if any(set(name) & set(';"') for name in people) or ";" in "".join(games["event"].dropna()):
        refused(Result(games, contestants))
        return
    data = write(Result(games, contestants))
    with suppress(UnicodeDecodeError):
        data = data.decode().encode("cp1252", "replace")
    found = parts(data)
    names = contestants.filter(regex="player[12]$").notna().sum(axis=1)
    assert len(found["Contestants"]) == names.clip(lower=1).sum()
