"""What came of verifying sealed files, as text and JSON; :mod:`resultproc.reports.seals` verifies them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from resultproc.model.errors import shown
from resultproc.model.language import in_words
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.text import counted
from resultproc.pages.tables import Writers
from resultproc.pages.words import percent
from resultproc.reports.json_types import VerifiedFile, VerifyReport, entry
from resultproc.reports.seals import Proof, SealData, Verified, who

_MOST_LINES = 50
"""This many lines are shown to people of a file that is wrong throughout."""

_NO_SIGNATURE = "A seal is no signature: it shows that a file agrees with itself, and not who made it."

WRITERS: Writers[[Sequence[Verified]]] = Writers()


@WRITERS.text
def text(found: Sequence[Verified]) -> Iterator[str]:
    """Yield for each file what does not follow, a line for each, then how it is as a whole."""
    for each in found:
        yield from _lines(each)
    if any(each.signed_by == "" for each in found):
        yield in_words(_NO_SIGNATURE)


def _lines(found: Verified) -> Iterator[str]:
    if found.findings:
        yield from _most(f"{found.file}: {in_words(str(finding))}" for finding in found.findings)
        yield f"{found.file}: {in_words('does not follow from its own data')}"
        return
    signed = f"; signed with the key of {found.signed_by}" if found.signed_by else ""
    if found.signed and not signed:
        signed = "; signed, but not checked: name the public key with --key"
    told = f"{_PROVEN[found.proof]}, of {counted(found.contestants, 'contestant')}{signed}"
    yield f"{found.file}: {in_words(told)}"
    if found.proof is Proof.VALUES:
        yield from (f"{found.file}: {in_words(str(look))}" for look in found.looks)
    elif found.proof is Proof.COMPARED:
        yield from _most(f"    {in_words('compared')}: {each}" for data in found.data for each in _compared(data))
    for name in found.sources:
        yield f"    {in_words('from')} {name}"


_PROVEN = {
    Proof.WRITTEN: "as it was written: all follows from its own data",
    Proof.VALUES: "its values follow; its looks are not proven",
    Proof.COMPARED: "the names, places, scores and awards that were compared follow from its own data; "
    "what it shows is not proven",
}


def _most(lines: Iterable[str]) -> Iterator[str]:
    """Yield as many of some lines as people read, and the number of the others."""
    listed = list(lines)
    yield from listed[:_MOST_LINES]
    if len(listed) > _MOST_LINES:
        yield in_words(f"    and {len(listed) - _MOST_LINES} more")


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
            share = percent(each.get("percentage"))
            yield shown(f"{who(each)}: {'; '.join(filter(None, [score, share, *places, each['masterpoints']]))}")


@WRITERS.json
def to_json(found: Sequence[Verified]) -> VerifyReport:
    """Return the same as JSON; ``signed_by`` is the file of the key that a signature was checked with, or null."""
    files = []
    for each in found:
        said = {"provenance": [data[PROVENANCE_KEY] for data in each.data], "result_sha256": each.result_sums}
        files.append(entry(VerifiedFile, each, follows=not each.findings, proof=each.proof.name.lower(), **said))
    return {"files": files, "note": _NO_SIGNATURE}
