"""The page: what it says, that nothing of a file becomes markup, and what a browser may run of it."""

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from importlib.metadata import version

import pytest
from conftest import FIXTURES, examples, saved
from generated import results
from hypothesis import given
from lxml import html
from samples import SAMPLES, real

from resultproc.formats.html.scorecards import _how_it_went
from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.model.game import league
from resultproc.model.plugins import named
from resultproc.pages.words import letters, reason
from resultproc.stages.pipeline import process, process_event, with_boards

HOSTILE = (
    "<script>document.title='taken'</script>",
    '"><img src=x onerror="document.title=\'taken\'">',
    "A' & <b>B</b>",
)


def page(result):
    return named("writers", "html").write(result).decode()


@pytest.fixture(scope="module")
def howell():
    return process(FIXTURES / "made-wednesday.json", format="acbl-live")


def hostile():
    games, contestants = read(FIXTURES / "made-wednesday.json", format="acbl-live")
    names = contestants["player1"].to_list()
    names[: len(HOSTILE)] = HOSTILE
    return Result(games.assign(event=HOSTILE[0], club=HOSTILE[1]), contestants.assign(player1=names))


def rows_of(table):
    """Return the rows of a table without those of explanations."""
    return [row for row in table.find("tbody") if row.get("class") != "why"]


def texts(table, key=0):
    """Return the texts of a table's cells, by one of each row."""
    rows = [[" ".join(cell.text_content().split()) for cell in row] for row in rows_of(table)]
    return {row[key]: row for row in rows}


def heads(table):
    """Return the texts of a table's columns in order."""
    cells = table.xpath("./thead//th[@data-c]")
    return [cell.text_content() for cell in sorted(cells, key=lambda cell: int(cell.get("data-c")))]


def captions(tree):
    return [heading.text.strip() for heading in tree.iter("h2") if heading.get("id")]


def test_every_contestant_stands_by_place_in_a_table_with_its_award(howell):
    tree = html.document_fromstring(page(howell))
    (table,) = tree.iter("table")
    assert captions(tree) == ["Results"]
    assert heads(table) == ["A", "B", "Pair", "Names", "%", "Score", "Masterpoints"]
    assert all(cell.get("scope") in {"col", "colgroup"} for cell in table.find("thead").iter("th") if cell.text)
    rows = texts(table, 2)
    # Two share the first place; pair 6 is 4th in A, 1st in B, and won 0.42 for B. Pair 12 is last, and ranked too.
    assert list(rows) == ["4", "5", "3", "6", "1", "7", "9", "11", "2", "10", "12"]
    assert [row[0] for row in rows.values()][:4] == ["1/2", "1/2", "3", "4"]
    assert rows["6"] == ["4", "1", "6", "Ella Willow – Finn Yew", "55.47", "39.94", "0.42"]
    assert rows["12"] == ["11", "6", "12", "Olga Holly – Paul Ilex", "35.94", "25.88", ""]


def test_ranks_that_pay_are_marked_and_the_one_that_made_the_award(howell):
    (table,) = html.document_fromstring(page(howell)).iter("table")
    marks = {row[2].text: [cell.get("class") for cell in row[:2]] for row in rows_of(table)}
    # 1st in B pays 0.42, 4th in A 0.39; of pair 1 the 5th place pays nothing.
    assert marks["6"] == ["r p first", "r won"]
    assert marks["1"] == ["r first", "r"]


def test_an_award_opens_to_its_explanation(howell):
    tree = html.document_fromstring(page(howell))
    (summary,) = [each for each in tree.iter("summary") if each.text_content().strip() == "0.42"]
    why = summary.getparent().getparent().getparent().getnext()
    assert why.get("class") == "why"
    assert why[0].get("colspan") == str(len(rows_of(tree.find(".//table"))[0]))
    said = [[part.text for part in (item.find("b"), item.find("span"))] for item in list(why.iter("li"))[:-1]]
    # 1st of the 6 in stratum B: 6 x 0.07 = 0.42 for six; 4th of 11 in A would be 35% of 1.10.
    assert said == [
        ["0.42", "1st of 6 pairs in the section, stratum B; 0.07 for each pair"],
        ["0.39", "4th of 11 pairs in the section, stratum A"],
    ]
    assert all(item.find("span/em").text.startswith("first ") for item in list(why.iter("li"))[:-1])
    assert "ACBL" in list(why.iter("li"))[-1].text


def test_a_tie_and_what_no_rate_says_are_told_in_sentences():
    tie = {"factors": "first 0.70 (0.10 x 7 = 0.70); 3 places pay", "size": 7, "position": 1, "tied": 2}
    assert reason(tie, "pair") == "2 pairs share what these places pay; the first gets 0.70, 0.10 for each pair"
    # Where others are counted, too, the rate is not of those who are ranked; and no award is above the highest.
    capped = {"factors": "first 1.50 (0.10 x 17 = 1.70, capped at 1.50); 7 places pay", "size": 16}
    assert reason({**capped, "position": 1, "tied": 1}, "pair") == "0.10 times 17, at most 1.50"
    product = "first 2.63 (0.5 x B 0.3 (8 tables) x R 14 x T 1.25); 3 places pay"
    assert reason({"factors": product, "size": 8, "position": 1, "tied": 1}, "pair") == ""
    assert reason({"factors": product, "size": 8, "position": 2, "tied": 1}, "pair") == "the first gets 2.63"
    matches = {"factors": "0.07 for each match won (D 0.24 x L 0.2917)", "size": 4, "position": 1, "tied": 1}
    assert reason(matches, "team") == "0.07 for each"


def test_letters_of_formulas_are_named():
    # MPBOOK.041, p. 1, and the motion on the strength of the field, Appendix.
    of_product = "In formulas B is the number of tables, R is the class of game, T is the type of event"
    product = "first 2.63 (0.5 x B 0.3 (8 tables) x R 14 x T 1.25); 3 places pay"
    assert letters([product]) == f"{of_product}."
    field = "first 12.70 (F 23.811 of 32 players, N 16, R 14); T 53.34, D 0.8238; 5 places pay"
    assert letters([product, field]) == (
        f"{of_product}; where F is the strength of the field N is the entrants, R is the class of game, T is what all "
        "places get together, D is how awards get less from place to place."
    )
    assert letters(["first 0.90 (0.10 x 9 = 0.90); 4 places pay"]) == ""
    tree = html.document_fromstring(page(process(FIXTURES / "knockout-example.csv")))
    assert "K is the class of a knockout" in tree.find(".//footer").text_content()


def test_places_that_pay_nothing_are_explained_too():
    tree = html.document_fromstring(page(process(FIXTURES / "made-charity.csv")))
    said = [item.text_content() for why in tree.xpath("//tr[@class='why']") for item in why.iter("li")]
    assert "nothing8th of 25 pairs overall, stratum A" in said


@pytest.mark.slow
def test_the_overall_list_is_first_and_has_everyone():
    tree = html.document_fromstring(page(process(FIXTURES / "made-two-games.ACM")))
    first, second = tree.iter("article")
    sections = [f"Section {each}" for each in ("A North-South", "A East-West", "B North-South", "B East-West")]
    assert captions(first) == ["Overall", *sections]
    assert captions(second) == ["Results"]
    counts = [len(rows_of(table)) for table in first.iter("table")]
    assert counts[0] == sum(counts[1:]) == 21
    # Who is not eligible is last, without a rank.
    last = rows_of(first.find(".//table"))[-1]
    assert [cell.text for cell in last[:3]] == [None] * 3
    assert "not eligible" in last.text_content()
    # An award is explained once; in the other lists it leads there.
    ids = {each.get("id") for each in tree.xpath("//*[@id]")}
    assert all(link.get("href")[1:] in ids for link in tree.iter("a"))
    assert len(tree.xpath("//details")) == len(tree.xpath("//tr[@class='why']"))


def test_sessions_have_lists_of_their_own():
    tree = html.document_fromstring(page(process(FIXTURES / "regional-open-pairs-2022-06-18.csv")))
    tables = dict(zip(captions(tree), tree.iter("table"), strict=True))
    assert list(tables) == ["Overall", *(f"Session {n}, {side}-{to}" for n in (1, 2) for side, to in
                                         (("North", "South"), ("East", "West")))]  # fmt: skip
    assert heads(tables["Overall"])[-4:] == ["Score", "Session 1", "Session 2", "Masterpoints"]
    # The pair with the best score of the first session is third overall.
    assert texts(tables["Session 1, North-South"], 4)["Eve Cedar – Finn Cedar"][0] == "1"


def test_a_session_shows_its_own_awards_and_seats():
    event = FIXTURES / "event"
    tree = html.document_fromstring(
        page(process_event(event / "saturday-morning.csv", event / "saturday-afternoon.csv"))
    )
    tables = dict(zip(captions(tree), tree.iter("table"), strict=True))
    overall = {row[2]: row[-1] for row in _cells(tables["Overall"])}
    assert overall["Amy Ash – Bill Ash"] == "2.63silver"
    # The first of each session: 0.5 x B x R = 0.5 x 0.2333 x 10 = 1.17; the second 70% of it.
    first = _cells(tables["Session 1, North-South"])
    assert [(row[1], row[2], row[-1]) for row in first[:2]] == [
        ("1", "Amy Ash – Bill Ash", "1.17silver"),
        ("2", "Cora Beech – Dan Beech", "0.82silver"),
    ]
    # In the second session they sat the other way.
    second = _cells(tables["Session 2, East-West"])
    assert [(row[1], row[2], row[-1]) for row in second[:2]] == [
        ("1", "Amy Ash – Bill Ash", "1.17silver"),
        ("3", "Ella Cedar – Fred Cedar", "0.82silver"),
    ]


def _cells(table):
    return [["".join(cell.text_content().split(" ")) if cell.get("class", "").startswith("a") else
             " ".join(cell.text_content().split()) for cell in row] for row in rows_of(table)]  # fmt: skip


def test_a_large_field_is_drawn_as_bars(tmp_path):
    rows = [f"A,{n},Ann {n},Bob {n},{65 - n / 4:.2f}" for n in range(1, 121)]
    head = "# rating: sectional\n# date: 2019-01-19\n# tables: 60\n# boards: 26\n"
    head += "section,number,player1,player2,percentage\n"
    tree = html.document_fromstring(page(process(saved(tmp_path / "large.csv", head + "\n".join(rows)))))
    (field,) = tree.iter("svg")
    assert (len(list(field.iter("circle"))), len(list(field.iter("a")))) == (0, 0)
    # From 35% to 64.75% in steps of 1.25%, five pairs each, and where the pay begins some of both kinds.
    assert len({bar.get("x") for bar in field.iter("rect")}) == 24
    assert [each.text for each in field.iter("text")][-3:] == ["¼", "½", "¾"]
    # The 91st and the 31st of 120: 65 - 91 / 4 and 65 - 31 / 4.
    assert "half of it is between 42.25% and 57.25%" in tree.find(".//figcaption").text


def test_each_game_of_a_file_has_its_place():
    tree = html.document_fromstring(page(process(FIXTURES / "made-two-games.ACM", rating="club-championship")))
    links = tree.xpath("//nav[@aria-label='Games']/a")
    assert [each.get("href") for each in links] == ["#g1", "#g2"]
    games = [tree.get_element_by_id(each.get("href")[1:]) for each in links]
    assert [each.find(".//h1").text for each in games] == [each.text for each in links]


def test_a_legend_speaks_of_shades_where_there_are_any(tmp_path):
    swiss = saved(
        tmp_path / "swiss.csv",
        "# rating: regional\n# date: 2005-05-05\n# event_type: swiss\n# tables: 8\n# boards: 7\n# sessions: 2\n"
        "number,score,wins,player1,player2,player3,player4\n"
        + "".join(f"{n},{160 - 5 * n},{3 - n // 4},A{n} A,B{n} B,C{n} C,D{n} D\n" for n in range(1, 9)),
    )
    for path in (FIXTURES / "wed-open-pairs-2012-04-18.csv", swiss):
        tree = html.document_fromstring(page(process(path)))
        shaded = bool(tree.xpath("//td[contains(@class, 'won')]"))
        assert ("the shaded one made the award" in tree.text_content()) == shaded


def test_people_read_what_the_game_was():
    tree = html.document_fromstring(page(process(FIXTURES / "wed-open-pairs-2012-04-18.csv")))
    assert tree.find(".//h1").text == "Wed 1:00 Open Pairs"
    assert tree.find(".//p[@class='when']").text == "Wednesday 18 April 2012 · Wednesday Aft"
    facts = [item.text for item in tree.find(".//ul[@class='facts']")]
    strata = "A open, B under 1000, C under 200"
    assert facts == ["Open club game", "9 tables, 18 pairs: A 5, B 7, C 6", strata, "27 boards"]
    foot = [each.text_content() for each in tree.find(".//footer").iter("p")]
    assert "Masterpoints by ACBL club masterpoint games (acbl-club, edition of 2011-01-01)" in foot
    assert foot[-1] == f"resultproc {version('resultproc')}"
    assert "club-open" not in tree.text_content()


def test_every_rating_has_a_name_for_players():
    assert all(league().names.values())


def test_colours_are_labels():
    tree = html.document_fromstring(page(process(FIXTURES / "knockout-example.csv")))
    (award, *_) = [cell for cell in tree.xpath("//td[contains(@class, 'a')]") if "4.60" in cell.text_content()]
    parts = [(part.text.strip(), part.find("i").get("class")) for part in award.iter("span")]
    # Half of the award in the lowest bracket's share is gold; it sorts by the sum.
    assert parts == [("4.60", "gold"), ("9.20", "red")]
    assert award.get("data-s") == "13.80"


def test_the_picture_shows_the_field_and_where_awards_end(howell):
    tree = html.document_fromstring(page(howell))
    dots = tree.xpath("//svg/a")
    assert len(dots) == 11
    assert [each.get("class") for each in dots].count("p") == 5
    assert dots[0].find("text").text == "Ada Spruce – Ben Teak 67.19%"
    cuts = {each.text: float(each.get("x")[:-1]) for each in tree.xpath("//svg/text[@class='of']")}
    at = {each.find("text").text.split(" – ")[0]: float(each.find("circle").get("cx")[:-1]) for each in dots}
    # A pays four, as pair 6 is, and not pair 1; B pays pair 7, and not pair 9.
    assert at["Dirk Maple"] < cuts["A"] < at["Ella Willow"]
    assert at["Iris Beech"] < cuts["B"] < at["Gwen Zelkova"]


def test_the_line_of_a_game_without_strata_has_no_letter(tmp_path):
    rows = ["direction,number,player1,player2,percentage"]
    rows += [f"{side},{n},Ann {side}{n},Bob {side}{n},{62 - 4 * n}" for side in ("N-S", "E-W") for n in range(1, 6)]
    path = tmp_path / "plain.csv"
    path.write_text("# rating: club-open\n# date: 2012-05-16\n# tables: 5\n# boards: 25\n" + "\n".join(rows), "utf-8")
    tree = html.document_fromstring(page(process(path)))
    assert tree.xpath("//svg/line[@class='cut']")
    assert not tree.xpath("//svg/text[@class='of']")
    assert "stratum" not in tree.find(".//figcaption").text_content()


def test_a_carryover_that_nobody_has_is_not_shown(tmp_path):
    head = "# rating: sectional\n# date: 2012-05-12\n# tables: 2\n# boards: 26\n# sessions: 2\n"
    rows = ["number,player1,player2,session1,session2,carryover,score"]
    rows += [f"{n},Ann {n},Bob {n},{20 - n},{30 - n},{{}},{50 - 2 * n}" for n in range(1, 5)]
    path = tmp_path / "two.csv"
    found = []
    for carried in ("0.00", "4.50"):
        lines = "\n".join(rows).replace("{}", "0.00").replace("0.00,48", f"{carried},{48 + float(carried)}")
        path.write_text(head + lines + "\n", "utf-8")
        found.append("Carry" in heads(html.document_fromstring(page(Result(*read(path)))).find(".//table")))
    assert found == [False, True]
    # Of a game whose first session is all that there is, that one is not said again.
    first = [line.replace(",session2,carryover", "") for line in rows[:1]]
    first += [f"{n},Ann {n},Bob {n},{20 - n},{20 - n}" for n in range(1, 5)]
    path.write_text(head + "\n".join(first) + "\n", "utf-8")
    shown = heads(html.document_fromstring(page(Result(*read(path)))).find(".//table"))
    assert "Score" in shown
    assert "Session 1" not in shown


PRINTED = """\
# event: Monday Pairs
# date: 2011-06-13
# strata: A=open, B=200
direction,number,player1,player2,percentage,printed_section,printed_overall,printed_award
N-S,1,Ann Ames,Bob Ames,60,"A=1, B=1","A=1, B=1",1.00
N-S,2,Cleo Cox,Dan Cox,55,"A=2","A=2",0.70
N-S,3,Eve Elm,Finn Elm,51,"A=3, B=2","A=3, B=2",0.50
N-S,4,Gil Gray,Hal Gray,49,A=4,A=4,0.35
N-S,5,Ivy Inn,Jon Inn,45,,,
N-S,6,Kim Kerr,Lee Kerr,40,,,
"""


@pytest.fixture
def printed(tmp_path):
    path = saved(tmp_path / "printed.csv", PRINTED)
    return html.document_fromstring(page(Result(*read(path))))


def test_there_is_no_picture_of_a_part_of_the_field(printed):
    # A sheet prints the ranks that pay alone: four dots would not be a field of six.
    assert len(rows_of(printed.find(".//table"))) == 6
    assert not printed.xpath("//svg")


def test_what_a_sheet_says_paid_is_told_in_words(tmp_path):
    head, *rows = PRINTED.partition("direction,")[2].splitlines()
    codes = ["OA", "SB", "A", "S+HOA", "", ""]
    lines = [f"direction,{head},printed_paid_by", *(f"{row},{code}" for row, code in zip(rows, codes, strict=True))]
    path = saved(tmp_path / "printed.csv", PRINTED.partition("direction,")[0] + "\n".join(lines))
    told = html.document_fromstring(page(Result(*read(path)))).xpath("//td/small/text()")
    assert told == ["Overall A", "Section B", "A", "Section + hcp A"]  # nothing is said of who won nothing


@pytest.mark.parametrize("award", ["", "0.00"])
def test_a_colour_without_an_award_shows_none(award, tmp_path):
    head, *rows = PRINTED.partition("direction,")[2].splitlines()
    first, *others = rows
    lines = [
        f"direction,{head},printed_colours",
        first.replace("1.00", award) + ",black=1.00",
        *(f"{row}," for row in others),
    ]
    path = saved(tmp_path / "printed.csv", PRINTED.partition("direction,")[0] + "\n".join(lines))
    shown = html.document_fromstring(page(Result(*read(path)))).xpath("//td/span/text()")
    assert shown == ["0.70", "0.50", "0.35"]


def test_columns_of_the_same_heading_are_told_apart_where_there_is_little_room(printed):
    # The heading above them is not there then.
    ranks = printed.xpath("(//table)[1]/thead//th[@data-c and contains(@class, 'r')]")
    expected = [(None, "A"), (None, "B"), ("Overall", "A"), ("Overall", "B")]
    assert [(head.get("data-l"), head.text) for head in ranks] == expected


def test_there_is_no_picture_where_it_would_mislead(howell):
    # By handicap, say, the places are not in the order of the percentages.
    turned = howell.contestants.assign(percentage=100 - howell.contestants["percentage"])
    assert "<svg" not in page(replace(howell, contestants=turned))


def test_the_page_needs_nothing_from_elsewhere(howell):
    text = page(howell)
    assert not re.search(r"""src\s*=|href\s*=\s*["']?[^"'#]|url\(|@import|https?:""", text)


def test_only_the_script_of_the_page_may_run(howell):
    text = page(howell)
    (script,) = re.findall("<script>(.*?)</script>", text, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text


@pytest.mark.slow
def test_a_fragment_goes_into_a_page_of_a_site(howell):
    text = named("writers", "html-fragment").write(howell).decode()
    assert not re.search("<(html|head|body|meta|title|main)[ >]", text)
    (root,) = html.fromstring(f"<div>{text}</div>").find_class("rp")
    assert len(list(root.iter("table"))) == 1
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    selectors = re.findall(r"(?:^|[{}])([^{}@;]+)\{", style)
    assert selectors
    assert all(
        each.strip().startswith((".rp", ":where(.rp)"))
        for each in selectors
        if not re.fullmatch(r"[\d.%\s]+|from|to", each)
    )
    # One of a knockout has no picture, but restates how those above it in the same page stand.
    knockout = named("writers", "html-fragment").write(process(FIXTURES / "knockout-example.csv"))
    assert b".rp figure{margin-top:1.5em}" in knockout
    # Two fragments in one page do not share anchors.
    other = named("writers", "html-fragment").write(with_its_boards("made-two-games.ACM")).decode()
    found = [set(re.findall(' id="([^"]+)"', each)) for each in (text, other)]
    assert all(found)
    assert not found[0] & found[1]


def test_nothing_of_a_file_becomes_markup():
    text = page(hostile())
    tree = html.document_fromstring(text)
    assert len(list(tree.iter("script"))) == 1
    assert not list(tree.iter("img", "b"))  # nor are there awards of single players in bold
    assert any(HOSTILE[2] in "".join(row) for row in texts(tree.find(".//table")).values())


def test_several_games_and_sections_stand_in_one_page():
    sheet = read(FIXTURES / "made-two-games.ACM", format="acblscore")
    tree = html.document_fromstring(page(Result(*sheet)))
    assert len(list(tree.iter("article"))) == len(sheet.games)
    tables = sheet.contestants.groupby(["game_id", "section", "direction"], dropna=False).ngroups
    assert len(list(tree.iter("table"))) == tables


def test_a_knockout_shows_its_rounds_in_brackets():
    tree = html.document_fromstring(page(process(FIXTURES / "knockout-example.csv")))
    tables = list(tree.iter("table"))
    assert captions(tree) == ["Bracket 1", "Bracket 2", "Bracket 3"]
    rounds = [f"Round {number}" for number in range(1, 5)]
    assert heads(tables[0]) == ["Rank", "Team", "Names", *rounds, "Masterpoints"]
    assert heads(tables[2]) == ["Rank", "Team", "Names", *rounds[:3], "Playoff", "Masterpoints"]
    rows = texts(tables[2], 1)
    assert rows["5"][0] == "3/4"
    assert rows["5"][3:7] == ["W 4", "L 1", "", "W 2"]
    # There are neither scores nor a picture of them.
    assert not list(tree.iter("svg"))


def test_teams_show_their_matches_won_and_what_single_players_get(tmp_path):
    path = tmp_path / "swiss.csv"
    keys = {"rating": "regional", "date": "2005-05-05", "event_type": "swiss", "tables": 8, "boards": 7, "sessions": 2}
    rows = ["number,score,wins," + ",".join(f"player{n},played{n}" for n in range(1, 6))]
    rows += ["1,160,6.5,Ann,100,Bob,100,Cat,100,Dan,75,Eve,25"]
    rows += [f"{n},{160 - n},{8 - n},P{n},100,Q{n},100,R{n},100,S{n},100,," for n in range(2, 9)]
    path.write_text("\n".join([*(f"# {name}: {value}" for name, value in keys.items()), *rows]), "utf-8")
    (table,) = html.document_fromstring(page(process(path))).iter("table")
    assert heads(table)[3:5] == ["Score", "Won"]
    found = texts(table, 1)
    # 6.30 for the first place, 75% of it 4.725; a quarter is less than the 6.5 matches at 0.36.
    assert found["1"][2:5] == ["Ann 6.30 – Bob 6.30 – Cat 6.30 – Dan 4.73 – Eve 2.34", "160.00", "6.5"]
    assert found["2"][2] == "P2 – Q2 – R2 – S2"  # all get what the team gets


def with_its_boards(name, **options):
    sheet = read(FIXTURES / name, **options)
    return with_boards(Result(*sheet), [FIXTURES / name])


def sheet_of(tree, anchor):
    (found,) = tree.xpath(f"//*[@id='{anchor}']")
    return found


def test_a_name_leads_to_a_scorecard_that_ends_in_its_total():
    result = with_its_boards("made-wednesday.json")
    tree = html.document_fromstring(page(result))
    link, *_ = [each for each in tree.xpath("//th[@class='n']/a") if "Ella Willow" in each.text_content()]
    card = sheet_of(tree, link.get("href")[1:])
    assert card.find(".//h2").text.strip() == "Ella Willow – Finn Yew"
    assert card.find(".//h2/small").text == "pair 6, 55.47%"
    rows = texts(card.find(".//table"))
    assert len(rows) == 16
    *_, last = rows.values()
    assert last[-1] == "55.47%"


def test_a_scorecard_shows_each_board_from_the_average():
    tree = html.document_fromstring(page(with_its_boards("made-wednesday.json")))
    card = sheet_of(tree, "c0")
    for row in rows_of(card.find(".//table")):
        (percent,) = [float(cell.text_content()) for cell in row if "pct" in cell.get("class", "").split()]
        assert row.get("class", "") == ("up" if percent > 50 else "down" if percent < 50 else "")
        assert float(row.get("style", "--w:0%").removeprefix("--w:").rstrip("%")) == pytest.approx(
            abs(percent - 50), abs=0.51
        )
        # Opponents lead to their own scorecards.
        (to,) = [link.get("href") for link in row.find("th").iter("a")]
        assert row.find("th").text_content().partition(" ")[2] == sheet_of(tree, to[1:]).find(".//h2").text.strip()
    told = card.find_class("went")[0].text_content()
    assert re.search(r"Best board \d+ \(\d+\.\d\d%\) · Worst board \d+ \(", told)


def test_declaring_and_defending_are_told_apart():
    rows = [
        {"board": board, "side": "E-W", "declarer": declarer, "percentage": percentage}
        for board, (declarer, percentage) in enumerate(
            [("E", 60.0), ("W", 40.0), ("N", 100.0), ("S", 0.0), ("E", 80.0)], 1
        )
    ]
    # (60 + 40 + 80) / 3 and (100 + 0) / 2.
    said = ["Declaring 60.00%", "Defending 50.00%", "Best board 3 (100.00%)", "Worst board 4 (0.00%)"]
    assert _how_it_went(rows) == said
    assert _how_it_went(rows[:3]) == []


def test_who_has_no_name_leads_to_the_scorecard_by_the_number():
    result = with_its_boards("devices-example.bws", rating="club-open")
    nameless = replace(result, contestants=result.contestants.assign(player1=None, player2=None))
    rows = html.document_fromstring(page(nameless)).find(".//table").iterfind("tbody/tr")
    links = {row.findtext("td[@data-l='Pair']"): row.find("th/a") for row in rows}
    assert len(links) > 2
    assert all(link.text == f"Pair {seat}" for seat, link in links.items())


@real
def test_imps_have_a_bar_on_the_scorecard_and_both_sides_on_the_traveller():
    path = SAMPLES / "usebio" / "usebio01.xml"
    tree = html.document_fromstring(page(with_boards(Result(*read(path, rating="grade-e")), [path])))
    card = sheet_of(tree, "c0").find(".//table")
    assert [each.text for each in card.iterfind("thead/tr/th")][-3:] == ["From average", "Points", "Running total"]
    scores = sheet_of(tree, "b31").find(".//table")  # board 32: two made 4 hearts
    assert [each.text for each in scores.iterfind("thead/tr/th")][3:5] == ["N-S", "E-W"]
    best, *_ = rows_of(scores)
    assert [cell.text_content() for cell in best][:5] == ["+420", "", "2", "4", "−4"]


def test_a_board_has_a_traveller_with_every_result():
    result = with_its_boards("made-wednesday.json")
    tree = html.document_fromstring(page(result))
    (link,) = [each for each in tree.xpath("//nav/a") if each.text == "1"]
    traveller = sheet_of(tree, link.get("href")[1:])
    assert traveller.find(".//h2").text.strip() == "Board 1"
    assert traveller.find(".//h2/small").text == "Dealer N, nobody vulnerable"
    scores, each = (
        [[cell.text_content() for cell in row] for row in rows_of(table)] for table in traveller.iter("table")
    )
    # Three of five had the best score: each beats two and ties with two, 3 of 4 points.
    assert [row[:5] for row in scores] == [
        ["+450", "", "3", "75.00%", "25.00%"],
        ["+170", "", "1", "25.00%", "75.00%"],
        ["−50", "", "1", "0.00%", "100.00%"],
    ]
    rows = each
    assert len(rows) == 5
    assert sum(float(row[3]) + float(row[4]) for row in rows) == 5 * 4  # four to be had in each
    # Every pair's name leads to its card, and whatever leads anywhere leads somewhere.
    ids = {each.get("id") for each in tree.xpath("//*[@id]")}
    assert {each.get("href")[1:] for each in tree.iter("a")} <= ids


def test_contracts_leads_and_hands_are_shown_where_the_file_has_them():
    tree = html.document_fromstring(page(with_its_boards("pbn-example.pbn")))
    (hands,) = tree.find_class("hands")
    assert hands.xpath("./p/b/text()") == ["North", "West", "East", "South"]
    north = [line.text_content() for line in hands.xpath("./p[@class='north']/span")]
    deal = with_its_boards("pbn-example.pbn").deals["north"].iloc[0].replace("T", "10").split(".")
    assert north == [f"{suit} {cards}" for suit, cards in zip("♠♥♦♣", deal, strict=True)]
    # Four spades made exactly, and with nine tricks.
    assert {"4♠ N =", "4♠ N −1"} <= {cell.text_content() for cell in tree.xpath("//td[contains(@class, 'w')]")}


@examples(30)
@given(results())
def test_whatever_is_known_of_contestants_can_be_shown(result):
    tree = html.document_fromstring(page(result))
    for game, article in zip(result.games["game_id"], tree.iter("article"), strict=True):
        rows = result.contestants[result.contestants["game_id"] == game]
        text = " ".join(article.text_content().split())
        for name in rows.columns.intersection(["number", "player1", "round1", "playoff"]):
            assert all(" ".join(value.split()) in text for value in rows[name].dropna())
