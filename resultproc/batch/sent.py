"""A batch's games at results sites: those that are final and as they were read, each once, with what each site said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from resultproc.batch.chunks import Settings
from resultproc.batch.inputs import Input, hash_of, problems_of
from resultproc.batch.ledger import Ledger
from resultproc.formats.json.writer import remark_entry
from resultproc.formats.source import load_source
from resultproc.model.errors import DeclarationError, InputError, OutputError, Problem, shown
from resultproc.publish.account import Account, required
from resultproc.publish.parcel import Parcel, parcel
from resultproc.publish.publishing import send, shipments
from resultproc.publish.receipts import BEGUN, FAILED, SENT, Receipt, Receipts
from resultproc.sites.site import Site
from resultproc.stages.doubts.files import ONE_GAME_CODE, ONE_GAME_HINT

DELAYED, HELD = "delayed", "held"
"""What became of a file that was not sent: the site could not be reached in this run; it is not sent as it is."""

_TAKES = {"post": "club", "folder": "folder"}
"""How files get to the sites that take them from programs, and what tells a club there."""


@dataclass(frozen=True)
class Publishing:
    """Where a batch publishes: the sites, with what the user says of each, and the file of the receipts."""

    to: Sequence[tuple[Site, Account]]
    receipts: Path

    def __post_init__(self) -> None:
        """Raise DeclarationError for a site that takes files from people alone, or that the user has not allowed."""
        for site, account in self.to:
            if site.sent not in _TAKES:
                hint = "send its files with 'publish', game by game"
                raise DeclarationError(f"{site.title} takes files from people, and from no batch", hint=hint)
            required(account, site, _TAKES[site.sent])
            if not account.publish:
                what = f"a batch publishes at {site.title} only where you have allowed that"
                hint = f"write publish = true below [site.{site.id}] in the settings that you name"
                raise DeclarationError(what, hint=hint, code="site.no-account")


Entry = dict[str, Any]
"""What became of a file at a site, as the report has it."""

FILES_AT_A_TIME = 50
"""Files that are made ready together: the calendar is asked before the first of them is sent."""


def published(
    items: Iterable[Input], ledger: Ledger, settings: Settings, publishing: Publishing, doubtful: Collection[str]
) -> Iterator[Entry]:
    """Send the awarded games of some inputs to sites; yield what became of each.

    doubtful: the keys of inputs with a game that another one may have, too: which is right is not known, so none goes.
    A site that cannot be reached delays its files to the next run, and those of no other site.
    """
    ready = [item for item in sorted(items, key=lambda item: shown(item.path)) if _is_awarded(item, ledger)]
    try:
        with Receipts(publishing.receipts) as receipts:
            for site, account in publishing.to:
                yield from _Round(site, account, settings, receipts).over(ready, doubtful)
    except OutputError as error:  # the games are awarded all the same, and the report says so
        for site, _ in publishing.to:
            yield from (_unsent(item, site.id, DELAYED, error.problems) for item in ready)


def _is_awarded(item: Input, ledger: Ledger) -> bool:
    entry = ledger.entries.get(item.key)
    outcome = entry.outcome if entry else None
    return bool(item.hash) and outcome is not None and outcome.hash == item.hash and not outcome.problems


@dataclass(frozen=True)
class _Round:
    """A batch's round at one site."""

    site: Site
    account: Account
    settings: Settings
    receipts: Receipts

    def over(self, items: Iterable[Input], doubtful: Collection[str]) -> Iterator[Entry]:
        """Yield what became of some inputs, in any order."""
        todo = []
        for item in items:
            known = self._known(item)
            if known is not None:
                yield _entry(item, known)
            elif item.key in doubtful:
                problem = Problem("another file may have this game, too", hint=ONE_GAME_HINT, code=ONE_GAME_CODE)
                yield _unsent(item, self.site.id, HELD, [problem])
            else:
                todo.append(item)
        for start in range(0, len(todo), FILES_AT_A_TIME):
            part = todo[start : start + FILES_AT_A_TIME]
            entries = list(self._sent(part))
            yield from entries
            if any(entry["state"] == DELAYED for entry in entries):
                yield from self._delayed(todo[start + FILES_AT_A_TIME :])
                return

    def _delayed(self, items: Iterable[Input]) -> Iterator[Entry]:
        what = f"{self.site.title} did not answer as it should for another file"
        problem = Problem(what, hint="the next run sends it", code="again.network")
        return (_unsent(item, self.site.id, DELAYED, [problem]) for item in items)

    def _known(self, item: Input) -> Receipt | None:
        """Return the receipt of an input whose content was sent, where nothing else of its game was sent since."""
        account = str(getattr(self.account, _TAKES[self.site.sent]))
        for receipt in self.receipts.of_source(self.site.id, account, item.hash):
            of_game = [
                each
                for each in self.receipts.of_game(self.site.id, account, receipt.game)
                if each.state in (SENT, BEGUN)
            ]
            if of_game and of_game[-1] == receipt and receipt.state == SENT:
                return receipt
        return None

    def _sent(self, items: Iterable[Input]) -> Iterator[Entry]:
        """Send the games of some inputs until the site fails; yield what became of each."""
        parcels: dict[str, tuple[Input, Parcel]] = {}
        for item in items:
            try:
                made = self._parcel(item)
            except Exception as error:  # also a mistake of the program, as where the file was awarded
                yield {**_unsent(item, self.site.id, HELD), "problems": problems_of(error, item.path.name)}
            else:
                parcels[made.file] = item, made
        planned, wrong = shipments((made for _, made in parcels.values()), self.receipts, Path())
        for file in dict.fromkeys(each.file for each in wrong):
            problems = [each for each in wrong if each.file == file]
            state = DELAYED if any(each.code.startswith("again.") for each in problems) else HELD
            yield _unsent(parcels[file][0], self.site.id, state, problems)
        done = 0
        for each, receipt, problem in send(planned, self.receipts, lambda _: "later"):
            done += 1
            yield _entry(parcels[each.parcel.file][0], receipt, [problem] if problem else [], each.parcel.remarks)
            if problem and problem.code in ("again.network", "again.unsure") and each.unsure is None:
                break
        yield from self._delayed(parcels[each.parcel.file][0] for each in planned[done:])

    def _parcel(self, item: Input) -> Parcel:
        """Return what goes to the site of an input.

        Raises InputError for one that is not as it was awarded, that is not final, or that the site would refuse.
        """
        club = self.settings.club
        source = load_source(item.path, str(club) if club else None)
        if hash_of(source, self.settings.fingerprint) != item.hash:
            raise InputError("it was changed since it was awarded", hint="the next run sends it", code="again.changing")
        pattern, keys = self.settings.pattern, self.settings.keys
        made = parcel(source, self.site, self.account, format=self.settings.format, keys=keys, pattern=pattern)
        if not made.final:
            hint = "a batch sends it when it is no longer declared as unfinished"
            raise InputError("this event is not over", hint=hint, code="site.not-final")
        return replace(made, file=shown(item.path), source=item.hash)


def _entry(item: Input, receipt: Receipt, problems: Sequence[Problem] = (), remarks: Sequence[Problem] = ()) -> Entry:
    """Return the entry of a file with a receipt."""
    state = DELAYED if receipt.state == FAILED else receipt.state
    said = {name: getattr(receipt, name) for name in ("account", "name", "sha256", "words", "begun", "ended")}
    entry = _unsent(item, receipt.site, state, problems)
    return {**entry, "receipt": said, "remarks": [remark_entry(each) for each in remarks]}


def _unsent(item: Input, site: str, state: str, problems: Sequence[Problem] = ()) -> Entry:
    """Return the entry of a file that nothing was sent of."""
    of_file = [replace(each, file=item.path.name) for each in problems]
    said = InputError(of_file).as_dicts() if of_file else []
    return {
        "file": shown(item.path),
        "site": site,
        "state": state,
        "receipt": None,
        "remarks": [],
        "problems": said,
    }
