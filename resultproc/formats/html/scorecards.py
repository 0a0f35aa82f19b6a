"""What a game's page has of each contestant besides its line, the scorecard and the ranks; and travellers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pandas as pd
from markupsafe import Markup, escape

from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.at_the_table import compared, dealer, vulnerable
from resultproc.model.basis import OVERALL, SECTION, Basis
from resultproc.model.frames import FrameRow, Result
from resultproc.model.language import as_it_is
from resultproc.model.numbers import MINUS
from resultproc.model.places import place_text
from resultproc.model.play import MAKEABLE_ORDER, high_card_points, tricks_of
from resultproc.model.text import cell_text, text_there
from resultproc.pages.design import PageColumn, PageRow, PageTable
from resultproc.pages.words import contestant_kind, percent
from resultproc.scoring.contracts import contracts_at_par

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_VULNERABLE = {"none": "nobody vulnerable", "both": "both vulnerable"}


class Hand(NamedTuple):
    """A hand: a line for each suit, and its high-card points."""

    suits: Sequence[Markup]
    points: int


class BoardHands(NamedTuple):
    """The hands of a board by seat."""

    seats: Mapping[str, Hand]
    said: Sequence[Markup]  # what each side can make, its tricks, and par, where they are known
    replay: str  # the address of BBO's hand viewer for them, which is asked for nothing until somebody taps it


@dataclass(frozen=True)
class BoardSheet:
    """A scorecard or traveller."""

    id: str  # its anchor
    label: str  # what it is called in the list of them: the contestant, or the board's number
    table: PageTable  # its rows
    hands: BoardHands | None = None  # those of the board of a traveller, where they are known
    # What is above the rows of a scorecard: how it went when declaring and defending, its best and worst board.
    said: Sequence[str] = ()
    scores: PageTable | None = None  # of a traveller, how often each score was made


@dataclass(frozen=True)
class BoardPages:
    """The boards of a game: scorecards by contestant, and travellers, those of each field and session together."""

    cards: Mapping[int, BoardSheet]
    travellers: Mapping[str, Sequence[BoardSheet]]


def boards_of(result: Result, at: str) -> dict[int, BoardPages]:
    """Return the boards of each game that has any, by its row of the games frame. at: what anchors begin with."""
    if result.travellers.empty:
        return {}
    names = numbers_and_names(result)
    results = _joined(result, result.travellers)
    cards = _cards(result, names, at)
    hands = {(row["game_id"], row["session"], row["board"]): row for row in row_dicts(result.deals)}
    sections: dict[int, set[str]] = {}
    for row in results:
        sections.setdefault(row["game"], set()).add(row["section"])
    found: dict[int, dict[str, list[BoardSheet]]] = {}
    sessions = result.boards["session"].nunique() > 1
    for _, rows in groupby(results, lambda row: row["traveller"]):
        each = list(rows)
        first = each[0]
        here = " ".join(sorted({row["section"] for row in each}))
        parts = [f"Session {first['session']}" * sessions, f"Section {here}" * (len(sections[first["game"]]) > 1)]
        group = ", ".join(filter(None, parts))
        dealt = hands.get((first["game_id"], first["session"], first["board"]))
        sheet = _traveller(each, names, group, dealt, cards[first["game"]], at)
        found.setdefault(first["game"], {}).setdefault(group, []).append(sheet)
    return {game: BoardPages(cards[game], travellers) for game, travellers in found.items()}


def _cards(result: Result, names: Sequence[str], at: str) -> dict[int, dict[int, BoardSheet]]:
    """Return the scorecards of each game by contestant."""
    listed = result.travellers
    numbers = dict(zip(listed["result"], listed["traveller"], strict=True))
    game_of = dict(zip(listed["result"], listed["game"], strict=True))
    words = [contestant_kind(game) for game in row_dicts(result.games)]
    played = set(result.scorecards["contestant"].tolist())
    cards: dict[int, dict[int, BoardSheet]] = {game: {} for game in game_of.values()}
    for contestant, rows in groupby(_joined(result, result.scorecards), lambda row: row["contestant"]):
        each = list(rows)
        game = game_of[each[0]["result"]]
        cards[game][contestant] = _card(contestant, each, names, numbers, words[game], at, played)
    return cards


def _joined(result: Result, rows: pd.DataFrame) -> Sequence[FrameRow]:
    """Return the rows of travellers or scorecards with the results of boards that they are of."""
    played = result.boards.iloc[rows["result"]].reset_index(drop=True)
    played = played.drop(columns=["ns", "ew", "ns_partner", "ew_partner"])
    shared = [name for name in played if name in rows]
    return row_dicts(played.rename(columns={name: f"of_{name}" for name in shared}).join(rows))


def numbers_and_names(result: Result) -> list[str]:
    """Return the number and names of each contestant."""
    columns = ["number", *family_columns(result.contestants)]
    rows = zip(*(result.contestants[name] for name in columns), strict=True)
    called = ((number, " – ".join(cell_text(each) for each in who if isinstance(each, str))) for number, *who in rows)
    return [f"{number} {as_it_is(names)}" for number, names in called]


class SheetField(NamedTuple):
    """A column of a sheet, and what is in it of a result or match; '' everywhere, and the column is left out."""

    column: PageColumn
    text: Callable[[Any], object]


def sheet_table(
    id: str,
    title: str,
    note: str,
    fields: Sequence[SheetField],
    rows: Sequence[Any],
    bars: Sequence[float | None] = (),
) -> PageTable:
    """Return the table of a sheet, a row for each result or match.

    bars: how far each row is above or below the average, in percent of the room for it.
    """
    cells = [[field.text(row) for field in fields] for row in rows]
    barred = any(bar is not None for bar in bars)
    kept = [
        n
        for n, field in enumerate(fields)
        if field.column.kind == "n" or (barred and field is _FROM_AVERAGE) or any(row[n] for row in cells)
    ]
    lines = [
        PageRow([row[n] for n in kept], "" if not bar else "up" if bar > 0 else "down", abs(bar) if bar else None)
        for row, bar in zip(cells, bars or [None] * len(cells), strict=True)
    ]
    return PageTable(id, title, [fields[n].column for n in kept], lines, note, sorts=False)


def _card(
    contestant: int,
    rows: Sequence[FrameRow],
    names: Sequence[str],
    numbers: Mapping[int, int],
    word: str,
    at: str,
    played: Collection[int],
) -> BoardSheet:
    """Return a contestant's scorecard: a line for each board. played: who has one, too."""

    def board(row: FrameRow) -> Markup:
        return _link(f"{at}b{numbers[row['result']]}", row["board"])

    def who(other: int) -> object:
        return _link(f"{at}c{other}", names[other]) if other in played else _who(names, other)

    matchpoints = any(not pd.isna(row["percentage"]) for row in rows)
    sides = sorted({row["side"] for row in rows if row["side"]})
    fields = [
        SheetField(PageColumn("Board", "r first"), board),
        SheetField(PageColumn("Partner", "l", "with"), lambda row: who(row["partner"]) if row["partner"] >= 0 else ""),
        SheetField(PageColumn("Opponents", "n"), lambda row: _both(row, "opponents", who)),
        SheetField(PageColumn("Side"), lambda row: row["side"] if len(sides) > 1 else ""),
        *_PLAYED,
        SheetField(PageColumn("Score", "", "Score"), lambda row: _adjusted(row["adjusted"]) or _plus(row["score"])),
        *[SheetField(PageColumn("Matchpoints", "", "Matchpoints"), lambda row: _number(row["points"]))] * matchpoints,
        _FROM_AVERAGE,
        SheetField(PageColumn("%", "a bare pct"), lambda row: percent(row["percentage"]).removesuffix("%"))
        if matchpoints
        else SheetField(PageColumn("Points", "a bare"), lambda row: _number(row["points"])),
        SheetField(
            PageColumn("Running total", "", "Total"),
            lambda row: percent(row["total_percentage"]) or _number(row["total"]),
        ),
    ]
    title = names[contestant].partition(" ")
    last = rows[-1]
    total = percent(last["total_percentage"]) or _number(last["total"])
    note = ", ".join(filter(None, (f"{word} {title[0]}", *(sides if len(sides) == 1 else []), total)))
    table = sheet_table(f"c{contestant}-h", title[2] or title[0], note, fields, rows, _from_average(rows))
    return BoardSheet(f"c{contestant}", names[contestant], table, said=_how_it_went(rows))


_FROM_AVERAGE = SheetField(PageColumn("From average", "bar"), lambda row: "")
"""A bar for each board, to the right of the middle for more than the average."""


def _from_average(rows: Sequence[FrameRow]) -> list[float | None]:
    """Return how far from the average each board is, below zero for less.

    50 is a top, or the most IMPs of the scorecard.
    """
    most = max((abs(row["points"]) for row in rows if not pd.isna(row["points"])), default=0) or 1

    def bar(row: FrameRow) -> float | None:
        if not pd.isna(row["percentage"]):
            return round(float(row["percentage"]) - 50, 1)
        return None if pd.isna(row["points"]) else round(50 * float(row["points"]) / most, 1)

    return [bar(row) for row in rows]


def _how_it_went(rows: Sequence[FrameRow]) -> list[str]:
    """Return what a player asks first: the mean when declaring and when defending, the best and the worst board."""
    got = [row for row in rows if not pd.isna(row["percentage"])]
    if len(got) < _FEW:
        return []
    declared = [text_there(row["declarer"]) in row["side"].split("-") for row in got]
    said = []
    for word, which in (("Declaring", True), ("Defending", False)):
        each = [
            float(row["percentage"])
            for row, own in zip(got, declared, strict=True)
            if own is which and text_there(row["declarer"])
        ]
        if each:
            said.append(f"{word} {percent(sum(each) / len(each))}")
    for word, row in (
        ("Best", max(got, key=lambda row: row["percentage"])),
        ("Worst", min(got, key=lambda row: row["percentage"])),
    ):
        said.append(f"{word} board {row['board']} ({percent(row['percentage'])})")
    return said


_FEW = 4
"""Of fewer boards, the table says it all."""


def _traveller(
    rows: Sequence[FrameRow],
    names: Sequence[str],
    group: str,
    dealt: FrameRow | None,
    cards: Mapping[int, BoardSheet],
    at: str,
) -> BoardSheet:
    """Return the traveller of a board: a line for each result."""

    def who(contestant: int) -> object:
        text = _who(names, contestant)
        return _link(f"{at}c{contestant}", text) if contestant in cards else text

    def side(name: str) -> Callable[[FrameRow], object]:
        return lambda row: _both(row, name, who)

    able = tricks_of(dealt["makeable"]) if dealt and isinstance(dealt["makeable"], str) else {}

    def against_best(row: FrameRow) -> str:
        found = re.fullmatch(_CONTRACT, text_there(row["contract"]))
        best = able.get((text_there(row["declarer"]), found[2].replace("N", "NT")[:2])) if found else None
        return "" if best is None or pd.isna(row["tricks"]) else _over(int(row["tricks"]) - best)

    fields = [
        SheetField(PageColumn("North-South", "n"), side("ns")),
        SheetField(PageColumn("East-West", "l", "against"), side("ew")),
        *_PLAYED,
        SheetField(PageColumn("Double dummy", "", "double dummy"), against_best),
        SheetField(PageColumn("Score", "a bare"), _result),
        SheetField(PageColumn("N-S", "", "N-S"), lambda row: _number(row["ns_points"])),
        SheetField(PageColumn("E-W", "", "E-W"), lambda row: _number(row["ew_points"])),
    ]
    first = rows[0]
    number = int(first["board"])
    side_of = vulnerable(number)
    note = f"Dealer {dealer(number)}, {_VULNERABLE.get(side_of, f'{side_of} vulnerable')}"
    title = f"Board {number}"
    anchor = f"b{first['traveller']}"
    table = sheet_table(f"{anchor}-e", "Results", "", fields, rows)
    scores = _scores(f"{anchor}-h", title, ", ".join(filter(None, [group, note])), rows)
    return BoardSheet(anchor, str(number), table, _hands(dealt) if dealt else None, scores=scores)


_SIDES = {"ns": "N-S", "ew": "E-W"}


def _scores(id: str, title: str, note: str, rows: Sequence[FrameRow]) -> PageTable:
    """Return how often each score of a board was made, the best for N-S first, with its contracts."""
    made: dict[str, list[FrameRow]] = {}
    for row in rows:
        made.setdefault(_result(row), []).append(row)
    most = max(map(len, made.values()))
    per_cent = any(not pd.isna(row["ns_percentage"]) for row in rows)
    what, shown_as = ("percentage", percent) if per_cent else ("points", _number)
    shared = [side for side in _SIDES if not all(pd.isna(row[f"{side}_{what}"]) for row in rows)]
    known = any(map(_contract, rows))
    lines = []
    for score, each in made.items():
        contracts = Counter(filter(None, map(_contract, each)))
        shown = [
            Markup("{}{}").format(text, f" ({count})" if count > 1 and len(contracts) > 1 else "")
            for text, count in contracts.most_common()
        ]
        sides = [shown_as(each[0][f"{side}_{what}"]) for side in shared]
        cells = [score, "", len(each), *sides, *([Markup(", ").join(shown)] if known else [])]
        lines.append(PageRow(cells, "", round(100 * len(each) / most, 1)))
    columns = [
        PageColumn("Score", "k"),
        PageColumn("How often", "bar often"),
        PageColumn("Times", "", "×"),
        *(PageColumn(_SIDES[side], "", _SIDES[side]) for side in shared),
        *([PageColumn("Contracts", "l")] if known else []),
    ]
    return PageTable(id, title, columns, lines, note, sorts=False)


def _hands(dealt: FrameRow) -> BoardHands:
    hands = {
        seat: Hand(
            [
                _suit(suit) + Markup(" ") + escape(cards.replace("T", "10") or "—")
                for suit, cards in zip(_SUITS, dealt[seat].split("."), strict=True)
            ],
            high_card_points(dealt[seat]),
        )
        for seat in _SEATS
    }
    number = int(dealt["board"])
    tricks = tricks_of(dealt["makeable"]) if isinstance(dealt["makeable"], str) else {}
    made = _makeable(tricks) if tricks else []
    par: list[Markup] = []
    if not pd.isna(dealt["par"]):
        by = par_contracts(tricks, float(dealt["par"]), number) if tricks else []
        par = [Markup("Par: {} to N-S{}").format(_plus(dealt["par"]), Markup(", ").join([""] * bool(by) + by))]
    asked = {seat[0]: "".join(map("".join, zip("shdc", dealt[seat].split("."), strict=True))) for seat in _SEATS}
    asked |= {"d": dealer(number).lower(), "v": _VIEWED[vulnerable(number)], "b": str(number)}
    return BoardHands(hands, [*made, *par], f"https://www.bridgebase.com/tools/handviewer.html?{urlencode(asked)}")


_SEATS = ("north", "west", "east", "south")

_VIEWED = {"none": "o", "N-S": "n", "E-W": "e", "both": "b"}
"""What the viewer calls who is vulnerable: bridgebase.com/tools/hvdoc.html."""


def _makeable(tricks: Mapping[tuple[str, str], int]) -> list[Markup]:
    """Return the contracts that each side can make, the highest in each denomination: ``N-S can make 4♠, N 3NT``."""
    lines = []
    for side, (one, two) in (("N-S", "NS"), ("E-W", "EW")):
        found: list[Markup] = []
        for denomination in MAKEABLE_ORDER:
            levels = {seat: tricks[seat, denomination] - 6 for seat in (one, two)}
            shown = _denomination(denomination)
            alike = levels[one] == levels[two]
            found += [
                Markup("{}{}{}").format("" if alike else f"{seat} ", level, shown)
                for seat, level in ([("", levels[one])] if alike else levels.items())
                if level > 0
            ]
        made = Markup(", ").join(found) or "nothing"
        lines.append(Markup("{} can make {}").format(side, made))
    order = Markup(" ").join(_denomination(each) for each in MAKEABLE_ORDER)
    taken = {seat: " ".join(str(tricks[seat, each]) for each in MAKEABLE_ORDER) for seat in "NSEW"}
    each_seat = " · ".join(f"{seat} {each}" for seat, each in taken.items())
    return [*lines, Markup("Tricks at {}: {}").format(order, each_seat)]


def par_contracts(tricks: Mapping[tuple[str, str], int], par: float, board: int) -> list[Markup]:
    """Return the contracts that score par, such as ``4♥ by N-S`` or ``5♣× by E −2``; none where no contract does.

    tricks, par, board: as in :func:`resultproc.scoring.contracts.contracts_at_par`.
    """
    return [
        Markup("{}{}{} by {}{}").format(
            each.level,
            _denomination(each.denomination),
            "×" * (each.over < 0),
            "-".join(each.seats),
            f" {_over(each.over)}" if each.over else "",
        )
        for each in contracts_at_par(tricks, par, board)
    ]


def _denomination(letter: str) -> Markup:
    return _suit(letter) if letter in _SUITS else Markup("NT")


def _link(to: str, text: str) -> Markup:
    return Markup('<a href="#{}">{}</a>').format(to, text)


def _suit(letter: str) -> Markup:
    return Markup('<i class="suit {}">{}</i>').format("red" if letter in "HD" else "black", _SUITS[letter])


def _contract(row: FrameRow) -> object:
    """Return a contract with its declarer and what became of it: ``4♠ N +1``."""
    text = text_there(row["contract"])
    found = re.fullmatch(_CONTRACT, text)
    if not found:
        return text
    level, suit, doubled = found.groups()
    made = ""
    if not pd.isna(row["tricks"]):
        made = _over(int(row["tricks"]) - int(level) - 6)
    return Markup("{}{}{} {} {}").format(
        level, _denomination(suit), "×" * len(doubled), text_there(row["declarer"]), made
    )


_CONTRACT = "([1-7])(NT?|[SHDC])(X{0,2})"


def _over(tricks: int) -> str:
    return f"{tricks:+d}".replace("-", MINUS) if tricks else "="


def _lead(row: FrameRow) -> object:
    card = row["lead"]
    if not isinstance(card, str) or not re.fullmatch("[SHDC][2-9TJQKA]|[SHDC]10", card):
        return text_there(card)
    return _suit(card[0]) + escape(card[1:].replace("T", "10"))


_PLAYED = (
    SheetField(PageColumn("Contract", "w l o", ""), _contract),
    SheetField(PageColumn("Lead", "w l", "Lead"), _lead),
)


def _both(row: FrameRow, name: str, who: Callable[[int], object]) -> object:
    """Return who is a contestant of a result, of individuals with its partner."""
    partner = row[f"{name}_partner"]
    return Markup("{} – {}").format(who(row[name]), who(partner)) if partner >= 0 else who(row[name])


def _who(names: Sequence[str], contestant: int) -> str:
    return names[contestant] if contestant >= 0 else "nobody"


def _plus(score: float) -> str:
    """Return points with their sign, '' for a board that was not played."""
    if pd.isna(score):
        return ""
    return f"{score:+g}".replace("-", MINUS) if score else "0"


def _result(row: FrameRow) -> str:
    """Return the score of a result to N-S, or the two adjusted ones."""
    adjusted = [_adjusted(row[f"{side}_adjusted"]) for side in ("ns", "ew")]
    if any(adjusted):
        return " / ".join(text or "–" for text in adjusted)
    return _plus(row["score"]) or "not played"


def _adjusted(share: float) -> str:
    return "" if pd.isna(share) else f"{share:g}% adj."


def _number(points: float) -> str:
    return "" if pd.isna(points) else f"{points:.2f}".removesuffix("0").removesuffix(".0").replace("-", MINUS)


class ShownRank(NamedTuple):
    """A rank as lists show it."""

    text: str  # the place; for a tie with the last one that it takes up, such as ``2/3``
    position: int  # the place as a number, 0 where the text has none
    pays: bool  # whether it pays anything
    won: bool  # whether the contestant's award was made by it


@dataclass(frozen=True)
class ComparedField:
    """Contestants that are compared with each other."""

    order: int  # of its list in the page
    name: str  # who they are, see :func:`compared`
    session: int  # the number of the session, 0 for the game as a whole
    members: tuple[int, ...]  # their rows in the contestants frame
    bases: tuple[str, ...]  # those on which they are compared, raw scores first


Ranks = Mapping[int, Mapping[tuple[str, str], ShownRank]]
"""By contestant, basis and stratum."""


def page_ranks(result: Result) -> tuple[Ranks, dict[int, list[ComparedField]]]:
    """Return the ranks of each contestant, and by game who is compared with whom."""
    if result.awards is None:
        return _printed(result), {}
    standings = result.standings
    columns = [standings[name].tolist() for name in ("game", "contestant", "basis", "stratum", "position", "tied")]
    paying = _keys(result.candidates)
    won = set()
    if len(result.candidates):
        best = result.awards["candidate"]
        won = set(_keys(result.candidates.iloc[best[best >= 0]]))
    pays = set(paying)
    ranks: dict[int, dict[tuple[str, str], ShownRank]] = {}
    members: dict[tuple[int, int, str], dict[int, None]] = {}
    bases: dict[tuple[int, int, str], dict[str, None]] = {}
    # Lists are in this order: overall, section, session 1, ...; other bases have none.
    parsed = {basis: Basis.parse(basis) for basis in standings["basis"].astype("str").unique()}
    order = {n: 0 if b.over_all else 1 + b.session if b.in_section else -1 for n, b in parsed.items()}
    for game, at, basis, letter, position, tied, name in zip(*columns, compared(result), strict=True):
        key = (at, basis, letter)
        ranks.setdefault(at, {})[basis, letter] = ShownRank(
            place_text(position, tied), position, key in pays, key in won
        )
        if order[basis] >= 0:
            members.setdefault((game, order[basis], name), {})[at] = None
            bases.setdefault((game, order[basis], name), {})[basis] = None
    found: dict[int, list[ComparedField]] = {}
    # A section has its place among the lists of every session by its contestants of the first.
    first: dict[tuple[int, str], int] = {}
    for (game, _, name), each in sorted(members.items(), key=lambda item: item[0]):
        first.setdefault((game, name), min(each))
    for (game, rank, name), each in sorted(
        members.items(), key=lambda item: (*item[0][:2], first[item[0][0], item[0][2]])
    ):
        raw_first = sorted(bases[game, rank, name], key=lambda basis: parsed[basis].handicap)
        found.setdefault(game, []).append(ComparedField(rank, name, max(rank - 1, 0), tuple(each), tuple(raw_first)))
    return ranks, found


def _keys(candidates: pd.DataFrame) -> list[tuple[int, str, str]]:
    columns = [candidates[name].tolist() for name in ("contestant", "basis", "stratum")]
    return list(zip(*columns, strict=True))


def _printed(result: Result) -> Ranks:
    """Return the ranks that a sheet prints; who is compared with whom is not known."""
    ranks: dict[int, dict[tuple[str, str], ShownRank]] = {}
    texts = {
        str(SECTION): result.contestants["printed_section"],
        str(OVERALL): result.contestants["printed_overall"],
    }
    for basis, column in texts.items():
        for at, text in enumerate(column):
            for letter, place in _places(text).items():
                first = re.match("[0-9]+", place)
                position = int(first[0]) if first else 0
                ranks.setdefault(at, {})[basis, letter] = ShownRank(place, position, True, False)
    return ranks


def _places(text: object) -> dict[str, str]:
    """Return the rank in each stratum of a text such as ``A=1/2, B=1``; for any other text, the text under ''."""
    if not isinstance(text, str):
        return {}
    parts = [re.fullmatch("([A-Z])=(.+)", part) for part in text.split(", ")]
    return {part[1]: part[2] for part in parts if part} if all(parts) else {"": text}
