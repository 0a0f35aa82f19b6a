"""Match awards of Swiss teams: D x L x M x P for each match won."""

from __future__ import annotations

from pathlib import Path

import pytest

from resultproc.model.errors import InputError
from resultproc.model.plugins import named
from resultproc.stages.pipeline import process

KEYS = {
    "rating": "regional",
    "date": "2005-05-05",
    "event_type": "swiss",
    "tables": "8",
    "boards": "7",
    "sessions": "2",
}

WINS = (6, 4, 5, 4.5, 4, 2, 0.5, 0)


def sheet(folder: Path, wins: tuple[object, ...] = WINS, strata: str = "", **keys: str) -> Path:
    """Write a Swiss of eight teams, the best first, that won so many matches."""
    lines = [f"# {name}: {value}" for name, value in {**KEYS, **keys}.items() if value]
    rows = [f"{n},{'AB'[n > 4] if strata else ''},{170 - n},P{n},Q{n},R{n},S{n},{won}" for n, won in enumerate(wins, 1)]
    lines += [f"# strata: {strata}"] if strata else []
    path = folder / "swiss.csv"
    path.write_text(
        "\n".join([*lines, "number,stratum,score,player1,player2,player3,player4,wins", *rows]) + "\n", "utf-8"
    )
    return path


def awards(result) -> list[str]:
    return [f"{award / 100:.2f}" for award in result.awards["masterpoints"]]


def by_matches(result) -> list[str]:
    rows = result.candidates[result.candidates["basis"] == "matches"].sort_values("contestant")
    return [f"{award / 100:.2f}" for award in rows["masterpoints"]]


def test_a_team_gets_its_matches_or_its_overall_award(tmp_path):
    result = process(sheet(tmp_path))
    # D 1.25 x L 7/24 = .36458: .36 for each match. 8 teams, 18/60 x 21: 6.30, 4.73, 3.54, three places.
    assert by_matches(result) == ["2.16", "1.44", "1.80", "1.62", "1.44", "0.72", "0.18"]
    assert awards(result) == ["6.30", "4.73", "3.54", "1.62", "1.44", "0.72", "0.18", "0.00"]
    # Overall awards of two sessions are gold, match awards red.
    assert result.awards["gold"].tolist() == [630, 473, 354, 0, 0, 0, 0, 0]
    assert result.awards["red"].tolist() == [0, 0, 0, 162, 144, 72, 18, 0]
    assert result.candidates.query("basis == 'matches'")["factors"].iloc[0] == (
        "0.36 for each match won (D 1.25 x L 0.2917)"
    )


def test_many_matches_are_more_than_a_low_place(tmp_path):
    # 24 boards, L 1: 1.25 for each match; three are 3.75, more than the third place's 3.54.
    assert awards(process(sheet(tmp_path, (5, 2, 3, 0, 0, 0, 0, 0), boards="24")))[:3] == ["6.30", "4.73", "3.75"]


@pytest.mark.parametrize(
    ("keys", "one"),
    [
        ({"rating": "unit-championship"}, "0.22"),  # .765 x 7/24 = .2231
        ({"rating": "sectional"}, "0.26"),  # .9 x 7/24 = .2625
        ({"rating": "national"}, "0.53"),  # 1.8 x 7/24 = .525
        ({"rating": "club-championship"}, "0.11"),  # .36 x 7/24 = .105
        ({"limit": "300"}, "0.22"),  # M .605624: .2208
        ({"restrictions": "women"}, "0.29"),  # x .8: .2917
        ({"boards": "2"}, "0.10"),  # 2/24: .1042
        ({"boards": "30"}, "1.25"),
        ({"boards": "48"}, "1.88"),  # L 1.5
        ({"special": "side-game"}, "0.24"),  # M .65: .2370
        ({"special": "consolation"}, "0.36"),  # as in the final
        ({"special": "zip-knockout", "sessions": "1"}, "0.24"),
    ],
)
def test_what_a_match_pays(tmp_path, keys, one):
    assert by_matches(process(sheet(tmp_path, (1, 0, 0, 0, 0, 0, 0, 0), **keys))) == [one]


def test_a_stratified_swiss_goes_by_its_highest_stratum(tmp_path):
    result = process(sheet(tmp_path, strata="A=1000, B=300", limit="1000"))
    # M .74663: 1.25 x 7/24 x .74663 = .2722, .27 for the teams of B as well.
    assert by_matches(result)[4:] == ["1.08", "0.54", "0.14"]
    assert set(result.candidates.query("basis == 'matches'")["stratum"].astype(str)) == {"A"}


def test_a_rulebook_may_have_no_match_awards(tmp_path):
    book = tmp_path / "ours.toml"
    book.write_text('extends = "acbl-general-formula-2003"\n[match.reading]\nvalue = "none"\n', "utf-8")
    assert by_matches(process(sheet(tmp_path, rulebook=str(book)))) == []


def test_without_matches_there_are_no_match_awards(tmp_path):
    result = process(sheet(tmp_path, ("",) * 8, boards=""))
    assert by_matches(result) == []
    assert awards(result)[:4] == ["6.30", "4.73", "3.54", "0.00"]


def test_matches_need_their_boards(tmp_path):
    with pytest.raises(InputError, match="boards is not declared, and match awards depend on the boards per match"):
        process(sheet(tmp_path, boards=""))
    with pytest.raises(InputError, match="a match of 1 boards has no awards"):
        process(sheet(tmp_path, boards="1"))


@pytest.mark.parametrize(
    ("won", "message"),
    [("4.3", "line 10, column 8: 4.3 matches cannot be won"), ("-1", "a number of matches won of -1 cannot be")],
)
def test_matches_that_cannot_be_won(tmp_path, won, message):
    with pytest.raises(InputError, match=message):
        process(sheet(tmp_path, (6, 5, won, 4, 4, 3, 2, 1)))


def test_other_events_do_not_go_by_matches(tmp_path):
    assert by_matches(process(sheet(tmp_path, event_type="bam", sessions="1"))) == []
    assert by_matches(process(sheet(tmp_path, rating="club-open", rulebook="acbl-club"))) == []


@pytest.mark.parametrize("format", ["csv", "xlsx", "json", "text"])
def test_it_reads_back(tmp_path, format):
    result = process(sheet(tmp_path))
    path = tmp_path / ("out.txt" if format == "text" else f"out.{format}")
    path.write_bytes(named("writers", format).write(result))
    again = process(path)
    assert again.contestants["wins"].tolist() == list(map(float, WINS))
    assert awards(again) == awards(result)
    if format in {"csv", "xlsx"}:
        assert again.contestants["printed_paid_by"].tolist()[3] == "MA"
