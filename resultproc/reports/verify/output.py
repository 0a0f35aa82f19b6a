"""What came of verifying files, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from resultproc.model.errors import InputError
from resultproc.model.provenance import KEY
from resultproc.reports.verify.verify import Verified

_MOST = 50
"""So many lines are shown to people of a file that is wrong throughout."""

_NO_SIGNATURE = "A seal is no signature: it shows that a file agrees with itself, and not who made it."


def text(found: Sequence[Verified]) -> bytes:
    """Return for each file what does not follow, a line for each, then how it is as a whole."""
    lines = [line for each in found for line in _lines(each)]
    if any(each.signed_by == "" for each in found):
        lines.append(_NO_SIGNATURE)
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(found: Verified) -> Iterator[str]:
    for finding in found.findings[:_MOST]:
        yield f"{found.file}: {finding}"
    if len(found.findings) > _MOST:
        yield f"{found.file}: and {len(found.findings) - _MOST} more"
    if found.findings:
        yield f"{found.file}: does not follow from its own data"
        return
    count = f"{found.contestants} contestant{'s' if found.contestants != 1 else ''}"
    what = "the names, places, scores and awards that were compared follow" if found.partly else "all follows"
    yield f"{found.file}: {what} from its own data, of {count}{_signature(found)}"
    for name in found.sources:
        yield f"    from {name}"


def _signature(found: Verified) -> str:
    if found.signed_by:
        return f"; signed with the key of {found.signed_by}"
    return "; signed, but not checked: name the public key with --key" if found.signed else ""


def to_json(found: Sequence[Verified]) -> bytes:
    """Return the same as JSON; ``signed_by`` is the file of the key that a signature was checked with, or null."""
    files = [
        {
            "file": each.file,
            "follows": not each.findings,
            "contestants": each.contestants,
            "signed": each.signed,
            "signed_by": each.signed_by or None,
            "findings": [asdict(finding) for finding in each.findings],
            "remarks": InputError(each.remarks).as_dicts(),
            KEY: [data[KEY] for data in each.data],
            "result_sha256": each.result_sums,
        }
        for each in found
    ]
    return (json.dumps({"files": files, "note": _NO_SIGNATURE}, ensure_ascii=False, indent=1) + "\n").encode()


WRITERS: dict[str, Callable[[Sequence[Verified]], bytes]] = {"text": text, "json": to_json}
"""The formats of what came of verifying by name."""
