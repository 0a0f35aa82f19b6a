"""Made-up games awarded by the package and, game by game, by the script that the benchmark measures it against."""

import runpy

import numpy as np
import pytest
from conftest import PROJECT

from resultproc.stages.pipeline import award_sheet

SCRIPTS = PROJECT / "scripts"


@pytest.mark.slow
def test_many_games_at_once_are_awarded_as_one_would_write_it_game_by_game():
    made = runpy.run_path(str(SCRIPTS / "make-archive"))["sheet"](np.random.default_rng(5), 2010, 120, 0)
    awards = award_sheet(made).awards
    slow = runpy.run_path(str(SCRIPTS / "straightforward.py"))["awards"](made.games, made.contestants)
    assert len(slow) > 1500
    assert (slow > 0).sum() > 500
    assert (awards["masterpoints"].to_numpy() == slow.to_numpy()).all()
