"""``resultproc rules``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from resultproc.cli.messages import REMARK, echo, say

if TYPE_CHECKING:
    from resultproc.rulebooks.core import Entry, Rulebook


@click.group(name="rules")
def command() -> None:
    """List the rulebooks, show the tables of one, or find what they say about something.

    \b
    Examples:
      resultproc rules list
      resultproc rules show acbl-club
      resultproc rules find gold
    """


_to = click.option("--to", type=click.Choice(["text", "json"]), default="text", help="How to print it.")


@command.command(name="list")
@_to
def list_rulebooks(to: str) -> None:
    """List the rulebooks: what they cover, and since when.

    \b
    Example:
      resultproc rules list
    """
    from resultproc.rulebooks.load import rulebooks, unread_rulebooks

    books = rulebooks()
    say(unread_rulebooks(), REMARK)
    if to == "json":
        print_content({**said(), "rulebooks": [_head(book) for book in books]})
    else:
        print_content("\n\n".join(map(_head_text, books)))


@command.command(name="show")
@click.argument("rulebook", metavar="ID")
@_to
def show_rulebook(rulebook: str, to: str) -> None:
    """Show the values of a rulebook, each with its unit, its source and the dates it is in force.

    ID is a rulebook's id, or the path of your own TOML file. A value is printed in its source unless it says
    otherwise: inferred, or from a secondary source.

    \b
    Example:
      resultproc rules show acbl-club
    """
    from resultproc.rulebooks.load import rulebook as load

    book = load(rulebook)
    entries = [entry for versions in book.entries.values() for entry in versions]
    if to == "json":
        print_content(said() | _head(book) | {"values": [_value(book, entry) for entry in entries]})
    else:
        print_content("\n\n".join([_head_text(book), *("\n".join(_lines(book, entry)) for entry in entries)]))


@command.command(name="find")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@_to
def find_command(words: tuple[str, ...], to: str) -> None:
    """Find a word in the values, citations and notes of all rulebooks; with several words, all must match.

    Each value is printed once, under the rulebook that states it.

    \b
    Examples:
      resultproc rules find gold
      resultproc rules find half table
    """
    from resultproc.model.errors import RulebookError
    from resultproc.rulebooks.load import find_values, unread_rulebooks

    found = list(find_values(words))
    say(unread_rulebooks(whole=True), REMARK)
    if not found:
        what = f"nothing found for '{' '.join(words)}' in the values, citations and notes"
        raise RulebookError(what, hint="try fewer words, or part of a word")
    if to == "json":
        print_content({**said(), "found": [{"rulebook": book.id} | _value(book, entry) for book, entry in found]})
    else:
        print_content("\n\n".join(f"{book.id}: " + "\n".join(_lines(book, entry)) for book, entry in found))


def said() -> dict[str, Any]:
    """Return what the JSON of a listing says of the program."""
    from resultproc.model.provenance import PROVENANCE_KEY, Provenance

    return {PROVENANCE_KEY: Provenance().entry()}


def print_content(content: str | dict[str, Any]) -> None:
    """Print text, or JSON: its exact numbers are decimal strings, as awards are."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1, default=str)
    echo(text)


def _head(book: Rulebook) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "extends": book.extends or None,
        "without": list(book.without) or None,
        "covers": list(book.covers),
        "event_types": list(book.event_types) or None,
        "since": _day(book.since),
        "until": _day(book.until),
        "remark": book.remark or None,
        "witnessed": _day(book.witnessed) if _is_early(book) else None,
        "before": book.before if _is_early(book) else None,
        "sources": {name: source.get("title", name) for name, source in book.sources.items()},
    }


def _day(day: date) -> str | None:
    return None if day in {date.min, date.max} else day.isoformat()


def _head_text(book: Rulebook) -> str:
    lines = [f"{book.id}: {book.title}"]
    lines += [f"  in force {_in_force(book.since, book.until)}"] if _in_force(book.since, book.until) else []
    without = f" without {', '.join(book.without)}" if book.without else ""
    lines += [f"  extends {book.extends}{without}"] if book.extends else []
    covers = ", ".join(book.covers) or "only games that name it"
    kinds = f", {', '.join(book.event_types)} events" if book.event_types else ""
    lines.append(f"  covers {covers}{kinds}")
    lines += [f"  remark: {book.remark}"] if book.remark else []
    lines += [f"  of games before {_day(book.witnessed)}: {book.before}"] if _is_early(book) else []
    return "\n".join(lines)


def _is_early(book: Rulebook) -> bool:
    """Return whether a rulebook is in force before the oldest award at hand that it gives."""
    return bool(book.before) and book.since < book.witnessed


def _in_force(since: date, until: date) -> str:
    days = (("from", _day(since)), ("until", _day(until)))
    return " ".join(f"{word} {day}" for word, day in days if day)


def _value(book: Rulebook, entry: Entry) -> dict[str, Any]:
    return {
        "path": entry.path,
        "value": entry.value,
        "unit": entry.unit or None,
        "citation": book.citation(entry),
        "since": _day(entry.since),
        "until": _day(entry.until),
        "confidence": entry.confidence,
        "note": entry.note or None,
    }


def _lines(book: Rulebook, entry: Entry) -> Iterator[str]:
    from resultproc.model.values import toml_text

    yield f"{entry.path} = {toml_text(entry.value)}{f' {entry.unit}' if entry.unit else ''}"
    sure = "" if entry.confidence == "printed" else f" ({entry.confidence})"
    yield f"  {book.citation(entry)}{sure}"
    if _in_force(entry.since, entry.until):
        yield f"  in force {_in_force(entry.since, entry.until)}"
    if entry.note:
        yield f"  {entry.note}"
