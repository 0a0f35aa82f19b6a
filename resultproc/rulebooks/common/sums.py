"""Events of several sessions: the sum of a contestant's session awards, which stands beside its overall award."""

from __future__ import annotations

import pandas as pd

SUM = "sessions"
"""The basis of an award that sums up those of the sessions."""


def with_sums_of_sessions(candidates: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Return the candidates with the sum of each contestant's session awards.

    The highest award of each session counts, over its strata; the sum goes by the stratum and the position of the
    largest of them. A contestant with an award in one session alone gets no sum: it would say nothing new.
    rule: the citation of the regulation that lets session awards add up.
    """
    of_session = candidates["basis"].astype("str").str.startswith("session ")
    if not of_session.any():
        return candidates
    texts = {"basis": "str", "stratum": "str", "rule": "str", "factors": "str"}
    candidates = candidates.astype(texts)
    ordered = candidates[of_session.to_numpy()].sort_values(
        ["masterpoints", "level"], ascending=[False, True], kind="stable"
    )
    best = ordered.drop_duplicates(["contestant", "basis"])
    best = best[best.duplicated("contestant", keep=False)]
    if not len(best):
        return candidates
    number = best["basis"].str.removeprefix("session ").astype("int64")
    said = best["basis"] + " " + best["stratum"] + " " + (best["masterpoints"] / 100).map("{:.2f}".format)
    in_order = best.assign(number=number, said=said).sort_values(["contestant", "number"])
    parts = in_order.groupby("contestant").agg(
        masterpoints=("masterpoints", "sum"), section_top=("section_top", "sum"), factors=("said", " + ".join)
    )
    largest = best.drop_duplicates("contestant").set_index("contestant")
    sums = largest.assign(basis=SUM, rule=rule, **parts.reindex(largest.index)).reset_index()
    return pd.concat([candidates, sums[candidates.columns]], ignore_index=True)
