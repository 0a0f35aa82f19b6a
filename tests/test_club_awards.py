"""Club games: what the worked examples of the regulations cannot show, such as games that are refused."""

import pytest
from conftest import FIXTURES
from games import awarded, falling, mitchell, paid, sheet, together

from resultproc.model.errors import DeclarationError
from resultproc.stages.pipeline import award_sheet, process


def test_a_restricted_game_needs_its_limit():
    with pytest.raises(DeclarationError, match=r"^game.csv: limit is not declared for a club-restricted game"):
        awarded(mitchell(5), tables=5, rating="club-restricted")


def test_a_newcomer_game_beyond_twenty_points_has_no_award():
    with pytest.raises(DeclarationError, match=r"no awards for a newcomer game with the limit 50 .*5, 10, 20"):
        awarded(mitchell(5), tables=5, rating="club-newcomer", limit=50)


def test_sections_of_different_classes_are_separate_games():
    # "Pair and maximum award regulations apply only when both sections are of the same class."
    both = together(
        sheet(mitchell(9, "A"), "open", tables=9),
        sheet(mitchell(9, "B"), "newcomer", tables=9, rating="club-newcomer", limit=20),
    )
    result = award_sheet(both)
    assert paid(result)["A-NS-1"] == "0.90 section A"
    assert paid(result)["B-NS-1"] == "0.45 section A"
    assert set(result.candidates["basis"]) == {"section"}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"event_type": "swiss", "rulebook": "acbl-club"}, "rulebook acbl-club has no awards for a swiss event"),
        ({"rating": "sectional", "rulebook": "acbl-club"}, "rulebook acbl-club has no awards for a sectional game"),
    ],
)
def test_games_that_the_tables_are_not_for_are_refused(keys, message):
    with pytest.raises(DeclarationError, match=f"^game.csv: {message}"):
        awarded(falling("A", 8), tables=8, movement="howell", **keys)


def test_an_event_of_several_sessions_is_refused():
    rows = [f"A-NS-{i} . . s={60 - i}/{50 + i}" for i in range(1, 6)]
    with pytest.raises(DeclarationError, match="awards single sessions, not an event of 2"):
        awarded(rows, tables=5, sessions=2)


def test_the_factors_are_told():
    result = process(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    told = dict(
        zip(result.candidates["stratum"].astype("str"), result.candidates["factors"].astype("str"), strict=True)
    )
    assert told["A"] == "first 0.90 (0.10 x 9 = 0.90); 4 places pay"
    n_s = result.candidates[result.candidates["size"] == 2].iloc[0]
    assert n_s["factors"] == "first 0.14 (0.07 x 2 = 0.14); 1 place pays"
    capped = awarded(falling("A", 20), tables=20, event_type="bam").candidates.iloc[0]
    assert capped["factors"] == "first 1.65 (0.10 x 20 = 2.00, capped at 1.50, x 1.10); 8 places pay"
    for part in ("ACBL Handbook", "open games", "board-a-match 110%", "depth of awards"):
        assert part in capped["rule"]
