"""Excel and CSV as people write them: each is read to the awards of the canonical form, or one thing is asked for."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from conftest import saved
from games import mp
from samples import SAMPLES, real
from test_xlsx import altered
from workbooks import workbook

from resultproc.formats.read import read
from resultproc.formats.text.writer import WRITER
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.keys import KEYS as GAME_KEYS
from resultproc.people.seated import labels
from resultproc.stages.pipeline import award_sheet, joined_sheets, process

Rows = Sequence[Sequence[object]]
Save = Callable[..., Path]

# Four tables: 0.10 for each is 0.40 for first, and 70% of that for second; N-S 3 and 1, E-W 2 and 4.
CANONICAL: Rows = [
    ["direction", "number", "player1", "player2", "score"],
    ["N-S", 1, "Ann Ash", "Bob Bay", 40],
    ["N-S", 2, "Cal Cox", "Dee Day", 30],
    ["N-S", 3, "Eve Elm", "Fay Fox", 42],
    ["N-S", 4, "Gus Gee", "Hal Hay", 32],
    ["E-W", 1, "Ida Ivy", "Jim Jay", 31],
    ["E-W", 2, "Kay Kit", "Lou Lee", 45],
    ["E-W", 3, "May Moe", "Ned Nye", 33],
    ["E-W", 4, "Oli Oak", "Pat Poe", 35],
]
PAID = {"A-NS-3": "0.40", "A-NS-1": "0.28", "A-EW-2": "0.40", "A-EW-4": "0.28"}
RULEBOOK = {"rulebook": "acbl-club"}  # named, it is in force whenever a game was played
KEYS = {"rating": "club-open", "tables": 4, **RULEBOOK}


def excel(path: Path, rows: Rows) -> Path:
    """Write a workbook of one sheet."""
    return saved(path.with_suffix(".xlsx"), workbook(Sheet=rows))


def text(path: Path, rows: Rows) -> Path:
    """Write a CSV with semicolons."""
    file = io.StringIO()
    csv.writer(file, delimiter=";").writerows(rows)
    return saved(path.with_suffix(".csv"), file.getvalue())


@pytest.fixture(params=[text, excel], ids=["csv", "xlsx"])
def save(tmp_path: Path, request: pytest.FixtureRequest) -> Save:
    """Return the function that writes rows as a file, of a name, and returns its path."""
    return lambda rows, name="any": request.param(tmp_path / name, rows)


def paid(result: Result) -> dict[str, str]:
    """Return the awards of those who get any."""
    awards = zip(labels(result.contestants), result.awards["masterpoints"], strict=True)
    return {who: mp(award) for who, award in awards if award}


def players(result: Result) -> list[list[str]]:
    """Return the names of each contestant."""
    columns = [name for name in result.contestants if name.startswith("player")]
    return [[name for name in row if isinstance(name, str)] for row in result.contestants[columns].to_numpy().tolist()]


NAMES = [[row[2], row[3]] for row in CANONICAL[1:]]


def awarded(save: Save, ways: Mapping[str, Rows], **keys: object) -> Iterator[tuple[str, Result]]:
    """Yield the result of each way to write a game; they are awarded together, which is quicker by far."""
    paths = [save(rows, f"way {way}") for way, rows in ways.items()]
    result = award_sheet(joined_sheets([read(path, **keys) for path in paths]))
    for n, (way, path) in enumerate(zip(ways, paths, strict=True)):
        rows = (result.contestants["game_id"] == path.stem).to_numpy()
        parts = [frame[rows].reset_index(drop=True) for frame in (result.contestants, result.awards)]
        remarks = tuple(each for each in result.remarks if each.file == path.name)
        yield way, Result(result.games[n : n + 1], parts[0], awards=parts[1], remarks=remarks)
    assert {each.file for each in result.remarks} <= {path.name for path in paths}


def told(path: Path, **keys: object) -> list[str]:
    """Return what is told of a file that is refused."""
    with pytest.raises(InputError) as caught:
        process(path, **keys)
    return [f"{problem.what} ({problem.hint})" for problem in caught.value.problems]


def test_the_canonical_form_is_awarded_without_remarks(save: Save) -> None:
    result = process(save(CANONICAL), **KEYS)
    assert (paid(result), players(result), result.remarks) == (PAID, NAMES, ())


HEADER, *TABLE = CANONICAL
NS, EW = [row[1:] for row in TABLE[:4]], [row[1:] for row in TABLE[4:]]


def numbered(form: str) -> Rows:
    """Return the rows without directions, which their numbers tell."""
    return [[form.format(number, side[:1], side[0] + side[2]), *row] for side, number, *row in TABLE]


def paired(between: str) -> Rows:
    """Return the rows with both names in one cell."""
    return [[side, number, f"{one}{between}{two}", score] for side, number, one, two, score in TABLE]


def once(rows: Rows, columns: int) -> Rows:
    """Return rows whose first cells are empty where they say what those of the row above say."""
    empty = [""] * columns
    return [
        [*(empty if n and row[:columns] == rows[n - 1][:columns] else row[:columns]), *row[columns:]]
        for n, row in enumerate(rows)
    ]


PAIR = ["Pair", "Player 1", "Player 2", "Score"]

WAYS: dict[str, Rows] = {
    "title": [["Tuesday Night Pairs"], [], *CANONICAL],
    "title of two cells": [["Tuesday Night Pairs", "Anytown"], *CANONICAL],
    "names in one cell": [["Dir", "Pair", "Names", "Score"], *paired(" - ")],
    "names with a stroke": [["Dir", "Pair", "Players", "Score"], *paired("/")],
    "names with an ampersand": [["Dir", "Pair", "Name", "Score"], *paired(" & ")],
    "names in the first cell": [["Dir", "Pair", "Player 1", "Score"], *paired(" \u2013 ")],
    "3 NS": [PAIR, *numbered("{0} {2}")],
    "3NS": [PAIR, *numbered("{0}{2}")],
    "3E": [PAIR, *numbered("{0}{1}")],
    "N3": [PAIR, *numbered("{1}{0}")],
    "A3E": [PAIR, *numbered("A{0}{1}")],
    "heading rows": [PAIR, ["North-South"], *NS, [], ["East-West"], *EW],
    "heading above the header": [["N/S"], PAIR, *NS, ["E/W pairs"], PAIR, *EW],
    "headings with the section": [["Section A", "N-S"], PAIR, *NS, [], ["Section A East-West:"], [], PAIR, *EW],
    "another order below": [["N-S"], PAIR, *NS, ["E-W"], [*PAIR[1:], PAIR[0]], *([*row[1:], row[0]] for row in EW)],
    "direction once": [HEADER, *once(TABLE, 1)],
    "section and direction once": [["Sec", *HEADER], *once([["A", *row] for row in TABLE], 2)],
    "headings in the column of directions": [
        HEADER,
        ["N-S"],
        *(["", *row] for row in NS),
        ["E-W"],
        *(["", *row] for row in EW),
    ],
    "names with a semicolon": [["Dir", "Pair", "Names", "Score"], *paired("; ")],
    "names with a comma": [["Dir", "Pair", "Names", "Score"], *paired(", ")],
    "names with a word": [["Side", "Pair", "Names", "Score"], *paired(" with ")],
    "names with a hyphen": [["Dir", "Pair", "Names", "Score"], *paired("-")],
    "names in two lines": [["Dir", "Pair", "Names", "Score"], *paired("\n")],
    "first and last names": [
        ["Dir", "Pair", "First name 1", "Last name 1", "First name 2", "Last name 2", "Score"],
        *([*row[:2], *row[2].split(), *row[3].split(), row[4]] for row in TABLE),
    ],
    "last names first": [
        ["Dir", "Pair", "Surname", "First name", "Surname", "First name", "Score"],
        *([*row[:2], *row[2].split()[::-1], *row[3].split()[::-1], row[4]] for row in TABLE),
    ],
    "last names first, in Italian": [
        ["Dir", "Pair", "Cognome 1", "Nome 1", "Cognome 2", "Nome 2", "Score"],
        *([*row[:2], *row[2].split()[::-1], *row[3].split()[::-1], row[4]] for row in TABLE),
    ],
    "a row for each player": [["Dir", "Pair", "Name", "Score"], *([*r[:2], r[n], r[4]] for r in TABLE for n in (2, 3))],
    "halves": [HEADER, *([*row[:4], f"{row[4]}\u00bd"] for row in TABLE)],
    "fractions": [[*HEADER[:4], "%"], *([*row[:4], row[4] / 72] for row in TABLE)],
    "place": [["Place", *HEADER], *([place, *row] for place, row in zip("24134132", TABLE, strict=True))],
}


@pytest.mark.slow
def test_ways_of_writing_a_sheet(save: Save) -> None:
    for way, result in awarded(save, WAYS, **KEYS):
        assert (paid(result), players(result), result.remarks) == (PAID, NAMES, ()), way
        assert set(result.contestants["number"]) == {"1", "2", "3", "4"}, way


PASSED_OVER: dict[str, tuple[Rows, list[str]]] = {
    "phantom": ([*CANONICAL, ["E-W", 5, "Phantom", "", ""]], ["'Phantom' is nobody: this row is passed over"]),
    "phantom with a score": ([*CANONICAL, ["E-W", 5, "Phantom", "Phantom", 70]], ["'Phantom' is nobody: this row is"]),
    "phantom pair": ([PAIR, *numbered("{0}{2}"), ["5EW", "Phantom pair", "", 0]], ["'Phantom pair' is nobody: this"]),
    "sit-out": ([*CANONICAL, ["E-W", 5, "Sit-Out", "Sit-Out", "sit out"]], ["'Sit-Out' is nobody: this row is"]),
    "sums": (
        [*CANONICAL, [], ["", "", "Total", "", 288], ["Average", "", "", "", 36], ["Average 50%"]],
        ["'Total' is not a contestant", "'Average' is not a contestant", "'Average 50%' is not a contestant"],
    ),
    "sum as a number": ([*CANONICAL, ["", "Total", "8 pairs", "", 288]], ["'Total' is not a contestant: this row"]),
    "notes": (
        [*CANONICAL, [], ["Director: J. Doe"], ["Thanks", "to all"]],
        [
            "'Director: J. Doe' is neither a contestant nor a heading",
            "'Thanks to all' is neither a contestant nor a heading",
        ],
    ),
    "other columns": (
        [[*HEADER, "Phone", "Table"], *([*row, "555", n] for n, row in enumerate(TABLE))],
        ["the column 'Phone' is not read", "the column 'Table' is not read"],
    ),
    "header again on the next page": (
        [PAIR, *numbered("{0}{2}")[:4], ["Page 2 of 2"], PAIR, *numbered("{0}{2}")[4:]],
        ["'Page 2 of 2' is not a contestant: this row is passed over"],
    ),
    "right below": ([*CANONICAL, ["Director: J. Doe"]], ["'Director: J. Doe' is neither a contestant nor a heading"]),
    "scores of rounds": (
        [[*HEADER, "R1", "R2"], *([*row, row[4] - 20, 20] for row in TABLE)],
        ["the column 'R1' is not read", "the column 'R2' is not read"],
    ),
    "whose number": (
        [["Dir", "Pair", "Names", "ACBL", "Score"], *([*row[:2], f"{row[2]} - {row[3]}", 7, row[4]] for row in TABLE)],
        ["the column 'ACBL' is not read"],
    ),
}


@pytest.mark.slow
def test_what_is_no_contestant_is_passed_over_with_a_remark(save: Save) -> None:
    for way, result in awarded(save, {way: rows for way, (rows, _) in PASSED_OVER.items()}, **KEYS):
        remarks = PASSED_OVER[way][1]
        assert (paid(result), players(result), len(result.remarks)) == (PAID, NAMES, len(remarks)), way
        said = [remark.what[: len(what)] for remark, what in zip(result.remarks, remarks, strict=True)]
        assert said == remarks, way
        assert all(remark.where for remark in result.remarks), way


def test_players_of_such_names_are_contestants(save: Save) -> None:
    names = ["Total", "Phantom Jones", "Averell Mean", "Vacanti"]
    for name, result in awarded(
        save, {name: [*CANONICAL[:-1], ["E-W", 4, name, "Pat Poe", 35]] for name in names}, **KEYS
    ):
        assert (paid(result), players(result)[-1], result.remarks) == (PAID, [name, "Pat Poe"], ())


DECLARED: dict[str, Rows] = {
    "rows": [["Tables", 4], ["Rating:", "club-open"], ["Date", "12 May 2026"]],
    "a row": [["Tables", 4, "Rating", "club-open", "Date:", "2026-05-12"]],
    "lines": [["Tables: 4"], ["rating: club-open"], ["Date: May 12th, 2026"]],
    "two cells": [["# tables", 4], ["# rating", "club-open"], ["# date:", "12.05.2026"]],
    "lines with #": [["# tables: 4 tables"], ["# rating: Club Open"], ["# date: 12-May-2026"]],
    "titles": [["Open Pairs - Tuesday, 12 May 2026"], ["4 tables"], ["Rating", "Open"]],
}


def test_keys_stand_above_the_table(save: Save) -> None:
    ways = {way: [*rows, [], *CANONICAL] for way, rows in DECLARED.items()}
    for way, result in awarded(save, ways, **RULEBOOK):
        assert (paid(result), result.remarks) == (PAID, ()), way
        assert result.games["date"].tolist() == [pd.Timestamp(2026, 5, 12)], way


def test_titles_give_way_to_what_is_declared(save: Save) -> None:
    path = save([["Open Pairs - 12 May 2026"], ["5 tables"], [], *CANONICAL])
    path.with_suffix(".toml").write_text('event = "Mine"\ndate = 2026-05-13\ntables = 4\n')
    game = read(path).games.iloc[0]
    assert game[["event", "date", "tables"]].tolist() == ["Mine", pd.Timestamp(2026, 5, 13), "4"]


@pytest.mark.parametrize("above", [[["Open Pairs 5/12/2026"]], [["Open Pairs"], ["Date", "5/12/2026"]]])
def test_a_doubtful_date_in_a_title_is_remarked_on(save: Save, above: Rows) -> None:
    sheet = read(save([*above, *CANONICAL]))
    assert [remark.what for remark in sheet.remarks] == [
        "'5/12/2026' may be 2026-12-05 or 2026-05-12; write one of these"
    ]
    assert pd.isna(sheet.games.loc[0, "date"])
    assert sheet.games.loc[0, "event"] == "Open Pairs"


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("date", "12 May 2026", "2026-05-12"),
        ("date", "Tuesday, May 12, 2026", "2026-05-12"),
        ("date", "1st of Sept. 2026", "2026-09-01"),
        ("date", "13/5/2026", "2026-05-13"),
        ("date", "5/13/2026", "2026-05-13"),
        ("date", "5/5/2026", "2026-05-05"),
        ("date", "2026/5/12", "2026-05-12"),
        ("tables", "6 tables", "6"),
        ("tables", "7\u00bd tables", "7.5"),
        ("strata", "open/1000/200", "A=open, B=1000, C=200"),
        ("strata", "Open", "A=open"),
        ("strata", "Open / 300", "A=open, B=300"),
        ("limit", "Open", "open"),
        ("rating", "Open", "club-open"),
        ("rating", "Club Open", "club-open"),
        ("rating", "Unit championship", "unit-championship"),
    ],
)
def test_values_as_people_write_them(save: Save, key: str, written: str, value: str) -> None:
    game = read(save([[f"# {key}", written], *CANONICAL])).games.iloc[0]
    assert GAME_KEYS[key].shown(game[key]) == value


ASKED: dict[str, tuple[Rows, str]] = {
    "no century": ([["Date", "12/5/26"], *CANONICAL], "date: '12/5/26' leaves out the century; write it as 2012-04-18"),
    "no such day": ([["Date", "30 Feb 2026"], *CANONICAL], "date: invalid date: '30 Feb 2026'; write it as 2012-04-18"),
    "misspelt key": ([["Tabels", 4], *CANONICAL], "unknown key 'tabels' (did you mean 'tables'?)"),
    "misspelt number": ([["Dir", "Numbr", *HEADER[2:]], *TABLE], "unknown column 'Numbr' (did you mean 'number'?)"),
    "misspelt score": ([[*HEADER[:4], "Scroe"], *TABLE], "unknown column 'Scroe' (did you mean 'score'?)"),
    "a direction": ([["Directon", *HEADER[1:]], *TABLE], "unknown column 'Directon' (did you mean 'direction'?)"),
    "misspelt stratum": (
        [[*HEADER, "Strtum"], *([*row, "A"] for row in TABLE)],
        "unknown column 'Strtum' (did you mean 'stratum'?)",
    ),
    "no score": ([HEADER[:4], *(row[:4] for row in TABLE)], "the column 'score' is missing (write score or percent"),
    "no scores": (
        [HEADER, *(row[:4] for row in TABLE)],
        "this row has no score; the same holds for 7 more (write one for every contestant)",
    ),
    "no direction": (
        [HEADER[1:], *(row[1:] for row in TABLE)],
        "from here on the numbers begin again (for N-S and E-W pairs add a column direction",
    ),
    "directions that differ": (
        [["Dir", *PAIR], *([side, f"{number}NS", *row] for side, number, *row in TABLE)],
        "the number of this row names another direction than the row has (correct one of them)",
    ),
    "whose holding": (
        [[*HEADER[:4], "Holding", "Score"], *([*row[:4], 700, row[4]] for row in TABLE)],
        "the column 'Holding' does not say whose it is (call it mp1 or mp2, or write it beside each player's name)",
    ),
    "unknown heading": (
        [PAIR, *([*row] for row in numbered("{0}{2}")[:4]), [], ["The others"], *numbered("{0}{2}")[4:]],
        "'The others' is neither a contestant nor a heading (write such as East-West or Section B, or begin it with #",
    ),
    "matchpoints or masterpoints": (
        [["Dir", "Pair", "Names", "%", "MPs"], *([*row[:3], row[4], n] for n, row in enumerate(TABLE))],
        "'MPs' may be matchpoints or masterpoints (call the column Matchpoints, or Masterpoints)",
    ),
}


# What a header calls the first player, the number and the holding of the first, and the same of the second.
OF_PLAYERS = {
    "Name and Partner": (["Name", "ACBL #", "Holding"], ["Partner", "ACBL #", "Holding"]),
    "letters": (["Player A", "Member A", "Holding A"], ["Player B", "Member B", "Holding B"]),
    "numbers": (["Name 1", "ACBL1", "Masterpoints held 1"], ["Name 2", "ACBL2", "Masterpoints held 2"]),
    "numbers after a sign": (["Player #1", "ACBL #1", "MPs held 1"], ["Player #2", "ACBL # 2", "MPs held 2"]),
    "numbers within": (
        ["Player 1 name", "Player 1 ACBL #", "Player 1 MPs"],
        ["Player 2 name", "Player 2 ACBL #", "Player 2 MPs"],
    ),
    "of the partner": (["Player", "Member ID", "MP held"], ["Partner's name", "Partner ID", "Partner's holding"]),
}


def test_columns_of_players_may_be_called_otherwise(save: Save) -> None:
    rows = [[*row[:2], row[2], f"10000{n}", 10 * n, row[3], f"20000{n}", n, row[4]] for n, row in enumerate(TABLE)]
    ways = {way: [[*HEADER[:2], *first, *second, "Score"], *rows] for way, (first, second) in OF_PLAYERS.items()}
    for way, result in awarded(save, ways, **KEYS):
        assert (paid(result), players(result), result.remarks) == (PAID, NAMES, ()), way
        columns = result.contestants[["id1", "mp1", "id2", "mp2"]].to_numpy().tolist()
        assert columns == [[f"10000{n}", 10 * n, f"20000{n}", n] for n in range(8)], way


def test_of_one_player_each_column_is_that_players(save: Save) -> None:
    rows = [
        ["ACBL #", "Name", "Score", "Pair", "Holding"],
        *([f"{n}", row[2], row[4], n, n] for n, row in enumerate(TABLE, 1)),
    ]
    result = process(save(rows), event_type="individual", **{**KEYS, "tables": 2})
    assert result.contestants[["id1", "mp1"]].to_numpy().tolist() == [[f"{n}", n] for n in range(1, 9)]
    assert result.remarks == ()


@pytest.mark.parametrize("way", ASKED)
def test_one_thing_is_asked_for_once(save: Save, way: str) -> None:
    rows, what = ASKED[way]
    lines = told(save(rows), **KEYS)
    assert {line[: len(what)] for line in lines} == {what}
    assert len(lines) == (4 if way == "directions that differ" else 1)


def test_mps_beside_a_score_are_masterpoints(save: Save) -> None:
    sheet = read(save([[*HEADER, "MPs"], *([*row, 0.28] for row in TABLE)]))
    assert sheet.contestants["score"].tolist() == [row[4] for row in TABLE]
    assert set(sheet.contestants["printed_award"]) == {28}


def test_mps_beside_their_percentages_are_matchpoints(save: Save) -> None:
    sheet = read(save([[*HEADER[:4], "MPs", "%"], *([*row, round(row[4] / 0.72, 2)] for row in TABLE)]))  # type: ignore[operator]
    assert sheet.contestants["score"].tolist() == [row[4] for row in TABLE]


def test_places_of_each_direction_are_section_ranks(save: Save) -> None:
    sheet = read(save([["Rank", *HEADER], *([rank, *row] for rank, row in zip("24134132", TABLE, strict=True))]))
    assert sheet.contestants["printed_section"].tolist() == [f"A={rank}" for rank in "24134132"]


def test_places_that_do_not_go_by_the_scores_are_refused(save: Save) -> None:
    rows = [[place, n, *row[2:]] for n, (place, row) in enumerate(zip("24134132", TABLE, strict=True), 1)]
    (line,) = told(save([["Place", *HEADER[1:]], *rows]), **KEYS)
    assert line.startswith("two contestants have place 1, and their scores are 45 and 42 (of several lists write above")


def test_an_award_may_have_what_paid_it_beside_it(save: Save) -> None:
    awards = ["0.28(A)", "", "0.40 (SA)", "0.20 OA", "0.15B", "0.12 Black", "", ""]
    rows = [[*row, award] for row, award in zip(TABLE, awards, strict=True)]
    frame = read(save([[*HEADER, "Masterpoints won"], *rows])).contestants
    assert frame["printed_award"].fillna(0).tolist() == [28, 0, 40, 20, 15, 12, 0, 0]
    assert frame["printed_paid_by"].fillna("").tolist() == ["A", "", "SA", "OA", "", "", "", ""]


def test_a_column_that_has_the_same_day_in_each_row_tells_the_day(save: Save) -> None:
    sheet = read(save([["Event date", *HEADER], *(["2026-05-12", *row] for row in TABLE)]))
    assert (str(sheet.games["date"].iloc[0])[:10], sheet.remarks) == ("2026-05-12", ())
    several = read(save([["Date", *HEADER], *([f"2026-05-{n:02}", *row] for n, row in enumerate(TABLE, 1))]))
    assert several.games["date"].isna().all()


def test_the_day_of_the_week_tells_the_month(save: Save) -> None:
    sheet = read(save([["Tuesday Pairs, Tuesday 12/05/2026"], *CANONICAL]))  # 5 December is a Saturday
    assert str(sheet.games["date"].iloc[0])[:10] == "2026-05-12"


def test_ranks_in_the_strata_of_a_section(save: Save) -> None:
    rows = [["A", *row, n, ""] for n, row in zip("24134132", TABLE, strict=True)]
    frame = read(save([["Section", *HEADER, "Section A", "Section B"], *rows])).contestants
    assert frame["printed_section"].tolist() == [f"A={n}" for n in "24134132"]


def test_sections_of_numbers(save: Save) -> None:
    rows = [[f"{'AB'[n % 2]}{n // 2 + 1}", *row[2:]] for n, row in enumerate(TABLE)]
    sheet = read(save([["Pair", *HEADER[2:]], *rows]))
    assert (sheet.contestants["section"] + sheet.contestants["number"]).tolist() == [row[0] for row in rows]


def test_directions_of_one_winner_sections_stay_empty(save: Save) -> None:
    rows = [["A" if row[0] == "N-S" else "B", row[0] if row[0] == "N-S" else "", *row[1:]] for row in TABLE]
    sheet = read(save([["Section", *HEADER], *rows]))
    assert sheet.contestants["direction"].fillna("").tolist() == ["N-S"] * 4 + [""] * 4


# Files of text alone.


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_unicode_text_of_excel(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "any.txt"
    rows = [[cell if cell != "Ann Ash" else "\u00c5sa \u00d6st" for cell in row] for row in CANONICAL]
    path.write_bytes("\r\n".join("\t".join(map(str, row)) for row in rows).encode(encoding))
    result = process(path, **KEYS)
    assert (paid(result), players(result)[0]) == (PAID, ["\u00c5sa \u00d6st", "Bob Bay"])


@pytest.mark.parametrize("above", ["sep=;\n", "# tables: 4\nsep=;\n", '"sep=;"\n# tables: 4\n'])
def test_the_line_that_names_the_delimiter(tmp_path: Path, above: str) -> None:
    path = saved(tmp_path / "any.csv", above + "\n".join(";".join(map(str, row)) for row in CANONICAL))
    assert paid(process(path, **KEYS)) == PAID


def test_decimal_commas_between_commas_are_advised_on_once(tmp_path: Path) -> None:
    path = tmp_path / "any.csv"
    lines = [",".join(map(str, CANONICAL[0])), *(",".join(map(str, row)) + ",5" for row in TABLE)]
    path.write_text("\n".join(lines))
    assert told(path, **KEYS) == [
        "this row has more cells than the header: its decimal comma separates columns, too "
        '(save it with semicolons between the columns, or write 62.5, or "62,5" in quotes)'
    ]


# Workbooks alone.


@pytest.mark.parametrize("computed", [False, True], ids=["values", "formulas"])
def test_percentages_of_excel_are_shown_with_two_decimals(tmp_path: Path, computed: bool) -> None:
    shares = [[*row[:4], row[4] / 72] for row in TABLE]  # type: ignore[operator]
    path = excel(tmp_path / "any", [[*HEADER[:4], "%"], *shares])
    book = openpyxl.load_workbook(path)
    for (cell,) in book.worksheets[0]["E2:E9"]:
        cell.number_format = "0.00%"
    book.save(path)
    if computed:
        sheet = "xl/worksheets/sheet1.xml"
        path.write_bytes(altered(path.read_bytes(), {sheet: lambda part: part.replace(b"<v>0.", b"<f>1*1</f><v>0.")}))
    result = process(path, **KEYS)
    assert paid(result) == PAID
    assert result.contestants["percentage"].round(6).tolist() == [round(row[4] * 100, 6) for row in shares]
    assert "55.56" in WRITER.write(result).decode()
    assert "55.555" not in WRITER.write(result).decode()


def test_merged_cells(tmp_path: Path) -> None:
    path = excel(tmp_path / "any", CANONICAL)
    book = openpyxl.load_workbook(path)
    for cells in ("A2:A5", "A6:A9"):
        book.worksheets[0].merge_cells(cells)
    book.save(path)
    assert paid(process(path, **KEYS)) == PAID


def test_other_sheets_are_kept_out_with_a_remark(tmp_path: Path) -> None:
    path = excel(tmp_path / "any", CANONICAL)
    book = openpyxl.load_workbook(path)
    for row in (["Member", "Player 1"], ["555", "Ann Ash"]):
        book.create_sheet("Members").append(row)
    book.create_sheet("Notes").append(["Bring cake"])
    book.save(path)
    result = process(path, **KEYS)
    assert paid(result) == PAID
    assert [(remark.where, remark.what) for remark in result.remarks] == [
        (f"sheet '{name}'", "this sheet is not read") for name in ("Members", "Members1", "Notes")
    ]


def test_the_sheet_game_goes_before_what_stands_above_the_table(tmp_path: Path) -> None:
    path = excel(tmp_path / "any", [["Tables", 5], ["Date", "12 May 2026"], *CANONICAL])
    book = openpyxl.load_workbook(path)
    book.create_sheet("Game").append(["tables", 4])
    book.save(path)
    game = read(path).games.iloc[0]
    assert game[["tables", "date"]].tolist() == ["4", pd.Timestamp(2026, 5, 12)]


# Sheets that others made. Their canonical forms, by number: the scores, or percentages, of N-S and of E-W.

SIX = ([68, 55.5, 72, 61, 49.5, 54], [70, 58.5, 66, 52, 60.5, 53])
FIVE = (SIX[0], SIX[1][:5])
FOUR = ([62.5, 45.83, 41.67, 50], [55, 52.08, 47.92, 45])
RISING = ([61, 62, 63, 64], [61, 62, 63, 64])
ODD = (RISING[0], RISING[1][:3])

OPEN = {"rating": "club-open"}
REAL = {
    "c1_semi_bom.csv": (FOUR, 4, {}),
    "c5_utf16_tab.txt": (FOUR, 4, {}),
    "c6_title.csv": (FOUR, 4, OPEN | {"tables": 4}),
    "c7_meta_as_excel.csv": (FOUR, 4, {}),
    "c9_meta_two_cells.csv": (FOUR, 4, {}),
    "c11_sep.csv": (FOUR, 4, {}),
    "d3_samemember.csv": (RISING, 4, {}),
    "d4_phantom_score.csv": (ODD, 3.5, {}),
    "d13_sameplayer.csv": (RISING, 4, {}),
    "s1.xlsx": (SIX, 6, OPEN | {"tables": 6}),
    "s2_3NS.xlsx": (SIX, 6, OPEN | {"tables": 6}),
    "s3_names_in_one.xlsx": (SIX, 6, OPEN | {"tables": 6}),
    "s10_phantom.xlsx": (FIVE, 5.5, {}),
    "s11_sitout.xlsx": (FIVE, 5.5, {}),
    "s13_merged.xlsx": (SIX, 6, {}),
    "s14_textpct.xlsx": (SIX, 6, {}),
    "t3_meta_top.xlsx": (SIX, 6, {}),
}


@pytest.mark.slow
@real
@pytest.mark.parametrize("name", REAL)
def test_real_sheets_are_awarded_as_their_canonical_form(tmp_path: Path, name: str) -> None:
    scores, tables, keys = REAL[name]
    rows = [
        [side, number, "P", "Q", score]
        for side, of_side in zip(("N-S", "E-W"), scores, strict=True)
        for number, score in enumerate(of_side, 1)
    ]
    canonical = process(text(tmp_path / "any", [HEADER, *rows]), **OPEN, **RULEBOOK, tables=tables, date="2026-05-12")
    result = process(SAMPLES / "workbooks" / name, **keys, **RULEBOOK)
    assert paid(result) == paid(canonical) != {}
    assert {len(names) for names in players(result)} == {2}


@real
@pytest.mark.parametrize("name", ["s1.xlsx", "s2_3NS.xlsx", "s3_names_in_one.xlsx"])
def test_the_tables_of_real_sheets_are_counted(name: str) -> None:
    result = process(SAMPLES / "workbooks" / name, **OPEN, **RULEBOOK)
    assert result.games["tables"].tolist() == ["A=6"]
    told = "tables is not declared: the contestants that are listed fill A=6"
    assert [remark.what for remark in result.remarks] == [told]


def test_contestants_without_numbers_are_numbered(save: Save) -> None:
    result = process(save([HEADER[2:], *(row[2:] for row in TABLE)]), **KEYS)
    assert result.contestants["number"].tolist() == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert result.remarks[0].what == "the list has no numbers: its contestants are numbered as they are listed"


@real
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("c3_comma_deccomma.csv", ["this row has more cells than the header: its decimal comma"]),
        ("s4_nodir.xlsx", ["from here on the numbers begin again (for N-S and E-W pairs add a column direction"]),
        ("s15_pct566.xlsx", ["percentage out of range: 566.7"] * 2),
        ("s16_tables9.xlsx", ["section A lists 12 contestants (6 N-S, 6 E-W), 6 fewer than 9 tables seat"]),
        ("s17_dupmember.xlsx", ["invalid number: '7O'"] * 2),
    ],
)
def test_real_sheets_that_lack_something_are_asked_for_it(name: str, lines: list[str]) -> None:
    found = told(SAMPLES / "workbooks" / name, **OPEN, **RULEBOOK)
    assert [line[: len(what)] for line, what in zip(found, lines, strict=True)] == lines
