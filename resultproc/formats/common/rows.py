"""Rows of cells, as the readers of sheets take them from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text, where it is, and what is wrong with it whatever it should hold."""

    text: str
    where: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, where it is, whether there is an empty row above it, and how it is shown.

    hidden: whether it is not shown, by itself or by a filter. struck_out: whether a line goes through all its texts;
    struck_in_part: through some.
    """

    cells: Sequence[Cell]
    where: str
    after_gap: bool = False
    hidden: bool = False
    struck_out: bool = False
    struck_in_part: bool = False

    @property
    def texts(self) -> list[str]:
        """The texts that are not empty."""
        return [cell.text for cell in self.cells if cell.text]

    @property
    def is_remark(self) -> bool:
        """Whether the first cell has a text that begins with #, and no other cell any."""
        return len(self.texts) == 1 and self.cells[0].text.startswith("#") and not self.cells[0].fault
