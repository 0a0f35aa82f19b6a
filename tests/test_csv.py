"""CSV: the published game of 2012, every way of writing one, what is refused and where, and that it reads back."""

from __future__ import annotations

import csv
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from example_games import WEDNESDAY
from games import mp, sheet
from generated import HOSTILE, damaged, results, same
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resultproc.awarding.explain import labels
from resultproc.errors import InputError, ResultprocError
from resultproc.frames import Result
from resultproc.pipeline import award_sheet, process
from resultproc.readers import read
from resultproc.writers.annotated import annotated
from resultproc.writers.csv import write

FIXTURES = Path(__file__).parent.parent / "fixtures"
GAME = FIXTURES / "wed-open-pairs-2012-04-18.csv"

File = Callable[[str | bytes], Path]


@pytest.fixture
def file(tmp_path: Path) -> File:
    """Return the function that writes a file and returns its path."""

    def save(content: str | bytes) -> Path:
        path = tmp_path / "any.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


def contestants(path: Path) -> pd.DataFrame:
    """Return the contestants of a file, without the columns that are empty and those that every row has."""
    frame = read(path, format="csv").contestants.drop(columns=["game_id", "eligible", "where"])
    return frame.dropna(axis="columns", how="all")


def refusal(path: Path, **keys: object) -> list[str]:
    """Return what is told of a file that is refused, a line for each problem."""
    with pytest.raises(InputError) as caught:
        read(path, format="csv", **keys)
    return str(caught.value).splitlines()


# The published game. Its first award is 0.1 for each of 9 tables; the others are 70%, 50% and 35% of that, and
# 35% of 0.90 is 0.315, which is paid as 0.32. B has 7 tables at 80%: 0.56, 0.39, 0.28; C has 2 N-S, 4 E-W at 70%:
# 0.14, and 0.28, 0.20. Printed are the places that pay.
PUBLISHED = {
    "A-NS-1": ("A=1, B=1", "0.90 A"),
    "A-NS-2": ("", "0.00"),
    "A-NS-3": ("", "0.00"),
    "A-NS-4": ("", "0.00"),
    "A-NS-5": ("B=3, C=1", "0.28 B"),
    "A-NS-6": ("A=2, B=2", "0.63 A"),
    "A-NS-7": ("A=3", "0.45 A"),
    "A-NS-8": ("A=4", "0.32 A"),
    "A-NS-9": ("", "0.00"),
    "A-EW-1": ("A=3", "0.45 A"),
    "A-EW-2": ("A=2, B=2, C=1", "0.63 A"),
    "A-EW-3": ("A=4", "0.32 A"),
    "A-EW-4": ("", "0.00"),
    "A-EW-5": ("", "0.00"),
    "A-EW-6": ("C=2", "0.20 C"),
    "A-EW-7": ("", "0.00"),
    "A-EW-8": ("", "0.00"),
    "A-EW-9": ("A=1, B=1", "0.90 A"),
}


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_the_published_game_is_awarded_as_printed(ending: str) -> None:
    result = process(GAME.with_suffix(ending), format=ending[1:])
    assert result.awards is not None
    shown = annotated(result).fillna({"printed_section": "", "printed_paid_by": ""})
    awards = result.awards["masterpoints"].map(mp) + " " + shown["printed_paid_by"]
    places = zip(shown["printed_section"], awards.str.strip(), strict=True)
    assert dict(zip(labels(result.contestants), places, strict=True)) == PUBLISHED


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_what_is_printed_is_read_and_nothing_computed_from_it(ending: str) -> None:
    read_ = read(GAME.with_suffix(ending), format=ending[1:])
    printed = read_.contestants.set_index(pd.Index(labels(read_.contestants)))
    paid = {who: award for who, (_, award) in PUBLISHED.items() if award != "0.00"}
    awards = printed["printed_award"].dropna().map(mp) + " " + printed["printed_paid_by"].dropna()
    assert awards.to_dict() == paid
    assert printed["printed_section"].dropna().to_dict() == {who: PUBLISHED[who][0] for who in paid}
    bare = read_.contestants.assign(printed_award=pd.array([1] * 18, "Int64"), printed_section="A=9")
    awarded, again = award_sheet(read_._replace(contestants=bare)), award_sheet(read_)
    assert awarded.awards is not None
    pd.testing.assert_frame_equal(awarded.awards, again.awards)
