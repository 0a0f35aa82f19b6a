"""``resultproc verify``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from resultproc.cli.messages import remark_on, say
from resultproc.cli.options import example
from resultproc.cli.outputs import Output, one_file, report_in, results_file
from resultproc.model.codes import DIFFERENCES, worst
from resultproc.model.errors import ResultprocError


@click.command()
@click.argument("files", nargs=-1, required=True, type=results_file)
@click.option(
    "--key", type=one_file, metavar="PUBLIC", help="The public key (Ed25519, PEM) that they must be signed with."
)
@click.option(
    "--values",
    is_flag=True,
    help="Be content if the values follow, however they look: of a workbook that another program saved.",
)
@report_in("text", "json")
@example("award fixtures/wed-open-pairs-2012-04-18.csv --seal -o sealed.html", "verify sealed.html")
def command(files: tuple[Path, ...], key: Path | None, values: bool, to: Output) -> None:
    """Compare what sealed FILES show with what follows from their own data: web pages, workbooks and JSON.

    Such a file comes from 'resultproc award --seal'. Its ranks and awards are computed again from the data in it, and
    the file is written again: it is as it was written if that gives the same bytes. Nothing else is read, and no
    network is needed.

    A seal is no signature: it says that a file agrees with itself, and not who made it. With --key only a file passes
    that was signed ('resultproc award --sign') with the private key of this public one.

    What shows something else is named as far as a plain comparison tells it. If another program has saved a workbook or
    JSON, its values are compared: --values is content with that, as with JSON that another version words otherwise, and
    a fragment in a page of your own. What another version has sealed and this one would write otherwise is proven by a
    signature and its key; else its names and numbers are compared.

    A file that has no seal or cannot be read is reported on standard error, and the others are verified. The exit
    status is 1 if there is such a file, else 3 if anything does not follow or is not proven.
    """
    from resultproc.reports.seals import public_key, verify
    from resultproc.reports.verify import WRITERS

    public = public_key(key) if key else None
    found = []
    failed = 0
    for file in files:
        try:
            found.append(verify(file, public))
        except ResultprocError as error:
            failed = worst([failed, error.status])
            say(error.problems)
    remark_on(remark for each in found for remark in each.remarks)
    to.deliver(WRITERS[to.format](found), None)
    sys.exit(failed or (DIFFERENCES if not all(each.passes(values=values) for each in found) else 0))
