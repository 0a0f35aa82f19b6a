"""JSON: the machine interface. Its schema is ``resultproc/formats/json/result.schema.json``.

Awards are decimal strings; ``positions`` lists every stratum that a contestant is ranked in, paid or not;
``candidates`` every award that it could have had, the highest first. Where the results of boards are known, a game has
its travellers as ``boards`` and a contestant its ``scorecard``. What the sheet carried besides (printed ranks and
awards, session scores, handicaps, what a scoring program stored) is beside it where there is any, so that the
JSON reads back whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from resultproc.formats.registry import Part, Sealed, Writer, sum_around
from resultproc.model.errors import FormatError
from resultproc.model.frames import Result
from resultproc.model.json import json_text, loaded
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.pages.result import content, content_of, games_of


def write(result: Result) -> bytes:
    """Return the games as UTF-8 JSON."""
    entries = content(result)
    if result.seal:
        seal = {name: value for name, value in result.seal.items() if name != "data"}
        entries = {PROVENANCE_KEY: entries.pop(PROVENANCE_KEY), "seal": seal, **entries}
    return _as_bytes(entries)


def write_each(result: Result, parts: Sequence[Part]) -> Iterator[bytes]:
    """Yield the JSON of some parts of a result, as :func:`write` writes each."""
    games = games_of(result)
    for part in parts:
        mine = games[part.games]
        for entry, name in zip(mine, part.names, strict=True):
            entry["game"]["game_id"] = name
        yield _as_bytes(content_of(part.provenance, part.remarks, mine))


def _as_bytes(content: Mapping[str, Any]) -> bytes:
    return json_text(content, allow_nan=False).encode()


def unseal(data: bytes) -> list[Sealed]:
    """Return the sealed result of a JSON file; none of what is no sealed JSON. All else in it is the seal's data."""
    if not re.match(rb"(\xef\xbb\xbf)?\s*\{", data) or b'"seal"' not in data:
        return []
    entries = loaded(data, once=True)
    if "seal" not in entries:
        return []
    seal = entries.pop("seal")
    if not isinstance(seal, dict):
        raise FormatError("the seal of this file is damaged", "$.seal")
    written = json_text({"seal": seal}).encode()[2:-3]  # without the braces around it
    return [Sealed(seal, entries, data, sum_around(data, written), tuple)]


WRITER = Writer("json", "JSON", (".json",), write, boards=True, each=write_each, unseal=unseal)
