"""A page per game: readable on a phone, printable, with every award explained and the field drawn.

Tables are real ones with headings and scopes; an award opens to its explanation, below its row. Everything from a file
is escaped. Below the games are the remarks on what is doubtful, and the rulebooks. As a fragment it goes into a page of
a club's own site; see :mod:`resultproc.formats.common.pages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from resultproc.formats.common import words
from resultproc.formats.common.pages import anchors, render
from resultproc.formats.common.sealed import Sealed
from resultproc.formats.html.boards import Boards, boards_of
from resultproc.formats.html.lists import List, lists
from resultproc.formats.html.picture import Picture, picture
from resultproc.formats.html.why import explanations
from resultproc.formats.registry import Writer
from resultproc.model.errors import quoted
from resultproc.model.frames import Result


def write(result: Result, *, fragment: bool = False) -> bytes:
    """Return the page of the games; or a fragment, for a page of a club's own site."""
    games = []
    rooms: set[str] = set()
    at = anchors(",".join(result.games["game_id"]), fragment)
    boards = boards_of(result, at)
    own = dict(iter(result.contestants.groupby("game_id", sort=False)))
    for number, (game, each) in enumerate(zip(result.games.to_dict("records"), lists(result), strict=True)):
        contestants = own.get(game["game_id"], result.contestants.iloc[:0])
        played = boards.get(number, Boards({}, {}))
        rooms |= {one.room for one in each} | played.rooms
        games.append(
            {
                "id": f"g{number + 1}-",
                "club": "" if pd.isna(game["club"]) else game["club"],
                "heading": words.heading(game),
                "when": words.when(game),
                "facts": words.facts(game, contestants),
                "lists": list(zip(each, _pictures(each), strict=True)),
                "cards": played.cards,
                "travellers": played.travellers,
            }
        )
    return render(
        "formats/html/page.html",
        fragment=fragment,
        at=at,
        rooms=rooms,
        title=", ".join(dict.fromkeys(str(game["heading"]) for game in games)) or "Results",
        games=games,
        why=explanations(result),
        shown=set(),
        remarks=quoted(result.remarks),
        provenance=result.provenance,
        seal=result.seal,
        sealing=_script(result),
    )


def _script(result: Result) -> str:
    if not result.seal:
        return ""
    from resultproc.formats.html.sealed import script

    return script(result.seal)


def _unseal(data: bytes) -> list[Sealed]:
    from resultproc.formats.html.sealed import unseal

    return unseal(data)


def _pictures(each: Sequence[List]) -> list[Picture | None]:
    """Return the pictures of lists: of the overall list alone where everyone is in it."""
    everyone = {line.at for one in each for line in one.lines}
    first = {line.at for one in each[:1] for line in one.lines}
    count = 1 if first == everyone else len(each)
    return [picture(one) if i < count else None for i, one in enumerate(each)]


WRITER = Writer("html", "web page", (".html", ".htm"), write, boards=True, page=True, unseal=_unseal)

FRAGMENT = Writer(
    "html-fragment",
    "web page fragment",
    (".fragment.html",),
    partial(write, fragment=True),
    boards=True,
    page=True,
    unseal=_unseal,
)
