"""What holds of every game: checked on generated games with ties, half tables, strata and several sections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, inf, log10

import numpy as np
import pandas as pd
import pytest
from conftest import examples
from games import sheet, together
from hypothesis import given
from hypothesis import strategies as st
from second import club
from second.club import expected, half_up, rate_and_caps

from resultproc.model.facts import Facts
from resultproc.model.frames import COLOURS, Result
from resultproc.model.group import Members
from resultproc.rulebooks.choice import editions
from resultproc.stages.award import ladders_of
from resultproc.stages.pipeline import award_sheet

ADDED, SUM = "section + handicap overall", "sessions"
"""The awards that consist of others."""


@dataclass(frozen=True)
class Row(club.Row):
    """A contestant that can be written."""

    def line(self) -> str:
        name = "-".join(part for part in (self.section, self.direction, str(self.number)) if part)
        sessions = f" s={'/'.join(map(str, self.percentages))}" if len(self.percentages) > 1 else ""
        out = " out" if self.out else ""
        return f"{name} {'ABC'[self.level]} {float(self.percentage):g}%{sessions} h={self.handicap}{out}"


@dataclass(frozen=True)
class Game(club.Game):
    """A game that can be awarded."""

    @property
    def sessions(self) -> int:
        return len(self.rows[0].percentages)

    def sheet(self, game_id: str):
        strata = zip("ABC", self.limits, strict=False)
        return sheet(
            [row.line() for row in self.rows],
            game_id,
            rating=self.rating,
            date=self.date,
            special=self.special,
            sessions=self.sessions,
            limit=text(self.limits[0]),
            strata=", ".join(f"{letter}={text(limit)}" for letter, limit in strata),
            movement=", ".join(f"{s}={'mitchell' if two else 'howell'}" for s, (two, _) in self.sections.items()),
            tables=", ".join(f"{s}={tables:g}" for s, (_, tables) in self.sections.items()),
        )

    def of(self, **changes) -> Game:
        """Return the game with something changed of every contestant."""
        return replace(self, rows=tuple(replace(row, **changes) for row in self.rows))


def text(limit: float) -> str:
    return "open" if limit == inf else f"{limit:g}"


@st.composite
def games_of(draw, classes, specials=(None,), sessions=(1,), date=None):
    """Draw a game. classes: the rating and limits that it may have."""
    rating, limits = draw(st.sampled_from(classes))
    limits = limits[: draw(st.integers(1, 3))]
    at_clubs = rating.startswith("club-")  # where there are no side games
    special = draw(st.sampled_from([each for each in specials if not (at_clubs and each == "side-game")]))
    count = draw(st.sampled_from(sessions))
    level, percentage = st.integers(0, len(limits) - 1), st.tuples(*[st.integers(45, 55)] * count)
    handicap = st.integers(0, 4) if special and "handicap" in special else st.just(0)
    out = st.integers(0, 11).map(lambda number: number == 11)
    drawn = st.builds(Row, st.just(""), st.just(""), st.just(0), level, percentage, handicap, out)
    sections, rows = {}, []
    for letter in "ABC"[: draw(st.sampled_from([1, 1, 2, 2, 3]))]:
        two_way, halves = draw(st.booleans()), draw(st.integers(2, 14))
        tables = halves / 2
        sections[letter] = (two_way, tables)
        sides = {"NS": ceil(tables), "EW": floor(tables)} if two_way else {"": halves}
        for side, seats in sides.items():
            side_rows = draw(st.lists(drawn, min_size=seats, max_size=seats))
            rows += [
                replace(row, section=letter, direction=side, number=number) for number, row in enumerate(side_rows, 1)
            ]
    return Game(rating, limits, sections, tuple(rows), special, date)


CLUB = [
    ("club-open", (inf, 1000, 200)),
    ("club-open", (inf, 100, 20)),
    ("club-invitational", (inf, 300, 50)),
    ("club-restricted", (500, 200, 100)),
    ("club-restricted", (200, 100, 20)),
    ("club-newcomer", (20, 10, 5)),
]
ONLINE = [("club-online", (inf, 750, 300)), ("club-online", (299, 199, 20)), ("club-online", (49, 10, 5))]
FORMULA = [
    ("club-championship", (inf, 300, 50)),
    ("unit-championship", (1500, 750, 300)),
    ("sectional", (inf, 1500, 500)),
    ("regional", (inf, 2000, 750)),
    ("regional", (750, 500, 200)),
    ("national", (inf, 5000, 1000)),
]

plain_games = games_of(CLUB, date="2012-04-18")
club_games = games_of(CLUB, (None, "handicap"), date="2012-04-18")
handicap_games = games_of(CLUB, ("handicap",), date="2012-04-18")
online_games = games_of(ONLINE, (None, "handicap", "charity", "silver-linings"), date="2021-02-03")
formula_games = games_of(FORMULA, (None, None, "side-game"), (1, 2), date="2005-05-05")
any_games = club_games | online_games | formula_games


def awarded(games: list[Game]) -> Result:
    return award_sheet(together(*(game.sheet(f"game{i}") for i, game in enumerate(games))))


def hundredths(result: Result) -> list[int]:
    return result.awards["masterpoints"].tolist()


def versions(*of: list[Game]) -> list[list[int]]:
    """Return the awards of several versions of some games, in hundredths, all awarded at once."""
    got = iter(hundredths(awarded([game for games in of for game in games])))
    return [[next(got) for game in games for _ in game.rows] for games in of]


@examples(20)
@given(st.lists(club_games | online_games, min_size=1, max_size=6))
def test_awards_are_those_of_a_second_implementation(games):
    assert hundredths(awarded(games)) == [each for game in games for each in expected(game)]


@pytest.mark.parametrize("tables", [1, 5, 15, 20, 45])
def test_the_second_implementation_knows_the_printed_ladder(tables):
    # 5 tables .50 .35; 15 tables 1.50 1.05 .75 .53 .30 .25; more are capped.
    rows = tuple(Row("A", "NS", i, 0, (100 - i,)) for i in range(1, tables + 1))
    ladder = [each for each in expected(Game("club-open", (inf,), {"A": (True, tables)}, rows)) if each]
    assert ladder[:6] == {1: [], 5: [50, 35]}.get(tables, [150, 105, 75, 53, 30, 25])
    assert len(ladder) == {1: 0, 5: 2, 15: 6, 20: 8, 45: 18}[tables]


# What must hold whatever the figures.


def in_line(result: Result) -> pd.DataFrame:
    """Return the standings with what each pays, 0 for nothing, and what the places of its ladder pay.

    ladder: the awards in hundredths as far as the group's ties need them. depth: the places that pay.
    """
    key = ["contestant", "basis", "stratum"]
    texts = {"basis": "str", "stratum": "str"}
    won = result.candidates.astype(texts)[[*key, "masterpoints"]]
    standings = result.standings.assign(depth=0, ladder=None)
    number, found = editions(result.games)
    facts = Facts(result.games, result.contestants)
    for edition in range(len(found)):
        rows = standings.index[number[standings["game"]] == edition]
        of = standings.loc[rows]
        last = (of["position"] + of["tied"] - 1).groupby(of["group"]).transform("max")
        groups, members = of[result.standings.columns], Members(result.standings, facts)
        which, ladders = ladders_of(found[edition], groups, last.to_numpy(), members)
        standings.loc[rows, "depth"] = [ladders[each].depth for each in which]
        standings.loc[rows, "ladder"] = pd.Series([ladders[each].awards for each in which], rows, dtype="object")
    standings = standings.astype(texts).merge(won, "left", key, validate="one_to_one")
    return standings.assign(masterpoints=standings["masterpoints"].fillna(0).astype("int64"))


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_awards_never_rise_down_a_ladder(games):
    standings = in_line(awarded(games))
    by_place = standings.groupby(["group", "position"])["masterpoints"]
    assert (by_place.max() == by_place.min()).all()
    assert (by_place.max().groupby(level="group").diff().dropna() <= 0).all()
    assert all(np.all(np.diff(ladder) <= 0) for ladder in standings["ladder"])


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_a_tie_shares_exactly_what_its_places_pay(games):
    standings = in_line(awarded(games))
    for (_, position), tie in standings.groupby(["group", "position"]):
        tied, ladder, depth = (tie[name].iloc[0] for name in ("tied", "ladder", "depth"))
        assert tied == len(tie)
        # The places past the last paying one too, where the tie begins at or above it.
        pool = sum(ladder[position - 1 : position - 1 + tied]) if position <= depth else 0
        assert position > depth or len(ladder) >= position - 1 + tied
        exact = Fraction(pool, tied)
        assert exact * tied == pool
        assert tie["masterpoints"].tolist() == [half_up(exact)] * tied


@examples(14)
@given(st.lists(any_games, min_size=2, max_size=3))
def test_many_games_at_once_are_awarded_as_each_alone(games):
    assert hundredths(awarded(games)) == [each for game in games for each in hundredths(awarded([game]))]


@examples(14)
@given(any_games, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(game, random):
    shuffled = replace(game, rows=tuple(random.sample(game.rows, len(game.rows))))
    before, after = awarded([game]), awarded([shuffled])

    def told(game, result):
        colours = result.awards[["masterpoints", *COLOURS]].to_numpy().tolist()
        return dict(zip(game.rows, colours, strict=True))

    assert told(shuffled, after) == told(game, before)


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_an_award_is_the_greatest_of_its_candidates(games):
    result = awarded(games)
    rows = [row for game in games for row in game.rows]
    best = result.candidates.astype({"basis": "str"}).groupby(["contestant", "basis"])["masterpoints"].max()
    best = best.groupby(level="contestant").agg(
        lambda of: dict(zip(of.index.get_level_values("basis"), of, strict=True))
    )
    for number, award in enumerate(hundredths(result)):
        got = best.get(number, {})
        single = {basis: each for basis, each in got.items() if basis not in {ADDED, SUM}}
        of_sessions = sum(each for basis, each in single.items() if basis.startswith("session "))
        added = "overall" not in got and {"section", "handicap overall"} <= got.keys()
        both = got["section"] + got["handicap overall"] if added else 0
        assert award == max([0, of_sessions, both, *single.values()])
        assert not (rows[number].out and got)


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_the_colours_of_an_award_are_the_award(games):
    awards = awarded(games).awards
    assert (awards[list(COLOURS)].sum(axis=1) == awards["masterpoints"]).all()
    assert (awards[list(COLOURS)] >= 0).all(axis=None)


@examples(14)
@given(st.lists(plain_games.filter(lambda game: len(game.limits) > 1), min_size=1, max_size=3))
def test_a_further_stratum_never_lowers_an_award(games):
    fewer = [
        replace(
            game,
            limits=game.limits[:-1],
            rows=tuple(replace(row, level=min(row.level, len(game.limits) - 2)) for row in game.rows),
        )
        for game in games
    ]
    with_all, with_fewer = versions(games, fewer)
    assert all(more >= less for more, less in zip(with_all, with_fewer, strict=True))


@examples(14)
@given(st.lists(plain_games, min_size=1, max_size=3))
def test_who_beats_another_and_may_win_all_that_it_may_gets_no_less(games):
    got = iter(hundredths(awarded(games)))
    for game in games:
        won = {row: next(got) for row in game.rows}
        for row in game.rows:
            for other in game.rows:
                same = (row.section, row.direction) == (other.section, other.direction)
                if same and not row.out and row.percentage > other.percentage and row.level >= other.level:
                    assert won[row] >= won[other]


@examples(14)
@given(st.lists(club_games | online_games, min_size=1, max_size=3), st.integers(-40, 40))
def test_only_the_order_of_scores_matters(games, shift):
    shifted = [
        replace(game, rows=tuple(replace(row, percentages=(row.percentages[0] + shift,)) for row in game.rows))
        for game in games
    ]
    before, after = versions(games, shifted)
    assert after == before


@examples(14)
@given(st.lists(handicap_games, min_size=1, max_size=3))
def test_a_handicap_game_pays_no_less_than_the_same_game_without(games):
    without = [replace(game, special=None) for game in games]
    with_handicaps, plain = versions(games, without)
    assert all(more >= less for more, less in zip(with_handicaps, plain, strict=True))


@examples(14)
@given(st.lists(handicap_games, min_size=1, max_size=3))
def test_handicaps_that_are_all_the_same_change_nothing(games):
    level = [game.of(handicap=3) for game in games]
    without = [replace(game, special=None) for game in games]
    with_handicaps, plain = versions(level, without)
    assert with_handicaps == plain


# The least and the most that is paid.

R = {"club-championship": 6.5, "unit-championship": 8.5, "sectional": 10, "regional": 14, "national": 22.5}
S = {1: 1.0, 2: 1.5}


def m_factor(game: Game, limit: float) -> float:
    m = 1 if limit == inf else log10(limit) / 5 + 0.1102 if limit < 500 else log10(limit) / 3.11 - 0.218
    return min(m, 0.65 if game.special == "side-game" else 1)


def caps(game: Game, limit: float) -> tuple[float, float]:
    """Return the most that a place in a section, and overall, pays up to a limit, in masterpoints."""
    if game.rating in R:
        # On all tables of the game; half of it, and without S, in a session.
        product = (sum(ceil(tables) for _, tables in game.sections.values()) + 10) / 60
        product *= R[game.rating] * m_factor(game, limit)
        return 0.5 * product, S[game.sessions] * product
    if game.rating == "club-online":
        steps = ((5, 0.3), (10, 0.4), (20, 0.5), (50, 0.6), (200, 0.7), (750, 0.8), (inf, 1))
        limited = next(factor for upper, factor in steps if limit <= upper)
        return (2.5 * limited * {"charity": 2, "silver-linings": 1.5}.get(game.special, 1),) * 2
    _, section, overall = rate_and_caps(game.rating, limit)
    return float(section), float(overall)


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_no_award_is_above_its_cap(games):
    for row in awarded(games).candidates.to_dict("records"):
        game = games[row["game"]]
        # What consists of several awards may have them of several strata: none pays more than the top one.
        combined = row["basis"] in {ADDED, SUM}
        section, overall = caps(game, game.limits[0 if combined else row["level"]])
        most = {ADDED: section + overall, SUM: game.sessions * section}.get(
            row["basis"], overall if row["basis"].endswith("overall") else section
        )
        assert row["masterpoints"] <= 100 * most + 0.5 * (1 + combined) + 1e-6


@examples(14)
@given(st.lists(any_games, min_size=1, max_size=3))
def test_nothing_is_awarded_below_the_least(games):
    result = awarded(games)
    assert (result.candidates["masterpoints"] >= 1).all()
    eligible = [
        [sum(row.level >= level and not row.out for row in game.rows) for level in range(len(game.limits))]
        for game in games
    ]
    for row in in_line(result).to_dict("records"):
        game, level, overall = games[row["game"]], row["level"], row["basis"] == "overall"
        if game.rating not in R:
            # The lowest stratum has at least five contestants, or three of a section or direction.
            assert level == 0 or eligible[row["game"]][level] >= (5 if game.rating == "club-online" else 3)
            continue
        # A lower stratum pays overall on three tables, in a session with three in direct comparison.
        assert level == 0 or overall or row["ranked"] >= 3
        assert not (level and overall and row["masterpoints"]) or row["ranked"] >= 5
        if overall and row["depth"] > 6:
            # Past sixth place .2 x R x M at least, to 35% of the contestants at most.
            assert row["ladder"][row["depth"] - 1] >= 20 * R[game.rating] * m_factor(game, game.limits[level]) - 1e-6
            assert row["depth"] <= 0.35 * row["ranked"]
