"""The questions of league offices in the documents, each held against pandas over the games as they were before."""

import re
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("deltalake")
pytest.importorskip("duckdb")

import duckdb

from resultproc.archive import whatif
from resultproc.archive.add import add
from resultproc.archive.history import history, restore
from resultproc.archive.reprocess import Task, award_sound, reprocess
from resultproc.archive.store import Store
from resultproc.model.work import Cluster
from resultproc.stages.pipeline import keep_games, process
from tests.conftest import PROJECT, run, saved

PAIRS = [("Ann", "Bob"), ("Cat", "Dan"), ("Eve", "Fay"), ("Gus", "Hal"), ("Ida", "Jon"), ("Kim", "Lee")]
PAIRS += [(f"{a}a", f"{b}a") for a, b in PAIRS]
GAMES = [
    # club, day, tables, the first pair, the first scores: the others go down by halves of a percent
    ("Elks", "1997-01-06", 6, 0, (70, 60)),
    ("Elks", "1997-04-08", 4, 1, (65, 60)),
    ("Moose", "1997-04-12", 5, 2, (62.5, 62.5)),
    ("Moose", "1998-12-07", 6, 4, (60, 58)),
    ("Elks", "2004-02-03", 6, 0, (61, 60)),
]


def text(number):
    club, day, tables, begin, scores = GAMES[number]
    lines = [f"# event: Game {number}", f"# date: {day}", f"# club: {club}", "# rating: club-open"]
    lines += [f"# tables: {tables}", "# boards: 24", "# strata: A=open, B=100", "# stratify_by: average"]
    lines += ["section,number,player1,player2,percentage,mp1,mp2"]
    every = [*scores, *(55 - row / 2 for row in range(2 * tables - 2))]
    for row, score in enumerate(every):
        one, two = PAIRS[(begin + row) % len(PAIRS)]
        lines.append(f"A,{row + 1},{one},{two},{score},{row * 10},{row * 10}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return a database with the views of an archive of these games, and the queries in the documents."""
    folder = tmp_path_factory.mktemp("questions")
    paths = [saved(folder / f"game{number}.csv", text(number)) for number in range(len(GAMES))]
    mistaken = text(1).replace(",65,", ",x,").replace(",60,", ",65,").replace(",x,", ",60,")
    (folder / "mistaken").mkdir()
    for each in ([saved(folder / "mistaken" / "game1.csv", mistaken)], paths):
        add(each, Store(str(folder / "history")))
    assert run("archive", "export", folder / "history", folder / "all.duckdb").status == 0
    with duckdb.connect(str(folder / "all.duckdb"), read_only=True) as database:
        yield database, questions("More questions", "How fast"), folder


def questions(begin, end):
    """Return the queries in a part of the document, by what they answer."""
    document = (PROJECT / "resultproc" / "docs" / "archive.md").read_text("utf-8")
    part = document.partition(f"\n## {begin}\n")[2].partition(f"\n## {end}\n")[0]
    return dict(re.findall(r"^\*\*(.*?)\*\*.*?^```sql\n(.*?)```", part, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def seats(asked):
    """Return a row for each player of each game, from the files themselves."""
    found = []
    for number, (club, day, tables, *_) in enumerate(GAMES):
        result = process(asked[2] / f"game{number}.csv")
        rows = result.contestants[["player1", "player2", "number", "percentage"]].astype({"percentage": float})
        candidate = result.candidates["tied"].reindex(result.awards["candidate"]).to_numpy()
        paid = result.awards["masterpoints"].to_numpy()
        rows = rows.assign(game=number, club=club, date=pd.Timestamp(day), tables=tables, won=paid, tied=candidate)
        rows["names"] = rows["player1"].astype(str) + " - " + rows["player2"].astype(str)
        rows["place"] = rows["percentage"].rank(ascending=False, method="min")
        found += [rows.assign(player=rows[each].astype(str)) for each in ("player1", "player2")]
    return pd.concat(found, ignore_index=True)


def the(asked, words):
    """Return the answer to the question that begins so, as rows of texts."""
    database, sqls, _ = asked
    (sql,) = (sql for question, sql in sqls.items() if question.startswith(words))
    sql = sql.replace("so_far >= 5", "so_far >= 1")  # nobody here has so many
    return [tuple(map(str, row)) for row in database.execute(sql).fetchall()]


def rows_of(frame):
    return [tuple(map(str, row)) for row in frame.itertuples(index=False)]


def points(hundredths):
    return hundredths.map(lambda each: f"{each / 100:.2f}")


def test_every_question_has_an_answer(asked):
    database, sqls, _ = asked
    assert len(sqls) == 18
    for question, sql in sqls.items():
        if "before.awards" not in sql and "so_far" not in sql:
            assert database.execute(sql).fetchall(), question


def test_who_came_late(asked):
    today = datetime.now(UTC).date()
    days = {number: (today - pd.Timestamp(day).date()).days for number, (_, day, *_) in enumerate(GAMES)}
    assert [(row[1], int(row[3])) for row in the(asked, "Who came late")] == [
        (f"Game {number}", days[number]) for number in sorted(days, key=days.get, reverse=True)
    ]


def test_who_stood_where(asked, seats):
    one = seats[seats["player"] == seats["player1"].astype(str)]
    found = [row for row in the(asked, "Who stood where") if row[2:4] == ("section", "A")]
    shown = one.assign(event="Game " + one["game"].astype(str), place=one["place"].astype(int))
    assert sorted((*row[:2], row[4]) for row in found) == sorted(rows_of(shown[["event", "names", "place"]]))
    strata = {row[3] for row in the(asked, "Who stood where")}
    assert strata == {"A", "B"}


def test_partnerships(asked, seats):
    one = seats[seats["player"] == seats["player1"].astype(str)]
    sums = one.groupby(["player1", "player2"], observed=True).agg(
        games=("won", "size"), won=("won", "sum"), mean=("percentage", "mean")
    )
    sums = sums.reset_index().assign(
        won=lambda frame: points(frame["won"]), mean=lambda frame: np.floor(100 * frame["mean"] + 0.5) / 100
    )
    assert the(asked, "How did each partnership") == sorted(rows_of(sums))


def test_attendance_by_weekday_and_decade(asked, seats):
    of = seats.assign(decade=seats["date"].dt.year // 10 * 10, weekday=seats["date"].dt.day_name())
    counted = of.groupby(["decade", "weekday"]).agg(seats=("player", "size"), people=("player", "nunique"))
    assert the(asked, "How many played on which weekday") == rows_of(counted.reset_index())


def test_what_a_cap_would_have_cost(asked, seats):
    # All are awards of the section: nothing overall pays here.
    of_1997 = seats[(seats["date"].dt.year == 1997) & (seats["player"] == seats["player1"].astype(str))]
    above = (of_1997["won"] - 100).clip(lower=0)
    assert (above > 0).any()
    assert the(asked, "What would a cap") == [(str((above > 0).sum()), f"{above.sum() / 100:.2f}")]


def test_what_another_value_would_have_paid(asked, monkeypatch):
    # A club game pays 0.10 a pair to the first, up to the cap: of 6, 4 and 5 tables 1.20, 0.80 and 1.00, and 70% of
    # that to the second. Two share these in the third game: 0.85, and 0.765 with a cap of 0.90.
    _, _, folder = asked
    own = saved(folder / "capped.toml", 'extends = "acbl-club"\n[section.cap.club-open]\nvalue = 0.90\n')
    games = [folder / f"game{number}.csv" for number in (0, 1, 2)]
    was, would_be = (
        [process(each, rulebook=book).awards["masterpoints"] for each in games] for book in (None, str(own))
    )
    assert [(one.max(), two.max()) for one, two in zip(was, would_be, strict=True)] == [(120, 90), (80, 80), (85, 77)]
    lower = sum(int((two < one).sum()) for one, two in zip(was, would_be, strict=True))
    sums = [sum(int(each.sum()) for each in of) for of in (was, would_be)]
    asking = ("archive", "whatif", folder / "history", "--to", "csv", "--set")
    (row,) = run(*asking, "section.cap.club-open=0.90", "--where", "date == 1997").printed.splitlines()[1:]
    expected = [f"{each / 100:.2f}" for each in (*sums, sums[1] - sums[0])]
    assert row.split(",") == ["1997", "club-open", "acbl", "3", str(lower), "0", *expected]
    rows = run(*asking, "section.cap.club-open=0.90").printed.splitlines()[1:]
    assert [line.partition(",")[0] for line in rows] == ["1997", "1998", "2004"]
    # Without awards of the open game, 11 pairs of stratum B have 0.06 each: 0.66, and 70%, 50% and 35% of that.
    nothing = run(*asking, "section.cap.club-open=0", "--where", "date == 1998")
    assert (nothing.printed.splitlines()[1].split(",")[-2], nothing.err) == ("1.68", "")

    def failing(sheet):
        return award_sound(keep_games(sheet, []))[0], {name: [] for name in sheet.games["game_id"]}

    monkeypatch.setattr(whatif, "award_sound", failing)
    assert "1 game could not be awarded" in run(*asking, "section.cap.club-open=1", "--where", "date == 1998").err
    monkeypatch.undo()
    assert "no game that is meant goes by section.capp" in run(*asking, "section.capp=1").err
    beside = run(*asking, "section.cap=1", "--set", "section.capp=1")
    assert (beside.status, beside.out, "goes by section.capp (" in beside.err) == (1, "", True)
    assert "must be a number, not a word" in run(*asking, "section.cap.club-open=high").err


def test_who_reached_a_title_when(asked, seats):
    ordered = seats.sort_values("date", kind="stable")
    reached = ordered[ordered.groupby("player")["won"].cumsum() >= 100].groupby("player")["date"].min()
    frame = reached.dt.strftime("%Y-%m-%d").reset_index().sort_values(["date", "player"])
    firsts = ordered.groupby("player")["won"].first()
    assert (firsts[reached.index] < 100).any()  # by the sum of several games
    assert 0 < len(frame) < len(firsts)
    assert the(asked, "On which day did who reach 5") == rows_of(frame)


def test_who_plays_at_several_clubs(asked, seats):
    counted = seats.groupby("player").agg(clubs=("club", "nunique"), games=("club", "size")).query("clubs > 1")
    assert the(asked, "Who plays at several clubs") == rows_of(counted.reset_index())


def test_who_came_back(asked, seats):
    ordered = seats.sort_values("date", kind="stable")
    away = ordered.assign(days=ordered.groupby("player")["date"].diff().dt.days).groupby("player")["days"].max()
    frame = away[away > 365].astype(int).reset_index().sort_values(["days", "player"], ascending=[False, True])
    assert the(asked, "Who came back") == rows_of(frame)


def test_tables_by_club_and_year(asked):
    frame = pd.DataFrame([(club, day[:4], tables) for club, day, tables, *_ in GAMES], columns=["club", "year", "n"])
    sums = frame.groupby(["club", "year"])["n"].agg(["size", "sum"]).reset_index().astype({"sum": float})
    assert the(asked, "How many tables had each club") == rows_of(sums)


def test_who_was_ahead_of_whom(asked, seats):
    one = seats[seats["player"] == seats["player1"].astype(str)]
    both = one.merge(one, on="game", suffixes=("", "_behind")).query("place < place_behind")
    counted = both.groupby(["names", "names_behind"]).size().reset_index()
    assert the(asked, "Who was ahead of whom") == rows_of(counted)


def test_the_share_that_was_paid(asked, seats):
    share = (100 * (seats["won"] > 0).groupby(seats["club"]).mean()).round(1)
    assert the(asked, "How large a share") == rows_of(share.reset_index())


def test_the_best_game_at_each_club(asked, seats):
    ordered = seats.sort_values(["percentage", "names"]).groupby("club").last().reset_index()
    assert the(asked, "What was the best game") == rows_of(ordered[["club", "percentage", "names"]])


NAMESAKES = """# event: {event}
# date: {day}
# club: {club}
# rating: club-open
# tables: 3
# scoring: {scoring}
section,number,player1,id1,player2,{result}
A,1,John Smith,{number},Bob,{top}
A,2,Cat,,Dan,45
A,3,Eve,,Fay,40
A,4,Gus,,Hal,35
A,5,Ida,,Jon,30
A,6,Kim,,Lee,30
"""


def test_two_people_of_one_name_are_two_and_a_game_by_imps_has_no_percentage(tmp_path):
    games = [
        ("One", "2017-05-01", "Elks", 1111111, "matchpoints", "percentage", 60),
        ("Two", "2019-05-01", "Moose", 2222222, "matchpoints", "percentage", 60),
        ("Three", "2017-05-02", "Moose", 2222222, "cross-imps", "score", 60),
    ]
    names = ("event", "day", "club", "number", "scoring", "result", "top")
    paths = [
        saved(tmp_path / f"{each[0]}.csv", NAMESAKES.format(**dict(zip(names, each, strict=True)))) for each in games
    ]
    add(paths, Store(str(tmp_path / "history")))
    sqls = questions("Twenty questions", "More questions") | questions("More questions", "How fast")

    def of(begins):
        (sql,) = (each for question, each in sqls.items() if begins in question)
        printed = run("archive", "query", tmp_path / "history", sql, "--to", "csv").printed
        return [line.split(",") for line in printed.splitlines()[1:]]

    assert [row[1:] for row in of("Who won most in a year") if row[0] == "John Smith"] == [["0.60", "1"]] * 2
    assert [row[1] for row in of("each partnership") if row[0] == "John Smith"] == ["Bob", "Bob"]
    assert "John Smith" not in [row[0] for row in of("at several clubs")]
    assert of("best game at each club") == [[club, "60", "John Smith - Bob"] for club in ("Elks", "Moose")]


def test_awards_that_were_shared(asked, seats):
    paid = seats[(seats["won"] > 0) & (seats["player"] == seats["player1"].astype(str))]
    sums = paid.astype({"tied": int}).groupby("tied")["won"].agg(["size", "sum"]).reset_index()
    assert {1, 2} <= set(sums["tied"])
    assert the(asked, "How many awards were shared") == rows_of(sums.assign(sum=points(sums["sum"])))


def test_months_without_a_game(asked):
    expected = []
    for club in ("Elks", "Moose"):
        months = [pd.Period(day, "M") for name, day, *_ in GAMES if name == club]
        for one, next_ in pairwise(months):
            expected += [(club, str(each)) for each in pd.period_range(one + 1, next_ - 1, freq="M")]
    assert the(asked, "In which months") == expected


def test_who_is_new_at_a_club(asked, seats):
    first = seats.groupby("player")["date"].min()
    here = seats.groupby(["player", "club"])["date"].min().reset_index()
    new = here[here["date"] > here["player"].map(first)]
    assert the(asked, "Which people are new at a club") == rows_of(new.assign(date=new["date"].dt.strftime("%Y-%m-%d")))


def test_one_formula_against_another(asked):
    _, sqls, folder = asked
    game, old = PROJECT / "fixtures" / "regional-open-pairs-2022-06-18.csv", "acbl-general-formula-2019"
    (sql,) = (sql for sql in sqls.values() if "before.awards" in sql)
    add([game], Store(str(folder / "field")))
    reprocess(Task(str(folder / "field"), str(folder / "before"), old), Cluster().run)
    found = run("archive", "query", folder / "field", "--with", f"before={folder / 'before'}", sql, "--to", "csv")
    now, before = process(game), process(game, rulebook=old)
    paid, was = (each.awards["masterpoints"].sum() for each in (now, before))
    assert paid != was
    expected = f"acbl-strength-of-field-2021,{len(now.awards)},{paid / 100:.2f},{was / 100:.2f}"
    assert found.printed.splitlines()[1:] == [expected]


def test_how_often_games_are_corrected(asked):
    assert the(asked, "How often did each club correct") == [("Elks", "1", "0.0")]


def test_games_of_somebody_in_a_year(asked, seats):
    counted = seats.groupby([seats["date"].dt.year, "player"])["game"].nunique().groupby("date")
    frame = pd.DataFrame({"n": counted.size(), "half": counted.median(), "most": counted.max()}).reset_index()
    assert frame["most"].max() > frame["half"].min()
    assert the(asked, "How many games does somebody play") == rows_of(frame)


def test_who_gained_by_corrections(asked):
    # The first and the second of four tables were confused: 0.80, and 70% of that.
    asking = ("archive", "gains", asked[2] / "history", "--to", "csv")
    assert run(*asking).printed.splitlines()[1:] == [
        "Cat,,acbl,1,0.56,0.80,0.24",
        "Dan,,acbl,1,0.56,0.80,0.24",
        "Eve,,acbl,1,0.80,0.56,-0.24",
        "Fay,,acbl,1,0.80,0.56,-0.24",
    ]
    before = run(*asking, "--until", "2020-12-31")
    assert before.printed.startswith("player,member,league,games,before,after,difference\n")
    assert (before.printed.count("\n"), before.err) == (1, "nobody gained or lost by corrections in that time\n")


def test_a_game_that_is_corrected_again_counts_as_it_was_at_first_and_is_at_last(tmp_path):
    store, game = Store(str(tmp_path / "history")), tmp_path / "game1.csv"
    mistaken, worse = (text(1).replace(",65,", score) for score in (",59,", ",50,"))
    for said in (text(1), mistaken):
        add([saved(game, said)], store)
    restore(store, [history(store).query("state == 'replaced'")["id"].iloc[0]])
    assert run("archive", "gains", store.url, "--to", "csv").printed.count("\n") == 1
    add([saved(game, worse)], store)
    # The first became the last; the others are a place higher, for which the first three get 0.80, 0.56 and 0.40.
    assert run("archive", "gains", store.url, "--to", "csv").printed.splitlines()[1:] == [
        "Ida,,acbl,1,0.00,0.40,0.40",
        "Jon,,acbl,1,0.00,0.40,0.40",
        "Eve,,acbl,1,0.56,0.80,0.24",
        "Fay,,acbl,1,0.56,0.80,0.24",
        "Gus,,acbl,1,0.40,0.56,0.16",
        "Hal,,acbl,1,0.40,0.56,0.16",
        "Cat,,acbl,1,0.80,0.00,-0.80",
        "Dan,,acbl,1,0.80,0.00,-0.80",
    ]


def test_a_correction_that_cannot_be_compared_is_told(tmp_path):
    archive, game = tmp_path / "history", tmp_path / "game0.csv"
    for said in ("", "# rating: club-open"):
        add([saved(game, text(0).replace("# rating: club-open", said))], Store(str(archive)))
    found = run("archive", "gains", archive, "--to", "csv")
    assert (found.status, found.printed.count("\n")) == (0, 1)
    assert "game0 before correction 1" in found.err
    assert "rating is not declared" in found.err
