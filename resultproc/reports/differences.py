"""Printed sheets checked: what a sheet prints against what its results earn under the rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.basis import Basis, Kind, basis_mask
from resultproc.model.draft import Draft
from resultproc.model.errors import Problem
from resultproc.model.frames import CONTESTANT_KEY, AwardedResult, Sheet
from resultproc.model.game import BY_MATCHES, league, leagues
from resultproc.model.sections import strata_of
from resultproc.model.text import counted
from resultproc.pages.annotated import annotated, masterpoints_text, places_text
from resultproc.people.seated import players_texts
from resultproc.reports.json_types import DifferenceEntry
from resultproc.rulebooks.load import rulebook

DIFFERENCE_COLUMNS = tuple(DifferenceEntry.__annotations__)
"""The columns of :func:`differences`: the contestant, then texts. ``what`` is award, paid by, colours, section rank or
overall rank; or overall ranks, of a whole game. ``why`` also names the standing that would have earned the printed
award, where there is any."""

_RANKS = {"section": "printed_section", "overall": "printed_overall"}


def differences(result: AwardedResult, ranks: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
    """Return every difference between what the sheets print and what was computed, in the order of the sheets.

    result: from :func:`resultproc.stages.pipeline.award_sheet`; its contestants still hold what was printed.
    ranks: what :func:`checked_ranks` gives of it, where that is known.

    A sheet is held only to what it prints: where a game prints no award at all, none is missing. Where it prints some,
    an empty one is 0; where it prints ranks, one that pays must be there. Two strata that pay the same are the same
    award, whichever is named. If a game stores no overall ranks at all, but what the sections alone pay, one row says
    so in place of the awards.
    """
    of_ranks = [
        checked[~checked["agrees"]].drop(columns="agrees").assign(what=f"{basis} rank")
        for basis, checked in (ranks or checked_ranks(result)).items()
    ]
    computed = annotated(result)
    parts = [_awards(result), _paid_by(result, computed), _colours(result, computed), *of_ranks]
    found = pd.concat(parts, ignore_index=True).sort_values("contestant", kind="stable", ignore_index=True)
    # In games that print section ranks and no overall rank: whose printed award leaves out an overall one.
    in_sections = _prints(result, "printed_section") & ~_prints(result, "printed_overall")
    over_all = basis_mask(result.candidates["basis"], lambda basis: basis.over_all)
    best = result.candidates[~over_all].groupby("contestant")["masterpoints"].max()
    without = best.reindex(range(len(result.contestants)), fill_value=0).to_numpy()
    printed = result.contestants["printed_award"].fillna(0).to_numpy(dtype=np.int64)
    less = (printed == without) & (without < result.awards["masterpoints"].to_numpy())
    unranked = np.asarray(in_sections & _prints(result, "printed_award") & less, dtype=bool)
    found = found[(found["what"] != "award") | ~unranked[found["contestant"]]].reset_index(drop=True)
    contestants = result.contestants.iloc[found["contestant"]].reset_index(drop=True)
    game = result.games.iloc[result.awards["game"].iloc[found["contestant"]]].reset_index(drop=True)
    named = {"source": game["source"], **{name: contestants[name] for name in CONTESTANT_KEY}}
    said = _why(result, found["contestant"])
    rows = found.assign(**named, **said, players=players_texts(contestants))[list(DIFFERENCE_COLUMNS)]
    # A row for each game with contestants whose overall awards are left out.
    count = result.awards["game"][unranked].value_counts(sort=False)
    awards = [counted(number, "award") for number in count]
    nothing = dict.fromkeys(("section", "direction", "number", "players", "rule", "printed"), "")
    why = "none is stored: score the event overall, and print it again"
    games = result.games.iloc[count.index][["source", "game_id"]]
    left_out = games.assign(**nothing, what="overall ranks", computed=awards, why=why)[list(DIFFERENCE_COLUMNS)]
    return pd.concat([rows, left_out], ignore_index=True)


def agreement(result: AwardedResult, ranks: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
    """Return, per game that prints awards or ranks, how many it prints and how many of them agree.

    The columns are ``source`` and ``game_id``; ``contestants`` whose award is printed and those that ``agree``;
    ``ranks``, one for each stratum, and ``ranks_agree``. The arguments are those of :func:`differences`.
    """
    awards = result.awards
    game = awards["game"].to_numpy()
    agrees = result.contestants["printed_award"].fillna(0).to_numpy(dtype="int64") == awards["masterpoints"]
    prints = _prints(result, "printed_award")
    counts = pd.DataFrame({"contestants": prints, "agree": agrees & prints}).groupby(game).sum()
    checked = pd.concat((ranks or checked_ranks(result)).values())
    by_game = checked["agrees"].astype("bool").groupby(game[checked["contestant"]])
    counts = counts.assign(ranks=by_game.size(), ranks_agree=by_game.sum()).fillna(0).astype("int64")
    counts = counts[(counts["contestants"] > 0) | (counts["ranks"] > 0)]
    return result.games.loc[counts.index, ["source", "game_id"]].assign(**counts)


def _rows(at: np.ndarray, what: str, printed: pd.Series[str], computed: pd.Series[str]) -> pd.DataFrame:
    """Return differences at some contestants."""
    rows = np.flatnonzero(at)
    sides = {"printed": printed.iloc[rows].fillna("").to_numpy(), "computed": computed.iloc[rows].fillna("").to_numpy()}
    return pd.DataFrame({"contestant": rows, "what": what, **sides})


def _prints(result: AwardedResult, column: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return, per contestant, whether its game prints this column for anybody."""
    printed = result.contestants[column].notna()
    return np.asarray(printed.groupby(result.awards["game"].to_numpy()).transform("any"), dtype=bool)


def _awards(result: AwardedResult) -> pd.DataFrame:
    printed = result.contestants["printed_award"].fillna(0).astype("int64")
    computed = result.awards["masterpoints"]
    at = (printed.to_numpy() != computed.to_numpy()) & _prints(result, "printed_award")
    return _rows(at, "award", masterpoints_text(printed), masterpoints_text(computed))


def _paid_by(result: AwardedResult, annotations: pd.DataFrame) -> pd.DataFrame:
    """Compare the stratum, and where the sheet prints it the basis, of awards that agree."""
    printed, awards = result.contestants["printed_paid_by"], result.awards
    computed = annotations["printed_paid_by"]
    agrees = (result.contestants["printed_award"] == awards["masterpoints"]).fillna(value=False).to_numpy(dtype=bool)
    candidates = result.candidates
    paid = awards["masterpoints"].to_numpy()[candidates["contestant"]]
    best = candidates[candidates["masterpoints"].to_numpy() == paid]
    basis = best["basis"].astype("str").map(lambda text: Basis.parse(text).code.removeprefix("H")[0])
    stratum = best["stratum"].astype("str")
    letters = {
        pair for code in (basis, stratum, basis + stratum) for pair in zip(best["contestant"], code, strict=True)
    }
    named = np.array([key in letters for key in enumerate(printed)], dtype=bool)
    return _rows(agrees & printed.notna().to_numpy() & ~named, "paid by", printed, computed)


def _colours(result: AwardedResult, annotations: pd.DataFrame) -> pd.DataFrame:
    """Compare the colours of awards that agree; where a sheet prints no amounts, which colours they are."""
    printed, computed = result.contestants["printed_colours"], annotations["printed_colours"]
    bare = (printed.notna() & ~printed.str.contains("=", na=False)).to_numpy()
    computed = computed.mask(bare, computed.str.replace("=[0-9.]+", "", regex=True))
    agrees = (result.contestants["printed_award"] == result.awards["masterpoints"]).fillna(value=False)
    differs = printed.notna() & (printed.fillna("") != computed.fillna(""))
    return _rows(agrees.to_numpy(dtype=bool) & differs.to_numpy(), "colours", printed, computed)


def checked_ranks(result: AwardedResult) -> dict[str, pd.DataFrame]:
    """Return the ranks that are compared, those in sections and those overall, and whether each agrees."""
    return {basis: _checked_ranks(result, basis) for basis in _RANKS}


def _checked_ranks(result: AwardedResult, basis: str) -> pd.DataFrame:
    """Compare the ranks of each stratum, those that are printed and those that pay.

    A game that prints one rank for each contestant, that among all, has none of lower strata to lack.
    Returns ``contestant``, both sides as texts, and whether the rank ``agrees``.
    """
    column = _RANKS[basis]
    there = result.contestants[column].reset_index(drop=True).dropna()
    if there.empty:
        kinds = {"contestant": "int64", "printed": "object", "computed": "str", "agrees": "bool"}
        return pd.DataFrame({name: pd.Series([], dtype=kind) for name, kind in kinds.items()})
    printed = there.str.split(", ").explode()
    sides = {
        "printed": pd.DataFrame({"contestant": printed.index, "text": printed.to_numpy()}),
        "standing": _positions(result.standings, basis),
        "paying": _positions(result.candidates, basis),
    }
    for side in sides.values():
        side["stratum"] = side["text"].astype("str").str.split("=").str[0]
    merged = sides["printed"].merge(sides["standing"], "outer", ["contestant", "stratum"], suffixes=("", "_standing"))
    merged = merged.merge(sides["paying"], "left", ["contestant", "stratum"], suffixes=("", "_paying"))
    game = result.awards["game"].to_numpy()[merged["contestant"]]
    lower = merged["stratum"].to_numpy() != strata_of(result.games["strata"]).letters[game, 0]
    by_stratum = np.isin(game, game[lower & merged["text"].notna().to_numpy()])
    lacks = merged["text"].isna() & merged["text_paying"].notna() & _prints(result, column)[merged["contestant"]]
    lacks &= by_stratum | ~lower
    checked = merged[lacks | merged["text"].notna()].fillna({"text": "", "text_standing": ""})
    return pd.DataFrame(
        {
            "contestant": checked["contestant"],
            "printed": checked["text"],
            "computed": checked["text_standing"],
            "agrees": checked["text"] == checked["text_standing"],
        }
    )


def _positions(frame: pd.DataFrame, basis: str) -> pd.DataFrame:
    """Return the places on a basis; those of an event's only session so far are its section ranks."""
    session = basis_mask(frame["basis"], lambda basis: basis.kind is Kind.SESSION)
    in_session = frame["basis"].astype("str").where(session)
    only = in_session.groupby(frame["game"]).transform("nunique") == 1
    rows = frame[(frame["basis"] == basis) | ((basis == "section") & only & in_session.notna())]
    return pd.DataFrame({"contestant": rows["contestant"], "text": places_text(rows)})


def _why(result: AwardedResult, contestant: pd.Series[int]) -> dict[str, pd.Series[str]]:
    """Return, as ``why``, the explanation of both sides of each contestant's differences, and its ``rule``."""
    awards, candidates = result.awards, result.candidates
    earned = _standing_text(candidates) + ": " + candidates["rule"].astype("str")
    earned += " (" + candidates["factors"].astype("str") + ")"
    winner = awards["candidate"].iloc[contestant].to_numpy()
    computed = pd.concat([earned, pd.Series(["none of its places pays"])]).iloc[winner].reset_index(drop=True)
    printed = result.contestants["printed_award"].reset_index(drop=True)
    matches = candidates["masterpoints"].to_numpy() == printed.iloc[candidates["contestant"]].to_numpy(
        dtype="float64", na_value=np.nan
    )
    others = _standing_text(candidates[matches & ~candidates.index.isin(awards["candidate"])])
    whose = candidates["contestant"].loc[others.index]
    other = others.groupby(whose).agg(", ".join).reindex(contestant)
    named = "; the printed award is what " + other.reset_index(drop=True) + " earns"
    rules = pd.concat([candidates["rule"].astype("str"), pd.Series([""])]).iloc[winner].reset_index(drop=True)
    return {"why": computed + named.fillna(""), "rule": rules}


def _standing_text(candidates: pd.DataFrame) -> pd.Series[str]:
    return candidates["basis"].astype("str") + " " + places_text(candidates)


def as_printed(sheet: Sheet, drafts: Iterable[Draft]) -> tuple[Sheet, list[Problem]]:
    """Return games with the boards that their awards are for, and remarks on the files where these are not all played.

    drafts: those that the sheet was made of. ACBLscore knows nothing of awards by boards: what it prints is for the
    usual number, however many there were.
    """
    by_program = (each for each in drafts if each.source and each.source.format in ("text", "acblscore"))
    of_program = {fact["source"] for each in by_program for fact in each.facts}
    book = rulebook(league().by_boards)
    standard = book.at(book.since).whole("boards.standard")
    games = sheet.games
    concerned = (games["date"] >= pd.Timestamp(book.since)) & games["rating"].isin(book.covers)
    # A report that names its rulebook is one of ours, with the awards of that.
    concerned &= ~games["event_type"].isin(BY_MATCHES) & games["rulebook"].isna() & games["source"].isin(of_program)
    what = (
        f"ACBLscore leaves out that club games pay by boards since {book.since.year}: its awards are compared with "
        f"those for {standard} boards"
    )
    changed = games.assign(boards=games["boards"].mask(concerned, standard))
    code = "printed.not-compared"
    remarks = [Problem(what, file=str(source), code=code) for source in games.loc[concerned, "source"].unique()]
    return replace(sheet, games=changed), remarks


def if_ours(kind: str) -> str:
    """Return how a file says whose its points are after all; '' for kinds that no league here has."""
    usual, *others = leagues().values()
    rating = next(iter(usual.names))
    ours = f'if they are the {usual.title}\'s, write <?resultproc {{"rating": "{rating}"}}?>, or what it is, in <EVENT>'
    if kind == "master":  # which may be of any league
        return f"{ours}; if another league's, declare its rating: 'resultproc rules list' has them"
    if {*usual.points_colours}.issuperset(kind.split(" and ")):
        return ours
    may_be = [each for each in others if {*each.points_colours}.issuperset(kind.split(" and "))]
    named = " or ".join(f"league='{each.name}' if they are those of the {each.title}" for each in may_be)
    return f"declare {named}" if may_be else ""
