"""XML of unknown origin, taken in element by element: nothing in it is expanded or fetched, and little is held.

Entities are refused where they are declared, as well as where they are used: a few lines of them can expand to
gigabytes, or for files that are nobody's business. No document type definition is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO, Protocol
from xml.parsers import expat

from lxml import etree

from resultproc.model.codes import ENCODING
from resultproc.model.errors import FormatError, InputError

Element = etree._Element

_CHUNK = 65536
_MOST_INSIDE = 100_000
"""A record has no more elements: one that has is refused, so that no file fills the memory."""


class Handler(Protocol):
    """What takes in a document, in its order."""

    def start(self, element: Element) -> None:
        """Take the start of a container: its attributes are there, its content is not yet."""

    def record(self, element: Element) -> None:
        """Take a whole element of a container that is not one itself; it is gone afterwards."""

    def instruction(self, node: Element) -> None:
        """Take a processing instruction in a container."""

    def end(self, element: Element) -> None:
        """Take the end of a container; what was in it is gone."""


def walk(file: BinaryIO, containers: Sequence[str], handler: Handler) -> None:
    """Hand a document to a handler, holding one record at a time.

    containers: the tags of elements that are handed on when they begin and when they end, in the root or in each
    other; the first is the root's.
    Raises FormatError, with the line, for XML that is not well-formed or has another root; InputError for entities.
    """
    _refuse_entities(file)
    file.seek(0)
    events = etree.iterparse(
        file,
        events=("start", "end", "pi"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
    )
    try:
        _tell(events, containers, handler)
    except etree.XMLSyntaxError as error:
        first = next(((each.message, each.line) for each in events.error_log), (error.msg, error.lineno))
        what = f"this XML cannot be read: {first[0]}"
        raise FormatError(what, f"line {first[1]}", "is the file cut off?") from None


def _tell(events: Any, containers: Sequence[str], handler: Handler) -> None:
    within: list[Element] = []
    inside = 0
    for event, element in events:
        top = within[-1] if within else None
        if event == "start":
            if top is None and element.tag != containers[0]:
                raise FormatError(f"its root is <{element.tag}>", line(element), f"write <{containers[0]}>")
            if element.getparent() is top and element.tag in containers:
                within.append(element)
                handler.start(element)
            inside += 1
            if inside > _MOST_INSIDE:
                raise InputError(f"there are more than {_MOST_INSIDE} elements in one place", line(element))
        elif top is not None and element is top:
            within.pop()
            handler.end(element)
            inside = _forget(element)
        elif top is not None and element.getparent() is top:
            (handler.instruction if event == "pi" else handler.record)(element)
            inside = _forget(element)


def _forget(element: Element) -> int:
    """Empty an element and take what is before it out of the tree; return how many elements are held of it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
    return 0


def _refuse_entities(file: BinaryIO) -> None:
    """Read the prologue; raise InputError that names the line of an entity's declaration."""
    parser = expat.ParserCreate()
    begun: list[str] = []

    def refuse(*declaration: Any) -> None:
        what = f"entities are not allowed: '{declaration[0]}'"
        raise InputError(what, f"line {parser.CurrentLineNumber}", "write the text itself where it is used")

    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, _: begun.append(name)
    try:
        while not begun and (chunk := file.read(_CHUNK)):
            parser.Parse(chunk, False)
    except expat.ExpatError as error:
        if not begun:
            what = f"this XML cannot be read: {expat.ErrorString(error.code)}"
            raise FormatError(what, f"line {error.lineno}") from None
    except (LookupError, ValueError) as error:
        raise FormatError(
            f"its encoding cannot be read: {error}", "line 1", "save it as UTF-8", code=ENCODING
        ) from None


def line(element: Element) -> str:
    """Return where an element begins, as problems name it."""
    return f"line {element.sourceline}"


def text_of(element: Element | None) -> str:
    """Return the text of an element without blanks around it, empty for none.

    Raises InputError for an entity in it, which stands for a text that is not in the file.
    """
    if element is None:
        return ""
    for entity in element.iter(etree.Entity):
        what = f"unknown entity: '{entity.text}'"
        raise InputError(what, line(element), "write the character itself")
    return "".join(map(str, element.itertext())).strip()


def child_text(element: Element, *tags: str) -> str:
    """Return the text of the first child of those tags that has any."""
    return next(filter(None, (text_of(element.find(tag)) for tag in tags)), "")
