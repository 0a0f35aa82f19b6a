"""Games for tests, from compact rows.

A row says who and how many: the contestant's name, its stratum (``.`` for none), its score (a percentage with ``%``),
then what else there is: ``h=3.5`` (handicap), ``won=3`` (matches), ``mp=120/40`` (holdings), ``s=60/55`` (sessions),
``out`` (ineligible)::

    A-NS-1 B 133
    A-7    . 54.2%  h=3.5
"""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from resultproc.formats.declared import held
from resultproc.model.frames import CONTESTANTS, GAMES, Result, Sheet
from resultproc.model.source import Declaration
from resultproc.people.seated import labels
from resultproc.stages.pipeline import award_sheet, complete, joined_sheets, rank

_REGULAR = ("club-open", "club-invitational", "club-restricted", "club-newcomer")

ALL = "9999"
"""As ``sit_outs``: whoever is not listed."""

_DIRECTIONS = {"NS": "N-S", "EW": "E-W"}


HANDICAP = """
A-NS-1 . 66% h=0
A-NS-2 . 64% h=0
A-NS-3 . 62% h=0
A-NS-4 . 60% h=0
A-NS-5 . 58% h=0
A-NS-6 . 56% h=14
B-NS-1 . 54% h=14
B-NS-2 . 52% h=1
B-NS-3 . 50% h=15
B-NS-4 . 48% h=0
"""
"""N-S of two sections of 6 and 4 tables; with the handicaps A 6 and B 1 lead."""


def sheet(rows: str | Iterable[str], game_id: str = "game", **keys: object) -> Sheet:
    """Return the sheet of one game; keys are game keys, an open club game unless they say otherwise.

    A regular club game whose keys name neither day, boards nor rulebook is of 2010, when its boards did not matter.
    The rows are of those whom a test is about: all others sit out. Each has two players, a board-a-match team four.
    """
    lines = rows.splitlines() if isinstance(rows, str) else rows
    records = [_record(line, number) for number, line in enumerate(lines, 1) if line.strip()]
    given = {"rating": "club-open", "sit_outs": ALL, **keys}
    if given["rating"] in _REGULAR and not {"date", "boards", "rulebook"} & set(keys):
        given["date"] = "2010-05-01"
    if given.get("event_type") in {"bam", "swiss"}:
        for record in records:
            name = str(record["player1"])
            record |= {"player3": name.replace("one", "three"), "player4": name.replace("one", "four")}
    declared = {name: Declaration(value, name) for name, value in given.items() if value is not None}
    facts = {"game_id": game_id, "source": f"{game_id}.csv"} | held(declared, "test")
    # Frames of arrays are made in a fourth of the time that changing others takes.
    columns = {name: [record.get(name) for record in records] for name in dict.fromkeys(chain(*records))}
    contestants = CONTESTANTS.of({"game_id": [game_id] * len(records), **columns}, len(records))
    return Sheet(GAMES.of({name: [value] for name, value in facts.items()}, 1), contestants)


def _record(line: str, number: int) -> dict[str, object]:
    name, stratum, score, *more = line.split()
    parts = name.split("-")
    record: dict[str, object] = {
        "section": parts[0],
        "direction": _DIRECTIONS[parts[1]] if len(parts) == 3 else None,
        "number": parts[-1],
        "player1": f"{name} one",
        "player2": f"{name} two",
        "stratum": None if stratum == "." else stratum,
        "eligible": "out" not in more,
        "where": f"line {number}",
    }
    if score != ".":
        record["percentage" if score.endswith("%") else "score"] = float(score.removesuffix("%"))
    for word in more:
        key, _, value = word.partition("=")
        if key in {"h", "won"}:
            record["handicap" if key == "h" else "wins"] = float(value)
        elif key in {"mp", "s"}:
            column = "session" if key == "s" else key
            record |= {f"{column}{i}": float(part) for i, part in enumerate(value.split("/"), 1) if part}
        elif word != "out":
            raise ValueError(f"'{word}' in '{line}'")
    return record


def falling(section: str, count: int, stratum: str = ".", top: float = 70) -> list[str]:
    """Return the rows of a one-winner section, or of one direction of another (``A-NS``): all scores differ.

    The first one listed is the best; percentages fall by a tenth from ``top``.
    """
    return [f"{section}-{place} {stratum} {top - (place - 1) / 10:.2f}%" for place in range(1, count + 1)]


def mitchell(tables: int, section: str = "A", stratum: str = ".", top: float = 70) -> list[str]:
    """Return the rows of a Mitchell section of whole tables; the lower the number, the better."""
    return falling(f"{section}-NS", tables, stratum, top) + falling(f"{section}-EW", tables, stratum, top)


def awarded(rows: str | Iterable[str], **keys: object) -> Result:
    """Return the result of one game, ranked and awarded."""
    return award_sheet(sheet(rows, **keys))


def completed(rows: str | Iterable[str], **keys: object) -> Sheet:
    """Return the sheet of one game with all that ranking needs."""
    return complete(*sheet(rows, **keys))


def ranked(*sheets: Sheet) -> Result:
    """Return games ranked under their rulebooks, not awarded."""
    games, contestants = complete(*together(*sheets))
    return Result(games, contestants, rank(games, contestants))


def together(*sheets: Sheet) -> Sheet:
    """Return several games as one sheet."""
    return joined_sheets(sheets)


def paid(result: Result) -> dict[str, str]:
    """Return what each contestant gets, with the basis and stratum that pay it: ``0.63 section A``, or ``0.00``."""
    winners = result.awards["candidate"]
    texts = {}
    for row, name in enumerate(labels(result.contestants)):
        text = mp(result.awards["masterpoints"].iloc[row])
        if winners.iloc[row] >= 0:
            winner = result.candidates.iloc[winners.iloc[row]]
            text += f" {winner['basis']} {winner['stratum']}"
        texts[name] = text
    return texts


def ladder(result: Result, start: str, game: str = "") -> list[str]:
    """Return the awards of the contestants whose name begins so, as listed, up to the last that is not 0.

    game: the one that they play in, where the result has several.
    """
    listed = zip(labels(result.contestants), result.contestants["game_id"], result.awards["masterpoints"], strict=True)
    awards = [mp(award) for name, of, award in listed if name.startswith(start) and game in ("", of)]
    while awards and awards[-1] == "0.00":
        awards.pop()
    return awards


def candidates(result: Result, name: str) -> dict[str, str]:
    """Return what a contestant could have had: ``{"section A": "0.63", ...}``."""
    row = list(labels(result.contestants)).index(name)
    frame = result.candidates[result.candidates["contestant"] == row]
    keys = frame["basis"].astype("str") + " " + frame["stratum"].astype("str")
    return dict(zip(keys, map(mp, frame["masterpoints"]), strict=True))


def places(result: Result, name: str) -> dict[str, str]:
    """Return where a contestant stands: ``{"section A": "2/3 of 9", ...}``, the size being the comparison group's."""
    row = list(labels(result.contestants)).index(name)
    found = {}
    for standing in result.standings[result.standings["contestant"] == row].to_dict("records"):
        last = standing["position"] + standing["tied"] - 1
        place = f"{standing['position']}/{last}" if standing["tied"] > 1 else str(last)
        found[f"{standing['basis']} {standing['stratum']}"] = f"{place} of {standing['size']}"
    return found


def mp(hundredths: int) -> str:
    """Return hundredths of a masterpoint as sheets print them."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def rulebook_file(folder: Path, text: str, name: str = "my-club.toml") -> str:
    """Write a user's own rulebook, on top of ``acbl-club`` unless it says otherwise, and return its path."""
    path = folder / name
    path.write_text(text if "extends" in text else f'extends = "acbl-club"\n{text}', "utf-8")
    return str(path)


def plain(value: Any) -> Any:
    """Return a value of a frame as Python has it: None where there is none, and a day as a date."""
    if pd.isna(value):
        return None
    return value.date() if isinstance(value, pd.Timestamp) else value


def plain_row(row: dict[Any, Any]) -> dict[Any, Any]:
    """Return the values of a row so."""
    return {name: plain(value) for name, value in row.items()}


def overall(result: Result, stratum: str = "A") -> list[str]:
    """Return the overall awards of a stratum by place."""
    found = result.candidates[(result.candidates["basis"] == "overall") & (result.candidates["stratum"] == stratum)]
    return [f"{award / 100:.2f}" for award in found.sort_values("position")["masterpoints"]]


def awarded_without(sheet: Sheet, game: str, column: str) -> tuple[Result, set[str]]:
    """Return one game of a file as it is without a value that the file has of it, and what its first places pay."""
    games, contestants = (frame[frame["game_id"] == game].reset_index(drop=True) for frame in sheet)
    assert games[column].notna().all()
    result = award_sheet(Sheet(games.assign(**{column: None}).astype({column: "str"}), contestants))
    firsts = result.candidates[(result.candidates["position"] == 1) & (result.candidates["level"] == 0)]
    return result, {mp(award) for award in firsts["masterpoints"]}
