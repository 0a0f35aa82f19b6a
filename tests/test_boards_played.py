"""The boards of a session, taken from the results that a file lists where it does not say how many."""

import pytest
from conftest import FIXTURES

from resultproc.formats.read import read
from resultproc.model.draft import Draft
from resultproc.model.grid import Records
from resultproc.tables.unsaid import with_boards_played
from tests.games import sheet


def results(*played: tuple[int, str, str]) -> Records:
    """Return the results of boards: number, pair N-S, pair E-W."""
    rows = [{"game_id": "game", "section": "A", "session": 1, "board": n, "ns": ns, "ew": ew} for n, ns, ew in played]
    return Records(rows)


# Three pairs of a Howell: each plays two rounds of two boards and sits one out. Six boards are in play.
HOWELL = [(1, "1", "2"), (2, "2", "1"), (3, "1", "3"), (4, "3", "1"), (5, "2", "3"), (6, "2", "3")]
# In a Mitchell the pairs 1 N-S and 1 E-W are two.
MITCHELL = [(1, "1", "1"), (2, "1", "1"), (3, "2", "2"), (4, "2", "2"), (5, "1", "2"), (6, "2", "1")]


@pytest.mark.parametrize(
    ("rows", "played", "keys", "boards"),
    [
        (["A-1 A 60%", "A-2 A 50%", "A-3 A 40%"], HOWELL, {}, 4),
        (["A-NS-1 A 60%", "A-NS-2 A 40%", "A-EW-1 A 60%", "A-EW-2 A 40%"], MITCHELL, {}, 3),
        (["A-1 A 60%", "A-2 A 50%", "A-3 A 40%"], [*HOWELL, *HOWELL], {}, 4),  # a result that is listed twice
        (["A-1 A 60%", "A-2 A 50%", "A-3 A 40%"], HOWELL, {"boards": 27}, 27),  # the file says it
        (["A-1 A 60%", "A-2 A 50%", "A-3 A 40%"], HOWELL, {"sessions": 2}, None),
        (["A-1 A 60%", "A-2 A 50%", "A-3 A 40%"], HOWELL, {"event_type": "swiss"}, None),  # there, of a match
    ],
)
def test_the_most_that_anybody_played(rows, played, keys, boards):
    _, contestants = sheet(rows, rating="club-open", **keys)
    listed = Records(
        contestants.assign(game_id="game").astype("object").where(contestants.notna(), None).to_dict("records")
    )
    facts = [{"game_id": "game", "rating": "club-open", **keys}]
    found = with_boards_played(Draft(listed, facts, boards=results(*played))).facts
    assert [fact.get("boards") for fact in found] == [boards]


def test_a_file_that_lists_its_results(tmp_path):
    text = (FIXTURES / "usebio-example.xml").read_text("iso-8859-1")
    line = next(line for line in text.splitlines() if "<BOARDS_PLAYED>" in line)
    path = tmp_path / "game.xml"
    path.write_text(text.replace(line, ""), "iso-8859-1")
    declared = read(FIXTURES / "usebio-example.xml").games["boards"].tolist()
    assert read(path).games["boards"].tolist() == declared
    assert read(path, boards=30).games["boards"].tolist() == [30]
