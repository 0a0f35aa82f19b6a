"""What is declared of games besides their results: beside the file, in it, by options, and in a club's settings.

A club's settings hold for all its games, for those of a weekday, and for those of an event by its name. They are in
``resultproc.toml`` beside the games, or in another file that is named: game keys at the top, others below
``[weekday.monday]``, ``[event."Friday Pairs"]``, and ``[site.pianola]`` for what goes to a results site. What is said
closer to a game wins: the settings fill in what its file, its sidecar and the options leave open, the site's before the
event's, these before the weekday's, and these before the general ones. Below ``[players]``, in ``left_out``, are the
names or numbers of those who want no page of their own, and ``file`` names the list of the club's players. Directly
below ``[site]`` is what a club's own site looks like: ``colour``, ``logo``, ``links`` and ``address``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from resultproc.formats.loaded import DEALS_KEY, LANGUAGE, LOGO, PLAYERS_FILE, PLAYERS_TABLE, is_file_name
from resultproc.model.codes import ENCODING
from resultproc.model.draft import Draft, GameFacts
from resultproc.model.errors import DeclarationError, Problem, closest, nearest, shown
from resultproc.model.frames import GAMES
from resultproc.model.game import BY_MATCHES, OPEN, by_rank, top_limit
from resultproc.model.grid import Records
from resultproc.model.keys import KEYS, declared_value, unknown_key
from resultproc.model.language import ENGLISH, known_language
from resultproc.model.provenance import PROVENANCE_KEY
from resultproc.model.source import Declaration, DeclaredFile, Home, Source, toml_content
from resultproc.tables.unsaid import RoundBoards, SessionBoards


def read_sidecar(source: Source) -> tuple[dict[str, Declaration], dict[str, dict[str, Declaration]]]:
    """Return what the sidecar TOML beside a results file declares: for all its games, and for single ones by game_id.

    Nothing where there is no such file. Raises DeclarationError, the line named, for TOML that cannot be read.
    """
    beside = source.beside
    if beside is None:
        return {}, {}
    content, text = parsed(beside)
    games = content.pop("games", {})
    if not isinstance(games, dict) or not all(isinstance(game, dict) for game in games.values()):
        where = _line(text.split("\n"), "games")
        raise DeclarationError("'games' is not a table of games", where, "write [games.ID] above its keys", beside.name)
    each = {name: declarations(game, text, f"games.{name}") for name, game in games.items()}
    always = declarations(content, text)
    for keys in (always, *each.values()):
        deals = keys.pop(DEALS_KEY, None)  # it is read with the file, see load_source
        if deals is not None and not (isinstance(deals.value, str) and is_file_name(deals.value)):
            hint = f'write {DEALS_KEY} = "tonight.pbn"'
            raise DeclarationError(f"'{DEALS_KEY}' names no file", deals.where, hint, beside.name)
    return always, each


def parsed(declared: DeclaredFile) -> tuple[dict[str, Any], str]:
    """Return the content of a TOML file that declares something, and its text; raise DeclarationError for any other."""
    try:
        text = declared.data.decode("utf-8-sig")
        return toml_content(text), text
    except UnicodeDecodeError:
        raise DeclarationError("this TOML is not in UTF-8", file=declared.name, code=ENCODING) from None
    except DeclarationError as error:
        raise error.in_file(declared.name) from None


def declarations(content: Mapping[str, Any], text: str, table: str = "") -> dict[str, Declaration]:
    """Return what a TOML text declares, at its top or in a table.

    content: what the text says, at its top or in the table.
    text: the whole text, to find the lines.
    table: such as ``games.06-27-1``; empty for the top.
    """
    lines = text.split("\n")
    start = 0
    if table:
        kind, _, name = table.partition(".")
        opening = tuple(f"[{kind}.{quote}{name}{quote}]".replace(" ", "") for quote in ("", '"', "'"))
        start = next((i for i, line in enumerate(lines) if line.replace(" ", "").startswith(opening)), len(lines))
    return {key: Declaration(value, _line(lines, key, start)) for key, value in content.items()}


def _line(lines: Sequence[str], key: str, start: int = 0) -> str:
    """Return the line of a TOML text that sets a key, or opens its table, at or after a line."""
    for number, line in enumerate(lines[start:], start + 1):
        if line.replace(" ", "").startswith((f"{key}=", f'"{key}"=', f"[{key}]", f"[{key}.")):
            return f"line {number}"
    return f"key {key}"


def held(
    declared: Mapping[str, Declaration], file: str, besides: Collection[str] = (), home: Home | None = None
) -> GameFacts:
    """Return what is declared as the games frame holds it.

    declared: by key.
    besides: what else may stand there, which is no key.
    home: from where that names a file of a rulebook; None for whoever names one as the system does.
    Raises DeclarationError with every unknown key (the closest known one suggested) and unreadable value.
    """
    problems: list[Problem] = []
    values: GameFacts = {}
    for name, declaration in declared.items():
        if name == PROVENANCE_KEY:
            continue
        if name not in KEYS:
            problems.append(unknown_key(name, declaration.where, file, besides))
            continue
        try:
            value = declared_value(name, declaration.value)
            values[name] = KEYS[name].held(_with_its_file(name, value, home))
        except ValueError as error:
            problems.append(Problem(f"{name}: {error}", declaration.where, file=file))
    if problems:
        raise DeclarationError(problems)
    return values


def _with_its_file(key: str, value: str, home: Home | None) -> str:
    """Return what is declared of a game, a file of a rulebook with its folder; ValueError for one not to be read."""
    names_file = home and key == _RULEBOOK and value.endswith(".toml")
    return str(home.rulebook(value).resolve()) if home and names_file else value


_RULEBOOK = "rulebook"


def with_own_files(facts: Sequence[GameFacts], home: Home) -> list[GameFacts]:
    """Return the facts of some games as their file has them, files of rulebooks with their folder.

    Raises DeclarationError for a file that is not to be read from there.
    """
    try:
        return [
            each | {_RULEBOOK: _with_its_file(_RULEBOOK, each[_RULEBOOK], home)} if each.get(_RULEBOOK) else each
            for each in facts
        ]
    except ValueError as error:
        raise DeclarationError(f"{_RULEBOOK}: {error}") from None


def override(games: pd.DataFrame, declared: Mapping[str, Declaration], file: str) -> pd.DataFrame:
    """Return a games frame with what is declared in place of what it has; raise DeclarationError like :func:`held`.

    declared: by key, for all games.
    """
    return GAMES.conform(games.assign(**held(declared, file)))


def override_each(
    facts: Sequence[GameFacts],
    declared: Mapping[str, Declaration],
    each: Mapping[str, Mapping[str, Declaration]],
    file: str,
    home: Home | None = None,
) -> list[GameFacts]:
    """Return the facts of some games, with what is declared in their place: for all, and then for single ones.

    facts: a game each, in the games frame's columns.
    declared: what is declared for all of them.
    each: what is declared for single ones, by game_id.
    home: as for :func:`held`.
    Raises DeclarationError like :func:`held`, and for a game that is not there.
    """
    values = held(declared, file, home=home)
    of_each: dict[str, GameFacts] = {}
    problems: list[Problem] = []
    games = [fact["game_id"] for fact in facts]
    for name, declarations in each.items():
        if name not in games:
            where = next((declaration.where for declaration in declarations.values()), "")
            what = f"unknown game '{name}' in the file"
            problems.append(Problem(what, where, closest(name, games), file))
        try:
            of_each[name] = held(declarations, file, home=home)
        except DeclarationError as error:
            problems += error.problems
    if problems:
        raise DeclarationError(problems)
    return [fact | values | of_each.get(fact["game_id"], {}) for fact in facts]


DAYS_OF_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SENDING = ("publish", "folder", "mail", "page")
"""What a club's settings say of a site besides game keys: whether a batch may publish there, the folder and the address
that files go to, and where its pages can be seen. It counts in a file that the user names, see
:mod:`resultproc.publish.account`.
"""

SLIP = 0.8
"""How near a name is to that of a site where it is taken for a slip."""

_TABLES = {"weekday": "[weekday.monday]", "event": '[event."Friday Pairs"]', "site": "[site.pianola]"}
"""The tables of settings, with an example of each."""


def fill_defaults(draft: Draft, settings: DeclaredFile | None, site: str = "") -> Draft:
    """Return a draft with what the settings say of each of its games, where nothing else said it.

    settings: those of the club, None for none.
    site: the results site that it is for, '' for none.
    Strata are for games whose contestants have letters or holdings; of any other game a remark says so.
    Raises DeclarationError, the file and line named, for what cannot be read, unknown keys and unknown weekdays.
    """
    facts = _with_settings(draft.facts, settings, site) if settings else list(draft.facts)
    meant = [_with_boards_meant(*each) for each in zip(draft.facts, facts, strict=True)]
    if any(one is not other for one, other in zip(meant, draft.facts, strict=True)):
        return fill_defaults(replace(draft, facts=meant), settings, site)
    if settings is None:
        return draft
    remarks = []
    stratified = _stratified(draft.rows)
    for before, fact in zip(draft.facts, facts, strict=True):
        if fact.get("strata") and by_rank(str(fact["strata"])) and before.get("stratify_by") is None:
            fact.pop("stratify_by", None)  # settings say it for games by holdings; of ranks the highest counts
        if before.get("strata") is None and "," in str(fact.get("strata")) and fact["game_id"] not in stratified:
            said = fact.pop("strata")
            limit = top_limit(said)
            if limit != OPEN:
                fact.setdefault("limit", limit)
            what = f"{settings.name} declares the strata {said}, and nobody here has a letter or holdings: it has none"
            hint = "if it was stratified, write the letter of each contestant's stratum, or the holdings"
            remarks.append(Problem(what, "", hint, str(fact.get("source") or ""), fact["game_id"], _NOBODY))
    return replace(draft, facts=facts, remarks=(*draft.remarks, *remarks))


_NOBODY = "strata.nobody-in-them"


def _with_boards_meant(said: GameFacts, full: GameFacts) -> GameFacts:
    """Return what is said of a game with the boards that the key means, where a title counts others."""
    boards, kind = full.get("boards"), full.get("event_type")
    if isinstance(boards, RoundBoards):
        return said | {"boards": boards.of(kind)}
    if isinstance(boards, SessionBoards) and kind in BY_MATCHES:
        return _without_boards(said)
    return said


def _stratified(rows: Records | pd.DataFrame) -> set[str]:
    columns = [str(name) for name in rows if name == "stratum" or re.fullmatch("(?:mp|rank)[0-9]+", str(name))]
    games = list(rows["game_id"])
    return {game for name in columns for game, value in zip(games, rows[name], strict=True) if not pd.isna(value)}


def _with_settings(facts: Sequence[GameFacts], settings: DeclaredFile, site: str) -> list[GameFacts]:
    content, text = parsed(settings)
    _refuse_below(content, text, settings.name)
    tables: dict[str, dict[str, dict[str, Any]]] = {}
    for kind, example in _TABLES.items():
        tables[kind] = table = content.pop(kind, {})
        if kind == "site" and isinstance(table, dict):
            look = _look(table, text, settings)
            tables[kind] = table = {name: keys for name, keys in table.items() if name not in look}
        if not isinstance(table, dict) or not all(isinstance(keys, dict) for keys in table.values()):
            what, hint = f"'{kind}' has keys of no {kind}", f"write {example} above them"
            raise DeclarationError(what, hint=hint, file=settings.name)
    unknown = [day for day in tables["weekday"] if day.casefold() not in DAYS_OF_WEEK]
    if unknown:
        what = f"unknown weekday '{unknown[0]}'"
        raise DeclarationError(what, hint=closest(unknown[0], DAYS_OF_WEEK), file=settings.name)
    _refuse_slip(site, tables["site"], settings.name)
    said: dict[tuple[str, str], GameFacts] = {}
    for kind in _TABLES:
        for name, keys in tables[kind].items():
            keys = {key: value for key, value in keys.items() if kind != "site" or key not in SENDING}
            besides = SENDING if kind == "site" else ()
            values = held(declarations(keys, text, f"{kind}.{name}"), settings.name, besides, settings.home)
            said[kind, name.casefold()] = values | said.get((kind, name.casefold()), {})
    _left_out(content.pop(PLAYERS_TABLE, {}), text, settings.name)
    try:
        known_language(str(content.pop(LANGUAGE, ENGLISH)))
    except ValueError as error:
        raise DeclarationError(str(error), _line(text.split("\n"), LANGUAGE), file=settings.name) from None
    always = held(declarations(content, text), settings.name, home=settings.home)
    found = []
    for fact in facts:
        date = fact.get("date")
        weekday = said.get(("weekday", "" if date is None else DAYS_OF_WEEK[date.weekday()]), {})
        event = said.get(("event", str(fact.get("event") or "").casefold()), {})
        of_site = said.get(("site", site.casefold()), {})
        usual = [always, weekday]
        if (always | weekday | event | of_site | fact).get("event_type") in BY_MATCHES:
            usual = [each if each.get("event_type") in BY_MATCHES else _without_boards(each) for each in usual]
        found.append(usual[0] | usual[1] | event | of_site | fact)
    return found


def _without_boards(said: GameFacts) -> GameFacts:
    """Return what settings say of usual games for one by matches: boards of a session are none of a match."""
    return {name: value for name, value in said.items() if name != "boards"}


def _refuse_below(content: Mapping[str, Any], text: str, file: str) -> None:
    """Raise DeclarationError for a language below the head of a table, where it would hold for that alone."""
    heads = [(name, table) for name, table in content.items() if isinstance(table, dict)]
    for kind in _TABLES:
        found = content.get(kind)
        heads += [(f"{kind}.{name}", each) for name, each in found.items()] if isinstance(found, dict) else []
    for name, table in heads:
        if isinstance(table, dict) and LANGUAGE in table and name != f"site.{_LINKS}":
            what, hint = f"language stands below [{name}], and is of the whole club", "write it above all tables"
            raise DeclarationError(what, declarations(table, text, name)[LANGUAGE].where, hint, file)


def _refuse_slip(site: str, named: Collection[str], file: str) -> None:
    if not site or site.casefold() in map(str.casefold, named):
        return
    slip = nearest(site, named, SLIP)
    if slip:
        what = f"[site.{slip}] is not a known site"
        raise DeclarationError(what, hint=f"did you mean [site.{site}]?", file=file, code="site.unknown")


_COLOUR, _LINKS, _ADDRESS = "colour", "links", "address"
LOOKS = (_COLOUR, _LINKS, _ADDRESS, LOGO)
"""What a club's settings say below ``[site]`` of the pages themselves, and not of a site that results go to."""

_PALE = 0.18
"""Colours of more luminance are seen too badly on white, with a contrast of less than 4.5 to 1 (WCAG 2.2, 1.4.3)."""


def look_of_site(settings: DeclaredFile | None) -> dict[str, Any]:
    """Return how a club's own site looks, as the settings say: whose it is, its colour, links by their words, address.

    Of the logo there is the path of the file.

    Raises DeclarationError, the file and line named, for what cannot be read.
    """
    if settings is None:
        return {}
    content, text = parsed(settings)
    club = {"club": content["club"]} if isinstance(content.get("club"), str) else {}
    return club | _look(content.get("site", {}), text, settings)


def _look(table: object, text: str, settings: DeclaredFile) -> dict[str, Any]:
    if not isinstance(table, dict):
        return {}
    found = {name: table[name] for name in LOOKS if name in table}
    lines, file = text.split("\n"), settings.name
    colour, links = found.get(_COLOUR, "#000000"), found.get(_LINKS, {})
    if not isinstance(colour, str) or not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise DeclarationError(f"'{colour}' is no colour", _line(lines, _COLOUR), 'write it as "#0a6b4b"', file)
    # Relative luminance as WCAG 2.2 defines it: 0 for black and 1 for white.
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    if 0.2126 * red + 0.7152 * green + 0.0722 * blue > _PALE:
        what = f"the colour '{colour}' is too pale to be read on white"
        raise DeclarationError(what, _line(lines, _COLOUR), "choose a darker one", file)
    if not isinstance(links, dict) or not all(
        isinstance(to, str) and re.match("https?://|mailto:", to) for to in links.values()
    ):
        hint = 'write { "Our club" = "https://example.org" }'
        raise DeclarationError("links are no addresses by their words", _line(lines, _LINKS), hint, file)
    if not isinstance(found.get(_ADDRESS, ""), str):
        raise DeclarationError("the address is no text", _line(lines, _ADDRESS), 'write "12 Elm Street"', file)
    if LOGO in found:
        try:
            path = settings.home.file(str(found[LOGO]))
        except ValueError as error:
            raise DeclarationError(f"the logo: {error}", _line(lines, LOGO), file=file) from None
        if path.suffix.lower() not in PICTURES:
            what = f"the logo '{shown(path.name)}' is no picture that pages show"
            raise DeclarationError(what, _line(lines, LOGO), "take an SVG, PNG, JPEG or WebP file", file)
        found[LOGO] = str(path)
    return found


PICTURES = {".svg": "svg+xml", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
"""What a logo may be, by the ending of its name."""

_LEFT_OUT = "left_out"


def left_out(settings: DeclaredFile | None) -> list[str]:
    """Return the names and numbers of the players who, as the settings say, want no page of their own.

    Raises DeclarationError, the file and line named, for what cannot be read.
    """
    if settings is None:
        return []
    content, text = parsed(settings)
    return _left_out(content.get(PLAYERS_TABLE, {}), text, settings.name)


def _left_out(table: object, text: str, file: str) -> list[str]:
    hint = (
        f'write [{PLAYERS_TABLE}], and below it {_LEFT_OUT} = ["Ann Lee", "1234567"], or {PLAYERS_FILE} = "members.csv"'
    )
    if not isinstance(table, dict):
        raise DeclarationError(f"'{PLAYERS_TABLE}' is not a table", _line(text.split("\n"), PLAYERS_TABLE), hint, file)
    for name, declaration in declarations(table, text).items():
        value = declaration.value
        if name == PLAYERS_FILE and isinstance(value, str) and value.strip():
            continue
        if name != _LEFT_OUT:
            raise DeclarationError(f"unknown key '{name}' of players", declaration.where, hint, file)
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise DeclarationError(f"{name} is no list of names and numbers", declaration.where, hint, file)
    return list(table.get(_LEFT_OUT, ()))
