"""``resultproc check``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from resultproc.cli.options import game_keys, reading

if TYPE_CHECKING:
    import pandas as pd


@click.command()
@click.argument("sheets", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--to", type=click.Choice(["text", "csv", "json"]), default="text", help="How to print the differences.")
@reading
@game_keys
def command(sheets: tuple[Path, ...], to: str, format_: str | None, **keys: str) -> None:
    """Compare the ranks and awards that SHEETS print with what the rulebook gives.

    Every difference is listed with the rule behind the computed side. The exit status is 3 when there is any.

    \b
    Example, from the project's folder:
      resultproc check fixtures/wed-open-pairs-2012-04-18.txt
    """
    from resultproc.check import agreement, differences
    from resultproc.pipeline import process

    result = process(*sheets, format=format_, **keys)
    found = differences(result)
    click.echo(_PRINTERS[to](found, agreement(result)), nl=False)
    sys.exit(3 if len(found) else 0)


def _text(found: pd.DataFrame, agreed: pd.DataFrame) -> str:
    lines = []
    for row in found.fillna("").to_dict("records"):
        contestant = "-".join(filter(None, (row["section"], row["direction"].replace("-", ""), row["number"])))
        lines.append(
            f"{row['source']}: {row['game_id']} {contestant}: {row['what']} printed {row['printed'] or 'none'},"
        )
        lines.append(f"    computed {row['computed'] or 'none'}: {row['why']}")
    for row in agreed.to_dict("records"):
        lines.append(f"{row['source']}: {row['game_id']}: {row['agree']} of {row['contestants']} awards agree")
    return "\n".join(lines) + "\n" if lines else "nothing is printed that could be checked\n"


def _csv(found: pd.DataFrame, agreed: pd.DataFrame) -> str:
    from resultproc.formats import escape_formula

    return found.astype("str").map(escape_formula, na_action="ignore").to_csv(index=False, lineterminator="\n")


def _json(found: pd.DataFrame, agreed: pd.DataFrame) -> str:
    content = {
        "differences": found.astype("object").where(found.notna(), None).to_dict("records"),
        "games": agreed.to_dict("records"),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


_PRINTERS = {"text": _text, "csv": _csv, "json": _json}
