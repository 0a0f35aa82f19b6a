"""A player's record in the games of an archive: what was won by year and colour, places, partners and best games.

:func:`record` computes it from the rows of the player; below it is written as text, JSON and a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd

from resultproc.model.arrays import row_dicts
from resultproc.model.errors import Problem, quoted
from resultproc.model.frames import COLOURS, FrameRow
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import ordinal
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text, counted
from resultproc.model.toml import toml_beside
from resultproc.model.whose_points import (
    in_order_of_leagues,
    in_points,
    league_title,
    names_leagues,
    usual_league,
)
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.result import colour_entries
from resultproc.pages.tables import Writers, table_lines
from resultproc.pages.words import days, percent, rating_name
from resultproc.reports.json_types import (
    RecordedGame,
    RecordedPartner,
    RecordedYear,
    RecordReport,
    TitleEntry,
    WonOfLeague,
    entry,
)
from resultproc.reports.outcomes import place_in_game

_BEST = 10
"""How many of the best games are shown."""

_NO_DATE = "no date"


@dataclass(frozen=True)
class PlayerRecord:
    """What a player has in the games of an archive."""

    # ``person``, the key, ``player``, ``member``, ``spellings``, ``clubs``, and ``unsure``, in how many games somebody
    # should decide whether it is this one.
    person: Mapping[str, Any]
    # A row for each game: ``year``, ``date``, ``club``, ``event``, ``rating``, ``game_id``, ``percentage``, ``league``,
    # ``masterpoints`` and each colour of it in hundredths, ``place``, ``tied``, ``group_size`` and ``basis`` of what
    # pays.
    games: pd.DataFrame
    # A row for each and each league: ``player``, ``games``, ``league``, ``masterpoints`` and ``percentage``, the mean;
    # most games first.
    partners: pd.DataFrame
    remarks: Sequence[Problem]  # what is doubtful about these games, or about who played
    provenance: Provenance  # the archive and the run

    @property
    def colours(self) -> list[str]:
        """The colours that were won."""
        return [colour for colour in COLOURS if self.games[colour].any()]

    @property
    def by_league(self) -> bool:
        """Whether it says of which league points are: sums are of one league each."""
        return names_leagues(self.games["league"])

    def sums(self, by: Sequence[str] = ()) -> pd.DataFrame:
        """Return ``games`` and what was won for each league, the usual one first, and for each value of columns."""
        sums = {name: (name, "sum") for name in ("masterpoints", *COLOURS)}
        of_each = self.games.groupby([*by, "league"], dropna=False, as_index=False)
        return of_each.agg(games=("game_id", "size"), **sums)

    def best(self) -> pd.DataFrame:
        """Return the best games of each league: by masterpoints, then by percentage, then the older one."""
        by = ["league", "masterpoints", "percentage", "date", "game_id"]
        found = self.games.sort_values(by, ascending=[True, False, False, True, True], kind="stable")
        return found.groupby("league", sort=False).head(_BEST).reset_index(drop=True)

    def places(self) -> list[tuple[int, int]]:
        """Return places that paid, and how many games have each."""
        counts = self.games["place"].dropna().astype("int64").value_counts()
        return sorted((int(place), int(count)) for place, count in counts.items())  # type: ignore[call-overload]


def record(
    person: Mapping[str, Any], rows: pd.DataFrame, remarks: Sequence[Problem], provenance: Provenance
) -> PlayerRecord:
    """Return a player's record. If the player sits twice in a game, the better result counts.

    person, remarks, provenance: as in :class:`PlayerRecord`.
    rows: a row for each game and each other player of the contestant: the columns of :class:`PlayerRecord` without
        ``year``, with ``contestant``, and ``partner_key`` and ``partner`` of that other player, missing where there is
        none.
    """
    rows = rows.assign(league=in_order_of_leagues(rows["league"]))
    best = rows.sort_values(
        ["masterpoints", "percentage", "contestant"], ascending=[False, False, True], kind="stable"
    ).drop_duplicates("game_id")
    rows = rows.merge(best[["game_id", "contestant"]], on=["game_id", "contestant"])
    year = pd.to_datetime(best["date"]).dt.year.astype("Int64")
    games = best.drop(columns=["partner", "partner_key", "contestant"]).assign(year=year)
    with_others = rows.dropna(subset="partner_key").drop_duplicates(["game_id", "partner_key"])
    partners = with_others.groupby(["partner_key", "league"], as_index=False).agg(
        player=("partner", lambda names: names.mode().min()),
        games=("game_id", "size"),
        masterpoints=("masterpoints", "sum"),
        percentage=("percentage", "mean"),
    )
    together = partners.groupby("partner_key")["games"].transform("sum")
    by = ["together", "league", "masterpoints", "player"]
    partners = partners.assign(together=together).sort_values(by, ascending=[False, True, False, True])
    games = games.sort_values(["date", "game_id"], ignore_index=True)
    return PlayerRecord(person, games, partners.reset_index(drop=True), remarks, provenance)


def titles(found: PlayerRecord) -> list[TitleEntry]:
    """Return what the games of a record add up to, for each time at which the player may have joined the league.

    They are titles of the usual league, for which only its points count.
    """
    games = found.games[found.games["league"] == usual_league()]
    known = toml_beside(__file__, "titles.toml")
    has = {asked: int(games[of].sum().sum()) for asked, of in known["colours"].items()}
    return [_reached(members, has) for members in known["members"]]


def _reached(members: Mapping[str, Any], has: Mapping[str, int]) -> TitleEntry:
    reached, following, missing = None, None, dict[str, int]()
    for title in members["titles"]:
        asked = {name: int(100 * Decimal(value)) for name, value in title.items() if name != "title"}
        missing = {name: points - has[name] for name, points in asked.items() if has[name] < points}
        if missing:
            following = title["title"]
            break
        reached = title["title"]
    return entry(TitleEntry, members, title=reached, next=following, missing=missing)


WRITERS: Writers[[PlayerRecord]] = Writers()


def _facts(found: PlayerRecord) -> list[str]:
    """Return who it is, how many games there are, and what they paid."""
    person, games = found.person, found.games
    dates = pd.to_datetime(games["date"].dropna())
    span = f", {days(dates.min(), dates.max())}" if len(dates) else ""
    of_leagues = []
    for row in row_dicts(found.sums()):
        by_colour = ", ".join(f"{in_points(row[each], row['league'])} {each}" for each in found.colours if row[each])
        title = f"{league_title(row['league'])} " * found.by_league
        won = f"{in_points(row['masterpoints'], row['league'])} {title}masterpoints in them"
        of_leagues.append(f"{won}: {by_colour}" if by_colour else won)
    said = [f"Member number {person['member']}"] if person["member"] else []
    said.append(f"{counted(len(games), 'game')} of this archive{span}")
    said += of_leagues
    if person["spellings"] and person["spellings"] != person["player"]:
        said.append(f"Written {as_it_is(person['spellings'])}")
    return said


def _doubts(found: PlayerRecord) -> Iterator[str]:
    if found.person["unsure"]:
        games = counted(int(found.person["unsure"]), "game")
        yield f"in {games} it is not sure that it is this player; archive persons --unsure lists them"


def _tables(found: PlayerRecord) -> list[PageTable]:
    colours = [PageColumn(colour.capitalize(), "", colour.capitalize()) for colour in found.colours]
    games, score = (PageColumn(name, "", name) for name in ("Games", "Score"))
    won = PageColumn("Masterpoints", "a")
    of_leagues = [PageColumn("League", "l", "League")] * found.by_league
    years = []
    of_years = row_dicts(found.sums(["year"]))
    for row in of_years:
        amounts = [_points(row[name], row["league"]) for name in ("masterpoints", *found.colours)]
        year = _NO_DATE if pd.isna(row["year"]) else row["year"]
        alike = [each for each in of_years if each["league"] == row["league"]]
        drawn_as = _share(row["masterpoints"], alike, "masterpoints")
        years.append(PageRow([year, "", row["games"], *_named(found, row), *amounts], bar=drawn_as))
    best = []
    for row in row_dicts(found.best()):
        said = ", ".join(cell_text(row[name]) for name in ("event", "club") if not pd.isna(row[name]))
        event = said or rating_name("" if pd.isna(row["rating"]) else str(row["rating"]))
        day = _NO_DATE if pd.isna(row["date"]) else str(row["date"])
        scored = [percent(row["percentage"]), *_named(found, row), _points(row["masterpoints"], row["league"])]
        best.append(PageRow([event, day, place_in_game(row), *scored]))
    best_columns = [PageColumn("Game", "n"), PageColumn("Date", "l w", "Date"), PageColumn("Place", "l", "Place")]
    with_partner = [PageColumn("Player", "n"), PageColumn("How often", "bar often"), games, *of_leagues, won, score]
    places = [PageRow([ordinal(place), count]) for place, count in found.places()]
    with_each = row_dicts(found.partners)
    partners = []
    for row in with_each:
        scored = [*_named(found, row), _points(row["masterpoints"], row["league"]), percent(row["percentage"])]
        drawn_as = _share(row["games"], with_each, "games")
        partners.append(PageRow([row["player"], "", row["games"], *scored], bar=drawn_as))
    reached = []
    for each in titles(found):
        missing = ", ".join(f"{points} {asked.replace('-', ' ')}" for asked, points in each["missing"].items())
        named = [f"Joined {each['joined']}", each["title"] or "", each["next"] or ""]
        reached.append(PageRow([*named, missing or each["note"]]))
    of_titles = [
        PageColumn("Member", "k"),
        *(PageColumn(n, "l", n) for n in ("Title", "Next title", "Missing for that")),
    ]
    note = "by the games of this archive alone"
    by_year = [PageColumn("Year", "k"), PageColumn("How much", "bar often"), games, *of_leagues, won, *colours]
    tables = [
        PageTable("years", "By year", by_year, years),
        PageTable("best", "Best games", [*best_columns, score, *of_leagues, won], best),
        PageTable("places", "Places that were paid", [PageColumn("Place", "k"), games], places),
        PageTable("partners", "Partners and teammates", with_partner, partners),
        PageTable("titles", "Titles of the league", of_titles, reached, note, sorts=False),
    ]
    return [table for table in tables if table.rows]


def _share(value: int, rows: Sequence[FrameRow], name: str) -> float:
    """Return how long the bar of a row is, in percent of the longest in the column of that name."""
    return 100 * value / max(1, *(int(row[name]) for row in rows))


def _named(found: PlayerRecord, row: FrameRow) -> list[str]:
    """Return the league of a row, where rows say it."""
    return [league_title(row["league"])] * found.by_league


def _points(hundredths: int, league: str) -> str:
    return in_points(hundredths, league) if hundredths else ""


@WRITERS.text
def text(found: PlayerRecord) -> Iterator[str]:
    """Yield the record as tables."""
    yield from (found.person["player"], *map(in_words, _facts(found)))
    for table in _tables(found):
        yield from ("", *table_lines(table))
    yield from (line for doubt in _doubts(found) for line in ("", in_words(f"Remark: {doubt}.")))


@WRITERS.json
def to_json(found: PlayerRecord) -> RecordReport:
    """Return the record as JSON, with all games: masterpoints are decimal strings."""

    def won(kind: type[Any], rows: pd.DataFrame, *, named: bool = found.by_league) -> list[Any]:
        return [
            entry(kind, row, colours=colour_entries(row), league=row["league"] if named else None)
            for row in row_dicts(rows)
        ]

    every, partners = won(WonOfLeague, found.sums(), named=True), []
    for row in row_dicts(found.partners):
        known = {"person": row["partner_key"], "percentage": round(row["percentage"], 2)}
        partners.append(entry(RecordedPartner, row, **known, league=row["league"] if found.by_league else None))
    lists = {
        "games": won(RecordedGame, found.games),
        "years": won(RecordedYear, found.sums(["year"])),
        "places": [{"place": place, "games": count} for place, count in found.places()],
        "partners": partners,
        "best": found.best()["game_id"].tolist(),
        "titles": titles(found),
        "leagues": every if found.by_league else None,
    }
    first = every[0] | {"league": every[0]["league"] if found.by_league else None}
    return entry(RecordReport, found, **{**found.person, **first, **lists})


@WRITERS.shown
def shown(found: PlayerRecord) -> Report:
    """Return the record as a page that needs nothing else."""
    return Report(
        as_it_is(cell_text(found.person["player"])),
        _tables(found),
        facts=_facts(found),
        said=["It has the games of this archive, and no others."],
        foot=[f"Titles of members who joined {e['joined']}: {e['cite']}; {e['note']}." for e in titles(found)],
        remarks=[*_doubts(found), *quoted(found.remarks)],
        provenance=found.provenance,
    )
