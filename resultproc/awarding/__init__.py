"""Who won how much: ladders, tie shares, and the candidate that wins."""

from resultproc.awarding.award import award

__all__ = ["award"]
