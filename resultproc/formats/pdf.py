"""PDFs to rows: the text of one, as far as it has any; pictures of lists have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from resultproc.formats.text.laid_out import rows_of_lines
from resultproc.model.codes import PASSED_OVER
from resultproc.model.errors import FormatError, Problem
from resultproc.model.grid import Row

if TYPE_CHECKING:
    from pdfplumber.page import Page

MOST_PAGES = 50
MOST_LETTERS = 20_000
"""More than any list of results has: what is below is not looked at."""

MOST_DRAWN = 500_000
"""The most bytes of instructions to draw that are followed: a page of a list has a tenth of them at most."""

_GRID = 3.0
"""How many points of a page are a place in a line of text: few, so that columns do not run together."""

_APART = 0.7
"""How much blank there is between columns, in heights of the letters.

Between words there is half as much, and 0.6 where all letters are as wide."""

_GAP = 1.5
"""How much is blank between a list and what is below it, in heights of the letters."""

_Word = Mapping[str, Any]


def rows_of_pdf(data: bytes) -> tuple[list[Row], list[Problem]]:
    """Return the rows of a PDF's text, by where its letters stand on the pages, and a remark on pages not looked at.

    Raises FormatError for one that is damaged or locked, and where the library that reads it is not installed.
    """
    try:
        import pdfplumber
    except ImportError:
        what = "this is a PDF, and what reads those is not installed"
        hint = "install it: pip install 'resultproc[pdf]'; or save the list as text, CSV or Excel"
        raise FormatError(what, hint=hint) from None
    try:
        with pdfplumber.open(BytesIO(data)) as book:
            pages, count = list(_pages(book.pages[:MOST_PAGES])), len(book.pages)
    except (MemoryError, FormatError):
        raise
    except Exception:  # the library raises a dozen kinds for damaged files
        raise FormatError("this PDF is damaged or locked", hint="save the list as text, CSV or Excel") from None
    if not any(map(any, pages)):
        hint = "type the list, or save it where it was made"
        raise FormatError("this PDF holds no text: perhaps it was scanned", hint=hint)
    remarks = []
    if len(pages) < count:
        what = f"what is below page {len(pages)} of this PDF is not looked at"
        remarks.append(Problem(what, hint="is the list longer? Save it as text, CSV or Excel", code=PASSED_OVER))
    return rows_of_lines([line for page in pages for line in page]), remarks


def _pages(pages: Sequence[Page]) -> Iterator[list[str]]:
    from pdfminer.pdftypes import resolve1

    letters = drawn = 0
    for page in pages:
        drawn += sum(len(resolve1(stream).get_data()) for stream in page.page_obj.contents)
        if letters > MOST_LETTERS or (letters and drawn > MOST_DRAWN):
            return
        if drawn > MOST_DRAWN:
            what = "a page of this PDF draws more than any list of results"
            raise FormatError(what, hint="save the list as text, CSV or Excel")
        words = sorted(page.extract_words(x_tolerance=1), key=lambda word: (round(word["top"]), word["x0"]))
        letters += sum(len(word["text"]) for word in words)
        yield [*_lines(words), ""]


def _lines(words: Sequence[_Word]) -> Iterator[str]:
    """Yield the lines that the words of a page are on, which need not be quite straight, and blank ones for gaps."""
    lines: list[list[_Word]] = []
    for word in words:
        if not lines or word["top"] - lines[-1][0]["top"] > (word["bottom"] - word["top"]) / 2:
            lines.append([])
        lines[-1].append(word)
    end = float("inf")
    for several in (sorted(line, key=lambda word: float(word["x0"])) for line in lines):
        if several[0]["top"] - end > _GAP * (several[0]["bottom"] - several[0]["top"]):
            yield ""
        yield _line(several)
        end = several[0]["bottom"]


def _line(words: Sequence[_Word]) -> str:
    text, end = "", float("-inf")
    for word in words:
        if word["x0"] - end < _APART * (word["bottom"] - word["top"]):
            text += " " + word["text"]
        else:
            text = text.ljust(max(round(word["x0"] / _GRID), len(text) + 2 if text else 0)) + word["text"]
        end = word["x1"]
    return text
