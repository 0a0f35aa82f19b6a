"""Explanations of awards. The awards of the game of 2012 are the published ones; the others are worked by hand."""

import json
import re
from math import prod
from pathlib import Path

import pytest
from conftest import ALL, FIXTURES, examples, run, saved
from example_games import WEDNESDAY, csv, field
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from samples import SAMPLES, real

from resultproc.formats.read import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Result
from resultproc.people.seated import find, labels
from resultproc.reports import conform
from resultproc.reports.explain import LIST_WRITERS, WRITERS, explain
from resultproc.stages.pipeline import award_sheet, process

FORMULA = [f"acbl-general-formula-{year}" for year in (2003, 2015, 2019)]
"""The files of the conformance suite in which awards are products of factors."""

_FACTOR = r"(?:[A-Z] )?[\d.]+"


def awarded(tmp_path: Path, text: str) -> Result:
    path = saved(tmp_path / "game.csv", text)
    return process(path, format="csv")


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULA)
def test_the_factors_that_are_told_make_the_first_award(name: str) -> None:
    checked = 0
    sheet = read(conform.asked(conform.read_suite(FIXTURES / "conformance" / f"{name}.json").games[:: 1 if ALL else 5]))
    for text in award_sheet(sheet).candidates["factors"].astype(str).unique():
        # B 0.4167 (15 tables) x R 14 x S 1.5: B and M are told to four digits.
        plain = re.sub(r"; below [^)]*\)", ")", re.sub(r" \((?=[0-9])[^()]*\)|both sites: ", "", text))
        told = re.match(rf"first ([\d.]+) \(({_FACTOR}(?: x {_FACTOR})*)(?:, capped at ([\d.]+))?\);", plain)
        if told:
            product = prod(map(float, re.findall(r"[\d.]+", told[2])))
            assert min(product, float(told[3] or product)) == pytest.approx(float(told[1]), 1e-3, 6e-3), text
            checked += 1
    assert checked


@pytest.fixture(scope="module")
def wednesday(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return awarded(tmp_path_factory.mktemp("wednesday"), WEDNESDAY)


def test_a_text_is_80_columns_wide_and_goes_on_below_itself(wednesday: Result) -> None:
    lines = WRITERS["text"](wednesday, explain(wednesday, find(wednesday, "A-NS-6"))).decode().splitlines()
    assert max(map(len, lines)) <= 80
    at = next(number for number, line in enumerate(lines) if line.startswith("  rule    "))
    assert lines[at + 1].startswith(10 * " ")
    assert lines[at + 1][10] != " "


def test_the_higher_of_two_strata_wins(wednesday: Result) -> None:
    found = explain(wednesday, find(wednesday, "A-NS-6"))
    won, lost = found.paying
    assert (won.basis, won.stratum, won.size, won.position, won.masterpoints) == ("section", "A", 9, 2, 63)
    assert won.ladder is not None
    # 0.10 x 9, then 70%, 50%, 35% of it, rounded half up; 0.40 x 9 = 3.6, so four places.
    assert won.ladder.awards[: won.ladder.depth] == (90, 63, 45, 32)
    assert "Section Two I" in won.rule
    assert (lost.stratum, lost.size, lost.position, lost.masterpoints) == ("B", 7, 2, 39)
    assert found.unpaid == ()
    assert found.why == "the highest of 2 awards"


def test_standings_that_pay_nothing_are_said(wednesday: Result) -> None:
    found = explain(wednesday, find(wednesday, "A-EW-6"))
    assert [(c.stratum, c.position, c.masterpoints) for c in found.paying] == [("C", 2, 20)]
    assert found.why == "its only award"
    # 107 is seventh of nine E-W, and fourth of the six in B and C, which pay two places (0.40 x 6 = 2.4).
    assert [(c.stratum, c.size, c.position, c.masterpoints) for c in found.unpaid] == [("A", 9, 7, 0), ("B", 6, 4, 0)]
    assert [c.ladder.depth for c in found.unpaid if c.ladder] == [4, 2]
    assert all(c.factors and c.rule for c in found.unpaid)


def test_a_contestant_without_any_award(wednesday: Result) -> None:
    found = explain(wednesday, find(wednesday, "A-EW-5"))
    assert found.paying == ()
    assert found.why == "none of its places pays"
    assert [c.position for c in found.unpaid] == [5]


def test_a_tie_for_the_last_place_shares_what_lies_below_it(tmp_path: Path) -> None:
    scores = field("A", "", 10, 60)
    scores[4] = ("A", "", 5, 57)  # 5 tied with 4 for 4th
    result = awarded(tmp_path, csv(scores, rating="club-open", tables="5"))
    (tied,) = explain(result, find(result, "5")).paying
    # 10 pairs: first 1.00, 4th 35% = 0.35, 5th 1/5 = 0.20; (0.35 + 0.20) / 2 = 0.275, half up.
    assert (tied.position, tied.tied, tied.masterpoints, tied.shared) == (4, 2, 28, (35, 20))


def test_the_cap_is_said(tmp_path: Path) -> None:
    result = awarded(tmp_path, csv(field("A", "", 16, 60), rating="club-open", tables="8"))
    (won,) = explain(result, find(result, "1")).paying
    # 0.10 x 16 = 1.60 is over the 1.50 of an open game.
    assert won.masterpoints == 150
    assert "1.60" in won.factors
    assert "capped at 1.50" in won.factors


def test_equal_awards_of_two_strata(tmp_path: Path) -> None:
    text = csv(field("A", "", 10, 60), rating="club-restricted", limit="1000", tables="5", strata="A=1000, B=500")
    lines = [
        line + (",stratum" if line.startswith("section") else ",B" if line[0] == "A" else "")
        for line in text.split("\n")
        if line
    ]
    result = awarded(tmp_path, "\n".join(lines) + "\n")
    # All ten are in B, and 0.08 holds up to any limit above 200: both strata pay 0.80.
    found = explain(result, find(result, "1"))
    assert [(c.stratum, c.masterpoints) for c in found.paying] == [("A", 80), ("B", 80)]
    assert found.why.startswith("as much as section B;")


def test_the_two_awards_that_a_handicap_game_adds(tmp_path: Path) -> None:
    # B 1 is eighth of the twelve N-S by raw score, and only six places pay overall; first in its section of five,
    # 0.10 x 5 = 0.50. With its handicap of 20 it is first overall: 12 tables x 0.10 = 1.20. Added: 1.70.
    scores = field("B", "N-S", 5, 55) + field("B", "E-W", 5, 54) + field("A", "N-S", 7, 66) + field("A", "E-W", 7, 60)
    text = csv(scores, "handicap=20", rating="club-open", tables="A=7, B=5", special="handicap")
    result = awarded(tmp_path, text)
    found = explain(result, find(result, "B-NS-1"))
    both = found.paying[0]
    assert (both.basis, both.masterpoints, both.ladder, both.shared) == ("section + handicap overall", 170, None, ())
    expected = {("section", 50), ("handicap section", 50), ("handicap overall", 120)}
    assert {(c.basis, c.masterpoints) for c in found.paying[1:]} == expected
    assert [(c.basis, c.position) for c in found.unpaid] == [("overall", 8)]


def test_a_value_that_is_not_printed_is_cited_as_such(tmp_path: Path) -> None:
    scores = field("A", "", 10, 60) + field("B", "", 10, 50)
    result = awarded(tmp_path, csv(scores, rating="club-open", tables="A=5, B=5"))
    rules = {c.basis: c.rule for c in explain(result, find(result, "A-1")).paying}
    assert "(inferred)" in rules["overall"]
    assert "(inferred)" not in rules["section"]


def test_a_contestant_out_of_all_ranks(tmp_path: Path) -> None:
    text = csv(field("A", "", 10, 60), "eligible=no", rating="club-open", tables="5")
    result = awarded(tmp_path, text)
    found = explain(result, find(result, "1"))
    assert (found.paying, found.unpaid) == ((), ())
    assert found.why == "it is not eligible: listed, but not ranked and without awards"


@pytest.mark.parametrize(
    "name", ["A-NS-6", "a-ns-6", "NS-6", "ns-6", "A-N-S-6", "A NS 6", "6NS", "6 n-s", "A6NS", "ns6"]
)
def test_spellings_of_a_contestant(wednesday: Result, name: str) -> None:
    assert labels(wednesday.contestants).iloc[find(wednesday, name)] == "A-NS-6"


def test_the_section_is_needed_where_there_are_two(tmp_path: Path) -> None:
    scores = field("A", "", 10, 60) + field("B", "", 10, 50)
    result = awarded(tmp_path, csv(scores, rating="club-open", tables="A=5, B=5"))
    assert labels(result.contestants).iloc[find(result, "b-3")] == "B-3"
    with pytest.raises(InputError, match="the closest are A-3, B-3"):
        find(result, "3")


@pytest.mark.parametrize(
    ("name", "hint"), [("A-NS-16", "A-NS-6"), ("6", "A-NS-6, A-EW-6"), ("zzz", "A-NS-1 to A-EW-9")]
)
def test_an_unknown_contestant_names_the_closest(wednesday: Result, name: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        find(wednesday, name)


def test_of_several_games_one_must_be_named(tmp_path: Path) -> None:
    head = "# rating: club-open\n# date: 2010-05-01\n# tables: 1\ngame_id,number,player1,score\n"
    result = awarded(tmp_path, head + "tue,1,P,10\ntue,2,Q,9\nwed,1,R,8\nwed,2,S,9\n")
    with pytest.raises(InputError, match="tue, wed"):
        find(result, "A-1")
    with pytest.raises(InputError, match="did you mean 'wed'"):
        find(result, "A-1", "wedd")
    assert result.contestants["player1"].iloc[find(result, "A-1", "wed")] == "R"


@examples(25)
@given(st.lists(st.integers(40, 50), min_size=2, max_size=14), st.data())
def test_an_explanation_is_whole_and_its_sums_are_right(
    tmp_path_factory: pytest.TempPathFactory, percentages: list[int], data: st.DataObject
) -> None:
    scores = [("A", "", number, float(percentage)) for number, percentage in enumerate(percentages, 1)]
    result = awarded(tmp_path_factory.mktemp("game"), csv(scores, rating="club-open", tables=str(len(scores) / 2)))
    row = data.draw(st.integers(0, len(scores) - 1))
    found = explain(result, row)
    standings = result.standings[result.standings["contestant"] == row]
    assert len(found.paying) + len(found.unpaid) == len(standings)
    assert (found.paying[0].masterpoints if found.paying else 0) == result.awards["masterpoints"].iloc[row]
    for candidate in found.paying:
        assert candidate.ladder is not None
        places = candidate.shared or (candidate.ladder.awards[candidate.position - 1],)
        # Half up: twice the mean, plus a half, in whole numbers.
        assert candidate.masterpoints == (2 * sum(places) + len(places)) // (2 * len(places))
    for candidate in found.unpaid:
        assert candidate.ladder is not None
        assert candidate.position > candidate.ladder.depth


GAME = str(FIXTURES / "wed-open-pairs-2012-04-18.csv")


def test_the_page_has_words_of_people() -> None:
    result = process(FIXTURES / "wed-open-pairs-2012-04-18.csv")
    at = result.contestants["player1"].tolist().index("Ruta Allen")
    page = html.fromstring(WRITERS["html"](result, explain(result, at)))
    rows = [[cell.text_content() for cell in row] for row in page.iter("tr")]
    assert ["3rd of 7 pairs in the section, stratum B", "0.28"] in [row[:2] for row in rows]
    # The ladder is 70%, 50% and 35%, and a limited game's rate goes by the limit (Handbook, chapter 4).
    told = {row[0]: row[1] for row in rows}
    assert told["Section percentages"] == "70, 50, 35"
    assert told["Limited rate"] == "5: 0.03, 10: 0.04, 20: 0.05, 100: 0.06, 200: 0.07, open: 0.08"
    said = "0.28: 3rd of 7 pairs in the section, stratum B; the first gets 0.56, 0.08 for each pair."
    assert said in page.text_content()


@pytest.mark.parametrize("name", ["Mortimer Sams", "sams", "Sams, Mortimer", "ANNE ANDERSON", "A-NS-6"])
def test_a_contestant_is_found_by_a_player(name: str) -> None:
    result = process(GAME)
    assert result.contestants["number"].iloc[find(result, name)] == "6"
    assert result.contestants["player1"].iloc[find(result, name)] == "Mortimer Sams"


def test_a_name_that_several_have_or_nobody_is_refused() -> None:
    result = process(GAME)
    with pytest.raises(
        InputError, match=r"several contestants have a player 'Betty' \(name one of them: A-NS-1, A-NS-5"
    ):
        find(result, "Betty")
    with pytest.raises(
        InputError, match=r"unknown contestant 'Mortimer Sam' in the game \(the closest are Mortimer Sams"
    ):
        find(result, "Mortimer Sam")
    with pytest.raises(InputError, match="write one of A-NS-1 to A-EW-9"):
        find(result, "...")


@pytest.mark.slow
def test_without_a_contestant_you_are_told_who_is_there() -> None:
    lines = run("explain", GAME).out.splitlines()
    assert len(lines) == 18
    assert lines[0] == "A-NS-1    0.90  Harold Holland - Betty Holland"
    assert lines[1] == "A-NS-2          Beth Bartel - Charles Reals"
    (listed,) = json.loads(run("explain", GAME, "--to", "json").out)["games"]
    expected = {"name": "A-NS-6", "players": ["Mortimer Sams", "Anne Anderson"], "masterpoints": "0.63"}
    assert listed["contestants"][5] == expected
    two = str(Path(GAME).parent / "made-two-games.ACM")
    every = run("explain", two).out
    assert every.startswith("made-two-games-ACM-1:\n")
    assert "\n\nmade-two-games-ACM-2:\n" in every
    one = run("explain", two, "--game", "made-two-games-ACM-2", "--to", "json")
    (second,) = json.loads(one.out)["games"]
    assert len(second["contestants"]) == 7
    assert b"<h2" in LIST_WRITERS["html"](process(GAME), None)


def test_an_explanation_goes_to_a_file(tmp_path: Path) -> None:
    game = FIXTURES / "wed-open-pairs-2012-04-18.csv"
    for arguments in (["A-NS-6"], []):
        done = run("explain", game, *arguments, "-o", tmp_path / "why.html")
        assert (done.status, done.out) == (0, "")
        assert "0.63" in (tmp_path / "why.html").read_text("utf-8")


@real
@pytest.mark.parametrize(
    ("sample", "who", "path"),
    [
        ("tie-gf6", "A 6", "ties.beyond-depth"),
        ("tie19b", "A 4", "ties.beyond-depth"),
        ("tie19b", "A 4", "depth.least-ties-reading"),
        ("ts170", "A 3", "least.ties-reading"),
        ("s-side", "A 1", "scope.general-formula-kinds"),
        ("on-7.5", "A N-S 1", "section.half-table"),
        ("x-half", "A 20", "stratum.halves.others"),
    ],
)
def test_what_decided_is_named(sample: str, who: str, path: str) -> None:
    arguments = ("explain", SAMPLES / "edges" / f"{sample}.csv", who)
    (first, *_), page = (
        json.loads(run(*arguments, "--to", "json").out)["candidates"],
        run(*arguments, "--to", "html").out,
    )
    (value,) = (each for each in first["values"] if each["path"] == path)
    assert value["cite"].endswith("(inferred)")
    assert f"value   {path} = " in run(*arguments).out
    assert path in page


@real
def test_colours_and_shares_have_a_rule_and_matches_no_tie() -> None:
    arguments = ("explain", SAMPLES / "edges" / "s-side.csv", "A 1")
    assert "\ncolours\n  rule    MPBOOK.041" in run(*arguments).out
    values = json.loads(run(*arguments, "--to", "json").out)["colour_values"]
    assert [each["path"] for each in values] == ["colour.rating"]
    assert "colour.rating" in run(*arguments, "--to", "html").out
    team = run("explain", SAMPLES / "edges" / "pl1.csv", "1")
    assert team.status == 0, team.err
    assert "players' shares\n  rule    MPBOOK.041" in team.out
    matches = [line for line in team.out.splitlines() if line.startswith("matches")]
    assert matches
    assert not any("tied" in line for line in matches)
