"""What an event declares, held against itself: what contradicts or would be passed over is refused."""

from __future__ import annotations

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType, Rating, number_text
from resultproc.rulebooks.acbl_general_formula import championships
from resultproc.rulebooks.acbl_general_formula.event import Claim, words
from resultproc.rulebooks.acbl_general_formula.flights import TOP
from resultproc.rulebooks.acbl_general_formula.tables import lower_tables
from resultproc.rulebooks.core import Edition


def check(edition: Edition, claim: Claim) -> None:
    """Raise DeclarationError where keys of an event contradict each other, or one has no meaning for it."""
    special = words(claim.special)
    if claim.championship:
        championships.check(edition, claim)
    if claim.bracket and claim.event_type != EventType.SWISS:
        what = f"bracket is declared, but the General Formula knows of no bracketed {claim.event_type} event"
        raise DeclarationError(what, hint="leave it out, or declare event_type swiss")
    if claim.lower_tables and not claim.flight and not claim.bracket and "barometer-1" not in special:
        what = "lower_tables is declared, but nothing that is credited with them"
        raise DeclarationError(what, hint="declare the flight or bracket that this is, or special = barometer-1")
    if claim.session_tables and "side-game-series-overall" not in special:
        what = "session_tables is declared, but only a side game series goes by them"
        raise DeclarationError(what, hint="leave it out, or declare special = side-game-series-overall")
    if claim.other_site_tables and claim.rating not in {Rating.REGIONAL, Rating.REGIONAL_AT_NABC}:
        raise DeclarationError("other_site_tables is declared, but only regionals are split", hint="leave it out")
    if claim.level > 0 and "side-game-series-overall" in special:
        raise DeclarationError("the overall awards of a side game series have no strata", hint="declare one stratum")
    late = [after for after in claim.cuts.split(", ") if after and int(after) >= claim.sessions]
    if late:
        what = f"the field is said to be cut after session {late[0]}, but the event has {claim.sessions}"
        raise DeclarationError(what, hint="mend cuts or sessions")
    if claim.flight:
        _check_flight(claim)


def _check_flight(claim: Claim) -> None:
    lower = [float(limit) for limit in lower_tables(claim) if limit]
    if lower and max(lower) >= claim.event_limit:
        what = f"flight {claim.flight} up to {number_text(claim.event_limit)} has a lower flight up to "
        raise DeclarationError(what + number_text(max(lower)), hint="mend limit or lower_tables: limits fall")
    if claim.flight == TOP and claim.level > 1:
        what = "flight A has more than two strata"
        raise DeclarationError(what, hint="it may have a stratum X below stratum A, and no other")
