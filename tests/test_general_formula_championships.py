"""NABC and WBF championships: every line of the regulations' parts III.A, III.B and V."""

from __future__ import annotations

from datetime import date
from math import inf

import pytest
from games import awarded, falling

from resultproc.model.basis import OVERALL, Basis, Kind
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group, group
from resultproc.rulebooks import rulebook

EDITION = rulebook("acbl-general-formula-2003").at(date(2005, 6, 1))
SESSION = Basis(Kind.SESSION, 1)

# Name, kind, sessions, first award, whether a minimum of tables reduces it.
FIXED = [
    ("blue-ribbon-pairs", "pairs", 6, 190, False),
    ("life-master-pairs", "pairs", 6, 190, False),
    ("open-pairs", "pairs", 4, 130, True),
    ("open-pairs-with-womens", "pairs", 4, 125, True),
    ("life-master-open-pairs", "pairs", 4, 125, True),
    ("imp-pairs", "pairs", 4, 125, True),
    ("fast-pairs", "pairs", 4, 100, True),
    ("north-american-pairs-a", "pairs", 4, 65, False),
    ("north-american-pairs-b", "pairs", 4, 45, False),
    ("north-american-pairs-c", "pairs", 4, 30, False),
    ("life-master-womens-pairs", "pairs", 4, 100, True),
    ("womens-pairs", "pairs", 4, 100, True),
    ("mixed-pairs", "pairs", 4, 100, True),
    ("silver-ribbon-pairs", "pairs", 4, 100, True),
    ("red-ribbon-pairs", "pairs", 4, 70, True),
    ("canadian-open-pairs", "pairs", 4, 75, True),
    ("reisinger-bam", "bam", 6, 200, False),
    ("north-american-swiss", "swiss", 6, 160, False),
    ("open-bam", "bam", 4, 140, True),
    ("open-swiss", "swiss", 4, 125, True),
    ("mixed-bam", "bam", 4, 110, True),
    ("womens-bam", "bam", 4, 110, True),
    ("womens-swiss", "swiss", 4, 100, True),
    ("senior-swiss", "swiss", 4, 100, True),
]

FORMULA = {
    "life-master-5000-pairs": 6,
    "life-master-1500-pairs": 6,
    "non-life-master-pairs": 4,
    "49er-pairs": 2,
    "99er-pairs": 2,
    "199er-pairs": 2,
    "canadian-imp-pairs": 4,
    "canadian-senior-teams": 4,
}

# Name, first award, the NABC event that is closest and its sessions.
WBF_PAIRS = [
    ("wbf-open-pairs", 190, 6),
    ("wbf-womens-pairs", 100, 4),
    ("wbf-senior-pairs", 100, 4),
    ("wbf-mixed-pairs", 100, 4),
]
WBF_TEAMS = {
    "wbf-olympiad-open-teams": (250, "spingold"),
    "wbf-bermuda-bowl": (200, "spingold"),
    "wbf-rosenblum-cup": (150, "spingold"),
    "wbf-olympiad-womens-teams": (140, "womens-knockout"),
    "wbf-venice-cup": (140, "womens-knockout"),
    "wbf-mcconnell-cup": (100, "womens-knockout"),
    "wbf-senior-teams": (100, "senior-knockout"),
    "wbf-senior-bowl": (100, "senior-knockout"),
}


def comparison(championship: str, *, tables: int = 60, event_type: str = "pairs", **keys: object) -> Group:
    """Return the comparison group of the overall awards of an event on so many tables."""
    teams = event_type in {"bam", "swiss"}
    nothing = dict.fromkeys(EDITION.rules.fields, ())
    given = {
        "basis": OVERALL,
        "limit": inf,
        "event_limit": inf,
        "level": 0,
        "stratum_tables": tables,
        "event_tables": tables,
        "size": tables if teams else 2 * tables,
        "one_winner": True,
        "rating": "national",
        "event_type": event_type,
        "sessions": 4,
        "special": frozenset(),
        "lower_tables": None,
        "championship": championship,
    }
    return group({**nothing, **given, **keys})


def ladder(championship: str, **keys: object) -> list[str]:
    found = EDITION.rules.ladder(EDITION, comparison(championship, **keys), 1)
    return [f"{award / 100:.2f}" for award in found.awards[: found.depth]]


def test_every_line_is_data():
    lines = {path.removeprefix("championship.") for path in EDITION.entries if path.startswith("championship.")}
    assert lines == {name for name, *_ in FIXED} | set(FORMULA) | {name for name, *_ in WBF_PAIRS} | set(WBF_TEAMS)


@pytest.mark.parametrize(("name", "kind", "sessions", "first", "minimum"), FIXED)
def test_fixed_first_awards(name, kind, sessions, first, minimum):
    found = ladder(name, event_type=kind, sessions=sessions)
    assert found[0] == f"{first}.00"
    assert found[1] == f"{first * 0.75:.2f}"
    # Fewer tables: three quarters of pair events below 48 tables, half below 24; of team events below 32 teams.
    few, fewer = (47, 23) if kind == "pairs" else (31, 5)
    parts = (0.75, 0.5 if kind == "pairs" else 0.75) if minimum else (1, 1)
    assert ladder(name, event_type=kind, sessions=sessions, tables=few)[0] == f"{first * parts[0]:.2f}"
    assert ladder(name, event_type=kind, sessions=sessions, tables=fewer)[0] == f"{first * parts[1]:.2f}"


def test_the_edges_of_the_minimum_of_tables():
    firsts = [ladder("open-pairs", tables=tables)[0] for tables in (48, 47, 24, 23)]
    assert firsts == ["130.00", "97.50", "97.50", "65.00"]
    teams = [ladder("open-swiss", event_type="swiss", tables=count)[0] for count in (32, 31)]
    assert teams == ["125.00", "93.75"]


def test_lower_places_follow_the_formula():
    # Six sessions: 190, 142.50, 106.875, then 190 x 6 / (place + 9): 4th 87.69, 5th 81.43, 6th 76.00.
    assert ladder("blue-ribbon-pairs", sessions=6)[:6] == ["190.00", "142.50", "106.88", "87.69", "81.43", "76.00"]
    # 60 tables, 120 pairs: as far as an award is .2 x 22.5 = 4.50, but 35% of the field, 42 places, at most.
    assert len(ladder("blue-ribbon-pairs", sessions=6)) == 42
    # 200 tables: 60 places are the limit of six sessions, and 50 of four.
    assert len(ladder("blue-ribbon-pairs", sessions=6, tables=200)) == 60
    assert len(ladder("open-pairs", tables=200)) == 50


def test_first_awards_by_the_formula_up_to_a_maximum():
    # R 22.5 x S 3.5 = 78.75. 0-5000: x .971379 = 76.496; 48 tables, B 58/60: 73.946; 49 tables, 59/60: 75.22.
    keys = {"sessions": 6, "limit": 5000, "event_limit": 5000}
    assert ladder("life-master-5000-pairs", tables=48, **keys)[0] == "73.95"
    assert ladder("life-master-5000-pairs", tables=49, **keys)[0] == "75.00"
    # 0-1500: x .803251 = 63.256; 37 tables, 47/60: 49.55; 38 tables, 48/60: 50.60.
    keys = {"sessions": 6, "limit": 1500, "event_limit": 1500}
    assert ladder("life-master-1500-pairs", tables=37, **keys)[0] == "49.55"
    assert ladder("life-master-1500-pairs", tables=38, **keys)[0] == "50.00"


def test_first_awards_by_the_formula():
    # 20 tables, B .5: R 22.5 x S 1.5 x log10(49) / 5 + .1102 (.448239) = 7.564; at a regional's R 14 4.706.
    keys = {"tables": 20, "sessions": 2, "limit": 49, "event_limit": 49}
    assert ladder("49er-pairs", **keys)[0] == "7.56"
    assert ladder("49er-pairs", rating="regional", **keys)[0] == "4.71"
    # The Canadian events: 20 tables over four sessions, R 22.5 or 14, S 2.5
    assert ladder("canadian-imp-pairs", tables=20)[0] == "28.13"  # 28.125
    for rating, first in (("national", "28.13"), ("regional", "17.50")):
        assert ladder("canadian-senior-teams", event_type="swiss", tables=20, rating=rating)[0] == first
    for name, sessions in FORMULA.items():
        kind = "swiss" if name == "canadian-senior-teams" else "pairs"
        assert ladder(name, event_type=kind, sessions=sessions)


@pytest.mark.parametrize(("name", "first", "sessions"), WBF_PAIRS)
def test_wbf_pairs_follow_the_closest_event(name, first, sessions):
    # Whatever its own sessions are, the lower places are those of the NABC event.
    found = ladder(name, sessions=5)
    assert found[0] == f"{first}.00"
    fourth = first * sessions / (4 + 2 * sessions - 3)
    assert found[3] == f"{fourth:.2f}"
    assert found == ladder(name, sessions=3)


def test_wbf_events_have_no_session_awards():
    for name, _, sessions in WBF_PAIRS:
        found = EDITION.rules.ladder(EDITION, comparison(name, basis=SESSION, sessions=sessions), 5)
        assert (found.depth, sum(found.awards)) == (0, 0)
    nabc = EDITION.rules.ladder(EDITION, comparison("womens-pairs", basis=SESSION), 5)
    assert nabc.awards[0] == 1313  # .5 x 70/60 x 22.5 = 13.125


@pytest.mark.parametrize("name", WBF_TEAMS)
def test_wbf_teams_are_data_for_knockouts(name):
    value = EDITION[f"championship.{name}"]
    assert (value["first"], value["closest"]) == WBF_TEAMS[name]
    with pytest.raises(DeclarationError, match=f"{name} is a knockout"):
        ladder(name, event_type="knockout")


@pytest.mark.parametrize(
    ("name", "keys", "what"),
    [
        (
            "blue-ribon-pairs",
            {"sessions": 6},
            r"there is no championship 'blue-ribon-pairs' \(did you mean 'blue-ribbon",
        ),
        ("blue-ribbon-pairs", {"sessions": 4}, "sessions is '4', but blue-ribbon-pairs has '6'"),
        ("open-swiss", {}, "event_type is 'pairs', but open-swiss has 'swiss'"),
        ("open-pairs", {"rating": "regional"}, "rating is 'regional', but open-pairs has 'national'"),
    ],
)
def test_keys_that_contradict_a_championship(name, keys, what):
    with pytest.raises(DeclarationError, match=what):
        ladder(name, **keys)


def test_a_championship_end_to_end():
    # 6 tables: half of 100.00, as there are fewer than 24; 4 places of the table: 50, 37.50, 28.125, 50 x 4/9 = 22.22.
    rows = [row.split()[0] + f" . . s={'/'.join([str(90 - n)] * 4)}" for n, row in enumerate(falling("A", 12))]
    keys = {"rating": "national", "date": "2005-05-05", "sessions": 4, "tables": 6, "movement": "howell"}
    result = awarded(rows, restrictions="women", championship="Women's Pairs", **keys)
    assert result.games["championship"].tolist() == ["womens-pairs"]
    assert result.awards["masterpoints"].iloc[:4].tolist() == [5000, 3750, 2813, 2222]
    assert result.awards["platinum"].iloc[:4].tolist() == [5000, 3750, 2813, 2222]
    # Sessions go by the formula: .5 x 16/60 x 22.5 x .8 = 2.40, so 4 x .48 (1/5) for the fifth in each.
    assert result.awards["masterpoints"].iloc[4] == 4 * 48
    (factors,) = set(result.candidates.loc[result.candidates["basis"] == "overall", "factors"].astype(str))
    assert factors == "first 50.00 (fixed at 100 x 0.5); 4 places pay"
