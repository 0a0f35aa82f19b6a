"""An archive as a database: the same rows as a query gives, with keys, indexes, and the meaning of each column."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import FIXTURES, run, saved

pytest.importorskip("duckdb")
pytest.importorskip("deltalake")

import duckdb

from resultproc.archive.add import add
from resultproc.archive.store import Store

VIEWS = ("awards", "candidates", "contestants", "games", "persons", "players", "problems", "remarks")
VIEWS += ("history", "standings")
FILES = [FIXTURES / name for name in ("wed-open-pairs-2012-04-18.csv", "regional-open-pairs-2022-06-18.csv")]


PRIVATE = "Nobody Else's Business"
"""A name that only the aliases and a statement in the archive's folder have."""


@pytest.fixture(scope="module")
def awarded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the awards of an archive of two games; one is called what would be SQL elsewhere."""
    folder = tmp_path_factory.mktemp("export")
    named = folder / "named.csv"
    text = FILES[0].read_text("utf-8").replace("Wed 1:00 Open Pairs", 'Ann\'s "Pairs"; DROP TABLE games')
    named.write_text(text.replace("Harold Holland", "Zoë O'Brien"), "utf-8")
    add([named, FILES[1]], Store(str(folder / "history")))
    assert run("reprocess", folder / "history", "-o", folder / "awarded").status == 0
    (folder / "history" / "aliases.csv").write_text(f"player,member,club,is\n{PRIVATE},,,{PRIVATE} 2\n", "utf-8")
    (folder / "history" / "statement.csv").write_text(f"date,points,player\n2012-04-18,0.63,{PRIVATE}\n", "utf-8")
    return folder / "awarded"


def asked(awarded: Path, view: str) -> list[dict[str, object]]:
    answer = run("archive", "query", awarded, f"SELECT * FROM {view} ORDER BY ALL", "--to", "json")
    return list(json.loads(answer.printed)["rows"])


def exported(awarded: Path, to: Path) -> Path:
    done = run("archive", "export", awarded, to)
    assert done.status == 0, done.err
    return to


@pytest.fixture(scope="module")
def databases(awarded: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the databases that the archive was exported to, by the ending."""
    folder = tmp_path_factory.mktemp("databases")
    return {ending: exported(awarded, folder / f"history.{ending}") for ending in ("sqlite", "duckdb")}


@pytest.fixture(scope="module")
def views(awarded: Path) -> dict[str, list[dict[str, object]]]:
    """Return the rows of each view, as a query gives them."""
    return {view: asked(awarded, view) for view in VIEWS}


def plain(value: object) -> object:
    """Return a value as both the JSON of an answer and a database have it."""
    if value is None or isinstance(value, bool):
        return value
    try:
        return float(str(value))
    except ValueError:
        text = str(value)
    # A time may have its last digits of a second left out where they are 0.
    return text.rstrip("0") if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+", text) else text


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["sqlite", "duckdb"])
def test_its_tables_are_the_views(
    views: dict[str, list[dict[str, object]]], databases: dict[str, Path], ending: str
) -> None:
    to = databases[ending]
    with closing(sqlite3.connect(to) if ending == "sqlite" else duckdb.connect(str(to))) as database:
        for view, answer in views.items():
            found = database.execute(f'SELECT * FROM "{view}"')
            names = [each[0] for each in found.description]
            rows = [[plain(value) for value in row] for row in found.fetchall()]
            expected = [[plain(row[name]) for name in names] for row in answer]
            assert sorted(rows, key=str) == sorted(expected, key=str), view
        assert database.execute("SELECT event FROM games ORDER BY 1").fetchone() == (
            'Ann\'s "Pairs"; DROP TABLE games',
        )
        # What the sheet prints: .90 + .28 + .63 + .45 + .32 and .45 + .63 + .32 + .20 + .90.
        ((paid,),) = database.execute(
            "SELECT round(sum(masterpoints), 2) FROM awards WHERE rating = 'club-open'"
        ).fetchall()
        assert float(paid) == 5.08
        ((meaning,),) = database.execute(
            """SELECT meaning FROM columns WHERE "table" = 'awards' AND "column" = 'masterpoints'"""
        ).fetchall()
        assert meaning == "the contestant's award, in masterpoints"
        ((sources,),) = database.execute("SELECT value FROM about WHERE name = 'rulebooks'").fetchall()
        assert "acbl-club" in json.loads(sources)


@pytest.mark.slow
def test_the_same_archive_gives_the_same_bytes_of_sqlite(
    awarded: Path, databases: dict[str, Path], tmp_path: Path
) -> None:
    one = databases["sqlite"].read_bytes()
    assert one == exported(awarded, tmp_path / "two.db").read_bytes()
    assert one == exported(awarded.parent / "history" / ".." / "awarded", tmp_path / "three.db").read_bytes()
    assert PRIVATE.encode() not in one


@pytest.mark.slow
def test_duckdb_has_comments_and_keys_and_no_other_indexes(databases: dict[str, Path]) -> None:
    with closing(duckdb.connect(str(databases["duckdb"]))) as database:
        ((comment,),) = database.execute(
            "SELECT comment FROM duckdb_columns() WHERE table_name = 'awards' AND column_name = 'place'"
        ).fetchall()
        assert comment == "the place that pays it; empty where there is no award"
        ((kind,),) = database.execute(
            "SELECT data_type FROM duckdb_columns() WHERE table_name = 'awards' AND column_name = 'masterpoints'"
        ).fetchall()
        assert kind == "DECIMAL(12,2)"
        # No table of aliases or statements, which are personal.
        tables = {name for (name,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        assert tables == {*VIEWS, "about", "columns"}
        assert database.execute("SELECT * FROM persons WHERE persons::VARCHAR LIKE '%Business%'").fetchall() == []
        for table in ("games", "persons"):
            with pytest.raises(duckdb.ConstraintException):
                database.execute(f"INSERT INTO {table} SELECT * FROM {table}")
        # DuckDB holds an index in memory, where those of a million games have no room.
        assert database.execute("SELECT count(*) FROM duckdb_indexes()").fetchone() == (0,)


@pytest.mark.slow
def test_masterpoints_of_sqlite_are_no_whole_numbers_and_rows_refer_to_each_other(databases: dict[str, Path]) -> None:
    with closing(sqlite3.connect(databases["sqlite"])) as database:
        for table in ("awards", "players", "candidates"):
            kinds = database.execute(f'SELECT DISTINCT typeof(masterpoints) FROM "{table}"').fetchall()
            assert kinds == [("real",)]
        keys = database.execute("PRAGMA foreign_key_list(players)").fetchall()
        assert {(table, own, to) for _, _, table, own, to, *_ in keys} == {
            ("games", "game_id", "game_id"), ("persons", "person", "person"),
        }  # fmt: skip
        seats = {own for _, _, table, own, *_ in database.execute("PRAGMA foreign_key_list(contestants)")}
        assert seats >= {"game_id", "person1", "person2"}
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        for column in ("person", "player"):
            plan = database.execute(f"EXPLAIN QUERY PLAN SELECT * FROM players WHERE {column} = 'Zoë'").fetchall()
            assert f"players_{column}" in str(plan)
        with pytest.raises(sqlite3.IntegrityError):
            database.execute("INSERT INTO games SELECT * FROM games")


@pytest.mark.slow
def test_what_is_no_database_is_refused_and_what_was_there_stays(awarded: Path, tmp_path: Path) -> None:
    done = run("archive", "export", awarded, tmp_path / "history.csv")
    assert done.status != 0
    assert "is the name of no database (end it in .duckdb, .sqlite" in done.err
    there = saved(tmp_path / "there.sqlite", b"as it was")
    assert run("archive", "export", tmp_path / "nowhere", there).status != 0
    assert there.read_bytes() == b"as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.sqlite"]
    assert run("archive", "export", awarded, tmp_path / "no" / "history.sqlite").status != 0
