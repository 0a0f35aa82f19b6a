"""ACBLscore game files: made-up ones as they are, altered and damaged.

What real ones hold is tested in test_real_game_files.py, where there are such.
"""

from __future__ import annotations

import re
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from conftest import FIXTURES, examples, saved
from hypothesis import given
from hypothesis import strategies as st

from resultproc.formats import acblscore
from resultproc.formats.acblscore.layout import (
    Board,
    BoardResult,
    Boards,
    EntryLayout,
    EventLayout,
    IndexLayout,
    Int,
    Master,
    Record,
    Section,
    SectionSummary,
)
from resultproc.formats.read import read, read_play
from resultproc.model.errors import FormatError, InputError

FILES = sorted([*FIXTURES.glob("made-*.AC?"), *FIXTURES.glob("event/made-*.AC?")])
NAMES = {path.stem.removeprefix("made-"): path for path in FILES}


def test_adjusted_scores_may_be_one_sided():
    boards = read_play(NAMES["final-1"], format="acblscore")[0]
    adjusted = boards[boards["ns_adjusted"].notna() | boards["ew_adjusted"].notna()]
    columns = ["board", "ns", "ew", "score", "ns_adjusted", "ew_adjusted", "printed_ns", "printed_ew"]
    # Top is 3. On board 3 an average plus for N-S 2 alone: E-W 3 share the best of four scores, 3 and 2 points. On
    # board 4 for E-W 3: N-S 2 beat one of four and no other is level. On board 12 averages for both.
    assert adjusted[columns].replace({float("nan"): None}).to_numpy().tolist() == [
        [3, "2", "3", 170, 60, None, 1.8, 2.5],
        [4, "2", "3", 100, None, 60, 1, 1.8],
        [12, "3", "3", None, 50, 50, 1.5, 1.5],
    ]


def test_boards_not_played_have_no_points():
    boards = read_play(NAMES["sections"], format="acblscore")[0]
    unplayed = boards[boards["score"].isna()]
    # All 25 boards of section C have four results, where a fifth table has nobody to play; one was not played.
    assert (boards["section"] == "C").sum() == 25 * 4
    assert unplayed[["section", "board", "ns", "ew"]].to_numpy().tolist() == [["C", 7, "2", "2"]]
    assert unplayed[["ns_adjusted", "ew_adjusted", "printed_ns", "printed_ew"]].isna().all(axis=None)
    # Sections A and B are one field.
    assert set(boards["scored_with"].groupby(boards["section"]).first().dropna().items()) == {("B", "A")}


def test_a_section_may_have_no_boards(tmp_path):
    game = Altered("qualifier")
    _, contestants = game.put(Master.sections, SectionSummary.boards, 0).read(tmp_path)
    assert len(contestants) == 16
    assert read_play(tmp_path / "170814.ACM", format="acblscore")[0].empty


def test_events_of_one_session_know_each_others_tables():
    games, _ = read(NAMES["two-games"], format="acblscore")
    # Sections of 6 and 4 1/2 tables play up to 500 masterpoints, one of 7 pairs up to 50.
    assert games["stored_concurrent_tables"].tolist() == ["50=3.5", "500=10.5"]
    assert games["stored_rating_code"].tolist() == [20, 1]
    assert games["stored_award_revision"].tolist() == [13, 13]


def test_an_open_event_may_be_credited_with_the_tables_of_another():
    # The open events of 10 and 5 tables with the limited ones of 4 and 6 beside them; no limited one with the open one.
    for name, credited in {"credited": ["4", None], "regular": [None, "6"], "two-games": [None, None]}.items():
        games, _ = read(NAMES[name], format="acblscore")
        assert games["concurrent_tables"].replace({float("nan"): None}).tolist() == credited


def test_half_a_table_may_be_credited(tmp_path):
    game = Altered("qualifier")
    games, _ = game.put(game.event, EventLayout.credited_tables, 5).read(tmp_path)
    assert games["concurrent_tables"].tolist() == ["2.5"]


def test_a_sole_event_has_no_number_and_no_concurrent_tables():
    games, _ = read(NAMES["qualifier"], format="acblscore")
    assert games["game_id"].tolist() == ["made-qualifier-ACA"]
    assert games["stored_concurrent_tables"].isna().all()


def test_a_file_is_known_by_its_first_bytes():
    assert acblscore.sniff(NAMES["final-1"].read_bytes())
    assert not acblscore.sniff(b"section,number,score")


class Altered:
    """A file with some bytes written over: its first event, that event's first section and first N-S entry."""

    def __init__(self, name: str) -> None:
        self.data = bytearray(NAMES[name].read_bytes())
        self.event = self._to(Master.event, 0)
        self.section = self._to(SectionSummary.record, Master.sections)
        self.index = self._to(Section.index, self.section)
        self.entry = self._to(IndexLayout.entry, self.index + IndexLayout.entries)
        self.boards = self._to(SectionSummary.boards, Master.sections)
        self.board = self._to(Boards.record, self.boards + Boards.boards)
        self.result = self.board + Board.results

    def _to(self, field: Int, start: int) -> int:
        return struct.unpack_from("<I", self.data, start + field.offset)[0]

    def put(self, start: int, field: Int, value: int, index: int = 0) -> Altered:
        at = start + field.offset + index * struct.calcsize("<" + field.code)
        struct.pack_into("<" + field.code, self.data, at, value)
        return self

    def append(self, record: bytes) -> int:
        """Add a record at the end and return where it starts."""
        start = len(self.data)
        self.data += struct.pack("<H", len(record)) + record
        return start

    def read(self, folder: Path):
        path = saved(folder / "170814.ACM", self.data)
        return read(path, format="acblscore")


def test_the_last_session_has_the_total_as_score(tmp_path):
    # The first pair's session is 98.50; it brings 100.25 from the session before.
    game = Altered("qualifier")
    game.put(game.event, EventLayout.sessions, 2).put(game.event, EventLayout.session_number, 2)
    game.put(game.entry, EntryLayout.carryover, 10025).put(game.entry, EntryLayout.total, 19875)
    games, contestants = game.read(tmp_path)
    row = contestants.iloc[0]
    assert games["sessions"].tolist() == [2]
    assert (row["session2"], row["carryover"], row["score"]) == (98.5, 100.25, 198.75)
    assert pd.isna(row["percentage"])
    assert contestants["percentage"].notna().sum() == len(contestants) - 1


def test_a_handicap_is_read_in_percentage_points(tmp_path):
    game = Altered("qualifier")
    game.put(game.event, EventLayout.handicap, 1).put(game.entry, EntryLayout.handicap, 350)
    games, contestants = game.read(tmp_path)
    assert games["special"].tolist() == ["nap-club, handicap"]
    assert contestants["handicap"].tolist() == [3.5] + [0] * 15
    assert contestants["printed_paid_by"].isna().all()


def test_a_penalty_is_read(tmp_path):
    game = Altered("qualifier")
    _, contestants = game.put(game.entry, EntryLayout.adjustment, -1200).read(tmp_path)
    assert contestants["adjustment"].dropna().to_dict() == {0: -12}


def test_who_is_not_eligible_needs_no_score(tmp_path):
    game = Altered("qualifier")
    game.put(game.entry, EntryLayout.eligibility, 10).put(game.entry, EntryLayout.score, -1)
    _, contestants = game.read(tmp_path)
    assert contestants["eligible"].tolist() == [False] + [True] * 15
    assert contestants["score"].isna().tolist() == [True] + [False] * 15


def test_a_number_may_be_reassigned(tmp_path):
    game = Altered("qualifier")
    game.put(game.section + Section.pair_map, Int(0), 31)
    _, contestants = game.read(tmp_path)
    assert set(contestants.loc[contestants["direction"] == "N-S", "number"]) == set("2345678") | {"31"}
    boards = read_play(tmp_path / "170814.ACM", format="acblscore")[0]
    assert set(boards["ns"]) == set("2345678") | {"31"}
    assert set(boards["ew"]) == set("12345678")


def test_what_was_ruled_on_a_board_is_read(tmp_path):
    # The first result of board 1 is -100 to N-S 1 against E-W 1: -90 to E-W alone, average minus to N-S, not in play.
    game = Altered("qualifier")
    game.put(game.result, BoardResult.ew_score, -9).read(tmp_path)
    split = read_play(tmp_path / "170814.ACM", format="acblscore")[0].iloc[0]
    assert (split["score"], split["ew_score"]) == (-100, -90)
    game.put(game.result, BoardResult.ns_score, 2040).read(tmp_path)
    adjusted = read_play(tmp_path / "170814.ACM", format="acblscore")[0].iloc[0]
    assert (adjusted["score"], adjusted["ns_adjusted"], pd.isna(adjusted["ew_adjusted"])) == (90, 40, True)
    game.put(game.result, BoardResult.ns_score, 999).read(tmp_path)
    assert len(read_play(tmp_path / "170814.ACM", format="acblscore")[0]) == 191


@pytest.mark.parametrize(("scoring", "event_type"), [(7, "swiss"), (8, "knockout"), (16, "bam")])
def test_teams_are_those_of_the_first_index(tmp_path, scoring, event_type):
    # The eight N-S pairs as teams of two, numbered from 101; their match is 3 boards a round.
    game = Altered("qualifier").put(0, Master.kind, 1).put(0, Master.scoring, scoring)
    for slot in range(8):
        game.put(game.index + IndexLayout.entries + slot * IndexLayout.entry_size, IndexLayout.number, 101 + slot)
    games, contestants = game.read(tmp_path)
    facts = games.iloc[0]
    assert (facts["event_type"], facts["tables"], facts["boards"]) == (event_type, "A=8", 24 if scoring == 16 else 3)
    assert contestants["number"].tolist() == [str(101 + n) for n in range(8)]
    assert contestants["direction"].isna().all()
    assert contestants["player2"].notna().all()
    assert contestants["percentage"].notna().all() == (scoring == 16)


def test_an_individual_has_one_player_an_entry(tmp_path):
    game = Altered("howell").put(0, Master.kind, 2)
    nobody = game.append(bytes(IndexLayout.length))
    game.put(game.section, Section.index, nobody, 2).put(game.section, Section.index, nobody, 3)
    games, contestants = game.read(tmp_path)
    assert games["event_type"].tolist() == ["individual"]
    assert sorted(contestants["number"], key=int) == ["1", "2", "3", "5", "6", "7", "8", "9", "10"]
    assert "player2" not in contestants


DAMAGE = {
    "a pointer beyond the end": (lambda g: g.put(0, Master.event, 2**32 - 1), "event 1", "the file ends at"),
    "a pointer into the master table": (lambda g: g.put(0, Master.event, 6), "event 1", "within the master table"),
    "a null pointer": (lambda g: g.put(g.section, Section.index, 0, 1), "E-W", "within the master table"),
    "a record that is too short": (lambda g: g.put(g.entry, Int(0, "H"), 50), "N-S 1", "50 bytes, but needs 162"),
    "a record beyond the end": (lambda g: g.put(g.event, Int(0, "H"), 2**16 - 1), "event 1", "the file ends at"),
    "a circle": (lambda g: g.put(Master.sections, SectionSummary.ranked_before, 1), "offset 0x13e", "in a circle"),
    "a section of no event": (lambda g: g.put(Master.sections, SectionSummary.event, 9), "offset 0x13e", "event 9"),
    "a text beyond its room": (lambda g: g.put(g.event, Int(EventLayout.name.offset), 99), "event 1", "99 bytes"),
    "strata beyond their room": (lambda g: g.put(g.event, EventLayout.strata_count, 4), "event 1", "4 strata"),
    "no such stratum": (lambda g: g.put(g.entry, EntryLayout.stratum, 4), "N-S 1", "stratum 4, but the event has 3"),
    "too many numbers": (lambda g: g.put(g.section, Section.highest, 41), "section A", "41, but there is room for 40"),
    "a seat twice": (lambda g: g.put(g.section + Section.pair_map, Int(160), 2), "section A", "start at table 2"),
    "a seat lost": (lambda g: g.put(g.section + Section.pair_map, Int(160), 0), "N-S, table 1", "no number"),
    "a percentage above 100": (lambda g: g.put(g.entry, EntryLayout.percentage, 10001), "N-S 1", "100.01"),
    "an award without a colour": (lambda g: g.put(g.entry, Int(EntryLayout.award + 2), 0), "N-S 1", "no colour"),
    "paid by none": (lambda g: g.put(g.entry, Int(EntryLayout.award + 3), 14), "N-S 1", "award: 14, in an event of 3"),
    "no score": (lambda g: g.put(g.entry, EntryLayout.score, -1), "N-S 1", "no score"),
    "a session too many": (
        lambda g: g.put(g.event, EventLayout.sessions, 2).put(g.event, EventLayout.session_number, 3),
        "event 1",
        "session 3 of 2",
    ),
    # The record has 2 + 228 bytes: 38 and 24 boards of 8 each.
    "more boards": (lambda g: g.put(g.boards, Boards.count, 25), "section A, boards", "25 boards do not fit in 228"),
    "a board beyond the end": (
        lambda g: g.put(g.boards + Boards.boards, Boards.record, 2**32 - 1),
        "section A, board 1",
        "the file ends at",
    ),
    "results beyond their room": (
        # The record has 2 + 148 bytes: 6 and 8 results of 18 each.
        lambda g: g.put(g.boards + Boards.boards, Boards.results, 9),
        "section A, board 1",
        "9 results do not fit in 148 bytes",
    ),
    "a pair that is not there": (lambda g: g.put(g.result, BoardResult.ew, 9), "section A, board 1", "pair 9"),
    "a pair without number": (lambda g: g.put(g.result, BoardResult.ns, 0), "section A, board 1", "pair 0"),
    "an unknown score": (lambda g: g.put(g.result, BoardResult.ns_score, 901), "section A, board 1", "code: 901"),
    "sections scored in a circle": (
        lambda g: g.put(Master.sections, SectionSummary.scored_before, 1),
        "offset 0x13e",
        "in a circle",
    ),
    "an unknown kind": (lambda g: g.put(0, Master.kind, 3), "event 1", "unknown kind"),
    "an unknown movement": (lambda g: g.put(g.section, Section.movement, 7), "section A", "code: 7"),
    "an individual in a Mitchell": (lambda g: g.put(0, Master.kind, 2), "section A", "four winners"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_with_its_offset(tmp_path, name):
    damage, where, what = DAMAGE[name]
    game = Altered("qualifier")
    damage(game)
    with pytest.raises(InputError) as error:
        game.read(tmp_path)
    [problem] = error.value.problems
    assert where in problem.where
    assert re.search("offset 0x[0-9a-f]+$", problem.where)
    assert what in problem.what
    assert problem.file == "170814.ACM"


def test_a_file_without_contestants_is_refused(tmp_path):
    game = Altered("qualifier").put(0, Master.event, 0).put(Master.sections, SectionSummary.event, 0)
    with pytest.raises(FormatError, match="no event in the file has any contestants"):
        game.read(tmp_path)


@pytest.mark.parametrize("length", [6, 10, 0xA13, 0xA14, 14295])
def test_a_file_cut_short_is_refused(tmp_path, length):
    path = saved(tmp_path / "cut.ACA", NAMES["qualifier"].read_bytes()[:length])
    with pytest.raises(FormatError, match="master table, offset 0x"):
        read(path, format="acblscore")


def _consulted(name: str) -> tuple[bytes, list[int]]:
    """Return a file and the offsets that reading it looks at: what is written elsewhere changes nothing."""
    offsets: set[int] = set()
    number = Record.number

    def noted(record: Record, field: Int, index: int = 0) -> int:
        size = struct.calcsize("<" + field.code)
        at = record.start + field.offset + index * size
        offsets.update(range(at, at + size))
        return number(record, field, index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Record, "number", noted)
        acblscore.READER.read(NAMES[name])
    return NAMES[name].read_bytes(), sorted(offsets)


CONSULTED = {name: _consulted(name) for name in ("qualifier", "two-games", "howell")}


@examples(30)
@given(st.data())
def test_a_mutated_file_is_read_or_refused(data):
    original, offsets = CONSULTED[data.draw(st.sampled_from(sorted(CONSULTED)))]
    mutated = bytearray(original)
    for at in data.draw(st.lists(st.sampled_from(offsets), min_size=1, max_size=4)):
        mutated[at] = data.draw(st.sampled_from([0, 1, 2, 127, 128, 255]) | st.integers(0, 255))
    if data.draw(st.booleans()):
        del mutated[data.draw(st.integers(0xA14, len(mutated))) :]
        struct.pack_into("<I", mutated, Master.file_length.offset, len(mutated))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mutated.ACA")
        path.write_bytes(mutated)
        with suppress(InputError):
            games, contestants = read(path, format="acblscore")
            assert set(contestants["game_id"]) == set(games["game_id"])
