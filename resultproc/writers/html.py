"""A page per game: readable on a phone, printable, with every award explained and the field drawn.

The page stands alone: no file, font or script from elsewhere. Tables are real tables with captions and scopes; their
columns sort by a few lines of script; an award opens to its explanation. Everything from a file is escaped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd

from resultproc.formats import Writer
from resultproc.frames import CONTESTANTS, Result
from resultproc.game import number_text
from resultproc.writers.annotated import annotated, masterpoints_text

_WIDTH, _HEIGHT, _MARGIN = 640, 70, 12

_RANKS = {"printed_section": "", "printed_overall": "overall "}


@dataclass(frozen=True)
class Line:
    """A contestant's line: its cells, and why it was awarded what it was."""

    number: str
    names: str
    stratum: str
    percentage: str
    score: str
    ranks: list[str]
    award: str
    why: list[str]


@dataclass(frozen=True)
class Dot:
    """A contestant in the picture of the field: where it stands, whether it is paid, and what is said of it."""

    x: float
    paid: bool
    title: str


@dataclass(frozen=True)
class Block:
    """A section and direction: its caption, the headings of its ranks, its lines and its picture.

    cut: where in the picture the awards of the whole field end, None where none is known.
    """

    caption: str
    ranks: list[str]
    lines: list[Line]
    dots: list[Dot]
    cut: float | None


def write(result: Result) -> bytes:
    """Return the page of the games, each with a block per section and direction."""
    frame = annotated(result)
    why = _explanations(result)
    games = []
    for game in result.games.to_dict("records"):
        here = frame[frame["game_id"] == game["game_id"]]
        groups = here.groupby(["section", "direction"], dropna=False, sort=False)
        blocks = [_block(str(section), direction, rows, why) for (section, direction), rows in groups]
        games.append({"heading": _heading(game), "facts": _facts(game), "blocks": blocks})
    title = ", ".join(dict.fromkeys(str(game["heading"]) for game in games)) or "Results"
    page: str = template("page.html").render(title=title, games=games, width=_WIDTH, height=_HEIGHT)
    return page.encode("utf-8", "replace")


@cache
def template(name: str) -> Any:
    """Return a template of this package; what is put into it is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("resultproc.writers", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _heading(game: dict[Any, Any]) -> str:
    day = None if pd.isna(game["date"]) else f"{game['date'].day} {game['date']:%B %Y}"
    parts = [game["event"], game["session"], day]
    return " · ".join(str(part) for part in parts if not pd.isna(part)) or str(game["game_id"])


def _facts(game: dict[Any, Any]) -> list[tuple[str, str]]:
    """Return what a reader of the sheet wants to know of the game."""
    names = ("club", "rating", "tables", "strata", "limit", "special", "rulebook")
    values = {name: game[name] for name in names if not pd.isna(game[name])}
    return [
        (name, number_text(v) if isinstance(v, float) else str(v)) for name, v in values.items() if v != float("inf")
    ]


def _explanations(result: Result) -> dict[int, list[str]]:
    """Return what is said of each contestant's awards, the one that it gets first."""
    said: dict[int, list[str]] = {}
    candidates = result.candidates
    amounts = masterpoints_text(candidates["masterpoints"])
    for row, amount in zip(candidates.to_dict("records"), amounts, strict=True):
        place = f"{row['position']}" if row["tied"] == 1 else f"{row['position']}/{row['position'] + row['tied'] - 1}"
        text = f"{amount}: {row['basis']} {row['stratum']}, {place} of {row['size']}; {row['factors']}. {row['rule']}"
        said.setdefault(row["contestant"], []).append(text)
    return said


def _block(section: str, direction: object, rows: pd.DataFrame, why: dict[int, list[str]]) -> Block:
    caption = f"Section {section}" + (f" {direction}" if isinstance(direction, str) else "")
    headings = [
        (column, before, letter)
        for column, before in _RANKS.items()
        for letter in sorted({letter for text in rows[column].dropna() for letter in _ranks(text)})
    ]
    lines = [
        _line(int(str(at)), row, headings, why) for at, row in zip(rows.index, rows.to_dict("records"), strict=True)
    ]
    dots, cut = _picture(rows)
    return Block(caption, [f"{before}{letter}" for _, before, letter in headings], lines, dots, cut)


def _ranks(text: object) -> dict[str, str]:
    """Return the rank in each stratum of a text such as ``A=1/2, B=1``."""
    return dict(part.split("=", 1) for part in text.split(", ")) if isinstance(text, str) else {}


def _line(at: int, row: dict[Any, Any], headings: list[tuple[str, str, str]], why: dict[int, list[str]]) -> Line:
    award = "" if pd.isna(row["printed_award"]) else f"{row['printed_award'] / 100:.2f}"
    if award and isinstance(row["printed_paid_by"], str):
        award += f" ({row['printed_paid_by']})"
    names = " – ".join(str(row[name]) for name in row if _is_player(name) and isinstance(row[name], str))
    return Line(
        number=str(row["number"]),
        names=names if row["eligible"] else f"{names} (not eligible)",
        stratum="" if pd.isna(row["stratum"]) else str(row["stratum"]),
        percentage="" if pd.isna(row["percentage"]) else f"{row['percentage']:.2f}",
        score="" if pd.isna(row["score"]) else f"{row['score']:.2f}",
        ranks=[_ranks(row[column]).get(letter, "") for column, _, letter in headings],
        award=award,
        why=why.get(at, []),
    )


def _is_player(name: str) -> bool:
    column = CONTESTANTS.column(name)
    return column is not None and column.name == "player{n}"


def _picture(rows: pd.DataFrame) -> tuple[list[Dot], float | None]:
    """Return the field from the lowest to the highest score, and where its awards end."""
    values = rows["percentage"] if rows["percentage"].notna().all() else rows["score"]
    shown = rows.assign(value=values, paid=rows["printed_award"].fillna(0) > 0).dropna(subset="value")
    low, high = shown["value"].min(), shown["value"].max()
    if len(shown) < 2 or low == high:
        return [], None
    shown["x"] = _MARGIN + (shown["value"] - low) / (high - low) * (_WIDTH - 2 * _MARGIN)
    dots = [
        Dot(float(row["x"]), bool(row["paid"]), f"{row['number']}: {row['value']:.2f}")
        for row in shown.to_dict("records")
    ]
    ranked = shown[shown["eligible"]].sort_values("value", ascending=False)
    top = [text for text in ranked["printed_section"].dropna() if text]
    if not top:
        return dots, None
    letter = min(letter for text in top for letter in _ranks(text))
    paid = ranked["printed_section"].map(lambda text: letter in _ranks(text)).to_numpy(dtype=bool)
    if not paid.any() or paid.all():
        return dots, None
    last = ranked["x"].to_numpy()[paid].min()
    below = ranked["x"].to_numpy()[~paid]
    return dots, float((last + below[below <= last].max(initial=0)) / 2)


WRITER = Writer("html", "web page", (".html", ".htm"), write)
