"""The colours of the points: pigmentation."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.basis import OVERALL, which
from resultproc.model.frames import COLOURS, words_in
from resultproc.model.game import ACROSS_SECTIONS, Restriction, parse_strata, parse_tables
from resultproc.model.sections import coded
from resultproc.rulebooks.acbl_general_formula.flights import TOP
from resultproc.rulebooks.acbl_general_formula.shares import divided, with_shares_of_gold
from resultproc.rulebooks.core import Edition

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour.

    Club and unit games pay black points, sectionals silver. Regionals pay red ones, and gold for overall awards and
    section tops of the top two strata in championship events that are long enough and not limited too low. National
    events without an upper limit of masterpoints or age pay platinum. What is open at a tournament that is not, pays
    black. Some kinds of event pay shares of several colours.
    """
    return divided(edition, undivided(edition, winners, games), winners["game"].to_numpy(), games)


def undivided(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour, before some are divided into shares of several."""
    game = winners["game"].to_numpy()
    points = winners["masterpoints"].to_numpy()
    rating = games["rating"].astype("str")
    plain = _plain(edition, games)
    young = games["restrictions"].fillna("").str.contains(Restriction.JUNIOR.value)
    plain = plain.mask(
        rating.isin(edition.words("colour.platinum-ratings")) & np.isinf(games["limit"]) & ~young, "platinum"
    )
    gold = np.where((plain == "red").to_numpy()[game], _gold(edition, winners, games), 0)
    split = {colour: np.where((plain == colour).to_numpy()[game], points - gold, 0) for colour in COLOURS}
    return pd.DataFrame({**split, "gold": split["gold"] + gold})


def _plain(edition: Edition, games: pd.DataFrame) -> pd.Series[str]:
    """Return the colour of each game's awards that are neither gold nor platinum."""
    plain = games["rating"].astype("str").map(edition.named_words("colour.rating")).fillna("black")
    return plain.mask(_has(games["special"], edition.words("colour.black-kinds")), "black")


def _has(special: pd.Series[str], kinds: Collection[str]) -> Bools:
    """Return whether each text of special words has one of the kinds, or one that ends in it."""
    # Few games have any.
    number, texts = coded(special)
    has = [re.search(rf"(?:^|[ -])(?:{'|'.join(kinds)})(?:$|,)", text) is not None for text in texts]
    return np.array([*has, False], dtype=np.bool_)[number]


def _gold(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> np.ndarray:
    """Return how much of each award is gold, in hundredths, if its event pays red points."""
    special = games["special"]
    minor = _has(special, edition.words("non-championship.kinds"))
    championship = ~minor | _has(special, edition.words("non-championship.exempt"))
    championship &= ~_has(special, edition.words("colour.side-kinds"))
    event = championship & (games["sessions"] >= edition.whole("colour.gold.sessions")).to_numpy(dtype=bool)
    large = games["limit"] >= edition.whole("colour.gold.limit")
    event &= (large | games["championship"].isin(with_shares_of_gold(edition))).to_numpy(dtype=bool)
    game, overall = winners["game"].to_numpy(), which(winners["basis"], lambda basis: basis == OVERALL)
    pays = overall & _strata_that_pay_gold(edition, games)[game, winners["level"].to_numpy()]
    own = np.where(pays, winners["masterpoints"], np.where(overall, 0, winners["section_top"]))
    return np.where(event[game], own, 0)


def _strata_that_pay_gold(edition: Edition, games: pd.DataFrame) -> Bools:
    """Return whether each stratum is among those of its event that pay gold, if the event does: games x levels."""
    flight, least = games["flight"].fillna("").reset_index(drop=True), edition.whole("colour.gold.limit")
    counts = edition.named_numbers("colour.gold.strata-of-flight")
    of_flight = flight.map({name: int(count) for name, count in counts.items()}).fillna(0)
    strata = of_flight.mask(flight == "", edition.whole("colour.gold.strata")).to_numpy(dtype=np.int64)
    # X has an upper limit of its own.
    own = np.full(len(games), edition.text("colour.gold.limit-reading") == "stratum") | (flight == TOP).to_numpy()
    parsed = {text: parse_strata(text) for text in games["strata"].unique()}
    limited = games["strata"].map({text: sum(each.limit >= least for each in of) for text, of in parsed.items()})
    level = np.arange(max(map(len, parsed.values()), default=1))
    lower_event = ~flight.isin(["", TOP]).to_numpy() | (games["bracket"].fillna("1") != "1").to_numpy()
    lower = (level > 0) | lower_event[:, None]
    lower &= words_in(games["special"], *edition.words("colour.gold.top-only"))[:, None]
    own_limit = ~own[:, None] | (level < limited.to_numpy(dtype=np.int64)[:, None])
    return np.asarray(~lower & (level < strata[:, None]) & own_limit, dtype=np.bool_)


def with_gold_tops(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with those section tops alone that gold is paid for, where the game can pay gold.

    A sum of sessions has tops of several strata: each has the colour of its own.
    """
    none = (_plain(edition, games) == "red").to_numpy()[:, None] & ~_strata_that_pay_gold(edition, games)
    of_none = none[candidates["game"].to_numpy(), candidates["level"].to_numpy()]
    return candidates.assign(section_top=np.where(of_none, 0, candidates["section_top"].to_numpy()))


def with_combined_tops(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with the section tops of sessions that are scored across sections.

    As many places count as tops as sections were combined that are large enough.
    """
    across = words_in(games["special"], ACROSS_SECTIONS)
    if not across.any():
        return candidates
    texts = games["tables"].where(across, "1")
    large = {text: _large_sections(edition, text) for text in texts.unique()}
    tops = texts.map(large).to_numpy()[candidates["game"]]
    session = which(candidates["basis"], lambda basis: basis.in_section and not basis.handicap)
    position = candidates["position"].to_numpy()
    counts = across[candidates["game"]] & session & (position > 0) & (position <= tops)
    return candidates.assign(section_top=candidates["section_top"].mask(counts, candidates["masterpoints"]))


def _large_sections(edition: Edition, tables: str) -> int:
    least = float(edition.number("colour.gold.combined-tables"))
    return max(1, sum(1 for count in parse_tables(tables).values() if count >= least))
