"""How a program agrees with the suite, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from resultproc.model.errors import InputError
from resultproc.model.provenance import KEY
from resultproc.reports.conform.conform import Conformance, Share
from resultproc.reports.rows import Writers, table_as_text

_MOST = 25
"""This many differences are shown to people, those of the smallest games."""

_NAMED = 5
"""This many games that are not answered are named."""

WRITERS: Writers[[Conformance]] = Writers()
"""The formats by name."""


@WRITERS("text")
def text(found: Conformance) -> bytes:
    """Return for each paragraph how many games agree, then what differs, and how many games agree of all."""
    return "".join(f"{line}\n" for line in _lines(found)).encode()


def _lines(found: Conformance) -> Iterator[str]:
    rows = [[name, share.games, share.agreed, _percent(share)] for name, share in found.paragraphs.items()]
    yield from table_as_text(("Paragraph", "Games", "Agreed", "Share"), rows).splitlines()
    if found.differences:
        yield from ("", "What differs, in the smallest games first")
        yield from (f"  {each}" for each in found.differences[:_MOST])
        if len(found.differences) > _MOST:
            yield f"  and {len(found.differences) - _MOST} more"
    if found.not_answered:
        more = len(found.not_answered) - _NAMED
        named = ", ".join(found.not_answered[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        yield from ("", f"Not answered: {named}")
    yield from ("", f"{found.program}: {_of_all(found)}")
    if found.left_out:
        yield f"{found.left_out} of {found.left_out + found.compared} things expected are not in its answers"


def _of_all(found: Conformance) -> str:
    share = found.all
    each = ", ".join(f"{each.agreed} of {each.games} {name}" for name, each in found.origins.items())
    return f"{share.agreed} of {share.games} games agree, {_percent(share)}: {each}"


def _percent(share: Share) -> str:
    """Return a share in percent, rounded down: 100.0% is all."""
    return f"{share.agreed * 1000 // share.games / 10:.1f}%"


@WRITERS("json")
def to_json(found: Conformance) -> bytes:
    """Return the same as JSON, with all that differs."""
    content = {
        KEY: found.provenance.entry(),
        "program": found.program,
        **asdict(found.all),
        "origins": [{"origin": name, **asdict(share)} for name, share in found.origins.items()],
        "paragraphs": [
            {"paragraph": name, "cite": found.cites.get(name, ""), **asdict(share)}
            for name, share in found.paragraphs.items()
        ],
        "compared": found.compared,
        "left_out": found.left_out,
        "differences": [asdict(each) for each in found.differences],
        "not_answered": found.not_answered,
        "problems": InputError(found.problems).as_dicts(),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
