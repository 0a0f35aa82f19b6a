"""The history of a game in an archive reads as a chain of corrections."""

import json
import re
from shutil import copytree

import pytest
from conftest import FIXTURES, run

pytest.importorskip("deltalake")

from test_archive_history import game, inbox, store

from resultproc.archive.add import add
from resultproc.archive.history import corrections, history, remove, restore
from resultproc.archive.store import Store
from resultproc.model.errors import InputError

__all__ = ["inbox", "store"]


@pytest.fixture(scope="module")
def twice(tmp_path_factory) -> Store:
    """Return an archive with a game that was corrected two times, and another game that was not."""
    folder = tmp_path_factory.mktemp("twice")
    store = Store(str(folder / "archive"))
    for top in (40, 25, 15):
        add([game(folder / "in", top=top), game(folder / "in", "other.csv", name="y")], store)
    return store


@pytest.fixture(scope="module")
def chain(twice):
    """Return the corrections of that game."""
    return corrections(twice, "game")[0]


def said(store: Store, name: str) -> list[list[str]]:
    return [[change.what for change in each.changes] for each in corrections(store, name)[0]]


CHAIN = [["A-NS-1, Ann x - Bob: score: 25, was 40"], ["A-NS-1, Ann x - Bob: score: 15, was 25"]]


@pytest.mark.slow
def test_each_correction_says_what_it_changed_and_who_lost(twice, chain):
    first, second = chain
    assert [[change.what for change in each.changes] for each in (first, second)] == CHAIN
    # Of three pairs 40%, rounded, is one place: 3 x .10.
    points = {each.contestant: (each.before.masterpoints, each.after.masterpoints) for each in first.contestants}
    assert points == {"A-NS-1": (30, 0), "A-NS-2": (0, 30)}
    points = {each.contestant: (each.before.masterpoints, each.after.masterpoints) for each in second.contestants}
    assert points == {"A-NS-1": (0, 0), "A-NS-3": (0, 0)}
    places = {each.contestant: (each.before.ranks, each.after.ranks) for each in second.contestants}
    assert places["A-NS-3"] == ((("section", "A", "3"),), (("section", "A", "2"),))
    games = history(twice)
    added = sorted(games.loc[games["game"] == "game", "added"])
    assert [first.time, second.time] == added[1:]
    oldest = games.loc[games["added"] == added[0], "id"].iloc[0]  # a version names its game
    assert said(twice, oldest) == CHAIN


@pytest.mark.slow
def test_a_game_that_was_never_corrected(twice):
    assert corrections(twice, "other") == ([], [])
    for to in ("text", "html", "json"):
        done = run("archive", "corrections", twice.url, "other", "--to", to)
        assert done.status == 0
        assert ('"games": []' if to == "json" else "This game was never corrected.") in done.out
    with pytest.raises(InputError, match="there is no game or source 'nosuch'"):
        corrections(twice, "nosuch")


@pytest.mark.slow
def test_a_removed_game_has_its_history(twice, tmp_path):
    own = Store(str(copytree(twice.url, tmp_path / "own")))
    remove(own, ["game"])
    assert said(own, "game") == CHAIN


@pytest.mark.slow
def test_a_restored_version_corrects_what_replaced_it(twice, tmp_path):
    own = Store(str(copytree(twice.url, tmp_path / "own")))
    games = history(own)
    first = games.loc[games["game"] == "game"].sort_values("added")["id"].iloc[0]
    restore(own, [first])
    remove(own, ["game"])
    restore(own, [first])  # which corrects nothing
    assert said(own, "game") == [*CHAIN, ["A-NS-1, Ann x - Bob: score: 40, was 15"]]


@pytest.mark.slow
def test_games_of_one_name_and_run_have_their_own_histories(inbox, store):
    names = [("mon/game.csv", "1998-05-04"), ("tue/game.csv", "1998-05-05")]
    add([game(inbox, file, date=date) for file, date in names], store)
    add([game(inbox, file, date=date, top=35 - n) for n, (file, date) in enumerate(names)], store)
    with pytest.raises(InputError, match="'game' is the name of 2 games"):
        corrections(store, "game")
    games = history(store)
    for date, top in (("1998-05-04", 35), ("1998-05-05", 34)):
        (name,) = games.loc[(games["date"] == date) & (games["state"] == "current"), "id"]
        assert said(store, name) == [[f"A-NS-1, Ann x - Bob: score: {top}, was 40"]]


def test_a_version_that_cannot_be_awarded_is_named_and_left_out(inbox, store):
    day, boards = "2026-01-05", "# boards: 24\n"  # which games of that day need
    for top, more in ((40, boards), (25, ""), (15, "")):
        add([game(inbox, date=day, top=top, more=more)], store)
    wrong = run("archive", "corrections", store.url, "game")
    assert (wrong.status, wrong.out, wrong.err.count("cannot be awarded, and is left out: ")) == (1, "", 2)
    add([game(inbox, date=day, top=20, more=boards)], store)
    done = run("archive", "corrections", store.url, "game", "--to", "json")
    (only,) = json.loads(done.out)["games"]
    assert [each["what"] for each in only["changes"]] == ["A-NS-1, Ann x - Bob: score: 20, was 40"]
    assert (done.status, done.err.count("boards is not declared")) == (1, 2)


@pytest.mark.slow
def test_a_declaration_that_was_corrected(inbox, store):
    add([game(inbox)], store)
    add([game(inbox, more="# boards: 18\n")], store)
    assert said(store, "game") == [["boards: 18, was none"]]


@pytest.mark.slow
def test_it_is_printed_as_a_chain(twice, chain):
    done = run("archive", "corrections", twice.url, "game")
    assert done.status == 0
    heads = re.findall(r"^Game x, .*: corrected (\d{4}-\d\d-\d\d \d\d:\d\d UTC)$", done.out, re.MULTILINE)
    assert len(heads) == 2
    assert "0.00 masterpoints, before 0.30: 0.30 fewer" in done.out
    done = run("archive", "corrections", twice.url, "game", "--to", "html")
    assert [f"Corrected {head}: What has changed" in done.out for head in heads] == [True, True]
    done = run("archive", "corrections", twice.url, "game", "--to", "json")
    content = json.loads(done.out)
    assert [each["time"] for each in content["games"]] == [each.time for each in chain]
    assert [each["name"] for each in content["provenance"]["sources"]] == ["game.csv"] * 3


@pytest.mark.slow
def test_a_file_of_several_games_is_not_one_history(store):
    add([FIXTURES / "made-two-games.ACM"], store)
    with pytest.raises(InputError, match=r"'made-two-games\.ACM' has 2 games"):
        corrections(store, "made-two-games.ACM")
