"""Files in which one construct of a format grows; their time may not grow faster than n log n."""

import io
import json
import zipfile
from collections.abc import Callable

import openpyxl
from openpyxl.worksheet.cell_range import CellRange

FACTS = "# date: 2026-11-18\n# rating: club-open\n"
HEADER = "section,number,direction,player1,player2,score\n"
PAIRS = [("Pair", "Names", "Score"), *((str(n), f"Ann{n} Ash - Bob{n} Elm", f"{60 - n}.00") for n in range(1, 7))]
ROW = "<tr><td>1</td><td>Ann Ash - Bob Elm</td><td>50</td></tr>"
PAIR = "<PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PERCENTAGE>50</PERCENTAGE></PAIR>"
BEGIN = b"BT /F 10 Tf 50 700 Td "
LIST = "".join(f"{number:<6}{names:<30}{score:>8}\n" for number, names, score in PAIRS)


def _rows(count: int, name: str = "Ann{} Ash,Bob{} Elm", score: str = "50.00") -> str:
    return "".join(f"A,{n},,{name.format(n, n)},{score}\n" for n in range(1, count + 1))


def _page(inside: str) -> str:
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in PAIRS)
    return f"<html><body>{inside}<table>{rows}</table></body></html>"


def _book(change: Callable[[openpyxl.Workbook], object]) -> bytes:
    book = openpyxl.Workbook()
    for cells in PAIRS:
        book.worksheets[0].append(cells)
    change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _sheets(count: int) -> bytes:
    return _book(lambda book: [book.create_sheet(f"S{n}").append(["x", n]) for n in range(count)])


def _merges(count: int) -> bytes:
    def merge(book: openpyxl.Workbook) -> None:
        ranges = book.worksheets[0].merged_cells.ranges  # the library's own way compares each with all others
        ranges.update(CellRange(f"F{n}:G{n}") for n in range(10, 10 + count))

    return _book(merge)


def _wide(count: int) -> bytes:
    return _book(lambda book: [book.worksheets[0].cell(1, n, f"x{n}") for n in range(5, 5 + min(count, 16000))])


def _long(count: int) -> bytes:
    def fill(book: openpyxl.Workbook) -> None:
        for n in range(7, count):
            book.worksheets[0].append([str(n), f"A{n} Ash - B{n} Elm", 50])

    return _book(fill)


def _csv_games(count: int) -> str:
    rows = (f"g{game},A,{pair},,P{pair} X,Q{pair} Y,{pair}\n" for game in range(count) for pair in (1, 2))
    return f"game_id,{HEADER}{''.join(rows)}"


def _list(count: int) -> str:
    return LIST + "".join(f"{n:<6}{f'A{n} Ash - B{n} Elm':<30}{50:>8}\n" for n in range(7, count))


def _wide_list(count: int, between: str, more: str = "7", name: str = "Ann{n} Ash - Bob{n} Elm") -> str:
    """A list with so many columns beside its own, each below a heading."""
    rows = [("Pl", "Names", "Score"), *((str(n), name.format(n=n), f"{60 - n}.00") for n in range(1, 9))]
    more = between.join([more.ljust(6)] * count)
    heads = between.join(f"w{n:05}" for n in range(count))
    return "".join(
        f"{place:<3}{between}{names:<21}{between}{score:<5}{between}{more if n else heads}\n"
        for n, (place, names, score) in enumerate(rows)
    )


def _ods(rows: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    sheet = f'<table:table table:name="A">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", f"<office:document-content {spaces}>{body}</office:document-content>")
        archive.writestr("META-INF/manifest.xml", manifest)
    return out.getvalue()


def _repeats(count: int) -> bytes:
    cell = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'
    return _ods(f'<table:table-row table:number-rows-repeated="{count}">{cell}</table:table-row>')


def _usebio(count: int, inside: str) -> str:
    return f"<?xml version='1.0'?><USEBIO Version='1.2'><EVENT>{inside * count}</EVENT></USEBIO>"


def _pbn(tags: str) -> str:
    return f'% PBN 2.1\n[Event "Friday"]\n[Date "2015.10.23"]\n{tags}'


def _pbn_totals(count: int) -> str:
    rows = "".join(f' {n} {n} 50.00 3 "A{n} Ash;B{n} Elm"\n' for n in range(1, count + 1))
    return _pbn(f'[TotalScoreTable "Rank;PairId;MeanPercentage;NrBoards;Names"]\n{rows}')


def _pbn_columns(count: int) -> str:
    heads = "".join(f";X{n}" for n in range(count))
    rows = "".join(f' {n} {n} 5{n}.00 "A{n} Ash;B{n} Elm"{" 7" * count}\n' for n in range(1, 9))
    return _pbn(f'[TotalScoreTable "Rank;PairId;MeanPercentage;Names{heads}"]\n{rows}')


def _pdf(marks: bytes) -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(marks), marks),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + end


def _deep(count: int) -> str:
    return '{"games": ' + "[" * count + "]" * count + "}"


def _games(count: int) -> str:
    return json.dumps({"games": [{"game": {"game_id": f"g{n}"}, "contestants": []} for n in range(count)]})


GROWING: dict[str, tuple[str, Callable[[int], str | bytes]]] = {
    "page: attributes": ("html", lambda n: _page(f"<div {' '.join(f'a{i}=1' for i in range(n))}></div>")),
    "page: depth": ("html", lambda n: _page("<div>" * n + "</div>" * n)),
    "page: tables in tables": ("html", lambda n: _page("<table><tr><td>" * n + "x" + "</td></tr></table>" * n)),
    "page: columns spanned": ("html", lambda n: _page(f"<table><tr><td colspan={n}>x</td></tr></table>")),
    "page: rows spanned": ("html", lambda n: _page("<table>" + f"<tr><td rowspan={n}>x</td></tr>" * 50 + "</table>")),
    "page: cells that span": (
        "html",
        lambda n: _page(f"<table>{'<tr><td rowspan=50 colspan=50>x</td></tr>' * n}</table>"),
    ),
    "page: lines of pre": (
        "html",
        lambda n: f"<html><body><pre>{LIST}x y z\n{'a b  c' * n}\n</pre>",
    ),
    "page: pre": ("html", lambda n: f"<html><body>{'<pre>x  1</pre>' * n}<pre>{LIST}</pre>"),
    "page: items of a list": (
        "html",
        lambda n: f"<html><body><ol>{''.join(f'<li>A{i} Ash - B{i} Elm {i % 50}.00</li>' for i in range(n))}</ol>",
    ),
    "page: lists in lists": ("html", lambda n: _page("<ol><li>x" * n + "</ol>" * n)),
    "page: headings": ("html", lambda n: _page("<h2>Monday Pairs</h2>" * n)),
    "page: tables": ("html", lambda n: "<html><body>" + _page("") * n),
    "page: columns": ("html", lambda n: _page(f"<table>{ROW.replace('<td>50</td>', '<td>50</td>' * n) * 8}</table>")),
    "page: words of a name": ("html", lambda n: _page(f"<table>{ROW.replace('Ash', 'Ash ' * n)}</table>")),
    "page: words of a heading": ("html", lambda n: _page(f"<h2>{'Monday Pairs ' * n}</h2>")),
    "page: words of pre": ("html", lambda n: f"<html><body><pre>{_wide_list(n, '  ')}</pre>"),
    "page: rows": (
        "html",
        lambda n: _page(f"<table>{ROW * n}</table>"),
    ),
    "CSV: rows": ("csv", lambda n: f"{FACTS}# tables: {n}\n{HEADER}{_rows(n)}"),
    "CSV: equal names": ("csv", lambda n: f"{FACTS}# tables: {n}\n{HEADER}{_rows(n, 'Ann Ash,Bob Elm')}"),
    "CSV: names with numbers": (
        "csv",
        lambda n: f"{FACTS}# tables: {n}\n{HEADER}{_rows(n, 'PAN{} X,PBN{} Y')}",
    ),
    "CSV: columns": (
        "csv",
        lambda n: f"{FACTS}{HEADER.strip()},{','.join(map(str, range(n)))}\n{_rows(6)}",
    ),
    "CSV: cells": ("csv", lambda n: f"{FACTS}{_wide_list(n, ',', name='Ann{{n}} Ash & Bob{{n}} Elm')}"),
    "CSV: words of a name": ("csv", lambda n: f"{FACTS}{HEADER}{_rows(6, 'Ann{} ' + 'x ' * n + ',Bob{} Elm')}"),
    "CSV: words of a heading": ("csv", lambda n: f"{FACTS}{HEADER.strip()}{' x' * n}\n{_rows(6)}"),
    "CSV: digits of a score": ("csv", lambda n: f"{FACTS}{HEADER}{_rows(6, score='5' * n)}"),
    "CSV: digits of a date": ("csv", lambda n: f"# date: {'1' * n}\n{HEADER}{_rows(6)}"),
    "CSV: words of a date": ("csv", lambda n: f"# date: {'1 May ' * n}\n{HEADER}{_rows(6)}"),
    "CSV: declarations": ("csv", lambda n: "# club: x\n" * n + HEADER + _rows(6)),
    "CSV: letters of strata": ("csv", lambda n: f"{FACTS}# strata: {'A=1, ' * n}\n{HEADER}{_rows(6)}"),
    "CSV: games": ("csv", _csv_games),
    "CSV: quotes": ("csv", lambda n: FACTS + HEADER + "A,1,," + '"x' * n + ",Bob Elm,50\n"),
    "text: rows": ("txt", _list),
    "text: headings": ("txt", lambda n: "Monday Pairs\n" * n + LIST),
    "text: lists": ("txt", lambda n: f"{LIST}\n" * n),
    "text: a long line": ("txt", lambda n: LIST + "a  b " * n),
    "text: blanks": ("txt", lambda n: LIST + "x" + " " * n + "y\n"),
    "text: columns": ("txt", lambda n: _wide_list(n, "  ")),
    "text: columns of words": ("txt", lambda n: _wide_list(n, "  ", "x y")),
    "text: single blanks": ("txt", lambda n: _wide_list(n, " ")),
    "text: columns by tabs": ("txt", lambda n: _wide_list(n, "\t")),
    "text: columns by |": ("txt", lambda n: _wide_list(n, " | ")),
    "text: columns by ;": ("txt", lambda n: _wide_list(n, ";")),
    "text: words of a line": ("txt", lambda n: LIST + "Ann Ash - " * n),
    "text: words of a heading": ("txt", lambda n: "Monday Pairs " * n + "\n" + LIST),
    "text: words of a header": (
        "txt",
        lambda n: f"Pl  Names {'Names ' * n} Score\n1  Ann Ash - Bob Elm  50.00\n" + LIST,
    ),
    "text: names of words": ("txt", lambda n: LIST + f"7     {'Ann ' * n}Ash - Bob Elm   50.00\n"),
    "text: numbers of a line": ("txt", lambda n: LIST + f"7     Ann Ash - Bob Elm {'50.00 ' * n}\n"),
    "text: digits": ("txt", lambda n: LIST + "7" * n + "\n"),
    "workbook: sheets": ("xlsx", _sheets),
    "workbook: merges": ("xlsx", _merges),
    "workbook: columns": ("xlsx", _wide),
    "workbook: words of a name": (
        "xlsx",
        lambda n: _book(lambda book: book.worksheets[0].append([7, "Ann " * min(n, 8000) + "Ash - Bob Elm", 50])),
    ),
    "workbook: rows": ("xlsx", _long),
    "OpenDocument: repeats": ("ods", _repeats),
    "USEBIO: attributes": ("xml", lambda n: _usebio(1, "<CLUB " + " ".join(f"a{i}='1'" for i in range(n)) + "/>")),
    "USEBIO: words of a name": (
        "xml",
        lambda n: _usebio(
            1, PAIR.replace("</PAIR>", f"<PLAYER><PLAYER_NAME>{'Ann ' * n}</PLAYER_NAME></PLAYER></PAIR>")
        ),
    ),
    "USEBIO: depth": ("xml", lambda n: _usebio(1, "<SESSION>" * n + "</SESSION>" * n)),
    "USEBIO: sessions": ("xml", lambda n: _usebio(n, "<SESSION><SECTION/></SESSION>")),
    "USEBIO: pairs": (
        "xml",
        lambda n: _usebio(n, PAIR),
    ),
    "PBN: rows": ("pbn", _pbn_totals),
    "PBN: columns": ("pbn", _pbn_columns),
    "PBN: words of a name": ("pbn", lambda n: _pbn_totals(6).replace("Ash", "Ash" + " x" * n)),
    "PBN: tags": ("pbn", lambda n: _pbn("".join(f'[X{i} "y"]\n' for i in range(n)))),
    "PBN: boards": ("pbn", lambda n: _pbn("".join(f'\n[Event "#"]\n[Board "{i}"]\n' for i in range(1, n)))),
    "PBN: comment": ("pbn", lambda n: _pbn("{ x " * n)),
    "PDF: letters": ("pdf", lambda n: _pdf(BEGIN + b"(a)Tj\n" * n + b" ET")),
    "PDF: rows": (
        "pdf",
        lambda n: _pdf(BEGIN + b"(1 Ann Ash - Bob Elm 50.00)Tj 0 -1 Td\n" * n + b" ET"),
    ),
    "PDF: words of a line": (
        "pdf",
        lambda n: _pdf(
            BEGIN + b"".join(b"(1 Ann Ash - Bob Elm%s)Tj 0 -12 Td\n" % (b" 50.00" * n) for _ in range(8)) + b" ET"
        ),
    ),
    "PDF: rectangles": ("pdf", lambda n: _pdf(b"0 0 1 1 re f\n" * n)),
    "JSON: depth": ("json", _deep),
    "JSON: games": ("json", _games),
    "JSON: digits": ("json", lambda n: '{"games": [' + "9" * n + "]}"),
}
"""By what grows: how the file's name ends, and what makes one in which there are so many."""
