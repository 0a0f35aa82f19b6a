"""ACBL-wide charity games of 2026 under the General Formula: a made-up one and, where it is, a real one of its size."""

import pytest
from conftest import FIXTURES
from games import candidates, mp, paid, places
from samples import SAMPLES, real

from resultproc.formats.read import read
from resultproc.reports.differences import differences
from resultproc.stages.pipeline import process

PUBLISHED = FIXTURES / "made-charity.json"
TYPED = FIXTURES / "made-charity.csv"
REAL = SAMPLES / "acbl-live-club-charity-2026.json"

# 25 pairs at 12 1/2 tables, which count as 13; R 9, T 1.25; strata open, 0-1250 (M .575), 0-500 (M .50) by average.
# A: B 23/60, 9 x 1.25 x 23/60 = 4.3125: 4.31, then 75% a place 3.23, 2.42, 1.82, 1.36, 1.02. Six places: the seventh
#    would be .77. A section: half, 2.15625: 2.16, 70, 50, 35%, 1/5: 1.51, 1.08, .76, .43; 40% of 13 is 5.2 places.
# B: 18 pairs, 9 tables, B 19/60: 9 x 1.25 x .575 x 19/60 = 2.048: 2.05, 1.54, 1.15, .86, .65; five places of the table.
#    A section: 1.024: 1.02, .71, .51, .36; 9 pairs each way, 3.6: four places.
# C: 8 pairs, 4 tables, B 14/60: 9 x 1.25 x .5 x 14/60 = 1.3125: 1.31, .98, .74; three places.
#    A section: .65625: .66, .46; 4 pairs each way, 1.6: two places.
AWARDS = {
    "A-NS-8": "4.31 overall A",
    "A-NS-5": "2.42 overall A",
    "A-NS-4": "1.54 overall B",
    "A-NS-1": "0.76 section A",
    "A-NS-9": "0.86 overall B",
    "A-NS-13": "0.74 overall C",
    "A-NS-3": "0.46 section C",
    "A-EW-6": "3.23 overall A",
    "A-EW-12": "2.05 overall B",
    "A-EW-8": "1.15 overall B",
    "A-EW-7": "0.76 section A",
    "A-EW-5": "0.98 overall C",
}
REAL_AWARDS = {
    "A-NS-10": "2.42 overall A",
    "A-NS-13": "1.82 overall A",
    "A-NS-1": "1.36 overall A",
    "A-NS-11": "0.76 section A",
    "A-NS-2": "0.51 section B",
    "A-NS-8": "0.36 section B",
    "A-NS-6": "0.74 overall C",
    "A-NS-5": "0.46 section C",
    "A-EW-11": "4.31 overall A",
    "A-EW-8": "3.23 overall A",
    "A-EW-10": "1.08 section A",
    "A-EW-2": "0.76 section A",
    "A-EW-4": "0.43 section A",
    "A-EW-5": "1.31 overall C",
    "A-EW-12": "0.98 overall C",
}


@pytest.fixture(scope="module")
def published():
    return process(PUBLISHED)


@pytest.fixture(scope="module")
def typed():
    return process(TYPED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "awards"), [(PUBLISHED, AWARDS), pytest.param(REAL, REAL_AWARDS, marks=real)], ids=["made", "real"]
)
def test_every_award_of_a_published_game(path, awards):
    result = process(path)
    won = {name: award for name, award in paid(result).items() if award != "0.00"}
    assert won == awards
    assert len(paid(result)) == 25
    assert result.games["rulebook"].tolist() == ["acbl-general-formula-2019"]
    printed = result.contestants["printed_award"].fillna(0)
    assert printed.tolist() == result.awards["masterpoints"].tolist()
    assert differences(result).empty


def test_all_is_black(published):
    assert published.awards["black"].tolist() == published.awards["masterpoints"].tolist()


@pytest.mark.parametrize(
    ("name", "could"),
    [
        # 3rd of N-S, 5th overall in A; in B 1st of N-S and 2nd overall
        ("A-NS-4", {"overall B": "1.54", "overall A": "1.36", "section A": "1.08", "section B": "1.02"}),
        ("A-NS-9", {"overall B": "0.86", "section B": "0.71", "section A": "0.43"}),
        ("A-NS-3", {"section C": "0.46", "section B": "0.36"}),
        ("A-EW-8", {"overall B": "1.15", "section A": "1.08", "overall A": "1.02", "section B": "0.71"}),
        ("A-EW-5", {"overall C": "0.98", "section C": "0.46", "section A": "0.43", "section B": "0.36"}),
    ],
)
def test_what_was_not_paid(published, name, could):
    assert candidates(published, name) == could


def test_one_overall_field_over_both_directions(published):
    assert places(published, "A-NS-5")["overall A"] == "3 of 26"
    assert places(published, "A-EW-12") == {
        "section A": "2 of 13",
        "section B": "1 of 9",
        "section C": "1 of 4",
        "overall A": "4 of 26",
        "overall B": "1 of 18",
        "overall C": "1 of 8",
    }


def test_the_game_as_a_director_types_it(typed, published):
    assert {name: award for name, award in paid(typed).items() if award != "0.00"} == AWARDS
    by_number = published.contestants.set_index(["direction", "number"])["printed_award"].fillna(0)
    for (_, row), award in zip(typed.contestants.iterrows(), typed.awards["masterpoints"], strict=True):
        assert mp(award) == mp(by_number[row["direction"], row["number"]])


def test_holdings_give_the_strata_that_were_printed(typed, published):
    written = read(TYPED).contestants["stratum"].notna().sum()
    assert written == 2  # of two pairs with a player whose holding is not known
    printed = published.contestants.set_index(["direction", "number"])["stratum"]
    for _, row in typed.contestants.iterrows():
        assert row["stratum"] == printed[row["direction"], row["number"]]
