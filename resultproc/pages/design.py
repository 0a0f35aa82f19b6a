"""The design that all pages share: ``base.html`` beside this module, its stylesheet, its script, and macros.

A page needs nothing from elsewhere and works without its script, which sorts tables; a policy in it lets a browser run
that script and no other. A fragment is the same without the shell, for a page of a club's own site: all of its
style is for what is below its element of the class ``rp``, where the site may set the variables of ``page.css``.
Pictures on pages have their scales and colours from here, so that each has one meaning in all of them.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from resultproc.model.language import as_it_is, as_told, in_words, language, unmarked
from resultproc.model.provenance import VERSION, Provenance
from resultproc.pages.spoken import page_in_words, script_in_words

_PACKAGE = Path(__file__).parents[1]

_ROOMS = {"narrow": 41, "medium": 50, "wide": 57, "vast": 74, "endless": 0}
"""How wide a table of each class may be, in em; in less room it becomes a list, as whatever is endless always is."""

_NAMES, _LETTER, _HEADING, _GAP = 13.2, 0.62, 0.57, 1.1
"""In em: a column of names or other text, at least; the width of a letter or digit, the same in a heading, which breaks
between words; and between columns."""

_MOST_SOURCES = 20
"""This many files are named below a page that comes from more; all are in its head."""

_SMALLER = 0.9375
"""The size of a table's text in that of the page."""


def width_of(heading: str, texts: Iterable[object]) -> float:
    """Return how wide a column is, in em."""
    bare = (unmarked(re.sub("<[^>]*>", "", text) if "<" in text else text) for text in map(str, texts))
    longest = max(map(len, bare), default=0)
    return max(longest * _LETTER, max(map(len, heading.split()), default=0) * _HEADING) + _GAP


def room(widths: Iterable[float], texts: int) -> str:
    """Return the class of a table by the room that it needs. widths: of its columns; texts: its columns of text."""
    needed = (sum(widths) + texts * _NAMES) * _SMALLER
    return next(name for name, limit in _ROOMS.items() if needed <= limit or not limit)


@dataclass(frozen=True)
class PageColumn:
    """A column of a table."""

    heading: str  # what is above its cells
    kind: str = ""  # n for names or k for another key, l for other text, a for awards, '' for numbers
    label: str = ""  # what is beside its cells where there is little room, and no heading above them

    @cached_property
    def tags(self) -> tuple[str, str]:
        """What a cell of it begins with, and an empty one; neither it nor a row needs an end."""
        tag = "th" if self.kind in ("n", "k") else "td"
        begin = f"<{tag}" + ' scope="row"' * (tag == "th") + (f' class="{escape(self.kind)}"' if self.kind else "")
        label = f' data-l="{escape(self.label)}"' if self.label else ""
        return f"{begin}{label}>", f"{begin}>"


@dataclass(frozen=True)
class PageRow:
    """A row of a table: its cells, its class in the stylesheet, and how long its bar is, in percent of its cell."""

    cells: Sequence[object]
    kind: str = ""
    bar: float | None = None


@dataclass(frozen=True)
class PageTable:
    """A table of a page."""

    id: str  # of its heading, for links
    title: str  # its heading
    columns: Sequence[PageColumn]  # from left to right
    rows: Sequence[PageRow]  # from top to bottom
    note: str = ""  # what is said beside the heading
    sorts: bool = True  # whether its columns sort
    below: Sequence[str] = ()  # numbered notes below the table
    alone: bool = False  # whether it is printed on a page of its own
    # Whether it stays a table in little room, and is moved to be read; else its rows become a list.
    scrolls: bool = False
    people: bool = False  # whether a row is a player, whom a field finds where there are many

    def filled(self) -> PageTable:
        """Return it without the columns that hold nothing."""
        kept = [n for n in range(len(self.columns)) if any(row.cells[n] != "" for row in self.rows)]
        rows = [replace(row, cells=[row.cells[n] for n in kept]) for row in self.rows]
        return replace(self, columns=[self.columns[n] for n in kept], rows=rows)

    def cells_of(self, row: PageRow) -> str:
        """Return the cells of a row with their tags, as markup; what is in them is escaped."""
        parts: list[str] = []
        for column, cell in zip(self.columns, row.cells, strict=False):
            filled, empty = column.tags
            if column.kind == "r first" and not isinstance(cell, Markup) and len(str(cell)) > 4:
                filled = filled.replace("r first", "r first long")
            shown = _seated(cell) if column.kind == "n" else _dated(cell)
            parts += (filled if cell != "" else empty, shown if type(shown) is Markup else escape(shown))
        return Markup("".join(parts))  # noqa: S704 - all of it is escaped

    @property
    def room(self) -> str:
        """Its class by the room that it needs."""
        if self.scrolls:
            return "scrolls"
        plain = [n for n, column in enumerate(self.columns) if column.kind not in {"n", "l"}]
        widths = (width_of(self.columns[n].heading, (row.cells[n] for row in self.rows)) for n in plain)
        return room(widths, len(self.columns) - len(plain))


def finder(people: int) -> tuple[str, ...]:
    """Return the script that finds a name on a page with many people: fewer than 20 are seen at a glance."""
    return ("pages/find.js",) if people >= 20 else ()


def anchors(seed: str, fragment: bool) -> str:
    """Return what the anchors of a page begin with: those of several fragments in one page have names of their own."""
    return f"rp-{hashlib.sha256(unmarked(seed).encode('utf-8', 'replace')).hexdigest()[:8]}-" if fragment else ""


def render(name: str, *, fragment: bool = False, at: str = "", script: Sequence[str] = (), **values: object) -> bytes:
    """Return a page, or a fragment, from a template of the package, named by its path; what is put in is escaped.

    The template extends ``base.html``. The page has that part of the shared style that it uses.

    fragment: whether it is for a page of a club's own site.
    at: see :func:`anchors`.
    script: the paths in the package of what it runs besides the script of all pages. The first line of each says which
        elements and classes it makes, where there are any: ``// Makes: table mine``.
    values: besides what it needs, the ``title``.
    """
    shared, made = _script(tuple(script), language())
    more: dict[str, object] = {"version": f"resultproc {VERSION}", "most_sources": _MOST_SOURCES}
    more["style"] = Markup(_STYLE)  # noqa: S704 - it is ours
    text = page_in_words(_template(name).render(**shared, **more, fragment=fragment, at=at, **values))
    found = frozenset(word for used in _USED for words in set(used.findall(text)) for word in words.split())
    return text.replace(_STYLE, _style(fragment, found | made | _LATER, language()), 1).encode("utf-8", "replace")


_STYLE = "<style>\n</style>"
"""Where the style of a page goes, before it is known what it uses; what is from a file is escaped, and never this."""

_USED = [re.compile(pattern) for pattern in (r"<([a-z][a-z0-9]*)", r' class="([^"]*)"', r"var\((--[a-z-]+)")]
"""The elements and classes of a page, and the variables in styles that it has besides."""

_LATER = frozenset({"a", "nav", "p", "site"})
"""What :func:`linked` puts in."""


def markup(name: str, **values: object) -> str:
    """Return a part of a page, as markup that goes into it as it is; what is put in is escaped.

    It is in English: the page is said in the language as a whole, see :func:`render` and :func:`linked`.
    """
    return Markup(_template(name).render(**values))  # noqa: S704 - its template is ours


def linked(page: bytes, links: bytes = b"", head: bytes = b"") -> bytes:
    """Return a whole page with other links above it, and others of a site's lines in its head.

    page: one that is not of this design stays as it is.
    links: an element ``<nav class="site">``; empty to have none, even if the page had some.
    head: the line for search engines, and an element ``<style class="look">``; empty to have neither.
    """
    top = _TOP.search(page)
    if top is None:
        return page
    start, end = _OF_SITE.sub(b"", page[: top.start()]), page[top.end() :]
    links = page_in_words(links.decode()).encode()
    return start.replace(b"</head>", head + b"</head>", 1) + top[1] + links + end


def is_linked(page: bytes) -> bool:
    """Return whether a page has links that :func:`linked` has put above it."""
    top = _TOP.search(page)
    return top is not None and top[2] is not None


_TOP = re.compile(rb'(<main class="rp[^"\n]*" id="top">\n)(<nav class="site".*?</nav>\n)?', re.DOTALL)
_OF_SITE = re.compile(rb'<meta name="robots"[^>\n]*>\n|<style class="look">[^<]*</style>\n')
"""What :func:`linked` puts in; whatever is from a file is escaped, and is neither."""


@dataclass(frozen=True)
class Report:
    """What a report shows: a page of tables, and a workbook, are made of it."""

    title: str  # what it is called
    tables: Sequence[PageTable] = ()  # those of the page
    # Those of the workbook, by the names of its sheets; the tables of one sheet have the same columns.
    sheets: Mapping[str, Sequence[PageTable]] = field(default_factory=dict)
    over: str = ""  # what is above the title of the page
    facts: Sequence[str] = ()  # what is below the title
    lead: str = ""  # what matters most
    problems: Sequence[object] = ()  # what is wrong
    picture: str = ""  # what is above the tables of the page, as markup
    said: Sequence[str] = ()  # what is below them
    remarks: Sequence[object] = ()  # what is doubtful
    foot: Sequence[str] = ()  # what is last
    provenance: Provenance | None = None  # where it all comes from, None to say nothing about that
    landscape: bool = False  # whether the page is printed on its side
    script: Sequence[str] = ()  # of the page, see :func:`render`

    def page(self, *, fragment: bool = False) -> bytes:
        """Return the page. fragment: whether it is for a page of a club's own site."""
        script = self.script or finder(max((len(table.rows) for table in self.tables if table.people), default=0))
        notes = {name: list(map(as_told, getattr(self, name))) for name in ("problems", "remarks")}
        more = {**vars(self), **notes, "script": script}
        return render("pages/tables.html", fragment=fragment, at=anchors(self.title, fragment), **more)


@cache
def _script(more: tuple[str, ...], _: str) -> tuple[dict[str, object], frozenset[str]]:
    """Return the script of a page in a language with its hash, and what it makes, see :func:`render`."""
    texts = [(_PACKAGE / path).read_text("utf-8") for path in ("pages/page.js", *more)]
    # Without the blanks that its lines begin with, and without the lines that are comments.
    script = "\n".join(re.sub(r"(?m)^ *(//.*)?\n?", "", text).strip() for text in texts)
    script = script_in_words(script)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    made = {word for text in texts for words in re.findall(r"\A// Makes: (.*)", text) for word in words.split()}
    element = Markup(f"<script>{script}</script>")  # noqa: S704 - it is ours
    return {"script": element, "script_hash": f"sha256-{digest}"}, frozenset(made)


@lru_cache(maxsize=256)
def _style(fragment: bool, used: frozenset[str], _: str) -> str:
    """Return what a page needs of the stylesheet in a language. used: its elements and classes.

    The style of a fragment also holds for one above it in the same page, from which no rule may take what a later one
    gives back: it lacks only what stands apart.
    """
    lines = _stylesheet(fragment)
    more = {word for line in lines for word in re.findall(r"[a-z-][\w-]*", line)} - _APART if fragment else set()
    kept: list[str] = []
    for line in lines:
        if line == "}" and kept[-1][-1] == "{":
            kept.pop()
        elif line[0] in "@}" or _serves(line.partition("{")[0], used | more):
            kept.append(line)
    style = "\n".join(kept)
    named = used.union(_USED[-1].findall(style))
    style = re.sub(r"(--[a-z-]+):[^;}]*;?", lambda found: found[0] if found[1] in named else "", style)
    return f"<style>\n{script_in_words(style)}\n</style>"


def _serves(selectors: str, used: frozenset[str]) -> bool:
    """Return whether a page may have an element of one of these selectors; what is in brackets is not looked at."""
    while "(" in selectors:
        selectors = re.sub(r"\([^()]*\)", "", selectors)
    bare = re.sub(r"\[[^]]*\]|::?[a-z-]+", "", selectors)
    return any(used.issuperset(re.findall(r"[a-z][\w-]*", each)) for each in bare.split(","))


_APART = frozenset({*_ROOMS, "bracket", "grids", "hands", "recap", "sheet", "sheets", "whatif"})
"""Classes whose rules change nothing that is styled without them."""


@cache
def _stylesheet(fragment: bool) -> list[str]:
    text = _template("pages/page.css").render(root=".rp" if fragment else ":root", rooms=_ROOMS)
    # What holds rules has a line of its own.
    return re.sub(r"(@[a-z][^{}]*{)(?=[^{}]*{)", r"\1\n", _short_style(text)).split("\n")


def _template(name: str) -> Any:
    return _environment().get_template(name)


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("resultproc", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["css_string"] = _css_string
    environment.filters |= {"as_it_is": as_it_is, "in_words": in_words}
    environment.filters["seated"] = _seated
    environment.filters["short_style"] = _short_style
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


def _short_style(text: str) -> str:
    """Return a stylesheet without the blanks that it does not need, a rule a line; its strings stay as they are."""
    parts = re.split(r'("[^"]*")', text)
    for at in range(0, len(parts), 2):
        part = re.sub(r"\s+", " ", parts[at])
        part = re.sub(r" ?([{}>;,]) ?|(?<=:) ", r"\1", part)
        parts[at] = re.sub(";?}", "}\n", part)
    return "".join(parts).strip()


def _seated(text: object) -> object:
    """Return a text with each contestant's seat as one: "(A-NS-6)" stays on a line, where hyphens would break it."""
    parts = re.split(r"(?<= )(\([A-Z]{1,2}(?:-(?:NS|EW))?-[0-9]{1,4}\))", text) if type(text) is str else []
    pattern = Markup("{}" + '<b class="w">{}</b>{}' * (len(parts) // 2))  # noqa: S704 - what is put in is escaped
    return pattern.format(*parts) if len(parts) > 1 else text


def _dated(cell: object) -> object:
    """Return a day in figures as one that sorts as such, however a language writes it."""
    if type(cell) is not str or len(cell) != len("2026-01-06") or cell[4:8:3] != "--":
        return cell
    return Markup('<time datetime="{0}">{0}</time>').format(cell)


def _css_string(text: str) -> str:
    """Return a text as a string of a stylesheet: nothing in it ends the string, or the element of the style."""
    escaped = re.sub(r"[^\w .,:()-]", lambda sign: f"\\{ord(sign[0]):x} ", unmarked(text))
    return Markup(f'"{escaped}"')  # noqa: S704 - it has no sign of markup


def scale(low: float, high: float, marks: int) -> list[float]:
    """Return the numbers of a scale.

    low: the scale begins here or below.
    high: it ends here or above; more than ``low``.
    marks: about how many numbers it has.
    """
    # The smallest of 1, 2, 5, 10, 20, 50, ... or of 0.1, 0.2, 0.5, ... that is not less.
    least = (high - low) / marks
    power: float = 10 ** floor(log10(least))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)
    first, last = floor(low / step), ceil(high / step)
    return [round(number * step, 10) for number in range(first, last + 1)]


OTHER = "#808080"
"""The colour of whatever has none of its own, such as games without a rating.

Each colour of a rating can be told from the page, light or dark; see :mod:`resultproc.model.game`."""
