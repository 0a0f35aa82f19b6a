"""Printed reports in the forms that clubs post: other columns, games without strata, web pages, events of one title."""

import re
from collections.abc import Callable

import pandas as pd
import pytest
from conftest import File, run, with_tabs

from resultproc.formats.read import read
from resultproc.formats.text.writer import write
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import Result, Sheet
from resultproc.model.game import leagues
from resultproc.stages.pipeline import process

NAME = "06-27.txt"

ADJUSTED = """
Monday Stratified Pairs Monday Eve Session June 27, 2011
Scores after  3 rounds  Average:   12.0      Section  D
Pair    Pct   Score  Adjust      Section Rank      Overall Rank      MPs     
                                 A     B           A     B           
  2   62.50   15.00    0.00  B   1     1           1     1           0.40(OA) Ann Ash - Bob Box
  3   50.00   12.00    0.00  A   2                 2                 0.28(SA) Cat Cod - Dan Dew
  1   50.00   12.00   -1.50  B                                               Eve Elm - Fay Fir
  4   37.50    9.00    2.00  A                                               Gus Gum - Hal Hay
"""  # noqa: W291 -- reports end so


def test_an_adjustment_is_in_the_score(file: File) -> None:
    contestants = read(file(ADJUSTED)).contestants
    assert contestants["adjustment"].tolist() == [0, 0, -1.5, 2]
    assert contestants["score"].tolist() == [15, 12, 12, 9]
    assert contestants["printed_overall"].fillna("").tolist() == ["A=1, B=1", "A=2", "", ""]


SHORT_LABELS = """
Monday Open Pairs Monday Eve Session June 27, 2011
Scores after  8 rounds  Average:   84.0      Section  D  North-South
Pair    Pct   Score    Sectn Rank  O/All Rank    MPs     
                         A     B     A     B  
  4   59.23   99.50  A   1           1          6.50(OA) Ann Ash - Bob Box
  8   55.95   94.00  B  2/3   1/2   5/6    3    2.06(OA) Cat Cod - Dan Dew
  6   55.95   94.00  B  2/3   1/2   5/6    4    0.84(OB) Eve Elm - Fay Fir
  7   50.89   85.50  A                                   Gus Gum - Hal Hay
"""  # noqa: W291


def test_ranks_may_stand_below_shorter_labels(file: File) -> None:
    contestants = read(file(SHORT_LABELS)).contestants
    assert contestants["printed_section"].fillna("").tolist() == ["A=1", "A=2/3, B=1/2", "A=2/3, B=1/2", ""]
    assert contestants["printed_overall"].fillna("").tolist() == ["A=1", "A=5/6, B=3", "A=5/6, B=4", ""]
    assert contestants["stratum"].tolist() == ["A", "B", "B", "A"]
    # Without overall ranks the labels are as short.
    section = "\n".join(line[:35].ljust(35) + line[47:] for line in SHORT_LABELS.splitlines()[3:])
    again = read(file("\n".join([*SHORT_LABELS.splitlines()[:3], section]))).contestants
    assert again["printed_section"].equals(contestants["printed_section"])
    assert again["printed_overall"].isna().all()


NEWCOMERS = """
NEWCOMER PAIRS Monday Eve Session June 27, 2011
Scores after  3 rounds  Average:   12.0      Section  G  North-South
Pair    Pct   Score  Rank   MPs     
  2   59.38   14.25   1    0.09     Ann Ash - Bob Box
  1   45.31   10.88  2/3   0.03     Cat Cod - Dan Dew
  3   45.31   10.88  2/3   0.03     Eve Elm - Fay Fir

NEWCOMER PAIRS Monday Eve Session June 27, 2011
Scores after  3 rounds  Average:   12.0      Section  G  East-West
Pair    Pct   Score  Rank   MPs     
  1   59.38   14.25   1    0.09     Gus Gum - Hal Hay
  2   45.46   10.91                 Ida Ivy - Jon Jay
  3   45.16   10.84                 Kim Key - Lea Lee
"""  # noqa: W291


@pytest.mark.parametrize(
    "made",
    [
        with_tabs,
        lambda text: "On Tuesday Ann wrote:\n" + re.sub("(?m)^", "> ", text),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.strip() + text.replace("North-South", "East-West").replace("\n\n", "\n"),
        lambda text: re.sub(r"(?<=[0-9])\.(?=[0-9]{2})", ",", text),
        lambda text: text.replace("  ", "\xa0 "),
    ],
    ids=["tabs", "quoted", "a blank line after each", "no blank line between", "commas", "blanks of a page"],
)
def test_what_mail_and_editors_do_to_a_report_changes_nothing(file: File, made: Callable[[str], str]) -> None:
    columns = ["number", "score", "stratum", "printed_overall", "printed_award", "player1", "player2"]
    plain, found = (read(file(text)).contestants[columns] for text in (SHORT_LABELS, made(SHORT_LABELS)))
    again = len(found) // len(plain)
    pd.testing.assert_frame_equal(found, pd.concat([plain] * again, ignore_index=True))


@pytest.mark.parametrize("gone", [" +", "(?m)^ +"], ids=["put together", "before each line"])
def test_a_report_without_the_blanks_of_its_columns_is_refused_as_such(file: File, gone: str) -> None:
    with pytest.raises(InputError, match="line 4: the blanks that keep the columns of this report apart are gone"):
        read(file(re.sub(gone, lambda found: " " if gone == " +" else "", SHORT_LABELS)))


def test_a_game_without_strata_has_ranks_and_awards_of_its_one(file: File) -> None:
    contestants = read(file(NEWCOMERS)).contestants
    assert contestants["printed_section"].fillna("").tolist() == ["A=1", "A=2/3", "A=2/3", "A=1", "", ""]
    assert contestants["printed_award"].fillna(0).tolist() == [9, 3, 3, 9, 0, 0]
    assert contestants[["stratum", "printed_paid_by", "printed_colours"]].isna().all(axis=None)


COLOURED = """
Monday Stratified Pairs Monday Eve Session June 27, 2011
Scores after 12 rounds  Average:  132.0      Section  D  North-South
Pair    Pct   Score  Qualifiers       Section Rank      Overall Rank      MPs     
                      A   B   C       A     B     C     A     B     C  
  8   62.12  164.00   Q           A   1                 2                5.25R/B  Ann Ash - Bob Box
 11   57.77  152.50   Q   Q       B   2     1           4     1         12.95R/G  Cat Cod - Dan Dew
  4   55.13  145.50           Q   C   3                                  0.36Blk  Eve Elm - Fay Fir
  7   51.11  135.00   Q   Q       B   4     3                 3          1.34Red  Gus Gum - Hal Hay
  6   49.24  130.00               B                                               Ida Ivy - Jon Jay
"""  # noqa: W291


def test_awards_name_their_colours(file: File) -> None:
    sheet = read(file(COLOURED))
    contestants = sheet.contestants
    assert contestants["printed_award"].fillna(0).tolist() == [525, 1295, 36, 134, 0]
    colours = ["black, red", "red, gold", "black=0.36", "red=1.34", ""]
    assert contestants["printed_colours"].fillna("").tolist() == colours
    assert contestants["printed_paid_by"].isna().all()
    again = read(file(write(Result(*sheet)).decode(), name="again.txt")).contestants
    assert again["printed_colours"].equals(contestants["printed_colours"])


@pytest.mark.parametrize("award", ["0.36Blue", "0.36B/", "0.36R/X", "0.36/B"])
def test_a_colour_that_there_is_not_is_refused(file: File, award: str) -> None:
    with pytest.raises(InputError, match=rf"line 8: invalid award: '{award}'.*5\.25R/B"):
        read(file(COLOURED.replace(" 0.36Blk ", f" {award} ".rjust(9))))


TEAMS = """
Tuesday Teams Tuesday Eve Session June 28, 2011
Scores after  4 rounds  Average:   16.0      Section  A
Team    Pct   Score      Section Rank      MPs     
                         A     B  
  2   62.50   20.00  A   1                 0.44 (A) Ann Ash - Bob Box - Cat Cod - Dan Dew
  1   50.00   16.00  B   2     1           0.31 (A) Eve Elm - Fay Fir - Gus Gum - Hal Hay
  3   50.00   16.00  B                              Ida Ivy - Jon Jay - Kim Key - Lea Lee
  4   37.50   12.00  A                              Max May - Nan Nye - Oda Oak - Pia Pye - Qin Qui
"""  # noqa: W291


@pytest.mark.parametrize("label", ["Team", "Pair"])
def test_four_names_in_a_row_are_a_team(file: File, label: str) -> None:
    sheet = read(file(TEAMS.replace("Team  ", f"{label}  ", 1)))
    assert sheet.contestants["player5"].fillna("").tolist() == ["", "", "", "Qin Qui"]
    assert sheet.games["tables"].item() == "A=4"


PAGE = (
    "<HTML><head><title>Results</title>\n<style>pre { color: red }</style></head>\n<body><h1>Monday</h1>\n<pre>{}</pre>"
)


@pytest.mark.parametrize("report", [ADJUSTED, SHORT_LABELS, NEWCOMERS, COLOURED, TEAMS])
def test_a_saved_web_page_reads_as_the_report_in_it(file: File, report: str) -> None:
    bare = read(file(report))
    linked = report.replace("Ann Ash", '<a href="x.html">Ann&nbsp;Ash</a>').replace("Box", "Box &amp; Co")
    head, tail = linked.rsplit("\n\n", 1) if "\n\n" in linked else (linked, "")
    second = f"\n<hr>\n<PRE class=results>{tail}</PRE>" if tail else ""
    page = PAGE.replace("{}", head) + second + "\n<p>Thanks</p></body></html>"
    found = read(file(page, name="06-27.htm"))
    assert found.games.drop(columns="source").equals(bare.games.drop(columns="source"))
    expected = bare.contestants.replace({"player2": {"Bob Box": "Bob Box & Co"}})
    pd.testing.assert_frame_equal(found.contestants.drop(columns="where"), expected.drop(columns="where"))


def test_a_line_of_a_web_page_is_named_where_it_stands(file: File) -> None:
    broken = COLOURED.replace("0.36Blk", "0.36Blu").replace("\n", "<br>\n")
    with pytest.raises(InputError, match=r"^06-27\.htm: line 11: invalid award: '0\.36Blu'"):
        read(file(PAGE.replace("{}", broken), name="06-27.htm"))
    one_line = COLOURED.replace("0.36Blk", "0.36Blu").replace("\n", "<BR/>")
    with pytest.raises(InputError, match=r"^06-27\.htm: line 4: invalid award: '0\.36Blu'"):
        read(file(PAGE.replace("{}", one_line), name="06-27.htm"))


HEAD = "MONDAY STRAT 299'ER PAIRS Monday Eve Session June 27, 2011"


def listing(
    section: str, ranks: str, rounds: int = 7, average: float = 98.0, direction: str = "", title: str = HEAD
) -> str:
    """Return a listing of three pairs; ``ranks`` are those overall in A, - for none; without any there is no column."""
    places = ranks.split()
    overall = "   Overall Rank" if places else ""
    where = f"{section}  {direction}".rstrip()
    lines = ["", title, f"Scores after {rounds:2} rounds  Average: {average:7.1f}      Section  {where}"]
    lines += [
        f"Pair    Pct   Score      Section Rank{overall}   MPs",
        " " * 25 + "A" + " " * 14 * bool(places) + "A" * bool(places),
    ]
    for number in range(3):
        rank = f"{places[number]:<17}" if places else "  "
        rank = rank.replace("-", " ")
        scores = f"{number + 1:3}{60 - 5 * number:8.2f}{120 - 10 * number:8.2f}"
        lines.append(f"{scores}  A  {number + 1:2}{' ' * 13}{rank}      Ann - Bob")
    return "\n".join(lines) + "\n"


def sections_by_game(sheet: Sheet) -> list[str]:
    """Return the sections of each game, in order."""
    return ["".join(rows["section"].unique()) for _, rows in sheet.contestants.groupby("game_id")]


@pytest.mark.parametrize(
    ("report", "games"),
    [
        # Overall ranks decide, whatever the rounds are.
        (listing("D", "1 3 -") + listing("E", "2 4 -"), ["DE"]),
        (listing("D", "1 3 -", 8) + listing("E", "2 4 -", 6), ["DE"]),
        (listing("D", "1 3 -", 8, 99) + listing("E", "2 4 -", 6), ["DE"]),
        (listing("D", "1 2/3 -") + listing("E", "2/3 4 -"), ["DE"]),
        # A lone first place twice.
        (listing("D", "1 2 3") + listing("E", "1 2 -"), ["D", "E"]),
        (listing("D", "1 2 3", 12, 132) + listing("E", "1 2 -", 7, 98), ["D", "E"]),
        (listing("D", "1 2 3") + listing("E", "1/2 1/2 3"), ["D", "E"]),
        # Nobody of E is first, so that D and E are one game; G is another.
        (listing("D", "1 3 -") + listing("G", "1 2 -", 5, 60) + listing("E", "2 4 -"), ["DE", "G"]),
        # Each direction has its own places.
        (
            listing("D", "1 3 -", direction="North-South")
            + listing("D", "1 2 -", direction="East-West")
            + listing("E", "2 4 -", direction="North-South")
            + listing("E", "3 4 -", direction="East-West"),
            ["DE"],
        ),
        # Without overall ranks, rounds and averages.
        (listing("D", "") + listing("E", ""), ["DE"]),
        (listing("D", "", 12, 132) + listing("E", "", 7, 98), ["D", "E"]),
        # Another title is another game.
        (listing("D", "1 2 -") + listing("E", "1 2 -", title=HEAD.replace("299'ER", "199'ER")), ["D", "E"]),
    ],
)
def test_events_of_one_title_are_told_apart(file: File, report: str, games: list[str]) -> None:
    sheet = read(file(report))
    assert sections_by_game(sheet) == games
    assert sheet.games["tables"].notna().all()
    assert set(sheet.games["event"].str[:12]) == {"MONDAY STRAT"}


UNCLEAR = [
    # The same average, but other rounds, and no overall ranks.
    listing("D", "", 8) + listing("E", "", 6),
    # D and E might each have a place of their own direction, or be two games, and they differ in rounds alone.
    listing("D", "1 2 -", 8, direction="North-South") + listing("E", "1 2 -", 6, direction="East-West"),
    # Two are first, and one section has nobody who is: with which of the others it belongs is not said.
    listing("D", "1 2 -") + listing("E", "1 2 -") + listing("F", "3 4 -"),
]


@pytest.mark.parametrize("report", UNCLEAR)
def test_what_stays_unclear_is_asked_for(file: File, report: str) -> None:
    with pytest.raises(InputError) as caught:
        read(file(report))
    text = str(caught.value)
    assert text.startswith("06-27.txt: line 2: sections D and E")
    assert "# sections: D, E" in text
    assert "# sections: D; E" in text
    assert 'sections = "D; E' in text


@pytest.mark.parametrize(("declared", "games"), [("D; E", ["D", "E"]), ("D, E", ["DE"]), ("E D", ["DE"])])
@pytest.mark.parametrize("report", UNCLEAR[:2])
def test_what_is_declared_settles_it(file: File, report: str, declared: str, games: list[str]) -> None:
    assert sections_by_game(read(file(f"# sections: {declared}\n{report}"))) == games
    beside = f'sections = "{declared}"\n[games.06-27]\n' if len(games) == 1 else f'sections = "{declared}"\n'
    assert sections_by_game(read(file(report, declared=beside))) == games


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        ("D; E", "leaves out some sections of"),
        ("D; E; G", "there is no section G in the report"),
        ("D; D, E, F", "a section is named twice"),
    ],
)
def test_a_wrong_declaration_of_sections_is_refused(file: File, declared: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(file(UNCLEAR[2], declared=f'sections = "{declared}"\n'))


# What a report does not say.


EVENING = COLOURED + listing("E", "1 2 -", title=HEAD)


def test_what_is_missing_is_asked_for_game_by_game(file: File) -> None:
    with pytest.raises(DeclarationError) as caught:
        process(file(EVENING))
    told = str(caught.value).splitlines()
    assert len(told) == 8
    games = {"Monday Stratified Pairs": "A=..., B=..., C=...", "MONDAY STRAT 299'ER PAIRS": "A=..."}
    for number, (name, letters) in enumerate(games.items(), 1):
        what = f"game 06-27-{number} ({name}): rating is not declared; the strata"
        (at,) = (at for at, line in enumerate(told) if what in line)
        assert f'below the line [games."06-27-{number}"] of 06-27.toml write' in told[at + 1]
        assert "'resultproc new 06-27.txt' makes that file" in told[at + 1]
        assert told[at + 2 : at + 4] == ['  rating = "club-open"', f'  strata = "{letters}"']


def test_what_kind_of_teams_they_are_is_asked_for(file: File) -> None:
    with pytest.raises(DeclarationError, match="line 6: event_type is not declared, and there are teams of four"):
        process(file(TEAMS), rating="club-open", strata="A=open, B=200")
    # Four teams, .10 x 4 x 1.10 for board-a-match: 0.44, and 70 percent of that.
    result = process(file(TEAMS), rating="club-open", strata="A=open, B=200", event_type="bam")
    assert result.awards["masterpoints"].tolist()[0] == 44


RATINGS = f"the class of game: {', '.join(leagues()['acbl'].names)}; 'resultproc rules list' has those of other leagues"
FILLED_IN = f"""\
# What 06-27.txt does not say about its games. The values are proposals: correct what is not so,
# and fill in what is empty between the quotes; delete the # before what applies.

# Monday Stratified Pairs, Monday Eve, 2011-06-27: section D, 5 contestants, 4.5 tables
[games."06-27-1"]
rating = "club-open"  # {RATINGS}
strata = "A=open, B=1000, C=200"  # upper limits, top first, such as A=open, B=1000, C=200
# limit = 300  # where entry is limited: the most masterpoints that a player may hold
# concurrent_tables = "=1.5"  # where games at the same time count: limit=tables of 06-27-2

# MONDAY STRAT 299'ER PAIRS, Monday Eve, 2011-06-27: section E, 3 contestants, 1.5 tables
[games."06-27-2"]
rating = "club-open"  # {RATINGS}
strata = "A=open"  # upper limits, top first, such as A=open
# limit = 300  # where entry is limited: the most masterpoints that a player may hold
# concurrent_tables = "=4.5"  # where games at the same time count: limit=tables of 06-27-1
"""


def test_new_writes_what_is_asked_for_to_be_filled_in(file: File) -> None:
    path = file(EVENING)
    done = run("new", path)
    assert done.status == 0
    written = path.with_suffix(".toml")
    text = written.read_text("utf-8")
    empty = FILLED_IN.replace('"A=open, B=1000, C=200"', '"A=, B=, C="')
    assert text == empty.replace('"A=open"', '"A="')
    # What is not filled in is told by its line, and so is what is uncommented and not filled in.
    with pytest.raises(DeclarationError) as caught:
        process(path)
    assert [line.split(": ")[1] for line in str(caught.value).splitlines()] == ["line 7", "line 14"]
    written.write_text(FILLED_IN.replace("# concurrent", "concurrent"), "utf-8")
    with pytest.raises(DeclarationError, match="line 9: concurrent_tables: invalid masterpoint limit: ''"):
        process(path)
    written.write_text(FILLED_IN, "utf-8")
    assert process(path, sit_outs=4).games["rating"].tolist() == ["club-open", "club-open"]
    # It is never overwritten.
    again = run("new", path)
    assert again.status == 1
    assert written.read_text("utf-8") == FILLED_IN
    other = path.parent / "other.toml"
    assert run("new", path, "-o", other).status == 0
    assert other.read_text("utf-8") == text
    assert run("new", path, "-o", other).status == 1


def test_new_leaves_out_what_the_report_declares(file: File) -> None:
    path = file("# rating: club-newcomer\n# limit: 20\n" + NEWCOMERS)
    assert run("new", path).status == 0
    lines = path.with_suffix(".toml").read_text("utf-8").splitlines()
    assert lines[3:] == ["# NEWCOMER PAIRS, Monday Eve, 2011-06-27: section G, 6 contestants, 3 tables"]
