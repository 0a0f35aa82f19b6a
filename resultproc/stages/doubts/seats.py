"""Doubts about who sits where: half-uploaded files, directions that are part of numbers, sections that are amiss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, factorize_text, map_text, run_starts
from resultproc.model.errors import Problem
from resultproc.model.frames import family_columns
from resultproc.model.game import number_text
from resultproc.model.sections import declared_by_section, parsed_tables
from resultproc.stages.doubts.facts import Facts, first_rows

LEAST_BLOCK = 3
"""A sheet in order of its scores jumps between sections all the time, but seldom lists so many of one in a row."""

_DIRECTED = r"(?i)[0-9]+[\s.-]*(?:N-?S|E-?W|N/S|E/W)"
_LETTERED = r"(?i)[0-9]+[\s.-]*[AB]"


def half_a_table_short(facts: Facts) -> Iterator[Problem]:
    """Yield sections that lack half a table of contestants."""
    missing, allowed = facts.empty_seats
    yield from _short(facts, missing, (missing > 0) & (missing <= allowed))


def cut_off(facts: Facts) -> Iterator[Problem]:
    """Yield sections that lack more than half a table of contestants, as half-uploaded files do."""
    missing, allowed = facts.empty_seats
    yield from _short(facts, missing, missing > allowed)


def alone(facts: Facts) -> Iterator[Problem]:
    """Yield games of a single contestant: nobody plays alone."""
    for row in np.flatnonzero(np.bincount(facts.game, minlength=len(facts.games)) == 1).tolist():
        what = "one contestant alone is listed: is the file complete?"
        yield facts.of_game(row, what, "add those whom it played against")


def unlisted(facts: Facts) -> Iterator[Problem]:
    """Yield games that declare the tables of a section that lists nobody, as files cut off between sections do."""
    tables = facts.games["tables"]
    named = {text: {name: 1.0 for name in parsed_tables(text) if name} for text in factorize_text(tables)[1]}
    if not any(named.values()):
        return
    frame = facts.sections.frame
    there = ~np.isnan(declared_by_section(tables, named.__getitem__, frame))
    lacking = map_text(tables, lambda text: len(named[text]), 0) > np.bincount(frame["game"], there, len(tables))
    rows = np.flatnonzero(lacking)
    if not len(rows):
        return
    listed = set(zip(frame["game"].tolist(), frame["section"].tolist(), strict=True))
    for column in family_columns(facts.contestants, "section"):
        listed |= set(zip(facts.game.tolist(), facts.contestants[column].tolist(), strict=True))
    for row in rows.tolist():
        names = [name for name in named[str(tables.iat[row])] if (row, name) not in listed]
        if names:
            one = len(names) == 1
            what = f"tables declares section{'' if one else 's'} {', '.join(names)}, and nobody is listed there"
            hint = f"add {'its' if one else 'their'} contestants, or correct tables"
            yield facts.of_game(row, f"{what}: is the file complete?", hint)


def _short(facts: Facts, missing: Floats, at: Bools) -> Iterator[Problem]:
    frame = facts.sections.frame
    for row in np.flatnonzero(at).tolist():
        section = frame.iloc[row]
        known, lacking = number_text(float(facts.tables[row])), number_text(float(missing[row]))
        listed = f"{section['pairs']} contestant{'s' if section['pairs'] != 1 else ''}"
        if facts.winners[row] == 2:
            listed += f" ({section['north_south']} N-S, {section['east_west']} E-W)"
        seats = "table seats" if known == "1" else "tables seat"
        what = f"section {section['section']} lists {listed}, {lacking} fewer than {known} {seats}: is a row missing?"
        rows = "the missing row" if lacking == "1" else "the missing rows"
        hint = f"add {rows}, correct tables, or declare sit_outs = {int(np.ceil(missing[row]))}"
        yield facts.of_game(int(section["game"]), what, hint)


def directions_in_numbers(facts: Facts) -> Iterator[Problem]:
    """Yield sections without directions whose numbers seem to have them: 3 NS, or 3A beside 3B."""
    numbers = facts.contestants["number"]
    one_way = (facts.sections.direction < 0) & facts.games["movement"].isna().to_numpy()[facts.game]
    if not one_way.any():
        return
    codes, distinct = factorize_text(numbers)
    texts = pd.Series(distinct, dtype="str")
    looks = [texts.str.fullmatch(pattern).to_numpy(dtype=bool) for pattern in (_DIRECTED, _LETTERED)]
    if not any(each.any() for each in looks):
        return
    directed, lettered = (each[codes] & one_way for each in looks)
    section = facts.sections.section
    last = texts.str[-1:].str.upper().to_numpy()[codes]
    count = len(facts.sections.frame)
    both = np.minimum(*(np.bincount(section[lettered & (last == letter)], minlength=count) for letter in "AB"))
    for row in first_rows(section, directed | (lettered & (both > 0)[section])):
        what = (
            f"the number '{numbers.iat[row]}' seems to name a direction, and section "
            f"{facts.contestants['section'].iat[row]} has none: all its pairs are compared as in a Howell"
        )
        yield facts.of_contestant(row, what, "write N-S or E-W in a column direction, or declare movement = howell")


def section_missing(facts: Facts) -> Iterator[Problem]:
    """Yield games whose sections skip a letter that no other game of the file has: A, C."""
    frame = facts.sections.frame
    if not frame["game"].duplicated().any():
        return
    number, texts = factorize_text(frame["section"])
    known = pd.Index(_LETTERS).get_indexer(texts)[number]
    single = known >= 0
    game, letter = frame["game"].to_numpy()[single], known[single]
    sources = pd.factorize(facts.games["source"])[0]
    of_source = np.zeros((int(sources.max(initial=-1)) + 2, 26), dtype=bool)
    of_game = np.zeros((len(facts.games), 26), dtype=bool)
    of_source[sources[game], letter] = True
    of_game[game, letter] = True
    upto = np.cumsum(of_game, axis=1)
    within = (upto > 0) & (upto < upto[:, -1:])
    gaps = within & ~of_source[sources] & ~_SKIPPED
    # More gaps than sections are a way of naming them, such as A, F and M.
    amiss = gaps.any(axis=1) & (gaps.sum(axis=1) < upto[:, -1])
    for row in np.flatnonzero(amiss).tolist():
        lacking, there = (", ".join(_LETTERS[mask[row]]) for mask in (gaps, of_game))
        what = f"the sections are {there}, and there is no section {lacking}: is the file complete?"
        yield facts.of_game(row, what, "add its contestants, or correct the letters of the sections")


_LETTERS = np.array([chr(ord("A") + number) for number in range(26)])
_SKIPPED = np.isin(_LETTERS, ["I", "O"])
"""Letters that many leave out because they look like figures."""


def section_twice(facts: Facts) -> Iterator[Problem]:
    """Yield sections that are listed in two places, another one between them: A, B, A."""
    block = facts.sections.line
    if not len(block):
        return
    start = np.flatnonzero(run_starts(block))
    if len(start) == len(facts.sections.lines):
        return
    length = np.diff(np.append(start, len(block)))
    shortest = np.full(len(facts.games), len(block))
    np.minimum.at(shortest, facts.game[start], length)
    start = start[shortest[facts.game[start]] >= LEAST_BLOCK]
    again = start[pd.Series(block[start]).duplicated().to_numpy()]
    once_more = np.bincount(facts.game[again], minlength=len(facts.games)) == 1
    for row in again[once_more[facts.game[again]]].tolist():
        section = facts.contestants["section"].iat[row]
        what = f"section {section} is listed a second time from here on"
        yield facts.of_contestant(row, what, "correct the section's letter, or list each section in one place")


def sections_alike(facts: Facts) -> Iterator[Problem]:
    """Yield sections whose contestants have all the scores and players of another section of their game."""
    frame = facts.sections.frame
    if len(frame) <= len(facts.games) or not facts.are_named:
        return
    whole = np.zeros(len(frame), dtype=np.uint64)
    np.add.at(whole, facts.sections.section, facts.results)
    keys = pd.DataFrame({"game": frame["game"], "whole": whole, "pairs": frame["pairs"], "section": frame["section"]})
    first = keys.groupby(["game", "whole", "pairs"])["section"].transform("first")
    for row in np.flatnonzero(keys.duplicated(["game", "whole", "pairs"]).to_numpy()).tolist():
        what = f"section {frame['section'].iat[row]} has the same contestants and scores as section {first.iat[row]}"
        yield facts.of_game(frame["game"].to_numpy()[row], what, "leave one of them out, or correct the rows")
