"""What is in an archive, what is taken out of it and put back, whether it is whole, and games that fail."""

import csv
import io
import json
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from conftest import needs_library, run

pytest.importorskip("deltalake")

from test_archive import GAME
from test_archive_history import game, tops

from resultproc.archive.add import add
from resultproc.archive.reprocess import award_sound, remarks_in
from resultproc.archive.store import Store
from resultproc.archive.table import load
from resultproc.model.files import PARTIAL
from resultproc.stages.pipeline import award_each

needs_library("distributed")


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Return the folder of an archive of three games, and of their files; the first was corrected in 2002."""
    folder = tmp_path_factory.mktemp("three")
    with pytest.MonkeyPatch.context() as patch:
        for epoch, top in ((1_000_000_000, 40), (1_020_000_000, 45)):
            patch.setenv("SOURCE_DATE_EPOCH", str(epoch))
            game(folder / "in", "a.csv", name="a", top=top, more="# club: North\n")
            game(folder / "in", "b.csv", name="b", date="2004-01-31", top=39)
            game(folder / "in", "c.csv", name="=c", date="2004-02-01", top=38)
            add([folder / "in"], Store(str(folder / "archive")))
    return folder


@pytest.fixture
def archive(three, tmp_path):
    """Return the folder of a copy of that archive."""
    copytree(three, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "archive")


def listed(*command: str) -> list[dict[str, object]]:
    return json.loads(run("archive", "list", *command, "--to", "json").printed)["archive"]


@pytest.mark.slow
def test_the_games_of_an_archive_are_listed(archive):
    expected = [("a", "2002-04-28", "current"), ("b", "2001-09-09", "current"), ("c", "2001-09-09", "current")]
    assert [(row["game"], row["added"][:10], row["state"]) for row in listed(archive)] == expected
    rows = listed(archive, "--history")
    expected = [("a", "North", "replaced", "2002-04-28"), ("a", "North", "current", "")]
    assert [(row["game"], row["club"], row["state"], row["since"][:10]) for row in rows[:2]] == expected
    then = listed(archive, "--as-of", "2001-12-31", "--history")
    assert [(row["game"], row["state"]) for row in then] == [("a", "current"), ("b", "current"), ("c", "current")]
    sources = listed(archive, "--sources")
    expected = [("a.csv", 1, "1998-05-01"), ("b.csv", 1, "2004-01-31"), ("c.csv", 1, "2004-02-01")]
    assert [(row["source"], row["games"], row["first"]) for row in sources] == expected


@pytest.mark.slow
def test_a_list_is_for_people_and_for_sheets(archive):
    status, text, _ = run("archive", "list", archive)
    assert status == 0
    expected = ["date", "club", "event", "game", "source", "added", "state", "id", "source", "sha256"]
    assert text.splitlines()[0].split() == expected
    assert text.splitlines()[1].split()[:6] == ["1998-05-01", "North", "Game", "a", "a", "a.csv"]
    rows = list(csv.DictReader(io.StringIO(run("archive", "list", archive, "--to", "csv").printed)))
    assert [row["game"] for row in rows] == ["a", "b", "c"]
    status, _, err = run("archive", "list", archive, "--as-of", "2000-01-01")
    assert status == 0
    assert "no games in this archive at that time" in err


@pytest.mark.slow
def test_a_game_is_removed_and_put_back(archive, tmp_path):
    for name in (listed(archive)[1]["id"][:20], listed(archive)[1]["source_sha256"][:20], "b.csv", "b"):
        status, out, err = run("archive", "remove", archive, name)
        assert status == 0
        expected = [["date", "event", "game", "source"], ["2004-01-31", "Game", "b", "b", "b.csv"]]
        assert [line.split() for line in out.splitlines()] == expected
        assert err == "1 game removed\n"
        assert tops(Store(archive)) == [38, 45]
        if name != "b":
            assert run("archive", "restore", archive, name).err == "1 game restored\n"
            assert tops(Store(archive)) == [38, 39, 45]
    assert [row["state"] for row in listed(archive, "--history") if row["game"] == "b"] == ["removed"]
    # The file is still there, and does not bring it back.
    status, _, err = run("archive", "add", str(tmp_path / "in"), "--to", archive)
    assert status == 0
    assert "0 games added, 2 were there already" in err
    assert "1 game left out that you removed before" in err
    assert run("archive", "restore", archive, "b").err == "1 game restored\n"
    assert tops(Store(archive)) == [38, 39, 45]


@pytest.mark.slow
def test_names_that_are_of_none_or_of_several(archive, tmp_path):
    status, _, err = run("archive", "remove", archive, "z")
    assert status == 1
    assert "there is no game or source 'z'" in err
    status, _, err = run("archive", "restore", archive, "b")
    assert status == 1
    assert "there is no game or source 'b' that was removed" in err
    game(tmp_path / "in", "b.csv", name="b", date="2004-02-07", top=37)
    add([tmp_path / "in" / "b.csv"], Store(archive))
    status, _, err = run("archive", "remove", archive, "b")
    assert status == 1
    assert "'b' is the name of 2 games" in err
    assert "(2004-02-07)" in err
    assert tops(Store(archive)) == [37, 38, 39, 45]


@pytest.mark.parametrize("command", ["list", "verify", "compact", "remove x", "restore x"])
def test_where_there_is_no_archive(tmp_path, command):
    name, *more = command.split()
    status, _, err = run("archive", name, str(tmp_path / "typo"), *more)
    assert status == 1
    assert "there is no archive here" in err
    assert not (tmp_path / "typo").exists()


def test_an_archive_is_verified(archive):
    told = run("archive", "verify", archive)
    assert told.out == "3 files with 3 games are as they were written\n"
    assert "1 file of earlier states of the archive" in told.err  # the one in which a game was replaced
    path = Path(archive) / "games" / load(Store(archive)).parts[1].name
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] + b"x" + whole[-8:])
    status, _, err = run("archive", "verify", archive)
    assert status == 1
    assert path.name in err
    assert "this part is damaged" in err
    path.unlink()
    status, _, err = run("archive", "verify", archive)
    assert status == 1
    assert f"{path.name}: this part is missing" in err
    path.write_bytes(whole)
    (path.parent / "part-0123456789abcdef.parquet").write_bytes(b"of a killed run")
    status, _, err = run("archive", "verify", archive)
    assert status == 0
    assert "part-0123456789abcdef.parquet: no harm is done" in err


def test_an_archive_whose_log_is_lost_is_not_taken_for_none(archive, tmp_path):
    rmtree(Path(archive) / "games" / "_delta_log")
    for command in (["reprocess", archive, "-o", str(tmp_path / "out")], ["archive", "verify", archive]):
        status, _, err = run(*command)
        assert status == 1
        assert "the log of this archive is missing" in err


@pytest.mark.slow
def test_games_that_cannot_be_awarded_end_with_status_1_and_reasons(archive, tmp_path):
    path = game(tmp_path / "in", "d.csv", name="d", date="2004-03-01")
    path.write_text(path.read_text("utf-8").replace("# rating: club-open\n", ""), "utf-8")
    add([path], Store(archive))
    status, out, err = run("reprocess", archive, "-o", str(tmp_path / "out"))
    assert status == 1
    assert "d.csv" in err
    assert "rating is not declared" in err
    assert f"1 of 4 games could not be awarded; why is in {tmp_path}/out/problems" in err
    assert "2004" in out
    status, _, err = run("reprocess", archive, "-o", str(tmp_path / "out"))
    assert status == 1
    assert "3 of 3 parts were done before" in err


@pytest.mark.slow
def test_a_mistake_of_the_program_in_one_game_is_that_games_problem(archive, tmp_path, monkeypatch):
    def mistaken(sheet):
        if (sheet.games["event"] == "Game b").any():
            raise ZeroDivisionError("of all things")
        return award_each(sheet)

    monkeypatch.setattr("resultproc.archive.reprocess.award_each", mistaken)
    status, _, err = run("reprocess", archive, "-o", str(tmp_path / "out"))
    assert status == 70
    assert "this is a bug in resultproc: ZeroDivisionError: of all things" in err
    assert "b.csv" in err
    assert "1 of 3 games could not be awarded" in err
    output = Store(str(tmp_path / "out"))
    paid = [output.opened("awards", part).read()["game_id"].to_pylist() for part in output.parts("awards")]
    assert len({name for names in paid for name in names}) == 2


@pytest.mark.slow
def test_where_the_program_is_mistaken_throughout_it_does_not_try_every_game(tmp_path, monkeypatch):
    calls = []

    def mistaken(sheet):
        calls.append(len(sheet.games))
        if len(sheet.games):
            raise ZeroDivisionError
        return award_each(sheet)

    from games import falling, sheet

    games, contestants = sheet(falling("A", 4), tables="2")
    names = [f"g{n}" for n in range(1000)]
    many = type(sheet(falling("A", 4)))(
        games.loc[[0] * 1000].assign(game_id=names).reset_index(drop=True), contestants.iloc[:0]
    )
    monkeypatch.setattr("resultproc.archive.reprocess.award_each", mistaken)
    _, wrong = award_sound(many)
    assert list(wrong) == names
    assert len(calls) < 200


@pytest.mark.slow
def test_a_run_goes_on_from_what_is_as_it_was_left(archive, tmp_path):
    out = tmp_path / "out"
    assert run("reprocess", archive, "-o", str(out)).status == 0
    before = {path: path.read_bytes() for path in out.rglob("*.parquet")}
    awards, summary = (sorted(out.glob(f"{kind}/year=2004/*"))[0] for kind in ("awards", "summary"))
    for damage in (lambda: awards.unlink(), lambda: awards.write_bytes(b"PAR1"), lambda: summary.write_bytes(b"")):
        damage()
        left = awards.with_name(f".x{PARTIAL}")
        left.write_bytes(b"of a lost worker")
        status, _, err = run("reprocess", archive, "-o", str(out))
        assert status == 0
        assert "1 of 2 parts were done before" in err
        assert {path: path.read_bytes() for path in out.rglob("*.parquet")} == before
        assert not left.exists()
    # A game that is removed takes its awards along.
    assert run("archive", "remove", archive, "a").status == 0
    assert run("reprocess", archive, "-o", str(out)).status == 0
    assert {path for path in before if path.exists()} == {path for path in before if "year=2004" in str(path)}


@pytest.mark.slow
def test_an_archive_is_awarded_as_it_was(archive, tmp_path):
    status, out, _ = run("reprocess", archive, "-o", str(tmp_path / "then"), "--as-of", "2001-12-31", "--to", "csv")
    assert status == 0
    assert "1998" in out
    awards = next((tmp_path / "then" / "awards" / "year=1998").iterdir())
    old, new = (part.name.split("/")[1] for part in load(Store(archive)).parts[:2])
    assert awards.name == old
    assert run("reprocess", archive, "-o", str(tmp_path / "now")).status == 0
    assert [path.name for path in (tmp_path / "now" / "awards" / "year=1998").iterdir()] == [new]
    status, _, err = run("reprocess", archive, "-o", str(tmp_path / "none"), "--as-of", "2000-01-01")
    assert status == 1
    assert "there were no games in this archive at 2000-01-01" in err


@pytest.mark.slow
@pytest.mark.parametrize(("expected", "status"), [(1, 0), (2, 0), (3, 1)])
def test_fewer_files_than_expected_are_no_success(expected, status, tmp_path):
    (tmp_path / "in").mkdir()
    for name, day in (("a", "1998-05-01"), ("b", "1998-05-08")):
        (tmp_path / "in" / f"{name}.csv").write_text(GAME.format(name=name, date=day), "utf-8")
    for command in (("archive", "add", tmp_path / "in", "--to"), ("batch", tmp_path / "in", "-o")):
        done = run(*command, tmp_path / command[0], "--expect", expected)
        assert done.status == status
        assert ("3 files were expected, and 2 are there" in done.err) == bool(status)
    assert run("batch", tmp_path / "in", "-o", tmp_path / "out", "--expect", 2, "--watch", 1).status == 2


@pytest.mark.slow
def test_what_old_games_do_not_say_is_assumed_and_told(tmp_path):
    """Of two games one says its rating; both say their event, which stays."""
    (tmp_path / "in").mkdir()
    for name, rating in (("said", "# rating: club-open\n"), ("silent", "")):
        text = GAME.format(name=name, date="2012-05-01").replace("# rating: club-open\n", rating)
        (tmp_path / "in" / f"{name}.csv").write_text(text, "utf-8")
    archive = tmp_path / "archive"
    add([tmp_path / "in"], Store(str(archive)))
    assert run("reprocess", archive, "-o", tmp_path / "before").status == 1  # nobody says the other's rating
    done = run(
        "reprocess", archive, "-o", tmp_path / "out", "--set", "rating=club-open", "--set", "event=X", "--strict"
    )
    assert done.status == 0, done.err
    sql = "SELECT event, what FROM remarks WHERE code = 'declaration.assumed'"
    (told,) = json.loads(run("archive", "query", tmp_path / "out", sql, "--to", "json").printed)["rows"]
    assert told["what"] == "the game does not say it, and the run assumes: rating = club-open"
    sql = "SELECT event, max(masterpoints) AS first FROM awards GROUP BY ALL ORDER BY ALL"
    rows = json.loads(run("archive", "query", tmp_path / "out", sql, "--to", "json").printed)["rows"]
    # Three tables of an open game pay 0.10 a table.
    assert rows == [{"event": "Game said", "first": "0.30"}, {"event": "Game silent", "first": "0.30"}]
    assert "assumes" in done.err
    page = (tmp_path / "out" / "summary.html").read_text("utf-8")
    assert "Assumed where a game does not say it: rating = club-open, event = X" in page
    assert [each.what for each in remarks_in(str(tmp_path / "out"), 1)] == [told["what"]]
    assert [each.what for each in remarks_in(str(tmp_path / "out"), 0)] == ["and 1 more remarks"]
    assert run("reprocess", archive, "-o", tmp_path / "out").status == 1  # a run with other settings is there
    for wrong in ("boards", "bords=24", "boards=many", "rulebook=acbl-club"):
        assert run("reprocess", archive, "-o", tmp_path / "x", "--set", wrong).status == 2


@pytest.mark.slow
def test_a_remark_on_one_of_two_games_of_a_file_names_the_game_once(tmp_path):
    for n in (1, 2):
        (tmp_path / f"in{n}").mkdir()
        text = GAME.format(name="299er Pairs", date=f"2012-05-0{n}")
        (tmp_path / f"in{n}" / "game.csv").write_text(text, "utf-8")
    archive, out = tmp_path / "archive", tmp_path / "out"
    add([tmp_path / "in1", tmp_path / "in2"], Store(str(archive)))
    assert run("reprocess", archive, "-o", out).status == 0
    places = [each.where for each in remarks_in(str(out), 9)]
    assert [place.count("game ") for place in places] == [1, 1]
