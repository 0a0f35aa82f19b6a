"""``resultproc rules``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from resultproc.cli.messages import REMARK, echo, say
from resultproc.cli.options import example, printed_as
from resultproc.model.errors import RulebookError


@click.group(name="rules")
@example("rules list", "rules show acbl-club", "rules find gold", of="")
def command() -> None:
    """List the rulebooks, show the tables of one, or find what they say about something."""


@command.command(name="list")
@printed_as("text", "json")
@example("rules list", of="")
def list_rulebooks(to: str) -> None:
    """List the rulebooks: what they cover, and since when."""
    from resultproc.reports.rules import rulebook_entry, rulebook_text
    from resultproc.rulebooks.load import rulebooks, unread_rulebooks

    books = rulebooks()
    say(unread_rulebooks(), REMARK)
    if to == "json":
        print_content({**said(), "rulebooks": [rulebook_entry(book) for book in books]})
    else:
        print_content("\n\n".join(map(rulebook_text, books)))


@command.command(name="show")
@click.argument("rulebook", metavar="ID")
@printed_as("text", "json")
@example("rules show acbl-club", of="")
def show_rulebook(rulebook: str, to: str) -> None:
    """Show the values of a rulebook, each with its unit, its source and the dates it is in force.

    ID is a rulebook's id, or the path of your own TOML file. A value is printed in its source unless it says
    otherwise: inferred, or from a secondary source.
    """
    from resultproc.reports.rules import in_english, rulebook_entry, rulebook_text, value_entry, value_lines
    from resultproc.rulebooks.load import rulebook as load

    book = load(rulebook)
    entries = [entry for versions in book.entries.values() for entry in versions]
    if to == "json":
        print_content({**said(), **rulebook_entry(book), "values": [value_entry(book, entry) for entry in entries]})
    else:
        values = ("\n".join(value_lines(book, entry)) for entry in entries)
        print_content("\n\n".join([rulebook_text(book), *in_english(), *values]))


@command.command(name="find")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@printed_as("text", "json")
@example("rules find gold", "rules find half table", of="")
def find_command(words: tuple[str, ...], to: str) -> None:
    """Find a word in the values, citations and notes of all rulebooks; with several words, all must match.

    Each value is printed once, under the rulebook that states it.
    """
    from resultproc.reports.rules import value_entry, value_lines
    from resultproc.rulebooks.load import find_values, unread_rulebooks

    found = list(find_values(words))
    say(unread_rulebooks(whole=True), REMARK)
    if not found:
        what = f"nothing found for '{' '.join(words)}' in the values, citations and notes"
        raise RulebookError(what, hint="try fewer words, or part of a word")
    if to == "json":
        print_content({**said(), "found": [{"rulebook": book.id, **value_entry(book, entry)} for book, entry in found]})
    else:
        print_content("\n\n".join(f"{book.id}: " + "\n".join(value_lines(book, entry)) for book, entry in found))


def said() -> dict[str, Any]:
    """Return what the JSON of a listing says of the program."""
    from resultproc.model.provenance import PROVENANCE_KEY, Provenance

    return {PROVENANCE_KEY: Provenance().entry()}


def print_content(content: str | Mapping[str, Any]) -> None:
    """Print text, or JSON: its exact numbers are decimal strings, as awards are."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1, default=str)
    echo(text)
