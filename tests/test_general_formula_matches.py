"""Match awards of Swiss teams: what they need, how they read back; what they pay are worked examples."""

from pathlib import Path

import pytest
from conftest import saved

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
    return saved(path, "\n".join([*lines, "number,stratum,score,player1,player2,player3,player4,wins", *rows]) + "\n")


def awards(result) -> list[str]:
    return [f"{award / 100:.2f}" for award in result.awards["masterpoints"]]


def by_matches(result) -> list[str]:
    rows = result.candidates[result.candidates["basis"] == "matches"].sort_values("contestant")
    return [f"{award / 100:.2f}" for award in rows["masterpoints"]]


def codes(result) -> set[str]:
    return {each.code for each in result.remarks}


def test_the_factors_are_told(tmp_path):
    result = process(sheet(tmp_path))
    assert result.candidates.query("basis == 'matches'")["factors"].iloc[0] == (
        "0.36 for each match won (D 1.25 x L 0.2917)"
    )


def test_a_rulebook_may_have_no_match_awards(tmp_path):
    book = saved(tmp_path / "ours.toml", 'extends = "acbl-general-formula-2003"\n[match.reading]\nvalue = "none"\n')
    assert by_matches(process(sheet(tmp_path, rulebook=str(book)))) == []
    assert "matches.unsaid" not in codes(process(sheet(tmp_path, ("",) * 8, rulebook=str(book))))


def test_what_teams_won_is_missed_where_it_pays(tmp_path):
    assert "matches.unsaid" in codes(process(sheet(tmp_path, ("",) * 8)))
    assert "matches.unsaid" not in codes(process(sheet(tmp_path, (0, 3, *[""] * 6))))
    bam = process(sheet(tmp_path, ("",) * 8, event_type="bam", sessions="1"))
    assert "matches.unsaid" not in codes(bam)


def test_a_rulebook_may_round_the_sum_of_the_matches(tmp_path):
    # A match pays 1.25 x 7/24 = .364583: 4.5 of them 4.5 x .36 = 1.62, or 1.640625.
    book = saved(tmp_path / "ours.toml", 'extends = "acbl-general-formula-2003"\n[match.rounding]\nvalue = "sum"\n')
    for more, each in (({}, 0.36), ({"rulebook": str(book)}, 1.25 * 7 / 24)):
        found = process(sheet(tmp_path, **more))
        wins = found.contestants["wins"].to_numpy()
        paid = found.candidates.query("basis == 'matches'")
        assert paid["masterpoints"].tolist() == [int(100 * each * wins[row] + 0.5) for row in paid["contestant"]]


def test_matches_need_their_boards(tmp_path):
    with pytest.raises(InputError, match="boards is not declared, and match awards depend on the boards per match"):
        process(sheet(tmp_path, boards=""))
    with pytest.raises(InputError, match="there are no awards for a match of 1 boards"):
        process(sheet(tmp_path, boards="1"))


@pytest.mark.parametrize(
    ("won", "message"),
    [
        ("4.3", "line 10, column 8: invalid number of matches won: 4.3"),
        ("-1", "number of matches won out of range: -1"),
    ],
)
def test_matches_that_cannot_be_won(tmp_path, won, message):
    with pytest.raises(InputError, match=message):
        process(sheet(tmp_path, (6, 5, won, 4, 4, 3, 2, 1)))


def test_other_events_do_not_go_by_matches(tmp_path):
    assert by_matches(process(sheet(tmp_path, event_type="bam", sessions="1"))) == []
    club = process(sheet(tmp_path, rating="club-open", rulebook="acbl-club", event_type="bam", sessions="1"))
    assert by_matches(club) == []


@pytest.mark.slow
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
