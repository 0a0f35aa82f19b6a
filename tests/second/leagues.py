"""Awards of leagues that pay the places of one field: one game at a time, in fractions, by nothing but the rules."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, floor


@dataclass(frozen=True)
class Game:
    """A game of one session. lines: the scores of each field, one list or those of N-S and E-W.

    tables: half ones as they are. declared: what else is declared of it.
    """

    rating: str
    kind: str
    tables: Fraction
    lines: tuple[tuple[int, ...], ...]
    boards: int = 24
    scoring: str = "matchpoints"
    declared: tuple[tuple[str, str], ...] = ()

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
