"""Conditions on the games of an archive: right, or refused with what would be right."""

import re
import time
from datetime import date, timedelta
from random import Random

import numpy as np
import pandas as pd
import pytest
from conftest import ALL

pytest.importorskip("deltalake")

from resultproc.archive.where import matching, parse_condition
from resultproc.model.errors import InputError
from resultproc.model.frames import GAMES

RATINGS = ["club-open", "club-newcomer", "stac", "regional"]
CLUBS = ["Riverside Bridge Club", "Tom's Club", "Bread and Butter", "Ace (North)", 'The "Finesse"', "50% Club", "x_y"]
TABLES = {"9": 9.0, "12.5": 12.5, "A=9, B=7.5": 16.5, "A=3": 3.0, "10": 10.0}


def made(random, count=120):
    """Return games made up at random; each column is empty for some."""

    def some(values):
        return [random.choice([*values, None]) for _ in range(count)]

    days = [date(1995, 1, 1) + timedelta(days=n) for n in random.sample(range(9000), 40)]
    frame = {
        "game_id": [f"g{n}" for n in range(count)],
        "date": pd.to_datetime(some(days)),
        "rating": some(RATINGS),
        "club": some(CLUBS),
        "tables": some(TABLES),
        "boards": some([9, 10, 18, 24, 100]),
        "limit": some([float("inf"), 20.0, 299.99, 2500.0]),
        "bracket": some(["1", "2", "10"]),
    }
    return GAMES.conform(pd.DataFrame(frame))


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def spelled(random, text):
    """Return a text as it may stand in a condition: without quotes where it may, and its words do not end it."""
    if re.fullmatch(r"[\w' -]+", text) and " and " not in text and random.random() < 0.6:
        return text
    return random.choice([quoted(text), '"' + text.replace('"', '""') + '"'])


def a_day(random):
    """Return a day, a month or a year as it is written, and its first and last day as pandas counts them."""
    day = pd.Timestamp(date(1995, 1, 1) + timedelta(days=random.randrange(9000)))
    written = random.choice(["%Y", "%Y-%m", "%Y-%m-%d"])
    period = pd.Period(day, {"%Y": "Y", "%Y-%m": "M", "%Y-%m-%d": "D"}[written])
    return day.strftime(written), period.start_time.normalize(), period.end_time.normalize()


OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "=", "<>"]


def compared(values, operator, first, last):
    """Compare as pandas does; a day that is written as a year or month is all its days."""
    return {
        "==": (values >= first) & (values <= last),
        "!=": (values < first) | (values > last),
        "<": values < first,
        "<=": values <= last,
        ">": values > last,
        ">=": values >= first,
    }[{"=": "==", "<>": "!="}.get(operator, operator)]


def like(pattern):
    return "".join({"%": ".*", "_": "."}.get(c, re.escape(c)) for c in pattern)


def a_comparison(random, games):
    """Return one comparison as text, and which games fulfil it: True, False, or NA where the game does not say."""
    column = random.choice(["date", "rating", "club", "tables", "boards", "limit", "bracket"])
    values = games[column]
    known = values.notna()
    if random.random() < 0.08:
        contrary = random.random() < 0.5
        found = known if contrary else ~known
        return f"{column} is {'not ' if contrary else ''}null", found.astype("boolean")
    contrary = random.choice(["", "not "])
    if column == "date":
        some = [a_day(random) for _ in range(3)]
    elif column in {"rating", "club"}:
        some = [
            (spelled(random, text), text, text)
            for text in random.choices(RATINGS if column == "rating" else CLUBS, k=3)
        ]
    else:
        values = values.map(TABLES) if column == "tables" else values.astype("float64")
        some = [(f"{n:g}", n, n) for n in random.choices([1, 2, 9, 9.5, 10, 12.5, 16.5, 20, 100, 299.99], k=3)]
        some[1] = ("open", np.inf, np.inf) if column == "limit" else some[1]
    kind = random.choice(["operator", "in", "between", "like"])
    texts = column in {"rating", "club"}
    if kind == "like" and texts:
        pattern = random.choice(["club-%", "%Club", "_tac", "%o%", "x_y", "50% Club", "%'s %"])
        found = values.map(lambda text: re.fullmatch(like(pattern), text) is not None, na_action="ignore")
        text = f"{column} {contrary}like {quoted(pattern)}"
    elif kind == "between" and column != "rating":
        low, high = sorted(some[:2], key=lambda each: each[1])
        low, high = random.choice([(low, high), (high, low)])
        found = (values >= low[1]) & (values <= high[2])
        text = f"{column} {contrary}between {low[0]} and {high[0]}"
    elif kind == "in":
        found = sum((compared(values, "==", *each[1:]) for each in some), start=~known & known)
        text = f"{column} {contrary}in ({', '.join(each[0] for each in some)})"
    else:
        operator, contrary = random.choice(OPERATORS[:2] if column == "rating" else OPERATORS), ""
        found = compared(values, operator, *some[0][1:])
        text = f"{column}{random.choice(['', ' '])}{operator} {some[0][0]}"
    found = found.astype("boolean").where(known, pd.NA)
    return text, ~found if contrary else found


def an_expression(random, games, depth):
    """Return an expression and what it comes to, by the logic of three values that pandas has, too."""
    kind = random.choice(["comparison", "and", "or", "not", "brackets"]) if depth else "comparison"
    if kind == "comparison":
        return a_comparison(random, games)
    text, found = an_expression(random, games, depth - 1)
    if kind == "not":
        return f"{random.choice(['not', 'NOT'])} ({text})", ~found
    if kind == "brackets":
        return f"({text})", found
    other, also = an_expression(random, games, depth - 1)
    if kind == "and":
        return f"({text}) {random.choice(['and', 'AND'])} ({other})", found & also
    return f"({text}) or({other})", found | also


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20 if ALL else 8))
def test_expressions_come_to_what_pandas_says(seed):
    random = Random(seed)
    games = made(random)
    for _ in range(10):
        text, expected = an_expression(random, games, 3)
        assert matching(games, parse_condition(text)).tolist() == expected.fillna(value=False).tolist(), text


@pytest.fixture(scope="module")
def three():
    frame = {
        "game_id": ["a", "b", "c"],
        "date": pd.to_datetime(["1998-05-01", "2004-01-31", None]),
        "rating": ["stac", "club-open", None],
        "limit": [float("inf"), 300.0, None],
        "club": ["Ann's and Bob's", "Y", None],
        "tables": ["12.5", "A=3, B=2.5", None],
        "strata": ["A=open, B=1000", None, None],
        "special": ["handicap, pro-am", "handicap", None],
    }
    return GAMES.conform(pd.DataFrame(frame))


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("rating == club-open and date >= 1998", [1]),
        ("tables > 5", [0, 1]),
        ("tables > 6", [0]),
        ("rating == Club Open or tables == 12.5", [0, 1]),
        # "and" is closer than "or"
        ("rating == stac or rating == club-open and tables > 6", [0]),
        ("(rating == stac or rating == club-open) and tables < 6", [1]),
        ("not rating == stac and tables < 6", [1]),
        ("club == \"Ann's and Bob's\"", [0]),
        ("club == 'Ann''s and Bob''s'", [0]),
        ("strata == open/1000", [0]),
        ("special == pro-am, handicap", []),
        ("special == handicap, pro-am", [0]),
        ("special like '%pro-am%'", [0]),
        ("limit == open", [0]),
        ("date between 1998 and 2004-01", [0, 1]),
        ("date in (1998-05, 2003)", [0]),
        ("club is null", [2]),
        ("club != Y", [0]),
        ("DATE<2000 AND Event-Type is null", [0]),
    ],
)
def test_conditions_by_hand(three, condition, kept):
    assert np.flatnonzero(matching(three, parse_condition(condition))).tolist() == kept


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("ratng == stac", "did you mean 'rating'"),
        ("rating == clubopen", "did you mean 'club-open'"),
        ("rating in (stac, clb-open)", "did you mean 'club-open'"),
        ("special == handicp", "did you mean 'handicap'"),
        ("rating == stac date >= 1998", "is an 'and' missing"),
        ("rating == stac & date >= 1998", "is an 'and' missing"),
        ("rating > stac", "no order"),
        ("strata >= A=open", "no order"),
        ("tables > twelve", "'twelve' is not"),
        ("tables > 1e3", "'1e3' is not"),
        ("tables like '1%'", "no text"),
        ("date like '1998%'", "no text"),
        ("date == 1998-13", "is no date"),
        ("date == 1998-02-30", "is no date"),
        ("date > 98", "is no date"),
        ("club == event", "is a column"),
        ("lower(club) == x", "no functions"),
        ("club in (select club from games)", "not understood"),
        ("club == (select club from games)", "a value for club is expected"),
        ("5 < tables", "a column is expected"),
        ("tables > 5 < 9", "and' missing"),
        ("tables * 2 > 5", "a comparison"),
        ("tables > 5 and", "not the end"),
        ("(tables > 5", r"'\)' is expected"),
        ("tables > 5) or (tables < 3", "or the end is expected"),
        ("tables between 3", "and is expected"),
        ("club in ()", "a value for club"),
        ("club in (X, Y", r"'\)' is expected"),
        ("club == 'X", "a value for club is expected"),
        ("club == 'X' 'Y'", "or the end is expected"),
        ("club is X", "null is expected"),
        ("club == \udcff", "not UTF-8"),
        ("true", "unknown column 'true'"),
        ("(" * 200 + "tables > 5" + ")" * 200, "more than 100 brackets"),
        ("not " * 5000 + "tables > 5", "more than 100 brackets"),
    ],
)
def test_what_is_not_understood_is_refused(condition, message):
    with pytest.raises(InputError, match=message):
        parse_condition(condition)


def test_a_value_is_never_run(three):
    for text in ("x' OR 1=1 --", '"; DROP TABLE games; --'):
        condition = parse_condition(f"club == {quoted(text)}")
        assert text not in condition.sql
        assert not matching(three, condition).any()


def test_a_long_value_is_read_at_once():
    long = f"a{' ' * 100_000}b"
    started = time.monotonic()
    assert parse_condition(f"club == {long} and club in ({long}, c)").values == (long, long, "c")
    assert time.monotonic() - started < 5  # it took minutes: every blank was looked at from every one before it


@pytest.mark.slow
def test_hundreds_of_alternatives(three):
    assert matching(three, parse_condition(" or ".join(["club == Y"] * 3000))).tolist() == [False, True, False]
