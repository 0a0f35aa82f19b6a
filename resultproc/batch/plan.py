"""What a run has to do: which inputs are done, which have another's content, and what each one's results are called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath, PurePosixPath

from resultproc.batch.chunks import Job, Settings
from resultproc.batch.ledger import Ledger, LedgerEntry, Outcome
from resultproc.batch.naming import TakenNames, assigned
from resultproc.formats.found import Contents, Input, located, without_files
from resultproc.model.errors import InputError, shown
from resultproc.model.file_limits import for_one_file
from resultproc.model.files import OutputFolder, folded_name
from resultproc.model.work import chunked, in_order
from resultproc.rulebooks.load import fingerprint_of_file


def _is_gone(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # nobody can say
        return False
    return False


def follow_moved(ledger: Ledger, items: Iterable[Input]) -> None:
    """Let inputs whose folder was moved keep their results."""
    listed = {item.key: item for item in items}
    unknown = [item for key, item in listed.items() if item.hash and key not in ledger.entries]
    gone = {
        (entry.name, entry.inside, entry.known.hash): entry
        for path, entry in ledger.entries.items()
        if unknown and path not in listed and _is_gone(path)
    }
    for item in unknown:
        entry = gone.pop((item.name, item.inside, item.hash), None)
        if entry:
            ledger.rename(entry, item.key)


def vanished(ledger: Ledger, items: Sequence[Input], paths: Sequence[Path]) -> Iterator[Input]:
    """Yield the folders in which there is nothing now and from which earlier runs have results, with what is wrong."""
    for path in without_files(paths, items):
        gone = [entry for key, entry in ledger.entries.items() if PurePath(key).is_relative_to(path.resolve())]
        if gone:
            what = f"there is nothing in this folder, and {len(gone)} of its files were awarded before"
            problem = InputError(what, hint="is it a disk that is not there? their results are left as they are")
            name = shown(path)
            yield Input(str(path), located(path), name, True, problems=problem.in_file(shown(path.name)).as_dicts())


def withdraw_gone(
    ledger: Ledger, folder: OutputFolder, items: Iterable[Input], paths: Iterable[Path], *, emptied: bool
) -> None:
    """Remove the results of inputs that are no longer in the folders that were given.

    If a folder has no input at all, none are removed, unless it was emptied: it may be a disk that is not there.
    """
    listed = {item.key for item in items}
    roots = [path.resolve() for path in paths if path.is_dir()]
    there = [PurePath(each) for each in {item.key.rpartition(os.sep)[0] for item in items if not item.problems}]
    roots = [root for root in roots if emptied or any(path.is_relative_to(root) for path in there)]
    gone = [entry for path, entry in ledger.entries.items() if path not in listed and _is_gone(path)]
    for entry in gone:
        written = any(sha256 and folder.has(name) for name, sha256 in entry.files.items())
        if not written or any(PurePath(entry.path).is_relative_to(root) for root in roots):
            _remove(ledger, folder, ledger.entries.pop(entry.path).files)
    ledger.save(entry.path for entry in gone)


def _remove(ledger: Ledger, folder: OutputFolder, files: Mapping[str, str | None]) -> None:
    """Remove files that are as they were written; the others are left."""
    for name, sha256 in files.items():
        if sha256 and not folder.remove(name, sha256):
            ledger.left[name] = sha256


def planned(
    ledger: Ledger, folder: OutputFolder, items: Iterable[Input], settings: Settings
) -> tuple[Sequence[Job], Mapping[str, str]]:
    """Return what is to be done, and enter it into the ledger; remove the results of what is now another's content.

    The second is, for each input with the content of another one, by its key, the key of the other.
    """
    listed = {item.key: item for item in items if item.hash}
    same = _same(ledger, folder, listed, settings)
    for key in same.keys() & ledger.entries.keys():
        _remove(ledger, folder, ledger.entries.pop(key).files)
    ledger.save(same)

    def is_done(item: Input) -> bool:
        """Games that were ranked as they stood are done only while files are watched."""
        known = ledger.known(item.key)
        done = _is_done(ledger, item.key, item.hash, folder) and not known.may_pass(settings.limits)
        return done and (settings.watched or not known.awaited)

    todo = [item for key, item in listed.items() if key not in same and not is_done(item)]
    jobs = _named(ledger, todo, settings)
    for item, job in zip(todo, jobs, strict=True):
        entry = ledger.entries.setdefault(item.key, LedgerEntry(item.key, item.name, item.inside, job.stem, {}))
        names = {folded_name(name): name for name in job.names(settings)}
        for name in [name for name in ledger.left if folded_name(name) in names]:
            del ledger.left[name]
        # Its names are its own from now on; what is there of it remains until it is done.
        before = {name: sha256 for name, sha256 in entry.files.items() if folded_name(name) not in names}
        entry.files = before | {name: entry.files.get(name) for name in names.values()}
        entry.name, entry.inside, entry.stem = item.name, item.inside, job.stem
    ledger.save(job.key for job in jobs)
    return jobs, same


def _is_done(ledger: Ledger, key: str, hash_: str, folder: OutputFolder) -> bool:
    """Return whether what became of an input is known for its content, and all that was written is as it was.

    The rulebooks of a user's own that its games name have to say what they said, too.
    """
    entry = ledger.entries.get(key)
    return (
        entry is not None
        and entry.known.hash == hash_
        and all(not sha256 or folder.sha256(name) == sha256 for name, sha256 in entry.files.items())
        and all(fingerprint_of_file(name) == was for name, was in entry.known.own.items())
    )


def _same(ledger: Ledger, folder: OutputFolder, listed: Mapping[str, Input], settings: Settings) -> dict[str, str]:
    """Return the inputs with another one's content: that is the one that has results, else the first.

    A file whose name cannot be read comes last, as the name may keep it from being read at all.
    """
    by_hash: dict[str, list[str]] = {}
    for key, item in listed.items():
        by_hash.setdefault(item.hash, []).append(key)
    elsewhere = {entry.known.hash: path for path, entry in ledger.entries.items() if path not in listed}
    same: dict[str, str] = {}
    for hash_, keys in by_hash.items():
        if len(keys) == 1 and hash_ not in elsewhere:
            continue
        keys.sort(key=lambda key: (name := listed[key].file.rpartition(os.sep)[2]) != shown(name))
        every = ((key, ledger.known(key)) for key in keys)
        first = next((key for key, known in every if known.hash == hash_ and not known.number_of_problems), "")
        other = elsewhere.get(hash_, "")
        if not first and other and _is_done(ledger, other, hash_, folder):
            with suppress(OSError):
                if Contents(settings.fingerprint, settings.club, ledger.seen).hash(other) == hash_:
                    first = other
        same |= {key: first or keys[0] for key in keys if key != (first or keys[0])}
    return same


def _named(ledger: Ledger, todo: Sequence[Input], settings: Settings) -> list[Job]:
    """Return the jobs of inputs: results keep their names, unless what is now written would be another one's.

    With a pattern they are called by that; if two would have one name, both are refused.
    """

    def job(item: Input, stem: str) -> Job:
        return Job(item.path, item.key, item.hash, stem, refused.get(item.key, ""))

    refused: dict[str, str] = {}
    taken = TakenNames(ledger.owners)
    stems = _by_pattern(todo, settings)
    names = {item.key: job(item, stems[item.key]).names(settings) for item in todo if item.key in stems}
    for key, files in names.items():
        taken.add(files, key)
    for key, files in names.items():
        if others := sorted(taken.others(files, key)):
            named = ", ".join(map(shown, others))
            refused[key] = f"its results would be called '{files[0]}', and so would those of {named}"
            del stems[key]
    for item in todo:
        known = None if settings.pattern else ledger.entries.get(item.key)
        files = job(item, known.stem).names(settings) if known else []
        if known and not taken.others(files, item.key):
            taken.add(files, item.key)
            stems[item.key] = known.stem
    new = [item for item in todo if item.key not in stems]
    stems |= assigned(new, lambda item, stem: job(item, stem).names(settings), taken)
    return [job(item, stems[item.key]) for item in todo]


def _by_pattern(todo: Sequence[Input], settings: Settings) -> dict[str, str]:
    """Return what the pattern of names, if there is one, calls the results of inputs, by their keys.

    What cannot be read, or lacks what the pattern asks for, is not among them: that is told where it is awarded.
    """
    stems: dict[str, str] = {}
    if settings.pattern:
        work, none = partial(_called, settings=settings), dict[str, str]()
        for found in in_order(work, lambda *_: none, chunked(todo, 50, 1), 1, settings.limits):
            stems |= found
    return stems


def _called(items: Sequence[Input], settings: Settings) -> dict[str, str]:
    """Return what the pattern calls the results of some inputs."""
    stems: dict[str, str] = {}
    for item in items:
        with suppress(Exception), for_one_file():
            facts = settings.draft(settings.load(item.path)).facts
            name = settings.pattern.stem(facts) if settings.pattern else ""
            stems[item.key] = str(PurePosixPath(item.name).with_name(name))
    return stems


def record_outcomes(
    ledger: Ledger, folder: OutputFolder, done: Sequence[tuple[Job, Outcome]], settings: Settings
) -> None:
    """Note what became of some jobs, and remove earlier results of theirs that no longer hold."""
    for job, outcome in done:
        entry = ledger.entries[job.key]
        stale = {name: sha256 for name, sha256 in entry.files.items() if name not in outcome.files}
        entry.outcome, entry.known = outcome, outcome.known
        entry.files = {name: outcome.files.get(name) for name in [*job.names(settings), *outcome.files]}
        _remove(ledger, folder, stale)
        entry.files = {name: sha256 for name, sha256 in entry.files.items() if name not in ledger.left}
    ledger.save(job.key for job, _ in done)


def left_behind(ledger: Ledger, folder: OutputFolder, items: Iterable[Input]) -> list[dict[str, str]]:
    """Return the outdated results that are not removed, each with its file and why; forget those that are gone."""
    ledger.left = {name: sha256 for name, sha256 in ledger.left.items() if folder.has(name)}
    ledger.save(())
    why = dict.fromkeys(ledger.left, "it was changed since it was written")
    listed = {item.key for item in items}
    for path, entry in ledger.entries.items():
        if path not in listed and _is_gone(path):
            there = (name for name, sha256 in entry.files.items() if sha256 and folder.has(name))
            why |= dict.fromkeys(there, f"its input is gone: {path}")
    return [{"file": name, "why": why[name]} for name in sorted(why)]
