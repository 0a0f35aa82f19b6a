"""Every kind of page in a browser: that it fits every screen and sheet of paper, that all can read it, what it does."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import pdfplumber
import pytest
from browser import FITS, LONGEST, MEASURE, faults, looking, needs_browser, opened
from conftest import ALL, saved
from example_games import WEDNESDAY
from lxml import html
from test_html import FIXTURES, HOSTILE, PRINTED, hostile
from test_html import page as page_of

from resultproc.batch.todo import report_page, to_do_page
from resultproc.formats.html.writer import write
from resultproc.formats.read import read
from resultproc.model.errors import Problem
from resultproc.model.frames import COLOURS, GAMES, Result, Sheet
from resultproc.model.provenance import Provenance
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.result import content
from resultproc.reports.amend import WRITERS as OF_CORRECTIONS
from resultproc.reports.amend import amend
from resultproc.reports.chart import WRITERS as OF_CHARTS
from resultproc.reports.chart import chart
from resultproc.reports.check import WRITERS as OF_CHECKS
from resultproc.reports.check import check
from resultproc.reports.compare import WRITERS as OF_COMPARISONS
from resultproc.reports.compare import compare
from resultproc.reports.explain import LIST_WRITERS, explain
from resultproc.reports.explain import WRITERS as OF_EXPLANATIONS
from resultproc.reports.limits import pattern
from resultproc.reports.lint import WRITERS as OF_DOUBTS
from resultproc.reports.lint import lint
from resultproc.reports.players import WRITERS as OF_PLAYERS
from resultproc.reports.players import players
from resultproc.reports.record import record
from resultproc.reports.record import shown as record_shown
from resultproc.reports.series import WRITERS as OF_SERIES
from resultproc.reports.series import Method, series
from resultproc.reports.summary import Run, files, summary
from resultproc.reports.whatif import WRITERS as OF_WHAT_IFS
from resultproc.reports.whatif import Asked, whatif
from resultproc.stages.pipeline import joined_sheets, process, process_event, with_boards

SCREENS = (1280, 768, 390, 360) if ALL else (1280, 768, 360)

PAPER = {"A4": 703, "Letter": 725}
"""How wide the print area of a sheet of paper is, in pixels: 210 and 216 mm without the margins of 12 mm."""

SHEETS = [*PAPER] if ALL else ["A4"]
"""The paper that pages have to fit: A4 is the narrower."""


def game(name: str, **keys: object) -> Result:
    path = FIXTURES / name
    return with_boards(process(path, **keys), [path])


def swiss(folder: Path) -> Result:
    """Return an event of teams of six, whose players get different awards."""
    rows = ["number,score,wins," + ",".join(f"player{n},played{n}" for n in range(1, 7))]
    for number in range(1, 13):
        names = [f"Bartholomew{n} Thornton-Whitley{number},{75 if n < 5 else 50}" for n in range(1, 7)]
        rows.append(f"{number},{160 - 5 * number},{7 - number / 2},{','.join(names)}")
    keys = {"rating": "regional", "date": "2005-05-05", "event_type": "swiss", "tables": 12, "boards": 7, "sessions": 2}
    path = saved(folder / "six.csv", "\n".join([*(f"# {name}: {value}" for name, value in keys.items()), *rows]))
    return process(path)


def sections(folder: Path, count: int, tables: int) -> Result:
    """Return a game of several sections of so many tables, with three strata and overall awards."""
    rows = ["section,direction,number,player1,player2,stratum,percentage"]
    for place in range(count * tables * 2):
        section, seat = divmod(place, tables * 2)
        side, number = ("N-S", "E-W")[seat % 2], seat // 2 + 1
        names = f"Player {place},Partner of {place}"
        percentage = 70 - (place * 37 % 331) / 8
        rows.append(f"{chr(65 + section)},{side},{number},{names},{'ABC'[place % 3]},{percentage:.2f}")
    each = ", ".join(f"{chr(65 + section)}={tables}" for section in range(count))
    keys = {"rating": "sectional", "date": "2019-01-19", "tables": each, "boards": 26, "sessions": 1}
    keys["strata"] = "A=open, B=2500, C=750"
    path = folder / f"sections{count}.csv"
    path.write_text("\n".join([*(f"# {name}: {value}" for name, value in keys.items()), *rows]), "utf-8")
    return process(path)


def convert(name: str) -> Result:
    sheet = read(FIXTURES / name)
    return with_boards(Result(*sheet), [FIXTURES / name])


def a_chart(last: int, **keys: str) -> bytes:
    game = pd.DataFrame({"game_id": ["chart"], "rating": ["club-open"], "boards": [24], **keys})
    return OF_CHARTS["html"](chart(GAMES.conform(game), 4, last))


def a_check(folder: Path) -> bytes:
    path = folder / "a<b>.csv"
    path.write_text(WEDNESDAY.replace("score", "score,printed_award").replace("140.50", "140.50,0.91"), "utf-8")
    return OF_CHECKS["html"](check(path, FIXTURES / "made-wednesday.json", folder / "absent.csv"))


def a_series(_: Path) -> bytes:
    found = process(*sorted((FIXTURES / "series").glob("*.csv")))
    return OF_SERIES["html"](series(found, Method.MASTERPOINTS))


def the_players(_: Path) -> bytes:
    names = ["made-charity.json", "made-wednesday.json"]
    event = process_event(*(FIXTURES / "event" / name for name in ("made-final-1.ACM", "made-final-2.ACA")))
    sheets = [*(read(FIXTURES / name) for name in names), Sheet(event.games, event.contestants)]
    return OF_PLAYERS["html"](players(joined_sheets(sheets)))


def a_comparison(_: Path) -> bytes:
    rulebooks = ["acbl-general-formula-2019", "acbl-strength-of-field-2021"]
    return OF_COMPARISONS["html"](compare(read(FIXTURES / "regional-open-pairs-2022-06-18.csv"), rulebooks))


def a_correction(_: Path) -> bytes:
    names = ["made-wednesday.csv", "corrected-wednesday.csv"]
    return OF_CORRECTIONS["html"](amend(*(FIXTURES / name for name in names)))


def an_explanation(_: Path) -> bytes:
    result = game("made-charity.csv")
    return OF_EXPLANATIONS["html"](result, explain(result, 5))


def a_summary(_: Path) -> bytes:
    results = [game("wed-open-pairs-2012-04-18.csv"), game("made-wednesday.csv"), game("made-charity.csv")]
    each = [summary(result, None, result.games.iloc[:0]) for result in results]
    sums = pd.concat(each, ignore_index=True)
    sums["in_force"], sums["difference"] = sums["contestants"], [(-1) ** n * 7 for n in range(len(sums))]
    sums.loc[0, "failed"] = 1
    long = "Bartholomew Thornton-Whitley-Fitzgerald of the Riverside Bridge Club"
    clubs = pd.DataFrame({"club": ["", long], "games": 3, "contestants": 40, "masterpoints": 12345})
    players = pd.DataFrame({"player": ["Ann", long], "member": ["", "0000101"], "games": 3, "masterpoints": 12345})
    problem = {"date": "2012-04-18", "club": long, "event": "Wed", "source": "a.csv", "what": long, "where": "line 3"}
    problems = pd.DataFrame([{**problem, "hint": long}, {**problem, "date": None, "hint": ""}])
    run = Run("s3://club/history", "acbl-club-2023", "date >= 1998", clubs=clubs, players=players, problems=problems)
    return files(sums, run)["summary.html"].encode()


def a_record(_: Path) -> bytes:
    long = "Bartholomew Thornton-Whitley-Fitzgerald"
    game = {"date": "2012-04-18", "event": "Wednesday Open Pairs", "club": f"{long} Club", "rating": "club-open"}
    colours = {name: 1234 if name in {"black", "gold"} else 0 for name in COLOURS}
    paid = {
        "masterpoints": 2468,
        **colours,
        "place": 1,
        "tied": 2,
        "group_size": 123,
        "basis": "overall",
        "league": "acbl",
    }
    rows = [
        {**game, "game_id": f"g{n}", "percentage": 61.57, **paid, "contestant": "1", "partner": partner}
        for n, partner in enumerate(["Bob Ray", long] * 6)
    ]
    rows.append(
        {**rows[0], "game_id": "h", "date": None, "event": None, "club": None, "percentage": None, "place": None}
    )
    frame = pd.DataFrame(rows).assign(partner_key=lambda each: each["partner"])
    person = {"person": "101", "player": long, "member": "0000101", "spellings": f"{long}; B Whitley", "clubs": "East"}
    return record_shown(record({**person, "unsure": 2}, frame, (), Provenance())).page()


ALIKE = {"connector-example.json", "corrected-wednesday.csv"}
"""Files that have the game of another one."""

GAMES_OF: dict[str, Callable[[Path], Result]] = {
    **{
        path.name: lambda _, name=path.name: game(name)  # type: ignore[misc]
        for path in sorted(FIXTURES.iterdir())
        if (path.suffix in {".csv", ".ACA", ".ACM", ".json"} and path.name not in ALIKE)
        or path.name in {"made-fund.txt", "made-imps.txt"}
    },
    "pbn-example.pbn": lambda _: convert("pbn-example.pbn"),
    "usebio-example.xml": lambda _: convert("usebio-example.xml"),
    "event": lambda _: process_event(*sorted((FIXTURES / "event").glob("saturday-*.csv"), reverse=True)),
    "teams of six": swiss,
    "3 sections of 20 tables": lambda folder: sections(folder, 3, 20),
}


def a_page_to_do(_: Path) -> bytes:
    problem = {"where": "line 10, column 7", "what": "invalid number: '4o'; write it as 133 or 133.50", "hint": ""}
    problem["code"] = "input.wrong"
    lacking = {
        "code": "declaration.missing",
        "where": "",
        "what": "rating is not declared",
        "hint": "write above the header of the list: # rating: club-open",
    }
    in_settings = {
        "code": "declaration.wrong",
        "file": "resultproc.toml",
        "where": "line 1",
        "what": "unknown key 'ratting'",
        "hint": "did you mean 'rating'?",
    }
    return to_do_page(
        [
            {"file": "games/a-long-name-of-a-game-2026-01-20.csv", "problems": [problem, lacking]},
            {"file": "games/tuesday.xlsx", "problems": [in_settings]},
            {"file": "games/photo.jpg", "problems": [{**lacking, "code": "format.unknown"}]},
        ]
    )


def a_look_through(folder: Path) -> bytes:
    path = folder / "a-long-name-of-a-game-of-wednesday-2026-04-15.csv"
    path.write_bytes((FIXTURES / "made-wednesday.csv").read_bytes())
    files = [path, FIXTURES / "corrected-wednesday.csv", FIXTURES / "pbn-example.pbn", folder / "absent.csv"]
    return OF_DOUBTS["html"](lint(*files, understood=True))


def a_report_of_a_batch(_: Path) -> bytes:
    told = {"where": "line 10, column 7", "what": "invalid number: '4o'", "hint": "write it as 133 or 133.50"}
    name = "games/a-long-name-of-a-game-2026-01-20.csv"
    states = [(1, "done"), (1, "same_content"), (0, "failed")]
    return report_page(
        {
            "inputs": [
                {"file": f"{state}.csv", "games": games, "state": state, "outputs": [{"file": f"{state}.html"}]}
                for games, state in states
            ],
            "failures": [{"file": name, "problems": [told, {**told, "hint": ""}]}],
            "remarks": [{"file": "games/tuesday.csv", "remarks": [told]}],
            "published": [{"file": name, "site": "bridgewebs", "state": "sent", "problems": []}],
            "same_content": [{"file": name, "same_as": "games/tuesday.csv"}],
            "left": [{"file": "old.html", "why": "it is not as it was written"}],
        }
    )


def a_what_if(_: Path) -> bytes:
    asked = Asked(pattern=pattern("A=open, B=*, C=*"), need="A-9")
    return OF_WHAT_IFS["html"](whatif(read(FIXTURES / "made-wednesday.csv"), asked))


PAGES: dict[str, Callable[[Path], bytes]] = {
    **{name: lambda folder, made=made: write(made(folder)) for name, made in GAMES_OF.items()},  # type: ignore[misc]
    "chart": lambda _: a_chart(20),
    "check": a_check,
    "series": a_series,
    "players": the_players,
    "who": lambda _: LIST_WRITERS["html"](game("made-charity.csv"), None),
    "strata": lambda _: a_chart(12, strata="A=open, B=1000, C=200"),
    "compare": a_comparison,
    "explain": an_explanation,
    "amend": a_correction,
    "summary": a_summary,
    "to-do": a_page_to_do,
    "record": a_record,
    "lint": a_look_through,
    "whatif": a_what_if,
    "batch": a_report_of_a_batch,
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Return the page of a name, which is made once."""
    folder = tmp_path_factory.mktemp("made")
    made: dict[str, bytes] = {}

    def of(name: str) -> bytes:
        if name not in made:
            made[name] = PAGES[name](folder)
        return made[name]

    return of


@pytest.fixture(scope="module")
def forty_tables(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return sections(tmp_path_factory.mktemp("forty"), 1, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row"),
    [
        # The series pays 0.02 for each of 15.5 tables to the first.
        ("series", ["1", "Ada Birch", "4", "4", "0.31", "3.55"]),
        ("players", ["Zeno Guava", "1", "4.31", "4.31"]),
        ("who", ["A-NS-8", "Zeno Guava, Alma Hemlock", "4.31"]),
        # A club's stratum under 200: 0.07 x 9 x 24/18.
        ("strata", ["9", "9", "0.84"]),
        ("chart", ["9", "9", "1.20", "0.84", "0.60", "0.42"]),
        ("compare", ["1", "7.88", "12.70"]),
        # 75% of 75% of 1.31 is 0.737.
        ("explain", ["3rd of 8 pairs overall, stratum C", "0.74"]),
        ("check", ["Ada Ames - Bob Ames (A-NS-1)", "a<b>.csv"]),
        ("summary", ["2012", "1"]),
        # Twelve games of 12.34 black and 12.34 gold, and 24.68 of one without a date.
        ("record", ["2012", "12", "296.16", "148.08", "148.08"]),
    ],
)
def test_reports_say_the_same_on_a_page(name: str, row: list[str], pages: Any) -> None:
    tree = html.document_fromstring(pages(name))
    rows = [[" ".join(cell.text_content().split()) for cell in each] for each in tree.xpath("//tbody/tr")]
    assert row in [[cell for cell in each if cell][: len(row)] for each in rows], rows


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_each_column_has_a_heading(name: str, pages: Any) -> None:
    heads = html.document_fromstring(pages(name)).xpath("//thead//th")
    assert all(head.text_content().strip() for head in heads)


WITHOUT_THEIR_OWN = {"charity.json", "credited.ACA", "howell.ACM", "imps.txt", "regular.ACA", "wednesday.csv"}
"""Made games whose pages have no element, and none within another, that the pages of other games do not have."""


@needs_browser
@pytest.mark.parametrize("name", [name for name in PAGES if ALL or name.removeprefix("made-") not in WITHOUT_THEIR_OWN])
def test_a_page_fits_every_screen_and_paper(name: str, pages: Any, lab: Any) -> None:
    shown = looking(lab, SCREENS[0], "light")
    shown.set_content(pages(name).decode())
    found = {}
    for width in SCREENS:
        shown.set_viewport_size({"width": width, "height": 900})
        found[width, "light"] = shown.evaluate(MEASURE)
    if ALL or name == "made-charity.csv":  # the dark differs in colours alone, for all pages alike
        shown.emulate_media(media="screen", color_scheme="dark")
        found[width, "dark"] = shown.evaluate(MEASURE)
    landscape = {"A4": 1032, "Letter": 965} if name == "chart" else PAPER
    shown.emulate_media(media="print", color_scheme="light")
    for paper in SHEETS:
        shown.set_viewport_size({"width": landscape[paper], "height": 900})
        found[paper, "print"] = shown.evaluate(MEASURE)
    assert found == dict.fromkeys(found, FITS)


@needs_browser
@pytest.mark.parametrize("name", ["made-wednesday.json", "pbn-example.pbn", "made-sections.ACM"])
@pytest.mark.parametrize("which", ["cards", "travellers"])
def test_all_boards_fit_too(name: str, which: str, pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages(name), tmp_path, anchor=f"#g1-{which}")
    if not ALL:
        shown.evaluate(LONGEST)
    assert shown.locator(".sheet:visible").count() > 2
    for width in (*SCREENS, *(PAPER[paper] for paper in SHEETS)):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate(MEASURE) == FITS, width


AXE = ["made-charity.csv", "knockout-example.csv", "regional-open-pairs-2022-06-18.csv", "made-wednesday.json"]


SMALL = """() => {
  const small = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const written = [...element.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (written && element.getClientRects().length && size < 13.95)
      small.add(`${element.tagName}.${element.getAttribute("class")} ${size}`);
  }
  return [...small];
}"""


@needs_browser
@pytest.mark.parametrize(
    "name", ["made-charity.csv", "knockout-example.csv", "pbn-example.pbn", "check", "series", "chart"]
)
def test_no_letters_are_below_14_pixels_on_a_phone(name: str, pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages(name), tmp_path, 390)
    assert shown.evaluate(SMALL) == []
    sizes = "all => all.map(each => getComputedStyle(each).fontSize)"
    assert set(shown.locator("tbody th.n:visible").evaluate_all(sizes)) <= {"16px"}


@needs_browser
def test_names_look_like_links_and_the_mark_of_the_award_is_seen_and_said(pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("made-wednesday.json"), tmp_path)
    colour = "each => getComputedStyle(each).textDecorationColor"
    assert shown.locator("tbody th.n a").first.evaluate(colour) == "rgb(10, 107, 75)"  # 6.5:1 on white
    mark = shown.locator("td.won i").first
    assert mark.evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(10, 107, 75)"
    assert "made the award" in shown.locator("tbody").first.aria_snapshot()


@needs_browser
@pytest.mark.parametrize("name", [*AXE, *sorted(PAGES.keys() - GAMES_OF.keys() - {"strata", "amend", "record"})])
def test_all_can_read_a_page(name: str, pages: Any, lab: Any) -> None:
    looking(lab, 390, "dark").set_content(pages(name).decode())
    assert faults(lab) == []
    assert faults(looking(lab, 1280, "light"), only_of_colours=not (ALL or name in AXE)) == []


@needs_browser
def test_the_boards_can_be_read_by_all(pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("pbn-example.pbn"), tmp_path, anchor="#g1-cards")
    assert faults(shown) == []
    shown.evaluate("location.hash = '#g1-travellers'")
    assert faults(shown) == []


def numbers(shown: Any, column: int) -> list[str]:
    script = """column => [...document.querySelectorAll("tbody")[0].rows]
        .filter(row => row.className !== "why").map(row => row.cells[column].textContent.trim())"""
    return list(shown.evaluate(script, column))


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_a_tap_sorts_by_a_column_and_explanations_stay_with_their_rows(
    width: int, pages: Any, tab: Any, tmp_path: Path
) -> None:
    shown = opened(tab, pages("made-wednesday.json"), tmp_path, width)
    shown.get_by_role("button", name="Pair").click()
    assert numbers(shown, 2) == ["1", "2", "3", "4", "5", "6", "7", "9", "10", "11", "12"]
    award = shown.get_by_role("button", name="Masterpoints")
    award.press("Enter")
    award.press("Enter")
    assert numbers(shown, 6) == ["0.94", "0.94", "0.55", "0.42", "0.29", "", "", "", "", "", ""]
    assert shown.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    why = "[...document.querySelectorAll('tr.why')].map(row => row.previousElementSibling.id + row.id)"
    assert all(row == f"r{row[1:].split('w')[0]}w{row[1:].split('w')[0]}" for row in shown.evaluate(why))


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_an_award_opens_to_a_row_as_wide_as_the_table(width: int, pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("made-charity.csv"), tmp_path, width)
    assert shown.locator("tr.why:visible").count() == 0
    shown.locator("summary").nth(3).click()
    (box,) = [each.bounding_box() for each in shown.locator("tr.why:visible").all()]
    assert box["width"] >= shown.locator("table").first.bounding_box()["width"] - 2
    # In the list of the section the award leads to that row.
    shown.locator("summary").nth(3).click()
    shown.locator("a.more").first.click()
    assert shown.locator("tr.why:visible").count() == 1


@needs_browser
def test_all_explanations_open_and_close_without_any_script(tab: Any, pages: Any, tmp_path: Path) -> None:
    context = tab.context.browser.new_context(java_script_enabled=False)
    shown = opened(context.new_page(), pages("made-charity.csv"), tmp_path)
    shown.get_by_text("Open all explanations").click()
    count = shown.locator("summary").count()
    assert count > 10
    assert shown.locator("tr.why:visible").count() == count
    shown.get_by_text("Close all explanations").click()
    assert shown.locator("tr.why:visible").count() == 0
    shown.locator("summary").first.click()
    assert shown.locator("tr.why:visible").count() == 1
    context.close()


@needs_browser
def test_a_name_shows_its_scorecard_and_a_board_its_traveller(tab: Any, pages: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("made-wednesday.json"), tmp_path)
    assert shown.locator(".sheet:visible").count() == 0
    shown.get_by_role("link", name="Ella Willow").first.click()
    assert shown.locator(".sheet:visible h2").inner_text().startswith("Ella Willow – Finn Yew")
    shown.locator(".sheet:visible td a").first.click()
    assert shown.locator(".sheet:visible h2").inner_text().startswith("Board ")


@needs_browser
def test_the_field_names_who_is_pointed_at(tab: Any, pages: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("made-wednesday.json"), tmp_path)
    dot = shown.locator("svg a").first
    name = dot.locator("text")
    assert name.evaluate("each => getComputedStyle(each).opacity") == "0"
    dot.focus()
    assert name.evaluate("each => getComputedStyle(each).opacity") == "1"
    assert name.text_content() == "Ada Spruce – Ben Teak 67.19%"


@needs_browser
def test_long_names_in_the_field_are_whole_on_a_phone(tab: Any, tmp_path: Path) -> None:
    result = game("made-wednesday.json")
    names = result.contestants.assign(player1="Wolfgang Mommsen-Hamburger", player2="Wilhelmina Womersley-Adam")
    shown = opened(tab, write(replace(result, contestants=names)), tmp_path, 360)
    box = shown.locator("svg a text").first.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


@needs_browser
def test_buttons_of_the_same_letter_are_told_apart_on_a_phone(tab: Any, tmp_path: Path) -> None:
    path = saved(tmp_path / "printed.csv", PRINTED)
    shown = opened(tab, write(Result(*read(path))), tmp_path, 360)
    script = """() => [...document.querySelectorAll("table")[0].querySelectorAll("thead th.r [role=button]")]
        .map(each => getComputedStyle(each, "::before").content)"""
    assert shown.evaluate(script) == ["none", "none", *['"Overall "'] * 2]
    assert shown.evaluate(MEASURE) == FITS


def printed(tab: Any, page: bytes, folder: Path, papers: Iterable[str], anchor: str = "") -> list[int]:
    """Return how many pages a page is as PDF, on each paper."""
    shown = opened(tab, page, folder, anchor=anchor)
    shown.emulate_media(media="print")
    files = [shown.pdf(format=paper) for paper in papers]
    assert all(data.startswith(b"%PDF-") for data in files)
    return [int(data.count(b"/Type /Page\n")) for data in files]


@needs_browser
def test_it_prints(tab: Any, pages: Any, tmp_path: Path) -> None:
    unsure = [Problem("this is of 2003 and may not hold: " + 25 * "nine more ", file="a.csv")]
    most = {
        # 25 pairs overall and by direction; 33 teams in three brackets; section and overall awards apart.
        "made-charity.csv": (pages("made-charity.csv"), {1, 2}),
        "knockout-example.csv": (pages("knockout-example.csv"), {1, 2}),
        "chart": (pages("chart"), {2}),
        # A game of 16 pairs, overall and by direction, has letters of 8 points and no picture; of two each has a sheet.
        "made-qualifier.ACA": (pages("made-qualifier.ACA"), {1}),
        "made-fund.txt": (pages("made-fund.txt"), {2}),
        "made-regular.ACA": (pages("made-regular.ACA"), {2}),
        # The game that the README begins with, of 18 pairs, is a sheet of paper.
        "README": (pages("wed-open-pairs-2012-04-18.csv"), {1}),
        # A final of 9 pairs by direction, too: nobody has an earlier award, which takes no column then.
        "final": (write(game("event/made-final-2.ACA")), {1}),
        # What is not certain takes room below the lists: the picture gives way to it.
        "unsure": (write(replace(sections(tmp_path, 1, 7), remarks=unsure)), {1}),
    }
    found = {}
    for name, (page, counts) in most.items():
        # A Letter is shorter, and A4 narrower: a page that may not have a second sheet has to fit both.
        papers = [*PAPER] if ALL or counts == {1} else ["Letter"]
        found[name] = (set(printed(tab, page, tmp_path, papers)), counts)
    assert {name: each for name, each in found.items() if not each[0] <= each[1]} == {}
    # Boards are printed one a page, and nothing else then.
    assert printed(tab, pages("made-wednesday.json"), tmp_path, ["A4"], "#g1-travellers") == [18]
    assert printed(tab, pages("made-wednesday.json"), tmp_path, ["Letter"], "#g1-cards") == [11]


@needs_browser
def test_on_paper_there_is_nothing_to_sort_by(tab: Any, tmp_path: Path) -> None:
    """A list that is too wide for paper has two lines a row, and no buttons above it; the two of a session fit."""
    final = game("event/made-final-2.ACA")
    page = write(replace(final, contestants=final.contestants.assign(earlier_award=31)))
    shown = opened(tab, page, tmp_path, PAPER["A4"])
    assert shown.locator("thead:visible").count() == 3
    shown.emulate_media(media="print")
    assert shown.locator("thead:visible").count() == 2


@needs_browser
def test_each_printed_page_but_the_first_has_the_title(forty_tables: Result, tab: Any, tmp_path: Path) -> None:
    """The club's name has all that could end a string of a stylesheet, or the element that it is in."""
    club = """Bob's "Elm" \\ </style><b>Club</b> (Köln)"""
    page = write(replace(forty_tables, games=forty_tables.games.assign(club=club)))
    shown = opened(tab, page, tmp_path)
    assert shown.title() == f"sections1, Saturday 19 January 2019, {club}"
    shown.emulate_media(media="print")
    with pdfplumber.open(BytesIO(shown.pdf(format="A4", page_ranges="1-3"))) as printed:
        tops = [(each.extract_text() or "").split("\n")[0] for each in printed.pages]
    assert len(tops) > 2
    assert set(tops[1:]) == {shown.title()}
    assert tops[0] != shown.title()


def test_a_page_says_what_it_shows_where_it_is_shared(pages: Any) -> None:
    """The title and the facts of the game, as its head has them for those who preview links."""
    document = html.fromstring(pages("made-charity.csv"))
    said = {each.get("property"): each.get("content") for each in document.iterfind(".//meta[@property]")}
    title = "Monday Charity Pairs, Monday 20 April 2026, Invented Bridge Club"
    assert (said["og:title"], document.findtext(".//title")) == (title, title)
    assert "25 pairs" in said["og:description"]


@pytest.mark.slow
def test_reports_of_two_weeks_are_told_apart_by_the_name_of_their_window(pages: Any) -> None:
    """The heading of a correction is the same each Wednesday; its day stands below it, and in the window's name."""
    day = "Wednesday 15 April 2026 · Wednesday Afternoon"
    for name, what in (("amend", "corrected"), ("whatif", "what if")):
        document = html.document_fromstring(pages(name))
        assert document.findtext(".//title") == f"Wednesday Pairs: {what}, {day}"
        assert document.findtext(".//h1") == f"Wednesday Pairs: {what}"
    assert "24 boards" in str(html.document_fromstring(pages("chart")).findtext(".//title"))


@needs_browser
def test_no_script_of_a_file_runs(tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, page_of(hostile()).encode(), tmp_path)
    title = shown.title()
    assert title.startswith(HOSTILE[0])
    assert shown.locator("tbody script, tbody img").count() == 0
    # Not even one that got into the page: its policy admits its own script alone.
    text = page_of(hostile()).replace("</tbody>", "</tbody><script>document.title = 'taken'</script>")
    text = text.replace("<h1 ", "<h1 onclick=\"document.title = 'taken'\" ")
    shown = opened(tab, text.encode(), tmp_path)
    shown.locator("h1").click()
    assert shown.title() == title
    assert shown.get_by_role("button", name="Pair").count() == 1


@needs_browser
def test_a_fragment_looks_the_same_in_a_page_of_a_site(tab: Any, tmp_path: Path) -> None:
    fragment = write(game("made-charity.csv"), fragment=True)
    own = b".rp { --accent: rgb(1, 2, 3) } table { border: 9px solid red; width: 50% } td { border: 1px solid }"
    site = b"<!DOCTYPE html><style>%b</style>" % own
    for width in (360, 1000):
        frame = site + b'<main style="width: %dpx">%b</main>' % (width, fragment)
        shown = opened(tab, frame, tmp_path)
        table = shown.locator(".rp table").first
        assert table.evaluate("each => getComputedStyle(each).borderLeftWidth") == "0px"
        assert shown.locator(".rp").evaluate("each => each.scrollWidth - each.clientWidth") == 0
        # What the site says of its colours holds.
        assert shown.locator(".over").evaluate("each => getComputedStyle(each).color") == "rgb(1, 2, 3)"
        # The rows go by the room that the fragment has, and not by the screen.
        assert table.evaluate("each => getComputedStyle(each).display") == ("block" if width == 360 else "table")


FORTY_TABLES, ROUND_BY_ROUND = 118_406, 26_495

WEIGHED = {
    "wed-open-pairs-2012-04-18.csv": 37_904,
    "made-wednesday.json": 128_364,
    "knockout-example.csv": 46_839,
    "regional-open-pairs-2022-06-18.csv": 60_359,
    "pbn-example.pbn": 39_843,
    "event": 38_528,
    "teams of six": 36_244,
    "chart": 35_926,
    "strata": 41_323,
    "check": 28_679,
    "series": 23_873,
    "players": 42_102,
    "who": 21_461,
    "compare": 22_857,
    "explain": 27_244,
    "amend": 24_759,
    "summary": 39_709,
    "whatif": 28_728,
}
"""The bytes of pages before there was a field to find a name in, a recap, a bracket and matches round by round (at
commit 3e3b20f), so of a game of 80 pairs and of one of Swiss teams."""


@pytest.mark.slow
def test_pages_weigh_at_most_a_tenth_more_than_they_did(pages: Any, forty_tables: Result) -> None:
    assert len(write(forty_tables)) <= 1.1 * FORTY_TABLES
    assert len(write(game("teams/saturday-swiss.csv"))) <= 1.1 * ROUND_BY_ROUND
    heavy = {name: len(pages(name)) for name, before in WEIGHED.items() if len(pages(name)) > 1.1 * before}
    assert not heavy


@pytest.mark.slow
def test_a_page_of_40_tables_is_small(forty_tables: Result) -> None:
    assert len(content(forty_tables)["games"][0]["contestants"]) == 80
    assert len(write(replace(forty_tables, remarks=()))) < 300_000


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_a_name_is_found_in_two_actions(width: int, forty_tables: Result, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, write(forty_tables), tmp_path, width)
    shown.keyboard.press("Tab")  # it is the first that a page leads to
    shown.keyboard.type("PARTNER of 61")
    shown.keyboard.press("Enter")
    row = shown.locator("tr:focus")
    assert "Player 61" in row.inner_text()
    assert row.evaluate("each => each.getBoundingClientRect().top") > 0
    assert row.evaluate("each => each.getBoundingClientRect().bottom < innerHeight")
    # Its row is marked in the list of its section and direction as well, to which the next Enter leads.
    assert shown.locator("tr.mine").count() == 2
    shown.keyboard.press("Enter")
    assert shown.locator("tr:focus").evaluate("each => each.closest('section').querySelector('h2').id") != "g1-list1"
    field = shown.get_by_role("searchbox", name="Find a name")
    field.fill("nobody at all")
    assert shown.get_by_role("status").inner_text() == "Nobody here is called so."
    assert shown.locator("tr.mine").count() == 0
    field.fill("")
    assert shown.get_by_role("status").inner_text() == ""
    assert shown.evaluate(MEASURE) == FITS


@needs_browser
def test_a_finger_finds_a_name_in_two_actions(forty_tables: Result, tab: Any, tmp_path: Path) -> None:
    """The field is in sight where the page opens: a tap on it, and the name with the key that keyboards call search."""
    context = tab.context.browser.new_context(has_touch=True)
    shown = opened(context.new_page(), write(forty_tables), tmp_path, 390)
    box = shown.get_by_role("searchbox", name="Find a name").bounding_box()
    assert box["height"] >= 24
    shown.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.keyboard.type("partner of 61")
    shown.keyboard.press("Enter")
    row = shown.locator("tr:focus")
    assert "Player 61" in row.inner_text()
    assert row.evaluate("each => each.getBoundingClientRect().top > 0")
    assert row.evaluate("each => each.getBoundingClientRect().bottom < innerHeight")
    context.close()


@needs_browser
def test_who_was_found_is_marked_on_boards_and_without_a_script_there_is_no_field(
    pages: Any, tab: Any, tmp_path: Path
) -> None:
    shown = opened(tab, pages("made-sections.ACM"), tmp_path)
    shown.get_by_role("searchbox").fill("holly kate")
    # Each board that the pair has played is a row of a traveller, and of the scorecard of its opponents.
    played = shown.locator("#c0 tbody .first a").count()
    assert played > 20
    for sheets in ("travellers", "cards"):
        assert shown.locator(f"#g1-{sheets} tr.mine").count() == played
    # The bar that marks the row stands beside it: where there is little room, ranks begin at its edge.
    shadow = shown.locator("tr.mine").first.evaluate("row => getComputedStyle(row).boxShadow")
    assert " -3.75px 0px" in shadow
    assert "inset" not in shadow
    context = tab.context.browser.new_context(java_script_enabled=False)
    assert opened(context.new_page(), pages("made-sections.ACM"), tmp_path).locator("input").count() == 0
    context.close()


@needs_browser
def test_a_name_is_found_without_the_signs_that_a_keyboard_lacks(tab: Any, tmp_path: Path) -> None:
    names = ["Søren Østergård", "Łukasz Wójcik", "Weiß Müller", "Sean O'Brien", *(f"Fay Fir{n}" for n in range(16))]
    rows = [f"{n},{name},Guy Gum{n},{70 - n * 2}" for n, name in enumerate(names, 1)]
    head = "# date: 2012-04-18\n# rating: club-open\n# tables: 10\nnumber,player1,player2,percentage\n"
    path = saved(tmp_path / "game.csv", head + "\n".join(rows))
    shown = opened(tab, write(process(path)), tmp_path)
    asked = {"soren ostergard": 1, "lukasz": 2, "weiss muller": 3, "obrien": 4, "o'brien": 4, "brien": 4, "weiß": 3}
    for text, number in asked.items():
        shown.get_by_role("searchbox").fill(text)
        marked = shown.locator("tbody tr.mine th.n").all_inner_texts()
        assert [names[number - 1] in each for each in marked] == [True], (text, marked)


@pytest.mark.slow
def test_a_small_page_has_no_field_to_find_a_name(pages: Any) -> None:
    assert b'class="find"' not in pages("made-wednesday.json")
    assert b"Find a name" in pages("made-sections.ACM")


@needs_browser
@pytest.mark.parametrize("kind", ["series", "players"])
def test_a_name_is_found_in_a_list_of_players(kind: str, pages: Any, tab: Any, tmp_path: Path) -> None:
    """The games of the page have over 40 players, each of them in one row; the series of the fixtures has 16."""
    games = process(FIXTURES / "made-charity.json", FIXTURES / "made-wednesday.json")
    page = pages("players") if kind == "players" else OF_SERIES["html"](series(games, Method.MASTERPOINTS))
    shown = opened(tab, page, tmp_path)
    who = shown.locator("tbody tr").nth(11).locator("th.n").inner_text()
    shown.get_by_role("searchbox", name="Find a name").fill(who.upper())
    assert shown.locator("tr.mine th.n").all_inner_texts() == [who]
    shown.keyboard.press("Enter")
    assert who in shown.locator("tr:focus").inner_text()
    assert b"Find a name" not in pages("series")


@pytest.mark.slow
def test_ladders_years_and_partners_are_drawn(pages: Any) -> None:
    tree = html.document_fromstring(pages("chart"))
    bars = tree.xpath("//figure//*[@class='more']")
    places = [float(bar.get("height")) for bar in bars]
    assert places == sorted(places, reverse=True)
    assert bars[0].findtext("title").startswith("1st: ")
    tree = html.document_fromstring(pages("record"))
    year = tree.xpath("//section[h2[@id='years']]//tbody/tr/@style")
    assert year[0] == "--w:100%"  # the year of the most masterpoints, as the others have fewer
    assert len(tree.xpath("//section[h2[@id='partners']]//tbody/tr[@style]")) > 1


@needs_browser
@pytest.mark.parametrize(
    "name", ["check", "players", "made-sections.ACM", "regional-open-pairs-2022-06-18.csv", "record"]
)
def test_no_sheet_of_paper_has_a_footer_alone(name: str, pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages(name), tmp_path)
    shown.emulate_media(media="print")
    whole = "".join(shown.locator("footer").inner_text().split())
    assert whole
    for paper in PAPER:
        with pdfplumber.open(BytesIO(shown.pdf(format=paper))) as sheets:
            last = "".join((sheets.pages[-1].extract_text() or "").split())
            assert len(sheets.pages) == 1 or len(last) > len(whole) + 20, paper
    shown.emulate_media(media="screen")


@pytest.mark.slow
def test_a_seat_stays_on_a_line(pages: Any) -> None:
    """It has hyphens, after which a browser breaks a line: "(A-NS-" above "1)"."""
    assert b'Ada Ames - Bob Ames <b class="w">(A-NS-1)</b><td' in pages("check")
    assert b'<b class="w">(A-5)</b><td' in pages("amend")
    assert b'<b class="w">(A-9)</b> needed for more than' in pages("whatif")


def test_a_table_without_rows_is_only_its_heading() -> None:
    page = Report("Nothing", [PageTable("none", "Nobody gains or loses", [PageColumn("Who", "n")], [])]).page()
    assert b"Nobody gains or loses" in page
    assert b"<table" not in page


@needs_browser
def test_names_sort_by_family(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    names = ["Zoe Ash,Amy Zorn", "Amy Cole Jr.,Bob Roe", '"Birch, Will",Cy Poe', "Di van Dyke,Ed Orr"]
    rows = [f"{n},{each},{60 - n}" for n, each in enumerate(names, 1)]
    head = "# date: 2012-04-18\n# rating: club-open\n# tables: 2\nnumber,player1,player2,percentage\n"
    path.write_text(head + "\n".join(rows), "utf-8")
    shown = opened(tab, write(process(path)), tmp_path)
    shown.get_by_role("button", name="Names").click()
    assert numbers(shown, 1) == ["1", "3", "2", "4"]


@needs_browser
def test_a_chart_is_a_table_that_is_moved_on_a_phone(pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("chart"), tmp_path, 390)
    assert shown.evaluate("document.documentElement.scrollHeight") < 3000  # it was 5,000 of cards
    place = shown.get_by_role("region").first
    assert place.evaluate("each => each.scrollWidth > each.clientWidth")
    shown.keyboard.press("Tab")
    assert place.evaluate("each => each === document.activeElement")
    place.evaluate("each => { each.scrollLeft = 200 }")
    # The tables stay in sight.
    assert place.locator("tbody .k").first.evaluate("each => each.getBoundingClientRect().left") >= 0


@needs_browser
def test_sliders_start_at_the_limits_of_the_game_and_look_alive(pages: Any, tab: Any, tmp_path: Path) -> None:
    """The game is up to 200 in B and 50 in C; these two are the stops that its sliders show."""
    colours = set()
    for scheme in ("light", "dark"):
        shown = opened(tab, pages("whatif"), tmp_path, 390, scheme)
        assert shown.locator(".limits output").all_inner_texts() == ["200, as it is", "50, as it is"]
        assert shown.locator(".then h2").all_inner_texts() == ["With these limits", "Nobody gains or loses"]
        slider = shown.get_by_role("slider").first
        stops = "each => [...each.list.options].map(stop => stop.value)"
        assert slider.evaluate(stops) == ["2", "0"]
        accent, ink, page = slider.evaluate(
            """each => [getComputedStyle(each).accentColor, getComputedStyle(each).color,
            getComputedStyle(each.closest('.rp')).getPropertyValue('--accent')]"""
        )
        assert accent not in {"auto", ink}
        colours.add((accent, page))
    assert len(colours) == 2
    slider.press("ArrowRight")
    assert shown.locator(".limits output").first.inner_text() == "1000"
    assert shown.locator(".then h2").last.inner_text() == "Who gains or loses"
    # A game of fewer strata, with none that could be below its own C: each slider begins above the next.
    two = whatif(
        read(FIXTURES / "made-wednesday.csv", strata="A=open, C=50"), Asked(pattern=pattern("A=open, C=*, D=*"))
    )
    shown = opened(tab, OF_WHAT_IFS["html"](two), tmp_path, 390)
    assert shown.locator(".limits output").all_inner_texts() == ["100", "50"]
    assert shown.locator(".then h2").first.inner_text() == "With these limits"


@needs_browser
def test_a_series_has_its_masterpoints_bold_and_its_bonus_named(pages: Any, tab: Any, tmp_path: Path) -> None:
    """The first of the series has 3.55 in all, and a bonus of 0.31."""
    for width in (390, 768, 1280):
        shown = opened(tab, pages("series"), tmp_path, width)
        first = shown.locator("tbody tr").first
        score, bonus = first.locator("td.a"), first.locator("td", has_text="0.31")
        assert score.inner_text() == "3.55"
        assert score.evaluate("each => getComputedStyle(each).fontWeight") == "650"
        assert bonus.evaluate("each => getComputedStyle(each).fontWeight") == "400"
        named = bonus.evaluate("each => getComputedStyle(each, '::before').content")
        head = shown.locator("thead th", has_text="Bonus")
        # Where there is little room no heading is above it, and so the name is beside it.
        assert "Bonus" in named if width == 390 else (named == "none" and head.is_visible())


HEIGHTS = """() => [...document.querySelectorAll("a, [role=button], summary, input")]
    .filter(each => each.getClientRects().length && !each.closest("svg"))
    .map(each => [each.getBoundingClientRect().height, each.outerHTML.slice(0, 80)]).filter(([high]) => high < 23.9)"""


@needs_browser
@pytest.mark.parametrize(
    ("name", "anchor"),
    [
        *(("made-wednesday.json", f"#g1-{sheets}") for sheets in ("travellers", "cards")),
        *((name, "") for name in ("summary", "whatif", "lint", "series")),
    ],
)
def test_links_are_high_enough_for_fingers(name: str, anchor: str, pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages(name), tmp_path, 390, anchor=anchor)
    for width in (390, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        assert shown.evaluate(HEIGHTS) == [], width


@needs_browser
def test_a_long_rank_stays_on_one_line(tab: Any, tmp_path: Path) -> None:
    """The last of 120 pairs tie for places 100 and more; on a phone alone may the text break, at its stroke."""
    sections(tmp_path, 1, 60)
    path = tmp_path / "sections1.csv"
    text = re.sub(r"(?m)^(A,.*,)(?:2[0-9]|3[0-3])\.[0-9]+$", lambda row: row[1] + "30.00", path.read_text("utf-8"))
    path.write_text(text, "utf-8")
    shown = opened(tab, write(process(path)), tmp_path)
    for width in (390, 768, 1280):
        shown.set_viewport_size({"width": width, "height": 900})
        cells = shown.evaluate(
            """() => [...document.querySelectorAll("tbody td.r")].filter(each => each.textContent.length > 5)
            .map(each => { const range = document.createRange(); range.selectNodeContents(each);
            const tops = [...range.getClientRects()].map(box => Math.round(box.top / 6));
            return [each.textContent, new Set(tops).size]; })"""
        )
        assert len(cells) > 10
        assert width == 390 or {lines for _, lines in cells} == {1}, width


def test_a_long_place_has_the_room_of_a_long_rank() -> None:
    rows = [PageRow(["10/11", "Ada Spruce"]), PageRow(["2/3", "Ben Teak"])]
    table = PageTable("who", "Standings", [PageColumn("Place", "r first"), PageColumn("Player", "n")], rows)
    assert ['class="r first long"' in table.cells_of(row) for row in rows] == [True, False]


@needs_browser
def test_a_scorecard_says_once_where_a_pair_sat_and_leads_back_at_its_top(pages: Any, tab: Any, tmp_path: Path) -> None:
    shown = opened(tab, pages("made-sections.ACM"), tmp_path, 390, anchor="#c0")
    sheet = shown.locator("#c0")
    assert sheet.locator("h2 small").inner_text() == "pair 1, N-S, 52.67%"
    assert sheet.locator("tbody tr").first.inner_text().count("N-S") == 0
    assert "Running total" in sheet.locator("thead").text_content()
    assert sheet.get_by_role("link", name="All boards").bounding_box()["y"] < sheet.locator("h2").bounding_box()["y"]
    # Of a Howell it is in each row, as it changes there: the side alone.
    row = opened(tab, pages("made-wednesday.json"), tmp_path, 390, anchor="#c0").locator("#c0 tbody tr").first
    labels = row.evaluate(
        "each => [...each.cells].filter(cell => /^[NE]-[SW]$/.test(cell.textContent)).map(cell => cell.dataset.l)"
    )
    assert labels == [None]


@pytest.mark.slow
def test_a_picture_speaks_of_paid_dots_where_there_are_any(pages: Any) -> None:
    """Of the game in PBN nobody is paid."""
    assert b"The field by percentage.</figcaption>" in pages("pbn-example.pbn")
    assert b"The field by percentage; filled dots are paid" in pages("made-wednesday.json")


@pytest.mark.slow
def test_a_page_of_a_report_says_of_which_game_it_is(pages: Any) -> None:
    assert "Monday Charity Pairs, Monday 20 April 2026" in html.document_fromstring(pages("who")).findtext(".//title")
    assert "Saturday 18 June 2022" in html.document_fromstring(pages("compare")).findtext(".//title")


@pytest.mark.slow
def test_a_page_has_no_style_of_what_it_does_not_have(pages: Any) -> None:
    """The README's game has neither boards nor a bracket, no colours but black, and too few to look for one."""
    page = write(process(FIXTURES / "wed-open-pairs-2012-04-18.csv"))
    assert not any(name in page for name in (b".hands", b".bracket", b".recap{", b".sheet{", b".find input", b"--gold"))
    assert b".bracket" in pages("knockout-example.csv")
    assert b"--gold" in pages("knockout-example.csv")
    assert b".sheet{" in pages("made-wednesday.json")
    assert b".hands{" in pages("pbn-example.pbn")
    assert b"--paper" in page


def test_a_style_that_is_shortened_keeps_its_strings() -> None:
    text = page_of(process(FIXTURES / "wed-open-pairs-2012-04-18.csv"))
    assert '"Segoe UI",Roboto,"Helvetica Neue"' in text
    assert '{content:attr(data-l) "\\2002";font-weight:400}' in text
    assert "tr:has(details[open]) + .why," in text
    assert "// " not in text.partition("<script>")[2]
