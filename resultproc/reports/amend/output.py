"""A correction as text for a mail to the players, as a page, a workbook, or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from resultproc.model.errors import quoted
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import Provenance
from resultproc.model.text import cell_text
from resultproc.model.whose_points import in_points, league_title
from resultproc.pages import words
from resultproc.pages.page import PageColumn, PageRow, PageTable, Report
from resultproc.pages.tables import Writers
from resultproc.reports.amend.amend import Amendment, Effect, Move, Seat
from resultproc.reports.outcomes import outcome_entry, place_words

if TYPE_CHECKING:
    from resultproc.reports.outputs import AmendedPlayer, AmendReport, PlayerMoved

_NONE = "Nothing that counts has changed."
_NOBODY = "Nobody's places or masterpoints change."
_PLAYERS = "Players who gain or lose, wherever they sit"
"""The heading of those whose masterpoints are not what is told of a contestant."""
_NEVER = "This game was never corrected."
"""What is said of a game whose history has no correction."""

WRITERS: Writers[[Sequence[Amendment]]] = Writers()
"""The formats of corrections by name."""


@WRITERS.text
def text(found: Sequence[Amendment]) -> Sequence[str]:
    """Return what was corrected and what follows, game by game."""
    return ["\n\n".join("\n".join(_lines(each)) for each in found) or _NEVER]


def _lines(found: Amendment) -> Iterator[str]:
    yield f"{words.title_of_game(found.game)}: {_corrected(found)}"
    yield ""
    yield "What has changed" if found.changes else _NONE
    for number, change in enumerate(found.changes, 1):
        yield f"  {number:>2}. {change.what}"
    yield ""
    yield "Who gains or loses" if found.effects else _NOBODY
    for effect in found.effects:
        yield f"  {_name(effect)}"
        points = _points(effect.old.masterpoints, effect.new.masterpoints, found.leagues)
        yield from (f"      {line}" for line in [points, *_places(effect), _because(effect)])
    if found.moves:
        yield ""
        yield _PLAYERS
    for move in found.moves:
        yield f"  {_player(move)}"
        yield from (f"      {line}" for line in (_points(move.old, move.new, found.leagues), _seats(move)))


def _corrected(found: Amendment) -> str:
    """Return ``corrected``, or in an archive ``corrected 2026-04-20 09:15 UTC``; or that nothing is."""
    said = "corrected" if found.changes or found.effects or found.moves else "nothing is corrected"
    return f"{said} {found.time[:10]} {found.time[11:16]} UTC" if found.time else said


def _name(effect: Effect) -> str:
    name = f"{effect.players or 'nobody'} ({effect.seat})"
    return f"{name}, before: {effect.were}" if effect.were else name


def _points(old: int, new: int, leagues: tuple[str, str]) -> str:
    """Return ``0.63 masterpoints, before 0.90: 0.27 fewer``; of points of two leagues no difference."""
    was, now = map(in_points, (old, new), leagues)
    if len(set(leagues)) > 1:
        return f"{now} points of the {league_title(leagues[1])}, before {was} of the {league_title(leagues[0])}"
    if old == new:
        return f"{now} masterpoints, as before"
    more = f"{in_points(abs(new - old), leagues[0])} {'more' if new > old else 'fewer'}"
    return f"{now} masterpoints, before {was}: {more}"


def _player(move: Move) -> str:
    """Return ``Ann Ash, 1001``."""
    return ", ".join(filter(None, (move.player, move.number if move.number != move.player else "")))


def _seats(move: Move) -> str:
    """Return ``now Ann Ash - Hal Holm (A-4), before Ann Ash - Bob Birch (A-1)``."""
    return f"now {_seat(move.now)}, before {_seat(move.was)}"


def _seat(seat: Seat) -> str:
    return f"{seat.players} ({seat.contestant})" if seat.contestant else "not there"


def _places(effect: Effect) -> Iterator[str]:
    """Yield the places that are not what they were: ``section, stratum A: 2nd, before 4th``."""
    old, new = ({(basis, stratum): place for basis, stratum, place in each.places} for each in (effect.old, effect.new))
    for basis, stratum in dict.fromkeys([*old, *new]):
        was, now = (place_words(each.get((basis, stratum))) for each in (old, new))
        if was != now:
            yield f"{basis}, stratum {stratum}: {now}, before {was}"


def _because(effect: Effect) -> str:
    if effect.because:
        return "because of " + " and ".join(map(str, effect.because))
    if effect.old.masterpoints != effect.new.masterpoints and effect.printed:
        return "not by a change: the old file prints what does not follow from itself"
    return "the names are others"


@WRITERS.sheets
def shown(found: Sequence[Amendment]) -> Report:
    """Return what has changed, who gains or loses, and the players who do."""
    tables = _tables(found)
    names = ("Corrections", "Contestants", "Players")
    return Report(
        _title(found),
        [table for each in tables for table in each if table.rows],
        dict(zip(names, zip(*tables, strict=True), strict=False)),
        facts=[day for day in dict.fromkeys(cell_text(words.when(each.game)) for each in found) if day],
        said=[said for each in found for said in (_NONE * (not each.changes), _NOBODY * (not each.effects)) if said],
        remarks=[remark for each in found for remark in quoted(each.remarks)],
        provenance=provenance_of(found),
    )


def _title(found: Sequence[Amendment]) -> str:
    names = dict.fromkeys(cell_text(words.heading(each.game)) for each in found)
    if not found:
        return _NEVER
    same = not any(each.changes or each.effects or each.moves for each in found)
    return f"{', '.join(names)}: {'nothing is corrected' if same else 'corrected'}"


def _tables(found: Sequence[Amendment]) -> list[tuple[PageTable, PageTable, PageTable]]:
    """Return the tables of each correction: what has changed, who gains or loses, and the players who do."""
    several = len(found) > 1
    tables = []
    for number, each in enumerate(found, 1):
        told = _corrected(each)
        named = told[:1].upper() + told[1:] if each.time else words.title_of_game(each.game)
        before = f"{named}: " if each.time or several else ""
        changes = [PageRow([count, change.what]) for count, change in enumerate(each.changes, 1)]
        effects = []
        for effect in each.effects:
            amounts = map(in_points, (effect.old.masterpoints, effect.new.masterpoints), each.leagues)
            because = ", ".join(map(str, effect.because)) or _because(effect)
            effects.append(PageRow([_name(effect), *amounts, "; ".join(_places(effect)), because]))
        moves = [
            PageRow([_player(move), *map(in_points, (move.old, move.new), each.leagues), _seats(move)])
            for move in each.moves
        ]
        tables.append(
            (
                PageTable(f"changes{number}", f"{before}What has changed", _CHANGE_COLUMNS, changes, sorts=False),
                PageTable(f"effects{number}", f"{before}Who gains or loses", _EFFECT_COLUMNS, effects, sorts=False),
                PageTable(f"players{number}", f"{before}{_PLAYERS}", _MOVE_COLUMNS, moves, sorts=False),
            )
        )
    return tables


_AMOUNTS = (PageColumn("Before", "", "before"), PageColumn("Masterpoints", "a", "now"))
_CHANGE_COLUMNS = (PageColumn("No", "k"), PageColumn("Correction", "l"))
_EFFECT_COLUMNS = (
    PageColumn("Who", "n"),
    *_AMOUNTS,
    PageColumn("Places", "l"),
    PageColumn("Because of", "l", "because of"),
)
_MOVE_COLUMNS = (PageColumn("Player", "n"), *_AMOUNTS, PageColumn("Where", "l"))


def provenance_of(found: Sequence[Amendment]) -> Provenance:
    """Return where some corrections come from."""
    return Provenance.of_all(
        (each.provenance for each in found), len({remark for each in found for remark in each.remarks})
    )


@WRITERS.json
def to_json(found: Sequence[Amendment]) -> AmendReport:
    """Return the same as JSON: masterpoints are decimal strings, corrections are named by their numbers."""
    return {
        "provenance": provenance_of(found).entry(),
        "headline": _title(found),
        "games": [
            {
                "game_id": each.game["game_id"],
                **({"time": each.time} if each.time else {}),
                "changes": [
                    {"number": number, "kind": change.kind, "what": change.what}
                    for number, change in enumerate(each.changes, 1)
                ],
                "contestants": [
                    {
                        "contestant": effect.seat,
                        "players": effect.players,
                        **({"players_before": effect.were} if effect.were else {}),
                        "before": outcome_entry(effect.old),
                        "after": outcome_entry(effect.new),
                        "because": list(effect.because),
                    }
                    for effect in each.effects
                ],
                "players": [_move_entry(move) for move in each.moves],
                "remarks": [remark.entry_of_remark for remark in quoted(each.remarks)],
            }
            for each in found
        ],
    }


def _move_entry(move: Move) -> AmendedPlayer:
    def there(seat: Seat, award: int) -> PlayerMoved:
        if not seat.contestant:
            return {"masterpoints": decimal_text(award)}
        return {"contestant": seat.contestant, "players": seat.players, "masterpoints": decimal_text(award)}

    return {
        "name": move.player,
        "id": move.number or None,
        "before": there(move.was, move.old),
        "after": there(move.now, move.new),
    }
