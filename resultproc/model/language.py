"""The language of whatever people read: its sentences, dates, decimals and plurals, from one catalogue each.

All is made in English, by code that knows no other language; so awards and JSON are the same in each. Where something
is about to be read, :func:`in_words` says it in the language that holds there: a page
(:mod:`resultproc.pages.spoken`), a sheet, a message. What is data in a sentence, such as the name of an event, is put
into it by :func:`as_it_is`, and stays the same whatever it is called. The catalogues are gettext's,
``locale/LANGUAGE/LC_MESSAGES/resultproc.po``. A sentence in one may have fields, such as ``{who} of {n} pairs``: fields
of :data:`_FIELDS` hold what their names say, others any text, which is said in the language as well where it can be.
What a catalogue lacks stays English. In English none of this is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from resultproc.model.errors import Problem

if TYPE_CHECKING:
    from babel.messages import Catalog

ENGLISH = "en"

LOCALE = Path(__file__).parents[1] / "locale"
"""The folder of the catalogues."""

_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the language that holds here, such as ``fr``."""
    return _LANGUAGE.get()


def speak(name: str) -> None:
    """Let a language hold from here on: in this command, request or process."""
    _LANGUAGE.set(name)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Let a language hold within."""
    token = _LANGUAGE.set(name)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are: English, and those that have a catalogue."""
    return ENGLISH, *sorted(path.parents[1].name for path in LOCALE.glob("*/LC_MESSAGES/resultproc.po"))


def known_language(text: str) -> str:
    """Return a language that somebody names; raise ValueError for one that there is not."""
    if text not in languages():
        raise ValueError(f"there is no language '{text}'; known: {', '.join(languages())}")
    return text


def in_words(text: str) -> str:
    """Return what people read, in the language that holds here; as it is where that is English, or not known."""
    name = _LANGUAGE.get()
    return text if name == ENGLISH or not text else _said(name, text)


def as_it_is(text: str) -> str:
    """Return what somebody else has written as it goes into a sentence: no language says it otherwise.

    Until the sentence is said it stands between two signs that Unicode keeps for a program's own use.
    """
    return text if _LANGUAGE.get() == ENGLISH or not text else f"{_BEGINS}{unmarked(text)}{_ENDS}"


def problem_in_words(problem: Problem) -> Problem:
    """Return what is wrong in the language that holds here, each part by itself."""
    if _LANGUAGE.get() == ENGLISH:
        return problem
    # What is indented is to be written as it stands.
    hint, lines = (
        "\n".join(line if line.startswith("    ") else in_words(line) for line in text.split("\n"))
        for text in (problem.hint, problem.lines)
    )
    return problem.again(what=in_words(problem.what), where=in_words(problem.where), hint=hint, lines=lines)


def as_told(said: object) -> str:
    """Return what a page is to tell; of a problem each part as it is in the language that holds here."""
    if not isinstance(said, Problem):
        return said if isinstance(said, str) else str(said)
    parts = vars(problem_in_words(said))
    lines = ("\n".join(map(as_it_is, parts[name].split("\n"))) for name in ("hint", "lines"))
    file, where, what = (as_it_is(parts[name]) for name in ("file", "where", "what"))
    return str(said.again(file=file, where=where, what=what, **dict(zip(("hint", "lines"), lines, strict=True))))


def unmarked(text: str) -> str:
    """Return a text without the signs of :func:`as_it_is`."""
    return text.translate(_MARKS) if _BEGINS in text or _ENDS in text else text


_BEGINS, _ENDS = "\ufdd0", "\ufdd1"
_MARKS = {ord(_BEGINS): None, ord(_ENDS): None}
_AS_IT_IS = re.compile(f"{_BEGINS}([^{_BEGINS}{_ENDS}]*){_ENDS}")
_HELD = re.compile(f"{_BEGINS}([\U000f0000-\U000ffffd])")
"""What is as it is in a text, and the two signs that stand for it while the text is said."""


@lru_cache(maxsize=65536)
def _said(name: str, text: str) -> str:
    bare = text.strip()
    if not bare:
        return text
    at = text.index(bare)
    parts = _AS_IT_IS.split(bare)
    if len(parts) == 1:
        said = _spoken(name).say(unmarked(bare))
    else:
        held = [f"{unmarked(part)}{_BEGINS}{chr(0xF0000 + n)}" for n, part in enumerate(parts[:-1:2])]
        said = _spoken(name).say("".join([*held, unmarked(parts[-1])]))
        said = _HELD.sub(lambda found: parts[1::2][ord(found[1]) - 0xF0000], said)
    return f"{text[:at]}{said}{text[at + len(bare) :]}"


@cache
def _spoken(name: str) -> _Spoken:
    from babel.messages.pofile import read_po

    with (LOCALE / name / "LC_MESSAGES" / "resultproc.po").open("rb") as file:
        return _Spoken(name, read_po(file, locale=name))


def _as_texts(texts: object) -> list[str]:
    """Return what a catalogue has once, or once for each plural."""
    return list(texts) if isinstance(texts, tuple | list) else [str(texts or "")]


_FIELD = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile(r"'\{(\w+)\}'")


@dataclass(frozen=True)
class _Sentence:
    """A sentence with fields: what it is told by, and what is said for it, one text or one for each plural."""

    pattern: re.Pattern[str]
    holds: str
    says: Sequence[str]
    quotes: frozenset[str]
    weak: bool

    def keeps(self, field: str) -> bool:
        """Return whether what a field holds is the same in each language."""
        return field.startswith(_AS_THEY_ARE) or field in self.quotes

    @classmethod
    def of(cls, text: str, says: Sequence[str]) -> _Sentence:
        parts = _FIELD.split(text)
        literal, seen, quotes = parts[::2], set(), set(_QUOTED.findall(text))
        pattern = re.escape(literal[0])
        for field, after in zip(parts[1::2], literal[1:], strict=True):
            held = _FIELDS.get(field.rstrip("0123456789"), ".+?")
            pattern += f"(?P={field})" if field in seen else f"(?P<{field}>{held}{_OR_HELD})"
            pattern += re.escape(after)
            seen.add(field)
        weak = len(re.findall(r"[^\W\d_]{2,}", " ".join(literal))) < 3  # any text may have these words
        return cls(re.compile(pattern, re.DOTALL), max(literal, key=len), says, frozenset(quotes), weak)


_OR_HELD = f"|{_BEGINS}."

_PROSE, _LOWER = re.compile("(?:[a-z]+ ){3}"), re.compile("[a-z]{2}")
"""What is in a text that is neither a name nor a number, and in a part of it that is a part of a sentence."""

_FIELDS = {
    "n": r"[-−+]?[0-9][0-9.]*[½¼¾]?|[½¼¾]",
    "letter": "[A-Z]",
    "chair": "[A-Z]{0,2} ?[0-9]{1,4}",
    "place": "[0-9][0-9/]*(?:st|nd|rd|th)?",
    "colour": "[a-z]+",
    "key": "[^,;]+?",
    "event": "[^,;]+",
    "file": "[^;]+?",
    "session": "[^,;]+",
    "side": "[NSEW]-?[NSEW]?",
}
"""What fields of these names hold; a digit may follow the name."""

_AS_THEY_ARE = ("name", "key", "file", "event", "example", "date", "text")
"""How the names of fields begin that are the same in each language; so are those between quotation marks."""

_NUMBERS = (
    r"(?![0-9]{4}-[0-9]{2}-)"  # which is a day
    r"(?:[-−+±≈]?[0-9]+(?:\.[0-9]+)?(?:%|[½¼¾])?(?: ?\([A-Z+]{1,4}\))?(?:$|[/=-]| to |, | – | = | x | \+ | \())+\)?"
)
"""What is nothing but numbers, such as ``0.63 (A)`` and ``58.33%``."""


def _dates() -> Sequence[tuple[str, str, str]]:
    """Return how days are written in English: what tells them, how they are read, and fields that a language orders."""
    from resultproc.model.text import vocabulary  # it brings more than a command needs that says no word abroad

    words = vocabulary()
    days, short_days, months, short_months = (
        f"(?:{'|'.join(name[:end] for name in words[part])})"
        for part in ("weekdays", "months")
        for end in (None, len("Mon"))
    )
    return (
        (f"{days} [0-9]{{1,2}} {months} [0-9]{{4}}", "%A %d %B %Y", "full"),
        (f"{short_days} [0-9]{{1,2}} {short_months} [0-9]{{4}}", "%a %d %b %Y", "yMMMEd"),
        (f"{short_days} [0-9]{{1,2}} {short_months}", "%a %d %b", "MMMEd"),
        (f"[0-9]{{1,2}} {months} [0-9]{{4}}", "%d %B %Y", "long"),
        (f"{months} [0-9]{{1,2}}, [0-9]{{4}}", "%B %d, %Y", "long"),
        (f"{months} [0-9]{{4}}", "%B %Y", "yMMMM"),
        (f"{months} [0-9]{{1,2}}", "%B %d", "MMMMd"),
        (f"[0-9]{{1,2}} {short_months} [0-9]{{4}}", "%d %b %Y", "yMMMd"),
        (f"[0-9]{{1,2}} {short_months}", "%d %b", "MMMd"),
        ("[0-9]{4}-[0-9]{2}-[0-9]{2}", "%Y-%m-%d", "yMMMd"),
    )


_SPAN = "([0-9]{1,2})( [A-Z][a-z]+)?( [0-9]{4})? to ([0-9]{1,2} [A-Z][a-z]+ [0-9]{4})"
"""From which day to which, as :func:`resultproc.pages.words.days` says it."""

_WHERE = re.compile(rf"[^:;]*\.[A-Za-z]\w{{1,4}}|(?:line|sheet) [^:;]+|[^:;]*{_BEGINS}.")
"""Where something is, before what it is: a file, a line, what somebody else has named."""

_JOINTS = (" · ", ": ", "; ", ", ", " + ")
"""What sentences are joined by; the looser one first."""

_JOINTS_OF_FIELDS = (*_JOINTS, " and ", " or ")
"""What is joined in a field: a list as well, see :func:`resultproc.model.text.listed`."""


class _Spoken:
    """A language with its catalogue."""

    def __init__(self, name: str, catalog: Catalog) -> None:
        self._name = name
        self._catalog = catalog
        self._texts: dict[str, str] = {}
        self._sentences: list[_Sentence] = []
        for message in catalog:
            given, says = _as_texts(message.id), _as_texts(message.string)
            if not given[0] or not all(says):
                continue
            if "{" not in given[0]:
                self._texts[given[0]] = says[0]
            else:
                self._sentences += [_Sentence.of(text, says) for text in given]
        self._sentences.sort(key=lambda sentence: -len(sentence.pattern.pattern.replace(_OR_HELD, "")))

    @cached_property
    def _point(self) -> str:
        from babel.numbers import get_decimal_symbol

        return get_decimal_symbol(self._name)

    def say(self, text: str, joints: Sequence[str] = _JOINTS) -> str:
        """Return a text in this language; one that is of several sentences part by part. joints: between these."""
        if not text:
            return text
        first, such, example = text.rpartition(", such as ")
        if such and first in self._texts:
            return f"{self._texts[first]}{self._texts.get(', ', ', ')}{self.say(f'such as {example}', joints)}"
        if (one := self._placed(text) or self._as_one(text)) is not None:
            return one
        if text[-1] == ")" and (at := _bracket(text)) > 0:
            return f"{self.say(text[:at], joints)} ({self.say(text[at + 2 : -1], joints)})"
        sentence, ended, others = text.partition(". ")
        if ended:
            return f"{self.say(f'{sentence}.', joints)} {self.say(others, joints)}"
        for joint in joints:
            first, joined, others = _parted(text, joint)
            if joined and first[-1:] in ("\u00a0", "\u202f"):  # said already, as a part of another page is
                return text
            if joined:
                said = self.say(first, joints), self.say(others, joints)
                english = said == (first, others) and _PROSE.search(text)
                return (joint if english else self._texts.get(joint, joint)).join(said)
        if text[-1] in ".,:;?!" and (bare := self._as_one(text[:-1])) is not None:
            return bare + self._texts.get(f"{text[-1]} ", text[-1]).rstrip()
        return text

    def _placed(self, text: str) -> str | None:
        """Return what is wrong with where it is: a sentence with fields would take both for its own."""
        where, after, what = text.partition(": ")
        if not after or text in self._texts or not _WHERE.fullmatch(where):
            return None
        said = self._placed(what) or self._as_one(what)
        return said and f"{where if '.' in where else self.say(where)}{self._texts.get(after, after)}{said}"

    def _as_one(self, text: str) -> str | None:
        """Return a number, a day or a sentence in this language; None for what is none of these."""
        if text in self._texts:
            return self._texts[text]
        if (lower := text[:1].lower() + text[1:]) in self._texts:
            said = self._texts[lower]
            return said[:1].upper() + said[1:]
        if re.fullmatch(_NUMBERS, text):
            return re.sub(r"(?<=[0-9])\.(?=[0-9])", self._point, text)
        return self.day(text) or self._sentence(text)

    def day(self, text: str) -> str | None:
        """Return a day, or from which day to which, as it is written in this language; None for what is none."""
        from babel.dates import format_date, format_interval, format_skeleton

        if (found := re.fullmatch(_SPAN, text)) and (last := _day_of(found[4], "%d %B %Y")):
            month, year = found[2] or f" {last:%B}", found[3] or f" {last.year}"
            first = _day_of(f"{found[1]}{month}{year}", "%d %B %Y")
            return format_interval(first, last, "yMMMMd", locale=self._name) if first else None
        for pattern, read, fields in _dates():
            on = _day_of(text, read) if re.fullmatch(pattern, text) else None
            if on and fields in ("full", "long"):
                return format_date(on, fields, locale=self._name)
            if on:
                return format_skeleton(fields, on, locale=self._name)
        return None

    def _sentence(self, text: str) -> str | None:
        for sentence in self._sentences:
            if sentence.holds in text and (found := sentence.pattern.fullmatch(text)):
                fields = {
                    f"{{{name}}}": text if sentence.keeps(name) else self.say(text, _JOINTS_OF_FIELDS)
                    for name, text in found.groupdict().items()
                }
                as_before = (fields[f"{{{name}}}"] == of for name, of in found.groupdict().items() if _LOWER.search(of))
                if sentence.weak and not sentence.quotes and _PROSE.search(text) and any(as_before):
                    continue  # it is another sentence, which nobody has translated
                if keys := fields.get("{keys}"):  # which stay, but for the last joint of their list
                    fields["{keys}"] = self._texts.get(" and ", " and ").join(keys.rsplit(" and ", 1))
                says = sentence.says[0] if len(sentence.says) == 1 else self._plural(sentence.says, found["n"])
                return _FIELD.sub(lambda field, fields=fields: fields[field[0]], says)  # type: ignore[misc]
        return None

    def _plural(self, says: Sequence[str], number: str) -> str:
        from gettext import c2py

        whole = int(number) if number.isdecimal() else 2
        return says[c2py(self._catalog.plural_expr)(whole)]


def _day_of(text: str, read: str) -> datetime | None:
    """Return the day that a text names, where it has no year in one in which it is that day of the week; None for none.

    In 28 years each day of the year, that of leap years too, is once each day of the week at least.
    """
    for year in (0,) if "%Y" in read else range(2000, 2028):
        with suppress(ValueError):
            on = datetime.strptime(f"{text} {year}" if year else text, f"{read} %Y" if year else read)
            if "%Y" in read or "%a" not in read or text.startswith(f"{on:%a}"):
                return on
    return None


def _parted(text: str, joint: str) -> tuple[str, str, str]:
    """Return what is before a joint, the joint, and what is after it; nothing in brackets is parted."""
    at = text.find(joint)
    while at >= 0 and text.count("(", 0, at) > text.count(")", 0, at):
        at = text.find(joint, at + 1)
    return (text, "", "") if at < 0 else (text[:at], joint, text[at + len(joint) :])


def _bracket(text: str) -> int:
    """Return where the bracket begins, with the blank before it, that a text ends with; -1 where there is none."""
    deep = 0
    for at in range(len(text) - 1, 0, -1):
        deep += (text[at] == ")") - (text[at] == "(")
        if not deep:
            return at - 1 if text[at - 1] == " " else -1
    return -1
