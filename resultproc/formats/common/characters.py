"""Text in a code page that is not told, and text that no file can hold: halves of characters."""

from __future__ import annotations

import re
from typing import Any

from resultproc.model.values import is_garbled

_OLD = ("cp850", "mac_roman")
"""What DOS, and so the league's scoring program, and Macs wrote before Unicode."""

_FREQUENT = frozenset("àáâãäåæçèéêëíïñóôõöøúüßÁÄÅÇÉÍÑÓÖØÚÜ\u2019")
"""What names have most often beyond ASCII, with the apostrophe."""


def of_bytes(data: bytes) -> str:
    """Return text that is no UTF-8: Windows-1252, or an older code page where that alone makes words of it."""
    # The five bytes that Windows-1252 leaves undefined stand for themselves, as they do on the web.
    text = "".join(chr(b) if b in _UNDEFINED_1252 else bytes([b]).decode("cp1252") for b in data)
    if not is_garbled(text):
        return text
    read = [(each, data.decode(each)) for each in _OLD]
    letters = {each: sum(map(_FREQUENT.__contains__, old)) for each, old in read if not is_garbled(old)}
    most = max(letters.values(), default=0)
    found = [old for each, old in read if letters.get(each) == most > 0]
    return found[0] if len(found) == 1 else text


_UNDEFINED_1252 = frozenset({0x81, 0x8D, 0x8F, 0x90, 0x9D})

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character outside the first 65,536, as JSON may escape it; alone it is none."""


def without_halves(content: Any, text: str) -> Any:
    """Return the content of a JSON text, with the replacement character for every half of a character that is alone."""
    # Most files escape nothing, and to look for one sign takes no time.
    return _whole(content) if "\\" in text and _HALF.search(text) else content


def _whole(content: Any) -> Any:
    if isinstance(content, str):
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(content, list):
        return [_whole(each) for each in content]
    return {_whole(name): _whole(each) for name, each in content.items()} if isinstance(content, dict) else content
