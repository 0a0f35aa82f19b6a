"""The General Formula for one event: B x R x S x M x P x T."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.kinds import ComputedAs
from resultproc.rulebooks.common.exact import text
from resultproc.rulebooks.common.factors import (
    Factor,
    b_factor,
    m_of,
    p_factor,
    product,
    r_factor,
    s_factor,
    t_factor,
)
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition

TABLES = "tables"
"""What B is looked up for, as it is shown."""


def first_overall(edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float) -> First:
    """Return B x R x S x M x P x T on some tables under a limit.

    Raises DeclarationError where the formula has no factor for what is declared.
    """
    b, r, *rest = _factors(edition, group, kind, tables, limit, TABLES)
    return product([b, r, s_factor(edition, kind.sessions), *rest])


def first_in_session(
    edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float, part: str, counted: str = TABLES
) -> First:
    """Return the first award of a session: a part, at a path, of B x R x M x P x T.

    counted: what stands for the tables, as it is shown.
    Raises DeclarationError where the formula has no factor for what is declared.
    """
    of_formula = Factor("", edition.number(part), (part,), always=True)
    return product([of_formula, *_factors(edition, group, kind, tables, limit, counted)])


def _factors(
    edition: Edition, group: Group, kind: ComputedAs, tables: Fraction, limit: float, counted: str
) -> list[Factor]:
    r = r_factor(edition, kind.r)
    return [
        b_factor(edition, tables, f"{text(tables, 2)} {counted}"),
        replace(r, cited=(*r.cited, *kind.r_by)),
        m_of(edition, group.special, limit),
        p_factor(edition, len(group.restrictions)),
        t_factor(edition, kind.event_type),
    ]


def least_award(edition: Edition, group: Group, kind: ComputedAs) -> Fraction:
    """Return the least award that is given past the places of the table."""
    rmp = product(
        [
            r_factor(edition, kind.r),
            m_of(edition, group.special, group.limit),
            p_factor(edition, len(group.restrictions)),
        ]
    )
    return max(edition.number("depth.floor") * rmp.award, edition.number("depth.least-award"))
