"""The awards of tournaments by the strength of the field."""

from __future__ import annotations

from resultproc.rulebooks.acbl_general_formula.rules import GeneralFormula


class StrengthOfField(GeneralFormula):
    """Overall awards by the strength of the field, all others as the General Formula has them."""
