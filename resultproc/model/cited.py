"""The values of regulations that an award was made from: where each is, and what it says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Value:
    """A value of a rulebook.

    path: where it is, such as ``section.percentages``; file: in which of the rulebooks' files. value: what it says,
    as text. document, place: what it is cited from. confidence: printed, secondary or inferred.
    """

    path: str
    value: str
    document: str
    place: str
    confidence: str
    file: str

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def cite(self) -> str:
        """The document and the place in it; what is not printed there says so: ``(inferred)``."""
        return ", ".join(filter(None, (self.document, self._said_place)))

    @property
    def _said_place(self) -> str:
        return self.place if self.confidence == "printed" else f"{self.place} ({self.confidence})".strip()


@dataclass(frozen=True)
class Values:
    """The values that made an award, in the order in which they went in.

    A class of its own, so that a pandas category can hold it whole.
    """

    items: tuple[Value, ...] = ()

    def __hash__(self) -> int:
        return self._of_paths

    @cached_property
    def _of_paths(self) -> int:
        # By their paths alone: those of thousands of ladders are told apart, and few that differ have the same ones.
        return hash(tuple([item.path for item in self.items]))

    @classmethod
    def of(cls, items: Iterable[Value]) -> Values:
        """Return the values, each once."""
        return cls(tuple(dict.fromkeys(items)))

    @cached_property
    def rule(self) -> str:
        """The citation of all values: each document once, with its places."""
        places: dict[str, list[str]] = {}
        for item in self.items:
            of_document = places.setdefault(item.document, [])
            if item._said_place and item._said_place not in of_document:
                of_document.append(item._said_place)
        return "; ".join(
            f"{document}, {' and '.join(parts)}" if parts else document for document, parts in places.items()
        )
