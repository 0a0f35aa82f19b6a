"""Who gains or loses by the correction of a game, and which of what was corrected did it; and who moved where.

What differs between two versions of a game is told as corrections that can be made one by one. Below it is written as
text for a mail to the players, as a page, a workbook, and as JSON.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from resultproc.formats.loaded import Readable, load_source
from resultproc.formats.read import read
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.frames import CONTESTANTS, AwardedResult, FrameRow, Sheet
from resultproc.model.game import parse_movement, parse_tables
from resultproc.model.keys import KEYS
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import number_cell
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, league_title, leagues_of
from resultproc.pages import words
from resultproc.pages.annotated import text_of_result
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.tables import Writers
from resultproc.people.identity import Identities, identify_without_doubts
from resultproc.people.seated import awards_of_seats, labels, people
from resultproc.people.spelling import almost_the_same
from resultproc.reports.json_types import AmendedGame, AmendReport, ChangeEntry, entry
from resultproc.reports.outcomes import (
    ContestantOutcome,
    award_versions,
    outcomes,
    outcomes_of_versions,
    place_words,
    redeclared,
)
from resultproc.stages.pipeline import award_sheet, keep_games, with_boards

SAME = 0.02
"""Scores and percentages that differ by no more are the same: they are rounded, and so are those of boards."""

_Spot = tuple[str, str]
_Names = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Change:
    """A correction."""

    kind: str  # game, contestant, name, holding, stratum, board or score
    what: str  # it in words
    keys: Mapping[str, object] = field(default_factory=dict)  # the game keys that it sets
    cells: Mapping[_Spot, object] = field(default_factory=dict)  # the values that it sets, by contestant and column
    more: Mapping[_Spot, float] = field(default_factory=dict)  # what it adds to values, the same way
    comes: str = ""  # the contestant that it adds
    goes: str = ""  # the contestant that it takes away


@dataclass(frozen=True)
class Version:
    """One version of a game."""

    game: pd.DataFrame  # its row
    contestants: pd.DataFrame  # as they were read, each known by its seat, such as A-NS-6
    cards: pd.DataFrame  # the scorecards, with the seat and the board of each row; empty where the file has no boards
    # The row and the contestants with what follows from what the file says, such as strata from holdings.
    meant: tuple[pd.DataFrame, pd.DataFrame]

    def renamed(self, seats: Mapping[str, str]) -> Version:
        """Return it with other seats for some contestants."""
        names = dict(seats)
        cards = self.cards.assign(seat=self.cards["seat"].replace(names))
        meant = (self.meant[0], self.meant[1].rename(index=names))
        return replace(self, contestants=self.contestants.rename(index=names), cards=cards, meant=meant)

    def worded_as(self, new: Version) -> Version:
        """Return it with what another version only says in another way, or says and it lets follow, as that has it."""
        contestants = self.contestants.copy()
        said, says = ({name: each.meant[0][name].iloc[0] for name in KEYS} for each in (self, new))
        sections = list(contestants["section"].unique())
        same = [n for n in KEYS if _alike(said[n], says[n]) or _same_sections(n, said[n], says[n], sections)]
        game = self.game.assign(**{name: new.game[name].to_numpy() for name in same})
        both = contestants.index.intersection(new.contestants.index, sort=False)
        one, other = (each.meant[1]["stratum"].loc[both] for each in (self, new))
        alike = both[[_alike(*pair) for pair in zip(one, other, strict=True)]]
        contestants.loc[alike, "stratum"] = new.contestants.loc[alike, "stratum"]
        return replace(self, game=game.set_axis(self.game.index), contestants=contestants)


def _same_sections(key: str, one: object, other: object, sections: Sequence[str]) -> bool:
    """Return whether ``9`` and ``A=9`` say the same of the sections of a game."""
    parsed: Mapping[str, Callable[[str], Mapping[str, object]]] = {"tables": parse_tables, "movement": parse_movement}
    if key not in parsed or not isinstance(one, str) or not isinstance(other, str):
        return False
    said = [parsed[key](text) for text in (one, other)]
    return all(len({each.get(section, each.get("")) for each in said}) == 1 for section in sections)


def version(sheet: Sheet, result: AwardedResult) -> Version:
    """Return the one game of a sheet; result: the same awarded, with its boards."""
    named = sheet.contestants.set_axis(labels(result.contestants).to_numpy(), axis="index")
    cards = result.scorecards.assign(seat=named.index[result.scorecards["contestant"]])
    of_result = result.boards.iloc[cards["result"]]
    board = "board " + of_result["board"].astype(str)
    later = of_result["session"] > 1
    board = board.mask(later, board + " of session " + of_result["session"].astype(str))
    meant = (result.games, result.contestants.set_axis(named.index, axis="index"))
    return Version(sheet.games, named, cards.assign(board=board.to_numpy()), meant)


def changes(old: Version, new: Version) -> list[Change]:
    """Return what differs; in both versions a contestant has the same seat, see :func:`moves`."""
    before, after = old.contestants, new.contestants
    both = before.index.intersection(after.index, sort=False)
    was, now = (each.to_dict("index") for each in (before, after))
    named = {
        seat: ", ".join(filter(None, [seat, as_it_is(in_one_line(names))]))
        for each in (after, before)
        for seat, names in names_of_seats(each).items()
    }
    boards = list(_of_boards(old, new)) if len(old.cards) and len(new.cards) else []
    gone, come = before.index.difference(both, sort=False), after.index.difference(both, sort=False)
    return [
        *_of_game(old.game, new.game),
        *(Change("contestant", f"{named[seat]} is no longer there", goes=seat) for seat in gone),
        *(Change("contestant", f"{named[seat]} is new", comes=seat) for seat in come),
        *(change for seat in both for change in _of_contestant(was[seat], now[seat], (seat, named[seat]), boards)),
        *boards,
    ]


def corrected(old: Version, new: Version, made: Sequence[Change]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the old version with some corrections made: its row, and its contestants by seat."""
    games = redeclared(old.game, {key: value for change in made for key, value in change.keys.items()})
    contestants = old.contestants.copy()
    cells = {spot: value for change in made for spot, value in change.cells.items()}
    for spot in dict.fromkeys(spot for change in made for spot in change.more):
        seat, column = spot
        total = sum(change.more.get(spot, 0.0) for change in made)
        cells[spot] = round(float(contestants[column][seat]) + total, 2)
    for column in dict.fromkeys(column for _, column in cells):
        kept = contestants[column] if column in contestants else new.contestants[column].iloc[:0]
        set_ = {seat: value for (seat, each), value in cells.items() if each == column}
        whole = kept.astype("object").reindex(contestants.index)
        whole.loc[list(set_)] = list(set_.values())
        contestants[column] = whole.astype(kept.dtype)
    contestants = contestants.drop(index=[change.goes for change in made if change.goes])
    come = [change.comes for change in made if change.comes]
    if come:
        contestants = pd.concat([contestants, new.contestants.loc[come]])
    return games, CONTESTANTS.conform(contestants)


def moves(old: Version, new: Version) -> dict[str, str]:
    """Return the old seat of each contestant that has another one in the new version, by its new seat.

    Contestants are known by their players, wherever they sit; those with other players, by the seat. One that has come
    to a seat of one that is still there, elsewhere, is called after it: ``A-NS-6 (new)``.
    """
    known = _by_players(old.contestants)
    seats = {seat: known[names] for names, seat in _by_players(new.contestants).items() if names in known}
    left = set(old.contestants.index) - set(seats.values())
    for seat in new.contestants.index.difference(list(seats), sort=False):
        taken = seat in old.contestants.index and seat not in left
        seats[seat] = f"{seat} (new)" if taken else seat
    return {seat: before for seat, before in seats.items() if seat != before}


def _by_players(contestants: pd.DataFrame) -> dict[tuple[str, ...], str]:
    """Return the contestants by their players, in whatever order, except those without and those of the same names."""
    people = [tuple(sorted(names)) for names in names_of_seats(contestants).values()]
    names = pd.Series(people, contestants.index, dtype="object")
    return {each: str(seat) for seat, each in names[~names.duplicated(keep=False)].items() if each}


def names_of_seats(contestants: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Return the players of each contestant, by its seat."""
    rows = contestants[family_columns(contestants)].to_numpy(dtype=object)
    names = [tuple(str(name) for name in row if not pd.isna(name)) for row in rows]
    return dict(zip(contestants.index, names, strict=True))


def in_one_line(names: Iterable[str]) -> str:
    """Return players as a sheet names them: ``Ann Lee - Bob Ray``."""
    return cell_text(" - ".join(names))


def _of_game(old: pd.DataFrame, new: pd.DataFrame) -> Iterator[Change]:
    """Yield what is declared otherwise."""
    for name, key in KEYS.items():
        before, after = old[name].iloc[0], new[name].iloc[0]
        if not _alike(before, after):
            was, now = ("none" if pd.isna(value) else _as_said(key.shown(value)) for value in (before, after))
            yield Change("game", f"{name.replace('_', ' ')}: {now}, was {was}", keys={name: after})


def _as_said(value: object) -> str:
    """Return a value in a sentence: a text as it is, a number in the language."""
    return as_it_is(cell_text(value)) if isinstance(value, str) else text_of_result(value)


_KINDS = {"player": "name", "id": "name", "mp": "holding", "stratum": "stratum", "eligible": "stratum"}
_SCORES = ("score", "percentage")
_LEFT_OUT = ("game_id", "where")


def _of_contestant(
    before: FrameRow, after: FrameRow, who: tuple[str, str], boards: Sequence[Change]
) -> Iterator[Change]:
    """Yield what is said otherwise of a contestant, and is not what the boards make of its score.

    before, after: its rows. who: its seat, and what it is called, ``A-NS-6, Ann Lee - Bob Ray``.
    """
    seat, called = who
    cells: dict[str, dict[_Spot, object]] = {}
    more: dict[_Spot, float] = {}
    words: dict[str, list[str]] = {}
    for column in dict.fromkeys([*before, *after]):
        was, now = before.get(column), after.get(column)
        if column in _LEFT_OUT or column.startswith("printed_") or _alike(was, now):
            continue
        declared = CONTESTANTS.declared(column)
        kind = _KINDS.get(declared.family, "score" if declared.order else "contestant")
        number = column.removeprefix(declared.family)
        word = f"{declared.family} {number}".strip()
        if declared.of_players and declared.family != "player":
            name = before.get(f"player{number}")
            of = number if pd.isna(name) else as_it_is(cell_text(name))
            word = f"{(declared.heading or declared.family).lower()} of {of}"
        texts = [_as_said(value) or "none" for value in (now, was)]
        said = f"{word}: {texts[0]}, was {texts[1]}"
        known = [change.more[seat, column] for change in boards if (seat, column) in change.more]
        if known and not pd.isna(was) and not pd.isna(now):
            rest = float(now) - float(was) - sum(known)
            if abs(rest) <= SAME * len(known):
                continue
            more[seat, column] = rest
            said += f" (its boards change it by {number_cell(round(sum(known), 2))})"
        else:
            cells.setdefault(kind, {})[seat, column] = now
        words.setdefault(kind, []).append(said)
    for kind, said_of_it in words.items():
        what = f"{called}: {'; '.join(said_of_it)}"
        yield Change(kind, what, cells=cells.get(kind, {}), more=more if kind == "score" else {})


def _of_boards(old: Version, new: Version) -> Iterator[Change]:
    """Yield the boards whose results differ, with what that makes of the scores of all who played them."""
    columns = ["seat", "board", "score", "adjusted", "points"]
    found = old.cards[columns].merge(new.cards[columns], "outer", ["seat", "board"], suffixes=("_old", "_new"))
    same = np.ones(len(found), dtype=bool)
    for name in ("score", "adjusted"):
        one, other = found[f"{name}_old"], found[f"{name}_new"]
        same &= ((one == other) | (one.isna() & other.isna())).to_numpy()
    tops = {**_tops(new.cards), **_tops(old.cards)}
    for board, results in found[~same].groupby("board", sort=False):
        rows = found[found["board"] == board]
        gained = (rows["points_new"].fillna(0) - rows["points_old"].fillna(0)).set_axis(rows["seat"])
        more: dict[_Spot, float] = {}
        for seat, points in gained[gained.abs() > 1e-9].items():
            shares = {"score": 1.0, "percentage": 100 / tops.get(str(seat), math.nan)}
            for column in _SCORES:
                # Who is new had no score that the boards could change.
                had = old.contestants[column].get(seat) if column in old.contestants else None
                if pd.notna(had) and not math.isnan(shares[column]):
                    more[str(seat), column] = float(points) * shares[column]
        said = [
            f"{row['seat']} {_score(row['score_new'], row['adjusted_new'])}, "
            f"was {_score(row['score_old'], row['adjusted_old'])}"
            for row in row_dicts(results)
        ]
        yield Change("board", f"{board}: {'; '.join(said)}", more=more)


def _tops(cards: pd.DataFrame) -> dict[str, float]:
    """Return what each contestant could get on all of its boards, for those with more than nothing."""
    last = cards.groupby("seat")[["total", "total_percentage"]].last()
    tops = 100 * last["total"] / last["total_percentage"].where(last["total_percentage"] > 0)
    return {str(seat): float(top) for seat, top in tops.dropna().items()}


def _score(score: float, adjusted: float) -> str:
    if not pd.isna(adjusted):
        return f"{number_cell(adjusted)}%"
    return "no result" if pd.isna(score) else f"{score:+g}"


def _alike(was: Any, now: Any) -> bool:
    return bool(was == now) if not pd.isna(was) and not pd.isna(now) else bool(pd.isna(was) and pd.isna(now))


_OLD, _NEW = 0, 1


@dataclass(frozen=True)
class Seat:
    """Where a player sat; both texts are empty where the player was not there."""

    contestant: str = ""
    players: str = ""  # those of the contestant
    masterpoints: int = 0  # the player's, in hundredths


@dataclass(frozen=True)
class Move:
    """A player whose masterpoints change."""

    name: str
    id: str  # of the member, '' where that is not known
    before: Seat  # where the player sat
    after: Seat  # where the player sits


def followed_players(
    old: tuple[Version, AwardedResult], new: tuple[Version, AwardedResult], printed: Mapping[str, int]
) -> tuple[Move, ...]:
    """Return the players whose masterpoints change, except those who change with a contestant that stays what it was.

    Those who lose most come first. A player who sits twice has the better award.

    printed: the awards that the old file prints, by seat, in hundredths; empty where it prints none.
    """
    seats, who = _seats(old, new, printed)
    best = seats.sort_values("award", ascending=False, kind="stable").drop_duplicates(["player", "game"])
    best = best.sort_index()
    names = [names_of_seats(version.contestants) for version, _ in (old, new)]
    found = []
    for player, rows in best.groupby("player", sort=False):
        there = {int(row["game"]): row for row in row_dicts(rows)}
        one, other = (int(there[game]["award"]) if game in there else 0 for game in (_OLD, _NEW))
        if one != other and not _told(there, names):
            seat = {game: str(row["at"]) for game, row in there.items()}
            was, now = (
                Seat(seat[game], in_one_line(names[game].get(seat[game], ())), award) if game in seat else Seat()
                for game, award in ((_OLD, one), (_NEW, other))
            )
            name, number = (cell_text(each[player] or "") for each in (who.names, who.numbers.fillna("")))
            found.append(Move(name, number, was, now))
    return tuple(sorted(found, key=lambda move: move.after.masterpoints - move.before.masterpoints))


def _seats(
    old: tuple[Version, AwardedResult], new: tuple[Version, AwardedResult], printed: Mapping[str, int]
) -> tuple[pd.DataFrame, Identities]:
    """Return a row per player of each contestant of both versions: ``at`` its seat, and ``award``, what that gives.

    own: whether the award is not that of the contestant, as for players of teams who played less.
    """
    versions = [version.contestants.assign(game_id=name) for (version, _), name in ((old, "old"), (new, "new"))]
    both = pd.concat(versions, ignore_index=True)
    seats, who = people(pd.DataFrame({"game_id": ["old", "new"]}), both, identify_without_doubts)
    labels = np.concatenate([each.index for each in versions])
    seats["at"] = labels[seats["contestant"]]
    seats["contestant"] -= np.where(seats["game"] == _NEW, len(versions[_OLD]), 0)
    for game, (_, result) in enumerate((old, new)):
        mine = seats[seats["game"] == game]
        award = awards_of_seats(result, mine)["masterpoints"]
        seats.loc[mine.index, "award"] = award
        seats.loc[mine.index, "own"] = award != result.awards["masterpoints"].reindex(mine["contestant"]).to_numpy()
    if printed:
        said = (seats["game"] == _OLD) & seats["own"].eq(other=False)
        seats["award"] = seats["award"].mask(said, seats["at"].map(printed).fillna(0))
    # One whose name is now spelled a little otherwise, in the same seat, is the same. Two with a number each are two.
    once = seats[~seats["player"].isin(seats.groupby("player")["game"].nunique().loc[lambda n: n > 1].index)]
    pairs = once[once["game"] == _OLD].merge(once[once["game"] == _NEW], on="at", suffixes=("", "_new"))
    same = {
        now: was
        for was, now in zip(pairs["player"], pairs["player_new"], strict=True)
        if (pd.isna(who.numbers[was]) or pd.isna(who.numbers[now])) and almost_the_same(who.names[was], who.names[now])
    }
    return seats.assign(player=seats["player"].replace(same)), who


def _told(there: Mapping[int, FrameRow], names: Sequence[_Names]) -> bool:
    """Return whether what a player gains or loses is told of a contestant with the same seat and players."""
    seats = {str(row["at"]) for row in there.values()}
    if len(there) < 2 or len(seats) > 1 or any(row["own"] for row in there.values()):
        return False
    (seat,) = seats or {""}
    one, other = (each.get(seat, ()) for each in names)
    return sorted(one) == sorted(other)


MOST_PAIRS = 24
"""The most corrections that are all tried two by two; with more, not every two are."""


@dataclass(frozen=True)
class Effect:
    """What a correction makes of a contestant."""

    contestant: str  # its seat in the old version
    players: str  # who they are now
    players_before: str  # who they were, '' where that is the same
    before: ContestantOutcome  # what the contestant got before
    after: ContestantOutcome  # what the contestant gets now
    # The numbers of the corrections that do it, from 1, the fewest; none where the old file prints what does not follow
    # from itself.
    because: tuple[int, ...]
    printed: bool = False  # whether the old award is what the file prints


@dataclass(frozen=True)
class Amendment:
    """Two versions of one game."""

    game: Mapping[str, object]  # its row as it is now
    changes: tuple[Change, ...]  # what was corrected
    contestants: tuple[Effect, ...]  # those that it concerns
    # The players whose masterpoints change otherwise than those of a contestant that they are in both times.
    players: tuple[Move, ...] = ()
    remarks: tuple[Problem, ...] = ()  # what is doubtful about either version
    provenance: Provenance = field(default_factory=Provenance)  # where both versions come from
    time: str = ""  # when the new version came, in ISO 8601; empty where that is not known
    leagues: tuple[str, str] = ("", "")  # whose points the old and the new masterpoints are

    @property
    def lowers(self) -> bool:
        """Whether anybody has fewer masterpoints than before.

        If a contestant has other players than before, the players are compared; if nobody has a name, the seats are.
        Points of two leagues are not compared.
        """
        if len(set(self.leagues)) > 1:
            return False
        same = (each for each in self.contestants if not each.players_before)
        followed: list[Effect | Move] = [*same, *self.players]
        return any(each.after.masterpoints < each.before.masterpoints for each in followed)


def amend(
    old: Readable, new: Readable, *, format: str | None = None, as_printed: bool = True, **keys: object
) -> list[Amendment]:
    """Return what was corrected in each game of a file, and what follows.

    format, keys: as for :func:`resultproc.read`, of both versions.
    as_printed: whether the awards that the old file prints, if it prints any, are what was paid, and not those that
        follow from it.
    Raises InputError for what cannot be awarded, for files that do not have the same number of games, and for games
    that have nobody in common.
    """
    sources = [load_source(path) for path in (old, new)]
    both = [read(source, format=format, **keys) for source in sources]
    ids = [list(sheet.games["game_id"]) for sheet in both]
    if len(ids[0]) != len(ids[1]):
        was, now = ("one game" if len(each) == 1 else f"{len(each)} games" for each in ids)
        what = f"this file has {now}, and the old one {was}"
        raise InputError(what, hint="give two versions of the same games", file=sources[1].name)
    # The versions of each game are known by its id, where both files have the same ones, else by their order.
    others = ids[0] if set(ids[0]) == set(ids[1]) else ids[1]
    found = []
    for names in zip(ids[0], others, strict=True):
        before, after = (keep_games(sheet, [name]) for sheet, name in zip(both, names, strict=True))
        results = [
            with_boards(award_sheet(each), [source], format)
            for each, source in zip((before, after), sources, strict=True)
        ]
        # Nobody is in both: no contestant of the same players, or of the same seat and score.
        one, other = (version(each, result).contestants for each, result in zip((before, after), results, strict=True))
        seats = one.index.intersection(other.index)
        same = one.loc[seats, [*_SCORES]].eq(other.loc[seats, [*_SCORES]]).to_numpy().any()
        if not same and _by_players(one).keys().isdisjoint(_by_players(other)):
            what = (
                "this is not another version of the same game: no contestant is in both, by its players or by its seat"
            )
            hint = "name the file of a game, and then the file of the same game as it was corrected"
            raise InputError(what, hint=hint, file=sources[1].name)
        found.append(amended(before, after, *results, as_printed=as_printed))
    return found


def amended(
    old: Sheet, new: Sheet, before: AwardedResult, after: AwardedResult, *, as_printed: bool = True
) -> Amendment:
    """Return what was corrected in one game, and what follows.

    as_printed: as for :func:`amend`.
    """
    one, other = version(old, before), version(new, after)
    other = other.renamed(moves(one, other))
    one = one.worded_as(other)
    found = changes(one, other)
    had, has = (
        dict(zip(each.contestants.index, outcomes(result), strict=True))
        for each, result in ((one, before), (other, after))
    )
    award = one.contestants["printed_award"]
    prints = as_printed and award.notna().any()
    printed = {str(seat): int(value) for seat, value in award.fillna(0).items()} if prints else {}
    tried = _Tried(one, other, found, has)
    names_before, names_after = (names_of_seats(each.contestants) for each in (one, other))
    effects = []
    for seat in dict.fromkeys([*had, *has]):
        was = had.get(seat, ContestantOutcome())
        said = replace(was, masterpoints=printed.get(seat, was.masterpoints))
        now = has.get(seat, ContestantOutcome())
        names, were = (each.get(seat, ()) for each in (names_after, names_before))
        others = sorted(names) != sorted(were)
        if said != now or (others and now.masterpoints):
            because = tuple(1 + number for number in tried.causes(seat)) if was != now else ()
            effects.append(
                Effect(seat, in_one_line(names), in_one_line(were) if others else "", said, now, because, bool(printed))
            )
    moved = followed_players((one, before), (other, after), printed)
    gains = [effect.after.masterpoints - effect.before.masterpoints for effect in effects]
    order = sorted(range(len(effects)), key=lambda n: (gains[n] == 0, gains[n]))
    remarks = tuple(dict.fromkeys((*before.remarks, *after.remarks)))
    provenance = Provenance.of_all((before.provenance, after.provenance), len(remarks))
    (game,) = row_dicts(after.games)
    of = (leagues_of(before.games).iloc[0], leagues_of(after.games).iloc[0])
    return Amendment(game, tuple(found), tuple(effects[n] for n in order), moved, remarks, provenance, leagues=of)


class _Tried:
    """What contestants have after some of the corrections, each choice awarded once, many choices together."""

    def __init__(
        self, old: Version, new: Version, found: Sequence[Change], wanted: Mapping[str, ContestantOutcome]
    ) -> None:
        """Take the versions, what differs, and what each contestant has in the end."""
        self._old, self._new, self._found, self._wanted = old, new, found, wanted
        self._known: dict[frozenset[int], dict[str, ContestantOutcome] | None] = {}

    def causes(self, seat: str) -> tuple[int, ...]:
        """Return the indices of the fewest corrections that give a contestant what it has in the end.

        If there are more than :data:`MOST_PAIRS` corrections, and one or two are not enough, it is a choice in which
        none can be spared; there may be a choice of fewer.
        """
        every = range(len(self._found))
        if len(every) < 2:
            return tuple(every)
        tries = [[frozenset([number]) for number in every]]
        if len(self._found) <= MOST_PAIRS:
            tries.append([frozenset(two) for two in combinations(every, 2)])
        for choices in tries:
            self._try(choices)
            found = [choice for choice in choices if self._does(choice, seat)]
            if found:
                return tuple(sorted(found[0]))
        return self._without_the_needless(seat)

    def _without_the_needless(self, seat: str) -> tuple[int, ...]:
        """Return all corrections but those that can be spared: first by halves, in the end one by one."""
        choice = frozenset(range(len(self._found)))
        size = len(choice) // 2
        while size:
            there = sorted(choice)
            fewer = [choice - frozenset(there[at : at + size]) for at in range(0, len(there), size)]
            self._try(fewer)
            smaller = next((each for each in fewer if self._does(each, seat)), None)
            if smaller is None:
                size //= 2
            else:
                choice = smaller
                size = min(size, max(len(choice) // 2, 1))
        return tuple(sorted(choice))

    def _does(self, choice: frozenset[int], seat: str) -> bool:
        known = self._known[choice]
        return known is not None and known.get(seat, ContestantOutcome()) == self._wanted.get(seat, ContestantOutcome())

    def _try(self, choices: Sequence[frozenset[int]]) -> None:
        """Award the old version with each choice of corrections; one that cannot be awarded does nothing."""
        new = [choice for choice in choices if choice not in self._known]
        if not new:
            return
        versions = [corrected(self._old, self._new, [self._found[n] for n in sorted(choice)]) for choice in new]
        result, _ = award_versions(versions)
        found = outcomes_of_versions(result, versions)
        self._known |= {choice: found.get(n) for n, choice in enumerate(new)}


_NONE = "Nothing that counts has changed."
_NOBODY = "Nobody's places or masterpoints change."
_PLAYERS = "Players who gain or lose, wherever they sit"
"""The heading of those whose masterpoints are not what is told of a contestant."""
_NEVER = "This game was never corrected."
"""What is said of a game whose history has no correction."""

WRITERS: Writers[[Sequence[Amendment]]] = Writers()


@WRITERS.text
def text(found: Sequence[Amendment]) -> Sequence[str]:
    """Return what was corrected and what follows, game by game."""
    return ["\n\n".join("\n".join(_lines(each)) for each in found) or in_words(_NEVER)]


def _lines(found: Amendment) -> Iterator[str]:
    """Yield the lines, in the language that holds here."""
    yield in_words(f"{as_it_is(in_words(words.title_of_game(found.game)))}: {_corrected(found)}")
    yield from map(in_words, _follows(found))


def _follows(found: Amendment) -> Iterator[str]:
    yield ""
    yield "What has changed" if found.changes else _NONE
    for number, change in enumerate(found.changes, 1):
        yield f"  {number:>2}. {change.what}"
    yield ""
    yield "Who gains or loses" if found.contestants else _NOBODY
    for effect in found.contestants:
        yield f"  {_name(effect)}"
        points = _points(effect, found.leagues)
        yield from (f"      {line}" for line in [points, *_places(effect), _because(effect)])
    if found.players:
        yield ""
        yield _PLAYERS
    for move in found.players:
        yield f"  {_player(move)}"
        yield from (f"      {line}" for line in (_points(move, found.leagues), _where(move)))


def _corrected(found: Amendment) -> str:
    """Return ``corrected``, or in an archive ``corrected 2026-04-20 09:15 UTC``; or that nothing is."""
    said = "corrected" if found.changes or found.contestants or found.players else "nothing is corrected"
    return f"{said} {found.time[:10]} {found.time[11:16]} UTC" if found.time else said


def _name(effect: Effect) -> str:
    name = f"{as_it_is(effect.players) or 'nobody'} ({effect.contestant})"
    return f"{name}, before: {as_it_is(effect.players_before)}" if effect.players_before else name


def _points(of: Effect | Move, leagues: tuple[str, str]) -> str:
    """Return ``0.63 masterpoints, before 0.90: 0.27 fewer``; of points of two leagues no difference."""
    old, new = of.before.masterpoints, of.after.masterpoints
    was, now = map(in_points, (old, new), leagues)
    if len(set(leagues)) > 1:
        return f"{now} points of the {league_title(leagues[1])}, before {was} of the {league_title(leagues[0])}"
    if old == new:
        return f"{now} masterpoints, as before"
    more = f"{in_points(abs(new - old), leagues[0])} {'more' if new > old else 'fewer'}"
    return f"{now} masterpoints, before {was}: {more}"


def _player(move: Move) -> str:
    """Return ``Ann Ash, 1001``."""
    return ", ".join(filter(None, (as_it_is(move.name), move.id if move.id != move.name else "")))


def _where(move: Move) -> str:
    """Return ``now Ann Ash - Hal Holm (A-4), before Ann Ash - Bob Birch (A-1)``."""
    return f"now {_seat(move.after)}, before {_seat(move.before)}"


def _seat(seat: Seat) -> str:
    return f"{as_it_is(seat.players)} ({seat.contestant})" if seat.contestant else "not there"


def _places(effect: Effect) -> Iterator[str]:
    """Yield the places that are not what they were: ``section, stratum A: 2nd, before 4th``."""
    old, new = (
        {(basis, stratum): place for basis, stratum, place in each.ranks} for each in (effect.before, effect.after)
    )
    for basis, stratum in dict.fromkeys([*old, *new]):
        was, now = (place_words(each.get((basis, stratum))) for each in (old, new))
        if was != now:
            yield f"{basis}, stratum {stratum}: {now}, before {was}"


def _because(effect: Effect) -> str:
    if effect.because:
        return "because of " + " and ".join(map(str, effect.because))
    if effect.before.masterpoints != effect.after.masterpoints and effect.printed:
        return "not by a change: the old file prints what does not follow from itself"
    return "the names are others"


@WRITERS.sheets
def shown(found: Sequence[Amendment]) -> Report:
    """Return what has changed, who gains or loses, and the players who do."""
    awarded = (PageColumn("Before", "", "before"), PageColumn("Masterpoints", "a", "now"))
    corrections = (PageColumn("No", "k"), PageColumn("Correction", "l"))
    because_of = (PageColumn("Places", "l"), PageColumn("Because of", "l", "because of"))
    contestants = (PageColumn("Who", "n"), *awarded, *because_of)
    of_players = (PageColumn("Player", "n"), *awarded, PageColumn("Where", "l"))
    tables = []
    for number, each in enumerate(found, 1):
        told = _corrected(each)
        named = told[:1].upper() + told[1:] if each.time else words.title_of_game(each.game)
        before = f"{named}: " if each.time or len(found) > 1 else ""
        changes = [PageRow([count, change.what]) for count, change in enumerate(each.changes, 1)]
        effects = []
        for effect in each.contestants:
            awards = map(in_points, (effect.before.masterpoints, effect.after.masterpoints), each.leagues)
            because = ", ".join(map(str, effect.because)) or _because(effect)
            effects.append(PageRow([in_words(_name(effect)), *awards, "; ".join(_places(effect)), because]))
        moves = []
        for move in each.players:
            amounts = map(in_points, (move.before.masterpoints, move.after.masterpoints), each.leagues)
            moves.append(PageRow([in_words(_player(move)), *amounts, _where(move)]))
        tables.append(
            (
                PageTable(f"changes{number}", f"{before}What has changed", corrections, changes, sorts=False),
                PageTable(f"effects{number}", f"{before}Who gains or loses", contestants, effects, sorts=False),
                PageTable(f"players{number}", f"{before}{_PLAYERS}", of_players, moves, sorts=False),
            )
        )
    names = ("Corrections", "Contestants", "Players")
    return Report(
        _title(found),
        [table for each in tables for table in each if table.rows],
        dict(zip(names, zip(*tables, strict=True), strict=False)),
        facts=[day for day in dict.fromkeys(cell_text(words.when(each.game)) for each in found) if day],
        said=[
            said for each in found for said in (_NONE * (not each.changes), _NOBODY * (not each.contestants)) if said
        ],
        remarks=[remark for each in found for remark in quoted(each.remarks)],
        provenance=provenance_of(found),
    )


def _title(found: Sequence[Amendment]) -> str:
    names = dict.fromkeys(words.heading(each.game) for each in found)
    if not found:
        return _NEVER
    same = not any(each.changes or each.contestants or each.players for each in found)
    return f"{', '.join(names)}: {'nothing is corrected' if same else 'corrected'}"


def provenance_of(found: Sequence[Amendment]) -> Provenance:
    """Return where some corrections come from."""
    return Provenance.of_all(
        (each.provenance for each in found), len({remark for each in found for remark in each.remarks})
    )


@WRITERS.json
def to_json(found: Sequence[Amendment]) -> AmendReport:
    """Return the same as JSON: masterpoints are decimal strings, corrections are named by their numbers."""
    games = []
    for each in found:
        changes = [entry(ChangeEntry, change, number=number) for number, change in enumerate(each.changes, 1)]
        games.append(entry(AmendedGame, each, game_id=each.game["game_id"], changes=changes))
    return entry(AmendReport, {}, provenance=provenance_of(found), headline=_title(found), games=games)
