"""What the command line says of events under the General Formula: charts, explanations, the rulebooks' values."""

import json

import pytest
from conftest import FIXTURES, run, saved

EDITIONS = ("acbl-general-formula-2003", "acbl-general-formula-2015", "acbl-general-formula-2019")


def chart(*arguments: str) -> dict[str, list[str]]:
    """Return the awards of a chart of one number of tables, by basis."""
    blocks = json.loads(run("chart", *arguments, "--to", "json").printed)["awards"]
    return {block["basis"]: block["rows"][0]["masterpoints"] for block in blocks}


def test_the_chart_of_a_regional_up_to_1500():
    found = chart(
        *("--rules", "acbl-general-formula-2003", "--rating", "regional", "--event-type", "pairs"),
        *("--sessions", "2", "--tables", "40", "--limit", "1500"),
    )
    # B 50/60, M log10(1500) / 3.11 - .218 = .803251: 14 x 1.5 x .83333 x .803251 = 14.057, then 75% a place; the
    # floor is .2 x 14 x .803251 = 2.249, and the eighth place would be 1.88.
    assert found["overall"] == ["14.06", "10.55", "7.91", "5.93", "4.45", "3.34", "2.50"]
    # A session: .5 x .83333 x 14 x .803251 = 4.6856; 70, 50, 35%, then 1/5, ...; 40% of 40 pairs each way.
    assert found["session"][:6] == ["4.69", "3.28", "2.35", "1.64", "0.94", "0.78"]
    assert len(found["session"]) == 16


@pytest.mark.parametrize(
    ("arguments", "basis", "awards"),
    [
        # 12 tables and 20 below: 42/60 x 21; 35% of 24 pairs. Session: .5 x .7 x 14 x 1.1.
        ("--rating regional --sessions 2 --tables 12 --flight A --lower-tables 1500=20", "overall", "14.70 11.03 8.27"),
        ("--rating regional --sessions 2 --tables 12 --flight A --lower-tables 1500=20", "session", "5.39 3.77 2.70"),
        (
            "--rating national --sessions 6 --tables 60 --championship blue-ribbon-pairs",
            "overall",
            "190.00 142.50 106.88",
        ),
        (
            "--rating regional --event-type swiss --tables 9 --bracket 1 --lower-tables 60",
            "overall",
            "15.32 11.49 8.62",
        ),
        # 10 tables: 14 / 3 x .75, and a session .33 x that in a one-winner movement
        ("--rating regional --event-type individual --tables 10", "overall", "3.50 2.63 1.97"),
        ("--rating regional --event-type individual --tables 10", "section", "1.16 0.81 0.58"),
        # 20 tables over four sessions, cut after the second: .5 x .5 x 14 = 3.50, from the third on a tenth more
        ("--rating regional --sessions 4 --cuts 2 --tables 20", "session 1", "3.50 2.45 1.75"),
        ("--rating regional --sessions 4 --cuts 2 --tables 20", "session 3", "3.85 2.70 1.93"),
        ("--rating regional --sessions 4 --cuts 2 --tables 20", "overall", "17.50 13.13 9.84"),
    ],
)
def test_charts_of_all_kinds(arguments, basis, awards):
    found = chart("--rules", "acbl-general-formula-2003", *arguments.split())
    assert found[basis][:3] == awards.split()


@pytest.mark.slow
def test_charts_go_by_the_date():
    # 20 tables of a sectional, B .5: R 10, then 11 and x 1.25 as well.
    firsts = [chart("--rating", "sectional", "--tables", "20", "--date", day)["overall"][0]
              for day in ("2014-12-31", "2015-01-01", "2017-01-01", "2019-06-01")]  # fmt: skip
    assert firsts == ["5.00", "6.88", "6.88", "6.88"]


def test_an_event_that_lacks_something_has_no_chart():
    arguments = ["chart", "--rating", "regional", "--date", "2005-05-05", "--tables", "12", "--flight", "A"]
    result = run(*arguments)
    assert "lower_tables is not declared, and flight A is credited with lower flights" in result.err


def test_explain_says_factors_and_how_sure_they_are():
    said = " ".join(run("explain", FIXTURES / "made-charity.csv", "A-NS-9").printed.split())
    assert "0.86 masterpoints (0.86 black) from overall, stratum B, 4th of 18: the highest of 3 awards" in said
    assert "first 1.02 (0.5 x B 0.3167 (9 contestants) x R 9 x M 0.575 x T 1.25); 4 places pay" in said
    assert "first awards of all three strata (inferred)" in said
    assert "M x P x T of limited strata (secondary)" in said
    assert "section, stratum A, 5th of 13 pays 0.43" in said


@pytest.mark.parametrize("name", EDITIONS)
def test_every_value_is_shown_with_its_source(name):
    shown = json.loads(run("rules", "show", name, "--to", "json").printed)
    assert shown["id"] == name
    assert len(shown["values"]) > 130
    for value in shown["values"]:
        assert value["citation"].partition(", ")[0]
        assert value["confidence"] in {"printed", "secondary", "inferred"}
    paths = {value["path"] for value in shown["values"]}
    assert {
        "factor.b.divisor",
        "overall.step",
        "depth.pairs",
        "stratiflighted.share",
        "participation.sessions",
    } <= paths
    assert "championship.reisinger-bam = { event-type" in run("rules", "show", name).printed


def test_the_dates_of_the_editions():
    listed = {book["id"]: book for book in json.loads(run("rules", "list", "--to", "json").printed)["rulebooks"]}
    days = [(listed[name]["since"], listed[name]["until"], listed[name]["extends"]) for name in EDITIONS]
    assert days == [
        ("2003-11-01", "2014-12-31", None),
        ("2015-01-01", "2018-12-31", "acbl-general-formula-2003"),
        ("2019-01-01", None, "acbl-general-formula-2015"),
    ]


def test_a_rulebook_of_ones_own_changes_a_factor(tmp_path):
    book = saved(tmp_path / "ours.toml", 'extends = "acbl-general-formula-2003"\n[factor.r.sectional]\nvalue = 12\n')
    # 20 tables: .5 x 12
    assert chart("--rules", str(book), "--rating", "sectional", "--tables", "20")["overall"][0] == "6.00"
    book = tmp_path / "theirs.toml"
    book.write_text('extends = "acbl-general-formula-2003"\n[overall.reading]\nvalue = "steps"\n', "utf-8")
    result = run("chart", "--rules", book, "--rating", "sectional", "--tables", "20")
    assert "theirs.toml: line 2: unknown value 'steps' of 'overall.reading' (known: by sessions, greater)" in result.err


def test_sheets_mark_what_paid(tmp_path):
    lines = run("award", FIXTURES / "made-charity.csv", "--to", "csv").printed.splitlines()
    paid = {line.split(",")[-2] for line in lines if line.startswith("A,")}
    assert paid == {"OA", "OB", "OC", "SA", "SC", ""}
