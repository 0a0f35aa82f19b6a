"""Who is who in several games: by member number where there is one, else by name; what is doubtful is listed.

Nothing doubtful is hidden: each :class:`IdentityDoubt` says how the players were counted all the same. In the games of
many years, clubs and partners help to tell people apart, too: :mod:`resultproc.model.persons`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools, Ints, family_columns, family_number, row_dicts

LEAST_LETTERS = 5
"""Shorter names differ by one letter too often to be taken for each other."""


class IdentityDoubt(NamedTuple):
    """A match of players that may be wrong: what is doubtful and how it was counted, and the names concerned."""

    what: str
    players: tuple[str, ...]


class Identities(NamedTuple):
    """Who is who.

    player: the number of each seat's player, from 0; -1 where it names nobody.
    names: the name of each player, as first written.
    numbers: the member number of each player, as first written; empty where there is none.
    doubts: matches that may be wrong.
    """

    player: Ints
    names: pd.Series[str]
    numbers: pd.Series[str]
    doubts: tuple[IdentityDoubt, ...]


def identify(seats: pd.DataFrame) -> Identities:
    """Return who sat where.

    seats: one row per player of a contestant of a game: ``game`` (its name), ``name`` and ``number`` as written, texts,
    either of them empty; and where it was decided before, ``person``, the key of who it is. Else a number that is
    beside a name once stands for it where the name has none, unless another number is beside it too.
    """
    found, frame = _find_players(seats)
    doubts = (
        *_of_numbers(frame),
        *_without_number(frame),
        *_unlike(frame),
        *_twice(frame, found.names),
        *_respelt(frame),
        *_near(frame, found.names, ~frame.groupby("player")["number"].any()),
    )
    return found._replace(doubts=doubts)


def identify_without_doubts(seats: pd.DataFrame) -> Identities:
    """Return who sat where like :func:`identify`, but look for no doubts, which takes long where players are many."""
    return _find_players(seats)[0]


def _find_players(seats: pd.DataFrame) -> tuple[Identities, pd.DataFrame]:
    """Return who sat where, and the seats that name somebody: ``game``, ``player``, and both as written and plain."""
    seats = seats.reset_index(drop=True)
    every = pd.DataFrame(
        {
            "game": seats["game"],
            "written": _each(seats["name"], lambda name: " ".join(name.split()), lambda simple: simple),
            "id": seats["number"],
            "name": plain_name(seats["name"]),
            "number": plain_number(seats["number"]),
        }
    )
    named = every[["name", "number"]].notna().any(axis=1)
    frame = every[named].reset_index(drop=True)
    if "person" in seats:
        keys = seats.loc[named, "person"]
    else:
        _, once = numbers_of(frame, ["name"])
        known = frame["number"].fillna(frame["name"].map(once).astype("str"))
        keys = ("#" + known).fillna("=" + frame["name"])
    codes, _ = pd.factorize(keys)
    player = np.full(len(every), -1, dtype=np.int64)
    player[named] = codes
    frame = frame.assign(player=codes)
    names, numbers = (_first(frame, name) for name in ("written", "id"))
    return Identities(player, names.fillna(numbers), numbers, ()), frame


def _first(frame: pd.DataFrame, name: str) -> pd.Series[str]:
    """Return the first text of a column that each player has."""
    there = frame[["player", name]].dropna().drop_duplicates("player").set_index("player")[name]
    return there.reindex(pd.RangeIndex(frame["player"].max() + 1 if len(frame) else 0, name="player"))


def numbers_of(frame: pd.DataFrame, by: list[str]) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Return a row per number that some columns have together, and the number of those that have but one."""
    numbered = frame.dropna(subset=[*by, "number"]).drop_duplicates([*by, "number"])
    return numbered, numbered.drop_duplicates(by, keep=False).set_index(by)["number"]


def plain_name(names: pd.Series[str]) -> pd.Series[str]:
    """Return names in their plain spelling, see :func:`one_plain_name`."""
    return _each(names, one_plain_name, lambda simple: simple.str.lower())


def plain_number(numbers: pd.Series[str]) -> pd.Series[str]:
    """Return member numbers in their plain spelling, see :func:`one_plain_number`."""
    return _each(numbers, one_plain_number)


def _each(
    texts: pd.Series[str],
    plain: Callable[[str], str],
    of_simple: Callable[[pd.Series[str]], pd.Series[str]] | None = None,
) -> pd.Series[str]:
    """Return texts in their plain spelling, which is made once for each distinct one; missing where it is empty.

    of_simple: makes it of many at once which have ASCII letters, digits and single blanks, as most names have.
    """
    codes, distinct = pd.factorize(texts)
    if of_simple is None or len(distinct) < _MANY:
        values = pd.Series([plain(text) or None for text in distinct], dtype="str")
    else:
        spelt = pd.Series(distinct, dtype="str")
        simple = spelt.str.fullmatch(_SIMPLE).to_numpy(np.bool_)
        values = of_simple(spelt)
        others = [plain(text) or None for text in spelt[~simple]]
        values[~simple] = pd.array(others, dtype="str")
    return pd.Series(values.array.take(codes, allow_fill=True), index=texts.index)


_MANY = 500
"""From this many texts on, it is faster to spell all of them at once than each by itself."""


_SIMPLE = "[0-9A-Za-z]+( [0-9A-Za-z]+)*"


def one_plain_name(name: str) -> str:
    """Return a name without what people write in several ways: case, accents, stops, the surname first with a comma."""
    if not name.isascii():
        name = _ACCENTS.sub("", unicodedata.normalize("NFKD", name))
    plain = name.casefold()
    if plain.replace(" ", "").isalnum():  # as most are
        return " ".join(plain.split())
    return _STOPS.sub(" ", _SURNAME_FIRST.sub(r"\2 \1", plain)).strip()


_ACCENTS = re.compile(r"[\u0300-\u036f]")
_SURNAME_FIRST = re.compile(r"^([^,]+),\s*([^,]+)$")
_STOPS = re.compile(r"[^\w]+")


def one_plain_number(number: str) -> str:
    """Return a member number without blanks, stops and the leading zeros that spreadsheets lose.

    A Life Master's number begins with a letter in place of its first digit, J for 1 to R for 9: it is the same person.
    What has no digit but 0, such as none or 0000000, is no number: empty.
    """
    if number.isascii() and number.isdigit():  # as most are
        return number.lstrip("0")
    plain = _NO_NUMBER.sub("", number.upper())
    if _LIFE_MASTER.fullmatch(plain):
        plain = str("JKLMNOPQR".index(plain[0]) + 1) + plain[1:]
    plain = plain.lstrip("0")
    return plain if _NUMBER.search(plain) else ""


_NO_NUMBER = re.compile(r"[^0-9A-Z]+")
_NUMBER = re.compile("[1-9]")
_LIFE_MASTER = re.compile(r"[J-R][0-9]{6}")


def _listed(words: Iterable[object]) -> str:
    *others, last = dict.fromkeys(map(str, words))
    return f"{', '.join(others)} and {last}" if others else last


def _players(count: int) -> str:
    return "one player" if count == 1 else f"{count} players"


def _of_numbers(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield names with several numbers."""
    numbered, _ = numbers_of(frame, ["name"])
    for name, rows in numbered[numbered.duplicated("name", keep=False)].groupby("name", sort=False):
        who = rows["written"].iloc[0]
        apart = frame[(frame["name"] == name) & ~frame["player"].isin(_with_number(frame))]
        what = f"{who} has the numbers {_listed(rows['id'])}: counted as {_players(rows['player'].nunique())}"
        if len(apart):
            what += f", and as one more where the number is missing, in {_listed(apart['game'])}"
        yield IdentityDoubt(what, (who,))


def _with_number(frame: pd.DataFrame) -> pd.Series[int]:
    return frame.loc[frame["number"].notna(), "player"]


def _without_number(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield names that have their number in one game and not in another."""
    lacking = frame[frame["number"].isna() & frame["player"].isin(_with_number(frame))]
    for (player, _), rows in lacking.groupby(["player", "name"], sort=False):
        who = rows["written"].iloc[0]
        number = frame.loc[(frame["player"] == player) & frame["number"].notna(), "id"].iloc[0]
        yield IdentityDoubt(f"{who} has no number in {_listed(rows['game'])}: counted as {number}", (who,))


def _unlike(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield numbers that are used for names which share no word."""
    spelled = frame.dropna(subset=["name", "number"]).drop_duplicates(["number", "name"])
    spelled = spelled[spelled.duplicated("number", keep=False)]
    words = spelled.assign(word=spelled["name"].str.split()).explode("word").drop_duplicates(["number", "name", "word"])
    most = words.groupby(["number", "word"], sort=False).size().groupby("number", sort=False).max()
    every = spelled.groupby("number", sort=False).size()
    for number in every.index[every > most.reindex(every.index)]:
        rows = spelled[spelled["number"] == number]
        who = tuple(rows["written"])
        counted = _players(rows["player"].nunique())
        yield IdentityDoubt(f"the number {rows['id'].iloc[0]} is used for {_listed(who)}: counted as {counted}", who)


def _twice(frame: pd.DataFrame, names: pd.Series[str]) -> Iterator[IdentityDoubt]:
    """Yield players that sit twice in one game."""
    again = frame[frame.duplicated(["game", "player"])].drop_duplicates(["game", "player"])
    for row in row_dicts(again):
        who = names[row["player"]]
        yield IdentityDoubt(
            f"{who} appears more than once in {row['game']}: counted as one player, by the better result", (who,)
        )


def _respelt(frame: pd.DataFrame) -> Iterator[IdentityDoubt]:
    """Yield players without a number who have several names."""
    spelled = frame[~frame["player"].isin(_with_number(frame))].drop_duplicates(["player", "name"])
    for _, rows in spelled[spelled.duplicated("player", keep=False)].groupby("player", sort=False):
        who = tuple(rows["written"])
        yield IdentityDoubt(f"{_listed(who)} have almost the same name: counted as one player", who)


def _near(frame: pd.DataFrame, names: pd.Series[str], unnumbered: pd.Series[bool]) -> Iterator[IdentityDoubt]:
    """Yield players, not both with a number, whose names differ by a letter or the order of the words.

    Whoever sat in the same game is two people.
    """
    spelled = frame.dropna(subset=["name"]).drop_duplicates(["player", "name"])[["player", "name"]]
    spelled = spelled[spelled["name"].str.len() >= LEAST_LETTERS].reset_index(drop=True)
    forms = name_forms(spelled["name"])
    pairs = forms.merge(forms, on="form", suffixes=("", "_other"))
    row, other = pairs["row"].to_numpy(), pairs["row_other"].to_numpy()
    name = spelled["name"].to_numpy()
    digits = spelled["name"].str.replace(r"\D", "", regex=True).to_numpy()
    player = spelled["player"].to_numpy()
    # Digits tell people apart, whatever else is alike.
    alike = (player[row] < player[other]) & (name[row] != name[other]) & (digits[row] == digits[other])
    pairs = pd.DataFrame({"one": player[row[alike]], "other": player[other[alike]]}).drop_duplicates()
    pairs = pairs[unnumbered.to_numpy()[pairs["one"]] | unnumbered.to_numpy()[pairs["other"]]]
    sat = frame.loc[frame["player"].isin(pairs.to_numpy().ravel()), ["game", "player"]]
    met = sat.merge(sat, on="game", suffixes=("", "_other"))
    met_before = pd.MultiIndex.from_frame(met[["player", "player_other"]])
    pairs = pairs[~pd.MultiIndex.from_frame(pairs).isin(met_before)]
    for one, two in pairs.to_numpy():
        who = (names[one], names[two])
        yield IdentityDoubt(f"{who[0]} and {who[1]} have almost the same name: counted as two players", who)


def seats_of(contestants: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return who sits in games, a row per seat of a contestant, as :func:`resultproc.model.persons.spellings` takes
    them.

    contestants: ``game_id``, and the players' names and numbers. games: ``game_id``, and where they are known ``club``
    and ``date``. ``contestant`` is the row's index, and ``seat`` 1 for player1. The partner is the other player of a
    pair; in a team there is none.
    """
    nobody = pd.Series(None, index=contestants.index, dtype="str")
    names, numbers = (
        {family_number(name): contestants[name].astype("str") for name in family_columns(contestants, family)}
        for family in ("player", "id")
    )
    named = {n: (texts.fillna("") != "").to_numpy(dtype=bool) for n, texts in names.items()}
    pair = sum(named.values(), np.zeros(len(contestants), dtype=np.int64)) == 2
    game = pd.Index(games["game_id"]).get_indexer(pd.Index(contestants["game_id"]))
    club = games["club"].astype("str").array.take(game, allow_fill=True) if "club" in games else nobody.array
    dates = pd.to_datetime(games["date"]) if "date" in games else pd.Series(pd.NaT, games.index)
    year = np.append(dates.dt.year.to_numpy(dtype=np.float64), np.nan)[game]
    seats = sorted({*names, *numbers})
    partners = []
    for n in seats:
        partner = nobody
        for other in [other for other in names if other != n][::-1]:
            partner = names[other].where(pair & named[other], partner)
        partners.append(partner)
    texts = {
        "game": [contestants["game_id"].astype("str")] * len(seats),
        "club": [pd.Series(club)] * len(seats),
        "name": [names.get(n, nobody) for n in seats],
        "number": [numbers.get(n, nobody) for n in seats],
        "partner": partners,
    }
    columns = {name: pd.concat(each, ignore_index=True) for name, each in texts.items()}
    contestant, seat = np.tile(contestants.index, len(seats)), np.repeat(seats, len(contestants))
    return pd.DataFrame({"contestant": contestant, "seat": seat, **columns, "year": np.tile(year, len(seats))})


def almost_the_same(name: str, other: str) -> bool:
    """Return whether two names have the same plain spelling, or differ by a letter or the order of their words."""
    return bool(like_any(pd.Series([name], dtype="str"), pd.Series([other], dtype="str")).iloc[0])


def like_any(names: pd.Series[str], others: pd.Series[str]) -> pd.Series[bool]:
    """Return which names are almost the same as one of some others, see :func:`almost_the_same`."""
    codes, distinct = pd.factorize(names)
    spelled, wanted = (pd.Series([*map(one_plain_name, each)], dtype="str") for each in (distinct, others.dropna()))
    mine, theirs = (name_forms(each[each.str.len() >= LEAST_LETTERS]) for each in (spelled, wanted))
    near = mine.loc[mine["form"].isin(theirs["form"]), "row"]
    like = spelled.isin(wanted) | spelled.index.isin(near)
    return pd.Series(np.append(like.to_numpy(dtype=bool), False)[codes], index=names.index)


def name_forms(names: pd.Series[str]) -> pd.DataFrame:
    """Return forms that names have in common which differ by a letter: each without one of its letters, and whole.

    Names of the same words in another order have their sorted words in common.
    """
    texts, index = names.tolist(), names.index.to_numpy()
    length = np.array([*map(len, texts)], dtype=np.int64)
    rows = [index, index]
    forms = [*texts, *(" ".join(sorted(text.split())) for text in texts)]
    for at in range(int(length.max(initial=0))):
        rows.append(index[length > at])
        forms += [text[:at] + text[at + 1 :] for text in texts if len(text) > at]
    return pd.DataFrame({"row": np.concatenate(rows), "form": np.array(forms, dtype=object)}).drop_duplicates()


_AT_ONCE = 20_000
"""How many names have all their forms in memory at a time."""

_INITIAL = "\1"


def near_names(names: pd.Series[str], mine: Bools) -> pd.DataFrame:
    """Return which of some distinct names, ``name``, are almost the same as one of all, ``other``, by the index.

    They differ by a letter, the order of the words or an initial. mine: which names to look at.
    """
    long = names.str.len().to_numpy() >= LEAST_LETTERS
    names, mine = names[long], mine[long]
    if not mine.any():
        return pd.DataFrame({"name": [], "other": []}, dtype="int64")
    looked_at = _forms(names[mine])
    known = pd.Index(looked_at["form"].unique())
    looked_at["form"] = known.get_indexer(looked_at["form"])
    found = [pd.DataFrame({"row": [], "row_other": []}, dtype="int64")]
    for begin in range(0, len(names), _AT_ONCE):
        theirs = looked_at
        if len(names) > _AT_ONCE or not mine.all():
            theirs = _forms(names.iloc[begin : begin + _AT_ONCE])
            theirs["form"] = known.get_indexer(theirs["form"])
        pairs = looked_at.merge(theirs[theirs["form"] >= 0], on="form", suffixes=("", "_other"))
        pairs = pairs[pairs["row"] != pairs["row_other"]]
        one, other = (names[pairs[row]].reset_index(drop=True) for row in ("row", "row_other"))
        of_initial = (one.str[1:2] == " ") | (other.str[1:2] == " ")
        found.append(pairs.loc[of_initial.to_numpy() | ~pairs["initial"].to_numpy(), ["row", "row_other"]])
    every: pd.DataFrame = pd.concat(found).drop_duplicates(ignore_index=True)
    return every.set_axis(["name", "other"], axis=1)


def _forms(names: pd.Series[str]) -> pd.DataFrame:
    """Return the forms of names by their index, and whether each is one of an initial."""
    forms = pd.concat([name_forms(names), _initials(names)], ignore_index=True)
    forms["initial"] = [form[:1] == _INITIAL for form in forms["form"].tolist()]
    # Digits tell people apart, whatever else is alike.
    digits = names.str.replace(r"\D", "", regex=True)
    digits = digits[digits != ""]
    rows = forms["row"].isin(digits.index)
    forms.loc[rows, "form"] += "\2" + digits[forms.loc[rows, "row"]].to_numpy()
    return forms


def _initials(names: pd.Series[str]) -> pd.DataFrame:
    """Return forms of names of several words: the initial and the last word, and the first and the last word."""
    texts = names.tolist()
    several = [" " in text for text in texts]
    words = [text.split() for text in texts if " " in text]
    forms = [f"{_INITIAL}{each[0][0]} {each[-1]}" for each in words] + [f"{each[0]} {each[-1]}" for each in words]
    return pd.DataFrame({"row": np.tile(names.index[several], 2), "form": np.array(forms, dtype=object)})
