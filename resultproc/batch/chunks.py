"""A chunk of files at once: read one by one, awarded together, written one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from resultproc.batch.inputs import file_hash, problems_of
from resultproc.batch.ledger import Outcome
from resultproc.formats.json.writer import remark_entry
from resultproc.formats.read import read
from resultproc.formats.registry import Writer
from resultproc.formats.write import write_bytes
from resultproc.model.errors import OutputError, quoted, shown
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
        rules, settings = self.keys.get("rulebook"), self.keys.get("settings")
        of_club = file_hash(Path(str(settings))) if settings else ""
        return repr((self, fingerprint(str(rules) if rules else None), of_club))


def process_chunk(files: Sequence[tuple[Path, Path]], settings: Settings) -> list[Outcome]:
    """Read, award and write some files; return the outcome of each.

    files: the input, and its output without an ending. What is wrong with one file keeps no other from being done.
    Raises OutputError where results cannot be written.
    """
    writers: list[Writer] = [named("writers", name) for name in settings.to]
    outcomes: dict[int, Outcome] = {}
    sheets: dict[int, Sheet] = {}
    for number, (path, _) in enumerate(files):
        try:
            sheets[number] = read(path, format=settings.format, **settings.keys)
        except Exception as error:
            outcomes[number] = Outcome(problems=problems_of(error, shown(path.name)))
    for number, result in _awarded(sheets, outcomes).items():
        path, output = files[number]
        try:
            if settings.strict:
                refuse(result.remarks)
            if any(writer.boards for writer in writers):
                result = with_boards(result, [path], settings.format)
            data = [
                writer.write(result if _shows(writer, settings) else replace(result, remarks=())) for writer in writers
            ]
        except Exception as error:
            outcomes[number] = Outcome(problems=problems_of(error, shown(path.name)))
            continue
        for writer, content in zip(writers, data, strict=True):
            write_bytes(_written(output, writer), content)
        remarks = [remark_entry(remark) for remark in quoted(result.remarks)]
        outcomes[number] = Outcome(games=len(result.games), remarks=remarks)
    for number, outcome in outcomes.items():
        for writer in writers if outcome.problems else ():
            _remove(_written(files[number][1], writer))
    return [outcomes[number] for number in range(len(files))]


def _shows(writer: Writer, settings: Settings) -> bool:
    return settings.shown or not writer.page


def _written(output: Path, writer: Writer) -> Path:
    return output.with_name(output.name + writer.endings[0])


def _remove(path: Path) -> None:
    """Remove what an earlier run wrote of a file that now fails."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"it cannot be removed: {error.strerror}", file=str(path)) from None


def _awarded(sheets: Mapping[int, Sheet], outcomes: dict[int, Outcome]) -> dict[int, Result]:
    """Return the results of the sheets that can be awarded, and note the outcome of the others.

    All are awarded in one go; where that fails, halves are, until only the sheets at fault are left.
    """
    if not sheets:
        return {}
    try:
        return dict(zip(sheets, split(award_sheet(joined(list(sheets.values()))), list(sheets.values())), strict=True))
    except Exception as error:
        if len(sheets) == 1:
            outcomes[next(iter(sheets))] = Outcome(problems=problems_of(error))
            return {}
    numbers = list(sheets)
    middle = len(numbers) // 2
    halves = ({n: sheets[n] for n in half} for half in (numbers[:middle], numbers[middle:]))
    return {number: result for half in halves for number, result in _awarded(half, outcomes).items()}


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
