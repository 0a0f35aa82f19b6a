"""What an event declares, held against itself: what contradicts or would be passed over is refused."""

from __future__ import annotations

from resultproc.model.errors import DeclarationError
from resultproc.model.game import number_text
from resultproc.model.group import Group
from resultproc.rulebooks.acbl_general_formula import championships
from resultproc.rulebooks.acbl_general_formula.flights import TOP
from resultproc.rulebooks.acbl_general_formula.kinds import is_series
from resultproc.rulebooks.acbl_general_formula.tables import lower_tables
from resultproc.rulebooks.common.championships import championship_of
from resultproc.rulebooks.common.factors import barometer_level
from resultproc.rulebooks.core import Edition


def check(edition: Edition, group: Group) -> None:
    """Raise DeclarationError where keys of an event contradict each other, or one has no meaning for it."""
    championship = championship_of(edition, group.championship)
    if championship:
        championships.check(group, championship)
    _check_tables(edition, group)
    if group.level > 0 and is_series(group):
        raise DeclarationError("the overall awards of a side game series have no strata", hint="declare one stratum")
    late = [after for after in group.cuts if after >= group.sessions]
    if late:
        what = f"the field is said to be cut after session {late[0]}, but the event has {group.sessions}"
        raise DeclarationError(what, hint="correct cuts or sessions")
    if group.flight:
        _check_flight(group)


def _check_tables(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for tables elsewhere that nothing would be credited with."""
    if group.bracket and group.event_type not in edition["bracketed.event-types"]:
        what = f"bracket is declared, but the General Formula knows of no bracketed {group.event_type} event"
        known = " or ".join(edition["bracketed.event-types"])
        raise DeclarationError(what, hint=f"leave it out, or declare event_type {known}")
    credited = group.flight or group.bracket or barometer_level(group.special) == 1
    if group.lower_tables is not None and not credited:
        what = "lower_tables is declared, but nothing that is credited with them"
        raise DeclarationError(what, hint="declare the flight or bracket that this is, or special = barometer-1")
    if group.session_tables and not is_series(group):
        what = "session_tables is declared, but only a side game series goes by them"
        raise DeclarationError(what, hint="leave it out, or declare special = side-game-series-overall")
    if group.other_site_tables and group.rating not in edition["split.ratings"]:
        raise DeclarationError("other_site_tables is declared, but only regionals are split", hint="leave it out")


def _check_flight(group: Group) -> None:
    lower = max((limit for limit, _ in lower_tables(group)), default=0)
    if lower >= group.event_limit:
        what = f"flight {group.flight} up to {number_text(group.event_limit)} has a lower flight up to "
        raise DeclarationError(what + number_text(lower), hint="correct limit or lower_tables: limits fall")
    if group.flight == TOP and group.level > 1:
        what = "flight A has more than two strata"
        raise DeclarationError(what, hint="it may have a stratum X below stratum A, and no other")
