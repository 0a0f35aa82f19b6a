"""What files are called by a pattern of game keys."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import FIXTURES, Run, examples, run
from hypothesis import given
from hypothesis import strategies as st

from resultproc.formats.write import NamePattern
from resultproc.model.errors import InputError

GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"

FACTS: dict[str, Any] = {
    "event": "Wednesday Open Pairs",
    "club": "Ægir Bridge Club",
    "date": pd.Timestamp("2026-11-03"),
    "session": "Tuesday Eve",
    "boards": 7,
    "limit": float("inf"),
}


def called(pattern: str, **facts: object) -> str:
    parsed = NamePattern.parse(pattern)
    return parsed.stem([FACTS | facts]) + parsed.ending


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("{date:%y%m%d}{time_of_day}.TXT", "261103E.TXT"),
        ("{date}", "2026-11-03"),
        ("{event}, {date:%d %b %Y}.html", "Wednesday Open Pairs, 03 Nov 2026.html"),
        ("{club:.5}-{boards:03}.bridgewebs.csv", "Ægir-007.bridgewebs.csv"),
        ("{{{boards}}}.xml", "{7}.xml"),
        ("{limit}.json", "open.json"),
        ("{date:%d/%m}.csv", "03-11.csv"),
    ],
)
def test_keys_are_written_as_the_pattern_says(pattern: str, name: str) -> None:
    assert called(pattern) == name


@pytest.mark.parametrize(
    ("session", "letter"),
    [
        ("Wednesday Aft", "A"),
        ("MORNING session", "M"),
        ("10 a.m.", "M"),
        ("Eve", "E"),
        ("Late, Friday", "L"),
        ("Friday Night", "E"),
    ],
)
def test_the_time_of_day_follows_from_the_session(session: str, letter: str) -> None:
    assert called("{time_of_day}.txt", session=session) == f"{letter}.txt"


@pytest.mark.parametrize("session", ["7 pm", "Morning and afternoon", "2", None])
def test_where_the_session_tells_no_time_it_is_asked(session: str | None) -> None:
    with pytest.raises(
        InputError, match=r"asks for the time of day, and .* does not tell one.*session='Wednesday Eve'"
    ):
        called("{time_of_day}.txt", session=session)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("{datee}.txt", "unknown key 'datee'; did you mean 'date'?"),
        ("{date.year}.txt", "unknown key 'date.year'"),
        ("{event.__class__.__mro__}.txt", "unknown key"),
        ("{event[0]}.txt", "unknown key 'event[0]'"),
        ("{0}.txt", "unknown key '0'"),
        ("{}.txt", "unknown key ''"),
        ("{event!r}.txt", "write {event}"),
        ("{event:999999999}.txt", "'999999999' is no way to write event"),
        ("{boards:999999999d}.txt", "is no way to write boards"),
        ("{event:{club}}.txt", "is no way to write event"),
        ("{date:%H}.txt", "'%H' is no way to write date"),
        ("{time_of_day:.1}.txt", "time_of_day is one letter"),
        ("{date.txt", "write a key as {date}"),
        ("date}.txt", "write a key as {date}"),
        ("../{date}.txt", "'/' cannot be in the name of a file"),
        ("..\\{date}.txt", r"'\\' cannot be in the name"),
        ("C:{date}.txt", "':' cannot be in the name"),
        ("{date}\n.txt", r"'\n' cannot be in the name"),
        (".txt", "there is nothing in it"),
        ("", "there is nothing in it"),
    ],
)
def test_a_pattern_has_keys_and_formats_and_nothing_else(pattern: str, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        NamePattern.parse(pattern)
    assert said in str(caught.value)


def test_a_key_that_the_game_lacks_is_named() -> None:
    with pytest.raises(InputError, match=r"asks for 'rating', which the game does not say.*rating='club-open'"):
        called("{rating}.txt")


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("../../etc/passwd", "etc-passwd.txt"),
        ("..", None),
        ("a\u202etxt.exe", "atxt.exe.txt"),
        ("con", "_con.txt"),
        ("COM1.old", "_COM1.old.txt"),
        ("lpt²", "_lpt².txt"),
        ("-rf", "rf.txt"),
        (".hidden", "hidden.txt"),
        ("a\x00b\tc", "ab c.txt"),
        ("C:\\x", "C--x.txt"),
        ("a／b", "a-b.txt"),
        ("console", "console.txt"),
    ],
)
def test_what_no_name_may_have_is_left_out(event: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(InputError, match="nothing of what the pattern asks for"):
            called("{event}.txt", event=event)
    else:
        assert called("{event}.txt", event=event) == name


_texts = st.text(max_size=400) | st.text(st.sampled_from("./\\ -:CONcon1\u202e\u200b\x00\n~$%*"), max_size=12)


@examples(300)
@given(event=_texts, club=_texts, pattern=st.sampled_from(["{event}.txt", "{event}{club}", "{event:.3}. {club}.x.TXT"]))
def test_any_name_is_one_file_in_its_folder(tmp_path: Path, event: str, club: str, pattern: str) -> None:
    try:
        name = called(pattern, event=event, club=club)
    except InputError:
        return
    assert Path(name).name == name
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert len(name.encode()) <= 200
    assert name[0] not in ".- "
    assert name[-1] not in ". "
    assert not set(name) & set('/\\:*?"<>|')
    assert not any(unicodedata.category(sign)[0] == "C" for sign in name)
    assert name.split(".")[0].strip().lower() not in {"con", "prn", "aux", "nul", "com1", "lpt1"}
    (tmp_path / name).write_bytes(b"")
    assert name in {path.name for path in tmp_path.iterdir()}


def award(folder: Path, *more: object) -> Run:
    return run("award", GAME, "--session", "Wednesday Aft", "-o", folder, *more)


@pytest.mark.slow
def test_award_writes_to_the_name_in_a_folder(tmp_path: Path) -> None:
    assert award(tmp_path, "--name", "{date:%y%m%d}{time_of_day}.TXT").status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["120418A.TXT"]
    assert "Wednesday Aft Session" in (tmp_path / "120418A.TXT").read_text()
    assert award(tmp_path, "--name", "{session:.9}", "--to", "json,xlsx").status == 0
    assert award(tmp_path, "--name", "{date}.TXT", "--to", "jannersten").status == 0
    names = ["120418A.TXT", "2012-04-18.TXT", "Wednesday.json", "Wednesday.xlsx"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert (tmp_path / "2012-04-18.TXT").read_bytes().startswith(b"[GAME]")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--name", "{date}"], "say with --to which formats to write"),
        (["--name", "{date}.txt", "--to", "text,json"], "leave the ending out"),
        (["--name", "{date}.dat"], "no writer for this file extension"),
        (["--name", "{date}.txt", "-o", "elsewhere"], "name one folder with -o"),
        (["--name", "{dat}.txt"], "did you mean 'date'?"),
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(tmp_path: Path, more: list[str], said: str) -> None:
    done = award(tmp_path, *more)
    assert (done.status, said in done.err) == (2, True), done.err
    assert not list(tmp_path.iterdir())


def test_a_file_is_not_called_as_its_input(tmp_path: Path) -> None:
    (tmp_path / "Wednesday.csv").write_bytes(GAME.read_bytes())
    done = run("award", tmp_path / "Wednesday.csv", "--name", "{session:.9}.csv", "--session", "Wednesday Aft")
    assert done.status == 2
    assert "is one of the inputs" in done.err


def test_a_file_called_otherwise_than_its_input_goes_beside_it(tmp_path: Path) -> None:
    (tmp_path / "wednesday.csv").write_bytes(GAME.read_bytes())
    assert run("award", tmp_path / "wednesday.csv", "--name", "{date:%y}.csv").status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["12.csv", "wednesday.csv"]


@pytest.mark.slow
def test_games_of_one_file_have_one_name(tmp_path: Path) -> None:
    two = FIXTURES / "made-two-games.ACM"
    done = run("award", two, "--name", "{event}.json", "--rating", "club-championship", "-o", f"{tmp_path}/")
    assert done.status == 1
    assert "and they are in one file" in done.err
    assert run("award", two, "--name", "{date}.json", "--rating", "club-championship", "-o", f"{tmp_path}/").status == 0


ROWS = "section,direction,number,player1,player2,score\n" + "".join(
    f"A,{d},{n},{name}{d}{n},B{d}{n},{20 + n}\n" for d in ("N-S", "E-W") for n, name in enumerate("ABC", 1)
)


def saved(path: Path, day: str, event: str = "Open") -> None:
    path.parent.mkdir(exist_ok=True)
    head = f"# event: {event}\n# date: {day}\n# rating: club-open\n# boards: 24\n# tables: 3\n"
    path.write_text(head + ROWS.replace("A1", f"A{event}"))


def batch(folder: Path, *more: object) -> tuple[Run, dict[str, Any]]:
    done = run("batch", folder / "in", "-o", folder / "out", *more)
    return done, json.loads((folder / "out" / "report.json").read_text())


def results(folder: Path) -> list[str]:
    out = folder / "out"
    files = (path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    return sorted(name for name in files if not name.startswith(("ledger", "report")))


@pytest.mark.slow
def test_batch_calls_results_by_their_games_in_their_folders(tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.csv", "2012-11-21")
    saved(tmp_path / "in" / "mon" / "b.csv", "2012-11-21", "Other")
    done, report = batch(tmp_path, "--name", "{date:%y%m%d}.TXT")
    assert done.status == 0, done.err
    assert results(tmp_path) == ["121121.TXT", "mon/121121.TXT"]
    assert {each["outputs"][0]["file"] for each in report["inputs"]} == {*results(tmp_path)}
    assert batch(tmp_path, "--name", "{date:%y%m%d}.TXT")[1]["done_before"] == 2
    # Another pattern calls them otherwise, and nothing is left under the old names.
    assert batch(tmp_path, "--name", "{event}", "--to", "json,text")[0].status == 0
    assert results(tmp_path) == ["Open.json", "Open.txt", "mon/Other.json", "mon/Other.txt"]
    # Without a pattern a file keeps the names of its results.
    assert batch(tmp_path)[0].status == 0
    assert results(tmp_path) == ["Open.json", "mon/Other.json"]


@pytest.mark.slow
def test_two_results_of_one_name_are_refused_with_both_sources(tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.csv", "2012-11-21")
    saved(tmp_path / "in" / "b.csv", "2012-11-21", "Other")
    saved(tmp_path / "in" / "c.csv", "2012-11-22", "Third")
    pattern = ("--name", "{date:%y%m%d}.TXT")
    done, report = batch(tmp_path, *pattern)
    assert done.status == 1
    assert results(tmp_path) == ["121122.TXT", "failed/a.csv", "failed/b.csv"]
    said = {Path(each["file"]).name: each["problems"][0]["what"] for each in report["failures"]}
    assert said["a.csv"].startswith("its results would be called '121121.TXT', and so would those of ")
    assert (said["a.csv"].endswith("/b.csv"), said["b.csv"].endswith("/a.csv")) == (True, True)
    # With one of them gone, the other has the name; whoever comes later does not take it away.
    (tmp_path / "in" / "b.csv").unlink()
    assert batch(tmp_path, *pattern)[0].status == 0
    assert results(tmp_path) == ["121121.TXT", "121122.TXT"]
    before = (tmp_path / "out" / "121121.TXT").read_bytes()
    saved(tmp_path / "in" / "0.csv", "2012-11-21", "Other")
    assert batch(tmp_path, *pattern)[0].status == 1
    assert results(tmp_path) == ["121121.TXT", "121122.TXT", "failed/0.csv"]
    assert (tmp_path / "out" / "121121.TXT").read_bytes() == before


@pytest.mark.slow
def test_two_files_that_exchange_names_are_done_in_the_end(tmp_path: Path) -> None:
    pattern = ("--name", "{date:%y%m%d}.TXT")
    saved(tmp_path / "in" / "a.csv", "2012-11-21")
    saved(tmp_path / "in" / "b.csv", "2012-11-22", "Other")
    assert batch(tmp_path, *pattern)[0].status == 0
    saved(tmp_path / "in" / "a.csv", "2012-11-22")
    saved(tmp_path / "in" / "b.csv", "2012-11-21", "Other")
    batch(tmp_path, *pattern)
    assert batch(tmp_path, *pattern)[0].status == 0
    assert results(tmp_path) == ["121121.TXT", "121122.TXT"]
    assert "Other" in (tmp_path / "out" / "121121.TXT").read_text()


def test_a_file_that_lacks_a_key_fails_and_the_others_go_on(tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.csv", "2012-11-21")
    saved(tmp_path / "in" / "b.csv", "2012-11-22", "Other")
    (tmp_path / "in" / "b.csv").write_text("# session: Thursday Eve\n" + (tmp_path / "in" / "b.csv").read_text())
    done, _ = batch(tmp_path, "--name", "{date:%y%m%d}{time_of_day}.TXT")
    assert done.status == 1
    assert "asks for the time of day, and the game does not tell one" in done.err
    assert results(tmp_path) == ["121122E.TXT", "failed/a.csv"]


@pytest.mark.slow
def test_a_result_is_not_called_as_the_report_of_the_run_is(tmp_path: Path) -> None:
    saved(tmp_path / "in" / "a.csv", "2012-11-21", "Report")
    for _ in range(2):  # the second run reads what the first one has noted of its files
        done, report = batch(tmp_path, "--name", "{event}", "--to", "json")
        assert (done.status, results(tmp_path)) == (1, ["failed/a.csv"])
        said = "its results would be called 'Report.json', and so would those of this run itself"
        assert [each["problems"][0]["what"] for each in report["failures"]] == [said]
