"""The made-up game files: club games and a unit's final of 2017, each award worked by hand.

First awards of qualifying games are R 9 x M x P x T x B, with B a sixtieth for each table and ten more; half of that,
B by the contestants in direct comparison, in a section (ACBL MPBOOK, "General Formula"; M x P x T as the program keeps
it: 1.25 open, .875 up to 2500, .625 up to 500, .53125 up to 200, .5 up to 100). Overall 2, 3, 4, 5 and 6 places pay
from 3, 4, 5, 7 and 10 tables on; of a section 40 percent. Regular games pay a rate for each contestant: .10 open, .08
above 200, .07 above 100, .06 above 20, .05 above 10.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from made.acblscore import Event, StoredStratum, build
from made.awards import overall, section
from made.game import OPEN, Game, Layout, Stratum
from made.play import EAST_WEST, NORTH_SOUTH, Pair, Ruling

Events = tuple[Event, ...]
"""The games of one file."""

CLUB = "Invented Bridge Club"
REGULAR, NAP_CLUB, NAP_UNIT = 1, 20, 21
"""The program's codes of a plain club game and of those that qualify for the North American Pairs."""

AT_CLUBS, AT_UNITS = ("red", "black"), ("gold", "red")

MPT = {OPEN: 12500, 2500: 8750, 500: 6250, 200: 5313, 100: 5000}
"""M x P x T in ten-thousandths, by upper limit."""


def _special(*limits: int) -> tuple[StoredStratum, ...]:
    return tuple(StoredStratum(MPT[limit]) for limit in limits)


def _regular(*percents: int) -> tuple[StoredStratum, ...]:
    """Return what is stored of strata that pay a percentage of the open rate; up to 20 the caps are lower."""
    return tuple(
        StoredStratum(100 * percent, percent, *((167, 100) if percent <= 50 else (200, 120))) for percent in percents
    )


def qualifier() -> Events:
    """A qualifying game at a club: 8 tables, 16 pairs, of which 10 are in B or C and 6 in C."""
    game = Game(
        "Open Pairs",
        CLUB,
        date(2017, 8, 14),
        "Monday Aft",
        (Stratum("A", OPEN, 50), Stratum("B", 2500, 50), Stratum("C", 500, 50)),
        (Layout("A", "ABACABCC", "CABBACAC", rounds=8),),
        seed="qualifier",
        first=100,
        colours=AT_CLUBS,
        unknown=frozenset({104, 121}),
        ladders={
            "OA": overall(16, "3.38", 5),  # 8 tables: 9 x 1.25 x 18/60 = 3.375
            "OB": overall(10, "1.97", 4),  # 5 tables: 9 x .875 x 15/60 = 1.96875
            "OC": overall(6, "1.22", 2),  # 3 tables: 9 x .625 x 13/60 = 1.21875
            "SA": section(8, "1.69", 3),  # 4.5 x 1.25 x 18/60 = 1.6875
            "SB": section(5, "0.98", 2),  # 4.5 x .875 x 15/60 = .984375
            "SC": section(3, "0.61", 1),  # 4.5 x .625 x 13/60 = .609375
        },
    ).played()
    return (Event(game, NAP_CLUB, _special(OPEN, 2500, 500)),)


def howell() -> Events:
    """A game for players below 300: nine pairs, the tenth of its Howell missing."""
    game = Game(
        "299er Pairs",
        CLUB,
        date(2017, 8, 15),
        "Tuesday Eve",
        (Stratum("A", 300), Stratum("B", 100), Stratum("C", 20)),
        (Layout("A", "ABA-CABCAC", rounds=9),),
        seed="howell",
        first=200,
        ladders={
            "SA": section(9, "0.72", 4),  # .08 x 9
            "SB": section(5, "0.30", 2),  # .06 x 5
            "SC": section(3, "0.15", 1),  # .05 x 3
        },
    ).played()
    return (Event(game, REGULAR, _regular(80, 60, 50), by_average=True),)


def two_games() -> Events:
    """Two games of one evening: a qualifying one up to 500 in two sections, and a small one up to 50.

    Of the first's 21 pairs two hold too much to be ranked; of the 19 others 11 are in D or E and 5 in E.
    """
    first = Game(
        "Limited Pairs",
        CLUB,
        date(2017, 7, 26),
        "Wednesday Eve",
        (Stratum("C", 500, 50), Stratum("D", 200), Stratum("E", 100)),
        (
            Layout("A", "CDECcD", "DCECDC", rounds=6, boards_a_round=4),
            Layout("B", "CEDC-", "DCdEE", rounds=5, boards_a_round=5),
        ),
        seed="two games",
        first=300,
        colours=AT_CLUBS,
        unknown=frozenset({307}),
        ladders={
            "OC": overall(19, "1.88", 6),  # 10 tables: 9 x .625 x 20/60 = 1.875
            "OD": overall(11, "1.28", 4),  # 6 tables: 9 x .53125 x 16/60 = 1.275
            "OE": overall(5, "0.98", 2),  # 3 tables: 9 x .5 x 13/60 = .975
            "SC A N-S": section(5, "0.75", 2),  # 6 tables: 4.5 x .625 x 16/60 = .75; 5 of 6 are ranked
            "SC A E-W": section(6, "0.75", 2),
            "SC B": section(4, "0.70", 2),  # 5 tables: 4.5 x .625 x 15/60 = .703125; 4 of each side are ranked
            "SD A": section(3, "0.52", 1),  # 4.5 x .53125 x 13/60 = .51797
            "SD B N-S": section(2, "0.48", 1),  # 4.5 x .53125 x 12/60 = .478125
            "SD B E-W": section(3, "0.52", 1),
            "SE A": section(1, "0.41", 0),
            "SE B N-S": section(1, "0.41", 0),
            "SE B E-W": section(2, "0.45", 1),  # 4.5 x .5 x 12/60
        },
    ).played()
    second = Game(
        "49er Pairs",
        CLUB,
        date(2017, 7, 26),
        "Wednesday Eve",
        (Stratum("A", 50), Stratum("B", 20)),
        (Layout("F", "ABB-ABAB", rounds=7, boards_a_round=3),),
        seed="49ers",
        first=350,
        ladders={
            "SA": section(7, "0.42", 3),  # .06 x 7
            "SB": section(4, "0.20", 2),  # .05 x 4
        },
    ).played()
    return Event(first, NAP_CLUB, _special(500, 200, 100)), Event(second, REGULAR, _regular(60, 50))


def credited() -> Events:
    """A qualifying game of ten tables that is credited with the four of a limited one beside it."""
    day, session = date(2017, 7, 28), "Friday Aft"
    top = Game(
        "Open Pairs",
        CLUB,
        day,
        session,
        (Stratum("A", OPEN, 50), Stratum("B", 2500, 50)),
        (Layout("A", "ABAABABAAB", "BABAABAABA", rounds=10, boards_a_round=2),),
        seed="credited",
        first=400,
        colours=AT_CLUBS,
        ladders={
            "OA": overall(20, "4.50", 6),  # 10 + 4 tables: 9 x 1.25 x 24/60
            "OB": overall(8, "1.84", 3),  # 4 tables: 9 x .875 x 14/60 = 1.8375
            "SA": section(10, "1.88", 4),  # 4.5 x 1.25 x 20/60 = 1.875
            "SB": section(4, "0.92", 2),  # 4.5 x .875 x 14/60 = .91875
        },
    ).played()
    limited = Game(
        "499er Pairs",
        CLUB,
        day,
        session,
        (Stratum("C", 500, 50),),
        (Layout("Y", "CCCC", "CCCC", rounds=4, boards_a_round=5),),
        seed="499ers",
        first=450,
        colours=AT_CLUBS,
        ladders={
            "OC": overall(8, "1.31", 3),  # 4 tables: 9 x .625 x 14/60 = 1.3125
            "SC": section(4, "0.66", 2),  # half of it: .65625
        },
    ).played()
    return Event(top, NAP_CLUB, _special(OPEN, 2500), credited=8), Event(limited, NAP_CLUB, _special(500))


def regular() -> Events:
    """A limited game of six tables, and an open one of five that is credited with them."""
    day, session = date(2017, 8, 8), "Tuesday Aft"
    limited = Game(
        "299er Pairs",
        CLUB,
        day,
        session,
        (Stratum("A", 300), Stratum("B", 100), Stratum("C", 20)),
        (Layout("B", "ABCABC", "BACBCA", rounds=6),),
        seed="299ers",
        first=500,
        ladders={
            "SA": section(6, "0.48", 2),  # .08 x 6
            "SB": section(4, "0.24", 2),  # .06 x 4; in C are four of the game, two of each side: too few
        },
    ).played()
    top = Game(
        "Open Pairs",
        CLUB,
        day,
        session,
        (Stratum("A", OPEN), Stratum("B", 2000)),
        (Layout("A", "ABBAB", "BABBA", rounds=5, boards_a_round=5),),
        seed="open",
        first=530,
        ladders={
            "SA": section(5, "1.10", 2),  # .10 x (5 + 6), places of 5
            "SB": section(3, "0.24", 1),  # .08 x 3
        },
    ).played()
    return Event(limited, REGULAR, _regular(80, 60, 50)), Event(top, REGULAR, _regular(100, 80), credited=12)


def sections() -> Events:
    """A qualifying game up to 2500: sections A and B are scored and ranked as one, C of four and a half tables is not.

    On board 7 of C one result is missing, and N-S 2 of A lost two matchpoints to the director. Of 29 pairs 20 are in C
    or D, and 10 in D.
    """
    game = Game(
        "Thursday Pairs",
        CLUB,
        date(2017, 7, 27),
        "Thursday Morn",
        (Stratum("B", 2500, 50), Stratum("C", 500, 50), Stratum("D", 200)),
        (
            Layout("A", "BCBDC", "CDBDC", rounds=5, boards_a_round=5),
            Layout("B", "DBCBD", "CBCDC", rounds=5, boards_a_round=5, scored_with="A", ranked_with="A"),
            Layout("C", "BDCBD", "CBDD-", rounds=5, boards_a_round=5),
        ),
        seed="sections",
        first=600,
        colours=AT_CLUBS,
        rulings=(Ruling("C", 7, 2, unplayed=True),),
        penalties={("A", NORTH_SOUTH, 2): -200},
        ladders={
            "OB": overall(29, "3.28", 6),  # 15 tables: 9 x .875 x 25/60 = 3.28125
            "OC": overall(20, "1.88", 6),  # 10 tables: 9 x .625 x 20/60 = 1.875
            "OD": overall(10, "1.20", 4),  # 5 tables: 9 x .53125 x 15/60 = 1.1953
            "SB A": section(10, "1.31", 4),  # 4.5 x .875 x 20/60 = 1.3125
            "SB C N-S": section(5, "0.98", 2),  # 4.5 x .875 x 15/60 = .984375
            "SB C E-W": section(4, "0.98", 2),  # of five, one of them missing
            "SC A N-S": section(6, "0.75", 2),  # 4.5 x .625 x 16/60
            "SC A E-W": section(8, "0.84", 3),  # 4.5 x .625 x 18/60 = .84375
            "SC C": section(3, "0.61", 1),  # 4.5 x .625 x 13/60 = .609375
            "SD A": section(3, "0.52", 1),  # 4.5 x .53125 x 13/60 = .51797
            "SD C": section(2, "0.48", 1),  # 4.5 x .53125 x 12/60 = .478125
        },
    ).played()
    return (Event(game, NAP_CLUB, _special(2500, 500, 200)),)


def _changing_sides(game: Game) -> list[Pair]:
    """Return the pairs of a session as they sit in the next: the sides change, but for who sat alone."""
    other = {NORTH_SOUTH: EAST_WEST, EAST_WEST: NORTH_SOUTH}
    alone = len(game.layouts[0].ns)
    again = [
        replace(
            pair,
            direction=pair.direction if pair.number == alone else other[pair.direction],
            carryover=pair.score,
            earlier=pair.session,
        )
        for pair in game.pairs
    ]
    return sorted(again, key=lambda pair: (pair.direction != NORTH_SOUTH, pair.number))


def final() -> tuple[Events, Events]:
    """A unit's final up to 2500: nine pairs in two sessions, who change sides; some boards of the first were adjusted.

    A session's first award is 4.5 x .875 x 15/60 = .984375; over both, S 1.5 for two sessions, 9 x 1.5 x .875 x 15/60 =
    2.953125. A tenth of overall awards and of first ones in a session is gold, the rest red.
    """
    day = date(2017, 10, 15)
    strata = (Stratum("B", 2500, 10),)
    of_session = {"SB N-S": section(5, "0.98", 2), "SB E-W": section(4, "0.98", 2)}
    first = Game(
        "Flight B Final",
        "Invented Unit",
        day,
        "Sunday Morn",
        strata,
        (Layout("B", "BBBBB", "BBBB-", rounds=5, boards_a_round=5),),
        seed="final, morning",
        first=700,
        colours=AT_UNITS,
        tops_only=True,
        rulings=(Ruling("B", 3, 2, ns_given=60), Ruling("B", 4, 2, ew_given=60), Ruling("B", 12, 3, 50, 50)),
        ladders=of_session,
    ).played()
    morning = (Event(first, NAP_UNIT, _special(2500), session=1, sessions=2),)
    second = Game(
        "Flight B Final",
        "Invented Unit",
        day,
        "Sunday Aft",
        strata,
        first.layouts,
        seed="final, afternoon 3",
        first=700,
        colours=AT_UNITS,
        tops_only=True,
        ladders={**of_session, "OB": overall(9, "2.95", 4)},
    )
    second.pairs = _changing_sides(first)
    return morning, (Event(second.played(), NAP_UNIT, _special(2500), session=2, sessions=2),)


def events() -> dict[str, Events]:
    """Return the games of each file by its name."""
    morning, afternoon = final()
    return {
        "made-qualifier.ACA": qualifier(),
        "made-howell.ACM": howell(),
        "made-two-games.ACM": two_games(),
        "made-credited.ACA": credited(),
        "made-regular.ACA": regular(),
        "made-sections.ACM": sections(),
        "event/made-final-1.ACM": morning,
        "event/made-final-2.ACA": afternoon,
    }


def files() -> dict[str, bytes]:
    """Return the game files by name."""
    return {name: build(*each) for name, each in events().items()}
