"""What a game would have paid: other limits or rules, one winner, other pairs; and what somebody needed."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import ALL, FIXTURES, examples, run, saved
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from openpyxl import load_workbook

from resultproc import process, read
from resultproc.formats.csv import with_scores
from resultproc.formats.loaded import load_source
from resultproc.model.errors import InputError
from resultproc.model.game import Stratum
from resultproc.reports.limits import FEWEST, choices, distinct_limits, own, pattern, proposals
from resultproc.reports.whatif import Asked, Entries, WhatIf, entries, whatif

MITCHELL = FIXTURES / "wed-open-pairs-2012-04-18.csv"  # 9 tables, letters without holdings
HOWELL = FIXTURES / "made-wednesday.csv"  # 11 pairs with holdings, of 2026


sheet_of = cache(read)


def of(path: Path, **asked: object) -> WhatIf:
    sheet = sheet_of(path) if path.is_relative_to(FIXTURES) else read(path)
    return whatif(sheet, Asked(**asked))  # type: ignore[arg-type]


def awards(found: WhatIf, case: int = 0) -> dict[str, int]:
    return {seat: each.masterpoints for seat, each in found.cases[case].outcomes.items()}


# Strata.


def test_the_letters_of_a_pattern() -> None:
    assert pattern("A=open, B=*, c = 200").letters == ("A", "B", "C")
    assert pattern("A=open, B=*, C=200").limits == (np.inf, None, 200)
    assert pattern("open/1000/200").limits == (np.inf, 1000, 200)


@pytest.mark.parametrize(
    "text", ["A=open, B=*, B=*", "A=open, *", "A=200, B=*, C=500", "A=open, B=x, C=*", "B", "A=*, B=*"]
)
def test_what_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError, match=r"A=open|top stratum first|write 'open' or a number"):
        pattern(text)


def test_limits_that_split_alike_are_tried_once_and_the_roundest() -> None:
    # One is within 10 to 150, two are within 200 to 750, and all within 1000.
    assert distinct_limits(np.array([7.0, 180, 900])) == [100, 500]


@examples(200)
@given(st.lists(st.integers(0, 20_000), min_size=2, max_size=40))
def test_choices_fall_and_split_in_different_ways(held: list[int]) -> None:
    holdings = np.array(held, dtype=np.float64)
    found = [tuple(strata) for strata in choices(pattern("A=open, B=*, C=*"), holdings)]
    split = [own(holdings, strata) for strata in found]
    assert len(set(split)) == len(split)
    for strata, entered in zip(found, split, strict=True):
        assert strata[0].limit > strata[1].limit > strata[2].limit
        assert min(entered) > 0
        assert sum(entered) == len(held)


@pytest.mark.slow
def test_other_limits() -> None:
    # Holdings on average, of B up to 1000: 26, 104.5, 113.5, 149.5, 195.5 (2010: 140 + 298: 219). Six are within 250.
    found = of(HOWELL, pattern=pattern("A=open, B=*, C=*"))
    limits = [case.label for case in found.cases]
    assert "A=open, B=2000, C=1000" in limits
    # The game as it is, up to 200 and 50, is one of them.
    assert [case.outcomes for case in found.cases if case.label == "A=open, B=200, C=50"] == [found.base.outcomes]
    for case in found.cases[:: 1 if ALL else 3]:
        declared = case.label.replace("A=open, ", "")
        again = process(HOWELL, strata=case.label, stratify_by="average")
        assert [each.masterpoints for each in case.outcomes.values()] == again.awards["masterpoints"].tolist(), declared


@pytest.mark.slow
def test_whose_holdings_are_not_known_is_where_its_printed_stratum_fits() -> None:
    # A-11 is in C, up to 50, and A-3 in A, open: the first is within any limit above, the second within none. Of the
    # others A-7 holds 22.5, and four more up to 1000.
    for text, counts in (
        ("A=open, B=1000", [11, 6]),
        ("A=open, B=1000, C=100", [11, 6, 2]),
        ("A=open, B=100, C=20", [11, 2, 0]),
    ):
        (case,) = of(HOWELL, pattern=pattern(text)).cases
        assert [each.contestants for each in case.strata] == counts


def test_a_stratum_that_is_too_small() -> None:
    found = of(HOWELL, pattern=pattern("A=open, B=1000, C=100"))
    (case,) = found.cases
    assert [each.letter for each in case.strata if not each.ranked] == ["C"]
    assert [each.contestants for each in case.strata] == [11, 6, 2]


def test_limits_need_holdings() -> None:
    with pytest.raises(InputError, match="holdings of the players are not known"):
        of(MITCHELL, pattern=pattern("A=open, B=*"))


def test_where_holdings_are_there_only_how_they_stratify_is_asked_for() -> None:
    sheet = read(HOWELL)
    lettered = sheet.contestants.assign(stratum="A")
    unsaid = replace(sheet, games=sheet.games.assign(stratify_by=pd.Series([None], dtype="str")), contestants=lettered)
    with pytest.raises(InputError, match="stratify_by is not declared, and other limits need"):
        whatif(unsaid, Asked(pattern=pattern("A=open, B=*")))


@pytest.mark.slow
def test_by_the_highest_holding() -> None:
    found = of(HOWELL, keys={"stratify_by": "highest"})
    again = process(HOWELL, stratify_by="highest")
    # The one stratum letter that the file prints is that of a player whose holding is not known.
    assert list(awards(found).values()) == again.awards["masterpoints"].tolist()


# Other declarations, and other pairs.


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys",
    [{"rating": "stac"}, {"boards": 27.0}, {"rulebook": "acbl-club"}, {"rating": "club-championship"}],
)
def test_other_declarations_pay_as_if_the_file_had_them(keys: dict[str, Any]) -> None:
    found = of(HOWELL, keys=keys)
    again = process(HOWELL, **keys)
    assert list(awards(found).values()) == again.awards["masterpoints"].tolist()
    assert sum(each.masterpoints for each in found.cases[0].strata) == again.awards["masterpoints"].sum()


@pytest.mark.slow
def test_one_winner() -> None:
    # 18 pairs, .10 each, at most 1.50; 70%, 50%, 35% of it, then 1.50 / 5 = .30: by hand.
    found = of(MITCHELL, one_winner=True)
    assert found.cases[0].strata[0].first == 150
    by_award = sorted(awards(found).items(), key=lambda each: -each[1])[:3]
    assert by_award == [("A-NS-1", 150), ("A-NS-6", 105), ("A-NS-7", 75)]
    with pytest.raises(InputError, match="has one winner already"):
        of(HOWELL, one_winner=True)


@pytest.mark.slow
def test_pairs_gone() -> None:
    # Without N-S 9 there are 8.5 tables: N-S ranks eight of nine seats, and still pays 9 x .10.
    found = of(MITCHELL, without=("A-NS-9",))
    assert found.cases[0].strata[0].contestants == 17
    assert "A-NS-9" not in found.cases[0].outcomes
    with pytest.raises(InputError, match="nobody is left"):
        of(MITCHELL, without=tuple(f"A-{line}-{number}" for line in ("NS", "EW") for number in range(1, 10)))
    with pytest.raises(InputError, match="unknown contestant 'A-NS-99'"):
        of(MITCHELL, without=("A-NS-99",))


@pytest.mark.slow
def test_a_section_gone() -> None:
    # Of 5, 5 and 4.5 tables: without the last section 20 pairs are left.
    seats = [f"C-{line}-{number}" for line in ("NS", "EW") for number in range(1, 6)]
    there = of(FIXTURES / "made-sections.ACM", more=1).base.outcomes
    (case,) = of(FIXTURES / "made-sections.ACM", without=tuple(seat for seat in seats if seat in there)).cases
    assert not case.problem
    assert {seat[0] for seat in case.outcomes} == {"A", "B"}
    assert len(case.outcomes) == 20


@pytest.mark.slow
def test_pairs_more() -> None:
    # Two more make ten tables: first in A is 10 x .10 = 1.00, and four of ten are paid in each direction.
    found = of(MITCHELL, more=2)
    case = found.cases[0]
    assert (case.strata[0].contestants, case.strata[0].first) == (20, 100)
    assert case.outcomes["A-NS-1"].masterpoints == 100
    assert (case.outcomes["+1"].masterpoints, case.outcomes["+1"].ranks) == (0, (("section", "A", "10"),))


@pytest.mark.slow
def test_pairs_more_have_all_sessions(tmp_path: Path) -> None:
    path = rows_of(tmp_path, SESSIONS, "section,direction,number,session1,session2", EVENT)
    case = of(path, more=2).cases[0]
    assert not case.problem
    places = [place for each in ("+1", "+2") for basis, _, place in case.outcomes[each].ranks if basis == "overall"]
    assert sorted(places) == ["10", "9"]
    assert of(FIXTURES / "event" / "made-final-2.ACA", more=1).cases[0].outcomes["+1"].masterpoints == 0


@pytest.mark.slow
def test_what_lacks_in_the_file_is_as_it_is_to_be(tmp_path: Path) -> None:
    text = HOWELL.read_text("utf-8").replace("# rating: club-open\n", "")
    game = saved(tmp_path / "game.csv", text)
    found = of(game, keys={"rating": "club-open", "boards": 27.0})
    assert found.base.outcomes == of(HOWELL, need="A-4").base.outcomes


def test_what_cannot_be_awarded_says_why() -> None:
    found = of(HOWELL, keys={"rulebook": "acbl-knockout-2003"})
    assert "pairs" in found.cases[0].problem


# What was needed.


@pytest.mark.slow
def test_what_a_pair_needed() -> None:
    found = of(MITCHELL, need="a-ns-5")
    # N-S: 65.05, 61.57, 60.19, 56.71 ... pay .90, 70% .63, 50% .45, 35% .315; ties share: .77, .54, .39 of .765, .54,
    # .3825; above 56.71 alone it is fourth. The least above 122.5 matchpoints of 216 are 123, 56.94...%.
    assert [(step.percentage, step.score, step.outcome.masterpoints) for step in found.needed] == [
        (56.95, 123, 32),
        (60.19, 130, 39),
        (60.42, 130.5, 45),
        (61.57, 133, 54),
        (61.81, 133.5, 63),
        (65.05, 140.5, 77),
        (65.28, 141, 90),
    ]


def test_the_winner_needs_nothing() -> None:
    assert of(MITCHELL, need="A-NS-1").needed == ()


@pytest.mark.slow
def test_who_is_tied_needs_a_bit_more() -> None:
    # have 67.19 both: alone first, 11 pairs pay 1.10.
    (step,) = of(HOWELL, need="Ada Spruce").needed
    assert (step.percentage, step.outcome.masterpoints) == (67.2, 110)


def rows_of(tmp_path: Path, head: list[str], columns: str, rows: list[str]) -> Path:
    path = tmp_path / "game.csv"
    named = [f"{row},Player {number}" for number, row in enumerate(rows, 1)]
    return saved(path, "\n".join([*(f"# {key}" for key in head), f"{columns},player1", *named]) + "\n")


SESSIONS = ["date: 2012-05-12", "rating: sectional", "tables: 4", "movement: mitchell", "sessions: 2", "strata: A=open"]
EVENT = [
    *("A,N-S,1,60,58", "A,N-S,2,55,48", "A,N-S,3,47.5,54", "A,N-S,4,37.5,40"),
    *("A,E-W,1,57.5,65", "A,E-W,2,52.5,45", "A,E-W,3,50,50", "A,E-W,4,40,40"),
]


@pytest.mark.slow
def test_of_several_sessions_it_is_the_last(tmp_path: Path) -> None:
    # First overall pays 3.50, second 75% of it, 2.625. N-S 1 has 60 and 58, E-W 1 57.5 and 65, 122.5: after 60 it takes
    # 62.5 to be level, with (3.50 + 2.63) / 2 = 3.065.
    path = rows_of(tmp_path, SESSIONS, "section,direction,number,session1,session2", EVENT)
    found = of(path, need="A-NS-1")
    assert found.session == 2
    expected = [(62.5, 122.5, 307), (62.51, 122.51, 350)]
    assert [(step.score, step.total, step.outcome.masterpoints) for step in found.needed] == expected
    text = run("whatif", path, "--need", "A-NS-1").out
    assert "needed in session 2 for more than 2.63" in text
    assert "The sessions before stay as they are." in text


@pytest.mark.slow
def test_what_is_said_to_be_needed_is_paid_and_a_bit_less_is_not(tmp_path: Path) -> None:
    columns = "section,direction,number,session1,session2"
    for row, seat in ((2, "A-NS-3"), (7, "A-EW-4")):
        found = of(rows_of(tmp_path, SESSIONS, columns, EVENT), need=seat)
        before = found.base.outcomes[seat].masterpoints
        assert found.needed
        scores = [score for step in found.needed for score in (step.score - 0.01, step.score)]
        # Each a game of one file.
        games = [
            f"{number},{line if at != row else line.rpartition(',')[0] + f',{score:.2f}'}"
            for number, score in enumerate(scores)
            for at, line in enumerate(EVENT)
        ]
        awards = process(rows_of(tmp_path, SESSIONS, f"game_id,{columns}", games)).awards
        assert awards is not None
        own = awards["masterpoints"].to_numpy().reshape(-1, len(EVENT))[:, row].tolist()
        for step, less, paid in zip(found.needed, own[::2], own[1::2], strict=True):
            assert less < paid == step.outcome.masterpoints > before
            before = step.outcome.masterpoints


def test_imps_of_nothing_and_below(tmp_path: Path) -> None:
    head = ["date: 2012-05-12", "rating: club-open", "tables: 3", "movement: howell", "strata: A=open"]
    scores = [12.0, 3.5, 0.0, -1.0, -4.25, -10.25]
    rows = [f"A,{n},{score}" for n, score in enumerate(scores, 1)]
    path = rows_of(tmp_path, head, "section,number,score", rows)
    # Six pairs: 0.60 for first, 0.42 for second; level with the second it shares 0.42 and 0.30.
    expected = [(3.5, 36), (3.51, 42), (12.0, 51), (12.01, 60)]
    assert [(step.score, step.outcome.masterpoints) for step in of(path, need="A-5").needed] == expected


@pytest.mark.slow
def test_of_a_handicap_game_both_places_count(tmp_path: Path) -> None:
    head = ["date: 2012-05-12", "rating: club-open", "tables: 3", "movement: howell", "strata: A=open"]
    rows = ["A,1,60,0", "A,2,55,1", "A,3,50,0", "A,4,47,9", "A,5,45,0", "A,6,43,0"]
    path = rows_of(tmp_path, [*head, "special: handicap"], "section,number,percentage,handicap", rows)
    # With its 9 added, pair 4 is level with the first at 51, and alone first above.
    assert {51.0, 51.01} <= {step.percentage for step in of(path, need="A-4").needed}


@pytest.mark.parametrize(
    ("path", "who", "said"),
    [
        (FIXTURES / "knockout-example.csv", "1-2", "placed by their matches"),
        (FIXTURES / "made-two-games.ACM", "A-NS-1", "there are several games in the file"),
    ],
)
def test_what_cannot_be_asked(path: Path, who: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        of(path, need=who)


def test_who_is_not_eligible_needs_no_score(tmp_path: Path) -> None:
    game = tmp_path / "game.csv"
    text = MITCHELL.read_text("utf-8").replace("number,player1", "number,eligible,player1")
    game.write_text(re.sub(r"^(A,.-.,)(\d),", r"\1\2,yes,", text, flags=re.M).replace("N-S,5,yes", "N-S,5,no"), "utf-8")
    with pytest.raises(InputError, match="A-NS-5 is not eligible"):
        of(game, need="A-NS-5")


@pytest.mark.slow
def test_one_of_several_games() -> None:
    two = FIXTURES / "made-two-games.ACM"
    found = of(two, need="F-5", game="made-two-games-ACM-2")
    assert len(found.names) == 7
    with pytest.raises(InputError, match="unknown game 'x'"):
        of(two, need="F-5", game="x")


# Entries.


def listed(tmp_path: Path, held: list[tuple[float, float]]) -> Path:
    rows = [f"Ann {n},{one},Bob {n},{two}" for n, (one, two) in enumerate(held, 1)]
    return saved(tmp_path / "tonight.csv", "\n".join(["player1,mp1,player2,mp2", *rows]) + "\n")


def tonight(tmp_path: Path, held: list[tuple[float, float]]) -> Entries:
    return entries(read(with_scores(load_source(listed(tmp_path, held))), stratify_by="average"))


def test_limits_for_tonight(tmp_path: Path) -> None:
    held = [(n * 100.0, n * 100.0 + 20) for n in range(1, 19)]  # averages 110, 210, ... 1810
    found = tonight(tmp_path, held)
    # 6 each would be between 610 and 710 and between 1210 and 1310; no round limit is in the first.
    best = found.proposals[0]
    assert [stratum.limit for stratum in best.strata] == [np.inf, 1250, 750]
    assert best.entries == (6, 5, 7)
    assert all(min(each.entries) >= FEWEST for each in found.proposals)


def test_few_entries_get_two_strata_or_none(tmp_path: Path) -> None:
    held = [(n * 100.0, n * 100.0) for n in range(1, 12)]
    found = tonight(tmp_path, held)
    assert [stratum.letter for stratum in found.proposals[0].strata] == ["A", "B"]
    found = tonight(tmp_path, held[:9])
    assert found.proposals == ()


def test_entries_need_holdings_and_how_to_stratify(tmp_path: Path) -> None:
    path = listed(tmp_path, [(100.0, 200.0)] * 12)
    with pytest.raises(InputError, match="stratify_by is not declared"):
        entries(read(with_scores(load_source(path))))
    path.write_text(path.read_text("utf-8").replace("100.0,Bob 3", ",Bob 3"), "utf-8")
    with pytest.raises(InputError, match=r"line 4.*a holding is missing"):
        entries(read(with_scores(load_source(path)), stratify_by="average"))


def test_limits_that_are_given_show_how_they_split(tmp_path: Path) -> None:
    path = listed(tmp_path, [(n * 100.0, n * 100.0) for n in range(1, 8)])
    sheet = read(with_scores(load_source(path)), stratify_by="average")
    (found,) = entries(sheet, pattern("A=open, B=300, C=100")).proposals
    assert found.entries == (4, 2, 1)
    with pytest.raises(InputError, match=r"line 8: its holding is above the limit of the game, 600"):
        entries(sheet, pattern("A=600, B=*"))


def test_equal_holdings_cannot_be_split(tmp_path: Path) -> None:
    done = run("whatif", "--entries", listed(tmp_path, [(500, 500)] * 20), "--stratify-by", "average")
    assert done.out == "20 entries: no round limits make strata of 5 or more each\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"player1,mp1\nAnn,\n", "tonight.csv: line 2: a holding is missing"),
        (b"PK\3\4", "tonight.csv: this is a workbook"),
    ],
)
def test_what_is_wrong_with_a_list_names_it(data: bytes, said: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "tonight.csv", data)
    done = run("whatif", "--entries", path, "--stratify-by", "average")
    assert done.err.startswith(said)


@examples(200)
@given(st.lists(st.integers(0, 12_000), min_size=5, max_size=60))
def test_proposed_strata_are_large_enough_and_the_most_even_come_first(held: list[int]) -> None:
    holdings = np.array(held, dtype=np.float64)
    found = proposals(holdings, pattern("A=open, B=*, C=*"))
    spread = [max(each.entries) - min(each.entries) for each in found]
    assert spread == sorted(spread)
    for each in found:
        assert min(each.entries) >= FEWEST
        lowest = [stratum.limit for stratum in each.strata]
        assert each.entries == tuple(
            int(((holdings <= upper) & (holdings > lower)).sum())
            for upper, lower in zip(lowest, [*lowest[1:], -1], strict=True)
        )


# The command.


@pytest.mark.slow
def test_the_text() -> None:
    done = run("whatif", HOWELL, "--rating", "stac")
    assert done.status == 0
    assert "With rating stac" in done.out
    assert re.search(r"A-4 +Ada Spruce - Ben Teak +0\.94 +\d\.\d\d +\+\d\.\d\d", done.out)
    assert "too small" in run("whatif", HOWELL, "--strata", "A=open, B=*, C=*").out


@pytest.mark.slow
def test_the_json() -> None:
    content = json.loads(run("whatif", HOWELL, "--strata", "A=open,B=1000,C=100", "--need", "A-9", "--to", "json").out)
    (case,) = content["cases"]
    assert case["change"] == "A=open, B=1000, C=100"
    assert [each["ranked"] for each in case["strata"]] == [True, True, False]
    assert content["needed"]["contestant"] == "A-9"
    assert content["provenance"]["rulebooks"]


@pytest.mark.slow
def test_the_sliders_have_every_choice(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("whatif", HOWELL, "--strata", "A=open, B=*, C=*", "-o", page).status == 0
    root = html.fromstring(page.read_bytes())
    data = json.loads(next(each.text or "" for each in root.iter("script") if each.get("type") == "application/json"))
    found = of(HOWELL, pattern=pattern("A=open, B=*, C=*"))
    assert len(data["cases"]) == len(found.cases) == 15
    for case in found.cases:
        limits = "/".join(row[1] for row in data["cases"]["open/5000/2000"]["strata"])
        assert limits == "open/5000/2000"
        assert any(
            each["awards"] == [one.masterpoints for one in case.outcomes.values()] for each in data["cases"].values()
        )
    # Distinct limits for two sliders that always fall, and those of the game, 200 and 50.
    assert [float(limit) for limit in data["limits"]] == [50, 100, 200, 1000, 2000, 5000]
    assert data["own"] == ["open", "200", "50"]


@pytest.mark.slow
def test_names_cannot_leave_the_data_of_a_page(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", HOWELL.read_text("utf-8").replace("Ada Spruce", "</script><script>alert(1)//"))
    page = tmp_path / "page.html"
    run("whatif", game, "--strata", "A=open, B=*", "-o", page)
    assert b"<script>alert" not in page.read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        [HOWELL],
        [],
        [HOWELL, "--entries", HOWELL],
        [HOWELL, "--strata", "A=open, B"],
        ["--entries", HOWELL, "--more", "2"],
    ],
)
def test_what_is_wrong_usage(arguments: list[object]) -> None:
    done = run("whatif", *arguments)
    assert done.status == 2
    assert "Traceback" not in done.err


def test_entries_by_command(tmp_path: Path) -> None:
    path = listed(tmp_path, [(n * 100.0, n * 100.0 + 20) for n in range(1, 19)])
    done = run("whatif", "--entries", path, "--stratify-by", "average")
    assert done.out.splitlines()[0] == "Limits for 18 entries"
    assert done.out.splitlines()[3].split() == ["open", "1250", "750", "6", "5", "7"]
    content = json.loads(run("whatif", "--entries", path, "--stratify-by", "average", "--to", "json").out)
    assert content["proposals"][0] == {"strata": "A=open, B=1250, C=750", "entries": {"A": 6, "B": 5, "C": 7}}


@pytest.mark.slow
def test_a_workbook_has_the_tables_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "if.xlsx"
    run("whatif", HOWELL, "--strata", "A=open, B=1000, C=100", "--need", "A-9", "-o", path)
    workbook = load_workbook(path)
    assert workbook.sheetnames == ["As it is", "Then", "Gains", "Needed", "Notes"]
    head, *rows = workbook["Then"].iter_rows(min_row=4, values_only=True)
    assert head == ("Stratum", "Limit", "In it", "Paid", "Masterpoints", "First award")
    assert rows[1][:4] == ("B", 1000, 6, 2)
    assert workbook["Then"]["E5"].number_format == "0.00"
    notes = [row[0] for row in workbook["Notes"].iter_rows(min_row=5, values_only=True)]
    assert notes[0] == "The scores stay as they are."
    entered = listed(tmp_path, [(n * 100.0, n * 100.0 + 20) for n in range(1, 19)])
    run("whatif", "--entries", entered, "--stratify-by", "average", "-o", path)
    sheet = load_workbook(path)["Limits"]
    assert [cell.value for cell in sheet[4]] == ["open", 1250, 750, 6, 5, 7]


@pytest.mark.slow
def test_a_page_of_limits_for_tonight_says_of_each_number_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "tonight.html"
    entered = listed(tmp_path, [(n * 100.0, n * 100.0 + 20) for n in range(1, 19)])
    run("whatif", "--entries", entered, "--stratify-by", "average", "-o", path)
    cells = next(html.fromstring(path.read_bytes()).iterfind(".//tbody/tr"))
    said = {cell.get("data-l"): cell.text for cell in cells}
    assert said == {"A": "open", "B": "1250", "C": "750", "A alone": "6", "B alone": "5", "in C": "7"}


@pytest.mark.slow
def test_a_limit_is_fixed_beside_free_ones() -> None:
    found = of(HOWELL, pattern=pattern("A=open, B=2000, C=*"))
    assert [case.label for case in found.cases] == [f"A=open, B=2000, C={limit}" for limit in (1000, 200, 100, 50)]
    expected = (1, 1, 1)
    assert own(np.array([50.0, 1500, 3000]), [Stratum("A", np.inf), Stratum("B", 2000), Stratum("C", 1000)]) == expected
