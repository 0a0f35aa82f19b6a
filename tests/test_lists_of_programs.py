"""Pages and texts that programs of clubs write, made up after their layouts: what is read of each, and what is none."""

import io
import re
import zipfile

import pandas as pd
import pytest
from workbooks import workbook

from resultproc import process, read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source

Rows = list[tuple[object, ...]]


def sheet(content: str, name: str = "page.html") -> Sheet:
    return read(Source(name, content.encode()))


def told(found: Sheet, *columns: str) -> Rows:
    frame = found.contestants[[*columns]]
    return [tuple(None if pd.isna(value) else value for value in row) for row in frame.itertuples(index=False)]


def table(*rows: list[str]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in rows) + "</table>\n"


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
    assert told(sheet(BBO_IMPS), "player1", "score") == [("ash", 12.33), ("cedar", 6.0), ("elm", 0.67), ("gum", -19.0)]


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


MAGIC = """<HTML><HEAD><TITLE>{title}</TITLE>
<META name=Generator content="Magic Contest"><META name=ContestDate content="2014-02-18">
<META name=ContestName content="{title}"><META name=TableCount content="3"><META name=BoardCount content="24">
</HEAD><BODY><PRE>
3 tables, 6 pairs. Number of boards: 24. IMPs across the field.

Rank  Pair  Score  Name                               M-ID

   1     3    133  Harald Ash - Bo Birch           +3 +103
   2     4     33  Oliver Cedar - Di Dale         +11  +34
   3     6      4
   4     2    -10  Adrian Fir - Gus Gum            +1   +2
   5     1    -45  Xavier Hazel - Ivy Jay         +36  +56
   6     5   -115  Bogdan Kay - Leo Lime          +78  +77

----------------------------------------------------------
</PRE></BODY></HTML>
"""


def test_first_names_of_one_length_are_no_column_and_a_pair_without_names_is_one() -> None:
    found = sheet(MAGIC.format(title="Monday Pairs"))
    assert told(found, "number", "player1", "player2", "score") == [
        ("3", "Harald Ash", "Bo Birch", 133.0),
        ("4", "Oliver Cedar", "Di Dale", 33.0),
        ("6", "no. 6", None, 4.0),
        ("2", "Adrian Fir", "Gus Gum", -10.0),
        ("1", "Xavier Hazel", "Ivy Jay", -45.0),
        ("5", "Bogdan Kay", "Leo Lime", -115.0),
    ]
    assert any("has no names: it is called 'no. 6'" in remark.what for remark in found.remarks)


def test_a_phantom_pair_is_no_missing_row_and_marks_and_members_are_no_results() -> None:
    text = MAGIC.format(title="Monday Pairs").replace("6 pairs.", "5 pairs, 1 phantom pair.")
    text = text.replace("   3     6      4\n", "   3     6      4  Ed Elm - Flo Fox                +41  +42\n")
    text = re.sub("   6     5 .*\n", "", text)
    text = text.replace("    -45  Xavier", "   -160  Xavier")
    for score in ("133", "33", "4", "-10", "-160"):
        text = text.replace(f"{score:>7}  ", f"{score:>7} *")
    found = process(Source("page.htm", text.encode()), rating="club-open")
    assert found.games["sit_outs"].tolist() == [1]
    assert not [each.what for each in found.remarks]


@pytest.mark.parametrize(
    ("title", "name", "date", "remarks"),
    [
        ("Monday Pairs", "page.htm", "2014-02-18", 0),
        ("17.02.2014", "results2014-02-17.htm", "2014-02-17", 1),
        ("17.02.2014", "results2014-02-18.htm", "2014-02-18", 1),
        ("17.02.2014", "page.htm", None, 1),
        ("Monday Pairs", "results2014-02-19.htm", "2014-02-18", 1),
    ],
)
def test_a_date_that_is_told_in_several_ways_is_remarked_on(title: str, name: str, date: str, remarks: int) -> None:
    found = sheet(MAGIC.format(title=title), name)
    told_date = found.games["date"].iloc[0]
    assert (None if pd.isna(told_date) else str(told_date)[:10]) == date
    assert sum("the date is told in several ways" in remark.what for remark in found.remarks) == remarks


def test_an_event_that_is_called_by_its_date_has_no_name() -> None:
    assert pd.isna(sheet(MAGIC.format(title="18.02.2014")).games["event"].iloc[0])


def test_a_list_made_before_the_game_was_scored_is_refused() -> None:
    rows = [[str(n), f"Ann {n} - Bob {n}", "0,0"] for n in range(1, 7)]
    with pytest.raises(InputError, match="all scores of this list are 0"):
        sheet(table(["Rank", "Names", "Score"], *rows))


def test_a_page_of_a_tournament_on_the_web_is_called_by_its_title() -> None:
    game = sheet(BBO_IMPS).games.iloc[0]
    assert (game["event"], game["club"], game["tables"]) == ("#4711 Pairs Town Cup", "townclub", "2")


def test_places_with_a_sign_before_them_are_a_column_beside_the_names() -> None:
    names = ["Olteanu", "Sechelea", "Nutescu", "Gradinaru", "Hoza", "Matoianu", "Boboc"]
    places = ["1", "2", "=2", "4", "5", "=5", "7"]
    shares = [62.5, 55.5, 55.5, 50.0, 45.25, 45.25, 36.0]
    lines = [f"{p:>4} {n:<20}{n[::-1].title():<20}{s:>8}" for p, n, s in zip(places, names, shares, strict=True)]
    found = sheet("\n".join(lines), "list.txt")
    assert told(found, "player1", "percentage") == list(zip(names, shares, strict=True))


def test_scripts_in_a_table_are_no_text_of_it() -> None:
    page = table(["<script>show('logo', 'a.php');</script>", "Turniej Par"]) + BBO_IMPS[BBO_IMPS.index("<p>") :]
    assert "show(" not in str(sheet(page).games["event"].iloc[0])


def test_one_tab_parts_columns_though_the_last_is_left_out() -> None:
    text = "Classement NS\nRang\tRang général\tEquipe\t%\tPE\n"
    text += "1\t1\tAnne Frêne - Bo Hêtre\t70,47%\t762\n2\t36\tClé Orme - Di Saule\t53,92%\t115\n"
    text += "3\t78\tEd If - Flo Lis\t47,05%\n4\t99\tGus Pin - Hal Thym\t28,56%\n"
    text += "Classement EO\nRang\tRang général\tEquipe\t%\tPE\n"
    text += "1\t19\tIvy Cep - Jo Blé\t55,50%\t181\n2\t67\tKim Riz - Lou Mil\t53,01%\t39\n"
    text += "3\t73\tMia Ail - Noa Nid\t46,65%\n4\t80\tOto Sel - Pia Vin\t44,84%\n"
    found = sheet(text, "list.txt").contestants
    assert list(found["percentage"]) == [70.47, 53.92, 47.05, 28.56, 55.5, 53.01, 46.65, 44.84]
    assert list(found["player2"])[:2] == ["Bo Hêtre", "Di Saule"]


SIDES = [("Ann - Bob", "60,00", "Ida - Jon", "58,00"), ("Cy - Di", "55,50", "Kim - Lea", "54,25")]
SIDES += [("Ed - Flo", "44,50", "Max - Nia", "46,75"), ("Gus - Hal", "40,00", "Oto - Pia", "41,00")]


@pytest.mark.parametrize("heads", [("North-South", "%", "East-West", "%"), ("Norte-Sul", "perc", "Este-Oeste", "perc")])
def test_names_below_each_direction_are_lists_side_by_side(heads: tuple[str, ...]) -> None:
    found = sheet(table(["Place", *heads], *([str(n), *row] for n, row in enumerate(SIDES, 1))))
    assert told(found, "direction", "player1", "percentage")[::4] == [("N-S", "Ann", 60.0), ("E-W", "Ida", 58.0)]
    assert len(found.contestants) == 8


def test_two_lists_side_by_side_that_nothing_tells_apart_are_refused() -> None:
    with pytest.raises(InputError, match="two lists stand side by side here"):
        sheet(table(*([str(n), *row[:3], "Elks", row[3]] for n, row in enumerate(SIDES, 1))))


def test_numbers_before_the_names_are_no_scores() -> None:
    with pytest.raises(InputError, match="list of results"):
        sheet(table(*([str(n), f"Final {n} Ash vs Birch"] for n in range(64, 71))))


def test_a_file_of_another_program_is_told_at_once() -> None:
    content = '{"packages": {' + ", ".join(f'"a{n}": {{"version": "1.{n}"}}\n' for n in range(50_000)) + "}}"
    with pytest.raises(InputError, match="a file of another program"):
        sheet(content, "lock")


def test_lists_of_some_on_a_page_of_a_tournament_are_left_out() -> None:
    some = table(["Boards", "Show boards"]) + "<p>Your Friends</p>"
    some += table(["Username", "Score", "Rank"], ["ash", "12.33", "1"], ["fir", "0.67", "3"])
    some += "<p>Honor list (Overall leaders)</p>"
    some += table(["Rank", "Username", "Score (IMPs)"], ["1", "lime+yew", "40.00"], ["2", "ash+birch", "12.33"])
    found = sheet(BBO_IMPS.replace("<p>Section 1</p>", some + "<p>Section 1</p>"))
    assert told(found, "section", "player1") == [("1", "ash"), ("1", "cedar"), ("1", "elm"), ("1", "gum")]
    assert sum("of some contestants alone" in remark.what for remark in found.remarks) == 2


def test_sessions_of_the_same_contestants_are_refused() -> None:
    heads = ["Rank", "Names", "%"]
    first = [["1", "Ann - Bob", "60"], ["2", "Cy - Di", "50"], ["3", "Ed - Flo", "40"]]
    second = [["1", "Ann - Bob", "55"], ["2", "Cy - Di", "50"], ["3", "Ed - Flo", "45"]]
    with pytest.raises(InputError, match="the same contestants and other scores: 60 and 55"):
        sheet(f"<p>One</p>{table(heads, *first)}<p>Two</p>{table(heads, *second)}")


def test_a_handicap_below_zero_is_left_to_a_remark() -> None:
    rows = [["1", "Ann - Bob", "60", "-1.5"], ["2", "Cy - Di", "50", "2"], ["3", "Ed - Flo", "40", "0.5"]]
    found = sheet(table(["Rank", "Names", "%", "Hcp"], *rows))
    assert told(found, "percentage") == [(60.0,), (50.0,), (40.0,)]
    assert any("'Hcp' is not read" in remark.what for remark in found.remarks)


PLACES = table(
    ["#", "PAIR", "RANK", "RESULTS"], *([str(n), f"Ann {n} and Bob {n}", str(5 - n), "more"] for n in range(1, 5))
)
SEASON = "Loc,Nume,PE\n1,Ash Ann,1534\n2,Birch Bob,1283\n3,Cedar Cy,1257\n"
DAYS = table(*([f"{day}<p>Results" for day in range(first, first + 7)] for first in (6, 13, 20)))


@pytest.mark.parametrize(
    ("content", "what"),
    [(PLACES, "has places but no scores"), (SEASON, "has places but no scores"), (DAYS, "no list of results")],
    ids=["places", "season", "calendar"],
)
def test_rankings_without_scores_and_calendars_are_told_what_they_are(content: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        sheet(content, "file")


def test_a_sheet_of_members_is_told_that_it_has_no_scores() -> None:
    rows = [["Number", "Player 1", "Email"], ["1", "Ann Ash", "a@x"], ["2", "Bob Birch", "b@x"]]
    with pytest.raises(InputError, match="this sheet has no column of scores") as caught:
        read(Source("members.xlsx", workbook(Sheet=rows)))
    assert "printed_" not in str(caught.value)


def test_documents_of_word_processors_are_told_from_workbooks() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("word/document.xml", "<w:document/>")
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "WordDocument".encode("utf-16-le") + b"\0" * 600
    for name, content in (("a.docx", data.getvalue()), ("a.doc", old)):
        with pytest.raises(InputError, match="a document of a word processor"):
            read(Source(name, content))


def test_digits_of_some_names_are_no_member_numbers() -> None:
    page = BBO_IMPS.replace("ash+birch", "2345 TF+Babs 1998")
    found = sheet(page).contestants
    assert [found["player1"][0], found["player2"][0]] == ["2345 TF", "Babs 1998"]
    assert "id1" not in found or found["id1"].isna().all()


def test_a_workbook_of_several_sessions_is_told_by_its_sheets() -> None:
    rows = [["Ann Ash - Bo Birch", 60], ["Cy Cedar - Di Dale", 50], ["Ed Elm - Flo Fir", 40]]
    sheets = {"T1": rows, "T2": rows[::-1], "T1+T2": rows}
    ranked = {t: [["Rank", "Names", "%"], *([n, *row] for n, row in enumerate(each, 1))] for t, each in sheets.items()}
    with pytest.raises(InputError, match=r"the sheets 'T1', 'T1\+T2' list the same contestants"):
        read(Source("year.xlsx", workbook(**ranked)))


def test_names_that_begin_with_a_comma_are_columns_that_run_into_each_other() -> None:
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    lines = [f"{name:<6}, Ash     , {60 - 4 * n}.0" for n, name in enumerate(names)]
    with pytest.raises(InputError):
        sheet("\n".join(lines), "list.txt")


@pytest.mark.parametrize(
    ("names", "first", "second"),
    [
        ("Filimon I - Zavloschi", "Filimon I", "Zavloschi"),
        ("Ana Paz y Eva Sol", "Ana Paz", "Eva Sol"),
        ("ANA PAZ Y EVA SOL", "ANA PAZ", "EVA SOL"),
    ],
)
def test_an_initial_is_no_word_between_names(names: str, first: str, second: str) -> None:
    rows = [
        [str(n), names if n == 1 else names.replace(first, first + "A" * n), f"{70 - 10 * n}.5"] for n in range(1, 4)
    ]
    assert told(sheet(table(["Rank", "Names", "%"], *rows)), "player1", "player2")[0] == (first, second)
