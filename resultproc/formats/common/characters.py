"""Text that no file can hold: halves of characters."""

from __future__ import annotations

import re
from typing import Any

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
