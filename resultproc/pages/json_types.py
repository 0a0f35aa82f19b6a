"""The JSON Schema that types make.

The JSON of a report is declared once, as a ``TypedDict``: ``Annotated`` says what a value means, and :class:`Is` what
else its schema asks of it. A type among these says what entries are that come from frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]


class Is:
    """What the schema of a value asks besides its type, by the words of JSON Schema."""

    def __init__(self, **rules: Any) -> None:
        """Keep the rules."""
        self.rules = rules


VALUE: Schema = {
    "description": "a value of a rulebook; exact numbers with decimals are texts",
    "anyOf": [
        {"type": ["string", "integer", "boolean"]},
        {"type": "array", "items": {"$ref": "#/$defs/value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
    ],
}


def schema_of(kinds: dict[str, Any]) -> Schema:
    """Return the definitions of types by name, and of all that they consist of by their own names."""
    found: Schema = {}
    for name, kind in kinds.items():
        found[name] = _object(kind, found) if is_typeddict(kind) else _schema(kind, found)
    return {**found, "value": VALUE}


def _schema(kind: Any, found: Schema) -> Schema:
    """Return the schema of a type; the definitions of objects are added to those found."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(kind.__origin__, kind.__metadata__, found)
    if is_typeddict(kind):
        name = kind.__name__.lstrip("_")
        if name not in found:
            found[name] = {}  # as it may consist of others like it
            found[name] = _object(kind, found)
        return {"$ref": f"#/$defs/{name}"}
    if origin in {Union, UnionType}:
        each = [_schema(part, found) for part in parts if part is not NoneType]
        either = each[0] if len(each) == 1 else {"anyOf": each}
        return or_null(either) if NoneType in parts else either
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": _schema(parts[0], found)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(parts[1], found)}
    return dict(_PLAIN[kind])


_PLAIN: dict[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def _annotated(base: Any, notes: tuple[Any, ...], found: Schema) -> Schema:
    more: Schema = {}
    for note in notes:
        if isinstance(note, str):
            more["description"] = note
        elif isinstance(note, Is):
            more |= note.rules
        else:
            base = note
    return more if "$ref" in more else _schema(base, found) | more


def _object(kind: Any, found: Schema) -> Schema:
    fields = get_type_hints(kind, include_extras=True)
    needed = [name for name, each in fields.items() if get_origin(each) is not NotRequired]
    values = {name: each if name in needed else get_args(each)[0] for name, each in fields.items()}
    about = (kind.__doc__ or "").partition("\n")[0]
    return {
        "type": "object",
        **({"description": about[0].lower() + about.removesuffix(".")[1:]} if about else {}),
        "properties": {name: _schema(each, found) for name, each in values.items()},
        "required": needed,
        "additionalProperties": False,
    }


def or_null(value: Mapping[str, Any]) -> Schema:
    """Return the schema of a value that may be null."""
    if "enum" in value:
        return {**value, "enum": [*value["enum"], None]}
    if "type" in value:
        return {**value, "type": [value["type"], "null"]}
    return {"anyOf": [value, {"type": "null"}]}
