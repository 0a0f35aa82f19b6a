"""From a reader's rows to the two frames: one game per file or per ``game_id``, and the checks that need all rows."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

import pandas as pd

from resultproc.formats.source import Source
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES, Sheet


def sheet_of(
    source: Source,
    contestants: pd.DataFrame,
    facts: pd.DataFrame | Mapping[str, object] | None = None,
    remarks: Iterable[Problem] = (),
) -> Sheet:
    """Return the sheet of the rows read from a source.

    contestants: the contestants frame's columns; without ``game_id`` all rows are one game, named after the file.
    facts: what the format itself says of the games, in the games frame's columns with ``game_id``, or of a single one,
    by column; where there are several, that is left out. remarks: on what is doubtful in the file.
    Raises InputError for a contestant that appears twice, or a row without the game_id that the others have.
    """
    contestants = contestants.copy()
    one_game = "game_id" not in contestants
    if one_game:
        contestants["game_id"] = source.stem
    elif contestants["game_id"].isna().any():
        lacking = contestants.loc[contestants["game_id"].isna(), "where"]
        raise InputError(
            Problem("this row has no game_id, but others do", where, "name the game in every row") for where in lacking
        )
    _refuse_duplicates(contestants, one_game)
    if not isinstance(facts, pd.DataFrame):
        known = facts if facts and one_game else {}
        facts = pd.DataFrame([{"game_id": game_id, **known} for game_id in contestants["game_id"].unique()])
    games = GAMES.conform(facts.assign(source=source.name))
    _check_rows(contestants)
    named = tuple(replace(remark, file=source.name) for remark in remarks)
    return Sheet(games, CONTESTANTS.conform(contestants.reset_index(drop=True)), named)


_APART = re.compile("[,;]")
"""What would end the name of a section where tables and movements are declared for each."""


def _check_rows(contestants: pd.DataFrame) -> None:
    """Raise InputError for rows of more players than there are columns, and for sections that cannot be declared."""
    beyond = [name for name in contestants if CONTESTANTS.column(str(name)) is None and _PLAYER.fullmatch(str(name))]
    many = contestants.loc[contestants[beyond].notna().any(axis=1), "where"] if beyond else ()
    problems = [
        Problem("this row names more than 99 players", each, "write a row for each contestant") for each in many
    ]
    names = contestants["section"].astype("str")
    wrong = {name for name in names.unique() if _APART.search(name)}
    problems += [
        Problem(f"invalid section: '{section}'", str(where), "write it without , and ;, such as A")
        for section, where in zip(names, contestants["where"], strict=True)
        if wrong and section in wrong
    ]
    if problems:
        raise InputError(problems)


_PLAYER = re.compile("(player|id|mp|played)[0-9]+")


def _refuse_duplicates(contestants: pd.DataFrame, one_game: bool) -> None:
    keys = [c for c in ("game_id", "section", "direction", "number") if c in contestants]
    again = contestants.duplicated(keys)
    if not again.any():
        return
    frame = contestants[keys].fillna("")
    first = contestants["where"].groupby([frame[c] for c in keys]).transform("first")[again]
    if one_game and again.sum() * 3 >= len(contestants):
        where = contestants.loc[again, "where"].iloc[0]
        hint = "add a column game_id that tells the games apart, or give each game its own file"
        if "direction" in contestants:
            what = "from here on the contestants repeat: this looks like several games"
            raise InputError(what, where, hint)
        hint = f"for N-S and E-W pairs add a column direction, or rows N-S and E-W above them; for several games {hint}"
        raise InputError("from here on the numbers begin again", where, hint)
    listed = contestants[again].iloc[:_MOST_TWICE].to_dict("records")
    raise InputError(
        Problem(f"contestant {_name(row)} appears twice, first in {before}", str(row["where"]), "keep one row for each")
        for before, row in zip(first, listed, strict=False)
    )


_MOST_TWICE = 10_000
"""Of a file with more rows that repeat others, no more are listed."""


def _name(row: Mapping[Hashable, object]) -> str:
    parts = [str(row["section"]), str(row["number"])]
    if "direction" in row and isinstance(row["direction"], str):
        parts.insert(1, row["direction"])
    return " ".join(parts)
