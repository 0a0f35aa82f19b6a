"""Outputs sealed: each is verified before it is given out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from resultproc.formats.registry import Writer
from resultproc.formats.source import Source
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.reports.verify.seal import HIDDEN, data_of, seal_of, signed
from resultproc.reports.verify.verify import verify

Sign = Callable[[bytes], Mapping[str, str]]
"""What signs: it takes what to sign, and gives the signature as the seal has it."""


def sealed(result: Result, writer: Writer, *, holdings: bool = False, sign: Sign | None = None) -> bytes:
    """Return what a writer writes of a result, with its seal; it verifies, or is not made.

    holdings: whether a page may hold what its awards depend on and it does not show, see
    :data:`resultproc.reports.verify.seal.HIDDEN`; no page holds more of that than it takes.
    Raises InputError where a page would need it, and where awards do not follow from what a file holds at all.
    """
    if not writer.page:
        return _sealed(result, writer, HIDDEN, sign)
    try:
        return _sealed(result, writer, (), sign)
    except InputError:
        page = _sealed(result, writer, HIDDEN, sign)
    needed = list(HIDDEN)
    for name in HIDDEN:
        fewer = [each for each in needed if each != name]
        try:
            page, needed = _sealed(result, writer, fewer, sign), fewer
        except InputError:
            continue
    if not holdings:
        words = " and ".join(HIDDEN[name] for name in needed)
        what = f"these awards depend on what a page does not show: {words}"
        raise InputError(what, hint="holdings=True puts that into the page, for everybody to read")
    return page


def _sealed(result: Result, writer: Writer, held: Collection[str], sign: Sign | None) -> bytes:
    contents = data_of(result, writer, held)
    seal = seal_of(contents, writer, held)
    if writer.name != "json":
        # What a page shows depends on whether it is signed, and on nothing else of its seal that is not known yet.
        draft = _signed({**seal, "shows": "0" * 64}, sign)
        assert writer.unseal
        (made,) = writer.unseal(writer.write(replace(result, seal={**draft, "data": contents})))
        seal["shows"] = made.sha256
    data = writer.write(replace(result, seal={**_signed(seal, sign), "data": contents}))
    name = result.provenance.sources[0].name if result.provenance.sources else "the result"
    verified = verify(Source(name, data))
    if not verified.passes():
        found = next(iter(verified.findings), "it cannot be written again as it is")
        raise InputError(f"this cannot be sealed, since it does not follow from its own data: {found}", file=name)
    return data


def _signed(seal: dict[str, Any], sign: Sign | None) -> dict[str, Any]:
    return {**seal, "signature": sign(signed(seal))} if sign else seal
