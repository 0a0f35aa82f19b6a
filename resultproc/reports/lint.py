"""What is doubtful about files, and nothing else; one that cannot be read does not hide the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from resultproc.formats.json.writer import remark_entry
from resultproc.formats.read import read
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.frames import Sheet
from resultproc.model.provenance import Provenance
from resultproc.stages.doubts import doubts
from resultproc.stages.doubts.sessions import files_alike
from resultproc.stages.pipeline import award_each, joined


@dataclass(frozen=True)
class Lint:
    """What is doubtful about some files, and what is wrong with those that could not be read.

    provenance: the files.
    """

    remarks: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    provenance: Provenance = field(default_factory=Provenance)


def lint(*paths: str | Path, format: str | None = None, **keys: object) -> Lint:
    """Return what is doubtful about some files, as far as it is known without what they lack.

    format, keys: as for :func:`resultproc.read`.
    """
    remarks: list[Problem] = []
    problems: list[Problem] = []
    sheets = []
    for path in paths:
        try:
            sheets.append(read(path, format=format, **keys))
        except InputError as error:
            problems += error.problems
        else:
            remarks += _remarks(sheets[-1])
    if len(sheets) > 1:
        remarks += files_alike(joined(sheets))
    found = list(dict.fromkeys(remarks))
    return Lint(found, problems, Provenance(tuple(each for sheet in sheets for each in sheet.sources), (), len(found)))


def _remarks(sheet: Sheet) -> Iterator[Problem]:
    """Yield what is doubtful about a sheet, and of the games that can be awarded about their awards."""
    found = doubts(sheet)
    yield from (*sheet.remarks, *found.every)
    with suppress(InputError):
        yield from award_each(sheet, found)[0].remarks


def text(found: Lint) -> bytes:
    """Return a line for each remark."""
    return "".join(f"{remark}\n" for remark in quoted(found.remarks)).encode()


def to_json(found: Lint) -> bytes:
    """Return the remarks, and what is wrong with files."""
    content = {
        "provenance": found.provenance.entry(),
        "remarks": [remark_entry(remark) for remark in quoted(found.remarks)],
        "problems": InputError(found.problems).as_dicts(),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


WRITERS: Mapping[str, Callable[[Lint], bytes]] = {"text": text, "json": to_json}
"""The formats of what is doubtful, by name."""
