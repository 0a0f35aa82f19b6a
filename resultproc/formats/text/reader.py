"""The listings that ACBLscore prints and clubs publish as text, and the sheets that this package writes.

A listing is headed by the event's line (name, session, date), a line with the section and direction (or no direction:
one winner), and two lines of labels: ``Pair``, ``Team`` or ``Player``; ``Pct`` and ``Score``, or for IMPs the score
alone; ``Section Rank`` or ``Sectn Rank``, and often ``Overall Rank`` or ``O/All Rank``, above a letter for each stratum
(A B C, or C D E); ``MPs``. A game without strata has one line of labels, with ``Rank``. It reads

- fixed columns and tabs; LF or CRLF, form feeds; UTF-8 or Windows-1252; the text in the ``<pre>`` of a web page;
- several listings in a file: those with another first line are another game; those with the same one are one game,
  unless they show that they are several (below);
- four names in a row: they are a team;
- sections listed together (``Section  E F``), each row beginning with its own;
- the same listing twice, word for word, which is read once;
- ranks such as ``1/2`` for a tie; ``NE``: not eligible, and so out of all ranks and awards;
- awards with the stratum or basis and stratum that paid them: ``0.90 (A)``, ``2.50(OA)``, ``0.88(SC)``; awards alone,
  or with their colours: ``0.36Blk``, ``5.25R/B``; the words ``Section C`` in place of an award that is not known yet;
- columns of Qs below ``Qualifiers``, which say nothing that ranks decide; ``Adjust``, which the score has in it;
- rows of the sheets that this package prints that go on in the lines below them, under labels of their own;
- what the writer adds: labels ``Names``, ``Hcp``, ``Carry``, ``Adj``, ``Wins``, ``Session 1``, ``Round 1``,
  ``Playoff``, ``Colours``; lists of members; names and other texts in double quotes where they would be taken for
  something else.

Lines ``# key: value`` declare, as in CSV. Below a listing, a line ``# [games.ID]`` names its game, and the lines
after it are then all that is declared of that game; without one, what the heading says counts where nothing is
declared, and the tables in play follow from the rows: in each section as many as the longer direction, less half a
table where the directions differ. Text between listings is passed over, except where it looks like a row.

Which sections below one title are one game is told by their overall ranks: in one game each place is taken once, over
both directions or in each of them, and one of the game is first. Where there are none, sections that played the same
rounds with the same average are one game, those that differ in both are several. What this leaves open is asked for:
``# sections: D; E, F`` in the report, or ``sections`` in the TOML file beside it, says that D is one game, and E and F
together another.

The printed ranks and awards go into the ``printed_`` columns. On bad input: InputError that names the line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pandas as pd

from resultproc.formats.declared import read_sidecar
from resultproc.formats.text.lines import SECTION_LINE, add_members, kind, report_lines, unfolded
from resultproc.formats.text.listing import (
    ABROAD,
    ListingColumns,
    is_letters,
    is_unstratified,
    listing_columns,
    listing_record,
)
from resultproc.formats.text.recap_sheet import has_recap, recap_draft
from resultproc.model.codes import EMPTY, UNREADABLE
from resultproc.model.dates import written_date
from resultproc.model.directions import direction_of
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError
from resultproc.model.game import EventType, Movement, per_section_text
from resultproc.model.grid import Cell, Records
from resultproc.model.source import Declaration, Source
from resultproc.model.text import tidy
from resultproc.tables.titles import GAME_LINE, key_lines, unquoted
from resultproc.tables.unsaid import tables_filled

_DATE = re.compile(r"\s*([A-Z][a-z]+ [0-9]{1,2}, [0-9]{4}|[0-9]{1,2}\.? (?:de )?[^\W\d]+ (?:de )?[0-9]{4})$")
_WORDS = "|".join(["Session", *(word for word, label in ABROAD.items() if label == "Session")])
_SESSION = re.compile(rf"\s*\b((?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\s+)?\S+)\s+(?:{_WORDS})$")

_KINDS = {"Pair": EventType.PAIRS, "Player": EventType.INDIVIDUAL, "Team": EventType.SWISS}
"""What those are whom the first column calls so; of teams it may be another event."""


_SECTIONS_KEY = "sections"
"""The name of the declaration that says which sections are one game."""

_ROUNDS = re.compile(r"\bafter\s+([0-9]+)\s+rounds?\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\bAverage:\s*([0-9.]+)")


@dataclass
class ListedSection:
    """A section of a title, or several that are listed together, as far as it tells which game it is of."""

    name: str  # what follows ``Section``
    rounds: str  # as printed, empty where it is not
    average: str  # as printed, empty where it is not
    overall: tuple[str, ...]  # the letters of the strata that have overall ranks
    ranks: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # per direction and stratum the overall ranks

    @property
    def names(self) -> list[str]:
        """The sections that are listed in it."""
        return [self.name] if self.name.startswith('"') else self.name.split()

    def add(self, contestant: Mapping[str, object]) -> None:
        """Add the overall ranks of a contestant that is listed in it: ``A=1, B=1/2``."""
        direction = str(contestant["direction"])
        for part in filter(None, str(contestant.get("printed_overall", "")).split(", ")):
            letter, _, rank = part.partition("=")
            self.ranks.setdefault((direction, letter), []).append(rank)


@dataclass
class _Game:
    """A game as it is read."""

    heading: Cell  # the first line of its listings
    contestant: str = "Pair"  # what the first column is called, or what four names a row say
    # Its contestants, in the contestants frame's columns.
    records: list[dict[str, object]] = field(default_factory=list)
    together: dict[str, str] = field(default_factory=dict)  # per section that is listed with others, the first of them
    sections: dict[str, ListedSection] = field(default_factory=dict)  # as they are listed, by name
    game_id: str = ""  # empty where no line names it

    def of(self, sections: list[ListedSection]) -> _Game:
        """Return the game that some of its sections are."""
        names = {unquoted(name) for section in sections for name in section.names}
        records = [record for record in self.records if record["section"] in names]
        together = {name: first for name, first in self.together.items() if name in names}
        return replace(self, records=records, together=together)


def heading_facts(text: str, where: str = "") -> dict[str, object]:
    """Return what the first line of a listing says: event, session and date, as far as it has them.

    Raises InputError for a date that cannot be.
    """
    facts: dict[str, object] = {}
    found = _DATE.search(text)
    if found:
        try:
            facts["date"] = pd.Timestamp(written_date(found[1]))
        except ValueError:
            raise InputError(
                f"invalid date: '{found[1]}'", where, "write it as April 18, 2012", code=UNREADABLE
            ) from None
        text = text[: found.start()]
    found = _SESSION.search(text)
    if found:
        facts["session"] = tidy(found[1])
        text = text[: found.start()]
    return facts | ({"event": tidy(text)} if tidy(text) else {})


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    lines = report_lines(source.data)
    declared, each = key_lines((line.text.strip(), line.where) for line in lines if kind(line.text) == "keys")
    if has_recap(line.text for line in lines):
        listings = [line.where for line in lines if kind(line.text) == "header"]
        if listings:
            what = "the listing below this header is not read, because the file also has recap sheets"
            raise InputError(what, listings[0], "give the listings and the recap sheets files of their own")
        return Reading(recap_draft(source, lines), declared, each=each)
    lines = unfolded(lines)
    grouping = declared.pop(_SECTIONS_KEY, None) or read_sidecar(source)[0].get(_SECTIONS_KEY)
    games = _split_games(_games(lines), grouping)
    if not games:
        raise FormatError("no listing found", hint="a listing is headed by Pair, Pct, Score, ...", code=EMPTY)
    ids = [game.game_id or source.game_id(n, len(games)) for n, game in enumerate(games, 1)]
    records = [{"game_id": name, **record} for name, game in zip(ids, games, strict=True) for record in game.records]
    facts = [{"game_id": name, **_facts(game)} for name, game in zip(ids, games, strict=True)]
    sheet = sheet_of(source, Records(records), facts)
    return Reading(sheet, declared, each=each, settled=frozenset({_SECTIONS_KEY}))


def _split_games(games: list[_Game], grouping: Declaration | None) -> list[_Game]:
    """Return the games of a file; one title may stand above several.

    grouping: which sections are one game, where that is declared. Raises InputError where it is not clear.
    """
    declared = declared_groups(grouping, [s for game in games for s in game.sections.values()]) if grouping else []
    return [
        game if game.game_id else game.of(sections)
        for game in games
        for sections in (
            [[]]
            if game.game_id
            else _games_of(tidy(game.heading.text), game.heading.where, list(game.sections.values()), declared)
        )
    ]


def _games(lines: list[Cell]) -> list[_Game]:
    """Return the games of a file in order. A line that names one ends it: the next listing begins another."""
    named: list[_Game] = []
    games: dict[str, _Game] = {}
    above: list[Cell] = []
    row = 0
    while row < len(lines):
        line = lines[row]
        what = kind(line.text)
        row += 1
        if what == "row":
            raise InputError("there is no header above this row", line.where, "head it with Pair, Pct, Score, ...")
        if what == "text":
            above.append(line)
        if what == "keys" and games and GAME_LINE.fullmatch(line.text.strip()):
            named.append(_name(line, games))
            games = {}
        if what == "header":
            row = _listing(lines, row - 1, above, games)
            above = []
        if what == "members":
            end = _end(lines, row)
            add_members(line, lines[row:end], [record for game in games.values() for record in game.records])
            row = end
    return [*named, *games.values()]


def _name(line: Cell, games: dict[str, _Game]) -> _Game:
    """Return the one game that is above a line that names it."""
    if len(games) > 1:
        raise InputError(
            f"this line names one game, but there are {len(games)} above it",
            line.where,
            "declare the keys of single games above the first listing, or in the TOML file",
        )
    found = GAME_LINE.fullmatch(line.text.strip())
    (game,) = games.values()
    game.game_id = found[1] if found else ""
    return game


def _listing(lines: list[Cell], start: int, above: list[Cell], games: dict[str, _Game]) -> int:
    """Read the listing whose header is at ``start`` into its game; return where it ends."""
    header = lines[start]
    title, section = _heading_lines(above, header)
    after = iter(range(start + 1, len(lines)))
    if is_unstratified(header.text):
        columns = listing_columns(header, None)
    else:
        letters = next((i for i in after if lines[i].text.strip()), start)
        if not is_letters(lines[letters].text):
            raise InputError("there are no stratum letters below this header", header.where, "write A, B, C below it")
        columns = listing_columns(header, lines[letters])
    start = next((i for i in after if lines[i].text.strip()), len(lines))
    end = _end(lines, start)
    if end == start:
        raise InputError("there are no contestants below this header", header.where, "is the file cut off?", code=EMPTY)
    game = games.setdefault(tidy(title.text), _Game(title, columns.contestant))
    _add(game, section, columns, lines[start:end])
    return end


def _end(lines: list[Cell], start: int) -> int:
    """Return where the rows that begin at ``start`` end, with or without a blank line before the next title."""
    end = next((i for i in range(start, len(lines)) if kind(lines[i].text) not in {"row", "text"}), len(lines))
    titled = end < len(lines) and kind(lines[end].text) == "header" and SECTION_LINE.fullmatch(lines[end - 1].text)
    return max(end - 2, start) if titled else end


def _heading_lines(above: list[Cell], header: Cell) -> tuple[Cell, Cell]:
    if len(above) < 2 or not SECTION_LINE.fullmatch(above[-1].text):
        raise InputError(
            "the two lines above this header do not name the event and the section",
            header.where,
            "write them as 'Open Pairs Wednesday Aft Session April 18, 2012' and 'Section A  North-South'",
        )
    return above[-2], above[-1]


def _add(game: _Game, section: Cell, columns: ListingColumns, rows: list[Cell]) -> None:
    """Add the rows of a listing to its game, except for those that are in it already, word for word."""
    found = SECTION_LINE.fullmatch(section.text)
    assert found is not None
    name, direction = found[1], direction_of(found[2] or "")
    together = [] if name.startswith('"') else name.split()
    if len(together) > 1:
        game.together |= dict.fromkeys(together, together[0])
    there = {_said(record) for record in game.records}
    rounds, average = (found[1] if (found := said.search(section.text)) else "" for said in (_ROUNDS, _AVERAGE))
    overall = tuple(column.letter for column in columns.columns if column.name == "overall")
    listed = game.sections.setdefault(name, ListedSection(name, rounds, average, overall))
    for row in rows:
        contestant = listing_record(row, columns)
        contestant |= _seat(str(contestant["number"]), unquoted(name), together, row.where)
        contestant["direction"] = direction
        if _said(contestant) in there:
            continue
        game.records.append(contestant)
        listed.add(contestant)
        if "player4" in contestant and game.contestant == "Pair":
            game.contestant = "Team"


def _said(record: dict[str, object]) -> frozenset[tuple[str, object]]:
    return frozenset(item for item in record.items() if item[0] != "where")


def _seat(number: str, section: str, together: list[str], where: str) -> dict[str, object]:
    """Return section and number; where sections are listed together, the first cell holds both."""
    if len(together) > 1:
        section, _, number = number.partition(" ")
        if section not in together or not number or " " in number:
            raise InputError(
                f"this row does not begin with a section ({', '.join(together)}) and a number",
                where,
                "such as E 1",
            )
    elif " " in number and not number.startswith('"'):
        raise InputError(f"invalid number: '{number}'", where, "write it without blanks", code=UNREADABLE)
    return {"section": section, "number": unquoted(number)}


def _facts(game: _Game) -> dict[str, object]:
    """Return what the listings say of their game besides its contestants, where no line names it."""
    if game.game_id:
        return {}
    facts = heading_facts(game.heading.text.strip(), game.heading.where)
    frame = pd.DataFrame.from_records(game.records, columns=["section", "direction"])
    tables, movement = {}, {}
    for name, rows in frame.groupby("section"):
        tables[str(name)] = tables_filled(rows["direction"].tolist(), _KINDS[game.contestant])
        movement[str(name)] = (Movement.MITCHELL if rows["direction"].notna().any() else Movement.HOWELL).value
    facts |= {"tables": per_section_text(tables), "movement": per_section_text(movement)}
    if game.contestant == "Player":
        facts["event_type"] = EventType.INDIVIDUAL.value
    if game.together:
        facts["stored_ranked_with"] = per_section_text({name: game.together.get(name, name) for name in tables})
    return facts


def declared_groups(declaration: Declaration, sections: Iterable[ListedSection]) -> list[list[str]]:
    """Return the sections of each game that ``D; E, F`` names; raise InputError for what no report can have."""
    text = declaration.value
    parts = text if isinstance(text, list) else str(text).split(";")
    groups = [re.split(r"[,\s]+", str(part).strip()) for part in parts if str(part).strip()]
    named = [name for group in groups for name in group]
    listed = {name for section in sections for name in section.names}
    unknown = next((name for name in named if name not in listed), None)
    if not groups or unknown or len(set(named)) < len(named):
        what = (
            f"there is no section {unknown} in the report" if unknown else "a section is named twice, or none is named"
        )
        raise InputError(
            f"{_SECTIONS_KEY}: {what}",
            declaration.where,
            f"name each once, with ';' between games: {'; '.join(sorted(listed))}",
        )
    return groups


def _games_of(
    title: str, where: str, sections: Sequence[ListedSection], declared: Sequence[Sequence[str]]
) -> list[list[ListedSection]]:
    """Return the sections of a title as the games that they are.

    title: above their listings.
    where: its line, for messages.
    sections: those below the title, in order.
    declared: the sections of each game, where they are declared.
    Raises InputError, which says how to declare them, where they do not tell.
    """
    if len(sections) < 2:
        return [list(sections)]
    said = [[section for section in sections if set(section.names) <= set(names)] for names in declared]
    said = [group for group in said if group]
    if said:
        if sum(map(len, said)) < len(sections):
            raise InputError(f"{_SECTIONS_KEY} leaves out some sections of '{title}'", where, _how(sections))
        return said
    together = [list(sections)]
    groups: dict[tuple[object, ...], list[ListedSection]] = {}
    for section in sections:
        groups.setdefault((section.rounds, section.average, section.overall), []).append(section)
    by_heading = list(groups.values())
    alike = len(by_heading) == 1
    if any(section.overall for section in sections):
        candidates = [together, by_heading, [[section] for section in sections]]
        whole = [[each for each in groups if _clash(each) or _lacks_first(each)] == [] for groups in candidates]
        fitting = [each for i, each in enumerate(candidates) if each not in candidates[:i] and whole[i]]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting and alike and not _clash(sections):
            return together
    else:
        fitting = [together, by_heading]
    if alike and together in fitting:
        return together
    unlike = [  # so that they cannot be one game
        one.overall != other.overall or (one.rounds != other.rounds and one.average != other.average)
        for (one, *_), (other, *_) in pairwise(by_heading)
    ]
    if by_heading in fitting and all(unlike):
        return by_heading
    names = " and ".join(section.name for section in sections)
    raise InputError(
        f"sections {names} share the title '{title}', and may be one game or several",
        where,
        _how(sections),
    )


def _how(sections: Sequence[ListedSection]) -> str:
    names = [", ".join(section.names) for section in sections]
    apart, together = "; ".join(names), ", ".join(names)
    return (
        f"write '# {_SECTIONS_KEY}: {together}' above the first listing if they are one game, "
        f"or '# {_SECTIONS_KEY}: {apart}' if each is "
        f'its own; or {_SECTIONS_KEY} = "{apart}" at the top of the TOML file beside the report'
    )


def _clash(sections: Sequence[ListedSection]) -> bool:
    """Return whether a place is taken twice, over both directions and in one of them, too."""
    ranks = [(*key, texts) for section in sections for key, texts in section.ranks.items()]
    fields: dict[str, dict[tuple[str, str], list[str]]] = {"combined": {}, "direction": {}}
    for direction, letter, texts in ranks:
        fields["combined"].setdefault(("", letter), []).extend(texts)
        fields["direction"].setdefault((direction, letter), []).extend(texts)
    return all(any(map(_taken_twice, field_.values())) for field_ in fields.values())


def _taken_twice(ranks: Sequence[str]) -> bool:
    """Return whether ranks such as 1, 2/3, 2/3 give more contestants a place than tied for it."""
    counts = Counter(ranks)
    spans = sorted((int(text.split("/")[0]), int(text.split("/")[-1]), count) for text, count in counts.items())
    too_many = any(count > last - first + 1 for first, last, count in spans)
    return too_many or any(second[0] <= first[1] for first, second in pairwise(spans))


def _lacks_first(sections: Sequence[ListedSection]) -> bool:
    """Return whether overall ranks are printed, and nobody is first in the top stratum or in one that has ranks."""
    printed = next((section.overall for section in sections if section.overall), ())
    letters = {letter for section in sections for _, letter in section.ranks} | set(printed[:1])
    firsts = {
        letter
        for section in sections
        for (_, letter), texts in section.ranks.items()
        if any(text.split("/")[0] == "1" for text in texts)
    }
    return bool(letters - firsts)
