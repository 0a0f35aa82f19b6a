"""What can be wrong, said so that a person can correct it.

Every error names the file, the line or cell, what is wrong there and what would be right. The command line prints
these messages and never a traceback; :meth:`ResultprocError.as_dicts` is the same for machines.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from resultproc.model.codes import code_of, status_of_all

if TYPE_CHECKING:
    from pathlib import Path

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")
_Expected = TypeVar("_Expected", bound=Exception)

ProblemRows = Sequence[tuple[str, str]]
"""The rows that a problem is about, where there are several: where each is, and what is wrong there."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in an input; two that say the same are the same, whatever their codes.

    what: what is wrong.
    where: the line or cell.
    hint: what would be right; what is to be written in lines of their own stands in such.
    file: the file.
    game: the game_id, where one game is at fault.
    code: one of :func:`resultproc.model.codes.every_code`, by which programs know it.
    key: the game key that has to be declared, where that is what is wrong.
    lines: the hint for people, a line each, where it says more to them.
    rows: all rows that it is about, where these are several; ``where`` is the first.
    """

    what: str
    where: str = ""
    hint: str = ""
    file: str = ""
    game: str = ""
    code: str = field(default="", compare=False)
    key: str = field(default="", compare=False)
    lines: str = field(default="", compare=False)
    rows: ProblemRows = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Quote no more than anybody reads, and nothing that a terminal would take for a command."""
        whole = f"{self.what}{self.where}{self.hint}{self.file}{self.game}"
        if len(whole) > _QUOTED or not whole.isprintable():  # one look, as an archive may have very many
            for name in ("what", "where", "hint", "file", "game"):
                text = getattr(self, name)
                if (readable := _readable_lines(text) if name == "hint" else _readable(text)) is not text:
                    object.__setattr__(self, name, readable)
        if self.lines:
            object.__setattr__(self, "lines", _readable_lines(self.lines))

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.where) if part)
        text = f"{where}: {self.what}" if where else self.what
        if "\n" in (lines := self.lines or self.hint):
            return "\n  ".join([text, *lines.split("\n")])
        return f"{text} ({self.hint})" if self.hint else text

    def coded(self, code: str) -> Problem:
        """Return it with another code."""
        return self if code == self.code else self.again(code=code)

    def of_game(self, where: str, file: str, game: str) -> Problem:
        """Return it of one game, and where that is."""
        texts = f"{where}{file}{game}"
        change = self.again if len(texts) <= _QUOTED and texts.isprintable() else partial(replace, self)
        return change(where=where, file=file, game=game)

    def again(self, **texts: str) -> Problem:
        """Return it with some other texts: without a second look at all, as an archive may have very many."""
        again = object.__new__(type(self))
        again.__dict__.update(self.__dict__, **texts)
        return again

    @staticmethod
    def rows_of(entry: Mapping[str, Any]) -> ProblemRows:
        """Return the rows that an entry in JSON lists."""
        return tuple((row["where"], row["what"]) for row in entry.get("rows", ()))

    @property
    def entry(self) -> dict[str, Any]:
        """The problem as JSON, as reports and messages list it: the file, and where in it."""
        return {"file": self.file, **self._told(self.where)}

    @property
    def entry_of_remark(self) -> dict[str, Any]:
        """The same where a result has it as a remark: ``where`` begins with the file, and there is no ``file``."""
        return self._told(": ".join(filter(None, (self.file, self.where))))

    def _told(self, where: str) -> dict[str, Any]:
        told: dict[str, Any] = {"where": where, "what": self.what, "hint": self.hint, "code": self.code}
        rows = [{"where": where, "what": what} for where, what in self.rows]
        return {**told, "rows": rows} if len(rows) > 1 else told  # of one row all is said already


_QUOTED, _LONGEST = 200, 2000
"""The most characters that are quoted from a file, and the longest that a message is in all."""


def _readable(text: str) -> str:
    if len(text) > _QUOTED and text.count("'") > 1:
        text = re.sub(rf"'([^']{{{_QUOTED}}})[^']+'", r"'\1...'", text)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _readable_lines(text: str) -> str:
    return "\n".join(map(_readable, text.split("\n")))


MOST_QUOTED = 20
"""The most problems or remarks that are quoted from a file that is wrong or doubtful throughout."""

ROWS_QUOTED = 10
"""The most rows that are named in the text of a remark; programs get them all."""


def rows_told(texts: Sequence[str]) -> str:
    """Return the texts of the rows that a remark is about, as it lists them: the first ones, and how many more."""
    more = f"; and {len(texts) - ROWS_QUOTED} more" if len(texts) > ROWS_QUOTED else ""
    return "; ".join(texts[:ROWS_QUOTED]) + more


def quoted(problems: Iterable[Problem], what: str = "remarks") -> list[Problem]:
    """Return problems or remarks, each once: the first ones of each file, and one that counts its others.

    Of a file that has such a one before, as in a report, nothing is left out again.
    """
    each_once = dict.fromkeys(problems)
    cut = {problem.file for problem in each_once if problem.code == "more.said"}
    number: Counter[str] = Counter()
    kept = []
    for problem in each_once:
        number[problem.file] += problem.file not in cut
        if number[problem.file] <= MOST_QUOTED:
            kept.append(problem)
    more = {file: count - MOST_QUOTED for file, count in number.items() if count > MOST_QUOTED}
    return [*kept, *(Problem(f"and {n} more {what}", file=file, code="more.said") for file, n in more.items())]


class ResultprocError(Exception):
    """Any error that this package raises on purpose: one or more :class:`Problem`, all of them found first."""

    code: ClassVar[str] = "input.wrong"
    """The code of problems that have none of their own."""

    def __init__(
        self,
        problems: Iterable[Problem] | str,
        where: str = "",
        hint: str = "",
        file: str = "",
        code: str = "",
        key: str = "",
    ) -> None:
        """Take the problems found, or the parts of a single one."""
        if isinstance(problems, str):
            problems = [Problem(problems, where, hint, file, key=key)]
        self.problems = [each if each.code else replace(each, code=code or self.code) for each in problems]
        super().__init__(self.problems)

    @property
    def status(self) -> int:
        """The exit status that its problems stand for, the worst of them."""
        return status_of_all(each.code for each in self.problems) or 1

    def __str__(self) -> str:
        """Return what is wrong, a line each: for each file the first, and how many more there are."""
        return "\n".join(map(str, quoted(self.problems, "problems")))

    def in_file(self, file: str) -> Self:
        """Return the same error with the file named in every problem that does not name one yet."""
        return type(self)([p if p.file else replace(p, file=file) for p in self.problems])

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return the problems for machine-readable reports."""
        return [each.entry for each in quoted(self.problems, "problems")]


class InputError(ResultprocError):
    """The input is at fault; nothing was written."""


class FormatError(InputError):
    """The file is not of a format that can be read, or it is damaged."""

    code = "format.wrong"


class DeclarationError(InputError):
    """What is declared about the game is missing, unreadable or contradicts the sheet."""

    code = "declaration.wrong"


class RulebookError(InputError):
    """A rulebook is unknown, malformed, or has no rule for what it is asked."""

    code = "rulebook.wrong"


class OutputError(ResultprocError):
    """A result cannot be written: no room, no permission, no such folder."""

    code = "machine.failed"


class ImpossibleError(OutputError):
    """The format has no place for some of the results."""

    code = "output.impossible"


class BlockedError(OutputError):
    """Something is in the place of a file that is to be written, and is not ours to remove."""

    code = "output.blocked"


class PluginError(ResultprocError):
    """What another package registered has failed in a way that it does not tell itself."""

    code = "bug.plugin"


def resultproc_error(error: Exception) -> ResultprocError:
    """Return an error as one with its problems, for work on many files that goes on with the others.

    What the system says of reading is told as such, and a mistake of the program that one file brings out, too.
    """
    if isinstance(error, ResultprocError):
        return error
    if isinstance(error, OSError):
        return InputError(f"it cannot be read: {error.strerror}", code=code_of(error))
    if isinstance(error, MemoryError):
        return ResultprocError("there is not enough memory for it", code="machine.memory")
    return ResultprocError(f"this is a bug in resultproc: {type(error).__name__}: {error}", code="bug.found")


def shown(path: str | Path) -> str:
    """Return a path as text that can be written anywhere: bytes that are not UTF-8 become the replacement sign."""
    text = os.fspath(path)
    return text if text.isascii() else os.fsencode(text).decode("utf-8", "replace")


def nearest(word: str, known: Collection[str], alike: float = 0.6) -> str:
    """Return the known word that is closest to one, empty where none is close enough.

    alike: how close it must be, from 0 for anything to 1 for the same word.
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, 1, alike)), "")


def closest(word: str, known: Iterable[str]) -> str:
    """Return the hint that names the known word closest to a mistyped one, never the same one, or lists them all."""
    words = sorted(set(known) - {word})
    near = nearest(word[:_QUOTED].lower(), words)
    return f"did you mean '{near}'?" if near else f"known: {', '.join(words)}"


ALIKE = 3
"""The most problems that are all listed where they say the same of different places."""


def collapse_repeats(problems: Sequence[Problem], whats: Container[str]) -> list[Problem]:
    """Return the problems; where many say the same of different places only the first, and how many more there are.

    whats: what is said once only.
    """
    count = Counter(problem.what for problem in problems if problem.what in whats)
    said: set[str] = set()
    kept = []
    for problem in problems:
        what = problem.what
        if count[what] <= ALIKE:
            kept.append(problem)
        elif what not in said:
            kept.append(replace(problem, what=f"{what}; the same holds for {count[what] - 1} more"))
        said.add(what)
    return kept


def raise_if_any(remarks: Iterable[Problem]) -> None:
    """Raise InputError where there are any remarks: for those who want none."""
    found = list(dict.fromkeys(remarks))
    if found:
        raise InputError(found)


def by_game(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    """Return problems or remarks by the game_id of their games, empty for those of none."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.game, []).append(problem)
    return found


def by_halves(
    items: Sequence[_Item],
    work: Callable[[Sequence[_Item]], _Done],
    at_fault: Callable[[Sequence[_Item], _Expected], object],
    expected: type[_Expected],
    *,
    fatal: tuple[type[Exception], ...] = (),
    most: int = sys.maxsize,
) -> list[_Done]:
    """Return what becomes of items that are worked on together; where that fails, halves are, and halves of those.

    In the end only the items at fault are left out.

    work: takes some of the items.
    at_fault: takes a single item at fault, with its error.
    expected: the errors for which halves are tried.
    fatal: those of them that end it.
    most: where this many are at fault, others fail with those they are among: ``at_fault`` takes them together.
    """
    done: list[_Done] = []
    faults = 0
    waiting = [items]
    while waiting:
        some = waiting.pop()
        try:
            done.append(work(some))
        except fatal:
            raise
        except expected as error:
            if len(some) <= 1 or faults >= most:
                at_fault(some, error)
                faults += len(some)
            else:
                middle = len(some) // 2
                waiting += [some[middle:], some[:middle]]
    return done
