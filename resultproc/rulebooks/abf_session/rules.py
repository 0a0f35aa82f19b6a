"""The session awards of the Australian Bridge Federation; the figures are in ``session.toml``."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pandas as pd

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import FrameRow
from resultproc.model.game import EventType, Scoring
from resultproc.model.group import Group, Ladder
from resultproc.rulebooks.common.awards import First, missing_key, percent_share
from resultproc.rulebooks.common.exact import decimal, exponential
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.core import Edition


class SessionRules(FieldRules):
    """A rate for each table times the weight of the grade, and shares of that to half of the field."""

    fields: tuple[str, ...] = (*FieldRules.fields, "weight")

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what the places of a session pay (manual, 3.1.1 and 4.1)."""
        first, (depth, path) = _first(edition, group), _depth(edition, group)
        points = [first.award * _share(edition, place) for place in range(1, depth + 1)]
        return field_ladder(edition, points, (*first.cited, path, "ladder.percentages"), first.factors)

    def refuse_open(self, edition: Edition, group: Group) -> None:
        """Raise DeclarationError for what is missing of the manual; a reading pays sessions of teams."""
        if group.event_type != EventType.BAM or edition.text("teams.reading") != "session":
            super().refuse_open(edition, group)

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the hundredths by colour: that of each grade."""
        rating, points = games["rating"].iloc[winners["game"]], winners["masterpoints"].to_numpy()
        return pd.DataFrame(
            {
                colour: np.where(rating.isin(edition.words(f"colour.{colour}")).to_numpy(), points, 0)
                for colour in edition.below("colour.")
            },
            winners.index,
        )

    def coloured_by(self, edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
        """Return the path of the value that gives an award its colour: the list that has the game's grade."""
        return tuple(f"colour.{colour}" for colour in colours if game["rating"] in edition.words(f"colour.{colour}"))


def _first(edition: Edition, group: Group) -> First:
    tables = ceil(group.tables)
    name = f"session.{'one-winner' if group.one_winner else 'two-winners'}"
    weight, path = _weight(edition, group)
    straight = tables <= edition.whole(f"{name}.straight-until")
    used = f"{name}.rate" if straight else f"{name}.scale"
    cited = (used, path, *edition.inferred("session.half-tables"))
    if group.event_type == EventType.INDIVIDUAL:
        cited += ("session.individual",)
    if straight:
        shown = f"{decimal(edition.number(used))} x {tables} tables"
        return First(edition.number(used) * tables * weight, f"{shown} x W {decimal(weight)}", cited)
    scale = edition.number(used)
    shown = f"1 - exp(-{tables} tables / {scale})"
    return First(weight * (1 - exponential(-tables / scale)), f"W {decimal(weight)} x ({shown})", cited)


def _depth(edition: Edition, group: Group) -> tuple[int, str]:
    """Return how many places pay, and the path of the value that says so."""
    of_pairs = "depth.butler" if group.scoring == Scoring.BUTLER else "depth.pairs"
    path = "depth.teams" if group.event_type == EventType.BAM else of_pairs
    if path == "depth.teams" or edition.shown(path) == '"third"':
        over, under = edition.numbers("depth.teams")
        return ceil(group.ranked * over / under), path
    return floor(group.ranked * edition.number("depth.pairs")), path


def _share(edition: Edition, place: int) -> Fraction:
    """Return a place's share of the first award: below those that have percentages 1 / (place - 1)."""
    percentages = edition.numbers("ladder.percentages")
    return percent_share(percentages, place) if place <= len(percentages) + 1 else Fraction(1, place - 1)


def _weight(edition: Edition, group: Group) -> tuple[Fraction, str]:
    """Return the weight of a game, and the path of the value that says so.

    Raises DeclarationError where it must be declared and is not, may not be declared, or is out of range.
    """
    own, declared = f"weight.{group.rating}", f"weight.declared.{group.rating}"
    if not group.weight:
        if own in edition.entries:
            return edition.number(own), own
        raise missing_key("weight", f"that of {group.rating} is no one number", "5")
    if declared not in edition.entries:
        what = f"weight is declared, but that of {group.rating} is {decimal(edition.number(own))}"
        raise DeclarationError(what, hint="leave it out, or correct rating")
    least, most = edition.numbers(declared)
    if not least <= group.weight <= most:
        what = f"weight is {decimal(group.weight)}, and that of {group.rating} is {decimal(least)} to {decimal(most)}"
        raise DeclarationError(what, hint="correct weight or rating")
    return group.weight, declared
