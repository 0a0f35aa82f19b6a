"""The folder that a page works in, and nothing outside of it: games in work, games that are saved, and their results.

All that a page shows is in these files, and each change is whole before it is shown: so a crash loses nothing. A game
in work is a folder with its file, the TOML file beside it, and both as they were before the last change. What is being
saved is in that folder, whole, until it is among the games that are saved: what was broken off is then finished.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePath
from threading import Lock
from time import monotonic, sleep
from typing import Any, NamedTuple, TypeVar

from resultproc.batch.chunks import Settings
from resultproc.batch.ledger import Ledger, Outcome
from resultproc.batch.run import run
from resultproc.formats.declared import parsed
from resultproc.formats.found import LEDGER, results_files
from resultproc.formats.source import SETTINGS, load_source
from resultproc.model.errors import InputError, OutputError, ResultprocError, shown
from resultproc.model.file_limits import FileLimits
from resultproc.model.files import clean_name, is_device, is_lock, safe_stem, write_bytes
from resultproc.model.frames import Sheet
from resultproc.model.source import DeclaredFile, Source
from resultproc.model.values import toml_key, toml_text
from resultproc.pages.words import short_day
from resultproc.site.index import Index
from resultproc.stages.same_game import files_of_these_games, who_played

IN_WORK, SAVED, RESULTS = "in-work", "games", "results"
"""The folders below the one that the page works in."""

PATIENCE = 5
"""How many seconds another program may be at work on the results before it is told."""

_Done = TypeVar("_Done")

_UNMADE = ".unmade"
_BEFORE, _SAVING, _SAVED_AS = ".before", ".saving", ".saved-as"
"""What is beside the file of a game in work, hidden: no file that is dropped keeps a name that begins with a dot."""
_ID = re.compile("[0-9a-f]{16}")

Keys = Mapping[str, Mapping[str, Any]]
"""What is declared, as TOML has it: the keys of each game by its id, those of all games under the empty one."""


class ChangedElsewhereError(InputError):
    """A game that has changed since the page was shown that would change it."""


def file_name(given: str) -> str:
    """Return the name that a file is kept under: the last part of its path, without what no system takes.

    Raises InputError where nothing is left, and for a club's settings, which come from the folder alone.
    """
    last = PurePath(clean_name(PurePath(given.replace("\\", "/")).name).strip(" ."))
    stem, suffix = safe_stem(last.stem, last.suffix[:10]), last.suffix[:10]
    name = f"{stem}{suffix}"
    if not stem or is_device(last.name) or is_lock(last.name):
        raise InputError("this file has no name that can be kept", hint="give it another name", file=given)
    if name.lower() == SETTINGS:
        what = "these are a club's settings, and no game"
        raise InputError(what, hint="put them into the folder that this page works in, by hand", file=name)
    if stem.lower() == PurePath(SETTINGS).stem:
        what = f"what is declared of a game of this name would be in {SETTINGS}, the club's settings"
        raise InputError(what, hint="give it another name", file=name)
    return name


def keys_as_toml(keys: Keys) -> bytes:
    """Return the TOML file that declares some keys."""

    def lines(declared: Mapping[str, Any]) -> list[str]:
        return [f"{toml_key(key)} = {toml_text(value)}" for key, value in declared.items()]

    parts = ["\n".join(lines(keys.get("", {})))]
    parts += [
        "\n".join([f"[games.{toml_text(game)}]", *lines(declared)])
        for game, declared in keys.items()
        if game and declared
    ]
    return ("\n\n".join(filter(None, parts)) + "\n").encode()


@dataclass(frozen=True)
class GameInWork:
    """A game that is worked on.

    folder: its own, whose name is its id.
    name: that of the game's file in it.
    settings: the file of the club's settings, None where there is none.
    """

    folder: Path
    name: str
    settings: Path | None

    @property
    def id(self) -> str:
        """What it goes by in addresses."""
        return self.folder.name

    @property
    def path(self) -> Path:
        """The file of the game."""
        return self.folder / self.name

    @property
    def beside(self) -> Path:
        """The TOML file beside it."""
        return self.path.with_suffix(".toml")

    @property
    def saved_as(self) -> str:
        """The name that it was saved under, empty where it was not."""
        return self._saved[0]

    @property
    def changed_since(self) -> bool:
        """Whether it is not what was saved any more."""
        return bool(self.saved_as) and self._saved[1] != self.version

    @property
    def _saved(self) -> tuple[str, str]:
        """The name that it was saved under, and its version then."""
        name, version, _ = self._told_of_saving
        return name, version

    @property
    def replaces(self) -> str:
        """The name of what it replaced when it was saved, where that had another ending; else empty."""
        return self._told_of_saving[2]

    @property
    def _told_of_saving(self) -> list[str]:
        said = self.folder / _SAVED_AS
        lines = said.read_text("utf-8").split("\n") if said.is_file() else []
        return [*lines, "", "", ""][:3]

    @property
    def saving(self) -> GameInWork | None:
        """What is being saved of it, whole; None where that is done."""
        folder = self.folder / _SAVING
        return GameInWork(folder, self.name, self.settings) if folder.is_dir() else None

    @property
    def is_as_saved(self) -> bool:
        """Whether the file that it was saved as, with what is declared beside it, is there as it was saved."""
        name, version = self._saved
        return _version(self.folder.parents[1] / SAVED / name) == version

    def source(self) -> Source:
        """Return the file with what is declared beside it and by the club's settings."""
        return load_source(self.path, str(self.settings) if self.settings else None)

    def before(self) -> Source | None:
        """Return the same as it was before the last change, None where there was none."""
        path = self.folder / _BEFORE / self.name
        return load_source(path, str(self.settings) if self.settings else None) if path.is_file() else None

    @property
    def version(self) -> str:
        """What tells it from what it was before any change."""
        return _version(self.path)

    def keys(self) -> dict[str, dict[str, Any]]:
        """Return what the TOML file beside it declares; raises DeclarationError for one that cannot be read."""
        return keys_of(self.beside.name, self.beside.read_bytes()) if self.beside.is_file() else {}


def _version(path: Path) -> str:
    digest = hashlib.sha256()
    for each in (path, path.with_suffix(".toml")):
        data = each.read_bytes() if each.is_file() else b""
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:16]


def keys_of(name: str, data: bytes) -> dict[str, dict[str, Any]]:
    """Return what a TOML file declares; raises DeclarationError for one that cannot be read."""
    content, _ = parsed(DeclaredFile(name, data))
    games = content.get("games")
    if not isinstance(games, dict) or not all(isinstance(each, dict) for each in games.values()):
        return {"": content}
    del content["games"]
    return {"": content, **games}


def texts_declared(keys: Keys) -> dict[str, str]:
    """Return what is declared of all games of a file as a form has it, without lists and tables."""
    return {key: str(value) for key, value in keys.get("", {}).items() if not isinstance(value, dict | list)}


def _declared_beside(path: Path) -> Keys:
    """Return what a TOML file declares; nothing where there is none, or it cannot be read."""
    try:
        return keys_of(path.name, path.read_bytes()) if path.is_file() else {}
    except InputError:
        return {}


class SavedFile(NamedTuple):
    """A file that is saved.

    path: where it is.
    played: what tells its games from others, see :func:`resultproc.stages.same_game.who_played`.
    left_out: why it is not among the results, if it is not.
    page: the page of its results, where it has one.
    """

    path: Path
    played: Sequence[Mapping[str, str]]
    left_out: str
    page: str = ""

    @property
    def name(self) -> str:
        """What its file is called."""
        return self.path.name

    @property
    def months(self) -> set[str]:
        """The months of its games, such as ``2026-05``; the empty one for a game without a date."""
        return {game["date"][:7] for game in self.played}

    @property
    def title(self) -> str:
        """What its games are called, each once, with their days."""
        called = [(game["event"] or self.path.stem, game["date"]) for game in self.played]
        of_day: dict[str, list[str]] = {}
        for event, day in dict.fromkeys(called):
            of_day.setdefault(day, []).append(event)
        days = [(short_day(date.fromisoformat(day)) if day else "", events) for day, events in of_day.items()]
        return "; ".join(": ".join(filter(None, [day, ", ".join(events)])) for day, events in days) or self.name

    @property
    def saved_on(self) -> date:
        """When it was saved."""
        return date.fromtimestamp(self.path.stat().st_mtime)


@dataclass(frozen=True)
class Desk:
    """The folder that a page works in. What it does to files, one request does after the other."""

    root: Path
    _lock: Lock

    @classmethod
    def at(cls, root: Path) -> Desk:
        """Return the desk of a folder, which is made where it is not there; OutputError where that is impossible."""
        try:
            for name in (IN_WORK, SAVED, RESULTS):
                (root / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"this folder cannot be made: {error.strerror}", file=str(root)) from None
        return cls(root.resolve(), Lock())

    @property
    def settings(self) -> Path | None:
        """The club's settings."""
        path = self.root / SETTINGS
        return path if path.is_file() else None

    @property
    def saved(self) -> Path:
        """The folder of the games that are saved."""
        return self.root / SAVED

    @property
    def results(self) -> Path:
        """The folder of their results."""
        return self.root / RESULTS

    def last(self) -> dict[str, str]:
        """Return what was declared of the game that was saved last, of all of its file's games."""
        files = sorted(self.saved.glob("*.toml"), key=lambda path: path.stat().st_mtime)
        return texts_declared(_declared_beside(files[-1])) if files else {}

    def games(self) -> Iterator[GameInWork]:
        """Yield the games in work, the newest first."""
        folders = [each for each in (self.root / IN_WORK).iterdir() if _ID.fullmatch(each.name)]
        for folder in sorted(folders, key=lambda each: each.stat().st_mtime, reverse=True):
            if game := self.game(folder.name):
                yield game

    def game(self, id_: str) -> GameInWork | None:
        """Return a game in work, None where there is none of this id."""
        folder = self.root / IN_WORK / id_
        if not _ID.fullmatch(id_) or not folder.is_dir():
            return None
        names = [each.name for each in folder.iterdir() if each.is_file()]
        games = [name for name in names if not name.startswith(".") and not name.endswith(".toml")]
        return GameInWork(folder, games[0], self.settings) if games else None

    def there(self, name: str, data: bytes) -> GameInWork | None:
        """Return the game in work that is this very file, and is not saved; None where there is none."""
        same = (game for game in self.games() if game.name == file_name(name) and not game.saved_as)
        return next((game for game in same if game.path.read_bytes() == data), None)

    def put(self, name: str, data: bytes, beside: bytes | None = None) -> GameInWork:
        """Keep a file as a game in work.

        name: what the user's file is called.
        data: the content of the file.
        beside: the content of a TOML file for it, None for none.
        """
        game = GameInWork(self.root / IN_WORK / secrets.token_hex(8), file_name(name), self.settings)
        game.folder.mkdir()
        try:
            if beside is not None:
                write_bytes(game.beside, beside)
            write_bytes(game.path, data)
        except BaseException:
            shutil.rmtree(game.folder, ignore_errors=True)
            raise
        return game

    def change(self, game: GameInWork, version: str, *, data: bytes | None = None, keys: Keys | None = None) -> None:
        """Change a game's file, or what is declared beside it, and keep both as they were.

        version: what the page showed that changes it.
        data: the new content of the file, None to leave it.
        keys: what is to be declared beside it, None to leave that.
        Raises ChangedElsewhereError where another version is there now.
        """
        with self._lock:
            _refuse_changed(game, version)
            # Both files or neither: what is not there is deleted where the change is taken back.
            _keep(game, _BEFORE)
            if data is not None:
                write_bytes(game.path, data)
            if keys is not None:
                write_bytes(game.beside, keys_as_toml(keys))

    def take_back(self, game: GameInWork, version: str) -> None:
        """Undo the last change of a game; raises as :meth:`change` does."""
        with self._lock:
            _refuse_changed(game, version)
            before = game.folder / _BEFORE
            if not (before / game.name).is_file():
                return
            for path in (game.path, game.beside):
                if (before / path.name).is_file():
                    write_bytes(path, (before / path.name).read_bytes())
                else:
                    path.unlink(missing_ok=True)
            _remove(before)

    def save(self, game: GameInWork, version: str, name: str) -> str:
        """Keep a game among those that are saved; return the name of its file there.

        A game that was saved replaces what it was saved as; another of the same name gets a number.

        version: as for :meth:`change`.
        name: without an ending.
        Raises as :meth:`change` does, and where what was saved is not as it was saved any more.
        """
        with self._lock:
            _refuse_changed(game, version)
            self._finish(game)
            stem = file_name(f"{name}.x").removesuffix(".x") if name.strip() else game.path.stem
            wanted = game.saved_as or self._free(stem, game.path.suffix)
            to = self.saved / wanted
            if to.exists() and not game.is_as_saved:
                what = "another program has changed this file since it was saved, and it is left as it is there"
                hint = "drop it here to go on from it; or move it to another folder, and save this game again"
                raise ChangedElsewhereError(what, hint=hint, file=str(to))
            _keep(game, _SAVING, f"{wanted}\n{version}")
            self._finish(game)
            return wanted

    def replace(self, game: GameInWork, version: str, name: str) -> str:
        """Save a game in the place of another that is saved; return the name of its file there.

        What was there is the game's last change, which can be taken back; where it is on the desk as it was saved, it
        goes from there.

        version: as for :meth:`change`.
        name: that of the file which is replaced.
        Raises as :meth:`change` does, and where that file is not there.
        """
        with self._lock:
            _refuse_changed(game, version)
            self._finish(game)
            old = next((each.path for each in results_files([self.saved], None) if each.name == name), None)
            wanted = f"{Path(name).stem}{game.path.suffix}"
            if old is None or (wanted != name and (self.saved / wanted).exists()):
                what = "this game is not there any more" if old is None else f"another file is called {wanted}"
                raise ChangedElsewhereError(what, hint="look at the games that are saved", file=name)
            others = [each for each in self.games() if each.saved_as == name and each.id != game.id]
            was = GameInWork(self.saved, name, self.settings)
            if old.suffix == game.path.suffix:
                _keep(game, _BEFORE, of=was)
            _keep(game, _SAVING, f"{wanted}\n{version}" + (f"\n{name}" if wanted != name else ""))
            for each in others:
                if each.is_as_saved and not each.changed_since:
                    _remove(each.folder)
            self._finish(game)
            return wanted

    def declare(self, game: GameInWork, keys: Keys) -> None:
        """Declare something beside a game that is new on the desk."""
        write_bytes(game.beside, keys_as_toml(keys))

    def take_out(self, game: GameInWork, version: str) -> None:
        """Take what a game was saved as out of the games that are saved; the game stays on the desk.

        Raises as :meth:`change` does, and where another program has changed what was saved.
        """
        with self._lock:
            _refuse_changed(game, version)
            self._finish(game)
            to = self.saved / game.saved_as
            if game.saved_as and to.exists() and not game.is_as_saved:
                what = "another program has changed this file since it was saved, and it is left as it is there"
                raise ChangedElsewhereError(what, hint="remove it yourself, if it is to go", file=str(to))
            if game.saved_as:
                self._unmade.touch()
                to.unlink(missing_ok=True)
                to.with_suffix(".toml").unlink(missing_ok=True)
                (game.folder / _SAVED_AS).unlink()

    def finish(self) -> list[str]:
        """Finish what an earlier program was saving when it was ended, with its pages; return why these are not made.

        Raises OutputError where that is impossible.
        """
        with self._lock:
            for game in self.games():
                self._finish(game)
        return self.not_made() if self._unmade.exists() else []

    @property
    def _unmade(self) -> Path:
        """What is there as long as a game that is saved has no page."""
        return self.root / _UNMADE

    def not_made(self, name: str = "") -> list[str]:
        """Make the pages of all games that are saved; return why there are none, in lines. name: only of this file."""
        declared = {"settings": str(self.settings)} if self.settings else {}
        settings = Settings(None, ("html", "xlsx"), declared, limits=FileLimits())
        try:
            with self.alone():
                tally = _in_turn(lambda: run([self.saved], self.results, settings, index=Index()))
                self._unmade.unlink(missing_ok=True)
        except ResultprocError as error:
            return list(map(str, error.problems))
        file = shown(self.saved / name)
        same = [each["same_as"] for each in tally.same if each["file"] == file]
        failed = [each["what"] for entry in tally.failures if entry["file"] == file for each in entry["problems"]]
        return [*(f"it is the same game as {Path(each).name}, which is there" for each in same), *failed]

    def _finish(self, game: GameInWork) -> None:
        if saving := game.saving:
            self._unmade.touch()
            to = self.saved / saving.saved_as
            if saving.beside.is_file():
                write_bytes(to.with_suffix(".toml"), saving.beside.read_bytes())
            else:  # what an earlier version declared holds no more
                to.with_suffix(".toml").unlink(missing_ok=True)
            write_bytes(to, saving.path.read_bytes())
            if saving.replaces:
                (self.saved / saving.replaces).unlink(missing_ok=True)
            write_bytes(game.folder / _SAVED_AS, (saving.folder / _SAVED_AS).read_bytes())
            _remove(saving.folder)

    def listed(self, *, waits: bool = True) -> list[SavedFile]:
        """Return the files that are saved, in order of their names, as the last results have them.

        waits: whether to wait a little for another program that is at work on these.
        Raises OutputError where the results cannot be read, or another program is at work on them.
        """
        known = {}
        if (self.results / LEDGER).is_file():
            with self.alone(), _in_turn(lambda: Ledger(self.results), waits=waits) as ledger:
                known = {entry.name: entry for entry in ledger.entries.values()}
        saved = []
        for each in results_files([self.saved], None):
            entry = known.get(each.name)
            outcome = entry.outcome if entry else Outcome()
            why = "it was put there by hand since you last saved a game, or another is the same"
            why = outcome.problems[0]["what"] if outcome.problems else "" if outcome.played else why
            page = f"{entry.stem}.html" if entry and f"{entry.stem}.html" in outcome.files else ""
            saved.append(SavedFile(each.path, outcome.played, why, page))
        return saved

    def same_as(self, sheet: Sheet, *, waits: bool = False) -> list[SavedFile]:
        """Return the files that are saved with a game of this sheet, as it is or in another version.

        waits: as for :meth:`listed`. None where that cannot be known, as another program is at work.
        """
        try:
            others = {each.name: each for each in self.listed(waits=waits) if each.played}
        except OutputError:  # the first page says so
            return []
        files = {name: (name, each.played) for name, each in others.items()}
        return [others[name] for name in files_of_these_games(who_played(sheet), files)] if files else []

    def declared_of(self, saved: SavedFile) -> Keys:
        """Return what is declared beside a file that is saved; nothing where that cannot be read."""
        return _declared_beside(saved.path.with_suffix(".toml"))

    def opened(self, name: str) -> GameInWork | None:
        """Return a game that is saved as one in work, as it was saved; None where there is none of this name."""
        path = next((each.path for each in results_files([self.saved], None) if each.name == name), None)
        if path is None:
            return None
        there = [game for game in self.games() if game.saved_as == name and game.is_as_saved]
        if there:
            return there[0]
        beside = path.with_suffix(".toml")
        game = self.put(name, path.read_bytes(), beside.read_bytes() if beside.is_file() else None)
        write_bytes(game.folder / _SAVED_AS, f"{name}\n{game.version}".encode())
        return game

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other requests from writing meanwhile."""
        with self._lock:
            yield

    def _free(self, stem: str, suffix: str) -> str:
        """Return a name that no game that is saved has."""
        taken = {each.stem.lower() for each in self.saved.iterdir()}
        names = (stem if number == 1 else f"{stem} ({number})" for number in range(1, 10**6))
        return next(name for name in names if name.lower() not in taken) + suffix

    def drop(self, game: GameInWork, version: str) -> None:
        """Take a game off the desk; what it was saved as stays. Raises as :meth:`change` does."""
        with self._lock:
            _refuse_changed(game, version)
            _remove(game.folder)


def _in_turn(do: Callable[[], _Done], *, waits: bool = True) -> _Done:
    """Do something to the results once no other program is at work on them; OutputError where that lasts."""
    until = monotonic() + (PATIENCE if waits else 0)
    while True:
        try:
            return do()
        except OutputError as error:
            if any(each.code != "again.locked" for each in error.problems):
                raise
            if monotonic() > until:
                what = "another program is at work on the results of this folder"
                raise OutputError(what, hint="look again in a minute", code="again.locked") from None
        sleep(0.1)


def _keep(game: GameInWork, name: str, saved_as: str = "", of: GameInWork | None = None) -> None:
    """Copy a game's file, and the TOML file beside it, into a folder of this name: whole, or as that was before.

    saved_as: the name and version that it is saved under, where it is to be saved.
    of: the game whose files are copied, where it is another one; they get the names of this one's.
    """
    of = of or game
    kept, whole = game.folder / name, game.folder / f"{name}-whole"
    if whole.exists():
        shutil.rmtree(whole)
    whole.mkdir()
    for path, own in ((of.path, game.path), (of.beside, game.beside)):
        if path.is_file():
            write_bytes(whole / own.name, path.read_bytes())
    if saved_as:
        write_bytes(whole / _SAVED_AS, saved_as.encode())
    if kept.exists():
        _remove(kept)
    whole.rename(kept)


def _remove(folder: Path) -> None:
    """Remove a folder at once: what an interruption leaves of it goes by a name that nobody looks at."""
    gone = folder.rename(folder.with_name(f".gone-{secrets.token_hex(8)}"))
    shutil.rmtree(gone)


def _refuse_changed(game: GameInWork, version: str) -> None:
    if not game.path.is_file() or game.version != version:
        what = "this game was changed in another window since, and is left as it is there"
        raise ChangedElsewhereError(what, hint="look at it again, and make your change once more", file=game.name)
