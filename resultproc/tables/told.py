"""What stands around a list and what it tells: the event's name, kind, movement, club, date, tables and boards."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from resultproc.model.codes import CONTRADICTED, EVENT_TOLD, PASSED_OVER, TITLE_NOT_TAKEN
from resultproc.model.column_names import meanings_of
from resultproc.model.dates import date_in, dated, day_written, with_english_months, written_date
from resultproc.model.draft import Draft, GameFacts
from resultproc.model.errors import DeclarationError, InputError, Problem, shown
from resultproc.model.game import PER_TABLE, TEAMS, EventType, Movement
from resultproc.model.grid import Cell, Row
from resultproc.model.source import Declaration
from resultproc.tables.heads import events_named, labelled, names_teams, said_aside
from resultproc.tables.seats import seats_told
from resultproc.tables.titles import Above, without_heading
from resultproc.tables.unsaid import RoundBoards, TitledMovement, TitledTables, directions_of, field_facts

_MOST_TITLES = 12

FILE_NAME = "the file's name"
HEAD = "the page's head"
"""What tells something of a game, besides titles."""

_COUNTS = ("boards", "tables")

_OF_MAIL = (
    r"(?i)(from|to|cc|sent|subject|reply-to|de|à|objet|envoyé|von|an|betreff|gesendet|van|aan|onderwerp|para|asunto|da|"
    r"oggetto|fra|til|emne|från|ämne|od|do|temat)\s?: |dat[eumao]+\s?: .*[0-9]:[0-9]{2}"
)
"""A line of what stands above a mail, whose date is not the game's."""


def _begins_header(text: str) -> bool:
    """Say whether a title is the first line of a header in several: ``Pos Pair Players Match``."""
    heads = [meanings_of(word) for word in text.split()]
    return sum(map(bool, heads)) > 2 and "place" in heads[0]


def above_of(titles: Sequence[Row], page_title: str) -> Above:
    """Return what titles say; one that declares what can't be is passed over with a remark, a mail's head without."""
    mail = [row for row in titles if re.match(_OF_MAIL, " ".join(row.texts))]
    posted = [row for row in titles if _is_posted(" ".join(row.texts))]
    aside = [*posted, *(mail if len(mail) > 1 else [])]
    if aside:
        titles = [row for row in titles if row not in aside]
        titles = _in_year_of(next(filter(None, (day_in(" ".join(row.texts)) for row in aside)), ""), titles)
    at = next((n for n, row in enumerate(titles) if _begins_header(" ".join(row.texts))), len(titles))
    titles = [row for n, row in enumerate(titles) if n < at or seats_told(" ".join(row.texts))]
    kept, dropped = [], list[Problem]()
    where = "the page's title"
    for row in [*titles[-_MOST_TITLES:], *([Row([Cell(page_title, where)], where)] if page_title else [])]:
        if len(row.texts) == 1 and meanings_of(row.texts[0]) and not names_teams(row.texts[0]):
            continue  # as programs head a page by its first column
        links = len(row.texts) == 2 and row.texts[0].casefold() in _COUNTS and not re.search("[0-9]", row.texts[1])
        if links or (len(row.texts) > 1 and all(map(seats_told, row.texts))):
            continue  # as pages have above a list, and lists side by side
        try:
            row = _undivided(row)
            if not Above.of([row]).declared:
                row = Row([Cell(without_heading("   ".join(row.texts)), row.where)], row.where)
                Above.of([row])
        except InputError as error:
            dropped += error.problems if row.where != where else ()
            continue
        kept.append(row)
    dated = [row for row in kept if date_in(with_english_months(row.cells[0].text))]
    ordered = dated + [row for row in kept if row not in dated]
    above, taken = Above(), list[Row]()
    try:
        above = Above.of(ordered)
    except InputError:
        for row in ordered:
            try:
                above, taken = Above.of([*taken, row]), [*taken, row]
            except InputError as error:  # a page's title may say again what its first line does
                dropped += error.problems if row.where != where else ()
    above.remarks += [replace(each, code=PASSED_OVER) for each in dropped]
    return above


def _is_posted(text: str) -> bool:
    """Say whether a text tells when something was published: no day of a game."""
    return re.search(rf"(?i)\b(?:{said_aside('posted')})\b", text) is not None and dated(text)[0] != ""


def _in_year_of(sent: str, titles: Sequence[Row]) -> Sequence[Row]:
    """Return titles with the year behind a day that has none, ``Friday Oct. 30``, of the weeks before a mail was sent.

    sent: that day, '' for none.
    """
    texts = [" ".join(row.texts) for row in titles]
    if not sent or any(date_in(with_english_months(text)) for text in texts):
        return titles
    found, sent_on = [], datetime.fromisoformat(sent)
    for row, text in zip(titles, texts, strict=True):
        ends = (word.end() for word in re.finditer(r"[0-9](?:st|nd|rd|th)?\b|[^\W\d_]{3,}\.?(?!\w)", text))
        days = ((end, dated(f"{text[:end]} {sent[:4]}")[0]) for end in ends)
        last = [end for end, day in days if 0 <= (sent_on - (day_written(day) or datetime.max)).days <= _LATE]
        found.append(
            row._replace(cells=[Cell(f"{text[: last[0]]} {sent[:4]}{text[last[0] :]}", row.where)]) if last else row
        )
    return found


_LATE = 60
"""A list is sent within so many days."""


def _undivided(row: Row) -> Row:
    """Return a title that columns below part as one text, where it tells more so, or is labelled: ``Event: Heat 2``."""
    whole = Row([Cell(" ".join(row.texts), row.where)], row.where)
    return max([row, whole] if labelled(row.texts[0]) else [whole, row], key=_facts_told) if len(row.texts) > 1 else row


def _facts_told(row: Row) -> int:
    """Return how much a title tells of the game besides the names of event and club; -1 for one that cannot be read."""
    try:
        above = Above.of([row])
    except InputError:
        return -1
    dates = [each.value for key, each in above.declared.items() if key == "date"]
    return (
        len(above.declared) + len(above.facts.keys() - {"event", "club"}) - sum(not day_in(str(each)) for each in dates)
    )


def of_meta(meta: Mapping[str, str]) -> dict[str, Any]:
    """Return what Magic Contest's ``META`` lines say of a game, as texts by game key.

    Their names are those that the program writes: https://www.brenning.se.
    """
    if "magic contest" not in meta.get("generator", "").casefold():
        return {}
    name = meta.get("contestname", "")
    said = {
        "date": meta.get("contestdate", ""),
        "event": name if re.search(r"[^\W\d_]", name) else "",  # some call an event by its date
        "tables": meta.get("tablecount", ""),
        "boards": meta.get("boardcount", ""),
    }
    return {key: text for key, text in said.items() if text}


def day_of(days: Mapping[str, str], where: str) -> tuple[Declaration | None, list[Problem]]:
    """Return the day that what tells one tells, and a remark where these differ.

    days: each day by what tells it, such as the page's head; the file's name last, which may have the day after. where:
    the list's. The day that most tell is the game's; if two differ, the one that the file's name does not say.
    """
    found = {source: day for source, day in days.items() if day}
    several = sorted(set(found.values()), key=lambda day: -list(found.values()).count(day))
    if not several:
        return None, []
    if len(several) == 1:
        return Declaration(several[0], next(iter(found))), []
    texts = ", ".join(f"{source} says {day}" for source, day in found.items())
    inside = list(dict.fromkeys(day for source, day in found.items() if source != FILE_NAME))
    taken = several[0] if len(several) < len(found) else inside[0] if len(inside) == 1 else ""
    what = f"the date is told in several ways: {texts}"
    hint = f"{taken} is taken: declare the date if it is another" if taken else "declare the date"
    source = next((source for source, day in found.items() if day == taken), "")
    return Declaration(taken, source) if taken else None, [Problem(what, where, hint, code=PASSED_OVER, key="date")]


def day_in(text: str) -> str:
    """Return the day that a text names, as 2012-04-18; empty for none, and for one that may be two."""
    try:
        return written_date(date_in(with_english_months(text))).isoformat()
    except ValueError:
        return ""


_TEAM = 4
"""The fewest players of a team."""


def with_event_type(draft: Draft, known: Sequence[GameFacts]) -> Draft:
    """Return a draft of a game with the type of event that its names and titles tell, where nothing declares it.

    Four names a row, or one where a title or heading names teams, or fewer where the event is called one of teams, are
    a Swiss, a knockout or board-a-match where a title says so, or a Swiss with VPs; one name is an individual where a
    title or the heading does. A remark says what it was taken from, or that it has to be declared.

    known: the facts of the games, those of the settings included.
    Raises DeclarationError for a type that the rows of a list contradict.
    """
    if len(known) > 1:
        return draft
    count = _names_a_row(draft)
    declared = known[0].get("event_type")
    (fact,) = draft.facts
    heads = [column.head for each in draft.understood.lists for column in each.columns]
    event = str(known[0].get("event") or "")
    said = " ".join([event, *(told.text for told in draft.understood.told)])
    kind, why = "", ""
    if count == 1 or count >= _TEAM:
        kind, why = _kind_told(said, heads, fact, count)
    elif draft.understood.lists and {"teams", "pairs"} & events_named(event) == {"teams"}:
        kind, _ = _kind_told(said, heads, fact, _TEAM)
        rows = f"each row names {count} players" if count else "some rows name one player"
        why = f"it is called '{event}', though {rows}"
    if declared is not None and draft.understood.lists:
        won = any("vps" in meanings_of(head) for head in heads)  # a heading of teams may be that of pairs
        teams = count == 1 and declared not in TEAMS and (kind in TEAMS or (why != "" and won))
        # Of a team some lists name two.
        if teams or (count > 1 if declared == EventType.INDIVIDUAL else count >= _TEAM and declared not in TEAMS):
            each = "a team" if teams else f"{count} players"
            what = f"event_type is {declared}, and each row of this list names {each}"
            raise DeclarationError(what, hint="correct event_type, or the rows", code=CONTRADICTED)
    if declared is not None or not (kind or why):
        return draft
    what = f"event_type is not declared: it is taken for {kind}, as {why}"
    hint = "if it was another, declare event_type"
    if not kind:
        what, hint = f"event_type is not declared, and {why}", KIND_ASKED
    remark = Problem(what, "", hint, shown(str(fact["source"])), code=EVENT_TOLD)
    return replace(draft, facts=[fact | ({"event_type": kind} if kind else {})], remarks=(*draft.remarks, remark))


KIND_ASKED = "declare whether these teams played a swiss, a knockout or bam"
"""The hint of a remark on teams of whom nothing tells what they played."""


def _names_a_row(draft: Draft) -> int:
    """Return how many names the rows have: the fewest that any has where that is more than one; 0 for others."""
    players = [draft.rows[name] for name in draft.rows if name.startswith("player") and name[6:].isdecimal()]
    if not players or not len(draft.rows):
        return 0
    counts = [len(names) - names.count(None) for names in zip(*players, strict=True)]
    return min(counts) if min(counts) > 1 else int(set(counts) == {1})


def _kind_told(said: str, heads: Sequence[str], fact: GameFacts, count: int) -> tuple[str, str]:
    """Return the type of event that titles and headings tell, and why; a reason alone where it has to be asked for."""
    titled = events_named(said)
    named = titled | events_named(" ".join(heads))
    if count == 1 and "individual" in named:
        known = named & {"pairs", "teams"}
        return ("", "") if known else (EventType.INDIVIDUAL.value, "its title says so, and each row has one name")
    if count == 1 and "pairs" in titled:
        return "", ""
    for kind in TEAMS:
        if kind in titled:
            return kind, "its title says so, and each row names a team"
    if isinstance(fact.get("boards"), RoundBoards) and any("vps" in meanings_of(head) for head in heads):
        return EventType.SWISS.value, "its title counts matches, and each row has a team and its VPs"
    return "", "each row names a team" if count == 1 and "teams" in named else ""


def with_movement(draft: Draft) -> Draft:
    """Return a draft whose titles name no other movement than its contestants show, with a remark."""
    facts, remarks = [], []
    directed = any(directions_of(draft.rows))
    for fact in draft.facts:
        movement = fact.get("movement")
        if isinstance(movement, TitledMovement):
            fact = {name: value for name, value in fact.items() if name != "movement"}
            if directed == (movement == Movement.MITCHELL.value):
                fact["movement"] = str(movement)
            else:
                have = "have directions" if directed else "have no directions"
                how = "N-S and E-W are compared apart" if directed else "all are compared together"
                what = f"a title says {movement}, and the contestants {have}: {how}"
                hint = "declare movement, or correct the directions, if that is not so"
                remarks.append(Problem(what, "", hint, shown(str(fact["source"])), code=TITLE_NOT_TAKEN))
        facts.append(fact)
    return replace(draft, facts=facts, remarks=(*draft.remarks, *remarks)) if facts != list(draft.facts) else draft


def with_titled_tables(draft: Draft) -> Draft:
    """Return a draft of a game of pairs whose title counts more tables than the pairs that are listed fill.

    The title's tables count, as they were in play; who is missing is taken to sit out, and a remark says how many that
    are. Half a table is nobody's fault, and so nothing is said of it.
    """
    (fact, *others), sections = draft.facts, set(draft.rows["section"])
    kind, listed = fact.get("event_type") or EventType.PAIRS.value, len(draft.rows)
    crowd = next((told for told in draft.understood.told if told.key in {"pairs", "players", "teams"}), None)
    if crowd and not others:
        players = [draft.rows[name] for name in draft.rows if re.fullmatch("player[0-9]+", name)]
        named = sum(text is not None for names in players for text in names)
        counted, told = named if crowd.key == "players" else listed, int(crowd.value)
        if counted != told:
            what = f"'{crowd.text}' stands above the list, and {counted} are listed"
            hint = "declare tables if others were in play"
            code = "title.more-tables" if told > counted else TITLE_NOT_TAKEN
            remark = Problem(what, crowd.where, hint, code=code, key="tables")
            draft = replace(draft, remarks=(*draft.remarks, remark))
        if fact.get("tables") is None and len(sections) == 1 and told >= counted:
            entered = told * listed / counted
            fact = fact | {"tables": TitledTables(f"{math.ceil(entered * 2 / PER_TABLE[kind]) / 2:g}")}
            draft = replace(draft, facts=[fact])
    tables = fact.get("tables")
    if not others and len(sections) > 1 and isinstance(tables, TitledTables):
        filled = str(field_facts(draft.rows, EventType(kind))["tables"])
        total = sum(map(float, re.findall("=([0-9.]+)", filled)))
        return replace(draft, facts=[fact | {"tables": filled}]) if total == float(tables) else draft
    if others or len(sections) != 1 or not isinstance(tables, TitledTables) or kind != EventType.PAIRS.value:
        return draft
    missing = int(float(tables) * PER_TABLE[kind]) - listed
    if fact.get("sit_outs") is not None or missing <= PER_TABLE[kind] / 2:
        return draft
    if crowd:
        return replace(draft, facts=[fact | {"sit_outs": missing}])
    what = f"a title says {tables} tables, and {listed} pairs are listed, {missing} fewer than these seat"
    hint = f"add the missing pairs, or declare sit_outs = {missing} if that is so, or tables if there were fewer"
    remark = Problem(
        f"{what}: the title's tables count", "", hint, shown(str(fact["source"])), code="title.more-tables"
    )
    return replace(draft, facts=[fact | {"sit_outs": missing}], remarks=(*draft.remarks, remark))
