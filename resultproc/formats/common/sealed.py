"""What a sealed file is read as: its seal, the data that it is recomputed from, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True)
class Sealed:
    """A sealed result in a file: the seal without its data, the data (as JSON has games), and what is shown of them.

    shown: nothing where the data are all that the file has. strict: whether nothing but this may be there, down to the
    markup; a workbook that another program has saved is still the same.
    """

    seal: Mapping[str, Any]
    data: Mapping[str, Any]
    shown: Sequence[Shown] = ()
    strict: bool = True
