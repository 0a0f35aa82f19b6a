"""The results by board of a section of pairs in an ACBLscore game file: scores and matchpoints, without contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from resultproc.formats.acblscore import layout
from resultproc.formats.acblscore.layout import Int, Record
from resultproc.model.errors import InputError

Number = Callable[[Record, int, int], str]
"""Gives the number of the pair that the movement calls by a number, on a side (0 N-S, 1 E-W), for a result's record."""


def read_boards(summary: Record, number: Number) -> Iterator[dict[str, object]]:
    """Yield the results of a section's boards in the boards frame's columns, from ``board`` on.

    A board that was not played at a table has neither score nor matchpoints. Raises InputError that names the offset
    for what is damaged, and for a score that is neither points nor an adjusted score.
    """
    at = layout.Boards
    if summary.number(layout.SectionSummary.boards) == 0:  # totals may be entered without boards
        return
    boards = summary.follow(layout.SectionSummary.boards, at.length, f"{summary.name}, boards")
    several = boards.number(at.count)
    if at.boards + several * at.board_size > boards.size + 2:
        raise boards.damaged(f"{several} boards do not fit in {boards.size} bytes")
    for place in range(several):
        entry = boards.part(at.boards + place * at.board_size)
        played = entry.number(at.number)
        board = entry.follow(at.record, layout.Board.length, f"{summary.name}, board {played}")
        yield from ({"board": played, **result} for result in _results(board, entry.number(at.results), number))


def _results(board: Record, count: int, number: Number) -> Iterator[dict[str, object]]:
    """Yield the results of a board that are in play: those that have a score are counted, with others among them."""
    at = layout.Board
    room = (board.size + 2 - at.results) // at.result_size
    if count > room:
        raise board.damaged(f"{count} results do not fit in {board.size} bytes")
    for place in range(room):
        if count == 0:
            return
        result = board.part(at.results + place * at.result_size)
        code = result.number(layout.BoardResult.ns_score)
        count -= code not in {layout.NOT_IN_PLAY, *layout.NO_RESULT}
        if code != layout.NOT_IN_PLAY:
            yield _result(result, number)


def _result(result: Record, number: Number) -> dict[str, object]:
    at = layout.BoardResult
    pairs = [number(result, side, result.number(field)) for side, field in enumerate((at.ns, at.ew))]
    (score, adjusted), (ew_score, ew_adjusted) = (_score(result, field) for field in (at.ns_score, at.ew_score))
    played = not (score is adjusted is ew_score is ew_adjusted is None)
    return {
        "ns": pairs[0],
        "ew": pairs[1],
        "score": score if score is not None or ew_score is None else -ew_score,
        "ew_score": None if score is None or ew_score == -score else ew_score,
        "ns_adjusted": adjusted,
        "ew_adjusted": ew_adjusted,
        "printed_ns": result.number(at.ns_points) / 100 if played else None,
        "printed_ew": result.number(at.ew_points) / 100 if played else None,
    }


def _score(result: Record, field: Int) -> tuple[float | None, float | None]:
    """Return the points of one side, and in percent of the top what was adjusted."""
    code = result.number(field)
    if code < layout.FIRST_SPECIAL:
        return code * 10.0, None
    if code in layout.NO_RESULT:
        return None, None
    if code not in layout.ADJUSTED:
        known = ", ".join(map(str, (*layout.NO_RESULT, *layout.ADJUSTED)))
        raise InputError(f"unknown score code: {code}", result.place, f"known: {known}")
    return None, layout.ADJUSTED[code]


def pair_number(section: Record, one_winner: bool) -> Number:
    """Return what gives the numbers of a section's pairs, which may have been reassigned by hand."""
    pairs, highest = section.part(layout.Section.pair_map), section.number(layout.Section.highest)

    def number(result: Record, side: int, original: int) -> str:
        if not 1 <= original <= highest:
            raise result.damaged(f"there is a result of pair {original}, but the highest number is {highest}")
        place = original - 1
        return str(pairs.number(Int(place if one_winner else 4 * place + side)) or original)

    return number
