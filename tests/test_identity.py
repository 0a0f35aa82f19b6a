"""Who is who in several games: what makes two seats the same player, and what is told of doubtful ones."""

import pandas as pd
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from resultproc.people.identity import Identities, identify
from resultproc.people.spelling import almost_the_same, like_any

Seat = tuple[str, str, str]


def identified(*seats: Seat) -> Identities:
    """Identify seats of game, name and number; an empty text is none."""
    frame = pd.DataFrame(seats, columns=["game", "name", "number"], dtype="str")
    return identify(frame.mask(frame == ""))


def same(first: Seat, second: Seat) -> bool:
    one, two = identified(first, second).player
    return bool(one == two)


def doubts(*seats: Seat) -> list[str]:
    return [doubt.what for doubt in identified(*seats).doubts]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada Birch", "ADA BIRCH"),
        ("Ada Birch", "  Ada   Birch "),
        ("Birch, Ada", "Ada Birch"),
        ("Ada M. Birch", "Ada M Birch"),
        ("José Núñez", "Jose Nunez"),
        ("Łukasz Sørensen", "Lukasz SORENSEN"),
        ("Æsa Þór", "AESA THOR"),
        ("Jose\u0301 Nu\u0301n\u0303ez", "José Núñez"),
        ("Groß", "GROSS"),
        ("Mary O'Neil", "Mary O’Neil"),
        ("Ann-Marie Roe", "Ann Marie Roe"),
    ],
)
def test_names_written_otherwise_are_the_same(first: str, second: str) -> None:
    assert same(("1", first, ""), ("2", second, ""))
    assert doubts(("1", first, ""), ("2", second, "")) == []


def test_short_names_are_the_same_or_not() -> None:
    assert almost_the_same("Al", "AL")
    assert not almost_the_same("Al", "Bo")


def test_which_names_are_like_one_of_some_others() -> None:
    names = pd.Series(["Ann Lee", "Lee, Anne", "Zoë Ash", None, "Bob Ray", "Ann Lee"], [5, 6, 7, 8, 9, 10], dtype="str")
    like = like_any(names, pd.Series(["anne lee", "ZOE ASH"], dtype="str"))
    assert like.to_dict() == {5: True, 6: True, 7: True, 8: False, 9: False, 10: True}
    assert not like_any(names, pd.Series([], dtype="str")).any()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada Birch", "Ada Burch"),
        ("Ada Birch", "Birch Ada"),
        ("Ada Birch", "Dr Ada Birch"),
        ("Bo Li", "Bo Lu"),
        ("Player 1", "Player 2"),
        ("李", "王"),
    ],
)
def test_other_names_are_others(first: str, second: str) -> None:
    assert not same(("1", first, ""), ("2", second, ""))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1234567", "123 4567"),
        ("J234567", "1234567"),  # a Life Master: J stands for 1
        ("r234567", "9234567"),  # and R for 9
        ("0000101", "101"),  # a spreadsheet took the zeros
    ],
)
def test_numbers_written_otherwise_are_the_same(first: str, second: str) -> None:
    assert same(("1", "Ada Birch", first), ("2", "Ada Birch", second))
    assert doubts(("1", "Ada Birch", first), ("2", "Ada Birch", second)) == []


def test_a_number_goes_before_a_name() -> None:
    assert same(("1", "Ada Birch", "1234567"), ("2", "Ada Stone", "1234567"))
    assert not same(("1", "Ada Birch", "1234567"), ("2", "Ada Birch", "7654321"))


@pytest.mark.parametrize("none", ["", "0", "0000000", "none", "N/A", "-"])
def test_what_is_no_number_stands_for_nobody(none: str) -> None:
    assert not same(("1", "Ada Birch", none), ("1", "Ben Cole", none))
    assert same(("1", "Ada Birch", none), ("2", "Ada Birch", none))


def test_names_and_numbers_are_those_that_most_games_write() -> None:
    found = identified(
        ("1", "", "J234567"), ("2", "BIRCH,  Ada", "1234567"), ("2", "Ben Cole", ""), ("3", "", "J234567")
    )
    assert list(found.player) == [0, 0, 1, 0]
    assert list(found.names) == ["BIRCH, Ada", "Ben Cole"]
    assert found.numbers[0] == "J234567"
    assert pd.isna(found.numbers[1])
    assert list(identified(("1", "", "1234567")).names) == ["1234567"]
    # Of two that as many games write, the first by the alphabet, in whatever order the games are.
    assert list(identified(("1", "BIRCH,  Ada", "7"), ("2", "Ada Birch", "7")).names) == ["Ada Birch"]


def test_a_seat_that_names_nobody_is_nobodys() -> None:
    found = identified(("1", "", ""), ("1", "Ada Birch", ""), ("1", "---", "0"))
    assert list(found.player) == [-1, 0, -1]
    assert list(found.names) == ["Ada Birch"]
    assert list(identified(("1", "", "")).player) == [-1]
    assert list(identified().player) == []


def test_a_name_without_its_number_is_told() -> None:
    seats = ("1", "Ada Birch", "1234567"), ("2", "ada birch", ""), ("3", "Ada Birch", "")
    assert list(identified(*seats).player) == [0, 0, 0]
    assert doubts(*seats) == ["ada birch has no number in 2 and 3: counted as 1234567"]


def test_a_name_with_two_numbers_is_told_and_stands_for_neither() -> None:
    seats = ("1", "Ada Birch", "1234567"), ("2", "Ada Birch", "7654321"), ("3", "Ada Birch", "")
    assert list(identified(*seats).player) == [0, 1, 2]
    assert doubts(*seats) == [
        "Ada Birch has the numbers 1234567 and 7654321: counted as 2 players, and as one more where the number is "
        "missing, in 3"
    ]


def test_a_number_of_two_names_is_told() -> None:
    seats = ("1", "Ada Birch", "1234567"), ("2", "Ben Cole", "1234567")
    assert list(identified(*seats).player) == [0, 0]
    assert doubts(*seats) == ["the number 1234567 is used for Ada Birch and Ben Cole: counted as one player"]
    # A surname may change, a first name be shortened.
    assert doubts(("1", "Ada Birch", "1234567"), ("2", "Ada Stone", "1234567"), ("3", "A Birch", "1234567")) != []
    assert doubts(("1", "Ada Birch", "1234567"), ("2", "Ada Stone", "1234567")) == []


def test_a_player_twice_in_a_game_is_told() -> None:
    seats = ("1", "John Smith", ""), ("1", "John Smith", "")
    assert doubts(*seats) == ["John Smith appears more than once in 1: counted as one player, by the better result"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ada Birch", "Ada Burch"),  # another letter
        ("Al Ax", "Al Ox"),  # the shortest that are looked at
        ("Ada Birch", "Ada Birh"),  # one less
        ("Ada Birch", "Adda Birch"),  # one more
        ("Ada Birch", "Ada Bicrh"),  # two exchanged
        ("Ada Birch", "Birch Ada"),
        ("Ada Birch", "Dr Ada Birch"),
    ],
)
def test_names_almost_the_same_are_told(first: str, second: str) -> None:
    told = f"{first} and {second} have almost the same name: counted as two players"
    assert doubts(("1", first, ""), ("2", second, "")) == [told]
    assert doubts(("1", first, "1234567"), ("2", second, "")) == [told]
    # Not where both have a number, nor where both sat in one game.
    assert doubts(("1", first, "1234567"), ("2", second, "7654321")) == []
    assert doubts(("1", first, ""), ("1", second, ""), ("2", second, "")) == []


@pytest.mark.parametrize(("first", "second"), [("Player 1", "Player 2"), ("Bo L", "Bo M"), ("Ada Birch", "Ada Burcx")])
def test_names_far_enough_apart_are_not_told(first: str, second: str) -> None:
    assert doubts(("1", first, ""), ("2", second, "")) == []


NAMES = st.sampled_from(["", "Ada Birch", "BIRCH, ADA", "Ada Burch", "Ben Cole", "-", "Ben"])
NUMBERS = st.sampled_from(["", "0", "1234567", "J234567", "7654321"])


@examples(30)
@given(st.lists(st.tuples(st.sampled_from("123"), NAMES, NUMBERS), max_size=8))
def test_whoever_is_written_alike_is_one_player(seats: list[Seat]) -> None:
    found = identified(*seats)
    assert sorted(set(found.player) - {-1}) == list(range(len(found.names)))
    assert found.names.notna().all()
    written = {seat[1:]: number for seat, number in zip(seats, found.player, strict=True)}
    assert all(written[seat[1:]] == number for seat, number in zip(seats, found.player, strict=True))
    assert all(doubt.players and doubt.what for doubt in found.doubts)
