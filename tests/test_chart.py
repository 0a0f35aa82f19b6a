"""Masterpoint charts: figures worked by hand from the rates of club games, and the charts' five formats."""

import csv
import io
import json
import re
from pathlib import Path

import example_games
import pandas as pd
import pytest
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from openpyxl import load_workbook

from resultproc.model.errors import InputError, RulebookError
from resultproc.model.frames import GAMES
from resultproc.model.numbers import ordinal
from resultproc.reports.chart import WRITERS, Chart, chart
from resultproc.stages.pipeline import process


def charted(first: float, last: float | None = None, **keys: object) -> Chart:
    game = {"game_id": "chart", "source": "chart", "rating": "club-open", **keys}
    return chart(GAMES.conform(pd.DataFrame([game])), first, last)


def awards(found: Chart, basis: str = "section") -> dict[float, tuple[int, ...]]:
    (block,) = (block for block in found.blocks if block.basis == basis)
    return {row.tables: row.awards for row in block.rows}


def test_section_awards_of_an_open_game() -> None:
    # 0.10 a pair; 70%, 50%, 35%, then 1/5, 1/6; 0.40 of the pairs pay, .5 rounded up; halves rounded up.
    assert awards(charted(4, 13)) == {
        4: (40, 28),
        5: (50, 35),
        6: (60, 42),
        7: (70, 49, 35),
        8: (80, 56, 40),
        9: (90, 63, 45, 32),
        10: (100, 70, 50, 35),
        11: (110, 77, 55, 39),
        12: (120, 84, 60, 42, 24),
        13: (130, 91, 65, 46, 26),
    }


def test_the_cap_of_an_open_game() -> None:
    found = charted(15, 16)
    assert awards(found) == {15: (150, 105, 75, 53, 30, 25), 16: (150, 105, 75, 53, 30, 25)}
    assert "capped at 1.50" in found.blocks[0].rows[1].ladder.factors
    assert "capped" not in found.blocks[0].rows[0].ladder.factors


REMARKED = "was paid 3.55 for first where this gives 2.30"


@pytest.mark.parametrize("to", ["text", "html", "json", "xlsx"])
def test_a_chart_says_what_is_remarked_on_its_values(to: str) -> None:
    # 6.5 x 1.25 x B(7) .28333 = 2.30; the remark is the one that `award` prints of such a game.
    found = charted(7, rating="club-championship", date="2026-05-05")
    assert awards(found, "overall")[7][0] == 230
    assert [REMARKED in note for note in found.notes] == [True]
    content = WRITERS[to](found)
    if to == "xlsx":
        told = str(load_workbook(io.BytesIO(content)).worksheets[0]["A3"].value)
    else:
        told = " ".join(content.decode().split())
    assert REMARKED in told


def test_what_goes_by_holdings_has_no_chart() -> None:
    with pytest.raises(InputError) as caught:
        charted(4, 6, rating="regional", date="2022-05-05", boards=26)
    (problem,) = caught.value.problems
    assert problem.what == "there is no chart of these awards: overall they go by the holdings of those who play"
    assert charted(4, rating="regional", date="2022-05-05", boards=26, special="side-game").blocks


def test_half_tables_of_a_howell_are_rows_of_their_own() -> None:
    # 5 1/2 tables are 11 pairs; 0.40 x 9 = 3.6 and 0.40 x 11 = 4.4: four places each.
    expected = {4.5: (90, 63, 45, 32), 5: (100, 70, 50, 35), 5.5: (110, 77, 55, 39)}
    assert awards(charted(4.5, 5.5, movement="howell")) == expected


@pytest.mark.slow
def test_half_tables_of_a_mitchell_pay_as_the_next_whole_one() -> None:
    assert awards(charted(7.5)) == {7.5: (80, 56, 40)}
    assert list(awards(charted(7, 8))) == [7, 8]
    assert list(awards(charted(7, 7.5))) == [7, 7.5]


def test_a_limited_game_has_its_own_rate_and_cap() -> None:
    # 0.07 up to 200 masterpoints, and 1.20 at most.
    found = awards(charted(10, 20, limit=200.0))
    assert found[10] == (70, 49, 35, 25)  # 35% of 0.70 is 0.245, rounded up
    assert found[20][0] == 120


def test_a_board_a_match_game_pays_a_tenth_more() -> None:
    found = charted(5, event_type="bam")
    assert awards(found) == {5: (55, 39)}  # 70% of 0.55 is 0.385
    assert found.keys["event_type"] == "bam"
    assert "movement" not in found.keys


@pytest.mark.slow
def test_overall_awards_of_two_sections() -> None:
    found = charted(12, 30)
    overall = awards(found, "overall")
    # 0.10 a table up to 2.50, each place 75% of the one above, six places: 1.20 0.90 0.675 0.50625 0.3797 0.2848.
    assert overall[12] == (120, 90, 68, 51, 38, 28)
    assert overall[25][0] == overall[30][0] == 250
    assert [block.sections for block in found.blocks] == [1, 2]


def test_section_and_overall_awards_of_a_tournament() -> None:
    found = charted(30, rating="regional", rulebook="acbl-general-formula-2003")
    # B = (30 + 10) / 60, R = 14: 9.33, and 75% from place to place; a section half of it, 70, 50, 35%.
    assert awards(found, "overall")[30][:6] == (933, 700, 525, 394, 295, 221)
    assert awards(found)[30][:4] == (467, 327, 234, 163)
    assert [(block.basis, block.sections) for block in found.blocks] == [("section", 1), ("overall", 1)]


def test_each_session_of_an_event_of_two() -> None:
    found = charted(20, rating="sectional", sessions=2, rulebook="acbl-general-formula-2003")
    # B = 0.5, R = 10: each session pays half of 5.00, the event of two sessions 1.5 x 5.00.
    assert [block.basis for block in found.blocks] == ["session", "overall"]
    assert awards(found, "session")[20][:2] == (250, 175)
    assert awards(found, "overall")[20][:2] == (750, 563)


def test_one_table_too_small_for_any_award_has_an_empty_row() -> None:
    assert awards(charted(1)) == {1: ()}  # 0.40 x 1 = 0.4 places


@pytest.mark.parametrize(("first", "last"), [(20, 4), (4, 2000), (1, 900)])
def test_tables_that_cannot_be_charted(first: float, last: float) -> None:
    with pytest.raises(InputError, match=r"4:20|smaller number first"):
        charted(first, last)


def test_half_a_table_seats_no_team() -> None:
    with pytest.raises(InputError, match="does not fit at half a table"):
        charted(4.5, event_type="bam")
    assert list(awards(charted(4, 6, event_type="bam"))) == [4, 5, 6]


def test_a_missing_key_is_told_once() -> None:
    with pytest.raises(InputError, match="limit") as error:
        charted(4, 20, rating="club-restricted")
    assert len(error.value.problems) == 1


def test_an_unknown_rulebook() -> None:
    with pytest.raises(RulebookError, match="did you mean 'acbl-club'"):
        charted(9, rulebook="acbl-clubs")


@examples(12)
@given(st.integers(2, 40), st.sampled_from(["mitchell", "howell"]), st.sampled_from(["open", "200", "20"]))
def test_a_game_pays_what_its_chart_says(
    tmp_path_factory: pytest.TempPathFactory, halves: int, movement: str, limit: str
) -> None:
    tables = halves / 2
    sides = {"N-S": (halves + 1) // 2, "E-W": halves // 2} if movement == "mitchell" else {"": halves}
    scores = [row for side, count in sides.items() for row in example_games.field("A", side, count, 70)]
    path = tmp_path_factory.mktemp("chart") / "game.csv"
    keys = {"rating": "club-open", "tables": f"{tables:g}", "movement": movement, "limit": limit}
    path.write_text(example_games.csv(scores, **keys), "utf-8")
    result = process(path, format="csv")
    first_side = next(iter(sides.values()))
    paid = [award for award in result.awards["masterpoints"][:first_side] if award]
    found = charted(tables, movement=movement, limit=float("inf") if limit == "open" else float(limit))
    assert list(awards(found)[tables]) == paid


@pytest.fixture
def own(tmp_path: Path) -> str:
    """Return a rulebook whose title would be a formula in a spreadsheet and a tag in a page."""
    path = tmp_path / "own.toml"
    path.write_text(
        'extends = "acbl-club"\ntitle = "=1+1<b>"\n[bonus.factor]\nvalue = 1.1\ncite = "=2+2<i>"\n', "utf-8"
    )
    return str(path)


@pytest.mark.slow
def test_text(own: str) -> None:
    lines = WRITERS["text"](charted(9, limit=200.0, sessions=1)).decode().splitlines()
    assert lines[0] == "Masterpoint chart: club-open, pairs, mitchell, limit 200"
    assert lines[2] == "boards is not declared: the awards are those for 18 boards"
    header, row = lines[6], lines[7]
    assert header.split()[:6] == ["Tables", "Contestants", "1st", "2nd", "3rd", "4th"]
    # 0.07 x 9 = 0.63; 70% 0.441, 50% 0.315, 35% 0.2205.
    assert row.split()[:6] == ["9", "9", "0.63", "0.44", "0.32", "0.22"]
    assert max(map(len, lines)) <= 80
    assert lines[9:11] == ["Tables  Rule  How", "     9     1  first 0.63 (0.07 x 9 = 0.63); 4 places pay"]
    assert any(line.startswith("1  ACBL Handbook") for line in lines)
    assert "=1+1<b>" in WRITERS["text"](charted(9, rulebook=own)).decode()


def test_a_wide_chart_as_text_goes_on_in_tables_of_80_columns_with_nothing_left_out() -> None:
    found = charted(38, 40, boards=24)
    lines = WRITERS["text"](found).decode().splitlines()
    assert max(map(len, lines)) <= 80
    section = lines[lines.index("Section awards") : lines.index("Overall awards (the tables in two sections)")]
    amounts = [each for line in section for each in line.split()[2:] if line.split()[:2] == ["40", "40"]]
    awards_of_40 = next(row.awards for row in found.blocks[0].rows if row.tables == 40)
    assert amounts == [f"{award / 100:.2f}" for award in awards_of_40]
    assert len(amounts) > 12
    hows = {row.ladder.factors for row in found.blocks[0].rows}
    assert all(how in " ".join(" ".join(section).split()) for how in hows)


def test_csv(own: str) -> None:
    text = WRITERS["csv"](charted(4, 9, rulebook=own)).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    # A tenth more: 0.40 x 1.1 = 0.44, 70% of it 0.308.
    assert (rows[0]["awards"], rows[0]["tables"], rows[0]["1st"], rows[0]["2nd"], rows[0]["3rd"]) == (
        *("section", "4", "0.44", "0.31", ""),
    )
    assert not re.search(r"(^|,)[\"]?[=+@-]", text, re.MULTILINE)


def test_xlsx(own: str) -> None:
    workbook = load_workbook(io.BytesIO(WRITERS["xlsx"](charted(8, 9, rulebook=own))))
    assert workbook.sheetnames == ["Section", "Overall", "Rules"]
    sheet = workbook["Section"]
    assert [cell.value for cell in sheet[4]][:4] == ["Tables", "Contestants", "1st", "2nd"]
    # 0.90 x 1.1 = 0.99; 70% 0.693, 50% 0.495, 35% 0.3465.
    assert [cell.value for cell in sheet[6]][:6] == [9, 9, 0.99, 0.69, 0.5, 0.35]
    assert sheet["C6"].number_format == "0.00"
    assert sheet.freeze_panes == "B5"
    assert all(cell.data_type != "f" for each in workbook for row in each.iter_rows() for cell in row)


def test_a_workbook_is_readable_on_paper_and_its_citations_have_a_sheet_of_their_own() -> None:
    """So wide is a character of a column that 135 of them fill a sheet on its side; it was printed at 4 points."""
    found = charted(4, 20)
    workbook = load_workbook(io.BytesIO(WRITERS["xlsx"](found)))
    for sheet in workbook.worksheets:
        wide = sum(each.width for each in sheet.column_dimensions.values())
        # What is too long for its column runs on over those beside it, and is on paper, too.
        titles = [len(str(row[0].value or "")) * row[0].font.sz / 11 for row in sheet.iter_rows(1, 3, 1, 1)]
        assert max(wide, *titles) <= 135.1, sheet.title
        size = sheet.cell(6, 1).font.sz
        assert size == 11 if sheet.title == "Rules" else size >= 14, (sheet.title, size)
    rules = [each.value for row in workbook["Rules"].iter_rows() for each in row if each.value is not None]
    assert all(rule in rules for block in found.blocks for rule in block.rules)
    assert all(row.ladder.factors in rules for block in found.blocks for row in block.rows)
    texts = {str(cell.value) for name in ("Section", "Overall") for row in workbook[name].iter_rows(5) for cell in row}
    assert not any("Handbook" in text or "x 24/18" in text for text in texts)


def test_a_page_says_what_the_chart_is_for_in_words() -> None:
    keys = {"game_id": ["chart"], "rating": ["club-open"], "boards": [24], "strata": ["A=open, B=1000, C=200"]}
    found = chart(GAMES.conform(pd.DataFrame(keys)), 4, 5)
    page = html.document_fromstring(WRITERS["html"](found).decode())
    said = [each.text for each in page.xpath("//ul[@class='facts']/li")]
    assert said[:2] == ["Open club game", "pairs"]
    assert said[2:] == ["Mitchell", "24 boards", "A open, B under 1000, C under 200"]


def test_html_is_one_accessible_page(own: str) -> None:
    data = WRITERS["html"](charted(8, 9, rulebook=own)).decode()
    assert not re.search(r"https?:|src=|<link", data)
    page = html.document_fromstring(data)
    assert not page.xpath("//b | //i")
    assert "=1+1<b>" in page.text_content()
    assert page.get("lang") == "en"
    table = page.xpath("//table")[0]
    assert page.xpath(f"//h2[@id='{table.get('aria-labelledby')}']")[0].text == "Section awards"
    assert page.xpath("//ul[@class='facts']/li")[0].text == "Open club game"
    assert [th.text for th in table.xpath(".//thead//th[@scope='col']")][:3] == ["Tables", "Contestants", "1st"]
    rows = [(row.findtext("th[@scope='row']"), row.findtext("td[2]")) for row in table.xpath(".//tbody/tr")]
    assert rows == [("8", "0.88"), ("9", "0.99")]


def test_json() -> None:
    content = json.loads(WRITERS["json"](charted(9, movement="howell")))
    assert content["game"]["rulebook"] == "acbl-club-2023"
    assert content["notes"] == ["boards is not declared: the awards are those for 18 boards"]
    block = content["awards"][0]
    assert (block["basis"], block["sections"]) == ("section", 1)
    (row,) = block["rows"]
    # 18 pairs: 0.10 x 18 = 1.80, capped at 1.50; 0.40 x 18 = 7.2 places; 5th 1/5, 6th 1/6, 7th 1/7 = 0.214.
    assert row["masterpoints"] == ["1.50", "1.05", "0.75", "0.53", "0.30", "0.25", "0.21"]
    assert (row["tables"], row["contestants"]) == (9, 18)


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st")]
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text


STRATA = {"strata": "A=open, B=1000, C=200"}


def test_each_stratum_has_a_chart_of_its_own() -> None:
    found = charted(7, 9, **STRATA)
    expected = [*(("section", letter) for letter in "ABC"), *(("overall", letter) for letter in "ABC")]
    assert [(block.basis, block.stratum[:1]) for block in found.blocks] == expected
    first = {block.stratum[:1]: {row.tables: row.awards for row in block.rows} for block in found.blocks[:3]}
    # The game of 18 April 2012: 0.10 x 9 in A, 0.08 x 7 in B.
    assert first["A"][9] == (90, 63, 45, 32)
    assert first["B"][7] == (56, 39, 28)
    assert first["C"][7] == (49, 34, 25)  # 0.07 x 7 = 0.49, 0.343, 0.245: halves go up
    # A club's overall awards: the rate of the stratum by the tables, then three quarters each: 0.08 x 8 = 0.64, 0.48.
    overall = next(block for block in found.blocks if (block.basis, block.stratum[:1]) == ("overall", "B"))
    assert next(row.awards for row in overall.rows if row.tables == 8)[:2] == (64, 48)


@pytest.mark.slow
def test_charts_of_strata_say_so_in_every_format() -> None:
    found = charted(7, 9, **STRATA)
    text = WRITERS["text"](found).decode()
    assert text.startswith("Masterpoint chart: club-open, pairs, mitchell, strata A=open, B=1000, C=200\n")
    assert "\nSection awards, stratum A (open)\n" in text
    rules = {rule for block in found.blocks for rule in block.rules}
    assert len(rules) < sum(len(block.rules) for block in found.blocks)
    assert len(re.findall(r"(?m)^[0-9]+  [A-Z]", text)) == len(rules)  # each is cited once
    assert "\nOverall awards, stratum C (under 200) (the tables in two sections)\n" in text
    rows = list(csv.DictReader(io.StringIO(WRITERS["csv"](found).decode())))
    assert {row["stratum"] for row in rows} == {"A", "B", "C"}
    assert [block["stratum"] for block in json.loads(WRITERS["json"](found))["awards"]] == [*"ABCABC"]
    workbook = load_workbook(io.BytesIO(WRITERS["xlsx"](found)))
    blocks = [f"{basis} {letter}" for basis in ("Section", "Overall") for letter in "ABC"]
    assert workbook.sheetnames == [*blocks, "Rules"]
    assert {workbook[name].page_setup.fitToHeight for name in blocks} == {1}
    assert "Section awards, stratum B (under 1000)" in WRITERS["html"](found).decode()
    plain = charted(7, 9)
    assert "stratum" not in WRITERS["csv"](plain).decode().splitlines()[0]
    assert all("stratum" not in block for block in json.loads(WRITERS["json"](plain))["awards"])
