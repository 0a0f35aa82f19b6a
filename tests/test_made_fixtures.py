"""The made-up games: the script makes them as they are kept, and every rank and award worked for them is computed."""

import runpy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import FIXTURES, PROJECT
from games import awarded_without, plain, plain_row

from resultproc.formats.read import read
from resultproc.model.frames import COLOURS, Result
from resultproc.reports.check import check
from resultproc.reports.differences import agreement, differences
from resultproc.stages.pipeline import process, process_event

# The contestants of each game, who all have an award that may be none.
ENTRIES = {
    **{"made-qualifier-ACA": 16, "made-howell-ACM": 9, "made-two-games-ACM-1": 21, "made-two-games-ACM-2": 7},
    **{"made-credited-ACA-1": 20, "made-credited-ACA-2": 8, "made-regular-ACA-1": 12, "made-regular-ACA-2": 10},
    **{"made-sections-ACM": 29, "made-final-1-ACM": 9},
    **{"made-fund-1": 9, "made-fund-2": 12, "made-imps": 14, "made-together": 15},
    **{"2026041500": 11, "2026042000": 25},
}
RULEBOOKS = {
    "made-qualifier-ACA": "acbl-2017-special",
    "made-howell-ACM": "acbl-2017",
    "made-final-1-ACM": "acbl-2017-special",
    "made-fund-1": "acbl-club-fund-2011",
    "made-imps": "acbl-club",
    "2026041500": "acbl-club-2023",
    "2026042000": "acbl-general-formula-2019",
}
UNPAID = {"made-qualifying": 10}


@pytest.fixture(scope="module", autouse=True)
def scripts() -> Iterator[str]:
    """Let modules of the scripts be imported, and return where the scripts are."""
    folder = str(PROJECT / "scripts")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield folder


@pytest.fixture(scope="module")
def result() -> Result:
    paths = [*FIXTURES.glob("made-*.AC?"), *FIXTURES.glob("made-*.txt"), *FIXTURES.glob("made-*.json")]
    return process(*sorted(paths), FIXTURES / "event/made-final-1.ACM")


def test_the_script_makes_every_file_byte_for_byte(scripts: str) -> None:
    made = runpy.run_path(f"{scripts}/make-fixtures")["made"]()
    kept = {path.relative_to(FIXTURES).as_posix() for path in FIXTURES.rglob("made-*")}
    assert kept == set(made)
    for name, content in made.items():
        assert (FIXTURES / name).read_bytes() == content, name


@pytest.mark.slow
def test_game_files_are_read_as_they_were_written() -> None:
    from made.files import events

    for name, of_file in events().items():
        path = FIXTURES / name
        games, contestants = read(path)
        assert len(games) == len(of_file)
        for number, (event, (_, facts)) in enumerate(zip(of_file, games.iterrows(), strict=True), 1):
            suffix = f"-{number}" if len(of_file) > 1 else ""
            assert facts["game_id"] == f"{path.stem}-{path.suffix[1:]}{suffix}"
            expected = of_event(event)
            assert {key: plain(facts[key]) for key in expected} == expected
            rows = contestants[contestants["game_id"] == facts["game_id"]].to_dict("records")
            ours = {(row["section"], row["direction"], row["number"]): row for row in map(plain_row, rows)}
            theirs = {
                (row["section"], row["direction"], row["number"]): row for row in map(of_pair(event), event.game.pairs)
            }
            assert ours.keys() == theirs.keys()
            for seat, row in theirs.items():
                assert {key: ours[seat][key] for key in row} == row, (name, seat)


def of_event(event: Any) -> dict[str, Any]:
    """Return what was written of an event, in the columns of the games frame."""
    game = event.game
    empty = {each.name: (each.ns + each.ew).count("-") for each in game.layouts}
    return {
        "event": game.name,
        "club": game.club,
        "date": game.day,
        "session": game.session,
        "sessions": event.sessions,
        "movement": ", ".join(f"{each.name}={'howell' if each.howell else 'mitchell'}" for each in game.layouts),
        "tables": ", ".join(f"{each.name}={each.tables - empty[each.name] / 2:g}" for each in game.layouts),
        "boards": max(pair.boards for pair in game.pairs),
        "strata": ", ".join(f"{each.letter}={each.limit or 'open'}" for each in game.strata),
        "limit": float(game.strata[0].limit or "inf"),
        "stratify_by": "average" if event.by_average else "highest",
        "concurrent_tables": f"{event.credited / 2:g}" if event.credited else None,
        "stored_rating_code": event.rating,
        "stored_award_revision": 13,
    }


def of_pair(event: Any) -> Callable[[Any], dict[str, Any]]:
    """Return the function that gives what was written of a pair, in the columns of the contestants frame."""
    letters = [stratum.letter for stratum in event.game.strata]

    def ranks(pair: Any, basis: str) -> str | None:
        found = {
            letters[level]: f"{place}/{place + tied - 1}" if tied > 1 else str(place)
            for (of, level), (place, tied) in sorted(pair.places.items())
            if of == basis
        }
        return ", ".join(f"{letter}={text}" for letter, text in found.items()) or None

    def row(pair: Any) -> dict[str, Any]:
        several = event.sessions > 1
        colours = {colour: f"{colour}={hundredths / 100:.2f}" for hundredths, colour, _ in pair.parts}
        columns = {
            "section": pair.section,
            "direction": pair.direction or None,
            "number": str(pair.number),
            "eligible": pair.eligible,
            "stratum": letters[pair.level],
            "score": (pair.carryover + pair.score) / 100,
            "percentage": pair.percentage / 100 if not pair.carryover else None,
            "adjustment": pair.adjustment / 100 or None,
            "printed_section": ranks(pair, "S"),
            "printed_overall": ranks(pair, "O"),
            "printed_award": pair.award or None,
            "printed_paid_by": pair.parts[-1][2] if pair.parts else None,
            "printed_colours": ", ".join(colours[each] for each in COLOURS if each in colours) or None,
        }
        if several:
            columns |= {f"session{event.session}": pair.score / 100, "carryover": pair.carryover / 100}
        for n, player in enumerate(pair.players, 1):
            columns |= {f"player{n}": player.name, f"id{n}": player.member, f"mp{n}": player.holding}
        return columns

    return row


@pytest.mark.slow
def test_every_award_is_the_one_worked_by_hand(result: Result) -> None:
    agreed = agreement(result).set_index("game_id")
    assert dict(agreed["contestants"]) == ENTRIES | dict.fromkeys(UNPAID, 0)
    assert dict(agreed["agree"]) == ENTRIES | dict.fromkeys(UNPAID, 0)
    assert (agreed["ranks"] == agreed["ranks_agree"]).all()


@pytest.mark.slow
def test_all_that_game_files_print_is_counted_and_agrees() -> None:
    from made.files import events

    for name, of_file in events().items():
        if any(event.session > 1 for event in of_file):
            continue  # what it prints of the whole event is in no file alone
        (file,) = check(FIXTURES / name).files.to_dict("records")
        pairs = [pair for event in of_file for pair in event.game.pairs]
        results = [result for event in of_file for each in event.game.results.values() for result in each]
        printed = {
            "ranks_and_awards": len(pairs) + sum(len(pair.places) for pair in pairs),
            "board_results": 2 * sum(result.played for result in results),
            "totals": 2 * len(pairs),
        }
        assert {kind: file[kind] for kind in printed} == printed
        assert {kind: file[f"{kind}_agree"] for kind in printed} == printed


def test_ranks_colours_and_what_pays_agree(result: Result) -> None:
    assert differences(result).empty


def test_the_rulebooks_are_those_of_the_day_and_the_class(result: Result) -> None:
    books = result.games.set_index("game_id")["rulebook"]
    assert {game: book for game, book in books.items() if game in RULEBOOKS} == RULEBOOKS


@pytest.mark.slow
def test_a_final_of_two_sessions_pays_what_its_last_file_says() -> None:
    """The file of the last session has the awards of the whole event, overall ones and sums of sessions."""
    paths = [FIXTURES / "event/made-final-1.ACM", FIXTURES / "event/made-final-2.ACA"]
    result = process_event(*paths)
    last = read(paths[1]).contestants.set_index(["id1", "id2"])
    ours = result.contestants[["id1", "id2", "session1", "session2", "score"]].join(result.awards)
    assert len(ours) == len(last) == 9
    for row in ours.to_dict("records"):
        theirs = last.loc[(row["id1"], row["id2"])]
        assert row["session1"] == theirs["carryover"]
        assert row["session2"] == theirs["session2"]
        assert row["score"] == pytest.approx(theirs["score"])
        assert row["masterpoints"] == (0 if theirs.isna()["printed_award"] else theirs["printed_award"])
        colours = [f"{c}={row[c] / 100:.2f}" for c in ("red", "gold") if row[c]]
        assert ", ".join(colours) == (theirs["printed_colours"] if colours else "")
    # Fourth over all is 1.24: less than 0.98 of one session and 0.59, the half of 0.69 and 0.49, of the other.
    assert sorted(ours["masterpoints"]) == [0, 0, 59, 69, 69, 157, 166, 221, 295]


@pytest.mark.parametrize(
    ("without", "name", "game", "fewer"),
    [
        # 10 tables pay 9 x 1.25 x B = 3.75 first, with the 4 beside them 4.50; 5 pay 0.50, not 1.10.
        ("concurrent_tables", "made-credited.ACA", "made-credited-ACA-1", "3.75"),
        ("concurrent_tables", "made-regular.ACA", "made-regular-ACA-2", "0.50"),
        # Section A alone pays 0.5 x 9 x 0.875 x B(5) = 0.98 first N-S.
        ("stored_ranked_with", "made-sections.ACM", "made-sections-ACM", "0.98"),
    ],
)
def test_what_a_file_says_of_its_game_is_needed(without: str, name: str, game: str, fewer: str) -> None:
    result, firsts = awarded_without(read(FIXTURES / name), game, without)
    assert agreement(result)["agree"].item() < ENTRIES[game]
    assert fewer in firsts
