"""A listing as it is read: its header lines split, its rows cut into cells, and what each cell says.

A listing is set with tabs or in fixed columns. In fixed columns numbers end where their label ends, ranks are under
the letter of their stratum, and the stratum comes, unlabelled, before the section ranks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from resultproc.model.codes import UNREADABLE
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS
from resultproc.model.game import leagues
from resultproc.model.grid import Cell
from resultproc.model.numbers import number
from resultproc.model.text import tidy, vocabulary
from resultproc.model.whose_points import colours_text
from resultproc.pages.annotated import LISTED
from resultproc.tables.cells import cell_value
from resultproc.tables.titles import unquoted

CALLED = ("Pair", "Player", "Team")
"""What the first column is called, after what the contestants are."""

ABROAD = {word: label for words in vocabulary()["listings"].values() for label, word in words.items()}
"""The labels, and the words above them, as other languages have them."""

BEGINS = (*CALLED, *(word for word, label in ABROAD.items() if label in CALLED))
"""What a header begins with."""

LABELS = {column.short: column for column in LISTED}
"""The labels of the columns left of the ranks, and the contestants' columns that they fill; of families the number
follows, as in ``Session 1``."""

GROUPS = {"Qualifiers": "qualifier", "Section Rank": "section", "Overall Rank": "overall"}
"""The labels above several columns, one for each stratum."""

UNSTRATIFIED = "Rank"
"""The label of the one column of section ranks that a game without strata has."""

REST = {"MPs": "award", "Colours": "colours", "Names": "names"}
"""The labels of the columns that begin where their label begins."""

_NARROW = {"Sectn Rank": "Section Rank", "O/All Rank": "Overall Rank"}
_ALSO = {"Adjust": "Adj", **_NARROW, **{word: _NARROW.get(label, label) for word, label in ABROAD.items()}}
"""Other spellings of labels."""


@cache
def _label() -> re.Pattern[str]:
    """Return what finds the labels in a header."""
    labels = sorted((*_ALSO, *CALLED, *LABELS, *GROUPS, UNSTRATIFIED, *REST), key=len, reverse=True)
    known = {label: LABELS.get(_ALSO.get(label, label)) for label in labels}
    numbered = {label for label, column in known.items() if column and column.numbered}
    return re.compile("|".join(re.escape(each) + (" [1-9][0-9]?" if each in numbered else "") for each in labels))


_LETTERS = re.compile(r"\s*[A-Z](\s+[A-Z])*\s*")
TOKEN = re.compile(r'(?:"(?:[^"]|"")*"|\S)+')
"""A text between blanks; in double quotes it may hold blanks."""

TO_STRATUM = 4
"""How far before the first section rank the stratum is."""

_TO_NAMES = 8
"""How far after the beginning of ``MPs`` the names begin, where no label says it."""

_ASTRAY = 4
"""How far from its column a text may be."""

_AMOUNT = re.compile(r"(?:[0-9]+,|[0-9]*\.)\S*( ?\([^)]*\)?)?")
"""What begins like an award."""

_IN_WORDS = re.compile(r"\S{7} [A-Z] (?=\S)")
"""``Section C`` or ``Overall C`` in place of an award."""


COLUMNS_LOST = "the blanks that keep the columns of this report apart are gone"
TO_KEEP = "save or copy it where it was printed, so that each number stays below its label, or save the page as a file"


class ListingColumn(NamedTuple):
    """A column."""

    name: str  # the contestants' column that it fills, or ``section``, ``overall``, ``qualifier``
    letter: str = ""  # that of the stratum, for ``section``, ``overall`` and ``qualifier``
    stands: float = 0  # in fixed columns where its texts end, or of those under a letter their middle


class ListingColumns(NamedTuple):
    """The columns of a listing."""

    contestant: str  # what it is called, Pair, Player or Team
    # In order; ``award``, ``colours`` where there are such, and ``names`` are the last.
    columns: tuple[ListingColumn, ...]
    # In fixed columns where the last ones begin by name; empty where the listing is set with tabs.
    starts: dict[str, int]
    guessed: bool  # whether no label says where the names begin

    def cells(self, line: Cell) -> Iterator[tuple[ListingColumn, str]]:
        """Yield the cells of a row that have text; raise InputError for what is in no column."""
        texts = self._aligned(line) if self.starts else self._separated(line)
        for column in self.columns:
            if texts.get(column):
                yield column, texts[column]

    def _separated(self, line: Cell) -> dict[ListingColumn, str]:
        """Cut a row at its tabs: counted from the left, except for award and names, which are last.

        Published sheets leave empty cells out before these two.
        """
        *texts, names = [text.strip() for text in line.text.rstrip().split("\t")]
        left = [column for column in self.columns if column.name not in {"award", "names"}]
        award = texts.pop() if len(texts) > 1 and _AMOUNT.match(texts[-1]) else ""
        if len(texts) < 2 or any(texts[len(left) :]) or not re.search(r"[^\W\d]{2}", names):
            raise InputError("this row does not have the columns of its header", line.where, "is it cut off?")
        *_, last, name = self.columns
        return dict(zip(left, texts, strict=False)) | {last: award, name: names}

    def _aligned(self, line: Cell) -> dict[ListingColumn, str]:
        starts = [max(start - (2 if self.guessed else 0), 0) for start in self.starts.values()]
        _refuse_across(line, starts[:1] if self.guessed else starts)
        texts: dict[ListingColumn, str] = {}
        left = [column for column in self.columns if column.name not in self.starts]
        for token in TOKEN.finditer(line.text[: starts[0]]):
            column = min(left, key=lambda c: _distance(token, c))
            if _distance(token, column) > _ASTRAY or (column in texts and column.name != "number"):
                raise InputError(f"'{token[0]}' is not in any column", line.where, "put it below its label")
            texts[column] = f"{texts[column]} {token[0]}" if column in texts else token[0]
        last = {column.name: column for column in self.columns if column.name in self.starts}
        if self.guessed:
            return texts | self._guessed(line, last)
        spans = pairwise([*starts, None])
        return texts | {last[n]: line.text[start:end].strip() for n, (start, end) in zip(last, spans, strict=True)}

    def _guessed(self, line: Cell, columns: dict[str, ListingColumn]) -> dict[ListingColumn, str]:
        """Tell the award from the names where no label does: it begins with a digit."""
        text = line.text[max(self.starts["award"] - 2, 0) :].strip()
        award = _AMOUNT.match(text)
        if award:
            return {columns["award"]: award[0], columns["names"]: text[award.end() :].strip()}
        words = _IN_WORDS.match(line.text, max(self.starts["award"] - 1, 0))
        return {columns["names"]: line.text[words.end() :].strip() if words else text}


def _refuse_across(line: Cell, starts: list[int]) -> None:
    """Refuse a text that runs from one column into the next."""
    for start in starts:
        across = line.text[max(start - 1, 0) : start + 1]
        if len(across) == 2 and not across.count(" "):
            raise InputError(
                f"a text runs into the column that begins at {start + 1}", line.where, "put a blank between them"
            )


def _distance(token: re.Match[str], column: ListingColumn) -> float:
    if column.letter or column.name == "stratum":
        return abs((token.start() + token.end() - 1) / 2 - column.stands)
    return abs(token.end() - 1 - column.stands)


def is_listing_header(line: str) -> bool:
    """Return whether a line is the first header line of a listing."""
    text = line.strip()
    if not text.startswith(BEGINS) or not only_labels(text):
        return False
    labels = [_spelled(label) for label in _label().findall(text)]
    return not {UNSTRATIFIED, *GROUPS}.isdisjoint(labels) and not {"MPs", "Names"}.isdisjoint(labels)


def names_at(line: str) -> int | None:
    """Return where the label of the names begins in a line of labels; None where there is none."""
    return next((label.start() for label in _label().finditer(line) if _spelled(label[0]) == "Names"), None)


def is_tabbed_header(line: str) -> bool:
    """Return whether a line is the first header line of a listing that is set with tabs: these separate its labels."""
    cells = map(str.strip, line.split("\t"))
    return "\t" in line and is_listing_header(line) and all(_label().fullmatch(cell) for cell in cells if cell)


def only_labels(line: str) -> bool:
    """Return whether a line has labels of a listing, and nothing else."""
    return bool(line.strip()) and not _label().sub("", line).strip()


def is_letters(line: str) -> bool:
    """Return whether a line can be the second header line: the letters of the strata, once for each group."""
    return _LETTERS.fullmatch(line) is not None


def is_unstratified(line: str) -> bool:
    """Return whether a first header line is that of a game without strata, which has no second one."""
    labels = _label().findall(line)
    return UNSTRATIFIED in labels and not any(_spelled(label) in GROUPS for label in labels)


def _spelled(label: str) -> str:
    """Return the usual spelling of a label."""
    family, _, number = label.rpartition(" ")
    return f"{_ALSO[family]} {number}" if number.isdecimal() and family in _ALSO else _ALSO.get(label, label)


def listing_columns(header: Cell, letters: Cell | None) -> ListingColumns:
    """Return the columns that the header lines show; raise InputError where they contradict each other.

    letters: the second line; none of a game without strata, whose ranks are those of its one stratum, A.
    """
    labels = list(_label().finditer(header.text))
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
    _refuse_lost(labels, found, header.where)
    each = len(found) // max(len(groups), 1)
    columns: list[ListingColumn] = []
    for label, text in zip(labels, texts, strict=True):
        if text in GROUPS:
            under = found[:each]
            del found[:each]
            if text == "Section Rank":
                columns.append(ListingColumn("stratum", "", under[0].start() - TO_STRATUM))
            columns += [ListingColumn(GROUPS[text], letter[0], letter.start()) for letter in under]
        elif text == UNSTRATIFIED:
            columns.append(ListingColumn("section", "A", (label.start() + label.end() - 1) / 2))
        elif text not in REST:
            columns.append(ListingColumn(_number_column(text), "", label.end() - 1))
    starts = {REST[text]: label.start() for label, text in zip(labels, texts, strict=True) if text in REST}
    guessed = "names" not in starts
    if guessed:
        starts["names"] = starts["award"] + _TO_NAMES
    columns += [ListingColumn(name) for name in starts]
    return ListingColumns(texts[0], tuple(columns), {} if "\t" in header.text else starts, guessed)


def _refuse_lost(labels: Sequence[re.Match[str]], letters: Sequence[re.Match[str]], where: str) -> None:
    """Refuse a header whose columns are lost: its blanks are put together, or those before its letters are gone."""
    if "\t" in labels[0].string:
        return
    single = len(labels) > 2 and all(after.start() - before.end() == 1 for before, after in pairwise(labels))
    left = next((before.end() for before, label in pairwise(labels) if _spelled(label[0]) in GROUPS), 0)
    if single or (letters and letters[0].start() < left):
        raise InputError(COLUMNS_LOST, where, TO_KEEP, code=UNREADABLE)


def _number_column(label: str) -> str:
    if label in CALLED:
        return "number"
    if label in LABELS:
        return LABELS[label].name
    family, _, number = label.rpartition(" ")
    return LABELS[family].of(int(number))


_RANK = re.compile(r"([1-9][0-9]*(?:/[1-9][0-9]*)?)?(NE)?")
_AWARD = re.compile(r"([0-9]{0,6}[.,][0-9]{2}|[0-9]{1,6})(?: ?\(([A-Za-z+]{1,12})\)| ?([A-Za-z]+|[A-Z](?:/[A-Z])+))?")
_SESSION = re.compile(r'([^("]*)(?:\(("(?:[^"]|"")*"|[^"/]*)(?:/(N-S|E-W))?\))?')


def listing_record(line: Cell, columns: ListingColumns) -> dict[str, object]:
    """Return what a row says of its contestant, in the columns of the contestants frame.

    ``number`` is the first cell as it is. Raises InputError for a cell that cannot be read, and for a row without
    a number.
    """
    found: dict[str, object] = {"where": line.where, "eligible": True}
    ranks: dict[str, list[str]] = {}
    for column, text in columns.cells(line):
        if column.name in {"section", "overall"}:
            rank, ineligible = rank_of(text, line.where)
            found["eligible"] = found["eligible"] and not ineligible
            if rank:
                ranks.setdefault(f"printed_{column.name}", []).append(f"{column.letter}={rank}")
        elif column.name == "qualifier":
            if text != "Q":
                raise InputError(f"unexpected '{text}' below 'Qualifiers'", line.where, "write Q or leave it empty")
        else:
            own = _session(column.name) if column.name.startswith("session") else partial(value_of, column.name)
            found |= _READ.get(column.name, own)(text, line.where)
    if "number" not in found:
        raise InputError("this row has no number", line.where, "write one for every contestant")
    return found | {name: ", ".join(texts) for name, texts in ranks.items()}


def rank_of(text: str, where: str) -> tuple[str, bool]:
    """Read ``1``, ``2/3``, ``NE``: return the rank, and whether the contestant is not eligible."""
    found = _RANK.fullmatch(text)
    if found is None:
        raise InputError(f"invalid rank: '{text}'", where, "write 1, 2/3 for a tie, or NE", code=UNREADABLE)
    return found[1] or "", bool(found[2])


def value_of(name: str, text: str, where: str) -> dict[str, object]:
    """Return what a cell of a contestants' column says: ``{"score": 61.5}``. Raises InputError for an invalid cell.

    name: of the column.
    text: as the listing has it, in quotes or not.
    where: the line, for messages.
    """
    try:
        return {name: cell_value(name, unquoted(text))}
    except ValueError as error:
        raise InputError(str(error), where, code=UNREADABLE) from None


def _session(name: str) -> Callable[[str, str], dict[str, object]]:
    """Return the reader of a session's scores: ``61.50``, ``61.50(B)`` or ``61.50(B/E-W)``, seated elsewhere."""

    def read(text: str, where: str) -> dict[str, object]:
        found = _SESSION.fullmatch(text)
        if found is None:
            raise InputError(
                f"invalid session score: '{text}'", where, "write it as 61.50, or 61.50(B/E-W)", code=UNREADABLE
            )
        score, section, direction = found.groups()
        values: dict[str, object] = value_of(name, score, where) if score else {}
        if section:
            values[name.replace("session", "section")] = unquoted(section)
        if direction:
            values[name.replace("session", "direction")] = direction
        return values

    return read


def _stratum(text: str, where: str) -> dict[str, object]:
    if not re.fullmatch("[A-Z]", text):
        raise InputError(
            f"invalid stratum: '{text}'", where, "write its letter before the section ranks, such as B", code=UNREADABLE
        )
    return {"stratum": text}


_PIGMENTS = {"Blk": "black", "Slv": "silver", "Silv": "silver", "Red": "red", "Gold": "gold", "Gld": "gold"}
"""How an award of one colour is marked."""

_INITIALS = {colour[0].upper(): colour for colour in next(iter(leagues().values())).points_colours}
"""How the colours of an award of several are marked: ``R/B``."""


def award_of(text: str, where: str) -> dict[str, object]:
    """Read ``0.90 (A)``, ``2.50(OA)``, ``0.06``, ``0.36Blk`` or ``5.25R/B``, which does not say how much is of each."""
    found = _AWARD.fullmatch(text)
    marks = (found[3] or "").split("/") if found else [""]
    known = _PIGMENTS if len(marks) == 1 else _INITIALS
    if found is None or not all(mark in known for mark in marks if mark):
        raise InputError(
            f"invalid award: '{text}'", where, "write it as 0.90 (A), 2.50(OA), 0.36Blk or 5.25R/B", code=UNREADABLE
        )
    award, paid_by = round(number(found[1]) * 100), found[2]
    colours = sorted((known[mark] for mark in marks if mark), key=COLOURS.index)
    return {
        "printed_award": award,
        "printed_paid_by": paid_by,
        "printed_colours": colours_text({colours[0]: award}) if len(colours) == 1 else ", ".join(colours) or None,
    }


def _colours(text: str, where: str) -> dict[str, object]:
    """Read ``0.22 black, 0.22 red``, or ``black, red`` where it is not said how much is of each."""
    if all(word in COLOURS for word in text.split(", ")):
        return {"printed_colours": text}
    parts = [re.fullmatch(r"([0-9]+(?:\.[0-9]{2})?) ([a-z]+)", part) for part in text.split(", ")]
    found = [part for part in parts if part]
    if len(found) < len(parts):
        raise InputError(f"invalid colours: '{text}'", where, "write them as 0.22 black, 0.22 red", code=UNREADABLE)
    return {"printed_colours": ", ".join(f"{part[2]}={part[1]}" for part in found)}


def _names(text: str, where: str) -> dict[str, object]:
    """Read ``Ada Ames - Bob Ames``; a name that is itself quoted may hold anything."""
    names = []
    rest: str | None = text
    while rest is not None:
        quoted = re.match(r'("(?:[^"]|"")*")(?: - |$)', rest)
        if quoted:
            name, rest = unquoted(quoted[1]), rest[quoted.end() :] if quoted[0].endswith(" - ") else None
        else:
            name, found, after = rest.partition(" - ")
            rest = after if found else None
            name = tidy(name)
            if not name or name == "-" or name.startswith("- ") or name.endswith(" -"):
                raise InputError(f"a name is missing in '{text}'", where, "write the names as Ada Ames - Bob Ames")
        names.append(name)
    return {f"player{n}": name for n, name in enumerate(names, 1) if name}


_READ: dict[str, Callable[[str, str], dict[str, object]]] = {
    "number": lambda text, where: {"number": text},
    "stratum": _stratum,
    "award": award_of,
    "colours": _colours,
    "names": _names,
}
