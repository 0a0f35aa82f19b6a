"""What games declare beside their results: special words, boards, concurrent games and championships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from math import floor, inf, isfinite, isinf, nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import Ints
from resultproc.model.basis import basis_mask
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, InputError, RulebookError, closest
from resultproc.model.game import league, number_text
from resultproc.model.group import Group, declared_words, tables_up_to
from resultproc.model.keys import how_to_declare
from resultproc.rulebooks.common.awards import First, decided_by
from resultproc.rulebooks.common.exact import factor_text, half_up, steps
from resultproc.rulebooks.core import Edition, as_number, as_rows, as_table, as_text, as_whole, as_yes


def refuse_words(edition: Edition, group: Group, ratings: Mapping[str, str]) -> None:
    """Raise DeclarationError for a special word that an edition, if it lists its words, does not have.

    ratings: by word, the rating that would be right for it.
    """
    known = edition.words("special.known") if "special.known" in edition.entries else group.special
    for word in sorted(group.special.difference(known)):
        rating = ratings.get(word)
        if rating:
            hint = how_to_declare("rating", rating)
        elif word.startswith("x-"):
            hint = "a rulebook of your own lists its words under special.known"
        else:
            hint = f"leave it out, or choose a rulebook that knows it with rulebook; known: {', '.join(known)}"
        what = f"special: rulebook {edition.book} has no '{word}' games of rating {group.rating}"
        raise DeclarationError(what, hint=hint)


def refuse_elsewhere(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for a special word that has no meaning in games of this rating, or of this event type.

    A class that stands for the rating of games, as that of qualifying ones does, may have what their ratings may.
    """
    for key, path in (("rating", "special.ratings"), ("event_type", "special.event-types")):
        said = getattr(group, key)
        class_of = f"{said}.ratings"
        ratings = edition.words(class_of) if class_of in edition.entries else (said,)
        known = edition.named_lists(path) if path in edition.entries else {}
        for word in sorted(group.special.intersection(known)):
            if not set(ratings).intersection(known[word]):
                right = how_to_declare(key, *known[word]) if known[word] else ""
                hint = f"leave it out, or {right}" if right else "leave it out: no award depends on it"
                raise DeclarationError(f"special: '{word}' has no meaning in a game of {key} {said}", hint=hint)


_SAME, _EXCLUSIVE = "special.same", "special.exclusive."


def refuse_together(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for special words that contradict each other."""
    for path in edition.entries if len(group.special) > 1 else ():
        found = sorted(group.special.intersection(edition.words(path))) if path.startswith(_EXCLUSIVE) else []
        if len(found) > 1:
            what = f"special: a game cannot be both {' and '.join(found)} ({edition.cite(path)})"
            raise DeclarationError(what, hint="declare only one of them")


def refuse_unmentioned(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for a word of somebody's own that no value of the edition mentions."""
    for word in sorted(each for each in group.special if each.startswith("x-")):
        if not any(path.endswith(f".{word}") or word in edition.shown(path) for path in edition.entries):
            what = f"special: rulebook {edition.book} has no '{word}' games"
            raise DeclarationError(what, hint="leave it out, or choose your own rulebook with rulebook")


def words_without_effect(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game with special words that change none of its awards, as ``doubts`` of rules do."""
    if _SAME not in edition.entries or games["special"].isna().all():
        return
    same, cite = edition.words(_SAME), edition.cite(_SAME)
    number, texts = pd.factorize(games["special"].iloc[rows])
    for which, text in enumerate(texts):
        for word in sorted(declared_words(text).intersection(same)):
            what = f"special: '{word}' changes no award: the game is paid as any other of its rating ({cite})"
            for row in rows[number == which].tolist():
                yield row, what, "leave it out if you expect another award"


def keys_without_effect(games: pd.DataFrame, rows: Ints, keys: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that declares a key by which no award goes. keys: each with who goes by it."""
    for key, who in keys.items():
        for row in rows[games[key].iloc[rows].notna().to_numpy()].tolist():
            yield row, f"{key} has no effect on its awards: {who}", "leave it out, or correct it"


OF_KNOCKOUTS = dict.fromkeys(("flight_limits", "split"), "only knockouts go by it")
"""Keys of knockouts, and who goes by them."""


def restricting_words(edition: Edition) -> dict[str, str]:
    """Return the special words that restrict who may enter, each with the restriction that it stands for."""
    path = "special.restrictions"
    return edition.named_words(path) if path in edition.entries else {}


def restrictions_of(edition: Edition, group: Group) -> frozenset[str]:
    """Return the entry restrictions of an event: those declared as such, and those that special words stand for.

    In regular club games such words change nothing of what is paid.
    """
    words = {} if group.rating in league().groups["regular-club"] else restricting_words(edition)
    return group.restrictions.union(words[word] for word in group.special.intersection(words))


_STANDARD, _MOST, _ROUNDING = "boards.standard", "boards.most", "boards.rounding"
_FEWER, _CAPS = "boards.fewer", "boards.caps"


def go_by_boards(edition: Edition) -> bool:
    """Return whether an edition has awards that go by boards."""
    return _STANDARD in edition.entries


def by_boards(edition: Edition, group: Group, first: First, cap: Fraction) -> First:
    """Return the first award by the boards that were played; unchanged where the edition knows no such thing.

    first: before that.
    cap: what the award is at most where the boards are not to raise it above.
    Raises DeclarationError where boards are not declared, unless the game names its rulebook: then it gets what a
    session of the usual length pays.
    """
    if not go_by_boards(edition):
        return first
    if not group.boards:
        if group.rulebook_named:
            return first
        what = "boards is not declared, and club games of that day pay by the boards that each pair was to play"
        raise DeclarationError(what, hint=how_to_declare("boards", "24"), code=MISSING, key="boards")
    standard, most = edition.whole(_STANDARD), edition.number(_MOST)
    exact = Fraction(group.boards, standard)
    rounded = Fraction(half_up(exact * 10), 10)
    to_one_decimal, reduced = edition.text(_ROUNDING) == "to one decimal", edition.text(_FEWER) == "in proportion"
    played = rounded if to_one_decimal else exact
    factor = min(played, most)
    cited = [_STANDARD, *([_FEWER] if exact < 1 else [])]
    if exact < 1 and not reduced:
        return first.also_by(*cited)
    if min(exact, most) != min(rounded, most):
        cited.append(_ROUNDING)
    if factor == 1:
        return first.also_by(*cited)
    shown = f"{group.boards}/{standard}" + (f" = {factor_text(played)}" if to_one_decimal else "")
    if played > most:
        shown += f", at most {factor_text(most)}"
        cited.append(_MOST)
    award, factors = first.award * factor, f"{first.factors}, x {shown}"
    if award > (limit := max(cap, first.award)):
        cited.append(_CAPS)
        if edition.text(_CAPS) == "stay":
            award, factors = limit, f"{factors}, the cap stays"
    return First(award, factors, (*first.cited, *cited))


def without_boards(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that names its rulebook and does not say its boards, which the awards go by."""
    if not go_by_boards(edition):
        return
    unknown = (games["boards"].isna() & games["rulebook_named"].astype("bool")).to_numpy()[rows]
    what = f"boards is not declared: the awards are those for {edition.whole(_STANDARD)} boards"
    yield from ((row, what, how_to_declare("boards")) for row in rows[unknown].tolist())


_STRATA, _HALF_TABLE = "concurrent.strata", "concurrent.half-table"
_NEWCOMERS, _GAMES = "concurrent.newcomers", "concurrent.games"


def credited(edition: Edition, path: str = _STRATA) -> tuple[str, ...]:
    """Return the paths of the values that credit comes from. path: as for :func:`concurrent_credit`."""
    return (path, _HALF_TABLE, *((_NEWCOMERS,) if edition.text(path) == "newcomers" else ()))


def check_concurrent(edition: Edition, group: Group) -> None:
    """Raise DeclarationError for tables of concurrent games that are declared and credited to nobody.

    A rulebook that is named and credits nothing is taken at its word; see :func:`credited_by_no_rulebook`.
    """
    declared, reading = group.concurrent_tables, edition.text(_STRATA)
    if not declared or reading in {"within the limit", "newcomers"}:
        return
    limited = [each for each in declared if not isinf(each.limit)]
    most = edition.whole(_GAMES) if _GAMES in edition.entries else len(limited)
    if reading == "none" and group.rulebook_named:
        return
    if reading == "none":
        what = f"concurrent_tables is declared, but rulebook {edition.book} gives no game credit for others"
        hint = "leave it out, or choose another rulebook with rulebook"
    elif not isinf(group.event_limit):
        what = "concurrent_tables is declared, but only an open game gets credit for other games"
        hint = "declare it of the open game"
    elif not limited:
        what = "concurrent_tables is declared, but none of these games is limited"
        hint = "give the limited ones, such as 300=6, 50=4"
    elif len(limited) > most:
        what = f"concurrent_tables is declared, but there are {len(limited)} limited games"
        hint = f"a club runs {most} at most beside an open one"
    else:
        return
    raise DeclarationError(what, hint=hint)


def credited_by_no_rulebook(edition: Edition, games: pd.DataFrame, rows: Ints) -> Iterator[tuple[int, str, str]]:
    """Yield a doubt of each game that declares concurrent ones and names a rulebook that credits none."""
    if edition.text(_STRATA) != "none":
        return
    declared = (games["concurrent_tables"].fillna("none") != "none") & games["rulebook_named"].astype("bool")
    for row in rows[declared.to_numpy()[rows]].tolist():
        what = f"concurrent_tables is declared, but rulebook {edition.book} gives no game credit for others"
        yield row, what, "leave it out, or choose another rulebook with rulebook"


def concurrent_credit(edition: Edition, groups: pd.DataFrame, path: str = _STRATA) -> Ints:
    """Return what concurrent games add to the size of each group, in contestants.

    A table is one contestant in a direction of a Mitchell, and two where all are compared.

    groups: a row per group, with the keys of its game.
    path: of the value that says which strata are credited with which games.
    """
    reading = edition.text(path)
    if reading == "none":
        return np.zeros(len(groups), dtype=np.int64)
    limit = _limits(edition, groups, reading)
    if groups["concurrent_tables"].isna().all():
        return np.zeros(len(groups), dtype=np.int64)
    # Each distinct declaration is read once.
    declared = groups["concurrent_tables"].astype("str").fillna("none").where(limit >= 0, "none")
    keys = pd.DataFrame({"declared": declared, "limit": limit, "winners": groups["winners"]})
    number = keys.groupby(list(keys.columns), sort=False).ngroup()
    distinct = keys.drop_duplicates()
    half_table = edition.whole(_HALF_TABLE)
    credits = []
    for text, most, winners in distinct.itertuples(index=False, name=None):
        limited = [tables for upper, tables in tables_up_to(text) if upper <= most and not isinf(upper)]
        per_table = 1 if winners == 2 else 2
        credits.append(sum(floor(each) * per_table + half_table * (each.denominator > 1) for each in limited))
    return np.array(credits, dtype=np.int64)[number]


def _limits(edition: Edition, groups: pd.DataFrame, reading: str) -> pd.Series[float]:
    """Return up to which limit each group is credited with limited games; below 0 with none.

    ``within the limit`` it is the group's own. ``top``, ``all``: only the top or all strata of open games are credited,
    where all of a game is compared, overall or in its only section. ``newcomers``: the top stratum of an open game is
    credited with all games, others with those up to a limit that their own reaches.
    """
    limit = groups["limit"]
    open_top = np.isinf(groups["event_limit"]) & np.isinf(limit) & (groups["level"] == 0)
    if reading == "within the limit":
        return limit
    if reading == "newcomers":
        most = float(edition.number(_NEWCOMERS))
        return pd.Series(most, groups.index).where(limit >= most, -1.0).mask(open_top, np.inf)
    overall = basis_mask(groups["basis"], lambda basis: basis.over_all)
    whole = overall | ~groups["game"].isin(groups.loc[overall, "game"])
    credited = whole & np.isinf(groups["event_limit"])
    return limit.where(credited & (groups["level"] == 0) if reading == "top" else credited, -1.0)


def stepped(edition: Edition, path: str, limit: float) -> Fraction:
    """Return the value of the first step of a table that reaches an upper limit; RulebookError beyond the last one."""
    value = steps(edition.limited(path), limit)
    if value is None:
        raise RulebookError(f"{path} has no step for the limit {number_text(limit)}")
    return value


_PREFIX, _UNKNOWN = "championship.", "unknown-championship."


class Championship(NamedTuple):
    """What a rulebook says of a championship."""

    path: str  # where the rulebook has it
    event_type: str = ""  # what it must be, '' for any
    sessions: int = 0  # how many it must have, 0 for any
    first: Fraction | None = None  # its first award, None where that is the formula's
    most: Fraction | None = None  # the maximum of the formula's, None for none
    # What shrinks with few tables: ``part`` for all overall awards, ``first`` for the first one, which others follow;
    # '' for nothing.
    minimum: str = ""
    closest: str = ""  # for a WBF event, the NABC one that it follows
    places: tuple[tuple[int, Fraction], ...] = ()  # pairs of a place and the award of all down to that place
    match: Fraction | None = None  # the award for each match won, None for none
    depth: bool = False  # whether the places that pay go by the number of teams
    rating: str = ""  # that of games with a fixed award
    # The upper limit of its entry, infinite for none, NaN where it changed over the years and is asked for.
    limit: float = inf

    @property
    def by_formula(self) -> bool:
        """Whether its first award is the formula's, whatever the maximum."""
        return self.first is None


def path_of(edition: Edition, name: str) -> str:
    """Return the path of a championship; raise DeclarationError, the closest one suggested, for an unknown one."""
    path = _PREFIX + name
    unknown = _UNKNOWN + name
    if path in edition.entries:
        return path
    if unknown in edition.entries:
        what = f"what '{name}' pays is not known; {edition.text(unknown)} ({edition.cite(unknown)})"
        raise DeclarationError(what, hint="the league or the district knows it; a rulebook of your own can state it")
    raise DeclarationError(f"unknown championship '{name}'", hint=closest(name, edition.below(_PREFIX)))


def championship_of(edition: Edition, name: str) -> Championship | None:
    """Return the championship of a name, None for ''; raise DeclarationError for an unknown one."""
    if not name:
        return None
    path = path_of(edition, name)
    return edition.read(path, _of_table)._replace(path=path)


def _of_table(written: object) -> Championship:
    value = as_table(written)
    first, minimum, limit = value.get("first"), value.get("minimum", ""), value.get("limit")
    return Championship(
        "",
        as_text(value.get("event-type", "")),
        as_whole(value.get("sessions", 0)),
        None if first == "formula" else as_number(first),
        as_number(value["most"]) if "most" in value else None,
        "part" if minimum is True else as_text(minimum),
        as_text(value.get("closest", "")),
        tuple((int(last), award) for last, award in as_rows(value.get("places", []))),
        as_number(value["match"]) if "match" in value else None,
        as_yes(value.get("depth", False)),
        as_text(value.get("rating", league().groups["championships"][0])),
        inf if limit is None else nan if limit == "asked" else float(as_number(limit)),
    )


def limit_of(edition: Edition, name: str) -> float:
    """Return the upper limit of a championship's entry, infinite for none, NaN if it is asked for.

    One that is not known, or not written as it must be, has none: it is refused where its award is computed.
    """
    path = _PREFIX + name
    with suppress(InputError):
        if path in edition.entries:
            return edition.read(path, _of_table).limit
    return inf


def with_limits_of_championships(edition: Edition, candidates: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return candidates, with the values that limit the entry of championships for those of such championships.

    games: ``candidates["game"]`` has positions in it.
    """
    for name in games["championship"].dropna().unique():
        if isfinite(limit_of(edition, name)):
            of_games = (games["championship"] == name).to_numpy(dtype=bool)
            values = edition.values(path_of(edition, name))
            candidates = decided_by(candidates, of_games[candidates["game"].to_numpy()], values)
    return candidates


def championship_first(championship: Championship, formula: First | InputError) -> First:
    """Return the first award of a championship: a fixed one, or the formula's up to a maximum.

    formula: the latter, or the error of what it depends on, which is raised where it counts.
    """
    if championship.first is not None:
        return First(championship.first, f"fixed at {factor_text(championship.first)}", (championship.path,))
    if isinstance(formula, InputError):
        raise formula
    if championship.most is None or formula.award <= championship.most:
        return formula
    shown = f"{formula.factors}, at most {factor_text(championship.most)}"
    return First(championship.most, shown, (championship.path,))


def minimum_of(edition: Edition, championship: Championship) -> str:
    """Return what shrinks with few tables: for a WBF event by the closest NABC event, if it is read so."""
    if championship.closest and edition.text("championship-minimum.wbf-reading") == "closest":
        return followed_championship(edition, championship).minimum
    return championship.minimum


def followed_championship(edition: Edition, championship: Championship) -> Championship:
    """Return the championship that one follows: for a WBF event the closest NABC event, else itself."""
    return championship_of(edition, championship.closest) or championship
