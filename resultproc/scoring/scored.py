"""Files whose totals are scored here, from the results of their boards: those that have none, or all that are asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import row_dicts
from resultproc.model.at_the_table import met_again, numbered_anew, partners, seats
from resultproc.model.codes import CONTRADICTED, MISSING, UNKNOWN
from resultproc.model.draft import Draft, GameFacts, framed
from resultproc.model.errors import DeclarationError, FormatError, InputError, Problem, rows_told, shown
from resultproc.model.frames import BOARDS, GAMES, Sheet
from resultproc.model.game import TEAMS, EventType, Imps, Scoring, per_section_text
from resultproc.model.grid import Records
from resultproc.model.keys import how_to_declare
from resultproc.model.values import SwissMatch, swiss_text
from resultproc.scoring.contracts import (
    BOARD_A_MATCH,
    FACTORED_IMPS,
    TEAM_IMPS,
    WAYS,
    boards_here,
    contract_scores,
    round_hundredths,
    totals_here,
)
from resultproc.scoring.points import AVERAGE_IMPS, PAIRS_AND_INDIVIDUALS, matchpoints, meetings
from resultproc.scoring.recompute import compare_boards

SCORED_EVENTS = (*PAIRS_AND_INDIVIDUALS, EventType.BAM.value)
"""The events whose totals are those of their boards; those of Swiss teams are in IMPs only where nobody says others."""


def contract_scored(boards: Sequence[Mapping[str, Any]]) -> Records:
    """Return results of boards, those without a score with the one that contract, declarer and tricks give (Law 77)."""
    rows = Records(boards)
    given = rows.get("score")
    found = contract_scores(framed([rows], BOARDS)) if None in given else np.zeros(0)
    rows["score"] = [
        (None if np.isnan(found[n]) else float(found[n])) if score is None else score for n, score in enumerate(given)
    ]
    return rows


def scored(draft: Draft, *, again: bool = False) -> Draft:
    """Return a draft in which the games that have boards and no totals have those that follow from the boards.

    They are scored by their ``scoring``, by matchpoints where nobody says how, each section by itself or those of
    ``scored_across`` together; a remark says so. again: whether games that have totals are scored, too, in their place;
    the remark says which differ and by how much.
    Raises FormatError for a way to score that is not known here and for teams that nobody can tell, DeclarationError
    where the way is to be declared, and InputError for adjusted scores that are worth nothing in IMPs.
    """
    if not len(draft.boards):
        return _as_it_was(draft, [fact["game_id"] for fact in draft.facts]) if again else draft
    names = [name for name in draft.rows if name in {"score", "percentage"} or name.startswith("session")]
    every = list(zip(draft.rows["game_id"], *(draft.rows[name] for name in names), strict=True))
    lacking = {game for game, *_ in every} - {game for game, *each in every if any(_is_there(value) for value in each)}
    with_boards = set(draft.boards["game_id"])
    kinds = {fact["game_id"]: fact.get("event_type") or EventType.PAIRS.value for fact in draft.facts}
    chosen = {
        game
        for game, kind in kinds.items()
        if kind in SCORED_EVENTS and game in with_boards and (again or game in lacking)
    }
    of_teams = {game for game in with_boards & lacking if kinds[game] == EventType.SWISS}
    columns = [draft.boards[name] for name in ("game_id", "session", "section", "board", "ns", "ew")]
    met = set(zip(*columns, strict=True))
    at_two_tables = {game for game, *where, ns, ew in met if (game, *where, ew, ns) in met and ns != ew}
    # Pairs that have a direction are others where they have the same number in the other one.
    sides = zip(draft.rows["game_id"], draft.rows.get("direction"), strict=True)
    if of_teams - (at_two_tables - {game for game, side in sides if _is_there(side)}):
        why = "N-S and E-W have numbers of their own, or no two numbers met on a board at two tables"
        what = f"event_type is swiss, and nobody says which pairs are a team: {why}"
        hint = "give both pairs of a team its number, in a section with one winner, or a file with the totals"
        raise FormatError(what, hint=hint, code=UNKNOWN)
    chosen |= of_teams
    chosen -= _of_other_sessions(draft) - lacking
    left = [game for game in kinds if again and game not in chosen]
    if not chosen:
        return _as_it_was(draft, left)
    facts = [_told_how(fact, draft, lacking) if fact["game_id"] in chosen else fact for fact in draft.facts]
    facts = _told_imps(facts, draft, lacking)
    rescored = [fact for fact in facts if fact["game_id"] in chosen]
    draft = _with_totals(replace(draft, facts=facts), rescored, lacking)
    return _as_it_was(draft, left)


def _with_totals(draft: Draft, facts: Sequence[GameFacts], lacking: set[str]) -> Draft:
    """Return a draft with the points and totals of some of its games, and a remark on each of these.

    lacking: the games that have no totals.
    """
    games = framed([Records(draft.facts)], GAMES)
    boards = boards_here(games, draft.contestants, framed([draft.boards], BOARDS))
    _refuse_worthless(facts, boards)
    alone = [fact["game_id"] for fact in facts if fact["stored_scored_here"] not in (BOARD_A_MATCH, TEAM_IMPS)]
    mine = boards[boards["game_id"].isin(alone)].reset_index(drop=True)
    again = met_again(mine, seats(mine, draft.contestants), partners(mine, draft.contestants))[0]
    odd = mine.loc[numbered_anew(mine, again), "game_id"].unique()
    what = "many have several results of the same boards: their numbers begin anew, and nobody can compare them"
    hint = "number the boards through, or give a file with the totals"
    if len(odd):
        raise InputError([Problem(what, hint=hint, game=str(game), code=CONTRADICTED) for game in odd])
    found = totals_here(games, draft.contestants, boards)
    rows = Records.of(draft.rows, len(draft.rows))
    here = draft.contestants["game_id"].isin([fact["game_id"] for fact in facts]).to_numpy()
    for name in map(str, found):
        values = zip(here, rows.get(name), found[name].tolist(), strict=True)
        rows[name] = [(None if np.isnan(new) else new) if own else old for own, old, new in values]
    ways = boards["game_id"].map({fact["game_id"]: fact["stored_scored_here"] for fact in facts})
    remarks = list(_of_other_points(draft, facts))
    remarks += list(_of_one_table(facts, boards[ways.isin([BOARD_A_MATCH, TEAM_IMPS])]))
    if (ways == TEAM_IMPS).any():
        _fill_matches(rows, draft, boards[ways == TEAM_IMPS])
    for fact in facts:
        own = (draft.contestants["game_id"] == fact["game_id"]).to_numpy()
        if fact["game_id"] in lacking:
            remarks.append(_remark(fact, boards))
        else:
            differ = "; ".join(_differences(draft.contestants[own], found[own]))
            remarks.append(_remark(fact, boards, differ or "they are as the file prints them"))
    return replace(draft, rows=rows, boards=boards, remarks=(*draft.remarks, *remarks))


def _of_other_points(draft: Draft, facts: Sequence[GameFacts]) -> Iterator[Problem]:
    """Yield the remarks on printed points that no way to score gives: what is scored here passes them over."""
    boards = framed([draft.boards], BOARDS)
    if not boards[["printed_ns", "printed_ew"]].notna().any(axis=None):
        return
    named = draft.contestants.reset_index(drop=True)
    found = compare_boards(Sheet(framed([Records(draft.facts)], GAMES), named), boards)
    odd = found[~found["agrees"] & found["what"].str.startswith("board")]
    game = named["game_id"].to_numpy()[odd["contestant"].to_numpy()]
    who = ["-".join(each for each in seat if isinstance(each, str)) for seat in named[[*_SEAT]].itertuples(index=False)]
    for fact in facts:
        texts = [
            f"{who[row['contestant']]} has {row['printed']} on {row['what']}, by the score {row['computed']}"
            for row in row_dicts(odd[game == fact["game_id"]])
        ]
        if texts:
            what = f"printed points do not follow from the scores: {rows_told(texts)}: the scores count"
            hint = "correct the score or the points"
            yield Problem(what, hint=hint, file=shown(str(fact["source"])), game=fact["game_id"], code="boards.points")


def _of_one_table(facts: Sequence[GameFacts], boards: pd.DataFrame) -> Iterator[Problem]:
    """Yield remarks on results of teams that no other table has; boards: those of games that are scored here."""
    lacking = boards[boards["printed_ns"].isna() & boards["score"].notna()]
    for game, each in lacking.groupby("game_id"):
        listed = ", ".join(f"{row.board} ({row.ns} against {row.ew})" for row in each.head(_LISTED).itertuples())
        what = f"a result counts for nothing where the other table has none: board {listed}"
        file = next(shown(str(fact["source"])) for fact in facts if fact["game_id"] == game)
        hint = "enter the other results; where a board is not to be played, delete the one that there is"
        yield Problem(what, hint=hint, file=file, game=str(game), code="boards.left-out")


def _fill_matches(rows: Records, draft: Draft, boards: pd.DataFrame) -> None:
    """Fill in the matches of teams and how many each won.

    boards: those of games that are scored in IMPs here. Nothing is filled in of what a file has itself, nor of games
    whose results are of no round.
    """
    known = boards[boards["printed_ns"].notna() & (boards["round"].fillna(0) > 0)]
    columns = {"met": meetings(known), "round": known["round"]}
    sat = seats(known, draft.contestants)
    sides = [
        pd.DataFrame({**columns, "team": sat[side], "other": known[other], "imps": known[f"printed_{side}"]})
        for side, other in (("ns", "ew"), ("ew", "ns"))
    ]
    of_board = pd.concat(sides).drop_duplicates(["team", "met"])  # an adjusted one may have a result at one table alone
    of_match = of_board[of_board["team"] >= 0].groupby(["team", "round", "other"])["imps"].sum().reset_index()
    matches: dict[str, dict[int, list[SwissMatch]]] = {}
    won: dict[int, float] = {}
    for team, number, other, imps in of_match.itertuples(index=False):
        won[team] = won.get(team, 0.0) + 0.5 * ((imps > 0) + (imps >= 0))
        if imps == round(imps):  # half an IMP is that of two rulings on one board
            of_round = matches.setdefault(f"swiss{number}", {}).setdefault(team, [])
            of_round.append(SwissMatch(other, round(imps), None))
    texts = {name: {team: swiss_text(one) for team, one in of_round.items()} for name, of_round in matches.items()}
    filled: Mapping[str, Mapping[int, object]] = {"wins": won, **texts}
    for name, values in filled.items():
        rows[name] = [values.get(row) if old is None else old for row, old in enumerate(rows.get(name))]


def _remark(fact: GameFacts, boards: pd.DataFrame, differ: str = "") -> Problem:
    """Return the remark on a game that was scored here. differ: how its totals differ from those of the file."""
    mine = boards[boards["game_id"] == fact["game_id"]]
    together = sorted({*mine.loc[mine["scored_with"].notna(), "section"], *mine["scored_with"].dropna()})
    where = f", sections {' and '.join(together)} together" if together else ", each section by itself"
    where = where if mine["section"].nunique() > 1 else ""
    what = f"{WAYS[fact['stored_scored_here']].told} of its boards, scored here{where}{_by_own(fact, mine)}"
    file, game = shown(str(fact["source"])), fact["game_id"]
    if differ:
        return Problem(f"the totals are {what}: {differ}", file=file, game=game, code="scores.rescored")
    unsaid = fact.get("scoring") is None and fact.get("event_type") not in TEAMS
    hint = "declare scoring if they are others" if unsaid else "give a file with the totals if you want others"
    hint += ", such as victory points" if fact.get("event_type") == EventType.SWISS else ""
    what = f"there are no totals in the file: these are {what}"
    return Problem(what, hint=hint, file=file, game=game, code="scores.by-boards")


def _by_own(fact: GameFacts, boards: pd.DataFrame) -> str:
    """Return how many adjusted scores of a game are the pair's own percentage, '' where none is."""
    if fact["stored_scored_here"] != Scoring.MATCHPOINTS:
        return ""
    plain = matchpoints(boards)
    moved = [
        boards[f"{side}_adjusted"].notna()
        & ((round_hundredths(plain[side]) - boards[f"printed_{side}"]).abs() > _EXACT)
        for side in ("ns", "ew")
    ]
    count = int(moved[0].sum() + moved[1].sum())
    return f", with the pair's own percentage for average plus or minus of {count} (Law 12C2)" if count else ""


def _of_other_sessions(draft: Draft) -> set[str]:
    """Return the games of several sessions with boards of some and one score for all: that holds the others, too."""
    played: dict[str, set[int]] = {}
    for game, session in zip(draft.boards["game_id"], draft.boards["session"], strict=True):
        played.setdefault(game, set()).add(session)
    apart: set[str] = set()
    for name in (name for name in draft.rows if re.fullmatch("session[0-9]+", name)):
        apart |= {game for game, value in zip(draft.rows["game_id"], draft.rows[name], strict=True) if _is_there(value)}
    due = {fact["game_id"]: int(fact.get("sessions") or 1) for fact in draft.facts}
    return {game for game, count in due.items() if len(played.get(game, ())) < count} - apart


def _as_it_was(draft: Draft, games: Sequence[str]) -> Draft:
    """Return a draft with a remark on each game that was to be scored again and has no boards that totals follow from.

    Totals of teams in victory points are of matches, and by a scale that is not known.
    """
    names = {fact["game_id"]: shown(str(fact["source"])) for fact in draft.facts}
    what = "there is not all to score it from: results of boards of pairs, individuals or board-a-match"
    remarks = [
        Problem(f"{what}; its totals are the file's", file=names[game], game=game, code="scores.not-rescored")
        for game in games
    ]
    return replace(draft, remarks=(*draft.remarks, *remarks)) if remarks else draft


def _is_there(value: object) -> bool:
    return value is not None and value == value


def _told_how(fact: GameFacts, draft: Draft, lacking: set[str]) -> GameFacts:
    """Return the facts of a game with how it is scored here; raise FormatError or DeclarationError, see scored."""
    game, said = fact["game_id"], fact.get("scoring")
    percentages = zip(draft.rows["game_id"], draft.rows.get("percentage"), strict=True)
    of_game = [value for name, value in percentages if name == game]
    told: GameFacts = {"stored_scored_here": str(said or Scoring.MATCHPOINTS)}
    if fact.get("event_type") == EventType.BAM:
        told = {"stored_scored_here": BOARD_A_MATCH}
    elif fact.get("event_type") == EventType.SWISS and said != Scoring.AGGREGATE:
        told = {"stored_scored_here": TEAM_IMPS}
    elif said is None and game not in lacking and not any(map(_is_there, of_game)):
        what = "nobody says how its boards are scored, and its totals are not in percent"
        raise DeclarationError([Problem(what, "", how_to_declare("scoring"), game=game, code=MISSING)])
    elif told["stored_scored_here"] not in WAYS:
        right = how_to_declare("scoring", *(each for each in WAYS if each in [*Scoring]))
        what = f"its boards are scored by '{said}', and that is not done here"
        raise FormatError(what, hint=f"give a file with totals, or {right}", code=UNKNOWN)
    results = zip(draft.boards["game_id"], draft.boards["section"], strict=True)
    sections = sorted({section for name, section in results if name == game})
    across = _across(fact.get("scored_across"), sections)
    if across is not None:
        told["stored_scored_with"] = per_section_text(across)
    return fact | told


def _told_imps(facts: list[GameFacts], draft: Draft, lacking: set[str]) -> list[GameFacts]:
    """Return the facts of some games with how their cross-IMPs count where results of a board lack or a pair sat out.

    Where that is not declared, the totals that a file prints decide it; a file without any has them factored. Where
    both ways come to the same, there is nothing to say.
    """
    mine = [
        fact for fact in facts if fact.get("stored_scored_here") == Scoring.CROSS_IMPS and fact.get("imps") != Imps.MEAN
    ]
    if not mine:
        return facts
    names = [fact["game_id"] for fact in mine]
    every = framed([draft.boards], BOARDS)
    played = every[every["game_id"].isin(names)].reset_index(drop=True)
    listed = draft.contestants[draft.contestants["game_id"].isin(names)].reset_index(drop=True)
    found = []
    for way in (Scoring.CROSS_IMPS.value, FACTORED_IMPS):
        games = framed([Records([fact | {"stored_scored_here": way} for fact in mine])], GAMES)
        found.append(totals_here(games, listed, boards_here(games, listed, played)))
    printed = listed.reindex(columns=found[0].columns)
    off = [(each - printed).abs().sum(axis=1).groupby(listed["game_id"]).sum() for each in found]
    differ = (found[0] - found[1]).abs().gt(_EXACT).any(axis=1).groupby(listed["game_id"]).any()
    factored = {name for name in names if differ[name] and (name in lacking or off[1][name] <= off[0][name])} | {
        fact["game_id"] for fact in mine if fact.get("imps") and differ[fact["game_id"]]
    }
    return [fact | {"stored_scored_here": FACTORED_IMPS} if fact["game_id"] in factored else fact for fact in facts]


def _across(said: object, sections: Sequence[str]) -> dict[str, str] | None:
    """Return the first section that each is scored with, itself where it is scored alone; None where nobody says so.

    Raises DeclarationError for a section that the game does not have.
    """
    if said is None:
        return None
    if said in ("all", "none"):
        groups = [sections] if said == "all" else [[section] for section in sections]
    else:
        groups = [group.split("+") for group in str(said).split(", ")]
    unknown = sorted({section for group in groups for section in group} - set(sections))
    if unknown:
        what = f"scored_across names section {unknown[0]}, and there are results of {', '.join(sections)}"
        raise DeclarationError(what, hint="write all, none, or such as A+B", code=CONTRADICTED)
    first = {section: group[0] for group in groups for section in group}
    return {section: first.get(section, section) for section in sections}


def _refuse_worthless(facts: Sequence[GameFacts], boards: pd.DataFrame) -> None:
    in_imps = [fact["game_id"] for fact in facts if WAYS[fact["stored_scored_here"]].in_imps]
    percents = boards[["ns_adjusted", "ew_adjusted"]]
    odd = (percents.notna() & ~percents.isin(list(AVERAGE_IMPS))).any(axis=1) & boards["game_id"].isin(in_imps)
    what = "this adjusted score is worth no IMPs that the Laws say: average plus is 3, average minus -3 (Law 12C2)"
    hint = "write 60, 50 or 40 percent, or give a file with the totals"
    problems = [
        Problem(what, f"section {row.section}, board {row.board}", hint, game=str(row.game_id), code=CONTRADICTED)
        for row in boards[odd].itertuples()
    ]
    if problems:
        raise InputError(problems)


_LISTED = 10
"""This many totals that differ are named."""


def _differences(contestants: pd.DataFrame, found: pd.DataFrame) -> Iterator[str]:
    """Yield how many totals of a game differ from the printed ones, and of the first of them by how much.

    If there are several sessions, the totals of each are compared; if there is one, the percentages, or else the
    scores. A total agrees if it is printed as the one that was scored here would be, to the decimals that the game
    prints.
    """
    told = [name for name in map(str, found) if name.startswith("session") and found[name].notna().any()]
    told = told or ["percentage" if contestants["percentage"].notna().any() else "score"]
    named = contestants.reindex(columns=[*_SEAT, *told]).reset_index(drop=True)
    seats = named.rename_axis("row").reset_index().melt(["row", *_SEAT], told, "what", "printed")
    seats["found"] = np.concatenate([found[name].to_numpy() for name in told])
    printed = seats["printed"].dropna()
    decimals = next((n for n in (0, 1) if ((printed * 10**n).round(6) % 1 == 0).all()), 2)
    seats["off"] = (seats["found"] - seats["printed"]).round(6)
    differ = seats[seats["off"].abs() > 0.5 * 10.0**-decimals + _EXACT]
    if differ.empty:
        return
    yield f"{len(differ)} of {len(printed)} differ from what the file prints"
    for each in row_dicts(differ.head(_LISTED)):
        seat = "-".join(each[name] for name in _SEAT if isinstance(each[name], str))
        sign, where = ("", f" in {each['what']}") if each["what"] != "percentage" else ("%", "")
        where = where if each["what"] != "score" else ""
        yield f"{seat} has {each['found']:.2f}{sign}{where}, printed {each['printed']:.2f}{sign} ({each['off']:+.2f})"
    if len(differ) > _LISTED:
        yield f"and {len(differ) - _LISTED} others"


_SEAT = ("section", "direction", "number")
_EXACT = 1e-6

_COLUMNS = ("session", "section", "board", "printed_ns", "printed_ew", "ns_adjusted", "ew_adjusted")
_POINTS = (1, 2)
"""What a result that is beaten may be worth."""


def scored_together(boards: Records) -> Mapping[str, str]:
    """Return, per section of an event, the first of those whose results are compared with its own; none if it is alone.

    Both sides of a result have together what there is for beating every other result of the board: as many as there
    are in all sections, or in its own.
    """
    results = list(zip(*(boards[name] for name in _COLUMNS), strict=True)) if len(boards) else []
    sections = sorted({section for _, section, *_ in results})
    if len(sections) < 2:
        return {}
    sums: dict[str, Counter[float]] = {section: Counter() for section in sections}
    for _, section, _, *points in results:
        if not any(map(pd.isna, points[:2])) and all(map(pd.isna, points[2:])):
            sums[section][round(points[0] + points[1], 1)] += 1
    if not all(sums.values()):
        return {}
    usual = {section: counted.most_common(1)[0][0] for section, counted in sums.items()}
    of_all = max(Counter((session, board) for session, _, board, *_ in results).values())
    of_own = Counter((session, section, board) for session, section, board, *_ in results)
    most = {section: max(n for (_, each, _), n in of_own.items() if each == section) for section in sections}
    across = any(all(usual[section] == worth * (of_all - 1) for section in sections) for worth in _POINTS)
    apart = any(all(usual[section] == worth * (most[section] - 1) for section in sections) for worth in _POINTS)
    return dict.fromkeys(sections, sections[0]) if across and not apart else {}
