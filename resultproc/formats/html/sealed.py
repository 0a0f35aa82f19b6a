"""The seal of a page, as the page holds it and back, and what the page shows: every text, cell by cell, and its markup.

On bad input: FormatError for a page that is no HTML, or whose seal is no JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree, html
from markupsafe import Markup

from resultproc.formats.registry import Sealed, Shown
from resultproc.model.errors import FormatError
from resultproc.model.json import loaded

KIND = "application/vnd.resultproc.seal+json"
"""The type of the script element that holds the seal: nothing that a browser runs."""

_UNSEEN = ("title", "style", "script")
"""What of a page is no text in it."""

_MOST = 100
"""No page has more seals."""

MARKUP = "its markup"
"""What a tag with its attributes is called where it is compared."""


def script(seal: Mapping[str, Any]) -> Markup:
    """Return the element that holds a seal: nothing in it ends the element, or begins another."""
    text = json.dumps(seal, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(f'<script type="{KIND}">{text}</script>')  # noqa: S704 - it has no sign of markup


def unseal(data: bytes) -> list[Sealed]:
    """Return the sealed results of a page, one for each fragment; none of what is no sealed page."""
    if KIND.encode() not in data:
        return []
    try:
        document = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    except (etree.LxmlError, ValueError) as error:
        raise FormatError(f"this page cannot be read: {error}") from None
    holders = [each for each in document.iter("script") if each.get("type") == KIND]
    if len(holders) > _MOST:
        raise FormatError(f"there are {len(holders)} seals in this page", hint="a page has a few fragments at most")
    return [_sealed(document, each, data) for each in holders]


def _sealed(document: Any, holder: Any, data: bytes) -> Sealed:
    seal = loaded((holder.text or "").encode(), once=True)
    if not isinstance(seal, dict):
        raise FormatError("the seal of this page is damaged")
    above = [each for each in holder.iterancestors() if "rp" in (each.get("class") or "").split()]
    whole = seal.get("format") == "html" or not above
    root = document if whole else above[0]
    start, end = _apart(data, seal)
    around = (b"", b"")
    if seal.get("format") != "html":
        start, end, around = _of_fragment(start, end)
    own = {name: seal[name] for name in seal if name != "data"}

    def shown() -> list[Shown]:
        return [*_shown(root, holder), *(_around(document, data) if whole else ())]

    return Sealed(own, seal.get("data", {}), shown, _sum(start, end) if end else "", inside=any(around))


def _apart(data: bytes, seal: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return what of a page is before its seal and after it, with the line ends that it was written with.

    Neither, where the seal is not there as it is written, byte for byte, or is there twice: what programs take for its
    end may differ.
    """
    try:
        parts = data.replace(b"\r\n", b"\n").split(script(seal).encode())
    except ValueError:  # a number that JSON has no room for
        return b"", b""
    return (parts[0].lstrip(b" \t\n"), parts[1].rstrip(b" \t\n")) if len(parts) == 2 else (b"", b"")


def _of_fragment(start: bytes, end: bytes) -> tuple[bytes, bytes, tuple[bytes, bytes]]:
    """Return of what is before a seal and after it what is the fragment's, and what of a page is around that."""
    around, style, own = start.rpartition(b"<style>\n")
    last, script_end, after = end.partition(b"</script>")
    return style + own, last + script_end, (around.strip(), after.strip())


def _sum(*parts: bytes) -> str:
    """Return the SHA-256 of all that a browser could show or run of a page. The browser shows nothing of the seal."""
    return hashlib.sha256("".join(hashlib.sha256(part).hexdigest() for part in parts).encode()).hexdigest()


_END = re.compile(rb"</html\b[^>]*>", re.IGNORECASE)


def _around(document: Any, data: bytes) -> Iterator[Shown]:
    """Yield what is before a page and after its end: a browser shows that, and runs it."""
    yield from (_unread(each) for before in (True, False) for each in document.itersiblings(preceding=before))
    after = _END.split(data, maxsplit=1)[1:]
    rest = " ".join(b"".join(after).decode("utf-8", "replace").split())
    if rest:
        yield Shown("after its end", rest)


def _unread(node: Any) -> Shown:
    """Return what is no element: no version writes a comment, and where one ends, programs do not agree."""
    return Shown(MARKUP, etree.tostring(node, encoding="unicode", with_tail=False))


def _shown(root: Any, holder: Any) -> list[Shown]:
    """Return what an element shows; the one that holds the seal shows nothing."""
    page = _Page(holder)
    page.element(root)
    return page.shown


class _Page:
    """A page as it is gone through: what it shows, the heading above, those of the table, and whose row it is."""

    def __init__(self, holder: Any) -> None:
        self.holder = holder
        self.shown: list[Shown] = []
        self.heading = ""
        self.columns: list[str] = []
        self.who = ""

    def element(self, element: Any) -> None:
        """Add what an element shows, and what is in it."""
        tag = element.tag
        if not isinstance(tag, str):
            self.shown.append(_unread(element))
            return
        if element is self.holder:
            return
        self._markup(element)
        if tag in ("h1", "h2"):
            self.heading = " ".join((element.text or "").split())
        elif tag == "table":
            self.columns = _columns(element)
        elif tag == "tr":
            named = [cell for cell in element if cell.tag == "th" and cell.get("scope") == "row"]
            if named and element.getparent().tag == "tbody":
                self._row(element, named)
                return
        self._texts(element.text, f"its {tag}" if tag in _UNSEEN else "")
        for child in element:
            self.element(child)
            self._texts(child.tail)
        if tag == "table":
            self.who = ""

    def _markup(self, element: Any) -> None:
        attributes = "".join(f' {name}="{value}"' for name, value in sorted(element.attrib.items()))
        self.shown.append(Shown(MARKUP, f"<{element.tag}{attributes}>", self.who, core=False))

    def _texts(self, text: str | None, what: str = "") -> None:
        tidy = " ".join((text or "").split())
        if tidy:
            self.shown.append(Shown(what or self.heading, tidy, self.who, core=False))

    def _row(self, row: Any, named: list[Any]) -> None:
        """Add the cells of a contestant's row, each as a whole, and the markup in them."""
        seat = [cell for cell in row if cell.tag == "td" and "w" in (cell.get("class") or "").split()]
        self.who = " ".join(filter(None, map(_text, [*seat[:1], *named])))
        self.shown += (_unread(each) for each in row if not isinstance(each.tag, str))
        for number, cell in enumerate(row.iterchildren("*")):
            column = self.columns[number] if number < len(self.columns) else ""
            self.shown.append(Shown(", ".join(filter(None, [self.heading, column])), _text(cell), self.who))
            for inside in cell.iter():
                if isinstance(inside.tag, str):
                    self._markup(inside)
                else:
                    self.shown.append(_unread(inside))
            self._texts(cell.tail)


def _text(element: Any) -> str:
    return " ".join(" ".join(element.itertext()).split())


def _columns(table: Any) -> list[str]:
    """Return the headings of a table's columns, with what is above several of them."""
    rows = table.xpath("./thead/tr")
    if not rows:
        return []
    above: list[str] = []
    for cell in rows[0].iterchildren("*") if len(rows) > 1 else ():
        wide = cell.get("colspan") or "1"
        above += [_text(cell)] * min(int(wide) if wide.isdecimal() else 1, 99)
    heads = [_text(cell) for cell in rows[-1].iterchildren("*")]
    return [" ".join(filter(None, [*above[number : number + 1], head])) for number, head in enumerate(heads)]
