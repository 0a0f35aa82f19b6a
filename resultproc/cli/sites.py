"""``resultproc sites``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.options import example, printed_as
from resultproc.cli.publish import receipts_file
from resultproc.cli.rules import print_content, said
from resultproc.model.language import in_words
from resultproc.pages.words import wrapped

if TYPE_CHECKING:
    from resultproc.publish.results_site import Site


@click.group(name="sites")
@example("sites list", "sites show my-abf", of="")
def command() -> None:
    """List the results sites that are known, or show what one takes."""


@command.command(name="list")
@printed_as("text", "json")
@example("sites list", of="")
def list_sites(to: str) -> None:
    """List the results sites, the formats that each takes, and how a file gets there."""
    from resultproc.publish.known import sites
    from resultproc.reports.json_types import SitesList, entry

    if to == "json":
        print_content(entry(SitesList, said(), sites=sites()))
    else:
        width = max(len(each.id) for each in sites())
        print_content("\n".join(f"{each.id:{width}}  {in_words(f'{each.title}: {_taken(each)}')}" for each in sites()))


@command.command(name="show")
@click.argument("name", metavar="SITE")
@printed_as("text", "json")
@example("sites show my-abf", of="")
def show_site(name: str, to: str) -> None:
    """Show what a results site takes and asks of a game, how a file gets there, and where that is said.

    SITE is a name of 'resultproc sites list', or the path of your own TOML file.
    """
    from resultproc.publish.known import site
    from resultproc.reports.json_types import SiteAsks, SitesShow, entry

    found = site(name)
    if to == "text":
        print_content("\n".join(_lines(found)))
        return
    asks = {name: entry(SiteAsks, asked, citation=found.citation(asked)) for name, asked in found.asks.items()}
    print_content(entry(SitesShow, found, **said(), asks=asks))


@command.command(name="receipts")
@receipts_file
@printed_as("text", "json")
@example("sites receipts", of="")
def receipts_command(kept: Path, to: str) -> None:
    """List what was sent to results sites: when, what, and what the site said."""
    from resultproc.publish.receipts import Receipt, Receipts

    found: list[Receipt] = []
    if kept.is_file():
        with Receipts(kept) as receipts:
            found = receipts.of()
    if to == "json":
        from resultproc.reports.json_types import SitesReceipts, entry

        print_content(entry(SitesReceipts, said(), receipts=found))
        return
    lines = [
        f"{each.ended or each.begun}  {each.site}: {each.name}, {in_words(f'{each.state}: {each.words}')}"
        for each in found
    ]
    print_content("\n".join(lines or [in_words("nothing was sent")]))


def _taken(site: Site) -> str:
    from resultproc.publish.known import HOW_SENT

    return ", ".join((*site.formats, HOW_SENT[site.sent]))


def _lines(site: Site) -> Iterator[str]:
    from resultproc.publish.taken import CHECKS

    yield from _wrapped(in_words(f"{site.id}: {site.title} {site.address}".rstrip()))
    yield from _wrapped(in_words(f"takes {_taken(site)}"), 1)
    if site.asks:
        yield in_words("It asks of a game:")
    for name, asked in site.asks.items():
        value = ", ".join(map(str, asked.value)) if isinstance(asked.value, list) else str(asked.value)
        value = {True: "yes", False: "no"}[asked.value] if isinstance(asked.value, bool) else value
        yield from _wrapped(in_words(f"{CHECKS[name][2]}: {value}"), 1)
        yield from _wrapped(in_words(asked.note), 2)
        yield from _wrapped(site.citation(asked), 2)
    yield in_words("To upload a file:")
    for number, step in enumerate(site.steps, 1):
        yield from _wrapped(f"{number}. {in_words(step)}", 1)
    yield from _wrapped(in_words(f"If a file is sent again: {site.corrections}"))
    if site.unknown:
        yield in_words("Not known:")
        for each in site.unknown:
            yield from _wrapped(in_words(each), 1)


def _wrapped(text: str, level: int = 0) -> list[str]:
    """Return a text in lines that a terminal shows whole, indented by its level; none for no text."""
    return wrapped("  " * level + text, 2 * level + 2) if text else []
