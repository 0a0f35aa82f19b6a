"""The lists of a game's page: the overall one, then each section and direction, or a knockout's brackets; by place.

Each list shows the ranks of its own comparison, in every stratum, and which of them pay.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from resultproc.formats.common.pages import room, width_of
from resultproc.formats.common.words import called, counted
from resultproc.model.basis import OVERALL, SECTION, Basis, Kind
from resultproc.model.columns import SHOWN
from resultproc.model.compared import compared
from resultproc.model.frames import COLOURS, CONTESTANTS, Result, knockouts, players
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, parse_strata
from resultproc.model.values import cell_text, decimal_text

Row = Mapping[Hashable, Any]


class Head(NamedTuple):
    """A column of a list. kind: its class in the stylesheet; label: what is beside its cells on a phone."""

    heading: str
    kind: str
    label: str


class Cell(NamedTuple):
    """A cell of a list: its text and its class."""

    text: str
    kind: str = ""


class Rank(NamedTuple):
    """A rank: its place with the last one that a tie takes up, its position, whether it pays and made the award."""

    text: str
    position: int
    pays: bool
    won: bool


class Player(NamedTuple):
    """A player's name, with its own award where the players of the team have different ones."""

    name: str
    award: str


@dataclass(frozen=True, slots=True)
class Line:
    """A contestant in a list. at: its row in the contestants frame; seat: its number, with where it sat.

    parts: its award by colour, as the macro ``masterpoints`` takes it; total: of several colours, what it sorts by.
    paid_by: of an award that a sheet prints, by what. value: what the picture of the field shows of it.
    """

    at: int
    seat: str
    players: Sequence[Player]
    note: str
    ranks: Sequence[Cell]
    cells: Sequence[Cell]
    parts: Sequence[tuple[str, str]]
    total: str
    paid_by: str
    places: Mapping[str, Rank]
    value: float | None


def _parts_text(line: Line) -> str:
    """Return the award of a line with the room that its labels and its arrow take."""
    return "  ".join(f"{amount} {colour}  " if colour else amount for amount, colour in line.parts) + "  "


@dataclass(frozen=True)
class List:
    """A list: its id and caption, the columns of ranks and, by their count, what is above them, and all else.

    seats: the heading of the numbers. unit: of what the picture shows, '' where there is none.
    """

    id: str
    caption: str
    note: str
    ranks: Sequence[Head]
    groups: Sequence[tuple[str, int]]
    seats: str
    values: Sequence[Head]
    awards: bool
    lines: Sequence[Line]
    unit: str

    @property
    def room(self) -> str:
        """Its class by the room that it needs."""
        widths = [
            *(
                width_of([head.heading, *(line.ranks[n].text for line in self.lines)])
                for n, head in enumerate(self.ranks)
            ),
            *(
                width_of([head.heading, *(line.cells[n].text for line in self.lines)])
                for n, head in enumerate(self.values)
            ),
            width_of([self.seats, *(line.seat for line in self.lines)]),
            *([width_of(["Masterpoints", *map(_parts_text, self.lines)])] if self.awards else []),
        ]
        return room(widths, 1)


@dataclass(frozen=True)
class _Field:
    """Contestants that are compared with each other: the bases on which they are, raw scores first.

    order: of its list in the page. name: who they are, see :func:`compared`.
    """

    order: int
    name: str
    session: int
    members: tuple[int, ...]
    bases: tuple[str, ...]


_Ranks = Mapping[int, Mapping[tuple[str, str], Rank]]
"""By contestant, basis and stratum."""


def lists(result: Result) -> Iterator[list[List]]:
    """Yield the lists of each game."""
    ranks, fields = _ranked(result) if result.awards is not None else _printed(result)
    rows = result.contestants.to_dict("records")
    awards = _awards(result, rows)
    shares = _shares(result)
    own = _by_game(result)
    for number, (game, knockout) in enumerate(
        zip(result.games.to_dict("records"), knockouts(result.games), strict=True)
    ):
        here = own.get(game["game_id"], [])
        table = _Game(
            game, bool(knockout), {at: rows[at] for at in here}, ranks, awards, shares, result.contestants.iloc[here]
        )
        yield table.lists(fields.get(number, []))


def _by_game(result: Result) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for at, name in enumerate(result.contestants["game_id"]):
        rows.setdefault(name, []).append(at)
    return rows


def _ranked(result: Result) -> tuple[_Ranks, dict[int, list[_Field]]]:
    """Return the ranks of each contestant, and by game who is compared with whom."""
    standings = result.standings
    columns = [standings[name].tolist() for name in ("game", "contestant", "basis", "stratum", "position", "tied")]
    paying = _keys(result.candidates)
    won = set()
    if result.awards is not None and len(result.candidates):
        best = result.awards["candidate"]
        won = set(_keys(result.candidates.iloc[best[best >= 0]]))
    pays = set(paying)
    ranks: dict[int, dict[tuple[str, str], Rank]] = {}
    members: dict[tuple[int, int, str], dict[int, None]] = {}
    bases: dict[tuple[int, int, str], dict[str, None]] = {}
    order = {basis: _order(Basis.parse(basis)) for basis in standings["basis"].astype("str").unique()}
    for game, at, basis, letter, position, tied, name in zip(*columns, compared(result), strict=True):
        key = (at, basis, letter)
        text = f"{position}" if tied == 1 else f"{position}/{position + tied - 1}"
        ranks.setdefault(at, {})[basis, letter] = Rank(text, position, key in pays, key in won)
        if order[basis] >= 0:
            members.setdefault((game, order[basis], name), {})[at] = None
            bases.setdefault((game, order[basis], name), {})[basis] = None
    found: dict[int, list[_Field]] = {}
    # A section has its place among the lists of every session by its contestants of the first.
    first: dict[tuple[int, str], int] = {}
    for (game, _, name), each in sorted(members.items(), key=lambda item: item[0]):
        first.setdefault((game, name), min(each))
    for (game, rank, name), each in sorted(
        members.items(), key=lambda item: (*item[0][:2], first[item[0][0], item[0][2]])
    ):
        raw_first = sorted(bases[game, rank, name], key=lambda basis: Basis.parse(basis).handicap)
        found.setdefault(game, []).append(_Field(rank, name, max(rank - 1, 0), tuple(each), tuple(raw_first)))
    return ranks, found


def _keys(candidates: pd.DataFrame) -> list[tuple[int, str, str]]:
    columns = [candidates[name].tolist() for name in ("contestant", "basis", "stratum")]
    return list(zip(*columns, strict=True))


def _order(basis: Basis) -> int:
    """Return where the lists of a basis are: overall, section, session 1, ...; -1 for one that has none."""
    if basis.over_all:
        return 0
    return 1 + basis.session if basis.in_section else -1


def _printed(result: Result) -> tuple[_Ranks, dict[int, list[_Field]]]:
    """Return the ranks that a sheet prints; who is compared with whom is not known."""
    ranks: dict[int, dict[tuple[str, str], Rank]] = {}
    texts = {
        str(SECTION): result.contestants["printed_section"],
        str(OVERALL): result.contestants["printed_overall"],
    }
    for basis, column in texts.items():
        for at, text in enumerate(column):
            for letter, place in _places(text).items():
                first = re.match("[0-9]+", place)
                position = int(first[0]) if first else 0
                ranks.setdefault(at, {})[basis, letter] = Rank(place, position, True, False)
    return ranks, {}


def _places(text: object) -> dict[str, str]:
    """Return the rank in each stratum of a text such as ``A=1/2, B=1``; of any other text, the text under ''."""
    if not isinstance(text, str):
        return {}
    parts = [re.fullmatch("([A-Z])=(.+)", part) for part in text.split(", ")]
    return {part[1]: part[2] for part in parts if part} if all(parts) else {"": text}


def _awards(result: Result, rows: Sequence[Row]) -> list[dict[str, int]]:
    """Return each contestant's award in hundredths by colour, '' where that is not known; nothing for no award."""
    if result.awards is None:
        return [_printed_award(row) for row in rows]
    columns = [result.awards[colour].tolist() for colour in COLOURS]
    return [
        {colour: amount for colour, amount in zip(COLOURS, amounts, strict=True) if amount}
        for amounts in zip(*columns, strict=True)
    ]


def _printed_award(row: Row) -> dict[str, int]:
    if pd.isna(row["printed_award"]):
        return {}
    text = row["printed_colours"] if isinstance(row["printed_colours"], str) else ""
    parts = re.findall(r"([a-z]+)=([0-9]+)\.([0-9]{2})", text)
    if parts and all(colour in COLOURS for colour, *_ in parts):
        return {colour: int(whole) * 100 + int(part) for colour, whole, part in parts}
    return {text if text in COLOURS else "": int(row["printed_award"])}


def _shares(result: Result) -> dict[tuple[int, int], int]:
    """Return the awards of single players, by contestant and player, where those of a team differ."""
    shares = result.player_awards
    if result.awards is not None:
        columns = [shares[name].tolist() for name in ("contestant", "player", "masterpoints")]
        return {(at, player): award for at, player, award in zip(*columns, strict=True)}
    found: dict[tuple[int, int], int] = {}
    for name in players(result.contestants, "printed_share"):
        each = result.contestants[name].dropna()
        found |= {
            (at, int(name.removeprefix("printed_share"))): int(award)
            for at, award in zip(each.index, each, strict=True)
        }
    return found


@dataclass(frozen=True)
class _Game:
    """What the lists of one game are made of. rows: its contestants by their row in the frame, which is ``frame``."""

    game: Row
    knockout: bool
    rows: Mapping[int, Row]
    ranks: _Ranks
    awards: Sequence[Mapping[str, int]]
    shares: Mapping[tuple[int, int], int]
    frame: pd.DataFrame

    def lists(self, fields: Sequence[_Field]) -> list[List]:
        """Return the lists, each contestant in one at least."""
        made = [self._list(number, each) for number, each in enumerate(self._merged(self._complete(fields)))]
        return [replace(each, unit="") for each in made] if self.knockout else made

    def _complete(self, fields: Sequence[_Field]) -> list[_Field]:
        """Return the fields with those added to each that are not ranked in it."""
        if not fields:
            return self._by_seat(list(self.rows), str(SECTION), str(OVERALL))
        complete = []
        for each in fields:
            seats = {self._seat(at, each.session) for at in each.members}
            ranked = set(each.members)
            of_all = each.order == 0 and not self.knockout
            sides = {side for _, side in seats}
            others = [
                at
                for at in self.rows
                if at not in ranked
                and (self._seat(at, 0)[1] in sides if of_all else self._seat(at, each.session) in seats)
                and not any(at in other.members for other in fields if other.order == each.order)
            ]
            complete.append(replace(each, members=(*each.members, *others)))
        there = {at for each in complete for at in each.members}
        return complete + self._by_seat([at for at in self.rows if at not in there])

    def _by_seat(self, members: Sequence[int], *bases: str) -> list[_Field]:
        """Return contestants by where they sit, where nothing tells who is compared with whom."""
        seats: dict[tuple[str, str], list[int]] = {}
        for at in members:
            seats.setdefault(self._seat(at, 0), []).append(at)
        word = "bracket" if self.knockout else "section"
        return [
            _Field(1, f"{word} {section} {side}".strip(), 0, tuple(each), bases)
            for (section, side), each in seats.items()
        ]

    def _seat(self, at: int, session: int) -> tuple[str, str]:
        """Return the section and direction of a contestant, which in a later session may be another."""
        row = self.rows[at]
        found = []
        for name in ("section", "direction"):
            moved = row.get(f"{name}{session}")
            value = moved if isinstance(moved, str) else row[name]
            found.append(value if isinstance(value, str) else "")
        return found[0], found[1]

    def _merged(self, fields: Sequence[_Field]) -> Iterator[_Field]:
        """Yield the fields; one that has the contestants of the one before it becomes part of that."""
        before: _Field | None = None
        for each in fields:
            if before and each.session == 0 and set(each.members) == set(before.members):
                before = replace(before, bases=(*before.bases, *filter(self._tells(before), each.bases)))
                continue
            if before:
                yield before
            before = each
        if before:
            yield before

    def _tells(self, known: _Field) -> Any:
        """Return the test of whether a basis has other ranks than one that is shown."""

        def of(basis: str) -> list[dict[str, str]]:
            return [
                {letter: rank.text for (of, letter), rank in self.ranks.get(at, {}).items() if of == basis}
                for at in known.members
            ]

        shown = [of(basis) for basis in known.bases]
        return lambda basis: of(basis) not in shown

    def _list(self, number: int, field: _Field) -> List:
        columns = self._columns(field)
        letters = [(basis, letter) for basis in field.bases for letter in self._letters(basis, field.members)]
        order = sorted(field.members, key=lambda at: self._place(at, letters))
        several = len(self._strata) > 1
        groups = {basis: sum(1 for each, _ in letters if each == basis) for basis in field.bases}
        names = {basis: _group(basis, len(field.bases)) for basis in field.bases}
        ranks = [
            Head(
                letter if several and groups[basis] > 1 else names[basis],
                "r" if position else "r first",
                f"{names[basis] if basis != field.bases[0] else ''} {letter if several else ''}".strip(),
            )
            for position, (basis, letter) in enumerate(letters)
        ]
        name = called(self.game)
        seats = {self._seat(at, field.session) for at in field.members}
        everywhere = {self._seat(at, 0) for at in self.rows}
        spread = [len({seat[part] for seat in (everywhere if field.session > 1 else seats)}) > 1 for part in (0, 1)]
        percent = not field.session and all(not pd.isna(self.rows[at]["percentage"]) for at in field.members)
        shown = "percentage" if percent else "score"
        return List(
            id=f"list{number + 1}",
            caption=self._caption(field),
            note=counted(len(field.members), name),
            ranks=ranks,
            groups=[(names[basis] if several else "", count) for basis, count in groups.items() if count],
            seats=name.capitalize(),
            values=[head for head, _ in columns],
            awards=any(self.awards[at] for at in self.rows),
            lines=[self._line(at, letters, columns, spread, shown) for at in order],
            unit="" if field.session else "%" if percent else "points",
        )

    @cached_property
    def _strata(self) -> list[str]:
        text = self.game["strata"]
        declared = [each.letter for each in parse_strata(text)] if isinstance(text, str) else []
        found = {letter for at in self.rows for _, letter in self.ranks.get(at, {})}
        return [*declared, *sorted(found - set(declared))]

    @cached_property
    def _colours(self) -> bool:
        """Whether the game pays others than black points."""
        return any(colour not in ("", "black") for at in self.rows for colour in self.awards[at])

    def _letters(self, basis: str, members: Sequence[int]) -> list[str]:
        found = {letter for at in members for of, letter in self.ranks.get(at, {}) if of == basis}
        return [letter for letter in self._strata if letter in found]

    def _place(self, at: int, letters: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        ranks = self.ranks.get(at, {})
        places = [float(ranks[key].position) if key in ranks else float("inf") for key in letters]
        row = self.rows[at]
        scores = [-float(row[name]) for name in ("percentage", "score") if not pd.isna(row[name])]
        return (*places, *(scores[:1] or [float("inf")]))

    def _caption(self, field: _Field) -> str:
        name = field.name.replace(NORTH_SOUTH, "North-South").replace(EAST_WEST, "East-West")
        if field.order == 0 and not self.knockout:
            name = f"Overall {name}".strip()
        elif self.frame["section"].nunique() == 1:
            # There is one section: the direction is all that a reader has to know.
            name = re.sub(r"^sections? \S+ ?", "", name) or "Results"
        if field.session:
            name = f"Session {field.session}, {name}" if name != "Results" else f"Session {field.session}"
        return name[:1].upper() + name[1:]

    def _columns(self, field: _Field) -> list[tuple[Head, str]]:
        """Return the columns of values that hold anything, and the contestants' columns that fill them."""
        if field.session:
            return [(Head("Score", "", "Score"), f"session{field.session}")]
        columns = []
        for declared in SHOWN:
            for name in players(self.frame, declared.family) if declared.numbered else [declared.name]:
                if any(not pd.isna(self.rows[at].get(name)) for at in field.members):
                    text = f"{declared.on_page} {name.removeprefix(declared.family)}".strip()
                    head = Head("%", "pct", "") if name == "percentage" else Head(text, "", text)
                    columns.append((head, name))
        return columns

    def _line(
        self,
        at: int,
        letters: Sequence[tuple[str, str]],
        columns: Sequence[tuple[Head, str]],
        spread: Sequence[bool],
        shown: str,
    ) -> Line:
        row, ranks, award = self.rows[at], self.ranks.get(at, {}), self.awards[at]
        parts = [
            (decimal_text(amount), colour if self._colours else "")
            for colour, amount in sorted(award.items(), key=_best)
        ]
        section, side = self._seat(at, 0)
        number = cell_text(row["number"])
        first = letters[0][0] if letters else ""
        return Line(
            at=at,
            seat=" ".join(filter(None, [(section if spread[0] else "") + number, side if spread[1] else ""])),
            players=self._players(at),
            note="" if row["eligible"] else "not eligible",
            ranks=[_rank(ranks.get(key)) for key in letters],
            cells=[_value(name, row[name]) for _, name in columns],
            parts=parts,
            total=decimal_text(sum(award.values())) if len(parts) > 1 else "",
            paid_by=row["printed_paid_by"] if not self._computed and isinstance(row["printed_paid_by"], str) else "",
            places={key[1]: ranks[key] for key in letters if key[0] == first and key in ranks},
            value=None if pd.isna(row[shown]) else float(row[shown]),
        )

    @cached_property
    def _computed(self) -> bool:
        return any(rank.won for at in self.rows for rank in self.ranks.get(at, {}).values())

    def _players(self, at: int) -> list[Player]:
        """Return the players of a contestant, with their own awards where not all get the contestant's."""
        row = self.rows[at]
        total = sum(self.awards[at].values())
        own = {seat: self.shares[at, seat] for seat in self._seats if (at, seat) in self.shares}
        differ = bool(set(own.values()) - {total})
        return [
            Player(cell_text(row[f"player{seat}"]), decimal_text(own[seat]) if differ and seat in own else "")
            for seat in self._seats
            if isinstance(row[f"player{seat}"], str)
        ]

    @cached_property
    def _seats(self) -> list[int]:
        return [int(name.removeprefix("player")) for name in players(self.frame)]


def _best(part: tuple[str, int]) -> int:
    """Return where a colour is among those of an award: the best one first."""
    return -COLOURS.index(part[0]) if part[0] in COLOURS else 0


def _group(basis: str, several: int) -> str:
    """Return the heading of the ranks on a basis of comparison."""
    parsed = Basis.parse(basis)
    if parsed.handicap:
        return "With handicap"
    if several == 1 or parsed.kind is Kind.SESSION:
        return "Rank"
    return "Overall" if parsed.over_all else "Section"


def _rank(rank: Rank | None) -> Cell:
    if rank is None:
        return Cell("", "r")
    return Cell(rank.text, "r won" if rank.won else "r p" if rank.pays else "r")


def _value(name: str, value: Any) -> Cell:
    if value is None or pd.isna(value):
        return Cell("")
    return Cell(CONTESTANTS.declared(name).kind.page(value), "pct" if name == "percentage" else "")
