"""The ranks and awards of contestants as a workbook for print shows them: computed, or as a sheet has them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from resultproc.formats.common.annotated import annotated, by_colour
from resultproc.model.frames import Result
from resultproc.model.seats import compared
from resultproc.model.values import place_text

BASES = ("section", "overall")
"""The bases of comparison whose ranks are shown."""

Places = dict[str, dict[str, str]]
"""By basis and stratum: ``2``, or of a tie ``2/3``."""


@dataclass
class Ranked:
    """What is known of a contestant: its places, those of them that pay, and its award by colour, in hundredths.

    An award of a colour that is not known is under ''. paid_by: as sheets print it. among: with whom it is compared
    overall, '' where that is everyone or is not known.
    """

    places: Places = field(default_factory=lambda: {basis: {} for basis in BASES})
    paid: set[tuple[str, str]] = field(default_factory=set)
    award: dict[str, int] = field(default_factory=dict)
    paid_by: str = ""
    among: str = ""


def ranked(result: Result) -> dict[Hashable, Ranked]:
    """Return what is known of each contestant, by its row."""
    frame = annotated(result)
    found = {at: _printed(row) for at, row in zip(frame.index, frame.to_dict("records"), strict=True)}
    if result.awards is None:
        return found
    for at, basis, letter, position, tied, among in zip(
        *(result.standings[name].tolist() for name in ("contestant", "basis", "stratum", "position", "tied")),
        compared(result),
        strict=True,
    ):
        if basis in BASES:
            found[at].places[basis][letter] = place_text(position, tied)
        if basis == "overall":
            found[at].among = among
    return found


def _printed(row: Mapping[Hashable, object]) -> Ranked:
    """Return what the printed columns of an annotated contestant say: the places in it pay."""
    known = Ranked()
    for basis in BASES:
        text = row[f"printed_{basis}"]
        for letter, place in re.findall("([A-Z])=([0-9/]+)", text if isinstance(text, str) else ""):
            known.places[basis][letter] = place
            known.paid.add((basis, letter))
    known.award = by_colour(row["printed_award"], row["printed_colours"])
    known.paid_by = row["printed_paid_by"] if isinstance(row["printed_paid_by"], str) else ""
    return known
