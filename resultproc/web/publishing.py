"""Sending a game that is saved to the results sites that the club's settings name, each with a confirmation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from resultproc.formats.declared import LOOKS, parsed
from resultproc.formats.loaded import declared_file
from resultproc.model.errors import InputError, Problem
from resultproc.model.file_limits import FileLimits
from resultproc.publish.account import Account, account
from resultproc.publish.known import site
from resultproc.publish.parcel import parcels
from resultproc.publish.receipts import Receipts
from resultproc.publish.results_site import Site
from resultproc.publish.shipments import Shipment, send, shipments


def sites_of(settings: Path | None) -> list[tuple[Site, Account]]:
    """Return the sites that a club's settings name, with what they say of each; raises as the command line does."""
    if settings is None:
        return []
    content, _ = parsed(declared_file(settings))
    tables = content.get("site", {})
    named = [site(name) for name in tables if name not in LOOKS] if isinstance(tables, dict) else []
    return [(each, account(each, [settings])) for each in named]


@contextmanager
def planned_shipments(
    path: Path, settings: Path | None, receipts: Path, only: str = ""
) -> Iterator[tuple[list[Shipment], list[Problem], Receipts]]:
    """Give what would go where of a game, what is wrong with it, and the receipts.

    only: the site, empty for all that the settings name.
    """
    to = [(each, of) for each, of in sites_of(settings) if only in {"", each.id}]
    keys = {"settings": str(settings)} if settings else {}
    made, wrong = parcels([path], to, FileLimits(), format=None, keys=keys, pattern=None, deals=None)
    receipts.parent.mkdir(parents=True, exist_ok=True)
    with Receipts(receipts) as kept:
        found, more = shipments(made, kept, path.parent, asks=False)
        yield found, [*wrong, *more], kept


def shipment_mark(shipment: Shipment) -> str:
    """Return what tells a shipment from another: by its content, its name, and where it goes."""
    what = json.dumps([shipment.parcel.sha256, shipment.parcel.name, shipment.parcel.site.id, shipment.sender.target])
    return hashlib.sha256(what.encode()).hexdigest()


def sent(path: Path, settings: Path | None, receipts: Path, only: str, confirmed: str) -> list[str]:
    """Send a game to a site, and return what became of it in lines.

    confirmed: the mark of the shipment that the user has seen.
    Raises InputError where it is another one now, and where it is not sent.
    """
    with planned_shipments(path, settings, receipts, only) as (found, wrong, kept):
        if wrong:
            raise InputError(wrong)
        if any(shipment_mark(each) != confirmed for each in found):
            what = "what was saved has changed since you saw what goes where, and nothing was sent"
            raise InputError(what, hint="look at it again, and confirm it once more", file=path.name)
        said = []
        for each, receipt, problem in send(found, kept, lambda _: "later"):
            if problem:
                raise InputError([problem])
            said += each.told(receipt)
        return said
