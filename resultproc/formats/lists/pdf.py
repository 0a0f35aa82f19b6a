"""A PDF's text to rows, as far as it has any: pictures of lists have none."""

from __future__ import annotations

from io import BytesIO

from resultproc.formats.common.rows import Row
from resultproc.formats.lists.lines import rows_of_lines
from resultproc.model.errors import FormatError

MOST_PAGES = 50
"""More than any list of results has."""


def rows_of_pdf(data: bytes) -> list[Row]:
    """Return the rows of a PDF's text, by where its letters stand on the pages.

    Raises FormatError for one that is damaged or locked, and where the library that reads it is not installed.
    """
    try:
        import pdfplumber
    except ImportError:
        raise FormatError(
            "this is a PDF, and what reads those is not installed",
            hint="install it: pip install 'resultproc[pdf]'; or save the list as text, CSV or Excel",
        ) from None
    try:
        with pdfplumber.open(BytesIO(data)) as book:
            texts = [page.extract_text(layout=True, x_tolerance=1) or "" for page in book.pages[:MOST_PAGES]]
    except Exception:  # the library raises a dozen kinds for damaged files
        raise FormatError("this PDF is damaged or locked", hint="save the list as text, CSV or Excel") from None
    if not any(map(str.strip, texts)):
        raise FormatError(
            "this PDF holds no text, as one that was scanned", hint="type the list, or save it where it was made"
        )
    return rows_of_lines("\n\n".join(texts).split("\n"))
