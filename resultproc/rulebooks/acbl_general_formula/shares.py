"""Awards that are paid in shares of several colours."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.frames import COLOURS, words_in
from resultproc.rulebooks.common.sums import decided_by
from resultproc.rulebooks.core import Edition

_OF_ALL, _OF_GOLD = "colour.shares.", "colour.gold.shares."
"""The paths of shares of every award, and of what would be gold; a special word or a championship follows."""


def has_shares(edition: Edition, word: str) -> bool:
    """Return whether an edition says in which colours the awards of a kind of game are paid."""
    return _OF_ALL + word in edition.entries or _OF_GOLD + word in edition.entries


def with_shares_of_gold(edition: Edition) -> list[str]:
    """Return the special words and championships whose gold is only a share of what is gold in others."""
    return [path.removeprefix(_OF_GOLD) for path in edition.entries if path.startswith(_OF_GOLD)]


def divided(edition: Edition, split: pd.DataFrame, game: Ints, games: pd.DataFrame) -> pd.DataFrame:
    """Return awards by colour with those divided that are paid in shares.

    split: hundredths by colour. game: of each, a row of ``games``.
    """
    split = split.astype(np.int64)
    for prefix, colours in ((_OF_ALL, list(COLOURS)), (_OF_GOLD, ["gold"])):
        for path in (path for path in edition.entries if path.startswith(prefix)):
            name = path.removeprefix(prefix)
            of_games = words_in(games["special"], name) | (games["championship"] == name).to_numpy(dtype=bool)
            rows = of_games[game]
            if not rows.any():
                continue
            whole = split.loc[rows, colours].sum(axis=1).to_numpy(dtype=np.int64)
            split.loc[rows, colours] = 0
            for colour, part in _parts(whole, edition.named_numbers(path), edition.text("colour.left-over")).items():
                split.loc[rows, colour] += part
    return split


def with_left_over(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return candidates, those whose award may be divided with the value that says where odd hundredths go."""
    names = [path.rpartition(".")[2] for path in edition.entries if path.startswith((_OF_ALL, _OF_GOLD))]
    divided = words_in(games["special"], *names) | games["championship"].isin(names).to_numpy(dtype=bool)
    if not divided.any():
        return candidates
    return decided_by(candidates, divided[candidates["game"].to_numpy()], edition.values("colour.left-over"))


def _parts(hundredths: Ints, shares: Mapping[str, Fraction], left_over: str) -> dict[str, Ints]:
    """Return the parts of some awards by colour: they always add up to the award."""
    exact = hundredths[:, None] * np.array([int(percent) for percent in shares.values()], dtype=np.int64)
    parts, lacking = exact // 100, exact % 100
    left = hundredths - parts.sum(axis=1)
    if left_over == "last":
        parts[:, -1] += left
    else:
        order = np.argsort(np.argsort(-lacking, axis=1, kind="stable"), axis=1)
        parts += order < left[:, None]
    return {colour: parts[:, number] for number, colour in enumerate(shares)}
