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
from dataclasses import dataclass, replace
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
from resultproc.formats.loaded import SETTINGS, load_source, refuse_large
from resultproc.model.errors import InputError, OutputError, ResultprocError, shown
from resultproc.model.file_limits import FileLimits
from resultproc.model.files import clean_name, is_device, is_lock, output_errors, safe_stem, write_bytes
from resultproc.model.frames import Sheet
from resultproc.model.language import as_it_is, as_told
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
_BEFORE, _SAVING, _SAVED_AS, _CAME, _FROM = ".before", ".saving", ".saved-as", ".came", ".from"
"""What is beside the file of a game in work, hidden: no file that is dropped keeps a name that begins with a dot."""
_ID = re.compile("[0-9a-f]{16}")

Keys = Mapping[str, Mapping[str, Any]]
"""What is declared, as TOML has it: the keys of each game by its id, those of all games under the empty one."""


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
    """A game that is worked on."""

    folder: Path  # its own, whose name is its id
    name: str  # that of the game's file in it
    settings: Path | None  # the file of the club's settings, None where there is none

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
        return self.told_of_saving[0]

    @property
    def changed_since(self) -> bool:
        """Whether it is not what was saved any more."""
        return bool(self.saved_as) and self.told_of_saving[1] != self.version

    @property
    def told_of_saving(self) -> list[str]:
        """The name and version that it was saved with, and the name of what it replaced, if that had another ending."""
        said = self.folder / _SAVED_AS
        lines = said.read_text("utf-8").split("\n") if said.is_file() else []
        return [*lines, "", "", ""][:3]

    @property
    def came_from(self) -> tuple[Path, str] | None:
        """The file of a watched folder that it was taken from to be mended, and its version then; else None."""
        said = self.folder / _FROM
        path, _, version = (said.read_text("utf-8") if said.is_file() else "").rpartition("\n")
        return (Path(path), version) if path else None

    @property
    def is_as_saved(self) -> bool:
        """Whether the file that it was saved as, with what is declared beside it, is there as it was saved."""
        name, version, _ = self.told_of_saving
        return version_of(self.folder.parents[1] / SAVED / name) == version

    def source(self) -> Source:
        """Return the file with what is declared beside it and by the club's settings.

        One that came from a watched folder goes by the settings there until it is saved here.
        """
        return self._read(self.path)

    def _read(self, path: Path) -> Source:
        settings = self.settings
        if self.came_from and not self.saved_as:
            there = self.came_from[0].with_name(SETTINGS)
            settings = there if there.is_file() else None
        return load_source(path, str(settings) if settings else None)

    def before(self) -> Source | None:
        """Return the same as it was before the last change, None where there was none."""
        path = _game_in(self.folder / _BEFORE)
        return self._read(path) if path else None

    def as_it_came(self) -> Source:
        """Return the file as it was when it came on the desk, with nothing besides."""
        path = self.folder / _CAME
        return Source(self.name, (path if path.is_file() else self.path).read_bytes())

    @property
    def version(self) -> str:
        """What tells it from what it was before any change."""
        return version_of(self.path)

    def keys(self) -> dict[str, dict[str, Any]]:
        """Return what the TOML file beside it declares; raises DeclarationError for one that cannot be read."""
        return keys_of(self.beside.name, self.beside.read_bytes()) if self.beside.is_file() else {}


def _game_in(folder: Path) -> Path | None:
    """Return the file of a game in its folder, beside which are hidden ones and what is declared; None without one."""
    there = folder.iterdir() if folder.is_dir() else ()
    return next((each for each in there if each.name[0] != "." and each.suffix != ".toml" and each.is_file()), None)


def version_of(path: Path) -> str:
    """Return what tells a file, with what is declared beside it, from what it was before any change."""
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


def declared_beside(path: Path) -> Keys:
    """Return what is declared beside a file; nothing where that cannot be read, or nothing is there."""
    beside = path.with_suffix(".toml")
    try:
        return keys_of(beside.name, beside.read_bytes()) if beside.is_file() else {}
    except InputError:
        return {}


def texts_declared(path: Path) -> dict[str, str]:
    """Return what is declared beside a file of all its games as a form has it, without lists and tables."""
    keys = declared_beside(path).get("", {})
    return {key: str(value) for key, value in keys.items() if not isinstance(value, dict | list)}


class SavedFile(NamedTuple):
    """A file that is saved."""

    path: Path  # where it is
    # What tells its games from others, see :func:`resultproc.stages.same_game.who_played`.
    played: Sequence[Mapping[str, str]]
    left_out: str  # why it is not among the results, if it is not
    page: str = ""  # the page of its results, where it has one

    @property
    def name(self) -> str:
        """What its file is called."""
        return self.path.name

    @property
    def version(self) -> str:
        """What tells it from what it was before any change."""
        return version_of(self.path)

    @property
    def months(self) -> set[str]:
        """The months of its games, such as ``2026-05``; the empty one for a game without a date."""
        return {game["date"][:7] for game in self.played}

    @property
    def title(self) -> str:
        """What its games are called, each once, with their days."""
        # What has no name goes by its file's, which mostly begins with the day.
        called = [
            (game["event"] or self.path.stem.removeprefix(f"{game['date']} "), game["date"]) for game in self.played
        ]
        of_day: dict[str, list[str]] = {}
        for event, day in dict.fromkeys(called):
            of_day.setdefault(day, []).append(as_it_is(event))
        days = [(short_day(date.fromisoformat(day)) if day else "", events) for day, events in of_day.items()]
        return "; ".join(": ".join(filter(None, [day, ", ".join(events)])) for day, events in days) or as_it_is(
            self.name
        )

    @property
    def saved_on(self) -> date:
        """When it was saved."""
        return date.fromtimestamp(self.path.stat().st_mtime)


def same_among(saved: Sequence[SavedFile], sheet: Sheet) -> list[SavedFile]:
    """Return those of some files that have a game of this sheet, as it is or in another version."""
    others = {each.name: each for each in saved if each.played}
    files = {name: (name, each.played) for name, each in others.items()}
    return [others[name] for name in files_of_these_games(who_played(sheet), files)] if files else []


@dataclass(frozen=True)
class Desk:
    """The folder that a page works in. lock: what it does to files, one request does after the other."""

    root: Path
    lock: Lock

    @classmethod
    def at(cls, root: Path) -> Desk:
        """Return the desk of a folder, which is made where it is not there; OutputError where that is impossible."""
        with output_errors("this folder cannot be made", root):
            for name in (IN_WORK, SAVED, RESULTS):
                (root / name).mkdir(parents=True, exist_ok=True)
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
        return texts_declared(files[-1]) if files else {}

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
        path = _game_in(folder)
        return GameInWork(folder, path.name, self.settings) if path else None

    def put(self, name: str, data: bytes, beside: bytes | None = None) -> GameInWork:
        """Keep a file as a game in work; one that is there with what is declared beside it, unsaved, is the same."""
        with self.lock:
            for game in self.games():
                alike = game.name == file_name(name) and not game.saved_as and game.path.read_bytes() == data
                if alike and (beside is None or (game.beside.is_file() and game.beside.read_bytes() == beside)):
                    return game
            return self._put(name, data, beside, {})

    def fetch(self, path: Path) -> GameInWork:
        """Keep a file of a watched folder, with what is declared beside it, as a game in work; once, as it is now.

        Raises InputError for what is no file or too large. No other machine is asked for it: any site may lead here.
        """
        if str(path)[:2] in ("//", "\\\\") or not path.is_absolute() or not path.is_file():
            raise InputError("there is no such file here", hint="choose it on this page", file=shown(path))
        refuse_large(path.stat().st_size)
        with self.lock:
            version = version_of(path)
            there = (game for game in self.games() if game.came_from == (path, version))
            return next(there, None) or self._taken(path, _FROM, f"{path}\n{version}")

    def put_back(self, game: GameInWork, version: str) -> None:
        """Write a game that came from a watched folder there, mended, and take it off the desk.

        Raises as :meth:`change` does, and where another program has changed the file meanwhile.
        """
        with self.lock:
            _refuse_changed(game, version)
            if game.came_from:
                to, was = game.came_from
                if version_of(to) != was:
                    what, hint = "this file was changed since it was taken from there", "open it from the list again"
                    raise InputError(what, hint=hint, file=shown(to))
                _write_both(to, game.path)
                _remove(game.folder)

    def _taken(self, path: Path, hidden: str, told: str) -> GameInWork:
        """Keep a file that is elsewhere, with what is declared beside it, as a game in work, and a text with it."""
        beside = path.with_suffix(".toml")
        return self._put(
            path.name, path.read_bytes(), beside.read_bytes() if beside.is_file() else None, {hidden: told}
        )

    def _put(self, name: str, data: bytes, beside: bytes | None, hidden: Mapping[str, str]) -> GameInWork:
        game = GameInWork(self.root / IN_WORK / secrets.token_hex(8), file_name(name), self.settings)
        game.folder.mkdir()
        try:
            if beside is not None:
                write_bytes(game.beside, beside)
            for what, told in hidden.items():
                write_bytes(game.folder / what, told.encode())
            write_bytes(game.folder / _CAME, data)
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
        Raises InputError where another version is there now.
        """
        with self.lock:
            _refuse_changed(game, version)
            # Both files or neither: what is not there is deleted where the change is taken back.
            _keep(game, _BEFORE)
            if data is not None:
                write_bytes(game.path, data)
            if keys is not None:
                write_bytes(game.beside, keys_as_toml(keys))

    def take_back(self, game: GameInWork, version: str) -> None:
        """Undo the last change of a game; raises as :meth:`change` does."""
        with self.lock:
            _refuse_changed(game, version)
            if before := _game_in(game.folder / _BEFORE):
                _write_both(game.path, before)
                if before.name != game.name:  # it had replaced a file with another ending
                    write_bytes(game.folder / _CAME, before.read_bytes())
                    game.path.rename(game.folder / before.name)
                _remove(before.parent)

    def save(self, game: GameInWork, version: str, name: str) -> str:
        """Keep a game among those that are saved; return the name of its file there.

        A game that was saved replaces what it was saved as; another of the same name gets a number.

        version: as for :meth:`change`.
        name: without an ending.
        Raises as :meth:`change` does, and where what was saved is not as it was saved any more.
        """
        with self.lock:
            _refuse_changed(game, version)
            self._finish(game)
            stem = file_name(f"{name}.x").removesuffix(".x") if name.strip() else game.path.stem
            if not game.saved_as:
                return self._save_as(game, self._free(stem, game.path.suffix))
            self._refuse_another(game, "drop it here to go on from it; or move it elsewhere, and save this game again")
            return self._save_as(game, self._in_place_of(game.saved_as, game), game.saved_as)

    def replace(self, game: GameInWork, version: str, name: str, seen: str) -> str:
        """Save a game in the place of another that is saved; return the name of its file there.

        What was there is the game's last change, which can be taken back; where it is on the desk as it was saved, it
        goes from there.

        version: as for :meth:`change`.
        name, seen: those of the file which is replaced, and its version as the page showed it.
        Raises as :meth:`change` does, and where that file is not there, or is another one now.
        """
        with self.lock:
            _refuse_changed(game, version)
            self._finish(game)
            old = self._saved_file(name)
            if old is None or version_of(old) != seen:
                what = "this game was changed in another window since" if old else "this game is not there any more"
                raise InputError(what, hint="look at the games that are saved", file=name)
            wanted = self._in_place_of(name, game)
            others = [each for each in self.games() if each.saved_as == name and each.id != game.id]
            _keep(game, _BEFORE, of=old)
            self._save_as(game, wanted, name, [each for each in others if each.is_as_saved and not each.changed_since])
            return wanted

    def _saved_file(self, name: str) -> Path | None:
        return next((each.path for each in results_files([self.saved], None) if each.name == name), None)

    def _in_place_of(self, name: str, game: GameInWork) -> str:
        """Return what a game is called in the place of a file that is saved; raises where another is called so."""
        # Windows and Macs take wed.CSV and wed.csv for one file, whose name stays.
        alike = Path(name).suffix.casefold() == game.path.suffix.casefold()
        wanted = name if alike else f"{Path(name).stem}{game.path.suffix}"
        if wanted != name and (self.saved / wanted).exists():
            what = f"another file is called {wanted}"
            raise InputError(what, hint="look at the games that are saved", file=name)
        return wanted

    def _refuse_another(self, game: GameInWork, hint: str) -> None:
        to = self.saved / game.saved_as
        if to.exists() and not game.is_as_saved:
            what = "another program has changed this file since it was saved, and it is left as it is there"
            raise InputError(what, hint=hint, file=str(to))

    def _save_as(self, game: GameInWork, name: str, of: str = "", gone: Sequence[GameInWork] = ()) -> str:
        """Save a game under a name, in the place of what is saved as ``of``, and take others off the desk."""
        _keep(game, _SAVING, f"{name}\n{game.version}" + (f"\n{of}" if of not in ("", name) else ""))
        for each in gone:
            _remove(each.folder)
        self._finish(game)
        return name

    def take_out(self, game: GameInWork, version: str) -> None:
        """Take what a game was saved as out of the games that are saved; the game stays on the desk.

        Raises as :meth:`change` does, and where another program has changed what was saved.
        """
        with self.lock:
            _refuse_changed(game, version)
            self._finish(game)
            if game.saved_as:
                to = self.saved / game.saved_as
                self._refuse_another(game, "remove it yourself, if it is to go")
                self._unmade.touch()
                to.unlink(missing_ok=True)
                to.with_suffix(".toml").unlink(missing_ok=True)
                (game.folder / _SAVED_AS).unlink()

    def finish(self) -> list[str]:
        """Finish what an earlier program was saving when it was ended, with its pages; return why these are not made.

        Raises OutputError where that is impossible.
        """
        with self.lock:
            for game in self.games():
                self._finish(game)
        return self.make_what_is_unmade()

    def make_what_is_unmade(self) -> list[str]:
        """Make the pages of games that were saved and have none yet; return why there are none, in lines."""
        return self.not_made() if self._unmade.exists() else []

    @property
    def _unmade(self) -> Path:
        """What is there as long as a game that is saved has no page."""
        return self.root / _UNMADE

    def not_made(self, name: str = "") -> list[str]:
        """Make the pages of all games that are saved; return why there are none, in lines. name: only of this file."""
        declared = {"settings": str(self.settings)} if self.settings else {}
        settings = Settings(None, ("html", "xlsx"), declared, emptied=True, limits=FileLimits())
        try:
            with self.lock:
                tally = _in_turn(lambda: run([self.saved], self.results, settings, index=Index()))
                self._unmade.unlink(missing_ok=True)
        except ResultprocError as error:
            return list(map(as_told, error.problems))
        file = shown(self.saved / name)
        same = [each["same_as"] for each in tally.same if each["file"] == file]
        failed = [each["what"] for entry in tally.failures if entry["file"] == file for each in entry["problems"]]
        return [*(f"it is the same game as {Path(each).name}, which is there" for each in same), *failed]

    def _finish(self, game: GameInWork) -> None:
        """Write what is being saved of a game, whole, among those that are saved."""
        saving = replace(game, folder=game.folder / _SAVING)
        if saving.path.is_file():
            self._unmade.touch()
            name, _, replaced = saving.told_of_saving
            _write_both(self.saved / name, saving.path)
            if replaced:
                (self.saved / replaced).unlink(missing_ok=True)
            write_bytes(game.folder / _SAVED_AS, (saving.folder / _SAVED_AS).read_bytes())
            _remove(saving.folder)

    def listed(self, *, waits: bool = True) -> list[SavedFile]:
        """Return the files that are saved, in order of their names, as the last results have them.

        waits: whether to wait a little for another program that is at work on these.
        Raises OutputError where the results cannot be read, or another program is at work on them.
        """
        known = {}
        if (self.results / LEDGER).is_file():
            with self.lock, _in_turn(lambda: Ledger(self.results), waits=waits) as ledger:
                known = {
                    entry.name: (entry.stem, replace(ledger.outcome(key), played=ledger.played(key)))
                    for key, entry in ledger.entries.items()
                }
        saved = []
        for each in results_files([self.saved], None):
            stem, outcome = known.get(each.name, ("", Outcome()))
            why = "it was put there by hand since you last saved a game, or another is the same"
            why = outcome.problems[0]["what"] if outcome.problems else "" if outcome.played else why
            page = f"{stem}.html" if f"{stem}.html" in outcome.files else ""
            saved.append(SavedFile(each.path, outcome.played, why, page))
        return saved

    def opened(self, name: str) -> GameInWork | None:
        """Return a game that is saved as one in work, as it was saved; None where there is none of this name."""
        with self.lock:
            path = self._saved_file(name)
            if path is None:
                return None
            there = (game for game in self.games() if game.saved_as == name and game.is_as_saved)
            return next(there, None) or self._taken(path, _SAVED_AS, f"{name}\n{version_of(path)}")

    def _free(self, stem: str, suffix: str) -> str:
        """Return a name that no game that is saved has."""
        taken = {each.stem.lower() for each in self.saved.iterdir()}
        names = (stem if number == 1 else f"{stem} ({number})" for number in range(1, 10**6))
        return next(name for name in names if name.lower() not in taken) + suffix

    def drop(self, game: GameInWork, version: str) -> None:
        """Take a game off the desk; what it was saved as stays. Raises as :meth:`change` does."""
        with self.lock:
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


def _write_both(to: Path, path: Path) -> None:
    """Write a file in the place of another, and what is declared beside it, or that nothing is."""
    beside = path.with_suffix(".toml")
    if beside.is_file():
        write_bytes(to.with_suffix(".toml"), beside.read_bytes())
    else:
        to.with_suffix(".toml").unlink(missing_ok=True)
    write_bytes(to, path.read_bytes())


def _keep(game: GameInWork, name: str, saved_as: str = "", of: Path | None = None) -> None:
    """Copy a game's file, and the TOML file beside it, into a folder of this name: whole, or as that was before.

    saved_as: the name and version that it is saved under, where it is to be saved.
    of: the file that is copied, where it is another one; it gets the name of the game's, with its own ending.
    """
    of = of or game.path
    kept, whole = game.folder / name, game.folder / f"{name}-whole"
    if whole.exists():
        shutil.rmtree(whole)
    whole.mkdir()
    alike = of.suffix.casefold() == game.path.suffix.casefold()
    _write_both(whole / (game.name if alike else f"{game.path.stem}{of.suffix}"), of)
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
        raise InputError(what, hint="look at it again, and make your change once more", file=game.name)
