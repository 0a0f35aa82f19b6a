"""Series of games: how each player does over several games, and the bonus of the first places.

The standings are shown as text, CSV, page, workbook and JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, row_dicts, words_in
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.facts import Facts
from resultproc.model.frames import AwardedResult, game_problem
from resultproc.model.game import league, number_text
from resultproc.model.group import Ladder, Ladders, Sharing
from resultproc.model.language import as_it_is, in_words
from resultproc.model.places import place_text
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text, counted, listed
from resultproc.model.whose_points import (
    in_order_of_leagues,
    in_points,
    league_title,
    leagues_of,
    names_leagues,
    usual_league,
)
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.tables import Writers, aligned, csv_file, table_texts
from resultproc.pages.words import days, wrapped
from resultproc.people.aliases import Aliases
from resultproc.people.identity import Identities, IdentityDoubt
from resultproc.people.seated import people, player_cells
from resultproc.reports.json_types import BonusEntry, SeriesPlayerEntry, SeriesReport, entry
from resultproc.reports.outcomes import best_places
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.common.awards import with_ties_beyond
from resultproc.rulebooks.common.exact import decimal, hundredths, rounded
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook
from resultproc.stages.same_game import refuse_twice


class Method(StrEnum):
    """What decides a series: the masterpoints won in it, the mean percentage, or points for the first places."""

    MASTERPOINTS = "masterpoints"
    PERCENTAGE = "percentage"
    POINTS = "points"


@dataclass(frozen=True)
class Series:
    """The standings of a series."""

    method: Method  # what decides the places
    games: pd.DataFrame  # the games frame, in the order of play
    # A row per player and league, the best first, then those who are not placed: ``league``, ``position`` and ``tied``
    # (empty for them), ``player`` (the name), ``id`` (the member number), ``games``, ``partners`` (different ones),
    # ``tables`` (in play in those games), ``score`` and ``bonus``.
    standings: pd.DataFrame
    # What each game gave, by game_id, in the same rows; empty where the player did not play. Scores are hundredths, of
    # a masterpoint, of a percentage point or of a point; the bonus is hundredths of a masterpoint.
    scores: pd.DataFrame
    bonus: Ladder | None  # the ladder of the bonus, None where there is none
    why_none: str  # why there is no bonus, '' where there is one
    min_sessions: int  # how many games it takes to be placed
    min_partners: int  # how many different partners it takes to be placed
    doubts: tuple[IdentityDoubt, ...]  # matches of players that may be wrong
    remarks: tuple[Problem, ...] = ()  # what is doubtful about the games
    problems: tuple[Problem, ...] = ()  # of those that are left out
    provenance: Provenance = field(default_factory=Provenance)  # where it all is from
    numbered: bool = False  # whether a page and a workbook show member numbers

    @cached_property
    def by_league(self) -> bool:
        """Whether it says of which league each row is."""
        return names_leagues(self.standings["league"])


def series(
    result: AwardedResult,
    method: Method = Method.MASTERPOINTS,
    said: Aliases | None = None,
    *,
    min_sessions: int = 1,
    min_partners: int = 0,
) -> Series:
    """Return the standings of the players over the games of an awarded result.

    method: masterpoints are the sum of what a player won in the games, percentage is the mean over the games played,
        points the sum of what the rulebook gives for the first places of each game, those tied sharing it; N-S and E-W
        are placed separately where the game's rulebook compares them separately.
    said: what the user says of who is who, and what clubs are called now.
    min_sessions, min_partners: who played fewer games, or with fewer different partners, is listed but not placed. A
        game counts for nothing for those who are out of its ranks. A half table is half a table in play. There is a
        bonus where the rules give one: for a number of games, of one class.

    Masterpoints of several leagues are never added up: each league has its own standings, and there is no bonus.

    Raises InputError for a game that is there twice or has several sessions, and for a contestant without the
    percentage that is asked for.
    """
    games, said = result.games, said or Aliases()
    several = np.flatnonzero(games["sessions"] > 1)
    if len(several):
        what, hint = "a series takes single sessions, not events of several", "leave this event out"
        raise InputError(game_problem(games, int(row), what, hint) for row in several)
    # The rules of the games' own rulebook on the day of the last, or of the league's handbook, where that has none for
    # a series, or the games go by several.
    own = games["rulebook"].unique()
    book = own[0] if len(own) == 1 and "series.games" in rulebook(own[0]).entries else league().handbook
    _, (edition,) = editions(games.sort_values("date", na_position="first").iloc[[-1]].assign(rulebook=book))
    places = best_places(result)
    seats, who = people(games, result.contestants.iloc[np.sort(places.index)], said=said)
    games = games.assign(club=said.clubs_now(games["club"]))
    refuse_twice(games, seats.assign(place=places["position"].reindex(seats["contestant"]).to_numpy()))
    seats["score"] = _scores(result, method, places, edition).reindex(seats["contestant"]).to_numpy()
    of_games = leagues_of(games).to_numpy() if method is Method.MASTERPOINTS else np.full(len(games), usual_league())
    seats["league"] = in_order_of_leagues(pd.Series(of_games[seats["game"]], seats.index))
    facts = Facts(games, result.contestants)
    in_play = pd.Series(facts.declared_tables).groupby(facts.sections.frame["game"]).sum()
    standings, scores = _standings(games, seats, who, method, in_play)
    placed = (standings["games"] >= min_sessions) & (standings["partners"] >= min_partners)
    placed &= standings["score"] > 0  # who won nothing has no place
    standings = _ranked(standings, placed)
    why_none = _why_none(games, edition, standings)
    ladder = None if why_none else _ladder(edition, _classes(games).iloc[0], standings)
    standings["bonus"] = 0
    if ladder:
        paid = standings.loc[standings["position"].notna(), ["position", "tied"]].astype("int64")
        standings.loc[paid.index, "bonus"] = _shares(ladder, paid["position"].to_numpy(), paid["tied"].to_numpy())
    played = games.sort_values("date", kind="stable")
    scores = scores.reindex(index=standings.index, columns=played["game_id"]).reset_index(drop=True)
    standings = standings.reset_index(drop=True)
    return Series(
        method,
        played,
        standings,
        scores,
        ladder,
        why_none,
        min_sessions,
        min_partners,
        who.doubts,
        result.remarks,
        provenance=result.provenance,
    )


def _scores(result: AwardedResult, method: Method, places: pd.DataFrame, edition: Edition) -> pd.Series[float]:
    """Return what the game gave each ranked contestant, in hundredths, by contestant."""
    if method is Method.POINTS:
        position, tied = places["position"].to_numpy(), places["tied"].to_numpy()
        awards = [hundredths(points) for points in edition.numbers("series.points")]
        # Places below pay nothing, but ties take them up.
        below = int((position + tied).max(initial=1))
        ladder = Ladder((*awards, *[0] * below), len(awards), edition.values("series.points"), "")
        return pd.Series(_shares(ladder, position, tied), places.index, dtype="float64")
    if method is Method.MASTERPOINTS:
        return result.awards["masterpoints"].astype("float64").loc[places.index]
    percentages = result.contestants["percentage"].loc[places.index]
    lacking = result.contestants.loc[percentages.index[percentages.isna()]].sort_index()
    if len(lacking):
        game = pd.Index(result.games["game_id"]).get_indexer(pd.Index(lacking["game_id"]))
        what, hint = "this contestant has no percentage", "write it, or choose another method"
        raise InputError(
            game_problem(result.games, int(row), what, hint, str(where))
            for row, where in zip(game, lacking["where"], strict=True)
        )
    return percentages * 100


def _shares(ladder: Ladder, position: Ints, tied: Ints) -> Ints:
    """Return what each place pays, nothing below the depth."""
    paid = np.flatnonzero(position <= ladder.depth)
    found = np.zeros(len(position), dtype=np.int64)
    of = np.zeros(len(paid), dtype=np.int64)
    found[paid] = Ladders.of([ladder], {}).shares(of, position[paid], tied[paid], Sharing())
    return found


def _standings(
    games: pd.DataFrame, seats: pd.DataFrame, who: Identities, method: Method, in_play: pd.Series[float]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a row per player and league, by number and name, not ranked yet, and what each game gave it."""
    best = seats.sort_values("score", ascending=False, kind="stable").drop_duplicates(["player", "game"])
    best = best.assign(tables=in_play.reindex(best["game"]).to_numpy())
    each = ["player", "league"]
    of_player = best.groupby(each)
    score = of_player["score"].mean() if method is Method.PERCENTAGE else of_player["score"].sum()
    met = seats.merge(seats, on="contestant", suffixes=("", "_other"))
    partners = met[met["player"] != met["player_other"]].groupby(each)["player_other"].nunique()
    number, of = (pd.Series(score.index.get_level_values(name), score.index) for name in each)
    standings = pd.DataFrame(
        {
            "league": of,
            "player": number.map(who.names),
            "id": number.map(who.numbers),
            "games": of_player.size(),
            "partners": partners.reindex(score.index, fill_value=0),
            "tables": of_player["tables"].sum(),
            # Beyond this the means of equal percentages differ by the computer's rounding alone.
            "score": score.round(4),
        },
        index=score.index,
    )
    scores = best.assign(game=games["game_id"].to_numpy()[best["game"]])
    return standings, scores.pivot(index=each, columns="game", values="score")


def _ranked(standings: pd.DataFrame, placed: pd.Series[bool]) -> pd.DataFrame:
    """Return the standings of each league with position and tied, the best first, those who are not placed last."""
    score, of = standings["score"].where(placed), standings["league"]
    position = score.groupby(of).rank(method="min", ascending=False).astype("Int64")
    tied = score.groupby([of, score]).transform("size").astype("Int64")
    sorted_by = standings["player"].astype("str").str.casefold()
    standings = standings.assign(position=position, tied=tied, sorted_by=sorted_by, of=of)
    order = ["of", "position", "score", "sorted_by"]
    standings = standings.sort_values(order, ascending=[True, True, False, True], kind="stable")
    return standings[["league", "position", "tied", "player", "id", "games", "partners", "tables", "score"]]


def _why_none(games: pd.DataFrame, edition: Edition, standings: pd.DataFrame) -> str:
    """Return why there is no bonus, empty where there is one."""
    own = set(leagues_of(games))
    if len(own) == 1 and edition.league not in own:
        return f"which bonus the {league_title(own.pop())} has for a series is not known"
    least = edition.whole("series.games")
    if len(games) < least:
        return f"a series that pays one takes {least} games or more ({as_it_is(edition.cite('series.games'))})"
    classes = list(dict.fromkeys(_classes(games)))
    if len(classes) > 1:
        return f"the games are of several classes: {'; '.join(classes)}"
    if games["rating"].iloc[0] not in edition.words("series.ratings"):
        return f"the rules state no bonus for games of the class {classes[0]}"
    return "" if standings["position"].notna().any() else "nobody is placed"


def _classes(games: pd.DataFrame) -> pd.Series[str]:
    """Return the class of each game: its rating, and the limit or the class of its own that make it another."""
    limit = ", limit " + games["limit"].map(number_text)
    introductory = words_in(games["special"], "introductory")
    return games["rating"] + limit.where(np.isfinite(games["limit"]), "") + np.where(introductory, ", introductory", "")


def _ladder(edition: Edition, name: str, standings: pd.DataFrame) -> Ladder:
    """Return the ladder of the bonus: the rate by the tables of the winner's games, with the cap of a class, if any."""
    of_winners = [Fraction(tables) for tables in standings.loc[standings["position"] == 1, "tables"]]
    in_play = _OF_TIED[edition.text("series.tied-winners")](of_winners)
    full = edition.number("series.rate") * in_play
    cited = ["series.rate", "series.step", "series.places"]
    factors = f"{decimal(edition.number('series.rate'))} x {number_text(float(in_play))} tables"
    path = f"series.cap.{name}"
    if path not in edition.entries:
        factors += ", no cap is stated"
    elif full > (cap := edition.number(path)):
        full, factors = cap, f"{factors}, capped at {decimal(cap)}"
        cited.insert(1, path)
    first, step, depth = rounded(full), edition.number("series.step"), edition.whole("series.places")
    reach = max(int((standings["position"] + standings["tied"]).max()) - 1, depth)
    awards = tuple(hundredths(first * step**place) for place in range(reach))
    ladder = Ladder(awards, depth, edition.values(*cited), f"first {decimal(first)} ({factors})")
    return with_ties_beyond(edition, Ladders.of([ladder], {}))[0]


_OF_TIED: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = {
    "mean": lambda tables: sum(tables, Fraction(0)) / len(tables),
    "most": max,
    "least": min,
}


WRITERS: Writers[[Series]] = Writers()


def series_title(found: Series) -> str:
    """Return what the series is: the event and club, where all games are of one, its games, days and method."""
    games = found.games
    names = games[["event", "club"]].loc[:, games[["event", "club"]].nunique(dropna=False) == 1].dropna(axis=1)
    dates = games["date"].dropna()
    played = days(dates.min(), dates.max()) if len(dates) else ""
    parts = [counted(len(games), "game"), played, f"by {found.method}"]
    name = ", ".join(as_it_is(cell_text(text)) for text in names.iloc[0])
    return f"{name or 'Series'}: {', '.join(filter(None, parts))}"


def notes(found: Series) -> Iterator[str]:
    """Yield what is below the table: how the bonus comes about and by which rule, and who is not placed."""
    if found.bonus is None:
        yield f"No bonus: {found.why_none}."
    else:
        pays = "pays" if found.bonus.depth == 1 else "pay"
        yield f"Bonus: {found.bonus.factors}; {counted(found.bonus.depth, 'place')} {pays}."
        yield f"Rule: {as_it_is(found.bonus.rule)}."
    if found.standings["position"].isna().any():
        needs = [f"{found.min_sessions} games"] if found.min_sessions > 1 else []
        if found.min_partners:
            needs.append("1 partner" if found.min_partners == 1 else f"{found.min_partners} different partners")
        if (found.standings["score"] <= 0).any():
            needs.append("a score above 0.00")
        yield f"Not placed (-): it takes {listed(needs)}."


def _amount(hundredths: float, league: str = "") -> str:
    """Return a score, which is in hundredths, as a decimal string, halves rounded up; for people in a league's unit."""
    return in_points(int(hundredths + 0.5), league)


@WRITERS.text
def text(found: Series) -> Iterator[str]:
    """Yield the standings as a table."""
    table = table_texts(_table(replace(found, numbered=True)))
    yield from (*wrapped(in_words(series_title(found))), "", *aligned(table, range(3)), "")
    yield from (line for note in notes(found) for line in wrapped(in_words(note), 2))


@WRITERS("csv")
def to_csv(found: Series) -> bytes:
    """Return the standings as CSV, with a column for each game under its game_id.

    ``place`` and ``tied``, the players that share it, are empty for who is not placed.
    """
    rows = []
    for row, each in zip(row_dicts(found.standings), found.scores.to_numpy(), strict=True):
        place = [None if pd.isna(row[name]) else row[name] for name in ("position", "tied")]
        amounts = _amount(row["score"]), _amount(row["bonus"])
        scores = ["" if pd.isna(score) else _amount(score) for score in each]
        named = [row["league"]] * found.by_league
        rows.append([*place, *player_cells(row), row["games"], row["partners"], *amounts, *scores, *named])
    last = [*map(cell_text, found.scores.columns), *["league"] * found.by_league]
    return csv_file(["place", "tied", "player", "id", "games", "partners", str(found.method), "bonus", *last], rows)


@WRITERS.sheets
def shown(found: Series) -> Report:
    """Return the standings, in a workbook with a column for each game."""
    table = _table(found)
    games = (
        ["" if pd.isna(amount) else _amount(amount, of) for amount in each]
        for each, of in zip(found.scores.to_numpy(), found.standings["league"], strict=True)
    )
    rows = [replace(row, cells=[*row.cells, *each]) for row, each in zip(table.rows, games, strict=True)]
    # Above the column of each game is its day, or its game_id where that says which it is.
    heads, dates = list(map(cell_text, found.scores.columns)), found.games["date"]
    if dates.notna().all() and dates.is_unique:
        year = " %y" if dates.dt.year.nunique() > 1 else ""
        heads = [f"{day.day} {day:%b{year}}" for day in dates]
    whole = replace(table, columns=[*table.columns, *map(PageColumn, heads)], rows=rows)
    name, _, what = series_title(found).rpartition(": ")
    return Report(
        name,
        [_table(found, bonus_last=False)],
        {"Series": [whole]},
        facts=what.split(", "),
        problems=found.problems,
        remarks=[*quoted(found.remarks), *(doubt.what for doubt in found.doubts)],
        foot=list(notes(found)),
        provenance=found.provenance,
    )


def _table(found: Series, *, bonus_last: bool = True) -> PageTable:
    order = -1 if bonus_last else 1
    columns = [
        PageColumn("Place", "r first"),
        PageColumn("Player", "n"),
        *([PageColumn("Member no", "l", "Member no")] * found.numbered),
        *([PageColumn("League", "l", "League")] * found.by_league),
        *(PageColumn(head, "", head) for head in ("Games", "Partners")),
        *[PageColumn("Bonus", "", "Bonus"), PageColumn(found.method.capitalize(), "a bare")][::order],
    ]
    rows = []
    for row in row_dicts(found.standings):
        place = "-" if pd.isna(row["position"]) else place_text(row["position"], row["tied"])
        named = [*player_cells(row, numbered=found.numbered), *[league_title(row["league"])] * found.by_league]
        played, of = [*named, row["games"], row["partners"]], row["league"]
        amounts = [_amount(row["bonus"], of) if row["bonus"] else "", _amount(row["score"], of)][::order]
        rows.append(PageRow([place, *played, *amounts], "paid" if row["bonus"] else ""))
    return PageTable("standings", "Standings", columns, rows, counted(len(rows), "player"), people=True)


@WRITERS.json
def to_json(found: Series) -> SeriesReport:
    """Return the standings as JSON: scores and awards are decimal strings, ``scores`` is what each game gave, by id."""
    players = []
    for row, each in zip(row_dicts(found.standings), found.scores.to_numpy(), strict=True):
        played = zip(found.scores.columns, each, strict=True)
        scores = {game: _amount(score) for game, score in played if not pd.isna(score)}
        known = {"name": row["player"], "score": _amount(row["score"]), "scores": scores}
        players.append(entry(SeriesPlayerEntry, row, **known, league=row["league"] if found.by_league else None))
    ladder = found.bonus and found.bonus.awards[: found.bonus.depth]
    bonus = entry(BonusEntry, found.bonus, ladder=ladder) if found.bonus else None
    return entry(SeriesReport, found, bonus=bonus, no_bonus=found.why_none, players=players)
