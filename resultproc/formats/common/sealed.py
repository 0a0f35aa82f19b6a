"""What a sealed file is read as: its seal, the data that it is recomputed from, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Shown(NamedTuple):
    """Something that a file shows: which column or part it is of, and its text.

    who: the contestant that it is of. where: its cell. core: whether it is a contestant's name, place, score or award,
    and no wording or layout, which another version of the program may change.
    """

    what: str
    text: str
    who: str = ""
    where: str = ""
    core: bool = True


def _nothing() -> Sequence[Shown]:
    return ()


@dataclass(frozen=True)
class Sealed:
    """A sealed result in a file: the seal without its data, the data (as JSON has games), and what is shown of them.

    shown: nothing where the data are all that the file has. sha256: of all of the file that a program could show,
    without the seal; '' where the data are all, or where the seal stands otherwise than it is written. inside: whether
    the file has something around what was sealed. looks: what gives how it looks, besides what is shown: for people,
    where it was saved again.
    """

    seal: Mapping[str, Any]
    data: Mapping[str, Any]
    shown: Sequence[Shown] = ()
    sha256: str = ""
    inside: bool = False
    looks: Callable[[], Sequence[Shown]] = _nothing
