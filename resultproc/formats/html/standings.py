"""The lists of a game's page: the overall one, then each section and direction, or a knockout's brackets; by place.

Each list shows the ranks of its own comparison, in every stratum, and which of them pay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup, escape

from resultproc.formats.html.scorecards import ComparedField, Ranks, ShownRank, page_ranks
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.basis import OVERALL, SECTION, Basis, Kind
from resultproc.model.facts import knockouts
from resultproc.model.frames import COLOURS, CONTESTANTS, FrameRow, Result
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, parse_strata
from resultproc.model.numbers import MINUS
from resultproc.model.text import cell_text, counted
from resultproc.model.whose_points import in_points, league_named
from resultproc.pages.annotated import OFTEN_NOTHING, PAGE_COLUMNS, by_colour, paid_by_words
from resultproc.pages.design import room, width_of
from resultproc.pages.words import contestant_kind


class Head(NamedTuple):
    """A column of a list."""

    heading: str  # what is above it
    kind: str  # its class in the stylesheet
    label: str  # what is beside its cells on a phone
    group: str = ""  # what its button to sort by says first on a phone, where another column has the same heading


class ListCell(NamedTuple):
    """A cell of a list."""

    text: str  # what it shows
    kind: str = ""  # its class in the stylesheet
    label: str = ""  # what is beside it on a phone


@dataclass(frozen=True, slots=True)
class Line:
    """A contestant in a list."""

    at: int  # its row in the contestants frame
    seat: str  # its number, with where it sat
    who: str  # its players
    names: Markup  # the same as the list shows them, with their own awards where those of a team differ
    note: str  # that it is not eligible, else ''
    ranks: Sequence[ListCell]  # a cell for each column of ranks
    cells: Sequence[ListCell]  # a cell for each other column
    parts: tuple[tuple[str, str], ...]  # its award by colour: amounts with the colour, '' where all is black
    award: Markup  # the same as the list shows it
    total: str  # the sum of several colours, which it sorts by; '' for one
    paid_by: str  # what a sheet prints that paid the award, in words, '' for nothing
    places: Mapping[str, ShownRank]  # its ranks on the first basis of the list, by stratum
    value: float | None  # what the picture of the field shows of it, None for nothing


def _parts_text(line: Line) -> str:
    """Return the award of a line with the room that its labels and its arrow take."""
    parts = [f"{amount} {colour}  " if colour else amount for amount, colour in line.parts]
    return "  ".join([*parts, line.paid_by, ""])


@dataclass(frozen=True)
class List:
    """A list of a page."""

    id: str  # its anchor
    caption: str  # who it lists
    note: str  # how many these are
    ranks: Sequence[Head]  # the columns of ranks
    groups: Sequence[tuple[str, int]]  # what is above these, each with how many of them it is above
    seats: str  # the heading of the numbers
    values: Sequence[Head]  # the other columns, except for that of the awards
    awards: bool  # whether it has this one
    lines: Sequence[Line]  # its contestants in order
    unit: str  # that of the values in the picture, '' where there is none

    @property
    def room(self) -> str:
        """Its class by the room that it needs."""
        widths = [
            *(width_of(head.heading, (line.ranks[n].text for line in self.lines)) for n, head in enumerate(self.ranks)),
            *(
                width_of(head.heading, (line.cells[n].text for line in self.lines))
                for n, head in enumerate(self.values)
            ),
            width_of(self.seats, (line.seat for line in self.lines)),
            *([width_of("Masterpoints", map(_parts_text, self.lines))] if self.awards else []),
        ]
        return room(widths, 1)


def lists(result: Result) -> Iterator[list[List]]:
    """Yield the lists of each game."""
    ranks, fields = page_ranks(result)
    rows = row_dicts(result.contestants)
    awards = _awards(result, rows)
    of_bases = _awards_of_bases(result)
    shares = _shares(result)
    own = result.contestants.groupby("game_id", sort=False).indices
    for number, (game, knockout) in enumerate(zip(row_dicts(result.games), knockouts(result.games), strict=True)):
        here = list(map(int, own.get(game["game_id"], ())))
        table = _Game(
            game,
            bool(knockout),
            {at: rows[at] for at in here},
            ranks,
            awards,
            {} if pd.isna(game["sessions"]) or game["sessions"] < 2 else of_bases,
            shares,
            result.contestants.iloc[here],
        )
        yield table.lists(fields.get(number, []))


def _awards(result: Result, rows: Sequence[FrameRow]) -> list[dict[str, int]]:
    """Return each contestant's award in hundredths by colour, '' where that is not known; nothing for no award."""
    if result.awards is None:
        return [by_colour(row["printed_award"], row["printed_colours"]) for row in rows]
    columns = [result.awards[colour].tolist() for colour in COLOURS]
    return [
        {colour: amount for colour, amount in zip(COLOURS, amounts, strict=True) if amount}
        for amounts in zip(*columns, strict=True)
    ]


def _awards_of_bases(result: Result) -> dict[tuple[int, str], int]:
    """Return what each contestant's best candidate on each basis pays, in hundredths."""
    if result.awards is None:
        return {}
    best: dict[tuple[int, str], int] = {}
    columns = [result.candidates[name].tolist() for name in ("contestant", "basis", "masterpoints")]
    for at, basis, award in zip(*columns, strict=True):
        best[at, basis] = max(award, best.get((at, basis), 0))
    return best


def _shares(result: Result) -> dict[tuple[int, int], int]:
    """Return the awards of single players, by contestant and player, where those of a team differ."""
    shares = result.player_awards
    if result.awards is not None:
        columns = [shares[name].tolist() for name in ("contestant", "player", "masterpoints")]
        return {(at, player): award for at, player, award in zip(*columns, strict=True)}
    found: dict[tuple[int, int], int] = {}
    for name in family_columns(result.contestants, "printed_share"):
        each = result.contestants[name].dropna()
        found |= {
            (at, int(name.removeprefix("printed_share"))): int(award)
            for at, award in zip(each.index, each, strict=True)
        }
    return found


@dataclass(frozen=True)
class _Game:
    """What the lists of one game are made of."""

    game: FrameRow  # its row of the games frame
    knockout: bool  # whether it is one: then it has brackets for sections, and no picture of the field
    rows: Mapping[int, FrameRow]  # its contestants, by their row in the frame
    ranks: Ranks  # those of all games, by contestant, basis and stratum
    awards: Sequence[Mapping[str, int]]  # those of all games, by contestant, in hundredths by colour
    # Of an event of several sessions, what each basis pays a contestant, in hundredths.
    of_bases: Mapping[tuple[int, str], int]
    # Those of single players, by contestant and player, where those of a team differ.
    shares: Mapping[tuple[int, int], int]
    frame: pd.DataFrame  # its contestants

    @property
    def league(self) -> str:
        """The league whose points these are."""
        return league_named(self.game["league"], self.game["rating"])

    def lists(self, fields: Sequence[ComparedField]) -> list[List]:
        """Return the lists, each contestant in one at least."""
        made = [self._list(number, each) for number, each in enumerate(self._merged(self._complete(fields)))]
        return [replace(each, unit="") for each in made] if self.knockout else made

    def _complete(self, fields: Sequence[ComparedField]) -> list[ComparedField]:
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

    def _by_seat(self, members: Sequence[int], *bases: str) -> list[ComparedField]:
        """Return contestants by where they sit, where nothing tells who is compared with whom."""
        seats: dict[tuple[str, str], list[int]] = {}
        for at in members:
            seats.setdefault(self._seat(at, 0), []).append(at)
        word = "bracket" if self.knockout else "section"
        return [
            ComparedField(1, f"{word} {section} {side}".strip(), 0, tuple(each), bases)
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

    def _merged(self, fields: Sequence[ComparedField]) -> Iterator[ComparedField]:
        """Yield the fields; one that has the contestants of the one before it becomes part of that."""
        before: ComparedField | None = None
        for each in fields:
            if before and each.session == 0 and set(each.members) == set(before.members):
                before = replace(before, bases=(*before.bases, *filter(self._tells(before), each.bases)))
                continue
            if before:
                yield before
            before = each
        if before:
            yield before

    def _tells(self, known: ComparedField) -> Any:
        """Return the test of whether a basis has other ranks than one that is shown."""

        def of(basis: str) -> list[dict[str, str]]:
            return [
                {letter: rank.text for (of, letter), rank in self.ranks.get(at, {}).items() if of == basis}
                for at in known.members
            ]

        shown = [of(basis) for basis in known.bases]
        return lambda basis: of(basis) not in shown

    def _list(self, number: int, field: ComparedField) -> List:
        columns = self._columns(field)
        ranked = {key for at in field.members for key in self.ranks.get(at, {})}
        letters = [(basis, letter) for basis in field.bases for letter in self._strata if (basis, letter) in ranked]
        order = sorted(field.members, key=lambda at: self._place(at, letters))
        several = len(self._strata) > 1
        groups = {basis: sum(1 for each, _ in letters if each == basis) for basis in field.bases}
        names = {basis: _group(basis, len(field.bases)) for basis in field.bases}
        ranks = [
            Head(
                letter if several and groups[basis] > 1 else names[basis],
                "r" if position else "r first",
                f"{names[basis] if basis != field.bases[0] else ''} {letter if several else ''}".strip(),
                names[basis] if several and groups[basis] > 1 and basis != field.bases[0] else "",
            )
            for position, (basis, letter) in enumerate(letters)
        ]
        name = contestant_kind(self.game)
        seats = {self._seat(at, field.session) for at in field.members}
        spread = [len({seat[part] for seat in seats}) > 1 for part in (0, 1)]
        awards = {at: self._award_of(at, field) for at in field.members}
        percent = not field.session and all(not pd.isna(self.rows[at]["percentage"]) for at in field.members)
        shown = "percentage" if percent else "score"
        return List(
            id=f"list{number + 1}",
            caption=self._caption(field),
            note=counted(len(field.members), name),
            ranks=ranks,
            groups=[(names[basis] if several and count > 1 else "", count) for basis, count in groups.items() if count],
            seats=name.capitalize(),
            values=[head for head, _ in columns],
            awards=any(awards.values()) if field.session else any(self.awards[at] for at in self.rows),
            lines=[self._line(at, field, awards[at], letters, ranks, columns, spread, shown) for at in order],
            unit="" if field.session else "%" if percent else "points",
        )

    def _award_of(self, at: int, field: ComparedField) -> Mapping[str, int]:
        """Return what a list shows as the award, by colour: of a session, what that session pays."""
        if not (field.session and self.of_bases):
            return self.awards[at]
        # Amounts of sessions have the colour of the event where it has a single one.
        colours = {colour for each in self.rows for colour in self.awards[each]}
        colour = next(iter(colours)) if len(colours) == 1 else ""
        amount = max((self.of_bases.get((at, basis), 0) for basis in field.bases), default=0)
        return {colour: amount} if amount else {}

    @property
    def _strata(self) -> list[str]:
        text = self.game["strata"]
        declared = [each.letter for each in parse_strata(text)] if isinstance(text, str) else []
        found = {letter for at in self.rows for _, letter in self.ranks.get(at, {})}
        return [*declared, *sorted(found - set(declared))]

    @cached_property
    def _colours(self) -> bool:
        """Whether the game pays others than black points."""
        return any(colour not in ("", "black") for at in self.rows for colour in self.awards[at])

    def _place(self, at: int, letters: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        ranks = self.ranks.get(at, {})
        places = [float(ranks[key].position) if key in ranks else float("inf") for key in letters]
        row = self.rows[at]
        scores = [-float(row[name]) for name in ("percentage", "score") if not pd.isna(row[name])]
        # A play-off may leave the places shared.
        lost = str(row.get("playoff")).startswith("L")
        return (*places, float(lost), *(scores[:1] or [float("inf")]))

    def _caption(self, field: ComparedField) -> str:
        name = field.name.replace(NORTH_SOUTH, "North-South").replace(EAST_WEST, "East-West")
        if field.order == 0 and not self.knockout:
            name = f"Overall {name}".strip()
        elif self.frame["section"].nunique() == 1:
            # There is one section: the direction is all that a reader has to know.
            name = re.sub(r"^sections? \S+ ?", "", name) or "Results"
        if field.session:
            name = f"Session {field.session}, {name}" if name != "Results" else f"Session {field.session}"
        return name[:1].upper() + name[1:]

    def _columns(self, field: ComparedField) -> list[tuple[Head, str]]:
        """Return the columns of values that hold anything, and the contestants' columns that fill them.

        A session that says what the whole game does, since no other one is there yet, has none.
        """
        if field.session:
            return [(Head("Score", "", "Score"), f"session{field.session}")]
        columns = []
        told: list[list[Any]] = []
        for declared in PAGE_COLUMNS:
            for name in family_columns(self.frame, declared.family) if declared.numbered else [declared.name]:
                values = [self.rows[at].get(name) for at in field.members]
                if declared.numbered and values in told:
                    continue
                told.append(values)
                if any(not pd.isna(value) and (name not in OFTEN_NOTHING or value) for value in values):
                    text = f"{declared.on_page} {name.removeprefix(declared.family)}".strip()
                    head = Head("%", "pct", "") if name == "percentage" else Head(text, "", text)
                    columns.append((head, name))
        return columns

    def _line(
        self,
        at: int,
        field: ComparedField,
        award: Mapping[str, int],
        letters: Sequence[tuple[str, str]],
        heads: Sequence[Head],
        columns: Sequence[tuple[Head, str]],
        spread: Sequence[bool],
        shown: str,
    ) -> Line:
        row, ranks = self.rows[at], self.ranks.get(at, {})
        parts = tuple(
            (in_points(amount, self.league), colour if self._colours else "")
            for colour, amount in sorted(award.items(), key=_best)
        )
        section, side = self._seat(at, field.session)
        number = cell_text(row["number"])
        first = letters[0][0] if letters else ""
        return Line(
            at=at,
            seat=" ".join(filter(None, [(section if spread[0] else "") + number, side if spread[1] else ""])),
            who=self._names[at][0],
            names=self._names[at][1],
            note="" if row["eligible"] else "not eligible",
            ranks=[_rank(ranks.get(key), head) for key, head in zip(letters, heads, strict=True)],
            cells=[_value_cell(name, row[name], head) for head, name in columns],
            parts=parts,
            award=_award(parts),
            total=in_points(sum(award.values()), self.league) if len(parts) > 1 else "",
            paid_by=(
                paid_by_words(row["printed_paid_by"])
                if not self._computed and isinstance(row["printed_paid_by"], str)
                else ""
            ),
            places={key[1]: ranks[key] for key in letters if key[0] == first and key in ranks},
            value=None if pd.isna(row[shown]) else float(row[shown]),
        )

    @cached_property
    def _computed(self) -> bool:
        return any(rank.won for at in self.rows for rank in self.ranks.get(at, {}).values())

    @cached_property
    def _names(self) -> dict[int, tuple[str, Markup]]:
        """The players of each contestant, and how lists show them: with own awards where not all get the same."""
        seats = [int(name.removeprefix("player")) for name in family_columns(self.frame)]
        return {at: self._players(at, seats) for at in self.rows}

    def _players(self, at: int, seats: Sequence[int]) -> tuple[str, Markup]:
        row = self.rows[at]
        total = sum(self.awards[at].values())
        own = {seat: self.shares[at, seat] for seat in seats if (at, seat) in self.shares}
        shown = own if set(own.values()) - {total} else {}
        names = {seat: cell_text(row[f"player{seat}"]) for seat in seats if isinstance(row[f"player{seat}"], str)}
        awards = {seat: f' <b class="own">{in_points(award, self.league)}</b>' for seat, award in shown.items()}
        parts = [f"{escape(name)}{awards.get(seat, '')}" for seat, name in names.items()]
        spans = [f"<span>{part}{' –' if n < len(parts) else ''}</span>" for n, part in enumerate(parts, 1)]
        return " – ".join(names.values()), Markup(" ".join(spans))  # noqa: S704 - what is in it is escaped


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


def _rank(rank: ShownRank | None, head: Head) -> ListCell:
    first = " first" if head.kind.endswith("first") else ""
    label = "" if first else head.label
    if rank is None:
        return ListCell("", f"r{first}", label)
    # Long ones may break after the stroke.
    text = rank.text if len(rank.text) < 6 else Markup("/<wbr>").join(rank.text.split("/"))
    long = " long" if first and len(rank.text) > 4 else ""
    return ListCell(text, f"r{' won' if rank.won else ' p' if rank.pays else ''}{first}{long}", label)


def _value_cell(name: str, value: Any, head: Head) -> ListCell:
    if value is None or pd.isna(value):
        return ListCell("", head.kind)
    text = CONTESTANTS.declared(name).kind.page(value)
    return ListCell(text.replace("-", MINUS) if isinstance(value, float) else text, head.kind, head.label)


def _award(parts: tuple[tuple[str, str], ...]) -> Markup:
    """Return an award as lists show it: each amount with the label of its colour, but where all are black."""
    labels = {colour: f' <i class="{colour}">{colour}</i>' if colour else "" for _, colour in parts}
    spans = [f'<span class="mp">{amount}{labels[colour]}</span>' for amount, colour in parts]
    return Markup(" ".join(spans))  # noqa: S704 - amounts and colours are ours
