"""Lists made at random, whose contestants are known, and such lists spoilt: what is read of them is right, or told."""

from __future__ import annotations

from conftest import ALL
from made_lists import Contestant, Made

from resultproc import read
from resultproc.formats.source import Source
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet

LISTS = 400 if ALL else 134


def found_in(sheet: Sheet) -> list[Contestant]:
    """Return what was read of each contestant."""
    frame = sheet.contestants
    names = ["section", "direction", "number", "score", "percentage", "printed_section", "printed_award", "id1", "id2"]
    frame = frame.assign(**{name: None for name in [*names, "player2"] if name not in frame}).astype(object)
    frame = frame.where(frame.notna(), None)
    return [
        Contestant(
            tuple(name for name in (row.player1, row.player2) if name),
            row.section,
            row.direction,
            row.number,
            (row.id1, row.id2) if row.id1 else None,
            row.score,
            row.percentage,
            row.printed_section.rpartition("=")[2] if row.printed_section else None,
            row.printed_award,
        )
        for row in frame.itertuples(index=False)
    ]


_WHAT = ("section", "direction", "number", "members", "score", "percentage", "place", "award")


def judged(made_list: Made) -> tuple[str, str]:
    """Return how a list was read, and what is the matter.

    ``right``; ``refused``; ``told`` where it was read otherwise, with a remark on that; else ``silent``.
    """
    try:
        sheet = read(Source(made_list.name, made_list.data))
    except InputError as error:
        return "refused", str(error)[:300]
    wrong = list(differences(made_list, sheet))
    if not wrong:
        return "right", ""
    remarks = " ".join(remark.what for remark in sheet.remarks)
    silent = [what for what, words in wrong if not any(word and word in remarks for word in words)]
    return ("silent", "; ".join(silent)) if silent else ("told", f"{wrong[0][0]} | {remarks}"[:300])


def differences(made_list: Made, sheet: Sheet):
    """Yield what was read otherwise than it is said, each with the words that a remark on that has."""
    found = {each.players: each for each in found_in(sheet)}
    if str(sheet.games["date"].iloc[0])[:10] != made_list.date:
        yield f"the date is {sheet.games['date'].iloc[0]}, not {made_list.date}", ()
    columns = [text for table in made_list.document.tables for text in table.head or []]
    for each in made_list.contestants:
        read_as = found.pop(each.players, None)
        if read_as is None:
            yield f"{each.players} is not read", each.players
            continue
        for name in _WHAT:
            wanted, got = getattr(each, name), getattr(read_as, name)
            if wanted is not None and not _same(wanted, got):
                yield f"{each.players}: {name} is {got}, not {wanted}", columns
    for players in found:
        yield f"{players} is nobody in the list", players


def _same(wanted: object, got: object) -> bool:
    if isinstance(wanted, float | int) and isinstance(got, float | int):
        return abs(wanted - got) < 1e-9
    return wanted == got
