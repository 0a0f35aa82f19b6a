"""Lists made at random, whose contestants are known, and such lists spoilt: what is read of them is right, or told."""

import runpy
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from conftest import ALL, PROJECT
from list_layouts import Document, written
from made_lists import LAYOUTS, WORDS, Contestant, Made, made, spoilt

from resultproc import read
from resultproc.model.errors import InputError
from resultproc.model.frames import Sheet
from resultproc.model.source import Source
from resultproc.stages.pipeline import doubted

LISTS = 400 if ALL else 110
SPOILT = 2000 if ALL else 40


def found_in(sheet: Sheet) -> list[Contestant]:
    """Return what was read of each contestant."""
    frame = sheet.contestants
    names = ["section", "direction", "number", "score", "percentage", "printed_section", "printed_award", "id1", "id2"]
    players = ["player1", "player2", "player3", "player4"]
    frame = frame.assign(**{name: None for name in [*names, *players] if name not in frame}).astype(object)
    frame = frame.where(frame.notna(), None)
    return [
        Contestant(
            tuple(name for name in (row.player1, row.player2, row.player3, row.player4) if name),
            row.section,
            row.direction,
            row.number,
            (row.id1, row.id2) if row.id1 else None,
            row.score,
            row.percentage,
            row.printed_section.rpartition("=")[2] if row.printed_section else None,
            row.printed_award,
        )
        for row in frame.itertuples(index=False)
    ]


_WHAT = ("section", "direction", "number", "members", "score", "percentage", "place", "award")


def judged(made_list: Made) -> tuple[str, str]:
    """Return how a list was read, and what is the matter.

    ``right``; ``refused``; ``told`` where it was read otherwise, with a remark on that; else ``silent``.
    """
    try:
        sheet = read(Source(made_list.name, made_list.data))
    except InputError as error:
        return "refused", str(error)
    wrong = list(differences(made_list, sheet))
    remarks = " ".join(remark.what for remark in sheet.remarks)
    silent = [what for what, words in wrong if not any(word and word in remarks for word in words)]
    if silent:
        return "silent", "; ".join(silent)
    return ("told", remarks) if wrong else ("right", "")


def differences(made_list: Made, sheet: Sheet) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what was read otherwise than it is said, each with the words of which a remark on that has one."""
    found = {each.players: each for each in found_in(sheet)}
    if str(sheet.games["date"].iloc[0])[:10] != made_list.date:
        yield f"the date is {sheet.games['date'].iloc[0]}, not {made_list.date}", ()
    heads = tuple(text for table in made_list.document.tables for text in table.head or [])
    for each in made_list.contestants:
        read_as = found.pop(each.players, None)
        if read_as is None:
            yield f"{each.players} is not read", each.players
            continue
        for name in _WHAT:
            wanted, got = getattr(each, name), getattr(read_as, name)
            if wanted is not None and wanted != got:
                yield f"{each.players}: {name} is {got}, not {wanted}", heads
    for players in found:
        yield f"{players} is nobody in the list", players


@cache
def verdicts() -> list[tuple[Made, str, str]]:
    return [(each, *judged(each)) for each in map(made, range(LISTS))]


@pytest.mark.slow
def test_nothing_is_read_wrong_in_silence_of_made_lists() -> None:
    assert [(each.name, each.layout, what) for each, verdict, what in verdicts() if verdict == "silent"] == []


def test_made_lists_are_read_right() -> None:
    counts = Counter(verdict for _, verdict, _ in verdicts())
    assert counts["right"] >= 0.98 * LISTS, counts


@pytest.mark.parametrize("kind", [*LAYOUTS, *WORDS])
def test_lists_are_read_right_of_each_layout_and_language(kind: str) -> None:
    of_kind = [verdict for each, verdict, _ in verdicts() if kind in (each.layout, each.language)]
    assert len(of_kind) > LISTS / 15
    assert of_kind.count("right") >= 0.9 * len(of_kind)


@pytest.mark.slow
def test_spoilt_lists_are_refused_remarked_on_or_right() -> None:
    silent = []
    for seed in range(SPOILT):
        whole = made(seed % LISTS)
        random = Random(seed)
        how, document, contestants = spoilt(whole, random)
        if wrong := _unremarked(whole, document, contestants, random):
            silent.append(f"{seed}: {how}: {wrong[0]}")
    assert silent == []


def _unremarked(whole: Made, document: Document, contestants: list[Contestant], random: Random) -> list[str]:
    """Return what is read wrong of a spoilt list without any remark that the whole one has not."""
    name, data = written(document, whole.carrier, random, ["utf-8", "utf-8"])
    try:
        sheet = read(Source(name, data))
    except InputError:
        return []
    spoilt_list = replace(whole, contestants=contestants)
    # What is lost is lost: who reads the list finds nothing there either.
    wrong = [what for what, _ in differences(spoilt_list, sheet) if " is None, not " not in what]
    return wrong if wrong and _remarks(doubted(sheet)) <= _remarks_of(whole.name, whole.data) else []


def _remarks(sheet: Sheet) -> set[str]:
    return {remark.what for remark in sheet.remarks}


@cache
def _remarks_of(name: str, data: bytes) -> set[str]:
    try:
        return _remarks(doubted(read(Source(name, data))))
    except InputError:
        return set()


CROSSED = 600 if ALL else 40


def test_lists_of_habits_crossed_at_random_are_read_as_they_are_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is awarded otherwise, spoilt in silence, or asked for that stands in the list: ``scripts/make-lists``."""
    monkeypatch.syspath_prepend(PROJECT / "scripts")
    script = runpy.run_path(str(PROJECT / "scripts/make-lists"))
    verdicts = [script["verdict"](script["made"](seed), tmp_path) for seed in range(CROSSED)]
    counts = Counter(how for how, _ in verdicts)
    assert [each for each in verdicts if each[0] in {"wrong", "spoilt", "asked wrongly"}] == []
    assert counts["right"] + counts["asked"] >= 0.95 * CROSSED, counts
