"""Random games of each kind: one function each, which makes a game for a rulebook and a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from resultproc.model.game import BY_MATCHES, EventType, Rating
from resultproc.reports.generate.games import (
    Dice,
    Made,
    Row,
    add_holdings,
    add_matches,
    add_percentages,
    add_strata,
    random_people,
    random_players,
    seated,
    without_some,
)
from resultproc.rulebooks.core import Edition, Rulebook

Match = Callable[[int, int], bool]
"""Says whether the first of two teams beats the second."""


def played(teams: int, wins: Match) -> dict[int, list[str]]:
    """Return the matches of each team of a bracket, as the columns ``round1``, ``round2``, ... have them.

    1 meets the last, 2 the last but one; the best seeds may have byes. Who wins takes the place of the better seed.
    """
    rounds: dict[int, list[str]] = {team: [] for team in range(1, teams + 1)}
    alive = list(rounds)
    while len(alive) > 1:
        full = 1 << (len(alive) - 1).bit_length()
        left = []
        for place, team in enumerate(alive[: full // 2]):
            if full - 1 - place >= len(alive):
                rounds[team].append("bye")
                left.append(team)
                continue
            other = alive[full - 1 - place]
            winner, loser = (team, other) if wins(team, other) else (other, team)
            rounds[winner].append(f"W {loser}")
            rounds[loser].append(f"L {winner}")
            left.append(winner)
        alive = left
    return rounds


@cache
def seeded(teams: int) -> dict[int, list[str]]:
    """Return the matches of each team of a bracket in which the better seed wins every match."""
    return played(teams, lambda team, other: team < other)


_STRATA = {
    "open": ("A=open, B=1000, C=200", "A=open, B=500, C=100", "A=open, B=20", "A=open"),
    "500": ("A=500, B=300, C=100", "A=500"),
    "200": ("A=200, B=100, C=20", "A=200"),
    "20": ("A=20, B=10, C=5", "A=20"),
}
"""The strata of club games by their limits."""

_LIMITS = {Rating.CLUB_RESTRICTED: ("500", "200", "20"), Rating.CLUB_NEWCOMER: ("20",)}
"""The limits of club games that have one."""

_OF_TOURNAMENTS = ("A=open, B=2000, C=750", "A=open, B=1500, C=300", "A=open, B=500", "A=open", "A=1500, B=750, C=300")
_OF_ONE_FIELD = (EventType.INDIVIDUAL, EventType.BAM, EventType.SWISS)

_OF_CLUBS = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.TEAM_OF_TWO)
_OF_TOURNAMENT = (*_OF_CLUBS, EventType.SWISS)
_OF_STRENGTH = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.SWISS)

_LARGE = 1 / 8
"""This many games are so large that caps are reached."""


@dataclass(frozen=True)
class Chosen:
    """What a game is to be awarded under: a rulebook, the day, and the ratings that are its own on that day."""

    book: Rulebook
    day: date
    ratings: Sequence[str]

    @property
    def edition(self) -> Edition:
        """The rulebook's values on the day."""
        return self.book.at(self.day)


def club(dice: Dice, chosen: Chosen) -> Made:
    """Return a club game of one to three sections, some with handicaps, now and then of individuals or teams."""
    rating = dice.one(chosen.ratings)
    event_type = _event_type(dice, chosen.book, *_OF_CLUBS)
    limit = dice.one(_LIMITS.get(Rating(rating), ("open",)))
    strata = dice.one(_STRATA[limit])
    keys = {"rating": rating, "date": str(chosen.day), "boards": str(dice.one((18, 20, 24, 27, 28)))}
    handicap = event_type == EventType.PAIRS and dice.happens(1 / 6)
    if handicap:
        keys["special"] = "handicap"
    if limit == "open" and _credits(chosen.edition) and dice.happens(1 / 4):
        keys["concurrent_tables"] = dice.one(("300=6", "50=3.5"))
    return _pairs(dice, keys, event_type, strata, limit, handicaps=handicap)


def online(dice: Dice, chosen: Chosen) -> Made:
    """Return a game that a club runs online, some of them for a charity or fund."""
    words = [path.removeprefix(_FACTORS) for path in chosen.edition.entries if path.startswith(_FACTORS)]
    limit = dice.one(("open", "open", "500", "200", "20"))
    keys = {"rating": Rating.CLUB_ONLINE, "date": str(chosen.day), "boards": str(dice.one((18, 20, 24, 27)))}
    if dice.happens(1 / 2):
        keys["special"] = dice.one(words)
    if limit == "open" and dice.happens(1 / 4):
        keys["concurrent_tables"] = dice.one(("300=6", "50=3.5"))
    return _pairs(dice, keys, EventType.PAIRS, dice.one(_STRATA[limit]), limit)


def _credits(edition: Edition) -> bool:
    """Return whether open games of a club are credited with others that it runs at the same time."""
    path = "concurrent.strata"
    return path in edition.entries and edition.text(path) != "none"


_FACTORS = "special.factor."


def _pairs(
    dice: Dice, keys: dict[str, str], event_type: EventType, strata: str, limit: str, *, handicaps: bool = False
) -> Made:
    """Return a game of one session."""
    large = dice.happens(_LARGE)
    one_field = event_type in _OF_ONE_FIELD
    sections = 1 if one_field else dice.whole(1, 3)
    halves = 1 if one_field else 2
    tables = [dice.whole(15, 18) if large else dice.whole(4, 20) / 2 for _ in range(sections)]
    two_way = [not one_field and dice.happens(0.6) for _ in tables]
    field = seated(dice, event_type, [max(int(count * halves) / halves, 2) for count in tables], two_way)
    if event_type in BY_MATCHES:
        add_matches(dice, field.rows, 4)
        keys = {**keys, "boards": "6"}
    else:
        add_percentages(dice, field.rows, 1)
    add_strata(dice, field.rows, strata)
    if handicaps:
        for row in field.rows:
            row["handicap"] = str(dice.whole(0, 8))
    declared = {**keys, **field.keys, "strata": strata, **({} if limit == "open" else {"limit": limit})}
    return without_some(dice, Made(declared, field.rows))


def tournament(dice: Dice, chosen: Chosen) -> Made:
    """Return an event of one to four sessions, of pairs, individuals or teams."""
    rating = dice.one(chosen.ratings)
    of_club = rating.startswith("club") or rating == Rating.UNIT_CHAMPIONSHIP
    sessions = dice.whole(1, 2) if of_club else dice.whole(1, 4)
    event_type = _event_type(dice, chosen.book, *_OF_TOURNAMENT)
    keys = {"rating": rating, "date": str(chosen.day), "sessions": str(sessions)}
    if dice.happens(1 / 6):
        keys["restrictions"] = dice.one(("senior", "women", "women, senior"))
    if rating == Rating.REGIONAL and sessions == 1 and event_type == EventType.PAIRS and dice.happens(1 / 2):
        keys["special"] = "side-game"
    return without_some(dice, _event(dice, keys, event_type, sessions, dice.one(_OF_TOURNAMENTS)))


def strength(dice: Dice, chosen: Chosen) -> Made:
    """Return an event that is awarded by the strength of the field: every player's holding is known."""
    event_type = _event_type(dice, chosen.book, *_OF_STRENGTH)
    sessions = dice.whole(1, 3)
    keys = {"rating": dice.one(chosen.ratings), "date": str(chosen.day), "sessions": str(sessions)}
    strata = dice.one(_OF_TOURNAMENTS[:4])
    made = _event(dice, keys, event_type, sessions, strata)
    add_holdings(dice, made.rows, dice.one((300, 2000, 10000)))
    for row in made.rows:
        del row["stratum"]
    declared = {**made.keys, "stratify_by": dice.one(("average", "highest"))}
    if event_type in BY_MATCHES:
        declared["session_boards"] = str(dice.one((20, 24, 28)))
    return without_some(dice, Made(declared, made.rows))


def _event(dice: Dice, keys: dict[str, str], event_type: EventType, sessions: int, strata: str) -> Made:
    """Return an event at a tournament."""
    one_field = event_type in _OF_ONE_FIELD
    sections = 1 if one_field else dice.whole(1, 3)
    most = 26 if dice.happens(_LARGE) else 12
    two_way = not one_field and dice.happens(0.6)
    halves = 2 if event_type in {EventType.PAIRS, EventType.TEAM_OF_TWO} else 1
    tables = [dice.whole(3 * halves, most * halves) / halves for _ in range(sections)]
    field = seated(dice, event_type, tables, [two_way] * sections)
    boards = str(dice.one((18, 24, 26)))
    if event_type in BY_MATCHES:
        add_matches(dice, field.rows, 4 * sessions)
        boards = "7"
    else:
        add_percentages(dice, field.rows, sessions)
    add_strata(dice, field.rows, strata)
    return Made({**keys, "boards": boards, **field.keys, "strata": strata, "limit": _top(strata)}, field.rows)


def knockout(dice: Dice, chosen: Chosen) -> Made:
    """Return a knockout of one to four brackets, in which the better seed wins two matches of three."""
    rating = dice.one(chosen.ratings)
    of_club = rating.startswith("club")
    limit = dice.one(_LIMITS.get(Rating(rating), ("open",)) if of_club else ("open", "open", "1500"))
    most = 6000 if limit == "open" else int(limit)
    rows: list[Row] = []
    names = random_people(dice)
    for bracket in range(dice.whole(1, 4)):
        for team, matches in played(dice.whole(3, 16), lambda *_: dice.happens(2 / 3)).items():
            seat = {"section": "ABCD"[bracket], "direction": "", "number": str(team)}
            rounds = {f"round{n}": match for n, match in enumerate(matches, 1)}
            rows.append(seat | random_players(names, EventType.KNOCKOUT) | rounds)
            add_holdings(dice, rows[-1:], max(most >> 2 * bracket, 1))
    keys = {"rating": rating, "date": str(chosen.day), "event_type": EventType.KNOCKOUT, "limit": limit}
    return without_some(dice, Made({**keys, "sessions": str(dice.whole(2, 4)), "boards": "24"}, rows))


def _top(strata: str) -> str:
    return strata.partition(",")[0].removeprefix("A=")


def _event_type(dice: Dice, book: Rulebook, usual: EventType, *others: EventType) -> EventType:
    """Return the event type that a rulebook is for alone, else the usual one or, more seldom, another."""
    if book.event_types:
        return EventType(book.event_types[0])
    able = [each for each in others if each not in book.not_for]
    return dice.one(able) if able and dice.happens(1 / 3) else usual


@dataclass(frozen=True)
class GameKind:
    """A kind of games. rulebooks: their ids. make: makes one."""

    rulebooks: tuple[str, ...]
    make: Callable[[Dice, Chosen], Made]


KINDS: Mapping[str, GameKind] = {
    "club": GameKind(
        (
            *("acbl-club", "acbl-2017", "acbl-club-2023", "acbl-club-fund-2011", "acbl-2017-special"),
            *("acbl-club-swiss-2003", "acbl-club-swiss-2015"),
        ),
        club,
    ),
    "online": GameKind(("acbl-online-club",), online),
    "tournament": GameKind(
        ("acbl-general-formula-2003", "acbl-general-formula-2015", "acbl-general-formula-2019"), tournament
    ),
    "strength": GameKind(("acbl-strength-of-field-2021",), strength),
    "knockout": GameKind(("acbl-knockout-2003", "acbl-knockout-2015"), knockout),
}
"""The kinds of games by name: every rulebook is of one of them."""
