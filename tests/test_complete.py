"""What is completed of a sheet, and what is refused, at which line and with what would be right."""

import math

import pytest
from games import completed, falling, mitchell, sheet, together

from resultproc.model.errors import DeclarationError, InputError
from resultproc.stages.pipeline import complete

HOWELL = "A-1 . 60\nA-2 . 50\nA-3 . 40\nA-4 . 30"
TWO_WAY = "A-NS-1 . 60\nA-NS-2 . 50\nA-EW-1 . 40\nA-EW-2 . 30"


def game_of(sheet):
    return sheet.games.iloc[0]


# What is inferred.


def test_a_game_is_one_session_of_pairs_and_open_unless_declared():
    game = game_of(completed(TWO_WAY, tables=2))
    assert (game["event_type"], game["sessions"], game["limit"], game["strata"]) == ("pairs", 1, math.inf, "A=open")


def test_what_is_declared_stays():
    game = game_of(completed("A-1 . 7\nA-2 . 5", tables=2, event_type="bam", limit=500, movement="howell"))
    assert (game["event_type"], game["limit"], game["strata"], game["movement"]) == ("bam", 500, "A=500", "howell")


@pytest.mark.parametrize(
    ("rows", "tables", "movement"),
    [
        (TWO_WAY, "2", "A=mitchell"),
        (HOWELL, "2", "A=howell"),
        (f"{TWO_WAY}\nB-1 . 5\nB-2 . 4", "A=2, B=1", "A=mitchell, B=howell"),
    ],
)
def test_the_movement_follows_from_the_directions(rows, tables, movement):
    assert game_of(completed(rows, tables=tables))["movement"] == movement


def test_the_movement_is_inferred_only_where_it_is_not_declared():
    numbered_through = "A-NS-1 . 60\nA-EW-2 . 40"
    games, _ = complete(
        *together(
            sheet(HOWELL, "one", tables=2),
            sheet(numbered_through, "two", tables=1, movement="howell"),
            sheet(TWO_WAY, "three", tables=2),
        )
    )
    assert games["movement"].tolist() == ["A=howell", "howell", "A=mitchell"]


def test_directions_of_a_howell_are_dropped():
    rows = "A-NS-1 . 60\nA-NS-2 . 50\nA-EW-3 . 40\nA-EW-4 . 30"
    assert completed(rows, tables=2, movement="howell").contestants["direction"].isna().all()


def test_without_strata_everybody_is_in_a():
    assert completed(HOWELL, tables=2).contestants["stratum"].tolist() == ["A"] * 4


@pytest.mark.parametrize(
    ("by", "holdings", "stratum"),
    [
        ("average", "300/100", "B"),  # 200: up to the limit, it included
        ("average", "301/100", "A"),
        ("highest", "300/100", "A"),
        ("highest", "200/0", "B"),
        ("average", "99/1", "C"),  # 50
        ("highest", "50/0", "C"),
        ("highest", "51/0", "B"),
    ],
)
def test_the_stratum_follows_from_the_holdings(by, holdings, stratum):
    rows = f"A-1 . 60 mp={holdings}\nA-2 . 50 mp=5/5"
    contestants = completed(rows, tables=1, strata="A=open, B=200, C=50", stratify_by=by).contestants
    assert contestants["stratum"].tolist() == [stratum, "C"]


def test_a_printed_stratum_is_taken_at_its_word():
    rows = "A-1 A 60 mp=5/5\nA-2 C 50 mp=5000/5000\nA-3 B 40\nA-4 . 30 mp=100/100"
    contestants = completed(rows, tables=2, strata="A=open, B=200, C=50", stratify_by="average").contestants
    assert contestants["stratum"].tolist() == ["A", "C", "B", "B"]


def test_strata_may_begin_at_any_letter():
    contestants = completed(
        "C-1 . 60 mp=5/5\nC-2 . 50 mp=450/450", tables=1, strata="C=500, D=50", stratify_by="average"
    )
    assert contestants.contestants["stratum"].tolist() == ["D", "C"]


def test_the_ineligible_need_no_stratum_and_no_score():
    rows = f"{HOWELL}\nA-5 . . out\nA-6 . 55 out mp=900/900".replace(" . ", " A ", 4)
    contestants = completed(rows, tables=3, strata="A=500, B=200", stratify_by="average").contestants
    assert contestants["stratum"].isna().tolist() == [False] * 4 + [True] * 2


def test_the_score_of_several_sessions_is_their_total_with_the_carryover():
    games, contestants = sheet("A-1 . . s=60/50.5\nA-2 . . s=40/49.5", tables=1, sessions=2)
    done = complete(games, contestants.assign(carryover=[1.25, float("nan")]))
    assert done.contestants["score"].tolist() == [111.75, 89.5]
    # A session that somebody missed after a cut counts nothing.
    left = completed("A-1 . . s=60/50.5\nA-2 . . s=40/", tables=1, sessions=2, cuts="1")
    assert left.contestants["score"].tolist() == [110.5, 40]


def test_a_printed_total_may_be_rounded():
    # 60.33 and 50.33 are printed, 110.7 is the total of the unrounded 60.333 and 50.333.
    rows = "A-1 . 110.7 s=60.33/50.33\nA-2 . 89.3 s=39.67/49.67"
    assert completed(rows, tables=1, sessions=2).contestants["score"].tolist() == pytest.approx([110.66, 89.34])


def test_events_by_matches_need_no_score_of_each_session():
    done = completed(
        "A-1 . 60\nA-2 . 40", tables=2, sessions=2, event_type="swiss", rating="sectional", date="2012-04-18"
    )
    assert done.contestants["score"].tolist() == [60, 40]


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        (TWO_WAY, {"tables": 2}),
        ("\n".join(falling("A-NS", 8) + falling("A-EW", 7)), {"tables": 7.5}),
        ("\n".join(falling("A-NS", 7) + falling("A-EW", 8)), {"tables": 7.5}),
        ("\n".join(falling("A", 11)), {"tables": 5.5}),
        ("\n".join(falling("A", 12)), {"tables": 3, "event_type": "individual"}),
        ("\n".join(falling("A", 8)), {"tables": 8, "event_type": "bam"}),
    ],
)
def test_as_many_contestants_as_the_tables_seat(rows, keys):
    assert len(completed(rows, **keys).contestants) == len(rows.splitlines())


# What is refused.

_NO_STRATUM = (
    "write the stratum's letter, or every player's holding (mp1, mp2, or in the list of your players) and stratify_by"
)


def how(key, value):
    return f"(declare {key}='{value}')"


@pytest.mark.parametrize(
    ("rows", "keys", "said"),
    [
        (
            f"{HOWELL}\nA-5 . 20",
            {"rating": None},
            [
                "game.csv: rating, tables, date and boards are not declared "
                "(declare rating='club-open', tables='2.5', date='2012-04-18', boards='24')"
            ],
        ),
        (  # All that is missing is told at once.
            f"{HOWELL}\nA-5 . 20\nB-1 B 5\nB-2 C 4 mp=10/10",
            {"rating": None},
            [
                "game.csv: rating, tables, date and boards are not declared; the strata B, C of the sheet have no "
                "limits (declare rating='club-open', tables='A=2.5, B=1', strata='B=open, C=1000', date='2012-04-18', "
                "boards='24')"
            ],
        ),
        (
            f"{HOWELL}\nB-1 . 5",
            {"tables": 4},
            ["game.csv: tables is '4', without a number for section A, B " + how("tables", "A=9, B=9")],
        ),
        (
            f"{HOWELL}\nB-1 . 5",
            {"tables": "A=4"},
            ["game.csv: tables is 'A=4', without a number for section B " + how("tables", "A=9, B=9")],
        ),
        (
            f"{HOWELL}\nB-1 . 5",
            {"tables": "A=4, B=1", "movement": "A=howell"},
            ["game.csv: the movement is not declared for section B " + how("movement", "A=mitchell, B=howell")],
        ),
        (
            "A-NS-1 . 60\nA-NS-2 . 50\nA-EW-1 . 40",
            {"tables": 2, "movement": "howell"},
            [
                "game.csv: line 3: number 1 appears twice in section A, which is declared howell "
                "(give each pair its own number, or declare movement='mitchell')"
            ],
        ),
        (
            "A-NS-1 . 60\nA-2 . 50\nA-EW-1 . 40",
            {"tables": 2},
            [
                "game.csv: line 2: contestant A 2 has no direction in a Mitchell section "
                "(write N-S or E-W, or declare movement='howell')"
            ],
        ),
        (
            "\n".join(falling("A", 5)),
            {"tables": 2},
            ["game.csv: line 5: section A lists 5 contestants, but 2 tables seat 4 (correct tables, or the rows)"],
        ),
        (
            "\n".join(falling("A-NS", 3) + falling("A-EW", 1)),
            {"tables": 2},
            ["game.csv: line 3: section A N-S lists 3 contestants, but 2 tables seat 2 (correct tables, or the rows)"],
        ),
        (
            "\n".join(falling("A-NS", 1) + falling("A-EW", 3)),
            {"tables": 2},
            ["game.csv: line 4: section A E-W lists 3 contestants, but 2 tables seat 2 (correct tables, or the rows)"],
        ),
        (
            "\n".join(mitchell(8)),
            {"tables": 7},
            [  # That the section is too large as well goes without saying.
                "game.csv: line 8: section A N-S lists 8 contestants, but 7 tables seat 7 (correct tables, or the "
                "rows)",
            ],
        ),
        (
            "\n".join(falling("A-NS", 2) + falling("A-EW", 1)),
            {"tables": 1},
            ["game.csv: line 2: section A N-S lists 2 contestants, but 1 table seats 1 (correct tables, or the rows)"],
        ),
        (
            "\n".join(mitchell(8)),
            {"tables": 7.5},
            ["game.csv: line 16: section A lists 16 contestants, but 7.5 tables seat 15 (correct tables, or the rows)"],
        ),
        (
            "\n".join(falling("A", 13)),
            {"tables": 3, "event_type": "individual"},
            ["game.csv: line 13: section A lists 13 contestants, but 3 tables seat 12 (correct tables, or the rows)"],
        ),
        (
            "\n".join(falling("A", 9)),
            {"tables": 8, "event_type": "bam"},
            ["game.csv: line 9: section A lists 9 contestants, but 8 tables seat 8 (correct tables, or the rows)"],
        ),
        (
            "A-1 B 60\nA-2 A 50",
            {"tables": 1},
            ["game.csv: line 1: the strata A, B of the sheet have no limits " + how("strata", "A=open, B=1000")],
        ),
        (
            "A-1 A 60\nA-2 D 50",
            {"tables": 1, "strata": "A=open, B=200"},
            [
                "game.csv: line 2: unknown stratum D: the game's strata are A=open, B=200 "
                "(correct the letter, or declare the stratum's limit)"
            ],
        ),
        (
            "A-1 A 60\nA-2 . 50",
            {"tables": 1, "strata": "A=open, B=200"},
            [
                "game.csv: line 2: contestant A 2 has no stratum, and no holding for A-2 one and A-2 two "
                f"({_NO_STRATUM})"
            ],
        ),
        (  # Nobody's: it is said once.
            "A-1 . 60\nA-2 . 50\nA-3 . 40\nA-4 . 30",
            {"tables": 2, "strata": "A=open, B=200"},
            [
                "game.csv: line 1: contestant A 1 has no stratum, and no holding for A-1 one and A-1 two; "
                f"the same holds for 3 more ({_NO_STRATUM})"
            ],
        ),
        (  # One player's holding is unknown.
            "A-1 A 60\nA-2 . 50 mp=100/",
            {"tables": 1, "strata": "A=open, B=200", "stratify_by": "average"},
            [f"game.csv: line 2: contestant A 2 has no stratum, and no holding for A-2 two ({_NO_STRATUM})"],
        ),
        (  # How holdings stratify is not declared.
            "A-1 A 60\nA-2 . 50 mp=100/100\nA-3 . 40 mp=5/5",
            {"tables": 1.5, "strata": "A=open, B=200"},
            [
                "game.csv: line 2: stratify_by is not declared, and contestants without a stratum get theirs by "
                "it " + how("stratify_by", "average")
            ],
        ),
        (  # A holding above the top limit.
            "A-1 A 60\nA-2 . 50 mp=600/600",
            {"tables": 1, "strata": "A=500, B=200", "stratify_by": "average"},
            [f"game.csv: line 2: contestant A 2 has no stratum, and no holdings that put it in one ({_NO_STRATUM})"],
        ),
        (
            "A-1 . 60 s=30/30\nA-2 . 50 s=25/25",
            {"tables": 1},
            [
                f"game.csv: line {line}: there is a score for session2, but the event has fewer "
                "sessions (correct sessions, or the column)"
                for line in (1, 2)
            ],
        ),
        (
            "A-1 . . s=30/30\nA-2 . . s=25/",
            {"tables": 1, "sessions": 2},
            [
                "game.csv: line 2: contestant A 2 lacks a score for a session of the event "
                "(award the files of all sessions together with process_event; or "
                "write session1, session2, ... for everybody, 0 where a contestant withdrew, correct sessions, "
                "or declare the cuts where the field itself was cut)"
            ],
        ),
        (
            "A-1 . 60 s=30/30\nA-2 . 50.2 s=25/25",
            {"tables": 1, "sessions": 2},
            [
                "game.csv: line 2: contestant A 2 has a score that is not the sum of its sessions "
                "(leave score out, or correct the sessions or carryover)"
            ],
        ),
        (
            "A-1 . 60\nA-2 . .\nA-3 . 40",
            {"tables": 1.5},
            [
                "game.csv: line 2: contestant A 2 has no score to compare with the rest of its section "
                "(write score, or percentage, for every contestant of the section)"
            ],
        ),
        (  # Most have scores, one a percentage only.
            "A-1 . 60\nA-2 . 50%\nA-3 . 40",
            {"tables": 1.5},
            [
                "game.csv: line 2: contestant A 2 has no score to compare with the rest of its section "
                "(write score, or percentage, for every contestant of the section)"
            ],
        ),
        (  # In A most have percentages; that B has scores does not matter.
            "A-1 . 60%\nA-2 . 50\nA-3 . 40%\nB-1 . 9\nB-2 . 8\nB-3 . 7\nB-4 . 6",
            {"tables": "A=1.5, B=2"},
            [
                "game.csv: line 2: contestant A 2 has no score to compare with the rest of its section "
                "(write score, or percentage, for every contestant of the section)"
            ],
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(rows, keys, said):
    with pytest.raises(InputError) as error:
        completed(rows, **keys)
    assert [str(problem) for problem in error.value.problems] == said
    assert {problem.game for problem in error.value.problems} == {"game"}


def test_contradicted_declarations_are_declaration_errors():
    with pytest.raises(DeclarationError):
        completed(HOWELL, tables=1)


def test_of_several_games_in_a_file_the_one_at_fault_is_named():
    games, contestants = together(sheet(HOWELL, "one", tables=2), sheet(HOWELL, "two", tables=1))
    with pytest.raises(DeclarationError) as error:
        complete(games.assign(source="both.csv"), contestants)
    (problem,) = error.value.problems
    assert (problem.file, problem.game, problem.where) == ("both.csv", "two", "line 3")
    assert problem.what == "section A lists 4 contestants, but 1 table seats 2"
