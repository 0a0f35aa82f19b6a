"""The columns of the results of boards, and of deals: each is declared here, once."""

from __future__ import annotations

from resultproc.model.columns import Column

BOARD_COLUMNS = (
    Column("game_id", "str", "the game", required=True),
    Column("section", "str", "the section it was played in", required=True),
    Column("session", "int64", "which session of the event, from 1", required=True),
    Column("board", "int64", "the board's number", required=True),
    Column("ns", "str", "the contestant's number that sat N-S", required=True),
    Column("ew", "str", "the contestant's number that sat E-W", required=True),
    Column("score", "float64", "points to N-S, below zero to E-W; empty where the board was not played out"),
    Column("ns_adjusted", "float64", "an adjusted score: percent of the board's top to N-S, 60 for average plus"),
    Column("ew_adjusted", "float64", "the same to E-W"),
    Column("printed_ns", "float64", "what the sheet prints N-S got: matchpoints or IMPs"),
    Column("printed_ew", "float64", "what it prints E-W got"),
    Column("ew_score", "float64", "points to E-W, where a ruling gave them others than N-S's turned round"),
    Column("scored_with", "str", "where sections are scored together, the first of them; else empty"),
    Column("contract", "str", "the contract where the file has it: 4S, 3NTX, 2HXX; Pass where nobody bid"),
    Column("declarer", "str", "who declared: N, E, S or W"),
    Column("tricks", "Int64", "the tricks that declarer took"),
    Column("lead", "str", "the card that was led, its suit first: HA, CT"),
    Column("ns_partner", "str", "in an event of individuals the number of who sat S; who sat N is in ns"),
    Column("ew_partner", "str", "the same for W; who sat E is in ew"),
    Column("table", "Int64", "the table that it was played at, where the file has it"),
    Column("round", "Int64", "the round that it was played in"),
)

DEAL_COLUMNS = (
    Column("game_id", "str", "the game", required=True),
    Column("session", "int64", "which session of the event, from 1", required=True),
    Column("board", "int64", "the board's number", required=True),
    *(
        Column(seat, "str", f"{seat.capitalize()}'s cards, spades first: KJ.KJ87642.87.62", required=True)
        for seat in ("north", "east", "south", "west")
    ),
    Column(
        "makeable",
        "str",
        "the tricks that each seat can take, at NT, S, H, D, C: N 10 11 6 11 8; E 3 2 6 2 5; S ...; W ...",
    ),
    Column("par", "Int64", "what the best bidding and play of both sides gives N-S, below zero E-W"),
)
