"""Frames to files, and what these are called. One module per format, the mirror of the readers.

A site may want files called its own way: ``{date:%y%m%d}{time_of_day}.TXT``. Between braces is a game key, or
``time_of_day``, with how it is written: a date as ``%d%m%Y``, a whole number with as many figures as ``02``, the first
letters of a text as ``.10``. Nothing else is known: no attributes, no items, no conversions. What comes out is the name
of one file in its folder, which any system takes, whatever the game says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from io import TextIOBase
from pathlib import Path
from string import Formatter
from typing import IO, NamedTuple

from pandas import isna

from resultproc.formats.registry import Writer, writer_for
from resultproc.model.codes import CONTRADICTED, MISSING
from resultproc.model.dates import TIMES_OF_DAY
from resultproc.model.errors import FormatError, ImpossibleError, InputError, closest
from resultproc.model.files import clean_name, is_wrong_in_names, output_errors, safe_stem, write_bytes
from resultproc.model.frames import FrameRow, Result, Sheet
from resultproc.model.keys import KEYS, how_to_declare
from resultproc.model.plugins import named

TIME_OF_DAY = "time_of_day"
"""M, A, E or L, for morning, afternoon, evening and late, from the words of the session."""

_DATE, _COUNT, _TEXT = r"(%[YymdjaAbB]|[^%{}])*", "(0[1-9])?", r"(\.[1-9][0-9]?)?"
"""How values can be written."""


class NamePattern(NamedTuple):
    """A pattern of names. parts: the text before each key, the key ('' at the end), and how it is written."""

    parts: tuple[tuple[str, str, str], ...]
    ending: str  # how all names end, '' where the format is to say so

    @classmethod
    def parse(cls, text: str) -> NamePattern:
        """Return the pattern that a text is; raise ValueError, which says what would be right, for any other text."""
        try:
            fields = list(Formatter().parse(text))
        except ValueError as error:
            raise ValueError(f"{error}; write a key as {{date}}, and a brace itself twice") from None
        parts = tuple(_part(*each) for each in fields)
        literal = "".join(before for before, _, _ in parts)
        wrong = next((sign for sign in literal if is_wrong_in_names(sign)), None)
        if wrong is not None:
            raise ValueError(f"{wrong!r} cannot be in the name of a file: a pattern names files, and no folders")
        last = parts[-1][0] if parts and not parts[-1][1] else ""
        ending = _ending(last)
        if not any(key for _, key, _ in parts) and not literal.removesuffix(ending).strip(" .-"):
            raise ValueError("there is nothing in it to call a file by; write for example {date:%y%m%d}.txt")
        return cls(parts, ending)

    def stem(self, games: Iterable[FrameRow]) -> str:
        """Return what a file of some games is called, without the ending; games: rows of their frame, or facts.

        Raises InputError for a key that a game lacks, for games that would be called otherwise than each other, and
        where nothing remains of a name.
        """
        found = list(dict.fromkeys(self._stem(game) for game in games))
        if len(found) > 1:
            what = f"its games would be called '{found[0]}' and '{found[1]}', and they are in one file"
            raise InputError(what, hint="give each game its own file, or a name that fits all", code=CONTRADICTED)
        return found[0]

    def _stem(self, game: FrameRow) -> str:
        text = "".join(before + (_in_file_name(key, how, game) if key else "") for before, key, how in self.parts)
        stem = safe_stem(text.removesuffix(self.ending), self.ending)
        if not stem:
            what = "nothing of what the pattern asks for can be in the name of a file"
            raise InputError(what, hint="ask for another key, such as {date}", code=MISSING)
        return stem


def _part(before: str, key: str | None, how: str | None, conversion: str | None) -> tuple[str, str, str]:
    if key is None:
        return before, "", ""
    known = [*KEYS, TIME_OF_DAY]
    if key not in known:
        raise ValueError(f"unknown key '{key}'; {closest(key, known)}")
    if conversion:
        raise ValueError(f"'{{{key}!{conversion}}}' is no way to write a key; write {{{key}}}")
    if key == TIME_OF_DAY:
        if how:
            raise ValueError(f"{key} is one letter; write {{{key}}}")
        return before, key, ""
    form = _DATE if _is_date(key) else _COUNT if KEYS[key].dtype == "Int64" else _TEXT
    if not re.fullmatch(form, how or ""):
        example = {_DATE: "%y%m%d", _COUNT: "02", _TEXT: ".10"}[form]
        raise ValueError(f"'{how}' is no way to write {key}; write {{{key}}} or, for example, {{{key}:{example}}}")
    return before, key, how or ""


def _is_date(key: str) -> bool:
    return KEYS[key].dtype.startswith("datetime")


def _ending(last: str) -> str:
    """Return how the last text of a pattern ends: as a format's files do, or else with what follows its last point."""
    try:
        endings = writer_for(Path("x" + last)).endings
    except FormatError:
        return Path("x" + last).suffix
    return max((last[-len(each) :] for each in endings if last.lower().endswith(each)), key=len)


def _in_file_name(key: str, how: str, game: FrameRow) -> str:
    if key == TIME_OF_DAY:
        said = game.get("session")
        words = re.findall("[a-z]+", str(said).lower().replace("a.m.", "am")) if isinstance(said, str) else []
        found = {TIMES_OF_DAY[word] for word in words if word in TIMES_OF_DAY}
        if "late" in found or len(found) == 1:  # late at night is late
            return ("late" if "late" in found else found.pop())[0].upper()
        what = "the name of its file asks for the time of day, and the game does not tell one"
        if isinstance(said, str):
            what = f"the name of its file asks for the time of day, and its session, '{said}', does not tell one"
        raise InputError(what, hint=how_to_declare("session", "Wednesday Eve"), code=MISSING)
    value = game.get(key)
    if value is None or isna(value):
        hint = f"{how_to_declare(key)}, or leave {{{key}}} out of the pattern"
        raise InputError(f"the name of its file asks for '{key}', which the game does not say", hint=hint, code=MISSING)
    if _is_date(key):
        return clean_name(value.strftime(how) if how else value.date().isoformat())
    if KEYS[key].dtype == "Int64":
        return str(int(value)).zfill(int(how or 1))
    text = clean_name(KEYS[key].shown(value))
    return text[: int(how[1:])].strip() if how else text


Writable = str | bytes | os.PathLike[str] | os.PathLike[bytes] | IO[bytes] | IO[str]
"""Where can be written to: the path of a file, as text or as the bytes that a system has, or a file that is open."""


def write(result: Result | Sheet, path: Writable, *, format: str | None = None) -> None:
    """Write games to a file, whole or not at all, or to one that is open.

    result: what was read, or read and awarded.
    path: its extension picks the format, unless ``format`` names one; so does that of an open file. ``io.BytesIO()``
        and ``io.StringIO()`` take the content without a file, and ``format`` is then needed. An open file is left open.
    format: the name of a format, None to go by the extension.
    Raises FormatError for an unknown format, OutputError where the file cannot be written.
    """
    if isinstance(result, Sheet):
        result = result.unranked()
    if isinstance(path, str | bytes | os.PathLike):
        file = Path(os.fsdecode(path))
        write_bytes(file, _writer(file, format).write(result))
    else:
        data = _writer(Path(_name_of(path)), format).write(result)
        try:
            with output_errors("it cannot be written", _name_of(path)):
                path.write(data.decode("utf-8") if isinstance(path, TextIOBase) else data)  # type: ignore[arg-type]
        except UnicodeDecodeError:
            what, hint = "this format is not text, but the file is open for text", "open it for bytes"
            raise ImpossibleError(what, hint=hint, file=_name_of(path)) from None


def _writer(path: Path, format: str | None) -> Writer:
    writer: Writer = named("writers", format) if format else writer_for(path)
    return writer


def _name_of(file: IO[bytes] | IO[str]) -> str:
    name = getattr(file, "name", "")
    return name if isinstance(name, str) else ""
