"""What the files in the output folder are called: each result otherwise than all others, and than what a run writes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from resultproc.formats.found import LEDGER, Input
from resultproc.model.errors import shown
from resultproc.model.files import LONGEST_NAME, folded_name

FAILED_FOLDER, REPORT, LOCK, TO_DO = "failed", "report.json", "ledger.lock", "to-do.html"
REPORT_PAGE = "batch-report.html"

DAMAGED = "ledger-damaged.sqlite"
"""What a ledger is called that a disk has spoilt: it is kept for whoever looks into it."""

OPEN_PORT, FROM_FOLDER = 8417, "/from"
"""Where ``resultproc open`` is reached unless that is taken, and its page that takes a file of a folder to mend it."""

OURS = (
    REPORT,
    REPORT_PAGE,
    TO_DO,
    DAMAGED,
    *(name + more for name in (LEDGER, LOCK) for more in ("", "-wal", "-shm", "-journal")),
)
"""Names that no result has, as the run writes such files itself."""


def is_inside(name: object) -> bool:
    """Return whether something is the name of a file of ours in the output folder, and of none elsewhere."""
    if not isinstance(name, str) or "\0" in name or os.path.splitdrive(name)[0] or (os.sep != "/" and os.sep in name):
        return False
    parts = name.split("/")
    return folded_name(parts[0]) not in OURS and not any(part in ("", ".", "..") for part in parts)


class TakenNames:
    """The names in the output folder, and whose they are: no two files are the same, and none is another's folder."""

    def __init__(self, saved: Callable[..., Mapping[str, str]] = lambda *_, **__: {}) -> None:
        """Begin with the names of what the run writes itself. saved: see :meth:`Ledger.owners`."""
        self._saved = saved
        self._files: dict[str, set[str]] = {}
        self._folders: dict[str, set[str]] = {}
        self.add(OURS, "this run itself")

    def add(self, names: Iterable[str], owner: str) -> None:
        """Take some names."""
        for name in names:
            self._files.setdefault(folded_name(name), set()).add(owner)
            for folder in _folders(name) if "/" in name else ():
                self._folders.setdefault(folder, set()).add(owner)

    def others(self, names: Iterable[str], owner: str) -> set[str]:
        """Return who else has one of some names, a folder called so, or a file that is called as a folder of theirs."""
        nobody: set[str] = set()
        found = [each.get(folded_name(name), nobody) for name in names for each in (self._files, self._folders)]
        found += [{*self._saved(folded_name(name)).values()} for name in names]
        for folder in {folder for name in names for folder in _folders(name)}:
            found += [self._files.get(folder, nobody), {*self._saved(folder, below=False).values()}]
        return set().union(*found) - {owner}


def _folders(name: str) -> list[str]:
    parts = folded_name(name).split("/")
    return ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def assigned(items: Iterable[Input], names: Callable[[Input, str], Sequence[str]], taken: TakenNames) -> dict[str, str]:
    """Return, by the key of each input, what its results are called, without an ending.

    Where two inputs would have the same file, both are named with more of what tells them from each other.

    names: returns the files that an input would have under a name.
    taken: the names that others have; those that are assigned are added.
    """
    found: dict[str, str] = {}
    waiting = {item.key: (item, _candidates(item)) for item in items}
    while waiting:
        tried = {key: next(candidates) for key, (_, candidates) in waiting.items()}
        wanted = {key: names(waiting[key][0], name) for key, name in tried.items()}
        asked = TakenNames()
        for key, files in wanted.items():
            asked.add(files, key)
        free = [key for key, files in wanted.items() if not taken.others(files, key) | asked.others(files, key)]
        for key in free:
            taken.add(wanted[key], key)
            found[key] = tried[key]
            del waiting[key]
    return found


def _candidates(item: Input) -> Iterator[str]:
    """Yield what the results of an input may be called, the shortest name first, and in the end one of its own."""
    path = PurePosixPath(item.name)
    stem = path.stem.encode()[: LONGEST_NAME // 4].decode(errors="ignore")
    mark = hashlib.sha256(item.key.encode()).hexdigest()
    if len(path.name.encode()) <= LONGEST_NAME:
        yield str(path.with_name(path.stem))
        yield str(path)
        folders = PurePosixPath(shown(item.path.parent.resolve().as_posix())).parts[1:]
        for count in range(len(path.parts), len(folders) + 1):
            yield str(PurePosixPath(*folders[-count:], path.stem))
    yield str(path.with_name(f"{stem}-{mark[:12]}"))
    yield f"{stem}-{mark}"
