"""NABC and WBF championships under the General Formula."""

from __future__ import annotations

from fractions import Fraction

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula.depth import depth_class
from resultproc.rulebooks.common.championships import Championship, championship_of, followed, minimum_of
from resultproc.rulebooks.common.exact import text
from resultproc.rulebooks.common.first import First
from resultproc.rulebooks.core import Edition


def check_championship(group: Group, championship: Championship) -> None:
    """Raise DeclarationError where a game's keys contradict the championship that it is declared to be."""
    name = group.championship
    if championship.event_type == EventType.KNOCKOUT:
        raise DeclarationError(
            f"{name} is a knockout, which the General Formula does not cover", hint="declare event_type knockout"
        )
    said_and_right: list[tuple[str, str | int, str | int]] = [
        ("event_type", group.event_type, championship.event_type),
        ("sessions", group.sessions, championship.sessions),
        ("rating", group.rating, "" if championship.by_formula else championship.rating),
    ]
    for key, said, right in said_and_right:
        if right and said != right:
            raise DeclarationError(
                f"{key} is '{said}', but {name} has '{right}'", hint=f"correct {key} or championship"
            )


def scale_sessions(edition: Edition, group: Group, championship: Championship) -> int:
    """Return the sessions that the lower places go by: a WBF event's are those of the NABC event closest to it."""
    return followed(edition, championship).sessions or group.sessions


def is_wbf(edition: Edition, group: Group) -> bool:
    """Return whether this is a WBF event: those have no session awards."""
    championship = championship_of(edition, group.championship)
    return championship is not None and bool(championship.closest)


def championship_award(edition: Edition, group: Group, championship: Championship, formula: First) -> First:
    """Return the first award of a championship: a fixed one, or the formula's up to a maximum.

    Where the event needs a number of tables, or of teams, only a part is given below it.
    """
    first = _fixed(championship, formula)
    if not minimum_of(edition, championship):
        return first
    path = f"championship-minimum.{depth_class(group.event_type)}"
    part = next(part for least, part in edition.rows(path) if group.event_tables >= least)
    return first.times(Fraction(part), path)


def _fixed(championship: Championship, formula: First) -> First:
    if championship.first is not None:
        return First(championship.first, f"fixed at {text(championship.first)}", (championship.path,))
    if championship.most is not None and formula.award > championship.most:
        shown = f"{formula.factors}, at most {text(championship.most)}"
        return First(championship.most, shown, (championship.path,))
    return formula
