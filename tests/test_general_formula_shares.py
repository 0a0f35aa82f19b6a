"""Events that pay shares of several colours: what is refused, and how hundredths are shared.

The awards are worked examples.
"""

from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from games import awarded, falling, rulebook_file

from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS, Result
from resultproc.rulebooks.acbl_general_formula.colours import coloured_by, divided
from resultproc.rulebooks.load import rulebook

ROYAL = {"rating": "stac", "special": "royal-stac", "date": "2022-01-01"}
LIMITED = {"rating": "regional", "special": "non-life-master", "sessions": 2, "limit": 750, "date": "2015-01-01"}
FINAL = "north-american-pairs-district-a"
DISTRICT = {"rating": "regional", "championship": FINAL, "sessions": 2, "date": "2023-07-01"}


def event(**keys: object) -> Result:
    """Return an event of five tables with one winner, all scores different."""
    rows = falling("A", 10)
    if keys.get("sessions") == 2:
        rows = [f"A-{number} . . s={90 - number}/{90 - number}" for number in range(1, 11)]
    return awarded(rows, **{"tables": 5, "movement": "howell", **keys})


def colours(result: Result, row: int = 0) -> dict[str, int]:
    """Return the hundredths of a contestant's award by colour, those that it has."""
    return {colour: int(result.awards[colour].iloc[row]) for colour in COLOURS if result.awards[colour].iloc[row]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "what"),
    [
        # The day before.
        ({**ROYAL, "date": "2021-12-31"}, "acbl-general-formula-2019 has no 'royal-stac' games on that date"),
        ({**ROYAL, "date": "2010-05-05"}, "acbl-general-formula-2003 has no 'royal-stac' games on that date"),
        ({**LIMITED, "date": "2014-12-31"}, "acbl-general-formula-2003 has no 'non-life-master' games on that date"),
        ({**DISTRICT, "date": "2023-06-30"}, f"what '{FINAL}' pays is not known; all that is known of it is gold"),
        # The day after.
        ({**DISTRICT, "date": "2024-07-01"}, f"what '{FINAL}' pays is not known; all that is known of it is gold"),
        # Other ratings, and too high a limit.
        ({**ROYAL, "rating": "unit-championship"}, "a unit-championship game is not 'royal-stac'"),
        ({**LIMITED, "rating": "sectional"}, "a sectional game is not 'non-life-master'"),
        ({**LIMITED, "limit": 1000}, "the upper limit of a 'non-life-master' game is 750 at most, not 1000"),
        ({**LIMITED, "limit": None}, "the upper limit of a 'non-life-master' game is 750 at most, not open"),
        ({**DISTRICT, "rating": "national"}, f"rating is 'national', but {FINAL} has 'regional'"),
        (
            {**ROYAL, "rating": "club-open", "date": "2022-05-05", "boards": 24},
            "has no 'royal-stac' games of rating club-open",
        ),
    ],
)
def test_what_is_no_such_event_is_refused(keys: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        event(**{name: value for name, value in keys.items() if value is not None})


@pytest.mark.parametrize(
    ("keys", "paid"),
    [
        # Up to 750, M .525: 14 x 1.5 x 1.25 x 15/60 x .525 = 3.445 of the formula, and by the strength of the field.
        ({}, {"gold": 35, "red": 310}),
        ({"flight": "A", "lower_tables": "none"}, {"gold": 35, "red": 310}),
        ({"flight": "B", "lower_tables": "none", "flighted_tables": "9"}, {"red": 345}),
    ],
)
def test_only_the_top_flight_of_non_life_masters_has_gold(keys: dict[str, object], paid: dict[str, int]) -> None:
    assert colours(event(**{**LIMITED, "date": "2019-06-01", **keys})) == paid


def test_one_session_of_non_life_masters_has_no_gold() -> None:
    # 14 x 1.25 x 15/60 x .525 = 2.297
    assert colours(event(**{**LIMITED, "date": "2019-06-01", "sessions": 1})) == {"red": 230}


@pytest.mark.parametrize(("left_over", "parts"), [("largest part", [26, 26, 25, 25]), ("last", [25, 25, 25, 27])])
def test_the_hundredths_left_over(left_over: str, parts: list[int], tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, f'extends = "acbl-general-formula-2019"\n[colour.left-over]\nvalue = "{left_over}"\n')
    split = pd.DataFrame(dict.fromkeys(COLOURS, 0) | {"silver": [102]})
    games = pd.DataFrame({"special": ["royal-stac"], "championship": [""]})
    edition = rulebook(own).at(date(2022, 6, 1))
    paid = divided(edition, split, np.arange(len(split)), games).iloc[0]
    assert paid[["gold", "red", "silver", "black"]].tolist() == parts


def test_shares_always_add_up() -> None:
    edition = rulebook("acbl-general-formula-2019").at(date(2023, 7, 1))
    every = np.arange(2000)
    for key, of in (({"special": "royal-stac"}, "silver"), ({"special": "non-life-master"}, "gold")):
        split = pd.DataFrame({colour: every if colour == of else 0 * every for colour in COLOURS})
        games = pd.DataFrame({"special": "", "championship": "", **key}, index=range(len(every)))
        paid = divided(edition, split, np.arange(len(split)), games)
        assert (paid.sum(axis=1) == every).all()
        assert (paid >= 0).all(axis=None)
    # A tenth of 0.05 is half a hundredth, which is gold.
    assert paid["gold"].iloc[[4, 5, 14, 15]].tolist() == [0, 1, 1, 2]


BY_BRACKETS = ["sessions", "limit", "strata", "brackets-reading", "bracket-shares"]


@pytest.mark.parametrize(
    ("keys", "colour", "paths"),
    [
        ({}, "gold", ["gold.sessions", "gold.limit", "gold.strata"]),
        ({"flight": "A"}, "gold", ["gold.sessions", "gold.limit", "gold.strata-of-flight"]),
        ({"bracket": 2}, "gold", [f"gold.{each}" for each in BY_BRACKETS]),
        ({}, "platinum", ["platinum-ratings"]),
        ({"special": "restricted-tournament"}, "black", ["black-kinds"]),
        ({"special": "royal-stac"}, "silver", ["shares.royal-stac"]),
        ({"championship": "north-american-pairs-district-c"}, "red", ["gold.shares.north-american-pairs-district-c"]),
    ],
)
def test_what_decides_a_colour_is_named(keys: dict[str, object], colour: str, paths: list[str]) -> None:
    edition = rulebook("acbl-general-formula-2019").at(date(2023, 7, 1))
    assert coloured_by(edition, keys, {colour}) == ("colour.rating", *(f"colour.{each}" for each in paths))
