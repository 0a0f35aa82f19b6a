"""Each list of the habits is read as a person reads it: who played, where they sat, what they scored, and when."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import pytest
from samples import SAMPLES, real

from resultproc import InputError, process, read
from resultproc.model.frames import Sheet

HABITS = SAMPLES / "habits"

MITCHELL = """
N-S 1: Gus Cedar & June Larch, 65.28, 47
N-S 2: Ivo Ivyson & Hana Juniper, 52.08, 37.5
N-S 3: Pia Maple & Nora Abbott, 46.53, 33.5
N-S 4: Fay Pine & Karl Fir, 36.11, 26
E-W 1: Emil Grove & Carl Elder, 54.86, 39.5
E-W 2: Ann Birch & Milo Kapok, 25.69, 18.5
E-W 3: Lena Nettle & Dora Dogwood, 68.06, 49
E-W 4: Otto Hazel & Bea Oakley, 51.39, 37
"""
HOWELL = """
1: Pia Juniper & Bea Kapok, 54.76, 34.5
2: Otto Fir & June Grove, 46.83, 29.5
3: Ivo Cedar & Milo Oakley, 66.67, 42
4: Dora Hazel & Karl Pine, 48.41, 30.5
5: Hana Elder & Nora Abbott, 57.14, 36
6: Emil Maple & Ann Larch, 42.06, 26.5
7: Gus Nettle & Fay Dogwood, 14.29, 9
8: Lena Ivyson & Carl Birch, 69.84, 44
"""
COUPLES = HOWELL.replace("Otto Fir & ", "Otto Grove & ").replace("Ivo Cedar & Milo Oakley", "Mr Cedar & Mrs Cedar")
ELKS = """
Ann Alder & Cat Cedar, 101.5
Bob Birch & Dan Date, 97
Eve Elm & Jim Jarrah, 88.5
Fay Fir & Gil Gum, 84
Kay Kauri & Lou Larch, 78
Oz Oak & Pat Pine, 55
"""
DUTCH = """
Anna Bakker & Piet Smit, 60
Jan Visser & Els Meijer, 55
Kees Mulder & Truus Bos, 51
Wim Vos & Ria Peters, 48
Henk Hendriks & Joke Dekker, 46
Bert Brouwer & Mieke Dijkstra, 40
"""
GERMAN = """
3: Uwe Birke & Ute Linde, 61.5
1: Jan Eiche & Ina Tanne, 55.25
2: Rolf Ahorn & Gisela Buche, 48
5: Otto Esche & Ilse Erle, 46.25
4: Paul Ulme & Anke Weide, 45
6: Kurt Kiefer & Pia Fichte, 44
"""
TOPS = """
7: Ann Alder & Bob Birch, 63.10
4: Cat Cedar & Dan Date, 57.74
5: Eve Elm & Fay Fir, 57.74
8: Gil Gum & Hal Hazel, 57.14
6: Ivy Ilex & Jim Jarrah, 55.36
3: Kay Kauri & Lou Larch, 51.19
1: Mel Maple & Ned Nutmeg, 50
12: Oz Oak & Pat Pine, 46.88
9: Qi Quince & Ray Rowan, 43.75
2: Sue Sorb & Tim Teak, 39.29
"""
SURNAMES = """
10: Ann Alder & Bob Birch, 65.10
4: Mike Poplar & Liz Poplar, 57.29
7: Pete Pine & Rose Pine, 56.77
6: Helen Hazel & Barbara Beech, 45.21
1: Di Elm & Trevor Elm, 40.63
2: Jack Rowan & Yvonne Yew, 35
"""
CHAT = """
N-S: Pia Birch & Emil Larch, 62.5
N-S: Carl Maple & Gus Grove, 60.4
N-S: Otto Kapok & Ann Ivyson, 40.3
N-S: Karl Nettle & Hana Fir, 36.8
E-W: Bea Pine & Milo Abbott, 81.9
E-W: Dora Cedar & June Elder, 59
E-W: Lena Dogwood & Fay Juniper, 53.5
E-W: Nora Hazel & Ivo Oakley, 5.6
"""
HALF_TABLE = """
N-S 1: Karl Fir & Yves Spruce, 45.5
N-S 2: Fay Pine & Lena Elder, 62
N-S 3: Milo Maple & Bea Vine, 62
N-S 4: Zoe Ulmer & Ann Quince, 24
N-S 5: Vera Abbott & Gus Ivyson, 61.5
N-S 6: Dora Oakley & Hana Grove, 45
E-W 1: Una Birch & Emil Larch, 80.4
E-W 2: Walt Juniper & Rolf Rowan, 48.4
E-W 3: Nora Kapok & Otto Cedar, 26.4
E-W 4: Pia Yarrow & Theo Dogwood, 44.9
E-W 5: Carl Willow & Ivo Nettle, 49.9
"""
TWO_ROWS = """
N-S 1: Carl Teak & Una Juniper, 67.5, 54
N-S 3: June Kapok & Ann Maple, 57.5, 46
N-S 2: Dora Dogwood & Emil Oakley, 43.75, 35
N-S 4: Theo Cedar & Fay Spruce, 41.88, 33.5
N-S 5: Otto Larch & Gus Grove, 39.38, 31.5
E-W 5: Hana Quince & Milo Abbott, 53.75, 43
E-W 3: Karl Elder & Ivo Ivyson, 51.25, 41
E-W 2: Lena Rowan & Rolf Fir, 49.38, 39.5
E-W 4: Pia Hazel & Nora Nettle, 48.12, 38.5
E-W 1: Sara Birch & Bea Pine, 47.5, 38
"""
TEAMS = """
Hugh Fern & Finn Teak & Dora Cherry & Fay Spruce, 71
Lena Oakley & Dirk Gorse & Gus Fir & Carl Dogwood, 62.5
Alma Willow & Yves Zelkov & Bert Abbott & Milo Quince, 58
Hana Pine & June Ivyson & Otto Juniper & Nora Rowan, 49
Walt Vine & Una Ebon & Zoe Hazel & Karl Maple, 43
Rolf Cedar & Sara Nettle & Ann Elder & Gwen Larch, 40.5
Ivo Kapok & Bea Yarrow & Pia Dale & Cleo Birch, 40
Edna Beech & Vera Ashby & Emil Grove & Theo Ulmer, 36
"""
UNNAMED_TEAMS = """
Four Aces, 71
Silver Foxes, 62.5
The Finessers, 58
No Trumps, 49
Hearts & Co, 43
Wilson, 40.5
Squeeze Play, 40
Late Again, 36
"""
NOVEMBER = {"date": "2026-11-03"}
NOTED = {"remark": "beside the name of 'Milo Oakley' is taken for a note"}
TWO_IN_MARCH = {"date": "2007-03-06", "tables": "3", "club": "Elks Duplicate Bridge Club"}
MISSING_PAIRS = {"date": "2024-02-06", "tables": "4", "sit_outs": "2", "remark": "a title says 4 tables, and 6 pairs"}

READ: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "couples.xlsx": (COUPLES, NOVEMBER),
    "d1-dot-leaders.txt": (DUTCH, {"date": "2024-02-05"}),
    "d2-seat-in-name.txt": (DUTCH, {"date": "2024-02-05", "seats": "A3 B1 A1 B2 A2 B3"}),
    "date-amb.xlsx": (HOWELL, {"date": "NaT", "remark": "'03/11/2026' may be 2026-11-03 or 2026-03-11"}),
    "dirhead-a.xlsx": (MITCHELL, NOVEMBER),
    "f15-chat-emoji.txt": (CHAT, {"date": "2026-11-05", "tables": "4"}),
    "f2-refused-two-of-ten-tops-differ.txt": (TOPS, {"event": "nan", "remark": "the percentages are compared"}),
    "german-quoted.csv": (GERMAN, {"date": "2026-11-03", "event": "Clubturnier"}),
    "h3-half-fraction.txt": (ELKS, TWO_IN_MARCH),
    "h4-title-boards.txt": (ELKS, TWO_IN_MARCH),
    "hd1.txt": (ELKS, MISSING_PAIRS),
    "hd6.txt": (
        ELKS,
        {**MISSING_PAIRS, "tables": "4.5", "sit_outs": "3", "remark": "4.5 tables", "movement": "howell"},
    ),
    "hd7.txt": (ELKS, MISSING_PAIRS),
    "id-hash.xlsx": (HOWELL, NOVEMBER),
    "id-nl.xlsx": (HOWELL, NOVEMBER),
    "id-par.xlsx": (HOWELL, NOVEMBER),
    "id-pre.xlsx": (HOWELL, NOVEMBER),
    "mail-quoted.txt": (MITCHELL, {"date": "2026-11-05", "tables": "4"}),
    "n1-shared-surname.txt": (SURNAMES, {"date": "2018-12-29"}),
    "note-dagger.xlsx": (HOWELL, NOVEMBER | NOTED),
    "note-late.xlsx": (HOWELL, NOVEMBER | NOTED),
    "note-sub.xlsx": (HOWELL, NOVEMBER | NOTED),
    "ord-er.txt": (MITCHELL, {**NOVEMBER, "tables": "4"}),
    "ord-hash.txt": (MITCHELL, {**NOVEMBER, "tables": "4"}),
    "ord-ordo.txt": (MITCHELL, {**NOVEMBER, "tables": "4"}),
    "rd-Rd.xlsx": (HOWELL, {**NOVEMBER, "tables": "4", "movement": "howell", "remark": "'Rd 7' is not read"}),
    "sw-a.xlsx": (TEAMS, {"date": "2026-11-21", "event_type": "swiss", "remark": "each row names a team"}),
    "sw-f.txt": (TEAMS, {"date": "2026-11-21", "event_type": "swiss", "remark": "each row names a team"}),
    "tab-a.xlsx": (MITCHELL, NOVEMBER),
    "tables-half.xlsx": (HALF_TABLE, {**NOVEMBER, "tables": "5.5"}),
    "tm-bam.xlsx": (UNNAMED_TEAMS, {"event_type": "bam", "remark": "each row names a team"}),
    "tm-ko.xlsx": (UNNAMED_TEAMS, {"event_type": "knockout", "remark": "each row names a team"}),
    "tm-swiss.xlsx": (UNNAMED_TEAMS, {"event_type": "swiss", "remark": "each row names a team"}),
    "two-rows-bottom.pdf": (TWO_ROWS, {"date": "2026-11-25"}),
    "two-rows-bottom.txt": (TWO_ROWS, {"date": "2026-11-25"}),
    "two-rows-top.pdf": (TWO_ROWS, {"date": "2026-11-25"}),
}
"""What each file says: its contestants, and what else."""

WITHOUT_NUMBERS = {"f15-chat-emoji.txt", "mail-quoted.txt", "ord-er.txt", "ord-hash.txt", "ord-ordo.txt", "tab-a.xlsx"}
TO_A_TENTH = {"mail-quoted.txt"}
ELSEWHERE = {
    *("f03-mail-phone-fr.txt", "f06-swiss-teams.xlsx", "f21-month-workbook.xlsx", "f22-gsheet-webpage.html"),
    *("month-a.xlsx", "team-name-column.csv", "r1-touching-columns.txt", "usebio-awards-tenths.xml", "resultproc.toml"),
    *("err-l.txt", "err-pctO.txt", "f09-travellers.xlsx"),
    *("right-f03.csv", "right-f06.csv", "right-f21-3.csv", "right-f22.csv"),
}
"""The files that tests below compare, and what they are compared with."""


@real
def test_each_habit_is_compared() -> None:
    assert {path.name for path in HABITS.iterdir()} == READ.keys() | ELSEWHERE


@cache
def sheet_of(name: str) -> Sheet:
    return read(HABITS / name)


def said_of(name: str) -> list[tuple[object, ...]]:
    """Return the direction, number, players and scores of the contestants of a file, as they are written above."""
    expected: list[tuple[object, ...]] = []
    for line in READ[name][0].strip().split("\n"):
        seat, _, rest = line.rpartition(": ")
        found = re.fullmatch("(N-S|E-W)? ?([0-9]*)", seat)
        names, *numbers = rest.split(", ")
        players = [names] if name.startswith("tm-") else names.split(" & ")
        digits = 1 if name in TO_A_TENTH else 2
        scores = [round(float(number) + 1e-9, digits) for number in numbers]
        expected.append((found[1] or "", "" if name in WITHOUT_NUMBERS else found[2], players, scores))
    return expected


@real
@pytest.mark.parametrize("name", READ)
def test_a_list_has_the_contestants_that_it_says(name: str) -> None:
    expected, (_, facts), frame = said_of(name), READ[name], sheet_of(name).contestants
    frame = frame.dropna(axis="columns", how="all")
    ranked = [column for column in ("percentage", "score") if column in frame]
    found = [
        (
            row.get("direction", ""),
            row["number"] if any(number for _, number, *_ in expected) else "",
            [row[f"player{n}"] for n in range(1, 5) if isinstance(row.get(f"player{n}"), str)],
            [round(row[column], 2) for column in ranked],
        )
        for row in frame.to_dict("records")
    ]
    listed = [(*each, scores[: len(ranked)]) for *each, scores in expected]
    assert sorted(found) == sorted(listed)
    if "seats" in facts:
        assert (frame["section"] + frame["number"]).tolist() == facts["seats"].split()
    if name.startswith("id-"):
        assert frame[["id1", "id2"]].to_numpy().ravel().tolist() == [str(1234562 + n) for n in range(16)]


@real
@pytest.mark.parametrize("name", READ)
def test_a_list_tells_of_its_game_what_it_says(name: str) -> None:
    facts, sheet = READ[name][1], sheet_of(name)
    game = sheet.games.iloc[0]
    for key in facts.keys() - {"remark", "seats"}:
        assert str(game[key]).removesuffix(" 00:00:00").removesuffix(".0") == facts[key]
    assert any(facts.get("remark", "") in each.what for each in sheet.remarks) or "remark" not in facts


def paid(name: str, direction: bool) -> dict[tuple[str, ...], tuple[object, ...]]:
    """Return the direction, score, wins and award of the contestants of a file's first game, by their names."""
    result = process(HABITS / name)
    frame = result.contestants.assign(masterpoints=result.awards.set_index("contestant")["masterpoints"])
    frame = frame[frame["game_id"] == result.games["game_id"].iloc[0]]
    ranked = ["percentage"] if frame["score"].isna().all() else ["score"]
    columns = ["direction"] * direction + [*ranked, "wins", "masterpoints"]
    return {
        tuple(row.filter(regex="player").dropna()): tuple(row[columns].astype(object).fillna(""))
        for _, row in frame.iterrows()
    }


@real
@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("f03-mail-phone-fr.txt", "right-f03.csv"),
        ("f06-swiss-teams.xlsx", "right-f06.csv"),
        ("f21-month-workbook.xlsx", "right-f21-3.csv"),
        ("f22-gsheet-webpage.html", "right-f22.csv"),
    ],
)
def test_a_list_is_awarded_as_its_right_reading(name: str, right: str) -> None:
    pairs = "swiss" not in name
    assert paid(name, pairs) == paid(right, pairs)


@real
def test_the_other_evenings_of_a_month_are_games_of_their_own() -> None:
    for name, days in (("f21-month-workbook.xlsx", [3, 10, 17, 24]), ("month-a.xlsx", [3, 10, 17])):
        games = sheet_of(name).games
        assert [(day.month, day.day) for day in games["date"]] == [(11, day) for day in days]
    first = sheet_of("month-a.xlsx").contestants.iloc[0]
    assert tuple(first[["direction", "number", "player1", "player2", "score"]]) == (
        "N-S",
        "1",
        "Carl Maple",
        "Ivo Ivyson",
        48.5,
    )


@real
def test_a_column_of_teams_names_no_players() -> None:
    frame = sheet_of("team-name-column.csv").contestants
    players = frame[["player1", "player2", "player3", "player4"]]
    assert players.iloc[1].tolist() == ["Pa2 Ash", "Pb2 Elm", "Pc2 Oak", "Pd2 Yew"]
    assert "player5" not in frame
    assert frame["score"].tolist() == [303 - 3 * n for n in range(1, len(frame) + 1)]


@real
def test_columns_that_touch_are_parted() -> None:
    frame = sheet_of("r1-touching-columns.txt").contestants
    assert (frame["section"] + frame["number"]).tolist()[:5] == ["B7", "A4", "A3", "B3", "A7"]
    assert frame["percentage"].tolist()[:4] == [72.77, 64.87, 64.59, 56.10]
    assert frame["player2"].tolist()[8:11] == ["Nel Prins", "Corrie Huisman", "Toos Kuijpers"]


@real
def test_awards_that_are_written_in_tenths_are_local_points() -> None:
    frame = sheet_of("usebio-awards-tenths.xml").contestants
    assert frame["player1"].tolist()[:3] == ["Ann Alder", "Cat Cedar", "Eve Elm"]
    assert frame["percentage"].tolist() == [61.5, 55.25, 51.25, 48, 45, 39]
    assert frame["printed_award"].dropna().tolist() == [36, 24, 12]


@real
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("err-l.txt", "line 7: invalid number: 'S2.08'; is it 52.08?"),
        ("err-pctO.txt", "line 7: invalid number: '52.O8'; is it 52.08?"),
        ("f09-travellers.xlsx", "these are results of boards: the sheet 'Travellers' has a row for each time"),
    ],
)
def test_what_cannot_be_read_is_named_at_its_own_place(name: str, what: str) -> None:
    with pytest.raises(InputError) as raised:
        sheet_of(name)
    assert what in str(raised.value)
    assert len(raised.value.problems) == 1
