"""A game as it would be, as text, as a page with sliders, as a workbook, or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from textwrap import indent
from typing import TYPE_CHECKING, Any

from resultproc.model.errors import quoted
from resultproc.model.game import number_text, strata_text
from resultproc.model.numbers import decimal_text, decimals, number_cell
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, league_named
from resultproc.pages import words
from resultproc.pages.page import PageColumn, PageRow, PageTable, Report, markup
from resultproc.pages.tables import Writers, table_as_text
from resultproc.reports.limits import FEWEST
from resultproc.reports.outcomes import ContestantOutcome, outcome_entry, place_words
from resultproc.reports.whatif.whatif import Entries, Judged, Paid, Try, WhatIf

if TYPE_CHECKING:
    from resultproc.reports.outputs import ProposalEntry, ProposedLimits


NOTE = {
    "choices": "For each choice: how many of those in a stratum are paid there, and their masterpoints together",
    "scores": "The scores stay as they are.",
    "sessions": "The sessions before stay as they are.",
    "needed": "The results of all others stay as they are; what one pair gets more, others would get less.",
}

ENTRIES_WRITERS: Writers[[Entries]] = Writers()
"""The formats of proposed limits by name."""

WRITERS: Writers[[WhatIf]] = Writers()
"""The formats of a what-if by name."""


@WRITERS.text
def text(found: WhatIf) -> Iterator[str]:
    """Yield what would change: the strata, and who gains or loses; for many choices of limits, a line each."""
    yield from (words.title_of_game(found.game), "", "As it is", _strata(found, found.base))
    if len(found.cases) == 1:
        (case,) = found.cases
        yield from ("", f"With {case.label}" if case.label else "What if")
        if case.problem:
            yield f"  cannot be awarded: {case.problem}"
        else:
            rows = [
                [seat, found.names.get(seat, ""), *_amounts(found, old, new)] for seat, old, new in changed(found, case)
            ]
            gains = _indented(("", "who gains or loses", "as it is", "then", ""), rows)
            yield from (_strata(found, case), "", gains if rows else "  Nobody gets more or less.")
            yield f"  {NOTE['scores']}"
    elif found.cases:
        yield from ("", NOTE["choices"], "", _indented(*_choices(found)))
        yield from (f"  {said}" for said in _problems(found))
    if found.who:
        yield from ("", _of_needed(found))
        yield _indented(*_steps(found)) if found.needed else "  Nothing: no result pays more."
        yield from (f"  {said}" for said in _notes(found) if found.needed)


def _indented(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return indent(table_as_text(columns, rows), "  ").rstrip("\n")


def _strata(found: WhatIf, judged: Judged) -> str:
    columns = ("stratum", "limit", "contestants", "paid", "masterpoints", "first award")
    return _indented(columns, [_row(found, each) for each in judged.strata])


def _row(found: WhatIf, each: Paid) -> list[object]:
    if not each.ranked:
        return [each.letter, number_text(each.limit), str(each.contestants), "too small", "", ""]
    amounts = (_points(found, each.masterpoints), _points(found, each.first))
    return [each.letter, number_text(each.limit), str(each.contestants), str(each.paid), *amounts]


def changed(found: WhatIf, case: Judged) -> list[tuple[str, ContestantOutcome, ContestantOutcome]]:
    """Return the contestants who get more or less than as it is, who lose most first: their label, before and after."""
    nothing = ContestantOutcome()
    seats = dict.fromkeys([*found.base.outcomes, *case.outcomes])
    pairs = [(seat, found.base.outcomes.get(seat, nothing), case.outcomes.get(seat, nothing)) for seat in seats]
    differing = [each for each in pairs if each[1].masterpoints != each[2].masterpoints]
    return sorted(differing, key=lambda each: each[2].masterpoints - each[1].masterpoints)


def _points(found: WhatIf, hundredths: int) -> str:
    """Return an award as the league of the game prints it."""
    return in_points(hundredths, league_named(found.game["league"], found.game["rating"]))


def _amounts(found: WhatIf, old: ContestantOutcome, new: ContestantOutcome) -> list[str]:
    """Return what a contestant has, what it gets then, and how much more or less that is."""
    gain = new.masterpoints - old.masterpoints
    change = f"{'+' if gain > 0 else '-'}{_points(found, abs(gain))}"
    return [_points(found, old.masterpoints), _points(found, new.masterpoints), change]


def _problems(found: WhatIf) -> list[str]:
    return [f"With {case.label}: {case.problem}" for case in found.cases if case.problem]


def _choices(found: WhatIf) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of a list of choices: the limits, what each stratum pays, how many gain and lose."""
    letters = [stratum.letter for stratum in next((case.strata for case in found.cases if case.strata), ())]
    rows = []
    for case in found.cases:
        if case.problem:
            rows.append([case.label, "cannot be awarded", *[""] * (len(letters) + 1)])
            continue
        differing = changed(found, case)
        gain = sum(new.masterpoints > old.masterpoints for _, old, new in differing)
        limits = "/".join(number_text(each.limit) for each in case.strata)
        sums = [
            f"{each.paid} of {each.contestants}: {_points(found, each.masterpoints)}"
            if each.ranked
            else f"{each.contestants}: too small"
            for each in case.strata
        ]
        rows.append([limits, *sums, str(gain), str(len(differing) - gain)])
    return ["Limits", *letters, "Gain", "Lose"], rows


def _of_needed(found: WhatIf) -> str:
    """Return ``What Ann Lee - Bob Ray (A-NS-5) needed in session 2 for more than 0.28``."""
    now = _points(found, found.base.outcomes[found.who].masterpoints)
    session = f" in session {found.session}" if found.session else ""
    base = ", the game as it is" if found.cases else ""
    return f"What {found.names[found.who]} ({found.who}) needed{session} for more than {now}{base}"


def _notes(found: WhatIf) -> list[str]:
    """Return what holds beside what was needed."""
    return [*([NOTE["sessions"]] if found.session > 1 else []), NOTE["needed"]]


def _steps(found: WhatIf) -> tuple[list[str], list[list[str]]]:
    """Return the columns and rows of what was needed: ``60.19%``, the score, for several sessions the total."""
    texts = {
        "at least": [f"{decimals(step.percentage)}%" if not isnan(step.percentage) else "" for step in found.needed],
        "score": [number_cell(step.score) if not isnan(step.score) else "" for step in found.needed],
        "total": [number_cell(step.total) if not isnan(step.total) else "" for step in found.needed],
        "gets": [_points(found, step.outcome.masterpoints) for step in found.needed],
        "places": [_places(step.outcome) for step in found.needed],
    }
    there = {name: each for name, each in texts.items() if any(each)}
    return list(there), [list(row) for row in zip(*there.values(), strict=True)]


def _places(outcome: ContestantOutcome) -> str:
    """Return ``section A 2nd, B 1st``."""
    said: dict[str, list[str]] = {}
    for basis, stratum, place in outcome.places:
        said.setdefault(basis, []).append(f"{stratum} {place_words(place)}")
    return "; ".join(f"{basis} {', '.join(each)}" for basis, each in said.items())


@WRITERS.json
def to_json(found: WhatIf) -> Mapping[str, Any]:
    """Return the same as JSON, with what every contestant gets in each case; masterpoints are decimal strings."""
    session = {"session": found.session} if found.session else {}
    needed = {"contestant": found.who, **session, "steps": [_step(step) for step in found.needed]}
    return {
        "provenance": found.provenance.entry(),
        "game_id": found.game["game_id"],
        "as_it_is": _entry(found.base),
        "cases": [{"change": case.label, **_entry(case)} for case in found.cases],
        **({"needed": needed} if found.who else {}),
        "remarks": [remark.entry_of_remark for remark in quoted(found.remarks)],
    }


def _entry(judged: Judged) -> dict[str, Any]:
    if judged.problem:
        return {"problem": judged.problem}
    strata = [
        {
            "stratum": each.letter,
            "limit": number_text(each.limit),
            "contestants": each.contestants,
            "ranked": each.ranked,
            "paid": each.paid,
            "masterpoints": decimal_text(each.masterpoints),
            "first": decimal_text(each.first),
        }
        for each in judged.strata
    ]
    return {
        "strata": strata,
        "contestants": [{"contestant": seat, **outcome_entry(each)} for seat, each in judged.outcomes.items()],
    }


def _step(step: Try) -> dict[str, Any]:
    known = {"score": step.score, "total": step.total}
    return {
        "at_least": step.score if isnan(step.percentage) else step.percentage,
        **{name: value for name, value in known.items() if not isnan(value)},
        **outcome_entry(step.outcome),
    }


@WRITERS.sheets
def shown(found: WhatIf) -> Report:
    """Return the tables; on the page limits that were tried are chosen with sliders."""
    sweep = found.pattern is not None and found.pattern.sweeps
    tables = {"As it is": _strata_table(found, "now", "As it is", found.base)}
    if sweep:
        (first, *others), rows = _choices(found)
        columns = [PageColumn(first, "k"), *(PageColumn(name, "", name) for name in others)]
        tables["Limits"] = PageTable("choices", "All limits that were tried", columns, [*map(PageRow, rows)])
    elif found.cases and not found.cases[0].problem:
        (case,) = found.cases
        tables["Then"] = _strata_table(found, "then", f"With {case.label}" if case.label else "Then", case)
        tables["Gains"] = _changed_table(found, case)
    if found.needed:
        tables["Needed"] = _needed_table(found)
    said = [f"{NOTE['choices']}."] if sweep else [NOTE["scores"]] if found.cases else []
    return Report(
        f"{cell_text(words.heading(found.game))}: what if",
        list(tables.values()),
        {name: [table] for name, table in tables.items()},
        facts=[day for day in [cell_text(words.when(found.game))] if day],
        problems=_problems(found),
        picture=markup("reports/whatif/sliders.html", data=_data(found)) if sweep else "",
        said=[*said, *(_notes(found) if found.needed else [])],
        remarks=quoted(found.remarks),
        provenance=found.provenance,
        script=("reports/whatif/sliders.js",) if sweep else (),
    )


def _strata_table(found: WhatIf, name: str, title: str, judged: Judged) -> PageTable:
    columns = [
        PageColumn("Stratum", "k"),
        PageColumn("Limit", "", "limit"),
        PageColumn("In it", "", "in it"),
        PageColumn("Paid", "", "paid"),
        PageColumn("Masterpoints", "a", "in all"),
        PageColumn("First award", "", "first award"),
    ]
    return PageTable(name, title, columns, [PageRow(_row(found, each)) for each in judged.strata], sorts=False)


def _needed_table(found: WhatIf) -> PageTable:
    names, rows = _steps(found)
    kinds = {names[0]: "k", "gets": "a", "places": "l"}
    columns = [
        PageColumn(name.capitalize(), kinds.get(name, ""), "" if name in (names[0], "places") else name)
        for name in names
    ]
    return PageTable("needed", _of_needed(found), columns, [PageRow(row) for row in rows], sorts=False)


def _changed_table(found: WhatIf, case: Judged) -> PageTable:
    columns = [
        PageColumn("Who", "n"),
        PageColumn("As it is", "", "as it is"),
        PageColumn("Then", "a", "then"),
        PageColumn("Change", "", "change"),
    ]
    rows = [
        PageRow([f"{found.names.get(seat, '')} ({seat})", *_amounts(found, old, new)])
        for seat, old, new in changed(found, case)
    ]
    return PageTable("changed", "Who gains or loses" if rows else "Nobody gains or loses", columns, rows, sorts=False)


def _data(found: WhatIf) -> dict[str, Any]:
    """Return what the sliders choose from: the limits, and by them what each stratum and each contestant gets."""
    assert found.pattern is not None
    seats = list(found.base.outcomes)
    cases = {
        "/".join(number_text(each.limit) for each in case.strata): {
            "strata": [_row(found, each) for each in case.strata],
            "awards": [case.outcomes.get(seat, ContestantOutcome()).masterpoints for seat in seats],
        }
        for case in found.cases
        if not case.problem
    }
    own = {each.letter: number_text(each.limit) for each in found.base.strata}
    free = [at for at, limit in enumerate(found.pattern.limits) if limit is None]
    limits = sorted({case.strata[at].limit for case in found.cases if case.strata for at in free})
    return {
        "letters": list(found.pattern.letters),
        "fixed": [None if limit is None else number_text(limit) for limit in found.pattern.limits],
        "limits": [number_text(limit) for limit in limits],
        "own": [own.get(letter) for letter in found.pattern.letters],
        "names": [f"{found.names[seat]} ({seat})" for seat in seats],
        "now": [found.base.outcomes[seat].masterpoints for seat in seats],
        "cases": cases,
    }


@ENTRIES_WRITERS.text
def entries_text(found: Entries) -> Iterator[str]:
    """Yield the limits that are proposed for tonight's entries."""
    yield _of_entries(found)
    if found.proposals:
        yield from ("", *table_as_text(*_proposed(found)).splitlines())


@ENTRIES_WRITERS.sheets
def entries_shown(found: Entries) -> Report:
    """Return the table of limits, and how many have each stratum as their own, each number with what it counts."""
    names, rows = _proposed(found)
    columns, note = [PageColumn(name, "", name) for name in names], "and how many are in each stratum"
    table = PageTable("limits", "Limits", columns, [*map(PageRow, rows)], note)
    return Report(_of_entries(found), [table] if rows else [], {"Limits": [table]}, provenance=found.provenance)


@ENTRIES_WRITERS.json
def entries_json(found: Entries) -> ProposedLimits:
    """Return the same as JSON."""
    proposed: list[ProposalEntry] = [
        {
            "strata": strata_text(list(each.strata)),
            "entries": dict(zip((s.letter for s in each.strata), each.entries, strict=True)),
        }
        for each in found.proposals
    ]
    return {"provenance": found.provenance.entry(), "entries": found.count, "proposals": proposed}


def _of_entries(found: Entries) -> str:
    entries = f"{found.count} entr{'y' if found.count == 1 else 'ies'}"
    if not found.proposals:
        return f"{entries}: no round limits make strata of {FEWEST} or more each"
    return f"Limits for {entries}"


def _proposed(found: Entries) -> tuple[list[str], list[list[str]]]:
    letters = [each.letter for each in found.proposals[0].strata] if found.proposals else []
    columns = [*letters, *(f"{letter} alone" for letter in letters[:-1]), *(f"in {letter}" for letter in letters[-1:])]
    return columns, [
        [*(number_text(s.limit) for s in each.strata), *map(str, each.entries)] for each in found.proposals
    ]
