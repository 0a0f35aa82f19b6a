"""Places, as uploads have them: one for each contestant, ``2`` or of a tie ``2=``, paid or not."""

from __future__ import annotations

import pandas as pd

from resultproc.model.frames import Result


def places(result: Result) -> pd.Series[str]:
    """Return the place of each contestant in the top stratum: overall where its game has several sections.

    Without standings, the place is the one that is printed for stratum A; it is empty where there is none.
    """
    contestants = result.contestants
    if result.awards is None:
        printed = contestants["printed_overall"].fillna(contestants["printed_section"])
        parts = printed.str.extract(r"\bA=([0-9]+)(/?)")
        return parts[0] + parts[1].str.replace("/", "=")
    top = result.standings[result.standings["level"] == 0].set_index("contestant")
    several = contestants.groupby("game_id")["section"].transform("nunique") > 1
    of_section, of_all = (_texts(top[top["basis"] == basis], contestants.index) for basis in ("section", "overall"))
    return of_section.mask(several, of_all)


def _texts(standings: pd.DataFrame, contestants: pd.Index[int]) -> pd.Series[str]:
    texts = standings["position"].astype("str") + (standings["tied"] > 1).map({True: "=", False: ""})
    return texts.reindex(contestants)
