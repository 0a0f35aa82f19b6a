"""Sealed files changed: every shown award, name and rank of a file in turn, and those of the data that it holds."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from html import unescape
from random import Random
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import html

from resultproc.formats.html.sealed import KIND


class Change(NamedTuple):
    """A file with one text changed.

    who: a player of the contestant that it is of; what: the text that was there; made: makes the file.
    """

    who: str
    what: str
    made: Callable[[], bytes]


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
                    yield Change(who, shown[1], partial(_encoded, text, at, shown[1]))


def _encoded(text: str, at: int, was: str) -> bytes:
    """Return a file with another text in the place of one."""
    return (text[:at] + other(was) + text[at + len(was) :]).encode()


def in_data_of_page(page: bytes) -> Iterator[Change]:
    """Yield a page with each rank, name and award of its data changed."""
    text = page.decode()
    found = re.search(f'<script type="{re.escape(KIND)}">(.*?)</script>', text)
    assert found
    before, after = text[: found.start(1)], text[found.end(1) :]

    def written(seal: Any) -> bytes:
        made = json.dumps(seal, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return (before + made + after).encode()

    yield from changes_of(json.loads(found[1]), ("data", "games"), written)


# JSON


def in_json(data: bytes) -> Iterator[Change]:
    """Yield a JSON file with each rank, name and award changed."""
    yield from changes_of(
        json.loads(data), ("games",), lambda entries: json.dumps(entries, ensure_ascii=False, indent=1).encode()
    )


def changes_of(entries: Any, path: tuple[str, ...], written: Callable[[Any], bytes]) -> Iterator[Change]:
    """Yield the entries, as a file has them, with each name, position and award changed, those by colour as well."""

    def made(row_path: tuple[Any, ...], key: Any, after: Any) -> bytes:
        changed = copy.deepcopy(entries)
        place = changed
        for name in row_path:
            place = place[name]
        place[key] = after
        return written(changed)

    games = entries
    for name in path:
        games = games[name]
    for number, game in enumerate(games):
        for row, contestant in enumerate(game["contestants"]):
            for keys in _paths(contestant):
                before = contestant
                for name in keys:
                    before = before[name]
                after = before + 1 if isinstance(before, int) else other(before)
                row_path = (*path, number, "contestants", row, *keys[:-1])
                who = contestant["players"][0]["name"]
                yield Change(who, f"{keys} {before}", partial(made, row_path, keys[-1], after))


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
                made = partial(_repacked, parts, name, sheet, row.start() + cell.start(2), cell[2])
                yield Change(re.split(" –|\n", names[0])[0], f"{title}: {cell[2]}", made)


def _repacked(parts: dict[str, bytes], name: str, sheet: str, at: int, was: str) -> bytes:
    return packed({**parts, name: _encoded(sheet, at, was)})


def packed(parts: dict[str, bytes]) -> bytes:
    """Return a workbook of some parts, packed as one is written."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(ZipInfo(part), content, ZIP_DEFLATED)
    return file.getvalue()


# Mutations


_PLANTED = (
    b"<script>document.body.innerHTML='9.99'</script>",
    b"<style>.mp{font-size:0}</style>",
    b"<table><tr><td>Eve</td><td>9.99</td></tr></table>",
    b"<!-- -->",
    b"<p>9.99</p>",
)


def mutation(data: bytes, to: str, number: int) -> tuple[str, bytes]:
    """Return a sealed file with something changed that is shown, or could be: for each number something else."""
    chance = Random(number)
    kinds = {"html": _of_page, "json": _of_json, "xlsx": _of_workbook}
    changed = data
    while changed == data:
        what, changed = kinds[to](data, chance)
    return what, changed


def _of_bytes(data: bytes, chance: Random) -> tuple[str, bytes]:
    """Return data with bytes replaced, left out, doubled, swapped or put around it."""
    at, size = chance.randrange(len(data) - 60), chance.randrange(1, 40)
    letter = chance.choice(b"0123456789ABCxyz<&;")
    piece = data[at : at + size]
    changed = {
        "a byte": data[:at] + bytes([letter]) + data[at + 1 :],
        "left out": data[:at] + data[at + size :],
        "doubled": data[:at] + piece + data[at:],
        "turned": data[:at] + piece[::-1] + data[at + size :],
        "after": data + b"9.99",
        "before": b"9.99" + data,
    }
    what = chance.choice(list(changed))
    return f"{what} at {at}", changed[what]


def _of_page(data: bytes, chance: Random) -> tuple[str, bytes]:
    if chance.random() < 0.5:
        what, changed = _of_bytes(data, chance)
        # Blanks at the end and the line's own are no change; what is in the seal has to be as it was, too.
        return what, data if changed.split() == data.split() else changed
    places = [found.end() for found in re.finditer(rb">", data)]
    at, planted = chance.choice(places), chance.choice(_PLANTED)
    return f"{planted!r} at {at}", data[:at] + planted + data[at:]


def _of_json(data: bytes, chance: Random) -> tuple[str, bytes]:
    if chance.random() < 0.5:
        what, changed = _of_bytes(data, chance)
        try:  # other blanks, or another way to write a sign
            return what, data if json.loads(changed) == json.loads(data) and b"seal" in changed else changed
        except ValueError:
            return what, changed
    entries = json.loads(data)
    place, name = chance.choice(list(_spots(entries)))
    before = place[name]
    if isinstance(place, dict) and chance.random() < 0.2:
        place["note"] = "9.99"
    elif isinstance(before, str):
        place[name] = other(before) if before else "9.99"
    else:
        place[name] = before + 1 if isinstance(before, int | float) else "9.99"
    return f"{name} of {before!r}", json.dumps(entries, ensure_ascii=False, indent=1).encode()


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    for name in list(value) if isinstance(value, dict) else range(len(value)):
        if isinstance(value[name], dict | list):
            yield from _spots(value[name])
        elif name != "value" or "algorithm" not in value:
            yield value, name


def _of_workbook(data: bytes, chance: Random) -> tuple[str, bytes]:
    if chance.random() < 0.2:
        return "data around it", chance.choice([data + b"x", data[:-2] + b"\1\0x", data[:40] + data])
    with ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    name = chance.choice([each for each in parts if each.startswith("xl/")])
    if chance.random() < 0.2:
        more = chance.choice(
            ["xl/drawings/drawing1.xml", "xl/comments1.xml", "customXml/item1.xml", "xl/vbaProject.bin"]
        )
        return more, packed({**parts, more: b"<a><t>9.99</t></a>"})
    if chance.random() < 0.4:
        values = list(re.finditer(rb"(?<=<v>)[0-9.]+|(?<=<t>)[^<|]+|(?<=[a-z]=\")[0-9A-Za-z.]+", parts[name]))
        found = chance.choice(values)
        changed = parts[name][: found.start()] + other(found[0].decode()).encode() + parts[name][found.end() :]
        return f"{found[0]!r} in {name}", packed({**parts, name: changed})
    what, changed = _of_bytes(parts[name], chance)
    return f"{what} in {name}", packed({**parts, name: changed})
