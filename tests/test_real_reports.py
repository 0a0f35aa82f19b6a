"""Eight reports of 2011-13, as a club published them: every rank and award that they print, computed anew.

What they do not print of their games stands in tests/declarations.
"""

from __future__ import annotations

import pytest
from samples import declared_reports, real

from resultproc.model.frames import Result
from resultproc.reports.check.differences import agreement, differences
from resultproc.stages.pipeline import process

pytestmark = real

FUND = {
    **{"recap01-1": 12, "recap01-2": 34, "recap02-1": 24, "recap02-2": 16, "recap05-1": 20, "recap05-2": 34},
    **{"recap06": 28, "recap07-1": 20, "recap07-2": 30, "recap08-2": 13},
}
REGULAR = {"recap04-1": 33, "recap04-2": 18, "recap08-1": 18}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return the reports awarded, each with what is declared of it beside it."""
    return process(*declared_reports(tmp_path_factory.mktemp("reports")))


def test_all_awards_agree_game_by_game(result: Result) -> None:
    agreed = agreement(result).set_index("game_id")
    agreed = agreed[agreed["contestants"] > 0]  # recap03 prints ranks alone
    assert dict(agreed["contestants"]) == FUND | REGULAR
    assert dict(agreed["agree"]) == FUND | REGULAR


def test_ranks_and_what_pays_agree(result: Result) -> None:
    assert differences(result).empty


def test_the_rulebook_is_the_one_of_the_year_and_the_class(result: Result) -> None:
    books = result.games.set_index("game_id")["rulebook"]
    assert set(books[list(FUND)]) == {"acbl-club-fund-2011"}
    assert set(books[list(REGULAR)]) == {"acbl-club"}
