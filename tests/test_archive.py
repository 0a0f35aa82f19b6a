"""Archives: what is added, which games are meant, and the same awards however and wherever they are reprocessed."""

import errno
import hashlib
import json
import logging
import os
import runpy
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pandas as pd
import pytest
from batches import two_workers
from conftest import FIXTURES, PROJECT, needs_library, run, saved
from jsonschema import Draft202012Validator

pytest.importorskip("deltalake")

import pyarrow.parquet as pq
from disturbed import Slowly, ending, ending_reading

from resultproc.archive import add as archive
from resultproc.archive.add import add, game_ids
from resultproc.archive.reprocess import PartRun, Task, read_part, reprocess
from resultproc.archive.selected import select_games
from resultproc.archive.store import Store
from resultproc.archive.table import current_parts, opened
from resultproc.cli.messages import Style
from resultproc.cli.reprocess import dask_told
from resultproc.formats.loaded import load_source
from resultproc.formats.read import drafted
from resultproc.model.errors import InputError, OutputError, RulebookError
from resultproc.model.files import PARTIAL
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet
from resultproc.model.work import Cluster
from resultproc.pages.result import schema
from resultproc.people.aliases import Aliases
from resultproc.rulebooks.load import rulebook, tables_hash, tables_here
from resultproc.stages.pipeline import award_sheet, process

needs_library("distributed")

GAME = """# event: Game {name}
# date: {date}
# rating: club-open
# tables: 3
section,direction,number,player1,player2,score,printed_award
A,N-S,1,Ann {name},Bob,40,0.30
A,N-S,2,Cat,Dan,30,
A,N-S,3,Eve,Fay,20,
A,E-W,1,Gus,Hal,40,0.31
A,E-W,2,Ida,Jon,30,
A,E-W,3,Kim,Lee,20,
"""


def filled(folder):
    """Return a folder with three games."""
    folder.mkdir()
    for n, date in enumerate(["1998-05-01", "1998-06-01", "2004-01-31"]):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, date=date), "utf-8")
    return folder


@pytest.fixture
def inbox(tmp_path):
    return filled(tmp_path / "in")


@pytest.fixture(scope="module")
def of_three(tmp_path_factory):
    """Return the folder of three games, and where an archive has them."""
    folder = tmp_path_factory.mktemp("three")
    files = filled(folder / "in")
    assert add([files], Store(str(folder / "archive")), format="csv").games == 3
    return files, str(folder / "archive")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return an archive of 60 made-up games in 6 parts."""
    folder = tmp_path_factory.mktemp("made") / "archive"
    runpy.run_path(str(PROJECT / "scripts" / "make-archive"))["make"](str(folder), 60, 7, 6)
    return str(folder)


@pytest.fixture(scope="module")
def awarded(made, tmp_path_factory):
    """Return the folder of its results, made by a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("awarded")
    reprocess(Task(made, str(folder)), Cluster().run)
    return folder


def awards(folder, kind="awards"):
    store = Store(str(folder))
    return pd.concat([store.opened(kind, part).read().to_pandas() for part in store.parts(kind)], ignore_index=True)


@pytest.mark.slow
def test_games_are_kept_by_year_with_their_source(inbox, tmp_path):
    store = Store(str(tmp_path / "archive"))
    added = add([inbox], store, format="csv")
    assert (added.files, added.games, added.known, added.problems) == (3, 3, 0, [])
    assert [part.split("/")[0] for part in store.parts("games")] == ["year=1998", "year=2004"]
    games = store.opened("games", store.parts("games")[1]).read().to_pandas()
    assert games["id_in_source"].tolist() == ["game2"]
    assert games["source"].tolist() == ["game2.csv"]
    assert games["source_hash"].tolist() == [hashlib.sha256((inbox / "game2.csv").read_bytes()).hexdigest()]


@pytest.mark.slow
def test_a_file_that_is_replaced_while_it_is_read_is_added_as_it_was_read(inbox, tmp_path, monkeypatch):
    before = (inbox / "game1.csv").read_bytes()

    def replacing(source, **keys):
        (inbox / source.name).write_text("replaced", "utf-8")
        return drafted(source, **keys)

    monkeypatch.setattr("resultproc.archive.add.drafted", replacing)
    store = Store(str(tmp_path / "archive"))
    added = add([inbox / "game1.csv"], store)
    assert (added.files, added.games, added.problems) == (1, 1, [])
    hashes = [
        name for part in store.parts("games") for name in store.opened("games", part).read()["source_hash"].to_pylist()
    ]
    assert hashes == [hashlib.sha256(before).hexdigest()]


@pytest.mark.slow
def test_a_game_is_added_once_whatever_file_holds_it(inbox, tmp_path):
    store = Store(str(tmp_path / "archive"))
    add([inbox], store, format="csv")
    lines = (inbox / "game0.csv").read_text("utf-8").splitlines(keepends=True)
    # The same game in another file, its rows in another order.
    (inbox / "again.csv").write_text("".join(lines[:5] + lines[:4:-1]), "utf-8")
    again = add([inbox], store, format="csv")
    assert (again.games, again.known) == (0, 4)


@pytest.mark.slow
def test_a_game_is_the_same_beside_others_and_however_its_names_are_written(inbox, tmp_path):
    store = Store(str(tmp_path / "archive"))
    add([inbox / "game0.csv"], store, format="csv")
    text = (inbox / "game0.csv").read_text("utf-8").replace("score,", "score,player3,").replace("Bob,40,", "BOB,40,,")
    text = text.replace("Ann 0,BOB", "BOB,Ann 0").replace("section,", "game_id,section,").replace(",30,", ",30,,")
    text = text.replace(",20,", ",20,,").replace(",40,0", ",40,,0").replace("\nA,", "\nfirst,A,")
    # Beside it a game of three to a team, so that the file has more columns.
    (inbox / "two.csv").write_text(text + "second,B,N-S,1,X,Y,50,Z,\nsecond,B,N-S,2,U,V,40,W,\n", "utf-8")
    again = add([inbox / "two.csv"], store, format="csv", keys={"tables": "A=3, B=1"})
    assert (again.problems, again.games, again.known) == ([], 1, 1)


def test_other_matches_of_a_knockout_are_another_game():
    def teams(*rounds):
        first, second = pd.DataFrame({"number": ["1", "2"]}), dict(enumerate(rounds, 1))
        columns = {f"round{n}": list(marks) for n, marks in second.items()}
        return first.assign(section="A", game_id="k", eligible=True, **columns)

    games = GAMES.conform(pd.DataFrame({"game_id": ["k"]}))
    ids = [
        game_ids(Sheet(games, CONTESTANTS.conform(frame)))["k"]
        for frame in (teams(("W 2", "L 1")), teams(("L 2", "W 1")), teams(("W 2", "L 1"), (None, None)))
    ]
    assert ids[0] == ids[2] != ids[1]


def live(folder, name, change):
    """Write a game as the results site publishes it, with something changed in it."""
    event = json.loads((FIXTURES / "made-wednesday.json").read_text("utf-8"))
    change(event, event["sessions"][0]["sections"][0]["pair_summaries"])
    (folder / f"{name}.json").write_text(json.dumps({**event, "name": name, "id": f"{event['id']}{name}"}), "utf-8")


@pytest.mark.slow
def test_a_harvest_of_the_results_site(tmp_path):
    folder = tmp_path / "harvest"
    folder.mkdir()
    live(folder, "whole", lambda event, pairs: None)
    live(
        folder,
        "ids",
        lambda event, pairs: [p.update(id_number=x) for p, x in zip(pairs[0]["players"], ("tmp:Ü", -5), strict=True)],
    )
    live(
        folder, "no ids", lambda event, pairs: [player.pop("id_number") for pair in pairs for player in pair["players"]]
    )
    live(folder, "no method", lambda event, pairs: event.pop("board_scoring_method"))
    live(folder, "no date", lambda event, pairs: event.pop("start_date"))
    live(folder, "no boards", lambda event, pairs: event["sessions"][0]["sections"][0].pop("boards"))
    live(folder, "one player", lambda event, pairs: pairs[0]["players"].pop())
    live(folder, "no score", lambda event, pairs: pairs[0].update(score=None, percentage=None))
    live(folder, "no rating", lambda event, pairs: event.pop("rating"))
    live(folder, "no results", lambda event, pairs: pairs.clear())
    live(folder, "letters", lambda event, pairs: pairs[0].update(score="abc"))
    (folder / "cut off.json").write_bytes((folder / "whole.json").read_bytes()[:9000])
    (folder / "twice.json").write_bytes((folder / "whole.json").read_bytes())
    archive = Store(str(tmp_path / "archive"))
    added = add([folder], archive)
    assert (added.files, added.games, added.known) == (13, 9, 1)
    expected = ["cut off.json", "letters.json", "no results.json"]
    assert [Path(problem["file"]).name for problem in added.problems] == expected
    reprocess(Task(archive.url, str(tmp_path / "out")), Cluster().run)
    games = awards(archive.url, "games").set_index("game_id")["event"]
    problems = awards(tmp_path / "out", "problems")
    told = dict(zip(games[problems["game_id"]], problems["what"], strict=True))
    assert told == {
        "no score": "contestant A 4 has no score to compare with the rest of its section",
        "no rating": "rating is not declared",
    }
    # The awards of the whole game are those that the site printed; the others have the same results.
    paid = awards(tmp_path / "out").set_index("game_id")
    for name in ("whole", "ids", "no ids", "no method", "no boards"):
        found = paid.loc[games.index[games == name][0]]
        assert (found["masterpoints"] == found["printed"].fillna(0)).all(), name
    (part,) = (part for part in current_parts(archive) if part.name.startswith("year=2"))
    contestants = opened(archive, part).contestants().to_pandas().set_index("game_id")
    ids = contestants.loc[games.index[games == "ids"][0]]
    assert set(ids["id1"]) | set(ids["id2"]) >= {"tmp:Ü", "-5"}


@pytest.mark.slow
@pytest.mark.parametrize("error", [ZeroDivisionError("x"), FileNotFoundError(2, "gone")])
def test_one_file_keeps_no_other_from_being_added(inbox, tmp_path, monkeypatch, error):
    def failing(path):
        if path.name == "game1.csv":
            raise error
        return load_source(path)

    monkeypatch.setattr("resultproc.archive.add.load_source", failing)
    added = add([inbox], Store(str(tmp_path / "archive")), format="csv")
    assert (added.games, [Path(p["file"]).name for p in added.problems]) == (2, ["game1.csv"])


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_files_are_read_in_their_order_by_any_number_of_processes(inbox, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(archive, "FILES_READ_TOGETHER", 1)
    (inbox / "bad.csv").write_text("number,player1\n1,Ann\n", "utf-8")
    store = Store(str(tmp_path / "archive"))
    added = add([inbox], store, format="csv", jobs=jobs)
    assert (added.files, added.games, [Path(each["file"]).name for each in added.problems]) == (4, 3, ["bad.csv"])
    expected = ["Game 0", "Game 1", "Game 2"]
    found = select_games(store, current_parts(store), Aliases(), lambda games: games["date"].notna())
    assert found.sheet.games["event"].tolist() == expected


@pytest.mark.slow
def test_a_file_that_ends_its_process_keeps_no_other_from_being_added(inbox, tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "read_chunk", ending_reading)
    added = add([inbox], Store(str(tmp_path / "archive")), format="csv", jobs=2)
    assert (added.files, added.games, [Path(each["file"]).name for each in added.problems]) == (3, 2, ["game1.csv"])


@pytest.mark.slow
def test_a_doubtful_file_is_left_out_and_those_beside_it_are_not(inbox, tmp_path):
    path = inbox / "game1.csv"
    path.write_text(path.read_text("utf-8").replace("Ann 1,Bob", "Ann 1,Ann 1"), "utf-8")
    added = add([inbox], Store(str(tmp_path / "archive")), format="csv", strict=True)
    assert (added.games, [Path(each["file"]).name for each in added.problems]) == (2, ["game1.csv"])


def test_bad_files_are_told_and_the_others_added(inbox, tmp_path):
    (inbox / "bad.csv").write_text("number,player1\n1,Ann\n", "utf-8")
    done = run("archive", "add", inbox, "--to", tmp_path / "archive", "--from", "csv")
    assert done.status == 1
    assert json.loads(done.out)["file"].endswith("bad.csv")
    assert "3 games added" in done.err


@pytest.mark.slow
def test_an_archive_is_awarded_like_its_files(of_three, tmp_path):
    files, archive = of_three
    summary = reprocess(Task(archive, str(tmp_path / "out")), Cluster().run)
    alone = process(*sorted(files.glob("*.csv")), format="csv")
    found = awards(tmp_path / "out")
    assert sorted(found["masterpoints"]) == sorted(alone.awards["masterpoints"])
    # 3 tables pay one place (0.40 x 3 = 1.2), 0.30 in each direction.
    total = summary[summary["stratum"] == "A"].set_index("year")
    assert total["masterpoints"].to_dict() == {1998: 2 * 60, 2004: 60}
    assert total["printed"].to_dict() == {1998: 12, 2004: 6}
    # E-W 1 is printed with 0.31; the other five agree, the unpaid ones too.
    assert total["printed_agree"].to_dict() == {1998: 2 * 5, 2004: 5}


@pytest.mark.slow
def test_a_condition_and_another_rulebook(of_three, tmp_path):
    _, archive = of_three
    rules = saved(tmp_path / "bonus.toml", 'id = "bonus"\nextends = "acbl-club"\n[bonus.factor]\nvalue = 1.10\n')
    task = Task(archive, str(tmp_path / "out"), rules=str(rules), where="date >= 2000")
    total = reprocess(task, Cluster().run).set_index("stratum").loc["A"]
    # 0.30 x 1.10 = 0.33 in each direction, where the day's rules pay 0.30.
    assert (total["masterpoints"], total["in_force_masterpoints"], total["changed"]) == (66, 60, 2)


@pytest.mark.slow
def test_the_work_of_an_interrupted_run_is_not_done_again(made, awarded, tmp_path):
    out = str(tmp_path / "out")
    done = []

    def interrupted(work, parts):
        for part in parts[:4]:
            work(part)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reprocess(Task(made, out), interrupted)
    left = Path(out, "awards", f".half{PARTIAL}")

    def in_turn(work, parts):
        left.write_bytes(b"of a worker that was lost")
        for part in parts:
            done.append(part)
            work(part)

    reprocess(Task(made, out), in_turn)
    assert len(done) == 2
    assert not left.exists()
    assert awards(out).equals(awards(awarded))


@pytest.mark.slow
def test_two_runs_do_not_write_into_one_folder_at_once(of_three, tmp_path):
    task = Task(of_three[1], str(tmp_path / "out"))
    out = Store(task.output)
    with out.alone(), pytest.raises(OutputError, match="another run is at work in this folder"):
        reprocess(task, Cluster().run)
    assert out.parts("awards") == []
    reprocess(task, Cluster().run)
    assert len(out.parts("awards")) == 2


@pytest.mark.slow
def test_another_run_does_not_mix_into_a_folder(of_three, tmp_path):
    task = Task(of_three[1], str(tmp_path / "out"))
    reprocess(replace(task, where="date >= 2000"), Cluster().run)
    with pytest.raises(OutputError, match="other settings"):
        reprocess(task, Cluster().run)


@pytest.mark.slow
def test_a_rulebook_that_was_edited_does_not_mix_into_a_folder(of_three, tmp_path):
    _, archive = of_three
    rules = tmp_path / "bonus.toml"
    for factor in ("1.10", "1.20"):
        rules.write_text(f'id = "b"\nextends = "acbl-club"\n[bonus.factor]\nvalue = {factor}\n', "utf-8")
        rulebook.cache_clear()
        tables_hash.cache_clear()
        tables_here.cache_clear()
        task = Task(archive, str(tmp_path / "out"), rules=str(rules))
        if factor == "1.10":
            reprocess(task, Cluster().run)
    with pytest.raises(OutputError, match="other settings"):
        reprocess(task, Cluster().run)


@pytest.mark.slow
def test_a_rulebook_that_archived_games_name_and_that_was_edited_pays_them_again(inbox, tmp_path):
    rules, archive = inbox / "bonus.toml", str(tmp_path / "archive")
    game = inbox / "game0.csv"
    game.write_text(f"# rulebook: {rules.name}\n{game.read_text('utf-8')}", "utf-8")
    add([inbox], Store(archive), format="csv")
    out, meant = str(tmp_path / "out"), []
    for factor, first in (("1.10", 33), ("1.20", 36)):  # 3 tables x 0.10 = 0.30, x 1.10 = 0.33, x 1.20 = 0.36
        rules.write_text(f'id = "b"\nextends = "acbl-club"\n[bonus.factor]\nvalue = {factor}\n', "utf-8")
        for each in (rulebook, tables_hash, tables_here):
            each.cache_clear()
        reprocess(Task(archive, out), lambda work, parts: [work(part) for part in parts], ready=meant.append)
        assert {0, first} < set(awards(out)["masterpoints"]) <= {0, first, 30}
    meant[1]()
    with pytest.raises(RulebookError, match=r"other tables than this run: .*bonus\.toml"):
        meant[0]()  # as a worker that has the file as it was does


@pytest.mark.slow
def test_relative_locations_hold_in_whatever_folder_a_worker_runs(of_three, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(of_three[1], "archive")
    (tmp_path / "my.toml").write_text('id = "b"\nextends = "acbl-club"\n[bonus.factor]\nvalue = 1.10\n', "utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def in_turn(work, parts):
        monkeypatch.chdir(elsewhere)
        rulebook.cache_clear()
        for part in parts:
            work(part)

    reprocess(Task("archive", "out", rules="my.toml"), in_turn)
    # 0.30 x 1.10 = 0.33
    assert set(awards(tmp_path / "out")["masterpoints"]) == {0, 33}


@pytest.mark.slow
def test_locations_of_fsspec(inbox, tmp_path):
    store, other = Store(f"file://{tmp_path}/a (b)*? é"), Store(str(tmp_path / "history"))
    for each, out in ((store, f"{store.url}/out"), (other, "memory://out")):
        assert add([inbox], each, format="csv").games == 3
        assert add([inbox], each, format="csv").known == 3
        reprocess(Task(each.url, out), Cluster().run)
    for kind in ("awards", "candidates", "summary"):
        assert awards(f"{store.url}/out", kind).equals(awards("memory://out", kind))


def test_where_the_library_for_tables_keeps_none(inbox, tmp_path):
    local = [str(tmp_path / "a[b]"), *([] if os.name == "nt" else [str(tmp_path / "a\\b")])]
    for place, told in (("memory://history", "in S3, Azure or Google"), *((each, "has a bracket") for each in local)):
        with pytest.raises(InputError, match=told):
            add([inbox], Store(place), format="csv")
    assert not (tmp_path / "a[b]").exists()


def test_a_full_disk_is_known_by_the_words_of_other_libraries(tmp_path):
    told = f"Generic LocalFileSystem error: Unable to copy data to file {os.strerror(errno.ENOSPC)} (os error 28)"
    assert Store(str(tmp_path)).unwritable(RuntimeError(told), "games").problems[0].code == "machine.full"


@pytest.mark.slow
def test_a_full_disk_leaves_no_half_part_and_the_next_run_goes_on(made, awarded, tmp_path, monkeypatch):
    import pyarrow.parquet

    true = pyarrow.parquet.write_table
    written = []

    def filling(table, file, **options):
        if len(written) == 13:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(file)
        true(table, file, **options)

    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr("resultproc.archive.store.pq.write_table", filling)
        with pytest.raises(OutputError, match="No space left"):
            reprocess(Task(made, str(out)), Cluster().run)
    assert len(written) == 13
    assert not list(out.rglob("*partial*"))
    left = saved(out / "awards" / "year=1995" / f"part-0.parquet.0{PARTIAL}", b"of a killed run")
    reprocess(Task(made, str(out)), Cluster().run)
    assert not left.exists()
    for kind in ("awards", "candidates", "summary"):
        assert awards(out, kind).equals(awards(awarded, kind))


@pytest.mark.slow
def test_a_damaged_part_is_named(made, tmp_path):
    archive = Path(shutil.copytree(made, tmp_path / "archive"))
    path = next((archive / "games").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match=path.name):
        reprocess(Task(str(archive), str(tmp_path / "out")), Cluster().run)


@pytest.mark.slow
def test_a_bit_that_flips_in_a_page_of_values_is_noticed(made, tmp_path):
    store = Store(str(tmp_path / "archive"))
    part = Store(made).parts("games")[0]
    store.write_table("games", part, Store(made).opened("games", part).read())
    path = next((tmp_path / "archive" / "games").rglob("*.parquet"))
    group = pq.ParquetFile(path).metadata.row_group(0)
    data = path.read_bytes()
    for number in range(group.num_columns):
        column = group.column(number)
        start = column.dictionary_page_offset or column.data_page_offset
        at = start + column.total_compressed_size - 3  # the last bytes are those of the last page, after its header
        path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        with pytest.raises(InputError, match=path.name):
            store.opened("games", part).read()


@pytest.mark.slow
def test_every_part_of_a_run_says_where_it_comes_from(made, awarded):
    for path in awarded.rglob("*.parquet"):
        said = pq.read_schema(path).metadata[b"provenance"].decode()
        assert "rulebook acbl-club edition" in said
        held = (Path(made) / "games" / path.parent.name / path.name).read_bytes()
        assert f"{path.parent.name}/{path.name} sha256:{hashlib.sha256(held).hexdigest()}" in said
        assert said.endswith(f"part {path.parent.name}/{path.name}")


@pytest.mark.slow
def test_what_is_asked_of_an_archive_says_where_it_comes_from(of_three, tmp_path):
    archive = of_three[1]
    out = str(tmp_path / "out")

    def said(*command):
        found = json.loads(run(*command, "--to", "json").printed)["provenance"]
        Draft202012Validator({"$defs": schema()["$defs"], "$ref": "#/$defs/provenance"}).validate(found)
        return found

    names = sorted(Store(archive).parts("games"))
    held = hashlib.sha256("\n".join(names).encode()).hexdigest()
    ran = said("reprocess", archive, "-o", out)
    assert ran["sha256"] == held
    assert len(ran["rulebooks"]["acbl-club"]["sha256"]) == 64
    for path in (tmp_path / "out").rglob("*.parquet"):  # those of clubs and players, too
        assert b"provenance" in pq.read_schema(path).metadata
    for path in Path(archive).rglob("*.parquet"):
        assert pq.read_schema(path).metadata[b"provenance"].decode().startswith("resultproc ")
    assert said("archive", "query", out, "SELECT names FROM awards") == ran
    assert said("archive", "query", archive, "SELECT date FROM games")["sha256"] == held
    assert said("archive", "list", archive)["sha256"] == held
    for command in (
        ("archive", "columns"),
        ("rules", "list"),
        ("rules", "show", "acbl-club"),
        ("rules", "find", "gold"),
    ):
        assert said(*command)["program"] == ran["program"]
    assert "(acbl-club" in (tmp_path / "out" / "summary.html").read_text("utf-8").partition("<footer>")[2]
    game = saved(tmp_path / "game.csv", GAME.format(name="Pairs", date="2001-01-02"))
    add([game], Store(str(tmp_path / "own")))
    of_game = {"name": "game.csv", "sha256": hashlib.sha256(game.read_bytes()).hexdigest()}
    listed = run("players", tmp_path / "own", "--to", "json").printed
    assert json.loads(listed)["provenance"]["sources"] == [of_game]


def test_an_empty_archive(tmp_path):
    with pytest.raises(InputError, match="no games"):
        reprocess(Task(str(tmp_path), str(tmp_path / "out")), Cluster().run)


@pytest.mark.slow
def test_games_by_themselves_get_what_they_get_together(made):
    sheet = read_part(Store(made), current_parts(Store(made))[3])
    together = award_sheet(sheet)
    for game_id in sheet.games["game_id"][:5]:
        mine = (frame[frame["game_id"] == game_id].reset_index(drop=True) for frame in sheet)
        alone = award_sheet(type(sheet)(*mine))
        here = (together.contestants["game_id"] == game_id).to_numpy()
        assert together.awards.loc[here, "masterpoints"].tolist() == alone.awards["masterpoints"].tolist()


def test_who_sits_twice_in_a_game_of_an_archive_is_told_and_nobody_else(tmp_path):
    head, rows = GAME.format(name=1, date="1998-05-01").split("section,")
    header, *seats = [f"{row.rpartition(',')[0]},{number}" for number, row in enumerate(rows.splitlines(), 99)]
    header = f"section,{header.rpartition(',')[0]},id2"  # each partner has a number
    long = f"Maximilian {'von ' * 20}Hohenheim"  # longer than what is looked at eight letters at a time
    games = {
        "long.csv": [*seats[:5], seats[5].replace("Kim", long).replace("Lee", long)],
        "number.csv": [*seats[:5], f"{seats[5].rpartition(',')[0]},100"],
        "nobody.csv": seats,
    }
    files = [saved(tmp_path / name, "\n".join([f"{head}{header}", *said, ""])) for name, said in games.items()]
    add(files, store := Store(str(tmp_path / "archive")))
    (part,) = current_parts(store)
    sheet = read_part(store, part)
    names = dict(zip(sheet.games["game_id"], sheet.games["source"], strict=True))
    told = {names[each.game]: each.what.partition(" is in this game twice")[0] for each in sheet.remarks}
    assert told == {"long.csv": long, "number.csv": "the member number 100"}


@pytest.fixture
def workers(request, tmp_path):
    """Return where parts are worked on, two at a time, and what tells a process that does."""
    if request.param == "processes here":
        yield Cluster(jobs=2), lambda: active_children()[0].pid
        return
    with two_workers(tmp_path, os.pathsep.join(sys.path)) as (scheduler, worker):
        yield Cluster(scheduler=scheduler), lambda: worker.pid


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["processes here", "a Dask cluster"], indirect=True)
def test_a_lost_worker_changes_nothing(workers, made, awarded, tmp_path, monkeypatch):
    cluster, pid = workers
    monkeypatch.setattr("resultproc.archive.reprocess.PartRun", Slowly)
    out = tmp_path / "out"
    killed = []

    def kill():
        while len(list(out.glob("summary/*/*.parquet"))) < 3:
            time.sleep(0.02)
        os.kill(pid(), signal.SIGKILL)
        killed.append(len(list(out.glob("summary/*/*.parquet"))))
        (tmp_path / "out.disturbed").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    reprocess(Task(made, str(out)), cluster.run)
    killer.join()
    assert 3 <= killed[0] < 6
    assert len((tmp_path / "out.begun").read_text().splitlines()) <= 6 + 2  # what it had done is not done again
    assert not list(out.rglob(f"*{PARTIAL}"))
    for kind in ("awards", "candidates", "summary"):
        assert awards(out, kind).equals(awards(awarded, kind))


@pytest.mark.slow
def test_two_local_processes_say_how_far_they_are_as_one_does(of_three, tmp_path):
    _, archive = of_three
    told = []
    for jobs in (1, 2):
        reprocess(Task(archive, str(tmp_path / str(jobs))), Cluster(jobs, progress=lambda *n: told.append(n)).run)
    assert told == [(0, 2), (1, 2), (2, 2)] * 2


@pytest.mark.slow
def test_ctrl_c_stops_several_processes_quietly(made, tmp_path):
    out = tmp_path / "out"
    slowed = "import disturbed, resultproc.archive.reprocess as run; run.PartRun = disturbed.Slowly"
    command = [sys.executable, "-c", f"{slowed}; from resultproc.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "reprocess", made, "-o", str(out), "--jobs", "2"],
        env={**os.environ, "PYTHONPATH": f"{PROJECT}{os.pathsep}{PROJECT / 'tests'}"},
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while process.poll() is None and not Path(f"{out}.begun").exists():
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out_text, err_text = process.communicate(timeout=30)
    assert (process.returncode, out_text, err_text.split()) == (130, b"", [b"stopped"])


@pytest.mark.slow
def test_a_part_that_ends_every_worker_is_told():
    with pytest.raises(OutputError, match="year=1/part-x: its workers ended"):
        Cluster(jobs=2).run(ending, ["year=1/part-x"])


def test_what_dask_says_is_told_as_all_else_is(capsys, monkeypatch):
    monkeypatch.setattr("resultproc.cli.messages.STYLE", Style(for_programs=True))
    before = logging.getLogger("distributed").handlers
    with dask_told():
        logging.getLogger("distributed.client").warning("it is %s", "slow")
        logging.getLogger("asyncio").error("lost")
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("versions differ", stacklevel=1)
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [each["what"] for each in told] == ["it is slow", "lost", "versions differ"]
    assert logging.getLogger("distributed").handlers is before


@pytest.mark.slow
def test_parts_of_other_tables_are_not_taken_for_done(made, tmp_path, monkeypatch):
    """As a worker of a version that did not look at its tables would have written them."""
    out, told = tmp_path / "out", []
    monkeypatch.setattr(PartRun, "__call__", _as_if_by_others(PartRun.__call__))
    reprocess(Task(made, str(out)), Cluster().run)
    monkeypatch.undo()
    reprocess(Task(made, str(out)), Cluster().run, lambda *numbers: told.append(numbers))
    reprocess(Task(made, str(out)), Cluster().run, lambda *numbers: told.append(numbers))
    assert told == [(3, 6), (6, 6)]


def _as_if_by_others(work):
    def done(self, part):
        own = PartRun(replace(self.task, tables={})) if len(done.parts) % 2 else self
        done.parts.append(part)
        work(own, part)

    done.parts = []
    return done


@pytest.mark.slow
def test_who_has_other_tables_refuses(made, tmp_path):
    task = Task(made, str(tmp_path / "out")).anywhere()
    other = replace(task, tables={**task.tables, "acbl-club": "0" * 64, "my-own": "1" * 64})
    with pytest.raises(RulebookError, match="other tables than this run: acbl-club, my-own") as error:
        PartRun(other)(current_parts(Store(made))[0])
    assert error.value.status == 6
    assert not (tmp_path / "out" / "awards").exists()


@pytest.mark.slow
def test_the_command_prints_its_summary(of_three, tmp_path):
    _, archive = of_three
    rows = json.loads(run("reprocess", archive, "-o", tmp_path / "out", "--to", "json").printed)["summary"]
    assert {row["masterpoints"] for row in rows if row["stratum"]} == {"1.20", "0.60"}
    html = (tmp_path / "out" / "summary.html").read_text("utf-8")
    assert "<svg" in html
    assert "1.20" in html


@pytest.mark.slow
def test_nothing_that_fulfils_the_condition(of_three, tmp_path):
    done = run("reprocess", of_three[1], "-o", tmp_path / "out", "--where", "date > 2090")
    assert (done.status, done.out) == (1, "")
    assert not (tmp_path / "out").exists()
