"""The columns of a listing: its header lines taken apart, and its rows cut into cells.

A listing is set with tabs or in fixed columns. In fixed columns numbers end where their label ends, ranks are under
the letter of their stratum, and the stratum comes, unlabelled, before the section ranks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from resultproc.formats.common.rows import Cell
from resultproc.model.columns import SHOWN
from resultproc.model.errors import InputError

CALLED = ("Pair", "Player", "Team")
"""What the first column is called, after what the contestants are."""

LABELS = {column.short: column for column in SHOWN}
"""The labels of the columns left of the ranks, and the contestants' columns that they fill; of families the number
follows, as in ``Session 1``."""

GROUPS = {"Qualifiers": "qualifier", "Section Rank": "section", "Overall Rank": "overall"}
"""The labels above several columns, one for each stratum."""

UNSTRATIFIED = "Rank"
"""The label of the one column of section ranks that a game without strata has."""

REST = {"MPs": "award", "Colours": "colours", "Names": "names"}
"""The labels of the columns that begin where their label begins."""

_ALSO = {"Adjust": "Adj", "Sectn Rank": "Section Rank", "O/All Rank": "Overall Rank"}
"""Other spellings of labels."""

_LABEL = re.compile(
    "|".join(
        re.escape(label) + (" [1-9][0-9]?" if label in LABELS and LABELS[label].numbered else "")
        for label in sorted((*_ALSO, *CALLED, *LABELS, *GROUPS, UNSTRATIFIED, *REST), key=len, reverse=True)
    )
)
_LETTERS = re.compile(r"\s*[A-Z](\s+[A-Z])*\s*")
TOKEN = re.compile(r'(?:"(?:[^"]|"")*"|\S)+')
"""A text between blanks; in double quotes it may hold blanks."""

TO_STRATUM = 4
"""How far before the first section rank the stratum is."""

_TO_NAMES = 8
"""How far after the beginning of ``MPs`` the names begin, where no label says it."""

_ASTRAY = 4
"""How far from its column a text may be."""

_AMOUNT = re.compile(r"[0-9]*\.\S*( ?\([^)]*\)?)?")
"""What begins like an award."""

_IN_WORDS = re.compile(r"\S{7} [A-Z] (?=\S)")
"""``Section C`` or ``Overall C`` in place of an award."""


@dataclass(frozen=True)
class Column:
    """A column: the contestants' column that it fills, or ``section``, ``overall``, ``qualifier`` with the letter.

    place: in fixed columns where its texts end, or of those under a letter their middle.
    """

    name: str
    letter: str = ""
    place: float = 0


@dataclass(frozen=True)
class Columns:
    """The columns of a listing, in order; ``award``, ``colours`` where there are such, and ``names`` are the last.

    contestant: what it is called, Pair, Player or Team. starts: in fixed columns where the last ones begin by name;
    empty where the listing is set with tabs. guessed: no label says where the names begin.
    """

    contestant: str
    columns: tuple[Column, ...]
    starts: dict[str, int]
    guessed: bool

    def cells(self, line: Cell) -> Iterator[tuple[Column, str]]:
        """Yield the cells of a row that have text; raise InputError for what is in no column."""
        texts = self._aligned(line) if self.starts else self._separated(line)
        for column in self.columns:
            if texts.get(column):
                yield column, texts[column]

    def _separated(self, line: Cell) -> dict[Column, str]:
        """Cut a row at its tabs: counted from the left, but for award and names, which are last.

        Published sheets leave empty cells out before these two.
        """
        *texts, names = [text.strip() for text in line.text.rstrip().split("\t")]
        left = [column for column in self.columns if column.name not in {"award", "names"}]
        award = texts.pop() if len(texts) > 1 and _AMOUNT.match(texts[-1]) else ""
        if len(texts) < 2 or any(texts[len(left) :]) or not re.search(r"[^\W\d]{2}", names):
            raise InputError("this row does not have the columns of its header", line.where, "is it cut off?")
        *_, last, name = self.columns
        return dict(zip(left, texts, strict=False)) | {last: award, name: names}

    def _aligned(self, line: Cell) -> dict[Column, str]:
        starts = [max(start - (2 if self.guessed else 0), 0) for start in self.starts.values()]
        _refuse_across(line, starts[:1] if self.guessed else starts)
        texts: dict[Column, str] = {}
        left = [column for column in self.columns if column.name not in self.starts]
        for token in TOKEN.finditer(line.text[: starts[0]]):
            column = min(left, key=lambda c: _distance(token, c))
            if _distance(token, column) > _ASTRAY or (column in texts and column.name != "number"):
                raise InputError(f"'{token[0]}' is not in any column", line.where, "put it below its label")
            texts[column] = f"{texts[column]} {token[0]}" if column in texts else token[0]
        last = {column.name: column for column in self.columns if column.name in self.starts}
        return texts | (self._guessed(line, last) if self.guessed else self._sliced(line, last))

    def _sliced(self, line: Cell, columns: dict[str, Column]) -> dict[Column, str]:
        starts = [*self.starts.values(), None]
        return {columns[n]: line.text[starts[i] : starts[i + 1]].strip() for i, n in enumerate(self.starts)}

    def _guessed(self, line: Cell, columns: dict[str, Column]) -> dict[Column, str]:
        """Tell the award from the names where no label does: it begins with a digit."""
        text = line.text[max(self.starts["award"] - 2, 0) :].strip()
        award = _AMOUNT.match(text)
        if award:
            return {columns["award"]: award[0], columns["names"]: text[award.end() :].strip()}
        words = _IN_WORDS.match(line.text, max(self.starts["award"] - 1, 0))
        return {columns["names"]: line.text[words.end() :].strip() if words else text}


def _refuse_across(line: Cell, places: list[int]) -> None:
    """Refuse a text that runs from one column into the next."""
    for place in places:
        across = line.text[max(place - 1, 0) : place + 1]
        if len(across) == 2 and not across.count(" "):
            raise InputError(
                f"a text runs into the column that begins at {place + 1}", line.where, "put a blank between them"
            )


def _distance(token: re.Match[str], column: Column) -> float:
    if column.letter or column.name == "stratum":
        return abs((token.start() + token.end() - 1) / 2 - column.place)
    return abs(token.end() - 1 - column.place)


def is_header(line: str) -> bool:
    """Return whether a line is the first header line of a listing."""
    text = line.strip()
    if not text.startswith(CALLED) or not _LABEL.search(text, 4):
        return False
    return not _LABEL.sub("", text).strip() and ("MPs" in text or "Names" in text)


def is_letters(line: str) -> bool:
    """Return whether a line can be the second header line: the letters of the strata, once for each group."""
    return _LETTERS.fullmatch(line) is not None


def is_unstratified(line: str) -> bool:
    """Return whether a first header line is that of a game without strata, which has no second one."""
    labels = _LABEL.findall(line)
    return UNSTRATIFIED in labels and not any(_spelled(label) in GROUPS for label in labels)


def _spelled(label: str) -> str:
    """Return the usual spelling of a label."""
    return _ALSO.get(label, label)


def columns_of(header: Cell, letters: Cell | None) -> Columns:
    """Return the columns that the header lines show; raise InputError where they contradict each other.

    letters: the second line; none of a game without strata, whose ranks are those of its one stratum, A.
    """
    labels = list(_LABEL.finditer(header.text))
    texts = [_spelled(label[0]) for label in labels]
    if len(set(texts)) < len(texts):
        raise InputError("a label appears twice in the header", header.where, "keep one of them")
    if texts != sorted(texts, key=lambda text: text in REST) or texts[0] not in CALLED:
        raise InputError("the labels of this header are in the wrong order", header.where, "write MPs and Names last")
    groups = [text for text in texts if text in GROUPS]
    found = [] if letters is None else list(re.finditer("[A-Z]", letters.text))
    if letters is not None and ("Section Rank" not in groups or not found or len(found) % len(groups)):
        raise InputError(
            f"the header has {len(groups)} groups of columns, but {len(found)} letters below them",
            letters.where,
            "write the letter of each stratum below each of 'Section Rank' and 'Overall Rank'",
        )
    each = len(found) // max(len(groups), 1)
    columns: list[Column] = []
    for label, text in zip(labels, texts, strict=True):
        if text in GROUPS:
            under = found[:each]
            del found[:each]
            if text == "Section Rank":
                columns.append(Column("stratum", "", under[0].start() - TO_STRATUM))
            columns += [Column(GROUPS[text], letter[0], letter.start()) for letter in under]
        elif text == UNSTRATIFIED:
            columns.append(Column("section", "A", (label.start() + label.end() - 1) / 2))
        elif text not in REST:
            columns.append(Column(_number_column(text), "", label.end() - 1))
    starts = {REST[text]: label.start() for label, text in zip(labels, texts, strict=True) if text in REST}
    guessed = "names" not in starts
    if guessed:
        starts["names"] = starts["award"] + _TO_NAMES
    columns += [Column(name) for name in starts]
    return Columns(texts[0], tuple(columns), {} if "\t" in header.text else starts, guessed)


def _number_column(label: str) -> str:
    if label in CALLED:
        return "number"
    if label in LABELS:
        return LABELS[label].name
    family, _, number = label.rpartition(" ")
    return LABELS[family].of(int(number))
