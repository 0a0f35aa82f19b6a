"""Files of deals beside a game: what is read of PBN, LIN and DLM, what is refused, and what comes of it on a page."""

import json
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import FIXTURES, run, saved

from resultproc.formats.deals import MAX_BYTES, hands_of, with_deals, with_makeable
from resultproc.formats.loaded import load_source
from resultproc.formats.read import drafted, read_play
from resultproc.model.draft import Draft, Reading
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.frames import DEALS
from resultproc.model.grid import Records
from resultproc.model.source import DeclaredFile, Source
from resultproc.publish.account import Account
from resultproc.publish.known import site
from resultproc.publish.parcel import parcel

GAME = FIXTURES / "devices-example.bws"
TONIGHT = FIXTURES / "deals" / "tonight.pbn"

# The first board of fixtures/deals/tonight.pbn, written down again for each format.
SEATS = ("north", "east", "south", "west")
FIRST = dict(zip(SEATS, ("AQJ85.K4.A72.Q93", "T7.QJ93.QJT5.K84", "K943.A75.K84.J52", "62.T862.963.AT76"), strict=True))
UNKNOWN = {"makeable": None, "par": None}
PBN = '[Board "1"]\n[Deal "N:AQJ85.K4.A72.Q93 T7.QJ93.QJT5.K84 K943.A75.K84.J52 62.T862.963.AT76"]\n'
LIN = "qx|o1|pn|a,b,c,d|st||md|3SK943HA75DK84CJ52,S62HT862D963CAT76,SAQJ85HK4DA72CQ93,|rh||ah|Board 1|sv|o|pg||\n"

# A line of DLM with its hands as a reader of the format took it apart letter by letter: rec.games.bridge, "File
# formats", 12 March 2011. AS S, KS E, QS S, JS W, TS S, 9S N, 8S E, 7S E, 6S N, 5S N, 4S E, 3S N, 2S S, and so on.
DLM_LINE = "Board 01=jlifaelnecgmoldfjmcflinlap023"
DLM_HANDS = dict(
    zip(SEATS, ("9653.T94.Q54.T54", "K874.QJ7.T972.A8", "AQT2.862.A83.KJ7", "J.AK53.KJ6.Q9632"), strict=True)
)
FILLED = "Board 02=aaaaaabffffffkkkkkklpppppp012"
DLM = f"[Document]\r\nFrom board=1\r\nTo board=1\r\nCrypto key=0\r\n{DLM_LINE}\r\n{FILLED}\r\n"

# Each player has a suit. In a suit that a side holds, it takes all tricks; in notrump the other side runs its suit.
# N and S have spades and diamonds on board 1, where nobody is vulnerable: 7S by N is 7 x 30 + 300 + 50 + 1000.
SUITS = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
MADE = "N 0 13 0 13 0; E 0 0 13 0 13; S 0 13 0 13 0; W 0 0 13 0 13"
TURNED = "N 0 0 13 0 13; E 0 13 0 13 0; S 0 0 13 0 13; W 0 13 0 13 0"


def hands(text: str | bytes, name: str = "tonight") -> dict[int, dict[str, Any]]:
    return hands_of(DeclaredFile(name, text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize(
    ("text", "dealt"),
    [
        (PBN, FIRST),
        (PBN.encode("utf-16"), FIRST),
        (PBN.replace("N:AQJ85.K4.A72.Q93 ", "E:").replace('76"', '76 AQJ85.K4.A72.Q93"'), FIRST),
        (LIN, FIRST),
        (LIN.replace("CQ93,", "CQ93,ST7HQJ93DQJT5CK84"), FIRST),
        (LIN.replace("qx|o1|", "").lower(), FIRST),
        (
            "md|1SAKQJT98765432,HAKQJT98765432,SHDAKQJT98765432C|ah|Board 1|",
            dict(zip(("south", "west", "north", "east"), SUITS.split(), strict=True)),
        ),
        (LIN.replace("ah|Board 1|", "") + LIN.replace("o1", "c1"), FIRST),
        (DLM, DLM_HANDS),
        (DLM.replace("p023", "p022"), DLM_HANDS),  # the number is not among the bits
    ],
)
def test_each_format_has_the_same_hands(text: str | bytes, dealt: dict[str, str]) -> None:
    assert hands(text) == {1: dealt | UNKNOWN}


def test_what_can_be_made_comes_from_the_file() -> None:
    table = '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n'
    for part in MADE.split("; "):
        seat, *taken = part.split()
        pairs = zip(("NT", "S", "H", "D", "C"), taken, strict=True)
        table += "".join(f"{seat} {name} {tricks}\n" for name, tricks in pairs)
    text = f'[Board "7"]\n[Deal "N:{SUITS}"]\n[OptimumScore "NS 2210"]\n{table}'
    assert hands(text)[7]["makeable"] == MADE
    assert hands(text)[7]["par"] == 2210


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PBN.replace("AQJ85", "AQJ8"), "tonight: line 2: board 1: North has 12 cards"),
        (PBN.replace("T7.", "A7."), "tonight: line 2: board 1: SA is there twice"),
        (PBN.replace("T7.", "17."), "tonight: line 2: board 1: 'S1' in East's hand is no card"),
        (PBN.replace("T7.QJ93.QJT5.K84", "-"), "tonight: line 2: board 1: East's hand is not there"),
        (PBN.replace("N:", ""), "tonight: line 2: this is not a deal, or it is damaged"),
        (PBN.replace('"1"', '""'), "tonight: line 2: these hands have no number of a board"),
        (PBN.replace('"1"', '"' + "0" * 5000 + '1"'), "tonight: line 2: these hands have no number of a board"),
        (PBN + PBN.replace("AQJ85", "KQJ85").replace("K943", "A943"), "line 4: board 1 has other hands here than in"),
        (LIN.replace("qx|o1|", "").replace("Board 1", ""), "tonight: line 1: these hands have no number"),
        (LIN + LIN.replace("SK943", "SKA943"), "tonight: line 2: board 1: South has 14 cards"),
        ("md|3SK943,|ah|Board 1|", "tonight: line 1: board 1: North's hand is not there"),
        (DLM.replace("jlif", "jlii"), "tonight: line 5: this is not a deal, or it is damaged"),
        (DLM.replace("key=0", "key=17"), "tonight: these hands are encrypted"),
        (DLM.replace("To board=1", ""), "tonight: this DLM does not say From board and To board"),
        (b"\x00\x01" * 9, "tonight: this is binary data, not a file of deals"),
        (b"\xff" * 9, "tonight: this is not a file of deals that can be read (save the hands as .pbn, .lin or .dlm)"),
        ("", "tonight: this is not a file of deals"),
        ('[Board "1"]\n[Deal ""]\n', "tonight: there are no hands in this file"),
        (PBN + " " * MAX_BYTES, "tonight: a file of deals has no more than 8 MB"),
    ],
)
def test_what_is_no_pack_of_cards_is_refused_by_its_line(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        hands(text)


def test_every_hand_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(InputError) as error:
        hands(PBN.replace("T7.", "7.") + PBN.replace('"1"', '"2"') + PBN.replace('"1"', '"3"').replace("62.", "6."))
    assert [each.where for each in error.value.problems] == ["line 2", "line 6"]


@pytest.mark.parametrize("each", ["md|", "[Deal \n", " " * 99 + "=", "qx|1|md|3S,|\n", "Board 01=\n"])
def test_hostile_files_take_no_time(each: str) -> None:
    start = time.process_time()
    with pytest.raises(InputError):
        hands(LIN[:2] + each * (100_000 // len(each)))
    assert time.process_time() - start < 2


def read_beside(folder: Path, sidecar: str, **files: str) -> Path:
    """Return the devices' example in a folder, with what is declared beside it."""
    shutil.copyfile(GAME, folder / GAME.name)
    shutil.copyfile(TONIGHT, folder / TONIGHT.name)
    (folder / GAME.name).with_suffix(".toml").write_text(sidecar, "utf-8")
    for name, text in files.items():
        (folder / f"{name}.pbn").write_text(text, "utf-8")
    return folder / GAME.name


def test_the_toml_beside_a_game_names_the_file(tmp_path: Path) -> None:
    game = read_beside(tmp_path, 'rating = "club-open"\ndeals = "tonight.pbn"\n')
    _, deals = read_play(game)
    assert deals["board"].tolist() == [1, 2, 3]
    assert deals[["north", "east", "south", "west"]].to_dict("records")[0] == FIRST
    # A file of the same name is not taken because it is there, and an option goes before the TOML.
    game.with_suffix(".toml").write_text('rating = "club-open"\n', "utf-8")
    (tmp_path / "devices-example.pbn").write_text(PBN, "utf-8")
    assert read_play(game)[1].empty
    assert read_play(load_source(game, deals=str(TONIGHT)))[1]["board"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("sidecar", "message"),
    [
        ('deals = "gone.pbn"', "devices-example.toml: there is no file gone.pbn, which it names as the file of deals"),
        ("deals = 3", "devices-example.toml: line 1: 'deals' names no file (write deals = \"tonight.pbn\")"),
        ('[games.devices-example]\ndeals = ""', "devices-example.toml: line 2: 'deals' names no file"),
        ('[games.other]\ndeals = "tonight.pbn"', "devices-example.toml: unknown game 'other' in the file"),
        ('deals = "devices-example.bws"', "devices-example.bws: this is binary data, not a file of deals"),
    ],
)
def test_what_names_no_file_is_told(tmp_path: Path, sidecar: str, message: str) -> None:
    game = read_beside(tmp_path, sidecar)
    with pytest.raises(InputError, match=re.escape(message)):
        drafted(game)


def played(*boards: tuple[str, int, int], deals: list[dict[str, Any]] | None = None) -> Reading:
    """Return results of boards, each with its game, session and number."""
    rows = [{"game_id": game, "session": session, "board": board} for game, session, board in boards]
    facts = [{"game_id": game} for game in dict.fromkeys(game for game, _, _ in boards)] or [{"game_id": "a"}]
    return Reading(Draft(Records(), facts), boards=Records(rows), deals=Records(deals or []))


def beside(reading: Reading, *files: tuple[str, str]) -> tuple[list[tuple[Any, ...]], list[str]]:
    """Return game, session and board of each deal with North's cards, and the remarks."""
    named = tuple((game, DeclaredFile("tonight.pbn", text.encode())) for game, text in files)
    deals, remarks = with_deals(reading, Source("game.pbn", b"", deals=named))
    names = ("game_id", "session", "board", "north")
    return list(zip(*(deals.get(name) for name in names), strict=True)), list(map(str, remarks))


OTHER = PBN.replace("AQJ85", "KQJ85").replace("K943", "A943")


def test_boards_match_by_number() -> None:
    found, remarks = beside(played(("a", 1, 1), ("a", 1, 1), ("a", 1, 2), ("a", 1, 3), ("a", 1, 4)), ("", PBN))
    assert found == [("a", 1, 1, FIRST["north"])]
    what = "game.pbn: tonight.pbn has no hands of boards 2 to 4, which were played (is it the file of this session?)"
    assert remarks == [what]


def test_hands_that_differ_are_those_of_the_file_of_deals() -> None:
    row = {"game_id": "a", "session": 1, "board": 1, **hands(OTHER)[1], "makeable": MADE, "par": 420}
    found, remarks = beside(played(("a", 1, 1), deals=[row]), ("", PBN))
    assert found == [("a", 1, 1, FIRST["north"])]
    assert remarks == [
        "game.pbn: game.pbn and tonight.pbn have other hands of board 1: those of tonight.pbn are taken"
        " (look which ones were played; without the file of deals the others are taken)"
    ]


def test_what_can_be_made_is_kept_with_the_same_hands() -> None:
    row = {"game_id": "a", "session": 1, "board": 1, **FIRST, "makeable": MADE, "par": 420}
    source = Source("game.pbn", b"", deals=(("", DeclaredFile("tonight.pbn", PBN.encode())),))
    deals, remarks = with_deals(played(("a", 1, 1), deals=[row]), source)
    assert (deals["makeable"], deals["par"], remarks) == ([MADE], [420], [])


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ([("a", 1, 25), ("a", 1, 26)], "tonight.pbn: these are the hands of board 1, and game.pbn has results of"),
        ([("a", 1, 1), ("b", 1, 1)], "board 1 was played in the games a and b"),
        ([("a", 1, 1), ("a", 2, 1)], "board 1 was played in two sessions"),
    ],
)
def test_hands_of_nobody_knows_which_game_are_asked_for(boards: list[tuple[str, int, int]], message: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(message)):
        beside(played(*boards), ("", PBN))


def test_several_games_have_files_of_their_own() -> None:
    found, remarks = beside(played(("a", 1, 1), ("b", 1, 1)), ("", OTHER), ("b", PBN))
    assert found == [("a", 1, 1, "KQJ85.K4.A72.Q93"), ("b", 1, 1, FIRST["north"])]
    assert remarks == []


@pytest.mark.parametrize(("kind", "told"), [("swiss", True), ("pairs", False)])
def test_boards_of_several_matches_may_have_had_other_hands(kind: str, told: bool) -> None:
    rows = [{"game_id": "a", "session": 1, "board": 1, "round": each} for each in (1, 2)]
    facts = [{"game_id": "a", "event_type": kind}]
    _, remarks = beside(Reading(Draft(Records(), facts), boards=Records(rows)), ("", PBN))
    what = "game.pbn: board 1: several rounds of matches, one deal in tonight.pbn"
    assert remarks == [f"{what} (if each match had boards of its own, do without the hands)"] * told


def test_hands_without_results_of_boards_are_remarked_on() -> None:
    _, remarks = beside(played(), ("", PBN))
    assert remarks == [
        "game.pbn: the hands of tonight.pbn are not shown: there are no results of boards"
        " (give the file that has the results of boards, or do without the hands)"
    ]


def frame(*boards: tuple[int, str], **said: object) -> pd.DataFrame:
    rows = [
        {"game_id": "a", "session": 1, "board": board, **hands(f'[Board "1"]\n[Deal "{deal}"]')[1], **said}
        for board, deal in boards
    ]
    return DEALS.conform(pd.DataFrame(rows))


@pytest.mark.slow
def test_what_can_be_made_is_worked_out_once_for_each_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is vulnerable on board 1, N-S on 2, E-W on 3 and both on 4."""
    solve = pytest.importorskip("endplay.dds").calc_all_tables
    solved: list[int] = []
    monkeypatch.setattr("endplay.dds.calc_all_tables", lambda deals: solved.append(len(deals)) or solve(deals))
    deals = [(1, f"N:{SUITS}"), (2, f"N:{SUITS}"), (3, f"E:{SUITS}"), (4, f"E:{SUITS}")]
    found = with_makeable(frame(*deals))
    assert solved == [2]
    assert found["makeable"].tolist() == [MADE, MADE, TURNED, TURNED]
    # A grand slam in spades is 210 and 300 for game, 1000 for the slam, 500 and 1500 to the vulnerable.
    assert found["par"].tolist() == [1510, 2210, -2210, -2210]
    # What a file says stays, and is not worked out again.
    known = frame(*deals[:1], makeable=TURNED, par=90)
    assert with_makeable(known) is known
    assert solved == [2]
    half = with_makeable(frame(*deals[:1], makeable=TURNED, par=None))
    assert (half["makeable"].tolist(), half["par"].tolist()) == ([TURNED], [1510])


ASKED = ("--rating", "club-open", "--date", "2026-11-18", "--boards", "3")


@pytest.mark.slow
def test_a_page_and_json_show_hands_and_par(tmp_path: Path) -> None:
    pytest.importorskip("endplay")
    deals = saved(tmp_path / "suits.pbn", "".join(f'[Board "{board}"]\n[Deal "N:{SUITS}"]\n' for board in (1, 2, 3)))
    outputs = [part for ending in ("html", "json") for part in ("-o", tmp_path / f"sheet.{ending}")]
    done = run("award", GAME, *ASKED, "--deals", deals, "--makeable", *outputs)
    assert done.status == 0, done
    page = (tmp_path / "sheet.html").read_text("utf-8")
    assert "N-S can make 7♠, 7♦" in re.sub("<[^>]*>", "", page)
    # The seven of spades is made by both; nothing that East-West bid above it would cost less.
    assert "Par: +1510 to N-S, 7♠ by N-S" in re.sub("<[^>]*>", "", page)
    assert "Par: +2210 to N-S, 7♠ by N-S" in re.sub("<[^>]*>", "", page)
    board = json.loads((tmp_path / "sheet.json").read_text("utf-8"))["games"][0]["boards"][0]
    assert board["hands"] == dict(zip("NESW", SUITS.split(), strict=True))
    assert (board["makeable"], board["par"]) == (MADE, 1510)


@pytest.mark.slow
def test_what_is_published_has_it_as_well(tmp_path: Path) -> None:
    pytest.importorskip("endplay")
    deals = saved(tmp_path / "suits.pbn", f'[Board "1"]\n[Deal "N:{SUITS}"]\n')
    keys = {"rating": "club-open", "date": "2026-11-18", "boards": "3"}
    sent = parcel(GAME, site("folder"), Account(folder=str(tmp_path)), keys=keys, deals=deals, makeable=True)
    assert "Par: +1510 to N-S" in sent.data.decode()
    assert any("suits.pbn has no hands of boards 2, 3" in each.what for each in sent.remarks)


def test_nothing_can_be_worked_out_and_published_without_hands(tmp_path: Path) -> None:
    keys = {"rating": "club-open", "date": "2026-11-18", "boards": "3"}
    sent = parcel(GAME, site("folder"), Account(folder=str(tmp_path)), keys=keys, makeable=True)
    assert any(each.what == "no hands are known, and nothing is worked out from them" for each in sent.remarks)


def test_options_that_lead_nowhere_are_wrong_usage(tmp_path: Path) -> None:
    two = run("award", GAME, FIXTURES / "made-howell.ACM", "--deals", TONIGHT)
    assert (two.status, "--deals goes with one game" in two.err) == (2, True)
    text = run("award", GAME, "--makeable", "-o", tmp_path / "sheet.csv")
    assert (text.status, "--makeable is for pages, JSON and PBN" in text.err) == (2, True)


@pytest.mark.parametrize("words", [("lint", GAME), ("check", GAME), ("explain", GAME), ("convert", GAME, "to.csv")])
def test_every_command_that_reads_a_game_reads_its_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str | Path, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.pbn").write_text(PBN.replace("T7.", "7."), "utf-8")
    done = run(*words, *(ASKED if words[0] == "explain" else ()), "--deals", "wrong.pbn")
    assert "wrong.pbn: line 2: board 1: East has 12 cards" in done.err
    assert done.status == 1


@pytest.mark.slow
def test_a_batch_passes_over_the_file_of_deals_and_sees_that_it_changed(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    read_beside(games, 'rating = "club-open"\ndate = 2026-11-18\nboards = 3\ndeals = "tonight.pbn"\n')
    page = tmp_path / "out" / "devices-example.html"
    for north in ("AQJ85", "KQJ85"):
        deals = TONIGHT.read_text("utf-8")
        deals = deals if north == "AQJ85" else deals.replace("AQJ85", "KQJ85").replace("K943", "A943")
        (games / "tonight.pbn").write_text(deals, "utf-8")
        done = run("batch", games, "-o", tmp_path / "out", "--to", "html")
        assert done.status == 0, done
        shown = re.sub("[^A-Z0-9]", "", re.sub("<[^>]*>", "", page.read_text("utf-8")))
        assert north in shown
