"""Files judged by what they do not say: what contradicts itself, what is hidden, and what people write otherwise."""

import io
from contextlib import suppress
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from conftest import FIXTURES, File
from games import mp
from openpyxl.styles import Font
from samples import SAMPLES, real
from workbooks import workbook

from resultproc.formats.loaded import load_source
from resultproc.formats.read import read
from resultproc.formats.registry import decode
from resultproc.formats.xlsx.writer import write
from resultproc.model.dates import date_in, written_date
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.model.source import Source
from resultproc.reports.check import check
from resultproc.reports.check import text as check_text
from resultproc.reports.lint import lint
from resultproc.reports.new import sidecar_text
from resultproc.stages.pipeline import process

NAME = "game.csv"
HEAD = "# date: 2026-05-12\n# rating: club-open\n# boards: 18\n"
NAMES = ["Ann Ash - Bob Birch", "Cy Cedar - Di Dale", "Ed Elm - Flo Fir", "Gus Gum - Hal Holm", "Ivy Ilex - Jan June",
         "Kit Kale - Lou Larch", "Max May - Ned Nut", "Ola Oak - Pam Pine"]  # fmt: skip
SCORES = [100, 95, 90, 85, 75, 70, 65, 60]


def howell(*rows: str, columns: str = "Pair,Names,Score,Pct", head: str = HEAD + "# tables: 4\n") -> str:
    """Return a CSV of eight pairs; rows: what stands after their names, by default scores of 160."""
    rows = rows or tuple(f"{score},{score / 1.6:.2f}" for score in SCORES)
    listed = (f"{n},{name},{row}" for n, (name, row) in enumerate(zip(NAMES, rows, strict=False), 1))
    return "\n".join([f"{head}{columns}", *listed, ""])


def awards(result: Result) -> list[str]:
    return [mp(award) for award in result.awards["masterpoints"]]


def told(path: Path, **keys: object) -> list[str]:
    return [str(remark) for remark in lint(path, **keys).remarks]


def refusal(path: Path, **keys: object) -> str:
    with pytest.raises(InputError) as caught:
        process(path, **keys)
    return str(caught.value)


# Scores beside percentages.


def test_a_score_beside_a_percentage_of_another_is_refused(file: File) -> None:
    fine = howell()
    assert told(file(fine)) == []
    # 70.5 of 160 is 44.06%; the percentage is that of 70 still, and no order is turned round.
    path = file(fine.replace("70,43.75", "70.5,43.75"))
    said = "line 11: the score 70.50 of A 6 is 44.06% of 160, the maximum of the others, and its percentage is 43.75"
    assert said in refusal(path)
    assert [said in remark for remark in told(path)] == [True]


def test_boards_that_were_not_played_may_explain_it_and_are_not_taken_for_granted(file: File) -> None:
    # 16 of 18 boards: 142.22 of 160, of which 70 is 49.22%; 17 of 18 is 151.11.
    path = file(howell().replace("70,43.75", "70,49.22").replace("60,37.50", "60,39.71"))
    (remark,) = told(path)
    assert "A 6 (70.00 and 49.22%, not 43.75%)" in remark
    assert "(60.00 and 39.71%, not 37.50%)" in remark
    assert "unless boards that were not played explain it" in remark
    assert process(path).awards is not None


@real
def test_no_corrected_score_beside_the_old_percentage_passes_without_a_word() -> None:
    """Every half matchpoint that is up to 12 from the right score: some look like a number of boards."""
    text = (SAMPLES / "office" / "corr2-6-12.csv").read_text("utf-8")
    passed = []
    for half in [n for n in range(-24, 25) if n]:
        given = Source("a.csv", text.replace("45.0,57.00", f"{57 + half / 2},57.00").encode())
        with suppress(InputError):
            remarks = process(given, rating="club-open", boards=24).remarks
            passed += [] if any("at-odds" in each.code for each in remarks) else [half]
    assert passed == []


def test_in_a_section_with_sit_outs_it_is_remarked_on(file: File) -> None:
    text = howell(head=HEAD + "# tables: 4.5\n") + "9,Quin Quince - Ray Rose,55,34.38\n"
    assert not any("the maximum of the others" in remark for remark in told(file(text)))
    changed = file(text.replace("70,43.75", "70,47.00"))
    assert any("the score 70.00 of A 6 is 43.75% of 160" in remark for remark in told(changed))
    assert process(changed).awards is not None


def test_victory_points_have_no_maximum(file: File) -> None:
    percentages = [83.33, 79.17, 75, 66, 62.5, 58.33]  # the fourth without the points of a bye
    rows = enumerate(zip("abcdef", SCORES, percentages, strict=False), 1)
    teams = "".join(f"{n},A{c} Ash,B{c} Bo,C{c} Ce,D{c} Di,{score},{6 - n},{share}\n" for n, (c, score, share) in rows)
    head = "# date: 2012-05-12\n# rating: sectional\n# boards: 7\n# tables: 6\n"
    path = file(f"{head}Team,Player1,Player2,Player3,Player4,Score,Wins,Pct\n{teams}")
    assert not any("the maximum of the others" in remark for remark in told(path, event_type="swiss"))
    assert any("the maximum of the others" in remark for remark in told(path, event_type="bam"))


def test_of_several_scores_that_changed_each_is_named(file: File) -> None:
    path = file(howell().replace("70,43.75", "71,43.75").replace("95,59.38", "96,59.38"))
    assert [line.split(":")[1] for line in refusal(path).splitlines()] == [" line 7", " line 11"]


@pytest.mark.slow
def test_the_workbook_computes_its_percentages_from_the_scores(file: File) -> None:
    data = write(process(FIXTURES / "wed-open-pairs-2012-04-18.csv"))
    formulas, values = (openpyxl.load_workbook(io.BytesIO(data), data_only=only)["Data"] for only in (False, True))
    assert (formulas["G4"].value, formulas["H4"].value, values["H4"].value) == (140.5, "=ROUND(100*G4/216,2)", 65.05)
    book = openpyxl.load_workbook(io.BytesIO(data))
    book["Data"]["G4"] = 120  # 55.56% of 216
    book["Data"]["G5"] = "72,5"  # 33.56%; as text, with a decimal comma
    saved = io.BytesIO()
    book.save(saved)
    contestants = read(file(saved.getvalue(), "edited.xlsx")).contestants
    assert contestants.loc[1, ["score", "percentage"]].tolist() == [72.5, 33.56]
    assert contestants.loc[0, ["score", "percentage"]].tolist() == [120, 55.56]
    assert (
        contestants["percentage"].tolist()[2:]
        == read(file(data, "as-it-was.xlsx")).contestants["percentage"].tolist()[2:]
    )


@real
@pytest.mark.parametrize("name", ["edited.xlsx", "edcsv.csv"])
def test_real_corrections_beside_old_percentages_are_refused(name: str) -> None:
    assert "the score 120.00 of A N-S 1 is 55.56% of 216" in refusal(SAMPLES / "director" / name)


# Titles.

TITLES: dict[str, tuple[str, dict[str, object]]] = {
    "boards beside tables": ("Tue Pairs\n5 tables, 24 boards", {"event": "Tue Pairs", "tables": "5", "boards": 24}),
    "boards alone": ("Tue Pairs\n24 boards", {"event": "Tue Pairs", "boards": 24}),
    "boards played": ("Tue Pairs\nBoards played: 24", {"event": "Tue Pairs", "boards": 24}),
    "boards of a session of matches": ("Swiss Teams\n24 boards", {"event": "Swiss Teams", "boards": None}),
    "no number of boards": ("Tue Pairs\n0 boards", {"event": "Tue Pairs", "boards": None}),
    "a year of two digits": ("Tue Pairs\n12-May-26", {"date": "2026-05-12"}),
    "a count after the day": ("Tue Pairs 12 May\n12 May 24 boards", {"date": None}),
    "the club's name": ("Riverside Bridge Club\nTue - Results", {"event": None, "club": "Riverside Bridge Club"}),
    "results for a day": ("Results for Tuesday 12th May 2026", {"event": None, "date": "2026-05-12"}),
    "results of an event": ("Results of Tue Pairs", {"event": "Tue Pairs"}),
    "boards after the event": ("Tue Pairs 24 boards", {"event": "Tue Pairs", "boards": 24}),
    "boards and a day": ("Game of 18 boards on May 5, 2026", {"event": "Game", "boards": 18, "date": "2026-05-05"}),
    "boards of a section": ("Section A 24 boards", {"event": None, "boards": 24}),
    "no. of boards": ("No. of boards: 24", {"event": None, "boards": 24}),
    "boards of rounds": ("9 rounds of 3 boards", {"event": None, "boards": 27}),
    "boards of a club's name": ("24 Boards Club", {"event": "24 Boards Club", "boards": None}),
    "any game's results": ("*** GAME RESULTS ***\nFriday 0-750 Game", {"event": "Friday 0-750 Game"}),
    "results of any club": ("Club Game Results for Monday Pairs", {"event": "Monday Pairs"}),
    "results of a club's game": ("Tuesday Club Game Results", {"event": "Tuesday Club Game"}),
    "results for a club": ("Results for Riverside Bridge Club", {"event": None, "club": "Riverside Bridge Club"}),
    "an event's results for a day": ("Pairs Results for 12 May 2026", {"event": "Pairs", "date": "2026-05-12"}),
    "an event of clubs": ("Bridge Club Championship", {"event": "Bridge Club Championship", "club": None}),
}  # fmt: skip


@pytest.mark.parametrize(("title", "found"), TITLES.values(), ids=TITLES.keys())
def test_what_titles_say(file: File, title: str, found: dict[str, object]) -> None:
    quoted = "\n".join(f'"{line}"' for line in title.split("\n"))
    game = read(file(f"{quoted}\nPair,Names,%\n1,Ann Ash - Bob Birch,60\n2,Cy Cedar - Di Dale,40\n")).games.iloc[0]
    said = {name: None if pd.isna(game[name]) else game[name] for name in found}
    said |= {"date": f"{said['date']:%Y-%m-%d}"} if said.get("date") is not None else {}
    assert said == found


def test_boards_of_a_title_are_not_those_of_a_match(file: File) -> None:
    path = file("Sunday Teams\n24 boards\n" + SWISS)
    with pytest.raises(InputError, match="boards is not declared"):
        process(path, event_type="swiss", rating="club-open", date="2012-05-12", tables="2")
    file('event_type = "swiss"\nboards = 6\n', "resultproc.toml")
    assert read(path).games["boards"].tolist() == [6]
    assert read(path, event_type="bam").games["boards"].tolist() == [24]


SWISS = "Team,Player1,Player2,Player3,Player4,Score,Wins\n1,Ann Ash,Bob Birch,Cy Cedar,Di Dale,30,1\n" + (
    "2,Ed Elm,Flo Fir,Gus Gum,Hal Holm,10,0\n"
)


def test_a_title_names_a_section_and_its_movement(file: File) -> None:
    rows = "1,Ann Ash - Bob Birch,60\n2,Cy Cedar - Di Dale,40\n"
    sheet = read(file(f"Tue Pairs\nSection B (Howell)\nPair,Names,%\n{rows}"))
    assert (sheet.games["event"].tolist(), sheet.contestants["section"].tolist()) == (["Tue Pairs"], ["B", "B"])


def test_years_of_two_digits_stand_after_a_month() -> None:
    assert [written_date(text).isoformat() for text in ("12-May-26", "12 May '98", "12 May 26")] == [
        "2026-05-12", "1998-05-12", "2026-05-12"]  # fmt: skip
    either = [
        ("3/4/2012", "day"),
        ("3/4/2012", "month"),
        ("13/4/2012", "month"),
        ("mai 18, 2012", ""),
        ("3 août 2012", ""),
    ]
    assert [f"{written_date(*each):%m-%d}" for each in either] == ["04-03", "03-04", "04-13", "05-18", "08-03"]
    assert [date_in(text) for text in ("12 May 19:30", "12 May 19.30", "12 May 24 boards")] == ["", "", ""]


def test_a_header_may_stand_above_each_part_with_columns_that_are_not_read(file: File) -> None:
    part = "Pair,Names,Flt,%\n1,{} Ash - Bob Birch,A,60\n2,{} Cedar - Di Dale,A,40\n"
    sheet = read(file(f"N-S\n{part.format('Ann', 'Cy')}E-W\n{part.format('Eve', 'Flo')}"))
    assert sheet.contestants["percentage"].tolist() == [60, 40, 60, 40]


# Places.


@pytest.mark.parametrize("place", ["2 (tied)", "2nd", "2nd=", "=2", "T2", "2T", "2/3", "2-3", "tied 2nd", "joint 2nd"])
def test_places_as_people_write_them(file: File, place: str) -> None:
    rows = ["1st,1,Ann Ash - Bob Birch,60", f"{place},2,Cy Cedar - Di Dale,50", f"{place},3,Ed Elm - Flo Fir,50",
            "4,4,Gus Gum - Hal Holm,40"]  # fmt: skip
    sheet = read(file("\n".join(["Place,Pair,Names,%", *rows])))
    assert sheet.contestants["printed_section"].tolist() == ["A=1", "A=2/3", "A=2/3", "A=4"]
    assert sheet.remarks == ()


def test_what_is_no_place_is_remarked_on(file: File) -> None:
    rows = "1,1,Ann Ash - Bob Birch,60\nalmost 2,2,Cy Cedar - Di Dale,50\n-,3,Ed Elm - Flo Fir,40\n"
    (remark,) = read(file(f"Place,Pair,Names,%\n{rows}")).remarks
    assert str(remark).startswith("game.csv: line 3: the place 'almost 2' is not read")


def test_a_file_that_could_not_be_checked_is_not_called_empty(file: File) -> None:
    path = file("# tables: 1\nPlace,Pair,Names,%\n1,1,Ann Ash - Bob Birch,60\n2,2,Cy Cedar - Di Dale,40\n")
    found = check(path)
    assert "rating, date and boards are not declared" in str(found.problems[0])
    expected = [b"Checked: game.csv could not be checked", b"game.csv: what it prints could not be checked"]
    assert check_text(found).splitlines()[::2] == expected


# Declarations.


def test_strata_of_the_settings_are_for_games_that_have_some(file: File) -> None:
    file('rating = "club-open"\nboards = 18\nstrata = "A=open, B=750"\n', "resultproc.toml")
    (remark,) = process(file(howell())).remarks
    assert "resultproc.toml declares the strata A=open, B=750, and nobody here has a letter or holdings" in str(remark)
    lettered = howell(*(f"{n},{n / 1.6:.2f},B" for n in SCORES), columns="Pair,Names,Score,Pct,Strat")
    assert read(file(lettered)).games["strata"].tolist() == ["A=open, B=750"]
    limited = howell(head=HEAD + "# tables: 4\n# strata: A=open, B=750\n")
    assert "has no stratum" in refusal(file(limited))


def test_the_limit_of_the_top_stratum_stays(file: File) -> None:
    file('strata = "A=750, B=200"\n', "resultproc.toml")
    assert read(file(howell())).games["limit"].tolist() == [750]


def test_pairs_are_no_board_a_match_teams(file: File) -> None:
    assert "event_type is bam, and all contestants are pairs" in refusal(file(howell()), event_type="bam")
    teams = howell(head=HEAD + "# tables: 8\n").replace(" - ", " - Eve Elm - Fay Fox - ")
    assert process(file(teams), event_type="bam").awards is not None


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        ("", True),
        ("# rating: club-open\n", True),
        ("# rating: sectional\n", False),
        ("# date: 2012-04-18\n", False),
        (HEAD, False),
    ],
)
def test_a_sidecar_asks_for_boards_where_they_count(file: File, head: str, asked: bool) -> None:
    assert ("\nboards = " in sidecar_text(load_source(file(howell(head=head))))) == asked


# Ties of rounded percentages.

ROUNDED = "Place,Pair,Names,%\n" + "".join(
    f"{place},{place},{name},{percent}\n"
    for place, (name, percent) in enumerate(zip(NAMES, [58, 58, 54, 51, 49, 46, 42, 42], strict=True), 1)
)


@pytest.mark.slow
def test_places_part_ties_of_rounded_percentages(file: File) -> None:
    # Eight pairs: 0.80, 0.56, 0.40; the first two share 1.36.
    plain = process(file(HEAD + "# tables: 4\n" + ROUNDED))
    assert awards(plain)[:3] == ["0.68", "0.68", "0.40"]
    (remark,) = plain.remarks
    assert "A 1 and A 2 are tied at 58" in str(remark)
    assert "by these they would get 0.80 and 0.56 for the 0.68 and 0.68" in str(remark)
    path = file(HEAD + "# tables: 4\n# by_place: true\n" + ROUNDED)
    assert (awards(process(path))[:3], process(path).remarks) == (["0.80", "0.56", "0.40"], ())
    assert awards(process(path, by_place="false"))[:2] == ["0.68", "0.68"]


@pytest.mark.slow
def test_by_place_is_declared_as_other_keys_are(file: File) -> None:
    text = HEAD + "# tables: 4\n" + ROUNDED
    assert awards(process(file(text), by_place=True))[:2] == ["0.80", "0.56"]
    file("by_place = true\n", "game.toml")
    assert awards(process(file(text)))[:2] == ["0.80", "0.56"]
    again = write(process(file(text)))
    assert read(file(again, "again.xlsx")).games["by_place"].tolist() == ["true"]
    file("by_place = true\n", "resultproc.toml")
    assert awards(process(file(text, "other.csv")))[:2] == ["0.80", "0.56"]


@pytest.mark.slow
def test_places_are_those_of_the_top_stratum_whatever_its_letter(file: File) -> None:
    # Restricted to 500: 0.08 a pair, so 0.64, and 70 percent of it; the two at 58 share 1.09.
    limited = HEAD.replace("club-open", "club-restricted").replace("2026", "2016")
    keys = f"{limited}# tables: 4\n# limit: 500\n# strata: C=500, D=200\n"
    lettered = ROUNDED.replace("\n", ",C\n").replace(",C\n", ",Stratum\n", 1)
    path = file(keys + lettered)
    assert read(path).contestants["printed_section"].tolist() == [f"C={place}" for place in range(1, 9)]
    assert (awards(process(path))[:2], awards(process(path, by_place=True))[:2]) == (["0.55"] * 2, ["0.64", "0.45"])
    assert check(file(keys + lettered.replace(",58,", ",59,", 1))).differences["printed"].tolist() == ["C=7", "C=8"]


def test_places_of_two_sections_are_no_ties(file: File) -> None:
    rows = [f"{place},{section},{place},{section}{name}" for section in "AB" for place, name in enumerate(NAMES, 1)]
    listed = (f"{row.replace(' - ', f' - {row[2]}')},{60 - 3 * (n % 8)}" for n, row in enumerate(rows))
    sheet = read(file("\n".join(["Place,Section,Pair,Names,%", *listed, ""])))
    assert sheet.contestants["printed_section"].tolist() == [f"A={place}" for place in range(1, 9)] * 2


def test_a_tie_that_costs_nobody_anything_is_not_remarked_on(file: File) -> None:
    last = ROUNDED.replace(",58\n", ",59\n", 1)  # 42 and 42 are paid nothing, tied or not
    assert process(file(HEAD + "# tables: 4\n" + last)).remarks == ()


def test_ties_of_places_and_of_scores_are_no_matter(file: File) -> None:
    assert (
        process(file(HEAD + "# tables: 4\n" + ROUNDED.replace("\n2,2,", "\n1,2,").replace("\n8,8,", "\n7,8,"))).remarks
        == ()
    )
    scores = ROUNDED.replace("%", "Score")
    assert process(file(HEAD + "# tables: 4\n" + scores)).remarks == ()


def test_places_that_contradict_the_scores_rank_nobody(file: File) -> None:
    keys = HEAD + "# tables: 4\n# by_place: true\n"
    turned = ROUNDED.replace("\n3,3,", "\n4,3,").replace("\n4,4,", "\n3,4,", 1)
    assert "a lower score has a better place than contestant A 3" in refusal(file(keys + turned))
    assert "tells no place in the section of contestant A 3" in refusal(file(keys + ROUNDED.replace("\n3,3,", "\n,3,")))


# Habits.


@pytest.mark.parametrize(
    "names",
    [
        *("Bye,Bye", "Phantom,Pair", "Sit,Out", "Sit Out,Sit Out", "No Pair,", "Half Table,", "Bye,", "Missing pair,"),
        *("???,???", "Ghost,Ghost", "Exempt,", "Relais,", "Wolny,", "Spielfrei,", "Vrij,", "Oversidder,", "Fantôme,"),
    ],
)
@pytest.mark.parametrize("score", ["0", "", "50"])
def test_nobody_is_no_contestant(file: File, names: str, score: str) -> None:
    rows = "".join(
        f"{n},{name.replace(' - ', ',')},{score}\n"
        for n, (name, score) in enumerate(zip(NAMES, SCORES, strict=True), 1)
    )
    sheet = read(file(f"Pair,Player1,Player2,Score\n{rows}9,{names},{score}\n"))
    assert len(sheet.contestants) == 8
    assert "is nobody: this row is passed over" in str(sheet.remarks[0])
    together = (
        howell(*map(str, SCORES), columns="Pair,Names,Score") + f"9,{names.strip(',').replace(',', ' - ')},{score}\n"
    )
    assert len(read(file(together)).contestants) == 8


@pytest.mark.parametrize("word", ["Total", "Field average:", "Moyenne", "Razem", "Maximum 24"])
def test_a_row_of_sums_is_no_contestant_in_any_language(file: File, word: str) -> None:
    text = howell(*map(str, SCORES), columns="Pair,Names,Score")
    sheet = read(file(f"{text},{word},80\n"))
    assert len(sheet.contestants) == 8
    assert f"'{word}' is not a contestant" in str(sheet.remarks[0])


@pytest.mark.parametrize("name", ["(Bye)", "*Bye*", "- Sit Out -", "[Phantom Pair]"])
def test_nobody_may_stand_in_brackets(file: File, name: str) -> None:
    text = howell(*map(str, SCORES), columns="Pair,Names,Score") + f"9,{name},0\n"
    assert len(read(file(text)).contestants) == 8


def test_somebody_may_be_called_bye(file: File) -> None:
    text = howell(*map(str, SCORES), columns="Pair,Names,Score")
    assert len(read(file(text + "9,Amy Bye - Bob Bye,0\n")).contestants) == 9


ROWS = [
    ["Pair", "Names", "%"],
    *([n, name, score / 1.6] for n, (name, score) in enumerate(zip(NAMES, SCORES, strict=True), 1)),
]


def test_hidden_rows_are_remarked_on(file: File) -> None:
    def hide(book: openpyxl.Workbook) -> None:
        book.worksheets[0].row_dimensions[9].hidden = True

    assert read(file(workbook(Sheet=ROWS), "game.xlsx")).remarks == ()
    (remark,) = read(file(workbook(hide, Sheet=ROWS), "game.xlsx")).remarks
    assert str(remark).startswith("game.xlsx: sheet 'Sheet', row 9: this row is hidden, or a filter leaves it out")


def test_rows_that_are_struck_out_are_refused(file: File) -> None:
    def strike(book: openpyxl.Workbook) -> None:
        for cell in book.worksheets[0][9]:
            cell.font = Font(strike=True)

    path = file(workbook(strike, Sheet=ROWS), "game.xlsx")
    with pytest.raises(InputError, match="row 9: this contestant is struck out"):
        read(path)


def test_rows_that_are_struck_out_in_part_are_remarked_on(file: File) -> None:
    def strike(book: openpyxl.Workbook) -> None:
        book.worksheets[0]["B9"].font = Font(strike=True)

    (remark,) = read(file(workbook(strike, Sheet=ROWS), "game.xlsx")).remarks
    assert "row 9: a part of this row is struck out, and it is read all the same" in str(remark)


def test_a_percent_sign_in_quotes_multiplies_nothing(file: File) -> None:
    def quote(book: openpyxl.Workbook) -> None:
        for row, form in enumerate(['0.00"%"', "0.00\\%", "0.00%", "0.00"], 2):
            cell = book.worksheets[0].cell(row, 3)
            cell.value, cell.number_format = 0.625 if form == "0.00%" else 62.5, form

    contestants = read(file(workbook(quote, Sheet=ROWS), "game.xlsx")).contestants
    assert contestants["percentage"].tolist()[:4] == [62.5] * 4


def test_handicaps_of_a_game_without_are_remarked_on(file: File) -> None:
    text = howell(*(f"{score / 1.6:.2f},{n}" for n, score in enumerate(SCORES)), columns="Pair,Names,Pct,Handicap")
    (remark,) = told(file(text))
    assert "line 7: A 2 has the handicap 1, and in this game none counts" in remark
    assert told(file(text), special="handicap") == []


PEOPLE = ["René Dupont", "Björn Åkesson", "José Peña", "Jürgen Müller", "Søren Kjær", "Zoë Muñoz", "Ångström"]


@pytest.mark.parametrize("code", ["cp1252", "cp850", "mac_roman", "utf-8"])
def test_old_code_pages_are_recognised(file: File, code: str) -> None:
    text = "\n".join(["Pair,Player1,Score", *(f"{n},{name},{n}" for n, name in enumerate(PEOPLE, 1))])
    sheet = read(file(text.encode(code)))
    assert sheet.contestants["player1"].tolist() == PEOPLE
    assert decode("O’Brien – “Zoë”… René".encode("cp1252")) == "O’Brien – “Zoë”… René"


@pytest.mark.parametrize("code", ["cp1250", "iso8859-2"])
@pytest.mark.parametrize(
    "people",
    [["Stanisław Łoś", "Żaneta Zaręba", "Róża Śliwoń", "Ewa Żuk"], ["Vasile Roşu", "Călin Creţu", "Ionuţ Ţurcanu"]],
    ids=["Polish", "Romanian"],
)
def test_the_code_pages_of_poland_and_romania_are_recognised(file: File, people: list[str], code: str) -> None:
    text = "\n".join(["Pair,Player1,Score", *(f"{n},{name},{n}" for n, name in enumerate(people, 1))])
    assert read(file(text.encode(code))).contestants["player1"].tolist() == people


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("mac_roman", "Märta"),
        ("mac_roman", "Muñoz"),
        ("mac_roman", "Jón"),
        ("mac_roman", "Núñez Ávila"),
        ("mac_roman", "O’Brien"),
        ("mac_roman", "Zoë"),
        ("cp850", "Núñez Ávila"),
        ("cp850", "Jürgen"),
        ("cp850", "MUÑOZ"),
        ("cp850", "Göran"),
        ("cp850", "Óscar"),
    ],
)
def test_one_name_of_an_old_code_page_is_recognised_or_remarked_on(file: File, code: str, name: str) -> None:
    path = file(howell().replace("Cy Cedar", f"{name} Cedar").encode(code))
    recognised = read(path).contestants["player1"].tolist()[1] == f"{name} Cedar"
    assert recognised != any("looks garbled" in remark for remark in told(path))


@pytest.mark.parametrize(
    "name", ["O’Brien", "Ka‘ahumanu", "Cy “Cy” Šárka", "D’Été", "de Ávila", "Ann à Porta", "MÜLLER"]
)
def test_names_that_are_spelt_so_are_not_remarked_on(file: File, name: str) -> None:
    assert told(file(howell().replace("Cy Cedar", f"{name} Cedar"))) == []


def test_names_that_look_garbled_are_remarked_on(file: File) -> None:
    (remark,) = [each for each in told(file(howell().replace("Cy Cedar", "RenÃ© Cedar"))) if "garbled" in each]
    assert "line 7: the name 'RenÃ© Cedar" in remark
    assert told(file(howell().replace("Cy Cedar", "René McÉwan-Žižek"))) == []
    assert told(file(howell().replace("Cy Cedar - Di Dale", "Cy Cedar – Di Dale"))) == []
