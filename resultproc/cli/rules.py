"""``resultproc rules``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from resultproc.rulebooks import Entry, Rulebook


@click.group(name="rules")
def command() -> None:
    """List the rulebooks, or show the tables of one.

    \b
    Examples:
      resultproc rules list
      resultproc rules show acbl-club
    """


_to = click.option("--to", type=click.Choice(["text", "json"]), default="text", help="How to print it.")


@command.command(name="list")
@_to
def list_command(to: str) -> None:
    """List the rulebooks: what they cover, and since when.

    \b
    Example:
      resultproc rules list
    """
    from resultproc.rulebooks import rulebooks

    books = rulebooks()
    _print({"rulebooks": [_head(book) for book in books]} if to == "json" else "\n\n".join(map(_head_text, books)))


@command.command(name="show")
@click.argument("rulebook", metavar="ID")
@_to
def show_command(rulebook: str, to: str) -> None:
    """Show the values of a rulebook, each with its unit, its source and the dates it is in force.

    ID is a rulebook's id, or the path of your own TOML file. A value is printed in its source unless it says
    otherwise: inferred, or from a secondary source.

    \b
    Example:
      resultproc rules show acbl-club
    """
    from resultproc.rulebooks import rulebook as load

    book = load(rulebook)
    entries = [entry for versions in book.entries.values() for entry in versions]
    if to == "json":
        _print(_head(book) | {"values": [_value(book, entry) for entry in entries]})
    else:
        _print("\n\n".join([_head_text(book), *("\n".join(_lines(book, entry)) for entry in entries)]))


def _print(content: str | dict[str, Any]) -> None:
    """Print text, or JSON: its exact numbers are decimal strings, as awards are."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1, default=str)
    click.echo(text)


def _head(book: Rulebook) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "extends": book.extends or None,
        "covers": list(book.covers),
        "event_types": list(book.event_types) or None,
        "since": _day(book.since),
        "until": _day(book.until),
        "sources": {name: source.get("title", name) for name, source in book.sources.items()},
    }


def _day(day: date) -> str | None:
    return None if day in {date.min, date.max} else day.isoformat()


def _head_text(book: Rulebook) -> str:
    lines = [f"{book.id}: {book.title}"]
    lines += [f"  in force {_in_force(book.since, book.until)}"] if _in_force(book.since, book.until) else []
    lines += [f"  extends {book.extends}"] if book.extends else []
    covers = ", ".join(book.covers) or "only games that name it"
    kinds = f", {', '.join(book.event_types)} events" if book.event_types else ""
    return "\n".join([*lines, f"  covers {covers}{kinds}"])


def _in_force(since: date, until: date) -> str:
    days = (("from", _day(since)), ("until", _day(until)))
    return " ".join(f"{word} {day}" for word, day in days if day)


def _value(book: Rulebook, entry: Entry) -> dict[str, Any]:
    return {
        "path": entry.path,
        "value": entry.value,
        "unit": entry.unit or None,
        "citation": _citation(book, entry),
        "since": _day(entry.since),
        "until": _day(entry.until),
        "confidence": entry.confidence,
        "note": entry.note or None,
    }


def _citation(book: Rulebook, entry: Entry) -> str:
    """Return where the value stands: the document's title in place of its short name."""
    source, comma, place = entry.cite.partition(", ")
    return f"{book.sources.get(source, {}).get('title', source)}{comma}{place}"


def _lines(book: Rulebook, entry: Entry) -> Iterator[str]:
    yield f"{entry.path} = {_value_text(entry.value)}{f' {entry.unit}' if entry.unit else ''}"
    sure = "" if entry.confidence == "printed" else f" ({entry.confidence})"
    yield f"  {_citation(book, entry)}{sure}"
    if _in_force(entry.since, entry.until):
        yield f"  in force {_in_force(entry.since, entry.until)}"
    if entry.note:
        yield f"  {entry.note}"


def _value_text(value: Any) -> str:
    """Return a value as TOML writes it: ``[[20, 0.05], ["open", 0.08]]``."""
    if isinstance(value, list):
        return f"[{', '.join(map(_value_text, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_value_text(part)}' for name, part in value.items())} }}"
    return json.dumps(value, default=str) if isinstance(value, bool | str) else str(value)
