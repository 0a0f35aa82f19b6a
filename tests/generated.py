"""Generated sheets: several games, sections, directions, strata and sessions, and names that make trouble in files."""

from typing import Any

import pandas as pd
from games import sheet
from hypothesis import strategies as st

from resultproc.model.frames import CONTESTANTS, GAMES, Result
from resultproc.model.text import is_nothing, tidy
from resultproc.people.nobody import nobody_in

HOSTILE = (
    "=1+1", "+44 20", "-", "@SUM(A1)", "'=1", "''", "'Tis", "#", "#1 #", "# tables: 3", '"', '""', '"Zoë"', "O'Neill",
    "a,b;c", "a, b = c", ",", ";;", "Ångström", "李小龙", "🂡", "#REF!", "TRUE", "1e5", "007", "1/2", "2012-04-18",
    "_x0041_", "_x005F_", "<b>&amp;</b>", "%s {0}", "nan", "None", "NULL", "\\n", "[games.x]", "N-S", "\ufeffx", "]",
)  # fmt: skip
"""Texts that one or another format has a meaning for."""

_characters = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")

names = (
    st.sampled_from(HOSTILE)
    | st.text(_characters, min_size=1, max_size=10)
    | st.text(st.sampled_from("=+-@#'\",; \ta"), min_size=1, max_size=5)
)
names = names.map(tidy).filter(lambda text: bool(text) and not nobody_in([text]))
"""Names as readers give them: on one line, without needless blanks."""

_decimals = st.integers(-99_999, 99_999).map(lambda hundredths: hundredths / 100)
_shares = st.integers(0, 10_000).map(lambda hundredths: hundredths / 100)
_strata = st.sampled_from("ABC")
_ranks = st.dictionaries(_strata, st.sampled_from(["1", "2/3", "14"]), max_size=3).map(
    lambda ranks: ", ".join(f"{letter}={ranks[letter]}" for letter in sorted(ranks)) or None
)

_match = st.tuples(st.sampled_from("WLF"), st.sampled_from(["5", "16", "4A", "A4", "-1", '"', "Ångström"])).map(
    " ".join
)
_matches = st.just("bye") | st.lists(_match, min_size=1, max_size=3).map(" ".join)

_SECTIONS = ["A", "B", "NS", "E", "1", "X/Y", "=A", "#", "O'K", "GAME", "A" * 40]

COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "player2": names,
    "player3": names,
    "id1": names.filter(lambda text: not is_nothing(text)),
    "id2": st.sampled_from(["1234567", "0001234", "K123456"]),
    "home_club1": st.sampled_from(["299", "0042", "K12"]),
    "mp1": st.integers(0, 999_999).map(lambda hundredths: hundredths / 100),
    "rank1": st.sampled_from(["Club", "Life Master", "2"]),
    "stratum": _strata,
    "percentage": _shares,
    "session1": _decimals,
    "session2": _decimals,
    "percentage1": _shares,
    "percentage3": _shares,
    "section2": st.sampled_from(["B", "C"]),
    "direction2": st.sampled_from(["N-S", "E-W"]),
    "carryover": _decimals,
    "earlier_award": st.integers(0, 99_999),
    "earlier_stratum": _strata,
    "earlier_top": st.integers(0, 99_999),
    "adjustment": _decimals,
    "handicap": _shares,
    "wins": st.integers(0, 20).map(lambda halves: halves / 2),
    "played1": _shares,
    "played5": _shares,
    "round1": _matches,
    "round3": _matches,
    "swiss1": st.sampled_from(["5 +12 14.25", "30 -4", "bye 12", "4A 8, 2 +0 10"]),
    "swiss12": st.sampled_from(["1 -12 5.75", "bye"]),
    "playoff": _matches,
    "printed_section": _ranks,
    "printed_overall": _ranks | names,
    "printed_award": st.integers(0, 99_999),
    "printed_share1": st.integers(0, 99_999),
    "printed_share6": st.integers(0, 99_999),
    "printed_paid_by": st.sampled_from(["A", "SB", "OA", "S+HOA"]),
    "printed_colours": st.sampled_from(["black=0.22, red=0.22", "gold=12.00"]),
}
"""What a contestant may have besides its seat, its first player and its score."""

_keys: dict[str, st.SearchStrategy[Any]] = {
    "event": names,
    "club": names,
    "session": names,
    "date": st.sampled_from(["2012-04-18", "1066-10-14", "1900-02-28", "1904-01-01", "2026-12-31"]),
    "rating": st.sampled_from(["club-open", "stac"]),
    "event_type": st.sampled_from(["pairs", "individual", "swiss"]),
    "movement": st.sampled_from(["howell", "A=mitchell, B=howell"]),
    "tables": st.sampled_from(["9", "7.5", "A=9, B=7.5"]),
    "sessions": st.integers(1, 4),
    "boards": st.integers(1, 40),
    "strata": st.sampled_from(["A=open", "A=open, B=1000, C=200"]),
    "limit": st.sampled_from([float("inf"), 200.0, 1500.5]),
    "restrictions": st.just("mixed, senior"),
    "special": st.just("handicap"),
}


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Draw some games with contestants of any sections, directions and looks, each section's in one place."""
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    games = [{"game_id": name, "source": "any.csv", **draw(st.fixed_dictionaries({}, optional=_keys))} for name in ids]
    rows: list[dict[str, Any]] = []
    for name, game in zip(ids, games, strict=True):
        alone = game.get("event_type") == "individual"  # one with several players a row is refused
        having = [column for column in COLUMNS if not (alone and column.startswith("player"))]
        columns = draw(st.lists(st.sampled_from(having), unique=True, max_size=8))
        for section in draw(st.lists(st.sampled_from(_SECTIONS), min_size=1, max_size=2, unique=True)):
            for direction in draw(st.sampled_from([[None], ["N-S"], ["N-S", "E-W"]])):
                numbers = draw(
                    st.lists(
                        st.sampled_from(["1", "2", "30", "4A", "-1", "123456"]), min_size=1, max_size=3, unique=True
                    )
                )
                seat = {"game_id": name, "section": section, "direction": direction, "where": "?"}
                rows += [{**seat, "number": number, **draw(_contestant(columns))} for number in numbers]
    return Result(GAMES.conform(pd.DataFrame(games)), CONTESTANTS.conform(pd.DataFrame(rows)))


@st.composite
def _contestant(draw: st.DrawFn, columns: list[str]) -> dict[str, Any]:
    drawn = {name: draw(COLUMNS[name] | st.none()) for name in columns}
    eligible = draw(st.integers(0, 4)) > 0
    score = draw(_decimals if eligible else _decimals | st.none())
    return {"player1": draw(names), "eligible": eligible, "score": score, **drawn}


def named(*texts: str) -> Result:
    """Return a game of one section and direction, ``any``, whose contestants have some names."""
    drawn = sheet([f"A-NS-{number} . {60 - number}%" for number in range(1, len(texts) + 1)], "any")
    return Result(drawn.games, drawn.contestants.assign(player1=pd.array(texts, "str")))


_APART = ["source", "rulebook_named"]
"""What differs once written: the name of the file, and that the rulebook is named in it."""


def same(read: Result, written: Result) -> None:
    """Assert that what was read is what was written, but for the file's name, the places in it, and empty columns."""
    pd.testing.assert_frame_equal(read.games.drop(columns=_APART), written.games.drop(columns=_APART), check_exact=True)
    pd.testing.assert_frame_equal(_filled(read.contestants), _filled(written.contestants), check_exact=True)


def _filled(contestants: pd.DataFrame) -> pd.DataFrame:
    empty = [name for name in contestants if name[-1].isdigit() and contestants[name].isna().all()]
    return contestants.drop(columns=["where", *empty])
