"""What explains a sheet as text or JSON, and as the sidecar that declares it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from resultproc.model.errors import quoted
from resultproc.model.game import number_text
from resultproc.model.keys import KEYS
from resultproc.model.text import counted
from resultproc.model.values import toml_text
from resultproc.pages import words
from resultproc.pages.tables import Writers
from resultproc.reports.infer.infer import GuessExplanation, Inference, Inferred, PrintedEntry
from resultproc.reports.infer.limits import Bound
from resultproc.reports.infer.space import beside_text
from resultproc.reports.limits import ROUND
from resultproc.rulebooks.common.exact import factor_text

if TYPE_CHECKING:
    from resultproc.reports.outputs import ExplanationEntry, InferredGame, InferReport

_SHOWN = 6
"""The most explanations of a game that are listed."""

AGAINST = 3
"""The most that is listed of what contradicts an explanation."""

WRITERS: Writers[[Inference]] = Writers()
"""The formats of what explains a sheet, by name."""


@WRITERS.text
def text(found: Inference) -> Sequence[str]:
    """Return the explanations of each game, the best first."""
    return ["\n\n".join("\n".join(_lines(each)) for each in found.games)]


def _lines(game: Inferred) -> Iterator[str]:
    yield f"{game.game['game_id']}: {words.title_of_game(game.game)}"
    yield f"  {_counted(game.paid, game.ranks)} are printed. {_verdict(game)}"
    shown = game.explanations[: 1 if game.unexplained else max(min(game.equal, _SHOWN), 2)]
    for number, each in enumerate(shown, 1):
        explained = f"{_counted(game.paid_alike(each), game.ranks_alike(each))} explained"
        against = f", {len(each.against)} contradicted" if each.against else ""
        yield from ("", f"  {number}. {explained}{against}, under {each.rulebook}:")
        yield from (f"     {line}" for line in (*_declarations(each), *_said(each)))
    if len(shown) < game.equal and not game.unexplained:
        yield from ("", f"  and {game.equal - len(shown)} more explain as much")
    if len(shown) > 1:
        yield from ("", f"  {_deciding(game)}")
    if game.readings:
        yield from ("", f"  A rulebook of your own that extends {game.explanations[0].rulebook} explains more with")
    for reading in game.readings:
        said = f"{reading.agree} explained, {reading.against} contradicted"
        yield f'  [{reading.path}] value = "{reading.value}": {said}'
    if game.bounds:
        yield from ("", *(f"  {_bound(each)}" for each in game.bounds))


def _bound(bound: Bound) -> str:
    """Return ``R between 9.98 and 10.01, where it is 10: 14 awards depend on it``."""
    name = f"{bound.factor} of {bound.stratum}" if bound.stratum else bound.factor
    low, high = (None if each is None else factor_text(each) for each in (bound.low, bound.high))
    if low and high:
        where = f"{name} between {low} and {high}"
    elif low or high:
        where = f"{name} {low or high} or {'more' if low else 'less'}"
    else:
        where = f"{name} is not bounded by what is printed"
    depend = f"{counted(bound.awards, 'award')} depend{'s' if bound.awards == 1 else ''}"
    return f"{where}; it is {factor_text(bound.value)}, and {depend} on it"


def _verdict(game: Inferred) -> str:
    first = game.explanations[0]
    if game.unexplained:
        return f"No declarations explain the awards: {first.awards_against} of {game.paid} are contradicted at best."
    if game.equal > 1:
        return f"{game.equal} explanations are equally good."
    if first.against:
        return "One explanation is the best."
    if game.explanations[1:] and not game.explanations[1].against:
        if game.explanations[1].absent > first.absent:
            return "Several explanations have them all; the first needs the fewest overall places that are not printed."
        return "Several explanations have them all; the first needs the fewest games that are not in the report."
    return "One explanation has them all."


def _counted(awards: int, ranks: int) -> str:
    """Return ``1 award and 12 ranks``."""
    return f"{counted(awards, 'award')} and {counted(ranks, 'rank')}"


def _declarations(each: GuessExplanation) -> Iterator[str]:
    for key, value in each.guess.declared.items():
        yield f'{key} = "{KEYS[key].shown(value)}"'


def _said(each: GuessExplanation) -> Iterator[str]:
    """Yield what pays the same, what is not known from the report, and what contradicts it."""
    ranges = [_range(*limits) for limits in same_limits(each) if limits[1] is None or limits[1] != limits[2]]
    if ranges:
        yield f"the same with {', '.join(ranges)}"
    if each.guess.kind.same_boards:
        yield f"the same with boards {each.guess.kind.same_boards}"
    if each.guess.kind.alike:
        alike = [word or "nothing" for word in each.guess.kind.alike]
        yield f"the same with special {' or '.join(alike)}"
    for tables in each.guess.other_tables:
        yield f"the same with concurrent_tables {beside_text(tables)}"
    for game in each.guess.invented:
        yield f"only the awards tell of a game of {number_text(game.tables)} tables at the same time"
    if each.absent:
        left_out = "and their awards are left out" if each.sections_alone else "but their awards are paid"
        yield f"no overall places are printed, {left_out}: {each.absent} would pay"
    for entry in each.against[:AGAINST]:
        yield f"against it: {_entry_text(entry)}"
    if len(each.against) > AGAINST:
        yield f"and {len(each.against) - AGAINST} more"


def _entry_text(entry: PrintedEntry) -> str:
    return f"{entry.contestant}: {entry.what} printed {entry.printed or 'none'}, computed {entry.computed or 'none'}"


def _deciding(game: Inferred) -> str:
    if not game.decides:
        return "Nothing that is printed decides between the first two."
    first, more = game.decides[0], len(game.decides) - 1
    beside = f", and {more} more would as well" if more else ""
    printed, computed = first.printed or "none", first.computed or "none"
    one = f"{first.contestant} decides between the first two{beside}"
    text = f"{one}: {first.what} printed {printed}, under the second {computed}."
    for other in game.against_first[:1]:
        text += f" For the second speaks {_entry_text(other)} under the first."
    return text


def _range(letter: str, low: str | None, high: str | None) -> str:
    """Return limits that pay the same: ``B 250 or more``."""
    if low is None:
        limits = "up to " + high if high else "any limit"
    else:
        limits = f"{low} to {high}" if high else f"{low} or more"
    return f"{letter or 'limit'} {limits}"


def same_limits(each: GuessExplanation) -> list[tuple[str, str | None, str | None]]:
    """Return, for each stratum whose limit is inferred, the lowest and the highest limit that pay the same.

    None for a range without an end: the lowest or the highest of the limits that are tried is in it.
    """
    if each.guess.fixed:
        return []
    letters = each.guess.letters or ("",)
    highest = sorted(ROUND)[-len(letters)]  # above it there may have to be room for those of higher strata
    return [
        (
            letter,
            None if limits[0] <= min(ROUND) and len(limits) > 1 else number_text(limits[0]),
            None if limits[-1] >= highest and len(limits) > 1 else number_text(limits[-1]),
        )
        for letter, limits in zip(letters, each.guess.limits, strict=True)
    ]


@WRITERS.json
def to_json(found: Inference) -> InferReport:
    """Return the same as JSON, with every explanation that was awarded as a whole, up to :data:`_SHOWN`."""
    return {
        "provenance": found.provenance.entry(),
        "games": [_game_entry(each) for each in found.games],
        "remarks": [remark.entry_of_remark for remark in quoted(found.remarks)],
    }


def _game_entry(game: Inferred) -> InferredGame:
    return {
        "game_id": str(game.game["game_id"]),
        "printed": game.entries,
        "awards": game.paid,
        "ranks": game.ranks,
        "awards_explained": not game.unexplained,
        "equal": game.equal,
        "explanations": [_explanation_entry(game, each) for each in game.explanations[:_SHOWN]],
        "decides": [each._asdict() for each in game.decides],
        "against_first": [each._asdict() for each in game.against_first],
        "bounds": [
            {
                "factor": bound.factor,
                "stratum": bound.stratum or None,
                "value": factor_text(bound.value),
                "from": None if bound.low is None else factor_text(bound.low),
                "to": None if bound.high is None else factor_text(bound.high),
                "awards": bound.awards,
            }
            for bound in game.bounds
        ],
        "readings": [
            {"path": each.path, "value": each.value, "explained": each.agree, "contradicted": each.against}
            for each in game.readings
        ],
    }


def _explanation_entry(game: Inferred, each: GuessExplanation) -> ExplanationEntry:
    return {
        "declared": {key: KEYS[key].shown(value) for key, value in each.guess.declared.items()},
        "rulebook": each.rulebook,
        "explained": each.agree,
        "awards": game.paid_alike(each),
        "ranks": game.ranks_alike(each),
        "overall_not_printed": each.absent,
        "sections_alone": each.sections_alone,
        "contradicted": [entry._asdict() for entry in each.against],
        "same_limits": [
            {"stratum": letter or None, "from": low, "to": high} for letter, low, high in same_limits(each)
        ],
        "same_special": list(each.guess.kind.alike),
        "same_concurrent_tables": [beside_text(tables) for tables in each.guess.other_tables],
        "not_in_the_report": [
            {"limit": number_text(game.limit), "tables": game.tables} for game in each.guess.invented
        ],
    }


def inferred_sidecar(file: str, found: Inference, said: Mapping[str, str]) -> bytes:
    """Return the sidecar that declares the first explanation of each game that has one.

    Comments say what it does not decide.

    file: the name of the report that it is for.
    said: what was declared beside the file, by game key, which the sidecar declares as well.
    """
    several = len(found.games) > 1 or bool(found.remarks)
    explained = [each for each in found.games if not each.unexplained]
    parts = ["\n".join(_declared(each, said, several=several)) + "\n" for each in explained]
    head = f"# What {file} does not say of its games, as its printed ranks and awards tell it.\n"
    return "\n".join([head, *parts]).encode()


def _declared(game: Inferred, said: Mapping[str, str], *, several: bool) -> Iterator[str]:
    first = game.explanations[0]
    yield f"# {words.title_of_game(game.game)}: {first.agree} of {game.entries} ranks and awards follow from this."
    yield from (f"# {line[0].upper()}{line[1:]}." for line in _said(first))
    for other in game.explanations[1 : min(game.equal, _SHOWN)]:
        yield f"# As good: {', '.join(_declarations(other))}"
    if several:
        yield f"[games.{toml_text(game.game['game_id'])}]"
    yield from _declarations(first)
    yield from (f"{key} = {toml_text(value)}" for key, value in said.items() if key not in first.guess.declared)
