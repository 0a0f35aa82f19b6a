"""Which rows head a list, and what else is told by the words of all languages: counts, kinds of event, sums, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from string import ascii_uppercase

from resultproc.model.column_names import column_of, meanings_of
from resultproc.model.directions import direction_named
from resultproc.model.grid import Row
from resultproc.model.keys import KEYS
from resultproc.model.numbers import FRACTION, FRACTIONS, number_of
from resultproc.model.text import either, folded, is_no_name, vocabulary, without_accents
from resultproc.model.understood import meaning_of

BOARD_COLUMN = "boards"
"""The name for columns of tables of single boards."""

UNREAD = "unread"
"""The name for columns that ranks and awards don't need."""

SEATS_NAMED = ("north", "south", "east", "west")

NAMES = ("names", "player", *SEATS_NAMED)
"""The names for columns of players."""

RANKING_COLUMNS = ("percentage", "score", "imps", "vps")
"""The names for columns that rank."""

_MEANINGS = {
    "place": "place", "number": "number", "names": "names of all players", "player": "name of a player",
    "north": "player in North", "south": "player in South", "east": "player in East", "west": "player in West",
    "percentage": "percentage", "score": "score", "imps": "IMPs", "vps": "victory points", "award": "masterpoints won",
    "member": "member number", "section": "section", "direction": "direction", "stratum": "stratum", "table": "table",
    "wins": "matches won", "carryover": "carryover", "adjustment": "adjustment", "handicap": "handicap",
    UNREAD: "not needed", BOARD_COLUMN: "not needed",
}  # fmt: skip
"""What each name is called in the words of the game."""


def meanings(names: Iterable[str]) -> list[str]:
    """Return what some names are called in the words of the game."""
    return sorted(set(map(called, names)))


def called(name: str) -> str:
    """Return what a meaning is called in the words of the game; empty for none."""
    return _MEANINGS.get(name) or (meaning_of(name) if name else "")


@cache
def _counts() -> tuple[re.Pattern[str], dict[str, str]]:
    counted = {word: english for english, words in vocabulary()["counts"].items() for word in (english, *words)}
    counted |= {without_accents(word): english for word, english in counted.items()}
    return re.compile(rf"(?<=[0-9])\s+(?:de\s+)?({either(counted)})\b", re.IGNORECASE), counted


_NUMBER_AND_WORD = re.compile(r"[0-9][\s-]+[^\W\d_]")


def with_english_counts(text: str) -> str:
    """Return a text with what it counts in English: ``7 mesas, 24 manos`` is ``7 tables, 24 boards``."""
    text = re.sub("(?<=[0-9])½", ".5", FRACTION.sub(lambda found: FRACTIONS[found[1]], text))
    if not _NUMBER_AND_WORD.search(text):
        return text
    pattern, counted = _counts()
    known = {word: word for word in pattern.findall(text) if word.casefold() in vocabulary()["counts"]}  # in their case
    text = pattern.sub(lambda found: f" {known.get(found[1]) or counted[found[1].casefold()]}", text)
    each = rf"(?i)(?<=[a-z])\s+(?:{said_aside('each')})\s+(?=[0-9]+ boards\b)"
    return re.sub(each, " of ", re.sub(r"(?i)(?<=[0-9]),(?=5 tables)", ".", text))


def ways_to_count(part: str) -> list[re.Pattern[str]]:
    """Return how titles count ``rounds`` and the ``boards`` of each, or in ``all`` a ``number`` and of what it is.

    part: that of ``[counted]`` in ``words.toml``.
    """
    numbers = {"number": "[0-9.]+", "rounds": "[1-9][0-9]?", "boards": "[1-9][0-9]?", "what": "table|board|bd"}
    ways = vocabulary()["counted"][part]
    return [re.compile(re.sub("<(\\w+)>", lambda at: f"(?P<{at[1]}>{numbers[at[1]]})", way), re.I) for way in ways]


def _spelt() -> tuple[re.Pattern[str], Mapping[str, str]]:
    words = {word: str(n) for called in vocabulary()["numbers"].values() for n, word in enumerate(called, 1)}
    counted = either(chain(vocabulary()["counts"], *vocabulary()["counts"].values()))
    behind = rf"(?= (?:and a half )?(?:{counted}|teams|pairs|[0-9]{{1,2}}[- ]board)\b)"
    return re.compile(rf"\b(?:{either(words)}){behind}", re.IGNORECASE), words


def with_figures(text: str) -> str:
    """Return a text with what it counts in figures: ``Four and a half tables``, ``Boards 1-24``."""
    pattern, words = _spelt()
    in_play = (
        rf"(?i)\b(?:{either(vocabulary()['counts']['boards'])}|boards) 1 ?[-\u2013] ?([0-9]{{1,2}})\b(?: in play)?"
    )
    text = re.sub(in_play, r"\1 boards", text)
    return re.sub("(?<=[0-9]) and a half ", ".5 ", pattern.sub(lambda found: words[found[0].casefold()], text))


def said_aside(part: str) -> str:
    """Return a pattern of what titles say besides the event's name, by its part of ``words.toml``."""
    return either(vocabulary()["asides"][part])


@cache
def keys_labelled() -> Mapping[str, str]:
    """Return the game keys by what stands for them before a colon, in any of the languages, in small letters."""
    words = vocabulary()
    parts = [
        {"tables": words["counts"]["tables"], "boards": words["counts"]["boards"]},
        words["labels"],
        words["crowds"],
    ]
    return {word: key for part in parts for key, called in part.items() for word in (key, *called)}


def labelled(text: str) -> str:
    """Return the game key, or who is counted, that a label stands for, such as ``Anzahl Tische``; '' for none."""
    around = rf"^(?:{said_aside('number-of')})| (?:{said_aside('played')})$"
    return keys_labelled().get(re.sub(around, "", text.strip().casefold()).rstrip(" .:"), "")


DIRECTOR = "director"
CROWDS = {"pairs", "players", "teams", "contestants", "rounds"} - KEYS.keys()
"""Who is counted in titles, and what else of which nothing follows; a game key is what it declares."""


def _crowds() -> tuple[re.Pattern[str], dict[str, str]]:
    words = {word: name for name, called in vocabulary()["crowds"].items() for word in (name, *called)}
    return re.compile(rf"\b([0-9]{{1,4}}) (?:de )?({either(words)})\b(?-i:(?: [^\W\d_A-Z]+){{0,2}})\.?", re.I), words


def tells_of_one(text: str) -> bool:
    """Say whether a text tells something of one contestant, table or board, as ``Pair 7 sat out``: it is no event."""
    word, _, rest = text.casefold().partition(" ")
    key = keys_labelled().get(word) or keys_labelled().get(f"{word}s")
    return (
        key in {"tables", "boards", "pairs", "teams", "players"}
        and re.match(r"(?:#|no\.? ?)?[0-9]+\s+\S", rest) is not None
    )


def _facts() -> re.Pattern[str]:
    sums = either(vocabulary()["sums"])
    counted = r"[0-9]{1,3}(?:[.,]5)?[- ](?:tables?|boards?|bds)\b"
    labelled = r"\b(?:tables|boards)[ :]\s*[0-9]{1,3}(?:[.,]5)?(?![0-9.,]*\s?[0-9%])"  # ``Emil Tables 43.75%`` is a row
    return re.compile(rf"(?i)(?<![0-9])(?:{counted}|{labelled}|\b(?:{sums})[ :]\s*[0-9][0-9.,]*\s?%?)")


def without_facts(text: str) -> tuple[str, int]:
    """Return a text without its counts of tables, boards and contestants, and averages, and how many there were."""
    left, count = _facts().subn(" ", with_english_counts(text))
    left, more = _crowds()[0].subn(" ", left)
    return left, count + more


def crowd_in(text: str) -> tuple[str, str] | None:
    """Return how many of whom a text says there were, and nothing else: ``14 paren`` are ("14", "pairs")."""
    pattern, words = _crowds()
    found = pattern.fullmatch(text.strip())
    return (found[1], words[found[2].casefold()]) if found else None


def _events() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{'|'.join(words)})") for name, words in vocabulary()["events"].items()}


def events_named(text: str) -> set[str]:
    """Return the kinds of event that a text names: swiss, knockout, bam, individual, pairs, teams."""
    plain = without_accents(text.casefold())
    return {name for name, pattern in _events().items() if pattern.search(plain)}


def _clubs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = vocabulary()["clubs"]
    club, ends, forms = (either(words[part]) for part in ("words", "ends", "forms"))
    ended = rf"(?:,? (?:{forms})\.?)?$"
    pattern = rf"(?:{club})\b(?=.)|.*\b(?:{club}){ended}|(.*\b(?:{ends}){ended})"
    return re.compile(pattern), re.compile(either(words["events"]))


def names_club(text: str) -> bool:
    """Say whether a text is the name of a club, by how such names begin or end in any of the languages."""
    plain = re.sub(r"^[0-9]{1,2}\. ", "", without_accents(text.casefold()))  # ``1. Bridgeclub``
    club, event = _clubs()
    found = club.match(plain)
    return found is not None and (found[1] is not None or not (event.search(plain) or events_named(text)))


def _greetings() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(vocabulary()['greetings'])})\b")


def greets(text: str) -> bool:
    """Say whether a text begins as a letter does, or congratulates the winners, in any of the languages.

    ``Good Morning Pairs`` and ``Bravo Trophy`` do not: they name an event, in words with capitals alone.
    """
    plain = without_accents(text.casefold())
    event = (events_named(text) or _clubs()[1].search(plain)) and not any(word[0].islower() for word in text.split())
    return not event and _greetings().match(plain.lstrip("¡ ")) is not None


def names_teams(head: str) -> bool:
    """Say whether a heading is that of a column with the name of each team, or of its players: ``Team``, ``Équipe``."""
    return "teams" in events_named(head)


def is_head(row: Row) -> bool:
    """Say whether a row heads a table: most of its texts are known words, and none is a contestant's score."""
    texts = row.texts
    if any(text[:1].isdigit() and number_of(text) is not None for text in texts):
        return False  # as of nearly all rows
    known = [text for text in texts if meanings_of(text) or column_of(text)]
    if known:
        sides = [text for text in texts if direction_named(text)]
        if len(sides) == len(texts):
            return False  # of lists side by side, though ``NS`` may be of boards, too
        sides = [text for text in sides if text not in known]  # above names
        known += sides if len(texts) > 3 or len(known) + len(sides) == len(texts) else []
    if len(known) < 2 or any(number_of(text) is not None for text in texts):
        return False
    several = {re.sub(" ?[0-9]{1,2}$", "", text) for text in texts}  # ``R1``, ``R2`` are of rounds
    return 2 * len(known) >= len(several) or len(known) > 3


_GIVEN, _FAMILY = "given", "family"


def with_whole_names(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows with first and last names in one cell where a header has a column for each.

    The names of a player have the same number, or stand in the same order as those of the others.
    """
    columns: list[tuple[int, int]] = []
    for number, row in enumerate(_without_frame(rows)):
        if number < HEADINGS and (found := _whole_names(row)):
            columns = found
            heads = ["Name"] if len(found) == 1 else [f"Player {n}" for n in range(1, len(found) + 1)]
            yield _joined(row, columns, heads)
        else:
            yield _joined(row, columns) if columns else row


def _without_frame(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows without the letters above a spreadsheet's columns and the numbers before its rows, if shown."""
    framed = gap = False
    for row in rows:
        if not framed and (not row.cells or row.cells[0].text):  # as nearly all rows
            yield row
            continue
        letters = "".join(row.texts)
        if len(letters) > 1 and ascii_uppercase.startswith(letters) and not row.cells[0].text:
            framed = True
            continue
        framed = framed and (not row.cells[0].text or row.cells[0].text.isdecimal())
        bare = row._replace(cells=row.cells[1:], after_gap=row.after_gap or gap) if framed else row
        gap = framed and not bare.texts
        yield bare


HEADINGS = 50
"""A header is looked for among this many rows."""


def _joined(row: Row, columns: Sequence[tuple[int, int]], heads: Sequence[str] = ()) -> Row:
    """Return a row with the texts of two columns each in the first of them, or what heads them there."""
    cells = list(row.cells)
    for n, (given, family) in enumerate(columns):
        if max(given, family) < len(cells):
            at, other = sorted((given, family))
            names = [text for text in (cells[given].text, cells[family].text) if not is_no_name(text)]
            text = heads[n] if heads else " ".join(names) or cells[given].text
            cells[at], cells[other] = cells[at]._replace(text=text), cells[other]._replace(text="")
    return row._replace(cells=cells)


def _whole_names(row: Row) -> list[tuple[int, int]]:
    """Return the columns of the first and last names of each player that a header has."""
    line = folded(re.sub("[0-9#]", "", "\n".join(cell.text for cell in row.cells)))
    if not all(any(word in line for word in words) for words in ((*_endings(_FAMILY), *_BARE), _endings(_GIVEN))):
        return []  # as in nearly all rows, whose cells need not be looked at one by one
    parts: dict[str, dict[str, list[int]]] = {_GIVEN: {}, _FAMILY: {}}
    bare: dict[str, list[int]] = {}
    for i, cell in enumerate(row.cells):
        word = folded(re.sub("[0-9#]", "", cell.text))
        ends = [(len(end), kind) for kind in parts for end in _endings(kind) if word.endswith(end)]
        kind = max(ends, default=(0, ""))[1]  # ``Cognome`` ends as ``Nome`` does
        if kind or word in _BARE:
            of = parts[kind] if kind else bare
            of.setdefault("".join(re.findall("[0-9]", cell.text)), []).append(i)
    given, family = parts[_GIVEN], parts[_FAMILY] or bare
    if not given or {n: len(each) for n, each in given.items()} != {n: len(each) for n, each in family.items()}:
        return []
    return [pair for number in given for pair in zip(given[number], family[number], strict=True)]


_BARE = ("name", "naam", "namn", "navn")
"""What heads last names beside first names."""


def _endings(part: str) -> tuple[str, ...]:
    return tuple(set(map(folded, vocabulary()[part])))
