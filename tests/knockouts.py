"""Knockouts for tests: brackets in which the team with the lower number always wins."""

from collections.abc import Mapping

import pandas as pd

from resultproc.formats.declared import override
from resultproc.model.frames import CONTESTANTS, GAMES, Result, Sheet
from resultproc.model.source import Declaration
from resultproc.reports import generate
from resultproc.stages.pipeline import award_sheet


def seeded(teams: int) -> dict[str, list[str]]:
    """Return the rounds of a bracket: 1 meets the last one, 2 the last but one; the best may have byes."""
    return {str(team): [*matches] for team, matches in generate.played(teams, lambda team, other: team < other).items()}


def in_steps(teams: int, *steps: int) -> dict[str, list[str]]:
    """Return the rounds of a bracket whose first rounds are of so many teams each: 3, of which two go on, or 2.

    Of three teams in a row the first beats both others, the second the third; of two the first beats the second.
    After the steps the rounds are seeded.
    """
    alive = [str(team) for team in range(1, teams + 1)]
    played: dict[str, list[str]] = {team: [] for team in alive}
    for step in steps:
        left: list[str] = []
        for a, b, *c in zip(*(alive[number::step] for number in range(step)), strict=True):
            played[a].append(" ".join(f"W {other}" for other in (b, *c)))
            played[b].append(" ".join([f"L {a}", *(f"W {other}" for other in c)]))
            for other in c:
                played[other].append(f"L {a} L {b}")
            left += [a, b] if c else [a]
        alive = left
    names = dict(zip(map(str, range(1, len(alive) + 1)), alive, strict=True))
    for seed, marks in seeded(len(alive)).items():
        played[names[seed]] += [" ".join(names.get(word, word) for word in mark.split()) for mark in marks]
    return played


def bracket(
    section: str,
    rounds: int | Mapping[str, list[str]],
    top: float | None = 1000,
    others: float | None = None,
    **playoffs: str,
) -> pd.DataFrame:
    """Return the contestants of a bracket of four players each.

    rounds: those of each team, or the number of teams of a seeded bracket. top: what each player of team 1 holds, None
    for holdings unknown; others: of the other teams, a half of it if not given. playoffs: as ``t3="W 4"``.
    """
    played = seeded(rounds) if isinstance(rounds, int) else rounds
    records = []
    for team, marks in played.items():
        held = top if team == "1" or top is None else (top / 2 if others is None else others)
        record: dict[str, object] = {"section": section, "number": team, "eligible": True, "where": f"{section} {team}"}
        record |= {f"player{n}": f"{section}{team} {n}" for n in range(1, 5)}
        if held is not None:
            record |= {f"mp{n}": float(held) for n in range(1, 5)}
        record |= {f"round{n}": mark for n, mark in enumerate(marks, 1)}
        record["playoff"] = playoffs.get(f"t{team}")
        records.append(record)
    return pd.DataFrame.from_records(records)


def event(*brackets: pd.DataFrame, game_id: str = "game", **keys: object) -> Sheet:
    """Return the sheet of a knockout: a regional of four sessions and 24 boards a match unless keys say otherwise."""
    contestants = CONTESTANTS.conform(pd.concat(brackets, ignore_index=True).assign(game_id=game_id))
    games = GAMES.conform(pd.DataFrame({"game_id": [game_id], "source": [f"{game_id}.csv"]}))
    given = {"rating": "regional", "event_type": "knockout", "date": "2005-05-05", "sessions": 4, "boards": 24, **keys}
    declared = {name: Declaration(value, name) for name, value in given.items() if value is not None}
    return Sheet(override(games, declared, "test"), contestants)


def awarded(*brackets: pd.DataFrame, **keys: object) -> Result:
    """Return the result of a knockout, ranked and awarded."""
    return award_sheet(event(*brackets, **keys))


def overall(result: Result, section: str = "") -> dict[str, str]:
    """Return what each team of a bracket is in line for overall."""
    return _of(result, section, "overall")


def for_matches(result: Result, section: str = "") -> dict[str, str]:
    """Return what each team of a bracket is in line for by its matches."""
    return _of(result, section, "matches")


def _of(result: Result, section: str, basis: str) -> dict[str, str]:
    frame = result.candidates[result.candidates["basis"] == basis].sort_values("contestant")
    teams = result.contestants.iloc[frame["contestant"]]
    awards = (frame["masterpoints"] / 100).map("{:.2f}".format).to_numpy()
    rows = (teams["section"] == (section or result.contestants["section"].iloc[0])).to_numpy()
    return dict(zip(teams["number"].to_numpy()[rows], awards[rows], strict=True))


def paid(result: Result, section: str, team: str) -> str:
    """Return what a team is paid and by what, with its colours: ``13.16 overall, gold 13.16``."""
    teams = result.contestants
    row = int(((teams["section"] == section) & (teams["number"] == team)).to_numpy().argmax())
    award = result.awards.iloc[row]
    if award["candidate"] < 0:
        return "0.00"
    basis = result.candidates["basis"].astype("str").iloc[award["candidate"]]
    colours = [name for name in ("black", "silver", "red", "gold", "platinum") if award[name]]
    split = "".join(f", {name} {award[name] / 100:.2f}" for name in colours)
    return f"{award['masterpoints'] / 100:.2f} {basis}{split}"
