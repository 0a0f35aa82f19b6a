"""Club masterpoint games: ACBL Handbook, chapter 4. The figures stand in ``club.toml``.

Section awards go to each comparison group and stratum, overall awards to games of several sections; a contestant
gets the highest of all, never their sum, with one exception in handicap games.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.frames import words_in
from resultproc.model.game import EventType, Rating, number_text
from resultproc.rulebooks.common.exact import half_up, hundredths, product, rounded, steps
from resultproc.rulebooks.core import Edition, Ladder, load_built_in
from resultproc.rulebooks.members import Members

_INTRODUCTORY = "introductory"


class First(NamedTuple):
    """A first award, rounded: what went into it as a person reads it, and the paths of the values that did."""

    masterpoints: Decimal
    factors: str
    cited: list[str]


class Claim(NamedTuple):
    """What a club ladder depends on."""

    overall: bool
    rating: str
    limit: float
    size: int
    ranked: int
    event_type: str
    sessions: int


class ClubRules:
    """The awards of club masterpoint games.

    classes: the ratings that they are for, and the class that a word under ``special`` makes. kinds: the event types.
    """

    classes: tuple[str, ...] = (
        Rating.CLUB_OPEN,
        Rating.CLUB_INVITATIONAL,
        Rating.CLUB_RESTRICTED,
        Rating.CLUB_NEWCOMER,
        _INTRODUCTORY,
    )
    kinds: tuple[EventType, ...] = (EventType.PAIRS, EventType.INDIVIDUAL, EventType.BAM, EventType.TEAM_OF_TWO)

    def terms(self, edition: Edition) -> dict[str, object]:
        """Return what ranking needs; see :class:`~resultproc.rulebooks.core.Rules`."""
        never = np.iinfo(np.int64).max
        return {
            "overall": edition["overall.given"],
            "overall_field": edition["overall.field"],
            "section_minimum_in_game": edition["stratum.minimum"],
            "section_minimum_in_group": never,
            "overall_minimum_in_game": edition["stratum.minimum"],
            "overall_minimum_in_group": never,
        }

    def claims(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the distinct things that the groups' ladders depend on; see :class:`Claim`.

        A stratum's limit never exceeds the event's own. Overall awards of the top stratum go by the tables of its
        sections, a half table counted as a whole one, all others by the contestants in the group.
        """
        overall = groups["basis"].astype("str").str.endswith("overall")
        by_tables = overall & (groups["level"] == 0) & (groups["event_type"] == EventType.PAIRS.value)
        in_tables = groups["tables"] * np.where(groups["winners"] == 2, 1, 2)
        introductory = words_in(groups["special"], _INTRODUCTORY)
        return pd.DataFrame(
            {
                "overall": overall,
                "rating": groups["rating"].mask(introductory, _INTRODUCTORY),
                "limit": np.minimum(groups["limit"], groups["event_limit"]),
                "size": groups["size"].mask(by_tables, in_tables).astype(np.int64),
                "ranked": groups["ranked"].where(overall, 0),
                "event_type": groups["event_type"],
                "sessions": groups["sessions"],
            }
        )

    def ladder(self, edition: Edition, claim: Claim, reach: int) -> Ladder:
        """Return the awards of one section or overall group (Handbook ch. 4, section and overall awards).

        Raises RulebookError for a kind of game that the Handbook's tables are not for, DeclarationError where the
        limit is not declared or has no award.
        """
        self._refuse_others(edition, claim)
        first, factors, cited = self.first(edition, claim)
        depth, path = self.depth(edition, claim)
        scale, awards = self.places(edition, claim, first, max(reach, depth))
        charted = beyond_depth([hundredths(award) for award in awards], depth, edition["ties.beyond-depth"])
        paying = "1 place pays" if depth == 1 else f"{depth} places pay"
        return Ladder(charted, depth, edition.cite(*cited, scale, path), f"first {first} ({factors}); {paying}")

    def first(self, edition: Edition, claim: Claim) -> First:
        """Return the first award of a group: the rate of its class by its size, capped."""
        rate, rate_path = self.rate(edition, claim)
        cap, cap_path = self.cap(edition, claim, rate)
        rate = product(rate, edition.number("overall.rate")) if claim.overall else rate
        full = product(rate, Decimal(claim.size))
        factors = f"{rate} x {claim.size} = {full}"
        cited = [rate_path, "overall.rate"] if claim.overall else [rate_path]
        if full > cap:
            factors += f", capped at {cap}"
            cited.append(cap_path)
        first = min(full, cap)
        for path in ["bam.factor"] * (claim.event_type == EventType.BAM) + ["bonus.factor"] * (
            edition["bonus.factor"] != 1
        ):
            first = product(first, edition.number(path))
            factors += f", x {edition[path]}"
            cited.append(path)
        return First(rounded(first), factors, cited)

    def depth(self, edition: Edition, claim: Claim) -> tuple[int, str]:
        """Return how many places pay in a group, and the path of the value that says so."""
        if claim.overall:
            return min(int(edition["overall.places"]), claim.ranked), "overall.places"
        share = half_up(product(edition.number("section.depth"), Decimal(claim.size)))
        return min(share, claim.size), "section.depth"

    def places(self, edition: Edition, claim: Claim, first: Decimal, count: int) -> tuple[str, list[Decimal]]:
        """Return what so many places pay, unrounded, and the path of the value that says so."""
        if claim.overall:
            step = edition.number("overall.step")
            return "overall.step", [product(first, step**place) for place in range(count)]
        return section_places(edition, first, count)

    def _refuse_others(self, edition: Edition, claim: Claim) -> None:
        """Raise RulebookError for a game that is none of those that section and overall awards are for."""
        if claim.rating not in self.classes:
            kind = f"a {claim.rating} game"
        elif claim.event_type not in self.kinds:
            kind = f"a {claim.event_type} event"
        elif claim.sessions > 1:
            what = f"rulebook {edition.book} awards single sessions, not an event of {claim.sessions}"
            raise RulebookError(
                what, hint="give each session as a game of its own, or name another rulebook with --rulebook"
            )
        else:
            return
        raise RulebookError(f"rulebook {edition.book} has no awards for {kind}", hint="name another with --rulebook")

    def rate(self, edition: Edition, claim: Claim) -> tuple[Decimal, str]:
        """Return the rate per contestant, and the path of the value that says so.

        Raises DeclarationError where the limit is not declared, or has no rate.
        """
        if claim.rating == _INTRODUCTORY:
            return edition.number("section.rate.introductory"), "section.rate.introductory"
        if claim.rating == Rating.CLUB_NEWCOMER:
            rate = steps(edition["newcomer.rate"], claim.limit)
            if rate is None:
                allowed = ", ".join(str(upper) for upper, _ in edition["newcomer.rate"])
                raise DeclarationError(
                    f"a newcomer game with the limit {number_text(claim.limit)} has no award",
                    hint=f"declare a limit up to one of {allowed}, or another rating",
                )
            return rate, "newcomer.rate"
        path = f"section.rate.{claim.rating}"
        if np.isinf(claim.limit) and path in edition.entries:
            return edition.number(path), path
        if np.isinf(claim.limit):
            raise DeclarationError(
                f"limit is not declared for a {claim.rating} game", hint="declare limit, such as 200"
            )
        rate = steps(edition["limited.rate"], claim.limit)
        if rate is None:
            raise RulebookError(f"limited.rate has no step for the limit {number_text(claim.limit)}")
        return rate, "limited.rate"

    def cap(self, edition: Edition, claim: Claim, rate: Decimal) -> tuple[Decimal, str]:
        """Return the most that a first award can be, and the path of the value that says so.

        It is that of the class; a restricted game's or lower stratum's goes by its limit, where the rulebook has such
        caps, else it is a multiple of its rate.
        """
        basis = "overall" if claim.overall else "section"
        path = f"{basis}.cap.{claim.rating}"
        own = path in edition.entries and (
            np.isinf(claim.limit) or f"section.rate.{claim.rating}" not in edition.entries
        )
        if own or claim.rating == _INTRODUCTORY:
            return edition.number(path), path
        by_limit = f"limited.{basis}-caps"
        cap = steps(edition.get(by_limit, ()), claim.limit)
        if cap is not None:
            return cap, by_limit
        path = f"limited.{basis}-cap"
        return product(edition.number(path), rate), path

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates with the sum that a handicap game pays in one case (Handbook ch. 4, handicap games).

        A contestant whose raw score earns a section award but no overall award, and whose handicap score earns an
        overall award, gets both.
        """
        if not edition["handicap.added"] or not candidates["basis"].eq("handicap overall").any():
            return candidates
        best = candidates.sort_values(["masterpoints", "level"], ascending=[False, True], kind="stable")
        best = best.drop_duplicates(["contestant", "basis"]).set_index("contestant")
        raw, overall = best[best["basis"] == "section"], best[best["basis"] == "overall"]
        handicap = best[best["basis"] == "handicap overall"]
        raw = raw[~raw.index.isin(overall.index) & raw.index.isin(handicap.index)]
        if raw.empty:
            return candidates
        handicap = handicap.loc[raw.index]
        both = raw.assign(
            basis="section + handicap overall",
            masterpoints=raw["masterpoints"] + handicap["masterpoints"],
            rule=edition.cite("handicap.added"),
            factors="raw section award "
            + (raw["masterpoints"] / 100).map("{:.2f}".format)
            + " + handicap overall award "
            + (handicap["masterpoints"] / 100).map("{:.2f}".format),
        )
        return pd.concat([candidates.astype({"basis": "str", "rule": "str", "factors": "str"}), both.reset_index()])

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the awards by colour: club games pay black points."""
        return pd.DataFrame({"black": winners["masterpoints"]})


def section_places(edition: Edition, first: Decimal, count: int) -> tuple[str, list[Decimal]]:
    """Return what so many places of a section pay, unrounded, and the path of the value that says so."""
    percent = [Decimal(100), *map(Decimal, edition["section.percentages"])]
    awards = [product(first, each) / 100 for each in percent[:count]]
    return "section.percentages", awards + [first / place for place in range(len(percent) + 1, count + 1)]


def beyond_depth(awards: list[int], depth: int, reading: str) -> tuple[int, ...]:
    """Return a ladder whose awards below its depth are those that a tie for the last place pools.

    reading: ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    Raises RulebookError for any other reading.
    """
    kept = {"extend": len(awards), "one": depth + 1, "none": depth}.get(reading)
    if kept is None:
        raise RulebookError(f"ties.beyond-depth is '{reading}'", hint="write extend, one or none")
    return tuple(award if place < kept else 0 for place, award in enumerate(awards))


RULEBOOK = load_built_in("acbl_club/club.toml", ClubRules())
