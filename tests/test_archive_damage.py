"""What is damaged or missing in an archive is refused, or does no harm."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ALL, PROJECT, needs_library, run

pytest.importorskip("deltalake")

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
    for n in range(2):
        add([game(inbox, f"{n}.csv", name=str(n), top=40 + n)], store)
    one, two = (Path(store.place(f"games/{part.name}")) for part in load(store).parts)
    one.write_bytes(two.read_bytes())
    with pytest.raises(InputError, match=f"{one.name}: this part is damaged"):
        tops(store)


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


@pytest.mark.slow
def test_the_games_of_other_files_count(tmp_path):
    """A damaged file is refused by its name; when it is taken away from the table, the others can be read."""
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    add([game(inbox)], store)
    add([game(inbox, "other.csv", name="y", date="1999-05-01", top=12)], store)
    path = next(Path(store.url).glob("games/year=1998/*.parquet"))
    path.write_bytes(path.read_bytes()[:-100])
    done = run("archive", "verify", store.url)
    assert (done.status, f"{path.name}: this part is damaged" in done.err) == (1, True)
    assert "1999" not in done.err


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
