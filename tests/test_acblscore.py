"""ACBLscore game files: twelve real ones against what an independent decoder reads from each, altered and damaged ones.

People, clubs and member numbers in the files were replaced in place. The decoder is Matthew Kidd's ACBLgamedecode of
2014. It names the basis of an award the wrong way round, as its later version mends: in game01, the first of two
sessions, those fourth in section and direction are paid the same for reason 1 at ranks 7 and 8 over all. So the bases
are compared by the number of the reason that it gives as well: above 10 overall, below section.
"""

from __future__ import annotations

import json
import math
import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resultproc.formats.acblscore import reader as acblscore
from resultproc.formats.acblscore.layout import (
    Board,
    BoardResult,
    Boards,
    Entry,
    Event,
    Index,
    Int,
    Master,
    Record,
    Section,
    SectionSummary,
)
from resultproc.formats.read import read, read_boards
from resultproc.model.errors import FormatError, InputError
from resultproc.model.frames import COLOURS

FILES = sorted((Path(__file__).parent.parent / "fixtures/gamefiles").glob("*.AC?"))
NAMES = {path.stem: path for path in FILES}

NOT_HELD = {
    "event": "city club_num club_session_num director event_code hand_set mp_rating non_ACBL_flag "
    "qual_event_code sanction",
    "stratum": "first_overall_award min_mp overall_award_depth ribbon_color ribbon_depth table_basis",
    "section": "board board_top boards_per_round highest_pairnum is_bam is_barometer is_web max_results_per_board "
    "maximum_score nboards rounds",
    "entry": "mp_average score_unscaled",
    "rank": "qual_flag rank",
    "award": "previous current",
    "player": "city country db_key acbl_rank state team_wins",
}
"""What the decoder reads and the frames do not hold. All else is compared."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_reader_agrees_with_the_decoder(path):
    games, contestants = read(path, format="acblscore")
    events = json.loads(path.with_suffix(".decoded.json").read_text("utf-8"))["event"]
    assert len(games) == len(events)
    for event, (_, game) in zip(map(Decoded.event, events), games.iterrows(), strict=True):
        compared = set(event) - {"number", "contestants"}
        assert {name: _plain(game[name]) for name in compared} == {name: event[name] for name in compared}
        suffix = f"-{event['number']}" if len(events) > 1 else ""
        assert game["game_id"] == f"{path.stem}-{path.suffix[1:]}{suffix}"
        rows = contestants[contestants["game_id"] == game["game_id"]]
        ours = {(row["section"], row["direction"], row["number"]): row for row in map(_row, rows.to_dict("records"))}
        theirs = {(row["section"], row["direction"], row["number"]): row for row in event["contestants"]}
        assert ours.keys() == theirs.keys()
        for name, row in theirs.items():
            assert {key: ours[name].get(key) for key in row} == row, name


@pytest.mark.parametrize("name", ["game02", "game05"])
def test_the_boards_are_those_of_the_decoder(name):
    """Of two files the decoder's boards are known: round, table, and for each side number, score and matchpoints."""
    (event,) = json.loads(NAMES[name].with_suffix(".decoded.json").read_text("utf-8"))["event"]
    (section,) = event["section"].values()
    assert section["nboards"] == len(section["board"])
    # The number of a board stands in the low byte; what the high one says is not known.
    decoded = [
        (int(number) % 256, str(ns), str(ew), score, ns_points, ew_points)
        for number, results in section["board"].items()
        for _, _, ns, score, ns_points, ew, ew_score, ew_points in results
        if ew_score == -score
    ]
    assert len(decoded) == sum(map(len, section["board"].values()))
    boards = read_boards(NAMES[name], format="acblscore")
    columns = boards[["board", "ns", "ew", "score", "printed_ns", "printed_ew"]]
    assert sorted(columns.itertuples(index=False, name=None)) == sorted(decoded)
    assert set(boards["section"]) == {section["letter"]}
    empty = ["ns_adjusted", "ew_adjusted", "ew_score", "scored_with"]
    assert boards[empty].isna().all(axis=None)


def test_adjusted_scores_may_be_one_sided():
    boards = read_boards(NAMES["game01"], format="acblscore")
    adjusted = boards[boards["ns_adjusted"].notna() | boards["ew_adjusted"].notna()].dropna(axis="columns", how="all")
    columns = ["board", "ns", "ew", "score", "ns_adjusted", "ew_adjusted", "printed_ns", "printed_ew"]
    # Boards 1 to 3 of section C, where top is 8: an average plus for N-S 5, then for E-W 2; on board 24 averages.
    assert adjusted.loc[adjusted["board"] < 3, columns].replace({float("nan"): None}).to_numpy().tolist() == [
        [1, "5", "1", -50, 60, None, 4.8, 2.31],
        [1, "1", "2", -50, None, 60, 5.69, 4.8],
        [2, "5", "1", 100, 60, None, 4.8, 1.75],
        [2, "1", "2", 100, None, 60, 6.25, 4.8],
    ]
    assert (
        adjusted.loc[adjusted["board"] == 24, columns[3:]].replace({float("nan"): None}).to_numpy().tolist()
        == [[None, 50, 50, 4, 4]] * 2
    )


def test_boards_not_played_have_no_points():
    boards = read_boards(NAMES["game10"], format="acblscore")
    unplayed = boards[boards["score"].isna()]
    # All 24 boards of section C have 8 results but two: the two of board 7 that it says were not played.
    assert (boards["section"] == "C").sum() == 24 * 8
    assert unplayed[["section", "board", "ns", "ew"]].to_numpy().tolist() == [["C", 7, "4", "4"], ["C", 7, "3", "2"]]
    assert unplayed[["ns_adjusted", "ew_adjusted", "printed_ns", "printed_ew"]].isna().all(axis=None)
    # Sections A and B are one field.
    assert set(boards["scored_with"].groupby(boards["section"]).first().dropna().items()) == {("B", "A")}


def test_a_section_may_have_no_boards(tmp_path):
    game = Altered("game02")
    _, contestants = game.put(Master.sections, SectionSummary.boards, 0).read(tmp_path)
    assert len(contestants) == 16
    assert read_boards(tmp_path / "170814.ACM", format="acblscore").empty


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    return value.date().isoformat() if isinstance(value, pd.Timestamp) else value


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


class Decoded:
    """What the decoder gives, in the columns of the frames."""

    @staticmethod
    def _known(content: dict[str, Any], kind: str, *compared: str) -> None:
        assert set(content) - set(NOT_HELD[kind].split()) <= set(compared)

    @classmethod
    def event(cls, event: dict[str, Any]) -> dict[str, Any]:
        compared = """event_id event_name session_name club tournament tournament_flag date event_type event_type_id
            event_scoring event_scoring_id final_session_flag nsessions session_num nstrats strat stratify_by_avg_flag
            side_game_flag club_game_type section combining_and_ranking"""
        cls._known(event, "event", *compared.split())
        assert (event["event_type"], event["event_scoring"]) == ("Pairs", "Matchpoints")
        assert event["side_game_flag"] == 0
        assert len(event["strat"]) == event["nstrats"]
        for stratum in event["strat"]:
            held = "letter max_mp mpt_factor club_pct_open_rating pigmentation_breakdown"
            cls._known(stratum, "stratum", *held.split())
        strata = {s["letter"]: s for s in event["strat"]}
        limits = {letter: s["max_mp"] or math.inf for letter, s in strata.items()}
        sections = event["section"]
        contestants = [c for section in sections.values() for c in cls.contestants(event, section)]
        # Qualifying games pay by the general formula, so a part of the open club rate is stored for other games only.
        qualifying = all(s["club_pct_open_rating"] == 0 for s in strata.values())
        splits = {
            basis + letter: s["pigmentation_breakdown"][name]
            for basis, name in (("O", "overall"), ("S", "section"))
            for letter, s in strata.items()
        }
        together = {name: group[0] for groups in event["combining_and_ranking"] for group in groups for name in group}
        return {
            "number": event["event_id"],
            "contestants": contestants,
            "event": event["event_name"].strip(),
            "club": event.get("club", event.get("tournament")).strip(),
            "session": event["session_name"],
            "date": datetime.strptime(event["date"], "%B %d, %Y").date().isoformat(),
            "event_type": "pairs",
            "sessions": event["nsessions"],
            "movement": _texts({s: "howell" if x.get("is_howell") else "mitchell" for s, x in sections.items()}),
            "tables": _texts({s: _tables(x) for s, x in sections.items()}),
            "boards": max(entry["nboards"] for s in sections.values() for entry in s["entry"].values()),
            "strata": _texts({s: "open" if x == math.inf else x for s, x in limits.items()}),
            "limit": next(iter(limits.values())),
            "stratify_by": "average" if event["stratify_by_avg_flag"] else "highest",
            "rating": _qualifying(event, "championship") if qualifying else _rating(event, next(iter(limits.values()))),
            "special": _qualifying(event, "nap") if qualifying else _special(event),
            "stored_percent_of_open": _texts({x: s["club_pct_open_rating"] for x, s in strata.items()}),
            "stored_mpt": _texts({x: s["mpt_factor"] for x, s in strata.items()}),
            "stored_colours": _texts(
                {key: " + ".join(f"{p['pct']} {_COLOUR[p['type']]}" for p in parts) for key, parts in splits.items()}
            ),
            "stored_caps": _texts({key: parts[0]["mp"] for key, parts in splits.items()}),
            "stored_ranked_with": _texts(together) if any(a != b for a, b in together.items()) else None,
        }

    @classmethod
    def contestants(cls, event: dict[str, Any], section: dict[str, Any]) -> Iterator[dict[str, Any]]:
        cls._known(section, "section", "entry", "is_howell", "letter", "ntables")
        letters = [s["letter"] for s in event["strat"]]
        session = f"session{event['session_num']}"
        for name, entry in section["entry"].items():
            number, direction = re.fullmatch("([0-9]+)([NE]?)", name).groups()
            compared = """award eligibility nboards pct player rank score_adjustment score_carrover score_final
                score_handicap score_session strat_num"""
            cls._known(entry, "entry", *compared.split())
            assert entry["score_handicap"] == 0
            for rank in entry["rank"]:
                high_low = [f"{basis}_rank_{end}" for basis in ("section", "overall") for end in ("low", "high")]
                cls._known(rank, "rank", *high_low)
            several = event["nsessions"] > 1
            yield {
                "section": section["letter"],
                "direction": {"N": "N-S", "E": "E-W", "": None}[direction],
                "number": number,
                "eligible": entry["eligibility"] == 0,
                "stratum": letters[entry["strat_num"] - 1],
                "score": entry["score_final"] if several else entry["score_session"],
                "percentage": entry["pct"],
                "adjustment": entry["score_adjustment"] or None,
                **({session: entry["score_session"], "carryover": entry["score_carrover"]} if several else {}),
                "printed_section": _ranks(letters, entry["rank"], "section"),
                "printed_overall": _ranks(letters, entry["rank"], "overall"),
                **cls.players(entry),
                **cls.award(letters, entry),
            }

    @classmethod
    def players(cls, entry: dict[str, Any]) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for n, player in enumerate(entry["player"], 1):
            cls._known(player, "player", "fname", "lname", "pnum", "mp_total", "acbl_rank_letter", "award")
            assert player.get("award", {}).get("total") == entry.get("award", {}).get("total")
            unknown = player["acbl_rank_letter"] == "\0" and player["mp_total"] == 0
            columns |= {
                f"player{n}": f"{player['fname']} {player['lname']}".strip() or None,
                f"id{n}": player["pnum"] or None,
                f"mp{n}": None if unknown else player["mp_total"],
            }
        return columns

    @classmethod
    def award(cls, letters: list[str], entry: dict[str, Any]) -> dict[str, Any]:
        cls._known(entry.get("award", {}), "award", "total")
        parts = entry.get("award", {}).get("total", [])
        if not parts:
            return {"printed_award": None, "printed_paid_by": None, "printed_colours": None}
        points, colours, _, reasons = zip(*parts, strict=True)
        by_colour = {_COLOUR[colour]: f"{mp:.2f}" for mp, colour in zip(points, colours, strict=True)}
        assert len(by_colour) == len(parts)
        return {
            "printed_award": round(sum(points) * 100),
            "printed_paid_by": ("O" if reasons[-1] > 10 else "S") + letters[reasons[-1] % 10 - 1],
            "printed_colours": ", ".join(f"{c}={by_colour[c]}" for c in COLOURS if c in by_colour),
        }


_COLOUR = {"B": "black", "S": "silver", "R": "red", "G": "gold", "P": "platinum"}


def _texts(values: dict[str, Any]) -> str | None:
    texts = {key: f"{value:g}" if isinstance(value, float) else value for key, value in values.items() if value}
    return ", ".join(f"{key}={text}" for key, text in texts.items()) or None


def _tables(section: dict[str, Any]) -> float:
    """Half the pairs, and as many tables as the program counts once a half table is counted as a whole one."""
    tables = len(section["entry"]) / 2
    assert math.ceil(tables) == section["ntables"]
    return tables


def _rating(event: dict[str, Any], limit: float) -> str:
    if event["club_game_type"] == "Open":
        return "club-open" if limit == math.inf else "club-restricted"
    ratings = {"Invitational": "club-restricted", "Novice": "club-newcomer", "Pupil": "club-newcomer"}
    return ratings[event["club_game_type"]]


def _qualifying(event: dict[str, Any], what: str) -> str:
    """Games that qualify for the North American Pairs are played at clubs, and then by units as tournaments."""
    level = "unit" if event["tournament_flag"] else "club"
    unfinished = "" if event["final_session_flag"] else ", unfinished"
    return f"nap-{level}{unfinished}" if what == "nap" else f"{level}-{what}"


def _special(event: dict[str, Any]) -> str | None:
    return "pupil" if event["club_game_type"] == "Pupil" else None


def _ranks(letters: list[str], ranks: list[dict[str, Any]], basis: str) -> str | None:
    printed = {}
    for letter, rank in zip(letters, ranks, strict=False):
        low, high = rank[f"{basis}_rank_low"], rank[f"{basis}_rank_high"]
        printed[letter] = f"{low}/{high}" if high else (str(low) if low else "")
    return _texts(printed)


def test_events_of_one_session_know_each_others_tables():
    games, _ = read(NAMES["game04"], format="acblscore")
    # Sections of 6 and 5 tables play up to 500 masterpoints, one of 9 pairs up to 50.
    assert games["stored_concurrent_tables"].tolist() == ["50=4.5", "500=11"]
    assert games["stored_rating_code"].tolist() == [20, 1]
    assert games["stored_award_revision"].tolist() == [13, 13]


def test_an_open_event_may_be_credited_with_the_tables_of_another():
    # The open events of 17 and 5 tables with the limited ones of 4 and 6 beside them; no limited one with the open one.
    for name, credited in {"game09": ["4", None], "game08": [None, "6"], "game04": [None, None]}.items():
        games, _ = read(NAMES[name], format="acblscore")
        assert [_plain(tables) for tables in games["concurrent_tables"]] == credited


def test_half_a_table_may_be_credited(tmp_path):
    game = Altered("game02")
    games, _ = game.put(game.event, Event.credited_tables, 5).read(tmp_path)
    assert games["concurrent_tables"].tolist() == ["2.5"]


def test_a_sole_event_has_no_number_and_no_concurrent_tables():
    games, _ = read(NAMES["game02"], format="acblscore")
    assert games["game_id"].tolist() == ["game02-ACA"]
    assert games["stored_concurrent_tables"].isna().all()


def test_a_file_is_known_by_its_first_bytes():
    assert acblscore.sniff(NAMES["game01"].read_bytes())
    assert not acblscore.sniff(b"section,number,score")


class Altered:
    """A real file with some bytes written over: its first event, that event's first section and first N-S entry."""

    def __init__(self, name: str) -> None:
        self.data = bytearray(NAMES[name].read_bytes())
        self.event = self._to(Master.event, 0)
        self.section = self._to(SectionSummary.record, Master.sections)
        self.index = self._to(Section.index, self.section)
        self.entry = self._to(Index.entry, self.index + Index.entries)
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
        path = folder / "170814.ACM"
        path.write_bytes(self.data)
        return read(path, format="acblscore")


def test_the_last_session_has_the_total_as_score(tmp_path):
    # The first pair's session is 85.50; it brings 100.25 from the session before.
    game = Altered("game02")
    game.put(game.event, Event.sessions, 2).put(game.event, Event.session_number, 2)
    game.put(game.entry, Entry.carryover, 10025).put(game.entry, Entry.total, 18575)
    games, contestants = game.read(tmp_path)
    row = contestants.iloc[0]
    assert games["sessions"].tolist() == [2]
    assert (row["session2"], row["carryover"], row["score"]) == (85.5, 100.25, 185.75)
    assert pd.isna(row["percentage"])
    assert contestants["percentage"].notna().sum() == len(contestants) - 1


def test_a_handicap_is_read_in_percentage_points(tmp_path):
    game = Altered("game02")
    game.put(game.event, Event.handicap, 1).put(game.entry, Entry.handicap, 350)
    games, contestants = game.read(tmp_path)
    assert games["special"].tolist() == ["nap-club, handicap"]
    assert contestants["handicap"].tolist() == [3.5] + [0] * 15
    assert contestants["printed_paid_by"].isna().all()


def test_a_penalty_is_read(tmp_path):
    game = Altered("game02")
    _, contestants = game.put(game.entry, Entry.adjustment, -1200).read(tmp_path)
    assert contestants["adjustment"].dropna().to_dict() == {0: -12}


def test_who_is_not_eligible_needs_no_score(tmp_path):
    game = Altered("game02")
    game.put(game.entry, Entry.eligibility, 10).put(game.entry, Entry.score, -1)
    _, contestants = game.read(tmp_path)
    assert contestants["eligible"].tolist() == [False] + [True] * 15
    assert contestants["score"].isna().tolist() == [True] + [False] * 15


def test_a_number_may_be_reassigned(tmp_path):
    game = Altered("game02")
    game.put(game.section + Section.pair_map, Int(0), 31)
    _, contestants = game.read(tmp_path)
    assert set(contestants.loc[contestants["direction"] == "N-S", "number"]) == set("2345678") | {"31"}
    boards = read_boards(tmp_path / "170814.ACM", format="acblscore")
    assert set(boards["ns"]) == set("2345678") | {"31"}
    assert set(boards["ew"]) == set("12345678")


def test_what_was_ruled_on_a_board_is_read(tmp_path):
    # The first result of board 1 is -170 to N-S 1 against E-W 1: -90 to E-W alone, average minus to N-S, not in play.
    game = Altered("game02")
    game.put(game.result, BoardResult.ew_score, -9).read(tmp_path)
    split = read_boards(tmp_path / "170814.ACM", format="acblscore").iloc[0]
    assert (split["score"], split["ew_score"]) == (-170, -90)
    game.put(game.result, BoardResult.ns_score, 2040).read(tmp_path)
    adjusted = read_boards(tmp_path / "170814.ACM", format="acblscore").iloc[0]
    assert (adjusted["score"], adjusted["ns_adjusted"], _plain(adjusted["ew_adjusted"])) == (90, 40, None)
    game.put(game.result, BoardResult.ns_score, 999).read(tmp_path)
    assert len(read_boards(tmp_path / "170814.ACM", format="acblscore")) == 191


@pytest.mark.parametrize(("scoring", "event_type"), [(7, "swiss"), (8, "knockout"), (16, "bam")])
def test_teams_are_those_of_the_first_index(tmp_path, scoring, event_type):
    # The eight N-S pairs as teams of two, numbered from 101; their match is 3 boards a round.
    game = Altered("game02").put(0, Master.kind, 1).put(0, Master.scoring, scoring)
    for slot in range(8):
        game.put(game.index + Index.entries + slot * Index.entry_size, Index.number, 101 + slot)
    games, contestants = game.read(tmp_path)
    facts = games.iloc[0]
    assert (facts["event_type"], facts["tables"], facts["boards"]) == (event_type, "A=8", 24 if scoring == 16 else 3)
    assert contestants["number"].tolist() == [str(101 + n) for n in range(8)]
    assert contestants["direction"].isna().all()
    assert contestants["player2"].notna().all()
    assert contestants["percentage"].notna().all() == (scoring == 16)


def test_an_individual_has_one_player_an_entry(tmp_path):
    game = Altered("game11").put(0, Master.kind, 2)
    nobody = game.append(bytes(Index.length))
    game.put(game.section, Section.index, nobody, 2).put(game.section, Section.index, nobody, 3)
    games, contestants = game.read(tmp_path)
    assert games["event_type"].tolist() == ["individual"]
    assert sorted(contestants["number"], key=int) == ["1", "2", "3", "5", "6", "7", "8", "9", "10"]
    assert "player2" not in contestants


def _ranked_with_itself(game: Altered) -> None:
    game.put(Master.sections, SectionSummary.ranked_before, 1)


DAMAGE = {
    "a pointer beyond the end": (lambda g: g.put(0, Master.event, 2**32 - 1), "event 1", "the file ends at"),
    "a pointer into the master table": (lambda g: g.put(0, Master.event, 6), "event 1", "within the master table"),
    "a null pointer": (lambda g: g.put(g.section, Section.index, 0, 1), "E-W", "within the master table"),
    "a record that is too short": (lambda g: g.put(g.entry, Int(0, "H"), 50), "N-S 1", "50 bytes where 162"),
    "a record beyond the end": (lambda g: g.put(g.event, Int(0, "H"), 2**16 - 1), "event 1", "the file ends at"),
    "sections in a circle": (_ranked_with_itself, "offset 0x13e", "in a circle"),
    "a section of no event": (lambda g: g.put(Master.sections, SectionSummary.event, 9), "offset 0x13e", "event 9"),
    "a text beyond its room": (lambda g: g.put(g.event, Int(Event.name.offset), 99), "event 1", "99 bytes"),
    "strata beyond their room": (lambda g: g.put(g.event, Event.strata_count, 4), "event 1", "4 strata"),
    "a stratum that is not there": (lambda g: g.put(g.entry, Entry.stratum, 4), "N-S 1", "number 4 of 3"),
    "numbers beyond their room": (lambda g: g.put(g.section, Section.highest, 41), "section A", "41 where 40"),
    "a seat twice": (lambda g: g.put(g.section + Section.pair_map, Int(160), 2), "section A", "start at table 2"),
    "a seat lost": (lambda g: g.put(g.section + Section.pair_map, Int(160), 0), "N-S, table 1", "no number"),
    "a percentage above 100": (lambda g: g.put(g.entry, Entry.percentage, 10001), "N-S 1", "100.01"),
    "an award without a colour": (lambda g: g.put(g.entry, Int(Entry.award + 2), 0), "N-S 1", "no colour"),
    "an award without a stratum": (lambda g: g.put(g.entry, Int(Entry.award + 3), 14), "N-S 1", "reason 14"),
    "no score": (lambda g: g.put(g.entry, Entry.score, -1), "N-S 1", "no score"),
    "a session too many": (
        lambda g: g.put(g.event, Event.sessions, 2).put(g.event, Event.session_number, 3),
        "event 1",
        "session 3 of 2",
    ),
    # The record has 2 + 228 bytes: 38 and 24 boards of 8 each.
    "boards beyond their room": (lambda g: g.put(g.boards, Boards.count, 25), "section A, boards", "25 boards in 228"),
    "a board beyond the end": (
        lambda g: g.put(g.boards + Boards.boards, Boards.record, 2**32 - 1),
        "section A, board 1",
        "the file ends at",
    ),
    "results beyond their room": (
        # The record has 2 + 148 bytes: 6 and 8 results of 18 each.
        lambda g: g.put(g.boards + Boards.boards, Boards.results, 9),
        "section A, board 1",
        "9 results in 148 bytes",
    ),
    "a pair that is not there": (lambda g: g.put(g.result, BoardResult.ew, 9), "section A, board 1", "pair 9"),
    "a pair without number": (lambda g: g.put(g.result, BoardResult.ns, 0), "section A, board 1", "pair 0"),
    "an unknown score": (lambda g: g.put(g.result, BoardResult.ns_score, 901), "section A, board 1", "code 901"),
    "sections scored in a circle": (
        lambda g: g.put(Master.sections, SectionSummary.scored_before, 1),
        "offset 0x13e",
        "in a circle",
    ),
    "an unknown kind": (lambda g: g.put(0, Master.kind, 3), "event 1", "cannot be read"),
    "an unknown movement": (lambda g: g.put(g.section, Section.movement, 7), "section A", "code 7"),
    "an individual in a Mitchell": (lambda g: g.put(0, Master.kind, 2), "section A", "four winners"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named_with_its_offset(tmp_path, name):
    damage, where, what = DAMAGE[name]
    game = Altered("game02")
    damage(game)
    with pytest.raises(InputError) as error:
        game.read(tmp_path)
    [problem] = error.value.problems
    assert where in problem.where
    assert re.search("offset 0x[0-9a-f]+$", problem.where)
    assert what in problem.what
    assert problem.file == "170814.ACM"


def test_a_file_without_contestants_is_refused(tmp_path):
    game = Altered("game02").put(0, Master.event, 0).put(Master.sections, SectionSummary.event, 0)
    with pytest.raises(FormatError, match="no event in the file has a contestant"):
        game.read(tmp_path)


@pytest.mark.parametrize("length", [6, 10, 0xA13, 0xA14, 15195])
def test_a_file_cut_short_is_refused(tmp_path, length):
    path = tmp_path / "cut.ACA"
    path.write_bytes(NAMES["game02"].read_bytes()[:length])
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
        acblscore.read(NAMES[name])
    return NAMES[name].read_bytes(), sorted(offsets)


CONSULTED = {name: _consulted(name) for name in ("game02", "game04", "game11")}


@settings(max_examples=150, deadline=None)
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
