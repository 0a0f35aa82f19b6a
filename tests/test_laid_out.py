"""Lists in the layouts that people give them: the same game comes out of each, whatever file it is in."""

import contextlib
from random import Random

import pytest
from list_layouts import Document, Table, written
from workbooks import workbook

from resultproc import process, read
from resultproc.model.dates import written_date
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.grid import Cell, Row
from resultproc.model.numbers import share_of
from resultproc.model.source import Source
from resultproc.tables.titles import Above
from resultproc.tables.told import above_of

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
    assert share_of("½/12") == 0.5


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


@pytest.mark.parametrize("carrier", ["csv", "xlsx", "semicolons"])
@pytest.mark.parametrize("names", ["one", "two"])
def test_whole_names_and_numbers_alone_are_a_list_without_headings(names: str, carrier: str) -> None:
    scores = ["60", "55 1/2", "48", "47½", "46", "43 1/2"]
    if carrier == "semicolons":  # whose decimal commas part nothing
        scores = ["60,0 / 100", "55,5 / 100", "48,0 / 100", "47,5 / 100", "46,0 / 100", "43,5 / 100"]
    pairs = [(f"{a} + {b}",) if names == "one" else (a, b) for _, a, b, _ in PAIRS]
    if names == "one":
        pairs[0] = ("Ann & Bob Ash",)  # a couple, whose whole number alone would begin no list
    lines = [[*pair, score] for pair, score in zip(pairs, scores, strict=True)]
    titles = ["Club Cup (24 boards, 3 tables)"]
    if carrier == "semicolons":
        title = f'"{titles[0]}"' if names == "one" else titles[0]
        found = read(Source("list.csv", "\n".join([f"{title};;", *map(";".join, lines)]).encode()))
    else:
        found = as_read(titles, lines, carrier, head=False)
    assert found.contestants["score"].tolist() == [60, 55.5, 48, 47.5, 46, 43.5]
    assert [each[1:3] for each in pairs_of(found)][1:] == [each[1:3] for each in RIGHT[1:]]
    assert found.games[["boards", "tables"]].to_numpy().tolist() == [[24, "3"]]


@pytest.mark.parametrize("score", ["{:.2f} %", "{:g} / 100"])
def test_whole_names_and_scores_of_single_players_are_a_list_without_headings(score: str) -> None:
    lines = [[a, score.format(float(share))] for _, a, _, share in PAIRS]
    found = as_read(["Summer Individual", "24 boards"], lines, "xlsx", head=False)
    assert found.contestants["player1"].tolist() == [a for _, a, *_ in PAIRS]
    assert found.games["event_type"].tolist() == ["individual"]
    lines = [["Place", "N°", "Joueur", "N° licence", "%"]]
    lines += [
        [place, place, a, f"765432{place}", share] for place, (_, a, _, share) in zip("123456", PAIRS, strict=True)
    ]
    found = as_read(["Individuel"], lines, "xlsx")
    assert found.contestants["id1"].tolist() == [f"765432{place}" for place in "123456"]


def test_headings_of_rounds_are_as_one_beside_those_that_are_known() -> None:
    rounds = ["R1", "R2", "R3", "R4", "R5"]
    lines = [["Names", *rounds, "%"], *([f"{a} & {b}", *"12345", score] for _, a, b, score in PAIRS)]
    assert [each[1:] for each in pairs_of(as_read(["Monday"], lines, "xlsx"))] == [each[1:] for each in RIGHT]


FACTS = (
    ("Tuesday, November 3, 2026   4 tables   24 boards", "2026-11-03", "4", 24, None),
    ("Club Cup · mardi 3 novembre 2026 · 4 tables · 24 étuis", "2026-11-03", "4", 24, "Club Cup"),
    ("Club Cup - martes 3 de noviembre de 2026 (4½ mesas, 27 manos)", "2026-11-03", "4.5", 27, "Club Cup"),
    ("Dienstag, den 3. November 2026 | 4 1/2 Tische | 24 Boards | Howell", "2026-11-03", "4.5", 24, None),
    ("Tables: 4   Boards: 24  Date: 2026-11-03", "2026-11-03", "4", 24, None),
    ("Tische: 5½ Boards: 24 Datum: 3. November 2026", "2026-11-03", "5.5", 24, None),
    ("3.5 tables  Howell   24 boards   November 3, 2026", "2026-11-03", "3.5", 24, None),
    ('"Tables: 3   Boards: 24   Date: Tuesday, November 3, 2026"', "2026-11-03", "3", 24, None),
    ("Tuesday 3 November 2026 - 5½    tables - 24 boards", "2026-11-03", "5.5", 24, None),
    ("Club Cup / 4 tables / Howell / 24 boards / Tuesday - November 3, 2026", "2026-11-03", "4", 24, "Club Cup"),
    ("Open / Limited - November 3, 2026", "2026-11-03", None, None, "Open / Limited"),
    ("4 tables - 24 étuis - le 3 novembre 2026", "2026-11-03", "4", 24, None),
    ("Club Cup • 3-Nov-26 • 24 bds • 4 tables", "2026-11-03", "4", 24, "Club Cup"),
    ("mardi 3 tables", None, "3", None, None),
    ("Tuesday, November 3, 2026, 3 tables, 24 boards, average 84", "2026-11-03", "3", 24, None),
    ("🃏 Results Thursday 5 Nov 2026 🃏", "2026-11-05", None, None, None),
    *(
        (f"Club Night {day}", "2026-05-12", None, None, "Club Night")
        for day in (
            "di 12 mei 2026",
            "Di., 12.5.2026",
            "mar. 12 mai 2026",
            "wt. 12 maja 2026",
            "12.V.2026",
            "12 V 2026 r.",
            "12.05.2026 r.",
            "Tues May 12th, '26",
            "Tues May 12, \u201926",
            "12. Mai '26",
            "12.5.'26",
            "12/May/2026",
            "du mardi 12 mai 2026",
            "vom 12.05.2026",
        )
    ),
    ("Tournoi du mardi, 12 mai 2026", "2026-05-12", None, None, "Tournoi du mardi"),
    ("Tournoi du mardi 12 mai 2026", "2026-05-12", None, None, "Tournoi du mardi"),
    ("Torneo del giovedì 27 agosto", None, None, None, "Torneo del giovedì 27 agosto"),
    ("Coupe du 14 juillet 2026", "2026-07-14", None, None, "Coupe du 14 juillet 2026"),
    ("Played on Saturday, November 14, 2026", "2026-11-14", None, None, None),
    ("Ergebnis vom 14.11.2026", "2026-11-14", None, None, None),
    ("Épreuve : Challenge Dupont", None, None, None, "Challenge Dupont"),
    ("Wedstrijd: Najaarsdrive", None, None, None, "Najaarsdrive"),
    ("Coupe de mai - 12 mai 2026", "2026-05-12", None, None, "Coupe de mai"),
    ("del martes, 12 de mayo de 2026", "2026-05-12", None, None, None),
    ("Club Night 5 okt 2026", "2026-10-05", None, None, "Club Night"),
    ("le 3 déc. 2026", "2026-12-03", None, None, None),
    ("dnia 3 gru 2026", "2026-12-03", None, None, None),
    ("Turnierleitung: Uwe Braun", None, None, None, None),
    ("Hi all, here are last night's results.", None, None, None, None),
    ("Gefeliciteerd aan de winnaars", None, None, None, None),
    ("Club Night '26  May 12, 2026", "2026-05-12", None, None, "Club Night '26"),
    ("vendredi 1er mai 2026 - 5 tables", "2026-05-01", "5", None, None),
    ('"Tuesday Pairs', None, None, None, "Tuesday Pairs"),
    ("Charity Night. Four tables, 3 boards a round, 9 rounds", None, "4", 3, "Charity Night"),  # of a round
    ("Congress Teams  6 x 9 board matches, WBF VP scale", None, None, 9, "Congress Teams"),
    ("Fall Teams, four 6-board matches", None, None, 6, "Fall Teams"),
    ("4½ tables, Mitchell. Boards 1-27 in play", None, "4.5", 27, None),
    ("Club Cup - 3 tables - Nov 3, 2026 - Director: Ann Ash - 20 boards", "2026-11-03", "3", 20, "Club Cup"),
    ("Date: November 3, 2026 (4 x 5 boards)", "2026-11-03", None, 5, None),
    ("Datum: Dienstag, 03.11.2026 / 5 Runden zu 6 Boards", "2026-11-03", None, 6, None),
    ("4 wedstrijden van 6 spellen", None, None, 6, None),
    ("Director: Ann Ash   4 tables   24 boards   Skip Mitchell", None, "4", 24, "Skip Mitchell"),
    ("Open Pairs, Mon Aft, 11/03/2025", "2025-11-03", None, None, "Open Pairs"),  # a Monday, as 2025-03-11 is none
    ("Weds 8 Apr 2026, Club Cup", "2026-04-08", None, None, "Club Cup"),
    ("Howell, everyone sat out one round (2 boards). 22 boards in play", None, None, 22, None),
    ("Is the result out?", None, None, None, None),
    ("Montag, 2. Februar 2026 4,5 Tische 18 Boards Howell", "2026-02-02", "4.5", 18, None),
    ("Club Cup · Fecha: 14 de enero de 2026 · 6 equipos · 6 partidos de 5 manos", "2026-01-14", None, 5, "Club Cup"),
    ('"Saturday, October 10, 2026   6 tables   22 boards",,', "2026-10-10", "6", 22, None),
    # Both are a Saturday, and no Dutchman writes the month first; where one is a Tuesday it is that one.
    ("zaterdag 07-11-2026, 24 spellen", "2026-11-07", None, 24, None),
    ("Arbitre: Ann Ash - jeudi 6 août 2026 - 20 donnes", "2026-08-06", None, 20, None),
    ("Date: samedi 25 juillet 2026 (Tables: 4 1/2, Howell)", "2026-07-25", "4.5", None, None),
    ("Club Cup 5 tables Director: Ann Ash 4/23/2026 20 boards", "2026-04-23", "5", 20, "Club Cup"),
    ("Director: Ann Ash May 12, 2026 20 boards", "2026-05-12", None, 20, None),
    ("martes 12/08/2026", "2026-12-08", None, None, None),
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


def test_a_title_that_the_columns_below_it_part_is_whole() -> None:
    cells = [Cell("Event: Championship Heat", "line 2"), Cell("2", "line 2")]
    assert above_of([Row(cells, "line 2")], "").declared["event"].value == "Championship Heat 2"


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Tuesday Night Pairs   11/8/2026", "2026-08-11"),  # a Tuesday; 8 November is a Sunday
        ("Sunday Night Pairs   11/8/2026", "2026-11-08"),
        ("Monday Night Pairs   11/8/2026", None),  # neither is one
    ],
)
def test_a_weekday_of_an_event_that_settles_a_day_is_told_with_a_remark(line: str, day: str | None) -> None:
    above = Above.of([Row([Cell(line, "line 1")], "line 1")])
    assert (day and str(above.facts["date"])[:10]) == day
    assert "date" in above.facts or day is None
    (remark,) = above.remarks
    assert (f"{day} is taken" in remark.hint) == (day is not None)


def test_a_weekday_of_an_event_beside_a_sure_day_needs_no_remark() -> None:
    above = Above.of([Row([Cell("Tuesday Night Pairs   25/8/2026", "line 1")], "line 1")])
    assert (str(above.facts["date"])[:10], above.remarks) == ("2026-08-25", [])


def test_a_title_that_declares_again_what_another_does_is_passed_over_with_a_remark() -> None:
    titles = [Row([Cell(f"Date: 2026-01-0{n}", f"line {n}")], f"line {n}") for n in (5, 6)]
    above = above_of(titles, "")
    assert above.declared["date"].value == "2026-01-05"
    assert [str(each) for each in above.remarks] == [
        "line 6: the key 'date' appears twice, first in line 5 (keep one of them)"
    ]
    assert above_of(titles[:1], "Date: 2026-01-06").remarks == []  # a page's title says again what is there


def test_handicaps_below_zero_are_no_percentages() -> None:
    rows = [["1", "Ann Ash & Bob Birch", "-2.00", "60"], ["2", "Cleo Cedar & Dirk Dale", "3.00", "40"]]
    sheet = as_read(["Monday"], [["Pair", "Names", "Hcp %", "Score"], *rows], "tabs")
    assert [*sheet.contestants["score"]] == [60, 40]
    assert any("'Hcp %' is not read" in remark.what for remark in sheet.remarks)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_columns_of_scores_may_stand_before_the_names(carrier: str) -> None:
    lines = [["Lijn", "Punten", "%", "Paar", "Namen"]]
    lines += [["N/Z", f"{2 * float(score):g}", score, number, f"{a} / {b}"] for number, a, b, score in PAIRS]
    sheet = as_read(["3 november 2026"], lines, carrier)
    assert pairs_of(sheet) == RIGHT
    assert set(sheet.contestants["direction"]) == {"N-S"}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_numbers_that_equal_scores_share_are_places(carrier: str) -> None:
    lines = [["#", "Names", "%"], *([n, f"{a} & {b}", "54.5"] for n, (_, a, b, _) in zip("11", PAIRS, strict=False))]
    lines += [["3", "Gus Gorse & Hana Hazel", "48.5"], ["4", "Ivo Ivyson & June Juniper", "42.5"]]
    assert [number for number, *_ in pairs_of(as_read(["Monday"], lines, carrier))] == ["1", "2", "3", "4"]
    lines[2][2] = "54.25"
    with pytest.raises(InputError, match="A 1 appears twice"):
        as_read(["Monday"], lines, carrier)


def test_shared_places_on_the_left_and_others_on_the_right_are_one_column() -> None:
    lines = ["Plaats   Namen                         %"]
    for place, (_, a, b, score) in zip(["T1    ", "T1    ", *(f"{n:>6}" for n in range(3, 7))], PAIRS, strict=True):
        lines += [f"{place}   {f'{a} & {b}':27}{'57.88' if 'T' in place else f'{float(score):.2f}'}"]
    found = read(Source("list.txt", "\n".join(["Monday", "", *lines]).encode()))
    assert [each[1:3] for each in pairs_of(found)] == [each[1:3] for each in RIGHT]


@pytest.mark.parametrize("line", ["Turnier vom 3.11.2026", "Tournoi du mardi 3 novembre 2026"])
def test_a_word_before_a_day_names_no_event_that_another_title_names(line: str) -> None:
    for lines in ([line, "Challenge Dupont"], ["Challenge Dupont", line]):
        above = above_of([Row([Cell(each, "line 1")], "line 1") for each in lines], "")
        assert (above.facts["event"], str(above.facts["date"])[:10]) == ("Challenge Dupont", "2026-11-03")


def test_a_line_of_facts_that_the_columns_below_it_divide_is_read_whole() -> None:
    day = {"date": "Montag, 12. Oktober 2026"}
    for words, found in (
        (["Tische:", "6½", "Boards:", "24", "Datum: Montag,", "12.", "Oktober", "2026"], day | {"tables": "6.5"}),
        (["Donnes:", "24", "| Tables:", "6"], {"tables": "6"}),
    ):
        above = above_of([Row([Cell(word, "line 3") for word in words], "line 3")], "")
        assert above.facts | {key: each.value for key, each in above.declared.items()} == found | {"boards": "24"}


def test_a_date_that_may_be_two_days_is_what_is_asked_for() -> None:
    table = Table(["Pair", "Names", "%"], [[number, f"{a} & {b}", score] for number, a, b, score in PAIRS])
    for day, asked in (
        ("13/5/26", r"'13/5/26' leaves out the century; write it as 2012-04-18"),
        ("03/11/2026", r"the date '03/11/2026' may be .*: is it November 3 or March 11\?"),
        ("Date: 03/11/2026", r"the date '03/11/2026' may be .*: is it November 3 or March 11\?"),
    ):
        source = Source(*written(Document([day], [table]), "xlsx", Random(1), ("utf-8", "utf-8")))
        with pytest.raises(InputError, match=asked):
            process(source, rating="club-open", boards=24)
    assert process(source, rating="club-open", boards=24, date="2026-11-03").games["tables"].tolist() == ["A=3"]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("facts", "tables", "missing"),
    [
        ("Tuesday, February 6, 2024   4 tables   24 boards", "4", 2),
        ("4.5 tables  Howell   24 boards   February 6, 2024", "4.5", 3),
        ("Tables: 4   Boards: 24  Date: 2024-02-06", "4", 2),
        ("mardi 6 février 2024 · 4 tables · 24 étuis", "4", 2),
    ],
)
def test_a_title_that_counts_more_tables_than_are_listed_is_believed_and_remarked_on(
    facts: str, tables: str, missing: int, carrier: str
) -> None:
    table = Table(["Pair", "Names", "%"], [[number, f"{a} & {b}", score] for number, a, b, score in PAIRS])
    source = Source(*written(Document([facts], [table]), carrier, Random(7), ("utf-8", "utf-8")))
    result = process(source, rating="club-open")
    assert result.games["sit_outs"].tolist() == [missing]
    assert result.awards["masterpoints"].max() == 80  # 0.10 for each of the 8 pairs that 4 full tables seat
    (said,) = [remark for remark in result.remarks if remark.code == "title.more-tables"]
    assert said.what == (
        f"a title says {tables} tables, and 6 pairs are listed, {missing} fewer than these seat: "
        "the title's tables count"
    )
    assert f"declare sit_outs = {missing} if that is so" in said.hint
    with pytest.raises(InputError, match=f"6 contestants, {missing} fewer than {tables} tables seat: is a row missing"):
        process(source, rating="club-open", tables=tables)


def test_a_title_that_counts_half_a_table_more_says_nothing_new() -> None:
    table = Table(["Pair", "Names", "%"], [[number, f"{a} & {b}", score] for number, a, b, score in PAIRS[:5]])
    source = Source(*written(Document(["February 6, 2024  3 tables"], [table]), "csv", Random(7), ("utf-8", "utf-8")))
    result = process(source, rating="club-open", boards=24)
    assert result.games["sit_outs"].isna().all()
    assert "title.more-tables" not in {remark.code for remark in result.remarks}


@pytest.mark.parametrize("few", ["32/48", "10mp", "3%", "-1.5", "late"])
@pytest.mark.parametrize("row", [0, 8, 17])
def test_a_column_that_few_rows_have_and_one_blank_parts_keeps_its_own(row: int, few: str) -> None:
    lines = ["Session 1 of November 3, 2026", "", "pair names                              tot.  score  combi  strat"]
    scores = [60 - n * 20 / 17 for n in range(18)]
    for n, score in enumerate(scores):
        names = f"Ann Ash{'abc'[n % 3]}er - Bob Birch{'rsu'[n // 6]}on" + " . . . ."[: 2 * (n % 4)]
        beside = few if n == row else ""
        lines.append(f"{n + 1:>3}  {names:<34}{score * 4:>5.1f}  {score:.2f}% {beside:<7} {'.B'[n % 2]}")
    sheet = read(Source("list.txt", "\n".join(lines).encode()), boards=24)
    assert sheet.contestants["percentage"].tolist() == [round(score, 2) for score in scores]
    assert sheet.contestants["player2"].str.fullmatch("Bob Birch[rsu]on").all()
    assert any("the column 'combi' is not read" in remark.what for remark in sheet.remarks)


MITCHELL = [(direction, *pair) for direction, pair in zip(["N-S"] * 3 + ["E-W"] * 3, PAIRS, strict=True)]


@pytest.mark.parametrize("title", ["Club Night, 4 tables", "Tables: 4   Boards: 18", "4 tables  18 boards"])
@pytest.mark.parametrize("carrier", CARRIERS)
def test_pairs_that_a_title_seats_and_a_list_lacks_are_remarked_on(title: str, carrier: str) -> None:
    """A Howell's group are its pairs: 0.10 x 6, 70%; a Mitchell's are as many as its tables: 0.10 x 4, 70% (ch. 4)."""
    games = {"": (PAIRS, [42, 60]), "Direction": (MITCHELL, [28, 28, 40, 40])}
    for head, (pairs, paid) in games.items():
        rows = [[*each[:-2], each[-2], each[-1]] for each in pairs]
        heads = [*filter(None, [head]), "Pair", "Player 1", "Player 2", "%"]
        source = Source(*written(Document([title], [Table(heads, rows)]), carrier, Random(3), ("utf-8", "utf-8")))
        result = process(source, rating="club-open", boards=18, date="2012-04-18")
        assert sorted(each for each in result.awards["masterpoints"] if each) == paid
        assert result.games["tables"].tolist() == ["4"]
        assert sum("2 fewer than these seat" in each.what for each in result.remarks) == 1


def test_tables_that_are_declared_are_no_titles() -> None:
    table = Table(["Pair", "Player 1", "Player 2", "%"], [list(each) for each in PAIRS])
    source = Source(*written(Document(["4 tables"], [table]), "csv", Random(3), ("utf-8", "utf-8")))
    with pytest.raises(InputError, match="lists 6 contestants, 2 fewer than 4 tables seat"):
        process(source, rating="club-open", boards=18, date="2012-04-18", tables=4)


@pytest.mark.parametrize(
    "title",
    [
        "Tuesday, November 3, 2026   3 tables",
        "Evening Pairs, Nov 3, 2026, 3 tables",
        "3 tables (24 boards, 2026-11-03)",
        "Di., 3.11.2026 · 3 Tische",
        "Stolików: 3   Data: wtorek, 3 listopada 2026",
        "Dienstag, 3. November 2026, 3 Tische",
    ],
)
def test_a_title_that_its_commas_divide_is_whole(title: str) -> None:
    rows = "".join(",".join(each) + "\n" for each in PAIRS)
    game = read(Source("list.csv", f"{title}\nPair,Player 1,Player 2,%\n{rows}".encode())).games.iloc[0]
    assert (str(game["date"])[:10], game["tables"]) == ("2026-11-03", "3")


def seats_of(sheet: Sheet) -> list[tuple[str, ...]]:
    return [(side, *pair) for side, pair in zip(sheet.contestants["direction"], pairs_of(sheet), strict=True)]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("sides", [("N-S", "E-W"), ("NS", "EO"), ("Nord-Süd", "Ost-West")])
def test_a_direction_may_head_the_numbers_of_its_pairs(sides: tuple[str, str], carrier: str) -> None:
    tables = [
        Table(
            [head, "Names", "%"],
            [[number, f"{a} & {b}", score] for way, number, a, b, score in MITCHELL if way == side],
        )
        for head, side in zip(sides, ("N-S", "E-W"), strict=True)
    ]
    sheet = read(Source(*written(Document(["Monday"], tables), carrier, Random(7), ("utf-8", "utf-8"))))
    assert seats_of(sheet) == [(side, number, a, b, f"{float(score):g}") for side, number, a, b, score in MITCHELL]


@pytest.mark.parametrize("carrier", ["tabs", "csv", "html", "xlsx"])
def test_a_row_may_be_a_table_with_a_pair_of_each_direction(carrier: str) -> None:
    lines = [["Table", "North", "South", "NS score", "NS pos", "East", "West", "EW score", "EW pos"]]
    for table in range(3):
        (_, _, a, b, score), (_, _, c, d, other) = MITCHELL[table], MITCHELL[table + 3]
        lines.append([str(table + 1), a, b, f"{score}/100", str(table + 1), c, d, f"{other}/100", str(table + 1)])
    sheet = as_read(["Monday"], lines, carrier)
    assert [(side, *names) for side, _, *names, _ in seats_of(sheet)] == [(side, a, b) for side, _, a, b, _ in MITCHELL]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("head", ["Rd {}", "Round {}", "R{}"])
def test_points_of_rounds_are_no_matches(head: str, carrier: str) -> None:
    lines = [["Pair", "Names", *(head.format(n) for n in (1, 2, 3)), "Score", "%"]]
    lines += [[number, f"{a} & {b}", "4.5", "6", "7", f"{float(score) / 2:g}", score] for number, a, b, score in PAIRS]
    assert pairs_of(as_read(["Monday"], lines, carrier)) == RIGHT


TEAMS = [
    ("Four Aces", "Ann Ash", "Bob Birch", "Cleo Cedar", "Dirk Dale", "71", "4"),
    ("Hearts & Co", "Eve Elm", "Finn Fir", "Gus Gorse", "Hana Hazel", "58", "3"),
    ("No Trumps", "Ivo Ivyson", "June Juniper", "Karl Kapok", "Lena Larch", "43", "2"),
    ("Wilson", "Mel Maple", "Ned Nutmeg", "Oz Oak", "Pat Pine", "36", "1"),
]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    "way", ["a column each", "below the team", "captain", "capitán", "names alone", "players alone"]
)
def test_teams_are_teams_and_their_names_no_players(way: str, carrier: str) -> None:
    lines = [["Pos", "Team", "VPs", "Won"]]
    for place, (team, *players, score, won) in enumerate(TEAMS, 1):
        if way in ("a column each", "captain", "capitán"):
            lines.append([str(place), team, *players, score, won])
        elif way == "players alone":
            lines.append([str(place), " / ".join(players), score, won])
        else:
            lines += [[str(place), team, score, won]] + (
                [["", " / ".join(players), "", ""]] if way != "names alone" else []
            )
    if way == "a column each":
        lines[0][2:2] = [f"Player {n}" for n in (1, 2, 3, 4)]
    elif way == "captain":
        lines[0][2:2] = ["Captain", "", "", ""]
    elif way == "capitán":
        lines[0][2:2] = ["Capitán", "Jugador 2", "Jugador 3", "Jugador 4"]
    if way == "captain" and carrier in ("aligned", "ruled"):
        pytest.skip("columns without headings are told by cells")
    sheet = as_read(["Swiss Teams, Saturday 21 November 2026"], lines, carrier)
    names = [f"player{n}" for n in (1, 2, 3, 4) if f"player{n}" in sheet.contestants]
    found = [[name for name in row if isinstance(name, str)] for row in sheet.contestants[names].to_numpy().tolist()]
    assert found == [[team] if way == "names alone" else players for team, *players, _, _ in TEAMS]
    assert sheet.games["event_type"].tolist() == ["swiss"]
    assert "event.told" in [remark.code for remark in sheet.remarks]


def test_teams_of_whom_nothing_tells_what_they_played_are_asked_about() -> None:
    lines = [["Pos", "Team", "IMPs"], *([str(n), team, score] for n, (team, *_, score, _) in enumerate(TEAMS, 1))]
    data = "\n".join(map(",".join, lines)).encode()
    with pytest.raises(InputError, match="event_type is not declared, and each row names a team"):
        process(Source("teams.csv", data), rating="club-open", boards=24, date="2026-11-21")


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Swiss Teams", "swiss"),
        ("Suisse par équipes", "swiss"),
        ("Swiss Pairs", ""),
        ("Team Bridge Club", ""),
        ("Les quatre saisons", ""),
    ],
)
@pytest.mark.parametrize("players", [(2, 2), (3, 2), (1, 2)])
def test_some_players_of_each_team_are_no_pairs(title: str, kind: str, players: tuple[int, int]) -> None:
    """What is called an event of teams is one, however many players of each team a list names."""
    named = [" & ".join(team[1 : players[n > 0] + 1]) for n, team in enumerate(TEAMS)]
    lines = [f"{n},{names},{team[5]}" for n, (team, names) in enumerate(zip(TEAMS, named, strict=True), 1)]
    sheet = read(Source("list.csv", "\n".join([title, "Pos,Names,VPs", *lines]).encode()))
    assert sheet.games["event_type"].fillna("").tolist() == [kind]
    (what,) = [remark.what for remark in sheet.remarks if remark.code == "event.told"] or [""]
    assert (f"it is taken for {kind}, as it is called '{title}', though " in what) == bool(kind)


@pytest.mark.parametrize("title", ["Teams", "Club Teams", "Holdturnering"])
def test_two_players_of_each_team_are_asked_what_they_played(title: str) -> None:
    lines = [f"{n},{' & '.join(team[1:3])},{team[5]}" for n, team in enumerate(TEAMS, 1)]
    with pytest.raises(InputError, match=f"it is called '{title}', though each row names 2 players"):
        process(Source("list.csv", "\n".join([title, "Pos,Names,VPs", *lines]).encode()), rating="club-open")


@pytest.mark.parametrize(("kind", "players"), [("pairs", 4), ("individual", 2)])
def test_an_event_type_that_the_rows_contradict_is_refused(kind: str, players: int) -> None:
    heads = ["number", *(f"player{n}" for n in range(1, players + 1)), "score"]
    rows = [[str(n), *team[1 : players + 1], team[5]] for n, team in enumerate(TEAMS, 1)]
    with pytest.raises(InputError, match=f"event_type is {kind}, and each row of this list names {players} players"):
        read(Source("list.csv", "\n".join(map(",".join, [heads, *rows])).encode()), event_type=kind)


@pytest.mark.parametrize("kind", ["pairs", "individual"])
@pytest.mark.parametrize("title", ["Swiss Teams", "Club Night"])
def test_teams_are_no_pairs_whatever_is_declared(title: str, kind: str) -> None:
    lines = [["Pos", "Team", "VPs"], *([str(n), team[0], team[5]] for n, team in enumerate(TEAMS, 1))]
    data = "\n".join([title, "", *map(",".join, lines)]).encode()
    with pytest.raises(InputError, match=f"event_type is {kind}, and each row of this list names a team"):
        read(Source("teams.csv", data), event_type=kind)


def slipped(row: int, column: int, text: str) -> list[list[str]]:
    lines = [["Place", "Pair", "Names", "Score", "%"]]
    for place, (number, a, b, score) in enumerate(PAIRS, 1):
        lines.append([str(place), number, f"{a} & {b}", f"{float(score) * 2:g}", score])
    lines[row][column] = text
    return lines


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("row", "column", "text", "likely"),
    [
        (2, 4, "S5.25", "is it 55.25?"),
        (3, 4, "4o.00", "is it 40.00?"),
        (3, 3, "8o½", "is it 80½?"),
        (4, 3, "94.S", "is it 94.5?"),
        (3, 3, "8o", "is it 80?"),
        (1, 4, "6O,50", "is it 60.50?"),
        (5, 0, "4", "is this place 5?"),
    ],
)
def test_a_slip_is_told_where_it_is_with_what_it_may_be(
    row: int, column: int, text: str, likely: str, carrier: str
) -> None:
    with pytest.raises(InputError) if column else contextlib.nullcontext() as refused:
        sheet = as_read(["Monday"], slipped(row, column, text), carrier)
    told = refused.value.problems if column else [each for each in sheet.remarks if "place" in each.what]
    assert len(told) == 1
    assert likely in f"{told[0].what} ({told[0].hint})"


@pytest.mark.parametrize("carrier", CARRIERS)
def test_scores_that_state_several_maxima_leave_the_ranking_to_their_percentages(carrier: str) -> None:
    lines = [["Pair", "Names", "Score", "%"]]
    lines += [
        [number, f"{a} & {b}", f"{96 - 4 * n}/168", f"{(96 - 4 * n) / 1.68:.2f}"]
        for n, (number, a, b, _) in enumerate(PAIRS)
    ]
    lines[4][2:] = ["95/192", f"{95 / 1.92:.2f}"]
    sheet = as_read(["Monday"], lines, carrier)
    assert "the scores are of 168 and 192" in " ".join(remark.what for remark in sheet.remarks)
    assert sheet.contestants["percentage"].round(2).tolist() == [float(line[3]) for line in lines[1:]]
    assert "score" not in sheet.contestants or sheet.contestants["score"].isna().all()


def evening(title: str, shift: int) -> list[list[object]]:
    rows = [[number, f"{a} & {b}", float(score) + shift] for number, a, b, score in PAIRS]
    return [*([[title]] if title else []), ["Pair", "Names", "%"], *rows]


@pytest.mark.parametrize("told", ["above", "by the sheet"])
def test_each_dated_sheet_of_a_month_is_a_game(told: str) -> None:
    days = ["2026-11-03", "2026-11-10", "2026-11-17"]
    sheets = {day: evening(day if told == "above" else "", n) for n, day in enumerate(days)}
    if told == "above":
        sheets = {f"week {n}": rows for n, rows in enumerate(sheets.values(), 1)} | {"Members": [["Name"], ["Ann Ash"]]}
    sheet = read(Source("month.xlsx", workbook(**sheets)))
    assert sheet.games["game_id"].tolist() == [f"month-{day}" for day in days]
    assert [str(day)[:10] for day in sheet.games["date"]] == days
    assert len(sheet.contestants) == 18


def test_a_workbook_of_travellers_is_told_to_be_one() -> None:
    boards = [["Board", "NS", "EW", "Contract", "By", "Tricks"], *([n, 1, 2, "3NT", "N", 9] for n in range(1, 7))]
    pairs = [["Pair", "Player 1", "Player 2"], [1, "Ann Ash", "Bob Birch"]]
    with pytest.raises(InputError, match="these are results of boards: the sheet 'Travellers'"):
        read(Source("month.xlsx", workbook(Pairs=pairs, Travellers=boards)))


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("word", ["Average", "Moyenne", "Durchschnitt", "Gemiddelde", "Media", "Średnia", "Medelvärde"])
def test_sums_and_averages_are_no_contestants_whichever_column_they_stand_in(
    word: str, column: int, carrier: str
) -> None:
    lines = [["Place", "Pair", "Names", "%"]]
    lines += [[str(place), number, f"{a} & {b}", score] for place, (number, a, b, score) in enumerate(PAIRS, 1)]
    lines.append([word if n == column else "" for n in range(3)] + ["50.00"])
    sheet = as_read(["Monday"], lines, carrier)
    assert pairs_of(sheet) == RIGHT
    assert f"'{word}' is not a contestant: this row is passed over" in [remark.what for remark in sheet.remarks]


@pytest.mark.parametrize(
    "heads", [["Pair", "Player 1", "Player 2", "%"], ["Paar", "Spieler 1", "Spieler 2", "Prozent"]]
)
def test_max_and_moritz_are_two_players(heads: list[str]) -> None:
    lines = [heads, ["1", "Max", "Moritz", "60"], *([number, a, b, score] for number, a, b, score in PAIRS[1:])]
    assert pairs_of(as_read(["Monday"], lines, "csv"))[0] == ("1", "Max", "Moritz", "60")


STRATA = "{p}\t{n}\t{a} & {b}\t{letter}\t{s}"
LAID = {
    "Categoría": ("Puesto\tPareja\tNombres\tCategoría\t%", STRATA, "stratum", ["C", "A", "C", "B"]),
    "Série": ("Place\tPaire\tNoms\tSérie\tPourcentage", STRATA, "stratum", ["C", "A", "C", "B"]),
    "one alone": ("Place\tPaire\tNoms\tSérie\tPourcentage", STRATA, "stratum", ["B", "B", "B", "C"]),
    "sections": ("Place\tPaire\tNoms\tSérie\tPourcentage", STRATA, "section", ["A", "A", "B", "B"]),
    "numbers": ("Section\tPlace\tPair\tNames\t%", "A\t{p}\tA{n}\t{a} & {b}\t{s}", "number", ["7", "2", "1", "4"]),
    "initials": (
        None,
        "{p:<4}{n:<4}{initials} . . . . . .    {s}",
        "player2",
        ["Ash, B.", "Elm, B.", "Fir, B.", "Oak, B."],
    ),
    "tops": (
        "Pl  Nr  Namen                    Punkte",
        "{p:<4}{n:<4}{names:<20} {over:>10}",
        "score",
        [60, 55.5, 45, 39.5],
    ),
    "blanks": ("N-S\n  Rang Namen Punkte", "  {p} {a} / {b} {s}/100", "direction", ["N-S"] * 4 + ["E-W"] * 4),
}


@pytest.mark.parametrize(
    ("head", "row", "nobody"),
    [
        ("Pair # Players Matchpoints", "{n} {a} and {b} {more}", "5 no pair"),
        ("Pl,Paarnr,Naam,Percentage", "{n},{n},{a} / {b},{s}", ",5,Fantoom,"),
        ("North/South", "{a}/{b},{s},100,{s}", "Sit out,,,"),
    ],
    ids=["single blanks", "a word of the Dutch", "no places, no headings"],
)
def test_a_row_of_nobody_leaves_a_list_as_it_is(head: str, row: str, nobody: str) -> None:
    made = zip(("Ash", "Elder", "Fir", "Oakley"), (60.5, 54.25, 45.25, 40), strict=True)
    rows = [row.format(n=n, a=f"Ann {who}", b=f"Bob {who}", s=s, more=2 * s) for n, (who, s) in enumerate(made, 1)]
    sheet = read(Source("list.csv" if "," in row else "list.txt", "\n".join([head, *rows, nobody]).encode()))
    found = sheet.contestants["score"] / 2 if "Match" in head else sheet.contestants["percentage"]
    assert found.tolist() == [60.5, 54.25, 45.25, 40]
    assert "sheet.nobody" in [each.code for each in sheet.remarks]


@pytest.mark.parametrize("way", LAID)
def test_columns_are_what_stands_in_them(way: str) -> None:
    head, row, column, wanted = LAID[way]
    made = zip(
        (7, 2, 1, 4),
        ("Ash", "Elm", "Fir", "Oak"),
        ("60", "55½", "45", "39½"),
        {"sections": "AABB", "one alone": "BBBC"}.get(way, "CACB"),
        strict=True,
    )
    rows = [
        row.format(
            p=place, n=n, a=f"Ann {name}", b=f"Bob {name}", s=score, letter=letter, names=f"Ann {name} - Bob {name}",
            initials=f"{name}, A. & {name}, B.", over=f"{score} / 100",
        )
        for place, (n, name, score, letter) in enumerate(made, 1)
    ]  # fmt: skip
    lines = [head, *rows] if head else rows
    if way == "blanks":
        lines += [each.replace("N-S", "E-W").replace("Ann", "Cy").replace("Bob", "Di") for each in lines]
    sheet = read(Source("list.txt", "\n".join(lines).encode()))
    assert sheet.contestants[column].tolist() == wanted


TOUCHING = {
    "a name and its percentage": lambda n, names, points, share: f"{n:<5}{names:29}{share:6.2f}%",
    "a name and its points": lambda n, names, points, share: f"{n:<5}{names:29}{points:5.1f}  {share:6.2f}%",
    "points and percentages": lambda n, names, points, share: f"{n:<5}{names:31}{points:6.2f}{share:6.2f}%",
    "every number": lambda n, names, points, share: f"{n:<5}{names:30} {points:5.1f}{share:.2f}%",
    "percentages and awards": lambda n, names, points, share: f"{n:<5}{names:31}{share:6.2f}%{'0.60' if n < 3 else ''}",
    "percentages and rulings": lambda n, names, points, share: f"{n:<5}{names:31}{share:6.2f}% {'5mp' * (n == 4):>7}",
    "dots to a number": lambda n, names, points, share: f"{n:<5}{names + ' . . . . . . .':32.32}{share:.2f}%",
    "places and names": lambda n, names, points, share: f"{n}.{names}   {share:.2f}%",
    "places in brackets and names": lambda n, names, points, share: f"{n}){names}   {share:.2f}%",
}


@pytest.mark.parametrize("way", TOUCHING)
def test_columns_that_touch_are_columns(way: str) -> None:
    """Of 100 points: the names of the first are as wide as their column, and so are its percentage and points."""
    names = ["Bertram Brouwer - Mie Dijkstra", "Jan Visser - Els Meijer", "Kees Mulder - Truus Bos"]
    names += ["Wim Vos - Ria Peters", "Anna Bakker - Piet Smit", "Dirk Kok - Greet Jacobs"]
    scores = [100, 62.5, 54.25, 45.75, 25, 12.5]
    made = zip(names, scores, strict=True)
    lines = [TOUCHING[way](n, who[:29], score, score) for n, (who, score) in enumerate(made, 1)]
    head = {"percentages and rulings": "Pair Names                             %        Corr."}.get(way, "")
    sheet = read(Source("list.txt", "\n".join(filter(None, [head, *lines])).encode()))
    assert sheet.contestants["percentage"].tolist() == scores
    assert sheet.contestants["player1"].tolist() == [each.split(" - ")[0] for each in names]
    assert sheet.contestants["player2"].tolist() == [each[:29].split(" - ")[1] for each in names]


def test_the_first_words_of_a_header_head_a_column_each() -> None:
    lines = [
        f"{5 - n:<5}{who}  {score}"
        for n, (who, score) in enumerate([("Ann Ash - Bo Elm", 60), ("Cy Fir - Di Oak", 40)])
    ]
    sheet = read(Source("list.txt", "\n".join(["Pair Names             %", *lines]).encode()))
    assert sheet.contestants["number"].tolist() == ["5", "4"]


@pytest.mark.parametrize(
    "place", ["{}.", "{}. ", "{}) ", "{})", "{} ", "{}: ", "#{} ", "{}e ", "({}) ", "No. {} ", "Nr {} ", "N° {}. "]
)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_places_before_names_are_none_of_them(place: str, carrier: str) -> None:
    rows = [[f"{place.format(n)}{a} - {b}", score] for n, (_, a, b, score) in enumerate(PAIRS, 1)]
    sheet = as_read(["Club Night"], [["Names", "%"], *rows], carrier)
    assert [each[1:] for each in pairs_of(sheet)] == [each[1:] for each in RIGHT]


@pytest.mark.parametrize("carrier", ["csv", "tabs", "html", "xlsx"])
def test_numbers_before_names_are_those_of_pairs(carrier: str) -> None:
    rows = [[f"{number}) {a} - {b}", score] for number, a, b, score in PAIRS]
    assert pairs_of(as_read(["Club Night"], [["Names", "%"], *rows], carrier)) == RIGHT


@pytest.mark.parametrize(
    "foot", ["Scored with ScoreIt 2.0", "Thanks to all 12 who came!", "Director: Sam Stone", "24 boards"]
)
@pytest.mark.parametrize("carrier", ["csv", "xlsx", "tabs"])
def test_words_right_below_a_list_are_a_note(foot: str, carrier: str) -> None:
    rows = [[str(n), *each] for n, each in enumerate(PAIRS, 1)]
    sheet = as_read(
        ["Club Night"], [["Place", "Pair", "Player 1", "Player 2", "%"], *rows, [foot, "", "", "", ""]], carrier
    )
    assert pairs_of(sheet) == RIGHT
    assert any(foot in remark.what for remark in sheet.remarks)


@pytest.mark.parametrize("foot", ["Scored with ScoreIt 2.1", "Club No. 123456", "Top = 12", "Thanks to all 12 pairs!"])
@pytest.mark.parametrize("gap", ["   ", " ", ",", ";"])
def test_a_line_below_a_list_of_text_is_no_row_of_it(foot: str, gap: str) -> None:
    rows = [["Pos", "Pair", "Names", "%"], *([str(n), *each] for n, each in enumerate(TWO_IN_A_CELL, 1))]
    widths = [0 if gap in {",", ";"} else max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    for below in [foot], ["", foot]:
        sheet = read(Source("list.txt", "\n".join(["N-S", *lines, "", "E-W", *lines, *below]).encode()))
        assert pairs_of(sheet) == RIGHT * 2
        assert sheet.contestants["direction"].tolist() == ["N-S"] * 6 + ["E-W"] * 6


def test_semicolons_part_columns_though_a_blank_parts_places_from_names() -> None:
    lines = [f"{n}. {a} / {b};{2 * float(score):g};{score} %" for n, (_, a, b, score) in enumerate(PAIRS, 1)]
    sheet = read(Source("list.csv", "\n".join(["Club Night", "", "Names;Score;%", *lines]).encode()))
    assert [each[1:3] for each in pairs_of(sheet)] == [each[1:3] for each in RIGHT]
    assert sheet.contestants["score"].tolist() == [121, 110.5, 96, 94.5, 92, 86]


TWO_IN_A_CELL = [(number, f"{first} & {second}", score) for number, first, second, score in PAIRS]


def test_a_tie_may_have_a_blank_before_its_sign() -> None:
    places = ["1", "2", "3 =", "3 =", "5", "6"]
    scores = ["60", "55", "48.5", "48.5", "45", "43"]
    each = zip(places, PAIRS, scores, strict=True)
    lines = [f"{place} {first} & {second} {score}%" for place, (_, first, second, _), score in each]
    sheet = read(Source("list.txt", "\n".join(["Club Night", "", *lines]).encode()))
    assert [each[1:3] for each in pairs_of(sheet)] == [each[1:3] for each in PAIRS]
    assert sheet.contestants["printed_section"].tolist()[1:4] == ["A=2", "A=3/4", "A=3/4"]


def test_one_blank_parts_columns_where_a_heading_begins() -> None:
    lines = [f"{n} The {'ABCDEF'[n - 1]}s {f'{a} & {b}':<27} {score}" for n, (_, a, b, score) in enumerate(PAIRS, 1)]
    sheet = read(Source("list.txt", "\n".join(["# Team   Players                     %", *lines]).encode()))
    assert [each[1:] for each in pairs_of(sheet)] == [each[1:] for each in RIGHT]


@pytest.mark.parametrize("carrier", ["csv", "tabs", "xlsx"])
def test_places_before_names_beside_a_column_of_numbers_are_places(carrier: str) -> None:
    rows = [[number, f"{n}. {a} - {b}", score] for n, (number, a, b, score) in enumerate(PAIRS, 1)]
    assert pairs_of(as_read(["Club Night"], [["Pair", "Names", "%"], *rows], carrier)) == RIGHT


@pytest.mark.parametrize("place", ["{}st", "{}ème", "{}º", "#{}"])
def test_places_are_no_names_where_names_have_columns_and_no_headings(place: str) -> None:
    rows = [[place.format(n), number, a, b, f"{score}%"] for n, (number, a, b, score) in enumerate(PAIRS, 1)]
    assert pairs_of(as_read(["Club Night"], rows, "csv", head=False)) == RIGHT


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("cell", ["~60.50", "*60.50", "n/a", "WD", "6O.5x", ""])
@pytest.mark.parametrize("row", [0, 2])
def test_a_contestant_whose_score_cannot_be_read_is_refused_and_nobody_moves_up(
    row: int, cell: str, carrier: str
) -> None:
    lines = [[number, f"{a} & {b}", cell if n == row else score] for n, (number, a, b, score) in enumerate(PAIRS)]
    with pytest.raises(InputError, match=r"invalid number|this row has no score"):
        as_read(["Club pairs, May 12, 2026"], [["Pair", "Names", "Percentage"], *lines], carrier)


@pytest.mark.parametrize("carrier", ["aligned", "html"])
def test_a_heading_that_says_nothing_above_the_scores_is_remarked_on(carrier: str) -> None:
    lines = [[number, f"{a} & {b}", score] for number, a, b, score in PAIRS]
    sheet = as_read(["Club pairs, May 12, 2026"], [["Pair", "Names", "Form"], *lines], carrier)
    assert pairs_of(sheet) == RIGHT
    assert [remark.what for remark in sheet.remarks if remark.code == "columns.by-numbers"] == [
        "the column 'Form' is taken for the percentage: it holds numbers that average 50.00"  # 300 among six
    ]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ("Fecha: 14/05/2026   Mesas: 3   Manos: 24   Movimiento: Howell", ""),
        ("Movement: Howell, 3 tables, 24 boards, 14 May 2026", ""),
        ("Director: Ann Ash   Tables: 3   Top: 4   Date: 14 May 2026   Boards: 24", "'Top: 4' declares nothing"),
        ("Anzahl Tische: 3, Anzahl Boards: 24 Runden: 5, Datum: 14.05.2026", ""),
        ("TABLES 3   BOARDS 24   HOWELL   14 May 2026", ""),
        ("Tables 3 Boards 24 Date: 14 May 2026", ""),
        ("Number of pairs: 6. Number of boards: 24. 14 May 2026", ""),
        ("Donderdag 14 mei 2026 - 6 paren - 24 spellen - Howell", ""),
        ("14 May 2026, 3 tables x 24 boards, 8 pairs", "'14 May 2026, 3 tables x 24 boards, 8 pairs' stands above"),
        ("14. Mai 2026 - 8 Paare - 24 Boards", "'14. Mai 2026 - 8 Paare - 24 Boards' stands above the list, and 6 are"),
        ("Pair 7 sat out, 24 boards, 14 May 2026, 12 players", "'Pair 7 sat out' declares nothing"),
    ],
)
def test_every_fact_of_a_line_ends_where_another_begins(facts: str, told: str, carrier: str) -> None:
    lines = [["Pair", "Names", "%"], *([number, f"{a} & {b}", score] for number, a, b, score in PAIRS)]
    sheet = as_read([facts], lines, carrier)
    (game,) = sheet.games.to_dict("records")
    assert (str(game["date"])[:10], game["boards"]) == ("2026-05-14", 24)
    assert str(game.get("event")) in {"None", "nan"}
    assert str(game["tables"]) in ({"4"} if "8 Paare" in facts else {"3", "None", "nan"})
    said = [each.what for each in sheet.remarks if "not declared" not in each.what]
    assert len(said) == bool(told)
    assert all(each.startswith(told) for each in said)


def test_what_stands_above_names_that_are_longer_belongs_to_the_next_column() -> None:
    lines = ["3 tables / 24 boards   eve   Open pairs (club rated)", "", f"{'N/S':38}MPs    %"]
    for n, (_, a, b, score) in enumerate(PAIRS, 1):
        lines.append(f"{n}. {a} #{n}234567 & {b} #{n}765432{'':4}{float(score) / 2:>6.2f}   {float(score):.2f}")
    sheet = read(Source("list.txt", "\n".join(lines).encode()), date="2026-05-14")
    assert [each[1:] for each in pairs_of(sheet)] == [each[1:] for each in RIGHT]
    assert sheet.contestants["id1"].tolist() == [f"{n}234567" for n in range(1, 7)]
    assert sheet.games["event"].tolist() == ["Open pairs (club rated)"]


def in_lines(form: str, between: str = "\n") -> str:
    return between.join(
        form.format(place=place, n=n, a=a, b=b, score=f"{float(score):.2f}")
        for place, (n, a, b, score) in enumerate(PAIRS, 1)
    )


LINES = {
    "a newspaper's": in_lines("{place}. {a} - {b}, {score}", "; ") + ".",
    "a newspaper's, by commas": "Results: " + in_lines("{place} {a} & {b} {score}%", ", "),
    "signs below each other": in_lines("{place}   {a:14} - {b:14}   {score}"),
    "bullets": in_lines("- {score}% -- {a} / {b}"),
    "scores first": in_lines("{place}) {score}%  {a} - {b}"),
    "with": in_lines("{place}. : {a} / {b} with {score} %").replace(". :", "."),
    "equal": in_lines("{place} equal ({n}) {a} & {b} {score}%").replace("1 equal", "1").replace("3 equal", "3"),
    "pairs": in_lines("Pair {n}  {a} and {b} ......... {score}"),
}


@pytest.mark.parametrize("how", LINES)
def test_contestants_stand_in_lines_as_people_write_them(how: str) -> None:
    sheet = read(Source("list.txt", f"Winners of May 14, 2026 -- 24 boards\n\n{LINES[how]}".encode()))
    assert [each[1:] for each in pairs_of(sheet)] == [each[1:] for each in RIGHT]
    assert (sheet.games["boards"].tolist(), sheet.games["event"].isna().tolist()) == ([24], [True])
    if "({n})" in how or how in {"equal", "pairs"}:
        assert [each[0] for each in pairs_of(sheet)] == [each[0] for each in RIGHT]


DIRECTED = {
    "N-S PAIR 3": "{side} PAIR {n}   {a} - {b}   {score}",
    "a direction in each row": "{side}   {a} & {b}     {score}",
    "a direction in the first row": "{first}     Pair {n}   {a:14}{b:14}{score}%",
}


@pytest.mark.parametrize("how", DIRECTED)
def test_a_direction_stands_before_a_pair_of_a_list_without_headings(how: str) -> None:
    lines = [
        DIRECTED[how].format(
            side=side, first=side if n % 3 == 0 else "   ", n=number, a=a, b=b, score=f"{float(s):.2f}"
        )
        for n, (side, number, a, b, s) in enumerate(MITCHELL)
    ]
    sheet = read(Source("list.txt", "\n".join(["14 May 2026, 24 boards", "", *lines]).encode()))
    assert [each[1:] for each in pairs_of(sheet)] == [each[1:] for each in RIGHT]
    assert sheet.contestants["direction"].tolist() == [side for side, *_ in MITCHELL]


@pytest.mark.parametrize(
    ("lines", "event", "club"),
    [
        (["Session: Tuesday 12 May 2026 Pairs"], "Pairs", None),
        (
            ["Club de Bridge Miramar. Torneo del martes 12 de mayo de 2026."],
            "Torneo del martes",
            "Club de Bridge Miramar",
        ),
        (["Die 24 Bretter von Ulm, 12.5.2026"], "Die 24 Bretter von Ulm", None),
        (["Titel: Mai-Pokal   Verein: BC Lindau", "12 May 2026"], "Mai-Pokal", "BC Lindau"),
        (["Hierbij de uitslag van dinsdag 12 mei 2026. We speelden 24 spellen met 6 paren."], None, None),
        (["Thursday Pairs - Scored by IMPs"], "Thursday Pairs", None),
        (["Club: Seaview DBC (#12)", "Game: Tuesday Aft, May 12 2026"], "Tuesday Aft", "Seaview DBC (#12)"),
    ],
)
def test_what_titles_call_an_event_and_a_club_is_as_they_write_it(
    lines: list[str], event: str | None, club: str | None
) -> None:
    above = above_of([Row([Cell(each, "line 1")], "line 1") for each in lines], "")
    declared = {key: each.value for key, each in above.declared.items()}
    assert str((above.facts | declared).get("date", "2026-05-12"))[:10] == "2026-05-12"
    assert ((above.facts | declared).get("event"), (above.facts | declared).get("club")) == (event, club)


def test_sections_have_counts_of_their_own_and_a_second_date_is_told() -> None:
    part = in_lines("{place}  {a} & {b}   {score}")
    other = part.replace("Ann", "Una").replace("Cleo", "Ugo").replace("Eve", "Ute").replace("Gus", "Uwe")
    other = other.replace("Ivo", "Uli").replace("Karl", "Urs")
    titles = "Week ending 15 May 2026\nGame of 14 May 2026, 24 boards\n"
    text = f"{titles}\nSection A - 3 tables\n{part}\n\nSection B - 3 tables\n{other}"
    sheet = read(Source("list.txt", text.encode()))
    assert sheet.contestants["section"].tolist() == ["A"] * 6 + ["B"] * 6
    assert any(each.what.startswith("the date is told in several ways: 2026-05-15") for each in sheet.remarks)


@pytest.mark.parametrize("heads", [("Nord-Süd-Achse", "Ost-West-Achse"), ("Les uns", "Les autres")])
def test_no_list_is_lost_whatever_stands_between_it_and_the_next(heads: tuple[str, str]) -> None:
    rows = [f"{n % 3 + 1}. {a} & {b} ({number}) {score} %" for n, (number, a, b, score) in enumerate(PAIRS)]
    text = "\n".join(["May 14, 2026, 24 boards", "", heads[0], *rows[:3], heads[1], *rows[3:]])
    source = Source(
        "list.txt", text.replace("48 %", "34.25 %").replace("47.25", "60.75").replace("43 %", "43.25 %").encode()
    )
    if "Achse" not in heads[0]:
        with pytest.raises(InputError, match="N-S and E-W"):
            read(source)
        return
    sheet = read(source)
    assert sheet.contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3
    assert sheet.contestants["player2"].tolist() == [b for _, _, b, _ in PAIRS]


def test_what_strangers_write_beside_names_goes_to_its_columns_and_a_day_of_print_is_no_games() -> None:
    names = ["Ann Ash & Con Birch", "Echtpaar Jan en Mia Cedar", "Ema Ford & Finn Gale", "Gwen Hale & Hugh Ives"]
    rows = [f"{n}. {each} (pair {5 - n})   {65 - 6 * n}.00" for n, each in enumerate(names, 1)]  # the mean is 50
    text = "\n".join(["**Re: thread** (posted by *ann*, 6 July 2024)", "", "Friday 5 July, 2 tables", "", *rows])
    found = read(Source("list.txt", text.encode()), boards=24)
    assert found.contestants["number"].tolist() == ["4", "3", "2", "1"]
    assert found.contestants["player1"].tolist()[:2] == ["Ann Ash", "Jan Cedar"]
    assert found.contestants["player2"].tolist()[:2] == ["Con Birch", "Mia Cedar"]
    assert str(found.games["date"].iloc[0])[:10] == "2024-07-05"


def test_a_column_of_directions_and_one_of_member_numbers_are_seen_by_what_is_in_them() -> None:
    rows = [(side, n, f"Ann {n} Ash & Bob {n} Bay", f"{n}1234 / {n}5678") for side in ("NS", "OW") for n in (1, 2, 3)]
    lines = ["Rigting;Nr;Namen;NZB nos;%", *(";".join(map(str, (*row, 60 - 10 * (row[1] - 1)))) for row in rows)]
    found = read(Source("list.csv", "\n".join(lines).encode()), date="2026-05-14")
    assert found.contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3
    assert found.contestants["id2"].tolist() == ["15678", "25678", "35678"] * 2
