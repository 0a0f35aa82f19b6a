"""The command line: what it prints and where, its exit statuses, and that nothing is ever half-written."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import documents
import pytest
from conftest import PROJECT, Run, run, run_process, saved
from example_games import WEDNESDAY, csv, field
from older_archives import make_older
from workbooks import workbook

import resultproc
from resultproc import cli as command_line
from resultproc.archive.store import Store
from resultproc.cli import COMMANDS, DEBUG, cli
from resultproc.cli.messages import fitted


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return saved(tmp_path / "wed.csv", WEDNESDAY)


# Help.


@pytest.mark.slow
def test_help_imports_no_pandas() -> None:
    code = (
        "import sys\nfrom resultproc.cli import main\n"
        "try:\n    main(['--help'])\nfinally:\n"
        "    assert 'click' in sys.modules\n"
        "    assert not {'pandas', 'numpy', 'openpyxl', 'lxml', 'jsonschema'} & set(sys.modules), sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"award" in done.stdout


@pytest.mark.slow
def test_a_process_awards_its_standard_input_in_any_locale_with_one_rulebook() -> None:
    """It imports the rules of that rulebook alone."""
    code = (
        "import sys\n"
        "from resultproc.cli import main\n"
        "try:\n    main(['award', '-', '--from', 'csv'])\nfinally:\n"
        "    found = [name for name in sys.modules if name.startswith('resultproc.rule') and name.endswith('.rules')]\n"
        "    print(*found, file=sys.stderr)"
    )
    accented = WEDNESDAY.replace("Kim Kerr", "Zoë Łuk").encode()
    here = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", code], input=accented, env=here, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr.split()) == (0, [b"resultproc.rulebooks.acbl_club.rules"])
    assert done.stdout.decode() == run("award", "-", "--from", "csv", given=accented).printed
    assert "Zoë Łuk" in done.stdout.decode()


def test_version() -> None:
    assert run("--version").out == f"resultproc, version {resultproc.__version__}\n"


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that there is, those of its groups' commands too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


ALL = sorted(commands(cli))


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    shown = run(*words, "--help")
    assert shown.status == 0
    assert re.search(rf"^ +resultproc {' '.join(words)}\b", shown.out, re.MULTILINE), shown.out


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_the_short_help_fits_a_screen_and_has_the_example(words: list[str]) -> None:
    short, whole = run(*words, "-h").printed, run(*words, "--help").printed
    assert short.splitlines()[0] == whole.splitlines()[0]
    assert len(short.splitlines()) <= 52
    assert re.findall(r"^ +(resultproc .*)", whole, re.MULTILINE) == re.findall(
        r"^ +(resultproc .*)", short, re.MULTILINE
    )


def test_the_short_help_of_award_has_what_a_game_needs() -> None:
    short = run("award", "-h").printed
    for option in ("--output", "--rating", "--date", "--tables", "--boards", "--strata", "--players"):
        assert option in short
    assert "--seal-holdings" not in short
    assert short.endswith("and all that goes with them: resultproc award --help\n")


def test_the_shell_completes_words_of_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_RESULTPROC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "resultproc award game.csv --rating club-f")
    monkeypatch.setenv("COMP_CWORD", "4")
    assert run().printed.splitlines() == ["plain,club-fund"]
    monkeypatch.setenv("COMP_WORDS", "resultproc aw")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run().printed.splitlines() == ["plain,award"]


@pytest.mark.slow
def test_every_example_of_the_help_works(project: Path) -> None:
    (project / "statement.csv").write_text("date,points\n2026-05-06,0.63\n", "utf-8")
    # What many examples need; Ada Birch plays in the first, and Ada Spruce in the other.
    files = ("fixtures/knockout-example.csv", "fixtures/made-wednesday.csv")
    assert run("archive", "add", *files, "--to", "history").status == 0
    make_older(Store("history"), Path("history-2020"), 3)
    failed = []
    examples = dict.fromkeys(re.findall(r"^ +(resultproc .*)", run("rules", "--help").out, re.M))
    for words in ALL:
        shown = run(*words, "--help").out.replace("\\\n", "")
        examples.update(dict.fromkeys(re.findall(r"^ +(resultproc .*)", shown, re.MULTILINE)))
    in_documents = {" ".join(line.split()) for page in documents.PAGES.values() for line in documents.commands(page)}
    for example in examples:
        words = shlex.split(example)[1:]
        if words[0] == "open":  # it goes on until it is stopped; tests/test_open.py starts it
            continue
        # tests/test_documents.py runs those.
        if " ".join(example.split()) in in_documents:
            continue
        # Two of many files show as well that it works.
        done = run(
            *(
                path
                for word in words
                for path in (sorted(Path().glob(word))[:2] if "*" in word and " " not in word else [word])
            )
        )
        if done.status != (4 if words[0] == "amend" else 0) or "Traceback" in done.err:
            failed.append(f"{example}: {done.status}: {done.err}")
    assert not failed, "\n".join(failed)


def test_short_helps_are_those_of_the_commands() -> None:
    shown = run("--help").out
    assert all(re.search(rf"^  {name} ", shown, re.MULTILINE) for name in COMMANDS)


# Exit statuses.


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["award"],
        ["award", "GAME", "--nosuch"],
        ["award", "GAME", "--to", "nosuch"],
        ["award", "GAME", "--tables", "nine"],
        ["award", "GAME", "--date", "yesterday"],
        ["award", "GAME", "-o", "sheet.nosuch"],
        ["award", "GAME", "-o", "."],
        ["award", "GAME", "-o", "GAME"],
        ["award", "GAME", "-o", "wed.toml", "--to", "json"],
        ["award", "GAME", "--one-event"],
        ["award", "GAME", "--special", "side-gane"],
        ["series", "GAME", "-o", "sheet.xml"],
        ["check", "GAME", "-o", "sheet.bws"],
        ["compare", "GAME", "--rules", "acbl-club", "--rules", "acbl-2017", "-o", "sheet.bws"],
        ["convert", "GAME", "GAME"],
        ["chart", "--tables", "4:20"],
        ["chart", "--rating", "club-open"],
        ["chart", "--rating", "club-open", "--tables", "4:"],
        ["chart", "--rating", "club-open", "--tables", "A=4"],
        ["chart", "--rating", "club-open", "--tables", "4", "-o", "chart.nosuch"],
        ["rules", "show"],
    ],
    ids=" ".join,
)
def test_wrong_usage(game: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(game.parent)
    (game.parent / "wed.toml").write_text('club = "Mine"\n')
    before = {path: path.read_bytes() for path in game.parent.iterdir()}
    done = run(*(game.name if argument == "GAME" else argument for argument in arguments))
    assert done.status == 2
    assert done.out == ""
    assert "Error: " in done.err
    assert {path: path.read_bytes() for path in game.parent.iterdir()} == before


def test_a_mistyped_command_is_told_the_closest() -> None:
    assert "Error: unknown command 'awrd'; did you mean 'award'?" in run("awrd", "game.csv").err
    assert "known: amend, archive, award, " in run("game.csv").err


def test_endings_are_told_of_the_formats_that_the_command_writes(game: Path) -> None:
    assert (
        "(write .csv, .fragment.html, .htm, .html, .json, .txt, .xlsx)" in run("series", game, "-o", "series.xml").err
    )


def test_the_input_itself_is_no_output_by_another_name(game: Path) -> None:
    (game.parent / "link.csv").symlink_to(game)
    done = run("award", game, "--from", "csv", "-o", game.parent / "link.csv")
    assert done.status == 2
    assert game.read_text() == WEDNESDAY


HEAD = "# rating: club-open\n# tables: 1\n"
TABLE = "number,player1,percentage\n1,P,60\n2,Q,40\n"
STRATA = "# strata: A=open, B=100\nnumber,player1,percentage,stratum\n1,P,60,A\n2,Q,40,"

BAD = {
    "unreadable number": (HEAD + TABLE + "3,R,fifty\n", "line 6, column 3", "fifty"),
    "unknown stratum": (HEAD + STRATA + "X\n", "line 6", "stratum X"),
    "stratum without limit": (HEAD + "number,player1,percentage,stratum\n1,P,60,A\n2,Q,40,B\n", "", "strata"),
    "no rating": ("# tables: 1\n" + TABLE, "", "rating, date and boards are not declared"),
    "misspelt key without its #": ("raiting: club-open\n" + TABLE, "line 1", "did you mean 'rating'?"),
    "no championship of clubs": (
        "# championship: blue-ribbon-pairs\n# boards: 18\n" + HEAD + TABLE,
        "",
        "has no championships",
    ),
}
"""A file that is refused at each stage, where, and what is said of it."""


@pytest.mark.parametrize("name", BAD)
def test_bad_input(tmp_path: Path, name: str) -> None:
    text, where, what = BAD[name]
    path = saved(tmp_path / "bad.csv", text)
    output = saved(tmp_path / "out.json", "kept")
    for command in (
        run("award", path, "--from", "csv", "--to", "json"),
        run("award", path, "--from", "csv", "-o", output, "--to", "json"),
    ):
        assert command.status == 1
        assert command.out == ""
        assert command.err.startswith("bad.csv: ")
        assert where in command.err
        assert what in command.err
        assert "Traceback" not in command.err
    assert output.read_text() == "kept"
    assert sorted(tmp_path.iterdir()) == [path, output]


def test_files_that_are_no_results(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "blank.csv").write_bytes(b"\n \n")
    (tmp_path / "junk.csv").write_bytes(bytes(range(256)) * 40)
    whole = workbook(Sheet=[["number", "player1", "percentage"]])
    (tmp_path / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
    for path in [*sorted(tmp_path.iterdir()), tmp_path / "missing.csv", tmp_path]:
        done = run("award", path)
        assert done.status == 1, path
        assert done.out == ""
        assert done.err.startswith(f"{path.name}: "), done.err
        assert "bug" not in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["award", "GAME"],
        ["award", "GAME", "-o", "out.json"],
        ["check", "GAME"],
        ["convert", "GAME", "out.json"],
        ["explain", "GAME", "A-NS-1"],
        ["series", "GAME", "GAME", "GAME", "GAME"],
        ["compare", "GAME", "--rules", "acbl-club", "--rules", "acbl-2017"],
    ],
    ids=" ".join,
)
def test_a_file_that_may_not_be_read_is_at_fault(
    game: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    opened = Path.open

    def refused(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == game.name:  # what the program itself reads, it may
            raise PermissionError(13, "Permission denied")
        return opened(path, *how, **more)

    monkeypatch.chdir(game.parent)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(Path, "open", refused)
    done = run(*(game.name if argument == "GAME" else argument for argument in arguments))
    headline = "Checked: wed.csv could not be checked\n\n" if arguments[0] == "check" else ""
    assert (done.status, done.out) == (6, headline)
    assert done.err.startswith("wed.csv: it cannot be read: Permission denied")
    assert list(game.parent.iterdir()) == [game]


def test_a_sidecar_that_is_wrong(game: Path) -> None:
    game.with_suffix(".toml").write_text('club = "Mine"\nrating = "club-opn"\n')
    done = run("award", game, "--from", "csv", "--to", "json")
    assert done.status == 1
    assert done.err.startswith("wed.toml: line 2: ")
    assert "did you mean 'club-open'" in done.err


def test_the_rest_of_several_files_is_not_printed_where_one_is_wrong(game: Path) -> None:
    bad = game.with_name("bad.csv")
    bad.write_text(TABLE)
    done = run("award", game, bad, "--from", "csv", "--to", "json")
    assert (done.status, done.out) == (1, "")
    assert "bad.csv: " in done.err


def test_a_batch_with_a_bad_file_says_where_it_stands_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(TABLE)
    done = run("batch", tmp_path / "bad.csv", "-o", tmp_path / "out")
    assert done.status == 1
    report = tmp_path / "out" / "report.json"
    first, *lines, last = done.err.splitlines()
    assert first.startswith(f"{tmp_path / 'bad.csv'}: rating, date and boards are not declared")
    assert lines[0].strip().startswith("write above")
    assert "  # date: ..." in lines
    assert last == f"1 file with 0 games, 1 failed; 0 done before; {report} says what is wrong"
    assert "rating, date and boards are not declared" in report.read_text("utf-8")


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    done = run("award", tmp_path)
    told = f"{tmp_path.name}: this is a folder (name the files in it, such as {tmp_path}{os.sep}*.csv)\n"
    assert done == Run(1, "", told)


@pytest.mark.slow
def test_a_write_protected_file_stays_as_it_is(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = game.with_name("out.json")
    output.write_text("kept")
    opened = Path.open

    def protected(path: Path, mode: str = "r", *arguments: object, **others: object) -> object:
        # As the system does for anybody but its administrator, who may be the one that runs this.
        if path == output and mode != "r":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode, *arguments, **others)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", protected)
    done = run("award", game, "-o", output)
    assert done == Run(6, "", f"{output}: it cannot be written: Permission denied\n")
    monkeypatch.undo()
    assert output.read_text() == "kept"
    assert sorted(game.parent.iterdir()) == [output, game]


def test_a_link_stays_a_link_to_the_file_that_is_written(game: Path) -> None:
    there, link = game.with_name("out.json"), game.with_name("link.json")
    there.write_text("old")
    link.symlink_to(there)
    assert run("award", game, "-o", link).status == 0
    assert link.is_symlink()
    assert json.loads(there.read_text("utf-8"))["games"]


@pytest.mark.parametrize(("writes", "status"), [(1, 0), (4, 0), (None, 5)])
def test_a_file_that_is_written_to_meanwhile_is_read_as_it_is_in_the_end(
    game: Path, monkeypatch: pytest.MonkeyPatch, writes: int | None, status: int
) -> None:
    text, told, asked = game.read_text("utf-8"), os.fstat, [0]

    def fstat(file: int) -> os.stat_result:
        """Tell what a file is; each second time, which is after it was read, another program has written to it."""
        asked[0] += 1
        if asked[0] % 2 == 0 and (writes is None or asked[0] <= 2 * writes):
            game.write_text(text.replace("Ann", "Zoe") + "\n" * asked[0], "utf-8")
        return told(file)

    monkeypatch.setattr("resultproc.formats.loaded.os", SimpleNamespace(fstat=fstat))
    monkeypatch.setattr("resultproc.formats.loaded.time", SimpleNamespace(sleep=lambda seconds: None))
    done = run("convert", game, "-", "--to", "csv")
    assert done.status == status
    if writes is None:
        assert "wed.csv: another program writes to this file while it is read (try again" in " ".join(done.err.split())
    else:
        assert "Zoe" in done.out
        assert "Ann" not in done.out


@pytest.mark.skipif(os.name == "nt", reason="needs named pipes")
def test_a_pipe_is_written_to(game: Path) -> None:
    pipe = game.with_name("pipe")
    os.mkfifo(pipe)
    # A pipe has room for 65,536 bytes that nobody has read yet.
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reading:
        assert run("award", game, "--to", "json", "-o", pipe).status == 0
        assert json.loads(reading.read())["games"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    "arguments",
    [["archive", "add", "GAME", "--to", "no://such"], ["reprocess", "no://such", "-o", "out"]],
    ids=" ".join,
)
def test_a_location_that_cannot_be(game: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(game.parent)
    done = run(*(game.name if argument == "GAME" else argument for argument in arguments))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("no://such: this location cannot be used: ")


def test_a_bug_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise ZeroDivisionError("never mind")

    monkeypatch.setattr(command_line.cli, "main", broken)
    monkeypatch.delenv(DEBUG, raising=False)
    done = run("award")
    assert (done.status, done.out) == (70, "")
    assert "this is a bug in resultproc: ZeroDivisionError: never mind" in done.err
    assert DEBUG in done.err
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        run("award")


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: object) -> None:
        raise click.Abort

    monkeypatch.setattr(command_line.cli, "main", interrupted)
    assert run("award") == Run(130, "", "stopped\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_no_room_on_standard_output() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "resultproc", "--help"]
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 6
    assert done.stderr.startswith(b"standard output: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes standard output")
def test_standard_output_is_closed(game: Path) -> None:
    """What has to be printed fails; what goes to a file is no worse for it, and the process ends well."""
    code = (
        "import sys\n"
        "from resultproc.cli import main\n"
        "assert sys.stdout is None\n"
        "try:\n    main(['award', 'wed.csv', '--to', 'xlsx'])\n"
        "except SystemExit as stop:\n    print(stop.code, file=sys.stderr)\n"
        "sys.stdout = None\n"
        "main(['award', 'wed.csv', '-o', 'out.json'])"
    )
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", code]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, timeout=60, cwd=game.parent)
    assert (done.returncode, done.stderr) == (0, b"standard output: Bad file descriptor\n6\n")
    assert (game.parent / "out.json").stat().st_size


@pytest.mark.parametrize(
    ("command", "option"),
    [(["batch"], "-o"), (["archive", "add"], "--to"), (["generate", "--seed", "1", "--kind", "club"], "-o")],
)
def test_a_folder_that_cannot_be_made_is_no_fault_of_the_input(game: Path, command: list[str], option: str) -> None:
    inputs = [] if command[0] == "generate" else [game]
    done = run(*command, *inputs, option, game / "out")
    assert (done.status, "Not a directory" in done.err) == (6, True), done.err


# The commands.


def test_award_writes_data_to_standard_output_only(game: Path) -> None:
    done = run("award", game, "--from", "csv", "--to", "json")
    assert (done.status, done.err) == (0, "")
    assert len(json.loads(done.out)["games"]) == 1


def test_award_of_several_files(tmp_path: Path) -> None:
    paths = []
    for folder in ("mon", "tue"):
        paths.append(tmp_path / folder / "game.csv")
        paths[-1].parent.mkdir()
        paths[-1].write_text("# date: 2010-05-01\n" + HEAD + TABLE)
    done = run("award", *paths, "--from", "csv", "--to", "json")
    assert [entry["game"]["game_id"] for entry in json.loads(done.out)["games"]] == ["1-game", "2-game"]


def test_award_to_a_file(game: Path) -> None:
    output = game.with_name("out.json")
    assert run("award", game, "--from", "csv", "-o", output) == Run(0, "", "")
    assert run("award", game, "--from", "csv", "--to", "json").out == output.read_text("utf-8")
    assert sorted(game.parent.iterdir()) == [output, game]


def test_an_ending_in_capitals_picks_the_same_format(game: Path) -> None:
    output = game.with_name("OUT.JSON")
    assert run("award", game, "-o", output).status == 0
    assert output.read_text("utf-8") == run("award", game, "--to", "json").out


def test_options_go_before_what_the_file_declares(game: Path) -> None:
    done = run("award", game, "--from", "csv", "--to", "json", "--club", "Mine", "--limit", "2,000")
    (entry,) = json.loads(done.out)["games"]
    assert (entry["game"]["club"], entry["game"]["limit"]) == ("Mine", "2000")


def test_options_may_be_spelled_as_the_keys_are(game: Path) -> None:
    hyphened = run("award", game, "--to", "json", "--event-type", "team-of-two", "--stratify-by", "highest")
    assert '"event_type": "team-of-two"' in hyphened.out
    underscored = run("award", game, "--to", "json", "--event_type", "team-of-two", "--stratify_by", "highest")
    assert underscored == hyphened


def test_convert_awards_nothing(game: Path) -> None:
    output = game.with_name("out.json")
    assert run("convert", game, output, "--from", "csv") == Run(0, "", "")
    (entry,) = json.loads(output.read_text("utf-8"))["games"]
    assert entry["game"]["event_type"] is None
    assert "masterpoints" not in entry["contestants"][0]


def test_explain(game: Path) -> None:
    done = run("explain", game, "a-ns-6", "--from", "csv")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("Wednesday Open Pairs, 2012-04-18; rulebook acbl-club")
    assert lines[2] == "A-NS-6 Kim Kerr - Lee Kerr, stratum B, score 133"
    assert max(map(len, lines)) <= 80  # what is longer goes on in the next line
    paid = "0.63 masterpoints (0.63 black) from section, stratum A, 2nd of 9: the highest of 2 awards"
    assert paid in " ".join(done.out.split())
    # In a sentence before the formula: 0.10 for each of 9, of which the second has 70%.
    said = "0.63: 2nd of 9 pairs in the section, stratum A; the first gets 0.90, 0.10 for each pair."
    assert said in " ".join(done.out.split())
    assert "section, stratum B, 2nd of 7 pays 0.39" in lines
    assert "  ladder  1st 0.90, 2nd 0.63, 3rd 0.45, 4th 0.32" in lines


def test_explain_a_contestant_without_award(game: Path) -> None:
    lines = run("explain", game, "EW-5", "--from", "csv").out.splitlines()
    assert "no masterpoints: none of its places pays" in lines
    assert "section, stratum A, 5th of 9 pays nothing" in lines


def test_explain_a_sum_of_awards(tmp_path: Path) -> None:
    # As in test_explain: a section award of 0.50 and a handicap overall award of 1.20, which are added.
    scores = field("B", "N-S", 5, 55) + field("B", "E-W", 5, 54) + field("A", "N-S", 7, 66) + field("A", "E-W", 7, 60)
    path = tmp_path / "game.csv"
    path.write_text(csv(scores, "handicap=20", rating="club-open", tables="A=7, B=5", special="handicap"))
    lines = run("explain", path, "B-NS-1", "--from", "csv").out.splitlines()
    assert "section + handicap overall, stratum A, pays 1.70" in lines
    assert any(
        line.startswith("1.70 masterpoints (1.70 black) from section + handicap overall, stratum A: ") for line in lines
    )
    assert "overall, stratum A, 8th of 12 pays nothing" in lines


def test_explain_as_json(game: Path) -> None:
    found = json.loads(run("explain", game, "A-EW-6", "--from", "csv", "--to", "json").out)
    assert found["game"]["rulebook"] == "acbl-club"
    assert (found["contestant"]["direction"], found["contestant"]["number"]) == ("E-W", "6")
    assert (found["masterpoints"], found["colours"]) == ("0.20", {"black": "0.20"})
    (candidate,) = found["candidates"]
    # Four in C: 0.07 x 4 = 0.28, 70% of it 0.196.
    assert (candidate["group_size"], candidate["ladder"], candidate["position"]) == (4, ["0.28", "0.20"], 2)
    expected = [("A", 7, "0.00"), ("B", 4, "0.00")]
    assert [(c["stratum"], c["position"], c["masterpoints"]) for c in found["unpaid"]] == expected


def test_explain_names_the_file_and_the_closest_contestants(game: Path) -> None:
    done = run("explain", game, "A-NS-66", "--from", "csv")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("wed.csv: unknown contestant 'A-NS-66' in the game (the closest are A-NS-6")


@pytest.mark.parametrize("arguments", [["--tables", "20:4"], ["--tables", "1:5000"], ["--tables", "9", "--rules", "x"]])
def test_charts_that_cannot_be(arguments: list[str]) -> None:
    done = run("chart", "--rating", "club-open", *arguments)
    assert (done.status, done.out) == (2 if "--rules" in arguments else 1, "")
    assert len(done.err.splitlines()) == (4 if "--rules" in arguments else 1)


def test_a_chart_of_a_knockout_is_told_what_charts_are_for() -> None:
    arguments = ("chart", "--rating", "regional", "--event-type", "knockout", "--tables", "8")
    done = run(*arguments)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("there is no chart for a knockout: ")
    assert "choose pairs, individual, bam, swiss, team-of-two, or a zip knockout" in done.err
    zipped = run(*arguments, "--special", "zip-knockout", "--sessions", "1", "--date", "2012-01-01", "--boards", "24")
    assert zipped.status == 0


def test_rules_list() -> None:
    assert "\nacbl-club: " in run("rules", "list").out
    books = json.loads(run("rules", "list", "--to", "json").out)["rulebooks"]
    (club,) = (book for book in books if book["id"] == "acbl-club")
    assert "club-open" in club["covers"]


def test_rules_show() -> None:
    values = {
        value["path"]: value for value in json.loads(run("rules", "show", "acbl-club", "--to", "json").out)["values"]
    }
    rate = values["section.rate.club-open"]
    assert (rate["value"], rate["confidence"]) == ("0.10", "printed")
    assert rate["unit"] == "masterpoints per contestant in the comparison group"
    assert rate["citation"].startswith("ACBL Handbook")
    assert values["limited.section-caps"]["confidence"] == "secondary"
    text = run("rules", "show", "acbl-club").out
    assert all(f"\n{path} = " in text for path in values)
    assert "(inferred)" in text


def test_rules_find() -> None:
    text = run("rules", "find", "FOURTH", "35%").out
    blocks = text.strip().split("\n\n")
    assert (
        "acbl-club: section.percentages = [70, 50, 35] percent of the first award, for 2nd, 3rd and 4th\n"
        "  ACBL Handbook of Rules and Regulations, ch. 4 (club masterpoint awards), web edition about 2013-15, "
        "Section Two I: second 70%, third 50%, fourth 35%\n"
        "  From 5th on a place pays the first award divided by the place: fifth 1/5, sixth 1/6."
    ) in blocks
    # Other rulebooks take it over; it is told once.
    assert text.count(": section.percentages = ") == 1
    found = json.loads(run("rules", "find", "silver-linings", "--to", "json").out)["found"]
    dated = [value for value in found if value["path"] == "special.factor.silver-linings"]
    assert [(value["rulebook"], value["value"], value["since"], value["until"]) for value in dated] == [
        ("acbl-online-club", "3.00", "2020-05-25", "2020-05-31"),
        ("acbl-online-club", "1.50", "2020-06-01", None),
        ("acbl-online-club", "2.00", "2020-07-27", "2020-08-02"),
    ]
    assert "in force from 2020-05-25 until 2020-05-31" in run("rules", "find", "silver-linings").out


@pytest.mark.parametrize("word", ["handbook-4", "zzz"])
def test_rules_find_nothing(word: str) -> None:
    done = run("rules", "find", "club", word)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"nothing found for 'club {word}' in the values, citations and notes (")


def test_rules_show_what_of_another_does_not_hold() -> None:
    assert "\n  extends acbl-club without section.rate, section.cap, " in run("rules", "show", "acbl-online-club").out
    shown = json.loads(run("rules", "show", "acbl-online-club", "--to", "json").out)
    assert "limited" in shown["without"]
    assert json.loads(run("rules", "show", "acbl-club", "--to", "json").out)["without"] is None


OWN = """\
extends = "acbl-club"
title = "Our bonus night"

[[bonus.factor]]
value = 1.1
until = 2012-12-31
note = "Agreed in March."

[[bonus.factor]]
value = 1.2
since = 2013-01-01
"""


@pytest.mark.slow
def test_a_rulebook_of_ones_own(game: Path) -> None:
    own = game.with_name("bonus.toml")
    own.write_text(OWN)
    text = run("rules", "show", own).out
    assert text.startswith("bonus: Our bonus night\n  extends acbl-club\n")
    assert (
        "bonus.factor = 1.1 times the first award, cap included\n  bonus\n"
        "  in force until 2012-12-31\n  Agreed in March.\n"
    ) in text
    assert "in force from 2013-01-01" in text
    # 0.90 x 1.1 = 0.99 in 2012, 0.90 x 1.2 = 1.08 a year later.
    for arguments, first in (([], "0.99"), (["--date", "2013-04-18"], "1.08")):
        done = run("award", game, "--from", "csv", "--to", "json", "--rules", own, *arguments)
        assert json.loads(done.out)["games"][0]["contestants"][0]["masterpoints"] == first
    explained = run("explain", game, "NS-1", "--from", "csv", "--rules", own).out
    assert "x 1.1" in explained
    chart = run("chart", "--rating", "club-open", "--tables", "9", "--date", "2012-04-18", "--rules", own)
    assert "0.99" in chart.out
    undated = run("chart", "--rating", "club-open", "--tables", "9", "--rules", own)
    assert undated.status == 1
    assert "--date" in undated.err


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ('extends = "acbl-club"\n[bonus.factr]\nvalue = 1.1\n', "line 2", "did you mean 'bonus.factor'?"),
        ('extends = "acbl-club"\n[bonus.factor]\nvalue = "much"\n', "line 2", "a number"),
        ('extends = "acbl-club"\n[bonus.factor\n', "line 2", "TOML"),
        ('extends = "acbl-clubs"\n', "", "did you mean 'acbl-club'?"),
        ('title = "Mine"\n', "line 1", "extends"),
    ],
)
def test_a_rulebook_that_is_wrong(game: Path, text: str, where: str, what: str) -> None:
    own = game.with_name("own.toml")
    own.write_text(text)
    for arguments in (["rules", "show", own], ["award", game, "--from", "csv", "--to", "json", "--rules", own]):
        done = run(*arguments)
        assert (done.status, done.out) == (1, "")
        assert "own.toml" in done.err
        assert where in done.err
        assert what in done.err


def test_stopped_while_it_is_imported_it_ends_as_later(tmp_path: Path) -> None:
    """A library whose import is interrupted stands for the first tenth of a second."""
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    path = os.pathsep.join([str(tmp_path), str(PROJECT)])
    done = run_process("--help", env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr.split()) == (130, b"", [b"stopped"])


def test_on_a_terminal_lines_go_on_below_their_last_column() -> None:
    assert fitted("short\n\nalso", 20) == "short\n\nalso"
    shown = fitted("id  A long title of a rulebook", 20).split("\n")
    assert shown == ["id  A long title of", "    a rulebook"]


@pytest.mark.slow
def test_a_terminal_of_80_columns_has_room_for_all_lines() -> None:
    pty = pytest.importorskip("pty")
    commands = [["rules", "list"], ["rules", "show", "acbl-club"], ["sites", "list"]]
    code = f"from resultproc.cli import main\nfor each in {commands}: main(each); print('###')"
    ours, its = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        more = {"env": {**os.environ, "COLUMNS": "80"}, "stdout": its, "stderr": subprocess.DEVNULL}
        with subprocess.Popen([sys.executable, "-c", code], **more) as done:
            os.close(its)
            data = b""
            with suppress(OSError):  # it says so at its end
                while part := screen.read(65536):
                    data += part
        assert done.returncode == 0
    lines = data.decode().splitlines()
    assert [len(shown.splitlines()) > 3 for shown in data.decode().split("###")] == [True, True, True, False]
    assert max(map(len, lines)) <= 80
