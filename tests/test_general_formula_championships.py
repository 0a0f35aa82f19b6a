"""NABC and WBF championships: every line of the regulations' parts III.A, III.B and V."""

from datetime import date
from math import inf

import pytest
from games import awarded
from worked_examples import FOLDER, read, rows

from resultproc.model.basis import OVERALL, Basis, Kind
from resultproc.model.errors import DeclarationError
from resultproc.model.group import Group, group
from resultproc.rulebooks import core
from resultproc.rulebooks.load import rulebook

EDITION = rulebook("acbl-general-formula-2003").at(date(2005, 6, 1))
SESSION = Basis(Kind.SESSION, 1)

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


def shape(championship: str, **keys: object) -> object:
    return EDITION.rules.shape(EDITION, comparison(championship, **keys))


def test_every_line_has_an_example():
    shown = set()
    for example in read(FOLDER / "championships.toml"):
        shown.add(example.game.get("championship"))
        for table in filter(None, (example.chart, example.cases)):
            shown |= {row.get("championship") for row in rows(table)}
    for edition in (EDITION, rulebook("acbl-knockout-2003").at(date(2005, 6, 1))):
        lines = {path.removeprefix("championship.") for path in edition.entries if path.startswith("championship.")}
        assert len(lines) > 15
        assert lines <= shown


@pytest.mark.parametrize("name", WBF_TEAMS)
def test_wbf_teams_are_data_for_knockouts(name):
    value = EDITION.read(f"championship.{name}", core.as_table)
    assert (value["first"], value["closest"]) == WBF_TEAMS[name]
    with pytest.raises(DeclarationError, match=f"{name} is a knockout"):
        shape(name, event_type="knockout")


@pytest.mark.parametrize(
    ("name", "keys", "what"),
    [
        ("blue-ribon-pairs", {"sessions": 6}, r"unknown championship 'blue-ribon-pairs' \(did you mean 'blue-ribbon"),
        ("blue-ribbon-pairs", {"sessions": 4}, "sessions is '4', but blue-ribbon-pairs has '6'"),
        ("open-swiss", {}, "event_type is 'pairs', but open-swiss has 'swiss'"),
        ("open-pairs", {"rating": "regional"}, "rating is 'regional', but open-pairs has 'national'"),
    ],
)
def test_keys_that_contradict_a_championship(name, keys, what):
    with pytest.raises(DeclarationError, match=what):
        shape(name, **keys)


def test_it_is_told_that_a_first_award_is_fixed():
    rows = [f"A-{n} . . s={'/'.join([str(90 - n)] * 4)}" for n in range(1, 13)]
    keys = {"rating": "national", "date": "2005-05-05", "sessions": 4, "tables": 6, "movement": "howell"}
    result = awarded(rows, championship="Women's Pairs", **keys)
    assert result.games["championship"].tolist() == ["womens-pairs"]
    (factors,) = set(result.candidates.loc[result.candidates["basis"] == "overall", "factors"].astype(str))
    assert factors == "first 50.00 (fixed at 100 x 0.5); 4 places pay"
