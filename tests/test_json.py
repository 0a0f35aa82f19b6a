"""The JSON: its contract, its schema, and that it reads back to the frames it was written from."""

import copy
import json
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import FIXTURES, examples, saved
from example_games import WEDNESDAY, csv, field
from generated import same
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from resultproc.formats.json.writer import write
from resultproc.formats.read import read
from resultproc.formats.registry import detect
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import COLOURS, CONTESTANTS, GAMES, Result, Sheet
from resultproc.model.game import EventType, StratifyBy, league
from resultproc.model.keys import KEYS
from resultproc.pages.result import content
from resultproc.stages.pipeline import award_sheet, process

SCHEMA = json.loads(files("resultproc.formats.json").joinpath("result.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


@pytest.fixture
def wednesday(tmp_path: Path) -> Result:
    return process(saved(tmp_path / "wed.csv", WEDNESDAY), format="csv")


def problems(value: Any) -> list[str]:
    return [error.json_path for error in VALIDATOR.iter_errors(value)]


def test_the_contract(wednesday: Result) -> None:
    (entry,) = content(wednesday)["games"]
    assert entry["game"] == {
        "game_id": "wed",
        "source": "wed.csv",
        **dict.fromkeys(KEYS),
        "event": "Wednesday Open Pairs",
        "date": "2012-04-18",
        "rating": "club-open",
        "event_type": "pairs",
        "movement": "A=mitchell",
        "tables": "9",
        "sessions": 1,
        "boards": 27,
        "strata": "A=open, B=1000, C=200",
        "limit": "open",
        "rulebook": "acbl-club",
    }
    six = entry["contestants"][5]
    paid_by, other = six.pop("candidates")
    assert six.pop("paid_by") == {key: paid_by[key] for key in ("basis", "stratum", "position", "tied", "rule")}
    assert six == {
        "section": "A",
        "direction": "N-S",
        "number": "6",
        "players": [{"name": "Kim Kerr"}, {"name": "Lee Kerr"}],
        "score": 133.0,
        "percentage": None,
        "stratum": "B",
        "eligible": True,
        "positions": {"section": {"A": {"position": 2, "tied": 1}, "B": {"position": 2, "tied": 1}}, "overall": {}},
        "masterpoints": "0.63",
        "colours": {"black": "0.63"},
    }
    assert "Section Two I" in paid_by.pop("rule")
    assert paid_by.pop("factors").startswith("first 0.90")
    values = {each["path"]: each for each in paid_by.pop("values")}
    assert {path: each["value"] for path, each in values.items()} == {
        "section.rate.club-open": "0.10",  # for each of nine: 0.90 for first
        "section.percentages": "[70, 50, 35]",  # 70% of it, 0.63, for second
        "section.depth": "0.40",  # of nine, which lets second be paid
    }
    rate = values["section.rate.club-open"]
    assert (rate["file"], "Section Two I" in rate["cite"]) == ("acbl_club/club.toml", True)
    assert paid_by == {"basis": "section", "stratum": "A", "position": 2, "tied": 1, "masterpoints": "0.63"}
    assert (other["stratum"], other["masterpoints"]) == ("B", "0.39")


def test_a_contestant_without_an_award_is_ranked_all_the_same(wednesday: Result) -> None:
    (seven,) = (
        c for c in content(wednesday)["games"][0]["contestants"] if (c["direction"], c["number"]) == ("E-W", "7")
    )
    assert (seven["masterpoints"], seven["colours"], seven["paid_by"], seven["candidates"]) == ("0.00", {}, None, [])
    # 105 is behind all but 63 of the nine E-W, and behind 119.5 and 107 of the four in C.
    expected = {"A": 8, "B": 5, "C": 3}
    assert {letter: place["position"] for letter, place in seven["positions"]["section"].items()} == expected


def test_a_one_winner_section_has_no_direction(tmp_path: Path) -> None:
    text = csv(field("A", "", 10, 60), rating="club-open", tables="5")
    result = process(saved(tmp_path / "howell.csv", text), format="csv")
    assert {c["direction"] for c in content(result)["games"][0]["contestants"]} == {None}
    assert problems(content(result)) == []


def test_the_schema_is_one_and_knows_what_the_frames_hold() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    game = SCHEMA["$defs"]["game"]["properties"]
    assert list(game) == ["game_id", "source", *KEYS, "stored"]
    assert game["rating"]["enum"] == [*league().names, None]
    assert game["event_type"]["enum"] == [*EventType, None]
    assert game["stratify_by"]["enum"] == [*StratifyBy, None]
    stored = [column.name for column in GAMES.columns if column.name.startswith("stored_")]
    assert [f"stored_{name}" for name in game["stored"]["properties"]] == stored
    printed = [each.name for each in CONTESTANTS.columns if each.name.startswith("printed_") and not each.numbered]
    assert [f"printed_{name}" for name in SCHEMA["$defs"]["printed"]["properties"]] == printed
    assert SCHEMA["$defs"]["contestant"]["properties"]["colours"]["propertyNames"]["enum"] == list(COLOURS)


@pytest.mark.slow
def test_every_object_of_the_schema_is_closed(wednesday: Result) -> None:
    assert problems(content(wednesday)) == []

    def objects(value: Any) -> list[dict[str, Any]]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [value] * isinstance(value, dict) + [each for part in inner for each in objects(part)]

    count = len(objects(content(wednesday)))
    assert count > 18 * 4
    for number in [*range(12), count - 1]:
        spoilt = content(wednesday)
        objects(spoilt)[number]["surplus"] = "x"
        assert problems(spoilt) != []


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"masterpoints": 0.63}, "$.games[0].contestants[0].masterpoints"),
        ({"masterpoints": "0.6"}, "$.games[0].contestants[0].masterpoints"),
        ({"score": "133"}, "$.games[0].contestants[0].score"),
        ({"percentage": 101}, "$.games[0].contestants[0].percentage"),
        ({"direction": "NS"}, "$.games[0].contestants[0].direction"),
        ({"colours": {"purple": "0.63"}}, "$.games[0].contestants[0].colours"),
    ],
)
def test_the_schema_refuses(wednesday: Result, change: dict[str, Any], path: str) -> None:
    spoilt = content(wednesday)
    spoilt["games"][0]["contestants"][0].update(change)
    assert problems(spoilt) == [path]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "special"), [("made-wednesday.json", None), ("made-charity.json", "normal")])
def test_whole_games_follow_the_schema_and_read_back(tmp_path: Path, name: str, special: str | None) -> None:
    result = process(FIXTURES / name, format="acbl-live", rating="club-open", special=special)
    assert problems(content(result)) == []
    reads_back(tmp_path, result)


def test_files_written_before_a_key_was_added_are_read(tmp_path: Path, wednesday: Result) -> None:
    before = content(wednesday)
    for entry in before["games"]:
        del entry["game"]["session_boards"], entry["game"]["sit_outs"]
        for candidate in (each for contestant in entry["contestants"] for each in contestant["candidates"]):
            del candidate["values"]
    assert problems(before) == []
    path = saved(tmp_path / "before.json", json.dumps(before))
    assert process(path).awards["masterpoints"].tolist() == wednesday.awards["masterpoints"].tolist()


def reads_back(folder: Path, result: Result) -> None:
    """Write and read; the frames are the same but for file, place in it, and that the rulebook is named."""
    path = saved(folder / "written.json", write(result))
    again = Result(*read(path, format="json"))
    assert set(again.games["source"]) == {path.name}
    same(again, result)


def test_an_awarded_game_reads_back(tmp_path: Path, wednesday: Result) -> None:
    reads_back(tmp_path, wednesday)


def test_an_awarded_game_is_awarded_the_same_again(tmp_path: Path, wednesday: Result) -> None:
    path = saved(tmp_path / "wed.json", write(wednesday))
    again = process(path, format="json")
    pd.testing.assert_frame_equal(again.awards, wednesday.awards)


def frames(contestants: list[dict[str, Any]], **keys: Any) -> Result:
    games = GAMES.conform(pd.DataFrame([{"game_id": "g", "source": "x", **keys}]))
    base = {"game_id": "g", "section": "A", "eligible": True, "where": "line 2"}
    rows = [{**base, "number": str(number), **each} for number, each in enumerate(contestants, 1)]
    return Result(games, CONTESTANTS.conform(pd.DataFrame(rows)))


def test_everything_that_a_sheet_carries_reads_back(tmp_path: Path) -> None:
    first = {
        "player2": "Second Alone",
        "id1": "1234567",
        "mp1": 1234.56,
        "mp2": 0.0,
        "stratum": "B",
        "score": 301.123456,
        "percentage": 61.574074074074076,
        "session1": 150.0,
        "session2": 146.123456,
        "section2": "C",
        "direction2": "E-W",
        "carryover": 5.0,
        "handicap": 12.5,
        "printed_section": "A=1/2, B=1",
        "printed_overall": "A=3",
        "printed_award": 1205,
        "printed_paid_by": "OA",
        "printed_colours": "red=6.03, gold=6.02",
    }
    second = {"player1": 'Zoë O\'Neill, "Z" <x>', "direction": "N-S", "eligible": False, "session2": -4.0}
    stored = {
        "stored_rating_code": 24,
        "stored_award_revision": 13,
        "stored_percent_of_open": "A=100, B=80",
        "stored_ranked_with": "A=A",
    }
    reads_back(tmp_path, frames([first, second], limit=1500.0, date="2017-06-10", sessions=2, **stored))


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
scores = st.floats(-1e6, 1e6, allow_nan=False)


@examples(30)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"score": scores | st.none()},
            optional={"player1": names, "player2": names, "id2": names, "mp1": scores, "session1": scores},
        ),
        min_size=1,
        max_size=5,
    )
)
def test_any_contestants_read_back(tmp_path_factory: pytest.TempPathFactory, listed: list[dict[str, Any]]) -> None:
    result = frames([{"player1": "P", **each} for each in listed])
    assert problems(content(result)) == []
    reads_back(tmp_path_factory.mktemp("json"), result)


@examples(15)
@given(st.lists(st.tuples(st.integers(35, 65), st.sampled_from("ABC")), min_size=2, max_size=20))
def test_generated_games_follow_the_schema(listed: list[tuple[int, str]]) -> None:
    rows = [{"player1": "P", "score": float(score), "stratum": letter} for score, letter in listed]
    sheet = frames(
        rows, rating="club-open", date="2019-05-06", tables=f"{len(rows) / 2:g}", strata="A=open, B=300, C=50"
    )
    result = award_sheet(Sheet(sheet.games, sheet.contestants))
    assert problems(content(result)) == []
    (entry,) = content(result)["games"]
    for contestant in entry["contestants"]:
        awards = [candidate["masterpoints"] for candidate in contestant["candidates"]]
        assert contestant["masterpoints"] == (max(awards, key=float) if awards else "0.00")
        letters = list(contestant["positions"]["section"])
        assert letters == sorted(letters)
        assert letters[0] == "A"
        assert set(letters) <= set("ABC"[: "ABC".index(contestant["stratum"]) + 1])


def test_it_is_detected_by_its_content(tmp_path: Path, wednesday: Result) -> None:
    path = saved(tmp_path / "no-ending", write(wednesday))
    assert detect(path).name == "json"
    path.write_bytes(b'{"event": {"board_scoring_method": "MATCH_POINTS"}}')
    assert detect(path).name == "acbl-live"


@pytest.fixture
def written(wednesday: Result) -> dict[str, Any]:
    return content(wednesday)


def refused(folder: Path, text: str | bytes) -> InputError:
    path = saved(folder / "bad.json", text)
    with pytest.raises(InputError) as error:
        read(path, format="json")
    assert all(problem.file == "bad.json" for problem in error.value.problems)
    return error.value


def test_json_that_is_cut_off(tmp_path: Path, wednesday: Result) -> None:
    data = write(wednesday)
    error = refused(tmp_path, data[: len(data) // 2])
    assert isinstance(error, FormatError)
    assert error.problems[0].where.startswith("line ")


@pytest.mark.parametrize(
    "text", [b"\xff\xfe{", b'{"games": [NaN]}', b"[" * 100_000, b'{"games": 1e999}', b"null", b"{}"]
)
def test_what_is_no_result_at_all(tmp_path: Path, text: bytes) -> None:
    refused(tmp_path, text)


def test_games_without_contestants(tmp_path: Path, written: dict[str, Any]) -> None:
    written["games"][0]["contestants"] = []
    assert "no contestant" in str(refused(tmp_path, json.dumps(written)))


def test_an_unknown_key_suggests_the_closest(tmp_path: Path, written: dict[str, Any]) -> None:
    written["games"][0]["game"]["ratng"] = written["games"][0]["game"].pop("rating")
    text = str(refused(tmp_path, json.dumps(written)))
    assert "$.games[0].game: unknown key 'ratng' (did you mean 'rating'?)" in text
    assert "'rating' is a required property" in text


def test_a_wrong_value_is_named_by_its_path(tmp_path: Path, written: dict[str, Any]) -> None:
    written["games"][0]["contestants"][3]["score"] = "many"
    written["games"][0]["game"]["tables"] = 9
    wheres = {problem.where for problem in refused(tmp_path, json.dumps(written)).problems}
    assert wheres == {"$.games[0].contestants[3].score", "$.games[0].game.tables"}


@pytest.mark.parametrize(
    ("name", "value"), [("tables", "nine"), ("date", "2012-02-31"), ("strata", "A=1, B=2"), ("limit", "-3")]
)
def test_a_key_that_cannot_be_read_is_named(tmp_path: Path, written: dict[str, Any], name: str, value: str) -> None:
    written["games"][0]["game"][name] = value
    (problem,) = refused(tmp_path, json.dumps(written)).problems
    assert problem.where == f"$.games[0].game.{name}"
    assert problem.what.startswith(name)


def test_a_contestant_or_a_game_that_stands_twice(tmp_path: Path, written: dict[str, Any]) -> None:
    contestants = written["games"][0]["contestants"]
    contestants.append(contestants[0])
    (problem,) = refused(tmp_path, json.dumps(written)).problems
    assert problem.where == "$.games[0].contestants[18]"
    contestants.pop()
    twice = copy.deepcopy(written)
    twice["games"] *= 2
    assert "appears twice" in str(refused(tmp_path, json.dumps(twice)))


@cache
def small(folder: Path) -> bytes:
    text = csv(field("A", "", 3, 60), rating="club-open", tables="2")
    return write(process(saved(folder / "small.csv", text), format="csv"))


@examples(30)
@given(st.data())
def test_no_change_of_a_value_ends_in_another_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    value = json.loads(small(folder))
    place: Any = value
    while isinstance(place, dict | list) and place:
        holder, key = place, data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
        place = holder[key]
        if data.draw(st.integers(0, 3)) == 0:
            break
    holder[key] = data.draw(st.sampled_from([None, "", "x", -1, 1e300, 10**40, [], {}, True, {"a": 1}, "\0", "=1"]))
    path = saved(folder / "changed.json", json.dumps(value))
    with suppress(InputError):
        read(path, format="json")
