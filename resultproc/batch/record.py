"""One player's games out of an archive: who is meant, and what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from resultproc.batch.manifest import current_parts
from resultproc.batch.persons import People, known_people
from resultproc.batch.query import QueriedPlace, query
from resultproc.batch.store import Store
from resultproc.model.errors import InputError, Problem, nearest
from resultproc.model.frames import COLOURS
from resultproc.model.identity import one_plain_name, one_plain_number
from resultproc.reports.record import PlayerRecord, record

_OWN = (
    "date",
    "event",
    "rating",
    "game_id",
    "percentage",
    *("masterpoints", *COLOURS),
    *("place", "tied", "group_size", "basis"),
)

_ROWS = """
    WITH mine AS (SELECT *, concat_ws(' ', section, direction, number) AS contestant FROM players
    WHERE person = '{who}') SELECT {own}, m.club_now AS club, m.contestant, o.person AS partner_key, o.player AS partner
    FROM mine m LEFT JOIN players o ON o.game_id = m.game_id AND o.person <> m.person
    AND m.contestant = concat_ws(' ', o.section, o.direction, o.number)
    ORDER BY ALL"""


def record_of(place: QueriedPlace, who: str, award: Callable[[], str]) -> PlayerRecord:
    """Return the record of a player in the games of an archive.

    who: a name or a member number, as the games have it. award: as for :func:`resultproc.batch.query.query`. Raises
    InputError for whom no game has, and for a name that several have.
    """
    archive = Store(place.archive)
    person, doubts = named(known_people(archive, current_parts(archive, place.as_of)), who)
    quoted = str(person["person"]).replace("'", "''")
    own = ", ".join(f"m.{name}" for name in _OWN)
    answer = query(place, _ROWS.format(who=quoted, own=own), award)
    rows = pd.DataFrame(answer.rows, columns=list(answer.columns))
    if rows.empty:
        what = f"no game of {person['player']} could be awarded"
        raise InputError(what, hint="'resultproc reprocess' says why", file=place.archive)
    for name in ("masterpoints", *COLOURS):
        rows[name] = [int(100 * value) for value in rows[name]]
    texts = dict.fromkeys(
        ("event", "rating", "game_id", "basis", "club", "contestant", "partner_key", "partner"), "str"
    )
    numbers = dict.fromkeys(("place", "tied", "group_size"), "Int64")
    return record(
        person,
        rows.astype({**texts, **numbers, "percentage": "float64"}),
        [*doubts, *answer.remarks],
        answer.provenance,
    )


def named(people: People, who: str) -> tuple[dict[str, Any], list[Problem]]:
    """Return the person of a name, number or key, a row of the view ``persons``, and what is doubtful about that.

    Raises InputError unless it is one person.
    """
    persons, spelt = people.persons().fillna({"member": "", "spellings": "", "clubs": ""}), people.spelt
    file = people.archive.url
    keys = {str(key) for key in spelt.loc[spelt["number"] == one_plain_number(who), "person"]}
    keys = keys or {str(key) for key in spelt.loc[spelt["name"] == one_plain_name(who), "person"]}
    found = persons[persons["person"].isin((keys or {one_plain_name(who)}) | {who})]
    several = "; ".join(f"{row['person']} ({row['clubs'] or 'no club'})" for row in found.head(5).to_dict("records"))
    if found.empty:
        near = nearest(who.lower(), persons["player"].astype("str").tolist())
        hint = f"did you mean '{near}'?" if near else "'resultproc archive persons' lists who there is"
        raise InputError(f"no game has a player '{who}'", hint=hint, file=file)
    what = f"{len(found)} players are called '{who}'"
    if len(found) > 1 and who not in set(found["person"]):
        raise InputError(what, hint=f"name one by the number or key: {several}", file=file)
    doubts = [Problem(what, hint=f"they are {several}", file=file, code="players.same-name")] if len(found) > 1 else []
    found = found[found["person"] == who] if len(found) > 1 else found
    return {str(key): value for key, value in found.iloc[0].items()}, doubts
