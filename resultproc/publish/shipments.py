"""Sending what goes to sites: each file once, corrections as what they are, and a receipt of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from resultproc.model.errors import InputError, Problem, ResultprocError
from resultproc.model.language import as_it_is
from resultproc.publish.parcel import Parcel
from resultproc.publish.receipts import BEGUN, FAILED, READY, REFUSED, SENT, Receipt, Receipts
from resultproc.publish.sending import Sender, sender


@dataclass(frozen=True)
class Shipment:
    """A parcel on its way."""

    parcel: Parcel  # with the name that it has at the site
    sender: Sender  # what brings it there
    before: Receipt | None = None  # the receipt of the same content, sent before, if there is one
    replaced: Receipt | None = None  # the receipt of what it corrects
    unsure: Receipt | None = None  # the receipt of what was begun, and nobody knows whether it arrived

    def line(self) -> str:
        """Return what goes where, in a line."""
        new = "sent before" if self.before else as_it_is(self.parcel.title)
        how = "a correction of what was sent" if self.replaced else new
        to = f"{self.parcel.site.title} ({self.sender.target})"
        what = as_it_is(f"{self.parcel.file} -> {to}: {self.parcel.name}")
        return f"{what}, {len(self.parcel.data)} bytes; {how}"

    def told(self, receipt: Receipt) -> list[str]:
        """Return what became of it in lines: how it went, what the site said, and what is left to do there."""
        site, state = self.parcel.site, receipt.state
        name = Path(receipt.words).name if state == READY else receipt.name
        said = {SENT: "is there", READY: "is written; now you", BEGUN: "may be there", REFUSED: "was refused"}
        how = "was there before" if self.before else said.get(state, "was not sent")
        first = f"{as_it_is(name)} {how}: {site.title}, {receipt.when} UTC, SHA-256 {receipt.sha256[:16]}"
        return [first, receipt.words, *(site.steps if state == READY else ())]


HasArrived = Literal["sent", "again", "later"]
"""What somebody who looked says of what may have arrived: it is there, send it again, or ask later."""


def shipments(
    parcels: Iterable[Parcel], receipts: Receipts, folder: Path, *, asks: bool = True
) -> tuple[list[Shipment], list[Problem]]:
    """Return the parcels as they are to be sent, and what is wrong with the others.

    receipts, folder: of what was sent before, and for files that somebody uploads.
    asks: whether the sites may be asked what changes nothing there, such as the calendar.
    """
    senders: dict[tuple[str, str], Sender] = {}
    made: list[Shipment] = []
    problems: list[Problem] = []
    goes_to = [(parcel, (parcel.site.id, repr(parcel.account))) for parcel in parcels]
    files: dict[tuple[tuple[str, str], str], list[str]] = {}
    for parcel, to in goes_to:
        files.setdefault((to, parcel.game), []).append(parcel.file)
    for parcel, to in goes_to:
        of_game = files[to, parcel.game]
        try:
            if len(of_game) > 1:  # which is right is not known
                what = f"{len(of_game)} files have this game: {', '.join(of_game)}"
                hint = "leave out those that are wrong; if they are several games, declare the session of each"
                raise InputError(what, hint=hint, code="versions.one-game")
            senders[to] = senders.get(to) or sender(parcel, folder, asks=asks)
            made.append(_shipment(senders[to].addressed(parcel), senders[to], receipts, made))
        except ResultprocError as error:
            problems += error.in_file(parcel.file).problems
    return made, problems


def _shipment(parcel: Parcel, by: Sender, receipts: Receipts, others: Iterable[Shipment]) -> Shipment:
    """Return a parcel with what was sent before of its game: a correction is called as what it corrects.

    Raises InputError for a name that another game or somebody's own file has at the site, and for a correction that the
    site takes as another file.
    """
    site = parcel.site
    at_site = {"site": site.id, "account": by.target}
    of_game = [each for each in receipts.of(**at_site, game=parcel.game) if each.may_be_there]
    last = of_game[-1] if of_game else None
    if last:
        known = PurePosixPath(last.name)
        parcel = replace(parcel, stem=known.stem, ending=known.suffix)
    name = parcel.name
    named = receipts.of(**at_site, name=name)
    if not named:
        by.refuse_other(parcel)
    of_name = [each.game for each in named if each.may_be_there]
    for each in others:
        if each.sender.address(each.parcel).casefold() == by.address(parcel).casefold():
            other = each.parcel.site
            if other.id != site.id:
                what = f"its file for {site.title} would replace that for {other.title}: both have the same name"
                hint = "send it to one after the other, to other folders"
                raise InputError(what, hint=hint, code="site.replaces-another")
            of_name.append(each.parcel.game)
    if any(game != parcel.game for game in of_name):
        what = f"{site.title} has another game that is called {name}, which this would replace"
        raise InputError(what, hint="give it another name, with name='{date:%Y%m%d}-2'", code="site.replaces-another")
    if last is None or last.state == BEGUN:
        earlier = next((each for each in reversed(of_game) if each.state == SENT), None)
        return Shipment(parcel, by, replaced=earlier, unsure=last)
    if last.sha256 == parcel.sha256:
        return Shipment(parcel, by, before=last)
    _require_replacing(parcel, last)
    return Shipment(parcel, by, replaced=last)


def _require_replacing(parcel: Parcel, last: Receipt) -> None:
    """Raise InputError where a site does not take a correction in place of what it has."""
    site = parcel.site
    if not site.replaces:
        what = f"{site.title} has this game as it was before, since {last.ended}. {site.corrections}"
        hint = "tell the players what changes: resultproc amend OLD NEW lists it"
        raise InputError(what, hint=hint, code="site.correction")


def send(
    shipments: Iterable[Shipment], receipts: Receipts, settle: Callable[[Shipment], HasArrived]
) -> Iterator[tuple[Shipment, Receipt, Problem | None]]:
    """Send what was not sent before; yield the receipt of each, which is kept with the others, and what is wrong.

    settle: asks somebody of what may have arrived, where the site does not show it.
    """
    for each in shipments:
        if each.before is not None:
            yield each, each.before, None
            continue
        if each.unsure is not None:
            try:
                waiting = _settled(each, each.unsure, receipts, settle)
                problem = _problem(each, waiting) if waiting else None
            except ResultprocError as error:
                waiting, problem = each.unsure, error.in_file(each.parcel.file).problems[0]
            if waiting is not None:
                yield each, waiting, problem
                continue
        parcel = each.parcel
        begun = receipts.begin(
            parcel.site.id, each.sender.target, parcel.game, parcel.name, parcel.sha256, parcel.source
        )
        try:
            answer = each.sender.send(parcel)
        except ResultprocError as error:
            receipt = receipts.end(begun, FAILED, str(error))
        else:
            receipt = receipts.end(begun, answer.state, answer.words)
        yield each, receipt, _problem(each, receipt)


def _settled(
    each: Shipment, unsure: Receipt, receipts: Receipts, settle: Callable[[Shipment], HasArrived]
) -> Receipt | None:
    """Return the receipt of what is not to be sent now, as it may have arrived, or did; None where it is to be sent.

    Raises InputError where it arrived otherwise than it is now, and the site takes no corrections.
    """
    there = each.sender.is_there(unsure.name, unsure.sha256)
    said = "sent" if there else "again" if there is False else settle(each)
    if said == "later":
        return unsure
    looked = "somebody looked" if there is None else "the site was looked at"
    known = receipts.end(unsure, SENT if said == "sent" else FAILED, looked)
    if said == "again":
        return None
    if known.sha256 == each.parcel.sha256:
        return known
    _require_replacing(each.parcel, known)
    return None


def _problem(each: Shipment, receipt: Receipt) -> Problem | None:
    """Return what is wrong with what became of a file, None where nothing is."""
    if receipt.state in (SENT, READY):
        return None
    title = each.parcel.site.title
    what, hint, code = {
        REFUSED: (f"{title} refuses it: {receipt.words}", "correct what it says, and send it again", "site.refuses"),
        FAILED: (f"{title} was not sent anything: {receipt.words}", "try again later", "again.network"),
        BEGUN: (
            f"nobody knows whether {title} has it: {receipt.words or 'the run that sent it was ended'}",
            f"look at {each.parcel.site.address or each.sender.target}, and say whether it is there",
            "again.unsure",
        ),
    }[receipt.state]
    return Problem(what, hint=hint, file=each.parcel.file, code=code)
