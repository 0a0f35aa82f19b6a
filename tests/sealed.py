"""Sealed files changed: every shown award, name and rank of a file in turn, and those of the data that it holds."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from lxml import html

from resultproc.formats.html.sealed import KIND


class Change(NamedTuple):
    """A file with one text changed. who: a player of the contestant that it is of; what: the text that was there."""

    who: str
    what: str
    data: bytes


def other(text: str) -> str:
    """Return another text of the same kind: another number, place or name."""
    if re.fullmatch(r"[0-9]+(/[0-9]+)?", text):
        return re.sub("^[0-9]+", lambda found: str(int(found[0]) + 1), text)
    if re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return f"{float(text) + 0.01:.2f}"
    return text + "n" if not text.endswith(" –") else text.removesuffix(" –") + "n –"


# Pages


def in_page(page: bytes) -> Iterator[Change]:
    """Yield a page with each rank, name and award of its lists changed."""
    text = page.decode()
    for row in re.finditer(r'<tr(?: id="[^"]*")?><td class="r.*?</tr>', text):
        names = html.fromstring(f"<table>{row[0]}</table>").xpath("//th//span")
        if not names:  # of a board
            continue
        who = names[0].text.removesuffix(" –")
        cells = re.finditer(r'<td class="(r|a)\b.*?</td>|<th scope="row".*?</th>', row[0])
        for cell in cells:
            for shown in re.finditer(r">([^<>]+)<", cell[0]):
                if shown[1].strip() and not re.fullmatch("[a-z]+", shown[1]):
                    at = row.start() + cell.start() + shown.start(1)
                    changed = text[:at] + other(shown[1]) + text[at + len(shown[1]) :]
                    yield Change(who, shown[1], changed.encode())


def in_data_of_page(page: bytes) -> Iterator[Change]:
    """Yield a page with each rank, name and award of its data changed."""
    text = page.decode()
    found = re.search(f'<script type="{re.escape(KIND)}">(.*?)</script>', text)
    assert found
    for who, what, seal in changes_of(json.loads(found[1]), ("data", "games")):
        made = json.dumps(seal, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        yield Change(who, what, (text[: found.start(1)] + made + text[found.end(1) :]).encode())


# JSON


def in_json(data: bytes) -> Iterator[Change]:
    """Yield a JSON file with each rank, name and award changed."""
    for who, what, entries in changes_of(json.loads(data), ("games",)):
        yield Change(who, what, json.dumps(entries, ensure_ascii=False, indent=1).encode())


def changes_of(entries: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str, Any]]:
    """Yield the entries with each name, position and award changed, those by colour as well."""
    games = entries
    for name in path:
        games = games[name]
    for number, game in enumerate(games):
        for row, contestant in enumerate(game["contestants"]):
            for keys in _paths(contestant):
                changed = copy.deepcopy(entries)
                place = changed
                for name in (*path, number, "contestants", row, *keys[:-1]):
                    place = place[name]
                before = place[keys[-1]]
                place[keys[-1]] = before + 1 if isinstance(before, int) else other(before)
                yield contestant["players"][0]["name"], f"{keys} {before}", changed


def _paths(contestant: Any) -> Iterator[tuple[Any, ...]]:
    yield from (("players", number, "name") for number in range(len(contestant["players"])))
    yield ("masterpoints",)
    yield from (("colours", colour) for colour in contestant["colours"])
    for basis, places in contestant["positions"].items():
        yield from (("positions", basis, letter, "position") for letter in places)
    if contestant["paid_by"]:
        yield ("paid_by", "stratum")


# Workbooks


def in_workbook(data: bytes) -> Iterator[Change]:
    """Yield a workbook with each cell of its contestants' rows changed, in every sheet but that of the seal."""
    with ZipFile(io.BytesIO(data)) as file:
        parts = {part.filename: file.read(part) for part in file.infolist()}
    titles = re.findall(r'<sheet [^>]*name="([^"]*)"', parts["xl/workbook.xml"].decode())
    assert titles[-1] == "Seal"
    for number, title in enumerate(titles[:-1], 1):
        if title in ("Game", "Games"):
            continue
        name = f"xl/worksheets/sheet{number}.xml"
        sheet = parts[name].decode()
        for row in re.finditer(r"<row .*?</row>", sheet, re.DOTALL):
            cells = list(re.finditer(r"<(t|v)>([^<]+)</\1>", row[0]))
            names = [unescape(cell[2]) for cell in cells if re.match("[A-Z][a-z]+ [A-Z][a-z]+", cell[2])]
            if len(cells) < 4 or not names or "<v>" not in row[0]:
                continue
            for cell in cells:
                at = row.start() + cell.start(2)
                changed = sheet[:at] + other(cell[2]) + sheet[at + len(cell[2]) :]
                yield Change(re.split(" –|\n", names[0])[0], f"{title}: {cell[2]}", _packed(parts, name, changed))


def _packed(parts: dict[str, bytes], name: str, sheet: str) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for part, content in {**parts, name: sheet.encode()}.items():
            archive.writestr(part, content)
    return file.getvalue()
