"""What is damaged or missing in an archive is refused, or does no harm."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ALL, PROJECT, needs_library

pytest.importorskip("pyarrow")

from resultproc.archive.manifest import MANIFEST, load
from resultproc.archive.parts import compact
from test_archive_history import game, tops

from resultproc.archive.add import add
from resultproc.archive.store import Store
from resultproc.model.errors import InputError

needs_library("distributed")


@pytest.mark.slow
def test_flipped_bits_and_missing_files(tmp_path):
    """A sample of them; scripts/flip-bits does all."""
    found = runpy.run_path(str(PROJECT / "scripts" / "flip-bits"))["flipped"](tmp_path, 30011 if ALL else 60013)
    assert found["WRONG"] == 0
    # Two parts of two files each and the manifest: some of what is flipped is in the part that counts no more.
    assert found["refused"] > 2 * found["harmless"] > 6


@pytest.mark.slow
def test_runs_that_are_broken_off_are_completed_by_the_next():
    """A few of them; scripts/break-archive breaks more."""
    command = [sys.executable, PROJECT / "scripts" / "break-archive", "--times", "1", "--files", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("0 things are wrong\n")


@pytest.mark.slow
def test_parts_do_not_pass_for_one_another(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    for n in range(2):
        add([game(inbox, f"{n}.csv", name=str(n), top=40 + n)], store)
    one, two = (Path(store.url) / "contestants" / part.name for part in load(store).parts)
    one.write_bytes(two.read_bytes())
    with pytest.raises(InputError, match=f"{one.name}: this part is damaged"):
        tops(store)


@pytest.mark.slow
def test_a_damaged_archive_is_not_added_to(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    add([game(inbox)], store)
    manifest = Path(store.url) / MANIFEST
    text = manifest.read_bytes()
    manifest.write_bytes(text.replace(b'"rows": 1', b'"rows": 2'))
    with pytest.raises(InputError, match="manifest of this archive is damaged"):
        add([inbox], store)
    manifest.write_bytes(text)
    next(Path(store.url).glob("games/*/*")).unlink()
    with pytest.raises(InputError, match="this part is missing"):
        add([inbox], store)


@pytest.mark.slow
def test_a_first_add_that_is_killed_is_done_again(tmp_path, monkeypatch):
    """It has written its parts, and not yet the manifest that names them."""
    store = Store(str(tmp_path / "archive"))
    paths = [game(tmp_path, "a.csv", name="a")]
    with monkeypatch.context() as patch:
        patch.setattr("resultproc.archive.add.save", lambda store, manifest: sys.exit("killed"))
        with pytest.raises(SystemExit):
            add(paths, store)
    assert len(store.parts("games")) == 1
    with pytest.raises(InputError, match="there are no games in this archive"):
        tops(store)
    assert add(paths, store).games == len(tops(store)) == 1


def test_an_archive_of_a_later_version(tmp_path, monkeypatch):
    inbox = tmp_path / "in"
    inbox.mkdir()
    store = Store(str(tmp_path / "archive"))
    for number in range(2):
        add([game(inbox, f"{number}.csv", name=str(number))], store)
    with monkeypatch.context() as patch:
        patch.setattr("resultproc.archive.manifest.FORMAT", 2)  # as it was before parts were put together
        assert len(tops(store)) == 2
        patch.setattr("resultproc.archive.manifest.FORMAT", 1)
        with pytest.raises(InputError, match="later version of resultproc"):
            tops(store)
    compact(store)
    assert len(tops(store)) == 2
    monkeypatch.setattr("resultproc.archive.manifest.FORMAT", 2)
    with pytest.raises(InputError, match="later version of resultproc"):
        tops(store)
