"""Files that are made to do harm, or look like it: a clear message, soon, and nothing else."""

import json
import runpy
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import ALL, FIXTURES, PROJECT, run, saved
from example_games import csv
from samples import SAMPLES, real
from test_xlsx import altered

from resultproc.formats.read import read
from resultproc.model.errors import MOST_QUOTED, InputError, Problem
from resultproc.model.facts import declared_by_section
from resultproc.model.game import parse_tables
from resultproc.stages.pipeline import process
from resultproc.tables import walk as table

GAME = csv([("A", "", 1, 60.0), ("A", "", 2, 40.0)], rating="club-open", tables="1", date="2019-01-01")


def message(path: Path, **keys: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        process(path, **keys)
    return str(caught.value).splitlines()


def written(folder: Path, text: str, name: str = "game.csv") -> Path:
    return saved(folder / name, text)


def test_what_is_quoted_has_an_end_and_no_commands(tmp_path):
    (line,) = message(written(tmp_path, GAME.replace("60.0", "x" * 100_000)))
    assert len(line) < 400
    (line,) = message(written(tmp_path, GAME.replace("60.0", "\x1b[31mred")))
    assert line.isprintable()
    assert "'\\x1b[31mred'" in line


def test_a_file_wrong_throughout_has_so_many_problems(tmp_path):
    rows = [("A", "", n, 50.0) for n in range(1, 1001)]
    text = csv(rows, rating="club-open", tables="500", date="2019-01-01").replace("50.0", "5O")
    path = written(tmp_path, text)
    lines = message(path)
    assert len(lines) == MOST_QUOTED + 1
    assert lines[-1] == f"game.csv: and {1000 - MOST_QUOTED} more problems"
    with pytest.raises(InputError) as caught:
        process(path)
    assert len(caught.value.problems) == 1000
    assert len(caught.value.as_dicts()) == MOST_QUOTED + 1


def test_each_file_has_its_own_count():
    error = InputError([Problem(f"wrong {n}", file=file) for file in ("a", "b") for n in range(25)])
    expected = ["a: and 5 more problems", "b: and 5 more problems"]
    assert [line for line in str(error).splitlines() if "more" in line] == expected


@pytest.mark.slow
def test_a_header_beyond_all_measure(tmp_path):
    path = written(tmp_path, "number,player1,score" + ",x" * 100_000 + "\n1,a,5\n")
    start = time.process_time()
    assert message(path) == [
        "game.csv: line 1: this header names 100003 columns (the sheet of a game has 1000 at most)"
    ]
    assert time.process_time() - start < 20


def test_a_sidecar_beyond_all_measure(tmp_path):
    path = written(tmp_path, GAME)
    written(tmp_path, ".".join("a" * 30_000) + " = 1\n", "game.toml")
    assert message(path) == ["game.toml: line 1: this line has 60003 characters (1000 are the most)"]
    written(tmp_path, "# remark\n" * 200_000, "game.toml")
    assert message(path) == ["game.toml: this TOML has 1800000 characters (declarations are far shorter)"]


def test_more_tables_than_can_be_declared_are_told_where_they_follow_from_the_rows():
    """A file of 32,000 pairs seats 16,000: that was told as a bug."""
    sections = pd.DataFrame({"section": ["A"], "game": [0]})
    with pytest.raises(InputError, match="invalid number of tables: 16000"):
        declared_by_section(pd.Series(["A=16000"]), parse_tables, sections)


@pytest.mark.parametrize("section", ["&x;", "A,B"])
def test_sections_that_cannot_be_declared(tmp_path, section):
    path = written(tmp_path, GAME.replace("\nA,", f'\n"{section}",'))
    first = next(iter(message(path)))
    assert first == f"game.csv: line 5: invalid section: '{section.upper()}' (write it without , and ;, such as A)"


def test_an_unknown_rulebook_is_named_with_its_line(tmp_path):
    (line,) = message(written(tmp_path, "# rulebook: acbl-clab\n" + GAME))
    assert line == "game.csv: line 1: rulebook: unknown rulebook 'acbl-clab'; did you mean 'acbl-club'?"


@real
@pytest.mark.parametrize("where", ["A", "B"])
def test_a_rulebook_is_the_one_beside_the_file_that_names_it(monkeypatch, where):
    """0.40 for first of 4 tables, and 10% more: A, from where a file of that name would pay five times as much."""
    folder = SAMPLES / "hostile2" / "rulebook-by-working-directory"
    monkeypatch.chdir(folder / where)
    assert process(folder / "B" / "g.csv").awards["masterpoints"].max() == 44


@pytest.fixture
def sent(tmp_path):
    """Return a folder of a game, beside one that is nobody's business."""
    folder, private = tmp_path / "sent", tmp_path / "private"
    for each in (folder, private):
        each.mkdir()
    written(private, 'extends = "acbl-club"\n', "own.toml")
    (folder / "link.toml").symlink_to(private / "own.toml")
    (folder / "links").symlink_to(private)
    written(folder, 'extends = "../private/own.toml"\n', "builds-on.toml")
    written(folder, GAME)
    return folder


def naming(folder, by, name):
    """Write a file of a game that names another, and return what is then read; by: which, and with which key."""
    file, _, table = by.partition(" ")
    key = {"[players]": "file", "deals": "deals"}.get(table, "rulebook")
    if file == "json":
        entry = json.loads(run("award", folder / "game.csv", "--to", "json").out)
        entry["games"][0]["game"]["rulebook"] = name
        return written(folder, json.dumps(entry), "game.json")
    said = f"{table if key != 'deals' else ''}\n{key} = '{name}'\n"
    if file == "csv":
        return written(folder, f"# rulebook: {name}\n{GAME}")
    written(folder, said, file)
    return folder / "game.csv"


NAMING = (
    *("csv", "json", "game.toml", "game.toml [games.game]", "game.toml deals"),
    *("resultproc.toml", "resultproc.toml [weekday.tuesday]", "resultproc.toml [players]"),
)


@pytest.mark.parametrize(
    "name",
    [
        *("../private/own.toml", "..\\private\\own.toml", "sub/../../private/own.toml", "/private/own.toml"),
        *("link.toml", "links/own.toml", "C:\\private\\own.toml", "C:own.toml", "\\\\server\\private\\own.toml"),
        *("https://example.org/own.toml", "file:///private/own.toml"),
    ],
)
@pytest.mark.parametrize("by", NAMING)
def test_what_came_with_a_game_leads_nowhere_else(sent, by, name):
    """Whoever sends a game would else have files read that are not theirs."""
    (line,) = message(naming(sent, by, name))
    assert "leads out of the folder" in line or "is not the name of a file" in line


@pytest.mark.parametrize("by", [by for by in NAMING if "deals" not in by and "players" not in by])
def test_nor_does_a_rulebook_that_came_with_it(sent, by):
    assert "'../private/own.toml' leads out of the folder" in str(message(naming(sent, by, "builds-on.toml")))


def test_what_the_user_names_may_lead_anywhere(sent):
    club = written(sent.parent, "rulebook = 'private/own.toml'\n[players]\nfile = 'members.csv'\n", "club.toml")
    written(sent.parent, "Number,Name\n1,Ann\n", "members.csv")
    # What came with the game does not count, then, nor does what is wrong with it.
    written(sent, "[players]\nfile = '../private/members.csv'\n", "resultproc.toml")
    (used,) = process(sent / "game.csv", settings=club).provenance.rulebooks
    assert used.id == "own"
    written(sent, "extends = '../private/own.toml'\n", "mine.toml")
    assert process(sent / "game.csv", rulebook=str(sent / "mine.toml"), settings=club).provenance.rulebooks


def test_content_that_lies_in_no_folder_names_no_file():
    with pytest.raises(InputError, match="lies in no folder"):
        process(f"# rulebook: own.toml\n{GAME}".encode())


def test_more_players_than_there_are_columns(tmp_path):
    content = json.loads(subprocess_json())
    player = content["games"][0]["contestants"][0]["players"][0]
    content["games"][0]["contestants"][0]["players"] = [player] * 120
    (line,) = message(written(tmp_path, json.dumps(content), "game.json"))
    assert line.endswith("contestants[0].players: there are 120 values here, and 99 are the most")
    text = (FIXTURES / "usebio-example.xml").read_text("iso-8859-1")
    start, end = text.index("<PLAYER "), text.index("</PLAYER>") + len("</PLAYER>")
    path = tmp_path / "game.xml"
    path.write_text(text[:end] + text[start:end] * 120 + text[end:], "iso-8859-1")
    (line,) = message(path)
    assert line.endswith("this row names more than 99 players (write a row for each contestant)")


def subprocess_json() -> str:
    """Return the JSON of a game."""
    from resultproc.formats.json.writer import write

    return write(process(FIXTURES / "wed-open-pairs-2012-04-18.csv")).decode("utf-8")


def test_halves_of_characters_are_replaced(tmp_path):
    content = json.loads(subprocess_json())
    content["games"][0]["contestants"][0]["players"][0]["name"] = "Ann \ud800 Lee \U0001f0a1"
    path = written(tmp_path, json.dumps(content), "game.json")
    assert read(path).contestants["player1"].iloc[0] == "Ann \ufffd Lee \U0001f0a1"


@pytest.mark.parametrize(
    ("strats", "said"),
    [
        ([("1e-300", None), ("B", 1000), ("C", 200)], "invalid stratum letter: '1e-300'"),
        ([("A", None), ("B", 0), ("C", 0)], "the strata A, B, C of the sheet have no limits"),
    ],
)
def test_strata_of_the_site_that_say_nothing(tmp_path, strats, said):
    content = json.loads((FIXTURES / "made-wednesday.json").read_text("utf-8"))
    event = content if "strats" in content else next(value for value in content.values() if "strats" in value)
    event["strats"] = [
        {"label": label, "limit": limit, "number": number} for number, (label, limit) in enumerate(strats, 1)
    ]
    assert said in message(written(tmp_path, json.dumps(content), "live.json"))[0]


def test_a_defined_name_without_end(tmp_path):
    names = f"<definedNames><definedName name='n'>{'x' * 100_000}</definedName></definedNames></workbook>".encode()
    data = (FIXTURES / "wed-open-pairs-2012-04-18.xlsx").read_bytes()
    changed = altered(data, {"xl/workbook.xml": lambda part: part.replace(b"</workbook>", names)})
    path = saved(tmp_path / "game.xlsx", changed)
    start = time.process_time()
    assert "a name of absurd length" in message(path)[0]
    assert time.process_time() - start < 5


@pytest.mark.slow
@real
@pytest.mark.parametrize("path", sorted((SAMPLES / "hostile").glob("*.*")), ids=lambda path: path.name)
def test_each_hostile_file_ends_soon_in_a_message_or_a_sheet(path):
    if path.suffix in {".md", ".toml"}:
        return
    start = time.monotonic()
    done = run("award", path, "--rating", "club-open", "--boards", "18")
    assert time.monotonic() - start < 30
    assert done.status in {0, 1}
    assert "this is a bug" not in done.err
    assert len(done.err) < 10_000
    assert all(line.isprintable() for line in done.err.splitlines())
    if done.status:
        assert done.out == ""
        assert path.stem in done.err


SPOILT = ("made-wednesday.json", "pbn-example.pbn", "usebio-example.xml", "wed-open-pairs-2012-04-18.")
"""What begins the names of some fixtures, of each format that is no ACBLscore's."""


@pytest.mark.slow
def test_spoilt_files_of_each_format_are_read_or_refused(tmp_path, monkeypatch, capsys):
    """A few of them, and of the TOML files beside them; ``scripts/fuzz`` spoils more."""
    files = [
        str(path) for path in sorted(FIXTURES.iterdir()) if path.name.startswith(SPOILT) and path.suffix != ".toml"
    ]
    assert run("convert", FIXTURES / "usebio-example.xml", tmp_path / "results.txt", "--to", "bridgewebs").status == 0
    monkeypatch.syspath_prepend(PROJECT / "scripts")
    monkeypatch.setattr(
        sys, "argv", ["fuzz", "--count", str(2000 if ALL else 60), *files, str(tmp_path / "results.txt")]
    )
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PROJECT / "scripts" / "fuzz"), run_name="__main__")
    printed = capsys.readouterr()
    assert (ended.value.code, printed.err) == (0, "")
    assert printed.out.endswith(" files of 7 sources: 0 that should not be\n")


def test_a_game_of_more_lines_than_any(tmp_path):
    path = written(tmp_path, "number,player1,score\n" + "1,a,5\n" * 60_000)
    assert message(path) == [
        "game.csv: line 1: this would be a game of 60001 lines (tell the games of a file apart in a column game_id)"
    ]


@pytest.mark.slow
def test_a_file_of_many_games_takes_room_for_its_contestants_alone(tmp_path):
    """As cells of text these contestants take some 50 MB beside the program itself, which takes 112."""
    rows = (f"{n // 8},{n % 8},Ann Lee{n},{n},{40 + n % 20}\n" for n in range(20_000))
    path = written(tmp_path, "game_id,number,player1,id1,score\n" + "".join(rows))
    # The most memory that the system knows of a process may be that of the one that started it; this is its own.
    program = "import re, sys; from resultproc import read; print(len(read(sys.argv[1]).contestants))"
    program += "; print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    contestants, kilobytes = map(int, done.stdout.split())
    assert contestants == 20_000
    assert kilobytes < 160 * 1024


@pytest.mark.slow
def test_rows_that_are_wrong_without_end_are_not_all_read(tmp_path, monkeypatch):
    assert table.MOST_WRONG == 100_000
    monkeypatch.setattr(table, "MOST_WRONG", 1000)
    path = written(tmp_path, "game_id,number,player1,score\n" + "a,1,phantom,\n" * 1_100)
    assert message(path) == ["game.csv: line 1003: 1000 rows above this one are wrong, or hold no contestant"]
    monkeypatch.undo()
    path = written(tmp_path, "game_id,number,player1,score\n" + "a,1,Ann,5\n" * 10_100)
    assert message(path)[-1] == "game.csv: and 9980 more problems"
