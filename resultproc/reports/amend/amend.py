"""Who gains or loses by the correction of a game, and which of what was corrected did it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from resultproc.formats.read import read
from resultproc.formats.source import Readable, load_source
from resultproc.model.arrays import row_dicts
from resultproc.model.errors import InputError, Problem
from resultproc.model.frames import AwardedResult, Sheet
from resultproc.model.provenance import Provenance
from resultproc.reports.amend.changes import (
    Change,
    Move,
    Version,
    changes,
    corrected,
    followed_players,
    in_one_line,
    moves,
    names_of_seats,
    nothing_in_common,
    version,
)
from resultproc.reports.outcomes import ContestantOutcome, award_versions, outcomes, outcomes_of_versions
from resultproc.stages.pipeline import award_sheet, keep_games, with_boards

MOST_PAIRS = 24
"""The most corrections that are all tried two by two; with more, not every two are."""


@dataclass(frozen=True)
class Effect:
    """What a correction makes of a contestant.

    seat: that of the contestant, in the old version.
    players: who they are now.
    were: who they were, '' where that is the same.
    old: what the contestant got before.
    new: what the contestant gets now.
    because: the numbers of the corrections that do it, from 1, the fewest; none where the old file prints what does not
        follow from itself.
    printed: whether the old award is what the file prints.
    """

    seat: str
    players: str
    were: str
    old: ContestantOutcome
    new: ContestantOutcome
    because: tuple[int, ...]
    printed: bool = False

    @property
    def falls(self) -> bool:
        """Whether it has fewer masterpoints than before."""
        return self.new.masterpoints < self.old.masterpoints

    @property
    def stays(self) -> bool:
        """Whether its players are who they were."""
        return not self.were


@dataclass(frozen=True)
class Amendment:
    """Two versions of one game.

    game: its row as it is now.
    changes: what was corrected.
    effects: who it concerns.
    moves: the players whose masterpoints change otherwise than those of a contestant that they are in both times.
    remarks: what is doubtful about either version.
    provenance: where both versions come from.
    time: when the new version came, in ISO 8601; empty where that is not known.
    """

    game: Mapping[str, object]
    changes: tuple[Change, ...]
    effects: tuple[Effect, ...]
    moves: tuple[Move, ...] = ()
    remarks: tuple[Problem, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    time: str = ""

    @property
    def lowers(self) -> bool:
        """Whether anybody has fewer masterpoints than before.

        If a contestant has other players than before, the players are compared; if nobody has a name, the seats are.
        """
        fall = any(each.falls for each in self.effects if each.stays)
        return fall or any(move.new < move.old for move in self.moves)


def amend(
    old: Readable, new: Readable, *, format: str | None = None, as_printed: bool = True, **keys: object
) -> list[Amendment]:
    """Return what was corrected in each game of a file, and what follows.

    format, keys: as for :func:`resultproc.read`, of both versions.
    as_printed: whether the awards that the old file prints, if it prints any, are what was paid, and not those that
        follow from it.
    Raises InputError for what cannot be awarded, for files that do not have the same number of games, and for games
    that have nobody in common.
    """
    sources = [load_source(path) for path in (old, new)]
    both = [read(source, format=format, **keys) for source in sources]
    ids = [list(sheet.games["game_id"]) for sheet in both]
    if len(ids[0]) != len(ids[1]):
        was, now = ("one game" if len(each) == 1 else f"{len(each)} games" for each in ids)
        what = f"this file has {now}, and the old one {was}"
        raise InputError(what, hint="give two versions of the same games", file=sources[1].name)
    # The versions of each game are known by its id, where both files have the same ones, else by their order.
    others = ids[0] if set(ids[0]) == set(ids[1]) else ids[1]
    found = []
    for names in zip(ids[0], others, strict=True):
        before, after = (keep_games(sheet, [name]) for sheet, name in zip(both, names, strict=True))
        results = [
            with_boards(award_sheet(each), [source], format)
            for each, source in zip((before, after), sources, strict=True)
        ]
        if nothing_in_common(*map(version, (before, after), results)):
            what = (
                "this is not another version of the same game: no contestant is in both, by its players or by its seat"
            )
            hint = "name the file of a game, and then the file of the same game as it was corrected"
            raise InputError(what, hint=hint, file=sources[1].name)
        found.append(amended(before, after, *results, as_printed=as_printed))
    return found


def amended(
    old: Sheet, new: Sheet, before: AwardedResult, after: AwardedResult, *, as_printed: bool = True
) -> Amendment:
    """Return what was corrected in one game, and what follows.

    old, new: both versions of the game.
    before, after: what each of them is awarded.
    as_printed: as for :func:`amend`.
    """
    one, other = version(old, before), version(new, after)
    other = other.renamed(moves(one, other))
    one = one.worded_as(other)
    found = changes(one, other)
    had, has = (
        dict(zip(each.contestants.index, outcomes(result), strict=True))
        for each, result in ((one, before), (other, after))
    )
    award = one.contestants["printed_award"]
    prints = as_printed and award.notna().any()
    printed = {str(seat): int(value) for seat, value in award.fillna(0).items()} if prints else {}
    tried = _Tried(one, other, found, has)
    names_before, names_after = (names_of_seats(each.contestants) for each in (one, other))
    effects = []
    for seat in dict.fromkeys([*had, *has]):
        was = had.get(seat, ContestantOutcome())
        said = replace(was, masterpoints=printed.get(seat, was.masterpoints))
        now = has.get(seat, ContestantOutcome())
        names, were = (each.get(seat, ()) for each in (names_after, names_before))
        others = sorted(names) != sorted(were)
        if said != now or (others and now.masterpoints):
            because = tuple(1 + number for number in tried.causes(seat)) if was != now else ()
            effects.append(
                Effect(seat, in_one_line(names), in_one_line(were) if others else "", said, now, because, bool(printed))
            )
    moved = followed_players((one, before), (other, after), printed)
    gains = [effect.new.masterpoints - effect.old.masterpoints for effect in effects]
    order = sorted(range(len(effects)), key=lambda n: (gains[n] == 0, gains[n]))
    remarks = tuple(dict.fromkeys((*before.remarks, *after.remarks)))
    provenance = Provenance.of_all((before.provenance, after.provenance), len(remarks))
    (game,) = row_dicts(after.games)
    return Amendment(game, tuple(found), tuple(effects[n] for n in order), moved, remarks, provenance)


class _Tried:
    """What contestants have after some of the corrections, each choice awarded once, many choices together."""

    def __init__(
        self, old: Version, new: Version, found: Sequence[Change], wanted: Mapping[str, ContestantOutcome]
    ) -> None:
        """Take the versions, what differs, and what each contestant has in the end."""
        self._old, self._new, self._found, self._wanted = old, new, found, wanted
        self._known: dict[frozenset[int], dict[str, ContestantOutcome] | None] = {}

    def causes(self, seat: str) -> tuple[int, ...]:
        """Return the indices of the fewest corrections that give a contestant what it has in the end.

        If there are more than :data:`MOST_PAIRS` corrections, and one or two are not enough, it is a choice in which
        none can be spared; there may be a choice of fewer.
        """
        every = range(len(self._found))
        if len(every) < 2:
            return tuple(every)
        tries = [[frozenset([number]) for number in every]]
        if len(self._found) <= MOST_PAIRS:
            tries.append([frozenset(two) for two in combinations(every, 2)])
        for choices in tries:
            self._try(choices)
            found = [choice for choice in choices if self._does(choice, seat)]
            if found:
                return tuple(sorted(found[0]))
        return self._without_the_needless(seat)

    def _without_the_needless(self, seat: str) -> tuple[int, ...]:
        """Return all corrections but those that can be spared: first by halves, in the end one by one."""
        choice = frozenset(range(len(self._found)))
        size = len(choice) // 2
        while size:
            there = sorted(choice)
            fewer = [choice - frozenset(there[at : at + size]) for at in range(0, len(there), size)]
            self._try(fewer)
            smaller = next((each for each in fewer if self._does(each, seat)), None)
            if smaller is None:
                size //= 2
            else:
                choice = smaller
                size = min(size, max(len(choice) // 2, 1))
        return tuple(sorted(choice))

    def _does(self, choice: frozenset[int], seat: str) -> bool:
        known = self._known[choice]
        return known is not None and known.get(seat, ContestantOutcome()) == self._wanted.get(seat, ContestantOutcome())

    def _try(self, choices: Sequence[frozenset[int]]) -> None:
        """Award the old version with each choice of corrections; one that cannot be awarded does nothing."""
        new = [choice for choice in choices if choice not in self._known]
        if not new:
            return
        versions = [corrected(self._old, self._new, [self._found[n] for n in sorted(choice)]) for choice in new]
        result, _ = award_versions(versions)
        found = outcomes_of_versions(result, versions)
        self._known |= {choice: found.get(n) for n, choice in enumerate(new)}
