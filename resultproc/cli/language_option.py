"""The language that a command speaks: ``--language``, else what the club's settings say, else English."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from resultproc.formats.loaded import SETTINGS, language_of
from resultproc.model.language import ENGLISH, languages, speak

_ASKED = "resultproc.language"


def add_language(command: click.Command) -> None:
    """Give a command the option that says which language it speaks."""
    help_text = "The language of pages, sheets and messages; by default the one of your settings, else en."
    choice = click.Choice(languages())
    asked = click.Option(["--language"], type=choice, expose_value=False, callback=_asked, help=help_text)
    command.params.append(asked)
    if command.callback:
        command.callback = _speaking(command.callback)


def _asked(context: click.Context, _: click.Parameter, name: str | None) -> None:
    context.meta[_ASKED] = name


def _speaking(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return what a command does, in its language; it holds until the command line has told what was wrong."""

    @wraps(callback)
    def within(*args: Any, **given: Any) -> Any:
        asked = click.get_current_context().meta.get(_ASKED)
        speak(asked or next(filter(None, map(language_of, _settings(given))), ENGLISH))
        return callback(*args, **given)

    return within


def _settings(given: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the files that may be the settings of the club: the one named, else those beside what is read.

    Where no game is read, such as by ``rules`` or from an archive, they are those of the folder that the user is in.
    """
    if isinstance(given.get("settings"), str):
        yield Path(given["settings"])
        return
    values = [(name, value if isinstance(value, tuple) else (value,)) for name, value in given.items()]
    paths = [Path(path) for name, each in values for path in each if isinstance(path, Path) or name == "inputs"]
    for path in paths or [Path()]:
        yield (path if path.is_dir() else path.parent) / SETTINGS
