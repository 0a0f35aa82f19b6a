"""What a rulebook asks of ranking, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

NEVER = 2**62
"""A minimum that no field reaches."""


@dataclass(frozen=True)
class Terms:
    """What is compared, and which strata are large enough to be ranked.

    overall: whether there is an overall comparison: ``none``, ``several sections`` or ``always``. overall_field: what
    it compares: ``direction`` (N-S over all sections, E-W over all) or ``combined``. A lower stratum is ranked where it
    has so many contestants in the game or so many in the group, and in any case so many to be compared;
    overall_with_section: overall also where a section ranks it. matches: whether Swiss teams are compared by the
    matches that they won. half_tables: where a half table counts as a whole one overall: in ``each section``, or in the
    ``event``, when those of all sections are added up.
    Of knockouts: wins_of_match: how many wins make a whole match in a round in which three or four teams met. forfeits:
    whose place a team gets that forfeits: its ``own``, or that of the team ``beaten before``. clear_playoffs: the words
    under ``special`` of events in which a play-off between two teams that share a place makes it two.
    """

    overall: str
    overall_field: str
    section_minimum_in_game: int = NEVER
    section_minimum_in_group: int = NEVER
    overall_minimum_in_game: int = NEVER
    overall_minimum_in_group: int = NEVER
    least_compared: int = 1
    overall_with_section: bool = False
    matches: bool = False
    half_tables: str = "each section"
    wins_of_match: int = 1
    forfeits: str = "own"
    clear_playoffs: tuple[str, ...] = ()
