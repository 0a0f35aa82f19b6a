"""One game of pairs in every format that has results of boards: a Mitchell of seven tables, two boards a round."""

import json
from dataclasses import dataclass
from datetime import datetime

import made_bws

SESSION = "0" * 32
DENOMINATIONS = ("", "C", "D", "H", "S", "NT")


@dataclass(frozen=True)
class Played:
    """A result, its score to N-S worked out by hand."""

    round: int
    table: int
    board: int
    ns: int
    ew: int
    contract: str
    declarer: str
    tricks: int
    score: int


# The results of each board, one for each round; Law 77, N-S vulnerable on 2, 4, 5, 7, 10, 12, 13, E-W on 3, 4, 6, 7, 9,
# 10, 13.
_RESULTS = """\
4S N 10 420, 4S N 11 450, 3S N 9 140, 4S N 9 -50, 2S S 10 170
3NT S 9 600, 3NT S 10 630, 4H S 10 620, 3NT N 8 -100, 1NT N 9 150
2H E 8 -110, 3H W 8 100, 2S N 8 110, 4H E 10 -620, 1NT W 8 -120
4H W 10 -620, 4H W 9 100, 5H W 11 -650, 3H W 10 -170, 4S N 8 -200
1NT N 7 90, 2NT N 7 -100, 2D S 9 110, 3C E 8 50, 2C E 8 -90
4S S 10 420, 4SX S 10 590, 4S S 12 480, 6S S 11 -50, 3NT S 9 400
3NT N 9 600, 3NT S 11 660, 5D N 11 600, 2NT N 9 150, 3NT N 7 -200
2S E 8 -110, 3S E 8 50, 2S W 9 -140, 3D N 9 110, 1NT E 7 -90
4S E 10 -620, 4S W 11 -650, 4S E 9 100, 5C S 9 -100, 5CX S 9 -300
3NT W 9 -600, 3NT E 8 100, 3NT W 10 -630, 2H E 9 -140, 2S S 7 -100
5C N 11 400, 3NT N 8 -50, 3C N 10 130, 5C S 12 420, 4H E 9 50
4H S 10 620, 4H N 11 650, 3NT N 10 630, 4H S 9 -100, 2H S 11 200
6S N 12 1430, 4S N 12 680, 6S N 11 -100, 7S S 13 2210, 6NT N 12 1440
2H S 8 110, 3H S 9 140, 2H S 7 -50, 1S E 7 -80, 2S W 6 100
"""
BOARDS = {
    board: [(contract, by, int(tricks), int(score)) for contract, by, tricks, score in map(str.split, line.split(", "))]
    for board, line in enumerate(_RESULTS.splitlines(), 1)
}

PLAYED = [
    Played(round_ + 1, table, board, table, (table - round_ - 1) % 7 + 1, *BOARDS[board][round_])
    for round_ in range(5)
    for table in range(1, 8)
    for board in (2 * ((table + round_ - 1) % 7) + 1, 2 * ((table + round_ - 1) % 7) + 2)
]


def name(side: str, pair: int, seat: int) -> str:
    """Return what a player is called."""
    return f"{'Ann' if seat == 1 else 'Bob'} {side.title()}{'abcdefg'[pair - 1]}son"


def totals() -> dict[tuple[str, int], float]:
    """Return the matchpoints of each pair: one for each result that its own beats, a half for one as good."""
    found: dict[tuple[str, int], float] = {}
    for each in PLAYED:
        others = [other.score for other in PLAYED if other.board == each.board and other is not each]
        won = sum((each.score > other) + (each.score == other) / 2 for other in others)
        found["NS", each.ns] = found.get(("NS", each.ns), 0) + won
        found["EW", each.ew] = found.get(("EW", each.ew), 0) + len(others) - won
    return found


def percentage(score: float) -> float:
    """Return a total of ten boards with a top of four in percent, to two decimals."""
    return int(score * 25000 / 100 + 0.5) / 100


def bws(results: int = len(PLAYED)) -> bytes:
    """Return the game as the devices' database, with the movement and the first results."""
    section = {"ID": 1, "Letter": "A", "Tables": 7, "MissingPair": 0, "ScoringType": 1, "Winners": 2}
    received = []
    for n, each in enumerate(PLAYED[:results], 1):
        level, denomination = each.contract[0], each.contract[1:].rstrip("X")
        doubled = " x" * each.contract.endswith("X")
        over = each.tricks - int(level) - 6
        received.append(
            {
                **{"ID": n, "Section": 1, "Table": each.table, "Round": each.round, "Board": each.board},
                **{"PairNS": each.ns, "PairEW": each.ew, "NS/EW": each.declarer, "DateLog": datetime(2016, 5, 12)},
                **{"Contract": f"{level} {denomination}{doubled}", "Result": f"{over:+d}" if over else "="},
            }
        )
    seats = [
        {"Section": 1, "Table": pair, "Direction": seat, "Number": None, "Name": name(side, pair, number), "Round": 0}
        for side in ("NS", "EW")
        for pair in range(1, 8)
        for number, seat in enumerate(side, 1)
    ]
    rounds = [
        {"Section": 1, "Table": p.table, "Round": p.round, "NSPair": p.ns, "EWPair": p.ew}
        | {"LowBoard": p.board, "HighBoard": p.board + 1}
        for p in PLAYED
        if p.board % 2
    ]
    columns = {**made_bws.ROUNDS, "LowBoard": made_bws.SHORT, "HighBoard": made_bws.SHORT}
    tables = {"Section": (made_bws.SECTION, [section]), "ReceivedData": (made_bws.RECEIVED, received)}
    tables["RoundData"] = (columns, rounds)
    return made_bws.database({**tables, "PlayerNumbers": (made_bws.NUMBERS, seats)}, per_page=12)


def pbn() -> bytes:
    """Return the game as PBN, with totals: those alone that have the names."""
    lines = ['[Event "Made"]', '[Date "2016.05.12"]', '[TotalScoreTable "PairId;TotalScoreMP;MeanPercentage;Names"]']
    for (side, pair), score in totals().items():
        names = ";".join(name(side, pair, seat) for seat in (1, 2))
        lines.append(f'{pair}{side} {score} {percentage(score)} "{names}"')
    for board in BOARDS:
        lines += ['[Event "#"]', '[Date "#"]', f'[Board "{board}"]']
        lines.append('[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Score_EW"]')
        of_board = [each for each in PLAYED if each.board == board]
        lines += [f"{p.ns}NS {p.ew}EW {p.contract} {p.declarer} {p.tricks} {p.score} -" for p in of_board]
    return ("\n".join(lines) + "\n").encode()


def usebio() -> bytes:
    """Return the game as USEBIO."""
    pairs = "".join(
        f"<PAIR><PAIR_NUMBER>{pair}</PAIR_NUMBER><DIRECTION>{side}</DIRECTION><TOTAL_SCORE>{score}</TOTAL_SCORE>"
        f"<PERCENTAGE>{percentage(score)}</PERCENTAGE>"
        + "".join(f"<PLAYER><PLAYER_NAME>{name(side, pair, n)}</PLAYER_NAME></PLAYER>" for n in (1, 2))
        + "</PAIR>"
        for (side, pair), score in totals().items()
    )
    boards = "".join(
        f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>"
        + "".join(
            f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{p.ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{p.ew}</EW_PAIR_NUMBER>"
            f"<CONTRACT>{p.contract}</CONTRACT><PLAYED_BY>{p.declarer}</PLAYED_BY><TRICKS>{p.tricks}</TRICKS>"
            f"<SCORE>{p.score}</SCORE></TRAVELLER_LINE>"
            for p in PLAYED
            if p.board == board
        )
        + "</BOARD>"
        for board in BOARDS
    )
    return (
        '<?xml version="1.0"?><USEBIO Version="1.2"><EVENT EVENT_TYPE="PAIRS"><DATE>12/05/2016</DATE>'
        "<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD><WINNER_TYPE>2</WINNER_TYPE>"
        f'<SECTION SECTION_ID="A"><PARTICIPANTS>{pairs}</PARTICIPANTS>{boards}</SECTION></EVENT></USEBIO>'
    ).encode()


def site() -> bytes:
    """Return the game as the league's results site publishes it."""
    pairs = [
        {
            **{"pair_number": str(pair), "direction": side, "score": str(score), "percentage": str(percentage(score))},
            "players": [{"name": name(side, pair, seat)} for seat in (1, 2)],
        }
        for (side, pair), score in totals().items()
    ]
    boards = [
        {
            "board_number": board,
            "board_results": [
                {
                    **{"round_number": p.round, "table_number": p.table, "ns_pair": str(p.ns), "ew_pair": str(p.ew)},
                    **{"ns_score": str(p.score), "ew_score": str(-p.score), "tricks_taken": str(p.tricks)},
                    **{"contract": f"{p.contract[0]} {p.contract[1:].rstrip('X')} {'X' * p.contract.endswith('X')}"},
                    "declarer": p.declarer,
                }
                for p in PLAYED
                if p.board == board
            ],
        }
        for board in BOARDS
    ]
    section = {"name": "A", "boards_per_round": 2, "number_of_rounds": 5, "pair_summaries": pairs, "boards": boards}
    event = {"type": "PAIRS", "rating": 1, "start_date": "05/12/2016", "winner_type": 2, "strats": []}
    return json.dumps({**event, "sessions": [{"number": 1, "sections": [section]}]}).encode()


def results_txt() -> bytes:
    """Return the game as Jannersten's results.txt, without totals."""
    lines = ["[GAME]", "A;2;10;5;;;;;;2016-05-12;Made;;", "[Contestants]"]
    for side, pair in totals():
        lines += [f'A;{pair};{seat}; "{name(side, pair, n)}";;;;' for n, seat in enumerate(side, 1)]
    lines.append("[RESULTS]")
    for p in PLAYED:
        lines.append(
            f"#{p.board:02};A;{p.round};{p.ns};{p.ew};;;{p.score};{p.contract};{p.declarer};{p.tricks};" + ";" * 10
        )
    return ("\r\n".join(lines) + "\r\n").encode()


def connector() -> dict[str, object]:
    """Return the game as the devices' connector has it: the event, and the results beside it."""
    tables = [
        {
            "TableNumber": table,
            "Rounds": [
                {
                    "RoundNumber": round_,
                    "PairNS": p.ns,
                    "PairEW": p.ew,
                    "LowBoardNumber": p.board,
                    "HighBoardNumber": p.board + 1,
                }
                for round_ in range(1, 6)
                for p in PLAYED
                if (p.table, p.round, p.board % 2) == (table, round_, 1)
            ],
        }
        for table in range(1, 8)
    ]
    section = {"Letters": "A", "Winners": 2, "GameType": 10, "MissingPair": 0, "Tables": tables}
    group = {"ScoringGroupNumber": 1, "ScoringMethod": 10, "Sections": [section]}
    session = {"SessionGuid": SESSION, "Name": "Made", "Year": 2016, "Month": 5, "Day": 12, "ScoringGroups": [group]}
    players = [
        {"SectionLetters": "A", "TableNumber": pair, "Direction": "NESW".index(seat) + 1, "RoundNumber": 0}
        | dict(zip(("FirstName", "LastName"), name(side, pair, n).split(), strict=True))
        for side, pair in totals()
        for n, seat in enumerate(side, 1)
    ]
    results = [
        {
            **{"SessionGuid": SESSION, "SectionLetters": "A", "TableNumber": p.table, "RoundNumber": p.round},
            **{"BoardNumber": p.board, "ScoringDirection": 3, "PairNorthSouth": p.ns, "PairEastWest": p.ew},
            **{
                "DeclaringPair": p.ns if p.declarer in "NS" else p.ew,
                "DeclarerDirection": "NESW".index(p.declarer) + 1,
            },
            **{"Level": int(p.contract[0]), "Denomination": DENOMINATIONS.index(p.contract[1:].rstrip("X"))},
            **{"Stake": int(p.contract.endswith("X")), "TotalTricks": p.tricks, "LeadCardRank": 0, "LeadCardSuit": 0},
        }
        for p in PLAYED
    ]
    return {"EventGuid": SESSION, "Sessions": [session], "Participations": players, "Results": results}
