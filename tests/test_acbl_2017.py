"""Club games of 2017: what is refused, and sections ranked together; the awards are worked examples."""

from dataclasses import replace
from pathlib import Path

import pytest
from games import awarded, candidates, falling, ladder, mitchell, places, rulebook_file, sheet

from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.keys import declared_value
from resultproc.stages.pipeline import award_sheet

DAY = "2017-08-12"


def club(rows: list[str] | str, **keys: object) -> Result:
    return awarded(rows, **{"date": DAY, **keys})


def test_no_credit_where_a_rulebook_says_so(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, 'extends = "acbl-2017"\n[concurrent.strata]\nvalue = "none"\n')
    rows = [f"A-{side}-{n} {'B' if n > 2 else 'A'} {60 - n}%" for side in ("NS", "EW") for n in range(1, 6)]
    keys = {"tables": 5, "strata": "A=open, B=2000", "concurrent_tables": "300=6"}
    assert ladder(club(rows, **keys, rulebook=own), "A-NS") == ["0.50", "0.35", "0.24"]


@pytest.mark.slow
def test_a_pupil_game_is_one_whatever_else_it_is() -> None:
    keys = {"rating": "club-newcomer", "limit": 5, "special": "introductory, pupil", "tables": 5}
    assert ladder(club(falling("A", 10), **keys), "A-1")[0] == "0.20"
    assert ladder(club(falling("A", 10), **{**keys, "special": "introductory"}), "A-1")[0] == "0.30"


FINAL = {"rating": "unit-championship", "special": "nap-unit", "sessions": 2, "date": "2017-10-15"}


def test_a_finished_final_needs_every_session() -> None:
    rows = [f"A-{n} . . s={60 - n}" for n in range(1, 10)]
    with pytest.raises(InputError, match="lacks a score for a session"):
        awarded(rows, tables=4.5, limit=500, **FINAL)


def test_an_unfinished_final_needs_those_that_others_have() -> None:
    rows = [f"A-{n} . . s={60 - n}/50" for n in range(1, 9)] + ["A-9 . . s=40"]
    with pytest.raises(InputError, match="A 9 lacks a score for a session"):
        awarded(rows, tables=4.5, **{**FINAL, "sessions": 3, "special": "nap-unit, unfinished"})


@pytest.mark.slow
def test_sections_ranked_together() -> None:
    rows = mitchell(5, "A") + mitchell(5, "B", top=65) + mitchell(5, "C", top=60)
    alone = sheet(rows, rating="club-championship", special="nap-club", date=DAY, tables="A=5, B=5, C=5")
    together = replace(alone, games=alone.games.assign(stored_ranked_with="A=A, B=A, C=C"))
    result = award_sheet(together)
    assert places(result, "B-NS-1")["section A"] == "6 of 10"
    assert places(result, "C-NS-1")["section A"] == "1 of 5"
    # Four of ten are paid: 0.5 x 9 x 1.25 x 20/60 = 1.875.
    assert candidates(result, "A-NS-1")["section A"] == "1.88"
    assert "section A" not in candidates(result, "B-NS-1")
    assert places(award_sheet(alone), "B-NS-1")["section A"] == "1 of 5"


@pytest.mark.parametrize(("text", "spelled"), [("4", "4"), (" 2.5 ", "2.5"), ("none", "none"), ("300=6", "300=6")])
def test_tables_whose_limits_are_not_said(text: str, spelled: str) -> None:
    assert declared_value("concurrent_tables", text) == spelled
