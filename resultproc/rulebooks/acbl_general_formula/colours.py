"""The colours of the points: pigmentation."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.basis import OVERALL, which
from resultproc.model.frames import COLOURS, words_in
from resultproc.model.game import ACROSS_SECTIONS, Restriction, parse_strata, parse_tables
from resultproc.rulebooks.acbl_general_formula.flights import TOP
from resultproc.rulebooks.core import Edition


def colours(edition: Edition, winners: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the winning candidates' hundredths by colour.

    Club and unit games pay black points, sectionals silver. Regionals pay red ones, and gold for overall awards and
    section tops of the top two strata in championship events that are long enough and not limited too low. National
    events without an upper limit of masterpoints or age pay platinum. What is open at a tournament that is not, pays
    black.
    """
    game = games.iloc[winners["game"]].reset_index(drop=True)
    points = winners["masterpoints"].to_numpy()
    special = game["special"].fillna("")
    rating = game["rating"].astype("str")
    plain = rating.map(dict(edition["colour.rating"])).fillna("black")
    plain = plain.mask(_has(special, edition["colour.black-kinds"]), "black")
    young = game["restrictions"].fillna("").str.contains(Restriction.JUNIOR.value)
    plain = plain.mask(rating.isin(edition["colour.platinum-ratings"]) & np.isinf(game["limit"]) & ~young, "platinum")
    gold = np.where(plain == "red", _gold(edition, winners, game), 0)
    split = pd.DataFrame({colour: np.where(plain == colour, points - gold, 0) for colour in COLOURS})
    return split.assign(gold=split["gold"] + gold)


def _has(special: pd.Series[str], kinds: list[str]) -> pd.Series[bool]:
    """Return whether each text of special words has one of the kinds, or one that ends in it."""
    return special.str.contains(rf"(?:^|[ -])(?:{'|'.join(kinds)})(?:$|,)", regex=True)


def _gold(edition: Edition, winners: pd.DataFrame, game: pd.DataFrame) -> np.ndarray:
    """Return how much of each award is gold, in hundredths, if its event pays red points."""
    special = game["special"].fillna("")
    championship = ~_has(special, edition["non-championship.kinds"]) | _has(special, edition["non-championship.exempt"])
    championship &= ~_has(special, edition["colour.side-kinds"])
    event = championship & (game["sessions"] >= edition["colour.gold.sessions"])
    least = edition["colour.gold.limit"]
    event &= game["limit"] >= least
    flight, level = game["flight"].fillna(""), winners["level"].to_numpy()
    # X has an upper limit of its own.
    x = (flight == TOP).to_numpy() & (level == 1)
    of_x = {text: parse_strata(text)[1].limit for text in game["strata"][x].unique()}
    event &= (game["strata"].map(of_x) >= least) | ~x
    of_flight = flight.map(dict(edition["colour.gold.strata-of-flight"])).fillna(0)
    strata = of_flight.mask(flight == "", edition["colour.gold.strata"]).to_numpy(dtype=np.int64)
    pays = event.to_numpy() & (level < strata)
    overall = winners["basis"].astype("str").eq(str(OVERALL)).to_numpy()
    return np.where(pays, np.where(overall, winners["masterpoints"], winners["section_top"]), 0)


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
    counts = across[candidates["game"]] & session & (candidates["position"].to_numpy() <= tops)
    return candidates.assign(section_top=candidates["section_top"].mask(counts, candidates["masterpoints"]))


def _large_sections(edition: Edition, tables: str) -> int:
    least = float(edition["colour.gold.combined-tables"])
    return max(1, sum(1 for count in parse_tables(tables).values() if count >= least))
