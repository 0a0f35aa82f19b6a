"""One made game through every format that has results of boards: the same scores, ranks, candidates and awards."""

import json
import re
from dataclasses import replace
from functools import cache

import one_game
import pandas as pd
import pytest
from conftest import FIXTURES
from samples import SAMPLES, real

from resultproc.formats.jannersten.writer import write
from resultproc.formats.pbn.writer import write as write_pbn
from resultproc.formats.read import drafted, read, read_play
from resultproc.model.draft import play_of, together
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.source import Source
from resultproc.stages.doubts import doubts_of_boards
from resultproc.stages.pipeline import process, with_boards

FORMATS = {
    "game.bws": one_game.bws,
    "game.pbn": one_game.pbn,
    "game.xml": one_game.usebio,
    "game.json": one_game.site,
    "results.txt": one_game.results_txt,
    "connector.json": lambda: json.dumps(one_game.connector()).encode(),
}


def awarded(name: str, data: bytes) -> Result:
    return process(Source(name, data), rating="club-open", tables="7", boards="10", movement="mitchell")


@cache
def the_game(name: str) -> Result:
    """Return the game as it was played, read from a format and awarded."""
    return awarded(name, FORMATS[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_each_format_says_the_same_of_the_game(name: str) -> None:
    result = the_game(name)
    sat = result.contestants[["direction", "number"]].agg(" ".join, axis=1)
    totals = {f"{side[0]}-{side[1]} {pair}": total for (side, pair), total in one_game.totals().items()}
    assert dict(zip(sat, result.contestants["score"], strict=True)) == totals
    percentages = {pair: one_game.percentage(total) for pair, total in totals.items()}
    assert dict(zip(sat, result.contestants["percentage"], strict=True)) == percentages
    assert result.contestants["player2"].tolist() == [f"Bob {each}" for each in result.contestants["player1"].str[4:]]
    # Who is ranked where, by hand: the place is one more than the number of those who have more.
    standings = result.standings.assign(pair=sat.to_numpy()[result.standings["contestant"]])
    places = {
        pair: 1 + sum(other > total for each, other in totals.items() if each[:3] == pair[:3])
        for pair, total in totals.items()
    }
    sections = standings[standings["basis"].astype(str) == "section"]
    assert dict(zip(sections["pair"], sections["position"], strict=True)) == places
    # A regular open club game pays the first of a section 0.10 for each of its pairs that are compared: 7.
    first = [pair for pair, place in places.items() if place == 1]
    paid = dict(zip(sat, result.awards["masterpoints"], strict=True))
    assert {paid[pair] for pair in first} == {70}


@pytest.mark.slow
def test_all_formats_have_the_same_frames() -> None:
    every = {name: the_game(name) for name in FORMATS}
    first = every.pop("game.bws")
    for name, result in every.items():
        for frame in ("standings", "candidates", "awards"):
            assert _comparable(result, frame) == _comparable(first, frame), (name, frame)


def _comparable(result: Result, frame: str) -> list[list[object]]:
    """Return the rows of a frame by pair, in order."""
    rows = getattr(result, frame)
    sat = result.contestants[["direction", "number"]].astype(object).fillna("").agg(" ".join, axis=1).to_numpy()
    contestant = rows["contestant"].to_numpy()
    if frame == "awards":
        kept = pd.DataFrame({"masterpoints": rows["masterpoints"], "black": rows["black"]})
    elif frame == "standings":
        kept = rows[["position", "tied", "stratum"]].astype(str).assign(basis=rows["basis"].astype(str))
    else:
        kept = pd.DataFrame({"masterpoints": rows["masterpoints"]})
    return sorted(kept.assign(pair=sat[contestant]).to_numpy().tolist(), key=str)


@pytest.mark.parametrize("name", FORMATS)
def test_the_results_of_its_boards_are_the_same(name: str) -> None:
    boards, _ = read_play(Source(name, FORMATS[name]()))
    columns = ["board", "ns", "ew", "contract", "declarer", "tricks", "score"]
    found = sorted(map(tuple, boards[columns].to_numpy().tolist()))
    assert found == sorted(
        (p.board, str(p.ns), str(p.ew), p.contract, p.declarer, p.tricks, p.score) for p in one_game.PLAYED
    )


WRONG = {
    "14 tricks": ("boards.too-many-tricks", "14 tricks", {"tricks": 14}),
    "played twice": ("boards.played-twice", "to 1, which lacks in their round", {"board": 9}),
    "a board of another round": ("boards.of-another-round", "", {"board": 8}),
    "score and contract": ("boards.at-odds", "write +420", {"score": 450}),
}
"""What is wrong with a result: the code of its remark, words of it, and what stands there instead."""

SCORELESS = ("game.bws", "connector.json")
"""Formats whose results have no score: it follows from the contract."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", FORMATS)
def test_a_wrong_board_is_told_in_every_format(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Board 1 at table 1, or 11 at table 6, both of the first round; 8 is none that pair 6 met, 1 met 9 elsewhere."""
    code, words, instead = WRONG[kind]
    seat = (6, 11) if code == "boards.of-another-round" else (1, 1)
    played = [replace(p, **instead) if (p.table, p.board) == seat else p for p in one_game.PLAYED]
    monkeypatch.setattr(one_game, "PLAYED", played)
    draft = drafted(Source(name, FORMATS[name]()))
    boards, deals = play_of([draft])
    found = doubts_of_boards(together([draft]), boards, deals)
    if name in SCORELESS and "score" in instead:
        assert found == []
        return
    (told,) = found
    assert told.code == code
    assert words in told.what + told.hint
    assert told.what.startswith(f"N-S {seat[0]} against E-W {seat[0]}: ")
    for place, where in (("table", name not in PLACELESS), ("round", name not in PLACELESS or name == "results.txt")):
        assert (f"{place} " in told.where) == where


PLACELESS = ("game.xml", "game.pbn", "results.txt")
"""Formats that do not name the table of a result, or neither table nor round."""


def refused(content: object) -> str:
    with pytest.raises(InputError) as caught:
        read(Source("tonight.json", json.dumps(content).encode()))
    return str(caught.value)


def changed(**of_first: object) -> dict[str, object]:
    """Return the connector's game with something else in its first result."""
    event = one_game.connector()
    first, *others = event["Results"]  # type: ignore[misc]
    return event | {"Results": [first | of_first, *others]}


def test_the_connectors_messages_are_read_as_they_were_sent() -> None:
    """The event, then results one by one: of two of a board the later one counts, and a deleted one is none."""
    event = one_game.connector()
    results = event.pop("Results")
    first, second, *others = results  # type: ignore[misc]
    wrong = first | {"TotalTricks": 3}
    sent = [event, wrong, *others, first, second, second | {"IsDeleted": True}]
    messages = [{"Command": 1, "SessionGuid": one_game.SESSION, "SerializedData": json.dumps(each)} for each in sent]
    boards, _ = read_play(Source("log.json", json.dumps(messages).encode()))
    assert len(boards) == len(one_game.PLAYED) - 1
    mine = boards[(boards["table"] == first["TableNumber"]) & (boards["round"] == 1) & (boards["board"] == 1)]
    assert mine["tricks"].tolist() == [first["TotalTricks"]]


@pytest.mark.parametrize(
    ("level", "ns", "ew"),
    [(-1, 40, 40), (-2, 40, 50), (-3, 40, 60), (-4, 50, 40), (-6, 50, 60), (-8, 60, 50), (-9, 60, 60)],
)
def test_artificial_scores_of_the_connector(level: int, ns: int, ew: int) -> None:
    boards, _ = read_play(Source("tonight.json", json.dumps(changed(Level=level)).encode()))
    assert boards[["ns_adjusted", "ew_adjusted"]].dropna().to_numpy().tolist() == [[ns, ew]]


def test_what_the_connector_has_besides_pairs_is_refused() -> None:
    event = one_game.connector()
    group = event["Sessions"][0]["ScoringGroups"][0]  # type: ignore[index]
    group["ScoringMethod"] = 30
    assert "ScoringMethod is 30: of pairs only 10 and 36 are read" in refused(event)
    group["ScoringMethod"], group["Sections"][0]["GameType"] = 51, 30
    assert "ScoringMethod is 51: of teams only 40 and 60 are read" in refused(event)
    group["ScoringMethod"] = 40
    assert "nobody says which pairs make up a team" in refused(event)
    group["Sections"][0]["Tables"][0]["Rounds"][0]["MatesTableSectionLetters"] = "B"
    assert "play in another section" in refused(event)
    group["ScoringMethod"], group["Sections"][0]["GameType"] = 10, 20
    assert "this is an event of individuals" in refused(event)
    event = one_game.connector()
    assert "there are 2 sessions" in refused(event | {"Sessions": event["Sessions"] * 2})  # type: ignore[operator]
    assert "the movement (Sessions) is not there" in refused({"EventGuid": "", "Results": event["Results"]})
    assert "this score is of one side alone" in refused(changed(ScoringDirection=1))
    assert "this is not a contract: Level 9" in refused(changed(Level=9))
    assert "a section that there is not: Q" in refused(changed(SectionLetters="Q"))
    assert "not laid out as the connector's data are: TotalTricks is no whole number" in refused(
        changed(TotalTricks="x")
    )
    assert "RoundNumber is no whole number: 1180591620717411303424" in refused(changed(RoundNumber=2**70))
    assert "no results have been received yet" in refused(event | {"Results": []})


def test_pairs_of_the_connector_may_be_scored_by_cross_imps() -> None:
    """What one side of a table wins on the mean the other loses, so that all scores together are nothing."""
    event = one_game.connector()
    event["Sessions"][0]["ScoringGroups"][0]["ScoringMethod"] = 36  # type: ignore[index]
    sheet = read(Source("tonight.json", json.dumps(event).encode()))
    assert (sheet.games.loc[0, "scoring"], f"{sheet.games.loc[0, 'date']:%F}") == ("cross-imps", "2016-05-12")
    assert abs(sheet.contestants["score"].sum()) < 0.1
    assert sheet.contestants["percentage"].isna().all()


@pytest.mark.parametrize(("method", "scores"), [(40, [10, -10]), (60, [1, 0])])
def test_pairs_of_the_connector_are_of_the_teams_that_the_movement_names(method: int, scores: list[int]) -> None:
    """Pairs 1 and 11 are team 7, 12 and 2 team 8. Team 7 have 420 at one table, and 8 go down one: 470 is 10 IMPs."""
    seats = ["TableNumber", "PairNS", "PairEW", "TeamNS", "TeamEW"]
    tables = [dict(zip(seats, each, strict=True)) for each in ((1, 1, 12, 7, 8), (2, 2, 11, 8, 7))]
    rounds = {"RoundNumber": 1, "LowBoardNumber": 1, "HighBoardNumber": 1}
    section = {
        **{"Letters": "A", "Winners": 2, "GameType": 30},
        "Tables": [{"TableNumber": each["TableNumber"], "Rounds": [{**rounds, **each}]} for each in tables],
    }
    contract = {"BoardNumber": 1, "RoundNumber": 1, "Level": 4, "Denomination": 4, "DeclarerDirection": 1}
    results = [
        {
            **contract,
            **{"SectionLetters": "A", "TableNumber": each["TableNumber"], "TotalTricks": tricks},
            **{"PairNorthSouth": each["PairNS"], "PairEastWest": each["PairEW"], "DeclaringPair": each["PairNS"]},
        }
        for each, tricks in zip(tables, (10, 9), strict=True)
    ]
    group = {"ScoringMethod": method, "Sections": [section]}
    event = {"EventGuid": "", "Sessions": [{"SessionGuid": "", "ScoringGroups": [group]}], "Results": results}
    contestants = read(Source("tonight.json", json.dumps(event).encode())).contestants
    assert contestants["number"].tolist() == ["7", "8"]
    assert contestants["score"].tolist() == scores
    tables[1]["TeamNS"] = 7  # pair 2 is its opponents' team
    section["Tables"][1]["Rounds"][0]["TeamNS"] = 7  # type: ignore[index]
    assert "nobody says which pairs make up a team" in refused(event)


def test_a_board_played_in_the_wrong_direction_has_a_remark() -> None:
    first = one_game.PLAYED[0]
    sheet = read(Source("tonight.json", json.dumps(changed(DeclaringPair=99)).encode()))
    said = [str(remark) for remark in sheet.remarks if "Wrong direction" in remark.what]
    assert said
    assert f"board {first.board}, table {first.table}, round 1" in said[0]


def txt(old: str, new: str) -> Source:
    text = one_game.results_txt().decode()
    assert old in text
    return Source("results.txt", text.replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("A;2;10;5;;", "A;2;10;5;MP;", "line 2: scoring method is 'MP': nothing public says which words"),
        ("[RESULTS]", "[DEALS]", "there is no part '[DEALS]' in results.txt"),
        (";;;;\r\n[RESULTS]", ";;;\r\n[RESULTS]", "has 7 fields, and should have 8"),
        ("#01;A;1;1;", "#01;A;1;;", "line 33: this result names no board, or not both sides"),
        ("A;1;N;", "A;1;Q;", "line 4: a player sits at 'Q' of '1'"),
        (";;;;\r\nA;1;S;", ";50;;;\r\nA;1;S;", "the score of 1 is another than in line 4"),
    ],
)
def test_what_is_wrong_with_a_results_txt_is_named(old: str, new: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        read(txt(old, new))
    assert what in str(caught.value)


def test_a_ruling_in_a_results_txt_is_read() -> None:
    first = one_game.PLAYED[0]
    line = f";{first.score};{first.contract};{first.declarer};{first.tricks};" + ";" * 10
    for said, adjusted in ((";;;;;", [[60, 40]]), (f";{first.score};;;;", []), (f";;{first.contract};N;9;", [])):
        boards, _ = read_play(txt(line, said + ";" * 4 + ";60;40;;;;"))
        assert boards[["ns_adjusted", "ew_adjusted"]].dropna().to_numpy().tolist() == adjusted


@pytest.mark.parametrize("name", ["usebio-example.xml", "pbn-example.pbn"])
def test_a_results_txt_that_was_written_here_is_read_as_it_was(name: str) -> None:
    path = FIXTURES / name
    games, contestants = read(path)
    contestants["printed_award"] *= 10  # 1.20
    whole = with_boards(Result(games, contestants), [path])
    again = Source("results.txt", write(whole))
    columns = ["section", "direction", "number", "percentage", "player1", "player2", "printed_award"]
    assert (
        read(again).contestants[columns].astype(str).values.tolist() == contestants[columns].astype(str).values.tolist()
    )
    columns = ["board", "ns", "ew", "score", "contract", "tricks", "ns_adjusted", "ew_adjusted"]
    played = [each[columns].sort_values(["board", "ns"]) for each in (read_play(again)[0], whole.boards)]
    assert played[0].astype(str).to_numpy().tolist() == played[1].astype(str).to_numpy().tolist()


@pytest.mark.slow
@real
def test_a_real_database_with_other_contracts_is_the_game_that_its_pbn_is() -> None:
    """All contracts of 3NT become 2NT, in the database's own bytes: as many tricks over or down, and other scores."""
    data = (SAMPLES / "bws/12tables1section.bws").read_bytes()
    edited = Source("game.bws", data.replace(b"3 NT", b"2 NT"))
    before, after = (read_play(each)[0] for each in (Source("game.bws", data), edited))
    turned = before["contract"].str.startswith("3NT").fillna(value=False)
    assert turned.any()
    assert after["contract"][turned].str.startswith("2NT").all()
    made = turned & (before["score"] != after["score"])
    assert made.sum() > 10
    result = with_boards(process(edited, rating="club-open"), [edited])
    text = re.sub(rb"\[TotalScoreTable[^\[]*", b"", write_pbn(result))  # nobody has a name in it
    again = process(Source("game.pbn", text), rating="club-open", tables=result.games["tables"].iat[0])
    for frame in ("standings", "candidates", "awards"):
        assert _comparable(again, frame) == _comparable(result, frame), frame


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("results-example.txt", one_game.results_txt()),
        ("connector-example.json", json.dumps(one_game.connector(), indent=1).encode()),
    ],
)
def test_the_examples_are_this_game(name: str, data: bytes) -> None:
    assert (FIXTURES / name).read_bytes() == data
