"""The outcome of verifying files, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from resultproc.model.errors import InputError
from resultproc.model.errors import shown as readable
from resultproc.model.json import json_text
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.pages.tables import Writers
from resultproc.reports.verify.seal import SealData
from resultproc.reports.verify.verify import Proof, Verified, who

_MOST = 50
"""This many lines are shown to people of a file that is wrong throughout."""

_NO_SIGNATURE = "A seal is no signature: it shows that a file agrees with itself, and not who made it."

WRITERS: Writers[[Sequence[Verified]]] = Writers()
"""The formats of the outcome, by name."""


@WRITERS("text")
def text(found: Sequence[Verified]) -> bytes:
    """Return for each file what does not follow, a line for each, then how it is as a whole."""
    lines = [line for each in found for line in _lines(each)]
    if any(each.signed_by == "" for each in found):
        lines.append(_NO_SIGNATURE)
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(found: Verified) -> Iterator[str]:
    if found.findings:
        yield from _most(f"{found.file}: {finding}" for finding in found.findings)
        yield f"{found.file}: does not follow from its own data"
        return
    count = f"of {found.contestants} contestant{'s' if found.contestants != 1 else ''}"
    compared = "the names, places, scores and awards that were compared follow from its own data"
    if found.proof is Proof.WRITTEN:
        what = compared if found.partly else "all follows from its own data"
        yield f"{found.file}: as it was written: {what}, {count}{_signature(found)}"
    elif found.proof is Proof.VALUES:
        yield f"{found.file}: its values follow; its looks are not proven, {count}{_signature(found)}"
        yield from _most(f"{found.file}: {look}" for look in found.looks)
    else:
        yield f"{found.file}: {compared}; what it shows is not proven, {count}{_signature(found)}"
        yield from _most(f"    compared: {each}" for data in found.data for each in _compared(data))
        yield from _most(f"{found.file}: {look}" for look in found.looks)
    for name in found.sources:
        yield f"    from {name}"


def _most(lines: Iterable[str]) -> Iterator[str]:
    """Yield as many of some lines as people read, and the number of the others."""
    listed = list(lines)
    yield from listed[:_MOST]
    if len(listed) > _MOST:
        yield f"    and {len(listed) - _MOST} more"


def _compared(data: SealData) -> Iterator[str]:
    """Yield the names and numbers of each contestant that follow, so that they can be compared with what is shown."""
    for game in data["games"]:
        for each in game["contestants"]:
            places = [
                " ".join([basis, *(f"{letter}={place['position']}" for letter, place in strata.items())])
                for basis, strata in each["positions"].items()
                if strata
            ]
            score = "" if each.get("score") is None else f"{each['score']:g}"
            share = "" if each.get("percentage") is None else f"{each['percentage']:.2f}%"
            yield readable(f"{who(each)}: {'; '.join(filter(None, [score, share, *places, each['masterpoints']]))}")


def _signature(found: Verified) -> str:
    if found.signed_by:
        return f"; signed with the key of {found.signed_by}"
    return "; signed, but not checked: name the public key with --key" if found.signed else ""


@WRITERS("json")
def to_json(found: Sequence[Verified]) -> bytes:
    """Return the same as JSON; ``signed_by`` is the file of the key that a signature was checked with, or null."""
    files = [
        {
            "file": each.file,
            "follows": not each.findings,
            "proof": each.proof.name.lower(),
            "contestants": each.contestants,
            "signed": each.signed,
            "signed_by": each.signed_by or None,
            "findings": [asdict(finding) for finding in each.findings],
            "looks": [asdict(look) for look in each.looks],
            "remarks": InputError(each.remarks).as_dicts(),
            PROVENANCE_KEY: [data[PROVENANCE_KEY] for data in each.data],
            "result_sha256": each.result_sums,
        }
        for each in found
    ]
    return json_text({"files": files, "note": _NO_SIGNATURE}).encode()
