"""Ladders computed as arrays are those of the formulas, place by place; ``scripts/prove-ladders`` does many more."""

import runpy

import numpy as np
import pytest
from conftest import PROJECT

from resultproc.model.errors import RulebookError
from resultproc.rulebooks.common.exact import Multiples, Shares

PROVE = runpy.run_path(str(PROJECT / "scripts" / "prove-ladders"))["differences"]


@pytest.mark.slow
def test_random_ladders_are_those_of_the_formulas() -> None:
    assert list(PROVE(420, 3)) == []


@pytest.mark.slow
def test_a_hundredth_too_much_of_a_share_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Shares.parts

    def wrong(*arguments: object) -> np.ndarray:
        found = right(*arguments)
        found[-1] += 1
        return found

    monkeypatch.setattr(Shares, "parts", wrong)
    assert list(PROVE(420, 3))


@pytest.mark.slow
def test_a_hundredth_too_much_of_a_multiple_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Multiples.hundredths

    def wrong(*arguments: object) -> tuple[np.ndarray, dict[int, RulebookError]]:
        found, refused = right(*arguments)
        found[0] += 1
        return found, refused

    monkeypatch.setattr(Multiples, "hundredths", staticmethod(wrong))
    assert list(PROVE(420, 3))
