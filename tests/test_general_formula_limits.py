"""The upper limit of an event, and what goes by it: gold, flights, the other site of a split regional."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import awarded, rulebook_file

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import Result

ROWS = [f"A-{n} {'A' if n < 4 else 'B'} . s={90 - n}/{90 - n}" for n in range(1, 11)]


def event(**keys: object) -> Result:
    """Return a regional event of two sessions at five tables, three pairs in A and seven in B."""
    given = {"rating": "regional", "date": "2008-01-01", "sessions": 2, "tables": 5, "movement": "howell"}
    return awarded(ROWS, **{**given, "strata": "A=open, B=700", **keys})


def colours(result: Result, row: int) -> dict[str, int]:
    assert result.awards is not None
    award = result.awards.iloc[row]
    return {colour: int(award[colour]) for colour in ("black", "red", "gold") if award[colour]}


def test_what_the_limit_is_stands_in_the_result() -> None:
    assert event(strata="A=500, B=200").games["limit"].tolist() == [500]
    assert event(strata="A=500, B=200", limit="300").games["limit"].tolist() == [300]
    assert event().games["limit"].tolist() == [float("inf")]


def test_the_gold_of_a_second_stratum_below_the_limit_is_a_reading(tmp_path: Path) -> None:
    # B: 14/60 x 14 x 1.5 x M(700) .696822 = 3.41; the 4th of A has less.
    assert colours(event(), 3) == {"gold": 341}
    text = 'extends = "acbl-general-formula-2003"\n[colour.gold.limit-reading]\nvalue = "stratum"\n'
    own = rulebook_file(tmp_path, text)
    assert colours(event(rulebook=own), 3) == {"red": 341}
    assert colours(event(rulebook=own), 0) == {"gold": 525}
    # B: 4.9 x M(750) .706457.
    assert colours(event(rulebook=own, strata="A=open, B=750"), 3) == {"gold": 346}


def test_a_lower_flight_without_a_limit_is_refused() -> None:
    with pytest.raises(DeclarationError, match="flight B has no upper limit, and its awards and their colour go by it"):
        event(flight="B", lower_tables="none")
    with pytest.raises(DeclarationError, match="flight C has no upper limit"):
        event(flight="C", lower_tables="none", limit="open")
    # 5.25 x M(1500) .803251 and x M(500) .649836.
    assert colours(event(flight="B", lower_tables="none", limit="1500"), 0) == {"gold": 422}
    assert colours(event(flight="B", lower_tables="none", strata="A=500, B=200"), 0) == {"red": 341}


def test_another_site_that_does_not_count_is_remarked_on() -> None:
    limited = event(strata="A=500, B=200", other_site_tables="500=40, 200=20")
    (remark,) = limited.remarks
    assert remark.what == (
        "other_site_tables counts for nothing here: both sites count together in events that pay gold alone"
    )
    assert remark.hint == "those are pairs events of 2 sessions or more, up to 750 or more"
    assert not event(other_site_tables="open=40, 700=20").remarks
    assert not event(strata="A=500, B=200").remarks
