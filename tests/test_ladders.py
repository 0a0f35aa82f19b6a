"""Ladders computed as arrays are those of the formulas, place by place; ``scripts/prove-ladders`` does many more."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from resultproc.rulebooks.common.exact import Multiples, Shares

PROVE = runpy.run_path(str(Path(__file__).parent.parent / "scripts" / "prove-ladders"))["differences"]


def test_random_ladders_are_those_of_the_formulas() -> None:
    assert list(PROVE(400, 3)) == []


@pytest.mark.parametrize(("kind", "name"), [(Shares, "parts"), (Multiples, "hundredths")])
def test_a_hundredth_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> None:
    right = getattr(kind, name)

    def wrong(*arguments: object) -> np.ndarray:
        found = right(*arguments)
        found[-1] += 1
        return found

    monkeypatch.setattr(kind, name, wrong)
    assert list(PROVE(400, 3))
