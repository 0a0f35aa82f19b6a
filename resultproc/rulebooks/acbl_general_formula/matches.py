"""The match awards of Swiss teams: D x L x M x P for each match won, half of it for a tied one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from resultproc.rulebooks.acbl_general_formula import championships
from resultproc.rulebooks.acbl_general_formula.event import Claim, Event, require
from resultproc.rulebooks.acbl_general_formula.factors import class_factor, l_factor, p_factor, text, to_hundredths
from resultproc.rulebooks.acbl_general_formula.formula import First, event_of, m_of, stratum_limit
from resultproc.rulebooks.core import Edition, Ladder


def match_ladder(edition: Edition, claim: Claim, reach: int) -> Ladder:
    """Return what the matches pay that each place has won; those of all strata go by the limit of the highest.

    Raises DeclarationError where the boards of a match are not declared.
    """
    if claim.level or edition["match.reading"] == "none" or championships.is_wbf(edition, claim):
        return Ladder((0,) * reach, 0, edition.cite("match.reading"), "no match awards in this stratum or event")
    boards, _, won = claim.matches.partition(":")
    each = _award(edition, claim, int(require(boards, "boards", "match awards depend on the boards per match", "7")))
    awards = [to_hundredths(each.award * Fraction(wins)) for wins in won.split(",")]
    rule = edition.cite(*each.cited, "match.reading")
    factors = f"{text(each.award, 2)} for each match won ({each.factors})"
    return Ladder((*awards, *[0] * (reach - len(awards))), len(awards), rule, factors)


def _award(edition: Edition, claim: Claim, boards: int) -> First:
    """Return what a match pays, rounded."""
    event = _as_final(edition, event_of(edition, claim))
    m, m_paths = m_of(edition, event, stratum_limit(claim))
    length = l_factor(edition, boards)
    long = boards >= edition["factor.l.steps"][0][0]
    factors = [
        ("D", class_factor(edition, "d", claim.rating), (f"factor.d.{claim.rating}",)),
        ("L", length, ("factor.l.steps" if long else "factor.l.divisor",)),
        ("M", m, m_paths),
        ("P", p_factor(edition, event.restrictions), ("factor.p",) if event.restrictions else ()),
    ]
    award = Fraction(1)
    for _, factor, _ in factors:
        award *= factor
    shown = " x ".join(f"{name} {text(factor)}" for name, factor, _ in factors if name == "D" or factor != 1)
    return First(award, shown, tuple(path for _, _, paths in factors for path in paths)).rounded()


def _as_final(edition: Edition, event: Event) -> Event:
    """Return the event as its final, whose match awards a consolation pays."""
    return replace(event, words=event.words - set(edition["match.as-final"]))
