"""Events of several sessions: the sum of a contestant's session awards, an award beside its overall award."""

from __future__ import annotations

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Ints,
    distinct_rows,
    expand_counts,
    factorize_objects,
    factorize_text,
    run_starts,
    sorted_rows,
    take_rows,
)
from resultproc.model.basis import Basis, Kind
from resultproc.model.frames import categorical, joined_candidates
from resultproc.model.provenance import Values
from resultproc.model.values import decimal_text


def with_more(candidates: pd.DataFrame, more: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return candidates with more of them, which the values of a rulebook made."""
    all_one = np.zeros(len(more), dtype=np.int64)
    made = more.assign(values=categorical(all_one, [values]), rule=categorical(all_one, [values.rule]))
    return joined_candidates([candidates, made[candidates.columns]])


def decided_by(candidates: pd.DataFrame, rows: Bools, values: Values) -> pd.DataFrame:
    """Return candidates, some of which more values of a rulebook decided than those that made their ladders."""
    made = candidates["values"].cat
    number, told = factorize_objects(
        [*made.categories, *(Values.of((*each.items, *values.items)) for each in made.categories)]
    )
    of = number[made.codes + rows * len(made.categories)]
    rule, rules = factorize_objects(each.rule for each in told)
    return candidates.assign(values=categorical(of, told), rule=categorical(rule[of], rules))


_OF_SUMS = ["basis", "masterpoints", "section_top", "values", "rule", "factors"]
"""What sums have of their own; else they are as the largest award in them."""


def with_sums_of_sessions(candidates: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return the candidates with the sum of each contestant's session awards.

    The highest award of each session counts, over its strata; the sum goes by the stratum and the position of the
    largest of them. A contestant with an award in one session alone gets no sum: it would say nothing new.
    values: those of the regulation that lets session awards add up.
    """
    sums = _sums(candidates)
    return with_more(candidates, sums, values) if len(sums) else candidates


def _sums(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of session awards, but for what made them."""
    number, bases = factorize_text(candidates["basis"])
    parsed = {each: Basis.parse(str(bases[each])) for each in np.flatnonzero(np.bincount(number)).tolist()}
    sessions = sorted((basis.session, each) for each, basis in parsed.items() if basis.kind is Kind.SESSION)
    if len(sessions) < 2:
        return candidates.iloc[:0]
    contestant, points, level = (candidates[name].to_numpy() for name in ("contestant", "masterpoints", "level"))
    # A contestant's candidates are in order: the first one of a session is its best.
    of_session = (np.flatnonzero(number == each) for _, each in sessions)
    best = np.concatenate([rows[run_starts(contestant[rows])] for rows in of_session])
    best = best[sorted_rows(contestant[best])]
    count = np.diff(np.flatnonzero(run_starts(contestant[best])), append=len(best))
    best = best[np.repeat(count > 1, count)]
    if not len(best):
        return candidates.iloc[:0]
    start = np.flatnonzero(run_starts(contestant[best]))
    largest = sorted_rows(contestant[best], -points[best], level[best], best)[start]
    return take_rows(candidates.drop(columns=_OF_SUMS), best[largest]).assign(
        basis=categorical(np.zeros(len(start), dtype=np.int64), [str(Basis(Kind.SUM_OF_SESSIONS))]),
        masterpoints=np.add.reduceat(points[best], start),
        section_top=np.add.reduceat(candidates["section_top"].to_numpy()[best], start),
        factors=_parts(take_rows(candidates[["basis", "stratum", "masterpoints"]], best), start),
    )


def _parts(awards: pd.DataFrame, start: Ints) -> pd.Categorical:
    """Return what each sum consists of: the awards from each start on to the next."""
    number, first = distinct_rows(awards)
    said = [
        f"{basis} {stratum} {decimal_text(points)}"
        for basis, stratum, points in awards.iloc[first].itertuples(index=False, name=None)
    ]
    count = np.diff(start, append=len(number))
    parts = np.full((len(start), int(count.max())), -1)
    parts[expand_counts(count)] = number
    of, which = distinct_rows(pd.DataFrame(parts))
    one, *others = parts[which].T.tolist()
    texts = [said[part] for part in one]
    for other in others:
        texts = [f"{text} + {said[part]}" if part >= 0 else text for text, part in zip(texts, other, strict=True)]
    return categorical(of, texts)
