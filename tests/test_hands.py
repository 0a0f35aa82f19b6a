"""The hands on a board's part of a page: above the results, with what they count, and what can be made with them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import FITS, LONGEST, MEASURE, needs_browser, opened
from conftest import ALL, FIXTURES
from lxml import html

from resultproc.formats.html.scorecards import par_contracts
from resultproc.formats.html.writer import write as page_of
from resultproc.formats.json.writer import write as json_of
from resultproc.formats.pbn.writer import write as pbn_of
from resultproc.formats.read import read
from resultproc.model.frames import Result
from resultproc.model.play import tricks_of
from resultproc.model.source import Source
from resultproc.stages.pipeline import process, with_boards

EXAMPLE = (FIXTURES / "pbn-example.pbn").read_text("utf-8")

TRICKS = {"W": (4, 5, 3, 9, 2), "N": (8, 7, 10, 3, 10), "E": (4, 5, 3, 9, 3), "S": (8, 8, 10, 3, 10)}
"""What each seat can make at NT, spades, hearts, diamonds and clubs: made up, as West's before East's in files."""

TABLE = '[OptimumScore "NS 420"]\n[OptimumContract "4H N 10"]\n'
TABLE += '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n'
TABLE += "".join(
    f"{seat} {name:>2} {tricks:>2}\n"
    for seat, each in TRICKS.items()
    for name, tricks in zip(("NT", "S", "H", "D", "C"), each, strict=True)
)


def known(text: str) -> Result:
    source = Source("game.pbn", text.encode())
    return with_boards(Result(*read(source)), [source])


def analysed(table: str = TABLE) -> Result:
    """Return the example with what can be made on its first board, below the results as programs write it."""
    first, rest = EXAMPLE.split('\n[Event "#"]', 1)
    return known(f'{first}\n{table}\n[Event "#"]{rest}')


def tree_of(result: Result) -> Any:
    return html.document_fromstring(page_of(result), parser=html.HTMLParser(encoding="utf-8"))


def test_hands_stand_above_the_results_and_count_their_honours() -> None:
    (hands,) = tree_of(analysed()).find_class("hands")
    assert hands.getnext().getparent().find("table") is not None
    order = [each.tag for each in hands.getparent() if each.tag in {"h2", "div", "table"}]
    assert order == ["h2", "div", "table"]
    # KJ KJ87642 87 62; 872 AT93 3 AQJ95; AT953 Q KQ92 KT4; Q64 5 AJT654 873.
    assert [each.text_content() for each in hands.iter("small")] == ["8 HCP", "11 HCP", "14 HCP", "7 HCP"]


@pytest.mark.slow
def test_what_can_be_made_and_par_are_said_where_the_file_has_them() -> None:
    said = [each.text_content() for each in tree_of(analysed()).find_class("made")]
    assert said == [
        # North takes 7 tricks in spades and South 8: the levels are apart.
        "N-S can make 2NT, N 1♠, S 2♠, 4♥, 4♣",
        "E-W can make 3♦",
        "Tricks at NT ♠ ♥ ♦ ♣: N 8 7 10 3 10 · S 8 8 10 3 10 · E 4 5 3 9 3 · W 4 5 3 9 2",
        "Par: +420 to N-S",
    ]
    assert not tree_of(known(EXAMPLE)).find_class("made")


@pytest.mark.parametrize(
    ("board", "par", "said"),
    [
        # North-South make four hearts, 420 and 620. East-West are two down in five diamonds: 300, vulnerable 500.
        (1, 300, ["5♦× by E-W −2"]),
        (3, 420, ["4♥ by N-S"]),
        (4, 500, ["5♦× by E-W −2"]),
        (1, 420, []),  # which would be wrong
    ],
)
def test_par_has_its_contracts(board: int, par: float, said: list[str]) -> None:
    able = tricks_of("N 8 7 10 3 10; S 8 8 10 3 10; E 4 5 3 9 3; W 4 5 3 9 2")
    assert [re.sub("<[^>]*>", "", each) for each in par_contracts(able, par, board)] == said


def test_tricks_are_compared_with_the_best_and_a_deal_can_be_replayed() -> None:
    """Declarer of board 1 is North in 4S, with 10 and 9 tricks: the best is 7."""
    tree = tree_of(analysed())
    heads = [each.text for each in tree.xpath("//details//th[@scope='col']")]
    at = heads.index("Double dummy")
    declared = analysed().boards.iloc[:2]
    rows = tree.xpath("(//details)[1]//tbody/tr")
    expected = {"4S": {"N": 7, "S": 8}}
    best = [expected[contract][seat] for contract, seat in zip(declared["contract"], declared["declarer"], strict=True)]
    over = [int(tricks) - one for tricks, one in zip(declared["tricks"], best, strict=True)]
    assert sorted(row[at].text or "" for row in rows) == sorted(f"{each:+d}" for each in over)
    (link,) = {each.get("href") for each in tree.iter("a") if "bridgebase" in each.get("href")}
    # North of board 1 has KJ KJ87642 87 62; North deals, and nobody is vulnerable.
    assert link.startswith("https://www.bridgebase.com/tools/handviewer.html?n=sKJhKJ87642d87c62&w=s872hAT93d3cAQJ95&")
    assert link.endswith("&d=n&v=o&b=1")


@pytest.mark.parametrize(
    "table",
    [
        TABLE.replace("N NT  8\n", ""),  # not whole
        "".join(f"{line[:-2]} 0\n" if line[:1] in "NESW" else f"{line}\n" for line in TABLE.splitlines()),
        TABLE.replace("N NT  8", "N NT 14"),
    ],
)
def test_a_table_that_is_not_whole_or_filled_with_zeros_says_nothing(table: str) -> None:
    assert analysed(table).deals["makeable"].isna().all()


@pytest.mark.parametrize(("text", "par"), [("EW 90", -90), ("NS -100", -100), ("NS 0", 0)])
def test_par_is_told_of_north_south(text: str, par: int) -> None:
    assert analysed(TABLE.replace("NS 420", text)).deals["par"].tolist() == [par]


@pytest.mark.parametrize("text", ["EW 2C; -90", "", "?"])
def test_par_that_has_several_meanings_is_left_out(text: str) -> None:
    assert analysed(TABLE.replace("NS 420", text)).deals["par"].isna().all()


@pytest.mark.slow
@pytest.mark.parametrize("write", [json_of, pbn_of])
def test_other_formats_keep_what_can_be_made(write: Any) -> None:
    before = analysed().deals
    source = Source("again", write(analysed()))
    after = with_boards(Result(*read(source)), [source]).deals
    assert after[["makeable", "par"]].to_numpy().tolist() == before[["makeable", "par"]].to_numpy().tolist()
    assert before["makeable"][0] == "N 8 7 10 3 10; E 4 5 3 9 3; S 8 8 10 3 10; W 4 5 3 9 2"


def test_json_refuses_what_nobody_can_make(tmp_path: Path) -> None:
    content = json.loads(json_of(analysed()))
    content["games"][0]["boards"][0]["makeable"] = "N 8 7"
    with pytest.raises(Exception, match="makeable"):
        read(Source("game.json", json.dumps(content).encode()))


@needs_browser
def test_hands_fit_and_targets_are_large_enough_with_all_boards_shown(tab: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    path = FIXTURES / "made-wednesday.json"
    pages = {"hands": page_of(analysed()), "many": page_of(with_boards(process(path), [path]))}
    rules = {"runOnly": {"type": "rule", "values": ["target-size"]}, "rules": {"target-size": {"enabled": True}}}
    for name, which, width in (("hands", "travellers", 390), ("many", "cards", 768)):
        shown = opened(tab, pages[name], tmp_path, width, anchor=f"#g1-{which}")
        if not ALL:
            shown.evaluate(LONGEST)
        assert shown.evaluate(MEASURE) == FITS
        found = Axe().run(shown, options=rules).response
        assert not found["violations"], (name, which, width)
        assert sum(len(each["nodes"]) for each in found["passes"]) > 15  # the others are behind a tap


@needs_browser
def test_the_rank_that_pays_is_seen_where_colours_are_forced(tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, page_of(process(FIXTURES / "made-wednesday.json")), tmp_path)
    style = "each => getComputedStyle(each).outlineStyle + getComputedStyle(each).outlineWidth"
    paying = shown.locator("td.won i").first
    assert paying.evaluate(style).startswith("none")
    shown.emulate_media(forced_colors="active")
    assert paying.evaluate(style) == "solid2px"
    shown.emulate_media(forced_colors="none")
