"""Portable Bridge Notation: the result tables of a tournament, ``TotalScoreTable`` and ``ScoreTable``.

It reads version 2.1 (tistis.nl/pbn: 3.3 tag pairs, 4.8 inheritance by ``#`` and ``##``, 5.2 tables, ``ScoreTable`` and
``TotalScoreTable``), in its import as in its export format, and what programs make of it: names that are not quoted
but are in columns of a stated width, ``PASS`` for a score of nothing, ``Section`` and ``Direction`` as columns; and
tables of version 2.0, which call a total MP, IMP, VP or Score, or give the mean of it. Quotes and backslashes in
strings have a backslash before them.

The contestants come from the total tables of an event (its tags ``Event`` and ``Date``): PairId, TeamId or PlayerId,
Names, Rank, the total (MP, IMP, VP or score) and MeanPercentage, Percentage, or a TotalPercentage, which is divided by
NrBoards where it is a sum. Where no column has an id, contestants are numbered as they are listed. Names are separated
by ``;``, or by ``-``, ``&`` or ``/`` between blanks. Ids that end in NS or EW throughout tell directions. Who has ``-``
for a total is not ranked. Board results come from the score tables of the same event, where they name both pairs or
four players; a percentage with a caret, or with no score beside it, is an adjusted one, and two scores with carets are
what a ruling gave to each side. With them come contract, declarer, tricks and lead, and the hands of a whole ``Deal``
with their ``OptimumResultTable`` and ``OptimumScore`` (5.7, and 4 of the standard).
Auctions and play are passed over; the tables in play follow from the contestants. An event without any total table, as
sites export it, is scored here where its results name pairs: contract, declarer and tricks give the scores (Law 77),
and these the totals, as its tag ``Scoring`` says: matchpoints, IMPs against a mean (Butler) or against every other
result (Cross). What is not read of several events is said in a remark.

On bad input: FormatError for a file without totals that cannot be scored so; InputError that names the line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from resultproc.formats.pbn.events import Cells, Event, deals_of, events_of
from resultproc.formats.registry import decode
from resultproc.model.at_the_table import vulnerability, vulnerable
from resultproc.model.codes import EMPTY, PASSED_OVER, UNREADABLE
from resultproc.model.dates import day_written
from resultproc.model.draft import Reading, sheet_of
from resultproc.model.errors import FormatError, InputError, Problem, shown
from resultproc.model.game import EAST_WEST, NORTH_SOUTH, EventType, Scoring
from resultproc.model.grid import Cell, Records, unquoted_lines
from resultproc.model.numbers import number_at
from resultproc.model.places import place_of, rank_texts
from resultproc.model.play import board_number, both_scores, how_played, not_shown, scored_apart, tricks
from resultproc.model.source import Source
from resultproc.model.text import tidy
from resultproc.people.names import are_several, names_in, of_one_family
from resultproc.scoring.scored import contract_scored
from resultproc.tables.rows import read_cells
from resultproc.tables.unsaid import directions_of, field_facts

_UNKNOWN = {"", "?", "-"}

_KINDS = ("MP", "IMP", "VP", "Score")
_TOTALS = ("TotalMP", "TotalScoreMP", *(f"{of}{kind}" for of in ("Total", "", "Mean") for kind in _KINDS))
_IDS = ("PairId", "TeamId", "PlayerId")
_SIDES = re.compile("(.+?) ?(NS|EW)")
_SIDED_IDS = {"PairId_NS": NORTH_SOUTH, "PairId_EW": EAST_WEST}
_EVENT_TYPES = {"individuals": EventType.INDIVIDUAL, "individual": EventType.INDIVIDUAL, "teams": EventType.SWISS}


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    every = list(events_of(unquoted_lines(decode(source.data).split("\n"))))
    # Totals follow from the results of pairs.
    events = [e for e in every if e.totals or (_kind(e.tags) is EventType.PAIRS and len(_pairs_of(e.results)[0]))]
    lost = [event for event in every if event.has_results and event not in events]
    if not events and lost:
        what = "these are results of boards without totals (there is no TotalScoreTable), and not of pairs"
        raise FormatError(what, hint="export the results with the ranking", code=EMPTY)
    if not events:
        what = "these are hands without results"
        hint = f'to show them with a game, write deals = "{shown(source.name)}" into the TOML file beside the game'
        raise FormatError(what, hint=f"give the list of results; {hint}", code=EMPTY)
    contestants, facts, boards, deals = [], [], [], []
    remarks = []
    for event in lost:
        name, day = (tidy(event.tags.get(tag, "")) for tag in ("Event", "Date"))
        what = f"the event '{name}' ({day}) is left out: it has results of boards without totals, and not of pairs"
        remarks.append(Problem(what, event.where, "export its results with the ranking", code=PASSED_OVER))
    for n, event in enumerate(events, 1):
        game_id = source.game_id(n, len(events))
        kind = _kind(event.tags)
        table, names = _contestants(event) if event.totals else _pairs_of(event.results)
        table.fill("game_id", game_id)
        contestants.append(table)
        facts.append({"game_id": game_id, **_facts(event), **field_facts(table, kind)})
        results = [{"game_id": game_id, "session": 1, **row} for row in _boards(event, names)]
        boards.append(Records(results) if event.totals else contract_scored(results))
        remarks += (replace(remark, game=game_id) for remark in (*_lacking(event), *_otherwise_vulnerable(event)))
        wrong: list[tuple[str, str]] = []
        deals += [{"game_id": game_id, "session": 1, **row} for row in deals_of(event, wrong)]
        apart = scored_apart(
            (cells["Score_NS"].where, board.text, _score(cells))
            for board, cells in event.results
            if "Score_NS" in cells and not _ruled(cells)
        )
        remarks += (replace(remark, game=game_id) for remark in (*not_shown(wrong), *apart))
    sheet = sheet_of(source, Records.joined(contestants), facts, remarks)
    return Reading(sheet, boards=Records.joined(boards), deals=Records(deals))


def _pairs_of(results: Iterable[tuple[Cell, Mapping[str, Cell]]]) -> tuple[Records, dict[tuple[str, str], str]]:
    """Return the pairs that results of boards name, as contestants, and their numbers by section and as they are there.

    results: the board and cells of each. A number that sat in either direction is one pair, in a section of one winner,
    unless that pair would have met itself, or a board twice: then it is a pair in each direction.
    """
    sat: dict[tuple[str, str, str], Cell] = {}
    met: Counter[tuple[str, str, str]] = Counter()
    for board, cells in results:
        if any(name not in cells or cells[name].text in _UNKNOWN for name in _SIDED_IDS):
            continue
        section = cells["Section"].text.upper() if "Section" in cells else "A"
        for name, side in _SIDED_IDS.items():
            sat.setdefault((section, side, cells[name].text), cells[name])
            met[section, cells[name].text, board.text] += 1
    twice = {section for (section, _, _), times in met.items() if times > 1}
    turned = {section for section, side, text in sat if side == NORTH_SOUTH and (section, EAST_WEST, text) in sat}
    sided = all(_SIDES.fullmatch(text) for _, _, text in sat)
    rows: dict[tuple[str, str, str], dict[str, object]] = {}
    names = {}
    for (section, side, text), cell in sat.items():
        direction = "" if section in turned - twice else side
        names[section, text] = number = _SIDES.sub(r"\1", text) if sided else text
        row = {"section": section, "number": number, "eligible": True, "where": cell.where}
        rows.setdefault((section, direction, number), row | ({"direction": direction} if direction else {}))
    order = sorted(rows, key=lambda pair: (pair[0], pair[1] != NORTH_SOUTH, len(pair[2]), pair[2]))
    return Records(rows[pair] for pair in order), names


_SCORINGS = {
    Scoring.MATCHPOINTS: {"MP", "MATCHPOINTS", "MP1", "MP2"},
    Scoring.BUTLER: {"IMP", "BUTLER-2", "MEAN"},
    Scoring.CROSS_IMPS: {"IMP", "CROSS2"},
}
"""For each way to score, the basic systems and modifiers of the tag ``Scoring`` (3.4.12) that mean it."""


def _scoring_of(tag: str) -> str | None:
    """Return how boards are scored as the tag ``Scoring`` says: one of the ways, else its text, None where it is none.

    IMPs alone do not say what a score is compared with; sums of IMPs, and a mean of all scores, are other ways.
    """
    if tag in _UNKNOWN:
        return None
    fields = {part.strip().upper() for part in tag.split(";")} - {""}
    known = (way.value for way, words in _SCORINGS.items() if fields <= words and fields != {"IMP"})
    return next(known, tag)


def _kind(tags: Mapping[str, str]) -> EventType:
    if tags.get("Scoring", "").upper().startswith("BAM"):
        return EventType.BAM
    return _EVENT_TYPES.get(tags.get("Competition", "").strip().lower(), EventType.PAIRS)


def _facts(event: Event) -> dict[str, object]:
    tags = event.tags
    scoring = _scoring_of(tidy(tags.get("Scoring", "")))
    own = _kind(tags) in (EventType.PAIRS, EventType.INDIVIDUAL) and (scoring in [*Scoring] or not event.totals)
    facts: dict[str, object] = {"scoring": scoring} if own else {}
    name = tidy(tags.get("Event", ""))
    if name not in _UNKNOWN:
        facts["event"] = name
    # The standard writes ?? for what is unknown of a date.
    day = day_written(tags.get("Date", "")) or day_written(tags.get("EventDate", ""))
    return facts | ({"date": day} if day else {})


_Names = dict[tuple[str, str], str]
"""The number of each contestant, by its section and what the file calls it."""


def _contestants(event: Event) -> tuple[Records, _Names]:
    rows = [_contestant(cells) for cells in event.totals]
    if not any(name in cells for cells in event.totals for name in _IDS):
        for number, (row, cells) in enumerate(zip(rows, event.totals, strict=True), 1):
            row["number"] = next(iter(cells.values()))._replace(text=str(number))
    raw = [row["number"].text if "number" in row else "" for row in rows]
    sides = [found.groups() for found in map(_SIDES.fullmatch, raw) if found]
    if len(sides) == len(rows) and not any("Direction" in cells for cells in event.totals):
        for row, (name, side) in zip(rows, sides, strict=True):
            row |= {"direction": row["number"]._replace(text=side), "number": row["number"]._replace(text=name)}
    ranks = [row.pop("rank", Cell("", "")).text for row in rows]
    wheres = [next(iter(cells.values())).where for cells in event.totals]
    called = Cell("in the TotalScoreTable", event.where)
    table = read_cells(list(zip(rows, wheres, strict=True)), called, {"section": "A"})
    _rank(table, ranks)
    return table, dict(zip(zip(table["section"], raw, strict=True), table["number"], strict=True))


def _rank(table: Records, places: Sequence[str]) -> None:
    """Add the printed ranks: those of several sections are overall ranks where they make one order, else of each."""
    directions, sections = directions_of(table), table["section"]
    together: list[Sequence[Hashable]] = [[""] * len(places), directions] if len(set(sections)) > 1 else []
    fields = next((fields for fields in together if _is_order(fields, places)), None)
    if fields is not None:
        table["printed_overall"] = rank_texts(fields, map(place_of, places))
    else:
        table["printed_section"] = rank_texts(list(zip(sections, directions, strict=True)), map(place_of, places))


def _is_order(fields: Sequence[Hashable], places: Sequence[str]) -> bool:
    """Return whether each place counts those of its field that are better: 1, 2, 2, 4."""
    found: dict[Hashable, list[int]] = {}
    for of, text in zip(fields, places, strict=True):
        place = place_of(text)
        if place is not None:
            found.setdefault(of, []).append(place)
    return all(place == 1 + bisect_left(ordered, place) for ordered in map(sorted, found.values()) for place in ordered)


def _contestant(cells: Cells) -> Cells:
    """Return a row of a total table in columns of contestants, and ``rank``; what is unknown is left out."""
    known = {name: cell for name, cell in cells.items() if cell.text not in _UNKNOWN}
    row: Cells = {}
    for titles, column in ((_IDS, "number"), (_TOTALS, "score"), (("Rank",), "rank")):
        found = next((known[title] for title in titles if title in known), None)
        if found:
            row[column] = found._replace(text=found.text.removeprefix("^"))
    for name in ("Section", "Direction"):
        if name in known:
            row[name.lower()] = known[name]
    percentage = _percentage(known)
    if percentage:
        row["percentage"] = percentage
    total = next((cells[name] for name in _TOTALS if name in cells), None)
    if total and total.text == "-" and not percentage:  # a score says nothing of who is not ranked
        row["eligible"] = total._replace(text="no")
    names = known.get("Names") or known.get("Name")
    if names:
        between = names.text.split(";")  # as the export format has them
        several = len(between) == 1 and are_several(names.text)
        players = of_one_family(names_in(names.text)) if several else between
        row |= {f"player{n}": names._replace(text=player.strip()) for n, player in enumerate(players, 1)}
    return row


def _percentage(cells: Cells) -> Cell | None:
    """Return the cell of a percentage; a total of several boards is divided by these."""
    mean = cells.get("MeanPercentage") or cells.get("Percentage")
    total, boards = cells.get("TotalPercentage"), cells.get("NrBoards")
    if mean is None and total and boards and boards.text.isdecimal() and int(boards.text):
        value = _number_in(cells, "TotalPercentage")
        if value is not None and value > 100:
            return total._replace(text=repr(round(value / int(boards.text), 4)))
    return mean or total


def _boards(event: Event, names: _Names) -> Iterator[dict[str, object]]:
    for board, cells in event.results:
        sat = {side: next((cells[name] for name in names if name in cells), None) for side, names in _SEATED.items()}
        known = {side: cell.text for side, cell in sat.items() if cell and cell.text not in _UNKNOWN}
        if not {"ns", "ew"} <= known.keys():
            continue
        number = board_number(board.text)
        if number is None:
            what = f"invalid board number: '{board.text}'"
            raise InputError(what, board.where, 'write [Board "7"], for instance, above the table', code=UNREADABLE)
        section = cells["Section"].text.upper() if "Section" in cells else "A"
        score, ew_score = _score(cells)
        yield {
            "section": section,
            "board": number,
            **{side: names.get((section, text), text) for side, text in known.items()},
            "score": score,
            "ew_score": ew_score,
            "ns_adjusted": _adjusted(cells, "Percentage_NS", score),
            "ew_adjusted": _adjusted(cells, "Percentage_EW", score),
            "printed_ns": _first(cells, "MP_NS", "IMP_NS"),
            "printed_ew": _first(cells, "MP_EW", "IMP_EW"),
            **{name.lower(): tricks(cells[name].text) for name in ("Table", "Round") if name in cells},
            **how_played(*(cells[name].text if name in cells else "" for name in PLAYED_AS)),
        }


_SEATED = {
    "ns": ("PairId_NS", "PlayerId_North"),
    "ew": ("PairId_EW", "PlayerId_East"),
    "ns_partner": ("PlayerId_South",),
    "ew_partner": ("PlayerId_West",),
}
"""The columns that say who sat where."""


def _score(cells: Cells) -> tuple[float | None, float | None]:
    """Return the score to N-S, and that to E-W where it is another than N-S's turned round, or both were ruled."""
    plus, minus = _number_in(cells, "Score_NS"), _number_in(cells, "Score_EW")
    return (plus, minus) if plus is not None and _ruled(cells) else both_scores(plus, minus)


def _ruled(cells: Cells) -> bool:
    return all(name in cells and cells[name].text.startswith("^") for name in ("Score_NS", "Score_EW"))


def _adjusted(cells: Cells, name: str, score: float | None) -> float | None:
    """Return an adjusted score, in percent: what is marked so, or stands where no score does."""
    marked = name in cells and cells[name].text.startswith("^")
    return _number_in(cells, name) if score is None or marked else None


PLAYED_AS = {"Contract": "contract", "Declarer": "declarer", "Result": "tricks", "Lead": "lead"}
"""The columns of a board that say how it was played."""


def _lacking(event: Event) -> Iterator[Problem]:
    """Yield the first pair that played more boards than the tables of results have of it, as in files cut off."""
    sides = [cells[name].text for _, cells in event.results for name in _SIDED_IDS if name in cells]
    if not event.has_results or len(sides) < 2 * len(event.results):
        return
    listed = Counter(sides)
    for row in event.totals:
        pair = next((row[name] for name in _IDS if name in row), None)
        played = row.get("NrBoards")
        if pair is None or played is None or not re.fullmatch("[0-9]{1,4}", played.text):
            continue
        if int(played.text) > listed[pair.text]:
            what = f"pair {pair.text} played {played.text} boards, and {listed[pair.text]} of its results are here"
            hint = "add the boards that are missing"
            yield Problem(f"{what}: is the file complete?", played.where, hint, code="sheet.incomplete")
            return


_VULNERABLE = {"NONE": 0, "LOVE": 0, "-": 0, "NS": 1, "EW": 2, "ALL": 3, "BOTH": 3}
"""What the tag ``Vulnerable`` says, as :func:`resultproc.model.at_the_table.vulnerability` has it."""


def _otherwise_vulnerable(event: Event) -> Iterator[Problem]:
    """Yield the boards with results whose tag says another vulnerability than their number, which scores go by."""
    for board in dict.fromkeys(board.text for board, _ in event.results):
        said = _VULNERABLE.get(event.vulnerable.get(board, "").upper())
        if said is not None and board.isdecimal() and said != vulnerability(int(board)):
            right, tag = vulnerable(int(board)), event.vulnerable[board]
            what = f"the tag Vulnerable says {tag}, and the board's number says {right}: it is scored so"
            yield Problem(what, f"board {board}", "correct the tag, or the board's number", code="boards.vulnerable")


def _first(cells: Cells, *names: str) -> float | None:
    return next((value for value in (_number_in(cells, name) for name in names) if value is not None), None)


def _number_in(cells: Cells, name: str) -> float | None:
    cell = cells.get(name)
    if cell is None or cell.text in _UNKNOWN:
        return None
    return 0.0 if cell.text.upper() == "PASS" else number_at(cell.text.removeprefix("^") or cell.text, cell.where, name)
