"""A batch's games at results sites: those that are final and as they were read, each once, with what each site said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from resultproc.batch.chunks import Settings
from resultproc.batch.ledger import Ledger
from resultproc.formats.found import Input, hash_of
from resultproc.model.codes import NOT_FINAL
from resultproc.model.errors import (
    DeclarationError,
    InputError,
    OutputError,
    Problem,
    ResultprocError,
    resultproc_error,
    shown,
)
from resultproc.model.files import OutputFolder
from resultproc.publish.account import Account, required
from resultproc.publish.parcel import Parcel, parcel
from resultproc.publish.receipts import BEGUN, FAILED, REMOVED, SENT, Receipt, Receipts
from resultproc.publish.results_site import Site
from resultproc.publish.sending import FolderSender, sender
from resultproc.publish.shipments import Shipment, send, shipments
from resultproc.stages.same_game import ONE_GAME_CODE, ONE_GAME_HINT

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
                hint = f"write publish = true below [site.{site.id}] {account.where}"
                raise DeclarationError(what, hint=hint, code="site.no-account")


_SiteEntry = dict[str, Any]
"""What became of a file at a site, as the report has it."""

_FILES_AT_A_TIME = 50
"""Files that are made ready together: the calendar is asked before the first of them is sent."""


def published(
    items: Iterable[Input],
    ledger: Ledger,
    folder: OutputFolder,
    settings: Settings,
    publishing: Publishing,
    doubtful: Collection[str],
    pages: Sequence[str] | None = None,
) -> Iterator[_SiteEntry]:
    """Send the awarded games of some inputs to sites; yield what became of each.

    doubtful: the keys of inputs with a game that another one may have, too: which is right is not known, so none goes.
    pages: what a folder that is a site has for the public, the list of all last: a site of one's own gets these. None
        for a folder that is no site.
    A site that cannot be reached delays its files to the next run, and those of no other site.
    """
    every = [(item, ledger.known(item.key)) for item in sorted(items, key=lambda item: shown(item.file))]
    ready = [item for item, done in every if item.hash and done.hash == item.hash and not done.number_of_problems]
    failed = any(item.problems or done.number_of_problems for item, done in every)
    hidden = held_back(ledger, doubtful)
    try:
        with Receipts(publishing.receipts) as receipts:
            for site, account in publishing.to:
                if site.sent == "folder" and pages is not None:
                    for item in ready:
                        if item.key in hidden:  # the folder's lists leave it out
                            why = _ONE_GAME if item.key in doubtful else _NOT_OVER
                            yield _entry(shown(item.file), site, HELD, [why])
                    yield from _Whole(site, account, receipts, folder, failed).over(pages)
                else:
                    yield from _Round(site, account, receipts, settings).over(ready, doubtful)
    except OutputError as error:  # the games are awarded all the same, and the report says so
        for site, _ in publishing.to:
            yield from (_entry(shown(item.file), site, DELAYED, error.problems) for item in ready)


def held_back(ledger: Ledger, doubtful: Collection[str]) -> set[str]:
    """Return the keys of inputs that no site gets: doubtful ones, and those whose events are not over."""
    return {key for key in ledger.entries if key in doubtful or not ledger.known(key).final}


_NOT_OVER = Problem(
    "this event is not over",
    hint="a batch sends it when all its results are there and it is no longer declared as unfinished",
    code=NOT_FINAL,
)
_ONE_GAME = Problem("another file may have this game, too", hint=ONE_GAME_HINT, code=ONE_GAME_CODE)


@dataclass(frozen=True)
class _Sending:
    """A batch at one site: the club's account there, and the receipts of what was sent before."""

    site: Site
    account: Account
    receipts: Receipts


@dataclass(frozen=True)
class _Whole(_Sending):
    """A folder that is a site on its way to a site of one's own: files are whole, and none is sent twice."""

    folder: OutputFolder  # where the pages are
    failed: bool  # whether a file of the run could not be awarded, so that nothing is taken from the site

    def over(self, names: Sequence[str]) -> Iterator[_SiteEntry]:
        """Send some files until one does not arrive, the lists after the pages; yield what became of each.

        Files that are gone from the folder are removed there in the end, if a receipt says that they are ours. Where
        some of the run failed, they may be gone for that alone, and the site stays as it is.
        """
        there = FolderSender(self._parcel(names[-1]))
        last = {each.name: each for each in self.receipts.of(site=self.site.id, account=there.target)}
        ours = (_PAGE, str(self.folder.root), SENT)
        gone = [
            receipt
            for name, receipt in last.items()
            if (receipt.game, receipt.source, receipt.state) == ours and name not in names and not self.folder.has(name)
        ]
        if self.failed and (gone or len(names) == 1):
            what = (
                "some results could not be awarded in this run, and others that are there would go: it is left as it is"
            )
            hint = "mend the files that the report names, or take them out of the folder of your games"
            problem = Problem(what, hint=hint, code="output.blocked")
            yield from (_entry(name, self.site, HELD, [problem]) for name in names)
            return
        stopped = ""
        for name in names:
            try:
                entry = self._waits(name, stopped) if stopped else self._sent(name)
            except ResultprocError as error:
                entry = _entry(name, self.site, HELD, error.problems)
            stopped = stopped or (entry["state"] if entry["state"] != SENT else "")
            yield entry
        if not stopped:
            yield from self._removed(gone, there)

    def _waits(self, name: str, stopped: str) -> _SiteEntry:
        """Return the entry of a file after one that did not arrive; stopped: what became of that one."""
        what = "a file before it did not arrive, and lists follow their pages"
        again = stopped != HELD
        hint = "the next run sends it" if again else "do what is said of that file, and run it again"
        problem = Problem(what, hint=hint, code="again.network" if again else "output.blocked")
        return _entry(name, self.site, DELAYED if again else HELD, [problem])

    def _sent(self, name: str) -> _SiteEntry:
        """Send a file unless it was sent as it is. Raises InputError for one that would replace somebody else's."""
        parcel = self._parcel(name)
        by = sender(parcel, Path())
        known = self.receipts.of(site=self.site.id, account=by.target, name=name)
        last = next((each for each in reversed(known) if each.may_be_there), None)
        if last is None:
            by.refuse_other(parcel)
        elif last.game == _PAGE and last.source != parcel.source and by.is_there(name, last.sha256):
            what = f"it has this file of another folder of results, {last.source}"
            hint = "give each folder of results a site of its own; if that folder was moved, remove the file there"
            raise InputError(what, hint=hint, code="site.replaces-another")
        before = last if last and last.state == SENT and last.sha256 == parcel.sha256 else None
        unsure = last if last and last.state == BEGUN else None
        (sent,) = send([Shipment(parcel, by, before, unsure=unsure)], self.receipts, lambda _: "again")
        _, receipt, problem = sent
        return _entry(name, self.site, receipt.state, [problem] if problem else [], receipt)

    def _parcel(self, name: str) -> Parcel:
        data = (self.folder.root / name).read_bytes()
        stem, dot, ending = name.rpartition(".")
        source = str(self.folder.root)
        return Parcel(self.site, self.account, name, source, _PAGE, name, "", stem, dot + ending, True, data)

    def _removed(self, gone: Iterable[Receipt], there: FolderSender) -> Iterator[_SiteEntry]:
        """Remove files there that are gone from the folder, where they are as they were put; tell of the others."""
        for receipt in gone:
            name = receipt.name
            if there.is_there(name, receipt.sha256):
                try:
                    there.remove(name)
                except OutputError as error:  # the next run tries it again
                    yield _entry(name, self.site, DELAYED, error.problems, receipt)
                    continue
                ended = self.receipts.end(receipt, REMOVED, "it is gone from the folder of results")
                yield _entry(name, self.site, REMOVED, receipt=ended)
            elif there.has(name):
                what = "it is gone from the folder of results, and was changed since it was put there"
                hint = "remove it there if it is not wanted"
                yield _entry(name, self.site, HELD, [Problem(what, hint=hint, code="output.blocked")], receipt)


_PAGE = "a page of a folder that is a site"
"""What stands in a receipt for the game; the folder stands for what it was made from."""


_HAS_A_SITE = Problem(
    "the folder has a whole site, and this page would stand beside its lists",
    hint="let this run make the lists, too, as the one before; or name another folder",
    code="output.blocked",
)


@dataclass(frozen=True)
class _Round(_Sending):
    """The games of a batch, with its settings, on their way to a site."""

    settings: Settings

    def over(self, items: Iterable[Input], doubtful: Collection[str]) -> Iterator[_SiteEntry]:
        """Yield what became of some inputs, in any order. A folder that has a whole site gets no pages beside it."""
        if SENT in {each.name: each.state for each in self._receipts(game=_PAGE)}.values():
            yield from (_entry(shown(item.file), self.site, HELD, [_HAS_A_SITE]) for item in items)
            return
        todo = []
        for item in items:
            sent = self._as_sent(item)
            if sent:
                yield _entry(shown(item.file), self.site, SENT, receipt=sent)
            elif item.key in doubtful:
                yield _entry(shown(item.file), self.site, HELD, [_ONE_GAME])
            else:
                todo.append(item)
        for start in range(0, len(todo), _FILES_AT_A_TIME):
            entries = list(self._sent(todo[start : start + _FILES_AT_A_TIME]))
            yield from entries
            if any(entry["state"] == DELAYED for entry in entries):
                yield from self._delayed(shown(item.file) for item in todo[start + _FILES_AT_A_TIME :])
                return

    def _delayed(self, files: Iterable[str]) -> Iterator[_SiteEntry]:
        what = f"{self.site.title} did not answer as it should for another file"
        problem = Problem(what, hint="the next run sends it", code="again.network")
        return (_entry(file, self.site, DELAYED, [problem]) for file in files)

    def _receipts(self, **told: str) -> list[Receipt]:
        """Return the club's receipts of a game or of a content at the site."""
        return self.receipts.of(site=self.site.id, account=getattr(self.account, _TAKES[self.site.sent]), **told)

    def _as_sent(self, item: Input) -> Receipt | None:
        """Return the receipt of an input whose content was sent, where nothing else of its game was sent since."""
        for receipt in self._receipts(source=item.hash):
            of_game = [each for each in self._receipts(game=receipt.game) if each.may_be_there]
            if receipt.state == SENT and receipt == of_game[-1]:
                return receipt
        return None

    def _sent(self, items: Iterable[Input]) -> Iterator[_SiteEntry]:
        """Send the games of some inputs until the site fails; yield what became of each."""
        parcels: list[Parcel] = []
        for item in items:
            try:
                parcels.append(self._parcel(item))
            except Exception as error:  # also a mistake of the program, as where the file was awarded
                entry = _entry(shown(item.file), self.site, HELD)
                yield {**entry, "problems": resultproc_error(error).in_file(shown(item.path.name)).as_dicts()}
        planned, wrong = shipments(parcels, self.receipts, Path())
        for file in dict.fromkeys(each.file for each in wrong):
            problems = [each for each in wrong if each.file == file]
            state = DELAYED if any(each.code.startswith("again.") for each in problems) else HELD
            yield _entry(file, self.site, state, problems)
        done = 0
        for each, receipt, problem in send(planned, self.receipts, lambda _: "later"):
            done += 1
            said = [problem] if problem else []
            yield _entry(each.parcel.file, self.site, receipt.state, said, receipt, each.parcel.remarks)
            if problem and problem.code in ("again.network", "again.unsure") and each.unsure is None:
                break
        yield from self._delayed(each.parcel.file for each in planned[done:])

    def _parcel(self, item: Input) -> Parcel:
        """Return what goes to the site of an input.

        Raises InputError for one that is not as it was awarded, that is not final, or that the site would refuse.
        """
        source = self.settings.load(item.path)
        if hash_of(source, self.settings.fingerprint) != item.hash:
            raise InputError("it was changed since it was awarded", hint="the next run sends it", code="again.changing")
        pattern, keys = self.settings.pattern, self.settings.keys
        made = parcel(source, self.site, self.account, format=self.settings.format, keys=keys, pattern=pattern)
        if not made.final:
            raise InputError([_NOT_OVER])
        return replace(made, file=shown(item.file), source=item.hash)


def _entry(
    file: str,
    site: Site,
    state: str,
    problems: Iterable[Problem] = (),
    receipt: Receipt | None = None,
    remarks: Iterable[Problem] = (),
) -> _SiteEntry:
    """Return the entry of a file as the report has it; one that failed is delayed, as the next run sends it."""
    names = ("account", "name", "sha256", "words", "begun", "ended")
    own = PurePath(file).name
    told = (
        replace(each, what=f"{each.file}: {each.what}") if each.file not in {"", own, file} else each
        for each in problems
    )
    return {
        "file": file,
        "site": site.id,
        "state": DELAYED if state == FAILED else state,
        "receipt": {name: getattr(receipt, name) for name in names} if receipt else None,
        "remarks": [each.entry_of_remark for each in remarks],
        "problems": InputError(replace(each, file=file) for each in told).as_dicts(),
    }
