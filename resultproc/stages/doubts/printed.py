"""Doubts that printed awards, places and matches raise, and those about the values that awards are made from.

A printed match is that of two Swiss teams: one may say of it what the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns, family_number
from resultproc.model.codes import OF_VALUES
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.frames import COLOURS, AwardedResult, game_problem, game_problems, other_awards
from resultproc.model.game import BY_MATCHES
from resultproc.model.places import ranks_in
from resultproc.model.text import listed
from resultproc.model.values import SwissMatch, swiss_matches
from resultproc.rulebooks.choice import Editions
from resultproc.rulebooks.common.exact import factor_text

LEAST_PAID = 3
"""The fewest awards that show a factor: any two numbers have one."""

LEAST_DIFFERENCE = 0.04
"""A factor that is nearer to 1 is rounding. The smallest that regulations know is 5%."""


PARTED = "places.part-a-tie"
"""The code of remarks on ties that the places of the file part."""


class AwardedFacts(NamedTuple):
    """What was awarded."""

    result: AwardedResult  # with its awards
    facts: Facts  # those of the result's sheet
    editions: Editions  # the editions of rulebooks that paid the result's games


def another_factor(given: AwardedFacts) -> Iterator[Problem]:
    """Yield games whose printed awards are all the same multiple of those that were computed."""
    result = given.result
    if result.contestants["printed_award"].isna().all():
        return
    game = result.awards["game"].to_numpy()
    printed = result.contestants["printed_award"].to_numpy(dtype=np.float64, na_value=0)
    computed = result.awards["masterpoints"].to_numpy(dtype=np.float64)
    paid = (printed > 0) & (computed > 0)
    count = len(result.games)
    sums = [np.bincount(game[paid], each[paid], count) for each in (printed, computed)]
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = sums[0] / sums[1]
    # Both are rounded to a hundredth, and what is shared after a tie once more.
    fits = np.abs(printed - factor[game] * computed) <= 1 + factor[game]
    missed = (printed > 0) != (computed > 0)
    amiss = np.bincount(game[(paid & ~fits) | missed], minlength=count) > 0
    with np.errstate(invalid="ignore"):
        other = ~amiss & (np.abs(factor - 1) > LEAST_DIFFERENCE)
    if other.any():
        other &= other_awards(result.games).isna().to_numpy()
        different = pd.Series(computed[paid]).groupby(game[paid]).nunique()
        other &= (different.reindex(range(count), fill_value=0) >= LEAST_PAID).to_numpy()
        # As ACBLscore does it, some are printed as if the usual number of boards was played.
        number, found = given.editions
        paths = ("boards.standard", "boards.most")
        of_each = [[float(each.number(p)) if p in each.entries else np.nan for p in paths] for each in found]
        standard, most = np.array(of_each, dtype=np.float64)[number].T
        boards = result.games["boards"].to_numpy(dtype=np.float64, na_value=np.nan)
        other &= ~(np.abs(factor * np.clip(boards / standard, None, most) - 1) < LEAST_DIFFERENCE)
    for row in np.flatnonzero(other).tolist():
        what = (
            f"the printed awards are {factor[row]:.2f} times those that follow from what is declared, all of them: "
            "a factor differs"
        )
        yield game_problem(result.games, row, what, "see whether rating, limit, special, boards and date are right")


def other_colours(given: AwardedFacts) -> Iterator[Problem]:
    """Yield games whose awards are all printed in colours that their rating pays none of."""
    result = given.result
    if result.contestants["printed_colours"].array.isna().all():
        return
    game = result.awards["game"].to_numpy()
    text = result.contestants["printed_colours"].mask(other_awards(result.games).notna().to_numpy()[game])
    count = len(result.games)
    shape = (count, len(COLOURS))
    printed, paid = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for number, colour in enumerate(COLOURS):
        printed[:, number] = np.bincount(game[text.str.contains(rf"\b{colour}\b", na=False)], minlength=count) > 0
        paid[:, number] = np.bincount(game[(result.awards[colour] > 0).to_numpy()], minlength=count) > 0
    at = printed.any(axis=1) & paid.any(axis=1) & ~(printed & paid).any(axis=1)
    for row in np.flatnonzero(at).tolist():
        theirs, ours = (" and ".join(np.array(COLOURS)[mask[row]]) for mask in (printed, paid))
        rating = result.games["rating"].iat[row]
        what = f"the awards are printed as {theirs} points, and the rating {rating} pays {ours} here"
        yield game_problem(result.games, row, what, "correct rating, or special")


_PRINTED = {"printed_section": "section", "printed_overall": "overall"}


def places_missing(facts: Facts) -> Iterator[Problem]:
    """Yield places that several share where not as many are listed: ``1/2``, and one of them is there."""
    for column, basis in _PRINTED.items():
        texts = facts.contestants[column]
        rows = np.flatnonzero(texts.notna())
        if len(rows):
            rows = rows[texts.iloc[rows].str.contains("/").to_numpy(dtype=bool)]
        if len(rows):
            yield from _missing(facts, rows.tolist(), texts.iloc[rows].tolist(), basis)


def _missing(facts: Facts, rows: list[int], texts: list[str], basis: str) -> Iterator[Problem]:
    group = (facts.sections.game if basis == "overall" else facts.scored_together).tolist()
    listed: dict[tuple[int, str, int, int], list[int]] = {}
    for row, text in zip(rows, texts, strict=True):
        for stratum, rank in ranks_in(text).items():
            first, shared, last = rank.partition("/")
            if shared:
                listed.setdefault((group[row], stratum, int(first), int(last)), []).append(row)
    for (_, stratum, best, worst), there in sorted(listed.items()):
        if len(there) < worst - best + 1:
            what = f"place {best}/{worst} {basis} in {stratum} is shared, and {len(there)} of those who share it"
            verb = "is" if len(there) == 1 else "are"
            hint = "add the rows that are missing, or correct the place"
            yield facts.of_contestant(there[0], f"{what} {verb} listed", hint)


class Tie(NamedTuple):
    """Contestants of a game who are tied, and whose places differ."""

    game: int  # its row
    contestants: list[int]  # their rows, in the order of their places
    of_game: list[int]  # the same, counted within the game

    def remark(self, facts: Facts, now: list[str], then: list[str]) -> Problem:
        """Return the remark on it.

        facts: of its sheet.
        now: what they are paid.
        then: what they would be paid by their places, empty where that is not known.
        """
        called, first = listed([*map(facts.called, self.contestants)]), self.contestants[0]
        percentage = factor_text(facts.scored.percentage[first])
        would = f"; by these they would get {listed(then)} for the {listed(now)} that they get" if then else ""
        what = f"{called} are tied at {percentage}, and the places in the file part them{would}"
        hint = "declare by_place = true to rank by the places, or write the percentages with more decimals"
        return game_problem(facts.games, self.game, what, hint, facts.line(first), PARTED)


def parted_ties(given: AwardedFacts) -> list[Tie]:
    """Return the first tie that the places part, for each game that is compared by percentages."""
    result, facts = given.result, given.facts
    games, contestants, standings = result.games, result.contestants, result.standings
    if contestants["printed_section"].array.isna().all():
        return []
    percentages = contestants["score"].isna().to_numpy()
    tied = standings[(standings["tied"].to_numpy() > 1) & percentages[standings["contestant"]]]
    if tied.empty:
        return []
    game, place = facts.sections.game, facts.printed_places
    tied = tied[(tied["basis"] == "section") & (tied["level"] == 0)]
    tied = tied[["game", "contestant", "group", "position"]].assign(place=place[tied["contestant"]])
    tied = tied[tied["place"].notna()]
    tied = tied[(games["by_place"] != "true").to_numpy()[tied["game"]]]
    apart = tied.groupby(["group", "position"])["place"].transform("nunique") > 1
    ties = []
    for number, of_game in tied[apart].groupby("game"):
        group, position = of_game[["group", "position"]].iloc[0]
        rows = of_game[(of_game["group"] == group) & (of_game["position"] == position)].sort_values("place")
        listed = rows["contestant"].tolist()
        start = np.flatnonzero(game == number)
        ties.append(Tie(int(str(number)), listed, np.searchsorted(start, listed).tolist()))
    return ties


def remarked(given: AwardedFacts) -> Iterator[Problem]:
    """Yield games with awards that values went into which their rulebook has a remark on."""
    result, (number, found) = given.result, given.editions
    if not any(edition.remarks for edition in found) or result.candidates.empty:
        return
    made = result.candidates["values"].cat
    paths = [frozenset(item.path for item in each.items) for each in made.categories]
    in_game = np.zeros((len(number), len(paths)), dtype=bool)
    in_game[result.candidates["game"], made.codes] = True
    every: list[tuple[int, Problem]] = []
    for which, edition in enumerate(found):
        for remark, of in edition.remarks.items():
            by_them = np.array([not of.isdisjoint(each) for each in paths], dtype=bool)
            rows = np.flatnonzero(in_game[:, by_them].any(axis=1) & (number == which))
            said = Problem(remark, code=OF_VALUES)
            every += [(row, said) for row in rows.tolist()]
    yield from game_problems(result.games, every)


def wins_unsaid(given: AwardedFacts) -> Iterator[Problem]:
    """Yield Swiss events whose rulebook pays matches won, and in which no team is said to have won any."""
    facts, (number, found) = given.facts, given.editions
    swiss = facts.games["event_type"].isin(BY_MATCHES).to_numpy() & ~facts.knockouts
    if not swiss.any():
        return
    pays = np.array([edition.rules.terms(edition).matches for edition in found], dtype=bool)[number]
    said = np.bincount(facts.sections.game[facts.contestants["wins"].notna().to_numpy()], minlength=len(swiss)) > 0
    for row in np.flatnonzero(swiss & pays & ~said).tolist():
        what = "no team is said to have won a match: awards for matches won, as its rulebook has them, are left out"
        yield facts.of_game(row, what, "write for every team how many it won in a column Wins, a tied one as half")


def unanswered(facts: Facts) -> Iterator[Problem]:
    """Yield the teams with a match that the other team does not have, or has with other IMPs."""
    columns = family_columns(facts.contestants, "swiss")
    if not columns:
        return
    section, numbers = facts.sections.section.tolist(), facts.contestants["number"].tolist()
    team_of = {(each, number): row for row, (each, number) in enumerate(zip(section, numbers, strict=True))}
    found: dict[int, str] = {}
    for name in columns:
        texts = facts.contestants[name]
        played = {int(row): swiss_matches(texts.iloc[row]) for row in np.flatnonzero(texts.notna())}
        for row, match in chain.from_iterable(((row, one) for one in each) for row, each in played.items()):
            other = team_of.get((section[row], match.other), -1)
            said = _wrong(match, other, played, numbers[row]) if match.other else ""
            if said:
                found.setdefault(row, f"round {family_number(name)}: {said}")
    rows = np.array(sorted(found), dtype=np.int64)
    notes = [found[row] for row in sorted(found)]
    yield from facts.of_contestants(
        rows,
        notes,
        lambda at: f"a match is not the other team's: {notes[at]}",
        lambda _, counted: f"{counted} have a match that is not the other team's",
        "correct the opponent's number or the IMPs; places and awards go by the scores, and are as they were",
    )


def _wrong(match: SwissMatch, other: int, played: Mapping[int, Sequence[SwissMatch]], own: str) -> str:
    """Return what is wrong with a match, '' for nothing. other: the row of the other team, -1 for none."""
    if other < 0:
        return f"there is no team {match.other}"
    answers = [each for each in played.get(other, ()) if each.other == own]
    if not answers:
        return f"team {match.other} did not meet team {own}"
    imps = [each.imps for each in answers]
    if match.imps is None or None in imps or -match.imps in imps:
        return ""
    return f"{match.imps:+d} IMPs, and {imps[0]:+d} of team {match.other}"
