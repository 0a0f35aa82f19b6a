"""Names and member numbers in their plain spelling, and which names are almost the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from resultproc.model.arrays import Bools
from resultproc.model.text import without_accents

LEAST_LETTERS = 5
"""Shorter names differ by one letter too often to be taken for each other."""


def plain_name(names: pd.Series[str]) -> pd.Series[str]:
    """Return names in their plain spelling, see :func:`one_plain_name`."""
    return respelt(names, one_plain_name, "[0-9A-Za-z]+( [0-9A-Za-z]+)*", lower=True)


def plain_club(clubs: pd.Series[str]) -> pd.Series[str]:
    """Return names of clubs in their plain spelling, see :func:`one_plain_club`."""
    return respelt(clubs, one_plain_club)


def one_plain_club(name: str) -> str:
    """Return the name of a club as :func:`one_plain_name` does, and ``B.C.`` as ``BC``."""
    return _STOPPED.sub(r"\1", one_plain_name(name))


_STOPPED = re.compile(r"\b([^\W\d_]) (?=[^\W\d_]\b)")
"""Between letters that stand alone, as a plain name has ``B.C.``."""


def plain_number(numbers: pd.Series[str]) -> pd.Series[str]:
    """Return member numbers in their plain spelling, see :func:`one_plain_number`."""
    return respelt(numbers, one_plain_number)


def respelt(
    texts: pd.Series[str], plain: Callable[[str], str], usual: str = "", *, lower: bool = False
) -> pd.Series[str]:
    """Return texts in their plain spelling, which is made once for each distinct one; missing where it is empty.

    usual: a pattern of those that have it already, as most names do.
    lower: whether it is theirs in small letters.
    """
    codes, distinct = pd.factorize(texts)
    values = pd.Series(distinct, dtype="str")
    left = np.ones(len(values), dtype=np.bool_)
    if usual and len(values) > 500:  # fewer are spelt sooner one by one
        left = ~values.str.fullmatch(usual).to_numpy(np.bool_)
        values = values.str.lower() if lower else values
    values[left] = pd.array([plain(text) or None for text in distinct[left].tolist()], dtype="str")
    return pd.Series(values.array.take(codes, allow_fill=True), index=texts.index)


def one_plain_name(name: str) -> str:
    """Return a name without what people write in several ways: case, accents, stops, the surname first with a comma."""
    if not name.isascii():
        name = without_accents(name)
    plain = name.casefold()
    if plain.replace(" ", "").isalnum():  # as most are
        return " ".join(plain.split())
    return _STOPS.sub(" ", _SURNAME_FIRST.sub(r"\2 \1", plain)).strip()


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


def near_names(names: pd.Series[str], mine: Bools, *, initials: bool = True) -> pd.DataFrame:
    """Return which of some names, ``name``, are almost the same as another one of all, ``other``, by the index.

    They differ by a letter, the order of the words or, where that is asked for, an initial.

    mine: which names to look at.
    """
    long = names.str.len().to_numpy() >= LEAST_LETTERS
    names, mine = names[long], mine[long]
    if not mine.any():
        return pd.DataFrame({"name": [], "other": []}, dtype="int64")
    looked_at = _forms(names[mine], initials=initials)
    known = pd.Index(looked_at["form"].unique())
    looked_at["form"] = known.get_indexer(looked_at["form"])
    found = [pd.DataFrame({"row": [], "row_other": []}, dtype="int64")]
    for begin in range(0, len(names), _AT_ONCE):
        theirs = _forms(names.iloc[begin : begin + _AT_ONCE], initials=initials)
        theirs["form"] = known.get_indexer(theirs["form"])
        pairs = looked_at.merge(theirs[theirs["form"] >= 0], on="form", suffixes=("", "_other"))
        pairs = pairs[pairs["row"] != pairs["row_other"]]
        one, other = (names[pairs[row]].reset_index(drop=True) for row in ("row", "row_other"))
        of_initial = (one.str[1:2] == " ") | (other.str[1:2] == " ")
        found.append(pairs.loc[of_initial.to_numpy() | ~pairs["initial"].to_numpy(), ["row", "row_other"]])
    every: pd.DataFrame = pd.concat(found).drop_duplicates(ignore_index=True)
    return every.set_axis(["name", "other"], axis=1)


def _forms(names: pd.Series[str], *, initials: bool) -> pd.DataFrame:
    """Return the forms of names by their index, and whether each is one of an initial."""
    # Of names of several words, too, the initial and the last word, and the first and the last word.
    words = names[names.str.contains(" ") & initials].str.split()
    of_words = [form.format(each[0], each[-1]) for form in (_INITIAL + "{0[0]} {1}", "{0} {1}") for each in words]
    of_initials = pd.DataFrame({"row": np.tile(words.index, 2), "form": np.array(of_words, dtype=object)})
    forms = pd.concat([name_forms(names), of_initials], ignore_index=True)
    forms["initial"] = [form[:1] == _INITIAL for form in forms["form"].tolist()]
    # Digits tell people apart, whatever else is alike.
    digits = names.str.replace(r"\D", "", regex=True)
    digits = digits[digits != ""]
    rows = forms["row"].isin(digits.index)
    forms.loc[rows, "form"] += "\2" + digits[forms.loc[rows, "row"]].to_numpy()
    return forms
