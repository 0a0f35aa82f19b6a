"""The codes of problems and remarks: what programs tell them apart by, whatever the words of the message.

A code stays what it is, and so does the exit status that its first word stands for. New ones are declared here, where
``scripts/make-docs`` takes them from.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable

COMMAND_LINE, DIFFERENCES, FALLS, TRY_AGAIN, MACHINE, BUG, INTERRUPTED, CLOSED = 2, 3, 4, 5, 6, 70, 130, 141
"""The exit statuses besides 0, all is done, and 1, the input is at fault. CLOSED: nobody reads what is printed."""

STATUSES = {"command": COMMAND_LINE, "again": TRY_AGAIN, "machine": MACHINE, "bug": BUG, "stopped": INTERRUPTED}
"""The exit status that the first word of a code stands for; any other stands for 1."""

_WORST_FIRST = (INTERRUPTED, BUG, MACHINE, TRY_AGAIN, COMMAND_LINE, 1, FALLS, DIFFERENCES, 0)

CODES = {
    "input.wrong": "something in the file is wrong or missing; the message says what",
    "input.absent": "there is no such file or folder",
    "input.fewer": "there are fewer files than were expected",
    "input.empty": "the file is empty, or lists no contestants",
    "input.unreadable": "a cell or value is not what it should be, such as a number, a date or a stratum",
    "format.wrong": "the file is damaged, or not laid out as its format is",
    "format.unknown": "the file is of no format that can be read",
    "format.encoding": "the characters of the file cannot be read",
    "declaration.wrong": "what is declared of the game cannot be read, or is not what the rules know",
    "declaration.assumed": "the game does not say what the run assumes of it",
    "declaration.missing": "what has to be known of the game is not declared, and cannot be inferred safely",
    "declaration.contradicted": "what is declared does not go with what the file, or another of the event, says",
    "declaration.overruled": "what the file itself declares goes before what would explain it",
    "rulebook.left-out": "a rulebook of another package cannot be read; all other awards go on",
    "rulebook.none": "no rulebook covers the game",
    "rulebook.remark": "what the rulebook passes over, or says of itself",
    "rulebook.wrong": "a rulebook is not known or malformed, or has no rule for what it is asked",
    "site.refuses": "the results site would refuse the game, or takes no such file",
    "site.loses": "the results site would take the game and lose something of it",
    "site.as-it-is": "a result goes to a site as it is, with the points that it prints or without any",
    "site.unknown": "there is no such results site",
    "site.no-account": "the user does not say the club, folder, address or password that a site asks for",
    "site.correction": "the site has the game as it was before, and takes no other file in its place",
    "site.replaces-another": "the site has another game of the same name, which would be replaced",
    "site.not-final": "an event that is not over is not published by a batch",
    "site.wrong": "a file that should describe a results site does not",
    "output.exists": "the file to write is there already, and is not overwritten",
    "output.blocked": "something that the program may not remove is where it has to write",
    "output.impossible": "the format has no place for some of the results",
    "sheet.doubtful": "something in the file is doubtful",
    "sheet.passed-over": "a row, column or sheet is not read, as it holds no results",
    "sheet.nobody": "a row stands for nobody, such as a sit-out, and is not read",
    "sheet.declares-nothing": "what looks like a declaration does not declare anything",
    "sheet.incomplete": "the file has fewer results than it says",
    "boards.left-out": "the results of some boards are left out",
    "boards.too-many-tricks": "a result has more than 13 tricks, or fewer than none",
    "boards.at-odds": "a score is not what its contract, declarer and tricks give",
    "boards.of-no-contract": "a score that no contract gives on its board",
    "boards.played-twice": "a contestant has two results of a board",
    "boards.against-itself": "a contestant has a result against itself",
    "boards.unlisted": "a contestant has results of boards and is not among the contestants",
    "boards.awaited": "the movement has results that are not there yet",
    "boards.of-another-round": "a result is on a board that was not among those of its round",
    "boards.opposite": "a result is that of the others of its board with the other sign",
    "boards.shifted": "the results of a round are like those of the boards before or after theirs",
    "boards.vulnerable": "the file says another vulnerability of a board than its number",
    "boards.two-scores": "the scores of the two sides of a result are not each other's turned round",
    "boards.points": "the points that are printed of results do not follow from their scores",
    "boards.lead": "the lead is a card of declarer's side",
    "deals.not-shown": "hands that the file of the results has cannot be read, or what can be made on them",
    "deals.unused": "a file of deals goes with a game that has no results of boards",
    "deals.other": "the file of deals has other hands of a board than the file of the results",
    "deals.lacking": "the file of deals lacks boards that were played",
    "deals.rounds": "boards of a file of deals were played in several rounds of matches, which may have had others",
    "tables.counted": "tables is not declared, and follows from the contestants that are listed",
    "event.told": "event_type follows from the names and titles of a list, or from who met whom on which board",
    "title.not-taken": "a title says something else of the game than its contestants show",
    "seats.half-a-table-short": "a section lacks half a table of contestants",
    "seats.alone": "a game has a single contestant",
    "seats.directions-in-numbers": "numbers seem to have directions in them: 3 NS",
    "seats.section-missing": "the sections of a game skip a letter that no other game of the file has",
    "seats.section-twice": "a section is listed in two places",
    "seats.sections-alike": "a section has all the scores and players of another one",
    "seats.cut-off": "a section lacks more than half a table of contestants, as in files that were cut off",
    "seats.unlisted": "a section has tables, and lists nobody",
    "seats.rainbow": "individuals are listed in two directions, and a rainbow has four fields",
    "players.listed-twice": "a player sits more than once in a game",
    "players.too-few": "a pair has one player or none",
    "players.joined": "a player's name looks like two",
    "players.no-holdings": "a player's holding is missing, and awards depend on it",
    "players.nameless": "a player has a member number and no name",
    "players.garbled": "a name looks as if it was read in another code page than it was written in",
    "players.several": "a name or member number is that of several people in the list of players",
    "players.other": "a member number is somebody else's in the list of players",
    "players.same-name": "players may be the same, or may not be",
    "scores.fractions": "the percentages of a game are all at most 1",
    "scores.fraction-among-percents": "a percentage is at most 1 beside others that are not",
    "scores.far-from-average": "percentages have a mean far from 50",
    "scores.not-balanced": "IMPs do not add up to about 0",
    "scores.very-high": "a percentage that hardly anybody ever had",
    "scores.by-boards": "the file has no totals, and they were scored from the results of its boards",
    "scores.rescored": "the totals of the file were replaced by those that its boards give, as was asked",
    "scores.not-rescored": "totals were to be scored again, and there are no results of boards that they follow from",
    "scores.decimal-among-thousands": "a score such as 1.012 beside 987",
    "scores.at-odds": "a score and a percentage do not go together as those of the others do",
    "scores.at-odds-but-for-boards": "the same, but boards that were not played would explain it, if any were",
    "scores.at-odds-with-sit-outs": "the same in a section where somebody sat out",
    "scores.handicaps-without-handicap": "there are handicaps in a game that is no handicap game",
    "scores.opposite": "a better score has the lower percentage",
    "limits.above-the-limit": "a player is above the game's limit",
    "limits.no-limit": "a game of a limited rating declares no limit",
    "strata.above-the-stratum": "holdings are above the limit of the stratum",
    "strata.below-the-stratum": "holdings are within a lower stratum",
    "strata.nobody-in-them": "a club's settings declare strata, and nobody of the game has a letter or holdings",
    "values.remarked": "a value that the awards were made from is not sure: the rulebook has a remark on it",
    "days.impossible": "a game of a day on which nobody can have played it",
    "names.another-class": "a game is called what its rating is not",
    "names.limited": "a game is called limited, and is not",
    "funds.another-fund": "a game for one fund in the month of another",
    "sessions.games-alike": "two games of a file have the same players and scores",
    "sessions.files-alike": "games of two files have the same players and scores",
    "versions.one-game": "games of two files may be one game, corrected",
    "sessions.out-of-order": "the files do not look like sessions of one event in the order of play",
    "places.part-a-tie": "rounded percentages tie, and the printed places part them",
    "matches.unanswered": "of two Swiss teams one has a match that the other has not, or with other IMPs",
    "places.missing": "of those who share a printed place not all are listed",
    "printed.another-factor": "the printed awards are all the same multiple of those computed",
    "printed.other-colours": "the awards are printed in colours that the rating does not pay",
    "printed.not-compared": "printed awards are not compared, or otherwise than computed",
    "games.left-out": "a game is left out",
    "archive.corrected": "a version of a game that was corrected since is added again, and left out",
    "archive.damaged": "a part of the archive is not as it was written, or missing",
    "archive.out-of-date": "results are not of the archive as it is",
    "archive.same-name": "the archive has a game of the same name",
    "seal.remark": "what a seal leaves open",
    "more.said": "the others of the same file, counted",
    "command.wrong": "the command line is wrong",
    "query.too-long": "a query takes longer than it may",
    "again.locked": "another run is at work in the folder",
    "again.changing": "a file was written to while it was read",
    "again.network": "a location in the network cannot be reached",
    "again.unsure": "what was sent to a site may have arrived or not: somebody has to look",
    "again.scheduler": "the scheduler does not answer, or has no workers",
    "machine.failed": "the system cannot read or write a file",
    "machine.full": "there is no room on the disk",
    "machine.permission": "the system does not permit it",
    "machine.memory": "there is not enough memory",
    "machine.worker": "a worker of a cluster has other rulebooks than the run, or cannot work",
    "machine.process": "a process was lost, for example for lack of memory",
    "machine.library": "a library has to be installed for it",
    "bug.found": "a mistake of the program",
    "bug.plugin": "a mistake of a reader, writer or rulebook that another package brought; the message names both",
    "stopped.interrupted": "the run was interrupted",
}
"""Every code and what it means."""


MISSING, CONTRADICTED = "declaration.missing", "declaration.contradicted"
PASSED_OVER, NOBODY, DECLARES_NOTHING = "sheet.passed-over", "sheet.nobody", "sheet.declares-nothing"
COUNTED, EVENT_TOLD, TITLE_NOT_TAKEN = "tables.counted", "event.told", "title.not-taken"
AWAITED, NOT_FINAL = "boards.awaited", "site.not-final"
HOLDINGS_MISSING = "players.no-holdings"
OF_BOOK, OF_VALUES = "rulebook.remark", "values.remarked"
EMPTY, UNREADABLE, UNKNOWN, ENCODING = "input.empty", "input.unreadable", "format.unknown", "format.encoding"
"""Codes of several places."""


def status_of(code: str) -> int:
    """Return the exit status that a code stands for."""
    return STATUSES.get(code.partition(".")[0], 1)


def worst(statuses: Iterable[int]) -> int:
    """Return the exit status of several causes: what kept something from being done comes before what was found."""
    return min(statuses, key=_WORST_FIRST.index, default=0)


def status_of_all(codes: Iterable[str]) -> int:
    """Return the exit status of several problems; 0 for none."""
    return worst(map(status_of, codes))


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


def code_of_writing(error: OSError) -> str:
    """Return the code of what the system could not write: a folder that is not there is no fault of the input."""
    code = code_of(error)
    return "machine.failed" if code == "input.absent" else code


def code_of(error: OSError) -> str:
    """Return the code of what the system could not do."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "input.absent"
    if error.errno in _FULL:
        return "machine.full"
    if error.errno in _FORBIDDEN or isinstance(error, PermissionError):
        return "machine.permission"
    return "machine.failed"
