"""The game keys: what their values may be, and what is said of others."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import resultproc
from resultproc.formats.acblscore.layout import CLUB_GAMES, RATINGS
from resultproc.model.game import league
from resultproc.model.keys import KEYS, declared_value
from resultproc.rulebooks.load import rulebooks

PACKAGE = Path(resultproc.__file__).parent


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("special", "side-gane", "invalid special word: 'side-gane'; did you mean 'side-game'?"),
        ("special", "charity, hadicap", "invalid special word: 'hadicap'; did you mean 'handicap'?"),
        ("special", "x-", "invalid special word: 'x-'"),
        ("special", ", ;", "it has no value; write for example handicap"),
        ("restrictions", "senoir", "did you mean 'senior'?"),
        ("strata", "A=open, B", "write one for each value, as in A=open, B=1000, C=200"),
        ("strata", "open, 1000", "write one for each value, as in A=open, B=1000, C=200"),
        ("strata", "1000", "write one for each limit, as in A=open, B=1000, C=200"),
        ("strata", "B=1,000", "comma within a number in 'B=1,000'; write 1000 without it, as in A=open, B=1000"),
        ("strata", "A=open, B=1,000, C=200", "comma within a number"),
        ("strata", "A=open, B=1000, B=200", "write each letter once, as in A=open, B=1000, C=200"),
        ("strata", "BC=1000", "invalid stratum letter: 'BC'; write the strata top first, as in A=open"),
        ("flight_limits", "A=open, B=1,500", "comma within a number"),
        ("flight_limits", "1500", "write one for each limit, as in A=open, B=1500"),
        ("movement", "A=mitchell, howell", "write one for each value, as in A=mitchell"),
        ("tables", "A=9, 7", "write one for each value, as in A=9, B=7.5"),
    ],
)
def test_a_value_that_cannot_be_says_what_would_be_right(key: str, value: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        declared_value(key, value)


def test_every_example_is_right_as_it_stands() -> None:
    assert {key.example: declared_value(name, key.example) for name, key in KEYS.items()} == {
        key.example: key.example for key in KEYS.values()
    }


@pytest.mark.parametrize(("value", "spelled"), [("Yes", "true"), ("1", "true"), ("FALSE", "false"), ("0", "false")])
def test_an_answer_is_read_as_in_a_column_of_answers(value: str, spelled: str) -> None:
    assert declared_value("by_place", value) == spelled


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("Side Game; Silver_Linings", "side-game, silver-linings"),
        ("Men’s, charity, men's", "men's, charity"),
        ("charity, x-our-bonus-night", "charity, x-our-bonus-night"),
    ],
)
def test_special_words_have_one_spelling(value: str, spelled: str) -> None:
    assert declared_value("special", value) == spelled


def test_the_special_words_that_rulebooks_go_by_are_known() -> None:
    entries = [entry for book in rulebooks() for versions in book.entries.values() for entry in versions]
    factors = ("special.factor.", "factor.r.")
    kinds = {each.path.removeprefix(name) for name in factors for each in entries if each.path.startswith(name)}
    kinds |= {word for entry in entries if entry.unit.startswith("special, as declared") for word in entry.value}
    kinds |= {word for entry in entries if entry.path == "scope.general-formula-kinds" for word in entry.value}
    assert {"charity", "side-game", "barometer-3", "nap"} <= kinds
    # A rating is declared under its own key.
    assert kinds - set(league().names) <= league().special


def test_the_ratings_that_the_words_of_the_league_name_are_known() -> None:
    words = league()
    named = {rating for each in words.classes for rating in each.ratings}
    assert {*named, *sum(words.groups.values(), ()), *words.random_games["limits"]} <= set(league().names)
    assert {"club-newcomer", "club-online", "stac"} <= named


def test_the_special_words_that_readers_find_are_known() -> None:
    assert {word for _, word in (*RATINGS.values(), *CLUB_GAMES.values())} - {""} <= league().special


@pytest.mark.slow
def test_the_special_words_in_the_code_are_known() -> None:
    found = {word for path in sorted(PACKAGE.rglob("*.py")) for word in _words(path)}
    assert {"handicap", "introductory", "nap-unit", "pupil", "lower-limit", "across-sections", "unfinished"} <= found
    assert found <= league().special


def _words(path: Path) -> Iterator[str]:
    """Yield the words that a module looks for.

    What words_in, has_kind, is_special and facts are asked, ``"word" in special``, and own_classes of club rulebooks.
    """
    text = path.read_text("utf-8")
    tree = ast.parse(text if re.search("words_in|has_kind|special|own_classes", text) else "")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"words_in", "has_kind"}:
            asked = node.args[1:]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"is_special", "special"}:
            asked = node.args
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) in {"special", "group.special"}:
            asked = [node.left]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("own_classes"):
            asked = list(ast.walk(node.value))
        else:
            continue
        for argument in asked:
            if isinstance(argument, ast.Constant):
                yield str(argument.value)
            elif isinstance(argument, ast.Name) and argument.id.isupper():
                name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
                yield getattr(import_module(name), argument.id)
