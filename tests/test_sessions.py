"""Events whose sessions stand in files of their own."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import run, saved
from games import candidates, paid
from jsonschema import Draft202012Validator
from samples import SAMPLES, real

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS
from resultproc.pages.result import schema
from resultproc.stages.one_event import one_event
from resultproc.stages.pipeline import process, process_event

KEYS = "# rating: regional\n# rulebook: acbl-general-formula-2003\n"

FIRST = f"""{KEYS}# date: 2005-05-05
# tables: 3
section,direction,number,player1,id1,player2,id2,score
A,N-S,1,Ann Able,1000001,Bob Able,1000002,50
A,N-S,2,Cat Baker,,Dan Baker,,40
A,N-S,3,Eve Cook,1000005,Fay Cook,1000006,30
A,E-W,1,Gus Dean,1000007,Hal Dean,,46
A,E-W,2,Ian Evans,1000009,Jan Evans,1000010,38
A,E-W,3,Kim Ford,1000011,Lee Ford,1000012,36
"""

# The other way round the table, renumbered, partners in another order, a comma in a name, a number written otherwise.
SECOND = f"""{KEYS}# date: 2005-05-06
# tables: 3
section,direction,number,player1,id1,player2,id2,score
A,N-S,1,"Dean, Gus",,Hal Dean,,52
A,N-S,2,Jan Evans,1000010,Ian Evans,1000009,37
A,N-S,3,Lee Ford,1000012,Kim Ford,1000011,31
A,E-W,1,B. Able,1000002,Ann Able,1 000 001,41
A,E-W,2,Dan Baker,,Cat Baker,,44
A,E-W,3,Fay Cook,1000006,Eve Cook,1000005,35
"""


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"session{number}.csv" for number, _ in enumerate(texts, 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, "utf-8")
    return paths


@pytest.mark.slow
def test_contestants_are_told_by_their_players(tmp_path):
    result = process_event(*files(tmp_path, FIRST, SECOND))
    contestants = result.contestants
    assert contestants["session1"].tolist() == [50, 40, 30, 46, 38, 36]
    assert contestants["session2"].tolist() == [41, 44, 35, 52, 37, 31]
    assert contestants["direction2"].tolist() == ["E-W"] * 3 + ["N-S"] * 3
    assert (result.games["sessions"].tolist(), result.games["tables"].tolist()) == ([2], ["A=3"])
    # 3 tables, B 13/60: 13/60 x 21 = 4.55, 3.41; two places, by totals of 98, 91, 84, ... A session: .5 x 13/60 x 14 =
    # 1.5167, 1.52, one place of three. Gus and Hal won E-W in the first and N-S in the second.
    assert paid(result)["A-EW-1"] == "4.55 overall A"
    expected = {"overall A": "4.55", "sessions A": "3.04", "session 1 A": "1.52", "session 2 A": "1.52"}
    assert candidates(result, "A-EW-1") == expected
    assert paid(result)["A-NS-1"] == "3.41 overall A"
    assert candidates(result, "A-NS-2") == {"session 2 A": "1.52"}


def both_events(text, order):
    """Return a session of two events: x of the text's section A, y of the same in section B with other players."""
    keys, header, rows = text.replace("tables: 3", "tables: {}").partition("section,")
    line, _, rows = rows.partition("\n")
    other = re.sub("^A,", "B,", rows, flags=re.MULTILINE).replace("10000", "20000").replace("1 000 0", "2 000 0")
    other = re.sub(r"(Able|Baker|Cook|Dean|Evans|Ford)", r"\1er", other)
    parts = {
        "x": re.sub("^", "x,", rows.rstrip(), flags=re.MULTILINE),
        "y": re.sub("^", "y,", other.rstrip(), flags=re.MULTILINE),
    }
    return keys.format("3") + "game_id," + header + line + "\n" + "".join(parts[name] + "\n" for name in order)


@pytest.mark.slow
def test_events_of_one_file_are_matched_by_their_sections(tmp_path):
    # In the second session the other event comes first, and the names of the games say nothing.
    one, two = files(tmp_path, both_events(FIRST, "xy"), both_events(SECOND, "yx"))
    two.write_text(re.sub("^y,", "z,", two.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    result = process_event(one, two)
    assert result.games["game_id"].tolist() == ["x", "y"]
    assert result.games["sessions"].tolist() == [2, 2]
    alone = process_event(*files(tmp_path, FIRST, SECOND))
    for name, section in (("x", "A"), ("y", "B")):
        event = result.contestants[result.contestants["game_id"] == name]
        assert set(event["section"]) == {section}
        assert event["session2"].tolist() == alone.contestants["session2"].tolist()
        awards = result.awards.loc[event.index, "masterpoints"]
        assert awards.tolist() == alone.awards["masterpoints"].tolist()


def test_events_whose_sections_do_not_tell_them_are_refused(tmp_path):
    text = both_events(SECOND, "yx")
    one, two = files(tmp_path, both_events(FIRST, "xy"), re.sub("^y,B", "y,C", text, flags=re.MULTILINE))
    with pytest.raises(InputError, match=r"session2.csv: game y: the sections C do not tell which event"):
        process_event(one, two)
    two.write_text(text.replace("y,B,", "y,A,"), "utf-8")
    with pytest.raises(InputError, match=r"session2.csv: game [xy]: the sections A do not tell which event"):
        process_event(one, two)
    two.write_text(SECOND, "utf-8")
    with pytest.raises(InputError, match=r"session2.csv: there is one game in this file, but it should have 2"):
        process_event(one, two)


def test_a_total_has_no_more_decimals_than_its_sessions(tmp_path):
    # 120.57 + 95.14 is 215.70999999999998 in binary.
    one, two = files(tmp_path, FIRST.replace(",50\n", ",120.57\n"), SECOND.replace(",41\n", ",95.14\n"))
    assert process_event(one, two).contestants["score"].iloc[0] == 215.71


def with_percentages(text: str, maximum: int) -> str:
    text = text.replace("id2,score", "id2,score,percentage")
    return re.sub(r"^(A,.*,)(\d+)$", lambda m: f"{m[0]},{100 * int(m[2]) / maximum:.2f}", text, flags=re.MULTILINE)


@pytest.mark.slow
def test_the_percentage_of_an_event_is_that_of_all_its_sessions(tmp_path):
    # Of 80 and of 60: the Ables have 50 + 41 of 140, which is 65%; the mean of 62.50 and 68.33 would be 65.42.
    paths = files(tmp_path, with_percentages(FIRST, 80), with_percentages(SECOND, 60))
    contestants = process_event(*paths).contestants
    assert contestants[["percentage1", "percentage2"]].iloc[0].tolist() == [62.5, 68.33]
    assert contestants["percentage"].tolist() == [65, 60, 46.43, 70, 53.57, 47.86]
    # Without those of a session nothing is known of the event's; nor with a carry-over.
    only_one = files(tmp_path, with_percentages(FIRST, 80), SECOND)
    assert process_event(*only_one).contestants["percentage"].isna().all()
    carried = SECOND.replace("id2,score", "id2,score,carryover")
    carried = re.sub(r"^(A,.*,\d+)$", r"\1,2", carried, flags=re.MULTILINE)
    found = process_event(*files(tmp_path, with_percentages(FIRST, 80), with_percentages(carried, 60))).contestants
    assert found["percentage"].isna().all()


@pytest.mark.slow
def test_sessions_that_have_percentages_alone_weigh_the_same(tmp_path):
    texts = (with_percentages(text, 100).replace("score,", "") for text in (FIRST, SECOND))
    texts = (re.sub(r"^(A,.*),\d+(,[0-9.]+)$", r"\1\2", text, flags=re.MULTILINE) for text in texts)
    contestants = process_event(*files(tmp_path, *texts)).contestants
    assert contestants["percentage"].iloc[0] == 45.5  # 50 and 41
    assert "percentage1" not in contestants  # it is the session's score


SESSIONS = [SAMPLES / "gamefiles" / name for name in ("twosession-1.ACM", "twosession-2.ACA")]


@pytest.fixture(scope="module")
def real_event():
    return process_event(*SESSIONS)


@pytest.mark.slow
@real
def test_a_real_event_has_the_percentages_of_its_totals(real_event):
    contestants = real_event.contestants
    # 9 tables, 18 rounds a session: a maximum of 216 for each of two sessions in the largest of its events.
    large = contestants[contestants["section"] == "B"]
    assert large["percentage"].tolist() == pytest.approx((large["score"] / 4.32).tolist(), abs=0.0101)


@pytest.mark.slow
@real
def test_a_real_event_of_three_flights_pays_what_its_last_file_says(real_event):
    awards = real_event.awards["masterpoints"]
    ours = real_event.contestants.assign(award=awards).set_index(["id1", "id2"])
    theirs = read(SESSIONS[1]).contestants.set_index(["id1", "id2"])
    assert len(ours) == len(theirs) == 17 + 17 + 9
    assert ours["award"].to_dict() == theirs["printed_award"].fillna(0).astype("int64").to_dict()


@pytest.mark.slow
@real
def test_the_last_file_of_a_real_event_pays_the_same_alone(real_event):
    alone, both = (
        result.contestants.join(result.awards[["masterpoints", *COLOURS]]).set_index(["id1", "id2"]).sort_index()
        for result in (process(SESSIONS[1]), real_event)
    )
    pd.testing.assert_frame_equal(alone[["masterpoints", *COLOURS]], both[["masterpoints", *COLOURS]])


# SECOND alone: of FIRST it has the scores as what they carry over, and the awards of the two who won it.
ALONE = f"""{KEYS}# date: 2005-05-06
# tables: 3
# sessions: 2
section,direction,number,player1,player2,session2,carryover,earlier_award,earlier_top
A,N-S,1,Gus Dean,Hal Dean,52,46,1.52,1.52
A,N-S,2,Jan Evans,Ian Evans,37,38,0,
A,N-S,3,Lee Ford,Kim Ford,31,36,0,
A,E-W,1,Bob Able,Ann Able,41,50,1.52,1.52
A,E-W,2,Dan Baker,Cat Baker,44,40,0,
A,E-W,3,Fay Cook,Eve Cook,35,30,0,
"""


@pytest.mark.slow
def test_a_second_session_alone_goes_by_what_the_first_paid(tmp_path):
    (path,) = files(tmp_path, ALONE)
    result = process(path)
    assert result.contestants["score"].tolist() == [98, 75, 67, 91, 84, 65]
    assert paid(result)["A-NS-1"] == "4.55 overall A"
    expected = {"overall A": "4.55", "sessions A": "3.04", "session 1 A": "1.52", "session 2 A": "1.52"}
    assert candidates(result, "A-NS-1") == expected
    assert candidates(result, "A-EW-1") == {"overall A": "3.41", "session 1 A": "1.52"}
    assert candidates(result, "A-EW-2") == {"session 2 A": "1.52"}
    assert "session 1, stratum A, pays 1.52" in run("explain", path, "A-EW-1").out
    page = run("award", path, "--to", "html").out
    assert "In session 1" in page
    assert "0th" not in page
    written = json.loads(run("award", path, "--to", "json").out)
    (first,) = (e for e in written["games"][0]["contestants"][3]["candidates"] if e["basis"] == "session 1")
    assert (first["position"], first["masterpoints"]) == (None, "1.52")
    Draft202012Validator(schema()).validate(written)
    back = saved(tmp_path / "back.json", json.dumps(written))
    assert process(back).awards["masterpoints"].tolist() == result.awards["masterpoints"].tolist()


def test_an_earlier_award_needs_a_session_before(tmp_path):
    for text in (
        ALONE.replace("session2", "session1"),
        ALONE.replace("# sessions: 2\n", "").replace("session2", "score"),
    ):
        with pytest.raises(InputError, match="there is an earlier_award, but no session before those that have scores"):
            process(*files(tmp_path, text.replace(",46,", ",0,")))
    with pytest.raises(InputError, match="A 2 lacks a score for a session of the event"):
        process(*files(tmp_path, ALONE.replace(",38,0,", ",38,,")))


@pytest.mark.slow
def test_the_lines_that_declare_a_game_are_in_files_and_not_on_the_screen(tmp_path):
    one, two = files(tmp_path, with_percentages(FIRST, 80), with_percentages(SECOND, 60))
    award = ["award", str(one), str(two), "--one-event"]
    shown = run(*award).out
    assert "Pair    Pct" in shown
    assert "65.00" in shown
    assert "# " not in shown
    file = tmp_path / "sheet.txt"
    run(*award, "-o", file)
    assert "# sessions: 2" in file.read_text("utf-8")
    assert len(shown.splitlines()[-1]) > 20
    assert file.read_text("utf-8").splitlines()[-1].startswith("# provenance: ")
    assert max(map(len, shown.splitlines())) <= 80
    assert "# sessions: 2" in run(*award, "--to", "text").out


@pytest.mark.slow
def test_later_sections_bring_their_tables(tmp_path):
    moved = SECOND.replace("\nA,", "\nB,")
    result = process_event(*files(tmp_path, FIRST, moved))
    assert result.games["tables"].tolist() == ["A=3, B=3"]
    assert result.contestants["section2"].tolist() == ["B"] * 6
    assert paid(result)["A-EW-1"] == "4.55 overall A"  # three tables entered the event, not six


@pytest.mark.slow
def test_a_cut_leaves_the_others_behind(tmp_path):
    final = "\n".join(line for line in SECOND.splitlines() if "Cook" not in line and "Ford" not in line)
    first, last = files(tmp_path, FIRST.replace("# tables", "# cuts: 1\n# tables"), final.replace(": 3", ": 2"))
    result = process_event(first, last)
    assert result.contestants["session2"].isna().tolist() == [False, False, True, False, False, True]
    first.write_text(FIRST, "utf-8")
    with pytest.raises(InputError, match="A 3 lacks a score for a session of the event"):
        process_event(first, last)


@pytest.mark.slow
def test_percentages_serve_where_there_are_no_scores(tmp_path):
    texts = [text.replace(",score\n", ",percentage\n") for text in (FIRST, SECOND)]
    result = process_event(*files(tmp_path, *texts))
    assert result.contestants["session1"].tolist() == [50, 40, 30, 46, 38, 36]


@pytest.mark.slow
def test_an_event_is_finished_with_its_last_session(tmp_path):
    first = FIRST.replace("# tables", "# special: side-game, charity, unfinished\n# tables")
    last = SECOND.replace("# tables", "# special: side-game, charity\n# tables")
    result = process_event(*files(tmp_path, first, last))
    assert result.games["special"].tolist() == ["side-game, charity"]
    assert paid(result)["A-EW-1"] == "4.55 overall A"
    going_on = process_event(
        *files(
            tmp_path,
            first.replace("# date", "# sessions: 3\n# date"),
            last.replace("side-game, charity", "side-game, charity, unfinished"),
        )
    )
    assert going_on.games["special"].tolist() == ["side-game, charity, unfinished"]
    assert set(going_on.candidates["basis"].astype(str)) == {"session 1", "session 2", "sessions"}


def test_an_event_is_called_after_none_of_its_sessions(tmp_path):
    first, last = (text.replace("# tables", "# session: Sunday {}\n# tables") for text in (FIRST, SECOND))

    def event_of(*sessions: str) -> pd.DataFrame:
        return one_event([read(path) for path in files(tmp_path, *sessions)]).games

    assert event_of(first.format("Morning"), last.format("Afternoon"))["session"].isna().tolist() == [True]
    assert event_of(first.format("Day"), last.format("Day"))["session"].tolist() == ["Sunday Day"]


@pytest.mark.slow
def test_carry_over_adds_up(tmp_path):
    final = SECOND.replace(",score\n", ",score,carryover\n").replace(",35\n", ",35,60\n").replace(",31\n", ",31,0\n")
    result = process_event(*files(tmp_path, FIRST, final))
    assert paid(result)["A-NS-3"] == "4.55 overall A"  # 30 + 35 + 60


def test_what_a_later_file_carries_over_counts_once(tmp_path):
    """Where a file has its session apart from the event's score, its carry-over is what the sessions before brought."""
    first = f"{KEYS}# tables: 1.5\nnumber,player1,player2,score,carryover\n1,Ann,Bob,40,5\n2,Cat,Dan,30,\n3,Eve,Fay,20,"
    second = (
        f"{KEYS}# tables: 1.5\n# sessions: 2\nnumber,player1,player2,session2,carryover,score\n"
        "1,Ann,Bob,21.5,45,66.5\n2,Cat,Dan,30,30,60\n3,Eve,Fay,20,20,40"
    )
    result = process_event(*files(tmp_path, first, second))
    columns = ["session1", "session2", "carryover", "score"]
    assert result.contestants[columns].iloc[0].tolist() == [40, 21.5, 5, 66.5]
    assert result.contestants["score"].tolist() == [66.5, 60, 40]


def test_matches_won_add_up(tmp_path):
    keys = "# rating: regional\n# date: 2005-05-05\n# event_type: swiss\n# tables: 3\n# boards: 7\n"
    first = f"{keys}number,player1,player2,score,wins\n1,Ann,Bob,40,2.5\n2,Cat,Dan,30,1\n3,Eve,Fay,20,0\n"
    second = f"{keys}number,player1,player2,score,wins\n1,Cat,Dan,20,2\n2,Ann,Bob,30,1\n3,Eve,Fay,20,0.5\n"
    result = process_event(*files(tmp_path, first, second))
    assert result.contestants["wins"].tolist() == [3.5, 3, 0.5]
    assert result.contestants["score"].tolist() == [70, 50, 40]
    # 1.25 x 7/24 = .36 for each match; overall 13/60 x 21 = 4.55 for the only place of three teams
    assert paid(result) == {"A-1": "4.55 overall A", "A-2": "1.08 matches A", "A-3": "0.18 matches A"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Fay Cook,1000006",
            "Fay Cooke,",
            r"session2.csv: line 11: Fay Cooke - Eve Cook did not play in the first session "
            r"\(did you mean Eve Cook - Fay Cook\?\)",
        ),
        (  # The very names that were written are no help: it is the member number that differs.
            "Fay Cook,1000006",
            "Fay Cook,1000099",
            r"session2.csv: line 11: Fay Cook - Eve Cook did not play in the first session "
            r"\(write names and member numbers as in the first session, also of those for whom others sat in: .*\)",
        ),
        (
            "Dan Baker,,Cat Baker,",
            "Ann Able,1000001,Bob Able,1000002",
            r"session2.csv: line 10: Ann Able - Bob Able appear more than once",
        ),
        ("# rating: regional", "# rating: sectional", "rating is 'sectional', but 'regional' in session1.csv"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, old, new, message):
    assert old in SECOND
    with pytest.raises(InputError, match=message):
        process_event(*files(tmp_path, FIRST, SECOND.replace(old, new)))


def test_each_file_is_one_session(tmp_path):
    one, two = files(tmp_path, FIRST, SECOND.replace("section,", "game_id,section,").replace("\nA,", "\nx,A,", 1))
    two.write_text(two.read_text("utf-8").replace("\nA,", "\ny,A,"), "utf-8")
    with pytest.raises(InputError, match=r"session2\.csv: there are 2 games in this file, but it should have one"):
        process_event(one, two)
