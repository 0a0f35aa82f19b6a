"""The reports that ACBLscore would print of made-up games, in its fixed columns, each award worked by hand.

Fund games of 2011 pay .10 for each contestant (or table, over all), limited strata .08 above 200, .06 up to 100 and .05
up to 20; so do the regular games of the time, in their sections alone.
"""

from __future__ import annotations

from datetime import date

from made.awards import listed, overall, section
from made.game import OPEN, Game, Layout, Stratum
from made.play import EAST_WEST, EITHER, NORTH_SOUTH, Pair

DIRECTIONS = {NORTH_SOUTH: "North-South", EAST_WEST: "East-West"}
EACH = 6
"""The width of a column of ranks."""


def report(game: Game, together: str = "", with_basis: bool = True, qualifying: bool = False) -> str:
    """Return the listings of a game.

    together: the sections that are listed as one. with_basis: whether overall awards are listed, and awards are said
    to be of the section or over all. qualifying: whether those who qualify are marked, in place of awards.
    """
    first = f"{game.name} {game.session} Session {game.day:%B} {game.day.day}, {game.day.year}"
    lines = []
    names = [together] if together else [layout.name for layout in game.layouts]
    for name in names:
        pairs = [pair for pair in game.pairs if pair.section in name.split()]
        rounds = max(layout.rounds for layout in game.layouts if layout.name in name.split())
        average = f"Average:{game.maximum / 2:7.1f}      " if game.maximum else "    "
        for direction in (NORTH_SOUTH, EAST_WEST, EITHER):
            listed_ = sorted((pair for pair in pairs if pair.direction == direction), key=_by_score)
            if listed_:
                where = f"Section  {name}  {DIRECTIONS.get(direction, '')}".rstrip()
                lines += ["", first, f"Scores after {rounds:2} rounds  {average}{where}"]
                lines += _listing(game, listed_, bool(together), with_basis, qualifying)
    return "\n".join(lines) + "\n"


def _by_score(pair: Pair) -> tuple[bool, int]:
    return not pair.eligible, -pair.score


def _listing(game: Game, pairs: list[Pair], together: bool, with_basis: bool, qualifying: bool) -> list[str]:
    letters = [stratum.letter for stratum in game.strata]
    shift, groups = 3 if together else 0, ["Section Rank", *(["Overall Rank"] if with_basis else [])]
    ranks = 25 + shift + 13 * qualifying
    head = [
        (shift - 1 if together else 0, "Pair"),
        (14 + shift, "Score"),
        *([(8 + shift, "Pct")] if game.maximum else []),
    ]
    below = []
    if qualifying:
        head.append((21, "Qualifiers"))
        below += [(22 + 4 * n, letter) for n, letter in enumerate(letters)]
    for group in groups:
        head.append((ranks, group))
        below += [(ranks + EACH * n, letter) for n, letter in enumerate(letters)]
        ranks += EACH * len(letters)
    head.append((ranks, "MPs     "))
    rows = [_row(game, pair, together, with_basis, qualifying) for pair in pairs]
    return [_at(head), _at(below) + "  ", *rows]


def _at(texts: list[tuple[int, str]]) -> str:
    """Return a line with texts at their columns."""
    line = ""
    for column, text in sorted(texts):
        line = line.ljust(column) + text
    return line


def _row(game: Game, pair: Pair, together: bool, with_basis: bool, qualifying: bool) -> str:
    letters = [stratum.letter for stratum in game.strata]
    row = f"  {pair.section}" if together else ""
    row += f"{pair.number:3}" + (f"{pair.percentage / 100:8.2f}" if game.maximum else " " * 8)
    row += f"{pair.score / 100:8.2f}  "
    if qualifying:
        marks = ["Q" if ("S", level) in pair.places else " " for level in range(len(letters))]
        row += f" {'   '.join(marks)}   "
    row += f"{letters[pair.level]}  "
    for basis in ("S", "O") if with_basis else ("S",):
        row += "".join(f"{_rank(pair, basis, level):<{EACH}}" for level in range(len(letters)))
    names = " - ".join(player.name for player in pair.players)
    if qualifying:
        return f"{row}{_qualified(pair, letters)}{names}"
    award = ""
    if pair.award:
        paid_by = pair.parts[-1][2]
        award = f"{pair.award / 100:.2f}({paid_by if with_basis else paid_by[1]})"
    return f"{row}{award:<9}{names}"


def _rank(pair: Pair, basis: str, level: int) -> str:
    """Return a place so that its first digit, or that of a tie its stroke, is below the letter."""
    if not pair.eligible:
        return "" if level else "NE"
    if (basis, level) not in pair.places:
        return ""
    place, tied = pair.places[basis, level]
    return f"{place}/{place + tied - 1}" if tied > 1 else f" {place}"


def _qualified(pair: Pair, letters: list[str]) -> str:
    """Return what is printed where there is no award."""
    for basis, word in (("O", "Overall"), ("S", "Section")):
        if (basis, pair.level) in pair.places:
            return f"{word} {letters[pair.level]} "
    return ""


def fund() -> str:
    """Two fund games of one evening: an open Howell, and a limited game of six tables that counts for it."""
    day, session = date(2011, 6, 13), "Monday Eve"
    top = Game(
        "MONDAY STRATIFIED PAIRS",
        "",
        day,
        session,
        (Stratum("A", OPEN), Stratum("B", 299), Stratum("C", 250)),
        (Layout("D", "ABCAABA-CB", rounds=9),),
        seed="fund",
        first=1000,
        ladders={
            # In the section .10 x (9 + 12), at most 1.50: then the less of the slower scale, 1.50 x .75, x .5625 and
            # x 4/9, and of 70, 50 and 35 percent of 2.10. Over all .10 x (5 + 6).
            "SA": listed(9, "1.50", "1.13", "0.84", "0.67"),
            "OA": overall(9, "1.10", 4),
            "SB": section(5, "0.40", 2),  # .08 x 5; the limited game goes to 300, and so counts for A alone
            "OB": overall(5, "0.24", 2),  # .08 x 3 tables
        },
    ).played()
    limited = Game(
        "MONDAY STRAT 299'ER PAIRS",
        "",
        day,
        session,
        (Stratum("A", 300), Stratum("B", 100), Stratum("C", 20)),
        (Layout("E", "ABCaCC", "BACABC", rounds=6, boards_a_round=4),),
        seed="fund, limited",
        first=1050,
        ladders={
            "SA N-S": section(5, "0.48", 2),  # .08 x 6 tables; one pair of N-S is not ranked
            "SA E-W": section(6, "0.48", 2),
            "OA": overall(11, "0.48", 4),  # .08 x 6
            "SB": section(4, "0.24", 2),  # .06 x 4
            "OB": overall(8, "0.24", 3),  # .06 x 4 tables
            "SC N-S": section(3, "0.15", 1),  # .05 x 3
            "SC E-W": section(2, "0.10", 1),
            "OC": overall(5, "0.15", 2),  # .05 x 3 tables
        },
    ).played()
    return report(top) + report(limited)


def imps() -> str:
    """An open game in IMPs: two pairs N-S are level, and some have lost more than they won."""
    game = Game(
        "Friday Open Pairs",
        "",
        date(2012, 7, 13),
        "Friday Aft",
        (Stratum("A", OPEN), Stratum("B", 1000), Stratum("C", 200)),
        (Layout("A", "ACABBCA", "BACACBC", rounds=7),),
        seed="imps",
        first=1100,
        typed={
            "A N-S": (3157, -2014, 871, 3157, -986, 443, -4628),
            "A E-W": (1240, 2955, -1671, -843, 371, -3229, 1177),
        },
        ladders={
            "SA": section(7, "0.70", 3),  # .10 x 7
            "SB N-S": section(4, "0.32", 2),  # .08 x 4
            "SB E-W": section(5, "0.40", 2),  # .08 x 5
            "SC N-S": section(2, "0.14", 1),  # .07 x 2; five of the game are in C
            "SC E-W": section(3, "0.21", 1),  # .07 x 3
        },
    ).played()
    return report(game, with_basis=False)


def together() -> str:
    """A limited game whose sections E and F are listed and ranked as one; the program printed it twice."""
    game = Game(
        "MONDAY STRAT 299'ER PAIRS",
        "",
        date(2011, 10, 10),
        "Monday Eve",
        (Stratum("A", 300), Stratum("B", 100), Stratum("C", 20)),
        (
            Layout("E", "ABCB", "BCAC", rounds=4, boards_a_round=5),
            Layout("F", "AABC", "CAB-", rounds=4, boards_a_round=5, ranked_with="E"),
        ),
        seed="together",
        first=1150,
        ladders={
            "SA N-S": section(8, "0.64", 3),  # .08 x 8
            "SA E-W": section(7, "0.64", 3),  # of 8, one of them missing
            "SB": section(5, "0.30", 2),  # .06 x 5
            "SC N-S": section(2, "0.10", 1),  # .05 x 2; five of the game are in C
            "SC E-W": section(3, "0.15", 1),
        },
    ).played()
    return 2 * report(game, together="E F", with_basis=False)


def qualifying() -> str:
    """A game of a club that qualifies pairs: their places are printed, awards there are none yet."""
    game = Game(
        "MONDAY STRAT 299'ER PAIRS",
        "",
        date(2011, 8, 22),
        "Monday Eve",
        (Stratum("C", 300), Stratum("D", 100), Stratum("E", 20)),
        (Layout("F", "CEDCE", "DECEE", rounds=5, boards_a_round=5),),
        seed="qualifying",
        first=1200,
        # Nothing is paid but the number of places: 40 percent of a section, and over all those of the tables.
        ladders={
            "SC": section(5, "0.40", 2),
            "OC": overall(10, "0.40", 4),
            "SD N-S": section(3, "0.18", 1),
            "SD E-W": section(4, "0.24", 2),
            "OD": overall(7, "0.24", 3),
            "SE N-S": section(2, "0.10", 1),
            "SE E-W": section(3, "0.15", 1),
            "OE": overall(5, "0.15", 2),
        },
    ).played()
    return report(game, qualifying=True)


DECLARED = {
    "made-fund.toml": """\
# What the report does not print of its games.

[games.made-fund-1]
rating = "club-fund"
strata = "A=open, B=299, C=250"
concurrent_tables = "300=6"

[games.made-fund-2]
rating = "club-fund"
limit = 300
strata = "A=300, B=100, C=20"
""",
    "made-imps.toml": """\
# What the report does not print of its game.
rating = "club-open"
strata = "A=open, B=1000, C=200"
""",
    "made-together.toml": """\
# What the report does not print of its game.
rating = "club-restricted"
limit = 300
strata = "A=300, B=100, C=20"
""",
    "made-qualifying.toml": """\
# What the report does not print of its game. Q marks those who qualify, and there are no awards yet.
rating = "club-championship"
special = "nap-club"
limit = 300
strata = "C=300, D=100, E=20"
""",
}
"""The files beside the reports."""


def files() -> dict[str, bytes]:
    """Return the reports by name, and the files beside them."""
    texts = {
        "made-fund.txt": fund(),
        "made-imps.txt": imps(),
        "made-together.txt": together(),
        "made-qualifying.txt": qualifying(),
        **DECLARED,
    }
    return {name: text.encode("cp1252") for name, text in texts.items()}
