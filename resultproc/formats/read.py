"""Files to frames. One module per format, each with a READER: what it is called, whether it knows a file, how it reads.

Formats are told apart by their content. What a file cannot say of its game is declared beside it, see
:mod:`resultproc.formats.declared`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import pandas as pd

from resultproc.formats.declared import fill_defaults, override_each, read_sidecar, with_own_files
from resultproc.formats.loaded import Readable, errors_of, load_source
from resultproc.formats.registry import Reader, decode, detect
from resultproc.formats.separated import csv_rows, delimiter_of
from resultproc.model.draft import Draft, Reading, framed, sheets_of
from resultproc.model.errors import Problem, shown
from resultproc.model.frames import BOARDS, DEALS, Sheet
from resultproc.model.grid import Records, Row
from resultproc.model.plugins import named
from resultproc.model.provenance import Origin
from resultproc.model.source import Declaration, DeclaredFile, Source
from resultproc.scoring.scored import scored
from resultproc.tables.told import with_event_type, with_movement, with_titled_tables
from resultproc.tables.unsaid import with_boards_played, with_half_tables, with_top_letter, without_nobody

if TYPE_CHECKING:
    from resultproc.people.members import MemberList


def read(path: Readable, *, format: str | None = None, **keys: object) -> Sheet:
    """Read one results file.

    path: the file, whose sidecar ``GAME.toml`` is read with it; or its content as bytes, or a file that is open.
        ``Source("game.csv", content)`` gives content a name.
    format: the name of its format; without it the content tells.
    keys: game keys that override what the file and its sidecar declare, such as ``tables=9``; ``settings``, the file of
        a club's settings, by default ``resultproc.toml`` in the folder of the file; ``players``, the list of its
        players, by default the one that the settings name, see :mod:`resultproc.people.members`; ``deals``, a file of
        the hands, by default those that its sidecar names, see :mod:`resultproc.formats.deals`; ``site``, the results
        site that it is for (the settings may say more of that site); and ``rescore=True``, to have the totals that the
        file prints replaced by those that follow from the results of its boards.

    Returns the sheet: the games frame with all that is declared, and the contestants frame.
    Raises InputError, the file and the line or cell named, for whatever is wrong.
    """
    return sheets_of([drafted(path, format=format, **keys)])[0]


def read_play(path: Readable, *, format: str | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the board results and the hands of one file, without rows where its format has none.

    A source that was read before is not read again.

    Returns the boards and the deals frame; raises InputError like :func:`read`.
    """
    source = load_source(path)
    with errors_of(source.name):
        reader = reader_of(source, format)
        if not reader.boards:
            return BOARDS.empty(), DEALS.empty()
        if (format or "") not in source.play:
            reading = reader.read(source)
            source.play[format or ""] = (reading.boards, _dealt(reading, source)[0])
        boards, deals = source.play[format or ""]
        return framed([boards], BOARDS), framed([deals], DEALS)


def drafted(path: Readable, *, format: str | None = None, **keys: object) -> Draft:
    """Read one results file to a draft; takes and raises what :func:`read` does.

    :func:`resultproc.model.draft.sheets_of` makes sheets of drafts, of many at once faster than one by one.
    """
    again = bool(keys.pop("rescore", False))
    settings, site = keys.pop("settings", None), str(keys.pop("site", None) or "")
    files = (settings, keys.pop("players", None), keys.pop("deals", None))
    source = load_source(path, *(str(file) if file else None for file in files))
    with errors_of(source.name):
        reader = reader_of(source, format)
        reading = without_nobody(reader.read(source))
        beside, each = read_sidecar(source)
        beside = {key: declaration for key, declaration in beside.items() if key not in reading.settled}
        by, home = (source.beside.name, source.beside.home) if source.beside else ("", None)
        facts = override_each(with_own_files(reading.sheet.facts, source.home), beside, each, by, home)
        declared = {key: declaration for key, declaration in reading.declared.items() if keys.get(key) is None}
        facts = override_each(facts, declared, reading.each, source.name, source.home)
        options = {name: Declaration(value, "") for name, value in keys.items() if value is not None}
        sheet = replace(reading.sheet, facts=override_each(facts, options, {}, "options"))
        if source.players:
            from resultproc.people.members import with_members

            sheet = with_members(sheet, _members(source.players))
        # The event type, movement and half tables that titles and contestants tell count where nothing declares them.
        sheet = with_movement(sheet)
        sheet = with_event_type(sheet, fill_defaults(sheet, source.settings, site).facts)
        sheet = reading.finish(with_titled_tables(with_half_tables(fill_defaults(sheet, source.settings, site))))
        doubts = [each for each in sheet.remarks if each.key not in {*beside, *options}]
        placed = (replace(each, file=each.file or shown(source.name)) for each in doubts)
        remarks = [replace(each, code=each.code or "sheet.doubtful") for each in placed]
        of_single = {f"{game}: {key}": each for game, keys in reading.each.items() for key, each in keys.items()}
        deals, of_deals = _dealt(reading, source)
        source.play[format or ""] = (reading.boards, deals)
        beside_it = tuple(Origin(shown(file.name), sha256(file.data).hexdigest()) for file in source.read_with)
        draft = Draft(
            sheet.rows,
            sheet.facts,
            (*remarks, *of_deals),
            reading.boards,
            deals,
            Origin(shown(source.name), source.sha256, reader.name, beside_it),
            sheet.understood.as_declared(
                reader.title, {**reading.declared, **of_single}, {key for fact in reading.sheet.facts for key in fact}
            ),
        )
        return with_boards_played(with_top_letter(scored(draft, again=again)))


@lru_cache(maxsize=4)
def _members(file: DeclaredFile) -> MemberList:
    from resultproc.people.members import members_of

    with errors_of(file.name):
        return members_of(file.name, _tables(file.data))


def _tables(data: bytes) -> Iterator[list[Row]]:
    from resultproc.formats.xlsx import sniff
    from resultproc.formats.xlsx.reader import sheets_in
    from resultproc.formats.xlsx.sheet_cells import is_other

    if is_other(data) or sniff(data):
        yield from sheets_in(data)[0].values()
    else:
        lines = decode(data).split("\n")
        first = next((line for line in lines if line.strip()), "")
        yield list(csv_rows(lines, delimiter_of(first), 1))


def _dealt(reading: Reading, source: Source) -> tuple[Records, list[Problem]]:
    if not source.deals:
        return reading.deals, []
    from resultproc.formats.deals import with_deals

    return with_deals(reading, source)


def reader_of(source: Source, format: str | None) -> Reader:
    """Return what reads a file: the reader of a format, or of the one that its content shows."""
    reader: Reader = named("readers", format) if format else detect(source)
    return reader
