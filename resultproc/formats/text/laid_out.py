"""Lines of text to rows: columns by tabs, by ``|``, or by where they stand below each other."""

from __future__ import annotations

import csv
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain, dropwhile, groupby, pairwise, takewhile
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple

from resultproc.model.column_names import meanings_of
from resultproc.model.dates import date_in, with_english_months
from resultproc.model.directions import direction_headed, direction_of
from resultproc.model.grid import Cell, Row, unquoted_lines
from resultproc.model.numbers import BRACKETED, FRACTION, likely_number, number_of, share_of
from resultproc.model.places import DITTO, NUMBER_SIGN, ORDINAL_ENDING, place_of
from resultproc.people.names import are_initials, names_in
from resultproc.people.nobody import nobody_in
from resultproc.tables.heads import NAMES, RANKING_COLUMNS, is_head, labelled, names_club, said_aside, without_facts
from resultproc.tables.list_columns import are_percentages
from resultproc.tables.sums import is_sum
from resultproc.tables.titles import PAGE

_RULER = re.compile(r"[-=_|+*~.:\u2014\u2500-\u257f ]{3,}")
_WORD = re.compile(r"\S+")
_LEADING = re.compile(r"[=T]?[0-9]{1,4}(?:=|\.|\)|(?:st|nd|rd|th)?[:=]?)?(?![\w,.%])")

_LOOKED_AT = 500
"""How many rows show where columns stand."""

MOST_LINES = 50_000
"""More than any list has: what is below is not looked at."""


def rows_of_lines(lines: Sequence[str], first: int = 1) -> list[Row]:
    """Return the rows of a text's lines; a line that is in no table is a row of one cell.

    first: the number of the first line.
    """
    # A tab at the end may separate an empty cell from the one before.
    marked = any(map(_RULED.fullmatch, lines[:_LOOKED_AT]))
    numbered = sum(map(bool, map(_NUMBER_FIRST.search, lines[:_LOOKED_AT]))) > 1
    lines = _of_message(unquoted_lines(lines[:MOST_LINES]))
    told = [(n, part) for n, line in enumerate(lines, first) for part in _entries(line)]
    plain = _unglued([_tidied(line, marked, numbered) for _, line in told])
    rows: list[Row] = []
    gap = True
    for part in _parts(plain):
        for number, texts in _cells_of(plain, part):
            where = f"line {told[number][0]}"
            gap = gap or (number > 0 and not plain[number - 1].strip())
            rows.append(Row([Cell(text.strip(), where) for text in texts], where, after_gap=gap))
            gap = False
    return rows


def _of_message(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a chat without the messages of one line and no number, where others have several."""
    said = [_CHAT.match(line) is not None for line in lines] if any(map(_CHAT.match, lines[:_LOOKED_AT])) else []
    if all(said):
        return lines
    alone = [each and after for each, after in zip(said, [*said[1:], True], strict=True)]
    return [
        "" if one and not re.search("[0-9]", _CHAT.sub("", line)) else line
        for line, one in zip(lines, alone, strict=True)
    ]


def _entries(line: str) -> list[str]:
    """Return the contestants of a line that lists several, as newspapers do: ``N-S: 1. Ash-Birch, 62.5; 2. ...``."""
    may_be = len(line) < _LONGEST_LINE and re.search("[0-9]%?[;,] ", line)
    found = re.fullmatch(rf"(.*?)({_ENTRY}(?:[;,]{_ENTRY})+)\.?\s*", line) if may_be else None
    if not found:
        return [line]
    entries = re.split(r"(?<=[0-9%])[;,] (?=\s*[=T]?[0-9])", found[2])
    above = [part.strip() for part in re.split(r":\s+|:$", found[1]) if part.strip()]
    return above + [re.sub(r",?\s+(?=[0-9.,]+\s*%?\s*$)", "   ", entry.strip()) for entry in entries]


_LONGEST_LINE = 2000
_ENTRY = (
    r"\s*(?<![^\s:])[=T]?[0-9]{1,2}[0-9/=-]{0,3}[.):]?\s+[^\W\d_][^;0-9]{3,80}\s[0-9]{1,3}(?:[.,][0-9]{1,2})?\s?%?\s*"
)

_LEADERS = re.compile(
    r"(?<=[^\s.])(?!(?<=\b[^\W\d_])\.)[ ]?(?:\.(?: ?\.){2,}|\u2026+)(?= |$|[0-9])|(?<=\w) _{3,}(?= )|"
    r"(?<=\b[^\W\d_]\.)\.{2,}(?= |$|[0-9])|(?<= )\.(?: \.)*(?= |$)"
)
"""Dots that lead from names to scores, but that of an initial, or stand where a column has nothing."""

_MEDALS = {0x1F947: "1.", 0x1F948: "2.", 0x1F949: "3.", 0xFE0F: None, 0x20E3: "."}
"""Places as chats show them; a digit on a key is one with two signs behind it."""

_CHAT = re.compile(r"^(?:\[[^\]]{6,24}:[0-9]{2}[^\]]{0,8}\]|[0-9/.]{6,10}, [0-9]{1,2}:[0-9]{2} -) [^:]{1,40}: ")
"""When something was said in a chat, and by whom."""

_ENDED = re.compile(r"^([^;]*[0-9]%?)[;.]$")
"""A line of a list in print, which ends with a sign."""

_BOLD = re.compile(r"\*\*(?=\S)([^*|]+)(?<=\S)\*\*")
_SIGNS = re.compile(
    r"\[/?[bi]\]|^\s*[-*\u2022]\s(?=\s*[0-9]+[.,][0-9]+\s?%?\s)|"
    r"(?<=\s)(?:avec|with|mit|met|con)\s+(?=[0-9]+[.,][0-9]+\s?%?$)"
)
"""What marks a line or a score, and is neither: ``- 62.50 -- Ash & Birch``, ``Ash & Birch with 62.50``."""
_SCORE_FIRST = re.compile(
    r"^(\s*(?:[0-9]{1,2}[.)]?\s+)?[0-9]{1,3}[.,][0-9]{1,2}\s?%?)\s+[-\u2013\u2014]{1,2}\s+(?=[^\W\d_])"
)
_HEADING = re.compile(r"(#{1,6}) +(\S.*?)[ #]*")
_RULED = re.compile(r"(?:\s*\|)?(?:\s*:?-{3,}:?\s*\|)+[\s:-]*")
"""What is bold in Markdown, a heading there, and the ruler below the header of a table."""

_ALONE = re.compile(r"([^;,\t]*)(?:;{2,}|,{2,}|\t{2,})")
"""A text that a spreadsheet left alone in its row: the cells after it are empty."""

_TIED = re.compile(
    rf"^(\s*(?:[A-Z](?:[-/]?[A-Z])?\s+)?[0-9]{{1,3}}{ORDINAL_ENDING}?) "
    r"(?:=|equal|eq\.?|tied?|joint|ex(?:[ -]?[aæ]e?quo)?) ",
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(rf"(^\s*|(?<=\s\s)|(?<=\t))({NUMBER_SIGN}) ([0-9]{{1,3}}[:.)]?(?=\s.*[0-9]))", re.IGNORECASE)
"""``No. 3`` at the beginning of a line or column, where a number follows, is one word in a list that has several."""

_OVER_TOP = re.compile(
    r"(?<![\w.,/])([0-9]{1,3}(?:[.,][0-9]{1,2}|½|-[13]/[24])?) / ([0-9]{1,3})(?= *$|  |\s[0-9.,]+\s?%)"
)
"""A score and the most that could be scored, which are one word."""

_BRACKETED = re.compile(rf"{BRACKETED}(?=\s*$)")
"""A score in brackets at the end of a line."""


def _tidied(line: str, marked: bool, numbered: bool) -> str:
    """Return a line as wide as it was, with what only leads to a column or frames it left out.

    marked: whether it is of a text in Markdown.
    numbered: whether several lines have a number with its sign: a single one may be of a club, ``No 12 Club   May 12``.
    """
    line = re.sub("(?<=[0-9])\ufe0f?\u20e3", ".", _CHAT.sub("", line.translate(_MEDALS)))
    line = re.sub(r"[\xa0\u2000-\u200a]", " ", line).rstrip(" \r\f\v")
    if found := _ALONE.fullmatch(line):
        return found[1]
    found = _HEADING.fullmatch(line)
    # Behind a single # may be a remark, and a label and its value behind it declare a key.
    if found and sum((marked, len(found[1]) > 1, ":" not in found[2])) > 1:
        return found[2]
    line = _NUMBER_FIRST.sub(r"\1 \2\3", line) if numbered else line
    line = _SCORE_FIRST.sub(r"\1   ", _SIGNS.sub(lambda found: " " * len(found[0]), line))
    line = _BOLD.sub(r"  \1  ", _TIED.sub(lambda found: f"{found[1]}=".ljust(len(found[0])), line))
    line = re.sub("[\u2502\u2503\u2551]", "|", line)
    line = _ENDED.sub(r"\1", line)
    if found := re.search(r"[^\W\d_]{2}", line):  # what stands before names may be two places
        names = found.end()
        line = line[:names] + FRACTION.sub(r"-\1", line[names:])
        line = line[:names] + _OVER_TOP.sub(
            lambda part: f"{part[1].replace('-1/2', '½')}/{part[2]}".rjust(len(part[0])), line[names:]
        )
    line = _LEADERS.sub(lambda found: " " * len(found[0]), line)
    line = _units().sub(lambda found: " " * len(found[0]), line) if re.search(r"[0-9] [^\W\d_]{2}", line) else line
    line = _COMMA_BEFORE.sub("  ", line)
    return _BRACKETED.sub(r" \1 ", line).rstrip(" ")


def _units() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<=[0-9]) (?:{said_aside('units')})\.?(?=\s*\(?[0-9]{{1,3}}[.,]|\s{{2,}}|\s*$)")


_COMMA_BEFORE = re.compile(
    r"(?<=[^\W\d_]),(?= +[0-9]{1,3}(?:[.,][0-9]{1,2})?\s*%?(?:\s+\(?[0-9]{1,3}[.,][0-9]+\s*%\)?)?"
    r"(?:\s+[^\w\s][^0-9]*)?$)"
)
"""The comma between names and a score at the end of a line."""

_GLUED = re.compile(
    r"^\s*[=T]?[0-9]{1,3}[.)](?=[^\W\d_]{2})"  # 1.Ann Ash
    r"|(?<=[^\W\d_]{2})(?=[0-9]{1,3}[.,][0-9]{1,2} ?%?(?:\s|$))"  # Ash62.50
    r"|(?<=[0-9]%)(?=[0-9])"  # 62.50%0.60
    r"|(?<=[0-9])[.,][0-9]{1,2}(?=(?:[1-9][0-9]|100)[.,][0-9]{1,2} ?%)"  # 240.00100.00%
)
"""What runs into the next column, where a text of one is as wide as the column or wider: its end is between them."""


def _unglued(lines: list[str]) -> list[str]:
    """Return lines with a blank where one column runs into the next.

    Where the other lines of a list have a blank there, they get another one, so that columns stand below each other as
    before.
    """
    for _ in range(_MOST_GLUED):
        found = [None if re.search(r"[\t|;]", line) else _GLUED.search(line) for line in lines]
        ends = {each.end() for each in found if each}
        if not ends:
            break
        left = [line for line, each in zip(lines, found, strict=True) if not each and _what(line) == "row"][:_LOOKED_AT]
        shared = {end for end in ends if left and all(_is_blank_at(line, end) for line in left)}
        lines = [
            _spaced(line, each.end() if each else 0, shared) if each or _what(line) in {"row", "head"} else line
            for line, each in zip(lines, found, strict=True)
        ]
    return lines


_MOST_GLUED = 3
"""More columns of a line than this do not run into the next."""


def _is_blank_at(line: str, at: int) -> bool:
    return " " in line[at - 1 : at + 1].ljust(2)


def _spaced(line: str, own: int, shared: Collection[int]) -> str:
    """Return a line with a blank more where one of its columns runs into the next, and where those of others do."""
    for end in sorted({own, *shared} - {0}, reverse=True):
        if end < len(line) and (end == own or _is_blank_at(line, end)):
            line = f"{line[:end]} {line[end:]}"
    return line


@dataclass
class _Part:
    """The lines of one table, by their numbers, with what is above it."""

    above: list[int] = field(default_factory=list)  # titles, each a cell
    head: list[int] = field(default_factory=list)  # what may be its header
    data: list[int] = field(default_factory=list)  # its rows
    shapes: set[tuple[int, int]] = field(default_factory=set)  # with how many numbers these begin and end


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """Yield the tables of a text one after the other; a blank line or ruler between rows of one form ends none."""
    part = _Part()
    for chunk in (apart for whole in _chunks(lines) for apart in _apart(lines, whole)):
        headed = not part.data and any(_what(lines[number]) == "head" for number in part.head[-1:])
        titled = re.match("~{1,3}==", "".join("=" if _what(lines[n]) == "row" else "~" for n in chunk[:5])) is not None
        below = bool(part.data) and chunk[0] == part.data[-1] + 1 and not any(_what(lines[n]) == "head" for n in chunk)
        below = below and not titled
        head, data = (list(chunk), []) if below else _divided(lines, chunk, headed)
        shapes = {_shape(lines[number]) for number in data if _is_row(lines[number])}
        rows = [lines[number] for number in (*part.data, *data)] if part.data and not head else []
        if rows and (shapes & part.shapes or not shapes) and _listed(rows) == len(rows):
            part.data += data
            part.shapes |= shapes
            continue
        if part.data:
            yield part
            part = _Part()
        if data:
            part.above += part.head if head else []
            part.head = head or part.head
            part.data, part.shapes = data, shapes
        else:
            part.above += part.head
            part.head = head
    yield part


def _apart(lines: Sequence[str], chunk: list[int]) -> Iterator[list[int]]:
    """Yield the parts of a chunk: a line between rows that is none, nor belongs to these, begins a list of its own."""
    are = "".join("=" if _what(lines[n]) == "row" else "~" for n in chunk)
    indent, begin = _leftmost(lines, chunk), 0
    for found in re.finditer("(?<===)~{1,3}(?===)", are) if "=~" in are else ():
        between = [
            chunk[n]
            for n in range(*found.span())
            if _what(lines[chunk[n]]) == "side" or not _goes_on(lines[chunk[n]], indent)
        ]
        if any(_what(lines[n]) not in {"side", "head"} for n in between):
            at = chunk.index(between[0])
            yield chunk[begin:at]
            begin = at
    yield chunk[begin:]


def _divided(lines: Sequence[str], chunk: Sequence[int], headed: bool) -> tuple[list[int], list[int]]:
    """Return the lines of a chunk that are titles or head its table, and its rows.

    headed: whether a header stands above it, and no rows yet.
    """
    are = {number: _what(lines[number]) == "row" for number in chunk}
    heads = [number for number in chunk if _what(lines[number]) == "head"]
    if not any(are.values()) and (heads or headed):  # names may stand above and below the numbers of each
        are = {number: _is_numbers(lines[number]) for number in chunk}
    if not any(are.values()):
        return list(chunk), []
    first = heads[-1] + 1 if heads else chunk[0] if headed else next(number for number in chunk if are[number])
    # A row without names is one all the same, and so is one of a name alone: a second player's, or nobody's.
    indent = _leftmost(lines, chunk)
    above = [n - 1 for n in chunk if are[n]]  # the first players' of pairs whose numbers are on the lower row
    if (
        not (heads or headed)
        and len(above) > 1
        and all(are.get(n) is False and _indent(lines[n]) > indent for n in above)
    ):
        first = above[0]
    last = max((n for n in chunk if n >= first and not are[n] and not _goes_on(lines[n], indent)), default=-1)
    start = max(first, last + 1)
    return [number for number in chunk if number < start], [number for number in chunk if number >= start]


def _goes_on(line: str, indent: int) -> bool:
    """Say whether a line that begins or ends with no number belongs to the rows above it all the same.

    indent: where the leftmost of these begins.
    """
    words = re.split(r"\s{2,}|[|;\t]", line.strip("| \t;,"))
    none = _is_nobody(words[0]) or is_sum(words[0])
    return bool(none) or _what(line) == "side" or _is_numbers(line) or _indent(line) > indent


def _leftmost(lines: Sequence[str], chunk: Sequence[int]) -> int:
    """Return where the leftmost row of a chunk begins."""
    return min((_indent(lines[number]) for number in chunk if _what(lines[number]) == "row"), default=0)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t|;,"))


def _chunks(lines: Sequence[str]) -> Iterator[list[int]]:
    """Yield the numbers of lines that follow each other without a blank one or a ruler between them.

    A header between rows begins another chunk, with the titles right above it, and so does what is below the rows.
    """
    chunk: list[int] = []
    for number, line in enumerate([*lines, ""]):
        ended = not line.strip() or _RULER.fullmatch(line.strip()) is not None
        # Few lines are headers, and to look through a chunk for each line of it would take long.
        if ended or (_what(line) == "head" and any(_what(lines[other]) == "row" for other in chunk)):
            data = [i for i, other in enumerate(chunk) if _what(lines[other]) == "row"]
            last = data[_listed([lines[chunk[i]] for i in data]) - 1] + 1 if data else len(chunk) + 1
            indent = _leftmost(lines, chunk) if last < len(chunk) else 0
            while last < len(chunk) and _goes_on(lines[chunk[last]], indent):
                last += 1
            yield from (part for part in (chunk[:last], chunk[last:] if ended else []) if part)
            chunk = [] if ended else chunk[last:]
        chunk += [] if ended else [number]


def _listed(data: Sequence[str]) -> int:
    """Return how many of some rows are listed: those that begin with words below rows that do not are a note."""
    words = [line.split()[0] for line in data[: _LOOKED_AT + 1]]
    number = [re.search("[0-9]", word) is not None or word in DITTO or words.count(word) > 1 for word in words]
    if len(data) > _LOOKED_AT or sum(number) < max(_FEW, _MOST * len(number)):
        return len(data)
    return next(
        n
        for n in range(len(data), 0, -1)
        if number[n - 1] or is_sum(data[n - 1].split()[0]) or _goes_on(data[n - 1], _indent(data[0]))
    )


def _cells_of(lines: Sequence[str], part: _Part) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a part with their texts by column."""
    yield from ((number, [lines[number]]) for number in part.above)
    if not part.data:
        yield from ((number, [lines[number]]) for number in part.head)
        return
    *titles, head = part.head or [-1]
    split = _splitter([lines[number] for number in part.data], lines[head] if part.head else "")
    # A header may be of two lines; what is above it is none.
    yield from (
        (
            number,
            split(lines[number], True)
            if _in_columns(lines[number]) and _what(lines[number]) != "facts"
            else [lines[number]],
        )
        for number in titles
    )
    if part.head:
        known = _what(lines[head]) == "head" or _in_columns(lines[head]) or _names_columns(lines[head].split())
        one = _what(lines[head]) in {"facts", "side"}
        yield head, split(lines[head], True) if known and not one else [lines[head]]
    yield from ((number, split(lines[number], False)) for number in part.data)


def _in_columns(line: str) -> bool:
    """Say whether a line above a header has several texts, as of the parts below."""
    return len([text for text in re.split(r"\s{2,}|[|;\t]|,,+", line) if text.strip()]) > 1


def _is_row(line: str) -> bool:
    """Say whether a line of a table may be that of a contestant, and not of a sum or nobody: ``10 no pair``."""
    return _what(line) == "row" and not (is_sum(line.split()[0]) or _is_nobody(line))


def _is_nobody(text: str) -> bool:
    return bool(nobody_in([re.sub(r"^\s*[A-Z]{0,2}[0-9]{1,3}[.)]? ", "", text)]))


def _splitter(data: Sequence[str], header: str) -> Callable[[str, bool], list[str]]:
    """Return what splits the lines of a table, and its header if that is asked for. header: empty for none."""
    if tables := _heads_of_tables(header, data):
        return lambda line, head: tables if head else _of_table(line, tables) or [line]
    # What is alone in its line may have been left without the signs after it.
    signed = [line for line in data if _is_row(line) or re.search(r"[\t|;,]", line)] or data
    tabbed = _above_notes(signed, lambda line: "\t" in line)
    # Several tabs after each other line up columns; one separates them, though the last may be left out.
    if tabbed and (len({line.count("\t") for line in tabbed}) == 1 or not any("\t\t" in line for line in tabbed)):
        return lambda line, _: line.split("\t")
    if ruled := _above_notes(signed, lambda line: line.count("|") > 1):
        framed = all(line.lstrip().startswith("|") for line in ruled)
        return lambda line, _: _RULES_AROUND.sub("", line).split("|") if framed else line.split("|")
    heading = next((mark for mark in ";," if _are_heads(header.split(mark))), "")  # others may stand between names
    for mark in heading or ";,":
        if _parts_columns(mark, signed, known=mark == heading):
            return lambda line, _: next(csv.reader([line], delimiter=mark), [])
    # In a row of sums or names alone, and in a heading between rows, a word may reach over several columns.
    scored = [line for line in data[:_LOOKED_AT] if _is_row(line)]
    rows = [line.expandtabs(8) for line in scored or data]
    above = header.expandtabs(8) if _in_columns(header) and _what(header) != "facts" else ""
    spans = _spans(rows, above)
    if shape := _ragged_shape(rows, spans):
        few = [_parted(line, shape) for line in rows[:_FEW]]
        return lambda line, head: _beside_numbers(_ragged_head(line, shape), few) if head else _parted(line, shape)
    spans = _with_names(rows, above, spans)
    starts = {text.start(): column for text, column in _placed(above, spans)}
    few = [_cells(line, spans) for line in rows[:_FEW]]
    return lambda line, head: (
        _beside_numbers(_heads(line.expandtabs(8), spans, starts), few) if head else _cells(line.expandtabs(8), spans)
    )


def _heads_of_tables(head: str, rows: Sequence[str]) -> list[str]:
    """Return the headings of rows of tables with single blanks, ``Table North South % East West %``; else nothing."""
    heads = _known_words(head)
    names = [bool(meanings_of(text) & {*NAMES}) for text in heads]
    several = sum(named for named, _ in groupby(names)) > 1 and not re.search(r"\s{2}|\t", head.strip())
    return heads if several and all(_of_table(line, heads) for line in rows if _is_row(line)) else []


def _of_table(line: str, heads: Sequence[str]) -> list[str]:
    """Return the texts of a row that numbers part, and names of two words or with a member number; else nothing."""
    left, found = _words_of(line), list[str]()
    for named, part in groupby(heads, lambda text: bool(meanings_of(text) & {*NAMES})):
        count = len([*part])
        words = left[: next((n for n, word in enumerate(left) if _is_number(word) == named), len(left))]
        names = re.findall(_ONE_NAME if any(map(_OF_ONE.search, words)) else _TWO_WORDS, " ".join(words))
        if len(names if named else words) != count or (named and " ".join(names) != " ".join(words)):
            return []
        found += names if named else words
        del left[: len(words)]
    return [] if left else found


_OF_ONE = re.compile("[0-9]{4}")
_ONE_NAME = r"[^\W\d_][^0-9]*[0-9]{4,9}\)?"
_TWO_WORDS = r"[^\W\d_]\S*(?: (?:[a-zß-ÿ]+|L[ea]|D[eu]|V[ao]n))* (?:[^\W\d_]\S*)(?: \([^()]*\))?"
"""A name with a member number behind it, or of two words, with small ones such as ``van der`` between these."""


def _beside_numbers(heads: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return headings of which none of numbers stands above names: so they do where names are longer than theirs.

    They move one column to the right, if each then stands above what it says.
    """
    known = [n for n, head in enumerate(heads) if (means := meanings_of(head)) and means <= _OF_NUMBERS]
    wrong = next((n for n in known if not _hold_numbers(rows, n)), len(heads))
    width = min(map(len, rows), default=0)
    if wrong == len(heads) or (heads[-1] and len(heads) >= width):
        return heads
    moved = [*heads[:wrong], "", *heads[wrong:]][:width]
    return moved if all(_hold_numbers(rows, n) for n, head in enumerate(moved) if n > wrong and head) else heads


_OF_NUMBERS = {*RANKING_COLUMNS, "award"}


def _hold_numbers(rows: Sequence[Sequence[str]], column: int) -> bool:
    return all(share_of(row[column]) is not None for row in rows if column < len(row) and row[column])


def _parts_columns(mark: str, lines: Sequence[str], known: bool) -> bool:
    """Say whether a sign parts the columns of a table.

    known: whether it parts its headings; else it stands in a line twice, or ``;`` between names and a score.
    """
    having = [line for line in lines if mark in line]
    ends = mark == ";" and all(share_of(line.rpartition(mark)[2].strip()) is not None for line in having)
    whole = [line for line in having if mark in line.rstrip(f"{mark} ")]  # others are of nobody, or of sums
    apart = known or ends or all(line.count(mark) > 1 and "  " not in line.strip() for line in whole)
    glued = (_PLACED.match, _SCORED.search) if mark == "," else (_SCORED.search,)
    if len(having) < _MOST * len(lines) or not apart:
        return False
    if len(having) > 1 and any(
        sum(is_glued(line.strip()) is not None for line in having) >= _MOST * len(having) for is_glued in glued
    ):
        return False
    return len({len(row) for row in csv.reader(having, delimiter=mark)}) == 1


def _above_notes(lines: Sequence[str], has: Callable[[str], bool]) -> Sequence[str]:
    """Return the lines of a table that have what parts its columns, where nearly all have, and notes below lack it."""
    size = next((n for n, line in enumerate(reversed(lines)) if has(line)), len(lines))
    having = lines[: len(lines) - size]
    return having if len(having) >= _MOST * len(lines) and all(map(has, having)) else []


_RULES_AROUND = re.compile(r"^\s*\||\|\s*$")

_MOST = 0.8
"""As many lines of a table have the sign that parts its columns: others stand below it."""

_PLACED = re.compile(r"[^\s,;]*[0-9][^\s,;]* +[^\W\d_]")
_SCORED = re.compile(r"[^\s\d,;](?: +[0-9]+(?:[.,][0-9]+|½|-?[0-9]*/[0-9]+)? ?%?)+$")
"""How a line begins and ends whose place, or score, a blank parts from the names: no other sign parts its columns."""


class _Ragged(NamedTuple):
    """How many numbers the lines of contestants have, where only numbers part their columns."""

    first: int  # before the names
    least: int  # behind the names, in the shortest line
    most: int  # behind the names, in the longest line
    letter: bool = False  # whether the letter of a stratum stands between the names and these


def _ragged_shape(lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> _Ragged | None:
    """Return the shape of the lines of contestants that stand in no columns, and are divided by their numbers.

    None where they stand in columns, and where lines that begin with a number have more or fewer parts than most,
    unless all that some of them lack are the last numbers, such as masterpoints.
    """
    data = [line for line in lines if _what(line) == "row"]
    joined = sum(_numbers_apart(line, spans) != _shape(line) for line in data)
    shapes = [_shape(line) for line in data]
    alike = joined and len(set(shapes)) == 1 and sum(shapes[0]) + 1 >= len(spans)
    if not data or (2 * joined <= len(data) and not alike):
        return None
    usual = max(shapes, key=shapes.count)
    odd = [line for line, shape in zip(data, shapes, strict=True) if sum(shape) != sum(usual)]
    letter = all(re.search(" [A-F]( [0-9½.,/%-]+)+$", line) for line in data)
    if 5 * len(odd) <= len(data) and not any(_is_number(line.split()[0]) for line in odd):
        return _Ragged(usual[0], usual[1], usual[1], letter)
    ends = [last for _, last in shapes]
    ragged = _Ragged(usual[0], min(ends), max(ends))
    led = {first for first, _ in shapes} == {ragged.first}
    return ragged if led and ragged.first and ragged.least and _anchored(data, ragged) else None


def _numbers_apart(line: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return with how many numbers a line begins and ends that stand in columns without names: ``6 NS`` is one."""
    cells = [_words_of(text) for text in _cells(line, spans) if text]
    ends = [*accumulate(map(len, cells))]
    lead = _leading(line, [*chain(*cells)])
    last = [*chain(*takewhile(lambda words: all(map(_ends, words)), cells[::-1]))]
    return max((end for end in ends if end <= lead), default=0), len(list(dropwhile(_in_brackets, last[::-1])))


def _ends(word: str) -> bool:
    """Say whether a word is a number, one with a slip of the keyboard included: behind names no seat looks so."""
    return _is_number(word) or ("." in word and likely_number(word) != "")


def _in_brackets(word: str) -> bool:
    """Say whether a word is in brackets: behind names it is a note, whatever it is."""
    return word.startswith("(")


def _anchored(data: Sequence[str], ragged: _Ragged) -> bool:
    """Say whether the numbers that all lines have after the names are the first of those that some have.

    They have one form in all lines, and the last of them are percentages or shares: that shows when one is missing.
    """
    always = [_divided_by_numbers(line, ragged.first)[ragged.first + 1 :][: ragged.least] for line in data]
    kinds = {tuple(map(_kind, numbers)) for numbers in always}
    last = [numbers[-1] for numbers in always]
    return len(kinds) == 1 and (_kind(last[0]) == "/" or (_kind(last[0]) != "" and are_percentages(last)))


def _kind(number: str) -> str:
    """Return what a number is written with besides digits: ``/`` of a share, ``%`` or ``.``; nothing if it is whole."""
    return next((sign for sign in "/%" if sign in number), "." if re.search("[.,]", number) else "")


def _words_of(line: str) -> list[str]:
    """Return the words of a line, a sign for percent with the number before it, and a share as one: ``71/ 126``."""
    line = re.sub(r"(?<=[0-9]) */ *(?=[0-9])", "/", re.sub(r"(?<=[0-9]) +%", "%", line))
    line = re.sub(r"\([^\W\d_][^()]*\)", lambda note: note[0].replace(" ", "\0"), line)  # a note is one word
    return [word.replace("\0", " ") for word in line.split()]


def _shape(line: str) -> tuple[int, int]:
    """Return with how many numbers a line begins and ends."""
    words = _words_of(line)
    last = [*takewhile(_ends, words[::-1])]
    return _leading(line, words), len(list(dropwhile(_in_brackets, last[::-1])))


def _leading(line: str, words: Sequence[str]) -> int:
    """Return with how many numbers a line begins, and directions, seats and sections where single blanks part these."""
    led = (_is_number(word) or _led_by_seat(words[n : n + _BEFORE_A_NUMBER]) for n, word in enumerate(words))
    size = next((n for n, leads in enumerate(led) if not leads), len(words))
    numbers = next((n for n in range(1, size) if not _is_number(words[n])), size)
    return (
        size
        if numbers == size or re.sub("= +", "= ", line.lstrip()).startswith(" ".join(words[: size + 1]))
        else numbers
    )


_BEFORE_A_NUMBER = 6
"""No more words than these stand before a number that they are a section, direction or seat of."""


def _led_by_seat(words: Sequence[str]) -> bool:
    """Say whether some words begin with a direction, a seat or a section before these: ``NS Ann``, ``A 4 Ann``."""
    first, *others = words or [""]
    if re.fullmatch("[A-F]", first):
        return bool(others) and (_is_number(others[0]) or _led_by_seat(others))
    side = re.fullmatch(r"([A-Z][-/]?[A-Z])?([A-Z]?-?[0-9]{1,2})?|[0-9]{1,2}-?([A-Z]{2})", first)
    direction = side and (side[1] or side[3])
    return bool(side and first and (direction_headed(direction) if direction else not first.isdecimal()))


def _divided_by_numbers(line: str, most: int) -> list[str]:
    """Return the numbers that a line begins with, ``most`` at most, what is between, and those that it ends with."""
    words, (first, last) = _words_of(line), _shape(line)
    first = min(first, most)
    between = " ".join(words[first : len(words) - last]).strip(" -\u2013\u2014:,;")
    return [*words[:first], between, *words[len(words) - last :]]


def _parted(line: str, shape: _Ragged) -> list[str]:
    """Return the parts of a contestant's line; any other line is one text.

    What some lines lack is empty; where these are several, nobody can tell which they are, and they are one text.
    """
    if shape.first and _is_nobody(line) and re.match(r"\s*[A-Z]{0,2}[0-9]", line):
        return [*[""] * (shape.first - 1), *line.split(maxsplit=1)]
    words = _words_of(line)
    if len(words) == shape.first + shape.least and not _NAMED.search(line):  # it lost its names
        return [*words[: shape.first], "", *words[shape.first :]]
    found = _divided_by_numbers(line, shape.first) if _what(line) == "row" else []
    if shape.letter and found:
        found[shape.first : shape.first + 1] = found[shape.first].rsplit(" ", 1)
    fixed = shape.first + 1 + shape.letter + shape.least
    if not fixed <= len(found) <= fixed + shape.most - shape.least:
        return [line]
    return found if shape.most == shape.least else [*found[:fixed], " ".join(found[fixed:])]


def _ragged_head(line: str, shape: _Ragged) -> list[str]:
    """Return the texts of a header above columns with single blanks between them; a title is one text.

    ``Score %`` heads one column, or two where there are more columns than headings.
    """
    words = _known_words(line)
    columns = shape.first + 1 + shape.letter + shape.least
    lacking = columns + (shape.most > shape.least) - len(words)
    for at in reversed(range(len(words))):
        parts = words[at].split()
        if parts[-1] == "%" and len(parts) - 1 > lacking:
            parts = [" ".join(parts[:-1]), "%"]
        # What only some rows have may be without a heading.
        if (
            0 < len(parts) - 1 <= lacking
            and at + len(parts) <= columns
            and all(meanings_of(part) or direction_headed(part) for part in parts)
        ):
            words[at : at + 1] = parts
            lacking -= len(parts) - 1
    names = max(len(words) - 1 - shape.letter - shape.least, 0)
    if lacking > 0 and any(meanings_of(word) & {*NAMES} for word in words[names : shape.first]):  # a seat is two words
        words[names:names] = [""] * (shape.first - names)
    return words if _are_heads(words) and _names_columns(words) else [line]


def _known_words(line: str) -> list[str]:
    """Return the words of a header above columns with single blanks between them: known ones, as long as can be."""
    parts = re.split(r"\s{2,}", line.strip())
    if len(parts) > 1:
        return [word for part in parts for word in _known_words(part)]
    words, at = line.split(), 0
    found = []
    while at < len(words):
        end = next(
            (n for n in range(min(at + 3, len(words)), at + 1, -1) if meanings_of(" ".join(words[at:n]))), at + 1
        )
        end -= end > at + 1 and words[end - 1] == "%" and words[end : end + 1] == ["score"]  # ``MP % score``
        found.append(" ".join(words[at:end]))
        at = end
    return found


@lru_cache(maxsize=MOST_LINES)
def _what(line: str) -> Literal["side", "facts", "head", "row", ""]:
    """Return what a line is: a direction alone, facts of the game, the head of a table, a row, or anything else."""
    if _tells_side(line):
        return "side"
    if _is_header(line):  # ``Round 1   Round 2`` counts nothing
        return "head"
    return "facts" if _tells_facts(line) else "row" if _may_be_row(line) else ""


def _tells_side(line: str) -> bool:
    """Say whether a line is a heading of a direction, ``Linia EW``, and none of two columns."""
    line = line.strip()
    if line[:1].isdigit():  # as nearly all rows
        return False
    line = without_facts(line)[0].strip() if "  " in line and line[-1].isdigit() else line
    return "  " not in line and bool(direction_headed(line.strip(" :")))


def _is_header(line: str) -> bool:
    """Say whether a line heads a table in known words; with single blanks between its words it has no others."""
    if re.search("[0-9][.,][0-9]", line):  # as nearly all rows have
        return False
    cells = [text.strip() for text in re.split(r"\s{2,}|[|;,\t]", line.strip(" "))]
    words = _known_words(line)
    known = all(map(meanings_of, words)) and _names_columns(words)
    return (len(cells) > 1 and _are_heads(cells)) or (known and _are_heads(words))


def _are_heads(texts: Sequence[str]) -> bool:
    return is_head(Row([Cell(text, "") for text in texts], ""))


def _names_columns(words: Sequence[str]) -> bool:
    """Say whether words with single blanks between them head columns: ``Club Pairs`` is an event."""
    known = [*filter(None, map(meanings_of, words))]
    return len(known) > _TWO or any(means & {*RANKING_COLUMNS} for means in known)


def _may_be_row(line: str) -> bool:
    """Say whether a line has words, and a number first or last."""
    if PAGE.fullmatch(line.strip()):
        return False
    bare = line.replace('"', " ").strip("| \t;,%*")
    words = [word for word in re.split(r"[\s|;]+|(?<![0-9]),|,(?![0-9])", bare) if word]
    glued = len(words) == 2 and re.match(r"[^\W\d_]{2,}[/&+-][^\W\d_]{2}", words[0])
    apart = len(words) == 2 and re.fullmatch(r"[^\W\d_]{2,}(?:\t|\s{2,})[0-9]+[.,][0-9]+\s?%?", bare.strip())
    named = any(map(_NAMED.search, words))
    if not named and re.match(r"\s*[0-9]", bare):  # else they may be letters of strata
        # One pattern that cuts both ends would take the square of the line's length.
        middle = re.search(r"[^\W\d_](?:.*[^\W\d_])?", bare)
        named = middle is not None and are_initials(middle[0])
    if (len(words) < 3 and not (glued or apart)) or not named:
        return False
    if any(map(_is_score, (words[-1], words[-1].rpartition(",")[2]))) or _is_scored(line):
        return True
    if place_of(words[-1]) is not None and re.search("[.,%]", words[-2]) and _is_score(words[-2]):
        return True
    if re.search("[.,%]", words[0]) and _is_score(words[0]) and len(names_in(line.strip().partition(" ")[2])) > 1:
        return True
    return _leads(words[0]) and not names_club(line.strip().partition(" ")[2])


def _is_scored(line: str) -> bool:
    """Say whether a line has a number and a score in columns of their own, and words last: ``3  Ash  51.20  yes``."""
    cells = [text.strip() for text in re.split(r"\s{2,}|[\t|]", line) if text.strip()]
    numbers = [text for text in cells if number_of(text) is not None]
    sure = "|" in line or len(numbers) > _TWO or any(re.search("[.,%]", text) for text in numbers)
    return len(cells) > _FEW and len(numbers) >= _TWO and sure


_TWO = 2
"""So many columns of numbers beside words are those of a contestant."""


def _is_score(word: str) -> bool:
    return share_of(word) is not None or (re.search("[.,]", word) is not None and likely_number(word) != "")


_YEAR = re.compile(
    r"(?<![0-9])(?:(?:19|20)[0-9]{2}|['\u2019][0-9]{2}|[0-9]{1,2}[-. ]{1,2}[^\W\d_]{3,9}[-. ]{1,2}[0-9]{2}|"
    r"[0-9]{1,2}([-/.])[0-9]{1,2}\1[0-9]{2})"
    r"(?![0-9])"
)
"""What nearly every date has."""


def _tells_facts(line: str) -> bool:
    """Say whether the numbers of a line are those of a date, or of tables and boards."""
    if ":" in line and any(labelled(word) == "date" for word in re.findall(r"([^\W\d_]{2,20})\s*:", line)):
        return True
    left, counted = without_facts(line)
    if counted and not re.search("[0-9][.,][0-9]", line) and not _is_score(line.split()[-1]):
        return True  # no contestant has a count of tables or boards, and no score
    if counted > 1 or not (_YEAR.search(line) or counted):
        return (
            counted > 1
            or re.fullmatch(r"[0-9]{1,3} [^\W\d_]+(?:, *[0-9]{1,3} [^\W\d_]+|, *[^\W\d_]+)+", line.strip()) is not None
        )
    plain = with_english_months(left)
    told = date_in(plain)
    left = plain.replace(told, " ") if told else plain
    return (counted > 0 or told != "") and not re.search(r"(?<![0-9])[0-9]+[.,][0-9]" if told else "[0-9]", left)


def _is_numbers(line: str) -> bool:
    """Say whether a line holds nothing but numbers and seats, or a sum below them: ``Average 50.00``."""
    words = [word for word in re.split(r"[\s|;,]+", line) if re.search(r"\w", word)]
    numbers = words[1:] if words and is_sum(words[0]) else words
    return len(words) > 1 and all(number_of(word) is not None or _led_by_seat([word]) for word in numbers)


def _edges(data: Sequence[str], head: str) -> list[int]:
    """Return where columns begin: places before which nearly all lines have a blank, and where something begins.

    A single blank parts columns where a heading begins there, too. head: the line above them, empty for none.
    """
    width = max(map(len, data))
    padded = [line.ljust(width) for line in data]
    few = len(data) * 0.06
    blank = [sum(line[i] != " " for line in padded) <= few for i in range(width)]
    edges = [0]
    for i in range(1, width):
        if blank[i - 1] and not blank[i]:
            run = i - next((j + 1 for j in range(i - 1, -1, -1) if not blank[j]), 0)
            if run > 1 or _is_headed(padded, head, i) or _is_edge(data, head, i):
                edges.append(i)
    return edges


def _is_headed(lines: Sequence[str], head: str, at: int) -> bool:
    """Say whether a heading begins where all lines have something behind a blank.

    A later word of one that is known, as of ``Pair names``, begins none: first names may be of one length by chance.
    Nor does one behind a sign that joins what stands on both sides of it.
    """
    begins = head[at - 1 : at] == " " and head[at : at + 1].strip() != ""
    if not begins or len(lines) <= _FEW or any(line[at - 1] != " " or line[at] == " " for line in lines):
        return False
    if _are_signs(lines, at):
        return False
    if all(_word_before(line, at) in _PARTING for line in lines):  # of a number and a name, say
        return False
    return at not in _within_known(head)


@lru_cache(maxsize=1)  # of one header it is asked for each place where a column may begin
def _within_known(head: str) -> frozenset[int]:
    """Return where a later word begins of a heading that is known and of several words."""
    found = set[int]()
    for text in _TEXT.finditer(head):
        start = text.start()
        for words in _known_words(text[0]):
            if " " in words and meanings_of(words):
                found |= {start + word.start() for word in _WORD.finditer(words)} - {start}
            start += len(words) + 1
    return frozenset(found)


def _word_before(line: str, at: int) -> str:
    """Return the last word of a line before a place, empty for none; what is far before it is rarely looked at."""
    near = line[max(at - _NEAR, 0) : at].rstrip()
    return (near if " " in near else line[:at].rstrip()).rpartition(" ")[2]


def _word_at(line: str, at: int) -> str:
    """Return the word of a line that begins at a place; '' where a blank stands there."""
    end = line.find(" ", at)
    return line[at : end if end >= 0 else None]


_NEAR = 100
"""As long as hardly a word is."""


_FEW = 3
"""In as many lines or fewer, names may begin below each other by chance."""


def _edges_by_heads(data: Sequence[str], head: str) -> Iterator[int]:
    """Yield where columns begin that few rows have anything in, below headings of their own: all rows part them."""
    blank = [not any(line[at : at + 1].strip() for line in data) for at in range(max(map(len, data)))]
    end = max((at for at, empty in enumerate(blank) if not empty), default=0)
    for left, right in pairwise(_TEXT.finditer(head)):
        gap = [at for at in range(left.end() - 1, min(right.end(), end)) if blank[at]]
        runs = [at + 1 for at in gap if at + 1 < len(blank) and not blank[at + 1] and not _are_signs(data, at + 1)]
        # Blanks below a heading are within what stands there, if that begins where its heading does.
        if runs and (len(runs) == 1 or runs[0] >= right.start() - 1) and runs[0] <= right.start() + 1:
            yield runs[0]


_PARTING = {
    *("+", "&", "/", "//", "\\", "-", "--", "\u2013", "\u2014", "and", "et", "und", "en", "y", "i", "si", "și"),
    *("with", "mit", "met", "avec", "con"),
}
"""What stands between names."""


def _is_edge(lines: Sequence[str], head: str, at: int) -> bool:
    """Say whether a single blank before a place separates columns: numbers on one side, or many lines that agree.

    head: the line above them, empty for none.
    """
    before = [_word_before(line, at) for line in lines]
    after = [_word_at(line, at) for line in lines if line[at : at + 1].strip(" ")]
    many = 2 * len(after) >= len(lines)
    below = all(_is_number(text) for text in before if text)
    if all(map(_OF_MEMBER.fullmatch, after)) and (not (many or below) or after[0][0] == "#"):
        return False  # it is the number of the longest names alone, or each stands beside its name
    of_most = 2 * sum(_WORD.search(line, at) is not None for line in lines) >= len(lines)  # else it ends a note
    numbers = below or (of_most and all(number_of(text) is not None for text in after))
    if _are_signs(lines, at) or (head[at : at + 1].strip() and _are_seats(before, after)):
        return False  # it belongs to the number before
    parted = sum(word in _PARTING or word.endswith(",") for word in before)
    joined = sum(word in _PARTING for word in after)
    if not numbers and (2 * max(parted, joined) >= len(lines) or not many):
        return False  # it is within the names of a pair
    # Words that end in one column in all lines, as first names of one length do, are separated by one blank everywhere.
    wider = sum(line[max(at - 2, 0) : at].ljust(2) == "  " for line in lines)
    return numbers or (len(lines) > 5 and wider > len(lines) / 4)


_NUMBERED = re.compile(rf"[0-9]{{1,3}}[.)]|(?:{NUMBER_SIGN}|[#(])[0-9]{{1,3}}[.:)]*", re.IGNORECASE)
"""What stands before names, and is no column of itself."""


def _with_names(rows: Sequence[str], head: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where columns stand, with numbers such as ``4.`` before names in one column where one heading has both."""
    heads = {column: meanings_of(text[0]) for text, column in _placed(head, spans)}
    texts = [[text for row in rows if (text := row[start:end].strip())] for start, end in spans]
    found: list[tuple[int, int]] = []
    for n, (start, end) in enumerate(spans):
        means = heads.get(n, frozenset[str]()) | heads.get(n - 1, frozenset()) if {n, n - 1} - {*heads} else frozenset()
        apart = "number" in means and n - 1 in heads and n == 1  # the heading is of the numbers
        numbered = found and len(texts[n - 1]) >= _MOST * len(rows) and all(map(_NUMBERED.fullmatch, texts[n - 1]))
        if numbered and means & {*NAMES} and not apart and any(re.search(r"[^\W\d_]{2}", text) for text in texts[n]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _are_signs(lines: Sequence[str], at: int) -> bool:
    """Say whether nothing begins at a place but signs for percent."""
    return all(_word_at(line, at) in {"%", ""} for line in lines)


def _are_seats(before: Sequence[str], after: Sequence[str]) -> bool:
    """Say whether words on both sides of a blank are seats below one heading: ``6 NS``."""
    sides = [direction_of(word) for word in after]
    return all(map(str.isdecimal, before)) and len(sides) > 0 and all(sides)


@lru_cache(maxsize=MOST_LINES)
def _is_number(word: str) -> bool:
    """Say whether a word is a number, a share such as ``45/72``, or a place such as ``=4``.

    The number of a member is none: it stands beside a name.
    """
    return _OF_MEMBER.fullmatch(word) is None and (share_of(word) is not None or _leads(word))


_OF_MEMBER = re.compile("[0-9]{6,9}|#[0-9]{4,9}")
"""More digits than a place, a score or a number of a pair has."""


def _leads(word: str) -> bool:
    """Say whether a line of a list may begin with a word: a number, or a place in any language, ``1er``, ``#1``."""
    return _LEADING.fullmatch(word) is not None or place_of(word) is not None


def _spans(data: Sequence[str], head: str) -> list[tuple[int, int]]:
    """Return where the texts of each column begin and end. head: the line above them, empty for none."""
    edges = sorted({*_edges(data, head), *_edges_by_heads(data, head)})
    spans: list[tuple[int, int]] = []
    for start, end in zip(edges, [*edges[1:], max(map(len, data))], strict=True):
        parts = [line[start:end] for line in data if line[start:end].strip()]
        if parts:
            first = start + min(len(part) - len(part.lstrip()) for part in parts)
            last = start + max(len(part.rstrip()) for part in parts)
            if spans and (
                _is_one_column(data, head, *spans[-1], first, last) or _is_joined(data, *spans[-1], first, last)
            ):
                first, _ = spans.pop()
            spans.append((first, last))
    return spans


def _is_one_column(data: Sequence[str], head: str, first: int, end: int, start: int, last: int) -> bool:
    """Say whether texts are below one word, in one of two places each: ``T1`` on the left, ``3`` on the right."""
    word = head[first:last]
    apart = not any(line[first:end].strip() and line[start:last].strip() for line in data)
    return apart and len(word) == last - first and " " not in word


def _is_joined(data: Sequence[str], first: int, end: int, start: int, last: int) -> bool:
    """Say whether a sign stands between two names in each line, below that of the others: ``Ash     - Birch``."""
    sides = [(line[first:end].split(), line[start:last].split()) for line in data]
    both = [(left, right) for left, right in sides if left and right]
    named = (any(map(_NAMED.search, left)) and any(map(_NAMED.search, right)) for left, right in both)
    signs = all(left[-1] in _PARTING or right[0] in _PARTING for left, right in both)
    return len(both) > 1 and signs and all(named)


_NAMED = re.compile(r"[^\W\d_]{2}")


def _cells(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the texts of a line by column: each of its words is in the column that most of it stands in."""
    cells: list[list[str]] = [[] for _ in spans]
    # Without numbers, names that are longer than the others reach into the columns beside theirs.
    for found in (_WORD if re.search("[0-9]", line) else _TEXT).finditer(line):
        cells[_column(found.start(), found.end(), spans)].append(found[0])
    return [" ".join(words) for words in cells]


_TEXT = re.compile(r"\S+(?: \S+)*")


def _heads(line: str, spans: Sequence[tuple[int, int]], starts: Mapping[int, int]) -> list[str]:
    """Return the texts of a header, or of a line above it, by column.

    starts: the columns of the header by where their headings begin.
    """
    cells: list[list[str]] = [[] for _ in spans]
    for text, column in _placed(line, spans, starts):
        cells[column].append(text[0])
    return [" ".join(texts) for texts in cells]


def _placed(
    line: str, spans: Sequence[tuple[int, int]], starts: Mapping[int, int] = MappingProxyType({})
) -> list[tuple[re.Match[str], int]]:
    """Return the texts of a header, each with its column.

    Words with single blanks between them are one text if they stand above one column or are known, else several; so are
    ``Pair Names`` above a column each. What stands beside all columns heads the nearest one between its neighbours', or
    none. starts: the columns of another header below it by where their headings begin.
    """
    found: list[tuple[re.Match[str], bool]] = []
    for text in _TEXT.finditer(line):
        above = _below(text.start(), text.end(), spans)
        words = list(_WORD.finditer(line, text.start(), text.end()))
        each = [_below(word.start(), word.end(), spans) for word in words]
        apart = [*chain(*each)] == [*above] and all(meanings_of(word[0]) for word in words)
        whole = len(above) < 2 or (meanings_of(text[0]) and not (apart and all(each)))
        found += [(text, bool(above))] if whole else zip(words, map(bool, each), strict=True)
    at = [_column(part.start(), part.end(), spans) for part, _ in found]
    sure = [column if beside else len(spans) for column, (_, beside) in zip(at, found, strict=True)]
    ends = [*accumulate(sure[:0:-1], min, initial=len(spans))][::-1]
    first = 0
    for n, ((part, beside), last) in enumerate(zip(found, ends, strict=False)):
        if not beside:
            near = _column(part.start(), part.end(), spans, first, last) if first < last else at[n]
            at[n] = starts.get(part.start(), near)
        first = max(first, at[n] + 1)
    headed = {column for column, (_, beside) in zip(at, found, strict=True) if beside}
    return [(part, column) for column, (part, beside) in zip(at, found, strict=True) if beside or column not in headed]


def _below(start: int, end: int, spans: Sequence[tuple[int, int]]) -> range:
    """Return the columns that stand below or above a word, at least in part; spans are in their order."""
    return range(bisect_right(spans, start, key=itemgetter(1)), bisect_left(spans, end, key=itemgetter(0)))


def _column(start: int, end: int, spans: Sequence[tuple[int, int]], first: int = 0, last: int | None = None) -> int:
    """Return the column that a word stands in: the one that it overlaps most, else the nearest.

    first, last: the columns to choose from, all by default.
    """
    last = len(spans) if last is None else last
    below = _below(start, end, spans)
    near = range(max(first, min(below.start, last) - 1), min(last, max(below.stop, first) + 1))
    return max(near, key=lambda i: min(end, spans[i][1]) - max(start, spans[i][0]))
