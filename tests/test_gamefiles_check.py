"""Twelve real game files of 2017: every rank and award that the league's own program left in them, computed anew."""

from pathlib import Path

import pytest

from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.reports.check.differences import agreement, differences
from resultproc.stages.pipeline import award_sheet, process

FILES = sorted((Path(__file__).parent.parent / "fixtures/gamefiles").glob("*.AC?"))

# The events of each file, as it names them: those of unit finals and of qualifying games at clubs, then regular ones.
ENTRIES = {
    **{"game01-ACM-1": 17, "game01-ACM-2": 17, "game01-ACM-3": 9},
    **{"game02-ACA": 16, "game03-ACA": 27, "game04-ACM-1": 22, "game05-ACM": 10, "game06-ACA-1": 39},
    **{"game07-ACA-1": 28, "game09-ACA-1": 34, "game09-ACA-2": 8, "game10-ACM": 52, "game11-ACM": 9},
    **{"game12-ACA-1": 34, "game12-ACA-2": 12},
}
REGULAR = {"game04-ACM-2": 9, "game06-ACA-2": 12, "game07-ACA-2": 6, "game08-ACA-1": 12, "game08-ACA-2": 10}


@pytest.fixture(scope="module")
def result() -> Result:
    return process(*FILES, format="acblscore")


def test_all_awards_agree_file_by_file(result: Result) -> None:
    assert len(FILES) == 12
    agreed = agreement(result).set_index("game_id")
    assert dict(agreed["contestants"]) == ENTRIES | REGULAR
    assert dict(agreed["agree"]) == ENTRIES | REGULAR


def test_ranks_colours_and_what_pays_agree_but_for_one(result: Result) -> None:
    # 5th overall in A pays 1.96 and 2nd in B 1.97: .99 red and .98 black. The file has the red part as B's and the
    # black part, as much in either, as A's.
    found = differences(result)
    assert found[["game_id", "section", "direction", "number", "what", "printed", "computed"]].values.tolist() == [
        ["game12-ACA-1", "BB", "E-W", "2", "paid by", "OA", "OB"]
    ]


def test_the_rulebook_is_the_one_of_the_year_and_the_class(result: Result) -> None:
    books = result.games.set_index("game_id")["rulebook"]
    assert set(books[list(ENTRIES)]) == {"acbl-2017-special"}
    assert set(books[list(REGULAR)]) == {"acbl-2017"}


@pytest.mark.parametrize(
    ("without", "game", "fewer"),
    [
        # 17 tables pay 9 x 1.25 x B = 5.06 first, with the 4 and the 6 beside them 5.81 and 6.19; 5 pay 0.50, not 1.10.
        ("concurrent_tables", "game09-ACA-1", "5.06"),
        ("concurrent_tables", "game12-ACA-1", "5.06"),
        ("concurrent_tables", "game08-ACA-2", "0.50"),
        # Section A alone pays 0.5 x 9 x 0.875 x B(9) = 1.25 first N-S.
        ("stored_ranked_with", "game10-ACM", "1.25"),
    ],
)
def test_what_a_file_says_of_its_game_is_needed(without: str, game: str, fewer: str) -> None:
    sheet = read(next(path for path in FILES if path.stem == game[:6]), format="acblscore")
    games = sheet.games[sheet.games["game_id"] == game].reset_index(drop=True)
    contestants = sheet.contestants[sheet.contestants["game_id"] == game].reset_index(drop=True)
    assert games[without].notna().all()
    result = award_sheet(type(sheet)(games.assign(**{without: None}).astype({without: "str"}), contestants))
    assert agreement(result)["agree"].item() < (ENTRIES | REGULAR)[game]
    firsts = result.candidates[(result.candidates["position"] == 1) & (result.candidates["level"] == 0)]
    assert fewer in set((firsts["masterpoints"] / 100).map("{:.2f}".format))
