"""Small parts of an archive put together: nothing that is asked of it has another answer."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from conftest import needs_library, run

pytest.importorskip("pyarrow")

from resultproc.archive.manifest import MANIFEST, PART_KINDS, ArchivePart, Arrival, File, load
from resultproc.archive.parts import TOO_MANY, compact, parts_to_join
from test_archive_history import game, tops

from resultproc.archive.add import add
from resultproc.archive.history import history, remove, restore, verify_archive
from resultproc.archive.store import Store
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
    times = ["", *(moment(f"2001-09-{day:02d}") for day in range(8, 21))]
    before = [games_of(store, time) for time in times]
    counting = tops(store)
    assert (len(load(store).parts), len(before[0]), len(counting)) == (8, 8, 6)
    assert compact(store) == (8, 2)
    assert [games_of(store, time) for time in times] == before
    assert tops(store) == counting == [42, 43, 44, 45, 46, 47]
    assert tops(store, moment("2001-09-10")) == [40, 41]
    manifest, problems, strays = verify_archive(store)
    assert (problems, strays, len(manifest.retired)) == ([], [], 8)
    written = store.read_text(MANIFEST)
    assert compact(store) == (2, 2)
    assert store.read_text(MANIFEST) == written


@pytest.mark.slow
def test_what_is_corrected_or_removed_afterwards_is(store, tmp_path):
    compact(store)
    assert add([game(tmp_path / "in", "d.csv", name="d", top=50, more="# club: N\n")], store).replaced == 1
    remove(store, ["g.csv"])
    restore(store, ["b.csv"])
    assert tops(store) == [41, 42, 43, 45, 46, 50]
    before = games_of(store)
    assert compact(store) == (3, 2)
    assert games_of(store) == before
    assert add([tmp_path / "in" / "d.csv"], store).known == 1


@pytest.mark.slow
def test_what_is_asked_has_the_same_answers(store, tmp_path):
    before = answers(store, tmp_path / "before")
    assert len({*before}) == len(before) > 10
    told = run("archive", "compact", store.url)
    assert (told.status, told.printed) == (0, "8 parts are 2 now\n")
    assert answers(store, tmp_path / "after") == before
    assert run("archive", "compact", store.url).printed == "2 parts: none can be put together\n"


@pytest.mark.slow
def test_files_stay_for_a_day_for_runs_that_read_them(store, monkeypatch):
    old = load(store)
    compact(store)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(FIRST + 11 * DAY - 1))
    compact(store)
    for kind in PART_KINDS:
        assert {part.name for part in old.parts} <= {*store.parts(kind)}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(FIRST + 11 * DAY))
    compact(store)
    left = load(store)
    for kind in PART_KINDS:
        assert store.parts(kind) == [part.name for part in left.parts]
    assert left.retired == {}
    assert verify_archive(store)[1:] == ([], [])


@pytest.mark.slow
def test_where_the_manifest_cannot_be_replaced_all_is_as_it_was(store, monkeypatch):
    before, counting = load(store), tops(store)

    def full(store, name, text, tag):
        raise OutputError("it cannot be written: no space", file=name, code="machine.failed")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "replace_text", full)
        with pytest.raises(OutputError, match="no space"):
            compact(store)
    assert (load(store), tops(store)) == (before, counting)
    assert compact(store) == (8, 2)
    assert tops(store) == counting


def test_a_damaged_part_is_not_put_together(store):
    before = store.read_text(MANIFEST)
    path = Path(store.url) / "contestants" / load(store).parts[1].name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="this part is damaged"):
        compact(store)
    assert store.read_text(MANIFEST) == before


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
    assert json.loads(store.read_text(MANIFEST) or "")["format"] == 3


@pytest.mark.slow
def test_an_add_that_cannot_put_them_together_says_what_it_has_added(tmp_path, monkeypatch):
    monkeypatch.setattr("resultproc.archive.add.TOO_MANY", 1)
    (tmp_path / "in").mkdir()
    archive = tmp_path / "archive"
    first, second = (game(tmp_path / "in", f"{name}.csv", name=name, top=top) for name, top in (("a", 40), ("b", 41)))
    assert run("archive", "add", first, "--to", archive).status == 0
    write = Store.write_bytes
    written = []

    def full(store, name, data):
        written.append(name)
        if name.startswith("games/") and len([each for each in written if each.startswith("games/")]) > 1:
            raise OutputError("it cannot be written: no space left", file=name, code="machine.full")
        write(store, name, data)

    monkeypatch.setattr(Store, "write_bytes", full)
    done = run("archive", "add", second, "--to", archive)
    assert done.status == 6
    assert "1 files: 1 games added, 0 were there already" in done.err
    assert "small parts are not put together: it cannot be written: no space left" in done.out
    assert "archive compact" in done.out
    assert tops(Store(str(archive))) == [40, 41]


def test_a_part_grows_only_so_far(store, monkeypatch):
    monkeypatch.setattr("resultproc.archive.parts.GAMES_IN_PART", 3)
    assert compact(store) == (8, 3)
    assert [part.games.rows for part in load(store).parts] == [3, 2, 3]


@pytest.mark.slow
def test_the_part_is_the_one_that_a_single_add_writes(tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    nightly, once = (Store(str(tmp_path / name)) for name in ("nightly", "once"))
    paths = [game(inbox, f"{number}.csv", name=str(number), top=40 + number) for number in range(3)]
    for path in paths:
        add([path], nightly)
    compact(nightly)
    add(paths, once)
    of_each = [[(part.games, part.contestants) for part in load(store).parts] for store in (nightly, once)]
    assert of_each[0] == of_each[1]


def made_part(night: int, games: int) -> ArchivePart:
    """Return a part of so many games that came in a night, one of 365 of its year, as a manifest has it."""
    name = f"year={2001 + night // 365}/part-{night:06d}-{0:016x}.parquet"
    return ArchivePart(name, (Arrival(f"{night:06d}", games),), File(games, ""), File(games, ""))


def test_ten_years_of_nights_are_few_parts_and_each_game_is_written_a_few_times():
    """By hand: all of the year put together every fourth night writes each game some 45 times."""
    parts: list[ArchivePart] = []
    added = written = 0
    for night in range(3650):
        games = 5 + night * 7 % 26
        added += games
        parts.append(made_part(night, games))
        for group in parts_to_join(parts, TOO_MANY):
            if len(group) > 1:
                games = sum(part.games.rows for part in group)
                written += games
                at = parts.index(group[0])
                parts[at : at + len(group)] = [replace(group[-1], name=group[0].name, games=File(games, ""))]
        assert len(parts) < night // 365 + 1 + TOO_MANY
    assert 3 * added < written < 12 * added


def test_what_comes_late_to_other_years_is_put_together_as_well():
    parts = [made_part(0, 6000), made_part(365, 3000), *(made_part(365 + night, 1) for night in (1, 2))]
    late = [replace(made_part(night, 1), added=(Arrival("000300", 1),)) for night in (1, 2)]
    assert [len(group) for group in parts_to_join(sorted([*parts, *late], key=str), TOO_MANY)] == [3, 1, 2]
