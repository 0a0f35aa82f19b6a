"""Knockouts: matches to final places, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from resultproc.model.frames import CONTESTANTS
from resultproc.stages.knockouts import MatchRules, Placings, faults, finish, matches_of

EIGHT = {
    "1": "W 8, W 4, W 2",
    "2": "W 7, W 3, L 1",
    "3": "W 6, L 2",
    "4": "W 5, L 1",
    "5": "L 4",
    "6": "L 3",
    "7": "L 2",
    "8": "L 1",
}
"""A bracket of eight teams in the order of their seeds: 1 beats 2 in the final."""


def teams(rows: dict[str, str], playoffs: dict[str, str] | None = None, bracket: str = "1") -> pd.DataFrame:
    """Return the contestants of a bracket: their matches by round, and of some a play-off."""
    records = [
        {
            "game_id": "game",
            "section": bracket,
            "number": number,
            "eligible": True,
            "playoff": (playoffs or {}).get(number),
            **{f"round{i}": text for i, text in enumerate(rounds.split(", "), 1) if text},
        }
        for number, rounds in rows.items()
    ]
    return CONTESTANTS.conform(pd.DataFrame.from_records(records))


def finished(frame: pd.DataFrame, clear: bool = False, before: bool = True, wins: int = 2) -> Placings:
    """Return where the teams of a sheet finished; see :class:`MatchRules` for what is settled, the same for all."""
    bracket, _ = pd.factorize(frame["section"])
    matches = matches_of(frame, bracket.astype(np.int64))
    assert list(faults(frame, matches)) == []
    count = len(frame)
    return finish(matches, MatchRules(np.full(count, wins), np.full(count, before), np.full(count, clear)))


def told(frame: pd.DataFrame) -> list[str]:
    bracket, _ = pd.factorize(frame["section"])
    found = faults(frame, matches_of(frame, bracket.astype(np.int64)))
    return [f"{frame['number'].iloc[team]}: {what}" for team, what, _ in found]


def places(finish: Placings, frame: pd.DataFrame) -> dict[str, str]:
    texts = [f"{p}" if t == 1 else f"{p}/{p + t - 1}" for p, t in zip(finish.position, finish.tied, strict=True)]
    return dict(zip(frame["number"], texts, strict=True))


def test_teams_that_go_out_in_the_same_round_share_its_places():
    frame = teams(EIGHT)
    done = finished(frame)
    expected = {"1": "1", "2": "2", "3": "3/4", "4": "3/4", **dict.fromkeys("5678", "5/8")}
    assert places(done, frame) == expected
    # Rounds survived are matches won here, where nobody had a bye or met two others.
    assert done.rounds.tolist() == [3, 2, 1, 1, 0, 0, 0, 0]
    assert done.won.tolist() == [6, 4, 2, 2, 0, 0, 0, 0]


def test_brackets_are_apart():
    frame = pd.concat([teams(EIGHT), teams({"1": "L 2", "2": "W 1"}, bracket="2")], ignore_index=True)
    assert finished(frame).position.tolist() == [1, 2, 3, 3, 5, 5, 5, 5, 2, 1]


def test_a_bye_is_a_round_survived_and_no_match_won():
    frame = teams({"1": "bye, W 2", "2": "W 3, L 1", "3": "L 2"})
    done = finished(frame)
    assert places(done, frame) == {"1": "1", "2": "2", "3": "3"}
    assert done.rounds.tolist() == [2, 1, 0]
    assert done.won.tolist() == [2, 2, 0]


def test_three_teams_meet_and_two_go_on():
    # A half match for each of the two wins of team 1; team 2 and team 3 both beat one and lost to one, 3 goes on.
    frame = teams({"1": "W 2 W 3, W 3", "2": "L 1 W 3", "3": "L 1 L 2, L 1"})
    assert told(frame) == ["3: this team did not win in round 1, but has a result for round 2"]
    frame = teams({"1": "W 2 L 3, W 3", "2": "L 1 L 3", "3": "W 1 W 2, L 1"})
    done = finished(frame)
    assert places(done, frame) == {"1": "1", "2": "3", "3": "2"}
    assert done.won.tolist() == [1 + 2, 0, 2]


def test_four_teams_meet_and_three_wins_are_one_match():
    # 2 wins are the full match already (MPBOOK.041, p. 8), so 3 are no more.
    frame = teams({"1": "W 2 W 3 W 4", "2": "L 1 W 3 W 4", "3": "L 1 L 2 W 4", "4": "L 1 L 2 L 3"})
    assert finished(frame).won.tolist() == [2, 2, 1, 0]


def test_who_forfeits_the_final_shares_the_places_of_the_team_it_beat_before():
    frame = teams(EIGHT | {"1": "W 8, W 4, W 2", "2": "W 7, W 3, F 1"})
    done = finished(frame)
    assert places(done, frame)["2"] == "3/4"
    assert places(done, frame)["1"] == "1"
    # It stands as team 3 does, with its round and its match; but the two matches that it won are its own.
    assert (done.rounds[1], done.main[1], done.won[1]) == (1, 2, 4)


def test_who_forfeits_keeps_its_own_place_where_a_rulebook_says_so():
    frame = teams(EIGHT | {"2": "W 7, W 3, F 1"})
    done = finished(frame, before=False)
    assert places(done, frame)["2"] == "2"
    assert (done.rounds[1], done.main[1], done.won[1]) == (2, 4, 4)


def test_how_many_wins_make_a_match_is_the_rulebooks_to_say():
    # Of a whole match that takes three wins, team 1 has 3 parts of 3, team 2 two, team 3 one; other rounds are whole.
    frame = teams({"1": "W 2 W 3 W 4, W 2", "2": "L 1 W 3 W 4, L 1", "3": "L 1 L 2 W 4", "4": "L 1 L 2 L 3"})
    assert finished(frame, wins=3).won.tolist() == [3 + 3, 2, 1, 0]


def test_a_forfeit_after_a_win_by_forfeit_goes_back_to_the_team_beaten_before():
    # 2 forfeits the final, so it has the place of 3, which it beat; but 3 forfeited to it, so that has the place of 6.
    frame = teams(EIGHT | {"2": "W 7, W 3, F 1", "3": "W 6, F 2"})
    done = finished(frame)
    assert places(done, frame)["3"] == places(done, frame)["2"] == "5/8"


def test_who_forfeits_without_having_beaten_anybody_has_survived_nothing():
    frame = teams({"1": "W 4, W 2", "2": "bye, F 1", "3": "bye, L 5", "4": "L 1", "5": "bye, W 3"})
    assert told(frame) == ["1: bracket 1 has 2 winners of its last round"]
    frame = teams({"1": "W 4, W 2, W 5", "2": "bye, F 1", "3": "bye, L 5", "4": "L 1", "5": "bye, W 3, L 1"})
    done = finished(frame)
    assert done.rounds.tolist() == [3, 0, 1, 0, 2]


def test_an_event_that_comes_down_to_twelve():
    # 36 teams in threes of which one goes on, 12 in threes, then 4.
    threes = {str(3 * i + k): ("W {} W {}", "L {} W {}", "L {} L {}")[k - 1] for i in range(12) for k in (1, 2, 3)}
    rows = {}
    for name, text in threes.items():
        number = int(name)
        others = [n for n in range((number - 1) // 3 * 3 + 1, (number - 1) // 3 * 3 + 4) if n != number]
        rows[name] = text.format(*others)
    firsts = [str(3 * i + 1) for i in range(12)]
    for i in range(4):
        a, b, c = firsts[3 * i : 3 * i + 3]
        rows |= {a: f"{rows[a]}, W {b} W {c}", b: f"{rows[b]}, L {a} W {c}", c: f"{rows[c]}, L {a} L {b}"}
    a, b, c, d = firsts[::3]
    rows |= {a: f"{rows[a]}, W {b}, W {c}", b: f"{rows[b]}, L {a}", c: f"{rows[c]}, W {d}, L {a}"}
    rows |= {d: f"{rows[d]}, L {c}"}
    frame = teams(rows)
    done = finished(frame)
    assert matches_of(frame, np.zeros(36, dtype=np.int64)).in_round.tolist() == [[36, 12, 4, 2]]
    assert sorted(places(done, frame).values()) == sorted(["1", "2", *["3/4"] * 2, *["5/12"] * 8, *["13/36"] * 24])


def test_a_playoff_leaves_the_places_shared_but_in_a_compact_knockout():
    frame = teams(EIGHT, {"3": "W 4", "4": "L 3"})
    shared, clear = finished(frame), finished(frame, clear=True)
    assert (places(shared, frame)["3"], places(shared, frame)["4"]) == ("3/4", "3/4")
    assert (places(clear, frame)["3"], places(clear, frame)["4"]) == ("3", "4")
    for done in (shared, clear):
        assert done.playoff.tolist() == ["", "", "W", "L", "", "", "", ""]
        # The play-off is a match won, but not one of those that led to its place.
        assert (done.won[2], done.main[2]) == (4, 2)


CANNOT = "cannot meet in a play-off: they did not lose in the same round"


@pytest.mark.parametrize(
    ("change", "playoffs", "message"),
    [
        ({"5": ""}, {}, "5: this team has no result for round 1"),
        ({"3": "W 6, , L 2"}, {}, "3: this team has no result for round 2"),
        ({"5": "L 9"}, {}, "5: unknown team 9 in its bracket"),
        ({"5": "L 5"}, {}, "5: this team meets itself in round 1"),
        ({"5": "L 4 L 4"}, {}, "5: this team meets team 4 twice in round 1"),
        ({"5": "W 4, L 1"}, {}, "4: this team has W 5 in round 1, but team 5 does not have L or F 4"),
        ({"6": "L 2"}, {}, "6: this team has L 2 in round 1, but team 2 does not have W 6"),
        ({"3": "L 6, L 2", "6": "W 3"}, {}, "3: this team did not win in round 1, but has a result for round 2"),
        ({"6": "bye"}, {}, "6: this team did not lose in round 1, but has no result for round 2"),
        ({"1": "W 8, W 4", "2": "W 7, W 3"}, {}, "1: bracket 1 has 2 winners of its last round"),
        ({"1": "W 8, W 4, L 2"}, {}, "1: bracket 1 has 0 winners of its last round"),
        ({}, {"3": "W 4"}, "3: this team has W 4 in the play-off, but team 4 does not have L or F 3"),
        ({}, {"3": "W 5", "5": "L 3"}, "3: this team and team 5 " + CANNOT),
        ({}, {"1": "W 2", "2": "L 1"}, "1: this team and team 2 " + CANNOT),
    ],
)
def test_what_contradicts_itself_is_told(change, playoffs, message):
    assert message in told(teams(EIGHT | change, playoffs))
