"""The made-up games: the script makes them as they are kept, and every rank and award worked for them is computed."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from resultproc.check import agreement, differences
from resultproc.frames import Result
from resultproc.pipeline import award_sheet, process, process_event
from resultproc.readers import read

PROJECT = Path(__file__).parent.parent
FIXTURES = PROJECT / "fixtures"

# The contestants of each game, who all have an award that may be none.
ENTRIES = {
    **{"made-qualifier-ACA": 16, "made-howell-ACM": 9, "made-two-games-ACM-1": 21, "made-two-games-ACM-2": 7},
    **{"made-credited-ACA-1": 20, "made-credited-ACA-2": 8, "made-regular-ACA-1": 12, "made-regular-ACA-2": 10},
    **{"made-sections-ACM": 29, "made-final-1-ACM": 9},
    **{"made-fund-1": 9, "made-fund-2": 12, "made-imps": 14, "made-together": 15},
    **{"2026041500": 11, "2026042000": 25},
}
RULEBOOKS = {
    "made-qualifier-ACA": "acbl-2017-special",
    "made-howell-ACM": "acbl-2017",
    "made-final-1-ACM": "acbl-2017-special",
    "made-fund-1": "acbl-club-fund-2011",
    "made-imps": "acbl-club",
    "2026041500": "acbl-club",
    "2026042000": "acbl-general-formula-2019",
}
UNPAID = {"made-qualifying": 10}


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    scripts = str(PROJECT / "scripts")
    sys.path.insert(0, scripts)
    try:
        found: dict[str, bytes] = runpy.run_path(f"{scripts}/make-fixtures")["made"]()
    finally:
        sys.path.remove(scripts)
    return found


@pytest.fixture(scope="module")
def result() -> Result:
    paths = [*FIXTURES.glob("made-*.AC?"), *FIXTURES.glob("made-*.txt"), *FIXTURES.glob("made-*.json")]
    return process(*sorted(paths), FIXTURES / "event/made-final-1.ACM")


def test_the_script_makes_every_file_byte_for_byte(made: dict[str, bytes]) -> None:
    kept = {path.relative_to(FIXTURES).as_posix() for path in FIXTURES.rglob("made-*")}
    assert kept == set(made)
    for name, content in made.items():
        assert (FIXTURES / name).read_bytes() == content, name


def test_every_award_is_the_one_worked_by_hand(result: Result) -> None:
    agreed = agreement(result).set_index("game_id")
    assert dict(agreed["contestants"]) == ENTRIES | dict.fromkeys(UNPAID, 0)
    assert dict(agreed["agree"]) == ENTRIES | dict.fromkeys(UNPAID, 0)
    assert (agreed["ranks"] == agreed["ranks_agree"]).all()


def test_ranks_colours_and_what_pays_agree(result: Result) -> None:
    assert differences(result).empty


def test_the_rulebooks_are_those_of_the_day_and_the_class(result: Result) -> None:
    books = result.games.set_index("game_id")["rulebook"]
    assert {game: book for game, book in books.items() if game in RULEBOOKS} == RULEBOOKS


def test_a_final_of_two_sessions_pays_what_its_last_file_says() -> None:
    """The file of the last session has the awards of the whole event, overall ones and sums of sessions."""
    paths = [FIXTURES / "event/made-final-1.ACM", FIXTURES / "event/made-final-2.ACA"]
    result = process_event(*paths)
    last = read(paths[1]).contestants.set_index(["id1", "id2"])
    ours = result.contestants[["id1", "id2", "session1", "session2", "score"]].join(result.awards)
    assert len(ours) == len(last) == 9
    for row in ours.to_dict("records"):
        theirs = last.loc[(row["id1"], row["id2"])]
        assert row["session1"] == theirs["carryover"]
        assert row["session2"] == theirs["session2"]
        assert row["score"] == pytest.approx(theirs["score"])
        assert row["masterpoints"] == (0 if theirs.isna()["printed_award"] else theirs["printed_award"])
        colours = [f"{c}={row[c] / 100:.2f}" for c in ("red", "gold") if row[c]]
        assert ", ".join(colours) == (theirs["printed_colours"] if colours else "")
    # Fourth over all is 1.24: less than 0.98 of one session and 0.59, the half of 0.69 and 0.49, of the other.
    assert sorted(ours["masterpoints"]) == [0, 0, 59, 69, 69, 157, 166, 221, 295]


@pytest.mark.parametrize(
    ("without", "name", "game", "fewer"),
    [
        # 10 tables pay 9 x 1.25 x B = 3.75 first, with the 4 beside them 4.50; 5 pay 0.50, not 1.10.
        ("concurrent_tables", "made-credited.ACA", "made-credited-ACA-1", "3.75"),
        ("concurrent_tables", "made-regular.ACA", "made-regular-ACA-2", "0.50"),
        # Section A alone pays 0.5 x 9 x 0.875 x B(5) = 0.98 first N-S.
        ("stored_ranked_with", "made-sections.ACM", "made-sections-ACM", "0.98"),
    ],
)
def test_what_a_file_says_of_its_game_is_needed(without: str, name: str, game: str, fewer: str) -> None:
    sheet = read(FIXTURES / name)
    games = sheet.games[sheet.games["game_id"] == game].reset_index(drop=True)
    contestants = sheet.contestants[sheet.contestants["game_id"] == game].reset_index(drop=True)
    assert games[without].notna().all()
    result = award_sheet(type(sheet)(games.assign(**{without: None}).astype({without: "str"}), contestants))
    assert agreement(result)["agree"].item() < ENTRIES[game]
    firsts = result.candidates[(result.candidates["position"] == 1) & (result.candidates["level"] == 0)]
    assert fewer in set((firsts["masterpoints"] / 100).map("{:.2f}".format))
