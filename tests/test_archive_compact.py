"""Small files of an archive put together: nothing that is asked of it has another answer."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from conftest import needs_library, run

pytest.importorskip("deltalake")

import pyarrow as pa
import pyarrow.parquet as pq
from test_archive_history import game, tops

from resultproc.archive.add import add
from resultproc.archive.history import history, remove, restore, verify_archive
from resultproc.archive.store import Store
from resultproc.archive.table import compact, load, opened
from resultproc.model.dates import moment
from resultproc.model.errors import InputError, OutputError

needs_library("distributed")

DAY = 86_400
FIRST = 1_000_000_000
"""2001-09-09, when the first game is added."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    """Return the folder of an archive of eight nights in two years: games are corrected, removed and restored.

    The third night's file has a column that the others lack.
    """
    folder = tmp_path_factory.mktemp("nights")
    store, inbox = Store(str(folder / "archive")), folder / "in"
    inbox.mkdir()
    nights = [("a", 40), ("b", 41), ("c", 42), ("a", 43), ("d", 44), ("e", 45), ("f", 46), ("g", 47)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("resultproc.archive.add.TOO_MANY", 30)
        for number, (name, top) in enumerate(nights):
            patch.setenv("SOURCE_DATE_EPOCH", str(FIRST + number * DAY))
            date = "1999-05-01" if name in "efg" else "1998-05-01"
            path = game(inbox, f"{name}.csv", name=name, top=top, date=date, more="# club: N\n")
            if name == "c":
                text = path.read_text("utf-8").replace("score\n", "score,player3\n").replace(",42\n", ",42,Zoe\n")
                path.write_text(text, "utf-8")
            assert add([path], store).games == 1
        for number, (change, name) in enumerate([(remove, "b.csv"), (remove, "e.csv"), (restore, "e.csv")], 8):
            patch.setenv("SOURCE_DATE_EPOCH", str(FIRST + number * DAY))
            change(store, [name])
    return folder


@pytest.fixture
def store(nights, tmp_path, monkeypatch):
    """Return a copy of that archive, at the time of its last change."""
    copytree(nights, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(FIRST + 10 * DAY))
    return Store(str(tmp_path / "archive"))


def games_of(store: Store, as_of: str = "") -> list[dict[str, object]]:
    """Return the history of an archive, but for the parts that the games are in."""
    return history(store, as_of).drop(columns=["part", "row"]).to_dict("records")


EVERYTHING = """SELECT g.*, c.*, d.* FROM games g JOIN contestants c USING (game_id)
    LEFT JOIN candidates d USING (game_id, section, direction, number) ORDER BY ALL"""


def answers(store: Store, folder: Path) -> list[str]:
    """Return what the program prints about an archive: lists, the awards now and earlier, the players."""
    found = []
    for as_of in ([], ["--as-of", "2001-09-11"]):
        out = folder / f"awarded{len(found)}"
        assert run("reprocess", store.url, "-o", out, *as_of).status == 0
        found += [path.read_text("utf-8") for path in sorted(out.glob("*.csv"))]
        if not as_of:
            found.append(run("archive", "query", out, EVERYTHING, "--to", "csv").printed)
        found.append(run("archive", "list", store.url, "--history", "--to", "csv", *as_of).printed)
    return [*found, run("archive", "persons", store.url, "--to", "csv").printed]


@pytest.mark.slow
def test_history_and_every_time_stay_as_they_were(store):
    times = ["", *(moment(f"2001-09-{day:02d}") for day in (8, 11, 12, 17, 18))]
    before = [games_of(store, time) for time in times]
    counting = tops(store)
    # A file of each night; the ones of the game that was corrected, and of those removed, are others now.
    assert (len(load(store).parts), len(before[0]), len(counting)) == (9, 8, 6)
    assert compact(store) == (9, 2)
    assert [games_of(store, time) for time in times] == before
    assert tops(store) == counting == [42, 43, 44, 45, 46, 47]
    assert tops(store, moment("2001-09-10")) == [40, 41]
    files, games, problems, strays = verify_archive(store)
    assert (files, games, problems) == (2, 6, [])
    assert len(strays) == 9 + 3  # those that were put together, and the three in which a game ended
    assert compact(store) == (2, 2)


@pytest.mark.slow
def test_what_is_corrected_or_removed_afterwards_is(store, tmp_path):
    compact(store)
    assert add([game(tmp_path / "in", "d.csv", name="d", top=50, more="# club: N\n")], store).replaced == 1
    remove(store, ["g.csv"])
    restore(store, ["b.csv"])
    assert tops(store) == [41, 42, 43, 45, 46, 50]
    before = games_of(store)
    assert compact(store) == (4, 2)
    assert games_of(store) == before
    assert add([tmp_path / "in" / "d.csv"], store).known == 1


@pytest.mark.slow
def test_what_is_asked_has_the_same_answers(store, tmp_path):
    before = answers(store, tmp_path / "before")
    assert len({*before}) == len(before) > 10
    told = run("archive", "compact", store.url)
    assert (told.status, told.printed) == (0, "9 files are 2 now\n")
    assert answers(store, tmp_path / "after") == before
    assert run("archive", "compact", store.url).printed == "2 files: none can be put together\n"


WEEK = 7 * DAY


@pytest.mark.slow
def test_files_stay_for_a_week_for_runs_that_read_them(store):
    """What the library has noted of when a file was no longer needed is as of now: here that is put back in time."""
    old = load(store)
    compact(store)
    names = {*store.parts("games")}
    assert {part.name for part in old.parts} <= names
    left = [part.name for part in load(store).parts]
    for path in [*Path(store.url).glob("games/*/*"), *Path(store.url).glob("games/_delta_log/*")]:
        os.utime(path, (path.stat().st_mtime - 2 * WEEK,) * 2)
    stray = Path(store.url, "games", "year=1998", "part-of-a-killed-run.parquet")
    stray.write_bytes(b"half")
    compact(store)
    assert stray.exists()
    os.utime(stray, (stray.stat().st_mtime - 2 * WEEK,) * 2)
    log = Path(store.url, "games", "_delta_log")
    for path in log.glob("*.json"):
        path.write_text(re.sub('("deletionTimestamp":)[0-9]+', r"\g<1>1000000000000", path.read_text("utf-8")), "utf-8")
    compact(store)
    assert store.parts("games") == left
    assert verify_archive(store)[2:] == ([], [])


@pytest.mark.slow
def test_where_the_log_cannot_be_written_all_is_as_it_was(store, monkeypatch):
    from deltalake.table import TableOptimizer

    before, counting = load(store), tops(store)

    def full(*given, **options):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(TableOptimizer, "compact", full)
        with pytest.raises(OutputError, match="no space"):
            compact(store)
    assert (load(store), tops(store)) == (before, counting)
    assert compact(store) == (9, 2)
    assert tops(store) == counting


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no limit for the size of files there")
def test_where_there_is_no_room_the_library_does_not_fall_over(store):
    """It would print how, as it does for a full disk, before it says what is wrong."""
    import resource

    before = load(store)
    done = subprocess.run(
        # With -B: without it, this limit may cut what Python keeps of modules that it imports for the first time.
        [sys.executable, "-B", "-m", "resultproc", "archive", "compact", store.url],
        capture_output=True,
        check=False,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.startswith(store.url)
    assert "it cannot be written" in done.stderr
    assert "panicked" not in done.stderr
    assert load(store) == before


def test_what_is_read_is_in_memory_of_arrow(store):
    """A thread of Arrow that freed memory of Python's while the program ends would abort it."""
    part = load(store).parts[0]
    before = pa.total_allocated_bytes()
    opened(store, part)  # which is held until the next one is
    assert pa.total_allocated_bytes() - before >= part.size


def test_a_damaged_file_is_not_put_together(store):
    before = load(store)
    path = Path(store.url) / "games" / before.parts[1].name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="this part is damaged"):
        compact(store)
    assert load(store) == before


@pytest.mark.slow
def test_a_value_that_another_program_changed_is_noticed(store):
    """What the library writes has no sums of its pages: the hashes tell of a value that is another."""
    compact(store)
    part = load(store).parts[0]
    path = Path(store.path_of(f"games/{part.name}"))
    table = pq.read_table(path)
    row = table.column_names.index("club")
    pq.write_table(table.set_column(row, "club", pa.array(["M"] * len(table))), path)
    with pytest.raises(InputError, match=f"{path.name}: this part is damaged: its games are not what was written"):
        tops(store)
    seats = table["contestants"].to_pylist()
    seats[2][0]["score"] += 0.5
    nested = table.column_names.index("contestants")
    pq.write_table(table.set_column(nested, "contestants", pa.array(seats, table["contestants"].type)), path)
    assert [each.code for each in verify_archive(store)[2]] == ["archive.damaged"]
    with pytest.raises(InputError, match="its contestants are not what was written"):
        tops(store)


@pytest.mark.slow
def test_an_add_that_leaves_too_many_puts_them_together(tmp_path, monkeypatch):
    monkeypatch.setattr("resultproc.archive.add.TOO_MANY", 3)
    store = Store(str(tmp_path / "archive"))
    (tmp_path / "in").mkdir()
    parts = []
    for number in range(8):
        add([game(tmp_path / "in", f"{number}.csv", name=str(number), top=40 + number)], store)
        parts.append(len(load(store).parts))
    assert parts == [1, 2, 3, 1, 2, 3, 1, 2]
    assert tops(store) == [40 + number for number in range(8)]


@pytest.mark.slow
def test_an_add_that_cannot_put_them_together_says_what_it_has_added(tmp_path, monkeypatch):
    from deltalake.table import TableOptimizer

    monkeypatch.setattr("resultproc.archive.add.TOO_MANY", 1)
    (tmp_path / "in").mkdir()
    archive = tmp_path / "archive"
    first, second = (game(tmp_path / "in", f"{name}.csv", name=name, top=top) for name, top in (("a", 40), ("b", 41)))
    add([first], Store(str(archive)))

    def full(*given, **options):
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(TableOptimizer, "compact", full)
    done = run("archive", "add", second, "--to", archive)
    assert done.status == 6
    assert "1 files: 1 games added, 0 were there already" in done.err
    assert "small files are not put together: it cannot be written: " in done.out
    assert "archive compact" in done.out
    assert tops(Store(str(archive))) == [40, 41]


def test_a_file_grows_only_so_far(store, monkeypatch):
    """What is large enough is left alone."""
    monkeypatch.setattr("resultproc.archive.table.FULL", 1000)
    assert compact(store) == (9, 9)
