"""What holds for every knockout: made-up events, and events with spoilt cells."""

from itertools import pairwise

import numpy as np
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from resultproc.model.errors import InputError
from resultproc.stages.pipeline import award_sheet
from tests.knockouts import awarded, bracket, event, seeded

sizes = st.lists(st.integers(2, 20), min_size=1, max_size=4)
holdings = st.integers(50, 12_000)


@examples(15)
@given(sizes, st.data())
def test_better_places_and_higher_brackets_never_pay_less(teams, data):
    tops = sorted((data.draw(holdings) for _ in teams), reverse=True)
    result = awarded(
        *(bracket(str(n), size, top=top) for n, (size, top) in enumerate(zip(teams, tops, strict=True), 1))
    )
    overall = result.candidates[result.candidates["basis"] == "overall"]
    section = result.contestants["section"].to_numpy()[overall["contestant"]]
    firsts = []
    for _, rows in overall.groupby(section):
        ordered = rows.sort_values("position")
        assert ordered["masterpoints"].is_monotonic_decreasing
        firsts.append(int(ordered["masterpoints"].iloc[0]))
    # No more than nine tenths, rounded half up to the hundredth. A bracket of fewer than four teams pays nothing.
    if min(teams) >= 4:
        assert all(20 * lower <= 18 * upper + 10 for upper, lower in pairwise(firsts))
    colours = result.awards[["black", "silver", "red", "gold", "platinum"]]
    assert (colours.sum(axis=1) == result.awards["masterpoints"]).all()
    assert (colours >= 0).all(axis=None)


@examples(15)
@given(st.integers(2, 40))
def test_every_place_is_taken_once(teams):
    result = awarded(bracket("A", seeded(teams)))
    places = result.standings[result.standings["basis"] == "overall"]
    taken = [np.arange(p, p + t) for p, t in set(zip(places["position"], places["tied"], strict=True))]
    assert sorted(np.concatenate(taken)) == list(range(1, teams + 1))
    assert (places.groupby("position").size() == places.groupby("position")["tied"].first()).all()


cells = st.sampled_from(["W 1", "L 1", "F 2", "bye", "W 2 L 3", "L 9", "W 4", None])


@examples(15)
@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["round1", "round2", "round3", "playoff"]), cells)))
def test_spoilt_cells_are_refused_or_awarded(changes):
    teams = bracket("A", 8)
    for row, column, cell in changes:
        teams.loc[row, column] = cell
    problems = []
    try:
        result = award_sheet(event(teams))
    except InputError as error:
        problems = error.problems
    else:
        assert result.awards is not None
        assert (result.awards["masterpoints"] >= 0).all()
    assert all(problem.what and problem.file == "game.csv" for problem in problems)
