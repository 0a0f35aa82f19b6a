"""Awards of leagues that pay the places of one field: one game at a time, in fractions, by nothing but the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, floor


@dataclass(frozen=True)
class Game:
    """A game of one session. lines: the scores of each field, one list or those of N-S and E-W.

    tables: half ones as they are. declared: what else is declared of it. held: what the players of each hold.
    """

    rating: str
    kind: str
    tables: Fraction
    lines: tuple[tuple[int, ...], ...]
    boards: int = 24
    scoring: str = "matchpoints"
    declared: tuple[tuple[str, str], ...] = ()
    held: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def one_winner(self) -> bool:
        return len(self.lines) == 1


def half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def exp(value: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = 40
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).exp())


def shared(scores: tuple[int, ...], ladder: list[int], share: Callable[[list[int], int], int]) -> list[int]:
    """Return what each of some scores is paid. share: of what the places of a tie pay, and how many of them pay."""
    paid = []
    for score in scores:
        place = sum(other > score for other in scores)
        tied = scores.count(score)
        places = ladder[place : place + tied]
        paid.append(share(places + [0] * (tied - len(places)), len(places)) if places else 0)
    return paid


WEIGHTS = {
    "grade-f": Fraction(3, 4),
    "grade-e": Fraction(3, 2),
    "grade-d": Fraction(2),
    "grade-b4c": Fraction(5, 2),
    "grade-b4s": Fraction(5, 2),
    "grade-b3": Fraction(15, 4),
    "grade-b": Fraction(5),
}


def abf(game: Game) -> list[list[int]]:
    """Return hundredths for each line of a session in Australia."""
    tables, weight = ceil(game.tables), WEIGHTS[game.rating]
    straight, scale = (15, 16) if game.one_winner else (30, 32)
    first = weight * tables * Fraction(4 if game.one_winner else 2, 100)
    if tables > straight:
        first = weight * (1 - exp(Fraction(-tables, scale)))
    paid = []
    for scores in game.lines:
        shares = [Fraction(1), Fraction(7, 10), *(Fraction(1, place - 1) for place in range(3, len(scores) + 1))]
        ladder = [half_up(100 * first * share) for share in shares[: len(scores) // 2]]
        paid.append(shared(scores, ladder, lambda places, _: ceil(Fraction(sum(places), len(places)))))
    return paid


STEPS = {"scale-a": 6, "scale-b": 9, "scale-c": 12, "scale-d": 18, "scale-e": 24}
CAPS = {
    12: {"scale-a": 75, "scale-b": 113, "scale-c": 150, "scale-d": 225, "scale-e": 300},
    18: {"scale-a": 100, "scale-b": 150, "scale-c": 200, "scale-d": 300, "scale-e": 400},
    36: {"scale-a": 300, "scale-b": 450, "scale-c": 600, "scale-d": 900, "scale-e": 1200},
}


def ebu(game: Game) -> list[list[int]]:
    """Return hundredths of a local point for each line of a session in England."""
    band = max((least for least in CAPS if game.boards >= least), default=0)
    share = {0: Fraction(0), 12: Fraction(1, 4), 18: Fraction(1, 3), 36: Fraction(1, 2)}[band]
    least = step = STEPS[game.rating]
    number, paid = len(game.lines[0]), []
    if game.kind == "individual":
        full, each, step = number // 4, Fraction(4), Fraction(step, 2)
        enough = full >= 2
    elif game.kind == "swiss":
        full, each, least, enough = number, Fraction(1), step * 10 // 6, number >= 3
        step = least
    elif game.one_winner:
        full, each, enough = number // 2, Fraction(2), number >= 6
    else:
        full, each, least, enough = number, Fraction(1), Fraction(step * 10, 6), number >= 5
        step = least
    for scores in game.lines:
        awards = ceil(full * each * share) if enough else 0
        ladder = [max(ceil(step * place), int(least)) for place in range(awards, 0, -1)]
        if band and game.kind == "pairs" and game.one_winner:
            ladder = [min(award, CAPS[band][game.rating]) for award in ladder]
        last = ladder[-1] if ladder else 0

        def share_of(places: list[int], _: int, last: int = last) -> int:
            return max(ceil(Fraction(sum(places), len(places))), last)

        paid.append([100 * award for award in shared(scores, ladder, share_of)])
    return paid


def of_matches(game: Game) -> list[list[int]]:
    """Return hundredths of a green or red point: scores are twice the matches won, an odd one has one drawn match."""
    won = 3 * game.boards if game.rating == "red-swiss" else ceil(Fraction(100 * game.boards, 29))
    drawn = ceil(Fraction(won, 2))
    pays = game.boards > 4
    return [[pays * (score // 2 * won + score % 2 * drawn) for score in scores] for scores in game.lines]


def ebu_most(game: Game) -> bool:
    """Say whether what a place may get at most is not known for a game, and its first award is above that of others."""
    if game.kind == "pairs" and game.one_winner:
        return False
    if len({len(line) for line in game.lines}) > 1:
        return True
    alone = Game(
        game.rating, game.kind, game.tables, tuple(tuple(range(len(line))) for line in game.lines), game.boards
    )
    band = max((least for least in CAPS if game.boards >= least), default=0)
    return band > 0 and max(map(max, ebu(alone))) > 100 * CAPS[band][game.rating]


def sbu(game: Game) -> list[list[int]]:
    """Return hundredths of a local point for each line of an even number of pairs in Scotland."""
    step, paid = (6, []) if game.one_winner else (10, [])
    step *= 2 if game.rating == "autumn-pairs" else 1
    for scores in game.lines:
        number = ceil(Fraction(len(scores), 3)) if len(scores) > 5 or not game.one_winner else 0
        ladder = [step * place for place in range(number, 0, -1)]

        def share_of(places: list[int], _: int, least: int = step) -> int:
            return max(ceil(Fraction(sum(places), len(places))), least)

        paid.append([100 * award for award in shared(scores, ladder, share_of)])
    return paid


def sbu_known(game: Game) -> bool:
    """Say whether Scotland's sources agree on a game: lines of five and more, and ties of two for places that pay."""
    if not game.one_winner and len(game.lines[0]) < 5:
        return False
    for scores, awards in zip(game.lines, sbu(game), strict=True):
        if any(award and scores.count(score) > 2 for score, award in zip(scores, awards, strict=True)):
            return False
    return True


def pzbs(game: Game) -> list[list[int]]:
    """Return hundredths of a point for each place of a tournament in Poland, in which nobody is tied."""
    (scores,), declared = game.lines, dict(game.declared)
    every = [each for held in game.held for each in held]
    players = len(scores) * {"pairs": 2, "individual": 1, "swiss": 4}[game.kind]
    exact = sum(every) / len(every) * Fraction(declared["weight"]) + Fraction(players, 20)
    first, least = max(ceil(exact), ceil(Fraction(declared["least_award"]))), 1
    if game.rating == "pkl-realbridge":
        first, least = ceil(first * min(Fraction(1), Fraction(game.boards, 27))), 0
    paid = []
    for score in scores:
        above = Fraction(sum(other > score for other in scores), len(scores))
        if above <= Fraction(2, 100):
            share = 1 - above * 5
        elif above <= Fraction(1, 5):
            share = Fraction(9, 10) - (above - Fraction(2, 100)) * Fraction(70, 18)
        else:
            share = max(Fraction(0), (Fraction(1, 2) - above) * Fraction(2, 3))
        enough = game.rating == "pkl" or game.boards >= 20
        paid.append(100 * max(ceil(first * share), least) if enough else 0)
    return [paid]


FACTORS = {"drive-v": 10, "drive-vi": 10, "drive-iv": 12, "drive-iii": 14, "drive-ii": 16, "drive-i": 20}
"""Tenths that the first award of a drive is multiplied by."""

LATER = {18: 19, 21: 18, 25: 17, 29: 16, 33: 15, 37: 14, 41: 13, 45: 12, 49: 11, 53: 10, 57: 9, 61: 8, 66: 7, 71: 6}
LATER |= {76: 5, 81: 4, 86: 3, 91: 2, 96: 1}
"""Percent of the first award that places of a drive get, from the 18th."""


def vbl(game: Game) -> list[list[int]]:
    """Return hundredths for each series of a game in Flanders, in which nobody is tied for places that differ."""
    entered, series = sum(map(len, game.lines)), len(game.lines)
    club = {**dict(enumerate((100, 75, 50, 40, 35, 30, 25, 20, 15, 10), 1)), **{n: 20 - n for n in range(11, 20)}}
    drive = {**{n: 105 - 5 * n for n in range(1, 18)}, **LATER}
    percents = club
    if game.kind == "individual":
        first, paid = Fraction(8 * (entered // 4)), 4 * (entered // 4) // 3
    elif game.rating == "clubtornooi":
        first, paid = Fraction(4 * entered, series), entered // (3 * series)
    else:
        first, paid = Fraction(entered * FACTORS[game.rating], series), entered // (3 * series)
        first = min(first, Fraction(1000)) if game.rating == "drive-vi" else first
        percents = drive
    awards = []
    for scores in game.lines:
        places = [1 + sum(other > score for other in scores) for score in scores]
        percent = {place: percents[max(each for each in percents if each <= place)] for place in places}
        awards.append([half_up(first * percent[place] / 100) if place <= paid else 1 for place in places])
    return awards
