"""USEBIO: the XML in which British clubs, and many others, upload their results; and as this package writes it.

Known are files of the versions 1.0 to 1.2 as EBUScore, PairsScorer, TeamsScorer, BriAn, Pianola, Compscore and
RealBridge write them, and so of 1.3, which only adds to 1.2 (usebio.org/usebio-1.3.html):

- USEBIO > CLUB (``CLUB_NAME``) and EVENT (``EVENT_TYPE``: PAIRS, MP_PAIRS, BUTLER_PAIRS, CROSS_IMP, AGGREGATE,
  SWISS_PAIRS, INDIVIDUAL, TEAMS, SWISS_TEAMS), one or several;
- PARTICIPANTS in the event, its SESSION or its SECTIONs: PAIR, TEAM (with PAIRs or PLAYERs) or PLAYER, with number,
  direction, ``PERCENTAGE``, ``TOTAL_SCORE``, ``PLACE``, ``MASTER_POINTS_AWARDED`` (in hundredths), names and national
  numbers. A ``WINNER_TYPE`` of 1 puts both directions into one ranking, whatever the pairs' ``DIRECTION`` says;
- BOARD > TRAVELLER_LINE, in the event, its session, section or MATCH: pairs (or the teams of the match), ``SCORE`` to
  N-S or an adjusted one such as ``A6040``, points of any kind, contract, declarer, tricks and lead;
- HANDSET > BOARD > HAND, or HANDs in any BOARD, where they are a whole pack. The play is passed over.

Point-a-board teams count as board-a-match, other teams as Swiss. The tables in play follow from the participants. The
format does not say what a club's game is rated, nor whether a percentage holds the ``HANDICAP`` beside it, which is
therefore not read; a ``PLACE`` is the section's rank of one section, the overall rank of several with one winner.
In an event scored in IMPs some programs write the mean of them as ``PERCENTAGE``, which is below zero for some: it is a
score then, where there is no total. Masterpoints in a file that this package did not write are another body's, in
whatever colour. Several sessions whose participants are listed once have one score, and count as one.
What only this package knows is in processing instructions, see :mod:`resultproc.formats.usebio.elements`; what they
say of the game counts like ``# key: value`` lines in CSV.

No document type definition comes with this package: the reader checks what it needs, and passes the rest over. It
holds one record of a file at a time besides the results themselves.
On bad input: FormatError for XML that is cut off or no USEBIO; InputError that names the line, for entities too.
"""

from __future__ import annotations

from resultproc.formats.registry import Reading
from resultproc.formats.source import Source
from resultproc.formats.usebio.document import reading


def read(source: Source) -> Reading:
    """Read one file; see the module's docstring for what it knows and raises."""
    return reading(source)
