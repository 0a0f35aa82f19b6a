"""Club championships and fund games of 2011 to 2014: a club's own bonus, and sections ranked together."""

from dataclasses import replace
from pathlib import Path

import pytest
from games import awarded, candidates, falling, mitchell, paid, ranked, rulebook_file, sheet

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import Result


def fund(rows: list[str], **keys: object) -> Result:
    return awarded(rows, **{"rating": "club-fund", "date": "2011-07-04", **keys})


def test_a_club_s_bonus_holds_on_either_scale(tmp_path) -> None:
    book = tmp_path / "own.toml"
    book.write_text('extends = "acbl-club-fund-2011"\n[bonus.factor]\nvalue = 1.10\n')
    # 1.20 and 1.60 both times 1.10: 1.32, .99, .7425; fifth 1.76 / 5.
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5", rulebook=str(book))
    expected = ["1.32", "0.99", "0.74", "0.35"]
    assert [candidates(result, f"A-NS-{place}")["section A"] for place in (1, 2, 3, 5)] == expected


def test_the_slower_scale_is_a_table(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-club-fund-2011"\n[large.steps-until]\nvalue = 4\n')
    result = fund(mitchell(15), tables=15, limit=300, concurrent_tables="50=5", rulebook=own)
    # Fourth 1.20 x .75 x .75 x .75 = .50625, where the curve from fourth on gives 1.20 x 4/9.
    assert candidates(result, "A-NS-4")["section A"] == "0.51"


def test_what_half_a_table_counts_as_overall(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-club-fund-2011"\n[overall.half-table]\nvalue = 0\n')
    # Up to 300, 13 pairs are 6 tables, with 4 beside them .80; as seven they are .88.
    keys = {"tables": 6.5, "limit": 300, "concurrent_tables": "50=4"}
    assert candidates(fund(falling("D", 13), rulebook=own, **keys), "D-1")["overall A"] == "0.80"
    assert candidates(fund(falling("D", 13), **keys), "D-1")["overall A"] == "0.88"


def test_introductory_games_are_regular_ones() -> None:
    with pytest.raises(DeclarationError, match="has no awards for a club-fund game that is introductory"):
        fund(mitchell(5), tables=5, special="introductory")


def test_the_limit_of_the_event_holds_for_a_stratum_that_is_called_open() -> None:
    # Up to 300, so that a game up to 500 beside it is none within its limit: 15 x .08.
    rows = falling("A-NS", 15) + falling("A-EW", 15, top=60)
    result = fund(rows, tables=15, limit=300, strata="A=open", concurrent_tables="500=5")
    assert candidates(result, "A-NS-1")["overall A"] == "1.20"


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
