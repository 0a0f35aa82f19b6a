"""Session awards of the General Formula, their sum against the overall award, and the colours."""

from __future__ import annotations

import pytest
from games import awarded, falling, ladder, mitchell, paid

from resultproc.model.errors import InputError
from resultproc.stages.pipeline import process

GF = "acbl-general-formula-2003"


def won(result, name):
    return paid(result)[name]


def colours(result, name):
    """Return a contestant's award by colour, in masterpoints."""
    row = result.awards.iloc[list(paid(result)).index(name)]
    every = ("black", "silver", "red", "gold", "platinum")
    return {colour: row[colour] / 100 for colour in every if row[colour]}


def candidates(result, name):
    """Return what a contestant could have had: masterpoints by basis and stratum."""
    rows = result.candidates[result.candidates["contestant"] == list(paid(result)).index(name)]
    return {f"{row['basis']} {row['stratum']}": row["masterpoints"] / 100 for _, row in rows.iterrows()}


# Two sessions at a regional in 2005, one section of 12 tables: B 22/60, R 14.
# Overall first 22/60 x 14 x 1.5 = 7.70; session first .5 x 22/60 x 14 = 2.57, then 70, 50, 35%, 1/5: 1.80 1.29 .90 .51
TWO = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 12}


def two_sessions(**scores: str) -> list[str]:
    """Return a Mitchell of 12 tables; scores: of single pairs, as NS1="90/10"; all others are far below."""
    rows = []
    for place in range(1, 13):
        for side in ("NS", "EW"):
            score = scores.get(f"{side}{place}", f"{20 - place}/{20 - place}")
            rows.append(f"A-{side}-{place} . . s={score}")
    return rows


def test_overall_against_the_sum_of_the_sessions():
    result = awarded(two_sessions(NS1="100/90", EW1="60/100", EW2="99/30", NS2="50/51"), **TWO)
    # Totals: NS1 190, EW1 160, EW2 129, NS2 101. Overall 7.70, 5.78 (5.775), 4.33 (4.33125), 3.25 (3.248).
    assert won(result, "A-NS-1") == "7.70 overall A"
    # NS1 topped its direction twice: 2.57 + 2.57
    assert candidates(result, "A-NS-1")["sessions A"] == 5.14
    assert won(result, "A-EW-1") == "5.78 overall A"
    # EW2 topped session 1 and was 2nd in session 2: 2.57 + 1.80
    assert won(result, "A-EW-2") == "4.37 sessions A"
    assert candidates(result, "A-EW-2")["overall A"] == 4.33


def test_the_sum_can_be_more():
    # EW1 is 1st and then last: one session top 2.57, overall nothing; EW2 is 2nd twice: 1.80 + 1.80 = 3.60, and 7th
    # overall with 180: no award, as 12 tables (24 pairs) pay 6 places and 7.70 x .75^6 = 1.37 is below .2 x 14 = 2.80.
    ahead = {f"NS{n}": f"{110 - n}/{110 - n}" for n in range(1, 7)}
    result = awarded(two_sessions(EW1="100/0", EW2="90/90", EW3="0/91", **ahead), **TWO)
    assert won(result, "A-EW-1") == "2.57 session 1 A"
    assert won(result, "A-EW-2") == "3.60 sessions A"
    assert candidates(result, "A-EW-2") == {"sessions A": 3.6, "session 1 A": 1.8, "session 2 A": 1.8}


def test_the_best_stratum_of_each_session_counts():
    # B is limited to 1000 (M .7466) and has 6 pairs on each side: 6 tables, B 16/60.
    # Session first of B .5 x 16/60 x 14 x .7466 = 1.39, 2nd .97 (70% = .973); two places (40% of 6 = 2.4).
    rows = [
        f"A-{side}-{n} {'A' if n <= 6 else 'B'} . s={score}"
        for side in ("NS", "EW")
        for n, score in [
            (1, "80/80"),
            (2, "79/79"),
            (3, "78/78"),
            (4, "77/77"),
            (5, "76/76"),
            (6, "75/75"),
            (7, "79.5/60"),  # 2nd in A in session 1 (1.80), 1st in B; in session 2 1st in B (1.39), 7th in A
            *((n, f"{60 - n}/{60 - n}") for n in range(8, 13)),
        ]
    ]
    result = awarded(rows, strata="A=open, B=1000", **TWO)
    found = candidates(result, "A-NS-7")
    assert (found["session 1 A"], found["session 1 B"], found["session 2 B"]) == (1.80, 1.39, 1.39)
    assert found["sessions A"] == 3.19
    (row,) = result.candidates[result.candidates["basis"] == "sessions"].query("masterpoints == 319").head(1).index
    assert result.candidates["factors"][row] == "session 1 A 1.80 + session 2 B 1.39"


def test_gold_for_overalls_and_section_tops_red_for_the_rest():
    ahead = {f"NS{n}": f"{110 - n}/{110 - n}" for n in range(1, 7)}
    # EW1 tops session 1 (2.57 gold) and is 2nd in session 2 (1.80 red).
    result = awarded(two_sessions(EW1="90/90", EW2="80/91", **ahead), **TWO)
    assert colours(result, "A-NS-1") == {"gold": 7.70}
    assert won(result, "A-EW-1") == "4.37 sessions A"
    assert colours(result, "A-EW-1") == {"gold": 2.57, "red": 1.80}


def test_a_tie_for_the_section_top_pays_gold():
    ahead = {f"NS{n}": f"{110 - n}/{110 - n}" for n in range(1, 7)}
    result = awarded(two_sessions(EW1="90/0", EW2="90/0", **ahead), **TWO)
    # (2.57 + 1.80) / 2 = 2.185, up to 2.19
    assert won(result, "A-EW-1") == won(result, "A-EW-2") == "2.19 session 1 A"
    assert colours(result, "A-EW-2") == {"gold": 2.19}


@pytest.mark.parametrize(
    ("keys", "colour"),
    [
        ({"rating": "sectional"}, "silver"),
        ({"rating": "stac"}, "silver"),
        ({"rating": "unit-championship"}, "black"),
        ({"rating": "club-championship"}, "black"),
        ({"rating": "regional"}, "gold"),
        ({"rating": "regional", "limit": 750}, "gold"),
        ({"rating": "regional", "limit": 749}, "red"),
        ({"rating": "regional", "special": "side-game"}, "red"),
        ({"rating": "regional", "special": "side-game, charity"}, "gold"),
        ({"rating": "regional", "special": "consolation"}, "red"),
        ({"rating": "regional", "special": "restricted-tournament"}, "black"),
        ({"rating": "regional-at-nabc"}, "gold"),
        ({"rating": "national"}, "platinum"),
        ({"rating": "national", "restrictions": "women"}, "platinum"),
        ({"rating": "national", "restrictions": "junior"}, "gold"),
        ({"rating": "national", "limit": 5000}, "gold"),
    ],
)
def test_the_colour_of_a_winner_in_two_sessions(keys, colour):
    result = awarded(two_sessions(NS1="90/90"), **{**TWO, **keys})
    assert list(colours(result, "A-NS-1")) == [colour]


def test_one_session_is_too_short_for_gold():
    result = awarded(mitchell(10), rating="regional", date="2005-05-05", tables=10)
    assert list(colours(result, "A-NS-1")) == ["red"]


def test_the_third_stratum_pays_no_gold():
    rows = [f"A-{side}-{n} {'ABC'[(n - 1) // 4]} . s={90 - n}/{90 - n}" for side in ("NS", "EW") for n in range(1, 13)]
    result = awarded(rows, strata="A=open, B=2000, C=1000", **TWO)
    assert (won(result, "A-NS-5").split()[-1], list(colours(result, "A-NS-5"))) == ("B", ["gold"])
    assert (won(result, "A-NS-9").split()[-1], list(colours(result, "A-NS-9"))) == ("C", ["red"])


def test_separate_flight_a_gets_a_tenth_more_for_sessions():
    keys = {"rating": "sectional", "date": "2005-05-05", "tables": 8, "flight": "A", "lower_tables": "1000=12"}
    result = awarded(mitchell(8), **keys)
    # B of 8 + 12 = 20 tables: 30/60; .5 x .5 x 10 = 2.50, a tenth more 2.75, 2nd 1.93 (1.925)
    assert candidates(result, "A-EW-1")["section A"] == 2.75
    assert candidates(result, "A-EW-2")["section A"] == 1.93
    flight_b = awarded(mitchell(8), **{**keys, "flight": "B", "limit": 1000, "lower_tables": "none"})
    # B 18/60, M log10(1000) / 3.11 - .218 = .74663: .5 x .3 x 10 x .74663 = 1.12
    assert candidates(flight_b, "A-NS-1")["section A"] == 1.12


def test_sessions_after_a_cut_pay_more():
    # 12 tables enter; 12 pairs qualify after the 1st session and 6 after the 2nd. B 22/60, R 14, session first 2.57:
    # unrounded .5 x 22/60 x 14 = 2.5667; after one cut x 1.1 = 2.82, after two x 1.2 = 3.08.
    rows = []
    for n in range(1, 13):
        for side in ("NS", "EW"):
            scores = "/".join([str(90 - n)] * (3 if n <= 3 else 2 if n <= 6 else 1))
            rows.append(f"A-{side}-{n} . . s={scores}")
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 3, "tables": 12, "cuts": "1, 2"}
    result = awarded(rows, **keys)
    found = candidates(result, "A-NS-1")
    assert (found["session 1 A"], found["session 2 A"], found["session 3 A"]) == (2.57, 2.82, 3.08)
    # 6 pairs a side are left in session 2: 40% of 6 is 2.4, 2 places; of 3 in session 3, 1.2: 1 place.
    assert "session 2 A" in candidates(result, "A-NS-2")
    assert "session 2 A" not in candidates(result, "A-NS-3")
    assert "session 3 A" not in candidates(result, "A-NS-2")


def test_who_is_cut_stands_behind_who_is_not():
    rows = ["A-1 . . s=50/50", "A-2 . . s=49/1", "A-3 . . s=90", "A-4 . . s=80"] + [f"A-{n} . . s=10" for n in (5, 6)]
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 3, "cuts": "1", "movement": "howell"}
    result = awarded(rows, **keys)
    overall = result.standings[result.standings["basis"] == "overall"].sort_values("contestant")
    assert overall["position"].tolist() == [1, 2, 3, 4, 5, 5]


def test_a_session_may_be_missing_only_after_a_cut():
    rows = ["A-1 . . s=50/50", "A-2 . . s=49/", "A-3 . . s=90/1", "A-4 . . s=80/2"]
    keys = {"rating": "regional", "date": "2005-05-05", "sessions": 2, "tables": 2, "movement": "howell"}
    with pytest.raises(InputError, match=r"A 2 has no score for every session.*declare the cuts"):
        awarded(rows, **keys)
    awarded(rows, cuts="1", **keys)
    with pytest.raises(InputError, match="A 2 has no score"):
        awarded(["A-1 . . s=50/50/50", "A-2 . . s=49//3"], **{**keys, "sessions": 3, "tables": 1, "cuts": "1"})


def across(*sections: int, **keys: object):
    """Return a session whose sections, of so many tables, are scored across; the pairs stand in order of section."""
    rows, score = [], 70.0
    for letter, tables in zip("ABCD", sections, strict=False):
        for side in ("NS", "EW"):
            rows += falling(f"{letter}-{side}", tables, top=score)
        score -= 10
    tables = ", ".join(f"{letter}={count}" for letter, count in zip("ABCD", sections, strict=False))
    given = {"rating": "regional", "date": "2005-05-05", "tables": tables, "special": "across-sections", **keys}
    return awarded(rows, **given)


def test_scoring_across_sections():
    # 4 sections of 13 = 52 tables count as 2 x sqrt(13 x 39) = 45.033: B (45.033 + 10) / 60 = .91722,
    # first .5 x .91722 x 14 = 6.42; 2nd 4.49 (4.494), 3rd 3.21, 4th 2.25 (2.247), 5th x .26591 = 1.71 (1.7071)
    result = across(13, 13, 13, 13)
    tops = [candidates(result, f"A-NS-{n}").get("section A") for n in range(1, 6)]
    assert tops == [6.42, 4.49, 3.21, 2.25, 1.71]
    # All 52 N-S pairs are compared: 40% of 52 is 20.8, 21 places, 13 in section A and 8 in B.
    assert "section A" in candidates(result, "B-NS-8")
    assert "section A" not in candidates(result, "B-NS-9")


def test_26_tables_across_sections_count_as_they_are():
    # 2 x sqrt(13 x 13) = 26: B 36/60, .5 x .6 x 14 = 4.20
    assert candidates(across(13, 13), "A-NS-1")["section A"] == 4.20


def test_fewer_tables_across_sections_are_paid_as_any():
    # 25 tables: B 35/60, .5 x .58333 x 14 = 4.08, and the usual scale: 5th 1/5 of it, .82; 40% of 25 places.
    found = [candidates(across(12, 13), f"A-NS-{n}")["section A"] for n in range(1, 6)]
    assert found == [4.08, 2.86, 2.04, 1.43, 0.82]


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
    assert north.sort_values("position")[["masterpoints", "section_top"]].to_numpy().tolist() == [
        [420, 420],
        [294, 294],
        [210, 0],
    ]
    # Sections below 9 tables do not count: of 9 and 8 tables one place is gold.
    fewer = [row.replace(" . s=", " 50% s=") for row in rows if int(row.split()[0][5:]) <= 8]
    small = awarded([*fewer, "A-NS-9 . 50% s=0/0"], tables="A=9, B=8", **keys)
    session = small.candidates[(small.candidates["basis"] == "session 1") & (small.candidates["position"] <= 2)]
    assert (session["section_top"] > 0).tolist() == (session["position"] == 1).tolist()


def test_individuals_in_a_one_winner_movement():
    # 6 tables, 24 players: B 16/60, T .75; first .33 x 16/60 x 14 x .75 = .924; overall 16/60 x 14 x .75 = 2.80
    rows = falling("A", 24)
    result = awarded(rows, rating="regional", date="2005-05-05", event_type="individual", tables=6, movement="howell")
    assert candidates(result, "A-1") == {"overall A": 2.80, "section A": 0.92}


def test_a_swiss_pays_no_sessions():
    rows = falling("A", 8)
    result = awarded(rows, rating="regional", date="2005-05-05", event_type="swiss", tables=8, movement="howell")
    # 8 teams: B 18/60 x 14 = 4.20, three places
    assert ladder(result, "A") == ["4.20", "3.15", "2.36"]
    assert set(result.candidates["basis"]) == {"overall"}


def club(pairs: int):
    """Return the section awards of a one-winner club or internet game of so many pairs under the General Formula."""
    rows = falling("A", pairs, top=80)
    result = awarded(rows, rulebook=GF, tables=(pairs + 1) // 2, movement="howell", date="2005-05-05")
    return ladder(result, "A")


def test_appendix_d_begins_at_16_pairs():
    # 15 pairs: .10 x 15 = 1.50, the cap; 70% 1.05, 50% .75, 35% .525, 1/5 .30, 1/6 .25; 40% of 15 is 6 places.
    assert club(15) == ["1.50", "1.05", "0.75", "0.53", "0.30", "0.25"]
    # 16 pairs: the four-session scale gives 1.50, 1.125, .844, .667, .60, .545; the club scale from 1.60 gives 1.60,
    # 1.12, .80, .56, .32, .267; the lower of each; 40% of 16 is 6.4.
    assert club(16) == ["1.50", "1.12", "0.80", "0.56", "0.32", "0.27"]


def test_appendix_d_ends_at_60_pairs():
    # The four-session scale from 1.50: 1.50 1.13 .84, then 1.50 x 4 / (p + 5): .67 .60 .55 .50 .46 .43 .40 ...
    # 59 pairs: the club scale from 5.90 falls below it at 5.90 / p < 6 / (p + 5), for p > 295: nowhere in 24 places.
    assert club(59)[:10] == ["1.50", "1.13", "0.84", "0.67", "0.60", "0.55", "0.50", "0.46", "0.43", "0.40"]
    # At 30 pairs the club scale from 3.00 is the lower from the 5th place on: 3.00 / p < 6 / (p + 5) for p > 5.
    assert club(30)[:7] == ["1.50", "1.13", "0.84", "0.67", "0.60", "0.50", "0.43"]
    # 60 pairs: the four-session scale alone; 40% of 60 is 24 places, the 24th 6 / 29 = .21
    assert club(60)[:5] == ["1.50", "1.13", "0.84", "0.67", "0.60"]
    assert len(club(60)) == 24
    assert club(60)[-1] == "0.21"


def test_a_large_club_championship_follows_the_overall_scale_from_60_pairs():
    # 30 tables, B 40/60: .5 x 40/60 x 6.5 = 2.17. Up to 59 pairs the usual scale is the lower: 1.52, 1.09 (1.085), .76,
    # 1/5 .43. From 60 on that of four sessions stands alone: 1.63 (1.6275), 1.22, 4/9 .96, 4/10 .87.
    keys = {"rating": "club-championship", "date": "2005-05-05", "rulebook": GF, "tables": 30, "movement": "howell"}

    def sections(pairs: int) -> list[float]:
        result = awarded(falling("A", pairs, top=80), **keys)
        return [candidates(result, f"A-{n}")["section A"] for n in range(1, 6)]

    assert sections(59) == [2.17, 1.52, 1.09, 0.76, 0.43]
    assert sections(60) == [2.17, 1.63, 1.22, 0.96, 0.87]


def test_a_section_of_a_later_session_has_tables_too(tmp_path):
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
    with pytest.raises(InputError, match=r"tables are not declared for each section: .* not for C"):
        process(path)
    path.write_text(text.replace("B=2", "B=2, C=2"), "utf-8")
    result = process(path)
    # 4 tables entered, B 14/60: session first .5 x 14/60 x 14 = 1.63, 2nd 1.14; 40% of 4 is 1.6, two places.
    assert candidates(result, "A-1") == {"session 2 A": 1.63}
    assert candidates(result, "A-3") == {
        "overall A": 2.76,
        "sessions A": 2.28,
        "session 1 A": 1.14,
        "session 2 A": 1.14,
    }
