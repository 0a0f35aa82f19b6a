"""The worked examples of the regulations, ``tests/regulations/*.toml``: each pays what its regulation says."""

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conftest import ALL, saved
from worked_examples import ENTRIES, FOLDER, Charts, Example, Results, at_once, charts_at_once, differences, read

FILES = sorted(FOLDER.glob("*.toml"))
WRITTEN = [each for path in FILES for each in read(path)]
EXAMPLES = [
    pytest.param(each, id=f"{each.file}: {each.name}", marks=[pytest.mark.slow] if each.chart.count("\n") > 3 else [])
    for each in WRITTEN
]
"""The examples; charts of many rows take long."""

README = (FOLDER / "README.md").read_text("utf-8")


@cache
def of_file(name: str) -> tuple[Results, Charts]:
    examples = [each for each in WRITTEN if each.file == name]
    return at_once(examples), charts_at_once(examples, every=ALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_pays_what_the_regulations_say(example: Example, tmp_path: Path) -> None:
    wrong = differences(example, tmp_path, *of_file(example.file))
    assert not wrong, "\n".join([f"{example.file}: {example.name}", example.cite, example.how.strip(), *wrong])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_says_where_to_learn_how_to_add_to_it(path: Path) -> None:
    heading = path.read_text("utf-8").split("\n\n")[0]
    assert all(line.startswith("#") for line in heading.splitlines()), "begin with a comment, as the other files do"
    assert "README.md" in heading


def test_the_readme_explains_every_entry_and_its_examples_hold(tmp_path: Path) -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == set(ENTRIES)
    shown = re.findall(r"^```toml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(shown) == 4
    for number, text in enumerate(shown):
        (example,) = written(tmp_path, text, f"shown{number}.toml")
        assert differences(example, tmp_path) == []


def written(folder: Path, text: str, name: str = "own.toml") -> list[Example]:
    path = saved(folder / name, text)
    return read(path)


# An example that is wrong fails, whatever is wrong with it.

PAIRS = Example(
    "own.toml",
    "five tables",
    "p. 1",
    game={"rating": "club-open", "date": "2010-05-01", "tables": 2.5, "movement": "howell"},
    results="number, score\n1, 90\n2, 80\n3, 80\n4, 60\n5, 50",  # .50; (.35 + .25) / 2 = .30
    expect={"A-1": "0.50 black (section A)", "A-2": "0.30", "A-3": "0.30 (section A)"},
    in_line_for={"A-1": "0.50 (section A)", "A-4": "nothing"},
    places={"A-1": "section A 1 of 5", "A-3": "section A 2/3 of 5"},
    under="acbl-club",
)
CHART = Example(
    "own.toml",
    "a chart",
    "p. 1",
    game={"rating": "club-open", "date": "2010-05-01"},
    chart="tables | section\n5 | 0.50 0.35",
)
TEAM = Example(
    "own.toml",
    "a team of six",
    "p. 4",
    game={"rating": "regional", "date": "2005-05-05", "event_type": "bam", "tables": 3},
    results="number, score, " + ", ".join(f"player{n}, played{n}" for n in range(1, 7)) + "\n"
    "1, 9, A, 100, B, 100, C, 100, D, 50, E, 25, F, 25\n2, 8, G,, H,, I,, J,\n3, 7, K,, L,, M,, N,",
    expect={"others": "any", "A-1": "3.34"},  # 13/60 x 14 x 1.1; a session half of it
    players={"A-1": "3.34 3.34 3.34 1.67 1.67 1.67"},
)


@cache
def right() -> tuple[Results, Charts]:
    """Return what the pairs come to, and the first row of the chart."""
    found = charts_at_once([replace(CHART, chart=f"{CHART.chart}\n5 | 0.50 0.35")])
    return at_once([PAIRS]), {(CHART.name, 1): found[CHART.name, 2]}


def test_examples_that_hold(tmp_path: Path) -> None:
    for example in (PAIRS, CHART, TEAM):
        assert differences(example, tmp_path) == []


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"expect": {**PAIRS.expect, "A-1": "0.51"}}, "expect: A-1 should be '0.51', is '0.50'"),
        ({"expect": {**PAIRS.expect, "A-1": "0.50 (overall A)"}}, "is '0.50 (section A)'"),
        ({"expect": {**PAIRS.expect, "A-1": "0.50 (section B)"}}, "is '0.50 (section A)'"),
        ({"expect": {**PAIRS.expect, "A-1": "0.50 red"}}, "is '0.50 black'"),
        ({"expect": {**PAIRS.expect, "A-1": "0.25 red + 0.25 black"}}, "is '0.50 black'"),
        ({"expect": {**PAIRS.expect, "A-4": "0.18"}}, "expect: A-4 should be '0.18', is '0.00'"),
        ({"expect": {"A-1": "0.50", "A-2": "0.30"}}, "expect: A-3 should be '0.00', is '0.30 (section A)'"),
        ({"expect": {"A-9": "0.50"}}, "expect: there is no A-9, but A-1, A-2"),
        ({"in_line_for": {"A-1": "nothing"}}, "in_line_for: A-1 should be 'nothing', is '0.50 (section A)'"),
        ({"in_line_for": {"A-1": "0.50 (section A), 0.40 (section B)"}}, "in_line_for: A-1"),
        ({"in_line_for": {"A-4": "0.18 (section A)"}}, "is 'nothing'"),
        ({"places": {"A-1": "section A 2 of 5"}}, "places: A-1"),
        ({"places": {"A-3": "section A 2/3 of 6"}}, "places: A-3"),
        ({"under": "acbl-2017"}, "should be awarded under acbl-2017, and is under acbl-club"),
    ],
)
def test_a_wrong_expectation_fails(entries: dict[str, object], told: str, tmp_path: Path) -> None:
    (wrong,) = differences(replace(PAIRS, **entries), tmp_path, right()[0])
    assert told in wrong


def test_wrong_awards_of_players_fail(tmp_path: Path) -> None:
    (wrong,) = differences(replace(TEAM, players={"A-1": "3.34 3.34 3.34 1.67 1.67 1.66"}), tmp_path)
    assert wrong.startswith("players: A-1")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("tables | section\n5 | 0.50 0.36", "should pay '0.50 0.36', pays '0.50 0.35'"),
        ("tables | section\n5 | 0.50", "pays '0.50 0.35'"),
        ("tables | section\n5 | 0.50 0.35 0.25", "pays '0.50 0.35'"),
        ("tables | section\n5 | 0.51 ...", "pays '0.50 0.35'"),
        ("tables | section\n5 | 0.50 ... 3 places", "pays '0.50 0.35'"),
        ("tables | section\n5 | none", "pays '0.50 0.35'"),
        ("tables | session\n5 | 0.50", "session should pay '0.50', pays 'none'"),
        ("tables | limit | section\n5 | | 0.50 ...\n5 | 200 | 0.50 ...", "row 2: 5 tables, limit 200: section should"),
        ("tables | under\n5 | acbl-2017", "should be under acbl-2017, is under acbl-club"),
    ],
)
def test_a_wrong_chart_fails(table: str, told: str, tmp_path: Path) -> None:
    (wrong,) = differences(replace(CHART, chart=table), tmp_path, charts=right()[1])
    assert told in wrong


def test_wrong_cases_fail(tmp_path: Path) -> None:
    several = replace(PAIRS, expect={}, in_line_for={}, places={})
    table = "limit | rating | A-1 | A-2\n | | 0.50 | 0.30\n20 | club-restricted | 0.25 | 0.16"  # .05 a pair
    assert differences(replace(several, cases=table), tmp_path) == []
    (wrong,) = differences(replace(several, cases=table.replace("0.16", "0.15")), tmp_path)
    assert wrong == "row 2: expect: A-2 should be '0.15', is '0.16'"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("cite =", "cited ="), "'two pairs' has unknown entries: cited; known: name, cite"),
        (('cite = "p. 1"', ""), "'two pairs' has no cite"),
        (('name = "two pairs"', ""), "'example 1' has no name"),
        (('cite = "p. 1"', "cite = 1"), "cite should be text"),
        (('"0.20"', '""\n[more]'), "'more' stands outside"),
        (("[example.expect]", "expect.A-2 = '0.10'\n[example.expect]"), "own.toml is no TOML: "),
        (("results", "chart"), "what chart should pay stands in its columns alone"),
        (("[example.expect]", 'cases = "limit"\n[example.expect]'), "what cases should pay stands in its"),
        (('results = "number, score', 'how = "'), "needs one of results, brackets and chart"),
        (('A-1 = "0.20"', 'others = "any"'), "expect lists no contestant"),
        (("[example.expect]\nA-1", "[example.game]\ntables"), "expects nothing"),
    ],
)
def test_what_is_no_example_is_refused(changed: tuple[str, str], message: str, tmp_path: Path) -> None:
    text = '[[example]]\nname = "two pairs"\ncite = "p. 1"\nresults = "number, score"\n[example.expect]\nA-1 = "0.20"\n'
    assert written(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(message)):
        written(tmp_path, text.replace(*changed))


def test_two_examples_of_one_name_are_refused(tmp_path: Path) -> None:
    text = (FOLDER / "README.md").read_text("utf-8").split("```toml\n")[1].split("```")[0]
    assert tomllib.loads(text)
    with pytest.raises(ValueError, match="two examples of one name: A club game of six tables"):
        written(tmp_path, text * 2)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"expect": {"A-1": "0.5"}}, "invalid award: '0.5'"),
        ({"expect": {"A-1": "0.25 red + 0.25"}}, "invalid award"),
        ({"expect": {"A-1": "0.25 red + 0.25 red"}}, "invalid award"),
        ({"expect": {"A-1": "0.25 + 0.25"}}, "invalid award"),
        ({"expect": {"others": "none"}}, "'others' may be 'any'"),
        ({"cases": "limit | how\n20 | .05 a pair"}, "expects nothing"),
        ({"results": "", "chart": "tables | rating\n5 | club-open"}, "expects nothing"),
        ({"results": "", "chart": "tables | section\n5 | 1.0"}, "'1.0' are no awards"),
        ({"results": "", "chart": "tables | section\n5"}, "as many cells"),
        ({"results": "", "chart": "tables | section"}, "as many cells"),
        ({"results": "", "chart": "tables | limit | limit\n5 | 20 | 50"}, "two columns of a table have the same name"),
        ({"results": "", "chart": "section\n0.50"}, "has no number of tables"),
        ({"results": "", "brackets": "section | teams | winner\nA | 8 | 1"}, "brackets have the columns"),
    ],
)
def test_what_cannot_be_read_is_refused(entries: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        differences(replace(PAIRS, **entries), tmp_path)


def test_keys_that_no_game_has_are_refused(tmp_path: Path) -> None:
    for example, key in (
        (replace(PAIRS, game={**PAIRS.game, "boardz": 20}), "boardz"),
        (replace(CHART, chart="tables | limits | section\n5 | 20 | 0.25 ..."), "limits"),
    ):
        (wrong,) = differences(example, tmp_path)
        assert wrong.startswith("it is refused: ")
        assert f"'{key}'" in wrong
