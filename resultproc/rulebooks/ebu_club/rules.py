"""Local points, of the English Bridge Union and of unions that have its scale; the figures are in ``local.toml``."""

from __future__ import annotations

from math import ceil

from resultproc.model.errors import DeclarationError
from resultproc.model.game import EventType
from resultproc.model.group import Group, Ladder
from resultproc.rulebooks.common.awards import declared_boards, missing_key
from resultproc.rulebooks.common.exact import factor_text, reached
from resultproc.rulebooks.common.field import FieldRules, field_ladder
from resultproc.rulebooks.core import Edition

_TEAMS = "multiple-teams"
"""The special word of teams that all meet in one session."""


class LocalRules(FieldRules):
    """As many awards as a share of the field by the boards in play, in equal steps down to the least.

    Fields that are too small, or play too few boards, are paid nothing, or refused where ``refused.few`` says why.
    """

    words = (_TEAMS,)

    def of_field(self, edition: Edition, group: Group, reach: int) -> Ladder:
        """Return what the places of a field pay (handbook, 3.1.1 and chapter 4, as told in public)."""
        of_pairs = "one-winner" if group.one_winner else "two-winners"
        kind = {EventType.SWISS.value: "teams", EventType.INDIVIDUAL.value: "individual"}.get(
            group.event_type, of_pairs
        )
        line = {"teams": "two-winners", "individual": "one-winner"}.get(kind, kind)
        why = "the number of awards depends on the boards in play"
        if kind == "teams" and not group.session_boards:  # their boards are those of a match
            raise missing_key("session_boards", why, "24")
        boards = group.session_boards[0] if kind == "teams" else declared_boards(group, why, "24")
        entered, unit = (group.ranked, "teams") if kind == "teams" else (group.full_tables, "full tables")
        band = reached(edition.rows("share.of-field"), boards)
        if band is None or entered < edition.whole(f"least.{kind}"):
            path, told = (
                (f"least.{kind}", f"lines of {entered} pairs") if band else ("share.of-field", f"{boards} boards")
            )
            missing = f"refused.few.{kind}" if band else "refused.few.boards"
            if missing in edition.entries:
                what = f"rulebook {edition.book} has no awards for {told}: {edition.text(missing)}"
                raise DeclarationError(what, hint="rank it without awards")
            return Ladder((), 0, edition.values(path), f"{entered} {unit}, {boards} boards: no awards")
        cited, halves = ["share.of-field", f"step.{line}"], f"half-table.{kind}"
        if halves in edition.entries and ceil(group.tables) > group.full_tables:
            what = f"no source says how many awards rulebook {edition.book} has for {edition.text('half-table.what')}"
            hint = f"set {halves} = full tables in your own rulebook to pay by the full ones"
            cited.append(_reading(edition, halves, what, hint))
        number = ceil({"one-winner": 2, "individual": 4}.get(kind, 1) * entered * band[1] / band[2])
        step = edition.named_numbers(f"step.{line}")[group.rating]
        least = step if line == "two-winners" else edition.named_numbers("least-award")[group.rating]
        if kind == "individual":
            step *= edition.number("step.individual")
            cited += ["step.individual", "least-award", *(["step.rounding"] if step.denominator > 1 else [])]
            if entered == 6 and band[2] == 3:
                number = edition.whole("individual.six-tables")
                cited.append("individual.six-tables")
        awards = [max(ceil(step * place), int(least)) for place in range(number, 0, -1)]
        path = f"cap.boards-{band[0]}"
        most = int(edition.named_numbers(path)[group.rating]) if path in edition.entries else awards[0]
        if awards[0] > most and kind == "one-winner":
            awards = [min(award, most) for award in awards]
            cited.append(path)
        elif awards[0] > most:
            cite = edition.cite(path)
            what = f"a first award of {awards[0]} local points is above {most}, the most of one winner ({cite})"
            hint = "the most of this kind is not known; cap.others in your own rulebook says it"
            cited.append(_reading(edition, "cap.others", what, hint))
        factors = f"{number} x {factor_text(step)}; {band[1]}/{band[2]} of {entered} {unit}"
        return field_ladder(edition, awards, cited, factors)

    def refuse_open(self, edition: Edition, group: Group) -> None:
        """Raise DeclarationError for what is not known of the handbook; teams are paid that all met in one session."""
        if group.event_type != EventType.SWISS or _TEAMS not in group.special or group.sessions > 1:
            super().refuse_open(edition, group)


def _reading(edition: Edition, path: str, what: str, hint: str) -> str:
    """Return the path of a reading of what no source says; DeclarationError, of what, where it gives no awards."""
    if edition.text(path) == "none":
        raise DeclarationError(what, hint=hint)
    return path
