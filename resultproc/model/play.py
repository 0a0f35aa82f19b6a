"""What files say of how a board was played and dealt, in one spelling, and what each side got there.

What they do not say so is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from resultproc.model.at_the_table import SEATS
from resultproc.model.errors import ImpossibleError, Problem, rows_told
from resultproc.model.frames import FrameRow, Result

_CONTRACT = r"([1-7]) ?(NT?|SA|[SHDC♠♥♦♣]) ?(X{0,2}|\*{1,2}|DBL|RDBL)"
_DENOMINATIONS = {"N": "NT", "SA": "NT", "♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_DOUBLED = {"*": "X", "**": "XX", "DBL": "X", "RDBL": "XX"}
_PASSED = {"PASS", "P", "PASSED", "PASSED OUT", "AP", "ALL PASS"}

_CARD = r"(?:([SHDC♠♥♦♣]) ?(10|[2-9TJQKA])|(10|[2-9TJQKA]) ?([SHDC♠♥♦♣]))"
RANKS = "AKQJT98765432"
"""The cards of a suit, the highest first."""


def contract(text: str) -> str | None:
    """Return a contract: ``4S``, ``3NTX``, ``Pass``; None for any other text."""
    said = " ".join(text.upper().split())
    if said in _PASSED:
        return "Pass"
    found = re.fullmatch(_CONTRACT, said)
    if found is None:
        return None
    level, denomination, doubled = found.groups()
    return level + _DENOMINATIONS.get(denomination, denomination) + _DOUBLED.get(doubled, doubled)


def declarer(text: str) -> str | None:
    """Return the seat of a declarer; None for any other text."""
    seat = text.strip().upper()
    return seat[0] if seat in {"N", "E", "S", "W", "NORTH", "EAST", "SOUTH", "WEST"} else None


def tricks(text: str) -> int | None:
    """Return a number of tricks, which may be more than there are; None for any other text."""
    said = text.strip()
    return int(said) if re.fullmatch("[0-9]{1,2}", said) else None


def lead(text: str) -> str | None:
    """Return a card, its suit first; None for any other text."""
    found = re.fullmatch(_CARD, text.strip().upper())
    if found is None:
        return None
    suit, rank = found[1] or found[4], found[2] or found[3]
    return _DENOMINATIONS.get(suit, suit) + rank.replace("10", "T")


def board_number(text: str) -> int | None:
    """Return the number of a board, which may be written with zeros before it; None for any other text."""
    return int(text) if re.fullmatch("0{0,3}[1-9][0-9]{0,3}", text) else None


def how_played(said: str, by: str, taken: str, led: str) -> dict[str, object]:
    """Return contract, declarer, tricks and lead in the boards frame's columns; of boards passed out the first alone.

    said: the text of the contract; without one the others say nothing.
    by: that of the declarer.
    taken: that of the tricks.
    led: that of the lead.
    """
    return {name: column[0] for name, column in columns_of_play([said], [by], [taken], [led]).items()}


def columns_of_play(
    said: Sequence[str], by: Sequence[str], taken: Sequence[str], led: Sequence[str]
) -> dict[str, list[Any]]:
    """Return the same as columns, for many results; see :func:`how_played`."""
    if not any(said):
        return {name: [None] * len(said) for name in PLAYED}
    bids = list(map(contract, said))
    out = [bid in _NO_PLAY for bid in bids]
    others = {"declarer": (declarer, by), "tricks": (tricks, taken), "lead": (lead, led)}
    columns: dict[str, list[Any]] = {"contract": bids}
    for name, (value_of, texts) in others.items():
        columns[name] = [None if no else value_of(text) for no, text in zip(out, texts, strict=True)]
    return columns


PLAYED = ("contract", "declarer", "tricks", "lead")
"""The columns of the boards frame that say how a board was played."""

_NO_PLAY = {None, "Pass"}

HANDS = ("north", "east", "south", "west")
SUITS = "SHDC"


def wrong_hands(board: str, hands: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """Return what is wrong with the hands of a board, and what would be right; None for a pack of cards with a number.

    hands: by direction, the cards of each suit, from spades on; none of a deal that could not be taken apart.
    """
    number = board_number(board)
    if number is None:
        return "these hands have no number of a board", "write it as PBN's Board, LIN's qx or ah, or DLM's Board 07"
    if not hands:
        return (
            "this is not a deal, or it is damaged",
            "write four hands of 13 cards; in DLM the last three digits are a check",
        )
    name = f"board {number}"
    whole = "write the 13 cards of each hand, such as KJ.KJ87642.87.62"
    cards: list[str] = []
    for seat in HANDS:
        suits = hands.get(seat, [])
        if len(suits) != len(SUITS):
            return f"{name}: {seat.capitalize()}'s hand is not there, or not in four suits", whole
        held = [suit + rank for suit, text in zip(SUITS, suits, strict=True) for rank in _ranks(text)]
        unknown = [card for card in held if card[1] not in RANKS]
        if unknown:
            return f"{name}: '{unknown[0]}' in {seat.capitalize()}'s hand is no card", "write AKQJT98765432"
        if len(held) != len(RANKS):
            return f"{name}: {seat.capitalize()} has {len(held)} cards", whole
        cards += held
    twice = [card for card, times in Counter(cards).items() if times > 1]
    return (f"{name}: {twice[0]} is there twice", "deal each card once") if twice else None


def whole_hands(
    board: str, hands: Mapping[str, Sequence[str]], where: str, wrong: list[tuple[str, str]]
) -> dict[str, str] | None:
    """Return the hands of a board as :func:`pack` does; wrong takes where all others are, and what is wrong with them.

    board, hands: as for :func:`wrong_hands`. where: their place in the file.
    """
    amiss = wrong_hands(board, hands)
    if amiss:
        wrong.append((where, amiss[0]))
    return None if amiss else pack(hands)


def pack(hands: Mapping[str, Sequence[str]]) -> dict[str, str] | None:
    """Return the hands of a board in the deals frame's columns: ``KJ.KJ87642.87.62``; None unless they are a pack.

    hands: as for :func:`wrong_hands`.
    """
    if wrong_hands("1", hands):
        return None
    suits = {seat: ["".join(sorted(_ranks(suit), key=RANKS.index)) for suit in hands[seat]] for seat in HANDS}
    return {seat: ".".join(each) for seat, each in suits.items()}


def _ranks(suit: str) -> str:
    return suit.strip().upper().replace("10", "T").replace("-", "")


def not_shown(wrong: Sequence[tuple[str, str]]) -> list[Problem]:
    """Return the remark on hands, and what can be made on them, that a file of results has and nobody can read.

    wrong: where each is, and what is wrong. The results are what they are without them.
    """
    if not wrong:
        return []
    what = f"what cannot be read of the hands is not shown: {rows_told([text for _, text in wrong])}"
    hint = "write the 13 cards of each hand, such as KJ.KJ87642.87.62, or name a file of the deals"
    return [Problem(what, wrong[0][0], hint, code="deals.not-shown", rows=tuple(wrong))]


def both_scores(plus: float | None, minus: float | None) -> tuple[float | None, float | None]:
    """Return the score to N-S, and that to E-W where a file says another than N-S's turned round.

    plus, minus: what the file says N-S and E-W have, None for nothing.
    """
    if plus is None:
        return None if minus is None else -minus, None
    return plus, None if minus is None or minus == -plus else minus


def scored_apart(results: Iterable[tuple[str, object, tuple[float | None, float | None]]]) -> list[Problem]:
    """Return the remark on results whose two scores are not each other's turned round, though no ruling is marked.

    results: where each is, its board, and its :func:`both_scores`.
    """
    rows = [
        (where, f"board {board}: {plus:g} to N-S and {minus:g} to E-W")
        for where, board, (plus, minus) in results
        if plus is not None and minus is not None
    ]
    if not rows:
        return []
    what = f"each side has a score of its own: {rows_told([text for _, text in rows])}"
    hint = "if no ruling gave them, correct the one that is wrong"
    return [Problem(what, rows[0][0], hint, code="boards.two-scores", rows=tuple(rows))]


MAKEABLE_ORDER = ("NT", "S", "H", "D", "C")
"""In the order of the tricks of ``makeable``."""


def makeable(tricks: Mapping[tuple[str, str], int]) -> str | None:
    """Return how many tricks each seat can take, in the deals frame's column, by seat and denomination.

    None unless all are there and of any use: programs fill a table that they do not know with zeros.
    """
    if set(tricks) != {(seat, each) for seat in SEATS for each in MAKEABLE_ORDER} or not any(tricks.values()):
        return None
    if not all(0 <= taken <= 13 for taken in tricks.values()):
        return None
    return "; ".join(f"{seat} {' '.join(str(tricks[seat, each]) for each in MAKEABLE_ORDER)}" for seat in SEATS)


def tricks_of(text: str) -> dict[tuple[str, str], int]:
    """Return the tricks of a text of :func:`makeable`, by seat and denomination."""
    found: dict[tuple[str, str], int] = {}
    for part in text.split("; "):
        seat, *taken = part.split()
        found |= {(seat, each): int(one) for each, one in zip(MAKEABLE_ORDER, taken, strict=True)}
    return found


_PAR = re.compile(r"(NS|EW) (-?[0-9]{1,4})")


def par(text: str) -> int | None:
    """Return the par score to N-S of a text such as ``NS 450`` or ``EW 90``; None for any other text."""
    found = _PAR.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    return int(found[2]) if found[1] == "NS" else -int(found[2])


_HONOURS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def high_card_points(hand: str) -> int:
    """Return what a hand counts: 4 for an ace, 3 for a king, 2 for a queen, 1 for a jack."""
    return sum(_HONOURS.get(card, 0) for card in hand)


SIDES = ("ns", "ew")
"""The two sides of a table, as columns begin."""


def only_game(result: Result, taker: str) -> FrameRow:
    """Return the only game of a result, its row of the games frame.

    taker: what takes one game a file, such as ``results.txt``.
    Raises OutputError for several games, and for boards of several sessions.
    """
    if len(result.games) != 1:
        raise ImpossibleError(
            f"there are {len(result.games)} games", hint=f"{taker} takes one game: write each to its own file"
        )
    refuse_sessions(result.boards, taker)
    return result.games.iloc[0].to_dict()


def refuse_sessions(boards: pd.DataFrame, taker: str) -> None:
    """Raise OutputError for boards of several sessions. taker: what takes those of one, such as ``PBN``."""
    if (boards["session"] > 1).any():
        raise ImpossibleError("there are boards of several sessions", hint=f"{taker} takes the boards of one session")


def with_points(result: Result) -> pd.DataFrame:
    """Return the results of boards with ``ns_points``, ``ns_percentage``, those of E-W and ``top``, where known.

    They are those of the travellers; without these, the points are those that the sheet prints.
    """
    boards = result.boards.reset_index(drop=True)
    known = result.travellers.set_index("result").reindex(boards.index)
    points = {f"{side}_points": known[f"{side}_points"].fillna(boards[f"printed_{side}"]) for side in SIDES}
    return boards.assign(**points, **{name: known[name] for name in ("ns_percentage", "ew_percentage", "top")})


def percentage_of(row: FrameRow, side: str) -> float:
    """Return what a side got of a board's top in percent: as it was adjusted, else with two decimals; NaN for nothing.

    row: of :func:`with_points`.
    """
    adjusted: float = row[f"{side}_adjusted"]
    return adjusted if not pd.isna(adjusted) or pd.isna(row["score"]) else round(row[f"{side}_percentage"], 2)


def points_are(boards: pd.DataFrame) -> str:
    """Return what the points of a game's boards are, which :func:`with_points` gave: ``MP`` or ``IMP``."""
    below_zero = (boards[["ns_points", "ew_points"]] < 0).any(axis=None)
    return "IMP" if below_zero and boards["top"].isna().all() else "MP"
