"""A league's statement held against an archive: all that is planted is found, and nothing else is claimed."""

import json
import random
import sys
import time
from collections import Counter

import pandas as pd
import pytest
from conftest import ALL, run, saved
from test_persons import GAME

from resultproc.archive.add import add
from resultproc.archive.store import Store
from resultproc.model.errors import InputError
from resultproc.model.frames import COLOURS
from resultproc.model.numbers import decimal_text
from resultproc.reports.audit import DIFFERENT, DOUBLED, ELSEWHERE, PENDING, UNSTATED, audit, read_statement


def made(games: int, seed: int = 1) -> pd.DataFrame:
    """Return the awards of made-up games: 16 players of two clubs in each, of whom six win something.

    Some games of a day and club have the same name, and some awards are the same; some are of two colours.
    """
    rng = random.Random(seed)
    rows = []
    for game in range(games):
        day = pd.Timestamp("1990-01-01") + pd.Timedelta(days=game // 3)
        there = rng.sample(range(200), 16)
        for place, person in enumerate(there, 1):
            points = rng.choice([30, 45, 63, 90, 131]) if place <= 6 else 0
            red = points // 2 if game % 10 == 0 else 0
            rows.append(
                {
                    **{
                        "person": str(1_000_000 + person),
                        "player": f"Player {person}",
                        "member": str(1_000_000 + person),
                    },
                    **{"date": day, "club": "East" if game % 2 else "West", "event": f"Pairs {game % 3 // 2}"},
                    **dict.fromkeys(COLOURS, 0),
                    **{"masterpoints": points, "black": points - red, "red": red, "rule": "a rule", "league": "acbl"},
                    **{"place": place if points else pd.NA, "tied": 1, "group_size": 16, "basis": "section"},
                }
            )
    return pd.DataFrame(rows).astype({"place": "Int64"})


def stated(awards: pd.DataFrame) -> pd.DataFrame:
    """Return the statement of awards: a line for each colour."""
    parts = [awards[awards[name] > 0].assign(colour=name, points=awards[name]) for name in ("black", "red")]
    lines = pd.concat(parts).sort_values(["date", "person"], kind="stable", ignore_index=True)
    return lines[["date", "club", "event", "player", "member", "colour", "points"]]


def as_csv(lines: pd.DataFrame) -> bytes:
    points = [decimal_text(int(each)) for each in lines["points"]]
    return lines.assign(points=points, date=lines["date"].dt.strftime("%Y-%m-%d")).to_csv(index=False).encode()


Told = Counter[tuple[object, ...]]
"""What is told, and of which day, member, club and event."""

_KEY = ["date", "member", "club", "event"]
_OTHER = {"black": "silver", "red": "gold"}


def planted(lines: pd.DataFrame, each: int, seed: int = 2) -> tuple[pd.DataFrame, Told]:
    """Return a statement in which as many lines are left out, doubled, of other points and of another colour.

    What is of its last ten days is left out, too, and pending. The first day and the last one then stay as they are.
    Return what has to be told as well.
    """
    last = lines["date"].max() - pd.Timedelta(days=10)
    pending, there = lines[lines["date"] > last], lines[lines["date"] <= last]
    inner = there.index[(there["date"] > there["date"].min()) & (there["date"] < last)]
    rows = random.Random(seed).sample(inner.tolist(), 4 * each)
    out, twice, wrong, other = (rows[n * each : (n + 1) * each] for n in range(4))
    changed = there.copy()
    changed.loc[wrong, "points"] += 7
    changed.loc[other, "colour"] = changed.loc[other, "colour"].map(_OTHER)
    changed = pd.concat([changed.drop(index=out), there.loc[twice]], ignore_index=True)
    told = {UNSTATED: there.loc[out], DOUBLED: there.loc[twice], DIFFERENT: there.loc[wrong + other], PENDING: pending}
    return changed.sample(frac=1, random_state=seed), Counter(
        (what, *key) for what, of in told.items() for key in of[_KEY].itertuples(index=False, name=None)
    )


def found(awards: pd.DataFrame, lines: pd.DataFrame) -> Told:
    told = audit(read_statement(as_csv(lines), "statement.csv"), awards, None, None).found
    told = told.assign(date=pd.to_datetime(told["date"]))
    return Counter(told[["what", *_KEY]].itertuples(index=False, name=None))


@pytest.mark.slow
def test_what_is_right_is_not_claimed():
    awards = made(300 if ALL else 150)
    assert found(awards, stated(awards)) == Counter()
    assert audit(read_statement(as_csv(stated(awards)), "s"), awards, None, None).agreed == len(stated(awards))


def test_all_that_is_planted_is_found():
    """Of 100,000 games 1,000 of each by hand: python tests/test_audit.py 100000 1000."""
    awards = made(600)
    lines, told = planted(stated(awards), 100)
    assert len({what for what, *_ in told}) == 4
    assert found(awards, lines) == told


def test_of_two_games_of_a_day_the_one_that_is_missing_is_told():
    one = {**made(1).iloc[0].to_dict(), "masterpoints": 30, "black": 30, "red": 0}
    awards = pd.DataFrame([{**one, "event": "Morning"}, {**one, "event": "Evening"}])
    line = b"date,club,event,points,member\n1990-01-01,West,Morning,0.30,1000137\n"
    line = line.replace(b"1000137", str(one["member"]).encode())
    told = audit(read_statement(line + line.splitlines(True)[1], "s"), awards, None, None).found
    assert [*zip(told["what"], told["event"], strict=True)] == [(UNSTATED, "Evening"), (DOUBLED, "Morning")]
    # Games that the league calls otherwise are told apart by what they pay.
    called = line.replace(b"Morning", b"Open Pairs")
    assert audit(read_statement(called + called.splitlines(True)[1], "s"), awards, None, None).found.empty


def test_namesakes_without_numbers_are_told_apart_by_what_games_pay():
    one = made(1).iloc[0].to_dict() | {"masterpoints": 30, "black": 30, "red": 0, "member": ""}
    other = one | {"person": "joe sallow", "player": "SALLOW, Joe", "masterpoints": 45, "black": 45}
    awards = pd.DataFrame([one | {"player": "Joe Sallow"}, other])
    lines = [f"1990-01-01,West,{one['event']},{points},Joe Sallow\n" for points in ("0.45", "0.30")]
    text = "date,club,event,points,player\n" + "".join(lines)
    assert audit(read_statement(text.encode(), "s"), awards, None, None).found.empty
    told = audit(read_statement(text.replace("0.30", "0.63").encode(), "s"), awards, None, None).found
    assert [*zip(told["what"], told["pays"], strict=True)] == [(UNSTATED, "0.30"), (ELSEWHERE, "")]


@pytest.mark.parametrize("colour", ["", "black"])
def test_a_hundredth_is_told_and_nothing_is_not(colour):
    one = made(1).iloc[0].to_dict()
    awards = pd.DataFrame(
        one | {"date": pd.Timestamp(1990, 1, day), "event": event, "masterpoints": points, "black": points, "red": 0}
        for day in (1, 2, 4)
        for event, points in (("Some", 1), ("None", 0))
    )
    # What the first day paid is stated, and what the second paid is not; on the third, the last, nobody played.
    rows = [
        f"1990-01-0{day},Some,{points},{colour},{one['member']}\n" for day, points in ((1, ".01"), (3, ".01"), (3, 0))
    ]
    statement = read_statement(("date,event,points,colour,member\n" + "".join(rows)).encode(), "s")
    told = audit(statement, awards, None, None)
    expected = [(UNSTATED, "1990-01-02"), (ELSEWHERE, "1990-01-03"), (PENDING, "1990-01-04")]
    assert (told.agreed, [*zip(told.found["what"], told.found["date"], strict=True)]) == (1, expected)
    assert [*audit(statement, awards[:0], None, None).found["what"]] == [ELSEWHERE] * 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("club,points\nEast,0.30\n", "line 1: there is no column 'date'"),
        ("date,points\n2012-04-18,0.305\n", "line 2: invalid masterpoints: '0.305'; write them as 0.63"),
        ("date,points\n2012-04-18,many\n", "line 2: invalid number: 'many'"),
        ("date,points\nsoon,0.63\n", "line 2: invalid date: 'soon'"),
        ('date,points\n2012-04-18,"1,042"\n', "line 2: '1,042' may mean 1.042 or 1042"),
        ("date,points\n3/4/2012,0.30\n", "line 2: '3/4/2012' may be 2012-04-03 or 2012-03-04"),
        ("date,points,colour\n2012-04-18,0.30,pink\n", "line 2: invalid colour: 'pink'"),
        (
            "date,points,colour\n2012-04-18,0.30,red\n2012-04-19,0.30,\n",
            "some lines have a colour and others have none",
        ),
        ("date,points\n", "this statement has no lines"),
        ("\ndate,points\n2012-04-18,0,63\n", "line 3: this line has more cells than the first"),
        ("date,MPs,Award\n2012-04-18,1,2\n", "line 1: several columns may be the points"),
        ("date,points,player\n2012-04-18,1,Zo\xe9\n", "not text in UTF-8 (save the statement as CSV in UTF-8)"),
    ],
)
def test_a_statement_that_cannot_be_read_is_refused(text, told):
    with pytest.raises(InputError) as error:
        read_statement(text.encode("latin-1"), "statement.csv")
    assert told in str(error.value)


def test_a_statement_is_read_in_other_words():
    first, second = '18 avril 2012;Ann Lee;12;"1,042.10";-', "2.5.2012;Ann Lee;-;0,63;-"
    text = f"Datum;Spieler;Mitgliedsnr;MPs won;Colour\n{first}\n{second}\n"
    lines = read_statement(text.encode(), "statement.csv")
    assert [*lines["points"]] == [104210, 63]
    assert [str(day)[:10] for day in lines["date"]] == ["2012-04-18", "2012-05-02"]
    assert [*lines["player"]] == ["Ann Lee"] * 2
    assert [*lines["member"]] == ["12", ""]
    assert [*lines["colour"]] == ["", ""]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Return an archive of three games that Ann Lee, and Gus Yew, have won: 0.30 black each."""
    pytest.importorskip("deltalake")
    folder = tmp_path_factory.mktemp("audit")
    for n, day in enumerate(["1998-05-01", "1998-06-01", "1998-07-01"]):
        text = GAME.format(date=day, event=f"Game {n}", club="East", surname="Lee", member="J234567" if n else "")
        (folder / f"game{n}.csv").write_text(text, "utf-8")
    add([folder], Store(str(folder / "history")))
    return folder / "history"


def held(archive, text, *options):
    statement = saved(archive.parent / "statement.csv", text)
    done = run("archive", "audit", archive, statement, *options, "--to", "json")
    return done.status, json.loads(done.out)["rows"]


@pytest.mark.slow
def test_a_players_statement(history, awarded, monkeypatch):
    monkeypatch.setattr("resultproc.archive.query.People", lambda *of: pytest.fail("asked for twice"))
    text = "date,club,event,points,colour\n1 May 1998,East,Game 0,0.30,B\n6/13/1998,North,Game 5,1.00,Gold\n"
    status, rows = held(history, text, "--player", "1234567")
    expected = (3, [(UNSTATED, "1998-06-01"), (ELSEWHERE, "1998-06-13"), (PENDING, "1998-07-01")])
    assert (status, [(row["what"], row["date"]) for row in rows]) == expected
    expected = ("0.30 black", "1st of 3, section", "1.00 gold", 3)
    assert (rows[0]["pays"], rows[0]["place"], rows[1]["stated"], rows[1]["line"]) == expected
    assert "ACBL Handbook" in rows[0]["rule"]
    status, rows = held(awarded, text, "--player", "Ann Lee", "--until", "1998-05-31")
    assert (status, [row["what"] for row in rows]) == (0, [PENDING, PENDING])


@pytest.mark.slow
def test_a_clubs_statement(awarded):
    who = ["Ann Lee", "Bob Ray", "Gus Yew", "Hal Box"]
    lines = [f"{day},{name},0.30" for day in ("1998-05-01", "1998-06-01", "1998-07-01") for name in who]
    text = "\n".join(["date,player,points", *lines]) + "\n"
    assert held(awarded, text, "--club", "east") == (0, [])
    wrong = text.replace("1998-06-01,Hal Box,0.30", "1998-06-01,Hal Box,0.20") + "1998-07-01,Cat Oak,0.30\n"
    status, rows = held(awarded, wrong, "--club", "East")
    expected = (3, [(DIFFERENT, "Hal Box", "0.20", "0.30"), (DIFFERENT, "Cat Oak", "0.30", "0.00")])
    assert (status, [(row["what"], row["player"], row["stated"], row["pays"]) for row in rows]) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        ([], 2, "say whose statement it is: either --player or --club"),
        (["--club", "North"], 1, "no game of North could be awarded"),
        (["--player", "Nobody"], 1, "no game has a player 'Nobody'"),
    ],
)
def test_whose_statement_it_is_has_to_be_said(awarded, options, status, told):
    statement = saved(awarded.parent / "statement.csv", "date,points\n1998-05-01,0.30\n")
    done = run("archive", "audit", awarded, statement, *options)
    assert done.status == status
    assert told in done.err


if __name__ == "__main__":
    of = made(int(sys.argv[1]))
    given, expected = planted(stated(of), int(sys.argv[2]))
    begun = time.process_time()
    print(len(given), "lines:", found(of, given) == expected, f"{time.process_time() - begun:.1f} s")
