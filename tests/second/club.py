"""Section and overall awards of games at clubs, face to face and online, by the Handbook and what came after it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf


@dataclass(frozen=True)
class Row:
    """A contestant. level: its stratum's place, 0 the top. percentages: of each session. out: ineligible."""

    section: str
    direction: str
    number: int
    level: int
    percentages: tuple[int, ...]
    handicap: int = 0
    out: bool = False

    @property
    def percentage(self) -> Fraction:
        return Fraction(sum(self.percentages), len(self.percentages))


@dataclass(frozen=True)
class Game:
    """A game. limits: the strata's, top first, which is the event's own. sections: whether a Mitchell, and tables.

    date: in ISO 8601. boards: those that each pair was to play.
    """

    rating: str
    limits: tuple[float, ...]
    sections: dict[str, tuple[bool, float]]
    rows: tuple[Row, ...]
    special: str | None = None
    date: str | None = None
    boards: int = 18


def half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


RATES = {"club-open": Fraction(10, 100), "club-invitational": Fraction(8, 100)}
SECTION_CAPS = {"club-open": Fraction(150, 100), "club-invitational": Fraction(120, 100), "club-newcomer": Fraction(1)}
OVERALL_CAPS = {"club-open": Fraction(250, 100), "club-invitational": Fraction(2), "club-newcomer": Fraction(167, 100)}


def rate_and_caps(rating: str, limit: float, date: str = "2012-04-18") -> tuple[Fraction, Fraction, Fraction]:
    in_2017 = "2017" <= date < "2019"  # a limit of 110 had the rate of 100 then
    if rating == "club-newcomer":
        hundredths = 3 if limit <= 5 else 4 if limit <= 10 else 5
        return Fraction(hundredths, 100), SECTION_CAPS[rating], OVERALL_CAPS[rating]
    if limit == inf:
        return RATES[rating], SECTION_CAPS[rating], OVERALL_CAPS[rating]
    steps = {5: 3, 10: 4, 20: 5, 110 if in_2017 else 100: 6, 200: 7, inf: 8}
    hundredths = next(rate for upper, rate in steps.items() if limit <= upper)
    caps = (Fraction(1), Fraction(167, 100)) if limit <= 20 else (Fraction(12, 10), Fraction(2))
    return Fraction(hundredths, 100), *caps


ONLINE_LIMITS = ((5, 3), (10, 4), (20, 5), (50, 6), (200, 7))
"""Up to a limit so many tenths of the award of an open game; above 200 eight."""

DOUBLE = ("junior-fund", "grass-roots", "charity", "education-fund", "nabc-fundraiser", "international-fund")
FIRST_WEEK, SECOND_WEEK = ("2020-05-25", "2020-05-31"), ("2020-07-27", "2020-08-02")
"""The Silver Linings weeks: three times the award, and none overall; twice the award, limited games 80% of that."""

SUMMER = ("2020-04-15", "2020-09-30")
"""All online games paid half as much again then, 6.00 at most."""


def online_first(game: Game, limit: float, size: int) -> Fraction:
    """Return the first award of an online game: of sections and overall alike."""
    special, date = game.special or "", game.date or ""
    second_week = special == "silver-linings" and SECOND_WEEK[0] <= date <= SECOND_WEEK[1]
    full = Fraction(size, 10)
    limited = Fraction(1)
    if limit != inf:
        tenths = next((tenths for upper, tenths in ONLINE_LIMITS if limit <= upper), 8)
        limited = Fraction(8 if special == "support-your-club" or second_week else tenths, 10)
    first = min(full, Fraction(5, 2)) * limited
    if special in DOUBLE or special == "club-appreciation" or second_week:
        first *= 2
    elif special == "silver-linings":
        first *= 3 if FIRST_WEEK[0] <= date <= FIRST_WEEK[1] else Fraction(3, 2)
    elif special == "support-your-club":
        first *= Fraction(3, 2)
    elif special in {"", "normal", "handicap"}:
        first *= by_boards(game)
    return max(first, min(full * limited * 3 / 2, Fraction(6))) if SUMMER[0] <= date <= SUMMER[1] else first


def by_boards(game: Game) -> Fraction:
    """Return what regular games are multiplied by since 2023: boards / 18, from 1 to 1.5."""
    if (game.date or "") < "2023":
        return Fraction(1)
    return max(Fraction(1), min(Fraction(game.boards, 18), Fraction(3, 2)))


def section_award(first: Fraction, place: int) -> Fraction:
    return first * {1: Fraction(1), 2: Fraction(7, 10), 3: Fraction(1, 2), 4: Fraction(35, 100)}.get(
        place, Fraction(1, place)
    )


def overall_award(first: Fraction, place: int) -> Fraction:
    return first * Fraction(3, 4) ** (place - 1)


def shares(
    scores: dict[Row, Fraction], first: Fraction, depth: int, award: Callable[[Fraction, int], Fraction]
) -> dict[Row, int]:
    """Return what each member of a comparison group gets, in hundredths, by its first award."""
    first = Fraction(half_up(first * 100), 100)
    got = {}
    for row, score in scores.items():
        above = sum(other > score for other in scores.values())
        tied = sum(other == score for other in scores.values())
        if above < depth:
            pool = sum(half_up(award(first, place) * 100) for place in range(above + 1, above + tied + 1))
            got[row] = half_up(Fraction(pool, tied))
    return got


def first_awards(game: Game, limit: float) -> tuple[Callable[[int], Fraction], Callable[[int], Fraction]]:
    """Return what a first place in a section, and overall, pays by the contestants or tables."""
    if game.rating == "club-online":
        return (lambda size: online_first(game, limit, size),) * 2
    rate, section_cap, overall_cap = rate_and_caps(game.rating, limit, game.date or "")
    times = by_boards(game)
    return (lambda size: min(rate * size, section_cap) * times), (lambda size: min(rate * size, overall_cap) * times)


def of_sections_and_overall(game: Game, score: Callable[[Row], Fraction]) -> tuple[dict[Row, int], dict[Row, int]]:
    """Return each contestant's best section award and its best overall award by some score."""
    best = {"section": dict.fromkeys(game.rows, 0), "overall": dict.fromkeys(game.rows, 0)}

    def note(basis: str, won: dict[Row, int]) -> None:
        best[basis] |= {row: max(best[basis][row], each) for row, each in won.items()}

    online = game.rating == "club-online"
    # Online a field pays overall as a section does; in the first Silver Linings week it pays nothing.
    over_all = section_award if online else overall_award
    silver = game.special == "silver-linings" and FIRST_WEEK[0] <= (game.date or "") <= FIRST_WEEK[1]
    for level, limit in enumerate(game.limits):
        eligible = {row: score(row) for row in game.rows if row.level >= level and not row.out}
        # Five in the game make a stratum; since 2011 three of it in one direction are enough there, and one never is.
        enough, since_2011 = len(eligible) >= 5 or not level, not online and (game.date or "") >= "2011"
        first_in_section, first_overall = first_awards(game, limit)
        for letter, (two_way, tables) in game.sections.items():
            for side in ("NS", "EW") if two_way else ("",):
                members = {row: eligible[row] for row in eligible if (row.section, row.direction) == (letter, side)}
                # The contestants at the tables, halves up; a lower stratum's by count.
                at_the_tables = ceil(tables) if two_way else 2 * tables
                size = len(members) if level else int(at_the_tables)
                if level and since_2011 and len(members) == 1:
                    continue
                if not enough and not (since_2011 and len(members) >= 3):
                    continue
                depth = half_up(Fraction(4, 10) * size)
                note("section", shares(members, first_in_section(size), depth, section_award))
        for side in ("NS", "EW", ""):
            fields = {s: tables for s, (two_way, tables) in game.sections.items() if two_way == (side != "")}
            members = {row: eligible[row] for row in eligible if row.section in fields and row.direction == side}
            sections = {row.section for row in game.rows if row.section in fields and row.direction == side}
            if not enough or len(sections) < 2 or (level and since_2011 and len(members) == 1) or silver:
                continue
            size = len(members) if level else sum(map(ceil, fields.values())) * (1 if side else 2)
            note("overall", shares(members, first_overall(size), min(6, len(members)), over_all))
    return best["section"], best["overall"]


def expected(game: Game) -> list[int]:
    """Return what each contestant of a game is paid, in hundredths."""
    section, overall = of_sections_and_overall(game, lambda row: row.percentage)
    if game.special != "handicap":
        return [max(section[row], overall[row]) for row in game.rows]
    net_section, net_overall = of_sections_and_overall(game, lambda row: row.percentage + row.handicap)
    both = {row: section[row] + net_overall[row] if section[row] and not overall[row] else 0 for row in game.rows}
    return [max(each[row] for each in (section, overall, net_section, net_overall, both)) for row in game.rows]
