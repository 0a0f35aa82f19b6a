"""Lists of habits crossed at random, and such lists spoilt: what is read of them is right, or told.

``scripts/make-lists`` makes them: who is in them is known.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import ALL, PROJECT, as_module

from resultproc import InputError, read
from resultproc.stages.pipeline import doubted

CROSSED, SPOILT = 600 if ALL else 40, 80
lists = as_module(PROJECT / "scripts/make-lists")


def test_lists_of_habits_crossed_at_random_are_read_as_they_are_meant(tmp_path: Path) -> None:
    """Nothing is awarded otherwise, spoilt in silence, or asked for that stands in the list."""
    verdicts = [lists.verdict(lists.made(seed), tmp_path) for seed in range(CROSSED)]
    counts = Counter(how for how, _ in verdicts)
    assert [each for each in verdicts if each[0] in {"wrong", "spoilt", "asked wrongly"}] == []
    assert counts["right"] + counts["asked"] >= 0.95 * CROSSED, counts


def in_silence(listed: Any, folder: Path) -> tuple[list[str], set[str]]:
    """Return what is read otherwise than it is meant without a remark on that, and the remarks that there are."""
    path = folder / f"list.{listed.name}"
    path.write_bytes(listed.data)
    path.with_suffix(".toml").write_bytes(listed.declared)
    try:
        sheet = doubted(read(path))
    except InputError:
        return [], set()
    remarks = {each.what for each in sheet.remarks}
    wrong = lists.misread(listed, sheet.games, sheet.contestants, " ".join(remarks))[1]
    # What is lost is lost: who reads the list finds nothing there either. And any stratum is as good as another.
    return [
        each
        for each in wrong
        if not each.endswith((" is None", " is nan", " is lost")) and not each.startswith("stratum of")
    ], remarks


@pytest.mark.slow
def test_spoilt_lists_are_refused_remarked_on_or_right(tmp_path: Path) -> None:
    silent = []
    for seed in range(SPOILT):
        whole = lists.made(seed)
        how, left = lists.spoilt(whole, Random(seed))
        wrong, remarks = in_silence(left, tmp_path)
        if wrong and remarks <= in_silence(whole, tmp_path)[1]:
            silent.append(f"{seed}: {how}: {wrong[0]}")
    assert silent == []
