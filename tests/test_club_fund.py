"""Club championships and fund games of 2011 to 2014, worked by hand, with what the reports of the time print."""

from dataclasses import replace
from pathlib import Path

import pytest
from games import awarded, candidates, falling, ladder, mitchell, paid, ranked, rulebook_file, sheet

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import Result


def fund(rows: list[str], **keys: object) -> Result:
    return awarded(rows, **{"rating": "club-fund", "date": "2011-07-04", **keys})


@pytest.mark.parametrize(
    ("date", "rating", "book"),
    [
        ("2010-12-31", "club-fund", "acbl-general-formula-2003"),
        ("2011-01-01", "club-fund", "acbl-club-fund-2011"),
        ("2014-12-31", "club-championship", "acbl-club-fund-2011"),
        ("2015-01-01", "club-championship", "acbl-general-formula-2015"),
        ("2012-06-01", "unit-championship", "acbl-general-formula-2003"),
    ],
)
def test_the_rulebook_of_the_day(date: str, rating: str, book: str) -> None:
    game = ranked(sheet(falling("A", 8), date=date, rating=rating, tables=4))
    assert game.games["rulebook"].tolist() == [book]


@pytest.mark.parametrize("rating", ["club-fund", "club-championship"])
def test_a_small_game_pays_like_a_regular_one_and_overall(rating: str) -> None:
    # 8 tables: .80 a direction, 70% and 50%; overall .80 as well, by 75%, of five places over both directions.
    result = fund(falling("A-NS", 8) + falling("A-EW", 8, top=60), tables=8, rating=rating)
    assert ladder(result, "A-NS") == ["0.80", "0.60", "0.45", "0.34", "0.25"]
    assert ladder(result, "A-EW") == ["0.80", "0.56", "0.40"]


def test_a_howell_with_nine_tables_beside_it() -> None:
    # As printed on 4 July 2011: 13 pairs, and 9 tables of a 299er game. Overall 7 + 9 tables at .10, then by 75%: 1.60,
    # 1.20, .90, .68. In the section 13 + 18 at .10, 1.50 at most; fifth is the less of 1.50 x 4/10 and 3.10 / 5.
    result = fund(falling("D", 13), tables=6.5, concurrent_tables="300=9")
    assert ladder(result, "D-") == ["1.60", "1.20", "0.90", "0.68", "0.60"]
    assert candidates(result, "D-4") == {"overall A": "0.68", "section A": "0.67"}


def test_the_less_of_the_slower_scale_and_the_uncapped_one() -> None:
    # As printed on 12 September 2011: 15 and 5 tables up to 300: 1.60, 1.20 at most. Second 1.20 x .75 (1.12 uncapped),
    # third 1.20 x .5625, fourth 1.20 x 4/9 = .53 (.56 uncapped), fifth 1.60 / 5 (.48), sixth 1.60 / 6 (.44).
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5")
    awards = [candidates(result, f"A-NS-{place}").get("section A") for place in range(1, 8)]
    assert awards == ["1.20", "0.90", "0.68", "0.53", "0.32", "0.27", None]


def test_a_club_s_bonus_holds_on_either_scale(tmp_path) -> None:
    book = tmp_path / "own.toml"
    book.write_text('extends = "acbl-club-fund-2011"\n[bonus.factor]\nvalue = 1.10\n')
    # 1.20 and 1.60 both times 1.10: 1.32, .99, .7425; fifth 1.76 / 5.
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5", rulebook=str(book))
    assert [candidates(result, f"A-NS-{place}")["section A"] for place in (1, 2, 3, 5)] == [
        "1.32",
        "0.99",
        "0.74",
        "0.35",
    ]


def test_the_slower_scale_is_a_table(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-club-fund-2011"\n[large.steps-until]\nvalue = 4\n')
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5", rulebook=own)
    # Fourth 1.20 x .75 x .75 x .75 = .50625, where the curve from fourth on gives 1.20 x 4/9.
    assert candidates(result, "A-NS-4")["section A"] == "0.51"


def test_what_half_a_table_counts_as_overall(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-club-fund-2011"\n[overall.half-table]\nvalue = 0\n')
    # 13 pairs are 6 tables, with 9 beside them 1.50; as seven they are 1.60.
    keys = {"tables": 6.5, "concurrent_tables": "300=9"}
    assert candidates(fund(falling("D", 13), rulebook=own, **keys), "D-1")["overall A"] == "1.50"
    assert candidates(fund(falling("D", 13), **keys), "D-1")["overall A"] == "1.60"


def test_introductory_games_are_regular_ones() -> None:
    with pytest.raises(DeclarationError, match="has no awards for a club-fund game that is introductory"):
        fund(mitchell(5), tables=5, special="introductory")


def test_strata_are_credited_with_games_within_their_limit() -> None:
    # B up to 100 of 5 in each direction, C up to 20 of 3: .06 x (5 + 3) and .05 x 3; overall .06 x (5 + 3), .05 x 3.
    letters = "AAABBCCC"
    rows = [f"A-{s}-{n} {letters[n - 1]} {62 - n - (s == 'EW') / 10:.1f}%" for s in ("NS", "EW") for n in range(1, 9)]
    result = fund(rows, tables=8, limit=300, strata="A=300, B=100, C=20", concurrent_tables="50=3")
    assert candidates(result, "A-NS-1") == {"overall A": "0.88", "section A": "0.88"}
    assert candidates(result, "A-NS-4") == {"overall B": "0.48", "section B": "0.48"}
    assert candidates(result, "A-NS-6") == {"overall C": "0.15", "section C": "0.15"}


def test_the_limit_of_the_event_holds_for_a_stratum_that_is_called_open() -> None:
    # Up to 300, so that a game up to 500 beside it is none within its limit: 15 x .08.
    rows = falling("A-NS", 15) + falling("A-EW", 15, top=60)
    result = fund(rows, tables=15, limit=300, strata="A=open", concurrent_tables="500=5")
    assert candidates(result, "A-NS-1")["overall A"] == "1.20"


@pytest.mark.parametrize(
    ("tables", "limit", "first", "overall"),
    [
        (26, "open", "1.50", "2.50"),
        (26, 300, "1.20", "2.00"),  # .08 x 26 = 2.08
        (18, 100, "1.08", "1.08"),
        (35, 20, "1.00", "1.67"),  # .05 x 35 = 1.75
    ],
)
def test_caps(tables: int, limit: object, first: str, overall: str) -> None:
    result = fund(falling("A-NS", tables) + falling("A-EW", tables, top=60), tables=tables, limit=limit)
    assert candidates(result, "A-NS-1") == {"overall A": overall, "section A": first}


@pytest.mark.parametrize(("pairs", "places"), [(6, 2), (8, 3), (10, 4), (12, 4), (14, 5), (18, 5), (20, 6), (30, 6)])
def test_places_paid_overall(pairs: int, places: int) -> None:
    result = fund(falling("A", pairs), tables=pairs / 2)
    assert result.candidates.query("basis == 'overall'")["position"].max() == places


def test_sections_ranked_together_are_one_section() -> None:
    # As printed on 3 October 2011: sections of 9 and 7 1/2 tables in one listing, 17 x .08, 1.20 at most, and no
    # overall awards.
    rows = mitchell(9, "E") + falling("F-NS", 7, top=60) + falling("F-EW", 8, top=60)
    keys = {"rating": "club-restricted", "limit": 300, "tables": "E=9, F=7.5", "date": "2011-10-03"}
    game = sheet(rows, **keys)
    result = ranked(replace(game, games=game.games.assign(stored_ranked_with="E=E, F=E")))
    assert set(result.standings["basis"]) == {"section"}
    assert set(result.standings["size"]) == {17}
    assert "overall" in set(ranked(game).standings["basis"])
    assert paid(awarded(rows, **keys))["E-NS-1"] == "1.36 overall A"
