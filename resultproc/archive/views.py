"""What an archive can be asked in SQL: views made for people, each column declared with its type and meaning.

The columns of games and contestants follow from their declarations. A view is made of the tables that are needed for
the columns that a query names, and no others. The columns of the Parquet files themselves are declared here, too, for
whoever reads them with other programs: their units, such as hundredths of a masterpoint, are in the metadata of the
fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa

from resultproc.archive.where import WHERE_COLUMNS, is_number
from resultproc.model.columns import CONTESTANT_COLUMNS, Column
from resultproc.model.frames import COLOURS, CONTESTANT_KEY, CONTESTANTS, GAMES, Frame
from resultproc.model.values import AWARD_KIND
from resultproc.reports.summary import MASTERPOINT_SUMS, SUMS

MASTERPOINTS = "DECIMAL(12,2)"

PERSONS, HISTORY, RANKINGS, REMARKS = "persons", "history", "standings", "remarks"
"""Views of what no part has, or not all of: it is made when it is asked for."""

CLUB_NOW, ADDED = "club_now", "added"
"""Columns of games that are made when they are asked for."""

PERSON = "person"
USUAL_NAME, USUAL_NUMBER, UNSURE = "usual_name", "usual_number", "unsure"
OF_PERSONS = (PERSON, USUAL_NAME, USUAL_NUMBER, UNSURE)
"""Columns of contestants that are made when they are asked for, one for each player: ``person1``, ``usual_name1``."""

TWICE, ROW = "twice", "row"
"""More of them: whether somebody of these is entered twice in the game, and the contestant's row in its part."""

_TYPES = {
    "str": "VARCHAR",
    "float64": "DOUBLE",
    "Int64": "BIGINT",
    "int32": "INTEGER",
    "boolean": "BOOLEAN",
    "bool": "BOOLEAN",
    "datetime64[s]": "TIMESTAMP",
    "date": "DATE",
    "time": "TIMESTAMP WITH TIME ZONE",
    "nested": "STRUCT(...)[]",
}
"""The types of columns as SQL has them."""

_USES = re.compile(r"\b([gcasptdrwh])\.(\w+)")
"""A column of a table in the SQL of a view: g.club."""

_SAME = " AND ".join(f"{{1}}.{name} IS NOT DISTINCT FROM {{0}}.{name}" for name in ("section", "direction", "number"))
_JOINS = {
    "g": "JOIN the_games g ON g.game_id = {0}.game_id",
    "c": f"JOIN the_contestants c ON c.game_id = {{0}}.game_id AND {_SAME.format('{0}', 'c')}",
    "a": f"JOIN the_awards a ON a.game_id = {{0}}.game_id AND {_SAME.format('{0}', 'a')}",
    "s": f"LEFT JOIN the_player_awards s ON s.game_id = {{0}}.game_id AND {_SAME.format('{0}', 's')} AND s.player = n",
}
"""What is joined to the table that a view has a row for each row of, by its letter."""

PART_TABLES = {
    "g": "games",
    "c": "contestants",
    "a": "awards",
    "s": "player_awards",
    "p": "problems",
    "d": "candidates",
    "t": RANKINGS,
    "r": REMARKS,
    "w": PERSONS,
    "h": HISTORY,
}
"""The kinds of parts that the letters in the views' SQL stand for."""


@dataclass(frozen=True)
class ViewColumn:
    """A column of a view, or a family of columns: one for each player, session or round."""

    name: str  # with ``{n}`` in it for a family
    type: str  # its type in SQL
    meaning: str  # what it says, in words
    sql: str  # what it is made of, with the letters of :data:`PART_TABLES`; with ``{n}`` in it for a family

    @property
    def numbered(self) -> bool:
        """Whether the name stands for a family: player1, player2, ..."""
        return "{n}" in self.name

    @property
    def shown(self) -> str:
        """The name as lists have it."""
        return f"{self.name.format(n=1)}, {self.name.format(n=2)}, ..." if self.numbered else self.name


@dataclass(frozen=True)
class View:
    """A view of the archive."""

    name: str  # what queries call it
    meaning: str  # what each of its rows is, in words
    columns: tuple[ViewColumn, ...]  # in the order in which it shows them
    of: str  # the letter of the table, in :data:`PART_TABLES`, that it has a row for each row of

    def expanded(self, players: int, there: Iterable[str]) -> View:
        """Return the view with its families as columns: of those of the contestants that are there."""
        names = sorted(there, key=lambda name: (len(name), name))
        return replace(self, columns=tuple(each for column in self.columns for each in _each(column, players, names)))

    def sql(self, wanted: Callable[[str], bool], players: int) -> str:
        """Return the SQL of the view with the wanted columns alone."""
        columns = [column for column in self.columns if wanted(column.name)] or [self.columns[0]]
        listed = ", ".join(f'CAST({column.sql} AS {column.type}) AS "{column.name}"' for column in columns)
        used = {letter for column in columns for letter, _ in _USES.findall(column.sql)} - {self.of}
        rows, where = f"the_{PART_TABLES[self.of]} {self.of}", ""
        if self.name == "players":
            used |= {"c", "s"}
            rows += f" CROSS JOIN generate_series(1, {players}) AS numbers(n)"
            there = f"({_nth('player', players)} IS NOT NULL OR {_nth('id', players)} IS NOT NULL)"
            seat = "a.section, a.direction, a.number, n"
            # To compare all rows would take longer than all else: only those of who is there twice are.
            where = (
                f" WHERE {there} AND (c.{ROW}, n) NOT IN (SELECT (c.{ROW}, n)"  # noqa: S608 - it is ours throughout
                f" FROM {rows} {_joined('cs', self.of)} WHERE {there} AND c.{TWICE} QUALIFY row_number() OVER ("
                f"PARTITION BY a.game_id, coalesce({_nth(PERSON, players)}, concat({seat}))"
                " ORDER BY coalesce(s.masterpoints, a.masterpoints) DESC, c.percentage DESC NULLS LAST,"
                f" {seat}) > 1) ORDER BY c.{ROW}, n"
            )
        return f"SELECT {listed} FROM {rows} {_joined(used, self.of)}{where}"  # noqa: S608 - it is ours throughout


def _joined(letters: Iterable[str], of: str) -> str:
    """Return what joins tables, by their letters, to that which a view has a row for each row of."""
    return " ".join(_JOINS[letter].format(of) for letter in "gcas" if letter in letters)


def uses(sql: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the column of all that a view's SQL takes."""
    for letter, column in _USES.findall(sql):
        yield PART_TABLES[letter], column


def _each(column: ViewColumn, players: int, there: list[str]) -> Iterator[ViewColumn]:
    if "{names}" in column.sql:
        names = ", ".join(f"c.player{n}" for n in range(1, players + 1))
        yield replace(column, sql=f"concat_ws(' - ', {names})" if names else "NULL")
    elif "{nth " in column.sql:
        yield replace(column, sql=_nth(column.sql[5:-1], players))
    elif column.name == f"{PERSON}{{n}}":
        for n in range(1, players + 1):
            yield replace(column, name=f"{PERSON}{n}", sql=f"c.{PERSON}{n}")
    elif column.numbered:
        (family,) = (each for each in CONTESTANT_COLUMNS if each.name == column.name)
        for name in filter(family.matches, there):
            yield replace(column, name=name, sql=column.sql.replace(column.name, name))
    else:
        yield column


def _nth(family: str, players: int) -> str:
    cases = " ".join(f"WHEN {n} THEN c.{family}{n}" for n in range(1, players + 1))
    return f"CASE n {cases} END" if cases else "NULL"


def _points(sql: str) -> str:
    return f"{sql} * 0.01::DECIMAL(3,2)"


def _of_games(name: str) -> ViewColumn:
    column = GAMES.declared(name)
    kind = "DATE" if name == "date" else "DOUBLE" if is_number(name) and column.dtype == "str" else _type(column)
    meaning = "the tables in play, the total of all sections" if name == "tables" else column.meaning
    return ViewColumn(name, kind, meaning, f"g.{name}")


def _type(column: Column) -> str:
    return MASTERPOINTS if column.kind is AWARD_KIND else _TYPES[column.dtype]


def _of_contestants(column: Column) -> ViewColumn:
    sql = f"c.{column.name}"
    return ViewColumn(column.name, _type(column), column.described, _points(sql) if column.kind is AWARD_KIND else sql)


LEAGUE = "league"
"""A column of awards and games that is made when it is asked for."""

_WHOSE = ViewColumn(LEAGUE, "VARCHAR", "the league whose points they are: no sum has those of two", f"a.{LEAGUE}")


_GAME = {name: _of_games(name) for name in WHERE_COLUMNS}
_GAME["game_id"] = replace(_GAME["game_id"], meaning="the game's id, the same in every view")
_GAME[LEAGUE] = replace(_WHOSE, sql=f"g.{LEAGUE}")
_GAME[CLUB_NOW] = ViewColumn(CLUB_NOW, "VARCHAR", "what aliases.csv calls the club now, else its name", f"g.{CLUB_NOW}")
_GAME[ADDED] = ViewColumn(ADDED, "TIMESTAMP", "when it came into the archive, in UTC", f"g.{ADDED}")
_CONTESTANT = {column.name: _of_contestants(column) for column in CONTESTANT_COLUMNS}
_CONTESTANT["game_id"] = replace(_CONTESTANT["game_id"], meaning=_GAME["game_id"].meaning)


def _paid(whose: str, award: Callable[[str], str]) -> Iterator[ViewColumn]:
    """Yield the columns of awards. whose: who gets them. award: how a column of the award is asked for."""
    yield ViewColumn("rulebook", "VARCHAR", "the rulebook that it was awarded under", "a.rulebook")
    yield ViewColumn("masterpoints", MASTERPOINTS, f"the {whose} award", _points(award("masterpoints")))
    for colour in COLOURS:
        yield ViewColumn(colour, MASTERPOINTS, f"the {colour} points in it", _points(award(colour)))
    yield from _paid_for("a")


def _paid_for(of: str) -> Iterator[ViewColumn]:
    """Yield the columns that say what an award is paid for. of: the letter of the table that says so."""
    yield ViewColumn("basis", "VARCHAR", "what was compared for it, such as section or overall", f"{of}.basis")
    yield ViewColumn("paid_stratum", "VARCHAR", "the stratum that pays it", f"{of}.stratum")
    yield ViewColumn("place", "BIGINT", "the place that pays it; empty where there is no award", f"{of}.position")
    yield from _shared(of)
    yield ViewColumn("rule", "VARCHAR", "the rule that sets it: document and place", f"{of}.rule")


def _shared(of: str) -> Iterator[ViewColumn]:
    """Yield the columns that say who else was compared for a place. of: the letter of the table that says so."""
    yield ViewColumn("tied", "BIGINT", "how many share that place, itself included", f"{of}.tied")
    yield ViewColumn("group_size", "BIGINT", "how many contestants were compared", f"{of}.size")


def _played(of: str = "a") -> Iterator[ViewColumn]:
    """Yield the columns that name a contestant and its game. of: the letter of the table that names them."""
    for name in ("date", "club", CLUB_NOW, "event", "session", "rating"):
        yield _GAME[name]
    for name in CONTESTANT_KEY:
        yield replace(_CONTESTANT[name], sql=f"{of}.{name}")


def _said(of: str) -> Iterator[ViewColumn]:
    """Yield the columns of what is said of games. of: the letter of the table that has it."""
    yield from (_GAME[name] for name in ("date", "club", CLUB_NOW, "event", "session", "rating", "source"))
    yield replace(_GAME["game_id"], sql=f"{of}.game_id")
    yield from (ViewColumn(name, "VARCHAR", meaning, f"{of}.{name}") for name, meaning in _PROBLEM.items())


_OF_FILE = (
    ViewColumn("id_in_source", "VARCHAR", "the game's id in its file", "g.id_in_source"),
    ViewColumn("source_hash", "VARCHAR", "the SHA-256 of that file", "g.source_hash"),
)

_PROBLEM = {
    "what": "what is wrong or doubtful",
    "where": "the line or cell",
    "hint": "what would be right",
    "code": "what programs know the problem or remark by",
    "rows": "as JSON, where and what each row is, if there are several",
}

_PERSON = {
    "person": "the person's key: the member number in digits, else the name",
    "player": "the name that most games have",
    "member": "the member number, as most games have it",
    "spellings": "the names that the games have, most games first",
    "games": "in how many games the person is listed",
    "first_year": "the year of the first of them",
    "last_year": "the year of the last of them",
    "clubs": "the clubs of them, most games first",
    "unsure": "in how many of them somebody should decide who it is: archive persons --unsure",
}

NUMBERS = ("games", "first_year", "last_year", "unsure")
"""The columns of persons that are whole numbers."""

_VERSION = {
    ADDED: "when it came, in UTC",
    "state": "current, replaced or removed",
    "since": "when it was replaced or removed, in UTC",
    "id": "its id: game_id of the view games, which has those that count",
    "replaced_by": "the id of the version that replaced it",
}

_NAMES = ViewColumn("names", "VARCHAR", "the names of its players: Ann Lee - Bob Ray", "{names}")

VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View(
            "awards",
            "a row for each pair, team or individual in a game that was awarded",
            (
                *_played(),
                _NAMES,
                _CONTESTANT["stratum"],
                _CONTESTANT["score"],
                _CONTESTANT["percentage"],
                *_paid("contestant's", lambda name: f"a.{name}"),
                ViewColumn("printed", MASTERPOINTS, "the award that the sheet prints", _points("a.printed")),
                _WHOSE,
            ),
            "a",
        ),
        View(
            "players",
            "a row for each player of each game: who is entered twice in it has the better result",
            (
                ViewColumn("player", "VARCHAR", "the player's name, as most games have it", "{nth usual_name}"),
                ViewColumn("member", "VARCHAR", "the member number, as most games have it", "{nth usual_number}"),
                ViewColumn(PERSON, "VARCHAR", "who that is, however written: the key of persons", "{nth person}"),
                ViewColumn("unsure", "BOOLEAN", "whether somebody should decide who that is", "{nth unsure}"),
                *_played(),
                _NAMES,
                _CONTESTANT["stratum"],
                _CONTESTANT["percentage"],
                *_paid("player's", lambda name: f"coalesce(s.{name}, a.{name})"),
                _WHOSE,
            ),
            "a",
        ),
        View(
            "games",
            "a row for each game of the archive, with what is declared of it",
            (
                *_GAME.values(),
                *_OF_FILE,
            ),
            "g",
        ),
        View(
            "candidates",
            "a row for each place that pays a contestant something; the one that pays most is the award",
            (
                *_played("d"),
                _NAMES,
                ViewColumn("masterpoints", MASTERPOINTS, "what it would pay", _points("d.masterpoints")),
                *_paid_for("d"),
                ViewColumn("factors", "VARCHAR", "the factors that went in", "d.factors"),
                _WHOSE,
            ),
            "d",
        ),
        View(
            RANKINGS,
            "a row for each place of a contestant, paid or not: in its section and overall, in each stratum it is in",
            (
                *_played("t"),
                _NAMES,
                _CONTESTANT["stratum"],
                _CONTESTANT["score"],
                _CONTESTANT["percentage"],
                ViewColumn("basis", "VARCHAR", "what was compared, such as section or overall", "t.basis"),
                ViewColumn("ranked_stratum", "VARCHAR", "the stratum that it is ranked in; A is the top", "t.stratum"),
                ViewColumn("place", "BIGINT", "its place there", "t.position"),
                *_shared("t"),
            ),
            "t",
        ),
        View("problems", "a row for each thing that kept a game from being awarded", tuple(_said("p")), "p"),
        View(
            REMARKS,
            "a row for each doubt about a game that was awarded, or that the archive may have twice",
            tuple(_said("r")),
            "r",
        ),
        View(
            "contestants",
            "a row for each pair, team or individual as it was read",
            (
                *_CONTESTANT.values(),
                ViewColumn(f"{PERSON}{{n}}", "VARCHAR", "who the player is, however written: the key of persons", ""),
                _GAME[LEAGUE],
            ),
            "c",
        ),
        View(
            PERSONS,
            "a row for each person of the archive",
            tuple(
                ViewColumn(name, "BIGINT" if name in NUMBERS else "VARCHAR", meaning, f"w.{name}")
                for name, meaning in _PERSON.items()
            ),
            "w",
        ),
        View(
            HISTORY,
            "a row for each version of a game that the archive ever had",
            (
                *(replace(_GAME[name], sql=f"h.{name}") for name in ("date", "club", "event", "source")),
                *(replace(each, sql=f"h.{each.name}") for each in _OF_FILE),
                *(
                    ViewColumn(name, "TIMESTAMP" if name in (ADDED, "since") else "VARCHAR", meaning, f"h.{name}")
                    for name, meaning in _VERSION.items()
                ),
            ),
            "h",
        ),
    )
}
"""Every view, by its name."""

_UNIT = "unit"
"""The entry of a field's metadata that says the unit of its values."""

_HUNDREDTHS = "hundredths of a masterpoint"


_COLUMNS = {view.name: {column.name: column for column in view.columns} for view in VIEWS.values()}

_CALLED = {"position": "place", "size": "group_size", "stratum": "paid_stratum"}
"""What the views call columns of awards, where that is otherwise."""


def _hundredths(name: str, meaning: str, dtype: str = "int32") -> Column:
    return Column(name, dtype, meaning, unit=_HUNDREDTHS)


def _as_in(view: str, *names: str) -> Iterator[Column]:
    """Yield columns of files that a view has, too: numbers are small there, and masterpoints in hundredths."""
    for name in names:
        told = _COLUMNS[view][_CALLED.get(name, name)]
        number = Column(name, "int32" if told.type == "BIGINT" else "str", told.meaning)
        yield _hundredths(name, told.meaning) if told.type == MASTERPOINTS else number


_OF_AWARDS = (
    *(*CONTESTANT_KEY, "masterpoints", *COLOURS),
    *("basis", "stratum", "rule", "position", "tied", "size", "rulebook"),
)
_OF_CANDIDATES = (*CONTESTANT_KEY, "basis", "stratum", "rule", "factors", "size", "position", "tied", "masterpoints")
_OF_PROBLEMS = ("game_id", "source", *_PROBLEM)

FILES: Mapping[str, Frame] = {
    name: Frame(name, tuple(columns))
    for name, columns in {
        "games": (
            GAMES.declared("game_id"),
            Column("added", "time", "when this version of the game was added"),
            Column("valid_from", "time", "from when it counts; empty where nobody knows"),
            Column("valid_until", "time", "until when it counted; empty while it counts"),
            Column("why", "str", "why it counts no more: replaced or removed"),
            *(column for column in GAMES.columns if column.name not in {"game_id", "date"}),
            Column("date", "date", GAMES.declared("date").meaning),
            *_as_in("games", "id_in_source", "source_hash"),
            Column("content_hash", "str", "a hash of all that is said of the game"),
            Column("results", "str", "what is the same for games with the same players and scores"),
            Column("may_be", "str", "the game_id of a game that it may be the same as, when it came"),
            Column("contestants_hash", "Int64", "a hash of the contestants, with which 'archive verify' compares them"),
            Column("hash", "Int64", "a hash of all other columns, in the same way"),
            Column("contestants", "nested", "the pairs, teams or individuals, each with the columns below"),
        ),
        # Masterpoints that were won are kept in hundredths. Whose game it is, the row says that they are nested in.
        "contestants": (
            replace(each, unit=_HUNDREDTHS) if each.kind is AWARD_KIND else each for each in CONTESTANTS.columns
        ),
        "awards": _as_in("awards", *_OF_AWARDS, "printed"),
        "player_awards": (
            *_as_in("players", *_OF_AWARDS),
            Column("player", "int32", "the number of the player: 1 for player1"),
        ),
        "candidates": _as_in("candidates", *_OF_CANDIDATES),
        "problems": _as_in("problems", *_OF_PROBLEMS),
        "remarks": _as_in("problems", *_OF_PROBLEMS),
        "summary": (
            Column("year", "Int64", "the year of the games, 0 for those without a date"),
            *_as_in("games", "rating"),
            Column("stratum", "str", "the lowest stratum that they are eligible for; of games, none"),
            *(
                _hundredths(name, said, "Int64") if name in MASTERPOINT_SUMS else Column(name, "Int64", said)
                for name, said in SUMS.items()
            ),
        ),
    }.items()
}
"""The columns of each kind of file: the folder that its parts are in."""


def with_units(kind: str, table: pa.Table) -> pa.Table:
    """Return a table of a kind, the units of its columns in the metadata of their fields."""
    units = {name: column.unit for name in table.column_names if (column := FILES[kind].column(name)) and column.unit}
    fields = [each.with_metadata({_UNIT: units[each.name]}) if each.name in units else each for each in table.schema]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields, table.schema.metadata))


def as_views() -> Iterable[View]:
    """Return the files as the lists of columns have views."""
    for kind, frame in FILES.items():
        columns = (ViewColumn(each.name, _TYPES[each.dtype], each.described, "") for each in frame.columns)
        name = "contestants of games/*.parquet" if kind == "contestants" else f"{kind}/*.parquet"
        yield View(name, "", tuple(columns), "")
