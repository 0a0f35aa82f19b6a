"""Regulations as worked examples: reads ``tests/regulations/*.toml`` and tells where the program pays otherwise.

What the files may say is in ``tests/regulations/README.md``. Each example is typed into a file as a director would, or
looked up in a chart, and what comes out is held against what the example expects.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import games
import knockouts
import pandas as pd
from made_charts import Charted, charted

import resultproc
from resultproc.batch.chunks import Awarded
from resultproc.formats.declared import override
from resultproc.formats.read import drafted
from resultproc.model.draft import distinct, together
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS, GAMES, Result
from resultproc.model.source import Declaration, Source
from resultproc.people.seated import labels
from resultproc.reports.chart import chart
from resultproc.stages.pipeline import award_sheet

FOLDER = Path(__file__).parent / "regulations"

OTHERS, ANY = "others", "any"
"""``others = "any"``: whoever is not listed may get anything; else they get nothing."""

ALIKE = "alike"
"""What the players of a team get where all get what the team does."""

PLAYERS = {"individual": 1, "pairs": 2, "team-of-two": 2}
"""How many names a contestant gets where an example gives none; teams get four."""


@dataclass(frozen=True)
class Example:
    """An example as written, see the README for what each entry says."""

    file: str
    name: str
    cite: str
    how: str = ""
    under: str = ""
    game: Mapping[str, object] = field(default_factory=dict)
    results: str = ""
    brackets: str = ""
    chart: str = ""
    cases: str = ""
    expect: Mapping[str, str] = field(default_factory=dict)
    in_line_for: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)


ENTRIES = {each.name: str if each.type == "str" else dict for each in fields(Example) if each.name != "file"}
"""What an example may say, and whether it is text or a table."""

Entries = Mapping[str, "str | Mapping[str, str]"]
"""An example as its file has it."""

ABOUT_CONTESTANTS = ("expect", "in_line_for", "places", "players")


def read(path: Path) -> list[Example]:
    """Return the examples of a file; raise ValueError that says which one is not as it should be, and what to write."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name} is no TOML: {error}") from None
    unknown = set(content) - {"example"}
    if unknown or not content.get("example"):
        raise ValueError(f"{path.name}: begin every example with [[example]]; '{', '.join(unknown)}' stands outside")
    found = []
    for number, entries in enumerate(content["example"], 1):
        called = f"{path.name}: '{entries.get('name', f'example {number}')}'"
        _check_entries(called, entries)
        _check_expectations(called, entries)
        found.append(Example(path.name, **entries))
    names = [example.name for example in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"{path.name} has two examples of one name: {', '.join(twice)}")
    return found


def _check_entries(called: str, entries: Entries) -> None:
    """Raise ValueError for an entry that there is not, one of the wrong kind, and no name or citation."""
    unknown = set(entries) - set(ENTRIES)
    if unknown:
        raise ValueError(f"{called} has unknown entries: {', '.join(unknown)}; known: {', '.join(ENTRIES)}")
    for entry, value in entries.items():
        if not isinstance(value, ENTRIES[entry]):
            raise ValueError(f"{called}: {entry} should be {'text' if ENTRIES[entry] is str else 'a table'}")
    for entry in ("name", "cite"):
        if not str(entries.get(entry, "")).strip():
            raise ValueError(f"{called} has no {entry}")


def _check_expectations(called: str, entries: Entries) -> None:
    """Raise ValueError for an example without input, without expectations, or with them in two places."""
    if sum(entry in entries for entry in ("results", "brackets", "chart")) != 1:
        raise ValueError(f"{called} needs one of results, brackets and chart")
    tables = [entry for entry in ("chart", "cases") if entry in entries]
    expects = [entry for entry in ABOUT_CONTESTANTS if entries.get(entry)]
    if not tables and not expects:
        raise ValueError(f"{called} expects nothing; write {', '.join(ABOUT_CONTESTANTS)}")
    if list(entries.get("expect", {})) == [OTHERS]:
        raise ValueError(f"{called}: expect lists no contestant; leave it out")
    if len([*tables, *expects[:1]]) > 1:
        raise ValueError(f"{called}: what {tables[0]} should pay stands in its columns alone")


Results = Mapping[tuple[str, int], Result]
"""What the games of examples came to, by the name of the example and the number of its case."""

Charts = Mapping[tuple[str, int], Charted]
"""What the rows of charts came to, by the name of the example and the number of the row."""


def differences(
    example: Example, folder: Path, results: Results | None = None, charts: Charts | None = None
) -> list[str]:
    """Return where the program differs from what an example expects: nothing where it does not.

    folder: where the example's sheet can be written. results: those of :func:`at_once`; a game that is not among them
    is awarded alone. charts: those of :func:`charts_at_once`; a row that is not among them is looked up in the
    program's chart. Raises ValueError where the example cannot be read.
    """
    try:
        if example.chart:
            return [
                f"row {number}: {difference}"
                for number, row in enumerate(rows(example.chart), 1)
                for difference in _of_chart(example, row, (charts or {}).get((example.name, number)))
            ]
        return [
            f"{f'row {number}: ' if number else ''}{difference}"
            for number, game in _games(example)
            for difference in _of_game(game, (results or {}).get((example.name, number)) or _alone(game, folder))
        ]
    except InputError as error:
        return [f"it is refused: {problem}" for problem in error.problems]


def at_once(examples: Iterable[Example]) -> Results:
    """Award the games of examples together: none of them if any is refused, which is told of it alone."""
    played = {(each.name, number): game for each in examples if not each.chart for number, game in _games(each)}
    try:
        drafts = [drafted(_source(game), format="csv", **_keys(game)) for game in played.values()]
        named = distinct(drafts)
        whole = Awarded(award_sheet(together(named)), dict(enumerate(drafts)), named)
    except InputError:
        return {}
    return {key: whole.alone(number) for number, key in enumerate(played)}


def charts_at_once(examples: Sequence[Example], every: bool = False) -> Charts:
    """Award games made up for the rows of charts together: none of them if any is refused, which is told of it alone.

    Not among them is the first row of each example, where every is true, and else of one example of each kind.
    """
    charts = [each for each in examples if each.chart]
    alone = {each.name if every else _kind_of_chart(each): each.name for each in charts}.values()
    asked = {
        (each.name, number): (_kind(each, row), float(row["tables"]))
        for each in charts
        for number, row in enumerate(rows(each.chart), 1)
        if number > 1 or each.name not in alone
    }
    try:
        found = charted([kind for kind, _ in asked.values()], [tables for _, tables in asked.values()]) if asked else []
    except InputError:
        return {}
    return dict(zip(asked, found, strict=True))


def _kind_of_chart(example: Example) -> object:
    """Return what tells charts apart that the program finds in other ways: the event, and which awards there are."""
    row = rows(example.chart)[0]
    return {**example.game, **row}.get("event_type"), tuple(name for name in row if BASES.fullmatch(name))


def _games(example: Example) -> Iterator[tuple[int, Example]]:
    """Yield the game of an example, as number 0, or those of its cases."""
    if not example.cases:
        yield 0, example
    for number, row in enumerate(rows(example.cases) if example.cases else (), 1):
        yield number, case(example, row)


def _alone(example: Example, folder: Path) -> Result:
    sheet = folder / "example.csv"
    sheet.write_bytes(_source(example).data)
    return resultproc.process(sheet, format="csv", **_keys(example))


def _source(example: Example) -> Source:
    return Source("example.csv", as_csv(example).encode())


def _keys(example: Example) -> dict[str, object]:
    """Return what is declared of a game. An example lists those whom it is about."""
    return {"sit_outs": games.ALL, **example.game}


def _of_game(example: Example, result: Result) -> list[str]:
    """Return where a result is not what an example of one game expects."""
    known = list(labels(result.contestants))
    book = result.games["rulebook"].iloc[0]
    if example.under and example.under != book:
        return [f"it should be awarded under {example.under}, and is under {book}"]
    wrong = [
        f"{entry}: there is no {name}, but {', '.join(known)}"
        for entry in ABOUT_CONTESTANTS
        for name in getattr(example, entry)
        if name not in known and (entry, name) != ("expect", OTHERS)
    ]
    return wrong or [
        f"{entry}: {name} should be '{expected}', is '{found}'"
        for entry, name, expected, found in _compared(example, result, known)
        if expected != found
    ]


def case(example: Example, row: Mapping[str, str]) -> Example:
    """Return the example with what a row of its cases says: keys of the game, and what contestants are paid."""
    said = {name: text for name, text in row.items() if text and name != "how"}
    expect = {name: text for name, text in said.items() if "-" in name}
    if not expect:
        raise ValueError(f"the row {row} expects nothing; name a column by a contestant, such as A-1")
    keys = {name: text for name, text in said.items() if name not in expect}
    return replace(example, cases="", game={**example.game, **keys}, expect={OTHERS: ANY, **expect})


def _compared(example: Example, result: Result, known: list[str]) -> Iterator[tuple[str, str, object, object]]:
    """Yield the entry, the contestant, and what is expected and found, in one spelling."""
    if example.expect:
        others = example.expect.get(OTHERS)
        if others not in {None, ANY}:
            raise ValueError(f"'{OTHERS}' may be '{ANY}', and is '{others}'")
        for row, name in enumerate(known):
            if name in example.expect:
                award = Award.of(example.expect[name])
                yield "expect", name, award.text(), _paid(result, row).told_as(award).text()
            elif others is None:
                yield "expect", name, "0.00", replace(_paid(result, row), colours=None).text()
    for name, text in example.in_line_for.items():
        expected = [] if text == "nothing" else [Award.of(each) for each in parts(text)]
        found = [f"{award} ({basis})" for basis, award in games.candidates(result, name).items()]
        yield "in_line_for", name, _listed(award.text() for award in expected), _listed(found)
    for name, text in example.places.items():
        found = [f"{basis} {place}" for basis, place in games.places(result, name).items()]
        yield "places", name, _listed(parts(text)), _listed(found)
    for name, text in example.players.items():
        shares = result.player_awards
        found = shares[shares["contestant"] == known.index(name)].sort_values("player")["masterpoints"]
        yield "players", name, text, " ".join(map(games.mp, found)) or ALIKE


def parts(text: str) -> list[str]:
    return re.split(r",\s+", text.strip())


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts)) or "nothing"


@dataclass(frozen=True)
class Award:
    """An award in hundredths; its colours and what pays it, where they are told."""

    hundredths: int
    colours: Mapping[str, int] | None = None
    by: str = ""

    @classmethod
    def of(cls, text: str) -> Award:
        """Return what ``0.63``, ``0.63 (section A)`` or ``2.22 gold + 0.99 red (overall A)`` says."""
        part = rf"\d+\.\d\d(?: (?:{'|'.join(COLOURS)}))?"
        said = re.fullmatch(rf"({part}(?: \+ {part})*)(?: \((.+)\))?", text)
        parts = [each.partition(" ") for each in said[1].split(" + ")] if said else []
        coloured = [colour for _, _, colour in parts if colour]
        if not said or ((len(parts) > 1 or coloured) and len(set(coloured)) < len(parts)):
            raise ValueError(f"invalid award: '{text}'; write 0.63 (section A), or 2.22 gold + 0.99 red (overall A)")
        amounts = [round(float(amount) * 100) for amount, _, _ in parts]
        return cls(sum(amounts), dict(zip(coloured, amounts, strict=True)) if coloured else None, said[2] or "")

    def told_as(self, other: Award) -> Award:
        """Return the award without what the other does not tell."""
        return Award(self.hundredths, None if other.colours is None else self.colours, self.by if other.by else "")

    def text(self) -> str:
        """Return it as examples write it, the better colours first."""
        colours = [] if self.colours is None else [(colour, self.colours.get(colour, 0)) for colour in COLOURS[::-1]]
        split = " + ".join(f"{games.mp(amount)} {colour}" for colour, amount in colours if amount)
        return (split or games.mp(self.hundredths)) + (f" ({self.by})" if self.by else "")


def _paid(result: Result, row: int) -> Award:
    award = result.awards.iloc[row]
    winner = result.candidates.iloc[award["candidate"]] if award["candidate"] >= 0 else None
    by = "" if winner is None else f"{winner['basis']} {winner['stratum']}"
    return Award(int(award["masterpoints"]), {colour: int(award[colour]) for colour in COLOURS}, by)


def as_csv(example: Example) -> str:
    """Return the results of an example, or those of its brackets, as a CSV file has them."""
    if example.brackets:
        return _brackets(example.brackets)
    return with_names(example.results, str(example.game.get("event_type", "pairs")))


def with_names(results: str, kind: str) -> str:
    """Return results of a type of event, with names for the players where they have none."""
    lines = [line.strip() for line in results.strip().splitlines()]
    header = [name.strip().lower() for name in lines[0].split(",")]
    if "player1" in header:
        return "\n".join(lines)
    count = sum(re.fullmatch(r"mp\d", name) is not None for name in header) or PLAYERS.get(kind, 4)
    names = [[f"player{n}" for n in range(1, count + 1)]]
    names += [[f"Player {line}.{n}" for n in range(1, count + 1)] for line in range(1, len(lines))]
    return "\n".join(",".join([*more, line]) for more, line in zip(names, lines, strict=True))


def _brackets(table: str) -> str:
    """Return the results of seeded brackets, in which the lower number wins every match, but for play-offs."""
    columns = {"section", "teams", "top team holds", "others hold", "play-offs"}
    brackets = []
    for row in rows(table):
        if set(row) - columns:
            raise ValueError(f"brackets have the columns {', '.join(sorted(columns))}, not {', '.join(row)}")
        held = [float(row[name]) if row.get(name) else None for name in ("top team holds", "others hold")]
        playoffs = {}
        for match in filter(None, row.get("play-offs", "").split(", ")):
            winner, loser = match.split(" beats ")
            playoffs |= {f"t{winner}": f"W {loser}", f"t{loser}": f"L {winner}"}
        teams = knockouts.bracket(row["section"], int(row["teams"]), held[0] or 1000, held[1], **playoffs)
        brackets.append(teams.drop(columns="where"))
    return pd.concat(brackets).to_csv(index=False)


def rows(table: str) -> list[dict[str, str]]:
    """Return the rows of a table whose columns are divided by |, by the names in its first line; blank cells are ''."""
    lines = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    wrong = [line for line in lines if len(line) != len(lines[0])]
    if wrong or len(lines) < 2:
        raise ValueError(f"every row of a table has as many cells as its first line: {wrong or lines}")
    if len(set(lines[0])) < len(lines[0]):
        raise ValueError(f"two columns of a table have the same name: {', '.join(lines[0])}")
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


BASES = re.compile(r"section|overall|session( [1-9])?|(handicap )(section|overall)")


def _keys_of_row(row: Mapping[str, str]) -> dict[str, str]:
    """Return the keys of the game that a row of a chart declares."""
    other = {"tables", "under", "how"}
    return {name: text for name, text in row.items() if name not in other and not BASES.fullmatch(name) and text}


def _kind(example: Example, row: Mapping[str, str]) -> pd.DataFrame:
    """Return the kind of game that a row of a chart is for: a row of the games frame."""
    declared = {name: Declaration(value, name) for name, value in {**example.game, **_keys_of_row(row)}.items()}
    return override(GAMES.conform(pd.DataFrame({"game_id": ["chart"]})), declared, example.file)


def _looked_up(kind: pd.DataFrame, tables: float) -> Charted:
    found = chart(kind, tables)
    return Charted(
        found.rulebook, {block.basis: [games.mp(award) for award in block.rows[0].awards] for block in found.blocks}
    )


def _of_chart(example: Example, row: Mapping[str, str], found: Charted | None) -> Iterator[str]:
    """Yield where a row of a chart is not what the program charts; found: what it came to, if that is known."""
    bases = {name: text for name, text in row.items() if BASES.fullmatch(name) and text}
    if not row.get("tables"):
        raise ValueError(f"the row {row} has no number of tables")
    if not bases and not row.get("under"):  # else a row would be right whatever is paid
        raise ValueError(f"the row {row} expects nothing; name a column section, session, overall or under")
    found = found or _looked_up(_kind(example, row), float(row["tables"]))
    where = f"{row['tables']} tables" + "".join(f", {name} {text}" for name, text in _keys_of_row(row).items())
    under = row.get("under") or example.under
    if under not in {"", found.rulebook}:
        yield f"{where}: should be under {under}, is under {found.rulebook}"
    for basis, text in bases.items():
        awards = found.awards.get(basis, [])
        if not _agrees(text, awards):
            yield f"{where}: {basis} should pay '{text}', pays '{' '.join(awards) or 'none'}'"


def _agrees(text: str, awards: list[str]) -> bool:
    """Return whether awards are those that a cell of a chart tells: ``1.00 0.70``, ``1.00 0.70 ... 8 places``."""
    said = re.fullmatch(r"(none|\d+\.\d\d(?: \d+\.\d\d)*)( \.\.\.(?: (\d+) places?)?)?", text)
    if not said:
        raise ValueError(
            f"'{text}' are no awards; write 1.00 0.70 0.50, or 1.00 0.70 ..., or 1.00 ... 8 places, or none"
        )
    if said[1] == "none":
        return not awards
    expected = said[1].split()
    if not said[2]:
        return awards == expected
    return awards[: len(expected)] == expected and said[3] in {None, str(len(awards))}
