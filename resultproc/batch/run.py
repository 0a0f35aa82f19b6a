"""The night's run: what is not yet done is done, in chunks and on several processors, and reported."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TypedDict

from resultproc.batch.chunks import Settings, process_chunk
from resultproc.batch.inputs import Input, content_hash, find, problems_of, settled
from resultproc.batch.interrupts import interrupts_ignored
from resultproc.batch.ledger import Ledger, Outcome
from resultproc.formats.write import PARTIAL, write_bytes
from resultproc.model.errors import InputError, OutputError, shown

_CHUNK = 50
"""Files that are awarded together: enough to share the costs of a frame, few enough for progress to be seen."""

FAILED, REPORT = "failed", "report.json"


class Doubtful(TypedDict):
    """The remarks on a file, as the report has them."""

    file: str
    hash: str
    remarks: list[dict[str, str]]


@dataclass
class Tally:
    """How far a run is: files to do, done and failed in it, their games, and how many earlier runs had done.

    failures: what is wrong with which file, of earlier runs too. same: files whose content another file has.
    doubtful: the remarks on which file.
    """

    files: int = 0
    done: int = 0
    failed: int = 0
    games: int = 0
    before: int = 0
    failures: list[dict[str, object]] = field(default_factory=list)
    doubtful: list[Doubtful] = field(default_factory=list)
    same: list[dict[str, str]] = field(default_factory=list)


def run(
    paths: Sequence[Path],
    folder: Path,
    settings: Settings,
    jobs: int = 1,
    progress: Callable[[Tally], None] = lambda tally: None,
    settle: float = 0,
) -> Tally:
    """Award every results file under some paths into a folder, and write the report; return the tally.

    progress: gets the tally at the start and whenever some more files are done. settle: files written to within
    so many seconds are left for a later run, as their writing may go on. An interruption leaves what is done done: the
    next run goes on from there. Files that cannot be awarded are copied to the folder's ``failed``, their problems
    are in its ``report.json``, beside those that an earlier run found.
    Raises OutputError where the folder cannot be written, InputError for a path that is not there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder cannot be made: {error.strerror}", file=str(folder)) from None
    tally = Tally()
    with Ledger(folder) as ledger:
        _clear_remains(folder)
        todo = _todo(_inputs(paths, folder, settings, settle, tally), ledger, tally)
        tally.files = tally.done + len(todo)
        progress(tally)
        for chunk, read_so in _outcomes(todo, folder, settings, jobs):
            outcomes = [_if_unchanged(item, each, settings) for (item, _), each in zip(chunk, read_so, strict=True)]
            for (item, name), outcome in zip(chunk, outcomes, strict=True):
                _set_aside(item, name, outcome, folder)
                _note(tally, item, outcome)
            ledger.record((item.hash, outcome) for (item, _), outcome in zip(chunk, outcomes, strict=True))
            progress(tally)
    write_bytes(folder / REPORT, _report(tally))
    return tally


def _clear_remains(folder: Path) -> None:
    """Remove the half-written files that a killed run left beside their places."""
    for path in folder.glob(f".*{PARTIAL}"):
        path.unlink(missing_ok=True)


def _inputs(paths: Sequence[Path], folder: Path, settings: Settings, settle: float, tally: Tally) -> Iterator[Input]:
    """Yield the inputs, and note those that cannot even be opened."""
    for path in find(paths, apart=folder):
        try:
            if not settle or settled(path, settle):
                yield Input(path, content_hash(path, settings.fingerprint))
        except OSError as error:
            _note(tally, Input(path, ""), Outcome(problems=problems_of(error, shown(path.name))))


def _if_unchanged(item: Input, outcome: Outcome, settings: Settings) -> Outcome:
    """Return the outcome of a file, unless it was replaced meanwhile: it may be that of either content."""
    try:
        same = content_hash(item.path, settings.fingerprint) == item.hash
    except OSError:  # as of those that are taken away once they are read
        same = True
    if same:
        return outcome
    changed = InputError("this file was replaced while it was read", hint="it is read again in the next run")
    return Outcome(problems=problems_of(changed, shown(item.path.name)))


Job = tuple[Input, str]
"""An input, and the name of its results."""


def _todo(inputs: Iterator[Input], ledger: Ledger, tally: Tally) -> list[Job]:
    """Enter the inputs into the ledger; return those to be done, and note what is known of the others."""
    todo: dict[str, Job] = {}
    items = list(inputs)
    for item, entry in zip(items, ledger.enter(items), strict=True):
        same = entry.path != Path(shown(item.path.resolve()))
        if same:
            tally.same.append({"file": shown(item.path), "same_as": str(entry.path)})
        if entry.outcome is None:
            todo.setdefault(item.hash, (item, entry.name))
        else:
            tally.before += not same
            _note_failure(tally, item, entry.outcome)
    return list(todo.values())


def _outcomes(
    todo: Sequence[Job], folder: Path, settings: Settings, jobs: int
) -> Iterator[tuple[Sequence[Job], list[Outcome]]]:
    """Yield chunks of jobs with their outcomes, in whatever order they are done."""
    size = min(_CHUNK, -(-len(todo) // jobs)) or 1
    chunks = [todo[start : start + size] for start in range(0, len(todo), size)]
    if jobs == 1 or len(chunks) < 2:
        for chunk in chunks:
            yield chunk, process_chunk(_files(chunk, folder), settings)
        return
    broken: list[Sequence[Job]] = []
    with _pool(jobs) as pool:
        with interrupts_ignored():
            futures: dict[Future[list[Outcome]], Sequence[Job]] = {
                pool.submit(process_chunk, _files(chunk, folder), settings): chunk for chunk in chunks
            }
        try:
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result()
                except BrokenProcessPool:
                    broken.append(futures[future])
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    for job in (job for chunk in broken for job in chunk):
        yield [job], [_alone(job, folder, settings)]


def _alone(job: Job, folder: Path, settings: Settings) -> Outcome:
    """Return the outcome of a file in a process of its own: it may be the one that ended a process."""
    with _pool(1) as pool:
        try:
            return pool.submit(process_chunk, _files([job], folder), settings).result()[0]
        except BrokenProcessPool:
            what = "reading it crashed the process, for example for lack of memory"
            return Outcome(problems=problems_of(InputError(what), shown(job[0].path.name)))


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this process end when the one that started it does: a killed one cannot see to that."""
    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


def _files(chunk: Sequence[Job], folder: Path) -> list[tuple[Path, Path]]:
    return [(item.path, folder / name) for item, name in chunk]


def _set_aside(item: Input, name: str, outcome: Outcome, folder: Path) -> None:
    """Copy an input that failed to the folder of those; take away an older copy of one that did not."""
    aside = folder / FAILED / (name + shown(item.path.suffix))
    try:
        if not outcome.problems:
            aside.unlink(missing_ok=True)
            return
        aside.parent.mkdir(exist_ok=True)
        try:
            source = item.path.open("rb")
        except OSError:  # it is gone, or not for us to read
            return
        with source, aside.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    except OSError as error:
        raise OutputError(f"it cannot be set aside: {error.strerror}", file=str(item.path)) from None


def _note(tally: Tally, item: Input, outcome: Outcome) -> None:
    """Count an input that this run has done."""
    tally.done += 1
    tally.games += outcome.games
    tally.failed += bool(outcome.problems)
    _note_failure(tally, item, outcome)


def _note_failure(tally: Tally, item: Input, outcome: Outcome) -> None:
    if outcome.problems:
        tally.failures.append({"file": shown(item.path), "hash": item.hash, "problems": outcome.problems})
    if outcome.remarks:
        tally.doubtful.append({"file": shown(item.path), "hash": item.hash, "remarks": outcome.remarks})


def _report(tally: Tally) -> bytes:
    content = {
        "files": tally.done,
        "games": tally.games,
        "failed": tally.failed,
        "done_before": tally.before,
        "same_content": sorted(tally.same, key=lambda pair: pair["file"]),
        "failures": sorted(tally.failures, key=lambda failure: str(failure["file"])),
        "remarks": sorted(tally.doubtful, key=lambda doubtful: doubtful["file"]),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
