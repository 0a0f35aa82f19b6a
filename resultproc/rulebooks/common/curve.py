"""The scales by which lower places follow from a first award."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from resultproc.model.errors import RulebookError
from resultproc.rulebooks.common.exact import Shares
from resultproc.rulebooks.core import Edition, cached_per_edition


def by_place(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    """Return what so many places get as shares of the first award.

    share: returns that of one place, of what is given of the edition and ``of``.
    """
    # In powers of two, so that few scales are computed and kept.
    return _kept_scale(edition, 1 << (places - 1).bit_length(), share, *of)[:places]


@cached_per_edition
def _kept_scale(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    return Shares.of(share(edition, *of, place) for place in range(1, places + 1))


def overall_share(edition: Edition, sessions: int, place: int) -> Fraction:
    """Return what a place gets overall, as a share of the first award, in an event of so many sessions."""
    step = edition.number("overall.step")
    steps = step ** (place - 1)
    # Above the place where it begins, the curve of a single session would not fall.
    curve = long_share(step, edition.whole("overall.long-steps-until"), sessions, place)
    reading = edition.text("overall.reading")
    if reading == "greater":
        return max(steps, curve)
    if reading != "by sessions":
        raise RulebookError(f"unknown value '{reading}' of overall.reading", hint="write by sessions or greater")
    if sessions >= edition.number("overall.long"):
        return curve
    return steps if place <= edition.number("overall.steps-until") else Fraction(1, place)


def long_share(step: Fraction, steps_until: int, sessions: int, place: int) -> Fraction:
    """Return a place's share of the first award on the scale of long events: steps, then the curve of its sessions."""
    return step ** (place - 1) if place <= steps_until else Fraction(sessions, place + 2 * sessions - 3)


def overall_scale(edition: Edition, sessions: int) -> tuple[str, ...]:
    """Return the paths of the values that the scale of an event of so many sessions comes from."""
    if edition.text("overall.reading") == "greater":
        return ("overall.step", "overall.reading")
    return ("overall.step", "overall.long" if sessions >= edition.number("overall.long") else "overall.steps-until")


def percent_share(percentages: Sequence[Fraction], place: int) -> Fraction:
    """Return a place's share of the first award: the percentages are for 2nd, 3rd, ...; below them 1 / place."""
    if place == 1:
        return Fraction(1)
    return percentages[place - 2] / 100 if place - 2 < len(percentages) else Fraction(1, place)
