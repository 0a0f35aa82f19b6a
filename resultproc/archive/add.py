"""Files into an archive: read, each game compared with those that are there, and kept with the hash of its file."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from resultproc.archive.game_file import GAME_REPLACED, rows_of_games
from resultproc.archive.store import Store
from resultproc.archive.table import (
    GAMES_IN_PART,
    TOO_MANY,
    Changes,
    begin,
    commit,
    compact,
    load,
    tried,
)
from resultproc.archive.verdict import ArchiveVerdict, Games, versions_added
from resultproc.formats.found import results_files, without_files
from resultproc.formats.loaded import load_source, read_with
from resultproc.formats.read import drafted
from resultproc.model.arrays import Ints, family_columns, plain, rows_of
from resultproc.model.dates import time_text
from resultproc.model.draft import Draft, split_drafts, together
from resultproc.model.errors import (
    InputError,
    Problem,
    ResultprocError,
    by_game,
    by_halves,
    quoted,
    resultproc_error,
    shown,
)
from resultproc.model.file_limits import FileLimits, for_one_file
from resultproc.model.frames import CONTESTANTS, Frame, Sheet, concat
from resultproc.model.provenance import now
from resultproc.model.source import content_with
from resultproc.model.work import chunked, in_order
from resultproc.rulebooks.load import is_file
from resultproc.stages.doubts import doubts
from resultproc.stages.same_game import results_of_games


@dataclass
class Added:
    """What was added."""

    files: int = 0  # the files that were read
    games: int = 0  # the games in them that are new
    replaced: int = 0  # games that those replaced
    known: int = 0  # games that were there already
    removed: int = 0  # games that are left out, since they were there and are removed
    problems: list[dict[str, Any]] = field(default_factory=list)  # of the files that were not read
    remarks: list[Problem] = field(default_factory=list)  # what is doubtful
    # Those of the games of each file, or what is declared for one that was not read; and those of each folder.
    clubs: dict[str, set[str]] = field(default_factory=dict)


def add(
    paths: Iterable[Path],
    store: Store,
    format: str | None = None,
    keys: Mapping[str, object] | None = None,
    progress: Callable[[Added, int], None] = lambda added, files: None,
    *,
    strict: bool = False,
    jobs: int = 1,
    limits: FileLimits | None = None,
) -> Added:
    """Add the games of results files, and of all files in folders, to an archive; return what was added.

    A game that the archive has is not added again, whatever file it comes from; one that corrects another replaces it.
    A file that cannot be read is noted among the problems, and the others go on. Where there are too many small parts
    then, they are put together; where that fails, the games are added all the same. What another run adds meanwhile is
    added, too: this one then looks again at what is there.

    strict: a file that is doubtful is not added.
    jobs: how many processes read.
    limits: what a file may take of memory and time; None: with one process, that is this one, and a file may take all.
    progress: gets what was added so far and how many files there are, at the start and whenever some more are read.

    Raises InputError for a path that is not there, and for an archive that is damaged; OutputError where it cannot be
    written.
    """
    paths = list(paths)
    items = list(results_files(paths, apart=Path(store.anywhere)))
    files = [item.path for item in items if not item.problems]
    adding = _Adding(store, strict=strict)
    added = adding.added
    added.problems += [{**each, "file": shown(item.path)} for item in items for each in item.problems]
    for path in without_files(paths, items):
        added.problems += InputError("there are no files in this folder", file=shown(path)).as_dicts()
    waiting: list[_Games] = []
    progress(added, len(files))
    said = dict(keys or {})
    if is_file(str(said.get("rulebook"))):  # whoever awards the archive may do so from another folder
        said["rulebook"] = str(Path(str(said["rulebook"])).resolve())
    read = partial(read_chunk, format=format, keys=said, strict=strict)
    for got in in_order(read, _crashed, chunked(files, FILES_READ_TOGETHER, jobs), jobs, limits):
        added.files += got.files
        added.problems += got.problems
        added.remarks += got.remarks
        waiting += got.games
        _note_clubs(added, got)
        if sum(len(each.games) for each in waiting) >= GAMES_IN_PART:
            adding.flush(waiting)
            waiting = []
        progress(added, len(files))
    adding.flush(waiting)
    _note_refused(store, paths, [shown(item.path) for item in items], added)
    adding.put_together()
    return added


_REFUSED = "refused"
"""The folder in an archive that has a file for each that could not be added, until it is, or is no longer in a folder
that is read: of two runs at once, none writes over what the other says.
"""


def refused_files(store: Store) -> list[dict[str, Any]]:
    """Return the files that could not be added to an archive: ``file``, ``club``, ``since`` when, and ``problems``.

    Raises InputError where the list of them is damaged.
    """
    found = []
    for name in store.names(_REFUSED, ".json"):
        try:
            found.append(dict(json.loads(store.read_text(f"{_REFUSED}/{name}") or "{}")))
        except (ValueError, TypeError):
            hint = "remove it: the next 'archive add' makes it anew"
            raise InputError("this file is damaged", hint=hint, file=store.path_of(f"{_REFUSED}/{name}")) from None
    return sorted(filter(None, found), key=lambda each: str(each["file"]))  # another run may have removed one meanwhile


def keep_refused(store: Store, refused: Mapping[str, Any]) -> None:
    """Keep what is said of a file that could not be added, see :func:`refused_files`."""
    store.write_text(f"{_REFUSED}/{_name_of_refused(refused)}", json.dumps(refused, ensure_ascii=False) + "\n")


def _name_of_refused(refused: Mapping[str, Any]) -> str:
    return f"{sha256(str(refused['file']).encode()).hexdigest()[:32]}.json"


def _note_clubs(added: Added, got: _Files) -> None:
    for games in got.games:
        for path, club in zip(games.paths, games.games["club"].tolist(), strict=True):
            if isinstance(club, str):
                for name in (path, path.parent):
                    added.clubs.setdefault(shown(name), set()).add(club)
    added.clubs.update({name: {club} for name, club in got.clubs.items() if club})


def _note_refused(store: Store, paths: Iterable[Path], files: Sequence[str], added: Added) -> None:
    """Keep a list of the files that could not be added, in an archive that may have nothing else.

    A file that says no club has that of the others in its folder, where they are all of one.
    """
    before = {str(each["file"]): each for each in refused_files(store)}
    folders = tuple(f"{shown(path)}/" for path in paths if path.is_dir())
    listed = set(files)
    found = {name: each for name, each in before.items() if name not in listed and not name.startswith(folders)}
    for problem in added.problems:
        name = str(problem["file"])
        if name in listed:
            clubs = added.clubs.get(name) or added.clubs.get(shown(Path(name).parent)) or set()
            since = before[name]["since"] if name in before else time_text(now())
            club = min(clubs) if len(clubs) == 1 else ""
            found.setdefault(name, {"file": name, "club": club, "since": since, "problems": []})
            found[name]["problems"].append(problem)
    if found:
        begin(store)
    for name, refused in found.items():
        if refused != before.get(name):
            keep_refused(store, refused)
    for name in before.keys() - found.keys():
        store.remove(_REFUSED, _name_of_refused(before[name]))


FILES_READ_TOGETHER = 1000
"""This many files are read together: enough to share the costs of a frame."""


@dataclass(frozen=True)
class _Games:
    """Games with their contestants."""

    games: pd.DataFrame
    contestants: pd.DataFrame
    paths: list[Path]  # the file of each game
    rows: Ints  # the game of each contestant, a position in games

    def without(self, files: Collection[Path]) -> _Games:
        """Return the games of other files than these."""
        kept = np.array([path not in files for path in self.paths], dtype=np.bool_)
        mine = kept[self.rows]
        paths = [path for path in self.paths if path not in files]
        return _Games(self.games[kept], self.contestants[mine], paths, (np.cumsum(kept) - 1)[self.rows[mine]])


@dataclass
class _Files:
    """The outcome of reading some files."""

    files: int = 0  # how many were read
    games: list[_Games] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)  # of files that cannot be read
    remarks: list[Problem] = field(default_factory=list)  # on files that can be
    clubs: dict[str, str] = field(default_factory=dict)  # whose files cannot be read, as far as it is declared


def read_chunk(paths: Sequence[Path], format: str | None, keys: Mapping[str, object], *, strict: bool) -> _Files:
    """Read some files, and tell their games by their content.

    format: the one to read them as; None: by content.
    """
    drafts: dict[int, Draft] = {}
    wrong: dict[int, Exception] = {}
    for number, path in enumerate(paths):
        try:
            source = load_source(path)
            with for_one_file(len(source.data)):
                drafts[number] = drafted(source, format=format, **keys).without_play()
        except Exception as error:
            wrong[number] = error
    remarks: dict[int, list[Problem]] = {}
    found = _Files(len(paths))
    left = iter(drafts)
    for several in split_drafts(drafts.values(), FILES_READ_TOGETHER):
        numbered = dict(zip(islice(left, len(several)), several, strict=True))
        found.games += _doubted(paths, numbered, remarks, wrong, strict=strict)
    for number, why in sorted(wrong.items()):
        name = shown(paths[number])
        found.problems += [{**problem, "file": name} for problem in resultproc_error(why).as_dicts()]
        found.clubs[name] = _club_declared(paths[number], keys)
    for number in (number for number in drafts if number not in wrong):
        found.remarks += quoted(remarks[number])
    return found


def _club_declared(path: Path, keys: Mapping[str, object]) -> str:
    """Return the club that is declared for a file that cannot be read, empty where none is."""
    said = [str(keys.get("club") or "")]
    for declared_in in read_with(path):
        club = content_with(declared_in, "club").get("club") if declared_in else None
        said.append(club if isinstance(club, str) else "")
    return next(filter(None, said), "")


def _doubted(
    paths: Sequence[Path],
    drafts: Mapping[int, Draft],
    remarks: dict[int, list[Problem]],
    wrong: dict[int, Exception],
    *,
    strict: bool,
) -> list[_Games]:
    """Return the games of some files, and note what is doubtful about each file, or wrong with it."""

    def take(numbers: Sequence[int]) -> list[_Games]:
        with for_one_file():
            games = _identified_games(paths, {number: drafts[number] for number in numbers}, remarks)
        kept = [number for number in numbers if not (strict and remarks[number])]
        for number in set(numbers).difference(kept):
            wrong[number] = InputError(list(dict.fromkeys(remarks[number])))
        return [games] if len(kept) == len(numbers) else take(kept) if kept else []

    def note(numbers: Sequence[int], error: Exception) -> None:
        wrong.update(dict.fromkeys(numbers, error))

    return [games for taken in by_halves(list(drafts), take, note, Exception) for games in taken]


def _identified_games(paths: Sequence[Path], drafts: Mapping[int, Draft], remarks: dict[int, list[Problem]]) -> _Games:
    """Return the games of some files under the ids that an archive has for them, and note the remarks on each file."""
    sheet = together(list(drafts.values()))
    of_game = by_game(doubts(sheet).every)
    hashes = [draft.source.sha256 if draft.source else "" for draft in drafts.values() for _ in draft.facts]
    identified = _identified(sheet, hashes)
    for number, draft in drafts.items():
        names = [Problem("", game=fact["game_id"]).game for fact in draft.facts]
        remarks[number] = [*draft.remarks, *(remark for name in names for remark in of_game.get(name, ()))]
    of_each = [paths[number] for number, draft in drafts.items() for _ in draft.facts]
    rows = rows_of(sheet.contestants["game_id"], sheet.games["game_id"])
    return _Games(identified.games, identified.contestants, of_each, rows)


def _crashed(path: Path, error: InputError) -> _Files:
    return _Files(1, problems=[{**problem, "file": shown(path)} for problem in resultproc_error(error).as_dicts()])


class _Adding:
    """An archive that is added to."""

    def __init__(self, store: Store, *, strict: bool) -> None:
        self._store = store
        self._strict = strict
        self.added = Added()
        self._look()

    def _look(self) -> None:
        self._snapshot = load(self._store)
        self._there = Games.of(self._store, self._snapshot)

    def flush(self, waiting: Sequence[_Games]) -> None:
        """Add the games that are new or correct another, a part per year, and note what they replaced."""
        if waiting:
            tried(partial(self._flush, waiting), self._look)

    def _flush(self, waiting: Sequence[_Games]) -> None:
        games = pd.concat([each.games for each in waiting], ignore_index=True)
        starts = np.cumsum([0, *(len(each.games) for each in waiting)])
        rows = np.concatenate([start + each.rows for start, each in zip(starts[:-1], waiting, strict=True)])
        verdict = self._there.judge(games, concat((each.contestants for each in waiting), CONTESTANTS), rows)
        new = np.split(verdict.new, starts[1:-1])
        of_new = (each.contestants[mine[each.rows]] for each, mine in zip(waiting, new, strict=True))
        added, contestants = games[verdict.new].reset_index(drop=True), concat(of_new, CONTESTANTS)
        paths = [path for each in waiting for path in each.paths]
        there = self._there.frame.drop(index=list(np.unique(verdict.replaced[verdict.replaced >= 0])))
        rows = np.flatnonzero(verdict.new)
        twice = [*versions_added(self._there, there, added, contestants, strict=self._strict)]
        of_files = [(paths[rows[row]], each) for row, _, each in twice]
        remarks = [replace(each, file=shown(path)) for path, each in of_files]
        if self._strict and remarks:
            refused = {path for path, _ in of_files}
            self._flush([each.without(refused) for each in waiting])
            self.added.problems += InputError(remarks).as_dicts()
            return
        may_be = pd.Series({row: other for row, other, _ in twice}, dtype="str")
        self._commit(added.assign(may_be=may_be) if twice else added, contestants, verdict)
        self._count(games, paths, verdict)
        self.added.remarks += remarks

    def put_together(self) -> None:
        """Put small parts together where there are too many; nothing is added afterwards."""
        try:
            if self._snapshot.version >= 0:
                compact(self._store, TOO_MANY)
        except ResultprocError as error:
            hint = (
                "the games are added; when that is mended, put them together with: resultproc archive compact ARCHIVE"
            )
            told = (replace(each, what=f"small files are not put together: {each.what}") for each in error.problems)
            self.added.problems += InputError([replace(each, hint=each.hint or hint) for each in told]).as_dicts()

    def _commit(self, new: pd.DataFrame, contestants: pd.DataFrame, verdict: ArchiveVerdict) -> None:
        replaced = np.unique(verdict.replaced[verdict.replaced >= 0])
        if new.empty and not len(replaced):
            return
        time = self._snapshot.now()
        frame = self._there.frame.loc[replaced]
        ended = {str(name): dict.fromkeys(of["row"], GAME_REPLACED) for name, of in frame.groupby("part")}
        of = rows_of(contestants["game_id"], new["game_id"])
        rows = [rows_of_games(new, contestants, of, [time] * len(new))] if len(new) else []
        self._snapshot, came, parts = commit(self._store, self._snapshot, Changes(time, rows, ended))
        self._there.update(came, replaced, parts)

    def _count(self, games: pd.DataFrame, paths: list[Path], verdict: ArchiveVerdict) -> None:
        added = self.added
        added.games += int(verdict.new.sum())
        added.replaced += len(np.unique(verdict.replaced[verdict.replaced >= 0]))
        added.removed += int(verdict.removed.sum())
        added.known += int((~(verdict.new | verdict.removed | verdict.twice)).sum())
        for row in np.flatnonzero(verdict.outdated):
            what = "this version of the game was corrected since, and is left out"
            hint = f"if it is right after all: resultproc archive restore ARCHIVE {games['game_id'].iloc[row][:12]}"
            added.remarks.append(Problem(what, hint=hint, file=shown(paths[row]), code="archive.corrected"))
        for row in np.flatnonzero(verdict.twice):
            what = f"another file has a game of the same name, {games['id_in_source'].iloc[row]}, club and day"
            hint = "take one of them away, or give each a game_id of its own"
            added.problems += InputError(what, hint=hint, file=shown(paths[row])).as_dicts()
        for path, moved, (day, name) in zip(paths, verdict.moved, verdict.namesake, strict=True):
            if moved:
                what = f"this game replaces that of {moved}, which has the same name"
                hint = "if it is another game, give each a game_id of its own"
                added.remarks.append(Problem(what, hint=hint, file=shown(path), code="archive.same-name"))
            if name:
                what = f"the archive has a game of the same name, of {day or 'no date'}, and keeps both"
                hint = f"if this one corrects it, remove that one: resultproc archive remove ARCHIVE {name[:12]}"
                added.remarks.append(Problem(what, hint=hint, file=shown(path), code="archive.same-name"))


def with_declared_types(frame: pd.DataFrame, kind: Frame) -> pd.DataFrame:
    """Return what a part has of the columns of its kind, in their types."""
    return kind.conform(frame[[name for name in frame.columns if kind.column(name)]])


def _identified(sheet: Sheet, source_hash: Sequence[str]) -> Sheet:
    """Return the sheet with game_ids that tell games by their content; the file's own are in ``id_in_source``."""
    ids = game_ids(sheet)
    own = sheet.games["game_id"]
    games = sheet.games.assign(
        id_in_source=own,
        source_hash=source_hash,
        content_hash=own.map(_content_hashes(sheet)),
        results=results_of_games(sheet.facts).to_numpy(),
        game_id=own.map(ids),
    )
    contestants = sheet.contestants.assign(game_id=sheet.contestants["game_id"].map(ids))
    return replace(sheet, games=games, contestants=contestants)


_FACTS = ["date", "club", "event", "session"]
_RESULTS = ["section", "direction", "number", "score", "percentage"]


def game_ids(sheet: Sheet) -> dict[str, str]:
    """Return 32 hexadecimal digits for each game_id: the same for the same day, club, event and results.

    The order of the contestants and of their players does not matter, nor does the letter case of their names, the
    file or the format that they were read from.
    """
    rounds = family_columns(sheet.contestants, "round")
    results: dict[str, list[str]] = {}
    for game, *values in _rows(sheet.contestants, ["game_id", *_RESULTS, *rounds, *family_columns(sheet.contestants)]):
        last = len(_RESULTS) + len(rounds)
        matches = [value for value in values[len(_RESULTS) : last] if value]
        names = sorted(name.casefold() for name in values[last:] if name)
        results.setdefault(game, []).append(repr((values[: len(_RESULTS)], matches, names)))
    return {
        game: sha256("\n".join([repr(facts), *sorted(results.get(game, []))]).encode()).hexdigest()[:32]
        for game, *facts in _rows(sheet.games, ["game_id", *_FACTS])
    }


def _content_hashes(sheet: Sheet) -> dict[str, str]:
    """Return 32 hexadecimal digits for each game_id: the same where all that is said of the game is the same."""
    said: dict[str, list[str]] = {}
    for frame in sheet:
        there = frame.notna()
        named = there.columns[there.any()].difference(["game_id", "source", "where"])
        values = {name: (frame[name].tolist(), there[name].tolist()) for name in named}
        for row, game in enumerate(frame["game_id"].tolist()):
            told = [f"({name!r}, {of[row]!r})" for name, (of, known) in values.items() if known[row]]
            said.setdefault(game, []).append(f"[{', '.join(told)}]")
    return {game: sha256("\n".join(sorted(rows)).encode()).hexdigest()[:32] for game, rows in said.items()}


def _rows(frame: pd.DataFrame, columns: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of some columns, None where a value is missing."""
    return zip(*plain(frame[columns]).values(), strict=True)
