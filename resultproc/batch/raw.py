"""The columns of the Parquet files themselves, for whoever reads them with other programs: type, meaning and unit.

The unit is in the metadata of the field, too: masterpoints are whole hundredths there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import pyarrow as pa

from resultproc.batch.views import VIEWS, View, ViewColumn
from resultproc.model.columns import Column
from resultproc.model.frames import COLOURS, CONTESTANTS, GAMES, Frame
from resultproc.model.values import AWARD
from resultproc.reports.summary.awarded import POINTS, SUMS

UNIT = "unit"
"""The entry of a field's metadata that says in what its values are."""

_HUNDREDTHS = "hundredths of a masterpoint"

_TYPES = {
    "str": "VARCHAR",
    "float64": "DOUBLE",
    "Int64": "BIGINT",
    "int32": "INTEGER",
    "boolean": "BOOLEAN",
    "bool": "BOOLEAN",
    "datetime64[s]": "TIMESTAMP",
}

_SAID = {view.name: {column.name: column.meaning for column in view.columns} for view in VIEWS.values()}
"""The meanings of the columns of the views."""

_CALLED = {"position": "place", "size": "group_size", "stratum": "paid_stratum"}
"""What the views call columns of awards, where that is otherwise."""

_GAMES = Column("games", "Int64", "how many games")
_CONTESTANTS = Column("contestants", "Int64", "how many pairs, teams and individuals")


def _points(name: str, meaning: str, dtype: str = "int32") -> Column:
    return Column(name, dtype, meaning, unit=_HUNDREDTHS)


def _named() -> Iterator[Column]:
    """Yield the columns that name a contestant."""
    for name in ("game_id", "section", "direction", "number"):
        yield Column(name, "str", _SAID["contestants"][name])


def _placed(*names: str) -> Iterator[Column]:
    """Yield columns that say what an award is paid for."""
    for name in names:
        number = name in {"position", "tied", "size"}
        yield Column(name, "int32" if number else "str", _SAID["awards"][_CALLED.get(name, name)])


def _paid(view: str) -> Iterator[Column]:
    """Yield the columns of awards."""
    yield from _named()
    yield from (_points(name, _SAID[view][name]) for name in ("masterpoints", *COLOURS))
    yield from _placed("basis", "stratum", "rule", "position", "tied", "size", "rulebook")


def _stored(column: Column) -> Column:
    """Return a column of the contestants as it is kept: masterpoints that were won in hundredths."""
    return replace(column, unit=_HUNDREDTHS) if column.kind is AWARD else column


def _said_of_games() -> Iterator[Column]:
    """Yield the columns of what is wrong with games, or doubtful about them."""
    yield from (Column(name, "str", _SAID["problems"][name]) for name in ("game_id", "what", "where", "hint"))
    yield Column("source", "str", GAMES.declared("source").meaning)
    yield Column("code", "str", "what kind of problem or remark it is: its code")


FILES: Mapping[str, Frame] = {
    name: Frame(name, tuple(columns))
    for name, columns in {
        "games": (
            *GAMES.columns,
            *(Column(name, "str", _SAID["games"][name]) for name in ("id_in_source", "source_hash")),
            Column("content_hash", "str", "a hash of all that is said of the game"),
        ),
        "contestants": map(_stored, CONTESTANTS.columns),
        "awards": (*_paid("awards"), _points("printed", _SAID["awards"]["printed"])),
        "player_awards": (*_paid("players"), Column("player", "int32", "the number of the player: 1 for player1")),
        "candidates": (
            *_named(),
            *_placed("basis", "stratum", "rule"),
            Column("factors", "str", "the factors that went in"),
            *_placed("size", "position", "tied"),
            _points("masterpoints", "what it would pay"),
        ),
        "problems": _said_of_games(),
        "remarks": _said_of_games(),
        "by_club": (
            Column("club", "str", _SAID["games"]["club"]),
            _GAMES,
            _CONTESTANTS,
            _points("masterpoints", "what its games paid", "Int64"),
        ),
        "by_player": (
            *(Column(name, "str", _SAID["players"][name]) for name in ("player", "member")),
            _GAMES,
            _points("masterpoints", "what the player won", "Int64"),
        ),
        "summary": (
            Column("year", "Int64", "the year of the games, 0 for those without a date"),
            Column("rating", "str", _SAID["games"]["rating"]),
            Column("stratum", "str", "the lowest stratum that they are eligible for; of games, none"),
            *(
                _points(name, said, "Int64") if name in POINTS else Column(name, "Int64", said)
                for name, said in SUMS.items()
            ),
        ),
    }.items()
}
"""The columns of each kind of file: the folder that its parts are in."""


def with_units(kind: str, table: pa.Table) -> pa.Table:
    """Return a table of a kind, the units of its columns in the metadata of their fields."""
    units = {name: column.unit for name in table.column_names if (column := FILES[kind].column(name)) and column.unit}
    fields = [each.with_metadata({UNIT: units[each.name]}) if each.name in units else each for each in table.schema]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields, table.schema.metadata))


def as_views() -> Iterable[View]:
    """Return the files as the lists of columns have views."""
    for kind, frame in FILES.items():
        columns = (ViewColumn(each.name, _TYPES[each.dtype], each.described, "") for each in frame.columns)
        yield View(f"{kind}/*.parquet", "", tuple(columns), "")
