"""What ranking and awarding need to know of a game: inferred where that is safe, else asked for, and checked.

Nothing is guessed: what is missing is an error that lists the keys, all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, categorical, distinct_rows
from resultproc.model.codes import CONTRADICTED
from resultproc.model.errors import ALIKE, DeclarationError, InputError, Problem, closest
from resultproc.model.facts import Facts
from resultproc.model.frames import CONTESTANT_KEY, UNNAMED, game_problem
from resultproc.model.game import (
    BY_MATCHES,
    PER_TABLE,
    UNFINISHED,
    EventType,
    RankLimit,
    StratifyBy,
    league,
    parse_ranks,
    parse_strata,
    rank_at,
)

_ROUNDING = 0.051
"""How far a printed total may be from the sum of printed session scores."""


def completed(facts: Facts) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the games and contestants of a sheet with all that ranking and awarding need, except the rulebook.

    These are inferred: the event type (pairs), the number of sessions (1), the tables where the contestants leave no
    doubt of them (:attr:`~resultproc.model.facts.Facts.tables_told`), the movement (Mitchell where the sheet gives
    directions, else Howell), and, from the players' holdings and ``stratify_by``, a stratum that the sheet does not
    print. An event's own limit is that of its top stratum where it is not declared; a game without strata has the
    single stratum A, up to that limit. Directions that a Howell section gives mean nothing and are dropped. The score
    of an event of several sessions is their total.

    facts: those of a sheet that lacks no key, see :func:`resultproc.stages.missing.missing`.
    Raises DeclarationError for keys that contradict the sheet, InputError for a contestant without a score or of an
    unknown stratum, each with its line.
    """
    _refuse_pairs_as_teams(facts)
    games = facts.games.assign(
        tables=facts.tables_told,
        event_type=facts.games["event_type"].fillna(EventType.PAIRS.value),
        sessions=facts.games["sessions"].fillna(1),
        limit=facts.limit_told,
        strata=facts.strata_told,
        movement=facts.movement_told,
        stratify_by=facts.stratify_told,
    )
    contestants = _without_howell_directions(facts)
    _refuse_rainbows(facts)
    _check_room(facts, games)
    _refuse_unknown_ranks(facts)
    contestants = _stratified(facts, games, contestants)
    contestants = _with_totals(facts, games, contestants)
    _check_scores(facts, contestants)
    return games, contestants


def _stratified(facts: Facts, games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    contestants = contestants.assign(stratum=_stratum(facts))
    lettered = contestants["stratum"].notna().to_numpy()
    declared = games["strata"].set_axis(games["game_id"])
    _refuse(
        facts,
        (facts.strata.level(facts.sections.game, contestants["stratum"]) < 0) & lettered,
        lambda row: f"unknown stratum {row['stratum']}: the game's strata are {declared[row['game_id']]}",
        "correct the letter, or declare the stratum's limit",
        CONTRADICTED,
    )
    by_rank = facts.by_rank[facts.sections.game]
    hints = {
        "rank": "write the stratum's letter, or every player's rank (rank1, rank2)",
        "mp": "write the stratum's letter, or every player's holding (mp1, mp2, or in the list of your players) and "
        "stratify_by",
    }
    for kind, hint in hints.items():
        _refuse(
            facts,
            ~lettered & contestants["eligible"].to_numpy() & (by_rank == (kind == "rank")),
            partial(_without_stratum, kind),
            hint,
        )
    return contestants


def _refuse_pairs_as_teams(facts: Facts) -> None:
    """Refuse board-a-match teams that have two players each: perhaps another game of the file was meant."""
    games = facts.games
    teams = (games["event_type"] == EventType.BAM.value).to_numpy()
    if not teams.any():
        return
    game = facts.sections.game
    pairs = np.bincount(game, minlength=len(games)) == np.bincount(game[facts.named == 2], minlength=len(games))
    wrong = np.flatnonzero(teams & pairs).tolist()
    if wrong:
        what = "event_type is bam, and all contestants are pairs: board-a-match is played by teams of four"
        hint = (
            "declare event_type for the games of teams alone, below [games.ID] in the TOML file; or name four players"
        )
        raise DeclarationError((game_problem(games, row, what, hint) for row in wrong), code=CONTRADICTED)


def _refuse_unknown_ranks(facts: Facts) -> None:
    """Refuse strata by rank whose limits are none of the game's ranks or that go by the average, and unknown ranks."""
    if not facts.by_rank.any():
        return
    games = facts.games.assign(strata=facts.strata_told)
    number, first = distinct_rows(games[["ranks", "strata", "stratify_by"]])
    problems = []
    for which, row in enumerate(first.tolist()):
        ranks, limits = parse_ranks(games["ranks"].iloc[row]), parse_strata(games["strata"].iloc[row])
        named = [each.limit.rank for each in limits if isinstance(each.limit, RankLimit)]
        places = [rank_at(ranks, rank) for rank in named]
        if -1 in places:
            rank = named[places.index(-1)]
            what = f"a stratum goes up to '{rank}', which is none of the ranks"
            hint = closest(rank, ranks) if ranks else _DECLARE_RANKS
        elif any(upper <= lower for upper, lower in pairwise(places)):
            strata = games["strata"].iloc[row]
            what, hint = f"the limits in '{strata}' are not in falling order; write the top stratum first", ""
        elif named and games["stratify_by"].iloc[row] == StratifyBy.AVERAGE.value:
            what = "stratify_by is average, and strata by rank go by the highest rank"
            hint = "leave out stratify_by"
        else:
            continue
        problems += [game_problem(games, of, what, hint) for of in np.flatnonzero(number == which).tolist()]
    if problems:
        raise DeclarationError(problems, code=CONTRADICTED)
    for column, stratum in facts.strata_of_ranks.items():
        there = facts.contestants[column].notna().to_numpy() & facts.by_rank[facts.sections.game]
        unlisted = there & np.isnan(stratum)
        _refuse(
            facts, unlisted, partial(_of_unknown_rank, column), "correct it, or declare it among ranks", CONTRADICTED
        )


_DECLARE_RANKS = "write 'open', a number, or declare ranks: Club, District, County, Regional"


def _of_unknown_rank(column: str, row: Mapping[Hashable, Any]) -> str:
    return f"{row[column.replace('rank', 'player')]} has the rank '{row[column]}', which is none of the ranks"


def _without_howell_directions(facts: Facts) -> pd.DataFrame:
    """Return the contestants without directions in Howell sections, where they mean nothing."""
    contestants, sections = facts.contestants, facts.sections
    one_winner = (facts.winners == 1)[sections.section]
    directed = sections.direction >= 0
    if (one_winner & directed).any():
        contestants = contestants.assign(direction=contestants["direction"].mask(one_winner))
        again = contestants.duplicated(CONTESTANT_KEY).to_numpy() & one_winner & directed
        _refuse(
            facts,
            again,
            lambda row: f"number {row['number']} appears twice in section {row['section']}, which is declared howell",
            "give each pair its own number, or declare movement='mitchell'",
            CONTRADICTED,
        )
    _refuse(
        facts,
        ~one_winner & ~directed,
        lambda row: f"contestant {row['section']} {row['number']} has no direction in a Mitchell section",
        "write N-S or E-W, or declare movement='howell'",
        CONTRADICTED,
    )
    return contestants


def _refuse(
    facts: Facts, at: Bools, what: str | Callable[[Mapping[Hashable, Any]], str], hint: str, code: str = ""
) -> None:
    if not at.any():
        return
    rows, game = np.flatnonzero(at), facts.sections.game[at]
    count = np.bincount(game)[game]
    listed = (count <= ALIKE) | ~pd.Series(game).duplicated().to_numpy()
    said = facts.contestants.iloc[rows[listed]].to_dict("records")
    problems = []
    for row, contestant, others in zip(rows[listed].tolist(), said, (count[listed] - 1).tolist(), strict=True):
        text = what if isinstance(what, str) else what(contestant)
        text += f"; the same holds for {others} more" if others >= ALIKE else ""
        of_game = int(facts.sections.game[row])
        problems.append(game_problem(facts.games, of_game, text, hint, facts.line(row)))
    raise InputError(problems, code=code)


def _refuse_rainbows(facts: Facts) -> None:
    """Refuse individuals of clubs that are listed by direction: what a field of such a game pays is not stated."""
    games, sections = facts.games, facts.sections
    at_club = (games["event_type"] == EventType.INDIVIDUAL.value) & games["rating"].isin(league().groups["at-clubs"])
    frame = sections.frame
    problems = []
    for row in np.flatnonzero(at_club.to_numpy(dtype=bool)[frame["game"]] & (facts.winners == 2)):
        section = frame.iloc[row]
        what = f"section {section['section']} is an individual listed by direction, and what its fields pay in a "
        hint = "of an individual with one winner leave the directions out"
        first = int(np.flatnonzero((sections.section == row) & (sections.direction >= 0))[0])
        what += "club game is not stated"
        problems.append(game_problem(games, int(section["game"]), what, hint, facts.line(first)))
    if problems:
        raise DeclarationError(problems, code=CONTRADICTED)


def _check_room(facts: Facts, games: pd.DataFrame) -> None:
    """Refuse more contestants than the tables allow: a half table seats one pair, of either direction."""
    sections, of_section, howell = facts.sections, facts.tables, facts.winners == 1
    frame = sections.frame
    kind, kinds = pd.factorize(games["event_type"])
    at_a_table = np.array([PER_TABLE[each] for each in kinds], dtype=np.float64)[kind[frame["game"]]]
    # The room of a direction, which a Howell does not have.
    room = np.where(howell, np.inf, np.ceil(of_section) * facts.on_a_side)
    in_all = of_section * np.where(howell, at_a_table, 2 * facts.on_a_side)
    sides = (("north_south", [0], " N-S", room), ("east_west", [1], " E-W", room), ("pairs", [-1, 0, 1], "", in_all))
    problems: dict[int, Problem] = {}
    for column, directions, side, seats in sides:
        count = frame[column].to_numpy()
        for row in np.flatnonzero(count > seats):
            section = frame.iloc[row]
            known = f"{of_section[row]:g}"
            plural = "table seats" if known == "1" else "tables seat"
            listed = f"section {section['section']}{side} lists {count[row]} contestants"
            what = f"{listed}, but {known} {plural} {seats[row]:g}"
            seated = np.isin(sections.direction, directions)
            beyond = np.flatnonzero(seated & (sections.section == row))[int(seats[row])]
            where = facts.line(int(beyond))
            hint = "correct tables, or the rows"
            # Where a direction is too large its section is, too: the direction says more.
            problem = game_problem(games, int(section["game"]), what, hint, where)
            problems.setdefault(int(row), problem)
    if problems:
        raise DeclarationError(problems.values(), code=CONTRADICTED)


def _without_stratum(kind: str, row: Mapping[Hashable, Any]) -> str:
    """Say which holdings or ranks of a contestant are missing; all may be there, above the limits of the strata.

    kind: ``rank`` where the strata go by rank, else ``mp``.
    """
    filled = [str(name) for name, value in row.items() if not pd.isna(value)]
    there = {each for name in filled for each in re.findall("^(?:player|id)([0-9]+)$", name)}
    unknown = [n for n in sorted(there, key=int) if pd.isna(row.get(f"{kind}{n}"))]
    named = {n: str(name) for n in unknown if (name := row.get(f"player{n}")) != UNNAMED and not pd.isna(name)}
    lacking = [named.get(n, f"{kind}{n}") for n in unknown]
    if kind == "rank":
        why = f"no rank for {' and '.join(lacking)}" if lacking else "no ranks that put it in one"
    else:
        why = f"no holding for {' and '.join(lacking)}" if lacking else "no holdings that put it in one"
    return f"contestant {row['section']} {row['number']} has no stratum, and {why}"


def _with_totals(facts: Facts, games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the contestants of events of several sessions with the total of their sessions and carry-over as score.

    An unfinished event has the total of those that were played; where the sheet has the award of those before its
    first, their scores are in the carry-over.
    Raises InputError for a session beyond those declared, a missing one, an award of earlier sessions where there are
    none, and a printed total that is not the sum.
    """
    sections = facts.sections
    several = (games["sessions"] > 1).to_numpy(dtype=bool)[sections.game]
    columns = facts.sessions
    if not columns and not several.any() and contestants["earlier_award"].isna().all():
        return contestants
    count = games["sessions"].to_numpy(dtype=np.int64)[sections.game]
    for column in columns:
        beyond = (int(column.removeprefix("session")) > count) & contestants[column].notna().to_numpy()
        what = f"there is a score for {column}, but the event has fewer sessions"
        _refuse(facts, beyond, what, "correct sessions, or the column", CONTRADICTED)
    _refuse(
        facts,
        contestants["earlier_award"].notna().to_numpy() & ~((count > 1) & (facts.sessions_before > 0)),
        "there is an earlier_award, but no session before those that have scores",
        "write the first score under session2 and declare sessions, or leave earlier_award out",
    )
    if not several.any():
        return contestants
    before = facts.sessions_before
    by_sessions = several & ~games["event_type"].isin(BY_MATCHES).to_numpy()[sections.game]
    scores = contestants[columns].to_numpy(dtype=np.float64)
    has = ~np.isnan(scores)
    played = has.sum(axis=1) + before
    due, unfinished = count, facts.special[UNFINISHED]
    if unfinished.any():  # so far, as many were played as anybody has
        so_far = np.zeros(len(games), dtype=np.int64)
        np.maximum.at(so_far, sections.game, played)
        due = np.where(unfinished, so_far, games["sessions"].to_numpy(dtype=np.int64))[sections.game]
    missing = by_sessions & contestants["eligible"].to_numpy() & (played < due)
    if missing.any():
        missing &= ~_left_at_a_cut(games["cuts"], scores, sections.game)
    _refuse(
        facts,
        missing,
        lambda row: f"contestant {row['section']} {row['number']} lacks a score for a session of the event",
        "award the files of all sessions together with process_event; or write session1, session2, ... for everybody, "
        "0 where a contestant withdrew, correct sessions, or declare the cuts where the field itself was cut",
    )
    total = np.where(has, scores, 0).sum(axis=1) + np.nan_to_num(contestants["carryover"].to_numpy(dtype=np.float64))
    printed = contestants["score"].to_numpy(dtype=np.float64)
    _refuse(
        facts,
        several & (played > 0) & (np.abs(printed - total) > _ROUNDING),
        lambda row: f"contestant {row['section']} {row['number']} has a score that is not the sum of its sessions",
        "leave score out, or correct the sessions or carryover",
    )
    return contestants.assign(score=np.where(several & (played > 0), total.round(4), printed))


def _left_at_a_cut(cuts: pd.Series[str], scores: Floats, game: Ints) -> Bools:
    """Return which contestants played all sessions up to a cut of the field that is declared, and none after it."""
    number, distinct = pd.factorize(cuts)
    after = np.zeros((len(distinct) + 1, scores.shape[1] + 1), dtype=bool)
    for row, text in enumerate(distinct):
        after[row, [int(cut) for cut in text.split(", ") if int(cut) < after.shape[1]]] = True
    has = ~np.isnan(scores)
    played = has.sum(axis=1)
    unbroken = np.cumprod(has, axis=1).sum(axis=1) == played
    return np.asarray(unbroken & after[number[game], played], dtype=np.bool_)


def _check_scores(facts: Facts, contestants: pd.DataFrame) -> None:
    """Refuse a contestant that cannot be compared with the others of its section. contestants: with their totals."""
    sections = facts.sections
    ranked = contestants["eligible"].to_numpy() & ~facts.knockouts[sections.game]
    has_score = contestants["score"].notna().to_numpy()
    has_percentage = contestants["percentage"].notna().to_numpy()
    if (has_score | ~ranked).all() or (has_percentage | ~ranked).all():
        return
    count = len(sections.frame)
    all_scores = np.bincount(sections.section[ranked & ~has_score], minlength=count) == 0
    all_percentages = np.bincount(sections.section[ranked & ~has_percentage], minlength=count) == 0
    comparable = (all_scores | all_percentages)[sections.section]
    scores, percentages = (
        np.bincount(sections.section[ranked & has], minlength=count)[sections.section]
        for has in (has_score, has_percentage)
    )
    lacking = np.where(scores >= percentages, ~has_score, ~has_percentage)
    _refuse(
        facts,
        ranked & ~comparable & lacking,
        lambda row: f"contestant {row['section']} {row['number']} has no score to compare with the rest of its section",
        "write score, or percentage, for every contestant of the section",
    )


def _stratum(facts: Facts) -> pd.Series[str]:
    """Return each contestant's stratum: the printed one, else the lowest whose limit its holdings do not exceed.

    A contestant is stratified by the average or by the highest of its players' holdings, as the game's
    ``stratify_by`` says; a game of a single stratum needs no holdings. Empty where neither tells.
    """
    contestants, strata, game = facts.contestants, facts.strata, facts.sections.game
    missing = contestants["stratum"].isna()
    if not missing.any():
        return contestants["stratum"]
    levels = (strata.letters != "").sum(axis=1)
    level = np.full(len(game), -1)
    if (levels > 1).any():
        holding = facts.holdings.by(facts.stratify_told, game)
        for number in range(strata.limits.shape[1]):
            level = np.where(holding <= strata.limits[:, number][game], number, level)
    level[(levels == 1)[game]] = 0
    letters, code = np.unique(strata.letters, return_inverse=True)
    codes = np.where(level < 0, -1, code.reshape(strata.letters.shape)[game, level])
    if missing.all() and isinstance(contestants["section"].dtype, pd.CategoricalDtype):
        # An archive's letters are categories; these are found sooner than texts are, which three stages look up.
        there = np.bincount(codes + 1, minlength=len(letters) + 1)[1:] > 0
        among_these = np.append(np.cumsum(there) - 1, -1)
        return pd.Series(categorical(among_these[codes], letters[there].tolist()), contestants.index)
    texts = pd.Series(pd.array(letters, dtype="str").take(codes, allow_fill=True), contestants.index)
    return texts if missing.all() else contestants["stratum"].astype("str").fillna(texts)
