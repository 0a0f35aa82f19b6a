"""What is damaged or missing in an archive is refused, or does no harm."""

import json
import os
import runpy
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from conftest import ALL, PROJECT, needs_library, run, saved

pytest.importorskip("deltalake")

import pyarrow.parquet as pq
from test_archive_history import game, tops

from resultproc.archive.add import add
from resultproc.archive.store import Store
from resultproc.archive.table import load
from resultproc.model.errors import InputError

needs_library("distributed")


@pytest.mark.slow
def test_flipped_bits_and_missing_files(tmp_path):
    """A sample of them; scripts/flip-bits does all."""
    found = runpy.run_path(str(PROJECT / "scripts" / "flip-bits"))["flipped"](tmp_path, 30011 if ALL else 60013)
    assert found["WRONG"] == 0
    # Two files, and the one that they are put together in: some of what is flipped is in the one that counts no more,
    # or says nothing, such as the first bytes of a file of the library.
    assert found["refused"] > found["harmless"] > 3


@pytest.mark.slow
def test_runs_that_are_broken_off_are_completed_by_the_next():
    """A few of them; scripts/break-archive breaks more."""
    command = [sys.executable, PROJECT / "scripts" / "break-archive", "--times", "1", "--files", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("0 things are wrong\n")


@pytest.mark.slow
def test_a_file_does_not_pass_for_another(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    files = [game(inbox, "a.csv", name="a"), game(inbox, "b.csv", name="b" * 99, date="1999-05-01")]
    add(files[:1], store)
    add(files[1:], store)
    one, two = (Path(store.path_of(f"games/{part.name}")) for part in load(store).parts)
    one.write_bytes(two.read_bytes())
    for look in (lambda: tops(store), lambda: add(files[:1], store)):
        with pytest.raises(InputError, match=f"{one.name}: this part is damaged"):
            look()


@pytest.mark.slow
def test_a_damaged_archive_is_not_added_to(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    add([game(inbox)], store)
    log = Path(store.url, "games", "_delta_log", f"{1:020d}.json")
    text = log.read_bytes()
    log.write_bytes(text[:-20])
    with pytest.raises(InputError, match="log of this archive is damaged"):
        add([inbox], store)
    log.write_bytes(text)
    next(Path(store.url).glob("games/*/*.parquet")).unlink()
    with pytest.raises(InputError, match="this part is missing"):
        add([inbox], store)


@pytest.mark.parametrize("column", ["game_id", "id_in_source", "date", "results"])
def test_what_tells_a_game_from_others_is_compared_before_one_is_added(tmp_path, column):
    store = Store(str(tmp_path / "archive"))
    path = game(tmp_path / "in")
    add([path], store)
    part = Path(store.path_of(f"games/{load(store).parts[0].name}"))
    group = pq.ParquetFile(part).metadata.row_group(0)
    of = next(group.column(each) for each in range(group.num_columns) if group.column(each).path_in_schema == column)
    data = bytearray(part.read_bytes())
    data[(of.dictionary_page_offset or of.data_page_offset) + of.total_compressed_size - 3] ^= 4
    part.write_bytes(data)
    with pytest.raises(InputError, match="this part is damaged"):
        add([path], store)


@pytest.fixture(scope="module")
def partly(tmp_path_factory):
    """Return an archive of two games, of 1998 and 1999, and the file of the first, which is cut off."""
    folder = tmp_path_factory.mktemp("partly")
    store = Store(str(folder / "archive"))
    add([game(folder / "in"), game(folder / "in", "other.csv", name="y", date="1999-05-01", top=12)], store)
    path = next(Path(store.url).glob("games/year=1998/*.parquet"))
    path.write_bytes(path.read_bytes()[:-100])
    return store.url, path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("archive query {archive}", "SELECT date FROM awards"),
        ("archive query {archive}", "SELECT date FROM history"),
        ("archive player {archive}", "Cat"),
        ("archive persons {archive} --to csv", ""),
        ("archive list {archive} --to csv", ""),
        ("archive health {archive} --to json", ""),
        ("players {archive} --to csv", ""),
        ("reprocess {archive} -o {new}", ""),
    ],
)
def test_the_games_of_other_files_count(partly, tmp_path, command, given):
    """A damaged file is refused by its name, and no answer lacks its games without a word."""
    archive, path = partly
    done = run(*command.format(archive=archive, new=tmp_path / "new").split(), *filter(None, [given]))
    assert done.status == 1
    assert done.err.startswith(f"{path}: this part is damaged: ")
    assert "(its games are left out until you put a copy of the file back)" in done.err
    assert "1999" in done.out
    assert "1998" not in done.out.replace(path.parent.name, "")


@pytest.mark.slow
def test_pages_and_databases_say_which_games_they_lack(partly, tmp_path):
    archive, path = partly
    lacking = f"without {path.parent.name}/{path.name}"
    page, data, results = tmp_path / "record.html", tmp_path / "all.sqlite", tmp_path / "new"
    assert run("archive", "player", archive, "Cat", "-o", page).status == 1
    assert run("archive", "export", archive, data).status == 1
    assert run("reprocess", archive, "-o", results).status == 1
    for text in (page.read_text("utf-8"), (results / "summary.html").read_text("utf-8")):
        assert lacking in text
        assert "its games are left out" in text
    with closing(sqlite3.connect(data)) as made:
        assert made.execute("SELECT date FROM games").fetchall() == [("1999-05-01",)]
        assert lacking in made.execute("SELECT value FROM about WHERE name = 'sources'").fetchone()[0]


@pytest.mark.slow
def test_what_cannot_be_answered_names_the_file_that_is_missing(tmp_path):
    """Then no game is left, and nobody is found: neither is so without that file. It counts again when it is back."""
    store = Store(str(tmp_path / "archive"))
    add([game(tmp_path / "in")], store)
    path = next(Path(store.url).glob("games/year=1998/*.parquet"))
    whole = path.read_bytes()
    path.unlink()
    sql = "SELECT count(*) AS n FROM games"
    done = run("archive", "query", store.url, sql)
    assert (done.status, done.out) == (1, "")
    assert done.err == f"{path}: this part is missing (its games are left out until you put a copy of the file back)\n"
    for command in ("list", "gains"):
        done = run("archive", command, store.url)
        assert (done.status, done.err.count("\n")) == (1, 1)
    path.write_bytes(whole)
    done = run("archive", "query", store.url, sql, "--to", "csv")
    assert (done.status, done.out, done.err) == (0, "n\n1\n", "")
    assert run("archive", "verify", store.url).status == 0


@pytest.mark.slow
def test_a_first_add_that_is_killed_is_done_again(tmp_path, monkeypatch):
    """It has written its files, and no commit names them yet."""
    store = Store(str(tmp_path / "archive"))
    paths = [game(tmp_path, "a.csv", name="a")]
    with monkeypatch.context() as patch:
        patch.setattr("resultproc.archive.table._committed", lambda *given: sys.exit("killed"))
        with pytest.raises(SystemExit):
            add(paths, store)
    assert len(store.parts("games")) == 1
    with pytest.raises(InputError, match="there are no games in this archive"):
        tops(store)
    assert add(paths, store).games == len(tops(store)) == 1


@pytest.mark.parametrize("name", ["../victim/part-x.parquet", "/etc/part-x.parquet", "file:///etc/part-x.parquet"])
def test_a_log_cannot_name_files_elsewhere(tmp_path, name):
    """Neither to be read nor to be deleted, however long ago they were said to be no longer needed."""
    store = Store(str(tmp_path / "archive"))
    add([game(tmp_path, "a.csv", name="a")], store)
    victim = tmp_path / "archive" / "victim" / "part-x.parquet"
    victim.parent.mkdir()
    victim.write_bytes(b"precious")
    log = Path(store.url, "games", "_delta_log")
    whole = {path.name: path.read_bytes() for path in log.iterdir()}
    last = log / f"{len(whole):020d}.json"
    of = {"path": name, "partitionValues": {"year": "1998"}, "size": 8, "dataChange": True}
    for action in ({"add": {**of, "modificationTime": 1}}, {"remove": {**of, "deletionTimestamp": 1}}):
        last.write_text(json.dumps(action) + "\n", "utf-8")
        for command in ("verify", "compact"):
            done = run("archive", command, store.url)
            assert victim.read_bytes() == b"precious"
            if "add" in action:
                assert (done.status, "this archive is damaged: it has a file '" in done.err) == (1, True)
    assert whole.items() <= {path.name: path.read_bytes() for path in log.iterdir()}.items()


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_what_links_lead_to_is_not_removed(tmp_path):
    archive, victim = tmp_path / "archive", tmp_path / "victim" / "sub" / "thesis.parquet"
    add([game(tmp_path, "a.csv", name="a")], Store(str(archive)))
    victim.parent.mkdir(parents=True)
    saved(victim, "precious")
    os.utime(victim, (0, 0))
    (archive / "awarded").symlink_to(victim.parents[1])
    assert run("archive", "query", archive, "SELECT count(*) FROM players", "--to", "csv").printed.endswith("12\n")
    (archive / "games" / "year=2030").symlink_to(victim.parent)
    done = run("archive", "compact", archive)
    assert (done.status, "year=2030: this is a link, which is not followed (remove it)" in done.err) == (6, True)
    assert victim.read_text("utf-8") == "precious"
