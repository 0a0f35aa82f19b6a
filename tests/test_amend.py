"""A correction explained: what changed, who gains or loses, and which change did it."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from conftest import FIXTURES, run, saved
from lxml import html
from openpyxl import load_workbook

from resultproc import Result, Sheet, read
from resultproc.model.errors import InputError
from resultproc.model.source import Source
from resultproc.reports.amend import MOST_PAIRS, WRITERS, Amendment, Effect, amend, amended
from resultproc.stages.pipeline import award_sheet

GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"
HOWELL = GAME.with_name("pbn-example.pbn")

Edits = list[tuple[str, str]]

NAME = ("Carolyn Hall", "Caroline Hall")  # A-EW-4, who win nothing
SEAT_9 = ("N-S,9,Del Sellers,Carolyn Eschenbach,B,101.50,46.99", "N-S,9,Del Sellers,Carolyn Eschenbach,B,102.00,47.22")
NEEDLESS = [NAME, SEAT_9]
"""Corrections beside the others that change nobody's place: 47.22 is between the 48.38 and 41.44 of N-S 5 and 3."""


def edited(tmp_path: Path, edits: Edits, game: Path = GAME) -> tuple[Path, Path]:
    """Return the paths of a game, and of the same with some texts replaced."""
    old, new = tmp_path / f"old{game.suffix}", tmp_path / f"new{game.suffix}"
    old.write_bytes(game.read_bytes())
    new.write_bytes(with_edits(game, edits))
    return old, new


def with_edits(game: Path, edits: Iterable[tuple[str, str]]) -> bytes:
    """Return a game with some texts replaced."""
    text = game.read_text("utf-8")
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text.encode()


@cache
def corrected(*edits: tuple[str, str], game: Path = GAME) -> Amendment:
    """Return what comes of some edits of a game without boards, which is itself awarded once."""
    old, new = awarded(game), awarded(Source(f"new{game.suffix}", with_edits(game, edits)))
    return amended(old[0], new[0], old[1], new[1])


@cache
def awarded(game: Path | Source) -> tuple[Sheet, Result]:
    sheet = read(game)
    return sheet, award_sheet(sheet)


def of(found: Amendment, seat: str) -> Effect:
    (effect,) = (each for each in found.contestants if each.contestant == seat)
    return effect


def causes(found: Amendment, seat: str) -> list[str]:
    return [found.changes[number - 1].what for number in of(found, seat).because]


NS_1 = "N-S,1,Harold Holland,Betty Holland,B,140.50,65.05"
NS_2 = "N-S,2,Beth Bartel,Charles Reals,B,64.00,29.63"
NS_5 = "N-S,5,Ruta Allen,Betty Camp,C,104.50,48.38"
NS_6 = "N-S,6,Mortimer Sams,Anne Anderson,B,133.00,61.57"
NS_7 = "N-S,7,Norteman Jr,Louise Carter,A,130.00,60.19"
EW_2 = "E-W,2,Perrin Powell,Paul Corden,C,119.50,55.32"
EW_9 = "E-W,9,Stratford,Charlie Stratford,B,126.50,58.56"


def scored(row: str, score: str, percentage: str) -> tuple[str, str]:
    return row, ",".join([*row.split(",")[:-2], score, percentage])


MADE: dict[str, tuple[Edits, str, list[str]]] = {
    "first below second": ([scored(NS_1, "132.00", "61.11")], "A-NS-6", ["A-NS-1"]),
    "first below second, for itself": ([scored(NS_1, "132.00", "61.11")], "A-NS-1", ["A-NS-1"]),
    "first out of the money": ([scored(NS_1, "100.00", "46.30")], "A-NS-8", ["A-NS-1"]),
    "last to the top": ([scored(NS_2, "141.00", "65.28")], "A-NS-7", ["A-NS-2"]),
    "a tie made": ([scored(NS_7, "133.00", "61.57")], "A-NS-6", ["A-NS-7"]),
    "best of C below the others": ([scored(NS_5, "60.00", "27.78")], "A-NS-4", ["A-NS-5"]),
    "E-W too": ([scored(EW_9, "118.00", "54.63")], "A-EW-2", ["A-EW-9"]),
    "E-W, third": ([scored(EW_9, "117.00", "54.17")], "A-EW-1", ["A-EW-9"]),
    "two pass": ([scored(NS_5, "141.00", "65.28"), scored(NS_2, "142.00", "65.74")], "A-NS-1", ["A-NS-2", "A-NS-5"]),
    "both scores of two": ([scored(NS_1, "104.50", "48.38"), scored(NS_5, "140.50", "65.05")], "A-NS-8", []),
    "a stratum lower": ([(NS_1, NS_1.replace(",B,", ",C,"))], "A-NS-5", ["A-NS-1"]),
    "a stratum higher": ([(NS_5, NS_5.replace(",C,", ",A,"))], "A-NS-5", ["A-NS-5"]),
    "a stratum higher, for others": ([(EW_2, EW_2.replace(",C,", ",B,"))], "A-EW-6", ["A-EW-2"]),
    "played after a change of the rules": ([("2012-04-18", "2023-04-19")], "A-EW-9", ["date: 2023-04-19"]),
    "both pairs of a table": (
        [scored(NS_1, "139.50", "64.58"), scored(EW_9, "127.50", "59.03"), (NS_6, NS_6.replace(",B,", ",C,"))],
        "A-NS-5",
        ["A-NS-6"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_the_cause_is_named(name: str) -> None:
    edits, seat, expected = MADE[name]
    found = corrected(*edits, *NEEDLESS)
    if expected:
        assert sorted(what.split(",")[0] for what in causes(found, seat)) == expected
    else:
        assert seat not in {effect.contestant for effect in found.contestants}
    assert not any("Hall" in what for effect in found.contestants for what in causes(found, effect.contestant))


WEDNESDAY = GAME.with_name("made-wednesday.csv")
DECLARED = {
    "boards": ("# boards: 18", "# boards: 24"),
    "rating": ("club-open", "club-championship"),
    "strata": ("A=open, B=200, C=50", "A=open, B=300, C=50"),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", DECLARED)
def test_a_declaration_is_named(key: str) -> None:
    found = corrected(DECLARED[key], ("Finn Yew", "Finn Yewe"), game=WEDNESDAY)
    effects = [effect for effect in found.contestants if effect.because]
    assert effects
    for effect in effects:
        assert [what.split(":")[0] for what in causes(found, effect.contestant)] == [key]


@pytest.mark.slow
def test_amounts_and_places_are_those_of_the_chart() -> None:
    # Nine pairs: 0.90, 0.63, 0.45, 0.32. Pair 1 has 61.11 after the correction, and pair 6 61.57.
    found = corrected(scored(NS_1, "132.00", "61.11"))
    amounts = {each.contestant: (each.before.masterpoints, each.after.masterpoints) for each in found.contestants}
    assert amounts == {"A-NS-1": (90, 63), "A-NS-6": (63, 90)}
    assert [each.after.masterpoints < each.before.masterpoints for each in found.contestants] == [True, False]
    assert dict.fromkeys(of(found, "A-NS-1").new.places) == {("section", "A", "2"): None, ("section", "B", "2"): None}


@pytest.mark.slow
def test_without_changes_nobody_is_named(tmp_path: Path) -> None:
    done = run("amend", *edited(tmp_path, []))
    assert done.status == 0
    assert done.out.endswith("\nNothing that counts has changed.\n\nNobody's places or masterpoints change.\n")


@pytest.mark.slow
def test_the_old_points_are_those_that_the_old_file_prints(tmp_path: Path) -> None:
    row = "A,N-S,7,Norteman Jr,Louise Carter,A,130.00,60.19,A=3,0.45,A"
    text = GAME.read_text("utf-8")
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    new.write_text(text, "utf-8")
    assert text.count(row) == 1
    old.write_text(text.replace(row, row.replace("0.45", "0.54")), "utf-8")
    (found,) = amend(old, new)
    (effect,) = found.contestants
    assert (effect.before.masterpoints, effect.after.masterpoints, effect.because) == (54, 45, ())
    assert b"the old file prints what does not follow from itself" in WRITERS["text"]([found])
    assert found.lowers


@pytest.mark.slow
def test_other_players_at_a_seat_that_pays_are_named() -> None:
    found = corrected(("Harold Holland,Betty Holland", "Harold Holland,Carl Doe"))
    (effect,) = found.contestants
    assert (effect.players, effect.players_before) == ("Harold Holland - Carl Doe", "Harold Holland - Betty Holland")
    assert (effect.before, effect.because) == (effect.after, ())


@pytest.mark.slow
def test_a_pair_that_moved_is_known_by_its_players() -> None:
    found = corrected(("A,N-S,9,Del", "A,N-S,19,Del"))
    assert [change.what for change in found.changes] == ["A-NS-9, Del Sellers - Carolyn Eschenbach: number: 19, was 9"]
    assert found.contestants == ()


@pytest.mark.slow
def test_pairs_that_changed_numbers_neither_gain_nor_lose() -> None:
    found = corrected((",1,Harold", ",6,Harold"), (",6,Mortimer", ",1,Mortimer"))
    assert [change.what for change in found.changes] == [
        "A-NS-1, Harold Holland - Betty Holland: number: 6, was 1",
        "A-NS-6, Mortimer Sams - Anne Anderson: number: 1, was 6",
    ]
    assert found.contestants == ()
    assert not found.lowers


@pytest.mark.slow
def test_players_in_another_order_are_the_same_pair() -> None:
    assert corrected(("Harold Holland,Betty Holland", "Betty Holland,Harold Holland")).contestants == ()


@pytest.mark.slow
def test_one_who_comes_to_the_seat_of_one_that_moved_is_new() -> None:
    found = corrected((",9,Del Sellers,Carolyn Eschenbach", ",1,Ann Ash,Bob Elm"), (",1,Harold", ",9,Harold"))
    assert [change.what.split(":")[0] for change in found.changes] == [
        "A-NS-9, Del Sellers - Carolyn Eschenbach is no longer there",
        "A-NS-1 (new), Ann Ash - Bob Elm is new",
        "A-NS-1, Harold Holland - Betty Holland",
    ]
    assert {effect.contestant for effect in found.contestants} == {"A-NS-9", "A-NS-1 (new)"}


@pytest.mark.slow
def test_directions_that_were_swapped_are_followed(tmp_path: Path) -> None:
    text = GAME.read_text("utf-8")
    new = tmp_path / "new.csv"
    new.write_text(text.replace("A,N-S,", "A,?,").replace("A,E-W,", "A,N-S,").replace("A,?,", "A,E-W,"), "utf-8")
    (found,) = amend(GAME, new)
    assert len(found.changes) == 18
    assert {change.what.partition(": ")[2].partition(":")[0] for change in found.changes} == {"direction"}
    assert found.contestants == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [("made-wednesday.csv", "made-wednesday.json"), ("made-charity.json", "made-charity.csv")],
)
def test_the_same_game_in_another_format_has_no_changes(old: str, new: str) -> None:
    (found,) = amend(GAME.with_name(old), GAME.with_name(new))
    assert (found.changes, found.contestants) == ((), ())


@pytest.mark.slow
def test_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="this is not another version of the same game") as error:
        amend(GAME, WEDNESDAY)
    assert error.value.problems[0].file == "made-wednesday.csv"


@pytest.mark.slow
def test_a_pair_that_is_gone_and_one_that_is_new() -> None:
    one = "A,N-S,9,Del Sellers,Carolyn Eschenbach,B,101.50,46.99"
    found = corrected((one, "A,N-S,10,Ann Ash,Bob Elm,B,150.00,69.44"))
    expected = ["A-NS-9, Del Sellers - Carolyn Eschenbach is no longer there", "A-NS-10, Ann Ash - Bob Elm is new"]
    assert [change.what for change in found.changes] == expected
    # With ten N-S pairs nine tables are too few, so neither alone can be awarded.
    assert of(found, "A-NS-1").because == (1, 2)
    assert (of(found, "A-NS-10").old.masterpoints, of(found, "A-NS-10").new.masterpoints) == (0, 90)


# Board 2: 140 beats 110, so 1 and 0 for 0.5 each; board 3: 50% each for 60% and 40%, 0.5 for 0.6 and 0.4, of 3 boards.
BOARD_2 = [
    (' 2  4 2S   S  8  "110"      -  0.5  0.5', ' 2  4 2S   S  9  "140"      -  1.0  0.0'),
    (' 3  1 2S   S  8  "110"      -  0.5  0.5', ' 3  1 2S   S  8  "110"      -  0.0  1.0'),
]
BOARD_3 = [(" 3  4 - - - - ^60 ^40 ^0.6 ^0.4", " 3  4 - - - - ^50 ^50 ^0.5 ^0.5")]
TOTALS = [
    (" 1  3  2.1  70.00  3", " 2  3  1.5  50.00  3"),
    (" 2  1  2.0  66.67  3", " 1  1  2.5  83.33  3"),
    (" 3  2  1.0  33.33  3", " 2  2  1.5  50.00  3"),
    (" 4  4  0.9  30.00  3", " 4  4  0.5  16.67  3"),
]


@pytest.mark.slow
def test_boards_are_causes_and_not_the_scores_that_follow_from_them(tmp_path: Path) -> None:
    files = edited(tmp_path, [*BOARD_2, *BOARD_3, *TOTALS], HOWELL)
    (found,) = amend(*files, rating="club-open", boards=18)
    expected = ["board 2: A-2 +140, was +110; A-4 -140, was -110", "board 3: A-3 50%, was 60%; A-4 50%, was 40%"]
    assert [change.what for change in found.changes] == expected
    # With board 2 alone 1 has 2.5 and is first before 3 with 1.6; 2 has 1.5, and ties with 3 after board 3 as well.
    assert {each.contestant: each.because for each in found.contestants} == {"A-1": (1,), "A-2": (1, 2), "A-3": (1, 2)}


@pytest.mark.slow
def test_a_score_that_its_boards_do_not_explain_is_a_change_of_its_own(tmp_path: Path) -> None:
    totals = [*TOTALS[1:3], (" 1  3  2.1  70.00  3", " 2  3  1.6  53.33  3"), (TOTALS[3][0], " 4  4  0.6  20.00  3")]
    (found,) = amend(*edited(tmp_path, [*BOARD_2, *totals], HOWELL), rating="club-open", boards=18)
    said = [change.what for change in found.changes if change.kind == "score"]
    assert said == [
        "A-4, Huw Lloyd - Mair Lloyd: score: 0.6, was 0.9 (its boards change it by -0.5); "
        "percentage: 20, was 30 (its boards change it by -16.67)"
    ]


@pytest.mark.slow
def test_a_pair_that_is_new_has_its_boards_with_it(tmp_path: Path) -> None:
    fives = [
        (' 4  4  0.9  30.00  3 "Huw Lloyd;Mair Lloyd"', ' 4  5  0.9  30.00  3 "Ann Ash;Bob Elm"'),
        (" 1  4 4S ", " 1  5 4S "),
        (" 2  4 2S ", " 2  5 2S "),
        (" 3  4 - -", " 3  5 - -"),
    ]
    (found,) = amend(*edited(tmp_path, fives, HOWELL), rating="club-open", boards=18)
    said = [change.what for change in found.changes]
    assert said[:2] == ["A-4, Huw Lloyd - Mair Lloyd is no longer there", "A-5, Ann Ash - Bob Elm is new"]
    assert "board 2: A-4 no result, was -110; A-5 -110, was no result" in said


@pytest.mark.slow
def test_boards_of_a_pair_that_had_nothing(tmp_path: Path) -> None:
    board_3 = (BOARD_3[0][0], " 3  4 - - - - ^100 ^0 ^1.0 ^0.0")
    totals = [
        (TOTALS[0][0], " 2  3  2.0  66.67  3"),
        (TOTALS[1][0], " 1  1  2.5  83.33  3"),
        (TOTALS[2][0], " 3  2  1.5  50.00  3"),
        (TOTALS[3][0], " 4  4  0.0  0.00  3"),
    ]
    new, old = edited(tmp_path, [*BOARD_2, board_3, *totals], HOWELL)
    (found,) = amend(old, new, rating="club-open", boards=18)
    expected = ["board 2: A-2 +110, was +140; A-4 -110, was -140", "board 3: A-3 60%, was 100%; A-4 40%, was 0%"]
    assert [change.what for change in found.changes] == expected


@pytest.mark.slow
def test_of_many_corrections_none_that_is_named_can_be_spared(tmp_path: Path) -> None:
    head = ["rating: club-open", "date: 2012-04-18", "tables: 10", "movement: howell", "strata: A=open", "boards: 27"]
    scores = {n: 50 + 1.5 * (10.5 - n) for n in range(1, 21)}
    # Pair 4, with 59.75, is passed by three: it is 7th, and was 4th.
    after = scores | {5: 60.0, 6: 60.5, 7: 61.0}
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    for path, each, name, more in ((old, scores, "P", []), (new, after, "Q", ["event: Open", "club: Example"])):
        rows = [f"A,{n},{name}{n} One,{name}{n} Two,{score:.2f}" for n, score in each.items()]
        keys = [f"# {key}" for key in [*head, *more]]
        path.write_text("\n".join([*keys, "section,number,player1,player2,percentage", *rows]), "utf-8")
    (found,) = amend(old, new)
    assert len(found.changes) == 25 > MOST_PAIRS
    assert [what.split(",")[0] for what in causes(found, "A-4")] == ["A-5", "A-6", "A-7"]
    assert [place for _, _, place in of(found, "A-4").new.places] == ["7"]


@pytest.mark.slow
def test_files_with_other_games_are_refused(tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    lines = GAME.read_text("utf-8").splitlines()
    games = [f"{game},{line}" for game in ("1", "2") for line in lines[10:]]
    both.write_text("\n".join([*lines[:9], f"game_id,{lines[9]}", *games]), "utf-8")
    with pytest.raises(InputError, match="this file has 2 games, and the old one one game") as error:
        amend(GAME, both)
    assert error.value.problems[0].file == "both.csv"
    assert len(amend(both, both)) == 2


@pytest.mark.slow
def test_every_format_names_changes_and_who_they_concern(tmp_path: Path) -> None:
    text = run("amend", *edited(tmp_path, [scored(NS_1, "132.00", "61.11")]))
    assert text.status == 4
    assert text.out == (
        "Wed 1:00 Open Pairs, Wednesday 18 April 2012 · Wednesday Aft: corrected\n"
        "\n"
        "What has changed\n"
        "   1. A-NS-1, Harold Holland - Betty Holland: score: 132, was 140.5; percentage: 61.11, was 65.05\n"
        "\n"
        "Who gains or loses\n"
        "  Harold Holland - Betty Holland (A-NS-1)\n"
        "      0.63 masterpoints, before 0.90: 0.27 fewer\n"
        "      section, stratum A: 2nd, before 1st\n"
        "      section, stratum B: 2nd, before 1st\n"
        "      because of 1\n"
        "  Mortimer Sams - Anne Anderson (A-NS-6)\n"
        "      0.90 masterpoints, before 0.63: 0.27 more\n"
        "      section, stratum A: 1st, before 2nd\n"
        "      section, stratum B: 1st, before 2nd\n"
        "      because of 1\n"
    )
    found = corrected(scored(NS_1, "132.00", "61.11"))
    (game,) = json.loads(WRITERS["json"]([found]))["games"]
    assert [each["kind"] for each in game["changes"]] == ["score"]
    assert [(each["contestant"], each["after"]["masterpoints"], each["because"]) for each in game["contestants"]] == [
        ("A-NS-1", "0.63", [1]),
        ("A-NS-6", "0.90", [1]),
    ]
    tree = html.fromstring(WRITERS["html"]([found]))
    expected = ["What has changed", "Who gains or loses"]
    assert [" ".join(each.text_content().split()) for each in tree.iter("h2")] == expected
    assert "Harold Holland - Betty Holland (A-NS-1)" in tree.text_content()


SEVEN = [
    "1,Ann Ash,1001,Bob Birch,1002,62.50",
    "2,Cy Cedar,1003,Di Dale,1004,58.33",
    *(f"{n},Q{n} One,,R{n} Two,,{55 - 2 * n}" for n in range(3, 9)),
]
"""Eight pairs of a Howell at a club, four tables: first overall 0.80, second 0.56."""


def written(path: Path, *edits: tuple[str, str], above: str = "number,player1,id1,player2,id2,percentage") -> Path:
    keys = ["date: 2026-05-12", "rating: club-open", "boards: 18", "movement: howell", "tables: 4"]
    text = "\n".join([*(f"# {key}" for key in keys), above, *SEVEN])
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return saved(path, text)


def moved(tmp_path: Path, *edits: tuple[str, str], lowers: bool = True) -> list[tuple[str, str, int, int, str, str]]:
    (found,) = amend(written(tmp_path / "old.csv"), written(tmp_path / "new.csv", *edits))
    assert found.lowers == lowers
    return [
        (m.name, m.id, m.before.masterpoints, m.after.masterpoints, m.before.contestant, m.after.contestant)
        for m in found.players
    ]


@pytest.mark.slow
def test_who_loses_by_changing_pairs_is_listed_with_both(tmp_path: Path) -> None:
    swapped = [("1,Ann Ash,1001", "1,Q8 One,"), ("8,Q8 One,", "8,Ann Ash,1001")]
    done = run("amend", written(tmp_path / "old.csv"), written(tmp_path / "new.csv", *swapped), "--to", "json")
    assert done.status == 4
    (found,) = amend(tmp_path / "old.csv", tmp_path / "new.csv")
    assert (
        "  Ann Ash, 1001\n"
        "      0.00 masterpoints, before 0.80: 0.80 fewer\n"
        "      now Ann Ash - R8 Two (A-8), before Ann Ash - Bob Birch (A-1)\n"
    ) in WRITERS["text"]([found]).decode()
    (game,) = json.loads(done.out)["games"]
    assert [each["name"] for each in game["players"]] == ["Ann Ash", "Q8 One"]
    assert game["players"][0] == {
        "name": "Ann Ash",
        "id": "1001",
        "before": {"contestant": "A-1", "players": "Ann Ash - Bob Birch", "masterpoints": "0.80"},
        "after": {"contestant": "A-8", "players": "Ann Ash - R8 Two", "masterpoints": "0.00"},
    }
    page = html.fromstring(WRITERS["html"]([found])).text_content()
    assert "now Ann Ash - R8 Two (A-8), before Ann Ash - Bob Birch (A-1)" in page


@pytest.mark.slow
def test_who_is_no_longer_there_loses(tmp_path: Path) -> None:
    expected = [("Ann Ash", "1001", 80, 0, "A-1", ""), ("Zed Zulu", "9999", 0, 80, "", "A-1")]
    assert moved(tmp_path, ("1,Ann Ash,1001", "1,Zed Zulu,9999")) == expected


@pytest.mark.slow
def test_another_member_number_is_another_member(tmp_path: Path) -> None:
    expected = [("Ann Ash", "1001", 80, 0, "A-1", ""), ("Ann Ash", "1009", 0, 80, "", "A-1")]
    assert moved(tmp_path, ("Ann Ash,1001", "Ann Ash,1009")) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "edit",
    [
        ("Ann Ash,1001", "Anne Ash,1001"),
        ("Ann Ash,1001", "Anne Ash,"),
        ("Ann Ash,1001", '"Ash, Ann",'),
        ("Ann Ash,1001,Bob Birch,1002", "Bob Birch,1002,Ann Ash,1001"),
        ("1,Ann Ash,1001,Bob Birch,1002,62.50", "1,Ann Ash,1001,Bob Birch,1002,61.50"),
    ],
)
def test_a_name_spelled_otherwise_is_nobody_else(tmp_path: Path, edit: tuple[str, str]) -> None:
    assert moved(tmp_path, edit, lowers=False) == []


@pytest.mark.slow
def test_pairs_that_change_places_are_told_once(tmp_path: Path) -> None:
    """Whole pairs are followed by their players: those of 1 have 0.56 for 0.80, those of 2 the other way round."""
    assert moved(tmp_path, ("1002,62.50", "1002,58.33"), ("1004,58.33", "1004,62.50")) == []


@pytest.mark.slow
def test_the_awards_that_the_old_file_prints_are_what_a_player_had(tmp_path: Path) -> None:
    above = "number,player1,id1,player2,id2,percentage,award"
    old = written(tmp_path / "old.csv", ("1002,62.50", "1002,62.50,0.75"), above=above)
    (found,) = amend(old, written(tmp_path / "new.csv", ("1,Ann Ash,1001", "1,Zed Zulu,9999")))
    expected = [("Ann Ash", 75, 0), ("Bob Birch", 75, 80), ("Zed Zulu", 0, 80)]
    assert [(move.name, move.before.masterpoints, move.after.masterpoints) for move in found.players] == expected


@pytest.mark.slow
def test_a_workbook_has_what_changed_and_who_gains_or_loses(tmp_path: Path) -> None:
    path = tmp_path / "amended.xlsx"
    run("amend", FIXTURES / "made-wednesday.csv", FIXTURES / "corrected-wednesday.csv", "-o", path)
    workbook = load_workbook(path)
    assert workbook.sheetnames[:2] == ["Corrections", "Contestants"]
    assert [cell.value for cell in workbook["Corrections"][6]] == [
        *(2, "A-6, Ella Willow - Finn Yew: holding of Finn Yew: 298, was 98")
    ]
    head, first, *_ = workbook["Contestants"].iter_rows(min_row=4, values_only=True)
    assert head == ("Who", "Before", "Masterpoints", "Places", "Because of")
    assert first[:3] == ("Cora Upas - Dov Viburnum (A-5)", 0.94, 0.77)
