"""Doubts about names, and what is declared of games: funds, days, limits and strata that do not go with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, factorize_text, family_columns, first_of_each, map_text
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts
from resultproc.model.game import StratifyBy, league, number_text
from resultproc.model.group import declared_words, has_kind
from resultproc.model.text import is_garbled_name
from resultproc.rulebooks.common.exact import factor_text
from resultproc.rulebooks.load import rulebook


def another_class(facts: Facts) -> Iterator[Problem]:
    """Yield games that are called what their rating is not: ``Junior Fund Pairs`` as a regular club game."""
    called = map_text(facts.games["event"], lambda event: bool(_any_class().search(event)), none=False)
    called &= facts.games["rating"].notna().to_numpy()
    if not called.any():
        return
    texts = facts.games.loc[called, ["event", "rating", "special"]].astype("object").fillna("")
    for _, alike in texts.groupby(list(texts), sort=False):
        event, rating, special = map(str, alike.iloc[0])
        against = _contradicted_by(event, rating, special)
        for row in alike.index if against else []:
            what = f"the event is called '{event}', and {against}"
            yield facts.of_game(int(row), what, "correct the rating or special, or the event's name")


def _contradicted_by(event: str, rating: str, special: str) -> str:
    classes = [each for each in league().classes if re.search(each.pattern, event, re.IGNORECASE)]
    kinds = declared_words(special)
    if not any(rating not in each.ratings or has_kind(kinds, *each.kinds) for each in classes):
        return f"its rating is {rating}"
    funds = {fund for fund, pattern in league().funds.items() if re.search(pattern, event, re.IGNORECASE)}
    others = sorted(word for word in kinds if has_kind(frozenset({word}), *league().funds))
    if rating in league().groups["fund"] and funds and others and not has_kind(kinds, *funds):
        return f"special is {', '.join(others)}"
    return ""


def _any_class() -> re.Pattern[str]:
    """Return a pattern of all names that tell the class of a game."""
    return re.compile("|".join(each.pattern for each in league().classes), re.IGNORECASE)


def limited(facts: Facts) -> Iterator[Problem]:
    """Yield games that are called limited, such as ``299er Pairs``, and have the rating of open ones and no limit."""
    events = facts.games["event"]
    name, without = (re.compile(pattern, re.IGNORECASE) for pattern in league().limited)
    called = map_text(events, lambda event: bool(name.search(event)) and not without.search(event), none=False)
    is_open = facts.games["rating"].isin(league().groups["open"]).to_numpy() & ~np.isfinite(facts.limit_told)
    for row in np.flatnonzero(called & is_open).tolist():
        event, rating = facts.games["event"].iat[row], facts.games["rating"].iat[row]
        what = f"the event is called '{event}', and it has the rating {rating} and no limit"
        yield facts.of_game(row, what, "declare limit and the rating of limited games, or correct the event's name")


def another_fund(facts: Facts) -> Iterator[Problem]:
    """Yield games for one fund in the month of another."""
    funds = facts.games["rating"].isin(league().groups["fund"]).to_numpy()
    if facts.games["special"].isna().all() and not funds.any():
        return
    known = rulebook(league().handbook)
    edition = known.at(known.starts[-1])
    months = {fund: int(month) for fund, month in edition.named_numbers("fund.months").items()}
    month = facts.games["date"].dt.month.to_numpy()
    unsaid = funds & ~np.logical_or.reduce([facts.special[fund] for fund in months])
    for fund, own in months.items():
        meant = facts.special[fund]
        if unsaid.any():
            called = facts.games["event"].str.contains(f"(?i){league().funds[fund]}", na=False)
            meant = meant | (unsaid & called.to_numpy(dtype=bool))
        amiss = meant & np.isin(month, [*months.values()]) & (month != own)
        for row in np.flatnonzero(amiss).tolist():
            other = next(name for name, number in months.items() if number == month[row])
            what = f"the game is for {fund}, and it was played in the month of {other}"
            hint = f"correct special or date, if they are slips; {edition.cite('fund.months')}"
            yield facts.of_game(row, what, hint)


FIRST = date(1930, 1, 1)
"""Contract bridge was hardly played before, and nobody awarded masterpoints."""


def impossible(facts: Facts) -> Iterator[Problem]:
    """Yield games of days to come, in any time zone, and from before there was any duplicate contract bridge."""
    days = facts.games["date"]
    future = (days > pd.Timestamp(date.today() + timedelta(days=1))).to_numpy()
    early = (days < pd.Timestamp(FIRST)).to_numpy()
    for row in np.flatnonzero(future | early).tolist():
        when = "in the future" if future[row] else f"before {FIRST.year}"
        what = f"the date {str(days.iat[row])[:10]} is {when}"
        yield facts.of_game(row, what, "correct date: year, month, day")


def above_the_limit(facts: Facts) -> Iterator[Problem]:
    """Yield contestants with a player above the game's limit; by the average where the game is stratified so."""
    limit = facts.limit_told.to_numpy()
    if not family_columns(facts.contestants, "mp") or not np.isfinite(limit).any():
        return
    by_average = (facts.games["stratify_by"] == StratifyBy.AVERAGE.value).to_numpy()[facts.sections.game]
    held = facts.holdings
    average = np.where(held.complete, held.average, np.nan)
    holding = np.where(by_average, average, np.maximum(held.highest, 0))
    with np.errstate(invalid="ignore"):
        above = (holding > limit[facts.sections.game]) & facts.contestants["eligible"].to_numpy()
    rows = np.flatnonzero(above)
    limits, known = (
        limit[facts.sections.game[rows]],
        np.array([factor_text(each, 2) for each in holding[rows].tolist()], dtype=object),
    )
    by = np.where(by_average[rows], " on average", "").astype(object)
    yield from facts.of_contestants(
        rows,
        known + by,
        lambda at: (
            f"{facts.called(int(rows[at]))} holds {known[at]} masterpoints{by[at]}, and the game is limited "
            f"to {number_text(float(limits[at]))}"
        ),
        lambda at, count: f"{count} hold more than the {number_text(float(limits[at]))} that the game is limited to",
        "correct the holding or limit, or declare that the contestant is not eligible",
    )


def no_limit(facts: Facts) -> Iterator[Problem]:
    """Yield games of a limited rating that declare no limit."""
    undeclared = facts.games["limit"].isna() & facts.games["strata"].isna()
    for row in np.flatnonzero(facts.games["rating"].isin(league().groups["limited-club"]) & undeclared).tolist():
        what = f"{facts.games['rating'].iat[row]} is a rating of limited games, and no limit is declared"
        yield facts.of_game(row, what, "declare limit, such as 300, or open if there is none")


def above_the_stratum(facts: Facts) -> Iterator[Problem]:
    """Yield contestants whose holdings are above the limit of their stratum, below the top one."""
    if not _has_letters_and_holdings(facts):
        return
    level, holding = facts.level_in_ranks, facts.holding
    with np.errstate(invalid="ignore"):
        above = (level > 0) & (holding > facts.strata.limits[facts.sections.game, level])
    yield from _off_its_stratum(facts, above, holding, "above")


def below_the_stratum(facts: Facts) -> Iterator[Problem]:
    """Yield contestants in a higher stratum than their holdings put them in; only the first where all are in one.

    A player who holds nothing may be one whose holding is not known.
    """
    if not _has_letters_and_holdings(facts):
        return
    level, holding, limits = facts.level_in_ranks, facts.holding, facts.strata.limits
    next_limit = np.append(limits, np.full((len(limits), 1), np.nan), axis=1)[facts.sections.game, level + 1]
    with np.errstate(invalid="ignore"):
        below = (level >= 0) & (holding <= next_limit)
    for column in family_columns(facts.contestants, "mp"):
        below &= ~(facts.contestants[column] == 0).to_numpy() | facts.by_rank[facts.sections.game]
    stratified = np.bincount(facts.sections.game[level > 0], minlength=len(facts.games)) > 0
    unused = first_of_each(facts.sections.game, below & ~stratified[facts.sections.game])
    for row in unused:
        stratum = facts.contestants["stratum"].iat[row]
        held = "ranks" if facts.by_rank[facts.sections.game[row]] else "holdings"
        what = f"all are in stratum {stratum}, and {facts.called(row)} is one whose {held} are within a lower one"
        yield facts.of_contestant(row, what, "leave out strata if the game is not stratified, or correct the letters")
    below &= stratified[facts.sections.game]
    yield from _off_its_stratum(facts, below, holding, "below")


def _has_letters_and_holdings(facts: Facts) -> bool:
    """Return whether there are strata of contestants, and holdings or ranks that they may not follow from."""
    columns = [*family_columns(facts.contestants, "mp"), *family_columns(facts.contestants, "rank")]
    return bool(columns) and bool(facts.contestants["stratum"].notna().any())


def _off_its_stratum(facts: Facts, at: Bools, holding: Floats, side: str) -> Iterator[Problem]:
    by_rank = facts.by_rank[facts.sections.game]
    ranked = np.flatnonzero(at & by_rank)
    letters = facts.contestants["stratum"].iloc[ranked].tolist()
    has = "a rank above the limit of its stratum" if side == "above" else "ranks within a lower stratum than its own,"
    have = "a rank above their stratum's limit" if side == "above" else "no rank above a lower stratum's limit"
    yield from facts.of_contestants(
        ranked,
        [f"{side} {letter}" for letter in letters],
        lambda row: f"{facts.called(int(ranked[row]))} has {has} {letters[row]}",
        lambda _, count: f"{count} have {have}",
        "correct the stratum, the ranks or strata",
    )
    rows = np.flatnonzero(at & ~by_rank)
    strata = facts.contestants["stratum"].iloc[rows].astype("object").to_numpy()
    highest = (facts.games["stratify_by"] == StratifyBy.HIGHEST.value).to_numpy(dtype=bool)
    known = np.array([factor_text(each, 2) for each in holding[rows].tolist()], dtype=object)
    average = np.where(highest[facts.sections.game[rows]], "", " on average").astype(object)
    reach = "above the limit of its stratum" if side == "above" else "within a lower stratum than its own,"
    limit = "more than their stratum's limit" if side == "above" else "no more than a lower stratum's limit"
    yield from facts.of_contestants(
        rows,
        known + average + f", {side} " + strata,
        lambda at: (
            f"{facts.called(int(rows[at]))} holds {known[at]} masterpoints{average[at]}: that is {reach} {strata[at]}"
        ),
        lambda _, count: f"{count} hold {limit}",
        "correct the stratum, the holdings or strata; or declare stratify_by",
    )


def garbled(facts: Facts) -> Iterator[Problem]:
    """Yield games with names that were read in another code page than they were written in; the first of each game."""
    found = np.full(len(facts.sections.game), "", dtype=object)
    for column in family_columns(facts.contestants):
        codes, distinct = factorize_text(facts.contestants[column])
        looks = np.array([name if is_garbled_name(name) else "" for name in map(str, distinct)] + [""], dtype=object)
        found = np.where(found == "", looks[codes], found) if looks.any() else found
    for row in first_of_each(facts.sections.game, found != ""):
        what = f"the name '{found[row]}' looks garbled: the file may be in another code page than it is read in"
        yield facts.of_contestant(row, what, "save it as UTF-8, or correct the name")
