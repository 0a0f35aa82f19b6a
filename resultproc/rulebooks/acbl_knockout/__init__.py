"""Knockout teams: the Knockout Teams Formula of November 2003, bracketed, flighted and compact, and NABC events.

The figures are in ``knockout-2003.toml``, on top of those of the General Formula; each module applies one part. Since
2015 they are carried on, all of them inferred: ``knockout-2015.toml``.
"""

from resultproc.rulebooks.load import load_from_package

RULEBOOK_2003 = load_from_package("acbl_knockout/knockout-2003.toml")
RULEBOOK_2015 = load_from_package("acbl_knockout/knockout-2015.toml")
