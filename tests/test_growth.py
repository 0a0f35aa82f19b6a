"""Files that are small and stand for much: they are refused, or read in a time that grows with their size alone."""

from collections.abc import Callable, Collection
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from time import process_time

import pytest
from conftest import saved
from test_containers import ods, pdf
from workbooks import workbook

from resultproc.formats.read import read
from resultproc.formats.text.laid_out import rows_of_lines
from resultproc.model.dates import dated
from resultproc.model.errors import FormatError, InputError
from resultproc.model.files import OutputFolder
from resultproc.site.games import Columns, GameMore, GameRow, SiteGames, games_said
from resultproc.site.index import GamesPage, Index, write_site
from resultproc.stages.pipeline import process

LIST = [("Pair", "Names", "Score"), *((str(n), f"Ann{n} Ash - Bob{n} Elm", str(60 - n)) for n in range(1, 7))]


def repeated(rows: int, cells: int, text: str) -> str:
    """Return rows of an OpenDocument that stand for many; without a text they are empty."""
    said = f' office:value-type="string"><text:p>{text}</text:p></table:table-cell>' if text else "/>"
    cell = f'<table:table-cell table:number-columns-repeated="{cells}"{said}'
    return f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'


def test_cells_of_an_open_document_stand_for_no_more_than_a_list_has(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    # A sheet ends in a million empty rows, and each row in thousands of empty cells.
    sheet = read(saved(tmp_path / "a.ods", ods(LIST, repeated(1_048_000, 16_384, ""))))
    assert len(sheet.contestants) == 6
    for more in ([repeated(100_000, 1000, "x")], [repeated(900_000, 1, ""), repeated(1, 1, "x")]):
        with pytest.raises(FormatError, match=r"the sheet 'Sheet1' would have [0-9]{7,} cells"):
            read(saved(tmp_path / "a.ods", ods(LIST, *more)))


def page(path: Path, attributes: str) -> Path:
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in LIST)
    return saved(path, f"<html><body><div {attributes}><table>{rows}</table></div></body></html>")


def test_a_tag_has_no_more_attributes_than_any_has(tmp_path: Path) -> None:
    drawn = 'class="picture" data-path="' + "M 1 2 L 3 = 4 " * 5000 + '"'
    assert len(read(page(tmp_path / "a.html", drawn)).contestants) == 6
    many = " ".join(f"a{n}='1'" for n in range(50_000))
    with pytest.raises(FormatError, match="a tag of this file has more than 1000 attributes"):
        read(page(tmp_path / "a.html", many))
    with pytest.raises(FormatError, match="a tag of this file has more than 1000 attributes"):
        read(saved(tmp_path / "a.xml", f"<?xml version='1.0'?><USEBIO Version='1.2' {many}><EVENT/></USEBIO>"))


def test_a_page_of_a_pdf_draws_no_more_than_a_list(tmp_path: Path) -> None:
    pytest.importorskip("pdfplumber")
    drawn = b"BT /F1 10 Tf 50 700 Td (Nothing of ours) Tj ET\n"
    with pytest.raises(InputError, match="no list of results is seen"):
        read(saved(tmp_path / "a.pdf", pdf(drawn)))
    for marks in (b"(a)Tj\n", b"q\n", b"0 0 1 1 re f\n"):
        with pytest.raises(FormatError, match="a page of this PDF draws more than any list of results"):
            read(saved(tmp_path / "a.pdf", pdf(drawn + marks * 300_000)))


def asking(path: Path, count: int) -> float:
    """Return the time that it takes to ask for what so many games of a file lack."""
    rows = (f"g{n},1,P{n} X,Q{n} Y,{n}.5\n" for n in range(1, count + 1))
    file = saved(path, "game_id,number,player1,player2,score\n" + "".join(rows))
    start = process_time()
    with pytest.raises(InputError) as error:
        process(file)
    assert len(error.value.problems) == count
    return process_time() - start


@pytest.mark.slow
def test_what_games_lack_is_asked_for_in_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    grows(partial(asking, tmp_path / "a.csv"), 250, 2000)


def text_rows(count: int) -> float:
    lines = [f"{n:<6}{f'Ann{n} Ash - Bob{n} Elm':<30}{50:>8}" for n in range(count)]
    start = process_time()
    assert len(rows_of_lines(lines)) == count
    return process_time() - start


@pytest.mark.slow
def test_what_lines_are_is_found_once_in_a_long_text() -> None:
    grows(text_rows, 750, 6000)


def asked(games: Collection[tuple[str, int]], _: str) -> list[GameMore]:
    """Return that nobody is known who sat in some games."""
    return [GameMore([], [], None)] * len(games)


def listing(folder: Path, count: int) -> float:
    """Return the time that it takes to list so many games, all of one page."""
    out = OutputFolder.made(folder)
    written = out.put("a.html", b"<!DOCTYPE html><html><head></head><body></body></html>")
    games = [{"event": f"Pairs {n}", "game": f"g{n}", "date": "2026-01-05", "players": "a\nb"} for n in range(count)]
    start = process_time()
    rows = [
        GameRow("a", "a.html", written, f"g{n + 1}", *said[:6], told=n, linked=0, ways=())
        for n, said in enumerate(games_said(games, []))
    ]
    page = GamesPage("a", "a.html", written)
    write_site(SiteGames(Columns.of_rows(rows), [], asked), out, Index(), lambda *_: None, {}, "", lambda _: page)
    assert (out.root / "index.html").read_text("utf-8").count("<li ") == count
    return process_time() - start


@pytest.mark.slow
def test_lists_of_games_take_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    grows(lambda count: listing(Path(mkdtemp(dir=tmp_path)), count), 500, 4000)


def reading(path: Path, content: str | bytes) -> float:
    """Return the time that it takes to read a file."""
    saved(path, content)
    start = process_time()
    read(path)
    return process_time() - start


def grows(time: Callable[[int], float], few: int, many: int) -> None:
    """Assert that eight times as much takes less than 16 times as long; by the square it would be 64 times."""
    assert many == 8 * few
    # What else this machine does may make one time longer; of one more, no line is known from the time before.
    most = 16 * min(time(few + more) for more in range(3))
    assert any(time(many + more) < most for more in range(3))


@pytest.mark.slow
def test_a_file_is_read_in_a_time_that_grows_with_its_size(tmp_path: Path) -> None:
    """What ``scripts/fuzz --slow`` has found."""

    @cache
    def sheets(count: int) -> bytes:
        return workbook(A=LIST, **{f"S{number}": [["x"]] for number in range(count)})

    @cache
    def columns(count: int) -> bytes:
        (head, *rows) = LIST
        return workbook(A=[[*head, *(f"x{number}" for number in range(count))], *rows])

    def blanks(count: int) -> str:
        rows = "".join(f"{pair:<6}{names:<30}{score:>8}\n" for pair, names, score in LIST)
        return f"{rows}x{' ' * count}y\n"

    grows(lambda count: reading(tmp_path / "a.xlsx", sheets(count)), 100, 800)
    grows(lambda count: reading(tmp_path / "a.xlsx", columns(count)), 110, 880)

    def words(count: int, between: str) -> str:
        """Columns below a heading each."""
        rows = [("Pl", "Names", "Score"), *((str(n), f"Ann{n} Ash - Bob{n} Elm", f"{60 - n}.00") for n in range(1, 9))]
        more = [between.join(f"{word}{n:05}" for n in range(count)) for word in "wx"]
        return "".join(
            f"{pair:<3}{between}{names:<21}{between}{score:<5}{between}{more[pair != 'Pl']}\n"
            for pair, names, score in rows
        )

    grows(lambda count: reading(tmp_path / "a.txt", blanks(count)), 3000, 24_000)
    grows(lambda count: reading(tmp_path / "a.txt", words(count, "  ")), 400, 3200)
    grows(lambda count: reading(tmp_path / "a.txt", words(count, " ")), 400, 3200)


def test_a_date_is_found_in_a_time_that_grows_with_the_length_of_its_title() -> None:
    """Its own month is of another language: where it begins and ends is not where the English date does."""
    begun = process_time()
    assert dated(f"{'word ' * 1000}mardi 12 mai 2026{' end' * 1000}") == ("Tuesday 12 May 2026", "mardi 12 mai 2026")
    assert process_time() - begun < 1
