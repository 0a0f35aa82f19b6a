"""Session awards of the General Formula, their sum against the overall award, and the colours."""

import pytest
from games import awarded, paid
from samples import SAMPLES, real

from resultproc.model.errors import InputError
from resultproc.stages.pipeline import process


def test_a_sum_says_what_it_is_made_of():
    # 2nd in A in session 1, 12 of each direction; first of the six of B in session 2.
    scores = [(1, "80/80"), (2, "79/79"), *((n, f"{78 - n}/{78 - n}") for n in range(3, 7)), (7, "79.5/60")]
    scores += [(n, f"{60 - n}/{60 - n}") for n in range(8, 13)]
    rows = [f"A-{side}-{n} {'AB'[n > 6]} . s={score}" for side in ("NS", "EW") for n, score in scores]
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 12, "strata": "A=open, B=1000"}
    result = awarded(rows, **keys)
    sums = result.candidates[(result.candidates["basis"] == "sessions") & (result.candidates["masterpoints"] == 319)]
    assert set(sums["factors"].astype("str")) == {"session 1 A 1.80 + session 2 B 1.39"}


def test_a_session_may_be_missing_only_after_a_cut():
    rows = ["A-1 . . s=50/50", "A-2 . . s=49/", "A-3 . . s=90/1", "A-4 . . s=80/2"]
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 2, "movement": "howell"}
    with pytest.raises(InputError, match=r"A 2 lacks a score for a session.*0 where .* withdrew.*declare the cuts"):
        awarded(rows, **keys)
    awarded(rows, cuts="1", **keys)
    with pytest.raises(InputError, match="A 2 lacks a score"):
        awarded(["A-1 . . s=50/50/50", "A-2 . . s=49//3"], **{**keys, "sessions": 3, "tables": 1, "cuts": "1"})


@real
def test_who_withdraws_raises_nobody_elses_award(tmp_path):
    # Half of 14 x B(12) .3667 = 2.57 for first of session 1, 1.80 for second: as if the pair had gone on. A cut that is
    # declared, as was suggested, adds 10% to session 2: 2.82 for its first.
    text = (SAMPLES / "edges" / "wd-none.csv").read_text("utf-8")
    file = tmp_path / "game.csv"
    file.write_text(text.replace("A,,1,900.0,,900.0", "A,,1,900.0,0,900.0"), "utf-8")
    result = process(file)
    session = result.candidates[result.candidates["basis"].isin(["session 1", "session 2"])]
    assert session.groupby("basis")["masterpoints"].max().to_dict() == {"session 1": 257, "session 2": 257}
    assert paid(result)["A-1"] == "2.57 session 1 A"


@pytest.mark.slow
def test_as_many_places_pay_gold_as_sections_are_combined():
    # Two sections of 13 over two sessions: the first two places of each direction are gold, the third is red.
    rows = []
    for letter in "AB":
        for n in range(1, 14):
            rows.append(f"{letter}-NS-{n} . . s={(80 if letter == 'A' else 60) - n}/0")
            rows.append(f"{letter}-EW-{n} . . s={40 - n}/{70 - n}")
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "special": "across-sections"}
    result = awarded(rows, tables="A=13, B=13", **keys)
    session = result.candidates[result.candidates["basis"] == "session 1"]
    north = session[session["contestant"].isin([list(paid(result)).index(f"A-NS-{n}") for n in (1, 2, 3)])]
    # 4.20, 70% 2.94, 50% 2.10
    expected = [[420, 420], [294, 294], [210, 0]]
    assert north.sort_values("position")[["masterpoints", "section_top"]].to_numpy().tolist() == expected
    # Sections below 9 tables do not count: of 9 and 8 tables one place is gold.
    fewer = [row.replace(" . s=", " 50% s=") for row in rows if int(row.split()[0][5:]) <= 8]
    small = awarded([*fewer, "A-NS-9 . 50% s=0/0"], tables="A=9, B=8", **keys)
    session = small.candidates[(small.candidates["basis"] == "session 1") & (small.candidates["position"] <= 2)]
    assert (session["section_top"] > 0).tolist() == (session["position"] == 1).tolist()


def test_a_section_of_a_later_session_needs_its_tables_too(tmp_path):
    path = tmp_path / "final.csv"
    text = """# rating: regional
# date: 2005-05-05
# sessions: 2
# tables: A=2, B=2
# movement: howell
section,number,player1,session1,session2,section2
A,1,Ann,10,20,C
A,2,Bob,20,10,C
A,3,Cat,30,14,C
A,4,Dan,40,12,C
B,1,Eve,10,20,B
B,2,Fay,20,15,B
B,3,Gus,30,10,B
B,4,Hal,40,10,B
"""
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"tables is .*, without a number for section C"):
        process(path)
