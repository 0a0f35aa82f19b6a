"""Questions in SQL to an archive: what is answered, what is refused, and what the data dictionary says."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import gettempdir
from weakref import finalize

import pytest
from conftest import FIXTURES, PROJECT, asked, run, saved

pytest.importorskip("deltalake")

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
from older_archives import make_older
from test_archive import GAME
from test_archive_awards import KINDS, reprocessed

import resultproc.archive.query as query_module
from resultproc.archive.add import add
from resultproc.archive.older import upgrade
from resultproc.archive.query import Queried, queried, query
from resultproc.archive.reprocess import Task, reprocess
from resultproc.archive.sql import filled_database, shared_database
from resultproc.archive.sql import query_scope as asked_for
from resultproc.archive.store import Store
from resultproc.archive.views import FILES, VIEWS, as_views
from resultproc.model.columns import CONTESTANT_COLUMNS
from resultproc.model.errors import InputError, OutputError
from resultproc.model.keys import KEYS
from resultproc.model.work import Cluster
from resultproc.pages.tables import as_csv, as_json, table_as_text


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Return an archive of three games of 3 tables, which pay 0.30 to the first of each direction."""
    folder = tmp_path_factory.mktemp("query")
    for n, day in enumerate(["1998-05-01", "1998-06-01", "2004-01-31"]):
        text = GAME.format(name=n, date=day).replace("tables: 3", f"tables: A=3\n# club: Club {n % 2}")
        (folder / f"game{n}.csv").write_text(text, "utf-8")
    add([folder], Store(str(folder / "history")), format="csv")
    return str(folder / "history")


@pytest.fixture(scope="module")
def results(history):
    folder = history.replace("history", "results")
    assert run("reprocess", history, "-o", folder).status == 0
    return folder


def test_an_archive_of_one_part_is_read_once(tmp_path, monkeypatch):
    """Games, players, clubs and who is who are in one file, which is read and hashed whole."""
    archive = Store(str(tmp_path / "history"))
    add([saved(tmp_path / "a.csv", GAME.format(name="a", date="1998-05-01"))], archive)
    read, names = Store.content, []
    monkeypatch.setattr(Store, "content", lambda store, name: names.append(name) or read(store, name))
    sql = "SELECT count(DISTINCT player), max(g.club_now) FROM games g, persons"
    query(queried(archive.url, None), sql, lambda: pytest.fail("asks for no awards"))
    assert len([name for name in names if name.startswith("games/")]) == 1


@pytest.mark.slow
def test_everybody_has_a_place_in_each_stratum_paid_or_not(tmp_path):
    """Kim and Lee are last of all, and second of the lower stratum, which pays one place."""
    text = GAME.format(name="x", date="2012-05-01").replace("tables: 3", "tables: 3\n# strata: A=open, B=200")
    rows = [line + ("," + "BBBABB"[n] if n >= 0 else ",stratum") for n, line in enumerate(text.splitlines()[-7:], -1)]
    file = saved(tmp_path / "x.csv", "\n".join([*text.splitlines()[:-7], *rows]))
    archive = str(tmp_path / "history")
    add([file], Store(archive), format="csv")
    sql = "SELECT names, ranked_stratum AS stratum, place, tied, group_size FROM standings WHERE direction = 'E-W'"
    expected = [("Gus - Hal", "A", 1), ("Ida - Jon", "A", 2), ("Kim - Lee", "A", 3)]
    expected += [("Ida - Jon", "B", 1), ("Kim - Lee", "B", 2)]
    for location in (archive, str(tmp_path / "results")):
        assert sorted((row["names"], row["stratum"], row["place"]) for row in asked(location, sql)) == sorted(expected)
        assert run("reprocess", archive, "-o", tmp_path / "results").status == 0
    # Another rulebook than that of the day ranks as its regulation says.
    assert run("reprocess", archive, "-o", tmp_path / "new", "--rules", "acbl-2017").status == 0
    assert asked(tmp_path / "new", "SELECT DISTINCT rulebook FROM awards JOIN standings USING (game_id)") == [
        {"rulebook": "acbl-2017"}
    ]
    settings = tmp_path / "new/settings.json"
    saved(settings, settings.read_text("utf-8").replace('"acbl-2017": "', '"acbl-2017": "0'))
    assert "other rulebooks made these results" in run("archive", "query", tmp_path / "new", sql).err
    what = "another version of resultproc made these results"
    told = f"{settings}: {what} (ask with that version, or remove it, and run 'resultproc reprocess' again)"
    saved(settings, '{"archive": "x", "as_of": "", "scoring": "new"}')
    assert run("archive", "query", tmp_path / "new", sql).err.strip() == told
    saved(settings, "{")
    assert f"{settings}: this file is damaged" in run("archive", "query", tmp_path / "new", sql).err
    settings.unlink()
    standings = ("SELECT count(*) FROM standings", "--results", tmp_path / "new")
    assert f"{settings}: this file is missing" in run("archive", "query", archive, *standings).err


@pytest.mark.slow
def test_what_replaced_what_and_when_games_came_can_be_asked(tmp_path):
    archive = str(tmp_path / "history")
    for n in range(2):
        file = saved(tmp_path / "x.csv", GAME.format(name="x", date="1998-05-01").replace(",30", f",3{n}"))
        add([file], Store(archive), format="csv")
    sql = "SELECT event, state, since, replaced_by, id, added FROM history ORDER BY added"
    old, new = asked(archive, sql)
    assert (old["state"], old["replaced_by"], old["since"]) == ("replaced", new["id"], new["added"])
    assert (new["state"], new["replaced_by"], new["since"]) == ("current", None, None)
    came = [{"game_id": new["id"], "added": new["added"]}]
    assert asked(archive, "SELECT game_id, added FROM games WHERE added > date") == came
    assert asked(archive, sql, "--as-of", f"{old['added'][:10]}T{old['added'][11:]}Z") == [
        {**old, "state": "current", "replaced_by": None, "since": None}
    ]


@pytest.mark.slow
def test_awards_are_said_for_people(history, results):
    sql = "SELECT date, club, event, names, rulebook, place, masterpoints, printed FROM awards"
    sql += " ORDER BY date, direction DESC, number"
    rows = asked(results, sql)
    assert len(rows) == 18
    assert rows[0] == {
        "date": "1998-05-01",
        "club": "Club 0",
        "event": "Game 0",
        "names": "Ann 0 - Bob",
        "rulebook": "acbl-club",
        "place": 1,
        "masterpoints": "0.30",
        "printed": "0.30",
    }
    assert (rows[1]["place"], rows[1]["masterpoints"], rows[1]["printed"]) == (None, "0.00", None)
    assert asked(history, sql, "--results", results) == rows


@pytest.mark.slow
def test_without_results_the_archive_is_awarded_first(history):
    rows = asked(history, "SELECT player, sum(masterpoints) AS won FROM players GROUP BY ALL ORDER BY ALL")
    won = {row["player"]: row["won"] for row in rows}
    # Bob and Hal are first in all three games, Ann of each name in one.
    assert (won["Bob"], won["Hal"], won["Ann 0"], won["Cat"]) == ("0.90", "0.90", "0.30", "0.00")


def test_games_are_asked_as_conditions_compare_them(history):
    rows = asked(history, "SELECT date, tables * 2 AS t FROM games WHERE tables > 2.5 AND year(date) = 1998")
    assert rows == [{"date": "1998-05-01", "t": 6.0}, {"date": "1998-06-01", "t": 6.0}]


@pytest.mark.slow
def test_players_of_a_team_get_their_own_awards():
    output = reprocessed(KINDS["a team of six"]())
    sql = "SELECT player, masterpoints, names FROM players WHERE number = '1' ORDER BY masterpoints DESC"
    answer = query(queried(output.url, None), sql, output.url.upper)
    # 8 teams, B 18/60: 14 x 1.5 x .3 = 6.30; 100% 6.30, 75% 4.725, 50% 3.15, 25% 1.575.
    assert [row[1] for row in answer.rows] == [
        Decimal(text) for text in ("6.30", "6.30", "4.73", "3.15", "3.15", "1.58")
    ]
    assert answer.rows[0][2].count(" - ") == 5
    assert not answer.remarks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "columns", "rows"),
    [
        # Only the columns that are named are read: each of these names them in another way.
        ("SELECT count(*) FROM awards", 1, 1),
        ("SELECT * FROM awards", len(VIEWS["awards"].columns), 18),
        ("FROM players LIMIT 2", len(VIEWS["players"].columns), 2),
        ("SELECT a.names, g.event FROM awards a JOIN games g USING (game_id)", 2, 18),
        ("SELECT names FROM awards NATURAL JOIN (SELECT game_id, event FROM games)", 1, 18),
        ("SELECT a FROM awards a", 1, 18),
        ("WITH won AS (SELECT names AS n, masterpoints AS m FROM awards) SELECT n FROM won WHERE m > 0", 1, 6),
        ("SELECT COLUMNS('player.*') FROM contestants", 2, 18),
        ("SELECT NAMES FROM AWARDS WHERE Place = 1", 1, 6),
        ("WITH games AS (SELECT game_id FROM games LIMIT 2), tables AS (FROM games) FROM tables", 1, 2),
        ("SELECT club FROM games GROUP BY ALL HAVING max(date) > DATE '2000-01-01'", 1, 1),
        ("SELECT (SELECT max(masterpoints) FROM awards) FROM games", 1, 3),
        ("SELECT unnest([1, 2])", 1, 2),
        ("SELECT 1 WHERE false", 1, 0),
        ("SELECT y, masterpoints FROM awards AS a(x, y)", 2, 18),
        ("SELECT #2, masterpoints FROM awards", 2, 18),
    ],
)
def test_queries(history, results, sql, columns, rows):
    answer = query(Queried(history, results), sql, results.upper)
    assert (len(answer.columns), len(answer.rows)) == (columns, rows)


@pytest.mark.slow
def test_columns_by_their_place_are_those_of_the_whole_view(history, results):
    for sql in ("SELECT y FROM awards AS a(x, y) WHERE masterpoints > 0", "SELECT #2 FROM awards"):
        assert {club for (club,) in query(Queried(history, results), sql, results.upper).rows} == {"Club 0", "Club 1"}


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("SELECT player, sum(masterpoints) AS won FROM players GROUP BY player ORDER BY won DESC", True),
        ("SELECT won FROM players AS won", False),
        ("SELECT t FROM (SELECT player FROM players) AS t", False),
    ],
)
def test_a_column_s_alias_asks_for_no_other_column(sql, names):
    assert (asked_for(sql, frozenset(VIEWS)).names is not None) == names


def test_what_takes_long_draws_no_bar_into_what_is_printed(tmp_path):
    for opened in (shared_database({}), filled_database(tmp_path / "views", [], {})):
        with opened as database:
            assert database.execute("SELECT current_setting('enable_progress_bar')").fetchone() == (False,)


@pytest.mark.slow
def test_an_archive_without_what_games_have_besides(tmp_path):
    """As others write them: neither the id in the file nor the file's hash."""
    archive, old = Store(str(tmp_path / "history")), str(tmp_path / "taken over")
    (tmp_path / "game.csv").write_text(GAME.format(name=1, date="2001-01-01"), "utf-8")
    add([tmp_path / "game.csv"], archive)
    make_older(archive, tmp_path / "old", 1, without=("id_in_source", "source_hash", "content_hash"))
    upgrade(Store(str(tmp_path / "old")), Store(old))
    sql = "SELECT event, id_in_source, source_hash FROM games"
    assert query(Queried(old), sql, old.upper).rows == [("Game 1", None, None)]
    assert query(Queried(old), "SELECT id_in_source FROM games", old.upper).rows == [(None,)]


ENDLESS = "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t"


@pytest.mark.slow
def test_a_query_takes_no_longer_than_it_may(history, results):
    with pytest.raises(InputError, match=r"this query takes longer than 0\.3 seconds") as error:
        query(Queried(history, results), ENDLESS, results.upper, 0.3)
    assert [problem.code for problem in error.value.problems] == ["query.too-long"]
    done = run("archive", "query", results, ENDLESS, "--timeout", "0.01")
    assert done.status
    assert "longer than 0.01 seconds" in done.err
    assert asked(results, "SELECT count(*) AS n FROM awards", "--timeout", "600") == [{"n": 18}]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
@pytest.mark.parametrize("of", ["list_sum(range(1000000000))", "len(range(1000000000 + count(*)))"])
def test_a_value_in_a_query_is_not_larger_than_it_may_be(history, results, of):
    with pytest.raises(InputError, match="this query takes more than 4096 MB of memory") as error:
        query(Queried(history, results), f"SELECT {of} FROM games", results.upper, 60)
    assert [problem.code for problem in error.value.problems] == ["query.too-large"]


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e12"])
def test_a_time_that_nobody_can_wait_is_refused(history, seconds):
    done = run("archive", "query", history, "SELECT 1", "--timeout", seconds)
    assert done.status == 2
    assert "at most 1000000" in done.err


@pytest.mark.slow
def test_a_query_of_one_part_takes_no_more_room_either(tmp_path, monkeypatch):
    archive = str(tmp_path / "history")
    (tmp_path / "game.csv").write_text(GAME.format(name=1, date="2001-01-01"), "utf-8")
    add([tmp_path / "game.csv"], Store(archive))
    monkeypatch.setattr("resultproc.archive.sql.MEMORY_LIMIT", 0.001)
    done = run("archive", "query", archive, "SELECT * FROM contestants", "--errors", "json")
    told = json.loads(done.err)
    assert (done.status, told["code"]) == (1, "query.too-large")
    assert "more than 1610 MB of memory" in told["what"]


def test_a_full_disk_is_told_from_too_little_memory():
    with pytest.raises(OutputError, match="there is not enough room") as error, query_module._errors():
        raise duckdb.OutOfMemoryException("Out of Memory Error: failed to offload data block of size 96.0 KiB")
    (problem,) = error.value.problems
    assert (problem.code, problem.file) == ("machine.full", gettempdir())


@pytest.mark.slow
def test_ctrl_c_ends_an_endless_query(results, tmp_path):
    command = [sys.executable, "-m", "resultproc", "archive", "query", results, ENDLESS]
    begun = {"env": {**os.environ, "TMPDIR": str(tmp_path)}, "start_new_session": True}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **begun)
    while process.poll() is None and not list(tmp_path.glob("resultproc-*/views")):
        time.sleep(0.05)
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.split()) == (130, b"", [b"stopped"])
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_several_parts_are_read_one_after_the_other(tmp_path, monkeypatch):
    archive, results = Store(str(tmp_path / "history")), Store(str(tmp_path / "results"))
    for year in (1998, 2001, 2004):  # a part each
        (tmp_path / f"{year}.csv").write_text(GAME.format(name=year, date=f"{year}-05-01"), "utf-8")
    add(sorted(tmp_path.glob("*.csv")), archive)
    assert run("reprocess", archive.url, "-o", results.url).status == 0
    held, most = set(), []

    def watched(parts):
        for number, (schema, tables) in enumerate(parts):
            held.add(number)
            finalize(tables["the_awards"], held.discard, number)
            most.append(len(held))
            yield schema, tables

    filled = query_module.filled_database
    monkeypatch.setattr(
        query_module, "filled_database", lambda path, parts, *more, **how: filled(path, watched(parts), *more, **how)
    )
    asking = Queried(archive.url, results.url), "SELECT count(*) FROM awards", results.url.upper
    assert query(*asking).rows == [(18,)]
    assert len(most) == 3
    assert max(most) <= 2  # one is let go when the next is there


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "write one SELECT"),
        ("SELECT 1; SELECT 2", "write one SELECT"),
        ("SELEC 1", "not understood"),
        ("SELECT", "not understood"),
        ("DROP VIEW games", "only SELECT"),
        ("DELETE FROM games", "only SELECT"),
        ("CREATE TABLE x AS SELECT 1", "only SELECT"),
        ("SET threads = 1", "only SELECT"),
        ("PRAGMA version", "only SELECT"),
        ("ATTACH 'x.db'", "only SELECT"),
        ("COPY games TO 'x.csv'", "only SELECT"),
        ("INSTALL httpfs", "only SELECT"),
        ("EXPLAIN SELECT 1", "only SELECT"),
        ("SHOW TABLES", "only SELECT"),
        ("SHOW ALL TABLES", "only SELECT"),
        ("SELECT * FROM (SHOW TABLES)", "only SELECT"),
        ("DESCRIBE the_games", "no view 'the_games'"),
        ("SUMMARIZE SELECT * FROM read_csv('/etc/passwd')", "cannot read read_csv"),
        ("PIVOT awards ON rating USING sum(masterpoints)", "say which columns it makes"),
        ("SELECT * FROM main.awards", "no view 'main.awards'"),
        ("SELECT * FROM new.awards", "no view 'new.awards'"),
        ("SELECT now()", r"now\(\) is a time with a zone"),
        ("SELECT game_id, [current_timestamp] AS times FROM games", "times is a time with a zone"),
        ("SELECT * FROM gmes", "did you mean 'games'"),
        ("SELECT * FROM the_games", "no view 'the_games'"),
        ("SELECT * FROM '/etc/passwd'", "no view '/etc/passwd'"),
        ("SELECT * FROM information_schema.tables", "no view 'information_schema.tables'"),
        ("WITH the_games AS (SELECT * FROM the_games) SELECT * FROM the_games", "cannot be called 'the_games'"),
        ("WITH a AS (SELECT * FROM pg_settings), pg_settings AS (SELECT 1) SELECT * FROM a", "called 'pg_settings'"),
        ("SELECT * FROM duckdb_settings", "no view"),
        ("SELECT * FROM read_csv('/etc/passwd')", "cannot read read_csv"),
        ("SELECT * FROM games WHERE club IN (SELECT content FROM read_text('/etc/passwd'))", "cannot read read_text"),
        ("SELECT * FROM query('SELECT 1')", "cannot read query"),
        ("SELECT * FROM duckdb_settings()", "cannot read duckdb_settings"),
        ("SELECT * FROM python_map_function(1)", "cannot read python_map_function"),
        ("SELECT current_setting('home_directory')", "cannot call current_setting"),
        ("SELECT sleep_ms(100000)", "cannot call sleep_ms"),
        ("SELECT sum(1) FILTER (pg_sleep(9) IS NULL) FROM games", "cannot call pg_sleep"),
        ("SELECT clubb FROM games", 'Candidate bindings: "club"'),
        ("SELECT club + 1 FROM games", "cannot be run"),
        ("SELECT CAST(event AS INTEGER) FROM games", "cannot be run"),
        ("SELECT " + "+".join(["1"] * 3000), "not understood"),
    ],
)
def test_what_is_no_question_to_the_views_is_refused(history, results, sql, message):
    with pytest.raises(InputError, match=message) as error:
        query(Queried(history, results), sql, results.upper)
    assert "LINE 1" not in str(error.value)


def test_a_query_that_cannot_be_run_awards_nothing(history):
    with pytest.raises(InputError, match="cannot be run"):
        query(Queried(history), "SELECT nmes FROM awards", lambda: pytest.fail("it awarded"))
    query(Queried(history), "SELECT event FROM games", lambda: pytest.fail("it awarded"))


@pytest.mark.slow
def test_results_that_are_older_than_the_archive_are_remarked_on(history, tmp_path):
    archive, out = str(tmp_path / "history"), str(tmp_path / "out")
    for n in range(2):
        text = GAME.format(name=n, date=f"2001-01-0{n + 1}").replace("# rating: club-open\n" if n else "none", "")
        (tmp_path / f"game{n}.csv").write_text(text, "utf-8")
    add([tmp_path / "game0.csv"], Store(archive))
    assert run("reprocess", archive, "-o", out).status == 0
    done = run("archive", "query", out, "SELECT count(*) AS n FROM awards")
    assert "changed" not in done.err
    add([tmp_path / "game1.csv"], Store(archive))
    done = run("archive", "query", out, "SELECT count(*) AS n FROM awards")
    assert "the archive has changed since" in done.err
    (statement := tmp_path / "statement.csv").write_text("date,points\n2001-01-02,0.30\n", "utf-8")
    for name, *more in (["player", out, "Ann 1"], ["audit", out, statement, "--player", "Ann 1"]):
        done = run("archive", name, *more)
        assert "the archive has changed since" in done.err
        assert "no game of Ann 1 could be awarded" in done.err
    done = run("archive", "query", archive, "SELECT count(*) AS n FROM awards")
    assert "1 games could not be awarded" in done.err
    (problem,) = asked(archive, "SELECT date, source, what FROM problems")
    assert problem == {"date": "2001-01-02", "source": "game1.csv", "what": "rating is not declared"}


@pytest.mark.slow
def test_nothing_is_said_beside_the_answer(history, capfd):
    assert run("archive", "query", history, "SELECT count(*) AS n FROM games") == (0, "n\n3\n", "")
    assert capfd.readouterr() == ("", "")  # by the database's library, which writes past Python
    wrong = run("archive", "query", history, "SELECT nope FROM games")
    assert (wrong.status, wrong.out, wrong.err.count("\n")) == (1, "", 1)


@pytest.fixture(scope="module")
def later(history):
    """Return the results of the last game alone."""
    folder = history.replace("history", "later")
    assert run("reprocess", history, "-o", folder, "--where", "date >= 2000").status == 0
    return folder


@pytest.mark.slow
def test_two_runs_in_one_question(history, results, later):
    # Of three games with six pairs each the second run has one.
    sql = "SELECT (SELECT count(*) FROM old.awards) AS old, (SELECT count(*) FROM new.awards) AS new"
    assert asked(history, sql, "--with", f"old={results}", "--with", f"new={later}") == [{"old": 18, "new": 6}]
    sql = "SELECT count(*) AS both, sum(masterpoints) AS won, sum(n.masterpoints) AS again FROM awards a"
    sql = sql.replace("sum(masterpoints)", "sum(a.masterpoints)")
    sql += " JOIN New.Awards n USING (game_id, section, direction, number)"
    assert asked(results, sql, "--with", f"new={later}") == [{"both": 6, "won": "0.60", "again": "0.60"}]
    sql = "SELECT new.awards.event FROM new.awards JOIN games USING (game_id) WHERE place = 1 LIMIT 1"
    assert asked(history, sql, "--with", f"new={later}") == [{"event": "Game 2"}]
    whole = "SELECT * FROM old.players"
    assert asked(history, whole, "--with", f"old={results}") == asked(results, "SELECT * FROM players")
    said = json.loads(run("archive", "query", results, sql, "--with", f"new={later}", "--to", "json").printed)
    assert "acbl-club" in said["provenance"]["rulebooks"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--with", "old"], "is not a name and a folder"),
        (["--with", "=folder"], "is not a name and a folder"),
        (["--with", "old={results}", "--with", "old={results}"], "a name for each"),
        (["--with", "Old={results}"], "cannot be called 'Old'"),
        (["--with", "games={results}"], "cannot be called 'games'"),
        (["--with", "old={history}"], "no folder that 'reprocess' wrote"),
        (["--with", "old=nowhere"], "no folder that 'reprocess' wrote"),
        (["--with", "old={results}", "--as-of", "2026-01-01"], "at several times: 2026-01-01"),
    ],
)
def test_runs_that_cannot_be_asked_together(history, results, options, message):
    options = [each.format(history=history, results=results) for each in options]
    done = run("archive", "query", history, "SELECT 1", *options)
    assert done.status
    assert message in done.err


@pytest.mark.slow
def test_runs_over_another_archive_are_refused(history, results, tmp_path):
    (tmp_path / "game.csv").write_text(GAME.format(name=7, date="2001-01-01"), "utf-8")
    add([tmp_path / "game.csv"], Store(str(tmp_path / "other")))
    done = run("archive", "query", str(tmp_path / "other"), "SELECT 1", "--with", f"old={results}")
    assert f"a run over another archive, {history}" in done.err


def test_an_archive_is_asked_as_it_was(history):
    done = run("archive", "query", history, "SELECT 1", "--as-of", "1999-01-01")
    assert "there were no games in this archive at" in done.err
    assert asked(history, "SELECT count(*) AS n FROM games", "--as-of", "2100-01-01") == [{"n": 3}]


@pytest.mark.slow
def test_candidates_and_remarks(results, tmp_path):
    # Three tables pay 0.30 to the first, in one stratum: each first has its award as the only candidate.
    rows = asked(results, "SELECT names, basis, place, group_size, masterpoints FROM candidates ORDER BY date, names")
    assert len(rows) == 6
    assert {row["masterpoints"] for row in rows} == {"0.30"}
    assert rows[0] == {"names": "Ann 0 - Bob", "basis": "section", "place": 1, "group_size": 3, "masterpoints": "0.30"}
    add([FIXTURES / "regional-open-pairs-2022-06-18.csv"], Store(str(tmp_path / "archive")))
    (remark,) = asked(str(tmp_path / "archive"), 'SELECT event, source, code, what, "where", rows FROM remarks')
    assert remark["what"].startswith("its overall awards go by the strength of the field")
    assert (remark["event"], remark["code"]) == ("Saturday Open Pairs", "values.remarked")


def test_a_query_from_a_file_or_standard_input(history, tmp_path):
    path = saved(tmp_path / "question.sql", "\ufeffSELECT count(*) AS n\n-- all of them\nFROM games\n".encode())
    assert run("archive", "query", history, "--file", str(path)).printed == "n\n3\n"
    assert run("archive", "query", history, "--file", "-", given=b"SELECT 1 AS one").printed == "one\n  1\n"
    path.write_bytes(b"SELECT '\xe9'")
    assert "not text in UTF-8" in run("archive", "query", history, "--file", str(path)).err
    assert "write one SELECT" in run("archive", "query", history).err
    assert "write one SELECT" in run("archive", "query", history, "SELECT 1", "--file", str(path)).err


@pytest.mark.slow
def test_answers_in_files(history, tmp_path):
    sql = "SELECT date, event, tables, NULL AS nothing, 1.50::DECIMAL(4,2) AS won FROM games ORDER BY date LIMIT 1"
    for ending in ("txt", "csv", "json", "xlsx", "parquet"):
        assert run("archive", "query", history, sql, "-o", str(tmp_path / f"answer.{ending}")).status == 0
    table = pq.read_table(tmp_path / "answer.parquet")
    row = {"date": date(1998, 5, 1), "event": "Game 0", "tables": 3.0, "nothing": None, "won": Decimal("1.50")}
    assert table.to_pylist() == [row]
    assert json.loads(table.schema.metadata[b"provenance"])["sources"]
    sheet = openpyxl.load_workbook(tmp_path / "answer.xlsx").worksheets[0]
    assert [cell.value for cell in sheet[1]] == list(row)
    assert [cell.value for cell in sheet[2]] == [datetime(1998, 5, 1), "Game 0", 3, None, 1.5]
    assert (tmp_path / "answer.csv").read_text("utf-8").splitlines()[1] == "1998-05-01,Game 0,3,,1.50"
    assert "games of" in (tmp_path / "answer.txt").read_text("utf-8")
    assert "tells no format" in run("archive", "query", history, sql, "-o", str(tmp_path / "answer.doc")).err


@pytest.mark.slow
def test_describe_and_summarize(history):
    said = {row["column_name"]: row["column_type"] for row in asked(history, "DESCRIBE games")}
    assert said == {column.name: column.type for column in VIEWS["games"].columns}
    (row,) = asked(history, "SUMMARIZE SELECT tables FROM games")
    assert (row["min"], row["max"], row["count"]) == ("3.0", "3.0", 3)
    rows = asked(history, "PIVOT games ON year(date) IN (1998, 2004) USING count(*) GROUP BY club ORDER BY club")
    assert rows == [{"club": "Club 0", "1998": 1, "2004": 1}, {"club": "Club 1", "1998": 1, "2004": 0}]


def test_what_is_printed():
    columns, rows = ["names", "won"], [("Ann - Bob", Decimal("0.30")), (None, Decimal("12.50")), ("a\nb", None)]
    assert table_as_text(columns, rows) == "names        won\nAnn - Bob   0.30\n           12.50\na b\n"
    assert json.loads(as_json(["d", "x"], [(date(2001, 2, 3), float("inf"))])) == {
        "rows": [{"d": "2001-02-03", "x": "inf"}]
    }
    within = json.loads(as_json(["l"], [([1.5, float("nan")],), ({"m": Decimal("0.30")},)]))
    assert within == {"rows": [{"l": [1.5, "nan"]}, {"l": {"m": "0.30"}}]}
    with pytest.raises(InputError, match="2 columns are called 'n'"):
        as_json(["n", "n"], [])


def test_no_name_is_a_formula_in_a_spreadsheet(history):
    said = "=cmd|' /C calc'!A0"
    rows = [(said, Decimal("-0.30"), "-0.40", -2), ("@x", None, "-A1", 0.5)]
    text = as_csv([said, "won", "more", "n"], rows)
    expected = [[f"'{said}", "won", "more", "n"], [f"'{said}", "-0.30", "-0.40", "-2"], ["'@x", "", "'-A1", "0.5"]]
    assert list(csv.reader(io.StringIO(text))) == expected
    assert as_csv(["n"], [("Ann",), ("Bob\n=1+1",)]) == 'n\nAnn\n"Bob\n\'=1+1"\n'
    done = run("archive", "query", history, "SELECT '+' || event AS e FROM games ORDER BY ALL LIMIT 1", "--to", "csv")
    assert done.out == "e\n'+Game 0\n"


RAW_TYPES = {"string": "VARCHAR", "large_string": "VARCHAR", "int32": "INTEGER", "int64": "BIGINT", "double": "DOUBLE"}
RAW_TYPES |= {"date32[day]": "DATE", "timestamp[us, tz=UTC]": "TIMESTAMP WITH TIME ZONE"}
RAW_TYPES |= {"bool": "BOOLEAN", "timestamp[s]": "TIMESTAMP", "timestamp[ms]": "TIMESTAMP", "null": ""}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_the_files_say_their_units(kind, history, results, tmp_path):
    if kind == "player_awards":
        output = reprocessed(KINDS["a team of six"]())
        (tmp_path / "part-0.parquet").write_bytes(output.opened(kind, output.parts(kind)[0]).data)
        path = tmp_path
    else:
        path = Path(history) / "games" if kind in {"games", "contestants"} else Path(results) / kind
    nested = kind == "contestants"
    name = "contestants of games/*.parquet" if nested else f"{kind}/*.parquet"
    listed = {view.name: view for view in as_views()}[name].columns
    for file in path.rglob("*.parquet"):
        schema = pq.read_schema(file)
        for field in schema.field("contestants").type.value_type if nested else schema:
            column = FILES[kind].column(field.name)
            assert column, f"{field.name} is not declared"
            assert (field.metadata or {}).get(b"unit", b"").decode() == column.unit
            value = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
            (said,) = (each.type for each in listed if each.name == column.name)
            assert (pa.types.is_list(value) and said == "STRUCT(...)[]") or RAW_TYPES[str(value)] in {said, ""}, field
            if field.name in {"masterpoints", "black", "printed_award", "difference"}:
                assert column.unit == "hundredths of a masterpoint"
    assert schema


def test_the_data_dictionary_has_every_declared_column():
    listed = list(csv.DictReader(io.StringIO(run("archive", "columns", "--to", "csv").printed)))
    meaning = {(row["view"], row["column"]): row["meaning"] for row in listed}
    assert {key for view, key in meaning if view == "games"} >= set(KEYS)
    assert meaning["games", "club"] == "the club's name"
    assert meaning["contestants", "player1, player2, ..."] == "the player's name"
    assert len([1 for view, _ in meaning if view == "contestants"]) == len(CONTESTANT_COLUMNS) + 2  # persons, league
    assert all(meaning.values())
    assert meaning["awards/*.parquet", "masterpoints"] == "the contestant's award, in hundredths of a masterpoint"
    assert {row["view"] for row in listed} == {
        *VIEWS,
        *(f"{kind}/*.parquet" for kind in FILES if kind != "contestants"),
        "contestants of games/*.parquet",
    }
    types = {(row["view"], row["column"]): row["type"] for row in listed}
    assert types["awards", "masterpoints"] == types["contestants", "printed_award"] == "DECIMAL(12,2)"
    assert (types["games", "date"], types["games", "tables"]) == ("DATE", "DOUBLE")


@pytest.mark.slow
def test_the_types_are_those_that_the_dictionary_says(history, results):
    types = [(view, each.name, each.type) for view in VIEWS for each in VIEWS[view].columns if not each.numbered]
    asked = {view: ", ".join(f'typeof(max("{name}"))' for of, name, _ in types if of == view) for view in VIEWS}
    sql = "SELECT * FROM " + ", ".join(f"(SELECT {columns} FROM {view})" for view, columns in asked.items())
    (said,) = query(Queried(history, results), sql, results.upper).rows
    assert [(view, name, each) for (view, name, _), each in zip(types, said, strict=True)] == types


@pytest.mark.slow
def test_the_twenty_questions_are_answered_as_the_document_shows(tmp_path):
    files = [path for like in ("*.csv", "*.AC?", "*.json", "*.xml") for path in sorted(FIXTURES.glob(like))]
    assert run("archive", "add", *files, "--to", tmp_path / "history").status == 0
    reprocess(Task(str(tmp_path / "history"), str(tmp_path / "awarded")), Cluster().run)
    # The tables of an exported database are the views, and to ask it many questions takes less time.
    assert run("archive", "export", tmp_path / "awarded", tmp_path / "games.duckdb").status == 0
    text = (PROJECT / "resultproc" / "docs" / "archive.md").read_text("utf-8")
    questions = re.findall(r"^```sql\n(.*?)```\n\n```text\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    assert len(questions) == 20
    assert run("archive", "query", tmp_path / "awarded", questions[0][0]).printed == questions[0][1]
    with duckdb.connect(str(tmp_path / "games.duckdb")) as database:
        for sql, shown in questions:
            found = database.execute(sql)
            names = [str(each[0]) for each in found.description]
            assert table_as_text(names, found.fetchall()) == shown
