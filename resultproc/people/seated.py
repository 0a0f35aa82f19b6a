"""The contestants and players of a result: how each is called and found, and who sat where, a row for each player."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError, closest
from resultproc.model.frames import COLOURS, AwardedResult, FrameRow, Result, Sheet
from resultproc.model.text import cell_text
from resultproc.people.aliases import Aliases
from resultproc.people.decades import spellings
from resultproc.people.identity import Identities, identify, seats_of, usual_texts
from resultproc.people.spelling import plain_name, plain_number


def people(
    games: pd.DataFrame,
    contestants: pd.DataFrame,
    identified: Callable[[pd.DataFrame], Identities] = identify,
    said: Aliases | None = None,
    *,
    unsure: bool = False,
) -> tuple[pd.DataFrame, Identities]:
    """Return a row per player of each contestant, and who that is, by the rules of :mod:`resultproc.people.decades`.

    The columns are contestant, seat (1 for player1), game (its row) and player.

    contestants: all of the games, or some; the rows of the frame are numbered by its index.
    identified: says who sat where, with doubts or without.
    said: what the user says of who is who, which goes before the rules.
    unsure: adds the column unsure: whether somebody should decide who that is. That takes as long as all the rest.
    """
    said = said or Aliases()
    seats = seats_of(contestants, games)
    spelt, row = spellings(seats)
    seats = seats.astype(dict.fromkeys(seats.select_dtypes("category"), "str"))
    decided = said.decide(spelt)
    keys = pd.Series(np.array([*decided.person, None], dtype=object)[row], dtype="str")
    # Who is who is no doubt where the user says it.
    meant = pd.Series(row).map(said.meant(spelt)).astype("str")
    own = plain_number(seats["number"]) == keys
    as_said = {
        "name": said.called(meant, number=False).fillna(seats["name"]),
        "number": meant.where(said.called(meant, number=True).notna() & ~own).fillna(seats["number"]),
    }
    who = identified(seats.assign(person=keys, **as_said))
    key = keys[who.player >= 0].groupby(who.player[who.player >= 0]).first().reindex(who.names.index)
    numbers = usual_texts(seats.assign(player=who.player)[own], "number").reindex(key.index).fillna(key)
    who = who._replace(
        names=said.called(key, number=False).fillna(who.names),
        numbers=numbers.where(said.called(key, number=True).notna(), who.numbers),
    )
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(seats["game"]))
    seats = seats[["contestant", "seat"]].assign(game=game.astype(np.int64), player=who.player)
    if unsure:
        seats["unsure"] = np.isin(row, decided.unsure["row"])
    return seats[seats["player"] >= 0], who


def awards_of_seats(result: AwardedResult, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the award of each seat by colour, its own where the players of a team have different ones."""
    columns = ["masterpoints", *COLOURS]
    of_contestant = result.awards[columns].iloc[seats["contestant"]].set_axis(seats.index)
    if result.player_awards.empty:
        return of_contestant.astype("int64")
    own = result.player_awards.set_index(["contestant", "player"])[columns]
    of_player = own.reindex(pd.MultiIndex.from_frame(seats[["contestant", "seat"]])).set_axis(seats.index)
    return of_player.fillna(of_contestant).astype("int64")


def labels(contestants: pd.DataFrame) -> pd.Series[str]:
    """Return how each contestant is called: A-NS-6, or A-6 where it has no direction."""
    direction = contestants["direction"].str.replace("-", "").fillna("")
    return contestants["section"] + np.where(direction == "", "", "-") + direction + "-" + contestants["number"]


def label(contestant: FrameRow) -> str:
    """Return the same for one of them: a row of the frame, or what JSON has of it."""
    direction = contestant["direction"] if isinstance(contestant["direction"], str) else ""
    return "-".join(filter(None, (contestant["section"], direction.replace("-", ""), contestant["number"])))


def players_texts(contestants: pd.DataFrame) -> list[str]:
    """Return the players of each contestant in one text: ``Ann Lee - Bob Ray``."""
    names = contestants[family_columns(contestants)].astype("object")
    return [" - ".join(cell_text(name) for name in row if isinstance(name, str)) for row in names.to_numpy()]


def find(result: Result, name: str, game_id: str | None = None) -> int:
    """Return the row of a contestant called A-NS-6 or, in a one-winner section, A-6, or by the name of a player.

    Letter case and what is between the parts do not matter, the direction may be last (``A6NS``), and the section may
    be left out where there is only one; of a name some words are enough where no other player has them.

    game_id: the game, where the result has several; else None.
    Raises InputError for an unknown game or contestant, with the closest known ones, and for a name that several have.
    """
    contestants = result.contestants[result.contestants["game_id"] == one_game(result, game_id)]
    found = _of_seat(contestants, name)
    if not len(found) and contestants["section"].nunique() == 1:
        found = _of_seat(contestants.assign(section=""), name)
    if not len(found):
        found = _of_player(contestants, name)
    if len(found) > 1:
        several = ", ".join(labels(contestants)[found])
        raise InputError(f"several contestants have a player '{name}'", hint=f"name one of them: {several}")
    if not len(found):
        raise InputError(f"unknown contestant '{name}' in the game", hint=_near(name, contestants))
    return int(found[0])


def one_game(sheet: Sheet | Result, game_id: str | None) -> str:
    """Return the game that is named, or the only one; InputError for one that is not there, or where none is named."""
    ids = [str(name) for name in sheet.games["game_id"]]
    if not ids:
        raise InputError("there is no game in the file")
    if game_id is None and len(ids) > 1:
        raise InputError("there are several games in the file", hint="name one with game: " + ", ".join(ids))
    check_game(sheet, game_id)
    return game_id or ids[0]


def check_game(sheet: Sheet | Result, game_id: str | None) -> None:
    """Raise InputError for a game that is named and not there, with the closest known one."""
    ids = list(sheet.games["game_id"])
    if game_id is not None and game_id not in ids:
        raise InputError(f"unknown game '{game_id}' in the file", hint=closest(game_id, ids))


def _of_seat(contestants: pd.DataFrame, name: str) -> pd.Index[int]:
    """Return the contestants of this section, direction and number, in that order or with the direction last."""

    def plain(text: pd.Series[str]) -> pd.Series[str]:
        return text.fillna("").str.upper().str.replace(r"[\s-]", "", regex=True)

    section, direction, number = (plain(contestants[part]) for part in ("section", "direction", "number"))
    (asked,) = plain(pd.Series([name], dtype="str"))
    return contestants.index[(section + direction + number == asked) | (section + number + direction == asked)]


def _of_player(contestants: pd.DataFrame, name: str) -> pd.Index[int]:
    """Return the contestants that have a player of this name, else those of whose names it has some words."""
    plain = pd.concat([plain_name(contestants[column]) for column in family_columns(contestants)]).dropna()
    (asked,) = plain_name(pd.Series([name], dtype="str")).fillna("")
    words = set(asked.split())
    if not words:
        return plain.index[:0]
    whole = plain.index[plain == asked]
    return (whole if len(whole) else plain.index[[words <= set(each.split()) for each in plain]]).unique()


def _near(name: str, contestants: pd.DataFrame) -> str:
    known = list(labels(contestants))
    written = [each for column in family_columns(contestants) for each in contestants[column].dropna()]
    bare = contestants.assign(section="")
    seats = [*_of_seat(bare, name), *_of_seat(bare.assign(direction=""), name)]
    near = list(labels(contestants)[seats])
    near = near or get_close_matches(name, written, 3) or get_close_matches(name.upper(), known, 3, 0.4)
    return "the closest are " + ", ".join(near) if near else f"write one of {known[0]} to {known[-1]}"


def player_cells(row: FrameRow, *, numbered: bool = True) -> list[str]:
    """Return a player's name and member number as cells hold them; numbered: whether there is a column of numbers."""
    return ["" if pd.isna(row[name]) else cell_text(row[name]) for name in ("player", *(["id"] * numbered))]
