"""Awarding many games, of which the program may be mistaken about some: those are at fault, and no others."""

from __future__ import annotations

from resultproc.batch.inputs import problems_of
from resultproc.model.errors import Problem
from resultproc.model.frames import Result, Sheet
from resultproc.stages.pipeline import award_each, of_games

_MOST = 50
"""So many games at fault are told from others one by one; where there are more, those they are among fail with them."""


def award_sound(sheet: Sheet) -> tuple[Result, dict[str, list[Problem]]]:
    """Award those games that can be, like :func:`resultproc.stages.pipeline.award_each`, but let no error end it."""
    try:
        return award_each(sheet)
    except MemoryError:
        raise
    except Exception as error:
        mistaken: dict[str, list[Problem]] = {}
        _find(sheet, error, mistaken)
    result, wrong = award_each(of_games(sheet, [name for name in sheet.games["game_id"] if name not in mistaken]))
    return result, wrong | mistaken


def _find(sheet: Sheet, error: Exception, mistaken: dict[str, list[Problem]]) -> None:
    """Find the games at fault in a sheet whose awarding raises an error: halves are tried, and halves of those."""
    names = list(sheet.games["game_id"])
    if len(names) == 1 or len(mistaken) >= _MOST:
        found = [(each["what"], each["code"]) for each in problems_of(error)]
        mistaken |= {name: [Problem(what, game=name, code=code) for what, code in found] for name in names}
        return
    middle = len(names) // 2
    for half in (of_games(sheet, names[:middle]), of_games(sheet, names[middle:])):
        try:
            award_each(half)
        except MemoryError:
            raise
        except Exception as other:
            _find(half, other, mistaken)
