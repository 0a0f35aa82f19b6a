"""Two versions of a game under two file names: nobody is paid twice in silence, and two games are two games."""

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ALL, Run, run, saved

NAMES = ["Ann Ash", "Bob Birch", "Cy Cedar", "Di Dale", "Ed Elm", "Flo Fir", "Gus Gum", "Hal Holm", "Ivy Ilex"]
NAMES += ["Jan June", "Kit Kale", "Lou Larch", "Max May", "Ned Nut", "Ola Oak", "Pam Pine"]
SCORES = ["62.50", "58.33", "54.17", "51.39", "48.61", "45.83", "41.67", "37.50"]
SWAPPED = [SCORES[1], SCORES[0], *SCORES[2:]]
TOLD = "this may be the game"


def game(path: Path, scores: list[str] = SCORES, names: list[str] = NAMES, **keys: str) -> Path:
    said = {"date": "2026-05-05", "rating": "club-open", "boards": "18", "club": "Elm Club", "movement": "howell"}
    said |= {"tables": "4"} | keys
    rows = [f"{n},{names[2 * n - 2]} - {names[2 * n - 1]},{score}" for n, score in enumerate(scores, 1)]
    path.parent.mkdir(parents=True, exist_ok=True)
    return saved(path, "\n".join([*(f"# {key}: {said[key]}" for key in said if said[key]), "Pair,Names,Pct", *rows]))


OTHERS = [*NAMES[:6], *(f"Quin {letter * 3}" for letter in "abcdefghij")]
PAIRED_OTHERWISE = [*NAMES[1:], NAMES[0]]

ONE_GAME = {
    "as it is": {},
    "the club in another case": {"club": "ELM   club"},
    "the club not said": {"club": ""},
    "a session that one says": {"session": "Evening"},
    "partners corrected": {"names": PAIRED_OTHERWISE},
    "the club in other words": {"club": "The Elm Bridge Club"},
    "the session in other words": {"session": "Tue Eve"},
    "the session without its day": {"session": "evening"},
    "a session that says no more than its day": {"session": "Tuesday"},
    "the club with stops": {"club": "Elm B.C."},
    "an event with its day": {"event": "Tuesday Pairs"},
    "another rating": {"rating": "club-invitational"},
}
TWO_GAMES = {
    "another day": {"date": "2026-05-12"},
    "another club": {"club": "Oak Club"},
    "another session": {"session": "Afternoon"},
    "another session of an evening": {"session": "Evening, second session"},
    "another club with such words": {"club": "The Bridge Club"},
    "another event": {"event": "Pairs II"},
    "mostly other players": {"names": OTHERS},
    "an event of two numbers": {"event": "Pairs 1 2"},
}
FIRST = {
    "another session": {"session": "Morning"},
    "another event": {"event": "Pairs I"},
    "another session of an evening": {"session": "1st Eve"},
    "the session in other words": {"session": "Tuesday Evening Session"},
    "the session without its day": {"session": "Tuesday Night"},
    "a session that says no more than its day": {"session": "Evening"},
    "an event with its day": {"event": "Pairs"},
    "an event of two numbers": {"event": "Pairs 12"},
}


EACH = [
    (command, how)
    for number, how in enumerate([*ONE_GAME, *TWO_GAMES])
    for place, command in enumerate(["series", "players", "batch", "archive"])
    if ALL or number % 4 == place
]
"""What is changed, and the command that gets it; where not all is tried, one of the four."""


@pytest.mark.slow
@pytest.mark.parametrize(("command", "how"), EACH)
def test_what_may_be_one_game_is_remarked_on(tmp_path: Path, command: str, how: str) -> None:
    old = game(tmp_path / "in" / "day.csv", **FIRST.get(how, {}))
    new = game(tmp_path / "in" / "later.csv", **{"scores": SWAPPED, **(ONE_GAME | TWO_GAMES)[how]})
    done = commanded(command, tmp_path, old, new)
    assert done.status == 0, done.out
    told = [line for line in done.err.splitlines() if TOLD in line]
    assert len(told) == (how in ONE_GAME), done.err
    if told:
        assert "later.csv: " in told[0]
        assert f"{TOLD} day of day.csv in another version: the day" in told[0]


def commanded(command: str, folder: Path, *files: Path) -> Run:
    after = {"batch": ["-o", folder / "out"], "archive": ["--to", folder / "archive"]}
    return run(*(["archive", "add"] if command == "archive" else [command]), *files, *after.get(command, []))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["series", "players", "batch", "archive"])
def test_files_that_say_the_part_of_the_day_are_two_games(tmp_path: Path, command: str) -> None:
    files = [game(tmp_path / "in" / f"tue-{part}.csv", scores) for part, scores in (("am", SCORES), ("pm", SWAPPED))]
    assert TOLD not in commanded(command, tmp_path, *files).err


PARTS = {
    ("evergreen-am", "evergreen-pm"): True,
    ("TuesdayMorning", "TuesdayEvening"): True,
    ("eventide_night", "eventide_aft"): True,
    ("elm-am", "aftermath"): False,
    ("after-am", "night-pm"): True,
    ("tue-morning", "tue-am"): False,
}
"""The names of two files of a day, and whether they are told apart by the part of the day that they say."""


def test_only_whole_words_are_parts_of_the_day(tmp_path: Path) -> None:
    for day, names in enumerate(PARTS, 1):
        for name, scores in zip(names, (SCORES, SWAPPED), strict=True):
            players = [f"{each} {'abcdef'[day - 1] * 3}" for each in NAMES]  # of each day others
            game(tmp_path / f"{name}.csv", scores, players, date=f"2026-05-{day:02}")
    told = [line for line in run("players", tmp_path).err.splitlines() if TOLD in line]
    one_game = [names for names, are_told_apart in PARTS.items() if not are_told_apart]
    for names in one_game:
        assert any(all(f"{name}.csv" in line for name in names) for line in told), (names, told)
    assert len(told) == len(one_game), told


@pytest.mark.slow
@pytest.mark.parametrize("command", ["series", "players", "batch", "archive"])
def test_pairs_and_teams_of_the_same_players_on_one_day_are_two_games(tmp_path: Path, command: str) -> None:
    pairs, teams = game(tmp_path / "in" / "pairs.csv"), game(tmp_path / "in" / "teams.csv", event_type="bam")
    declared = teams.read_text().partition("Pair,")[0]
    rows = [f"{n},{','.join(NAMES[4 * n - 4 : 4 * n])},{60 - 5 * n}" for n in range(1, 5)]
    teams.write_text(declared + "\n".join(["Number,Player1,Player2,Player3,Player4,Score", *rows]))
    done = commanded(command, tmp_path, pairs, teams)
    assert (done.status, TOLD in done.err) == (0, False), done.out


def test_files_of_one_name_are_told_by_their_folders(tmp_path: Path) -> None:
    game(tmp_path / "in" / "a" / "day.csv")
    game(tmp_path / "in" / "b" / "day.csv", SWAPPED)
    assert f"{TOLD} day of a/day.csv" in run("batch", tmp_path / "in", "-o", tmp_path / "out").err


def test_lint_tells_of_two_versions_too(tmp_path: Path) -> None:
    assert f"{TOLD} 1 of 1.csv" in run("lint", game(tmp_path / "1.csv"), game(tmp_path / "2.csv", SWAPPED)).out


@pytest.mark.slow
@pytest.mark.parametrize("command", ["batch", "archive"])
def test_a_correction_that_comes_in_a_later_run_is_remarked_on(tmp_path: Path, command: str) -> None:
    old, new = game(tmp_path / "day.csv"), game(tmp_path / "later.csv", SWAPPED, club="ELM club")
    other = game(tmp_path / "other.csv", names=OTHERS)
    assert TOLD not in commanded(command, tmp_path, old, other).err
    files = [new] if command == "archive" else [old, other, new]
    done = commanded(command, tmp_path, *files)
    assert f"{TOLD} day of day.csv" in done.err
    if command == "archive":
        assert "to leave that one out: resultproc archive remove ARCHIVE" in done.err
        assert f"{TOLD} day of day.csv" in run("players", tmp_path / "archive").err
    else:
        (listed,) = json.loads((tmp_path / "out" / "report.json").read_text())["remarks"]
        assert listed["file"].endswith("later.csv")


@pytest.mark.slow
def test_a_corrected_file_replaces_a_game_of_a_club_written_in_another_case(tmp_path: Path) -> None:
    commanded("archive", tmp_path, game(tmp_path / "day.csv"))
    done = commanded("archive", tmp_path, game(tmp_path / "day.csv", SWAPPED, club="ELM  CLUB"))
    assert "1 game of the archive replaced" in done.err
    assert "2 games" not in run("players", tmp_path / "archive").out


@pytest.mark.slow
@pytest.mark.parametrize("first", ["a.csv", "z.csv"])
def test_where_no_doubt_is_allowed_what_was_awarded_before_stays(tmp_path: Path, first: str) -> None:
    """Whichever of the files comes first by its name."""
    old, out = game(tmp_path / first), tmp_path / "out"
    assert run("batch", old, "-o", out, "--strict").status == 0
    new = game(tmp_path / "m.csv", SWAPPED)
    for _ in range(2):
        done = run("batch", old, new, "-o", out, "--strict")
        assert (done.status, f"m.csv: {TOLD} {old.stem} of {first}" in done.err) == (1, True)
        assert "1 file with 0 games, 1 failed; 1 done before; " in done.err
        assert sorted(path.name for path in out.glob("*.json")) == sorted([f"{old.stem}.json", "report.json"])
        assert [path.name for path in (out / "failed").iterdir()] == ["m.csv"]
        assert json.loads((out / "report.json").read_text())["removed"] == []


@pytest.mark.slow
def test_where_no_doubt_is_allowed_and_none_was_awarded_none_is(tmp_path: Path) -> None:
    """Which of them is right is not known: neither their order nor that of their names says so."""
    old, new = game(tmp_path / "day.csv"), game(tmp_path / "day-corrected.csv", SWAPPED)
    out = tmp_path / "out"
    for _ in range(2):
        done = run("batch", old, new, "-o", out, "--strict")
        assert (done.status, done.err.count(TOLD)) == (1, 2)
        assert "2 files with 0 games, 2 failed; 0 done before; " in done.err
        assert [path.name for path in out.glob("*.json")] == ["report.json"]
        assert sorted(path.name for path in (out / "failed").iterdir()) == ["day-corrected.csv", "day.csv"]
        assert json.loads((out / "report.json").read_text())["removed"] == []
    old.unlink()
    assert run("batch", new, "-o", out, "--strict").status == 0
    for command in ("series", "players"):
        assert run(command, game(old), new, "--strict").status == 1


@pytest.mark.slow
def test_an_archive_that_allows_no_doubt_gets_no_second_version(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    old, new = game(tmp_path / "in" / "day.csv"), game(tmp_path / "in" / "later.csv", SWAPPED)
    other = game(tmp_path / "in" / "other.csv", names=OTHERS)
    done = run("archive", "add", old, new, other, "--to", archive, "--strict")
    assert (done.status, done.out.count(TOLD), "archive remove" in done.out) == (1, 2, False)
    assert "3 files: 1 games added, 0 were there already" in done.err
    done = run("archive", "add", old, "--to", archive, "--strict")
    assert (done.status, "1 games added" in done.err) == (0, True)
    done = run("archive", "add", new, other, "--to", archive, "--strict")
    assert (done.status, done.out.count(TOLD), "archive remove ARCHIVE" in done.out) == (1, 1, True)
    assert "2 files: 0 games added, 1 were there already" in done.err
    assert "2 games" in run("players", archive).out


@pytest.mark.slow
def test_games_of_one_file_are_told_apart_by_it(tmp_path: Path) -> None:
    text = game(tmp_path / "both.csv").read_text().splitlines()
    rows = [f"{n},{row}" for n in "12" for row in text[-8:]]
    rows[8:10] = ["2,1,Ann Ash - Bob Birch,60.00", "2,2,Cy Cedar - Di Dale,60.83"]
    both = saved(tmp_path / "both.csv", "\n".join([*text[:-9], f"game_id,{text[-9]}", *rows]))
    other = game(tmp_path / "other.csv", date="2026-05-06")
    assert TOLD not in commanded("batch", tmp_path, both, other).err
    assert TOLD not in commanded("players", tmp_path, both, other).err


def test_of_three_games_the_correction_is_found_behind_another(tmp_path: Path) -> None:
    """The second has half of the players of the first, on the same day, and the third corrects the first."""
    half = [*NAMES[:7], *OTHERS[6:15]]
    files = [game(tmp_path / f"{n}.csv", names=names) for n, names in enumerate((NAMES, half))]
    files.append(game(tmp_path / "2.csv", SWAPPED))
    assert f"2.csv: {TOLD} 0 of 0.csv" in run("players", *files).err


# What is left out is named.


@pytest.mark.slow
@pytest.mark.parametrize("command", ["series", "players"])
def test_what_can_be_listed_is_and_the_others_are_named(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "may"
    game(folder / "1.csv")
    game(folder / "week" / "2.csv", date="2026-05-12")
    game(folder / "3.csv", date="2026-05-19", rating="")
    (folder / "4.csv").write_text("no results")
    (folder / "5.csv").symlink_to("nowhere.csv")
    game(folder / "6.csv").rename(folder / "6.csv")
    target = folder / f"{command}.json"
    for _ in range(2):  # what it wrote itself is no input
        done = run(command, folder, "-o", target)
        assert done.status == 1
        content = json.loads(target.read_text())
        assert [each["game_id"] for each in content["games"]] == ["1", "2"]
        wrong = {Path(each["file"]).name: each["what"] for each in content["problems"]}
        assert set(wrong) == {"3.csv", "4.csv", "5.csv", "6.csv"}
        assert (wrong["3.csv"], wrong["5.csv"]) == ("rating is not declared", "this link leads to nothing")
        assert wrong["6.csv"] == "this is the same game as 1"
        assert all(f"{name}: " in done.err for name in wrong)
        assert "Ann Ash" in target.read_text()


@pytest.mark.parametrize("command", ["series", "players"])
def test_where_nothing_can_be_listed_all_that_is_wrong_is_told(tmp_path: Path, command: str) -> None:
    """As errors of the input: none of them is lost by another."""
    inbox = tmp_path / "in"
    inbox.mkdir()

    def told() -> str:
        done = run(command, inbox)
        assert done.status == 1
        return done.err

    assert f"{inbox}: there are no files in this folder" in told()
    (inbox / "1.csv").symlink_to("nowhere.csv")
    (inbox / "2.csv").symlink_to("2.csv")
    assert told().count("this link leads to nothing") == 2
    (inbox / "3.csv").write_text("no results")
    game(inbox / "4.csv", rating="")
    assert all(f"{n}.csv: " in told() for n in range(1, 5))


def test_a_folder_called_games_is_no_archive(tmp_path: Path) -> None:
    game(tmp_path / "season" / "games" / "1.csv")
    assert "Ann Ash" in run("players", tmp_path / "season").out


# What a folder has besides files.


@pytest.mark.slow
@pytest.mark.parametrize("command", ["batch", "archive"])
def test_what_is_no_file_in_a_folder_is_told(tmp_path: Path, command: str) -> None:
    inbox = tmp_path / "in"
    game(inbox / "1.csv")
    assert run("batch", inbox, "-o", inbox / "results").status == 0
    (inbox / "gone.csv").symlink_to("nowhere.csv")
    (inbox / "itself.csv").symlink_to("itself.csv")
    done = commanded(command, tmp_path, inbox)
    assert done.status == 1
    said = done.out + done.err
    assert said.count("this link leads to nothing") == 2
    assert "this folder is what another run wrote, and its files are passed over" in said
    assert "1 game" in said


@pytest.mark.slow
def test_the_folder_of_a_run_that_is_named_itself_is_meant(tmp_path: Path) -> None:
    run("batch", game(tmp_path / "in" / "1.csv"), "-o", tmp_path / "results")
    done = run("archive", "add", tmp_path / "results" / "1.json", "--to", tmp_path / "archive")
    assert done.status == 0, done.out


def test_a_folder_whose_files_have_vanished_is_no_success(tmp_path: Path) -> None:
    inbox = tmp_path / "in"
    file = game(inbox / "1.csv")
    assert run("batch", inbox, "-o", tmp_path / "out").status == 0
    file.unlink()
    done = run("batch", inbox, "-o", tmp_path / "out")
    assert done.status == 1
    assert "there is nothing in this folder, and 1 of its files were awarded before" in done.err
    assert (tmp_path / "out" / "1.json").exists()
    done = run("archive", "add", inbox, "--to", tmp_path / "archive")
    assert (done.status, "there are no files in this folder" in done.out) == (1, True)
    inbox.rmdir()
    for command in (["batch", inbox, "-o", tmp_path / "out"], ["archive", "add", inbox, "--to", tmp_path / "archive"]):
        assert "there is no such file or folder" in run(*command).err


def test_what_a_link_leads_to_is_not_copied(tmp_path: Path) -> None:
    secret = saved(tmp_path / "secret", "of nobody's business")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.csv").symlink_to(secret)
    (tmp_path / "in" / "2.csv").write_text("no results")
    assert run("batch", tmp_path / "in", "-o", tmp_path / "out").status == 1
    assert [path.name for path in (tmp_path / "out" / "failed").iterdir()] == ["2.csv"]


def test_the_first_problem_of_each_file_is_told(tmp_path: Path) -> None:
    bad = game(tmp_path / "in" / "mon" / "bad.csv", ["many", "few", *SCORES[2:]])
    (tmp_path / "in" / "none.csv").write_text("no results")
    done = run("batch", tmp_path / "in", "-o", tmp_path / "out")
    lines = done.err.splitlines()
    assert [line.partition(": ")[0] for line in lines[:-1]] == [str(bad), str(tmp_path / "in" / "none.csv")]
    assert "'many'" in lines[0]
    assert "'few'" not in done.err


@pytest.mark.slow
def test_reprocess_tells_each_reason_once(tmp_path: Path) -> None:
    files = [game(tmp_path / f"{n}.csv", date=f"200{n}-05-05", rating="" if n < 3 else "club-open") for n in range(5)]
    files += [game(tmp_path / "x.csv", date="1990-05-05", rating="sectional", event_type="", movement="")]
    commanded("archive", tmp_path, *files)
    done = run("reprocess", tmp_path / "archive", "-o", tmp_path / "out")
    assert done.status == 1
    (line,) = (line for line in done.err.splitlines() if "rating is not declared" in line)
    assert "rating is not declared; the same holds for 2 more" in line


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_the_bar_is_as_wide_as_the_terminal(tmp_path: Path) -> None:
    import fcntl
    import termios

    for day in range(1, 4):
        game(tmp_path / "in" / f"{day}.csv", date=f"2026-05-0{day}")
    controller, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    arguments = ["batch", str(tmp_path / "in"), "-o", str(tmp_path / "out")]
    there = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "resultproc", *arguments]
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=there) as process:
        os.close(terminal)
        said = b""
        while process.poll() is None or not said.endswith(b"before\r\n"):
            try:
                said += os.read(controller, 65536)
            except OSError:  # the terminal is closed
                break
    os.close(controller)
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9?;]*[A-Za-z]", "", said.decode()))
    widths = [len(line) for line in lines if "files/s" in line]
    assert process.returncode == 0
    assert "0/3" in said.decode()
    assert re.search(r"3/3 .* 3 games, 0 failed, [0-9.]+ files/s", said.decode())
    assert 78 <= max(widths) <= 80, said
