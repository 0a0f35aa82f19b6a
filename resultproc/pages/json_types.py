"""What JSON is made of: types of values, and the JSON Schema that types make.

The JSON of a report is declared once, as a ``TypedDict`` beside what writes it: ``Annotated`` says what a value means,
and :class:`Is` what else its schema asks of it. A type among these says what entries are that come from frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from resultproc.model.provenance import SCHEMA_VERSION

Schema = dict[str, Any]


class Is:
    """What the schema of a value asks besides its type, by the words of JSON Schema."""

    def __init__(self, **rules: Any) -> None:
        """Keep the rules."""
        self.rules = rules


SomeText = Annotated[str, Is(minLength=1)]
Natural = Annotated[int, Is(minimum=0)]
Ordinal = Annotated[int, Is(minimum=1)]
Percentage = Annotated[float, Is(minimum=0, maximum=100)]
Decimals = Annotated[str, Is(pattern="^[0-9]+(\\.[0-9]+)?$")]
Limit = Annotated[str, Is(pattern="^(open|[0-9]+(\\.[0-9]+)?)$")]
Day = Annotated[str, Is(format="date", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Moment = Annotated[
    str,
    Is(format="date-time", pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})$"),
]
Hundredths = Annotated[str, Is(pattern="^(0|[1-9][0-9]{0,8})\\.[0-9]{2}$"), "a number with two decimals"]
BasisName = Annotated[SomeText, "what is compared: section, overall, session 1, ..., or a sum of several"]
PlaceText = Annotated[
    str, Is(pattern="^[1-9][0-9]*(/[1-9][0-9]*)?$"), "a place, or the places that a tie takes up: 2, 2/3"
]
SeatText = Annotated[SomeText, "how a contestant is called: A-NS-6, or A-6 where it has no direction"]
PrintedWhat = Annotated[str, Is(pattern="^(award|paid by|colours|(section|overall) rank)$")]


def of_results(path: str) -> Is:
    """Return what refers to a part of the schema of results."""
    return Is(**{"$ref": f"urn:resultproc:result:{SCHEMA_VERSION}#/{path}"})


ProvenanceEntry = Annotated[dict[str, Any], of_results("$defs/provenance")]
GameEntry = Annotated[dict[str, Any], of_results("$defs/game")]
ContestantEntry = Annotated[dict[str, Any], of_results("$defs/contestant")]
Remarks = Annotated[list[dict[str, Any]], of_results("properties/remarks")]
Masterpoints = Annotated[str, of_results("$defs/masterpoints")]
StratumLetter = Annotated[str, of_results("$defs/stratum")]
ColourTexts = Annotated[dict[str, str], of_results("$defs/contestant/properties/colours")]
Sha256 = Annotated[str, of_results("$defs/provenance/properties/sha256")]
ValueEntries = Annotated[list[dict[str, str]], of_results("$defs/candidate/properties/values")]

Value = Annotated[Any, Is(**{"$ref": "#/$defs/value"})]
VALUE: Schema = {
    "description": "a value of a rulebook; exact numbers with decimals are texts",
    "anyOf": [
        {"type": ["string", "integer", "boolean"]},
        {"type": "array", "items": {"$ref": "#/$defs/value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
    ],
}


class ProblemRow(TypedDict):
    """A row that a problem is about."""

    where: Annotated[str, "the line or cell, or what is listed there is called"]
    what: Annotated[str, "what is doubtful or wrong there"]


class Said(TypedDict):
    """What is wrong or doubtful."""

    file: Annotated[str, "empty where it is about no file"]
    where: Annotated[str, "the line or cell"]
    what: Annotated[SomeText, "what is wrong or doubtful, or what was done"]
    hint: Annotated[str, "what would be right"]
    code: NotRequired[
        Annotated[str, Is(pattern="^[a-z]+([.][a-z-]+)+$"), "what programs know it by, whatever its words"]
    ]
    rows: NotRequired[Annotated[list[ProblemRow], Is(minItems=2), "all rows that it is about, where these are several"]]


ProblemEntry = Annotated[dict[str, Any], Said, Is(required=["code"])]


class DoubtEntry(TypedDict):
    """Who may be the same player, or may not."""

    what: Annotated[SomeText, "what is doubtful, and how it was counted"]
    players: Annotated[list[SomeText], Is(minItems=1)]


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
