"""The parts of a workbook: which they are by its own lists, and which of its sheets are ours.

Programs find the parts by different lists: by the types of the parts, by the relationships, or by the usual name. A
file in which these lead to different parts shows something else in each program, so it is refused with FormatError.

In our own workbooks the sheet ``Data`` holds all that is read, and the others are for print. The first cell of ``Data``
says so, with a sum over the texts of each sheet for print. A sheet that has another sum when the workbook is read again
was changed by somebody, who is told that it is not read.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from posixpath import dirname, join, normpath
from typing import NamedTuple
from xml.etree import ElementTree
from zipfile import ZipFile

from resultproc.model.errors import FormatError

_HINT = "programs show different things of such a file: ask for it anew where it comes from"

_TYPES = "[Content_Types].xml"
_USUAL = {"workbook": "xl/workbook.xml", "styles": "xl/styles.xml"}
"""Where the library looks, if there is something, whatever the relationships say."""

_SHEETS = ("worksheet", "chartsheet", "dialogsheet")


class Relationship(NamedTuple):
    """A relationship of a part of a workbook."""

    id: str  # what the part calls it
    kind: str  # the last word of its type, such as ``worksheet``
    target: str  # the part that it leads to, by its path in the workbook


def check_parts(archive: ZipFile) -> None:
    """Refuse a workbook whose lists of parts lead to different ones."""
    twice = [name for name, count in Counter(map(str.casefold, archive.namelist())).items() if count > 1]
    if twice:
        raise FormatError(f"the workbook has two parts of one name, {twice[0]}", hint=_HINT)
    types = _types(archive)
    book = workbook_part(archive)
    _refuse_apart("workbook", [book], _of_type(types, "main") or [_USUAL["workbook"]], "_rels/.rels")
    where = _list_of(book)
    related = relationships(archive, book)
    ids = Counter(each.id for each in related)
    if len(ids) < len(related):
        raise FormatError(f"{where} has two relationships of the id {max(ids, key=ids.__getitem__)}", hint=_HINT)
    for kind in ("sharedStrings", "styles"):
        found = [each.target for each in related if each.kind == kind]
        _refuse_apart(kind, found, _of_type(types, kind), where)
        if _USUAL.get(kind) in archive.namelist():
            _refuse_apart(kind, found, [_USUAL[kind]], where, "the usual place")
    for each in related:
        if each.kind in _SHEETS and each.target.casefold() in types:
            _refuse_apart(
                each.kind, [each.target], [each.target] * _is(each.kind, types[each.target.casefold()]), where
            )


def _refuse_apart(kind: str, one: list[str], other: list[str], where: str, by: str = "") -> None:
    """Raise FormatError where two lists name different parts of a kind, or several."""
    if len(one) > 1 or list(map(str.casefold, one)) != list(map(str.casefold, other)):
        names = [", ".join(each) or "none" for each in (one, other)]
        what = f"its lists of parts disagree: as {kind} {where} names {names[0]}, and {by or _TYPES} {names[1]}"
        raise FormatError(what, hint=_HINT)


def _types(archive: ZipFile) -> dict[str, str]:
    """Return the type of each part that has one of its own, by its name in lower case."""
    types: dict[str, str] = {}
    for each in ElementTree.fromstring(archive.read(_TYPES)):  # noqa: S314 - document types are refused before
        if each.tag.endswith("}Override"):
            name = each.get("PartName", "").removeprefix("/").casefold()
            if name in types:
                raise FormatError(f"{_TYPES} gives two types to {name}", hint=_HINT)
            types[name] = each.get("ContentType", "")
    return types


def _is(kind: str, content_type: str) -> bool:
    return content_type.casefold().endswith(f".{kind}+xml".casefold())


def _of_type(types: dict[str, str], kind: str) -> list[str]:
    return [name for name, each in types.items() if _is(kind, each)]


def workbook_part(archive: ZipFile) -> str:
    """Return the part that the file leads to as its workbook."""
    return next((each.target for each in relationships(archive, "") if each.kind == "officeDocument"), "")


def _list_of(part: str) -> str:
    return f"{dirname(part)}/_rels/{part.rpartition('/')[2]}.rels".removeprefix("/")


def relationships(archive: ZipFile, part: str) -> list[Relationship]:
    """Return the relationships of a part, or of the whole file where it is ''."""
    name = _list_of(part)
    if name not in archive.namelist():
        return []
    root = ElementTree.fromstring(archive.read(name))  # noqa: S314
    return [
        Relationship(
            each.get("Id", ""),
            each.get("Type", "").rpartition("/")[2],
            normpath(join("/", dirname(part), each.get("Target", ""))).lstrip("/"),
        )
        for each in root
    ]


def sheet_parts(archive: ZipFile) -> Iterator[tuple[str, str, str, str]]:
    """Yield of every sheet of a workbook its title, kind, state and part."""
    book = workbook_part(archive)
    found = {each.id: each for each in relationships(archive, book)}
    for sheet in ElementTree.fromstring(archive.read(book)).iterfind(".//{*}sheets/{*}sheet"):  # noqa: S314
        ids = [value for name, value in sheet.attrib.items() if name.endswith("}id")]
        if ids and ids[0] in found:
            each = found[ids[0]]
            yield sheet.get("name", ""), each.kind, sheet.get("state", "visible"), each.target


def has_plain_parts(data: bytes) -> bool:
    """Say whether a file has its parts one after another, each with the header that the list at its end says.

    There is no room then for anything that one program finds and another does not.
    """
    with ZipFile(BytesIO(data)) as archive:
        parts = archive.infolist()
    offset = 0
    for part in parts:
        header = part.FileHeader()
        if part.header_offset != offset or data[offset : offset + len(header)] != header or part.comment or part.extra:
            return False
        offset += len(header) + part.compress_size
    return offset + sum(46 + len(part.filename.encode()) for part in parts) + 22 == len(data)


DATA = "Data"
SEAL = "Seal"
"""The hidden sheet of a sealed workbook that holds its seal; it is not read."""

DECLARING = frozenset({"game", "games"})
"""The sheets in which keys are declared, in lower case."""

_MARK = "# All results are in this sheet, the others are for print: correct them here"
_MARKED = re.compile(re.escape(_MARK) + r" \(([0-9a-f ]*)\)")


def sheet_mark(sheets: Iterable[Iterable[str]]) -> str:
    """Return the text of the first cell, for the texts of each sheet for print."""
    return f"{_MARK} ({' '.join(map(_sum, sheets))})"


def marked_sums(text: str) -> frozenset[str] | None:
    """Return the sums in the text of a first cell, None for any other text."""
    found = _MARKED.fullmatch(text)
    return frozenset(found[1].split()) if found else None


def is_changed(sheet: Iterable[str], known: frozenset[str]) -> bool:
    """Say whether a sheet has other texts than any that is known."""
    return _sum(sheet) not in known


def _sum(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(text for text in texts if text).encode("utf-8", "replace")).hexdigest()[:8]
