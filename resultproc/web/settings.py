"""A club's settings as a form: words and numbers go in, and ``resultproc.toml`` comes out with its comments kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from babel import Locale

from resultproc.formats.declared import DAYS_OF_WEEK, parsed
from resultproc.formats.loaded import LANGUAGE, PLAYERS_FILE, PLAYERS_TABLE, SETTINGS, declared_file
from resultproc.formats.read import drafted
from resultproc.model.errors import DeclarationError, InputError
from resultproc.model.files import write_bytes
from resultproc.model.game import OPEN, leagues, number_text, parse_strata, plain_text
from resultproc.model.keys import KEYS, declared_value
from resultproc.model.language import languages
from resultproc.model.source import DeclaredFile, Home, Source
from resultproc.publish.known import sites
from resultproc.web.desk import version_of

LETTERS = "ABCD"
"""The strata that the form has; more are written into the file by hand."""

LINKS = 4
"""How many links to other pages the form has."""

_SITE_ASKS = {
    "post": ("club_id", "the name that your club has there"),
    "mail": ("mail", "the address that files are mailed to"),
    "folder": ("folder", "the folder that pages are put into"),
}
"""What a site asks of a club, in words too, by how files get there; of sites that are used by hand, nothing."""

_GAME = """\
# event: Pairs
# date: 2024-01-0{day}
number,player1,player2,score
1,Ann Ash,Bob Elm,20
2,Cat Fir,Dan Oak,10
"""
"""A game that the settings are tried with, one for each day of a week that begins with Monday the 1st."""


def site_fields() -> list[tuple[str, str, str]]:
    """Return the fields of the form for the results sites: what each is called, the site's title, and what is asked."""
    return [
        (f"site {each.id} {_SITE_ASKS[each.sent][0]}", each.title, _SITE_ASKS[each.sent][1])
        for each in sites()
        if each.sent in _SITE_ASKS
    ]


def spoken() -> list[tuple[str, str]]:
    """Return the languages that pages may be in, each with its own name."""
    return [(name, Locale.parse(name).get_display_name() or name) for name in languages()]


def ratings() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the classes of games by league: the word and what people call it."""
    return [
        (each.title, [(word, name) for word, name in each.names.items() if word and word in each.colours])
        for each in leagues().values()
    ]


def as_form(settings: Path | None) -> dict[str, str]:
    """Return what a club's settings say, by the fields of the form, whose colour is never empty.

    Raises DeclarationError for a file that cannot be read, and for strata that are none.
    """
    found = {_COLOUR: OWN_COLOUR}
    if settings is None:
        return found
    content, _ = parsed(declared_file(settings))
    for field, path in _keys_of_fields().items():
        value = _at(content, path)
        if value is not None:
            found[field] = "\n".join(map(str, value)) if isinstance(value, list) else plain_text(value)
    found[_COLOUR] = found[_COLOUR].lower()  # as a browser sends it back
    if "strata" in content:
        try:
            strata = parse_strata(declared_value("strata", content["strata"]))
        except ValueError as error:
            raise DeclarationError(f"strata: {error}", file=settings.name) from None
        found |= {f"limit {each.letter}": "" if each.limit == OPEN else number_text(each.limit) for each in strata}
    links = _at(content, ("site", "links"))
    for at, (words, to) in enumerate(links.items() if isinstance(links, dict) else ()):
        found |= {f"link {at} words": str(words), f"link {at} to": str(to)}
    return found


def _keys_of_fields() -> dict[str, tuple[str, ...]]:
    """Return where the settings have what a field of the form says: the tables, and the key."""
    keys: dict[str, tuple[str, ...]] = {name: (name,) for name in (*_TOP, LANGUAGE)}
    keys |= {f"{day} {key}": ("weekday", day, key) for day in DAYS_OF_WEEK for key in ("rating", "boards")}
    keys |= {"left_out": (PLAYERS_TABLE, "left_out"), "members": (PLAYERS_TABLE, PLAYERS_FILE)}
    keys |= {name: ("site", name) for name in ("address", _COLOUR)}
    return keys | {field: tuple(field.split(" ")) for field, _, _ in site_fields()}


def _at(content: Any, path: tuple[str, ...]) -> Any:
    """Return what settings have at a path; None for nothing."""
    for name in path[:-1]:
        content = content.get(_as_written(name, content)) if isinstance(content, dict) else None
    return content.get(path[-1]) if isinstance(content, dict) else None


def _as_written(name: str, tables: Mapping[str, Any]) -> str:
    """Return the name of a table as it is written: that of a day may be in capitals."""
    return next((each for each in tables if each.casefold() == name), name)


def write(root: Path, form: Mapping[str, str], members: tuple[str, bytes] | None) -> None:
    """Write a club's settings, as a form says them; what it says as before stays as it is written, with comments.

    form: the values by the names of the fields, and the version that it was made of; other keys stay as they are.
    members: a new list of the club's players, by what its file is called; None for the one that the settings name.
    Raises InputError for what cannot be a setting, where the settings are others now, and where a file that they do
    not name has the place of the list.
    """
    path = root / SETTINGS
    settings = path if path.is_file() else None
    before = as_form(settings)  # which refuses what is no TOML
    if form.get("version") != version_of(path):
        what = "the settings were changed in another window since, and are left as they are there"
        raise InputError(what, hint="look at them again, and make your change once more", file=SETTINGS)
    players = DeclaredFile(_list_named(root, members[0], before), members[1], Home(root, True)) if members else None
    document = tomlkit.parse(path.read_bytes().decode("utf-8-sig") if settings else "")
    # A browser ends the lines of a field as Windows does.
    said = {name: value.replace("\r\n", "\n").strip() for name, value in form.items()}
    changed = {name: value for name, value in said.items() if value != before.get(name, "").strip()}
    for keys, value in _settings({**before, **said}, changed):
        _set(document, keys, value)
    if players:
        _set(document, (PLAYERS_TABLE, PLAYERS_FILE), players.name)
    data = str(tomlkit.dumps(document)).encode()
    _try(data, root, players)
    if players:
        write_bytes(root / players.name, players.data)
    write_bytes(path, data)


def _list_named(root: Path, given: str, before: Mapping[str, str]) -> str:
    """Return what a new list of players is called; InputError where that is a file which the settings do not name."""
    name = f"members{Path(given).suffix.lower()}"
    if (root / name).exists() and before.get("members") != name:
        hint = "give it another name, or write it there as the list of your players"
        raise InputError(f"{name} is there already, and is not the list of your players", hint=hint, file=name)
    return name


def _settings(said: Mapping[str, str], changed: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield what is set, by its tables and key, and to what; a value that is empty takes it out."""
    keys = _keys_of_fields()
    for name, text in changed.items():
        if name == "stratify_by" and not any(said[each] for each in said if each.startswith("limit ")):
            continue  # which is proposed, and without strata nobody asks
        if name in keys and name != "members":  # a list is sent as a file
            yield keys[name], _set_to(keys[name][-1], text)
    if any(name.startswith("limit ") for name in changed):
        yield ("strata",), _strata(said)
    if any(name.startswith("link ") for name in changed):
        yield ("site", "links"), _links(said)


_COLOUR, OWN_COLOUR = "colour", "#0a6b4b"
"""The field of the colour, and the one that pages have where a club has none: a browser has no empty one."""

_TOP = ("club", "rating", "stratify_by", "boards")
"""What holds for every game, by its key."""


def _set(document: Any, path: tuple[str, ...], value: object) -> None:
    """Set a key of a document, or take it out where its value is empty; tables that it needs are made."""
    *tables, key = path
    table = document
    for at, name in enumerate(tables):
        name = _as_written(name, table)
        if name not in table:
            if value == "":
                return
            table[name] = tomlkit.table(is_super_table=at + 1 < len(tables))
        table = table[name]
        if not isinstance(table, dict):
            hint = f"write [{'.'.join(tables)}] above its keys"
            raise InputError(f"{name} is a value, and is no table of settings", hint=hint, file=SETTINGS)
    if value == "":
        table.pop(key, None)
    elif isinstance(value, dict):
        line = tomlkit.inline_table()
        line.update(value)
        table[key] = line
    else:
        table[key] = value


def _set_to(name: str, text: str) -> object:
    """Return what a key is set to; InputError, in the words of the form, for what cannot be one."""
    if name == "left_out":
        return [line.strip() for line in text.splitlines() if line.strip()] or ""
    if not text or name not in KEYS:
        return "" if text == OWN_COLOUR else text
    try:
        normal = declared_value(name, text)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    return int(normal) if name == "boards" and normal.isdecimal() else normal


def _strata(said: Mapping[str, str]) -> str:
    # Those that the form has no place for stay.
    letters = dict.fromkeys([*LETTERS, *(name.removeprefix("limit ") for name in said if name.startswith("limit "))])
    limits = [(letter, said.get(f"limit {letter}", "").strip()) for letter in letters]
    given = [(letter, limit) for letter, limit in limits if limit or letter == "A"]
    if len(given) == 1 and not given[0][1]:
        return ""
    return str(_set_to("strata", ", ".join(f"{letter}={limit or 'open'}" for letter, limit in given)))


def _links(said: Mapping[str, str]) -> object:
    # Those that the form has no field for stay.
    fields = dict.fromkeys(name.rpartition(" ")[0] for name in said if name.startswith("link "))
    pairs = [(said.get(f"{field} words", ""), said.get(f"{field} to", "")) for field in fields]
    if any(bool(words) != bool(to) for words, to in pairs):
        raise InputError("a link has words and an address", hint="write both, or neither")
    twice = [words for words, count in Counter(words for words, _ in pairs if words).items() if count > 1]
    if twice:
        raise InputError(f"two links have the words '{twice[0]}'", hint="write others for one of them")
    return {
        words: to if "://" in to or to.startswith("mailto:") else f"https://{to}" for words, to in pairs if to
    } or ""


def _try(data: bytes, root: Path, members: DeclaredFile | None) -> None:
    """Raise InputError for settings that the game of a day could not be read with."""
    settings = DeclaredFile(SETTINGS, data, Home(root, anywhere=True))
    for day in range(1, 8):
        drafted(Source("a game.csv", _GAME.format(day=day).encode(), settings=settings, players=members))
