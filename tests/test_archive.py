"""Archives: what is added, which games are meant, and the same awards however and wherever they are reprocessed."""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")

from resultproc.batch.archive import add
from resultproc.batch.cluster import Cluster
from resultproc.batch.reprocess import PartRun, Task, read_part, reprocess
from resultproc.batch.store import Store
from resultproc.batch.summary import page, printed
from resultproc.batch.where import matching, parse
from resultproc.cli import main
from resultproc.errors import InputError, OutputError
from resultproc.frames import GAMES
from resultproc.pipeline import award_sheet, process

ROOT = Path(__file__).parent.parent

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


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for n, date in enumerate(["1998-05-01", "1998-06-01", "2004-01-31"]):
        (folder / f"game{n}.csv").write_text(GAME.format(name=n, date=date), "utf-8")
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return an archive of 500 made-up games in 25 parts."""
    folder = tmp_path_factory.mktemp("made") / "archive"
    runpy.run_path(str(ROOT / "scripts" / "make-archive"))["make"](str(folder), 500, 7, 25)
    return str(folder)


def awards(folder, kind="awards"):
    store = Store(str(folder))
    return pd.concat([store.read(kind, part).to_pandas() for part in store.parts(kind)], ignore_index=True)


def test_games_are_kept_by_year_with_their_source(inbox, tmp_path):
    store = Store(str(tmp_path / "archive"))
    added = add([inbox], store, format="csv")
    assert (added.files, added.games, added.known, added.problems) == (3, 3, 0, [])
    assert [part.split("/")[0] for part in store.parts("games")] == ["year=1998", "year=2004"]
    games = store.read("games", store.parts("games")[1]).to_pandas()
    assert games["id_in_source"].tolist() == ["game2"]
    assert games["source"].tolist() == ["game2.csv"]
    assert games["source_hash"].str.len().tolist() == [64]


def test_a_game_is_added_once_whatever_file_holds_it(inbox, tmp_path):
    store = Store(str(tmp_path / "archive"))
    add([inbox], store, format="csv")
    lines = (inbox / "game0.csv").read_text("utf-8").splitlines(keepends=True)
    # The same game in another file, its rows in another order.
    (inbox / "again.csv").write_text("".join(lines[:5] + lines[:4:-1]), "utf-8")
    again = add([inbox], store, format="csv")
    assert (again.games, again.known) == (0, 4)


def test_bad_files_are_told_and_the_others_added(inbox, tmp_path, capsys):
    (inbox / "bad.csv").write_text("number,player1\n1,Ann\n", "utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["archive", "add", str(inbox), "--to", str(tmp_path / "archive"), "--from", "csv"])
    out, err = capsys.readouterr()
    assert stop.value.code == 1
    assert json.loads(out)["file"].endswith("bad.csv")
    assert "3 games added" in err


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("", [0, 1, 2]),
        ("date >= 1998", [0, 1]),
        ("date > 1998", [1]),
        ("date <= 1998", [0]),
        ("date == 1998-05", [0]),
        ("rating == club-open AND date >= 2000", [1]),
        ("limit < 500", [1]),
        ("club != 'No Such Club'", [0, 1]),
    ],
)
def test_conditions(condition, kept):
    games = GAMES.conform(
        pd.DataFrame(
            {
                "game_id": ["a", "b", "c"],
                "date": pd.to_datetime(["1998-05-01", "2004-01-31", None]),
                "rating": ["stac", "club-open", None],
                "limit": [float("inf"), 300.0, None],
                "club": ["X", "Y", None],
            }
        )
    )
    assert [i for i, true in enumerate(matching(games, parse(condition))) if true] == kept


@pytest.mark.parametrize(
    ("condition", "message"), [("ratng == 1", "rating"), ("date", "comparison"), ("limit > x", "'x' is none")]
)
def test_conditions_that_cannot_be_read(condition, message):
    with pytest.raises(InputError, match=message):
        matching(GAMES.empty(), parse(condition))


def test_an_archive_is_awarded_like_its_files(inbox, tmp_path):
    archive = str(tmp_path / "archive")
    add([inbox], Store(archive), format="csv")
    summary = reprocess(Task(archive, str(tmp_path / "out")), Cluster().run)
    alone = process(*sorted(inbox.glob("*.csv")), format="csv")
    found = awards(tmp_path / "out")
    assert sorted(found["masterpoints"]) == sorted(alone.awards["masterpoints"])
    # 3 tables pay one place (0.40 x 3 = 1.2), 0.30 in each direction.
    total = summary[summary["stratum"] == "A"].set_index("year")
    assert total["masterpoints"].to_dict() == {1998: 2 * 60, 2004: 60}
    assert total["printed"].to_dict() == {1998: 12, 2004: 6}
    # E-W 1 is printed with 0.31; the other five agree, the unpaid ones too.
    assert total["printed_agree"].to_dict() == {1998: 2 * 5, 2004: 5}


def test_a_condition_and_another_rulebook(inbox, tmp_path):
    archive = str(tmp_path / "archive")
    add([inbox], Store(archive), format="csv")
    rules = tmp_path / "bonus.toml"
    rules.write_text('id = "bonus"\nextends = "acbl-club"\n[bonus.factor]\nvalue = 1.10\n', "utf-8")
    task = Task(archive, str(tmp_path / "out"), rules=str(rules), where="date >= 2000")
    total = reprocess(task, Cluster().run).set_index("stratum").loc["A"]
    # 0.30 x 1.10 = 0.33 in each direction, where the day's rules pay 0.30.
    assert (total["masterpoints"], total["in_force_masterpoints"], total["changed"]) == (66, 60, 2)


def test_games_that_cannot_be_awarded_are_told(inbox, tmp_path):
    archive = str(tmp_path / "archive")
    text = (inbox / "game0.csv").read_text("utf-8")
    (inbox / "norating.csv").write_text(text.replace("# rating: club-open\n", "").replace("Ann", "Amy"), "utf-8")
    add([inbox], Store(archive), format="csv")
    summary = reprocess(Task(archive, str(tmp_path / "out")), Cluster().run)
    assert summary["failed"].sum() == 1
    problems = awards(tmp_path / "out", "problems")
    assert problems["what"].tolist() == ["rating is not declared"]
    assert len(awards(tmp_path / "out")) == 18


def test_the_work_of_an_interrupted_run_is_not_done_again(made, tmp_path):
    out = str(tmp_path / "out")
    done = []

    def interrupted(work, parts):
        for part in parts[:10]:
            work(part)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reprocess(Task(made, out), interrupted)
    reprocess(Task(made, out), lambda work, parts: [done.append(part) or work(part) for part in parts])
    assert len(done) == 15
    reprocess(Task(made, str(tmp_path / "whole")), Cluster().run)
    assert awards(out).equals(awards(tmp_path / "whole"))


def test_another_run_does_not_mix_into_a_folder(made, tmp_path):
    reprocess(Task(made, str(tmp_path / "out"), where="date < 1996"), Cluster().run)
    with pytest.raises(OutputError, match="other settings"):
        reprocess(Task(made, str(tmp_path / "out")), Cluster().run)


def test_a_damaged_part_is_named(made, tmp_path):
    store = Store(str(tmp_path / "archive"))
    for part in Store(made).parts("games")[:1]:
        for kind in ("games", "contestants"):
            store.write_table(kind, part, Store(made).read(kind, part))
    path = next((tmp_path / "archive" / "contestants").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match=path.name):
        reprocess(Task(store.url, str(tmp_path / "out")), Cluster().run)


def test_an_empty_archive(tmp_path):
    with pytest.raises(InputError, match="no games"):
        reprocess(Task(str(tmp_path), str(tmp_path / "out")), Cluster().run)


def test_games_by_themselves_get_what_they_get_together(made):
    sheet = read_part(Store(made), Store(made).parts("games")[3])
    together = award_sheet(sheet)
    for game_id in sheet.games["game_id"][:5]:
        mine = (frame[frame["game_id"] == game_id].reset_index(drop=True) for frame in sheet)
        alone = award_sheet(type(sheet)(*mine))
        here = (together.contestants["game_id"] == game_id).to_numpy()
        assert together.awards.loc[here, "masterpoints"].tolist() == alone.awards["masterpoints"].tolist()


class Slowly(PartRun):
    """The work on a part, slowed down so that it can be disturbed."""

    def __call__(self, part):
        time.sleep(0.2)
        super().__call__(part)


def test_a_lost_worker_changes_nothing(made, tmp_path, monkeypatch):
    from dask.distributed import LocalCluster

    monkeypatch.setattr("resultproc.batch.reprocess.PartRun", Slowly)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    out = tmp_path / "out"
    killed = []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=60, host="127.0.0.1"
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def kill():
            while len(list(out.glob("summary/*/*.parquet"))) < 5:
                time.sleep(0.02)
            os.kill(pids[0], signal.SIGKILL)
            killed.append(len(list(out.glob("summary/*/*.parquet"))))

        killer = threading.Thread(target=kill)
        killer.start()
        reprocess(Task(made, str(out)), Cluster(scheduler=cluster.scheduler_address).run)
        killer.join()
    assert 5 <= killed[0] < 25
    monkeypatch.undo()
    reprocess(Task(made, str(tmp_path / "undisturbed")), Cluster().run)
    for kind in ("awards", "candidates", "summary"):
        assert awards(out, kind).equals(awards(tmp_path / "undisturbed", kind))


def test_no_scheduler_there(made, tmp_path):
    with pytest.raises(InputError, match="does not answer"):
        reprocess(Task(made, str(tmp_path / "out")), Cluster(scheduler="tcp://127.0.0.1:1").run)


def test_the_command_prints_its_summary(inbox, tmp_path, capsys):
    archive = str(tmp_path / "archive")
    add([inbox], Store(archive), format="csv")
    main(["reprocess", archive, "-o", str(tmp_path / "out"), "--to", "json"])
    rows = json.loads(capsys.readouterr().out)["summary"]
    assert {row["masterpoints"] for row in rows if row["stratum"]} == {"1.20", "0.60"}
    html = (tmp_path / "out" / "summary.html").read_text("utf-8")
    assert "<svg" in html
    assert "1.20" in html


def test_names_do_not_become_markup():
    summary = pd.DataFrame({"year": [2000], "rating": ["<b>x"], "stratum": ["A"]}).assign(
        **dict.fromkeys(
            ["games", "contestants", "paid", "masterpoints", "printed", "printed_agree", "printed_masterpoints"], 1
        ),
        **dict.fromkeys(["in_force", "in_force_masterpoints", "changed", "failed"], 1),
    )
    assert "<b>x" not in page(summary)
    assert "<b>x" in printed(summary, "csv")
