"""A results site: the formats it takes, what it asks of a game, and how a file gets there, with the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from resultproc.formats.registry import Writer
from resultproc.model.arrays import family_columns
from resultproc.model.errors import InputError
from resultproc.model.game import EventType, Scoring
from resultproc.model.plugins import named
from resultproc.stages.pipeline import public

if TYPE_CHECKING:
    from resultproc.model.frames import Result


@dataclass(frozen=True)
class Demand:
    """What a site asks of a game."""

    value: Any  # what is asked, as :mod:`resultproc.publish.taken` takes it
    cite: str  # where that is said
    note: str = ""  # what else there is to say
    refused: bool = True  # whether the site refuses what is otherwise; where it is not known to, that is a remark


@dataclass(frozen=True)
class Sending:
    """How a site takes files from a program."""

    address: str  # where they are posted to
    taken: str  # how its answer begins for a file that it has taken
    cite: str  # where that is said
    seconds: float = 60  # how long its answer may take
    tries: int = 3  # how often it is asked where nothing was sent yet
    # What its answers say where a file was not taken, if that is known. Other words leave open whether it was.
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Site:
    """A results site."""

    id: str  # what it is called
    title: str  # what people call it
    address: str  # where it is
    formats: tuple[str, ...]  # the formats it takes, the one that is written first
    # How it wants each format, see ``Writer.in_dialect`` of ``formats/registry.py``.
    dialects: Mapping[str, Mapping[str, Any]]
    asks: Mapping[str, Demand]  # what it asks of a game, by the names of ``publish/taken.py``
    sent: str  # how a file gets there: form, post, mail, folder, or check where it takes no file of ours
    steps: tuple[str, ...]  # what somebody does to upload a file
    corrections: str  # what becomes of a file that is sent again
    unknown: tuple[str, ...]  # what is not known of the site
    sources: Mapping[str, str]  # what the citations stand for
    send: Sending | None = None  # where a file is posted to
    replaces: bool = False  # whether a file that is sent again stands in place of the first one
    pays: str = ""  # the rating as which ``convert`` awards a game of another league's points for it, '' for none

    def citation(self, asked: Demand) -> str:
        """Return where it is said what the site asks, the source written out."""
        source, _, where = asked.cite.partition(", ")
        return f"{self.sources[source]}: {where}"

    def writer(self, format: str = "") -> Writer:
        """Return what writes a format as the site wants it, the site's first one where none is named.

        Raises InputError for a format that the site does not take, and for a site that takes no file of ours.
        """
        if not self.formats or (format and format not in self.formats):
            taken = f"it takes {' or '.join(self.formats)}" if self.formats else "upload the file of your own program"
            raise InputError(f"{self.title} takes no {format or 'file of ours'}", hint=taken, code="site.refuses")
        writer: Writer = named("writers", format or self.formats[0])
        if writer.name not in self.dialects or not writer.in_dialect:
            return writer
        return replace(writer, write=writer.in_dialect(self.dialects[writer.name]), screen=None)


def for_site(result: Result, site: Site) -> Result:
    """Return a result as it may leave for a site.

    Holdings stay here. A site that asks for no member numbers gets what everybody may know. Where all pairs of a game
    have percentages, its boards were scored by matchpoints.
    """
    result = result if "member_numbers" in site.asks else public(result)
    games, contestants = result.games, result.contestants
    held = family_columns(contestants, "mp")
    shares = contestants["percentage"].notna().groupby(contestants["game_id"]).all()
    by_shares = games["game_id"].map(shares).fillna(value=False).astype(bool) & games["event_type"].eq(EventType.PAIRS)
    scoring = games["scoring"].mask(games["scoring"].isna() & by_shares, Scoring.MATCHPOINTS).astype("str")
    return replace(result, games=games.assign(scoring=scoring), contestants=contestants.drop(columns=held), remarks=())
