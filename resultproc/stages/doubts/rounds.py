"""Doubts about the results of two contestants against each other in a round, which are on boards that belong together.

The results of a round may be those of its boards with the other sign, as its two sat the other way round, or those of
the boards beside them. How likely that is follows from the other results of these boards, see :func:`_odds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from resultproc.model.arrays import Bools, Floats, Ints, distinct_rows, expand_counts, first_rows, row_dicts
from resultproc.model.at_the_table import SEATS
from resultproc.model.errors import Problem
from resultproc.model.play import HANDS, SUITS
from resultproc.scoring.contracts import contract_scores
from resultproc.scoring.points import imps
from resultproc.stages.doubts.results import Mend, Results, signed_text

_UNLIKE = 6
"""The IMPs between the results of a round and the nearest of their boards, together, below which nothing is odd."""

_ALIKE = 0.5
"""What an IMP more between two results leaves of their likeness, which is 1 where they are the same."""

_OTHER_PLAY = 0.3
"""What is left of the likeness of two results of another denomination or side."""

_USUAL = 2
"""For how many results of a board those of the whole game count, which tell how usual a score is."""

_LIKELY = 4.5
"""The odds, as a logarithm, from which a remark says that results are others: 90 to 1."""

_MOST_OF_ONE = 2.5
"""What one board may say of a whole round at most: the others have to say so, too."""

_TURNED = {"N": "E", "S": "W", "E": "S", "W": "N"}


def switched(results: Results) -> tuple[Bools, Floats]:
    """Return in which meetings both sides seem to have sat the other way round, and the scores turned round."""
    turned = contract_scores(results.boards.assign(declarer=results.boards["declarer"].map(_TURNED)))
    turned = np.where(np.isnan(results.by_contract), -results.score, turned)
    rows = _odd_rows(results)
    put = np.where(results.play >= 0, results.play ^ 1, -1)
    return _odds(results, rows, rows, turned, put) >= _LIKELY, turned


def of_switched(results: Results, switched: Bools, turned: Floats) -> Iterator[Problem]:
    """Yield the meetings in which both sides seem to have sat the other way round.

    switched: which meetings.
    turned: the score of each result, turned round.
    """
    number = results.boards["board"].to_numpy(dtype=np.int64)
    for meeting in np.flatnonzero(switched).tolist():
        rows = np.flatnonzero(results.meeting == meeting)
        rows = rows[np.argsort(number[rows], kind="stable")]
        listed = ", ".join(map(str, number[rows]))
        what = f"on the boards {listed} these are the others' scores with the other sign: N-S seem to have sat E-W"
        mend = Mend(rows, {"score": turned[rows].tolist()}, turned=True)
        hint = "change the directions of the two in this round"
        yield results.remark(int(rows[0]), what, hint, f"boards {listed}", mend)


def shifted(results: Results) -> Iterator[Problem]:
    """Yield the results of a round that are unlike the others of their boards, and like those of the next ones."""
    meeting, number = results.meeting, results.boards["board"].to_numpy(dtype=np.int64)
    order = np.lexsort((number, meeting))
    count = np.bincount(meeting)
    start = np.cumsum(count) - count
    number_in_round = np.empty(len(order), dtype=np.int64)
    number_in_round[order] = np.arange(len(order)) - start[meeting[order]]
    rows = _odd_rows(results)
    rows = rows[count[meeting[rows]] > 1]
    told = np.zeros(len(count), dtype=bool)
    for step in (1, -1):
        target = order[start[meeting] + (number_in_round + step) % count[meeting]]
        moved = scores_on(results, number[target])
        likely = (_odds(results, rows, target[rows], moved, results.play) >= _LIKELY) & ~told
        for run in np.flatnonzero(likely).tolist():
            of_run = order[start[run] : start[run] + count[run]]
            listed, meant = (", ".join(map(str, number[each])) for each in (of_run, target[of_run]))
            what = f"the results of the boards {listed} are unlike the others there, and like those of {meant}"
            mend = Mend(of_run, {"board": number[target[of_run]].tolist(), "score": moved[of_run].tolist()})
            yield results.remark(int(of_run[0]), what, f"write them for the boards {meant}", f"boards {listed}", mend)
        told |= likely


def likely_turned(results: Results, rows: Ints, turned: Floats) -> Bools:
    """Return which of some results are much likelier turned round.

    turned: the score of every result, turned round.
    """
    put = np.where(results.play >= 0, results.play ^ 1, -1)
    return _odds_of_rows(results, rows, rows, turned, put) >= _LIKELY_ALONE


_LIKELY_ALONE = 3.0
"""The odds, as a logarithm, from which a remark says that a result alone on its side is turned round: 20 to 1."""


def scores_on(results: Results, board: Ints) -> Floats:
    """Return the scores that results would have on other boards, where others may be vulnerable."""
    moved = contract_scores(results.boards.assign(board=board))
    return np.where(np.isnan(results.by_contract), results.score, moved)


def _odd_rows(results: Results) -> Ints:
    """Return the results of meetings that are unlike the others of their boards at all."""
    off = np.nan_to_num(results.off(results.of_board, results.score, results.score))
    return np.flatnonzero((np.bincount(results.meeting, off) >= _UNLIKE)[results.meeting])


def _odds(results: Results, rows: Ints, target: Ints, moved: Floats, put: Ints) -> Floats:
    """Return for each meeting what :func:`_odds_of_rows` gives for its results together."""
    odds = np.minimum(_odds_of_rows(results, rows, target, moved, put), _MOST_OF_ONE)
    meetings = int(results.meeting.max(initial=-1)) + 1
    return np.asarray(np.bincount(results.meeting[rows], odds, minlength=meetings), dtype=np.float64)


def _odds_of_rows(results: Results, rows: Ints, target: Ints, moved: Floats, put: Ints) -> Floats:
    """Return how much likelier results are where they are put, as the logarithm of the odds.

    A result is as likely on a board as the other results there are like it, and those of the whole game, which count
    for :data:`_USUAL` of them. What is not known says nothing.

    rows: the results that come into question.
    target: those in whose places they are put.
    moved, put: the score that each result of the frame has there, and its denomination and side.
    """
    of_rows = [(results.of_board[rows], results.score[rows], results.play[rows], rows)]
    of_rows += [(results.of_board[target], moved[rows], put[rows], target)]
    usual = _usual(results, rows, [scores for _, scores, _, _ in of_rows])
    here, there = (_alike(results, *each) + _USUAL * often for each, often in zip(of_rows, usual, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(np.log(there / here), nan=0.0, posinf=0.0, neginf=0.0)


def _alike(results: Results, board: Ints, score: Floats, play: Ints, but: Ints) -> Floats:
    """Return how like the results of boards are to scores, all together, each without one that is left out."""
    order = np.argsort(results.of_board, kind="stable")
    start, end = (np.searchsorted(results.of_board[order], board, side) for side in ("left", "right"))
    of, place = expand_counts(end - start)
    other = order[start[of] + place]
    counted = (other != but[of]) & ~np.isnan(results.score[other])
    of, other = of[counted], other[counted]
    like = _ALIKE ** np.abs(imps(score[of] - results.score[other]))
    differs = (play[of] >= 0) & (results.play[other] >= 0) & (play[of] != results.play[other])
    found = np.bincount(of, np.where(differs, _OTHER_PLAY, 1) * like, minlength=len(board))
    return np.where(np.isnan(score), np.nan, found)


def _usual(results: Results, rows: Ints, scores: list[Floats]) -> list[Floats]:
    """Return how like the results of its game are to each score, with either sign, on average."""
    game = distinct_rows(results.boards[["game_id"]])[0]
    found = [np.zeros(len(rows)) for _ in scores]
    for number in np.unique(game[rows]).tolist():
        said = results.score[(game == number) & ~np.isnan(results.score)]
        known, count = np.unique(np.concatenate([said, -said]), return_counts=True)
        mine = game[rows] == number
        for each, often in zip(scores, found, strict=True):
            distinct, place = np.unique(np.nan_to_num(each[mine]), return_inverse=True)
            like = _ALIKE ** np.abs(imps(distinct[:, None] - known[None, :]))
            often[mine] = (like @ (count / max(count.sum(), 1)))[place]
    return found


def of_another_round(results: Results) -> Iterator[Problem]:
    """Yield results on a board that was not among those of their round, which others have met together.

    Boards that one of the two has another result of are told as such, and passed over.
    """
    number = results.boards["board"].to_numpy(dtype=np.int64)
    strays: dict[int, list[tuple[int, int]]] = {}
    for row, meant in results.kept("strays", _strays):
        strays.setdefault(int(results.meeting[row]), []).append((row, meant))
    twice = np.isin(np.arange(len(number)), np.concatenate(results.met_again[:2]))
    for meeting, found in strays.items():
        if any(twice[row] for row, _ in found):
            continue
        beside = ", ".join(map(str, sorted(number[results.meeting == meeting])))
        row, meant = found[0]
        if len(found) == 1:
            what = f"of the boards {beside} of this round, board {number[row]} is one of another round"
            yield results.remark(row, what, f"write it for board {meant}", mend=put_on(results, row, meant))
        else:
            what = f"the boards {beside} are of two rounds"
            others = "".join(f"; or {number[other]} to {board}" for other, board in found[1:])
            hint, mend = f"correct the board: {number[row]} to {meant}", put_on(results, row, meant)
            yield results.remark(row, what, hint, f"boards {beside}", mend, others)


def put_on(results: Results, row: int, board: int) -> Mend:
    """Return how a result is mended whose board has another number."""
    score = scores_on(results, np.full(len(results.boards), board))[row]
    return Mend(np.array([row]), {"board": [board], "score": [float(score)]})


def meant_board(results: Results, row: int) -> int | None:
    """Return the board that a result with a wrong number belongs to, where the others of its round tell."""
    return dict(results.kept("strays", _strays)).get(row)


def _strays(results: Results) -> list[tuple[int, int]]:
    """Return the results whose board is not of their round, and the board that is missing there.

    The boards of a round are those that at least two others have met together. A board that one of the two has met
    elsewhere is not missing.
    """
    number = results.boards["board"].to_numpy(dtype=np.int64)
    field = distinct_rows(results.boards[["game_id", "session", "section"]])[0]
    first = first_rows(results.meeting, int(results.meeting.max(initial=-1)) + 1)
    order = np.lexsort((number, results.meeting))
    sets = [tuple(each.tolist()) for each in np.split(number[order], np.cumsum(np.bincount(results.meeting))[:-1])]
    met: dict[int, Counter[tuple[int, ...]]] = {}
    for of_field, boards in zip(field[first].tolist(), sets, strict=True):
        met.setdefault(of_field, Counter())[boards] += 1
    usual = {of: [set(boards) for boards, times in each.items() if times > 1] for of, each in met.items()}
    known = {
        of: sum(times for times in each.values() if times > 1) >= _MOSTLY * each.total() for of, each in met.items()
    }
    found = []
    for meeting, boards in enumerate(sets):
        of_field = int(field[first[meeting]])
        if known[of_field] and len(boards) > 1 and met[of_field][boards] == 1:
            rows = order[np.searchsorted(results.meeting[order], meeting) :][: len(boards)].tolist()
            found += _strays_among(results, rows, boards, usual[of_field])
    return found


def _strays_among(
    results: Results, rows: list[int], boards: tuple[int, ...], usual: list[set[int]]
) -> list[tuple[int, int]]:
    """Return which of the boards of a meeting may be of another round, as their rows, and what is missing then."""
    found = []
    for row, stray in zip(rows, boards, strict=True):
        others = set(boards) - {stray}
        lacking = {(each - others).pop() for each in usual if len(each) == len(boards) and others < each}
        lacking = {each for each in lacking if not _has_met(results, row, each)}
        if len(lacking) == 1 and len(others) == len(boards) - 1:
            found.append((row, lacking.pop()))
    return found


_MOSTLY = 0.5
"""From which part of its meetings on, that share their boards with others, the rounds of a field are known by them."""


def _has_met(results: Results, row: int, board: int) -> bool:
    whose = [sat[row] for sat in results.seats.values()]
    session, number = (results.boards[name].to_numpy(dtype=np.int64) for name in ("session", "board"))
    theirs = np.isin(results.seats["ns"], whose) | np.isin(results.seats["ew"], whose)
    return bool((theirs & (number == board) & (session == session[row])).any())


_LIKELIER = 2.0
"""The odds, as a logarithm, from which it is rather the declarer that is wrong than the lead: 7 to 1."""


def leads(results: Results) -> Iterator[Problem]:
    """Yield results whose lead is a card of declarer's side, where the hands are known.

    Where the other side's playing it is more like the others of the board, the declarer is doubted. Other leads, which
    people enter with little care and which change no score, are one remark for each game.
    """
    boards = results.boards
    if results.deals.empty or boards["lead"].isna().all():
        return
    # The seat whose hand has the card that was led.
    holder: dict[tuple[str, int, int, str], int] = {}
    for deal in row_dicts(results.deals):
        for hand, name in enumerate(HANDS):
            for suit, cards in zip(SUITS, str(deal[name]).split("."), strict=True):
                holder |= {(deal["game_id"], deal["session"], deal["board"], suit + card): hand for card in cards}
    keys = zip(*(boards[name] for name in ("game_id", "session", "board", "lead")), strict=True)
    seat = np.array([holder.get(key, -1) for key in keys], dtype=np.int64)
    by = boards["declarer"].map(SEATS.index, na_action="ignore").fillna(-1).to_numpy(dtype=np.int64)
    rows = np.flatnonzero((seat >= 0) & (by >= 0) & ((seat - by) % 2 == 0))
    meant = boards["declarer"].astype("object")
    meant.iloc[rows] = [SEATS[each - 1] for each in seat[rows].tolist()]
    turned = contract_scores(boards.assign(declarer=meant.astype("str")))
    likelier = _odds_of_rows(results, rows, rows, turned, results.play ^ 1) >= _LIKELIER
    for row in rows[likelier].tolist():
        what = f"{SEATS[by[row]]} declared, and the lead {boards['lead'].iat[row]} is {SEATS[seat[row]]}'s card"
        hint = f"write {meant.iat[row]} for the declarer, {signed_text(turned[row])}, or correct the lead"
        yield results.remark(row, what, hint, mend=Mend(np.array([row]), {"score": [float(turned[row])]}))
    left = rows[~likelier]
    for game in boards["game_id"].iloc[left].unique():
        of_game = left[boards["game_id"].iloc[left] == game]
        each = []
        for row in of_game.tolist():
            lead = f"{boards['lead'].iat[row]} on board {boards['board'].iat[row]}"
            each.append(", ".join([lead, *results.seated(row), results.who(row)]))
        said = "; ".join(each)
        listed = ", ".join(map(str, sorted(set(boards["board"].iloc[of_game]))))
        what = f"these leads are cards of declarer's side: {said}"
        hint = "correct them; where there are many, the hands may be those of other boards"
        yield results.remark_on_game(int(of_game[0]), what, hint, f"board{'s' * (',' in listed)} {listed}")
