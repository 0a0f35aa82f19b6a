"""``resultproc chart``."""

from __future__ import annotations

import click
import pandas as pd

from resultproc.cli.messages import remark_on
from resultproc.cli.options import example, keys
from resultproc.cli.outputs import Output, report_in
from resultproc.model.errors import Problem
from resultproc.model.frames import GAMES
from resultproc.model.game import parse_tables
from resultproc.model.keys import KEYS
from resultproc.model.source import Declaration


def _range(context: click.Context, option: click.Parameter, value: str) -> tuple[float, float | None]:
    first, colon, last = value.partition(":")
    try:
        return parse_tables(first)[""], parse_tables(last)[""] if colon else None
    except (ValueError, KeyError):
        what = f"invalid number of tables: '{value}'; write a number such as 9 or 7.5, or a range such as 4:20"
        raise click.BadParameter(what, context, option) from None


@click.command()
@click.option("--tables", metavar="VALUE", required=True, callback=_range, help="The tables: 40, or a range, 4:20.")
@report_in("text", "csv", "xlsx", "html", "json")
@keys(*(name for name in KEYS if name not in ("event", "club", "session", "tables", "stratify_by")))
@example(
    "chart --rating club-open --boards 24 --tables 4:20",
    "chart --rating club-open --limit 200 --movement howell --tables 4:9",
    "chart --rating club-open --tables 4:20 -o chart.html",
    'chart --rating club-open --boards 24 --strata "A=open, B=1000, C=200" --tables 4:15 -o chart.xlsx',
    of="",
)
def command(tables: tuple[float, float | None], to: Output, **declared: str | None) -> None:
    """Print the masterpoint chart, to pin to the wall: what a game pays by its number of tables.

    Describe the kind of game with the same options as for award. A half table has its own row where it pays other than
    the next whole one. With --strata each stratum has a chart of its own, on a page of its own. Its rows count only
    the tables of contestants who are eligible for it.
    """
    if declared["rating"] is None:
        raise click.UsageError("Missing option '--rating': a chart is for one class of game.")

    from resultproc.formats.declared import override
    from resultproc.reports.chart import WRITERS, chart

    said = {name: Declaration(value, f"--{name}") for name, value in declared.items() if value is not None}
    game = GAMES.conform(pd.DataFrame({"game_id": ["chart"]}))
    made = chart(override(game, said, "options"), *tables)
    if to.format == "csv" and made.notes:
        # One table and nothing else: there is no place in it for a note.
        remark_on(map(Problem, made.notes))
    to.deliver(WRITERS[to.format](made), made.provenance)
