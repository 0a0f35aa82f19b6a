"""Doubts about who sits where: files that were cut off, sections that are amiss, a player too many or too few."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    distinct_rows,
    factorize_text,
    family_columns,
    first_of_each,
    known_players,
    map_text,
    plain,
    run_starts,
)
from resultproc.model.errors import Problem
from resultproc.model.facts import Facts, declared_by_section
from resultproc.model.game import EventType, number_text, parse_tables
from resultproc.model.text import counted
from resultproc.people.names import are_several
from resultproc.people.nobody import is_in_particular
from resultproc.people.spelling import one_plain_name, one_plain_number

LEAST_BLOCK = 3
"""A sheet in order of its scores jumps between sections all the time, but seldom lists this many of one in a row."""

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
    for row in np.flatnonzero(np.bincount(facts.sections.game, minlength=len(facts.games)) == 1).tolist():
        what = "one contestant alone is listed: is the file complete?"
        yield facts.of_game(row, what, "add those whom it played against")


def tables_counted(facts: Facts) -> Iterator[Problem]:
    """Yield games whose tables are not declared, and follow from their contestants."""
    told = facts.tables_told
    for row in np.flatnonzero(facts.games["tables"].isna() & told.notna() & ~facts.knockouts).tolist():
        what = f"tables is not declared: the contestants that are listed fill {told.iloc[row]}"
        yield facts.of_game(row, what, "declare tables if others were in play")


def empty_sections(facts: Facts) -> Iterator[Problem]:
    """Yield games that declare the tables of a section that lists nobody, as files cut off between sections do."""
    tables = facts.games["tables"]
    named = {text: {name: 1.0 for name in parse_tables(text) if name} for text in factorize_text(tables)[1]}
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
        listed |= set(zip(facts.sections.game.tolist(), facts.contestants[column].tolist(), strict=True))
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
        listed = counted(section["pairs"], "contestant")
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
    one_way = (facts.sections.direction < 0) & facts.games["movement"].isna().to_numpy()[facts.sections.game]
    if not one_way.any():
        return
    directed = one_way & map_text(numbers, lambda text: re.fullmatch(_DIRECTED, text) is not None, none=False)
    letter = map_text(numbers, lambda text: text[-1].upper() if re.fullmatch(_LETTERED, text) else "", "")
    lettered = one_way & (letter != "")
    section, count = facts.sections.section, len(facts.sections.frame)
    both = np.minimum(*(np.bincount(section[lettered & (letter == each)], minlength=count) for each in "AB"))
    for row in first_of_each(section, directed | (lettered & (both > 0)[section])):
        what = (
            f"the number '{numbers.iat[row]}' seems to name a direction, and section "
            f"{facts.contestants['section'].iat[row]} has none: all its pairs are compared as in a Howell"
        )
        yield facts.of_contestant(row, what, "write N-S or E-W in a column direction, or declare movement='howell'")


def rainbow(facts: Facts) -> Iterator[Problem]:
    """Yield individuals that are listed by direction: more than two fields cannot be told apart here."""
    frame = facts.sections.frame
    for row in np.flatnonzero((facts.event_type == EventType.INDIVIDUAL.value)[frame["game"]] & (facts.winners == 2)):
        section = frame.iloc[row]
        what = f"section {section['section']} is an individual listed by direction: its two lists are two fields here"
        yield facts.of_game(
            int(section["game"]),
            f"{what}; a rainbow compares N, S, E and W apart, in four",
            "four fields cannot be declared here; of an individual with one winner leave the directions out",
        )


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
    np.minimum.at(shortest, facts.sections.game[start], length)
    start = start[shortest[facts.sections.game[start]] >= LEAST_BLOCK]
    again = start[pd.Series(block[start]).duplicated().to_numpy()]
    once_more = np.bincount(facts.sections.game[again], minlength=len(facts.games)) == 1
    for row in again[once_more[facts.sections.game[again]]].tolist():
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
    number, first = distinct_rows(frame[["game", "pairs"]].assign(whole=whole))
    for row in np.flatnonzero(first[number] != np.arange(len(number))).tolist():
        own, other = frame["section"].iloc[[row, first[number[row]]]]
        what = f"section {own} has the same contestants and scores as section {other}"
        yield facts.of_game(frame["game"].to_numpy()[row], what, "leave one of them out, or correct the rows")


_PAIRS = (EventType.PAIRS.value, EventType.TEAM_OF_TWO.value)


def listed_twice(facts: Facts) -> Iterator[Problem]:
    """Yield players who sit more than once in a game, by member number, else by name.

    A name that has two numbers is two people. Names of one word are passed over, since families share them.
    """
    columns = family_columns(facts.contestants)
    if not facts.are_named and not family_columns(facts.contestants, "id"):
        return
    by_number, by_name = _seats(facts, columns)
    of_numbers = [seats for seats in by_number.values() if len(seats) > 1]
    told = {seat for seats in of_numbers for seat in seats}
    left = ([seat for seat in seats if seat not in told] for seats in by_name.values())
    of_names = [seats for seats in left if len(seats) > 1 and len({number for *_, number in seats if number}) < 2]
    found = []
    of_kinds = [*(("id", seats) for seats in of_numbers), *(("player", seats) for seats in of_names)]
    for kind, ((row, at, _), again, *others) in of_kinds:
        text = facts.contestants[columns[at].replace("player", kind)].iat[row]
        times = f"{len(others) + 2} times" if others else "twice"
        who = f"the member number {text}" if kind == "id" else str(text)
        found.append((again[0], who, f"{times}, first in {facts.where(row)}"))
    yield from facts.of_contestants(
        np.array([row for row, _, _ in found], dtype=np.int64),
        [f"{who} {times}" for _, who, times in found],
        lambda at: f"{found[at][1]} is in this game {found[at][2]}",
        lambda _, count: f"{count} are in this game more than once",
        "correct the name or member number; if two people share a name, write their member numbers",
        kind="players",
    )


_Seats = dict[tuple[int, str], list[tuple[int, int, str]]]
"""By a game and who sits there: the row of each contestant, the place of the player in it, and the member number."""


def _seats(facts: Facts, columns: Sequence[str]) -> tuple[_Seats, _Seats]:
    """Return who sits where, by member numbers and by names in their plain spelling, those that tell who it is."""
    texts = facts.contestants.reindex(columns=[*columns, *(name.replace("player", "id") for name in columns)])
    number_of, name_of = cache(one_plain_number), cache(_telling)
    by_number: _Seats = {}
    by_name: _Seats = {}
    for row, (game, *cells) in enumerate(zip(facts.sections.game.tolist(), *plain(texts).values(), strict=True)):
        for at, (name, id_) in enumerate(zip(cells[: len(columns)], cells[len(columns) :], strict=True)):
            number, who = number_of(id_ or ""), name_of(name or "")
            if number:
                by_number.setdefault((game, number), []).append((row, at, number))
            if who:
                by_name.setdefault((game, who), []).append((row, at, number))
    # The games of an archive name nobody: every player there is called the same.
    return by_number, by_name if len({who for _, who in by_name}) > 1 else {}


def _telling(name: str) -> str:
    """Return a name in its plain spelling, empty for one that does not tell anybody from others."""
    spelt = one_plain_name(name)
    return spelt if re.search(r"[ \d]", spelt) and is_in_particular(spelt) else ""


def too_few(facts: Facts) -> Iterator[Problem]:
    """Yield pairs of one player or none; once for a game in which all are."""
    named = known_players(facts.contestants)
    alone = named < 2
    if not alone.any():
        return
    alone &= np.isin(facts.event_type, _PAIRS)[facts.sections.game] & ~_look_like_two(facts)
    listed = np.bincount(facts.sections.game, minlength=len(facts.games))
    whole = np.bincount(facts.sections.game, alone, len(facts.games)) == listed
    for row in np.flatnonzero(whole & (listed > 0)).tolist():
        what = "no pair of this game has two players"
        yield facts.of_game(row, what, "write both players of each pair, or declare event_type='individual'")
    rows = np.flatnonzero(alone & ~whole[facts.sections.game])
    players = ["one player" if number else "no players" for number in named[rows].tolist()]
    yield from facts.of_contestants(
        rows,
        players,
        lambda at: f"the pair {facts.called(int(rows[at]))} has {players[at]}",
        lambda _, count: f"{count} have fewer than two players",
        "write both players, or leave the row out if the pair did not play",
    )


def joined(facts: Facts) -> Iterator[Problem]:
    """Yield games with players whose names look like two: Smith - Jones."""
    found = _look_like_two(facts)
    count = np.bincount(facts.sections.game[found], minlength=len(facts.games))
    for row in first_of_each(facts.sections.game, found):
        names = [facts.contestants[column].iat[row] for column in family_columns(facts.contestants)]
        name = next(name for name in names if isinstance(name, str) and are_several(name))
        others = int(count[facts.sections.game[row]]) - 1
        also = f", as in {counted(others, 'other row')}" if others else ""
        what = f"'{name}' looks like two players in one column{also}"
        yield facts.of_contestant(row, what, "write each in a column of its own: player1, player2")


def _look_like_two(facts: Facts) -> Bools:
    """Return who has a player whose name looks like two: Smith - Jones."""
    found = np.zeros(len(facts.contestants), dtype=bool)
    for column in family_columns(facts.contestants):
        found |= map_text(facts.contestants[column], are_several, none=False)
    return found


def nameless(facts: Facts) -> Iterator[Problem]:
    """Yield contestants with a player whose member number is there, and whose name is not."""
    if not facts.are_named:
        return
    found: list[tuple[int, str, str]] = []
    for column in family_columns(facts.contestants):
        number = facts.contestants.get(column.replace("player", "id"))
        if number is not None:
            at = (number.notna() & facts.contestants[column].isna()).to_numpy()
            found += [(row, str(number.iat[row]), column) for row in np.flatnonzero(at).tolist()]
    rows = np.array([row for row, _, _ in found], dtype=np.int64)
    yield from facts.of_contestants(
        rows,
        [f"{number}: {column}" for _, number, column in found],
        lambda at: f"{facts.called(int(rows[at]))} has a player without a name, whose member number is {found[at][1]}",
        lambda _, count: f"{count} have a member number and no name",
        "write the names",
        lambda at: f"write the name: {found[at][2]}",
        kind="players",
    )
