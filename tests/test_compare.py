"""An event under several rulebooks, side by side."""

import csv
import io
import json
from pathlib import Path

import pytest
from conftest import run, saved
from games import HANDICAP, mitchell, sheet, together
from openpyxl import load_workbook
from test_strength_of_field import PROPOSED, WILKES_BARRE, own

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.provenance import Provenance
from resultproc.reports.compare import WRITERS, ComparedGame, ComparedPlace, ComparedTable, compare

GENERAL, STRENGTH = "acbl-general-formula-2019", "acbl-strength-of-field-2021"
KNOCKOUT = Path(WILKES_BARRE).parent / "knockout-example.csv"


def table(found: ComparedGame, basis: str, stratum: str, field: str = "") -> ComparedTable:
    (only,) = (t for t in found.tables if (t.basis, t.stratum, t.field) == (basis, stratum, field))
    return only


def column(found: ComparedTable, number: int) -> list[str]:
    return [f"{([*place.masterpoints.values()][number] or 0) / 100:.2f}" for place in found.places]


@pytest.mark.parametrize("to", ["text", "html", "json"])
def test_it_says_what_the_rulebooks_remark_on_their_values(to):
    game = sheet(mitchell(7), rating="club-championship", date="2026-05-05")
    found = compare(game, [GENERAL, "acbl-2017-special"])
    assert [note.partition(": ")[0] for note in found[0].notes] == [GENERAL, "acbl-2017-special"]
    assert "was paid 3.55 for first where this gives 2.30" in " ".join(WRITERS[to](found).decode().split())


def test_beside_csv_which_has_no_place_for_them_the_remarks_are_told(tmp_path):
    file = tmp_path / "game.csv"
    rows = "".join(
        f"A,{side},{number},{60 - number},Ann {side} {number}\n" for side in ("N-S", "E-W") for number in range(1, 8)
    )
    file.write_text(f"section,direction,number,score,player1\n{rows}", "utf-8")
    keys = ("--rating", "club-championship", "--date", "2026-05-05", "--boards", "28")
    done = run("compare", file, *keys, "--rules", GENERAL, "--rules", "acbl-2017-special", "--to", "csv")
    assert "3.55" not in done.printed
    assert f"remark: {GENERAL}: R 6.50" in done.err
    assert "was paid 3.55 for first where this gives 2.30" in done.err


@pytest.mark.slow
def test_the_ladders_stand_side_by_side():
    (found,) = compare(read(WILKES_BARRE), [GENERAL, STRENGTH])
    assert found.rulebooks == (GENERAL, STRENGTH)
    # 8 tables, B .3: 14 x 1.5 x 1.25 x .3 = 7.875, so 7.88; then 5.91, 4.4325, 3.32 (.75^3 and 2 / 5 of it are 3.32 and
    # 3.15), 2 / 6 is 2.63 (2.6267).
    assert column(table(found, "overall", "A"), 0) == ["7.88", "5.91", "4.43", "3.32", "2.63"]
    for stratum in "ABC":
        assert column(table(found, "overall", stratum), 1) == PROPOSED[f"W-B {stratum}"]
    # As charted but for the last digit, which was added up before it was rounded: 38.86, 11.18, 9.47.
    assert [table(found, "overall", stratum).total[STRENGTH] for stratum in "ABC"] == [3887, 1119, 947]
    assert [table(found, "overall", stratum).contestants for stratum in "ABC"] == [16, 7, 6]
    assert [each.stratum for each in found.tables[:3]] == ["A", "B", "C"]
    assert all(each.differs == (each.basis == "overall") for each in found.tables)


@pytest.mark.slow
def test_what_an_event_pays_in_all():
    # Overall 12.70, 8.99, 6.82, 5.54 and 4.82 in A and 2.73 in B; the others their best sums of session awards: in A
    # 2.63 (B of 8 tables .3, half of 14 x 1.25 x .3) and twice 1.84 (70%), in B 1.43 (4 tables, M .7) and 1.00.
    (found,) = compare(read(WILKES_BARRE), [GENERAL, STRENGTH])
    assert found.paid[STRENGTH] == 1270 + 899 + 682 + 554 + 482 + 273 + 263 + 2 * 184 + 143 + 100


def test_ties_share_a_line():
    # Two tie for 1st of four N-S pairs, (.40 + .28) / 2 each under the club's rules; 40% of 4 are 2 places.
    rows = ["A-NS-1 . 60", "A-NS-2 . 60", "A-NS-3 . 50", "A-NS-4 . 40", *mitchell(4)[4:]]
    rows = [row.replace("%", "") for row in rows]
    (found,) = compare(sheet(rows, tables=4, date="2015-06-01"), ["acbl-club", "acbl-2017"])
    ns = table(found, "section", "A", "section A N-S")
    assert [(place.place, [*place.masterpoints.values()]) for place in ns.places] == [("1/2", [34, 34])]
    assert [*ns.total.values()] == [68, 68]


def test_who_is_ranked_under_one_rulebook_only():
    # Three pairs of B, all N-S: the club's rules of 2010 need five in the game, those of 2017 three in a direction.
    rows = [
        row.replace(" . ", " B " if row.startswith(("A-NS-1", "A-NS-2", "A-NS-3")) else " A ") for row in mitchell(5)
    ]
    keys = {"strata": "A=open, B=1000", "tables": 5, "date": "2010-06-01"}
    (found,) = compare(sheet(rows, **keys), ["acbl-club", "acbl-2017"])
    lower = table(found, "section", "B", "section A N-S")
    # 80% of .10 for each of three pairs, and 40% of them, one, is paid.
    assert [[*place.masterpoints.values()] for place in lower.places] == [[None, 24]]
    assert [*lower.total.values()] == [None, 24]
    assert lower.differs


@pytest.mark.slow
def test_sections_directions_and_sessions_are_told_apart():
    rows = [f"{row.rsplit(' ', 1)[0]} . s={70 - n}/{70 - n}" for n, row in enumerate(mitchell(3))]
    games, contestants = sheet(rows, rating="sectional", tables=3, sessions=2, date="2019-06-01")
    moved = contestants.assign(section2="B", direction2=contestants["direction"].map({"N-S": "E-W", "E-W": "N-S"}))
    (found,) = compare(Sheet(games, moved), ["acbl-general-formula-2015", GENERAL])
    assert [(each.basis, each.field) for each in found.tables if each.basis != "overall"] == [
        ("session 1", "section A N-S"),
        ("session 1", "section A E-W"),
        ("session 2", "section B E-W"),
        ("session 2", "section B N-S"),
    ]


@pytest.mark.slow
def test_a_handicap_game_and_another_are_compared_apart():
    club = {"tables": "A=6, B=4", "date": "2015-06-01", "special": "handicap"}
    sheets = together(sheet(HANDICAP, "one", **club), sheet(mitchell(5), "two", tables=5, date="2015-06-01"))
    one, two = compare(sheets, ["acbl-club", "acbl-2017"])
    assert {each.basis for each in one.tables} == {"section", "overall", "handicap section", "handicap overall"}
    assert {each.basis for each in two.tables} == {"section"}
    assert [*two.paid.values()] == [
        2 * (50 + 35),
        2 * (50 + 35),
    ]  # five pairs each way, .10 a pair, then 70%: two places


@pytest.mark.slow
def test_knockouts_are_compared_by_bracket(tmp_path):
    lower = saved(tmp_path / "lower.toml", 'extends = "acbl-knockout-2003"\n[factor.k.regional]\nvalue = 23\n')
    (found,) = compare(read(KNOCKOUT), ["acbl-knockout-2003", str(lower)])
    over_all = [each for each in found.tables if each.basis == "overall"]
    assert [each.field for each in over_all] == ["bracket 1", "bracket 2", "bracket 3"]
    top = over_all[0]
    assert [place.place for place in top.places[:3]] == ["1", "2", "3/4"]
    # Half of K is half of the first award.
    whole, half = top.places[0].masterpoints.values()
    assert whole == 2 * half
    assert {each.field for each in found.tables if each.basis == "matches"} == {"bracket 1", "bracket 2", "bracket 3"}


def test_a_rulebook_that_cannot_award_the_event_is_named():
    with pytest.raises(InputError, match=f"{STRENGTH}: there is no R for a club-open game"):
        compare(sheet(mitchell(5), tables=5, date="2015-06-01"), ["acbl-club", STRENGTH])


@pytest.mark.slow
def test_a_rulebook_of_ones_own(tmp_path):
    online = own(tmp_path, "[event-factor]\nvalue = 0.8\n")
    (found,) = compare(read(WILKES_BARRE), [STRENGTH, online])
    # 12.70 x .8 = 10.16; the unrounded first is within half a hundredth of 12.70.
    assert table(found, "overall", "A").places[0].masterpoints == {STRENGTH: 1270, online: 1016}


def both(one: int | None, other: int | None) -> dict[str, int | None]:
    return {"one": one, "another-book": other}


COMPARISON = ComparedGame(
    read(WILKES_BARRE).games.iloc[0].to_dict(),
    ("one", "another-book"),
    (
        ComparedTable(
            "overall",
            "",
            "A",
            16,
            (ComparedPlace("1", both(788, 1270)), ComparedPlace("2/3", both(591, 0))),
            both(1970, 1270),
        ),
        ComparedTable("section", "section A N-S", "B", 5, (ComparedPlace("1", both(None, 50)),), both(None, 50)),
        ComparedTable("session 1", "section A N-S", "A", 8, (ComparedPlace("1", both(263, 263)),), both(263, 263)),
        ComparedTable("session 1", "section A N-S", "B", 8, (ComparedPlace("1", both(100, 100)),), both(100, 100)),
    ),
    both(2000, 1300),
    Provenance(),
)


def test_text():
    assert WRITERS["text"]([COMPARISON]).decode() == (
        "Saturday Open Pairs, Example Regional, 2022-06-18\n"
        "\n"
        "Overall, stratum A: 16 contestants\n"
        "\n"
        "  Place       one  another-book  Difference\n"
        "      1      7.88         12.70       +4.82\n"
        "    2/3      5.91                     −5.91\n"
        "  Total     19.70         12.70       −7.00\n"
        "\n"
        "Section A N-S, stratum B: 5 contestants\n"
        "\n"
        "  Place       one  another-book  Difference\n"
        "      1         -          0.50\n"
        "  Total         -          0.50\n"
        "\n"
        "   Paid     20.00         13.00       −7.00  (each contestant its highest award)\n"
        "\n"
        "The same under each:\n"
        "  Session 1, section A N-S, strata A, B\n"
    )


def test_csv():
    rows = list(csv.reader(io.StringIO(WRITERS["csv"]([COMPARISON]).decode())))
    game = "regional-open-pairs-2022-06-18"
    assert rows[0] == ["game_id", "basis", "field", "stratum", "contestants", "place", "one", "another-book"]
    assert rows[1:4] == [
        [game, "overall", "", "A", "16", "1", "7.88", "12.70"],
        [game, "overall", "", "A", "16", "2/3", "5.91", "0.00"],
        [game, "overall", "", "A", "16", "total", "19.70", "12.70"],
    ]
    assert rows[4] == [game, "section", "section A N-S", "B", "5", "1", "", "0.50"]
    assert rows[-1] == [game, "all", "", "", "", "total", "20.00", "13.00"]


def test_json():
    (game,) = json.loads(WRITERS["json"]([COMPARISON]))["games"]
    assert game["game"]["event"] == "Saturday Open Pairs"
    assert game["rulebooks"] == ["one", "another-book"]
    assert game["tables"][0]["field"] is None
    assert game["tables"][0]["places"][1] == {"place": "2/3", "masterpoints": {"one": "5.91", "another-book": "0.00"}}
    assert game["tables"][1]["total"] == {"one": None, "another-book": "0.50"}
    assert game["paid"] == {"one": "20.00", "another-book": "13.00"}


@pytest.mark.slow
def test_the_command():
    done = run("compare", WILKES_BARRE, "--rules", GENERAL, "--rules", STRENGTH, "--to", "csv")
    rows = list(csv.reader(io.StringIO(done.printed)))
    over_all = [row for row in rows if row[1] == "overall" and row[3] == "A"]
    assert [row[-1] for row in over_all] == [*PROPOSED["W-B A"], "38.87"]


@pytest.mark.slow
def test_a_file_s_ending_tells_the_format(tmp_path):
    run("compare", WILKES_BARRE, "--rules", GENERAL, "--rules", STRENGTH, "-o", tmp_path / "all.json")
    assert json.loads((tmp_path / "all.json").read_text("utf-8"))["games"]
    code, _, told = run("compare", WILKES_BARRE, "--rules", GENERAL, "--rules", STRENGTH, "-o", "all.bws")
    assert code == 2
    assert "no writer for this file extension: 'all.bws' (write .csv, .fragment.html, .htm, .html, .json," in told


@pytest.mark.slow
def test_a_workbook_has_all_places_on_a_sheet(tmp_path):
    run("compare", WILKES_BARRE, "--rules", GENERAL, "--rules", STRENGTH, "-o", tmp_path / "all.xlsx")
    workbook = load_workbook(tmp_path / "all.xlsx")
    assert workbook.sheetnames[:2] == ["Places", "In all"]
    sheet = workbook["Places"]
    assert [cell.value for cell in sheet[4]] == ["Place", GENERAL, STRENGTH, "Difference"]
    assert sheet["A5"].value.startswith("Overall, stratum A (")
    rows = list(sheet.iter_rows(min_row=6, values_only=True))
    proposed = [row[2] for row in rows[: len(PROPOSED["W-B A"])]]
    assert proposed == [float(award) if award != "0.00" else None for award in PROPOSED["W-B A"]]
    assert rows[len(proposed)][0] == "Total"


@pytest.mark.parametrize("rulebooks", [["--rules", GENERAL], ["--rules", GENERAL, "--rules", GENERAL], []])
def test_it_takes_two_rulebooks(rulebooks):
    code, _, told = run("compare", WILKES_BARRE, *rulebooks)
    assert code == 2
    assert "--rules" in told
