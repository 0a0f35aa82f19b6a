"""What the columns of a list mean: told by what heads them and by what is in them.

A column is taken for something only where its content allows it. A column that stays open is none of these, and is
named in a remark by the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise, permutations
from statistics import fmean, median
from types import MappingProxyType
from typing import NamedTuple

from resultproc.model.column_names import PLACE_COLUMN, column_of, meanings_of, side_of
from resultproc.model.directions import direction_headed, direction_of, short_directions
from resultproc.model.errors import Problem, raise_if_any
from resultproc.model.frames import CONTESTANTS
from resultproc.model.grid import Cell, Row
from resultproc.model.numbers import SHARE, likely_number, number_of, share_of
from resultproc.model.places import NUMBER_SIGN, place_of
from resultproc.model.text import either, folded
from resultproc.model.understood import BY_HEADING, UNKNOWN_HEADING
from resultproc.people.names import LIKE_A_NAME, are_initials, split_players
from resultproc.tables.cells import AWARD_CELL, OF_MEMBERS, RANKED, cell_value, says_nothing
from resultproc.tables.headings import Headings, clash, headings_of, missing_columns, misspelt_in
from resultproc.tables.heads import BOARD_COLUMN, NAMES, RANKING_COLUMNS, SEATS_NAMED, UNREAD, meanings, names_teams
from resultproc.tables.unsaid import are_fractions


@cache
def _seat() -> re.Pattern[str]:
    """Return what the number of a contestant looks like, with its section or direction before or after it."""
    side = either(map(re.escape, short_directions()))
    sign = rf"(?:[#(]|{NUMBER_SIGN}\s?)?"
    number = rf"{sign}(?:[A-Z]{{1,2}}\s*-?\s*)?(?:{side})?\s*-?\s*[0-9]{{1,4}}\s*-?\s*(?:{side}|[A-Z])?[.:)]?"
    return re.compile(number, re.IGNORECASE)


_LETTER = re.compile("[A-Fa-f]")
_MEMBER = re.compile(rf"[A-Z]?[0-9]{{3,9}}[A-Z]?|{OF_MEMBERS.pattern}", re.IGNORECASE)


class ListColumn(NamedTuple):
    """What a column is taken for."""

    name: str  # as in ``model/column_names.py``; empty where it stays open
    head: str = ""  # the text above it
    why: str = ""  # what showed it, or why it stays open


def list_columns(heads: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> list[ListColumn]:
    """Return what each column of a list is taken for.

    heads: the texts of its header, None where it has none. rows: the texts of its rows, all as long as the header.
    """
    width = len(heads) if heads is not None else max(map(len, rows), default=0)
    own = _carried(heads or [])
    texts_of = ([row[i] if i < len(row) else "" for row in rows] for i in range(width))
    cells = [["" if says_nothing(own.get(i), text) else text for text in texts] for i, texts in enumerate(texts_of)]
    values = [[text for text in column if text] for column in cells]
    asked = [meanings_of(head) for head in heads] if heads is not None else [frozenset[str]()] * width
    if heads and all(column_of(head) or not meanings_of(head) for head in heads):
        # ``Pct`` is a score in Romanian, and this list is not in that.
        only = RANKED if is_exact(heads) else {"percentage"}
        asked = [
            frozenset({own_name}) if (own_name := column_of(head)) in only else names
            for head, names in zip(heads, asked, strict=True)
        ]
    columns = [
        _headed(head, names, texts) for head, names, texts in zip(heads or [""] * width, asked, values, strict=True)
    ]
    if not any(column.name in RANKING_COLUMNS for column in columns):  # of few rows one cell is much
        columns = [
            _headed(column.head, names, _but_one(texts)) if not column.name and names & {*RANKING_COLUMNS} else column
            for column, names, texts in zip(columns, asked, values, strict=True)
        ]
    if any(folded(head) in _OVERALL for head in heads or []):  # places in the section stand beside those
        seats = [cells[i] for i, column in enumerate(columns) if column.name in {"number", "direction"}]
        placed = [i for i, column in enumerate(columns) if column.name == "section" and _are_placings(cells[i], seats)]
        own = {i: name for i, name in own.items() if i not in placed}
        place = UNREAD if _has(columns, "place") else "place"
        columns = [each._replace(name=place) if i in placed else each for i, each in enumerate(columns)]
    columns = [
        each._replace(name="stratum", why=_seen(texts))
        if each.name == "section" and _are_strata(names, texts)
        else each
        for each, names, texts in zip(columns, asked, values, strict=True)
    ]
    for i, name in own.items():
        if values[i] and (name in DECIDING or _fits(name, values[i])):
            columns[i] = ListColumn(name, columns[i].head, BY_HEADING)
    sides = [i for i, column in enumerate(columns) if direction_headed(column.head) and values[i]]
    if len(sides) == 1 and _all(_seat(), values[sides[0]]) and not _has(columns, "number"):  # of one direction
        columns[sides[0]] = ListColumn("number", columns[sides[0]].head, "it holds numbers, of a direction")
    return _settled(columns, cells, headed=heads is not None)


def _but_one(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts of a column without the only one that is no number, where there are two others or more."""
    numbers = [text for text in texts if share_of(text) is not None]
    return numbers if len(texts) - 1 == len(numbers) > 1 else texts


def _are_placings(cells: Sequence[str], seats: Sequence[Sequence[str]]) -> bool:
    """Say whether numbers are places and no sections: those stand in every row, and each of them in several.

    seats: the columns of numbers and directions. Where these are another contestant's, too, and only with the numbers
    in question nobody else's, they begin again in each section.
    """
    numbers = [place_of(text) for text in cells if text]
    if len(numbers) < len(cells) or 3 * len({*numbers}) > len(numbers):
        return rises(cells) or None not in numbers
    again = len({*zip(*seats, strict=True)}) < len(cells) == len({*zip(cells, *seats, strict=True)})
    return rises(cells) and not (seats and again)


def _are_strata(names: frozenset[str], texts: Sequence[str]) -> bool:
    """Say whether letters below a word for both are strata: a section has several rows, one below the other."""
    if "stratum" not in names or not _FITS["stratum"](texts):
        return False
    sizes = [len([*rows]) for _, rows in groupby(texts)]
    return len(sizes) > len(set(texts)) or 1 in sizes


def _carried(heads: Sequence[str]) -> dict[int, str]:
    """Return the contestants' columns of a list that headings alone tell: eligible, holdings, those of sessions."""
    named = headings_of(Row([Cell(head, "") for head in heads], "")).columns
    return {
        i: name
        for i, name in enumerate(named)
        if name
        and (name in DECIDING or not (name in _FITS or name.startswith("player")))
        and meanings_of(heads[i]) <= {name}
    }


def table_columns(header: Row, below: Sequence[Row], *, exact: bool = False) -> Headings | None:
    """Return what the columns of a table mean whose header, with what is below it, names all that contestants need.

    None for a list in which that takes more: whose contestants have no numbers, or several columns for one thing, or
    rows that are no contestant each, as where a second player is below the first. Its columns are the same.

    below: the first rows below the header.
    exact: whether a program wrote the table, so that each heading means what it says.
    """
    own = headings_of(header, places=True)
    first = below[:_SHAPE]
    apart = 2 * sum(_lacks_score(header, row) for row in first) >= len(first) > 0
    if apart or any(_goes_on_below(header, row) for row in first) or (own.problems and not own.unknown):
        return None
    heads, texts = [cell.text for cell in header.cells], _texts(header, below)
    listed = [] if exact or is_exact(heads) else list_columns(heads, texts)
    found = _with_own(own, header, listed, texts) if listed else own.columns
    sides = any(side_of(column.head) or column.name in SEATS_NAMED for column in listed)
    named = [name for name in found if name]
    if sides or (listed and any(clash(name, other) for n, name in enumerate(named) for other in named[:n])):
        return None
    unknown = [cell for cell, name in zip(header.cells, found, strict=True) if cell.text and name is None]
    if wrong := {problem.where for problem in misspelt_in(unknown, found)}:
        said = (meanings_of(cell.text) - {"member"} for cell in unknown if cell.where in wrong)
        return None if all(said) else own
    ranks = not RANKED.isdisjoint(found) or not any(meanings_of(each.head) & {*RANKING_COLUMNS} for each in listed)
    if missing_columns(header, found) or own.problems or not ranks:
        return None
    told = {i: column.why for i, column in enumerate(listed) if found[i] != own.columns[i]}
    together = own.together or ("player1" in found and "player1" not in own.columns and "player2" not in found)
    return own._replace(columns=found, unknown=unknown, together=together, why=MappingProxyType(told))


def _with_own(
    own: Headings,
    header: Row,
    listed: Sequence[ListColumn],
    rows: Sequence[Sequence[str]],
) -> list[str | None]:
    """Return the contestants' columns of a list whose header names some in this program's own words.

    These are what they are called, whatever is in them, except what ranks or numbers; beside that, rounds below which
    numbers stand are points, and no matches. Of the others those count whose headings are known, or that rank. Where
    nothing ranks, what is called so, or can be nothing but a percentage, does, and each cell of it that cannot be read
    is told.
    """
    found = contestant_columns(listed)
    scored = not RANKED.isdisjoint(own.columns)
    filled = [
        [row[i] for row in rows if row[i] and not says_nothing(name, row[i])] for i, name in enumerate(own.columns)
    ]
    if not any(texts for name, texts in zip(found, filled, strict=True) if name in RANKED):
        called = (
            "percentage" if meanings_of(cell.text) == {"percentage"} else name
            for cell, name in zip(header.cells, own.columns, strict=True)
        )
        found = [each if each in RANKED else name for each, name in zip(called, found, strict=True)]
    for i, (name, column, cell) in enumerate(zip(own.columns, listed, header.cells, strict=True)):
        texts = filled[i]
        if name is None:
            told = found[i] in {*RANKED, "direction"} or str(found[i]).startswith("id")
            found[i] = found[i] if told or meanings_of(column.head) else None
        elif name == "handicap" and texts and not _FITS[name](texts):
            found[i] = None  # some are below zero
        elif name == "number" and not texts and any(row[i] for row in rows):
            found[i] = None  # dashes: the seats of a list that has none
        elif name == PLACE_COLUMN and column.name == UNREAD:
            found[i] = None
        elif name == "section" and texts and column.name in {"place", UNREAD}:
            continue
        elif name not in {*RANKED, "number"} or not texts or cell is own.either:
            points = scored and texts and re.fullmatch("round[0-9]+", name) and _numbers(texts)
            found[i] = None if points else name
    of_one = [
        i for i, name in enumerate(found) if name == "id1" != own.columns[i] and not _all(OF_MEMBERS, filled[i], _MOST)
    ]
    names = filled[found.index("player1")] if of_one and "player1" in found and "player2" not in found else []
    of_one = of_one if not names or max(map(len, split_players(names))) > 1 else []
    if of_one and "id2" not in found:  # it may be of either player
        found[found.index("id1")] = None
    return found


def is_exact(heads: Sequence[str]) -> bool:
    """Say whether a header is that of a table as this program writes it, each of whose words means what it says."""
    return "player1" in heads


def contestant_columns(listed: Sequence[ListColumn]) -> list[str | None]:
    """Return the contestants' column of each column of a list, None for what is kept out.

    Players, and members where each has a column, are numbered.
    """
    found: list[str | None] = []
    for column in listed:
        family = "player" if column.name in NAMES else "id" if column.name == "member" else ""
        name = WRITTEN.get(column.name, column.name)
        if family:
            name = f"{family}{sum(each is not None and each.startswith(family) for each in found) + 1}"
        known = family or name == PLACE_COLUMN or CONTESTANTS.column(name.partition(" ")[0])
        found.append(name if known else None)
    return found


_SHAPE, LOOKED_AT = 4, 500
"""As many rows below a header show whether each is a contestant, and what their columns hold."""


def _texts(header: Row, below: Sequence[Row]) -> list[list[str]]:
    """Return the texts of the rows below a header, as many as this has; it may stand there once more."""
    width = len(header.cells)
    listed = (row for row in below[:LOOKED_AT] if len(row.texts) > 1 and row.texts != header.texts)
    rows = ([cell.text for cell in row.cells[:width]] for row in listed)
    return [texts + [""] * (width - len(texts)) for texts in rows]


def _goes_on_below(header: Row, row: Row) -> bool:
    """Say whether a row has a text in a column without a heading before others, or a second player's name alone."""
    texts = [cell.text for cell in header.cells]
    last = max((i for i, text in enumerate(texts) if text), default=0)
    if any(cell.text and not texts[i] for i, cell in enumerate(row.cells[:last])) and len(row.texts) > 1:
        return True
    alone = len(row.texts) == 1 and not row.after_gap
    return alone and any(
        cell.text and meanings_of(text) & {*NAMES} for text, cell in zip(texts, row.cells, strict=False)
    )


def _lacks_score(header: Row, row: Row) -> bool:
    """Say whether a row has texts, and none in the columns of scores that a header has: the next row may have it."""
    heads = [(meanings_of(cell.text) & {*RANKING_COLUMNS}, column_of(cell.text) or "") for cell in header.cells]
    scores = [i for i, (ranking, column) in enumerate(heads) if ranking or re.match(_SCORED, column)]
    return bool(scores and row.texts) and not any(row.cells[i].text for i in scores if i < len(row.cells))


_SCORED = "score|percentage|session|round|swiss|eligible|carryover"
"""How contestants' columns begin that have something of a score."""


def head_cell(header: Row | None, column: ListColumn) -> Cell:
    """Return the cell of a header that heads a column, by what is written there."""
    cells = header.cells if header else ()
    return next((cell for cell in cells if cell.text == column.head), Cell(column.head, header.where if header else ""))


def taken_by_numbers(columns: Sequence[ListColumn], header: Row) -> dict[str, Problem]:
    """Return the remark on each heading that says nothing, above the numbers that a list ranks by.

    Raises InputError for one that looks like a misspelling of a column's name.
    """
    taken = [each for each in columns if each.head and each.name in RANKING_COLUMNS and not meanings_of(each.head)]
    others = [WRITTEN.get(each.name) for each in columns if each not in taken]
    cells = [head_cell(header, each) for each in taken]
    raise_if_any(misspelt_in(cells, others))
    hint = "call it Percentage or Score if it is one"
    return {
        head: Problem(
            f"the column '{head}' is taken for the {WRITTEN[name]}: {why}", cell.where, hint, code="columns.by-numbers"
        )
        for (name, head, why), cell in zip(taken, cells, strict=True)
    }


WRITTEN = {
    "number": "number", "direction": "direction", "section": "section", "stratum": "stratum", "place": PLACE_COLUMN,
    "percentage": "percentage", "score": "score", "imps": "score", "vps": "score", "award": "printed_award",
    "handicap": "handicap", "wins": "wins", "carryover": "carryover", "adjustment": "adjustment",
}  # fmt: skip
"""The contestants' column of each meaning."""

_OVERALL = {"overall", "o/all", "o/a", "oa", "ovr", "ovrl"}

DECIDING = (
    *("eligible", "game_id", "earlier_award", "earlier_stratum", "earlier_top", "carryover"),
    *("section", "direction", "stratum"),
)
"""The columns that awards depend on: they are read whatever is in them, and what cannot be read is told."""


def _fits(name: str, texts: Sequence[str]) -> bool:
    """Say whether the cells of a list are what a contestants' column holds."""
    try:
        for text in texts:
            cell_value(name.partition(" ")[0], text)
    except ValueError:
        return False
    return True


def _headed(head: str, names: frozenset[str], texts: Sequence[str]) -> ListColumn:
    """Return what a header's text and the content below it agree on."""
    if not texts:
        return ListColumn(UNREAD, head, "it is empty")
    if re.search("[/-]", head) and not _fits("wins", texts):
        names -= {"wins"}  # below ``W/L`` may be what was won in points, and some lost
    fitting = [name for name in _ORDER if name in names and _FITS[name](texts)]
    if not fitting and "percentage" in names and not names & {"score", "handicap"} and _numbers(texts):
        fitting = ["percentage"]  # whatever they average
    if fitting:
        ranks = fitting[0] in RANKING_COLUMNS
        told = "" if len(names) == 1 and not ranks else f", and it holds {_held(texts, mean=ranks)}"
        return ListColumn(fitting[0], head, BY_HEADING + told)
    if names & {UNREAD, BOARD_COLUMN}:
        return ListColumn(UNREAD, head, BY_HEADING)
    named = _named_in(head) & {"number", "member", "table", "boards"} if not names else ()
    if {*named} == {"number"} and _all(_LONG_NUMBER, texts, _MOST):
        return ListColumn("member", head, _seen(texts))
    if not names:
        return ListColumn("", head, UNKNOWN_HEADING if head else "it has no heading")
    return ListColumn("", head, f"its heading would be {' or '.join(meanings(names))}, and it holds {_held(texts)}")


_LONG_NUMBER = re.compile("(?:[A-Z]{1,2}-?)?[0-9]{3,9}")


def _named_in(head: str) -> frozenset[str]:
    """Return what the words of a heading may mean, each by itself: ``Mitgl.-Nr.`` is a number."""
    return frozenset[str]().union(*map(meanings_of, re.split(r"[\s.-]+", head)))


def _held(texts: Sequence[str], mean: bool = True) -> str:
    """Return what a column holds, in words. mean: whether to say the mean of numbers."""
    numbers = [number for number in map(share_of, texts) if number is not None]
    if numbers and _numbers(texts):
        return f"numbers that average {fmean(numbers):.2f}" if mean else "numbers"
    return "names" if _words(texts) else f"'{texts[0][:40]}'"


def _seen(texts: Sequence[str]) -> str:
    return f"it holds {_held(texts)}"


def _all(pattern: re.Pattern[str], texts: Sequence[str], share: float = 0.9) -> bool:
    return sum(pattern.fullmatch(text) is not None for text in texts) >= share * len(texts)


def _are_places(texts: Sequence[str]) -> bool:
    return sum(place_of(text) is not None for text in texts) >= 0.6 * len(texts)


def _words(texts: Sequence[str], *, headed: bool = False) -> bool:
    """Say whether most texts are names. headed: whether their heading says so; else initials are it among others."""
    named = sum(LIKE_A_NAME.search(text) is not None for text in texts)
    if named < 0.8 * len(texts) and (headed or named >= 0.5 * len(texts)):
        named += sum(map(are_initials, texts))
    return named >= 0.8 * len(texts)


def _numbers(texts: Sequence[str]) -> bool:
    """Say whether most texts of a column are numbers or shares, some with slips."""
    others = [text for text in texts if share_of(text) is None]
    numbers = len(texts) - len(others)
    slips = sum(map(bool, map(likely_number, others))) if numbers else 0
    return numbers + slips >= 0.8 * len(texts) and slips <= numbers


def are_percentages(texts: Sequence[str]) -> bool:
    """Say whether numbers may be the percentages of a field: they average about 50, unless they have the sign."""
    found = _values(texts)
    if found and len(found) >= _SLIP:
        # A slip such as 5625 makes no matchpoints of the others: nobody has thrice as many as half of all.
        usual = median(found)
        found = [number for number in found if number <= 3 * usual] if max(found) > 3 * usual > 100 else found
    if not _numbers(texts) or not found or not all(0 <= number <= 100 for number in found):
        return False
    if all("%" in text for text in texts):
        return True
    away = abs(fmean(found) - 50)
    # Halves are matchpoints, unless half of all that could be won is 50.
    return away < 6 and _has_decimals(texts) and (away < 0.1 or any(number % 0.5 for number in found))


def _values(texts: Sequence[str]) -> list[float]:
    return [number for number in map(number_of, texts) if number is not None]


_SLIP = 5
"""Among fewer numbers none is seen to be a slip."""


def _has_decimals(texts: Sequence[str]) -> bool:
    return any(re.search("[.,][0-9]", text) for text in texts)


def _scores(texts: Sequence[str]) -> bool:
    return _numbers(texts) and not all("%" in text for text in texts)


def _are_directions(texts: Sequence[str]) -> bool:
    return all(map(direction_of, texts))


_ORDER = (
    "place", "number", "direction", "section", "stratum", "table", "north", "south", "east", "west", "names", "player",
    "percentage", "imps", "vps", "score", "award", "member", "handicap", "wins", "carryover",
    "adjustment", UNREAD, BOARD_COLUMN,
)  # fmt: skip
_FITS: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "place": lambda texts: _are_places(texts),
    "number": lambda texts: _all(_seat(), texts),
    **dict.fromkeys(
        NAMES, lambda texts: _words(texts, headed=True) and not (_are_directions(texts) or _all(_seat(), texts))
    ),
    "percentage": lambda texts: are_percentages(texts) or (_numbers(texts) and are_fractions(_values(texts))),
    "score": _scores,
    "imps": _scores,
    "vps": _scores,
    "award": lambda texts: _all(AWARD_CELL, texts) or _numbers(texts),
    "member": lambda texts: _all(_MEMBER, texts),
    "section": lambda texts: all(len(text) < 4 for text in texts),
    "direction": lambda texts: _are_directions(texts),
    "stratum": lambda texts: _all(_LETTER, texts),
    "table": lambda texts: _all(_seat(), texts),
    "handicap": lambda texts: _numbers(texts) and min(_values(texts)) >= 0 and not are_percentages(texts),
    "wins": lambda texts: _numbers(texts) or _fits("wins", texts),
    "carryover": _numbers,
    "adjustment": _numbers,
    UNREAD: lambda texts: True,
    BOARD_COLUMN: lambda texts: True,
}


def _settled(columns: list[ListColumn], cells: Sequence[Sequence[str]], headed: bool) -> list[ListColumn]:
    """Return the columns with those settled that their headings leave open, or that there are two of."""
    found = [*columns]
    values = [[text for text in column if text] for column in cells]
    open_ = [i for i, column in enumerate(found) if not column.name and values[i]]
    words = _named(found, values, open_, headed)
    for i, column in enumerate(found[1:], 1):  # right of a team's captain are the others
        captain = re.match("(?i)[ck]ap(?:t|it)|aanvoerder", found[i - 1].head) and _words(values[i - 1])
        apart = captain and values[i - 1] != values[i]
        if apart and ((i in words and not column.head) or (column.name == "player" and not _are_several(values[i]))):
            found[i - 1] = found[i - 1]._replace(name="player", why=_seen(values[i - 1]))
    names = [i for i, column in enumerate(found) if column.name in NAMES]
    for i in words:
        # The second of two columns of names below one heading.
        if i - 1 in names and not found[i].name and not found[i].head and not _are_several(values[i - 1]):
            found[i] = ListColumn("player", "", "it holds names beside names")
            names.append(i)
    # A list without headings, and one whose first columns have none: ``1  12  Ash - Birch``.
    before = [i for i in open_ if names and i < names[0] and not found[i].name]
    scores = _likely_scores(found, cells, names[0]) if before else ()
    ranks = [i for i in before if not rises(values[i]) and _are_ranks(cells[i], scores)]
    for i in before:
        seats = [values[n][0] for n in before if n != i and _all(_seat(), values[n])]
        numbered = _has(found, "number") or seats
        rising = rises(values[i]) or not all(map(str.isdecimal, seats))  # ``1 NS`` is no place
        placed = not _has(found, "place") and (i in ranks or (not ranks and rising))
        if placed and _are_places(values[i]) and (i in ranks or numbered or _falls_by(cells[i], scores)):
            why = "go by the scores" if ranks else "rise from 1"
            found[i] = ListColumn("place", found[i].head, f"it holds numbers before the names that {why}")
        elif _all(_seat(), values[i]) and not _has(found, "number"):
            found[i] = ListColumn("number", found[i].head, "it holds numbers before the names")
    _rank(found, cells)
    found = _without_teams(_one_score(_scored(found, cells, headed), values), values)
    # Several columns of names are a player each.
    if sum(column.name in {"names", "player"} for column in found) > 1:
        found = [column._replace(name="player") if column.name == "names" else column for column in found]
    return found


def _likely_scores(found: Sequence[ListColumn], cells: Sequence[Sequence[str]], names: int) -> Sequence[str]:
    """Return the column that ranks, or else the one of numbers behind the names, in column ``names``, that will."""
    ranking = [texts for column, texts in zip(found, cells, strict=True) if column.name in RANKING_COLUMNS]
    behind = [texts for column, texts in zip(found[names:], cells[names:], strict=True) if not column.name]
    shares = [texts for texts in behind if are_percentages([text for text in texts if text])]
    return next(iter([*ranking, *shares[::-1], *(texts for texts in behind if _numbers(texts))]), ())


def _are_ranks(texts: Sequence[str], scores: Sequence[str]) -> bool:
    """Say whether texts are the places of one field after the other, whose contestants are listed in any order."""
    listed = [(place_of(a), share_of(b)) for a, b in zip(texts, scores, strict=False) if a and b]
    begin = 0
    while begin < len(listed):
        ends = range(len(listed), begin + _FEWEST - 1, -1)
        begin = next((end for end in ends if _are_ranked(listed[begin:end])), len(listed) + 1)
    return begin == len(listed) > 0


_FEWEST = 4
"""Fewer numbers may be the places by chance."""


def _are_ranked(listed: Sequence[tuple[int | None, float | None]]) -> bool:
    scores = sorted(score for _, score in listed if score is not None)
    return len(scores) == len(listed) and all(
        place == len(scores) - bisect_right(scores, score or 0) + 1 for place, score in listed
    )


def _falls_by(places: Sequence[str], scores: Sequence[str]) -> bool:
    """Say whether hardly any score is better than the one at the place before."""
    listed = [(place_of(a), share_of(b)) for a, b in zip(places, scores, strict=False)]
    pairs = [(a[1], b[1]) for a, b in pairwise(listed) if None not in (*a, *b) and (b[0] or 0) > (a[0] or 0)]
    return 4 * sum((after or 0) > (before or 0) for before, after in pairs) <= len(pairs)


def _rank(found: list[ListColumn], cells: Sequence[Sequence[str]]) -> None:
    """Take the first column of numbers for the places that it holds, such as ``Nr.`` beside ``Paar``, or ``#``."""
    numbers = [i for i, column in enumerate(found) if column.name == "number"]
    if not numbers or _has(found, "place") or found[numbers[0]].head in {found[i].head for i in numbers[1:]} - {""}:
        return
    first = cells[numbers[0]]
    why = "it rises from 1, and another column has numbers" if len(numbers) > 1 and rises(first) else ""
    scores = (cells[i] for i, column in enumerate(found) if column.name in RANKING_COLUMNS)
    why = why or (
        "it rises from 1, and equal scores share one" if any(_has_ties(first, each) for each in scores) else ""
    )
    if why:
        found[numbers[0]] = found[numbers[0]]._replace(name="place", why=why)


def _has_ties(texts: Sequence[str], scores: Sequence[str]) -> bool:
    """Say whether texts are places from 1 on, once or more, of which equal scores, and these alone, share one."""
    before, at, tied = (0, ""), 0, False
    for place, score in ((place_of(text), score) for text, score in zip(texts, scores, strict=True) if score):
        at = 1 if place == 1 != before[0] else at + 1
        shared = (place, score) == before
        if place is None or not (place == at or shared):
            return False
        tied |= shared
        before = place, score
    return tied


def _named(found: list[ListColumn], values: Sequence[Sequence[str]], open_: Sequence[int], headed: bool) -> list[int]:
    """Take the columns of texts among those that are open for directions or players, and return those of texts."""
    words = [i for i in open_ if _words(values[i]) and not (_all(_seat(), values[i]) or _are_places(values[i]))]
    heads = [column.head for column in found]
    for i in open_:
        beside = i > 0 and found[i - 1].name in NAMES and heads.count(heads[i]) > 1  # of each player
        if _are_directions(values[i]) and not _has(found, "direction"):
            found[i] = ListColumn("direction", found[i].head, "it holds directions")
        elif _all(_LONG_NUMBER if beside else OF_MEMBERS, values[i], _MOST) and (beside or not _has(found, "member")):
            found[i] = ListColumn("member", found[i].head, _seen(values[i]))
    words = [i for i in words if not found[i].name]
    named = [i for i, column in enumerate(found) if column.name in NAMES]
    if named and all(names_teams(found[i].head) and not _are_several(values[i]) for i in named):
        of_people = [i for i in words if _are_several(values[i])]  # beside the names of teams
    elif named or not words:
        return words
    else:
        of_people = _of_people(words, values)
    name = "names" if len(of_people) == 1 else "player"
    for i in words if of_people else ():
        if i not in of_people:
            found[i] = found[i]._replace(why="it holds other texts than names of players")
    for i in of_people if not headed else of_people[:4]:
        found[i] = ListColumn(name, found[i].head, _seen(values[i]))
    return words


def _are_several(texts: Sequence[str]) -> bool:
    """Say whether most cells of a column name several players."""
    return 2 * sum(len(names) > 1 for names in split_players(texts)) > len(texts)


def _of_people(columns: Sequence[int], values: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns of texts that may be the players: those of pairs, else those whose texts hardly ever recur.

    Clubs and towns are the same in several rows.
    """
    if pairs := [i for i in columns if _are_several(values[i])]:
        return pairs
    own = [i for i in columns if len(set(values[i])) > _OWN * len(values[i])]
    whole = own and (len(own) > 1 or all(" " in text for text in values[own[0]]))
    return own if whole else list(columns)  # surnames alone recur


_OWN = 0.6
"""Few names of players stand in a list twice, even where they are surnames alone."""


def _without_teams(found: list[ListColumn], values: Sequence[Sequence[str]]) -> list[ListColumn]:
    """Return the columns with that open which names each team, where another one names its players."""
    if sum(column.name in NAMES for column in found) < 2:
        return found
    players = [i for i, column in enumerate(found) if column.name in NAMES and values[i]]
    teams = [i for i in players if names_teams(found[i].head) and not _are_several(values[i])]
    if teams and len(teams) < len(players):
        why = "it names the teams, and other columns their players"
        return [each._replace(name="", why=why) if i in teams else each for i, each in enumerate(found)]
    named = [i for i in players if found[i].name == "names"]
    several = [i for i in named if _are_several(values[i])]
    if not several and len(named) == 1 and sum(column.name == "player" for column in found) > 1:
        several = [i for i, column in enumerate(found) if column.name == "player"]
    elif not several or len(several) == len(named):
        return found
    why = f"'{found[several[0]].head}' has the players"
    return [
        column._replace(name="", why=why) if i in named and i not in several else column
        for i, column in enumerate(found)
    ]


def _scored(found: list[ListColumn], cells: Sequence[Sequence[str]], headed: bool) -> list[ListColumn]:
    """Return the columns with what they hold of scores, where the headings say nothing or the same of several."""
    found = _without_handicaps(found, cells)
    values = [[text for text in column if text] for column in cells]
    scores = [i for i, column in enumerate(found) if column.name in {"score", "percentage"}]
    if [found[i].name for i in scores].count("percentage") > 1:
        # ``Score`` of percentages beside ``%``: the same numbers, or those of sessions, which are left to a remark.
        sure = [i for i in scores if found[i].name == "percentage" and "%" in found[i].head]
        shares = sure or [i for i in scores if found[i].name == "percentage"]
        points = [cells[i] for i in scores if found[i].name == "score"]
        keep = max(shares, key=lambda i: (any(_in_ratio(each, cells[i]) for each in points), i))
        for i in scores:
            if i != keep and found[i].name == "percentage" and not side_of(found[i].head):
                found[i] = _against(found[i], "", _in_ratio(cells[i], cells[keep]))
    if not any(column.name in RANKING_COLUMNS for column in found):
        open_ = [i for i, column in enumerate(found) if _may_rank(column) and values[i] and _numbers(values[i])]
        if not headed:  # numbers before the names are places and pairs, where there are others
            after = [i for i in open_ if any(column.name in NAMES for column in found[:i])]
            open_ = after or [i for i in open_ if _has_decimals(values[i])]
        shares = [i for i in open_ if are_percentages(values[i]) or are_fractions(_values(values[i]))]
        if shares:
            found[shares[-1]] = ListColumn("percentage", found[shares[-1]].head, _seen(values[shares[-1]]))
        elif len(open_) == 1:
            found[open_[0]] = ListColumn("score", found[open_[0]].head, "no other column holds numbers")
    percentages = [i for i, column in enumerate(found) if column.name == "percentage"]
    if len(percentages) == 1 and not _has(found, "score"):
        # Numbers that nothing heads, or in words that are not known.
        open_ = [i for i, column in enumerate(found) if not (column.name or meanings_of(column.head)) and values[i]]
        alike = [i for i in open_ if _numbers(values[i]) and _in_ratio(cells[i], cells[percentages[0]])]
        if len(alike) == 1:
            found[alike[0]] = _against(found[alike[0]], "", in_ratio=True)
    return found if not headed else _of_awards(found, cells)


def _may_rank(column: ListColumn) -> bool:
    """Say whether an open column may be what ranks: its heading is not known for anything else."""
    names = meanings_of(column.head)
    return not column.name and (not names or not names.isdisjoint(RANKING_COLUMNS))


def _without_handicaps(found: Sequence[ListColumn], cells: Sequence[Sequence[str]]) -> list[ListColumn]:
    """Return the columns without those of scores to which the handicap beside them was added: it counts once."""
    columns = [*found]
    # One below zero is not read, and was added all the same.
    handicap = next(
        (i for i, column in enumerate(found) if "handicap" in {column.name, *meanings_of(column.head)}), None
    )
    scores = [i for i, column in enumerate(found) if column.name in RANKING_COLUMNS]
    for before, after in permutations(scores, 2) if handicap is not None else ():
        rows = zip(cells[before], cells[handicap or 0], cells[after], strict=True)
        numbers = [[number_of(text) or 0 for text in row] for row in rows]
        sums = sum(abs(score + more - total) < _ROUNDED for score, more, total in numbers)
        if sums >= _MOST * len(numbers) and any(more for _, more, _ in numbers):
            columns[after] = found[after]._replace(name="", why=f"it is '{found[before].head}' with the handicap")
            if found[handicap or 0].name != "handicap":  # it goes with the places, and does not count
                why = f"'{found[after].head}' is what ranks"
                columns = [each._replace(name=UNREAD, why=why) if each.name == "place" else each for each in columns]
    return columns


_ROUNDED = 0.02
"""Sums of numbers with two decimals differ by less."""

_RANKING = ("vps", "imps", "score")
"""The meanings that are a contestant's score, the one that ranks before what went into it."""


def _one_score(found: list[ListColumn], values: Sequence[Sequence[str]]) -> list[ListColumn]:
    """Return the columns with one score that ranks, of each direction: the rest stay open.

    That is the column with most numbers; among several, the one by which the list is ordered.
    """
    found = [*found]
    sides = [side_of(column.head) for column in found]
    for side in set(sides):
        scores = [i for i, column in enumerate(found) if column.name in _RANKING and sides[i] == side]
        if len(scores) > 1:
            best = max(scores, key=lambda i: _likely(found[i], values[i], i))
            why = f"'{found[best].head}' is what ranks"
            for i in scores:
                # Beside IMPs and victory points there are no matchpoints, and only some win masterpoints.
                won = found[best].name != "score" or len(values[i]) < len(values[best])
                name = "award" if won and "award" in meanings_of(found[i].head) else ""
                found[i] = found[i] if i == best else found[i]._replace(name=name, why=why)
    return found


def _likely(column: ListColumn, texts: Sequence[str], at: int) -> tuple[int, bool, bool, int, int]:
    """Return how likely a column is the score that ranks, to compare with others."""
    numbers = [number for number in map(share_of, texts) if number is not None]
    falls = all(b <= a for a, b in pairwise(numbers))  # as those of a list do that is in order
    return len(texts), not _may_be_award(column, texts), falls, -_RANKING.index(column.name), -at


def _of_awards(found: list[ListColumn], cells: Sequence[Sequence[str]]) -> list[ListColumn]:
    """Return the columns with ``MPs`` and ``Points`` beside a score as awards, unless they go with the percentages."""
    scores = [i for i, column in enumerate(found) if column.name == "score"]
    percentages = [i for i, column in enumerate(found) if column.name == "percentage"]
    for i in scores:
        if len(percentages) == 1:
            name = "award" if "award" in meanings_of(found[i].head) and not _has(found, "award") else ""
            if name and _all(SHARE, [text for text in cells[i] if text]):
                continue  # no award has a top, whatever that of each is
            found[i] = _against(found[i], name, _in_ratio(cells[i], cells[percentages[0]]))
        elif sum(column.name in RANKING_COLUMNS for column in found) == 1 and _may_be_award(found[i], cells[i]):
            found[i] = ListColumn("", found[i].head, "it may be matchpoints or masterpoints")
    return found


_FEW_POINTS = 10
"""No club game pays as many masterpoints to all who win some, nor as few matchpoints."""

_MISSING = 0.2
"""A column of scores lacks hardly any."""


def _may_be_award(column: ListColumn, texts: Sequence[str]) -> bool:
    """Say whether matchpoints may be masterpoints: small ones with hundredths, or not everybody has some."""
    if "award" not in meanings_of(column.head):
        return False
    numbers = [number for number in map(share_of, texts) if number is not None]
    small = max(numbers, default=0) < _FEW_POINTS and any(round(number * 2, 6) % 1 for number in numbers)
    return small or len(numbers) < (1 - _MISSING) * len(texts)


def _against(column: ListColumn, other: str, in_ratio: bool) -> ListColumn:
    """Return a column of numbers beside percentages: a score where both are in one ratio, else something else."""
    if in_ratio:
        return column._replace(name="score", why="its numbers are in one ratio with the percentages")
    return column._replace(name=other, why="its numbers are in no one ratio with the percentages")


def _has(columns: Sequence[ListColumn], name: str) -> bool:
    return any(column.name == name for column in columns)


def rises(texts: Sequence[str]) -> bool:
    """Say whether ranks begin with 1 and never fall, except to begin again."""
    numbers = [place for text in texts if (place := place_of(text)) is not None]
    return bool(numbers) and numbers[0] == 1 and all(b >= a or b == 1 for a, b in pairwise(numbers))


def _in_ratio(some: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether two columns of numbers go together, as matchpoints and percentages do.

    A few of them may not, as those of who sat out, and slips: these are doubts about the contestants.
    """
    pairs = [(share_of(a), number_of(b)) for a, b in zip(some, others, strict=True)]
    ratios = sorted(a / b for a, b in pairs if a and b)
    if len(ratios) < 2 or 2 * len(ratios) <= sum(b is not None for _, b in pairs):
        return False
    usual = ratios[len(ratios) // 2]
    return usual > 0 and sum(abs(ratio - usual) <= _NEAR * usual for ratio in ratios) >= _MOST * len(ratios)


_NEAR = 0.025
"""Ratios of scores to percentages are the same if they differ by less: both are rounded, and some boards unplayed."""

_MOST = 0.75
"""The least share of ratios that are the same where the columns go together."""
