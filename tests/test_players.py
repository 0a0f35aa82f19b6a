"""The players of a month: games, masterpoints by colour, best game; by number or name, and from an archive."""

import csv
import io
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from conftest import FIXTURES, run
from test_participation import sheet

from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.reports.players import WRITERS, Order, Players, Wanted, players
from resultproc.stages.pipeline import process_event, read_together

WEDNESDAY = FIXTURES / "wed-open-pairs-2012-04-18.csv"
SERIES = sorted((FIXTURES / "series").glob("*.csv"))


@pytest.fixture(scope="module")
def both_evenings(tmp_path_factory: pytest.TempPathFactory) -> Players:
    return of_files(made_evenings(tmp_path_factory.mktemp("evenings")))


@pytest.fixture
def evenings(tmp_path: Path) -> list[Path]:
    return made_evenings(tmp_path)


def made_evenings(folder: Path) -> list[Path]:
    """The Wednesday as it was, and a week later with pair 6 in the place of pair 1 and the other way round."""
    text = WEDNESDAY.read_text("utf-8")
    later = text.replace("2012-04-18", "2012-05-02").replace("# event: Wed 1:00", "# club: The Other\n# event: May")
    later = later.replace("A,N-S,1,", "A,N-S,x,").replace("A,N-S,6,", "A,N-S,1,").replace("A,N-S,x,", "A,N-S,6,")
    later = later.replace("Harold Holland,Betty Holland", "X,Y").replace("Mortimer Sams,Anne Anderson", "H, Z")
    later = later.replace("X,Y", '"Sams, Mortimer",Anne Anderson').replace("H, Z", "Harold Holland,Betty Holland")
    paths = [folder / "april.csv", folder / "may.csv"]
    for path, content in zip(paths, (text, later), strict=True):
        path.write_text(content.replace("2012-04-18.toml", ""), "utf-8")
    return paths


def of_files(paths: list[Path], wanted: Wanted | None = None, order: Order = Order.MASTERPOINTS) -> Players:
    return players(read_together(paths), wanted, order)


def row(found: Players, name: str) -> dict[str, object]:
    (each,) = found.rows[found.rows["player"] == name].to_dict("records")
    return each


def test_what_each_won_and_the_best_game(both_evenings: Players) -> None:
    # Section A N-S pays 0.90, 0.63, 0.45, 0.32: they won 0.90 and 0.63, the others of the first places the same twice.
    found = both_evenings
    sams, holland, carter = (row(found, name) for name in ("Mortimer Sams", "Harold Holland", "Louise Carter"))
    assert (sams["games"], sams["masterpoints"], sams["black"], sams["gold"]) == (2, 153, 153, 0)
    assert (sams["best_game"], sams["best_masterpoints"], sams["best_percentage"]) == (1, 90, 65.05)
    assert (holland["masterpoints"], holland["best_game"]) == (153, 0)
    assert (carter["masterpoints"], carter["best_game"]) == (90, 0)  # the same twice: the first of them
    assert len(found.rows) == 36
    assert found.rows["masterpoints"].iloc[0] == 180  # the winners E-W, twice
    assert found.rows["masterpoints"].is_monotonic_decreasing
    # 2 x (0.90 + 0.63 + 0.45 + 0.32 + 0.28) N-S and 2 x (0.90 + 0.63 + 0.45 + 0.32 + 0.20) E-W, each for two players.
    assert found.rows["masterpoints"].sum() == 2 * 2 * (258 + 250)


@pytest.mark.slow
def test_only_some_games_count(evenings: list[Path]) -> None:
    may = of_files(evenings, Wanted(date(2012, 5, 1), date(2012, 5, 31)))
    assert may.games["game_id"].tolist() == ["may"]
    assert row(may, "Harold Holland")["masterpoints"] == 63
    other = of_files(evenings, Wanted(clubs=("the  OTHER",)))
    assert other.games["game_id"].tolist() == ["may"]
    with pytest.raises(InputError, match=r"no such game \(the games are from 2012-04-18 to 2012-05-02, of The Other\)"):
        of_files(evenings, Wanted(clubs=("Elsewhere",)))


def test_a_game_without_a_date_is_left_out_of_a_month_and_remarked_on(evenings: list[Path]) -> None:
    text = evenings[0].read_text("utf-8").replace("# date: 2012-04-18\n", "")
    evenings[0].write_text(text, "utf-8")
    found = of_files(evenings, Wanted(since=date(2012, 5, 1)))
    assert found.games["game_id"].tolist() == ["may"]
    assert [(each.file, each.what) for each in found.remarks] == [
        ("april.csv", "this game has no date, and is left out")
    ]


@pytest.mark.slow
def test_colours_and_the_awards_of_single_players(tmp_path: Path) -> None:
    result = process_event(*(FIXTURES / "event" / name for name in ("made-final-1.ACM", "made-final-2.ACA")))
    found = players(Sheet(result.games, result.contestants))
    orange = row(found, "Dirk Orange")
    assert (orange["masterpoints"], orange["red"], orange["gold"], orange["black"]) == (295, 265, 30, 0)
    # Six players of a team: who played a quarter of the event gets 1.58, who played all of it 6.30.
    shared = of_files([sheet(tmp_path)])
    assert [row(shared, name)["masterpoints"] for name in ("Ann", "Cat", "Fay")] == [630, 473, 158]


def test_players_are_told_apart_as_in_a_series() -> None:
    found = of_files(SERIES)
    assert [doubt.what for doubt in found.doubts] == [
        "Ida Jute has no number in tuesday-2026-01-20: counted as 0000109"
    ]
    assert row(found, "Ida Jute")["games"] == 4


@pytest.mark.slow
def test_a_game_that_cannot_be_awarded_is_left_out_and_one_that_is_there_twice_refused(evenings: list[Path]) -> None:
    evenings[0].write_text(evenings[0].read_text("utf-8").replace("# rating: club-open\n", ""), "utf-8")
    found = of_files(evenings)
    assert found.games["game_id"].tolist() == ["may"]
    assert [problem.what for problem in found.problems] == ["rating is not declared"]
    evenings[1].write_text(evenings[1].read_text("utf-8").replace("# rating: club-open\n", ""), "utf-8")
    with pytest.raises(InputError, match="rating is not declared"):
        of_files(evenings)
    with pytest.raises(InputError, match="this is the same game as"):
        of_files([WEDNESDAY, WEDNESDAY])


@pytest.mark.slow
def test_they_are_listed_by_name_or_number() -> None:
    by_name = of_files(SERIES, order=Order.NAME).rows["player"].tolist()
    assert by_name[:3] == ["Ada Birch", "Ben Cole", "Cora Dale"]
    by_number = of_files(SERIES, order=Order.NUMBER).rows["id"].tolist()
    assert by_number == sorted(by_number)


@pytest.mark.slow
def test_every_format(both_evenings: Players) -> None:
    found = both_evenings
    text = WRITERS["text"](found).decode()
    assert text.startswith("Masterpoints, 18 April to 2 May 2012\n2 games, 36 players\nThe Other\n\nPlayer")
    assert "Mortimer Sams" in text
    assert "0.90, 65.05%, 2 May 2012, May Open Pairs" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    sams = next(
        each for each in csv.DictReader(io.StringIO(WRITERS["csv"](found).decode())) if "Sams" in each["player"]
    )
    expected = ("1.53", "1.53", "may", "2012-05-02")
    assert (sams["masterpoints"], sams["black"], sams["best_game"], sams["best_date"]) == expected
    content = json.loads(WRITERS["json"](found))
    entry = next(each for each in content["players"] if each["name"] == "Mortimer Sams")
    assert (entry["games"], entry["colours"]) == (2, {"black": "1.53"})
    assert entry["best"] == {
        "game": "may",
        "date": "2012-05-02",
        "event": "May Open Pairs",
        "masterpoints": "0.90",
        "percentage": 65.05,
    }
    workbook = openpyxl.load_workbook(io.BytesIO(WRITERS["xlsx"](found)))
    assert [cell.value for cell in workbook["Players"][4]] == ["Player", "Games", "Masterpoints", "Best game"]
    number, best = workbook["Players"][5][2], workbook["Players"][5][3]
    # An indent holds only beside the side that it is of: 3.55 and the text after it stood as one.
    assert (number.alignment.horizontal, best.alignment.horizontal, best.alignment.indent) == ("right", "left", 1)
    numbered = openpyxl.load_workbook(io.BytesIO(WRITERS["xlsx"](replace(found, numbered=True))))
    assert [cell.value for cell in numbered["Players"][4]][:3] == ["Player", "Member no", "Games"]
    page = WRITERS["html"](found).decode()
    assert "<h1>Masterpoints, 18 April to 2 May 2012</h1>" in page
    assert "Mortimer Sams" in page
    assert "<html" not in WRITERS["html-fragment"](found).decode()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["series", "players"])
def test_numbers_and_doubts_are_on_pages_and_in_workbooks_if_asked_for(command: str, tmp_path: Path) -> None:
    files = SERIES[1:3]
    for more, asked in (([], False), (["--numbers", "--remarks"], True)):
        done = run(command, *files, *more, "-o", tmp_path / "list.html")
        assert "Ida Jute has no number in tuesday-2026-01-20: counted as 0000109" in done.err
        page = (tmp_path / "list.html").read_bytes()
        assert (b"0000101" in page, b"counted as 0000109" in page) == (asked, asked)
        assert ("counted as 0000109" in run(command, *files, *more, "--to", "html-fragment").out) == asked
        run(command, *files, *more, "-o", tmp_path / "list.xlsx")
        book = openpyxl.load_workbook(tmp_path / "list.xlsx")
        cells = {str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row}
        assert ("0000101" in cells, any("counted as 0000109" in each for each in cells)) == (asked, asked)
    for to in ("text", "csv", "json"):
        assert "0000101" in run(command, files[0], "--to", to).out


def test_what_archived_games_lack_is_said_with_their_file(tmp_path: Path) -> None:
    """No option of ``players`` says it of an archive; what the message says, done, mends it."""
    file, archive = tmp_path / "a.csv", str(tmp_path / "archive")
    rows = "1,Ann Ash,Bob Birch,60\n2,Cy Cedar,Di Dogwood,55\n3,Ed Elm,Flo Fir,50\n4,Gus Gum,Hal Hazel,45\n"
    file.write_text(f"# rating: club-open\n# date: 2026-01-05\nnumber,player1,player2,score\n{rows}")
    run("archive", "add", file, "--to", archive)
    done = run("players", archive)
    assert done.status == 1
    assert "(add its file to the archive again, with --boards '24')" in done.err
    german = run("players", archive, "--language", "de")
    assert "fügen Sie die Datei dem Archiv noch einmal hinzu, mit --boards '24'" in german.err
    run("archive", "add", file, "--to", archive, "--boards", "24")
    assert "1 game, 8 players" in run("players", archive).out


@pytest.mark.slow
def test_the_command_line(evenings: list[Path], tmp_path: Path) -> None:
    files = [str(path) for path in evenings]
    done = run("players", *files, "--month", "2012-05")
    assert done.status == 0
    assert done.out.startswith("Masterpoints, May 2012\n1 game, 36 players\nThe Other\n")
    for wrong in (["--month", "2012-13"], ["--month", "2012-05", "--since", "2012-05-01"], ["--sort", "age"]):
        assert run("players", *files, *wrong).status == 2
    archive = str(tmp_path / "archive")
    run("archive", "add", *files, "--to", archive)
    kept = run("players", archive, "--month", "2012-05")
    assert kept.out == done.out
    assert run("players", archive, files[0]).status == 2
    nothing = run("players", archive, "--month", "2013-05")
    assert "the games are from 2012-04-18 to 2012-05-02" in nothing.err
