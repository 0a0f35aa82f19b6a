"""Whatever a player, event or club is called, no language changes it: names are sentences of the catalogue here.

Each output is made twice in German, of the same games: their names mean nothing once, and are sentences once. The first
one with the sentences put in for the names has to be the second one.
"""

import io
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from babel.messages.pofile import read_po
from conftest import ALL, FIXTURES
from lxml import html
from test_languages import health, of_ann

from resultproc.formats.read import read
from resultproc.formats.registry import Writer
from resultproc.model.frames import Result
from resultproc.model.language import ENGLISH, LOCALE, speak, speaking
from resultproc.model.plugins import named, names
from resultproc.reports import amend, audit, check, compare, explain, lint, players, record, series, whatif
from resultproc.stages.pipeline import for_players, process, with_boards
from resultproc.web.series import KeptSeries, report_of_series

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"
CALLED = (
    "Total",
    "9 tables",
    "2nd of 9 pairs overall",
    "Average",
    "May 1, Ann",
    "Tue 3 Nov 2026, Pairs",
    "2012-04-18",
    "Remarks: none",
    "Section A",
    "Overall · Pairs",
    "Pair 6",
    "North-South",
    "nothing",
    "1.50",
)
"""What is said otherwise in German, as a whole or in parts."""


def called(number: int) -> list[str]:
    """Return names of many kinds: those above, and sentences of the catalogue that have room in a cell."""
    with (LOCALE / "de" / "LC_MESSAGES" / "resultproc.po").open("rb") as file:
        texts = [each.id for each in read_po(file) if isinstance(each.id, str)]
    short = [text for text in texts if re.fullmatch(r"[A-Z][A-Za-z ,:-]{3,21}", text)]
    return list(dict.fromkeys([*CALLED, *random.Random(64).sample(short, number)]))[:number]


def without_meaning(name: str, seed: int) -> str:
    """Return a text of the same shape that no catalogue has."""
    draw = random.Random(seed)
    letters = re.sub("[0-9]", lambda _: draw.choice("6789"), name)
    return re.sub(
        r"[^\W\d]", lambda each: (str.upper if each[0].isupper() else str)(draw.choice("bcdfghjkqvwxz")), letters
    )


def renamed(result: Any, own: Iterator[str]) -> Any:
    """Return the same with other names of events, clubs, who answers for them, and players."""
    games, contestants = result.games.copy(), result.contestants.copy()
    for name in ("event", "club", "contact"):
        games[name] = [next(own) for _ in range(len(games))]
    for name in (each for each in contestants if re.fullmatch("player[0-9]+", str(each))):
        contestants[name] = [next(own) if isinstance(text, str) else text for text in contestants[name]]
    return replace(result, games=games, contestants=contestants)


def outputs(folder: Path, own: Sequence[str]) -> dict[str, Callable[[], bytes]]:
    """Return what makes each output of games with these names."""
    sheet = renamed(read(WEDNESDAY), iter(own))
    wednesday = for_players(renamed(process(WEDNESDAY), iter(own)))
    two = FIXTURES / "made-two-games.ACM"
    boards = renamed(with_boards(process(two), [two]), iter(own))
    knockout = renamed(process(FIXTURES / "knockout-example.csv"), iter(own))
    folder.mkdir()
    paths = [folder / "game.json", folder / "other.json"]
    paths[0].write_bytes(json_of(wednesday))
    paths[1].write_bytes(
        json_of(wednesday).replace(b"133.0", b"134.0").replace(b"61.57", b"62.04").replace(b'"0.63"', b'"0.64"')
    )
    made: dict[str, Callable[[], bytes]] = {}
    for kind, result in (("wednesday", wednesday), ("boards", boards), ("knockout", knockout)):
        for name in names("writers"):
            writer: Writer = named("writers", name)
            if kind == "wednesday" or name in ("text", "html", "xlsx"):
                made[f"{kind} as {name}"] = partial(writer.write, result)
            if kind == "boards" and writer.recap:
                made[f"recap as {name}"] = partial(writer.recap, result)
    ann = of_ann()
    games = ann.games.assign(event=own[0], club=own[1], partner=own[2])
    ann = replace(ann, person={**ann.person, "player": own[3], "spellings": f"{own[3]}; {own[4]}"}, games=games)
    told: Mapping[str, tuple[Any, tuple[Any, ...]]] = {
        "explain": (explain, (wednesday, explain.explain(wednesday, 0))),
        "players": (players, (players.players(sheet),)),
        "series": (series, (series.series(wednesday, series.Method.MASTERPOINTS),)),
        "compare": (compare, (compare.compare(sheet, ["acbl-club", "acbl-club-2023"]),)),
        "whatif": (whatif, (whatif.whatif(sheet, whatif.Asked({"rating": "stac"}, need="A-NS-6")),)),
        "check": (check, (check.check(*paths),)),
        "amend": (amend, (amend.amend(*paths),)),
        "lint": (lint, (lint.lint(*paths, understood=True),)),
        "record": (record, (ann,)),
        "health": (audit, (health(own),)),
    }
    for name, (module, given) in told.items():
        for format, write in module.WRITERS.items():
            if (name, format) != ("record", "json"):  # of what an archive alone has
                made[f"{name} as {format}"] = partial(write, *given)
    made |= {f"who as {format}": partial(write, wednesday, None) for format, write in explain.LIST_WRITERS.items()}
    return made


def json_of(result: Result) -> bytes:
    return bytes(named("writers", "json").write(result))


def said(data: bytes) -> list[str]:
    """Return the texts of an output: cells, lines, or what a page says, without hashes and what is cut off."""
    texts = (" ".join(re.sub("[0-9a-f]{8,}", "#", text).split()) for text in _texts(data))
    return [text for text in texts if "…" not in text]


def _texts(data: bytes) -> list[str]:
    if data.startswith(b"PK"):
        book = openpyxl.load_workbook(io.BytesIO(data))
        cells = (cell.value for sheet in book for row in sheet.iter_rows() for cell in row)
        return [*map(str, cells), *book.sheetnames]
    if data.startswith(b"<") and b"</" in data and not data.startswith(b"<?xml"):
        own = "//text()[not(ancestor::script or ancestor::style)] | //@aria-label | //@title | //@data-l | //@content"
        return [*map(str, html.document_fromstring(data.decode()).xpath(own))]
    code = "cp1252" if b"\xb7" in data.replace(b"\xc2\xb7", b"") else "utf-8-sig"
    return data.decode(code).splitlines()


@pytest.fixture(scope="module")
def bare() -> Iterator[tuple[list[str], list[str]]]:
    """Return names without meaning, and the sentences that stand for them."""
    sentences = called(180)
    yield [without_meaning(name, seed) for seed, name in enumerate(sentences)], sentences
    speak(ENGLISH)


def test_a_series_is_called_as_its_club_calls_it() -> None:
    tuesday = FIXTURES / "series" / "tuesday-2026-01-06.csv"
    made = KeptSeries((tuesday.name,), series.Method.MASTERPOINTS)
    with speaking("de"):
        page = html.document_fromstring(report_of_series("Pairs", made, [tuesday], None).page())
    assert page.xpath("//h1/text()") == ["Pairs"]
    assert page.xpath("string(//title)").startswith("Pairs, 1 Turnier, 6. Januar 2026")
    (none,) = page.xpath("//footer//p[starts-with(., 'Kein Bonus')]/text()")
    assert none.startswith("Kein Bonus: eine Serie, die einen zahlt, braucht 4 Turniere oder mehr (ACBL Handbook")


def test_a_file_is_called_as_it_is_wherever_a_page_names_it(tmp_path: Path) -> None:
    path = tmp_path / "Total, Average.csv"
    path.write_bytes(WEDNESDAY.read_bytes())
    result = process(path)
    with speaking("de"):
        page = html.document_fromstring(bytes(named("writers", "html").write(result)))
    assert page.xpath("//footer//span[starts-with(@title, 'SHA-256')]/text()") == ["Total, Average.csv"]


@pytest.mark.slow
def test_no_name_is_said_otherwise_whatever_it_is(bare: tuple[list[str], list[str]], tmp_path: Path) -> None:
    plain, sentences = bare
    stand_for = dict(zip(plain, sentences, strict=True))
    any_of = re.compile("|".join(sorted(map(re.escape, plain), key=len, reverse=True)))
    with speaking("de"):
        one, other = (outputs(tmp_path / name, own) for name, own in (("plain", plain), ("said", sentences)))
        for name, make in [*one.items()][:: 1 if ALL else 2]:  # of each report and result some formats, and each format
            german, own = "\n".join(sorted(said(make()))), sorted(said(other[name]()))
            assert sorted(any_of.sub(lambda found: stand_for[found[0]], german).split("\n")) == own, name
            assert not re.search("[\ufdd0\ufdd1]", german), name
