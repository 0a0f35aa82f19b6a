"""Checks of what an event declares: contradictions, and what would be ignored, are refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from math import ceil, isinf

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints, words_in
from resultproc.model.errors import DeclarationError
from resultproc.model.game import league, number_text
from resultproc.model.group import Group, declared_words, has_kind
from resultproc.model.group import group as group_of
from resultproc.model.keys import how_to_declare
from resultproc.rulebooks.acbl_general_formula.colours import has_shares
from resultproc.rulebooks.acbl_general_formula.formula import (
    TOP,
    check_championship,
    computed_as,
    is_series,
    is_split,
    lower_tables,
    tables_up_to_flight,
)
from resultproc.rulebooks.common.awards import barometer_level
from resultproc.rulebooks.common.conditions import (
    championship_of,
    refuse_elsewhere,
    refuse_together,
    refuse_unmentioned,
    refuse_words,
    restricting_words,
)
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook


def check_event(edition: Edition, group: Group) -> None:
    """Raise DeclarationError where keys of an event contradict each other, or one has no meaning for it."""
    championship = championship_of(edition, group.championship)
    if championship:
        check_championship(group, championship)
    check_special(edition, group)
    _check_tables(edition, group)
    if group.level > 0 and is_series(group):
        raise DeclarationError("a side game series has no strata in its overall awards", hint="declare one stratum")
    late = [after for after in group.cuts if after >= group.sessions]
    if late:
        what = f"the field is cut after session {late[0]}, but the event has {group.sessions}"
        raise DeclarationError(what, hint="correct cuts or sessions")
    if group.flight:
        _check_flight(edition, group)
    if group.bracket > 1 and isinf(group.event_limit):
        what = f"bracket {group.bracket} has no upper limit, and M of its awards depends on it"
        raise DeclarationError(what, hint="declare limit: that of the bracket, such as 1500")


def check_special(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for a special word that the edition does not have, or that is for other games."""
    if group.rating in league().groups["regular-club"]:
        refuse_words(edition, group, rulebook(league().handbook).at(date.max).named_words("special.rating"))
    else:
        refuse_elsewhere(edition, group)
        refuse_unmentioned(edition, group)
        limited = has_kind(group.special, *edition.words("non-championship.kinds"))
        exempt = group.special.intersection(edition.words("non-championship.exempt"))
        if exempt and not limited and not group.rating.startswith("club-"):
            event = f"a {group.rating} event, which is a championship event anyway"
            hint = "leave it out, or declare special='side-game' as well, if it is one"
            raise DeclarationError(f"special: '{min(exempt)}' changes nothing of {event}", hint=hint)
    refuse_together(edition, group)
    if group.other_site_tables and group.rating not in edition.words("split.ratings"):
        raise DeclarationError("other_site_tables is declared, but only regionals are split", hint="leave it out")
    for word, rating in edition.named_words("special.rating").items():
        if word not in group.special:
            continue
        if group.rating != rating:
            what = f"special: a {group.rating} game is not '{word}'"
            raise DeclarationError(what, hint=f"leave it out, or {how_to_declare('rating', rating)}")
        if not has_shares(edition, word):
            what = f"special: rulebook {edition.book} has no '{word}' games on that date"
            raise DeclarationError(what, hint="leave it out, or correct date")
        most = edition.named_numbers("special.most").get(word)
        if most and group.event_limit > most:
            what = f"the upper limit of a '{word}' game is {most} at most, not {number_text(group.event_limit)}"
            raise DeclarationError(what, hint="correct limit or strata, or leave the word out of special")


def _check_tables(edition: Edition, group: Group) -> None:
    if group.bracket and group.event_type not in edition.words("bracketed.event-types"):
        what = f"bracket is declared, but the General Formula has no bracketed {group.event_type} events"
        right = how_to_declare("event_type", *edition.words("bracketed.event-types"))
        raise DeclarationError(what, hint=f"leave it out, or {right}")
    credited = group.flight or group.bracket or barometer_level(group.special) == 1
    if group.lower_tables is not None and not credited:
        what = "lower_tables is declared, but this event gets no credit for them"
        raise DeclarationError(what, hint="declare the flight or bracket that this is, or special='barometer-1'")
    if group.flighted_tables and not group.flight:
        what = "flighted_tables is declared, but only the flights of an event go by them"
        raise DeclarationError(what, hint="declare the flight that this is, or leave it out")
    club = group.rating.startswith("club-") and f"concurrent.sessions.{group.rating}" not in edition.entries
    if club and group.concurrent_tables:
        what = f"concurrent_tables is declared, but no {group.rating} game gets credit for other games"
        raise DeclarationError(what, hint="leave it out, or choose another rulebook with rulebook")
    if group.session_tables and not is_series(group):
        what = "session_tables is declared, but only a side game series uses them"
        raise DeclarationError(what, hint="leave it out, or declare special='side-game-series-overall'")


def uncounted_sites(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game whose tables at the other site count for nothing, as its event pays no gold."""
    declared = rows[games["other_site_tables"].iloc[rows].notna().to_numpy()]
    if not len(declared):
        return
    keys = games[["event_type", "sessions", "rating", "special", "limit"]].iloc[declared].reset_index(drop=True)
    for _, part in keys.groupby(list(keys.columns), dropna=False):
        event_type, sessions, rating, special, limit = part.iloc[0]
        words, count = declared_words(special), int(sessions)
        facts = {"event_type": event_type, "sessions": count, "rating": rating, "special": words}
        if not is_split(edition, computed_as(edition, group_of(facts)), limit):
            what = "other_site_tables is not used: both sites count together only in events that pay nothing but gold"
            types, least = " or ".join(edition.words("split.event-types")), edition.shown("colour.gold.limit")
            sessions = edition.shown("colour.gold.sessions")
            hint = f"these are {types} events of {sessions} or more sessions with a limit of {least} or more"
            yield from ((int(row), what, hint) for row in declared[part.index])


def _check_flight(edition: Edition, group: Group) -> None:
    if group.flight != TOP and isinf(group.event_limit):
        what = f"flight {group.flight} has no upper limit, and its awards and their colour depend on it"
        raise DeclarationError(what, hint="declare limit, such as 1500, or the strata of the flight")
    lower = max((limit for limit, _ in lower_tables(group)), default=0)
    if lower >= group.event_limit:
        limits = number_text(group.event_limit), number_text(lower)
        what = f"flight {group.flight} up to {limits[0]} has a lower flight up to {limits[1]}"
        raise DeclarationError(what, hint="correct limit or lower_tables: limits fall")
    own, said = tables_up_to_flight(edition, group), group.flighted_tables
    if said and (ceil(said) < own or (group.flight == TOP and said > own)):
        tables = number_text(float(said)), number_text(float(own))
        what = f"flighted_tables is {tables[0]}, but flight {group.flight} and those below it have {tables[1]}"
        raise DeclarationError(what, hint="correct flighted_tables, tables or lower_tables")
    if group.flight == TOP and group.level > 1:
        what = "flight A has more than two strata"
        raise DeclarationError(what, hint="declare stratum A, and at most a stratum X below it")


_SESSIONS = "concurrent.sessions."

_A_LIMIT = r"(?:^|, )[0-9.]+(?:=|$)"
"""In tables by limit, an event that has one; tables alone are those of limited events."""


def uncredited_events(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that declares concurrent events and cannot be credited with any."""
    declared = (games["concurrent_tables"].fillna("none") != "none").to_numpy()[rows]
    if not declared.any():
        return
    of = games.iloc[rows[declared]]
    sessions = {name: edition.whole(_SESSIONS + name) for name in edition.below(_SESSIONS)}
    needed = of["rating"].map(sessions).astype("float64")
    by_word = words_in(of["special"], *restricting_words(edition))
    restricted = ~np.isinf(of["limit"]) | of["restrictions"].notna() | by_word
    open_beside = ~of["concurrent_tables"].str.contains(_A_LIMIT, regex=True)
    why = np.select(
        [needed.isna(), of["sessions"].to_numpy(dtype=np.float64) < needed.to_numpy(), restricted, open_beside],
        [
            "no event of its rating is credited",
            "it has too few sessions",
            "only an unrestricted event is credited",
            "none of these events is restricted",
        ],
        "",
    )
    for row, reason in zip(rows[declared], why, strict=True):
        if reason:
            yield int(row), f"concurrent_tables has no effect on its awards: {reason}", "leave it out, or correct it"
