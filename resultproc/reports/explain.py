"""Why a contestant won what it won: every standing it has, its group's ladder, and what that pays.

:func:`explain` computes it; below it is written as text, JSON and a page, and, for want of a name to explain, a list of
who is in some games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.basis import Basis, Kind
from resultproc.model.errors import InputError
from resultproc.model.facts import Facts
from resultproc.model.frames import AwardedResult, FrameRow
from resultproc.model.game import parse_strata
from resultproc.model.group import Ladder, Members, declared_words
from resultproc.model.language import as_it_is, in_words
from resultproc.model.numbers import decimal_text, ordinal
from resultproc.model.provenance import Values
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, leagues_of, whole_or_not
from resultproc.pages import words
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.result import add_player_awards, colour_entries, contestant_entries, game_entry, value_entries
from resultproc.pages.tables import Writers
from resultproc.pages.words import heading
from resultproc.people.seated import labels, players_texts
from resultproc.reports.json_types import ExplainedAward, ExplainReport, WhoReport, entry
from resultproc.rulebooks.choice import editions
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.load import rulebook
from resultproc.stages.award import ladders_of, sharing


@dataclass(frozen=True)
class Candidate:
    """A standing and what it pays; or an award that consists of several others."""

    basis: str  # what is compared
    stratum: str  # the letter of the stratum
    size: int  # the contestants of the comparison group
    position: int  # the place
    tied: int  # how many share it
    masterpoints: int  # what it pays in hundredths, 0 for nothing
    values: Values  # as in the candidates frame
    factors: str  # as there; where nobody is ranked, why
    # The group's, as far as it pays or the contestant's tie needs it; None for an award that consists of several
    # others, and where nobody is ranked.
    ladder: Ladder | None

    @property
    def rule(self) -> str:
        """The citation of the values."""
        return self.values.rule

    @property
    def by_matches(self) -> bool:
        """Whether it goes by the matches won: teams that have won as many share nothing."""
        return Basis.parse(self.basis).kind is Kind.MATCHES

    @property
    def shared(self) -> tuple[int, ...]:
        """What the places pay that a tie takes up, in hundredths; nothing where there is no tie or no award."""
        if self.ladder is None or self.tied == 1 or not self.masterpoints or self.by_matches:
            return ()
        return self.ladder.awards[self.position - 1 : self.position - 1 + self.tied]


@dataclass(frozen=True)
class Explanation:
    """The award of one contestant explained."""

    game: int  # its row in the result's games frame
    contestant: int  # its row in the contestants frame
    paying: tuple[Candidate, ...]  # what it could have had, the award that it gets first
    unpaid: tuple[Candidate, ...]  # its standings that pay nothing
    why: str  # why the first is the award, or why there is none
    colours: Values  # the values that its colours go by
    shares: Values  # those by which the players of its team share it
    league: str  # whose points they are


def explain(result: AwardedResult, contestant: int) -> Explanation:
    """Return the explanation of the award of one contestant, a row of an awarded result's contestants frame.

    Raises InputError for a row that is not there, and for games that were not awarded.
    """
    if result.awards is None:
        raise InputError("these games were not awarded", hint="explain what process returns")
    count = len(result.contestants)
    if isinstance(contestant, bool) or not isinstance(contestant, Integral) or not 0 <= contestant < count:
        hint = f"give a row from 0 to {count - 1}" if count else "there are none"
        raise InputError(f"there is no contestant in row {contestant!r}", hint=hint)
    game = int(np.flatnonzero(result.games["game_id"] == result.contestants["game_id"].iloc[contestant])[0])
    _, (edition,) = editions(result.games.iloc[[game]])
    standings = result.standings[result.standings["contestant"] == contestant]
    candidates = result.candidates[result.candidates["contestant"] == contestant]
    ladders = _ladders(result, edition, standings)
    paid = {(row["basis"], row["stratum"]) for row in row_dicts(candidates)}
    paying = tuple(_candidate(row, ladders.get((row["basis"], row["stratum"]))) for row in row_dicts(candidates))
    unpaid = tuple(
        _candidate(row, ladders[row["basis"], row["stratum"]])
        for row in row_dicts(standings.sort_values(["basis", "level"]))
        if (row["basis"], row["stratum"]) not in paid
    )
    keys, row = result.games.iloc[game], result.contestants.iloc[contestant]
    unpaid += tuple(_unranked(keys, row, standings, edition))
    colours = _colours(result, contestant)
    by = getattr(edition.rules, "coloured_by", None)  # the rules of other packages may say nothing
    paths = by(edition, keys.to_dict(), list(colours)) if by and colours else ()
    shared = (result.player_awards["contestant"] == contestant).any()
    shares = sharing(edition, declared_words(keys["special"])) if shared else Values()
    why = _why(paying, unpaid, bool(row["eligible"]))
    league = str(leagues_of(result.games).iloc[game])
    return Explanation(game, contestant, paying, unpaid, why, edition.values(*paths), shares, league)


_RANKED_BY = {
    True: ("stratum.least-in-game", "stratum.overall"),
    False: ("stratum.least-in-game", "stratum.least-in-group", "stratum.least-compared"),
}
"""The values by which lower strata are ranked, overall or not."""


def _unranked(game: pd.Series, contestant: pd.Series, standings: pd.DataFrame, edition: Edition) -> Iterator[Candidate]:
    """Yield where the contestant is not ranked, with the values that say so: in too small strata, or overall."""
    letters = [stratum.letter for stratum in parse_strata(game["strata"])]
    own = contestant["stratum"]
    there = set(zip(standings["basis"], standings["stratum"], strict=True))
    sections = str(game["tables"]).count("=")
    field = "overall.field"  # the value by which sections are compared overall
    if sections > 1 and not any(Basis.parse(str(text)).over_all for text, _ in there) and field in edition.entries:
        why = "not compared: no other section is compared with this one"
        yield Candidate("overall", letters[0], 0, 0, 1, 0, values=edition.values(field), factors=why, ladder=None)
    for text in dict.fromkeys(standings.loc[standings["knockout"].isna(), "basis"]):
        basis = Basis.parse(str(text))
        paths = [path for path in _RANKED_BY[basis.over_all] if path in edition.entries]
        if basis.kind is Kind.MATCHES or not paths:
            continue
        for letter in letters[1 : letters.index(own) + 1 if own in letters else 0]:
            if (text, letter) not in there:
                values, why = edition.values(*paths), "not ranked: too few of the stratum are there"
                yield Candidate(str(basis), letter, 0, 0, 1, 0, values=values, factors=why, ladder=None)


def _ladders(result: AwardedResult, edition: Edition, standings: pd.DataFrame) -> dict[tuple[str, str], Ladder]:
    """Return the ladder of each basis and stratum that the contestant is ranked in."""
    if not len(standings):
        return {}
    last = (standings["position"] + standings["tied"] - 1).to_numpy(dtype=np.int64)
    members = Members(result.standings, Facts(result.games, result.contestants))
    number, ladders = ladders_of(edition, standings, last, members)
    keys = zip(standings["basis"], standings["stratum"], strict=True)
    return {key: ladders[which] for key, which in zip(keys, number, strict=True)}


def _candidate(row: FrameRow, ladder: Ladder | None) -> Candidate:
    """Return a candidate of a row of the candidates frame, or of the standings frame: one that pays nothing."""
    numbers = {name: int(row.get(name, 0)) for name in ("size", "position", "tied", "masterpoints")}
    values = row["values"] if "values" in row else ladder.values if ladder else Values()
    factors = str(row["factors"]) if "factors" in row else ladder.factors if ladder else ""
    return Candidate(str(row["basis"]), str(row["stratum"]), **numbers, values=values, factors=factors, ladder=ladder)


def _why(paying: Sequence[Candidate], unpaid: Sequence[Candidate], eligible: bool) -> str:
    if not eligible:
        return "it is not eligible: listed, but not ranked and without awards"
    if not paying:
        return "none of its places pays" if unpaid else "it is not ranked"
    if len(paying) == 1:
        return "its only award"
    equal = [f"{each.basis} {each.stratum}" for each in paying[1:] if each.masterpoints == paying[0].masterpoints]
    if equal:
        which = "of equal awards, the one of the higher stratum counts, then the one of the section"
        return f"as much as {' and '.join(equal)}; {which}"
    return f"the highest of {len(paying)} awards"


WRITERS: Writers[[AwardedResult, Explanation]] = Writers()
"""What shows an explanation of a result, by the name of the format."""

LIST_WRITERS: Writers[[AwardedResult, str | None]] = Writers()
"""What shows who is in some games, by the name of the format."""


@WRITERS.text
def _explained(result: AwardedResult, explanation: Explanation) -> Sequence[str]:
    game = result.games.iloc[explanation.game].dropna()
    frame = result.contestants.iloc[[explanation.contestant]]
    contestant = frame.iloc[0].dropna()
    scores = [f"score {contestant['score']:g}"] if "score" in contestant else []
    scores += [*filter(None, [words.percent(contestant.get("percentage"))])]
    book, of = rulebook(game["rulebook"]), explanation.league
    who = f"{labels(frame).iloc[0]} {players_texts(frame)[0]}".strip()
    lines = [
        in_words(f"{words.game_line(result.games.iloc[explanation.game].to_dict())}; rulebook {book.id}: {book.title}"),
        ", ".join([who, *map(in_words, [f"stratum {contestant.get('stratum', '-')}", *scores])]),
        "",
    ]
    if explanation.paying:
        won = explanation.paying[0]
        split, won_by = _split(_colours(result, explanation.contestant), of), _standing(won).rstrip(",")
        points = f"{in_points(won.masterpoints, of)} masterpoints{f' ({split})' if split else ''}"
        lines += map(in_words, [f"{points} from {won_by}: {explanation.why}", _sentence(result, explanation)])
    else:
        lines.append(in_words(f"no masterpoints: {explanation.why}"))
    lines += map(in_words, _players(result, explanation))
    candidates = (*explanation.paying, *explanation.unpaid)
    for candidate in candidates:
        lines += ["", *_lines(candidate, of)]
    for name, values in _named(explanation):
        lines += ["", in_words(name), _beside("rule", values.rule), *_value_lines(values)]
    letters = words.letters(each.factors for each in candidates)
    lines += ["", in_words(letters)] if letters else []
    # What goes on is below its text, beside the words that say what it is.
    beside = len(_beside("", ""))
    return [part for line in lines for part in words.wrapped(line, beside if line.startswith("  ") else 2)]


def _sentence(result: AwardedResult, explanation: Explanation) -> str:
    """Return why the award is what it is, in a sentence."""
    won = explanation.paying[0]
    kind, several = _compared(result, explanation)
    row = {**vars(won), "ranked": won.size}
    parts = [words.place_in_words(row, kind, several), words.reason(row, kind)]
    return f"{in_points(won.masterpoints, explanation.league)}: {'; '.join(filter(None, parts))}."


def _compared(result: AwardedResult, explanation: Explanation) -> tuple[str, bool]:
    """Return what the contestants of the game are, and whether it has several strata."""
    levels = result.standings.loc[result.standings["game"] == explanation.game, "level"]
    return words.contestant_kind(result.games.iloc[explanation.game].to_dict()), bool((levels > 0).any())


def _players(result: AwardedResult, explanation: Explanation) -> list[str]:
    """Return what each player of a team gets, where they get different awards."""
    row, shares, of = result.contestants.iloc[explanation.contestant], result.player_awards, explanation.league
    lines = []
    for award in row_dicts(shares[shares["contestant"] == explanation.contestant]):
        name, part = row.get(f"player{award['player']}"), row.get(f"played{award['player']}")
        told = "" if pd.isna(part) else f", who played {part:g}%"
        split = _split(colour_entries(award), of)
        won = in_points(award["masterpoints"], of) + (f" ({split})" if split else "")
        lines.append(f"  {as_it_is(name) if isinstance(name, str) else award['player']}{told}: {won}")
    return lines


def _lines(candidate: Candidate, of: str) -> Iterator[str]:
    """Yield what a candidate pays, and how. of: whose points."""
    pays = in_points(candidate.masterpoints, of) if candidate.masterpoints else "nothing"
    yield in_words(f"{_standing(candidate)} pays {pays}")
    yield _beside("how", in_words(candidate.factors))
    if ladder := _ladder(candidate, of):
        yield _beside("ladder", in_words(ladder))
    if candidate.shared:
        yield _beside("tie", in_words(f"{_tie(candidate, of)} = {pays}"))
    yield _beside("rule", candidate.rule)
    yield from _value_lines(candidate.values)


def _named(explanation: Explanation) -> list[tuple[str, Values]]:
    """Return what else of an award has values, by its name."""
    named = [("colours", explanation.colours), ("players' shares", explanation.shares)]
    return [(name, values) for name, values in named if values.items]


def _value_lines(values: Values) -> Iterator[str]:
    for value in values.items:
        stated = value.file if value.confidence == "printed" else f"{value.file}, {value.confidence}"
        yield _beside("value", f"{value.path} = {value.value} ({stated})")


_WORDS = ("how", "ladder", "tie", "rule", "value")


def _beside(word: str, text: str) -> str:
    """Return a text beside the word that says what it is, in the language that holds here."""
    return f"  {in_words(word).ljust(max(len(in_words(each)) for each in _WORDS))}  {text}"


def _standing(candidate: Candidate) -> str:
    """Return ``section, stratum A, 2nd of 9``; an award that consists of several others has no place of its own."""
    if candidate.ladder is None:
        return f"{candidate.basis}, stratum {candidate.stratum},"
    last = candidate.position + candidate.tied - 1
    tied = candidate.tied > 1 and not candidate.by_matches
    tie = f" to {ordinal(last)}, {candidate.tied} tied," if tied else ""
    return f"{candidate.basis}, stratum {candidate.stratum}, {ordinal(candidate.position)}{tie} of {candidate.size}"


def _colours(result: AwardedResult, contestant: int) -> dict[str, str]:
    return colour_entries(result.awards.iloc[contestant].to_dict())


def _split(colours: Mapping[str, str], of: str) -> str:
    return " + ".join(f"{whole_or_not(amount, of)} {colour}" for colour, amount in colours.items())


@WRITERS.json
def _json(result: AwardedResult, explanation: Explanation) -> ExplainReport:
    (contestant,) = contestant_entries(result.contestants.iloc[[explanation.contestant]])
    add_player_awards({explanation.contestant: contestant}, result)
    return {
        "provenance": result.provenance.entry(),
        "game": game_entry(result.games.iloc[explanation.game].to_dict()),
        "contestant": contestant,
        "masterpoints": decimal_text(int(result.awards["masterpoints"].iloc[explanation.contestant])),
        "colours": _colours(result, explanation.contestant),
        "why": explanation.why,
        "candidates": [_entry(candidate) for candidate in explanation.paying],
        "unpaid": [_entry(candidate) for candidate in explanation.unpaid],
        "colour_values": value_entries(explanation.colours),
        "share_values": value_entries(explanation.shares),
    }


def _entry(candidate: Candidate) -> ExplainedAward:
    return entry(
        ExplainedAward,
        candidate,
        group_size=candidate.size,
        position=candidate.position or None,
        ladder=candidate.ladder and candidate.ladder.awards[: candidate.ladder.depth],
        values=value_entries(candidate.values),
    )


@WRITERS.shown
def shown(result: AwardedResult, explanation: Explanation) -> Report:
    """Return every place of a contestant and what it pays, and the values of the rulebook that made it."""
    game = result.games.iloc[explanation.game].to_dict()
    of = explanation.league
    frame = result.contestants.iloc[[explanation.contestant]]
    row = frame.iloc[0].dropna()
    names = " – ".join(row[name] for name in family_columns(frame) if name in row)
    facts = [labels(frame).iloc[0], *([f"stratum {row['stratum']}"] if "stratum" in row else [])]
    facts += [*filter(None, [words.percent(row.get("percentage"))])]
    split = _split(_colours(result, explanation.contestant), of)
    facts += [": ".join(filter(None, [split, explanation.why]))] if explanation.paying else []
    kind, several = _compared(result, explanation)
    candidates = (*explanation.paying, *explanation.unpaid)
    places = []
    for each in candidates:
        pays = in_points(each.masterpoints, of) if each.masterpoints else "nothing"
        how = f"{each.factors}; {_tie(each, of)} = {pays}" if each.shared else each.factors
        place = in_words(words.place_in_words({**vars(each), "ranked": each.size}, kind, several))
        kind_of_row = "total" if each in explanation.paying[:1] else ""
        places.append(PageRow([place, pays, how, _ladder(each, of)], kind_of_row))
    every = [*(candidate.values for candidate in candidates), *(values for _, values in _named(explanation))]
    values = []
    for value in dict.fromkeys(value for each in every for value in each.items):
        called = re.sub("[.-]", " ", value.path).capitalize()
        values.append(PageRow([called, _as_listed(value.value), value.cite, f"{value.file}: {value.path}"]))
    of_values = [PageColumn("Value", "n"), PageColumn("Is", "l"), PageColumn("By", "l"), PageColumn("File", "l", "in")]
    of_places = [PageColumn("Place", "n"), PageColumn("Pays", "a bare"), PageColumn("How", "l")]
    of_places.append(PageColumn("Ladder", "l", "Ladder"))
    tables = [
        PageTable("places", "Every place, and what it pays", of_places, places, sorts=False),
        PageTable("values", "The values of the rulebook", of_values, values, sorts=False),
    ]
    return Report(
        names or facts[0],
        [table for table in tables if table.rows],
        over=" · ".join(filter(None, [words.heading(game), words.when(game)])),
        facts=facts,
        lead=_sentence(result, explanation) if explanation.paying else f"No masterpoints: {explanation.why}",
        said=[
            *(text.strip() for text in _players(result, explanation)),
            *filter(None, [words.letters(each.factors for each in candidates)]),
        ],
        provenance=result.provenance,
    )


def _as_listed(value: str) -> str:
    """Return a value of a rulebook as people list it: ``70, 50, 35``, a table as ``5: 0.03, open: 0.08``."""
    rows = re.findall(r"\[([^][]+?), ([^][]+)\]", value) if value.startswith("[[") else []
    return (", ".join(map(": ".join, rows)) if rows else value.strip("[]")).replace('"', "")


def _tie(candidate: Candidate, of: str) -> str:
    """Return how those of a tie share what its places pay: ``(0.90 + 0.63) / 2``."""
    return f"({' + '.join(in_points(each, of) for each in candidate.shared)}) / {candidate.tied}"


def _ladder(candidate: Candidate, of: str) -> str:
    """Return what the places of a candidate's group pay: ``1st 0.90, 2nd 0.63``; '' where they pay nothing."""
    if candidate.ladder is None:
        return ""
    paid = candidate.ladder.awards[: candidate.ladder.depth]
    return ", ".join(f"{ordinal(place)} {in_points(award, of)}" for place, award in enumerate(paid, 1))


def _listed(result: AwardedResult, game_id: str | None) -> dict[str, pd.DataFrame]:
    """Return the contestants of each game, or of one, by game_id: ``name``, ``players`` and ``masterpoints``."""
    names = result.contestants[family_columns(result.contestants)].fillna("").map(cell_text)
    frame = pd.DataFrame(
        {
            "game_id": result.contestants["game_id"],
            "name": labels(result.contestants),
            "players": [[name for name in row if name] for row in names.to_numpy().tolist()],
            "masterpoints": result.awards["masterpoints"].map(decimal_text).to_numpy(),
        }
    )
    return {str(name): rows for name, rows in frame.groupby("game_id", sort=False) if game_id in (None, name)}


@LIST_WRITERS.text
def text(result: AwardedResult, game_id: str | None = None) -> Sequence[str]:
    """Return a line for each contestant, below its game where there are several."""
    games = _listed(result, game_id)
    lines = []
    for name, rows in games.items():
        width = int(rows["name"].str.len().max())
        lines += [f"{name}:"] if len(games) > 1 else []
        for row in row_dicts(rows):
            award = in_words(row["masterpoints"]) if row["masterpoints"] != "0.00" else ""
            lines.append(f"{row['name']:{width}}  {award:>6}  {' - '.join(row['players'])}")
        lines.append("")
    return lines[:-1]


@LIST_WRITERS.json
def to_json(result: AwardedResult, game_id: str | None = None) -> WhoReport:
    """Return the same as JSON."""
    games: list[Any] = [
        {"game_id": name, "contestants": row_dicts(rows.drop(columns="game_id"))}
        for name, rows in _listed(result, game_id).items()
    ]
    return {"provenance": result.provenance.entry(), "games": games}


@LIST_WRITERS.shown
def contestants_listed(result: AwardedResult, game_id: str | None = None) -> Report:
    """Return the same as a page. game_id: the only game that is wanted, None for all."""
    columns = [PageColumn("Contestant"), PageColumn("Players", "n"), PageColumn("Masterpoints", "a")]
    titles: Mapping[str, str] = {game["game_id"]: heading(game) for game in row_dicts(result.games)}
    tables = []
    for number, (name, rows) in enumerate(_listed(result, game_id).items(), 1):
        listed = [PageRow([row["name"], ", ".join(row["players"]), row["masterpoints"]]) for row in row_dicts(rows)]
        tables.append(PageTable(f"game{number}", titles[name], columns, listed))
    over = words.title_of_game(result.games.iloc[0].to_dict()) if len(result.games) == 1 else ""
    return Report("Who is there", tables, over=over, provenance=result.provenance)
