"""The columns that listings and pages, made for people, show in columns of their own."""

from __future__ import annotations

from resultproc.model.columns import Place
from resultproc.model.frames import CONTESTANTS

SHOWN = sorted((each for each in CONTESTANTS.columns if each.place is Place.COLUMN), key=lambda each: each.order)
"""In the order in which they are shown."""
