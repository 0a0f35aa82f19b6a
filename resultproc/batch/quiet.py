"""Inputs that are as the last run left them, and their results: nothing of them is read but what the report says.

Most of ten thousand files are, each night. They are told from others by what the system says of them, in blocks: where
a file of a block has changed, the others are looked at, too. What was kept of a block is forgotten with the first word
that the ledger writes of one of its inputs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from resultproc.batch.ledger import BLOCKS, Ledger, Quiet, block_of
from resultproc.formats.found import Contents, Input, known_as
from resultproc.model.errors import ResultprocError, shown
from resultproc.model.files import OutputFolder, looks_in_words
from resultproc.model.json import one_line
from resultproc.rulebooks.load import fingerprint_of_file


class Said(NamedTuple):
    """What the report says of an input, as texts of JSON."""

    entry: str  # its entry, as the next run writes it if nothing changes
    failure: str = ""  # its entry among the failures, '' for none
    doubt: str = ""  # its entry among the remarks, '' for none
    own_remarks: int = 0  # how many these are; 0 where some are on another file, too, or not all are there


@dataclass
class QuietInputs:
    """The inputs of the blocks in which all is as it was, until they are woken."""

    found: Sequence[Input]
    ledger: Ledger
    folder: OutputFolder
    contents: Contents
    blocks: dict[int, list[Input]] = field(default_factory=dict)
    as_kept: set[int] = field(default_factory=set)  # the blocks that were so, woken or not

    @property
    def items(self) -> list[Input]:
        """All of them."""
        return [item for block in self.blocks.values() for item in block]

    @property
    def of_folders(self) -> Collection[Input]:
        """One of each folder."""
        return {item.file.rpartition(os.sep)[0]: item for item in self.items}.values()

    def in_order(self, items: Iterable[Input]) -> list[Input]:
        """Return some inputs in the order in which they were found, before them those that were not."""
        known = {item.key: item for item in items}
        found = [known.pop(item.key) for item in self.found if item.key in known]
        return [*known.values(), *found]

    def woken(self, blocks: Iterable[int]) -> list[Input]:
        """Return the inputs of some blocks, which are now to be looked at as those that have changed."""
        mine = {*blocks} & self.blocks.keys()
        self.ledger.load(mine)
        of_blocks = [item for block in mine for item in self.blocks.pop(block)]
        return [item._replace(hash=self.ledger.entries[item.key].known.hash) for item in of_blocks]

    def woken_with(self, items: Iterable[Input]) -> list[Input]:
        """Return the inputs of the blocks that have the content of some inputs, which are woken."""
        new = (item.hash for item in items if item.hash and self.ledger.known(item.key).hash != item.hash)
        paths = self.ledger.with_content(new)
        return self.woken([block_of(path) for path in paths if path not in self.ledger.entries])

    def said(self, items: Iterable[Input], odd: Collection[str]) -> tuple[dict[str, str], dict[str, Said]]:
        """Return what the report said of inputs, by their keys, as far as that holds: the entries, and those with more.

        items: those that are not quiet. odd: the keys of those of which it says something else.
        """
        entries: dict[str, str] = {}
        with_more: dict[str, Said] = {}
        for each in self.ledger.quiet.values():
            entries |= zip(each.keys, each.said, strict=True)
            with_more |= {each.keys[at]: Said(each.said[at], *told) for at, told in each.wrong.items()}
        for key, file, hash_ in ((item.key, shown(item.file), item.hash) for item in items if item.key in entries):
            called = entries[key].startswith(f'{{"file": {one_line(file)}, ')
            if not hash_ or not called or key in odd or key in self.ledger.touched:
                del entries[key]
                with_more.pop(key, None)
        return entries, with_more

    def kept(
        self, items: Sequence[Input], entries: Mapping[str, str], said: Mapping[str, Said], odd: Collection[str]
    ) -> tuple[dict[int, Quiet], dict[str, int]]:
        """Return what is to be kept of the blocks that are not as they were, and the files of each block.

        items: the inputs that are not quiet.
        entries, said: what the report says of all: of those that are in both, the second.
        odd: the keys of those of which it may say something else in the next run.
        """
        known = {path for each in self.ledger.quiet.values() for path in each.odd}
        changed = self.ledger.touched | ({*odd} - known)
        known -= {*odd}
        changed |= {item.key for item in items if item.key in known and self._is_as_kept(item)}
        again = ({*range(BLOCKS)} - self.as_kept) | {*map(block_of, changed)}
        of_block: dict[int, list[Input]] = {}
        for item in self.in_order([*items, *self.woken(again)]):
            of_block.setdefault(block_of(item.key), []).append(item)
        paths: dict[int, set[str]] = {}
        for path in self.ledger.entries:
            paths.setdefault(block_of(path), set()).add(path)
        quiet, blocks = {}, dict[str, int]()
        for block in again:
            there = of_block.get(block, [])
            mine = [item for item in there if item.key not in odd and self._is_as_kept(item)]
            keys = [item.key for item in mine]
            every = [self.ledger.entries[key] for key in keys]
            names = [name for entry in every for name in entry.written]
            own = {name: was for entry in every for name, was in entry.known.own.items()}
            told = [said[key] if key in said else Said(entries[key]) for key in keys]
            wrong = {at: each[1:] for at, each in enumerate(told) if each.failure or each.doubt}
            seen, files = self.ledger.seen.known, [known_as(item.file) for item in mine]
            looks = self._digest(mine, [seen[name].looks for name in (*files, *names)])
            others = sorted((paths.get(block, set()) | {item.key for item in there}) - {*keys})
            quiet[block] = Quiet(looks, wrong, others, own, keys, names, [each.entry for each in told])
            blocks |= dict.fromkeys([*files, *names], block)
        return quiet, blocks

    def _is_as_kept(self, item: Input) -> bool:
        """Return whether the ledger has said all of an input, and it and its results look as they did then."""
        entry = self.ledger.entries.get(item.key)
        if not item.hash or entry is None or entry.known.hash != item.hash or entry.known.awaited or entry.known.limits:
            return False
        try:
            if self.contents.hash(item.file) != item.hash or len([*self.ledger.with_content([item.hash])]) > 1:
                return False
        except (OSError, ResultprocError):
            return False
        if any(self.folder.sha256(name) != was for name, was in entry.written.items()):
            return False
        known, names = self.ledger.seen.known, [known_as(item.file), *entry.written]
        return all(name in known and known[name].looks for name in names) and "\n" not in "".join([item.key, *names])

    def _digest(self, items: Iterable[Input], looks: Iterable[str]) -> str:
        """Return what tells how inputs and results look, and what is declared for the first, from anything else."""
        files = [item.file for item in items]
        declared = [each for file in files for each in self.contents.declared(file)]
        lines = [self.contents.settings, *files, "", *declared, "", *looks]
        return sha256("\0".join(lines).encode(errors="surrogateescape")).hexdigest()

    def is_quiet(self, known: Quiet, items: Sequence[Input], settle: float) -> bool:
        """Return whether a block is as it was."""
        if len(items) != len(known.keys) or any(fingerprint_of_file(name) != was for name, was in known.own.items()):
            return False
        try:
            found = [os.lstat(item.file) for item in items]
            results = map(os.lstat, map(self.folder.path_of, known.names))
            looks = self._digest(items, map(looks_in_words, chain(found, results)))
        except (OSError, ValueError):  # it is told where the block is looked at
            return False
        goes_on = settle and any(0 <= time.time() - each.st_mtime < settle for each in found)
        return looks == known.looks and not goes_on


def quiet_inputs(
    found: Sequence[Input], ledger: Ledger, folder: OutputFolder, contents: Contents, settle: float
) -> tuple[list[Input], QuietInputs]:
    """Return the inputs to look at, of which the ledger has entries then, and those of blocks that are as they were.

    settle: inputs written to within this many seconds may still be written to.
    """
    odd = {key for each in ledger.quiet.values() for key in each.odd}
    of_block: dict[int, list[Input]] = {block: [] for block in range(BLOCKS)}
    loud: list[Input] = []
    for item in found:
        (loud if item.key in odd else of_block[block_of(item.key)]).append(item)
    quiet = QuietInputs(found, ledger, folder, contents)
    for block, known in ledger.quiet.items():
        if quiet.is_quiet(known, of_block[block], settle):
            quiet.blocks[block] = of_block.pop(block)
            ledger.seen.same.update(known.names)
    quiet.as_kept = {*quiet.blocks}
    ledger.load(of_block.keys(), odd)
    return quiet.in_order(chain(loud, *of_block.values())), quiet
