"""What a comparison group's ladder depends on: few distinct claims, and what a claim says of its event."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.errors import DeclarationError
from resultproc.model.game import PER_TABLE
from resultproc.rulebooks.members import Members

KEYS = (
    "rating",
    "event_type",
    "sessions",
    "restrictions",
    "special",
    "flight",
    "bracket",
    "lower_tables",
    "concurrent_tables",
    "other_site_tables",
    "session_tables",
    "cuts",
    "championship",
)
"""The game keys that awards depend on, besides the limits."""


MATCHES = -1
"""What stands for a session where awards go by matches won."""


class Claim(NamedTuple):
    """What a ladder depends on. The game keys stand as declared, '' for none.

    session: the number of the session whose awards these are, 0 for the overall ones, :data:`MATCHES` for those by
    matches won; sessions are told apart only where the field was cut. limit: the stratum's upper limit, event_limit:
    the event's. level: the stratum's place, 0 the top. tables: those of the stratum with all lower ones, all_tables: of
    all strata; half tables count as whole ones. contestants: overall those in the stratum; in a session those in
    direct comparison, by the tables unless the field was cut. one_winner: whether N-S and E-W are compared together.
    matches: the boards of a match and the matches that each place has won, as in ``7:6,4.5,4``; '' unless the awards
    go by them.
    """

    session: int
    limit: float
    event_limit: float
    level: int
    tables: int
    all_tables: int
    contestants: int
    one_winner: bool
    rating: str
    event_type: str
    sessions: int
    restrictions: str
    special: str
    flight: str
    bracket: str
    lower_tables: str
    concurrent_tables: str
    other_site_tables: str
    session_tables: str
    cuts: str
    championship: str
    matches: str


def claims(groups: pd.DataFrame, members: Members) -> pd.DataFrame:
    """Return the claim of each comparison group, as a frame.

    groups: one row per group, with those of the overall comparison beside those of the sessions: the tables of a
    stratum follow from the contestants that it has in the whole event. members: who is in them.
    """
    overall = groups["basis"].astype("str") == "overall"
    by_matches = groups["basis"].astype("str") == "matches"
    keys = groups[list(KEYS)].astype({name: "str" for name in KEYS if name != "sessions"})
    whole = _of_event(groups, overall)
    per_table = groups["event_type"].map(PER_TABLE)
    stratum_tables = np.ceil(whole["ranked"].to_numpy() / per_table.to_numpy())
    number = groups["basis"].astype("str").str.extract(r"session (\d+)$")[0].fillna("1").astype(np.int64)
    cut = keys["cuts"].notna()
    after_cut = number > keys["cuts"].str.extract(r"^(\d+)")[0].fillna("99").astype(np.int64)
    frame = pd.DataFrame(
        {
            "session": number.where(cut, 1).mask(overall, 0).mask(by_matches, MATCHES),
            "limit": np.minimum(groups["limit"], groups["event_limit"]),
            "event_limit": groups["event_limit"],
            "level": groups["level"].astype(np.int64),
            "tables": np.where(groups["level"] == 0, whole["tables"], stratum_tables).astype(np.int64),
            "all_tables": np.ceil(whole["tables"]).astype(np.int64),
            "contestants": groups["ranked"].where(overall | after_cut, groups["size"]),
            "one_winner": groups["winners"] == 1,
            "matches": _matches(groups, by_matches, members),
        }
    )
    keys["sessions"] = keys["sessions"].astype(np.int64)
    return pd.concat([frame, keys.fillna("")], axis=1)[list(Claim._fields)]


def _matches(groups: pd.DataFrame, by_matches: pd.Series[bool], members: Members) -> pd.Series[str]:
    """Return, of groups that are compared by matches won, the boards of a match and what each place has won.

    Such as ``7:6,4.5,4``, ``:6,4.5,4`` where no boards are declared; '' for other groups.
    """
    texts = pd.Series("", groups.index, dtype="str")
    at = np.flatnonzero(by_matches)
    if not len(at):
        return texts
    won = members.of(groups.iloc[at])
    won = won.assign(wins=members.contestants["wins"].to_numpy()[won["contestant"]])
    ordered = won.sort_values(["group", "wins"], ascending=[True, False])
    listed = ordered["wins"].map("{:g}".format).groupby(ordered["group"]).agg(",".join)
    boards = groups["boards"].iloc[at].astype("str").fillna("").to_numpy()
    texts.iloc[at] = boards + ":" + listed.to_numpy()
    return texts


def _of_event(groups: pd.DataFrame, overall: pd.Series[bool]) -> pd.DataFrame:
    """Return, per group, the tables of its event and the contestants of its stratum in the whole event."""
    of_event = groups.loc[overall, ["game", "level", "tables", "ranked"]].drop_duplicates(["game", "level"])
    return groups[["game", "level"]].merge(of_event, how="left", on=["game", "level"])


@dataclass(frozen=True)
class Event:
    """What a claim says of its event, taken apart.

    r: the class that R is looked up for. sessions: those that S and the scale go by. words: what is special.
    """

    r: str
    event_type: str
    sessions: int
    restrictions: int
    words: frozenset[str]

    def is_special(self, *kinds: str) -> bool:
        """Return whether any of the words is, or ends in, one of the kinds: acbl-wide-charity is a charity game."""
        return any(word == kind or word.endswith(f"-{kind}") for word in self.words for kind in kinds)


def words(text: str) -> frozenset[str]:
    """Return the words of a declared list."""
    return frozenset(filter(None, text.split(", ")))


def tables_by_limit(text: str) -> dict[str, Fraction]:
    """Return the tables that a text such as ``1500=15, 500=9`` gives for each upper limit; none for ``none``.

    A number without a limit stands under ''.
    """
    if text in {"", "none"}:
        return {}
    parts = [part.rpartition("=") for part in text.split(", ")]
    return {limit: Fraction(tables) for limit, _, tables in parts}


def whole(tables: Fraction) -> Fraction:
    """Return tables with a half one counted as a whole one."""
    return Fraction(ceil(tables))


def require(value: str, key: str, why: str, example: str) -> str:
    """Return a declared value; raise DeclarationError that names the key where there is none."""
    if not value:
        raise DeclarationError(f"{key} is not declared, and {why}", hint=f"declare {key}, such as {example}")
    return value
