"""What holds of every club game: checked on generated games with ties, half tables, strata and several sections.

:func:`expected` is a second implementation of the Handbook's section and overall awards, one game at a time in plain
fractions, that shares nothing with the package.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, inf

import pandas as pd
import pytest
from games import sheet, together
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resultproc.frames import COLOURS, Result
from resultproc.pipeline import award_sheet

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Row:
    section: str
    direction: str
    number: int
    level: int
    percentage: int


@dataclass(frozen=True)
class Game:
    """A club game. limits: the strata's, top first. sections: by letter, whether a Mitchell, and tables."""

    rating: str
    limit: float
    limits: tuple[float, ...]
    sections: dict[str, tuple[bool, float]]
    rows: tuple[Row, ...]

    def sheet(self, game_id: str, **keys: object):
        lines = [
            f"{row.section}{f'-{row.direction}' if row.direction else ''}-{row.number} {'ABC'[row.level]} "
            f"{row.percentage}% h={row.number % 3 if 'special' in keys else 0}"
            for row in self.rows
        ]
        return sheet(
            lines,
            game_id,
            rating=self.rating,
            limit=text(self.limit),
            strata=", ".join(f"{letter}={text(limit)}" for letter, limit in zip("ABC", self.limits, strict=False)),
            movement=", ".join(f"{s}={'mitchell' if two else 'howell'}" for s, (two, _) in self.sections.items()),
            tables=", ".join(f"{s}={tables:g}" for s, (_, tables) in self.sections.items()),
            **keys,
        )


def text(limit: float) -> str:
    return "open" if limit == inf else f"{limit:g}"


CLASSES = [
    ("club-open", (inf, 1000, 200)),
    ("club-open", (inf, 100, 20)),
    ("club-invitational", (inf, 300, 50)),
    ("club-restricted", (500, 200, 100)),
    ("club-restricted", (200, 100, 20)),
    ("club-newcomer", (20, 10, 5)),
]


@st.composite
def club_games(draw):
    rating, limits = draw(st.sampled_from(CLASSES))
    limits = limits[: draw(st.integers(1, 3))]
    sections, rows = {}, []
    for letter in "ABC"[: draw(st.sampled_from([1, 1, 2, 2, 3]))]:
        two_way, halves = draw(st.booleans()), draw(st.integers(2, 14))
        tables = halves / 2
        sections[letter] = (two_way, tables)
        sides = {"NS": ceil(tables), "EW": floor(tables)} if two_way else {"": halves}
        for side, count in sides.items():
            levels = draw(st.lists(st.integers(0, len(limits) - 1), min_size=count, max_size=count))
            scores = draw(st.lists(st.integers(45, 55), min_size=count, max_size=count))
            rows += [Row(letter, side, i, *both) for i, both in enumerate(zip(levels, scores, strict=True), 1)]
    return Game(rating, limits[0], limits, sections, tuple(rows))


def awarded(games: list[Game], **keys: object) -> Result:
    return award_sheet(together(*(game.sheet(f"game{i}", **keys) for i, game in enumerate(games))))


def hundredths(result: Result) -> list[int]:
    return result.awards["masterpoints"].tolist()


# The Handbook once more.

RATES = {"club-open": Fraction(10, 100), "club-invitational": Fraction(8, 100)}
SECTION_CAPS = {"club-open": Fraction(150, 100), "club-invitational": Fraction(120, 100), "club-newcomer": Fraction(1)}
OVERALL_CAPS = {"club-open": Fraction(250, 100), "club-invitational": Fraction(2), "club-newcomer": Fraction(167, 100)}


def rate_and_caps(rating: str, limit: float) -> tuple[Fraction, Fraction, Fraction]:
    if rating == "club-newcomer":
        hundredths = 3 if limit <= 5 else 4 if limit <= 10 else 5
        return Fraction(hundredths, 100), SECTION_CAPS[rating], OVERALL_CAPS[rating]
    if limit == inf:
        return RATES[rating], SECTION_CAPS[rating], OVERALL_CAPS[rating]
    hundredths = 5 if limit <= 20 else 6 if limit <= 100 else 7 if limit <= 200 else 8
    rate = Fraction(hundredths, 100)
    return rate, 15 * rate, 25 * rate


def half_up(award: Fraction) -> int:
    return floor(award * 100 + Fraction(1, 2))


def section_award(first: Fraction, place: int) -> Fraction:
    return first * {1: Fraction(1), 2: Fraction(7, 10), 3: Fraction(1, 2), 4: Fraction(35, 100)}.get(
        place, Fraction(1, place)
    )


def overall_award(first: Fraction, place: int) -> Fraction:
    return first * Fraction(3, 4) ** (place - 1)


def shares(members: list[Row], size: int, rate: Fraction, cap: Fraction, depth: int, award) -> dict[Row, int]:
    """Return what each member of a comparison group gets, in hundredths."""
    first = Fraction(half_up(min(rate * size, cap)), 100)
    got = {}
    for row in members:
        above = sum(other.percentage > row.percentage for other in members)
        tied = sum(other.percentage == row.percentage for other in members)
        if above < depth:
            pool = sum(half_up(award(first, place)) for place in range(above + 1, above + tied + 1))
            got[row] = half_up(Fraction(pool, tied * 100))
    return got


def expected(game: Game) -> list[int]:
    best = dict.fromkeys(game.rows, 0)
    for level, limit in enumerate(game.limits):
        eligible = [row for row in game.rows if row.level >= level]
        if level and len(eligible) < 5:
            continue
        rate, section_cap, overall_cap = rate_and_caps(game.rating, limit)
        for letter, (two_way, tables) in game.sections.items():
            for side in ("NS", "EW") if two_way else ("",):
                members = [row for row in eligible if (row.section, row.direction) == (letter, side)]
                size = ceil(tables) if two_way and level == 0 else len(members)
                depth = floor(Fraction(4, 10) * size + Fraction(1, 2))
                won = shares(members, size, rate, section_cap, depth, section_award)
                best |= {row: max(best[row], each) for row, each in won.items()}
        for side in ("NS", "EW", ""):
            fields = {s: tables for s, (two_way, tables) in game.sections.items() if two_way == (side != "")}
            members = [row for row in eligible if row.section in fields and row.direction == side]
            if len({row.section for row in game.rows if row.section in fields and row.direction == side}) < 2:
                continue
            size = sum(map(ceil, fields.values())) * (1 if side else 2) if level == 0 else len(members)
            won = shares(members, size, rate, overall_cap, min(6, len(members)), overall_award)
            best |= {row: max(best[row], each) for row, each in won.items()}
    return list(best.values())


@FEW
@given(st.lists(club_games(), min_size=1, max_size=6))
def test_awards_are_those_of_a_second_implementation(games):
    assert hundredths(awarded(games)) == [each for game in games for each in expected(game)]


@pytest.mark.parametrize("tables", [1, 5, 15, 20, 45])
def test_the_second_implementation_knows_the_printed_ladder(tables):
    # 5 tables .50 .35; 15 tables 1.50 1.05 .75 .53 .30 .25; more are capped.
    rows = tuple(Row("A", "NS", i, 0, 100 - i) for i in range(1, tables + 1))
    ladder = [each for each in expected(Game("club-open", inf, (inf,), {"A": (True, tables)}, rows)) if each]
    assert ladder[:6] == {1: [], 5: [50, 35]}.get(tables, [150, 105, 75, 53, 30, 25])
    assert len(ladder) == {1: 0, 5: 2, 15: 6, 20: 8, 45: 18}[tables]


# What must hold whatever the figures.


@FEW
@given(st.lists(club_games(), min_size=2, max_size=5))
def test_many_games_at_once_are_awarded_as_each_alone(games):
    assert hundredths(awarded(games)) == [each for game in games for each in hundredths(awarded([game]))]


@FEW
@given(st.data())
def test_the_order_of_rows_changes_nothing(data):
    game = data.draw(club_games())
    shuffled = replace(game, rows=tuple(data.draw(st.permutations(game.rows))))
    before = dict(zip(game.rows, hundredths(awarded([game])), strict=True))
    assert dict(zip(shuffled.rows, hundredths(awarded([shuffled])), strict=True)) == before


@FEW
@given(st.lists(club_games(), min_size=1, max_size=4))
def test_awards_never_rise_down_a_ladder_and_the_tied_get_the_same(games):
    result = awarded(games)
    key = ["contestant", "basis", "stratum"]
    texts = {"basis": "str", "stratum": "str"}
    standings = result.standings.astype(texts).merge(
        result.candidates.astype(texts)[[*key, "masterpoints"]], "left", key
    )
    standings["masterpoints"] = standings["masterpoints"].fillna(0)
    by_place = standings.groupby(["group", "position"])["masterpoints"]
    assert (by_place.max() == by_place.min()).all()
    steps = by_place.max().groupby(level="group").diff().dropna()
    assert (steps <= 0).all()


@FEW
@given(st.lists(club_games(), min_size=1, max_size=4))
def test_an_award_is_the_highest_candidate_all_of_it_black(games):
    result = awarded(games)
    highest = result.candidates.groupby("contestant")["masterpoints"].max()
    assert hundredths(result) == highest.reindex(range(len(result.contestants)), fill_value=0).tolist()
    assert (result.awards[list(COLOURS)].sum(axis=1) == result.awards["masterpoints"]).all()
    assert (result.awards["black"] == result.awards["masterpoints"]).all()


@FEW
@given(st.lists(club_games().filter(lambda game: len(game.limits) > 1), min_size=1, max_size=4))
def test_a_further_stratum_never_lowers_an_award(games):
    fewer = [
        replace(
            game,
            limits=game.limits[:-1],
            rows=tuple(replace(row, level=min(row.level, len(game.limits) - 2)) for row in game.rows),
        )
        for game in games
    ]
    assert all(more >= less for more, less in zip(hundredths(awarded(games)), hundredths(awarded(fewer)), strict=True))


@FEW
@given(st.lists(club_games(), min_size=1, max_size=4))
def test_who_beats_another_and_may_win_all_that_it_may_gets_no_less(games):
    got = iter(hundredths(awarded(games)))
    for game in games:
        won = {row: next(got) for row in game.rows}
        for row in game.rows:
            for other in game.rows:
                same = (row.section, row.direction) == (other.section, other.direction)
                if same and row.percentage > other.percentage and row.level >= other.level:
                    assert won[row] >= won[other]


@FEW
@given(st.lists(club_games(), min_size=1, max_size=4), st.integers(-40, 40))
def test_only_the_order_of_scores_matters(games, shift):
    shifted = [
        replace(game, rows=tuple(replace(row, percentage=row.percentage + shift) for row in game.rows))
        for game in games
    ]
    assert hundredths(awarded(shifted)) == hundredths(awarded(games))


@FEW
@given(st.lists(club_games(), min_size=1, max_size=3))
def test_a_handicap_game_pays_no_less_than_the_same_game_without(games):
    plain, handicap = hundredths(awarded(games)), hundredths(awarded(games, special="handicap"))
    assert all(more >= less for more, less in zip(handicap, plain, strict=True))


@FEW
@given(st.lists(club_games(), min_size=1, max_size=3))
def test_handicaps_of_nothing_change_nothing(games):
    level = together(*(game.sheet(f"game{i}", special="handicap") for i, game in enumerate(games)))
    none = level._replace(contestants=level.contestants.assign(handicap=pd.Series(0.0, level.contestants.index)))
    assert hundredths(award_sheet(none)) == hundredths(awarded(games))
