"""A page per game: readable on a phone, printable, with every award explained and the field drawn.

Tables are real ones with headings and scopes; an award opens to its explanation, below its row. Everything from a file
is escaped. Below the games are the remarks on what is doubtful, and the rulebooks. As a fragment it goes into a page of
a club's own site; see :mod:`resultproc.pages.design`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any, NamedTuple

import pandas as pd

from resultproc.formats.html.grids import recaps_of, rounds_of
from resultproc.formats.html.parted import parted
from resultproc.formats.html.picture import Dot, Picture, picture
from resultproc.formats.html.scorecards import BoardPages, boards_of
from resultproc.formats.html.standings import List, lists
from resultproc.formats.registry import Sealed, Writer
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import quoted
from resultproc.model.frames import FrameRow, Result
from resultproc.model.game import EventType
from resultproc.model.language import in_words
from resultproc.model.numbers import ordinal
from resultproc.model.provenance import RulebookValue, Values
from resultproc.model.whose_points import in_points, leagues_of
from resultproc.pages import words
from resultproc.pages.design import anchors, finder, render
from resultproc.pages.matches import MEANING, Drawn, brackets


class PaidPlace(NamedTuple):
    """A place and what it pays."""

    award: str  # in words, ``nothing`` where it is not paid
    place: str  # which one, such as ``2nd of 9 pairs in the section``
    how: str  # the factors that the award was computed by, empty where it is not paid


@dataclass(frozen=True)
class Why:
    """The places of a contestant, the one that made the award first, and the paragraphs that say so."""

    places: list[PaidPlace]
    rules: str


def explanations(result: Result) -> dict[int, Why]:
    """Return by contestant why it won what it won; who won nothing has no explanation."""
    candidates = result.candidates
    if not len(candidates):
        return {}
    kinds = [words.contestant_kind(game) for game in row_dicts(result.games)]
    several = set(result.standings.loc[result.standings["level"] > 0, "game"])
    of = leagues_of(result.games).to_numpy()[candidates["game"]]
    amounts = map(in_points, candidates["masterpoints"], of)
    places: dict[int, list[PaidPlace]] = {}
    values: dict[int, list[RulebookValue]] = {}
    rows = result.standings[_COLUMNS][result.standings["contestant"].isin(candidates["contestant"])]
    unpaid = {
        (row["contestant"], row["basis"], row["stratum"]): row
        for row in row_dicts(rows.sort_values(["basis", "level"]))
    }
    for row, amount in zip(row_dicts(candidates[_PAID]), amounts, strict=True):
        at = row["contestant"]
        standing = unpaid.pop((at, row["basis"], row["stratum"]), {**row, "ranked": row["size"]})
        kind, said = kinds[row["game"]], places.setdefault(at, [])
        place = words.place_in_words(standing, kind, row["game"] in several)
        # The first of them is the award, which is told as a whole sentence.
        why = "" if said else words.reason(row, kind)
        said.append(PaidPlace(amount, "; ".join(filter(None, [place, why])), row["factors"]))
        values.setdefault(at, []).extend(row["values"].items)
    for (at, *_), row in unpaid.items():
        place = words.place_in_words(row, kinds[row["game"]], row["game"] in several)
        places[at].append(PaidPlace("nothing", place, ""))
    return {at: Why(each, Values.of(values[at]).rule) for at, each in places.items()}


_COLUMNS = ["game", "contestant", "basis", "stratum", "level", "ranked", "position", "tied"]
_PAID = ["game", "contestant", "basis", "stratum", "size", "position", "tied", "values", "factors"]


def write(result: Result, *, fragment: bool = False, recap: bool = False) -> bytes:
    """Return the page of the games.

    fragment: whether it is a part for a page of a club's own site.
    recap: whether it has the grids of contestants by boards, too.
    """
    games: list[dict[str, Any]] = []
    at = anchors(",".join(result.games["game_id"]), fragment)
    boards = boards_of(result, at)
    recaps = recaps_of(result, at, {game: each.cards for game, each in boards.items()}) if recap else {}
    matches = rounds_of(result, at)
    own = dict(iter(result.contestants.groupby("game_id", sort=False)))
    remarks = quoted(result.remarks)
    sealing = ""
    if result.seal:
        from resultproc.formats.html.sealed import script

        sealing = script(result.seal)
    for number, (game, each) in enumerate(zip(row_dicts(result.games), lists(result), strict=True)):
        contestants = own.get(game["game_id"], result.contestants.iloc[:0])
        played = boards.get(number, BoardPages({}, {}))
        pictures = _pictures(each)
        rounds = matches.get(game["game_id"], {})
        games.append(
            {
                "id": f"g{number + 1}-",
                "club": words.club_of(game),
                "heading": words.heading(game),
                "when": words.when(game),
                "facts": words.game_facts(game, contestants),
                "lists": list(zip(each, pictures, _drawn(game, contestants, each), strict=True)),
                "printed": _fitted_to_paper(each, sum(one is not None for one in pictures), remarks)
                if len(each) > 1
                else None,
                "recap": recaps.get(number),
                "rounds": rounds,
                "cards": played.cards,
                "own": _stood(each, pictures) if played.cards else {},
                "travellers": played.travellers,
            }
        )
    rows, why = sum(map(_rows, games)), explanations(result)
    lines = [line for game in games for each, *_ in game["lists"] for line in each.lines]
    marks = {mark for line in lines for cell in line.ranks for mark in cell.kind.split()}
    return render(
        "formats/html/page.html",
        fragment=fragment,
        folded=rows > _MOST_ROWS,
        script=finder(len(result.contestants))
        + ("formats/html/unfold.js",) * (rows > _MOST_ROWS)
        + ("formats/html/scorecards.js",) * any(each.cards for each in boards.values()),
        at=at,
        title=_title(result.games),
        shaded="won" in marks,
        bold=not marks.isdisjoint({"won", "p"}),
        about="; ".join(fact for game in games[:1] for fact in game["facts"]),
        games=games,
        broad=bool(recaps),
        why=why,
        letters=words.letters(place.how for each in why.values() for place in each.places),
        shown=set(),
        told=set(),
        meaning=MEANING,
        remarks=remarks,
        provenance=result.provenance,
        seal=result.seal,
        sealing=sealing,
    )


_MOST_ROWS = 1500
"""Of more rows of boards and scorecards, which are some 700 KB, a page is folded: they are text until they are asked
for, and without scripts they are there as elsewhere."""


def _rows(game: Mapping[str, Any]) -> int:
    """Return how many rows the scorecards, boards and matches of a game have."""
    boards = [sheet for sheets in game["travellers"].values() for sheet in sheets]
    return sum(len(sheet.table.rows) for sheet in (*game["cards"].values(), *game["rounds"].values(), *boards))


class Stood(NamedTuple):
    """How a contestant stood, above its scorecard."""

    said: str  # its place in each stratum, and its award
    list: int  # which list of the game it is in; field, dot: the picture of that, and its own dot there, None for none
    field: Picture | None
    dot: Dot | None


def _stood(each: Sequence[List], pictures: Sequence[Picture | None]) -> dict[int, Stood]:
    """Return how each contestant stood in the first list that it is in."""
    found: dict[int, Stood] = {}
    for number, (one, field) in enumerate(zip(each, pictures, strict=True)):
        dots = {dot.at: dot for dot in field.dots} if field else {}
        ranked = Counter(letter for line in one.lines for letter in line.places)
        for line in one.lines:
            said = [
                f"{rank.text if '/' in rank.text else ordinal(rank.position)} of {ranked[letter]}"
                + (f" in {letter}" if len(ranked) > 1 else "")
                for letter, rank in line.places.items()
                if rank.position
            ]
            parts = [f"{amount} {colour}".strip() for amount, colour in line.parts]
            award = [f"{' and '.join(parts)} masterpoints"] if parts else []
            found.setdefault(line.at, Stood(" · ".join([*said, *award]), number, field, dots.get(line.at)))
    return found


def _title(games: pd.DataFrame) -> str:
    """Return what tells a page from others: what its games are called, and their day and club, if they share these."""
    each = row_dicts(games)
    headings = dict.fromkeys(map(words.heading, each))
    days = {in_words(words.day(game["date"])) if not pd.isna(game["date"]) else "" for game in each}
    clubs = set(map(words.club_of, each))
    shared = [next(iter(said)) for said in (days, clubs) if len(said) == 1]
    return ", ".join(filter(None, (*headings, *shared))) or in_words("Results")


def _unseal(data: bytes) -> list[Sealed]:
    from resultproc.formats.html.sealed import unseal

    return unseal(data)


class _Printed(NamedTuple):
    """How a game is printed: the size of its letters in points, and whether with the pictures of its fields."""

    points: float
    pictures: bool


def _fitted_to_paper(each: Sequence[List], pictures: int, remarks: Sequence[object] = ()) -> _Printed | None:
    """Return how a game of several lists gets on one sheet of paper; None where it does anyway, or cannot."""
    rows = sum(len(one.lines) for one in each)
    deep = sum(any(group for group, _ in one.groups) for one in each)
    high = _HEAD + len(each) * _LIST + deep * _GROUPS + rows * _ROW
    told = sum(ceil(len(str(remark)) / _LETTERS) * _LINE for remark in remarks) + _REMARKS * bool(remarks)
    for shown in (True, False) if pictures else (True,):
        for points in (9.0, 8.5, 8.0):
            if high * points + rows * _RULE + pictures * shown * _PICTURE + told <= _PAPER:
                return _Printed(points, shown) if (points, shown) != (9.0, True) else None
    return None


_HEAD, _LIST, _GROUPS, _ROW = 13.0, 5.3, 1.4, 1.55
"""How high what is above and below the lists of a game is on paper, what is above each list and above its columns of
ranks, and a row, in em."""

_RULE, _PICTURE, _PAPER = 0.75, 80.0, 724.0
"""How high the line below a row is, a picture, and what a sheet of Letter has room for, in points."""

_REMARKS, _LINE, _LETTERS = 18.0, 13.0, 105
"""How high the heading of the remarks is, and a line of them, in points; how many letters a line has."""


def _drawn(game: FrameRow, contestants: pd.DataFrame, each: Sequence[List]) -> list[Sequence[Drawn]]:
    """Return the bracket of each list of a knockout, nothing of other lists."""
    if game["event_type"] != EventType.KNOCKOUT:
        return [()] * len(each)
    found = brackets(contestants)
    return [found.get(contestants["section"][one.lines[0].at], ()) for one in each]


def _pictures(each: Sequence[List]) -> list[Picture | None]:
    """Return the pictures of lists: of the overall list alone where everyone is in it."""
    everyone = {line.at for one in each for line in one.lines}
    first = {line.at for one in each[:1] for line in one.lines}
    count = 1 if first == everyone else len(each)
    return [picture(one) if i < count else None for i, one in enumerate(each)]


WRITER = Writer(
    "html",
    "web page",
    (".html", ".htm"),
    write,
    boards=True,
    page=True,
    unseal=_unseal,
    recap=partial(write, recap=True),
    parted=parted,
)

FRAGMENT = Writer(
    "html-fragment",
    "web page fragment",
    (".fragment.html",),
    partial(write, fragment=True),
    boards=True,
    page=True,
    unseal=_unseal,
    recap=partial(write, fragment=True, recap=True),
)
