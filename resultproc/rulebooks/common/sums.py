"""Events of several sessions: the sum of a contestant's session awards, an award beside its overall award."""

from __future__ import annotations

import pandas as pd

from resultproc.model.basis import Basis, Kind, which
from resultproc.model.cited import Values
from resultproc.model.frames import joined_candidates


def with_more(candidates: pd.DataFrame, more: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return candidates with more of them, which the values of a rulebook made."""
    made = more.assign(values=pd.Series([values] * len(more), more.index, dtype="object"), rule=values.rule)
    return joined_candidates([candidates, made[candidates.columns]])


def with_sums_of_sessions(candidates: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return the candidates with the sum of each contestant's session awards.

    The highest award of each session counts, over its strata; the sum goes by the stratum and the position of the
    largest of them. A contestant with an award in one session alone gets no sum: it would say nothing new.
    values: those of the regulation that lets session awards add up.
    """
    of_session = which(candidates["basis"], lambda basis: basis.kind is Kind.SESSION)
    if not of_session.any():
        return candidates
    sessions = candidates[of_session].astype({"basis": "str", "stratum": "str"})
    ordered = sessions.sort_values(["masterpoints", "level"], ascending=[False, True], kind="stable")
    best = ordered.drop_duplicates(["contestant", "basis"])
    best = best[best.duplicated("contestant", keep=False)]
    if not len(best):
        return candidates
    number = best["basis"].map(lambda text: Basis.parse(text).session)
    said = best["basis"] + " " + best["stratum"] + " " + (best["masterpoints"] / 100).map("{:.2f}".format)
    in_order = best.assign(number=number, said=said).sort_values(["contestant", "number"])
    parts = in_order.groupby("contestant").agg(
        masterpoints=("masterpoints", "sum"), section_top=("section_top", "sum"), factors=("said", " + ".join)
    )
    largest = best.drop_duplicates("contestant").set_index("contestant")
    sums = largest.assign(basis=str(Basis(Kind.SUM_OF_SESSIONS)), **parts.reindex(largest.index)).reset_index()
    return with_more(candidates, sums, values)
