"""A batch's games at results sites: those that are final and as they were read, each once, with what each site said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from resultproc.batch.chunks import Settings
from resultproc.batch.ledger import Ledger
from resultproc.formats.found import LEDGER, Input, hash_of
from resultproc.formats.source import load_source
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
from resultproc.site.index import INDEX, files_for_the_public, own_lists
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

    items: the inputs, awarded or not.
    ledger: with what was awarded.
    folder: where the results are.
    publishing: to which sites, and how.
    doubtful: the keys of inputs with a game that another one may have, too: which is right is not known, so none goes.
    pages: what a folder that is a site has for the public, the list of all last: a site of one's own gets these. None
        for a folder that is no site.
    A site that cannot be reached delays its files to the next run, and those of no other site.
    """
    every = sorted(items, key=lambda item: shown(item.path))
    ready = [item for item in every if _is_awarded(item, ledger)]
    failed = any(_failed(item, ledger) for item in every)
    try:
        with Receipts(publishing.receipts) as receipts:
            for site, account in publishing.to:
                if site.sent == "folder" and pages is not None:
                    yield from _held(ready, site, ledger, doubtful)
                    yield from _Whole(site, account, folder, receipts, failed).over(pages)
                else:
                    yield from _Round(site, account, settings, receipts).over(ready, doubtful)
    except OutputError as error:  # the games are awarded all the same, and the report says so
        for site, _ in publishing.to:
            yield from (_unsent(item, site.id, DELAYED, error.problems) for item in ready)


def held_back(ledger: Ledger, doubtful: Collection[str]) -> set[str]:
    """Return the keys of inputs that no site gets: doubtful ones, and those whose events are not over."""
    unfinished = {key for key, entry in ledger.entries.items() if entry.outcome and not entry.outcome.final}
    return unfinished | {key for key in doubtful if key in ledger.entries}


_NOT_OVER = Problem(
    "this event is not over",
    hint="a batch sends it when all its results are there and it is no longer declared as unfinished",
    code=NOT_FINAL,
)
_ONE_GAME = Problem("another file may have this game, too", hint=ONE_GAME_HINT, code=ONE_GAME_CODE)


def _held(items: Iterable[Input], site: Site, ledger: Ledger, doubtful: Collection[str]) -> Iterator[_SiteEntry]:
    """Yield the entries of the games that a folder's lists leave out."""
    hidden = held_back(ledger, doubtful)
    for item in items:
        if item.key in hidden:
            yield _unsent(item, site.id, HELD, [_ONE_GAME if item.key in doubtful else _NOT_OVER])


@dataclass(frozen=True)
class _Whole:
    """A folder that is a site on its way to a site of one's own: files are whole, and none is sent twice.

    site: where it goes.
    account: the club's there.
    folder: where the pages are.
    receipts: of what was sent before.
    failed: whether a file of the run could not be awarded, so that nothing is taken from the site.
    """

    site: Site
    account: Account
    folder: OutputFolder
    receipts: Receipts
    failed: bool

    def over(self, names: Sequence[str]) -> Iterator[_SiteEntry]:
        """Send some files until one does not arrive, the lists after the pages; yield what became of each.

        Files that are gone from the folder are removed there in the end, if a receipt says that they are ours. Where
        some of the run failed, they may be gone for that alone, and the site stays as it is.
        """
        there = FolderSender(self._parcel(names[-1]))
        gone = [name for name, _ in self._no_longer(names, there)]
        if self.failed and (gone or len(names) == 1):
            what = (
                "some results could not be awarded in this run, and others that are there would go: it is left as it is"
            )
            hint = "mend the files that the report names, or take them out of the folder of your games"
            problem = Problem(what, hint=hint, code="output.blocked")
            yield from (self._entry(name, HELD, problems=[problem]) for name in names)
            return
        stopped = ""
        for name in names:
            try:
                entry = self._waits(name, stopped) if stopped else self._sent(name)
            except ResultprocError as error:
                entry = self._entry(name, HELD, problems=error.problems)
            stopped = stopped or (entry["state"] if entry["state"] != SENT else "")
            yield entry
        if not stopped:
            yield from self._gone(names)

    def _waits(self, name: str, stopped: str) -> _SiteEntry:
        """Return the entry of a file after one that did not arrive; stopped: what became of that one."""
        what = "a file before it did not arrive, and lists follow their pages"
        again = stopped != HELD
        hint = "the next run sends it" if again else "do what is said of that file, and run it again"
        problem = Problem(what, hint=hint, code="again.network" if again else "output.blocked")
        return self._entry(name, DELAYED if again else HELD, problems=[problem])

    def _sent(self, name: str) -> _SiteEntry:
        """Send a file unless it was sent as it is. Raises InputError for one that would replace somebody else's."""
        parcel = self._parcel(name)
        by = sender(parcel, Path())
        known = self.receipts.of_name(self.site.id, by.target, name)
        last = next((each for each in reversed(known) if each.state in (SENT, BEGUN)), None)
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
        return self._entry(name, receipt.state, receipt, [problem] if problem else [])

    def _parcel(self, name: str) -> Parcel:
        data = (self.folder.root / name).read_bytes()
        stem, dot, ending = name.rpartition(".")
        source = str(self.folder.root)
        return Parcel(self.site, self.account, name, source, _PAGE, name, "", stem, dot + ending, True, data)

    def _no_longer(self, names: Sequence[str], there: FolderSender) -> list[tuple[str, Receipt]]:
        """Return the files that we put there, and that are gone from the folder, with their receipts."""
        last = {each.name: each for each in self.receipts.all() if (each.site, each.account) == self._place(there)}
        source = str(self.folder.root)
        return [
            (name, receipt)
            for name, receipt in last.items()
            if (receipt.game, receipt.source, receipt.state) == (_PAGE, source, SENT)
            and name not in names
            and not self.folder.has(name)
        ]

    def _gone(self, names: Sequence[str]) -> Iterator[_SiteEntry]:
        """Remove files there that are gone from the folder, where they are as they were put; tell of the others."""
        there = FolderSender(self._parcel(names[-1]))
        for name, receipt in self._no_longer(names, there):
            if there.is_there(name, receipt.sha256):
                try:
                    there.remove(name)
                except OutputError as error:  # the next run tries it again
                    yield self._entry(name, DELAYED, receipt, error.problems)
                    continue
                ended = self.receipts.end(receipt, REMOVED, "it is gone from the folder of results")
                yield self._entry(name, REMOVED, ended)
            elif there.has(name):
                what = "it is gone from the folder of results, and was changed since it was put there"
                hint = "remove it there if it is not wanted"
                yield self._entry(name, HELD, receipt, [Problem(what, hint=hint, code="output.blocked")])

    def _place(self, there: FolderSender) -> tuple[str, str]:
        return self.site.id, there.target

    def _entry(
        self, name: str, state: str, receipt: Receipt | None = None, problems: Sequence[Problem] = ()
    ) -> _SiteEntry:
        state = DELAYED if state == FAILED else state
        return _became(
            name, self.site.id, state, receipt, [replace(each, file=PurePosixPath(name).name) for each in problems]
        )


_PAGE = "a page of a folder that is a site"
"""What stands in a receipt for the game; the folder stands for what it was made from."""


_HAS_A_SITE = Problem(
    "the folder has a whole site, and this page would stand beside its lists",
    hint="let this run make the lists, too, as the one before; or name another folder",
    code="output.blocked",
)


def _failed(item: Input, ledger: Ledger) -> bool:
    entry = ledger.entries.get(item.key)
    return bool(item.problems or (entry and entry.outcome and entry.outcome.problems))


def _is_awarded(item: Input, ledger: Ledger) -> bool:
    entry = ledger.entries.get(item.key)
    outcome = entry.outcome if entry else None
    return bool(item.hash) and outcome is not None and outcome.hash == item.hash and not outcome.problems


@dataclass(frozen=True)
class _Round:
    """A batch's round at one site.

    site: where games go.
    account: the club's there.
    settings: those of the batch.
    receipts: of what was sent before.
    """

    site: Site
    account: Account
    settings: Settings
    receipts: Receipts

    def over(self, items: Iterable[Input], doubtful: Collection[str]) -> Iterator[_SiteEntry]:
        """Yield what became of some inputs, in any order. A folder that has a whole site gets no pages beside it."""
        of_a_site = {each.name: each.state for each in self.receipts.of_game(self.site.id, self._target, _PAGE)}
        if SENT in of_a_site.values():
            yield from (_unsent(item, self.site.id, HELD, [_HAS_A_SITE]) for item in items)
            return
        todo = []
        for item in items:
            known = self._known(item)
            if known is not None:
                yield _entry(item, known)
            elif item.key in doubtful:
                yield _unsent(item, self.site.id, HELD, [_ONE_GAME])
            else:
                todo.append(item)
        for start in range(0, len(todo), _FILES_AT_A_TIME):
            part = todo[start : start + _FILES_AT_A_TIME]
            entries = list(self._sent(part))
            yield from entries
            if any(entry["state"] == DELAYED for entry in entries):
                yield from self._delayed(todo[start + _FILES_AT_A_TIME :])
                return

    def _delayed(self, items: Iterable[Input]) -> Iterator[_SiteEntry]:
        what = f"{self.site.title} did not answer as it should for another file"
        problem = Problem(what, hint="the next run sends it", code="again.network")
        return (_unsent(item, self.site.id, DELAYED, [problem]) for item in items)

    @property
    def _target(self) -> str:
        return str(getattr(self.account, _TAKES[self.site.sent]))

    def _known(self, item: Input) -> Receipt | None:
        """Return the receipt of an input whose content was sent, where nothing else of its game was sent since."""
        for receipt in self.receipts.of_source(self.site.id, self._target, item.hash):
            of_game = [
                each
                for each in self.receipts.of_game(self.site.id, self._target, receipt.game)
                if each.state in (SENT, BEGUN)
            ]
            if of_game and of_game[-1] == receipt and receipt.state == SENT:
                return receipt
        return None

    def _sent(self, items: Iterable[Input]) -> Iterator[_SiteEntry]:
        """Send the games of some inputs until the site fails; yield what became of each."""
        parcels: dict[str, tuple[Input, Parcel]] = {}
        for item in items:
            try:
                made = self._parcel(item)
            except Exception as error:  # also a mistake of the program, as where the file was awarded
                yield {
                    **_unsent(item, self.site.id, HELD),
                    "problems": resultproc_error(error).in_file(item.path.name).as_dicts(),
                }
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
            raise InputError([_NOT_OVER])
        return replace(made, file=shown(item.path), source=item.hash)


def _entry(
    item: Input, receipt: Receipt, problems: Sequence[Problem] = (), remarks: Sequence[Problem] = ()
) -> _SiteEntry:
    """Return the entry of a file with a receipt."""
    state = DELAYED if receipt.state == FAILED else receipt.state
    of_file = [replace(each, file=item.path.name) for each in problems]
    entry = _became(shown(item.path), receipt.site, state, receipt, of_file)
    return {**entry, "remarks": [each.entry_of_remark for each in remarks]}


def _unsent(item: Input, site: str, state: str, problems: Sequence[Problem] = ()) -> _SiteEntry:
    """Return the entry of a file that nothing was sent of."""
    return _became(shown(item.path), site, state, None, [replace(each, file=item.path.name) for each in problems])


def _became(file: str, site: str, state: str, receipt: Receipt | None, problems: Sequence[Problem]) -> _SiteEntry:
    """Return the entry of a file as the report has it."""
    names = ("account", "name", "sha256", "words", "begun", "ended")
    return {
        "file": file,
        "site": site,
        "state": state,
        "receipt": {name: getattr(receipt, name) for name in names} if receipt else None,
        "remarks": [],
        "problems": InputError(problems).as_dicts() if problems else [],
    }


def for_the_public(output: Path) -> list[str]:
    """Return the names of the files of a folder that is a site which are for the public, in the order to send them.

    These are the pages that a run has written, as it has written them: first those of games, the list of all last.
    Everything else in the folder (the ledger, the report, files that failed, results in other formats) may tell what is
    for the club alone. Raises InputError for a folder that is no site, OutputError where a run is at work in it.
    """
    folder = OutputFolder(output.resolve())
    if not (folder.root / LEDGER).is_file() or INDEX not in own_lists(folder):
        raise InputError("this folder is no site: it has no list of its pages", file=str(output), code="input.absent")
    with Ledger(folder.root) as ledger:
        return files_for_the_public(ledger.written(), folder)
