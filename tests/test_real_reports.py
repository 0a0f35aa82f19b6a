"""Sixteen reports of 2011-13, as a club published them: every rank and award that they print, computed anew.

What they do not print of their games stands in tests/declarations.
"""

from dataclasses import replace

import pytest
from samples import declared_reports, real

from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.reports.differences import agreement, differences
from resultproc.stages.pipeline import award_sheet, process

pytestmark = real

FUND = {
    **{"recap01-1": 12, "recap01-2": 34, "recap02-1": 24, "recap02-2": 16, "recap05-1": 20, "recap05-2": 34},
    **{"recap06": 28, "recap07-1": 20, "recap07-2": 30, "recap08-2": 13},
    **{"recap09-1": 32, "recap09-2": 12, "recap14-1": 27, "recap14-2": 16, "recap16-1": 34, "recap16-2": 7},
}
CHAMPIONSHIP = {
    **{"recap10-1": 24, "recap10-2": 27},  # qualifying
    **{"recap12-1": 15, "recap12-2": 36},
    **{"recap13-1": 16, "recap13-2": 33, "recap15-1": 32, "recap15-2": 23},  # sectional rated
}
REGULAR = {"recap04-1": 33, "recap04-2": 18, "recap08-1": 18, "recap11": 6}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return the reports awarded, each with what is declared of it beside it."""
    return process(*declared_reports(tmp_path_factory.mktemp("reports")))


@pytest.mark.slow
def test_all_awards_agree_game_by_game(result: Result) -> None:
    agreed = agreement(result).set_index("game_id")
    agreed = agreed[agreed["contestants"] > 0]  # recap03 prints ranks alone
    assert dict(agreed["contestants"]) == FUND | CHAMPIONSHIP | REGULAR
    assert dict(agreed["agree"]) == FUND | CHAMPIONSHIP | REGULAR


def test_ranks_and_what_pays_agree(result: Result) -> None:
    assert differences(result).empty


def test_the_rulebook_is_the_one_of_the_year_and_the_class(result: Result) -> None:
    books = result.games.set_index("game_id")["rulebook"]
    assert set(books[[*FUND, *CHAMPIONSHIP]]) == {"acbl-club-fund-2011"}
    assert set(books[list(REGULAR)]) == {"acbl-club"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("report", "key", "value", "fewer"),
    [
        # Each class of the declarations is needed: as another the report would have paid something else.
        ("recap10", "special", None, {"recap10-1", "recap10-2"}),
        ("recap12", "special", "sectional-rated", {"recap12-1", "recap12-2"}),
        ("recap12", "rating", "club-fund", {"recap12-1", "recap12-2"}),
        ("recap13", "special", None, {"recap13-1", "recap13-2"}),
        ("recap15", "special", "nap-club", {"recap15-1", "recap15-2"}),
        ("recap15", "concurrent_tables", "none", {"recap15-2"}),
        ("recap14", "concurrent_tables", "none", {"recap14-1", "recap14-2"}),
        ("recap09", "concurrent_tables", "none", {"recap09-1", "recap09-2"}),
    ],
)
def test_what_is_declared_is_needed(
    report: str, key: str, value: str | None, fewer: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (path,) = (path for path in declared_reports(tmp_path_factory.mktemp("reports")) if path.stem == report)
    sheet = read(path)
    changed = award_sheet(replace(sheet, games=sheet.games.assign(**{key: value}).astype({key: "str"})))
    agreed = agreement(changed).set_index("game_id")
    assert set(agreed.index[agreed["agree"] < agreed["contestants"]]) == fewer
