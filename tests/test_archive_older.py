"""Archives of versions before they were Delta tables are taken over, and left as they were."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from conftest import run
from samples import SAMPLES, real

pytest.importorskip("deltalake")

from older_archives import make_older, seal
from test_archive_history import game, tops

from resultproc.archive.add import add, refused_files
from resultproc.archive.history import history, remove, restore
from resultproc.archive.store import Store
from resultproc.model.dates import moment

TIMES = ("2001-09-08", "2001-09-09", "2001-09-10", "2001-09-11", "2001-09-12", "")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the folder of an archive of three games: one corrected a day later, another removed on the third."""
    folder = tmp_path_factory.mktemp("made")
    store = Store(str(folder / "archive"))
    with pytest.MonkeyPatch.context() as patch:
        for day, games in enumerate(([("a", 40), ("b", 41)], [("a", 45), ("c", 42)])):
            patch.setenv("SOURCE_DATE_EPOCH", str(1_000_000_000 + day * 86_400))
            add([game(folder, f"{name}.csv", name=name, top=top) for name, top in games], store)
        patch.setenv("SOURCE_DATE_EPOCH", str(1_000_000_000 + 2 * 86_400))
        remove(store, ["b.csv"])
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(store: Store, as_of: str = "") -> list[dict[str, object]]:
    return history(store, moment(as_of) if as_of else "").drop(columns=["part", "row"]).to_dict("records")


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
def test_all_that_it_has_had_is_taken_over(made, tmp_path, version):
    store, old, new = Store(str(made / "archive")), tmp_path / "old", Store(str(tmp_path / "new"))
    make_older(store, old, version)
    (old / "aliases.csv").write_text("player,member,club,is\nAnn a,,,Ann Other\n", "utf-8")
    refused = [{"file": "in/x.csv", "club": "", "since": "2026-05-05T00:00:00Z", "problems": []}]
    (old / "refused.json").write_text(json.dumps(refused), "utf-8")
    before = contents(old)
    done = run("archive", "upgrade", old, new.url)
    assert (done.status, done.out) == (
        0,
        f"2 games taken over, and 2 versions that count no more; {old} is as it was\n",
    )
    assert contents(old) == before
    for time in TIMES:
        assert told(new, time) == told(store, time)
    assert tops(new) == [42, 45]
    assert new.read_text("aliases.csv") == (old / "aliases.csv").read_text("utf-8")
    assert refused_files(new) == refused
    # What was removed or replaced there is known here, and can be restored.
    assert add([made / "b.csv"], new).removed == 1
    restore(new, ["b.csv"])
    assert tops(new) == [41, 42, 45]
    assert run("archive", "verify", new.url).status == 0


def test_the_first_ones_say_neither_when_nor_what_became_of_a_game(made, tmp_path):
    old, new = tmp_path / "old", Store(str(tmp_path / "new"))
    make_older(Store(str(made / "archive")), old, 1, without=("content_hash", "results"))
    done = run("archive", "upgrade", old, new.url)
    assert done.out.startswith("4 games taken over, and 0 versions that count no more")
    assert len(told(new, "1990-01-01")) == 4
    assert tops(new, moment("1990-01-01")) == [40, 41, 42, 45]


@pytest.mark.parametrize("command", ["list", "verify", "compact", "remove x", "add"])
def test_every_other_command_says_how(made, tmp_path, command):
    old = tmp_path / "old"
    make_older(Store(str(made / "archive")), old, 2)
    before = contents(old)
    name, *more = command.split()
    done = run("archive", "add", made, "--to", old) if name == "add" else run("archive", name, old, *more)
    assert done.status == 1
    assert "this archive is of an older version of resultproc" in done.err
    assert f"resultproc archive upgrade {old} NEW" in done.err
    assert contents(old) == before


def test_what_is_no_older_archive_and_what_is_in_the_way(made, tmp_path):
    done = run("archive", "upgrade", made / "archive", tmp_path / "new")
    assert (done.status, "there is no archive of an older version here" in done.err) == (1, True)
    make_older(Store(str(made / "archive")), tmp_path / "old", 2)
    for new in (made / "archive", tmp_path / "old" / "new"):
        done = run("archive", "upgrade", tmp_path / "old", new)
        assert (done.status, "there is an archive here already" in done.err) == (6, True)


def test_a_damaged_one_is_refused(made, tmp_path):
    old = tmp_path / "old"
    make_older(Store(str(made / "archive")), old, 2)
    manifest = old / "manifest.json"
    whole = manifest.read_text("utf-8")
    manifest.write_text(whole.replace('"rows": ', '"rows": 1'), "utf-8")
    done = run("archive", "upgrade", old, tmp_path / "new")
    assert (done.status, "the manifest of this archive is damaged" in done.err) == (1, True)
    manifest.write_text(whole, "utf-8")
    path = next((old / "contestants").rglob("*.parquet"))
    whole_part = path.read_bytes()
    path.write_bytes(whole_part[:-9] + b"x" + whole_part[-8:])
    done = run("archive", "upgrade", old, tmp_path / "new")
    assert (done.status, f"{path.name}: this part is damaged" in done.err) == (1, True)
    assert "there are no games in this archive" in run("archive", "list", tmp_path / "new").err
    path.write_bytes(whole_part)
    assert run("archive", "upgrade", old, tmp_path / "new").status == 0


def test_a_manifest_cannot_name_files_elsewhere(made, tmp_path):
    old = tmp_path / "old"
    make_older(Store(str(made / "archive")), old, 2)
    body = (old / "manifest.json").read_text("utf-8").rpartition('\n"sha256"')[0]
    seal(old, re.sub(r"year=[0-9]+/part-", "../../year=1998/part-", body))
    done = run("archive", "upgrade", old, tmp_path / "new")
    assert (done.status, "it names a part '../../year=1998/part-" in done.err) == (1, True)


@real
def test_an_archive_whose_manifest_names_files_to_delete_deletes_none(tmp_path):
    """Its retired parts lie outside of it, long since due to be removed."""
    copytree(SAMPLES / "hostile2", tmp_path / "hostile")
    for path in (tmp_path / "hostile").rglob("*"):
        path.chmod(0o755)
    before = contents(tmp_path / "hostile")
    archive = tmp_path / "hostile" / "archive-that-deletes"
    for command in (["compact", archive], ["verify", archive], ["upgrade", archive, tmp_path / "new"]):
        run("archive", *command)
        assert contents(tmp_path / "hostile") == before
