"""Where what is asked of an archive comes from, or of a run over it: its manifest, and the rulebooks that paid."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace

from resultproc.batch.manifest import MANIFEST
from resultproc.batch.store import Store
from resultproc.model.provenance import Origin, Provenance, RulebookUsed

RULEBOOKS = "rulebooks"
"""The rulebooks that paid in a part: an entry in the metadata of its summary."""


def of_archive(archive: Store) -> Provenance:
    """Return what tells what an archive holds: its manifest, which has the hashes of all that is in it."""
    held = (archive.read_text(MANIFEST) or "").encode()
    return Provenance((Origin(f"{MANIFEST} of {archive.url}", hashlib.sha256(held).hexdigest()),))


def of_run(archive: Store, output: Store) -> Provenance:
    """Return what went into a run over an archive that is done: its manifest, and the rulebooks of all parts."""
    remarks = sum(output.read("remarks", name, ["game_id"]).num_rows for name in output.parts("remarks"))
    return replace(Provenance.of_all(_used(output), remarks), sources=of_archive(archive).sources)


def entry(provenance: Provenance) -> str:
    """Return the entry :data:`RULEBOOKS` for what went into a part."""
    return json.dumps([asdict(each) for each in provenance.rulebooks])


def _used(output: Store) -> Iterator[Provenance]:
    for name in output.parts("summary"):
        said = json.loads(output.opened("summary", name).metadata(RULEBOOKS) or "[]")
        books = (RulebookUsed(**{**each, "editions": tuple(each["editions"])}) for each in said)
        yield Provenance(rulebooks=tuple(books))
