"""NABC and WBF championships: what a rulebook has under their names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isnan, nan

from resultproc.model.errors import DeclarationError, InputError, closest
from resultproc.model.game import Rating, number_text
from resultproc.rulebooks import typed
from resultproc.rulebooks.core import Edition

_PREFIX = "championship."


@dataclass(frozen=True)
class Championship:
    """What a rulebook says of a championship.

    path: where. event_type, sessions: what it must be, '' and 0 for any. first: its first award, None where that is
    the formula's; rating: of one that is fixed. most: the maximum of the formula's. minimum: what shrinks with few
    tables: ``part`` for all overall awards, ``first`` for the first one, which others follow; '' for nothing. closest:
    of a WBF event, the NABC one that it follows. places: down to this place, the award. match: for each match won.
    depth: whether the places that pay go by the number of teams. limit: the upper limit of its entry, infinite for
    none, NaN where it changed over the years and is asked for.
    """

    path: str
    event_type: str = ""
    sessions: int = 0
    first: Fraction | None = None
    most: Fraction | None = None
    minimum: str = ""
    closest: str = ""
    places: tuple[tuple[int, Fraction], ...] = ()
    match: Fraction | None = None
    depth: bool = False
    rating: str = Rating.NATIONAL.value
    limit: float = inf

    @property
    def by_formula(self) -> bool:
        """Whether its first award is the formula's, whatever the maximum."""
        return self.first is None


def path_of(edition: Edition, name: str) -> str:
    """Return the path of a championship; raise DeclarationError, the closest one suggested, for an unknown one."""
    path = _PREFIX + name
    if path not in edition.entries:
        known = [each.removeprefix(_PREFIX) for each in edition.entries if each.startswith(_PREFIX)]
        raise DeclarationError(f"unknown championship '{name}'", hint=closest(name, known))
    return path


def championship_of(edition: Edition, name: str) -> Championship | None:
    """Return the championship of a name, None for ''; raise DeclarationError for an unknown one."""
    if not name:
        return None
    path = path_of(edition, name)
    return replace(edition.read(path, _of_table), path=path)


def _of_table(written: object) -> Championship:
    """Return the championship that a rulebook's table describes; raise ValueError where it is wrong."""
    value = typed.table(written)
    first, minimum = value.get("first"), value.get("minimum", "")
    return Championship(
        "",
        typed.text(value.get("event-type", "")),
        typed.whole(value.get("sessions", 0)),
        None if first == "formula" else typed.number(first),
        typed.number(value["most"]) if "most" in value else None,
        "part" if minimum is True else typed.text(minimum),
        typed.text(value.get("closest", "")),
        tuple((int(last), award) for last, award in typed.rows(value.get("places", []))),
        typed.number(value["match"]) if "match" in value else None,
        typed.yes(value.get("depth", False)),
        typed.text(value.get("rating", Rating.NATIONAL.value)),
        _limit_of(value.get("limit")),
    )


def _limit_of(written: object) -> float:
    return inf if written is None else nan if written == "asked" else float(typed.number(written))


def limit_of(edition: Edition, name: str) -> float:
    """Return the upper limit of a championship's entry, infinite for none, NaN if it is asked for.

    One that is not known, or not written as it must be, has none: it is refused where its award is computed.
    """
    try:
        known = championship_of(edition, name)
    except InputError:
        return inf
    return known.limit if known else inf


def limit_amiss(name: str, declared: float, own: float) -> tuple[str, str]:
    """Return what is wrong with the limit that is declared of a championship, infinite for none, and a hint."""
    if isnan(own):
        what = f"limit is not declared, and that of {name} changed over the years: its awards depend on it"
        return what, "declare limit, the highest holding that could enter, such as 2500"
    what = f"limit is {number_text(declared)}, but {name} has {number_text(own)}"
    return what, "correct limit, strata or championship"


def minimum_of(edition: Edition, championship: Championship) -> str:
    """Return what shrinks with few tables: of a WBF event by the closest NABC event, if it is read so."""
    if championship.closest and edition.text("championship-minimum.wbf-reading") == "closest":
        return followed(edition, championship).minimum
    return championship.minimum


def followed(edition: Edition, championship: Championship) -> Championship:
    """Return the championship that one follows: of a WBF event the NABC event that is closest to it, else itself."""
    return championship_of(edition, championship.closest) or championship
