"""The night's run: what is not yet done is done, in chunks and on several processors, and reported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from time import monotonic
from typing import Any

import numpy as np

from resultproc.batch.chunks import Job, Settings, awaits, failed, process_chunk
from resultproc.batch.ledger import BLOCKS, Ledger, Outcome, block_of
from resultproc.batch.naming import REPORT, REPORT_PAGE, TO_DO
from resultproc.batch.plan import follow_moved, left_behind, planned, record_outcomes, vanished, withdraw_gone
from resultproc.batch.quiet import QuietInputs, ReportTexts, quiet_inputs
from resultproc.batch.sent import Publishing, held_back, published
from resultproc.batch.todo import report_page, to_do_page, write_page
from resultproc.formats.found import Contents, Input, results_files, settled, written_at
from resultproc.formats.html.parted import boards_folder
from resultproc.model.codes import status_of_all
from resultproc.model.dates import time_text
from resultproc.model.errors import (
    MOST_QUOTED,
    BlockedError,
    FormatError,
    InputError,
    Problem,
    ResultprocError,
    resultproc_error,
    shown,
)
from resultproc.model.files import OutputFolder, SeenFiles
from resultproc.model.json import JsonObject, json_lines, one_line
from resultproc.model.plugins import named
from resultproc.model.provenance import now, program
from resultproc.model.work import chunked, in_order, within
from resultproc.site.games import Columns, SiteGames
from resultproc.site.index import LISTS, GamesPage, Index, files_for_the_public, remove_site, write_site
from resultproc.stages.doubts import LIKELY_MISTAKES
from resultproc.stages.same_game import remarks_on_versions

_LIKELY = re.compile('"code": "(?:{})"'.format("|".join(map(re.escape, LIKELY_MISTAKES))))

_SCHEMA = "1.1"
"""The version of the report, which ``report.schema.json`` describes."""


@dataclass
class Tally:
    """How far a run is."""

    files: int = 0  # how many files it has to do
    done: int = 0  # how many of them are done
    failed: int = 0  # how many of these failed; in the end, how many inputs have failed, in this run or an earlier one
    games: int = 0  # how many games they hold
    before: int = 0  # how many files earlier runs had done
    inputs: list[Mapping[str, Any]] = field(default_factory=list)  # every input with what became of it
    states: Counter[str] = field(default_factory=Counter)
    likely: int = 0  # how many files have likely mistakes, which are what is doubtful
    # What is wrong with which file, of earlier runs too.
    failures: list[Mapping[str, Any]] = field(default_factory=list)
    # The remarks on which file, with the hash of its content and of all that was declared for it.
    doubtful: list[Mapping[str, Any]] = field(default_factory=list)
    # How many these are for each file; 0 where some are on another file, too, or not all are there.
    own_remarks: list[int] = field(default_factory=list)
    same: list[Mapping[str, Any]] = field(default_factory=list)  # files whose content another file has
    removed: list[str] = field(default_factory=list)  # outdated results that were removed
    left: list[dict[str, Any]] = field(default_factory=list)  # those that are still there
    published: list[dict[str, Any]] = field(default_factory=list)  # what became of each file at each results site
    began: str = field(default_factory=lambda: time_text(now()))  # when this run began
    started: float = field(default_factory=monotonic)  # the same on a clock that is never set
    earlier: dict[str, Any] | None = None  # the record of the run before, see :meth:`record`; None where there was none
    found: Sequence[Input] = ()  # the inputs as they were found

    def count(self, *outcomes: Outcome) -> None:
        """Count inputs that this run has done."""
        self.done += len(outcomes)
        self.games += sum(outcome.games for outcome in outcomes)
        self.failed += sum(bool(outcome.problems) for outcome in outcomes)

    def list_inputs(
        self,
        items: Iterable[Input],
        same: Mapping[str, str],
        ledger: Ledger,
        done: set[str],
        versions: Mapping[str, Sequence[Problem]],
        entries: Mapping[str, str],
        before: Mapping[str, ReportTexts],
    ) -> dict[str, ReportTexts]:
        """List every input; return what is said of those of which that is not what was said before.

        done: the keys of those that this run has done.
        versions: the remarks on games that another file may have, too, by the keys of the inputs.
        entries: those of inputs that are as they were, by their keys. before: what else was said of them.
        """
        paths = {item.key: item.file if item.file.isascii() else shown(item.file) for item in items}
        new: dict[str, ReportTexts] = {}
        for item in sorted(items, key=lambda item: paths[item.key]):
            said = before.get(item.key)
            if item.key in entries and not said:
                self.before += 1
                self.states[_BEFORE] += 1
                self.inputs.append(JsonObject(entries[item.key]))
                continue
            file, other = paths[item.key], same.get(item.key)
            if not said:
                outcome = ledger.outcome(other or item.key)
                if not item.hash:  # what was written of it before is still there
                    wrong = list(item.problems)
                    files, final = outcome.files, outcome.final
                    outcome = Outcome(problems=wrong, number_of_problems=len(wrong), files=files, final=final)
                    self.files += bool(wrong)
                    self.count(*([outcome] if wrong else []))
                if more := [each.entry_of_remark for each in versions.get(item.key, ())]:
                    count = outcome.number_of_remarks + len(more)
                    outcome = replace(outcome, remarks=[*outcome.remarks, *more], number_of_remarks=count)
                as_other = f', "same_as": {one_line(paths.get(other, other))}' if other else ""
                read_by = PurePath(paths.get(other, other) if other else file).name
                said = new[item.key] = _said(outcome, read_by, file, item.hash, as_other)
                if other:
                    self.same.append(JsonObject(f'{{"file": {one_line(file)}{as_other}}}'))
            state = "done" if item.key in done else _BEFORE
            state = "same_content" if other else "waiting" if item.waiting else state
            self.before += state == _BEFORE and not said.failure
            state = "failed" if said.failure else state
            self.states[state] += 1
            entry = said.entry if state == _BEFORE else said.entry.replace(_state(_BEFORE), _state(state), 1)
            self.inputs.append(JsonObject(entry))
            if said.failure:
                self.failures.append(JsonObject(said.failure))
            if said.doubt:
                self.likely += bool(_LIKELY.search(said.doubt))
                self.doubtful.append(JsonObject(said.doubt))
                self.own_remarks.append(said.own_remarks)
        self.failed = len(self.failures)
        return new

    @property
    def status(self) -> int:
        """The exit status that the files stand for."""
        wrong = (each for entry in (*self.failures, *self.published) for each in entry["problems"])
        return status_of_all(each["code"] for each in wrong)

    @property
    def newest(self) -> float | None:
        """When the newest input was written to, in seconds since 1970; None where there is none."""
        return max((time for item in self.found if (time := written_at(item.path)) is not None), default=None)

    @property
    def at_rest(self) -> bool:
        """Whether another run would find the same, as long as no input changes."""
        states = {*self.states} | {each["state"] for each in self.published}
        return self.status in (0, 1) and states <= {"done", "done_before", "same_content", "failed", "sent", "removed"}

    def record(self) -> dict[str, Any]:
        """Return the record of this run as it ends: each input counts once, by what became of it."""
        return {
            "began": self.began,
            "ended": time_text(now()),
            "seconds": round(monotonic() - self.started, 3),
            "status": self.status,
            "inputs": {
                state: self.states[state] for state in ("done", "done_before", "same_content", "waiting", "failed")
            },
        }

    def report(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "provenance": {"program": program(), "schema": _SCHEMA},
            "run": {**self.record(), "before": self.earlier},
            "files": self.done,
            "games": self.games,
            "failed": self.failed,
            "done_before": self.before,
            "inputs": self.inputs,
            "removed": sorted(self.removed),
            "left": self.left,
            "same_content": self.same,
            "failures": self.failures,
            "remarks": self.doubtful,
            "published": self.published,
        }


_BEFORE = "done_before"
"""The state of an input that an earlier run has done."""


def _state(state: str) -> str:
    return f'"state": "{state}"'


def _said(outcome: Outcome, name: str, file: str, hash_: str, as_other: str) -> ReportTexts:
    """Return what the report says of an input. name: of the file that was read. file: its path."""
    about = {
        "sha256": outcome.sha256 or None,
        "games": outcome.games,
        "final": outcome.final,
        "outputs": [{"file": name, "sha256": sha256} for name, sha256 in sorted(outcome.files.items())],
        "rulebooks": outcome.rulebooks,
    }
    remarks, problems = (
        one_line([_of_file(each, name, file) for each in told]) for told in (outcome.remarks, outcome.problems)
    )
    number, wrong = outcome.number_of_remarks, outcome.number_of_problems
    named = f'{{"file": {one_line(file)}, '
    of_remarks, of_problems = f'"remarks": {remarks}', f'"problems": {problems}'
    told = f'{of_remarks}, "number_of_remarks": {number}, {of_problems}, "number_of_problems": {wrong}'
    return ReportTexts(
        f"{named}{_state(_BEFORE)}{as_other}, {one_line(about)[1:-1]}, {told}}}",
        f'{named}"hash": "{hash_}", {of_problems}}}' if wrong else "",
        f'{named}"hash": "{hash_}", {of_remarks}}}' if number else "",
        number if number <= MOST_QUOTED and '"file": ' not in remarks else 0,
    )


def _of_file(told: dict[str, Any], name: str, file: str) -> dict[str, Any]:
    """Return a problem or remark of a file with the path of that, where it has the name that the file was read by."""
    if told.get("file") == name:
        return {**told, "file": file}
    where = told["where"]
    named = "file" not in told and (where == name or where.startswith(f"{name}: "))
    return {**told, "where": file + where.removeprefix(name)} if named else told


FILES_AT_A_TIME = 50
"""Files that are awarded together: enough to share the costs of a frame, few enough for progress to be seen."""


def run(
    paths: Sequence[Path],
    output: Path,
    settings: Settings,
    jobs: int = 1,
    progress: Callable[[Tally], None] = lambda tally: None,
    settle: float = 0,
    index: Index | None = None,
    publishing: Publishing | None = None,
) -> Tally:
    """Award every results file under some paths into a folder, and write the report; return the tally.

    progress: gets the tally at the start and whenever some more files are done.
    settle: files written to within this many seconds are left for a later run, as their writing may go on.
    index: the lists of pages to make in the end; pages are then without remarks, which may quote what is not for the
    public. Without it those of earlier runs go.
    publishing: the results sites that get the games, None for none.

    An interruption leaves what is done done: the next run goes on from there. Results that are not as they were written
    are written again, and those of inputs that are gone from the folders given are removed. Files that cannot be
    awarded are copied to the folder's ``failed``. :mod:`resultproc.site.index` has the pages that say so.
    Raises OutputError where the folder cannot be written, InputError for a path that is not there.
    """
    folder = OutputFolder.made(output)
    tally = Tally()
    settings = replace(settings, shown=False, players=index.players) if index else settings
    found = list(results_files(paths, apart=folder.root))  # which may refuse the folder: nothing is left in it then
    with Ledger(folder.root) as ledger:
        folder.seen = ledger.seen
        contents = Contents(settings.fingerprint, settings.club, ledger.seen)
        loud, quiet = quiet_inputs(found, ledger, folder, contents, settle)
        tally.earlier = ledger.begin_run(tally.began)
        if not tally.earlier or "ended" not in tally.earlier:
            folder.clear()
        read = partial(_read_all, settings=settings, settle=settle, seen=ledger.seen)
        items = read(loud)
        woken = quiet.woken([*quiet.blocks]) if publishing else quiet.woken_with(items)
        items = quiet.in_order([*items, *woken])
        follow_moved(ledger, items)
        folders = [*items, *quiet.of_folders]
        empty = [] if settings.emptied else list(vanished(ledger, folders, paths))
        withdraw_gone(ledger, folder, folders, paths, emptied=settings.emptied)
        items += empty
        items, same, done = _awarded(items, read, ledger, folder, settings, jobs, tally, progress)
        refused, doubtful, either = _versions(items, ledger, quiet, done if settings.strict else set())
        for item in (each for each in items if each.key in refused):  # what was written of them goes, and they failed
            entry = ledger.entries[item.key]
            tally.failed += 1
            tally.games -= ledger.outcome(item.key).games
            job = Job(item.path, item.key, item.hash, entry.stem)
            record_outcomes(ledger, folder, [(job, failed(InputError(refused[item.key]), job, folder))], settings)
        wrong = _site(ledger, folder, settings, index, held_back(ledger, either) if publishing else set())
        items += quiet.woken(map(block_of, ledger.touched))
        odd = {*same, *same.values(), *doubtful}
        before = quiet.said(items, odd)
        said = tally.list_inputs([*items, *quiet.items], same, ledger, done, doubtful, *before)
        tally.removed = [name for name in folder.removed if name in ledger.before and not folder.has(name)]
        tally.left = left_behind(ledger, folder, items)
        folder.put(REPORT, json_lines(tally.report()).encode())
        if publishing:
            pages = files_for_the_public(ledger.written(), folder) if index and not wrong else None
            firsts = [item for item in items if item.key not in same]
            sent = published(firsts, ledger, folder, settings, publishing, either, pages)
            tally.published = sorted(sent, key=lambda entry: (entry["file"], entry["site"]))
            folder.put(REPORT, json_lines(tally.report()).encode())
        reported = "html" in settings.to and not index
        write_page(folder, REPORT_PAGE, report_page(tally.report()) if reported else b"")
        waiting = to_do_page([*tally.failures, *tally.published], tally.doubtful) if settings.watched else b""
        write_page(folder, TO_DO, waiting)
        tally.found = found
        ledger.end_run(tally.record(), *quiet.kept(items, before[0], before[1] | said, odd))
    if wrong:
        raise wrong
    return tally


def _awarded(
    items: list[Input],
    read: Callable[[Sequence[Input]], list[Input]],
    ledger: Ledger,
    folder: OutputFolder,
    settings: Settings,
    jobs: int,
    tally: Tally,
    progress: Callable[[Tally], None],
) -> tuple[list[Input], Mapping[str, str], set[str]]:
    """Award what is not yet done, and tell the ledger and the tally.

    Return the inputs as they were read in the end, those that have another one's content, and the keys of those done.
    A file that is replaced meanwhile is read again, twice at most.
    """

    def changing(items: Sequence[Input]) -> list[Input]:
        what, hint = "this file was replaced again and again while it was read", "it is read in the next run"
        return [_unread(item, InputError(what, hint=hint, code="again.changing")) for item in items]

    def crashed(job: Job, error: InputError) -> list[tuple[Job, Outcome]]:
        return [(job, failed(error, job, folder, limits=settings.limits))]

    work = partial(process_chunk, folder=OutputFolder(folder.root), settings=settings)
    done: set[str] = set()
    for read_again in (read, read, changing):
        todo, same = planned(ledger, folder, items, settings)
        tally.files = tally.done + len(todo)
        progress(tally)
        chunks = chunked(todo, FILES_AT_A_TIME, jobs)
        for outcomes in in_order(work, crashed, chunks, jobs if len(chunks) > 1 else 1, settings.limits):
            of_content = [(job, outcome) for job, outcome in outcomes if outcome.hash in ("", job.hash)]
            record_outcomes(ledger, folder, of_content, settings)
            done |= {job.key for job, _ in of_content}
            tally.count(*(outcome for _, outcome in of_content))
            progress(tally)
        changed = {job.key for job in todo} - done
        if not changed:
            break
        again = iter(read_again([item for item in items if item.key in changed]))
        items = [next(again) if item.key in changed else item for item in items]
    return items, same, done


def _site(
    ledger: Ledger, folder: OutputFolder, settings: Settings, index: Index | None, hidden: Collection[str]
) -> BlockedError | None:
    """Make the folder a site, or no site any more; return why it cannot be one. hidden: as for a site."""
    ending = settings.ending(named("writers", "html"))

    def page_of(key: str) -> GamesPage:
        entry = ledger.entry(key)
        name = entry.stem + ending
        below = f"{boards_folder(name)}/"
        parts = {part: sha256 for part, sha256 in entry.written.items() if part.startswith(below)}
        return GamesPage(key, name, entry.files.get(name), parts)

    def every_page() -> Iterator[GamesPage]:
        ledger.load(range(BLOCKS))
        yield from map(page_of, ledger.entries)

    written: dict[str, str] = {}
    linked: list[str] = []

    def keep() -> None:
        ledger.rewritten(linked)
        linked.clear()

    def changed(page: GamesPage, sha256: str) -> None:
        ledger.entry(page.key).files[page.name] = written[page.name] = sha256
        linked.append(page.key)
        if len(linked) == FILES_AT_A_TIME:  # after a run that is killed here, no more than these are awarded again
            keep()

    try:
        if index:
            years, others = ledger.games(ending)
            every = Columns.of_years(years)
            told = zip(every.path, every.page, every.sha256, strict=True)
            public = [bool(sha256) and key not in hidden and page.endswith(ending) for key, page, sha256 in told]
            ways = ledger.ways_written(int(every.ways.max(initial=-1)))
            games = SiteGames(every.only(np.array(public, dtype=np.bool_)), ways, ledger.more_of_games)
            taken = {key: path for name in LISTS for key, path in ledger.owners(name).items()}
            more = (settings.fingerprint, page_of, hidden, *ledger.said_of_site())
            links = write_site(games, folder, index, changed, taken, *more)
            others |= {year for year, columns in years.items() if not links.keys().isdisjoint(columns.page)}
            kept = {year: years[year].now(written, links) for year in others}
        else:
            remove_site(every_page(), folder, changed)
    except BlockedError as error:
        return error
    finally:
        keep()
    if index:
        ledger.keep_games(kept)
    return None


_Remarks = dict[str, list[Problem]]
"""Remarks by the keys of the inputs."""


def _versions(
    items: list[Input], ledger: Ledger, quiet: QuietInputs, refusable: Collection[str]
) -> tuple[_Remarks, _Remarks, set[str]]:
    """Return the remarks on games that two files may have in two versions: first those for which a file is refused.

    The third are the keys of all such files. Those that are quiet are woken, and among the items then.

    refusable: the keys of files to refuse rather than to remark on: neither of two such files is awarded, as which one
    is right is not known. The results of a file that is not among them are there, and stay.
    """
    alike = ledger.perhaps_alike({item.key for item in items if item.hash})
    items += quiet.woken(map(block_of, alike - ledger.entries.keys()))
    listed = sorted((item for item in items if item.key in alike), key=lambda item: shown(item.file))
    files = {item.key: (item.name, ledger.played(item.key)) for item in listed}
    refused: _Remarks = {}
    doubtful: _Remarks = {}
    either: set[str] = set()
    for later, earlier in remarks_on_versions(files) if len(files) > 1 else ():
        either |= {later[0], earlier[0]}
        wrong = [each for each in (later, earlier) if each[0] in refusable]
        for key, remark in wrong or [later]:
            (refused if wrong else doubtful).setdefault(key, []).append(remark)
    ledger.keep_unsure(either)
    return refused, doubtful, either


def _read_all(items: Sequence[Input], settings: Settings, settle: float, seen: SeenFiles) -> list[Input]:
    """Return inputs, each as :func:`_read` does."""
    contents = Contents(settings.fingerprint, settings.club, seen)
    return [_read(item, settings, settle, contents) for item in items]


def _read(item: Input, settings: Settings, settle: float, contents: Contents) -> Input:
    """Return an input with the hash of its content, or with why it is not to be read now."""
    try:
        if item.problems:
            return item
        if settle and not settled(item.path, settle):
            goes_on = False  # it is shown so far where its game is known to go on
            if settings.watched:
                with suppress(Exception):  # half-written perhaps: that is told once it no longer changes
                    goes_on = within(settings.limits, item.name, _goes_on, item.path, settings)
            if not goes_on:
                return item._replace(hash="", waiting=True)
        return item._replace(hash=contents.hash(item.file))
    except (OSError, FormatError) as error:
        return _unread(item, resultproc_error(error))


def _goes_on(path: Path, settings: Settings) -> bool:
    """Return whether there are results to come of the games of a file."""
    return awaits(settings.draft(settings.load(path)))


def _unread(item: Input, error: ResultprocError) -> Input:
    return item._replace(hash="", problems=error.in_file(shown(item.path.name)).as_dicts())
