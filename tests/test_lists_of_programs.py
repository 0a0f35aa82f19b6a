"""Pages and texts that programs of clubs write, made up after their layouts: what is read of each, and what is none."""

from __future__ import annotations

import pandas as pd
import pytest

from resultproc import read
from resultproc.formats.source import Source
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet

Rows = list[tuple[object, ...]]


def sheet(content: str, name: str = "page.html") -> Sheet:
    return read(Source(name, content.encode()))


def told(found: Sheet, *columns: str) -> Rows:
    frame = found.contestants[[*columns]]
    return [tuple(None if pd.isna(value) else value for value in row) for row in frame.itertuples(index=False)]


def cells(row: list[str]) -> str:
    return "<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>"


def table(*rows: list[str]) -> str:
    return f"<table>{''.join(map(cells, rows))}</table>\n"


BBO_IMPS = (
    "<html><head><title>User: Tourney: 4711-1376162040</title></head><body>"
    + table(["Title", "#4711 Pairs Town Cup"], ["Host", "townclub"], ["Tables", "2"])
    + "<p>Section 1</p>"
    + table(
        ["Name", "Score ( IMPs )", "Rank", "Prize", "Points"],
        ["ash+birch", "12.33", "1", "", "0.22"],
        ["cedar+dale", "6.00", "2", "", "0.15"],
        ["elm+fir", "0.67", "3", "", ""],
        ["gum+hazel", "-19.00", "4", "", ""],
    )
    + "</body></html>"
)


def test_points_that_some_have_won_are_not_taken_for_the_score_beside_them() -> None:
    assert told(sheet(BBO_IMPS), "player1", "score") == [
        ("ash", 12.33),
        ("cedar", 6.0),
        ("elm", 0.67),
        ("gum", -19.0),
    ]


TRAVELLER = table(
    ["Nº", "Time", "North", "South", "East", "West", "Result", "Points", "Score", "Movie"],
    ["1", "2013-11-23 11:23", "ash", "birch", "cedar", "dale", "5&clubs;xE-1", "100", "100.00%", "Movie"],
    ["2", "2013-11-23 11:22", "elm", "fir", "gum", "hazel", "4&spades;W=", "-420", "0.00%", "Movie"],
    ["3", "2013-11-23 11:29", "ivy", "jay", "kay", "lime", "3NN+1", "430", "50.00%", "Movie"],
)
BOARD_IN_COLUMNS = """Board 7
 NS  EW  Contract  Lead  Tricks   NS+   NS-    MP
  1   2  4Sx   N   HA     =        790          6
  3   4  3NT   S   D2    +1        630          2
  5   6  2C    W   SK    -2        200          4
"""


@pytest.mark.parametrize("content", [TRAVELLER, BOARD_IN_COLUMNS], ids=["a traveller", "text"])
def test_the_results_of_a_board_are_no_list_of_contestants(content: str) -> None:
    with pytest.raises(InputError, match="these are the results of single boards") as caught:
        sheet(content)
    assert "the list of the contestants" in (caught.value.problems[0].hint or "")
