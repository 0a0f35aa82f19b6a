"""What people read, in their own language: sheets that are read back, pages without an English word, catalogues."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import openpyxl
import pandas as pd
import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po
from browser import FITS, MEASURE, looking, needs_browser
from conftest import ALL, FIXTURES, PROJECT, as_module, run, saved
from lxml import html
from test_open import ALIGNED, Window
from test_site_players import saved as site_game
from test_summary import summed_up

from resultproc.batch.todo import to_do_page
from resultproc.formats.html.writer import write
from resultproc.formats.loaded import load_source
from resultproc.formats.read import read
from resultproc.formats.text.listing import ABROAD
from resultproc.model import language as spoken
from resultproc.model.codes import UNKNOWN
from resultproc.model.frames import COLOURS
from resultproc.model.language import ENGLISH, LOCALE, as_it_is, in_words, languages, speak, speaking
from resultproc.model.provenance import Provenance
from resultproc.model.text import vocabulary
from resultproc.model.whose_points import usual_league
from resultproc.pages import design
from resultproc.publish.known import sites
from resultproc.reports import (
    amend,
    audit,
    chart,
    check,
    compare,
    explain,
    lint,
    players,
    record,
    series,
    summary,
    whatif,
)
from resultproc.reports.infer import infer
from resultproc.reports.limits import pattern
from resultproc.stages.doubts import LIKELY_MISTAKES
from resultproc.stages.pipeline import joined_sheets, process, with_boards

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"
NAMES = {"fr": "french", "es": "spanish", "de": "german", "nl": "dutch"}
WHOLE = [*NAMES]
SHOWN = WHOLE if ALL else ["fr"]
"""The languages of the pages that are looked through: all pass the same code, and French differs the most."""


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de", "0.63 (A)", "0,63 (A)"),
        ("de", "Wednesday 18 April 2012", "Mittwoch, 18. April 2012"),
        ("fr", "April 2012", "avril 2012"),
        ("es", "April 18, 2012", "18 de abril de 2012"),
        ("nl", "1 table", "1 tafel"),
        ("nl", "7½ tables", "7½ tafels"),
        # French has no plural before two.
        ("fr", "0 pairs", "0 paire"),
        ("de", "2nd of 9 pairs in the section, stratum A", "2. von 9 Paaren in der Gruppe, Stratum A"),
        ("es", "Open club game", "Torneo de club abierto"),
        # What nobody has translated stays as it is, and so do names, versions and paragraphs.
        ("fr", "line 3: Tue 17", "ligne 3\u00a0: mar. 17"),
        # Where it is, is no part of a sentence, and what is in brackets is no part of a list.
        (
            "de",
            "x.csv: line 7: stratify_by is not declared, and contestants without a stratum get theirs by it",
            "x.csv: Zeile 7: stratify_by ist nicht angegeben, und Teilnehmer ohne Stratum erhalten ihres danach",
        ),
        (
            "es",
            "A N-S 3 (1680 on average, above B), A E-W 4 (720 on average, above C)",
            "A N-S 3 (1680 de media, por encima de B), A E-W 4 (720 de media, por encima de C)",
        ),
        ("de", "Harold Holland", "Harold Holland"),
        # A sentence that nobody has translated is English as a whole, whatever words of another are in it.
        (
            "fr",
            "half of it, as a printed game was; what the others got is open",
            "half of it, as a printed game was; what the others got is open",
        ),
        ("fr", "\u22125.00", "\u22125,00"),
        ("fr", "Ash, June", "Ash, June"),
        ("fr", "Wed 18 Nov", "mer. 18 nov."),
        ("de", "Sat 29 Feb", "Sa., 29. Feb."),
        ("fr", "in force from 2004-03-01", "en vigueur depuis le 1 mars 2004"),
        ("es", "rating and tables are not declared", "rating y tables no están declarados"),
        ("nl", "2012-04-18", "18 apr 2012"),
        ("de", "31 April 2026", "31 April 2026"),
        ("de", "Nothing that counts differs.", "Nichts, was zählt, ist anders."),
        ("nl", "Nobody's place or masterpoints change.", "Niemands plaats of masterpoints veranderen."),
        ("fr", "8 teams change.", "8 équipes changent."),
        ("es", "1 player changes.", "1 jugador cambia."),
        ("nl", "1 failed; a.json says what is wrong", "1 mislukt; a.json zegt wat er mis is"),
        ("de", "resultproc 0.2.0", "resultproc 0.2.0"),
        ("en", "0.63 (A)", "0.63 (A)"),
    ],
)
def test_what_people_read_is_said_in_their_language(language: str, text: str, said: str) -> None:
    with speaking(language):
        assert in_words(text) == said


def test_what_is_marked_as_data_stays_as_it_is_wherever_it_stands() -> None:
    for name in ("Total", "9 tables", "Tue 3 Nov 2026, Open Pairs", "line 3: Tue 17", "1.5", "{n}"):
        with speaking("de"):
            event = as_it_is(name)
            said = (event, f"{event} · 9 tables", f"{event}: Overall, stratum {event}", f"Lists of {event}")
            assert [in_words(text) for text in said] == [
                name,
                f"{name} · 9 Tische",
                f"{name}: Gesamtwertung, Stratum {name}",
                f"Listen von {name}",
            ]
        assert as_it_is(name) == name  # in English


@pytest.mark.parametrize("language", WHOLE)
def test_a_sheet_in_each_language_is_read_back(language: str, tmp_path: Path) -> None:
    said = ("--rating", "club-open", "--boards", 27, "--strata", "A=open,B=1000,C=200")
    english = run("award", WEDNESDAY).printed
    for name in ("sheet.txt", "sheet.xlsx"):
        run("award", WEDNESDAY, "--language", language, "-o", tmp_path / name)
        assert run("award", tmp_path / name).printed.replace("sheet", "wed") == english, name
    # A page has no member numbers, and so no list of the players by these.
    tuesday = FIXTURES / "series" / "tuesday-2026-01-06.csv"
    run("award", tuesday, "--language", language, "-o", tmp_path / "sheet.html")
    again = run("award", tmp_path / "sheet.html", "--rating", "club-open", "--boards", 24).printed
    assert run("award", tuesday).printed.partition("\nSection  Direction")[0].split() == again.split()
    screen = run("award", WEDNESDAY, "--language", language).printed
    assert "Section " not in screen.replace("Section  A", "") or language == "fr"
    assert "0,63 (A)  Mortimer Sams - Anne Anderson" in screen
    assert run("award", saved(tmp_path / "screen.txt", screen), *said).printed == english


def test_a_workbook_for_the_wall_is_in_german(tmp_path: Path) -> None:
    run("award", WEDNESDAY, "--language", "de", "-o", tmp_path / "sheet.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "sheet.xlsx").worksheets[1]
    texts = {cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)}
    assert {"Paar", "Namen", "Punkte", "Nord-Süd", "Ost-West", "Harold Holland – Betty Holland"} <= texts
    assert "Mittwoch, 18. April 2012" in " ".join(texts)


def test_what_a_game_is_called_is_no_word_of_the_catalogue(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    event, club = b"# event: Pairs\n# club: Average\n", re.compile(rb"(?m)^# (?:event|club):.*\n")
    game = saved(tmp_path / "in" / "game.csv", event + club.sub(b"", WEDNESDAY.read_bytes()))
    with speaking("de"):
        assert (in_words("Pairs"), in_words("Average")) != ("Pairs", "Average")
        page = html.document_fromstring(write(process(game)))
        run("batch", tmp_path / "in", "-o", tmp_path / "out", "--to", "html", "--index", "--language", "de")
    assert page.xpath("string(//title)") == "Pairs, Mittwoch, 18. April 2012, Average"
    assert page.xpath("//h1/text() | //p[@class='over']/text()") == ["Average", "Pairs"]
    index = html.document_fromstring((tmp_path / "out" / "index.html").read_bytes())
    assert {*index.xpath("//ul[@class='games']//a/text()")} == {"Pairs"}
    for name in ("sheet.txt", "sheet.xlsx"):
        run("award", game, "--language", "de", "-o", tmp_path / name)
    assert "Pairs" in (tmp_path / "sheet.txt").read_text("utf-8")
    assert openpyxl.load_workbook(tmp_path / "sheet.xlsx").worksheets[0]["A1"].value == "Pairs"


@pytest.mark.parametrize("language", WHOLE)
def test_a_listing_has_the_words_that_are_read(language: str) -> None:
    words = vocabulary()["listings"][NAMES[language]]
    with speaking(language):
        assert {label: in_words(label) for label in words} == words
    assert all(ABROAD[word] == label for label, word in words.items())


def test_the_settings_and_the_option_say_which_language_it_is(tmp_path: Path) -> None:
    game = saved(tmp_path / "game.csv", WEDNESDAY.read_bytes())
    saved(tmp_path / "resultproc.toml", 'language = "nl"\n')
    assert "Noord-Zuid" in run("award", game).printed
    assert "36 spelers" in run("players", game).printed
    assert "Norte-Sur" in run("award", game, "--language", "es").printed
    # Programs get the same in each language.
    assert run("award", game, "--to", "json").printed == run("award", game, "--to", "json", "--language", "en").printed
    saved(tmp_path / "resultproc.toml", 'club = "Ours"\nlanguage = "xx"\n')
    assert "there is no language 'xx'; known: en, de, es, fr, nl" in run("award", game).err
    # It is found however far down it stands, and told where it is of a table.
    saved(tmp_path / "resultproc.toml", f"{'# a line' * 50}\n" * 500 + 'club = "Ours"\nlanguage = "nl"\n')
    assert "Noord-Zuid" in run("award", game).printed
    for head in ("[weekday.monday]", "[site.pianola]", "[site]", "[players]", '[event."Pairs"]'):
        saved(tmp_path / "resultproc.toml", f'boards = 27\n{head}\nlanguage = "nl"\n')
        err = run("award", game).err
        assert f"language stands below {head.replace(chr(34), '')}, and is of the whole club" in err
        assert "write it above all tables" in err


def test_what_reads_no_game_speaks_as_the_settings_where_it_is_run_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "resultproc.toml", 'language = "de"\n')
    assert "SBU local points" in run("rules", "show", "sbu-club").printed
    monkeypatch.chdir(tmp_path)
    assert "Lokale Punkte der SBU\n  in Kraft ab 1. Aug. 2017" in run("rules", "show", "sbu-club").printed
    assert "Es verlangt von einem Turnier:" in run("sites", "show", "mempad").printed
    run("archive", "add", WEDNESDAY, "--to", "history")
    assert run("archive", "list", "history").printed.split()[:4] == ["Datum", "Turnier", "Turnier", "Quelle"]
    told = run("archive", "player", "history", "Ruta Allen").printed
    assert "1 Turnier dieses Archivs, 18. April 2012\n0,28 Masterpoints darin: 0,28 schwarz" in told
    joined = run("archive", "join", "history", "Ruta Allen", "Betty Camp").printed
    assert "Ruta Allen ist jetzt Betty Camp: 1 Zeile mehr in aliases.csv" in joined


def test_the_page_of_games_speaks_as_its_browser_does_until_the_settings_say(tmp_path: Path) -> None:
    window = Window(tmp_path)

    def spoken_to(**headers: str) -> str | None:
        return html.document_fromstring(window.get("/settings", **headers).data).get("lang")

    assert spoken_to() == "en"
    assert spoken_to(**{"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.8"}) == "fr"
    assert spoken_to(**{"Accept-Language": "pl,de;q=0.5"}) == "de"
    saved(tmp_path / "resultproc.toml", 'language = "nl"\n')
    assert spoken_to(**{"Accept-Language": "fr"}) == "nl"


def test_a_line_to_mend_is_named_in_the_language(tmp_path: Path) -> None:
    saved(tmp_path / "resultproc.toml", 'language = "fr"\n')
    window = Window(tmp_path)
    page = window.page(window.dropped(("pairs.txt", ALIGNED.replace(".", ",").encode())))
    assert page.xpath("//label[@class='field whole']/text()") == ["ligne 7"]
    # What is in the language already is not said again: "was" is an English word as well.
    saved(tmp_path / "resultproc.toml", 'language = "de"\n')
    old = window.dropped(("old.csv", WEDNESDAY.read_bytes().replace(b"2012-04-18", b"2005-04-18")))
    assert "keine Quelle sagt, was Clubturniere vor November 2008 zahlten" in window.text(old)


def test_what_french_has_before_a_colon_is_there_once_and_no_escape(tmp_path: Path) -> None:
    with speaking("fr"):
        once = in_words("9 tables, 18 pairs: A 5, B 7")
        assert (once, in_words(once)) == ("9 tables, 18 paires\u00a0: A 5, B 7",) * 2
    none = saved(tmp_path / "none.csv", WEDNESDAY.read_bytes().replace(b"# rating: club-open\n", b""))
    assert "\n      # rating: club-open\n" in run("award", none, "--language", "fr").err
    bad = saved(tmp_path / "bad.csv", WEDNESDAY.read_bytes().replace(b",60.19", b",6o.19"))
    said = "ligne 17, colonne 8\u00a0: nombre invalide\u00a0: «\u00a06o.19\u00a0»\u202f; est-ce 60,19\u202f?"
    assert said.split("\u00a0: ", 1)[1] in run("award", bad, "--language", "fr").err


def test_a_sealed_page_is_verified_in_its_language(tmp_path: Path) -> None:
    page = tmp_path / "sealed.html"
    run("award", WEDNESDAY, "--seal", "--language", "fr", "-o", page)
    assert html.fromstring(page.read_bytes()).get("lang") == "fr"
    assert run("verify", page).status == 0
    page.write_text(re.sub("0,63", "0,64", page.read_text("utf-8"), count=1), "utf-8")
    assert run("verify", page).status == 3
    assert languages()[0] == ENGLISH


WRONG = {
    "where": "line 10, column 7",
    "what": "invalid number: '4o'; write it as 133 or 133.50",
    "hint": "",
    "code": "a",
}
PICTURES = [{"file": f"{n}.jpg", "problems": [{**WRONG, "code": UNKNOWN}]} for n in range(12)]
LIKELY = {"where": "", "what": "N-S 4 is 11th instead of 8th", "hint": "", "code": min(LIKELY_MISTAKES)}


def of_ann() -> record.PlayerRecord:
    """Return the record of a player of two games."""
    won = dict.fromkeys(COLOURS, 0) | {"league": usual_league(), "percentage": 61.5, "tied": 1, "group_size": 9}
    game = won | {
        "rating": "club-open",
        "basis": "overall",
        "club": "East",
        "place": 2,
        "black": 63,
        "masterpoints": 63,
    }
    with_bob = game | {"event": "Open Pairs", "partner_key": "bob", "partner": "Bob Ray", "contestant": "A"}
    rows = [with_bob | {"game_id": day, "date": day} for day in ("1998-05-01", "2003-05-01")]
    ann = {"person": "ann", "player": "Ann Lee", "member": "J234567", "spellings": "Ann Lee; A. Lee", "unsure": 1}
    return record.record(ann, pd.DataFrame(rows).astype({"place": "Int64"}), [], Provenance())


def health(own: Sequence[str]) -> audit.Health:
    """Return how clubs of some names keep up."""
    day = pd.Timestamp("2026-01-06")
    games = pd.DataFrame(
        {
            "game_id": ["a", "b"],
            "date": [day, day],
            "club": own[:2],
            "event": own[2:4],
            "source": own[4:6],
            "source_hash": ["1", "2"],
            "came": [day, day + pd.Timedelta(days=30)],
        }
    )
    wrong = pd.DataFrame(
        {"game_id": ["a"], "what": ["the seal of this page is damaged"], "where": ["line 3"], "hint": [""]}
    )
    refused = pd.DataFrame([{"club": own[0], "file": own[6], "since": "2026-01-06", **wrong.iloc[0]}])
    return audit.health(games, {"failed": wrong, "doubtful": wrong, "refused": refused}, (None, None), 7)


def game_pages(folder: Path) -> dict[str, Callable[[], bytes]]:
    """Return what makes the pages of some games and reports, which are read and awarded once.

    What a report prints on a terminal is below, with ``text`` before its name.
    """
    wednesday = process(WEDNESDAY)
    sheet = read(WEDNESDAY)
    boards = FIXTURES / "made-two-games.ACM"
    played = with_boards(process(boards), [boards])
    knockout = process(FIXTURES / "knockout-example.csv")
    series_of = process(*sorted((FIXTURES / "series").glob("*.csv")))
    corrected = saved(folder / "corrected.csv", WEDNESDAY.read_bytes().replace(b"130.00,60.19", b"134.00,62.04"))
    wrong = saved(folder / "w.csv", WEDNESDAY.read_bytes().replace(b"0.63,A", b"0.64,A"))
    limits = whatif.Asked({}, pattern("A=open, B=*, C=*"))
    told: dict[str, tuple[ModuleType, tuple[Any, ...]]] = {
        "check": (check, (check.check(WEDNESDAY, wrong, folder / "absent.csv"),)),
        "players": (players, (players.players(joined_sheets([read(FIXTURES / "made-charity.json")])),)),
        "series": (series, (series.series(series_of, series.Method.MASTERPOINTS),)),
        "explain": (explain, (wednesday, explain.explain(wednesday, 0))),
        "explain nothing": (explain, (wednesday, explain.explain(wednesday, 8))),
        "amend": (amend, (amend.amend(WEDNESDAY, corrected),)),
        "compare": (compare, (compare.compare(sheet, ["acbl-club", "acbl-club-2023"]),)),
        "chart": (chart, (chart.chart(sheet.games, 7.5),)),
        "whatif": (whatif, (whatif.whatif(sheet, whatif.Asked({"rating": "stac"}, need="A-NS-6")),)),
        "limits": (whatif, (whatif.whatif(read(FIXTURES / "made-charity.json"), limits),)),
        "lint": (lint, (lint.lint(FIXTURES / "made-wednesday.json", understood=True),)),
        "infer": (infer, (infer.infer(load_source(WEDNESDAY), anew=True),)),
        "record": (record, (of_ann(),)),
        "health": (audit, (health(["", "East", "Nr 7", "Nr 8", "a.csv", "b.csv", "c.csv"]),)),
    }
    made = {
        f"{name}{kind}": partial(module.WRITERS[format], *of)
        for name, (module, of) in told.items()
        for format, kind in (("html", ""), ("text", " as text"))
        if format in module.WRITERS
    }
    return {
        "wednesday": lambda: write(wednesday),
        "boards": lambda: write(played, recap=True),
        "knockout": lambda: write(knockout),
        "who": lambda: explain.LIST_WRITERS["html"](wednesday, None),
        "to-do": lambda: to_do_page(
            [{"file": "wed.csv", "problems": [WRONG]}, *PICTURES],
            [{"file": "tue.csv", "remarks": [LIKELY]}],
        ),
        "summary": lambda: summary.files(summed_up(), summary.Run("history"))["summary.html"].encode(),
        **made,
        **{" ".join(asked): partial(on_a_terminal, *asked) for asked in ASKED},
    }


ASKED = (("rules", "list"), ("sites", "list"), *(("sites", "show", site.id) for site in sites()))


def on_a_terminal(*asked: str) -> bytes:
    """Return what a command prints, without what it cites, which stands below what a site asks."""
    printed = run(*asked, "--language", spoken.language()).printed
    return re.sub(r"(?m)^ {4,}.*\n", "", printed).encode()


ASKS = """\
# event: Pairs
# date: 2012-04-25
# rating: club-open
# strata: A=open, B=750
number,player1,mp1,player2,mp2,score
1,Ann Ash,900,Bob Elm,100,20
2,Cat Fir,30,Dan Oak,60,10
"""
"""A game that does not say how holdings stratify."""


def desk_pages(folder: Path) -> dict[str, Callable[[], bytes]]:
    """Return what makes the pages of a desk with a game in work and one to mend, in the club's language."""
    window = Window(folder)
    good = window.dropped(("wed.csv", WEDNESDAY.read_bytes()))
    bad = window.dropped(("bad.csv", WEDNESDAY.read_bytes().replace(b",60.19", b",6o.19")))
    kept = window.dropped(("kk.csv", (FIXTURES / "series" / "tuesday-2026-01-06.csv").read_bytes()))
    window.send(kept, "/save")
    left = window.dropped(("ll.csv", WEDNESDAY.read_bytes()))
    window.send(f"{left}?at=line+12", "/rows", how="leave")
    tuesday = (FIXTURES / "series" / "tuesday-2026-01-06.csv").read_bytes()
    again = window.dropped(("ag.csv", tuesday.replace(b"0000101,Ben", b"0000101,Bert").replace(b"62.50", b"50.00")))
    several = window.dropped(("ss.txt", ALIGNED.replace("45.00", "4S.00").encode()))
    stratum = window.dropped(
        ("st.csv", ASKS.replace("900", "").replace("# strata", "# stratify_by: average\n# strata").encode())
    )
    photo = window.dropped(("photo.jpg", b"\xff\xd8\xff\xe0" * 9))
    of_series = {"Autumn": "asks.csv", "Spring": "2026-01-06 kk.csv"}
    series = {name: {"games": [game], "method": "masterpoints"} for name, game in of_series.items()}
    saved(folder / "series.json", json.dumps(series))
    saved(window.desk.saved / "asks.csv", ASKS)
    paths = {"unread": photo, "asked": "/series/Autumn", "offered": "/saved?name=asks.csv"}
    paths |= {"desk": "/", "game": good, "row": f"{good}?at=line+12#row", "mend": bad, "settings": "/settings"}
    paths |= {"kept": kept, "month": "/month/2026-01", "publish": f"{kept}/publish", "from": "/from?file=wed.csv"}
    paths |= {"again": again, "left out": left, "several": several, "stratum": stratum, "of series": "/series/Spring"}
    paths |= {"settings saved": "/settings?saved=1", "made series": "/series?name=Spring", "gone": "/games/0"}

    (folder / "www").mkdir()
    sites = "[site]\naddress = '12 Elm Street'\n[site.folder]\nfolder = 'www'\n"
    saved(folder / "resultproc.toml", sites)

    def answer(path: str) -> bytes:
        saved(folder / "resultproc.toml", f'language = "{spoken.language()}"\n{sites}')
        return bytes(window.get(path).data)

    return {name: partial(answer, path) for name, path in {**paths, "series": "/series", "none": "/none"}.items()}


def site_pages(folder: Path) -> dict[str, Callable[[], bytes]]:
    """Return what gives the pages of a club's site."""
    (folder / "in").mkdir()
    for day in ("2026-11-03", "2026-11-10", "2026-10-17"):
        site_game(folder / "in", day, "Bo Ek, Anne Anderson", "Mortimer Sams, Louise Hagy")

    def given(name: str) -> bytes:
        saved(folder / "in" / "resultproc.toml", f'language = "{spoken.language()}"\n')
        out = folder / f"{spoken.language()}-{spoken.LOCALE.name}"
        if not out.is_dir():
            run("batch", folder / "in", "-o", out, "--to", "html", "--index", "--players")
        return next(out.glob(name)).read_bytes()

    return {
        name: partial(given, name) for name in ("index.html", "months/2026-11.html", "players/bo-ek*", "2026-11-10*")
    }


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[], bytes]]:
    """Return what makes each page, by its name."""
    folders = [tmp_path_factory.mktemp(name) for name in ("reports", "desk", "site")]
    desk = {f"open {name}": make for name, make in desk_pages(folders[1]).items()}
    return game_pages(folders[0]) | desk | site_pages(folders[2])


@pytest.fixture(scope="module")
def made(
    makers: dict[str, Callable[[], bytes]], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], dict[str, bytes]]:
    """Return the pages in a language by their names, each made once, without the folder that they name."""
    folder = str(tmp_path_factory.getbasetemp()).encode()
    known: dict[str, dict[str, bytes]] = {}

    def of(language: str) -> dict[str, bytes]:
        if language not in known:
            with speaking(language):
                known[language] = {name: make().replace(folder, b"") for name, make in makers.items()}
            speak(ENGLISH)
        return known[language]

    return of


_AS_IT_IS = "ancestor-or-self::*[self::style or self::script or self::pre or self::textarea or @translate='no']"
_IN_A_FILE = "ancestor::*[contains(@class, 'scrolls') or self::h1 or self::option or self::datalist]"


_CITES = re.compile(r"[0-9]+  | {3}[^ ](?!\. )| {9,}|.* = \"")
"""How lines of a text begin that cite a rule."""


@cache
def texts(page: bytes) -> frozenset[str]:
    """Return what a page says, without the names of players and what is quoted from files; or the lines of a text."""
    if not page.startswith(b"<!"):
        return frozenset(line.strip() for line in page.decode().splitlines() if not _CITES.match(line))
    tree = html.document_fromstring(page)
    said = tree.xpath(
        f"//text()[not({_AS_IT_IS}) and not({_IN_A_FILE}) and not(ancestor::th[@scope='row'][contains(@class, 'n')])]"
    )
    told = tree.xpath("//@aria-label | //@title[not(ancestor-or-self::*[@translate])]")
    return frozenset(text.strip() for text in (*said, *told))


@pytest.mark.parametrize("language", SHOWN)
def test_no_page_has_an_english_sentence_of_the_catalogue(
    language: str, made: Callable[[str], dict[str, bytes]]
) -> None:
    english, own = made(ENGLISH), made(language)
    with speaking(language):
        left = {
            (name, text)
            for name in own
            for text in texts(own[name]) & texts(english[name])
            if in_words(text) != text and not _CITED.search(text)
        }
    assert left == set()
    assert [name for name, page in own.items() if b"ufdd" in page] == []  # what is as it is is not shown as such
    assert all(f'<html lang="{language}">'.encode() in page for page in own.values() if page.startswith(b"<!"))


_WORD = re.compile(r"(?<![{\w'-])[a-z]{3,}(?![}\w-])")
_CITED = re.compile(
    r"web edition|acbl-|Handbook|Codification|% of |MPBOOK|[a-z]\.(csv|toml|rate)|[a-z],[a-z]|masterpoint$"
    r"|[0-9] may [0-9]"
)
"""What tells texts that are of a rule or a file."""


@pytest.mark.parametrize("language", SHOWN)
def test_no_page_has_an_english_word_of_the_catalogue(language: str, made: Callable[[str], dict[str, bytes]]) -> None:
    sentences = catalogue(language)
    own = {word.lower() for says in sentences.values() for text in says for word in re.findall(r"[^\W\d_]{3,}", text)}
    english = {word for said in sentences for text in said for word in _WORD.findall(text)} - own
    found = {
        (name, text)
        for name, page in made(language).items()
        for text in texts(page)
        if english.intersection(_WORD.findall(text)) and not _CITED.search(text) and name != "summary"
    }
    assert found == set()


@pytest.mark.parametrize(
    ("page", "said"), [("2026-11-10*", "← mar. 3 nov."), ("months/2026-11.html", "← octobre 2026")]
)
def test_what_was_before_has_its_day_in_the_language(
    page: str, said: str, made: Callable[[str], dict[str, bytes]]
) -> None:
    (earlier,) = html.document_fromstring(made("fr")[page]).xpath("//a[@rel='prev']")
    assert earlier.text_content() == said


def test_a_day_in_figures_is_said_and_sorts_as_before(made: Callable[[str], dict[str, bytes]]) -> None:
    days = html.document_fromstring(made("fr")["health"]).xpath("//table[@aria-labelledby='late']//time")
    assert [(day.get("datetime"), day.text) for day in days] == [
        ("2026-01-06", "6 janv. 2026"),
        ("2026-02-05", "5 févr. 2026"),
    ]


def test_the_picture_says_percentages_as_the_list_does(made: Callable[[str], dict[str, bytes]]) -> None:
    dots = html.document_fromstring(made("fr")["wednesday"]).xpath("//svg/a/text/text()")
    assert dots[0] == "Harold Holland – Betty Holland 65,05%"
    assert [dot for dot in dots if not re.search(r" [0-9]+,[0-9][0-9]%$", dot)] == []


def test_a_game_is_searched_for_by_its_day_in_the_language_or_in_english(
    made: Callable[[str], dict[str, bytes]],
) -> None:
    first = html.document_fromstring(made("fr")["index.html"]).xpath("string(//ul[@class='games']/li/@data-s)")
    assert first == "10 novembre 2026 | November 10, 2026 2026-11-10"


def test_pages_differ_only_in_words(made: Callable[[str], dict[str, bytes]]) -> None:
    def bare(page: bytes) -> str:
        text = re.sub(r"(?s)<(script|style)\b.*?</\1>|'sha256-[^']+'| lang=\"..\"|<meta name[^>]*>", "", page.decode())
        text = re.sub(r' (?:title|aria-label|placeholder|data-l|data-s|alt|content|value|name)="[^"]*"', "", text)
        return re.sub(r">[^<]+<", "><", re.sub(r" selected", "", text)) if page.startswith(b"<!") else ""

    def awards(page: bytes) -> Counter[str]:
        text = re.sub(r"(?s)<(script|style|pre)\b.*?</\1>|<[^>]*>", " ", page.decode())
        return Counter(number.replace(",", ".") for number in re.findall(r"(?<![\d.,])\d+[.,]\d\d(?![\d.,]*\d)", text))

    english = made(ENGLISH)
    for language in SHOWN:
        own = made(language)
        assert [name for name in english if bare(english[name]) != bare(own[name])] == [], language
        assert [name for name in english if awards(english[name]) != awards(own[name])] == [], language
    assert awards(english["wednesday"])["0.63"] > 0


@cache
def catalogue(language: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    with (LOCALE / language / "LC_MESSAGES" / "resultproc.po").open("rb") as file:
        return {_texts(each.id): _texts(each.string) for each in read_po(file) if each.id}


def _texts(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def test_the_catalogues_are_whole() -> None:
    assert [*languages()] == [ENGLISH, *sorted(WHOLE)]
    first = catalogue("de")
    for language in WHOLE:
        every = catalogue(language)
        assert every.keys() == first.keys()  # scripts/make-catalogues gives each what another has
        for said, own in every.items():
            assert all(own), (language, said)
            assert {*re.findall(r"\{\w+\}", " ".join(said))} >= {*re.findall(r"\{\w+\}", " ".join(own))}, said


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return as_module(PROJECT / "scripts" / "make-catalogues")


ROOMS = ("tables", "stages", "scoring", "people", "model", "web", "site", "pages", "formats", "rulebooks")
"""Where errors and remarks are made: much else there is for programs, or a part of what reports say."""

SPOKEN = ("reports", "publish", "cli", "archive", "batch")
"""Where any text may be one that a director sees."""

IN_ENGLISH = {
    "model/arrays.py": "frames, for programs",
    "model/frames.py": "frames, for programs",
    "model/json.py": "JSON, for programs",
    "model/plugins.py": "packages of others",
    "model/provenance.py": "a variable, for packagers",
    "archive/views.py": "meanings of columns, for programs and the documents",
    "batch/ledger.py": "questions to a database",
    "batch/metrics.py": "metrics, for programs",
    "cli/__init__.py": "help",
    "cli/options.py": "help",
    "reports/generate.py": "made names",
    "reports/new.py": "comments in a TOML file",
    "reports/json_types.py": "the schema",
}
IN_PARTS = {
    "section {} is an individual listed by direction, and what its fields pay in a ",
    "place {}/{} {} in {} is shared, and {} of those who share it",
    "the score {} of {} is {}, and its percentage is ",
    "{} in this file, but it should have ",
    "{} are tied at {}, and the places in the file part them{}",
    "write played1, played2, ... in percent; they add up to ",
    "contestant {} {} has no percentage {}",
    "Season: {} games, {{",
}
"""Sentences that the code makes of parts: the catalogues have them whole."""


PARTS = {
    "A list of who is who, CSV: player, member, club and is, as 'archive persons --unsure' has it.",
    "Show member numbers on a page and in a workbook, too; text, CSV and JSON have them.",
    " (in each session)",
    " (its boards change it by {})",
    " (the tables in two sections)",
    " For the second speaks {} under the first.",
    " at that time",
    " in session {}",
    " of session ",
    " that was removed or replaced",
    " to {}, {} tied,",
    "(not shown)",
    ", the game as it is",
    "1 file waits",
    "; the printed award is what ",
    "; to leave that one out: resultproc archive remove ARCHIVE {}",
    "The results of {} are attached.\n",
    "a line of aliases.csv stands for nobody in this archive: ",
    "as it was written: all follows from its own data",
    "bad allocation",
    "bar often",
    "create new event",
    "games besides",
    "in order",
    "is there",
    "is written; now you",
    "it is held against the points of the {}, and those of the",
    "it was begun, and nobody knows whether it arrived.",
    "its data, {} {}",
    "its values follow; its looks are not proven",
    "league='{}' if they are those of the {}",
    "lower(trim(club_now)) = lower(trim({}))",
    "may be there",
    "name the rulebook of before, {}, or ",
    "no player has a",
    "not in order",
    "of earlier states of the archive, or of runs which were interrupted",
    "one game",
    "only games that name it",
    "the game does not say it, and the run assumes: ",
    "the names, places, scores and awards that were compared follow from its own data; what it shows is not proven",
    "the result",
    "this file has a {} of the {}",
    "this run itself",
    "up to ",
    "was not sent",
    "was refused",
    "was there before",
    "{} -m pip install 'resultproc[{}]'",
    "{} Correct it, or leave it out",
    "{} file is",
    "{} files are",
    "{} files wait",
    "{} has no",
    "{} have no",
    "{} {} or less",
    "{}: the first explanation of each game{}",
    "{}; it is {}, and {} on it",
    "{}What has changed",
    "{}Who gains or loses",
    "  A rulebook of your own that extends {} explains more with",
    "  {} are printed. {}",
}
"""Pieces of sentences that the catalogues have whole, and what no director sees."""

FOR_PROGRAMS = re.compile(r"[\"=]|--(log|errors) json|^(how many|those (?!with)|what they|what the sheets)")


def test_what_the_source_says_to_people_is_in_the_catalogues(script: ModuleType) -> None:
    with (LOCALE / "de" / "LC_MESSAGES" / "resultproc.po").open("rb") as file:
        every = read_po(file)
    found = script.lacking(every, ROOMS)
    assert {text: name for text, name in found.items() if name not in IN_ENGLISH and text not in IN_PARTS} == {}
    assert {*found} >= IN_PARTS
    seen = script.lacking(every, SPOKEN, whole=True)
    left = {text: name for text, name in seen.items() if name not in IN_ENGLISH and not FOR_PROGRAMS.search(text)}
    assert {text: name for text, name in left.items() if text not in PARTS} == {}
    assert {*left} >= {text for text in PARTS if not FOR_PROGRAMS.search(text)}
    assert {*IN_ENGLISH} <= {*found.values(), *seen.values()}


_LONGER = re.compile(r"(?<![{\w])[^\W\d_]{3,}(?![}\w])")


@pytest.fixture
def lengthened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return a language whose words are those of English, each half as long again."""
    longer = Catalog("de")
    for said in catalogue("de"):
        own = [_LONGER.sub(lambda word: word[0] + word[0][: len(word[0]) // 2], text) for text in said]
        longer.add(said if len(said) > 1 else said[0], tuple(own) if len(own) > 1 else own[0])
    path = tmp_path / "de" / "LC_MESSAGES" / "resultproc.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, longer)
    monkeypatch.setattr(spoken, "LOCALE", tmp_path)
    caches = (spoken._spoken, spoken._said, design._script)
    for each in caches:
        each.cache_clear()
    yield "de"
    for each in caches:
        each.cache_clear()


@needs_browser
@pytest.mark.slow
def test_longer_words_have_room_on_a_phone(lengthened: str, makers: dict[str, Callable[[], bytes]], lab: Any) -> None:
    found = {}
    for name, make in makers.items():
        with speaking(lengthened):
            text = make().decode()
        if text.startswith("<!"):
            shown = looking(lab, 390, "light")
            shown.set_content(text)
            found[name] = shown.evaluate(MEASURE)
    assert found == dict.fromkeys(found, FITS)
