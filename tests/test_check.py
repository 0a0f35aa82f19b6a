"""Checking files: how much of them agrees, what is told of a difference, and that a file at fault hides no other."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, run, saved
from lxml import html
from openpyxl import load_workbook
from test_acblscore import Altered

from resultproc.formats.acblscore.layout import BoardResult, EntryLayout
from resultproc.formats.read import read
from resultproc.formats.write import write
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.reports.check import WRITERS, check
from resultproc.reports.differences import differences
from resultproc.stages.pipeline import award_sheet

SITE = [FIXTURES / "made-charity.json", FIXTURES / "made-wednesday.json"]

NIGHT = """# rating: club-open
# date: 2010-05-01
# movement: mitchell
# strata: A=open
# tables: 5
# sit_outs: 5
section,direction,number,player1,player2,stratum,score,rank A,masterpoints
A,NS,1,P,Q,A,60,1,0.50
A,NS,2,R,S,A,50,2,0.35
A,NS,3,T,U,A,40,,
A,NS,4,V,W,A,30,,
A,NS,5,X,Y,A,20,,
"""
# Five pairs at 0.10 a pair: 0.50 first; two places (40 percent of five) are paid, the second 70 percent of it.


@pytest.fixture
def night(tmp_path: Path) -> Path:
    return saved(tmp_path / "night.csv", NIGHT)


@pytest.fixture(scope="module")
def differing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """Return what differs in altered files by their names: all of them are checked together, which costs less.

    N-S 1 have 98.50 as it was, 58.63 percent of 168; on board 1 -100 and 3 of 7, against E-W 1.
    """
    folder = tmp_path_factory.mktemp("altered")
    games = {name: Altered("qualifier") for name in ("board", "total", "percentage", "penalty")}
    board, penalty = games["board"], games["penalty"]
    # With 620 in place of -100 N-S 1 have a top: those with -90 lose one of theirs.
    board.put(board.result, BoardResult.ns_score, 62)
    board.put(board.result, BoardResult.ew_score, -62)
    games["total"].put(games["total"].entry, EntryLayout.score, 9950)
    games["percentage"].put(games["percentage"].entry, EntryLayout.percentage, 5963)
    # N-S 1 have 96.50 in place of 98.50, with a penalty.
    penalty.put(penalty.entry, EntryLayout.adjustment, -200)
    penalty.put(penalty.entry, EntryLayout.score, 9650)
    found = check(*(saved(folder / f"{name}.ACA", game.data) for name, game in games.items())).differences
    return {name: found[found["source"] == f"{name}.ACA"] for name in games}


# How much agrees.


@pytest.mark.slow
def test_games_of_the_results_site_agree_in_everything() -> None:
    found = check(*SITE)
    assert found.differences.empty
    assert not found.problems
    # 12 tables and 5 tables of 26 and 18 boards; a board has a number for either side.
    assert found.files["board_results"].tolist() == [2 * 26 * 12, 2 * 18 * 5]
    assert found.files["totals"].tolist() == [2 * 25, 2 * 11]


@pytest.mark.slow
def test_the_text_says_how_much_agrees(night: Path, tmp_path: Path) -> None:
    assert run("check", night).out == "night.csv: 7 of 7 ranks and awards agree\n"
    night.write_text(NIGHT.replace("0.35", "0.36"))
    done = run("check", night, SITE[1])
    assert done.status == 3
    *_, ours, howell, rest = done.out.splitlines()
    assert ours == "night.csv: 6 of 7 ranks and awards agree"
    assert howell.startswith("made-wednesday.json: ")
    assert f"{howell} {rest.strip()}".endswith(" ranks and awards, 180 of 180 board results, 22 of 22 totals agree")


def test_printed_differences_name_players_and_cite_each_rule_once(night: Path, tmp_path: Path) -> None:
    """Two awards by one rule: its citation is a note below them, and no line is wider than 80 characters."""
    night.write_text(NIGHT.replace("0.50", "0.51").replace("0.35", "0.36"))
    found = check(night)
    assert list(found.differences["rule"]) == [found.differences["rule"].iloc[0]] * 2
    shown = WRITERS["text"](found).decode()
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "night.csv: night P - Q (A-NS-1): award printed 0.51,"
    assert lines[1].startswith("    computed 0.50: section A=1: rule 1 (first 0.50 (0.10 x 5 = 0.50)")
    rule = found.differences["rule"].iloc[0]
    assert " ".join(shown.split()).count(" ".join(rule.split())) == 1
    tree = html.document_fromstring(WRITERS["html"](found))
    assert [item.text for item in tree.findall(".//ol/li")] == [rule]
    assert [cell.text_content() for cell in tree.findall(".//tbody/tr/th")][1:] == ["P - Q (A-NS-1)", "R - S (A-NS-2)"]


@pytest.mark.slow
def test_files_that_are_checked_together_are_checked_as_alone(night: Path, tmp_path: Path) -> None:
    night.write_text(NIGHT.replace("0.35", "0.36"))
    cut_off = saved(tmp_path / "cut-off.csv", NIGHT.replace("# tables: 5", "# tables: 9"))
    unread = saved(tmp_path / "unread.csv", "number,player1\n1,Ann\n")
    (tmp_path / "again").mkdir()
    again = saved(tmp_path / "again" / "night.csv", NIGHT.replace("0.50", "0.51"))
    paths = [night, unread, SITE[1], cut_off, FIXTURES / "made-two-games.ACM", again]
    together, alone = check(*paths), [check(path) for path in paths]
    for name in ("differences", "files"):
        pd.testing.assert_frame_equal(
            getattr(together, name), pd.concat([getattr(each, name) for each in alone], ignore_index=True)
        )
    assert len(together.differences) == 2
    assert together.problems == [problem for each in alone for problem in each.problems]
    assert {problem.file for problem in together.problems} == {"unread.csv", "cut-off.csv"}
    of_each = [remark for each in alone for remark in each.remarks]
    # That two files have the same game is said of them together.
    assert [remark for remark in together.remarks if "the same players" not in remark.what] == of_each


def test_what_prints_nothing_needs_no_declarations(tmp_path: Path) -> None:
    path = saved(tmp_path / "bare.csv", "number,player1,player2,score\n1,P,Q,60\n2,R,S,40\n3,T,U,50\n")
    done = run("check", path)
    assert (done.status, done.err) == (0, "")
    assert done.out == "bare.csv: there are no printed ranks, awards or results to check\n"


# Differences.


@pytest.mark.slow
def test_other_points_of_a_result_are_told(tmp_path: Path) -> None:
    game = Altered("qualifier")
    game.put(game.result, BoardResult.ns_points, 150)
    done = run("check", saved(tmp_path / "altered.ACA", game.data))
    assert done.status == 3
    assert done.out.splitlines() == [
        "altered.ACA: altered-ACA Pia Ebony - Rolf Fig (A-NS-1): board 1 printed 1.5,",
        "    computed 3: matchpoints of -100 among the 8 scores of the board",
        "altered.ACA: 39 of 39 ranks and awards, 383 of 384 board results, 32 of 32",
        "    totals agree",
    ]


@pytest.mark.slow
def test_a_game_without_any_overall_rank_says_so_once() -> None:
    # Four of the awards are for places overall in A, three in B; the file has section ranks, and what these pay alone.
    sheet = read(FIXTURES / "made-qualifier.ACA")
    whole = award_sheet(sheet)
    assert differences(whole).empty
    of_sections = whole.candidates[whole.candidates["basis"] != "overall"].groupby("contestant")["masterpoints"].max()
    paid = of_sections.reindex(sheet.contestants.index).astype("Int64")
    bare = sheet.contestants.assign(
        printed_overall=None, printed_paid_by=None, printed_colours=None, printed_award=paid
    )
    found = differences(award_sheet(replace(sheet, contestants=CONTESTANTS.conform(bare))))
    assert found.drop(columns="why").to_numpy().tolist() == [
        ["made-qualifier.ACA", "made-qualifier-ACA", "", "", "", "overall ranks", "", "7 awards", "", ""]
    ]
    # Another award than that of the sections is a difference of its own, and then six are left out.
    first = int(paid.idxmax())
    bare.loc[first, "printed_award"] += 1
    found = differences(award_sheet(replace(sheet, contestants=CONTESTANTS.conform(bare))))
    assert found["what"].tolist() == ["award", "overall ranks"]
    assert found["computed"].iloc[1] == "6 awards"
    # With an overall rank in the game each award is a difference.
    bare.loc[first, "printed_overall"] = sheet.contestants.loc[first, "printed_overall"]
    found = differences(award_sheet(replace(sheet, contestants=CONTESTANTS.conform(bare))))
    assert (found["what"] == "award").sum() == 7


LISTED = """# rating: club-open
# date: 2010-05-01
# movement: howell
# strata: A=open, B=500, C=200
# tables: 4
place,number,player1,player2,stratum,score
1,1,P,Q,B,80
2,2,R,S,C,70
3,3,T,U,A,60
4,4,V,W,C,50
5,5,X,Y,C,40
6,6,Z,K,C,30
7,7,L,M,C,20
8,8,N,O,B,10
"""
# Three places of eight pay, and three of the seven in B, whose 1st to 3rd are pairs 1, 2 and 4; in C two of five.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "places", "lacking"),
    [
        ("place", ["1", "2", "3"], []),
        ("rank A", ["1", "2", "3"], []),
        ("rank A,rank B", ["1,1", "2,2", "3,"], ["B=3", "C=1", "C=2"]),
    ],
)
def test_a_rank_among_all_is_none_in_the_strata(
    tmp_path: Path, columns: str, places: list[str], lacking: list[str]
) -> None:
    path = tmp_path / "listed.csv"
    text = LISTED.replace("place,number", f"{columns},number")
    for row, each in enumerate([*places, *[("," * columns.count(",")) for _ in range(5)]], 1):
        text = text.replace(f"\n{row},{row},", f"\n{each},{row},")
    path.write_text(text)
    found = check(path).differences
    assert sorted(found["computed"]) == lacking
    assert set(found["printed"]) <= {""}


@pytest.mark.slow
def test_another_score_of_a_result_changes_the_board(differing: dict[str, pd.DataFrame]) -> None:
    found = differing["board"]
    on_board = found[found["what"] == "board 1"].set_index(["direction", "number"])
    assert on_board.loc[("N-S", "1"), ["printed", "computed"]].tolist() == ["3", "7"]
    assert on_board.loc[("E-W", "1"), ["printed", "computed"]].tolist() == ["4", "0"]
    totals = found[found["what"] == "score"].set_index(["direction", "number"])
    assert totals.loc[("N-S", "1"), ["printed", "computed"]].tolist() == ["98.5", "102.5"]


@pytest.mark.parametrize(
    ("name", "what", "printed", "computed"),
    [("total", "score", "99.5", "98.5"), ("percentage", "percentage", "59.63", "58.63")],
)
def test_another_total_is_told(
    differing: dict[str, pd.DataFrame], name: str, what: str, printed: str, computed: str
) -> None:
    found = differing[name]
    row = found[found["what"].isin(["score", "percentage"])]
    assert row[["what", "direction", "number", "printed", "computed", "why"]].to_numpy().tolist() == [
        [what, "N-S", "1", printed, computed, "the total of 24 boards"]
    ]


@pytest.mark.slow
def test_a_penalty_is_kept(tmp_path: Path, differing: dict[str, pd.DataFrame]) -> None:
    """A total that a penalty has lowered is no difference, and the penalty stands in what is written."""
    assert "score" not in differing["penalty"]["what"].tolist()
    game = Altered("qualifier")
    path = saved(tmp_path / "game.ACA", game.put(game.entry, EntryLayout.adjustment, -200).data)
    for ending in ("csv", "xlsx", "json"):
        copy = tmp_path / f"copy.{ending}"
        write(Result(*read(path)), copy)
        assert read(copy).contestants["adjustment"].dropna().tolist() == [-2], ending


# Files at fault.


@pytest.mark.slow
def test_a_file_at_fault_hides_no_other(night: Path, tmp_path: Path) -> None:
    night.write_text(NIGHT.replace("0.35", "0.36"))
    (tmp_path / "junk.csv").write_bytes(b"\x00\x01\x02")
    (tmp_path / "wrong.csv").write_text(NIGHT.replace(",50,", ",fifty,"))
    done = run("check", tmp_path / "junk.csv", night, tmp_path / "absent.csv", tmp_path / "wrong.csv", SITE[0])
    assert done.status == 1
    problems = done.err.splitlines()
    assert [line.split(":")[0] for line in problems] == ["junk.csv", "absent.csv", "wrong.csv"]
    assert "line 9" in problems[2]
    assert "night.csv: 6 of 7 ranks and awards agree" in done.out
    assert "made-charity.json: " in done.out


@pytest.mark.slow
def test_a_game_at_fault_hides_no_other_of_its_file(tmp_path: Path) -> None:
    keys, header, results = NIGHT.partition("section,")
    both = f"# [games.g]\n{keys}# [games.h]\n"
    rows = [line.split(",") for line in (header + results).splitlines()]
    table = [["game_id", *rows[0]], *(["g", *row] for row in rows[1:]), *(["h", *row] for row in rows[1:])]
    path = saved(tmp_path / "both.csv", both + "\n".join(map(",".join, table)))
    done = run("check", path)
    assert done.status == 1
    assert "both.csv: game h: " in done.err
    assert "rating" in done.err
    assert done.out == "Checked: both.csv could not be checked whole\n\nboth.csv: 7 of 7 ranks and awards agree\n"


@pytest.mark.slow
def test_boards_are_checked_where_nothing_can_be_awarded() -> None:
    done = run("check", FIXTURES / "pbn-example.pbn")
    assert done.status == 1
    assert "pbn-example.pbn: rating is not declared" in done.err
    agree = "pbn-example.pbn: 12 of 12 board results, 8 of 8 totals agree\n"
    assert done.out == f"Checked: pbn-example.pbn could not be checked whole\n\n{agree}"


@pytest.mark.slow
def test_every_file_may_be_at_fault(tmp_path: Path) -> None:
    found = check(tmp_path / "absent.csv", tmp_path)
    assert [problem.what for problem in found.problems] == ["there is no such file", "this is a folder"]
    assert found.files.empty
    for writer in WRITERS.values():
        assert writer(found) is not None
    assert run("check", tmp_path / "absent.csv").out == "Checked: absent.csv could not be checked\n\n"


# Formats.


@pytest.mark.slow
def test_json_has_differences_shares_and_problems(night: Path, tmp_path: Path) -> None:
    night.write_text(NIGHT.replace("0.35", "0.36"))
    done = run("check", night, tmp_path / "absent.csv", "--to", "json")
    content = json.loads(done.out)
    [difference] = content["differences"]
    why = difference.pop("why")
    assert why.startswith("section A=2: ")
    assert difference == {
        "source": "night.csv",
        "game_id": "night",
        "section": "A",
        "direction": "N-S",
        "number": "2",
        "what": "award",
        "printed": "0.36",
        "computed": "0.35",
        "players": "R - S",
        "rule": why.removeprefix("section A=2: ").partition(" (first")[0],
    }
    [file] = content["files"]
    expected = {"source": "night.csv", "ranks_and_awards": 7, "ranks_and_awards_agree": 6}
    assert {name: value for name, value in file.items() if value} == expected
    [problem] = content["problems"]
    assert (problem["file"], problem["what"]) == ("absent.csv", "there is no such file")


def games_called(name: str, text: str) -> str:
    """Return the text of a night with a column that names its game."""
    lines = text.splitlines()
    return "\n".join([*lines[:6], f"{lines[6]},game_id", *(f"{line},{name}" for line in lines[7:])])


@pytest.mark.slow
def test_csv_has_the_differences_and_no_formulas(night: Path) -> None:
    night.write_text(games_called("=1+1", NIGHT.replace("0.35", "0.36")))
    [row] = csv.DictReader(io.StringIO(run("check", night, "--to", "csv").out))
    assert (row["game_id"], row["what"], row["printed"], row["computed"]) == ("'=1+1", "award", "0.36", "0.35")


HOSTILE = "<script>document.title='taken'</script>"


def page(folder: Path) -> str:
    """Return the page of a sheet with a hostile name and a wrong award, of a right one, and of none."""
    wrong = saved(folder / "a<b>.csv", games_called(HOSTILE, NIGHT.replace("0.35", "0.36")))
    done = run("check", wrong, SITE[1], folder / "absent.csv", "--to", "html")
    assert done.status == 1
    return done.out


@pytest.mark.slow
def test_the_page_has_every_difference_and_share(tmp_path: Path) -> None:
    text = page(tmp_path)
    tree = html.document_fromstring(text)
    shares, found = tree.iter("table")
    titles = ["What agrees, of what each file prints", "Differences"]
    assert [heading.text for heading in tree.iter("h2") if heading.get("id")] == titles
    assert all(cell.get("scope") == "col" for table in (shares, found) for cell in table.find("thead").iter("th"))
    rows = [[cell.text_content() for cell in row] for row in shares.find("tbody")]
    assert rows[0] == ["a<b>.csv", "6 of 7", "", ""]
    assert rows[1][0] == "made-wednesday.json"
    assert rows[1][2:] == ["180 of 180", "22 of 22"]
    [row] = [[cell.text_content() for cell in row] for row in found.find("tbody")]
    assert row[:6] == ["R - S (A-NS-2)", "a<b>.csv", HOSTILE, "award", "0.36", "0.35"]
    assert [item.text for item in tree.find(".//ul")] == ["absent.csv: there is no such file"]
    assert tree.find(".//h1").text == "Checked: absent.csv could not be checked; of the others 1 difference"


@pytest.mark.slow
def test_the_page_stands_alone_and_nothing_in_it_is_markup(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert "href" not in text
    assert "url(" not in text
    assert "src=" not in text
    assert len(list(html.document_fromstring(text).iter("script"))) == 1


@pytest.mark.slow
def test_the_page_says_that_all_agrees(night: Path) -> None:
    tree = html.document_fromstring(run("check", night, "--to", "html").out)
    assert tree.find(".//h1").text == "Checked: no differences"
    assert len(list(tree.iter("table"))) == 1


@pytest.mark.slow
def test_the_ending_picks_the_format(night: Path, tmp_path: Path) -> None:
    output = tmp_path / "checked.html"
    assert run("check", night, "-o", output).out == ""
    assert output.read_text().startswith("<!DOCTYPE html>")
    done = run("check", night, "-o", tmp_path / "checked.usebio")
    assert done.status == 2
    assert "no writer for this file extension: 'checked.usebio' (write .csv, .fragment.html, .htm," in done.err


@pytest.mark.slow
def test_a_workbook_has_differences_shares_and_what_could_not_be_checked(night: Path, tmp_path: Path) -> None:
    night.write_text(NIGHT.replace("0.35", "0.36"))
    output = tmp_path / "checked.xlsx"
    assert run("check", night, tmp_path / "absent.csv", "-o", output).status == 1
    workbook = load_workbook(output)
    assert workbook.sheetnames == ["Differences", "Files", "Notes"]
    sheet = workbook["Differences"]
    assert sheet["A1"].value == "Checked: absent.csv could not be checked; of the others 1 difference"
    head, row, _, note = sheet.iter_rows(min_row=3, values_only=True)
    assert head == ("Contestant", "File", "Game", "What", "Printed", "Computed", "Why")
    assert row[:6] == ("R - S (A-NS-2)", "night.csv", "night", "award", 0.36, 0.35)
    assert row[6].startswith("section A=2: rule 1 (first 0.50")
    assert note[0].startswith("1  ACBL Handbook of Rules and Regulations")
    assert workbook["Files"]["B4"].value == "6 of 7"
    assert workbook["Notes"]["A4"].value == "absent.csv: there is no such file"
    assert sheet.print_title_rows == "$3:$3"
    assert sheet.page_setup.fitToHeight == 0


MITCHELL = FIXTURES / "wed-open-pairs-2012-04-18.csv"


@pytest.mark.parametrize(
    ("command", "others", "said"),
    [
        ("check", [], "Checked: junk.csv could not be checked"),
        ("check", [MITCHELL], "Checked: junk.csv could not be checked; of the others no differences"),
        ("lint", [], "Looked through: junk.csv could not be read"),
        ("lint", [MITCHELL], "Looked through: junk.csv could not be read; of the others nothing doubtful"),
        ("amend", [MITCHELL, MITCHELL], "Wed 1:00 Open Pairs: nothing is corrected"),
    ],
)
def test_a_headline_says_first_what_could_not_be_looked_at(tmp_path, command, others, said):
    junk = saved(tmp_path / "junk.csv", "a,b\n1,2\n")
    files = others if command == "amend" else [junk, *others]
    assert json.loads(run(command, *files, "--to", "json").out)["headline"] == said
    run(command, *files, "-o", tmp_path / "x.html")
    assert f"<h1>{said}</h1>" in (tmp_path / "x.html").read_text("utf-8")
    first, *_ = run(command, *files).out.splitlines()
    assert first.endswith(said.rpartition(": ")[2])
