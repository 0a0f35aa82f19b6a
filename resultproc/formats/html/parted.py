"""A heavy page in several: its results alone, and its scorecards and boards in pages that it leads to.

They are cut out of the page as it was written: whatever comes from a file is escaped, and is never a tag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

_HELD = re.compile(rb'<div class="(sheets[^"]*)" id="([^"]*)">\n<noscript>\n(.*?)</noscript>\n</div>\n', re.DOTALL)
_SHEET = re.compile(rb'<div class="sheet" id="([^"]*)">')
_NAME = re.compile(rb"<h2[^>]*>([^<]*?) *<")
_GOT = re.compile(rb'class="r first"[^>]*>(?:<a[^>]*>)?([^<]+)<.*?class="a bare(?: pct)?"[^>]*>([^<]*)')
"""The board of a row of a scorecard, and what was got on it."""

_CARD = re.compile(rb'<div class="sheet" id="c([0-9]+)">')
_LINK = re.compile(rb'href="#([^"]*)"')
_FIELD = re.compile(rb'<defs>(<path id="([^"]*)".*?)</defs>')
_KINDS = {b"sheets cards": "Scorecards", b"sheets rounds": "Matches", b"sheets": "Boards"}

_MOST = 600_000
"""The bytes of a page's scorecards or boards: with its style and scripts it stays below 800 KB."""

UNASKED = b'<meta name="robots" content="noindex, nofollow">\n'
"""What tells search engines to leave a page."""


def boards_folder(page: str) -> str:
    """Return what the folder is called that has the boards of a page, beside it."""
    return f"{page.rpartition('.')[0]}.boards"


def pages_of_cards(pages: Mapping[str, bytes]) -> dict[int, str]:
    """Return which of some pages has the scorecard of each contestant, by its row."""
    return {int(found[1]): name for name, page in pages.items() for found in _CARD.finditer(page)}


def _in_short(cards: bytes) -> bytes:
    """Return what all scorecards have, a line each, for who compares two of them that are not in one page."""
    starts = [found.start() for found in _SHEET.finditer(cards)]
    lines = []
    for start, stop in zip(starts, [*starts[1:], len(cards)], strict=True):
        id, name = _SHEET.match(cards, start), _NAME.search(cards, start, stop)
        got = [b"%b=%b" % found.groups() for found in _GOT.finditer(cards, start, stop)]
        lines.append(b"\t".join([id[1] if id else b"", name[1] if name else b"", *got]))
    return b'<template class="others">%b</template>\n' % b"\n".join(lines)


def parted(page: bytes, name: str) -> dict[str, bytes]:
    """Return a page, and those of its scorecards and boards, by their names; one that is not heavy is alone."""
    held = _HELD.findall(page)
    folder, main = PurePosixPath(boards_folder(name)), PurePosixPath(name).name
    parts: list[tuple[bytes, bytes, list[bytes]]] = []
    of: dict[bytes, str] = {}
    for kind, id, text in held:
        starts = [found.start() for found in _SHEET.finditer(text)]
        size = _MOST
        for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
            if size + stop - start > _MOST:
                parts.append((kind, id, []))
                size = 0
            size += stop - start
            parts[-1][2].append(text[start:stop])
            found = _SHEET.match(text, start)
            of[found[1] if found else b""] = f"{len(parts)}.html"
            of.setdefault(id, f"{len(parts)}.html")
    top = re.search(rb"<main [^\n]*>\n", page)
    if not parts or top is None:
        return {name: page}
    cards = b"".join(text for kind, _, text in held if kind == b"sheets cards")
    short = _in_short(cards) if sum(kind == b"sheets cards" for kind, *_ in parts) > 1 else b""
    fields = {id: path for path, id in _FIELD.findall(page)}

    def linked(text: bytes, here: str) -> bytes:
        def to(found: re.Match[bytes]) -> bytes:
            there = of.get(found[1], "")
            if there == here or (here and found[1] in fields):
                return found[0]
            to_page = there if here and there else f"../{main}" if here else f"{folder.name}/{there}"
            return f'href="{quote(to_page)}#'.encode() + found[1] + b'"'

        return _LINK.sub(to, text)

    pages = {name: linked(_HELD.sub(b"", page), "")}
    begin, end = page[: top.end()].replace(b"</head>", UNASKED + b"</head>", 1), page[page.rindex(b"</main>") :]
    heading = re.search(rb'<h1 translate="no">.*?</h1>\n(?:<p class="when">.*?</p>\n)?', page)
    kinds = [kind for kind, *_ in parts]
    words = [_KINDS[kind] + f" {kinds[: n + 1].count(kind)}" * (kinds.count(kind) > 1) for n, kind in enumerate(kinds)]
    for number, (kind, id, sheets) in enumerate(parts, 1):
        here, whole = f"{number}.html", b"".join(sheets)
        used = b"".join(path for one, path in fields.items() if b'"#%b"' % one in whole)
        links = [f'<a href="{quote(f"../{main}")}">Results</a>\n']
        for n, word in enumerate(words, 1):
            links.append(f'<a href="{f"#{id.decode()}" if n == number else f"{n}.html"}">{word}</a>\n')
        pages[str(folder / here)] = b"".join(
            [
                begin,
                b'<header class="parts">\n%b' % (heading[0] if heading else b""),
                f'<nav aria-label="Pages">\n{"".join(links)}</nav>\n</header>\n'.encode(),
                b'<svg width="0" height="0" aria-hidden="true"><defs>%b</defs></svg>\n' % used if used else b"",
                b'<div class="%b" id="%b">\n<noscript>\n' % (kind, id),
                linked(whole, here),
                b"</noscript>\n</div>\n",
                short if kind == b"sheets cards" else b"",
                end,
            ]
        )
    return pages
