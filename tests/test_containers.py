"""The same list in every container: CSV with each separator, text in columns, a page, workbooks, a PDF.

What it says, and what is refused of it, is the same, whichever reader takes its cells.
"""

import html
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import ALL
from workbooks import workbook

from resultproc import process
from resultproc.model.errors import InputError
from resultproc.model.source import Source
from resultproc.stages.pipeline import award_sheet, read_together

PAIRS = [
    ("Max Adler", "Pia Busch"),
    ("Rolf Dorn", "Uta Engel"),
    ("Jan Fink", "Eva Gross"),
    ("Udo Horn", "Ina Jung"),
    ("Leo Kuhn", "Mia Lang"),
    ("Kai Moser", "Lea Nagel"),
]
SHARES = ["62.50", "55.00", "52.50", "47.50", "45.00", "37.50"]
KEYS: dict[str, Any] = {"date": "2012-04-18", "rating": "club-open", "boards": 24}
PAID = [60, 42, 0, 0, 0, 0]
"""0.10 a table of three pays 0.30 in a Mitchell; all six together win by places 0.60 and 0.42."""

Table = Sequence[Sequence[str]]


def _separated(table: Table, sign: str) -> bytes:
    quoted = [[f'"{text}"' if sign in text or "\n" in text else text for text in row] for row in table]
    return "".join(f"{sign.join(row)}\n" for row in quoted).encode()


def _columns(table: Table) -> list[str]:
    widths = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]
    return ["".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in table]


def _page(table: Table) -> bytes:
    rows = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in table]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<!DOCTYPE html><html><head><meta charset=utf-8></head><body><table>{body}</table></body></html>".encode()


def _typed(text: str) -> object:
    return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else text or None


def ods(table: Table, *more: str) -> bytes:
    """Return an OpenDocument of one sheet. more: rows below those of a table, as its XML has them."""

    def cell(text: str) -> str:
        value = _typed(text)
        said = f'"float" office:value="{value}"' if isinstance(value, float) else '"string"'
        lines = "".join(f"<text:p>{html.escape(line)}</text:p>" for line in text.split("\n") if text)
        return f"<table:table-cell office:value-type={said}>{lines}</table:table-cell>"

    rows = "".join([*(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in table), *more])
    of_all = "urn:oasis:names:tc:opendocument:xmlns"
    names = "".join(f' xmlns:{n}="{of_all}:{n}:1.0"' for n in ("office", "table", "text"))
    sheet = f'<table:table table:name="Sheet1">{rows}</table:table>'
    content = f"<office:document-content{names}><office:body><office:spreadsheet>{sheet}</office:spreadsheet>"
    kind, of_manifest = "application/vnd.oasis.opendocument.spreadsheet", f'xmlns:manifest="{of_all}:manifest:1.0"'
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", kind)
        kind = f'manifest:media-type="{kind}" manifest:full-path="/"'
        archive.writestr(
            "META-INF/manifest.xml",
            f"<manifest:manifest {of_manifest}><manifest:file-entry {kind}/></manifest:manifest>",
        )
        archive.writestr("content.xml", f"{content}</office:body></office:document-content>")
    return made.getvalue()


def _escaped(text: str) -> str:
    return text.replace("(", "\\(").replace(")", "\\)")


def _pdf(table: Table) -> bytes:
    """Return a page on which each cell is one string, in letters of one width and four blanks from the next."""
    widths = [max(map(len, column)) + 4 for column in zip(*table, strict=True)]
    drawn = [
        f"BT /F1 8 Tf 1 0 0 1 {20 + 5 * sum(widths[:i])} {760 - 14 * n} Tm ({_escaped(text)}) Tj ET"
        for n, row in enumerate(table)
        for i, text in enumerate(row)
        if text
    ]
    return pdf("\n".join(drawn).encode("latin-1"))


def pdf(stream: bytes) -> bytes:
    """Return a PDF of one page on which so much is drawn."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>",
    ]
    made = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table_of_places = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 6\n0000000000 65535 f \n%btrailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return made + end % (table_of_places, len(made))


CONTAINERS: Mapping[str, tuple[str, Callable[[Table], bytes]]] = {
    "CSV": ("list.csv", lambda table: _separated(table, ",")),
    "semicolons": ("list.csv", lambda table: _separated(table, ";")),
    "tabs": ("list.txt", lambda table: _separated(table, "\t")),
    "text": ("list.txt", lambda table: "\n".join(_columns(table)).encode()),
    "page": ("list.html", _page),
    "page of one line": ("list.html", lambda table: _page(table).replace(b"</tr>\n", b"</tr>")),
    "Excel": ("list.xlsx", lambda table: workbook(Sheet=[[*map(_typed, row)] for row in table])),
    "Excel as text": ("list.xlsx", lambda table: workbook(Sheet=[[*row] for row in table])),
    "ods": ("list.ods", ods),
    "PDF": ("list.pdf", _pdf),
}


def _values(frame: pd.DataFrame, *without: str) -> dict[str, list[object]]:
    frame = frame.drop(columns=list(without)).astype(object)
    said = {name: [None if pd.isna(value) else value for value in frame[name]] for name in sorted(frame)}
    return {name: values for name, values in said.items() if any(value is not None for value in values)}


def read_as(container: str, table: Table, awards: dict[str, object], **keys: object) -> object:
    """Return what a list in a container says of the contestants and their awards, or what it is refused for.

    awards: those of each sheet that was read before; another one is added.
    """
    name, write = CONTAINERS[container]
    try:
        sheet = read_together([Source(name, write(table))], **{**KEYS, **keys})
        read = str((_values(sheet.games, "game_id", "source"), _values(sheet.contestants, "game_id", "where")))
        if read not in awards:
            result = award_sheet(sheet)
            said = _values(result.contestants, "game_id", "where")
            awards[read] = {**said, "awards": result.awards["masterpoints"].tolist()}
    except InputError as error:
        return [problem.what for problem in error.problems]
    return awards[read]


FEW = ("CSV", "text", "page", "Excel")
"""A container for each way in which lists are read."""


def same(table: Table, *, without: Sequence[str] = (), few: bool = False, **keys: object) -> Any:
    """Return what a list says; fail where it says otherwise in another container.

    few: whether a few of them do, unless all is tried: where another list like it is tried in all.
    """
    awards: dict[str, object] = {}
    those = [each for each in (FEW if few and not ALL else CONTAINERS) if each not in without]
    found = {each: read_as(each, table, awards, **keys) for each in those}
    for container, said in found.items():
        assert said == found["CSV"], container
    return found["CSV"]


def listed(head: str, scores: Sequence[str] = SHARES, names: Sequence[str] = ()) -> list[list[str]]:
    """Return a list of six pairs with a column of some heading."""
    names = names or [" - ".join(pair) for pair in PAIRS]
    rows = zip(map(str, range(1, 7)), names, scores, strict=True)
    return [["Pair", "Names", head], *map(list, rows)]


def mitchell(head: str, last: Sequence[str]) -> list[list[str]]:
    """Return a list of three pairs a direction, with a column of some heading behind the scores."""
    rows = [
        ["A", "N-S" if n < 3 else "E-W", str(n % 3 + 1), " - ".join(PAIRS[n]), ["62.50", "50.00", "37.50"][n % 3], text]
        for n, text in enumerate(last)
    ]
    return [["Section", "Direction", "Number", "Names", "Percentage", head], *rows]


@pytest.mark.parametrize(
    "head",
    [
        *("Ergebnis %", "Resultat %", "Résultat %", "Prozent %", "Gesamt %", "Punkte %", "Puntos %", "Suma %", "In %"),
        *("Matchpoints %", "Score in %", "%-Punkte", "Prozentsatz", "Procenten", "Percentages", "Score", "Percentage"),
    ],
)
def test_a_heading_of_percentages_is_one_everywhere(head: str) -> None:
    said = same(listed(head), few=head != "Ergebnis %")
    assert (said["percentage"], said["awards"]) == ([*map(float, SHARES)], PAID)


@pytest.mark.parametrize("head", ["Form", "Durchschnitt"])
def test_a_heading_that_says_nothing_is_taken_by_its_numbers_everywhere_and_told(head: str) -> None:
    assert same(listed(head))["percentage"] == [*map(float, SHARES)]
    for name, write in CONTAINERS.values():
        remarks = process(Source(name, write(listed(head))), **KEYS).remarks
        assert f"the column '{head}' is taken for the percentage" in " ".join(remark.what for remark in remarks)


def test_scores_of_another_mean_than_percentages_have_are_scores_everywhere() -> None:
    said = same(listed("Score", ["75", "66", "63", "57", "54", "45"]))
    assert (said["score"], said["awards"]) == ([75.0, 66.0, 63.0, 57.0, 54.0, 45.0], PAID)


@pytest.mark.parametrize(
    ("head", "last", "awards"),
    [
        ("Eligible", ["no", "yes", "yes", "yes", "yes", "yes"], [0, 30, 0, 30, 0, 0]),
        ("Paid by", ["SA", "SA", "", "SA", "SA", ""], [30, 0, 0, 30, 0, 0]),
        ("Colours", ["black=0.30", "black=0.21", "", "black=0.30", "black=0.21", ""], [30, 0, 0, 30, 0, 0]),
    ],
)
def test_words_behind_the_scores_are_read_everywhere(head: str, last: list[str], awards: list[int]) -> None:
    said = same(mitchell(head, last))
    assert said["awards"] == awards
    column = {"Eligible": "eligible", "Paid by": "printed_paid_by", "Colours": "printed_colours"}[head]
    assert said[column] == [text == "yes" if head == "Eligible" else text or None for text in last]


def test_strata_behind_the_scores_are_read_everywhere() -> None:
    assert same(mitchell("Stratum", ["A", "B"] * 3), strata="A=open, B=500")["stratum"] == ["A", "B"] * 3


@pytest.mark.parametrize(
    ("name", "called"), [("x", ["x", "x"]), ("N.N.", ["N.N.", "N.N."]), ("0", ["0", "0"]), ("---", ["no. 5", None])]
)
def test_who_is_hardly_named_is_somebody_everywhere(name: str, called: list[str | None]) -> None:
    rows = [[str(n), *pair, share] for n, (pair, share) in enumerate(zip(PAIRS, SHARES, strict=True), 1)]
    rows[4][1:3] = [name, name]
    said = same([["Pair", "Player 1", "Player 2", "Percentage"], *rows])
    assert [said["player1"][4], said["player2"][4]] == called
    assert said["awards"] == PAID


@pytest.mark.parametrize("score", ["~62.50", "n/a", "WD", "-", "62.50!"])
def test_a_score_that_cannot_be_read_is_refused_everywhere_in_the_same_words(score: str) -> None:
    what = f"invalid number: '{score}'; write it as 133 or 133.50"
    assert same(listed("Percentage", [score, *SHARES[1:]]), few=score.isalpha()) == [what]


@pytest.mark.parametrize("score", ["1 062.50", "1'062", "1.042,50"])
def test_thousands_that_nobody_can_be_sure_of_are_refused_everywhere_in_the_same_words(score: str) -> None:
    what = f"invalid number: '{score}'; write it as 133 or 133.50"
    assert same(listed("Total", [score, *SHARES[1:]])) == [what]


def test_a_mark_of_a_footnote_behind_a_score_is_no_part_of_it() -> None:
    assert same(listed("Percentage", ["62.50 (1)", *SHARES[1:]]))["awards"] == PAID


@pytest.mark.parametrize("written", ["{}.", "{} m.", "{}="])
def test_places_are_read_alike_everywhere(written: str) -> None:
    head, *rows = listed("Percentage")
    table = [["Place", *head], *([written.format(n), *row] for n, row in enumerate(rows, 1))]
    assert same(table, few=written != "{}.")["printed_section"] == [f"A={n}" for n in range(1, 7)]


@pytest.mark.parametrize(
    "form", ["{}. {} & {}", "No. {} {} & {}", "Pair {}: {} & {}", "({}) {} & {}", "{}. {} ~ {}", "{}) {} \u00b7 {}"]
)
def test_numbers_before_names_are_none_of_them_anywhere(form: str) -> None:
    names = [form.format(n, *pair) for n, pair in enumerate(PAIRS, 1)]
    said = same(listed("Percentage", names=names), few=not form.startswith("{}"))
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS
    assert said["number"] == [*"123456"]


@pytest.mark.parametrize(
    "form", ["{} and {}.", "{} \u00b7 {}", "{} ~ {}", "{} & {}\u2020", "\u2605 {} & {}", "{} & {} 234.5"]
)
def test_what_stands_beside_names_is_none_of_them_anywhere(form: str) -> None:
    names = [form.format(*pair) for pair in PAIRS]
    lacking = ["PDF"] * (not form.isascii()) + ["text", "PDF"] * form.endswith("5")  # there it is a column
    said = same(listed("Percentage", names=names), without=lacking)
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS


def test_several_blanks_between_names_part_them_where_a_cell_has_both() -> None:
    said = same(listed("Percentage", names=["  ".join(pair) for pair in PAIRS]), without=["page", "page of one line"])
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS
    names = [f"{first.replace(' ', '  ')} & {second}" for first, second in PAIRS]
    said = same(listed("Percentage", names=names), without=["text", "PDF"])
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS


def test_several_blanks_beside_names_that_a_sign_parts_say_nothing() -> None:
    """A slip of the space bar makes no third player, and a number before two blanks is none."""
    names = [" & ".join(pair) for pair in PAIRS]
    said = same(listed("Percentage", names=[names[0].replace(" ", " Ann  ", 1), *names[1:]]), without=["text", "PDF"])
    first, second = PAIRS[0]
    assert (said["player1"][0], said["player2"][0]) == (first.replace(" ", " Ann "), second)
    for form in ("{}  {}", "{}.  {}", "A{}  {}"):
        beside = [form.format(n, each) for n, each in enumerate(names, 1)]
        said = same(listed("Percentage", names=beside), without=["text", "PDF"])
        assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS
    said = same(listed("Percentage", names=[f"{each}  (the last)" for each in names]))
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS


@pytest.mark.parametrize("form", ["{}.", "#{}", "No. {}", "Nr {}", "Pair {}", "({})", "{})"])
def test_numbers_are_without_what_says_that_they_are_numbers_everywhere(form: str) -> None:
    head, *rows = listed("Percentage")
    said = same([head, *([form.format(number), *rest] for number, *rest in rows)], few=form not in {"({})", "No. {}"})
    assert (said["number"], said["awards"]) == ([*"123456"], PAID)


@pytest.mark.parametrize("form", ["({})", "({}%)", "{} pts", "{} points"])
def test_a_unit_or_brackets_are_no_part_of_a_score_anywhere(form: str) -> None:
    said = same(listed("Percentage", [form.format(share) for share in SHARES]))
    assert said["percentage"] == [*map(float, SHARES)]


def test_sums_of_each_direction_are_of_the_rows_above_them_everywhere() -> None:
    rows = [
        [str(n % 3 + 1), " - ".join(PAIRS[n]), score] for n, score in enumerate(["40", "30", "20", "27", "18", "9"])
    ]
    said = same(
        [
            *(["North-South", "", ""], ["Pair", "Names", "Score"], *rows[:3], ["", "Total", "90"]),
            *(["East-West", "", ""], *rows[3:], ["", "Total", "54"]),
        ]
    )
    assert (said["direction"], said["awards"]) == (["N-S"] * 3 + ["E-W"] * 3, [30, 0, 0, 30, 0, 0])


def test_a_row_of_a_page_of_one_line_is_named_by_its_number() -> None:
    _, write = CONTAINERS["page of one line"]
    with pytest.raises(InputError) as raised:
        process(Source("list.html", write(listed("Percentage", [*SHARES[:2], "S2.50", *SHARES[3:]]))), **KEYS)
    assert [problem.where for problem in raised.value.problems] == ["line 1, row 4, cell 3"]


def test_two_names_on_two_lines_of_a_cell_are_two_everywhere() -> None:
    said = same(listed("Percentage", names=["\n".join(pair) for pair in PAIRS]), without=["tabs", "text", "PDF"])
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS


@pytest.mark.parametrize(
    "heads",
    [
        "Platz;Sektion;Linie;Paar;Spieler 1;Spieler 2;Ergebnis %",
        "Plaats;Sectie;Lijn;Paarnr;Speler 1;Speler 2;Percentage",
        "Puesto;Sección;Línea;Nº Pareja;Jugador 1;Jugador 2;Porcentaje",
        "Rang;Section;Ligne;N° Paire;Joueur 1;Joueur 2;Pourcentage",
    ],
)
def test_lists_of_two_directions_are_read_alike_in_any_language(heads: str) -> None:
    sides = [("N-S", "E-W")[n // 3] for n in range(6)]
    rows = [
        [str(n % 3 + 1), "A", side, str(n % 3 + 1), *PAIRS[n], ["62.50", "50.00", "37.50"][n % 3]]
        for n, side in enumerate(sides)
    ]
    said = same([heads.split(";"), *rows])
    assert (said["direction"], said["awards"]) == (sides, [30, 0, 0, 30, 0, 0])


def test_three_columns_of_players_keep_their_names_everywhere(tmp_path: Path) -> None:
    rows = [[str(n), *pair, share] for n, (pair, share) in enumerate(zip(PAIRS, SHARES, strict=True), 1)]
    said = same([["Pair", "Player 1", "Player 2", "Percentage"], *rows])
    assert [*zip(said["player1"], said["player2"], strict=True)] == PAIRS
