"""Made lists of results: games whose contestants are known, written in ten layouts, five languages and many forms.

The words are those of ``list_words.toml``, which were collected from public pages of clubs, not those of the reader.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from list_layouts import Document, Table, written

WORDS: Mapping[str, Mapping[str, Any]] = tomllib.loads((Path(__file__).parent / "list_words.toml").read_text("utf-8"))

LAYOUTS = ("aligned", "tabs", "ruled", "csv", "html", "xlsx", "side", "tables", "two rows", "blocks", "no header")
"""Ten layouts, and lists without a header, which may be in several of these."""

_CARRIERS = ("aligned", "tabs", "ruled", "csv", "html", "xlsx")
_BESIDE = {"side": ("aligned", "tabs", "csv", "html", "xlsx"), "two rows": ("aligned", "tabs", "html", "xlsx")}
_BETWEEN = (" & ", " / ", "/", " - ", "-", " – ", "–", " + ", "+", "and")


@dataclass(frozen=True)
class Contestant:
    """What a list says of a contestant; None for what it does not say.

    place: from the first to the last of those that share it, such as ``2/3``.
    award: in hundredths.
    """

    players: tuple[str, ...]
    section: str | None = None
    direction: str | None = None
    number: str | None = None
    members: tuple[str, ...] | None = None
    score: float | None = None
    percentage: float | None = None
    place: str | None = None
    award: int | None = None


@dataclass(frozen=True)
class Made:
    """A list as it is in a file, and what is said by it.

    document: what was written into the file.
    """

    name: str
    data: bytes
    layout: str
    language: str
    contestants: list[Contestant]
    date: str
    document: Document
    carrier: str


@dataclass
class _Style:
    """How a list writes what it says."""

    words: Mapping[str, Any]
    random: Random
    layout: str
    carrier: str
    columns: list[str] = field(default_factory=list)
    kind: str = "percentage"
    most: float = 0
    point: str = "."
    sign: str = ""
    place: str = "{}"
    tie: str = "{}"
    between: str = " & "
    last_first: bool = False
    bare: bool = False

    def number(self, value: float, digits: int = 2) -> str:
        """Return a number as the list writes it."""
        return f"{value:.{digits}f}".replace(".", self.point)

    def half(self, value: float) -> str:
        """Return a score in matchpoints."""
        return f"{value:g}".replace(".", self.point)


def made(seed: int) -> Made:
    """Return a made list, the same one for a seed; one after the other they are of all layouts and languages."""
    random = Random(seed)
    layout = LAYOUTS[seed % len(LAYOUTS)]
    language = list(WORDS)[seed // len(LAYOUTS) % len(WORDS)]
    carrier = layout if layout in _CARRIERS else random.choice(_BESIDE.get(layout, _CARRIERS))
    style = _style(random, WORDS[language], layout, carrier)
    contestants = _contestants(style)
    date = f"{random.randint(1999, 2025)}-{random.randint(1, 12):02}-{random.randint(13, 28)}"
    document = Document(_titles(style, date, contestants), _tables(style, contestants))
    name, data = written(document, carrier, random, WORDS[language]["encodings"])
    return Made(name, data, layout, language, [_said(style, each) for each in contestants], date, document, carrier)


def _style(random: Random, words: Mapping[str, Any], layout: str, carrier: str) -> _Style:
    style = _Style(words, random, layout, carrier)
    style.kind = random.choice(("percentage", "percentage", "both", "both", "share", "score", "imps", "vps"))
    style.point = "," if random.random() < 0.4 else "."
    style.sign = random.choice(("", "", "%", " %")) if carrier != "aligned" else random.choice(("", "", "%"))
    style.place, style.tie = random.choice(
        (("{}", "{}"), ("{}.", "{}."), ("{}", "{}="), ("{}", "={}"), ("{}", "T{}"), ("{}", "{}"))
        if carrier != "xlsx"  # which would take =2 for a formula
        else (("{}", "{}"), ("{}.", "{}."), ("{}", "{}="), ("{}", "T{}"))
    )
    style.bare = random.random() < 0.2
    style.last_first = not style.bare and random.random() < 0.2
    style.between = random.choice(_BETWEEN)
    if style.between == "and":
        style.between = f" {words['between'][0]} "
    if style.last_first and style.between in {"-", "/"}:
        style.between = " - "
    names = ["one", "two"] if random.random() < 0.3 else ["names"]
    if layout == "tables":
        return replace(style, columns=["table"], kind=random.choice(("percentage", "score")))
    if layout == "two rows":
        names = ["names"]
    places = layout == "no header" or random.random() < 0.9
    numbers = random.random() < 0.6
    style.columns = ["place"] * places + ["number"] * numbers + names
    if layout == "no header":
        style.place, style.tie = random.choice((("{}", "{}"), ("{}", "{}="), ("{}.", "{}.")))
        style.kind = random.choice(("percentage", "percentage", "both", "score"))
    if layout in _CARRIERS and random.random() < 0.25:
        style.columns.insert(random.randint(0, min(1, places + numbers)), "direction")
    if layout in _CARRIERS and random.random() < 0.2:
        style.columns.insert(random.randint(0, min(1, places + numbers)), "section")
    style.columns += {"both": ["score", "percentage"], "share": ["share"]}.get(style.kind, [style.kind])
    if layout != "no header" and random.random() < 0.3:
        style.columns.append("award" if words["award"] and style.kind != "score" else "other")
    return style


def _contestants(style: _Style) -> list[Contestant]:
    """Return the contestants of a game, each field's by rank."""
    random = style.random
    both = style.layout in {"side", "tables", "blocks"} or "direction" in style.columns
    sections = ("A", "B") if "section" in style.columns else ("A",)
    size = random.randint(5, 12)
    style.most = (size - 1) * 2 * random.choice((8, 12))
    pairs = _pairs(style)
    members = random.random() < 0.2 and not style.bare
    found = []
    for section in sections:
        for direction in ("N-S", "E-W") if both else (None,):
            scores = _scores(random, style, size)
            numbers = random.sample(range(1, 2 * size), size)
            for score, number in zip(scores, numbers, strict=True):
                place = 1 + sum(other > score for other in scores)
                found.append(
                    Contestant(
                        pairs.pop(),
                        section if "section" in style.columns else None,
                        direction,
                        str(number),
                        (str(random.randint(10**6, 10**7)), str(random.randint(10**6, 10**7))) if members else None,
                        score,
                        round(100 * score / style.most, 2),
                        f"{place}/{place + tied - 1}" if (tied := scores.count(score)) > 1 else str(place),
                        max(0, 60 - 10 * place) or None,
                    )
                )
    return found


def _scores(random: Random, style: _Style, size: int) -> list[float]:
    """Return the scores of a field, the best first; together they are all that was played for."""
    mean, spread, step = {"imps": (0, 25, 1), "vps": (30, 8, 1)}.get(style.kind, (style.most / 2, style.most / 9, 0.5))
    scores = [mean + step * round(random.gauss(0, spread) / step) for _ in range(size)]
    if random.random() < 0.5:
        scores[1] = scores[0]
    scores[2] += mean * size - sum(scores)
    if any(not 0 < score < style.most for score in scores) and style.kind not in {"imps", "vps"}:
        return _scores(random, style, size)
    if style.kind == "vps" and min(scores) < 0:
        return _scores(random, style, size)
    return sorted(scores, reverse=True)


def _pairs(style: _Style) -> list[tuple[str, str]]:
    """Return pairs of which none is the same as another."""
    people = [f"{a}\t{b}" for a in style.words["first"] for b in style.words["last"]]
    style.random.shuffle(people)
    pairs = [(_player(style, a), _player(style, b)) for a, b in zip(people[::2], people[1::2], strict=True)]
    return [(a, b) for a, b in dict.fromkeys(pairs) if a != b]


def _player(style: _Style, name: str) -> str:
    first, last = name.split("\t")
    if style.bare:
        return f"{last}" if "-" not in last or style.between != "-" else last.replace("-", " ")
    if style.between.strip() in {"-", "–"} and not style.between.startswith(" "):
        first, last = first.replace("-", " "), last.replace("-", " ")
    return f"{last}, {first}" if style.last_first else f"{first} {last}"


def _said(style: _Style, contestant: Contestant) -> Contestant:
    """Return what the list says of a contestant."""
    said = {*style.columns}
    return replace(
        contestant,
        number=contestant.number if "number" in said else None,
        place=contestant.place if "place" in said else None,
        score=contestant.score if said & {"score", "share", "imps", "vps"} or style.kind == "score" else None,
        percentage=contestant.percentage if "percentage" in said or style.kind == "percentage" else None,
        award=contestant.award if "award" in said else None,
    )


def _titles(style: _Style, date: str, contestants: Sequence[Contestant]) -> list[str]:
    random, words = style.random, style.words
    year, month, day = date.split("-")
    of = " de " if words["between"] == ["y"] else " "
    told = random.choice((date, f"{day}.{month}.{year}", f"{day}{of}{words['months'][int(month) - 1]}{of}{year}"))
    tables = len(contestants) // 2
    movement = random.choice(words["movement"]).format(tables=tables, boards=24)
    lines = [random.choice(words["clubs"]), random.choice(words["events"])]
    if random.random() < 0.5:
        lines[1] += f" - {told}"
    else:
        lines.append(told)
    return [*lines, movement] if random.random() < 0.5 and len(contestants) % 2 == 0 else lines


def _tables(style: _Style, contestants: Sequence[Contestant]) -> list[Table]:
    """Return the tables of a list, with the headings above them."""
    sides = {way: [each for each in contestants if each.direction == way] for way in ("N-S", "E-W")}
    titles = style.random.choice([*zip(style.words["north_south"], style.words["east_west"], strict=True)])
    if style.layout == "tables":
        return [_of_tables(style, sides)]
    head = None if style.layout == "no header" else _header(style)
    if style.layout == "side":
        rows = [_cells(style, a) + _cells(style, b) for a, b in zip(*sides.values(), strict=True)]
        blanks = [""] * (len(head or []) - 1)
        over = [text for title in titles for text in (title, *blanks)]
        return [Table((head or []) * 2, rows, over=over)]
    if style.layout == "blocks":
        return [
            Table(head, [_cells(style, each) for each in listed], title)
            for title, listed in zip(titles, sides.values(), strict=True)
        ]
    rows = [row for each in contestants for row in _rows(style, each)]
    return [Table(head, rows + _below(style, contestants))]


def _of_tables(style: _Style, sides: Mapping[str, Sequence[Contestant]]) -> Table:
    words, random = style.words, style.random
    unit = "%" if style.kind == "percentage" else random.choice(words["score"])
    ns, ew = random.choice(
        [(a, b) for a, b in zip(words["north_south"], words["east_west"], strict=True) if len(a) < 4]
    )
    north, south, east, west = words["seats"]
    head = [words["table"][0], north, south, f"{ns} {unit}", east, west, f"{ew} {unit}"]
    rows = [
        [str(n), *_names(style, a), _result(style, a), *_names(style, b), _result(style, b)]
        for n, (a, b) in enumerate(zip(*sides.values(), strict=True), 1)
    ]
    return Table(head, rows)


def _result(style: _Style, each: Contestant) -> str:
    return _cell(style, each, style.kind)


def _header(style: _Style) -> list[str]:
    random, words = style.random, style.words
    head: list[str] = []
    key = {"share": "score"}
    for column in style.columns:
        free = [word for word in words[key.get(column, column)] if word not in head or not word]
        head.append(random.choice(free))
    case = random.choice((str, str, str.upper, str.lower))
    return [case(word) for word in head]


def _rows(style: _Style, each: Contestant) -> list[list[str]]:
    if style.layout != "two rows":
        return [_cells(style, each)]
    upper = _cells(style, each)
    at = style.columns.index("names")
    names = _names(style, each)
    upper[at] = names[0]
    return [upper, [names[1] if i == at else "" for i in range(len(upper))]]


def _cells(style: _Style, each: Contestant) -> list[str]:
    return [_cell(style, each, column) for column in style.columns]


def _names(style: _Style, each: Contestant) -> list[str]:
    members = [f" ({number})" for number in each.members] if each.members else ["", ""]
    return [name + member for name, member in zip(each.players, members, strict=True)]


def _cell(style: _Style, each: Contestant, column: str) -> str:
    score, place = each.score or 0.0, each.place or ""
    if column in {"one", "two", "names"}:
        names = _names(style, each)
        return {"one": names[0], "two": names[1]}.get(column) or style.between.join(names)
    if column == "place":
        first, _, last = place.partition("/")
        return (style.tie if last else style.place).format(first)
    texts = {
        "number": each.number or "",
        "direction": {"N-S": "NS", "E-W": "EW"}.get(each.direction or "", ""),
        "section": each.section or "",
        "percentage": style.number(each.percentage or 0.0) + style.sign,
        "score": style.half(score),
        "share": f"{style.half(score)}/{style.most:g}",
        "imps": f"{score:+g}",
        "vps": style.number(score),
        "award": style.number(each.award / 100) if each.award else "",
        "other": str(each.award) if each.award else "",
    }
    return texts[column]


def _below(style: _Style, contestants: Sequence[Contestant]) -> list[list[str]]:
    """Return the rows below the contestants: nobody's, and those of sums."""
    rows = []
    names = "names" if "names" in style.columns else "one"
    free = [column for column in style.columns if column not in {names, "percentage"}]
    if style.random.random() < 0.2:
        of = {names: style.random.choice(style.words["nobody"]), "percentage": style.number(40) + style.sign}
        rows.append([of.get(column, "") for column in style.columns])
    if style.layout != "no header" and style.random.random() < 0.25:
        of = {style.random.choice((names, free[0])): style.random.choice(style.words["totals"])}
        of["percentage"] = style.number(50) + style.sign
        rows.append([of.get(column, "") for column in style.columns])
    return rows


def spoilt(whole: Made, random: Random) -> tuple[str, Document, list[Contestant]]:
    """Return a list as a slip of the hand leaves it: what was done, the list, and what it says of its contestants.

    Two rows are swapped, the cells of a column move down by one row, those of a row to the right, or one gets lost.
    """
    tables = list(whole.document.tables)
    n = random.randrange(len(tables))
    rows = [list(row) for row in tables[n].rows]
    how = random.choice(("rows swapped", "a column shifted", "a row shifted", "a cell lost"))
    at, column = random.randrange(len(rows)), random.randrange(len(rows[0]))
    lost: list[str] = []
    if how == "rows swapped":
        high = 2 if whole.layout == "two rows" else 1
        at, other = (high * random.randrange(len(whole.contestants) // len(tables)) for _ in range(2))
        rows[at : at + high], rows[other : other + high] = rows[other : other + high], rows[at : at + high]
    elif how == "a column shifted":
        texts = ["", *(row[column] for row in rows[:-1])]
        rows = [[*row[:column], text, *row[column + 1 :]] for row, text in zip(rows, texts, strict=True)]
    elif how == "a row shifted":
        rows[at] = [*rows[at][:column], "", *rows[at][column:-1]]
    else:
        lost, rows[at][column] = [rows[at][column]], ""
    tables[n] = replace(tables[n], rows=rows)
    return f"{how} at {at}, {column} {lost}", Document(whole.document.titles, tables), whole.contestants
