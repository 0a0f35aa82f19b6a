"""What the games of an archive are awarded is kept there, and is what would be worked out anew, whatever changed."""

import os
import random
import shutil
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from datetime import date as day
from pathlib import Path

import pytest

pytest.importorskip("deltalake")
pytest.importorskip("duckdb")

import duckdb
from games import rulebook_file
from test_archive_history import game as written
from test_participation import sheet
from test_silent_files import HEAD, ROUNDED

from resultproc.archive import persons, query, reprocess, selected
from resultproc.archive.add import add
from resultproc.archive.history import history, remove, restore
from resultproc.archive.reprocess import KEPT, Task, all_awarded, keep_awarded
from resultproc.archive.store import Store
from resultproc.archive.table import compact, current_parts
from resultproc.archive.views import OF_PERSONS
from resultproc.model.errors import InputError, OutputError
from resultproc.model.work import Cluster
from resultproc.people import decades
from resultproc.rulebooks import load
from resultproc.stages import pipeline
from tests.conftest import ALL, FIXTURES, run, saved

EVERYTHING = """
    SELECT event, date, number, direction, person, masterpoints, rulebook, 'paid' AS what FROM players
    UNION ALL SELECT event, date, code, NULL, NULL, NULL, NULL, what FROM remarks
    UNION ALL SELECT event, date, code, NULL, NULL, NULL, NULL, what FROM problems ORDER BY ALL"""


def game(folder, name, **said):
    return written(folder, f"{name}.csv", name=name, **said)


def answers(archive, *options):
    """Return what an archive answers."""
    found = run("archive", "query", archive, EVERYTHING, "--to", "csv", *options)
    assert not found.status, found
    return found.printed


def anew(archive, *options):
    """Return what it answers where nothing is kept."""
    return answers(copied(archive), *options)


def copied(archive):
    """Return a copy of an archive in which nothing is kept."""
    other = archive.with_name("anew")
    shutil.rmtree(other, ignore_errors=True)
    return shutil.copytree(archive, other, ignore=shutil.ignore_patterns(KEPT))


@pytest.fixture
def parts(monkeypatch):
    """Return a list that gets each part that is awarded."""
    done = []
    call = reprocess.PartRun.__call__
    monkeypatch.setattr(reprocess.PartRun, "__call__", lambda self, part: (done.append(part), call(self, part)))
    return done


in_turn = Cluster(progress=lambda done, parts: None).run


def forget_rulebooks():
    for each in vars(load).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()


LISTS = (
    ("players", "--to", "json"),
    ("players", "--since", "1999-01-01", "--until", "2026-02-01", "--club", "made club", "--sort", "number"),
    ("series", "--to", "json"),
    ("series", "--method", "points", "--to", "csv"),
)


def lists(*of, some=LISTS):
    """Return what lists of the players of an archive, or of files, say."""
    return [run(*each, *of) for each in some]


def lists_read(archive, some=LISTS):
    """Return the same where nothing is awarded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reprocess.PartRun, "__call__", lambda *_: pytest.fail("awarded again"))
        patch.setattr(pipeline, "awarded", lambda *_: pytest.fail("awarded again"))
        return lists(archive, some=some)


def lists_awarded(archive, some):
    """Return the same where nothing is kept."""

    def refused(*_):
        raise OutputError("it cannot be written")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selected, "keep_awarded", refused)
        return lists(archive, some=some)


def denied(path):
    raise PermissionError(1, "Operation not permitted", str(path))


def test_a_question_awards_what_is_new_alone(tmp_path, parts):
    archive = tmp_path / "history"
    games = game(tmp_path, "x"), game(tmp_path, "y", date="1999-05-01")
    assert run("archive", "add", *games, "--to", archive).status == 0
    assert len(parts) == 2  # 'add' awards, a part a year
    before = answers(archive)
    with pytest.MonkeyPatch.context() as patch:  # what it filled views with is kept as well, and who is who
        patch.setattr(query._Tables, "table", lambda *_: pytest.fail("filled again"))
        patch.setattr(persons, "_spelt", lambda *_: pytest.fail("worked out again"))
        patch.setattr(os, "utime", denied)  # nor where it is another user's
        assert answers(archive) == before
        assert run("archive", "player", archive, "Bob").status == 0
        assert "Bob" in run("archive", "persons", archive).printed
    assert run("archive", "health", archive).status == 0
    assert len(parts) == 2
    game(tmp_path, "x", top=25)
    add([tmp_path / "x.csv"], Store(str(archive)))  # as another program may
    assert answers(archive) != before
    saved(archive / "aliases.csv", "player,member,club,is\nBob,,,Robert Ray\n")
    said = answers(archive)
    assert "robert ray" in said
    assert said == anew(archive)
    assert [part.name.partition("/")[0] for part in parts[2:3]] == ["year=1998"]
    # The second time, the views are there already.
    assert [run("archive", "export", archive, tmp_path / f"{n}.duckdb").err for n in (1, 2)] == ["", ""]


@pytest.mark.slow
def test_lists_of_players_are_those_of_the_files(tmp_path):
    pairs = [f"A,{of},{n},Ann {of}{n},Bob {of}{n},{57 - 2 * n}" for of in ("N-S", "E-W") for n in range(1, 9)]
    printed = [f"{row},{award}" for row, award in zip(pairs, ["1.20", "0.84", "0.60", *[""] * 5] * 2, strict=True)]
    head = "# tables: 8\nsection,direction,number,player1,player2,percentage,printed_award"
    files = [  # by their years, as an archive has them
        sheet(tmp_path),
        saved(tmp_path / "printed.csv", "\n".join([HEAD.replace("2026", "2016") + head, *printed])),
        *sorted((FIXTURES / "series").glob("*.csv")),
        saved(tmp_path / "tie.csv", f"{HEAD}# tables: 4\n{ROUNDED}"),
    ]
    archive = tmp_path / "history"
    add(files, Store(str(archive)))
    first = lists(archive)
    assert first == lists_read(archive) == lists(*files)
    for said in ("awards are 1.50 times those", "by these they would get 0.80 and 0.56", "counted as 0000109"):
        assert said in first[0].err
    assert '"1.58"' in first[0].out  # who played a quarter of the event gets so much, who played all of it 6.30


def test_games_without_date_are_left_out_of_a_month_as_of_files(tmp_path):
    rows = f"# tables: 4\n{ROUNDED}"
    undated = "".join(each for each in HEAD.splitlines(keepends=True) if "date" not in each)
    files = [saved(tmp_path / "b.csv", undated + rows), saved(tmp_path / "c.csv", HEAD + rows)]
    archive = tmp_path / "history"
    add(files, Store(str(archive)))
    for month in ("2026", "2031"):
        of = ("players", "--since", f"{month}-01-01", "--until", f"{month}-12-31", "--to", "csv")
        assert lists(archive, some=[of]) == lists(*files, some=[of])
        assert ("b.csv: this game has no date, and is left out" in run(*of, archive).err) == (month == "2026")


def test_places_of_files_rank_games_of_an_archive_too(tmp_path):
    archive = tmp_path / "history"
    add([saved(tmp_path / "x.csv", f"{HEAD}# tables: 4\n# by_place: true\n{ROUNDED}")], Store(str(archive)))
    found = run("archive", "query", archive, "SELECT masterpoints FROM awards ORDER BY number LIMIT 3").printed
    assert found.split()[1:] == ["0.80", "0.56", "0.40"]  # 70 and 50% of .10 x 8; the first two are tied at 58.00


@pytest.mark.slow
def test_lists_of_players_are_as_if_awarded_anew_whatever_changed(tmp_path):
    own, archive = rulebook_file(tmp_path, "[bonus.factor]\nvalue = 1.10\n"), tmp_path / "history"
    store = Store(str(archive))
    games = [
        game(tmp_path, "x", more=f"# rulebook: {own}\n"),
        game(tmp_path, "y", date="1999-05-01"),
        game(tmp_path, "z", date="2026-01-05"),
        game(tmp_path, "w", date="2026-01-12", more="# club: Made Club\n# boards: 24\n"),
    ]
    add(games, store)
    name = history(store)["id"].iloc[0][:12]
    some = LISTS[::2]
    before = lists(archive, some=some)
    assert "add its file to the archive again, with --boards '24'" in before[0].err
    for change in (
        lambda: add([game(tmp_path, "y", date="1999-05-01", top=25)], store),
        lambda: remove(store, [name]),
        lambda: restore(store, [name]),
        lambda: rulebook_file(tmp_path, "[bonus.factor]\nvalue = 2.00\n"),
        lambda: saved(archive / "aliases.csv", "player,member,club,is\nBob,,,Robert Ray\n"),
        lambda: [os.truncate(each, 100) for each in (archive / "games" / "year=1999").glob("*.parquet")],
    ):
        change()
        forget_rulebooks()
        now = lists(archive, some=some)
        assert now == lists_read(archive, some) == lists_awarded(archive, some) != before
        before = now
    assert all("this part is damaged" in each.err and each.status == 1 for each in before)


def test_rows_of_games_that_another_program_corrected_meanwhile_are_not_kept_as_those_that_count(tmp_path):
    archive = tmp_path / "history"
    store = Store(str(archive))
    add([game(tmp_path, "x"), game(tmp_path, "y", date="1999-05-01")], store)

    def award():
        game(tmp_path, "x", top=25)
        add([tmp_path / "x.csv"], store)  # as another program may while this one awards
        return keep_awarded(store, in_turn)

    sql = "SELECT player, masterpoints FROM players ORDER BY ALL"
    query.query(query.queried(store.url, None), sql, award)
    asked = [run("archive", "query", each, sql).printed for each in (archive, copied(archive))]
    assert asked[0] == asked[1]


def who_is_who(archive):
    """Return all that is said of who is who in an archive."""
    store = Store(str(archive))
    parts = current_parts(store)
    known = persons.People(store, parts)
    columns = [f"{name}{n}" for name in OF_PERSONS for n in (1, 2)]
    seats = [{name: of.to_pylist() for name, of in known.keys(part, columns).items()} for part in parts]
    lists = [known.persons(), known.unsure(), known.named("Bob"), known.named("no. 7")]
    return seats, [each.fillna("").to_csv() for each in lists], known.idle()


def test_who_is_who_in_parts_that_are_too_many_for_one_group_takes_each_once(tmp_path, monkeypatch):
    archive, spelt, asked = tmp_path / "history", persons._spelt, []
    add([game(tmp_path, "x"), game(tmp_path, "y", date="1999-05-01")], Store(str(archive)))
    at_once = who_is_who(archive)
    monkeypatch.setattr(persons, "GAMES_IN_PART", 0)
    monkeypatch.setattr(persons, "_spelt", lambda *of: (asked.append(of), spelt(*of))[1])
    assert who_is_who(copied(archive)) == at_once
    assert len(asked) == 2
    monkeypatch.setattr(decades, "WAYS_IN_BLOCK", 1)  # nor does it matter how many people are looked at together
    monkeypatch.setattr(persons, "ASKED_TOGETHER", 1)
    assert who_is_who(copied(archive)) == at_once


@pytest.mark.parametrize("seed", range(20 if ALL else 1))
def test_what_is_kept_is_what_a_run_writes_after_any_history(tmp_path, seed):
    chosen, store = random.Random(seed), Store(str(tmp_path / "history"))
    add([game(tmp_path, "g0"), game(tmp_path, "g1", date="1999-05-01")], store)
    changes = ["new", "corrected", "removed", "restored", "together", "said"]
    for step, change in enumerate(chosen.sample(changes, 6)):
        changed = history(store)
        some = [chosen.choice(changed["id"].tolist())[:12]]
        with suppress(InputError):  # it is removed, or there, already
            match change:
                case "new":
                    add([game(tmp_path, f"n{step}", date=chosen.choice(["1998-06-01", "2004-02-01"]))], store)
                case "corrected":
                    add([game(tmp_path, "g0", top=chosen.randint(10, 60))], store)
                case "removed":
                    remove(store, some)
                case "restored":
                    restore(store, some)
                case "together":
                    compact(store)
                case "said":
                    who = chosen.choice(["Robert Ray", "7", "Ann"])
                    saved(Path(store.url) / "aliases.csv", f"player,member,club,is\nBob,,,{who}\nNobody,,,Ann\n")
        if step % 2 and (history(store)["state"] == "current").any():
            run_of = Store(str(tmp_path / f"run{step}"))
            reprocess.reprocess(Task(store.url, run_of.url), in_turn)
            kept = keep_awarded(store, in_turn)
            for kind in ("awards", "candidates", "problems", "remarks", "summary"):
                parts = run_of.parts(kind)
                assert kept.parts(kind) == parts
                assert all(kept.opened(kind, part).read().equals(run_of.opened(kind, part).read()) for part in parts)
            found = who_is_who(store.url)
            assert found == who_is_who(store.url) == who_is_who(copied(Path(store.url)))
    then = ("--as-of", changed["added"].iloc[0])
    assert answers(Path(store.url), *then) == anew(Path(store.url), *then)


def test_another_rulebook_or_program_awards_anew(tmp_path, parts, monkeypatch):
    own = rulebook_file(tmp_path, "[bonus.factor]\nvalue = 1.10\n")
    archive = tmp_path / "history"
    add([game(tmp_path, "x", more=f"# rulebook: {own}\n")], Store(str(archive)))
    first, told = answers(archive), "other rulebooks made these results (run 'resultproc reprocess' again)"
    for value, other in (("1.10", False), ("2.00", True)):
        rulebook_file(tmp_path, f"[bonus.factor]\nvalue = {value}\n")
        forget_rulebooks()
        assert other or run("reprocess", archive, "-o", tmp_path / "run").status == 0
        assert (told in run("archive", "query", tmp_path / "run", EVERYTHING).err) == other
    assert answers(archive) == anew(archive) != first
    forget_rulebooks()
    parts.clear()
    answers(archive)
    assert not parts
    monkeypatch.setattr(reprocess, "fingerprint", lambda name: "another program")
    answers(archive)
    assert len(parts) == 1


def test_what_is_wrong_with_a_rulebook_is_told_as_it_is_now(tmp_path):
    own, archive = Path(rulebook_file(tmp_path, "")), tmp_path / "history"
    add([game(tmp_path, "x", more=f"# rulebook: {own}\n")], Store(str(archive)))
    for text, wrong in ((None, "No such file"), ("[bonus", "this TOML cannot be read"), ("", "missing rulebook to")):
        own.unlink() if text is None else saved(own, text)
        forget_rulebooks()
        assert wrong in answers(archive)


def test_a_game_of_a_day_to_come_is_looked_at_again_on_another_day(tmp_path, monkeypatch):
    archive = tmp_path / "history"
    add([game(tmp_path, "x", date=f"{day.today().year + 1}-05-01", more="# boards: 24\n")], Store(str(archive)))
    assert "is in the future" in answers(archive)

    class Later(day):
        @classmethod
        def today(cls):
            return day(day.today().year + 2, 1, 1)

    for module in ("resultproc.archive.reprocess", "resultproc.stages.doubts.declarations"):
        monkeypatch.setattr(f"{module}.date", Later)
    assert "is in the future" not in answers(archive)


def test_what_is_kept_and_damaged_is_awarded_again(tmp_path):
    archive = tmp_path / "history"
    add([game(tmp_path, "x")], Store(str(archive)))
    before = answers(archive)
    for path in (archive / KEPT).rglob("*.parquet"):
        saved(path, b"\0" + path.read_bytes()[1:])
    assert answers(archive) == before


def test_places_are_found_without_awarding(tmp_path, monkeypatch):
    archive, of_rules = tmp_path / "history", tmp_path / "run"
    lacking = game(tmp_path, "y")
    saved(lacking, lacking.read_text("utf-8").replace("# rating: club-open\n", ""))
    run("archive", "add", game(tmp_path, "x"), lacking, "--to", archive)
    run("reprocess", archive, "-o", of_rules, "--rules", "acbl-2017")
    monkeypatch.setattr(pipeline, "awarded", lambda *_: pytest.fail("awarded again"))
    sql = "SELECT direction, number, place, names FROM standings WHERE ranked_stratum = 'A' ORDER BY ALL"
    places = ["E-W,1,1,Gus - Hal", "E-W,2,2,Ida - Jon", "E-W,3,3,Kim - Lee"]
    places += ["N-S,1,1,Ann x - Bob", "N-S,2,2,Cat - Dan", "N-S,3,3,Eve - Fay"]
    for each in (archive, of_rules):
        assert run("archive", "query", each, sql, "--to", "csv").printed.splitlines()[1:] == places


def test_nothing_but_the_parts_that_are_kept_is_needed(tmp_path):
    archive = tmp_path / "history"
    add([game(tmp_path, "x")], Store(str(archive)))
    before = answers(archive)
    for path in (archive / KEPT).rglob("*"):
        if path.is_file() and path.suffix != ".parquet":
            path.unlink()
    places = run("archive", "query", archive, "SELECT place FROM standings WHERE number = '1'")
    assert (places.printed.split(), answers(archive)) == (["place", "1", "1"], before)


def test_an_archive_that_cannot_be_written_answers_without_keeping(tmp_path, monkeypatch):
    archive = tmp_path / "history"
    add([game(tmp_path, "x")], Store(str(archive)))
    write, place = Store._writing, f"/{KEPT}/"

    def refused(self, path):
        if place in path:
            raise OutputError("it cannot be written: Read-only file system", file=path)
        return write(self, path)

    monkeypatch.setattr(Store, "_writing", refused)
    there = answers(archive)
    assert "0.30" in there
    assert not (archive / KEPT).exists()
    monkeypatch.undo()  # nor is there room for what views are filled with

    def full(*_):
        raise duckdb.IOException("Could not write file: No space left on device")

    monkeypatch.setattr(query, "write_table", full)
    assert answers(archive) == there


def test_who_says_who_is_who_while_another_does_waits(tmp_path):
    store = Store(str(tmp_path / "history"))
    line = {"player": "Ann", "member": "", "club": "", "is": "1"}
    with ThreadPoolExecutor(1) as other, store.alone():
        second = other.submit(persons.say_of_people, store, [line])
        assert not wait([second], timeout=0.2).done
    assert second.exception() is None
    assert store.read_text("aliases.csv") == "player,member,club,is\nAnn,,,1\n"


def test_what_nobody_needs_goes_after_a_week(tmp_path, monkeypatch):
    archive = Store(str(tmp_path / "history"))
    add([game(tmp_path, "x")], archive)
    old = keep_awarded(archive, in_turn)
    (was,) = old.parts("awards")
    add([game(tmp_path, "x", top=25)], archive)
    with all_awarded(archive, "", in_turn) as found:
        assert found.parts("awards") == [part.name for part in current_parts(archive)] != [was]
        assert Store(found.url).parts("awards") == sorted({was, *found.parts("awards")})
    for path in Path(old.url).rglob("*.parquet"):
        os.utime(path, (0, 0))
    add([game(tmp_path, "y", date="1999-05-01")], archive)
    found = keep_awarded(archive, in_turn)
    assert Store(found.url).parts("awards") == found.parts("awards")
    assert len(found.parts("awards")) == 2
    # Another program has what it awards beside that, which the first one still asks for, or has not for long.
    monkeypatch.setattr(reprocess, "fingerprint", lambda name: "another program")
    for day_asked, kept in ((str(day.today()), 2), ("2001-01-01", 0)):
        for path in Path(found.url).rglob("*.parquet"):
            os.utime(path, (0, 0))
        saved(Path(found.url) / "asked", day_asked)
        add([game(tmp_path, f"z{kept}", date="2000-05-01")], archive)
        keep_awarded(archive, in_turn)
        assert len(Store(found.url).parts("awards")) == kept
