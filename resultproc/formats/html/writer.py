"""A page per game: readable on a phone, printable, with every award explained and the field drawn.

The page is self-contained: no file, font or script from elsewhere. Tables are real ones with captions and scopes; their
columns sort by a few lines of script; an award opens to its explanation. Everything from a file is escaped.
Below the games are the remarks on what is doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from resultproc.formats.common.annotated import annotated, masterpoints_text
from resultproc.formats.common.pages import template
from resultproc.formats.registry import Writer
from resultproc.formats.text.listing import called, last_seat, name_of
from resultproc.model.columns import SHOWN, Column
from resultproc.model.errors import quoted
from resultproc.model.frames import CONTESTANTS, Result, knockouts, players
from resultproc.model.game import OPEN
from resultproc.model.keys import KEYS
from resultproc.model.values import decimal_text

_WIDTH, _HEIGHT, _MARGIN = 640, 70, 12

_Row = Mapping[Hashable, Any]

_COLUMNS = [CONTESTANTS.declared("stratum"), *SHOWN]
"""What is between names and award, in order."""

_RANKS = {column.name: column for column in CONTESTANTS.columns if column.per_stratum}


@dataclass(frozen=True)
class Shown:
    """A column between names and award: the contestants' column that fills it, and how it is headed.

    declared: as which its values are. letter: of ranks, the stratum. phone: the heading where there is little room,
    empty where the column is left out.
    """

    name: str
    declared: Column
    heading: str
    phone: str
    letter: str = ""


@dataclass(frozen=True)
class Player:
    """A player of a contestant, with its own award where the players of the team have different ones."""

    name: str
    award: str


@dataclass(frozen=True)
class Line:
    """A contestant's line: its players and cells, and why it was awarded what it was.

    matches: of a knockout, all that it played, for where there is no room for a column of each round.
    """

    number: str
    players: list[Player]
    eligible: bool
    matches: str
    cells: list[str]
    award: str
    why: list[str]


@dataclass(frozen=True)
class Dot:
    """A contestant in the picture of the field: where it is, whether it is paid, and what is said of it."""

    x: float
    paid: bool
    title: str


@dataclass(frozen=True)
class Block:
    """A section and direction, or a bracket of a knockout: its caption, its lines and its picture.

    cut: where in the picture the awards of the whole field end, None where none is known.
    """

    caption: str
    lines: list[Line]
    dots: list[Dot]
    cut: float | None


def write(result: Result) -> bytes:
    """Return the page of the games, each with a block per section and direction."""
    frame = annotated(result)
    why = _explanations(result)
    games = []
    for game, knockout in zip(result.games.to_dict("records"), knockouts(result.games), strict=True):
        here = frame[frame["game_id"] == game["game_id"]]
        columns = _columns(here)
        blocks = []
        for (section, direction), rows in here.groupby(["section", "direction"], dropna=False, sort=False):
            words = ["Bracket" if knockout else "Section", section, direction]
            caption = " ".join(word for word in words if isinstance(word, str))
            each = zip(rows.index, rows.to_dict("records"), strict=True)
            lines = [_line(row, columns, why.get(at, [])) for at, row in each]
            blocks.append(Block(caption, lines, *_picture(rows)))
        texts = {"heading": _heading(game), "facts": _facts(game), "called": called(game)}
        games.append({**texts, "columns": columns, "blocks": blocks})
    title = ", ".join(dict.fromkeys(str(game["heading"]) for game in games)) or "Results"
    page: str = template("formats/html/page.html").render(
        title=title, games=games, remarks=quoted(result.remarks), width=_WIDTH, height=_HEIGHT
    )
    return page.encode("utf-8", "replace")


def _heading(game: dict[Any, Any]) -> str:
    day = None if pd.isna(game["date"]) else f"{game['date'].day} {game['date']:%B %Y}"
    parts = [game["event"], game["session"], day]
    return " · ".join(str(part) for part in parts if not pd.isna(part)) or str(game["game_id"])


def _facts(game: dict[Any, Any]) -> list[tuple[str, str]]:
    """Return what a reader of the sheet wants to know of the game."""
    shown = [key for key in KEYS.values() if key.on_page and not pd.isna(game[key.name])]
    return [(key.name, key.shown(game[key.name])) for key in shown if game[key.name] != OPEN]


def _explanations(result: Result) -> dict[Hashable, list[str]]:
    """Return what is said of each contestant's awards, the one that it gets first."""
    said: dict[Hashable, list[str]] = {}
    candidates = result.candidates
    amounts = masterpoints_text(candidates["masterpoints"])
    for row, amount in zip(candidates.to_dict("records"), amounts, strict=True):
        place = f"{row['position']}" if row["tied"] == 1 else f"{row['position']}/{row['position'] + row['tied'] - 1}"
        standing = f", {place} of {row['size']}" if row["position"] else ""  # no place is known of an earlier session
        text = f"{amount}: {row['basis']} {row['stratum']}{standing}; {row['factors']}. {row['rule']}"
        said.setdefault(row["contestant"], []).append(text)
    return said


def _columns(contestants: pd.DataFrame) -> list[Shown]:
    """Return the columns of a game: those that hold anything, and the stratum where there are several."""
    columns = []
    unsaid = {"score"} if contestants["percentage"].isna().any() else set()
    for declared in _COLUMNS:
        for name in players(contestants, declared.family) if declared.numbered else [declared.name]:
            if contestants[name].nunique(dropna=name != "stratum") > (name == "stratum"):
                heading = f"{declared.on_page} {name.removeprefix(declared.family)}".strip()
                columns.append(Shown(name, declared, heading, heading if declared.on_phone or name in unsaid else ""))
    letters = {name: sorted({letter for text in contestants[name] for letter in _ranks(text)}) for name in _RANKS}
    both = all(letters.values())
    for name, declared in _RANKS.items():
        # On a phone there is no room for more than a letter: none where it can be missed, of ranks in the section.
        short = declared.heading[0] if both or name == "printed_overall" else ""
        columns += [
            Shown(name, declared, f"{declared.per_stratum} {letter}".strip(), short + letter, letter)
            for letter in letters[name]
        ]
    return columns


def _ranks(text: object) -> dict[str, str]:
    """Return the rank in each stratum of a text such as ``A=1/2, B=1``; of any other text, the text under ''."""
    if not isinstance(text, str):
        return {}
    parts = [re.fullmatch("([A-Z])=(.+)", part) for part in text.split(", ")]
    return {part[1]: part[2] for part in parts if part} if all(parts) else {"": text}


def _line(row: _Row, columns: list[Shown], why: list[str]) -> Line:
    award: str = "" if pd.isna(row["printed_award"]) else decimal_text(int(row["printed_award"]))
    if award and isinstance(row["printed_paid_by"], str):
        award += f" ({row['printed_paid_by']})"
    rounds = [
        str(row[column.name]) for column in columns if column.declared.name == "round{n}" and _is(row[column.name])
    ]
    return Line(
        number=str(row["number"]),
        players=_players(row),
        eligible=bool(row["eligible"]),
        matches=", ".join([*rounds, *([f"playoff {row['playoff']}"] if _is(row["playoff"]) else [])]),
        cells=[_cell(row, column) for column in columns],
        award=award,
        why=why,
    )


def _players(row: _Row) -> list[Player]:
    """Return the players of a contestant, with their own awards where not all get the printed one."""
    seats = range(1, last_seat(row, "player") + 1)
    own = {seat: int(row[name]) for seat in seats if _is(row.get(name := f"printed_share{seat}"))}
    of_team = int(row["printed_award"]) if _is(row["printed_award"]) else 0
    texts = {seat: decimal_text(award) for seat, award in own.items()} if set(own.values()) - {of_team} else {}
    return [Player(name_of(row, seat), texts.get(seat, "")) for seat in seats if name_of(row, seat)]


def _cell(row: _Row, column: Shown) -> str:
    value = row[column.name]
    if column.declared.per_stratum:
        return _ranks(value).get(column.letter, "")
    return column.declared.kind.page(value) if _is(value) else ""


def _is(value: Any) -> bool:
    """Say whether there is a value in a cell."""
    return value is not None and not pd.isna(value)


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
