"""Values of old documents that are carried on: they are inferred, and what they went into says so."""

import pytest
from games import awarded, candidates, falling, mitchell

from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.frames import Result
from resultproc.rulebooks.load import parse_rulebook, rulebook

HOWELL = {"tables": 5, "movement": "howell"}


def remarks(result: Result) -> list[str]:
    return [remark.what for remark in result.remarks]


def colours(result: Result, row: int = 0) -> str:
    own = result.awards.iloc[row]
    return " ".join(f"{own[name] / 100:.2f} {name}" for name in ("black", "silver", "red", "gold") if own[name])


def untied(tables: int) -> list[str]:
    """Return the rows of a Mitchell in which nobody ties with anybody of the other direction."""
    return falling("A-NS", tables) + falling("A-EW", tables, top=69.95)


# R 10 x B(8) .3 until 2014, M 1; since 2015 9 x 1.25 x .3 = 3.375. Of a unit 20% of an open overall award is gold.
QUALIFYING = [
    ("2010-12-31", "nap-club", "1.95 black", ""),  # a championship: 6.5 x .3
    ("2011-01-01", "nap-club", "1.50 black 1.50 red", ""),
    ("2013-12-31", "nap-club", "1.50 black 1.50 red", ""),
    ("2014-01-01", "nap-club", "1.50 black 1.50 red", "in 2014 is not at hand: R 10"),
    ("2015-01-01", "nap-club", "1.69 black 1.69 red", ""),
    ("2016-12-31", "nap-club", "1.69 black 1.69 red", ""),
    ("2017-01-01", "nap-club", "1.69 black 1.69 red", ""),
    ("2018-01-01", "nap-club", "1.69 black 1.69 red", ""),
    ("2026-07-01", "nap-club", "1.69 black 1.69 red", ""),
    ("2010-12-31", "nap-unit", "2.55 black", ""),  # 8.5 x .3
    ("2011-01-01", "nap-unit", "1.50 black 1.50 red", "known only of 2017: R 10"),
    ("2014-12-31", "nap-unit", "1.50 black 1.50 red", "known only of 2017: R 10"),
    ("2016-12-31", "nap-unit", "1.69 black 1.69 red", "is not known in full: R 9"),
    ("2017-12-31", "nap-unit", "2.70 red 0.68 gold", ""),
    ("2019-01-01", "nap-unit", "2.70 red 0.68 gold", "North American Pairs is not at hand: R 9"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("day", "word", "paid", "remark"), QUALIFYING)
def test_games_that_qualify_for_the_north_american_pairs_pay_two_colours_in_every_year(
    day: str, word: str, paid: str, remark: str
) -> None:
    rating = "club-championship" if word == "nap-club" else "unit-championship"
    result = awarded(untied(8), rating=rating, special=word, date=day, tables=8)
    assert colours(result) == paid
    about = [each for each in remarks(result) if "North American Pairs" in each]
    assert [remark in each for each in about] == [True] * bool(remark)
    assert not remark or "(inferred)" in result.candidates["rule"].iloc[0]


def test_lower_strata_of_qualifying_games_pay_black_alone() -> None:
    rows = [row.replace(" . ", " C " if number in {5, 6, 7, 13, 14} else " A ") for number, row in enumerate(untied(8))]
    strata = "A=open, C=200"
    result = awarded(rows, rating="club-championship", special="nap-club", date="2026-07-01", tables=8, strata=strata)
    # Overall 9 x 1.25 x M(200) .425 x B(3) 13/60 = 1.0359.
    assert colours(result, 5) == "1.04 black"


@pytest.mark.parametrize("word", ["nap", "nap-49er"])
@pytest.mark.parametrize(
    ("day", "paid"),
    [("2016-12-31", 244), ("2017-01-01", 338), ("2018-12-31", 338), ("2019-01-01", 244)],
)
def test_other_qualifying_games_have_the_r_of_clubs_in_2017_and_2018_alone(word: str, day: str, paid: int) -> None:
    result = awarded(untied(8), rating="club-championship", special=word, date=day, tables=8)
    # 9 x 1.25 x B(8) .3 = 3.375; a championship: 6.5 x .3 = 1.95, x 1.25 = 2.4375. No stage of a club or unit: black.
    assert (result.awards["masterpoints"].iloc[0], result.awards["black"].iloc[0]) == (paid, paid)


@pytest.mark.parametrize("word", ["nap-club", "nap-unit"])
def test_a_tournament_is_no_game_of_clubs_or_units_that_qualifies(word: str) -> None:
    with pytest.raises(DeclarationError, match=f"'{word}' has no meaning in a game of rating sectional"):
        awarded(untied(8), rating="sectional", special=word, date="2019-01-01", tables=8)


@pytest.mark.parametrize("day", ["2017-01-01", "2018-12-31", "2019-01-01", "2026-03-04"])
def test_each_section_of_a_championship_goes_by_the_contestants_compared_in_one_practice(day: str) -> None:
    rows = [row for section in "ABC" for row in mitchell(10, section)]
    keys = {"rating": "club-championship", "date": day, "tables": "A=10, B=10, C=10"}
    result = awarded(rows, **keys)
    # Half of 6.5 x 1.25 x B(10) 20/60 = 1.354, where the 30 tables of the event would make it 2.71.
    assert candidates(result, "A-NS-1")["section A"] == "1.35"
    row = result.candidates[result.candidates["basis"] == "section"].iloc[0]
    assert "session.by-contestants" in {item.path for item in row["values"].items if item.confidence == "inferred"}


def test_a_championship_at_a_club_names_the_one_witness_against_its_r() -> None:
    result = awarded(untied(7), rating="club-championship", date="2026-03-04", tables=7)
    assert result.awards["masterpoints"].iloc[0] == 230  # 6.5 x 1.25 x 17/60
    (remark,) = [each for each in remarks(result) if "R 6.50" in each]
    assert "R 6.50 of club championships is of November 2003" in remark
    assert "3.55" in remark
    assert "0.94" in remark
    assert "p. 14 (inferred)" in result.candidates["rule"].iloc[0]


SINCE_2015 = [
    ({"rating": "club-championship", **HOWELL}, "R 6.50 of club championships"),
    ({"rating": "unit-championship", **HOWELL}, "R 8.50 of unit championships"),
    ({"rating": "national", "championship": "open-pairs", "sessions": 4, **HOWELL}, "what this championship pays"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "remark"), SINCE_2015)
def test_what_is_of_2003_is_inferred_since_2015(keys: dict[str, object], remark: str) -> None:
    rows = [f"A-{n} . . s={90 - n}/9/9/9" for n in range(1, 11)] if "sessions" in keys else falling("A", 10)
    for day in ("2015-01-01", "2018-12-31", "2019-01-01"):
        result = awarded(rows, date=day, **keys)
        assert [each for each in remarks(result) if each.startswith(remark)]
        assert "(inferred)" in result.candidates["rule"].iloc[0]
    before = awarded(rows, date="2010-12-31", **keys)
    assert not [each for each in remarks(before) if each.startswith(remark)]
    assert "(inferred)" not in before.candidates["rule"].iloc[0]


@pytest.mark.parametrize("name", ["reisinger-bam", "open-swiss", "blue-ribbon-pairs"])
def test_every_championship_of_2003_is_inferred_since_2015(name: str) -> None:
    for book, sure in (("acbl-general-formula-2003", "printed"), ("acbl-general-formula-2019", "inferred")):
        (entry,) = rulebook(book).entries[f"championship.{name}"]
        assert (entry.confidence, bool(entry.remark)) == (sure, sure == "inferred")


@pytest.mark.slow
@pytest.mark.parametrize("word", ["charity", "acbl-wide-charity", "international-fund"])
def test_a_charity_game_of_2012_says_that_the_clubs_rate_decided(word: str, tmp_path) -> None:
    keys = {"rating": "club-fund", "date": "2012-04-04", "tables": 4}
    result = awarded(mitchell(4), special=word, **keys)
    (remark,) = [each for each in remarks(result) if "championship rating" in each]
    assert "MPBOOK.041, p. 9" in remark
    assert result.awards["masterpoints"].iloc[0] == 40
    own = tmp_path / "own.toml"
    own.write_text('extends = "acbl-club-fund-2011"\n[charity.rating]\nvalue = "club-championship"\n', "utf-8")
    otherwise = awarded(mitchell(4), special=word, rulebook=str(own), **keys)
    # 6.5 x 14/60 = 1.52 and 1.14 for the two who tie for first.
    assert otherwise.awards["masterpoints"].iloc[0] == 133
    assert not [each for each in remarks(otherwise) if "championship rating" in each]
    assert not [each for each in remarks(awarded(mitchell(4), **keys)) if "championship rating" in each]


BASE = parse_rulebook(
    """
id = "base"
covers = ["club-open"]
[sources.book]
title = "Book"
[rate.one]
value = 1
cite = "book, p. 1"
[rate.two]
value = 2
cite = "book, p. 1"
[other]
value = 3
cite = "book, p. 2"
""",
    "base.toml",
    rulebook("acbl-club").rules,
)


def test_values_that_are_carried_on_are_inferred() -> None:
    text = 'extends = "base"\n[carried-on]\n"rate" = "old"\n"other" = ""\n[rate.two]\nvalue = 4\ncite = "book, p. 3"\n'
    book = parse_rulebook(text, "new.toml", BASE.rules, BASE)
    found = {path: [(each.confidence, each.remark) for each in versions] for path, versions in book.entries.items()}
    assert found == {"rate.one": [("inferred", "old")], "rate.two": [("printed", "")], "other": [("inferred", "")]}


def test_what_is_not_there_cannot_be_carried_on() -> None:
    with pytest.raises(RulebookError, match=r"new.toml: line 2: unknown value 'rates' in carried-on \(did you mean"):
        parse_rulebook('extends = "base"\n[carried-on]\n"rates" = "old"\n', "new.toml", BASE.rules, BASE)
