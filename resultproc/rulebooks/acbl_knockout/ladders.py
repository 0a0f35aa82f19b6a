"""The ladders of knockouts: overall awards by place, and awards for matches won."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from resultproc.model.errors import DeclarationError
from resultproc.model.knockout import Run
from resultproc.rulebooks.acbl_general_formula.championships import path_of
from resultproc.rulebooks.acbl_general_formula.depth import paying
from resultproc.rulebooks.acbl_general_formula.factors import half_up, number, text, to_hundredths
from resultproc.rulebooks.acbl_general_formula.formula import First
from resultproc.rulebooks.acbl_knockout.claim import Claim, is_compact
from resultproc.rulebooks.acbl_knockout.first import first_award, product
from resultproc.rulebooks.core import Edition, Ladder


@dataclass(frozen=True)
class Depth:
    """How many places pay to teams of a run, why no more, and the paths of the values that say so."""

    places: int
    why: str
    cited: tuple[str, ...]


def match_ladder(edition: Edition, claim: Claim, reach: int) -> Ladder:
    """Return the awards of teams that won so many matches: the same for all of them.

    Raises DeclarationError where the event does not declare what a match award depends on.
    """
    run = Run.parse(claim.knockout)
    each = _match_award(edition, claim, run)
    if each is None:
        return Ladder((0,) * reach, 0, edition.cite("match.reading"), "no match awards in this event")
    per_match = Fraction(to_hundredths(each.award), 100)
    total = to_hundredths(per_match * run.matches)
    won = f"{text(run.matches)} {'match' if run.matches == 1 else 'matches'} won"
    rule = edition.cite(*each.cited, "match.reading")
    return Ladder((total,) * reach, reach, rule, f"{won} x {text(per_match, 2)} ({each.factors})")


def _match_award(edition: Edition, claim: Claim, run: Run) -> First | None:
    """Return what one match pays, None where matches pay nothing."""
    if edition["match.reading"] == "none":
        return None
    value = _championship(edition, claim)
    if "closest" in value:
        return None
    if "match" in value:
        path = path_of(edition, claim.championship)
        return First(Fraction(value["match"]), f"fixed at {value['match']} for a match of two sessions", (path,))
    return product(edition, claim, run.brackets, run.bracket, "d")


def overall_ladder(edition: Edition, claim: Claim, reach: int) -> Ladder:
    """Return the overall awards of the teams of a bracket that came as far as the claim says.

    Raises DeclarationError where the event does not declare what they depend on.
    """
    run = Run.parse(claim.knockout)
    first = first_award(edition, claim, run.brackets, run.bracket)
    depth = _depth(edition, claim, run)
    scale, scale_path = _scale(edition, claim, run)
    base = first.rounded().award if edition["overall.from"] == "rounded first" else first.award
    scale += [Fraction(0)] * (max(reach, run.last) - len(scale))
    if edition["overall.ties"] == "mean of percentages":
        tied = slice(run.first - 1, run.last)
        scale[tied] = [sum(scale[tied], Fraction(0)) / len(scale[tied])] * len(scale[tied])
    awards = tuple(half_up(base * 100 * share) for share in scale)
    cited = dict.fromkeys([*first.cited, *scale_path, *depth.cited])
    factors = f"first {awards[0] / 100:.2f} ({first.factors}); {depth.why or paying(depth.places)}"
    return Ladder(awards, depth.places, edition.cite(*cited), factors)


def _scale(edition: Edition, claim: Claim, run: Run) -> tuple[list[Fraction], tuple[str, ...]]:
    """Return what each place gets as a share of the first award, and the paths of the values that say so."""
    value = _championship(edition, claim)
    listed = edition[path_of(edition, value["closest"])] if "closest" in value else value
    if "places" in listed:
        full = Fraction(listed["first"])
        return _spread([(1, Fraction(1)), *((last, Fraction(award) / full) for last, award in listed["places"])]), ()
    percent = [(last, Fraction(share) / 100) for last, share in edition["overall.percentages"]]
    shares, cited = _spread(percent), ["overall.percentages"]
    if run.own.twelve:
        shares[8:12] = [number(edition, "overall.twelve") / 100] * 4
        cited.append("overall.twelve")
    if run.playoff and _needs_playoff(edition, claim, run):
        shares[2:4] = [number(edition, "playoff.third") / 100] * 2
        cited.append("playoff.third")
    return shares, tuple(cited)


def _spread(steps: list[tuple[int, Fraction]]) -> list[Fraction]:
    """Return the share of each place, from steps of a last place and what it and those before it get."""
    shares: list[Fraction] = []
    for last, share in steps:
        shares += [share] * (last - len(shares))
    return shares


def _depth(edition: Edition, claim: Claim, run: Run) -> Depth:
    """Return how many places pay to teams that came as far as this."""
    value = _championship(edition, claim)
    listed = edition[path_of(edition, value["closest"])] if "closest" in value else value
    if "places" in listed or "depth" in listed:
        return _listed_depth(edition, listed, run)
    if is_compact(claim):
        return _compact_depth(edition, run)
    places = int(edition["overall.percentages"][-1][0])
    if _qualified(edition, run.matches, run.rounds):
        return Depth(places, "", ("overall.wins",))
    if run.playoff and _qualified(edition, run.matches + (run.playoff == "W"), run.rounds):
        return _playoff_depth(edition, run)
    why = f"nothing to a team that won fewer than {edition['overall.wins']} matches and did not go on "
    return Depth(0, f"{why}{edition['overall.rounds']} rounds", ("overall.wins", "overall.rounds"))


def _qualified(edition: Edition, matches: Fraction, rounds: int) -> bool:
    return bool(matches >= edition["overall.wins"] or rounds >= edition["overall.rounds"])


def _needs_playoff(edition: Edition, claim: Claim, run: Run) -> bool:
    """Return whether a team gets its place only because it played off for it."""
    return not is_compact(claim) and not _qualified(edition, run.matches, run.rounds)


def _playoff_depth(edition: Edition, run: Run) -> Depth:
    """Return the places that a play-off may be for; DeclarationError where there are too few teams for one."""
    places = [last for least, last in edition["playoff.places"] if run.own.teams >= least]
    if not places:
        least = edition["playoff.places"][0][0]
        raise DeclarationError(
            f"there is a play-off in a bracket of {run.own.teams} teams", hint=f"it takes {least} teams for one"
        )
    return Depth(int(places[-1]), f"{paying(int(places[-1]))} by play-off", ("playoff.places",))


def _compact_depth(edition: Edition, run: Run) -> Depth:
    """Return the places of a compact knockout: the lower ones only to teams that played off for them."""
    places = [last for least, last in edition["compact.places"] if run.own.teams >= least]
    depth = int(places[-1]) if places else 0
    if run.playoff:
        return Depth(depth, "", ("compact.places",))
    without = int(edition["compact.two-sessions"])
    return Depth(min(depth, without), "", ("compact.places", *(("compact.two-sessions",) if depth > without else ())))


def _listed_depth(edition: Edition, listed: dict[str, Any], run: Run) -> Depth:
    """Return the places of a championship that lists them, to teams that went on a round at least."""
    path = "championship-rounds.knockout"
    if run.rounds < edition[path]:
        return Depth(0, "nothing to a team that lost its first match", (path,))
    if "places" in listed:
        return Depth(int(listed["places"][-1][0]), "", (path,))
    by_teams = "championship-depth.knockout"
    return Depth(int(next(places for least, places in edition[by_teams] if run.own.teams >= least)), "", (by_teams,))


def _championship(edition: Edition, claim: Claim) -> dict[str, Any]:
    """Return what the rulebook says of the championship that an event is; nothing for any other."""
    return dict(edition[path_of(edition, claim.championship)]) if claim.championship else {}
