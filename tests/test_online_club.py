"""Online club games: what is refused, and what a rulebook of one's own changes; the awards are worked examples."""

from pathlib import Path

import pytest
from games import awarded, candidates, falling, ladder, mitchell, rulebook_file

from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import Result
from resultproc.rulebooks.load import rulebook


def online(rows: list[str], tables: float | str, **keys: object) -> Result:
    return awarded(rows, rating="club-online", tables=tables, **{"date": "2021-03-01", **keys})


def first(result: Result, name: str = "A-NS-1", basis: str = "section A") -> str:
    return candidates(result, name)[basis]


def test_overall_places_by_steps_is_a_reading_of_its_own(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[overall.scale]\nvalue = "steps"\n')
    result = online(mitchell(10, "A") + mitchell(10, "B", top=60), "A=10, B=10", rulebook=own)
    # 2.00, then 75% a step: 1.50, 1.125, 0.84375, 0.6328, 0.4746.
    assert ladder(result, "A-NS") == ["2.00", "1.50", "1.13", "0.84", "0.63", "0.47"]


def strata() -> list[str]:
    """Return ten tables whose first three of each direction are in A, the next three in B and the others in C."""
    letters = {place: "A" if place <= 3 else "B" if place <= 6 else "C" for place in range(1, 11)}
    return [row.replace(" . ", f" {letters[int(row.split()[0].split('-')[2])]} ") for row in mitchell(10)]


def test_lower_strata_are_credited_only_where_a_rulebook_says_so(tmp_path: Path) -> None:
    keys = {"strata": "A=open, B=300, C=50", "concurrent_tables": "300=6, 100=4"}
    result = online(strata(), 10, **keys)
    assert (first(result, "A-NS-1"), first(result, "A-NS-4", "section B")) == ("2.00", "0.56")
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.strata]\nvalue = "all"\n')
    result = online(strata(), 10, **keys, rulebook=own)
    # A: 10 + 6 + 4. B: 7 + 6 + 4, x 0.8 = 1.36. C: 4, as neither game is limited to 50, x 0.6.
    assert first(result, "A-NS-1") == "2.00"
    assert first(result, "A-NS-4", "section B") == "1.36"
    assert first(result, "A-NS-7", "section C") == "0.24"


def test_before_it_there_was_none() -> None:
    with pytest.raises(DeclarationError, match="no such online game on that day: 'silver-linings'"):
        online(mitchell(10), 10, special="silver-linings", date="2020-05-24")


@pytest.mark.parametrize("day", ["2020-03-31", "2020-06-01"])
def test_support_your_club_games_were_those_of_two_months(day: str) -> None:
    with pytest.raises(DeclarationError, match="no such online game on that day: 'support-your-club'"):
        online(mitchell(10), 10, special="support-your-club", date=day)


def test_the_day_must_be_known() -> None:
    with pytest.raises(DeclarationError, match="date and boards are not declared"):
        online(mitchell(10), 10, date=None)
    with pytest.raises(DeclarationError, match="no rulebook covers a club-online game on 2019-12-31"):
        online(mitchell(10), 10, date="2019-12-31")


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ("silver-lining", "did you mean 'silver-linings'"),
        ("introductory", "no such online game on that day"),
        ("charity, silver-linings", "cannot be both charity and silver-linings"),
    ],
)
def test_special_games_that_are_not_known(special: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        online(mitchell(10), 10, special=special)


@pytest.mark.parametrize("event_type", ["individual", "bam", "swiss"])
def test_only_pairs_are_awarded(event_type: str) -> None:
    with pytest.raises(DeclarationError, match=f"no awards for a {event_type} event"):
        online(falling("A", 4), 4, event_type=event_type)


@pytest.mark.slow
def test_the_factors_are_told() -> None:
    def told(rows: list[str], tables: float, **keys: object) -> str:
        return str(online(rows, tables, **keys).candidates["factors"].iloc[0])

    assert "0.10 x 30 = 3.00, capped at 2.50" in told(falling("A", 30), 15)
    silver = told(mitchell(30), 30, limit=399, special="silver-linings")
    assert "0.10 x 30 = 3.00, capped at 2.50, x 0.8 for the limit 399, x 1.50" in silver
    beside = told(mitchell(10), 10, concurrent_tables="300=6, 100=4.5")
    assert "0.10 x (10 + 11 of concurrent games) = 2.10" in beside


def test_it_shares_what_it_has_in_common_with_club_games() -> None:
    own, club = rulebook("acbl-online-club"), rulebook("acbl-club")
    assert own.extends == "acbl-club"
    shared = {path for path, versions in own.entries.items() if versions is club.entries.get(path)}
    assert shared == {
        *("section.percentages", "section.depth", "overall.field", "overall.step", "overall.places"),
        *(
            "stratum.least-in-game",
            "stratum.overall",
            "stratum.most",
            "ties.beyond-depth",
            "bonus.factor",
            "handicap.added",
            "concurrent.half-table",
            "concurrent.newcomers",
            "fund.months",
        ),
        *("series.games", "series.points", "series.rate", "series.tied-winners", "series.step", "series.places"),
    }


def test_it_has_no_rate_or_cap_of_other_club_games() -> None:
    own, club = rulebook("acbl-online-club").entries, rulebook("acbl-club").entries
    assert own.keys() & {path for path in club if ".cap." in path or ".rate." in path or "limited." in path} == set()
    assert {"section.cap.club-online", "overall.cap.club-online", "series.cap.club-online", "limited.factor"} <= set(
        own
    )


def test_half_tables_of_concurrent_games(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.half-table]\nvalue = 0\n')
    # 10 and 4 1/2 tables: 14 with half a table lost, and 15.
    assert first(online(mitchell(10), 10, concurrent_tables="100=4.5", rulebook=own)) == "1.40"
    assert first(online(mitchell(10), 10, concurrent_tables="100=4.5")) == "1.50"


def test_every_group_is_credited_within_the_limit(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[concurrent.strata]\nvalue = "within the limit"\n')
    result = online(mitchell(7, "A") + mitchell(7, "B", top=60), "A=7, B=7", concurrent_tables="300=5", rulebook=own)
    assert candidates(result, "A-NS-1") == {"overall A": "1.90", "section A": "1.20"}
    assert first(online(mitchell(7), 7, limit=300, concurrent_tables="300=5", rulebook=own)) == "0.96"  # 12 x .1 x .8


def test_a_club_can_change_a_value(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-online-club"\n[bonus.factor]\nvalue = 1.1\n')
    assert first(online(mitchell(10), 10, special="charity", rulebook=own)) == "2.20"
