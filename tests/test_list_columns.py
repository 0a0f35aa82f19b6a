"""Where the columns of a list begin and end, and which of them is which, when headings and names leave it open."""

from __future__ import annotations

from time import process_time

import pytest

from resultproc import InputError, Source, read
from resultproc.formats.text.laid_out import rows_of_lines
from resultproc.model.frames import Sheet
from resultproc.model.numbers import number_of
from resultproc.model.places import place_of
from resultproc.people.names import players_of
from resultproc.tables.heads import names_club
from resultproc.tables.list_columns import list_columns
from resultproc.tables.seats import seats_beside, seats_of_numbers

FOUR = ["Otto Kapok", "Mark Grove", "Milo Fir", "June Hazel", "Will Oakley", "Karl Dogwood"]
OTHERS = ["Dora Tables", "Ann O'Neill", "Pia Young", "Zoé Müller", "Lena West", "Gus Larch"]
PERCENTAGES = ["62.50", "56.25", "52.08", "47.92", "43.75", "37.50"]
NUMBERS = ["3", "5", "1", "6", "2", "4"]
PAIRS = list(zip(FOUR, OTHERS, strict=True))


def sheet(*lines: str, name: str = "list.txt") -> Sheet:
    return read(Source(name, "\n".join(lines).encode()))


def players(found: Sheet) -> list[tuple[object, ...]]:
    return list(found.contestants[["player1", "player2"]].itertuples(index=False, name=None))


def numbers(found: Sheet) -> list[object]:
    return found.contestants["number"].to_list()


def columns(*rows: tuple[str, ...], right: tuple[int, ...] = (), gap: str = "   ") -> list[str]:
    """Return rows with their columns below each other, some of them set to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        gap.join(
            cell.rjust(width) if i in right and n else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for n, row in enumerate(rows)
    ]


@pytest.mark.parametrize("heading", ["Pair names", "Noms des joueurs", "Namen der Spieler"])
@pytest.mark.parametrize("gap", ["   ", " "])
def test_first_names_of_one_length_part_no_columns_below_a_heading_of_several_words(heading: str, gap: str) -> None:
    rows = [(str(n), " / ".join(names), p) for n, (names, p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True), 1)]
    assert players(sheet(*columns(("Place", heading, "%"), *rows, gap=gap))) == PAIRS


def test_a_sign_for_percent_below_its_heading_is_no_column() -> None:
    rows = [(n, *names, f"{p} %") for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    assert players(sheet(*columns(("Pair", "Player 1", "Player 2", "      %"), *rows, right=(3,)))) == PAIRS


def test_a_number_that_a_dash_joins_to_a_name_is_no_column_below_a_heading_of_several_words() -> None:
    numbered = [f"{7000000 + n} - {one} & {8000000 + n} - {two}" for n, (one, two) in enumerate(PAIRS)]
    rows = [(str(n), *each) for n, each in enumerate(zip(NUMBERS, numbered, PERCENTAGES, strict=True), 1)]
    found = sheet(*columns(("Clt", "N° paire", "Équipe de joueurs", "%"), *rows))
    assert players(found) == PAIRS
    assert found.contestants["id1"].to_list() == [str(7000000 + n) for n in range(6)]
    assert found.contestants["id2"].to_list() == [str(8000000 + n) for n in range(6)]


def test_a_second_name_below_those_of_one_length_is_a_second_player() -> None:
    rows = [
        row
        for number, (one, two), p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)
        for row in ((number, one, p), ("", two, ""))
    ]
    found = sheet(*columns(("Pair", "Pair names", "%"), *rows))
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)


def test_the_member_number_of_the_longest_names_is_no_column() -> None:
    rows = [
        (number, f"{one} 123456{n} + {two} 765432{n}" + "   " * (n != 4), p)
        for n, (number, (one, two), p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True))
    ]
    found = sheet(*columns(("Pair", "Names", "%"), *rows, gap=" "))
    assert players(found) == PAIRS
    assert found.contestants["id2"].to_list() == [f"765432{n}" for n in range(6)]


def test_places_with_names_that_are_set_to_the_right_are_no_column_without_a_heading() -> None:
    rows = [
        (number, f"{n}. {one} / {two}", p)
        for n, (number, (one, two), p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    found = sheet(*columns(("Pair", "Names", "%"), *rows, right=(0, 1, 2)))
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)


@pytest.mark.parametrize(
    ("mark", "between", "heads"),
    [(",", "; ", ("Place", "Joueurs", "%")), (";", ", ", ("Place", "Joueurs", "%")), (";", ", ", ("Joueurs", "%"))],
)
def test_the_sign_that_parts_headings_parts_columns_whatever_stands_between_names(
    mark: str, between: str, heads: tuple[str, ...]
) -> None:
    rows = [
        mark.join((*[str(n)] * (len(heads) - 2), between.join(names), p))
        for n, (names, p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True), 1)
    ]
    assert players(sheet("Some Club", "", mark.join(heads), *rows, name="list.csv")) == PAIRS


@pytest.mark.parametrize("sign", ["", " %"])
def test_headings_beside_numbers_set_to_the_right_head_lists_side_by_side(sign: str) -> None:
    rows = [
        (str(n), number, " / ".join(names), p + sign, str(n), number, " / ".join(names)[::-1].title(), p + sign)
        for n, (number, names, p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    heads = ("Place      ", "Pair", "Names", "%") * 2
    lines = columns(heads, *rows, right=(0, 1, 4, 5))
    found = sheet("North-South".ljust(lines[0].rindex("Place")) + "East-West", *lines)
    assert found.contestants["direction"].to_list() == ["N-S"] * 6 + ["E-W"] * 6
    assert (players(found)[:6], numbers(found)) == (PAIRS, NUMBERS * 2)


def test_places_that_are_called_numbers_stand_beside_seats_with_their_direction() -> None:
    rows = [
        (str(n), f"{number} {side}", " / ".join(names), p)
        for side in ("NZ", "OW")
        for n, (number, names, p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    found = sheet(
        *(
            line.replace("Kapok", "Ash") if "OW" in line else line
            for line in columns(("Nr.", "Paar", "Namen", "%"), *rows)
        )
    )
    assert numbers(found) == NUMBERS * 2
    assert found.contestants["direction"].to_list() == ["N-S"] * 6 + ["E-W"] * 6
    assert found.contestants["printed_section"].to_list() == [f"A={n}" for n in (1, 2, 3, 4, 5, 6)] * 2


def test_rounds_above_their_columns_are_no_counts_and_right_of_a_captain_are_the_others() -> None:
    rows = [
        (str(n), f"Elks {n}", *(f"{one[0]}. Ash{i}{n}" for i in range(4)), "9", "11", "20")
        for n, (one, _) in enumerate(PAIRS, 1)
    ]
    head = ("Plaats", "Team", "Aanvoerder", "Speler 2", "Speler 3", "Speler 4", "Ronde 1", "Ronde 2", "VP totaal")
    found = sheet("Swiss Teams", "", *columns(head, *rows)).contestants
    assert found.loc[0, ["player1", "player4"]].to_list() == [f"{PAIRS[0][0][0]}. Ash01", f"{PAIRS[0][0][0]}. Ash31"]
    assert set(found["score"]) == {20}


def test_players_beside_the_names_of_teams_are_theirs_whatever_their_heading() -> None:
    rows = [
        f"{n},The {one[0]}s,{one} - {two} - {two[::-1].title()} - {one[::-1].title()},{p}"
        for n, ((one, two), p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True), 1)
    ]
    found = sheet("Swiss Teams", "", "Rang,Équipe,Équipe de joueurs,PV", *rows, name="list.csv")
    assert players(found) == PAIRS


def test_a_note_below_the_last_pair_is_no_third_player() -> None:
    rows = [f"<tr><td>{' + '.join(names)}</td><td>{p}</td></tr>" for names, p in zip(PAIRS, PERCENTAGES, strict=True)]
    rows[-1] = rows[-1].replace("Karl Dogwood + Gus Larch", "K. &amp; G. Larch")
    table = (
        "<table><tr><td>Names</td><td>%</td></tr>" + "".join(rows) + "<tr><td>Next week: Swiss Teams</td></tr></table>"
    )
    found = sheet(f"<html><body><p>Some Club</p>{table}</body></html>", name="list.html")
    assert players(found) == [*PAIRS[:-1], ("K. Larch", "G. Larch")]


def test_second_rows_between_rules_that_begin_no_line_are_second_players() -> None:
    rows = [
        line
        for number, (one, two), p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)
        for line in (f"{number} | {one} | {p}", f"  | {two} |")
    ]
    found = sheet("Pair | Names | %", "---------------", *rows)
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)


@pytest.mark.parametrize("mark", ["|", "\t"])
def test_the_number_of_a_page_below_a_list_is_no_contestant(mark: str) -> None:
    rows = [f"{' & '.join(names)}{mark}{p}" for names, p in zip(PAIRS, PERCENTAGES, strict=True)]
    lines = [f"Names{mark}%", *rows]
    found = sheet(*(f"|{line}|" if mark == "|" else line for line in lines), "Page 1 of 1")
    assert players(found) == PAIRS


@pytest.mark.parametrize("side", ["East West", "Linia EW", "EW"])
@pytest.mark.parametrize("gap", [" ", "  "])
def test_a_direction_in_two_words_is_no_header_of_the_pairs_below_it(side: str, gap: str) -> None:
    rows = [f"{n} {' & '.join(names)}{gap}{p}%" for n, (names, p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True), 1)]
    found = sheet("Fun Cup", "North South", *rows, side, *(row.replace("Otto", "Ottokar") for row in rows))
    assert found.contestants["direction"].to_list() == ["N-S"] * 6 + ["E-W"] * 6


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_a_sign_for_the_same_place_is_of_a_contestant(name: str) -> None:
    rows = [
        (place, n, " & ".join(names), p)
        for place, n, names, p in zip("12345=", NUMBERS, PAIRS, [*PERCENTAGES[:5], "43.75"], strict=True)
    ]
    table = [("Place", "Pair", "Names", "%"), *rows]
    lines = [*map(",".join, table)] if name == "list.csv" else columns(*table)
    assert players(sheet(*lines[:-1], "", lines[-1], name=name)) == PAIRS


def test_a_header_whose_words_begin_in_the_row_above_is_no_event() -> None:
    rows = [(n, *names, p) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    table = [("N-S",), ("Pair", "Player", "Player", "Final"), ("No", "1", "2", "%"), *rows]
    page = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in table)
    found = sheet(f"<html><body><p>Fun Cup</p><table>{page}</table></body></html>", name="list.html")
    assert (found.games["event"].to_list(), players(found)) == (["Fun Cup"], PAIRS)
    assert found.contestants["direction"].to_list() == ["N-S"] * 6


@pytest.mark.parametrize(
    "heads", [("Namen 1", "Namen 2"), ("Spielernamen", "Partner"), ("Noms joueurs 1", "Partenaire")]
)
def test_columns_of_a_player_each_may_have_the_heading_of_both(heads: tuple[str, str]) -> None:
    rows = [",".join((n, *names, p)) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    assert players(sheet(",".join(("Paar", *heads, "%")), *rows, name="list.csv")) == PAIRS


@pytest.mark.parametrize("mark", ["--", " -- ", "\\", "//", " with "])
@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_names_are_parted_by_whatever_no_name_has(mark: str, name: str) -> None:
    rows = [(n, mark.join(names), p) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    table = [("Pair", "Names", "Percent"), *rows]
    lines = map(",".join, table) if name == "list.csv" else columns(*table, right=(2,), gap="  ")
    assert players(sheet(*lines, name=name)) == PAIRS


def test_a_long_name_reaches_into_no_column_of_the_next_heading() -> None:
    rows = [(n, " & ".join(names), "24", p[:2]) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    rows[2] = ("1", "Milo Fir & Pia Young Ruiz", "24", "52")
    found = sheet(*columns(("Pareja", "Nombres", "Manos", "Porc."), *rows, right=(2, 3), gap="  "))
    assert players(found) == [*PAIRS[:2], ("Milo Fir", "Pia Young Ruiz"), *PAIRS[3:]]


def test_the_direction_of_all_numbers_is_none_of_a_section() -> None:
    assert seats_of_numbers(["NS1", "NS2"]) == [("", "1", "N-S"), ("", "2", "N-S")]
    assert seats_of_numbers(["E1", "E2"]) == [("E", "1", ""), ("E", "2", "")]
    assert seats_of_numbers(["N1", "O1"]) == [("", "1", "N-S"), ("", "1", "E-W")]
    assert seats_of_numbers(["N1", "P1"]) == [("N", "1", ""), ("P", "1", "")]


def test_headings_side_by_side_are_no_event() -> None:
    rows = [
        (str(n), " / ".join(names), p, str(n), " / ".join(names)[::-1].title(), p)
        for n, (names, p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True), 1)
    ]
    lines = columns(("Place", "Names", "%") * 2, *rows)
    found = sheet("North/South".ljust(lines[0].rindex("Place")) + "East/West", *lines)
    assert found.games["event"].isna().all()


@pytest.mark.parametrize("nobody", ["Aussetzer", "Frirond", "No pair"])
@pytest.mark.parametrize("mark", [", ", " & "])
def test_nobody_below_the_last_pair_is_no_second_player(nobody: str, mark: str) -> None:
    rows = [(n, mark.join(names), p) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    lines = ["\t".join(row) for row in [("Pair", "Names", "%"), *rows, ("", nobody, "")]]
    assert players(sheet(*lines)) == PAIRS


@pytest.mark.parametrize(
    "place",
    ["2nd", "2e", "2ème", "2º", "2o", "2de", "2:a", "#2", "(2)", "2)", "2-", "No. 2", "nº 2", "T2", "2–3", "2="],
)
def test_places_are_read_as_people_write_them(place: str) -> None:
    assert place_of(place) == 2


@pytest.mark.parametrize(
    "club",
    [
        *(
            "Club de Bridge du Lac",
            "Bridgeclub Seeblick",
            "Circolo del Bridge Roma",
            "Bridgeklubben Norr",
            "BC De Brug",
        ),
        *(
            "1. Bridgeclub Kassel",
            "KS Brydż Lublin",
            "Bridge Club of Hilton Head",
            "Klub Brydżowy Warszawa",
            "Bridge-Club Basel",
            "Oslo Bridgeklubb",
            "Bridge Clube de Lisboa",
            "St. Anne's B.C.",
        ),
    ],
)
def test_clubs_are_known_by_their_names_in_all_languages(club: str) -> None:
    assert names_club(club)


@pytest.mark.parametrize("event", ["Bridge Club Championship", "Bridgeclub Pairs", "Club Cup", "Fun Bridge", "Bridge"])
def test_events_of_a_club_are_no_clubs(event: str) -> None:
    assert not names_club(event)


@pytest.mark.parametrize("heads", [("", "Pair", "Names", "%"), ("", "", "Names", "%")])
def test_lists_side_by_side_may_have_columns_without_a_heading(heads: tuple[str, ...]) -> None:
    rows = [
        (str(n), number, " / ".join(names), p, str(n), number, " / ".join(names)[::-1].title(), p)
        for n, (number, names, p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    above = ("N-S", "", "", "", "E-W", "", "", "")
    found = sheet(*(",".join(row) for row in (above, heads * 2, *rows)), name="list.csv")
    assert found.contestants["direction"].to_list() == ["N-S"] * 6 + ["E-W"] * 6
    assert (players(found)[:6], numbers(found)) == (PAIRS, NUMBERS * 2)


def test_numbers_in_order_are_no_places_beside_those_of_the_other_direction() -> None:
    north, east = (27.5, 62.5, 53.125, 66.25, 40.625), (62.5, 23.75, 56.25, 51.25, 56.25)
    rows = [
        f"{n},{one} & {two},{a * 0.8:g}/80,{a}%,,{n + 20},{two[::-1]} & {one[::-1]},{b * 0.8:g}/80,{b}%"
        for n, ((one, two), a, b) in enumerate(zip(PAIRS[:5], north, east, strict=True), 1)
    ]
    found = sheet("N-S,,,,,E-W", ",,".join(["Pareja,Nombres,Puntos,Porcentaje"] * 2), *rows, name="list.csv")
    assert numbers(found) == ["1", "2", "3", "4", "5", "21", "22", "23", "24", "25"]


def test_the_letter_of_a_stratum_behind_the_names_is_no_third_player() -> None:
    rows = [
        f"{number},{' - '.join(names)} - {letter},{p}"
        for number, names, letter, p in zip(
            NUMBERS, PAIRS, ["A", "B (sub)", "C", "A", "B", "C"], PERCENTAGES, strict=True
        )
    ]
    found = sheet("Pair,Names,%", *rows, name="list.csv")
    assert (players(found), found.contestants["stratum"].to_list()) == (PAIRS, [*"ABCABC"])
    assert "player3" not in found.contestants


def test_hyphens_in_names_part_no_pairs_that_commas_do() -> None:
    doubled = [(f"{one}-Smith", two) for one, two in PAIRS]
    rows = [";".join((n, ", ".join(names), p)) for n, names, p in zip(NUMBERS, doubled, PERCENTAGES, strict=True)]
    assert players(sheet("Pair;Names;%", *rows, name="list.csv")) == doubled


def test_a_club_number_below_sums_is_no_row_of_a_list() -> None:
    rows = [
        (side, str(n), number, " - ".join(names) + side * (side == "EW"), p)
        for side in ("NS", "EW")
        for n, (number, names, p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    sums = ("", "", "", "Average", "")
    lines = columns(("Direction", "Place", "Pair", "Names", "%"), *rows[:6], sums, *rows[6:], sums)
    found = sheet(*lines, "", "Club No. 123456")
    assert numbers(found) == NUMBERS * 2


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
@pytest.mark.parametrize(("head", "ranked"), [("Nr.", True), ("Pair", False)])
def test_seats_before_names_are_taken_off_beside_a_column_of_numbers(head: str, ranked: bool, name: str) -> None:
    rows = [
        (str(n) if ranked else number, f"A{number} {one} - {two}", p)
        for n, (number, (one, two), p) in enumerate(zip(NUMBERS, PAIRS, PERCENTAGES, strict=True), 1)
    ]
    table = [(head, "Names", "%"), *rows]
    found = sheet(*(map(",".join, table) if name == "list.csv" else columns(*table)), name=name)
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)
    apart = sheet(*columns(*rows[1:], rows[0]))  # a place is out of order
    assert (players(apart), numbers(apart)) == ([*PAIRS[1:], PAIRS[0]], [*NUMBERS[1:], NUMBERS[0]])


def test_a_semicolon_between_names_and_scores_parts_lines_without_headings() -> None:
    rows = [
        f"{one} #123456{n} / {two} #765432{n};{p}%"
        for n, ((one, two), p) in enumerate(zip(PAIRS, PERCENTAGES, strict=True))
    ]
    assert players(sheet("Some Club", "", *rows, name="list.csv")) == PAIRS


@pytest.mark.parametrize("tabs", [True, False])
def test_a_surname_that_is_a_word_of_titles_ends_no_list(tabs: bool) -> None:
    shares = ["67.5/96", "54/96", "49/96", "47/96", "40/96", "30.5/96"]
    named = [("Tables, Lena", "Fir, Mark"), *((f"Ash, {one[:4]}", f"Elm, {two[:4].strip()}") for one, two in PAIRS[1:])]
    rows = [
        (str(n), number, " & ".join(names), share)
        for n, (number, names, share) in enumerate(zip(NUMBERS, named, shares, strict=True), 1)
    ]
    table = [("Place", "Pair", "Names", "Score"), *rows]
    assert players(sheet(*(map("\t".join, table) if tabs else columns(*table)))) == named


def test_of_two_columns_of_scores_the_list_is_ordered_by_one() -> None:
    """Both have a number in each row; the first falls and rises, and the second falls all the way down."""
    listed = list_columns(
        ["Pair", "Names", "Total", "Score"],
        [[n, f"{one} - {two}", a, b] for n, (one, two), a, b in zip(NUMBERS, PAIRS, *_TOTALS, strict=True)],
    )
    assert [column.name for column in listed] == ["number", "names", "", "score"]
    assert listed[2].why == "'Score' is what ranks"


_TOTALS = (["120", "131", "118", "125", "99", "101"], ["96", "90", "84", "80", "72", "66"])


def test_what_stands_before_a_few_names_is_no_seat() -> None:
    few = ["A1 Ann Ash - Bob Elm", "Cy Fir - Dee Oak", "Eve Yew - Flo Bay", "Gus Box - Hal Fig", "Ida Gum - Jan Nut"]
    assert seats_beside(few) == []
    assert seats_beside([f"A{n} {' '.join(each.split()[-5:])}" for n, each in enumerate(few, 1)])[1][0] == "A2"


def test_several_blanks_in_a_name_are_one_where_the_others_are_of_one_player() -> None:
    named = ["Mary Ann  Van Dyke", *FOUR[1:]]
    rows = [",".join(each) for each in zip(NUMBERS, named, _TOTALS[1], strict=True)]
    found = sheet("Number,Name,Score", *rows, name="list.csv").contestants
    assert found["player1"].tolist() == ["Mary Ann Van Dyke", *FOUR[1:]]


def test_two_given_names_and_a_surname_of_two_words_are_one_player_whatever_is_between_them() -> None:
    named = [
        "Mary Ann  Van Dyke",
        "Jo  de la Cruz",
        "Bob Q.  Adams Lee",
        "Lee J  Roe Dow",
        "Al Jo  St. John",
        "Ann Lee  Fox",
    ]
    rows = [",".join(each) for each in zip(NUMBERS, named, _TOTALS[1], strict=True)]
    found = sheet("Number,Name,Score", *rows, name="list.csv").contestants
    assert found["player1"].tolist() == [name.replace("  ", " ") for name in named]


@pytest.mark.parametrize(
    "cell", ["{0} & {1} · {2}", "{0} and {1}  {2}", "{2} - {0} & {1}", "{0} + {1} / {2}", "{0} et {1}; {2}"]
)
def test_a_club_beside_the_names_of_most_pairs_is_no_player(cell: str) -> None:
    clubs = ["Elks (East)", "Moose Lodge", "Elks", "St. John's", "Elks"]
    rows = [
        (n, cell.format(*names, club), p) for n, names, club, p in zip(NUMBERS, PAIRS, clubs, PERCENTAGES, strict=False)
    ]
    found = sheet("Pair\tNames\t%", *map("\t".join, rows), f"4\t{' & '.join(PAIRS[5])}\t37.50")
    assert (players(found), "player3" in found.contestants) == (PAIRS, False)
    notes = [each.what for each in found.remarks if "taken for a note" in each.what]
    assert [note.split("'")[1] for note in notes[:2]] == ["Elks East", "Moose Lodge"]


@pytest.mark.parametrize("some", [1, 2])
def test_a_third_player_beside_two_that_another_sign_joins_is_one(some: int) -> None:
    """Names of two words, none of which stands there twice, are no clubs."""
    cells = [
        f"{' & '.join(pair)} / Zoe Ya{n * 'm'}" if n % some == 0 else " & ".join(pair) for n, pair in enumerate(PAIRS)
    ]
    rows = ("\t".join(row) for row in zip(NUMBERS, cells, PERCENTAGES, strict=True))
    found = sheet("Pair\tNames\t%", *rows)
    third = [f"Zoe Ya{n * 'm'}" if n % some == 0 else "" for n in range(len(PAIRS))]
    assert (players(found), found.contestants["player3"].fillna("").to_list()) == (PAIRS, third)


FIRSTS = [f"{a[:3]} {b.split()[-1]}" for a, b in PAIRS]
OF_TEAMS = [[*PAIRS[n], *PAIRS[n + 1], FIRSTS[n]] for n in range(4)]


@pytest.mark.parametrize("head", ["Names", "Team"])
@pytest.mark.parametrize(
    "cell",
    [
        "{} / {}, {}, {}, {}",
        "{}: {}, {}, {}, {}",
        "{}: {} / {} / {} / {}",
        "{} \u2013 {} & {} & {} & {}",
        "{}: {} - {} - {} - {}",
    ],
)
def test_another_sign_parts_the_name_of_a_team_from_its_players(cell: str, head: str) -> None:
    teams = ["Elks", "Four Aces", "Team 3", "Hearts"]
    rows = [
        f"{n}\t{cell.format(team, *each)}\t{60 - n}" for n, (team, each) in enumerate(zip(teams, OF_TEAMS, strict=True))
    ]
    found = sheet(f"Pos\t{head}\tVPs", *rows).contestants
    assert found[[f"player{n}" for n in range(1, 5)]].to_numpy().tolist() == [each[:4] for each in OF_TEAMS]
    assert "player5" not in found


@pytest.mark.parametrize("apart", [" / ", ", "])
def test_five_players_below_a_heading_of_teams_are_five(apart: str) -> None:
    rows = [f"{n}\t{apart.join(each)}\t{60 - n}" for n, each in enumerate(OF_TEAMS)]
    found = sheet("Pos\tTeam\tVPs", *rows)
    assert found.contestants[[f"player{n}" for n in range(1, 6)]].to_numpy().tolist() == OF_TEAMS
    assert any(each.what.startswith("'Otto Kapok', and the first") for each in found.remarks)
    # Where one is no player's, all are the names of teams.
    rows[1] = rows[1].replace("Mark Grove", "Hearts")
    found = sheet("Pos\tTeam\tVPs", *rows)
    assert found.contestants["player1"].to_list() == [each[1] for each in OF_TEAMS]


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("## Klub: Brydż Lublin", {"club": "Brydż Lublin"}),
        ("### Event: Club Cup", {"event": "Club Cup"}),
        ("Clubavond wo 28 okt '26", {"event": "Clubavond", "date": "2026-10-28"}),
        ("Club Cup, 3 févr. \u201926", {"event": "Club Cup", "date": "2026-02-03"}),
        ("Höstpokal tisdag 26/5 2026", {"event": "Höstpokal", "date": "2026-05-26"}),
        ("Match Point Pairs 7 Tables", {"event": "Match Point Pairs", "tables": "7"}),
        ("Clubabend 26.5.26", {"event": "Clubabend", "date": "2026-05-26"}),
        ("21 Aug 26", {"date": "2026-08-21"}),
    ],
)
def test_titles_with_a_label_in_markdown_and_dates_without_their_century_tell(title: str, told: dict[str, str]) -> None:
    rows = [f"| {n} | {a} & {b} | {p} |" for n, (a, b), p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    game = sheet(title, "", "| Pair | Names | % |", "|---|---|---|", *rows).games.iloc[0]
    assert {key: str(game[key])[:20].removesuffix(" 00:00:00") for key in told} == told


@pytest.mark.parametrize("day", ["", "   May 12, 2026", "   May 12"])
def test_a_club_whose_name_begins_with_a_number_is_called_so(day: str) -> None:
    rows = [(n, f"{one} - {two}", score) for n, (one, two), score in zip(NUMBERS, PAIRS, _TOTALS[1], strict=True)]
    said = sheet(f"No 12 High Street Bridge Club{day}", "", *columns(("Pair", "Names", "Score"), *rows))
    assert str(said.games["club" if day != "   May 12" else "event"].iloc[0]).startswith(
        "No 12 High Street Bridge Club"
    )


def test_numbers_in_brackets_behind_the_names_are_no_column() -> None:
    rows = [f"{n} {one} & {two} ({n}0) {p}" for n, (one, two), p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    found = sheet("Pair Names %", *rows)
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)


def test_a_note_behind_one_score_is_below_its_own_heading() -> None:
    rows = [
        (n, " & ".join(names), f"{p} %", "changed pair 5" * (n == "5"))
        for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)
    ]
    found = sheet(*columns(("Paarnr", "Namen", "Perc.", "Opmerking"), *rows, gap=" "), "", "Scored with ScoreIt 2.1")
    assert (players(found), found.contestants["percentage"].tolist()) == (PAIRS, [float(p) for p in PERCENTAGES])


def test_numbers_of_members_before_names_set_to_the_right_are_beside_the_names() -> None:
    rows = [
        (str(n), number, f"12345{n}7 {one}, 76543{n}2 {two}{' Lee' * (n == 2)}", letter, score)
        for n, (number, (one, two), letter, score) in enumerate(
            zip(NUMBERS, PAIRS, "ABCABC", _TOTALS[1], strict=True), 1
        )
    ]
    found = sheet(*columns(("Place", "Pair no", "Names", "Strat", "Total"), *rows, right=(0, 1, 2, 4), gap=" "))
    pairs = [(one, two + " Lee" * (n == 1)) for n, (one, two) in enumerate(PAIRS)]
    assert (players(found), found.contestants["id2"].tolist()) == (pairs, [f"76543{n}2" for n in range(1, 7)])
    assert found.contestants["stratum"].tolist() == [*"ABCABC"]


def test_nobody_below_pairs_whose_names_a_comma_parts_leaves_their_quotes_alone() -> None:
    rows = [
        f'"A{n} 123456{n} {one}, 765432{n} {two}",{p}%'
        for n, (one, two), p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)
    ]
    found = sheet("Some Club", "", *rows, "Bye,", name="list.csv")
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)


def test_numbers_before_names_are_places_where_they_go_by_the_scores_of_each_field() -> None:
    fields = ([(3, 48.5), (1, 55.25), (4, 45), (2, 51.25)], [(2, 50), (2, 50), (1, 60), (4, 40)])
    rows = [
        [f"{place}   Ann{n}{side} Ash - Bob{n}{side} Elm   {score:.2f}" for n, (place, score) in enumerate(field, 1)]
        for side, field in zip("xy", fields, strict=True)
    ]
    found = sheet("North-South", *rows[0], "East-West", *rows[1])
    assert numbers(found) == ["1", "2", "3", "4"] * 2
    assert [*found.contestants["printed_section"]][3:6] == ["A=2", "A=2/3", "A=2/3"]


@pytest.mark.parametrize("before", [["12", "3", "7", "3", "9", "12"], ["123", "130", "137", "144", "151", "158"]])
def test_numbers_before_names_that_begin_with_no_first_are_no_places(before: list[str]) -> None:
    """They may be handicaps or a club's numbers of its members: they stay, and each name with one is told."""
    named = [f"{n} {one} - {two}" for n, (one, two) in zip(before, PAIRS, strict=True)]
    rows = [",".join(each) for each in zip(NUMBERS, named, _TOTALS[1], strict=True)]
    found = sheet("Pair,Names,Score", *rows, name="list.csv")
    assert numbers(found) == NUMBERS
    assert any("has a number in it" in each.what for each in found.remarks)


@pytest.mark.parametrize("long", ["5" + " " * 20_000 + "x", "1" * 20_000 + " Ann", "5" + "*" * 20_000 + "x"])
def test_a_long_cell_that_is_no_number_is_seen_at_once(long: str) -> None:
    begun = process_time()
    assert number_of(long) is None
    assert process_time() - begun < 1


@pytest.mark.parametrize("long", ["1 ", "a b 12 "])
def test_a_long_line_of_a_text_is_divided_at_once(long: str) -> None:
    begun = process_time()
    rows_of_lines([f"{n}  {long * (20_000 // len(long))}  50.00" for n in (1, 2)] + ["3  Ann  Bob"])
    assert process_time() - begun < 2


@pytest.mark.parametrize("long", ["Eve \u2605 " * 5_000, "Eve 1.5 " * 4_000])
def test_a_long_cell_that_is_no_name_is_taken_as_it_is_at_once(long: str) -> None:
    begun = process_time()
    assert [player.name for player in players_of([[long], [FOUR[0]]])[0]] == [long]
    assert process_time() - begun < 1


@pytest.mark.parametrize("head", ["Team", "Names"])
@pytest.mark.parametrize("fewer", [3, 0])
def test_a_team_of_fewer_players_makes_no_players_of_the_names_of_all_teams(fewer: int, head: str) -> None:
    listed = [[*pair, *other] for pair, other in zip(PAIRS, PAIRS[1:] + PAIRS[:1], strict=True)]
    listed[2] = listed[2][:fewer]
    rows = [
        ",".join([str(n + 1), " / ".join([f"Club {n + 1}", *each]), score])
        for n, (each, score) in enumerate(zip(listed, _TOTALS[1], strict=True))
    ]
    found = sheet("Swiss Teams", f"Place,{head},VPs", *rows, name="list.csv").contestants
    assert "player5" not in found
    assert found["player1"].tolist() == [(each or ["Club 3"])[0] for each in listed]


@pytest.mark.parametrize("beside", ["{0} 123456{1}", "123456{1} {0}", "{0} #123456{1}", "{0} ({1})"])
def test_a_member_number_beside_the_first_player_makes_no_team_of_it(beside: str) -> None:
    listed = [[*pair, *other] for pair, other in zip(PAIRS, PAIRS[1:] + PAIRS[:1], strict=True)]
    rows = [
        ",".join([str(n + 1), " / ".join(beside.format(name, at) for at, name in enumerate(each, 1)), score])
        for n, (each, score) in enumerate(zip(listed, _TOTALS[1], strict=True))
    ]
    found = sheet("Team,Players,VPs", *rows, name="list.csv").contestants
    assert found[[f"player{n}" for n in range(1, 5)]].to_numpy().tolist() == listed


@pytest.mark.parametrize("event", ["Good Morning Pairs", "Hi-Lo Charity Pairs", "Bravo Trophy"])
def test_an_event_that_begins_as_a_greeting_does_is_called_so(event: str) -> None:
    rows = [",".join((n, " - ".join(names), p)) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    found = sheet(f"{event},,", "Director:,John Smith,", "Pair,Names,%", *rows, name="list.csv")
    assert found.games["event"].tolist() == [event]


@pytest.mark.parametrize("director", ["Director:,John Smith,", "Director,John Smith,", "Director:,,"])
def test_who_directed_is_no_event_in_a_cell_of_its_own_either(director: str) -> None:
    rows = [",".join((n, " - ".join(names), p)) for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    found = sheet(director, "Pair,Names,%", *rows, name="list.csv")
    assert found.games["event"].isna().all()


@pytest.mark.parametrize("dash", ["-", "\u2014", "\u2212", "--", "N/A", "null"])
@pytest.mark.parametrize("name", ["list.csv", "list.txt", "list.html"])
def test_a_dash_stands_for_nothing(name: str, dash: str) -> None:
    heads = ("Rank", "Pair", "Names", "ACBL 1", "ACBL 2", "Strat", "Hcp", "%", "Rank A", "Masterpoints")
    rows = [
        (str(n), number, " & ".join(names), "1234567" if n == 1 else dash, dash, dash, "5" if n == 2 else dash, p)
        + ((str(n), "0.30") if n < 3 else (dash, dash))
        for n, number, names, p in zip(range(1, 7), NUMBERS, PAIRS, PERCENTAGES, strict=True)
    ]
    if name.endswith("html"):
        cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in (heads, *rows))
        found = sheet("<table>", *(f"<tr>{row}</tr>" for row in cells), "</table>", name=name)
    else:
        lines = map(",".join, (heads, *rows)) if name.endswith("csv") else columns(heads, *rows)
        found = sheet(*lines, name=name)
    listed = found.contestants
    assert (players(found), numbers(found)) == (PAIRS, NUMBERS)
    assert (*listed["id1"].dropna(), *listed["handicap"].dropna()) == ("1234567", 5)
    assert listed["printed_section"].dropna().to_list() == ["A=1", "A=2"]
    assert listed["printed_award"].dropna().to_list() == [30, 30]
    assert listed["stratum"].isna().all()
    assert "id2" not in listed or listed["id2"].isna().all()
    assert not found.remarks


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_a_dash_is_no_answer(name: str) -> None:
    rows = [(n, " & ".join(names), p, "-") for n, names, p in zip(NUMBERS, PAIRS, PERCENTAGES, strict=True)]
    listed = (("Pair", "Names", "%", "Eligible"), *rows)
    with pytest.raises(InputError, match="'-'; write yes or no"):
        sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)


@pytest.mark.parametrize("overall", ["Overall", "O/A"])
@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_numbers_below_section_beside_overall_are_places_there(name: str, overall: str) -> None:
    ranks = [("2", "3"), ("4", ""), ("1", "1"), ("3", "4"), ("", ""), ("", "")]
    shares = ["56.25", "47.92", "62.50", "52.08", "43.75", "37.50"]
    rows = zip(map(str, range(1, 7)), map(" & ".join, PAIRS), shares, ranks, strict=True)
    listed = [("Pair", "Names", "%", "Section", overall), *((n, names, p, *both) for n, names, p, both in rows)]
    found = sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)
    assert (players(found), numbers(found)) == (PAIRS, list("123456"))
    assert set(found.contestants["section"]) == {"A"}


@pytest.mark.parametrize("sections", ["111222", "121212"])
@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_numbers_below_section_in_each_of_which_those_of_pairs_begin_again_are_none(name: str, sections: str) -> None:
    pairs = [sections[:n].count(section) + 1 for n, section in enumerate(sections)]
    rows = zip(sections, map(str, pairs), map(" & ".join, PAIRS), PERCENTAGES, "123456", strict=True)
    listed = [("Section", "Pair", "Names", "%", "Overall"), *rows]
    found = sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)
    assert found.contestants["section"].to_list() == list(sections)


@pytest.mark.parametrize("head", ["W-L", "Won/Lost", "Wins"])
@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_matches_won_may_stand_beside_those_lost(name: str, head: str) -> None:
    records = ["5.5-1.5", "5-2", "4-2-1", "3 - 4", "2\u20135", "0-7"]
    teams = [" / ".join((*two, *one)) for one, two in zip(PAIRS, PAIRS[::-1], strict=True)]
    rows = zip("123456", teams, ["92", "81", "75", "60", "47", "20"], records, strict=True)
    listed = [("Team", "Members", "VPs", head), *rows]
    found = sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)
    assert found.contestants["wins"].to_list() == [5.5, 5, 4.5, 3, 2, 0]


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_points_won_and_lost_are_no_matches(name: str) -> None:
    imps = ["45", "12", "3", "-5", "-15", "-40"]
    listed = [("Pair", "Names", "%", "W/L"), *zip("123456", map(" & ".join, PAIRS), PERCENTAGES, imps, strict=True)]
    found = sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)
    assert "the column 'W/L' is not read" in [remark.what for remark in found.remarks]


@pytest.mark.parametrize("name", ["list.csv", "list.txt"])
def test_dashes_alone_below_pair_are_no_numbers(name: str) -> None:
    listed = [("Pair", "Names", "%"), *zip("------", map(" & ".join, PAIRS), PERCENTAGES, strict=True)]
    found = sheet(*(map(",".join, listed) if name.endswith("csv") else columns(*listed)), name=name)
    assert numbers(found) == list("123456")


def test_a_dash_for_a_last_name_is_none() -> None:
    header = "Pair,First name 1,Last name 1,First name 2,Last name 2,%"
    assert players(sheet(header, "1,Ann,-,Jen,Null,60", "2,Cy,Fir,Di,Oak,40", name="list.csv"))[0] == (
        "Ann",
        "Jen Null",
    )
