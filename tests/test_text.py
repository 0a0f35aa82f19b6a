"""Text: the published game of 2012, made-up and real reports, and what the writer writes."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, File, examples, saved
from games import awarded
from generated import COLUMNS, results, same
from hypothesis import given
from samples import SAMPLES, real

from resultproc.formats.declared import override
from resultproc.formats.json.writer import write as write_json
from resultproc.formats.text import READER
from resultproc.formats.text.writer import screen, write
from resultproc.model.draft import Reading
from resultproc.model.errors import InputError
from resultproc.model.frames import CONTESTANTS, Result
from resultproc.pages.annotated import annotated
from resultproc.stages.pipeline import process

NAME = "game.txt"
GAME = FIXTURES / "wed-open-pairs-2012-04-18.txt"
REPORTS = sorted(FIXTURES.glob("made-*.txt"))
REAL = [SAMPLES / "recaps" / f"recap{number:02}.txt" for number in range(1, 9)]


def whole(reading: Reading) -> Result:
    """Return what was read with what its own lines declare laid over."""
    games = override(reading.sheet.games, reading.declared, "game.txt")
    for name, declared in reading.each.items():
        rows = games["game_id"] == name
        games = pd.concat([games[~rows], override(games[rows], declared, "game.txt")]).loc[games.index]
    return Result(games, reading.sheet.contestants)


PRINTED = {
    # As printed: the place in A, B and C, the award in hundredths, and the stratum that paid it.
    "A N-S 1": ("A=1, B=1", 90, "A"),
    "A N-S 5": ("B=3, C=1", 28, "B"),
    "A N-S 6": ("A=2, B=2", 63, "A"),
    "A N-S 7": ("A=3", 45, "A"),
    "A N-S 8": ("A=4", 32, "A"),
    "A E-W 1": ("A=3", 45, "A"),
    "A E-W 2": ("A=2, B=2, C=1", 63, "A"),
    "A E-W 3": ("A=4", 32, "A"),
    "A E-W 6": ("C=2", 20, "C"),
    "A E-W 9": ("A=1, B=1", 90, "A"),
}


def test_the_published_game_is_read_with_what_it_prints() -> None:
    contestants = READER.read(GAME).sheet.contestants
    who = contestants["section"] + " " + contestants["direction"] + " " + contestants["number"]
    printed = contestants[["printed_section", "printed_award", "printed_paid_by"]]
    assert len(contestants) == 18
    for name, row in zip(who, printed.itertuples(index=False), strict=True):
        if name in PRINTED:
            assert tuple(row) == PRINTED[name]
        else:
            assert row.isna().all() if isinstance(row, pd.Series) else all(pd.isna(value) for value in row)
    first = contestants.iloc[0]
    assert (first["player1"], first["player2"]) == ("Harold Holland", "Betty Holland")
    assert (first["percentage"], first["score"], first["stratum"]) == (65.05, 140.50, "B")


def test_the_heading_says_event_session_and_date() -> None:
    game = READER.read(GAME).sheet.games.iloc[0]
    assert (game["event"], game["session"]) == ("Wed 1:00 Open Pairs", "Wednesday Aft")
    assert game["date"] == pd.Timestamp("2012-04-18")


def test_the_published_game_is_awarded_as_printed_and_written_as_read(file: File) -> None:
    given_ = {"rating": "club-open", "strata": "A=open, B=1000, C=200"}
    result = process(GAME, **given_)
    again = READER.read(file(write(result))).sheet.contestants
    before = READER.read(GAME).sheet.contestants
    drop = ["game_id", "where"]
    pd.testing.assert_frame_equal(again.drop(columns=drop), before.drop(columns=drop))


# Contestants, printed awards and their sum of each report, counted with grep and awk: the rows that begin with one or
# two digits and a score, and the digits before each bracket.
@pytest.mark.parametrize(
    "path", [*REPORTS, *(pytest.param(path, marks=real) for path in REAL)], ids=lambda path: path.stem
)
def test_a_report_is_read_whole(path: Path) -> None:
    text = path.read_text(encoding="cp1252")
    rows = set(re.findall(r"^ *(?:[A-Z] +)?[0-9]+ +-?[0-9.]+ .* - .*$", text, re.MULTILINE))
    awards = [re.search(r" ([0-9]*\.[0-9]{2}) ?\(([A-Z]+)\)", row) for row in rows]
    contestants = READER.read(path).sheet.contestants
    assert len(contestants) == len(rows) > 0
    printed = contestants["printed_award"].dropna()
    assert sorted(printed) == sorted(int(each[1].replace(".", "")) for each in awards if each)
    assert sorted(contestants["printed_paid_by"].dropna()) == sorted(each[2] for each in awards if each)


HEAD = """Open Pairs Wednesday Aft Session April 18, 2012
Section  A  North-South
Pair    Pct   Score      Section Rank      MPs       Names
                         A     B     C
"""
ROW = "   1  65.05  140.50  B   1     1           0.90 (A)  Harold Holland - Betty Holland\n"


def test_rows_mean_what_stands_above_them(file: File) -> None:
    contestants = READER.read(file(HEAD + ROW)).sheet.contestants
    assert contestants.loc[0, "printed_section"] == "A=1, B=1"
    assert contestants.loc[0, "printed_award"] == 90
    assert contestants.loc[0, "where"] == "line 5"


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (HEAD, "line 3", "no contestants below"),
        (ROW, "line 1", "no header above"),
        (HEAD + ROW.replace("140.50", "14O.50"), "line 5", "14O.50"),
        (
            HEAD + ROW.replace("65.05", "165.05"),
            "line 5",
            "percentage out of range: 165.05; write a number from 0 to 100",
        ),
        (HEAD + ROW.replace("0.90 (A)", "zero (A)"), "line 5", "zero"),
        (HEAD + ROW.replace("  1     1   ", "  1     x   "), "line 5", "invalid rank: 'x'"),
        (HEAD + ROW.replace("B   1", "b   1"), "line 5", "invalid stratum: 'b'"),
        (HEAD + ROW + ROW.replace("65.05", "64.05"), "line 6", "appears twice"),
        (HEAD.replace("A     B     C", "A     B  1  C") + ROW, "line 3", "no stratum letters"),
        (HEAD.replace("Section  A  North-South", "Here they are") + ROW, "line 3", "do not name"),
        (HEAD.replace("April 18", "April 31") + ROW, "line 1", "invalid date"),
    ],
)
def test_bad_text_is_refused_by_line(file: File, text: str, where: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        READER.read(file(text))
    assert where in str(caught.value)
    assert what in str(caught.value)


def test_tabs_or_columns_any_line_end_and_windows_1252_read_the_same(file: File) -> None:
    text = HEAD + ROW.replace("Holland", "Müller")
    tabbed = (
        "Open Pairs Wednesday Aft Session April 18, 2012\nSection A North-South\n\n"
        "Pair\tPct\tScore\tSection Rank\t\t\tMPs\n\t\t\tA\tB\tC\n"
        "1\t65.05\t140.50\tB\t1\t1\t0.90 (A)\tHarold Müller - Betty Müller\n"
    )
    expected = READER.read(file(text)).sheet.contestants.drop(columns="where")
    for other in (text.replace("\n", "\r\n").encode(), text.encode("cp1252"), ("\f" + text).encode(), tabbed):
        found = READER.read(file(other)).sheet.contestants.drop(columns="where")
        pd.testing.assert_frame_equal(found, expected)


def test_a_game_with_holdings_lists_its_members(file: File) -> None:
    result = awarded(["A-1 A 60% mp=500/20.5", "A-2 B 55% mp=10", "A-3 B 50%", "A-4 A 45%", "A-5 A 40%", "A-6 A 30%"],
                     tables=3, strata="A=open, B=100", movement="howell")  # fmt: skip
    text = write(result).decode()
    assert "A        -          1       -       500      A-1 one" in text.splitlines()
    expected = annotated(result).assign(printed_colours=None).astype({"printed_colours": "str"})
    same(whole(READER.read(file(text))), Result(result.games, expected))


def test_colours_are_shown_where_not_all_is_black(file: File) -> None:
    result = process(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    assert "black" not in write(result).decode()
    first = result.contestants.assign(printed_award=90, printed_colours="black=0.45, red=0.45")
    text = write(Result(result.games, first)).decode()
    assert "0.45 black, 0.45 red  Harold Holland" in text
    assert set(READER.read(file(text)).sheet.contestants["printed_colours"]) == {"black=0.45, red=0.45"}


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("printed_section", "second or so", "printed rank 'second or so'"),
        ("printed_paid_by", "the A stratum", "'the A stratum'"),
        ("printed_colours", "a bit of gold", "colours 'a bit of gold'"),
    ],
)
def test_what_no_listing_can_show_is_told(column: str, value: str, what: str) -> None:
    result = process(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    odd = Result(result.games, result.contestants.assign(printed_award=10, **{column: value}))
    with pytest.raises(InputError, match=what) as caught:
        write(odd)
    assert "contestant A N-S 1" in str(caught.value)


def test_a_knockout_is_written_with_its_rounds(file: File) -> None:
    result = process(FIXTURES / "knockout-example.csv")
    # Team 3 of bracket 2 won its first two matches, then lost to 7 and to 1 in a round of three, and won no more.
    lines = write(result).decode().splitlines()
    rows = [line.split() for line in lines if line.endswith("Ben Jay - Rosa Reed - Ben Yew - Ivo Dahl")]
    assert rows[0][:5] == ["3", "W6", "W5", "L7,L1", "A"]
    again = READER.read(file("\n".join(lines))).sheet.contestants
    rounds = ["section", "number", "round1", "round2", "round3", "round4", "playoff"]
    pd.testing.assert_frame_equal(again[rounds], result.contestants[rounds])


def test_swiss_teams_are_written_with_their_matches_won_and_what_each_player_gets(file: File, tmp_path: Path) -> None:
    keys = {"rating": "regional", "date": "2005-05-05", "event_type": "swiss", "tables": 8, "boards": 7, "sessions": 2}
    rows = ["number,score,wins," + ",".join(f"player{n},played{n}" for n in range(1, 7))]
    rows += ["1,160,6.5,Ann,100,Bob,100,Cat,75,Dan,50,Eve,50,Fay,25"]
    rows += [f"{n},{160 - n},{8 - n},P{n},,Q{n},,R{n},,S{n},,,,," for n in range(2, 9)]
    path = saved(tmp_path / "swiss.csv", "\n".join([*(f"# {name}: {value}" for name, value in keys.items()), *rows]))
    result = process(path)
    lines = write(result).decode().splitlines()
    assert lines[2].split()[:3] == ["Team", "Score", "Wins"]
    assert [line.split()[:3] for line in lines[4:6]] == [["1", "160.00", "6.5"], ["2", "158.00", "6"]]
    # The overall award is 14 x 1.5 x .3 = 6.30, of which each gets what it played; a match won is worth 0.36, so Fay's
    # quarter of 1.58 is less than the team's 6.5 matches.
    members = [
        "Section  Direction  Number  Member  Holding  Played  MPs   Name",
        "A        -          1       -       -        100     6.30  Ann",
        "A        -          1       -       -        100     6.30  Bob",
        "A        -          1       -       -        75      4.73  Cat",
        "A        -          1       -       -        50      3.15  Dan",
        "A        -          1       -       -        50      3.15  Eve",
        "A        -          1       -       -        25      2.34  Fay",
        "",
    ]
    start = lines.index(members[0])
    assert lines[start : start + len(members)] == members
    same(whole(READER.read(file("\n".join(lines)))), Result(result.games, CONTESTANTS.conform(annotated(result))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("round1", "won by a lot", "round1 'won by a lot'.*invalid match: 'won by a lot'"),
        ("round1", "W  5", "round1 'W  5'.*read back as 'W 5'"),
        ("playoff", "W5", "playoff 'W5'.*read back as 'W 5'"),
        ("wins", 4.25, "wins '4.25'.*count a tied one as half"),
        ("played2", 101.0, "played2 '101.0'.*number from 0 to 100"),
        ("printed_share1", -5, "printed_share1 '-5'.*number from 0 to"),
        ("printed_award", -5, "printed_award '-5'.*number from 0 to"),
        ("score", float("inf"), "score 'inf'.*invalid number"),
        ("stratum", "b", "the stratum 'b'"),
    ],
)
def test_what_would_not_read_back_is_told(column: str, value: object, what: str) -> None:
    result = process(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    sheet = Result(result.games, CONTESTANTS.conform(result.contestants.assign(**{column: value})))
    with pytest.raises(InputError, match=what) as caught:
        write(sheet)
    assert "contestant A N-S 1 of wed-open-pairs-2012-04-18" in str(caught.value)


MEMBERS = HEAD + ROW + "\nSection  Direction  Number  Member  Holding  Played  MPs  Name\n"


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("A  N-S  1  -  -  101  0.90  Harold", "part of the event out of range: 101"),
        ("A  N-S  1  -  -  50  lots  Harold", "invalid number: 'lots'"),
        ("A  N-S  1  -  -5  50  0.90  Harold", "holding out of range: -5"),
        ("A  N-S  1  -  -  50", "lacks columns"),
        ("A  E-W  1  -  -  50  0.90  Harold", "no listing above has the contestant A E-W 1"),
    ],
)
def test_a_bad_row_of_the_list_of_members_is_refused(file: File, row: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        READER.read(file(MEMBERS + row + "\n"))
    assert "line 8" in str(caught.value)


def test_matches_and_matches_won_are_read_as_they_may_stand(file: File) -> None:
    head = HEAD.replace("North-South", "").replace("Pair    Pct   Score  ", "Team   Wins  Round 1")
    head = head.replace("Section Rank      MPs", "     Section Rank      MPs").replace("  A     B", "       A     B")
    contestants = READER.read(
        file(head + '   1    4.5    "W A4"          1     1           0.90 (A)  Ann - Bob\n')
    ).sheet.contestants
    assert contestants.loc[0, ["wins", "round1", "printed_section"]].tolist() == [4.5, "W A4", "A=1, B=1"]
    with pytest.raises(InputError, match=r"line 5: invalid number of matches won: 4\.3"):
        READER.read(file(head + '   1    4.3    "W A4"          1     1           0.90 (A)  Ann - Bob\n'))


def _presentable(result: Result) -> Result:
    """Return drawn games without what the writer refuses: ranks by no strata, and payers of no award."""
    frame = result.contestants
    rank = frame["printed_overall"].where(frame["printed_overall"].str.fullmatch(r"(, |[A-Z]=[0-9/]+)+", na=False))
    payer = frame["printed_paid_by"].where(frame["printed_award"].notna())
    frame = frame.assign(printed_overall=rank.astype("str"), printed_paid_by=payer.astype("str"))
    return Result(result.games, frame)


def test_every_column_is_drawn_that_what_was_written_reads_back_with() -> None:
    always = {"game_id", "section", "direction", "number", "eligible", "score", "where"}
    missing = [c.name for c in CONTESTANTS.columns if c.name not in always and not any(map(c.matches, COLUMNS))]
    assert not missing, f"tests/generated.py: add values of {missing} to COLUMNS"


@examples(30)
@given(results().map(_presentable))
def test_what_was_written_reads_back(file: File, result: Result) -> None:
    same(whole(READER.read(file(write(result)))), result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("wed-open-pairs-2012-04-18.csv", 1),  # the ranks move together, and 85 columns become 79
        ("made-charity.csv", 1),  # long names go on below themselves
        ("made-sections.ACM", 2),
        ("knockout-example.csv", 2),
        ("teams/saturday-swiss.csv", 2),
    ],
)
def test_a_sheet_on_the_screen_has_80_columns_and_reads_back_as_the_file_does(
    name: str, lines: int, file: File
) -> None:
    result = process(FIXTURES / name)
    shown = screen(result).decode()
    assert max(map(len, shown.splitlines())) <= 80
    heads = [line for line in shown.splitlines() if re.fullmatch("( *(MPs|Colours|Names))+|(Pair|Team) .*", line)]
    sections = result.contestants[["section", "direction"]].drop_duplicates()
    assert len(heads) == lines * len(sections)
    of_file = re.sub("(?m)^#.*\n", "", write(result).decode())
    assert max(map(len, of_file.splitlines())) > 80
    again, before = (READER.read(file(text)).sheet.contestants for text in (shown, of_file))
    pd.testing.assert_frame_equal(again.drop(columns="where"), before.drop(columns="where"))


def test_a_row_that_lacks_its_second_line_is_refused(file: File) -> None:
    shown = screen(process(FIXTURES / "knockout-example.csv")).decode().splitlines()
    cut = next(at for at, line in enumerate(shown) if "Eve Tarn - Gil Kerr" in line)
    with pytest.raises(InputError, match="this row has 1 line, but its header has 2") as raised:
        READER.read(file("\n".join([*shown[:cut], *shown[cut + 1 :]])))
    assert f"line {cut}" in str(raised.value)


def test_names_below_a_row_are_taken_only_where_it_is_not_at_its_end(file: File) -> None:
    """A line without a number is of the row above it where that ends with a dash, else it is refused as before."""
    shown = screen(process(FIXTURES / "made-charity.csv")).decode()
    assert re.search(r"Zeno Guava -\n {40,}Alma Hemlock\n", shown)
    with pytest.raises(InputError, match="this row has no number"):
        READER.read(file(shown.replace("Zeno Guava -\n", "Zeno Guava - Al\n", 1)))


@pytest.mark.slow
def test_the_same_game_from_text_csv_and_excel_gives_the_same_json() -> None:
    games = [json.loads(write_json(process(GAME.with_suffix(ending)))) for ending in (".txt", ".csv", ".xlsx")]
    sources = [game["games"][0]["game"].pop("source") for game in games]
    assert sources == [GAME.with_suffix(ending).name for ending in (".txt", ".csv", ".xlsx")]
    assert games[0]["games"] == games[1]["games"] == games[2]["games"]
