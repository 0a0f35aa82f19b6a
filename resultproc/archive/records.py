"""What a player or a club has in the games of an archive: a player's record, a statement compared with it, and how
each club keeps up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pandas as pd

from resultproc.archive.add import refused_files
from resultproc.archive.history import CURRENT, history
from resultproc.archive.persons import People
from resultproc.archive.query import Queried, filled_with, query
from resultproc.archive.sql import literal
from resultproc.archive.store import Store
from resultproc.archive.table import current_parts
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem, nearest
from resultproc.model.frames import COLOURS
from resultproc.model.provenance import Provenance
from resultproc.model.text import listed
from resultproc.model.whose_points import league_title
from resultproc.reports.audit import Audit, Health, audit, health, of_one_league
from resultproc.reports.record import PlayerRecord, record

_HUNDREDTHS = ", ".join(f"CAST(100 * {name} AS BIGINT) AS {name}" for name in ("masterpoints", *COLOURS))

_ROWS = """
    WITH mine AS (SELECT date, event, rating, game_id, percentage, {points}, place, tied, group_size, basis,
    league, club_now AS club, concat_ws(' ', section, direction, number) AS contestant, person FROM players
    WHERE person = {who}) SELECT m.* EXCLUDE (person), o.person AS partner_key, o.player AS partner
    FROM mine m LEFT JOIN (SELECT person, player, game_id, section, direction, number FROM players
    WHERE game_id IN (SELECT game_id FROM mine)) o ON o.game_id = m.game_id AND o.person <> m.person
    AND m.contestant = concat_ws(' ', o.section, o.direction, o.number)
    ORDER BY ALL"""


def _people(asked: Queried) -> People:
    archive = Store(asked.archive)
    return People(archive, current_parts(archive, asked.as_of))


def player_record(asked: Queried, who: str, award: Callable[[], Store]) -> PlayerRecord:
    """Return the record of a player in the games of an archive.

    who: a name or a member number, as the games have it.
    award: as for :func:`resultproc.archive.query.query`.
    Raises InputError for whom no game has, and for a name that several have.
    """
    people = _people(asked)
    person, doubts = person_named(people, who)
    sql = _ROWS.format(who=literal(str(person["person"])), points=_HUNDREDTHS)
    answer = query(asked, sql, award, people=people)
    rows = pd.DataFrame(answer.rows, columns=list(answer.columns))
    if rows.empty:
        what = f"no game of {person['player']} could be awarded"
        none = Problem(what, hint="'resultproc reprocess' says why", file=asked.archive)
        raise InputError([*answer.remarks, none])
    texts = ("event", "rating", "game_id", "basis", "club", "contestant", "partner_key", "partner", "league")
    types = dict.fromkeys(texts, "str") | dict.fromkeys(("place", "tied", "group_size"), "Int64")
    rows = rows.astype({**types, "percentage": "float64"})
    return record(person, rows, [*doubts, *answer.remarks], answer.provenance)


_AWARDS = """
    SELECT person, player, member, CAST(date AS TIMESTAMP) AS date, club_now AS club, event, {points},
    place, tied, group_size, basis, rule, league FROM players WHERE {condition}"""


def audited(
    asked: Queried,
    statement: pd.DataFrame,
    days: tuple[date | None, date | None],
    award: Callable[[], Store],
    *,
    player: str = "",
    club: str = "",
) -> tuple[Audit, list[Problem], Provenance]:
    """Return a statement compared with the games of an archive, what is doubtful about that, and where it comes from.

    statement: as :func:`resultproc.reports.audit.read_statement` gives it.
    days: the first and the last; None for those of the statement.
    award: as for :func:`resultproc.archive.query.query`.
    player, club: whose it is: a player's, by a name or number, or a club's.

    Raises InputError for a player whom no game has, and for a club that has none.
    """
    doubts: list[Problem] = []
    people = _people(asked)
    if player:
        person, doubts = person_named(people, player)
        statement = statement.assign(person=str(person["person"]))
        condition = f"person = {literal(str(person['person']))}"
    else:
        now = people.said.clubs_now(pd.Series([club], dtype="str"))
        condition = f"lower(trim(club_now)) = lower(trim({literal(str(now.iloc[0]))}))"
    sql = _AWARDS.format(points=_HUNDREDTHS, condition=condition)
    answer = query(asked, sql, award, as_table=True, people=people)
    assert answer.table is not None
    rows = answer.table.to_pandas()
    if rows.empty:
        none = Problem(f"no game of {player or club} could be awarded", file=asked.archive)
        raise InputError([*answer.remarks, none])
    texts = ("person", "player", "member", "club", "event", "basis", "rule", "league")
    rows = rows.astype(dict.fromkeys(texts, "str"))
    rows, left_out = of_one_league(statement, rows)
    if left_out:
        what = f"it is held against the points of the {league_title(rows['league'].iloc[0])}, and those of the"
        what += f" {listed([*map(league_title, left_out)])} are left out"
        doubts.append(Problem(what, file=asked.archive, code="games.left-out"))
    rows[["player", "member", "club", "event"]] = rows[["player", "member", "club", "event"]].fillna("")
    undated = int((rows["date"].isna() & (rows["masterpoints"] > 0)).sum())
    if undated:
        what = f"{undated} awards of games without a date are not compared"
        doubts.append(Problem(what, hint="declare the dates", file=asked.archive, code="games.left-out"))
    if not player:
        statement = statement.assign(club=statement["club"].where(statement["club"] != "", club))
    statement = statement.assign(club=people.said.clubs_now(statement["club"].astype("str")))
    found = audit(statement, rows[rows["date"].notna()], *days)
    return found, [*doubts, *answer.remarks], answer.provenance


def person_named(people: People, who: str) -> tuple[dict[str, Any], list[Problem]]:
    """Return the person of a name, number or key, a row of the view ``persons``, and what is doubtful about that.

    Raises InputError unless it is one person.
    """
    found, file = people.named(who).fillna({"member": "", "spellings": "", "clubs": ""}), people.archive.url
    several = "; ".join(f"{row['person']} ({row['clubs'] or 'no club'})" for row in row_dicts(found.head(5)))
    if found.empty:
        near = nearest(who.lower(), people.persons()["player"].tolist())
        hint = f"did you mean '{near}'?" if near else "'resultproc archive persons' lists who there is"
        raise InputError(f"no game has a player '{who}'", hint=hint, file=file)
    what = f"{len(found)} players are called '{who}'"
    if len(found) > 1 and who not in set(found["person"]):
        raise InputError(what, hint=f"name one by the number or key: {several}", file=file)
    doubts = [Problem(what, hint=f"they are {several}", file=file, code="players.same-name")] if len(found) > 1 else []
    found = found[found["person"] == who] if len(found) > 1 else found
    return {str(key): value for key, value in found.iloc[0].items()}, doubts


_GAMES = """
    SELECT game_id, CAST(date AS TIMESTAMP) AS date, club_now AS club, event, source, source_hash FROM games
    ORDER BY date, club, event, source, game_id"""

_SAID = 'SELECT DISTINCT game_id, what, "where", hint FROM {view} ORDER BY ALL'


def health_of(asked: Queried, days: tuple[date | None, date | None], late: int, award: Callable[[], Store]) -> Health:
    """Return how each club of an archive keeps up, see :func:`resultproc.reports.audit.health`.

    days: the first and the last that count; None for any.
    late: how many days after it was played a game may come and be in time.
    award: as for :func:`resultproc.archive.query.query`.
    """
    with filled_with(asked, award, ("games", "problems", "remarks")) as (database, provenance, remarks):
        games = database.execute(_GAMES).df()
        failed, doubtful = (database.execute(_SAID.format(view=view)).df() for view in ("problems", "remarks"))
    archive = Store(asked.archive)
    every = history(archive, asked.as_of)
    came = every[every["state"] == CURRENT].set_index("id")["added"]
    games["came"] = pd.to_datetime(games["game_id"].map(came).str[:10])
    files = refused_files(archive)
    told = [{**entry, **problem, "file": entry["file"]} for entry in files for problem in entry["problems"]]
    refused = pd.DataFrame(told, columns=["club", "file", "since", "what", "where", "hint"]).astype("str")
    refused["club"] = _people(asked).said.clubs_now(refused["club"])
    found = health(games, {"failed": failed, "doubtful": doubtful, "refused": refused}, days, late)
    # Those that could not be awarded are listed.
    others = tuple(each for each in remarks if each.code != "games.left-out")
    return replace(found, remarks=others, provenance=provenance)
