"""The columns of games, contestants, the results of boards, and deals: each is declared here, once.

Readers and writers of every format, the JSON Schema and the tables of the documents follow from the declaration of a
contestants' column: a new one needs no other place than :data:`CONTESTANT_COLUMNS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from resultproc.model.keys import KEYS
from resultproc.model.values import (
    AWARD_KIND,
    BY_DTYPE,
    DIRECTION,
    HOLDING,
    MATCHES_KIND,
    NAME,
    SEAT_NUMBER,
    SECTION_KIND,
    STRATUM,
    SWISS_MATCHES,
    TEXT,
    WINS,
    ValueKind,
    percent,
    points,
)


class Place(Enum):
    """Where listings and pages, which are made for people, show a column of the contestants.

    COLUMN: in a column of its own, where it holds anything.
    MEMBERS: for single players, in a listing's list of members.
    LISTED: as COLUMN in listings; pages and sheets have a place of their own for it.
    OWN: in a place that each format has for it, such as the names, or nowhere.
    """

    COLUMN = auto()
    LISTED = auto()
    MEMBERS = auto()
    OWN = auto()


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a frame.

    name: ``{n}`` stands for one per player, session or round.
    dtype: for pandas.
    meaning: in the words of the game, for documents.
    required: else it may be absent from a frame, and is then added, empty.
    unit: that its values are written in, empty for none.

    The others are for the readers and writers of contestants:

    kind: what its values are, where the dtype does not tell.
    heading: in a spreadsheet, else the name.
    short: in listings and pages, else the heading.
    on_page: in pages, else as ``short``.
    synonyms: what else a header may call it (letter case, blanks and underscores do not matter).
    per_stratum: how a column of ranks in one stratum is headed (its letter follows).
    together: how one column of all names is headed.
    second: how the column of the second player is headed, and how other columns of that player begin.
    beside_score: what else it may be called beside a score; where there is no score, the word means the score.
    json: where it is in a contestant of the JSON, else under its name; ``[]`` is one per number, ``-`` is nowhere.
    place, order: where listings and pages show it.
    on_phone: whether a page shows it on a phone.
    computed: what CSV calls it where it was computed, and not read.
    """

    name: str
    dtype: str
    meaning: str
    required: bool = False
    unit: str = ""
    kind: ValueKind = TEXT
    heading: str = ""
    short: str = ""
    on_page: str = ""
    synonyms: tuple[str, ...] = ()
    per_stratum: str = ""
    together: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    beside_score: tuple[str, ...] = ()
    json: str = ""
    place: Place = Place.COLUMN
    order: int = 50
    on_phone: bool = False
    computed: str = ""

    def __post_init__(self) -> None:
        """Fill in what was left to follow from the rest."""
        heading = self.heading or self.family.replace("_", " ").capitalize()
        short = self.short or heading
        filled = {
            "kind": BY_DTYPE.get(self.dtype, TEXT) if self.kind is TEXT else self.kind,
            "heading": heading,
            "short": short,
            "on_page": self.on_page or short,
            "json": self.json or (f"{self.family}s[]" if self.numbered else self.name),
        }
        for name, value in filled.items():
            object.__setattr__(self, name, value)

    @property
    def numbered(self) -> bool:
        """Whether the name stands for a family: player1, player2, ..."""
        return "{n}" in self.name

    @property
    def family(self) -> str:
        """The name without its number."""
        return self.name.replace("{n}", "")

    @property
    def of_players(self) -> bool:
        """Whether each player has one."""
        return self.json.startswith("players[]")

    @property
    def described(self) -> str:
        """The meaning with the unit."""
        return f"{self.meaning}, in {self.unit}" if self.unit else self.meaning

    def matches(self, name: str) -> bool:
        """Say whether ``name`` is this column or one of its family."""
        if not self.numbered:
            return name == self.name
        return name.startswith(self.family) and _NUMBER.fullmatch(name, len(self.family)) is not None

    def of(self, number: int) -> str:
        """Return the name of the family's column with a number."""
        return f"{self.family}{number}"

    def words(self) -> tuple[str, ...]:
        """Return what a header may call it, without its number."""
        return (self.family, self.heading, *self.synonyms)


_NUMBER = re.compile("[1-9][0-9]?")
"""The number of a column in its family."""

GAME_COLUMNS = (
    Column("game_id", "str", "identifies the game in every frame", required=True),
    Column("source", "str", "the file it was read from"),
    *(Column(key.name, key.dtype, key.meaning) for key in KEYS.values()),
    Column("rulebook_named", "boolean", "whether the rulebook was named, and not chosen by rating and date"),
    Column("stored_rating_code", "Int64", "the scoring program's own code for the class of game"),
    Column("stored_award_revision", "Int64", "the revision of the award rules that the program applied"),
    Column("stored_percent_of_open", "str", "per stratum, its awards in percent of the open rate: A=100, B=80"),
    Column("stored_mpt", "str", "per stratum, the product of the factors M, P and T: A=1.25, B=0.8438"),
    Column("stored_colours", "str", "per basis and stratum, the colours in percent: OA=50 red + 50 black"),
    Column("stored_caps", "str", "per basis and stratum, the cap of the first award: OA=2.5, SA=1.5"),
    Column("stored_concurrent_tables", "str", "tables of other events played at once, by upper limit: 300=6"),
    Column("stored_ranked_with", "str", "per section, the first one of those ranked together: A=A, B=A, C=C"),
    Column("stored_scored_with", "str", "per section, the first one of those scored together: A=A, B=A, C=C"),
    Column("stored_scored_here", "str", "how its totals were scored here from its boards, such as matchpoints"),
    Column("stored_other_awards", "str", "what kind of points the printed awards are, where another body gives them"),
    Column("stored_elements", "str", "what else its file says of the event, such as a venue, by the file's own names"),
)
"""The game keys are in their one spelling (see :mod:`resultproc.model.keys`); ``limit`` is infinite for an open
event; ``rulebook_named`` says nothing before the rulebook is chosen. The ``stored_`` columns are what a scoring
program left in its file of how it computed the awards, and ``stored_scored_here`` how this one computed the totals;
empty where a format has no such thing."""

CONTESTANT_COLUMNS = (
    Column(
        "game_id",
        "str",
        "the game's id; a file with one game needs none",
        required=True,
        heading="Game",
        synonyms=("game",),
        json="-",
        place=Place.OWN,
    ),
    Column(
        "section",
        "str",
        "section, such as A",
        required=True,
        kind=SECTION_KIND,
        synonyms=("sec", "bracket"),
        place=Place.OWN,
    ),
    Column(
        "direction",
        "str",
        "N-S or E-W; empty in a one-winner section",
        kind=DIRECTION,
        synonyms=("dir", "ns/ew", "line", "side"),
        place=Place.OWN,
    ),
    Column(
        "number",
        "str",
        "the contestant's number in its section and direction",
        required=True,
        kind=SEAT_NUMBER,
        synonyms=("pair", "pair number", "pair no", "no", "nr", "#", "team", "team number", "team no", "seed"),
        place=Place.OWN,
    ),
    Column(
        "player{n}",
        "str",
        "the player's name",
        kind=NAME,
        synonyms=("name", "player name"),
        together=("name", "names", "player", "players", "player name", "player names", "pair names"),
        second=("partner",),
        json="players[].name",
        place=Place.OWN,
    ),
    Column(
        "id{n}",
        "str",
        "the player's member number, as written",
        heading="Member no",
        short="Member",
        synonyms=(
            *("member", "member number", "member #", "member id", "membership", "membership no", "membership number"),
            *("acbl", "acbl number", "acbl no", "acbl #", "acbl id", "ebu no", "ebu number", "abf no", "abf number"),
            *("nzb no", "cbai no"),
            *("number", "no", "#"),
        ),
        json="players[].id",
        place=Place.MEMBERS,
    ),
    Column(
        "home_club{n}",
        "str",
        "the number of the player's own club with its union",
        heading="Home club",
        short="Club",
        json="players[].home_club",
        place=Place.MEMBERS,
    ),
    Column(
        "mp{n}",
        "float64",
        "the player's holding",
        unit="masterpoints",
        kind=HOLDING,
        heading="Holding",
        synonyms=("mps", "masterpoints", "masterpoints held", "mps held", "mp held", "points held", "holdings"),
        json="players[].holding",
        place=Place.MEMBERS,
    ),
    Column(
        "played{n}",
        "float64",
        "for a team of five or six: the part of the event that the player played",
        unit="percent",
        kind=percent("part of the event"),
        synonyms=("participation",),
        json="players[].played",
        place=Place.MEMBERS,
    ),
    Column(
        "stratum",
        "str",
        "the lowest stratum it is eligible for, a letter",
        kind=STRATUM,
        short="Strat",
        synonyms=("strat", "strata", "flight", "flt"),
        place=Place.OWN,
        on_phone=True,
    ),
    Column("eligible", "bool", "no: listed, but not ranked and without awards", required=True, place=Place.OWN),
    Column(
        "score",
        "float64",
        "the score: matchpoints, IMPs or victory points; of several sessions, the total",
        synonyms=("matchpoints", "mps", "mp", "total", "total score", "session score", "raw score", "final score"),
        order=20,
    ),
    Column(
        "percentage",
        "float64",
        "the score, of the maximum",
        unit="percent, 0 to 100",
        kind=percent("percentage"),
        heading="Pct",
        synonyms=(
            "percent",
            "pct",
            "%",
            "perc",
            "score %",
            "score (%)",
            "% score",
            "%age",
            "percentage score",
            "session %",
            "mp%",
            "total %",
        ),
        order=10,
        on_phone=True,
    ),
    Column(
        "session{n}",
        "float64",
        "for an event of several sessions: the score of each",
        synonyms=("session score",),
        json="sessions[].score",
        order=60,
    ),
    Column(
        "percentage{n}",
        "float64",
        "for an event of several sessions: the score of each, of its maximum",
        unit="percent, 0 to 100",
        kind=percent("percentage"),
        heading="Session pct",
        short="Pct of",
        on_page="% of",
        synonyms=("session percentage", "pct"),
        json="sessions[].percentage",
        order=61,
    ),
    Column(
        "section{n}",
        "str",
        "the section of a later session, where it is another",
        kind=SECTION_KIND,
        synonyms=("sec",),
        json="sessions[].section",
        place=Place.OWN,
    ),
    Column(
        "direction{n}",
        "str",
        "the direction of a later session, where it is another",
        kind=DIRECTION,
        synonyms=("dir",),
        json="sessions[].direction",
        place=Place.OWN,
    ),
    Column(
        "carryover",
        "float64",
        "what the contestant brings into the total from before",
        short="Carry",
        synonyms=("carry over", "c/o"),
        order=40,
    ),
    Column(
        "earlier_award",
        "Int64",
        "of an event whose sheet begins with its second session: the award of the first",
        unit="masterpoints",
        kind=AWARD_KIND,
        json="earlier.award",
        order=43,
    ),
    Column(
        "earlier_stratum",
        "str",
        "the stratum that paid it, else the top one",
        kind=STRATUM,
        json="earlier.stratum",
        order=44,
    ),
    Column(
        "earlier_top",
        "Int64",
        "what of it was won at the top of a section",
        unit="masterpoints",
        kind=AWARD_KIND,
        json="earlier.top",
        order=45,
    ),
    Column(
        "adjustment",
        "float64",
        "what was added to the score besides what was earned at the table; below zero, a penalty",
        short="Adj",
        synonyms=("adj",),
        order=41,
    ),
    Column(
        "handicap",
        "float64",
        "the handicap added to the percentage",
        unit="percentage points",
        kind=points("handicap"),
        short="Hcp",
        synonyms=("hcp", "hcap"),
        order=30,
    ),
    Column(
        "wins",
        "float64",
        "for a Swiss team: the matches that it won; a tied one counts half",
        kind=WINS,
        on_page="Won",
        synonyms=("won", "matches won"),
        order=42,
        on_phone=True,
    ),
    Column(
        "round{n}",
        "str",
        "for a knockout: the matches of each round: W 5 (won against team 5), L 7, F 7 (forfeited), bye",
        kind=MATCHES_KIND,
        synonyms=("rd",),
        order=61,
    ),
    Column(
        "swiss{n}",
        "str",
        "for a Swiss team: the match of each round: 5 +12 14.25 (team 5, 12 IMPs, 14.25 victory points), bye 12",
        kind=SWISS_MATCHES,
        json="matches[]",
        place=Place.LISTED,
        order=61,
    ),
    Column(
        "playoff",
        "str",
        "for a knockout: the match for a further place, played after the team was out: W 3",
        kind=MATCHES_KIND,
        synonyms=("play-off", "play off"),
        order=62,
    ),
    Column(
        "printed_section",
        "str",
        "section ranks as the sheet prints them, per stratum: A=1/2, B=1",
        heading="Section rank",
        computed="section_ranks",
        synonyms=("section ranks",),
        per_stratum="Rank",
        json="printed.section",
        place=Place.OWN,
    ),
    Column(
        "printed_overall",
        "str",
        "overall ranks as printed, per stratum",
        heading="Overall rank",
        computed="overall_ranks",
        synonyms=("overall ranks",),
        per_stratum="Overall",
        json="printed.overall",
        place=Place.OWN,
    ),
    Column(
        "printed_award",
        "Int64",
        "the printed award",
        unit="masterpoints",
        kind=AWARD_KIND,
        heading="Masterpoints",
        computed="masterpoints",
        synonyms=("award", "awards", "masterpoints won", "mps won", "mp won", "mp award", "masterpoint award"),
        beside_score=("mps", "mp"),
        json="printed.award",
        place=Place.OWN,
    ),
    Column(
        "printed_share{n}",
        "Int64",
        "the player's printed award, where those of the team differ",
        unit="masterpoints",
        kind=AWARD_KIND,
        heading="Award",
        computed="award",
        short="MPs",
        json="players[].printed_award",
        place=Place.MEMBERS,
    ),
    Column(
        "printed_paid_by",
        "str",
        "the printed basis and stratum of the award: A, SB, OA",
        heading="Paid by",
        computed="paid_by",
        json="printed.paid_by",
        place=Place.OWN,
    ),
    Column(
        "printed_colours",
        "str",
        "the printed award by colour, in masterpoints: black=0.22, red=0.22; or alone: black, red",
        heading="Colours",
        computed="colours",
        synonyms=("colors",),
        json="printed.colours",
        place=Place.OWN,
    ),
    Column("where", "str", "the line or cell of the file that lists it", json="-", place=Place.OWN),
)

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
