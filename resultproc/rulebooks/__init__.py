"""Regulations: tables as dated, cited data beside the few functions that data cannot express. One module each."""

from resultproc.rulebooks.choice import choose, ranking_terms
from resultproc.rulebooks.core import Edition, Entry, Ladder, Rulebook
from resultproc.rulebooks.registry import rulebook, rulebooks

__all__ = ["Edition", "Entry", "Ladder", "Rulebook", "choose", "ranking_terms", "rulebook", "rulebooks"]
