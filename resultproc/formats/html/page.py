"""Web pages and PDFs to rows.

A page gives the rows of its tables, however deep, the texts around them, and in a ``<pre>`` the lines of a listing. A
PDF gives its text, as far as it has any; pictures of lists have none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from resultproc.formats.registry import decode
from resultproc.formats.text.laid_out import rows_of_lines
from resultproc.model.errors import FormatError
from resultproc.model.grid import Cell, Row
from resultproc.model.text import text_there, tidy

if TYPE_CHECKING:
    from lxml import html


_UNSEEN = ("script", "style", "noscript", "template")
_SKIPPED = {"head", "select", "button", "form input"}
_BLOCKS = {
    *("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "center", "br", "hr", "td", "th", "tr"),
    *("table", "caption", "header", "footer", "main", "section", "article", "dt", "dd", "form", "title", "blockquote"),
}
MOST_SPAN = 100
"""A cell that spans more columns or rows is taken to span these."""

MOST_CELLS = 100
"""No list has more columns: what is right of them is not looked at."""


def rows_of_page(text: str) -> list[Row]:
    """Return the rows of a page's tables, and a row of one cell for each of its other texts, in their order."""
    from lxml import etree, html  # here: most lists are no pages, and are read in the time that this takes

    refuse_attributes(text)
    parser = html.HTMLParser(recover=True, huge_tree=False, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    etree.strip_elements(root, *_UNSEEN, with_tail=False)
    return list(_Walk().rows(root))


_MOST_ATTRIBUTES = 1000
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{2 * _MOST_ATTRIBUTES},}}")
_VALUE = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")


def refuse_attributes(text: str) -> None:
    """Raise FormatError for a tag with more attributes than any has: each is compared with all before it."""
    for found in _LONG_TAG.finditer(text):
        if len(_VALUE.sub(" ", found[0]).split()) > _MOST_ATTRIBUTES:
            what = f"a tag of this file has more than {_MOST_ATTRIBUTES} attributes"
            raise FormatError(what, hint="save the page or the results again")


def page_text(data: bytes) -> str:
    """Return the text of a page: in the encoding that it names, else in the one that its bytes show."""
    named = re.search(rb"""(?i)charset\s*=\s*["']?([\w-]+)""", data[:4096])
    name = named[1].decode("ascii").casefold() if named else ""
    if name and name not in {"utf-8", "utf8"} and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        try:
            # What pages call Latin 1 is what Windows does, and browsers take it so.
            return data.decode("cp1252" if name in {"iso-8859-1", "latin1", "ascii"} else name).replace("\r\n", "\n")
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


def title_of(text: str) -> str:
    """Return the title of a page."""
    found = re.search(r"(?is)<title[^>]*>(.*?)</title>", text)
    return _without_tags(found[1]) if found else ""


def meta_of(text: str) -> dict[str, str]:
    """Return what the ``META`` lines of a page say, by name."""
    found = re.findall(r"""(?is)<meta\s+name\s*=\s*["']?([\w.-]+)["']?\s+content\s*=\s*(?:"([^"]*)"|'([^']*)')""", text)
    return {name.casefold(): _without_tags(a or b) for name, a, b in found}


def _without_tags(text: str) -> str:
    """Return a text of a page without its tags and entities."""
    from html import unescape

    return tidy(unescape(re.sub("<[^>]*>", "", text)).replace("\xa0", " "))


class _Walk:
    """A walk through a page, which gathers its texts until a block ends; a text of links alone is not in a list."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.line = 0
        self.linked = True
        self.laid_out: html.HtmlElement | None = None  # the last row that its style lays out

    def rows(self, root: html.HtmlElement) -> Iterator[Row]:
        yield from self._element(root)
        yield from self._flushed()

    def _flushed(self) -> Iterator[Row]:
        text = tidy(" ".join(self.words))
        self.words = []
        linked, self.linked = self.linked, True
        if text and not linked:
            where = f"line {self.line}"
            yield Row([Cell(text, where)], where, after_gap=True)

    def _element(self, element: html.HtmlElement, number: str = "") -> Iterator[Row]:
        tag = text_there(element.tag)
        if tag in _SKIPPED or not tag:
            self._say(element, element.tail)
            return
        if tag in _BLOCKS or tag == "pre":
            yield from self._flushed()
        if tag == "pre":
            for line_break in element.iter("br"):
                line_break.tail = "\n" + (line_break.tail or "")
            text = element.text_content().replace("\xa0", " ").replace("\r", "")
            yield from rows_of_lines(text.split("\n"), element.sourceline or 1)
        elif tag == "table" and _is_table(element):
            yield from _table(element)
        elif tag == "div" and _is_laid_out(element):
            where = f"line {element.sourceline or 0}"
            before = element.getprevious()
            cells = [Cell(_cell_text(part), f"line {part.sourceline or 0}") for part in element]
            yield Row(cells, where, after_gap=before is None or before is not self.laid_out)
            self.laid_out = element
        else:
            self._say(element, number)
            self._say(element, element.text, tag == "a")
            numbers = count(1)
            for child in element:
                yield from self._element(child, f"{next(numbers)}." if (tag, child.tag) == ("ol", "li") else "")
            if tag in _BLOCKS:
                yield from self._flushed()
        self._say(element, element.tail)

    def _say(self, element: html.HtmlElement, text: str | None, link: bool = False) -> None:
        if text and text.strip():
            self.linked = self.linked and (link or not re.search(r"\w", text))
            if not self.words:
                self.line = element.sourceline or 0
            self.words.append(text)


def _is_laid_out(part: html.HtmlElement) -> bool:
    """Say whether a part of a page is a row of cells that its style lays out, as those of a table."""
    cells = [each for each in part if each.tag == "div" and not each.xpath(".//div|.//table|.//p")]
    texts = [tidy(each.text_content()) for each in cells]
    return 2 < len(cells) == len(part) < MOST_CELLS and not (part.text or "").strip() and sum(map(bool, texts)) > 2


def _is_table(table: html.HtmlElement) -> bool:
    """Say whether a table holds texts, and does not lay out a page; tables of one row in its cells are cells of it."""
    inner = table.findall(".//table")
    if table.find(".//pre") is not None or any(len(each.findall(".//tr")) > 1 for each in inner):
        return False
    return not inner or sum(len(row.findall("td")) > 2 for row in table.iter("tr")) > 2


def _cells(row: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Yield the cells of a row, and those of a table in a cell."""
    for cell in row:
        if cell.tag in {"td", "th"}:
            inner = cell.find(".//tr")
            yield from _cells(inner) if inner is not None else [cell]


def _table(table: html.HtmlElement) -> Iterator[Row]:
    """Yield the rows of a table; a cell that spans several has its text in the first of them."""
    down: dict[int, int] = {}
    after_gap = True
    inner = {row for each in table.findall(".//table") for row in each.iter("tr")}
    rows = [row for row in table.iter("tr") if row not in inner]
    of_lines = Counter(row.sourceline for row in rows)
    for number, tr in enumerate(rows, 1):
        shared = of_lines[tr.sourceline] > 1  # a page that a program writes may be one long line
        where = f"line {tr.sourceline or 0}" + (f", row {number}" if shared else "")
        cells: list[Cell] = []
        for td in _cells(tr):
            if len(cells) >= MOST_CELLS:
                break
            while len(cells) < MOST_CELLS and down.get(len(cells), 0):
                down[len(cells)] -= 1
                cells.append(Cell("", where))
            text = _cell_text(td)
            span = _span(td, "colspan")
            for i in range(min(span, MOST_CELLS - len(cells))):
                if (high := _span(td, "rowspan")) > 1:
                    down[len(cells)] = high - 1
                at = f"{where}, cell {len(cells) + 1}" if shared else f"line {td.sourceline or tr.sourceline or 0}"
                cells.append(Cell("" if i else text, at))
        while len(cells) < MOST_CELLS and down.get(len(cells), 0):
            down[len(cells)] -= 1
            cells.append(Cell("", where))
        if any(cell.text for cell in cells):
            yield Row(cells, where, after_gap=after_gap)
            after_gap = False


def _span(td: html.HtmlElement, name: str) -> int:
    said = str(td.get(name) or "1").strip()
    return min(max(int(said), 1), MOST_SPAN) if said.isdecimal() and len(said) < 6 else 1


def _cell_text(td: html.HtmlElement) -> str:
    """Return the text of a cell; a line break in it becomes a tab, as it may stand between names.

    So does an end of a line of the page between two names.
    """
    parts: list[str] = [""]
    for node in td.iter():
        if not isinstance(node.tag, str) or node.tag in _SKIPPED:
            parts[-1] += (node.tail or "") if node is not td else ""
            continue
        if node is not td and node.tag in {"br", "p", "div", "li"}:
            parts.append("")
        parts[-1] += node.text or ""
        if node is not td and node.tag == "br":
            parts[-1] += node.tail or ""
    if len(parts) == 1 and "\n" in parts[0].strip() and _TWO_NAMES.fullmatch(parts[0].strip()):
        parts = parts[0].split("\n")
    whole = tidy(td.text_content().replace("\xa0", " "))
    lines = list(filter(None, (tidy(part.replace("\xa0", " ")) for part in parts)))
    is_whole = tidy("".join(lines)).replace(" ", "") == whole.replace(" ", "")
    return "\t".join(lines) if len(lines) > 1 and is_whole else whole


_NAME = r"[^\W\d_][\w.'\u2019-]*(?: [^\W\d_][\w.'\u2019-]*){1,3}"
_TWO_NAMES = re.compile(rf"{_NAME}[ \t]*\n\s*{_NAME}")
