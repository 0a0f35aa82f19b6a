"""What every command but award, convert and batch prints as JSON: its types, of which the schema is made.

``scripts/make-docs`` makes it, ``reports.schema.json`` beside this module, for other programs. ``Annotated`` says
what a value means, :class:`Is` what else its schema asks of it, :class:`As` how it is written, and a type among these
what entries are that come from frames. :func:`entry` makes the JSON of them.
"""

import re
import typing
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

import pandas as pd

from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem, quoted
from resultproc.model.game import number_text
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import SCHEMA_VERSION, Provenance


class Is:
    """What the schema of a value asks besides its type, by the words of JSON Schema."""

    def __init__(self, **rules: Any) -> None:
        """Keep the rules."""
        self.rules = rules


class As(Is):
    """How a value is written which is no text yet, and is not written as it is."""

    def __init__(self, write: Callable[[Any], Any]) -> None:
        """Keep what writes it."""
        super().__init__()
        self.write = write


_Entry = TypeVar("_Entry")


def entry(kind: type[_Entry], of: Any, /, **given: Any) -> _Entry:
    """Return an object of JSON as its type declares it, each value that is not given that of its name.

    of: a row of a frame, or an object with such attributes. What is empty is null where the type says so, and left out
    where it need not be there.
    """
    found: Any = {}
    for name, (write, needed) in _written(kind).items():  # type: ignore[arg-type]  # a class can be hashed
        value = given[name] if name in given else of.get(name) if isinstance(of, Mapping) else getattr(of, name)
        if needed or not _is_empty(value):
            found[name] = write(value)
    return found  # type: ignore[no-any-return]


@cache
def _written(kind: Any) -> dict[str, tuple[Callable[[Any], Any], bool]]:
    """Return by name what writes the values of an object, and whether each must be there."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {name: (_writer(hint), typing.get_origin(hint) is not NotRequired) for name, hint in hints.items()}


def _writer(kind: Any) -> Callable[[Any], Any]:
    """Return what writes a value of a type."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        for note in kind.__metadata__:
            if isinstance(note, As):
                return lambda value: value if _is_written(value) else note.write(value)
            if isinstance(note, type):
                return _writer(note)
        return _writer(kind.__origin__)
    if isinstance(kind, type) and issubclass(kind, dict | tuple) and origin is None:
        return partial(entry, kind)
    several = [_writer(part) for part in parts if part is not NoneType] if origin is not Literal else []
    if origin in {typing.Union, UnionType} and NoneType in parts:
        words = typing.get_args(parts[0])  # an empty text may be one of them
        return lambda value: None if _is_empty(value) and value not in words else several[0](value)
    if origin is list:
        return lambda values: [*map(several[0], row_dicts(values) if isinstance(values, pd.DataFrame) else values)]
    if origin is dict:
        return lambda values: {name: several[1](value) for name, value in values.items()}
    if origin is NotRequired:
        return several[0]
    return kind if kind in {int, float, bool} else lambda value: value


def _is_written(value: Any) -> bool:
    return isinstance(value, str | dict) or (isinstance(value, list) and all(isinstance(each, dict) for each in value))


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | float | date) and (value == "" or value != value))


SomeText = Annotated[str, Is(minLength=1)]
Natural = Annotated[int, Is(minimum=0)]
Ordinal = Annotated[int, Is(minimum=1)]
Percentage = Annotated[float, Is(minimum=0, maximum=100)]
Decimals = Annotated[str, Is(pattern="^[0-9]+(\\.[0-9]+)?$"), As(number_text)]
Limit = Annotated[str, Is(pattern="^(open|[0-9]+(\\.[0-9]+)?)$"), As(number_text)]
Day = Annotated[str, Is(format="date", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), As(lambda day: str(day)[:10])]
Moment = Annotated[
    str,
    Is(format="date-time", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$"),
]
Hundredths = Annotated[str, Is(pattern="^(0|[1-9][0-9]{0,8})\\.[0-9]{2}$"), "a number with two decimals"]
SignedHundredths = Annotated[str, Is(pattern="^-?(0|[1-9][0-9]{0,8})\\.[0-9]{2}$")]
BasisName = Annotated[SomeText, "what is compared: section, overall, session 1, ..., or a sum of several"]
PlaceText = Annotated[
    str, Is(pattern="^[1-9][0-9]*(/[1-9][0-9]*)?$"), "a place, or the places that a tie takes up: 2, 2/3"
]
SeatText = Annotated[SomeText, "how a contestant is called: A-NS-6, or A-6 where it has no direction"]
PrintedWhat = Annotated[str, Is(pattern="^(award|paid by|colours|(section|overall) rank)$")]


def of_results(path: str) -> Is:
    """Return what refers to a part of the schema of results."""
    return Is(**{"$ref": f"urn:resultproc:result:{SCHEMA_VERSION}#/{path}"})


ProvenanceEntry = Annotated[dict[str, Any], of_results("$defs/provenance"), As(Provenance.entry)]
GameEntry = Annotated[dict[str, Any], of_results("$defs/game")]
ContestantEntry = Annotated[dict[str, Any], of_results("$defs/contestant")]
Remarks = Annotated[
    list[dict[str, Any]],
    of_results("properties/remarks"),
    As(lambda remarks: [each.entry_of_remark for each in quoted(remarks)]),
]
Masterpoints = Annotated[str, of_results("$defs/masterpoints"), As(lambda hundredths: decimal_text(int(hundredths)))]
UnsureGames = Annotated[Natural, "in how many games somebody should decide who it is"]
StratumLetter = Annotated[str, of_results("$defs/stratum")]
MemberNumber = Annotated[SomeText | None, "the member number"]
GamesPlayed = Annotated[Ordinal, "how many the player played"]
WhosePoints = Annotated[SomeText, "whose points they are, where not all are of the usual league"]
PersonKey = Annotated[SomeText, "the key"]
ColourTexts = Annotated[dict[str, str], of_results("$defs/contestant/properties/colours")]
Sha256 = Annotated[str, of_results("$defs/provenance/properties/sha256")]
ValueEntries = Annotated[list[dict[str, str]], of_results("$defs/candidate/properties/values")]

Value = Annotated[Any, Is(**{"$ref": "#/$defs/value"})]

_HEADLINE = "what came of it in words: first which files could not be looked at"


class ProblemRow(TypedDict):
    """A row that a problem is about."""

    where: Annotated[str, "the line or cell, or what is listed there is called"]
    what: Annotated[str, "what is doubtful or wrong there"]


class Said(TypedDict):
    """What is wrong or doubtful."""

    file: Annotated[str, "empty where it is about no file"]
    where: Annotated[str, "the line or cell"]
    what: Annotated[SomeText, "what is wrong or doubtful, or what was done"]
    hint: Annotated[str, "what would be right"]
    code: NotRequired[
        Annotated[str, Is(pattern="^[a-z]+([.][a-z-]+)+$"), "what programs know it by, whatever its words"]
    ]
    rows: NotRequired[Annotated[list[ProblemRow], Is(minItems=2), "all rows that it is about, where these are several"]]


ProblemEntry = Annotated[dict[str, Any], Said, Is(required=["code"])]
Problems = Annotated[list[ProblemEntry], As(lambda problems: InputError(problems).as_dicts())]


class DoubtEntry(TypedDict):
    """Who may be the same player, or may not."""

    what: Annotated[SomeText, "what is doubtful, and how it was counted"]
    players: Annotated[list[SomeText], Is(minItems=1)]


class Sourced(TypedDict):
    """What says where it comes from."""

    provenance: ProvenanceEntry


class DifferenceEntry(TypedDict):
    source: Annotated[SomeText | None, "the file"]
    game_id: SomeText
    section: Annotated[str, "empty where it is about a whole game"]
    direction: Annotated[Literal["N-S", "E-W", ""] | None, "null in a one-winner section"]
    number: Annotated[str, "the contestant's number; empty where it is about a whole game"]
    what: Annotated[
        str,
        Is(pattern="^(award|paid by|colours|(section|overall) rank|overall ranks|score|percentage|board .+)$"),
        "what differs",
    ]
    printed: Annotated[str, "what the sheet prints; empty for nothing"]
    computed: Annotated[str, "what it should be; empty for nothing"]
    why: Annotated[SomeText, "the rule or the scores that the computed one follows from"]
    players: Annotated[str, "the contestant's players, with ' - ' between them; empty where it is about a whole game"]
    rule: Annotated[str, "the rule alone that why names; empty for none"]


class CheckedFile(TypedDict):
    source: Annotated[SomeText, "the file"]
    ranks_and_awards: Annotated[Natural, "how many printed ranks and awards it has"]
    ranks_and_awards_agree: Annotated[Natural, "how many of them agree"]
    board_results: Annotated[Natural, "how many points of results of boards it has"]
    board_results_agree: Annotated[Natural, "how many of them agree"]
    totals: Annotated[Natural, "how many scores and percentages it has"]
    totals_agree: Annotated[Natural, "how many of them agree"]


class CheckReport(Sourced):
    """What came of checking files."""

    headline: Annotated[SomeText, _HEADLINE]
    differences: list[Annotated[dict[str, Any], DifferenceEntry]]
    files: list[Annotated[dict[str, Any], CheckedFile]]
    problems: Annotated[Problems, "what is wrong with files and games"]
    remarks: Annotated[Problems, "what is doubtful"]


class UnderstoodColumn(TypedDict):
    heading: Annotated[str, "empty where it has none"]
    meaning: Annotated[SomeText | None, "what it was taken for; null where it is not read"]
    why: Annotated[SomeText, "what showed it, or why it stays open"]


class UnderstoodList(TypedDict):
    where: Annotated[SomeText, "the line or cell that it begins at"]
    columns: list[UnderstoodColumn]


class UnderstoodTold(TypedDict):
    key: Annotated[SomeText, "a game key, section or direction; that of a single game is behind its name"]
    value: str
    where: SomeText
    text: Annotated[str, "all that the title or heading says; empty for a declaration"]


class ListedEntry(TypedDict):
    """A contestant as it was read."""

    where: Annotated[str, "the line or cell; empty where the format has none"]
    number: SomeText
    players: list[SomeText]
    score: float | None
    percentage: float | None


class UnderstoodContestants(TypedDict):
    game_id: SomeText
    section: SomeText
    direction: Annotated[str | None, Literal["N-S", "E-W", None]]
    count: Ordinal
    first: Annotated[dict[str, Any], ListedEntry]
    last: Annotated[dict[str, Any], ListedEntry]


class UnderstoodEntry(TypedDict):
    """What the columns and titles of a file were taken for, and its contestants as they were read."""

    file: SomeText
    format: Annotated[SomeText, "the format that was recognised"]
    lists: Annotated[list[UnderstoodList], "the lists of contestants; none of a format whose columns are its own"]
    told: Annotated[list[UnderstoodTold], "what titles, headings, names of sheets and declarations tell"]
    contestants: Annotated[list[UnderstoodContestants], "those of each game, section and direction"]


class LintReport(Sourced):
    """What is doubtful about files."""

    headline: Annotated[SomeText, _HEADLINE]
    remarks: Remarks
    problems: Annotated[Problems, "what is wrong with files and games"]
    understood: NotRequired[Annotated[list[UnderstoodEntry], "with --understood, what was understood of each file"]]


class ExplainedAward(TypedDict):
    basis: BasisName
    stratum: StratumLetter
    group_size: Annotated[Natural, "the contestants that it is compared with, itself included; 0 where nobody knows"]
    position: Annotated[Ordinal | None, "null for an award of an earlier session, whose place is not known"]
    tied: Annotated[Ordinal, "how many share it, itself included"]
    masterpoints: Masterpoints
    shared: Annotated[list[Masterpoints], "what the places pay that a tie takes up"]
    ladder: Annotated[
        list[Masterpoints] | None,
        "what the places of the group pay, 1st place first; null for an award that consists of several others",
    ]
    factors: Annotated[str, "the factors that went in"]
    rule: Annotated[str, "the rule that set it: document and place"]
    values: ValueEntries


class WonOfLeague(TypedDict):
    """What was won of one league."""

    masterpoints: Masterpoints
    colours: ColourTexts
    league: NotRequired[WhosePoints]


class ExplainReport(Sourced):
    """Why a contestant won what it won."""

    game: GameEntry
    contestant: ContestantEntry
    masterpoints: Masterpoints
    colours: ColourTexts
    why: Annotated[SomeText, "why the first candidate is the award, or why there is none"]
    candidates: Annotated[list[ExplainedAward], "the awards that it could have had, the highest first"]
    unpaid: Annotated[list[ExplainedAward], "its places that pay nothing"]
    colour_values: Annotated[ValueEntries, "the values that its colours go by"]
    share_values: Annotated[ValueEntries, "the values by which the players of its team share it"]


class WhoContestant(TypedDict):
    name: SeatText
    players: list[SomeText]
    masterpoints: Masterpoints


class WhoGame(TypedDict):
    game_id: SomeText
    contestants: list[WhoContestant]


class WhoReport(Sourced):
    """Who is in some games."""

    games: list[WhoGame]


class ComparedPlaceEntry(TypedDict):
    place: PlaceText
    masterpoints: Annotated[dict[str, Masterpoints | None], "what it pays, by rulebook; null where nobody is ranked"]


class ComparedTableEntry(TypedDict):
    basis: BasisName
    field: Annotated[SomeText | None, "who is compared, where that is not everyone: section A N-S, bracket 1"]
    stratum: StratumLetter
    contestants: Annotated[Ordinal, "how many are compared"]
    places: list[ComparedPlaceEntry]
    total: Annotated[dict[str, Masterpoints | None], "what all places pay, by rulebook"]


class ComparedGameEntry(TypedDict):
    game: GameEntry
    rulebooks: Annotated[list[SomeText], Is(minItems=1), "the rulebooks, as they were named"]
    tables: list[ComparedTableEntry]
    paid: Annotated[
        dict[str, Masterpoints | None], "what the game pays in all, each contestant its highest award, by rulebook"
    ]
    notes: Annotated[list[SomeText], "what the rulebooks remark on the awards, each begun with the rulebook"]


class CompareReport(Sourced):
    """What several rulebooks pay for the same games."""

    games: list[ComparedGameEntry]


class SeriesGameEntry(TypedDict):
    game_id: SomeText
    date: Day | None


class BonusEntry(TypedDict):
    ladder: Annotated[list[Masterpoints], "what the places pay, 1st place first"]
    factors: Annotated[str, "the factors that went in"]
    rule: Annotated[str, "document and place"]


class SeriesPlayerEntry(TypedDict):
    position: Annotated[Ordinal | None, "null for who is not placed"]
    tied: Annotated[Ordinal | None, "how many share the place; null for who is not placed"]
    name: SomeText
    id: MemberNumber
    games: GamesPlayed
    partners: Annotated[Natural, "how many different ones"]
    tables: Annotated[Decimals, "the tables in play in those games"]
    score: Annotated[Hundredths, "masterpoints, percentage or points"]
    bonus: Masterpoints
    scores: Annotated[dict[str, Hundredths], "what each game gave, by game_id"]
    league: NotRequired[WhosePoints]


class SeriesReport(Sourced):
    """The players over a series of games."""

    method: Annotated[str, Literal["masterpoints", "percentage", "points"], "what decides it"]
    min_sessions: Annotated[Ordinal, "games needed to be placed"]
    min_partners: Annotated[Natural, "different partners needed to be placed"]
    games: Annotated[list[SeriesGameEntry], "the games, in the order of play"]
    bonus: BonusEntry | None
    no_bonus: Annotated[SomeText | None, "why there is no bonus"]
    players: list[SeriesPlayerEntry]
    problems: Annotated[Problems, "what is wrong with files and games, which are left out"]
    remarks: Remarks
    doubts: Annotated[list[DoubtEntry], "who may be the same player, or may not"]


class PlayedGame(TypedDict):
    game_id: SomeText
    club: SomeText | None
    event: SomeText | None
    date: Day | None


class BestGame(TypedDict):
    game: Annotated[SomeText, "its game_id"]
    date: Day | None
    event: SomeText | None
    masterpoints: Masterpoints
    percentage: Percentage | None


class PlayerEntry(TypedDict):
    name: SomeText
    id: MemberNumber
    games: GamesPlayed
    unsure: UnsureGames
    masterpoints: Masterpoints
    colours: ColourTexts
    best: BestGame
    league: NotRequired[WhosePoints]


class PlayersReport(Sourced):
    """What the players of some games won."""

    since: Annotated[Day | None, "the first day that was asked for"]
    until: Annotated[Day | None, "the last day that was asked for"]
    clubs: Annotated[list[SomeText], "the clubs that were asked for"]
    games: list[PlayedGame]
    players: list[PlayerEntry]
    problems: Annotated[Problems, "what is wrong with files and games"]
    remarks: Remarks
    doubts: Annotated[list[DoubtEntry], "who may be the same player, or may not"]


class ChartRowEntry(TypedDict):
    tables: Annotated[float, Is(exclusiveMinimum=0, multipleOf=0.5)]
    contestants: Annotated[Ordinal, "the size of the comparison group"]
    masterpoints: Annotated[list[Masterpoints], "1st place first, as far as places pay"]
    factors: Annotated[str, "the factors that went in"]
    rule: Annotated[str, "document and place"]


class ChartBlock(TypedDict):
    basis: BasisName
    stratum: NotRequired[StratumLetter]
    sections: Annotated[Ordinal, "into how many the tables are divided"]
    rows: Annotated[list[ChartRowEntry], Is(minItems=1)]


class ChartReport(Sourced):
    """What a game pays by its number of tables."""

    game: Annotated[
        dict[str, SomeText],
        Is(propertyNames={"pattern": "^[a-z_]+$"}, required=["rating", "rulebook"]),
        Is(properties={"rating": of_results("$defs/game/properties/rating").rules}),
        "what the game is like: game keys with their values as texts",
    ]
    title: Annotated[SomeText, "of the rulebook"]
    notes: list[SomeText]
    awards: Annotated[list[Annotated[dict[str, Any], ChartBlock]], Is(minItems=1)]


class ChangeEntry(TypedDict):
    number: Ordinal
    kind: Annotated[str, Literal["game", "contestant", "name", "holding", "stratum", "board", "score"]]
    what: Annotated[SomeText, "it in words"]


class RankEntry(NamedTuple):
    basis: BasisName
    stratum: StratumLetter
    place: PlaceText


class OutcomeEntry(TypedDict):
    """What a contestant has."""

    masterpoints: Masterpoints
    ranks: list[RankEntry]


class AmendedContestant(TypedDict):
    contestant: SeatText
    players: Annotated[str, "who they are now"]
    players_before: NotRequired[Annotated[SomeText, "who they were, where that is not the same"]]
    before: OutcomeEntry
    after: OutcomeEntry
    because: Annotated[list[Ordinal], "the numbers of the changes that do it, the fewest"]


class PlayerMoved(TypedDict):
    """Where a player sat, and the masterpoints there; without a contestant the player was not there."""

    contestant: NotRequired[SeatText]
    players: NotRequired[str]
    masterpoints: Masterpoints


class AmendedPlayer(TypedDict):
    name: str
    id: str | None
    before: PlayerMoved
    after: PlayerMoved


class AmendedGame(TypedDict):
    game_id: SomeText
    time: NotRequired[Annotated[Moment, "when the new version came into the archive"]]
    changes: list[ChangeEntry]
    contestants: list[Annotated[dict[str, Any], AmendedContestant]]
    players: Annotated[
        list[AmendedPlayer],
        "the players whose masterpoints change otherwise than those of a contestant that stays what it was",
    ]
    remarks: Remarks


class AmendReport(Sourced):
    """What a correction changed, and who gains or loses."""

    headline: Annotated[SomeText, _HEADLINE]
    games: list[Annotated[dict[str, Any], AmendedGame]]


class AwardedStratum(TypedDict):
    stratum: StratumLetter
    limit: Annotated[Limit, "its upper limit: open or a number"]
    contestants: Annotated[Natural, "how many are in it"]
    ranked: Annotated[bool, "no: too few are in it"]
    paid: Annotated[Natural, "how many are paid in it"]
    masterpoints: Annotated[Masterpoints, "of all that it pays"]
    first: Annotated[Masterpoints, "of its first place"]


class AwardedContestant(OutcomeEntry):
    contestant: SeatText


class AwardedGame(TypedDict):
    """What a game pays."""

    strata: list[AwardedStratum]
    contestants: list[AwardedContestant]


class JudgedCase(AwardedGame):
    change: Annotated[str, "what is other than in the file, in words"]


class RefusedCase(TypedDict):
    change: Annotated[str, "what is other than in the file, in words"]
    problem: Annotated[SomeText, "why it cannot be awarded so"]


class NeededStep(OutcomeEntry):
    at_least: Annotated[float, "the percentage, or the score where there is none; of the session, if one is named"]
    score: NotRequired[Annotated[float, "the score of the game, or of the session"]]
    total: NotRequired[Annotated[float, "the score of all sessions"]]


class NeededResult(TypedDict):
    contestant: SeatText
    session: NotRequired[
        Annotated[Ordinal, "of an event whose sessions have scores of their own: the last one that it played"]
    ]
    steps: Annotated[list[NeededStep], "from which results on it would have been paid more"]


class Judgement(Sourced):
    """What a game would have paid."""

    game_id: SomeText
    as_it_is: AwardedGame
    cases: list[JudgedCase | RefusedCase]
    needed: NotRequired[NeededResult]
    remarks: Remarks


class ProposalEntry(TypedDict):
    strata: Annotated[SomeText, "the limits, as the game key has them"]
    entries: Annotated[
        dict[str, Natural], Is(propertyNames={"pattern": "^[A-Z]$"}), "how many would be in each stratum, by letter"
    ]


class ProposedLimits(Sourced):
    """Limits of strata for a game that is not played yet."""

    entries: Annotated[Natural, "how many enter"]
    proposals: list[ProposalEntry]


class Contradicted(NamedTuple):
    contestant: SeatText
    what: Annotated[PrintedWhat, "what is printed of it"]
    printed: Annotated[str, "what the sheet prints; empty for nothing"]
    computed: Annotated[str, "what follows from the declarations; empty for nothing"]

    @property
    def about(self) -> tuple[str, str, str]:
        """What it is about, whatever is computed for it: in the case of a rank, the rank in one stratum."""
        stratum = re.match("([A-Z]+)=", self.printed or self.computed)
        return self.contestant, self.what, stratum[1] if stratum else ""


SameLimits = TypedDict(
    "SameLimits",
    {
        "stratum": Annotated[StratumLetter | None, "null for the limit of a game without strata"],
        "from": Annotated[Limit | None, "the lowest; null for no lowest one"],
        "to": Annotated[Limit | None, "the highest; null for no highest one"],
    },
)


class ConcurrentGame(TypedDict):
    limit: Limit
    tables: Annotated[float, Is(exclusiveMinimum=0)]


class ExplanationEntry(TypedDict):
    declared: Annotated[
        dict[str, SomeText],
        Is(propertyNames={"enum": ["rating", "special", "strata", "limit", "concurrent_tables", "rulebook"]}),
        "what would be declared, by game key",
    ]
    rulebook: Annotated[SomeText, "the rulebook that pays"]
    explained: Annotated[Natural, "how many of the printed ranks and awards follow"]
    awards: Annotated[Natural, "how many of the printed awards follow"]
    ranks: Annotated[Natural, "how many of the printed ranks follow"]
    overall_not_printed: Annotated[Natural, "how many overall places pay though the report has no overall column"]
    sections_alone: Annotated[bool, "whether the awards are those of sections alone"]
    contradicted: Annotated[list[Contradicted], "what is printed otherwise, or not at all"]
    same_limits: Annotated[list[SameLimits], "limits of strata that pay the same"]
    same_special: Annotated[list[str], "other special words that pay the same; an empty one for none"]
    same_concurrent_tables: Annotated[
        list[SomeText], "other numbers of tables of the games at the same time that explain as much"
    ]
    not_in_the_report: Annotated[list[ConcurrentGame], "games at the same time that nothing but the awards tells of"]


FactorBounds = TypedDict(
    "FactorBounds",
    {
        "factor": Annotated[str, Literal["R", "M", "P", "T"]],
        "stratum": Annotated[StratumLetter | None, "of M; null for any other"],
        "value": Annotated[Decimals, "what it is"],
        "from": Annotated[Decimals | None, "the least that explains as much; null for no least one"],
        "to": Annotated[Decimals | None, "the most; null for no most one"],
        "awards": Annotated[Natural, "how many printed awards depend on it"],
    },
)


class ReadingEntry(TypedDict):
    path: Annotated[SomeText, "of the value in the rulebook"]
    value: Annotated[SomeText, "the word that it would be"]
    explained: Annotated[Natural, "how many of the printed ranks and awards would follow"]
    contradicted: Annotated[Natural, "how many would differ"]


class InferredGame(TypedDict):
    game_id: SomeText
    printed: Annotated[Ordinal, "how many ranks and awards are printed; where some awards are, those of nothing count"]
    awards: Annotated[Natural, "how many awards it prints"]
    ranks: Annotated[Natural, "how many ranks it prints"]
    awards_explained: Annotated[bool, "whether the first explanation contradicts no more than half of the awards"]
    equal: Annotated[Ordinal, "so many explanations, the first ones, are as good as each other"]
    explanations: Annotated[list[ExplanationEntry], Is(minItems=1), "the best first"]
    decides: Annotated[
        list[Contradicted], "what the first explanation explains and the second does not, the furthest apart first"
    ]
    against_first: Annotated[
        list[Contradicted],
        "what the second explanation explains and the first does not, the furthest apart first; "
        "computed is what follows from the first",
    ]
    bounds: Annotated[list[FactorBounds], "of the factors that are left free; empty for none"]
    readings: Annotated[
        list[ReadingEntry], "readings of the first one's rulebook, each by itself, that explain more; the best first"
    ]


class InferReport(Sourced):
    """Which declarations explain what a sheet prints."""

    games: list[InferredGame]
    remarks: Remarks


class FindingEntry(NamedTuple):
    what: str
    who: str = ""
    shown: Annotated[str, "as the file has it"] = ""
    follows: Annotated[str, "as it would have to be"] = ""

    def __str__(self) -> str:
        compared = f"'{self.shown}', which does not follow" if self.shown else f"'{self.follows}' is missing"
        if bool(self.shown) is bool(self.follows):
            compared = f"'{self.shown}', but '{self.follows}' follows" if self.shown else ""
        # A problem quotes nothing that is too long, or that a terminal would take for a command.
        return str(Problem(": ".join(filter(None, [self.who, self.what, compared]))))


class VerifiedFile(TypedDict):
    file: str
    follows: Annotated[bool, "whether nothing was found that does not follow from its own data"]
    proof: Annotated[
        str,
        Literal["written", "values", "compared"],
        "it is as it was written; or its values follow, and its looks are not proven; or some names "
        "and numbers were compared, and it may show others",
    ]
    contestants: Natural
    signed: bool
    signed_by: Annotated[str | None, "the file of the key that its signature was checked with"]
    findings: Annotated[list[FindingEntry], "what does not follow"]
    looks: Annotated[list[FindingEntry], "why its looks are not proven, where its values follow"]
    remarks: Problems
    provenance: list[ProvenanceEntry]
    result_sha256: list[Sha256]


class VerifyReport(TypedDict):
    """What came of verifying sealed files."""

    files: list[VerifiedFile]
    note: str


class OriginEntry(TypedDict):
    origin: Annotated[str, Literal["worked by hand", "second implementation"]]
    games: Ordinal
    agreed: Natural


class ParagraphEntry(TypedDict):
    paragraph: Annotated[SomeText, "a rulebook, and a table of it"]
    cite: Annotated[str, "the document, and the place in it"]
    games: Ordinal
    agreed: Natural


class ConformDifference(NamedTuple):
    game: SomeText
    contestant: Annotated[SomeText, "such as A-NS-6"]
    what: Annotated[str, Is(pattern="^(contestant|masterpoints|paid_by|colours|players|(positions|candidates) .+)$")]
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.game}: {self.contestant}: {self.what}: {self.expected} is expected, not {self.found}"


class ConformReport(Sourced):
    """How a program agrees with a suite of games."""

    program: Annotated[SomeText, "what answered: resultproc, or the command that was started"]
    games: Annotated[Ordinal, "the games of the suite"]
    agreed: Annotated[Natural, "of how many the answers are all as expected"]
    origins: Annotated[list[OriginEntry], Is(minItems=1)]
    paragraphs: Annotated[list[ParagraphEntry], "by the paragraphs of the rulebooks that games test"]
    compared: Annotated[Natural, "how many things that are expected are in the answers"]
    left_out: Annotated[Natural, "how many are not in the answers to games that are answered"]
    differences: Annotated[list[ConformDifference], "what is not as expected, in the smallest games first"]
    not_answered: Annotated[list[SomeText], "the games that the answers say nothing of"]
    problems: Annotated[Problems, "why this program refuses games"]


class Archived(TypedDict):
    source: Annotated[SomeText, "the name of the file"]
    added: Moment
    state: Literal["current", "replaced", "removed"]
    since: Annotated[Moment | Literal[""], "when it was replaced or removed; empty for what is current"]
    source_sha256: Sha256


class ArchivedGame(Archived):
    date: Annotated[Day | Literal[""], "the day it was played; empty where that is not known"]
    club: Annotated[str, "empty for none"]
    event: Annotated[str, "empty for none"]
    game: Annotated[SomeText, "the id that its file gives it"]
    id: Annotated[SomeText, "the id that the archive gives it"]


class ArchivedFile(Archived):
    games: Annotated[Ordinal, "how many it has"]
    first: Annotated[Day | Literal[""], "the first day of its games"]
    last: Annotated[Day | Literal[""], "the last day of its games"]


class ArchiveList(Sourced):
    """The games of an archive, or its files."""

    archive: list[ArchivedGame] | list[ArchivedFile]


class ArchiveQuery(Sourced):
    """The answer to a query: a row each, by the names of its columns; masterpoints and other decimals are texts."""

    rows: list[dict[str, Any]]


class ColumnEntry(TypedDict):
    view: SomeText
    column: SomeText
    type: Annotated[SomeText, "its type in SQL"]
    meaning: SomeText


class ArchiveColumns(Sourced):
    """What archive query knows."""

    rows: Annotated[list[ColumnEntry], Is(minItems=1)]


class PersonEntry(TypedDict):
    person: PersonKey
    member: SomeText | None
    spellings: str | None
    clubs: str | None
    unsure: UnsureGames
    player: SomeText
    games: Ordinal
    first_year: int | None
    last_year: int | None


UnsureEntry = TypedDict(
    "UnsureEntry",
    {
        "player": str | None,
        "member": str | None,
        "club": str | None,
        "is": Annotated[SomeText, "the person as whom it is counted"],
        "may_be": Annotated[str, "other persons; empty where none is named"],
        "games": Ordinal,
        "first_year": int | None,
        "last_year": int | None,
        "why": SomeText,
    },
)


class ArchivePersons(Sourced):
    """Who is who in an archive, or who is unsure."""

    rows: list[PersonEntry] | list[UnsureEntry]


class RecordedGame(TypedDict):
    game_id: SomeText
    date: Day | None
    club: str | None
    event: str | None
    rating: str | None
    percentage: Percentage | None
    masterpoints: Masterpoints
    colours: ColourTexts
    league: NotRequired[WhosePoints]
    place: Annotated[Ordinal | None, "the place that pays; null where there is no award"]
    tied: Ordinal | None
    group_size: Ordinal | None
    basis: SomeText | None


class RecordedYear(TypedDict):
    year: Annotated[int | None, "null for games without a date"]
    games: Ordinal
    masterpoints: Masterpoints
    colours: ColourTexts
    league: NotRequired[WhosePoints]


class RecordedPlace(TypedDict):
    place: Ordinal
    games: Ordinal


class RecordedPartner(TypedDict):
    person: SomeText
    player: str
    games: Ordinal
    masterpoints: Masterpoints
    percentage: Percentage | None
    league: NotRequired[WhosePoints]


_ASKED_FOR = ("masterpoints", "black", "silver", "red-or-gold", "gold", "silver-or-better", "platinum")


class TitleEntry(TypedDict):
    joined: SomeText
    title: Annotated[SomeText | None, "the last of which nothing is missing"]
    next: SomeText | None
    missing: Annotated[dict[str, Masterpoints], Is(propertyNames={"enum": list(_ASKED_FOR)})]
    cite: SomeText
    note: Annotated[SomeText, "what else the titles take, or what is not known of them"]


class RecordReport(Sourced):
    """A player's record in the games of an archive, and no others."""

    person: PersonKey
    player: str | None
    member: SomeText | None
    spellings: str | None
    clubs: str | None
    unsure: UnsureGames
    games: Annotated[list[Annotated[dict[str, Any], RecordedGame]], Is(minItems=1)]
    masterpoints: Masterpoints
    colours: ColourTexts
    years: list[RecordedYear]
    places: Annotated[list[RecordedPlace], "the places that paid"]
    partners: list[RecordedPartner]
    best: Annotated[list[SomeText], "the game_id of the best games"]
    titles: Annotated[list[TitleEntry], "the league's titles, as far as these games go, by when the player joined"]
    remarks: Remarks
    league: NotRequired[WhosePoints]
    leagues: NotRequired[
        Annotated[list[WonOfLeague], "where points are not all of the usual league, those of each, the first as above"]
    ]


class AuditRow(TypedDict):
    what: Literal["missing", "doubled", "different", "pending", "not here"]
    date: Day
    club: str
    event: str
    player: str
    member: str
    stated: Annotated[str, "the points and colour of the statement; empty for none"]
    pays: Annotated[str, "those that games pay; empty for none"]
    line: Annotated[Ordinal | None, "the line of the statement"]
    place: Annotated[str, "the place that pays it; empty for none"]
    rule: Annotated[str, "the rule that sets it: document and place"]


class ArchiveAudit(Sourced):
    """A statement of the league held against an archive: what is not as it should be."""

    rows: list[AuditRow]


class AllClubs(TypedDict):
    files: Annotated[Natural, "of those that were added"]
    games: Annotated[Natural, "of these days"]
    refused: Annotated[Natural, "files that could not be read"]
    failed: Annotated[Natural, "games that could not be awarded"]
    doubtful: Annotated[Natural, "games that were awarded and are doubtful"]
    late: Annotated[Natural, "games that came late"]


class OfClub(TypedDict):
    club: Annotated[str | None, "what aliases.csv calls it now; null where the games name none"]


class ClubHealth(OfClub, AllClubs):
    last_game: Annotated[Day | None, "the day of the last game, of all days"]
    last_came: Annotated[Day | None, "the day on which the last one came, of all"]


class RefusedFile(OfClub):
    file: SomeText
    since: SomeText
    what: SomeText
    where: str | None
    hint: str | None


class GameOfClub(OfClub):
    date: Day | None
    event: str | None
    source: str | None


class DoubtfulGame(GameOfClub):
    what: SomeText
    where: str | None
    hint: str | None


class LateGame(GameOfClub):
    came: Day | None
    days: Natural


class ArchiveHealth(Sourced):
    """How the clubs of an archive keep up."""

    since: Annotated[Day | None, "the first day that counts; null for any"]
    until: Annotated[Day | None, "the last day that counts; null for any"]
    late_after: Annotated[Natural, "a game that comes so many days after it was played is in time"]
    clubs: list[Annotated[dict[str, Any], ClubHealth]]
    total: Annotated[dict[str, int], AllClubs]
    refused: list[Annotated[dict[str, Any], RefusedFile]]
    failed: list[Annotated[dict[str, Any], DoubtfulGame]]
    doubtful: list[Annotated[dict[str, Any], DoubtfulGame]]
    late: list[Annotated[dict[str, Any], LateGame]]
    remarks: Remarks


class ArchiveCorrections(AmendReport):
    """Each correction of a game of an archive, with its time; no games if it was never corrected."""


class Gain(TypedDict):
    player: SomeText
    member: str | None
    league: Annotated[SomeText, "whose points they are"]
    games: Annotated[Ordinal, "how many of the player's games were corrected"]
    before: Hundredths
    after: Hundredths
    difference: SignedHundredths


class ArchiveGains(Sourced):
    """Who gained and who lost by corrections in an archive."""

    rows: list[Annotated[dict[str, Any], Gain]]


class PaidOtherwise(TypedDict):
    year: Annotated[int | None, "null for games without a date"]
    rating: SomeText
    league: Annotated[SomeText, "whose points they are"]
    games: Annotated[Ordinal, "how many were awarded again"]
    lower: Annotated[Natural, "contestants whose award would be lower"]
    higher: Annotated[Natural, "contestants whose award would be higher"]
    was: Hundredths
    would_be: Hundredths
    difference: SignedHundredths


class ArchiveWhatif(Sourced):
    """What games of an archive would be paid with other values in their rulebooks."""

    rows: list[Annotated[dict[str, Any], PaidOtherwise]]


class SummaryRow(TypedDict):
    year: Annotated[Natural, "0 for games without a date"]
    rating: Annotated[str, "empty where it is not known"]
    stratum: Annotated[str, Is(pattern="^[A-Z]?$"), "empty in the row of all strata"]
    games: Annotated[Natural | None, "how many games were awarded; null in the row of a stratum"]
    contestants: Natural
    paid: Annotated[Natural, "how many of them are paid"]
    masterpoints: Masterpoints
    printed: NotRequired[Annotated[Natural, "contestants of games that print awards"]]
    printed_agree: NotRequired[Annotated[Natural, "how many of those awards are the computed ones"]]
    printed_masterpoints: NotRequired[Masterpoints]
    in_force: NotRequired[Annotated[Natural, "contestants awarded under the rules of the day, too"]]
    in_force_masterpoints: NotRequired[Annotated[Masterpoints, "what they get under those"]]
    difference: NotRequired[Annotated[SignedHundredths, "what the rules that were asked for pay more"]]
    changed: NotRequired[Annotated[Natural, "contestants whose award differs"]]
    failed: NotRequired[Annotated[Natural | None, "how many games could not be awarded; null in the row of a stratum"]]


_TOGETHER = [
    ["printed", "printed_agree", "printed_masterpoints"],
    ["in_force", "in_force_masterpoints", "difference", "changed"],
]
"""What a row of a summary has together, or not at all."""


class SummaryRemark(TypedDict):
    what: SomeText
    games: Annotated[Natural, "of how many games it is said"]


class Reprocess(Sourced):
    """What an archive comes to."""

    summary: list[Annotated[SummaryRow, Is(dependentRequired={name: each for each in _TOGETHER for name in each})]]
    remarks: Annotated[list[SummaryRemark], "what rulebooks remark on the awards, the commonest first"]


class RulebookEntry(TypedDict):
    """What a rulebook says of itself."""

    id: SomeText
    title: SomeText
    extends: Annotated[SomeText | None, "the rulebook that it takes values over from"]
    without: Annotated[Annotated[list[SomeText], Is(minItems=1)] | None, "what it does not take over; null for nothing"]
    covers: Annotated[list[SomeText], "the ratings it is for"]
    event_types: Annotated[
        Annotated[list[SomeText], Is(minItems=1)] | None,
        "the event types it alone is for; null for those that no other is for",
    ]
    since: Annotated[Day | None, "its first day; null for none"]
    until: Annotated[Day | None, "its last day; null for none"]
    remark: Annotated[SomeText | None, "what every result says that it paid; null for nothing"]
    witnessed: Annotated[
        Day | None, "the day of the oldest award at hand that it gives; null where it is in force on no day before that"
    ]
    before: Annotated[SomeText | None, "what results of games before that day say"]
    sources: Annotated[dict[str, SomeText], "the documents that it cites: their titles by name"]


class RulesList(Sourced):
    """The rulebooks."""

    rulebooks: Annotated[list[RulebookEntry], Is(minItems=1)]


class StatedValue(TypedDict):
    """A value of a rulebook, with its source and the days it is in force."""

    path: Annotated[SomeText, "where it is in the rulebook"]
    value: Value
    unit: SomeText | None
    citation: Annotated[SomeText, "the document and the place in it"]
    since: Annotated[Day | None, "the first day it is in force; null for none"]
    until: Annotated[Day | None, "the last day it is in force; null for none"]
    confidence: Annotated[str, Literal["printed", "secondary", "inferred"]]
    note: SomeText | None


class RulesShow(Sourced, RulebookEntry):
    """A rulebook with its values."""

    values: list[StatedValue]


class FoundValue(StatedValue):
    rulebook: Annotated[SomeText, "its id"]


class RulesFind(Sourced):
    """The values of rulebooks that say something."""

    found: Annotated[list[FoundValue], Is(minItems=1)]


class MessageLine(Said):
    """A line of --errors json, or with the time of --log json."""

    time: NotRequired[Moment]
    severity: Literal["error", "remark", "info"]


class ArchiveAddLine(Said):
    """A line for each problem of a file that could not be added."""


class ResultsSite(TypedDict):
    """A results site."""

    id: Annotated[str, Is(pattern="^[a-z0-9-]+$")]
    title: SomeText
    address: SomeText | None
    formats: Annotated[list[SomeText], "what it takes, first what is written for it"]
    sent: Annotated[str, Literal["form", "post", "mail", "folder", "check"], "how a file gets there"]


class SitesList(Sourced):
    """The results sites."""

    sites: Annotated[list[ResultsSite], Is(minItems=1)]


class SiteAsks(TypedDict):
    value: Value
    citation: SomeText
    note: SomeText | None
    refused: Annotated[bool, "whether it refuses what is otherwise; where it is not known to, that is a remark"]


class SitesShow(Sourced, ResultsSite):
    """A results site with all that it asks."""

    dialects: Annotated[dict[str, dict[str, bool | str]], "how it wants a format, by the format's name"]
    asks: Annotated[dict[str, SiteAsks], "what it asks of a game"]
    steps: Annotated[list[SomeText], "how somebody uploads a file"]
    corrections: SomeText
    unknown: Annotated[list[SomeText], "what is not known of it"]


class ReceiptEntry(TypedDict):
    """What became of a file at a results site."""

    site: SomeText
    account: Annotated[SomeText, "the club's name, folder or address there"]
    name: Annotated[SomeText, "what the file is called there"]
    sha256: Annotated[str, Is(pattern="^[0-9a-f]{64}$"), "of the file and what went with it"]
    state: Annotated[
        Literal["begun", "sent", "ready", "refused", "failed", "removed"],
        "begun: it may have arrived or not; ready: written for somebody to upload; removed: it was "
        "there, and is gone from the folder that is a site",
    ]
    words: Annotated[SomeText | None, "what the site said, or what went wrong"]
    begun: Annotated[SomeText, "when, in UTC"]
    ended: SomeText | None


class SitesReceipts(Sourced):
    """What was sent to results sites."""

    receipts: list[ReceiptEntry]


class PublishedLine(ReceiptEntry):
    """A line for each file that publish sends."""

    file: Annotated[SomeText, "the results file"]


OUTPUTS: dict[str, Any] = {
    "check": CheckReport,
    "lint": LintReport,
    "explain": ExplainReport | WhoReport,
    "compare": CompareReport,
    "series": SeriesReport,
    "players": PlayersReport,
    "chart": ChartReport,
    "amend": AmendReport,
    "whatif": Judgement | ProposedLimits,
    "infer": InferReport,
    "verify": VerifyReport,
    "conform": ConformReport,
    "archive-list": ArchiveList,
    "archive-query": ArchiveQuery,
    "archive-columns": ArchiveColumns,
    "archive-persons": ArchivePersons,
    "archive-player": RecordReport,
    "archive-audit": ArchiveAudit,
    "archive-health": ArchiveHealth,
    "archive-corrections": ArchiveCorrections,
    "archive-gains": ArchiveGains,
    "archive-whatif": ArchiveWhatif,
    "reprocess": Reprocess,
    "rules-list": RulesList,
    "rules-show": RulesShow,
    "rules-find": RulesFind,
    "message": MessageLine,
    "archive-add": ArchiveAddLine,
    "sites-list": SitesList,
    "sites-show": SitesShow,
    "sites-receipts": SitesReceipts,
    "publish": PublishedLine,
}
"""What each command prints, by its name."""
