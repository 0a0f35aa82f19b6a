"""Lists in the layouts that people give them: the same game comes out of each, whatever file it is in."""

from __future__ import annotations

from random import Random

import pytest
from list_layouts import Document, Table, written

from resultproc import process, read
from resultproc.model.dates import written_date
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.grid import Cell, Row
from resultproc.model.source import Source
from resultproc.tables.titles import Above

PAIRS = (
    *(
        ("1", "Ann Ash", "Bob Birch", "60.50"),
        ("3", "Cleo Cedar", "Dirk Dale", "55.25"),
        ("2", "Eve Elm", "Finn Fir", "48"),
    ),
    *(
        ("5", "Gus Gorse", "Hana Hazel", "47.25"),
        ("4", "Ivo Ivyson", "June Juniper", "46"),
        ("6", "Karl Kapok", "Lena Larch", "43"),
    ),
)
CARRIERS = ("aligned", "tabs", "ruled", "csv", "html", "xlsx")


def as_read(titles: list[str], lines: list[list[str]], carrier: str, head: bool = True) -> Sheet:
    table = Table(lines[0], lines[1:]) if head else Table(None, lines)
    return read(Source(*written(Document(titles, [table]), carrier, Random(7), ("utf-8", "utf-8"))))


def pairs_of(sheet: Sheet) -> list[tuple[str, ...]]:
    frame = sheet.contestants
    ranked = frame["percentage"].fillna(frame["score"])
    return [
        (number, *players, f"{score:g}")
        for number, *players, score in zip(frame["number"], frame["player1"], frame["player2"], ranked, strict=True)
    ]


RIGHT = [(number, *players, f"{float(score):g}") for number, *players, score in PAIRS]


def two_rows(number: str, first: str, second: str, score: str, place: int) -> dict[str, list[list[str]]]:
    return {
        "upper": [[str(place), number, first, score], ["", "", second, ""]],
        "lower": [["", "", first, ""], [str(place), number, second, score]],
        "middle": [["", "", first, ""], [str(place), number, "", score], ["", "", second, ""]],
        "number above, score below": [[str(place), number, first, ""], ["", "", second, score]],
    }


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("way", ["upper", "lower", "middle", "number above, score below"])
def test_two_rows_of_a_pair_are_its_players(way: str, carrier: str) -> None:
    lines = [["Place", "Pair", "Names", "%"]]
    for place, (number, first, second, score) in enumerate(PAIRS, 1):
        lines += two_rows(number, first, second, score, place)[way]
    sheet = as_read(["Club evening 3 November 2026"], lines, carrier)
    assert pairs_of(sheet) == RIGHT


@pytest.mark.parametrize("carrier", ["html", "xlsx"])
def test_letters_above_columns_and_numbers_before_rows_are_of_the_spreadsheet(carrier: str) -> None:
    body = [["Pair", "Names", "%"], *([number, f"{a} & {b}", score] for number, a, b, score in PAIRS)]
    lines = [["", "A", "B", "C"], *([str(n), *row] for n, row in enumerate(body, 1))]
    assert pairs_of(as_read(["Monday"], lines, carrier)) == RIGHT


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("half", ["½", " 1/2"])
def test_halves_of_matchpoints_are_read_as_people_write_them(half: str, carrier: str) -> None:
    lines = [["Pair", "Names", "Score"]]
    lines += [[number, f"{a} & {b}", f"{90 - 4 * n}{half}"] for n, (number, a, b, _) in enumerate(PAIRS)]
    found = pairs_of(as_read(["Monday"], lines, carrier))
    assert [score for *_, score in found] == [f"{90.5 - 4 * n:g}" for n in range(6)]
    assert [names for _, *names, _ in found] == [[a, b] for _, a, b, _ in PAIRS]


@pytest.mark.parametrize(
    "header", ["Rang,Paar,Spieler,Prozent", "Place,Paire,Joueurs,Pourcentage", "Plaats,Paar,Namen,Percentage"]
)
def test_decimal_commas_in_quotes_are_no_columns(header: str) -> None:
    rows = [
        f'{place},{number},{a} - {b},"{score.replace(".", ",")}"'
        for place, (number, a, b, score) in enumerate(PAIRS, 1)
    ]
    text = "\n".join(["Dienstag 3. November 2026,,,", header, *rows])
    assert pairs_of(read(Source("list.csv", text.encode()))) == RIGHT


FACTS = (
    ("Tuesday, November 3, 2026   4 tables   24 boards", "2026-11-03", "4", 24, None),
    ("Club Cup · mardi 3 novembre 2026 · 4 tables · 24 étuis", "2026-11-03", "4", 24, "Club Cup"),
    ("Club Cup - martes 3 de noviembre de 2026 (4½ mesas, 27 manos)", "2026-11-03", "4.5", 27, "Club Cup"),
    ("Dienstag, den 3. November 2026 | 4 1/2 Tische | 24 Boards | Howell", "2026-11-03", "4.5", 24, None),
    ("Tables: 4   Boards: 24  Date: 2026-11-03", "2026-11-03", "4", 24, None),
    ("Tische: 5½ Boards: 24 Datum: 3. November 2026", "2026-11-03", "5.5", 24, None),
    ("3.5 tables  Howell   24 boards   November 3, 2026", "2026-11-03", "3.5", 24, None),
    ("mardi 3 tables", None, "3", None, None),
    ("Tuesday, November 3, 2026, 3 tables, 24 boards, average 84", "2026-11-03", "3", 24, None),
    ("🃏 Results Thursday 5 Nov 2026 🃏", "2026-11-05", None, None, None),
    ('"Tuesday Pairs', None, None, None, "Tuesday Pairs"),
)


@pytest.mark.parametrize(("line", "date", "tables", "boards", "event"), FACTS)
def test_a_line_of_facts_is_taken_apart_however_it_is_set(
    line: str, date: str | None, tables: str | None, boards: int | None, event: str | None
) -> None:
    above = Above.of([Row([Cell(line, "line 1")], "line 1")])
    said = {**above.facts, **{key: each.value for key, each in above.declared.items()}}
    day = (
        written_date(str(said["date"])).isoformat() if "date" in said and "date" in above.declared else said.get("date")
    )
    assert (day and str(day)[:10], said.get("tables"), said.get("event")) == (date, tables, event)
    assert (int(str(said["boards"])) if "boards" in said else None) == boards


def test_a_date_that_may_be_two_days_is_what_is_asked_for() -> None:
    table = Table(["Pair", "Names", "%"], [[number, f"{a} & {b}", score] for number, a, b, score in PAIRS])
    source = Source(*written(Document(["03/11/2026"], [table]), "xlsx", Random(1), ("utf-8", "utf-8")))
    with pytest.raises(InputError, match="'03/11/2026' may be 2026-11-03 or 2026-03-11"):
        process(source, rating="club-open", boards=24)
    assert process(source, rating="club-open", boards=24, date="2026-11-03").games["tables"].tolist() == ["A=3"]
