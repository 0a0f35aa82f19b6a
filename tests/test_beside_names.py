"""What stands beside a name is none of it: places, seats, dots, member numbers, strata, notes. Couples have one."""

from __future__ import annotations

import pytest

from resultproc import Source, read
from resultproc.people.names import Player, of_one_family, players_of, split_players

PAIRS = [(f"{first} Ash", f"{first} Elm") for first in ("Ann", "Bob", "Cy", "Di", "Ed")]


def of_column(*texts: str) -> list[list[Player]]:
    return players_of(split_players(texts))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ann Ash 1234567", "Bob Elm 7654321"),
        ("1234567 Ann Ash", "7654321 Bob Elm"),
        ("Ann Ash #1234567", "Bob Elm #7654321"),
        ("Ann Ash (1234567)", "Bob Elm (7654321)"),
        ("Ann Ash [#1234567]", "Bob Elm [#7654321]"),
        ("Ann Ash No. 1234567", "Bob Elm No. 7654321"),
        ("Ann Ash (ACBL 1234567)", "Bob Elm (ACBL 7654321)"),
        ("#1234567 Ann Ash", "#7654321 Bob Elm"),
        ("1234567 - Ann Ash", "7654321 - Bob Elm"),
        ("Ann Ash - 1234567", "Bob Elm - 7654321"),
        ("Ann Ash\n1234567", "Bob Elm\n7654321"),
        ("1234567\nAnn Ash", "7654321\nBob Elm"),
    ],
)
@pytest.mark.parametrize("between", [" & ", " / ", "\n", " und ", "; "])
def test_a_member_number_is_beside_its_name(first: str, second: str, between: str) -> None:
    assert of_column(f"{first}{between}{second}") == [[Player("Ann Ash", "1234567"), Player("Bob Elm", "7654321")]]


def test_a_remark_beside_one_of_two_names_is_a_note() -> None:
    found = of_column(
        "Ann Ash - visitor & Bob Elm", "Cy Fir & Di Oak - guest", "Ed Yew and Flo Bay", "Gus Gum - visitor"
    )
    assert found == [
        [Player("Ann Ash", notes=("visitor",)), Player("Bob Elm")],
        [Player("Cy Fir"), Player("Di Oak", notes=("guest",))],
        [Player("Ed Yew"), Player("Flo Bay")],
        [Player("Gus Gum"), Player("visitor")],  # whom he plays with
    ]
    of_half = of_column("Ann Ash & Bob Elm - Elks", "Cy Fir & Di Oak - Moose", "Ed Yew & Flo Bay", "Gus Gum & Hal Ivy")
    assert [pair[1].notes for pair in of_half] == [("Elks",), ("Moose",), (), ()]


@pytest.mark.parametrize(
    "text",
    [
        "1234567 - Ann Ash, 7654321 - Bob Elm",
        "Ann Ash - 1234567, Bob Elm - 7654321",
        "Ann Ash, 1234567 - Bob Elm, 7654321",
        "1234567, Ann Ash - 7654321, Bob Elm",
    ],
)
def test_a_comma_behind_or_before_a_member_number_stands_between_names(text: str) -> None:
    assert of_column(text) == [[Player("Ann Ash", "1234567"), Player("Bob Elm", "7654321")]]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Cy Oak & Di Yew (late)", ("late",)),
        ("Cy Oak & Di Yew (sub) (C)", ("sub", "C")),
        ("Cy Oak & Di Yew *", ("*",)),
        ("Cy Oak & Di Yew\u2020", ("\u2020",)),
        ("Cy Oak & Di Yew 1234567 (Gold)", ("Gold",)),
        ("Cy Oak\nDi Yew\n1234567 (Gold)", ("Gold",)),
        ("Cy Oak & Di Yew . . .", ()),
        ("Cy Oak & Di Yew......", ()),
        ("Cy Oak & Di Yew .", ()),
    ],
)
def test_notes_and_leaders_are_no_part_of_a_name(text: str, notes: tuple[str, ...]) -> None:
    (first, second), _ = of_column(text, "Ann Ash & Bob Elm")
    assert (first, second.name, second.notes) == (Player("Cy Oak"), "Di Yew", notes)


def test_an_initial_is_no_sign_between_names_and_one_before_a_score_no_name() -> None:
    assert split_players(["G. Ash, U. Elm", "M. Oak, L. Yew"]) == [["G. Ash", "U. Elm"], ["M. Oak", "L. Yew"]]
    assert split_players(["Ash u. Elm", "Oak u. Yew ="]) == [["Ash", "Elm"], ["Oak", "Yew"]]


def test_a_sign_within_brackets_stands_between_no_names_where_another_does() -> None:
    people = of_column("Ann Ash & Bob Elm (D/NL)", "Cy Ash (late - sub) / Di Elm", "Ed Ash - Flo Elm")
    assert [[(player.name, player.notes) for player in pair] for pair in people] == [
        [("Ann Ash", ()), ("Bob Elm", ("D/NL",))],
        [("Cy Ash", ("late - sub",)), ("Di Elm", ())],
        [("Ed Ash", ()), ("Flo Elm", ())],
    ]
    assert split_players(["The Aces (+6)", "Hearts (-0,5)"]) == [["The Aces (+6)"], ["Hearts (-0,5)"]]
    assert split_players(["Elks (Ann Ash / Bob Elm)"]) == [["Elks (Ann Ash", "Bob Elm)"]]


@pytest.mark.parametrize(
    ("names", "both"),
    [
        (("Mike", "Liz Poplar"), ["Mike Poplar", "Liz Poplar"]),
        (("Jan", "Els van der Meer"), ["Jan van der Meer", "Els van der Meer"]),
        (("Dr Mike", "Liz Poplar"), ["Dr Mike Poplar", "Liz Poplar"]),
        (("M", "Liz Poplar"), ["M Poplar", "Liz Poplar"]),
        (("M.", "L. Poplar"), ["M. Poplar", "L. Poplar"]),
        (("Mr", "Mrs J Poplar"), ["Mr J Poplar", "Mrs J Poplar"]),
        (("M. Oak", "M. St. James"), ["M. Oak", "M. St. James"]),
        (("Mike", "Liz St. James"), ["Mike St. James", "Liz St. James"]),
        (("M", "L St. James"), ["M St. James", "L St. James"]),
        (("Mike", "Liz Von Stein"), ["Mike Von Stein", "Liz Von Stein"]),
        (("POPLAR Mike", "Liz"), ["POPLAR Mike", "POPLAR Liz"]),
        (("Poplar, Mike", "Liz"), ["Poplar, Mike", "Poplar, Liz"]),
        (("Mike Oak", "Liz"), ["Mike Oak", "Liz"]),
        (("Goren", "Jacoby"), ["Goren", "Jacoby"]),
        (("Goren", "van Dyke"), ["Goren", "van Dyke"]),
        (("Mike Oak", "Liz Poplar"), ["Mike Oak", "Liz Poplar"]),
    ],
)
def test_a_couple_has_one_surname(names: tuple[str, str], both: list[str]) -> None:
    assert of_one_family(names) == both


def test_surnames_among_surnames_are_no_first_names() -> None:
    people = of_column("Ash & Elm", "Oak & Yew", "Goren & Le Dentu", "Fir & Date")
    assert [[player.name for player in pair] for pair in people][2] == ["Goren", "Le Dentu"]


def test_strata_in_brackets_are_a_column_and_a_letter_here_or_there_is_a_note() -> None:
    pairs = [f"{n}  {a} & {b} ({'ABC'[n % 3]})  {65 - 5 * n}.00%" for n, (a, b) in enumerate(PAIRS, 1)]
    found = read(Source("list.txt", "\n".join(pairs).encode()))
    assert found.contestants["stratum"].tolist() == [*"BCABC"]
    pairs = [pair.replace(" (A)", "").replace(" (B)", "") for pair in pairs]
    found = read(Source("list.txt", "\n".join(pairs).encode()))
    assert found.contestants["player2"].tolist() == [second for _, second in PAIRS]
    assert [each.what for each in found.remarks if "'C'" in each.what] == [
        "'C' beside the name of 'Bob Elm', and of 1 other, is taken for a note"
    ]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("list.txt", "{n}  A{seat} {a} & {b}  {score}"),
        ("list.csv", "{n},A{seat} 123456{n} {a} - 765432{n} {b},{score}"),
        ("list.csv", "{n},{seat} NS,{a},{b},{score}"),
        ("list.csv", 'A{seat},"123456{n} - {a}, 765432{n} - {b}",{score}'),
    ],
)
def test_a_seat_before_the_names_is_the_number(name: str, form: str) -> None:
    pairs = [form.format(n=n, seat=6 - n, a=a, b=b, score=f"{65 - 5 * n}.00%") for n, (a, b) in enumerate(PAIRS, 1)]
    found = read(Source(name, "\n".join(pairs).encode()))
    assert found.contestants["number"].tolist() == [*"54321"]
    assert found.contestants["player1"].tolist() == [first for first, _ in PAIRS]
