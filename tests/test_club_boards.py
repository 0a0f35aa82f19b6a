"""Club games paid by the boards that were played, and what else today's club games declare, worked by hand."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, saved
from games import awarded, candidates, falling, ladder, mitchell, paid, ranked, rulebook_file, sheet
from knockouts import bracket, event

from resultproc.formats.read import read
from resultproc.formats.text.writer import WRITER as TEXT
from resultproc.model.errors import DeclarationError, FormatError, Problem
from resultproc.model.frames import GAMES, Result, Sheet
from resultproc.reports.chart import WRITERS, chart
from resultproc.reports.check import check, to_json
from resultproc.rulebooks.choice import choose
from resultproc.stages.pipeline import award_sheet

BOOK = "acbl-club-2023"
DAY = "2026-04-14"


def said(remarks: Iterable[Problem]) -> list[str]:
    """Return what remarks say, but for the mean of a field that tests make up from its top."""
    return [remark.what for remark in remarks if not remark.what.startswith("the mean percentage of section A")]


def club(tables: int, **keys: object) -> Result:
    return awarded(mitchell(tables), tables=tables, **{"date": DAY, **keys})


# Boards.


@pytest.mark.parametrize(
    ("boards", "awards"),
    [
        # Ten tables: 1.00 x n/18, then 70%, 50%, 35% of the rounded first; at most 1.50.
        (12, "1.00 0.70 0.50 0.35"),
        (18, "1.00 0.70 0.50 0.35"),
        (19, "1.06 0.74 0.53 0.37"),  # 1.0556; .742 .53 .371
        (24, "1.33 0.93 0.67 0.47"),  # 1.3333; .931 .665 .4655
        (26, "1.44 1.01 0.72 0.50"),  # 1.4444; 1.008 .72 .504
        (27, "1.50 1.05 0.75 0.53"),  # .525
        (28, "1.50 1.05 0.75 0.53"),
        (36, "1.50 1.05 0.75 0.53"),
    ],
)
def test_club_games_pay_by_boards(boards: int, awards: str) -> None:
    assert ladder(club(10, boards=boards), "A-NS") == awards.split()


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        ({"rating": "club-invitational"}, "1.07"),  # .80 x 4/3 = 1.0667
        ({"rating": "club-restricted", "limit": 200}, "0.93"),  # .70 x 4/3
        ({"rating": "club-newcomer", "limit": 5}, "0.40"),
        ({"special": "introductory"}, "0.40"),
        ({"event_type": "bam", "movement": "howell"}, "1.47"),  # 10 x .10 x 1.10 x 4/3 = 1.4667
    ],
)
def test_every_class_of_club_game_pays_by_boards(keys: dict[str, object], first: str) -> None:
    rows = falling("A", 10) if "event_type" in keys else mitchell(10)
    result = awarded(rows, tables=10, date=DAY, boards=24, **keys)
    assert max(candidate.split()[0] for candidate in paid(result).values()) == first


def test_overall_awards_and_strata_pay_by_boards() -> None:
    # 14 tables: 1.40 x 4/3 = 1.8667 overall; B, up to 1000: 14 x .08 = 1.12, 1.4933; its sections .56, .7467.
    rows = mitchell(7, stratum="B") + mitchell(7, "B", stratum="B", top=60)
    result = awarded(rows, tables="A=7, B=7", strata="A=open, B=1000", date=DAY, boards=24)
    expected = {"overall A": "1.87", "overall B": "1.49", "section A": "0.93", "section B": "0.75"}
    assert candidates(result, "A-NS-1") == expected


@pytest.mark.slow
def test_the_cap_is_reached_before_the_boards_count(tmp_path: Path) -> None:
    # 16 tables at .10 are capped at 1.50, x 24/18 = 2.00; under the other reading 1.50 is the most.
    assert ladder(club(16, boards=24), "A-NS")[0] == "2.00"
    own = rulebook_file(tmp_path, f'extends = "{BOOK}"\n[boards.caps]\nvalue = "stay"\n')
    assert ladder(club(16, boards=24, rulebook=own), "A-NS")[0] == "1.50"
    assert ladder(club(10, boards=24, rulebook=own), "A-NS")[0] == "1.33"


def test_readings_of_boards(tmp_path: Path) -> None:
    rounded = rulebook_file(tmp_path, f'extends = "{BOOK}"\n[boards.rounding]\nvalue = "to one decimal"\n')
    assert ladder(club(10, boards=24, rulebook=rounded), "A-NS")[0] == "1.30"
    fewer = rulebook_file(tmp_path, f'extends = "{BOOK}"\n[boards.fewer]\nvalue = "in proportion"\n', "fewer.toml")
    assert ladder(club(10, boards=12, rulebook=fewer), "A-NS")[0] == "0.67"


@pytest.mark.parametrize(
    ("boards", "said"),
    [(24, "0.10 x 10 = 1.00, x 24/18"), (28, "0.10 x 10 = 1.00, x 28/18, at most 1.5"), (18, "0.10 x 10 = 1.00")],
)
def test_the_factor_is_shown(boards: int, said: str) -> None:
    candidate = club(10, boards=boards).candidates.iloc[0]
    assert f"({said})" in candidate["factors"]
    assert "boards.standard" in [value.path for value in candidate["values"].items]


@pytest.mark.parametrize(
    ("keys", "book"),
    [
        ({"date": "2022-12-31"}, "acbl-club"),
        ({"date": "2022-12-31", "boards": 24}, "acbl-club"),
        ({"date": "2023-01-01", "boards": 24}, BOOK),
        ({"boards": 18}, BOOK),
        ({"boards": 12}, BOOK),
    ],
)
def test_the_rulebook_of_the_day(keys: dict[str, object], book: str) -> None:
    assert ranked(sheet(mitchell(5), tables=5, **keys)).games["rulebook"].tolist() == [book]


@pytest.mark.parametrize(("day", "first"), [("2022-12-31", "1.00"), ("2023-01-01", "1.33")])
def test_boards_count_from_the_first_day_on(day: str, first: str) -> None:
    assert ladder(club(10, boards=24, date=day), "A-NS")[0] == first


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"date": "2023-01-01"}, r"^game.csv: boards is not declared, .*boards='24'\)$"),
        ({"date": None}, r"^game.csv: date and boards are not declared .*date='.*boards='"),
        ({"date": None, "boards": 24}, r"^game.csv: date is not declared, and the rules for club-open depend on it"),
        ({"date": None, "boards": 19}, r"^game.csv: date is not declared"),
    ],
)
def test_what_decides_is_asked_for(keys: dict[str, object], said: str) -> None:
    with pytest.raises(DeclarationError, match=said) as error:
        club(10, **keys)
    assert len(error.value.problems) == 1


@pytest.mark.parametrize(
    ("book", "keys", "remarks"),
    [
        ("acbl-club", {"date": DAY}, []),
        ("acbl-club", {"date": None}, []),
        (BOOK, {"date": DAY}, ["boards is not declared: the awards are those for 18 boards"]),
        (BOOK, {"date": None}, ["boards is not declared: the awards are those for 18 boards"]),
        (BOOK, {"date": DAY, "boards": 18}, []),
    ],
)
def test_under_a_named_rulebook_nothing_is_asked(book: str, keys: dict[str, object], remarks: list[str]) -> None:
    result = club(10, rulebook=book, **keys)
    assert ladder(result, "A-NS")[0] == "1.00"
    assert said(result.remarks) == remarks
    assert result.games["rulebook_named"].tolist() == [True]


def test_one_archive_of_both_years() -> None:
    days = ("2022-12-31", "2023-01-01")
    assert [ladder(club(10, boards=27, date=day), "A-NS")[0] for day in days] == ["1.00", "1.50"]


@pytest.mark.parametrize(
    ("day", "boards", "special", "first"),
    [
        ("2024-10-08", 18, None, "1.20"),  # 12 tables of 18 boards, as awarded
        ("2024-10-08", 24, None, "1.60"),
        ("2022-12-31", 24, None, "1.20"),
        ("2023-01-01", 24, None, "1.60"),
        ("2024-10-08", 24, "charity", "2.40"),
        ("2024-10-08", None, "charity", "2.40"),
    ],
)
def test_normal_online_games_pay_by_boards(day: str, boards: int | None, special: str | None, first: str) -> None:
    result = club(12, rating="club-online", date=day, boards=boards, special=special)
    assert ladder(result, "A-NS")[0] == first


def test_normal_online_games_ask_for_boards() -> None:
    with pytest.raises(DeclarationError, match="boards is not declared"):
        club(12, rating="club-online", date="2023-01-01")
    assert ladder(club(12, rating="club-online", date="2022-12-31"), "A-NS")[0] == "1.20"


# Games at the same time.


@pytest.mark.parametrize(
    ("beside", "first"),
    [("300=6, 50=4", "2.00"), ("300=6", "1.60"), ("300=6, 50=4, open=8", "2.00"), ("none", "1.00")],
)
def test_an_open_game_is_credited_with_two_limited_ones(tmp_path: Path, beside: str, first: str) -> None:
    # 10 + 6 + 4 tables at .10, capped at 1.50 in a section: a higher cap shows all of them.
    own = rulebook_file(tmp_path, f'extends = "{BOOK}"\n[section.cap.club-open]\nvalue = 3\n')
    assert ladder(club(10, boards=18, concurrent_tables=beside, rulebook=own), "A-NS")[0] == first


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"concurrent_tables": "300=6, 50=4, 20=3"}, r"there are 3 limited games \(a club runs 2 at most"),
        ({"concurrent_tables": "open=6"}, "none of these games is limited"),
        ({"concurrent_tables": "50=6", "rating": "club-restricted", "limit": 300}, "only an open game gets credit"),
        ({"concurrent_tables": "300=6", "date": "2022-12-31"}, "rulebook acbl-club gives no game credit for others"),
        ({"lower_tables": "300=6"}, "lower_tables is declared, but only events of tournaments have it"),
    ],
)
def test_tables_that_nobody_is_credited_with_are_refused(keys: dict[str, object], said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        club(10, **{"boards": 18, **keys})


def test_a_named_rulebook_without_credit_is_remarked_on() -> None:
    result = club(10, concurrent_tables="300=6", rulebook="acbl-club")
    assert ladder(result, "A-NS")[0] == "1.00"
    assert said(result.remarks) == [
        "concurrent_tables is declared, but rulebook acbl-club gives no game credit for others"
    ]


# Special words.


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"special": "charity"}, r"has no 'charity' games of rating club-open \(declare rating='club-fund'\)"),
        (
            {"special": "charity", "rating": "club-invitational"},
            r"'charity' games of rating club-invitational .*rating='club-fund'",
        ),
        ({"special": "membership"}, "declare rating='club-championship'"),
        ({"special": "silver-linings"}, "declare rating='club-online'"),
        (
            {"special": "pupil", "date": "2010-12-31"},
            "no 'pupil' games of rating club-open .leave it out, or choose a rulebook that knows it",
        ),
        ({"special": "bridge-plus"}, "no 'bridge-plus' games of rating club-open"),
        ({"special": "handicap, bridge-plus"}, "no 'bridge-plus' games of rating club-open"),
        ({"special": "x-our-night"}, "a rulebook of your own lists its words under special.known"),
        ({"special": "charity", "date": "2017-06-01"}, "declare rating='club-fund'"),
    ],
)
def test_words_that_a_rulebook_does_not_know_are_refused(keys: dict[str, object], said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        club(10, **{"boards": 18, **keys})


@pytest.mark.parametrize("event_type", ["swiss", "knockout"])
@pytest.mark.parametrize(
    ("special", "said"),
    [
        ("charity", r"no 'charity' games of rating club-open \(declare rating='club-fund'\)"),
        ("silver-linings", "declare rating='club-online'"),
        ("bridge-plus", "no 'bridge-plus' games of rating club-open"),
        ("consolation", "no 'consolation' games of rating club-open"),
    ],
)
def test_words_that_team_games_of_clubs_do_not_know_are_refused(event_type: str, special: str, said: str) -> None:
    keys = {"rating": "club-open", "boards": 7, "special": special, "date": "2012-06-01"}
    with pytest.raises(DeclarationError, match=said):
        swiss(**keys) if event_type == "swiss" else award_sheet(event(bracket("A", 8), **keys))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"date": "2012-06-01", "special": "side-game"}, "no 'side-game' games of rating club-championship"),
        ({"date": "2012-06-01", "special": "royal-stac"}, "declare rating='stac'"),
        ({"date": "2026-06-01", "special": "silver-linings"}, "declare rating='club-online'"),
        ({"date": "2026-06-01", "special": "pupil"}, "declare rating='club-newcomer'"),
        ({"date": "2015-01-01", "special": "sectional-rated"}, "has no 'sectional-rated' games on that date"),
        (
            {"date": "2012-06-01", "special": "zip-knockout", "rating": "club-open"},
            "no 'zip-knockout' games of rating club-open",
        ),
    ],
)
def test_words_of_other_games_are_refused(keys: dict[str, object], said: str) -> None:
    with pytest.raises(DeclarationError, match=said):
        club(10, **{"rating": "club-championship", "boards": 18, **keys})


def test_words_that_change_nothing() -> None:
    result = club(10, boards=18, special="women's, across-sections")
    assert ladder(result, "A-NS")[0] == "1.00"


@pytest.mark.parametrize(("day", "first"), [("2017-01-01", "0.20"), ("2017-12-31", "0.20")])
def test_pupil_games_pay_where_their_rate_is_known(day: str, first: str) -> None:
    assert ladder(club(10, date=day, special="pupil"), "A-NS")[0] == first


def test_a_word_of_a_clubs_own_rulebook(tmp_path: Path) -> None:
    own = rulebook_file(tmp_path, '[special.known]\nvalue = ["handicap", "x-our-night"]\n')
    assert ladder(club(10, special="x-our-night", rulebook=own), "A-NS")[0] == "1.00"


@pytest.mark.parametrize(
    ("special", "first"),
    [
        # Eight tables: B .30; in one session T 1.25. R 11 is a sectional's, 9 is 81.8% of it.
        ("membership", "4.13"),  # 11 x .30 x 1.25 = 4.125
        ("upgraded-club-championship", "3.38"),  # 3.375
    ],
)
def test_club_games_rated_like_sectionals(special: str, first: str) -> None:
    rows = falling("A-NS", 8) + falling("A-EW", 8, top=60)
    result = awarded(rows, tables=8, date=DAY, rating="club-championship", special=special)
    assert ladder(result, "A-NS")[0] == first
    assert result.awards["black"].sum() == result.awards["masterpoints"].sum()


# Strata.


def test_four_strata_are_remarked_on() -> None:
    rows = [f"A-{n} {letter} {70 - n}%" for n, letter in enumerate("ABCDDDDDDD", 1)]
    result = awarded(rows, tables=5, date="2023-01-01", boards=18, strata="A=open, B=1500, C=750, D=200")
    assert said(result.remarks) == ["4 strata are declared, but a club game has two or three"]
    assert said(awarded(rows, tables=5, strata="A=open, B=1500, C=750, D=200", date="2010-01-01").remarks)
    assert not said(awarded(rows[:3], tables=5, date="2023-01-01", boards=18, strata="A=open, B=1500, C=750").remarks)


# Swiss teams.


def swiss(**keys: object) -> Result:
    game = sheet([f"A-{n} . {90 - n}" for n in range(1, 9)], tables=8, event_type="swiss", **keys)
    wins = [4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.0, 0.0]
    return award_sheet(Sheet(game.games, game.contestants.assign(wins=wins)))


@pytest.mark.parametrize(
    ("keys", "awards"),
    [
        # .240 x 7/24 = .07 a match; of 8 boards .08.
        ({"date": "2008-01-01", "boards": 7}, "0.28 0.21 0.14 0.11 0.07 0.04"),  # .105 .035
        ({"date": "2003-11-01", "boards": 8}, "0.32 0.24 0.16 0.12 0.08 0.04"),
        ({"date": "2014-12-31", "boards": 7}, "0.28 0.21 0.14 0.11 0.07 0.04"),
        ({"date": "2015-01-01", "boards": 7}, "0.28 0.21 0.14 0.11 0.07 0.04"),
        ({"date": "2023-01-01", "boards": 7}, "0.28 0.21 0.14 0.11 0.07 0.04"),
    ],
)
def test_club_swiss_teams_are_paid_by_the_match_alone(keys: dict[str, object], awards: str) -> None:
    result = swiss(**keys)
    assert ladder(result, "A-") == awards.split()
    assert {text.split()[1] for text in paid(result).values() if text != "0.00"} == {"matches"}
    assert len(said(result.remarks)) == (str(keys["date"]) > "2015")


def test_club_swiss_teams_without_wins_are_refused() -> None:
    with pytest.raises(DeclarationError, match="the matches that each team won are missing"):
        awarded(falling("A", 8), tables=8, event_type="swiss", boards=7, date="2008-01-01")


@pytest.mark.parametrize(
    ("keys", "book"),
    [
        ({"event_type": "swiss", "date": "2010-12-31"}, "acbl-general-formula-2003"),
        ({"event_type": "swiss", "date": "2011-01-01"}, "acbl-general-formula-2003"),
        ({"event_type": "swiss", "date": "2014-12-31"}, "acbl-general-formula-2003"),
        ({"event_type": "swiss", "date": "2015-01-01"}, "acbl-general-formula-2015"),
        ({"sessions": 2, "date": "2011-01-01"}, "acbl-general-formula-2003"),
        ({"sessions": 2, "date": "2014-12-31"}, "acbl-general-formula-2003"),
        ({"date": "2011-01-01"}, "acbl-club-fund-2011"),
    ],
)
def test_championships_of_2011_that_have_the_general_formula(keys: dict[str, object], book: str) -> None:
    games, _ = sheet("A-1 . 5", tables=8, rating="club-championship", **keys)
    assert choose(games)["rulebook"].tolist() == [book]


# What reads, compares and charts them.


def test_the_sites_limited_games_are_read(tmp_path: Path) -> None:
    # The Howell of 11 pairs pays 1.10; 4 and 3 1/2 tables beside it are 16 pairs, so 1.50 is the most: 1.275 for a tie.
    content = json.loads((FIXTURES / "made-wednesday.json").read_text())
    for value, declared in ((None, None), (0, None), (4, "4"), ([4, 3.5], "8")):
        path = saved(tmp_path / "game.json", json.dumps({**content, "concurrent_limited_tables": value}))
        (found,) = read(path).games["concurrent_tables"]
        assert (None if pd.isna(found) else found) == declared
    path.write_text(json.dumps({**content, "concurrent_limited_tables": {"a": 1}}))
    with pytest.raises(FormatError, match="which resultproc does not know"):
        read(path)


def report(folder: Path, day: str, boards: int) -> Path:
    """Write the sheet of a game as ACBLscore would: with the awards for 18 boards, and nothing declared."""
    result = club(10, boards=18, date=day)
    text = TEXT.write(result).decode()
    path = folder / "report.txt"
    path.write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith("#")))
    path.with_suffix(".toml").write_text(f'rating = "club-open"\nstrata = "A=open"\nboards = {boards}\n')
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("day", "remarks"), [("2022-12-31", 0), ("2023-01-01", 1)])
def test_printed_reports_leave_the_boards_out(tmp_path: Path, day: str, remarks: int) -> None:
    found = check(report(tmp_path, day, 27))
    assert not len(found.differences)
    assert found.files["ranks_and_awards"].tolist() == [28]
    found = replace(found, remarks=tuple(remark for remark in found.remarks if said([remark])))
    assert len(found.remarks) == remarks
    assert all("compared with those for 18 boards" in str(remark) for remark in found.remarks)
    assert json.loads(to_json(found))["remarks"] == [
        {"file": "report.txt", "where": "", "what": remark.what, "hint": "", "code": "printed.not-compared"}
        for remark in found.remarks
    ]


@pytest.mark.slow
def test_reports_of_our_own_have_the_boards_in_them(tmp_path: Path) -> None:
    path = saved(tmp_path / "own.txt", TEXT.write(club(10, boards=27)))
    found = check(path)
    assert (len(found.differences), said(found.remarks)) == (0, [])


@pytest.mark.parametrize(
    ("keys", "first", "notes"),
    [
        ({"boards": 24}, 133, ()),
        ({"boards": 24, "date": pd.Timestamp("2022-12-31")}, 100, ()),
        ({"boards": 24, "date": pd.Timestamp("2023-01-01")}, 133, ()),
        ({}, 100, ("boards is not declared: the awards are those for 18 boards",)),
        ({"date": pd.Timestamp("2022-12-31")}, 100, ()),
        ({"date": pd.Timestamp("2023-01-01")}, 100, ("boards is not declared: the awards are those for 18 boards",)),
    ],
)
def test_charts_are_for_the_boards_declared_or_eighteen(
    keys: dict[str, object], first: int, notes: tuple[str, ...]
) -> None:
    made = chart(GAMES.conform(pd.DataFrame([{"game_id": "chart", "rating": "club-open", **keys}])), 10)
    assert made.blocks[0].rows[0].awards[0] == first
    assert made.notes == notes
    for name in ("text", "html", "json"):
        assert all(note.encode() in WRITERS[name](made) for note in notes)
    assert ("x 24/18" in made.blocks[0].rows[0].ladder.factors) == (first == 133)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"concurrent_tables": "300=6"}, ""),
        ({"concurrent_tables": "none"}, ""),
        ({}, ""),
        ({"concurrent_tables": "open=6"}, "none of these events is restricted"),
        ({"concurrent_tables": "300=6", "limit": 1000}, "only an unrestricted event is credited"),
        ({"concurrent_tables": "300=6", "restrictions": "senior"}, "only an unrestricted event is credited"),
        ({"concurrent_tables": "300=6", "rating": "regional"}, "it has too few sessions"),
        ({"concurrent_tables": "300=6", "rating": "unit-championship"}, "no event of its rating is credited"),
    ],
)
def test_tables_without_effect_in_tournaments_are_remarked_on(keys: dict[str, object], reason: str) -> None:
    result = awarded(mitchell(8), tables=8, date="2010-01-01", **{"rating": "sectional", **keys})
    assert said(result.remarks) == ([f"concurrent_tables has no effect on its awards: {reason}"] if reason else [])


@pytest.mark.parametrize(("special", "remarks"), [("", 1), ("side-game", 0)])
def test_an_event_that_goes_by_its_field_is_credited_with_no_other(special: str, remarks: int) -> None:
    teams = [f"{row} mp=900/900" for row in mitchell(8)]
    keys = {"rating": "sectional", "date": "2026-06-01", "boards": 26, "concurrent_tables": "300=6"}
    result = awarded(teams, tables=8, **keys, **({"special": special} if special else {}))
    what = "concurrent_tables has no effect on its awards: they go by the strength of its own field"
    assert [each for each in said(result.remarks) if each.startswith("concurrent_tables")] == [what] * remarks


def test_club_championships_are_credited_with_nothing() -> None:
    with pytest.raises(DeclarationError, match="no club-championship game gets credit for other games"):
        awarded(mitchell(8), tables=8, date="2019-06-01", rating="club-championship", concurrent_tables="300=6")
