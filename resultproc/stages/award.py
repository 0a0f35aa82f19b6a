"""Awards for many games at once: for contestants, and for the players of teams whose players get different ones.

Each distinct ladder is computed once, exactly, whatever the number of groups that it serves, and gathered by position.
A team of five or six has four at play at a time, as a rule: then the parts of its players, in percent, add up to 400.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    categorical,
    distinct_rows,
    expand_counts,
    factorize_objects,
    family_columns,
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
from resultproc.model.game import TEAMS, EventType
from resultproc.model.group import GAME_FIELDS, Groups, Ladders, Members
from resultproc.model.numbers import decimal_text
from resultproc.model.plugins import errors_of_plugin
from resultproc.model.provenance import RulebookValue, Values
from resultproc.rulebooks.choice import Editions, editions
from resultproc.rulebooks.common.awards import decided_by
from resultproc.rulebooks.core import Edition, Sharing


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

_OF_COLOURS = ("game", "basis", "level", "masterpoints", "section_top", "better_colour", "knockout", "run")
"""What the colours of an award depend on, besides its game."""


def _candidates(edition: Edition, facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates of the games of one edition of a rulebook; unfinished events pay nothing overall yet."""
    if not len(standings):
        return CANDIDATES.empty()
    candidates = _paid(edition, facts, standings)
    if facts.contestants["earlier_award"].notna().any():
        candidates = with_earlier_awards(candidates, facts, standings)
    with errors_of_plugin("rulebooks", edition.book):
        return CANDIDATES.conform(edition.rules.combine(edition, candidates, facts.games))


def _paid(edition: Edition, facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return a candidate for each standing that pays, in order."""
    games, members = facts.games, Members(standings, facts)
    first, last = _groups(standings)
    of_section = basis_mask(standings["basis"].iloc[first], lambda basis: basis.in_section and not basis.handicap)
    of_group, ladders = ladders_of(edition, games, take_rows(standings, first), last, members)
    position, count = standings["position"].to_numpy(), np.diff(first, append=len(standings))
    # Most standings pay nothing, and from here on only the others count.
    rows = np.flatnonzero(position <= np.repeat(ladders.depth[of_group].astype(position.dtype), count))
    unfinished = facts.unfinished
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
    share = shares(ladders, ladder, position[rows], tied, edition.sharing)
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
    if _ROUNDING_OF_TIES in edition.entries and several.any():
        candidates = decided_by(candidates, several, edition.values(*map("ties.{}".format, edition.below("ties."))))
    return candidates


_TIES = "ties.beyond-depth"
"""The path of the value that says what a tie past the last place that pays is paid."""

_ROUNDING_OF_TIES = "ties.rounding"
"""The path of the value that says how the mean of what tied places pay is rounded, where that is a league's own."""


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


def shares(ladders: Ladders, ladder: Ints, position: Ints, tied: Ints, sharing: Sharing) -> Ints:
    """Return what places that pay are worth in hundredths: of those that a tie takes up, the mean, rounded.

    ladder: the number of each place's ladder among the ladders.
    position: the place, 1 for the first.
    tied: how many share the place.
    sharing: how they do.
    """
    begin, depth = ladders.start[ladder], ladders.depth[ladder]
    start = begin + position - 1
    share: Ints = ladders.awards[start]
    several = np.flatnonzero(tied > 1)
    start, tied, running = start[several], tied[several], np.append(0, np.cumsum(ladders.pooled))
    paid = running[start + tied] - running[start]
    count = (np.minimum(tied, begin[several] + depth[several] - start) if sharing.paid_alone else tied) * sharing.unit
    # What is not rounded yet are fractions, which have a ceiling as whole numbers have.
    mean = -(-paid // count) if sharing.up else (2 * paid + count) // (2 * count)
    share[several] = mean * sharing.unit
    if sharing.least:
        share[several] = np.maximum(share[several], ladders.awards[(begin + depth - 1)[several]])
    return share


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
    (edition, found), of_candidates = chosen, candidates[list(_OF_COLOURS)]
    coloured = {colour: np.zeros(len(winner), dtype=np.int64) for colour in COLOURS}
    for number, each in enumerate(found):
        rows = np.flatnonzero((winner >= 0) & (edition[game] == number) if len(found) > 1 else winner >= 0)
        winners = take_rows(of_candidates, winner[rows]).assign(masterpoints=masterpoints[rows])
        with errors_of_plugin("rulebooks", each.book):
            split = each.rules.colours(each, winners, games)
        for colour in split.columns:
            coloured[colour][rows] = split[colour].to_numpy()
    return coloured


def with_earlier_awards(candidates: pd.DataFrame, facts: Facts, standings: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with the awards of earlier sessions; their places are not known, so they are 0.

    facts: of all games.
    standings: those of the games that are concerned.
    """
    contestants = facts.contestants
    earlier = contestants["earlier_award"].to_numpy(dtype=np.float64, na_value=0)
    rows = np.flatnonzero((earlier > 0) & contestants["eligible"].to_numpy())
    rows = rows[np.isin(facts.sections.game[rows], standings["game"])] if len(rows) else rows
    if not len(rows):
        return candidates
    there, game, strata = contestants.iloc[rows].reset_index(drop=True), facts.sections.game[rows], facts.strata
    level = np.maximum(strata.level(game, there["earlier_stratum"]), 0)
    before = pd.Series(facts.sessions_before[rows])
    cited = "what the sheet says of an earlier session", "", "printed", "the sheet"
    values = there["earlier_award"].map(
        lambda points: Values((RulebookValue("earlier_award", decimal_text(int(points)), *cited),))
    )
    more = pd.DataFrame(
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
    return joined_candidates([candidates, more])


def ladders_of(
    edition: Edition, games: pd.DataFrame, groups: pd.DataFrame, reach: Ints, members: Members
) -> tuple[Ints, Ladders]:
    """Return the number of each group's ladder, and the ladders by number.

    Raises DeclarationError, the games named, where the rulebook has no award for what they declare.

    edition: the rulebook of all the groups.
    games: the games.
    groups: standings, one for each comparison group, or for several sections of a game whose standings say the same;
        ``game`` is a row of ``games``.
    reach: per group the last place that its ladder must know, past its depth where ties need it.
    members: who is ranked in all games.
    """
    # A rulebook that has no championships would pass over what is declared to be one.
    lost = np.intersect1d(np.flatnonzero(games["championship"].notna()), groups["game"]).tolist()
    if lost and not edition.below("championship."):
        what, hint = f"rulebook {edition.book} has no championships", "correct rating or championship"
        raise DeclarationError(game_problem(games, game, what, hint) for game in lost)
    for key in ("weight", "least_award"):
        lost = np.intersect1d(np.flatnonzero(games[key].notna()), groups["game"]).tolist()
        if lost and key not in edition.rules.fields:
            what, hint = f"{key} is declared, but no award of rulebook {edition.book} goes by it", f"leave {key} out"
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


def _with_game(standings: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return comparison groups with the keys of their games beside them, texts as categories: few are different."""
    row = standings["game"].to_numpy()
    # Most are declared of no game, and may be one column: nothing is written to it.
    missing = categorical(np.full(len(row), -1, dtype=np.int8), [])
    of_game: dict[str, Any] = {}
    for name in GAME_FIELDS:
        values = games[name].array
        if games[name].dtype != "str":
            of_game[name] = values.take(row)
            continue
        codes, texts = values.factorize()
        of_game[name] = categorical(codes, texts.tolist()).take(row) if len(texts) else missing
    columns = {str(name): column.array for name, column in standings.items()}
    return pd.DataFrame({**columns, **of_game, "event_limit": games["limit"].array.take(row)}, copy=False)


_ROUNDING = 1.0
"""How far the sum of a team's parts may be from what it must be: they are rounded."""

_CONSOLATION = "consolation"
"""The special word of Swiss teams in whose overall awards only those share who played enough of the matches."""

_TEAMS = (EventType.SWISS.value, EventType.BAM.value)


def _check_parts(facts: Facts, share: Floats, shared: Bools, at_a_time: Ints) -> None:
    """Refuse teams of more than are at play whose players' parts are needed and not written, or do not add up.

    share: the parts in percent. shared: whose overall awards go by them. at_a_time: how many of each are at play.
    """
    games, contestants, game, size = facts.games, facts.contestants, facts.sections.game, facts.named
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
            what = f"the parts that the players of {name} played add up to {total[row]:g}%, not {100 * at_a_time[row]}%"
        hint = "write played1, played2, ... in percent; they add up to "
        hint += f"{100 * at_a_time[row]}, as {at_a_time[row]} play at a time"
        problems.append(game_problem(games, int(game[row]), what, hint, str(contestant["where"])))
    if problems:
        raise InputError(problems)


def sharing(edition: Edition, special: frozenset[str]) -> Values:
    """Return the values by which the players of a team share its awards. special: the special words of its event."""
    paths = ["participation.sessions", "participation.at-a-time"]
    if _CONSOLATION in special:
        paths.append("participation.consolation")
    return edition.values(*paths)


def player_awards(facts: Facts, candidates: pd.DataFrame, chosen: Editions) -> pd.DataFrame:
    """Return the awards of the players of teams whose players' parts are written and count, one row per player.

    A player gets as large a part of an overall award as he or she played of the event, and all of any other award, or
    the part of any award that each player of so many gets; the greatest of them is paid, rounded half up. Who played
    nothing gets nothing, and who played too little of a consolation no overall award.

    candidates: those of all contestants.
    chosen: the editions of the games.
    Raises InputError, with the line of each, for teams of more than are at play whose players' parts are needed and
    not written, or do not add up.
    """
    games, contestants, game = facts.games, facts.contestants, facts.sections.game
    # Team events so short that their overall awards go by what each player played.
    short = games["sessions"].to_numpy() <= chosen.whole("participation.sessions")
    shared = (games["event_type"].isin(_TEAMS).to_numpy() & short)[game]
    share = _parts(contestants)
    if shared.any():
        _check_parts(facts, share, shared, chosen.whole("participation.at-a-time")[game])
    contestant, seat = np.nonzero(shared[:, None] & ~np.isnan(share))
    # Parts have two decimals at most, so all is exact in whole numbers.
    over = np.rint(share[contestant, seat] * 100).astype(np.int64)
    played = pd.DataFrame(dict(zip(_PARTS, (contestant, seat + 1, over, 10_000, False), strict=True)))
    rows = pd.concat([played, *_by_size(facts, chosen)], ignore_index=True)
    if rows.empty:
        return PLAYER_AWARDS.empty()
    could = rows.merge(candidates.reset_index(names="candidate"), on="contestant")
    overall = basis_mask(could["basis"], lambda basis: basis == OVERALL)
    of_part = (2 * could["masterpoints"] * could["over"] + could["under"]) // (2 * could["under"])
    could["masterpoints"] = could["masterpoints"].mask(overall | could["of_any"], of_part)
    # Who played too little of a consolation gets nothing for the whole of it.
    of_swiss = (games["event_type"] == EventType.SWISS.value).to_numpy(dtype=bool)
    least = np.where(of_swiss & facts.special(_CONSOLATION), chosen.whole("participation.consolation"), 0)
    too_little = overall & (could["over"] < 100 * least[could["game"]])
    could = could[(could["over"] > 0) & ~too_little & (could["masterpoints"] > 0)]
    could = could.sort_values(["masterpoints", "candidate"], ascending=[False, True], kind="stable")
    best = could.drop_duplicates(["contestant", "player"])
    frame = rows[["contestant", "player"]].merge(best, "left", ["contestant", "player"])
    frame = frame.assign(
        game=game[frame["contestant"]],
        masterpoints=frame["masterpoints"].fillna(0).astype("int64"),
        candidate=frame["candidate"].fillna(-1).astype("int64"),
    )
    winner, masterpoints, of_game = (frame[name].to_numpy() for name in ("candidate", "masterpoints", "game"))
    coloured = frame.assign(**_colours(candidates, winner, masterpoints, of_game, games, chosen))
    return PLAYER_AWARDS.conform(coloured[[column.name for column in PLAYER_AWARDS.columns]])


_OF_SIZE = "participation.of-size"
"""The path of what part of a team's award each of its players gets, by how many they are."""


_PARTS = ("contestant", "player", "over", "under", "of_any")
"""What each player gets of an award, over the whole: of any, or of overall ones alone."""


def _by_size(facts: Facts, chosen: Editions) -> Iterator[pd.DataFrame]:
    """Yield the parts of the players of teams of which each gets a part by how many they are."""
    teams = facts.games["event_type"].isin(TEAMS).to_numpy()
    for number, edition in enumerate(chosen.found):
        for size, *part in edition.rows(_OF_SIZE) if _OF_SIZE in edition.entries else ():
            of_book = (teams & (chosen.number == number))[facts.sections.game]
            at = np.flatnonzero(of_book & (facts.named == size))
            of, seat = expand_counts(np.full(len(at), int(size)))
            yield pd.DataFrame(dict(zip(_PARTS, (at[of], seat + 1, *map(int, part), True), strict=True)))


def _parts(contestants: pd.DataFrame) -> np.ndarray:
    """Return the parts that players played, in percent: contestants x seats, NaN where none is written."""
    columns = family_columns(contestants, "played")
    parts = np.full((len(contestants), int(columns[-1].removeprefix("played")) if columns else 0), np.nan)
    for column in columns:
        parts[:, int(column.removeprefix("played")) - 1] = contestants[column].to_numpy()
    return parts
