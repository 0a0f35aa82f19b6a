"""A first award on its way: what it is, how it came about, and from which values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from resultproc.rulebooks.common.exact import rounded, text
from resultproc.rulebooks.core import Edition


@dataclass(frozen=True)
class First:
    """A first award before rounding, how it came about, and the paths of the values that went in."""

    award: Fraction
    factors: str
    cited: tuple[str, ...] = ()

    def times(self, factor: Fraction, path: str, sign: str = " x", why: str = "") -> First:
        """Return the award multiplied by the factor at a path; unchanged by a factor of 1."""
        if factor == 1:
            return self
        return First(self.award * factor, f"{self.factors}{sign} {text(factor)}{why}", (*self.cited, path))

    def by(self, edition: Edition, path: str, why: str = "") -> First:
        """Return the award multiplied by the value at a path, shown as it is written there; unchanged by 1."""
        if edition.number(path) == 1:
            return self
        return First(
            self.award * edition.number(path), f"{self.factors}, x {edition.shown(path)}{why}", (*self.cited, path)
        )

    def also_by(self, *paths: str) -> First:
        """Return the award with the paths of more values that went into it."""
        return First(self.award, self.factors, (*self.cited, *paths))

    def rounded(self) -> First:
        """Return the award as it is given, to the hundredth: what other awards follow from."""
        return First(rounded(self.award), self.factors, self.cited)


def paying(places: int) -> str:
    """Return how many places pay, as a person reads it."""
    return "1 place pays" if places == 1 else f"{places} places pay"
