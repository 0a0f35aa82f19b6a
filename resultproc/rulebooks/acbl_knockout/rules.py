"""The awards of knockouts: overall by bracket, or for matches won; the better of the two is paid.

Their colours: how much of them is gold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Floats, Ints, distinct_rows
from resultproc.model.basis import Terms, basis_mask
from resultproc.model.frames import FrameRow, raise_for_games
from resultproc.model.group import Group, Knockouts, Members, declared_words
from resultproc.rulebooks.acbl_general_formula.colours import coloured_by, divided, in_plain_colours, with_left_over
from resultproc.rulebooks.acbl_general_formula.contradictions import check_special
from resultproc.rulebooks.acbl_knockout.first import EVENT, by_top, holdings_missing, knockouts_of, with_brackets
from resultproc.rulebooks.acbl_knockout.ladders import OverallShape, knockout_match_shape
from resultproc.rulebooks.common.awards import decided_by, is_minor
from resultproc.rulebooks.common.conditions import with_limits_of_championships, words_without_effect
from resultproc.rulebooks.common.exact import Shares, least_float
from resultproc.rulebooks.core import Edition
from resultproc.rulebooks.regulation import ByShape, Shape


class KnockoutRules(ByShape):
    """Overall awards by final place in each bracket, and awards for matches won; the better of the two is paid."""

    apart = ("brackets", "bracket_played", "first", "finish")
    fields = ("basis", *apart, *EVENT)

    def terms(self, edition: Edition) -> Terms:
        """Return what ranking needs."""
        return Terms(
            "none",
            "combined",
            wins_of_match=edition.whole("match.wins"),
            forfeits=edition.text("forfeit.place"),
            clear_playoffs=edition.words("playoff.clear"),
        )

    def measured(self, edition: Edition, groups: pd.DataFrame, members: Members) -> pd.DataFrame:
        """Return the groups with columns for the run of their teams, and with the first award that is shared."""
        return with_brackets(edition, groups)

    def shape(self, edition: Edition, group: Group) -> Shape:
        """Return what the ladders of events have in common that differ in their brackets, or in the matches won.

        Raises DeclarationError for an event that does not declare what its awards depend on.
        """
        check_special(edition, group)
        return OverallShape(edition, group) if group.basis.over_all else knockout_match_shape(edition, group)

    def doubts(self, edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterable[tuple[int, str, str]]:
        """Return what is doubtful about some games: special words that change no award."""
        return words_without_effect(edition, games, rows)

    def combine(self, edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the candidates, with the values that their colours and limits depend on; no others are added."""
        candidates = with_limits_of_championships(edition, candidates, games)
        return _with_values_of_gold(edition, with_left_over(edition, candidates, games), games)

    def coloured_by(self, edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
        """Return the paths of the values that an award of a game is of some colours by."""
        own = (*_GOLD, *_GOLD_OF_SEVERAL) if "gold" in colours else ()
        others = ("colour.gold.strata", "colour.gold.bracket")  # what gold of other events goes by
        paths = (path for path in coloured_by(edition, game, colours) if not path.startswith(others))
        return (*paths, *(path for path in own if path in edition.entries))

    def colours(self, edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
        """Return the winning candidates' hundredths by colour.

        They are as in any event, but a part of the overall awards of a regional is gold: all of them in the top
        bracket, and in lower brackets the less, the less the top team of the bracket holds. Match awards are red.
        Raises DeclarationError, the games named, where the holdings that this depends on are not known.
        """
        split = in_plain_colours(edition, winners, games)
        reddish = (split["red"] + split["gold"]).to_numpy(dtype=np.int64)
        rows = np.flatnonzero(basis_mask(winners["basis"], lambda basis: basis.over_all) & (reddish > 0))
        gold = np.zeros(len(winners), dtype=np.int64)
        if len(rows):  # where there are none, there may be no knockout at all
            gold[rows] = _shares(edition, winners.iloc[rows], games).parts(reddish[rows])
        return divided(edition, split.assign(red=reddish - gold, gold=gold), winners["game"].to_numpy(), games)


_GOLD = ("colour.gold.sessions", "colour.gold.limit")
_GOLD_OF_SEVERAL = tuple(f"colour.gold.{name}" for name in ("flights", "flight-limit", "brackets", "bracket"))
"""The paths of the values that say how much of an overall award is gold; the latter of several brackets."""


def _with_values_of_gold(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return candidates; those that may be paid in gold get the values that say how much, as far as inferred."""
    if not edition.inferred(*_GOLD, *_GOLD_OF_SEVERAL) or not len(candidates):
        return candidates
    split, knockouts = in_plain_colours(edition, candidates, games), knockouts_of(candidates)
    overall = basis_mask(candidates["basis"], lambda basis: basis.over_all)
    may = np.asarray(((split["red"] + split["gold"]) > 0).to_numpy() & overall, dtype=np.bool_)
    several = knockouts.lowest[knockouts.played[candidates["run"].to_numpy()]] > 0
    candidates = decided_by(candidates, may, edition.values(*edition.inferred(*_GOLD)))
    return decided_by(candidates, may & several, edition.values(*edition.inferred(*_GOLD_OF_SEVERAL)))


def _shares(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> Shares:
    knockouts, game, run = knockouts_of(winners), winners["game"].to_numpy(), winners["run"].to_numpy()
    bracket = knockouts.played[run]
    shares, lacking = gold_shares(edition, knockouts, bracket, games, game)
    rows = np.flatnonzero(lacking)
    if len(rows):
        number, first = distinct_rows(games[["special", "sessions", "limit"]].iloc[game[rows]].assign(run=run[rows]))
        places = knockouts.place[bracket[rows[first]]].tolist()
        why = "the colour of its awards depends on its top team"
        wrong = {at: holdings_missing(place, why) for at, place in enumerate(places)}
        raise_for_games(games, game[rows], number, wrong)
    return shares


def gold_shares(
    edition: Edition, knockouts: Knockouts, bracket: Ints, games: pd.DataFrame, game: Ints
) -> tuple[Shares, Bools]:
    """Return which fraction of the overall awards of some brackets is gold, at a regional.

    The second result says where that depends on holdings that are not known.

    bracket: the brackets that are asked about, by their rows in ``knockouts``.
    games: with what the events declare.
    game: for each bracket, the position of its game in ``games``.
    """
    number, texts = pd.factorize(games["special"])
    special = [*map(declared_words, texts), declared_words(None)]
    only = frozenset(edition.words("colour.gold.top-only"))
    minor = np.array([is_minor(edition, each) for each in special])[number[game]]
    top_only = np.array([not only.isdisjoint(each) for each in special])[number[game]]
    place, own_limit = knockouts.place[bracket], knockouts.limit[bracket]
    upper = np.fmin(own_limit, games["limit"].to_numpy(dtype=np.float64)[game])
    long_enough = _reaches(edition, games["sessions"].to_numpy(dtype=np.float64), "colour.gold.sessions")[game]
    top = long_enough & _reaches(edition, upper, "colour.gold.limit")
    limited = ~np.isnan(own_limit) & ~_reaches(edition, own_limit, "colour.gold.flight-limit")
    lower = ~_reaches(edition, place.astype(np.float64), "colour.gold.flights") & ~limited & ~top_only
    gold = ~minor & np.where(place == 0, top, lower)
    of_brackets = np.isnan(own_limit) & (knockouts.lowest[bracket] > 0) & ~top_only & ~minor
    gold |= of_brackets
    by_holdings = np.flatnonzero(of_brackets & (place >= edition.whole("colour.gold.brackets")))
    line = by_top(edition, "colour.gold.bracket", knockouts.top[bracket[by_holdings]])
    share = np.array([(parts / of).as_integer_ratio() for _, parts, of in edition.rows("colour.gold.bracket")])
    part, of = gold.astype(np.int64), np.ones(len(bracket), dtype=np.int64)
    part[by_holdings], of[by_holdings] = share[line].T
    lacking = np.zeros(len(bracket), dtype=bool)
    lacking[by_holdings] = line < 0
    return Shares(part, of), lacking


def _reaches(edition: Edition, values: Floats, path: str) -> Bools:
    return values >= least_float(edition.number(path))
