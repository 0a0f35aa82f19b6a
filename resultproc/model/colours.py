"""The colours of a printed award: ``black=0.22, red=0.22``, as the column ``printed_colours`` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from resultproc.model.frames import COLOURS
from resultproc.model.game import leagues
from resultproc.model.numbers import decimal_text


def colours_text(hundredths: Mapping[str, int]) -> str:
    """Return an award by colour as the printed column has it: ``black=0.22, red=0.22``, in the usual order."""
    return ", ".join(_part(colour, hundredths[colour]) for colour in COLOURS if colour in hundredths)


def _part(colour: str, hundredths: int) -> str:
    """Return the points of a colour; those that only leagues of whole points have are whole numbers."""
    text = _decimals(colour, hundredths)
    whole = all(each.whole for each in leagues().values() if colour in each.points_colours)
    return text.removesuffix(".00") if whole else text


def colours_in(text: str) -> dict[str, int]:
    """Return the hundredths of each colour that a printed column has; none where the text says anything else."""
    found = {colour: 100 * int(whole) + int(part or 0) for colour, whole, part in _OF_COLOUR.findall(text)}
    said = {", ".join(of(colour, part) for colour, part in found.items()) for of in (_part, _decimals)}
    return found if text in said else {}


def _decimals(colour: str, hundredths: int) -> str:
    return f"{colour}={decimal_text(hundredths)}"


_OF_COLOUR = re.compile(r"([a-z]+)=([0-9]+)(?:\.([0-9]{2}))?")
