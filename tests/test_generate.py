"""Random games: the same ones for a seed, all of them awarded, with all that makes games hard."""

import hashlib
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from conftest import run

from resultproc.cli.generate import command
from resultproc.formats.read import read
from resultproc.model.errors import InputError, OutputError
from resultproc.model.frames import Result
from resultproc.model.game import league, leagues
from resultproc.model.source import Source
from resultproc.reports.generate import GAME_KINDS, game_as_csv, generate, write_games
from resultproc.rulebooks.load import rulebooks
from resultproc.stages.pipeline import award_sheet, joined_sheets

GAMES = 14
RULEBOOKS = league().random_games["rulebooks"]


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {kind: awarded(kind, 7, GAMES) for kind in GAME_KINDS}


def awarded(kind: str, seed: int, games: int) -> Result:
    made = generate(kind, seed, games)
    return award_sheet(
        joined_sheets([read(Source(name, game_as_csv(each)), format="csv") for name, each in made.items()])
    )


@pytest.mark.slow
def test_every_game_is_awarded_under_a_rulebook_of_its_kind(results: dict[str, Result]) -> None:
    for kind, result in results.items():
        assert len(result.games) == GAMES
        assert set(result.games["rulebook"]) == set(RULEBOOKS[kind])
        assert (result.awards["masterpoints"] > 0).any()


def test_every_rulebook_is_of_one_kind() -> None:
    of_kinds = [book for kind in GAME_KINDS for book in RULEBOOKS[kind]]
    assert Counter(of_kinds) == Counter(book.id for book in rulebooks() if leagues()[book.league].default)
    (choice,) = (each.type for each in command.params if each.name == "kind")
    assert list(choice.choices) == list(GAME_KINDS)


@pytest.mark.slow
def test_there_is_what_makes_games_hard(results: dict[str, Result]) -> None:
    standings = pd.concat([result.standings for result in results.values()])
    assert (standings["tied"] > 1).sum() > 100
    assert set(standings["level"]) == {0, 1, 2}
    for kind, result in results.items():
        assert not result.contestants["eligible"].all(), kind
        assert kind == "knockout" or result.games["tables"].str.contains(r"\.5").any() or kind == "tournament"
    cited = {
        value.path
        for result in results.values()
        for values in result.candidates["values"].cat.categories
        for value in values.items
    }
    assert {path for path in cited if ".cap." in path or "caps" in path}
    days = {each.date() for result in results.values() for each in result.games["date"]}
    changes = {start for book in rulebooks() for start in (book.since, *book.starts)}
    assert len(days & changes) > 5


@pytest.mark.slow
def test_the_same_seed_makes_the_same_files_everywhere(tmp_path: Path) -> None:
    one, again, other = (generate("club", seed, 3) for seed in (1, 1, 2))
    assert list(one) == ["club-1-001.csv", "club-1-002.csv", "club-1-003.csv"]
    assert one == again
    assert list(one.values()) != list(other.values())
    assert generate("club", 1, 2) == dict(list(one.items())[:2])
    digest = hashlib.sha256(
        b"".join(game_as_csv(each) for kind in GAME_KINDS for each in generate(kind, 1, 3).values())
    )
    assert digest.hexdigest() == "63008ebcc3efd0008485be9fa33a1b334ae5718a3e4fafd9e0de720926f67f6c"


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    made = generate("online", 1, 2)
    write_games(tmp_path / "new" / "folder", made)
    write_games(tmp_path / "new" / "folder", made)
    (tmp_path / "new" / "folder" / "online-1-002.csv").write_text("mine")
    (tmp_path / "new" / "folder" / "online-1-001.csv").unlink()
    with pytest.raises(OutputError, match=r"online-1-002.csv: this file exists already, and is not overwritten"):
        write_games(tmp_path / "new" / "folder", made)
    assert not (tmp_path / "new" / "folder" / "online-1-001.csv").exists()
    with pytest.raises(OutputError, match="this folder cannot be made"):
        write_games(tmp_path / "new" / "folder" / "online-1-002.csv" / "below", made)


def test_what_it_prints_and_refuses(tmp_path: Path) -> None:
    done = run("generate", "--seed", "1", "--kind", "knockout", "--games", "1", "-o", tmp_path)
    assert done.status == 0
    assert done.out.startswith(f"{tmp_path}/knockout-1-001.csv: ")
    assert run("generate", "--seed", "1", "--kind", "chess", "-o", tmp_path).status == 2
    assert run("generate", "--seed", "1", "--kind", "club").status == 2
    with pytest.raises(InputError, match="unknown kind of games: 'chess'"):
        generate("chess", 1, 1)
