"""Seals: what is sealed verifies, and whatever is changed in it is found, and whose it is."""

import base64
import io
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import pytest
from conftest import ALL, FIXTURES, run, saved
from openpyxl import load_workbook
from samples import SAMPLES, declared_reports, real
from sealed import mutation, packed

from resultproc.formats.registry import Writer
from resultproc.model import frames
from resultproc.model.errors import InputError
from resultproc.model.json import json_text
from resultproc.model.plugins import named
from resultproc.model.source import Source
from resultproc.pages import design
from resultproc.reports import seals as module
from resultproc.reports import verify as report
from resultproc.reports.seals import HIDDEN, SigningKey, data_of, digest, result_sum, seal_of, sealed, signed, verify
from resultproc.stages.pipeline import process, process_event, with_boards

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"
SATURDAY = (FIXTURES / "event/saturday-morning.csv", FIXTURES / "event/saturday-afternoon.csv")
GAMES: dict[str, tuple[Path, ...]] = {
    "club": (FIXTURES / "made-wednesday.csv",),
    "site": (FIXTURES / "made-wednesday.json",),
    "event": SATURDAY,
}
FORMATS = ("html", "json", "xlsx")


def writer(to: str) -> Writer:
    found: Writer = named("writers", to)
    return found


@cache
def result(name: str) -> frames.Result:
    files = GAMES[name]
    return with_boards((process_event if name == "event" else process)(*files), files, one_event=name == "event")


@pytest.fixture(scope="module", autouse=True)
def awarded_once() -> Iterator[None]:
    """Award the same data once: in most files something else is changed than the data."""
    known: dict[str, frames.Result] = {}

    def recomputed(data: Any, award: Callable[[Any], frames.Result] = module.recomputed) -> frames.Result:
        text = json.dumps(data)
        if text not in known:
            known[text] = award(data)
        return known[text]

    with patch.object(module, "recomputed", recomputed):
        yield


@cache
def seal(name: str, to: str) -> bytes:
    return sealed(result(name), writer(to))


def sealed_again(entries: dict[str, Any]) -> bytes:
    """Return sealed JSON with the seal of the data that are in it now."""
    data = {name: value for name, value in entries.items() if name != "seal"}
    entries["seal"] |= {"sha256": digest(data), "result": result_sum(data)}
    return json_text(entries).encode()


def found(data: bytes) -> list[str]:
    return [str(each) for each in verify(Source("file", data)).findings]


# Whatever is changed


@pytest.mark.slow
def test_a_changed_award_is_told_with_what_follows(tmp_path: Path) -> None:
    page, book, data = tmp_path / "sheet.html", tmp_path / "sheet.xlsx", tmp_path / "sheet.json"
    assert run("award", WEDNESDAY, "--seal", "-o", page, "-o", book, "-o", data).status == 0
    said = run("verify", page, book, data)
    assert said.status == 0
    assert said.out.count("all follows from its own data, of 18 contestants") == 3
    assert "A seal is no signature" in said.out
    # 5 N-S won the 3rd place of 7 in B: 50% of 0.08 x 7.
    text = page.read_text("utf-8")
    assert text.count('<span class="mp">0.28</span>') == 1
    page.write_text(text.replace('<span class="mp">0.28</span>', '<span class="mp">0.38</span>', 1), "utf-8")
    sheets = load_workbook(book)
    (cell,) = (row[8] for row in sheets["A"].iter_rows(max_row=16) if row[3].value == 5)
    assert cell.value == 0.28
    cell.value = 0.38
    sheets.save(book)
    entries = json.loads(data.read_text("utf-8"))
    entries["games"][0]["contestants"][4]["masterpoints"] = "0.38"
    data.write_text(json.dumps(entries), "utf-8")
    said = run("verify", page, book, data)
    assert said.status == 3
    assert "sheet.html: Ruta Allen – Betty Camp: '0.38', but '0.28' follows" in said.out
    assert re.search(r"sheet.xlsx: sheet 'A', cell I[0-9]+: '0.38', but '0.28' follows", said.out), said.out
    assert "A-NS-5 Ruta Allen – Betty Camp: its data, masterpoints: '0.38', but '0.28' follows" in said.out
    assert said.out.count("does not follow from its own data") == 3


@pytest.mark.slow
def test_a_name_that_is_changed_and_sealed_again_is_not_found() -> None:
    """A seal is no signature: names follow from nothing. An award does follow, whatever the seal says."""
    entries = json.loads(seal("club", "json"))
    entries["games"][0]["contestants"][0]["players"][0]["name"] = "Ada Fir"
    assert verify(sealed_again(entries)).passes()
    entries["games"][0]["contestants"][0]["masterpoints"] = "9.44"
    assert found(sealed_again(entries)) == [
        "A-4 Ada Fir – Ben Teak: its data, masterpoints: '9.44', but '0.94' follows"
    ]


@pytest.mark.parametrize(
    ("text", "instead", "says"),
    [
        (">Wednesday Pairs</h1>", ">Championship</h1>", "'Championship', but 'Wednesday Pairs' follows"),
        ("</table>", "<tr><td>10</td></tr></table>", "'10', which does not follow"),
        (
            '"masterpoints":"0.94"',
            '"masterpoints":"9.94"',
            "Ben Teak: its data, masterpoints: '9.94', but '0.94' follows",
        ),
        ('"name":"Ada Spruce"', '"name":"Ada Fir"', "'Ada Spruce – Ben Teak', but 'Ada Fir – Ben Teak' follows"),
        *(
            (text, instead, "its bytes are not those that it was written with")
            for text, instead in (
                ("</head>", "<style>.mp { font-size: 0 }</style></head>"),
                ("</body>", '<script src="other.js"></script></body>'),
                ('<td class="pct">', '<td class="pct" style="display: none">'),
                ('<th scope="row"', '<!--a--><th scope="row"'),
                ("\n", "\r\n"),
            )
        ),
    ],
)
def test_what_else_is_changed_in_a_page_is_found(text: str, instead: str, says: str) -> None:
    page = seal("club", "html").decode()
    assert text in page
    assert any(says in each for each in found(page.replace(text, instead, 1).encode()))


@pytest.mark.slow
def test_a_row_that_is_missing_or_in_another_place_is_found() -> None:
    page = seal("club", "html").decode()
    rows = [each[0] for each in re.finditer(r'<tr id="r\d+">.*?</tr>\n(<tr class="why".*?</tr>\n)?', page)]
    assert any("Ada Spruce" in each for each in found(page.replace(rows[0], "").encode()))
    swapped = page.replace(rows[2] + rows[3], rows[3] + rows[2])
    assert swapped != page
    assert any("Hans Quince" in each for each in found(swapped.encode()))


# Nothing changed


MADE = sorted(path for path in FIXTURES.glob("made-*.*") if path.suffix != ".toml")
TWICE = (
    *("made-charity.csv", "made-qualifier.ACA", "made-regular.ACA"),
    *(path.name for files in GAMES.values() for path in files),
)
"""Those of GAMES are sealed in all formats anyhow; of the charity game and of files of one program one will do."""


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in MADE if ALL or path.name not in TWICE], ids=lambda path: path.name)
def test_all_fixtures_verify_in_all_formats(path: Path) -> None:
    whole = with_boards(process(path), [path])
    # Each in another format is enough for every run.
    for to in FORMATS if ALL else [FORMATS[MADE.index(path) % len(FORMATS)]]:
        assert verify(sealed(whole, writer(to))).contestants == len(whole.contestants)


@real
@pytest.mark.slow
@pytest.mark.parametrize("to", ["html", "xlsx"])
def test_real_files_verify(to: str, tmp_path: Path) -> None:
    files = [*SAMPLES.glob("gamefiles/game*.AC?"), *SAMPLES.glob("acbl-live-club-*.json"), *declared_reports(tmp_path)]
    assert files
    for path in sorted(files) if ALL else sorted(files)[16 * (to == "html") :: 33]:
        whole = with_boards(process(path), [path])
        assert verify(sealed(whole, writer(to))).contestants == len(whole.contestants), path.name


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_outputs_are_the_same_but_for_the_seal(name: str) -> None:
    without = {to: writer(to).write(result(name)) for to in FORMATS}
    page = seal(name, "html").decode()
    page = re.sub(r'<script type="application/vnd.*?</script>\n', "", re.sub(r"<p>Sealed: .*?</p>\n", "", page))
    assert page.encode() == without["html"]
    entries = json.loads(seal(name, "json"))
    del entries["seal"]
    assert (json.dumps(entries, ensure_ascii=False, indent=1) + "\n").encode() == without["json"]
    with ZipFile(io.BytesIO(seal(name, "xlsx"))) as one, ZipFile(io.BytesIO(without["xlsx"])) as other:
        about_sheets = {"[Content_Types].xml", "docProps/app.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
        for part in set(other.namelist()) - about_sheets - {"xl/sharedStrings.xml"}:
            # A sealed workbook has the percentages that formulas of the scores compute elsewhere.
            assert one.read(part) == re.sub(rb"<f>[^<]*</f>", b"", other.read(part)), part


@pytest.mark.slow
def test_sealed_files_are_the_same_every_time_and_of_one_result() -> None:
    assert sealed(result("club"), writer("html")) == seal("club", "html")
    sums = {verify(seal("club", to)).result_sums[0] for to in FORMATS}
    assert len(sums) == 1
    assert sums.pop() in seal("club", "html").decode().partition("<footer>")[2]


@pytest.mark.slow
@pytest.mark.parametrize("to", ["json", "xlsx"])
def test_sealed_files_are_read_as_others(to: str) -> None:
    again = process(Source("made-wednesday", seal("club", to)))
    assert again.awards["masterpoints"].tolist() == result("club").awards["masterpoints"].tolist()  # type: ignore[index]
    assert not [each for each in again.remarks if "sheet" in each.where]


@pytest.mark.slow
def test_what_a_browser_shows_besides_is_found() -> None:
    page, start, end = seal("club", "html"), b'<span class="mp">', b"</body>"
    for text in (b"<b>9.99</b>", b"<!--><b>9.99</b><!-- -->", b"<!-- a comment -->", b"\0<b>9.99</b>"):
        changed = [text + page, page + text, page.replace(end, text + end), page.replace(start, start + text, 1)]
        assert page not in changed
        assert all(map(found, changed)), text


@pytest.mark.slow
def test_json_in_another_order_and_layout_has_the_same_values() -> None:
    entries = json.loads(seal("club", "json"))
    for layout in ({"sort_keys": True}, {"indent": 4}, {"separators": (",", ":")}):
        verified = verify(json.dumps(entries, **layout).encode())
        assert verified.passes(values=True)
        assert not verified.passes()


@pytest.mark.slow
def test_a_formula_is_found_whatever_value_is_saved_beside_it() -> None:
    target = io.BytesIO()
    with ZipFile(io.BytesIO(seal("club", "xlsx"))) as file, ZipFile(target, "w") as changed:
        for each in file.infolist():
            content = re.sub(rb"(<v>0\.[0-9]+</v></c></row>)", rb"<f>9.99</f>\1", file.read(each), count=1)
            changed.writestr(each, content)
    assert "a formula: 'xl/worksheets/sheet1.xml', which does not follow" in found(target.getvalue())


@pytest.mark.slow
def test_a_workbook_that_another_program_saved_is_still_right() -> None:
    file = io.BytesIO()
    load_workbook(io.BytesIO(seal("club", "xlsx"))).save(file)
    verified = verify(file.getvalue())
    assert not verified.findings
    assert not verified.passes()
    assert verified.passes(values=True)
    first, second, *_ = report.text([verified]).splitlines()
    assert b": its values follow; its looks are not proven, of 11 contestants" in first
    assert b"another program has saved it, and only its values were compared" in second


@pytest.mark.slow
def test_fragments_are_verified_in_the_page_that_they_are_in() -> None:
    one, other = (sealed(result(name), writer("html-fragment")) for name in ("club", "event"))
    page = b"<!DOCTYPE html><html><body><h1>Our club</h1>" + one + b"<hr>" + other + b"</body></html>"
    verified = verify(page)
    assert not verified.findings
    assert verified.contestants == 19
    assert "the page around the fragment is not compared" in str(verified.remarks[0])
    assert not verified.passes()
    assert verified.passes(values=True)
    assert verify(one).passes()
    (said,) = found(page.replace(b'<span class="mp">0.94</span>', b"0.95", 1))
    assert said == "Ada Spruce – Ben Teak: '0.95', but '0.94' follows"


# What it looks like


def repacked(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """Return a workbook whose parts are changed, packed as it was."""
    with ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    change(parts)
    return packed(parts)


def with_text(part: str, text: str, instead: str) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        changed = parts[part].replace(text.encode(), instead.encode(), 1)
        assert changed != parts[part]
        parts[part] = changed

    return change


def with_part(name: str, content: str) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.update({name: content.encode()})


SHEET = "xl/worksheets/sheet1.xml"
DRAWING = '<xdr:wsDr xmlns:xdr="urn:x" xmlns:a="urn:a"><a:t>Eve won 9.99</a:t></xdr:wsDr>'
LOOKS = {
    "number format": with_text("xl/styles.xml", 'numFmtId="2"', 'numFmtId="1"'),
    "white font": with_text("xl/styles.xml", '"Calibri"/><sz', '"Calibri"/><color rgb="FFFFFFFF"/><sz'),
    "hidden row": with_text(SHEET, '<row r="9"', '<row r="9" hidden="1"'),
    "merged": with_text(SHEET, "</sheetData>", '</sheetData><mergeCells><mergeCell ref="A9:I9"/></mergeCells>'),
    "hidden sheet": with_text("xl/workbook.xml", 'sheetId="1" state="visible"', 'sheetId="1" state="hidden"'),
    "text box": with_part("xl/drawings/drawing1.xml", DRAWING),
    "macro": with_part("xl/vbaProject.bin", "\1\2"),
    "footer": with_text(SHEET, "<oddHeader></oddHeader>", "<oddHeader>9.99</oddHeader>"),
}
"""What is done to a workbook so that it shows something else, though its cells hold the same values."""


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_what_looks_otherwise_in_a_workbook_is_not_proven(name: str) -> None:
    verified = verify(repacked(seal("club", "xlsx"), LOOKS[name]))
    assert not verified.findings
    assert not verified.passes()
    assert verified.passes(values=True)
    assert "its values follow; its looks are not proven" in report.text([verified]).decode()


@pytest.mark.slow
def test_a_workbook_is_as_it_was_written_only_with_nothing_around_its_parts() -> None:
    book = seal("club", "xlsx")
    assert verify(repacked(book, lambda parts: None)).passes()
    with ZipFile(io.BytesIO(book)) as file:
        (own,) = (name for name in file.namelist() if b"<t>|" in file.read(name))
    assert not verify(repacked(book, with_text(own, "<t>|", "<t>|Eve won 9.99|</t><t>|"))).passes()
    around = [book + b"x", book[:-2] + b"\1\0x", book[:30] + book]
    other = io.BytesIO(book)
    with ZipFile(other, "a") as file:
        file.comment = b"9.99"
    for data in [*around, other.getvalue()]:
        try:
            assert not verify(data).passes()
        except InputError:
            continue


TYPE = (
    '<Override PartName="/xl/{}" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{}+xml"/></Types>'
)
LEADS = (
    '<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{}" Target="{}" '
    'Id="rId{}"/></Relationships>'
)
RELATED = "xl/_rels/workbook.xml.rels"


def with_lists(types: list[tuple[str, str]], leads: list[tuple[str, str, int]]) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        for name, kind in types:
            with_text("[Content_Types].xml", "</Types>", TYPE.format(name, kind))(parts)
        for kind, target, number in leads:
            with_text(RELATED, "</Relationships>", LEADS.format(kind, target, number))(parts)

    return change


APART = {
    "two parts of strings": with_lists(
        [("a.xml", "sharedStrings"), ("b.xml", "sharedStrings")], [("sharedStrings", "b.xml", 99)]
    ),
    "another part of strings": with_lists([("a.xml", "sharedStrings")], [("sharedStrings", "b.xml", 99)]),
    "no relationship": with_lists([("a.xml", "sharedStrings")], []),
    "two relationships": with_lists(
        [("a.xml", "sharedStrings")], [("sharedStrings", "a.xml", 98), ("sharedStrings", "b.xml", 99)]
    ),
    "one id twice": with_lists([], [("worksheet", "/xl/worksheets/sheet2.xml", 1)]),
    "two types": with_lists([("worksheets/sheet1.xml", "chartsheet")], []),
    "another kind": with_text(RELATED, "relationships/worksheet", "relationships/chartsheet"),
    "other styles": with_text(RELATED, '"styles.xml"', '"styles2.xml"'),
    "other case": lambda parts: parts.update({"XL/Styles.xml": parts["xl/styles.xml"]}),
}


@pytest.mark.parametrize("name", APART)
def test_a_workbook_that_programs_read_differently_is_refused(name: str, tmp_path: Path) -> None:
    file = saved(tmp_path / "sheet.xlsx", repacked(seal("club", "xlsx"), APART[name]))
    for command in ("award", "verify"):
        refused = run(command, file)
        assert refused.status == 1
        assert "sheet.xlsx: " in refused.err


# What is held of players


def test_a_page_holds_no_more_of_players_than_it_shows() -> None:
    page = seal("club", "html").decode()
    assert all(number not in page for number in ("0002006", "1796", "5086"))
    for name in ("id", "holding", "printed"):
        assert f'"{name}":' not in page


@pytest.mark.slow
def test_holdings_are_in_a_page_where_its_awards_depend_on_them_and_one_says_so(tmp_path: Path) -> None:
    game = FIXTURES / "regional-open-pairs-2022-06-18.csv"
    page = tmp_path / "sheet.html"
    refused = run("award", game, "--seal", "-o", page)
    assert refused.status == 1
    assert not page.exists()
    assert "these awards depend on what a page does not show: masterpoints held (--seal-holdings puts" in refused.err
    assert run("award", game, "--seal-holdings", "-o", page).status == 0
    text = page.read_text("utf-8")
    assert '"holding":' in text
    assert '"id":' not in text
    assert run("verify", page).status == 0
    # JSON has them anyhow, and so have workbooks.
    assert run("award", game, "--seal", "-o", tmp_path / "sheet.json").status == 0


@pytest.mark.slow
def test_what_needs_no_holdings_gets_none(tmp_path: Path) -> None:
    page = tmp_path / "sheet.html"
    assert run("award", FIXTURES / "made-wednesday.csv", "--seal-holdings", "-o", page).status == 0
    assert '"holding":' not in page.read_text("utf-8")


def test_formats_without_a_seal_are_refused(tmp_path: Path) -> None:
    for arguments in (["--seal"], ["--seal", "-o", tmp_path / "sheet.csv"], ["--seal", "--to", "usebio"]):
        refused = run("award", WEDNESDAY, *arguments)
        assert refused.status == 2
        assert "cannot hold a seal, html, html-fragment, json and xlsx can" in refused.err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_rulebook_of_ones_own_cannot_be_sealed(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('extends = "acbl-club"\n[section.rate.club-open]\nvalue = 0.20\n', "utf-8")
    refused = run("award", WEDNESDAY, "--rules", tmp_path / "own.toml", "--seal", "-o", tmp_path / "sheet.html")
    assert refused.status == 1
    assert "a seal needs a rulebook that everybody has" in refused.err


@pytest.mark.slow
def test_remarks_and_the_time_are_sealed_as_they_are(tmp_path: Path) -> None:
    game = tmp_path / "game.csv"
    game.write_text((FIXTURES / "made-wednesday.csv").read_text("utf-8").replace("0002003", "0002000"), "utf-8")
    page = tmp_path / "sheet.html"
    assert run("award", game, "--seal", "--time", "--remarks", "-o", page).status == 0
    assert "game.csv: " in page.read_text("utf-8").partition("<h2>Remarks</h2>")[2]
    assert run("verify", page).status == 0
    assert run("award", game, "--seal", "-o", page).status == 0
    assert run("verify", page).status == 0


# Other rules, other versions


def with_data(change: Callable[[Any], None]) -> bytes:
    """Return sealed JSON whose data were others when it was sealed."""
    entries = json.loads(seal("club", "json"))
    change(entries)
    return sealed_again(entries)


def test_other_tables_are_remarked_on() -> None:
    def other_tables(entries: Any) -> None:
        entries["provenance"]["rulebooks"]["acbl-club-2023"]["sha256"] = "0" * 64

    verified = verify(with_data(other_tables))
    assert not verified.findings
    assert "the tables of rulebook acbl-club-2023 are others than when this was sealed" in str(verified.remarks[0])


def test_what_another_version_words_otherwise_is_remarked_on_and_awards_are_compared() -> None:
    def older(entries: Any) -> None:
        entries["provenance"]["program"] = "resultproc 0.0.9"
        entries["games"][0]["contestants"][0]["paid_by"]["rule"] = "in other words"

    verified = verify(with_data(older))
    assert not verified.findings
    assert "resultproc 0.0.9 has sealed this, and this version writes it otherwise" in str(verified.remarks[0])
    assert b"all follows" not in report.text([verified])
    assert b"its values follow; its looks are not proven" in report.text([verified])
    assert not verified.passes()
    assert verified.passes(values=True)

    def older_and_wrong(entries: Any) -> None:
        older(entries)
        entries["games"][0]["contestants"][0]["positions"]["section"]["A"]["position"] = 2

    (said,) = found(with_data(older_and_wrong))
    assert said == "A-4 Ada Spruce – Ben Teak: its data, positions.section.A.position: '2', but '1' follows"


@pytest.mark.slow
def test_what_a_version_of_before_did_not_know_says_nothing_and_is_no_difference() -> None:
    """A key that nothing is declared by, and a remark's code, came to be known after it was sealed."""

    def older(entries: Any) -> None:
        entries["provenance"]["program"] = OLDER
        entries["remarks"].append({"where": "made-wednesday.csv", "what": "this is doubtful", "hint": ""})
        assert entries["games"][0]["game"].pop("by_place", "") is None

    verified = verify(with_data(older))
    assert not verified.findings
    assert verified.passes(values=True)

    def worded(entries: Any) -> None:
        """Much is worded otherwise, so that there is another number of texts, and each is held against its own."""
        older(entries)
        for each in entries["games"][0]["contestants"]:
            for found in each["candidates"]:
                found["values"] = found["values"][:1]

    verified = verify(with_data(worded))
    assert not verified.findings
    assert verified.passes(values=True)

    def older_and_wrong(entries: Any) -> None:
        older(entries)
        del entries["games"][0]["contestants"][0]["masterpoints"]

    (said,) = found(with_data(older_and_wrong))
    assert said == "A-4 Ada Spruce – Ben Teak: its data, masterpoints: '0.94' is missing"


# Files at fault


def script_of(page: str) -> str:
    return page.partition('application/vnd.resultproc.seal+json">')[2].partition("</script>")[0]


def in_page_instead(text: str, instead: str) -> Callable[[], bytes]:
    return lambda: seal("club", "html").decode().replace(text, instead).encode()


def in_json_instead(text: str, instead: str) -> Callable[[], bytes]:
    return lambda: seal("club", "json").decode().replace(text, instead).encode()


def with_seal(change: Callable[[str], str]) -> Callable[[], bytes]:
    def made() -> bytes:
        page = seal("club", "html").decode()
        whole = script_of(page)
        return page.replace(whole, change(whole)).encode()

    return made


AWARD = '"masterpoints": "0.94"'
DEEP = "[" * 100_000 + "]" * 100_000
DAMAGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "no seal": (lambda: writer("html").write(result("club")), "there is no seal in this file"),
    "a text": (lambda: b"Wednesday Pairs\n", "there is no seal in this file"),
    "nothing": (lambda: b"", "there is no seal in this file"),
    "bytes": (lambda: bytes(range(256)), "there is no seal in this file"),
    "cut seal": (with_seal(lambda whole: whole[:200]), "this JSON cannot be read"),
    "cut page": (lambda: re.split(b'(?<=seal[+]json">.{200})', seal("club", "html"))[0], "there is no seal in this"),
    "cut JSON": (lambda: seal("club", "json")[:2000], "this JSON cannot be read"),
    "cut workbook": (lambda: seal("club", "xlsx")[:5000], "the workbook is damaged or cut off"),
    "not a number": (in_json_instead(AWARD, '"masterpoints": NaN'), "NaN is not a JSON"),
    "no room": (in_json_instead(AWARD, '"masterpoints": 1e999'), "is damaged"),
    "nested": (with_seal(lambda whole: DEEP), "cannot be read"),
    "nested data": (in_json_instead(AWARD, f'"masterpoints": {DEEP}'), "cannot be read"),
    "a list": (with_seal(lambda whole: "[]"), "the seal of this page is damaged"),
    "empty": (with_seal(lambda whole: "{}"), "of a kind that is not known"),
    "another version": (in_page_instead('"version":2', '"version":3'), "of a kind that is not known"),
    "no data": (with_seal(lambda whole: re.sub('"data":.*', '"data":[]}', whole)), "is damaged"),
    "no games": (with_seal(lambda whole: re.sub('"data":.*', '"data":{}}', whole)), "is damaged"),
    "other holdings": (in_page_instead('"holds":[]', '"holds":["9.99"]'), "is damaged"),
    "an empty signature": (in_page_instead('"holds":[]', '"signature":null,"holds":[]'), "is damaged"),
    "twice": (in_json_instead(AWARD, f"{AWARD.replace('0', '9')}, {AWARD}"), "an object has two values of one name"),
    "more in JSON": (in_json_instead('"holds":', '"award": {"masterpoints": "9.99"}, "holds":'), "is damaged"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("to", "ending"), [("json", ".HTM"), ("json", ".shtml"), ("xlsx", ".html"), ("html", ".xhtml")]
)
def test_a_file_with_the_ending_of_another_kind_is_refused(to: str, ending: str, tmp_path: Path) -> None:
    """A browser shows the tags in a name of sealed JSON, and nothing of the rest, if the file is called so."""
    file = saved(tmp_path / f"sheet{ending}", seal("club", to))
    refused = run("verify", file)
    assert refused.status == 1
    assert f"sheet{ending}: this file is no {ending.lower()} but " in refused.err
    assert f"rename it to end in .{to}" in refused.err
    assert run("verify", file.rename(tmp_path / "sheet")).status == 0


@pytest.mark.parametrize("name", DAMAGED)
def test_what_cannot_be_verified_is_an_error_in_plain_words(name: str, tmp_path: Path) -> None:
    made, says = DAMAGED[name]
    data = made()
    with pytest.raises(InputError, match=re.escape(says)) as error:
        verify(Source("sheet.html", data))
    assert str(error.value).startswith("sheet.html: ")


def test_others_are_verified_beside_a_file_at_fault(tmp_path: Path) -> None:
    (tmp_path / "good.html").write_bytes(seal("club", "html"))
    (tmp_path / "plain.html").write_bytes(writer("html").write(result("club")))
    said = run("verify", tmp_path / "plain.html", tmp_path / "good.html", tmp_path / "none.html", "--errors", "json")
    assert said.status == 1
    assert "good.html: as it was written: all follows" in said.out


def test_data_that_cannot_be_awarded_any_more_are_a_finding() -> None:
    data = seal("club", "json").decode().replace('"percentage": 67.19', '"percentage": "none"', 1).encode()
    (said,) = found(data)
    assert said.startswith("its data were changed, and cannot be awarded any more: ")


def test_a_file_of_the_machine_is_not_read_as_a_rulebook(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('extends = "acbl-club"\n', "utf-8")

    def own(entries: Any) -> None:
        entries["games"][0]["game"]["rulebook"] = str(tmp_path / "own.toml")

    with pytest.raises(InputError, match="its rulebook is not one of this program"):
        verify(with_data(own))


@pytest.mark.slow
def test_what_a_file_says_is_no_command_to_a_terminal() -> None:
    page = seal("club", "html").decode().replace("Ada Spruce –", "Ada \x1b[31mSpruce –", 1)
    assert all("\x1b" not in each for each in found(page.encode()))
    assert found(page.encode())


@pytest.mark.slow
def test_a_name_does_not_end_the_seal() -> None:
    text = (FIXTURES / "made-wednesday.csv").read_text("utf-8")
    name = "</script><!--<script>&amp;\u2028"
    whole = process(Source("game.csv", text.replace("Ada Spruce", name).encode()))
    data = sealed(whole, writer("html"))
    assert not verify(data).findings
    assert not set("<&\u2028") & set(script_of(data.decode()))
    assert "\\u003c/script" in script_of(data.decode())


def test_json_for_programs(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    file.write_bytes(seal("club", "json").replace(b'"masterpoints": "0.94"', b'"masterpoints": "1.94"', 1))
    said = run("verify", "--to", "json", file)
    assert said.status == 3
    (entry,) = json.loads(said.out)["files"]
    assert entry["findings"] == [
        {"what": "its data, masterpoints", "who": "A-4 Ada Spruce – Ben Teak", "shown": "1.94", "follows": "0.94"}
    ]
    assert (entry["file"], entry["follows"], entry["signed"], entry["signed_by"]) == ("sheet.json", False, False, None)
    assert entry["provenance"][0]["sources"][0]["name"] == "made-wednesday.csv"


@pytest.mark.slow
def test_whatever_is_in_the_place_of_a_value_is_a_finding_or_an_error() -> None:
    """Of every kind of value of the data; none may be a mistake of the program."""
    entries = json.loads(seal("event", "json"))
    entries["games"][0]["contestants"] = entries["games"][0]["contestants"][:1]
    others = cycle((None, [], {}, 7, "text", [[{"a": None}]]))
    known = set()
    for place, name in _places(entries):
        if name in known:
            continue
        known.add(name)
        before = place[name]
        place[name] = next(value for value in others if value != before)
        try:
            said = found(json.dumps(entries).encode())
        except InputError as error:
            said = list(map(str, error.problems))
        assert said, name
        place[name] = before
    assert {"masterpoints", "sha256", "rulebook", "position", 0} <= known


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for name in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, name
        if isinstance(value[name], dict | list):
            yield from _places(value[name])


# Signatures


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return a folder with a key and its public one, and with those that are none."""
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
    )

    def private(key: Any, name: str, encryption: Any) -> None:
        (tmp_path / name).write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))

    for name in ("key", "other"):
        key = Ed25519PrivateKey.generate()
        private(key, f"{name}.pem", NoEncryption())
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (tmp_path / f"{name}-public.pem").write_bytes(public)
    private(key, "locked.pem", BestAvailableEncryption(b"password"))
    private(generate_private_key(SECP256R1()), "curve.pem", NoEncryption())
    (tmp_path / "text.pem").write_text("no key\n")
    (tmp_path / "damaged.pem").write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("to", FORMATS)
def test_a_signed_file_is_of_its_key(to: str, keys: Path) -> None:
    file = keys / f"sheet.{to}"
    assert run("award", WEDNESDAY, "--sign", keys / "key.pem", "-o", file).status == 0
    said = run("verify", file, "--key", keys / "key-public.pem")
    assert (said.status, said.err) == (0, "")
    assert "all follows from its own data, of 18 contestants; signed with the key of key-public.pem" in said.out
    assert "no signature" not in said.out
    other = run("verify", file, "--key", keys / "other-public.pem")
    assert other.status == 3
    assert "it is signed with another key than that of other-public.pem" in other.out
    unchecked = run("verify", file)
    assert unchecked.status == 0
    assert "signed, but not checked: name the public key with --key" in unchecked.out


@pytest.mark.slow
def test_what_is_sealed_again_is_not_signed(keys: Path) -> None:
    file = keys / "sheet.json"
    run("award", WEDNESDAY, "--sign", keys / "key.pem", "-o", file)
    entries = json.loads(file.read_text("utf-8"))
    entries["games"][0]["contestants"][0]["players"][0]["name"] = "Somebody Else"
    file.write_bytes(sealed_again(entries))
    assert run("verify", file).status == 0
    said = run("verify", file, "--key", keys / "key-public.pem")
    assert said.status == 3
    assert "its signature is not of this seal" in said.out
    del entries["seal"]["signature"]
    file.write_text(json_text(entries), "utf-8")
    said = run("verify", file, "--key", keys / "key-public.pem")
    assert said.status == 3
    assert "it is not signed, and should be with the key of key-public.pem" in said.out


def test_all_of_a_signature_is_as_it_was_made(signing_key: tuple[Any, SigningKey]) -> None:
    sign, key = signing_key
    entries = json.loads(sealed(result("club"), writer("json"), sign=sign))
    entries["seal"]["signature"]["algorithm"] = "9.99"
    assert not verify(json.dumps(entries).encode(), key).passes()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("key-public.pem", "this file has no private key, and the private one is needed"),
        ("text.pem", "this file has no private key"),
        ("locked.pem", "this key is encrypted with a password (take the password off with: openssl pkey"),
        ("curve.pem", "this key is not of the kind Ed25519 (make one with: openssl genpkey -algorithm ed25519"),
        ("damaged.pem", "this is not a key in PEM form, or it is damaged"),
        ("none.pem", "it cannot be read: No such file or directory"),
    ],
)
def test_keys_that_cannot_sign_are_named(name: str, says: str, keys: Path) -> None:
    refused = run("award", WEDNESDAY, "--sign", keys / name, "-o", keys / "sheet.html")
    assert refused.status == 1
    assert f"{name}: {says}" in refused.err
    assert not (keys / "sheet.html").exists()


@pytest.mark.slow
def test_a_private_key_is_not_for_verifying(keys: Path) -> None:
    run("award", WEDNESDAY, "--seal", "-o", keys / "sheet.html")
    refused = run("verify", keys / "sheet.html", "--key", keys / "key.pem")
    assert refused.status == 1
    assert "this file has a private key, and a public one is needed" in refused.err


# Versions of before, and mutations


OLDER = "resultproc 0.0.9"


@pytest.fixture(scope="module")
def signing_key() -> tuple[Any, SigningKey]:
    """Return what signs, and the public key."""
    pytest.importorskip("cryptography")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()

    def sign(data: bytes) -> dict[str, str]:
        return {"algorithm": "Ed25519", "key": public, "value": base64.b64encode(key.sign(data)).decode()}

    return sign, SigningKey("public.pem", key.public_key())


@cache
def older(to: str, sign: Any = None, version: int = 2) -> bytes:
    """Return what a version of before has sealed, which words its pages otherwise; its seals may be of version 1."""
    made = result("club")
    made = replace(made, provenance=replace(made.provenance, program=OLDER))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "program", lambda: OLDER)
        patch.setattr(design, "VERSION", "0.0.9")
        if version == 2:
            data = sealed(made, writer(to), sign=sign)
        else:
            held = () if to == "html" else HIDDEN
            contents = data_of(made, writer(to), held)
            of_seal = {**seal_of(contents, writer(to), held), "version": 1}
            signature = {"signature": sign(signed(of_seal))} if sign else {}
            data = writer(to).write(replace(made, seal={**of_seal, **signature, "data": contents}))
    return data


IN_A_PAGE = {
    "script": ("</body>", '<script>document.body.innerHTML="9.99"</script></body>'),
    "style": ("</style>", ".mp{font-size:0}</style>"),
    "table": ("<main", "<table><tr><td>1</td><td>Eve</td><td>9.99</td></tr></table><main hidden"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_A_PAGE)
@pytest.mark.parametrize("version", [1, 2])
def test_a_page_of_another_version_proves_nothing_but_by_its_signature(
    name: str, version: int, signing_key: tuple[Any, SigningKey]
) -> None:
    sign, key = signing_key
    text, instead = IN_A_PAGE[name]
    for made, by in ((older("html", version=version), None), (older("html", sign, version), key)):
        changed = made.decode().replace(text, instead, 1)
        assert changed != made.decode()
        for values in (False, True):
            assert not verify(changed.encode(), by).passes(values=values)
    unchecked = verify(made)
    assert not unchecked.findings
    assert not unchecked.passes(values=True)
    (line, *rest) = report.text([unchecked]).decode().splitlines()
    assert "the names, places, scores and awards that were compared follow from its own data; what it shows is" in line
    # As the page of today says it of the winners.
    assert "    compared: A-4 Ada Spruce – Ben Teak: 67.19%; section A=1; overall A=1; 0.94" in rest or rest
    checked = verify(made, key)
    assert checked.passes() == (version == 2)
    assert (b": as it was written: " in report.text([checked])) == (version == 2)


@pytest.mark.slow
@pytest.mark.parametrize(("to", "values"), [("json", True), ("xlsx", False)])
def test_seals_of_before_stay_readable(to: str, values: bool, signing_key: tuple[Any, SigningKey]) -> None:
    """Those of version 1 say nothing of what a workbook shows, and JSON shows its data."""
    sign, key = signing_key
    for verified in (verify(older(to, sign, 1), key), verify(older(to, None, 1))):
        assert not verified.findings
        assert verified.passes(values=True) == values


@pytest.mark.slow
@pytest.mark.parametrize("by", ["this version", "another version, signed"])
@pytest.mark.parametrize("to", FORMATS)
def test_no_mutation_that_a_reader_sees_passes(to: str, by: str, signing_key: tuple[Any, SigningKey]) -> None:
    """Fifty each, three hundred in all; every seventeenth unless RESULTPROC_ALL=1."""
    sign, key = signing_key
    data, public = (seal("club", to), None) if by == "this version" else (older(to, sign), key)
    assert verify(data, public).passes()
    for number in range(0, 50, 1 if ALL else 17):
        what, changed = mutation(data, to, number)
        try:
            assert not verify(changed, public).passes(), what
        except InputError:
            continue


@pytest.mark.slow
@real
@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("wednesday.shtml", 1, ""),
        ("t_sst.xlsx", 1, ""),
        ("t_fmt0.xlsx", 3, "what it shows is not proven"),
        ("t_chart.xlsx", 3, "what it shows is not proven"),
        ("v_script.html", 3, "what it shows is not proven"),
        ("v_css.html", 3, "what it shows is not proven"),
        ("v_fake.html", 3, "what it shows is not proven"),
        ("unsigned_script.html", 3, "what it shows is not proven"),
    ],
)
def test_files_that_show_something_else_do_not_pass(name: str, status: int, says: str) -> None:
    pytest.importorskip("cryptography")
    folder = SAMPLES / ("hostile2" if name.endswith("shtml") else "attack/seal")
    key = () if name.startswith("unsigned") else ("--key", folder / "pub.pem")
    said = run("verify", folder / name, *key)
    assert said.status == status
    assert says in said.out


@pytest.mark.slow
def test_keys_of_openssl_sign(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    key, public, file = (tmp_path / name for name in ("key.pem", "public.pem", "sheet.html"))
    try:
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
        subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl here")
    assert run("award", WEDNESDAY, "--sign", key, "-o", file).status == 0
    assert run("verify", file, "--key", public).status == 0
