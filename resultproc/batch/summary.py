"""The summary of a reprocessed archive as text, CSV, JSON, and a page with a plot."""

from __future__ import annotations

import json
from html import escape

import pandas as pd

from resultproc.writers.annotated import masterpoints_text

_IN_HUNDREDTHS = ["masterpoints", "printed_masterpoints", "in_force_masterpoints"]


def readable(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the summary with masterpoints as decimal texts, and without the columns that say nothing here."""
    frame = summary.copy()
    for name in _IN_HUNDREDTHS:
        frame[name] = masterpoints_text(summary[name])
    empty = [names for names in _TOGETHER if not summary[names[0]].any() or (names[0] == "in_force" and same(summary))]
    return frame.drop(columns=[name for names in empty for name in names])


_TOGETHER = (
    ["printed", "printed_agree", "printed_masterpoints"],
    ["in_force", "in_force_masterpoints", "changed"],
    ["failed"],
)


def same(summary: pd.DataFrame) -> bool:
    """Return whether every award is the one under the rulebook in force."""
    return bool((summary["in_force"] == summary["contestants"]).all() and not summary["changed"].any())


def printed(summary: pd.DataFrame, to: str) -> str:
    """Return the summary as ``text``, ``csv`` or ``json``."""
    frame = readable(summary)
    if to == "csv":
        return frame.to_csv(index=False, lineterminator="\n")
    if to == "json":
        return json.dumps({"summary": frame.astype("object").to_dict("records")}, indent=1) + "\n"
    return frame.to_string(index=False) + "\n"


def page(summary: pd.DataFrame) -> str:
    """Return one self-contained page: masterpoints per year and rating as a plot, and the whole table."""
    frame = readable(summary)
    head = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in frame.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(str(value))}</td>" for value in row) + "</tr>"
        for row in frame.itertuples(index=False, name=None)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Masterpoints by year</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem; }}
svg {{ width: 100%; height: auto; }}
svg text {{ font-size: 11px; fill: currentColor; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: bold; padding: .5rem 0; }}
th, td {{ padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #8884; }}
</style>
</head>
<body>
<h1>Masterpoints by year</h1>
{_plot(summary)}
<table>
<caption>By year, rating and stratum</caption>
<thead><tr>{head}</tr></thead>
<tbody>{rows}</tbody>
</table>
</body>
</html>
"""


_COLOURS = ("#3366cc", "#dc3912", "#ff9900", "#109618", "#990099", "#0099c6", "#dd4477", "#66aa00")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 800, 300, 80, 30


def _plot(summary: pd.DataFrame) -> str:
    """Return stacked bars: a bar per year, a colour per rating."""
    dated = summary[summary["year"] > 0]
    sums = dated.pivot_table(index="year", columns="rating", values="masterpoints", aggfunc="sum", fill_value=0)
    if sums.empty:
        return ""
    highest = max(int(sums.sum(axis=1).max()), 1)
    wide = (_WIDTH - _LEFT) / len(sums)
    bars, labels = [], []
    for i, (year, row) in enumerate(sums.iterrows()):
        top = float(_HEIGHT - _BOTTOM)
        left = _LEFT + i * wide
        for colour, (rating, value) in enumerate(row.items()):
            tall = float(value) / highest * (_HEIGHT - _BOTTOM - 10)
            top -= tall
            title = escape(f"{year} {rating}: {value / 100:,.2f}")
            fill = _COLOURS[colour % len(_COLOURS)]
            bars.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide * 0.9:.1f}" height="{tall:.1f}" fill="{fill}">'
                f"<title>{title}</title></rect>"
            )
        if i % max(1, len(sums) // 12) == 0:
            labels.append(f'<text x="{left:.1f}" y="{_HEIGHT - 12}">{year}</text>')
    legend = "".join(
        f'<tspan fill="{_COLOURS[n % len(_COLOURS)]}">&#9632;</tspan> {escape(str(rating))} '
        for n, rating in enumerate(sums.columns)
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT + 20}" role="img" aria-label="Masterpoints per year, by rating">'
        f'{"".join(bars)}{"".join(labels)}<text x="0" y="20">{highest / 100:,.0f}</text>'
        f'<text x="0" y="{_HEIGHT - _BOTTOM}">0</text><text x="{_LEFT}" y="{_HEIGHT + 10}">{legend}</text></svg>'
    )
