"""An archive under a rulebook: every part ranked and awarded, on one machine or a Dask cluster, and summed up."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from resultproc.batch.store import Store
from resultproc.batch.where import matching, parse
from resultproc.errors import InputError, OutputError
from resultproc.frames import COLOURS, CONTESTANTS, GAMES, MAX_SESSIONS, Result, Sheet
from resultproc.pipeline import award_each

_NEEDED = [
    "game_id",
    "section",
    "direction",
    "number",
    "stratum",
    "eligible",
    "score",
    "percentage",
    "carryover",
    "handicap",
    "playoff",
    "printed_award",
]
_FAMILIES = ("mp{n}", "session{n}", "section{n}", "direction{n}", "round{n}")
_NAMED = ["game_id", "section", "direction", "number"]
_TEXTS = ["game_id", "section", "direction", "number", "stratum"]
"""The contestants' columns that awards depend on, those that name a contestant, and those that come as categories."""

SETTINGS = "settings.json"


@dataclass(frozen=True)
class Task:
    """What is done with every part: archive and output, the rulebook (None: that of the day), which games."""

    archive: str
    output: str
    rules: str | None = None
    where: str = ""


def reprocess(task: Task, run: Callable[[Callable[[str], object], list[str]], object]) -> pd.DataFrame:
    """Award an archive; return the summary: one row per year, rating and stratum.

    run: calls a function for each of some parts, here or elsewhere, see :mod:`resultproc.batch.cluster`. Parts that
    an earlier run with the same settings has done are not done again. For each part the output gets ``awards``,
    ``candidates``, ``problems`` (games that could not be awarded, and why) and last ``summary``.
    Raises InputError for an archive without games and a condition that cannot be read, OutputError for an output
    folder that holds a run with other settings.
    """
    parse(task.where)
    archive, output = Store(task.archive), Store(task.output)
    parts = archive.parts("games")
    if not parts:
        raise InputError("there are no games in this archive", hint="add some with: archive add IN --to ARCHIVE")
    settings = json.dumps({**asdict(task), "output": ""}, indent=1)
    before = output.read_text(SETTINGS)
    if before is not None and before != settings:
        raise OutputError("this folder holds a run with other settings", hint="choose another folder", file=task.output)
    output.write_text(SETTINGS, settings)
    done = set(output.parts("summary"))
    run(PartRun(task), [part for part in parts if part not in done])
    return summed([output.read("summary", part).to_pandas() for part in output.parts("summary")])


@dataclass(frozen=True)
class PartRun:
    """The work on one part, to be sent to wherever it is done."""

    task: Task

    def __call__(self, part: str) -> None:
        """Read, award and write one part; its summary is written last, so that a part without one is done again."""
        archive, output = Store(self.task.archive), Store(self.task.output)
        sheet = read_part(archive, part, self.task.where)
        games = sheet.games
        ruled = (
            games.assign(rulebook=pd.Series(self.task.rules, games.index, dtype="str")) if self.task.rules else games
        )
        result, wrong = award_each(Sheet(ruled, sheet.contestants))
        output.write_table("awards", part, awards_table(result))
        output.write_table("candidates", part, candidates_table(result))
        problems = [
            {"game_id": game, "what": each.what, "where": each.where, "hint": each.hint}
            for game, found in wrong.items()
            for each in found
        ]
        output.write(
            "problems", part, pd.DataFrame(problems, columns=["game_id", "what", "where", "hint"], dtype="str")
        )
        in_force = award_each(sheet)[0] if self.task.rules else result
        output.write("summary", part, summary(result, in_force, len(wrong)))


def read_part(archive: Store, part: str, where: str = "") -> Sheet:
    """Return the games of one part that fulfil a condition, with the columns that awards depend on."""
    games, contestants = (table.to_pandas() for table in read_tables(archive, part))
    games = GAMES.conform(games)
    terms = parse(where)
    if terms:
        kept = matching(games, terms)
        games = games[kept].reset_index(drop=True)
        contestants = contestants[contestants["game_id"].isin(games["game_id"])].reset_index(drop=True)
    return Sheet(games, CONTESTANTS.conform(contestants))


def read_tables(archive: Store, part: str) -> tuple[pa.Table, pa.Table]:
    """Return the games and contestants of one part: the columns that awards depend on."""
    columns = [*_NEEDED, *(f.replace("{n}", str(n)) for f in _FAMILIES for n in range(1, MAX_SESSIONS + 1))]
    games = archive.read("games", part, [column.name for column in GAMES.columns])
    return games, archive.read("contestants", part, columns, _TEXTS)


def awards_table(result: Result) -> pa.Table:
    """Return the awards beside what names their contestants: basis, stratum and rule of the winning candidate."""
    awards, candidates = _awards_of(result), result.candidates
    columns = {name: pa.array(result.contestants[name]) for name in _NAMED}
    for name in ("masterpoints", *COLOURS):
        columns[name] = pa.array(awards[name].to_numpy(), pa.int32())
    winner = awards["candidate"].to_numpy()
    for name in ("basis", "stratum", "rule"):
        columns[name] = _taken(candidates[name], winner)
    columns["printed"] = pa.array(result.contestants["printed_award"], pa.int32())
    return pa.table(columns)


def candidates_table(result: Result) -> pa.Table:
    """Return the candidates beside what names their contestants."""
    candidates = result.candidates
    of = result.contestants[_NAMED].iloc[candidates["contestant"]]
    columns = {name: pa.array(of[name]) for name in _NAMED}
    for name in ("basis", "stratum", "rule", "factors"):
        columns[name] = _taken(candidates[name], np.arange(len(candidates)))
    for name in ("size", "position", "tied", "masterpoints"):
        columns[name] = pa.array(candidates[name].to_numpy(), pa.int32())
    return pa.table(columns)


def _taken(values: pd.Series[str], rows: np.ndarray) -> pa.Array:
    """Return the categories of some rows, null for -1, without spelling them out."""
    codes = np.append(values.cat.codes.to_numpy(), np.int8(-1))[rows]
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int32), mask=codes < 0), pa.array(values.cat.categories.astype("object"), pa.string())
    )


def _awards_of(result: Result) -> pd.DataFrame:
    if result.awards is None:
        raise ValueError("only what was awarded can be written")
    return result.awards


MEASURES = ["games", "contestants", "paid", "masterpoints", "printed", "printed_agree", "printed_masterpoints"]
COMPARED = ["in_force", "in_force_masterpoints", "changed"]


def summary(result: Result, in_force: Result, failed: int) -> pd.DataFrame:
    """Return sums per year, rating and stratum: one row each, the masterpoints in hundredths.

    ``printed`` contestants of games that print awards, ``printed_agree`` those whose award is the computed one.
    in_force: the same games under the rulebook of their day, where it covers them: ``in_force`` contestants awarded
    under both, ``changed`` those whose award differs.
    failed: games that could not be awarded; they stand in a row of their own without a rating.
    """
    awards, contestants = _awards_of(result), result.contestants
    game = awards["game"].to_numpy()
    printed = contestants["printed_award"]
    prints = printed.notna().groupby(game).transform("any").to_numpy(dtype=bool)
    award = awards["masterpoints"].to_numpy()
    other = _other_awards(result, in_force)
    year = result.games["date"].dt.year.fillna(0).astype("int64").to_numpy()
    kind, kinds = pd.factorize(pd.MultiIndex.from_arrays([year, result.games["rating"].astype("str")]))
    stratum = contestants["stratum"].astype("category")
    cell = kind[game] * len(stratum.cat.categories) + stratum.cat.codes.to_numpy()
    sums = {
        "contestants": np.ones(len(cell)),
        "paid": award > 0,
        "masterpoints": award,
        "printed": prints,
        "printed_agree": prints & (printed.fillna(0).to_numpy(dtype=np.int64) == award),
        "printed_masterpoints": printed.fillna(0).to_numpy(dtype=np.int64),
        "in_force": other >= 0,
        "in_force_masterpoints": np.maximum(other, 0),
        "changed": (other >= 0) & (other != award),
    }
    rows = pd.MultiIndex.from_product([range(len(kinds)), stratum.cat.categories])
    of_strata = pd.DataFrame({name: np.bincount(cell, values, len(rows)) for name, values in sums.items()})
    of_strata = _named(rows.get_level_values(0), kinds).assign(stratum=rows.get_level_values(1)).join(of_strata)
    of_games = _named(range(len(kinds)), kinds).assign(stratum="", games=np.bincount(kind, minlength=len(kinds)))
    failures = pd.DataFrame({"year": [0], "rating": [""], "stratum": [""], "failed": [failed]})
    parts = [of_strata[of_strata["contestants"] > 0], of_games, failures[failures["failed"] > 0]]
    return summed([part for part in parts if len(part)])


def _named(kind: Any, kinds: pd.Index[Any]) -> pd.DataFrame:
    return pd.DataFrame({name: kinds.get_level_values(i).take(kind) for i, name in enumerate(KEYS[:2])})


KEYS = ["year", "rating", "stratum"]


def _other_awards(result: Result, in_force: Result) -> np.ndarray:
    """Return each contestant's award in another result of the same archive part, -1 for a game that is not there."""
    if in_force is result:
        return _awards_of(result)["masterpoints"].to_numpy()
    names = [frame.contestants[_NAMED].astype("str").fillna("") for frame in (result, in_force)]
    awards = names[1].assign(award=_awards_of(in_force)["masterpoints"].to_numpy())
    return np.asarray(names[0].merge(awards, "left", _NAMED)["award"].fillna(-1), dtype=np.int64)


def summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several summaries, by year, rating and stratum."""
    frame = pd.concat([pd.DataFrame(columns=[*KEYS, *MEASURES, *COMPARED, "failed"]), *parts])
    return frame.astype(dict.fromkeys([*MEASURES, *COMPARED, "failed"], "Int64")).groupby(KEYS, as_index=False).sum()
