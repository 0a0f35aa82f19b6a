"""A page per game: readable on a phone, printable, with every award explained and the field drawn.

Tables are real ones with headings and scopes; an award opens to its explanation, below its row. Everything from a file
is escaped. Below the games are the remarks on what is doubtful, and the rulebooks. As a fragment it goes into a page of
a club's own site; see :mod:`resultproc.formats.common.pages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd

from resultproc.formats.common import words
from resultproc.formats.common.pages import anchors, render
from resultproc.formats.html.boards import boards_of
from resultproc.formats.html.lists import List, lists
from resultproc.formats.html.picture import Picture, picture
from resultproc.formats.html.why import explanations
from resultproc.formats.registry import Writer
from resultproc.model.errors import quoted
from resultproc.model.frames import Result


@dataclass(frozen=True)
class _Pictured(List):
    """A list with its picture, where there is one."""

    picture: Picture | None = None


def write(result: Result, *, fragment: bool = False) -> bytes:
    """Return the page of the games; or a fragment, for a page of a club's own site."""
    games = []
    at = anchors(",".join(result.games["game_id"]), fragment)
    boards = boards_of(result, at)
    own = dict(iter(result.contestants.groupby("game_id", sort=False)))
    for number, (game, each) in enumerate(zip(result.games.to_dict("records"), lists(result), strict=True)):
        contestants = own.get(game["game_id"], result.contestants.iloc[:0])
        games.append(
            {
                "id": f"g{number + 1}-",
                "club": "" if pd.isna(game["club"]) else game["club"],
                "heading": words.heading(game),
                "when": words.when(game),
                "facts": words.facts(game, contestants),
                "lists": _pictured(each),
                "cards": boards[number].cards if number in boards else {},
                "travellers": boards[number].travellers if number in boards else {},
            }
        )
    named = result.games["rulebook"].dropna().unique()
    return render(
        "formats/html/page.html",
        fragment=fragment,
        at=at,
        title=", ".join(dict.fromkeys(str(game["heading"]) for game in games)) or "Results",
        games=games,
        why=explanations(result),
        shown=set(),
        remarks=quoted(result.remarks),
        rulebooks=[(result.rulebooks.get(name, "the rulebook"), name) for name in named],
    )


def _pictured(each: list[List]) -> list[_Pictured]:
    """Return the lists with their pictures: one of the overall list where everyone is in it, else one of each."""
    everyone = {line.at for one in each for line in one.lines}
    first = {line.at for one in each[:1] for line in one.lines}
    count = 1 if first == everyone else len(each)
    return [_Pictured(**vars(one), picture=picture(one) if i < count else None) for i, one in enumerate(each)]


WRITER = Writer("html", "web page", (".html", ".htm"), write, boards=True, page=True)

FRAGMENT = Writer(
    "html-fragment", "web page fragment", (".fragment.html",), partial(write, fragment=True), boards=True, page=True
)
