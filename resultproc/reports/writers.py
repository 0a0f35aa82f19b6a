"""What writes a report, by the name of the format: each function says which with a decorator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
W = TypeVar("W", bound=Callable[..., bytes])


class Writers(dict[str, Callable[P, bytes]], Generic[P]):
    """The writers of one report by the names of their formats; an instance decorates each of them.

    A writer of ``html`` takes ``fragment``, too, and so is the writer of ``html-fragment``.
    """

    def __call__(self, name: str) -> Callable[[W], W]:
        """Return the decorator of the writer of a format."""

        def register(write: W) -> W:
            of_format: dict[str, Callable[..., Any]] = {name: write}
            if name == "html":
                of_format["html-fragment"] = partial(write, fragment=True)
            self.update(of_format)
            return write

        return register
