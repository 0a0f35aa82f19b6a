"""What the games of an archive would be paid with other values in their rulebooks, against what they are paid."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from resultproc.archive.reprocess import award_sound, read_part
from resultproc.archive.store import Store, awards_table, plain_frame
from resultproc.archive.table import ArchivePart, current_parts
from resultproc.model.errors import InputError, RulebookError
from resultproc.model.frames import CONTESTANT_KEY
from resultproc.model.whose_points import leagues_of
from resultproc.rulebooks.load import is_file, rulebook, with_values
from resultproc.stages.pipeline import keep_games

COLUMNS = ["year", "rating", "league", "games", "lower", "higher", "was", "would_be", "difference"]
"""A row for each year, rating and league: how many games were awarded again, how many awards of contestants are lower
or higher, and what all come to, in hundredths."""


def written_value(text: str) -> object:
    """Return what a user writes for a value, as TOML has it; a word needs no quotes. Numbers are exact."""
    try:
        return tomllib.loads(f"value = {text}", parse_float=Decimal)["value"]
    except tomllib.TOMLDecodeError:
        return text


def paid_otherwise(
    archive: Store, awarded: Store, values: Mapping[str, object], where: str
) -> tuple[pd.DataFrame, int]:
    """Return the columns of :data:`COLUMNS`, and how many games could not be awarded with the other values.

    awarded: what the games are paid. values: the new ones by their paths, or by what the paths of several begin with.
    where: which games. Raises InputError for a value that none of them goes by, and RulebookError for one of another
    kind.
    """
    idle = dict.fromkeys(values)
    with TemporaryDirectory(prefix="resultproc-") as folder:
        changed = cache(partial(_changed, values, idle, Path(folder)))
        parts = current_parts(archive)
        sums, failed = zip(*(_of_part(archive, awarded, part, changed, where) for part in parts), strict=True)
    if idle:
        hint = "'resultproc rules show ID' lists the values of a rulebook"
        raise InputError(f"no game that is meant goes by {' or '.join(idle)}", hint=hint)
    rows = pd.concat(sums).groupby(COLUMNS[:3], as_index=False, dropna=False).sum()
    return rows.assign(difference=rows["would_be"] - rows["was"])[COLUMNS], sum(failed)


def _changed(values: Mapping[str, object], idle: dict[str, None], folder: Path, book: str) -> str | None:
    """Write a rulebook with other values, and return its file; None for one that has none of these.

    idle: loses the names of those that it has.
    """
    new: dict[str, object] = {}
    for name, value in values.items():
        if found := [path for path in rulebook(book).entries if f"{path}.".startswith(f"{name}.")]:
            new |= dict.fromkeys(found, value)
            idle.pop(name, None)
    if not new:
        return None
    file = with_values(book, new, folder)
    try:
        rulebook(file)
    except RulebookError as error:
        own = str(Path(book).resolve()) if is_file(book) else book
        raise RulebookError(replace(problem, file=own, where="") for problem in error.problems) from None
    return file


def _of_part(
    archive: Store, awarded: Store, part: ArchivePart, changed: Callable[[str], str | None], where: str
) -> tuple[pd.DataFrame, int]:
    """Return a row for each game of a part that other values are for, and how many they give no awards."""
    sheet = read_part(archive, part, where)
    was = plain_frame(awarded.opened("awards", part.name).read([*CONTESTANT_KEY, "masterpoints", "rulebook"]))
    paid_by = sheet.games["game_id"].map(was.drop_duplicates("game_id").set_index("game_id")["rulebook"].astype("str"))
    files = paid_by.map(changed, na_action="ignore").astype("str")
    sheet = replace(sheet, games=sheet.games.assign(rulebook=files))
    result, wrong = award_sound(keep_games(sheet, sheet.games["game_id"][files.notna()]))
    both = was.merge(plain_frame(awards_table(result)), on=CONTESTANT_KEY, suffixes=("", "_would_be"))
    paid, would_be = both["masterpoints"], both["masterpoints_would_be"]
    of_games = pd.DataFrame(
        {
            "game_id": both["game_id"],
            "lower": would_be < paid,
            "higher": would_be > paid,
            "was": paid,
            "would_be": would_be,
        }
    )
    sums = of_games.groupby("game_id", as_index=False, observed=True).sum().assign(games=1)
    games = sheet.games.assign(year=sheet.games["date"].dt.year.astype("Int64"), league=leagues_of(sheet.games))
    return sums.merge(games[["game_id", *COLUMNS[:3]]], on="game_id").drop(columns="game_id"), len(wrong)
