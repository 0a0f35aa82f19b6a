"""The upper limit of an event and what goes by it; named readings, each beside the one that holds by itself."""

from math import ceil
from pathlib import Path

import pytest
from games import awarded, candidates, falling, mitchell, rulebook_file
from knockouts import awarded as knockout
from knockouts import bracket, overall

from resultproc.model.errors import DeclarationError
from resultproc.model.frames import Result

ROWS = [f"A-{n} {'A' if n < 4 else 'B'} . s={90 - n}/{90 - n}" for n in range(1, 11)]


def event(**keys: object) -> Result:
    """Return a regional event of two sessions at five tables, three pairs in A and seven in B."""
    given = {"rating": "regional", "date": "2008-01-01", "sessions": 2, "tables": 5, "movement": "howell"}
    return awarded(ROWS, **{**given, "strata": "A=open, B=700", **keys})


def colours(result: Result, row: int) -> dict[str, int]:
    award = result.awards.iloc[row]
    return {colour: int(award[colour]) for colour in ("black", "red", "gold") if award[colour]}


@pytest.mark.slow
def test_what_the_limit_is_stands_in_the_result() -> None:
    assert event(strata="A=500, B=200").games["limit"].tolist() == [500]
    assert event(strata="A=500, B=200", limit="300").games["limit"].tolist() == [300]
    assert event().games["limit"].tolist() == [float("inf")]


@pytest.mark.slow
def test_the_gold_of_a_second_stratum_below_the_limit_is_a_reading(tmp_path: Path) -> None:
    # B: 14/60 x 14 x 1.5 x M(700) .696822 = 3.41; the 4th of A has less.
    assert colours(event(), 3) == {"red": 341}
    assert colours(event(), 0) == {"gold": 525}
    # B: 4.9 x M(750) .706457.
    assert colours(event(strata="A=open, B=750"), 3) == {"gold": 346}
    text = 'extends = "acbl-general-formula-2003"\n[colour.gold.limit-reading]\nvalue = "event"\n'
    assert colours(event(rulebook=rulebook_file(tmp_path, text)), 3) == {"gold": 341}


def test_the_reading_is_named_by_the_awards_whose_colour_it_decided() -> None:
    found = event().candidates
    naming = ["colour.gold.limit-reading" in {value.path for value in each.items} for each in found["values"]]
    assert set(found[naming]["stratum"]) == {"B"}
    assert not any(
        "limit-reading" in value.path
        for each in event(strata="A=open, B=750").candidates["values"]
        for value in each.items
    )


@pytest.mark.slow
def test_a_lower_flight_without_a_limit_is_refused() -> None:
    with pytest.raises(
        DeclarationError, match="flight B has no upper limit, and its awards and their colour depend on it"
    ):
        event(flight="B", lower_tables="none")
    with pytest.raises(DeclarationError, match="flight C has no upper limit"):
        event(flight="C", lower_tables="none", limit="open")
    # 5.25 x M(1500) .803251 and x M(500) .649836.
    lowest = {"lower_tables": "none", "flighted_tables": "9"}
    assert colours(event(flight="B", limit="1500", **lowest), 0) == {"gold": 422}
    assert colours(event(flight="B", strata="A=500, B=200", **lowest), 0) == {"red": 341}


@pytest.mark.slow
def test_another_site_that_does_not_count_is_remarked_on() -> None:
    limited = event(strata="A=500, B=200", other_site_tables="500=40, 200=20")
    (remark,) = limited.remarks
    assert remark.what == (
        "other_site_tables is not used: both sites count together only in events that pay nothing but gold"
    )
    assert remark.hint == "these are pairs events of 2 or more sessions with a limit of 750 or more"
    assert not event(other_site_tables="open=40, 700=20").remarks
    assert not event(strata="A=500, B=200").remarks


# Readings.


def own(folder: Path, path: str, value: str, base: str = "acbl-general-formula-2003") -> str:
    """Return a rulebook of one's own that differs in one value."""
    return rulebook_file(folder, f'extends = "{base}"\n[{path}]\nvalue = {value}\n', f"on-{base}.toml")


@pytest.mark.slow
def test_x_with_two_tables(tmp_path: Path) -> None:
    # Two of eight tables: B(2) 12/60 x 14 x M(2000) .843424 = 2.36; flight B's 4.12 x 1.05 x .625^2 would be 1.69.
    rows = falling("A", 12, "A") + [f"A-{n} B {60 - n}%" for n in range(13, 17)]
    keys = {"rating": "regional", "date": "2005-05-05", "tables": 8, "movement": "howell"}
    keys |= {"strata": "A=open, B=2000", "flight": "A", "lower_tables": "1500=12"}
    assert "overall B" not in candidates(awarded(rows, **keys), "A-13")
    read = own(tmp_path, "stratum.least-tables-reading", '"all but X"')
    assert candidates(awarded(rows, **keys, rulebook=read), "A-13")["overall B"] == "2.36"
    # A lower stratum of an event without flights needs its tables in either reading.
    keys |= {"flight": None, "lower_tables": None}
    assert "overall B" not in candidates(awarded(rows, **keys, rulebook=read), "A-13")


def test_half_tables_of_several_sections(tmp_path: Path) -> None:
    # 3 + 3 tables: 16/60 x 14 = 3.73; five tables: 15/60 x 14 = 3.50.
    rows = falling("A", 5) + falling("B", 5, top=60)
    keys = {"rating": "regional", "date": "2005-05-05", "tables": "A=2.5, B=2.5", "movement": "howell"}
    assert candidates(awarded(rows, **keys), "A-1")["overall A"] == "3.73"
    read = own(tmp_path, "tables.half-reading", '"event"')
    assert candidates(awarded(rows, **keys, rulebook=read), "A-1")["overall A"] == "3.50"


@pytest.mark.slow
def test_the_session_scale_at_thirty_tables(tmp_path: Path) -> None:
    # First .5 x 40/60 x 6.5 = 2.17; 2nd 70%, 1.52; by the overall scale 75%, 1.63.
    rows = falling("A-NS", 30, top=80) + falling("A-EW", 30, top=70)
    given = {"rating": "club-championship", "date": "2005-05-05"}
    named = "acbl-general-formula-2003"
    for tables, read, second in ((30, named, "1.63"), (29, named, "1.48"), (30, "contestants", "1.52")):
        book = named if read == named else own(tmp_path, "session.large.whole-reading", f'"{read}"')
        # 29 tables: .5 x 39/60 x 6.5 = 2.11, 70% 1.48.
        pairs = [row for row in rows if int(row.split()[0].split("-")[2]) <= tables]
        assert candidates(awarded(pairs, **given, tables=tables, rulebook=book), "A-NS-2")["section A"] == second


@pytest.mark.parametrize(("tables", "second"), [("A=30", "1.63"), ("A=29.5", "1.52"), ("A=10, B=10, C=9.5", "1.52")])
def test_fifty_nine_pairs_are_not_yet_thirty_tables(tables: str, second: str) -> None:
    rows = [
        row
        for section, count in (each.split("=") for each in tables.split(", "))
        for row in mitchell(ceil(float(count)), section)[: int(2 * float(count))]
    ]
    result = awarded(rows, rating="club-championship", date="2005-05-05", tables=tables, sit_outs=None)
    # Half of 6.5 x B(30) 40/60 = 2.17: 70% or 75% for second.
    assert candidates(result, "A-NS-2")["section A"] == second


def test_the_session_scale_at_thirty_tables_in_sections_of_ten() -> None:
    rows = [row for section in "ABC" for row in mitchell(10, section)]
    keys = {"rating": "club-championship", "date": "2005-05-04", "tables": "A=10, B=10, C=10"}
    result = awarded(rows, **keys)
    assert [candidates(result, f"A-NS-{n}")["section A"] for n in (1, 2, 3, 4)] == ["2.17", "1.63", "1.22", "0.96"]
    row = result.candidates[result.candidates["basis"] == "section"].iloc[0]
    inferred = {item.path for item in row["values"].items if item.confidence == "inferred"}
    assert "session.large.whole-reading" in inferred


def test_minima_of_wbf_pairs(tmp_path: Path) -> None:
    rows = [f"A-{n} . . s={90 - n}/{90 - n}" for n in range(1, 41)]
    keys = {"rating": "national", "date": "2005-05-05", "sessions": 2, "tables": 20, "movement": "howell"}
    keys |= {"championship": "wbf-womens-pairs"}
    assert candidates(awarded(rows, **keys), "A-1")["overall A"] == "100.00"
    read = own(tmp_path, "championship-minimum.wbf-reading", '"closest"')
    # Fewer than 24 tables of the women's pairs: 50%.
    assert candidates(awarded(rows, **keys, rulebook=read), "A-1")["overall A"] == "50.00"


@pytest.mark.slow
def test_minima_of_wbf_knockouts(tmp_path: Path) -> None:
    read = own(tmp_path, "championship-minimum.wbf-reading", '"closest"', "acbl-knockout-2003")
    for name, usual, closest in (("wbf-venice-cup", "140.00", "100.00"), ("wbf-mcconnell-cup", "100.00", "71.43")):
        given = {"rating": "national", "boards": None, "championship": name}
        assert overall(knockout(bracket("A", 16), **given))["1"] == usual
        # 16 to 23 teams of the women's knockout: 100/140.
        assert overall(knockout(bracket("A", 16), **given, rulebook=read))["1"] == closest


def test_the_9th_to_16th_of_sixteen_teams(tmp_path: Path) -> None:
    given = {"rating": "national", "boards": None, "championship": "vanderbilt"}
    assert "9" not in overall(knockout(bracket("A", 16), **given))
    read = own(tmp_path, "championship-rounds.knockout", "0", "acbl-knockout-2003")
    assert overall(knockout(bracket("A", 16), **given, rulebook=read))["9"] == "50.00"
