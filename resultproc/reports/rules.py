"""What ``resultproc rules`` says of rulebooks and their values, as text and as the entries of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from resultproc.model.language import ENGLISH, as_it_is, in_words, language
from resultproc.model.values import toml_text
from resultproc.reports.json_types import RulebookEntry, StatedValue, entry
from resultproc.rulebooks.core import Entry, Rulebook


def rulebook_entry(book: Rulebook) -> RulebookEntry:
    """Return what a rulebook says of itself, for JSON."""
    early = _is_early(book)
    return entry(
        RulebookEntry,
        book,
        without=book.without or None,
        event_types=book.event_types or None,
        since=_day(book.since),
        until=_day(book.until),
        witnessed=_day(book.witnessed) if early else None,
        before=book.before if early else None,
        sources={name: source.get("title", name) for name, source in book.sources.items()},
    )


def _day(day: date) -> str | None:
    return None if day in {date.min, date.max} else day.isoformat()


def rulebook_text(book: Rulebook) -> str:
    """Return what a rulebook says of itself, in lines."""
    lines = [f"{book.id}: {in_words(book.title)}"]
    lines += [in_words(f"  in force {days}")] if (days := _in_force(book.since, book.until)) else []
    without = f" without {', '.join(book.without)}" if book.without else ""
    lines += [in_words(f"  extends {book.extends}{without}")] if book.extends else []
    covers = ", ".join(book.covers) or "only games that name it"
    kinds = f", {', '.join(book.event_types)} events" if book.event_types else ""
    lines.append(in_words(f"  covers {covers}{kinds}"))
    lines += [in_words(f"  remark: {as_it_is(in_words(book.remark))}")] if book.remark else []
    lines += (
        [in_words(f"  of games before {_day(book.witnessed)}: {as_it_is(in_words(book.before))}")]
        if _is_early(book)
        else []
    )
    return "\n".join(lines)


def _is_early(book: Rulebook) -> bool:
    """Return whether a rulebook is in force before the oldest award at hand that it gives."""
    return bool(book.before) and book.since < book.witnessed


def _in_force(since: date, until: date) -> str:
    days = (("from", _day(since)), ("until", _day(until)))
    return " ".join(f"{word} {day}" for word, day in days if day)


def value_entry(book: Rulebook, stated: Entry) -> StatedValue:
    """Return a value with its source, for JSON."""
    in_force = {"since": _day(stated.since), "until": _day(stated.until)}
    return entry(StatedValue, stated, citation=book.citation(stated), **in_force)


def in_english() -> list[str]:
    """Return what says that some of a listing is not in the language that holds here; nothing in English."""
    said = "Citations and notes are in English, as the rulebook's file has them."
    return [] if language() == ENGLISH else [in_words(said)]


def value_lines(book: Rulebook, entry: Entry) -> Iterator[str]:
    """Yield a value as its file would have it, and below it the source and the days it is in force."""
    yield f"{entry.path} = {toml_text(entry.value)}{f' {in_words(entry.unit)}' if entry.unit else ''}"
    sure = "" if entry.confidence == "printed" else f" ({in_words(entry.confidence)})"
    yield f"  {book.citation(entry)}{sure}"
    if _in_force(entry.since, entry.until):
        yield in_words(f"  in force {_in_force(entry.since, entry.until)}")
    if entry.note:
        yield f"  {entry.note}"
