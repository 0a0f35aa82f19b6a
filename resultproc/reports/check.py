"""Files checked: what each prints against its rulebook and its boards; one at fault does not hide the others.

The outcome is text, CSV, JSON, a workbook and a page. The CSV has the differences alone. What could not be checked
is in the JSON, the workbook and the page; the command line tells it on standard error as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from resultproc.formats.loaded import Readable, refuse_none
from resultproc.formats.read import drafted
from resultproc.model.arrays import row_dicts, rows_of
from resultproc.model.draft import Draft, by_file, play_of, sheets_of, split_drafts
from resultproc.model.errors import InputError, Problem, ResultprocError, by_halves, quoted
from resultproc.model.frames import CONTESTANT_KEY, CONTESTANTS, GAMES, AwardedResult, Sheet, game_problem, other_awards
from resultproc.model.game import leagues
from resultproc.model.language import as_it_is, in_words
from resultproc.model.provenance import Provenance
from resultproc.model.text import counted
from resultproc.pages.design import PageColumn, PageRow, PageTable, Report
from resultproc.pages.tables import Writers, as_csv
from resultproc.pages.words import headline, numbered_note, wrapped
from resultproc.people.seated import label, players_texts
from resultproc.reports.differences import (
    DIFFERENCE_COLUMNS,
    agreement,
    as_printed,
    checked_ranks,
    differences,
    if_ours,
)
from resultproc.reports.json_types import CheckReport, entry
from resultproc.scoring.recompute import compare_boards
from resultproc.stages.doubts import Doubts, doubts, doubts_of_boards
from resultproc.stages.pipeline import award_each, joined_sheets, keep_games, placed
from resultproc.stages.same_game import files_of_one_game

COUNTS = ("ranks_and_awards", "board_results", "totals")
"""What is counted in each file: printed ranks and awards; the points of results of boards; scores and percentages."""


@dataclass(frozen=True)
class Check:
    """The outcome of checking files. If another body gives the awards of a game, its places are checked, no rating."""

    # A row for each, see :data:`resultproc.reports.differences.DIFFERENCE_COLUMNS`; of boards ``what`` is ``board 7``
    # (the points of a result), score or percentage, and ``why`` what the computed side follows from.
    differences: pd.DataFrame
    # A row for each file that could be read: its ``source``, how many it prints of each of the :data:`COUNTS`, and in
    # columns that end in ``_agree`` how many of them agree.
    files: pd.DataFrame
    problems: list[Problem]  # what is wrong with files, and with games that could not be awarded
    remarks: tuple[Problem, ...] = ()  # what is doubtful, or was compared otherwise than a result would be awarded
    provenance: Provenance = field(default_factory=Provenance)  # where it all comes from


def check(*paths: Readable, format: str | None = None, **keys: object) -> Check:
    """Check what each of some files prints.

    format, keys: as for :func:`resultproc.read`. A game that prints neither ranks nor awards needs no declarations.
    The boards of a game are checked even where it cannot be awarded. Raises InputError where there is no file.
    """
    refuse_none(paths)
    unread: list[list[Problem]] = []  # what is wrong with each file that cannot be read; of others nothing

    def read() -> Iterator[Draft]:
        for path in paths:
            unread.append([])
            try:
                draft = drafted(path, format=format, **keys)
            except ResultprocError as error:
                unread[-1] += error.problems
            else:
                yield draft

    chunks = [*map(_checked, split_drafts(read()))] or [_checked([])]
    found = _joined([found for _, found, _ in chunks])
    every = joined_sheets([sheet for sheet, *_ in chunks])
    of_read = (problems for *_, of_files in chunks for problems in of_files)
    problems = [problem for each in unread for problem in each or next(of_read)]
    remarks = (*found.remarks, *files_of_one_game(every, range(len(every.games)), alike_alone=True))
    provenance = replace(found.provenance, remarks=len(remarks))
    return replace(found, problems=problems, remarks=remarks, provenance=provenance)


def _joined(checks: Sequence[Check]) -> Check:
    return Check(
        pd.concat([each.differences for each in checks], ignore_index=True),
        pd.concat([each.files for each in checks], ignore_index=True),
        [problem for each in checks for problem in each.problems],
        tuple(remark for each in checks for remark in each.remarks),
        Provenance.of_all((each.provenance for each in checks), 0),
    )


def _checked(drafts: Sequence[Draft]) -> tuple[Sheet, Check, list[list[Problem]]]:
    """Return the sheet of some files, the outcome of checking them, and the problems of each, which that leaves out."""
    read = joined_sheets(sheets_of(drafts) or [Sheet(GAMES.empty(), CONTESTANTS.empty())])
    boards, deals = play_of(drafts)
    of_boards = compare_boards(read, boards)
    sheet, said = as_printed(read, drafts)
    found = _held(sheet)
    order = {str(draft.facts[0]["source"]): number for number, draft in enumerate(drafts)}
    wrong = of_boards[~of_boards["agrees"]].reset_index(drop=True)
    named = sheet.contestants.iloc[wrong["contestant"]].reset_index(drop=True)
    source = sheet.games["source"].iloc[rows_of(named["game_id"], sheet.games["game_id"])].to_numpy()
    wrong = wrong.assign(source=source, **named[CONTESTANT_KEY], players=players_texts(named), rule="")
    differences = pd.concat([found.differences, wrong[list(DIFFERENCE_COLUMNS)]], ignore_index=True)
    differences = differences.iloc[differences["source"].map(order).argsort(kind="stable")]
    # A remark for each way that the boards of a game are scored otherwise than usual.
    rows = rows_of(sheet.contestants["game_id"].iloc[of_boards["contestant"]], sheet.games["game_id"])
    ways = dict.fromkeys((int(row), what) for row, what in zip(rows, of_boards["told"], strict=True) if what)
    told = (*(game_problem(sheet.games, *way) for way in ways), *_not_compared(sheet))
    remarks = dict.fromkeys((*said, *told, *read.remarks, *doubts_of_boards(read, boards, deals), *found.remarks))
    ordered = tuple(remark for each in by_file(remarks, drafts) for remark in each)
    shares, provenance = (
        _shares([*order], found.files, of_boards, read),
        replace(found.provenance, sources=read.sources),
    )
    return read, Check(differences, shares, [], ordered, provenance), by_file(found.problems, drafts)


def _held(sheet: Sheet) -> Check:
    """Return how what some files print differs from their awards; where something concerns no single game, one by one.

    Its ``files`` are what :func:`agreement` says of the games.
    """
    every = list(sheet.games["source"].unique())
    held: list[Check] = []

    def hold(sources: Sequence[str], amiss: Sequence[Problem] = ()) -> None:
        mine = sheet
        if len(sources) < len(every):
            mine = keep_games(sheet, sheet.games.loc[sheet.games["source"].isin(sources), "game_id"])
        held.append(_compared(mine, doubts(mine), amiss))

    def hold_amiss(sources: Sequence[str], error: InputError) -> None:
        hold(sources, error.in_file(sources[0]).problems)

    by_halves(every, hold, hold_amiss, InputError)
    return held[0] if len(held) == 1 else _joined(held)


def _compared(sheet: Sheet, doubted: Doubts, amiss: Sequence[Problem] = ()) -> Check:
    """Return the differences of some files; amiss: what is wrong with a file. No game of it is awarded then."""
    printing = _printing(sheet)
    others = _of_another_body(sheet)
    awarded = set() if amiss else printing - others
    result, wrong = award_each(keep_games(sheet, awarded), doubted.of_games(awarded))
    places, wrong_places = _places(sheet, printing & others)
    ranks = checked_ranks(result)
    found, agreed = [differences(result, ranks)], [agreement(result, ranks)]
    if len(places.games):
        why = "places follow from the scores; these awards are another body's"
        ranks = checked_ranks(places)
        found.append(differences(places, ranks).assign(why=why))
        agreed.append(agreement(places, ranks))
    return Check(
        pd.concat(found, ignore_index=True),
        pd.concat(agreed),
        [*amiss, *(problem for several in wrong.values() for problem in several), *wrong_places],
        (*doubted.remarks, *result.remarks),
        Provenance((), result.provenance.rulebooks),
    )


def _printing(sheet: Sheet) -> set[str]:
    """Return the games that print ranks or awards."""
    printed = sheet.contestants[["printed_section", "printed_overall", "printed_award"]].notna().any(axis="columns")
    return set(sheet.contestants.loc[printed, "game_id"])


def _of_another_body(sheet: Sheet) -> set[str]:
    """Return the games whose printed awards another body gives: no rulebook here says what they should be."""
    return set(sheet.games.loc[other_awards(sheet.games).notna(), "game_id"])


def _places(sheet: Sheet, names: set[str]) -> tuple[AwardedResult, list[Problem]]:
    """Rank some games whose awards are not compared; return their result, and what is wrong where they cannot be.

    Raises InputError for what is wrong in one of several files.
    """
    unpaid = sheet.contestants.drop(columns=["printed_award", "printed_paid_by", "printed_colours"])
    sheet = replace(sheet, contestants=CONTESTANTS.conform(unpaid))
    try:
        return placed(keep_games(sheet, names)), []
    except InputError as error:
        if sheet.games["source"].nunique() > 1:
            raise
        return placed(keep_games(sheet, set())), error.problems


def _not_compared(sheet: Sheet) -> list[Problem]:
    games = sheet.games
    names = _printing(sheet) & _of_another_body(sheet)
    found = []
    for row, (kind, name) in enumerate(zip(games["stored_other_awards"], games["league"], strict=True)):
        what, hint = f"{kind} points are another body's: places are compared, and awards are not", if_ours(str(kind))
        if isinstance(name, str):
            own = leagues()[name]
            what = f"{kind} points are of the {own.title}: without a rating places are compared, and not awards"
            hint = f"declare rating, such as {next(iter(own.names))}; 'resultproc infer' finds which fits"
        if games["game_id"].iloc[row] in names:
            found.append(game_problem(games, row, what, hint, code="printed.not-compared"))
    return found


def _shares(files: list[str], agreed: pd.DataFrame, of_boards: pd.DataFrame, sheet: Sheet) -> pd.DataFrame:
    """Return the rows of files: how many numbers of each kind they print, and how many of them agree."""
    source = sheet.games.set_index("game_id")["source"]
    of_result = of_boards["what"].str.startswith("board").to_numpy(dtype=bool)
    numbers = pd.DataFrame(
        {
            "source": sheet.contestants["game_id"].iloc[of_boards["contestant"]].map(source).to_numpy(),
            "board_results": of_result,
            "board_results_agree": of_result & of_boards["agrees"],
            "totals": ~of_result,
            "totals_agree": ~of_result & of_boards["agrees"],
        }
    )
    awards = agreed.assign(
        ranks_and_awards=agreed["contestants"] + agreed["ranks"],
        ranks_and_awards_agree=agreed["agree"] + agreed["ranks_agree"],
    )
    columns = [f"{name}{end}" for name in COUNTS for end in ("", "_agree")]
    sums = [frame.groupby("source").sum(numeric_only=True) for frame in (awards, numbers)]
    every = pd.concat(sums, axis="columns").reindex(files)[columns].fillna(0).astype("int64")
    return every.rename_axis("source").reset_index()


WRITERS: Writers[[Check]] = Writers()


@WRITERS.text
def text(check: Check) -> Iterator[str]:
    """Yield the differences, the rules that they name by numbers, and for each file how much of it agrees.

    Where a file could not be checked, that comes first.
    """
    if check.problems:
        yield from (in_words(_title(check)), "")
    rows, rules = _differences(check)
    for row in rows:
        who = f"{row['source']}: {row['game_id']} {row['contestant']}".rstrip()
        printed = in_words(f"{row['what']} printed {row['printed'] or 'none'},")
        yield from wrapped(f"{who}: {printed}", 4)
        yield from wrapped(in_words(f"    computed {row['computed'] or 'none'}: {row['why']}"), 8)
    if rules:
        noted = (numbered_note(number, rule) for number, rule in enumerate(rules, 1))
        yield from ("", in_words("Rules"), "", *(line for note in noted for line in note), "")
    wrong = {problem.file for problem in check.problems}
    for file in row_dicts(check.files):
        parts = [f"{file[f'{name}_agree']} of {file[name]} {name.replace('_', ' ')}" for name in COUNTS if file[name]]
        share = f"{', '.join(parts)} agree"
        if not parts:
            nothing = "there are no printed ranks, awards or results to check"
            share = "what it prints could not be checked" if file["source"] in wrong else nothing
        yield from wrapped(f"{file['source']}: {in_words(share)}", 4)


def _differences(check: Check) -> tuple[list[dict[Any, Any]], list[str]]:
    """Return the differences and the rules that they are by, each once: a difference names its rule by the number.

    Each contestant is one text, such as ``Ann Lee - Bob Ray (A-NS-6)``.
    """
    rows = row_dicts(check.differences.fillna(""))
    rules = list(dict.fromkeys(row["rule"] for row in rows if row["rule"]))
    for row in rows:
        row["contestant"] = f"{row['players']} ({label(row)})" if row["players"] else label(row)
        if row["rule"]:
            row["why"] = row["why"].replace(row["rule"], f"rule {rules.index(row['rule']) + 1}", 1)
    return rows, rules


@WRITERS("csv")
def to_csv(check: Check) -> bytes:
    """Return the differences, a row for each."""
    cells = check.differences.astype("str").fillna("")
    return as_csv([str(name) for name in cells], cells.to_numpy().tolist()).encode()


@WRITERS.json
def to_json(check: Check) -> CheckReport:
    """Return the differences, the counts of each file, and what is wrong with files."""
    return entry(CheckReport, check, headline=_title(check), remarks=quoted(check.remarks))


@WRITERS.sheets
def shown(check: Check) -> Report:
    """Return what could not be checked, what agrees of each file, and the differences."""
    columns = [
        PageColumn("Contestant", "n"),
        *(PageColumn(head, "w l", head) for head in ("File", "Game", "What")),
        *(PageColumn(head, "", head) for head in ("Printed", "Computed")),
        PageColumn("Why", "l"),
    ]
    found, rules = _differences(check)
    rows = []
    for row in found:
        sides = [row[name] or "none" for name in ("printed", "computed")]
        which = [as_it_is(row[name]) for name in ("source", "game_id")]
        rows.append(PageRow([row["contestant"], *which, row["what"], *sides, row["why"]]))
    differences = PageTable("differences", "Differences", columns, rows, below=rules)
    # How much of each file agrees; what it does not print is empty.
    of_files = []
    for file in row_dicts(check.files):
        counts = [(file[f"{name}_agree"], file[name]) for name in COUNTS]
        shares = [f"{agree} of {printed}" if printed else "" for agree, printed in counts]
        differs = any(agree < printed for agree, printed in counts)
        of_files.append(PageRow([file["source"], *shares], "differs" if differs else ""))
    heads = [name.replace("_", " ").capitalize() for name in COUNTS]
    columns = [PageColumn("File", "n"), *(PageColumn(head, label=head) for head in heads)]
    files = PageTable("files", "What agrees, of what each file prints", columns, of_files)
    return Report(
        _title(check),
        [table for table in (files, differences) if table.rows],
        {"Differences": [differences], "Files": [files]},
        problems=check.problems,
        said=() if len(check.differences) else ("There are no differences.",),
        remarks=quoted(check.remarks),
        provenance=check.provenance,
    )


def _title(check: Check) -> str:
    count = len(check.differences)
    found = counted(count, "difference") if count else "no differences"
    at_fault = check.files["source"].isin({problem.file for problem in check.problems})
    lacking = "checked whole" if check.files.loc[at_fault, list(COUNTS)].any(axis=None) else "checked"
    return headline("Checked", check.problems, lacking, found if count or not at_fault.all() else "")
