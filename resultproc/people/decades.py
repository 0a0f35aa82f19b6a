"""Who is who over decades: by member number, else by name, club and partner; what is not sure is listed.

The rules are those of :mod:`resultproc.people.identity`, and what many years, clubs and partners tell besides.

There may be millions of ways in which people are written. So each word (a name, a number, a club) is a whole number:
its place among all words in the order of the alphabet, and -1 is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Bools, Ints, distinct_keys, factorize_text, run_starts
from resultproc.people.spelling import name_forms, near_names, plain_name, plain_number

PLAIN = ["name", "number", "club", "partner"]
AS_WRITTEN = ["player", "member", "place"]
"""What tells how somebody is written: in a plain spelling, and as it is."""

WAY = (*AS_WRITTEN, "partner")
"""What tells one way of writing from another."""

RARE = 10
"""A spelling is rare beside one that at least this many times as many games have."""

_YEARS = 2
"""For how many years at most a person with a new number uses both; one with a new name does not use both."""

_LONG = 10
"""After this many years somebody of the same name at the same club is perhaps not the same."""

_OFTEN = 2
"""How many games make a partner one to go by, where nothing else does."""

_MET = "two of this name sat in one game"
_NAMESAKES = "several have this name"
_UNSHOWN = "no number or partner shows that it is this one"
_BY_PARTNER = "only a partner's name shows that it is this one"
_AT_ODDS = "the partner's name is seen with another of this name"
_ALIKE = "a name almost the same is seen at the club"
_ELSEWHERE = "nobody has played with this one at both clubs"
_RENUMBERED = "a namesake has another number, with the same partner or at the same club"
_OF_ANOTHER = "the number is another's in most games"
_RENAMED = "one of the same first name, before or after, has the same partner"
_CALLED = "one of the same surname has the same partners at the club"

WAYS_IN_BLOCK = 1_000_000
"""About so many ways of writing are looked at together where all of a name can be: it bounds the memory."""

_Words = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Decided:
    """Who is who of those who are written in some ways."""

    person: pd.Series[str]  # the key of each: the member number, else the plain name
    doubts: Callable[[], pd.DataFrame]  # finds what somebody should decide, which takes longer than the rest

    @cached_property
    def unsure(self) -> pd.DataFrame:
        """What somebody should decide: ``row``, ``may_be`` (the key of another person, or several) and ``why``."""
        return self.doubts()


def spellings(seats: pd.DataFrame) -> tuple[pd.DataFrame, Ints]:
    """Return the ways in which people are written, as :func:`decide` takes them, and each seat's.

    That is -1 for one that names nobody.

    seats: a row per player of a contestant of a game: ``game``, ``name``, ``number``, ``club`` and ``partner`` as
    written, and ``year``; texts may be missing or empty. ``player``, ``member`` and ``place`` have what is written.
    """
    plain: dict[str, Any] = {}
    known: dict[str, tuple[pd.Index[str], Ints, pd.Index[str]]] = {}
    for name, written in zip(PLAIN, [*AS_WRITTEN, ""], strict=True):
        each = plain_number if name == "number" else plain_name
        codes, texts = factorize_text(seats[name])
        if name == "partner" and texts.equals(known["name"][0]):  # as names are, which are spelt already
            known[name] = known["name"]
        else:
            known[name] = texts, *factorize_text(each(pd.Series(texts, dtype="str")))
        _, as_plain, distinct = known[name]
        plain[name] = pd.Categorical.from_codes(np.append(as_plain, -1)[codes], distinct)
        if written:
            plain[written] = pd.Categorical.from_codes(codes, texts)
    game, _ = factorize_text(seats["game"])
    named, numbered, partner = (plain[name].codes.astype(np.int64) for name in ("name", "number", "partner"))
    sat, _ = distinct_keys(game, named)
    lacking = numbered < 0
    several = (np.bincount(sat)[sat] > 1) & (named >= 0)
    met = several.astype(np.int64) + (several & lacking & (np.bincount(sat, lacking)[sat] > 1))
    rows = np.flatnonzero((named >= 0) | ~lacking)
    # Who is entered twice in a game has played one.
    _, first = distinct_keys(game, numbered, *(np.where(lacking, each, -1) for each in (named, partner)))
    games = np.isin(np.arange(len(seats)), first).astype(np.int64)
    year = seats["year"].array
    every = pd.DataFrame({**plain, "games": games, "first": year, "last": year, "met": met})
    spelt, of_named = distinct_ways(every.iloc[rows])
    row = np.full(len(seats), -1, dtype=np.int64)
    row[rows] = of_named
    return spelt, row


def distinct_ways(ways: pd.DataFrame) -> tuple[pd.DataFrame, Ints]:
    """Return the distinct ways in the order in which they come first, with the sums of each, and which each row is.

    ways: as :func:`spellings` gives them, in which some may be there more than once.
    """
    codes = [ways[name].cat.codes.to_numpy() for name in WAY]
    number, firsts, count = np.zeros(len(ways), dtype=np.int64), [], 0
    block = codes[0] % (len(ways) // WAYS_IN_BLOCK + 1)  # nothing of one name is the same as of another
    for each in np.unique(block):
        rows = np.flatnonzero(block == each)
        of_rows, first = distinct_keys(*(of[rows] for of in codes))
        number[rows] = of_rows + count
        firsts.append(rows[first])
        count += len(first)
    every = np.concatenate([np.zeros(0, dtype=np.int64), *firsts])
    order = np.argsort(every)
    order_of = np.empty(count, dtype=np.int64)
    order_of[order] = np.arange(count)
    number = order_of[number]
    found = ways[[*ways.select_dtypes("category")]].iloc[every[order]].reset_index(drop=True)
    found["games"] = np.bincount(number, ways["games"], minlength=count).astype(np.int32)
    for name, of_both, none in (("first", np.fmin, np.nan), ("last", np.fmax, np.nan), ("met", np.maximum, 0)):
        values = ways[name].to_numpy(np.int8 if name == "met" else np.float32)
        most = np.full(count, none, dtype=values.dtype)
        of_both.at(most, number, values)
        found[name] = most
    return found, number


def decide(spelt: pd.DataFrame) -> Decided:
    """Return who is who over many games, clubs and years; docs/archive.md has the rules.

    spelt: a row per way in which somebody is written. ``name``, ``number``, ``club`` and ``partner`` are in their plain
        spelling; any may be missing, but not both name and number. ``games`` is how many. ``first`` and ``last`` are
        their years, missing where no day is known. ``met`` is 1 where somebody else of the name sat in one of the
        games, and 2 where neither of them had a number there.
    """
    frame, words = _coded(spelt)
    games = np.bincount(frame["name"] + 1, frame["games"], minlength=len(words) + 1)[1:].astype(np.int64)
    both = _several_numbers(frame)
    if len(both):
        frame["number"] = _without_slips(frame, both, words)
        both = _several_numbers(frame)
    strays = _of_another(frame, both, words, games)
    number = frame["number"].to_numpy()
    own = number.copy()
    own[strays.row] = -1
    person, several = _by_namesakes(frame.assign(number=own), words)
    person = np.where(number >= 0, number, person)
    frame["alone"] = (person < 0) & ~np.isin(frame["name"], frame["name"][own >= 0])
    frame["person"] = np.where(person >= 0, person, frame["name"]).astype(np.int32)
    sure = np.ones(len(frame), dtype=np.bool_)
    sure[several.row] = False
    frame["person"] = _respelt(frame, words, sure, games)
    frame["person"], words = _told_apart(frame, words)
    persons = _Persons(frame, words, games, strays, several, both)
    keys = pd.Categorical.from_codes(frame["person"].to_numpy(), pd.Index(words, dtype=object))
    return Decided(pd.Series(keys), lambda: _unsure(persons))


def _unsure(persons: _Persons) -> pd.DataFrame:
    frame, often = persons.frame, _often_with_one(persons)
    lists = (
        persons.several,
        _Listed(np.flatnonzero((frame["met"] > 0) & (frame["number"] < 0)), _MET),
        _alike(persons),
        _Listed(_elsewhere(frame), _ELSEWHERE),
        _renumbered(persons),
        persons.strays,
        *((_renamed(persons, often), _called_otherwise(persons, often)) if len(often) else ()),
    )
    every = pd.concat([pd.DataFrame(each._asdict()) for each in lists])
    unsure = every.drop_duplicates("row").sort_values("row", ignore_index=True)
    return unsure.astype({"may_be": "str", "why": "str"})


class _Listed(NamedTuple):
    """Rows that somebody should decide about."""

    row: Ints
    why: str | _Words  # one reason, or one for each row
    may_be: str | _Words = ""  # whom each row may be


class _Persons(NamedTuple):
    """Who is who, as far as names and numbers tell."""

    frame: pd.DataFrame  # the ways in which people are written, with person and alone; texts as numbers of words
    words: _Words
    games: Ints  # how many games each name has
    strays: _Listed  # rows to decide about: their number is another's
    several: _Listed  # rows to decide about: several people have the name
    both: pd.DataFrame  # the names that have several numbers


def _told_apart(frame: pd.DataFrame, words: _Words) -> tuple[npt.NDArray[Any], _Words]:
    """Return the person of each row, and the words with theirs: namesakes who sat in one game, both without a number.

    They are two people, and their partners are what tells them apart: ``ann lee with ned ott``.
    """
    person = frame["person"].to_numpy().copy()
    name, partner, met = (frame[column].to_numpy() for column in ("name", "partner", "met"))
    without = (frame["number"].to_numpy() < 0) & (partner >= 0)
    rows = np.flatnonzero(without & np.isin(name, name[without & (met == 2)]))
    number, _ = distinct_keys(name[rows], partner[rows])
    rows = rows[np.isin(number, number[met[rows] == 2])]
    texts = words[frame["name"].to_numpy()[rows]] + " with " + words[frame["partner"].to_numpy()[rows]]
    of, distinct = pd.factorize(texts)
    person[rows] = len(words) + of
    return person, np.append(words, distinct)


def _coded(spelt: pd.DataFrame) -> tuple[pd.DataFrame, _Words]:
    """Return the ways with the numbers of their words, and the words; numbers follow the alphabet."""
    columns = {name: factorize_text(spelt[name])[1] for name in PLAIN}
    every = pd.concat([pd.Series(texts, dtype="str") for texts in columns.values()], ignore_index=True)
    number, distinct = factorize_text(every)
    order = pd.Series(distinct, dtype="str").argsort().to_numpy()
    words: _Words = distinct.to_numpy(dtype=object)[order]
    order_of = np.empty(len(order), dtype=np.int32)
    order_of[order] = np.arange(len(order))
    coded: dict[str, Any] = {}
    begins = 0
    for name, texts in columns.items():
        codes, _ = factorize_text(spelt[name])
        coded[name] = np.append(order_of[number[begins : begins + len(texts)]], np.int32(-1))[codes]
        begins += len(texts)
    numbers = {name: spelt[name].array for name in ("games", "first", "last", "met")}
    return pd.DataFrame(coded | numbers, copy=False), words


def _only(keys: list[npt.NDArray[Any]], number: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the number that rows of the same keys have, -1 where they have none or several, or lack a key."""
    known = np.logical_and.reduce([key >= 0 for key in keys])
    group, first = distinct_keys(*keys)
    least, most = _range_of_each(group, number, known & (number >= 0), len(first))
    return np.where(known & (least == most)[group], least[group], -1)


def _range_of_each(
    of: npt.NDArray[Any], value: npt.NDArray[Any], there: Bools, count: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the least and the greatest value of each of so many groups, where there is one."""
    least, most = np.full(count, np.iinfo(np.int32).max), np.full(count, -1, dtype=np.int32)
    np.minimum.at(least, of[there], value[there])
    np.maximum.at(most, of[there], value[there])
    return least, most


def _rows_of_several(frame: pd.DataFrame, by: str, column: str) -> pd.DataFrame:
    """Return the rows of those names or numbers that have several of the other. by, column: which of these."""
    of, value = frame[by].to_numpy(), frame[column].to_numpy()
    there = (of >= 0) & (value >= 0)
    least, most = _range_of_each(of, value, there, int(of.max(initial=-1)) + 1)
    several: pd.DataFrame = frame[there & np.append(least < most, False)[of]]
    return several


def _by_namesakes(frame: pd.DataFrame, words: _Words) -> tuple[npt.NDArray[Any], _Listed]:
    """Return the number of each row, its own or a namesake's, and the rows in which that is not sure.

    The namesake is the only one at the same club, else the only one with a partner of the same name, else the only one
    there is; who sat in a game with a namesake is none of these.
    """
    name, number = frame["name"].to_numpy(), frame["number"].to_numpy()
    there = (name >= 0) & ((number >= 0) | (frame["met"] == 0).to_numpy())
    rows = np.flatnonzero(
        there & np.isin(name, name[there & (number >= 0)]) & np.isin(name, name[there & (number < 0)])
    )
    person, none = number.copy(), np.zeros(0, dtype=object)
    listed = [(rows[:0], none, none)]
    block = name[rows] // (len(words) * WAYS_IN_BLOCK // max(len(rows), WAYS_IN_BLOCK) + 1)
    for each in np.unique(block):  # nothing of one name depends on another
        of = rows[block == each]
        person[of], told = _by_namesakes_of(frame.iloc[of], words)
        listed.append(told._replace(row=of[told.row]))  # type: ignore[arg-type]
    return person, _Listed(*map(np.concatenate, zip(*listed, strict=True)))


def _by_namesakes_of(some: pd.DataFrame, words: _Words) -> tuple[npt.NDArray[Any], _Listed]:
    """Return the same for the rows of some names, as places among these."""
    keys = {column: some[column].to_numpy() for column in ("name", "partner", "club", "number")}
    by_club, by_partner, alone = (
        _only([keys[column] for column in by], keys["number"])
        for by in (["name", "club"], ["name", "partner"], ["name"])
    )
    found = keys["number"]
    for only in (by_club, by_partner, alone):
        found = np.where(found >= 0, found, only)
    agree = (by_club >= 0) & ((by_partner == by_club) | (_years_between(some, by_club) <= _LONG))
    at_odds = (keys["number"] < 0) & (by_club >= 0) & (by_partner >= 0) & (by_partner != by_club)
    sure = (keys["number"] >= 0) | (agree & ~at_odds)
    open_ = np.flatnonzero(~sure)
    several, odd, told = found[open_] < 0, at_odds[open_], by_partner[open_] >= 0
    asked = (some["number"] >= 0) & some["name"].isin(keys["name"][open_[several]])
    who = _each_or(some.loc[asked, ["name", "number"]].set_axis(["name", "person"], axis=1), words)
    other = np.where(odd, words[by_partner[open_]], "")
    may_be = np.where(several, who.reindex(keys["name"][open_]).to_numpy(dtype=object), other)
    why = np.select([several, odd, told], [_NAMESAKES, _AT_ODDS, _BY_PARTNER], _UNSHOWN)
    return found, _Listed(open_, why, may_be)


def _years_between(frame: pd.DataFrame, number: npt.NDArray[Any]) -> pd.Series[float]:
    """Return how many years lie between a row and those in which its name has a number, less than 0 within them."""
    keys = ["name", "number"]
    given = frame[frame["number"] >= 0]
    years = given.groupby(keys, as_index=False).agg(since=("first", "min"), until=("last", "max"))
    of_row = frame[["name"]].assign(number=number).merge(years, on=keys, how="left").set_axis(frame.index)
    return _gap(of_row["since"] - frame["last"], frame["first"] - of_row["until"]).fillna(0)


def _gap(after: pd.Series[float], before: pd.Series[float]) -> pd.Series[float]:
    return after.astype("float64").where(~(after < before), before.astype("float64"))


def _each_or(pairs: pd.DataFrame, words: _Words) -> pd.Series[str]:
    """Return whom each name may be: this or that. pairs: ``name`` and ``person``."""
    pairs = pairs.drop_duplicates().sort_values(["name", "person"])
    persons = pd.Series(words[pairs["person"].to_numpy()], dtype=object)
    return persons.groupby(pairs["name"].to_numpy()).agg(" or ".join)


def _without_slips(frame: pd.DataFrame, both: pd.DataFrame, words: _Words) -> npt.NDArray[Any]:
    """Return the numbers, with the usual one of the name in place of one that is a slip of the hand away from that.

    Such a one is rare, a digit or the order of two digits away, and seen with the same partner or at the same club.
    """
    number = frame["number"].to_numpy().copy()
    both = both[both["games_other"] >= RARE * both["games"]].reset_index(drop=True)
    forms = name_forms(_texts(words, both["number"])).merge(
        name_forms(_texts(words, both["number_other"])), on=["row", "form"]
    )
    slips = both[both.index.isin(forms["row"]) & (both["partner"] | both["club"])]
    rows, usual = _of_numbers(frame, slips.drop_duplicates(["name", "number"], keep=False))
    number[rows] = usual
    return number


def _texts(words: _Words, of: pd.Series[int]) -> pd.Series[str]:
    return pd.Series(words[of.to_numpy()], dtype="str")


def _of_numbers(frame: pd.DataFrame, both: pd.DataFrame) -> tuple[Ints, Ints]:
    """Return the rows of some names with some numbers, and the other number of each."""
    both = both[["name", "number", "number_other"]]
    rows = frame.loc[frame["number"].isin(both["number"]), ["name", "number"]].reset_index(names="row")
    found = rows.merge(both, on=["name", "number"])
    return found["row"].to_numpy(), found["number_other"].to_numpy()


def _several_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return names with two of their numbers, each way around: the games and years of either.

    ``partner`` and ``club`` say whether both were seen with the same partner, or at the same club.
    """
    keys = ["name", "number"]
    numbered = _rows_of_several(frame, "name", "number")
    if numbered.empty:
        return numbered.assign(number_other=0, games_other=0)
    of_keys = numbered.groupby(keys)
    sums = of_keys.agg(games=("games", "sum"), first=("first", "min"), last=("last", "max")).reset_index()
    numbered, sums["of"] = numbered.assign(of=of_keys.ngroup()), sums.index
    both: pd.DataFrame = sums.merge(sums, on="name", suffixes=("", "_other"))
    both = both[both["of"] != both["of_other"]].reset_index(drop=True)
    for by in ("partner", "club"):
        seen = numbered.loc[numbered[by] >= 0, ["name", "of", by]].drop_duplicates()
        met = seen.merge(seen, on=["name", by], suffixes=("", "_other"))
        mine, theirs = (each["of"] * len(sums) + each["of_other"] for each in (both, met))
        both[by] = np.isin(mine, theirs)
    return both


def _respelt(frame: pd.DataFrame, words: _Words, sure: Bools, games: Ints) -> npt.NDArray[Any]:
    """Return the person of each row: for a rare name, who has almost the same and sat there with the same partner.

    sure: which rows are of somebody who is known. games: of each name.
    """
    together = ["club", "partner"]
    name, club, partner, alone = (frame[column].to_numpy() for column in ("name", *together, "alone"))
    there = (name >= 0) & (club >= 0) & (partner >= 0)
    at = pd.Series(club.astype(np.int64) * len(words) + partner)
    rows = np.flatnonzero(there & at.isin(at[there & alone].unique()).to_numpy())
    placed = frame.iloc[rows]
    name, alone = placed["name"].to_numpy(), placed["alone"].to_numpy()
    seat, _ = distinct_keys(*(placed[column].to_numpy() for column in together))
    most, least = np.zeros(len(seat), dtype=np.int64), np.full(len(seat), np.iinfo(np.int64).max)
    np.maximum.at(most, seat, games[name])
    np.minimum.at(least, seat, games[name])
    mine = alone & (most[seat] >= RARE * games[name])
    theirs = sure[rows] & (games[name] >= RARE * least[seat])
    if not mine.any():
        return frame["person"].to_numpy().copy()
    near = _near(words, name[mine], name[theirs])
    sat = placed.loc[mine, ["name", *together]].reset_index(names="row")
    known = placed.loc[theirs, ["name", *together, "person"]].drop_duplicates().rename(columns={"name": "other"})
    found = sat.merge(near, on="name").merge(known, on=["other", *together])
    rare = games[found["other"]] >= RARE * games[found["name"]]
    found = found[rare].drop_duplicates(["row", "person"]).drop_duplicates("row", keep=False)
    person = frame["person"].to_numpy().copy()
    person[found["row"]] = found["person"]
    return person


def _near(words: _Words, names: npt.NDArray[Any], others: npt.NDArray[Any]) -> pd.DataFrame:
    """Return which names are almost the same as others: to look for them takes long, and so it is done for few."""
    every = np.union1d(names, others)
    return near_names(pd.Series(words[every], dtype="str", index=every), np.isin(every, names))


def _alike(persons: _Persons) -> _Listed:
    """Return the rows of names that may be other spellings: rare ones, and those with the same partner, at a club."""
    frame, games = persons.frame, persons.games
    named = frame[frame["name"] >= 0]
    name, club, partner = (named[column].to_numpy() for column in ("name", "club", "partner"))
    with_partner, _ = distinct_keys(club, partner)
    shared = (pd.Series(name).groupby(with_partner).transform("nunique").to_numpy() > 1) & (partner >= 0)
    most = pd.Series(games[name]).groupby(club).transform("max").to_numpy()
    open_ = (named["alone"] & (named["person"] == named["name"])).to_numpy()
    own = np.intersect1d(name[open_], name[shared | (most >= RARE * games[name])])
    if not len(own):
        return _Listed(own, _ALIKE)
    near = _near(persons.words, own, name[shared | (games[name] >= RARE)])
    mine = named.loc[open_ & named["name"].isin(near["name"]), ["name", "club", "partner"]].drop_duplicates()
    theirs = named.loc[named["name"].isin(near["other"]), ["name", "club", "partner", "person", "alone"]]
    theirs = theirs.drop_duplicates().rename(columns={"name": "other"})
    pairs = mine.merge(near, on="name").merge(theirs, on=["other", "club"], suffixes=("", "_other"))
    pairs = pairs[pairs["person"] != pairs["name"]]
    rare = games[pairs["other"]] >= RARE * games[pairs["name"]]
    together = (pairs["partner"] == pairs["partner_other"]) & (pairs["partner"] >= 0)
    return _of_names(persons, pairs[rare | (together & _lesser(pairs, games))], _ALIKE)


def _lesser(pairs: pd.DataFrame, games: Ints) -> pd.Series[bool]:
    """Return which pairs of names have the first as the one to decide about: one of the two is decided, not both."""
    mine, theirs = games[pairs["name"]], games[pairs["other"]]
    lesser: pd.Series[bool] = ~pairs["alone"] | (mine < theirs) | ((mine == theirs) & (pairs["name"] > pairs["other"]))
    return lesser


def _of_names(persons: _Persons, pairs: pd.DataFrame, why: str) -> _Listed:
    """Return the rows of names without a number, each with whom it may be. pairs: ``name`` and ``person``."""
    who = _each_or(pairs[["name", "person"]], persons.words)
    name = persons.frame["name"]
    rows = np.flatnonzero((persons.frame["person"] == name) & name.isin(who.index))
    return _Listed(rows, why, who.reindex(name.iloc[rows]).to_numpy(dtype=object))


def _elsewhere(frame: pd.DataFrame) -> Ints:
    """Return the rows of names without a number at a club where none of their partners at the usual club plays."""
    rows = np.flatnonzero(frame["alone"] & (frame["person"] == frame["name"]))
    name, club, partner = (frame[column].to_numpy()[rows] for column in ("name", "club", "partner"))
    at_club, first = distinct_keys(name, club)
    games = np.bincount(at_club, frame["games"].to_numpy()[rows], minlength=len(first))
    order = np.lexsort([club[first], -games, name[first]])
    usual = np.isin(at_club, order[run_starts(name[first][order])])
    with_partner, _ = distinct_keys(name, partner)
    known = (partner >= 0) & np.isin(with_partner, with_partner[usual & (partner >= 0)])
    return rows[~usual & ~np.isin(at_club, at_club[known])]


def _renumbered(persons: _Persons) -> _Listed:
    """Return the rows of names with a second number, the one of fewer games, that may have followed the other."""
    both = persons.both
    if both.empty:
        return _Listed(both.index.to_numpy(), _RENUMBERED)
    overlap = np.minimum(both["last"], both["last_other"]) - np.maximum(both["first"], both["first_other"])
    fewer = (both["games"] < both["games_other"]) | (
        (both["games"] == both["games_other"]) & (both["number"] > both["number_other"])
    )
    both = both[fewer & (both["partner"] | (both["club"] & ~(overlap > _YEARS)))]
    rows, other = _of_numbers(persons.frame, both.drop_duplicates(["name", "number"]))
    return _Listed(rows, _RENUMBERED, persons.words[other])


def _of_another(frame: pd.DataFrame, both: pd.DataFrame, words: _Words, games: Ints) -> _Listed:
    """Return the rows of numbers with a name unlike that which the number has most often. games: of each name."""
    keys = ["number", "name"]
    numbered = _rows_of_several(frame, "number", "name")
    if numbered.empty:
        return _Listed(numbered.index.to_numpy(), _OF_ANOTHER)
    sums = numbered.groupby(keys, as_index=False).agg(games=("games", "sum"))
    usual = sums.sort_values(["number", "games", "name"], ascending=[True, False, True]).drop_duplicates("number")
    pairs = sums.merge(usual, on="number", suffixes=("", "_usual"))
    pairs = pairs[pairs["name"] != pairs["name_usual"]].reset_index(drop=True)
    near, like, apart = _likeness(*(_texts(words, pairs[name]) for name in ("name", "name_usual")))
    rare = pairs["games_usual"] >= RARE * pairs["games"]
    stray = rare & (games[pairs["name"]] >= RARE * pairs["games"]) & ~near
    unlike = pairs[stray | (~like & (rare | apart))].assign(number_other=-1)
    # Who has a number of their own in nearly all games has hardly the other one, too.
    own = both[both["games_other"] >= RARE * both["games"]].merge(pairs[keys], on=keys)
    rows, other = _of_numbers(frame, pd.concat([own, unlike], ignore_index=True).drop_duplicates(["name", "number"]))
    return _Listed(rows, _OF_ANOTHER, np.where(other >= 0, words[other], ""))


def _likeness(names: pd.Series[str], usual: pd.Series[str]) -> tuple[Bools, pd.Series[bool], pd.Series[bool]]:
    """Return which pairs of names differ by one letter, which are similar, and which have no word in common."""
    near = names.index.isin(name_forms(names).merge(name_forms(usual), on=["row", "form"])["row"])
    words = names.str.split(), usual.str.split()
    first, of_usual = (each.str[0] for each in words)
    initial = ((first.str.len() == 1) | (of_usual.str.len() == 1)) & (first.str[0] == of_usual.str[0])
    apart = [set(one).isdisjoint(two) for one, two in zip(*words, strict=True)]
    return near, (first == of_usual) | initial | near, pd.Series(apart, index=names.index, dtype="bool")


def _renamed(persons: _Persons, often: pd.DataFrame) -> _Listed:
    """Return the rows of names without a number that may follow another: the same first name, partner and club."""
    pairs = _of_one_partner(often, 0)
    gap = _gap(pairs["since_other"] - pairs["until"], pairs["since"] - pairs["until_other"])
    pairs = pairs[gap.between(0, _YEARS) & _lesser(pairs.assign(alone=pairs["alone_other"]), persons.games)]
    return _of_names(persons, pairs.assign(person=pairs["person_other"]), _RENAMED)


def _called_otherwise(persons: _Persons, often: pd.DataFrame) -> _Listed:
    """Return the rows of names without a number that may be called otherwise elsewhere: Bill is William.

    They have the same surname, club and at least two partners, or the only one that either has.
    """
    pairs = _of_one_partner(often, -1)
    both = pairs.groupby(["name", "other"])["partner"].nunique()
    partners = persons.frame[persons.frame["partner"] >= 0].groupby("name")["partner"].nunique()
    fewest = np.minimum(*(partners.reindex(both.index.get_level_values(of)).to_numpy() for of in ("name", "other")))
    same = both.index[(both >= np.minimum(_OFTEN, fewest)).to_numpy()]
    pairs = pairs[pd.MultiIndex.from_frame(pairs[["name", "other"]]).isin(same)]
    pairs = pairs[_lesser(pairs.assign(alone=pairs["alone_other"]), persons.games)]
    return _of_names(persons, pairs.assign(person=pairs["person_other"]), _CALLED)


def _often_with_one(persons: _Persons) -> pd.DataFrame:
    """Return the names that were often seen with a partner at a club, with whom somebody without a number was, too."""
    frame = persons.frame
    placed = (frame["name"] >= 0) & (frame["club"] >= 0) & (frame["partner"] >= 0)
    mine = frame["alone"] & (frame["person"] == frame["name"])
    seat, _ = distinct_keys(frame["club"].to_numpy(), frame["partner"].to_numpy())
    rows = np.flatnonzero(placed & np.isin(seat, seat[placed & mine]))
    keys = ["name", "club", "partner", "person", "alone"]
    number, first = distinct_keys(*(frame[key].to_numpy()[rows] for key in keys))
    games = np.bincount(number, frame["games"].to_numpy()[rows], minlength=len(first))
    named = frame[keys].iloc[rows[first[games >= _OFTEN]]]
    if named.empty:
        return named
    years = frame.groupby("name").agg(since=("first", "min"), until=("last", "max"))
    names = _texts(persons.words, named["name"])
    return named.join(years, on="name").assign(words=names.str.split().array)[names.str.contains(" ").to_numpy()]


def _of_one_partner(often: pd.DataFrame, word: int) -> pd.DataFrame:
    """Return two names, one of them without a number, with the same partner at a club, of which a word is the same.

    word: which one, 0 for the first name and -1 for the surname; it is no initial.
    """
    named = often.assign(word=often["words"].str[word]).drop(columns="words")
    named = named[named["word"].str.len() > 1]
    pairs = named[named["alone"] & (named["person"] == named["name"])].merge(
        named.rename(columns={"name": "other"}), on=["word", "club", "partner"], suffixes=("", "_other")
    )
    return pairs[pairs["person"] != pairs["person_other"]]
