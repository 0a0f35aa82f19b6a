"""What commands tell on standard error: errors, remarks, how far they are and how it went; and what is to be installed.

It is told for people or, a JSON object a line, for programs.
"""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from shlex import quote
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from resultproc.model.errors import InputError, Problem, quoted, raise_if_any
from resultproc.model.language import as_told, in_words, unmarked

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


MOST = 25
"""At most this many lines are shown to people for a file that is wrong throughout."""

ERROR, REMARK, INFO = "error", "remark", "info"

_COLOURS = {ERROR: "red", REMARK: "yellow", INFO: ""}
"""What each is told in on a terminal that has colours; the lines are the same without them."""


_UNSAFE = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What a terminal takes for a command, or what shows a text otherwise than it is; not tabs and ends of lines."""

_AS_IT_IS = frozenset({"bridgewebs", "csv", "html", "html-fragment", "usebio", "xlsx"})
"""Formats whose content is the same to the byte where it goes to a program; of text and JSON an escape says as much."""


def safe(text: str) -> str:
    """Return a text for a terminal: controls and signs that turn its direction become escapes such as \\u202e."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def echo(text: str, *, err: bool = False, nl: bool = True, to: str = "text", colour: str = "") -> None:
    """Print a text, safe for a terminal.

    err: whether it goes to standard error.
    nl: whether a line ends with it.
    to: its format.
    colour: of a terminal that has some and may use them.
    """
    stream, text = sys.stderr if err else sys.stdout, unmarked(text)
    if to == "text" and not err and stream.isatty():
        text = fitted(text, get_terminal_size().columns)
    text = text if to in _AS_IT_IS and not stream.isatty() else safe(text)
    # For NO_COLOR see https://no-color.org.
    if colour and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        text = click.style(text, fg=colour)
    click.echo(text, err=err, nl=nl)


def fitted(text: str, width: int) -> str:
    """Return a text whose lines a terminal of some width has room for; they go on below their last column."""
    lines: list[str] = []
    for line in text.split("\n"):
        ends = (gap.end() for gap in re.finditer(r"^ +|(?<=\S) {2,}", line))
        indent = " " * max((end for end in ends if end <= width // 2), default=2)
        lines += [line] if len(line) <= width else textwrap.wrap(line, width, subsequent_indent=indent)
    return "\n".join(lines)


def echo_bytes(data: bytes, to: str) -> None:
    """Print what was made in a format; escapes are changed and, on a terminal, where lines of text end."""
    if to in _AS_IT_IS and not sys.stdout.isatty():
        click.echo(data, nl=False)
        return
    text = data.decode("utf-8", "surrogateescape")
    if to == "text" and sys.stdout.isatty():
        text = fitted(text, get_terminal_size().columns)
    click.echo(safe(text).encode("utf-8", "surrogateescape"), nl=False)


@dataclass
class Style:
    """How it is told: for programs, and with the time."""

    for_programs: bool = False
    timed: bool = False


STYLE = Style()
"""The style of this run of the command line."""


def option(command: click.Command) -> None:
    """Give a command the option that says how errors are told."""
    choice = click.Choice(["text", "json"])
    help_text = "How to tell errors and remarks: as text, or as JSON with one object a line."
    command.params.append(click.Option(["--errors"], type=choice, expose_value=False, help=help_text))


def style_of(arguments: Sequence[str]) -> Style:
    """Return the style that a command line asks for; it holds for what is wrong with the command line, too."""
    plain = [argument.replace("=", " ") for argument in arguments]
    pairs = [*plain, *(" ".join(pair) for pair in pairwise(plain))]
    timed = any(pair.startswith("--log ") for pair in pairs)
    return Style("--log json" in pairs or "--errors json" in pairs, timed)


def say(problems: Iterable[Problem], severity: str = ERROR, besides: int = 0) -> None:
    """Tell problems; of very many the first. besides: how many there are after these, where they are very many."""
    told = quoted(problems, "remarks" if severity == REMARK else "problems")
    if STYLE.for_programs:
        for problem in told:
            _object(_in_options(problem), severity)
        return
    spoken = (_in_options(replace(problem, hint=in_words(problem.hint))) for problem in told)
    lines = [in_words(f"{severity}: " * (severity == REMARK) + as_told(problem)) for problem in spoken]
    more = len(lines) + besides - MOST
    if lines:
        shown = [*lines[:MOST], in_words(f"... and {more} more")] if more > 0 else lines
        echo("\n".join(f"{_time()}{line}" for line in shown), err=True, colour=_COLOURS[severity])


def _in_options(problem: Problem) -> Problem:
    """Return a problem that says ``--rating`` where that of the library names the argument ``rating``."""
    hint = _SWITCH.sub(lambda found: _option(found[1]), problem.hint)
    context = click.get_current_context(silent=True)
    there = {option for each in (context.command.params if context else ()) for option in each.opts}

    def as_option(found: re.Match[str]) -> str:
        option = _option(found[1])
        return f"--set {found[0]}" if "--set" in there and option not in there else f"{option} "

    hint = _ARGUMENT.sub(as_option, hint)
    hint = _NAMED_WITH.sub(lambda found: f"with {_option(found[1])}", hint)
    return replace(problem, hint=hint, where="--where" if problem.where == "where" else problem.where)


def _option(argument: str) -> str:
    return f"--{_OTHERWISE.get(argument, argument).replace('_', '-')}"


_OTHERWISE = {"holdings": "seal-holdings", "process_event": "one-event"}
_SWITCH = re.compile(r"\b([a-z_]+)=True\b")
_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
_NAMED_WITH = re.compile(r"\bwith (rulebook|game|timeout|free|key|process_event)\b")


def tell(text: str, severity: str = INFO, code: str = "") -> None:
    """Tell how it went, or what is wrong that has no place in a file.

    severity: which also decides its colour.
    code: of the problem, '' for none.
    """
    if STYLE.for_programs:
        _object(Problem(text, code=code), severity)
    else:
        echo(f"{_time()}{in_words(text)}", err=True, colour=_COLOURS[severity])


def _time() -> str:
    """Return the time with a blank, as it is before a line of a log; else nothing."""
    return f"{datetime.now(UTC).isoformat(timespec='seconds')} " if STYLE.timed else ""


def remark_on(remarks: Iterable[Problem], *, strict: bool = False) -> None:
    """Tell what is doubtful, each once. strict: raise InputError instead."""

    if strict:
        raise_if_any(remarks)
    say(remarks, REMARK)


_WITHOUT_A_CODE = {ERROR: InputError.code, REMARK: "sheet.doubtful"}
"""What others' readers and rulebooks may tell, and old seals."""


def _object(problem: Problem, severity: str) -> None:
    entry = {**problem.coded(problem.code or _WITHOUT_A_CODE.get(severity, "")).entry, "severity": severity}
    if not entry["code"]:
        del entry["code"]
    if STYLE.timed:
        entry = {"time": _time().strip(), **entry}
    echo(json.dumps(entry, ensure_ascii=False), err=True)


@contextmanager
def extras() -> Iterator[None]:
    """Turn a missing library of an extra into a message that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        from importlib.metadata import requires

        library = str(error.name).partition(".")[0]
        needs = (re.match(rf'{library}[^\w[-].*extra == "(\w+)"', need) for need in requires("resultproc") or ())
        extra = next((found[1] for found in needs if found), None)
        if extra is None:
            raise
        # For this Python: scripts/run has one of its own, which "pip" alone does not reach.
        install = f"{quote(sys.executable)} -m pip install 'resultproc[{extra}]'"
        what = f"this command needs {library}; install it with: {install}"
        raise InputError(what, code="machine.library") from None


class Bar:
    """A progress bar as wide as the terminal, nothing elsewhere: what is done of how much, the time left, the rate.

    A context manager that ends its line. Called with how much is done and how much there is, and what else to say.
    The clock runs from the first call, which is made before anything is done.
    """

    def __init__(self, unit: str) -> None:
        """Make a bar that counts in a unit, such as files."""
        self._unit = unit
        self._bar: ProgressBar[str] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.render_finish()

    def __call__(self, done: int, total: int, text: str = "") -> None:
        """Show how far it is."""
        if not total or not sys.stderr.isatty() or STYLE.for_programs:
            return
        if self._bar is None:
            self._start = time.monotonic()
            self._bar = click.progressbar(
                length=total, width=0, file=sys.stderr, show_pos=True, item_show_func=lambda text: text
            )
            self._bar.render_progress()
        rate = done / max(time.monotonic() - self._start, 0.001)
        shown = f"{rate:.0f}" if rate >= 10 else f"{rate:.1f}"
        self._bar.update(done - self._bar.pos, ", ".join(filter(None, (text, f"{shown} {self._unit}/s"))))
