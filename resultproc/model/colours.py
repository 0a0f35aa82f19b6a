"""The colours of a printed award: ``black=0.22, red=0.22``, as the column ``printed_colours`` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from resultproc.model.frames import COLOURS
from resultproc.model.numbers import decimal_text


def colours_text(hundredths: Mapping[str, int]) -> str:
    """Return an award by colour as the printed column has it: ``black=0.22, red=0.22``, in the usual order."""
    return ", ".join(f"{colour}={decimal_text(hundredths[colour])}" for colour in COLOURS if colour in hundredths)


def colours_in(text: str) -> dict[str, int]:
    """Return the hundredths of each colour that a printed column has; none where the text says anything else."""
    found = {colour: 100 * int(whole) + int(part) for colour, whole, part in _OF_COLOUR.findall(text)}
    said = ", ".join(f"{colour}={decimal_text(part)}" for colour, part in found.items())
    return found if said == text else {}


_OF_COLOUR = re.compile(r"([a-z]+)=([0-9]+)\.([0-9]{2})")
