"""Rulebooks from TOML: every value checked, the line named where one is wrong.

The rulebooks there are: the registered ones by id, and a user's own by the path of its file. What their tables say is
told by sums, so that others than those that are wanted are noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from resultproc.model.errors import DeclarationError, Problem, ResultprocError, RulebookError, closest, nearest
from resultproc.model.game import league_of_rating, leagues
from resultproc.model.plugins import errors_of_plugin, installed, named, names, of_package
from resultproc.model.provenance import VERSION
from resultproc.model.source import toml_content
from resultproc.model.values import toml_key, toml_text
from resultproc.rulebooks.core import CONFIDENCE, Body, Entry, Rulebook, Rules

_HEAD = {
    "id": str,
    "title": str,
    "league": str,
    "extends": str,
    "without": list,
    "covers": list,
    "event_types": list,
    "not_for": list,
    "most_sessions": int,
    "undated": str,
    "undated_boards": int,
    "since": date,
    "until": date,
    "sources": dict,
    "carried-on": dict,
    "remark": str,
    "witnessed": date,
    "before": str,
    "confidence": str,
}
_ENTRY = {
    "value": object,
    "cite": str,
    "since": date,
    "until": date,
    "confidence": str,
    "note": str,
    "unit": str,
    "choices": list,
    "remark": str,
}


def load_from_package(name: str, package: str = "resultproc.rulebooks") -> Rulebook:
    """Return the rulebook of a TOML file of a package, named by its path in it; it may extend any registered one.

    ``rules`` in its head names the class of its rules and the module of the package that has it:
    ``acbl_club.rules:ClubRules``. That is imported when they are needed, as the file's values are read then.
    """
    text = files(package).joinpath(name).read_text("utf-8")
    # What a rulebook says of itself is above its first table.
    head = _checked(_toml(text.partition("\n[")[0], name), text, name)
    base = rulebook(head["extends"]) if "extends" in head else None

    def body() -> Body:
        content = _toml(text, name)
        with errors_of_plugin("rulebooks", str(head.get("id"))):
            rules = _imported(content.pop("rules", ""), package, text, name)
        return _body(content, text, name, rules, base, package == __package__)

    return _rulebook(head, name, body, base)


def _imported(rules: object, package: str, text: str, file: str) -> Rules:
    """Return the rules of a class that is named with its module; RulebookError, the line named, where none is."""
    module, _, name = str(rules).partition(":")
    try:
        made: Callable[[], Rules] = getattr(import_module(f"{package}.{module}"), name)
    except (ImportError, AttributeError) as error:
        hint = f'write the module of {package} and the class: rules = "acbl_club.rules:ClubRules"'
        raise RulebookError(f"there are no rules '{rules}': {error}", _line(text, "rules"), hint, file) from error
    return made()


def _of_file(path: Path, extending: tuple[Path, ...]) -> Rulebook:
    """Return a user's own rulebook, which ``extends`` another: an id, or a file named from this one's folder.

    extending: the files that build on it. Raises RulebookError, the line named, for TOML that cannot be read and
    values that the other does not know.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulebookError(f"the rulebook cannot be read: {reason}", file=path.name) from None
    content = _toml(text, path.name)
    name = content.get("extends")
    if not isinstance(name, str):
        where = _line(text, "extends") if name is not None else "line 1"
        raise RulebookError("missing rulebook to extend", where, 'write extends = "acbl-club"', path.name)
    try:
        base = _found(str(path.parent / name) if is_file(name) else name, (*extending, path))
    except RulebookError as error:
        where = _line(text, "extends")
        raise RulebookError(p if p.file else replace(p, where=where, file=path.name) for p in error.problems) from None
    return parse_rulebook(text, path.name, base.rules, base)


def _toml(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text has, numbers exact; raise RulebookError, the line named, for any other text."""
    try:
        return toml_content(text)
    except DeclarationError as error:
        raise RulebookError([replace(each, code="", file=file) for each in error.problems]) from None


def _checked(content: dict[str, Any], text: str, file: str) -> dict[str, Any]:
    for key, kind in _HEAD.items():
        if key in content and type(content[key]) is not kind:
            raise RulebookError(f"'{key}' has the wrong type", _line(text, key), _EXAMPLES[kind], file)
    return content


def parse_rulebook(text: str, file: str, rules: Rules, base: Rulebook | None = None) -> Rulebook:
    """Return the rulebook of a TOML text, with the name of its file and the rules that turn its values into awards.

    base: the rulebook that it extends, None for one that stands alone.
    Raises RulebookError, the line named, for TOML that cannot be read, a value that the extended rulebook does not
    have or that is of another kind there, and in a rulebook that extends none a value without a known source or that
    rules of ours do not know.
    """
    content = _checked(_toml(text, file), text, file)
    body = _body(content, text, file, rules, base)
    return _rulebook(content, file, lambda: body, base)


def _rulebook(head: Mapping[str, Any], file: str, read: Callable[[], Body], base: Rulebook | None) -> Rulebook:
    """Return a rulebook by what it says of itself, and takes over from the one that it extends."""
    said: dict[str, Any] = {"id": Path(file).stem, "title": "", "league": next(iter(leagues()))}
    if base:
        said |= {key: getattr(base, key) for key in _TAKEN_OVER}
    if head.get("league", said["league"]) not in leagues():
        raise RulebookError(f"unknown league '{head['league']}'", hint=closest(head["league"], leagues()), file=file)
    known = {each.name for each in fields(Rulebook)}
    said |= {key: tuple(each) if isinstance(each, list) else each for key, each in head.items() if key in known}
    for rating in map(str, head.get("covers", ())):
        if (own := league_of_rating(rating)) not in ("", said["league"]):
            title = leagues()[said["league"]].title
            what = f"the rulebook is of the {title}, and covers {rating} of the {leagues()[own].title}"
            raise RulebookError(what, hint=f'correct covers, or write league = "{own}"', file=file)
    return Rulebook(**said, read=read)


_TAKEN_OVER = ("title", "league", "covers", "event_types", "remark", "witnessed", "before")


def _ours() -> list[Rulebook]:
    return [rulebook(name) for name in names("rulebooks") if not of_package("rulebooks", name)]


def _built_on(rules: Rules) -> list[Rulebook]:
    """Return our rulebooks whose rules some rules are, or build on."""
    return [book for book in _ours() if isinstance(rules, type(book.rules))]


def _misspelt(path: str, stated: Collection[str], rules: Rules) -> str:
    """Return the value that a path means by mistake, which rules of ours read where it is stated; '' where none is.

    stated: all paths of the rulebook. What is called by a rating is not misspelt, nor what is like no other.
    """
    known = {each for book in _built_on(rules) for each in book.entries}
    by_rating = league_of_rating(path.rpartition(".")[2]) != ""
    return "" if path in known or by_rating else nearest(path, known.difference(stated), _MISSPELT)


_MISSPELT = 0.85
"""So like each other are two paths one of which is meant: of those of our rulebooks none are."""


def _words(rules: Rules) -> dict[str, dict[str, list[str]]]:
    """Return what values may be by their paths, as our rulebooks have it whose rules these are, or build on.

    Rules that are wholly others' may call functions of ours: what these read may be what any rulebook of ours has.
    """
    every, ours = _ours(), _built_on(rules)
    stated = [
        (entry.path, [*entry.choices])
        for book in sorted(ours or every, key=lambda book: len(type(book.rules).mro()))
        for versions in book.entries.values()
        for entry in versions
        if entry.choices
    ]
    if ours:
        return {path: {"choices": words} for path, words in stated}
    words: dict[str, dict[str, list[str]]] = {}
    for path, more in stated:
        known = words.setdefault(path, {"choices": []})["choices"]
        known += [word for word in more if word not in known]
    return words


def _body(
    content: Mapping[str, Any], text: str, file: str, rules: Rules, base: Rulebook | None, ours: bool = False
) -> Body:
    sources = {**(base.sources if base else {}), **content.get("sources", {})}
    entries = dict(base.entries) if base else {}
    for name in content.get("without", ()):
        for path in _named(entries, name, "without", text, file):
            del entries[path]
    if "confidence" in content:
        sure = content["confidence"]
        _check_confidence(sure, "what is taken over", lambda: _line(text, "confidence"), file)
        entries = {path: tuple(old._replace(confidence=sure) for old in own) for path, own in entries.items()}
    for name, remark in content.get("carried-on", {}).items():
        for path in _named(entries, name, "carried-on", text, file):
            entries[path] = tuple(old._replace(confidence="inferred", remark=remark) for old in entries[path])
    # Only rules of its own know what to do with values that the other does not have.
    known = set(entries) if base and rules is base.rules else None
    words = {} if base or ours else _words(rules)
    leaves = list(_leaves({key: table for key, table in content.items() if key not in _HEAD}, ""))
    stated = {path for path, _ in leaves}
    for path, versions in leaves:
        if not (base or ours) and (near := _misspelt(path, stated, rules)):
            raise RulebookError(f"unknown value '{path}'", _line(text, path), f"did you mean '{near}'?", file)
        if base and known is not None and path not in known:
            near = nearest(path, known, 0.5)
            hint = f"did you mean '{near}'?" if near else f"'resultproc rules show {base.id}' lists them"
            raise RulebookError(f"unknown value '{path}'", _line(text, path), hint, file)
        if versions is None:
            raise RulebookError(f"'{path}' has no value", _line(text, path), f"write [{path}] and value = ...", file)
        before = entries[path][0] if path in entries else None
        taken = {"choices": [*before.choices]} if before and known is not None else {}
        told = ({**words.get(path, {}), **version, **taken} for version in versions)
        own = tuple(_entry(path, version, text, file, before, sources) for version in told)
        own = tuple(entry._replace(latest="undated" in content) for entry in own)
        # A version of the other goes that has no day left on which none of our own is in force.
        kept = (
            old
            for old in entries.get(path, ())
            if not any(new.since <= old.since and old.until <= new.until for new in own)
        )
        entries[path] = (*kept, *own)
    return Body(rules, sources, entries)


def _named(entries: Mapping[str, object], name: object, key: str, text: str, file: str) -> list[str]:
    """Return the paths of values that are named under a key, one by one or as a table; RulebookError for none."""
    found = [path for path in entries if f"{path}.".startswith(f"{name}.")]
    if not found:
        tables = (path.rpartition(".")[0] for path in entries)
        near = nearest(str(name), {*entries, *tables}, 0.5)
        hint = f"did you mean '{near}'?" if near else "name values of the rulebook that you extend"
        raise RulebookError(f"unknown value '{name}' in {key}", _line(text, key), hint, file)
    return found


def _leaves(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, list[dict[str, Any]] | None]]:
    """Yield the path of each value with its dated versions; None for what is not a table with a value."""
    for name, content in table.items():
        path = f"{prefix}{name}"
        if isinstance(content, dict) and "value" in content:
            yield path, [content]
        elif isinstance(content, list) and content and all(isinstance(c, dict) and "value" in c for c in content):
            yield path, content
        elif isinstance(content, dict) and not (content and content.keys() <= _ENTRY.keys()):
            yield from _leaves(content, f"{path}.")
        else:
            yield path, None


def _entry(
    path: str,
    content: dict[str, Any],
    text: str,
    file: str,
    before: Entry | None,
    sources: Mapping[str, Mapping[str, str]],
) -> Entry:
    """Return one version of a value; ``before`` is what it replaces, in a rulebook that extends another."""

    def wrong(what: str, hint: str = "") -> RulebookError:
        return RulebookError(what, _line(text, path), hint, file)

    for key, value in content.items():
        if key not in _ENTRY:
            near = nearest(key, _ENTRY)
            raise wrong(f"unknown key '{key}' in '{path}'", f"did you mean '{near}'?" if near else "")
        if _ENTRY[key] is not object and type(value) is not _ENTRY[key]:
            raise wrong(f"'{key}' of '{path}' has the wrong type", _EXAMPLES[_ENTRY[key]])
    _check_confidence(content.get("confidence", "printed"), f"'{path}'", lambda: _line(text, path), file)
    if before:
        value, model = content["value"], before.value
        if not _alike(value, model):
            both_lists = isinstance(value, list) and isinstance(model, list)
            right = "a list like the one that it replaces" if both_lists else f"{_kind(model)}, not {_kind(value)}"
            raise wrong(f"'{path}' must be {right}", f"such as {toml_text(model)}")
        content = {"cite": Path(file).stem, "unit": before.unit, "choices": before.choices, **content}
    elif content.get("cite", "").partition(", ")[0] not in sources:
        what = f"'{path}' cites an unknown source" if content.get("cite") else f"'{path}' has no citation"
        raise wrong(what, "write cite = and the name of one of the sources")
    if content.get("choices") and content["value"] not in content["choices"]:
        raise wrong(
            f"unknown value '{content['value']}' of '{path}'",
            closest(str(content["value"]), map(str, content["choices"])),
        )
    return Entry(path, None, file=file)._replace(**content)


def _check_confidence(word: str, of: str, where: Callable[[], str], file: str) -> None:
    if word not in CONFIDENCE:
        raise RulebookError(f"{of}: unknown confidence; write {', '.join(CONFIDENCE)}", where(), file=file)


_EXAMPLES = {
    bool: "write true or false",
    str: "write text in quotes",
    list: 'write a list, such as ["club-open"]',
    date: "write a date, such as 2026-01-31",
    dict: "write a table",
    int: "write a whole number, such as 18",
}


def _alike(value: object, model: object) -> bool:
    """Return whether a value can replace another: one of its kind, a list with elements like some of the other's.

    An empty list may have any.
    """
    if isinstance(value, list) and isinstance(model, list):
        return not model or all(any(_row_alike(each, other) for other in model) for each in value)
    return _kind(value) == _kind(model)


def _row_alike(row: object, model: object) -> bool:
    """Return whether a row of a table has what another has in each place; a word in it, such as open, is the same."""
    if isinstance(row, list) and isinstance(model, list):
        return len(row) == len(model) and all(
            mine == its if isinstance(its, str) else _alike(mine, its) for mine, its in zip(row, model, strict=True)
        )
    return _kind(row) == _kind(model)


_MOST_DIGITS = 100
"""A number of more is as good as infinite: no regulation has it, and fractions of it take all memory."""


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | Decimal):
        exact = Decimal(value)
        fits = exact.is_finite() and abs(exact.adjusted()) < _MOST_DIGITS
        return "a number" if fits else "infinite or undefined"
    return "a word" if isinstance(value, str) else "a list" if isinstance(value, list) else "something else"


def _line(text: str, path: str) -> str:
    """Return the line of a TOML text where a path's table, or its last key, is set."""
    name = path.rpartition(".")[2]
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.split("#")[0].strip().strip("[] ").replace('"', "")
        if bare == path or bare.partition("=")[0].strip() in {path, name}:
            return f"line {number}"
    return path


@cache
def rulebook(name: str) -> Rulebook:
    """Return the rulebook of an id such as ``acbl-club``, or of a user's TOML file.

    Raises RulebookError for an unknown id (the closest known one suggested) or a file that is wrong.
    """
    return _found(name, ())


def _found(name: str, extending: tuple[Path, ...]) -> Rulebook:
    if name in names("rulebooks"):
        book: Rulebook = named("rulebooks", name)
        return book
    if is_file(name):
        path = Path(name).resolve()
        if path in extending:
            raise RulebookError(f"{path.name} extends itself", hint='write extends = "acbl-club"')
        return _of_file(path, extending)
    raise RulebookError(f"unknown rulebook '{name}'", hint=closest(name, names("rulebooks")))


def with_values(name: str, values: Mapping[str, object], folder: Path) -> str:
    """Write a rulebook that is another with other values, by their paths, into a folder; return its file."""
    extended = str(Path(name).resolve()) if is_file(name) else name
    tables = (f"[{'.'.join(map(toml_key, path.split('.')))}]\nvalue = {toml_text(values[path])}\n" for path in values)
    file = folder / f"{len([*folder.iterdir()])}.toml"
    file.write_text("\n".join([f"extends = {toml_text(extended)}", *tables]), "utf-8")
    return str(file)


def is_file(name: str) -> bool:
    """Say whether the name of a rulebook is that of a user's file."""
    return name.endswith(".toml")


@cache
def _registered(whole: bool) -> tuple[tuple[Rulebook, ...], Mapping[str, str]]:
    """Return the registered rulebooks, and what is wrong with those that cannot be read, by name."""
    found: list[Rulebook] = []
    wrong: dict[str, str] = {}
    for name in names("rulebooks"):
        try:
            book = rulebook(name)
            found += [book] if not whole or book.rules else []
        except ResultprocError as error:
            wrong[name] = "; ".join(map(str, error.problems))
        except OSError as error:
            wrong[name] = str(error)
    return tuple(found), wrong


def rulebooks(*, whole: bool = False) -> list[Rulebook]:
    """Return every registered rulebook that can be read; :func:`unread_rulebooks` tells of the others.

    whole: values and rules are asked of all of them, which are read later otherwise.
    """
    return list(_registered(whole)[0])


def unread_rulebooks(*, whole: bool = False) -> list[Problem]:
    """Return a remark on each registered rulebook that cannot be read.

    One of another package must not stop the awards of games that it is not for. Only the rulebook itself says which
    these are, so every award has to say that it was left out. A game that names it gets its own error.
    """
    hint = "mend or remove its package: a game may be one of its own"
    whats = [f"rulebook {name} is left out: {why}" for name, why in _registered(whole)[1].items()]
    return [Problem(what, hint=hint, code="rulebook.left-out") for what in whats]


def fingerprint(name: str | None) -> str:
    """Return what tells results under a rulebook, None for that of the day, from others: its values, and the code here.

    Every package that registers a reader, a writer or a rulebook counts, ours too, as any may take part in a result.
    Without a name, the registered rulebooks that cannot be read count, as every result tells of them.
    Raises RulebookError like :func:`rulebook`.
    """
    said = [*_of_itself(rulebook(name)), *sorted(rulebook(name).entries.items())] if name else unread_rulebooks()
    return hashlib.sha256(repr((VERSION, sorted(installed().items()), said)).encode()).hexdigest()


@cache
def fingerprint_of_file(name: str) -> str:
    """Return the fingerprint of a user's rulebook; what is wrong with one that cannot be read, as results tell it."""
    try:
        return fingerprint(name)
    except ResultprocError as error:
        return str(error)


@cache
def tables_hash(name: str) -> str:
    """Return the SHA-256 of all that a rulebook's tables say, with their days; the citations do not count."""
    lines = [
        f"{path}\t{entry.since}\t{entry.until}\t{toml_text(entry.value)}"
        for path, versions in sorted(rulebook(name).entries.items())
        for entry in versions
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def tables_here(own: tuple[str, ...] = ()) -> Mapping[str, str]:
    """Return what tells awards that are given here from others: what each rulebook says, as SHA-256, and our version.

    own: files of rulebooks besides the registered ones. The sum of a rulebook that cannot be read is empty.
    """
    told = {"resultproc": VERSION}
    for name in (*names("rulebooks"), *own):
        try:
            said = _of_itself(rulebook(name)), tables_hash(name), of_package("rulebooks", name)
            told[name] = hashlib.sha256(repr(said).encode()).hexdigest()
        except (ResultprocError, OSError):
            told[name] = ""
    return told


def _of_itself(book: Rulebook) -> list[object]:
    return [getattr(book, each.name) for each in fields(book) if each.init and each.name != "read"]


def refuse_others(expected: Mapping[str, str]) -> None:
    """Raise RulebookError where the rulebooks that are here are not as is expected: those that differ are named."""
    here = tables_here(tuple(name for name in expected if is_file(name)))
    other = sorted(name for name in here.keys() | expected.keys() if here.get(name) != expected.get(name))
    if other:
        hint = "give every worker the same resultproc and rulebooks, and start it anew"
        what = f"this worker has other tables than this run: {', '.join(other)}"
        raise RulebookError(what, hint=hint, code="machine.worker")


def find_values(words: Sequence[str]) -> Iterator[tuple[Rulebook, Entry]]:
    """Yield each value that has all the words in its path, value, unit, citation or note, and the rulebook it is of.

    Small and capital letters are the same. A value that a rulebook takes over from the one it extends is that one's.
    """
    folded = [word.casefold() for word in words]
    for book in rulebooks(whole=True):
        base = rulebook(book.extends).entries if book.extends else {}
        taken_over = {(each.path, each.file, each.since, each.until) for of in base.values() for each in of}
        for entry in (each for versions in book.entries.values() for each in versions):
            parts = (entry.path, toml_text(entry.value), entry.unit, book.citation(entry), entry.confidence, entry.note)
            text = "\n".join(parts).casefold()
            own = (entry.path, entry.file, entry.since, entry.until) not in taken_over
            if own and all(word in text for word in folded):
                yield book, entry
