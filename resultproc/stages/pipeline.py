"""The whole way from a file to its awards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pandas as pd

from resultproc.formats.loaded import Readable, load_source, refuse_none
from resultproc.formats.read import drafted, read_play
from resultproc.model.arrays import family_columns
from resultproc.model.basis import Terms
from resultproc.model.codes import OF_BOOK, OF_VALUES
from resultproc.model.draft import Draft, distinct, play_of, together
from resultproc.model.errors import DeclarationError, InputError, Problem, ResultprocError, by_game
from resultproc.model.facts import Facts
from resultproc.model.frames import (
    AWARDS,
    BOARDS,
    COLOURS,
    CONTESTANTS,
    DEALS,
    GAMES,
    AwardedResult,
    CompleteSheet,
    Result,
    Sheet,
    concat,
)
from resultproc.model.game import TEAMS, UNFINISHED
from resultproc.model.provenance import Provenance, RulebookUsed
from resultproc.model.whose_points import in_points, leagues_of
from resultproc.rulebooks.choice import Editions, choose, editions, ranking_terms, remarks_on, rulebooks_used
from resultproc.scoring.contracts import boards_here
from resultproc.scoring.points import scorecards, travellers
from resultproc.stages.award import awarded, player_awards
from resultproc.stages.complete import completed
from resultproc.stages.doubts import Doubts, doubts, doubts_of_boards, doubts_of_result
from resultproc.stages.doubts.printed import AwardedFacts, parted_ties
from resultproc.stages.missing import as_declared, refuse_missing
from resultproc.stages.one_event import one_event, sessions_amiss
from resultproc.stages.rank import ranked
from resultproc.stages.same_game import files_of_one_game

_T = TypeVar("_T")
_R = TypeVar("_R", bound=Result)


def process(*paths: Readable, format: str | None = None, **keys: object) -> AwardedResult:
    """Read, rank and award one or more results files.

    format, keys: as for :func:`resultproc.read`. Returns all five frames; several files are awarded together.
    Raises InputError, the file and the line or cell named, for whatever is wrong, and where there is no file.
    """
    return award_sheet(read_together(paths, format=format, **keys))


def read_together(paths: Sequence[Readable], format: str | None = None, **keys: object) -> Sheet:
    """Read several files as one sheet, as :func:`joined_sheets` makes it.

    Files that hold the same game are remarked on, and those that may hold two versions of one.
    """
    sheet, problems = read_each(paths, format, **keys)
    if problems:
        raise InputError(problems)
    return sheet


def read_each(paths: Sequence[Readable], format: str | None = None, **keys: object) -> tuple[Sheet, list[Problem]]:
    """Read those files that can be read like :func:`read_together`; return what is wrong with the others, too.

    Raises InputError where none can be read.
    """
    refuse_none(paths)
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            drafts.append(drafted(path, format=format, **keys))
        except ResultprocError as error:
            if len(paths) == 1:
                raise
            problems += error.problems
    if not drafts:
        raise InputError(problems)
    sheet = with_boards_doubted(distinct(drafts))
    return replace(sheet, remarks=(*sheet.remarks, *among_files(sheet, drafts))), problems


def with_boards_doubted(drafts: Sequence[Draft]) -> Sheet:
    """Return drafts as one sheet, what is doubtful about the results of its boards among its remarks.

    A sheet has no boards, so that this is said while they are at hand; :func:`together` says what drafts these are.
    """
    sheet = together(drafts)
    if not any(len(draft.boards) for draft in drafts):
        return sheet
    found = doubts_of_boards(sheet, *play_of(drafts))
    return replace(sheet, remarks=(*sheet.remarks, *found))


def among_files(sheet: Sheet, drafts: Sequence[Draft]) -> list[Problem]:
    """Return the remarks on games of a sheet that two of its files may have, in one version or in two."""
    if len(drafts) < 2:
        return []
    return list(files_of_one_game(sheet, [number for number, draft in enumerate(drafts) for _ in draft.facts]))


def process_event(*paths: Readable, format: str | None = None, **keys: object) -> AwardedResult:
    """Read, rank and award one event, whose sessions are these files in the order of play.

    Where each file holds a session of several events, the games that have a section in common are of the same event.
    Returns and raises like :func:`process`; see :func:`resultproc.stages.one_event.one_event` for how the sessions are
    joined.
    """
    refuse_none(paths)
    sheets = [with_boards_doubted([drafted(path, format=format, **keys)]) for path in paths]
    each = _of_events(sheets)
    event = joined_sheets([one_event(sessions) for sessions in each])
    found = [doubts(sheet) for sheet in sheets]
    if any(doubt.refused for doubt in found):
        raise InputError(problem for doubt in found for problem in doubt.refused)
    remarks: list[Problem] = []
    for number, (sheet, doubt) in enumerate(zip(sheets, found, strict=True)):
        names = {of_event[number].games["game_id"].iloc[0]: of_event[0].games["game_id"].iloc[0] for of_event in each}
        remarks += _of_games((*sheet.remarks, *doubt.remarks), names)
    for sessions in each:
        game = str(sessions[0].games["game_id"].iloc[0])
        remarks += (replace(remark, game=game) for remark in sessions_amiss(sessions))
    return award_sheet(replace(event, remarks=tuple(remarks)))


def _of_events(sheets: Sequence[Sheet]) -> list[list[Sheet]]:
    """Return the sessions of each event, from sheets that each have a session of all: the sections tell which.

    Raises InputError for a sheet with more or fewer games than the first, and where a game has sections of no event of
    the first, or of two.
    """
    events = [[game] for game in _games_of(sheets[0])]
    for number, sheet in enumerate(sheets[1:], 2):
        source = str(sheet.games["source"].iloc[0])
        if len(sheet.games) != len(events):
            here = f"there are {len(sheet.games)} games" if len(sheet.games) > 1 else "there is one game"
            what = f"{here} in this file, but it should have "
            what += "one session" if len(events) == 1 else f"{len(events)}, as that of the first session"
            raise InputError(what, hint="give each session its own file, with the same events", file=source)
        for game in _games_of(sheet):
            sections = set(game.contestants["section"])
            found = [event for event in events if sections & set(event[0].contestants["section"])]
            if len(events) > 1 and (len(found) != 1 or len(found[0]) == number):
                listed = ", ".join(sorted(sections))
                what = f"the sections {listed} do not tell which event of the first session this is"
                hint = "give each event the same sections in every session"
                name = str(game.games["game_id"].iloc[0])
                raise InputError([Problem(what, f"game {name}", hint, source, name)])
            (found or events)[0].append(game)
    return events


def _games_of(sheet: Sheet) -> list[Sheet]:
    return [keep_games(sheet, [name]) for name in sheet.games["game_id"]]


def complete(games: pd.DataFrame, contestants: pd.DataFrame) -> CompleteSheet:
    """Return a sheet with all that ranking and awarding need; a game that names no rulebook has the one in force.

    See :func:`resultproc.stages.complete.completed` for what is inferred and raised; DeclarationError, too, for games
    that lack something (:mod:`resultproc.stages.missing`), and for a game that no rulebook covers on its date.
    """
    facts = Sheet(games, contestants).facts
    refuse_missing(facts)
    games, contestants = completed(facts)
    return CompleteSheet(choose(games), contestants)


def rank(games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the standings of a complete sheet; see :func:`resultproc.stages.rank.ranked`."""
    GAMES.validate(games)
    CONTESTANTS.validate(contestants)
    return ranked(Facts(games, contestants), ranking_terms(editions(games)))


Paying = Callable[[Facts, Editions], AwardedResult]
"""What gives complete games their places and awards, with the remarks on these, as :func:`paid` does."""


def paid(facts: Facts, chosen: Editions) -> AwardedResult:
    """Rank and award complete games under the editions of their rulebooks; the remarks are those on the awards alone.

    Raises InputError for games that cannot be ranked or awarded.
    """
    places = unpaid(facts, chosen)
    candidates, awards = awarded(facts, places.standings, chosen)
    single = player_awards(facts, candidates, chosen)
    result = replace(places, candidates=candidates, awards=awards, player_awards=single)
    given = AwardedFacts(result, facts, chosen)
    return replace(result, remarks=(*doubts_of_result(given), *_ties_of_rounding(given)))


def unpaid(facts: Facts, chosen: Editions) -> AwardedResult:
    """Rank complete games under the editions of their rulebooks, and award nothing.

    Raises InputError for games that cannot be ranked.
    """
    return AwardedResult(facts.games, facts.contestants, ranked(facts, ranking_terms(chosen)))


def award_sheet(sheet: Sheet, found: Doubts | None = None, paying: Paying = paid) -> AwardedResult:
    """Rank and award a sheet of one or many games; see :func:`complete` for what it must say.

    found: what is doubtful about the sheet, where that is known already. It becomes remarks of the result (see
    :mod:`resultproc.stages.doubts`).
    paying: gives the awards; where they are known already, it need not work them out.
    Raises InputError for what is wrong, and for the few doubts that let no award go on.
    """
    if sheet.games.empty:
        empty = AwardedResult(sheet.games, sheet.contestants, remarks=sheet.remarks)
        return sourced(empty, sheet)
    refuse_missing(sheet.facts, sheet.sources, sheet.remarks)
    games, contestants = completed(sheet.facts)
    found = doubts(sheet) if found is None else found
    if found.refused:
        raise InputError(found.refused)
    try:
        return _awarded(sheet, Facts(games, contestants), found, paying)
    except DeclarationError as error:
        raise as_declared(error, sheet) from None


def _awarded(sheet: Sheet, facts: Facts, found: Doubts, paying: Paying) -> AwardedResult:
    """Rank and award a sheet. facts: its own, completed."""
    games = choose(facts.games)
    chosen = editions(games)
    used, remarks = rulebooks_used(games["rulebook"], chosen), remarks_on(games, chosen)
    result = paying(Facts(games, facts.contestants), chosen)
    every = (*sheet.remarks, *found.remarks, *remarks, *result.remarks)
    return sourced(replace(result, remarks=every), sheet, used)


def _ties_of_rounding(given: AwardedFacts) -> list[Problem]:
    """Return the remarks on ties that the places of the file part, with what these would pay."""
    ties = parted_ties(given)
    if not ties:
        return []
    result = given.result
    games, contestants, paid = result.games, result.contestants, _paid(result)
    names = [str(games["game_id"].iloc[tie.game]) for tie in ties]
    by_place, _ = award_each(keep_games(Sheet(games.assign(by_place="true"), contestants), names), Doubts())
    paid_by_place = _paid(by_place)
    remarks = []
    for name, tie, of in zip(names, ties, leagues_of(games.iloc[[tie.game for tie in ties]]), strict=True):
        would = paid_by_place.get(name)
        if would == paid[name]:
            continue
        now = [in_points(paid[name][at], of) for at in tie.of_game]
        then = [in_points(would[at], of) for at in tie.of_game] if would else []
        remarks.append(tie.remark(given.facts, now, then))
    return remarks


def _paid(result: AwardedResult) -> dict[str, list[int]]:
    """Return the awards of each game, in the order of its contestants."""
    awards = result.awards["masterpoints"].groupby(result.contestants["game_id"].to_numpy())
    return {str(name): each.tolist() for name, each in awards}


def sourced(result: _R, sheet: Sheet, used: tuple[RulebookUsed, ...] = ()) -> _R:
    """Return the result of a sheet with where it comes from: its files, and the rulebooks that paid."""
    return replace(result, provenance=Provenance(sheet.sources, used, len(result.remarks)))


def placed(sheet: Sheet) -> AwardedResult:
    """Rank a sheet that is not to be awarded: the sections, and several with one winner together; no rating is needed.

    Raises InputError for what ranking needs to know.
    """
    if sheet.games.empty:
        return AwardedResult(sheet.games, sheet.contestants)
    refuse_missing(sheet.facts, sheet.sources, rated=False)
    facts = Facts(*completed(sheet.facts))
    terms = pd.DataFrame([Terms("several sections", "combined")] * len(facts.games))
    game = facts.sections.game
    nothing = pd.DataFrame({"game": game, "contestant": range(len(game)), "masterpoints": 0, "candidate": -1})
    awards = AWARDS.conform(nothing.assign(**dict.fromkeys(COLOURS, 0)))
    return AwardedResult(facts.games, facts.contestants, ranked(facts, terms), awards=awards)


def placed_so_far(sheet: Sheet) -> AwardedResult:
    """Rank a sheet of events that are not over, as they stand: nothing is awarded, and each says that it is unfinished.

    Raises InputError for what ranking needs to know.
    """
    result = placed(sheet)
    said = result.games["special"].astype("object").fillna("")
    special = [", ".join(filter(None, (each, UNFINISHED))) for each in said]
    games = result.games.assign(special=pd.Series(special, result.games.index, dtype="str"))
    return sourced(replace(result, games=games, remarks=sheet.remarks), sheet)


def doubted(sheet: Sheet) -> Sheet:
    """Return a sheet that is not to be awarded with all that is doubtful about it as remarks."""
    return replace(sheet, remarks=(*sheet.remarks, *doubts(sheet).every))


def award_each(
    sheet: Sheet, found: Doubts | None = None, paying: Paying = paid
) -> tuple[AwardedResult, dict[str, list[Problem]]]:
    """Rank and award those games of a sheet that can be; return their result, and by game_id what is wrong with others.

    found, paying: as for :func:`award_sheet`. Raises InputError where what is wrong concerns no single game.
    """
    every = doubts(sheet) if found is None else found

    def award(kept: Sheet) -> AwardedResult:
        return award_sheet(kept, every if kept is sheet else every.of_games(kept.games["game_id"]), paying)

    result, wrong = without_those_at_fault(sheet, award)
    return result, by_game(wrong)


def keep_games(sheet: Sheet, names: Iterable[str]) -> Sheet:
    """Return some games of a sheet, by their game_id."""
    kept = set(names)
    games, contestants = (frame[frame["game_id"].isin(kept)].reset_index(drop=True) for frame in sheet)
    remarks = tuple(each for each in sheet.remarks if each.game in {"", *kept})
    return Sheet(games, contestants, remarks, sheet.sources)


def joined_sheets(sheets: Sequence[Sheet]) -> Sheet:
    """Return the sheets of several files as one; a game_id that two files share gets the file's number before it."""
    if len(sheets) == 1:
        return sheets[0]
    ids = pd.concat([sheet.games["game_id"] for sheet in sheets])
    shared = set(ids[ids.duplicated()])
    if shared:
        sheets = [_renamed(sheet, shared, number) for number, sheet in enumerate(sheets, 1)]
    return Sheet(
        concat((sheet.games for sheet in sheets), GAMES),
        concat((sheet.contestants for sheet in sheets), CONTESTANTS),
        tuple(remark for sheet in sheets for remark in sheet.remarks),
        tuple(source for sheet in sheets for source in sheet.sources),
    )


def for_players(result: _R) -> _R:
    """Return a result without the remarks that only a director needs: those stay that say how sure an award is."""
    return replace(result, remarks=tuple(each for each in result.remarks if each.code in {OF_BOOK, OF_VALUES}))


def public(result: _R) -> _R:
    """Return a result without what its players may not want everybody to know.

    That is member numbers, home clubs and holdings, and how its contact is reached.
    """
    contestants = result.contestants
    private = [name for family in ("id", "home_club", "mp", "rank") for name in family_columns(contestants, family)]
    games = result.games.assign(stored_elements=pd.Series(None, result.games.index, dtype="str"))
    return replace(result, games=games, contestants=contestants.drop(columns=private))


def with_boards(result: _R, paths: Sequence[Readable], format: str | None = None, *, one_event: bool = False) -> _R:
    """Return games with the results of their boards, read from the files that the games are from.

    format: the one to read, None to tell it by the content.
    one_event: whether the files are the sessions of an event. Its contestants have the seats of the first one alone, so
        the boards of the others are left out, and a remark says so.
    """
    known = set(result.games["game_id"])
    found: list[pd.DataFrame] = []
    dealt: list[pd.DataFrame] = []
    remarks = list(result.remarks)
    for number, source in enumerate(map(load_source, paths), 1):
        play = read_play(source, format=format)
        if one_event and number > 1:
            if len(play[0]):
                what = "the boards of this session are left out: its seats are not those of the first"
                hint = "award this session alone to see them"
                remarks.append(Problem(what, hint=hint, file=source.name, code="boards.left-out"))
            continue
        for kind, frame in zip((found, dealt), play, strict=True):
            names = {name: name if name in known else f"{number}-{name}" for name in frame["game_id"].unique()}
            renamed = frame.assign(game_id=frame["game_id"].replace(names))
            kind.append(renamed[renamed["game_id"].isin(known)])
    provenance = replace(result.provenance, remarks=len(remarks))
    result = replace(result, remarks=tuple(remarks), provenance=provenance)
    boards = boards_here(result.games, result.contestants, concat(found, BOARDS))
    return with_play(result, boards, concat(dealt, DEALS))


def with_play(result: _R, boards: pd.DataFrame, deals: pd.DataFrame) -> _R:
    """Return games with the results of their boards, in columns of BOARDS and DEALS, and what follows from these."""
    if boards.empty:
        return result
    of_boards = travellers(result.games, result.contestants, boards)
    teams = np.flatnonzero(result.games["event_type"].isin(TEAMS))
    cards = scorecards(boards, of_boards, teams.tolist())
    return replace(result, boards=boards, deals=deals, travellers=of_boards, scorecards=cards)


def _renamed(sheet: Sheet, shared: set[str], number: int) -> Sheet:
    names = {name: f"{number}-{name}" for name in shared}
    games, contestants = (frame.assign(game_id=frame["game_id"].replace(names)) for frame in sheet)
    return Sheet(games, contestants, _of_games(sheet.remarks, names), sheet.sources)


def _of_games(remarks: Iterable[Problem], names: Mapping[str, str]) -> tuple[Problem, ...]:
    return tuple(replace(remark, game=names.get(remark.game, remark.game)) for remark in remarks)


def without_those_at_fault(
    sheet: Sheet, work: Callable[[Sheet], _T], unread: Sequence[Problem] = (), *, least: int = 0
) -> tuple[_T, tuple[Problem, ...]]:
    """Return what becomes of a sheet without the games at fault, and what is wrong with these, and with those unread.

    work: raises InputError for games that it cannot take, each named in its problems.
    unread: what is wrong with files that could not be read.
    least: how many games have to be left.
    Raises InputError where fewer are, and where no game is named.
    """
    left_out = [*unread]
    while True:
        try:
            return work(sheet), tuple(left_out)
        except InputError as error:
            left_out += error.problems
            at_fault = {problem.game for problem in error.problems}
            kept = [name for name in sheet.games["game_id"] if name not in at_fault]
            if "" in at_fault or not least <= len(kept) < len(sheet.games):
                raise InputError(left_out) from None
            sheet = keep_games(sheet, kept)
