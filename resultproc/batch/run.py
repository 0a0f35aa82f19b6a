"""The night's run: what is not yet done is done, in chunks and on several processors, and reported."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from resultproc.batch.chunks import Settings, process_chunk
from resultproc.batch.inputs import Input, content_hash, find
from resultproc.batch.ledger import Ledger, Outcome
from resultproc.errors import OutputError
from resultproc.writers import write_bytes

_CHUNK = 50
"""Files that are awarded together: enough to share the costs of a frame, few enough for progress to be seen."""

FAILED, REPORT = "failed", "report.json"


@dataclass
class Tally:
    """How far a run is: files to do, done and failed in it, their games, and how many earlier runs had done.

    failures: what is wrong with which file, of earlier runs too. same: files whose content another file has.
    """

    files: int = 0
    done: int = 0
    failed: int = 0
    games: int = 0
    before: int = 0
    failures: list[dict[str, object]] = field(default_factory=list)
    same: list[dict[str, str]] = field(default_factory=list)


def run(
    paths: Sequence[Path],
    folder: Path,
    settings: Settings,
    jobs: int = 1,
    progress: Callable[[Tally, int], None] = lambda tally, files: None,
) -> Tally:
    """Award every results file under some paths into a folder, and write the report; return the tally.

    progress: is told of the tally whenever some more files are done. An interruption leaves what is done done: the
    next run goes on from there. Files that cannot be awarded are copied to the folder's ``failed``, their problems
    stand in its ``report.json``, beside those that an earlier run found.
    Raises OutputError where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder cannot be made: {error.strerror}", file=str(folder)) from None
    tally = Tally()
    with Ledger(folder) as ledger:
        _clear_remains(folder)
        todo = []
        for path in find(paths, apart=folder):
            item = Input(path, content_hash(path, repr(settings)))
            name, first = ledger.enter(item)
            before = ledger.outcome(item.hash)
            if first != path.resolve():
                tally.same.append({"file": str(path), "same_as": str(first)})
            elif before is None:
                todo.append((item, name))
            else:
                tally.before += 1
                _note_failure(tally, item, before)
        tally.files = len(todo)
        for chunk, outcomes in _outcomes(todo, folder, settings, jobs):
            for (item, name), outcome in zip(chunk, outcomes, strict=True):
                _set_aside(item, name, outcome, folder)
                tally.done += 1
                tally.games += outcome.games
                tally.failed += bool(outcome.problems)
                _note_failure(tally, item, outcome)
            ledger.record((item.hash, outcome) for (item, _), outcome in zip(chunk, outcomes, strict=True))
            progress(tally, len(chunk))
    write_bytes(folder / REPORT, _report(tally))
    return tally


def _clear_remains(folder: Path) -> None:
    """Remove the half-written files that a killed run left beside their places."""
    for path in folder.glob(".*.*"):
        path.unlink(missing_ok=True)


Job = tuple[Input, str]


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
            what = "reading it ended the process that read it, for example for want of memory"
            return Outcome(problems=[{"file": job[0].path.name, "where": "", "what": what, "hint": ""}])


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))


def _files(chunk: Sequence[Job], folder: Path) -> list[tuple[Path, Path]]:
    return [(item.path, folder / name) for item, name in chunk]


def _set_aside(item: Input, name: str, outcome: Outcome, folder: Path) -> None:
    """Copy an input that failed to the folder of those; take away an older copy of one that did not."""
    aside = folder / FAILED / (name + item.path.suffix)
    try:
        if outcome.problems:
            aside.parent.mkdir(exist_ok=True)
            shutil.copyfile(item.path, aside)
        else:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"it cannot be set aside: {error.strerror}", file=str(item.path)) from None


def _note_failure(tally: Tally, item: Input, outcome: Outcome) -> None:
    if outcome.problems:
        tally.failures.append({"file": str(item.path), "hash": item.hash, "problems": outcome.problems})


def _report(tally: Tally) -> bytes:
    content = {
        "files": tally.done,
        "games": tally.games,
        "failed": tally.failed,
        "done_before": tally.before,
        "same_content": sorted(tally.same, key=lambda pair: pair["file"]),
        "failures": sorted(tally.failures, key=lambda failure: str(failure["file"])),
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
