"""Lists are held against themselves: what contradicts itself is refused, a single oddity is remarked on."""

import pandas as pd
import pytest

from resultproc import read
from resultproc.model.codes import OUT_OF_ORDER
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source

NAMES = ["Ash & Birch", "Cedar & Dale", "Elm & Fir", "Gum & Hazel", "Ivory & Juniper", "Kapok & Larch"]
PERCENTAGES = [62.0, 56.0, 52.0, 48.0, 44.0, 38.0]
"""Six pairs whose percentages average 50."""


def sheet(head: str, rows: list[list[object]]) -> Sheet:
    lines = [head, *("\t".join(map(str, row)) for row in rows)]
    return read(Source("list.txt", "\n".join(lines).encode()))


def of_columns(head: str, *columns: list[object]) -> list[str]:
    """Return the remarks on a list whose columns are given, but for the one on missing numbers."""
    found = sheet(head, [list(row) for row in zip(*columns, strict=True)])
    remarks = [each for each in found.remarks if "no numbers" not in each.what]
    assert all(each.code == OUT_OF_ORDER for each in remarks if "better score" in each.what)  # a likely mistake
    return [each.what for each in remarks]


def refused(head: str, *columns: list[object]) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        of_columns(head, *columns)
    assert caught.value.problems[0].hint
    return caught.value.problems[0].where, caught.value.problems[0].what


PLACES = [1, 2, 3, 4, 5, 6]
HEAD = "Place\tNames\t%"


def test_those_who_share_a_place_have_the_same_score() -> None:
    assert of_columns(HEAD, [1, 2, "3=", "3=", 5, 6], NAMES, [62, 56, 50, 50, 44, 38]) == []
    assert of_columns(HEAD, [1, 2, "3=", "3=", 5, 6], NAMES, PERCENTAGES) == [
        "two contestants share place 3, and their scores are 52 and 48"
    ]
    # The other way round a tie was broken.
    assert of_columns(HEAD, PLACES, NAMES, [62, 56, 50, 50, 44, 38]) == []


def test_two_first_places_are_two_lists_that_nothing_tells_apart() -> None:
    where, what = refused(HEAD, [1, 2, 3, 1, 2, 3], NAMES, [58, 50, 42, 55, 50, 45])
    assert (where, what) == ("line 5", "two contestants have place 1, and their scores are 58 and 55")
    shared = [1, "1=", 3, 4, 5, 6]
    assert of_columns(HEAD, shared, NAMES, [60, 60, 52, 48, 42, 38]) == []


@pytest.mark.parametrize("first", [0, 1])
def test_a_list_without_numbers_above_or_below_one_that_has_them_is_refused(first: int) -> None:
    names = (("Cat Ash - Dan Elm", 59), ("Ed Oak - Flo Fir", 50), ("Gus Ivy - Hal Gum", 41))
    numbered = [
        "Pair  Names              Score",
        *(f"{n}     {each:<19}{of}.00" for n, (each, of) in enumerate(names, 1)),
    ]
    without = ["Names              Score", *(f"{each.replace('a', 'e'):<19}{of + 1}.00" for each, of in names)]
    lists = [without, numbered] if first == 0 else [numbered, without]
    with pytest.raises(InputError) as error:
        read(Source("list.txt", "\n".join(["Pairs", "", *lists[0], "", *lists[1], ""]).encode()))
    assert {each.what for each in error.value.problems} == {"this row has no number"}
    assert [each.where for each in error.value.problems] == [f"line {5 * first + n}" for n in (4, 5, 6)]


def test_scores_that_begin_again_without_places_are_two_lists() -> None:
    where, what = refused("Names\t%", NAMES, [58, 50, 42, 55, 50, 45])
    assert (where, what) == ("line 5", "from here on the scores begin again")
    # A list in any order, such as that of the names, is none.
    assert of_columns("Names\t%", NAMES, [50, 58, 42, 55, 45, 50]) == []
    # Nor is one with a row for each table, in the order of these.
    north, east = [58, 50, 42, 55, 50, 45], [44, 40, 52, 50, 58, 56]
    others = [name.replace("a", "o") + "er" for name in NAMES]
    assert of_columns("Table\tNS\tNS %\tEW\tEW %", PLACES, NAMES, north, others, east) == []


def test_words_that_part_the_pair_numbers_evenly_and_are_not_known_are_refused() -> None:
    numbers = ["1 N/S", "11 Q/P", "2 N/S", "12 Q/P", "13 Q/P", "3 N/S"]
    with pytest.raises(InputError, match="line 3: invalid direction: 'Q/P'; write N-S or E-W"):
        of_columns("Pair number\tNames\t%", numbers, NAMES, PERCENTAGES)


def test_the_same_players_with_the_same_score_are_listed_twice() -> None:
    names = [*NAMES[:5], NAMES[0]]
    where, what = refused(HEAD, ["1=", "1=", 3, 4, 5, 6], [*names[:1], names[0], *NAMES[1:5]], [60, 60, 50, 48, 44, 38])
    assert (where, what) == ("line 3", "Ash - Birch are listed twice with the same score, first in line 2")


def test_a_place_that_nobody_has_is_remarked_on_unless_the_row_of_nobody_has_it() -> None:
    remark = "nobody has place 4: is a row missing?"
    assert of_columns(HEAD, [1, 2, 3, 5, 6, 7], NAMES, PERCENTAGES) == [remark]
    names, places = [*NAMES[:3], "Bye", *NAMES[3:]], [1, 2, 3, 4, 5, 6, 7]
    found = of_columns(HEAD, places, names, [62, 56, 52, 50, 48, 44, 38])
    assert found == ["'Bye' is nobody: this row is passed over"]


def test_a_number_beyond_a_hundred_is_no_percentage() -> None:
    with pytest.raises(InputError, match="line 2: percentage out of range: 162; write a number from 0 to 100"):
        of_columns(HEAD, [1, 2, 3], NAMES[:3], [162, 50, 38])


@pytest.mark.parametrize(
    ("word", "said"), [("Total", "300"), ("Average", "50.0"), ("Average", "50.4"), ("Max", "100"), ("Medie", "50")]
)
def test_a_row_of_sums_goes_with_the_rows_above_it(word: str, said: str) -> None:
    remarks = of_columns(HEAD, [*PLACES, ""], [*NAMES, word], [*PERCENTAGES, said])
    assert remarks == [f"'{word}' is not a contestant: this row is passed over"]


@pytest.mark.parametrize(("word", "said"), [("Total", "350"), ("Average", "54.0")])
def test_a_row_of_sums_that_goes_with_nothing_is_refused(word: str, said: str) -> None:
    where, what = refused(HEAD, [*PLACES, ""], [*NAMES, word], [*PERCENTAGES, said])
    mean = f"{float(said):g} is neither the sum of the rows above, 300, nor their mean, 50.00"
    assert (where, what) == ("line 8", mean)


def in_csv(*rows: str) -> list[str]:
    """Return the remarks on a CSV in this program's own words."""
    lines = ["number,place,player1,player2,score", *rows]
    return [each.what for each in read(Source("game.csv", "\n".join(lines).encode())).remarks]


OWN = [
    f"{n},{n},{name.replace(' & ', ',')},{2 * share}"
    for n, (name, share) in enumerate(zip(NAMES, PERCENTAGES, strict=True), 1)
]
"""Six pairs with numbers, places and scores."""


@pytest.mark.parametrize(("word", "said"), [("Total", 600), ("Average", 100)])
def test_a_row_of_sums_in_a_table_goes_with_the_rows_above_it(word: str, said: int) -> None:
    assert in_csv(*OWN, f"{word},,,,{said}") == [f"'{word}' is not a contestant: this row is passed over"]
    what = f"line 8, column 5: {said + 40} is neither the sum of the rows above, 600, nor their mean, 100.00"
    with pytest.raises(InputError, match=what):
        in_csv(*OWN, f"{word},,,,{said + 40}")


def test_slips_of_a_table_are_remarked_on_as_those_of_a_list() -> None:
    assert in_csv(*OWN) == []
    high = OWN[0].replace("124.0", "1240")
    remark = "the score 1240 is more than twice the mean, 286.00, and so above the maximum"
    assert in_csv(high, *OWN[1:]) == [remark]
    assert in_csv(*OWN[:3], *OWN[4:]) == ["nobody has place 4: is a row missing?"]
    assert in_csv(*OWN[:5], "6,,Kapok,Larch,76") == ["this row has no place, but others do"]
    assert in_csv(*OWN[:5], "6,6,Kapok with,Larch,76") == ["the name 'Kapok with' has more than a name in it"]


def test_a_row_that_stands_twice_in_a_table_is_refused() -> None:
    again = OWN[2].replace("3,3,", "7,3,")
    with pytest.raises(InputError, match="line 5: Elm - Fir are listed twice with the same score, first in line 4"):
        in_csv(*OWN[:3], again, *OWN[3:])


def test_a_direction_that_is_written_once_for_all_below_it_is_read_in_lists_as_in_tables() -> None:
    ways = ["NS", "", "", "EW", "", ""]
    rows = [list(row) for row in zip([1, 2, 3, 1, 2, 3], NAMES, ways, [60.0, 50, 40, 60, 50, 40], strict=True)]
    assert sheet("Place\tNames\tDir\t%", rows).contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3


def test_a_contestant_at_the_end_whose_score_was_lost_is_not_dropped_in_silence() -> None:
    found = sheet(HEAD, [[n, *each] for n, each in enumerate(zip(NAMES, [*PERCENTAGES[:5], ""], strict=True), 1)])
    assert len(found.contestants) == 5
    assert "'6 Kapok & Larch' is not a contestant" in [each.what for each in found.remarks]


def test_the_places_of_two_directions_may_be_those_of_all_together() -> None:
    half = [[1, NAMES[0], 62.0], [4, NAMES[1], 48.0], [5, NAMES[2], 40.0]]
    rest = [[2, NAMES[3], 58.0], [3, NAMES[4], 52.0], [6, NAMES[5], 40.0]]
    found = sheet("North-South\nPlace\tNames\t%", [*half, ["East-West"], *rest])
    assert found.contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3
    assert not [each for each in found.remarks if "nobody has place" in each.what]
    assert pd.isna(found.contestants["score"]).all()


def test_a_score_goes_with_the_percentages_though_one_is_wrong_or_lost() -> None:
    scores = [str(each) for each in (59.5, 45.0, 49.9, 46.1, 42.2, 36.5)]
    head = "Place\tNames\tMPs\t%"
    for wrong in ("45.0", ""):
        scores[1] = wrong
        found = sheet(head, [list(row) for row in zip(PLACES, NAMES, scores, PERCENTAGES, strict=True)])
        assert found.contestants["score"].tolist()[2:] == [49.9, 46.1, 42.2, 36.5]
        assert "printed_award" not in found.contestants or found.contestants["printed_award"].isna().all()


@pytest.mark.parametrize(
    "points", [["0.90", "0.63", "0.45", "0.32", "0.22", "0.15"], ["12", "9", "7", "", "", ""]], ids=["small", "few"]
)
def test_points_that_may_be_masterpoints_are_no_scores(points: list[object]) -> None:
    where, what = refused("Place\tNames\tMPs", PLACES, NAMES, points)
    assert where == "line 1"
    assert what == "no column of this list is known for its scores ('MPs': it may be matchpoints or masterpoints)"
    found = sheet("Place\tNames\tMPs", [[n, name, f"{88 - n}.5"] for n, name in zip(PLACES, NAMES, strict=True)])
    assert found.contestants["score"].tolist() == [87.5, 86.5, 85.5, 84.5, 83.5, 82.5]


def test_of_two_columns_of_numbers_without_headings_none_is_guessed() -> None:
    rows = [[n, name, 133 - 9 * n, 32 - 5 * n] for n, name in zip(PLACES, NAMES, strict=True)]
    with pytest.raises(InputError, match="no column of this list is known for its scores") as caught:
        sheet("\t".join(map(str, rows[0])), rows[1:])
    assert "('124': it has no heading; '27': it has no heading)" in caught.value.problems[0].what
    with_percentages = [[*row[:2], p, row[3]] for row, p in zip(rows, PERCENTAGES, strict=True)]
    found = sheet("\t".join(map(str, with_percentages[0])), with_percentages[1:])
    assert found.contestants["percentage"].tolist() == PERCENTAGES
    assert "columns without a heading are not read, such as '27'" in [each.what for each in found.remarks]


def test_a_score_that_breaks_the_order_of_a_list_without_places_is_remarked_on() -> None:
    remark = "60 is below 48, and otherwise the list is in the order of its scores"
    assert of_columns("Names\t%", NAMES, [62.5, 56, 48, 60, 40, 33.5]) == [remark]
    assert of_columns("Pair\tWho\t%", [4, 6, 1, 3, 5, 2], NAMES, [62.5, 56, 48, 60, 40, 33.5]) == [remark]
    assert not of_columns("Pair\tWho\t%", range(1, 7), NAMES, [62.5, 56, 48, 60, 40, 33.5])  # it goes by numbers
    assert of_columns("Names\t%", NAMES, [62.5, 48, 56, 40, 60, 33.5]) == []


def test_a_single_score_that_is_no_part_of_the_maximum_of_the_others_is_remarked_on() -> None:
    scores: list[object] = [round(each * 1.44, 1) for each in PERCENTAGES]
    assert of_columns(f"{HEAD}\tScore", PLACES, NAMES, PERCENTAGES, scores) == []
    scores[4] = 66.0
    remark = "the score 66 would be 45.83% as those of the others are, and it says 44"
    assert of_columns(f"{HEAD}\tScore", PLACES, NAMES, PERCENTAGES, scores) == [remark]


def test_a_contestant_without_a_score_that_the_others_have_is_remarked_on() -> None:
    scores: list[object] = [round(each * 1.44, 1) for each in PERCENTAGES]
    scores[2] = ""
    found = of_columns(f"{HEAD}\tScore", PLACES, NAMES, PERCENTAGES, scores)
    assert found == ["this row has no score, but others do"]


def test_a_number_for_a_name_is_remarked_on_and_an_unknown_player_is_not() -> None:
    names = [*NAMES[:4], "Ivory & ?", "Kapok & 70"]
    assert of_columns(HEAD, PLACES, names, PERCENTAGES) == ["'70' stands for a name"]


def test_a_score_above_twice_the_mean_of_a_field_is_remarked_on() -> None:
    head = "Place\tNames\tMatchpoints"
    assert of_columns(head, PLACES, NAMES, [95, 90, 80, 70, 60, 55]) == []
    assert of_columns(head, PLACES, NAMES, [950, 90, 80, 70, 60, 55]) == [
        "the score 950 is more than twice the mean, 217.50, and so above the maximum"
    ]
    # IMPs have no maximum.
    assert of_columns("Place\tNames\tIMPs", PLACES, NAMES, [60, 5, 0, -5, -20, -40]) == []


def test_a_slip_among_percentages_makes_no_matchpoints_of_them() -> None:
    with pytest.raises(InputError, match="line 3: percentage out of range: 5625; write a number from 0 to 100"):
        of_columns("Place\tNames\tPct", PLACES, NAMES, [62.25, 5625, 52, 47.75, 44, 38])


def test_a_handicap_is_not_added_to_a_score_that_has_it() -> None:
    raw, more = [56.0, 54.25, 50.0, 46.75, 48.0, 45.0], [6.0, 2.0, 2.0, 1.0, 0.0, 0.0]
    final = [a + b for a, b in zip(raw, more, strict=True)]
    rows = [list(row) for row in zip(PLACES, NAMES, raw, more, final, strict=True)]
    found = sheet("Place\tNames\t%\tHcp\tFinal %", [*rows[:3], [4, *rows[4][1:]], [5, *rows[3][1:]], rows[5]])
    assert found.contestants["percentage"].tolist() == [56.0, 54.25, 50.0, 48.0, 46.75, 45.0]
    assert found.contestants["handicap"].tolist() == [6.0, 2.0, 2.0, 0.0, 1.0, 0.0]
    assert "the column 'Final %' is not read" in [each.what for each in found.remarks]


def test_handicaps_and_percentages_with_them_are_told_apart_under_one_heading() -> None:
    raw, more = [56.0, 54.25, 50.0, 46.75, 48.0, 45.0], [6.0, 2.0, 2.0, 1.0, 0.0, 0.0]
    for head in ("Hcp %", "Handicap %"):
        found = sheet(f"Pair\tNames\t%\t{head}", [list(row) for row in zip(PLACES, NAMES, raw, more, strict=True)])
        assert found.contestants[["percentage", "handicap"]].values.tolist() == [
            *map(list, zip(raw, more, strict=True))
        ]
    net = [a + b for a, b in zip(raw, more, strict=True)]
    found = sheet("Pair\tNames\t%\tHcp %", [list(row) for row in zip(PLACES, NAMES, raw, net, strict=True)])
    assert (found.contestants["percentage"].tolist(), found.contestants["handicap"].isna().all()) == (net, True)
    found = sheet("Pair\tNames\t%\tHcp", [list(row) for row in zip(PLACES, NAMES, raw, net, strict=True)])
    assert (found.contestants["percentage"].tolist(), found.contestants["handicap"].isna().all()) == (raw, True)


@pytest.mark.parametrize(("head", "unit"), [("%", " %"), ("MP", " MP"), ("Score", " pts"), ("VP", " VPs")])
def test_the_unit_behind_each_score_is_none_of_it(head: str, unit: str) -> None:
    rows = [
        f"{n},{name.replace(' & ', ' - ')},{score}{unit}"
        for n, name, score in zip(PLACES, NAMES, PERCENTAGES, strict=True)
    ]
    found = read(Source("list.csv", "\n".join([f"Pair,Names,{head}", *rows]).encode())).contestants
    assert found["percentage"].fillna(found["score"]).tolist() == PERCENTAGES


def test_places_of_a_list_with_handicaps_go_by_the_scores_with_or_without_them() -> None:
    head = "Place\tNames\t%\tHcp"
    remark = "place 6 has a better score than place 5: 54 and 50"
    assert of_columns(head, PLACES, NAMES, [48, 52, 50, 56, 40, 54], [14, 8, 6, 0, 10, 0]) == [remark]
    assert of_columns(head, PLACES, NAMES, [50, 52, 50, 56, 46, 46], [14, 8, 6, 0, 4, 2]) == []
    where, what = refused(head, PLACES, NAMES, [40, 60, 42, 58, 44, 56], [1, 1, 1, 1, 1, 1])
    assert (where, what) == ("line 3", "place 2 has a better score than place 1: 60 and 40")


def test_a_row_at_the_end_whose_cells_have_moved_is_not_dropped_in_silence() -> None:
    rows = [[n, 10 + n, *each] for n, each in enumerate(zip(NAMES, PERCENTAGES, strict=True), 1)]
    rows[5] = [16, NAMES[5], 38.0, 6]
    found = sheet("Place\tPair\tMembers\tSession %", rows)
    assert len(found.contestants) == 5
    assert "'16 Kapok & Larch 38.0 6' is not a contestant" in [each.what for each in found.remarks]
    assert in_csv(*OWN, "Elm & Fir,7,12,14,76") == ["'Elm & Fir 7 12 14 76' is not a contestant"]


def test_a_row_without_names_at_the_edge_of_a_list_is_remarked_on() -> None:
    rows = [f"{n}\t{name}\t{score}" for n, (name, score) in enumerate(zip(NAMES, PERCENTAGES, strict=True), 1)]
    for at, text in ((0, "1 62.0"), (5, "6 38.0")):
        cut = [row.replace(NAMES[at], "") if n == at else row for n, row in enumerate(rows)]
        found = read(Source("list.txt", "\n".join(cut).encode()))
        assert f"'{text}' is not a contestant" in [each.what for each in found.remarks]


def test_awards_that_slipped_down_by_a_row_are_remarked_on() -> None:
    head = "Place\tNames\t%\tMasterpoints"
    what = "the first has no award, and others have: is the column below where it belongs?"
    assert what in of_columns(head, PLACES, NAMES, PERCENTAGES, ["", "0.50", "0.40", "0.30", "", ""])
    assert of_columns(head, PLACES, NAMES, PERCENTAGES, ["0.50", "0.40", "0.30", "", "", ""]) == []


def test_a_number_before_a_name_is_remarked_on() -> None:
    names = [name.replace("Elm", "9 Elm") for name in NAMES]
    assert of_columns(HEAD, PLACES, names, PERCENTAGES) == ["the name '9 Elm' has a number in it"]
    glued = "Ash, Ann, van Birch, Bob, Cedar, Cy, Dale, Di"  # commas within names and between them
    teams = [glued, *(f"{name} & {name[::-1].title()}" for name in NAMES[1:])]
    assert f"the name '{glued}' has more than a name in it" in of_columns(HEAD, PLACES, teams, PERCENTAGES)


def test_a_last_row_without_names_between_commas_is_remarked_on() -> None:
    rows = [f"{n},{10 + n},{name},{p}" for n, (name, p) in enumerate(zip(NAMES, PERCENTAGES, strict=True), 1)]
    rows[-1] = rows[-1].replace(NAMES[-1], "")
    text = "\n".join(["Some club", "2014-07-15", '"3 tables, 24 boards"', "", "m-ce,Para,Zawodnicy,%", *rows])
    found = read(Source("list.csv", text.encode()))
    assert "'6 16 38.0' has no names: it is called 'no. 16'" in [each.what for each in found.remarks]


def test_a_title_above_a_list_without_headings_is_no_row_of_it() -> None:
    rows = [
        f"{n}  {first + ' Player Long':<18}{second + ' Partner':<17}{2 * p:>5}"
        for n, (first, second, p) in enumerate(
            ((*name.split(" & "), p) for name, p in zip(NAMES, PERCENTAGES, strict=True)), 1
        )
    ]
    titles = ["Woodside Bridge Club", "Founders Championship Pairs - 22 March 2008", "", "=" * 42]
    found = read(Source("list.txt", "\n".join([*titles, *rows]).encode()))
    assert str(found.games["date"].iloc[0])[:10] == "2008-03-22"


def test_a_last_row_without_names_below_columns_of_text_is_remarked_on() -> None:
    rows = [
        ("Rank", "Pair", "Name", "IMPs", "Master Points"),
        ("1.", "6", "Ian Elm (5303116)+Sue Low (1847781)", "+115", "0.50"),
        ("2.", "8", "Judy Oak (8899657)+Mary Ash (8703502)", "+40", "0.40"),
        ("3.", "4", "David Fir (9894180)+Dan Yew (2194229)", "-33", "0.30"),
        ("4.", "3", "Frank Box (9686681)+Emma Bay (2564871)", "-60", "0.20"),
        ("", "2", "", "-62", ""),
    ]
    sections = ("Section", *"AAAAA")
    text = "\n".join(
        f"{section:7}   {a:>4}   {b:>4}   {c:40}   {d:>4}   {e:>13}"
        for section, (a, b, c, d, e) in zip(sections, rows, strict=True)
    )
    remarks = [each.what for each in read(Source("list.txt", text.encode())).remarks]
    assert any("is not a contestant" in what or "has no names" in what for what in remarks), remarks


SHARES = """\
Rank  Pair  Names                 Score    %
 1     1    Ann Ash & Bob Birch   110/162  67.90
 2     2    Cy Cedar & Di Dale     97/162  59.88
 3     3    Ed Elm & Flo Fir       81/162  50.00
 4     4    Gus Gum & Hal Hazel    66/144  45.83
 5     5    Ivy Iris & Jo Jade     66/162  40.74
 6     6    Kay Kapok & Lou Larch  57/162  35.19
"""
"""66 of 144 are 45.83%: pair 4 sat out for a round. A blank alone parts the longest names from their scores."""


def test_a_score_with_a_maximum_of_its_own_explains_its_percentage() -> None:
    found = read(Source("list.txt", SHARES.encode()))
    assert [*zip(found.contestants["score"], found.contestants["percentage"], strict=True)][3] == (66, 45.83)
    assert not [each.what for each in found.remarks]


def test_a_score_whose_own_maximum_says_otherwise_is_told() -> None:
    found = read(Source("list.txt", SHARES.replace("66/144  45.83", "66/144  48.53").encode()))
    (remark,) = found.remarks
    assert remark.what == "the score 66 would be 45.83% as those of the others are, and it says 48.53"


def test_a_row_that_lost_its_names_is_called_by_its_seat() -> None:
    head = "Place Pair Names                   %"
    rows = [f"{n % 3 + 1:>7} A{n + 1} {name.replace(' & ', '/'):<20}{60 - 4 * n}.00" for n, name in enumerate(NAMES)]
    rows[3] = rows[3].replace(NAMES[3].replace(" & ", "/"), " " * len(NAMES[3].replace(" & ", "/")))
    text = "\n".join(["N-S", head, *rows[:3], "", "E-W", head, *rows[3:]])
    remarks = [each.what for each in read(Source("list.txt", text.encode())).remarks if each.where == "line 9"]
    assert "'1 A4 48.00' has no names: it is called 'no. A4'" in remarks
