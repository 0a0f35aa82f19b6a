"""The first day of every rulebook and of every dated value, and the day before: what is chosen, and what is paid."""

from datetime import date, timedelta

import pytest
from games import awarded, falling, mitchell, sheet

from resultproc.model.errors import InputError
from resultproc.rulebooks.choice import choose
from resultproc.rulebooks.load import rulebook, rulebooks

NONE = "refused"

# The day on which something changes; a game's rating and type; the rulebook of the day before, and that of the day.
CHOSEN = [
    ("2004-03-01", "grade-e", "pairs", NONE, "abf-session"),
    ("2009-01-01", "scale-a", "pairs", NONE, "ebu-club"),
    ("2009-01-01", "green-points", "swiss", NONE, "ebu-green"),
    ("2016-08-01", "red-swiss", "swiss", NONE, "sbu-red"),
    ("2017-08-01", "local-session", "pairs", NONE, "sbu-club"),
    ("2018-01-01", "pkl", "pairs", NONE, "pzbs"),
    ("2017-01-01", "clubtornooi", "pairs", NONE, "vbl-2020"),
    ("2003-11-01", "sectional", "pairs", NONE, "acbl-general-formula-2003"),
    ("2003-11-01", "sectional", "swiss", NONE, "acbl-general-formula-2003"),
    ("2003-11-01", "sectional", "knockout", NONE, "acbl-knockout-2003"),
    ("2003-11-01", "club-open", "pairs", "acbl-club", "acbl-club"),
    ("2003-11-01", "club-open", "knockout", NONE, "acbl-knockout-2003"),
    ("2003-11-01", "club-open", "swiss", NONE, "acbl-club-swiss-2003"),
    ("2011-01-01", "club-championship", "pairs", "acbl-general-formula-2003", "acbl-club-fund-2011"),
    ("2011-01-01", "club-fund", "pairs", "acbl-general-formula-2003", "acbl-club-fund-2011"),
    ("2011-01-01", "club-fund", "swiss", "acbl-general-formula-2003", "acbl-general-formula-2003"),
    ("2011-01-01", "club-appreciation", "pairs", "acbl-general-formula-2003", "acbl-general-formula-2003"),
    ("2015-01-01", "club-championship", "pairs", "acbl-club-fund-2011", "acbl-general-formula-2015"),
    ("2015-01-01", "club-fund", "pairs", "acbl-club-fund-2011", "acbl-general-formula-2015"),
    ("2015-01-01", "club-appreciation", "pairs", "acbl-general-formula-2003", "acbl-general-formula-2015"),
    ("2015-01-01", "national", "pairs", "acbl-general-formula-2003", "acbl-general-formula-2015"),
    ("2015-01-01", "national", "knockout", "acbl-knockout-2003", "acbl-knockout-2015"),
    ("2015-01-01", "club-open", "pairs", "acbl-club", "acbl-club"),
    ("2015-01-01", "club-open", "swiss", "acbl-club-swiss-2003", "acbl-club-swiss-2015"),
    ("2017-01-01", "club-open", "pairs", "acbl-club", "acbl-2017"),
    ("2017-01-01", "club-newcomer", "pairs", "acbl-club", "acbl-2017"),
    ("2017-01-01", "club-fund", "pairs", "acbl-general-formula-2015", "acbl-2017-special"),
    ("2017-01-01", "unit-championship", "pairs", "acbl-general-formula-2015", "acbl-2017-special"),
    ("2017-01-01", "sectional", "pairs", "acbl-general-formula-2015", "acbl-general-formula-2015"),
    ("2017-01-01", "unit-championship", "knockout", "acbl-knockout-2015", "acbl-knockout-2015"),
    ("2018-01-01", "club-open", "pairs", "acbl-2017", "acbl-2017"),
    ("2018-01-01", "club-championship", "pairs", "acbl-2017-special", "acbl-2017-special"),
    ("2018-01-01", "sectional", "pairs", "acbl-general-formula-2015", "acbl-general-formula-2015"),
    ("2019-01-01", "club-open", "pairs", "acbl-2017", "acbl-club"),
    ("2019-01-01", "club-newcomer", "pairs", "acbl-2017", "acbl-club"),
    ("2019-01-01", "club-fund", "pairs", "acbl-2017-special", "acbl-general-formula-2019"),
    ("2019-01-01", "unit-championship", "pairs", "acbl-2017-special", "acbl-general-formula-2019"),
    ("2019-01-01", "sectional", "pairs", "acbl-general-formula-2015", "acbl-general-formula-2019"),
    ("2019-01-01", "sectional", "knockout", "acbl-knockout-2015", "acbl-knockout-2015"),
    ("2020-01-01", "club-online", "pairs", NONE, "acbl-online-club"),
    ("2021-01-01", "sectional", "pairs", "acbl-general-formula-2019", "acbl-strength-of-field-2021"),
    ("2021-01-01", "national", "swiss", "acbl-general-formula-2019", "acbl-strength-of-field-2021"),
    ("2021-01-01", "stac", "pairs", "acbl-general-formula-2019", "acbl-general-formula-2019"),
    ("2021-01-01", "club-fund", "pairs", "acbl-general-formula-2019", "acbl-general-formula-2019"),
    ("2021-01-01", "regional", "knockout", "acbl-knockout-2015", "acbl-knockout-2015"),
    ("2023-01-01", "club-open", "pairs", "acbl-club", "acbl-club-2023"),
    ("2023-01-01", "club-restricted", "individual", "acbl-club", "acbl-club-2023"),
    ("2023-01-01", "club-open", "swiss", "acbl-club-swiss-2015", "acbl-club-swiss-2015"),
    ("2023-01-01", "club-online", "pairs", "acbl-online-club", "acbl-online-club"),
]


def around(day: str) -> tuple[str, str]:
    """Return the day before a day, and the day."""
    return str(date.fromisoformat(day) - timedelta(days=1)), day


@pytest.mark.parametrize(("day", "rating", "event_type", "before", "after"), CHOSEN)
def test_the_rulebook_of_the_day_before_and_of_the_day(
    day: str, rating: str, event_type: str, before: str, after: str
) -> None:
    found = []
    for each in around(day):
        game = sheet(falling("A", 4), rating=rating, event_type=event_type, date=each, boards=24, sessions=1)
        try:
            found.append(choose(game.games)["rulebook"].item())
        except InputError as error:
            found.append(NONE if "no rulebook covers" in str(error) else str(error))
    assert found == [before, after]


def test_the_first_and_the_last_day_of_every_rulebook_are_tried() -> None:
    tried = {(day, book) for day, *_, before, after in CHOSEN for book in {before, after} if before != after}
    for book in rulebooks():
        ends = [book.since, *([book.until + timedelta(days=1)] if book.until.year < date.max.year else [])]
        assert {(str(day), book.id) for day in ends if day > date.min} <= tried


HOWELL = {"tables": 5, "movement": "howell"}
UNIT = {"rating": "unit-championship", "special": "nap-unit", **HOWELL}
CLUB = {"rating": "club-championship", "special": "nap-club", **HOWELL}
STRATIFIED = {"rating": "club-championship", "tables": 8, "strata": "A=open, C=200"}
FINAL = {"rating": "regional", "sessions": 2, "championship": "north-american-pairs-district-a", **HOWELL}

# Three of eight in stratum C, all of them N-S.
STRATA = [
    f"A-{side}-{n} {'C' if side == 'NS' and n > 5 else 'A'} {70 - n}%" for side in ("NS", "EW") for n in range(1, 9)
]

# The rulebook that has dated values; the day; the game; whose award; what it is on the day before and on the day.
PAID = [
    # 10 x .02
    ("acbl-club", "2011-01-01", {"rating": "club-newcomer", "limit": 5, "special": "pupil", **HOWELL}, NONE, "0.20"),
    # Three of a lower stratum: 3 x .07; nothing changes in 2018 but how sure it is.
    ("acbl-club", "2011-01-01", {"rating": "club-open", "tables": 8, "strata": "A=open, C=200"}, "0.00", "0.21"),
    ("acbl-club", "2018-01-01", {"rating": "club-open", "tables": 8, "strata": "A=open, C=200"}, "0.21", "0.21"),
    # Games that qualify for the North American Pairs: 15/60 of 8.5, of 10; what is carried on in 2014 pays the same.
    ("acbl-general-formula-2003", "2011-01-01", UNIT, "2.13", "2.50"),
    ("acbl-club-fund-2011", "2014-01-01", CLUB, "2.50", "2.50"),
    # Ten in a Howell count as ten tables in the section: half of 9 x 1.25 x 20/60 is 1.875; overall 9 x 1.25 x 15/60.
    ("acbl-general-formula-2015", "2018-01-01", CLUB, "2.81", "2.81"),
    # 10 x 15/60 = 2.50, 11 x 15/60 x T 1.25 = 3.4375; until 500 M .6498 and then .50: 2.23, 1.72
    ("acbl-general-formula-2015", "2015-01-01", {"rating": "sectional", **HOWELL}, "2.50", "3.44"),
    ("acbl-general-formula-2015", "2017-01-01", {"rating": "sectional", "limit": 500, **HOWELL}, "2.23", "1.72"),
    ("acbl-general-formula-2019", "2022-01-01", {"rating": "stac", "special": "royal-stac", **HOWELL}, NONE, "3.44"),
    # 9 x 1.25 x 15/60 = 2.8125
    ("acbl-general-formula-2019", "2022-01-01", {"rating": "stac", **HOWELL}, "2.81", "2.81"),
    # Three of a lower stratum in a section, half of 8.125 x .425 x 13/60; overall too few either way.
    ("acbl-general-formula-2019", "2026-01-01", STRATIFIED, "0.37", "0.37"),
    ("acbl-general-formula-2019", "2023-07-01", FINAL, NONE, "32.00"),
    ("acbl-general-formula-2019", "2024-07-01", FINAL, "32.00", NONE),
    # Eight in a group, .80 of a normal game: half as much again, three times as much, 24/18.
    ("acbl-online-club", "2020-04-01", {"special": "support-your-club"}, NONE, "1.20"),
    ("acbl-online-club", "2020-04-01", {"special": "support-your-club", "limit": 99}, NONE, "0.96"),
    ("acbl-online-club", "2020-06-01", {"special": "support-your-club"}, "1.20", NONE),
    ("acbl-online-club", "2020-05-25", {"special": "silver-linings"}, NONE, "2.40"),
    ("acbl-online-club", "2020-06-01", {"special": "silver-linings"}, "2.40", "1.20"),
    # All of them half as much again from 15 April to the end of September; the second Silver Linings week twice.
    ("acbl-online-club", "2020-04-15", {}, "0.80", "1.20"),
    ("acbl-online-club", "2020-06-01", {}, "1.20", "1.20"),
    ("acbl-online-club", "2020-07-27", {"special": "silver-linings"}, "1.20", "1.60"),
    ("acbl-online-club", "2020-07-27", {"special": "silver-linings", "limit": 99}, "0.84", "1.28"),
    ("acbl-online-club", "2020-08-03", {"special": "silver-linings"}, "1.60", "1.20"),
    ("acbl-online-club", "2020-08-17", {"concurrent_tables": "499=9"}, NONE, "2.55"),
    ("acbl-online-club", "2020-09-14", {}, "1.20", "1.20"),
    ("acbl-online-club", "2020-10-01", {}, "1.20", "0.80"),
    ("acbl-online-club", "2023-01-01", {"boards": 24}, "0.80", "1.07"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "day", "keys", "before", "after"), PAID)
def test_the_award_of_the_day_before_and_of_the_day(
    book: str, day: str, keys: dict[str, object], before: str, after: str
) -> None:
    rows, whose = mitchell(8), 0
    if "strata" in keys:
        rows, whose = STRATA, 5
    elif keys.get("sessions") == 2:
        rows = [f"A-{n} . . s={80 - n}/{80 - n}" for n in range(1, 11)]
    elif "movement" in keys:
        rows = falling("A", 10)
    game = keys if "rating" in keys else {"rating": "club-online", "tables": 8, **keys}
    found = []
    for each in around(day):
        try:
            found.append(f"{awarded(rows, date=each, **game).awards['masterpoints'].iloc[whose] / 100:.2f}")
        except InputError:
            found.append(NONE)
    assert found == [before, after]


def test_the_first_day_of_every_dated_value_is_tried() -> None:
    tried = {(book, day) for book, day, *_ in PAID}
    for book in rulebooks():
        taken_over = set(rulebook(book.extends).starts) if book.extends else set()
        own = {(book.id, str(day)) for day in book.starts if day > date.min and day not in taken_over}
        assert own <= tried
