"""The awards of tournaments by the strength of the field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, expand_counts, map_text, words_in
from resultproc.model.basis import OVERALL, basis_mask
from resultproc.model.codes import HOLDINGS_MISSING
from resultproc.model.errors import DeclarationError
from resultproc.model.game import BY_MATCHES, EventType, parse_strata
from resultproc.model.group import Group, Groups, Ladders, Members, starts
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import Values
from resultproc.rulebooks.acbl_general_formula.contradictions import check_special
from resultproc.rulebooks.acbl_general_formula.formula import (
    computed_as,
    depth_class,
    overall_depth,
    overall_depth_paths,
)
from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula
from resultproc.rulebooks.acbl_strength_of_field.formula import (
    FieldEntered,
    counted_entrants,
    decay,
    means,
    of_strength_one,
    session_equivalents,
    strengths,
    tables_of_entrants,
    total,
)
from resultproc.rulebooks.common.awards import (
    decided_by,
    declared_boards,
    made_with,
    missing_key,
    paying,
    r_factor,
    with_small_shares,
)
from resultproc.rulebooks.common.conditions import championship_of
from resultproc.rulebooks.common.exact import Multiples, factor_text
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import NoAwards, Shape, ladders_together, result_or_error

_NOTHING: dict[str, float | str] = {
    **{"lowest_limit": 0.0, "floor_limit": 0.0},
    **{"entered": 0, "players": 0, "power": 0, "unknown": ""},
}
"""What the fields of a group's strength are where no award goes by it."""

_MEASURED = ["game", "contestant", "level", "limit", "event_limit", "strata", "event_type"]
"""The columns of groups that their strength is measured by."""

_BY_FORMULA = "scope.general-formula-kinds"
"""The path of the special words of events whose overall awards keep to the General Formula."""


class StrengthOfField(GeneralFormula):
    """Overall awards by the strength of the field, all others as the General Formula has them."""

    apart = (*GeneralFormula.apart, "players", "power")
    fields = (*GeneralFormula.fields, "session_boards", *_NOTHING)

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups as the General Formula counts them; overall ones with what F and S follow from."""
        measured = super().measured(edition, groups, members)
        over_all = (measured["basis"] == str(OVERALL)).to_numpy()
        whole = groups[_MEASURED].iloc[np.flatnonzero(over_all)].reset_index(drop=True)
        top, lowest = (_stratum_limit(whole, which) for which in (0, -1))
        by_event = edition.text("strength.floor-reading") == "event"
        floor_limit = top if by_event else np.minimum(top, whole["limit"].to_numpy())
        own = {"lowest_limit": lowest, "floor_limit": floor_limit, **strengths(edition, whole, floor_limit, members)}
        boards = groups["boards"].fillna(0).astype(np.int64)
        return measured.assign(
            boards=measured["boards"].mask(over_all, boards),
            session_boards=groups["session_boards"].where(over_all),
            **{name: _only_in(over_all, own[name], nothing) for name, nothing in _NOTHING.items()},
        )

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum of session awards, without what is too small to be given.

        Overall awards of events that do not go by their field are paid by the value that says so.
        """
        candidates = super().combine(edition, candidates, games)
        by_formula = words_in(games["special"], *edition.words(_BY_FORMULA))
        if by_formula.any():
            overall = basis_mask(candidates["basis"], lambda basis: basis == OVERALL)
            rows = np.asarray(by_formula[candidates["game"].to_numpy()] & overall, dtype=np.bool_)
            candidates = decided_by(candidates, rows, edition.values(_BY_FORMULA))
        if edition.text("least.reading") == "given":
            return candidates
        small = candidates["masterpoints"].to_numpy() < edition.number("least.award") * 100
        small &= made_with(candidates, "strength.exponent")
        return with_small_shares(edition, candidates, "least.ties-reading", np.asarray(small, dtype=np.bool_))

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what ladders of overall or session groups, or of ones compared by matches won, have in common.

        Each stratum is an event of its own overall, whose awards grow with the strength of its field.
        Raises DeclarationError for an event that the formula has no R for, and one that does not give its boards and
        its players' holdings.
        """
        if not group.basis.over_all or not _is_covered(edition, group):
            return super().shape(edition, group)
        check_special(edition, group)
        ratings = edition.words("scope.ratings")
        if group.rating not in ratings:
            what = f"there is no R for a {group.rating} game under strength of field"
            raise DeclarationError(what, hint=f"known: {', '.join(ratings)}")
        if group.unknown:
            raise _no_holdings(group.unknown)
        values = edition.values("strength.exponent", *_by_reading(edition, group))
        nothing = NoAwards(values, "F 0: none of the players has masterpoints")
        # What they need is asked for only where there is any strength.
        return _AnyStrength(cache(lambda: _of_field(edition, group)), nothing)

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
        """Yield what is doubtful about some games: an event that goes by its field is credited with no other."""
        own = games["championship"].isna() & ~words_in(games["special"], *edition.words(_BY_FORMULA))
        declared = ((games["concurrent_tables"].fillna("none") != "none") & own).to_numpy()
        others = games.assign(concurrent_tables=games["concurrent_tables"].mask(declared))
        yield from super().doubts(edition, others, rows)
        what = "concurrent_tables has no effect on its awards: they go by the strength of its own field"
        for row in rows[declared[rows]].tolist():
            yield row, what, "leave it out"
        what = "other_site_tables has no effect on its overall awards: they go by the field at this site alone"
        for row in rows[(games["other_site_tables"].notna() & own).to_numpy()[rows]].tolist():
            yield row, what, "check these with the league"


def _only_in(rows: Bools, own: npt.NDArray[Any], nothing: float | str) -> pd.Categorical:
    """Return values of some rows among those of all, which have nothing: as categories, as those rows are few."""
    number, distinct = pd.factorize(np.append(nothing, own))
    spread = np.zeros(len(rows), dtype=np.min_scalar_type(-len(distinct)))
    spread[rows] = number[1:]
    return pd.Categorical.from_codes(spread, pd.Index(distinct))


def _stratum_limit(groups: pd.DataFrame, which: int) -> Floats:
    """Return the limit of the top stratum (0) or the lowest (-1) of each group's game, never above the event's own."""
    limits = map_text(groups["strata"], lambda text: parse_strata(text)[which].limit, np.inf)
    return np.asarray(np.minimum(limits, groups["event_limit"]), dtype=np.float64)


def _is_covered(edition: Edition, group: Group) -> bool:
    """Return whether an event's overall awards go by the strength of its field: others keep to the General Formula."""
    if group.event_type == EventType.KNOCKOUT:
        return False
    championship = championship_of(edition, group.championship)
    if championship:
        return championship.by_formula and championship.most is None
    return not group.special & set(edition.words(_BY_FORMULA))


@dataclass(frozen=True)
class _AnyStrength(Shape):
    """What overall awards have in common that differ only in the strength of their field."""

    # Returns it for those that have any; DeclarationError where their event does not declare what they need.
    strong: Callable[[], _OfField]
    weak: NoAwards  # what it is for those that have none

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        power, players = (groups.frame[name].to_numpy() for name in ("power", "players"))
        asked = set(which[power > 0].tolist())
        strong = [result_or_error(shape.strong) if n in asked else shape.weak for n, shape in enumerate(shapes)]
        every = [*strong, *(shape.weak for shape in shapes), _no_holdings("a lower stratum")]
        each = np.where(players == 0, len(every) - 1, which + len(shapes) * (power == 0))
        return ladders_together(every, each, groups, reach)


@dataclass(frozen=True)
class _OfField(Shape):
    """What overall awards of fields of some strength have in common."""

    awards: Multiples  # of a field of strength 1
    depth: int  # the places that the table of places gives
    least: int  # the least award that is given, in hundredths
    values: Values  # those of the rulebook
    with_least: Values  # those of a ladder that the least award ends
    total: Fraction  # T if the strength were 1
    shown: str  # the size, length and rate of all fields
    decay: str  # D

    @classmethod
    def ladders(cls, shapes: Sequence[Self], which: Ints, groups: Groups, reach: Ints) -> Ladders:
        of = [shapes[each] for each in which.tolist()]
        power, players = (groups.frame[name].to_numpy() for name in ("power", "players"))
        depth = np.array([shape.depth for shape in shapes], dtype=np.int64)[which]
        known = np.array([len(shape.awards.near) for shape in shapes], dtype=np.int64)[which]
        count = np.minimum(np.maximum(reach, np.maximum(depth, 1)), known)
        strength = means(power, players)
        awards, refused = Multiples.hundredths(
            [shape.awards for shape in shapes], which, strength, np.arange(len(of)), count
        )
        start, (number, place) = starts(count), expand_counts(depth)
        least = np.array([shape.least for shape in shapes], dtype=np.int64)[which]
        given = np.bincount(number[awards[start[number] + place] >= least[number]], minlength=len(of))
        values = [
            each.with_least if few else each.values for each, few in zip(of, (given < depth).tolist(), strict=True)
        ]
        totals = strength.times(Multiples.of([shape.total for shape in shapes]), which)
        pays = [paying(places) for places in range(int(given.max(initial=0)) + 1)]
        top, shown = awards[start[:-1]].tolist(), (strength.texts(3), players.tolist(), totals.texts(2))
        told = zip(of, top, *shown, given.tolist(), strict=True)
        factors = [
            f"first {decimal_text(first)} (F {f} of {n} players, {field.shown}); T {t}, D {field.decay}; {pays[places]}"
            for field, first, f, n, t, places in told
        ]
        return Ladders(awards, start, given, values, factors, refused)


def _of_field(edition: Edition, group: Group) -> _OfField:
    """Return what the awards of fields have in common that differ in their strength alone."""
    r = r_factor(edition, computed_as(edition, group).r)
    own = edition.text("session-boards.limited-reading") == "own stratum"
    limit = group.limit if own else group.lowest_limit
    sessions = sum((session_equivalents(edition, 1, each, limit) for each in _boards(group)), Fraction(0))
    field = FieldEntered(group.event_type, group.entered, r.value, sessions, Fraction(1))
    depth, cited = _places(edition, group)
    cited = (*r.cited, *_cited(edition, group), *cited)
    by_least = edition.text("least.reading") == "not given"
    counted = counted_entrants(edition, field.event_type, field.entrants)
    parts = [
        f"N {field.entrants}" + (f", N' {factor_text(counted, 2)}" if counted != field.entrants else ""),
        f"S {factor_text(field.sessions, 3)}",
        f"R {factor_text(field.rate, 2)}",
    ]
    if edition.number("event-factor") != 1:
        parts.append(f"factor {edition.shown('event-factor')}")
    return _OfField(
        of_strength_one(edition, field, depth, max(group.entered, depth, 1)),
        depth,
        ceil(100 * edition.number("least.award")) if by_least else 0,
        edition.values(*cited),
        edition.values(*cited, "least.award"),
        total(edition, field),
        ", ".join(parts),
        factor_text(decay(edition, field)),
    )


def _no_holdings(whose: str) -> DeclarationError:
    what = f"holdings are missing for {whose}, and overall awards depend on them"
    hint = "write mp1, mp2, ... for every player, or choose another rulebook such as acbl-general-formula-2019"
    return DeclarationError(what, hint=hint, code=HOLDINGS_MISSING)


def _boards(group: Group) -> tuple[int, ...]:
    """Return the boards of each session; DeclarationError where they are not declared, or not of each."""
    own = group.session_boards
    if not own and group.event_type in BY_MATCHES:
        why = "overall awards depend on the boards per session: boards is the number per match"
        raise missing_key("session_boards", why, "28")
    if not own:
        own = (declared_boards(group, "overall awards depend on the boards per session", "26"),)
    if len(own) not in {1, group.sessions}:
        what = f"session_boards has {len(own)} numbers, but the event has {group.sessions} sessions"
        raise DeclarationError(what, hint="write one number for all sessions, or one per session")
    return own * group.sessions if len(own) == 1 else own


def _places(edition: Edition, group: Group) -> tuple[int, tuple[str, ...]]:
    """Return how many places the table of places gives, however small their awards, and where that is said."""
    tables = tables_of_entrants(edition, group.event_type, group.entered)
    if group.level > 0 and tables < edition.number("stratum.least-tables"):
        return 0, ("stratum.least-tables",)
    depth = overall_depth(edition, group.event_type, group.sessions, tables, tables, group.entered, group.entered)
    unwanted = {"depth.least-award", "depth.floor"}
    return depth, tuple(p for p in overall_depth_paths(edition, group.event_type, tables) if p not in unwanted)


def _cited(edition: Edition, group: Group) -> list[str]:
    """Return the paths of what the awards follow from, besides R and the number of places."""
    paths = ["strength.exponent", *_by_reading(edition, group)]
    if group.floor_limit > edition.number("strength.floor-above"):
        paths.append("strength.floor")
    full_from, full_to = edition.number("session-boards.full-from"), edition.number("session-boards.full-to")
    if not all(full_from <= boards <= full_to for boards in _boards(group)):
        paths.append("session-boards.full-from")
    if group.entered > edition.number(f"entrants.whole.{depth_class(group.event_type)}"):
        paths.append("entrants.beyond")
    if edition.number("event-factor") != 1:
        paths.append("event-factor")
    return [*paths, "first.factor", "total.factor", "decay.places", "decay.power", "decay.exponent-reading"]


def _by_reading(edition: Edition, group: Group) -> tuple[str, ...]:
    """Return the path of the reading that decides whether small holdings count as larger, in strata below the top."""
    above = edition.number("strength.floor-above")
    return ("strength.floor-reading",) if group.level and group.limit <= above < group.event_limit else ()
