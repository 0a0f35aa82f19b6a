"""What is doubtful about files: each doubt is told where it is, and the same file without it is silent."""

import csv
import json
import shutil
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from conftest import ALL, FIXTURES, File, run
from games import mitchell, sheet

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.sections import maximum_of
from resultproc.reports.check import check
from resultproc.reports.lint import lint
from resultproc.stages.doubts import doubts
from resultproc.stages.pipeline import award_sheet, process, process_event

NAME = "game.csv"

HEAD = "# date: 2016-05-12\n# rating: club-open\n"
NAMES = [f"{first} {last}" for last in ("Ash", "Birch", "Cedar", "Elm") for first in ("Ann", "Bob", "Cat", "Dan")]
MITCHELL = """section,direction,number,player1,player2,percentage
A,N-S,1,Ann Ash,Bob Ash,60
A,N-S,2,Cat Ash,Dan Ash,55
A,N-S,3,Ann Birch,Bob Birch,45
A,N-S,4,Cat Birch,Dan Birch,40
A,E-W,1,Ann Cedar,Bob Cedar,58
A,E-W,2,Cat Cedar,Dan Cedar,52
A,E-W,3,Ann Elm,Bob Elm,48
A,E-W,4,Cat Elm,Dan Elm,42
"""
"""Four tables of a Mitchell."""

GAME = HEAD + "# tables: 4\n" + MITCHELL

HOWELL = HEAD + (
    "# tables: 3\nnumber,player1,player2,score,percentage\n"
    "1,Ann Ash,Bob Ash,60,60\n2,Cat Ash,Dan Ash,55,55\n3,Ann Birch,Bob Birch,52,52\n"
    "4,Cat Birch,Dan Birch,48,48\n5,Ann Cedar,Bob Cedar,45,45\n6,Cat Cedar,Dan Cedar,40,40\n"
)
"""Three tables of a Howell, with scores and percentages."""

HOLDINGS = HEAD + (
    "# tables: 3\n# strata: A=2000, B=500\n# stratify_by: highest\nnumber,player1,player2,mp1,mp2,stratum,percentage\n"
    "1,Ann Ash,Bob Ash,1900,20,A,60\n2,Cat Ash,Dan Ash,400,300,B,55\n3,Ann Birch,Bob Birch,450,20,B,52\n"
    "4,Cat Birch,Dan Birch,600,30,A,48\n5,Ann Cedar,Bob Cedar,100,110,B,45\n6,Cat Cedar,Dan Cedar,30,20,B,40\n"
)


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def told(path: Path) -> list[str]:
    """Return what lint tells of a file."""
    return [str(remark) for remark in lint(path).remarks]


REMARKS = {
    "a number without a name": (
        changed(GAME, ("player2,", "player2,id1,"), ("Bob Ash,", "Bob Ash,1000001,"), ("Dan Ash,", "Dan Ash,,"),
                *((f"Bob {name},", f"Bob {name},,") for name in ("Birch", "Cedar", "Elm")),
                *((f"Dan {name},", f"Dan {name},,") for name in ("Birch", "Cedar", "Elm"))),
        [("A,N-S,1,Ann Ash,", "A,N-S,1,,")],
        "A N-S 1 has a player without a name, whose member number is 1000001 (write the name: player1)",
    ),
    "half a table short": (
        GAME,
        [("A,E-W,4,Cat Elm,Dan Elm,42\n", "")],
        "section A lists 7 contestants (4 N-S, 3 E-W), 1 fewer than 4 tables seat",
    ),
    "a direction in the number": (
        HOWELL,
        [("\n1,Ann", "\n1 NS,Ann"), ("\n2,Cat", "\n1 EW,Cat")],
        "line 5: the number '1 NS' seems to name a direction, and section A has none",
    ),
    "A and B in the number": (
        HOWELL,
        [("\n1,Ann", "\n1A,Ann"), ("\n2,Cat", "\n1B,Cat")],
        "line 5: the number '1A' seems to name a direction",
    ),
    "a player twice": (GAME, [("Dan Elm", "ann  ash")], "line 12: Ann Ash is in this game twice, first in line 5"),
    "a player in both seats": (GAME, [("Bob Ash", "Ann Ash")], "line 5: Ann Ash is in this game twice"),
    "a pair of one player": (GAME, [("Dan Elm", "")], "line 12: the pair A E-W 4 has one player"),
    "two players in one": (
        GAME,
        [("Cat Elm,Dan Elm", "Cat Elm - Dan Elm,")],
        "line 12: 'Cat Elm - Dan Elm' looks like two players in one column",
    ),
    "two surnames in one": (GAME, [("Cat Elm,Dan Elm", "Elm/Oak,")], "line 12: 'Elm/Oak' looks like two players"),
    "far from 50": (
        GAME,
        [(",60\n", ",70\n"), (",55\n", ",68\n")],
        "line 5: the mean percentage of section A is 52.88, and that of a whole field is 50",
    ),
    "one direction far from 50": (
        GAME,
        [(",60\n", ",70\n"), (",55\n", ",68\n"), (",58\n", ",48\n"), (",52\n", ",39\n")],
        "line 5: the mean percentage of section A N-S is 55.75, and that of a whole field is 50",
    ),
    "one direction not at 50": (
        GAME,
        [(",60\n", ",66\n")],
        "line 5: the mean percentage of all N-S is 51.50, and that of a whole field is 50",
    ),
    "all fractions": (
        GAME,
        [(f",{n}\n", f",0.{n + 30}\n") for n in (60, 55, 45, 40, 58, 52, 48, 42)],
        "line 5: the percentages are all at most 1, such as 0.9: they look like fractions",
    ),
    "one fraction": (GAME, [(",55\n", ",0.55\n")], "line 6: the percentage 0.55 is among others above 1"),
    "over 85": (GAME, [(",60\n", ",86\n"), (",40\n", ",14\n")], "line 5: a percentage of 86 is hardly ever reached"),
    "a stop of thousands": (
        GAME,
        [("percentage", "score"), (",60\n", ",1.012\n"), (",55\n", ",987\n"), (",45\n", ",871\n"), (",40\n", ",902\n")],
        "line 5: the score 1.012 is beside 987: its point looks like a thousands separator",
    ),
    "the limit": (HOLDINGS, [("1900", "2001")], "line 7: A 1 holds 2001 masterpoints, and the game is limited to 2000"),
    "above the stratum's limit": (
        HOLDINGS,
        [("450", "501")],
        "line 9: A 3 holds 501 masterpoints: that is above the limit of its stratum B",
    ),
    "below the stratum": (
        HOLDINGS,
        [("600", "500")],
        "line 10: A 4 holds 500 masterpoints: that is within a lower stratum than its own, A",
    ),
    "strata that nobody is in": (
        HOLDINGS,
        [(",B,", ",A,")],
        "line 8: all are in stratum A, and A 2 is one whose holdings are within a lower one",
    ),
    "no limit": (
        changed(GAME, ("club-open", "club-restricted\n# limit: 300")),
        [("# limit: 300\n", "")],
        "club-restricted is a rating of limited games, and no limit is declared",
    ),
    "later": (GAME, [("2016-05-12", (date.today() + timedelta(days=9)).isoformat())], "is in the future (correct date"),
    "a day before there was bridge": (GAME, [("2016-05-12", "1926-05-12")], "the date 1926-05-12 is before 1930"),
    "another month's fund": (
        changed(GAME, ("club-open", "club-fund\n# special: grass-roots-fund")),
        [("grass-roots-fund", "charity")],
        "the game is for charity, and it was played in the month of grass-roots-fund",
    ),
    "another month's fund by its name": (
        changed(GAME, ("club-open", "club-fund\n# event: Grass Roots Fund Pairs")),
        [("Grass Roots Fund", "Junior Fund")],
        "the game is for junior-fund, and it was played in the month of grass-roots-fund",
    ),
    "a fund's name": (
        changed(GAME, ("club-open", "club-open\n# event: Thursday Pairs"), ("05-12", "01-14")),
        [("Thursday Pairs", "Junior Fund Pairs")],
        "the event is called 'Junior Fund Pairs', and its rating is club-open (correct the rating or special, or",
    ),
    "another fund's name": (
        changed(GAME, ("club-open", "club-fund\n# special: junior-fund\n# event: Junior Fund"), ("05-12", "01-14")),
        [("event: Junior Fund", "event: Charity Pairs")],
        "the event is called 'Charity Pairs', and special is junior-fund",
    ),
    "a championship's name": (
        changed(GAME, ("club-open", "club-championship\n# event: Spring Club Championship"), ("2016", "2012")),
        [("rating: club-championship", "rating: club-open")],
        "the event is called 'Spring Club Championship', and its rating is club-open",
    ),
    "a qualifying game's name": (
        changed(
            GAME, ("club-open", "club-championship\n# special: nap-club\n# event: Open NAP Pairs"), ("2016", "2012")
        ),
        [("club-championship\n# special: nap-club", "club-open")],
        "the event is called 'Open NAP Pairs', and its rating is club-open",
    ),
    "a tournament's name": (
        changed(GAME, ("club-open", "sectional\n# event: Spring Sectional Pairs")),
        [("rating: sectional", "rating: club-championship")],
        "the event is called 'Spring Sectional Pairs', and its rating is club-championship",
    ),
    "a limited game's name": (
        changed(GAME, ("club-open", "club-restricted\n# limit: 300\n# event: Thursday 299er")),
        [("club-restricted\n# limit: 300", "club-open")],
        "the event is called 'Thursday 299er', and it has the rating club-open and no limit",
    ),
    "a section missing": (
        HEAD + "# tables: A=2, B=2\n"
        + changed(MITCHELL, *((f"A,{seat}", f"B,{seat}") for seat in ("N-S,1", "N-S,4", "E-W,1", "E-W,4"))),
        [("B=2", "C=2"), ("\nB,", "\nC,")],
        "the sections are A, C, and there is no section B",
    ),
    "an equals sign": (
        GAME,
        [("\nsection", "\n# special = handicap\nsection")],
        "line 4: '# special = handicap' declares nothing: it is taken as a remark "
        "(if it is meant, write: # special: handicap)",
    ),
    "no sign": (
        GAME,
        [("\nsection", "\n# boards 27\nsection")],
        "line 4: '# boards 27' declares nothing",
    ),
    "an equals sign below the header": (
        GAME,
        [("A,E-W,1", "# limit = 300\nA,E-W,1")],
        "line 9: '# limit = 300' declares nothing",
    ),
}  # fmt: skip
"""By what is doubtful: a file, what is changed in it, and what is told then."""


def test_matchpoints_with_decimals_show_their_maximum_as_whole_ones_do(file: File) -> None:
    decimals = HOWELL.replace(",52,52", ",52.17,52.17")
    assert doubts(read(file(decimals))).every == []
    (found,) = doubts(read(file(decimals.replace(",45,45", ",46.41,45.41")))).every
    assert (
        found.what == "the score 46.41 of A 5 is 46.41% of 100, the maximum of the others, and its percentage is 45.41"
    )


@pytest.mark.parametrize(("text", "changes", "message"), REMARKS.values(), ids=REMARKS.keys())
def test_what_is_doubtful_is_told_and_nothing_else(
    file: File, text: str, changes: list[tuple[str, str]], message: str
) -> None:
    assert told(file(text)) == []
    found = told(file(changed(text, *changes)))
    assert message in found[0]
    assert found[0].startswith("game.csv: ")
    assert len(found) <= 2


def test_a_file_cut_off_is_refused(file: File) -> None:
    cut = changed(GAME, ("A,E-W,3,Ann Elm,Bob Elm,48\nA,E-W,4,Cat Elm,Dan Elm,42\n", ""))
    with pytest.raises(InputError) as refused:
        process(file(cut))
    assert str(refused.value) == (
        "game.csv: section A lists 6 contestants (4 N-S, 2 E-W), 2 fewer than 4 tables seat: is a row missing? (add "
        "the missing rows, correct tables, or declare sit_outs = 2)"
    )
    assert str(refused.value) in told(file(cut))[0]
    meant = file(changed(cut, ("# tables", "# sit_outs: 2\n# tables")))
    assert not any("tables seat" in remark for remark in told(meant))
    assert process(meant).awards is not None


SECTIONS = (
    HEAD
    + "# tables: A=2, B=2\n"
    + changed(MITCHELL, *((f"A,{seat}", f"B,{seat}") for seat in ("N-S,2", "N-S,3", "E-W,2", "E-W,3")))
)


def test_a_section_that_nobody_is_in_is_refused(file: File) -> None:
    rows = SECTIONS.splitlines(keepends=True)
    by_section = "".join([*rows[:4], *sorted(rows[4:])])
    assert told(file(by_section)) == []
    cut = file("".join(by_section.splitlines(keepends=True)[:8]))
    with pytest.raises(InputError, match="tables declares section B, and nobody is listed there: is the file complete"):
        process(cut)
    assert "tables declares section B" in told(cut)[0]


def test_a_contestant_alone_is_told(file: File) -> None:
    rows = "number,player1,player2,percentage\n1,Ann Ash,Bob Ash,50\n2,Cat Ash,Dan Ash,50\n"
    assert told(file(HEAD + "# tables: 1\n" + rows)) == []
    cut = HEAD + "# tables: 0.5\n" + rows.removesuffix("2,Cat Ash,Dan Ash,50\n")
    assert "one contestant alone is listed" in told(file(cut))[0]


IMPS = "".join(line.rpartition(",")[0] + ",{}\n" for line in MITCHELL.splitlines()[1:])
IMPS = HEAD + "# tables: 4\n" + MITCHELL.splitlines()[0].replace("percentage", "score") + "\n" + IMPS


@pytest.mark.parametrize(("boards", "told"), [(11, False), (12, True)])
def test_in_few_boards_any_percentage_may_be_reached(file: File, boards: int, told: bool) -> None:
    high = GAME.replace(",60\n", ",86\n").replace(",40\n", ",14\n")
    said = [each.what for each in lint(file(f"# boards: {boards}\n{high}")).remarks]
    assert ("a percentage of 86 is hardly ever reached" in said) == told


def test_imps_that_do_not_cancel_out_are_told(file: File) -> None:
    assert told(file(IMPS.format(30, 10, -12, -27, 20, 5, -8, -18.5))) == []  # a penalty or two is no matter
    assert told(file(IMPS.format(30, 10, 12, 27, 20, 5, 8, 18))) == []  # and matchpoints are no IMPs
    (remark,) = told(file(IMPS.format(30, 10, -12, 27, 20, 5, -8, -18)))
    assert "the IMPs of section A add up to 54, and those of a whole field to 0 (correct them, or add the" in remark


def test_places_that_somebody_shares_who_is_not_there_are_told(file: File) -> None:
    text = GAME.replace("percentage", "percentage,section rank").replace(",60\n", ",60,A=1\n")
    tied = changed(text, ("Dan Ash,55", "Dan Ash,50,A=2/3"), ("Bob Birch,45", "Bob Birch,50,A=2/3"))
    assert told(file(tied)) == []
    (remark,) = told(file(tied.replace("Bob Birch,50,A=2/3", "Bob Birch,50,")))
    assert "place 2/3 section in A is shared, and 1 of those who share it is listed" in remark


CUT = [
    *("made-charity.csv", "made-wednesday.csv", "regional-open-pairs-2022-06-18.csv", "wed-open-pairs-2012-04-18.csv"),
    *("knockout-example.csv", "event/saturday-morning.csv", "series/tuesday-2026-01-06.csv"),
    *("made-fund.txt", "made-imps.txt", "made-qualifying.txt", "made-together.txt", "wed-open-pairs-2012-04-18.txt"),
    *("pbn-example.pbn", "usebio-example.xml", "made-wednesday.json"),
]
"""Fixtures of lines."""

WHOLE = {"made-together.txt": range(25, 50), "pbn-example.pbn": [17]}
"""What is a whole file again: a listing whose copy is cut, or whose copy is gone; totals without the boards."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CUT)
def test_a_file_cut_at_any_line_end_is_refused_or_told(tmp_path: Path, name: str) -> None:
    source = FIXTURES / name
    lines = source.read_bytes().splitlines(keepends=True)
    path = tmp_path / source.name
    if source.with_suffix(".toml").exists():
        shutil.copy(source.with_suffix(".toml"), tmp_path)
    keys = {"rating": "club-open"} if source.suffix in {".pbn", ".xml"} else {}

    def remarks(count: int) -> set[str]:
        path.write_bytes(b"".join(lines[:count]))
        return set(map(str, process(path, boards=18, **keys).remarks))

    whole = remarks(len(lines))
    silent = []
    for count in range(1, len(lines), 1 if ALL else max(1, len(lines) // 3)):
        with suppress(InputError):
            if not remarks(count) - whole:
                silent.append(count)
    assert set(silent) <= set(WHOLE.get(name, []))


def test_pairs_that_sit_out_are_those_of_the_game(file: File) -> None:
    short = changed(GAME, ("A,E-W,4,Cat Elm,Dan Elm,42\n", ""))
    assert len(told(file(changed(short, ("# tables", "# sit_outs: 1\n# tables"))))) == 0
    assert "2 fewer" in told(file(changed(short, ("tables: 4", "tables: 4.5"))))[0]


def test_individuals_may_lack_three_of_the_last_table(file: File) -> None:
    rows = "".join(f"{n},{name},50\n" for n, name in enumerate(NAMES, 1))
    head = HEAD + "# event_type: individual\n# tables: 4\nnumber,player1,percentage\n"
    assert told(file(head + rows)) == []
    sheet = read(file(head + "".join(rows.splitlines(keepends=True)[:13])))
    assert "3 fewer than 4 tables seat" in str(doubts(sheet).remarks[0])
    assert not doubts(sheet).refused
    sheet = read(file(head + "".join(rows.splitlines(keepends=True)[:12])))
    assert "4 fewer than 4 tables seat" in str(doubts(sheet).refused[0])


def test_scores_and_percentages_in_opposite_order_are_refused(file: File) -> None:
    assert told(file(HOWELL)) == []
    for changes in ([(",60,60", ",60,55"), ("\n2,Cat Ash,Dan Ash,55,55", "\n2,Cat Ash,Dan Ash,55,60")],
                    [(",60,60", ",60,40"), (",55,55", ",55,45"), (",52,52", ",52,48"), (",48,48", ",48,52.5"),
                     (",45,45", ",45,55.5"), (",40,40", ",40,60.5")]):  # fmt: skip
        path = file(changed(HOWELL, *changes))
        with pytest.raises(
            InputError, match=r"line 6: the score 55.00 of A 2 is below 60.00 of A 1, and its percentage"
        ):
            process(path)
        assert len(lint(path).remarks) == 1


@pytest.mark.slow
def test_sit_outs_unplayed_boards_ties_and_handicaps_explain_other_orders(file: File) -> None:
    # Of 100 each; pairs 2 and 4 sat out a fifth: 55 of 80 is 68.75%, and above 60%.
    five = changed(HOWELL, ("tables: 3", "tables: 2.5"), ("6,Cat Cedar,Dan Cedar,40,40\n", ""))
    sat_out = [(",60,60", ",60,60"), (",55,55", ",49,61.25"), (",48,48", ",28,35"), (",45,45", ",45,45")]
    assert told(file(changed(five, *sat_out))) == []
    # In a full section one pair may have missed boards, which nothing in the file shows: 57 of 90 is 63.33%.
    unplayed = [("2,Cat Ash,Dan Ash,55,55", "2,Cat Ash,Dan Ash,57,63.33"), (",40,40", ",34,34")]
    (remark,) = told(file(changed(HOWELL, *unplayed)))
    assert "the score 57.00 of A 2 is 57.00% of 100, the maximum of the others, and its percentage is 63.33" in remark
    rounded = [(",60,60", ",54.6,55"), (",55,55", ",54.4,55"), (",52,52", ",54.5,54.99")]
    assert told(file(changed(HOWELL, *rounded))) == []
    handicap = [("# tables", "# special: handicap\n# tables"), (",percentage", ",percentage,handicap"),
                (",60,60", ",60,55,1"), (",55,55", ",55,60,1"), (",52,52", ",52,52,0"), (",48,48", ",48,48,0"),
                (",45,45", ",45,45,0"), (",40,40", ",40,40,0")]  # fmt: skip
    assert told(file(changed(HOWELL, *handicap))) == []


def test_names_may_be_alike_where_numbers_are_not(file: File) -> None:
    numbers = changed(
        GAME,
        ("player2,", "player2,id1,id2,"),
        *((f",{n}\n", f",10000{n},20000{n},{n}\n") for n in (60, 55, 45, 40, 58, 52, 48, 42)),
    )
    assert told(file(numbers)) == []
    assert told(file(changed(numbers, ("Cat Elm", "Ann Ash")))) == []
    # A Life Master's number has a letter for its first digit.
    (found,) = told(file(changed(numbers, ("1000042", "J000060"))))
    assert found.startswith("game.csv: line 12: the member number 1000060 is in this game twice, first in line 5")


A_B_A = HEAD + (
    "# tables: A=6, B=3\nsection,number,player1,player2,percentage\n"
    + "".join(f"A,{n},Ann A{n},Bob A{n},50\n" for n in range(1, 7))
    + "".join(f"B,{n},Ann B{n},Bob B{n},50\n" for n in range(1, 7))
    + "".join(f"A,{n},Ann A{n},Bob A{n},50\n" for n in range(7, 13))
)


def test_a_section_in_two_places_is_told(file: File) -> None:
    rows = A_B_A.splitlines(keepends=True)
    assert told(file("".join([*rows[:10], *rows[16:], *rows[10:16]]))) == []
    assert told(file(A_B_A)) == [
        "game.csv: line 17: section A is listed a second time from here on (correct the section's letter, or list "
        "each section in one place)"
    ]


def test_a_section_that_repeats_another_is_told(file: File) -> None:
    head = HEAD + "# tables: A=2, B=2\nsection,number,player1,player2,score,percentage\n"
    twice = head + "".join(
        f"{section},{n},Ann Y{n},Bob Y{n},{20 + n},{45 + 2 * n}\n" for section in "AB" for n in (1, 2, 3, 4)
    )
    assert "section B has the same contestants and scores as section A" in " ".join(told(file(twice)))
    apart = changed(twice, ("B,1,Ann Y1,Bob Y1", "B,1,Ann Z1,Bob Z1"))
    assert "same contestants" not in " ".join(told(file(apart)))


@pytest.mark.slow
def test_the_same_game_twice_is_told(file: File, tmp_path: Path) -> None:
    one, other = file(GAME), file(changed(GAME, ("05-12", "05-19")), "other.csv")
    assert "other.csv: this game has the same players and scores as the game game of game.csv" in told_of(one, other)
    (remark,) = process(one, other).remarks
    assert remark.file == "other.csv"
    for paths in ((one, other), (one, one)):
        (remark,) = check(*paths).remarks
        assert "this game has the same players and scores as the game" in remark.what
    assert check(one).remarks == ()
    changed_game = file(changed(GAME, (",60\n", ",61\n"), (",40\n", ",39\n")), "other.csv")
    assert "this may be the game game of game.csv in another version" in told_of(one, changed_game)
    rows = MITCHELL.splitlines()
    both = [f"{name},{row}" for name in ("mon", "tue") for row in rows[1:]]
    text = HEAD + "# tables: 4\ngame_id," + "\n".join([rows[0], *both])
    assert "game tue: this game has the same players and scores as the game mon" in told(file(text))[0]


@pytest.mark.slow
def test_what_is_doubtful_is_looked_for_once(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr("resultproc.stages.doubts.OF_SHEETS", {"": lambda facts: looked.append(facts) or []})
    path = file(GAME)
    for command in (lint, check, process):
        looked.clear()
        command(path)
        assert len(looked) == 1


def session(declared: str, score: int) -> str:
    """Return a session of three tables. score: of the first pair; each of the others has one more."""
    head = f"{declared}\n# rating: regional\n# tables: 3\n# boards: 26\nnumber,player1,player2,score\n"
    trees = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Oak")
    return head + "\n".join(f"{n},Ann {tree},Bob {tree},{score - 1 + n}" for n, tree in enumerate(trees, 1))


def told_of(*paths: Path) -> str:
    return " ".join(map(str, lint(*paths).remarks))


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (
            "# date: 2008-05-04",
            "# date: 2008-05-03",
            "second.csv: this session is of 2008-05-03, before that of first.csv",
        ),
        (
            "# date: 2008-05-03\n# session: Sat Evening",
            "# date: 2008-05-03\n# session: Sat Afternoon",
            "second.csv: this is the session 'Sat Afternoon', and first.csv is 'Sat Evening'",
        ),
        (
            "# date: 2008-05-03\n# session: 2 of 2",
            "# date: 2008-05-03\n# session: 1 of 2",
            "second.csv: this is the session '1 of 2', and first.csv is '2 of 2'",
        ),
        (
            "# date: 2008-05-03",
            "# date: 2008-05-03\n# special: unfinished",
            "second.csv: after this session the event goes on, and after that of first.csv it does not",
        ),
    ],
)
def test_sessions_out_of_order_are_told(file: File, first: str, then: str, message: str) -> None:
    wrong = process_event(file(session(first, 30), "first.csv"), file(session(then, 40), "second.csv"))
    assert message in " ".join(map(str, wrong.remarks))
    right = process_event(file(session(then, 30), "second.csv"), file(session(first, 40), "first.csv"))
    assert not right.remarks


def test_a_session_that_is_another_one_again_is_told(file: File) -> None:
    days = ("# date: 2008-05-03", "# date: 2008-05-04")
    found = process_event(*(file(session(day, 30), f"{name}.csv") for day, name in zip(days, ("a", "b"), strict=True)))
    assert "b.csv: this session has the same players and scores as a.csv" in " ".join(map(str, found.remarks))


@pytest.mark.slow
def test_printed_awards_tell_of_another_factor(file: File) -> None:
    # 4 tables: .10 x 4 = .40, and 70% of it: .28 (Handbook ch. 4); half as much again is .60 and .42.
    printed = changed(
        GAME,
        ("percentage\n", "percentage,printed_award\n"),
        *((f",{n}\n", f",{n},{award}\n") for n, award in ((60, 0.4), (55, 0.28), (58, 0.4), (52, 0.28))),
    )
    assert told(file(printed)) == []
    bigger = HEAD + "# tables: 8\n# boards: 24\nsection,direction,number,player1,player2,percentage,printed_award\n"
    awards = ["0.80", "0.56", "0.40", "", "", "", "", ""]  # a field of 8 pays 3.2 places: 70 and 50% of .80
    rows = "".join(
        f"A,{direction},{n + 1},Ann {direction}{n},Bob {direction}{n},{57 - 2 * n},{award}\n"
        for direction in ("N-S", "E-W")
        for n, award in enumerate(awards)
    )
    assert told(file(bigger + rows)) == []
    more = changed(rows, ("0.80", "1.20"), ("0.56", "0.84"), ("0.40", "0.60"))
    (found,) = told(file(bigger + more))
    assert found.startswith("game.csv: the printed awards are 1.50 times those that follow from what is declared")
    assert told(file(bigger + changed(rows, ("0.80", "1.20")))) == []  # that is no factor, but a difference for check
    # Of 24 boards since 2023 these would be 4/3 as much: the league's program prints them without the factor.
    assert told(file(changed(bigger, ("date: 2016-05-12", "date: 2026-05-12")) + rows)) == []


def test_printed_colours_tell_of_another_rating(file: File) -> None:
    printed = changed(
        GAME, ("percentage\n", "percentage,printed_award,printed_colours\n"), (",60\n", ",60,0.40,black\n")
    )
    assert told(file(printed)) == []
    (found,) = told(file(changed(printed, ("black", "silver"))))
    assert found.startswith(
        "game.csv: the awards are printed as silver points, and the rating club-open pays black here"
    )


DOUBTFUL = changed(GAME, ("Dan Elm", "Ann Ash"))


@pytest.mark.slow
def test_lint_lists_remarks_and_exits_with_3(file: File) -> None:
    done = run("lint", file(GAME))
    assert (done.status, done.out, done.err) == (0, "", "")
    done = run("lint", file(DOUBTFUL))
    assert (done.status, done.err) == (3, "")
    assert done.out.startswith("game.csv: line 12: Ann Ash is in this game twice")
    (entry,) = json.loads(run("lint", file(DOUBTFUL), "--to", "json").out)["remarks"]
    assert entry["where"] == "game.csv: line 12"
    done = run("lint", file("nothing"), file(DOUBTFUL, "other.csv"))
    assert done.status == 1
    assert "game.csv: " in done.err
    assert "other.csv: line 12" in done.out


def test_lint_needs_no_declarations(file: File) -> None:
    assert run("lint", file(changed(DOUBTFUL, ("# rating: club-open\n", "")))).status == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "more"), [("award", []), ("convert", ["{folder}/out.csv"]), ("check", []), ("award", ["--to", "json"])]
)
def test_remarks_are_told_and_strict_takes_them_for_errors(
    file: File, tmp_path: Path, command: str, more: list[str]
) -> None:
    more = [each.format(folder=tmp_path) for each in more]
    assert run(command, file(GAME), *more).err == ""
    done = run(command, file(DOUBTFUL), *more)
    assert done.status == 0
    assert done.err.startswith("remark: game.csv: line 12: Ann Ash is in this game twice")
    strict = run(command, file(DOUBTFUL), *more, "--strict")
    assert strict.out == ""
    assert strict.status == 1
    assert "line 12" in strict.err


@pytest.mark.slow
def test_json_and_pages_have_the_remarks(file: File) -> None:
    (entry,) = json.loads(run("award", file(DOUBTFUL), "--to", "json").out)["remarks"]
    assert entry["what"] == "Ann Ash is in this game twice, first in line 5"
    assert "Ann Ash is in this game twice" in run("award", file(DOUBTFUL), "--to", "html", "--remarks").out
    assert "in this game twice" not in run("award", file(DOUBTFUL), "--to", "html").out
    assert "in this game twice" in run("check", file(DOUBTFUL), "--to", "html").out
    assert len(json.loads(run("check", file(DOUBTFUL), "--to", "json").out)["remarks"]) == 1


def test_of_very_many_remarks_the_first_are_quoted_and_the_others_counted(file: File) -> None:
    path = file("# special = handicap\n" * 39 + GAME)  # each looks like a declaration, and is none
    done = run("award", path)
    assert len(done.err.splitlines()) == 21
    assert done.err.splitlines()[-1] == "remark: game.csv: and 19 more remarks"
    assert len(json.loads(run("award", path, "--to", "json").out)["remarks"]) == 21
    assert run("batch", path, "-o", path.parent / "out").err.splitlines()[20] == f"remark: {path}: and 19 more remarks"


@pytest.mark.slow
def test_batch_reports_remarks_file_by_file(file: File, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    file(changed(GAME, ("05-12", "05-19")), "in/good.csv"), file(DOUBTFUL, "in/game.csv")
    out = tmp_path / "out"
    done = run("batch", folder, "-o", out, "--to", "json,html")
    assert done.status == 0
    assert done.err.startswith(f"remark: {folder / 'game.csv'}: line 12: Ann Ash is in this game twice")
    assert "1 doubtful" in done.err
    (reported,) = json.loads((out / "report.json").read_text())["remarks"]
    assert reported["file"].endswith("game.csv")
    assert [each["where"] for each in reported["remarks"]] == [f"{folder / 'game.csv'}: line 12"]
    assert json.loads((out / "good.json").read_text())["remarks"] == []
    assert len(json.loads((out / "game.json").read_text())["remarks"]) == 1
    assert "in this game twice" not in (out / "game.html").read_text()
    run("batch", folder, "-o", out, "--to", "json,html")  # there is nothing left to do
    assert len(json.loads((out / "report.json").read_text())["remarks"]) == 1
    strict = run("batch", folder, "-o", tmp_path / "strict", "--strict")
    assert strict.status == 1
    assert "line 12" in str(json.loads((tmp_path / "strict/report.json").read_text())["failures"])
    assert not (tmp_path / "strict/game.json").exists()


def test_invitational_games_need_no_limit() -> None:
    # The Handbook describes a class of club by them: whom it invites, not up to what holding.
    keys = {"rating": "club-invitational", "date": "2012-05-12"}
    assert not any("limit" in each.what for each in award_sheet(sheet(mitchell(6), **keys)).remarks)


@pytest.mark.slow
def test_archives_tell_remarks_where_games_are_added_and_awarded(file: File, tmp_path: Path) -> None:
    fractions = changed(GAME, (",60\n", ",0.6\n"), ("# rating: club-open\n", "# rating: club-open\n# special: men's\n"))
    history = tmp_path / "history"
    done = run("archive", "add", file(fractions), "--to", history)
    assert done.status == 0
    assert "remark: game.csv: line 6: the percentage 0.6 is among others above 1" in done.err
    assert run("archive", "add", file(fractions), "--to", tmp_path / "strict", "--strict").status == 1
    done = run("reprocess", history, "-o", tmp_path / "out")
    assert "line 6: the percentage 0.6 is among others above 1" in done.err
    assert "'men's' changes no award" in done.err
    assert "twice" not in done.err  # an archive's players have no names there
    assert (tmp_path / "out" / "remarks").is_dir()
    done = run("reprocess", history, "-o", tmp_path / "other", "--strict", "--to", "csv")
    assert done.status == 1  # a game that is not awarded failed
    (row,) = csv.DictReader(done.out.splitlines())
    assert (row["games"], row["failed"]) == ("0", "1")


@pytest.mark.slow
def test_series_tell_remarks(file: File) -> None:
    paths = [file(changed(GAME, ("05-12", f"05-0{n}"), (",60\n", f",60.0{n}\n")), f"{n}.csv") for n in range(1, 4)]
    paths.append(file(changed(DOUBTFUL, (",60\n", ",60.09\n")), "last.csv"))
    done = run("series", *paths, "--to", "json")
    assert "remark: last.csv: line 12: Ann Ash is in this game twice" in done.err
    assert len(json.loads(done.out)["remarks"]) == 1
    assert run("series", *paths, "--strict").status == 1


def limits_passed(file: File, *held: str) -> Path:
    """Return a game of four pairs: of the strata A, A, B and B, whose players hold so much."""
    rows = "".join(f"{n},Ann {n},Bob {n},{mp},0,{'AABB'[n - 1]},50\n" for n, mp in enumerate(held, 1))
    return file(HOLDINGS[: HOLDINGS.index("1,Ann")].replace("tables: 3", "tables: 2") + rows)


@pytest.mark.slow
def test_rows_with_the_same_doubt_are_one_remark(file: File) -> None:
    """Two of B hold more than its limit, 500: one remark, and all rows for programs; of a single row as ever."""
    above = [("line 9", "A 3 (500.5, above B)"), ("line 10", "A 4 (1900.05, above B)")]
    path = limits_passed(file, "600", "1900", "500.5", "1900.05")
    (found,) = lint(path).remarks
    assert str(found).startswith(
        "game.csv: line 9: 2 pairs hold more than their stratum's limit: A 3 (500.5, above B), A 4 (1900.05, above B) ("
    )
    assert list(found.rows) == above
    (entry,) = json.loads(run("lint", path, "--to", "json").out)["remarks"]
    assert entry["code"] == "strata.above-the-stratum"
    assert entry["where"] == "game.csv: line 9"
    assert entry["rows"] == [{"where": where, "what": what} for where, what in above]
    (one,) = lint(limits_passed(file, "600", "1900", "500.5", "400")).remarks
    assert one.rows == ()
    assert "rows" not in json.loads(run("lint", path.with_name("game.csv"), "--to", "json").out)["remarks"][0]


def test_of_many_rows_the_text_names_ten_and_programs_get_all(file: File) -> None:
    head = HEAD + "# tables: 20\nnumber,player1,player2,percentage\n"
    alone = "".join(f"{n},Ann {n},,50\n" for n in range(1, 40))
    (found,) = lint(file(f"{head}{alone}40,Ann 40,Bob 40,50\n")).remarks
    assert "39 pairs have fewer than two players: A 1 (one player), A 2 (one player)" in found.what
    assert found.what.endswith("A 10 (one player) and 29 more")
    assert [where for where, _ in found.rows] == [f"line {n}" for n in range(5, 44)]


@pytest.mark.slow
def test_rows_survive_a_seal_and_a_batch(file: File, tmp_path: Path) -> None:
    path = limits_passed(file, "600", "1900", "501", "502")
    assert run("award", path, "-o", tmp_path / "sealed.json", "--seal").status == 0
    assert run("verify", tmp_path / "sealed.json").status == 0
    said = run("batch", path, "-o", tmp_path / "out", "--errors", "json").err.splitlines()
    (remark,) = [each for each in map(json.loads, said) if each.get("severity") == "remark"]
    assert [row["what"] for row in remark["rows"]] == ["A 3 (501, above B)", "A 4 (502, above B)"]
    assert run("archive", "add", path, "--to", tmp_path / "history").status == 0
    said = run("reprocess", tmp_path / "history", "-o", tmp_path / "again", "--errors", "json").err.splitlines()
    assert [each["rows"] for each in map(json.loads, said) if each.get("rows")] == [remark["rows"]]


@pytest.mark.slow
def test_pages_say_how_sure_an_award_is_and_nothing_else_that_is_doubtful(file: File, tmp_path: Path) -> None:
    # Since 2015 no document at hand says what a club's Swiss teams are paid.
    head = "# date: 2016-05-12\n# rating: club-open\n# event-type: swiss\n# tables: 4\n# boards: 7\n"
    rows = "1,Ann Ash,1234567,B,C,D,3,50\n2,E,,F,G,H,2,40\n3,I,,J,K,L,1,25\n4,M,1234567,N,O,P,0,5\n"
    path = file(f"{head}number,player1,id1,player2,player3,player4,wins,score\n{rows}")
    done = run("award", path)
    assert "1234567" in done.err
    assert "since 2015 is not at hand" in done.err
    shown = [run("award", path, "--to", "html").out]
    assert run("batch", path, "-o", tmp_path / "out", "--to", "html").status == 0
    shown.append((tmp_path / "out" / "game.html").read_text("utf-8"))
    for page in shown:
        assert "since 2015 is not at hand" in page
        assert "1234567" not in page
    assert "1234567" in run("award", path, "--to", "html", "--remarks").out


def test_players_twice_and_numbers_without_names_are_one_remark_each(file: File) -> None:
    """Ann Ash and Bob Ash, of line 5, sit again in lines 11 and 12; three players have a number and no name."""
    (found,) = lint(file(changed(GAME, ("Dan Elm", "Ann Ash"), ("Ann Elm", "Bob Ash")))).remarks
    assert "2 players are in this game more than once: A E-W" in found.what
    assert sorted(found.rows) == [
        ("line 11", "A E-W 3 (Bob Ash twice, first in line 5)"),
        ("line 12", "A E-W 4 (Ann Ash twice, first in line 5)"),
    ]
    (found,) = lint(file(changed(GAME, ("Cat Elm", "Ann Ash"), ("Dan Elm", "Bob Ash")))).remarks
    assert found.what.startswith("2 players are in this game more than once")  # of one pair
    rows = "1,Ann Ash,,1,2,60\n2,,Bob Birch,3,4,50\n3,Cat Elm,,5,6,40\n4,Dan Oak,Eve Fir,7,8,50\n"
    (found,) = lint(file(f"{HEAD}# tables: 2\nnumber,player1,player2,id1,id2,percentage\n{rows}")).remarks
    assert "3 players have a member number and no name: A 1 (2: player2), A 2" in found.what
    assert [what for _, what in sorted(found.rows)] == ["A 1 (2: player2)", "A 2 (3: player1)", "A 3 (6: player2)"]


@pytest.mark.parametrize(("off", "fits"), [(1.19, True), (1.195, False)])
def test_percentages_may_be_off_by_what_rounding_takes_from_both_columns(off: float, fits: bool) -> None:
    # Scores of one decimal, up to 10: the last one is half a percent, and more for whoever is above the mean.
    percentage = np.array([31.01, 42.02, 53.03, 57.99, 68.98, 46.97, 50 + off])
    score = np.array([3.1, 4.2, 5.3, 5.8, 6.9, 4.7, 5.0])
    found = maximum_of(np.zeros(7, dtype=np.int64), score, percentage)
    assert found.fits(score, percentage).tolist() == [*[True] * 6, fits]
