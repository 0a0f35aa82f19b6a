"""Regulations: tables as dated, cited data beside the few functions that data cannot express. One package each."""

from resultproc.model.group import Ladder
from resultproc.rulebooks.choice import choose, ranking_terms
from resultproc.rulebooks.core import Edition, Entry, Rulebook
from resultproc.rulebooks.load import rulebook, rulebooks

__all__ = ["Edition", "Entry", "Ladder", "Rulebook", "choose", "ranking_terms", "rulebook", "rulebooks"]
