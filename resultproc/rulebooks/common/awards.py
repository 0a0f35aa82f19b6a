"""Awards on their way: the first one with its factors and the values they come from, and what follows from it.

What follows is what lower places get, ties past the last that pays, and sums of several sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isinf, prod
from typing import NamedTuple

import numpy as np
import pandas as pd

from resultproc.model.arrays import (
    Bools,
    Floats,
    Ints,
    categorical,
    distinct_rows,
    expand_counts,
    factorize_objects,
    factorize_text,
    run_starts,
    sorted_rows,
    take_rows,
)
from resultproc.model.basis import MATCHES, OVERALL, SECTION, Basis, Kind, basis_mask
from resultproc.model.codes import MISSING
from resultproc.model.errors import DeclarationError, RulebookError
from resultproc.model.frames import joined_candidates
from resultproc.model.game import EventType, number_text
from resultproc.model.group import Group, Ladders, Members, has_kind
from resultproc.model.numbers import decimal_text
from resultproc.model.provenance import Values
from resultproc.rulebooks.common.exact import Shares, decimal, factor_text, listed_value, log10, reached, rounded
from resultproc.rulebooks.core import Edition, cached_per_edition


class First(NamedTuple):
    """A first award before rounding."""

    award: Fraction  # in masterpoints
    factors: str  # how it came about, as ``explain`` says it
    cited: tuple[str, ...] = ()  # the paths of the values that went in

    def times(self, factor: Fraction, path: str, sign: str = " x", why: str = "") -> First:
        """Return the award multiplied by a factor; unchanged by a factor of 1.

        path: of the value that the factor comes from.
        sign, why: what stands before and behind the factor where the award is explained.
        """
        if factor == 1:
            return self
        return First(self.award * factor, f"{self.factors}{sign} {factor_text(factor)}{why}", (*self.cited, path))

    def by(self, edition: Edition, path: str, why: str = "") -> First:
        """Return the award multiplied by the value at a path, shown as it is written there; unchanged by 1.

        why: what stands behind the value where the award is explained.
        """
        if edition.number(path) == 1:
            return self.also_by(*edition.inferred(path))
        factors = f"{self.factors}, x {edition.shown(path)}{why}"
        return First(self.award * edition.number(path), factors, (*self.cited, path))

    def at_most(self, cap: Fraction, path: str) -> First:
        """Return the award, or a cap where that is less. path: of the value that the cap comes from."""
        if self.award <= cap:
            return self
        return First(cap, f"{self.factors}, capped at {decimal(cap)}", (*self.cited, path))

    def also_by(self, *paths: str) -> First:
        """Return the award with the paths of more values that went into it."""
        return self._replace(cited=(*self.cited, *paths))

    def rounded(self) -> First:
        """Return the award as it is given, to the hundredth: what other awards follow from."""
        return self._replace(award=rounded(self.award))


def paying(places: int) -> str:
    """Return how many places pay, as a person reads it."""
    return "1 place pays" if places == 1 else f"{places} places pay"


class Factor(NamedTuple):
    """One factor of a first award."""

    letter: str  # what the regulations call it, '' for one without a name
    value: Fraction  # what the award is multiplied by
    cited: tuple[str, ...] = ()  # the paths of the values that it comes from
    of: str = ""  # what it was looked up for, as a person reads it
    always: bool = False  # whether it is shown even where it is 1

    def __str__(self) -> str:
        of = f" ({self.of})" if self.of else ""
        return f"{self.letter} {factor_text(self.value)}".lstrip() + of


def product(factors: Sequence[Factor]) -> First:
    """Return the first award that is the product of some factors; a factor of 1 is shown only if it says so."""
    shown = " x ".join(str(factor) for factor in factors if factor.always or factor.value != 1)
    cited = tuple(path for factor in factors for path in factor.cited)
    return First(prod((factor.value for factor in factors), start=Fraction(1)), shown, cited)


def b_factor(edition: Edition, tables: Fraction, of: str = "") -> Factor:
    """Return B for a number of tables; 0 for none. of: what is shown of the tables."""
    straight = tables <= edition.number("factor.b.straight-until")
    if tables <= 0:
        value = Fraction(0)
    elif straight:
        value = (tables + edition.number("factor.b.added")) / edition.number("factor.b.divisor")
    else:
        value = log10(tables / edition.number("factor.b.log-divisor"))
    cited = ("factor.b.divisor", *edition.inferred("factor.b.added")) if straight else ("factor.b.log-divisor",)
    return Factor("B", value, (*cited, *edition.inferred("factor.b.straight-until")), of, always=True)


def r_factor(edition: Edition, name: str) -> Factor:
    """Return R of a class of game; raise DeclarationError for one that has none."""
    return class_factor(edition, "r", name, f"the General Formula has no R for a {name} game")


def class_factor(edition: Edition, letter: str, name: str, lacking: str) -> Factor:
    """Return the factor of a letter that a class of game has.

    lacking: what DeclarationError says of a class that has none.
    """
    path = f"factor.{letter}.{name}"
    if path not in edition.entries:
        raise DeclarationError(lacking, hint=f"known: {', '.join(sorted(edition.below(f'factor.{letter}.')))}")
    return Factor(letter.upper(), edition.number(path), (path,))


def s_factor(edition: Edition, sessions: int) -> Factor:
    """Return S for a number of sessions."""
    beyond = max(0, sessions - len(edition.numbers("factor.s")))
    value = listed_value(edition.numbers("factor.s"), sessions) + beyond * edition.number("factor.s-beyond")
    return Factor("S", value, ("factor.s", *(("factor.s-beyond",) if beyond else ())))


def m_of(edition: Edition, special: frozenset[str], limit: float) -> Factor:
    """Return M for an event with special words and an upper limit: some kinds have one of their own, or a highest."""
    level = barometer_level(special)
    if level > 1:
        return Factor("M", listed_value(edition.numbers("barometer.m"), level), ("barometer.m",))
    m = m_factor(edition, limit)
    most = edition.number("non-championship.m")
    return Factor("M", most, ("non-championship.m",)) if m.value > most and is_minor(edition, special) else m


def is_minor(edition: Edition, special: frozenset[str]) -> bool:
    """Return whether an event is neither a championship nor exempt from what holds for other events."""
    exempt = has_kind(special, *edition.words("non-championship.exempt"))
    return has_kind(special, *edition.words("non-championship.kinds")) and not exempt


def barometer_level(special: frozenset[str]) -> int:
    """Return the level of a barometer final that an event is, 1 the top; 0 for any other event."""
    return next((level for level in (1, 2, 3) if f"barometer-{level}" in special), 0)


@cached_per_edition
def m_factor(edition: Edition, limit: float) -> Factor:
    """Return M for an upper masterpoint limit, the highest one for none.

    Raises DeclarationError for a limit below 1.
    """
    most = edition.number("factor.m.most")
    if isinf(limit):
        return Factor("M", most, edition.inferred("factor.m.most"))
    if limit < 1:
        what = f"there is no M for the upper limit {number_text(limit)}"
        raise DeclarationError(what, hint="declare a limit of 1 or more")
    reading = edition.text("factor.m.reading")
    value = (
        _logarithm(edition, limit) if reading == "logarithm" else on_lines(edition, "factor.m.line", Fraction(limit))
    )
    capped = edition.inferred("factor.m.most") if value >= most else ()
    cited = (f"factor.m.{reading}", *edition.inferred("factor.m.reading"), *capped)
    return Factor("M", min(most, value), cited)


def _logarithm(edition: Edition, limit: float) -> Fraction:
    for below, (divisor, added) in edition.limited("factor.m.logarithm"):
        if limit < below:
            return log10(Fraction(limit)) / divisor + added
    raise RulebookError(f"factor.m.logarithm has no step for the limit {number_text(limit)}", hint="end it with 'open'")


def on_lines(edition: Edition, path: str, at: Fraction) -> Fraction:
    """Return what the straight lines between the points at a path give; the last line goes on beyond its end."""
    lines = list(pairwise(edition.rows(path)))
    if not lines:
        raise RulebookError(f"{path} has no line", hint="give it two points or more")
    (low, at_low), (high, at_high) = next((line for line in lines if at <= line[1][0]), lines[-1])
    return at_low + (at - low) * (at_high - at_low) / (high - low)


def p_factor(edition: Edition, restrictions: int) -> Factor:
    """Return P for a number of entry restrictions."""
    cited = ("factor.p",) if restrictions else edition.inferred("factor.p")
    return Factor("P", listed_value(edition.numbers("factor.p"), restrictions + 1), cited)


def l_factor(edition: Edition, boards: int) -> Factor:
    """Return L for the boards of a match; DeclarationError for a match that is too short for any award."""
    least = edition.whole("factor.l.least")
    if boards < least:
        raise DeclarationError(f"there are no awards for a match of {boards} boards", hint=f"play at least {least}")
    step = reached(edition.rows("factor.l.steps"), boards)
    if step:
        return Factor("L", step[1], ("factor.l.steps",))
    return Factor("L", boards / edition.number("factor.l.divisor"), ("factor.l.divisor",))


def t_factor(edition: Edition, event_type: str) -> Factor:
    """Return T of an event type; raise DeclarationError for knockouts, which have a formula of their own."""
    path = f"factor.t.{event_type}"
    if path not in edition.entries:
        known = ", ".join(kind.value for kind in EventType if f"factor.t.{kind.value}" in edition.entries)
        what = f"a {event_type} event has no awards under the General Formula"
        raise DeclarationError(what, hint=f"it has for {known}")
    return Factor("T", edition.number(path), (path,))


class MatchKind(NamedTuple):
    """What the product of a match goes by."""

    rating: str  # the class of game
    boards: int  # per match
    limit: float  # the one that M goes by
    special: frozenset[str]  # the words that count, not always all of the event's
    restrictions: int  # how many there are


NO_WINS = b""
"""The wins of a group that is not compared by them."""


def packed(wins: Floats, count: Ints) -> list[bytes]:
    """Return the matches that each place of some groups has won, as one value for each group.

    As texts, nearly each of them would be different, and would be made only to be split again.
    count: how many places each group has.
    """
    data, ends = wins.tobytes(), (np.cumsum(count) * wins.itemsize).tolist()
    return [data[start:end] for start, end in pairwise([0, *ends])]


def unpacked(wins: Sequence[bytes]) -> tuple[Floats, Ints]:
    """Return how many matches each place won, group after group, and how many places each group has."""
    won = np.frombuffer(b"".join(wins), dtype=np.float64)
    return won, np.array([len(each) for each in wins], dtype=np.int64) // won.itemsize


def wins_by_place(groups: pd.DataFrame, members: Members) -> pd.Categorical:
    """Return the matches that each place has won, packed; :data:`NO_WINS` for groups that are not compared by them."""
    at = np.flatnonzero(basis_mask(groups["basis"], lambda basis: basis == MATCHES))
    number = np.zeros(len(groups), dtype=np.int64)
    if not len(at):
        return categorical(number, [NO_WINS])
    won = members.of(groups.iloc[at])
    every = members.facts.contestants["wins"].to_numpy(dtype=np.float64)
    group, wins = won["group"].to_numpy(), every[won["contestant"]]
    code, _ = pd.factorize(wins, sort=True)
    order = sorted_rows(group, -code)
    each, distinct = factorize_objects([NO_WINS, *packed(wins[order], np.bincount(group, minlength=len(at)))])
    number[at] = each[1:]
    return categorical(number, distinct)


def with_wins(measured: pd.DataFrame) -> pd.DataFrame:
    """Return groups each with the matches that were won in its game, packed; :data:`NO_WINS` where none are said.

    measured: with those of groups that are compared by them, as :func:`wins_by_place` gives them.
    """
    game, wins = measured["game"].to_numpy(), measured["wins"].array
    of_game = np.full(int(game.max(initial=-1)) + 1, wins.categories.get_loc(NO_WINS), dtype=np.int64)
    won = np.flatnonzero(wins != NO_WINS)[::-1]
    of_game[game[won]] = wins.codes[won]
    return measured.assign(wins=categorical(of_game[game], wins.categories))


@cached_per_edition
def match_product(edition: Edition, letter: str, kind: MatchKind) -> First:
    """Return D x L x M x P, or K x L x M x P, unrounded.

    letter: k for K, the factor of knockouts, d for D, that of other matches.
    kind: what L, M and P go by.
    Raises DeclarationError for a class of game that has no such factor, and for a match that is too short.
    """
    lacking = f"there are no {'knockout' if letter == 'k' else 'match'} awards in a {kind.rating} game"
    return product(
        [
            class_factor(edition, letter, kind.rating, lacking)._replace(always=True),
            l_factor(edition, kind.boards),
            m_of(edition, kind.special, kind.limit),
            p_factor(edition, kind.restrictions),
        ]
    )


def missing_key(key: str, why: str, example: str) -> DeclarationError:
    """Return the error of an event that does not declare a key. why: why it must, a clause that follows "and"."""
    what, hint = f"{key} is not declared, and {why}", f"declare {key}, such as {example}"
    return DeclarationError(what, hint=hint, code=MISSING, key=key)


def wins_asked(what: str) -> DeclarationError:
    """Return the error of teams that are not said to have won a match. what: why that has to be known."""
    return DeclarationError(what, hint="write a column wins; a tied match counts half", code=MISSING)


def declared_boards(group: Group, why: str, example: str) -> int:
    """Return the boards that are declared; DeclarationError where none are. why, example: see :func:`missing_key`."""
    if not group.boards:
        raise missing_key("boards", why, example)
    return group.boards


def by_place(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    """Return what the first places get as shares of the first award.

    share: returns what one place gets, from the edition, ``of`` and the place.
    """
    # In powers of two, so that few scales are computed and kept.
    return _kept_scale(edition, 1 << (places - 1).bit_length(), share, *of)[:places]


@cached_per_edition
def _kept_scale(edition: Edition, places: int, share: Callable[..., Fraction], *of: object) -> Shares:
    return Shares.of(share(edition, *of, place) for place in range(1, places + 1))


def overall_share(edition: Edition, sessions: int, place: int) -> Fraction:
    """Return what a place gets overall, as a share of the first award, in an event of a number of sessions."""
    step = edition.number("overall.step")
    steps = step ** (place - 1)
    # Above the place where it begins, the curve of a single session would not fall.
    curve = long_share(step, edition.whole("overall.long-steps-until"), sessions, place)
    if edition.text("overall.reading") == "greater":
        return max(steps, curve)
    if sessions >= edition.number("overall.long"):
        return curve
    return steps if place <= edition.number("overall.steps-until") else Fraction(1, place)


def long_share(step: Fraction, steps_until: int, sessions: int, place: int) -> Fraction:
    """Return a place's share of the first award on the scale of long events: steps, then a curve.

    step: the share of each place in that of the place above.
    steps_until: the last place of the steps.
    sessions: how many the event has; the curve depends on them.
    """
    return step ** (place - 1) if place <= steps_until else Fraction(sessions, place + 2 * sessions - 3)


def overall_scale(edition: Edition, sessions: int) -> tuple[str, ...]:
    """Return the paths of the values that the scale of an event with this number of sessions comes from."""
    if edition.text("overall.reading") == "greater":
        return ("overall.step", "overall.reading")
    until = "overall.long" if sessions >= edition.number("overall.long") else "overall.steps-until"
    return ("overall.step", until, *edition.inferred("overall.reading"))


def percent_share(percentages: Sequence[Fraction], place: int) -> Fraction:
    """Return a place's share of the first award: the percentages are for 2nd, 3rd, ...; below them 1 / place."""
    if place == 1:
        return Fraction(1)
    return percentages[place - 2] / 100 if place - 2 < len(percentages) else Fraction(1, place)


def with_ties_beyond(edition: Edition, ladders: Ladders) -> Ladders:
    """Return ladders whose awards below their depth are those that a tie for the last place pools.

    The rulebook's reading ``extend`` keeps them all, ``one`` only the next lower one, ``none`` none of them.
    """
    reading = edition.text("ties.beyond-depth")
    if reading == "extend":
        return ladders
    of, place = expand_counts(np.diff(ladders.start))
    kept = place < (ladders.depth + (reading == "one"))[of]
    return replace(ladders, awards=np.where(kept, ladders.awards, 0))


def with_more(candidates: pd.DataFrame, more: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return candidates with more of them, which the values of a rulebook made."""
    all_one = np.zeros(len(more), dtype=np.int64)
    made = more.assign(values=categorical(all_one, [values]), rule=categorical(all_one, [values.rule]))
    return joined_candidates([candidates, made[candidates.columns]])


_HANDICAP_OVERALL = Basis(Kind.OVERALL, handicap=True)


def with_handicap_added(edition: Edition, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates with the sum that a handicap game pays in one case (Handbook ch. 4, handicap games).

    A contestant whose raw score earns a section award but no overall award, and whose handicap score earns an
    overall award, gets both.
    """
    if not edition.yes("handicap.added") or not (candidates["basis"] == str(_HANDICAP_OVERALL)).any():
        return candidates
    best = candidates.sort_values(["masterpoints", "level"], ascending=[False, True], kind="stable")
    best = best.drop_duplicates(["contestant", "basis"]).set_index("contestant")
    raw, overall, handicap = (best[best["basis"] == str(basis)] for basis in (SECTION, OVERALL, _HANDICAP_OVERALL))
    raw = raw[~raw.index.isin(overall.index) & raw.index.isin(handicap.index)]
    if raw.empty:
        return candidates
    own, added = raw["masterpoints"], handicap["masterpoints"].loc[raw.index]
    both = raw.assign(
        basis=Kind.SECTION_AND_HANDICAP.value,
        masterpoints=own + added,
        factors="raw section award " + own.map(decimal_text) + " + handicap overall award " + added.map(decimal_text),
    )
    return with_more(candidates, both.reset_index(), edition.values("handicap.added"))


def decided_by(candidates: pd.DataFrame, rows: Bools, values: Values) -> pd.DataFrame:
    """Return candidates with more values for some rows: values that decided them besides those of their ladders.

    rows: whether each candidate gets them.
    """
    made = candidates["values"].cat
    number, told = factorize_objects([*made.categories, *(_with_more(each, values) for each in made.categories)])
    of = number[made.codes + rows * len(made.categories)]
    rule, rules = factorize_objects(each.rule for each in told)
    return candidates.assign(values=categorical(of, told), rule=categorical(rule[of], rules))


def made_with(candidates: pd.DataFrame, path: str) -> Bools:
    """Return which candidates a value at a path went into."""
    made = candidates["values"].cat
    of = np.array([path in {item.path for item in each.items} for each in made.categories], dtype=np.bool_)
    return of[made.codes] if len(of) else np.zeros(len(candidates), dtype=np.bool_)


def with_small_shares(edition: Edition, candidates: pd.DataFrame, path: str, small: Bools) -> pd.DataFrame:
    """Return candidates, those that are too small as a reading has it: paid by it, or left out.

    path: of the reading, ``paid`` or ``not given``.
    """
    if edition.text(path) == "paid":
        return decided_by(candidates, small, edition.values(path)) if small.any() else candidates
    return candidates[~small].reset_index(drop=True)


def _with_more(values: Values, more: Values) -> Values:
    """Return values with more of them, kept with their citation: the parts of an archive have mostly the same ones."""
    return Values.of((*values.items, *more.items))


_OF_SUMS = ["basis", "masterpoints", "section_top", "values", "rule", "factors"]
"""What sums have of their own; else they are as the largest award in them."""


def with_sums_of_sessions(candidates: pd.DataFrame, values: Values) -> pd.DataFrame:
    """Return the candidates with the sum of each contestant's session awards.

    The highest award of each session counts, over its strata; the sum goes by the stratum and the position of the
    largest of them. A contestant with an award in one session alone gets no sum: it would say nothing new.
    values: those of the regulation that lets session awards add up.
    """
    number, bases = factorize_text(candidates["basis"])
    parsed = {each: Basis.parse(str(bases[each])) for each in np.flatnonzero(np.bincount(number)).tolist()}
    sessions = sorted((basis.session, each) for each, basis in parsed.items() if basis.kind is Kind.SESSION)
    if len(sessions) < 2:
        return candidates
    contestant, points = (candidates[name].to_numpy() for name in ("contestant", "masterpoints"))
    # A contestant's candidates are in order: the first one of a session is its best, and the first of all the largest.
    of_session = (np.flatnonzero(number == each) for _, each in sessions)
    best = np.concatenate([rows[run_starts(contestant[rows])] for rows in of_session])
    best = best[sorted_rows(contestant[best])]
    count = np.diff(np.flatnonzero(run_starts(contestant[best])), append=len(best))
    best = best[np.repeat(count > 1, count)]
    if not len(best):
        return candidates
    start = np.flatnonzero(run_starts(contestant[best]))
    sums = take_rows(candidates.drop(columns=_OF_SUMS), np.minimum.reduceat(best, start)).assign(
        basis=categorical(np.zeros(len(start), dtype=np.int64), [str(Basis(Kind.SUM_OF_SESSIONS))]),
        masterpoints=np.add.reduceat(points[best], start),
        section_top=np.add.reduceat(candidates["section_top"].to_numpy()[best], start),
        factors=_parts(take_rows(candidates[["basis", "stratum", "masterpoints"]], best), start),
    )
    return with_more(candidates, sums, values)


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
