"""Who is in some games: how each contestant is called, its players and its award, for want of a name to explain."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd

from resultproc.formats.common.pages import Column, Row, Table, tables_page
from resultproc.formats.common.words import heading
from resultproc.model.arrays import family_columns
from resultproc.model.frames import Result
from resultproc.model.values import cell_text, decimal_text
from resultproc.reports.explain.explain import labels


def _listed(result: Result, game_id: str | None) -> dict[str, pd.DataFrame]:
    """Return the contestants of each game, or of one, by game_id: ``name``, ``players`` and ``masterpoints``."""
    assert result.awards is not None
    columns = family_columns(result.contestants)
    names = result.contestants[columns].fillna("").map(cell_text)
    frame = pd.DataFrame(
        {
            "game_id": result.contestants["game_id"],
            "name": labels(result.contestants),
            "players": [[name for name in row if name] for row in names.to_numpy().tolist()],
            "masterpoints": result.awards["masterpoints"].map(decimal_text).to_numpy(),
        }
    )
    return {str(name): rows for name, rows in frame.groupby("game_id", sort=False) if game_id in (None, name)}


def text(result: Result, game_id: str | None = None) -> str:
    """Return a line for each contestant, below its game where there are several."""
    games = _listed(result, game_id)
    lines = []
    for name, rows in games.items():
        width = int(rows["name"].str.len().max())
        lines += [f"{name}:"] if len(games) > 1 else []
        for row in rows.to_dict("records"):
            award = row["masterpoints"] if row["masterpoints"] != "0.00" else ""
            lines.append(f"{row['name']:{width}}  {award:>6}  {' - '.join(row['players'])}")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def to_json(result: Result, game_id: str | None = None) -> str:
    """Return the same as JSON."""
    games = [
        {"game_id": name, "contestants": rows.drop(columns="game_id").to_dict("records")}
        for name, rows in _listed(result, game_id).items()
    ]
    return json.dumps({"provenance": result.provenance.entry(), "games": games}, ensure_ascii=False, indent=1) + "\n"


def html(result: Result, game_id: str | None = None, *, fragment: bool = False) -> str:
    """Return the same as a page."""
    columns = [Column("Contestant"), Column("Players", "n"), Column("Masterpoints", "a")]
    titles: Mapping[str, str] = {game["game_id"]: heading(game) for game in result.games.to_dict("records")}
    tables = []
    for number, (name, rows) in enumerate(_listed(result, game_id).items(), 1):
        listed = [Row([row["name"], ", ".join(row["players"]), row["masterpoints"]]) for row in rows.to_dict("records")]
        tables.append(Table(f"game{number}", titles[name], columns, listed))
    return tables_page("Who is there", tables, fragment=fragment, provenance=result.provenance).decode()


LISTINGS: dict[str, Callable[[Result, str | None], str]] = {
    "text": text,
    "json": to_json,
    "html": html,
    "html-fragment": partial(html, fragment=True),
}
