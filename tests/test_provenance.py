"""Where a result comes from: its files, rulebooks and program, in every format; and that reading passes it over."""

import hashlib
import html
import io
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conftest import FIXTURES, run, saved
from games import awarded, mitchell, rulebook_file
from jsonschema import Draft202012Validator
from lxml import etree
from openpyxl import load_workbook

from resultproc.formats.loaded import load_source
from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.model.plugins import named
from resultproc.model.provenance import PROVENANCE_KEY, Provenance
from resultproc.model.source import Source
from resultproc.pages.result import schema
from resultproc.stages.pipeline import process

GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"
SHA = hashlib.sha256(GAME.read_bytes()).hexdigest()


@cache
def awarded_game() -> Result:
    return process(GAME)


@cache
def written(to: str) -> bytes:
    return bytes(named("writers", to).write(awarded_game()))


def test_the_json_says_which_file_rulebook_and_program() -> None:
    found = json.loads(written("json"))[PROVENANCE_KEY]
    assert found["sources"] == [{"name": GAME.name, "sha256": SHA}]
    assert (found["source"], found["sha256"], found["remarks"]) == (GAME.name, SHA, 0)
    assert list(found["rulebooks"]) == ["acbl-club"]
    assert found["rulebooks"]["acbl-club"]["edition"] == "2011-01-01"  # its last change before April 2012
    assert "time" not in found


def test_two_files_are_both_named() -> None:
    days = sorted((FIXTURES / "series").glob("*.csv"))[:2]
    found = process(*days).provenance
    assert [each.name for each in found.sources] == [day.name for day in days]
    assert "source" not in found.entry()


def test_the_list_of_players_and_the_file_of_deals_are_named_with_their_game(tmp_path: Path) -> None:
    members, deals = tmp_path / "members.csv", FIXTURES / "deals" / "tonight.pbn"
    members.write_text("Number,Name,Holding\n1078,Nora One,12\n", "utf-8")
    result = process(FIXTURES / "devices-example.bws", players=members, deals=deals, rating="club-open")
    hashes = {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in (members, deals)}
    found = json.loads(named("writers", "json").write(result))
    Draft202012Validator(schema()).validate(found)
    (source,) = found[PROVENANCE_KEY]["sources"]
    assert {each["name"]: each["sha256"] for each in source["with"]} == hashes
    assert Provenance.of_entry(found[PROVENANCE_KEY], {}).sources == result.provenance.sources
    assert all(f" with {name} sha256:{sha}" in result.provenance.line() for name, sha in hashes.items())
    page = named("writers", "html").write(result).decode()
    assert all(f'with <span title="SHA-256 {sha}">{name}</span>' in page for name, sha in hashes.items())


@pytest.mark.slow
@pytest.mark.parametrize("to", ["csv", "text", "usebio", "xlsx"])
def test_other_formats_say_it_and_read_back(to: str, tmp_path: Path) -> None:
    data = written(to)
    if to == "xlsx":
        book = load_workbook(io.BytesIO(data))
        said = book.properties.description
        assert any(row[0].value == PROVENANCE_KEY and row[1].value == said for row in book["Game"].iter_rows())
    elif to == "usebio":
        said = str(etree.fromstring(data).xpath("/USEBIO/processing-instruction()")[0].text)
    else:
        said = next(line for line in data.decode().splitlines() if PROVENANCE_KEY in line)
    assert SHA in said
    assert "acbl-club" in said
    again = read(Source(GAME.name, data))
    assert again.games["rating"].tolist() == ["club-open"]
    assert [each.sha256 for each in again.sources] == [hashlib.sha256(data).hexdigest()]


@pytest.mark.parametrize("to", ["html", "html-fragment"])
def test_a_page_says_it_at_its_foot_and_to_machines(to: str) -> None:
    page = html.unescape(written(to).decode())
    line = awarded_game().provenance.line()
    assert (f'<meta name="provenance" content="{line}">' if to == "html" else f'data-provenance="{line}"') in page
    assert "ACBL club masterpoint games (acbl-club, edition of 2011-01-01)" in page
    assert f'title="SHA-256 {SHA}"' in page


def test_a_changed_value_has_another_hash_and_a_switched_reading_is_named(tmp_path: Path) -> None:
    rate = rulebook_file(tmp_path, "[section.rate.club-open]\nvalue = 0.20\n", "rate.toml")
    reading = rulebook_file(tmp_path, '[ties.beyond-depth]\nvalue = "none"\n', "reading.toml")
    (plain,) = awarded(mitchell(5), tables=5).provenance.rulebooks
    (changed,) = awarded(mitchell(5), tables=5, rulebook=rate).provenance.rulebooks
    (switched,) = awarded(mitchell(5), tables=5, rulebook=reading).provenance.rulebooks
    assert len({plain.sha256, changed.sha256, switched.sha256}) == 3
    assert (plain.readings, changed.readings, switched.readings) == ({}, {}, {"ties.beyond-depth": "none"})


def test_what_was_read_is_what_is_hashed(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.csv", GAME.read_bytes())
    source = load_source(path)
    path.write_text("replaced", "utf-8")
    assert [each.sha256 for each in read(source, rating="club-open").sources] == [SHA]


@pytest.mark.slow
def test_files_that_are_open_and_content_are_read() -> None:
    keys = {"rating": "club-open", "tables": 9}
    with GAME.open("rb") as file:
        opened = read(file, **keys)
    assert opened.games["game_id"].tolist() == [GAME.stem]
    text = io.StringIO(GAME.read_text("utf-8"))
    for given in (GAME.read_bytes(), io.BytesIO(GAME.read_bytes()), text):
        sheet = read(given, **keys)
        assert sheet.games["game_id"].tolist() == ["data"]
        assert sheet.contestants.drop(columns="game_id").equals(opened.contestants.drop(columns="game_id"))


def test_the_bytes_do_not_depend_on_when_they_are_made() -> None:
    result = process(GAME)
    assert named("writers", "json").write(result) == written("json")
    later = replace(result.provenance, time="2026-05-12T10:00:00+00:00")
    assert (
        json.loads(named("writers", "json").write(replace(result, provenance=later)))[PROVENANCE_KEY]["time"]
        == later.time
    )


@pytest.mark.slow
def test_the_time_is_there_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1778580000")
    command = ["award", str(GAME), "--to", "json"]
    assert json.loads(run(*command).out)[PROVENANCE_KEY] == json.loads(written("json"))[PROVENANCE_KEY]
    assert json.loads(run(*command, "--time").out)[PROVENANCE_KEY]["time"] == "2026-05-12T10:00:00+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    refused = run(*command, "--time").err
    assert refused.startswith("SOURCE_DATE_EPOCH is not a time: 'yesterday' (write the seconds since 1970")


OF_PROVENANCE = {"$defs": schema()["$defs"], "$ref": "#/$defs/provenance"}
SERIES = sorted(str(path) for path in (FIXTURES / "series").glob("*.csv"))
REPORTS = {
    "check": (["check", str(GAME)], [GAME.name], ["acbl-club"]),
    "explain": (["explain", str(GAME), "A-NS-6"], [GAME.name], ["acbl-club"]),
    "who is there": (["explain", str(GAME)], [GAME.name], ["acbl-club"]),
    "compare": (
        ["compare", str(GAME), "--rules", "acbl-club", "--rules", "acbl-2017"],
        [GAME.name],
        ["acbl-2017", "acbl-club"],
    ),
    "series": (["series", *SERIES], [Path(path).name for path in SERIES], ["acbl-club-2023"]),
    "players": (["players", *SERIES], [Path(path).name for path in SERIES], ["acbl-club-2023"]),
    "chart": (["chart", "--rating", "club-open", "--tables", "4:6", "--date", "2012-04-18"], [], ["acbl-club"]),
    "lint": (["lint", str(GAME)], [GAME.name], []),
    "rules list": (["rules", "list"], [], []),
    "rules show": (["rules", "show", "acbl-club"], [], []),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REPORTS)
def test_reports_say_it_too(name: str) -> None:
    command, sources, books = REPORTS[name]
    found = json.loads(run(*command, "--to", "json").out)[PROVENANCE_KEY]
    Draft202012Validator(OF_PROVENANCE).validate(found)
    assert [each["name"] for each in found["sources"]] == sources
    assert sorted(found["rulebooks"]) == books
    if name not in {"lint", "rules list", "rules show"}:
        page = run(*command, "--to", "html").out
        assert '<meta name="provenance" content="resultproc ' in page
        assert all(f"({book}" in page.partition("<footer>")[2] for book in books)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in REPORTS if not name.startswith("rules")])
def test_the_text_of_reports_in_files_says_it_last(name: str, tmp_path: Path) -> None:
    command, sources, books = REPORTS[name]
    run(*command, "-o", str(tmp_path / "report.txt"))
    *_, empty, last = (tmp_path / "report.txt").read_text("utf-8").splitlines()
    assert (empty, last[:23]) == ("", "provenance: resultproc ")
    assert all(f"source {source} sha256:" in last for source in sources)
    assert all(f"rulebook {book} edition " in last for book in books)
    if name in {"explain", "lint"}:  # reports are given out in one way
        assert PROVENANCE_KEY not in run(*command).out


@pytest.mark.parametrize("name", ["series", "players", "chart"])
def test_workbooks_of_reports_say_it_in_their_properties(name: str, tmp_path: Path) -> None:
    command, _, books = REPORTS[name]
    run(*command, "-o", str(tmp_path / "report.xlsx"))
    said = load_workbook(tmp_path / "report.xlsx").properties.description
    assert all(f"rulebook {book} edition " in said for book in books)


def test_several_results_name_each_file_and_edition_once() -> None:
    one, other = (process(GAME, date=day).provenance for day in ("2010-05-12", "2012-04-18"))
    together = Provenance.of_all([one, other, one], 3)
    assert together.sources == one.sources
    (book,) = together.rulebooks
    assert (book.editions, together.remarks) == ((*one.rulebooks[0].editions, *other.rulebooks[0].editions), 3)
    assert len(book.editions) == 2


def test_the_library_tells_its_version_and_its_names() -> None:
    import resultproc

    assert awarded_game().provenance.entry()["program"] == f"resultproc {resultproc.__version__}"
    assert {*resultproc.__all__, "__version__"} <= set(dir(resultproc))
    assert resultproc.read(resultproc.Source("wed.csv", GAME.read_bytes())).games["game_id"].tolist() == ["wed"]
