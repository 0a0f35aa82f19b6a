"""What a reprocessed archive comes to, as text, CSV, JSON, and a page with pictures and tables.

It is sums per year, rating and stratum, which add up over the archive's parts. The pictures are in pixels from above
and in percent of their width, so that their texts have one size on every screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from resultproc.model.arrays import dense_codes, row_dicts
from resultproc.model.frames import CONTESTANT_KEY, NO_YEAR, AwardedResult
from resultproc.model.game import league
from resultproc.model.json import json_text
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import PROVENANCE_KEY, Provenance
from resultproc.model.text import counted
from resultproc.model.whose_points import (
    each_league,
    in_order_of_leagues,
    league_named,
    league_title,
    names_leagues,
    usual_league,
)
from resultproc.pages.annotated import masterpoints_text
from resultproc.pages.design import OTHER, PageColumn, PageRow, PageTable, Report, markup, scale
from resultproc.pages.plot import AXIS_MARKS, Axes
from resultproc.pages.tables import as_csv
from resultproc.pages.words import rating_name

SUMMED_BY = ["year", "rating", "stratum"]
SUMS = {
    "games": "how many games were awarded",
    "contestants": "how many pairs, teams and individuals",
    "paid": "those that are paid anything",
    "masterpoints": "what they are paid",
    "printed": "those of games that print awards",
    "printed_agree": "those whose printed award is the computed one",
    "printed_masterpoints": "what the sheets print",
    "in_force": "those awarded under the rulebook of their day as well, where another is named",
    "in_force_masterpoints": "what they get under that one",
    "difference": "what they get more than under that one",
    "changed": "those whose award differs from that one",
    "failed": "how many games could not be awarded",
}
"""What is summed up: the names of the sums and their meanings."""

MASTERPOINT_SUMS = ["masterpoints", "printed_masterpoints", "in_force_masterpoints", "difference"]
"""The sums that are masterpoints, in hundredths."""

COMPARED = ["in_force", "in_force_masterpoints", "difference", "changed"]
"""Those over games that were awarded under two rulebooks."""

_OF_KINDS = ["date", "rating"]
"""What tells kinds of games apart."""


def summary(result: AwardedResult, in_force: AwardedResult | None, failed: pd.DataFrame) -> pd.DataFrame:
    """Return sums per year, rating and stratum: one row each, the masterpoints in hundredths.

    ``printed`` counts contestants of games that print awards, ``printed_agree`` those whose award is the computed one.

    in_force: the same games under the rulebook of their day, where it covers them and is another, else None:
        ``in_force`` counts contestants awarded under both, ``difference`` is what they get more than under that one,
        ``changed`` counts those whose award differs.
    failed: the games that could not be awarded. Their number is, like ``games``, in a row without a stratum.
    """
    awards, contestants = result.awards, result.contestants
    game, award = awards["game"].to_numpy(), awards["masterpoints"].to_numpy()
    every = pd.concat([result.games[_OF_KINDS], failed[_OF_KINDS]], ignore_index=True)
    rating, ratings = pd.factorize(every["rating"].astype("str").fillna(""), sort=True)
    year = np.asarray(every["date"].dt.year.fillna(NO_YEAR), dtype=np.int64)
    kind, kinds = dense_codes(year * len(ratings) + rating)
    stratum = contestants["stratum"].astype("category").cat
    of_codes = ["", *stratum.categories]  # an ineligible contestant may have none
    letters = pd.Index(sorted(set(of_codes)), dtype="str")
    of_game = kind * len(letters)
    cell = of_game[game] + letters.get_indexer(of_codes)[stratum.codes.to_numpy() + 1]
    length = len(kinds) * len(letters)
    sums = {"contestants": None, "paid": award > 0, "masterpoints": award}
    # Most archives print no awards, and most runs compare with nothing.
    there = contestants["printed_award"].notna().to_numpy()
    if there.any():
        prints = np.bincount(game[there], minlength=len(result.games))[game] > 0
        printed = contestants["printed_award"].to_numpy(dtype=np.int64, na_value=0)
        sums |= {"printed": prints, "printed_agree": prints & (printed == award), "printed_masterpoints": printed}
    if in_force is not None:
        # Each contestant's award in the other result of the same archive part, -1 for a game that is not there.
        names = [frame.contestants[CONTESTANT_KEY].astype("str").fillna("") for frame in (result, in_force)]
        others = names[1].assign(award=in_force.awards["masterpoints"].to_numpy())
        other = np.asarray(names[0].merge(others, "left", CONTESTANT_KEY)["award"].fillna(-1), dtype=np.int64)
        both = other >= 0
        sums |= {"in_force": both, "in_force_masterpoints": np.maximum(other, 0)}
        sums |= {"difference": np.where(both, award - other, 0), "changed": both & (other != award)}
    of_cells = {name: np.bincount(cell, values, length) for name, values in sums.items()}
    for name, cells in (("games", of_game[: len(result.games)]), ("failed", of_game[len(result.games) :])):
        of_cells[name] = np.bincount(cells, minlength=length)
    rows = np.flatnonzero(sum(of_cells[name] for name in ("contestants", "games", "failed")))
    year, rating = np.divmod(kinds[rows // len(letters)], len(ratings))
    named = {"year": year, "rating": ratings[rating], "stratum": letters[rows % len(letters)]}
    values = {name: of_cells[name][rows] if name in of_cells else 0 for name in SUMS}
    return pd.DataFrame({**named, **values}).astype(dict.fromkeys(SUMS, "Int64"))


def summed_summaries(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of several summaries, by year, rating and stratum."""
    frame = pd.concat(parts, ignore_index=True)
    return frame.groupby(SUMMED_BY, as_index=False).sum()


def _league_of(rating: pd.Series[str]) -> pd.Series[str]:
    """Return the league of rows of a summary: each rating is of one, and what has none is of the usual one."""
    return in_order_of_leagues(rating.map(lambda each: league_named(None, each)))


def _by_league(summary: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of each league, the usual one first: no sum and no picture has points of two."""
    return [(str(name), rows) for name, rows in summary.groupby(_league_of(summary["rating"]))]


def of_years(summary: pd.DataFrame, title: str = "Masterpoints per year") -> dict[str, Any] | None:
    """Return the picture of what was paid: a bar per year, a colour per class of game; None without dated games.

    summary: the rows of one league.
    """
    dated = summary[(summary["year"] > 0) & (summary["contestants"] > 0)]
    if dated.empty:
        return None
    sums = dated.groupby(["year", "rating"])["masterpoints"].sum().unstack(fill_value=0)
    colours = league().colours
    order = [*colours, *sorted(set(sums.columns) - set(colours))]
    sums = sums[[rating for rating in order if rating in sums]]
    axes = Axes(_every(summary), scale(0, max(1, int(sums.sum(axis=1).max())), AXIS_MARKS), height=320)
    bars = []
    for year, row in sums.iterrows():
        base = 0
        for rating, value in row.items():
            text = f"{year} {rating_name(str(rating))}: {value / 100:,.2f}"
            fill = colours.get(str(rating), OTHER)
            if value:
                bars.append(axes.bar(int(str(year)), base, base + int(value), fill=fill, text=text))
            base += int(value)
    legend = [(colours.get(rating, OTHER), rating_name(rating)) for rating in sums.columns]
    undated = int(summary.loc[summary["year"] == 0, "masterpoints"].sum())
    said = f"Not drawn: {undated / 100:,.2f} of games without a date." if undated else ""
    return axes.plot(title, bars, legend=legend, said=said)


def of_differences(summary: pd.DataFrame, rules: str | None) -> dict[str, Any] | None:
    """Return the picture of what another rulebook pays more or less than those of the day; None for no other.

    summary: the rows of one league, as a rulebook pays the games of one alone.
    """
    both = summary[(summary["year"] > 0) & (summary["in_force"] > 0)]
    if both.empty:
        return None
    sums: Mapping[Any, int] = both.groupby("year")["difference"].sum().astype("int64").to_dict()
    low, high = min(0, *sums.values()), max(0, *sums.values())
    axes = Axes(_every(summary), scale(low, max(high, low + 1), AXIS_MARKS), height=200)
    bars = []
    for year, value in sums.items():
        kind, text = "more" if value > 0 else "less", f"{year}: {value / 100:+,.2f}"
        if value:
            bars.append(axes.bar(int(year), min(value, 0), max(value, 0), kind=kind, text=text))
    said = "Of the games that both rulebooks are for; below the line it pays less."
    return axes.plot(f"What {rules} pays more than the rules of the day", bars, said=said)


def _every(summary: pd.DataFrame) -> range:
    years = summary.loc[summary["year"] > 0, "year"].astype("int64")
    return range(int(years.min()), int(years.max()) + 1)


def readable(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary as people read it.

    For each year and rating the sums come first, in a row without a stratum, which has the games and those that
    failed; then a row for each stratum. Masterpoints are decimal texts; columns that say nothing here are left out.
    """
    sums = summary.drop(columns="stratum").groupby(SUMMED_BY[:2], as_index=False).sum()
    strata = summary[summary["stratum"] != ""].drop(columns=["games", "failed"])
    frame = pd.concat([sums.assign(stratum=""), strata], ignore_index=True)
    frame = frame[list(summary.columns)].sort_values(SUMMED_BY, ignore_index=True)
    return _texts(frame, summary)


def by_year(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of each year, and of all, in the same way; of each league by itself, where there are several."""
    of = _league_of(summary["rating"])
    rows = summary.drop(columns=SUMMED_BY[1:]).assign(league=of)
    sums = rows.groupby(["year", "league"], as_index=False).sum()
    total = sums.drop(columns="year").groupby("league", as_index=False).sum()
    every = pd.concat([sums.astype({"year": "object"}), total.assign(year="all")], ignore_index=True)
    if every.empty:
        every = pd.concat([every, pd.DataFrame([{**dict.fromkeys(sums.columns, 0), "year": "all", "league": ""}])])
    found = _texts(every[list(sums.columns)], summary)
    return found if names_leagues(of) else found.drop(columns="league")


def _texts(frame: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    printed = ["printed", "printed_agree", "printed_masterpoints"]
    groups = {"printed": printed, "in_force": COMPARED, "failed": ["failed"]}
    frame = frame.drop(columns=[name for sign, group in groups.items() if not summary[sign].any() for name in group])
    for name in frame.columns.intersection(MASTERPOINT_SUMS):
        texts = ["-" * (each < 0) + decimal_text(abs(each)) for each in frame[name].tolist()]
        frame = frame.assign(**{name: pd.Series(texts, frame.index, dtype="str")})
    return frame


def printed_summary(
    summary: pd.DataFrame, to: str, provenance: Provenance | None = None, remarks: Mapping[str, int] | None = None
) -> str:
    """Return the summary in a format: ``text``, ``csv`` or ``json``.

    provenance: where it comes from, which only JSON says.
    remarks: what rulebooks remark on the awards, each with how many games it is said of; CSV does not say it.
    """
    frame = readable(summary).astype("object")
    if to == "csv":
        return _csv(frame)
    if to == "json":
        said = {PROVENANCE_KEY: provenance.entry()} if provenance else {}
        rows = row_dicts(frame.where(frame.notna(), None))
        told = [{"what": what, "games": count} for what, count in (remarks or {}).items()]
        return json_text({**said, "summary": rows, "remarks": told})
    notes = "".join(f"\n{_said(what, count)}\n" for what, count in (remarks or {}).items())
    return (frame.where(frame.notna(), "").to_string(index=False) + "\n" if len(frame) else "no games\n") + notes


@dataclass(frozen=True)
class Run:
    """What a summary sums up."""

    archive: str = ""  # where it is
    rules: str | None = None  # the rulebook for all games, None for that of each game's day
    where: str = ""  # the condition that the games fulfil, empty for all
    as_of: str = ""  # the time of the archive, empty for now
    strict: bool = False  # whether games that are doubtful are left out
    assumed: Mapping[str, str] = field(default_factory=dict)  # game keys for games that do not say them
    provenance: Provenance = field(default_factory=Provenance)  # what the archive held
    clubs: pd.DataFrame = field(default_factory=pd.DataFrame)  # rows of the table of clubs
    players: pd.DataFrame = field(default_factory=pd.DataFrame)  # of that of players
    rulebooks: pd.DataFrame = field(default_factory=pd.DataFrame)  # of that of rulebooks
    problems: pd.DataFrame = field(default_factory=pd.DataFrame)  # of that of what is wrong
    # What rulebooks remark on the awards, each with how many games it is said of.
    remarks: Mapping[str, int] = field(default_factory=dict)


def files(summary: pd.DataFrame, run: Run) -> dict[str, str]:
    """Return the page, ``summary.html``, and its tables, whole, as CSV, by the names of their files.

    The page needs nothing else: what it sums up, pictures of the years, and tables, which link to their CSV.
    """
    whole = {
        "years": by_year(summary),
        "clubs": _points(run.clubs),
        "players": _points(run.players),
        "rulebooks": _points(run.rulebooks),
        "strata": readable(summary),
        "problems": run.problems,
    }
    several = names_leagues(_league_of(summary["rating"]))
    plots = []
    for name, rows in _by_league(summary):
        of = f", {league_title(name)}" if several else ""
        plots += [of_years(rows, f"Masterpoints per year{of}"), of_differences(rows, run.rules)]
    picture = Markup("").join(markup("pages/plot.html", plot=plot) for plot in plots if plot)
    tables = [
        _table("years", "By year", _linked(whole["years"], run)),
        _barred(_first("rulebooks", "By rulebook", whole["rulebooks"]), run.rulebooks),
        _first("clubs", "By club", whole["clubs"]),
        _first("players", "By player", whole["players"]),
        _table("strata", "By year, rating and stratum", whole["strata"]),
        _first("problems", "Games that could not be awarded", _anchored(whole["problems"])),
    ]
    shown = Report(
        "Masterpoints by year",
        [table for table in tables if table],
        facts=_facts(run),
        lead=_lead(summary, run),
        picture=picture,
        remarks=[_said(what, count) for what, count in run.remarks.items()],
        provenance=run.provenance,
        landscape=True,
    )
    written = {_file(name): _csv(frame) for name, frame in whole.items() if len(frame)}
    return {**written, "summary.html": shown.page().decode()}


def _said(what: str, count: int) -> str:
    return f"{counted(count, 'game')}: {what}"


def _csv(frame: pd.DataFrame) -> str:
    there = frame.astype("object")
    return as_csv([str(name) for name in frame], there.where(there.notna(), None).to_numpy().tolist())


def _file(table: str) -> str:
    return f"summary-{table}.csv"


def _facts(run: Run) -> list[str]:
    said = {
        "Archive": run.archive,
        "Rules": run.rules or "those of each game's day",
        "Games": run.where or "all",
        "As of": run.as_of,
        "Left out": "games that are doubtful" if run.strict else "",
        "Assumed where a game does not say it": ", ".join(f"{key} = {value}" for key, value in run.assumed.items()),
    }
    return [f"{name}: {value}" for name, value in said.items() if value] if run.archive else []


def _lead(summary: pd.DataFrame, run: Run) -> str:
    games, contestants, failed = (int(summary[name].sum()) for name in ("games", "contestants", "failed"))
    points = {name: int(rows["masterpoints"].sum()) for name, rows in _by_league(summary)}
    said = f"{games:,} games, {contestants:,} contestants, {each_league(points or {usual_league(): 0})} masterpoints"
    if not failed:
        return said
    link = '<a href="#problems">{:,} could not be awarded</a>' if len(run.problems) else "{:,} could not be awarded"
    return Markup("{}; ").format(said) + Markup(link).format(failed)  # noqa: S704 - it is ours


def _points(frame: pd.DataFrame) -> pd.DataFrame:
    """Return sums of points as text; with their league, the usual one first, where not all are of that."""
    if frame.empty:
        return frame
    of = frame["league"] if "league" in frame else pd.Series(usual_league(), frame.index)
    found = frame.assign(masterpoints=masterpoints_text(frame["masterpoints"]))
    if not names_leagues(of):
        return found.drop(columns="league", errors="ignore")
    return found.loc[in_order_of_leagues(of).sort_values(kind="stable").index].reset_index(drop=True)


def _linked(years: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Return the years with links from how many games failed in each to what was wrong."""
    if "failed" not in years or run.problems.empty:
        return years
    shown = _years(run.problems.iloc[:_SHOWN])
    links = [
        Markup('<a href="#problems-{}">{}</a>').format(year, count) if count and str(year) in set(shown) else count
        for year, count in zip(years["year"], years["failed"], strict=True)
    ]
    return years.assign(failed=pd.Series(links, years.index, dtype="object"))


def _years(problems: pd.DataFrame) -> pd.Series[str]:
    return problems["date"].astype("str").str[:4].where(problems["date"].notna(), str(NO_YEAR))


def _anchored(problems: pd.DataFrame) -> pd.DataFrame:
    """Return the problems with an anchor at the first one of each year."""
    if problems.empty:
        return problems
    years = _years(problems)
    days = problems["date"].astype("object").where(problems["date"].notna(), "No date")
    first = ~years.duplicated()
    cells = [
        Markup('<span id="problems-{}">{}</span>').format(year, day) if is_first else day
        for year, day, is_first in zip(years, days, first, strict=True)
    ]
    return problems.assign(date=pd.Series(cells, problems.index, dtype="object"))


_SHOWN = 100
"""This many rows of long tables are on the page; all are in its CSV."""

_KINDS = {
    "Rating": "l",
    **dict.fromkeys(["Stratum", "Member", "League"], "w l"),
    **dict.fromkeys(["Club", "Event", "Source", "What", "Where", "Hint"], "l"),
}
"""The columns of the page that are texts."""


def _first(id: str, title: str, frame: pd.DataFrame) -> PageTable | None:
    """Return a table with the first rows of a long one, None where it has no rows."""
    return _table(id, title, frame.iloc[:_SHOWN], len(frame)) if len(frame) else None


def _barred(table: PageTable | None, points: pd.DataFrame) -> PageTable | None:
    """Return a table with a bar in each row: how much it is of the largest of its league. points: its rows."""
    if table is None:
        return None
    most = points.groupby("league")["masterpoints"].transform("max").clip(lower=1)
    bars = 100 * points["masterpoints"] / most
    rows = [
        PageRow([*row.cells[:1], "", *row.cells[1:]], bar=bar)
        for row, bar in zip(table.rows, bars.tolist(), strict=False)
    ]
    return replace(
        table, columns=[table.columns[0], PageColumn("Masterpoints paid", "bar often"), *table.columns[1:]], rows=rows
    )


def _table(id: str, title: str, frame: pd.DataFrame, rows: int = 0) -> PageTable:
    sums = pd.Series(False, frame.index)  # which rows are the sums of others
    if "stratum" in frame or "year" in frame:
        sums = frame["stratum"] == "" if "stratum" in frame else frame["year"] == "all"
    if "rating" in frame:
        frame = frame.assign(rating=frame["rating"].map(rating_name))
    if "league" in frame:
        frame = frame.assign(league=frame["league"].map(league_title))
    if "year" in frame:
        frame = frame.assign(year=frame["year"].astype("object").replace(NO_YEAR, "No date"))
    if id == "clubs":
        frame = frame.assign(club=frame["club"].replace("", "No club"))
    cells = frame.astype("object").where(frame.notna(), "").to_numpy()
    heads = [name.replace("_", " ").capitalize() for name in frame.columns]
    kind = "n" if id in {"clubs", "players", "rulebooks"} else "k"
    columns = [PageColumn(heads[0], kind), *(PageColumn(head, _KINDS.get(head, ""), head) for head in heads[1:])]
    link = Markup('<a href="{}" download>CSV</a>').format(_file(id))
    note = Markup("the first {:,} of {:,}; all as {}").format(len(frame), rows, link) if rows > len(frame) else link
    page_rows = [PageRow(list(row), "total" if sum else "") for sum, row in zip(sums, cells, strict=True)]
    return PageTable(id, title, columns, page_rows, note)
