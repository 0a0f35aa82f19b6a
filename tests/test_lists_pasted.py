"""Lists as people paste and frame them, and in the words of more languages: what is read, and what is told."""

import pandas as pd
import pytest

from resultproc import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source

PAIRS = [("Ann Ash", "Bob Birch", 60.0), ("Cy Cedar", "Di Dale", 55.5), ("Ed Elm", "Flo Fir", 34.5)]


def sheet(text: str, name: str = "list.txt") -> Sheet:
    return read(Source(name, text.encode()))


def told(found: Sheet, *columns: str) -> list[tuple[object, ...]]:
    frame = found.contestants
    frame = frame.assign(**{name: None for name in columns if name not in frame})
    return [tuple(None if pd.isna(v) else v for v in row) for row in frame[[*columns]].itertuples(index=False)]


def pairs_of(found: Sheet) -> list[tuple[object, ...]]:
    return told(found, "player1", "player2", "percentage")


def remarks(found: Sheet) -> list[str]:
    return [each.what for each in found.remarks]


@pytest.mark.parametrize(
    "form",
    [
        "{n} {a} & {b} {p}",
        "{n}. {a} & {b} {p}%",
        "{n}) {a} - {b} - {p} %",
        "{n}. {p}% {a} - {b}",
        "#{a} & {b} {p}",
        "{n}: {a} and {b} ({p}%)",
        "{n}. {a} & {b} ....... {p}",
        "{n} {a} & {b} {p}/100",
    ],
)
def test_rows_of_single_blanks_are_parted_by_their_numbers(form: str) -> None:
    lines = [form.lstrip("#").format(n=n, a=a, b=b, p=p) for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet("\n".join(["Results of the club", *lines]))
    assert pairs_of(found) == PAIRS


def test_a_direction_above_each_part_of_such_rows_is_told() -> None:
    rows = "\n".join(f"{a} & {b} {p}" for a, b, p in PAIRS)
    more = "\n".join(f"{a}el & {b}er {p}" for a, b, p in PAIRS)
    found = sheet(f"NS\n{rows}\nEW\n{more}\n")
    assert [way for (way,) in told(found, "direction")] == ["N-S"] * 3 + ["E-W"] * 3
    tabs = "\n".join(f"{n}\t{a} {{0}}, {b} {{0}}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    ways = "\n".join(f"Section {s}\nNS\n{tabs.format(f'{s}man')}\nEW\n{tabs.format(f'{s}son')}" for s in "AB")
    assert told(sheet(ways), "section", "direction")[::3] == [(s, way) for s in "AB" for way in ("N-S", "E-W")]


def test_what_only_some_rows_of_single_blanks_have_at_their_end_is_told_and_not_read() -> None:
    """Masterpoints of the first, or slams: nobody can tell. The share of the last row is of fewer boards."""
    found = sheet(
        "Bridge Results 5 Sep 2017\n\nPos Pair Players Match\nScore % Master\nSmall Slams Grand Slams\n"
        "1 3 Ann Ash & Bob Birch 71/ 126 56.35 25\n"
        "2= 6 Cy Cedar & Di van Dale 68/ 126 53.97 18 1\n"
        "2= 10 Ed Elm & Flo Fir 68/ 126 53.97 18\n"
        "4 1 Gus Gum & Hal Holm 52/ 144 36.11\n"
    )
    assert told(found, "number", "player1", "player2", "score", "percentage") == [
        ("3", "Ann Ash", "Bob Birch", 71.0, 56.35),
        ("6", "Cy Cedar", "Di van Dale", 68.0, 53.97),
        ("10", "Ed Elm", "Flo Fir", 68.0, 53.97),
        ("1", "Gus Gum", "Hal Holm", 52.0, 36.11),
    ]
    assert str(found.games["date"].iloc[0].date()) == "2017-09-05"
    assert any("columns without a heading are not read, such as '25'" in str(each) for each in found.remarks)


@pytest.mark.parametrize(
    "text",
    [
        "1 Ann Ash & Bob Birch 60 12\n2 Cy Cedar & Di Dale 55\n3 Ed Elm & Flo Fir 35 3\n",
        "1 Ann Ash & Bob Birch 12 60.0\n2 Cy Cedar & Di Dale 55.5\n3 Ed Elm & Flo Fir 3 34.5\n",
        "1 Ann Ash & Bob Birch 7.5 60.0\n2 Cy Cedar & Di Dale 55.5\n3 Ed Elm & Flo Fir 3.5 34.5\n",
    ],
    ids=["whole numbers", "the first is lacking", "the first is lacking, and looks alike"],
)
def test_rows_of_single_blanks_that_have_more_numbers_than_others_are_not_guessed(text: str) -> None:
    with pytest.raises(InputError, match="no list of results"):
        sheet(text)
    listed = "".join(f"{n} {a[:-1]} & {b[:-1]} {p}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    text = f"Section A\n{listed}\nSection B\n{text}"
    if "60 12" in text:
        assert "'Bob Birch 60' stands for a name" in remarks(sheet(text))
        return
    with pytest.raises(InputError, match="from here on 3 rows that look like those of contestants are not read"):
        sheet(text)


def test_a_score_and_a_percentage_below_headings_of_single_blanks_are_two_columns() -> None:
    """``Score %`` heads one column where the numbers are as many, and a percentage is no award of 60 masterpoints."""
    two = sheet(
        "Pos Pair Players Score % MP\n1 3 Ann Ash & Bob Birch 36/60 60.00 25\n"
        "2 4 Cy Cedar & Di van Dale 33/60 55.00 18\n"
        "3 15 Ed Elm & Flo Fir 30/60 50.00\n4 1 Gus Gum & Hal Holm 21/60 35.00\n"
    )
    found = told(two, "score", "percentage", "printed_award")
    assert found == [(36.0, 60.0, 2500), (33.0, 55.0, 1800), (30.0, 50.0, None), (21.0, 35.0, None)]
    one = sheet(
        "Pos Pair Players Score %\n1 3 Ann Ash & Bob Birch 60.00 25\n2 4 Cy Cedar & Di van Dale 55.00 18\n"
        "3 15 Ed Elm & Flo Fir 50.00\n4 1 Gus Gum & Hal Holm 35.00\n"
    )
    assert told(one, "percentage", "printed_award") == [(60.0, None), (55.0, None), (50.0, None), (35.0, None)]


def test_two_lists_of_single_blanks_below_headings_of_their_own_are_both_read() -> None:
    """As the French federation's pages are pasted: no blank line is between the lists."""
    head = "Rang Rang général Equipe % PE"
    found = sheet(
        "Super Rondes ve 17/09/2010\nBRIDGE CLUB DE CHEROY\nNombre de paires total 8\nClassement NS\n"
        f"{head}\n1 1 M. ASH PHIL - M. BIRCH BOB 60,47% 762\n2 36 Mme CEDAR ANNE - M. DALE JEAN 39,53%\n"
        f"Classement EO\n{head}\n1 19 M. ELM PIERRE - M. FIR LUC 55,50% 181\n2 67 M. GUM CLAUDE - Mme HOLM EVE 44,50%\n"
    )
    assert told(found, "direction", "percentage") == [("N-S", 60.47), ("N-S", 39.53), ("E-W", 55.5), ("E-W", 44.5)]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Richtung Namen %", "NS {a} (134615{n})/{b} (234615{n}) {p}%"),
        ("Section Clt Joueurs Pourcent", "A {n}. {a} - {b} {p} %"),
        ("Direction Place Players Percentage", "NS {n}th {a} / {b} {p}%"),
        ("Rank Names MP %", "  {n}. {s}, Mary-Jo & {t}, Al {p} {p}"),
        ("North-South", "{a}/{b} 46½/80 {p}%"),
        ("Pl. Paar Paarnamen %", "{n}. N-S {n} {a} #447661{n} – {b} #447662{n} {p}%"),
        ("Section Dir Pair # Players Pct", "A NS {n} {a} - {b} {p}"),
        ("Pl. Paar Spieler Klasse %", "{n}. {n} {a} + {b} C {p}"),
        ("Pair No Names %", "{n}NS {a}, {b} {p}"),
        ("Pair Names                         %     Rank", "NS{n}  {a} & {b:<12}  .......  {p}   #{n}"),
        ("Section Clt Paire n° Joueurs Pourcentage", "A {n} ex {n} {a} & {b} {p}"),
    ],
)
def test_single_blanks_part_what_stands_before_the_names_from_these(header: str, row: str) -> None:
    rows = (row.format(n=n, a=a, b=b, p=p, s=a.split()[1], t=b.split()[1]) for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet("\n".join([header, *rows]))
    surnames = [{a.split()[-1], b.split()[-1]} for a, b, _ in PAIRS]
    named = zip(pairs_of(found), surnames, strict=True)
    assert all(every <= {*f"{one} {two}".replace(",", "").split()} for (one, two, _), every in named)
    assert told(found, "percentage") == [(float(p),) for _, _, p in PAIRS]


def test_headings_of_single_blanks_are_words_of_one_or_several_parts() -> None:
    found = sheet("Pos Pair No Names Total Score %\n1 7 Ann Ash & Bob Birch 120 60.0\n2 4 Cy Cedar & Di Dale 80 40.0\n")
    expected = [("7", "Ann Ash", "Bob Birch", 120.0, 60.0), ("4", "Cy Cedar", "Di Dale", 80.0, 40.0)]
    assert told(found, "number", "player1", "player2", "score", "percentage") == expected
    found = sheet("Pair # Partnership MP % score\n7 Ann Ash/Bob Birch 120 60.0 %\n4 Cy Cedar/Di Dale 80 40.0 %\n")
    assert told(found, "number", "player1", "player2", "score", "percentage") == expected


def test_ex_aequo_behind_an_ordinal_is_no_name() -> None:
    rows = [
        " 1er   Ann Ash et Bob Birch  60,00 %",
        " 2e ex Cy Cedar et Di Dale   45,00 %",
        " 2e ex Ed Elm et Flo Fir     45,00 %",
    ]
    wanted = [("Ann Ash", "Bob Birch"), ("Cy Cedar", "Di Dale"), ("Ed Elm", "Flo Fir")]
    assert told(sheet("\n".join(rows)), "player1", "player2") == wanted


def test_frames_of_lines_and_of_markdown_are_no_rows() -> None:
    framed = "┌───┬────────────────┬──────┐\n│ # │ Names          │ %    │\n├───┼────────────────┼──────┤\n"
    framed += "\n".join(f"│ {n} │ {a} & {b} │ {p} │" for n, (a, b, p) in enumerate(PAIRS, 1))
    marked = "| # | Names | % |\n|--:|:-----:|---|\n"
    marked += "\n".join(f"| {n} | {a} & {b} | {p} |" for n, (a, b, p) in enumerate(PAIRS, 1))
    for text in framed, marked:
        found = sheet(text)
        assert pairs_of(found) == PAIRS
        assert remarks(found) == []


HEADERS = {
    "german": "Platz;Paar-Nr.;Spieler 1;Spieler 2;Verein;Prozent",
    "dutch": "Plaats;Paar;Speler 1;Speler 2;Vereniging;Percentage",
    "italian": "Classifica;Coppia;Giocatore 1;Giocatore 2;Associazione;Percentuale",
    "swedish": "Placering;Par nr;Spelare 1;Spelare 2;Klubb;Procent",
    "norwegian": "Plass;Parnr;Spiller 1;Spiller 2;Klubb;Prosent",
    "danish": "Placering;Parnr;Spiller 1;Spiller 2;Klub;Procent",
    "finnish": "Sija;Pari;Pelaaja 1;Pelaaja 2;Kerho;Prosentti",
    "turkish": "Sıra;Çift No;Oyuncu 1;Oyuncu 2;Kulüp;Yüzde",
    "hungarian": "Helyezés;Párszám;1. játékos;2. játékos;Egyesület;Százalék",
    "czech": "Pořadí;Číslo páru;Hráč 1;Hráč 2;Oddíl;Procenta",
    "croatian": "Mjesto;Broj para;Igrač 1;Igrač 2;Klub;Postotak",
    "french": "Clt;Paire n°;1er joueur;2e joueur;Ville;Pourc.",
    "dutch of letters": "Rangnr;Paar-nummer;Speler A;Speler B;Woonplaats;Eindpercentage",
    "spanish": "Puesto;Nº de pareja;Primer jugador;Segundo jugador;Ciudad;Porc.",
    "of no language": "Uno;Due;Tre 1;Tre 2;Quattro;Cinque",
}
"""What lists are headed with: place, number, two players, their club, percentage."""


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_headings_of_other_languages_are_no_title_and_a_club_is_no_player(header: str) -> None:
    rows = [f"{n};{9 - n};{a};{b};Club One;{p}" for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet("\n".join([header, *rows]), "list.csv")
    assert pairs_of(found) == PAIRS
    assert told(found, "player3", "number") == [(None, "8"), (None, "7"), (None, "6")]
    assert found.games["event"].isna().all()


@pytest.mark.parametrize(
    "names", ["Paarnaam", "Namen paar", "Noms de la paire", "Componentes", "Names of pair", "Paire"]
)
@pytest.mark.parametrize("number", ["Paire n°", "Nr", "Paar-Nummer", "Núm. pareja", "Start No"])
def test_names_and_numbers_are_known_by_their_headings_in_any_language(names: str, number: str) -> None:
    rows = [f"{9 - n};{a} & {b};{p}" for n, (a, b, p) in enumerate(PAIRS, 1)]
    found = sheet("\n".join([f"{number};{names};%", *rows]), "list.csv")
    assert (pairs_of(found), told(found, "number")) == (PAIRS, [("8",), ("7",), ("6",)])
    assert remarks(found) == []


def test_a_line_with_a_date_that_is_labelled_is_not_parted_at_the_columns_below_it() -> None:
    rows = "\n".join(f"EO      {n}.     {a} - {b:<30}{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    head = "Línea   Pos.   Nombres                                 Porcentaje"
    found = sheet(f"Mesas: 3,5   Mitchell   Fecha: 2 de noviembre de 2026\n{head}\n{rows}")
    assert (found.games.loc[0, "date"], found.games.loc[0, "tables"]) == (pd.Timestamp("2026-11-02"), "3.5")


def test_halves_below_their_directions_may_have_an_empty_column_between_them() -> None:
    rows = "\n".join(f"{n}\t{a} & {b}\t{p} %\t\t{n}\t{a}el & {b}er\t{p} %" for n, (a, b, p) in enumerate(PAIRS, 1))
    whole = "\n".join(f"{a} & {b}\t{p}\t100\t\t{a}el & {b}er\t{p}\t100" for a, b, p in PAIRS)
    unplaced = rows.replace("60.0 %\t\t", "34.5 %\t\t").replace("34.5 %\t\t3", "60.0 %\t\t3")  # numbers of both
    every = (("Nord/Sud", "Est/Ouest", rows), ("NS", "EW", rows), ("NS", "EW", whole), ("NS", "EW", unplaced))
    for first, second, lines in every:
        found = sheet(f"{first}\t\t\t\t{second}\t\t\n{lines}")
        assert told(found, "direction", "number") == [(side, n) for side in ("N-S", "E-W") for n in "123"]


def test_a_score_over_tops_that_differ_is_no_award_below_mp() -> None:
    rows = [
        f"{9 - n}\t{a}\t{b}\t{p * top / 100:.2f}/{top}\t{p}%".replace(".", ",")
        for (a, b, p), (n, top) in zip(PAIRS, [(1, 65), (2, 80), (3, 60)], strict=True)
    ]
    found = sheet("\n".join(["Nr\tSpieler 1\tSpieler 2\tMP\tProzent", *rows]))
    assert told(found, "number", "percentage") == [("8", 60.0), ("7", 55.5), ("6", 34.5)]


def test_a_direction_beside_the_number_of_a_pair_is_no_player() -> None:
    rows = "\n".join(f"  {n}    NS {9 - n}   {f'{a} - {b}':<24}{p:>6}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"Rang  Paar   Namen                     %\n{rows}\n")
    expected = [("N-S", "8", "Ann Ash"), ("N-S", "7", "Cy Cedar"), ("N-S", "6", "Ed Elm")]
    assert told(found, "direction", "number", "player1") == expected


def test_the_name_of_a_team_beside_its_players_is_no_player() -> None:
    rows = "\n".join(f"{n}\tTeam {n}\t{a}, {b}, {a}el, {b}er\t{90 - n}" for n, (a, b, _) in enumerate(PAIRS, 1))
    found = sheet(f"Swiss Teams\nPos\tTeam\tPlayers\tVPs\n{rows}")
    assert told(found, "player1", "player4", "player5")[0] == ("Ann Ash", "Bob Bircher", None)
    assert "the column 'Team' is not read" in remarks(found)


@pytest.mark.parametrize("heading", ["{}-lijn", "Groep {}", "Gruppe {}", "Grupo {}", "Girone {}", "Sektion {}"])
def test_lines_and_groups_are_sections(heading: str) -> None:
    text = "".join(
        f"{heading.format(letter)}\nPl.  Names               %\n"
        + "".join(f"{n}    {a}{more} - {b}{more}    {p}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
        + "\n"
        for letter, more in (("A", ""), ("B", "el"))
    )
    assert [letter for (letter,) in told(sheet(text), "section")] == ["A"] * 3 + ["B"] * 3


def test_the_axes_of_romanian_lists_are_directions() -> None:
    text = "".join(
        f"Axa {way}\nLoc  Jucatori             %\n"
        + "".join(f"{n}    {a}{more} - {b}{more}    {p}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
        + "\n"
        for way, more in (("N-S", ""), ("E-V", "el"))
    )
    assert [way for (way,) in told(sheet(text), "direction")] == ["N-S"] * 3 + ["E-W"] * 3


def test_a_list_of_which_only_a_part_has_a_direction_is_refused() -> None:
    rows = "\n".join(f"{n}\t{a}\t{b}\t{'NS' if n < 3 else ''}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    with pytest.raises(InputError, match="line 4: this contestant has no direction, but others do"):
        sheet(f"Pos\tPlayer 1\tPlayer 2\tDir\t%\n{rows}\n")


def test_a_contestant_without_a_section_beside_others_is_remarked_on() -> None:
    rows = "\n".join(f"{n}\t{a}\t{b}\t{'' if n == 2 else 'A'}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"Pos\tPlayer 1\tPlayer 2\tSection\t%\n{rows}\n")
    assert "this contestant has no section, but others do: it is taken to be in section A" in remarks(found)


def test_numbers_among_names_are_remarked_on_or_refused() -> None:
    rows = [(a, b, p) for a, b, p in PAIRS]
    one = "\n".join(f"{n}\t{'0.61(A) ' * (n == 2)}{a} - {b}\t{p}" for n, (a, b, p) in enumerate(rows, 1))
    assert "the name '0.61(A) Cy Cedar' has a number in it" in remarks(sheet(f"Pos\tNames\t%\n{one}"))
    every = "\n".join(f"{n}\t0.61(A) {a} - {b}\t{p}" for n, (a, b, p) in enumerate(rows, 1))
    with pytest.raises(InputError, match=r"run into each other: '0\.61\(A\) Ann Ash'"):
        sheet(f"Pos\tNames\t%\n{every}")


def test_a_ranking_of_single_players_is_remarked_on_unless_it_is_said_what_it_is() -> None:
    rows = "1\tAnn Ash\t120\n2\tBob Birch\t112\n3\tCy Cedar\t77\n"
    what = "each row has one name, and nothing says that this is an individual or a game of teams"
    assert what in remarks(sheet(f"Ladder\n\nPos\tName\tPoints\n{rows}"))
    assert what not in remarks(sheet(f"Christmas Individual\n\nPos\tName\tPoints\n{rows}"))
    assert what not in remarks(sheet(f"Swiss League\n\nPos\tTeam\tVPs\n{rows}"))


def test_hands_are_no_list() -> None:
    with pytest.raises(InputError, match="no list of results"):
        sheet("Dlr\tE\tPoints\nN\tAKJ\t4\nE\tQJ7\t5\nS\tKQT\t3\n")


def test_a_score_below_words_that_are_not_known_is_told_by_the_percentages() -> None:
    rows = "\n".join(f"{n}\t{a} - {b}\t{p * 2 - n * 20}\t{p * 2}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"loc\tNume\tp.t.tur1\tp.t.final\t%\n{rows}")
    assert [score for (score,) in told(found, "score")] == [120.0, 111.0, 69.0]


@pytest.mark.parametrize(
    "number",
    ["NS {n}|EW {n}", "{n} NS|{n} EO", "NS{n}|EO{n}", "{n} N-S|{n} E-W", "A {n} NS|A {n} EV", "{n} N/S|{n} O/W"],
)
def test_each_direction_beside_the_numbers_has_places_of_its_own(number: str) -> None:
    """They begin anew in the middle of the list: without the directions two pairs would be first."""
    more = [("Gus Gum", "Hal Holly", 58.0), ("Ida Iris", "Jon Jay", 52.0), ("Kim Kay", "Lou Low", 40.0)]
    of_both = list(zip(number.split("|"), ("N-S", "E-W"), (PAIRS, more), strict=True))
    cells = [
        [str(place), form.format(n=place), f"{a} - {b}", str(share)]
        for form, _, pairs in of_both
        for place, (a, b, share) in enumerate(pairs, 1)
    ]
    expected = [(side, str(n), share) for _, side, pairs in of_both for n, (*_, share) in enumerate(pairs, 1)]
    for sign in (";", "\t"):  # a table of commas and one of text are read by two readers
        for listed in ([["Place", "Pair", "Names", "%"], *cells], cells[2:] + cells[:2]):
            found = sheet("\n".join(sign.join(row) for row in listed))
            assert sorted(told(found, "direction", "number", "percentage")) == sorted(expected)


@pytest.mark.parametrize(
    ("names", "players"),
    [
        ("Tom And & Bob Roe", ("Tom And", "Bob Roe")),
        ("Ann And and Bob Roe", ("Ann And", "Bob Roe")),
        ("Ann Roe and Bob And", ("Ann Roe", "Bob And")),
        ("Ann  and  Bob", ("Ann", "Bob")),
    ],
)
def test_a_word_before_another_sign_is_a_name(names: str, players: tuple[str, str]) -> None:
    rows = [f"{n}  {a} & {b}  {p}" for n, (a, b, p) in enumerate(PAIRS[1:], 2)]
    found = sheet("\n".join([f"1  {names}  60.00", *rows]))
    assert pairs_of(found)[0] == (*players, 60.0)


@pytest.mark.parametrize(
    ("names", "players"),
    [
        ("Mr & Mrs J Smith", ("Mr J Smith", "Mrs J Smith")),
        ("J & M Brown", ("J Brown", "M Brown")),
        ("J.P. and M. de la Cruz", ("J.P. de la Cruz", "M. de la Cruz")),
        ("Dr and Mrs Poe", ("Dr Poe", "Mrs Poe")),
        ("M. et Mme Leroy", ("M. Leroy", "Mme Leroy")),
        ("Jo & Mary Brown", ("Jo Brown", "Mary Brown")),
        ("Otto und June van Dyke", ("Otto van Dyke", "June van Dyke")),
        ("J Brown & M Brown", ("J Brown", "M Brown")),
    ],
)
def test_the_name_of_a_family_is_that_of_both(names: str, players: tuple[str, str]) -> None:
    """It is written once; a single word may be a family's name itself where others are such, see below."""
    rows = [f"{n}  {a} & {b}  {p}" for n, (a, b, p) in enumerate(PAIRS[1:], 2)]
    found = sheet("\n".join([f"1  {names}  60.00", *rows]))
    assert pairs_of(found)[0] == (*players, 60.0)


@pytest.mark.parametrize(
    ("headings", "column", "told_of"),
    [
        ("NORTH/SOUTH                        EAST/WEST", "direction", ("N-S", "E-W")),
        ("Section A                          Section B", "section", ("A", "B")),
        ("N-S:                               E-W:", "direction", ("N-S", "E-W")),
    ],
)
def test_lists_side_by_side_below_two_headings_alone_are_two(
    headings: str, column: str, told_of: tuple[str, str]
) -> None:
    """There is no row of headings over their columns; one list may be longer than the other."""
    text = f"""{headings}
1 Ann Lee & Bob Roe     60.00      1 Gus Ivy & Hal Jay     55.00
2 Cy Poe & Di Fox       50.00      2 Ida Kay & Jon Low     45.00
3 Ed Gray & Flo Hill    40.00
"""
    found = sheet(text)
    assert told(found, column, "player1", "percentage") == [
        (told_of[0], "Ann Lee", 60.0),
        (told_of[0], "Cy Poe", 50.0),
        (told_of[0], "Ed Gray", 40.0),
        (told_of[1], "Gus Ivy", 55.0),
        (told_of[1], "Ida Kay", 45.0),
    ]


def test_who_tells_the_winners_in_sentences_is_told_what_is_no_name() -> None:
    who = {
        "Winners": "Ann Ash & Bob Birch with 60%",
        "Second": "Cy Cedar & Di Dale with 52%",
        "Third": "Ed & Flo with 38%",
    }
    found = sheet("\n".join(f"{place}: {told}" for place, told in who.items()))
    assert "the name 'Winners: Ann Ash' has more than a name in it" in remarks(found)
    assert "the name 'Bob Birch with' has more than a name in it" in remarks(found)


@pytest.mark.parametrize(
    "day",
    ["12. Mai 2026", "12 mei 2026", "12 maggio 2026", "12 de maio de 2026", "12 maj 2026", "12. toukokuuta 2026"],
)
def test_months_of_more_languages(day: str) -> None:
    rows = "\n".join(f"{n};{a} - {b};{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"Turnier {day};;\nPlatz;Namen;Prozent\n{rows}\n")
    assert (str(found.games["date"].iloc[0])[:10], pairs_of(found)) == ("2026-05-12", PAIRS)


@pytest.mark.parametrize(
    ("north_south", "east_west"),
    [
        ("## North-South", "## East-West"),  # in Markdown
        ("Nord-S\u00fcd;;;;", "Ost-West;;;;"),  # as spreadsheets save a text alone
        ("NS", "\u00d6V"),
        ("Linha N/S", "Linha E/O"),
        ("> N/S", "> E/W"),  # in the answer to a mail
    ],
)
def test_headings_above_each_direction(north_south: str, east_west: str) -> None:
    sign = "> " if ">" in north_south else ""
    rows = "\n".join(f"{sign}{n}; {a} & {b}; {p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    more = "\n".join(f"{sign}{n}; {a}el & {b}er; {p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"{north_south}\n{rows}\n\n{east_west}\n{more}\n")
    assert [way for (way,) in told(found, "direction")] == ["N-S"] * 3 + ["E-W"] * 3
    assert pairs_of(found)[:3] == PAIRS


@pytest.mark.parametrize(
    ("north_south", "east_west"),
    [
        ("Pair\tN/S Players\t%", "Pair\tE/W Players\t%"),
        ("N-S Pairs\tNames\t%", "E-W Pairs\tNames\t%"),
        ("Pair\tN/S\t%", "Pair\tE/W\t%"),
    ],
)
def test_headings_of_columns_that_name_the_direction(north_south: str, east_west: str) -> None:
    rows = "\n".join(f"{n}\t{a} & {b}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    more = "\n".join(f"{n}\t{a}el & {b}er\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"{north_south}\n{rows}\n\n{east_west}\n{more}\n")
    assert [way for (way,) in told(found, "direction")] == ["N-S"] * 3 + ["E-W"] * 3


def test_the_seats_of_one_direction_tell_it() -> None:
    rows = "\n".join(f"{n}\t{a}\t{b}\t{p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"Pair\tNorth\tSouth\t%\n{rows}\n\nPair\tEast\tWest\t%\n{rows.replace('A', 'O')}\n")
    assert [way for (way,) in told(found, "direction")] == ["N-S"] * 3 + ["E-W"] * 3


@pytest.mark.parametrize(
    ("head", "column"),
    [
        ("Table\tNorth\tSouth\tNS Score\tEast\tWest\tEW Score", "percentage"),
        ("Tafel\tN\tS\tNZ MP\tE\tW\tOW MP", "score"),
    ],
)
def test_scores_of_each_direction_are_those_of_no_board(head: str, column: str) -> None:
    rows = "\n".join(f"{n}\t{a}\t{b}\t{p}\t{a}el\t{b}er\t{100 - p}" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"{head}\n{rows}\n")
    assert told(found, "direction", "player1", column)[::3] == [("N-S", "Ann Ash", 60), ("E-W", "Ann Ashel", 40)]


def test_medals_and_equal_places() -> None:
    found = sheet(
        "\U0001f947 Ann Ash & Bob Birch 60.00\n\U0001f948 Cy Cedar & Di Dale 55.50\n2nd= Ed Elm & Flo Fir 55.50\n"
    )
    assert told(found, "player1", "printed_section") == [("Ann Ash", "A=1"), ("Cy Cedar", "A=2/3"), ("Ed Elm", "A=2/3")]


def test_surnames_alone_and_nothing_else() -> None:
    found = sheet("ash/birch 60.00\ncedar/dale 55.50\nelm/fir 34.50\n")
    assert pairs_of(found) == [("ash", "birch", 60.0), ("cedar", "dale", 55.5), ("elm", "fir", 34.5)]


@pytest.mark.parametrize(
    ("row", "values"),
    [
        ("{a} #123456{n} & {b} #234567{n}   {v:>6}", ["60 1/2", "55", "34 1/2"]),
        ("{a}   -   {b}{v:>12}", ["60", "56", "34"]),
        ("{a} & {b} {v}", ["60.5/80", "55/80", "34/80"]),
        ("{n}. {a} & {b}   {v:>11}", ["60 1/2 / 80", "55 / 80", "34 / 80"]),
    ],
)
def test_pairs_and_their_scores_and_nothing_else(row: str, values: list[str]) -> None:
    each = enumerate(zip(PAIRS, values, strict=True), 1)
    found = sheet("\n".join(["Club Pairs", "", *(row.format(a=a, b=b, n=n, v=v) for n, ((a, b, _), v) in each)]))
    scores = [float(value.partition(" /")[0].partition("/8")[0].replace(" 1/2", ".5")) for value in values]
    assert told(found, "player1", "player2", "score") == [(a, b, v) for (a, b, _), v in zip(PAIRS, scores, strict=True)]


def test_signs_for_minus() -> None:
    found = sheet("Platz;Namen;IMPs\n1;Ash - Birch;+20\n2;Cedar - Dale;\u22125\n3;Elm - Fir;\u201315,5\n")
    assert told(found, "score") == [(20.0,), (-5.0,), (-15.5,)]


def test_fractions_are_percentages() -> None:
    found = sheet(
        "Rank\tNames\tResult\n" + "".join(f"{n}\t{a} & {b}\t{p / 100}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    )
    assert pairs_of(found) == PAIRS


def test_a_handicap_below_zero_was_added_to_the_net_score_all_the_same() -> None:
    rows = [["1", "Ann - Bob", "60", "-2", "58"], ["2", "Cy - Di", "50", "2", "52"], ["3", "Ed - Flo", "40", "0", "40"]]
    found = sheet("\n".join("\t".join(row) for row in (["Place", "Names", "Scratch %", "Handicap", "Net %"], *rows)))
    assert [share for (share,) in told(found, "percentage")] == [60.0, 50.0, 40.0]


MAIL = """\
From: Ann Ash <ann@example.org>
To: members@example.org
Date: Tue, 3 Mar 2009 10:00:00 -0500
Subject: Results of Monday

Open pairs, March 2, 2009

1 Ann Ash & Bob Birch 60.0
2 Cy Cedar & Di Dale 55.5
3 Ed Elm & Flo Fir 34.5
"""


@pytest.mark.parametrize("mark", ["", "> ", ">> ", "Content-Transfer-Encoding: quoted-printable\n"])
def test_a_mail_with_a_list_reads_as_the_list(mark: str) -> None:
    head, body = MAIL.split("\n\n", 1)
    text = "".join(f"{mark}{line}\n" for line in MAIL.splitlines())
    encoded = f"{head}\n{mark}\n" + body.replace("&", "=26").replace("1 Ann", "1 Ann=\n")
    found = sheet(encoded if mark[:1] == "C" else text)
    assert pairs_of(found) == PAIRS
    assert str(found.games["date"][0])[:10] == "2009-03-02"  # not the day on which the mail was sent


def test_a_date_and_time_above_a_list_is_no_mail() -> None:
    found = sheet(MAIL[MAIL.index("Open") :].replace("Open pairs, March 2, 2009", "Date: 2 March 2009, 7:30 pm"))
    assert str(found.games["date"][0])[:10] == "2009-03-02"


@pytest.mark.parametrize(
    "form", ["<li>{a} &amp; {b} {p}%</li>", "<p>{n}. {a} &amp; {b} {p}</p>", "{a} &amp; {b} {p}%<br>"]
)
def test_paragraphs_and_items_of_a_page_are_read_as_lines(form: str) -> None:
    lines = "\n".join(form.format(n=n, a=a, b=b, p=p) for n, (a, b, p) in enumerate(PAIRS, 1))
    assert pairs_of(sheet(f"<html><body><h2>Results</h2>{lines}</body></html>", "page.html")) == PAIRS


def test_prose_with_numbers_on_a_page_is_no_list() -> None:
    lines = ["We play at 7:30", "Results 2024", "Ring Ann Ash on 01234 567890", "Members pay 4", "We had 60 members"]
    with pytest.raises(InputError, match="a web page without a list of results"):
        sheet("<html><body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>", "page.html")


def test_a_heading_of_a_direction_between_rows_parts_no_columns_otherwise() -> None:
    rows = "".join(f"{n}st   {p:.2f}%   {a} & {b}\n" for n, (a, b, p) in enumerate(PAIRS, 1))
    found = sheet(f"North/South\n{rows}East/West\n{rows}")
    assert pairs_of(found) == PAIRS * 2
    assert found.contestants["direction"].tolist() == ["N-S"] * 3 + ["E-W"] * 3
