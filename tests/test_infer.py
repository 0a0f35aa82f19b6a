"""Which declarations explain what a sheet prints: found again of made and of real ones, or said to be ambiguous."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from samples import DECLARATIONS, SAMPLES, real

from resultproc import read
from resultproc.cli import cli
from resultproc.formats.write import write
from resultproc.model.frames import Sheet
from resultproc.model.game import parse_strata, parse_tables, parse_tables_by_limit
from resultproc.model.group import words
from resultproc.reports.check.check import check
from resultproc.reports.infer.infer import Explanation, Inferred, explained
from resultproc.stages.pipeline import award_sheet

FIXTURES = Path(__file__).parent.parent / "fixtures"
ALL = bool(os.environ.get("RESULTPROC_ALL"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["infer", *map(str, arguments)])


def alone(tmp_path: Path, name: str) -> Path:
    """Return a copy of a fixture without what is declared beside it."""
    path = tmp_path / name
    path.write_bytes((FIXTURES / name).read_bytes())
    return path


def games_of(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.output
    return {game["game_id"]: game for game in json.loads(done.stdout)["games"]}


# Made sheets.


def test_a_report_of_two_games(tmp_path: Path) -> None:
    found = games_of(run(alone(tmp_path, "made-fund.txt"), "--to", "json"))
    first, second = (found[f"made-fund-{number}"] for number in (1, 2))
    assert [game["equal"] for game in (first, second)] == [1, 1]
    best = first["explanations"][0]
    # The six tables beside the open game are those of the other one, whose limit its own awards tell.
    assert best["declared"]["rating"] == "club-fund"
    assert best["declared"]["concurrent_tables"] == "300=6"
    assert (best["explained"], best["contradicted"], best["not_in_the_report"]) == (first["printed"], [], [])
    # What fixtures/made-fund.toml declares: 300, 100 and 20.
    limits = {each["stratum"]: (each["from"], each["to"]) for each in second["explanations"][0]["same_limits"]}
    assert limits == {"A": ("250", None), "B": ("50", "100"), "C": (None, "20")}
    assert "concurrent_tables" not in second["explanations"][0]["declared"]
    # 9 pairs with 6 tables, two pairs each: 0.10 x 15; alone they are paid 0.90.
    assert first["decides"][0] == {"contestant": "D-6", "what": "award", "printed": "1.50", "computed": "0.90"}


def test_what_is_written_explains_all(tmp_path: Path) -> None:
    sheet = alone(tmp_path, "made-imps.txt")
    done = run(sheet, "--write")
    assert done.exit_code == 0, done.output
    assert "made-imps.toml" in done.stderr
    assert check(sheet).differences.empty
    declared = tomllib.loads(sheet.with_suffix(".toml").read_text("utf-8"))
    assert declared["rating"] == "club-open"
    again = run(sheet, "--write")
    assert again.exit_code == 1
    assert "exists already" in str(again.exception)
    # What is declared is taken for granted: the limits that were chosen stand.
    (game,) = games_of(run(sheet, "--to", "json")).values()
    assert game["explanations"][0]["declared"] == {"rating": "club-open"}
    assert game["explanations"][0]["same_limits"] == []


def test_nothing_to_explain(tmp_path: Path) -> None:
    done = run(alone(tmp_path, "made-qualifying.txt"))
    assert done.exit_code == 1
    assert "prints no masterpoint awards" in str(done.exception)


# Sheets that are awarded, printed, and inferred again.

BASE = """# date: {date}
# tables: 7
# rating: {rating}
# special: {special}
# strata: {strata}
section,direction,number,player1,player2,stratum,score
"""


def printed(rating: str, strata: str, date: str = "2012-05-04", special: str = "", order: int = 0) -> Sheet:
    """Return a game of seven tables as it is awarded and printed, with what is declared of it."""
    lines = [BASE.format(date=date, rating=rating, special=special, strata=strata).replace("# special: \n", "")]
    for side in ("N-S", "E-W"):
        for n in range(1, 8):
            letter = "AABBCCC"[(n * 3 + order) % 7]
            lines.append(f"A,{side},{n},{side} {n} one,{side} {n} two,{letter},{60 + (n * 5 + order * 3) % 23}\n")
    from resultproc.formats.common.annotated import annotated
    from resultproc.formats.source import Source

    result = award_sheet(read(Source("made.csv", "".join(lines).encode())))
    shown = annotated(result)
    columns = [name for name in shown.columns if str(name).startswith("printed_")]
    return Sheet(result.games, result.contestants.assign(**{name: shown[name] for name in columns}))
