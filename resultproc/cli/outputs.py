"""What commands read and where they leave what they made: files, folders, standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from resultproc.cli import options
from resultproc.cli.messages import echo_bytes, extras, remark_on
from resultproc.cli.options import Command
from resultproc.formats.loaded import load_source
from resultproc.formats.registry import Writer, writer_for
from resultproc.formats.write import NamePattern
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import FormatError, InputError
from resultproc.model.files import write_bytes
from resultproc.model.plugins import named, names
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.source import Source
from resultproc.model.text import listed

if TYPE_CHECKING:
    from resultproc.formats.loaded import Readable
    from resultproc.model.frames import Result
    from resultproc.model.provenance import Provenance
    from resultproc.publish.results_site import Site

STREAM = Path("-")
"""What stands for standard input or output."""


class _ResultsFile(click.Path):
    """A file to read, or - for standard input, which is taken in at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or what standard input holds."""
        if value != "-":
            return super().convert(value, param, ctx)
        return Source("stdin", sys.stdin.buffer.read())


inputs_of_files = click.Path(readable=False, path_type=Path)
"""A file or folder to read. A missing or unreadable one is a fault of the input and not wrong usage."""

results_file = _ResultsFile(readable=False, path_type=Path)
"""A file to read, or - for standard input."""


class _ResultsFileOrArchive(_ResultsFile):
    """The same, or an archive, wherever it is."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what :class:`_ResultsFile` does, and a location that is not on this machine as it is."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


results_file_or_archive = _ResultsFileOrArchive(readable=False, path_type=Path)
"""A file or folder to read, - for standard input, or an archive, which may be s3://..."""

one_file = click.Path(dir_okay=False, readable=False, path_type=Path)
"""A file with a key, or one to write, or - for standard output."""


output_option = click.option(
    "-o", "--output", type=one_file, help="Write to this file; its extension picks the format."
)


class Output(NamedTuple):
    """What is written where."""

    format: str  # that of what is written
    path: Path | None  # the file; None for standard output
    in_folder: bool = False  # whether its folder is made if it is not there

    def write(self, data: bytes) -> None:
        """Write what was made to the file, whole or not at all, or to standard output."""
        if self.path is None or self.path == STREAM:
            echo_bytes(data, self.format)
            return
        if self.in_folder:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(self.path, data)

    def deliver(self, data: bytes, provenance: Provenance | None) -> None:
        """Write a report; in a file, text ends with where it comes from."""
        if self.format == "text" and self.path not in {None, STREAM} and provenance is not None:
            data += f"\n{PROVENANCE_KEY}: {provenance.line()}\n".encode()
        self.write(data)


def report_in(*formats: str) -> Callable[[Command], Command]:
    """Return what adds the options of a report, which the command gets as its ``to``: in which of some formats, where.

    A page can be written as a fragment, too. What cannot be written, or is one of the inputs, is refused at once.
    """
    known = [name for each in formats for name in ((each, "html-fragment") if each == "html" else (each,))]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_report(*, to: str | None, output: Path | None, **given: Any) -> Any:
            values = [one for each in given.values() for one in (each if isinstance(each, tuple) else (each,))]
            inputs = [one for one in values if isinstance(one, Path)]
            return command(to=Output(format_to_write(output, to, inputs, known), output), **given)

        choice = click.option("--to", type=click.Choice(known), help="The format to write; by default text.")
        return choice(output_option(with_report))

    return decorate


def written_to(command: Command) -> Command:
    """Add the options that say where to write, in one format or several."""
    to_help = "The format to write, or several: html,xlsx. They go to files beside the input, or in the folder of -o."
    output_help = "Write to this file, whose extension picks the format, or to this folder; give it again for more."
    output = click.option("-o", "--output", "to_files", metavar="FILE|FOLDER", multiple=True, help=output_help)
    return output(click.option("--to", metavar="FORMATS", help=to_help)(naming(command)))


def _pattern(text: str) -> NamePattern:
    """Return the pattern that a text is; raise click.BadParameter for any other text."""
    try:
        return NamePattern.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def naming(command: Command) -> Command:
    """Add the option that says what files are called."""
    help_text = (
        "What a file is called, with game keys: '{date:%y%m%d}{time_of_day}.TXT'. Its extension picks the format."
    )
    return click.option("--name", "pattern", type=_pattern, metavar="PATTERN", help=help_text)(command)


def formats_of(to: str | None, pattern: NamePattern | None, default: str | None = None) -> tuple[str, ...]:
    """Return the formats to write: those named, else that of the pattern's ending, else the default, if there is one.

    Raises click.UsageError for a pattern that tells no format, and for one with an ending where there are several.
    """
    formats: tuple[str, ...] = ()
    if to is not None:
        formats = tuple(dict.fromkeys(name.strip() for name in to.split(",") if name.strip()))
        unknown = [name for name in formats if name not in names("writers")]
        if unknown or not formats:
            known = ", ".join(names("writers"))
            raise click.BadParameter(f"unknown format '{', '.join(unknown)}'; known: {known}", param_hint="--to")
    if pattern is None or (formats and not pattern.ending):
        return formats or ((default,) if default else ())
    if not pattern.ending and default is None:
        raise click.UsageError("--name has no extension: say with --to which formats to write, such as html,xlsx")
    if len(formats) > 1:
        raise click.UsageError(f"--name ends in {pattern.ending}, and there are several formats; leave the ending out")
    try:
        return formats or (writer_for(Path("x" + pattern.ending)).name if pattern.ending else str(default),)
    except FormatError as error:
        raise click.UsageError(str(error)) from None


def planned_outputs(
    to: str | None, to_files: Sequence[str], inputs: Sequence[Path | Source], pattern: NamePattern | None = None
) -> list[Output]:
    """Return what to write where, before anything is read; with a pattern, :func:`called_by_games` gives their names.

    Raises click.UsageError for an extension that tells no format, for formats and files that do not go together, and
    like :func:`check_output`.
    """
    formats = formats_of(to, pattern)
    if pattern and len(to_files) > 1:
        raise click.UsageError("--name says what the files are called: name one folder with -o")
    if formats and len(to_files) > 1:
        raise click.UsageError("leave --to out: the extension of each -o picks its format")
    if pattern or len(formats) > 1 or any(path.endswith(("/", os.sep)) or Path(path).is_dir() for path in to_files):
        found = _beside(formats, Path(to_files[0]) if to_files else None, inputs[0])
    else:
        on_screen = Output(to or "text", None)
        paths = list(map(Path, to_files))
        found = [on_screen if path == STREAM else Output(format_to_write(path, to, ()), path) for path in paths]
        found = found or [on_screen]
    for each in found:  # with a pattern they get other names yet, which are checked then
        check_output(each.path, each.format, () if pattern else inputs)
    if len({each.path for each in found}) < len(found):
        raise click.UsageError("two outputs have the same name; give each its own")
    return found


def called_by_games(
    outputs: Iterable[Output], pattern: NamePattern, result: Result, inputs: Iterable[Path | Source]
) -> list[Output]:
    """Return outputs that are called by the games of a result; raise like :meth:`NamePattern.stem`."""
    stem = pattern.stem(row_dicts(result.games))
    found = []
    for each in outputs:
        ending = pattern.ending or named("writers", each.format).endings[0]
        path = each.path.with_name(stem + ending) if each.path else None
        check_output(path, each.format, inputs)
        found.append(each._replace(path=path))
    return found


def site_named(name: str | None) -> Site | None:
    """Return the results site of a name, None for none; raise DeclarationError for one that is not known."""
    if name is None:
        return None
    from resultproc.publish.known import site

    return site(name)


def _beside(formats: Sequence[str], folder: Path | None, first: Path | Source) -> list[Output]:
    """Return an output for each format, named after the input, beside it or in a folder."""
    if not formats:
        raise click.UsageError(f"'{folder}' is a folder: say with --to which formats to write, such as html,xlsx")
    if folder is None:
        folder = first.parent if isinstance(first, Path) else Path()
    elif folder.is_file() or folder == STREAM or _has_ending(folder):
        what = "standard output" if folder == STREAM else "a file"
        raise click.UsageError(f"several formats go to a folder, and '{folder}' is {what}; name a folder with -o")
    writers: list[Writer] = [named("writers", name) for name in formats]
    return [Output(writer.name, folder / (first.stem + writer.endings[0]), in_folder=True) for writer in writers]


def _has_ending(folder: Path) -> bool:
    """Return whether what is named as a folder is rather a file: it is not there, and ends as one of a format does."""
    try:
        return not folder.is_dir() and bool(writer_for(folder))
    except FormatError:
        return False


def format_to_write(
    output: Path | None, to: str | None, inputs: Iterable[Path | Source], formats: Sequence[str] = ()
) -> str:
    """Return the name of the format to write, before anything is read: as asked for, or by the output's ending.

    formats: those that can be written; empty for every one.
    Raises click.UsageError for an ending that tells no format, for a folder that is not there, and like
    :func:`check_output`.
    """
    if to is None and output is not None and output != STREAM:
        try:
            writer = writer_for(output, formats)
        except FormatError as error:
            raise click.UsageError(str(error)) from None
        to = writer.name
    check_output(output, to or "text", inputs)
    if output is not None and not output.parent.is_dir():
        raise click.UsageError(f"'{output}' cannot be written: there is no folder '{output.parent}'; make it first")
    return to or "text"


def check_output(output: Path | None, to: str, inputs: Iterable[Path | Source] = ()) -> None:
    """Refuse, as wrong usage, an output that is one of the inputs, and a workbook for the screen."""
    if output is None or output == STREAM:
        if to == "xlsx" and sys.stdout.isatty():
            raise click.UsageError("an Excel file cannot be shown on the screen; write it with -o sheet.xlsx")
        return
    for path in inputs:
        for source in (path, path.with_suffix(".toml")) if isinstance(path, Path) else ():
            if output.exists() and source.exists() and output.samefile(source):
                raise click.UsageError(f"'{output}' is one of the inputs; write to another file")


class Sealing(NamedTuple):
    """How outputs are sealed. holdings: whether pages may hold what their awards depend on. key: to sign them with."""

    holdings: bool
    key: Path | None


@dataclass(frozen=True)
class Delivery:
    """How a result is written, whatever the format."""

    site: Site | None  # the results site that it is for; what the site would refuse is an error
    strict: bool  # remarks are errors
    shown: bool  # pages list them all
    public: bool  # nothing does, see :func:`resultproc.stages.pipeline.public`
    recap: bool  # formats that can show the grid of contestants by boards do
    timed: bool  # it says when it was made
    makeable: bool  # deals are analysed
    sealing: Sealing | None = None  # how outputs are sealed, None where they are not


def delivering(command: Command) -> Command:
    """Add the options of reading a game and of writing what came of it, which the command gets as its ``delivery``."""

    @options.site_option
    @options.doubting
    @options.public_option
    @options.recapped
    @options.timing
    @options.rescoring
    @options.knowing_players
    @options.knowing_deals
    @options.analysing
    @wraps(command)
    def with_delivery(*, site: str | None, **given: Any) -> Any:
        asked = {each.name: given.pop(each.name) for each in fields(Delivery) if each.name in given}
        return command(delivery=Delivery(site_named(site), **asked), **given)

    return with_delivery


def refuse_unable(outputs: Iterable[Output], delivery: Delivery) -> None:
    """Refuse, as wrong usage, what the formats to write cannot hold or show: a seal, a recap, and analysed deals."""
    formats = [each.format for each in outputs]
    if delivery.sealing:
        able, known = _able("unseal")
        for to in formats:
            if to not in able:
                raise click.UsageError(f"{to} cannot hold a seal, {known} can: write a file with -o sheet.html")
        if delivery.recap:
            raise click.UsageError("a recap is not sealed: write it into a file of its own, without a seal")
    if delivery.recap:
        able, known = _able("recap")
        if able.isdisjoint(formats):
            raise click.UsageError(f"--recap is for {known}: write a file with -o sheet.html or -o sheet.xlsx")
    if delivery.makeable and {"html", "html-fragment", "json", "pbn"}.isdisjoint(formats):
        raise click.UsageError("--makeable is for pages, JSON and PBN: write a file with -o sheet.html")


def _able(what: str) -> tuple[set[str], str]:
    """Return the formats whose writers can do something, and all of them in words."""
    able = [name for name in names("writers") if getattr(named("writers", name), what)]
    return set(able), listed(able)


def deliver(
    result: Result,
    outputs: Sequence[Output],
    inputs: Sequence[Readable],
    format_: str | None,
    delivery: Delivery,
    *,
    one_event: bool = False,
    screen: bool = False,
) -> None:
    """Write a result, read from these inputs, to files or to standard output; all are made before one is written.

    one_event: the inputs are the sessions of one event.
    screen: it is for somebody to look at, not for a program.
    Raises InputError for remarks where they are errors, and for a recap where no game has one.
    """
    from resultproc.pages.annotated import annotated
    from resultproc.stages.pipeline import for_players, with_boards

    site = delivery.site
    writers: list[Writer] = [site.writer(each.format) if site else named("writers", each.format) for each in outputs]
    if delivery.recap or any(writer.boards for writer in writers):
        result = with_boards(result, inputs, format_, one_event=one_event)
    result = _to_deliver(result, delivery)
    if delivery.recap:
        writers = [replace(writer, write=writer.recap or writer.write) for writer in writers]
    without = for_players(result)
    sealed = None
    if delivery.sealing:
        from resultproc.reports import seals

        with extras():
            sign = seals.signing(delivery.sealing.key) if delivery.sealing.key else None
        sealed = partial(seals.sealed, holdings=delivery.sealing.holdings, sign=sign)
    made = []
    for writer, each in zip(writers, outputs, strict=True):
        write = writer.screen if screen and each.path is None and writer.screen else writer.write
        shown = without if writer.page and not delivery.shown else result
        made.append(sealed(shown, writer) if sealed else write(shown))
    for writer, each, data in zip(writers, outputs, made, strict=True):
        each.write(data)
        if writer.columns:
            remark_on(writer.left_out(annotated(result)))


def _to_deliver(result: Result, delivery: Delivery) -> Result:
    """Return a result as it is to be written, and tell its remarks."""
    if delivery.makeable:
        from resultproc.formats.deals import analysed

        with extras():
            result = analysed(result)
    remark_on(result.remarks, strict=delivery.strict)
    if delivery.recap:
        from resultproc.pages.recap import grids

        if not grids(result):
            what = (
                "there is nothing to make a recap of: no results of boards of pairs or individuals, with their points"
            )
            raise InputError(what, hint="give the file that has the boards, or do without the recap")
    if delivery.site:
        from resultproc.publish.taken import fit

        result, remarks = fit(result, delivery.site)
        remark_on(remarks, strict=delivery.strict)
    if delivery.public:
        from resultproc.stages.pipeline import public

        result = replace(public(result), remarks=())
    return replace(result, provenance=result.provenance.timed()) if delivery.timed else result


def utf8_text(file: Path | Source, hint: str) -> str:
    """Return the text of a file in UTF-8; InputError, with this hint, where it is none, or cannot be read."""
    source = load_source(file)
    try:
        return source.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("this is not text in UTF-8", hint=hint, file=source.name) from None
