"""What a results site would refuse in a game, and what it would lose: told before anything is sent.

Each check is named by what a site asks, see :class:`resultproc.publish.results_site.Demand`, and takes one game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from resultproc.formats.loaded import Readable, load_source
from resultproc.formats.read import read
from resultproc.model.arrays import family_columns, row_dicts
from resultproc.model.errors import InputError, Problem, ResultprocError
from resultproc.model.frames import Result
from resultproc.model.game import leagues
from resultproc.model.keys import KEYS, how_to_declare
from resultproc.model.text import listed, text_there
from resultproc.model.whose_points import league_named, league_title
from resultproc.pages.annotated import upload_places
from resultproc.publish.results_site import Demand, Site, for_site
from resultproc.stages.pipeline import process, with_boards

REFUSES, LOSES = "site.refuses", "site.loses"
"""The codes of what a site would refuse, and of what it would take and lose."""


@dataclass(frozen=True)
class _Game:
    """A game of a result, and the site that it is for."""

    site: Site  # what it takes
    result: Result  # with all games
    row: dict[str, Any]  # the game's row of the games frame

    @cached_property
    def contestants(self) -> pd.DataFrame:
        """Its contestants, with the place of each."""
        frame = self.result.contestants.assign(place=upload_places(self.result))
        own: pd.DataFrame = frame[frame["game_id"] == self.row["game_id"]]
        return own

    @cached_property
    def players(self) -> list[tuple[str, str, str]]:
        """The name, member number and place in the file of each player."""
        seats = range(1, len(family_columns(self.contestants)) + 1)
        return [
            (row[f"player{seat}"], text_there(row.get(f"id{seat}")), row["where"])
            for row in row_dicts(self.contestants)
            for seat in seats
            if text_there(row[f"player{seat}"])
        ]

    def refused(self, asked: Demand, what: str, hint: str = "", where: str = "") -> Problem:
        """Return the problem of what the site would refuse; the remark on it where the site takes it nevertheless."""
        if not asked.refused:
            return self.lost(what, hint, where)
        return self._problem(f"{self.site.title} would refuse this game: {what}", hint, where, REFUSES)

    def lost(self, what: str, hint: str = "", where: str = "") -> Problem:
        """Return the remark on what the site would take and lose."""
        return self._problem(f"{self.site.title}: {what}", hint, where, LOSES)

    def _problem(self, what: str, hint: str, where: str, code: str) -> Problem:
        return Problem(what, where, hint, text_there(self.row["source"]), self.row["game_id"], code)


def _found(result: Result, site: Site) -> list[Problem]:
    """Return what a site would refuse in a result, and what it would lose: codes ``site.refuses``, ``site.loses``."""
    problems: list[Problem] = []
    for row in row_dicts(result.games):
        game = _Game(site, result, {str(name): value for name, value in row.items()})
        for name, asked in site.asks.items():
            check, *_ = CHECKS[name]
            problems += check(game, asked)
    return problems


def fit(result: Result, site: Site) -> tuple[Result, list[Problem]]:
    """Return a result as it may leave for a site, and the remarks on what the site would lose of it.

    Raises InputError with all that the site would refuse.
    """
    result = for_site(result, site)
    problems = _found(result, site)
    refused = [problem for problem in problems if problem.code == REFUSES]
    if refused:
        raise InputError(refused)
    return result, problems


def told(paths: Sequence[Readable], site: Site, format: str | None = None, **keys: object) -> list[Problem]:
    """Return what a site would refuse and lose of some files, as they are awarded, or else as they are.

    paths: a file that cannot be read is passed over.
    format, keys: as for :func:`resultproc.read`.
    """
    problems: list[Problem] = []
    for path in map(load_source, paths):
        with suppress(ResultprocError):
            result: Result
            try:
                result = process(path, format=format, site=site.id, **keys)
            except ResultprocError:
                result = read(path, format=format, site=site.id, **keys).unranked()
            problems += _found(for_site(with_boards(result, [path], format), site), site)
    return problems


def _games(game: _Game, asked: Demand) -> Iterator[Problem]:
    count = len(game.result.games)
    if count > asked.value and game.row["game_id"] == game.result.games["game_id"].iloc[0]:
        what = f"the file has {count} games, and it takes {asked.value}"
        yield game.refused(asked, what, "give each game its own file")


def _event_types(game: _Game, asked: Demand) -> Iterator[Problem]:
    if game.row["event_type"] not in asked.value:
        said = text_there(game.row["event_type"]) or "unknown"
        yield game.refused(asked, f"it takes {' or '.join(asked.value)}, and this is {said}")


def _scoring(game: _Game, asked: Demand) -> Iterator[Problem]:
    said = text_there(game.row["scoring"])
    if said not in asked.value:
        what = f"this is {said}" if said else "nothing says how it was scored"
        what = f"it takes {' or '.join(asked.value)}, and {what}"
        yield game.refused(asked, what, "" if said else how_to_declare("scoring", asked.value[0]))


def _contestants(game: _Game, asked: Demand) -> Iterator[Problem]:
    if len(game.contestants) < asked.value:
        yield game.refused(asked, f"it takes {asked.value} contestants or more, and this lists {len(game.contestants)}")


def _players(game: _Game, asked: Demand) -> Iterator[Problem]:
    counts = game.contestants[family_columns(game.contestants)].notna().sum(axis=1)
    rows = game.contestants[counts != asked.value]
    if len(rows):
        what = f"it asks for {asked.value} names of each: {_called(rows)}"
        yield game.refused(asked, what, "write the name of each player", rows["where"].iloc[0])


def _places(game: _Game, asked: Demand) -> Iterator[Problem]:
    lacking = game.contestants[game.contestants["place"].isna()]
    awarded = game.result.awards is not None
    ranked, others = lacking[lacking["eligible"]], lacking[~lacking["eligible"]]
    if len(ranked) and awarded and game.contestants["section"].nunique() > 1:
        what = "it shows all sections in one list, and these are ranked apart"
        yield game.refused(asked, what, "give each section its own file", ranked["where"].iloc[0])
    elif len(ranked):
        hint = "" if awarded else "award the game"
        yield game.refused(asked, f"no place: {_called(ranked)}", hint, ranked["where"].iloc[0])
    if len(others):
        what = f"without a place, because they are not ranked: {_called(others)}"
        yield game.refused(asked, what, "the site shows those who are ranked", others["where"].iloc[0])


def _one_movement(game: _Game, asked: Demand) -> Iterator[Problem]:
    apart = game.contestants["direction"].notna()
    if apart.any() and not apart.all():
        rows = game.contestants[~apart]
        what = f"it shows N-S and E-W in separate lists, but some have no direction: {_called(rows)}"
        yield game.refused(asked, what, "give each section its own file", rows["where"].iloc[0])


def _called(rows: pd.DataFrame) -> str:
    """Return the sections, directions and numbers of some contestants."""
    seats = rows[["section", "direction", "number"]].fillna("").to_numpy().tolist()
    return ", ".join(" ".join(filter(None, seat)) for seat in seats)


def _percentages(game: _Game, asked: Demand) -> Iterator[Problem]:
    rows = game.contestants[game.contestants["percentage"].isna()]
    if text_there(game.row["scoring"]) == asked.value and len(rows):
        yield game.refused(asked, f"no percentage: {_called(rows)}", "write the percentages", rows["where"].iloc[0])


def _member_numbers(game: _Game, asked: Demand) -> Iterator[Problem]:
    for name, number, where in game.players:
        if number and not re.fullmatch(asked.value, number):
            what = f"{name} has the member number '{number}', but its numbers look different"
            yield game.refused(asked, what, f"{asked.note} Correct it, or leave it out".lstrip(), where)


def _without_number(game: _Game, asked: Demand) -> Iterator[Problem]:
    lacking = [(name, where) for name, number, where in game.players if not number]
    if not lacking:
        return
    names = f"{listed([name for name, _ in lacking])} {'have' if len(lacking) > 1 else 'has'} no"
    names = "no player has a" if len(lacking) == len(game.players) else names
    yield game.lost(f"{names} member number: {asked.value}", "write the numbers if there are any", lacking[0][1])


def _one_number(game: _Game, asked: Demand) -> Iterator[Problem]:
    numbers: dict[str, set[str]] = {}
    names: dict[str, set[str]] = {}
    for name, number, _ in game.players:
        if number:
            numbers.setdefault(name.casefold(), set()).add(number)
            names.setdefault(number, set()).add(name)
    for name, number, where in game.players:
        others = numbers.get(name.casefold(), set())
        if number and len(others) > 1 and number == min(others):
            yield game.lost(f"{name} has the numbers {listed(sorted(others))}", "correct one", where)
        called = names.get(number, set())
        if len({each.casefold() for each in called}) > 1 and name == min(called):
            yield game.lost(f"the number {number} is that of {listed(sorted(called))}", "correct one", where)


def _keys(game: _Game, asked: Demand) -> Iterator[Problem]:
    for name in asked.value:
        if pd.isna(game.row[name]):
            hint = f'declare {name} = "{KEYS[name].example}", or write it below [site.{game.site.id}] in your settings'
            yield game.refused(asked, f"it asks for {KEYS[name].meaning}", hint)


def _charge_codes(game: _Game, asked: Demand) -> Iterator[Problem]:
    code = text_there(game.row["charge_code"])
    if code and code not in asked.value:
        what = f"the charge code '{code}' is not one that its pages name: {', '.join(asked.value)}"
        yield game.refused(asked, what, "look whether it is right: it cannot be changed later")


def _boards(game: _Game, asked: Demand) -> Iterator[Problem]:
    boards = game.result.boards
    played = boards[boards["game_id"] == game.row["game_id"]]
    if 0 < played["board"].nunique() < asked.value:
        yield game.refused(asked, f"it takes {asked.value} boards or more, and this has {played['board'].nunique()}")
    if text_there(game.row["scoring"]) == "matchpoints" and played[["printed_ns", "printed_ew"]].isna().any(axis=None):
        yield game.refused(asked, "some results of boards have no matchpoints")


def _sessions(game: _Game, asked: Demand) -> Iterator[Problem]:
    boards = game.result.boards
    played = boards.loc[boards["game_id"] == game.row["game_id"], "session"]
    if played.nunique() > asked.value:
        yield game.refused(asked, "there are boards of several sessions", "give each session its own file")


def _strata(game: _Game, asked: Demand) -> Iterator[Problem]:
    if not asked.value and "," in text_there(game.row["strata"]):
        yield game.lost("it shows the ranks of all pairs together, and no strata")


def _points(game: _Game, asked: Demand) -> Iterator[Problem]:
    awards = game.result.awards
    if awards is None:
        printed = game.contestants["printed_award"].notna().any()
        # What only one union's files have tells whose the points are.
        own = {each.title: key for each in leagues().values() for key in each.own_keys if text_there(game.row[key])}
        if printed and asked.value not in own:
            told = [f"this file has a {key.replace('_', ' ')} of the {title}" for title, key in own.items()]
            whose = f"{told[0]}, as files with its points have" if told else ""
            what = f"its points are the {asked.value}'s, and {whose or 'nothing says whose those of the file are'}"
            yield game.lost(what, "look whose they are before you send it")
    elif (awards["masterpoints"] > 0).any():
        rulebook = text_there(game.row["rulebook"])
        if rulebook and league_title(league_named(game.row["league"], game.row["rating"])) != asked.value:
            yield game.lost(f"its points are the {asked.value}'s, and these are paid by {rulebook}")


CHECKS: dict[str, tuple[Callable[[_Game, Demand], Iterator[Problem]], type, str]] = {
    "games": (_games, int, "games in a file, at most"),
    "event_types": (_event_types, list, "kinds of event"),
    "scoring": (_scoring, list, "scoring"),
    "contestants": (_contestants, int, "contestants, at least"),
    "players": (_players, int, "names of each contestant"),
    "places": (_places, bool, "a place for every contestant"),
    "one_movement": (_one_movement, bool, "all with a direction, or all without"),
    "percentages": (_percentages, str, "percentages for every contestant, if scored by"),
    "member_numbers": (_member_numbers, str, "member numbers, as a pattern"),
    "without_number": (_without_number, str, "a player without a number"),
    "one_number": (_one_number, bool, "one number for each player"),
    "keys": (_keys, list, "to be declared"),
    "charge_codes": (_charge_codes, list, "charge codes"),
    "boards": (_boards, int, "boards, at least, if there are any"),
    "sessions": (_sessions, int, "sessions in a file, at most"),
    "strata": (_strata, bool, "strata"),
    "points": (_points, str, "the masterpoints of"),
}
"""What a site may ask of a game, of what type the value is that it asks by, and what it asks in words."""

_NAMED = {list: 'a list of texts, such as ["date"]', int: "a whole number", str: "a text", bool: "true or false"}
_TEXTS = ("id", "title", "address", "sent", "corrections")


def check_types(content: dict[str, Any]) -> None:
    """Raise ValueError for what is of another type than the file of a site has it, or a text that nobody can read."""
    _check_texts(content)
    for name in ("asks", "sources", "dialect"):
        table = content.get(name, {})
        if not isinstance(table, dict) or not all(isinstance(each, dict) for each in table.values()):
            raise ValueError(f"below [{name}.NAME] there are lines such as key = value")
    for name, source in content.get("sources", {}).items():
        if not isinstance(source.get("title"), str):
            raise ValueError(f'write title = "..." below [sources.{name}]')
    for name, said in content.get("asks", {}).items():
        _check_question(name, said)


def _check_texts(content: dict[str, Any]) -> None:
    """Raise ValueError for keys that no site has, and for texts that are missing or are not what they stand for."""
    unknown = set(content) - (set(Site.__dataclass_fields__) - {"dialects"} | {"dialect"})
    if unknown:
        raise ValueError(f"unknown key '{min(unknown)}'")
    for name in _TEXTS:
        said = content.get(name)
        if not isinstance(said, str) or not said.isprintable() or not (said or name == "address"):
            raise ValueError(f'write {name} = "..."')
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,39}", content["id"]):
        raise ValueError("its id has small letters, digits and hyphens, 40 at most")
    if content["address"] and not re.match("https?://", content["address"]):
        raise ValueError("its address begins with https://")


def _check_question(name: str, said: dict[str, Any]) -> None:
    """Raise ValueError for a question without a value or source, and for a value that cannot be asked for."""
    unknown = set(said) - set(Demand.__dataclass_fields__)
    if unknown or not isinstance(said.get("cite"), str) or "value" not in said:
        raise ValueError(f"[asks.{name}] has value and cite, and may have note and refused")
    if not isinstance(said.get("note", ""), str) or not isinstance(said.get("refused", True), bool):
        raise ValueError(f"[asks.{name}]: note is a text, refused is true or false")
    value: Any = said["value"]
    if name not in CHECKS:
        return
    (_, wanted, _), given = CHECKS[name], type(value)
    texts = not isinstance(value, list) or all(isinstance(each, str) for each in value)
    if given is not wanted or not texts:  # true is no number
        raise ValueError(f"[asks.{name}]: write value as {_NAMED[wanted]}")
    absent = [each for each in value if each not in KEYS] if name == "keys" else []
    if absent:
        raise ValueError(f"[asks.keys]: unknown key '{absent[0]}'")
    if name == "member_numbers":
        try:
            re.compile(value)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"[asks.member_numbers]: this is no pattern: {error}") from None
