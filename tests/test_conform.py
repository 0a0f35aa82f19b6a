"""The suite of test games: this program agrees with all of it, and any other can take part."""

import json
import runpy
import shlex
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from conftest import ALL, FIXTURES, PROJECT, run, saved
from paragraphs import paragraphs

from resultproc.model.errors import InputError
from resultproc.reports import conform as conforming
from resultproc.reports.conform import WRITERS, Conformance, Suite, asked, conform, judged, read_suite

SUITE = FIXTURES / "conformance"
FEW = SUITE / "acbl-knockout-2015.json"


@pytest.fixture(scope="module")
def suite() -> Suite:
    return read_suite(FEW)


@pytest.fixture(scope="module")
def answers(suite: Suite) -> conforming.Answers:
    return conforming.own_answers(asked(suite.games))[0]


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Return the function that gives the command of a Python program."""

    def written(code: str) -> str:
        path = tmp_path / "program.py"
        path.write_text(f"import json, sys, time\ngames = json.load(sys.stdin)['games']\n{code}\n", "utf-8")
        return shlex.join([sys.executable, str(path)])

    return written


@pytest.mark.slow
def test_the_games_agree() -> None:
    """All random games, and of the worked examples, which tests of their own hold the program to, some."""
    suite = read_suite(SUITE)
    assert len(suite.games) >= 500
    sizes = [len(game.given["contestants"]) for game in suite.games]
    assert sizes == sorted(sizes)
    each = 1 if ALL else 27
    some = [game for n, game in enumerate(suite.games) if game.origin == "second implementation" or n % each == 0]
    answers, problems = conforming.own_answers(asked(some))
    found = of(replace(suite, games=tuple(some)), answers)
    assert problems == []
    assert list(map(str, found.differences)) == []
    assert found.not_answered == []
    assert found.left_out == 0
    assert found.agreed == len(some)


def test_every_game_names_a_paragraph() -> None:
    games = [game for path in SUITE.glob("*.json") for game in json.loads(path.read_text("utf-8"))["games"]]
    assert [game["id"] for game in games if not game["paragraphs"]] == []


def test_every_paragraph_is_tested_or_it_is_said_why_not() -> None:
    cited = {name for path in SUITE.glob("*.json") for name in json.loads(path.read_text("utf-8"))["paragraphs"]}
    known = set(paragraphs())
    assert cited <= known
    listed = tomllib.loads((PROJECT / "tests" / "paragraphs.toml").read_text("utf-8"))
    named = set(listed["noticed"])
    assert len(named) == len(listed["noticed"])
    assert named <= known - cited
    left = known - cited - named
    assert [name for name in left if not any(fnmatch(name, each) for each in listed["not-paid"])] == []
    assert [each for each in listed["not-paid"] if not any(fnmatch(name, each) for name in left)] == []


@pytest.fixture(scope="module")
def make() -> dict[str, Any]:
    """Return what the script has that makes the suite."""
    return runpy.run_path(str(PROJECT / "scripts" / "make-conformance"))


@pytest.fixture(scope="module")
def worked(make: dict[str, Any]) -> list[Any]:
    return [*make["worked"]()]


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    """Return the games of the suite by their names."""
    files = [json.loads(path.read_text("utf-8")) for path in SUITE.glob("*.json")]
    return {game["id"]: game for each in files for game in each["games"]}


@pytest.mark.slow
def test_the_folder_is_what_the_script_makes(make: dict[str, Any], worked: list[Any], kept: dict[str, Any]) -> None:
    drafts = {draft.id: draft for draft in [*worked, *make["computed"]()]}
    assert kept.keys() <= drafts.keys()
    small = {name for name, draft in drafts.items() if draft.awards or (draft.example and len(draft.rows) <= 40)}
    assert small <= kept.keys()
    assert [name for name, game in kept.items() if game["how"] != drafts[name].how] == []
    some = sorted(kept)[:: 1 if ALL else 48]
    for made in make["finished"]([drafts[name] for name in some]):
        of_suite = {"rulebook": made["rulebook"], "charted": made["charted"], **kept[made["id"]]}
        assert {**made, "paragraphs": [*made["paragraphs"]]} == of_suite


@pytest.mark.slow
def test_places_of_charts_are_those_of_the_scores(worked: list[Any], kept: dict[str, Any]) -> None:
    """Without the program: who is compared is a section, one direction of it, or these of all sections."""
    seen = 0
    for draft in [each for each in worked if each.told and each.id in kept]:
        game = kept[draft.id]
        seats = [(each["section"], each.get("direction")) for each in game["given"]["contestants"]]
        several = len({section for section, _ in seats}) > 1
        order = {
            (*seat, each["number"]): n
            for n, (seat, each) in enumerate(zip(seats, game["given"]["contestants"], strict=True))
        }
        for wanted in game["expected"]:
            seat = (wanted["section"], wanted.get("direction"))
            above = seats[: order[(*seat, wanted["number"])]]
            usual = [{"basis": next(iter(draft.told)), "masterpoints": wanted.get("masterpoints")}]
            for each in wanted.get("candidates", usual):
                cell = draft.told.get(each["basis"]) or draft.told[each["basis"].rstrip(" 12345678")]
                if each["basis"] == "overall":
                    place = 1 + sum(not several or side == seat[1] for _, side in above)
                else:
                    place = 1 + above.count(seat)
                awards = [] if cell.startswith("none") else cell.partition(" ...")[0].split()
                said = awards[place - 1] if place <= len(awards) else None
                assert (each["masterpoints"] or "0.00") == (said or "0.00"), (draft.id, wanted)
                seen += 1
    assert seen > 3000


def changed(answers: conforming.Answers, member: str, value: Any) -> conforming.Answers:
    """Return the answers with one member of every contestant changed."""
    return {
        name: {**game, "contestants": [{**each, member: value} for each in game["contestants"]]}
        for name, game in answers.items()
    }


def of(suite: Suite, answers: conforming.Answers) -> Conformance:
    return judged(suite, answers, "other")


@pytest.mark.parametrize(
    ("member", "value", "told"),
    [
        ("masterpoints", "99.99", "masterpoints: 13.80 is expected, not 99.99"),
        ("masterpoints", None, "masterpoints: 13.80 is expected, not nothing"),
        ("masterpoints", [1], "masterpoints: 13.80 is expected, not [1]"),
        ("masterpoints", "NaN", "masterpoints: 13.80 is expected, not NaN"),
        ("colours", {"silver": "9.75"}, "colours: 9.75 gold is expected, not 9.75 silver"),
        ("colours", 7, "colours: 9.75 gold is expected, not nothing"),
        ("paid_by", {"basis": "matches", "stratum": "A"}, "paid_by: overall A is expected, not matches A"),
        ("paid_by", None, "paid_by: overall A is expected, not nothing"),
        ("paid_by", "overall", "paid_by: overall A is expected, not None"),
        ("masterpoints", True, "masterpoints: 13.80 is expected, not True"),
        ("masterpoints", float("inf"), "masterpoints: 13.80 is expected, not inf"),
    ],
)
def test_what_differs_is_told(suite: Suite, answers: conforming.Answers, member: str, value: Any, told: str) -> None:
    found = of(suite, changed(answers, member, value))
    assert found.agreed < found.games
    assert any(str(each).endswith(told) for each in found.differences), list(map(str, found.differences))


def small(expected: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """Return what differs of one contestant."""
    suite = read_suite(FEW)
    game = replace(suite.games[0], expected=[{"section": "A", "number": "1", **expected}])
    contestant = {"section": "A", "direction": None, "number": "1", **answer}
    found = judged(replace(suite, games=(game,)), {game.id: {"contestants": [contestant]}}, "other")
    return [f"{each.what}: {each.expected}, {each.found}" for each in found.differences]


@pytest.mark.parametrize(
    ("expected", "answer", "wrong"),
    [
        ({"masterpoints": "0.90"}, {"masterpoints": "0.9"}, []),
        ({"masterpoints": "0.90"}, {"masterpoints": 0.9}, []),
        ({"masterpoints": "0.90"}, {"masterpoints": "0.901"}, ["masterpoints: 0.90, 0.901"]),
        ({"colours": {}}, {"colours": {"black": "0.00"}}, []),
        (
            {"positions": {"section": {"A": {"position": 2, "tied": 2}}}},
            {"positions": {"section": {"A": {"position": 2, "tied": 1}}}},
            ["positions section A: 2/3, 2"],
        ),
        (
            {"positions": {"overall": {"B": {"position": 1, "tied": 1}}}},
            {"positions": {"overall": {}}},
            ["positions overall B: 1, nothing"],
        ),
        (
            {
                "candidates": [
                    {"basis": "section", "stratum": "A", "masterpoints": "0.50"},
                    {"basis": "section", "stratum": "B", "masterpoints": None},
                ]
            },
            {"candidates": [{"basis": "section", "stratum": "B", "masterpoints": "0.40"}]},
            ["candidates section A: 0.50, nothing", "candidates section B: nothing, 0.40"],
        ),
        (
            {"candidates": [{"basis": "overall", "stratum": "A", "masterpoints": "0.50"}]},
            {"candidates": 7},
            ["candidates overall A: 0.50, nothing"],
        ),
        (
            {"players": ["0.50", "0.25"]},
            {"masterpoints": "0.50", "players": [{"name": None}, {"name": None, "masterpoints": "0.30"}]},
            ["players: 0.50 0.25, 0.50 0.30"],
        ),
    ],
)
def test_what_is_compared(expected: dict[str, Any], answer: dict[str, Any], wrong: list[str]) -> None:
    assert small(expected, answer) == wrong


def test_what_is_left_out_is_counted_and_not_compared(suite: Suite, answers: conforming.Answers) -> None:
    only = ("section", "direction", "number", "masterpoints")
    bare = {
        name: {"contestants": [{part: each[part] for part in only} for each in game["contestants"]]}
        for name, game in answers.items()
    }
    found = of(suite, bare)
    assert found.differences == []
    assert found.left_out > 0
    assert f"{found.left_out} of " in WRITERS["text"](found).decode()
    silent = of(suite, changed(answers, "masterpoints", None))
    assert silent.agreed == 0
    for game in bare.values():
        for each in game["contestants"]:
            del each["masterpoints"]
    assert of(suite, bare).differences == silent.differences
    without = of(suite, {name: {"contestants": []} for name in answers})
    assert without.agreed == 0
    assert {each.what for each in without.differences} == {"contestant"}


def test_games_that_are_not_answered_do_not_agree(suite: Suite, answers: conforming.Answers) -> None:
    first = suite.games[0].id
    found = of(suite, {name: game for name, game in answers.items() if name != first})
    assert found.not_answered == [first]
    assert found.agreed == len(suite.games) - 1
    text = WRITERS["text"](found).decode()
    assert f"Not answered: {first}\n" in text
    assert "100.0%" not in text.splitlines()[-1]


def test_a_game_that_this_program_refuses_is_told(tmp_path: Path) -> None:
    content = json.loads(FEW.read_text("utf-8"))
    del content["games"][0]["given"]["game"]["rating"]
    path = saved(tmp_path / "own.json", json.dumps(content))
    done = run("conform", path)
    assert done.status == 3
    assert "rating is not declared" in done.err
    assert f"Not answered: {content['games'][0]['id']}" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("sys.exit('no such class')", "it failed with the exit status 1: no such class"),
        ("time.sleep(30)", "it did not end within 0.5 seconds (allow it more with timeout)"),
        ("print('{')", "line 2, column 1: this JSON cannot be read"),
        ("print('[]')", "there are no games in its answer (it should print"),
        ("print(json.dumps({'games': [{'game': {}}]}))", "$.games[0]: this is not a game with its contestants"),
        ("print(json.dumps({'games': games[:1] * 2}))", "twice"),
        ("games[0]['contestants'] *= 2; print(json.dumps({'games': games}))", ": it answers for A-1 twice"),
        ('print(\'{"games": [], "games": []}\')', "this JSON cannot be read"),
        ("sys.stdout.buffer.write(bytes(range(128, 256)))", ": this JSON cannot be read: 'utf-8' codec"),
        ("print('[' * 99999)", ": this JSON cannot be read"),
        ("import os; os.abort()", "it was ended by the signal 6"),
        ("print(' ' * 2000)", "it writes more than 0 MB"),
        ("print(' ' * 2000, file=sys.stderr)", "it writes more than 0 MB"),
        ("pass", "this JSON cannot be read"),
    ],
)
def test_a_program_that_does_not_answer_is_refused(
    code: str, told: str, program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = program(code)
    if "2000" in code:
        monkeypatch.setattr(conforming, "LARGEST_ANSWER", 1000)
    with pytest.raises(InputError) as error:
        conform(FEW, command, 0.5 if "sleep" in code else 60)
    assert told in str(error.value)
    assert str(error.value).startswith(command)


@pytest.mark.slow
def test_a_program_that_is_ended_leaves_none_that_it_started(
    program: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conforming, "LARGEST_ANSWER", 1000)
    code = f"""
import subprocess
child = subprocess.Popen(['sleep', '60'])
open({str(tmp_path / "child")!r}, 'w').write(str(child.pid))
print(' ' * 2000, flush=True)
time.sleep(60)"""
    with pytest.raises(InputError, match="it writes more than"):
        conform(FEW, program(code))
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        try:
            ended = Path(f"/proc/{child}/stat").read_text().split()[2] == "Z"
        except OSError:
            ended = True
        if ended:
            break
        time.sleep(0.05)
    assert ended


@pytest.mark.parametrize(
    ("command", "told"),
    [("no-such-program-here", "it cannot be started"), ("'open", "this is not a command"), ("", "no program is named")],
)
def test_a_program_that_cannot_be_started_is_refused(command: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        conform(FEW, command)


def test_an_unawarded_echo_agrees_with_nothing(program: Callable[[str], str]) -> None:
    done = run("conform", FEW, "--against", program("json.dump({'games': games}, sys.stdout)"))
    assert done.status == 3
    assert f": 0 of {len(read_suite(FEW).games)} games agree, 0.0%" in done.out


def test_what_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no games in this folder"):
        read_suite(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        read_suite(tmp_path / "none.json")
    content = json.loads(FEW.read_text("utf-8"))
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    with pytest.raises(InputError, match=r"b\.json: the game .+ is there twice"):
        read_suite(tmp_path)
    content["games"][0]["expected"][0]["masterpoints"] = "13.8"
    (tmp_path / "a.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(InputError, match=r"a\.json: \$\.games\[0\]\.expected\[0\]\.masterpoints"):
        read_suite(tmp_path / "a.json")
