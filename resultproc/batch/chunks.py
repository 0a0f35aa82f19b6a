"""A chunk of files at once: read one by one, awarded together, written one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from resultproc.batch.ledger import Outcome
from resultproc.batch.naming import FAILED_FOLDER
from resultproc.formats.declared import left_out, look_of_site
from resultproc.formats.found import hash_of
from resultproc.formats.html.parted import boards_folder, pages_of_cards
from resultproc.formats.loaded import load_source
from resultproc.formats.read import drafted
from resultproc.formats.registry import Part, Writer
from resultproc.formats.write import NamePattern
from resultproc.model.arrays import row_dicts
from resultproc.model.codes import AWAITED, TOO_MUCH
from resultproc.model.draft import Draft, distinct, play_of
from resultproc.model.errors import (
    BlockedError,
    ImpossibleError,
    InputError,
    PluginError,
    Problem,
    by_game,
    by_halves,
    quoted,
    raise_if_any,
    resultproc_error,
    shown,
)
from resultproc.model.file_limits import FileLimits, for_one_file
from resultproc.model.files import OutputFolder
from resultproc.model.frames import AwardedResult, Result
from resultproc.model.language import ENGLISH, language
from resultproc.model.plugins import named
from resultproc.model.provenance import Provenance
from resultproc.model.source import Source
from resultproc.pages.words import kind_and_tables
from resultproc.publish.parcel import is_final
from resultproc.rulebooks.choice import editions, rulebooks_used
from resultproc.rulebooks.load import fingerprint, fingerprint_of_file, is_file
from resultproc.site.player_pages import who_sat
from resultproc.stages.pipeline import award_sheet, for_players, placed_so_far, public, with_boards_doubted, with_play
from resultproc.stages.same_game import GAMES_ALIKE_CODE, who_played


@dataclass(frozen=True)
class Settings:
    """What holds for every file of a batch."""

    format: str | None  # the one to read, None to tell it by the content
    to: tuple[str, ...]  # the formats to write
    keys: Mapping[str, object]  # the game keys, as given with options
    strict: bool = False  # a file with remarks is not awarded
    shown: bool = False  # pages list all remarks, and not only those for players
    public: bool = False  # results are without remarks, and as :func:`resultproc.stages.pipeline.public` has them
    # What results are called by, in the folder that they would be in; None: as their files are.
    pattern: NamePattern | None = None
    players: bool = False  # what pages of players need is found, too
    # The files are looked at again and again: games whose results are awaited are ranked as they stand.
    watched: bool = field(default=False, repr=False)
    # A folder without any file is one that somebody emptied, and no disk that is away: its results go.
    emptied: bool = field(default=False, repr=False)
    # What a file may take of memory and time; None: files are read in this process, and may take all.
    limits: FileLimits | None = field(default=None, repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """What tells these settings from any other: a changed rulebook, program or language gives other results.

        Raises RulebookError for a rulebook that there is not.
        """
        rules = self.keys.get("rulebook")
        spoken = () if language() == ENGLISH else (language(),)
        return repr((self, fingerprint(str(rules) if rules else None), *spoken))

    @property
    def club(self) -> Path | None:
        """The file of a club's settings, if it is not in the folder of its games."""
        return Path(str(self.keys["settings"])) if self.keys.get("settings") else None

    def load(self, path: Path) -> Source:
        """Return a file, and what is declared beside it and by its club."""
        return load_source(path, str(self.club) if self.club else None)

    def draft(self, source: Source) -> Draft:
        """Return what a file says, with the keys that hold for every file."""
        keys = {name: value for name, value in self.keys.items() if name != "settings"}
        return drafted(source, format=self.format, **keys)

    def ending(self, writer: Writer) -> str:
        """Return how the names of results in a format end."""
        return (self.pattern and self.pattern.ending) or writer.endings[0]

    def writers(self) -> list[Writer]:
        """Return what writes the formats."""
        return [named("writers", name) for name in self.to]


@dataclass(frozen=True)
class Job:
    """A file to award."""

    path: Path  # where the file is
    key: str  # what it is known by
    hash: str  # of the content that is meant
    stem: str  # what its results are called in the output folder, without an ending
    refused: str = ""  # why they cannot be called what the pattern of names asks for; '' where they can

    def output(self, writer: Writer, settings: Settings) -> str:
        """Return the name of its results in a format."""
        return self.stem + settings.ending(writer)

    def names(self, settings: Settings) -> list[str]:
        """Return the names of all files that it may have in the output folder, and of the folders of heavy pages."""
        writers = settings.writers()
        named = {self.output(writer, settings): writer for writer in writers}
        return [*named, *(boards_folder(name) for name, writer in named.items() if writer.parted), self.aside]

    def parts(self, writer: Writer, content: bytes, settings: Settings) -> Mapping[str, bytes]:
        """Return its results in a format by the names of their files: one, or several of a heavy page."""
        name = self.output(writer, settings)
        return writer.parted(content, name) if writer.parted else {name: content}

    @property
    def aside(self) -> str:
        """The name of its copy among the files that failed."""
        suffix = shown(self.path.suffix)
        return f"{FAILED_FOLDER}/{self.stem.removesuffix(suffix)}{suffix}"


def process_chunk(jobs: Sequence[Job], folder: OutputFolder, settings: Settings) -> list[tuple[Job, Outcome]]:
    """Read, award and write some files; return each with its outcome, in their order.

    What is wrong with one file keeps no other from being done. A file whose content has changed since the job was
    planned is not done: its outcome has the new hash, and nothing else.

    Raises OutputError where results cannot be written.
    """
    sources: dict[int, Source] = {}
    outcomes: dict[int, Outcome] = {}
    errors: dict[int, Exception] = {}
    drafts = _drafts(jobs, settings, sources, outcomes, errors)
    for number in [number for number, draft in drafts.items() if settings.watched and awaits(draft)]:
        done = _so_far(drafts.pop(number), jobs[number], sources[number], folder, settings)
        outcomes |= {number: done} if isinstance(done, Outcome) else {}
        errors |= {number: done} if isinstance(done, Exception) else {}
    for each in _awarded(drafts, errors):
        who = who_played(each.result)
        kinds = map(kind_and_tables, row_dicts(each.result.games))
        who = [{**of, "kind": kind} for of, kind in zip(who, kinds, strict=True)]
        for number, written in _written(each, settings).items():
            try:
                if isinstance(written, Exception):
                    raise written
                data = dict(each for one in written for each in jobs[number].parts(*one, settings).items())
                folder.refuse_blocked(data)
                sat = who_sat(each.alone(number, True)) if settings.players else []
            except Exception as error:
                errors[number] = error
                continue
            part = each.parts[number]
            cards = pages_of_cards(data) if settings.players else {}
            outcomes[number] = _outcome(
                jobs[number],
                sources[number],
                len(part.names),
                part.remarks,
                rulebooks=part.provenance.entry()["rulebooks"],
                played=[{**of, "game": name} for of, name in zip(who[part.games], part.names, strict=True)],
                seated=[{**row, "card": cards.get(at, "")} for at, row in enumerate(sat)],
                left_out=left_out(sources[number].settings) if settings.players else [],
                look=look_of_site(sources[number].settings),
                files={name: folder.put(name, content) for name, content in data.items()},
                own=_own(drafts[number]),
                final=is_final(each.result.games["special"].iloc[part.games], drafts[number].remarks),
            )
    for number, wrong in errors.items():
        wrong_outcome = failed(wrong, jobs[number], folder, sources.get(number), settings.limits)
        outcomes[number] = replace(wrong_outcome, own=_own(drafts[number]) if number in drafts else {})
    return [(job, outcomes[number]) for number, job in enumerate(jobs)]


def _drafts(
    jobs: Sequence[Job],
    settings: Settings,
    sources: dict[int, Source],
    outcomes: dict[int, Outcome],
    errors: dict[int, Exception],
) -> dict[int, Draft]:
    """Return what files say; note their sources, the outcomes of those with another content, and what is wrong."""
    drafts: dict[int, Draft] = {}
    for number, job in enumerate(jobs):
        try:
            source = sources[number] = settings.load(job.path)
            found = hash_of(source, settings.fingerprint)
            if found != job.hash:
                outcomes[number] = Outcome(found)
                continue
            with for_one_file(len(source.data)):
                draft = settings.draft(source)
            if settings.pattern:
                settings.pattern.stem(draft.facts)
            if job.refused:
                raise BlockedError(job.refused, hint="let the pattern tell them apart, or take one of them away")
            drafts[number] = draft
        except Exception as error:
            errors[number] = error
    return drafts


def awaits(draft: Draft) -> bool:
    """Return whether there are results to come of a file's games."""
    return any(remark.code == AWAITED for remark in draft.remarks)


def _so_far(draft: Draft, job: Job, source: Source, folder: OutputFolder, settings: Settings) -> Outcome | Exception:
    """Write what a file's games are as they stand, ranked and nothing awarded; return the outcome, or what is wrong."""
    try:
        with for_one_file():
            result = placed_so_far(with_boards_doubted([draft]))
            result = with_play(public(result) if settings.public else result, *play_of([draft]))
            written = [(each, _alone(each, lambda _: result, settings)) for each in settings.writers()]
            data = dict(each for one in written for each in job.parts(*one, settings).items())
        folder.refuse_blocked(data)
    except Exception as error:
        return error
    files = {name: folder.put(name, content) for name, content in data.items()}
    of_games = (len(result.games), result.remarks)
    return _outcome(job, source, *of_games, files=files, own=_own(draft), final=False, awaited=True)


def _outcome(job: Job, source: Source, games: int, remarks: Iterable[Problem], **more: Any) -> Outcome:
    """Return the outcome of a file that was awarded, or ranked so far. more: what else it has."""
    said = [*dict.fromkeys(remarks)]
    told = [remark.entry_of_remark for remark in quoted(said)]
    return Outcome(job.hash, source.sha256, games, remarks=told, number_of_remarks=len(said), **more)


def _own(draft: Draft) -> dict[str, str]:
    """Return the files of rulebooks that the games of a file name, with their fingerprints."""
    names = {str(facts.get("rulebook")) for facts in draft.facts}
    return {name: fingerprint_of_file(name) for name in sorted(names) if is_file(name)}


def _written(awarded: Awarded, settings: Settings) -> dict[int, Exception | list[tuple[Writer, bytes]]]:
    """Return what is to be written of each file, or why it is not: such as remarks, where the settings are strict."""
    writers = settings.writers()
    if settings.public:
        awarded = replace(awarded, result=public(awarded.result))
    fast = {writer.name: each for writer in writers if (each := _at_once(writer, awarded, settings))}
    found: dict[int, Exception | list[tuple[Writer, bytes]]] = {}
    for number, part in awarded.parts.items():
        try:
            if settings.strict:
                raise_if_any(part.remarks)
            alone = cache(partial(awarded.alone, number))
            with for_one_file():
                found[number] = [
                    (writer, fast[writer.name][number] if writer.name in fast else _alone(writer, alone, settings))
                    for writer in writers
                ]
        except Exception as error:
            found[number] = error
    return found


def _at_once(writer: Writer, awarded: Awarded, settings: Settings) -> dict[int, bytes]:
    """Return the files of a format that writes many at once; none of others, nor where one is at fault."""
    if writer.each is None:
        return {}
    parts = [part._replace(remarks=()) if settings.public else part for part in awarded.parts.values()]
    try:
        with for_one_file():
            result = with_play(awarded.result, *play_of(awarded.named)) if writer.boards else awarded.result
            return dict(zip(awarded.parts, writer.each(result, parts), strict=True))
    except Exception:  # the one at fault is found where each is written alone
        return {}


def _alone(writer: Writer, alone: Callable[[bool], Result], settings: Settings) -> bytes:
    result = alone(writer.boards)
    if settings.public:
        result = replace(result, remarks=())
    return writer.write(for_players(result) if writer.page and not settings.shown else result)


def failed(
    error: Exception,
    job: Job,
    folder: OutputFolder,
    source: Source | None = None,
    limits: FileLimits | None = None,
) -> Outcome:
    """Return the outcome of a file that cannot be awarded, and copy it to the folder of those.

    A link is not copied: it may lead to what is for nobody here to read. Where the content is not at fault, the outcome
    has no hash, so that the file is tried again.

    error: why not; the outcome has its problems.
    source: what was read of the file; without it, whatever there is now is copied.
    limits: those that it was read within.
    Raises OutputError where the copy cannot be written.
    """
    wrong = resultproc_error(error)
    too_much = any(each.code == TOO_MUCH for each in wrong.problems)
    of_content = source is not None and isinstance(error, InputError | ImpossibleError | PluginError)
    copied = None
    if not job.path.is_symlink():
        copied = folder.put(job.aside, source.data) if source else folder.copy(job.aside, job.path)
    return Outcome(
        hash=job.hash if of_content or too_much else "",
        sha256=source.sha256 if source else "",
        problems=wrong.in_file(shown(job.path.name)).as_dicts(),
        number_of_problems=len(dict.fromkeys(wrong.problems)),
        limits=limits.as_list if limits and too_much else (),
        files={job.aside: copied} if copied else {},
    )


def _awarded(drafts: Mapping[int, Draft], errors: dict[int, Exception]) -> list[Awarded]:
    """Return the results of the files that can be awarded, and note what is wrong with the others.

    All are awarded in one go; where that fails, halves are.
    """

    def award(numbers: Sequence[int]) -> Awarded:
        mine = {number: drafts[number] for number in numbers}
        named = distinct(list(mine.values()))
        with for_one_file():
            return Awarded(award_sheet(with_boards_doubted(named)), mine, named)

    def note(numbers: Sequence[int], error: Exception) -> None:
        errors.update(dict.fromkeys(numbers, error))

    return [done for numbers in _told_apart(drafts) for done in by_halves(numbers, award, note, Exception)]


def _told_apart(drafts: Mapping[int, Draft]) -> list[list[int]]:
    """Return the numbers of files to award together: none with several games has the name of another among them.

    Games are known by the names of their files, and those of two would be told as games of one.
    """
    name = {number: str(draft.facts[0]["source"]) for number, draft in drafts.items()}
    groups = [[number for number, draft in drafts.items() if len(draft.facts) < 2]]
    for number in sorted(drafts.keys() - groups[0]):
        free = (group for group in groups if all(name[other] != name[number] for other in group))
        if (group := next(free, None)) is None:
            groups.append(group := [])
        group.append(number)
    return [sorted(group) for group in groups if group]


@dataclass(frozen=True)
class Awarded:
    """The result of files that were awarded together."""

    result: AwardedResult  # that of all of them
    drafts: Mapping[int, Draft]  # of the files, by number
    named: Sequence[Draft]  # the same, their games called as they are in the result

    @cached_property
    def parts(self) -> dict[int, Part]:
        """What each file has of it, as if it had been awarded alone."""
        games, remarks, parts = self.result.games, by_game(self.result.remarks), {}
        chosen = editions(games)
        first = 0
        for (number, draft), renamed in zip(self.drafts.items(), self.named, strict=True):
            names = [fact["game_id"] for fact in draft.facts]
            of_file = [remark for remark in draft.remarks if not remark.game]
            for own, fact in zip(names, renamed.facts, strict=True):
                found = (replace(remark, game=own) for remark in remarks.get(fact["game_id"], ()))
                # A file of one game, as if no other of its name had been awarded with it.
                alone = (each for each in found if len(names) == 1 and each.code != GAMES_ALIKE_CODE)
                called = f"game {fact['game_id']}"
                cleared = (replace(each, where="") if each.where == called else each for each in alone)
                of_file += found if len(names) > 1 else cleared
            rows = slice(first, first + len(names))
            used = rulebooks_used(games["rulebook"].iloc[rows], chosen._replace(number=chosen.number[rows]))
            origin = Provenance((draft.source,) if draft.source else (), used, len(of_file))
            parts[number] = Part(rows, names, of_file, origin)
            first = rows.stop
        return parts

    def alone(self, number: int, boards: bool = False) -> AwardedResult:
        """Return the result of a file as if it had been awarded alone; boards: with those of its games."""
        whole, part = self.result, self.parts[number]
        at = list(self.drafts).index(number)
        first = sum(len(draft.rows) for draft in self.named[:at])
        end = first + len(self.named[at].rows)
        before = int((whole.candidates["contestant"] < first).sum())
        shift = {"game": part.games.start, "contestant": first, "candidate": before}
        names = dict(zip((fact["game_id"] for fact in self.named[at].facts), part.names, strict=True))
        standings, candidates, single = (
            _shifted(frame[frame["contestant"].between(first, end - 1)], shift)
            for frame in (whole.standings, whole.candidates, whole.player_awards)
        )
        result = AwardedResult(
            _named(whole.games.iloc[part.games], names),
            _named(whole.contestants.iloc[first:end], names),
            standings,
            candidates,
            _shifted(whole.awards.iloc[first:end], shift),
            single,
            remarks=tuple(part.remarks),
            provenance=part.provenance,
        )
        return with_play(result, *play_of([self.drafts[number]])) if boards else result


def _named(frame: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    return frame.assign(game_id=frame["game_id"].replace(names)).reset_index(drop=True)


def _shifted(frame: pd.DataFrame, shift: Mapping[str, int]) -> pd.DataFrame:
    """Return a frame whose row numbers are counted from further on; -1 stays -1."""
    columns = {name: frame[name].to_numpy() for name in shift if name in frame}
    shifted = {name: np.where(rows < 0, rows, rows - shift[name]) for name, rows in columns.items()}
    return frame.assign(**shifted).reset_index(drop=True)
