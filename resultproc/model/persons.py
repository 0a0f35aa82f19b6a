"""Who is who over decades: by member number, else by name, club and partner; what is not sure is listed.

The rules are those of :mod:`resultproc.model.identity`, and what many years, clubs and partners tell besides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from resultproc.model.arrays import Ints, family_columns, family_number
from resultproc.model.identity import LEAST_LETTERS, name_forms, numbers_of, plain_name, plain_number

PLAIN = ["name", "number", "club", "partner"]
WRITTEN = ["player", "member", "place"]
"""What tells how somebody is written: in a plain spelling, and as it is."""

RARE = 10
"""A spelling is rare beside one that is in at least so many times as many games."""

_YEARS = 2
"""A person who was given a new number has both in use for so many years at most; who took a new name, neither."""

_LONG = 10
"""After so many years somebody of the same name at the same club is perhaps not the same."""

_OFTEN = 2
"""So many games make a partner one to go by, where nothing else does."""


class Decided(NamedTuple):
    """Who is who of those who are written in some ways.

    person: the key of each: the member number, else the plain name.
    unsure: what somebody should decide: ``row``, ``may_be`` (the key of another person, or several) and ``why``.
    """

    person: pd.Series[str]
    unsure: pd.DataFrame


def seats_of(contestants: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return who sits in games, a row per seat of a contestant, as :func:`spellings` takes them.

    contestants: ``game_id``, and the players' names and numbers. games: ``game_id``, and where they are known ``club``
    and ``date``. ``contestant`` is the row's index, and ``seat`` 1 for player1. The partner is the other player of a
    pair; of a team, nobody.
    """
    of_game = games.reindex(columns=["game_id", "club", "date"]).set_index("game_id")
    names = contestants[family_columns(contestants)].astype("str")
    names = names.mask(names == "")
    pair = names.notna().to_numpy().sum(axis=1) == 2
    club = contestants["game_id"].map(of_game["club"]).astype("str")
    year = pd.to_datetime(contestants["game_id"].map(of_game["date"])).dt.year.astype("float64")
    nobody = pd.Series(None, index=names.index, dtype="str")
    frames = []
    for n in sorted({family_number(name) for name in (*names, *family_columns(contestants, "id"))}):
        partner = nobody
        for other in names.columns.drop(f"player{n}", errors="ignore"):
            partner = partner.fillna(names[other])
        mine = {"contestant": names.index, "seat": n, "game": contestants["game_id"], "club": club, "year": year}
        of_seat = {"name": contestants.get(f"player{n}", nobody), "number": contestants.get(f"id{n}", nobody)}
        frames.append(pd.DataFrame({**mine, **of_seat, "partner": partner.where(pair)}))
    texts = dict.fromkeys(("game", "club", "name", "number", "partner"), "str")
    return pd.concat(frames, ignore_index=True).astype(texts)


def spellings(seats: pd.DataFrame) -> tuple[pd.DataFrame, Ints]:
    """Return the ways in which people are written, as :func:`decide` takes them, and each seat's.

    That is -1 for one that names nobody.

    seats: a row per player of a contestant of a game: ``game``, ``name``, ``number``, ``club`` and ``partner`` as
    written, and ``year``; texts may be missing or empty. ``player``, ``member`` and ``place`` have what is written.
    """
    plain = pd.DataFrame(
        {
            "name": plain_name(seats["name"]),
            "number": plain_number(seats["number"]),
            "club": plain_name(seats["club"]),
            "partner": plain_name(seats["partner"]),
            **{name: seats[of] for name, of in zip(WRITTEN, ("name", "number", "club"), strict=True)},
            "game": seats["game"],
            "year": seats["year"],
        }
    ).reset_index(drop=True)
    plain["met"] = plain.duplicated(["game", "name"], keep=False) & plain["name"].notna()
    named = plain[["name", "number"]].notna().any(axis=1)
    grouped = plain[named].groupby([*PLAIN, *WRITTEN], dropna=False, sort=False)
    row = np.full(len(plain), -1, dtype=np.int64)
    row[named] = grouped.ngroup()
    spelt = grouped.agg(games=("met", "size"), first=("year", "min"), last=("year", "max"), met=("met", "any"))
    return spelt.reset_index(), row


def persons(spelt: pd.DataFrame) -> pd.Series[str]:
    """Return the key of the person of each way in which somebody is written, as :func:`decide` does, and no doubts."""
    return _told_apart(spelt)[0]["person"]


def decide(spelt: pd.DataFrame) -> Decided:
    """Return who is who over many games, clubs and years; docs/archive.md has the rules.

    spelt: a row per way in which somebody is written: ``name``, ``number``, ``club`` and ``partner`` in their plain
    spelling, each of which may be missing, but not both name and number; ``games``, how many; ``first`` and ``last``,
    their years, missing where no day is known; ``met``, whether somebody else of the name sat in one of the games.
    """
    frame, near, strays, several = _told_apart(spelt)
    met = frame.index[frame["met"] & frame["number"].isna()]
    unsure = [
        several,
        pd.DataFrame({"row": met, "may_be": "", "why": "two of this name sat in one game"}),
        _alike(frame, near),
        _elsewhere(frame),
        _renumbered(frame),
        strays,
        _renamed(frame),
    ]
    every = pd.concat(unsure, ignore_index=True).astype({"row": "int64"})
    return Decided(frame["person"], every.drop_duplicates("row").sort_values("row", ignore_index=True))


def _told_apart(spelt: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the ways with ``person`` and ``alone``, names that are almost the same, and rows to decide about.

    Those are of numbers that are another's, and of names that several have.
    """
    frame = spelt.reset_index(drop=True)
    frame["games_of_name"] = frame.groupby("name")["games"].transform("sum")
    frame["number"] = _without_slips(frame)
    strays = _of_another(frame)
    own = frame.assign(number=frame["number"].mask(frame.index.isin(strays["row"])))
    person, several = _by_namesakes(own)
    person = frame["number"].fillna(person)
    frame["alone"] = person.isna() & ~frame["name"].isin(own.loc[own["number"].notna(), "name"])
    frame["person"] = person.fillna(frame["name"])
    near = _near_names(frame)
    frame["person"] = _respelt(frame, near, ~frame.index.isin(several["row"]))
    return frame, near, strays, several


def _by_namesakes(frame: pd.DataFrame) -> tuple[pd.Series[str], pd.DataFrame]:
    """Return the number of each row, its own or a namesake's, and the rows in which that is not sure.

    The namesake is the only one with the same partner, else the only one at the same club, else the only one there is.
    """
    ways = [["name", "partner"], ["name", "club"], ["name"]]
    person, sure = frame["number"].copy(), frame["number"].notna()
    for by in ways:
        numbered, once = numbers_of(frame, by)
        found = frame[by].merge(once.rename("found").reset_index(), on=by, how="left")["found"]
        person = person.fillna(found)
        if by == ways[0]:
            sure |= found.notna()
        elif by == ways[1]:
            sure |= found.notna() & (_years_between(frame, found) <= _LONG)
    open_ = ~sure & frame["name"].isin(numbered["name"])
    who = numbered.sort_values(["name", "number"]).groupby("name")["number"].agg(" or ".join)
    may_be = frame.loc[open_, "name"].map(who).where(person[open_].isna(), "")
    why = np.where(person[open_].isna(), "several have this name", "no number or partner shows that it is this one")
    return person, pd.DataFrame({"row": may_be.index, "may_be": may_be, "why": why})


def _years_between(frame: pd.DataFrame, number: pd.Series[str]) -> pd.Series[float]:
    """Return how many years lie between a row and those in which its name has a number, less than 0 within them."""
    years = frame.groupby(["name", "number"]).agg(since=("first", "min"), until=("last", "max"))
    of_row = frame[["name"]].assign(number=number).join(years, on=["name", "number"])
    return _gap(of_row["since"] - frame["last"], frame["first"] - of_row["until"]).fillna(0)


def _gap(after: pd.Series[float], before: pd.Series[float]) -> pd.Series[float]:
    return after.astype("float64").where(~(after < before), before.astype("float64"))


def _without_slips(frame: pd.DataFrame) -> pd.Series[str]:
    """Return the numbers, with the usual one of the name in place of one that is a slip of the hand away from that.

    Such a one is rare, a digit or the order of two digits away, and seen with the same partner or at the same club.
    """
    both = _several_numbers(frame)
    both = both[both["games_other"] >= RARE * both["games"]].reset_index(drop=True)
    forms = name_forms(both["number"]).merge(name_forms(both["number_other"]), on=["row", "form"])
    slips = both[both.index.isin(forms["row"]) & (both["partner"] | both["club"])]
    slips = slips.drop_duplicates(["name", "number"], keep=False)
    usual = slips.set_index(["name", "number"])["number_other"].rename("usual").reset_index()
    return frame[["name", "number"]].merge(usual, on=["name", "number"], how="left")["usual"].fillna(frame["number"])


def _several_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return names with two of their numbers, each way around: the games and years of either.

    ``partner`` and ``club`` say whether both were seen with the same partner, or at the same club.
    """
    keys = ["name", "number"]
    numbered = frame.dropna(subset=keys)
    sums = numbered.groupby(keys, as_index=False).agg(
        games=("games", "sum"), first=("first", "min"), last=("last", "max")
    )
    sums = sums[sums.duplicated("name", keep=False)]
    both = sums.merge(sums, on="name", suffixes=("", "_other"))
    both = both[both["number"] != both["number_other"]].reset_index(drop=True)
    numbered = numbered[numbered["name"].isin(sums["name"])]
    for by in ("partner", "club"):
        seen = numbered[[*keys, by]].dropna().drop_duplicates()
        met = seen.merge(seen, on=["name", by], suffixes=("", "_other"))
        wanted = pd.MultiIndex.from_frame(both[[*keys, "number_other"]])
        both[by] = wanted.isin(pd.MultiIndex.from_frame(met[[*keys, "number_other"]]))
    return both


def _near_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return names that nobody has with a number, ``name``, and those that are almost the same, ``other``.

    That is a letter, the order of the words or an initial apart.
    """
    names = frame["name"].dropna().drop_duplicates()
    names = names[names.str.len() >= LEAST_LETTERS].reset_index(drop=True)
    forms = pd.concat([name_forms(names), _initials(names)])
    # Digits tell people apart, whatever else is alike.
    forms["digits"] = names.str.replace(r"\D", "", regex=True)[forms["row"]].to_numpy()
    alone = names.isin(frame.loc[frame["alone"], "name"])
    pairs = forms[forms["row"].isin(alone.index[alone])].merge(forms, on=["form", "digits"], suffixes=("", "_other"))
    one, other = (names.take(pairs[row].to_numpy()).reset_index(drop=True) for row in ("row", "row_other"))
    of_initial = (one.str[1:2] == " ") | (other.str[1:2] == " ")
    wanted = (one != other) & (of_initial | (pairs["form"].str[0] != _INITIAL))
    return pd.DataFrame({"name": one, "other": other})[wanted].drop_duplicates(ignore_index=True)


_INITIAL = "\1"


def _initials(names: pd.Series[str]) -> pd.DataFrame:
    """Return forms of names of several words: the initial and the last word, and the first and the last word."""
    words = names.str.split()
    words = words[names.str.contains(" ")]
    last = " " + words.str[-1]
    parts = [_INITIAL + words.str[0].str[0] + last, words.str[0] + last]
    return pd.DataFrame({"row": np.concatenate([part.index for part in parts]), "form": np.concatenate(parts)})


def _respelt(frame: pd.DataFrame, near: pd.DataFrame, sure: npt.NDArray[np.bool_]) -> pd.Series[str]:
    """Return the person of each row: of a rare name, who has almost the same and sat there with the same partner.

    sure: which rows are of somebody who is known.
    """
    place = ["club", "partner"]
    mine = frame.loc[frame["alone"], ["name", *place, "games_of_name"]].dropna().reset_index(names="row")
    theirs = frame.loc[sure, ["name", *place, "games_of_name", "person"]].dropna().drop_duplicates()
    theirs = theirs.rename(columns={"name": "other", "games_of_name": "games_of_other"})
    found = mine.merge(near, on="name").merge(theirs, on=["other", *place])
    found = found[found["games_of_other"] >= RARE * found["games_of_name"]].drop_duplicates(["row", "person"])
    person = found.drop_duplicates("row", keep=False).set_index("row")["person"]
    return person.reindex(frame.index).fillna(frame["person"])


def _alike(frame: pd.DataFrame, near: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of names that may be other spellings: rare ones, and those with the same partner, at a club."""
    mine = frame[frame["alone"] & (frame["person"] == frame["name"])]
    mine = mine[["name", "club", "partner", "games_of_name"]].drop_duplicates()
    theirs = frame[["name", "club", "partner", "games_of_name", "person", "alone"]].drop_duplicates()
    theirs = theirs.rename(columns={"name": "other"})
    pairs = mine.merge(near, on="name").merge(theirs, on=["other", "club"], suffixes=("", "_other"))
    pairs = pairs[pairs["person"] != pairs["name"]]
    rare = pairs["games_of_name_other"] >= RARE * pairs["games_of_name"]
    together = (pairs["partner"] == pairs["partner_other"]) & _lesser(pairs)
    return _of_names(frame, pairs[rare | together], "a name almost the same is seen at the club")


def _lesser(pairs: pd.DataFrame) -> pd.Series[bool]:
    """Return which pairs of names have the first as the one to decide about: one of the two is decided, not both."""
    fewer, equal = (
        pairs["games_of_name"] < pairs["games_of_name_other"],
        pairs["games_of_name"] == pairs["games_of_name_other"],
    )
    return ~pairs["alone"] | fewer | (equal & (pairs["name"] > pairs["other"]))


def _of_names(frame: pd.DataFrame, pairs: pd.DataFrame, why: str) -> pd.DataFrame:
    """Return the rows of names without a number, each with whom it may be. pairs: ``name`` and ``person``."""
    pairs = pairs[["name", "person"]].drop_duplicates().sort_values(["name", "person"])
    may_be = frame["name"].map(pairs.groupby("name")["person"].agg(" or ".join))
    rows = may_be[frame["person"] == frame["name"]].dropna()
    return pd.DataFrame({"row": rows.index, "may_be": rows.array, "why": why})


def _elsewhere(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of names without a number at a club where none of their partners at the usual club plays."""
    mine = frame.loc[frame["alone"] & (frame["person"] == frame["name"]), ["name", "club", "partner", "games"]]
    mine = mine.assign(club=mine["club"].fillna(""))
    games = mine.groupby(["name", "club"], as_index=False).agg(games=("games", "sum"))
    most = games.sort_values(["name", "games", "club"], ascending=[True, False, True]).drop_duplicates("name")
    usual = mine["club"] == mine["name"].map(most.set_index("name")["club"])
    partners = pd.MultiIndex.from_frame(mine.loc[usual, ["name", "partner"]].dropna())
    known = mine[pd.MultiIndex.from_frame(mine[["name", "partner"]]).isin(partners)]
    there = pd.MultiIndex.from_frame(known[["name", "club"]])
    rows = mine.index[~usual & ~pd.MultiIndex.from_frame(mine[["name", "club"]]).isin(there)]
    return pd.DataFrame({"row": rows, "may_be": "", "why": "nobody has played with this one at both clubs"})


def _renumbered(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of names with a second number, the one of fewer games, that may have followed the other."""
    both = _several_numbers(frame)
    overlap = np.minimum(both["last"], both["last_other"]) - np.maximum(both["first"], both["first_other"])
    fewer = (both["games"] < both["games_other"]) | (
        (both["games"] == both["games_other"]) & (both["number"] > both["number_other"])
    )
    both = both[fewer & (both["partner"] | (both["club"] & ~(overlap > _YEARS)))]
    return _of_numbers_of(frame, both, "a namesake has another number, with the same partner or at the same club")


def _of_numbers_of(frame: pd.DataFrame, both: pd.DataFrame, why: str) -> pd.DataFrame:
    """Return the rows of some names with some numbers. both: ``name``, ``number`` and ``number_other``."""
    both = both.drop_duplicates(["name", "number"])[["name", "number", "number_other"]]
    found = frame[["name", "number"]].reset_index(names="row").merge(both.dropna(subset="name"), on=["name", "number"])
    return pd.DataFrame({"row": found["row"], "may_be": found["number_other"], "why": why})


def _of_another(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of numbers with a name unlike that which the number has most often."""
    keys = ["number", "name"]
    sums = frame.dropna(subset=keys).groupby(keys, as_index=False).agg(games=("games", "sum"))
    usual = sums.sort_values(["number", "games", "name"], ascending=[True, False, True]).drop_duplicates("number")
    pairs = sums.merge(usual, on="number", suffixes=("", "_usual"))
    pairs = pairs[pairs["name"] != pairs["name_usual"]].reset_index(drop=True)
    first, of_usual = pairs["name"].str.split().str[0], pairs["name_usual"].str.split().str[0]
    initial = ((first.str.len() == 1) | (of_usual.str.len() == 1)) & (first.str[0] == of_usual.str[0])
    near = name_forms(pairs["name"]).merge(name_forms(pairs["name_usual"]), on=["row", "form"])["row"]
    like = (first == of_usual) | initial | pairs.index.isin(near)
    rare = pairs["games_usual"] >= RARE * pairs["games"]
    elsewhere = frame.groupby("name")["games"].sum().reindex(pairs["name"]).to_numpy() >= RARE * pairs["games"]
    words = pairs["name"].str.split().map(set), pairs["name_usual"].str.split().map(set)
    apart = pd.Series([one.isdisjoint(two) for one, two in zip(*words, strict=True)], index=pairs.index, dtype="bool")
    stray = rare & elsewhere & ~pairs.index.isin(near)
    unlike = pairs[stray | (~like & (rare | apart))].assign(number_other="")
    # Who has a number of their own in nearly all games has hardly the other one, too.
    own = _several_numbers(frame)
    own = own[own["games_other"] >= RARE * own["games"]].merge(pairs[keys], on=keys)
    both = pd.concat([own, unlike], ignore_index=True)
    return _of_numbers_of(frame, both, "the number is another's in most games")


def _renamed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of names without a number that may follow another: the same first name, partner and club."""
    place = ["first_name", "club", "partner"]
    years = frame.groupby("name").agg(since=("first", "min"), until=("last", "max"))
    keys = ["name", "club", "partner", "person", "games_of_name", "alone"]
    named = frame.groupby(keys, as_index=False).agg(games=("games", "sum"))
    named = named[named["games"] >= _OFTEN]
    named = named.assign(first_name=named["name"].str.split().str[0]).join(years, on="name")
    named = named[named["name"].str.contains(" ") & (named["first_name"].str.len() > 1)]
    mine = named[named["alone"] & (named["person"] == named["name"])]
    pairs = mine.merge(named.rename(columns={"name": "other"}), on=place, suffixes=("", "_other"))
    pairs = pairs[pairs["person"] != pairs["person_other"]]
    gap = _gap(pairs["since_other"] - pairs["until"], pairs["since"] - pairs["until_other"])
    pairs = pairs[gap.between(0, _YEARS) & _lesser(pairs.assign(alone=pairs["alone_other"]))]
    return _of_names(
        frame,
        pairs.assign(person=pairs["person_other"]),
        "one of the same first name, before or after, has the same partner",
    )
