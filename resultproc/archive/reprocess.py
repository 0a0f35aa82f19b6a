"""An archive under a rulebook: every part ranked and awarded, on one machine or a Dask cluster, and summed up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from resultproc.archive.game_file import GameFile, hashes_of_texts
from resultproc.archive.kept import KEPT, state_of
from resultproc.archive.store import (
    Store,
    awards_table,
    candidates_table,
    plain_frame,
    player_awards_table,
    standings_table,
)
from resultproc.archive.table import RULEBOOKS, ArchivePart, current_parts, opened, rulebooks_entry
from resultproc.archive.where import WHERE, matching, parse_condition
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, OutputError, Problem, by_game, by_halves, resultproc_error
from resultproc.model.frames import CONTESTANT_KEY, CONTESTANTS, GAMES, STANDINGS, UNNAMED, AwardedResult, Sheet
from resultproc.model.keys import KEYS
from resultproc.model.provenance import Origin
from resultproc.model.work import keep_freed_memory
from resultproc.reports.summary import summary, summed_summaries
from resultproc.rulebooks.load import fingerprint, fingerprint_of_file, is_file, refuse_others, rulebook, tables_here
from resultproc.stages.doubts import OF_SHEETS, Doubts
from resultproc.stages.pipeline import award_each, keep_games, unpaid

_UNREAD = re.compile("printed_(share[0-9]+|paid_by)")
"""The contestants' columns that neither awards nor remarks depend on. What is not named here is read, a new column too.
"""

_WHO = re.compile("(player|id)[0-9]+")
"""Columns that say who won what. All that awards depend on is whether there is such a player."""

_TEXTS = re.compile(
    "|".join((*CONTESTANT_KEY, "stratum", "where", "round[0-9]+", "playoff", "printed_(section|overall|colours)"))
)
"""Columns that come as categories."""

RUN_SETTINGS = "settings.json"

AGAIN = "run 'resultproc reprocess' again"
"""What to do where results are no longer what a run would write."""


def settings_of(output: Store) -> dict[str, Any] | None:
    """Return what tells the run of a folder from others, see :meth:`Task.settings`; None for a folder without a run.

    Raises InputError where it is damaged, or says what this version does not know.
    """
    if (text := output.read_text(RUN_SETTINGS)) is None:
        return None
    file = f"{output.url}/{RUN_SETTINGS}"
    hint = f"remove it, and {AGAIN}"
    try:
        said = {**json.loads(text)}
    except (ValueError, TypeError):
        raise InputError("this file is damaged", hint=hint, file=file) from None
    if not {"archive", "as_of"} <= said.keys() <= {each.name for each in fields(Task)}:
        what = "another version of resultproc made these results"
        raise InputError(what, hint=f"ask with that version, or {hint}", file=file)
    return said


@dataclass(frozen=True)
class Task:
    """What is done with every part."""

    archive: str  # where it is
    output: str  # the folder of the run
    rules: str | None = None  # the rulebook for all games, None for that of the day of each
    where: str = ""  # which games, as a condition; empty for all
    as_of: str = ""  # the archive as it was at that time, see :func:`resultproc.model.dates.moment`; empty for now
    strict: bool = False  # games that are doubtful are not awarded
    # What tells the rulebooks that it is meant for, see :func:`resultproc.rulebooks.load.tables_here`; whoever has
    # others refuses it.
    tables: Mapping[str, str] = field(default_factory=dict)
    # Game keys in their one spelling, for games that do not say them; a remark of each such game tells it.
    assumed: Mapping[str, str] = field(default_factory=dict)

    def settings(self) -> str:
        """Return what tells a run from another over the same archive, as JSON; nothing of assumptions without any."""
        said = {name: value for name, value in asdict(self).items() if value or name != "assumed"}
        return json.dumps({**said, "output": ""}, indent=1)

    @classmethod
    def of(cls, output: Store) -> Task:
        """Return what was done in the folder of a run; InputError where that was done by other tables than those here.

        It is one, too, where nothing says what was done. A game may name tables of its own: whether these are as they
        were is not asked.
        """
        if (said := settings_of(output)) is None:
            raise InputError("this file is missing", hint=AGAIN, file=f"{output.url}/{RUN_SETTINGS}")
        task = cls(**{**said, "output": output.url})
        if _are_others(task.tables):
            raise InputError("other rulebooks made these results", hint=AGAIN, file=output.url)
        return task

    def anywhere(self) -> Task:
        """Return the task with local paths that hold in whatever folder a worker runs, and with the tables here."""
        rules = str(Path(self.rules).resolve()) if self.rules and is_file(self.rules) else self.rules
        if rules:
            rulebook(rules)  # one that cannot be read is told at once
        archive, output = Store(self.archive).anywhere, Store(self.output).anywhere
        own = (rules,) if rules and is_file(rules) else ()
        return replace(self, archive=archive, output=output, rules=rules, tables=tables_here(own))


def _own_rulebooks(archive: Store, parts: Iterable[ArchivePart]) -> tuple[str, ...]:
    """Return the files of rulebooks that the games of some parts name."""
    own: set[str] = set()
    for part in parts:
        with suppress(InputError):  # the run tells of a damaged part
            file = opened(archive, part)
            if file.columns["games"].get("rulebook", False) is not False:
                names = file.games(["rulebook"])["rulebook"].unique().to_pylist()
                own |= {name for name in names if name and is_file(name)}
    return tuple(sorted(own))


RunParts = Callable[[Callable[[ArchivePart], object], list[ArchivePart]], object]
"""Calls a function for each of some parts, here or elsewhere, see :mod:`resultproc.model.work`."""


@contextmanager
def all_awarded(archive: Store, as_of: str, run: RunParts) -> Iterator[Store]:
    """Give what all games that count are awarded under the rules of their days, as a run writes it.

    What is kept in the archive is not awarded again, and what is awarded is kept there. Where that cannot be written,
    and of an earlier time, all is awarded into a folder that is there until the answer is.
    """
    kept = None
    if not as_of:
        with suppress(OutputError):
            kept = keep_awarded(archive, run)
    with TemporaryDirectory(prefix="resultproc-") as folder:
        if not kept:
            reprocess(Task(archive.url, folder, as_of=as_of), run)
        yield kept or Store(folder)


def keep_awarded(archive: Store, run: RunParts, some: Sequence[ArchivePart] | None = None) -> Store:
    """Award the games of an archive that no one has yet with this program and these rulebooks; return what all are.

    some: the parts whose games are asked for, where these are not all.

    Nothing that is kept is changed: other games are in a part of another name, and other rules in another folder. So
    many may ask and add at once. What no one needs any longer goes after a week; each day on which a program asks is
    noted in its folder.
    """
    parts = current_parts(archive)
    books = [fingerprint(None), *map(fingerprint_of_file, _own_rulebooks(archive, parts))]
    rules, folder = state_of(books), f"{archive.anywhere}/{KEPT}"
    output = Store(f"{folder}/{rules}", frozenset(part.name for part in parts))
    work = PartRun(Task(archive.anywhere, output.url))
    with suppress(OutputError):
        if _asked(output) != str(date.today()):
            output.write_text(_ASKED, str(date.today()))
    asked = parts if some is None else some
    if lacking := [part for part in asked if not _as_written(output, part.name, work)]:
        run(work, lacking)
        _forget(Store(folder), tuple(part.name for part in parts))
    return output


_ASKED = "asked"
"""When a program asked last what it had awarded: a file with the day, beside that."""


def _asked(output: Store) -> str:
    """Return the day on which a program asked last; empty where nothing says so."""
    with suppress(InputError):
        return output.read_text(_ASKED) or ""
    return ""


def _forget(kept: Store, parts: tuple[str, ...]) -> None:
    """Remove what is kept of other parts than these, and of programs that have not asked for a week."""
    since = str(date.today() - timedelta(days=7))

    @cache
    def in_use(rules: str) -> bool:
        return _asked(Store(f"{kept.url}/{rules}")) >= since

    def needed(path: str) -> bool:
        return path.endswith((*parts, f"/{_ASKED}")) and in_use(path.rpartition(f"/{KEPT}/")[2].partition("/")[0])

    kept.forget(needed)


def reprocess(
    task: Task,
    run: RunParts,
    before: Callable[[int, int], None] = lambda done, parts: None,
    ready: Callable[[Callable[[], None]], None] = lambda check: None,
) -> pd.DataFrame:
    """Award an archive; return the summary: one row per year, rating and stratum, see
    :mod:`resultproc.reports.summary`.

    For each part the output gets ``awards``, ``candidates``, ``problems`` (games that could not be awarded, and why),
    ``remarks`` (what is doubtful about those that were), where there are any ``player_awards`` (of teams whose players
    get different ones), and last ``summary``. A mistake of the program in one game is that game's problem.

    run: does the work. Parts that an earlier run with the same settings has done are not done again, unless what was
        written is no longer what it was, or was awarded by other rulebooks. A part that has changed since is another
        part.
    before: gets how many parts an earlier run has done, and how many there are.
    ready: has every worker run a check, before anything is written.

    Raises InputError for an archive without games, and a condition or rulebook that cannot be read; OutputError for an
    output folder that holds a run with other settings.
    """
    condition = parse_condition(task.where)
    task = task.anywhere()
    archive, output = Store(task.archive), Store(task.output)
    parts = current_parts(archive, task.as_of)
    if condition and not any(matching(games_of_part(archive, part), condition).any() for part in parts):
        what, hint = f"no game of the archive fulfils {task.where}", "compare what games declare"
        raise InputError(what, WHERE, hint)
    settings = task.settings()
    if not task.rules:  # games may name files of rulebooks
        task = replace(task, tables=tables_here(_own_rulebooks(archive, parts)))
    ready(partial(refuse_others, task.tables))
    with output.alone():
        there = output.read_text(RUN_SETTINGS)
        if there is not None and there != settings:
            what = "this folder has a run with other settings"
            raise OutputError(what, hint="choose another folder", file=task.output, code="output.blocked")
        output.write_text(RUN_SETTINGS, settings)
        output.clear()
        work = PartRun(task)
        done = _done(output, parts, work)
        before(len(done), len(parts))
        run(work, [part for part in parts if part.name not in done])
        output.clear()  # what lost workers left
        return summed_summaries([output.opened("summary", part.name).read().to_pandas() for part in parts])


ARCHIVE_KINDS = ("games", "contestants")
"""The kinds of rows that an archive has."""

RUN_PARTS = ("awards", "candidates", "player_awards", "problems", "remarks", "summary")
"""The kinds of parts that a run writes. The summary comes last and goes last: what has none is done again."""

DONE = "done"
"""What a part was made from, and the hashes of what was written: an entry in the metadata of its summary. Where a game
is of a day to come, the day too when it was made: another day, another remark.
"""


def _done(output: Store, parts: Sequence[ArchivePart], work: PartRun) -> set[str]:
    """Return the names of the parts that an earlier run has done.

    What it did of parts that have changed since, or are no longer there, or by other tables, and what is not as it was
    written, is removed.
    """
    now = {part.name for part in parts}
    there = {name for kind in RUN_PARTS for name in output.parts(kind)}
    done = {name for name in there & now if _as_written(output, name, work)}
    for name in sorted(there - done):
        for kind in RUN_PARTS:
            output.remove(kind, name)
    return done


def _as_written(output: Store, name: str, work: PartRun) -> bool:
    """Return whether what an earlier run did of a part is there, and by the tables now.

    Tables that only games of later parts name may have come since.
    """
    try:
        done = json.loads(output.opened("summary", name).metadata(DONE) or "{}")
        for kind in RUN_PARTS[:-1]:
            if kind in done:
                output.opened(kind, name, done[kind])
    except InputError:
        return False
    if done.get("day", "") not in ("", str(date.today())):
        return False
    was, tables = done.get("tables", {}), work.task.tables
    return was.items() <= tables.items() and all(map(is_file, tables.keys() - was.keys()))


def made_by_others(output: Store) -> bool:
    """Return whether other rulebooks than those here made some of the results of a run, files of users' own too."""
    said = (json.loads(output.opened("summary", name).metadata(DONE) or "{}") for name in output.parts("summary"))
    return any(map(_are_others, map(dict, {frozenset(each.get("tables", {}).items()) for each in said})))


def _are_others(tables: Mapping[str, str]) -> bool:
    """Say whether some of the tables that made results are not as they are here; others may have come since."""
    return bool(tables.items() - tables_here(tuple(filter(is_file, tables))).items())


@dataclass(frozen=True)
class PartRun:
    """The work on one part, to be sent to wherever it is done."""

    task: Task

    def __call__(self, part: ArchivePart) -> None:
        """Read, award and write one part; its summary is written last, so that a part without one is done again."""
        if self.task.tables:
            refuse_others(self.task.tables)
        keep_freed_memory()
        output = Store(self.task.output)
        sheet = self._read(part)
        result, wrong = self._awarded(sheet)
        # What is written needs neither the standings nor the facts of the sheet, which are much of the memory.
        result, sheet = replace(result, standings=STANDINGS.empty()), replace(sheet)
        assumed = "".join(f"; assumed {key} = {value}" for key, value in self.task.assumed.items())
        said = f"{result.provenance.line()}; part {part.name}{assumed}"
        today = date.today()
        to_come = (sheet.games["date"] > pd.Timestamp(today)).any()
        done: dict[str, object] = {"tables": self.task.tables, **({"day": str(today)} if to_come else {})}
        tables = {"awards": awards_table(result), "candidates": candidates_table(result)}
        if len(result.player_awards):
            tables["player_awards"] = player_awards_table(result)
        for kind, table in tables.items():
            done[kind] = output.write_table(kind, part.name, table, said)
        for kind, problems in (("problems", wrong), ("remarks", by_game(result.remarks))):
            done[kind] = output.write_table(kind, part.name, _problems(problems, sheet.games), said)
        in_force = award_sound(sheet)[0] if self.task.rules else None
        failed = sheet.games[sheet.games["game_id"].isin(wrong)] if wrong else sheet.games.iloc[:0]
        sums = summary(result, in_force, failed)
        entries = {DONE: json.dumps(done), RULEBOOKS: rulebooks_entry(result.provenance)}
        output.write_table("summary", part.name, sums, said, entries)

    def standings(self, part: ArchivePart) -> pa.Table:
        """Return the places of the games of one part that were awarded, which a run does not write: they are ranked."""
        sheet = self._under_its_rules(self._read(part))
        failed = {*Store(self.task.output).opened("problems", part.name).read(["game_id"])["game_id"].to_pylist()}
        sound = keep_games(sheet, [name for name in sheet.games["game_id"] if name not in failed])
        return standings_table(award_each(sound, Doubts(), unpaid)[0])

    def _read(self, part: ArchivePart) -> Sheet:
        return with_assumed(read_part(Store(self.task.archive), part, self.task.where), self.task.assumed)

    def _awarded(self, sheet: Sheet) -> tuple[AwardedResult, dict[str, list[Problem]]]:
        """Award the games that can be, under the rulebook of the task; return what is wrong with the others, too."""
        sheet = self._under_its_rules(sheet)
        result, wrong = award_sound(sheet)
        doubtful = [remark for remark in result.remarks if remark.code != "declaration.assumed"]
        if self.task.strict and doubtful:
            wrong |= by_game(doubtful)
            result, _ = award_sound(keep_games(sheet, [name for name in sheet.games["game_id"] if name not in wrong]))
        return result, wrong

    def _under_its_rules(self, sheet: Sheet) -> Sheet:
        """Return a sheet with the rulebook of the task, if that is one for all games."""
        if not (rules := self.task.rules):
            return sheet
        return replace(sheet, games=sheet.games.assign(rulebook=pd.Series(rules, sheet.games.index, dtype="str")))


def with_assumed(sheet: Sheet, assumed: Mapping[str, str]) -> Sheet:
    """Return a sheet with keys, in their one spelling, where games did not say them, and a remark on each such game."""
    games, told = sheet.games, pd.Series("", sheet.games.index)
    for key, value in assumed.items():
        lacking = games[key].isna()
        values = games[key].astype("object").where(~lacking, KEYS[key].held(value))
        games = games.assign(**{key: values.astype(games[key].dtype)})
        told[lacking] += f", {key} = {value}"
    rows = games.loc[told != "", ["game_id", "source"]].assign(told=told[told != ""])
    what = "the game does not say it, and the run assumes: "
    remarks = [
        Problem(f"{what}{said[2:]}", file=source, game=game, code="declaration.assumed")
        for game, source, said in rows.itertuples(index=False)
    ]
    return replace(sheet, games=games, remarks=(*sheet.remarks, *remarks))


def remarks_in(output: str, most: int) -> list[Problem]:
    """Return what is doubtful about the games of an output: the first ``most`` remarks, and one that counts others."""
    store = Store(output)
    rows: list[dict[Any, Any]] = []
    more = 0
    for part in store.parts("remarks"):
        table = store.opened("remarks", part).read()
        first = table.slice(0, most - len(rows))
        more += len(table) - len(first)
        rows += row_dicts(first.to_pandas())
    found = [
        Problem(
            row["what"],
            row["where"] if row["where"].startswith("game ") else f"game {row['game_id']}: {row['where']}".rstrip(": "),
            row["hint"],
            row["source"] if isinstance(row["source"], str) else "",
            code=row["code"],
            rows=tuple((where, what) for where, what in json.loads(row["rows"])) if row["rows"] else (),
        )
        for row in rows
    ]
    return [*found, Problem(f"and {more} more remarks", code="more.said")] if more else found


def problems_in(output: str, most: int) -> list[Problem]:
    """Return why games of an output could not be awarded: the commonest ``most`` reasons, each once with its count."""
    columns = ["what", "hint", "game_id", "where", "source", "code"]
    by = Store(output).read_all("problems", columns).fillna("").groupby(["what", "hint"], sort=False)
    counted = by.first().assign(others=by.size() - 1).reset_index()
    found = []
    for row in row_dicts(counted.sort_values("others", ascending=False, kind="stable").head(most)):
        more = f"; the same holds for {row['others']} more" if row["others"] else ""
        where = row["where"] or f"game {row['game_id']}"
        found.append(Problem(f"{row['what']}{more}", where, row["hint"], row["source"], code=row["code"]))
    return found


def codes_in(output: str) -> set[str]:
    """Return the codes of all that kept games of an output from being awarded."""
    return set(Store(output).read_all("problems", ["code"])["code"])


def _problems(wrong: Mapping[str, list[Problem]], games: pd.DataFrame) -> pa.Table:
    """Return what is wrong with games, or doubtful about them, a row for each problem, with the game's file.

    rows: as JSON, where and what each of several rows of the game is.
    """
    found = [(game, each) for game, of in wrong.items() for each in of]
    columns = {name: [getattr(each, name) for _, each in found] for name in ("what", "where", "hint", "code")}
    columns = {"game_id": [game for game, _ in found], **columns}
    columns["rows"] = [json.dumps([*each.rows]) if each.rows else "" for _, each in found]
    sources = dict(zip(games["game_id"].tolist(), games["source"].tolist(), strict=True)) if found else {}
    columns["source"] = [sources.get(game) for game in columns["game_id"]]
    return pa.table({name: pa.array(texts, pa.large_string(), from_pandas=True) for name, texts in columns.items()})


def read_part(archive: Store, part: ArchivePart, where: str = "") -> Sheet:
    """Return the games of one part that count and fulfil a condition, with the columns that awards depend on.

    where: the condition, as :attr:`Task.where`; empty for all games.
    """
    of_games, of_contestants, origin = part_tables(archive, part)
    games, contestants = GAMES.conform(_frame(of_games)), _frame(_unnamed(of_contestants))
    condition = parse_condition(where)
    if condition:
        kept = matching(games, condition)
        games = games[kept].reset_index(drop=True)
        contestants = contestants[contestants["game_id"].isin(games["game_id"])].reset_index(drop=True)
    remarks = _listed_twice(games, of_contestants)
    return Sheet(games, CONTESTANTS.conform(contestants), remarks, sources=(origin,))


def _listed_twice(games: pd.DataFrame, contestants: pa.Table) -> tuple[Problem, ...]:
    """Return the remarks on players who sit more than once in a game: only such games are looked at with names."""
    game = contestants["game_id"].combine_chunks()
    of = game.indices.to_numpy()
    high, low = of.astype(np.uint64) << _OF_HASH, np.uint64(64) - _OF_HASH
    found: list[npt.NDArray[np.uint64]] = []
    for family in ("player", "id"):
        keys = [np.zeros(0, dtype=np.uint64)]
        for name in contestants.column_names:
            if re.fullmatch(f"{family}[0-9]+", name):
                texts = contestants[name].combine_chunks()
                key = high | (hashes_of_texts(texts.fill_null("")) >> low)
                keys.append(key[texts.is_valid().to_numpy(zero_copy_only=False)] if texts.null_count else key)
        key = np.sort(np.concatenate(keys), kind="stable")  # those of each column are in the order of the games
        found.append(key[1:][key[1:] == key[:-1]] >> _OF_HASH)
    again = np.unique(np.concatenate(found))
    some = games[games["game_id"].isin(game.dictionary.take(pa.array(again)).to_pylist())].reset_index(drop=True)
    if some.empty:
        return ()
    seats = plain_frame(contestants.filter(pa.array(np.isin(of, again))))
    seats = seats[seats["game_id"].isin(some["game_id"])].reset_index(drop=True)
    facts = Sheet(some, CONTESTANTS.conform(seats)).facts
    return tuple(each.coded(_LISTED_TWICE) for each in OF_SHEETS[_LISTED_TWICE](facts))


_LISTED_TWICE = "players.listed-twice"

_OF_HASH = np.uint64(40)
"""So many bits of a text's hash tell whether a game may have it twice; the others tell the game."""


def _unnamed(contestants: pa.Table) -> pa.Table:
    """Return contestants that only say which of their players there are, not who these are."""
    who = [name for name in contestants.column_names if _WHO.fullmatch(name)]
    unnamed = contestants.drop_columns(who)
    for name in who:
        if name.startswith("player"):
            missing = contestants[name].is_null().to_numpy() if contestants[name].null_count else None
            there = pa.array(np.zeros(contestants.num_rows, np.int8), mask=missing)
            unnamed = unnamed.append_column(name, pa.DictionaryArray.from_arrays(there, [UNNAMED]))
    return unnamed


def _frame(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame; the categories of its columns stay Arrow's texts, as there may be many of them."""
    texts = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
    frame = plain_frame(table.drop_columns(texts))
    for name in texts:
        column = table[name].combine_chunks()
        codes, categories = column.indices.fill_null(-1).to_numpy(), pd.Index(column.dictionary.to_pandas())
        frame[name] = pd.Categorical.from_codes(codes, categories)
    return frame


def games_of_part(archive: Store, part: ArchivePart) -> pd.DataFrame:
    """Return the games of one part that count; raises InputError where it is missing or damaged."""
    return GAMES.conform(plain_frame(_declared(opened(archive, part))))


def _declared(file: GameFile) -> pa.Table:
    return file.games([name for name in file.columns["games"] if GAMES.column(name)])


def part_tables(archive: Store, part: ArchivePart) -> tuple[pa.Table, pa.Table, Origin]:
    """Return the games and contestants of one part that count: the columns that awards, and who won them, depend on and
    that have any value; and which file they are of.
    """
    file = opened(archive, part)
    read = [name for name in file.columns["contestants"] if CONTESTANTS.column(name) and not _UNREAD.fullmatch(name)]
    contestants = file.contestants(read, [name for name in read if _TEXTS.fullmatch(name)])
    return _declared(file), contestants, Origin(part.name, file.sha256)


_MOST = 50
"""This many games at fault are told from others one by one; with more, whole groups of games fail with them."""


def award_sound(sheet: Sheet) -> tuple[AwardedResult, dict[str, list[Problem]]]:
    """Award those games that can be, like :func:`resultproc.stages.pipeline.award_each`, but let no error end it."""
    mistaken: dict[str, list[Problem]] = {}

    def award(names: Sequence[str]) -> tuple[AwardedResult, dict[str, list[Problem]]]:
        return award_each(sheet if len(names) == len(sheet.games) else keep_games(sheet, names))

    def note(names: Sequence[str], error: Exception) -> None:
        found = [(each["what"], each["code"]) for each in resultproc_error(error).as_dicts()]
        mistaken.update({name: [Problem(what, game=name, code=code) for what, code in found] for name in names})

    names = sheet.games["game_id"].tolist()
    awarded = by_halves(names, award, note, Exception, fatal=(MemoryError,), most=_MOST)
    if not mistaken:
        return awarded[0]
    result, wrong = award([name for name in names if name not in mistaken])
    return result, wrong | mistaken
