"""Files checked: what each prints against its rulebook and its boards; one at fault does not hide the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from resultproc.formats.read import read_with_boards, reader_of
from resultproc.formats.source import Readable, taken_in
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import CONTESTANTS, GAMES, Result, Sheet, game_problem
from resultproc.model.game import BY_MATCHES
from resultproc.model.provenance import Provenance
from resultproc.reports.check.differences import DIFFERENCES, agreement, differences
from resultproc.rulebooks.registry import rulebook
from resultproc.scoring.recompute import compare
from resultproc.stages.doubts import doubts
from resultproc.stages.doubts.sessions import files_alike
from resultproc.stages.pipeline import award_each, joined, of_games, placed

COUNTS = ("ranks_and_awards", "board_results", "totals")
"""What is counted of each file: printed ranks and awards; of boards the points of results; scores and percentages."""


@dataclass(frozen=True)
class Check:
    """What came of checking files.

    differences: a row for each, see :data:`resultproc.reports.check.differences.DIFFERENCES`; of boards ``what`` is
    ``board 7`` (the points of a result), score or percentage, and ``why`` what the computed side follows from.
    files: a row for each file that could be read: its ``source``, of the :data:`COUNTS` how many it prints, and in
    columns that end in ``_agree`` how many of them agree.
    Of games whose awards another body gives the places are checked, without a rating.
    problems: what is wrong with files, and with games that could not be awarded. remarks: what is doubtful, or was
    compared otherwise than a result would be awarded. provenance: where it all comes from.
    """

    differences: pd.DataFrame
    files: pd.DataFrame
    problems: list[Problem]
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)


def check(*paths: Readable, format: str | None = None, **keys: object) -> Check:
    """Check what each of some files prints.

    format, keys: as for :func:`resultproc.read`. A game that prints neither ranks nor awards needs no declarations.
    The boards of a game are checked even where it cannot be awarded.
    """
    checks, sheets = zip(*(_file(path, format, keys) for path in paths), strict=True)
    every = joined([sheet for sheet in sheets if sheet is not None] or [Sheet(GAMES.empty(), CONTESTANTS.empty())])
    remarks = (*(remark for each in checks for remark in each.remarks), *files_alike(every))
    return Check(
        pd.concat([each.differences for each in checks], ignore_index=True),
        pd.concat([each.files for each in checks], ignore_index=True),
        [problem for each in checks for problem in each.problems],
        remarks,
        Provenance.of_all((each.provenance for each in checks), len(remarks)),
    )


def _file(path: Readable, format: str | None, keys: Mapping[str, object]) -> tuple[Check, Sheet | None]:
    """Return what came of checking a file, and its sheet as read, if it can be."""
    try:
        source = taken_in(path)
        sheet, boards = read_with_boards(source, format=format, **keys)
    except InputError as error:
        return Check(pd.DataFrame(columns=DIFFERENCES), _shares(), error.problems), None
    read = sheet
    of_boards = compare(sheet, boards)
    sheet, remarks = _as_printed(sheet, reader_of(source, format).name)
    problems: list[Problem] = []
    printing = _printing(sheet)
    others = printing & _of_another_body(sheet)
    doubted = doubts(sheet)
    try:
        result, wrong = award_each(of_games(sheet, printing - others), doubted.of_games(printing - others))
        problems += [problem for several in wrong.values() for problem in several]
    except InputError as error:
        result, _ = award_each(of_games(sheet, set()))
        problems += error.in_file(source.name).problems
    places, wrong_places = _places(sheet, others)
    problems += wrong_places
    not_awarded = differences(places).assign(why="places follow from the scores; these awards are another body's")
    of_file = [differences(result), not_awarded, _board_differences(sheet, of_boards, source.name)]
    found = pd.concat(of_file, ignore_index=True)
    agreed = pd.concat([agreement(each) for each in (result, places)]).sum(numeric_only=True)
    is_result = of_boards["what"].str.startswith("board ")
    counts = {
        "ranks_and_awards": (agreed["contestants"] + agreed["ranks"], agreed["agree"] + agreed["ranks_agree"]),
        "board_results": (is_result.sum(), of_boards.loc[is_result, "agrees"].sum()),
        "totals": ((~is_result).sum(), of_boards.loc[~is_result, "agrees"].sum()),
    }
    remarks = (*remarks, *_not_compared(sheet, others))
    remarks = tuple(dict.fromkeys((*remarks, *sheet.remarks, *doubted.remarks, *result.remarks)))
    provenance = Provenance(read.sources, result.provenance.rulebooks)
    return Check(found, _shares((source.name, counts)), problems, remarks, provenance), read


_ACBLSCORE = ("text", "acblscore")
"""The formats that the league's scoring program writes."""


def _as_printed(sheet: Sheet, reader: str) -> tuple[Sheet, tuple[Problem, ...]]:
    """Return a file's games with the boards that its awards are for, and a remark where these are not all played.

    ACBLscore knows nothing of awards by boards: what it prints is for the usual number, however many there were.
    """
    book = rulebook(_BY_BOARDS)
    standard = book.at(book.since).whole("boards.standard")
    games = sheet.games
    concerned = (games["date"] >= pd.Timestamp(book.since)) & games["rating"].isin(book.covers)
    # A report that names its rulebook is one of ours, with the awards of that.
    concerned &= ~games["event_type"].isin(BY_MATCHES) & games["rulebook"].isna() & (reader in _ACBLSCORE)
    if not concerned.any():
        return sheet, ()
    what = (
        f"ACBLscore leaves out that club games pay by boards since {book.since.year}: its awards are compared with "
        f"those for {standard} boards"
    )
    source = str(games["source"].iloc[0])
    changed = games.assign(boards=games["boards"].mask(concerned, standard))
    return replace(sheet, games=changed), (Problem(what, file=source),)


_BY_BOARDS = "acbl-club-2023"
"""The rulebook since which club games pay by boards."""


def _printing(sheet: Sheet) -> set[str]:
    """Return the games that print ranks or awards."""
    printed = sheet.contestants[["printed_section", "printed_overall", "printed_award"]].notna().any(axis="columns")
    return set(sheet.contestants.loc[printed, "game_id"])


def _of_another_body(sheet: Sheet) -> set[str]:
    """Return the games whose printed awards another body gives: no rulebook here says what they should be."""
    return set(sheet.games.loc[sheet.games["stored_other_awards"].notna(), "game_id"])


def _places(sheet: Sheet, names: set[str]) -> tuple[Result, list[Problem]]:
    """Rank some games whose awards are not compared; return their result, and what is wrong where they cannot be."""
    unpaid = sheet.contestants.drop(columns=["printed_award", "printed_paid_by", "printed_colours"])
    sheet = replace(sheet, contestants=CONTESTANTS.conform(unpaid))
    try:
        return placed(of_games(sheet, names)), []
    except InputError as error:
        return placed(of_games(sheet, set())), error.problems


def _not_compared(sheet: Sheet, names: set[str]) -> list[Problem]:
    games = sheet.games
    return [
        game_problem(games, int(row), f"{kind} points are another body's: places are compared, and awards are not")
        for row, kind in enumerate(games["stored_other_awards"])
        if games["game_id"].iloc[row] in names
    ]


def _board_differences(sheet: Sheet, of_boards: pd.DataFrame, source: str) -> pd.DataFrame:
    found = of_boards[~of_boards["agrees"]]
    named = sheet.contestants.iloc[found["contestant"]][["game_id", "section", "direction", "number"]]
    texts = found[["what", "printed", "computed", "why"]].set_axis(named.index)
    return pd.concat([named, texts], axis="columns").assign(source=source)[list(DIFFERENCES)]


def _shares(*files: tuple[str, Mapping[str, tuple[int, int]]]) -> pd.DataFrame:
    """Return the rows of files from the counts of what they print and what of it agrees."""
    rows = [
        {"source": source}
        | {
            f"{name}{end}": int(count)
            for name in COUNTS
            for end, count in zip(("", "_agree"), counts[name], strict=True)
        }
        for source, counts in files
    ]
    columns = ["source", *(f"{name}{end}" for name in COUNTS for end in ("", "_agree"))]
    return pd.DataFrame(rows, columns=columns)
