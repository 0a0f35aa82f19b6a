"""The local points of the Scottish Bridge Union; the figures are in ``local.toml``."""

from __future__ import annotations

from math import ceil

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType
from resultproc.model.group import Group, Ladder
from resultproc.rulebooks.common.awards import declared_boards
from resultproc.rulebooks.common.exact import factor_text
from resultproc.rulebooks.common.field import FieldRules, field_ladder, share_of_field
from resultproc.rulebooks.core import Edition


class ScottishRules(FieldRules):
    """As many awards as a third of the field, in equal steps down to the least."""

    kinds = (EventType.PAIRS,)

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what the places of a field pay; DeclarationError for what two sources do not agree on."""
        line = "one-winner" if group.one_winner else "two-winners"
        boards = declared_boards(group, "below 18 boards other awards are due", "24")
        if boards < edition.whole("least.boards"):
            raise _missing(edition, f"a game of {boards} boards", "refused.boards")
        if group.full_tables < edition.whole(f"least.{line}"):
            if line == "two-winners":
                raise _missing(edition, f"lines of {group.full_tables} pairs", "refused.short-lines")
            return Ladder((), 0, edition.values(f"least.{line}"), f"{group.full_tables} full tables: no awards")
        cited = ["share.of-field", f"step.{line}"]
        pairs, unit = (group.ranked, "pairs") if group.one_winner else (group.full_tables, "full tables")
        if ceil(group.tables) != group.full_tables:
            if edition.text("odd.pairs") == "none":
                raise _missing(edition, "an odd number of pairs, or lines of different length", "odd.pairs")
            pairs = 2 * group.full_tables if group.one_winner else pairs
            cited.append("odd.pairs")
        over, under = edition.numbers("share.of-field")
        number = share_of_field(pairs, over / under, up=True)
        step = edition.number(f"step.{line}")
        awards = [int(100 * step * place) for place in range(number, 0, -1)]
        factors = f"{number} x {factor_text(step)}; a third of {pairs} {unit}"
        return field_ladder(edition, awards, cited, factor_text(step * number), factors)


def _missing(edition: Edition, what: str, path: str) -> DeclarationError:
    """Return the refusal of a game for which no rule is known. path: of the value that says why."""
    why = edition.text("odd.why") if path == "odd.pairs" else edition.text(path)
    hint = f"set {path} = full tables in a rulebook of your own" if path == "odd.pairs" else "rank it without awards"
    return DeclarationError(f"rulebook {edition.book} has no awards for {what}: {why}", hint=hint)
