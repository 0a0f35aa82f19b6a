"""The awards of events under the General Formula, and comparison groups as it counts them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain

import numpy as np
import pandas as pd

from resultproc.model.arrays import Floats, Ints, categorical, factorize_text
from resultproc.model.basis import MATCHES, MAX_SESSIONS, OVERALL, Basis, Kind, Terms, basis_mask
from resultproc.model.frames import FrameRow
from resultproc.model.game import PER_TABLE
from resultproc.model.group import Group, Groups, Ladders, Members
from resultproc.rulebooks.acbl_general_formula.colours import (
    coloured_by,
    formula_colours,
    in_two_colours,
    with_better_colour,
    with_combined_tops,
    with_gold_tops,
)
from resultproc.rulebooks.acbl_general_formula.contradictions import check_event, uncounted_sites, uncredited_events
from resultproc.rulebooks.acbl_general_formula.formula import with_class
from resultproc.rulebooks.acbl_general_formula.ladders import match_shape, overall_shape, session_shape
from resultproc.rulebooks.common.awards import (
    made_with,
    wins_by_place,
    with_handicap_added,
    with_small_shares,
    with_sums_of_sessions,
    with_ties_beyond,
)
from resultproc.rulebooks.common.conditions import (
    OF_KNOCKOUTS,
    keys_without_effect,
    with_limits_of_championships,
    words_without_effect,
)
from resultproc.rulebooks.common.exact import hundredths
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import ByShape, Shape


class GeneralFormula(ByShape):
    """Overall awards by the event's total, session awards by section and direction, match awards of Swiss teams; the
    best of them is paid.
    """

    apart: tuple[str, ...] = ("size", "wins")

    fields: tuple[str, ...] = (
        *("basis", "level", "limit", "event_limit", "size", "stratum_tables", "event_tables", "one_winner"),
        *("wins", "boards", "rating", "event_type", "sessions", "restrictions", "special", "flight", "bracket"),
        *("lower_tables", "concurrent_tables", "other_site_tables", "session_tables", "cuts", "championship"),
        *("half_tables", "section_tables", "unfilled", "flighted_tables"),
    )

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs.

        Every stratum is ranked overall; one with too few tables is paid nothing there.
        """
        return Terms(
            "always",
            "combined",
            section_minimum_in_group=edition.whole("stratum.least-in-group"),
            overall_minimum_in_game=1,
            overall_minimum_in_group=1,
            matches=edition.text("match.reading") != "none",
            half_tables=edition.text("tables.half-reading"),
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with a column for each of the fields.

        groups: one row per group, with those of the overall comparison beside those of the sessions: the tables of a
        stratum follow from the contestants that it has in the whole event. members: who is compared by matches won.
        The size is, overall, that of the stratum; in a session that of the direct comparison, by the tables unless the
        field was cut before it. In a session of some ratings each contestant in direct comparison stands for a table.
        Sessions are told apart only where the field was cut; what matches were won, and of how many boards, matters
        only where these are compared; the tables of the event only where :func:`_event_tables` says.
        ``half_tables`` and ``section_tables`` say where other readings of these would give other tables.
        """
        overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
        by_matches = basis_mask(groups["basis"], lambda basis: basis == MATCHES)
        level = groups["level"].to_numpy(dtype=np.int64)
        stratum = groups["game"].to_numpy() * (int(level.max(initial=0)) + 1) + level
        row = np.full(int(stratum.max(initial=-1)) + 1, -1)
        row[stratum[overall]] = np.flatnonzero(overall)
        of_whole = row[stratum]
        if (of_whole < 0).any():
            raise ValueError("there are comparison groups of events without an overall one")
        in_tables, in_contestants = (groups[name].to_numpy()[of_whole] for name in ("tables", "ranked"))
        kind, kinds = factorize_text(groups["event_type"])
        per_table = np.array([PER_TABLE[each] for each in kinds], dtype=np.int64)[kind]
        basis, after_cut = _sessions(groups)
        groups = with_class(edition, groups)
        by_contestants = ~(overall | by_matches) & _has_rating(groups, edition.words("session.by-contestants"))
        lower = (groups["level"] > 0).to_numpy()
        of_event = np.where(lower, np.ceil(in_contestants / per_table), in_tables).astype(np.int64)
        # Of a lower stratum, the tables that its contestants in the section would fill.
        filled = groups["ranked"].to_numpy() * groups["winners"].to_numpy() / per_table
        in_section = np.ceil(np.where(lower, filled, groups["tables"])).astype(np.int64)
        of_section = np.where(overall | by_matches | by_contestants, of_event, in_section)
        # Awards of the top stratum alone go by the tables in play, and so by half ones.
        halves = groups["game"].isin(groups["game"][groups["tables"] % 1 > 0].unique()).to_numpy()
        tables = of_section if edition.text("session.b-reading") == "section" else of_event
        return groups.assign(
            basis=basis,
            half_tables=halves & ~lower,
            section_tables=of_section != of_event,
            unfilled=np.where(lower & ~by_contestants, of_event - in_contestants / per_table, 0.0),
            limit=np.minimum(groups["limit"], groups["event_limit"]),
            size=groups["ranked"].where(overall | after_cut, groups["size"]),
            stratum_tables=np.where(by_contestants, groups["size"], tables).astype(np.int64),
            event_tables=_event_tables(edition, groups, members, in_tables, per_table),
            one_winner=groups["winners"] == 1,
            wins=wins_by_place(groups, members),
            boards=groups["boards"].fillna(0).astype(np.int64).where(by_matches, 0),
        )

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what ladders of overall or session groups, or of ones compared by matches won, have in common.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        check_event(edition, group)
        if group.basis.kind is Kind.MATCHES:
            return match_shape(edition, group)
        if group.basis.over_all:
            return overall_shape(edition, group)
        return session_shape(edition, group)

    def ladders(self, edition: Edition, groups: Groups, reach: Ints) -> Ladders:
        """Return the ladder of each group; see :class:`~resultproc.rulebooks.core.Rules`."""
        return with_ties_beyond(edition, super().ladders(edition, groups, reach))

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games: what is declared and has no effect."""
        return chain(
            words_without_effect(edition, games, rows),
            keys_without_effect(games, rows, OF_KNOCKOUTS),
            uncounted_sites(edition, games, rows),
            uncredited_events(edition, with_class(edition, games), rows),
        )

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with what adds up: a handicap game's in one case, and session awards."""
        candidates = with_handicap_added(edition, candidates)
        candidates = with_gold_tops(edition, with_combined_tops(edition, candidates, games), games)
        if edition.yes("sessions.sum"):
            candidates = with_sums_of_sessions(candidates, edition.values("sessions.sum"))
        candidates = with_limits_of_championships(edition, candidates, games)
        if _SMALL in edition.entries:
            of_rating = games["rating"].isin(list(edition.words("depth.least-award-ratings"))).to_numpy(dtype=np.bool_)
            small = candidates["masterpoints"].to_numpy() < hundredths(edition.number("depth.least-award"))
            small &= of_rating[candidates["game"].to_numpy()] & (candidates["tied"].to_numpy() > 1)
            overall = basis_mask(candidates["basis"], lambda basis: basis == OVERALL)
            small &= overall & ~made_with(candidates, "strength.exponent")
            candidates = with_small_shares(edition, candidates, _SMALL, small)
        return with_better_colour(edition, candidates, games)

    def coloured_by(self, edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
        """Return the paths of the values that an award of a game is of some colours by."""
        return coloured_by(edition, game, colours)

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour; see :func:`~.colours.colours`."""
        return in_two_colours(edition, formula_colours(edition, winners, games), winners, games)


_SMALL = "depth.least-ties-reading"
"""The path of the reading that decides about shares after ties below the least award that is given."""

_APART = (OVERALL, MATCHES)
"""What is no session."""


def _sessions(groups: pd.DataFrame) -> tuple[pd.Categorical, np.ndarray]:
    """Return the basis of each group, and whether the field was cut before it.

    All sessions of an uncut event have the same; with or without handicap, the awards are those of one basis.
    """
    code, texts = factorize_text(groups["basis"])
    bases = [Basis.parse(str(text)) for text in texts]
    number = np.array([max(1, basis.session) for basis in bases], dtype=np.int64)[code]
    cut, declared = factorize_text(groups["cuts"])
    first_cuts = np.array([*(int(text.split(",")[0]) for text in declared), MAX_SESSIONS], dtype=np.int64)
    after_cut = number > first_cuts[cut]
    kinds = [OVERALL if basis.over_all else basis for basis in bases]
    apart = np.array([_APART.index(basis) if basis in _APART else -1 for basis in kinds], dtype=np.int64)[code]
    session = np.where(cut >= 0, number, 1) - 1
    most = int(number.max(initial=1))
    each = [*(Basis(Kind.SESSION, number) for number in range(1, most + 1)), *_APART]
    return categorical(np.where(apart >= 0, most + apart, session), map(str, each)), after_cut


def _event_tables(edition: Edition, groups: pd.DataFrame, members: Members, in_tables: Floats, per_table: Ints) -> Ints:
    """Return the tables of the whole event where awards go by them, else 0: so events of many sizes have one ladder.

    For flights and championships halves count as whole ones. For games at clubs the full tables count, since the scale
    of large ones asks for 30 tables, which 59 pairs do not fill.
    """
    by_event = (groups["flight"].notna() | groups["championship"].notna()).to_numpy()
    tables = np.where(by_event, in_tables, 0).astype(np.int64)
    large = np.flatnonzero(~by_event & _has_rating(groups, edition.words("session.large.ratings")))
    if len(large):
        listed = np.bincount(members.facts.sections.game)
        tables[large] = listed[groups["game"].to_numpy()[large]] // per_table[large]
    return tables


def _has_rating(groups: pd.DataFrame, wanted: Collection[str]) -> np.ndarray:
    rating, ratings = factorize_text(groups["rating"])
    return np.isin(ratings, list(wanted))[rating]
