"""Awards for many games at once: for contestants, and for the players of teams whose players get different ones.

Each distinct ladder is computed once, exactly, whatever the number of groups that it serves, and gathered by position.
A team of five or six has four at play at a time, as a rule: then the parts of its players, in percent, add up to 400.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Ints,
    categorical,
    distinct_rows,
    expand_counts,
    factorize_objects,
    run_starts,
    select_rows,
    take_rows,
)
from resultproc.model.basis import OVERALL, Basis, Kind, basis_mask
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import (
    CANDIDATES,
    COLOURS,
    CONTESTANTS,
    GAMES,
    PLAYER_AWARDS,
    STANDINGS,
    candidate_order,
    game_problem,
    joined_candidates,
    raise_for_games,
)
from resultproc.model.game import TEAMS, UNFINISHED, EventType
from resultproc.model.group import GAME_FIELDS, Groups, Ladders, Members
from resultproc.model.numbers import decimal_text
from resultproc.model.plugins import errors_of_plugin
from resultproc.model.provenance import RulebookValue, Values
from resultproc.rulebooks.choice import Editions, editions
from resultproc.rulebooks.common.awards import decided_by
from resultproc.rulebooks.core import Edition


def award(games: pd.DataFrame, contestants: pd.DataFrame, standings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the candidates, one per standing that pays, and the awards, one per contestant.

    Each comparison group has a ladder of awards, which its rulebook sets. Contestants tied for a place share what
    the places that they take up pay, rounded half up. A contestant gets the highest of its candidates (ACBL Handbook,
    ch. 4, pair awards); if they are equal that of the higher stratum, then the section's.

    games: those of a complete sheet.
    contestants: those of a complete sheet.
    standings: from :func:`resultproc.stages.rank.ranked`.
    """
    GAMES.validate(games)
    CONTESTANTS.validate(contestants)
    STANDINGS.validate(standings)
    return awarded(Facts(games, contestants), standings, editions(games))


def awarded(facts: Facts, standings: pd.DataFrame, chosen: Editions) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return what :func:`award` does, by the facts of a complete sheet and the editions of its games."""
    edition, found = chosen
    of = edition[standings["game"]] if len(found) > 1 else edition
    every = [
        _candidates(each, facts, standings[of == number] if len(found) > 1 else standings)
        for number, each in enumerate(found)
    ]
    parts = [part for part in every if len(part)]
    # Candidates of one edition are in order from the beginning.
    candidates = joined_candidates(parts) if len(parts) > 1 else parts[0] if parts else CANDIDATES.empty()
    return candidates, _awards(candidates, facts, chosen)


def awards_from(candidates: pd.DataFrame, games: pd.DataFrame, contestants: pd.DataFrame) -> pd.DataFrame:
    """Return the awards that follow from some of the candidates of a complete sheet alone."""
    return _awards(candidates, Facts(games, contestants), editions(games))


_KEPT = ["game", "contestant", "basis", "stratum", "level", "size", "position", "tied"]
"""What a candidate has of its standing."""

_OF_KNOCKOUTS = ["knockout", "run"]
"""What it has besides where there are knockouts."""

_OF_COLOURS = ("game", "basis", "level", "section_top", "better_colour", "knockout", "run")
"""What the colours of an award depend on, besides how much is won and its game."""


def _candidates(edition: Edition, facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates of the games of one edition of a rulebook; unfinished events pay nothing overall yet."""
    if not len(standings):
        return CANDIDATES.empty()
    earlier = _of_earlier_sessions(facts, standings)
    candidates = _paid(edition, facts, standings)
    if len(earlier):
        candidates = joined_candidates([candidates, earlier])
    with errors_of_plugin("rulebooks", edition.book):
        return CANDIDATES.conform(edition.rules.combine(edition, candidates, facts.games))


def _paid(edition: Edition, facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return a candidate for each standing that pays, in order."""
    games, members = facts.games, Members(standings, facts)
    first, last = _groups(standings)
    of_section = basis_mask(standings["basis"].iloc[first], lambda basis: basis.in_section and not basis.handicap)
    of_group, ladders = ladders_of(edition, take_rows(standings, first), last, members)
    position, count = standings["position"].to_numpy(), np.diff(first, append=len(standings))
    # Most standings pay nothing, and from here on only the others count.
    rows = np.flatnonzero(position <= np.repeat(ladders.depth[of_group].astype(position.dtype), count))
    unfinished = facts.special[UNFINISHED]
    if unfinished.any():
        over_all = basis_mask(standings["basis"].iloc[rows], lambda basis: basis.over_all)
        rows = rows[~(over_all & unfinished[standings["game"].iloc[rows]])]
    ladder = np.repeat(of_group, count)[rows]
    tied = standings["tied"].to_numpy()[rows]
    # Where all places that a tie takes up pay alike, any rule gives the same.
    most, place = edition.sharing.most, ladders.start[ladder] + position[rows] - 1
    unruled = (tied > most) & (ladders.awards[place] != ladders.awards[place + tied - 1])
    if most and unruled.any():
        path = "ties.most"
        what = f"more than {most} tie for a place that pays" if most > 1 else "some tie for a place that pays"
        hint = (
            f"no rule for that is known ({edition.cite(path)}); break the tie, or set {path} in a rulebook of your own"
        )
        wrong = np.unique(standings["game"].to_numpy()[rows][unruled]).tolist()
        raise DeclarationError(game_problem(games, row, f"{what} under {edition.book}", hint) for row in wrong)
    share = ladders.shares(ladder, position[rows], tied, edition.sharing)
    rows, ladder, share = select_rows(share > 0, rows, ladder, share)
    order = candidate_order(standings["contestant"].to_numpy()[rows], share, standings["level"].to_numpy()[rows])
    rows, ladder, share = rows[order], ladder[order], share[order]
    knockouts = [] if standings["knockout"].isna().all() else _OF_KNOCKOUTS
    kept = {name: standings[name].array.take(rows) for name in _KEPT + knockouts}
    made, values = factorize_objects(ladders.values)
    rule, rules = factorize_objects(each.rule for each in values)
    factor, factors = factorize_objects(ladders.factors)
    columns = {
        "masterpoints": share,
        "section_top": np.where(np.repeat(of_section, count)[rows] & (kept["position"] == 1), share, 0),
        "values": categorical(made, values).take(ladder),
        "rule": categorical(rule[made], rules).take(ladder),
        "factors": categorical(factor, factors).take(ladder),
    }
    candidates = pd.DataFrame(kept | columns, copy=False)
    beyond = kept["position"] + kept["tied"] - 1 > ladders.depth[ladder]
    if knockouts:
        beyond &= kept["knockout"].isna()
    if _TIES in edition.entries and beyond.any():
        candidates = decided_by(candidates, beyond, edition.values(_TIES))
    several = kept["tied"] > 1
    if "ties.rounding" in edition.entries and several.any():  # where that is a league's own
        candidates = decided_by(candidates, several, edition.values(*map("ties.{}".format, edition.below("ties."))))
    return candidates


_TIES = "ties.beyond-depth"
"""The path of the value that says what a tie past the last place that pays is paid."""


def _groups(standings: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return each group's first standing, and the last place that its ties take up.

    Sections of a game whose standings say the same, one after the other, are one group: they have one ladder.
    """
    # The standings of a group stand together.
    first = np.flatnonzero(run_starts(standings["group"].to_numpy()))
    last = np.maximum.reduceat(standings["position"].to_numpy() + standings["tied"].to_numpy() - 1, first)
    basis = standings["basis"].iloc[first]
    said = (standings[name].to_numpy()[first] for name in ("game", "level", "size", "ranked", "tables", "winners"))
    new = np.flatnonzero(
        run_starts(basis.cat.codes.to_numpy(), *said) | ~basis_mask(basis, lambda each: each.in_section)
    )
    return first[new], np.maximum.reduceat(last, new)


def _awards(candidates: pd.DataFrame, facts: Facts, chosen: Editions) -> pd.DataFrame:
    """Return each contestant's award: the first of its candidates, the highest first."""
    game = facts.sections.game
    contestant = candidates["contestant"].to_numpy()
    first = np.flatnonzero(run_starts(contestant))
    winner = np.full(len(game), -1, dtype=np.int64)
    winner[contestant[first]] = first
    masterpoints = np.append(candidates["masterpoints"].to_numpy(), 0)[winner]
    awards = {"game": game, "contestant": np.arange(len(game)), "masterpoints": masterpoints, "candidate": winner}
    awards |= _colours(candidates, winner, masterpoints, game, facts.games, chosen)
    return pd.DataFrame(awards, copy=False)


def _colours(
    candidates: pd.DataFrame, winner: Ints, masterpoints: Ints, game: Ints, games: pd.DataFrame, chosen: Editions
) -> dict[str, Ints]:
    """Return the hundredths of some awards by colour.

    winner: the candidate that each award is of, -1 for none. masterpoints: how much of it is won.
    """
    edition, found = chosen
    coloured = {colour: np.zeros(len(winner), dtype=np.int64) for colour in COLOURS}
    for number, each in enumerate(found):
        rows = np.flatnonzero((winner >= 0) & (edition[game] == number) if len(found) > 1 else winner >= 0)
        winners = {name: candidates[name].array.take(winner[rows]) for name in _OF_COLOURS}
        winners["masterpoints"] = masterpoints[rows]
        with errors_of_plugin("rulebooks", each.book):
            split = each.rules.colours(each, pd.DataFrame(winners, copy=False), games)
        for colour in split.columns:
            coloured[colour][rows] = split[colour].to_numpy()
    return coloured


def _of_earlier_sessions(facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return candidates for the awards of earlier sessions; their places are not known, so they are 0.

    standings: those of the games that are concerned.
    """
    contestants = facts.contestants
    earlier = contestants["earlier_award"].to_numpy(dtype=np.float64, na_value=0)
    rows = np.flatnonzero((earlier > 0) & contestants["eligible"].to_numpy())
    rows = rows[np.isin(facts.sections.game[rows], standings["game"])] if len(rows) else rows
    if not len(rows):
        return pd.DataFrame()
    there, game, strata = contestants.iloc[rows].reset_index(drop=True), facts.sections.game[rows], facts.strata
    level = np.maximum(strata.level(game, there["earlier_stratum"]), 0)
    before = pd.Series(facts.sessions_before[rows])
    cited = "what the sheet says of an earlier session", "", "printed", "the sheet"
    values = there["earlier_award"].map(
        lambda points: Values((RulebookValue("earlier_award", decimal_text(int(points)), *cited),))
    )
    return pd.DataFrame(
        {
            "game": game,
            "contestant": rows,
            "basis": before.map(lambda number: str(Basis(Kind.SESSION, number))),
            "stratum": strata.letters[game, level],
            "level": level,
            "size": 0,
            "position": 0,
            "tied": 1,
            "masterpoints": there["earlier_award"],
            "section_top": there["earlier_top"].fillna(0),
            "knockout": None,
            "run": 0,
            "values": values,
            "rule": values.map(lambda each: each.rule),
            "factors": "paid in an earlier session",
        }
    )


def ladders_of(edition: Edition, groups: pd.DataFrame, reach: Ints, members: Members) -> tuple[Ints, Ladders]:
    """Return the number of each group's ladder, and the ladders by number.

    Raises DeclarationError, the games named, where the rulebook has no award for what they declare.

    edition: the rulebook of all the groups.
    groups: standings, one for each comparison group, or for several sections of a game whose standings say the same.
    reach: per group the last place that its ladder must know, past its depth where ties need it.
    members: who is ranked in all games.
    """
    games = members.facts.games
    paid = np.isin(np.arange(len(games)), groups["game"])
    for declared, what, hint in _passed_over(edition, members.facts):
        lost = np.flatnonzero(np.logical_and(declared, paid)).tolist()
        if lost:
            raise DeclarationError(game_problem(games, game, what, hint) for game in lost)
    with errors_of_plugin("rulebooks", edition.book):
        measured = edition.rules.measured(edition, _with_game(groups, games), members)[list(edition.rules.fields)]
    number, first = distinct_rows(measured)
    furthest = np.zeros(len(first), dtype=np.int64)
    np.maximum.at(furthest, number, reach)
    with errors_of_plugin("rulebooks", edition.book):
        ladders = edition.rules.ladders(edition, Groups(take_rows(measured, first)), furthest)
    if ladders.refused:
        raise_for_games(games, groups["game"].to_numpy(), number, ladders.refused)
    return number, ladders


def _passed_over(edition: Edition, facts: Facts) -> Iterator[tuple[npt.ArrayLike, str, str]]:
    """Yield which games declare what a rulebook would pass over, what is wrong with that, and what would be right."""
    games, rules = facts.games, edition.rules
    if not edition.below("championship."):
        what, hint = f"rulebook {edition.book} has no championships", "correct rating or championship"
        yield games["championship"].notna(), what, hint
    for key in sorted({"weight", "least_award"}.difference(rules.fields)):
        what, hint = f"{key} is declared, but no award of rulebook {edition.book} goes by it", f"leave {key} out"
        yield games[key].notna(), what, hint
    if not rules.by_rank:
        what = f"the awards of rulebook {edition.book} go by limits of masterpoints, and the strata go by rank"
        yield facts.by_rank, what, "rank it without awards"


def _with_game(standings: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return comparison groups with the keys of their games beside them, texts as categories: few are different."""
    row = standings["game"].to_numpy()
    # Most are declared of no game, and may be one column: nothing is written to it.
    missing = categorical(np.full(len(row), -1, dtype=np.int8), [])
    of_game: dict[str, Any] = {}
    for name in GAME_FIELDS:
        values = games[name].array
        if values.dtype != "str":
            of_game[name] = values.take(row)
        elif values.isna().all():
            of_game[name] = missing
        else:
            codes, texts = values.factorize()
            of_game[name] = pd.Categorical.from_codes(codes, pd.Index(texts)).take(row)
    columns = {str(name): column.array for name, column in standings.items()}
    return pd.DataFrame({**columns, **of_game, "event_limit": games["limit"].array.take(row)}, copy=False)


_ROUNDING = 1.0
"""How far the sum of a team's parts may be from what it must be: they are rounded."""

_CONSOLATION = "consolation"
"""The special word of Swiss teams in whose overall awards only those share who played enough of the matches."""

_TEAMS = (EventType.SWISS.value, EventType.BAM.value)


def _check_parts(facts: Facts, shared: Bools, at_a_time: int) -> None:
    """Refuse teams of more than are at play whose players' parts are needed and not written, or do not add up.

    shared: whose overall awards go by the parts. at_a_time: how many of a team are at play.
    """
    games, contestants, game, size = facts.games, facts.contestants, facts.sections.game, facts.named
    share = facts.played
    written = ~np.isnan(share)
    needed = shared & contestants["eligible"].to_numpy() & (size > at_a_time)
    lacking = needed & (written.sum(axis=1) < size)
    total = np.where(written, share, 0).sum(axis=1)
    wrong = needed & ~lacking & (np.abs(total - 100 * at_a_time) > _ROUNDING)
    problems = []
    for row in np.flatnonzero(lacking | wrong):
        contestant = contestants.iloc[row]
        name = f"team {contestant['section']} {contestant['number']}"
        what = f"{name} has {size[row]} players, but what part of the event each of them played is missing"
        if wrong[row]:
            what = f"the parts that the players of {name} played add up to {total[row]:g}%, not {100 * at_a_time}%"
        hint = "write played1, played2, ... in percent; they add up to "
        hint += f"{100 * at_a_time}, as {at_a_time} play at a time"
        problems.append(game_problem(games, int(game[row]), what, hint, str(contestant["where"])))
    if problems:
        raise InputError(problems)


def sharing(edition: Edition, special: frozenset[str]) -> Values:
    """Return the values by which the players of a team share its awards. special: the special words of its event."""
    paths = [_SHORT, "participation.at-a-time"]
    if _CONSOLATION in special:
        paths.append("participation.consolation")
    return edition.values(*paths)


def player_awards(facts: Facts, candidates: pd.DataFrame, chosen: Editions) -> pd.DataFrame:
    """Return the awards of the players of teams whose players get different ones, one row per player.

    Where the players' parts are written and count, a player gets as large a part of an overall award as he or she
    played of the event, and all of any other award; where a rulebook has parts by the size of the team, as large a one
    of any award. The greatest of them is paid, rounded half up. Who played nothing gets nothing, and who played too
    little of a consolation no overall award.

    Raises InputError, with the line of each, for teams of more than are at play whose players' parts are needed and
    not written, or do not add up.
    """
    parts = []
    for number, edition in enumerate(chosen.found):
        own = (chosen.number == number) & facts.games["event_type"].isin(TEAMS).to_numpy()
        if own.any() and _SHORT in edition.entries:
            parts.append(_by_part(edition, facts, own))
        if own.any() and _OF_SIZE in edition.entries:
            parts.append(_by_size(edition, facts, own))
    rows = pd.concat(parts).sort_values("contestant", kind="stable") if parts else pd.DataFrame()
    if not len(rows):
        return PLAYER_AWARDS.empty()
    offered = candidates[["contestant", "basis", "masterpoints"]].reset_index(names="candidate")
    could = rows.merge(offered, on="contestant")
    overall = basis_mask(could["basis"], lambda basis: basis == OVERALL)
    over, under = could["over"], could["under"]
    part = (2 * could["masterpoints"] * over + under) // (2 * under)
    could["masterpoints"] = part.where(overall | could["of_all"], could["masterpoints"])
    # Who played too little gets nothing for the whole of the event.
    could = could[(over > 0) & ~(overall & (over < could["least"])) & (could["masterpoints"] > 0)]
    could = could.sort_values(["masterpoints", "candidate"], ascending=[False, True], kind="stable")
    best = could.drop_duplicates(["contestant", "player"])[["contestant", "player", "masterpoints", "candidate"]]
    frame = rows[["contestant", "player"]].merge(best, "left", ["contestant", "player"])
    frame = frame.assign(
        masterpoints=frame["masterpoints"].fillna(0).astype("int64"),
        candidate=frame["candidate"].fillna(-1).astype("int64"),
    )
    contestant, winner, masterpoints = (frame[name].to_numpy() for name in ("contestant", "candidate", "masterpoints"))
    of_game = facts.sections.game[contestant]
    frame = frame.assign(**_colours(candidates, winner, masterpoints, of_game, facts.games, chosen))
    return PLAYER_AWARDS.conform(frame)


_SHORT = "participation.sessions"
"""The path of how many sessions a team event has at most whose overall awards go by what each player played."""

_OF_SIZE = "participation.of-size"
"""The path of what part of a team's award each of its players gets, by how many they are."""


def _by_part(edition: Edition, facts: Facts, own: Bools) -> pd.DataFrame:
    """Return what part each player gets of a team's overall awards by what he or she played, and the least that counts.

    own: the games of teams that are paid by the edition.
    """
    games, game, share = facts.games, facts.sections.game, facts.played
    short = own & games["event_type"].isin(_TEAMS).to_numpy() & (games["sessions"] <= edition.whole(_SHORT)).to_numpy()
    _check_parts(facts, short[game], edition.whole("participation.at-a-time"))
    consolation = (games["event_type"] == EventType.SWISS.value).to_numpy() & facts.special[_CONSOLATION]
    contestant, seat = np.nonzero(short[game][:, None] & ~np.isnan(share))
    return pd.DataFrame(
        {
            "contestant": contestant,
            "player": seat + 1,
            # Parts have two decimals at most, so all is exact in whole numbers.
            "over": np.rint(share[contestant, seat] * 100).astype(np.int64),
            "under": 10_000,
            "least": np.where(consolation, 100 * edition.whole("participation.consolation"), 0)[game[contestant]],
            "of_all": False,
        }
    )


def _by_size(edition: Edition, facts: Facts, own: Bools) -> pd.DataFrame:
    """Return what part each player gets of a team's awards by how many they are. own: as for :func:`_by_part`."""
    named = facts.named
    over, under = np.ones((2, len(named)), dtype=np.int64)
    for size, *part in edition.rows(_OF_SIZE):
        of_size = own[facts.sections.game] & (named == size)
        over[of_size], under[of_size] = map(int, part)
    of, seat = expand_counts(np.where(over < under, named, 0))
    parts = {"contestant": of, "player": seat + 1, "over": over[of], "under": under[of], "least": 0, "of_all": True}
    return pd.DataFrame(parts)
