"""A column and a game key are declared once: in one place each, they stand in every format."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import resultproc
from resultproc.formats.text.listing import CALLED, GROUPS, LABELS, REST
from resultproc.model.column_names import column_of
from resultproc.model.columns import CONTESTANT_COLUMNS, Column
from resultproc.model.errors import closest
from resultproc.model.json import json_text
from resultproc.model.keys import KEYS
from resultproc.pages.annotated import LISTED
from resultproc.pages.result import FILE, schema

PACKAGE = Path(resultproc.__file__).parent
PROJECT = PACKAGE.parent

NEW_COLUMNS = """
[contestants.system]
meaning = "the bidding system that the contestant plays"
synonyms = ["methods"]

[contestants.late_plays]
dtype = "Int64"
meaning = "the boards that it played late"
heading = "Late plays"
short = "Late"

[contestants.quotient]
dtype = "float64"
meaning = "what breaks its ties"

[contestants."country{n}"]
meaning = "where the player comes from"
json = "players[].country"
shown = "members"

"""
NEW_KEYS = """
[venue]
meaning = "where it was played"
example = "Town Hall"
on_page = true

[rounds]
meaning = "rounds of the movement"
value = "count"
example = "9"
dtype = "Int64"
on_page = true

"""

SHEET = """# rating: club-open
# date: 2019-05-06
# tables: 2
# movement: howell
# venue: Town Hall
# rounds: 9
number,player1,player2,Methods,Late plays,Quotient,Country 1,country2,score
1,Ann,Bob,two over one,2,1.25,Isle of Man,,5
2,Cy,Di,,,-0.5,,New Wales,4
3,Ed,Flo,SAYC,0,,,,3
4,Gus,Hal,Acol 3/4,,12,,,2
"""

EXPECTED = {
    "system": ["two over one", None, "SAYC", "Acol 3/4"],
    "late_plays": [2, None, 0, None],
    "quotient": [1.25, -0.5, None, 12],
    "country1": ["Isle of Man", None, None, None],
    "country2": [None, "New Wales", None, None],
    "venue": "Town Hall",
    "rounds": 9,
}

THERE = """
import io, json, sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
import pandas as pd
import resultproc
from resultproc.cli import main
from resultproc.pages.result import schema
from resultproc.formats.registry import named

result = resultproc.process("sheet.csv")
back, written = {}, {}
for name, file in json.loads(sys.argv[1]).items():
    Path(file).write_bytes(named("writers", name).write(result))
    written[name] = Path(file).read_bytes().decode("utf-8", "replace")
    if name != "html":
        games, contestants = resultproc.read(file)
        frame = contestants.astype("object").where(contestants.notna(), None)
        columns = [name for name in frame if name.rstrip("12") in {"system", "late_plays", "quotient", "country"}]
        back[name] = {each: frame[each].tolist() for each in columns}
        back[name] |= {key: games[key].astype("object").iloc[0] for key in ("venue", "rounds")}

def printed(*words):
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with redirect_stdout(out), suppress(SystemExit):
        main(words)
    return out.buffer.getvalue().decode()

made = {"package": resultproc.__file__, "back": back, "written": written, "schema": schema()}
made["awarded"] = printed("award", "sheet.csv", "--rounds", "7", "--to", "json")
made["help"] = printed("award", "--help")
print(json.dumps(made))
"""

FILES = {
    "csv": "out.csv",
    "xlsx": "out.xlsx",
    "json": "out.json",
    "text": "out.txt",
    "html": "out.html",
    "bridgewebs": "out.bridgewebs.csv",
    "usebio": "out.xml",
}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the package that declares columns and keys more, and a sheet that has them."""
    folder = tmp_path_factory.mktemp("declared")
    copy = folder / "resultproc"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    _insert(copy / "model/frames.toml", "[contestants.where]", NEW_COLUMNS)
    _insert(copy / "model/keys.toml", "[event]", NEW_KEYS)
    (folder / "sheet.csv").write_text(SHEET)
    return folder


def _insert(path: Path, before: str, lines: str) -> None:
    there = path.read_text("utf-8")
    assert there.count(before) == 1
    path.write_text(there.replace(before, lines + before), "utf-8")


@pytest.fixture(scope="module")
def found(there: Path) -> dict[str, Any]:
    command = [sys.executable, "-c", THERE, json.dumps(FILES)]
    here = {**os.environ, "PYTHONPATH": str(there)}
    done = subprocess.run(command, cwd=there, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert Path(result["package"]).is_relative_to(there)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FILES if name != "html"])
def test_what_is_declared_goes_through_every_format_and_back(found: dict[str, Any], name: str) -> None:
    assert found["back"][name] == EXPECTED


@pytest.mark.slow
def test_the_page_shows_what_is_declared(found: dict[str, Any]) -> None:
    page = found["written"]["html"]
    assert "<li>Venue: Town Hall</li>" in page
    assert "<li>Rounds: 9</li>" in page
    for heading, cell in (("System", "two over one"), ("Late", "2"), ("Quotient", "\u22120.50")):
        assert re.search(rf'<th scope="col"[^>]*>{heading}</th>', page)
        assert f'<td data-l="{heading}">{cell}</td>' in page


@pytest.mark.slow
def test_files_have_it_under_its_own_words(found: dict[str, Any]) -> None:
    written = found["written"]
    assert "# venue: Town Hall\n# rounds: 9\n" in written["csv"]
    assert "# venue: Town Hall\n# rounds: 9\n" in written["text"]
    assert re.search(r"Score +System +Late +Quotient ", written["text"])
    assert re.search(r"Section +Direction +Number .*Country +Name", written["text"])
    assert re.search(r'#Comment\tresultproc\t0\t.*""venue"": ""Town Hall"", ""rounds"": ""9""', written["bridgewebs"])
    assert re.search(r'#Comment\tresultproc\t1\t.*""system"": ""two over one""', written["bridgewebs"])
    one = json.loads(written["json"])["games"][0]["contestants"][0]
    assert (one["system"], one["late_plays"], one["quotient"]) == ("two over one", 2, 1.25)
    assert one["players"] == [{"name": "Ann", "country": "Isle of Man"}, {"name": "Bob"}]


@pytest.mark.slow
def test_the_schema_says_what_it_is(found: dict[str, Any]) -> None:
    definitions = found["schema"]["$defs"]
    assert definitions["game"]["properties"]["venue"]["description"] == "where it was played"
    assert definitions["game"]["properties"]["rounds"]["type"] == ["integer", "null"]
    assert "rounds" in definitions["game"]["required"]
    assert definitions["contestant"]["properties"]["system"]["type"] == "string"
    assert definitions["contestant"]["properties"]["late_plays"]["type"] == "integer"
    assert definitions["player"]["properties"]["country"]["description"] == "where the player comes from"
    assert "system" not in definitions["contestant"]["required"]


@pytest.mark.slow
def test_it_is_an_option_of_the_command_line(found: dict[str, Any]) -> None:
    assert json.loads(found["awarded"])["games"][0]["game"]["rounds"] == 7
    assert "where it was played" in found["help"]


@pytest.mark.slow
def test_the_files_made_from_the_declarations_are_current() -> None:
    """``scripts/make-docs`` makes them."""
    assert FILE.read_text("utf-8") == json_text(schema())
    made = runpy.run_path(str(PROJECT / "scripts/make-docs"))
    assert made["REPORTS_SCHEMA"].read_text("utf-8") == made["reports_schema"]()
    pages = [path.read_text("utf-8") for path in made["WITH_TABLES"]]
    assert [made["filled"](page) for page in pages] == pages
    assert set(made["tables"]()) == {name for page in pages for name in re.findall(r"<!-- (.*) -->", page)} - {"end"}
    assert made["dictionary"]() == (PACKAGE / "docs" / "COLUMNS.md").read_text("utf-8")
    assert made["codes"]() == (PACKAGE / "docs" / "CODES.md").read_text("utf-8")


@pytest.mark.parametrize("column", [each for each in CONTESTANT_COLUMNS if each.name != "where"], ids=lambda c: c.name)
def test_every_word_of_a_header_means_one_column(column: Column) -> None:
    number = "7" if column.numbered else ""
    assert {column_of(f"{word} {number}".strip()) for word in column.words()} == {f"{column.family}{number}"}


def test_no_label_of_a_listing_means_two_columns() -> None:
    labels = [column.short for column in LISTED]
    assert len(set(labels)) == len(labels) == len(LABELS)
    assert not any(set(one) & set(other) for one, other in combinations((CALLED, LABELS, GROUPS, REST), 2))


@pytest.mark.parametrize("name", [key.name for key in KEYS.values()])
def test_a_key_is_held_and_shown_in_its_one_spelling(name: str) -> None:
    key = KEYS[name]
    assert key.shown(key.held(key.normalise(key.example))) == key.example


def test_no_hint_offers_the_word_that_was_written() -> None:
    assert closest("score", ["score", "scores"]) == "did you mean 'scores'?"
    assert closest("score", ["score", "number"]) == "known: number"
