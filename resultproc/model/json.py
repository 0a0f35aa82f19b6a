"""JSON as files have it: read strictly, and written an entry a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from math import isfinite
from typing import Any, NoReturn

from resultproc.model.errors import FormatError
from resultproc.model.language import unmarked


def json_text(content: Mapping[str, Any], **options: Any) -> str:
    """Return content as a file of JSON has it, an entry a line; options: those of :func:`json.dumps`."""
    return unmarked(json.dumps(content, ensure_ascii=False, indent=1, **options)) + "\n"


def json_lines(content: Mapping[str, Any]) -> str:
    """Return content as a long file of JSON has it, each entry of its lists on a line: a tenth of the work."""
    parts = []
    for key, value in content.items():
        several = isinstance(value, list) and value
        parts += [",\n", one_line(key), ": ", "[\n" if several else ""]
        parts += [",\n".join(map(one_line, value)), "\n]"] if several else [one_line(value)]
    return "".join(["{\n", *parts[1:], "\n}\n"])


_ENCODED = json.JSONEncoder(ensure_ascii=False).encode


def one_line(content: Any) -> str:
    """Return content as a line of JSON."""
    return content.text if isinstance(content, JsonObject) else _ENCODED(content)


class JsonObject(Mapping[str, Any]):
    """An object of JSON that is read when somebody asks what it has. text: the JSON."""

    def __init__(self, text: str) -> None:
        """Take the text of a JSON object."""
        self.text = text

    @cached_property
    def _content(self) -> dict[str, Any]:
        return dict(json.loads(self.text))

    def __getitem__(self, key: str) -> Any:
        """Return a value."""
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the values."""
        return iter(self._content)

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self._content)


def loaded(data: bytes, *, once: bool = False) -> Any:
    """Return what JSON says; raise FormatError for what is not JSON.

    once: and for an object that has a name twice, or a number with more digits than are kept.
    """
    try:
        text = data.decode("utf-8-sig")
        return without_halves(parsed_json(text, once=once), text)
    except json.JSONDecodeError as error:
        what = f"this JSON cannot be read: {error.msg}"
        raise FormatError(what, f"line {error.lineno}, column {error.colno}", "is the file cut off?") from None
    except ValueError as error:
        raise FormatError(f"this JSON cannot be read: {error}") from None


def parsed_json(text: str, *, once: bool = False, start: int | None = None) -> Any:
    """Return what a text of JSON says; raise ValueError for what is not JSON.

    once: as for :func:`loaded`. start: where it begins in a text that goes on after it.
    """
    strict: dict[str, Any] = {"object_pairs_hook": _of_pairs, "parse_float": _kept} if once else {}
    decoder = json.JSONDecoder(parse_constant=_refuse, **strict)
    try:
        return decoder.decode(text) if start is None else decoder.raw_decode(text, start)[0]
    except RecursionError as error:
        raise ValueError(str(error)) from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _kept(text: str) -> float:
    number = float(text)
    if isfinite(number) and Decimal(text) != Decimal(repr(number)):
        raise ValueError(f"{text} has more digits than a program keeps of it")
    return number


def _of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"an object has two values of one name, among {', '.join(found)}")
    return found


def objects_in(content: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of objects in an object, none where there is none; raise TypeError for anything else."""
    found = content.get(name) or []
    if not isinstance(found, list) or not set(map(type, found)) <= {dict}:
        raise TypeError(f"'{name}' is not a list of objects")
    return found


_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character outside the first 65,536, as JSON may escape it; alone it is none."""


def without_halves(content: Any, text: str) -> Any:
    """Return the content of a JSON text, with the replacement character for every half of a character that is alone."""
    # Most files escape nothing, and to look for one sign takes no time.
    return _without_halves(content) if "\\" in text and _HALF.search(text) else content


def _without_halves(content: Any) -> Any:
    if isinstance(content, str):
        return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(content, list):
        return [_without_halves(each) for each in content]
    if isinstance(content, dict):
        return {_without_halves(name): _without_halves(each) for name, each in content.items()}
    return content
