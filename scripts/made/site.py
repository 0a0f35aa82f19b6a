"""The JSON that the league's results site would give for made-up games, and the same games as a director types them.

They are of 2026. A regular open game pays .10 for each contestant and limited strata their rates; a charity game that
is played everywhere pays by the General Formula, R 9 and T 1.25.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from made.awards import overall, section
from made.game import OPEN, Game, Layout, Stratum
from made.play import EAST_WEST, NORTH_SOUTH, Pair, Result

REGULAR, CHARITY = 1, 24
"""The site's rating codes, which are those of the program."""

DIRECTIONS = {NORTH_SOUTH: "NS", EAST_WEST: "EW"}
BASES = {"S": "Section", "O": "Event"}
AWARDS = {"S": "Session", "O": "Event"}


@dataclass(frozen=True)
class Published:
    """A game, what the site gives of it besides, and the keys that a director declares of it."""

    game: Game
    number: int
    rating: int
    keys: Mapping[str, str]


def event(published: Published) -> dict[str, object]:
    """Return a game as the site gives it."""
    game = published.game
    day = f"{game.day:%m/%d/%Y}"
    return {
        "id": published.number,
        "name": game.name,
        "organization": "ACBL",
        "club_name": game.club,
        "type": "PAIRS",
        "rating": published.rating,
        "number_of_sessions": 1,
        "start_date": day,
        "end_date": day,
        "board_scoring_method": "MATCH_POINTS",
        "stratification_type": "AVERAGE",
        "winner_type": 1 if game.layouts[0].howell else 2,
        "club_session": game.session,
        "strats": [
            {"number": n, "label": stratum.letter, "limit": stratum.limit} for n, stratum in enumerate(game.strata, 1)
        ],
        "sessions": [{"number": 1, "sections": [_section(game, layout) for layout in game.layouts]}],
    }


def _section(game: Game, layout: Layout) -> dict[str, object]:
    pairs = sorted((pair for pair in game.pairs if pair.section == layout.name), key=lambda pair: -pair.score)
    by_board: dict[int, list[Result]] = {}
    for result in game.results[layout.name]:
        by_board.setdefault(result.board, []).append(result)
    return {
        "name": layout.name,
        "boards_per_round": layout.boards_a_round,
        "number_of_rounds": layout.rounds,
        "pair_summaries": [_pair(game, pair) for pair in pairs],
        "boards": [
            {"board_number": board, "board_results": [_result(each) for each in results]}
            for board, results in sorted(by_board.items())
        ],
    }


def _pair(game: Game, pair: Pair) -> dict[str, object]:
    return {
        "pair_number": str(pair.number),
        "direction": DIRECTIONS.get(pair.direction),
        "strat": str(pair.level + 1),
        "boards_played": pair.boards,
        "score": f"{pair.score / 100:.2f}",
        "percentage": f"{pair.percentage / 100:.2f}",
        "adjustment": None,
        "handicap": None,
        "is_eligible": int(pair.eligible),
        "strat_place": [
            {
                "strat_number": level + 1,
                "rank": f"{place}/{place + tied - 1}" if tied > 1 else str(place),
                "type": BASES[basis],
            }
            for (basis, level), (place, tied) in sorted(pair.places.items(), reverse=True)
        ],
        "players": [
            {
                "id_number": player.member,
                "name": player.name,
                "mp_total": None if player.holding is None else f"{player.holding}.00",
                "awards_score": list(_awards(pair)),
            }
            for player in pair.players
        ],
    }


def _awards(pair: Pair) -> Iterator[dict[str, object]]:
    for hundredths, colour, paid_by in pair.parts:
        amount = f"{hundredths / 100:.2f}"
        pigment = [{"amount": amount, "color": colour.title()}]
        yield {"total": amount, "type": AWARDS[paid_by[0]], "pigment": pigment}


def _result(result: Result) -> dict[str, object]:
    assert result.score is not None
    return {
        "round_number": result.round,
        "table_number": result.table,
        "ns_pair": str(result.ns.number),
        "ew_pair": str(result.ew.number),
        "ns_score": str(result.score),
        "ew_score": str(-result.score),
        "ns_match_points": f"{result.points[NORTH_SOUTH] / 100:.2f}",
        "ew_match_points": f"{result.points[EAST_WEST] / 100:.2f}",
    }


def typed(published: Published) -> str:
    """Return a game as a director types it: strata where holdings do not tell them, and no ranks or awards."""
    game = published.game
    lines = [f"# {key}: {value}" for key, value in published.keys.items()]
    lines.append("section,direction,number,player1,id1,mp1,player2,id2,mp2,stratum,score,percentage")
    for pair in sorted(game.pairs, key=lambda pair: (pair.direction != NORTH_SOUTH, -pair.score)):
        players = [text for player in pair.players for text in (player.name, player.member, _holding(player.holding))]
        known = all(player.holding is not None for player in pair.players)
        stratum = "" if known else game.strata[pair.level].letter
        score, percentage = f"{pair.score / 100:.2f}", f"{pair.percentage / 100:.2f}"
        cells = [pair.section, pair.direction, str(pair.number), *players, stratum, score, percentage]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def _holding(holding: int | None) -> str:
    return "" if holding is None else str(holding)


def wednesday() -> Published:
    """An open Howell of 11 pairs, nine rounds of eleven; C has two pairs, too few to be ranked."""
    game = Game(
        "Wednesday Pairs",
        "Invented Bridge Club",
        date(2026, 4, 15),
        "Wednesday Afternoon",
        (Stratum("A", OPEN), Stratum("B", 200), Stratum("C", 50)),
        (Layout("A", "ABAAABC-BACB", rounds=9, boards_a_round=2),),
        seed="wednesday 503",
        first=2000,
        unknown=frozenset({2005, 2018}),
        ladders={
            "SA": section(11, "1.10", 4),  # .10 x 11
            "SB": section(6, "0.42", 2),  # .07 x 6
        },
    ).played()
    keys = {
        "event": game.name,
        "club": game.club,
        "date": "2026-04-15",
        "session": game.session,
        "rating": "club-open",
        "movement": "howell",
        "tables": "5.5",
        "boards": "18",
        "strata": "A=open, B=200, C=50",
        "stratify_by": "average",
    }
    return Published(game, 2026041500, REGULAR, keys)


def charity() -> Published:
    """A charity game of twelve and a half tables: 25 pairs, of which 18 are in B or C and 8 in C."""
    game = Game(
        "Monday Charity Pairs",
        "Invented Bridge Club",
        date(2026, 4, 20),
        "Monday Morning",
        (Stratum("A", OPEN), Stratum("B", 1250), Stratum("C", 500)),
        (Layout("A", "ABCBABCABCBAC", "BACBCABBCABC-", rounds=13, boards_a_round=2),),
        seed="charity",
        first=2100,
        unknown=frozenset({2105, 2134}),
        ladders={
            # First awards of 13, 9 and 4 tables: 9 x 1.25 x M x B, with M 1, .575 (to 1250) and .50 (to 500), and B a
            # sixtieth for each table and ten more: 4.3125, 2.0484 and 1.3125; half of them in a section.
            "OA": overall(25, "4.31", 6),
            "OB": overall(18, "2.05", 5),
            "OC": overall(8, "1.31", 3),
            "SA N-S": section(13, "2.16", 5),
            "SA E-W": section(12, "2.16", 5),  # of 13, one of them missing
            "SB": section(9, "1.02", 4),
            "SC": section(4, "0.66", 2),
        },
    ).played()
    keys = {
        "event": game.name,
        "club": game.club,
        "date": "2026-04-20",
        "session": game.session,
        "rating": "club-fund",
        "special": "acbl-wide-charity",
        "tables": "12.5",
        "boards": "26",
        "strata": "A=open, B=1250, C=500",
        "stratify_by": "average",
    }
    return Published(game, 2026042000, CHARITY, keys)


def files() -> dict[str, bytes]:
    """Return the games of the site by name, and as they are typed."""
    found = {}
    for name, published in {"made-wednesday": wednesday(), "made-charity": charity()}.items():
        found[f"{name}.json"] = (json.dumps(event(published), indent=1, ensure_ascii=False) + "\n").encode()
        found[f"{name}.csv"] = typed(published).encode()
    return found
