"""What goes to a results site of one results file: the game awarded, checked, and written as the site takes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from resultproc.formats.deals import DEAL_ENDINGS, analysed
from resultproc.formats.found import hash_of
from resultproc.formats.loaded import Readable, load_source
from resultproc.formats.read import drafted
from resultproc.formats.write import NamePattern
from resultproc.model.arrays import row_dicts
from resultproc.model.codes import AWAITED
from resultproc.model.errors import DeclarationError, Problem, ResultprocError, shown
from resultproc.model.file_limits import FileLimits
from resultproc.model.frames import Result
from resultproc.model.game import UNFINISHED, split_list
from resultproc.model.plugins import named
from resultproc.model.source import Source
from resultproc.model.text import text_there
from resultproc.model.work import within
from resultproc.publish.account import Account
from resultproc.publish.results_site import Site
from resultproc.publish.taken import fit
from resultproc.stages.pipeline import award_sheet, doubted, with_boards, with_boards_doubted
from resultproc.stages.same_game import marks_of_games

_DEAL_FILES = (".dlm", ".bri", ".pbn", ".dup")
"""The endings of files of deals that sites take beside a game's results."""


@dataclass(frozen=True)
class Parcel:
    """A file for a site, and what goes with it."""

    site: Site  # where it goes
    account: Account  # the club's there
    file: str  # the results file that it was made from
    source: str  # the hash of that file with all that was declared of it
    game: str  # what tells its game from others of the site
    title: str  # what the game is called
    date: str  # its day, as 20121118; empty where it is not known
    stem: str  # what the file is called, without its ending
    ending: str  # that of the file, with the dot
    named: bool  # whether the user said how it is called
    data: bytes = field(repr=False)  # its content
    # The ending and content of the deals beside it, None for none.
    deals: tuple[str, bytes] | None = field(default=None, repr=False)
    remarks: tuple[Problem, ...] = ()  # what the site would lose of it
    final: bool = True  # whether its events are over

    @property
    def name(self) -> str:
        """What the file is called at the site."""
        return self.stem + self.ending

    @property
    def sha256(self) -> str:
        """The SHA-256 of all that goes to the site."""
        whole = hashlib.sha256(self.data)
        for each in self.deals or ():
            whole.update(b"\0" + (each if isinstance(each, bytes) else each.encode()))
        return whole.hexdigest()


def parcel(
    given: Readable,
    site: Site,
    account: Account,
    *,
    format: str | None = None,
    keys: Mapping[str, object] | None = None,
    pattern: NamePattern | None = None,
    deals: Path | None = None,
    makeable: bool = False,
) -> Parcel:
    """Return what goes to a site of a results file: it is awarded, or is a result already, see :func:`_result`.

    format, keys: as for :func:`resultproc.read`.
    pattern: what the file is called, None for the name of the results file.
    deals: a file of deals beside it, None for none.
    makeable: what can be made with the hands is worked out where no file says it.

    Raises InputError for a file that cannot be awarded, and for what the site would refuse.
    """
    settings, players = ((keys or {}).get(name) for name in ("settings", "players"))
    read = str(deals) if deals and deals.suffix.lower() in DEAL_ENDINGS else None
    source = load_source(given, str(settings) if settings else None, str(players) if players else None, read)
    writer = site.writer()
    result = _result(source, site, format, keys or {})
    if writer.boards or site.sent == "post":
        result = with_boards(result, [source], format)
    if makeable:
        result = analysed(result)
    doubts = result.remarks
    result, remarks = fit(result, site)
    games = result.games
    said = json.dumps(sorted((name, str(value)) for name, value in (keys or {}).items() if value is not None))
    first = games.iloc[0]
    day = f"{first['date']:%Y-%m-%d}" if pd.notna(first["date"]) else ""
    called = dict.fromkeys(str(first[name]) for name in ("event", "session") if pd.notna(first[name]))
    return Parcel(
        site,
        account,
        source.name,
        hash_of(source, said),
        _game(games, source),
        ", ".join([*called, *([day] if day else [])]),
        day.replace("-", ""),
        pattern.stem(row_dicts(games)) if pattern else source.stem,
        pattern.ending if pattern and pattern.ending else writer.endings[0],
        pattern is not None,
        writer.write(result),
        _deals(result, deals) if site.sent == "post" else None,
        (*doubts, *remarks),
        is_final(games["special"], doubts),
    )


def _result(source: Source, site: Site, format: str | None, keys: Mapping[str, object]) -> Result:
    """Return the result of a file: awarded, or as it is where it declares no rating and no rulebook here is meant.

    That is where it prints points, which are then somebody else's, and where the site has points of its own league.
    """
    draft = drafted(source, format=format, site=site.id, **keys)
    sheet = with_boards_doubted([draft])
    printed = sheet.contestants["printed_award"].notna().any()
    declared = any(fact.get("rating") is not None for fact in draft.facts)
    if declared or not (printed or "points" in site.asks):
        return award_sheet(sheet)
    sheet = doubted(sheet)
    with_points = "with the points that it prints" if printed else "without points"
    what = f"no rating is declared: it goes as it is, {with_points}"
    remark = Problem(what, hint="declare the rating to have it awarded here", file=source.name, code="site.as-it-is")
    return replace(sheet, remarks=(*sheet.remarks, remark)).unranked()


def is_final(special: pd.Series[str], remarks: Iterable[Problem]) -> bool:
    """Return whether the events of some games are over, and all results of their boards are there.

    special: the special words of each.
    """
    going_on = any(UNFINISHED in split_list(text_there(text)) for text in special)
    return not going_on and not any(each.code == AWAITED for each in remarks)


def _game(games: pd.DataFrame, source: Source) -> str:
    """Return what tells the games of a file from others: what is said of them, and its name where that tells nothing.

    A game without event and session would else be taken for the correction of another one of its day.
    """
    marks = marks_of_games(games).drop(columns="part")
    tells = (marks["event"] != "") | (marks["session"] != "")
    told = [*marks.to_numpy().tolist(), *([] if tells.all() else [[source.stem]])]
    return json.dumps(told, ensure_ascii=False)


def _deals(result: Result, path: Path | None) -> tuple[str, bytes] | None:
    """Return the ending and content of a file of deals; else, and for LIN, which no site takes, of the hands."""
    ending = path.suffix.lower() if path else ""
    if path is not None and ending not in set(DEAL_ENDINGS) - set(_DEAL_FILES):
        if ending not in _DEAL_FILES:
            raise DeclarationError(f"deals end in {', '.join(_DEAL_FILES)}", hint="name such a file", file=path.name)
        return ending, load_source(path).data
    if not len(result.deals):
        return None
    return ".pbn", named("writers", "pbn").write(result)


def parcels(
    paths: Sequence[Readable], sites: Sequence[tuple[Site, Account]], limits: FileLimits, **options: object
) -> tuple[list[Parcel], list[Problem]]:
    """Return what goes to some sites of some results files, and what is wrong with the others; see :func:`parcel`."""
    made: list[Parcel] = []
    problems: list[Problem] = []
    for path in paths:
        for site, account in sites:
            try:
                name = shown(getattr(path, "name", ""))
                made.append(within(limits, name, parcel, path, site, account, **options))
            except ResultprocError as error:
                problems += error.problems
    return made, list(dict.fromkeys(problems))
