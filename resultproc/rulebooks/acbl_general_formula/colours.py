"""The colours of the points: pigmentation.

Some awards are paid in shares of several colours, those of games that qualify for the North American Pairs in two.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Ints, factorize_text, map_text, words_in
from resultproc.model.basis import basis_mask
from resultproc.model.frames import COLOURS, FrameRow
from resultproc.model.game import ACROSS_SECTIONS, Restriction, parse_strata, parse_tables
from resultproc.model.group import declared_words, has_kind
from resultproc.model.sections import strata_of
from resultproc.model.text import text_there
from resultproc.rulebooks.acbl_general_formula.formula import TOP, UNIT, are_qualifying
from resultproc.rulebooks.common.awards import decided_by
from resultproc.rulebooks.common.exact import Shares, steps
from resultproc.rulebooks.core import Edition


def formula_colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour.

    Club and unit games pay black points, sectionals silver. Regionals pay red ones, and gold for overall awards and
    section tops of the top two strata in championship events that are long enough and not limited too low. National
    events without an upper limit of masterpoints or age pay platinum. What is open at a tournament that is not, pays
    black. Some kinds of event pay shares of several colours.
    """
    split = in_plain_colours(edition, winners, games)
    game, overall = winners["game"].to_numpy(), basis_mask(winners["basis"], lambda basis: basis.over_all)
    pays = overall & _strata_that_pay_gold(edition, games)[game, winners["level"].to_numpy()]
    share = Shares(*_shares_of_brackets(edition, games)[:, game]).parts(winners["masterpoints"].to_numpy())
    gold = np.where(pays, share, np.where(overall, 0, winners["section_top"]))
    gold = np.where(_events_that_pay_gold(edition, games)[game] & (split["red"] > 0), gold, 0)
    split = split.assign(red=split["red"] - gold, gold=split["gold"] + gold)
    return divided(edition, split, game, games)


def in_plain_colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour, before what is gold is taken from the red ones."""
    plain = _basic_colour(edition, games)
    platinum = edition.words("colour.platinum-ratings")
    old = map_text(games["restrictions"], lambda each: Restriction.JUNIOR.value not in each, True)
    national = map_text(games["rating"], lambda rating: rating in platinum, False)
    plain = np.where(national & np.isinf(games["limit"]) & old, "platinum", plain)
    game, points = winners["game"].to_numpy(), winners["masterpoints"].to_numpy(dtype=np.int64)
    split = {colour: np.zeros(len(game), dtype=np.int64) for colour in COLOURS}
    split |= {colour: np.where((plain == colour)[game], points, 0) for colour in COLOURS if colour in plain}
    return pd.DataFrame(split, copy=False)


def _basic_colour(edition: Edition, games: pd.DataFrame) -> npt.NDArray[np.str_]:
    """Return the colour of each game's awards that are neither gold nor platinum."""
    colour = edition.named_words("colour.rating")
    plain = map_text(games["rating"], lambda rating: colour.get(rating, "black"), "black")
    return np.where(_has(games["special"], edition.words("colour.black-kinds")), "black", plain)


def _has(special: pd.Series[str], kinds: Collection[str]) -> Bools:
    return map_text(special, lambda text: has_kind(declared_words(text), *kinds), none=False)


_BRACKETS, _BRACKET_SHARES = "colour.gold.brackets-reading", "colour.gold.bracket-shares"


def _by_number(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return which events are brackets whose gold goes by their number, whatever their limit."""
    by_number = edition.text(_BRACKETS) == "by number"
    return np.asarray(games["bracket"].notna() & by_number, dtype=np.bool_)


def _shares_of_brackets(edition: Edition, games: pd.DataFrame) -> Ints:
    """Return how much of its overall gold each event pays, so many parts of so many: less in lower brackets."""
    found = np.ones((2, len(games)), dtype=np.int64)
    if games["bracket"].isna().all():
        return found
    rows = edition.rows(_BRACKET_SHARES) if edition.text(_BRACKETS) == "by number" else _TOP_TWO
    number = games["bracket"].astype("float64").to_numpy(na_value=0)
    for bracket, parts, of in rows:
        found[:, number >= int(bracket)] = [[int(parts)], [int(of)]]
    return found


_TOP_TWO = ((1, 1, 1), (3, 0, 1))
"""Gold by brackets where the top two have it: from which bracket on, so many parts of so many."""


def _events_that_pay_gold(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return whether each event pays gold, if it pays red points: a championship that is long and open enough."""
    special = games["special"]
    minor = _has(special, edition.words("non-championship.kinds"))
    championship = ~minor | _has(special, edition.words("non-championship.exempt"))
    championship &= ~_has(special, edition.words("colour.side-kinds"))
    event = championship & (games["sessions"] >= edition.whole("colour.gold.sessions")).to_numpy(dtype=bool)
    large = games["limit"] >= edition.whole("colour.gold.limit")
    event &= (large | games["championship"].isin(edition.below(_OF_GOLD))).to_numpy(dtype=bool) | _by_number(
        edition, games
    )
    return np.asarray(event, dtype=np.bool_)


_LIMIT_READING = "colour.gold.limit-reading"


def _strata_that_pay_gold(edition: Edition, games: pd.DataFrame, reading: str = "") -> Bools:
    """Return whether each stratum is among those of its event that pay gold, if the event does: games x levels.

    reading: how the limit that strata need is read; the edition's own reading where none is given.
    """
    least, of_any = edition.whole("colour.gold.limit"), edition.whole("colour.gold.strata")
    of_flight = edition.named_numbers("colour.gold.strata-of-flight")
    strata = map_text(games["flight"], lambda flight: int(of_flight.get(flight, 0)), of_any)
    # X has an upper limit of its own.
    by_stratum = (reading or edition.text(_LIMIT_READING)) == "stratum"
    own = map_text(games["flight"], lambda flight: by_stratum or flight == TOP, by_stratum)
    parsed = {text: parse_strata(text) for text in factorize_text(games["strata"])[1]}
    limited = map_text(games["strata"], lambda text: sum(each.limit >= least for each in parsed[text]), 0)
    level = np.arange(max(map(len, parsed.values()), default=1))
    lower_flight = map_text(games["flight"], lambda flight: flight != TOP, False)
    lower_bracket = map_text(games["bracket"], lambda bracket: bracket != "1", False)
    lower = (level > 0) | (lower_flight | lower_bracket)[:, None]
    lower &= words_in(games["special"], *edition.words("colour.gold.top-only"))[:, None]
    # Those that pay gold whatever their limit do so in all their strata.
    own &= ~games["championship"].isin(edition.below(_OF_GOLD)).to_numpy(dtype=bool) & ~_by_number(edition, games)
    own_limit = ~own[:, None] | (level < limited[:, None])
    return np.asarray(~lower & (level < strata[:, None]) & own_limit, dtype=np.bool_)


def with_gold_tops(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with those section tops alone that gold is paid for, where the game can pay gold.

    A sum of sessions has tops of several strata: each has the colour of its own.

    candidates: ``section_top`` is what each has won as section tops, in hundredths.
    games: ``candidates["game"]`` has positions in it.
    """
    red = _basic_colour(edition, games) == "red"
    by_event, by_stratum = (_strata_that_pay_gold(edition, games, each) for each in ("event", "stratum"))
    none = red[:, None] & ~(by_stratum if edition.text(_LIMIT_READING) == "stratum" else by_event)
    game, level = candidates["game"].to_numpy(), candidates["level"].to_numpy()
    bracketed = red & games["bracket"].notna().to_numpy(dtype=bool)
    if bracketed.any():
        overall = basis_mask(candidates["basis"], lambda basis: basis.over_all)
        shares = (_BRACKET_SHARES,) * (edition.text(_BRACKETS) == "by number")
        candidates = decided_by(candidates, bracketed[game] & overall, edition.values(_BRACKETS, *shares))
    top = candidates["section_top"].to_numpy(copy=True)
    decided = (red & _events_that_pay_gold(edition, games))[:, None] & (by_event != by_stratum)
    if decided.any():
        overall = basis_mask(candidates["basis"], lambda basis: basis.over_all)
        rows = decided[game, level] & (overall | (top > 0))
        candidates = decided_by(candidates, rows, edition.values(_LIMIT_READING))
    rows = np.flatnonzero(top)
    top[rows[none[game[rows], level[rows]]]] = 0
    return with_left_over(edition, candidates.assign(section_top=top), games)


def with_combined_tops(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with the section tops of sessions that are scored across sections.

    As many places count as tops as sections were combined that are large enough.

    candidates, games: as for :func:`with_gold_tops`.
    """
    across = words_in(games["special"], ACROSS_SECTIONS)
    if not across.any():
        return candidates
    least = float(edition.number("colour.gold.combined-tables"))

    def large_sections(tables: str) -> int:
        return max(1, sum(count >= least for count in parse_tables(tables).values()))

    tops = map_text(games["tables"].where(across, "1"), large_sections, 1)[candidates["game"]]
    session = basis_mask(candidates["basis"], lambda basis: basis.in_section and not basis.handicap)
    position = candidates["position"].to_numpy()
    counts = across[candidates["game"]] & session & (position > 0) & (position <= tops)
    return candidates.assign(section_top=candidates["section_top"].mask(counts, candidates["masterpoints"]))


_OF_ALL, _OF_GOLD = "colour.shares.", "colour.gold.shares."
"""The paths of shares of every award, and of what would be gold; a special word or a championship follows."""


def has_shares(edition: Edition, word: str) -> bool:
    """Return whether an edition says in which colours the awards of a kind of game are paid."""
    return _OF_ALL + word in edition.entries or _OF_GOLD + word in edition.entries


def divided(edition: Edition, split: pd.DataFrame, game: Ints, games: pd.DataFrame) -> pd.DataFrame:
    """Return awards by colour, those divided that are paid in shares of several colours.

    split: hundredths, a column for each colour.
    game: the position in ``games`` of each row's game.
    games: with the special words and championships that decide what is divided.
    """
    split = split.astype(np.int64)
    for prefix, colours in ((_OF_ALL, list(COLOURS)), (_OF_GOLD, ["gold"])):
        for name in edition.below(prefix):
            of_games = words_in(games["special"], name) | (games["championship"] == name).to_numpy(dtype=bool)
            rows = of_games[game]
            if not rows.any():
                continue
            whole = split.loc[rows, colours].sum(axis=1).to_numpy(dtype=np.int64)
            split.loc[rows, colours] = 0
            percent = edition.named_numbers(prefix + name)
            for colour, part in zip(percent, _parts(whole, percent, edition.text("colour.left-over")), strict=True):
                split.loc[rows, colour] += part
    return split


def coloured_by(edition: Edition, game: FrameRow, colours: Collection[str]) -> tuple[str, ...]:
    """Return the paths of the values that an award of a game is of some colours by.

    game: its keys. Those of qualifying games are among the values of each award.
    """
    special, flight, championship = (text_there(game.get(key)) for key in ("special", "flight", "championship"))
    paths = ["colour.rating"]
    if "gold" in colours:
        strata = "colour.gold.strata-of-flight" if flight else "colour.gold.strata"
        paths += ["colour.gold.sessions", "colour.gold.limit", strata]
        if not pd.isna(game.get("bracket")):
            paths += [_BRACKETS] + [_BRACKET_SHARES] * (edition.text(_BRACKETS) == "by number")
    if "platinum" in colours:
        paths.append("colour.platinum-ratings")
    if has_kind(declared_words(special), *edition.words("colour.black-kinds")):
        paths.append("colour.black-kinds")
    names = (*sorted(declared_words(special)), championship)
    paths += [prefix + name for name in names for prefix in (_OF_ALL, _OF_GOLD)]
    return tuple(path for path in paths if path in edition.entries)


def with_left_over(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return candidates, with the value that says where odd hundredths go for those whose award may be divided.

    games: ``candidates["game"]`` has positions in it.
    """
    names = [*edition.below(_OF_ALL), *edition.below(_OF_GOLD)]
    divided = words_in(games["special"], *names) | games["championship"].isin(names).to_numpy(dtype=bool)
    if not divided.any():
        return candidates
    return decided_by(candidates, divided[candidates["game"].to_numpy()], edition.values("colour.left-over"))


def _parts(hundredths: Ints, shares: Mapping[str, Fraction], left_over: str) -> Ints:
    """Return the parts of some awards, a row for each colour: they always add up to the award."""
    exact = hundredths[:, None] * np.array([int(percent) for percent in shares.values()], dtype=np.int64)
    parts, lacking = exact // 100, exact % 100
    left = hundredths - parts.sum(axis=1)
    if left_over == "last":
        parts[:, -1] += left
    else:
        order = np.argsort(np.argsort(-lacking, axis=1, kind="stable"), axis=1)
        parts += order < left[:, None]
    return np.asarray(parts.T, dtype=np.int64)


_GOLD = "colour.nap-unit.gold"
"""The path of what is gold in units' games; without it they pay the colours of clubs' ones."""

_UNITS = "nap.units"
"""The path of what units' games pay as, on days for which their colours are not known."""

_SHARE, _LIMIT = "colour.nap-club.share", "colour.nap-club.limit"
"""The paths of what is red in clubs' games."""


def with_better_colour(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with ``better_colour``: what their contestant gets in the better of two colours.

    Qualifying games pay in two colours: the most counts that any of the contestant's candidates pays in the better one.
    An award in the worse colour alone is not lost: it tops the better colour up to the better total.

    games: ``candidates["game"]`` has positions in it.
    """
    qualifying = are_qualifying(edition, games)
    if not qualifying.any():
        return candidates
    gold = qualifying & _pay_gold(edition, games)
    game = candidates["game"].to_numpy()
    as_clubs = qualifying & ~gold & words_in(games["special"], UNIT) & (_UNITS in edition.entries)
    for of_games, paths in ((gold, (_GOLD,)), (qualifying & ~gold, (_SHARE, _LIMIT)), (as_clubs, (_UNITS,))):
        if of_games.any():
            candidates = decided_by(candidates, of_games[game], edition.values(*paths))
    points, game_gold = candidates["masterpoints"].to_numpy(), gold[game]
    limit = strata_of(games["strata"]).limits[game, candidates["level"].to_numpy()]
    percent = points * np.where(limit >= edition.whole(_LIMIT), edition.whole(_SHARE), 0)
    if gold.any():
        top = np.where(basis_mask(candidates["basis"], lambda basis: basis.over_all), points, candidates["section_top"])
        of_limit = np.array([int(steps(edition.limited(_GOLD), each) or 0) for each in limit])
        percent = np.where(game_gold, top * of_limit, percent)
    better = pd.Series((np.where(qualifying[game], percent, 0) + 50) // 100, candidates.index)
    return candidates.assign(better_colour=better.groupby(candidates["contestant"]).transform("max"))


def in_two_colours(edition: Edition, split: pd.DataFrame, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return awards by colour, those of qualifying games red and black at clubs, gold and red at units.

    split: hundredths by colour, a row for each of the winners.
    """
    of_game = are_qualifying(edition, games)
    if not of_game.any():
        return split
    qualifying = of_game[winners["game"]]
    gold = qualifying & _pay_gold(edition, games)[winners["game"]]
    better = winners["better_colour"].to_numpy()
    rest = winners["masterpoints"].to_numpy() - better
    parts = {colour: np.where(qualifying, 0, split[colour].to_numpy()) for colour in split.columns}
    parts["gold"] = np.where(gold, better, parts["gold"])
    parts["red"] = np.select([gold, qualifying], [rest, better], parts["red"])
    parts["black"] = np.where(qualifying & ~gold, rest, parts["black"])
    return pd.DataFrame(parts, split.index, copy=False)


def _pay_gold(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return which qualifying games pay gold and red: those of units, on days for which that is known."""
    if _GOLD not in edition.entries:
        return np.zeros(len(games), dtype=np.bool_)
    return words_in(games["special"], UNIT)
