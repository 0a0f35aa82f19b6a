"""What results sites take: the files written for them, and what is said before anything is sent."""

import json
import random
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import ALL, FIXTURES, run, saved
from lxml import etree

from resultproc import Source, process
from resultproc.model.errors import DeclarationError
from resultproc.publish.known import site, sites
from resultproc.publish.taken import CHECKS, fit

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"

MY_ABF = site("my-abf")


def as_dict(element: etree._Element) -> Any:
    """Return an element as the site's parser gives it: a text, nothing, or parts by name; a part alone is no list."""
    if not len(element):
        return (element.text or "").strip() or None
    parts: dict[str, Any] = {f"@{name}": value for name, value in element.attrib.items()}
    for each in element.iterchildren("*"):
        value = as_dict(each)
        if each.tag == "TRAVELLER_LINE":
            parts.setdefault("TRAVELLER_LINE", []).append(value)
        elif each.tag in parts:
            several = parts[each.tag]
            parts[each.tag] = [*several, value] if isinstance(several, list) else [several, value]
        else:
            parts[str(each.tag)] = value
    return parts


def taken_by_my_abf(data: bytes) -> dict[str, dict[str, Any]]:
    """Return what My ABF shows of each pair of a file, by its number; raise as the site fails.

    This is the site's reading as its public source has it, written anew (abftech/cobalt e6219726, results/views and
    organisations/views/club_menu_tabs/results.py).
    """
    event = as_dict(etree.fromstring(data))["EVENT"]
    assert event["@EVENT_TYPE"] in {"MP_PAIRS", "CROSS_IMP", "BUTLER_PAIRS"}
    day, month, year = map(int, event["DATE"].split("/"))
    assert year > 1900
    assert month <= 12
    assert day <= 31
    assert event["EVENT_DESCRIPTION"]
    assert event["WINNER_TYPE"] in {"1", "2"}
    shown = {}
    for pair in event["PARTICIPANTS"]["PAIR"]:
        imps = event["@EVENT_TYPE"] != "MP_PAIRS"
        first, second = pair["PLAYER"]
        numbers = [player["NATIONAL_ID_NUMBER"] for player in (first, second)]
        assert pair["PAIR_NUMBER"] not in shown
        shown[pair["PAIR_NUMBER"]] = {
            "names": [first["PLAYER_NAME"].title(), second["PLAYER_NAME"].title()],
            "numbers": [None if number is None else int(number) for number in numbers],
            "place": int(pair["PLACE"]),
            "score": float(pair["TOTAL_SCORE"]) if imps else float(pair["PERCENTAGE"]),
            "award": int(pair.get("MASTER_POINTS_AWARDED", 0)),
            "direction": pair["DIRECTION"] if event["WINNER_TYPE"] == "2" else "",
        }
    if "BOARD" in event:
        for board in event["BOARD"]:
            int(board["BOARD_NUMBER"])
            for line in board["TRAVELLER_LINE"]:
                assert {line["NS_PAIR_NUMBER"], line["EW_PAIR_NUMBER"]} <= set(shown)
                points = "MATCH_POINTS" if event["@EVENT_TYPE"] == "MP_PAIRS" else ""
                float(line[f"NS_{points}"]) if points else None
    return shown


def made_game(seed: int) -> tuple[bytes, list[dict[str, Any]]]:
    """Return a game as CSV, and its pairs: matchpoints or IMPs, with ties, visitors and half tables."""
    rng = random.Random(seed)
    scoring = rng.choice(["matchpoints", "cross-imps", "butler"])
    tables, howell, half = rng.randrange(4, 10), rng.random() < 0.4, rng.random() < 0.3
    sides = [("", 2 * tables - half)] if howell else [("N-S", tables), ("E-W", tables - half)]
    pairs = []
    for direction, count in sides:
        deviations = [rng.choice([rng.uniform(-15, 15), rng.randrange(-9, 10)]) for _ in range(count)]
        deviations[1] = deviations[0]
        mean = sum(deviations) / count
        for number, each in enumerate(deviations, 1):
            score = round(50 + each - mean, 2) if scoring == "matchpoints" else round(each - mean, 2)
            ids = [rng.choice(["", str(rng.randrange(1, 2_000_000))]) for _ in range(2)]
            names = [
                f"{rng.choice(['Ann', 'Bea', 'Cy', 'Zoë'])} {rng.choice(['Ash', 'O-Neil'])}{seed}{direction}{number}{i}"
                for i in range(2)
            ]
            pairs.append({"direction": direction, "number": str(number), "score": score, "names": names, "ids": ids})
    column = "percentage" if scoring == "matchpoints" else "score"
    played = f"A={tables - half / 2:g}"
    lines = [
        f"# event: Game {seed}", "# date: 2026-04-15", "# rating: club-open", f"# scoring: {scoring}", "# boards: 24",
        f"# movement: A={'howell' if howell else 'mitchell'}", f"# tables: {played}", "# sessions: 1",
        f"section,direction,number,player1,id1,player2,id2,{column}",
    ]  # fmt: skip
    for pair in pairs:
        players = [each for player in zip(pair["names"], pair["ids"], strict=True) for each in player]
        lines.append(",".join(["A", pair["direction"], pair["number"], *players, f"{pair['score']:.2f}"]))
    return "\n".join(lines).encode(), pairs


SEEDS = (0, 1, 4, 5, 6, 7, 8, 11)
"""Games of each kind of scoring, in movements with one winner and two, with half tables and without."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(500) if ALL else SEEDS)
def test_my_abf_takes_made_games_and_shows_them_as_they_are(seed: int) -> None:
    data, pairs = made_game(seed)
    result = process(Source(f"game{seed}.csv", data))
    fitting, _ = fit(result, MY_ABF)
    shown = taken_by_my_abf(MY_ABF.writer().write(fitting))
    shared = {pair["number"] for pair in pairs if sum(each["number"] == pair["number"] for each in pairs) > 1}
    assert len(shown) == len(pairs)
    for pair, award in zip(pairs, result.awards["masterpoints"], strict=True):
        side = pair["direction"].replace("-", "")
        there = shown[pair["number"] + (side if pair["number"] in shared else "")]
        better = [each for each in pairs if each["direction"] == pair["direction"] and each["score"] > pair["score"]]
        assert there == {
            "names": [name.title() for name in pair["names"]],
            "numbers": [int(number) if number else None for number in pair["ids"]],
            "place": len(better) + 1,
            "score": pair["score"],
            "award": award,
            "direction": side,
        }


def said(*arguments: object) -> str:
    done = run(*arguments)
    return done.out + done.err


@pytest.mark.slow
def test_what_a_site_would_refuse_is_told_before(tmp_path: Path) -> None:
    text = said("lint", WEDNESDAY, "--for", "my-ebu")
    assert "My EBU would refuse this game: it asks for the club's number with its union" in text
    assert "no player has a member number: the points are lost" in text
    assert "its points are the EBU's, and these are paid by acbl-club" in text
    done = run("award", WEDNESDAY, "--for", "my-ebu", "-o", tmp_path / "game.xml")
    assert done.status == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_settings_say_what_a_site_asks_for(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", WEDNESDAY.read_bytes())
    (tmp_path / "resultproc.toml").write_text('[site.my-ebu]\nclub_id = "123456"\ncharge_code = "10"\n')
    assert run("award", game, "--for", "my-ebu", "-o", tmp_path / "game.xml").status == 0
    written = etree.parse(tmp_path / "game.xml")
    assert written.findtext("CLUB/CLUB_ID_NUMBER") == "123456"
    assert written.findtext("EVENT/P2P_CHARGE_RATE") == "10"
    # For another site nothing of this is said.
    assert run("award", game, "-o", tmp_path / "other.xml").status == 0
    assert not etree.parse(tmp_path / "other.xml").findtext("CLUB/CLUB_ID_NUMBER")
    (tmp_path / "resultproc.toml").write_text('[site.my-ebu]\nclub_id = "123456"\ncharge_code = "13"\n')
    done = run("award", game, "--for", "my-ebu")
    assert done.status == 0
    assert (
        "the charge code '13' is not one that its pages name: 02, 03, 04, 06, 10, 11, 12, 22, 30, 40, 50, 60"
        in done.err
    )


@pytest.mark.slow
def test_settings_of_a_site_count_before_the_club_s_and_come_from_the_settings_alone(tmp_path: Path) -> None:
    game, settings = tmp_path / "game.csv", tmp_path / "resultproc.toml"
    game.write_bytes(WEDNESDAY.read_bytes())
    settings.write_text('club_id = "1"\ncharge_code = "10"\n[site.my-ebu]\nclub_id = "2"\n')
    for each, club in (("my-ebu", "2"), ("mempad", "1")):
        written = run("award", game, "--for", each).printed
        assert etree.fromstring(written.encode()).findtext("CLUB/CLUB_ID_NUMBER") == club
    settings.write_text("[site.my-ebu]\nclub_idd = '2'")
    done = run("award", game, "--for", "my-ebu")
    assert done.status != 0
    assert "club_idd" in done.err
    settings.unlink()
    # Neither the file of a game nor the one beside it can say where results go, or as whose.
    for name, line in (("game.toml", "[site.my-ebu]\nclub_id = '3'\n"), ("game.csv", "# site: my-ebu\n")):
        path = tmp_path / name
        kept = path.read_bytes() if path.exists() else b""
        path.write_bytes(line.encode() + kept)
        done = run("award", game, "--for", "mempad")
        assert done.status != 0 or "<CLUB_ID_NUMBER></CLUB_ID_NUMBER>" in done.out
        assert "site" in done.err
        path.write_bytes(kept)


LISTED = """# event: Pairs
# date: 2026-04-15
# rating: club-open
# boards: 24
# movement: howell
# tables: 2
section,number,player1,id1,player2,id2,percentage
A,1,Ann Ash,12,Bob Bay,13,60
A,2,Cy Cole,14,Di Dee,15,55
A,3,Ed Eye,16,Flo Fay,17,45
A,4,Gus Gee,18,Ida Ivy,19,40
"""


def test_a_game_that_has_all_that_a_site_asks_is_taken(tmp_path: Path) -> None:
    told = said("lint", saved(tmp_path / "game.csv", LISTED), "--for", "my-abf")
    assert "My ABF would" not in told
    assert "no strata" not in told
    stratified = saved(tmp_path / "game.csv", "# strata: A=open, B=200\n" + LISTED)
    assert "it shows the ranks of all pairs together, and no strata" in said("lint", stratified, "--for", "my-abf")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "Bob Bay,13",
            "Bob Bay,1X3",
            "Bob Bay has the member number '1X3', but its numbers look different (Digits alone. Correct it",
        ),
        ("Bob Bay,13", "Bob Bay,", "Bob Bay has no member number: the site keeps no record"),
        ("Bob Bay,13", ",", "it asks for 2 names of each: A 1"),
        ("Bob Bay,13", "Ann Ash,13", "Ann Ash has the numbers 12 and 13"),
        ("Bob Bay,13", "Bob Bay,12", "the number 12 is that of Ann Ash and Bob Bay"),
        ("# event: Pairs\n", "", "it asks for the event's name"),
    ],
)
def test_a_game_is_held_against_what_a_site_asks(before: str, after: str, told: str, tmp_path: Path) -> None:
    game = tmp_path / "game.csv"
    assert LISTED.count(before) == 1
    game.write_text(LISTED.replace(before, after))
    assert told in said("lint", game, "--for", "my-abf")


SECTIONS = """# event: Pairs
# date: 2026-04-15
# rating: club-open
# boards: 24
# movement: A=mitchell, B=howell
# tables: A=1, B=1
section,direction,number,player1,id1,player2,id2,percentage
A,N-S,1,Ann Ash,12,Bob Bay,13,60
A,E-W,1,Gus Gee,18,Ida Ivy,19,40
B,,1,Ned Nye,24,Ola Orr,25,48
B,,2,Pam Poe,26,Vis Itor,27,52
"""


@pytest.mark.slow
def test_sections_that_a_site_cannot_show_in_one_list_are_refused(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", SECTIONS)
    text = said("lint", game, "--for", "my-abf")
    assert "it shows all sections in one list, and these are ranked apart (give each section its own file)" in text
    assert "it shows N-S and E-W in separate lists, but some have no direction: B 1, B 2" in text
    assert run("award", game, "--for", "my-abf").status == 1
    # To a site that is not known to mind nothing is said of that.
    assert "sections" not in said("lint", game, "--for", "mempad")


CHARGED = "<P2P_CHARGE_RATE>10</P2P_CHARGE_RATE>"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site_id", "pay", "said_of_points"),
    [
        ("mempad", CHARGED, "its points are the SBU's, and this file has a charge code of the EBU"),
        ("my-abf", CHARGED, "its points are the ABF's, and this file has a charge code of the EBU"),
        ("mempad", "", "its points are the SBU's, and nothing says whose those of the file are"),
        ("my-ebu", "", "its points are the EBU's, and nothing says whose those of the file are"),
        ("my-ebu", CHARGED, None),
        ("pianola", CHARGED, None),
    ],
)
def test_points_of_a_file_that_may_be_another_league_s_are_remarked_on(
    site_id: str, pay: str, said_of_points: str | None, tmp_path: Path
) -> None:
    """RealBridge's files have English points, and a Scottish club has to convert them."""
    text = (FIXTURES / "usebio-example.xml").read_text("latin-1")
    game = tmp_path / "game.xml"
    game.write_text(text.replace("<SESSION_COUNT>", f"{pay}<SESSION_COUNT>"), "latin-1")
    told = said("lint", game, "--for", site_id)
    assert (said_of_points in told) if said_of_points else ("its points are" not in told)


@pytest.mark.slow
def test_what_a_site_is_not_known_to_refuse_is_a_remark(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", LISTED.replace("Bob Bay,13", "Bob Bay,W13"))
    told = "Bob Bay has the member number 'W13', but its numbers look different"
    for each, status in (("my-abf", 1), ("mempad", 0)):
        done = run("award", game, "--for", each, "--errors", "json")
        assert done.status == status
        code = "site.refuses" if status else "site.loses"
        lines = [json.loads(line) for line in done.err.splitlines()]
        assert [line["code"] for line in lines if told in line["what"]] == [code]


def test_who_is_not_ranked_has_no_place(tmp_path: Path) -> None:
    game = tmp_path / "game.csv"
    game.write_text(LISTED.replace("percentage\n", "percentage,eligible\n").replace("Ivy,19,40", "Ivy,19,40,no"))
    assert "without a place, because they are not ranked: A 4" in said("lint", game, "--for", "my-abf")


@pytest.mark.parametrize(("scoring", "status"), [("aggregate", 1), ("butler", 0)])
def test_a_kind_of_scoring_that_a_site_does_not_know_is_refused(scoring: str, status: int, tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", LISTED.replace("percentage", "score"))
    unsaid = run("award", game, "--for", "my-abf").err
    assert "nothing says how it was scored (declare --scoring 'matchpoints')" in unsaid
    done = run("award", game, "--for", "my-abf", "--scoring", scoring)
    assert (done.status, done.err.endswith("or butler, and this is aggregate\n")) == (status, bool(status))


@pytest.mark.slow
@pytest.mark.parametrize("each", sites(), ids=lambda each: each.id)
def test_what_leaves_for_a_site_holds_nothing_that_it_does_not_ask_for(each: Any, tmp_path: Path) -> None:
    if not each.formats:
        assert "takes no file of ours" in run("award", WEDNESDAY, "--for", each.id).err
        return
    game = tmp_path / "game.csv"
    header = "section,number,player1,id1,mp1,player2,id2,mp2,percentage\n"
    rows = [
        f"A,{n},Ann{n} Ash,90210{n},1234.5{n},Bob{n} Bay,80310{n},2345.6{n},{p}\n"
        for n, p in enumerate((60, 55, 45, 40), 1)
    ]
    declared = LISTED[: LISTED.index("section,")] + "# club_id: 123456\n# charge_code: 10\n# club: C\n"
    game.write_text(declared + header + "".join(rows))
    # The same from the list of a club's players, which the game's file has none of.
    bare, members = tmp_path / "bare.csv", tmp_path / "members.csv"
    seats = [row.strip().split(",") for row in rows]
    lines = "".join(f"{a},{n},{one},{two},{share}\n" for a, n, one, _, _, two, _, _, share in seats)
    bare.write_text(f"{declared}section,number,player1,player2,percentage\n{lines}")
    listed = [f"{row[at + 1]},{row[at]},{row[at + 2]}\n" for row in seats for at in (2, 5)]
    members.write_text("Member number,Name,Masterpoints\n" + "".join(listed))
    assert "1234.51" in run("award", bare, "--players", members, "--to", "csv").printed
    for name, given in product(each.formats, ((game,), (bare, "--players", members))):
        done = run("award", *given, "--for", each.id, "--to", name)
        assert done.status == 0, done.err
        assert "1234.5" not in done.out
        assert "2345.6" not in done.out
        assert ("902101" in done.out) == ("member_numbers" in each.asks)


def test_every_site_cites_what_it_asks_and_every_question_is_asked() -> None:
    asked = {name for each in sites() for name in each.asks}
    assert asked == set(CHECKS)
    for each in sites():
        lines = run("sites", "show", each.id).printed.splitlines()
        assert max(map(len, lines)) <= 80
        shown = " ".join(" ".join(lines).split())
        assert all(each.citation(question) in shown for question in each.asks.values())
        assert all(text in shown for text in (*each.steps, *each.unknown, each.corrections))
        content: Mapping[str, Any] = json.loads(run("sites", "show", each.id, "--to", "json").printed)
        assert set(content["asks"]) == set(each.asks)
    assert [entry["id"] for entry in json.loads(run("sites", "list", "--to", "json").printed)["sites"]] == [
        each.id for each in sites()
    ]


OWN = """id = "our-site"
title = "Our site"
address = "https://club.example"
formats = ["usebio"]
sent = "folder"
corrections = "replaced"

[sources.us]
title = "our webmaster"

[dialect.usebio]
flat = true

[asks.keys]
value = ["club"]
cite = "us, said on the phone"
"""


def test_a_file_of_ones_own_adds_a_site(tmp_path: Path) -> None:
    own = saved(tmp_path / "our-site.toml", OWN)
    assert "it asks for the club's name" in run("award", WEDNESDAY, "--for", own).err
    done = run("award", WEDNESDAY, "--for", own, "--club", "Us")
    assert etree.fromstring(done.printed.encode()).find("EVENT/PARTICIPANTS") is not None


def in_strata(data: str) -> dict[str, tuple[str | None, ...]]:
    """Return the place, the own stratum and the place there of each pair of a USEBIO file, by its number."""
    pairs = etree.fromstring(data.encode()).iter("PAIR")
    tags = ("PAIR_NUMBER", "PLACE", "STRAT_NUMBER", "STRAT_PLACE")
    return {str(number): rest for number, *rest in (tuple(map(pair.findtext, tags)) for pair in pairs)}


@pytest.mark.parametrize("name", ["award", "convert"])
def test_strata_are_elements_where_a_site_wants_them(name: str, tmp_path: Path) -> None:
    """The places in each stratum are those that the sheet of that game prints."""
    own, written = tmp_path / "our-site.toml", tmp_path / "game.xml"
    own.write_text(OWN.replace("flat = true", 'strata = true\nown = false\ncharge = "EBU_CHARGE_CODE"'))
    to = ["-o", written] if name == "award" else [written]
    sheet = WEDNESDAY.with_suffix(".txt")
    done = run(name, sheet, *to, "--for", own, "--club", "Us", "--charge-code", "10", "--rating", "club-open")
    assert done.status == 0, done.err
    text = written.read_text()
    root = etree.fromstring(text.encode())
    assert root.get("Version") == "1.3"
    assert "usebio_v1_3.dtd" in text
    assert root.findtext("EVENT/EBU_CHARGE_CODE") == "10"
    strata = [tuple(map(each.findtext, ("STRAT_NUMBER", "STRAT_LABEL", "UPPER_LIMIT"))) for each in root.iter("STRAT")]
    assert strata == [("1", "A", None), ("2", "B", "1000"), ("3", "C", "200")]
    shown = in_strata(text)
    printed = {"1NS": ["1", "2", "1"], "6NS": ["2", "2", "2"], "7NS": ["3", "1", "3"], "2EW": ["2", "3", "1"]}
    assert {number: shown[number] for number in printed} == printed
    assert shown["5NS"][1:] == ["3", "1"]
    assert shown["6EW"][1:] == ["3", "2"]


IN_STRATA = """# event: Pairs
# date: 2026-04-15
# rating: club-open
# boards: 24
# movement: howell
# tables: 4
# club: Us
# strata: A=open, B=200
# stratify_by: highest
section,number,player1,player2,stratum,percentage
"""


@pytest.mark.slow
def test_a_tie_in_a_stratum_and_a_game_without_strata(tmp_path: Path) -> None:
    own, game = tmp_path / "our-site.toml", tmp_path / "game.csv"
    text = OWN.replace("flat = true", "strata = true")
    own.write_text(text)
    scores = zip("ABBABBBB", (60, 55, 55, 52, 50, 45, 43, 40), strict=True)
    rows = [f"A,{n},Ann{n} Ash,Bob{n} Bay,{stratum},{score}\n" for n, (stratum, score) in enumerate(scores, 1)]
    game.write_text(IN_STRATA + "".join(rows))
    done = run("award", game, "--for", own)
    shown = in_strata(done.printed)
    assert [shown[number] for number in "1234"] == [["1", "1", "1"], *[["2=", "2", "1="]] * 2, ["4", "1", "4"]]
    assert [shown[number] for number in "58"] == [["5", "2", "3"], ["8", "2", "6"]]
    assert etree.fromstring(done.printed.encode()).findtext("EVENT/STRATIFICATION/STRATIFICATION_TYPE") == "HIGHEST"
    own.write_text(text.replace("strata = true", "strata = true\nwhole_places = true"))
    assert in_strata(run("award", game, "--for", own).printed)["2"] == ["2", "2", "1"]
    game.write_text(LISTED.replace("# tables", "# club: Us\n# tables"))
    assert "STRAT" not in run("award", game, "--for", own).printed


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"our-site"', '"my-abf"', "'my-abf' is a built-in site"),
        ('"folder"', '"pigeon"', "'pigeon' is none of form, post, mail, folder, check"),
        ('["usebio"]', '["pdf"]', "'pdf' is none of"),
        ("flat = true", "flate = true", "USEBIO has no dialect 'flate'"),
        ("asks.keys", "asks.kays", "unknown question 'kays'"),
        ('"us, said', '"them, said', "cites 'them', which is not among the sources"),
        ('title = "Our site"', "", 'write title = "..."'),
        ('title = "Our site"', "title = [1]", 'write title = "..."'),
        ('"Our site"', '"Our \\u001b[31m site"', 'write title = "..."'),
        ('"our-site"', '"../our-site"', "its id has small letters, digits and hyphens"),
        ('"our-site"', "{}", 'write id = "..."'),
        ('"https://club.example"', '"javascript:alert(1)"', "its address begins with https://"),
        ("sent =", "sentt = 1\nsent =", "unknown key 'sentt'"),
        ("[dialect.usebio]", "[dialect.json]", "[dialect.json] is of a format that is not among its formats"),
        ("flat = true", 'flat = "yes"', "USEBIO has no flat = 'yes'"),
        ("flat = true", 'charge = "1 <x>"', "USEBIO has no charge = '1 <x>'"),
        ("flat = true", 'types = {matchpoints = "X"}', "USEBIO has no types = {'matchpoints': 'X'}"),
        ('["club"]', '"club"', 'write value as a list of texts, such as ["date"]'),
        ('["club"]', '["clubb"]', "unknown key 'clubb'"),
        ('value = ["club"]', "", "[asks.keys] has value and cite"),
        ('cite = "us,', 'refused = "no"\ncite = "us,', "refused is true or false"),
        ('asks.keys]\nvalue = ["club"]', 'asks.member_numbers]\nvalue = "["', "this is no pattern"),
        ('title = "our webmaster"', "", 'write title = "..." below [sources.us]'),
        ("id =", "deep = " + "[" * 5000 + "]" * 5000 + "\nid =", "this is no site"),
        ("id =", "#" + "x" * 1_000 + "\nid =", "this line has 1001 characters"),
        ("id =", "id", "this is no site"),
    ],
)
def test_a_file_that_is_no_site_is_refused(before: str, after: str, told: str, tmp_path: Path) -> None:
    own = saved(tmp_path / "our-site.toml", OWN.replace(before, after, 1))
    with pytest.raises(DeclarationError) as caught:
        site(str(own))
    assert told in str(caught.value)
    assert "our-site.toml" in str(caught.value)


def test_an_unknown_site_is_named_with_the_closest_one() -> None:
    assert "unknown site 'my-ebo'; did you mean 'my-ebu'?" in run("award", WEDNESDAY, "--for", "my-ebo").err.replace(
        " (", "; "
    ).replace(")", "")


def test_a_form_that_a_site_does_not_take_is_named() -> None:
    assert "My ABF takes no text (it takes usebio)" in run("award", WEDNESDAY, "--for", "my-abf", "--to", "text").err
