"""The annotated sheet: the contestants with what was computed for them in the columns that sheets print.

Writers of sheets write this frame, each value as the same text in every kind of file. What a sheet carried when it was
read is in the same columns, so converting a sheet and awarding one go the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from resultproc.model.arrays import factorize_text, family_columns, map_text
from resultproc.model.basis import Basis
from resultproc.model.columns import CONTESTANT_COLUMNS, ShownIn
from resultproc.model.frames import COLOURS, CONTESTANTS, FrameRow, Result
from resultproc.model.keys import KEYS
from resultproc.model.numbers import decimal_text, number_cell
from resultproc.model.places import place_text
from resultproc.model.text import cell_text
from resultproc.model.whose_points import colours_in, colours_text

LISTED = sorted(
    (each for each in CONTESTANT_COLUMNS if each.shown in {ShownIn.COLUMN, ShownIn.LISTED}), key=lambda each: each.order
)
"""The contestants' columns that listings show in columns of their own, in their order."""

PAGE_COLUMNS = [each for each in LISTED if each.shown is ShownIn.COLUMN]
"""Those that pages show in columns of their own, too."""

OFTEN_NOTHING = frozenset({"carryover", "earlier_award"})
"""Files state these for contestants who have none, too: a column of nothing but zeros is not shown."""


def annotated(result: Result) -> pd.DataFrame:
    """Return the contestants frame, its ``printed_`` columns filled from the standings and awards.

    Without awards the sheet stays as it was read. A position is shown only where it pays, as club sheets do; ties as
    ``2/3``. ``printed_paid_by`` is the stratum, after S (section, or the sum of session awards), O (overall) or M
    (matches won) where the game pays more than section awards, and H before it where the handicap decided: B, SB, OA,
    HOA, S+HOA.
    """
    if result.awards is None:
        return result.contestants
    frame = result.contestants.drop(columns=family_columns(result.contestants, "printed_share"))
    candidates, awards = result.candidates, result.awards
    for basis, texts in _places(candidates).items():
        frame[f"printed_{basis}"] = pd.Series([texts.get(row) for row in frame.index], frame.index, dtype="str")
    winner = awards["candidate"].to_numpy()
    won = winner >= 0
    code = map_text(candidates["basis"], lambda basis: Basis.parse(basis).code, "")
    letter = np.append(code, "")[winner]  # nobody's is the last one
    game, _ = factorize_text(frame["game_id"])
    several = np.isin(game, game[frame["printed_overall"].notna().to_numpy() | (won & (letter != "S"))])
    stratum = np.append(candidates["stratum"].astype("str").to_numpy(dtype=object), "")[winner]
    paid_by = np.where(several, letter, "").astype(object) + stratum
    frame["printed_paid_by"] = pd.Series(np.where(won, paid_by, None), frame.index, dtype="str")
    frame["printed_award"] = awards["masterpoints"].where(won).astype("Int64")
    of_colours = (zip(COLOURS, parts, strict=True) for parts in awards[list(COLOURS)].to_numpy().tolist())
    colours = [colours_text({colour: part for colour, part in each if part > 0}) or None for each in of_colours]
    frame["printed_colours"] = pd.Series(colours, frame.index, dtype="str")
    # The awards of single players, where the players of a team get different ones.
    for number, rows in result.player_awards.groupby("player"):
        shares = rows.set_index("contestant")["masterpoints"].reindex(frame.index)
        frame[f"printed_share{number}"] = shares.astype("Int64")
    return frame


def _places(candidates: pd.DataFrame) -> dict[str, dict[int, str]]:
    """Return, for the section and overall, the places that pay of each contestant, those of the top stratum first."""
    found: dict[str, dict[int, str]] = {"section": {}, "overall": {}}
    order = np.lexsort([candidates["level"], candidates["contestant"]])
    columns = (candidates["basis"], candidates["contestant"], places_text(candidates))
    for basis, contestant, text in zip(*(column.iloc[order].tolist() for column in columns), strict=True):
        if basis in found:
            before = found[basis].get(contestant)
            found[basis][contestant] = f"{before}, {text}" if before else text
    return found


def paid_by_words(printed: str) -> str:
    """Return what ``printed_paid_by`` says in words: ``OA`` is ``Overall A``; a stratum alone, or other text, stays."""
    code, letter = printed[:-1], printed[-1:]
    return f"{_WORDS[code]} {letter}" if code in _WORDS and letter.isalpha() else printed


_WORDS = {"S": "Section", "O": "Overall", "M": "Matches", "HS": "Handicap", "HO": "Handicap", "S+HO": "Section + hcp"}
"""What the codes of bases mean, see :attr:`resultproc.model.basis.Basis.code`."""


def places_text(frame: pd.DataFrame) -> pd.Series[str]:
    """Return ``A=2/3`` for each standing or candidate: its stratum, and the places that it shares where it has any."""
    columns = (frame[name].tolist() for name in ("stratum", "position", "tied"))
    texts = [
        f"{stratum}={place_text(place, tied)}" if place else stratum
        for stratum, place, tied in zip(*columns, strict=True)
    ]
    return pd.Series(texts, frame.index, dtype="str")


def masterpoints_text(hundredths: pd.Series[int]) -> pd.Series[str]:
    """Return hundredths of a masterpoint as sheets print them: 63 is ``0.63``."""
    return pd.Series(list(map(decimal_text, hundredths.tolist())), hundredths.index, dtype="str")


def by_colour(printed: object, colours: object) -> dict[str, int]:
    """Return a printed award in hundredths by colour, from ``printed_award`` and ``printed_colours``; {} for none.

    What is of a colour that is not known, or not said in amounts that make up the award, is under ''.
    """
    hundredths = 0 if pd.isna(printed) else int(printed)  # type: ignore[call-overload]
    if not hundredths:
        return {}
    text = colours if isinstance(colours, str) else ""
    each = colours_in(text)
    if sum(each.values()) == hundredths and set(each) <= set(COLOURS):
        return each
    return {text if text in COLOURS else "": hundredths}


def shown_contestants(frame: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return annotated contestants with the columns that a sheet of them needs.

    These are the columns that hold anything, without ``where``; ``eligible`` where not all are, and ``game_id`` where
    :func:`names_games` says so.
    """
    needless = {"where", *frame.columns[frame.isna().all()]}
    if frame["eligible"].all():
        needless.add("eligible")
    if not names_games(games):
        needless.add("game_id")
    return frame[[name for name in frame.columns if name not in needless]]


def names_games(games: pd.DataFrame) -> bool:
    """Say whether a sheet must name its games: not a single one that has its name from the file it was read from."""
    if len(games) != 1:
        return True
    source = games["source"].iloc[0]
    return not isinstance(source, str) or PurePath(source).stem != games["game_id"].iloc[0]


def cell_as_text(name: str, value: Any) -> str:
    """Return a value of a contestants column as text, empty for none."""
    return "" if pd.isna(value) else CONTESTANTS.declared(name).kind.show(value)


def text_of_result(value: Any) -> str:
    """Return what the boards frame holds of a result as text, '' for nothing."""
    if pd.isna(value):
        return ""
    return number_cell(value) if isinstance(value, float) else cell_text(value)


def game_keys(game: FrameRow) -> dict[str, str]:
    """Return what is declared of a game, a row of the games frame, as a director would write it."""
    texts = {name: cell_text(key.shown(game[name])) for name, key in KEYS.items() if not pd.isna(game[name])}
    return {name: text for name, text in texts.items() if text}


def declaring_lines(game: FrameRow, named: bool = True) -> Iterator[str]:
    """Yield the lines that declare a game in files of text: ``# key: value``, below the one that names it if asked.

    Values that would lose their own quotes in reading are put in quotes.
    """
    if named:
        yield f"# [games.{cell_text(game['game_id'])}]"
    for name, text in game_keys(game).items():
        value = in_quotes(text) if text.startswith('"') else text
        yield f"# {name}: {value}"


def in_quotes(text: str) -> str:
    """Return a text in double quotes, so that it is read as it is."""
    return '"' + text.replace('"', '""') + '"'


def upload_places(result: Result) -> pd.Series[str]:
    """Return the place of each contestant in the top stratum: overall where its game has several sections.

    Without standings, the place is the one that is printed for stratum A; it is empty where there is none.
    """
    if result.awards is None:
        return _printed_places(result.contestants, pd.Series("A", result.contestants.index))
    return _place_texts(_shown_standings(result, result.standings["level"] == 0), result.contestants.index)


def own_places(result: Result) -> pd.DataFrame:
    """Return the ``letter`` of the lowest stratum that each contestant is ranked in, and its ``place`` there.

    Without standings they are the stratum as it was read, and the place that is printed for it. The places are as
    those of :func:`upload_places`.
    """
    contestants = result.contestants
    if result.awards is None:
        letters = contestants["stratum"]
        return pd.DataFrame({"letter": letters, "place": _printed_places(contestants, letters)})
    ranked = _shown_standings(result, result.standings["level"] >= 0).sort_values("level", kind="stable")
    lowest = ranked[~ranked.index.duplicated(keep="last")]
    letters = lowest["stratum"].astype("str").reindex(contestants.index)
    return pd.DataFrame({"letter": letters, "place": _place_texts(lowest, contestants.index)})


def _printed_places(contestants: pd.DataFrame, letters: pd.Series[str]) -> pd.Series[str]:
    """Return the place that is printed for each contestant in the stratum of a letter."""
    printed = contestants["printed_overall"].fillna(contestants["printed_section"])
    places = pd.Series(None, contestants.index, dtype="str")
    for letter in letters.dropna().unique():
        parts = printed.str.extract(rf"\b{re.escape(letter)}=([0-9]+)(/?)")
        places = places.mask(letters == letter, parts[0] + parts[1].str.replace("/", "="))
    return places


def _shown_standings(result: Result, chosen: pd.Series[bool]) -> pd.DataFrame:
    """Return the standings that a sheet shows, by contestant: overall where its game has several sections."""
    frame = result.standings[chosen].set_index("contestant")
    several = result.contestants.groupby("game_id")["section"].transform("nunique") > 1
    return frame[frame["basis"] == several.map({True: "overall", False: "section"}).reindex(frame.index)]


def _place_texts(standings: pd.DataFrame, contestants: pd.Index[int]) -> pd.Series[str]:
    texts = standings["position"].astype("str") + (standings["tied"] > 1).map({True: "=", False: ""})
    return texts.reindex(contestants)
