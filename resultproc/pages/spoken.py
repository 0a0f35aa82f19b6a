"""A page and its script in the language of whoever reads them; the names of players stay as they are."""

from __future__ import annotations

import re

from markupsafe import escape

from resultproc.model.language import ENGLISH, in_words, language, unmarked

_PIECE = re.compile(
    r"<!--.*?-->|<(style|script|pre|textarea)\b.*?</\1>|"
    r"<([a-z][a-z0-9]*)[^>]*? translate=\"no\"[^>]*>.*?</\2>|<[^>]*>|[^<]+",
    re.DOTALL,
)
"""The pieces of a page: what is no text, or is to stay, in one; tags; and texts."""

_SAID = re.compile(r' (title|aria-label|placeholder|data-l|alt)="([^"]*)"')
"""What a tag says to people."""

_AFTER_NAME = re.compile(r"</?(?:small|t[dhr]|tbody|table|section)\b")


def page_in_words(page: str) -> str:
    """Return a page, or a part of one, in the language that holds here. The names of players are in row headings."""
    if language() == ENGLISH:
        return page
    pieces: list[str] = []
    named = False
    for found in _PIECE.finditer(page):
        piece = found[0]
        if not piece.startswith("<"):
            pieces.append(piece if named else _escaped(piece))
            continue
        named = (named and _AFTER_NAME.match(piece) is None) or piece.startswith('<th scope="row" class="n')
        is_tag = not piece.startswith("<!") and "</" not in piece
        pieces.append(_SAID.sub(_said_by, piece) if is_tag and '="' in piece else piece)
    return unmarked("".join(pieces)).replace('<html lang="en">', f'<html lang="{language()}">', 1)


def _said_by(found: re.Match[str]) -> str:
    return f' {found[1]}="{_escaped(found[2])}"'


def _escaped(text: str) -> str:
    from html import unescape  # English does without its table of letters

    said = in_words(plain := unescape(text))
    return text if said == plain else str(escape(said))


_LITERAL = re.compile(r'(["`])([^"`\n]*)\1|(?<=>)[A-Z][^"`<>\n]*(?=<)')
_SAID_BY_SCRIPT = re.compile("[A-Z$ ,]")
"""How begins what a script or style says: with a capital, with what is put in, or apart from what is before it."""


def script_in_words(script: str) -> str:
    """Return a script, or a style, that says what it says in the language that holds here."""
    return _LITERAL.sub(_spoken_literal, script)


def _spoken_literal(found: re.Match[str]) -> str:
    if found[1] is None:
        return in_words(found[0])
    return f"{found[1]}{in_words(found[2])}{found[1]}" if _SAID_BY_SCRIPT.match(found[2]) else found[0]
