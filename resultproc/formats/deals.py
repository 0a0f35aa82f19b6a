"""Files of deals: the hands of a game's boards, which the file of its results need not have.

Such a file is named with a game (``--deals``), or in the TOML file beside it: ``deals = "tonight.pbn"``, for one of
several games below ``[games.ID]``. Its content tells what it is:

- PBN, as :mod:`resultproc.formats.pbn` has it: ``Board``, ``Deal``, ``OptimumResultTable`` and ``OptimumScore``.
- LIN of Bridge Base, for which there is no specification; its users and programs agree on what is read here: ``md``
  has the hands from South on (the fourth may be left out, as it follows), and ``qx`` or ``ah`` the board's number.
- DLM of Duplimate's dealing machines, as the public source of Big Deal writes it (output.c, ``print_dlm``): a letter
  for two cards, from the ace of spades to the two of clubs, and the bits of letters and number as a check. What is not
  between ``From board`` and ``To board`` fills the file up to 99 boards.

Hands that are no pack of cards are an InputError that names the line. A board has one deal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

import pandas as pd

from resultproc.formats.loaded import errors_of
from resultproc.formats.registry import decode
from resultproc.model.arrays import row_dicts
from resultproc.model.at_the_table import SEATS, dealer, vulnerable
from resultproc.model.codes import CONTRADICTED, MISSING, UNKNOWN, UNREADABLE
from resultproc.model.draft import Reading
from resultproc.model.errors import DeclarationError, FormatError, InputError, Problem
from resultproc.model.frames import DEALS, Result
from resultproc.model.game import BY_MATCHES
from resultproc.model.grid import Records
from resultproc.model.play import HANDS, RANKS, SUITS, makeable, pack, wrong_hands
from resultproc.model.source import DeclaredFile, Source
from resultproc.model.text import listed

MAX_BYTES = 8 * 1024 * 1024
"""No file of deals is larger: a hundred boards with bidding and play are a tenth of that."""

DEAL_ENDINGS = (".pbn", ".lin", ".dlm")
"""How files of deals end that are read here."""

_MOST = 100
"""The most hands that are told of a file that is wrong throughout."""


class Dealt(NamedTuple):
    """The deal of a board as a file has it."""

    board: str  # the number, empty where there is none
    where: str  # the line
    hands: Mapping[str, Sequence[str]]  # by direction, the cards of each suit, from spades on
    tricks: str | None = None  # what can be made, None where the file does not say it
    par: int | None = None  # the score for that, None where the file does not say it


def hands_of(file: DeclaredFile) -> dict[int, dict[str, Any]]:
    """Return the hands of a file of deals by the number of the board, in the deals frame's columns.

    Raises InputError, the file and its lines named, for all hands that are no pack of cards, and for two of one board.
    """
    with errors_of(file.name):
        if len(file.data) > MAX_BYTES:
            what = f"a file of deals has no more than {MAX_BYTES // 1024**2} MB"
            raise FormatError(what, hint="is it another file?")
        found: dict[int, dict[str, Any]] = {}
        first: dict[int, str] = {}
        problems = []
        for each in _dealt(file.data):
            wrong = wrong_hands(each.board, each.hands)
            if wrong:
                problems.append(Problem(wrong[0], each.where, wrong[1], code=UNREADABLE))
                if len(problems) == _MOST:
                    break
                continue
            board = int(each.board)
            whole = pack(each.hands) or {}
            said = {"makeable": each.tricks, "par": each.par}
            before = found.setdefault(board, {**whole, **said})
            if any(before[seat] != whole[seat] for seat in HANDS):
                what = f"board {board} has other hands here than in {first[board]}"
                problems.append(Problem(what, each.where, "give the boards of one session alone", code=UNREADABLE))
            first.setdefault(board, each.where)
            before |= {name: value for name, value in said.items() if before[name] is None}
        if problems:
            raise InputError(problems)
        if not found:
            raise FormatError("there are no hands in this file", hint="give one that has them", code=UNKNOWN)
        return found


def _dealt(data: bytes) -> Iterator[Dealt]:
    hint = f"save the hands as {listed(DEAL_ENDINGS, 'or')}"
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError("this is binary data, not a file of deals", hint=hint, code=UNKNOWN)
    lines = decode(data).split("\n")
    kind = next((kind for kind, sign in _KINDS.items() if any(map(sign.match, lines))), None)
    if kind is None:
        raise FormatError("this is not a file of deals that can be read", hint=hint, code=UNKNOWN)
    return kind(lines)


def _pbn(lines: Sequence[str]) -> Iterator[Dealt]:
    from resultproc.formats.pbn.events import dealt, events_of

    for event in events_of(lines):
        for board, cell in event.deals:
            if cell.text.strip():
                yield Dealt(board, cell.where, dealt(cell.text), event.tricks.get(board), event.par.get(board))


_LIN_SEATS = ("south", "west", "north", "east")
_LIN_HAND = re.compile("".join(f"(?:{suit}([^SHDC]*))?" for suit in SUITS), re.IGNORECASE)
_LIN_BOARD = re.compile(r"board\s*([0-9]+)", re.IGNORECASE)
_LIN_LABEL = re.compile("[a-z]?([0-9]+)", re.IGNORECASE)


def _lin(lines: Sequence[str]) -> Iterator[Dealt]:
    """Yield the deals of LIN: the number stands in ``qx`` before the hands, or in ``ah`` after them."""
    number, line, before = "", 1, None
    parts = "\n".join(lines).split("|")
    for name, value in zip(parts[::2], parts[1::2], strict=False):
        key, line = name.strip().lower(), line + name.count("\n")
        if key == "qx":
            label = _LIN_LABEL.match(value.strip())
            number = label[1] if label else ""
        elif key == "md" and value.strip()[1:].strip(", "):
            if before:
                yield before
            before, number = Dealt(number, f"line {line}", _lin_hands(value.strip()[1:])), ""
        elif key == "ah" and before and not before.board and (said := _LIN_BOARD.match(value.strip())):
            before = before._replace(board=said[1])
        line += value.count("\n")
    if before:
        yield before


def _lin_hands(text: str) -> dict[str, Sequence[str]]:
    """Return the hands of an ``md``; the fourth is all other cards where it is left out."""
    hands: dict[str, Sequence[str]] = {}
    for seat, hand in zip(_LIN_SEATS, map(str.strip, text.split(",")), strict=False):
        if hand:
            found = _LIN_HAND.fullmatch(hand)
            hands[seat] = [(suit or "").upper() for suit in found.groups()] if found else [hand]
    left = [seat for seat in _LIN_SEATS if seat not in hands]
    if len(left) == 1:
        held = ("".join(suits) for suits in zip(*hands.values(), strict=False))
        hands[left[0]] = ["".join(rank for rank in RANKS if rank not in suit) for suit in held]
    return hands


_DLM_BOARD = re.compile("board *([0-9]{1,3})")
_DLM_CARDS = re.compile("([a-p]{26})([0-9]{1,3})")


def _dlm(lines: Sequence[str]) -> Iterator[Dealt]:
    """Yield the deals of DLM from the first board to the last; the others fill the file."""
    said: dict[str, str] = {}
    boards: list[tuple[str, str, str]] = []
    for n, line in enumerate(lines, 1):
        name, _, value = line.partition("=")
        key = name.strip().lower()
        said.setdefault(key, value.strip())
        if found := _DLM_BOARD.fullmatch(key):
            boards.append((found[1], value.strip(), f"line {n}"))
    if said.get("crypto key", "0") not in {"0", ""}:
        what = "these hands are encrypted: Crypto key is not 0"
        raise FormatError(what, hint="save them without a key, or as PBN")
    ends = [said.get(key, "") for key in ("from board", "to board")]
    first, last = (int(end) if re.fullmatch("[0-9]{1,3}", end) else None for end in ends)
    if first is None or last is None:
        hint = "write [Document], From board=1, To board=24, and below them a line for each board"
        raise FormatError("this DLM does not say From board and To board, and fills up with boards", hint=hint)
    return (
        Dealt(board, where, _dlm_hands(board, text)) for board, text, where in boards if first <= int(board) <= last
    )


def _dlm_hands(board: str, text: str) -> dict[str, Sequence[str]]:
    """Return the hands of a line of DLM; none where its check fails."""
    found = _DLM_CARDS.fullmatch(text)
    bits = reduce(xor, found[1].encode()) if found else 0
    if found is None or int(found[2]) not in {bits ^ int(board), bits}:  # some programs leave the number out
        return {}
    held = [seat for letter in found[1] for seat in divmod(ord(letter) - ord("a"), len(SEATS))]
    of_suits = [held[at : at + len(RANKS)] for at in range(0, len(held), len(RANKS))]
    return {
        name: ["".join(rank for rank, holder in zip(RANKS, suit, strict=True) if holder == seat) for suit in of_suits]
        for seat, name in enumerate(HANDS)
    }


_KINDS: Mapping[Callable[[Sequence[str]], Iterator[Dealt]], re.Pattern[str]] = {
    _pbn: re.compile(r"\s*\[Deal\s", re.IGNORECASE),
    _dlm: re.compile(r"\s*board *[0-9]+\s*=", re.IGNORECASE),
    _lin: re.compile(r"(.*\|)?\s*md\|", re.IGNORECASE),
}


def with_deals(reading: Reading, source: Source) -> tuple[Records, list[Problem]]:
    """Return the deals of a results file with those of the files of deals named with it, and the remarks on them.

    Boards match by number, and what a file of deals has goes before what the results file has; what can be made is kept
    where the hands are the same. Raises DeclarationError for deals of other boards, and where it is not clear which of
    two games or sessions they are of.
    """
    if not source.deals:
        return reading.deals, []
    games = [str(fact["game_id"]) for fact in reading.sheet.facts]
    columns = (reading.boards[name] if len(reading.boards) else [] for name in _KEY)
    played = dict.fromkeys((game, int(session), int(board)) for game, session, board in zip(*columns, strict=True))
    listed = zip(*(reading.deals[name] for name in reading.deals), strict=True)
    known = (dict(zip(reading.deals, values, strict=True)) for values in listed)
    rows = {(str(row["game_id"]), int(row["session"]), int(row["board"])): row for row in known}
    own = {name for name, _ in source.deals}
    remarks: list[Problem] = []
    again = _of_several_rounds(reading)
    for name, file in source.deals:
        of_file = [game for game in games if (game == name if name else game not in own)]
        dealt = hands_of(file)
        there = [key for key in played if key[0] in of_file]
        if not there:
            what = f"the hands of {file.name} are not shown: there are no results of boards"
            remarks.append(Problem(what, file=source.name, game=name, hint=_NO_BOARDS, code="deals.unused"))
            continue
        with errors_of(file.name):
            _refuse_others(there, dealt, source)
        remarks += _remarks(there, dealt, rows, file.name, source.name)
        if several := [key for key in there if key in again and key[2] in dealt]:
            what = f"{_listed(board for *_, board in several)}: several rounds of matches, one deal in {file.name}"
            hint = "if each match had boards of its own, do without the hands"
            remarks.append(Problem(what, file=source.name, game=several[0][0], hint=hint, code="deals.rounds"))
        for key in there:
            if key[2] in dealt:
                before, row = rows.get(key), dict(zip(_KEY, key, strict=True)) | dealt[key[2]]
                if before and _alike(row, before):  # what can be made may be known from before
                    row |= {name: before.get(name) for name in ("makeable", "par") if row[name] is None}
                rows[key] = row
    return Records(rows.values()), remarks


_NO_BOARDS = "give the file that has the results of boards, or do without the hands"

_KEY = ("game_id", "session", "board")
_Key = tuple[str, int, int]
"""The game, session and number of a board."""


def _of_several_rounds(reading: Reading) -> set[_Key]:
    """Return the boards that were played in several rounds of matches, which may have had boards of their own."""
    games = {str(fact["game_id"]) for fact in reading.sheet.facts if fact.get("event_type") in BY_MATCHES}
    if not games or "round" not in reading.boards:
        return set()
    columns = (reading.boards[name] for name in (*_KEY, "round"))
    played = {(str(game), int(session), int(board), each) for game, session, board, each in zip(*columns, strict=True)}
    times = Counter(key[:3] for key in played if key[0] in games)
    return {key for key, rounds in times.items() if rounds > 1}


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[seat] == other[seat] for seat in HANDS)


def _refuse_others(there: Sequence[_Key], dealt: Mapping[int, object], source: Source) -> None:
    boards = [board for _, _, board in there]
    if not set(boards) & set(dealt):
        what = f"these are the hands of {_listed(dealt)}, and {source.name} has results of {_listed(boards)}"
        hint = "give the deals of this game"
        raise DeclarationError(what, hint=hint, code=CONTRADICTED)
    twice = [board for board, times in Counter(boards).items() if times > 1 and board in dealt]
    if not twice:
        return
    games = list(dict.fromkeys(game for game, _, board in there if board == twice[0]))
    if len(games) > 1:
        what = f"board {twice[0]} was played in the games {' and '.join(games)}, and these hands may be those of one"
        hint = f'say whose they are in {source.stem}.toml: [games."{games[0]}"], and below it deals = "..."'
    else:
        what = f"board {twice[0]} was played in two sessions, and these hands are those of one"
        hint = "give each session a file of its own, and award them with --one-event"
    raise DeclarationError(what, hint=hint, code=MISSING)


def _remarks(
    there: Sequence[_Key],
    dealt: Mapping[int, Mapping[str, Any]],
    rows: Mapping[_Key, Mapping[str, Any]],
    file: str,
    source: str,
) -> Iterator[Problem]:
    for game in dict.fromkeys(key[0] for key in there):
        here = [key for key in there if key[0] == game]
        others = [key[2] for key in here if key[2] in dealt and key in rows and not _alike(dealt[key[2]], rows[key])]
        lacking = [key[2] for key in here if key[2] not in dealt and key not in rows]
        if others:
            what = f"{source} and {file} have other hands of {_listed(others)}: those of {file} are taken"
            hint = "look which ones were played; without the file of deals the others are taken"
            yield Problem(what, file=source, game=game, hint=hint, code="deals.other")
        if lacking:
            what = f"{file} has no hands of {_listed(lacking)}, which were played"
            hint = "is it the file of this session?"
            yield Problem(what, file=source, game=game, hint=hint, code="deals.lacking")


def _listed(boards: Iterable[int]) -> str:
    """Return numbers of boards in words: ``boards 1 to 4, 7``."""
    runs: list[list[int]] = []
    for board in sorted(set(boards)):
        if runs and board == runs[-1][-1] + 1:
            runs[-1].append(board)
        else:
            runs.append([board])
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    text = ", ".join(parts)
    return f"board{'s' * (not text.isdecimal())} {text}"


_AT_ONCE = 40
"""How many deals are analysed in one go: the library takes no more."""


def analysed(result: Result) -> Result:
    """Return a result with what can be made on its boards; a remark says so where no hands are known."""
    if len(result.deals):
        return replace(result, deals=with_makeable(result.deals))
    what = "no hands are known, and nothing is worked out from them"
    remark = Problem(what, hint="name the file that has the hands", code="deals.unused")
    return replace(result, remarks=(*result.remarks, remark))


def with_makeable(deals: pd.DataFrame) -> pd.DataFrame:
    """Return a deals frame with what can be made on each board, and its par, where no file said it: each hand once.

    It takes a part of a second for each deal, and the library endplay (the extra ``deals``): ModuleNotFoundError.
    """
    rows = row_dicts(deals)
    lacking = [row for row in rows if pd.isna(row["makeable"]) or pd.isna(row["par"])]
    if not lacking:
        return deals
    from endplay.dds import calc_all_tables, par
    from endplay.types import Deal, Denom, Player, Vul

    texts = [f"N:{' '.join(row[seat] for seat in HANDS)}" for row in lacking]
    distinct = list(dict.fromkeys(texts))
    tables: dict[str, Any] = {}
    for at in range(0, len(distinct), _AT_ONCE):
        chunk = distinct[at : at + _AT_ONCE]
        tables |= zip(chunk, calc_all_tables([Deal(text) for text in chunk]), strict=True)
    called = {"none": Vul.none, "N-S": Vul.ns, "E-W": Vul.ew, "both": Vul.both}
    names = {denom: "NT" if denom is Denom.nt else denom.name[0].upper() for denom in Denom}
    for row, text in zip(lacking, texts, strict=True):
        table, board = tables[text], row["board"]
        if pd.isna(row["makeable"]):
            taken = {(player.abbr, names[denom]): table[denom, player] for player in Player for denom in Denom}
            row["makeable"] = makeable(taken)
        if pd.isna(row["par"]):
            row["par"] = par(table, called[vulnerable(board)], Player.find(dealer(board))).score
    return DEALS.conform(pd.DataFrame(rows))
