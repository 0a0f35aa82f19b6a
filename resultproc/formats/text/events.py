"""Which sections of a report are one game: those below one title, unless they show that they are several games.

Overall ranks decide: of one game each place is taken once, over both directions or in each of them, and one of the game
is first. Where there are none, sections that played the same rounds with the same average are one game, those that
differ in both are several. What this leaves open is asked for: ``# sections: D; E, F`` in the report, or ``sections``
in the TOML file beside it, says that D is one game, and E and F together another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from resultproc.formats.registry import Declaration
from resultproc.formats.text.listing import ListingColumns
from resultproc.model.errors import InputError

KEY = "sections"
"""The name of the declaration that says which sections are one game."""

_ROUNDS = re.compile(r"\bafter\s+([0-9]+)\s+rounds?\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\bAverage:\s*([0-9.]+)")


@dataclass
class ListedSection:
    """A section of a title, or several that are listed together, as far as it tells which game it is of.

    name: what follows ``Section``.
    rounds, average: as printed, empty where they are not.
    overall: the letters of the strata that have overall ranks.
    ranks: per direction and stratum the overall ranks.
    """

    name: str
    rounds: str
    average: str
    overall: tuple[str, ...]
    ranks: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The sections that are listed in it."""
        return [self.name] if self.name.startswith('"') else self.name.split()

    def add(self, contestant: Mapping[str, object]) -> None:
        """Add the overall ranks of a contestant that is listed in it: ``A=1, B=1/2``."""
        direction = str(contestant["direction"])
        for part in filter(None, str(contestant.get("printed_overall", "")).split(", ")):
            letter, _, rank = part.partition("=")
            self.ranks.setdefault((direction, letter), []).append(rank)


def section_of(name: str, line: str, columns: ListingColumns) -> ListedSection:
    """Return what the line above a listing and its columns say of its section."""
    rounds, average = _ROUNDS.search(line), _AVERAGE.search(line)
    overall = tuple(column.letter for column in columns.columns if column.name == "overall")
    return ListedSection(name, rounds[1] if rounds else "", average[1] if average else "", overall)


def declared_groups(declaration: Declaration, sections: Iterable[ListedSection]) -> list[list[str]]:
    """Return the sections of each game that ``D; E, F`` names; raise InputError for what no report can have."""
    text = declaration.value
    parts = text if isinstance(text, list) else str(text).split(";")
    groups = [re.split(r"[,\s]+", str(part).strip()) for part in parts if str(part).strip()]
    named = [name for group in groups for name in group]
    listed = {name for section in sections for name in section.names}
    unknown = next((name for name in named if name not in listed), None)
    if not groups or unknown or len(set(named)) < len(named):
        what = (
            f"there is no section {unknown} in the report" if unknown else "a section is named twice, or none is named"
        )
        raise InputError(
            f"{KEY}: {what}", declaration.where, f"name each once, with ';' between games: {'; '.join(sorted(listed))}"
        )
    return groups


def games_of(
    title: str, where: str, sections: Sequence[ListedSection], declared: Sequence[Sequence[str]]
) -> list[list[ListedSection]]:
    """Return the sections of a title as the games that they are.

    declared: the sections of each game, where they are declared. Raises InputError, which says how to declare them,
    where they do not tell.
    """
    if len(sections) < 2:
        return [list(sections)]
    said = [[section for section in sections if set(section.names) <= set(names)] for names in declared]
    said = [group for group in said if group]
    if said:
        if sum(map(len, said)) < len(sections):
            raise InputError(f"{KEY} leaves out some sections of '{title}'", where, _how(sections))
        return said
    together = [list(sections)]
    by_heading = _by_heading(sections)
    alike = len(by_heading) == 1
    if any(section.overall for section in sections):
        candidates = [together, by_heading, [[section] for section in sections]]
        fitting = [each for i, each in enumerate(candidates) if each not in candidates[:i] and all(map(_fits, each))]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting and alike and not _clash(sections):
            return together
    else:
        fitting = [together, by_heading]
    if alike and together in fitting:
        return together
    if by_heading in fitting and all(_unlike(one[0], other[0]) for one, other in pairwise(by_heading)):
        return by_heading
    names = " and ".join(section.name for section in sections)
    raise InputError(
        f"sections {names} share the title '{title}', and may be one game or several",
        where,
        _how(sections),
    )


def _how(sections: Sequence[ListedSection]) -> str:
    names = [", ".join(section.names) for section in sections]
    apart, together = "; ".join(names), ", ".join(names)
    return (
        f"write '# {KEY}: {together}' above the first listing if they are one game, or '# {KEY}: {apart}' if each is "
        f'its own; or {KEY} = "{apart}" at the top of the TOML file beside the report'
    )


def _by_heading(sections: Sequence[ListedSection]) -> list[list[ListedSection]]:
    """Return the sections by what their headings say."""
    groups: dict[tuple[object, ...], list[ListedSection]] = {}
    for section in sections:
        groups.setdefault((section.rounds, section.average, section.overall), []).append(section)
    return list(groups.values())


def _unlike(one: ListedSection, other: ListedSection) -> bool:
    """Return whether two sections differ so that they cannot be one game."""
    return one.overall != other.overall or (one.rounds != other.rounds and one.average != other.average)


def _fits(sections: Sequence[ListedSection]) -> bool:
    """Return whether the overall ranks of some sections can be those of one whole game."""
    return not _clash(sections) and not _lacks_first(sections)


def _clash(sections: Sequence[ListedSection]) -> bool:
    """Return whether a place is taken twice, over both directions and in one of them, too."""
    ranks = [(*key, texts) for section in sections for key, texts in section.ranks.items()]
    fields: dict[str, dict[tuple[str, str], list[str]]] = {"combined": {}, "direction": {}}
    for direction, letter, texts in ranks:
        fields["combined"].setdefault(("", letter), []).extend(texts)
        fields["direction"].setdefault((direction, letter), []).extend(texts)
    return all(any(map(_taken_twice, field_.values())) for field_ in fields.values())


def _taken_twice(ranks: Sequence[str]) -> bool:
    """Return whether ranks such as 1, 2/3, 2/3 give more contestants a place than tied for it."""
    counts = Counter(ranks)
    spans = sorted((int(text.split("/")[0]), int(text.split("/")[-1]), count) for text, count in counts.items())
    too_many = any(count > last - first + 1 for first, last, count in spans)
    return too_many or any(second[0] <= first[1] for first, second in pairwise(spans))


def _lacks_first(sections: Sequence[ListedSection]) -> bool:
    """Return whether overall ranks are printed, and nobody is first in the top stratum or in one that has ranks."""
    printed = next((section.overall for section in sections if section.overall), ())
    letters = {letter for section in sections for _, letter in section.ranks} | set(printed[:1])
    firsts = {
        letter
        for section in sections
        for (_, letter), texts in section.ranks.items()
        if any(text.split("/")[0] == "1" for text in texts)
    }
    return bool(letters - firsts)
