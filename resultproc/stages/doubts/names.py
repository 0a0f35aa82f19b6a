"""Doubts about what games are called: an event's own name that says another class of game than its rating."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools
from resultproc.model.errors import Problem
from resultproc.model.game import REGULAR_CLUB, Rating
from resultproc.model.group import declared_words, has_kind
from resultproc.stages.doubts.facts import Facts

_CLUB_PLAY = {*REGULAR_CLUB, Rating.CLUB_APPRECIATION, Rating.CLUB_ONLINE}
"""Ratings of games that are for no championship and no fund."""

_CLUB = {*_CLUB_PLAY, Rating.CLUB_FUND, Rating.CLUB_CHAMPIONSHIP}


@dataclass(frozen=True)
class Called:
    """A class of games by what they are called.

    pattern: what such names have; ratings: those that contradict it, unless ``special`` has a word of one of the kinds.
    """

    pattern: str
    ratings: frozenset[Rating]
    kinds: tuple[str, ...] = ()


FUNDS = {
    "junior-fund": r"\bjunior fund\b",
    "international-fund": r"\binternational fund\b",
    "education-fund": r"\beducation(?:al)?(?: foundation)? fund\b",
    "grass-roots-fund": r"\bgrass[ -]?roots\b",
    "nabc-fund": r"\bnabc fund",
    "gnt-fund": r"\bgnt fund\b",
    "cntc-fund": r"\bcntc fund\b",
    "charity": r"\bcharity\b",
}
"""What games for funds are called, by the word under ``special``."""

CLASSES = (
    *(Called(pattern, frozenset(_CLUB_PLAY), (fund, "nabc-fundraiser")) for fund, pattern in FUNDS.items()),
    Called(r"\bchampionships?\b", frozenset({*_CLUB_PLAY, Rating.CLUB_FUND}), ("upgraded-club-championship",)),
    Called(r"\b(?:nap|gnt|north american pairs|grand national teams)\b(?! fund)", frozenset(_CLUB_PLAY)),
    Called(r"\b(?:stac|sectional tournament at clubs)\b", frozenset(_CLUB), ("royal-stac", "sectional-rated")),
    Called(r"(?<!progressive )\bsectional\b", frozenset(_CLUB), ("sectional-rated", "progressive-sectional")),
    Called(r"\bregional\b", frozenset({*_CLUB, Rating.SECTIONAL, Rating.STAC}), ("regionally-rated",)),
)
"""What else tells the class of a game. A name that says several classes agrees with each of them."""


def another_class(facts: Facts) -> Iterator[Problem]:
    """Yield games that are called what their rating is not: ``Junior Fund Pairs`` as a regular club game."""
    if facts.games["event"].isna().all():
        return
    called = facts.games["rating"].notna() & facts.games["event"].str.contains(_ANY, regex=True, na=False)
    if not called.any():
        return
    texts = facts.games.loc[called, ["event", "rating", "special"]].astype("object").fillna("")
    for _, alike in texts.groupby(list(texts), sort=False):
        event, rating, special = map(str, alike.iloc[0])
        against = _against(event, rating, special)
        for row in alike.index if against else []:
            what = f"the event is called '{event}', and {against}"
            yield facts.of_game(int(row), what, "correct the rating or special, or the event's name")


def _against(event: str, rating: str, special: str) -> str:
    """Return what contradicts the name of an event, '' for nothing."""
    classes = [each for each in CLASSES if re.search(each.pattern, event, re.IGNORECASE)]
    kinds = declared_words(special)
    if not any(rating not in each.ratings or has_kind(kinds, *each.kinds) for each in classes):
        return f"its rating is {rating}"
    funds = {fund for fund, pattern in FUNDS.items() if re.search(pattern, event, re.IGNORECASE)}
    others = sorted(word for word in kinds if has_kind(frozenset({word}), *FUNDS))
    if rating == Rating.CLUB_FUND and funds and others and not has_kind(kinds, *funds):
        return f"special is {', '.join(others)}"
    return ""


_ANY = f"(?i){'|'.join(each.pattern for each in CLASSES)}"


def limited(facts: Facts) -> Iterator[Problem]:
    """Yield games that are called limited, such as ``299er Pairs``, and have the rating of open ones and no limit."""
    events = facts.games["event"]
    if events.isna().all():
        return
    called = events.str.contains(_LIMITED, regex=True, na=False) & ~events.str.contains(_OPEN, regex=True, na=False)
    is_open = (facts.games["rating"] == Rating.CLUB_OPEN.value).to_numpy(dtype=bool) & ~np.isfinite(facts.limits)
    for row in np.flatnonzero(called.to_numpy(dtype=bool) & is_open).tolist():
        what = f"the event is called '{facts.games['event'].iat[row]}', and it has the rating club-open and no limit"
        yield facts.of_game(row, what, "declare limit and the rating of limited games, or correct the event's name")


_OPEN = r"(?i)\bopen\b"
_LIMITED = r"(?i)\b(?:0-[0-9]{2,4}|[0-9]{2,4}'?e?rs?|newcomers?|novices?|beginners?)\b"


def called_for(fund: str, events: pd.Series[str]) -> Bools:
    """Return which events are called after a fund."""
    return np.asarray(events.str.contains(f"(?i){FUNDS[fund]}", regex=True, na=False), dtype=np.bool_)
