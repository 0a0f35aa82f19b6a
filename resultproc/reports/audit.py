"""What a league's office looks after: statements of masterpoints, and whether the clubs keep up.

:func:`audit` compares a statement with what games pay; :func:`health` says of each club what came, and what is wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd

from resultproc.formats.separated import delimiter_of
from resultproc.model.arrays import row_dicts
from resultproc.model.codes import EMPTY, UNREADABLE
from resultproc.model.column_names import DATED, columns_of_people, heading_word, meanings_of
from resultproc.model.dates import written_date
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.frames import COLOURS
from resultproc.model.game import leagues
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import number
from resultproc.model.provenance import Provenance
from resultproc.model.text import counted, is_nothing, tidy
from resultproc.model.whose_points import in_points
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report, markup, scale
from resultproc.pages.plot import AXIS_MARKS, Axes
from resultproc.pages.tables import Writers, table_lines
from resultproc.people.spelling import plain_club, plain_name, plain_number
from resultproc.reports.json_types import AllClubs, ArchiveHealth, AuditRow, DoubtfulGame, LateGame, RefusedFile, entry
from resultproc.reports.outcomes import place_in_game, played_between

_COLUMNS = ("date", "club", "event", "points", "colour", "player", "member")
_WORDS = {"day": "date", "clubname": "club", "eventname": "event", "game": "event", "color": "colour", "type": "colour"}
"""What the columns of a statement are called besides by their names, and by what headings call them in lists."""

UNSTATED, DOUBLED, DIFFERENT, PENDING, ELSEWHERE = "missing", "doubled", "different", "pending", "not here"
"""What is told: an award that the statement lacks, a line that is there again, a line with other points or another
colour, an award of a later day than the statement's last, and a line whose game the archive does not have."""

FOUND = [*AuditRow.__annotations__]


def read_statement(data: bytes, name: str) -> pd.DataFrame:
    """Return the lines of a statement, a CSV file: ``date``, ``points`` in hundredths, ``line``, and texts.

    Raises InputError for a column that is missing and for each cell that cannot be read.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this is not text in UTF-8", hint="save the statement as CSV in UTF-8", file=name) from None
    reader = csv.reader(io.StringIO(text), delimiter=delimiter_of(text.lstrip().partition("\n")[0]))
    lines = [(reader.line_num, cells) for cells in reader if any(map(str.strip, cells))] or [(1, [])]
    at = _header(*lines[0], name)
    problems: list[Problem] = []
    wider = [line for line, cells in lines if any(map(str.strip, cells[len(lines[0][1]) :]))]
    if wider:
        hint = "write points as 0.63, and a cell with a comma in quotes"
        raise InputError("this line has more cells than the first", f"line {wider[0]}", hint=hint, file=name)
    rows = [_line(cells, at, line, problems, name) for line, cells in lines[1:]]
    if len({bool(row["colour"]) for row in rows}) > 1:
        what, hint = "some lines have a colour and others have none", "give each a colour, or none"
        problems.append(Problem(what, hint=hint, file=name, code=UNREADABLE))
    if problems:
        raise InputError(problems)
    if not rows:
        raise InputError("this statement has no lines", file=name, code=EMPTY)
    return pd.DataFrame(rows)


def _header(line: int, cells: Sequence[str], name: str) -> dict[str, int]:
    """Return where each column is; InputError for one that is missing, or may be several."""
    said = [_column(cell, of_people) for cell, of_people in zip(cells, columns_of_people(cells), strict=True)]
    at = {column: [n for n, each in enumerate(said) if each == column] for column in _COLUMNS}
    what = [f"several columns may be the {column}" for column, found in at.items() if len(found) > 1]
    what += [f"there is no column '{column}'" for column in ("date", "points") if not at[column]]
    if what:
        raise InputError(what[0], f"line {line}", hint=f"the columns are {', '.join(_COLUMNS)}", file=name)
    return {column: found[0] for column, found in at.items() if found}


def _column(text: str, of_people: str | None) -> str:
    """Return what a heading means; of_people: as :func:`columns_of_people` says."""
    word = heading_word(text)
    if word in _COLUMNS or word in _WORDS:
        return _WORDS.get(word, word)
    if "award" in meanings_of(text):
        return "points"
    return "date" if word in DATED else {"player": "player", "id": "member"}.get(of_people or "", "")


def _line(cells: Sequence[str], at: dict[str, int], line: int, problems: list[Problem], name: str) -> dict[str, object]:
    said = {column: "" if n >= len(cells) or is_nothing(cells[n]) else tidy(cells[n]) for column, n in at.items()}
    row: dict[str, object] = {**dict.fromkeys(_COLUMNS, ""), **said, "line": line}
    for column, read in (("date", _day), ("points", _hundredths), ("colour", _colour)):
        try:
            row[column] = read(said.get(column, ""))
        except ValueError as error:
            problems.append(Problem(str(error), f"line {line}", file=name, code=UNREADABLE))
    return row


def _day(text: str) -> pd.Timestamp:
    return pd.Timestamp(written_date(text))


def _hundredths(text: str) -> int:
    points = round(number(text, 0, 100_000) * 100, 6)
    if points % 1:
        raise ValueError(f"invalid masterpoints: '{text}'; write them as 0.63")
    return int(points)


def _colour(text: str) -> str:
    """Return the colour that a text begins like; a letter is a colour of the first league that has one like it."""
    if not text:
        return ""
    for each in leagues().values():
        found = [colour for colour in each.points_colours if colour.startswith(text.lower())]
        if len(found) == 1:
            return found[0]
    raise ValueError(f"invalid colour: '{text}'; write {', '.join(COLOURS)}")


def of_one_league(statement: pd.DataFrame, awards: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the awards of the league that a statement is of, and the other leagues that some are of.

    It has all colours of the statement, if any has, and of these the most awards on its days; of equal ones it is the
    first.
    """
    there, colours = [name for name in leagues() if (awards["league"] == name).any()], set(statement["colour"]) - {""}
    fitting = [name for name in there if colours <= set(leagues()[name].points_colours)] or there
    of_days = awards.loc[awards["date"].isin(statement["date"]), "league"]
    own = max(fitting, key=lambda name: int((of_days == name).sum()))
    return awards[awards["league"] == own], [name for name in there if name != own]


@dataclass(frozen=True)
class Audit:
    """A statement compared with what games pay."""

    found: pd.DataFrame  # what is not as it should be, a row each, the columns of ``FOUND``; masterpoints are texts
    lines: int  # how many lines the statement has of these days
    agreed: int  # how many of these are what games pay
    first: date  # the first day that was compared
    last: date  # the last one

    def counts(self) -> dict[str, int]:
        """Return how often each is told."""
        counts = self.found["what"].value_counts()
        return {what: int(counts.get(what, 0)) for what in (UNSTATED, DOUBLED, DIFFERENT, PENDING, ELSEWHERE)}


def audit(statement: pd.DataFrame, awards: pd.DataFrame, first: date | None, last: date | None) -> Audit:
    """Return how a statement differs from what games pay.

    statement: as :func:`read_statement` gives it.
    awards: a row for each player of each game, with an award or without: ``person``, ``player``, ``member``, ``date``,
    ``club``, ``event``, ``league``, the same one for all, ``masterpoints`` and each colour in hundredths, ``place``,
    ``tied``, ``group_size``, ``basis`` and ``rule``.
    first, last: the days to compare; None for those of the statement's first and last line. Later awards are pending.
    """
    begin = pd.Timestamp(first) if first else statement["date"].min()
    end = pd.Timestamp(last) if last else statement["date"].max()
    lines = statement[statement["date"].between(begin, end)].reset_index(drop=True)
    awards = awards[awards["date"] >= begin].reset_index(drop=True)
    lines = lines.assign(person=_persons(lines, awards), league=awards["league"].iloc[0] if len(awards) else "")
    paid = awards.assign(colour="", points=awards["masterpoints"])
    if (lines["colour"] != "").any():
        # A row for each colour of an award, and one without a colour for an award of nothing.
        parts = [awards[awards[name] > 0].assign(colour=name, points=awards[name]) for name in COLOURS]
        paid = pd.concat([*parts, paid[paid["points"] == 0]], ignore_index=True)
    lines, paid = (
        frame.assign(club_key=plain_club(frame["club"]).fillna(""), event_key=plain_name(frame["event"]).fillna(""))
        for frame in (lines, paid)
    )
    later, paid = paid[paid["date"] > end], paid[paid["date"] <= end]
    lines = lines.assign(person=lines["person"].fillna(_of_namesakes(lines, paid)))
    agreed, again = _agreed(lines, paid)
    open_lines = lines.drop(index=[*agreed.index, *again.index])
    open_paid = paid.drop(index=agreed.array)
    other = _matched(open_lines, open_paid, _PLACES)
    open_paid = open_paid.drop(index=other.array)
    rest = open_lines.drop(index=other.index)
    told = [
        _told(UNSTATED, None, open_paid[open_paid["points"] > 0]),
        _told(DOUBLED, lines.loc[again.index], paid.loc[again.to_numpy()]),
        _told(DIFFERENT, lines.loc[other.index], paid.loc[other.to_numpy()]),
        _told(PENDING, None, later[later["points"] > 0]),
        _told(ELSEWHERE, rest[rest["points"] > 0], None),
    ]
    found = pd.concat(told, ignore_index=True).sort_values(["date", "club", "event", "player"], kind="stable")
    found["date"] = found["date"].dt.strftime("%Y-%m-%d")
    return Audit(found.reset_index(drop=True), len(lines), len(agreed), begin.date(), end.date())


def _persons(lines: pd.DataFrame, awards: pd.DataFrame) -> pd.Series[str]:
    """Return who is meant by each line: by member number, else by name on that day, else by name."""
    if "person" in lines:
        return lines["person"]
    asked, known = (
        each.assign(number=plain_number(each["member"]), name=plain_name(each["player"])) for each in (lines, awards)
    )
    person = pd.Series(None, index=lines.index, dtype="str")
    for by in (["number"], ["name", "date"], ["name"]):
        each = known[[*by, "person"]].dropna().drop_duplicates().drop_duplicates(by, keep=False)
        person = person.fillna(asked[by].merge(each, on=by, how="left")["person"])
    return person


def _of_namesakes(lines: pd.DataFrame, paid: pd.DataFrame) -> pd.Series[str]:
    """Return who is meant by a line with a name that several have: the one whom games pay just that."""
    known = _matched(lines, paid, [_SAME])
    left, open_ = paid.drop(index=known.array), lines[lines["person"].isna()]
    left, open_ = (each.assign(person=plain_name(each["player"])) for each in (left, open_))
    found = _matched(open_, left, [_SAME])
    return paid["person"].astype("str").loc[found].set_axis(found.index).reindex(lines.index)


_SAME = ["person", "date", "club_key", "event_key", "colour", "points"]
"""What a line says of an award that it states rightly."""

_PLACES = [
    ["person", "date", "club_key", "event_key", "colour"],
    ["person", "date", "club_key", "event_key"],
    ["person", "date", "club_key", "colour"],
    ["person", "date", "club_key"],
]
"""What shows that a line means an award which it does not state rightly, the surest first."""


def _agreed(lines: pd.DataFrame, paid: pd.DataFrame) -> tuple[pd.Series[int], pd.Series[int]]:
    """Return the row of the award of each line that agrees, and of each line that is there again."""
    agreed = _matched(lines, paid[paid["points"] > 0], [_SAME])
    again = _again(lines, agreed, lines["event_key"] != "")
    rest = lines.drop(index=[*agreed.index, *again.index])
    left = paid[paid["points"] > 0].drop(index=agreed.array)
    more = _matched(rest, left, [["person", "date", "club_key", "colour", "points"]])
    agreed = pd.concat([agreed, more])
    return agreed, pd.concat([again, _again(lines.drop(index=again.index), agreed, None)])


def _again(lines: pd.DataFrame, agreed: pd.Series[int], wanted: pd.Series[bool] | None) -> pd.Series[int]:
    """Return the award of each line that says the same as one that agrees. wanted: which lines are looked at."""
    there = [each for each in agreed.index if each in lines.index]
    of_line = lines.loc[there, _SAME].assign(award=agreed[there].array).drop_duplicates(_SAME)
    rest = lines.drop(index=there)
    rest = rest if wanted is None else rest[wanted[rest.index]]
    found = rest[_SAME].reset_index(names="row").merge(of_line, on=_SAME).set_index("row")["award"]
    return found.astype("int64")


def _matched(lines: pd.DataFrame, paid: pd.DataFrame, ways: Sequence[list[str]]) -> pd.Series[int]:
    """Return the row of the award of each line for which there is one, each award once; ways: by which columns.

    Where a line or an award names no club, any will do.
    """
    found: list[pd.Series[int]] = [pd.Series(dtype="int64")]
    anywhere = [(lines[lines["club_key"] == ""], paid), (lines, paid[paid["club_key"] == ""])]
    without = [[name for name in way if name != "club_key"] for way in ways]
    for way, sides in [*((way, [(lines, paid)]) for way in ways), *((way, anywhere) for way in without)]:
        for mine, theirs in sides:
            taken = pd.concat(found)
            mine = mine[~mine.index.isin(taken.index)].dropna(subset="person")
            theirs = theirs[~theirs.index.isin(taken)]
            if mine.empty or theirs.empty:
                continue
            one, other = (each[way].assign(n=each.groupby(way).cumcount(), row=each.index) for each in (mine, theirs))
            pairs = one.merge(other, on=[*way, "n"], suffixes=("", "_other"))
            found.append(pd.Series(pairs["row_other"].to_numpy("int64"), index=pairs["row"].to_numpy("int64")))
    return pd.concat(found)


def _told(what: str, lines: pd.DataFrame | None, paid: pd.DataFrame | None) -> pd.DataFrame:
    """Return what is told of lines, of awards, or of both, row by row."""
    of = lines if lines is not None else paid
    assert of is not None
    told = of[["date", "club", "event", "player", "member"]].reset_index(drop=True).assign(what=what)
    if paid is not None:
        for name in ("club", "event", "player", "member"):
            told[name] = told[name].where(told[name] != "", paid[name].array)
    told["stated"] = _amounts(lines) if lines is not None else ""
    told["pays"] = _amounts(paid) if paid is not None else ""
    told["line"] = lines["line"].to_numpy() if lines is not None else None
    told["place"] = [*map(place_in_game, row_dicts(paid))] if paid is not None else ""
    told["rule"] = paid["rule"].fillna("").to_numpy() if paid is not None else ""
    return told[FOUND].astype({"line": "Int64"})


def _amounts(frame: pd.DataFrame) -> list[str]:
    each = zip(frame["points"], frame["colour"], frame["league"], strict=True)
    return [f"{in_points(points, of)} {colour}".strip() for points, colour, of in each]


_COUNTS = tuple(AllClubs.__annotations__)

_LISTS = {
    "refused": ("Files that could not be read", [*RefusedFile.__annotations__]),
    "failed": ("Games that could not be awarded", [*DoubtfulGame.__annotations__]),
    "doubtful": ("Doubtful games", [*DoubtfulGame.__annotations__]),
    "late": ("Games that came late", [*LateGame.__annotations__]),
}
"""What is listed below the clubs: the titles and the columns."""

_HEADINGS = {"failed": "Not awarded", "source": "File", "hint": "What to do"}
"""The headings of columns that are not called so."""


@dataclass(frozen=True)
class Health:
    """How the clubs of an archive keep up."""

    # A row each, by name, also without a game on these days: ``club``; ``files`` and ``games`` of these days, and how
    # many are ``failed`` (not awarded), ``doubtful`` and ``late``; ``refused`` files; and of all days the day of the
    # last game, ``last_game``, and when the last one came, ``last_came``, both as text.
    clubs: pd.DataFrame
    # The refused files and the games that failed, are doubtful or late, by that word; columns as in ``_LISTS``.
    listed: Mapping[str, pd.DataFrame]
    years: pd.DataFrame  # by year, how many games there are, ``games``, and how many of these are in order, ``well``
    since: date | None  # the first day, None for any
    until: date | None  # the last day, None for any
    late_after: int  # how many days after its day a game is in time
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def total(self) -> dict[str, int]:
        """Return the sums over all clubs."""
        return {name: int(self.clubs[name].sum()) for name in _COUNTS}


def health(
    games: pd.DataFrame, said: Mapping[str, pd.DataFrame], days: tuple[date | None, date | None], late: int
) -> Health:
    """Return how clubs keep up.

    games: of all days: ``game_id``, ``date``, ``club``, ``event``, ``source``, ``source_hash`` and ``came``, the day.
    said: what kept games from being awarded, ``failed``, and what is ``doubtful``: each ``game_id``, ``what``,
    ``where`` and ``hint``; and the files that were ``refused``, whatever their days, as they are listed.
    days, late: see :class:`Health`. A game without a date is of no day that is asked for, and never late.
    """
    games = games.assign(club=games["club"].astype("str").fillna(""))
    mine = games[played_between(games, *days)]
    mine = mine.assign(days=(mine["came"] - mine["date"]).dt.days)
    refused = said["refused"].assign(club=said["refused"]["club"].fillna(""))
    of_games = {name: mine.merge(said[name], on="game_id") for name in ("failed", "doubtful")}
    listed = {"refused": refused, **of_games, "late": mine[mine["days"] > late]}
    wrong = pd.concat([listed[name]["game_id"] for name in ("failed", "doubtful", "late")])
    well = ~mine["game_id"].isin(wrong)
    of_year = well.groupby(mine["date"].dt.year)
    years = pd.DataFrame({"games": of_year.size(), "well": of_year.sum().astype("int64")})
    index = pd.Index(sorted({*games["club"], *refused["club"]}, key=str.casefold), name="club")
    files = mine.drop_duplicates(["club", "source", "source_hash"])
    counts = {"files": files["club"].value_counts(), "games": mine["club"].value_counts()}
    for name, rows in listed.items():
        counts[name] = rows.drop_duplicates("file" if name == "refused" else "game_id")["club"].value_counts()
    of_club = games.groupby("club")
    last = {name: of_club[of].max().dt.strftime("%Y-%m-%d") for name, of in _LAST.items()}
    numbers = {name: each.reindex(index, fill_value=0).astype("int64") for name, each in counts.items()}
    clubs = pd.DataFrame({**numbers, **{name: each.reindex(index) for name, each in last.items()}}).reset_index()
    tables = {}
    for name, (_, columns) in _LISTS.items():
        moments = listed[name].select_dtypes("datetime")
        as_text = listed[name].assign(**{str(each): moments[each].dt.strftime("%Y-%m-%d") for each in moments})
        tables[name] = as_text[[*columns]].sort_values([*columns[:2]], kind="stable", ignore_index=True)
    return Health(clubs[["club", *_COUNTS, *_LAST]], tables, years, *days, late)


_LAST = {"last_game": "date", "last_came": "came"}


WRITERS: Writers[[Health]] = Writers()

_TITLE = "How the clubs keep up"


def _facts(found: Health) -> list[str]:
    days = [f"{word} {day}" for word, day in (("From", found.since), ("To", found.until)) if day]
    return [", ".join(days) or "All days", f"Late: more than {found.late_after} days after the game"]


def _tables(found: Health) -> Iterator[PageTable]:
    total = PageRow([in_words("All"), *found.total().values(), "", ""], "total")
    rows = [total, *_rows(found.clubs)]
    yield PageTable("clubs", "Clubs", _columns(["club", *_COUNTS, *_LAST]), rows, people=True)
    for name, (title, columns) in _LISTS.items():
        every = found.listed[name]
        note = f"the first {_SHOWN:,} of {len(every):,}; all are in the JSON" if len(every) > _SHOWN else ""
        if len(every):
            shown = _columns([column for column in columns if column != "where"])
            yield PageTable(name, title, shown, _rows(every.iloc[:_SHOWN]), note)


_SHOWN = 200
"""This many rows of each list are shown."""


def _rows(frame: pd.DataFrame) -> list[PageRow]:
    if "since" in frame:
        frame = frame.assign(since=frame["since"].str[:10])
    if "where" in frame:
        told = frame["where"].where(frame["where"] == "", frame["where"] + ": ") + frame["what"]
        frame = frame.assign(what=told).drop(columns="where")
    data = [name for name in _DATA if name in frame]
    frame = frame.assign(**{name: frame[name].map(as_it_is, na_action="ignore") for name in data})
    cells = frame.astype("object").where(frame.notna(), "").to_numpy().tolist()
    return [PageRow([club or in_words("No club"), *others]) for club, *others in cells]


_DATA = ("event", "source", "file")
"""Columns of what others have written, besides the club, which each row is called by."""


def _columns(names: Sequence[str]) -> list[PageColumn]:
    days, numbers = ("date", "came", "since", *_LAST), (*_COUNTS, "days")
    kinds = {"club": "n", **dict.fromkeys(days, "l w"), **dict.fromkeys(numbers, "")}
    heads = [_HEADINGS.get(name, name.replace("_", " ").capitalize()) for name in names]
    return [
        PageColumn(head, kinds.get(name, "l"), head * (at > 0))
        for at, (name, head) in enumerate(zip(names, heads, strict=True))
    ]


@WRITERS.text
def text(found: Health) -> Iterator[str]:
    """Yield how the clubs keep up as tables."""
    yield from map(in_words, (_TITLE, *_facts(found)))
    for table in _tables(found):
        yield from ("", *table_lines(table))


def _of_years(years: pd.DataFrame) -> dict[str, Any]:
    """Return the picture of the games of each year: those in order, and above them the others."""
    axes = Axes(
        range(int(years.index.min()), int(years.index.max()) + 1),
        [100 * mark for mark in scale(0, int(years["games"].max()), AXIS_MARKS)],
        height=220,
    )
    bars = []
    for year, games, well in years.itertuples():
        for low, high, kind, said in ((0, well, "more", "in order"), (well, games, "less", "not in order")):
            if high > low:
                text = f"{int(year)}: {counted(high - low, 'game')} {said}"
                bars.append(axes.bar(int(year), 100 * low, 100 * high, kind=kind, text=text))
    said = "On top of each bar are the games that failed, are doubtful or came late."
    return axes.plot("Games by year", bars, said=said)


@WRITERS.shown
def shown(found: Health) -> Report:
    """Return how the clubs keep up as a page that needs nothing else; a tap on a heading sorts by it."""
    return Report(
        _TITLE,
        list(_tables(found)),
        facts=_facts(found),
        picture=markup("pages/plot.html", plot=_of_years(found.years)) if len(found.years) else "",
        remarks=quoted(found.remarks),
        provenance=found.provenance,
        landscape=True,
    )


@WRITERS.json
def to_json(found: Health) -> ArchiveHealth:
    """Return how the clubs keep up as JSON; what is empty is null."""
    return entry(ArchiveHealth, found, total=found.total(), **found.listed)
