"""Sealed files changed at random: something of each that is shown, or could be."""

import io
import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


def other(text: str) -> str:
    """Return another text of the same kind: another number, place or name."""
    if re.fullmatch(r"[0-9]+(/[0-9]+)?", text):
        return re.sub("^[0-9]+", lambda found: str(int(found[0]) + 1), text)
    if re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return f"{float(text) + 0.01:.2f}"
    return text + "n" if not text.endswith(" –") else text.removesuffix(" –") + "n –"


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
