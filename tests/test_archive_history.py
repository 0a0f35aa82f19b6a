"""What becomes of games that an archive has: corrected, told apart, and as they were at an earlier time."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

pytest.importorskip("deltalake")

from deltalake import DeltaTable

from resultproc.archive.add import Added, add
from resultproc.archive.history import CURRENT, history, remove, restore
from resultproc.archive.selected import select_games
from resultproc.archive.store import Store
from resultproc.archive.table import current_parts, opened
from resultproc.model.dates import moment, time_text
from resultproc.model.errors import InputError
from resultproc.people.aliases import Aliases
from tests.conftest import run
from tests.samples import SAMPLES, real

GAME = """# event: Game {name}
# date: {date}
# rating: club-open
# tables: 3
section,direction,number,player1,player2,score
A,N-S,1,Ann {name},Bob,{top}
A,N-S,2,Cat,Dan,30
A,N-S,3,Eve,Fay,20
A,E-W,1,Gus,Hal,40
A,E-W,2,Ida,Jon,30
A,E-W,3,Kim,Lee,20
"""


@pytest.fixture
def inbox(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path / "archive"))


def game(inbox: Path, file: str = "game.csv", *, name="x", date="1998-05-01", top=40, more="") -> Path:
    path = inbox / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(more + GAME.format(name=name, date=date, top=top), "utf-8")
    return path


def tops(store: Store, as_of: str = "") -> list[float]:
    """Return the score of the first pair of each game that counts."""
    found = []
    for part in current_parts(store, as_of):
        frame = opened(store, part).contestants(["number", "direction", "score"]).to_pandas()
        found += frame[(frame["number"] == "1") & (frame["direction"] == "N-S")]["score"].tolist()
    return sorted(found)


def counts(added: Added) -> tuple[int, ...]:
    return added.games, added.replaced, added.known, len(added.problems)


def now() -> str:
    time.sleep(0.001)
    return time_text(datetime.now(UTC))


@pytest.mark.slow
def test_other_years_are_not_read_whole_for_a_night(inbox, store, monkeypatch):
    """What tells whether a game is there is read alone, and the whole of a file only where it may be."""
    add([game(inbox)], store)
    other = game(inbox, "other.csv", name="y", date="1999-05-01")
    read, names = Store.content, []
    monkeypatch.setattr(Store, "content", lambda store, name: names.append(name) or read(store, name))
    assert counts(add([other], store)) == (1, 0, 0, 0)
    assert names == []
    assert counts(add([other], store)) == (0, 0, 1, 0)
    assert {name.split("/")[1] for name in names} == {"year=1999"}


@pytest.mark.slow
def test_a_corrected_game_replaces_its_predecessor_which_stays_in_history(inbox, store):
    assert counts(add([game(inbox)], store)) == (1, 0, 0, 0)
    game(inbox, "other.csv", name="y", top=39)
    add([inbox], store)
    before = now()
    assert counts(add([game(inbox, top=45)], store)) == (1, 1, 0, 0)
    assert tops(store) == [39, 45]
    assert tops(store, before) == [39, 40]
    assert sum(opened(store, part).games().num_rows for part in current_parts(store)) == 2
    # What it was at first does not undo its correction by itself.
    added = add([game(inbox, top=40)], store)
    assert (counts(added), [each.code for each in added.remarks]) == ((0, 0, 1, 0), ["archive.corrected"])
    assert tops(store) == [39, 45]
    hint = re.search("archive restore ARCHIVE ([0-9a-f]+)", added.remarks[0].hint)
    assert hint
    restore(store, [hint[1]])
    assert tops(store) == [39, 40]
    assert counts(add([inbox], store)) == (0, 0, 2, 0)
    assert history(store)["state"].tolist().count(CURRENT) == 2


@pytest.mark.slow
def test_facts_are_corrected_too(inbox, store):
    add([game(inbox)], store)
    # The same results, and a rating that was wrong.
    path = game(inbox)
    path.write_text(path.read_text("utf-8").replace("club-open", "club-invitational"), "utf-8")
    assert counts(add([path], store)) == (1, 1, 0, 0)
    ratings = [each for part in current_parts(store) for each in opened(store, part).games()["rating"].to_pylist()]
    assert ratings == ["club-invitational"]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [("", "1998-05-01"), ("1998-05-01", "")])
def test_a_day_that_one_version_does_not_say_tells_no_games_apart(inbox, store, first, second):
    path = game(inbox, date=first)
    for date in (first, second):
        path = game(inbox, date=date)
        path.write_text(path.read_text("utf-8").replace("# date: \n", ""), "utf-8")
        added = add([path], store)
    assert counts(added) == (1, 1, 0, 0)
    assert tops(store) == [40]


@pytest.mark.slow
def test_next_weeks_game_of_the_same_name_is_another_and_a_remark_says_so(inbox, store):
    add([game(inbox, "results.csv")], store)
    added = add([game(inbox, "results.csv", date="1998-05-08", top=41)], store)
    assert counts(added) == (1, 0, 0, 0)
    (remark,) = added.remarks
    assert "of the same name, of 1998-05-01, and keeps both" in remark.what
    assert tops(store) == [40, 41]
    # As the remark says, the other one can be taken away.
    remove(store, [remark.hint.split()[-1]])
    assert tops(store) == [41]


@pytest.mark.slow
def test_clubs_tell_games_of_one_name_apart(inbox, store):
    for n, club in enumerate(("North", "South")):
        assert counts(add([game(inbox, top=40 + n, more=f"# club: {club}\n")], store)) == (1, 0, 0, 0)
    assert counts(add([game(inbox, top=50, more="# club: South\n")], store)) == (1, 1, 0, 0)
    assert tops(store) == [40, 50]


@pytest.mark.slow
def test_a_game_with_an_id_of_its_own_keeps_it_whatever_its_file_is_called(inbox, store):
    text = GAME.replace("section,", "game_id,section,").replace("\nA,", "\nE77,A,")
    for n, (file, date) in enumerate((("a.csv", "1998-05-01"), ("b.csv", "1998-05-02"))):
        (inbox / file).write_text(text.format(name="x", date=date, top=40 + n), "utf-8")
        added = add([inbox / file], store)
    assert counts(added) == (1, 1, 0, 0)
    assert tops(store) == [41]
    (remark,) = added.remarks
    assert "replaces that of 1998-05-01" in remark.what


def test_two_games_of_one_name_in_one_run_are_asked_about(inbox, store):
    game(inbox, "mon/game.csv")
    game(inbox, "tue/game.csv", top=44)
    game(inbox, "wed/other.csv", name="y", top=12)
    added = add([inbox], store)
    assert counts(added) == (1, 0, 0, 2)
    assert {Path(each["file"]).parent.name for each in added.problems} == {"mon", "tue"}
    assert tops(store) == [12]


@pytest.mark.slow
def test_what_two_files_of_one_name_say_differently_is_asked_about_run_after_run(inbox, store):
    game(inbox, "mon/game.csv")
    add([inbox], store)
    path = game(inbox, "tue/game.csv")
    path.write_text(path.read_text("utf-8").replace("club-open", "club-invitational"), "utf-8")
    for _ in range(2):
        assert counts(add([inbox], store)) == (0, 0, 0, 2)


@pytest.mark.slow
def test_a_copy_of_what_a_game_was_before_is_a_game_of_its_own_run_after_run(inbox, store):
    path = game(inbox)
    add([path], store)
    path.rename(inbox / "a game of before.csv")
    game(inbox, top=45)
    assert counts(add([inbox], store)) == (2, 1, 0, 0)
    assert counts(add([inbox], store)) == (0, 0, 2, 0)
    assert tops(store) == [40, 45]


@pytest.mark.slow
def test_the_file_of_a_game_corrects_it_whatever_other_file_has_its_results(inbox, store):
    path = game(inbox)
    add([path], store)
    game(inbox, "a copy.csv")
    path.write_text(path.read_text("utf-8").replace("club-open", "club-invitational"), "utf-8")
    assert counts(add([inbox], store)) == (1, 1, 1, 0)
    ratings = [each for part in current_parts(store) for each in opened(store, part).games()["rating"].to_pylist()]
    assert ratings == ["club-invitational"]
    assert counts(add([inbox], store)) == (0, 0, 2, 0)


@pytest.mark.slow
def test_a_game_whose_file_now_has_that_of_another_file_is_replaced_by_it(inbox, store):
    game(inbox, top=40)
    game(inbox, "other.csv", name="y", top=41)
    add([inbox], store)
    game(inbox, name="y", top=41)
    assert counts(add([inbox], store)) == (0, 1, 2, 0)
    assert tops(store) == [41]


def test_a_game_that_is_twice_in_a_file_is_one_game(inbox, store):
    text = GAME.replace("section,", "game_id,section,").format(name="x", date="1998-05-01", top=40)
    rows = text[text.index("\nA,") :].rstrip()
    text = text[: text.index("\nA,")] + rows.replace("\nA,", "\none,A,") + rows.replace("\nA,", "\ntwo,A,") + "\n"
    (inbox / "twice.csv").write_text(text, "utf-8")
    assert counts(add([inbox], store)) == (1, 0, 1, 0)
    assert tops(store) == [40]


@pytest.mark.slow
def test_the_archive_of_a_day_and_of_a_minute(inbox, store, monkeypatch):
    for day, top in ((1, 40), (2, 41), (3, 42)):
        epoch = datetime(2026, 5, day, 18, tzinfo=UTC).timestamp()
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(epoch)))
        add([game(inbox, top=top)], store)
    assert [tops(store, moment(text)) for text in ("2026-05-01", "2026-05-02", "2026-05-03T17:59", "2026-05-03")] == [
        [40],
        [41],
        [41],
        [42],
    ]
    assert tops(store, moment("2026-05-03T19:30+01:00")) == [42]
    with pytest.raises(InputError, match="no games in this archive at 2026-04-30"):
        current_parts(store, moment("2026-04-30"))
    with pytest.raises(InputError, match="'yesterday' is not a date"):
        moment("yesterday")


@pytest.mark.slow
def test_the_same_files_make_the_same_files_of_the_table_to_the_byte(inbox, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    made = []
    for name in ("one", "two"):
        store = Store(str(tmp_path / name))
        add([game(inbox)], store)
        add([game(inbox, top=41)], store)
        made.append({path.name: path.read_bytes() for path in Path(store.url).rglob("*.parquet")})
    assert made[0] == made[1]
    # What was added first, what is added then, and what was added first with when it ended.
    assert len(made[0]) == 3


TIMES = ["added", "valid_from", "valid_until", "why"]


@pytest.mark.slow
def test_the_columns_of_a_version_say_when_it_counted_and_why_no_longer(inbox, store, monkeypatch):
    """By hand: a minute between any two changes; what is restored has a second row, which was added when it came."""
    path = game(inbox)
    for minute, change in enumerate(
        (
            lambda: add([path], store),
            lambda: add([game(inbox, top=41)], store),
            lambda: restore(store, [history(store).query("state == 'replaced'")["id"].iloc[0][:12]]),
            lambda: remove(store, ["game.csv"]),
        )
    ):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_000_000_000 + 60 * minute))
        change()
    every = pd.concat([pq.read_table(file).to_pandas() for file in DeltaTable(f"{store.url}/games").file_uris()])
    every["top"] = [max(seat["score"] for seat in of if seat["direction"] == "N-S") for of in every["contestants"]]
    minutes = every[TIMES[:3]].apply(lambda times: times.dt.minute)
    rows = zip(every["top"], *(minutes[name] for name in minutes), every["why"], strict=True)
    expected = [(40, 46, 46, 47, "replaced"), (40, 46, 48, 49, "removed"), (41, 47, 47, 48, "replaced")]
    assert sorted(rows) == expected
    assert [current_parts(store, moment(f"2001-09-09T01:{minute}:59"))[0].as_of for minute in (46, 47, 48)]
    assert [tops(store, moment(f"2001-09-09T01:{minute}:59")) for minute in (46, 47, 48)] == [[40], [41], [40]]
    with pytest.raises(InputError, match="no games in this archive"):
        current_parts(store)


@pytest.mark.slow
def test_two_that_add_at_once_both_add_and_the_same_game_once(inbox, store, monkeypatch):
    """The other one adds just before this one commits: this one looks again, and finds one of its games there."""
    first, second = game(inbox), game(inbox, "other.csv", name="y", top=12)
    import resultproc.archive.add as module

    true = module.commit

    def late(*given):
        monkeypatch.setattr(module, "commit", true)
        assert counts(add([second], store)) == (1, 0, 0, 0)
        return true(*given)

    monkeypatch.setattr(module, "commit", late)
    assert counts(add([first, second], store)) == (1, 0, 1, 0)
    assert tops(store) == [12, 40]


@pytest.mark.slow
def test_who_comes_second_all_the_time_is_told_to_run_again(inbox, store, monkeypatch):
    add([game(inbox)], store)
    import resultproc.archive.add as module

    true = module.commit
    tried = []

    def late(store, snapshot, changes):
        tried.append(snapshot.version)
        remove(store, ["game.csv"]) if len(tried) % 2 else restore(store, ["game.csv"])
        return true(store, snapshot, changes)

    monkeypatch.setattr("resultproc.archive.table._TRIES", 3)
    monkeypatch.setattr(module, "commit", late)
    done = run("archive", "add", game(inbox, "other.csv", name="y", top=12), "--to", store.url)
    assert done.status == 5
    assert "others change this archive all the time" in done.err
    assert tried == [*range(tried[0], tried[0] + 4)]


def test_the_number_and_the_spelling_of_a_club_are_corrected_like_the_rest(inbox, store):
    head = "# club: {}\n# club_id: {}\n"
    assert counts(add([game(inbox, more=head.format("St. Anne B.C.", 1))], store)) == (1, 0, 0, 0)
    assert counts(add([game(inbox, more=head.format("St. Anne B.C.", 2))], store)) == (1, 1, 0, 0)
    assert counts(add([game(inbox, more=head.format("ST ANNE BC", 2), top=41)], store)) == (1, 1, 0, 0)
    two = [game(inbox, f"{number}/y.csv", name="y", more=head.format("Elks", number)) for number in (1, 2)]
    assert counts(add(two, store)) == (0, 0, 0, 2)
    added = add([game(inbox, "z.csv", top=42, more="# club: Saint Anne\n")], store)
    assert [each.what.partition(": ")[0] for each in added.remarks] == [
        "this may be the game game of game.csv in another version"
    ]


ALIKE = "this game has the same players and scores as the game"
WHICH = {
    ("same-name/c1/morning", "same-name/c1/evening"): (2, 0, ""),
    ("same-name/c1",): (2, 0, ""),
    ("same-name/c7", "same-name/c8"): (2, 0, "the archive has a game of the same name, of 2026-01-02, and keeps both"),
    ("club-id/a", "club-id/b"): (2, 0, ""),
    ("club-spelling/x", "club-spelling/y"): (2, 0, "this may be the game a of a.csv in another version"),
    ("double/a.csv", "double/club.csv"): (2, 0, f"{ALIKE} a of a.csv, there with the club East Club"),
    ("double/a.csv", "double/date.csv"): (2, 0, f"{ALIKE} a of a.csv, there with the date 2010-01-05"),
    ("double/a.csv", "double/event.csv"): (2, 0, f"{ALIKE} a of a.csv, there with the event Tuesday Pairs"),
    ("double/a.csv", "double/sess.csv"): (2, 0, f"{ALIKE} a of a.csv, there with the session Aft"),
    ("revert/n1", "revert/n2", "revert/n1"): (4, 1, "this version of the game was corrected since, and is left out"),
}
"""Files that are added one after the other: how many games are, how many were replaced, and the last remark."""


@real
@pytest.mark.slow
@pytest.mark.parametrize("added", WHICH)
def test_a_game_is_told_by_who_played_when_with_which_scores(store: Store, added: tuple[str, ...]) -> None:
    done = [add([SAMPLES / "office" / each], store) for each in added]
    games, replaced, remark = WHICH[added]
    assert (sum(each.games for each in done), sum(each.replaced for each in done)) == (games, replaced)
    last = [each.what for each in done[-1].remarks][-1:]
    assert last[0].startswith(remark) if remark else not last


@real
@pytest.mark.slow
def test_games_of_one_name_are_told_apart_in_what_players_won(store: Store) -> None:
    for each in ("1", "2"):
        add([SAMPLES / "office" / "players-crash" / "b" / each], store)
    games = select_games(store, current_parts(store), Aliases(), lambda games: games["date"].notna()).sheet.games
    assert games["game_id"].str.fullmatch("game [0-9a-f]{6}").all()
    assert games["game_id"].is_unique


@real
def test_an_archive_that_could_add_nothing_is_an_archive(store: Store, tmp_path: Path) -> None:
    add([SAMPLES / "office" / "junk.csv"], store)
    done = run("players", tmp_path / "archive")
    assert "there are no games in this archive" in done.err
