"""A chunk of files at once: read one by one, awarded together, written one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from resultproc.batch.inputs import hash_of, number_of_problems, problems_of
from resultproc.batch.ledger import Outcome
from resultproc.batch.places import FAILED, BlockedError, Folder
from resultproc.formats.json.writer import remark_entry
from resultproc.formats.read import read
from resultproc.formats.registry import Writer
from resultproc.formats.source import Source, taken_in
from resultproc.model.errors import InputError, quoted, shown
from resultproc.model.frames import Result, Sheet
from resultproc.model.plugins import named
from resultproc.model.remarks import refuse
from resultproc.rulebooks.registry import fingerprint
from resultproc.stages.pipeline import award_sheet, joined, sourced, with_boards


@dataclass(frozen=True)
class Settings:
    """What holds for every file of a batch: the format to read (None: by content), those to write, the game keys.

    strict: a file with remarks is not awarded. shown: pages list the remarks.
    """

    format: str | None
    to: tuple[str, ...]
    keys: Mapping[str, object]
    strict: bool = False
    shown: bool = True

    @cached_property
    def fingerprint(self) -> str:
        """What tells these settings from any other: a changed rulebook or program gives other results.

        Raises RulebookError for a rulebook that there is not.
        """
        rules = self.keys.get("rulebook")
        return repr((self, fingerprint(str(rules) if rules else None)))

    @property
    def club(self) -> Path | None:
        """The file of a club's settings, if it is not in the folder of its games."""
        return Path(str(self.keys["settings"])) if self.keys.get("settings") else None

    def writers(self) -> list[Writer]:
        """Return what writes the formats."""
        return [named("writers", name) for name in self.to]


@dataclass(frozen=True)
class Job:
    """A file to award.

    key: what it is known by. hash: of the content that is meant. place: what its results are called in the output
    folder, without an ending.
    """

    path: Path
    key: str
    hash: str
    place: str

    def output(self, writer: Writer) -> str:
        """Return the name of its results in a format."""
        return self.place + writer.endings[0]

    def names(self, settings: Settings) -> list[str]:
        """Return the names of all files that it may have in the output folder."""
        return [*map(self.output, settings.writers()), self.aside]

    @property
    def aside(self) -> str:
        """The name of its copy among the files that failed."""
        suffix = shown(self.path.suffix)
        return f"{FAILED}/{self.place.removesuffix(suffix)}{suffix}"


def process_chunk(jobs: Sequence[Job], folder: Folder, settings: Settings) -> list[Outcome]:
    """Read, award and write some files; return the outcome of each.

    What is wrong with one file keeps no other from being done. A file that has another content than was meant is not
    done: its outcome has the other hash, and nothing else. Raises OutputError where results cannot be written.
    """
    sources: dict[int, Source] = {}
    sheets: dict[int, Sheet] = {}
    outcomes: dict[int, Outcome] = {}
    errors: dict[int, Exception] = {}
    club = str(settings.club) if settings.club else None
    keys = {name: value for name, value in settings.keys.items() if name != "settings"}
    for number, job in enumerate(jobs):
        try:
            source = sources[number] = taken_in(job.path, club)
            found = hash_of(source, settings.fingerprint)
            if found == job.hash:
                sheets[number] = read(source, format=settings.format, **keys)
            else:
                outcomes[number] = Outcome(found)
        except Exception as error:
            errors[number] = error
    for number, result in _awarded(sheets, errors).items():
        try:
            data, result = _rendered(result, jobs[number], sources[number], settings)
            folder.refuse_blocked(data)
        except Exception as error:
            errors[number] = error
            continue
        outcomes[number] = replace(
            _outcome(result, jobs[number], sources[number]),
            files={name: folder.put(name, content) for name, content in data.items()},
        )
    for number, wrong in errors.items():
        outcomes[number] = failed(wrong, jobs[number], folder, sources.get(number))
    return [outcomes[number] for number in range(len(jobs))]


def _rendered(result: Result, job: Job, source: Source, settings: Settings) -> tuple[dict[str, bytes], Result]:
    """Return what is to be written, by name, and the result with its boards if that has them.

    Raises InputError for remarks where the settings are strict.
    """
    writers = settings.writers()
    if settings.strict:
        refuse(result.remarks)
    if any(writer.boards for writer in writers):
        result = with_boards(result, [source], settings.format)
    without = replace(result, remarks=())
    shows = {writer.name: settings.shown or not writer.page for writer in writers}
    return {job.output(each): each.write(result if shows[each.name] else without) for each in writers}, result


def _outcome(result: Result, job: Job, source: Source) -> Outcome:
    return Outcome(
        hash=job.hash,
        sha256=source.sha256,
        games=len(result.games),
        rulebooks=result.provenance.entry()["rulebooks"],
        remarks=[remark_entry(remark) for remark in quoted(result.remarks)],
        number_of_remarks=len(dict.fromkeys(result.remarks)),
    )


def failed(error: Exception, job: Job, folder: Folder, source: Source | None = None) -> Outcome:
    """Return the outcome of a file that cannot be awarded, and copy it to the folder of those.

    source: what was read of it; without it, whatever there is now is copied. What is not the fault of the content is
    tried again: the outcome then holds for none. Raises OutputError where the copy cannot be written.
    """
    of_content = source is not None and isinstance(error, InputError) and not isinstance(error, BlockedError)
    copied = folder.put(job.aside, source.data) if source else folder.copy(job.aside, job.path)
    return Outcome(
        hash=job.hash if of_content else "",
        sha256=source.sha256 if source else "",
        problems=problems_of(error, shown(job.path.name)),
        number_of_problems=number_of_problems(error),
        files={job.aside: copied} if copied else {},
    )


def _awarded(sheets: Mapping[int, Sheet], errors: dict[int, Exception]) -> dict[int, Result]:
    """Return the results of the sheets that can be awarded, and note what is wrong with the others.

    All are awarded in one go; where that fails, halves are, until only the sheets at fault are left.
    """
    if not sheets:
        return {}
    try:
        return dict(zip(sheets, split(award_sheet(joined(list(sheets.values()))), list(sheets.values())), strict=True))
    except Exception as error:
        if len(sheets) == 1:
            errors[next(iter(sheets))] = error
            return {}
    numbers = list(sheets)
    middle = len(numbers) // 2
    halves = ({n: sheets[n] for n in half} for half in (numbers[:middle], numbers[middle:]))
    return {number: result for half in halves for number, result in _awarded(half, errors).items()}


def split(result: Result, sheets: Sequence[Sheet]) -> list[Result]:
    """Return the results of sheets that were awarded together, each as if it had been awarded alone.

    result: of the joined sheets. sheets: the same in the same order, as they were read.
    """
    games = np.cumsum([0, *(len(sheet.games) for sheet in sheets)])
    contestants = np.cumsum([0, *(len(sheet.contestants) for sheet in sheets)])
    standings = result.standings.sort_values("game", kind="stable")
    of_standing = np.searchsorted(standings["game"], games)
    of_candidate = np.searchsorted(result.candidates["contestant"], contestants)
    parts = []
    for i, sheet in enumerate(sheets):
        shift = {"game": games[i], "contestant": contestants[i]}
        here = slice(contestants[i], contestants[i + 1])
        awards = _shifted(_rows(result.awards, here), shift)
        own = dict(zip(result.games["game_id"].iloc[games[i] : games[i + 1]], sheet.games["game_id"], strict=True))
        of_games = [replace(each, game=own[each.game]) for each in result.remarks if each.game in own]
        of_players = result.player_awards["contestant"].between(contestants[i], contestants[i + 1] - 1)
        single = _shifted(_rows(result.player_awards[of_players], slice(None)), {"contestant": contestants[i]})
        part = Result(
            _rows(result.games, slice(games[i], games[i + 1])).assign(game_id=sheet.games["game_id"].to_numpy()),
            _rows(result.contestants, here).assign(game_id=sheet.contestants["game_id"].to_numpy()),
            _shifted(_rows(standings, slice(of_standing[i], of_standing[i + 1])), shift),
            _shifted(_rows(result.candidates, slice(of_candidate[i], of_candidate[i + 1])), shift),
            _from_candidate(awards, of_candidate[i]),
            _from_candidate(single, of_candidate[i]),
            remarks=(*(each for each in sheet.remarks if not each.game), *of_games),
        )
        parts.append(sourced(part, sheet))
    return parts


def _from_candidate(awards: pd.DataFrame, first: int) -> pd.DataFrame:
    """Return awards whose candidates are numbered from the first one of their sheet."""
    return awards.assign(candidate=awards["candidate"].where(awards["candidate"] < 0, awards["candidate"] - first))


def _rows(frame: pd.DataFrame | None, rows: slice) -> pd.DataFrame:
    if frame is None:
        raise ValueError("only awarded games can be split")
    return frame.iloc[rows].reset_index(drop=True)


def _shifted(frame: pd.DataFrame, shift: Mapping[str, int]) -> pd.DataFrame:
    return frame.assign(**{name: frame[name] - by for name, by in shift.items()})
